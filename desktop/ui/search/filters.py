"""What is searched, as a row of small controls: memory and sessions, this project or all, which type of memory. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QAction, QActionGroup, QResizeEvent
from PySide6.QtWidgets import QMenu, QToolButton, QWidget

from desktop.ui import icons, theme
from desktop.ui.memory.tree_model import type_word
from desktop.ui.search.query import TYPES, SearchQuery
from desktop.ui.settings.flow import FlowRow

NARROW = 200
PADDING = 5
"""As the style sheet says for these buttons."""


class FilterButton(QToolButton):
    """As wide as what it shows: Qt leaves room for two more spaces, which among small buttons is a hole."""

    def sizeHint(self) -> QSize:
        hint = super().sizeHint()
        if self.toolButtonStyle() == Qt.ToolButtonStyle.ToolButtonTextBesideIcon:
            text = self.fontMetrics().horizontalAdvance(self.text())
            hint.setWidth(self.iconSize().width() + 4 + text + 2 * theme.current().px(PADDING) + 4)
        return hint

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()


class Filters(FlowRow):
    """Shows and changes all of a `SearchQuery` but its text.

    Signals:
        changed(): the person chose something else.
    """

    changed = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("searchFilters")
        self._query = SearchQuery()
        self.memory = self._toggle("searchMemory", "database", self.tr("Memory"), self.tr("Search in memory"))
        self.sessions = self._toggle("searchSessions", "history", self.tr("Sessions"), self.tr("Search in sessions"))
        self.scope = self._choice("searchScope")
        self.kind = self._choice("searchType")
        self.scopes = self._menu(self.scope, [(False, self.tr("This project")), (True, self.tr("All projects"))], self._on_scope)
        kinds = [("", self.tr("All types")), *((name, type_word(name)) for name in TYPES)]
        self.kinds = self._menu(self.kind, kinds, self._on_kind)
        self.memory.clicked.connect(partial(self._on_source, "memory"))
        self.sessions.clicked.connect(partial(self._on_source, "sessions"))
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self.show_query(SearchQuery())

    def _button(self, name: str) -> QToolButton:
        button = FilterButton(self)
        button.setObjectName(name)
        button.setProperty("role", "filter")
        button.setToolButtonStyle(Qt.ToolButtonStyle.ToolButtonTextBesideIcon)
        button.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.add(button)
        return button

    def _toggle(self, name: str, icon_name: str, text: str, tip: str) -> QToolButton:
        button = self._button(name)
        button.setCheckable(True)
        button.setText(f"\u2009{text}")  # Qt's style leaves two pixels beside an icon
        button.setToolTip(tip)
        button.setAccessibleName(tip)
        icons.bind(button, icon_name)
        return button

    def _choice(self, name: str) -> QToolButton:
        button = self._button(name)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setLayoutDirection(Qt.LayoutDirection.RightToLeft)  # the arrow stands behind the text
        icons.bind(button, "chevron-down")
        return button

    def _menu(self, button: QToolButton, entries: Sequence[tuple[object, str]], chosen: object) -> dict[object, QAction]:
        menu, group = QMenu(button), QActionGroup(button)
        actions: dict[object, QAction] = {}
        for value, text in entries:
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setData(value)
            group.addAction(action)
            actions[value] = action
        group.triggered.connect(chosen)
        button.setMenu(menu)
        return actions

    # -- values ----------------------------------------------------------------------------------------------------------------------

    def query(self, text: str) -> SearchQuery:
        """What is chosen, with this text."""
        return replace(self._query, text=text)

    def show_query(self, query: SearchQuery) -> None:
        self._query = query
        self.memory.setChecked(query.memory)
        self.sessions.setChecked(query.sessions)
        self.scopes[query.everywhere].setChecked(True)
        self.kinds[query.type].setChecked(True)
        self.kind.setVisible(query.memory)
        scope, kind = self.scopes[query.everywhere].text(), self.kinds[query.type].text()
        self.scope.setText(scope)
        self.scope.setAccessibleName(self.tr("Where to search: {choice}").format(choice=scope))
        self.kind.setText(kind)
        self.kind.setAccessibleName(self.tr("Types of memory: {choice}").format(choice=kind))
        for button in (self.scope, self.kind):
            button.setToolTip(button.accessibleName())
        self.updateGeometry()
        self._arrange()

    def choose(self, query: SearchQuery) -> None:
        """As if the person had chosen it."""
        if query != self._query:
            self.show_query(query)
            self.changed.emit()

    def _on_source(self, source: str, _checked: bool = False) -> None:
        """One of the two is always on: who switches the last one off means the other."""
        memory, sessions = self.memory.isChecked(), self.sessions.isChecked()
        if not memory and not sessions:
            memory, sessions = source != "memory", source != "sessions"
        self.choose(replace(self._query, memory=memory, sessions=sessions))

    def _on_scope(self, action: QAction) -> None:
        self.choose(replace(self._query, everywhere=bool(action.data())))

    def _on_kind(self, action: QAction) -> None:
        self.choose(replace(self._query, type=str(action.data())))

    def _fit(self) -> None:
        """In a narrow side bar the icons stand for what is searched."""
        narrow = self.width() < theme.current().px(NARROW)
        style = Qt.ToolButtonStyle.ToolButtonIconOnly if narrow else Qt.ToolButtonStyle.ToolButtonTextBesideIcon
        for button in (self.memory, self.sessions):
            button.setToolButtonStyle(style)

    def _measure(self) -> None:
        edge = theme.current().px(icons.SMALL_SIZE)
        for button in (self.memory, self.sessions, self.scope, self.kind):
            button.setIconSize(QSize(edge, edge))

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        self._fit()
        super().resizeEvent(event)
