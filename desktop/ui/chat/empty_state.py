"""What a new conversation shows: what can be done here, and prompts to start from. Emits intents. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import KeyButton, label
from desktop.ui.markdown import shown


class EmptyState(QWidget):
    """See the module's text.

    Signals:
        prompt_requested(str): put this into the composer.
        folder_requested(): open a folder (shown when none is).
    """

    prompt_requested = Signal(str)
    folder_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("chatEmpty")
        self.heading = label(self, self.tr("What are you working on?"), role="heading", wrap=True)
        self.said = label(self, role="secondary", wrap=True)
        self._prompts = QWidget(self)
        inside = QVBoxLayout(self._prompts)
        inside.setContentsMargins(0, 6, 0, 0)
        inside.setSpacing(6)
        self._examples: list[KeyButton] = []
        for text in self.prompts():
            button = KeyButton(text, self._prompts, secondary=True)
            button.setObjectName("examplePrompt")
            button.clicked.connect(lambda _checked=False, chosen=text: self.prompt_requested.emit(chosen))
            inside.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self._examples.append(button)
        self.folder_button = KeyButton(self.tr("Open folder…"), self)
        self.folder_button.clicked.connect(self.folder_requested)
        column = QVBoxLayout(self)
        edge = theme.current().px(18)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(8)
        column.addStretch(2)
        for widget in (self.heading, self.said):
            column.addWidget(widget)
        column.addWidget(self._prompts)
        column.addWidget(self.folder_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(3)
        self.set_folder(None)

    def prompts(self) -> list[str]:
        """Examples; the first one shows what sets this chat apart, the second one reads memory."""
        return [
            self.tr("Remember: our package manager is bun"),
            self.tr("What do you remember about this project?"),
            self.tr("Explain how this project is built"),
            self.tr("Find what is wrong with the tests"),
        ]

    def set_folder(self, name: str | None, *, reads: bool = True, writes: bool = True) -> None:
        """The name of the open folder, or None; and whether this conversation reads memory and writes it."""
        self._prompts.setVisible(name is not None)
        for button, possible in zip(self._examples, (writes, reads), strict=False):
            button.setVisible(possible)
        self.folder_button.setVisible(name is None)
        if name is None:
            self.said.setText(self.tr("Open a folder: a conversation and its memory belong to one."))
        elif writes:
            self.said.setText(
                self.tr("The agent reads and edits files in {folder} and remembers what you tell it.").format(folder=shown(name))
            )
        else:
            self.said.setText(self.tr("The agent reads and edits files in {folder}.").format(folder=shown(name)))
