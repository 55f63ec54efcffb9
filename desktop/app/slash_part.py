"""Slash commands in the window: their entries in the palette, their cards in the chat, and what their buttons open. GUI thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.agent.slash import COMMANDS, SlashCommand
from desktop.bridge.operations import Operations
from desktop.commands.registry import Command
from desktop.ui.chat.command_card import CommandCards
from desktop.ui.chat.pane import ChatPane
from desktop.ui.controllers.chat_commands import ChatCommands
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services


class SlashPart(QObject):
    """See the module's text.

    Signals:
        memory_open_requested(path, root id): show this file of memory.
        settings_requested(): show the memory settings.
        memory_changed(): a command changed memory, or such a change was taken back.
    """

    memory_open_requested = Signal(str, str)
    settings_requested = Signal()
    memory_changed = Signal()

    def __init__(self, services: Services, workbench: Workbench, pane: ChatPane, operations: Operations) -> None:
        super().__init__(workbench)
        self._workbench = workbench
        self._pane = pane
        self.commands = ChatCommands(pane.controller, services, operations, self)
        self.cards = CommandCards(self.commands, pane.controller, pane.composer, pane.messages, self)
        self.cards.memory_open_requested.connect(self.memory_open_requested)
        self.cards.settings_requested.connect(self.settings_requested)
        self.cards.window_command_requested.connect(workbench.run)
        self.cards.card_shown.connect(pane.show_messages)
        self.commands.changed.connect(self.memory_changed)
        self.commands.failed.connect(pane.controller.failed)
        self._register()

    def _register(self) -> None:
        """One entry for each command that the window has no entry for by another name."""
        titles = self._titles()
        for command in COMMANDS:
            if not command.window:
                self._workbench.registry.register(
                    Command(
                        f"slash.{command.name}",
                        f"{titles[command.name]} ({command.typed})",
                        partial(self.begin, command),
                        when="folderOpen",
                        category=self.tr("Chat"),
                    )
                )

    def _titles(self) -> dict[str, str]:
        return {
            "memory": self.tr("Memory at a Glance"),
            "remember": self.tr("Remember…"),
            "forget": self.tr("Forget a Memory…"),
            "recall": self.tr("Recall Memories for a Question…"),
            "context": self.tr("What Is Sent to the Model"),
            "status": self.tr("Status of This Chat"),
            "help": self.tr("Slash Commands"),
            "fork": self.tr("Fork This Chat"),
            "rewind": self.tr("Take Back the Last Message"),
            "export": self.tr("Export This Chat to a File"),
        }

    def begin(self, command: SlashCommand) -> None:
        """Carry a command out; one that needs words is put into the composer, where they are written."""
        self._workbench.set_region("chat", True)
        if command.needs_text:
            self._pane.begin_command(command.typed)
        else:
            self.commands.run(command.typed)
