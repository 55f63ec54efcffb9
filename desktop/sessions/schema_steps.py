"""Earlier versions of the record form, each with the step to the next one: a line's JSON value in, the value of the next version out.

Owns what each version looked like. A version is added by one function and one entry in STEPS, and never changed again. Pure; no file is
touched here: `migrate` does that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

Value = dict[str, Any]
Step = Callable[[Value], Value | None]

_ROLES = {"person": "user", "app": "user", "model": "assistant", "tool": "tool"}


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _from_0(value: Value) -> Value | None:
    """Version 0, before there were checksums: `{"schema": 0, "n": …, "type": session | message | title, "at": …, "body": {…}}`."""
    kind, body = value.get("type"), value.get("body")
    convert = _BODIES_0.get(kind) if isinstance(kind, str) else None
    payload = convert(body) if convert is not None and isinstance(body, dict) else None
    if payload is None:
        return None
    name = "meta" if kind == "title" else kind
    if name == "message":
        payload["time"] = value.get("at")
    if name == "session":
        payload["created"] = value.get("at")
    present: Value = {"schema": 1, "seq": value.get("n"), "kind": name, "time": value.get("at")}
    return present | {str(name): payload}


def _session_0(body: Value) -> Value:
    return {
        "id": body.get("id"),
        "project_key": _text(body.get("key")),
        "workspace": _text(body.get("folder")),
        "memory_enabled": body.get("memory") is True,
        "model": _text(body.get("model")),
        "app_version": "",
    }


def _message_0(body: Value) -> Value | None:
    who = body.get("who")
    if not isinstance(who, str) or who not in _ROLES or not isinstance(body.get("id"), str):
        return None
    text = _text(body.get("text"))
    part: Value = {"kind": "text", "text": text}
    if who == "tool":
        call, tool = _text(body.get("call")), _text(body.get("tool"))
        part = {"kind": "tool_result", "call_id": call, "name": tool, "output": text, "status": "ok"}
    calls = body.get("calls")
    asked: list[Value] = [
        {"kind": "tool_call", "id": _text(call.get("id")), "name": _text(call.get("tool")), "input": call.get("input")}
        for call in (calls if isinstance(calls, list) else [])
        if isinstance(call, dict)
    ]
    texts = [part] if who == "tool" or text or not asked else []
    before = {"parent": body["after"]} if "after" in body else {}
    return {"id": body["id"], "role": _ROLES[who], "origin": who, **before, "parts": [*texts, *asked]}


def _title_0(body: Value) -> Value:
    return {"name": "title", "value": _text(body.get("text"))}


_BODIES_0: dict[str, Step] = {"session": _session_0, "message": _message_0, "title": _title_0}

STEPS: Mapping[int, Step] = {0: _from_0}
"""Version → step to the next one."""


def upgraded(value: Value, schema: int, to: int, steps: Mapping[int, Step] = STEPS) -> Value | None:
    """A line's value in version `to`; None where a step is not known or finds no record of its version."""
    now: Value | None = value
    for version in range(schema, to):
        step = steps.get(version)
        now = step(now) if step is not None and now is not None else None
    return now
