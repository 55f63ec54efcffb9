"""The composer: text field, completion of `#` and `/`, size estimate, mode and model, context meter, send and stop. Emits intents only.

A text that is a slash command is no message: it goes another way, also while a turn runs. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QActionGroup, QDragEnterEvent, QDropEvent
from PySide6.QtWidgets import QHBoxLayout, QMenu, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.agent.slash import SlashCommand, near, parse
from desktop.base.words import estimate_tokens
from desktop.bridge.spoken import spoken
from desktop.permissions.access import Mode
from desktop.sessions.references import find_references
from desktop.sessions.summary import SessionSummary
from desktop.ui import icons, theme
from desktop.ui.chat.completion import Completion, CompletionList, Source, awaited, command_proposals, open_command, open_word
from desktop.ui.chat.composer_edit import SESSION_MIME, ComposerEdit, dragged_sessions
from desktop.ui.chat.context_meter import ContextMeter
from desktop.ui.chat.pasted import plain
from desktop.ui.chat.pasted_row import PastedChip, PastedRow
from desktop.ui.chat.reference_row import ReferenceRow, SessionChip
from desktop.ui.chat.surface import Surface, label, menu_text, tip
from desktop.ui.markdown import shown
from desktop.ui.sessions.facts import title_text
from desktop.ui.tab_order import put_before

ESTIMATE_FROM = 1_500
DRAFT_MS = 800
"""A draft is given away this long after the last key, at the latest `DRAFT_LATEST_MS` after the first."""
DRAFT_LATEST_MS = 1_500


class Composer(Surface):
    """See the module's text.

    Signals:
        send_requested(str), stop_requested()
        command_requested(str): a slash command with all that it needs; `accepted` takes it out of the field.
        mode_requested(str), model_requested(str)
        draft_changed(str): at most 1.5 s after a change; with marks around what is folded (see `pasted`).
        session_requested(str): show a session that the message refers to.
    """

    send_requested = Signal(str)
    command_requested = Signal(str)
    stop_requested = Signal()
    mode_requested = Signal(str)
    model_requested = Signal(str)
    draft_changed = Signal(str)
    session_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ground="input", border="input_border", radius=6)
        self.setObjectName("composerFrame")
        self._running = self._said_busy = self._declined = False
        self._asked: str | None = None
        self._doubted = ""
        self._source: Source = _nothing
        self.edit = ComposerEdit(self)
        self.set_remembers(True)
        self.setFocusProxy(self.edit)
        self.setAcceptDrops(True)
        self.references = ReferenceRow(self)
        self.references.removed.connect(self._remove_reference)
        self.references.open_requested.connect(self.session_requested)
        self.pasted = PastedRow(self)
        self.pasted.expanded.connect(self._expand_piece)
        self.pasted.removed.connect(self._remove_piece)
        self.edit.piece_pressed.connect(self._show_piece)
        self.completion = CompletionList(parent)
        self.estimate = label(self, role="secondary")
        self.estimate.hide()
        self.hint = label(self, role="secondary", wrap=True)
        self.hint.setObjectName("composerHint")
        self.hint.hide()
        self.meter = ContextMeter(self)
        self.mode_button = self._menu_button("modeButton")
        self.mode_button.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.mode_button.setMinimumWidth(0)  # in a narrow pane the model's name is cut
        self.model_button = self._menu_button("modelButton")
        self.send_button = self._round("sendButton", "send", self.tr("Send"), self._send)
        self.stop_button = self._round("stopButton", "debug-stop", self.tr("Stop"), self.stop_requested.emit)
        self.stop_button.hide()
        self._modes: dict[str, str] = {}
        self._draft = QTimer(self)
        self._draft.setSingleShot(True)
        self._latest = QTimer(self)
        self._latest.setSingleShot(True)
        for timer in (self._draft, self._latest):
            timer.timeout.connect(self.flush_draft)
        self._lay_out()
        self._fill_modes()
        self.set_models((), "")
        self.edit.send_requested.connect(self._send)
        self.edit.textChanged.connect(self._text_changed)
        self.edit.cursorPositionChanged.connect(self._complete)
        self.edit.completion_key.connect(self._completion_key)
        self.edit.focus_changed.connect(lambda focused: self.set_tokens(border="focus" if focused else "input_border"))
        self.completion.chosen.connect(self._insert)
        self._text_changed()
        self._draft.stop()
        self._latest.stop()

    def _lay_out(self) -> None:
        foot = QHBoxLayout()
        foot.setContentsMargins(0, 0, 0, 0)
        foot.setSpacing(2)
        foot.addWidget(self.mode_button)
        foot.addWidget(self.model_button)
        foot.addStretch(1)
        foot.addWidget(self.estimate)
        foot.addSpacing(6)
        foot.addWidget(self.meter)
        foot.addSpacing(4)
        foot.addWidget(self.send_button)
        foot.addWidget(self.stop_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(8, 8, 6, 6)
        column.setSpacing(4)
        column.addWidget(self.references)
        column.addWidget(self.pasted)
        column.addWidget(self.edit)
        column.addWidget(self.hint)
        column.addLayout(foot)

    def _round(self, name: str, icon_name: str, text: str, slot: object) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setToolTip(text)
        edge = theme.current().px(icons.SIZE)
        button.setIconSize(QSize(edge, edge))
        icons.bind(button, icon_name)
        button.clicked.connect(slot)
        return button

    def _menu_button(self, name: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(name)
        button.setPopupMode(QToolButton.ToolButtonPopupMode.InstantPopup)
        button.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
        button.setMinimumWidth(24)
        button.setMenu(QMenu(button))
        return button

    # --- mode and model ----------------------------------------------------------------------------------------------

    def _fill_modes(self) -> None:
        self._modes = {
            "default": self.tr("Ask first"),
            "accept-edits": self.tr("Accept edits"),
            "plan": self.tr("Plan"),
        }
        explained = {
            "default": self.tr("Ask first: writing and running is asked for"),
            "accept-edits": self.tr("Accept edits: files of the workspace are written without a question"),
            "plan": self.tr("Plan: read and think, change nothing but memory"),
        }
        menu = self.mode_button.menu()
        group = QActionGroup(menu)
        for mode, text in explained.items():
            action = menu.addAction(text)
            action.setCheckable(True)
            action.setData(mode)
            group.addAction(action)
        menu.triggered.connect(lambda action: self.mode_requested.emit(action.data()))
        self.set_mode("default")

    def set_mode(self, mode: Mode) -> None:
        self.mode_button.setText(self._modes.get(mode, mode))
        self.mode_button.setAccessibleName(self.tr("Mode: {mode}").format(mode=self._modes.get(mode, mode)))
        self.mode_button.setToolTip(self.tr("What may be done without asking"))
        for action in self.mode_button.menu().actions():
            action.setChecked(action.data() == mode)

    def set_models(self, models: Sequence[tuple[str, str]], current: str) -> None:
        """(id, label) of what can be chosen, and the id in use."""
        menu = self.model_button.menu()
        menu.clear()
        for before in menu.findChildren(QActionGroup):
            before.deleteLater()  # `clear` leaves it, and every chat that opens comes here
        group = QActionGroup(menu)
        name = current
        for model_id, said_name in models:
            text = spoken(said_name)
            action = menu.addAction(menu_text(text))
            action.setCheckable(True)
            action.setChecked(model_id == current)
            action.setData(model_id)
            action.triggered.connect(lambda _checked=False, chosen=model_id: self.model_requested.emit(chosen))
            group.addAction(action)
            name = text if model_id == current else name
        if models:
            menu.addSeparator()
        more = menu.addAction(self.tr("Models and Keys…"))
        more.triggered.connect(lambda: self.model_requested.emit(""))
        said = shown(name) or self.tr("No model")
        metrics = self.model_button.fontMetrics()
        self.model_button.setText(menu_text(metrics.elidedText(said, Qt.TextElideMode.ElideMiddle, theme.current().px(190))))
        self.model_button.setAccessibleName(self.tr("Model: {model}").format(model=said))
        self.model_button.setToolTip(tip(said))

    # --- state -------------------------------------------------------------------------------------------------------

    def set_running(self, running: bool) -> None:
        """While a turn runs there is Stop in the place of Send."""
        self._running = running
        self.send_button.setVisible(not running)
        self.stop_button.setVisible(running)
        if not running and self._said_busy:
            self.say(self.tr("The agent is done. Press Enter to send."))
        self.send_button.setEnabled(bool(self.text.strip()))

    def say(self, text: str) -> None:
        """A hint about what is typed, until the text changes; empty for none."""
        self._said_busy = False
        self.hint.setText(text)
        self.hint.setVisible(bool(text))
        self.edit.setAccessibleDescription(text)

    def say_busy(self) -> None:
        """What is typed cannot be sent now, and stays."""
        self.say(self.tr("The agent is still working. Press Esc to stop it, or send when it is done."))
        self._said_busy = True

    @property
    def text(self) -> str:
        """What is written, whole."""
        return self.edit.text

    @property
    def draft(self) -> str:
        """The same as it is folded; what `set_text` and `set_draft` take back."""
        return self.edit.draft

    def set_remembers(self, on: bool) -> None:
        """Whether something can be remembered from this conversation: an empty field asks for nothing else."""
        if on:
            self.edit.set_placeholder(
                self.tr("Ask, or say what to remember. # for sessions, / for commands"),
                self.tr("Ask or tell. # for sessions, / for commands"),
            )
        else:
            self.edit.set_placeholder(self.tr("Ask. # for sessions, / for commands"))

    def set_text(self, text: str) -> None:
        self.edit.put(text)

    def set_draft(self, text: str) -> None:
        """Show a stored draft; this is no change that has to be stored, and undo does not lead to what another conversation holds."""
        self.edit.put(text, undo=False)
        self._draft.stop()
        self._latest.stop()

    def set_completion_source(self, source: Source) -> None:
        self._source = source

    def refresh_completion(self) -> None:
        """The source knows more of the word than it did."""
        if self.completion.isVisible() and not self.completion.commands:
            self._complete(keep=True)
        elif not self.edit.completing and not self._declined:
            self._complete()

    def set_session_source(self, find: Callable[[str], SessionSummary | None]) -> None:
        """What is known of a session by its id, for the chips."""
        self.references.summary_of = find

        def title_of(session_id: str) -> str:
            found = find(session_id)
            return title_text(found) if found is not None else ""

        self.edit.pills.title_of = title_of

    def refresh_references(self) -> None:
        """The list of sessions changed."""
        if self.references.show_text(self.text):
            self._order_stops()
            self.edit.refresh_pills()

    def _remove_reference(self, session_id: str) -> None:
        self.edit.remove_reference(session_id)
        self.edit.setFocus()

    def flush_draft(self) -> None:
        """Give the draft away now."""
        self._draft.stop()
        self._latest.stop()
        self.draft_changed.emit(self.draft)

    def _send(self) -> None:
        if self.edit.composing or not self.text.strip() or self._is_doubtful():
            return
        command = parse(self.text)
        if command is not None and command[0].needs_text and not command[1]:
            self.say(_usage(command[0]))
            return
        if command is None and self._running:
            self.say_busy()
            return
        self._asked = self.draft
        (self.send_requested if command is None else self.command_requested).emit(self.text)

    def _is_doubtful(self) -> bool:
        """A lone word that looks like a mistyped command is asked about once; sent again it is a message."""
        meant = near(self.text)
        if meant is None or self.text == self._doubted:
            return False
        self._doubted = self.text
        asked = self.tr("There is no command {typed}. Did you mean {command}? Press Enter again to send it as a message.")
        self.say(asked.format(typed=shown(self.text.strip()), command=meant.typed))
        return True

    def accepted(self) -> None:
        """The message was taken: take it out of the field; what was typed since stays. A message that was not typed here takes nothing.

        Its draft is cleared by the controller once the message is on disk.
        """
        asked, self._asked = self._asked, None
        if asked is None:
            return
        self.edit.remember(asked)
        now = self.draft
        if not now.startswith(asked):  # a piece may have been unfolded since
            now, asked = self.text, plain(asked)
        if now.startswith(asked):
            self.edit.clear()
            self.edit.put(now.removeprefix(asked).lstrip("\n"))
        if not self.text:
            self._draft.stop()
            self._latest.stop()

    def _text_changed(self) -> None:
        text = self.text
        command = awaited(text) if text.endswith(" ") else None
        if command is not None:
            self.say(_usage(command))
        elif not self.hint.isHidden():
            self.say("")
        self.send_button.setEnabled(bool(text.strip()))
        others = self.references.show_text(text)
        if self._show_pieces(len(text) >= ESTIMATE_FROM) or others:
            self._order_stops()
        self._draft.start(DRAFT_MS)
        if not self._latest.isActive():
            self._latest.start(DRAFT_LATEST_MS)

    @property
    def first_stop(self) -> QWidget:
        """Where Tab comes first."""
        return next((stop for chip in self._chips() for stop in chip.stops), self.edit)

    def _chips(self) -> list[SessionChip | PastedChip]:
        return [*self.references.chips, *self.pasted.chips]

    def _order_stops(self) -> None:
        """Tab leads through the chips, which stand above the text, and then into it."""
        put_before(self.edit, [stop for chip in self._chips() for stop in chip.stops])

    def _show_pieces(self, big: bool) -> bool:
        """Chips for what is folded, and the size of a big message; whether the chips are others than before."""
        raw = self.edit.toPlainText()
        pieces = [(one.number, self.edit.pieces[one.number]) for one in self.edit.pieces.found(raw)]
        others = self.pasted.show_pieces([(number, self.edit.pieces.caption(piece), piece) for number, piece in pieces])
        self.estimate.setVisible(big)
        if big:
            tokens = estimate_tokens(raw if len(raw) <= 200_000 else raw[:200_000]) * max(1, len(raw) // 200_000)
            tokens += sum(piece.tokens for _number, piece in pieces)
            self.estimate.setText(self.tr("about {n} tokens").format(n=f"{tokens:,}"))
        return others

    def _show_piece(self, which: int) -> None:
        if which < len(self.pasted.chips):
            self.pasted.chips[which].preview()

    def _expand_piece(self, which: int) -> None:
        self.edit.expand_piece(which)
        self.edit.setFocus()

    def _remove_piece(self, which: int) -> None:
        self.edit.remove_piece(which)
        self.edit.setFocus()

    # --- completion --------------------------------------------------------------------------------------------------

    def _complete(self, *, keep: bool = False) -> None:
        self._declined = False
        cursor = self.edit.textCursor()
        before = self.edit.before_cursor()
        able = self.edit.hasFocus() and not self.edit.composing
        command = open_command(before) if able and cursor.blockNumber() == 0 else None
        word = open_word(before[-80:]) if able and command is None else None
        found = command_proposals(command) if command is not None else self._source(word) if word is not None else ()
        parent = self.completion.parentWidget()
        corner = self.mapTo(parent, QPoint(0, 0)) if parent is not None else QPoint(0, 0)
        self.completion.show_for(found, corner.x(), corner.y() - 4, self.width(), commands=command is not None, keep=keep)
        self.edit.completing = bool(found)

    def _completion_key(self, key: int) -> None:
        """Return on a command that is typed out already carries it out."""
        typed, current = self.text.strip(), self.completion.current
        if key in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and current is not None and typed == current.insert and not awaited(typed):
            self.completion.hide()
            self.edit.completing = False
            self._send()
            return
        self.completion.key(key)
        self.edit.completing = self.completion.isVisible()
        self._declined = key == Qt.Key.Key_Escape

    # --- dropping ----------------------------------------------------------------------------------------------------

    def dragEnterEvent(self, event: QDragEnterEvent) -> None:
        """Sessions may be dropped beside the text field too."""
        if event.mimeData().hasFormat(SESSION_MIME):
            event.acceptProposedAction()

    def dropEvent(self, event: QDropEvent) -> None:
        self.edit.insert_references(dragged_sessions(event.mimeData()))
        event.acceptProposedAction()
        self.edit.setFocus()

    def _insert(self, completion: Completion) -> None:
        cursor = self.edit.textCursor()
        before = self.edit.before_cursor()
        command = open_command(before) if completion.insert.startswith("/") else None
        word = before if command is not None else "#" + (open_word(before[-80:]) or "")
        for _ in range(len(word)):
            cursor.deletePreviousChar()
        self.edit.setTextCursor(cursor)
        if command is not None or completion.insert.removeprefix("#") in find_references(self.text):
            cursor.insertText(completion.insert + " " if command is not None else "")
            self.edit.setTextCursor(cursor)
        else:
            self.edit.insert_references([completion.insert.removeprefix("#")])
        self.edit.completing = False
        self.edit.setFocus()


def _usage(command: SlashCommand) -> str:
    """How a command is typed and what it does."""
    return f"{command.typed} {spoken(command.arguments)} – {spoken(command.summary)}"


def _nothing(word: str) -> Sequence[Completion]:
    return ()
