"""What waits for the person's word as rows of a list, and what is read to show one of them. Values, functions for a worker, a Qt model.

Texts come from models and files: what is invisible in them is made visible here, and secrets are masked before anything is shown. The
model lives in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.redact import redact
from desktop.base.textio import decode, digest
from desktop.bridge.spoken import spoken
from desktop.memory.frontmatter import parse
from desktop.memory.memories import Memories
from desktop.memory.merge import merge_texts
from desktop.memory.proposals import Proposal
from desktop.memory.store import MemoryStore
from desktop.ui.memory.age import full_time
from desktop.ui.memory.line_diff import Difference, difference
from desktop.ui.memory.line_endings import plain
from desktop.ui.memory.rows import shown
from desktop.ui.memory.who import Deed, actor_word

ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 1
translate = QCoreApplication.translate
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class ReviewRow:
    """One proposal in the list."""

    proposal: Proposal

    @property
    def key(self) -> str:
        return self.proposal.id

    @property
    def deed(self) -> Deed:
        return "created" if self.proposal.new else "changed" if self.proposal.op == "write" else "deleted"

    @property
    def path(self) -> str:
        return shown(self.proposal.path)

    @property
    def is_suspect(self) -> bool:
        """It reads like orders of others, and is only accepted by itself."""
        return self.proposal.rule in ("untrusted", "injection")

    @property
    def why(self) -> str:
        """Why it waits, in one line and in the window's words."""
        return shown(spoken(self.proposal.reason)) or rule_text(self.proposal.rule)

    @property
    def about(self) -> str:
        """What tells it from the others in the list: what the memory would say, where only the setting holds it back; else why it waits."""
        said = _description(self.proposal.text) if self.proposal.rule == "review" and self.proposal.op == "write" else ""
        return said or self.why

    @property
    def quote(self) -> str:
        """The sentence that it came from, or the first line of what others wrote."""
        return shown(redact(self.proposal.quote))

    def words(self) -> str:
        """All that a screen reader says."""
        parts = (wanted_word(self.deed), self.path, self.why, actor_word(self.proposal.origin.actor), full_time(self.proposal.time))
        mark = untrusted_text() if self.proposal.untrusted else ""
        return ", ".join(part for part in (*parts, mark) if part)


@lru_cache(maxsize=256)
def _description(text: str) -> str:
    """The description of a proposed memory, or its first words; "" when there is neither."""
    told = parse(text.encode("utf-8", "surrogatepass"))
    first = next((line for line in told.body.splitlines() if line.strip()), "")
    return shown(redact((told.description or first).strip()))


def wanted_word(deed: Deed) -> str:
    """What would be done."""
    if deed == "created":
        return translate("MemoryReview", "New")
    return translate("MemoryReview", "Delete") if deed == "deleted" else translate("MemoryReview", "Change")


def untrusted_text() -> str:
    return translate("MemoryReview", "Text of tools, web pages or files was in the chat when this was proposed.")


def rule_text(rule: str) -> str:
    """Why a proposal waits, in plain words."""
    if rule == "review":
        return translate("MemoryReview", "In this workspace everything found in the background waits for your review.")
    if rule == "unsupported":
        return translate("MemoryReview", "No sentence of yours says this.")
    if rule == "untrusted":
        return translate("MemoryReview", "It gives orders or an address, and text of others was in the chat.")
    return translate("MemoryReview", "It reads like orders to the agent, and did not come from you.")


@dataclass(frozen=True, slots=True)
class ReviewPicture:
    """What waits, newest first.

    Attributes:
        damaged: files of the inboxes that cannot be read, and the folder of the first of them.
    """

    rows: tuple[ReviewRow, ...]
    damaged: int = 0
    folder: str = ""

    @property
    def ids(self) -> frozenset[str]:
        return frozenset(row.key for row in self.rows)


@dataclass(frozen=True, slots=True)
class ReviewComparison:
    """One proposal against the file as it is now.

    Attributes:
        found: what would change.
        text: the proposed text, merged with what changed meanwhile where that fits: what the person would edit.
        present: digest of the file as it was compared; "" when there is none.
        state: `same`: the file is what the proposal was made against; `merged`: it changed, and both changes fit; `conflict`: they do
            not; `gone`: it was deleted meanwhile; `there`: a new file whose name is taken by now.
        kind: the type that the memory says it has, or "".
    """

    found: Difference
    text: str
    present: str
    state: str
    kind: str = ""

    @property
    def is_conflict(self) -> bool:
        return self.state in ("conflict", "gone", "there")


def read_review(memories: Memories) -> ReviewPicture:
    """What waits for any of our own roots. Blocking; never raises."""
    rows: list[ReviewRow] = []
    damaged, folder = 0, ""
    for store in memories.own():
        inbox = store.proposals
        rows += [ReviewRow(one) for one in inbox.waiting()]
        if inbox.damaged and not folder:
            folder = str(inbox.folder)
        damaged += inbox.damaged
    rows.sort(key=lambda row: (row.proposal.time, row.key), reverse=True)
    return ReviewPicture(tuple(rows), damaged, folder)


def compare_proposal(store: MemoryStore, proposal: Proposal) -> ReviewComparison:
    """What a proposal would change of the file as it is now. Blocking.

    Raises:
        StorageError: the file is there and cannot be read.
    """
    data = _present(store, proposal.path)
    now = digest(data) if data is not None else None
    before, after = decode(data or b""), proposal.text if proposal.op == "write" else ""
    state = _state(proposal, now)
    if state == "conflict" and proposal.op == "write":
        merged = merge_texts(proposal.base_text, proposal.text, before)
        if merged is not None:
            state, after = "merged", merged
    told = parse((after or before).encode("utf-8", "surrogatepass"))
    found = difference(plain(redact(before)), plain(redact(after)))
    return ReviewComparison(found, after if proposal.op == "write" else before, now or "", state, told.type or "")


def _state(proposal: Proposal, now: str | None) -> str:
    if now == proposal.base:
        return "same"
    if now is None:
        return "gone"
    return "there" if proposal.base is None else "conflict"


def _present(store: MemoryStore, path: str) -> bytes | None:
    try:
        return store.read(path).data
    except NotFoundError:
        return None


def readable(store: MemoryStore, path: str) -> bool:
    """Whether there is a file to open."""
    try:
        return _present(store, path) is not None
    except KeepsakeError:
        return False


class ReviewModel(QAbstractListModel):
    """The list. Rows that stay keep their place, so that the chosen one stays chosen."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: list[ReviewRow] = []

    def set_rows(self, rows: Sequence[ReviewRow]) -> None:
        self.beginResetModel()
        self._rows = list(rows)
        self.endResetModel()

    def row(self, at: int) -> ReviewRow | None:
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def place_of(self, key: str) -> int:
        """-1 when it is not there."""
        return next((at for at, row in enumerate(self._rows) if row.key == key), -1)

    def rowCount(self, parent: _Index | None = None) -> int:
        return 0 if parent is not None and parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = Qt.ItemDataRole.DisplayRole) -> Any:
        row = self.row(index.row())
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role == Qt.ItemDataRole.DisplayRole:
            return row.path
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return row.words()
        return None
