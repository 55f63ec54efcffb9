"""The versions of one memory file as rows of a list, and what is read to compare two of them. Values, functions for a worker, a Qt model.

Names, reasons and texts come from files and models: what is invisible in them is made visible here. The model lives in the GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.base.errors import NotFoundError
from desktop.memory.change import Change
from desktop.memory.history import history, text_of
from desktop.memory.store import MemoryStore
from desktop.ui.controllers.memory_document import read_file
from desktop.ui.memory.age import full_time
from desktop.ui.memory.line_diff import Difference, difference
from desktop.ui.memory.line_endings import plain
from desktop.ui.memory.rows import shown
from desktop.ui.memory.who import RESTORED_REASON, Deed, actor_word, deed_of, deed_word, reason_words

ROW_ROLE = int(Qt.ItemDataRole.UserRole) + 1
Against = Literal["before", "present"]
translate = QCoreApplication.translate
_Index = QModelIndex | QPersistentModelIndex


@dataclass(frozen=True, slots=True)
class HistoryRow:
    """One version.

    Attributes:
        change: what made it.
        digest: of its text; of a deletion, the text that was deleted.
        available: the text is still kept.
        expires: until when it is, where that is known.
        present: it is the newest version, and what the file holds now.
        same: its text is what the file holds now.
    """

    change: Change
    digest: str | None
    available: bool
    expires: datetime | None
    present: bool = False
    same: bool = False

    @property
    def deed(self) -> Deed:
        return deed_of(self.change)

    @property
    def key(self) -> str:
        """Tells it from the other versions of its file."""
        return self.change.id or "first"

    @property
    def who(self) -> str:
        """In the window's words; empty where nobody knows."""
        return actor_word(self.change.origin.actor) if self.change.id else ""

    @property
    def when(self) -> str:
        """In the window's words: of what was there before the first known change only an end is known."""
        moment = full_time(self.change.time)
        return moment if self.change.id else translate("MemoryHistory", "before {time}").format(time=moment)

    @property
    def reason(self) -> str:
        """In one line; empty for what the app itself notes as a reason."""
        reason = self.change.origin.reason
        return "" if self.change.undoes or self.deed == "kept" or reason == RESTORED_REASON else shown(reason_words(reason))

    def words(self) -> str:
        """All that a screen reader says."""
        return ", ".join(part for part in (deed_word(self.deed), self.who, self.when, self.reason) if part)


@dataclass(frozen=True, slots=True)
class HistoryPicture:
    """What is known of a file: its versions, newest first, and whether it is there now."""

    rows: tuple[HistoryRow, ...]
    exists: bool


@dataclass(frozen=True, slots=True)
class Comparison:
    """One version against another.

    Attributes:
        found: None: the chosen version is no longer kept.
        text: of the chosen version.
        lone: the version to compare with is no longer kept, so the whole text is shown.
        gone: there is no present version to compare with: the file is deleted.
    """

    found: Difference | None
    text: str = ""
    lone: bool = False
    gone: bool = False


def read_history(store: MemoryStore, path: str) -> HistoryPicture:
    """Every version of a file, also of one that is deleted. Blocking.

    Raises:
        StorageError: the journal cannot be read.
    """
    present = read_file(store, path)
    now = present.digest if present is not None else None
    versions = history(store, path)
    kept = {version.digest: version for version in versions if version.digest is not None}
    rows: list[HistoryRow] = []
    for version in versions:
        same = now is not None and version.digest == now
        if version.digest is not None:
            rows.append(HistoryRow(version.change, version.digest, version.available or same, version.expires, same and not rows, same))
        else:
            last = kept.get(version.change.before or "")
            expires, there = (last.expires, last.available) if last is not None else (None, False)
            rows.append(HistoryRow(version.change, version.change.before, there, expires))
    return HistoryPicture(tuple(rows), present is not None)


def _kept(store: MemoryStore, digest: str | None) -> str | None:
    if digest is None:
        return ""
    try:
        return plain(text_of(store, digest))
    except NotFoundError:
        return None


def compare(store: MemoryStore, path: str, row: HistoryRow, against: Against) -> Comparison:
    """What a change did to the text, or what is different now. Blocking; bounded in time for texts of any size."""
    deleted = row.change.after is None
    present = read_file(store, path) if row.same or against == "present" else None
    text = plain(present.text) if row.same and present is not None else _kept(store, row.digest)
    if text is None:
        return Comparison(None)
    if against == "present":
        now = plain(present.text) if present is not None else ""
        return Comparison(difference(text, now), text, gone=present is None)
    before = _kept(store, row.change.before)
    if before is None:
        return Comparison(difference("", text), text, lone=True)
    return Comparison(difference(before, "" if deleted else text), text)


class HistoryModel(QAbstractListModel):
    """Rows of a list. Rows that stay keep their place when the list is read anew."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._rows: tuple[HistoryRow, ...] = ()

    def set_rows(self, rows: Sequence[HistoryRow]) -> None:
        self.beginResetModel()
        self._rows = tuple(rows)
        self.endResetModel()

    def row(self, at: int) -> HistoryRow | None:
        return self._rows[at] if 0 <= at < len(self._rows) else None

    def place_of(self, key: str) -> int:
        """The number of a version's row; -1 when it is not there."""
        return next((at for at, row in enumerate(self._rows) if row.key == key), -1)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: _Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own default
        return 0 if parent.isValid() else len(self._rows)

    def data(self, index: _Index, role: int = int(Qt.ItemDataRole.DisplayRole)) -> Any:
        row = self.row(index.row()) if index.isValid() else None
        if row is None:
            return None
        if role == ROW_ROLE:
            return row
        if role in (Qt.ItemDataRole.DisplayRole, Qt.ItemDataRole.AccessibleTextRole):
            return row.words()
        return None
