"""What a memory root would look like after some repairs: files that were changed or taken away on paper, their index with them.

Owns the overlay over the disk and the index that follows it. Writes nothing: the edits are made by `health_fix`. Blocking where it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.memory.changing import IndexNews
from desktop.memory.frontmatter import decode_text, encode_text, parse
from desktop.memory.index_burst import synced_many
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.note import INDEX_NAME, Note, note_of
from desktop.memory.staleness import moment_of


@dataclass(frozen=True, slots=True)
class FixEdit:
    """One file of a repair: its bytes before (None: it is new) and after (None: it goes to the trash)."""

    path: str
    before: bytes | None
    after: bytes | None


class Draft:
    """A root with repairs on paper.

    Args:
        root: its folder.
        profile: what MEMORY.md is there.
        notes: its memories as they are.
        written_by: whether the history knows a path, and when it was last written there other than by a repair.
        versions: what a path held before, as far as it is kept, the newest first.

    Attributes:
        confirmed: digests of contents that are noted as true beside the memory, by path.
        heirs: which memory stays in place of one that goes, by path.
    """

    def __init__(
        self,
        root: Path,
        profile: str,
        notes: list[Note],
        written_by: Callable[[str], tuple[bool, datetime | None]] = lambda _path: (False, None),
        versions: Callable[[str], Iterable[bytes]] = lambda _path: (),
    ) -> None:
        self._written_by = written_by
        self.versions = versions
        self._renewed: set[str] = set()
        self._history: dict[str, tuple[bool, datetime | None]] = {}
        self.root = root
        self.profile = profile
        self.confirmed: dict[str, str] = {}
        self.heirs: dict[str, str] = {}
        self._notes = {note.path: note for note in notes}
        self._disk: dict[str, bytes | None] = {}
        self._now: dict[str, bytes | None] = {}
        self._sorted: list[Note] | None = None
        self._linking: set[str] | None = None

    @property
    def notes(self) -> list[Note]:
        """The memories as they would be, newest first."""
        if self._sorted is None:
            self._sorted = sorted(self._notes.values(), key=lambda note: (note.modified, note.path), reverse=True)
        return self._sorted

    def linking(self) -> list[str]:
        """Paths of the memories that hold a link of any kind."""
        if self._linking is None:
            self._linking = {path for path in self._notes if b"[" in (self.read(path) or b"")}
        return sorted(path for path in self._linking if path in self._notes)

    def note(self, path: str) -> Note | None:
        return self._notes.get(path)

    def read(self, path: str) -> bytes | None:
        """A file as it would be; None when it is not there or cannot be read."""
        if path in self._now:
            return self._now[path]
        if path not in self._disk:
            try:
                self._disk[path] = read_beneath(self.root, path)
            except (NotFoundError, KeepsakeError):
                self._disk[path] = None
        return self._disk[path]

    def text(self, path: str) -> str:
        """A file's text as it would be, without a byte order mark; bytes that are no UTF-8 are lone surrogates."""
        return decode_text(self.read(path) or b"")[0]

    def put(self, path: str, data: bytes) -> None:
        """Another content for a file, or a new file."""
        self.read(path)
        self._now[path] = data
        self._sorted = None
        if path != INDEX_NAME:
            earlier = self._notes.get(path)
            moment = earlier.modified.timestamp() if earlier is not None else 0.0
            self._notes[path] = note_of(path, parse(data), size=len(data), mtime_s=moment)

    def put_text(self, path: str, text: str) -> None:
        """As `put`, in the encoding of what is there."""
        _, encoding, bom = decode_text(self.read(path) or b"")
        self.put(path, bom + encode_text(text, encoding))

    def renew(self, path: str) -> None:
        """Write a file anew with what it holds: under its name there is then a file of its own."""
        data = self.read(path)
        if data is not None:
            self._now.setdefault(path, data)
            self._renewed.add(path)

    def remove(self, path: str) -> None:
        """Take a memory away."""
        self.read(path)
        self._now[path] = None
        self._sorted = None
        self._notes.pop(path, None)

    def touched(self, path: str) -> bool:
        """Whether another repair changed the file on paper already, or took it away."""
        return path in self._now

    def heir(self, path: str) -> Note | None:
        """The memory at a path, or the one that stays in its place."""
        while path in self.heirs:
            path = self.heirs[path]
        return self._notes.get(path)

    def dates_itself(self, path: str) -> bool:
        """Whether a file says in its header when it was last changed."""
        document = parse(self.read(path) or b"")
        return any(moment_of(document.field(name)) is not None for name in ("modified", "updated"))

    def written(self, path: str) -> datetime | None:
        """When what a file says was last changed: as its header says, else as the history or, without one, the disk does.

        A repair changes a file and not what it says. None: it is not there, or a repair is all that is known of it.
        """
        note = self._notes.get(path)
        if note is not None and self.dates_itself(path):
            return note.modified
        if path not in self._history:
            self._history[path] = self._written_by(path)
        known, moment = self._history[path]
        if known:
            return moment
        if note is not None:
            return note.modified
        try:
            return datetime.fromtimestamp((self.root / path).lstat().st_mtime, UTC)
        except (OSError, ValueError, OverflowError):
            return None

    def is_gone(self, path: str) -> bool:
        return self.read(path) is None

    def edits(self) -> tuple[FixEdit, ...]:
        """What differs from the disk, the index last."""
        found = [
            FixEdit(path, self._disk[path], data)
            for path, data in self._now.items()
            if data != self._disk[path] or (path in self._renewed and data is not None)
        ]
        return tuple(sorted(found, key=lambda edit: (edit.path == INDEX_NAME, edit.path)))

    def following(self, edits: tuple[FixEdit, ...]) -> FixEdit | None:
        """What becomes of the index when these edits are made: the keeper's lines follow the memories. None: it stays as it is then."""
        if self.profile != "index":
            return None
        text, encoding, bom = decode_text(self.read(INDEX_NAME) or b"")
        keeper, news = IndexKeeper(self.root), news_of_edits(edits)
        lines = set(text.replace("\r\n", "\n").split("\n"))
        added = [*news.added, *(new for old, new in news.edited if keeper.line_for(old) in lines)]
        after = synced_many(keeper, text, added=added, renamed=[], removed=news.removed, known=news.known)
        return None if after == text else FixEdit(INDEX_NAME, self._disk.get(INDEX_NAME), bom + encode_text(after, encoding))


def news_of_edits(edits: Iterable[FixEdit]) -> IndexNews:
    """What the index has to learn of a repair: a line in our own words follows its memory, and none is added but for a new file."""
    added, removed, known, edited = list[Note](), list[str](), list[Note](), list[tuple[Note, Note]]()
    for edit in edits:
        if edit.path == INDEX_NAME:
            continue
        before = _note(edit.path, edit.before) if edit.before is not None else None
        known += [before] if before is not None else []
        if edit.after is None:
            removed.append(edit.path)
        elif before is None:
            added.append(_note(edit.path, edit.after))
        else:
            edited.append((before, _note(edit.path, edit.after)))
    return IndexNews(tuple(added), (), tuple(removed), tuple(known), tuple(edited))


def _note(path: str, data: bytes) -> Note:
    return note_of(path, parse(data), size=len(data), mtime_s=0.0)
