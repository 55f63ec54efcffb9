"""What a session's requests hold of memory: the blocks of the slots, what changed since, hints for a small model, the report.

Driven by the table of roots: a root is loaded by its profile, if the layout takes it. The workspace file is loaded only while its content
is one that the person allowed. Reads files, writes none; blocking, in a worker thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from desktop.agent.frames import framed
from desktop.agent.memory_shape import MemoryShape
from desktop.agent.prompts import (
    AGENTS_MD_HEADING,
    DELTA_FRAME,
    DELTA_GONE,
    DELTA_INDEX,
    DELTA_NOTE,
    DELTA_OTHER,
    DELTA_WITHDRAWN,
    EMPTY_MEMORY,
    INDEX_HEADING,
    PROJECT_HEAD,
    USER_HEAD,
    WORKSPACE_HEAD,
)
from desktop.base.clock import Clock
from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import say
from desktop.base.redact import visible
from desktop.base.textio import digest
from desktop.base.words import estimate_tokens
from desktop.memory.index import MAX_FILE, LoadedIndex, index_delta, load_index, nothing_loaded
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME, Note
from desktop.memory.recall_read import age
from desktop.memory.relevance import rank_index_lines, rank_notes
from desktop.memory.roots import PROJECT, USER, WORKSPACE, MemoryRoot
from desktop.memory.sections import load_sections, load_single
from desktop.memory.workspace_trust import WorkspaceFile
from desktop.messages.events import RecalledRef

DELTA_TOKENS = 1_000
"""Of all that changed, in one turn."""

LEAST_DELTA = 60
HINT_NOTES = 4
HINT_LINES = 15
MOST_NOTES = 200
_HEADS = {USER: USER_HEAD, PROJECT: PROJECT_HEAD, WORKSPACE: WORKSPACE_HEAD}


@dataclass(frozen=True, slots=True)
class Hints:
    """Memory in the form that a model with a short context takes: ranked index lines, and the notes that fit the person's words."""

    index: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()
    refs: tuple[RecalledRef, ...] = ()
    """The notes as the window shows them: what a small model is given is what was recalled."""


@dataclass(frozen=True, slots=True)
class Shown:
    """One root as the slots show it."""

    root: MemoryRoot
    loaded: LoadedIndex
    changed: datetime | None

    def report(self) -> dict[str, object]:
        loaded = self.loaded
        return {"id": self.root.id, "path": str(loaded.path), "state": loaded.state, "error": loaded.error, **loaded.report()}


class MemoryView:
    """Memory as one session's requests show it.

    Attributes:
        shape: how the settings want memory in requests; set before `load`.
        shown: the roots that were looked at for the slots, in their order; the workspace file only when it may be shown.
        workspace: how the workspace file stood then.
    """

    def __init__(self, memories: Memories, clock: Clock, shape: MemoryShape | None = None) -> None:
        self._memories = memories
        self._clock = clock
        self.shape = shape or MemoryShape()
        self.shown: tuple[Shown, ...] = ()
        self.workspace: WorkspaceFile | None = None

    # the slots

    @property
    def roots(self) -> list[MemoryRoot]:
        """The roots that the layout puts into the slots, in their order."""
        return self.shape.chosen(self._memories.roots)

    def load(self) -> None:
        """Read every root again."""
        self.workspace = None
        shown = []
        for root in self.roots:
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
        """The text for each root that has something to say."""
        return [block for block in (self.block(one) for one in self.shown) if block]

    def block(self, one: Shown) -> str:
        """The text of one root with its heading; "" when it has nothing to say."""
        loaded = one.loaded
        if loaded.state == "empty" and one.root.profile == "single":
            text = EMPTY_MEMORY
        elif loaded.state == "ok" and loaded.text:
            text = loaded.text
        else:
            return ""
        heading = AGENTS_MD_HEADING if self.shape.agents_md else INDEX_HEADING
        return _HEADS[one.root.id].format(path=visible(str(loaded.path)), facts=self._facts(one), heading=heading) + "\n" + text

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
        """The load report of the project's index in the shape of `interfaces.md`, each root by itself, and their sum.

        In a layout without the index, the root that stands for it is the first one shown.
        """
        index = self.index or next((one.loaded for one in self.shown), None)
        base = index.report() if index is not None else {}
        sums = {unit: sum(int(getattr(one.loaded, unit)) for one in self.shown) for unit in ("lines", "bytes", "tokens")}
        return {**base, "roots": [one.report() for one in self.shown], "total": sums}

    # slot C

    def delta(self, nonce: str) -> str:
        """What changed in the roots that the slots show, at most 1,000 tokens; "" when nothing did, or when a session is not told."""
        if self.shape.refresh != "delta":
            return ""
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
        return framed(DELTA_FRAME, nonce, "\n\n".join(parts), DELTA_NOTE)

    def _new_roots(self) -> list[Shown]:
        """The workspace file when it was not there at the start: it came in by a write that the person allowed."""
        missing = self.workspace is not None and self.workspace.state == "missing"
        return [
            Shown(root, nothing_loaded(root.folder / INDEX_NAME, "missing"), None)
            for root in self.roots
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

    def hints(self, person_text: str, *, recall: bool = True) -> Hints:
        """Ranked index lines of the project, and, while recall is on, the notes of all shown roots that bear on the person's words."""
        lines: list[str] = []
        notes: list[tuple[Note, str]] = []
        where: dict[str, MemoryRoot] = {}
        for root in self.roots:
            if root.profile == "index":
                index = load_index(root.folder, self._memories.limits())
                lines += [line for line in index.text.splitlines() if line.strip()] if index.state == "ok" else []
            found = self._notes(root)
            where |= {note.path: root for note, _body in found}
            notes += found
        ranked = rank_notes(person_text, notes, HINT_NOTES) if recall else []
        return Hints(
            tuple(rank_index_lines(person_text, lines, HINT_LINES)),
            tuple((note.path, body) for note, body, _score in ranked),
            tuple(self._ref(where[note.path], note, body) for note, body, _score in ranked),
        )

    def _ref(self, root: MemoryRoot, note: Note, body: str) -> RecalledRef:
        path = note.path.partition("#")[0] if note.path.startswith(str(root.folder)) else note.path
        relative = Path(path).relative_to(root.folder).as_posix() if Path(path).is_absolute() else path
        old = age(note.modified, self._clock.now()) if note.modified.year > 1970 else ""
        return RecalledRef(root.id, relative, note.name or relative, say("fits your words"), old, "lexical", estimate_tokens(body))

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
