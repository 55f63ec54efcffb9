"""Bash: runs a shell command in the workspace, with live output, a time limit, and nothing left running afterwards.

Each command starts anew in the workspace: `cd` and variables do not last. The one `rm` that deletes memories never reaches a shell
(`desktop.tools.memory_remove`), and what any other command does to memory is put back (`desktop.memory.bracket`). Runs on the asyncio
thread; the command is a child in a session of its own.
"""

from __future__ import annotations

import asyncio
import secrets
import signal
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.base.errors import ToolError
from desktop.base.phrases import os_reason, say
from desktop.memory.bracket import BracketReport
from desktop.messages.tools import ToolSpec
from desktop.permissions.access import Access
from desktop.tools.arguments import Arguments, boolean, integer, schema, string
from desktop.tools.base import Outcome, Prepared, ToolContext
from desktop.tools.changes import origin_of
from desktop.tools.memory_remove import access_of, carry_out, recognise
from desktop.tools.output import MOST_CHARACTERS, OutputKeeper
from desktop.tools.process import Child, start
from desktop.tools.programs import child_environ
from desktop.tools.threads import settled

DEFAULT_MS = 120_000
LONGEST_MS = 600_000
LONGEST_COMMAND = 100_000
SHELLS = ("/bin/bash", "/usr/bin/bash", "/usr/local/bin/bash", "/bin/sh")

SPEC = ToolSpec(
    "Bash",
    "Runs a shell command in the workspace folder and gives its output and exit status. Every call starts in the workspace anew, so put "
    "`cd dir && …` into one command. There is no terminal and no input: pass flags that avoid questions. A command is ended after "
    f"`timeout` milliseconds (120,000 unless given, at most 600,000), and so is everything it left running. Over {MOST_CHARACTERS:,} "
    "characters of output the middle is left out. Use Read, Grep, Glob, Edit and Write for files. The person is asked before a command "
    "runs.",
    schema(
        ("command",),
        command=string("The command, as for bash -c."),
        timeout=integer("Milliseconds until the command is ended, up to 600,000. Default 120,000."),
        description=string("What the command does, in a few words, for the person."),
        run_in_background=boolean("Must be false: a command ends within its timeout."),
    ),
)


class BashTool:
    spec = SPEC

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        given = Arguments(SPEC, arguments)
        command = given.text("command", longest=LONGEST_COMMAND)
        if "\0" in command:
            raise given.wrong("command", "must not hold a NUL character")
        seconds = given.integer("timeout", DEFAULT_MS, least=1, most=LONGEST_MS) / 1000
        description = given.text("description", empty=True, longest=500) if given.has("description") else ""
        if given.flag("run_in_background"):
            raise given.wrong(
                "run_in_background",
                "must be false, since nothing may run on after its call: run it in the foreground with a `timeout`, or ask the person to "
                "start a lasting program in a terminal",
            )
        removal = await asyncio.to_thread(recognise, command, context)
        if removal is not None:

            async def remove() -> Outcome:
                return await settled(lambda: carry_out(removal, context))

            return Prepared(say("Delete memories"), access_of(removal, command, context), remove)

        async def run() -> Outcome:
            return await _run(command, seconds, context)

        access = Access("Bash", "execute", Path(context.workspace).resolve(), command)
        return Prepared(_title(command, description), access, run)


def _title(command: str, description: str) -> str:
    line = " ".join((description or command).split())
    return line if len(line) <= 120 else f"{line[:119]}…"


def shell_command(command: str) -> list[str]:
    """The program and arguments that run `command`.

    Raises:
        ToolError: no shell is where one is expected.
    """
    if sys.platform == "win32":
        return _windows_command(command)
    for shell in SHELLS:
        if Path(shell).is_file():
            plain = ["--noprofile", "--norc"] if shell.endswith("bash") else []
            return [shell, *plain, "-c", command]
    raise ToolError(say("No shell was found; looked for {names}.", names=", ".join(SHELLS)), hint=say("Install bash."))


def _windows_command(command: str) -> list[str]:
    import os

    root = Path(os.environ.get("SYSTEMROOT", r"C:\Windows"))
    powershell = root / "System32" / "WindowsPowerShell" / "v1.0" / "powershell.exe"
    if powershell.is_file():
        utf8 = "[Console]::OutputEncoding = [System.Text.Encoding]::UTF8; "
        return [str(powershell), "-NoLogo", "-NoProfile", "-NonInteractive", "-Command", utf8 + command]
    cmd = root / "System32" / "cmd.exe"
    if cmd.is_file():
        return [str(cmd), "/d", "/s", "/c", command]
    raise ToolError(
        say("Neither {powershell} nor {cmd} was found, so no command can be run.", powershell=powershell, cmd=cmd),
        hint=say("Repair the Windows installation."),
    )


async def _run(command: str, seconds: float, context: ToolContext) -> Outcome:
    """Run it with a guard around memory: whatever the command did there without the gate is put back when it is over, however it ends."""
    bracket = context.bracket
    if bracket is None:
        return await _run_child(command, seconds, context)
    token = await settled(bracket.before)
    report = BracketReport()

    def look_again() -> BracketReport:
        return bracket.after(token, origin=origin_of(context, "Bash"))

    try:
        outcome = await _run_child(command, seconds, context)
    finally:
        report = await settled(look_again)
    return _guarded(outcome, report, context)


def _guarded(outcome: Outcome, report: BracketReport, context: ToolContext) -> Outcome:
    """The outcome with what was put back or taken out of memory, for the model in words and for the window by name.

    With memory off no name of a memory is told either: the result goes to the model.
    """
    if not report.text:
        return outcome
    if context.memory is None:
        count = len(report.restored) + len(report.quarantined)
        text = f"The command changed the app's memory folders, which are closed while memory is off; it was undone: {count:,} files."
        return replace(outcome, output=f"{outcome.output}\n[{text}]")
    data = {"memory_restored": list(report.restored), "memory_quarantined": list(report.quarantined)}
    return replace(outcome, output=f"{outcome.output}\n[{report.text}]", data=(outcome.data or {}) | data)


async def _run_child(command: str, seconds: float, context: ToolContext) -> Outcome:
    argv = shell_command(command)
    keeper = OutputKeeper()

    def on_data(_stream: int, data: bytes) -> None:
        text = keeper.add(data)
        if text:
            context.emit(text)

    try:
        environ = child_environ(context.environ)
        child = await start(argv, cwd=Path(context.workspace), environ=environ, on_data=on_data, merge=True, mark=secrets.token_hex(16))
    except OSError as error:
        hint = say("Check that the workspace folder still exists.") if not Path(context.workspace).is_dir() else ""
        raise ToolError(
            say("{program} could not be started ({reason}).", program=argv[0], reason=os_reason(error)), hint=hint, detail=str(error)
        ) from error
    in_time = False
    left = 0
    try:
        in_time = await child.exited(seconds)
    finally:
        left = await child.end()
    return _outcome(child, keeper, seconds, in_time, left)


def _outcome(child: Child, keeper: OutputKeeper, seconds: float, in_time: bool, left: int) -> Outcome:
    output = keeper.text().rstrip("\n")
    notes = []
    status = child.status
    if not in_time:
        notes.append(f"The command was ended after {seconds:g} s, with all that it had started. Raise `timeout` if it needs longer.")
    elif status is not None and status < 0:
        notes.append(f"The command was ended by signal {_signal_name(-status)}.")
    elif status != 0:
        notes.append(f"Exit status {status}.")
    if in_time and left:
        notes.append(f"Processes that it left running were ended: {left}.")
    if not output and not notes:
        notes.append("The command gave no output.")
    text = "\n".join([*([output] if output else []), *(f"[{note}]" for note in notes)])
    failed = not in_time or status != 0
    return Outcome(text, "error" if failed else "ok", data={"exit_status": status, "timed_out": not in_time, "ended": left})


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return str(number)
