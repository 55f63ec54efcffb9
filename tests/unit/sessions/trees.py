"""Sessions of ours with everything that one can hold, made by chance: branches, thinking, calls, results, pictures, big outputs, notes."""

from __future__ import annotations

import base64
import random
import struct
import zlib
from dataclasses import replace
from datetime import timedelta
from typing import Any

from desktop.messages.parts import Message, Origin, Part, Role, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import message, new_handle

WORDS = (
    "fix the login",
    "修复登录页面",
    "line one\nline two",
    "## heading\n```\ncode\n```",
    "\u2028 odd \u0085 text",
    "ok",
    "Ω≈ç√",
    "再看一遍",
)
ORIGINS: dict[Role, Origin] = {"user": "person", "assistant": "model", "tool": "tool"}


def png(number: int, size: int = 300) -> bytes:
    """A picture of one row, each number another one."""

    def chunk(kind: bytes, data: bytes) -> bytes:
        return struct.pack(">I", len(data)) + kind + data + struct.pack(">I", zlib.crc32(kind + data))

    row = b"\0" + random.Random(number).randbytes(size * 3)
    head = struct.pack(">IIBBBBB", size, 1, 8, 2, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", zlib.compress(row)) + chunk(b"IEND", b"")


def base64_of(content: bytes) -> str:
    return base64.b64encode(content).decode("ascii")


def image(content: bytes) -> dict[str, Any]:
    return {"media": "image/png", "base64": base64_of(content)}


def made_session(store: SessionStore, chance: random.Random, count: int) -> tuple[SessionHandle, list[Message]]:
    """A closed session of about `count` messages on several branches, and its messages as they were made, pictures and all."""
    handle = new_handle(store, f"/srv/proj {chance.randrange(99)}")
    if chance.random() < 0.5:
        handle.set_meta("title", chance.choice(WORDS).split("\n")[0])
    made: list[Message] = []
    parents: list[str | None] = [None]
    while len(made) < count:
        role = _role(chance, made)
        one = _message(chance, role, len(made), made)
        if made and chance.random() < 0.25:
            parent = chance.choice(parents)
            handle.set_leaf(parent)
            stored = handle.append(one, first=parent is None)
        else:
            stored = handle.append(one)
        made.append(replace(one, parent=stored.parent))
        parents.append(one.id)
    handle.set_leaf(chance.choice(made).id)
    handle.close()
    return handle, made


def _role(chance: random.Random, made: list[Message]) -> Role:
    if made and made[-1].tool_calls and chance.random() < 0.9:
        return "tool"
    return chance.choice(("user", "assistant", "assistant"))


def _message(chance: random.Random, role: Role, number: int, made: list[Message]) -> Message:
    base = message("", role, number=number)
    parts = {"user": _asked, "assistant": _answered, "tool": _given}[role](chance, number, made)
    app = role == "user" and chance.random() < 0.15
    usage = Usage(chance.randrange(1, 900), chance.randrange(90), 0, 0, chance.choice((None, 0.25))) if role == "assistant" else None
    notes = {"recalled": [{"path": "a.md"}], "boundary": {"to": "x"}} if chance.random() < 0.2 else None
    moment = FixedClock().moment + timedelta(seconds=number)
    return replace(base, parts=parts, time=moment, origin="app" if app else ORIGINS[role], usage=usage, notes=notes)


def _asked(chance: random.Random, number: int, _made: list[Message]) -> tuple[Part, ...]:
    parts: list[Part] = [TextPart(f"{chance.choice(WORDS)} {number}")]
    if chance.random() < 0.3:
        parts.append(TextPart("", data={"image": image(png(number))}))
    return tuple(parts)


def _answered(chance: random.Random, number: int, _made: list[Message]) -> tuple[Part, ...]:
    parts: list[Part] = [ThinkingPart(f"hm {number}", "sig", "anthropic")] if chance.random() < 0.4 else []
    if chance.random() < 0.8:
        parts.append(TextPart(f"{chance.choice(WORDS)} {number}"))
    for call in range(chance.randrange(3)):
        if chance.random() < 0.2:
            parts.append(ToolCallPart(f"call_{number}_{call}", "Bash", {}, '{"command": "ls'))
        else:
            parts.append(ToolCallPart(f"call_{number}_{call}", "Read", {"file_path": "/srv/a b.py", "deep": [{"n": call, "x": None}]}))
    return tuple(parts)


def _given(chance: random.Random, number: int, made: list[Message]) -> tuple[Part, ...]:
    results: list[Part] = []
    for call in made[-1].tool_calls if made else ():
        output = "输出 output\n" * (9_000 if chance.random() < 0.1 else 2)
        data = {"images": [image(png(1_000 + number)), image(png(2_000 + number))]} if chance.random() < 0.3 else None
        status = chance.choice(("ok", "ok", "error"))
        results.append(ToolResultPart(call.id, call.name, output, status, data=data))  # type: ignore[arg-type]
    return tuple(results) or (ToolResultPart("lost", "Read", "an answer to nobody"),)
