"""Whether memory holds in the open conversation, and whether the folder's switch says something else. Reads; a worker thread."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.bridge.spoken import spoken

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession
    from desktop.compose import Workspace


@dataclass(frozen=True, slots=True)
class MemoryNote:
    """Attributes:
    session: memory is on in the open conversation.
    workspace: it would be on in a new one.
    reason: why it is off here; empty when it is on.
    """

    session: bool
    workspace: bool
    reason: str

    @property
    def differs(self) -> bool:
        return self.session != self.workspace


def read_memory_note(session: AgentSession, workspace: Workspace) -> MemoryNote:
    """The present state; reads the project's file."""
    here = session.memory_state()
    return MemoryNote(here.enabled, workspace.memory_state().enabled, "" if here.enabled else spoken(here.reason))
