"""One record of Claude Code as a message: its text, thinking, calls, results and pictures; big results out of the session's own folder.

Reads side files of the session's folder and nothing else; follows no link, writes nothing. Wrong types are empty fields. Blocking.
"""

from __future__ import annotations

import os
import re
import stat
from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.reading import loads
from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage, ImportedResult, Role
from desktop.sessions.importers.wrappers import is_wrapped

SIDE_LIMIT = 5 << 20
"""Bytes of one side file that is read."""
SIDE_TOTAL = 64 << 20
"""Bytes of all side files of a session that are read."""
SIDE_FOLDER = "tool-results"
SYNTHETIC = "<synthetic>"
"""What stands for the model in messages that the tool itself made."""
_PERSISTED = "<persisted-output>"
_SAVED_TO = re.compile(r"saved to:?\s*([^\r\n]+)", re.IGNORECASE)
_USAGE = ("input_tokens", "cache_creation_input_tokens", "cache_read_input_tokens", "output_tokens")
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}


def session_folder(path: Path) -> Path:
    """The folder beside a transcript in which the tool keeps what belongs to it; it need not be there."""
    for parent in list(path.parents)[:3]:
        if parent.name == "subagents":
            return parent.parent
    return path.with_suffix("")


@dataclass(slots=True)
class SideFiles:
    """Results that are kept beside a transcript because of their size."""

    folder: Path
    left: int = SIDE_TOTAL

    def read(self, named: str) -> str | None:
        """The text of the side file with the last part of the path `named`; None where it is not there, too big, a link, or elsewhere."""
        name = re.split(r"[\\/]", named.strip().strip("`\"'"))[-1]
        folder = self.folder / SIDE_FOLDER
        if not name or name in {".", ".."} or "\0" in name or self.folder.is_symlink() or folder.is_symlink():
            return None
        try:
            data = self._bytes(folder / name)
        except (OSError, ValueError):
            return None
        return None if data is None else values.text(data.decode("utf-8", errors="replace"))

    def _bytes(self, path: Path) -> bytes | None:
        flags = os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0)
        if path.is_symlink():
            return None
        with os.fdopen(os.open(path, flags), "rb") as file:
            status = os.fstat(file.fileno())
            if not stat.S_ISREG(status.st_mode) or status.st_size > min(SIDE_LIMIT, self.left):
                return None
            self.left -= status.st_size
            return file.read(SIDE_LIMIT)


@dataclass(slots=True)
class _Content:
    """What the blocks of one record hold."""

    texts: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ImportedCall] = field(default_factory=list)
    results: list[ImportedResult] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)


@dataclass(slots=True)
class MessageReader:
    """Makes messages of the records of one file."""

    side: SideFiles
    _nameless: deque[str] = field(default_factory=deque)
    """Made ids of calls that the file gives none, until their results come: those have none either."""

    def message(self, record: dict[str, Any], line: int) -> ImportedMessage:
        """The message of a `user` or `assistant` record. Its parent is as the file tells it, its tokens those of the whole request."""
        said = record.get("message")
        inner = values.mapping(said)
        own_id = values.identifier(record.get("uuid")) or f"line-{line}"
        role = _ROLES.get(values.text(inner.get("role"))) or _ROLES.get(values.text(record.get("type"))) or "user"
        content = self._content(said if isinstance(said, str) else inner.get("content"), record, own_id)
        text = values.joined(content.texts)
        model = values.text(inner.get("model"))
        return ImportedMessage(
            id=own_id,
            parent=values.identifier(record.get("parentUuid")) or None,
            role=role,
            text=text,
            thinking=values.joined(content.thinking),
            tool_calls=tuple(content.calls),
            tool_results=tuple(content.results),
            time=values.moment(record.get("timestamp")),
            sidechain=record.get("isSidechain") is True or bool(values.text(record.get("parent_tool_use_id"))),
            hidden=_is_hidden(record, content, text, role),
            model="" if model == SYNTHETIC or role != "assistant" else model,
            tokens=values.counts(values.mapping(inner.get("usage")), *_USAGE),
            cost_usd=values.cost(record.get("costUSD")),
            pictures=tuple(content.pictures),
        )

    def _content(self, content: Any, record: dict[str, Any], own_id: str) -> _Content:
        found = _Content()
        for number, block in enumerate(content if isinstance(content, list) else [content]):
            if isinstance(block, str):
                found.texts.append(values.text(block))
            elif isinstance(block, dict):
                self._block(block, found, record, f"{own_id}#{number}")
        return found

    def _block(self, block: dict[str, Any], found: _Content, record: dict[str, Any], place: str) -> None:
        kind = values.text(block.get("type"))
        if kind == "thinking":
            found.thinking.append(values.text(block.get("thinking")))
        elif kind.endswith("tool_use"):
            found.calls.append(self._call(block, place))
        elif kind.endswith("tool_result"):
            found.results.append(self._result(block, record, place))
        elif kind == "image":
            found.pictures += _pictures([block])
        elif kind == "document":
            found.texts.append(_document(block))
        else:
            found.texts.append(values.text(block.get("text")))

    def _call(self, block: dict[str, Any], place: str) -> ImportedCall:
        own_id = values.identifier(block.get("id"))
        if not own_id:
            own_id = place
            self._nameless.append(own_id)
        return ImportedCall(own_id, values.text(block.get("name")), values.arguments(block.get("input")))

    def _result(self, block: dict[str, Any], record: dict[str, Any], place: str) -> ImportedResult:
        call = values.identifier(block.get("tool_use_id"))
        if not call:
            call = self._nameless.popleft() if self._nameless else values.identifier(record.get("sourceToolUseID")) or place
        content = block.get("content", block.get("text"))
        if content is None:
            content = record.get("toolUseResult")
        parts = values.mappings(content)
        pictures = tuple(_pictures(parts))
        told = [one for one in content if not _is_picture(one)] if pictures and isinstance(content, list) else content
        output = self._whole(values.as_text(told) if told != [] else "", values.mapping(record.get("toolUseResult")))
        return ImportedResult(call, output, block.get("is_error") is True, pictures=pictures)

    def _whole(self, output: str, told: dict[str, Any]) -> str:
        """The output, from its side file where the record holds only the start of it."""
        if not output.lstrip().startswith(_PERSISTED):
            return output
        saved = _SAVED_TO.search(output)
        for named in (values.text(told.get("persistedOutputPath")), saved[1] if saved else ""):
            text = self.side.read(named) if named else None
            if text is not None:
                return _side_text(text, named)
        return output


def _side_text(text: str, named: str) -> str:
    """The text of a side file; that of its parts where it is a list of them."""
    if named.strip().endswith(".json") and text.lstrip().startswith("["):
        try:
            return values.as_text(loads(text))
        except ValueError:
            return text
    return text


def _is_picture(part: Any) -> bool:
    return isinstance(part, dict) and part.get("type") == "image"


def _pictures(parts: list[dict[str, Any]]) -> Iterator[tuple[str, str]]:
    for part in parts:
        source = values.mapping(part.get("source"))
        found = values.picture(source.get("media_type"), source.get("data")) if _is_picture(part) else None
        if found is not None:
            yield found


def _document(block: dict[str, Any]) -> str:
    """The text of an attached document, or a line that stands for one that is no text."""
    source = values.mapping(block.get("source"))
    title = values.text(block.get("title")) or values.text(source.get("media_type"))
    if source.get("type") == "text":
        return values.text(source.get("data"))
    return f"[document: {title}]" if title else "[document]"


def _is_hidden(record: dict[str, Any], content: _Content, text: str, role: Role) -> bool:
    if content.calls or content.results or content.pictures:
        return False
    if any(record.get(name) is True for name in ("isMeta", "isCompactSummary", "isVisibleInTranscriptOnly")):
        return True
    if role == "assistant":
        inner = values.mapping(record.get("message"))
        return record.get("isApiErrorMessage") is True or inner.get("model") == SYNTHETIC or not (text or any(content.thinking))
    return role == "system" or not text or is_wrapped(text)
