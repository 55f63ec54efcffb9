"""One picture of a workspace's memory, root by root: read in a worker thread, shown in the GUI thread. Values only; asks the services."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.errors import KeepsakeError
from desktop.base.paths import check_readable_dir
from desktop.bridge.spoken import spoken
from desktop.memory.index import IndexLimits, LoadedIndex
from desktop.memory.note import Note
from desktop.memory.roots import MemoryRoot, RootKind
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState
from desktop.ui.memory.rows import IndexFacts, Row, index_row, note_row, row_key

if TYPE_CHECKING:
    from desktop.compose import Workspace

translate = QCoreApplication.translate
MISSING = IndexFacts("missing")
_SHOWN: tuple[RootKind, ...] = ("project", "workspace", "user")
"""The order in which roots are shown; the others follow."""

FIRST = 120
"""Memories of a root whose headers are read for the first picture, the newest ones; the rest follows in a second one."""


@dataclass(frozen=True, slots=True)
class RootPicture:
    """One memory root as it is now.

    Attributes:
        root: which one.
        label: its name in the window's language.
        notes: rows of its memories, unordered.
        index: row of MEMORY.md, or None where there is none.
        facts: how much of MEMORY.md is loaded into a chat.
        total: memories in it; more than `notes` while only the newest are read.
        problem: why it cannot be read, or empty.
        untrusted: digest of a workspace file that is not loaded until the person allows it; else empty.
    """

    root: MemoryRoot
    label: str
    notes: tuple[Row, ...] = ()
    index: Row | None = None
    facts: IndexFacts = MISSING
    total: int = 0
    problem: str = ""
    untrusted: str = ""

    @property
    def id(self) -> str:
        return self.root.id

    @property
    def key(self) -> str:
        return row_key(self.root.id)

    @property
    def is_whole(self) -> bool:
        return self.total == len(self.notes)

    @property
    def is_empty(self) -> bool:
        return not self.notes and self.index is None


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """What is remembered now.

    Attributes:
        label: the project's readable name.
        root: absolute path of the project's memory folder.
        state: whether memory is on, and by which switch it is off.
        roots: every root of the workspace; the project's comes first.
        token_limit: the limit that the tokens of the project's index count against.
    """

    label: str
    root: str
    state: MemoryState
    roots: tuple[RootPicture, ...]
    token_limit: int = 0

    def picture(self, root_id: str) -> RootPicture | None:
        return next((one for one in self.roots if one.id == root_id), None)

    @property
    def project(self) -> RootPicture:
        return self.roots[0]

    @property
    def notes(self) -> tuple[Row, ...]:
        """Of the project."""
        return self.project.notes

    @property
    def index(self) -> Row | None:
        """Of the project."""
        return self.project.index

    @property
    def facts(self) -> IndexFacts:
        """Of the project's index."""
        return self.project.facts

    @property
    def total(self) -> int:
        """Memories in all roots."""
        return sum(one.total for one in self.roots)

    @property
    def is_whole(self) -> bool:
        return all(one.is_whole for one in self.roots)

    def all_notes(self) -> Iterable[Row]:
        for one in self.roots:
            yield from one.notes


def index_facts(index: LoadedIndex) -> IndexFacts:
    """What the tree and the status bar show of a loaded index."""
    problem = ""
    if index.state == "error":
        problem = index.error or translate("MemoryTree", "MEMORY.md cannot be read.")
    elif index.truncated:
        problem = translate("MemoryTree", "Too long to be loaded whole ({limit}): {n} entries are left out.").format(
            limit=index.limit or "", n=len(index.dropped)
        )
    return IndexFacts(index.state, index.entries, index.lines, index.tokens, index.truncated, size=index.bytes, problem=problem)


def document_facts(loaded: LoadedIndex) -> IndexFacts:
    """The same of a MEMORY.md that is content."""
    problem = ""
    if loaded.state == "error":
        problem = loaded.error or translate("MemoryTree", "MEMORY.md cannot be read.")
    elif loaded.truncated:
        problem = translate("MemoryTree", "Too long to be loaded whole ({limit}).").format(limit=loaded.limit or "")
    return IndexFacts(loaded.state, loaded.entries, loaded.lines, loaded.tokens, loaded.truncated, size=loaded.bytes, problem=problem)


def index_detail(facts: IndexFacts) -> str:
    """Beside the name of the index."""
    if facts.state == "ok":
        many = translate("MemoryTree", "{n} entries").format(n=facts.entries)
        entries = translate("MemoryTree", "1 entry") if facts.entries == 1 else many
        return translate("MemoryTree", "{entries}, {tokens} tokens").format(entries=entries, tokens=f"{facts.tokens:,}")
    return translate("MemoryTree", "empty") if facts.state == "empty" else ""


def document_detail(facts: IndexFacts) -> str:
    """Beside the name of a MEMORY.md that is content."""
    if facts.state == "ok":
        return translate("MemoryTree", "{tokens} tokens").format(tokens=f"{facts.tokens:,}")
    return translate("MemoryTree", "empty") if facts.state == "empty" else ""


def root_rows(
    store: MemoryStore, limits: IndexLimits | None = None, *, prefix: str = "", project: str = ""
) -> tuple[tuple[Row, ...], Row | None, IndexFacts]:
    """Notes, index row and facts of a project's memory, for the list of all workspaces. Blocking.

    Raises:
        StorageError: the folder is there and cannot be read.
    """
    check_readable_dir(store.root)
    notes = tuple([note_row(note, prefix=prefix, project=project) for note in store.notes()])
    facts = index_facts(store.load_index(limits))
    index = None if facts.state == "missing" else index_row(facts, detail=index_detail(facts), prefix=prefix, project=project)
    return notes, index, facts


def _load(root: MemoryRoot, store: MemoryStore, limits: IndexLimits) -> tuple[IndexFacts, str]:
    """Facts and detail of MEMORY.md, by what it is in this root."""
    from desktop.memory.sections import load_sections, load_single

    if root.profile == "index":
        facts = index_facts(store.load_index(limits))
        return facts, index_detail(facts)
    loaded = load_sections(store.root, root.tokens) if root.profile == "sections" else load_single(store.root, root.bytes)
    if not loaded.raw_digest and not loaded.error:
        return MISSING, ""  # topics without a document
    facts = document_facts(loaded)
    return facts, document_detail(facts)


def _notes(store: MemoryStore, *, first: bool) -> tuple[list[Note], int]:
    """All notes, or the newest `FIRST`; and how many there are."""
    from desktop.memory.newest import newest_notes

    if first:
        return newest_notes(store.root, FIRST)
    notes = store.notes()
    return notes, len(notes)


def read_root(root: MemoryRoot, store: MemoryStore, limits: IndexLimits, *, first: bool = False, untrusted: str = "") -> RootPicture:
    """Read one root; what is wrong with it stands in the picture. Blocking; never raises."""
    label = spoken(root.label)
    try:
        check_readable_dir(store.root)
        found, total = _notes(store, first=first) if root.profile != "single" else ([], 0)
        facts, detail = _load(root, store, limits)
    except KeepsakeError as error:
        return RootPicture(root, label, problem=" ".join(filter(None, (spoken(error.message), spoken(error.hint)))))
    prefix = row_key(root.id)
    notes = tuple([note_row(note, prefix=prefix, root=root.id, read_only=root.read_only) for note in found])
    index = None
    if facts.state != "missing":
        kind = "index" if root.profile == "index" else "document"
        index = index_row(facts, detail=detail, prefix=prefix, root=root.id, kind=kind, read_only=root.read_only)  # type: ignore[arg-type]
    return RootPicture(root, label, notes, index, facts, total, untrusted=untrusted)


def _untrusted(workspace: Workspace, root: MemoryRoot) -> str:
    """Digest of the workspace file as long as the person did not allow it."""
    if root.kind != "workspace":
        return ""
    found = workspace.memories.workspace_file()
    return found.digest if found.state == "untrusted" else ""


def read_snapshot(workspace: Workspace, *, first: bool = False) -> MemorySnapshot:
    """Read everything that the panel shows; `first` reads only the newest headers of a large root. Blocking.

    Raises:
        StorageError: the project's memory folder is there and cannot be read, and there is nothing else to show.
    """
    memories = workspace.memories
    if workspace.settings.value("memory.foreign"):
        memories.found(fresh=True)
    limits = memories.limits()
    roots = sorted(memories.roots, key=lambda root: _SHOWN.index(root.kind) if root.kind in _SHOWN else len(_SHOWN))
    pictures = tuple(
        [read_root(root, memories.store(root.id), limits, first=first, untrusted=_untrusted(workspace, root)) for root in roots]
    )
    if pictures[0].problem and all(one.is_empty for one in pictures):
        check_readable_dir(workspace.store.root)
    return MemorySnapshot(workspace.project.label, str(workspace.store.root), workspace.memory_state(), pictures, limits.tokens)
