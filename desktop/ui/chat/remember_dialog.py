"""“Remember this”: the text of a message, to be shortened or reworded, and where it goes; shows what the memory will be called. GUI thread.

Opened with `open()`, never `exec()`. Saves nothing itself.
"""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QShowEvent, QTextCursor
from PySide6.QtWidgets import QButtonGroup, QDialog, QHBoxLayout, QPlainTextEdit, QRadioButton, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.surface import ElidedLabel, KeyButton, label
from desktop.ui.markdown import shown

PREVIEW_MS = 250


class RememberDialog(QDialog):
    """See the module's text.

    Signals:
        remember_requested(text, target): target is `project` or `user`. The dialog stays until `accept` or `show_problem`.
        preview_wanted(text): say what this would be called, by `show_preview`; some time after the last key.
    """

    remember_requested = Signal(str, str)
    preview_wanted = Signal(str)

    def __init__(self, parent: QWidget, text: str, project: str) -> None:
        super().__init__(parent)
        self.setObjectName("rememberDialog")
        self.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        self.setWindowTitle(self.tr("Remember this"))
        self.text = QPlainTextEdit(self)
        self.text.setAccessibleName(self.tr("What to remember"))
        self.text.setTabChangesFocus(True)
        self.text.setPlainText(text.strip())
        self.text.moveCursor(QTextCursor.MoveOperation.End)
        self.text.setFixedHeight(theme.current().px(132))
        self.project = QRadioButton(self.tr("This project"), self)
        self.user = QRadioButton(self.tr("All my projects"), self)
        self.project.setChecked(True)
        group = QButtonGroup(self)
        for button in (self.project, self.user):
            group.addButton(button)
        self.project.setToolTip(shown(project))
        self.preview = ElidedLabel(self, "")
        self.type = label(self, role="secondary")
        self.problem = label(self, role="error", wrap=True)
        self.problem.hide()
        self.save_button = KeyButton(self.tr("Remember"), self)
        self.save_button.setDefault(True)
        self.save_button.setToolTip(QKeySequence("Ctrl+Return").toString(QKeySequence.SequenceFormat.NativeText))
        self.save_button.clicked.connect(self._save)
        self.cancel_button = KeyButton(self.tr("Cancel"), self, secondary=True)
        self.cancel_button.clicked.connect(self.reject)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._ask_preview)
        self._lay_out()
        self.text.textChanged.connect(self._changed)
        self._check()
        self._timer.start(0)
        self.text.setFocus()

    def _lay_out(self) -> None:
        now = theme.current()
        said = label(self, self.tr("What to remember"))
        said.setBuddy(self.text)
        where = QHBoxLayout()
        where.setSpacing(now.px(16))
        where.addWidget(label(self, self.tr("For")))
        where.addWidget(self.project)
        where.addWidget(self.user)
        where.addStretch(1)
        name = QHBoxLayout()
        name.setSpacing(now.px(8))
        name.addWidget(IconLabel(self, "note", "memory"))
        name.addWidget(self.preview, 1)
        name.addWidget(self.type)
        buttons = QHBoxLayout()
        buttons.addStretch(1)
        buttons.addWidget(self.cancel_button)
        buttons.addWidget(self.save_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(now.px(18), now.px(16), now.px(18), now.px(14))
        column.setSpacing(now.px(10))
        column.addWidget(said)
        column.addWidget(self.text)
        column.addLayout(where)
        column.addLayout(name)
        column.addWidget(self.problem)
        column.addLayout(buttons)
        self.setMinimumWidth(now.px(480))

    def target(self) -> str:
        return "user" if self.user.isChecked() else "project"

    def show_preview(self, name: str, type_word: str) -> None:
        """What the memory will be called, and its type in the window's words."""
        self.preview.set_text(name)
        self.type.setText(shown(type_word))

    # --- inside ------------------------------------------------------------------------------------------------------

    def _changed(self) -> None:
        self._check()
        self._timer.start(PREVIEW_MS)

    def _ask_preview(self) -> None:
        self.preview_wanted.emit(self.text.toPlainText().strip())

    def _check(self) -> None:
        self.problem.hide()
        self.save_button.setEnabled(bool(self.text.toPlainText().strip()))

    def _save(self) -> None:
        self.save_button.setEnabled(False)
        self.remember_requested.emit(self.text.toPlainText().strip(), self.target())

    def show_problem(self, text: str) -> None:
        """It could not be saved; what was typed stays."""
        self.problem.setText(shown(text))
        self.problem.show()
        self.save_button.setEnabled(True)
        self.text.setFocus()
        QTimer.singleShot(0, self, self.adjustSize)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Ctrl+Return saves from within the text."""
        control = event.modifiers() & Qt.KeyboardModifier.ControlModifier
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and control and self.save_button.isEnabled():
            self._save()
        else:
            super().keyPressEvent(event)

    def showEvent(self, event: QShowEvent) -> None:
        """As high as its text needs at its width."""
        super().showEvent(event)
        QTimer.singleShot(0, self, self.adjustSize)
