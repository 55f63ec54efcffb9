"""Google's `Content`: parts with text, thoughts, calls and their responses, pictures; what Gemini CLI and Qwen Code keep their messages in.

Pure; never raises for what a part holds.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from desktop.sessions.importers.shapes import ImportedCall, ImportedResult
from desktop.sessions.importers.values import arguments, as_text, identifier, joined, listing, mapping, picture, text


@dataclass(slots=True)
class CallIds:
    """Ids for calls that have none: a response without an id belongs to the oldest call of its name that has no response yet."""

    open: dict[str, list[str]] = field(default_factory=dict)
    made: int = 0

    def call(self, told: str, name: str) -> str:
        if not told:
            self.made += 1
            told = f"{name or 'call'}-{self.made}"
            self.open.setdefault(name, []).append(told)
        return told

    def response(self, told: str, name: str) -> str:
        waiting = self.open.get(name, [])
        if told:
            return told
        if waiting:
            return waiting.pop(0)
        self.made += 1
        return f"{name or 'call'}-{self.made}"


@dataclass(slots=True)
class Content:
    """What the parts of one message say."""

    texts: list[str] = field(default_factory=list)
    thoughts: list[str] = field(default_factory=list)
    calls: list[ImportedCall] = field(default_factory=list)
    results: list[ImportedResult] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)

    @property
    def text(self) -> str:
        return joined(self.texts)

    @property
    def thinking(self) -> str:
        return joined(self.thoughts)


def content_of(value: Any, ids: CallIds) -> Content:
    """A text, a part, a list of both, or an object with `parts`."""
    found = Content()
    if isinstance(value, dict) and isinstance(value.get("parts"), (list, str)):
        value = value["parts"]
    for part in value if isinstance(value, list) else [value]:
        if isinstance(part, str):
            found.texts.append(text(part))
        elif isinstance(part, dict):
            _take(part, found, ids)
    return found


def _take(part: dict[str, Any], found: Content, ids: CallIds) -> None:
    said = text(part.get("text"))
    if said:
        (found.thoughts if part.get("thought") is True else found.texts).append(said)
    elif isinstance(part.get("thought"), str):
        found.thoughts.append(text(part["thought"]))
    if isinstance(part.get("functionCall"), dict):
        call = part["functionCall"]
        name = text(call.get("name"))
        found.calls.append(ImportedCall(ids.call(identifier(call.get("id")), name), name, arguments(call.get("args"))))
    if isinstance(part.get("functionResponse"), dict):
        found.results.append(response_of(part["functionResponse"], ids))
    _take_media(part, found)


def _take_media(part: dict[str, Any], found: Content) -> None:
    inline = mapping(part.get("inlineData"))
    if inline:
        shown = picture(inline.get("mimeType"), inline.get("data"))
        if shown:
            found.pictures.append(shown)
        else:
            found.texts.append(f"[{text(inline.get('mimeType')) or 'data'}]")
    file = text(mapping(part.get("fileData")).get("fileUri"))
    if file:
        found.texts.append(f"[{file}]")
    code = mapping(part.get("executableCode"))
    if text(code.get("code")):
        found.texts.append(f"```{text(code.get('language')).lower()}\n{text(code['code'])}\n```")
    output = text(mapping(part.get("codeExecutionResult")).get("output"))
    if output:
        found.texts.append(f"```\n{output}\n```")


def response_of(response: dict[str, Any], ids: CallIds) -> ImportedResult:
    """The result in a `functionResponse`, with the pictures in its own parts."""
    name = text(response.get("name"))
    held = response.get("response")
    output, failed = _output(held)
    pictures = []
    for part in listing(response.get("parts")):
        inline = mapping(mapping(part).get("inlineData"))
        if shown := picture(inline.get("mimeType"), inline.get("data")):
            pictures.append(shown)
    return ImportedResult(ids.response(identifier(response.get("id")), name), output, failed, name, tuple(pictures))


def _output(held: Any) -> tuple[str, bool]:
    if isinstance(held, dict):
        for key in ("output", "content", "result"):
            if key in held:
                return as_text(held[key]), bool(held.get("error"))
        if "error" in held:
            error = held["error"]
            return as_text(mapping(error).get("message") or error), True
    return as_text(held), False
