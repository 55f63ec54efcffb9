"""A made-up session of Claude Code, record by record, and writing it down. For tests."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

SESSION = "5e551017-0000-4000-8000-000000000001"
FOLDER = "/home/ada/demo"
PICTURE = "iVBORw0KGgo="


def record(kind: str, own_id: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    """A `user` or `assistant` record."""
    minute = int("".join(letter for letter in own_id if letter.isdigit()) or 0) % 60
    said: dict[str, Any] = {"role": kind, "content": content}
    if kind == "assistant":
        said |= {"id": f"msg_{own_id}", "model": "claude-demo-1", "usage": {"input_tokens": 10, "output_tokens": 5}}
    return {
        "parentUuid": parent,
        "isSidechain": False,
        "userType": "external",
        "cwd": FOLDER,
        "sessionId": SESSION,
        "version": "2.0.0",
        "gitBranch": "main",
        "type": kind,
        "message": said,
        "uuid": own_id,
        "timestamp": f"2026-01-02T03:{minute:02}:05.000Z",
        **more,
    }


def user(own_id: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    return record("user", own_id, parent, content, **more)


def answer(own_id: str, parent: str | None, content: Any, **more: Any) -> dict[str, Any]:
    return record("assistant", own_id, parent, content, **more)


def text(words: str) -> list[dict[str, Any]]:
    return [{"type": "text", "text": words}]


def use(call: str, name: str = "Read", **given: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": call, "name": name, "input": given}


def gave(call: str, content: Any, *, failed: bool = False) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": call, "content": content, "is_error": failed}


def plain_session() -> list[dict[str, Any]]:
    """Eight messages on one branch, with one call and its result, and records that are no messages among them."""
    return [
        {"type": "file-history-snapshot", "messageId": "u1", "snapshot": {"messageId": "u1"}, "isSnapshotUpdate": False},
        user("u1", None, "看看 a.py, please — naïve 🎉"),
        answer("a2", "u1", [{"type": "thinking", "thinking": "hm"}, *text("I look."), use("c1", file_path="a.py")]),
        {
            "type": "progress",
            "uuid": "p1",
            "parentUuid": "a2",
            "sessionId": SESSION,
            "data": {"message": user("inner", None, "not one of ours")},
        },
        user("u3", "p1", [gave("c1", "x = 1\nline two")]),
        answer("a4", "u3", text("It sets x.")),
        {"type": "system", "subtype": "turn_duration", "uuid": "s1", "parentUuid": "a4", "sessionId": SESSION, "durationMs": 5},
        user("u5", "s1", "and b.py?"),
        answer("a6", "u5", text("It is empty.")),
        user("u7", "a6", "thanks"),
        answer("a8", "u7", text("You are welcome.")),
    ]


def lines(records: Iterable[dict[str, Any]]) -> list[bytes]:
    return [json.dumps(one, ensure_ascii=False, separators=(",", ":")).encode() for one in records]


def write(path: Path, records: Sequence[dict[str, Any]]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(b"".join(line + b"\n" for line in lines(records)))
    return path
