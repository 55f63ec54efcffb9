"""What of a stored conversation is left out of requests while memory is off: calls into memory folders, with what they gave.

The transcript keeps everything, and the window shows it; only what is sent is less. Pure but for resolving the given folders.
"""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.agent.calls import MEMORY_CHANGES, MEMORY_DELETED, MEMORY_PROPOSED, MEMORY_SAVED
from desktop.messages.parts import Message, ToolCallPart, ToolResultPart

MEMORY_TOOLS = frozenset(("memory_index", "memory_search"))
_MARKS = (MEMORY_SAVED, MEMORY_DELETED, MEMORY_CHANGES, MEMORY_PROPOSED, "memory_restored", "memory_quarantined")
_PATHS = ("file_path", "path")


class MemoryTraces:
    """Finds the calls of a conversation that touched memory.

    Args:
        workspace: where relative paths start.
        folders: the folders of all memory roots.
    """

    def __init__(self, workspace: Path, folders: Iterable[Path]) -> None:
        self._workspace = os.path.realpath(workspace)
        self._folders = {text for folder in folders for text in (str(folder), os.path.realpath(folder))}
        inside = (os.path.relpath(folder, self._workspace) for folder in self._folders if folder.startswith(self._workspace + os.sep))
        self._words = self._folders | set(inside)

    def left_out(self, messages: Sequence[Message]) -> tuple[Message, ...]:
        """The messages without these calls and their results; a message of which nothing is left goes too."""
        results = {result.call_id: result for message in messages for result in message.tool_results}
        gone = {call.id for message in messages for call in _calls(message) if self._touches(call, results.get(call.id))}
        if not gone:
            return tuple(messages)
        kept = (self._without(message, gone) for message in messages)
        return tuple(message for message in kept if message.parts)

    def _touches(self, call: ToolCallPart, result: ToolResultPart | None) -> bool:
        if call.name in MEMORY_TOOLS or (result is not None and result.data and any(result.data.get(mark) for mark in _MARKS)):
            return True
        if any(self._is_inside(call.input.get(name)) for name in _PATHS):
            return True
        texts = [*_texts(call.input), call.raw or ""]
        return any(word in text for text in texts for word in self._words)

    def _is_inside(self, path: Any) -> bool:
        if not isinstance(path, str) or not path or "\0" in path:
            return False
        whole = os.path.normpath(os.path.join(self._workspace, path))  # noqa: PTH118 - a text out of a transcript, not a place to go to
        return any(whole == folder or whole.startswith(folder + os.sep) for folder in self._folders)

    @staticmethod
    def _without(message: Message, gone: set[str]) -> Message:
        parts = tuple(
            part
            for part in message.parts
            if not (isinstance(part, ToolCallPart) and part.id in gone) and not (isinstance(part, ToolResultPart) and part.call_id in gone)
        )
        return message if len(parts) == len(message.parts) else replace(message, parts=parts)


def _calls(message: Message) -> Iterator[ToolCallPart]:
    return (part for part in message.parts if isinstance(part, ToolCallPart))


def _texts(value: Any) -> Iterator[str]:
    """Every text in a call's arguments."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for one in value.values():
            yield from _texts(one)
    elif isinstance(value, list):
        for one in value:
            yield from _texts(one)
