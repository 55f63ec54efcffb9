"""`keepsake -p "/memory"`: a slash command without a window. No model is looked for, made or asked, and nothing is stored as a session.

Standard output holds the result, or the JSON of it in the shape of a turn. Exit statuses: 0 done; 1 it was not done, and why is said;
2 no such command here; 3 it needs a choice that nobody could make.
"""

from __future__ import annotations

import argparse
import asyncio
from pathlib import Path
from typing import Any

from desktop.agent.session import AgentSession
from desktop.agent.slash import CommandResult, near, parse, run
from desktop.base.errors import NotFoundError, UsageError
from desktop.cli.events import LOADED_NOTHING
from desktop.cli.forking import forked
from desktop.cli.output import aligned_tables, put, put_json, say
from desktop.compose import Services
from desktop.messages.usage import Usage
from desktop.providers.no_model import NoModel
from desktop.sessions.importers.convert import is_foreign

FAILED, CHOICE = 1, 3


def is_command(text: str) -> bool:
    """Whether a prompt is a slash command.

    Raises:
        UsageError: it is one of the window's, or a lone word that is none and looks like one.
    """
    found = parse(text)
    if found is None:
        meant = near(text)
        if meant is not None:
            hint = "As a message it needs more words than that one."
            raise UsageError(f"There is no command {text.strip()}. Did you mean {meant.typed}?", hint=hint)
        return False
    if found[0].is_windows(found[1]):
        raise UsageError(f"{found[0].typed} belongs to the window.", hint="“/help” lists the commands; those of memory work here too.")
    return True


def run_command(found: argparse.Namespace, services: Services, folder: Path | None, text: str) -> int:
    """Carry out a command; gives the exit status.

    Raises:
        UsageError: not a folder, unknown session.
        KeepsakeError: the session could not be opened.
    """
    return asyncio.run(_run(found, services, folder, text))


async def _run(found: argparse.Namespace, services: Services, folder: Path | None, text: str) -> int:
    session = await asyncio.to_thread(_session, found, services, folder)
    for problem in services.settings.for_workspace(session.workspace).problems:
        say(f"keepsake: {problem}")
    try:
        result = await run(session, text)
        printed = _json(session, result)
    finally:
        await session.close()
    if found.output == "json":
        put_json(printed)
    elif found.output == "stream-json":
        put_json({"type": "result", **printed})
    elif result.status == "error":
        say(f"keepsake: {' '.join(str(result.text).split())}")
    else:
        put(aligned_tables(str(result.text)))
    return {"ok": 0, "error": FAILED, "ask": CHOICE}[result.status]


def _session(found: argparse.Namespace, services: Services, folder: Path | None) -> AgentSession:
    if found.resume is None:
        assert folder is not None
        workspace = services.open_workspace(folder)
        return services.command_session(workspace, incognito=found.incognito, reads_memory=not found.no_memory)
    try:
        summary = services.all_sessions.find(found.resume)
    except NotFoundError as error:
        raise UsageError(error.message, hint=error.hint) from error
    if is_foreign(found.resume):
        raise UsageError(
            f"The session {found.resume} belongs to another tool, so commands do nothing in it.",
            hint="Go on with it by a message first, or see “keepsake sessions show|read|export”.",
        )
    return services.resume(forked(found, services), model=NoModel(services.options.model or summary.model or services.model_id()))


def _json(session: AgentSession, result: CommandResult) -> dict[str, Any]:
    """The shape of a turn, with the command beside it."""
    state = session.memory_state()
    failed = result.status == "error"
    value: dict[str, Any] = {
        "session_id": session.id if session.handle.stored else "",
        "workspace": str(session.workspace),
        "model": session.model.info.id,
        "text": str(result.text),
        "stop": "error" if failed else "end",
        "tool_calls": [],
        "usage": Usage().to_json(),
        "memory": {
            "enabled": state.enabled,
            "root": str(session.project.memory_root),
            "loaded": dict(LOADED_NOTHING),
            "recalled": [],
            "saved": [change.path for change in result.changes if change.op != "delete"],
        },
        "command": {"name": result.command, "status": result.status, "data": result.data},
    }
    if failed:
        value["error"] = {"message": str(result.text), "kind": "command"}
    return value
