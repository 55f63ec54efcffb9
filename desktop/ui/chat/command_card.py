"""What a slash command gave, as a card in the chat: the result, buttons for what can be opened or chosen, Undo for what was changed.

Not part of the conversation: nothing of it is sent or stored. `CommandCards` brings composer, controller and list together. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QRectF, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QApplication, QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.agent.slash import CommandAction, CommandResult, parse
from desktop.bridge.operations import Failure
from desktop.messages.events import MemoryChangeRef
from desktop.ui import theme
from desktop.ui.chat.body import MessageBody
from desktop.ui.chat.composer import Composer
from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.message_list import MessageList
from desktop.ui.chat.surface import ElidedLabel, KeyButton, Surface, icon_button, label, menu_text, tip
from desktop.ui.controllers.chat_commands import ChatCommands, CommandDone
from desktop.ui.controllers.chat_controller import ChatController
from desktop.ui.markdown import shown
from desktop.ui.settings.flow import FlowRow

_ICONS = {
    "/memory": "database",
    "/remember": "bookmark",
    "/forget": "trash",
    "/recall": "search",
    "/context": "pie-chart",
    "/status": "info",
}
"""Codicons; the memory colour stands only where something was remembered."""
LABEL = 40
"""Characters of a name on a button."""


class CommandCard(Surface):
    """One result.

    Signals:
        action_requested(CommandAction): a button was pressed.
        undo_requested(tuple[MemoryChangeRef, ...]): take these changes back; `show_undone` says what came of it.
        closed(): the person does not need it any more.
    """

    action_requested = Signal(object)
    undo_requested = Signal(object)
    closed = Signal()

    def __init__(self, parent: QWidget, typed: str, result: CommandResult) -> None:
        error = result.status == "error"
        super().__init__(parent, ground="code", border="removed" if error else "border")
        self.setObjectName("commandCard")
        self.result = result
        self._changes = result.changes
        self._undone = self._undoing = False
        self.setAccessibleName(shown(typed))
        self.setAccessibleDescription(shown(result.text).partition("\n")[0])
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(12, 8, 8, 10)
        self._column.setSpacing(6)
        self._column.addLayout(self._head(typed, result))
        self.body = MessageBody(self)
        self.body.set_text(shown(result.text))
        self._column.addWidget(self.body)
        self.choices: list[KeyButton] = []
        self.buttons: list[KeyButton] = []
        self.undo_button: KeyButton | None = None
        self.note = label(self, role="secondary", wrap=True)
        self.note.hide()
        self._lay_out(result)

    def _head(self, typed: str, result: CommandResult) -> QHBoxLayout:
        row = QHBoxLayout()
        row.setSpacing(8)
        remembered = result.command == "/remember" and bool(result.changes)
        error = result.status == "error"
        token = "removed" if error else "memory" if remembered else "link"
        row.addWidget(IconLabel(self, "error" if error else _ICONS.get(result.command, "terminal"), token))
        title = ElidedLabel(self, typed, mode=Qt.TextElideMode.ElideRight)
        title.setProperty("role", "secondary")
        row.addWidget(title, 1)
        self.close_button = icon_button(self, "close", self.tr("Close"), self.closed.emit, name="closeCommand")
        row.addWidget(self.close_button)
        return row

    def _lay_out(self, result: CommandResult) -> None:
        choosing = result.status == "ask"
        if choosing:
            self.body.set_text(shown(result.text).partition("\n\n")[0])  # the numbered lines are buttons here
            for action in result.actions:
                self.choices.append(self._choice(action))
                self._column.addWidget(self.choices[-1])
        row = FlowRow(self)
        if self._changes:
            self.undo_button = KeyButton(self.tr("Undo"), self, secondary=True)
            self.undo_button.clicked.connect(self._undo)
            self.buttons.append(self.undo_button)
        self.buttons += [self._button(action) for action in result.actions if not choosing]
        for button in self.buttons:
            row.add(button)
        row.setVisible(bool(self.buttons))
        self._column.addWidget(self.note)
        self._column.addWidget(row)

    def _button(self, action: CommandAction) -> KeyButton:
        said = shown(action.label)
        button = KeyButton(menu_text(said if len(said) <= LABEL else f"{said[:LABEL]}…"), self, secondary=True)
        button.setToolTip(tip(action.path or said))
        button.setAccessibleName(shown(action.label))
        button.clicked.connect(lambda: self.action_requested.emit(action))
        return button

    def _choice(self, action: CommandAction) -> KeyButton:
        """A row as wide as the card: the name, and below it what tells it from the others."""
        name, about = shown(action.label), shown(action.detail or f"{action.root}: {action.path}")
        button = _ChoiceButton(name, about, self)
        button.clicked.connect(lambda: self._chosen(action))
        return button

    def _chosen(self, action: CommandAction) -> None:
        for button in self.choices:
            button.setEnabled(False)
        self.action_requested.emit(action)

    def _undo(self) -> None:
        if not self._undoing:  # the button stays enabled: a disabled one would lose the focus to whatever comes next
            self._undoing = True
            self.undo_requested.emit(self._changes)

    def show_undone(self, changes: Sequence[MemoryChangeRef], failure: Failure | None) -> None:
        """What came of Undo or Redo: `changes` are those that reverse it again."""
        self._undoing = False
        if failure is not None:
            self._say(failure.text())
        if changes:
            self._undone = not self._undone
            self._changes = tuple(changes)[::-1]
            self._say(self.tr("Undone.") if self._undone else self.tr("Redone."))
        if self.undo_button is not None:
            self.undo_button.setText(self.tr("Redo") if self._undone else self.tr("Undo"))

    def _say(self, text: str) -> None:
        self.note.setText(shown(text))
        self.note.show()


class _ChoiceButton(KeyButton):
    """One memory that may be meant: its name, and below it what tells it from the others."""

    def __init__(self, name: str, about: str, parent: QWidget) -> None:
        super().__init__("", parent, secondary=True)
        self.setObjectName("commandChoice")
        self._name, self._about = name.replace("\n", " "), about.replace("\n", " ")
        self.setAccessibleName(f"{self._name}. {self._about}")
        self.setToolTip(tip(self._about))
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setAttribute(Qt.WidgetAttribute.WA_Hover)
        theme.signals.theme_changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        lines = 2 * QFontMetrics(self.font()).lineSpacing()
        return QSize(120, lines + theme.current().px(12))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.EnabledChange):
            self.updateGeometry()
            self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        present, metrics = theme.current(), QFontMetrics(self.font())
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        near = self.isEnabled() and (self.underMouse() or self.isDown())
        painter.setPen(QPen(present.color("focus" if self.hasFocus() else "input_border"), 1))
        painter.setBrush(present.color("hover" if near else "editor"))
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), present.px(4), present.px(4))
        pad, line = present.px(10), metrics.lineSpacing()
        top = (self.height() - 2 * line) // 2
        room = self.width() - 2 * pad
        for number, (text, token) in enumerate(((self._name, "text"), (self._about, "secondary"))):
            painter.setPen(present.color(token if self.isEnabled() else "disabled"))
            shown_text = metrics.elidedText(text, Qt.TextElideMode.ElideRight, room)
            painter.drawText(pad, top + number * line + metrics.ascent(), shown_text)
        painter.end()


class CommandCards(QObject):
    """Runs what is typed as a command, and shows what came of it at the end of the list.

    Signals:
        memory_open_requested(path, root id): show this file of memory.
        settings_requested(): show the memory settings.
        window_command_requested(str): the id of a command of the window.
        card_shown(CommandCard): a card is in the list.
    """

    memory_open_requested = Signal(str, str)
    settings_requested = Signal()
    window_command_requested = Signal(str)
    card_shown = Signal(object)

    def __init__(
        self, commands: ChatCommands, controller: ChatController, composer: Composer, messages: MessageList, parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._commands = commands
        self._controller = controller
        self._composer = composer
        self._messages = messages
        composer.command_requested.connect(self.run)
        commands.done.connect(self._on_done)

    def run(self, text: str) -> None:
        """Carry out a typed command; it leaves the composer."""
        found = parse(text)
        if found is None:
            return
        command, behind = found
        self._composer.accepted()
        self._composer.flush_draft()
        if command.name == "rename" and behind:
            self._controller.rename(behind)
        elif not command.is_windows(behind):
            self._commands.run(text)
        else:
            self.window_command_requested.emit(command.window)

    def _on_done(self, done: CommandDone) -> None:
        if done.result.draft and not self._composer.text.strip():
            self._composer.set_text(done.result.draft)
        if done.result.opens:
            self._controller.resume(done.result.opens)
        if done.result.quiet:
            return
        card = CommandCard(self._messages.inside, done.typed, done.result)
        card.action_requested.connect(self._act)
        card.undo_requested.connect(lambda changes: self._commands.undo(changes, card.show_undone))
        card.closed.connect(lambda: self._close(card))
        self._messages.add(card)
        self.card_shown.emit(card)
        QTimer.singleShot(0, card, lambda: self._bring(card))

    def _bring(self, card: CommandCard) -> None:
        """Show its beginning; the first choice gets the focus, unless an input method is in the middle of a word."""
        self._messages.scroll_to_bottom()
        if card.height() > self._messages.viewport().height():
            self._messages.verticalScrollBar().setValue(card.y())
        if card.choices and not self._composer.text and not self._composer.edit.composing and self._composer.edit.hasFocus():
            card.choices[0].setFocus(Qt.FocusReason.OtherFocusReason)

    def _close(self, card: CommandCard) -> None:
        """The focus goes back to where the command was typed, not to whatever comes next."""
        focus = QApplication.focusWidget()
        if focus is not None and card.isAncestorOf(focus):
            self._composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)
        self._messages.remove(card)

    def _act(self, action: CommandAction) -> None:
        if action.act == "open":
            self.memory_open_requested.emit(action.path, action.root)
        elif action.act == "command":
            self._composer.edit.setFocus(Qt.FocusReason.OtherFocusReason)  # the choices are used up
            self._commands.run(action.text)
        else:
            self.settings_requested.emit()
