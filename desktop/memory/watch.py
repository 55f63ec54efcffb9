"""Watching a memory folder: one call after any change below it, also when the folder is deleted, moved away and made again.

Owns the watches (the folder with everything below it, and the nearest existing parent), the debounce of 75 ms and the fall-back to polling
when the system has no watches left. Says that something changed, never what: whoever listens reads again. `on_change` runs in the watch's
own thread and must not block for long. Starts one thread besides watchdog's own.
"""

from __future__ import annotations

import logging
import os
import threading
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

log = logging.getLogger(__name__)

DEBOUNCE_S = 0.075
LATEST_S = 0.25
"""A burst that does not end is reported at least this often."""

CHECK_S = 1.0
"""How often the folder's identity is looked at besides events, in case one was lost."""

POLL_S = 0.3
_ORDINARY = ("created", "deleted", "modified", "moved", "closed")
"""Kinds of events that mean a change; opening and reading are none."""

Identity = tuple[int, int] | None
OpenObserver = Callable[[], Any]


def _identity(path: Path) -> Identity:
    try:
        status = path.stat()
    except OSError:
        return None
    return (status.st_dev, status.st_ino)


def _nearest(path: Path) -> Path:
    """The closest parent that exists."""
    for parent in path.parents:
        if parent.is_dir():
            return parent
    return Path(path.anchor)


def fingerprint(root: Path) -> int:
    """A number that changes with any name, size, time or identity below `root`; for polling."""
    seen: list[tuple[str, int, int, int]] = []
    pending = [str(root)]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    status = entry.stat(follow_symlinks=False)
                    seen.append((entry.path, status.st_mtime_ns, status.st_size, status.st_ino))
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
        except OSError:
            seen.append((folder, 0, 0, 0))
    return hash(tuple(sorted(seen)))


def _system_observer() -> Any:
    from watchdog.observers import Observer

    return Observer()


class MemoryWatch:
    """A running watch. `close` stops it; it may be closed from any thread, also from `on_change`.

    Attributes:
        polling: the system had no watches left, so the folder is looked at every 300 ms instead.
    """

    def __init__(
        self,
        root: Path,
        on_change: Callable[[], None],
        open_observer: OpenObserver = _system_observer,
        *,
        beside: Sequence[str] = (),
    ) -> None:
        """Args:
        root: the folder; it need not exist yet.
        on_change: called after a change.
        open_observer: makes the system's observer.
        beside: names of files in the folder that holds `root` whose changes count too.
        """
        self.root = root
        self._names = {str(root), os.path.realpath(root)}
        self._beside = {os.path.join(os.path.dirname(name), one) for name in self._names for one in beside}  # noqa: PTH118, PTH120
        self.polling = False
        self._on_change = on_change
        self._open_observer = open_observer
        self._wake = threading.Condition()
        self._first: float | None = None
        self._last = 0.0
        self._recheck = True
        self._closed = False
        self._ready = threading.Event()
        self._observer: Any = None
        self._watches: dict[str, tuple[Path, Identity, Any]] = {}
        self._thread = threading.Thread(target=self._run, name="memory-watch", daemon=True)
        self._thread.start()

    def wait_ready(self, timeout: float = 5.0) -> bool:
        """Wait until changes are seen."""
        return self._ready.wait(timeout)

    def close(self) -> None:
        """Stop; no call of `on_change` begins after this returns (unless it is called from `on_change` itself)."""
        with self._wake:
            self._closed = True
            self._wake.notify_all()
        if threading.current_thread() is not self._thread:
            self._thread.join(timeout=5.0)

    # events come from watchdog's thread

    def dispatch(self, event: Any) -> None:
        """Called by watchdog for every event."""
        if event.event_type not in _ORDINARY:
            return
        if not self._concerns(event):
            return
        self._mark()

    def _concerns(self, event: Any) -> bool:
        """Whether an event is about the root, a file beside it that was asked for, or a folder above it that comes or goes."""
        moves = event.event_type in ("created", "deleted", "moved")
        for path in (event.src_path, getattr(event, "dest_path", "")):
            text = os.fsdecode(path).rstrip(os.sep) if path else ""
            if text in self._beside:
                return True
            for root in self._names if text else ():
                if text == root or text.startswith(root + os.sep) or (moves and root.startswith(text + os.sep)):
                    return True
        return False

    def _mark(self) -> None:
        with self._wake:
            now = time.monotonic()
            self._first = now if self._first is None else self._first
            self._last = now
            self._recheck = True
            self._wake.notify_all()

    # the watch's own thread

    def _run(self) -> None:
        self._start_observer()
        self._arm()
        seen = self._fingerprint() if self.polling else 0
        self._ready.set()
        try:
            while self._wait():
                if self.polling:
                    now = self._fingerprint()
                    if now == seen:
                        continue
                    seen = now
                self._tell()
        finally:
            self._stop_observer()

    def _fingerprint(self) -> int:
        """Of the root and of the files beside it."""
        beside = []
        for place in sorted(self._beside):
            try:
                status = os.lstat(place)
            except OSError:
                continue
            beside.append((place, status.st_mtime_ns, status.st_size, status.st_ino))
        return hash((fingerprint(self.root), tuple(beside)))

    def _wait(self) -> bool:
        """Sleep until something is to be reported (True) or the watch is closed (False); keeps the watches armed meanwhile."""
        while True:
            with self._wake:
                if self._closed:
                    return False
                pause = self._pause()
                if pause > 0:
                    self._wake.wait(pause)
                if self._is_closed():
                    return False
                recheck, self._recheck = self._recheck or self._first is None, False
                due = self._first is not None and self._pause() <= 0
                if due:
                    self._first = None
            moved = recheck and self._arm()
            if self.polling:
                return True
            if moved and not due:
                self._mark()
            elif due:
                return True

    def _is_closed(self) -> bool:
        return self._closed

    def _pause(self) -> float:
        """Seconds until the debounce ends, or until the next look of its own."""
        if self.polling:
            return POLL_S if self._first is None else 0.0
        if self._first is None:
            return CHECK_S
        now = time.monotonic()
        return min(self._last + DEBOUNCE_S, self._first + LATEST_S) - now

    def _tell(self) -> None:
        try:
            self._on_change()
        except Exception:  # a listener's fault must not end the watch; it is logged whole
            log.exception("the listener of the memory folder failed")

    def _start_observer(self) -> None:
        try:
            self._observer = self._open_observer()
            self._observer.start()
        except (OSError, RuntimeError) as error:
            self._fall_back(error)

    def _fall_back(self, error: BaseException) -> None:
        log.warning("the memory folder is polled, since the system gives no watch: %s", error)
        self.polling = True
        self._stop_observer()

    def _stop_observer(self) -> None:
        observer, self._observer = self._observer, None
        self._watches.clear()
        if observer is not None and observer.is_alive():
            observer.stop()
            observer.join(timeout=5.0)

    def _arm(self) -> bool:
        """Put the watches on what exists now; True when the root became another folder than the one watched before."""
        if self.polling or self._observer is None:
            return False
        had = self._watches.get("root")
        changed = self._arm_one("root", self.root, recursive=True)
        self._arm_one("parent", _nearest(self.root), recursive=False)
        return changed and (had is not None or self._ready.is_set())

    def _arm_one(self, name: str, path: Path, *, recursive: bool) -> bool:
        current = self._watches.get(name)
        identity = _identity(path)
        if current is not None and current[0] == path and current[1] == identity and self._alive(current[2]):
            return False
        if current is None and identity is None:
            return False
        if current is not None:
            self._watches.pop(name)
            self._unschedule(current[2])
        if identity is not None and not self.polling:
            try:
                self._watches[name] = (path, identity, self._observer.schedule(self, str(path), recursive=recursive))
            except FileNotFoundError:
                self._recheck = True
            except (OSError, RuntimeError) as error:
                self._fall_back(error)
        return True

    def _alive(self, watch: Any) -> bool:
        """Whether the emitter behind a watch still runs; it ends by itself when its folder is deleted."""
        return any(emitter.watch == watch and emitter.is_alive() for emitter in list(self._observer.emitters))

    def _unschedule(self, watch: Any) -> None:
        try:
            self._observer.unschedule(watch)
        except (KeyError, OSError, RuntimeError):
            log.debug("a watch of %s had ended already", self.root)


def watch_memory(root: Path, on_change: Callable[[], None], *, beside: Sequence[str] = ()) -> MemoryWatch:
    """Watch `root` (which need not exist yet). Returns when changes are seen, after 2 s at the latest."""
    watch = MemoryWatch(root, on_change, beside=beside)
    watch.wait_ready(2.0)
    return watch
