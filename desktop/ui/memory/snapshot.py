"""One picture of a project's memory: read in a worker thread, shown in the GUI thread. Values only; asks the services, decides nothing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from PySide6.QtCore import QCoreApplication

from desktop.base.paths import check_readable_dir
from desktop.memory.index import IndexLimits, LoadedIndex
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState
from desktop.settings.store import SettingsStore
from desktop.ui.memory.rows import IndexFacts, Row, index_row, note_row

if TYPE_CHECKING:
    from desktop.compose import Workspace

translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class MemorySnapshot:
    """What is remembered now.

    Attributes:
        label: the project's readable name.
        root: absolute path of the memory folder.
        state: whether memory is on, and by which switch it is off.
        notes: rows of the memories, unordered.
        index: row of MEMORY.md, or None where there is none.
        facts: how much of the index is loaded into a chat.
        token_limit: the limit that `facts.tokens` counts against.
    """

    label: str
    root: str
    state: MemoryState
    notes: tuple[Row, ...]
    index: Row | None
    facts: IndexFacts
    token_limit: int = 0


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


def index_detail(facts: IndexFacts) -> str:
    """Beside the name of the index."""
    if facts.state == "ok":
        many = translate("MemoryTree", "{n} entries").format(n=facts.entries)
        entries = translate("MemoryTree", "1 entry") if facts.entries == 1 else many
        return translate("MemoryTree", "{entries}, {tokens} tokens").format(entries=entries, tokens=f"{facts.tokens:,}")
    return translate("MemoryTree", "empty") if facts.state == "empty" else ""


def root_rows(
    store: MemoryStore, limits: IndexLimits | None = None, *, prefix: str = "", project: str = ""
) -> tuple[tuple[Row, ...], Row | None, IndexFacts]:
    """Notes, index row and facts of one memory root. Blocking.

    Raises:
        StorageError: the folder is there and cannot be read.
    """
    check_readable_dir(store.root)
    notes = tuple([note_row(note, prefix=prefix, project=project) for note in store.notes()])
    facts = index_facts(store.load_index(limits))
    index = None if facts.state == "missing" else index_row(facts, detail=index_detail(facts), prefix=prefix, project=project)
    return notes, index, facts


def index_limits(settings: SettingsStore) -> IndexLimits:
    """As chats load the index."""
    lines, size, tokens = (int(settings.value(f"memory.index_{part}")) for part in ("lines", "bytes", "tokens"))
    return IndexLimits(lines, size, tokens)


def read_snapshot(workspace: Workspace) -> MemorySnapshot:
    """Read everything that the panel shows. Blocking.

    Raises:
        StorageError: the memory folder is there and cannot be read.
    """
    limits = index_limits(workspace.settings)
    notes, index, facts = root_rows(workspace.store, limits)
    store, project = workspace.store, workspace.project
    return MemorySnapshot(project.label, str(store.root), workspace.memory_state(), notes, index, facts, limits.tokens)
