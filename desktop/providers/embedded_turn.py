"""What a request means to the small model's adaptor: the person's last words, what was done since, and the turns before. Pure.

The adaptor keeps no state between requests: everything that it must know of the turn is read from the request's messages here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePath
from typing import Any

from desktop.messages.parts import Message, ToolCallPart, ToolResultPart
from desktop.providers.base import ModelRequest
from desktop.providers.embedded_notes import KnownNote, index_entry, known_notes, shown_text

_APP_BLOCKS = ("<reference-data", "<memory-changes", "The person's message refers to", "<system-reminder")
"""How messages of the app begin that say nothing new to a small model: it gets memory in a form of its own."""


@dataclass(frozen=True, slots=True)
class Step:
    """One call of this turn and what it gave; a call without a result counts as interrupted."""

    call: ToolCallPart
    result: ToolResultPart

    @property
    def ok(self) -> bool:
        return self.result.status == "ok"

    @property
    def path(self) -> str:
        value = self.call.input.get("file_path")
        return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class TurnState:
    """The turn that a request belongs to.

    Attributes:
        said: the person's words that began it.
        steps: calls since then, in order.
        spoken: text that was said since then, before or between calls.
        history: earlier turns as (person's words, last answer).
        context: what was read from another session for this turn, or empty.
        shown: text of files that a Read or Write of this session showed, by path; as it was then.
    """

    said: str
    steps: tuple[Step, ...]
    spoken: str
    history: tuple[tuple[str, str], ...]
    context: str
    shown: Mapping[str, str]


def _is_app_block(message: Message) -> bool:
    return message.origin == "app" and message.text.lstrip().startswith(_APP_BLOCKS)


def _last_words(messages: Sequence[Message]) -> int:
    """Index of the message that began this turn: the person's last, or the app's own question in a background request."""
    for wanted in ("person", "app"):
        for i in range(len(messages) - 1, -1, -1):
            m = messages[i]
            if m.role == "user" and m.origin == wanted and not _is_app_block(m):
                return i
    return -1


def _steps(messages: Sequence[Message]) -> tuple[Step, ...]:
    results = {r.call_id: r for m in messages for r in m.tool_results}
    return tuple(
        Step(call, results.get(call.id) or ToolResultPart(call.id, call.name, "no result", "interrupted"))
        for m in messages
        for call in m.tool_calls
    )


def _history(messages: Sequence[Message]) -> tuple[tuple[str, str], ...]:
    turns: list[tuple[str, str]] = []
    for m in messages:
        if m.role == "user" and m.origin == "person":
            turns.append((m.text, ""))
        elif m.role == "assistant" and m.text and turns:
            turns[-1] = (turns[-1][0], m.text)
    return tuple((said, answered) for said, answered in turns if said and answered)


def _context(messages: Sequence[Message]) -> str:
    """What the app read into the conversation between the turn before and this one."""
    for m in reversed(messages):
        if m.role == "assistant" or m.origin == "person":
            break
        if m.role == "user" and not _is_app_block(m) and m.text:
            return m.text
    return ""


def _shown(messages: Sequence[Message], workspace: str) -> dict[str, str]:
    found: dict[str, str] = {}
    for step in _steps(messages):
        if not step.path or not step.ok:
            continue
        if step.call.name == "Read":
            found[normal(step.path, workspace)] = shown_text(step.result.output)
        elif step.call.name == "Write":
            found[normal(step.path, workspace)] = str(step.call.input.get("content", ""))
    return found


def turn_state(request: ModelRequest) -> TurnState:
    messages = request.messages
    at = _last_words(messages)
    before, since = messages[: max(at, 0)], messages[at + 1 :]
    return TurnState(
        said=messages[at].text if at >= 0 else "",
        steps=_steps(since),
        spoken="\n".join(m.text for m in since if m.role == "assistant" and m.text),
        history=_history(before),
        context=_context(before),
        shown=_shown(messages, request.workspace),
    )


def normal(path: str, workspace: str) -> str:
    """A path as one form for comparing: joined to the workspace, without `.`."""
    pure = PurePath(path)
    return str(pure if pure.is_absolute() or not workspace else PurePath(workspace) / pure)


def call_key(tool: str, args: dict[str, Any], workspace: str) -> str:
    """What makes two calls the same."""
    value = {k: normal(v, workspace) if k == "file_path" and isinstance(v, str) else v for k, v in args.items()}
    return json.dumps([tool, value], sort_keys=True, ensure_ascii=False)


def memory_of(request: ModelRequest) -> list[KnownNote]:
    """What is known of memory: from the ranked hints, else from the index in the start block."""
    if request.memory_index or request.memory_notes:
        return known_notes(request.memory_index, request.memory_notes)
    if not request.memory_root:
        return []
    lines = [line for m in request.messages if _is_app_block(m) for line in m.text.splitlines() if index_entry(line)]
    return known_notes(lines, ())


def is_single(memory_root: str) -> bool:
    """Whether a request's memory is one file, and no folder."""
    return PurePath(memory_root).name == "MEMORY.md"


def under(path: str, root: str) -> bool:
    """`path` is a file below `root`, compared part by part; or `root` itself where that is a file."""
    if not root or not path:
        return False
    if is_single(root):
        return PurePath(path) == PurePath(root)
    try:
        return PurePath(path).is_relative_to(PurePath(root)) and PurePath(path) != PurePath(root)
    except ValueError:
        return False


def taken_names(request: ModelRequest) -> list[str]:
    """Names that a new note must not take beside those of the known notes: of the whole index, and of files written in this session."""
    lines = [line for m in request.messages if _is_app_block(m) for line in m.text.splitlines()]
    entries = [entry[0] for line in lines if (entry := index_entry(line))]
    calls = [c.input.get("file_path") for m in request.messages for c in m.tool_calls if c.name == "Write"]
    written = [PurePath(p).name for p in calls if isinstance(p, str) and under(p, request.memory_root)]
    return [name.removesuffix(".md") for name in (*entries, *written)]
