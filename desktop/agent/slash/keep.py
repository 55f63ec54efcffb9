"""`/remember` and `/forget`: the person's own acts on memory, as results with Undo and choices. Blocking; worker threads."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Literal

from desktop.agent.forget import Choice, Forgotten, forget
from desktop.agent.remember import Remembered, remember
from desktop.agent.slash.markup import blocks, code, markup, numbered, plain
from desktop.agent.slash.result import CommandAction, CommandResult, Status
from desktop.base.phrases import say
from desktop.memory.roots import USER

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession

_GLOBAL = re.compile(r"(?:^|\s)(?:--global|—global|–global|--全局)(?=\s|$)")
_STATUS: dict[str, Status] = {"forgotten": "ok", "nothing": "ok", "several": "ask", "refused": "error"}


def remember_command(session: AgentSession, behind: str) -> CommandResult:
    """Save what stands behind the command.

    Raises:
        UsageError, RefusedError, StorageError: as `agent.remember.remember`.
    """
    to: Literal["project", "user"] = "user" if _GLOBAL.match(behind) or _GLOBAL.search(behind[-12:]) else "project"
    text = _GLOBAL.sub(" ", behind, count=1) if to == USER else behind
    done = remember(session.memories, text, to=to, session_id=origin_session(session), clock=session.services.clock)
    return remembered_result(done)


def origin_session(session: AgentSession) -> str:
    """The session as an origin; "" for one that is not on disk, since nobody could go back to it."""
    return session.id if session.handle.stored else ""


def remembered_result(done: Remembered) -> CommandResult:
    """What became of it, with the memory to open."""
    data = {"root": done.root, "path": done.path, "known": done.known}
    opener = CommandAction("open", say("Open the memory"), done.root, done.path)
    return CommandResult("/remember", say("Remember"), plain(done.message), data, changes=done.changes, actions=(opener,))


def forget_command(session: AgentSession, behind: str) -> CommandResult:
    """Delete what stands behind the command, or ask which memory is meant.

    Raises:
        UsageError, RefusedError, StorageError: as `agent.forget.forget`.
    """
    return forgotten_result(forget(session.memories, behind, session.services.memory_search, session_id=origin_session(session)))


def forgotten_result(done: Forgotten) -> CommandResult:
    """What became of it, with the choices as buttons and, for a terminal, as numbered lines with the command for each."""
    choices = [{"root": one.root, "path": one.path, "name": one.name, "description": one.description} for one in done.choices]
    text = blocks(plain(done.message), numbered(_line(one) for one in done.choices))
    actions = tuple(CommandAction("command", one.name, one.root, one.path, _typed(one), one.description) for one in done.choices)
    data = {"outcome": done.status, "choices": choices, "deleted": [change.path for change in done.changes]}
    return CommandResult("/forget", say("Forget"), text, data, _STATUS[done.status], done.changes, actions)


def _typed(choice: Choice) -> str:
    """The command that means exactly this memory."""
    return f"/forget {choice.root}:{choice.path}"


def _line(choice: Choice) -> str:
    about = choice.description if choice.description != choice.name else ""
    head = (
        markup("**{name}** – {about}", name=plain(choice.name), about=plain(about))
        if about
        else markup("**{name}**", name=plain(choice.name))
    )
    return markup("{head}  \n   {command}", head=head, command=code(_typed(choice)))
