"""Keeping the index of conversations in step with the transcripts: what is new is read, newest sessions first, what is gone is taken out.

Only what changed is read: a session that grew from its last block on, one that was changed elsewhere from the first block that differs
(see `search_source`). A file that cannot be read is said, and the others go on. Blocking; one at a time (its user holds the lock).
"""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from desktop.base.errors import NotFoundError
from desktop.base.phrases import os_reason, say
from desktop.base.redact import redact
from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage
from desktop.sessions.importers.convert import is_foreign
from desktop.sessions.lines import Stopped
from desktop.sessions.search_source import Block, block_from, digest_of, is_current, read_blocks, title_digest
from desktop.sessions.skeleton import open_transcript_bytes
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import SessionSummary, quick_summary, read_summary

SCOPE = "sessions"
SUMMARY_BYTES = 16 << 20
"""A longer file is not read whole for its title."""

Progress = Callable[[int, int], None]
"""Takes the number of sessions done and of those to do."""


def key_of(session_id: str, number: int) -> str:
    return f"{session_id}/{number:06d}"


def session_of(key: str) -> str:
    return key.partition("/")[0]


def state_of(status: os.stat_result) -> str:
    """What changes when a file does: size, both times, inode. The change time sees through a restored modification time (W-35)."""
    return f"{status.st_size}:{status.st_mtime_ns}:{status.st_ctime_ns}:{status.st_ino}"


def known_summary(path: Path, size: int) -> SessionSummary | None:
    """Title, workspace and project of a session without ever reading a large file whole."""
    return quick_summary(path) or (read_summary(path) if size <= SUMMARY_BYTES else None)


def title_in(summary: SessionSummary | None) -> str:
    """The session's title, masked; empty when its id stands for it."""
    return "" if summary is None or summary.title == summary.path.stem else redact(summary.title)


@dataclass(frozen=True, slots=True)
class Filled:
    """What was done: sessions that were read or taken out, whether all are in step now, and which could not be read."""

    changed: int
    complete: bool
    problems: tuple[str, ...] = ()


@dataclass(slots=True)
class _Session:
    """A session that has to be looked at, and what is stored of it."""

    id: str
    path: Path
    folder: str
    size: int
    modified: int
    state: str
    stored: dict[int, str]


@dataclass(slots=True)
class Filling:
    """One round over the sessions of a project, of all, or over one session."""

    sessions: SessionStore
    index: SearchIndex
    stopped: Stopped
    progress: Progress | None = None
    problems: list[str] = field(default_factory=list)
    _done: int = 0

    def run(self, project_key: str | None = None, session_id: str | None = None) -> Filled:
        """Bring the index up to date.

        Raises:
            StorageError: the sessions cannot be listed, or the index cannot be written now.
        """
        stored = _by_session(self.index.fingerprints("" if session_id is None else f"{session_id}/"))
        there = list(self._one(session_id) if session_id is not None else self._listed(project_key))
        names = {session.id for session in there}
        gone = [name for name, keys in stored.items() if name not in names and self._is_gone(name, keys, project_key, session_id)]
        if gone:
            self.index.update((), [key_of(name, number) for name in gone for number in stored[name]])
        for session in there:
            session.stored = stored.get(session.id, {})
        changed = sorted((s for s in there if not _is_current(s)), key=lambda s: s.modified, reverse=True)
        self.index.update(self._documents(changed), stopped=self.stopped)
        return Filled(self._done + len(gone), self._done == len(changed), tuple(self.problems))

    # which

    def _listed(self, project_key: str | None) -> Iterator[_Session]:
        seen: set[str] = set()
        for entry in self.sessions.files(project_key):
            path = Path(entry.path)
            if path.stem not in seen and (found := self._session(path)) is not None:
                seen.add(path.stem)
                yield found

    def _one(self, session_id: str) -> Iterator[_Session]:
        try:
            path = self.sessions.path_of(session_id)
        except NotFoundError:
            return
        if (found := self._session(path)) is not None:
            yield found

    def _session(self, path: Path) -> _Session | None:
        """The session behind a file; None for one that is no file (any more)."""
        try:
            status = path.stat()
        except FileNotFoundError:
            return None
        except OSError as error:
            self._say(path, os_reason(error))
            return None
        if not stat.S_ISREG(status.st_mode):
            self._say(path, say("it is not a plain file"))
            return None
        return _Session(path.stem, path, path.parent.name, status.st_size, status.st_mtime_ns, state_of(status), {})

    def _is_gone(self, name: str, keys: dict[int, str], project_key: str | None, session_id: str | None) -> bool:
        """Whether a session that was not listed is not there any more, and does not merely lie in another project."""
        if project_key is None or session_id is not None:
            return True
        return any(block_from(fingerprint, number, project_key) is not None for number, fingerprint in keys.items())

    def _say(self, path: Path, reason: str) -> None:
        self.problems.append(say("The session {path} cannot be searched: {reason}.", path=path, reason=reason))

    # reading

    def _documents(self, changed: Iterable[_Session]) -> Iterator[Document]:
        changed = list(changed)
        for session in changed:
            if self.stopped():
                return
            try:
                yield from self._of_session(session)
            except FileNotFoundError:  # deleted meanwhile: the next round takes it out
                pass
            except OSError as error:
                self._say(session.path, os_reason(error))
            if not self.stopped():
                self._done += 1
                if self.progress is not None:
                    self.progress(self._done, len(changed))

    def _of_session(self, session: _Session) -> Iterator[Document]:
        title = title_in(known_summary(session.path, session.size))
        with open_transcript_bytes(session.path) as file:
            blocks = _chain(session.stored, session.folder)
            kept = _kept(file, session, blocks, self.stopped)
            if self.stopped():
                return
            if not blocks or len(kept) < len(blocks) - 1:
                self.index.update((), [key_of(session.id, number) for number in session.stored if number >= len(kept)])
            if kept and kept[0].title != title_digest(title):
                for block, passages in read_blocks(file, session.folder, "", title=title, until=kept[0].end, stopped=self.stopped):
                    yield _document(session, block, passages)
            before = kept[-1] if kept else None
            for block, passages in read_blocks(file, session.folder, session.state, before=before, title=title, stopped=self.stopped):
                yield _document(session, block, passages)


def _by_session(fingerprints: dict[str, str]) -> dict[str, dict[int, str]]:
    found: dict[str, dict[int, str]] = {}
    for key, fingerprint in fingerprints.items():
        name, _, number = key.partition("/")
        if is_foreign(name):
            continue  # another tool's: see `index_foreign`
        found.setdefault(name, {})[int(number) if number.isdecimal() else -1] = fingerprint
    return found


def _is_current(session: _Session) -> bool:
    stored, count = session.stored, len(session.stored)
    return count > 0 and count - 1 in stored and is_current(stored[count - 1], session.folder, session.state)


def _chain(stored: dict[int, str], folder: str) -> list[Block]:
    """What is stored of a session as a row of blocks that follow one another; empty when it is none."""
    blocks: list[Block] = []
    for number in range(len(stored)):
        block = block_from(stored[number], number, folder) if number in stored else None
        if block is None or block.start != (blocks[-1].end if blocks else 0):
            return []
        blocks.append(block)
    return blocks


def _kept(file: BinaryIO, session: _Session, blocks: list[Block], stopped: Stopped) -> list[Block]:
    """The blocks that stay as they are. Of a file that only grew the last one is compared, of others all up to the first that differs."""
    if not blocks:
        return []
    last = blocks[-1]
    if last.file and _grew(last.file, session.state) and digest_of(file, last.start, last.end, stopped) == last.digest:
        return blocks[:-1]
    same = 0
    while same < len(blocks) and digest_of(file, blocks[same].start, blocks[same].end, stopped) == blocks[same].digest:
        same += 1
    return blocks[:-1] if same == len(blocks) and last.file else blocks[:same]


def _grew(before: str, now: str) -> bool:
    """Whether one and the same file got longer."""
    (old_size, *_, old_inode), (size, *_, inode) = before.split(":"), now.split(":")
    return old_inode == inode and int(size) > int(old_size)


def _document(session: _Session, block: Block, passages: tuple[Passage, ...]) -> Document:
    moment = passages[-1].time if passages else 0.0
    key = key_of(session.id, block.number)
    return Document(key, SCOPE, session.folder, session.id, block.fingerprint(), passages, time=moment)
