"""The first thing on the settings page: the workspace-memory switch, with what it does, what holds for the open chat, and what it costs.

Shows the controller's facts and passes intents on. GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtWidgets import QComboBox, QFrame, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.memory.project_file import EXTRACTIONS
from desktop.ui import theme
from desktop.ui.controllers.settings_controller import SettingsController, WorkspaceMemory
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.rows import folded, shown
from desktop.ui.memory.state_text import off_text, read_only_text
from desktop.ui.settings.flow import FlowRow
from desktop.ui.settings.switch import Switch


class WorkspaceMemoryCard(QFrame):
    """See the module's text.

    Attributes:
        switch: the control; its object name is `workspaceMemorySwitch`.
        apply_here: the button that lets the switch hold in the open chat too.
    """

    def __init__(self, controller: SettingsController, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("workspaceMemoryCard")
        self.setProperty("role", "card")
        self._controller = controller
        self._build()
        controller.workspace_memory_changed.connect(self._show)
        controller.workspace_changed.connect(self._show)
        controller.open_chat_changed.connect(self._show)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self._show()

    def _build(self) -> None:
        self.title = self._label("")
        self.switch = Switch(self)
        self.switch.setObjectName("workspaceMemorySwitch")
        self.switch.setAccessibleName(self.tr("Memory of this workspace"))
        self.switch.clicked.connect(self._on_clicked)
        self.what = self._label("")
        self.chat = self._label("")
        self.chat.setObjectName("workspaceMemoryOpenChat")
        self.apply_here = QPushButton(self.tr("Apply Here Too"), self)
        self.apply_here.setObjectName("workspaceMemoryApply")
        self.apply_here.setProperty("role", "secondary")
        self.apply_here.clicked.connect(self._controller.apply_here)
        self.learn = self._label(self.tr("Learn from chats here"))
        self.extraction = QComboBox(self)
        self.extraction.setObjectName("workspaceExtraction")
        self.extraction.setAccessibleName(self.tr("Learn from chats in this workspace"))
        self.extraction.activated.connect(self._on_extraction)
        self.held = self._label("")
        self.held.setObjectName("workspaceExtractionHeld")
        self.held.setProperty("role", "secondary")
        self.cost = self._label(
            self.tr("Memory can cost something: the index is sent with every request, and learning from chats makes extra model calls.")
        )
        self.cost.setProperty("role", "secondary")
        self.notice = Banner("workspaceMemoryNotice", self)
        head = QHBoxLayout()
        head.addWidget(self.title, 1)
        head.addWidget(self.switch)
        chat = QHBoxLayout()
        chat.addWidget(self.chat, 1)
        chat.addWidget(self.apply_here, 0, Qt.AlignmentFlag.AlignTop)
        learn = FlowRow(self)
        self.learn.setWordWrap(False)
        self.learn.setSizePolicy(QSizePolicy.Policy.Preferred, QSizePolicy.Policy.Preferred)
        learn.add(self.learn)
        learn.add(self.extraction)
        self._column = QVBoxLayout(self)
        self._column.addLayout(head)
        self._column.addWidget(self.what)
        self._column.addLayout(chat)
        self._column.addWidget(learn)
        self._column.addWidget(self.held)
        self._column.addWidget(self.cost)
        self._column.addWidget(self.notice)

    def _label(self, text: str) -> QLabel:
        label = QLabel(text, self)
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        return label

    def matches(self, words: list[str]) -> bool:
        """Whether every folded word of a search stands on the card."""
        text = folded(
            "\n".join((self.title.text(), self.what.text(), self.cost.text(), self.learn.text(), self.tr("workspace memory switch")))
        )
        return all(word in text for word in words)

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def _show(self) -> None:
        memory = self._controller.workspace_memory
        opened = self._controller.workspace is not None
        self.switch.setEnabled(memory is not None)
        self.cost.setVisible(opened)
        if memory is None:
            self.title.setText(self.tr("Workspace memory"))
            self.switch.setChecked(False)
            self.what.setText(
                self.tr("Reading…") if opened else self.tr("Open a folder first: each workspace has its own memory and its own switch.")
            )
            for widget in (self.chat, self.apply_here, self.learn, self.extraction, self.held):
                widget.hide()
            self.notice.dismiss()
            return
        self.title.setText(self.tr("Workspace memory of “{label}”").format(label=shown(memory.label)))
        self.switch.setChecked(memory.on)
        self.what.setText(
            self.tr("On: new chats in this workspace read what is remembered, and the agent may remember more.")
            if memory.on
            else self.tr(
                "Off: new chats in this workspace are created without memory. Nothing is read, sent or written. What is stored stays."
            )
        )
        self._show_chat(memory)
        self._show_extraction(memory)
        self._show_notice(memory)

    def _show_chat(self, memory: WorkspaceMemory) -> None:
        """What holds for the open chat, which keeps its own value until the person says otherwise."""
        has = self._controller.open_chat_memory
        differs = has is not None and has != memory.state.enabled
        self.apply_here.setVisible(differs)
        self.chat.setVisible(has is not None)
        if not differs:
            self.chat.setText(self.tr("The open chat has memory, too.") if has else self.tr("The open chat has no memory, either."))
        elif has:
            self.chat.setText(
                self.tr("The open chat was created with memory and keeps it until you apply this here too, from its next turn on.")
            )
        else:
            self.chat.setText(
                self.tr("The open chat was created without memory and stays so until you apply this here too, from its next turn on.")
            )

    def _show_extraction(self, memory: WorkspaceMemory) -> None:
        """What the background job does here: the person's choice for this workspace, and what keeps it from holding."""
        words = {"auto": self.tr("Automatic"), "review": self.tr("Ask me first"), "off": self.tr("Off")}
        usual = self.tr("As in the settings ({choice})").format(choice=words.get(memory.usual, memory.usual))
        self.extraction.clear()
        for value, text in ((None, usual), *((known, words[known]) for known in EXTRACTIONS)):
            self.extraction.addItem(text, value)
        self.extraction.setCurrentIndex(0 if memory.extraction is None else 1 + EXTRACTIONS.index(memory.extraction))
        self.extraction.setEnabled(memory.readable)
        held = ""
        if memory.tightened:
            file = shown(str(self._controller.workspace_file()))
            held = self.tr("{file} allows no more than this: {choice}.").format(file=file, choice=words[memory.state.extraction])
        elif memory.state.extraction == "review":
            held = self.tr("What is found waits in the review inbox of the memory view until you accept it.")
        self.held.setText(held)
        for widget in (self.learn, self.extraction):
            widget.show()
        self.held.setVisible(bool(held))

    def _on_extraction(self, at: int) -> None:
        self._controller.set_workspace_extraction(self.extraction.itemData(at))

    def _show_notice(self, memory: WorkspaceMemory) -> None:
        """The other switches, where they decide."""
        if not memory.readable:
            self.notice.show_text(
                "warning",
                self.tr("{file} cannot be read. The agent writes no memory here until you set the switch; the file is kept aside.").format(
                    file=memory.file
                ),
                [(self.tr("Memory On"), lambda: self._controller.set_workspace_memory(True)),
                 (self.tr("Memory Off"), lambda: self._controller.set_workspace_memory(False))],
            )  # fmt: skip
        elif memory.on and not memory.state.enabled:
            self.notice.show_text("warning", off_text(memory.state))
        elif memory.on and not memory.state.write:
            self.notice.show_text("info", read_only_text(memory.state))
        else:
            self.notice.dismiss()

    def _on_clicked(self, on: bool) -> None:
        self._controller.set_workspace_memory(on)

    def _measure(self) -> None:
        now = theme.current()
        font = theme.ui_font(now)
        font.setBold(True)
        self.title.setFont(font)
        self._column.setContentsMargins(now.px(14), now.px(12), now.px(14), now.px(12))
        self._column.setSpacing(now.px(8))
