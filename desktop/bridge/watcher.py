"""The memory folder's watcher, as a QObject: `changed` comes in the GUI thread, however many files changed at once.

The watching itself is `desktop.memory.watch`; starting and stopping it may touch the disk and joins threads, so both happen off the
GUI thread. Makes no widgets.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import shiboken6
from PySide6.QtCore import QObject, Signal

from desktop.bridge.post import post

if TYPE_CHECKING:
    from desktop.memory.watch import MemoryWatch

log = logging.getLogger(__name__)


class MemoryWatcher(QObject):
    """Follows one folder at a time.

    Signals:
        changed(): something below the folder changed, or the watch began.
        polling_changed(bool): True when watches ran out and the folder is polled instead.
        watch_failed(str): the folder is not followed, and why.
    """

    changed = Signal()
    polling_changed = Signal(bool)
    watch_failed = Signal(str)

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._generation = 0
        self._pending = False
        self._lock = threading.Lock()
        self._watch: MemoryWatch | None = None
        self._thread: threading.Thread | None = None

    @property
    def polling(self) -> bool:
        watch = self._watch
        return watch is not None and watch.polling

    def start(self, root: Path, *, beside: Sequence[str] = ()) -> None:
        """Follow `root`, which need not exist yet, and these files beside it, instead of what was followed before."""
        self.stop()
        with self._lock:
            generation = self._generation
        self._thread = threading.Thread(target=self._open, args=(root, generation, tuple(beside)), name="keepsake-watch-start", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        with self._lock:
            self._generation += 1
            self._pending = False
            watch, self._watch = self._watch, None
        if watch is not None:
            watch.close()

    def join(self, timeout_s: float = 2.0) -> None:
        """Wait until a start that is under way is through; for shutdown and tests."""
        if self._thread is not None:
            self._thread.join(timeout_s)

    def _open(self, root: Path, generation: int, beside: tuple[str, ...]) -> None:
        """In its own thread."""
        from desktop.memory.watch import watch_memory

        try:
            watch = watch_memory(root, lambda: self._on_change(generation), beside=beside)
        except Exception as error:  # an unwatched folder is shown with its reason; the panel still refreshes by hand
            log.exception("the folder %s is not watched", root)
            post(self._on_no_watch, generation, str(error))
            return
        with self._lock:
            stale = generation != self._generation
            if not stale:
                self._watch = watch
        if stale or not shiboken6.isValid(self):
            watch.close()
        else:
            post(self._on_began, generation, watch.polling)

    def _on_change(self, generation: int) -> None:
        """In the watching thread. One call stands for every change until it is delivered."""
        with self._lock:
            if self._pending or generation != self._generation:
                return
            self._pending = True
        post(self._on_seen, generation)

    def _on_seen(self, generation: int) -> None:
        with self._lock:
            stale = generation != self._generation
            if not stale:
                self._pending = False
        if not stale:
            self.changed.emit()

    def _on_no_watch(self, generation: int, reason: str) -> None:
        if generation == self._generation:
            self.watch_failed.emit(reason)

    def _on_began(self, generation: int, polling: bool) -> None:
        if generation == self._generation:
            self.polling_changed.emit(polling)
            self.changed.emit()
