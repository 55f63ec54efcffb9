"""The question before something is written, run or read outside: what exactly, where exactly, why. The card takes no Return by accident.

It shows the resolved target and the exact content, whole. The first focus is on the card itself, so that what a person is typing when
it appears can answer nothing; Ctrl+Return allows once, Tab reaches the buttons. GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QGridLayout, QHBoxLayout, QLineEdit, QSizePolicy, QVBoxLayout, QWidget

from desktop.bridge.spoken import sentences, spoken
from desktop.messages.events import ApprovalAnswer, ApprovalChoice, ApprovalRequest
from desktop.ui.chat.diff_view import DiffView
from desktop.ui.chat.exact import ExactView, exact
from desktop.ui.chat.fold import FoldRow, IconLabel
from desktop.ui.chat.surface import KeyButton, Surface, label
from desktop.ui.markdown import shown


class ApprovalCard(Surface):
    """One question.

    Attributes:
        request: what is asked.
        answer: what was answered, or None.

    Signals:
        answered(ApprovalAnswer): by the person, once.
    """

    answered = Signal(object)

    def __init__(self, parent: QWidget, request: ApprovalRequest) -> None:
        super().__init__(parent, ground="code", border="warning")
        self.setObjectName("approvalCard")
        self.request = request
        self.answer: ApprovalAnswer | None = None
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        named = self.tr("Permission needed: {title}. {target}").format(title=spoken(request.title), target=request.target[:300])
        self.setAccessibleName(exact(named).text)
        self.setAccessibleDescription(spoken(request.reason))
        outer = QVBoxLayout(self)
        outer.setContentsMargins(12, 10, 12, 10)
        outer.setSpacing(8)
        self._add_head(outer)
        self._question = QWidget(self)
        outer.addWidget(self._question)
        self._column = QVBoxLayout(self._question)
        self._column.setContentsMargins(0, 0, 0, 2)
        self._column.setSpacing(8)
        if request.reason:
            self._column.addWidget(label(self, request.reason, role="secondary", wrap=True))
        self._add_facts()
        self._add_content()
        self._buttons = QWidget(self)
        self._add_buttons()
        self._column.addWidget(self._buttons)

    def _add_head(self, outer: QVBoxLayout) -> None:
        row = QHBoxLayout()
        row.setSpacing(8)
        self.icon = IconLabel(self, "shield", "warning")
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        self.title = label(self, self.request.title, wrap=True)
        font = self.title.font()
        font.setBold(True)
        self.title.setFont(font)
        row.addWidget(self.title, 1)
        self.state = label(self, role="secondary")
        self.state.hide()
        row.addWidget(self.state, 0, Qt.AlignmentFlag.AlignTop)
        outer.addLayout(row)

    def _add_facts(self) -> None:
        """Where it happens; for a command that is the command itself, which stands below, whole."""
        self.target: ExactView | None = None
        if not self.request.target or self.request.target == self.request.content:
            return
        grid = QGridLayout()
        grid.setHorizontalSpacing(8)
        grid.addWidget(label(self, self.tr("Target"), role="secondary"), 0, 0, Qt.AlignmentFlag.AlignTop)
        self.target = ExactView(self, self.request.target, lines=4, wrap=True)
        self.target.setObjectName("approvalTarget")
        self.target.setAccessibleName(self.tr("Target"))
        grid.addWidget(self.target, 0, 1)
        grid.setColumnStretch(1, 1)
        self._column.addLayout(grid)

    def _add_content(self) -> None:
        request = self.request
        self.content: ExactView | None = None
        if request.diff:
            self._column.addWidget(_framed(DiffView(self, request.diff), self))
            if request.content:
                self.fold = FoldRow(self, self.tr("Exact content"), secondary=True)
                self.fold.toggled.connect(self._show_content)
                self._column.addWidget(self.fold)
                self._fold_at = self._column.count()
        elif request.content:
            self._make_content()

    def _make_content(self, at: int = -1) -> None:
        self.content = ExactView(self, self.request.content)
        self.content.setAccessibleName(self.tr("Exact content"))
        self._frame = _framed(self.content, self)
        if at < 0:
            self._column.addWidget(self._frame)
        else:
            self._column.insertWidget(at, self._frame)
        if self.content.escapes:
            said = self.tr("Characters that cannot be seen, shown as escapes: {n}").format(n=self.content.escapes)
            warning = label(self, said, role="error", wrap=True)
            self._column.insertWidget(self._column.indexOf(self._frame) + 1, warning)

    def _show_content(self, is_open: bool) -> None:
        if self.content is None:
            self._make_content(self._fold_at)
        self._frame.setVisible(is_open)

    def _add_buttons(self) -> None:
        column = QVBoxLayout(self._buttons)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(6)
        self._row = QGridLayout()
        self._row.setSpacing(6)
        self._columns = 0
        self.once = self._button(self.tr("Allow Once"), "once", secondary=False)
        self.session = self._button(self.tr("For This Chat"), "session")
        self.always = self._button(self.tr("Always"), "always")
        self.deny = self._button(self.tr("Deny"), "deny")
        key = QKeySequence("Ctrl+Return").toString(QKeySequence.SequenceFormat.NativeText)
        self.once.setToolTip(key)
        self._buttons.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._arrange(1_000)
        self.reason = QLineEdit(self._buttons)
        self.reason.setObjectName("denyReason")
        self.reason.setPlaceholderText(self.tr("Why not? (optional, told to the model)"))
        self.reason.setAccessibleName(self.tr("Reason for denying"))
        self.reason.returnPressed.connect(self.deny.click)
        column.addLayout(self._row)
        column.addWidget(self.reason)
        self.hint = label(self, self.tr("{key} allows it once.").format(key=key), role="secondary", wrap=True)
        column.addWidget(self.hint)

    def _arrange(self, width: int) -> None:
        """The buttons in one row, or two by two where the pane is narrow."""
        buttons = (self.once, self.session, self.always, self.deny)
        columns = 4 if sum(one.sizeHint().width() for one in buttons) + 3 * self._row.spacing() <= width else 2
        if columns == self._columns:
            return
        self._columns = columns
        for at, button in enumerate(buttons):
            self._row.addWidget(button, at // columns, at % columns)
        self._row.setColumnStretch(len(buttons), 1)

    def _button(self, text: str, choice: ApprovalChoice, *, secondary: bool = True) -> KeyButton:
        button = KeyButton(text, self._buttons, secondary=secondary)
        button.setObjectName(f"approve_{choice}")
        button.clicked.connect(lambda: self._choose(choice))
        return button

    def _choose(self, choice: ApprovalChoice) -> None:
        if self.answer is None:
            given = ApprovalAnswer(choice, self.reason.text().strip() if choice == "deny" else "")
            self.resolve(given)
            self.answered.emit(given)

    def resolve(self, answer: ApprovalAnswer) -> None:
        """Show what was answered; the buttons go."""
        self.answer = answer
        words: dict[ApprovalChoice, str] = {
            "once": self.tr("Allowed once."),
            "session": self.tr("Allowed for this chat."),
            "always": self.tr("Always allowed."),
            "deny": self.tr("Denied."),
        }
        self._close(sentences(words[answer.choice], answer.reason))

    def expire(self) -> None:
        """The turn ended before an answer came."""
        if self.answer is None:
            self._close(self.tr("Not answered: the turn was stopped."))

    def _close(self, text: str) -> None:
        """One line stays: what it was and what became of it. The call's own card has the content."""
        self._question.hide()
        font = self.title.font()
        font.setBold(False)
        self.title.setFont(font)
        self.state.setText(shown(text))
        self.state.show()
        self.icon.set_icon("shield", "secondary")
        self.set_tokens(ground="", border="border")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)

    @property
    def open(self) -> bool:
        """Still waiting for an answer."""
        return not self._question.isHidden()

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        margins = self.contentsMargins().left() + self.contentsMargins().right() + 24
        self._arrange(self.width() - margins)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        control = bool(event.modifiers() & Qt.KeyboardModifier.ControlModifier)
        if control and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and self.open:
            self._choose("once")
        else:
            super().keyPressEvent(event)


def _framed(view: QWidget, parent: QWidget) -> Surface:
    """A view on the editor's ground, so that what is written stands apart from what is said about it."""
    frame = Surface(parent, ground="editor", border="border", radius=3)
    column = QVBoxLayout(frame)
    column.setContentsMargins(8, 6, 4, 6)
    view.setParent(frame)
    column.addWidget(view)
    return frame
