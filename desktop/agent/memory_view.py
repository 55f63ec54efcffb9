"""What a session's requests hold of memory: the blocks of slot B, what changed since they were built, hints for a small model, the report.

Driven by the table of roots: a root is loaded by its profile, if its channel is the start block. The workspace file
is loaded only while its content is one that the person allowed. Reads files, writes none; blocking, in a worker thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from desktop.agent.prompts import (
    DELTA_FOOT,
    DELTA_GONE,
    DELTA_HEAD,
    DELTA_INDEX,
    DELTA_OTHER,
    DELTA_WITHDRAWN,
    EMPTY_MEMORY,
    PROJECT_HEAD,
    USER_HEAD,
    WORKSPACE_HEAD,
)
from desktop.base.clock import Clock
from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.redact import visible
from desktop.base.textio import digest
from desktop.base.words import estimate_tokens
from desktop.memory.index import MAX_FILE, LoadedIndex, index_delta, load_index, nothing_loaded
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME, Note
from desktop.memory.relevance import rank_index_lines, rank_notes
from desktop.memory.roots import PROJECT, USER, WORKSPACE, MemoryRoot
from desktop.memory.sections import load_sections, load_single
from desktop.memory.workspace_trust import WorkspaceFile

DELTA_TOKENS = 1_000
"""Of all that changed, in one turn."""

LEAST_DELTA = 60
HINT_NOTES = 4
HINT_LINES = 15
MOST_NOTES = 200
_HEADS = {USER: USER_HEAD, PROJECT: PROJECT_HEAD, WORKSPACE: WORKSPACE_HEAD}
_BLOCKS = tuple(_HEADS)
"""The order of the blocks in slot B (memory design, 6.3)."""


@dataclass(frozen=True, slots=True)
class Hints:
    """Memory in the form that a model with a short context takes: ranked index lines, and the notes that fit the person's words."""

    index: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


@dataclass(frozen=True, slots=True)
class Shown:
    """One root as slot B shows it."""

    root: MemoryRoot
    loaded: LoadedIndex
    changed: datetime | None

    def report(self) -> dict[str, object]:
        loaded = self.loaded
        return {"id": self.root.id, "path": str(loaded.path), "state": loaded.state, "error": loaded.error, **loaded.report()}


class MemoryView:
    """Memory as one session's requests show it.

    Attributes:
        shown: the roots that were looked at for slot B, in its order; the workspace file only when it may be shown.
        workspace: how the workspace file stood then.
    """

    def __init__(self, memories: Memories, clock: Clock) -> None:
        self._memories = memories
        self._clock = clock
        self.shown: tuple[Shown, ...] = ()
        self.workspace: WorkspaceFile | None = None

    # slot B

    def load(self) -> None:
        """Read every root again."""
        self.workspace = None
        shown = []
        for root in sorted(self._memories.roots, key=_place):
            if root.channel != "block":
                continue
            if root.id == WORKSPACE:
                self.workspace = self._memories.workspace_file()
            loaded = self._loaded(root, self.workspace if root.id == WORKSPACE else None)
            if loaded is not None:
                shown.append(Shown(root, loaded, _changed(loaded.path)))
        self.shown = tuple(shown)

    def _loaded(self, root: MemoryRoot, file: WorkspaceFile | None) -> LoadedIndex | None:
        """A root by its profile; None for a workspace file that may not be shown, or became another one while it was read."""
        if root.profile == "index":
            return load_index(root.folder, self._memories.limits())
        if root.profile == "sections":
            return load_sections(root.folder, root.tokens)
        if file is None or file.state != "trusted":
            return None
        loaded = load_single(root.folder, root.bytes)
        return loaded if loaded.raw_digest == file.digest else None

    @property
    def index(self) -> LoadedIndex | None:
        """The project's index."""
        return next((one.loaded for one in self.shown if one.root.id == PROJECT), None)

    def blocks(self) -> list[str]:
        """The text of slot B for each root that has something to say."""
        return [block for block in (self._block(one) for one in self.shown) if block]

    def _block(self, one: Shown) -> str:
        loaded = one.loaded
        if loaded.state == "empty" and one.root.profile == "single":
            text = EMPTY_MEMORY
        elif loaded.state == "ok" and loaded.text:
            text = loaded.text
        else:
            return ""
        return _HEADS[one.root.id].format(path=visible(str(loaded.path)), facts=self._facts(one)) + "\n" + text

    def _facts(self, one: Shown) -> str:
        """Age and completeness, in a few words."""
        loaded = one.loaded
        whole = f"shown in part, over its limit: {loaded.limit}" if loaded.truncated else "shown whole"
        if one.changed is None:
            return whole
        days = max(0, (self._clock.now() - one.changed).days)
        age = "today" if days == 0 else "1 day ago" if days == 1 else f"{days:,} days ago"
        return f"last changed {one.changed.date().isoformat()}, {age}; {whole}"

    def report(self) -> dict[str, object]:
        """The load report of the project's index in the shape of `interfaces.md`, each root by itself, and their sum."""
        index = self.index
        base = index.report() if index is not None else {}
        sums = {unit: sum(int(getattr(one.loaded, unit)) for one in self.shown) for unit in ("lines", "bytes", "tokens")}
        return {**base, "roots": [one.report() for one in self.shown], "total": sums}

    # slot C

    def delta(self, nonce: str) -> str:
        """What changed in the roots that slot B shows, at most 1,000 tokens; "" when nothing did."""
        room = DELTA_TOKENS
        parts: list[str] = []
        for one in sorted((*self.shown, *self._new_roots()), key=lambda one: one.root.id != PROJECT):  # the index has the first word
            text = self._delta_of(one, room)
            if not text:
                continue
            parts.append(text)
            room -= estimate_tokens(text)
            if room < LEAST_DELTA:
                break
        if not parts:
            return ""
        return "\n".join([DELTA_HEAD.format(nonce=nonce), "\n\n".join(parts), DELTA_FOOT.format(nonce=nonce)])

    def _new_roots(self) -> list[Shown]:
        """The workspace file when it was not there at the start: it came in by a write that the person allowed."""
        missing = self.workspace is not None and self.workspace.state == "missing"
        return [
            Shown(root, nothing_loaded(root.folder / INDEX_NAME, "missing"), None)
            for root in self._memories.roots
            if missing and root.id == WORKSPACE and self._memories.workspace_file().state == "trusted"
        ]

    def _delta_of(self, one: Shown, room: int) -> str:
        path = visible(str(one.loaded.path))
        file = self._memories.workspace_file() if one.root.id == WORKSPACE else None
        if file is not None and file.state in ("untrusted", "refused"):
            return DELTA_WITHDRAWN.format(path=path)
        if one.root.profile == "index" and _as_loaded(one):
            return ""
        now = self._loaded(one.root, file)
        if now is None:
            return "" if file is None or file.state != "missing" else self._lines(one, "", path, room)
        if now.state == "error":
            return DELTA_GONE.format(path=path, reason=now.error) if one.loaded.state != "error" else ""
        return self._lines(one, now.source, path, room)

    @staticmethod
    def _lines(one: Shown, now: str, path: str, room: int) -> str:
        lines = index_delta(one.loaded.source, now, max_tokens=room)
        if not lines:
            return ""
        head = DELTA_INDEX if one.root.id == PROJECT else DELTA_OTHER.format(path=path)
        return f"{head}\n{lines}"

    # a small model

    def hints(self, person_text: str) -> Hints:
        """Ranked index lines of the project, and the notes of all shown roots that bear on the person's words."""
        lines: list[str] = []
        notes: list[tuple[Note, str]] = []
        for root in self._memories.roots:
            if root.channel != "block":
                continue
            if root.profile == "index":
                index = load_index(root.folder, self._memories.limits())
                lines += [line for line in index.text.splitlines() if line.strip()] if index.state == "ok" else []
            notes += self._notes(root)
        ranked = rank_notes(person_text, notes, HINT_NOTES)
        return Hints(
            tuple(rank_index_lines(person_text, lines, HINT_LINES)),
            tuple((note.path, body) for note, body, _score in ranked),
        )

    def _notes(self, root: MemoryRoot) -> list[tuple[Note, str]]:
        if root.id == WORKSPACE:
            file = self._memories.workspace_file()
            loaded = self._loaded(root, file)
            return _sections(root, loaded.text) if loaded is not None and loaded.state == "ok" else []
        store = self._memories.store(root.id)
        found = [(_elsewhere(root, note), self._body(root.id, note.path)) for note in store.notes()[:MOST_NOTES]]
        return found + (_sections(root, self._body(root.id, INDEX_NAME)) if root.profile == "sections" else [])

    def _body(self, root_id: str, relative: str) -> str:
        try:
            return self._memories.store(root_id).read(relative).text
        except KeepsakeError:
            return ""


def _place(root: MemoryRoot) -> int:
    return _BLOCKS.index(root.id) if root.id in _BLOCKS else len(_BLOCKS)


def _as_loaded(one: Shown) -> bool:
    """Whether the file still has the bytes that were loaded: then nobody has to choose again which of its lines fit."""
    try:
        return digest(read_beneath(one.root.folder, INDEX_NAME, limit=MAX_FILE + 1)) == one.loaded.raw_digest
    except KeepsakeError:
        return False


def _sections(root: MemoryRoot, text: str) -> list[tuple[Note, str]]:
    """A document in sections as notes, one a heading, so that a small model gets the section that fits and not all of it."""
    pieces = [piece.strip() for piece in re.split(r"(?m)^(?=#{1,6}\s)", text) if piece.strip()]
    return [(_as_note(f"{root.folder / INDEX_NAME}#{number}", piece), piece) for number, piece in enumerate(pieces, 1)]


def _elsewhere(root: MemoryRoot, note: Note) -> Note:
    """A note as hints name it: by its path below the project's memory, whole when it lies in another root."""
    return note if root.id == PROJECT else replace(note, path=str(root.folder / note.path))


def _as_note(path: str, piece: str) -> Note:
    title = piece.split("\n", 1)[0].lstrip("# ").strip()[:120]
    epoch = datetime(1970, 1, 1, tzinfo=UTC)
    return Note(path, title if piece.startswith("#") else "", "", None, None, epoch, None, None, False, len(piece.encode()), None)


def _changed(path: Path) -> datetime | None:
    try:
        return datetime.fromtimestamp(path.lstat().st_mtime, UTC)
    except (OSError, ValueError, OverflowError):
        return None


def dropped_names(dropped: Sequence[str], most: int = 10) -> str:
    """The first names that were left out of a block, for a notice."""
    return ", ".join(dropped[:most]) + (" …" if len(dropped) > most else "")
