"""The sessions in the side bar: the same list as the picker's with a filter above, and the trash behind it. Emits intents. GUI thread."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QShowEvent
from PySide6.QtWidgets import QHBoxLayout, QLineEdit, QStackedWidget, QVBoxLayout, QWidget

from desktop.ui.chat.surface import icon_button, label
from desktop.ui.clear_button import add_clear_button
from desktop.ui.sessions.menu import OptionsMenu
from desktop.ui.sessions.model import SessionsModel, empty_text
from desktop.ui.sessions.session_list import INTENTS, SessionList
from desktop.ui.sessions.shown_list import ShownList
from desktop.ui.sessions.trash_view import TrashView


class SessionsView(ShownList, QWidget):
    """See the module's text.

    Attributes:
        list: the sessions; its intents (`session_list.INTENTS`) are this widget's too.
        options: what the list shows, and the menu to choose it.
        trash: what is in the trash, while it is shown.

    Signals:
        new_requested(): a new conversation.
        filter_changed(str): another text to look for.
        trash_shown(): the trash is to be read.
        appeared(): it is seen from now on.
    """

    resume_requested = Signal(str)
    open_requested = Signal(str)
    read_requested = Signal(str)
    fork_requested = Signal(str)
    rename_requested = Signal(str)
    mark_requested = Signal(str, str, bool)
    export_requested = Signal(str, str)
    reveal_requested = Signal(str)
    trash_requested = Signal(str)
    reference_copied = Signal(str)
    new_requested = Signal()
    filter_changed = Signal(str)
    trash_shown = Signal()
    appeared = Signal()

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("sessionsView")
        self.folder_open = False
        self.model = SessionsModel(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self._list_page())
        self.trash = TrashView(self)
        self.pages.addWidget(self.trash)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 0)
        column.addWidget(self.pages)
        self.line.textChanged.connect(self._filter)
        self.options.trash_requested.connect(self.show_trash)
        self.trash.back_requested.connect(self.show_list)
        for name in INTENTS:
            getattr(self.list, name).connect(getattr(self, name))
        self._say()

    def _list_page(self) -> QWidget:
        page = QWidget(self)
        self.line = QLineEdit(page)
        self.line.setPlaceholderText(self.tr("Filter sessions"))
        self.line.setAccessibleName(self.line.placeholderText())
        add_clear_button(self.line)
        self.list = SessionList(page, self.model)
        self.list.setObjectName("sessionsList")
        self._none = label(page, role="secondary", wrap=True)
        self._none.setAlignment(Qt.AlignmentFlag.AlignTop)
        self._none.setContentsMargins(14, 4, 14, 4)
        self.options = OptionsMenu(self)
        self.options_button = icon_button(
            page, "ellipsis", self.tr("What the list shows"), self._show_options, name="sessionsOptionsButton"
        )
        row = QHBoxLayout()
        row.setContentsMargins(12, 0, 8, 0)
        row.setSpacing(4)
        row.addWidget(self.line, 1)
        row.addWidget(icon_button(page, "add", self.tr("New chat"), self.new_requested.emit, name="newSessionButton"))
        row.addWidget(self.options_button)
        column = QVBoxLayout(page)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        column.addLayout(row)
        column.addWidget(self.list, 1)
        column.addWidget(self._none)
        column.addStretch(0)  # without a list the text stands at the top
        return page

    # --- what is shown -----------------------------------------------------------------------------------------------

    @contextmanager
    def _same_chosen(self) -> Iterator[None]:
        chosen, at = self.list.chosen(), self.list.verticalScrollBar().value()
        before = self.list.currentIndex().row()
        yield
        if chosen is not None:
            row = self.model.row_of(chosen.id)
            self.list.choose(row if row >= 0 else before)  # what went leaves its place to the one behind it
        self.list.verticalScrollBar().setValue(at)
        self._say()

    def show_trash(self) -> None:
        self.pages.setCurrentWidget(self.trash)
        self.trash.set_focus()
        self.trash_shown.emit()

    def show_list(self) -> None:
        self.pages.setCurrentIndex(0)
        self.list.setFocus()

    @property
    def shows_trash(self) -> bool:
        return self.pages.currentWidget() is self.trash

    def _show_options(self) -> None:
        button = self.options_button
        self.options.menu(folder_open=self.folder_open).popup(button.mapToGlobal(button.rect().bottomLeft()))

    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self.list.choose(0)
        self._say()
        self.filter_changed.emit(text)

    def _say(self) -> None:
        count = self.model.rowCount()
        self.list.setVisible(count > 0)
        self._none.setVisible(count == 0)
        self._none.setText(empty_text(self.model))

    def showEvent(self, event: QShowEvent) -> None:
        super().showEvent(event)
        self.appeared.emit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Down and self.line.hasFocus():
            self.list.setFocus()
            self.list.choose(max(0, self.list.currentIndex().row()))
        else:
            super().keyPressEvent(event)
