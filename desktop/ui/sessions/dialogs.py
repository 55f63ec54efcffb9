"""Small dialogs about a session: read it into the chat with a question, rename it. Opened with `open()`, never `exec()`. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShortcut, QShowEvent
from PySide6.QtWidgets import (
    QComboBox,
    QDialog,
    QFormLayout,
    QHBoxLayout,
    QLabel,
    QLineEdit,
    QPlainTextEdit,
    QSpinBox,
    QVBoxLayout,
    QWidget,
)

from desktop.sessions.context import QUERY_LIMIT, TOKENS_DEFAULT, TOKENS_LIMIT
from desktop.ui import theme
from desktop.ui.chat.surface import KeyButton, label
from desktop.ui.markdown import shown

TOKENS_LOW, TOKENS_STEP = 500, 500
READ_KEY = "Ctrl+Return"
_BARE = (Qt.KeyboardModifier.NoModifier, Qt.KeyboardModifier.KeypadModifier)


class QuestionEdit(QPlainTextEdit):
    """A question. Return ends it as it sends a message in the composer; Shift+Return is a new line.

    Signals:
        entered(): Return was pressed.
    """

    entered = Signal()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Keys of an input method that is composing do not come here, so its Return ends nothing."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and event.modifiers() in _BARE:
            self.entered.emit()
        else:
            super().keyPressEvent(event)


class ReadIntoDialog(QDialog):
    """Question, strategy and budget for ReadSessionContext.

    Signals:
        read_requested(session id, question, strategy, tokens)
    """

    read_requested = Signal(str, str, str, int)

    def __init__(self, parent: QWidget, session_id: str, title: str, *, elsewhere: str = "") -> None:
        """`elsewhere`: the folder of a session of another project, whose content the person lets into this one."""
        super().__init__(parent)
        self.setObjectName("readIntoDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Read into chat"))
        self._session_id = session_id
        self.query = QuestionEdit(self)
        self.query.setAccessibleName(self.tr("Question"))
        self.query.setPlaceholderText(self.tr("What do you want to know from that session?"))
        self.query.setTabChangesFocus(True)
        self.query.setFixedHeight(theme.current().px(76))
        self.strategy = QComboBox(self)
        self.strategy.setAccessibleName(self.tr("What to take"))
        self.strategy.addItem(self.tr("What fits the question"), "relevant")
        self.strategy.addItem(self.tr("Its end, to go on from there"), "handoff")
        self.tokens = QSpinBox(self)
        self.tokens.setAccessibleName(self.tr("Token limit"))
        self.tokens.setRange(TOKENS_LOW, TOKENS_LIMIT)
        self.tokens.setSingleStep(TOKENS_STEP)
        self.tokens.setValue(TOKENS_DEFAULT)
        self.tokens.lineEdit().setTextMargins(4, 0, 0, 0)  # off the frame, as in the other inputs
        self.problem = label(self, role="error", wrap=True)
        self.problem.hide()
        self.elsewhere = label(self, wrap=True)
        self.elsewhere.setVisible(bool(elsewhere))
        if elsewhere:
            said = self.tr("This session belongs to another project: {folder}. What it says becomes part of this chat.")
            self.elsewhere.setText(shown(said.format(folder=elsewhere)))
        self.read_button = KeyButton(self.tr("Read from the Other Project") if elsewhere else self.tr("Read"), self)
        self.read_button.setDefault(True)
        self.read_button.clicked.connect(self._read)
        self.read_button.setToolTip(QKeySequence("Return").toString(QKeySequence.SequenceFormat.NativeText))
        self.query.entered.connect(self.read_button.click)
        for key in (READ_KEY, "Ctrl+Enter"):
            QShortcut(QKeySequence(key), self).activated.connect(self.read_button.click)
        cancel = KeyButton(self.tr("Cancel"), self, secondary=True)
        cancel.clicked.connect(self.reject)
        self._lay_out(title, cancel)
        self.query.textChanged.connect(self._check)
        self.strategy.currentIndexChanged.connect(self._check)
        self._check()
        self.query.setFocus()

    def _lay_out(self, title: str, cancel: KeyButton) -> None:
        head = label(self, title, wrap=True)
        font = head.font()
        font.setBold(True)
        head.setFont(font)
        said = self.tr("The passages are added to this chat with their places, marked as material that is not an instruction.")
        form = QFormLayout()
        form.setSpacing(10)
        form.setLabelAlignment(Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignTop)
        form.addRow(QLabel(self.tr("Question"), self), self.query)
        form.addRow(QLabel(self.tr("Take"), self), self.strategy)
        form.addRow(QLabel(self.tr("Token limit"), self), self.tokens)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.read_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(10)
        column.addWidget(head)
        column.addWidget(label(self, said, role="secondary", wrap=True))
        column.addWidget(self.elsewhere)
        column.addLayout(form)
        column.addWidget(self.problem)
        column.addLayout(buttons)
        self.setMinimumWidth(theme.current().px(440))

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its text needs at its width."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self.adjustSize)

    def _check(self) -> None:
        text = self.query.toPlainText().strip()
        too_long = len(text) > QUERY_LIMIT
        self.problem.setVisible(too_long)
        if too_long:
            self.problem.setText(self.tr("The question is too long: {n} of {most} characters.").format(n=len(text), most=QUERY_LIMIT))
        needs = self.strategy.currentData() == "relevant"
        self.read_button.setEnabled(not too_long and (bool(text) or not needs))

    def _read(self) -> None:
        text = self.query.toPlainText().strip() or self.tr("Where did that session stand at its end?")
        self.read_requested.emit(self._session_id, text, self.strategy.currentData(), self.tokens.value())
        self.accept()


class RenameDialog(QDialog):
    """A new title.

    Signals:
        rename_requested(session id, title)
    """

    rename_requested = Signal(str, str)

    def __init__(self, parent: QWidget, session_id: str, title: str) -> None:
        super().__init__(parent)
        self.setObjectName("renameDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Rename session"))
        self._session_id = session_id
        self.line = QLineEdit(title, self)
        self.line.setAccessibleName(self.tr("Title"))
        self.line.setMaxLength(200)
        self.line.setPlaceholderText(self.tr("Empty: the first message's first line"))
        self.line.selectAll()
        self.line.setMinimumWidth(theme.current().px(360))
        self.ok_button = KeyButton(self.tr("Rename"), self)
        self.ok_button.setDefault(True)
        self.ok_button.clicked.connect(self._rename)
        cancel = KeyButton(self.tr("Cancel"), self, secondary=True)
        cancel.clicked.connect(self.reject)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(cancel)
        buttons.addWidget(self.ok_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(18, 16, 18, 14)
        column.setSpacing(12)
        column.addWidget(self.line)
        column.addLayout(buttons)
        self.line.returnPressed.connect(self._rename)

    def _rename(self) -> None:
        if self.isVisible():
            self.rename_requested.emit(self._session_id, self.line.text().strip())
            self.accept()
