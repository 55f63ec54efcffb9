"""Transcripts of a given size for benchmarks and tests, written straight to a file. No benchmark by itself."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

from desktop.base.ids import new_session_id
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, Origin, Part, Role, TextPart, ToolCallPart, ToolResultPart
from desktop.sessions.record import SCHEMA, SessionHeader, encode, header_to_json

BEGAN = datetime(2026, 1, 5, 9, tzinfo=UTC)
WORDS = ("the", "parser", "reads", "一行", "and", "the", "index", "knows", "where", "it", "stands")


def said(number: int, words: int, *, role: Role | None = None, parts: tuple[Part, ...] | None = None) -> Message:
    """Message number so-and-so of a conversation in one line, with about so many words."""
    text = " ".join(WORDS[(number * 7 + at) % len(WORDS)] for at in range(words))
    turn: Role = role or ("assistant" if number % 2 else "user")
    origins: dict[Role, Origin] = {"user": "person", "assistant": "model", "tool": "tool"}
    return Message(
        f"msg_{number:026}",
        turn,
        parts if parts is not None else (TextPart(f"{number + 1}: {text}"),),
        BEGAN + timedelta(seconds=number),
        f"msg_{number - 1:026}" if number else None,
        origins[turn],
        "scripted:demo" if turn == "assistant" else None,
        stop="end" if turn == "assistant" else None,
    )


def talk(count: int, words: int) -> Iterator[Message]:
    return (said(number, words) for number in range(count))


def mixed(count: int) -> Iterator[Message]:
    """A conversation as it is: questions, answers in Markdown with code and a list, calls and their results."""
    code = "```python\ndef parse(line: str) -> int:\n    return int(line.split()[0])\n```"
    for number in range(count):
        match number % 5:
            case 0:
                yield said(number, 25, role="user")
            case 1:
                yield said(
                    number, 0, role="assistant", parts=(TextPart("I look."), ToolCallPart(f"c{number}", "Read", {"file_path": "a.py"}))
                )
            case 2:
                yield said(number, 0, role="tool", parts=(ToolResultPart(f"c{number - 1}", "Read", "1\tx = 1\n" * 40),))
            case 3:
                text = f"### Step {number}\n\nIt reads **one** line.\n\n- first\n- second 二\n\n{code}\n\n" + "Then it goes on. " * 12
                yield said(number, 0, role="assistant", parts=(TextPart(text),))
            case _:
                yield said(number, 40, role="assistant")


def write(sessions: Path, messages: Iterator[Message], key: str = "demo-0123456789abcdef") -> tuple[str, int]:
    """A transcript below a profile's folder of sessions: its id and its size in bytes."""
    session_id = new_session_id(BEGAN)
    path = sessions / key / f"{session_id}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    header = SessionHeader(session_id, SCHEMA, key, "/srv/demo", BEGAN, True, "scripted:demo", "1.0")
    with path.open("wb") as file:
        file.write(encode(0, "session", header_to_json(header), BEGAN))
        for number, message in enumerate(messages, 1):
            extra = {"count": number, "tokens": 0, "state": "done", "model": "scripted:demo", "title": "A long one"}
            file.write(encode(number, "message", message_to_json(message), message.time, **extra))
        return session_id, file.tell()
