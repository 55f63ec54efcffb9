"""One message as chat programs store it, whatever they call its fields: who says it, its text, thinking, calls, results and pictures.

Knows the shapes that OpenAI, Anthropic and Google made common, and the parts of our own transcripts. Pure, any thread; nothing raises.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.chat_content import Content, first_text, name_in, read_content, take_call
from desktop.sessions.importers.shapes import ImportedMessage, Role

ROLES: dict[str, Role] = {
    **dict.fromkeys(("user", "human", "person", "prompter", "customer", "usermessage", "humanmessage", "user_message"), "user"),
    **dict.fromkeys(
        (
            "assistant",
            "ai",
            "model",
            "bot",
            "gpt",
            "chatgpt",
            "claude",
            "agent",
            "chatbot",
            "aimessage",
            "assistant_message",
            "agent_message",
        ),
        "assistant",
    ),
    **dict.fromkeys(
        ("tool", "function", "observation", "ipython", "environment", "toolmessage", "tool_message", "tool_result", "toolresult"), "tool"
    ),
    **dict.fromkeys(("system", "developer", "systemmessage", "system_message"), "system"),
}
"""What tools write for a role, in small letters."""

_TYPES = frozenset(
    ("user", "human", "ai", "assistant", "system", "tool", "user_message", "assistant_message", "agent_message", "system_message")
)
"""Of the roles those that a `type` may tell; what else it holds is the kind of a part, an event or a line of a log."""
ROLE_NAMES = ("role", "r", "sender", "from", "author", "speaker", "type")
TEXT_NAMES = ("contentParts", "content", "content_json", "text", "m", "parts", "value", "message", "body", "response", "output")
PARENT_NAMES = ("parent", "parent_id", "parentId", "parentUuid", "parent_message_uuid", "parentMessageId", "parent_uuid")
ID_NAMES = ("uuid", "id", "message_id", "messageId", "msg_id")
TIME_NAMES = (
    "timestamp",
    "time",
    "ts",
    "t",
    "created_at",
    "createdAt",
    "create_time",
    "createTime",
    "created",
    "created_timestamp",
    "date",
    "at",
)
CALL_NAMES = ("tool_calls", "toolCalls", "function_call", "toolInvocations")
_HELD = ("content", "content_json", "tool_calls", "toolCalls", "tool_result", "thinking", "reasoning_content")
_WRAPPER = re.compile(
    r"\s*<(?:system-reminder|environment_context|environment_details|user_instructions|INSTRUCTIONS|command-name|command-message"
    r"|local-command-stdout|local-command-caveat|user-prompt-submit-hook)\b"
)


def role_of(record: Mapping[str, Any]) -> Role | None:
    """Who says a record; None where it does not tell, so that it is no message."""
    if "bubbleId" in record and record.get("type") in (1, 2):  # Cursor's numbers
        return "user" if record["type"] == 1 else "assistant"
    if isinstance(record.get("isCreatedByUser"), bool) and isinstance(record.get("text"), str):
        return "user" if record["isCreatedByUser"] else "assistant"
    for name in ROLE_NAMES:
        value = record.get(name)
        if isinstance(value, dict):
            value = value.get("role") or value.get("type")
        if isinstance(value, str) and (role := ROLES.get(value.strip().lower())) is not None and (name != "type" or value in _TYPES):
            return role
    return None


def is_message(record: Any) -> bool:
    """Whether a value is a message: it tells who says it, and has a place for what is said."""
    if not isinstance(record, dict):
        return False
    inner = unwrapped(record)
    if role_of(inner) is None:
        return False
    if any(
        name in inner for name in ("content", "content_json", "tool_calls", "toolCalls", "tool_result", "thinking", "reasoning_content")
    ):
        return True
    if isinstance(inner.get("tool"), str) and "r" in inner:
        return True
    names = [name for name in TEXT_NAMES if name != "message" or any(who in inner for who in ROLE_NAMES[:-1])]
    return any(isinstance(inner.get(name), str | list) for name in names)


def unwrapped(record: dict[str, Any]) -> dict[str, Any]:
    """The object that holds role and content: the record itself, or the one inside it (`message`, `data`, …) with the rest around."""
    for name in ("message", "data", "kwargs", "msg"):
        inner = record.get(name)
        if isinstance(inner, dict) and (role_of(inner) is not None or (role_of(record) is not None and _has_text(inner))):
            rest = {key: value for key, value in record.items() if key != name and key not in inner}
            return {**rest, **inner}
    return record


def _has_text(inner: dict[str, Any]) -> bool:
    return any(isinstance(inner.get(name), str | list) for name in ("content", "text", "parts"))


_OUTLINE = frozenset(("t", "r", "agent", "tool", "tool_result", *TIME_NAMES))
_USAGE = ("usage", "metrics", "tokens", "usageMetadata")


# --- the whole message --------------------------------------------------------------------------------------------------


def content_of(record: dict[str, Any], role: Role) -> Content:
    """Everything that a record holds."""
    value = next((record[name] for name in TEXT_NAMES if isinstance(record.get(name), str | list | dict)), None)
    if isinstance(value, str) and any(values.text(one.get("type")).startswith("tool-") for one in values.mappings(record.get("parts"))):
        value = record["parts"]  # they hold the text once more, and what was done
    content = Content() if role == "tool" and not _has_parts(value) else _parts_of(value)
    if isinstance(value, str) and "content_json" in record and "content" not in record:
        content = _parts_of(values.arguments(value) if value.startswith("{") else values.parsed_list(value))
    if not content.calls:  # parts that hold calls hold the same once more
        _take_calls(content, record)
    thinking = first_text(record, "reasoning_content", "thinking", "reasoning", "thoughts")
    if thinking and not content.thinking:
        content.thinking.append(thinking)
    if role == "tool" and not content.results:
        found = next((record[name] for name in ("tool_call_id", "call_id", "toolCallId", "tool_use_id") if record.get(name)), None)
        content.texts.clear()
        content.result(found, value, error=record.get("is_error") is True, name=name_in(record))
    return content


def _parts_of(value: Any) -> Content:
    content = read_content(value)
    if isinstance(value, dict) and not content.known:
        content.texts.append(values.as_text(value))
    return content


def _has_parts(value: Any) -> bool:
    """Whether the content of a tool's message has result parts of its own."""
    return isinstance(value, list | dict) and bool(read_content(value).results)


def _take_calls(content: Content, record: dict[str, Any]) -> None:
    for name in CALL_NAMES:
        value = record.get(name)
        for one in values.parsed_list(value) if isinstance(value, str | list) else [value]:
            if isinstance(one, dict):
                take_call(content, one)
    _take_bubble(content, record)
    _take_short(content, record)


def _take_bubble(content: Content, record: dict[str, Any]) -> None:
    """The call with its result that Cursor keeps beside a message's words, and its thoughts."""
    held = values.mapping(record.get("toolFormerData"))
    if "bubbleId" not in record:
        return
    if thought := first_text(values.mapping(record.get("thinking")), "text"):
        content.thinking.append(thought)
    if first_text(held, "name"):
        call = held.get("toolCallId") or record["bubbleId"]
        content.call(call, held["name"], held.get("rawArgs") or held.get("params"))
        if held.get("result") is not None or held.get("status") in ("completed", "error"):
            content.result(call, held.get("result"), error=held.get("status") == "error", name=held["name"])


def _take_short(content: Content, record: dict[str, Any]) -> None:
    """Calls and results of logs that keep a record's outline only: `tool` with its input beside it, `tool_result: true` with a status."""
    rest = {name: value for name, value in record.items() if name not in _OUTLINE}
    if isinstance(record.get("tool"), str) and "r" in record and not content.calls:
        content.call("", record["tool"], rest)
    if record.get("tool_result") is True and not content.results:
        said = first_text(record, "msg", "output", "content")
        content.result("", said or rest, error=record.get("status") == "error")


def made_by_tool(text: str) -> bool:
    """Whether a text begins with the wrapper of a reminder or a command, so that no person wrote it."""
    return values.is_wrapper(text) or _WRAPPER.match(text) is not None or text.startswith("Caveat: The messages below")


def own_id(record: Mapping[str, Any]) -> str:
    """The id that a record gives itself, or an empty text."""
    return next((found for name in ID_NAMES if (found := values.identifier(record.get(name)))), "")


def parent_of(record: Mapping[str, Any]) -> str | None:
    return next((found for name in PARENT_NAMES if (found := values.identifier(record.get(name)))), None)


def tells_parent(record: Mapping[str, Any]) -> bool:
    """Whether a record has a place for its parent, be it empty as at the first message."""
    return any(name in record for name in PARENT_NAMES)


def usage_of(record: Mapping[str, Any]) -> int:
    """Tokens of the request behind a message, in and out together; 0 where it does not tell."""
    held: dict[str, Any] = next((record[name] for name in _USAGE if isinstance(record.get(name), dict)), {})
    total = values.whole(held.get("total_tokens") or held.get("totalTokens") or held.get("total") or held.get("totalTokenCount"))
    names = (
        ("input_tokens", "inputTokens", "prompt_tokens", "input", "promptTokens"),
        ("output_tokens", "outputTokens", "completion_tokens", "output", "completionTokens"),
        ("cache_read_input_tokens", "cacheReadTokens"),
        ("cache_creation_input_tokens", "cacheWriteTokens"),
    )
    return total or sum(next((values.whole(held[name]) for name in group if name in held), 0) for group in names)


def chat_message(record: dict[str, Any], *, ident: str) -> ImportedMessage | None:
    """A record as a message; None where it is none.

    Args:
        record: the object, with or without a wrapper.
        ident: the id to give it.
    """
    record = unwrapped(record)
    role = role_of(record)
    if role is None:
        return None
    content = content_of(record, role)
    text = content.text
    usage = values.mapping(record.get("metrics") or record.get("usage"))
    metadata = values.mapping(record.get("metadata"))
    said = role == "user" and not content.results
    return ImportedMessage(
        id=ident,
        parent=parent_of(record),
        role=role,
        text=text,
        thinking="\n\n".join(one for one in content.thinking if one.strip()),
        tool_calls=tuple(content.calls),
        tool_results=tuple(content.results),
        time=next((found for name in TIME_NAMES if (found := values.moment(record.get(name))) is not None), None)
        or values.moment(metadata.get("timestamp")),
        sidechain=record.get("isSidechain") is True,
        hidden=role == "system" or (said and (made_by_tool(text) or _is_injected(record))) or _is_hidden(record, metadata),
        model=model_of(record) if role == "assistant" else "",
        tokens=usage_of(record) if role == "assistant" else 0,
        cost_usd=values.cost(usage.get("cost")) if usage else values.cost(record.get("cost")),
        pictures=tuple(content.pictures),
    )


def _is_injected(record: Mapping[str, Any]) -> bool:
    """Whether a record says that no person is behind it, as Kimi Code's do."""
    return values.mapping(record.get("origin")).get("kind") in ("injection", "skill_activation", "system_trigger", "background_task")


def _is_hidden(record: Mapping[str, Any], metadata: dict[str, Any]) -> bool:
    return record.get("isMeta") is True or metadata.get("is_visually_hidden_from_conversation") is True


def model_of(record: Mapping[str, Any]) -> str:
    """The id of the model, where a record tells it."""
    info, metadata = values.mapping(record.get("modelInfo")), values.mapping(record.get("metadata"))
    return (
        first_text(record, "model", "model_slug", "modelId", "model_name")
        or first_text(info, "id", "modelId", "modelName")
        or first_text(metadata, "model_slug")
        or first_text(values.mapping(record.get("usage")), "model")
    )
