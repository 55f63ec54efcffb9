"""Keeping the index of conversations in step with the sessions of other tools: what changed is read, newest first, what is gone taken out.

Whether a file changed is told by its size and time as `foreign` keeps them, so that each is read once for a change; of what was read only
the blocks that say something else are written anew. One session is in memory at a time. Their files are never written. Blocking; one at a
time (its user holds the lock).
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import desktop
from desktop.base.errors import NotFoundError
from desktop.base.phrases import os_reason, say
from desktop.base.redact import redact
from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage
from desktop.sessions.foreign import DATABASES, ForeignSessions
from desktop.sessions.foreign_table import KnownSession
from desktop.sessions.importers.convert import FOREIGN, is_foreign
from desktop.sessions.index_fill import Filled, Progress, key_of, session_of
from desktop.sessions.lines import Stopped
from desktop.sessions.search_source import ALSO, BLOCK_CHARACTERS, BLOCK_MESSAGES, FORM, passages_of
from desktop.sessions.transcript import LoadedTranscript

SCOPE = "other-tools"
"""Scope of their documents; its ids are folders, since a folder may come to belong to another project without any file changing."""

PREFIX = f"sess_{FOREIGN}"
"""How the keys of their documents begin."""

MOST_BYTES = 256 << 20
"""A larger file is not searched: it can only be read as a whole. Of a database one session is read, whatever its size."""


@dataclass(frozen=True, slots=True)
class ForeignBlock:
    """About a hundred messages of a session that stand together.

    Attributes:
        first, count: number of its first message, from 1, and how many there are.
        live: runs of messages on the live branch: (number of the first, its number in the live branch, how many).
        digest: of what can be found of them.
    """

    first: int
    count: int
    live: tuple[tuple[int, int, int], ...]
    digest: str

    def live_number(self, number: int) -> int | None:
        """The number in the live branch of a message with this one; None when it is on another branch."""
        return next((live + number - start for start, live, count in self.live if start <= number < start + count), None)

    def fingerprint(self, folder: str, state: str) -> str:
        """`state` of the file it was read from; only for the last block."""
        return f"{_form(folder)}{json.dumps([self.first, self.count, self.live, self.digest])}\n{state}"


def _form(folder: str) -> str:
    """Another version of the app may read the same files otherwise, so that all are read again by it."""
    return json.dumps([desktop.__version__, FORM, sorted(ALSO), folder]) + "\n"


def foreign_block(fingerprint: str) -> ForeignBlock | None:
    """The block behind a fingerprint; None for none."""
    try:
        first, count, live, digest = json.loads(fingerprint.split("\n")[1])
        return ForeignBlock(int(first), int(count), tuple((int(a), int(b), int(c)) for a, b, c in live), str(digest))
    except (ValueError, TypeError, IndexError):
        return None


def state_of_known(known: KnownSession) -> str:
    return f"{known.size}:{known.modified_ns}"


def title_of_known(known: KnownSession) -> str:
    """Its title, masked."""
    return redact(known.summary.title)


@dataclass(slots=True)
class ForeignFilling:
    """One round over all sessions of other tools.

    Attributes:
        problems: by session id, why it cannot be searched.
    """

    foreign: ForeignSessions
    index: SearchIndex
    stopped: Stopped
    progress: Progress | None = None
    problems: dict[str, str] = field(default_factory=dict)
    _done: int = 0

    def run(self, wanted: Callable[[KnownSession], bool] = lambda _known: True) -> Filled:
        """Bring the index up to date for the sessions that are wanted; what is gone goes whichever it was.

        Raises:
            StorageError: the index cannot be written now.
        """
        stored = _by_session(self.index.fingerprints(PREFIX))
        there = {known.summary.id: known for known in self.foreign.known()}
        gone = [name for name in stored if name not in there] if self.foreign.looked or not self.foreign.is_on else []
        if gone:
            self.index.update((), [key_of(name, number) for name in gone for number in stored[name]])
            if not self.foreign.is_on:
                self.index.scrub()  # who switches them off wants nothing of their text kept, also not in what SQLite leaves behind
        due = [one for name, one in there.items() if wanted(one) and not _is_current(one, stored.get(name, {}))]
        due = [one for one in due if self._may_be_read(one)]
        due.sort(key=lambda one: one.modified_ns, reverse=True)
        self.index.update(self._documents(due, stored), stopped=self.stopped)
        return Filled(self._done + len(gone), self._done == len(due), tuple(self.problems.values()))

    def _may_be_read(self, known: KnownSession) -> bool:
        if known.size <= MOST_BYTES or (known.session is not None and Path(known.path).suffix in DATABASES):
            return True
        self._say(known, say("it is larger than {size} MiB", size=MOST_BYTES >> 20))
        return False

    def _say(self, known: KnownSession, reason: str) -> None:
        self.problems[known.summary.id] = say("The session {path} cannot be searched: {reason}.", path=known.path, reason=reason)

    def _documents(self, due: Sequence[KnownSession], stored: dict[str, dict[int, str]]) -> Iterator[Document]:
        for known in due:
            if self.stopped():
                return
            try:
                yield from self._of_session(known, stored.get(known.summary.id, {}))
            except NotFoundError:  # gone meanwhile: the next round takes it out
                pass
            except OSError as error:
                self._say(known, os_reason(error))
            if not self.stopped():
                self._done += 1
                if self.progress is not None:
                    self.progress(self._done, len(due))

    def _of_session(self, known: KnownSession, before: dict[int, str]) -> Iterator[Document]:
        """The documents that have to be written; what only stands elsewhere on the live branch is written without its passages."""
        name, folder, moment = known.summary.id, known.summary.workspace, known.summary.updated.timestamp()
        blocks = _blocks(self.foreign.load(name), title_of_known(known), self.stopped)
        number = -1
        held = next(blocks, None)
        while held is not None:
            number += 1
            block, passages = held
            held = next(blocks, None)  # so that the last one is known as such
            if self.stopped():
                return
            fingerprint = block.fingerprint(folder, state_of_known(known) if held is None else "")
            if not self._is_kept(name, number, before, block, folder, fingerprint, moment):
                yield Document(key_of(name, number), SCOPE, folder, name, fingerprint, passages, time=moment)
        self.index.update((), [key_of(name, old) for old in before if not 0 <= old <= number])

    def _is_kept(
        self, name: str, number: int, before: dict[int, str], block: ForeignBlock, folder: str, fingerprint: str, moment: float
    ) -> bool:
        """Whether what is stored says the same; then it is brought up to date."""
        old = before.get(number, "")
        known = foreign_block(old)
        if known is None or known.digest != block.digest or not old.startswith(_form(folder)):
            return False
        return old == fingerprint or self.index.extend(key_of(name, number), fingerprint, (), time=moment)


def _by_session(fingerprints: dict[str, str]) -> dict[str, dict[int, str]]:
    found: dict[str, dict[int, str]] = {}
    for key, fingerprint in fingerprints.items():
        number = key.partition("/")[2]
        if is_foreign(session_of(key)):
            found.setdefault(session_of(key), {})[int(number) if number.isdecimal() else -1] = fingerprint
    return found


def _is_current(known: KnownSession, stored: dict[int, str]) -> bool:
    last = stored.get(len(stored) - 1, "")
    return last.startswith(_form(known.summary.workspace)) and last.endswith(f"\n{state_of_known(known)}")


def _blocks(loaded: LoadedTranscript, title: str, stopped: Stopped) -> Iterator[tuple[ForeignBlock, tuple[Passage, ...]]]:
    """The messages in blocks, each with its passages; at least one block, if an empty one."""
    live = {message.id: number for number, message in enumerate(loaded.live, 1)}
    first, passages, numbers, characters = 1, list[Passage](), list[int](), 0
    for number, message in enumerate(loaded.messages, 1):
        if len(numbers) >= BLOCK_MESSAGES or characters >= BLOCK_CHARACTERS:
            yield _closed(first, numbers, passages)
            if stopped():
                return
            first, passages, numbers, characters = number, [], [], 0
        found = passages_of(message, number, title)
        title = "" if found else title
        passages += found
        numbers.append(live.get(message.id, 0))
        characters += sum(len(passage.text) for passage in found)
    yield _closed(first, numbers, passages)


def _closed(first: int, numbers: Sequence[int], passages: Sequence[Passage]) -> tuple[ForeignBlock, tuple[Passage, ...]]:
    digest = hashlib.blake2b(digest_size=12)
    for passage in passages:
        values = [passage.unit, passage.ref, passage.role, passage.time, passage.title, passage.text]
        digest.update(json.dumps(values).encode())
    return ForeignBlock(first, len(numbers), tuple(_runs(first, numbers)), digest.hexdigest()), tuple(passages)


def _runs(first: int, numbers: Iterable[int]) -> Iterator[tuple[int, int, int]]:
    """Live numbers, 0 for none, as runs of numbers that follow one another."""
    start = live = count = 0
    for at, number in enumerate(numbers, first):
        if count and number == live + count:
            count += 1
            continue
        if count:
            yield start, live, count
        start, live, count = at, number, 1 if number else 0
    if count:
        yield start, live, count
