"""The sessions as a list model: filter by title, preview, folder and id, groups by day. Filters in Python and resets. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from pathlib import PurePath

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QModelIndex, QObject, QPersistentModelIndex, Qt

from desktop.sessions.summary import SessionSummary
from desktop.ui.markdown import shown
from desktop.ui.memory.age import short_age

ROW = Qt.ItemDataRole.UserRole
Index = QModelIndex | QPersistentModelIndex
translate = QCoreApplication.translate
RUNNING, WAITING = "running", "waiting"
"""What the open session does now; the stored ones do not know it."""


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what is drawn, and the session behind it. `group` is set on the first row of its group."""

    session: SessionSummary
    title: str
    facts: str
    age: str
    group: str
    current: bool


def haystack(session: SessionSummary) -> str:
    """What the filter looks into, folded. Chinese is found by any run of its characters."""
    return f"{session.title}\n{session.preview}\n{session.workspace}\n{session.id}\n{session.model}".casefold()


def day_group(moment: datetime, now: datetime) -> str:
    """today, yesterday, this week, this month, older, by the machine's calendar."""
    day, today = moment.astimezone().date(), now.astimezone().date()
    if day >= today:
        return translate("SessionGroups", "today")
    if day == today - timedelta(days=1):
        return translate("SessionGroups", "yesterday")
    if day > today - timedelta(days=7):
        return translate("SessionGroups", "last 7 days")
    if day > today - timedelta(days=31):
        return translate("SessionGroups", "last 31 days")
    return translate("SessionGroups", "older")


def state_text(state: str) -> str:
    """What is worth saying of a session's state; a session that ended as it should says nothing."""
    words = {
        "interrupted": translate("SessionState", "stopped"),
        "failed": translate("SessionState", "failed"),
        "damaged": translate("SessionState", "damaged"),
        RUNNING: translate("SessionState", "running"),
        WAITING: translate("SessionState", "needs answer"),
    }
    return words.get(state, "")


def facts_of(session: SessionSummary, state: str = "") -> str:
    """State, folder, model and length on one line, the state first: it must be seen in a narrow list. `state` stands for the stored one."""
    count = translate("SessionsModel", "{n} messages").format(n=f"{session.messages:,}")
    parts = (state_text(state or session.state), PurePath(session.workspace).name, session.model, count if session.messages else "")
    return shown(" · ".join(part for part in parts if part))


class SessionsModel(QAbstractListModel):
    """Rows for the list views. `set_sessions`, then `set_filter`."""

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sessions: Sequence[SessionSummary] = ()
        self._haystacks: list[str] = []
        self._found: list[int] = []
        self._words: list[str] = []
        self._now = datetime.now().astimezone()
        self._current = ""
        self._activity = ""
        self._groups: dict[int, str] = {}

    def set_sessions(self, sessions: Sequence[SessionSummary], now: datetime, current: str = "") -> None:
        """Show these, newest first; `current` is the id that is open."""
        self._sessions, self._now, self._current = sessions, now, current
        self._haystacks = [haystack(session) for session in sessions]
        self._refill()

    def set_activity(self, activity: str) -> None:
        """What the open session does: `RUNNING`, `WAITING` for an answer, or nothing."""
        if activity != self._activity:
            self._activity = activity
            row = self.row_of(self._current)
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def _facts(self, session: SessionSummary) -> str:
        return facts_of(session, self._activity if session.id == self._current else "")

    def set_filter(self, text: str) -> None:
        """Every word must occur; a word is a run without blanks."""
        self._words = text.casefold().split()
        self._refill()

    def _refill(self) -> None:
        self.beginResetModel()
        words = self._words
        self._found = [at for at, text in enumerate(self._haystacks) if all(word in text for word in words)]
        self._groups = {}
        last = ""
        for row, at in enumerate(self._found):
            group = day_group(self._sessions[at].updated, self._now)
            if group != last:
                self._groups[row] = last = group
        self.endResetModel()

    def session_at(self, row: int) -> SessionSummary | None:
        return self._sessions[self._found[row]] if 0 <= row < len(self._found) else None

    def row_of(self, session_id: str) -> int:
        """The row of a session, or -1."""
        return next((row for row, at in enumerate(self._found) if self._sessions[at].id == session_id), -1)

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        session = self.session_at(index.row()) if index.isValid() else None
        if session is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return shown(session.title)[:200]
        if role == Qt.ItemDataRole.ToolTipRole:
            return None
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return ", ".join((shown(session.title)[:200], short_age(session.updated, self._now), self._facts(session)))
        if role == ROW:
            age, group = short_age(session.updated, self._now), self._groups.get(index.row(), "")
            return Row(session, shown(session.title)[:200], self._facts(session), age, group, session.id == self._current)
        return None
