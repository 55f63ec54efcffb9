"""VS Code's chat sessions: a document with `requests`, newer ones a log of changes to it; each request is asked and answered.

Read only. An export of the chat view has the same form.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from dataclasses import replace
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import unquote, urlsplit

from desktop.base.phrases import say
from desktop.sessions.importers.ends import HEAD, TAIL, ends
from desktop.sessions.importers.reading import Sample, Source, loads
from desktop.sessions.importers.shapes import (
    Damage,
    ImportedCall,
    ImportedMessage,
    ImportedResult,
    ImportedSession,
    Thread,
    TranscriptEntry,
)
from desktop.sessions.importers.stores import small_text
from desktop.sessions.importers.values import (
    arguments,
    as_text,
    first_title,
    identifier,
    joined,
    listing,
    mapping,
    mappings,
    moment,
    picture,
    prompt_title,
    text,
    told_field,
    told_title,
    whole,
)

SOURCE = "copilot"
_INITIAL, _SET, _PUSH, _DELETE = range(4)
_MOMENT = re.compile(r'"(creationDate|lastMessageDate)"\s*:\s*(\d{10,16})')
MAX_GAP = 1_000
"""Entries of a list that may be missing after lost lines."""


def is_session(value: Any) -> bool:
    return (
        isinstance(value, dict)
        and isinstance(value.get("requests"), list)
        and bool({"responderUsername", "requesterUsername", "sessionId", "initialLocation"} & value.keys())
    )


def is_change(value: Any) -> bool:
    """A line of the log: the first state, or a change at a path of keys."""
    if not isinstance(value, dict) or not isinstance(value.get("kind"), int) or isinstance(value["kind"], bool):
        return False
    return isinstance(value.get("v"), dict) if value["kind"] == _INITIAL else isinstance(value.get("k"), list)


def is_request(value: Any) -> bool:
    """A request; records of other tools that have an id of a request too tell their `type`."""
    if not isinstance(value, dict) or "requestId" not in value or "type" in value or "uuid" in value:
        return False
    return "response" in value or "variableData" in value or isinstance(mapping(value.get("message")).get("parts"), list)


def score_pieces(sample: Sample) -> int:
    """How sure it is that a log of changes, or a damaged document, is an editor's session."""
    if isinstance(sample.document, dict) and is_change(sample.document):
        return 90 if is_session(sample.document.get("v")) else 0
    changes = [one for one in sample.records if is_change(one)]
    if changes and (is_session(changes[0].get("v")) or any("requests" in listing(one.get("k")) for one in changes)):
        return 90
    if any(map(is_request, sample.records)):
        return 85
    if sample.document is None and '"responderUsername"' in sample.head and '"requests"' in sample.head:
        return 80
    marks = ('"requests"', '"requestId"', '"sessionId"', '"message"')
    return 80 if not sample.records and all(mark in sample.head for mark in marks) else 0


def read(source: Source, document: Any, damage: Damage | None) -> ImportedSession:
    """A session of the editor.

    Raises:
        OSError: the file cannot be read.
    """
    if is_session(document):
        return _session(document, source.path, [])
    if is_change(document) or _is_log(source):
        state, told = _replayed(source)
        return _session(state, source.path, told)
    found = [damage] if damage is not None else []
    head = source.start(64_000)
    state = {"sessionId": told_field(head, "sessionId"), "customTitle": told_field(head, "customTitle")}
    state["creationDate"] = next((int(value) for name, value in _MOMENT.findall(head) if name == "creationDate"), None)
    state["requests"] = [one.value for one in source.pieces(is_request) if is_request(one.value)]
    return _session(state, source.path, found)


def entry(source: Source, head: str) -> TranscriptEntry:
    """The line of a list out of the first characters."""
    times = {name: moment(int(value)) for name, value in _MOMENT.findall(head)}
    prompt = re.search(r'"message"\s*:\s*\{[^{}]{0,400}?"text"\s*:\s*"((?:[^"\\]|\\.){1,400})"', head)
    named = _renamed(source.path) or told_field(head, "customTitle")
    title = told_title(named) or prompt_title(told_field(f'"x":"{prompt[1]}"', "x") if prompt else "")
    return TranscriptEntry(
        source.path,
        told_field(head, "sessionId") or None,
        SOURCE,
        title,
        workspace_of(source.path),
        times.get("creationDate"),
        times.get("lastMessageDate"),
    )


def _renamed(path: Path) -> str:
    """The title that a log gives the session last, as far as its ends tell."""
    if path.suffix != ".jsonl":
        return ""
    changes = (one for one in ends(path, HEAD, TAIL) if one.get("k") == ["customTitle"])
    return next((text(one.get("v")) for one in reversed(list(changes))), "")


def workspace_of(path: Path) -> str:
    """The folder of the workspace whose storage a session lies in."""
    try:
        told = mapping(json.loads(small_text(path.parent.parent / "workspace.json") or "{}"))
    except (ValueError, RecursionError):
        return ""
    address = urlsplit(text(told.get("folder")) or text(told.get("workspace")))
    folder = unquote(address.path)
    return folder[1:] if re.match(r"/[A-Za-z]:", folder) else folder


# --- the log of changes ---------------------------------------------------------------------------------------------------


def _is_log(source: Source) -> bool:
    for number, (_, line) in enumerate(source.lines()):
        try:
            if is_change(loads(line.decode("utf-8", errors="replace"))):
                return True
        except ValueError:
            pass
        if number > 2_000:
            break
    return False


def _replayed(source: Source) -> tuple[dict[str, Any], list[Damage]]:
    """The state after all changes; a change that finds no place is damage."""
    state: dict[str, Any] = {}
    told: list[Damage] = []
    for found in source.records(is_change):
        if not isinstance(found.value, dict):
            told.append(Damage(found.line, found.reason))
        elif found.value["kind"] == _INITIAL:
            state = found.value["v"]
        elif not _changed(state, found.value):
            told.append(Damage(found.line, say("the change has no place in the session")))
    return state, told


def _changed(state: dict[str, Any], change: dict[str, Any]) -> bool:
    kind, keys = change["kind"], change["k"]
    if not keys or kind > _DELETE or kind < _INITIAL:
        return bool(kind > _DELETE)
    at: Any = state
    for key, after in pairwise(keys):
        at = _step(at, key, list if isinstance(after, int) else dict)
    if kind == _PUSH:
        return _pushed(at, keys[-1], change)
    return _deleted(at, keys[-1]) if kind == _DELETE else _put(at, keys[-1], change.get("v"))


def _step(at: Any, key: Any, kind: type) -> Any:
    """What stands at a key; made there when it is missing, as after a lost line. None where there can be nothing."""
    if isinstance(at, dict) and isinstance(key, str):
        if not isinstance(at.get(key), (dict, list)):
            at[key] = kind()
        return at[key]
    if isinstance(at, list) and isinstance(key, int) and 0 <= key < len(at) + MAX_GAP:
        at += [kind() for _ in range(key + 1 - len(at))]
        return at[key] if isinstance(at[key], (dict, list)) else None
    return None


def _put(at: Any, key: Any, value: Any) -> bool:
    if isinstance(at, dict) and isinstance(key, str):
        at[key] = value
        return True
    if isinstance(at, list) and isinstance(key, int) and 0 <= key <= len(at):
        at[key : key + 1] = [value]
        return True
    return False


def _deleted(at: Any, key: Any) -> bool:
    if isinstance(at, dict) and isinstance(key, str):
        at.pop(key, None)  # what is not there any more is deleted all the same
        return True
    if isinstance(at, list) and isinstance(key, int) and 0 <= key < len(at):
        del at[key]
        return True
    return False


def _pushed(at: Any, key: Any, change: dict[str, Any]) -> bool:
    held = _step(at, key, list)
    if not isinstance(held, list):
        return False
    start = change.get("i")
    if isinstance(start, int) and 0 <= start <= len(held):
        del held[start:]
    held += listing(change.get("v"))
    return True


# --- the session ----------------------------------------------------------------------------------------------------------


def _session(state: dict[str, Any], path: Path, damage: list[Damage]) -> ImportedSession:
    thread = Thread()
    for number, request in enumerate(listing(state.get("requests")), 1):
        if not isinstance(request, dict):
            damage.append(Damage(1, say("a message is not an object")))
            continue
        for message in _messages(number, request):
            name = message.id
            while thread.knows(name):
                name += "~"
            thread.add(replace(message, id=name), follow=True)
    models = [one.model for one in thread.messages if one.model]
    return ImportedSession(
        source=SOURCE,
        id=identifier(state.get("sessionId")) or path.stem,
        title=told_title(state.get("customTitle")) or first_title(thread.messages),
        workspace=workspace_of(path),
        started=moment(state.get("creationDate")) or next((one.time for one in thread.messages if one.time), None),
        messages=tuple(thread.messages),
        branches=thread.branches(),
        damage=tuple(damage),
        model=models[-1] if models else "",
    )


def _messages(number: int, request: dict[str, Any]) -> Iterator[ImportedMessage]:
    """What was asked and what was answered."""
    name = identifier(request.get("requestId")) or f"request-{number}"
    time = moment(request.get("timestamp"))
    asked = request.get("message")
    said = text(asked) or text(mapping(asked).get("text")) or joined(text(one.get("text")) for one in mappings(mapping(asked).get("parts")))
    yield ImportedMessage(name, None, "user", said, time=time, pictures=_pictures(request))
    if request.get("response") is None and not mapping(request.get("result")):
        return
    texts, thinking, calls, results = _answer(request)
    usage = mapping(mapping(request.get("result")).get("usage"))
    yield ImportedMessage(
        id=identifier(request.get("responseId")) or f"{name}-response",
        parent=None,
        role="assistant",
        text=texts,
        thinking=thinking,
        tool_calls=tuple(calls),
        tool_results=tuple(results),
        time=time,
        model=text(request.get("modelId")).removeprefix("copilot/"),
        tokens=whole(usage.get("promptTokens")) + whole(usage.get("completionTokens")),
    )


def _pictures(request: dict[str, Any]) -> tuple[tuple[str, str], ...]:
    found = []
    for one in mappings(mapping(request.get("variableData")).get("variables")):
        value = one.get("value")
        if shown := picture(one.get("mimeType"), value if isinstance(value, str) else mapping(value).get("$base64")):
            found.append(shown)
    return tuple(found)


def _answer(request: dict[str, Any]) -> tuple[str, str, list[ImportedCall], list[ImportedResult]]:
    """Text, thinking, calls and their results: calls as the model made them where they are kept, else as they were shown."""
    texts, thinking = [], []
    shown: list[tuple[ImportedCall, ImportedResult | None]] = []
    response = request.get("response")
    for part in [response] if isinstance(response, str) else listing(response):
        if isinstance(part, str):
            texts.append(text(part))
            continue
        kind = text(mapping(part).get("kind"))
        if kind == "thinking":
            thinking.append(_value(mapping(part).get("value")))
        elif kind in ("toolInvocationSerialized", "toolInvocation"):
            shown.append(_invocation(len(shown), mapping(part)))
        elif kind in ("", "markdownContent", "markdownVuln", "warning", "inlineReference"):
            texts.append(_markdown(mapping(part)))
    rounds = _rounds(request)
    known = {call.name for call, _ in rounds}
    pairs = rounds + [one for one in shown if one[0].id not in {call.id for call, _ in rounds} and (not rounds or one[0].name not in known)]
    error = text(mapping(mapping(request.get("result")).get("errorDetails")).get("message"))
    said = "".join(texts) or error
    return said, joined(thinking), [call for call, _ in pairs], [result for _, result in pairs if result is not None]


def _value(value: Any) -> str:
    return "".join(text(one) for one in value) if isinstance(value, list) else text(value)


def _markdown(part: dict[str, Any]) -> str:
    """The text of a piece of an answer; of a reference the name of what it points to."""
    if part.get("kind") == "inlineReference":
        held = mapping(part.get("inlineReference"))
        places = (held, mapping(held.get("uri")), mapping(mapping(held.get("location")).get("uri")))
        path = next((text(one["path"]) for one in places if text(one.get("path"))), "")
        return text(part.get("name")) or text(held.get("name")) or path.rsplit("/", 1)[-1]
    return text(part.get("value")) or text(mapping(part.get("content")).get("value")) or text(part.get("content"))


def _invocation(number: int, part: dict[str, Any]) -> tuple[ImportedCall, ImportedResult | None]:
    name = text(part.get("toolId")) or text(part.get("toolName"))
    call_id = identifier(part.get("toolCallId")) or f"{name or 'call'}-{number + 1}"
    details = part.get("resultDetails")
    given = mapping(details).get("input") or part.get("toolSpecificData") or _message_text(part.get("invocationMessage"))
    call = ImportedCall(call_id, name, arguments(given))
    if part.get("isComplete") is False:
        return call, None
    output = mapping(details).get("output") if isinstance(details, dict) else details
    told = _outputs(output) or _message_text(part.get("pastTenseMessage"))
    return call, ImportedResult(call_id, told, mapping(details).get("isError") is True, name)


def _message_text(message: Any) -> str:
    return text(message) or text(mapping(message).get("value"))


def _outputs(output: Any) -> str:
    if isinstance(output, list):
        return "\n".join(_message_text(one.get("value")) or text(one.get("fsPath")) for one in mappings(output))
    return as_text(output)


def _rounds(request: dict[str, Any]) -> list[tuple[ImportedCall, ImportedResult | None]]:
    """The calls of every round to the model, with what was sent back."""
    metadata = mapping(mapping(request.get("result")).get("metadata"))
    given = mapping(metadata.get("toolCallResults"))
    found: list[tuple[ImportedCall, ImportedResult | None]] = []
    for one in mappings(metadata.get("toolCallRounds")):
        for call in mappings(one.get("toolCalls")):
            name, call_id = text(call.get("name")), identifier(call.get("id"))
            held = given.get(call_id)
            output = _contents(mapping(held).get("content")) if held is not None else ""
            result = ImportedResult(call_id, output, False, name) if held is not None else None
            found.append((ImportedCall(call_id, name, arguments(call.get("arguments"))), result))
    return found


def _contents(content: Any) -> str:
    return "\n".join(as_text(one.get("value")) for one in mappings(content)) if isinstance(content, list) else as_text(content)
