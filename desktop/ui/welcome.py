"""The welcome page: open a folder, recent folders and sessions, the state of the embedded model, the way to a provider.

Shows what it is given and emits intents; reads nothing itself. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import partial

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QBoxLayout, QFrame, QGridLayout, QHBoxLayout, QLabel, QPushButton, QScrollArea, QVBoxLayout, QWidget

from desktop.ui import icons, theme
from desktop.ui.cut import CutLabel, CutLink

COLUMN = 420
MAX_WIDTH = 960
ROWS = 6


@dataclass(frozen=True, slots=True)
class FolderRow:
    """A folder of before: its name and the rest of its path."""

    path: str
    name: str
    place: str


@dataclass(frozen=True, slots=True)
class SessionRow:
    """A session of before; `detail` is its folder and age."""

    id: str
    title: str
    detail: str


@dataclass(frozen=True, slots=True)
class ModelState:
    """What can answer now: `ready` says whether the default model needs nothing more; `action` is (label, command id) or None."""

    ready: bool
    title: str
    text: str
    action: tuple[str, str] | None = None


class WelcomePage(QScrollArea):
    """Two columns, one when it is narrow.

    Signals:
        command_requested(str): the id of a command.
        folder_requested(str): open this folder.
        session_requested(str): resume this session.
    """

    command_requested = Signal(str)
    folder_requested = Signal(str)
    session_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("welcomeScroll")
        self.setAccessibleName(self.tr("Welcome"))
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._folder_open = False
        page = self._page = QWidget(self)
        page.setObjectName("welcomePage")
        self._columns = QBoxLayout(QBoxLayout.Direction.LeftToRight)
        self._left, self._right = QVBoxLayout(), QVBoxLayout()
        for column in (self._left, self._right):
            column.setSpacing(2)
            column.setAlignment(Qt.AlignmentFlag.AlignTop)
            self._columns.addLayout(column, 1)
        self._columns.setSpacing(48)
        inner = QWidget(page)
        inner.setMaximumWidth(MAX_WIDTH)
        stack = QVBoxLayout(inner)
        stack.setContentsMargins(32, 40, 32, 40)
        stack.setSpacing(0)
        stack.addLayout(self._head())
        stack.addSpacing(28)
        stack.addLayout(self._columns)
        stack.addStretch(1)
        row = QHBoxLayout(page)
        row.setContentsMargins(0, 0, 0, 0)
        row.addStretch(1)
        row.addWidget(inner, 100)
        row.addStretch(1)
        self.setWidget(page)
        self._start = self._section(self._left, self.tr("Start"))
        self._folders = self._section(self._left, self.tr("Recent folders"))
        self._model = self._section(self._right, self.tr("Model"))
        self._sessions = self._section(self._right, self.tr("Recent sessions"))
        self.set_folder_open(False)
        self.set_folders(())
        self.set_sessions(())
        self.set_model(ModelState(False, self.tr("Looking for models…"), ""))

    # --- what is shown -----------------------------------------------------------------------------------------------

    def set_folder_open(self, is_open: bool) -> None:
        """A chat can be started only in a folder."""
        self._folder_open = is_open
        _clear(self._start)
        entries = [("folder-opened", self.tr("Open Folder…"), "folder.open")]
        if is_open:
            entries.append(("comment-discussion", self.tr("New Chat"), "session.new"))
        entries += [
            ("history", self.tr("Go Back to a Session…"), "sessions.pick"),
            ("plug", self.tr("Connect a Provider…"), "models.open"),
            ("settings-gear", self.tr("Settings"), "settings.open"),
        ]
        for icon_name, text, command in entries:
            self._start.addWidget(self._link(text, partial(self.command_requested.emit, command), icon_name))

    def set_folders(self, rows: Sequence[FolderRow]) -> None:
        _clear(self._folders)
        for row in rows[:ROWS]:
            self._folders.addLayout(self._row(row.name, row.place, partial(self.folder_requested.emit, row.path), row.path))
        if not rows:
            self._folders.addWidget(self._note(self.tr("Folders that you open are listed here.")))

    def set_sessions(self, rows: Sequence[SessionRow]) -> None:
        _clear(self._sessions)
        for row in rows[:ROWS]:
            self._sessions.addLayout(self._row(row.title, row.detail, partial(self.session_requested.emit, row.id), row.title))
        if not rows:
            self._sessions.addWidget(self._note(self.tr("Your chats are listed here. Nothing is ever lost.")))

    def set_model(self, state: ModelState) -> None:
        _clear(self._model)
        card = QFrame(self)
        card.setProperty("role", "card")
        card.setObjectName("modelCard")
        grid = QGridLayout(card)
        grid.setContentsMargins(14, 12, 14, 12)
        grid.setHorizontalSpacing(8)
        grid.setVerticalSpacing(6)
        grid.setColumnStretch(1, 1)
        picture = QPushButton(card)
        picture.setFixedWidth(self._icon_size().width() + 6)  # the padding and the border of a link
        picture.setProperty("role", "link")
        picture.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        picture.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        picture.setIconSize(self._icon_size())
        picture.setAccessibleName(self.tr("Ready") if state.ready else self.tr("Not ready"))
        icons.bind(picture, "pass-filled" if state.ready else "info", "added" if state.ready else "link")
        title = QLabel(state.title, card)
        title.setTextFormat(Qt.TextFormat.PlainText)
        title.setWordWrap(True)
        grid.addWidget(picture, 0, 0, Qt.AlignmentFlag.AlignTop)
        grid.addWidget(title, 0, 1)
        if state.text:
            grid.addWidget(self._note(state.text), 1, 1)
        if state.action is not None:
            label, command = state.action
            button = QPushButton(label, card)
            button.setAccessibleName(label)
            button.clicked.connect(partial(self.command_requested.emit, command))
            grid.addWidget(button, 2, 1, Qt.AlignmentFlag.AlignLeft)
        self._model.addWidget(card)

    def texts(self) -> list[str]:
        """Every text on the page, for tests and screen readers' order."""
        page = self._page
        labels = [label.text() for label in page.findChildren(QLabel)]
        return labels + [button.text() for button in page.findChildren(QPushButton) if button.text()]

    # --- building ----------------------------------------------------------------------------------------------------

    def _head(self) -> QVBoxLayout:
        column = QVBoxLayout()
        column.setSpacing(6)
        name = QLabel("Keepsake", self)
        name.setProperty("role", "title")
        line = QLabel(self.tr("Chat with a coding agent that remembers. You see, edit and undo everything it remembers."), self)
        line.setProperty("role", "secondary")
        line.setWordWrap(True)
        column.addWidget(name)
        column.addWidget(line)
        return column

    def _section(self, column: QVBoxLayout, title: str) -> QVBoxLayout:
        heading = QLabel(title, self)
        heading.setProperty("role", "heading")
        heading.setContentsMargins(0, 0, 0, 6)
        rows = QVBoxLayout()
        rows.setSpacing(2)
        column.addWidget(heading)
        column.addLayout(rows)
        column.addSpacing(24)
        return rows

    def _icon_size(self) -> QSize:
        edge = theme.current().px(icons.SIZE)
        return QSize(edge, edge)

    def _link(self, text: str, run: object, icon_name: str = "") -> QPushButton:
        button = CutLink(self, text)
        button.clicked.connect(run)
        if icon_name:
            button.setIconSize(self._icon_size())
            icons.bind(button, icon_name, "link")
        return button

    def _row(self, text: str, detail: str, run: object, tooltip: str) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(10)
        shown = text if len(text) <= 48 else text[:47] + "…"
        button = self._link(shown, run)
        button.setToolTip(tooltip)
        behind = CutLabel(self, detail, greedy=True)
        behind.setProperty("role", "secondary")
        behind.setToolTip(tooltip)
        row.addWidget(button)
        row.addWidget(behind, 1)
        return row

    def _note(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setProperty("role", "secondary")
        label.setWordWrap(True)
        return label

    def resizeEvent(self, event: QResizeEvent) -> None:
        wide = self.viewport().width() >= 2 * COLUMN * 0.8
        self._columns.setDirection(QBoxLayout.Direction.LeftToRight if wide else QBoxLayout.Direction.TopToBottom)
        self._columns.setSpacing(48 if wide else 0)  # below each other, a section's own space is enough
        super().resizeEvent(event)


def _clear(layout: QVBoxLayout | QHBoxLayout) -> None:
    """Take everything out of a layout, layouts in it too."""
    while (item := layout.takeAt(0)) is not None:
        widget, inner = item.widget(), item.layout()
        if widget is not None:
            widget.hide()
            widget.deleteLater()
        elif isinstance(inner, (QVBoxLayout, QHBoxLayout)):
            _clear(inner)
            inner.deleteLater()
