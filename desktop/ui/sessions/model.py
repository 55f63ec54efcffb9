"""The sessions as a list model: filter by title and content, groups by day or workspace, pins on top, sub-agents folded. GUI thread.

Filters in Python and resets. What the files hold is searched elsewhere; what was found there comes in with `set_content` and is put behind
what the titles gave, so that nothing moves under the person's hand. Opening a session never reorders: the order is that of last messages.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePath

from PySide6.QtCore import QAbstractListModel, QCoreApplication, QMimeData, QModelIndex, QObject, QPersistentModelIndex, Qt, Signal

from desktop.sessions.summary import SessionSummary
from desktop.ui.chat.surface import tip
from desktop.ui.markdown import shown
from desktop.ui.marked_text import Marked, safe
from desktop.ui.memory.age import short_age
from desktop.ui.sessions.facts import (
    HELD,
    OWN,
    RUNNING,
    SUB_AGENT,
    WAITING,
    Days,
    day_group,
    facts_of,
    preview_text,
    source_name,
    state_text,
    tip_of,
    title_text,
)
from desktop.ui.sessions.filtering import BY_WORKSPACE, ListOptions, haystack, joined, marks_in, words_of

__all__ = [
    "HELD",
    "MIME",
    "ROW",
    "RUNNING",
    "WAITING",
    "Row",
    "SessionsModel",
    "Snippet",
    "day_group",
    "empty_text",
    "facts_of",
    "haystack",
    "state_text",
]

ROW = Qt.ItemDataRole.UserRole
MIME = "application/x-keepsake-session"
"""Ids of dragged sessions, one a line, UTF-8."""
TITLE = 200
Index = QModelIndex | QPersistentModelIndex
Snippet = tuple[str, tuple[tuple[int, int], ...]]
"""A line out of a session, and (start, end) of what was found in it."""
translate = QCoreApplication.translate


@dataclass(frozen=True, slots=True)
class Row:
    """One line: what is drawn, and the session behind it.

    Attributes:
        line: title; its marks are the words of the filter.
        text: preview, or what was found in the session.
        group: on the first row of its group, else empty.
        badge: the tool that held it; empty in a list that has only our own.
        state: the icon's: as in the summary, or what the open one does now.
        sub_agents: how many sessions were held on its behalf.
        unfolded: these stand below it.
        child: it stands below the session that it was held for.
    """

    session: SessionSummary
    title: str
    line: Marked
    text: Marked
    facts: str
    age: str
    group: str
    current: bool
    badge: str
    state: str
    sub_agents: int
    unfolded: bool
    child: bool


class SessionsModel(QAbstractListModel):
    """Rows for the list views. `set_sessions`, then `set_filter`.

    Signals:
        folded(): sub-agents were shown or hidden.
    """

    folded = Signal()

    def __init__(self, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._sessions: Sequence[SessionSummary] = ()
        self._haystacks: Sequence[str] = ()
        self._children: dict[str, list[int]] = {}
        self._below: frozenset[int] = frozenset()
        self._found: list[int] = []
        self._rows: dict[str, int] | None = None
        self._shown: list[int] = []
        self._names: list[str] = []
        self._groups: dict[int, str] = {}
        self._unfolded: set[str] = set()
        self._words: tuple[str, ...] = ()
        self._content: Mapping[str, Snippet] = {}
        self._options = ListOptions()
        self._here: frozenset[str] = frozenset()
        self._labels: dict[str, str] = {}
        self._mixed = False
        self._now = datetime.now().astimezone()
        self._current = ""
        self._activity = ""
        self._held: frozenset[str] = frozenset()

    # --- what is shown -----------------------------------------------------------------------------------------------

    def set_sessions(
        self, sessions: Sequence[SessionSummary], now: datetime, current: str = "", *, haystacks: Sequence[str] | None = None
    ) -> None:
        """Show these, newest first; `current` is the id that is open.

        Args:
            haystacks: what the filter looks into, one for each session, where it was made already.
        """
        self.beginResetModel()  # before anything changes: who listens asks which session was chosen
        self._sessions, self._now, self._current = sessions, now, current
        self._haystacks = haystacks if haystacks is not None and len(haystacks) == len(sessions) else [haystack(one) for one in sessions]
        self._mixed = any(session.source != OWN for session in sessions)
        self._labels = _workspace_labels(sessions)
        self._choose_shown()
        self._fill()
        self.endResetModel()

    def set_here(self, project_keys: Iterable[str]) -> None:
        """The opened folder's project, by all its keys: sessions of others are labelled, and may be left out."""
        here = frozenset(project_keys)
        if here != self._here:
            self._here = here
            self._choose_shown()
            self._refill()

    def set_options(self, options: ListOptions) -> None:
        if options != self._options:
            self._options = options
            self._choose_shown()
            self._refill()

    def set_activity(self, activity: str) -> None:
        """What the open session does: `RUNNING`, `WAITING` for an answer, or nothing."""
        if activity != self._activity:
            self._activity = activity
            row = self.row_of(self._current)
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def set_held(self, session_ids: frozenset[str]) -> None:
        """The sessions that are open in another window or process."""
        changed, self._held = self._held ^ session_ids, session_ids
        for row in [self.row_of(one) for one in changed]:
            if row >= 0:
                self.dataChanged.emit(self.index(row), self.index(row))

    def set_filter(self, text: str) -> None:
        """Every word must occur; a word is a run without blanks."""
        self._words, self._content = words_of(text), {}
        self._refill()

    def set_content(self, hits: Mapping[str, Snippet]) -> None:
        """What was found in the sessions for the present filter, by id, best first."""
        if self._words and hits != self._content:
            self._content = hits
            self._refill()

    def toggle(self, row: int, wanted: bool | None = None) -> bool:
        """Show or hide the sub-agents of a row; whether anything changed."""
        session = self.session_at(row)
        if session is None or not self.sub_agents_of(session) or self._words:
            return False
        unfolded = session.id in self._unfolded
        if wanted is unfolded:
            return False
        self._unfolded ^= {session.id}
        self._refill()
        self.folded.emit()
        return True

    # --- what there is -----------------------------------------------------------------------------------------------

    @property
    def filtering(self) -> bool:
        return bool(self._words)

    @property
    def left_out(self) -> int:
        """Sessions that the choices hide, archived ones and those of other workspaces."""
        return len(self._sessions) - len(self._shown)

    def session_at(self, row: int) -> SessionSummary | None:
        return self._sessions[self._found[row]] if 0 <= row < len(self._found) else None

    def row_of(self, session_id: str) -> int:
        """The row of a session, or -1."""
        if self._rows is None:
            self._rows = {self._sessions[at].id: row for row, at in enumerate(self._found)}
        return self._rows.get(session_id, -1)

    def sub_agents_of(self, session: SessionSummary) -> int:
        return len(self._children.get(session.id, ()))

    def is_child(self, row: int) -> bool:
        """Whether the row stands below another one."""
        return not self._words and 0 <= row < len(self._found) and self._found[row] in self._below

    # --- filling -----------------------------------------------------------------------------------------------------

    def _wanted(self, session: SessionSummary) -> bool:
        options = self._options
        if session.archived and not options.archived:
            return False
        return options.everywhere or not self._here or session.project_key in self._here

    def _choose_shown(self) -> None:
        """What the choices let through, and which sessions were held on behalf of which; one whose own is not there stands for itself."""
        self._names = self._named()
        self._shown = [at for at, session in enumerate(self._sessions) if self._wanted(session)]
        agents = [at for at in self._shown if self._sessions[at].kind == SUB_AGENT and self._sessions[at].parent]
        self._children, below = {}, set()
        if agents:
            there = {self._sessions[at].id for at in self._shown}
            for at in agents:
                session = self._sessions[at]
                if session.parent in there and session.parent != session.id:
                    self._children.setdefault(session.parent, []).append(at)
                    below.add(at)
        self._below = frozenset(below) - self._circle(below)

    def _circle(self, below: set[int]) -> set[int]:
        """Sub-agents that would stand below each other and nowhere else: damaged files may say so, and none may vanish."""
        place = {self._sessions[at].id: at for at in below}
        lost = set()
        for at in below:
            seen, up = set(), at
            while up in below and up not in seen:
                seen.add(up)
                up = place.get(self._sessions[up].parent, -1)
            if up in seen:
                lost.add(at)
        return lost

    def _refill(self) -> None:
        self.beginResetModel()
        self._fill()
        self.endResetModel()

    def _fill(self) -> None:
        groups = self._searched() if self._words else self._grouped([at for at in self._shown if at not in self._below])
        self._found, self._groups = [], {}
        for name, members in groups:
            if members:
                self._groups[len(self._found)] = name
                if self._words or not self._unfolded:
                    self._found += members
                    continue
                for at in members:
                    self._add(at)
        self._rows = None

    def _add(self, at: int, depth: int = 0) -> None:
        self._found.append(at)
        session = self._sessions[at]
        if session.id in self._unfolded and depth < 10:
            for child in self._children.get(session.id, ()):
                if child in self._below:
                    self._add(child, depth + 1)

    def _searched(self) -> list[tuple[str, list[int]]]:
        texts, by_title = self._haystacks, self._shown
        for word in self._words:
            by_title = [at for at in by_title if word in texts[at]]
        if not self._content:
            return self._grouped(by_title)
        order = {session_id: number for number, session_id in enumerate(self._content)}
        seen = set(by_title)
        inside = [at for at in self._shown if at not in seen and self._sessions[at].id in order]
        inside.sort(key=lambda at: order[self._sessions[at].id])
        return [*self._grouped(by_title), (translate("SessionGroups", "found inside"), inside)]

    def _grouped(self, members: list[int]) -> list[tuple[str, list[int]]]:
        """Pins first, then by day or by workspace; in each group the newest first."""
        sessions = self._sessions
        pinned = [at for at in members if sessions[at].pinned]
        if pinned:
            members = [at for at in members if not sessions[at].pinned]
        groups: dict[str, list[int]] = {}
        names = self._names
        for at in members:
            groups.setdefault(names[at], []).append(at)
        return [(translate("SessionGroups", "pinned"), pinned), *groups.items()]

    def _named(self) -> list[str]:
        """The group of each session; made once for a list and not at every key."""
        if self._options.group == BY_WORKSPACE:
            return [self._labels.get(session.project_key, "") for session in self._sessions]
        days = Days(self._now)
        return [days.group_of(session.updated) for session in self._sessions]

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def rowCount(self, parent: Index = QModelIndex()) -> int:  # noqa: B008 - Qt's own signature
        return 0 if parent.isValid() else len(self._found)

    def data(self, index: Index, role: int = Qt.ItemDataRole.DisplayRole) -> object:
        session = self.session_at(index.row()) if index.isValid() else None
        if session is None:
            return None
        if role == Qt.ItemDataRole.DisplayRole:
            return title_text(session)[:TITLE]
        if role == Qt.ItemDataRole.ToolTipRole:
            return tip(tip_of(session, self._state(session)))
        if role == Qt.ItemDataRole.AccessibleTextRole:
            return self._spoken(self._row(session, index.row()))
        if role == ROW:
            return self._row(session, index.row())
        return None

    def _state(self, session: SessionSummary) -> str:
        if session.id in self._held:
            return HELD
        return self._activity if session.id == self._current and self._activity else session.state

    def _row(self, session: SessionSummary, row: int) -> Row:
        state = self._state(session)
        sub_agents = self.sub_agents_of(session)
        here = session.project_key in self._here
        title = title_text(session)[:TITLE]
        text, marks = self._content.get(session.id, ("", ()))
        if not text:
            text = preview_text(session)
        marks = joined((*marks, *marks_in(text, self._words)))
        return Row(
            session=session,
            title=title,
            line=safe(title, marks_in(title, self._words)),
            text=safe(text, marks),
            facts=facts_of(session, state, here=here, sub_agents=sub_agents),
            age=short_age(session.updated, self._now),
            group=self._groups.get(row, ""),
            current=session.id == self._current,
            badge=source_name(session.source) if self._mixed or session.source != OWN else "",
            state=state,
            sub_agents=sub_agents,
            unfolded=session.id in self._unfolded and not self._words,
            child=self.is_child(row),
        )

    @staticmethod
    def _spoken(row: Row) -> str:
        marked = translate("SessionsModel", "pinned") if row.session.pinned else ""
        return ", ".join(one for one in (row.title, row.age, row.badge, marked, row.facts) if one)

    def flags(self, index: Index) -> Qt.ItemFlag:
        flags = super().flags(index)
        return flags | Qt.ItemFlag.ItemIsDragEnabled if index.isValid() else flags

    def mimeTypes(self) -> list[str]:
        return [MIME, "text/plain"]

    def mimeData(self, indexes: Sequence[QModelIndex]) -> QMimeData:
        """Dragged sessions: their ids, and as text the references that a message names them by."""
        sessions = [session for index in indexes if (session := self.session_at(index.row())) is not None]
        data = QMimeData()
        data.setData(MIME, "\n".join(session.id for session in sessions).encode("utf-8"))
        data.setText(" ".join(f"#{session.id}" for session in sessions))
        return data


def empty_text(model: SessionsModel) -> str:
    """Why a list shows nothing."""
    if model.filtering:
        return translate("SessionsModel", "Nothing matches")
    if model.left_out:
        return translate("SessionsModel", "Everything is archived or belongs to another workspace.")
    return translate("SessionsModel", "No sessions yet: a chat is kept from its first message on.")


def _workspace_labels(sessions: Sequence[SessionSummary]) -> dict[str, str]:
    """The name of each project's folder by its key; where two have the same one, with the folder above."""
    folders: dict[str, str] = {}
    for session in sessions:
        if session.workspace or session.project_key not in folders:
            folders.setdefault(session.project_key, session.workspace)
            folders[session.project_key] = folders[session.project_key] or session.workspace
    names = {key: PurePath(folder).name or key or translate("SessionGroups", "no folder") for key, folder in folders.items()}
    counts: dict[str, int] = {}
    for name in names.values():
        counts[name] = counts.get(name, 0) + 1
    return {key: shown(name if counts[name] == 1 else f"{name} — {PurePath(folders[key]).parent}") for key, name in names.items()}
