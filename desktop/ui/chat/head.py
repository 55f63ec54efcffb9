"""The head of the chat pane: the conversation's title with its menu, and the button for a new one. Emits intents. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSpacerItem, QWidget

from desktop.ui import theme
from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.surface import ElidedLabel, icon_button

HEIGHT = 35


class ChatHead(QWidget):
    """See the module's text.

    Signals:
        new_requested(), sessions_requested(), rename_requested()
        incognito_requested(bool): a new conversation of which nothing is kept; whether it reads memory.
    """

    new_requested = Signal()
    sessions_requested = Signal()
    rename_requested = Signal()
    incognito_requested = Signal(bool)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("chatHead")
        self._session_id = ""
        self.given_title = ""
        self._incognito = False
        self.mark = IconLabel(self, "eye-closed", "text")
        self.mark.setToolTip(self.tr("Incognito"))
        self.mark.setAccessibleName(self.tr("Incognito"))
        self.mark.hide()
        self.title = ElidedLabel(self, "", mode=Qt.TextElideMode.ElideRight)
        self.new_button = icon_button(self, "add", self.tr("New chat"), self.new_requested.emit, name="newChatButton")
        self.sessions_button = icon_button(self, "history", self.tr("Sessions"), self.sessions_requested.emit, name="sessionsButton")
        self.menu_button = icon_button(self, "ellipsis", self.tr("More"), self._popup, name="chatMenuButton")
        row = QHBoxLayout(self)
        row.setSpacing(2)
        row.addWidget(self.mark)
        self._gap = QSpacerItem(0, 0)
        row.addItem(self._gap)
        row.addWidget(self.title, 1)
        for button in (self.new_button, self.sessions_button, self.menu_button):
            row.addWidget(button)
        self._measure()
        theme.signals.theme_changed.connect(self._measure)
        self.set_title("")

    def _measure(self) -> None:
        present = theme.current()
        self.setFixedHeight(present.px(HEIGHT))
        self._gap.changeSize(present.px(4) if self._incognito else 0, 0)
        self.layout().setContentsMargins(present.px(14), 0, present.px(8), 0)  # type: ignore[union-attr]
        self.layout().invalidate()  # type: ignore[union-attr]

    def set_session(self, session_id: str, title: str) -> None:
        self._session_id = session_id
        self.set_title(title)

    def set_incognito(self, on: bool) -> None:
        """Mark the conversation as one of which nothing is kept."""
        self._incognito = on
        self.mark.setVisible(on)
        self._measure()
        self.set_title(self.given_title)

    def set_title(self, title: str) -> None:
        self.given_title = title
        self.title.set_text(title or (self.tr("Incognito chat") if self._incognito else self.tr("New chat")))

    def menu(self) -> QMenu:
        """What can be done with the open conversation."""
        menu = QMenu(self)
        menu.setObjectName("chatMenu")
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        menu.addAction(self.tr("New Chat"), self.new_requested.emit)
        menu.addAction(self.tr("New Incognito Chat"), lambda: self.incognito_requested.emit(True))
        menu.addAction(self.tr("New Incognito Chat Without Memory"), lambda: self.incognito_requested.emit(False))
        menu.addAction(self.tr("Sessions…"), self.sessions_requested.emit)
        menu.addSeparator()
        kept = bool(self._session_id) and not self._incognito
        menu.addAction(self.tr("Rename…"), self.rename_requested.emit).setEnabled(bool(self._session_id))
        menu.addAction(self.tr("Copy Reference"), self._copy_reference).setEnabled(kept)
        return menu

    def _popup(self) -> None:
        self.menu().popup(self.menu_button.mapToGlobal(self.menu_button.rect().bottomLeft()))

    def _copy_reference(self) -> None:
        QGuiApplication.clipboard().setText(f"#{self._session_id}")
