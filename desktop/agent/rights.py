"""What the calls of a session's turns may do: its tools, its mode and grants, and the context that each call is given. Asyncio thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop.agent.ask import Emit
from desktop.agent.calls import Approve, CallServices
from desktop.agent.session_memory import SessionMemory, said_by_person, untrusted_text_in
from desktop.base.clock import Clock
from desktop.base.errors import StorageError
from desktop.base.phrases import say, together
from desktop.messages.events import ApprovalAnswer, Notice, ToolOutput
from desktop.messages.parts import Message, ToolCallPart
from desktop.permissions.access import Access, Decision, Mode
from desktop.permissions.grants import Grants
from desktop.permissions.modes import decide
from desktop.tools.base import ReadState, Tool, ToolContext


@dataclass(frozen=True, slots=True)
class Rights:
    """Of one session.

    Attributes:
        mode, messages: as they hold when a call comes.
        memory_root: this project's memory.
        incognito: nothing is kept, so no answer is.
    """

    workspace: Path
    memory: SessionMemory
    memory_root: Path
    grants: Grants
    read_state: ReadState
    clock: Clock
    mode: Callable[[], Mode]
    messages: Callable[[], Sequence[Message]]
    incognito: bool

    def services(self, tools: dict[str, Tool], emit: Emit, approve: Approve) -> CallServices:
        """What runs the calls of one turn."""

        def policy(access: Access) -> Decision:
            readable = self.memory.readable(access.tool)
            root = self.memory_root if readable else None
            return decide(access, mode=self.mode(), workspace=self.workspace, memory_root=root, grants=self.grants, readable=readable)

        def remember(access: Access, answer: ApprovalAnswer) -> None:
            self._remember(access, answer, emit)

        def make_context(call: ToolCallPart) -> ToolContext:
            messages = self.messages()
            person = next((m.id for m in reversed(messages) if m.role == "user" and m.origin == "person"), "")
            return self.memory.tool_context(
                actor="main",
                read_state=self.read_state,
                message_id=person,
                emit=lambda text: emit(ToolOutput(call.id, text)),
                untrusted=untrusted_text_in(messages),
                said=said_by_person(messages),
            )

        return CallServices(tools, make_context, policy, approve, remember, emit, self.clock)

    def _remember(self, access: Access, answer: ApprovalAnswer, emit: Emit) -> None:
        if answer.choice == "deny":
            return
        if answer.choice == "always" and self.incognito:
            text = say("“Always” holds for this chat only: it is incognito, and keeps nothing.")
            emit(Notice("info", "grant.incognito", text))
        try:
            self.grants.add(access, answer.choice)
        except StorageError as error:
            text = together(say("“Always” holds for this session only."), error.text())
            emit(Notice("warning", "grant.not_saved", text, {"message": error.message}))
