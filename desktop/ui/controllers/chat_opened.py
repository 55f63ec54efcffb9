"""What a conversation is when it is shown: the value that the chat controller gives to the pane. Pure."""

from __future__ import annotations

from dataclasses import dataclass

from desktop.messages.parts import Message


@dataclass(frozen=True, slots=True)
class Opened:
    """A conversation that is shown now.

    Attributes:
        new: nothing is in it yet.
        damage: lines of its file that could not be read.
        crashed: Keepsake ended in the middle of its last turn.
        incognito: nothing of it is kept; `reads_memory`: whether such a one sees memory.
    """

    session_id: str
    title: str
    messages: tuple[Message, ...]
    new: bool
    damage: int = 0
    incognito: bool = False
    reads_memory: bool = True
    crashed: bool = False
