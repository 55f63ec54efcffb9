"""What a message holds, whatever a chat program calls its parts: texts, thinking, calls, results and pictures, parts inside of parts too.

Knows the shapes that OpenAI, Anthropic and Google made common, and the parts of our own transcripts. Pure, any thread; nothing raises.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.shapes import ImportedCall, ImportedResult

DEPTH = 20
"""Levels of parts inside of parts that are taken apart."""
_ANSWERED = ("tool_use_id", "tool_call_id", "call_id", "toolCallId", "toolUseID", "toolUseId", "tool_id", "id")
"""Fields of a result that name its call."""


def first_text(record: Mapping[str, Any], *names: str) -> str:
    """The first of the named fields that holds a text that is not blank."""
    return next((values.text(value) for name in names if isinstance(value := record.get(name), str) and value.strip()), "")


@dataclass(slots=True)
class Content:
    """What a message holds, while it is taken apart."""

    texts: list[str] = field(default_factory=list)
    thinking: list[str] = field(default_factory=list)
    calls: list[ImportedCall] = field(default_factory=list)
    results: list[ImportedResult] = field(default_factory=list)
    pictures: list[tuple[str, str]] = field(default_factory=list)
    depth: int = 0
    known: bool = False
    """Whether anything of the content was of a shape that is known, be it empty."""

    @property
    def text(self) -> str:
        return "\n\n".join(one for one in self.texts if one.strip())

    def call(self, call_id: Any, name: Any, given: Any) -> None:
        self.calls.append(ImportedCall(values.identifier(call_id), values.text(name), values.arguments(given)))

    def result(self, call_id: Any, value: Any, *, error: bool = False, name: Any = "") -> None:
        held = read_content(value, self.depth + 1) if isinstance(value, list) else Content()
        output = held.text or (values.as_text(value) if not held.known or not held.pictures else "")
        self.results.append(ImportedResult(values.identifier(call_id), output, error, values.text(name), tuple(held.pictures)))


_SHOWN = ("partial-call", "call", "result", "input-streaming", "input-available", "output-available", "output-error", "error")
"""States of calls that stand with what they gave."""


def read_content(value: Any, depth: int = 0) -> Content:
    """The content of a message: a text, a list of parts, or one part; parts inside of parts down to DEPTH."""
    content = Content(depth=depth)
    if depth > DEPTH:
        return content
    if isinstance(value, str):
        content.known = True
        content.texts.append(values.text(value))
    elif isinstance(value, dict):
        _part(content, value)
    elif isinstance(value, list):
        for part in value:
            if isinstance(part, str):
                content.known = True
                content.texts.append(values.text(part))
            elif isinstance(part, dict):
                _part(content, part)
    return content


def _part(content: Content, part: dict[str, Any]) -> None:
    """One part, by its kind where it tells one and by its fields where not."""
    if isinstance(part.get("parts"), list):
        _add(content, read_content(part["parts"], content.depth + 1))
        return
    kind = values.text(part.get("type") or part.get("kind") or part.get("content_type"))
    take = _PARTS.get(kind)
    if take is not None:
        content.known = True
        take(content, part)
        return
    if kind.startswith(("tool-", "dynamic-tool")) and "toolCallId" in part:
        content.known = True
        _take_shown_tool(content, {"toolName": kind.removeprefix("tool-"), **part})
        return
    for name, take in _FIELDS.items():
        if isinstance(part.get(name), dict):
            content.known = True
            take(content, part[name])
            return
    if (text := _text(part)) and kind not in _NOT_SAID:
        content.known = True
        (content.thinking if part.get("thought") is True else content.texts).append(text)


def _add(content: Content, inner: Content) -> None:
    content.known = content.known or inner.known
    content.texts += inner.texts
    content.thinking += inner.thinking
    content.calls += inner.calls
    content.results += inner.results
    content.pictures += inner.pictures


def _text(part: dict[str, Any]) -> str:
    value = part.get("text")
    if isinstance(value, dict):
        value = value.get("value")
    return values.text(value) or first_text(part, "content", "value", "result", "transcript")


def _take_text(content: Content, part: dict[str, Any]) -> None:
    (content.thinking if part.get("thought") is True else content.texts).append(_text(part))


def _take_thinking(content: Content, part: dict[str, Any]) -> None:
    text = first_text(part, "thinking", "think", "reasoning", "text", "content")
    for one in values.listing(part.get("summary")) + values.listing(part.get("thoughts")):
        text = "\n\n".join(filter(None, (text, first_text(values.mapping(one), "text", "content", "summary") or values.text(one))))
    content.thinking.append(text)


def take_call(content: Content, part: dict[str, Any]) -> None:
    if part.get("state") in _SHOWN and "toolCallId" in part:
        _take_shown_tool(content, part)
        return
    function = values.mapping(part.get("function") or part.get("toolCall"))
    function = values.mapping(function.get("value")) or function
    held = {**part, **function}
    given = next((held[name] for name in ("input", "arguments", "args", "parameters", "params") if held.get(name) is not None), None)
    found = next((part[name] for name in ("id", "call_id", "tool_call_id", "toolCallId", "toolUseId", "tool_id") if part.get(name)), None)
    content.call(found, name_in(held), given)


def name_in(held: dict[str, Any]) -> str:
    return first_text(held, "name", "tool_name", "toolName", "tool")


def _take_result(content: Content, part: dict[str, Any]) -> None:
    held = values.mapping(part.get("toolResult"))
    value = next(
        (part[name] for name in ("content", "output", "result", "text") if part.get(name) is not None), held.get("value", held.get("error"))
    )
    ran = values.mapping(part.get("run"))  # Amp's
    value = ran.get("result", ran.get("error")) if ran and value is None else value
    if isinstance(value, dict) and isinstance(value.get("value"), str):
        value = value["value"]
    states = (part.get("status"), held.get("status"), ran.get("status"))
    error = part.get("is_error") is True or part.get("isError") is True or "error" in states
    found = next((part[name] for name in _ANSWERED if part.get(name)), None)
    content.result(found, value, error=error, name=name_in(part))


def _take_answer(content: Content, part: dict[str, Any]) -> None:
    """A `functionResponse` as Google writes it."""
    response = part.get("response")
    held = values.mapping(response)
    value = next((held[name] for name in ("output", "result", "content", "error") if held.get(name) is not None), response)
    content.result(part.get("id"), value, error=bool(held.get("error")), name=part.get("name"))


def _take_picture(content: Content, part: dict[str, Any]) -> None:
    source = values.mapping(part.get("source")) or values.mapping(part.get("inlineData") or part.get("inline_data")) or part
    media = first_text(source, "media_type", "mimeType", "mime_type", "mediaType") or "image/png"
    url = part.get("image_url") or part.get("url") or part.get("image")
    found = values.data_url(url.get("url") if isinstance(url, dict) else url)
    found = found or values.picture(media, first_text(source, "data", "base64", "image"))
    if found is not None:
        content.pictures.append(found)


def _take_file(content: Content, part: dict[str, Any]) -> None:
    """A file that was laid before the model: its name is told, its text is no word of the person."""
    path = first_text(part, "path", "file_path", "filename", "name", "title")
    source = values.mapping(part.get("source"))
    if str(source.get("media_type", "")).startswith("image/"):
        _take_picture(content, part)
    elif path:
        content.texts.append(f"[{path}]")


def _take_tool(content: Content, part: dict[str, Any]) -> None:
    """A call with what it gave in one part, as opencode keeps it."""
    state, call = values.mapping(part.get("state")), part.get("callID") or part.get("id")
    if not state:
        content.texts.append(_text(part))
        return
    content.call(call, part.get("tool"), state.get("input"))
    if state.get("status") in ("completed", "error"):
        content.result(call, state.get("output", state.get("error")), error=state["status"] == "error", name=part.get("tool"))


def _take_shown_tool(content: Content, part: dict[str, Any]) -> None:
    """A call, with what it gave as soon as it has, as the AI SDK shows them in one part."""
    held = values.mapping(part.get("toolInvocation")) or part
    call, name, state = held.get("toolCallId"), name_in(held), held.get("state")
    content.call(call, name, held.get("input", held.get("args")))
    if state in ("result", "output-available", "output-error", "error"):
        given = next((held[one] for one in ("output", "result", "errorText", "error") if held.get(one) is not None), None)
        content.result(call, given, error="error" in state, name=name)


def _take_code(content: Content, part: dict[str, Any]) -> None:
    text = _text(part)
    content.texts.append(f"```\n{text}\n```" if text else "")


_PARTS: dict[str, Any] = {
    **dict.fromkeys(("text", "input_text", "output_text", "multimodal_text", "markdown", "refusal"), _take_text),
    **dict.fromkeys(
        ("thinking", "think", "reasoning", "thoughts", "reasoning_text", "redacted_thinking", "reasoning_recap"), _take_thinking
    ),
    **dict.fromkeys(
        ("tool_use", "tool_call", "tool-call", "toolCall", "toolRequest", "function_call", "function", "server_tool_use", "tool_request"),
        take_call,
    ),
    **dict.fromkeys(
        ("tool_result", "tool-result", "toolResult", "toolResponse", "function_call_output", "web_search_tool_result", "tool_response"),
        _take_result,
    ),
    **dict.fromkeys(("image", "image_url", "input_image", "inlineData"), _take_picture),
    **dict.fromkeys(("file", "document", "input_file"), _take_file),
    "code": _take_code,
    "tool-invocation": _take_shown_tool,
    "tool": _take_tool,
}
_FIELDS: dict[str, Any] = {
    "functionCall": take_call,
    "toolUse": take_call,
    "toolResult": _take_result,
    "functionResponse": _take_answer,
    "inlineData": _take_picture,
    "inline_data": _take_picture,
}
_NOT_SAID = ("model_editable_context", "user_editable_context", "tether_browsing_display", "system_error")
