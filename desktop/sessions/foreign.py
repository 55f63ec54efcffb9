"""The sessions of other tools on this machine, beside ours: found in their standard places or in a file that the person named.

Read where they lie and never written. What was read of a file for the list is kept in the cache, by path, size and time, so that a file is
read once; the cache may be deleted at any time. Thread-safe; `refresh` reads files and belongs into a thread of its own.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Callable, Iterable, Sequence
from contextlib import AbstractContextManager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.clock import from_seconds
from desktop.base.errors import NotFoundError, StorageError
from desktop.base.events import Emitter
from desktop.base.locks import held
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import say
from desktop.base.textio import atomic_write, read_bytes
from desktop.sessions.foreign_table import CACHE_LIMIT, KnownSession, PlaceKey, Table, dumped, stored
from desktop.sessions.importers.convert import as_transcript, ended, foreign_id
from desktop.sessions.importers.shapes import ImportedSession, TranscriptEntry
from desktop.sessions.summary import SessionSummary, one_line, summary_of
from desktop.sessions.transcript import LoadedTranscript

if TYPE_CHECKING:
    from desktop.sessions.context import Material

LARGE = 64 << 20
"""Bytes of a file above which the list does not read it whole: it shows what is told without."""
LARGE_PACKED = LARGE // 8
"""The same of a packed file."""
OWN, OWN_FILE = "keepsake", "keepsake-file"
"""A transcript of ours from elsewhere stands in the list under a word of its own: it is read only, as those of other tools are."""
DATABASES = frozenset((".db", ".sqlite", ".sqlite3", ".vscdb"))
SAVE_EVERY = 200
"""Files read between two writings of the cache, so that a first scan that is cut off need not begin anew."""
log = logging.getLogger(__name__)

Stopped = Callable[[], bool]


class ForeignSessions:
    """See the module's text.

    Args:
        cache: file for what was read; anything else at that place is replaced.
        named: file with the paths that the person named.
        places: the standard places of the tools, as they are now.
        project_of: the key of our project for a folder; "" when there is none.
        switched_on: whether sessions of other tools are shown at all.

    Attributes:
        changed: emits "" when there are others than before, in the thread that found it.
        looked: the places were looked through to the end, so that what is not known is not there.
    """

    def __init__(
        self,
        cache: Path,
        named: Path,
        places: Callable[[], Iterable[Path]],
        project_of: Callable[[str], str],
        switched_on: Callable[[], bool] = lambda: True,
    ) -> None:
        self._cache = cache
        self._named = named
        self._places = places
        self._project_of = project_of
        self._switched_on = switched_on
        self._lock = threading.Lock()
        self._refreshing = threading.Lock()
        self._known: Table | None = None
        self._kept = False
        self._by_id: tuple[Table, dict[str, KnownSession]] = ({}, {})
        self.changed: Emitter[str] = Emitter()
        self.looked = False

    # --- what others call --------------------------------------------------------------------------------------------

    def list(self) -> list[SessionSummary]:
        """Those that are known from the last `refresh`, newest first. Reads the cache and no transcript."""
        if not self._switched_on():
            return []
        found = [self._placed(one.summary) for one in self._all().values()]
        return sorted(found, key=lambda one: (one.updated, one.id), reverse=True)

    @property
    def is_on(self) -> bool:
        """Whether sessions of other tools are shown at all, as it is set now."""
        return self._switched_on()

    def known(self) -> Sequence[KnownSession]:
        """What `list` shows, with the places and states of the files; in no order."""
        return list(self._all().values()) if self._switched_on() else []

    def project_of(self, folder: str) -> str:
        """The key of our project for a folder; "" when there is none."""
        return self._project_of(folder)

    def known_of(self, session_id: str) -> KnownSession:
        """Raises NotFoundError: not known, or switched off."""
        return self._get(session_id)

    def find(self, session_id: str) -> SessionSummary:
        """Raises NotFoundError: not known, or switched off."""
        return self._placed(self._get(session_id).summary)

    def load(self, session_id: str) -> LoadedTranscript:
        """The session, read anew.

        Raises:
            NotFoundError: not known, switched off, or its file is gone.
        """
        before = self._get(session_id)
        found = self._read(session_id)
        loaded = as_transcript(found, session_id, self._project_of(found.workspace))
        if not before.summary.counted:
            self._learn(before, found, loaded)
        return loaded

    def material(self, session_id: str, query: str = "") -> Material:
        """The session, read anew to be asked that question; takes less memory than `load`.

        Raises:
            NotFoundError: as `load`.
        """
        from desktop.sessions.context_foreign import ForeignMaterial

        return ForeignMaterial(self._read(session_id), session_id, query)

    def _learn(self, known: KnownSession, found: ImportedSession, loaded: LoadedTranscript) -> None:
        """Keep what the list could not tell of a large file, now that it was read for another reason, as for the search."""
        path = Path(known.path)
        if loaded.header is None or _stat(path) != (known.size, known.modified_ns):
            return  # the next look finds it changed
        nameless = replace(loaded, header=replace(loaded.header, id="", project_key=""))
        summary = _told(found, nameless, path, known.size, known.modified_ns, known.summary.title)
        if not self._refreshing.acquire(blocking=False):
            return  # the next reading tells it too; nobody who reads waits for a look through all places
        try:
            now = dict(self._all())
            if now.get(known.place) != known:
                return
            now[known.place] = replace(known, summary=replace(summary, id=known.summary.id))
            self._publish(now)
        finally:
            self._refreshing.release()
        self.changed.emit("")

    def _read(self, session_id: str) -> ImportedSession:
        known = self._get(session_id)
        path = Path(known.path)
        if not path.exists():
            raise NotFoundError(
                say("The transcript {path} is not there any more.", path=path),
                hint=say("The tool that wrote it may have removed it. Look for sessions again."),
            )
        return _open(path, known.session)

    def refresh(self, stopped: Stopped = lambda: False) -> bool:
        """Look for sessions and read those that are new or have changed; newest files first.

        Returns:
            Whether the list is another one now.
        """
        if not self._switched_on():
            return False
        with self._refreshing:
            before = self._all()
            different = self._scan(before, stopped) != before
            self.looked = self.looked or not stopped()
        if different:
            self.changed.emit("")
        return different

    def add(self, path: Path) -> Sequence[SessionSummary]:
        """Show the sessions of a file or folder from now on.

        Returns:
            What it holds; empty when nothing that is known here, and then it is not kept.

        Raises:
            StorageError: the path cannot be remembered.
        """
        path = path.absolute()
        entries = _entries(path)
        if not entries:
            return []
        with self._naming():
            paths = self._paths()
            if str(path) not in paths:
                self._keep_paths([*paths, str(path)])
        with self._refreshing:
            now = dict(self._all())
            taken = {known.summary.id for known in now.values()}
            for entry in entries:
                self._take(entry, now, taken)
            self._publish(now)
        self.changed.emit("")
        return [self._placed(now[_key(entry)].summary) for entry in entries]

    def remove(self, path: Path) -> bool:
        """Forget a path that was named; its files stay as they are. False: it was none."""
        name = str(path.absolute())
        with self._naming():
            paths = self._paths()
            if name not in paths:
                return False
            self._keep_paths([one for one in paths if one != name])
        self.refresh()
        return True

    @property
    def ever_looked(self) -> bool:
        """Whether anybody ever looked for sessions in this profile: before that, `list` knows none."""
        self._all()
        return self._kept

    @property
    def named(self) -> tuple[Path, ...]:
        """The paths that the person named."""
        return tuple(Path(path) for path in self._paths())

    # --- looking -----------------------------------------------------------------------------------------------------

    def _scan(self, before: Table, stopped: Stopped) -> Table:
        entries = self._found()
        there = {_key(entry) for entry in entries}
        now = {place: one for place, one in before.items() if place in there}
        taken = {one.summary.id for one in now.values()}
        read = 0
        for entry in entries:
            if stopped():
                break
            read += self._take(entry, now, taken)
            if read >= SAVE_EVERY:
                read = 0
                self._publish(now)
        if now != before or not self._kept:
            self._publish(now)
        return now

    def _found(self) -> Sequence[TranscriptEntry]:
        """Every session there is, those in the newest files first; each once."""
        found: dict[PlaceKey, TranscriptEntry] = {}
        for place in (*self._places(), *self.named):
            for entry in _entries(place):
                found.setdefault(_key(entry), entry)
        return sorted(found.values(), key=lambda entry: _stat(entry.path)[1], reverse=True)

    def _take(self, entry: TranscriptEntry, now: Table, taken: set[str]) -> bool:
        """Put a session into the list; True when its file had to be read."""
        size, modified = _stat(entry.path)
        place = _key(entry)
        known = now.get(place)
        if known is not None and (known.size, known.modified_ns) == (size, modified):
            return False
        summary, own_id = _light(entry, size, modified) if _is_large(entry.path, size) else _read(entry, size, modified)
        if known is not None and known.own_id == own_id:
            session_id = known.summary.id
        else:
            session_id = foreign_id(summary.source, own_id)
            if session_id in taken:  # a copy of the same session, or another one of the same name
                session_id = foreign_id(summary.source, own_id, f"{entry.path}\0{entry.session}")
        taken.add(session_id)
        now[place] = KnownSession(*place, size, modified, own_id, replace(summary, id=session_id))
        return True

    def _placed(self, summary: SessionSummary) -> SessionSummary:
        return replace(summary, project_key=self._project_of(summary.workspace))

    # --- what is known -----------------------------------------------------------------------------------------------

    def _get(self, session_id: str) -> KnownSession:
        known = self._ids().get(session_id) if self._switched_on() else None
        if known is None:
            raise NotFoundError(
                say("There is no session {session_id}.", session_id=session_id),
                hint=say("“keepsake sessions list --all” shows those that are there."),
            )
        return known

    def _ids(self) -> dict[str, KnownSession]:
        """Those that are known by the id under which they are cited here."""
        table, by_id = self._by_id
        now = self._all()
        if table is not now:
            by_id = {one.summary.id: one for one in now.values()}
            self._by_id = now, by_id
        return by_id

    def _all(self) -> Table:
        with self._lock:
            if self._known is None:
                kept = stored(self._cache)
                self._known, self._kept = kept or {}, kept is not None
            return self._known

    def _publish(self, now: Table) -> None:
        with self._lock:
            self._known, self._kept = dict(now), True
        try:
            ensure_private_dir(self._cache.parent)
            atomic_write(self._cache, dumped(now))
        except (OSError, StorageError) as error:
            log.info("what was read of other tools' sessions is not kept: %s", error)

    # --- paths that the person named -----------------------------------------------------------------------------------

    def _naming(self) -> AbstractContextManager[None]:
        """Held from reading the list of paths to writing it: another process names some too."""
        ensure_private_dir(self._named.parent)
        return held(self._named.with_suffix(".lock"))

    def _paths(self) -> Sequence[str]:
        try:
            value = json.loads(read_bytes(self._named, CACHE_LIMIT)) if self._named.is_file() else []
        except (StorageError, ValueError, RecursionError) as error:
            log.warning("the list of named transcripts %s cannot be read: %s", self._named, error)
            return []
        return [path for path in value if isinstance(path, str)] if isinstance(value, list) else []

    def _keep_paths(self, paths: Sequence[str]) -> None:
        ensure_private_dir(self._named.parent)
        atomic_write(self._named, json.dumps(paths).encode())


def _key(entry: TranscriptEntry) -> PlaceKey:
    return str(entry.path), entry.session


def _entries(path: Path) -> list[TranscriptEntry]:
    from desktop.sessions.importers import list_transcripts

    return list_transcripts(path)


def _open(path: Path, session: str | None) -> ImportedSession:
    from desktop.sessions.importers import open_transcript

    return open_transcript(path, session)


def _stat(path: Path) -> tuple[int, int]:
    """Size and time of change in nanoseconds; zeros for what is gone. A folder tells only when something in it came or went. What a
    database was told last may stand in its log alone, so that the log counts too."""
    try:
        status = path.stat()
    except OSError:
        return 0, 0
    if path.suffix not in DATABASES:
        return status.st_size, status.st_mtime_ns
    try:
        log = path.with_name(path.name + "-wal").stat()
    except OSError:
        return status.st_size, status.st_mtime_ns
    return status.st_size + log.st_size, max(status.st_mtime_ns, log.st_mtime_ns)


def _is_large(path: Path, size: int) -> bool:
    """Whether a file is too large to be read for the list. What is packed takes much less room than what it holds."""
    from desktop.sessions.importers.packed import is_packed

    return size > LARGE or (size > LARGE_PACKED and is_packed(path))


def _read(entry: TranscriptEntry, size: int, modified_ns: int) -> tuple[SessionSummary, str]:
    """The line of the list out of the whole session, and the tool's own id of it."""
    found = _open(entry.path, entry.session)
    summary = _told(found, as_transcript(found, "", ""), entry.path, size, modified_ns, entry.title)
    updated, started = ended(found) or entry.updated or summary.updated, found.started or entry.started or summary.started
    return replace(summary, updated=updated, started=started), found.id


def _told(found: ImportedSession, loaded: LoadedTranscript, path: Path, size: int, modified_ns: int, title: str) -> SessionSummary:
    """The line of the list, out of a session that was read.

    Args:
        title: where the session tells none.
    """
    moment = from_seconds(modified_ns / 1e9)
    summary = summary_of(loaded, path, modified_ns / 1e9)
    costs = [one.cost_usd for one in found.messages if one.cost_usd is not None]
    return replace(
        summary,
        source=_listed(found.source),
        title=summary.title or title or found.id,
        updated=ended(found) or moment,
        started=found.started or moment,
        tokens=sum(one.tokens for one in found.messages),
        cost_usd=sum(costs) if costs else None,
        size=size,
        branch=found.git_branch,
        kind=found.kind,
        parent=foreign_id(_listed(found.source), found.parent) if found.parent else "",
        damaged=len(found.damage),
    )


def _listed(source: str) -> str:
    return OWN_FILE if source == OWN else source


def _light(entry: TranscriptEntry, size: int, modified_ns: int) -> tuple[SessionSummary, str]:
    """The line of the list without reading a file that is too large for it."""
    moment = entry.updated or from_seconds(modified_ns / 1e9)
    own_id = entry.session or entry.path.stem
    title = one_line(entry.title, 80) or own_id
    source = _listed(entry.source)
    parent = foreign_id(source, entry.parent) if entry.parent else ""
    summary = SessionSummary(
        "", title, entry.workspace, "", source, entry.started or moment, moment, entry.messages, "", 0, "done", entry.path,
        size=size, kind=entry.kind, parent=parent, counted=entry.messages > 0,
    )  # fmt: skip
    return summary, own_id
