"""What a new conversation shows: what can be done here, and prompts to start from. Emits intents. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt, Signal
from PySide6.QtGui import QPaintEvent, QResizeEvent
from PySide6.QtWidgets import QFrame, QScrollArea, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import Column, KeyButton, label
from desktop.ui.markdown import shown

LEAST_WIDTH = 90
_WRAPPED = int(Qt.TextFlag.TextWordWrap | Qt.AlignmentFlag.AlignLeft | Qt.AlignmentFlag.AlignVCenter)


class PromptButton(KeyButton):
    """An example to start from. Where it does not fit on one line it takes more: half a prompt says nothing."""

    def __init__(self, text: str, parent: QWidget) -> None:
        super().__init__(text, parent, secondary=True)
        self.setObjectName("examplePrompt")
        policy = QSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Minimum)
        policy.setHeightForWidth(True)
        self.setSizePolicy(policy)

    def _around(self) -> QSize:
        """What stands around the text."""
        hint, text = super().sizeHint(), self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text())
        return hint - text

    def heightForWidth(self, width: int) -> int:
        around = self._around()
        room = QRect(0, 0, max(1, width - around.width()), 10_000)
        return self.fontMetrics().boundingRect(room, _WRAPPED, self.text()).height() + around.height()

    def resizeEvent(self, event: QResizeEvent) -> None:
        """Qt asks for heights before it knows that a scroll bar takes some of the width, and does not ask again."""
        super().resizeEvent(event)
        self.setMinimumHeight(self.heightForWidth(self.width()))

    def minimumSizeHint(self) -> QSize:
        return QSize(min(super().sizeHint().width(), theme.current().px(LEAST_WIDTH)), super().sizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = ""
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        around = self._around()
        place = self.rect().adjusted(around.width() // 2, around.height() // 2, -around.width() // 2, -around.height() // 2)
        self.style().drawItemText(painter, place, _WRAPPED, option.palette, self.isEnabled(), self.text(), self.foregroundRole())
        painter.end()


class EmptyState(QScrollArea):
    """See the module's text. In a low window it scrolls.

    Signals:
        prompt_requested(str): put this into the composer.
        folder_requested(): open a folder (shown when none is).
    """

    prompt_requested = Signal(str)
    folder_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("chatEmpty")
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setWidgetResizable(True)
        room = Column()
        self.heading = label(room, self.tr("What are you working on?"), role="heading", wrap=True)
        self.said = label(room, role="secondary", wrap=True)
        self._prompts = QWidget(room)
        inside = QVBoxLayout(self._prompts)
        inside.setContentsMargins(0, 6, 0, 0)
        inside.setSpacing(6)
        self._examples: list[KeyButton] = []
        for text in self.prompts():
            button = PromptButton(text, self._prompts)
            button.clicked.connect(lambda _checked=False, chosen=text: self.prompt_requested.emit(chosen))
            inside.addWidget(button, 0, Qt.AlignmentFlag.AlignLeft)
            self._examples.append(button)
        self.folder_button = KeyButton(self.tr("Open Folder…"), room)
        self.folder_button.clicked.connect(self.folder_requested)
        column = QVBoxLayout(room)
        edge = theme.current().px(18)
        column.setContentsMargins(edge, edge, edge, edge)
        column.setSpacing(8)
        column.addStretch(2)
        for widget in (self.heading, self.said):
            column.addWidget(widget)
        column.addWidget(self._prompts)
        column.addWidget(self.folder_button, 0, Qt.AlignmentFlag.AlignLeft)
        column.addStretch(3)
        self.setWidget(room)
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
            self.said.setText(self.tr("Open a folder: a chat and its memory belong to one."))
        elif writes:
            self.said.setText(
                self.tr("The agent reads and edits files in {folder} and remembers what you tell it.").format(folder=shown(name))
            )
        else:
            self.said.setText(self.tr("The agent reads and edits files in {folder}.").format(folder=shown(name)))
