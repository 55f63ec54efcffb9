"""The title bar: menus at the left, the command centre in the middle, switches of the regions at the right. GUI thread only.

Menus are data (`MENUS`: ids of commands, `-` for a line); each is filled when it opens, so that it shows what is active then.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QCoreApplication, QSize, Signal
from PySide6.QtGui import QAction, QIcon, QPaintEvent
from PySide6.QtWidgets import (
    QFrame,
    QHBoxLayout,
    QMenu,
    QMenuBar,
    QPushButton,
    QSizePolicy,
    QStyle,
    QStyleOptionButton,
    QStylePainter,
    QToolButton,
    QWidget,
)

from desktop.commands.registry import CommandRegistry
from desktop.ui import icon_text, icons, theme
from desktop.ui.shortcuts import shown_key

HEIGHT = 35
PALETTE = "palette.show"
CENTER_WIDTH, CENTER_LEAST = 360, 44


def menus() -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Title and commands of every menu."""
    translate = QCoreApplication.translate
    return (
        (translate("Menus", "&File"), (
            "session.new", "session.newIncognito", "-", "folder.open", "folder.close", "-", "memory.new", "editor.save",
            "editor.close", "editor.closeAll", "-", "settings.open", "models.open", "keys.show", "-", "window.close",
        )),
        (translate("Menus", "&View"), (
            "palette.show", "-", "view.toggleSideBar", "view.toggleChat", "view.toggleActivityBar", "view.toggleStatusBar", "-",
            "search.show", "memory.show", "sessions.show", "memory.review", "memory.health", "-",
            "theme.dark", "theme.light", "theme.system", "-",
            "view.zoomIn", "view.zoomOut", "view.zoomReset",
        )),
        (translate("Menus", "&Go"), (
            "sessions.pick", "memory.open", "-", "search.show", "search.next", "search.previous", "-", "chat.focus", "memory.show", "-",
            "editor.nextRecent", "editor.next", "editor.previous",
        )),
        (translate("Menus", "&Chat"), (
            "session.new", "session.newIncognito", "sessions.pick", "-", "chat.focus", "chat.stop", "chat.mode", "chat.model", "-",
            "chat.remember", "chat.rename", "chat.slots", "chat.inspector",
        )),
        (translate("Menus", "&Help"), ("welcome.show", "palette.show", "keys.show", "-", "help.about")),
    )  # fmt: skip


class CommandCenter(QPushButton):
    """The magnifier and the folder's name in the middle; a long name is cut, and where there is little room it gives way."""

    def sizeHint(self) -> QSize:
        return QSize(theme.current().px(CENTER_WIDTH), theme.current().px(24))

    def minimumSizeHint(self) -> QSize:
        return QSize(theme.current().px(CENTER_LEAST), theme.current().px(24))

    def placed(self) -> icon_text.Placed:
        """Where its icon and its text stand."""
        margin = theme.current().px(10)
        return icon_text.place(
            self.rect().adjusted(margin, 0, -margin, 0), self.iconSize().width(), self.text(), self.fontMetrics(), centred=True
        )

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text, option.icon = "", QIcon()
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        icon_text.draw(painter, self.placed(), self.icon(), theme.current().color("text" if self.underMouse() else "secondary"))
        painter.end()


class TitleBar(QFrame):
    """Menus, command centre, region switches.

    Signals:
        command_requested(str): the id of a command.
    """

    command_requested = Signal(str)

    def __init__(self, registry: CommandRegistry, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("titleBar")
        self.setAccessibleName(self.tr("Title bar"))
        self._registry = registry
        self._bar = QMenuBar(self)
        self._bar.setObjectName("menuBar")
        self._bar.setNativeMenuBar(False)
        self._bar.setSizePolicy(QSizePolicy.Policy.Minimum, QSizePolicy.Policy.Fixed)
        self._center = CommandCenter(self)
        self._center.setObjectName("commandCenter")
        self._center.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        self._center.setAccessibleName(self.tr("Command centre"))
        self._center.clicked.connect(lambda: self.command_requested.emit(PALETTE))
        icons.bind(self._center, "search", "secondary")
        self._switches: dict[str, QToolButton] = {}
        row = QHBoxLayout(self)
        row.setContentsMargins(6, 0, 8, 0)
        row.setSpacing(2)
        left, right = QWidget(self), QWidget(self)
        left_row, right_row = QHBoxLayout(left), QHBoxLayout(right)
        for part in (left_row, right_row):
            part.setContentsMargins(0, 0, 0, 0)
            part.setSpacing(2)
        left_row.addWidget(self._bar)
        left_row.addStretch(1)
        right_row.addStretch(1)
        for command_id, icon_name in (
            ("view.toggleSideBar", "layout-sidebar-left"),
            ("view.toggleChat", "layout-sidebar-right"),
        ):
            right_row.addWidget(self._switch(command_id, icon_name))
        row.addWidget(left, 1)
        row.addWidget(self._center, 0)
        row.addWidget(right, 1)
        self._fill_bar(menus())
        theme.signals.theme_changed.connect(self._resize)
        registry.changed.subscribe(self._on_changed)
        self._resize()

    def set_title(self, text: str) -> None:
        """What the command centre shows: the folder, or the name of the app."""
        self._center.setText(text)

    def refresh(self) -> None:
        """Tooltips after commands or keys have changed."""
        for command_id, button in self._switches.items():
            command = self._registry.get(command_id)
            if command is not None:
                key = shown_key(self._registry.key_of(command_id))
                button.setToolTip(f"{command.title} ({key})" if key else command.title)
                button.setAccessibleName(command.title)
            button.setVisible(command is not None)
        key = shown_key(self._registry.key_of(PALETTE))
        self._center.setToolTip(self.tr("Search commands ({key})").format(key=key))

    def _on_changed(self, command_id: str) -> None:
        """A hundred commands come while a window is built; three of them are shown here. Empty: keys of any of them changed."""
        if not command_id or command_id == PALETTE or command_id in self._switches:
            self.refresh()

    def _switch(self, command_id: str, icon_name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"title_{command_id.replace('.', '_')}")
        button.clicked.connect(lambda: self.command_requested.emit(command_id))
        icons.bind(button, icon_name)
        self._switches[command_id] = button
        return button

    def _fill_bar(self, entries: Sequence[tuple[str, tuple[str, ...]]]) -> None:
        for title, ids in entries:
            menu = self._bar.addMenu(title)
            menu.setObjectName("menu_" + title.replace("&", ""))
            menu.aboutToShow.connect(lambda menu=menu, ids=ids: self._fill(menu, ids))

    def _fill(self, menu: QMenu, ids: Sequence[str]) -> None:
        """Only what exists; a line only between two entries."""
        menu.clear()
        line_due = False
        for command_id in ids:
            command = self._registry.get(command_id)
            if command_id == "-":
                line_due = bool(menu.actions())
            elif command is not None:
                if line_due:
                    menu.addSeparator()
                    line_due = False
                action = QAction(command.title.replace("&", "&&"), menu)
                key = shown_key(self._registry.key_of(command_id))
                action.setText(action.text() + (f"\t{key}" if key else ""))
                action.setEnabled(self._registry.active(command))
                action.setData(command_id)
                action.triggered.connect(lambda _=False, command_id=command_id: self.command_requested.emit(command_id))
                menu.addAction(action)

    def _resize(self) -> None:
        present = theme.current()
        self.setFixedHeight(present.px(HEIGHT) + 1)
        self._center.setFixedHeight(present.px(24))
        self._center.updateGeometry()
        for button in (*self._switches.values(), self._center):
            button.setIconSize(QSize(present.px(16), present.px(16)))
