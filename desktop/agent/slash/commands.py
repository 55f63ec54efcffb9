"""The commands that begin with a slash: their names, what they take, how a typed line is read, and who carries each out.

Owns the one list of them, for composer, palette, terminal and `/help`. A line that begins with a slash and is none of them is an ordinary
message. Calls no model. `run` may be awaited beside a running turn: what blocks runs in a worker thread.
"""

from __future__ import annotations

import asyncio
import difflib
import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING

from desktop.agent.slash.markup import blocks, plain
from desktop.agent.slash.result import CommandAction, CommandResult
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import say

if TYPE_CHECKING:
    from desktop.agent.session import AgentSession

__all__ = ["COMMANDS", "CommandAction", "CommandResult", "SlashCommand", "near", "parse", "run"]

_LINE = re.compile(r"\s*[/／]([A-Za-z][A-Za-z-]*)(?:(?:[:：](?!//)\s*|\s+)(.*))?\s*\Z", re.S)
_LONE = re.compile(r"\s*[/／]([A-Za-z][A-Za-z-]{1,30})\s*\Z")
_CHINESE = re.compile(r"\s*[/／]([\u4e00-\u9fff].*)\Z", re.S)
_GOES_ON = re.compile("[了过吗吧呢的]")


@dataclass(frozen=True, slots=True)
class SlashCommand:
    """One command.

    Attributes:
        name: without the slash.
        arguments: what is written behind it, as a phrase; empty for none. In square brackets: may be left out.
        summary: what it does, in one short sentence.
        alias: its Chinese name, for people who type that; what stands behind it may follow without a blank.
        needs_text: it does nothing without something behind it.
        window: id of the window's command that does it; empty: it is carried out here.
        writes: it changes memory.
        takes_text: with something behind it, it is carried out here although the window has a command of its own for it.
        spaced: what stands behind its Chinese name needs a blank before it, unless it is a number: else it is a sentence.
    """

    name: str
    arguments: str
    summary: str
    alias: str = ""
    needs_text: bool = False
    window: str = ""
    writes: bool = False
    takes_text: bool = False
    spaced: bool = False

    def is_windows(self, behind: str) -> bool:
        """Whether the window's own command does it."""
        return bool(self.window) and not (self.takes_text and behind)

    @property
    def typed(self) -> str:
        return f"/{self.name}"


COMMANDS: tuple[SlashCommand, ...] = (
    SlashCommand("memory", "", say("Shows where memory is, how large it is, and whether it is on"), "记忆"),
    SlashCommand("remember", say("[--global] TEXT"), say("Saves a sentence to memory at once"), "记住", needs_text=True, writes=True),
    SlashCommand("forget", say("MEMORY"), say("Deletes a memory; it can be undone"), "忘记", needs_text=True, writes=True),
    SlashCommand("recall", say("QUESTION"), say("Shows which memories fit a question, and why"), "回忆", needs_text=True),
    SlashCommand("context", "", say("Shows what is sent to the model, part by part"), "上下文"),
    SlashCommand("status", "", say("Shows this chat's model, mode, memory and cost"), "状态"),
    SlashCommand("help", "", say("Lists these commands"), "帮助"),
    SlashCommand("new", "", say("Begins a new chat"), "新对话", window="session.new"),
    SlashCommand("clear", "", say("Begins a new chat; this one is kept"), "清空", window="session.new"),
    SlashCommand(
        "resume",
        say("[WORDS | #sess_…]"),
        say("Goes back to an earlier chat"),
        "继续",
        window="sessions.pick",
        takes_text=True,
        spaced=True,
    ),
    SlashCommand("fork", "", say("Makes a new chat of all that was said here"), "分叉"),
    SlashCommand("rewind", say("[NUMBER]"), say("Takes your last message back, or so many of them"), "回退", spaced=True),
    SlashCommand("rename", say("[TITLE]"), say("Gives this chat a title"), "改名", window="chat.rename", takes_text=True),
    SlashCommand("export", say("[md | json] [PATH]"), say("Writes this chat to a file"), "导出", spaced=True),
    SlashCommand("model", "", say("Chooses the model of this chat"), "模型", window="chat.model"),
    SlashCommand("mode", "", say("Chooses what may be done without asking"), "模式", window="chat.mode"),
)
"""In the order in which they are listed. What the window does by itself already has its id."""

_BY_NAME = {command.name: command for command in COMMANDS}


def parse(text: str) -> tuple[SlashCommand, str] | None:
    """The command that a typed text is and what stands behind it; None for any other text, which is a message."""
    found = _LINE.match(text)
    if found is not None:
        command, behind = _BY_NAME.get(found[1].lower()), (found[2] or "").strip()
    else:
        command, behind = _chinese(text)
    if command is None or (behind and not command.arguments):
        return None  # “/help me with this” is no command: that one takes nothing
    return command, behind


def _chinese(text: str) -> tuple[SlashCommand | None, str]:
    """The command whose Chinese name begins the text, and what stands behind it."""
    found = _CHINESE.match(text)
    command = next((one for one in COMMANDS if one.alias and found is not None and found[1].startswith(one.alias)), None)
    if found is None or command is None:
        return None, ""
    behind = found[1].removeprefix(command.alias).rstrip()
    if command.spaced and behind and not behind[0].isspace() and not behind.isdigit():
        return None, ""  # “/继续做完” is said to the model
    if _GOES_ON.match(behind) or (command.writes and behind[:1].isalnum() and behind.endswith(("？", "?"))):
        return None, ""  # “/记住了吗？” goes on as a sentence
    return command, behind.strip(" \t\r\n：:，,")


def near(text: str) -> SlashCommand | None:
    """The command that a lone mistyped word such as `/memroy` is near to; None for a command, a path or a sentence."""
    found = _LONE.match(text)
    if found is None or parse(text) is not None:
        return None
    close = difflib.get_close_matches(found[1].lower(), _BY_NAME, n=1, cutoff=0.7)
    return _BY_NAME[close[0]] if close else None


async def run(session: AgentSession, text: str) -> CommandResult:
    """Carry out the command that `text` is. Calls no model; whatever goes wrong is said in the result."""
    found = parse(text)
    if found is None:
        return unknown(text)
    command, behind = found
    if command.is_windows(behind):
        return CommandResult(
            command.typed,
            command.typed,
            say("{command} belongs to the window: it is done there, in the chat or the command palette.", command=command.typed),
            status="error",
        )
    try:
        if command.name == "context":
            return await _context(session)
        if command.name in ("fork", "rewind", "resume"):
            return await _moving(command, session, behind)
        return await asyncio.to_thread(_act(command), session, behind)
    except KeepsakeError as error:
        return failed(command, error)


async def _context(session: AgentSession) -> CommandResult:
    """The one command whose facts the session itself has to gather, on its own thread."""
    from desktop.agent.slash.about_session import context

    return context(await session.context_report(), asked=session.reported)


async def _moving(command: SlashCommand, session: AgentSession, behind: str) -> CommandResult:
    """The commands that change which branch or session is live: on the session's own thread."""
    from desktop.agent.slash import chats

    return await {"fork": chats.fork, "rewind": chats.rewind, "resume": chats.resume}[command.name](session, behind)


def _act(command: SlashCommand) -> Callable[[AgentSession, str], CommandResult]:
    """Who carries a command out; blocking."""
    from desktop.agent.slash import about_memory, about_session, chats, keep, recall

    return {
        "memory": about_memory.memory,
        "remember": keep.remember_command,
        "forget": keep.forget_command,
        "recall": recall.recall_command,
        "status": about_session.status,
        "help": about_session.help_command,
        "rename": chats.rename,
        "export": chats.export,
    }[command.name]


def failed(command: SlashCommand, error: KeepsakeError) -> CommandResult:
    """The result of a command that could not be done: the reason and the way out."""
    return CommandResult(
        command.typed, command.typed, blocks(plain(error.message), plain(error.hint)), {"error": str(error.message)}, "error"
    )


def unknown(text: str) -> CommandResult:
    """The result for what is no command."""
    word = text.strip().split(maxsplit=1)[0] if text.strip() else "/"
    meant = near(text)
    said = say("There is no command {command}.", command=plain(word))
    hint = say("Did you mean {command}?", command=meant.typed) if meant is not None else say("/help lists the commands.")
    return CommandResult(word, word, blocks(said, hint), {"error": "unknown"}, "error")
