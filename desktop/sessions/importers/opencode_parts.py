"""opencode's messages: an object of facts and its parts (text, reasoning, tools, files, steps), the same in database, files and streams.

Pure; never raises for what they hold. Also the tools of its lineage (MiMo Code, ZCode) and the first versions' invocations.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from desktop.sessions.importers.shapes import ImportedCall, ImportedMessage, ImportedResult, Role
from desktop.sessions.importers.values import (
    arguments,
    as_text,
    cost,
    counts,
    data_url,
    identifier,
    is_wrapper,
    joined,
    mapping,
    mappings,
    moment,
    text,
    whole,
)

_DEFAULT_TITLE = re.compile(r"(?:New|Child) session - \d{4}-\d\d-\d\dT[\d:.]+Z?")
_ROLES: dict[str, Role] = {"user": "user", "assistant": "assistant", "system": "system", "tool": "tool"}


def own_title(title: Any) -> str:
    """A session's title; empty for the one that it is born with."""
    return "" if _DEFAULT_TITLE.fullmatch(text(title).strip()) else text(title)


@dataclass(slots=True)
class _Parts:
    """What the parts of a message say."""

    texts: list[str] = field(default_factory=list)
    added: list[str] = field(default_factory=list)
    """Texts that the tool put in."""
    thoughts: list[str] = field(default_factory=list)
    calls: list[ImportedCall] = field(default_factory=list)
    results: list[ImportedResult] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)
    compaction: bool = False
    tokens: int = 0
    cost: float | None = None

    def take(self, part: dict[str, Any]) -> None:
        kind = text(part.get("type"))
        if kind == "text":
            added = part.get("synthetic") is True or part.get("ignored") is True
            (self.added if added else self.texts).append(text(part.get("text")))
        elif kind == "reasoning":
            self.thoughts.append(text(part.get("text")))
        elif kind == "tool":
            self._tool(part)
        elif kind == "tool-invocation":
            self._invocation(mapping(part.get("toolInvocation")))
        elif kind == "file":
            self._file(part)
        elif kind == "subtask":
            self.texts.append(joined((text(part.get("description")), text(part.get("prompt")))))
        elif kind in ("compaction", "checkpoint"):
            self.compaction = True
        elif kind == "step-finish":
            self.tokens += tokens_of(mapping(part.get("tokens")))
            told = cost(part.get("cost"))
            self.cost = told if self.cost is None else self.cost + (told or 0.0)

    def _tool(self, part: dict[str, Any]) -> None:
        state = mapping(part.get("state"))
        status, name = text(state.get("status")), text(part.get("tool"))
        call_id = identifier(part.get("callID")) or identifier(part.get("id")) or f"{name or 'call'}-{len(self.calls) + 1}"
        given = state.get("input") if state.get("input") not in (None, {}) else (state.get("raw") or state.get("input"))
        self.calls.append(ImportedCall(call_id, name, arguments(given)))
        if status not in ("completed", "error") and "output" not in state and "error" not in state:
            return
        output = as_text(state.get("output")) or as_text(state.get("error"))
        shown = tuple(one for one in (data_url(file.get("url")) for file in mappings(state.get("attachments"))) if one)
        self.results.append(ImportedResult(call_id, output, status == "error", name, shown))

    def _invocation(self, held: dict[str, Any]) -> None:
        name = text(held.get("toolName"))
        call_id = identifier(held.get("toolCallId")) or f"{name or 'call'}-{len(self.calls) + 1}"
        self.calls.append(ImportedCall(call_id, name, arguments(held.get("args"))))
        if text(held.get("state")) == "result" or "result" in held:
            self.results.append(ImportedResult(call_id, as_text(held.get("result")), name=name))

    def _file(self, part: dict[str, Any]) -> None:
        shown = data_url(part.get("url"))
        if shown:
            self.pictures.append(shown)
        else:
            address = text(part.get("url"))
            name = text(part.get("filename")) or ("" if address.startswith("data:") else address) or text(part.get("mime"))
            self.added.append(f"[{name or 'file'}]")


def tokens_of(tokens: dict[str, Any]) -> int:
    cache = mapping(tokens.get("cache"))
    return whole(tokens.get("total")) or counts(tokens, "input", "output", "reasoning") + counts(cache, "read", "write")


def message_of(name: str, info: dict[str, Any], parts: list[dict[str, Any]], *, role: Role = "assistant") -> ImportedMessage:
    """A message of its facts and parts; `role` where the facts tell none. Its parent is the message before."""
    held = _Parts()
    for part in parts:
        held.take(part)
    role = _ROLES.get(text(info.get("role")), role)
    said = joined(held.texts)
    model = mapping(info.get("model"))
    time = mapping(info.get("time"))
    summary = role == "assistant" and info.get("summary") is True
    only_added = not said and not held.pictures and not held.calls and (bool(held.added) or held.compaction)
    told = cost(info.get("cost"))
    return ImportedMessage(
        id=name,
        parent=None,
        role=role,
        text=said or joined(held.added) or _failure(info),
        thinking=joined(held.thoughts),
        tool_calls=tuple(held.calls),
        tool_results=tuple(held.results),
        time=moment(time.get("created")) or moment(time.get("start")) or moment(info.get("time_created")),
        hidden=summary or (role == "user" and (only_added or is_wrapper(said))) or role == "system",
        model=(text(info.get("modelID")) or text(model.get("modelID"))) if role == "assistant" else "",
        tokens=tokens_of(mapping(info.get("tokens"))) or held.tokens,
        cost_usd=held.cost if told is None else told,
        pictures=tuple(held.pictures),
    )


def _failure(info: dict[str, Any]) -> str:
    """Why there is no answer, where the request failed."""
    error = mapping(info.get("error"))
    return text(mapping(error.get("data")).get("message")) or text(error.get("message"))


def workspace_in(info: dict[str, Any]) -> str:
    path = mapping(info.get("path"))
    return text(path.get("cwd")) or text(path.get("root"))
