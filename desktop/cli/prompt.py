"""`keepsake -p`: one turn without a window. Standard output holds the answer, or the JSON of it, and nothing else.

Nobody can answer an approval here: what would ask is refused with the way out, and the exit status says so (3). Ctrl+C stops the turn as
Stop does in the window: the transcript is completed, then the process ends with 130.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import signal
import threading
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

from desktop.agent.interrupted import interruption
from desktop.agent.session import AgentSession
from desktop.base.errors import NotFoundError, UsageError
from desktop.base.redact import redact
from desktop.cli.arguments import checked_folder, folder_of
from desktop.cli.events import Gathered
from desktop.cli.forking import forked
from desktop.cli.interrupted import interruption_to_json, words
from desktop.cli.main import INTERRUPTED, options_of
from desktop.cli.output import counted, put, put_json, say
from desktop.cli.slash import is_command, run_command
from desktop.cli.standard_input import PipedInput
from desktop.compose import Services, build_services
from desktop.messages.events import ApprovalAnswer, ApprovalRequest, TurnEnded
from desktop.permissions.access import Mode
from desktop.sessions.importers.convert import is_foreign

REFUSED = 3
DENIED = (
    "Nobody can answer questions in this run, so this was refused. Do not try it again in another way; say what would have been done. "
    "The person can allow edits inside the workspace with --allow-write, or run this in the window."
)


class Refusals:
    """Answers every approval with no, and remembers that it had to."""

    def __init__(self) -> None:
        self.titles: list[str] = []

    async def answer(self, request: ApprovalRequest) -> ApprovalAnswer:
        self.titles.append(request.title)
        return ApprovalAnswer("deny", DENIED)


def run(found: argparse.Namespace) -> int:
    """One turn; gives the exit status.

    Raises:
        UsageError: no prompt, not a folder, unknown model, session or command.
        KeepsakeError: the turn could not begin.
    """
    _check_incognito(found)
    piped = PipedInput(wanted=found.prompt == "-")
    folder = checked_folder(folder_of(found)) if found.resume is None or found.workspace is not None else None
    services = build_services(options_of(found, headless=True))
    prompt = _prompt(found.prompt, piped)
    command = next((text for text in (prompt, found.prompt) if is_command(text)), "")
    try:
        if command:
            return run_command(found, services, folder, command)
        return asyncio.run(_run(found, services, folder, prompt))
    finally:  # an index that was closed in order need not be looked through the next time
        services.memory_search.close()
        services.session_search.close()


def _check_incognito(found: argparse.Namespace) -> None:
    """An incognito turn keeps nothing, so nothing that keeps something goes with it."""
    if found.no_memory and not found.incognito:
        raise UsageError("--no-memory belongs to --incognito.", hint="“keepsake memory off” switches memory off for a workspace.")
    kept = [name for name, value in (("--resume", found.resume), ("--memory-bench", found.memory_bench)) if value]
    if getattr(found, "dump_requests", None):
        kept.append("--dump-requests")
    if found.incognito and kept:
        raise UsageError(f"--incognito keeps nothing, so it does not go with {', '.join(kept)}.", hint="Leave one of them out.")


def _prompt(given: str, piped: PipedInput) -> str:
    text = piped.text()
    parts = [part for part in (given if given != "-" else "", text) if part.strip()]
    if not parts:
        raise UsageError("The prompt is empty.", hint='Write it behind -p, in quotes: keepsake -p "…", or pipe it in with -p -.')
    return "\n\n".join(parts)


async def _run(found: argparse.Namespace, services: Services, folder: Path | None, prompt: str) -> int:
    session = await asyncio.to_thread(_session, found, services, folder)
    refusals = Refusals()
    stopped = interruption(session.messages, crashed=session.handle.crashed) if found.resume is not None else None
    if stopped is not None:
        say(f"keepsake: {words(stopped, resumed=True)}")
    for problem in services.settings.for_workspace(session.workspace).problems:
        say(f"keepsake: {problem}")
    gathered = Gathered(_writer(asyncio.current_task()) if found.output == "stream-json" else None, lambda text: say(f"keepsake: {text}"))
    try:
        with _stopping(asyncio.current_task()):
            await session.take_up()
            ended = await session.run(prompt, gathered.take, refusals.answer)
            extraction, cancelled = await _extraction(session, ended) if found.memory_bench else (None, False)
        result = _result(session, gathered, ended, extraction)
        if found.resume is not None:
            result["interruption"] = interruption_to_json(stopped)
    finally:
        await session.close()
    _print(found.output, result, gathered.text)
    if cancelled:
        say("keepsake: the extraction of memories did not finish; what it did not look at waits for the next turn of this session")
        return INTERRUPTED
    return _status(ended, refusals, incognito=found.incognito)


def _writer(task: asyncio.Task[Any] | None) -> Callable[[dict[str, Any]], None]:
    """Prints events; when nobody reads them any more the turn is stopped as by Ctrl+C, so that its record is complete."""

    def write(value: dict[str, Any]) -> None:
        try:
            put_json(value)
        except BrokenPipeError:
            if task is not None:
                task.cancel()

    return write


def _session(found: argparse.Namespace, services: Services, folder: Path | None) -> AgentSession:
    mode: Mode | None = "accept-edits" if found.allow_write else found.permission_mode
    if found.resume is None:
        assert folder is not None
        workspace = services.open_workspace(folder)
        return services.new_session(workspace, mode=mode, incognito=found.incognito, reads_memory=not found.no_memory)
    try:
        services.all_sessions.find(found.resume)
    except NotFoundError as error:
        raise UsageError(error.message, hint=error.hint) from error
    here = services.open_workspace(folder) if folder is not None and is_foreign(found.resume) else None
    session = services.resume(forked(found, services), mode=mode, workspace=here)
    if session.handle.damage:
        lines = counted(len(session.handle.damage), "line")
        say(
            f"keepsake: {lines} of this transcript could not be read, or only with doubt; all else is there: "
            f"“keepsake sessions show {session.id}”"
        )
    if folder is not None and folder.resolve() != session.workspace:
        say(f"keepsake: the session goes on in its own folder, {session.workspace}")
    return session


@contextlib.contextmanager
def _stopping(task: asyncio.Task[Any] | None) -> Iterator[None]:
    """Ctrl+C and a polite kill cancel the turn, which then completes its record."""
    if task is None or threading.current_thread() is not threading.main_thread():
        yield
        return
    loop = asyncio.get_running_loop()
    numbers = (signal.SIGINT, signal.SIGTERM)
    before = {number: signal.getsignal(number) for number in numbers}
    for number in numbers:
        try:
            loop.add_signal_handler(number, task.cancel)
        except NotImplementedError:  # Windows
            signal.signal(number, lambda *_: loop.call_soon_threadsafe(task.cancel))
    try:
        yield
    finally:
        for number, handler in before.items():
            with contextlib.suppress(NotImplementedError):
                loop.remove_signal_handler(number)
            signal.signal(number, handler)


async def _extraction(session: AgentSession, ended: TurnEnded) -> tuple[dict[str, Any], bool]:
    """Extract and wait for it. Gives the report, and whether it was interrupted: then it says what was done by then."""
    if ended.stop != "end":
        reason = "closing" if ended.stop == "interrupted" else None
        return {"decision": "skip", "reason": reason, "outcome": None, "written": []}, False
    try:
        return (await session.extract_now()).to_json(), False
    except asyncio.CancelledError:
        task = asyncio.current_task()
        if task is None or session.report is None:
            raise
        task.uncancel()
        return session.report.to_json(), True


def _result(session: AgentSession, gathered: Gathered, ended: TurnEnded, extraction: dict[str, Any] | None) -> dict[str, Any]:
    state = session.memory_state()
    result: dict[str, Any] = {
        "session_id": session.id,
        "workspace": str(session.workspace),
        "model": session.model.info.id,
        "text": gathered.text,
        "stop": ended.stop,
        "tool_calls": list(gathered.calls.values()),
        "usage": ended.usage.to_json(),
        "memory": {
            "enabled": state.enabled,
            "root": str(session.project.memory_root),
            "loaded": gathered.loaded,
            "recalled": gathered.recalled,
            "saved": gathered.saved,
        },
    }
    if extraction is not None:
        result["extraction"] = extraction
    if ended.error is not None:
        result["error"] = ended.error
    return result


def _print(output: str, result: dict[str, Any], text: str) -> None:
    if output == "text":
        if text:
            put(text)
    elif output == "json":
        put_json(result)
    else:
        put_json({"type": "result", **result})


def _status(ended: TurnEnded, refusals: Refusals, *, incognito: bool) -> int:
    error = ended.error or {}
    if ended.stop == "interrupted":
        say("keepsake: interrupted; " + ("nothing of it is kept" if incognito else "the session is kept and can be resumed"))
        return INTERRUPTED
    if ended.stop != "end":
        words = f"{error.get('message', 'The turn did not end.')} {error.get('hint', '')}".strip()
        say(f"keepsake: {words}")
        return 1
    for title in refusals.titles:
        say(f"keepsake: refused, because nobody could answer: {redact(title)}")
    if refusals.titles:
        say("keepsake: --allow-write allows edits inside the workspace; commands are run in the window only")
    return REFUSED if refusals.titles else 0
