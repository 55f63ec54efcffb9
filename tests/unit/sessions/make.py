"""Transcripts for tests: messages in a row, a store on a temporary profile."""

from __future__ import annotations

import json
from datetime import timedelta
from pathlib import Path

from desktop.base.ids import new_message_id
from desktop.base.paths import AppPaths
from desktop.messages.parts import Message, Origin, Part, Role, TextPart
from desktop.messages.usage import Usage
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.clock import FixedClock

KEY = "demo-0123456789abcdef"


def paths_in(root: Path) -> AppPaths:
    return AppPaths(data=root / "data", config=root / "config", cache=root / "cache")


def store_in(root: Path, clock: FixedClock | None = None) -> SessionStore:
    return SessionStore(paths_in(root), clock or FixedClock(step_s=1.0))


def new_handle(store: SessionStore, workspace: str = "/srv/demo", *, memory: bool = True, key: str = KEY) -> SessionHandle:
    return store.create(project_key=key, workspace=Path(workspace), memory_enabled=memory, model="scripted:demo")


def message(
    text: str,
    role: Role = "user",
    *,
    number: int = 0,
    parent: str | None = None,
    parts: tuple[Part, ...] | None = None,
    origin: Origin | None = None,
    stop: str | None = None,
    tokens: int = 0,
) -> Message:
    moment = FixedClock().moment + timedelta(seconds=number)
    origins: dict[Role, Origin] = {"user": "person", "assistant": "model", "tool": "tool"}
    return Message(
        new_message_id(moment),
        role,
        parts if parts is not None else (TextPart(text),),
        moment,
        parent,
        origin or origins[role],
        "scripted:demo" if role == "assistant" else None,
        Usage(input_tokens=tokens) if tokens else None,
        stop or ("end" if role == "assistant" else None),
    )


def filled(handle: SessionHandle, count: int, text: str = "message") -> list[Message]:
    """Append `count` messages, alternating between person and model."""
    return [handle.append(message(f"{text} {i}", "assistant" if i % 2 else "user", number=i, tokens=10 * (i % 2))) for i in range(count)]


def older_lines(session_id: str, texts: tuple[str, ...] = ("asked 很久以前", "answered")) -> bytes:
    """A transcript in schema 0, the form before there were checksums; see `schema_steps`."""
    at = "2025-06-01T08:00:00.000Z"
    header = {"id": session_id, "key": KEY, "folder": "/srv/old", "memory": True, "model": "scripted:old"}
    lines: list[dict[str, object]] = [{"type": "session", "body": header}]
    for number, text in enumerate(texts):
        after = f"msg_old_{number - 1}" if number else None
        lines.append(
            {"type": "message", "body": {"id": f"msg_old_{number}", "who": ("person", "model")[number % 2], "text": text, "after": after}}
        )
    lines.append({"type": "title", "body": {"text": "An old one"}})
    return b"".join(json.dumps({"schema": 0, "n": n, "at": at, **line}).encode() + b"\n" for n, line in enumerate(lines))
