"""Records of programs that tell a conversation in words of their own, as chat records: Zed, OpenHands, Pydantic AI, Augment, Amazon Q,
DeepSeek, Grok, LM Studio, calls of ShareGPT, steps of trajectories. Pure; nothing raises.

A dialect is told by fields that hardly any data has together; what is no dialect is left to the modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from desktop.sessions.importers import values

Record = dict[str, Any]

_FIELDS = frozenset(
    [
        "observation",
        "User",
        "Agent",
        "segments",
        "source",
        "kind",
        "exchange",
        "user",
        "Response",
        "ToolUse",
        "fragments",
        "response",
        "versions",
        "from",
        "tool_name",
    ],
)
"""Fields of which a record has one, or an object as its content, before it is worth a closer look."""


def is_dialect(record: Any) -> bool:
    """Whether a record says or does something in one of these ways."""
    if not isinstance(record, dict) or (_FIELDS.isdisjoint(record) and not isinstance(record.get("content"), dict)):
        return False
    return any(test(record) for test, _ in _DIALECTS)


def dialect_records(record: Record) -> Iterator[Record]:
    """The chat records that it is; none for a record that says nothing."""
    for test, turned in _DIALECTS:
        if test(record):
            yield from turned(record)
            return


def dialect_folder(record: Record) -> str:
    """The folder that a record tells of: Amazon Q puts it beside every prompt, Zed tells none."""
    asked = values.mapping(record.get("user")) or record
    return values.text(values.mapping(values.mapping(asked.get("env_context")).get("env_state")).get("current_working_directory"))


def _said(role: str, parts: list[Record], around: Record) -> Record:
    kept = {name: around[name] for name in ("id", "parent", "timestamp", "model") if around.get(name) is not None}
    return {"role": role, "content": parts, **kept}


def _text(value: Any) -> Record:
    return {"type": "text", "text": values.as_text(value)}


def _thought(value: Any) -> Record:
    return {"type": "thinking", "thinking": values.text(value)}


def _call(call_id: Any, name: Any, given: Any) -> Record:
    return {"type": "tool_use", "id": call_id, "name": name, "input": given}


def _result(call_id: Any, given: Any, failed: bool = False, name: Any = "") -> Record:
    return {"type": "tool_result", "tool_use_id": call_id, "content": given, "is_error": failed, "name": name}


def _tagged(record: Record, *names: str) -> Record:
    """The object under the only key of a record, where that is one of the names; else an empty one."""
    return values.mapping(next(iter(record.values()))) if len(record) == 1 and next(iter(record)) in names else {}


# --- steps of a trajectory ------------------------------------------------------------------------------------------------


def _is_step(record: Record) -> bool:
    """What an agent did, and what came of it."""
    return "role" not in record and isinstance(record.get("action"), str) and isinstance(record.get("observation"), str)


def _step(record: Record) -> Iterator[Record]:
    said = values.text(record.get("response")) or values.text(record.get("thought"))
    yield {"role": "assistant", "content": [_text(said), _call("", "action", values.text(record["action"]))]}
    yield {"role": "tool", "content": [{"type": "tool_result", "content": record["observation"], "name": "action"}]}


def _is_use(record: Record) -> bool:
    """A call and what it gave in one record of a tool."""
    told = record.get("role") == "tool" and isinstance(record.get("tool_name"), str)
    return told and "tool_input" in record and "tool_output" in record and "content" not in record


def _use(record: Record) -> Iterator[Record]:
    call = record.get("tool_call_id") or record.get("id") or ""
    yield _said("assistant", [_call(call, record["tool_name"], record["tool_input"])], {"timestamp": record.get("timestamp")})
    given = _result(call, record["tool_output"], record.get("is_error") is True, record["tool_name"])
    yield _said("tool", [given], {"timestamp": record.get("timestamp")})


# --- Zed ------------------------------------------------------------------------------------------------------------------


def _is_zed(record: Record) -> bool:
    return isinstance(_tagged(record, "User", "Agent").get("content"), list)


def _zed(record: Record) -> Iterator[Record]:
    role, held = next(iter(record.items()))
    parts = [part for one in values.mappings(held["content"]) for part in _zed_part(one)]
    parts += _zed_results(list(values.mapping(held.get("tool_results")).values()))
    yield _said("user" if role == "User" else "assistant", parts, held)


def _zed_part(one: Record) -> Iterator[Record]:
    if "Text" in one:
        yield _text(one["Text"])
    elif use := values.mapping(one.get("ToolUse")):
        yield _call(use.get("id"), use.get("name"), use.get("input"))
    elif thinking := values.mapping(one.get("Thinking")):
        yield _thought(thinking.get("text"))
    elif mention := values.mapping(one.get("Mention")):
        place = next((held for held in values.mapping(mention.get("uri")).values() if isinstance(held, dict)), {})
        name = values.text(place.get("abs_path")) or values.text(place.get("name"))
        yield _text(f"[{name}]" if name else "")
    elif image := values.mapping(one.get("Image")):
        yield {"type": "image", "source": {"media_type": "image/png", "data": image.get("source")}}


def _zed_results(given: list[Any]) -> list[Record]:
    found = []
    for one in values.mappings(given):
        content = one.get("content")
        parts = [values.mapping(part).get("Text", part) for part in (content if isinstance(content, list) else [content])]
        output = values.joined(values.as_text(part) for part in parts)
        found.append(_result(one.get("tool_use_id"), output, one.get("is_error") is True, one.get("tool_name")))
    return found


def _is_segmented(record: Record) -> bool:
    """Zed's older form."""
    return isinstance(record.get("segments"), list) and record.get("role") in ("user", "assistant", "system")


def _segmented(record: Record) -> Iterator[Record]:
    segments = values.mappings(record["segments"])
    parts = [_thought(one.get("text")) if one.get("type") == "thinking" else _text(one.get("text")) for one in segments]
    parts += [_call(one.get("id"), one.get("name"), one.get("input")) for one in values.mappings(record.get("tool_uses"))]
    yield _said(record["role"], parts + _zed_results(values.listing(record.get("tool_results"))), record)


# --- OpenHands --------------------------------------------------------------------------------------------------------------

_SOURCES = ("user", "agent", "environment")
_SILENT = ("change_agent_state", "agent_state_changed", "system", "recall", "null", "condensation", "condensation_request", "loading")


def _is_openhands(record: Record) -> bool:
    if record.get("source") not in _SOURCES:
        return False
    did = isinstance(record.get("action"), str) and isinstance(record.get("args"), dict)
    return did or (isinstance(record.get("observation"), str) and isinstance(record.get("content"), str))


def _openhands(record: Record) -> Iterator[Record]:
    metadata = values.mapping(record.get("tool_call_metadata"))
    around = {**record, "parent": None}
    if isinstance(record.get("observation"), str):
        if record["observation"] not in _SILENT:
            call = metadata.get("tool_call_id") or f"event-{record.get('cause')}"
            failed = record["observation"] == "error" or values.mapping(record.get("extras")).get("success") is False
            yield _said("tool", [_result(call, record["content"], failed, metadata.get("function_name"))], around)
        return
    action, args = record["action"], record["args"]
    if action in _SILENT:
        return
    if action in ("message", "think", "finish"):
        words = (args.get(name) for name in ("content", "final_thought", "thought"))
        said = next((one for one in words if isinstance(one, str) and one.strip()), record.get("message"))
        yield _said("user" if record["source"] == "user" else "assistant", [_text(said)], around)
        return
    rest = {name: one for name, one in args.items() if name != "thought"}
    call = metadata.get("tool_call_id") or f"event-{record.get('id')}"
    yield _said("assistant", [_text(args.get("thought")), _call(call, metadata.get("function_name") or action, rest)], around)


def _is_openhands_event(record: Record) -> bool:
    """Its newer form."""
    kind, held = record.get("kind"), {"ActionEvent": "tool_name", "ObservationEvent": "observation", "MessageEvent": "llm_message"}
    return record.get("source") in _SOURCES and isinstance(kind, str) and kind in held and bool(record.get(held[kind]))


def _openhands_event(record: Record) -> Iterator[Record]:
    around = {**record, "parent": None}
    if record["kind"] == "MessageEvent":
        message = values.mapping(record["llm_message"])
        yield {**_said("user" if record["source"] == "user" else "assistant", [], around), "content": message.get("content")}
    elif record["kind"] == "ActionEvent":
        told = [_text(one.get("text")) for one in values.mappings(record.get("thought"))]
        action = {name: one for name, one in values.mapping(record.get("action")).items() if name != "kind"}
        yield _said("assistant", [*told, _call(record.get("tool_call_id"), record["tool_name"], action)], around)
    else:
        held = values.mapping(record["observation"])
        failed = held.get("is_error") is True
        given = held.get("content", held.get("output"))
        yield _said("tool", [_result(record.get("tool_call_id"), given, failed, record.get("tool_name"))], around)


# --- Pydantic AI ------------------------------------------------------------------------------------------------------------


def _is_pydantic(record: Record) -> bool:
    parts = values.mappings(record.get("parts"))
    return record.get("kind") in ("request", "response") and bool(parts) and all(isinstance(one.get("part_kind"), str) for one in parts)


def _pydantic(record: Record) -> Iterator[Record]:
    """One message; a system prompt beside a prompt is no part of it."""
    parts = [(one, made) for one in values.mappings(record["parts"]) if (made := _pydantic_part(one)) is not None]
    said = [made for _, made in parts]
    times = (one.get("timestamp") for one, _ in parts)
    around = {"timestamp": record.get("timestamp") or next(filter(None, times), None), "model": record.get("model_name")}
    if record["kind"] == "response":
        yield _said("assistant", said, around)
    elif said:
        yield _said("tool" if all(one["type"] == "tool_result" for one in said) else "user", said, around)
    else:
        yield _said("system", [_text(one.get("content")) for one in values.mappings(record["parts"])], around)


def _pydantic_part(part: Record) -> Record | None:
    kind, content = part["part_kind"], part.get("content")
    if kind in ("tool-call", "builtin-tool-call"):
        return _call(part.get("tool_call_id"), part.get("tool_name"), part.get("args"))
    if kind in ("tool-return", "builtin-tool-return") or (kind == "retry-prompt" and part.get("tool_name")):
        return _result(part.get("tool_call_id"), content, kind == "retry-prompt", part.get("tool_name"))
    if kind == "thinking":
        return _thought(content)
    return _text(content) if kind in ("user-prompt", "text", "retry-prompt") else None


# --- Augment ----------------------------------------------------------------------------------------------------------------


def _is_exchange(record: Record) -> bool:
    held = values.mapping(record.get("exchange"))
    return isinstance(held.get("request_message"), str) and ("response_text" in held or "response_nodes" in held)


def _exchange(record: Record) -> Iterator[Record]:
    held = record["exchange"]
    around = {"timestamp": record.get("finishedAt")}
    given = [values.mapping(one.get("tool_result_node")) for one in values.mappings(held.get("request_nodes"))]
    results = [_result(one.get("tool_use_id"), one.get("content"), one.get("is_error") is True) for one in given if one]
    asked = [_text(held["request_message"])] if held["request_message"].strip() else []
    if results or asked:
        yield _said("user" if asked else "tool", [*results, *asked], around)
    uses = [values.mapping(one.get("tool_use")) for one in values.mappings(held.get("response_nodes"))]
    calls = [_call(one.get("tool_use_id"), one.get("tool_name"), values.arguments(one.get("input_json"))) for one in uses if one]
    if calls or values.text(held.get("response_text")):
        yield _said("assistant", [_text(held.get("response_text")), *calls], around)


# --- Amazon Q, Kiro's terminal program --------------------------------------------------------------------------------------


def _is_amazon(record: Record) -> bool:
    return bool(_amazon_asked(record) or _amazon_answer(record)) or (
        bool(_amazon_asked(values.mapping(record.get("user")))) and isinstance(record.get("assistant"), dict)
    )


def _amazon(record: Record) -> Iterator[Record]:
    for held in (record, values.mapping(record.get("user")), values.mapping(record.get("assistant"))):
        asked, answer = _amazon_asked(held), _amazon_answer(held)
        if asked:
            prompt = [_text(asked["prompt"])] if values.text(asked.get("prompt")) else []
            given = values.mappings(asked.get("tool_use_results"))
            results = [_result(one.get("tool_use_id"), _amazon_output(one), one.get("status") == "Error") for one in given]
            yield _said("user" if prompt or not results else "tool", [*results, *prompt], held)
        if answer:
            uses = values.mappings(answer.get("tool_uses"))
            calls = [_call(one.get("id"), one.get("name"), one.get("args")) for one in uses]
            yield _said("assistant", [_text(answer["content"]), *calls], {})


def _amazon_asked(record: Record) -> Record:
    content = values.mapping(record.get("content"))
    for name, inside in (("Prompt", "prompt"), ("ToolUseResults", "tool_use_results"), ("CancelledToolUses", "tool_use_results")):
        if inside in (held := values.mapping(content.get(name))):
            return held
    return {}


def _amazon_answer(record: Record) -> Record:
    held = _tagged(record, "Response", "ToolUse")
    return held if isinstance(held.get("content"), str) and "message_id" in held else {}


def _amazon_output(one: Record) -> str:
    parts = values.mappings(one.get("content"))
    return "\n".join(values.as_text(part.get("Text", part.get("Json", part))) for part in parts)


# --- chats of the web -------------------------------------------------------------------------------------------------------


def _is_fragmented(record: Record) -> bool:
    """A node of DeepSeek's export."""
    kinds = [one.get("type") for one in values.mappings(record.get("fragments"))]
    return any(kind in ("REQUEST", "RESPONSE") for kind in kinds)


def _fragmented(record: Record) -> Iterator[Record]:
    held = values.mappings(record["fragments"])
    parts = [_thought(one.get("content")) if one.get("type") == "THINK" else _text(one.get("content")) for one in held]
    asked = any(one.get("type") == "REQUEST" for one in held)
    yield _said("user" if asked else "assistant", parts, {**record, "timestamp": record.get("inserted_at")})


def _is_grok(record: Record) -> bool:
    held = values.mapping(record.get("response"))
    return isinstance(held.get("message"), str) and isinstance(held.get("sender"), str) and "_id" in held


def _grok(record: Record) -> Iterator[Record]:
    held = record["response"]
    told = values.mapping(values.mapping(held.get("create_time")).get("$date")).get("$numberLong") or held.get("create_time")
    role = "user" if held["sender"].lower() in ("human", "user") else "assistant"
    thought = _thought(held.get("thinking_trace"))
    around = {"id": held["_id"], "parent": held.get("parent_response_id"), "timestamp": told, "model": held.get("model")}
    yield _said(role, [thought, _text(held["message"])], around)


# --- others -----------------------------------------------------------------------------------------------------------------


def _is_versioned(record: Record) -> bool:
    """LM Studio's: a message in versions."""
    held = values.mappings(record.get("versions"))
    told = all(("role" in one or "role" in record) and ("content" in one or "steps" in one) for one in held)
    return bool(held) and "currentlySelected" in record and told


def _versioned(record: Record) -> Iterator[Record]:
    """The version that is chosen."""
    held = values.mappings(record["versions"])
    chosen = held[min(values.whole(record["currentlySelected"]), len(held) - 1)]
    blocks = [chosen, *values.mappings(chosen.get("steps"))]
    parts = [_versioned_part(part, block) for block in blocks for part in values.mappings(block.get("content"))]
    yield _said(values.text(chosen.get("role", record.get("role"))), parts, {})


def _versioned_part(part: Record, block: Record) -> Record:
    call = part.get("toolCallRequestId") or part.get("toolCallId") or part.get("callId")
    if values.mapping(block.get("style")).get("type") == "thinking":
        return _thought(part.get("text"))
    if part.get("type") == "toolCallRequest":
        return _call(call, part.get("name"), part.get("parameters", part.get("arguments")))
    return _result(call, part.get("content")) if part.get("type") == "toolCallResult" else part


def _is_shared_call(record: Record) -> bool:
    """A call in ShareGPT's form, whose value is JSON."""
    return record.get("from") in ("function_call", "tool_call") and isinstance(record.get("value"), str)


def _shared_call(record: Record) -> Iterator[Record]:
    given = values.arguments(record["value"])
    held = values.mapping(given)
    if values.text(held.get("name")):
        yield _said("assistant", [_call("", held["name"], held.get("arguments", held.get("parameters")))], record)
    else:
        yield _said("assistant", [_call("", "", given)], record)


_DIALECTS: tuple[tuple[Callable[[Record], bool], Callable[[Record], Iterator[Record]]], ...] = (
    (_is_step, _step),
    (_is_use, _use),
    (_is_zed, _zed),
    (_is_segmented, _segmented),
    (_is_openhands, _openhands),
    (_is_openhands_event, _openhands_event),
    (_is_pydantic, _pydantic),
    (_is_exchange, _exchange),
    (_is_amazon, _amazon),
    (_is_fragmented, _fragmented),
    (_is_grok, _grok),
    (_is_versioned, _versioned),
    (_is_shared_call, _shared_call),
)
