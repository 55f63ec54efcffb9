"""The session picker (Ctrl+R): a filter line and the sessions over the window, with what can be done below. Emits intents. GUI thread.

What is typed filters at once by title, preview, folder and id; `filter_changed` asks for what the sessions hold, and `set_content` adds it.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QApplication, QHBoxLayout, QLineEdit, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import KeyButton, Surface, icon_button, label
from desktop.ui.sessions.delegate import HEIGHT
from desktop.ui.sessions.facts import OWN
from desktop.ui.sessions.menu import OptionsMenu
from desktop.ui.sessions.model import SessionsModel, empty_text
from desktop.ui.sessions.session_list import INTENTS, SessionList
from desktop.ui.sessions.shown_list import ShownList

WIDTH, ROWS = 700, 8
_STAYS = ("trash_requested", "mark_requested")
"""Intents after which the picker stays open."""
_MOVES = (Qt.Key.Key_Down, Qt.Key.Key_Up, Qt.Key.Key_PageDown, Qt.Key.Key_PageUp)


class SessionPicker(ShownList, Surface):
    """An overlay at the top of its window.

    Attributes:
        list: the sessions; its intents (`session_list.INTENTS`) are this widget's too.
        options: what the list shows, and the menu to choose it.

    Signals:
        filter_changed(str): another text to look for.
        dismissed(): it was closed.
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
    filter_changed = Signal(str)
    dismissed = Signal()

    def __init__(self, window: QWidget) -> None:
        super().__init__(window, ground="editor", border="input_border", radius=6)
        self.setObjectName("sessionPicker")
        self.setAccessibleName(self.tr("Sessions"))
        self._window = window
        self.folder_open = False
        self._before: QWidget | None = None
        self.model = SessionsModel(self)
        self.line = QLineEdit(self)
        self.line.setObjectName("sessionFilter")
        self.line.setPlaceholderText(self.tr("Find a session by title, text or folder"))
        self.line.setAccessibleName(self.line.placeholderText())
        self.list = SessionList(self, self.model)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self._none = label(self, role="secondary")
        self._none.setContentsMargins(10, 8, 10, 8)
        column = QVBoxLayout(self)
        column.setContentsMargins(6, 6, 6, 6)
        column.setSpacing(4)
        top = QHBoxLayout()
        top.setSpacing(4)
        top.addWidget(self.line, 1)
        self.options = OptionsMenu(self)
        self.options_button = icon_button(self, "settings", self.tr("What the list shows"), self._show_options, name="sessionOptionsButton")
        top.addWidget(self.options_button)
        column.addLayout(top)
        column.addWidget(self.list)
        column.addWidget(self._none)
        column.addLayout(self._actions())
        self.line.textChanged.connect(self._filter)
        self.line.installEventFilter(self)
        self.list.chosen_changed.connect(self._on_chosen)
        for name in INTENTS:
            signal = getattr(self, name)
            getattr(self.list, name).connect(signal if name in _STAYS else self._leave_for(signal))
        self.hide()

    def _actions(self) -> QHBoxLayout:
        row = self._action_row = QHBoxLayout()
        row.setContentsMargins(4, 2, 4, 2)
        row.setSpacing(6)
        self.resume_button = KeyButton(self.tr("Resume"), self)
        self.resume_button.clicked.connect(self.list.resume)
        row.addWidget(self.resume_button)
        self.buttons = [self.resume_button]
        for text, slot in (
            (self.tr("Read into Chat…"), self.list.read),
            (self.tr("Copy Reference"), self.list.copy_reference),
            (self.tr("Rename…"), self.list.rename),
            (self.tr("Move to Trash"), self.list.trash),
        ):
            button = KeyButton(text, self, secondary=True)
            button.clicked.connect(slot)
            row.addWidget(button)
            self.buttons.append(button)
        self.resume_button.setToolTip(self.tr("Return"))
        self.buttons[1].setToolTip(self.tr("Ctrl+Return"))
        self.buttons[3].setToolTip("F2")
        row.addStretch(1)
        self.more_button = icon_button(self, "ellipsis", self.tr("More actions"), self._show_menu, name="sessionMoreButton")
        row.addWidget(self.more_button)
        return row

    def _show_menu(self) -> None:
        if self.list.chosen() is not None:
            self.list.menu_for_chosen().popup(self.more_button.mapToGlobal(self.more_button.rect().topLeft()))

    def _show_options(self) -> None:
        self.options.menu(folder_open=self.folder_open).popup(self.options_button.mapToGlobal(self.options_button.rect().bottomLeft()))

    def _on_chosen(self) -> None:
        """What would change a session of another tool cannot be done, and going on with one makes another of ours."""
        session = self.list.chosen()
        own = session is not None and session.source == OWN
        for button in self.buttons[3:]:
            button.setEnabled(own)
        self.resume_button.setText(self.tr("Resume") if own or session is None else self.tr("Continue in Keepsake"))
        self._fit_actions(self.width())

    def _leave_for(self, signal: object) -> object:
        def leave(*values: object) -> None:
            self._put_away()
            signal.emit(*values)  # type: ignore[attr-defined]

        return leave

    # --- showing -----------------------------------------------------------------------------------------------------

    @contextmanager
    def _same_chosen(self) -> Iterator[None]:
        chosen = self.list.chosen()
        row = self.list.currentIndex().row()
        yield
        found = self.model.row_of(chosen.id) if chosen is not None else -1
        self.list.choose(found if found >= 0 else max(0, row))
        self._place()

    def popup(self) -> None:
        """Show the picker with an empty filter and the newest session chosen."""
        if not self.isVisible():
            self._before = QApplication.focusWidget()
            self._window.installEventFilter(self)
        self.line.clear()
        self._filter("")
        self.show()
        self.raise_()
        self.line.setFocus(Qt.FocusReason.PopupFocusReason)

    def dismiss(self) -> None:
        if self._put_away():
            self.dismissed.emit()

    def _put_away(self) -> bool:
        if not self.isVisible():
            return False
        self._window.removeEventFilter(self)
        inside = self.isAncestorOf(QApplication.focusWidget() or self._window)
        self.hide()
        if inside and self._before is not None and self._before.isVisible():
            self._before.setFocus(Qt.FocusReason.PopupFocusReason)
        self._before = None
        return True

    def _filter(self, text: str) -> None:
        self.model.set_filter(text)
        self.list.choose(0)
        self._place()
        self.filter_changed.emit(text)

    def _place(self) -> None:
        present = theme.current()
        count = self.model.rowCount()
        self.list.setVisible(count > 0)
        self._none.setVisible(count == 0)
        self._none.setText(empty_text(self.model))
        for button in (*self.buttons, self.more_button):
            button.setEnabled(count > 0)
        self._on_chosen()
        rows = max(1, min(ROWS, count, (self._window.height() - present.px(170)) // present.px(HEIGHT)))
        self.list.setFixedHeight(rows * present.px(HEIGHT) + 4)
        self.setFixedWidth(min(present.px(WIDTH), max(240, self._window.width() - 40)))
        self._fit_actions(self.width())
        self.adjustSize()
        self.move((self._window.width() - self.width()) // 2, present.px(4))

    def _fit_actions(self, width: int) -> None:
        """Buttons that find no room are left to the menu at the end of the row, the last ones first; their texts are never cut."""
        margins, row = self.layout().contentsMargins(), self._action_row  # type: ignore[union-attr]
        inner = row.contentsMargins()
        room = width - margins.left() - margins.right() - inner.left() - inner.right() - self.more_button.sizeHint().width() - row.spacing()
        for number, button in enumerate(self.buttons):
            room -= button.sizeHint().width() + row.spacing()
            button.setVisible(number == 0 or room >= 0)

    # --- Qt ----------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self._place()
        if watched is not self.line or not isinstance(event, QKeyEvent):
            return False
        if event.type() == QEvent.Type.ShortcutOverride and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return event.type() == QEvent.Type.KeyPress and self._line_key(event)

    def _line_key(self, event: QKeyEvent) -> bool:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        match event.key():
            case Qt.Key.Key_Escape:
                self.dismiss()
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self.list.go(control=control, shift=bool(event.modifiers() & Qt.KeyboardModifier.ShiftModifier))
            case Qt.Key.Key_F2:
                self.list.rename()
            case Qt.Key.Key_Right | Qt.Key.Key_Left if not self.line.text():
                self.list.fold(wanted=event.key() == Qt.Key.Key_Right)
            case key if key in _MOVES:
                step = {Qt.Key.Key_Down: 1, Qt.Key.Key_Up: -1, Qt.Key.Key_PageDown: ROWS, Qt.Key.Key_PageUp: -ROWS}[Qt.Key(key)]
                row, count = self.list.currentIndex().row() + step, self.model.rowCount()
                self.list.choose(row % count if abs(step) == 1 and count else row)
            case _:
                return False
        return True

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.dismiss()
        else:
            super().keyPressEvent(event)
