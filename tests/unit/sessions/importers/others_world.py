"""Records of Gemini CLI, Qwen Code, Copilot, pi and opencode for tests; `LINES` has a file of JSON lines of each and what it says."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import Any

PIXEL = "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAQAAAC1HAwCAAAAC0lEQVR42mNk+A8AAQUBAScY42YAAAAASUVORK5CYII="

Record = dict[str, Any]


def line(record: Record) -> bytes:
    return json.dumps(record, ensure_ascii=False).encode()


def file_of(records: list[Record]) -> bytes:
    return b"".join(line(one) + b"\n" for one in records)


@dataclass(frozen=True)
class Lines:
    """A file of JSON lines.

    Attributes:
        source: the word for its tool.
        records: its records.
        says: what each record adds to the text of the session, empty for those that add none.
    """

    source: str
    records: tuple[Record, ...]
    says: tuple[str, ...]


def at(second: int) -> str:
    return f"2026-05-04T10:00:{second:02d}.000Z"


# --- Gemini ---------------------------------------------------------------------------------------------------------------


def gemini_head(**more: Any) -> Record:
    return {"sessionId": "gem-1", "projectHash": "ab12", "startTime": at(0), "lastUpdated": at(0), "kind": "main", **more}


def gemini_user(name: str, said: str, second: int = 1) -> Record:
    return {"id": name, "timestamp": at(second), "type": "user", "content": [{"text": said}]}


def gemini_answer(name: str, said: str, second: int = 2, **more: Any) -> Record:
    return {"id": name, "timestamp": at(second), "type": "gemini", "content": said, "model": "gemini-3-pro", **more}


def gemini_call(name: str, output: str | None, **more: Any) -> Record:
    result = [{"functionResponse": {"id": name, "name": "list_directory", "response": {"output": output}}}] if output is not None else None
    return {"id": name, "name": "list_directory", "args": {"path": "."}, "result": result, "status": "success", **more}


# --- pi -------------------------------------------------------------------------------------------------------------------


def pi_head(**more: Any) -> Record:
    return {"type": "session", "version": 3, "id": "pi-1", "timestamp": at(0), "cwd": "/srv/app", **more}


def pi_message(name: str, parent: str | None, role: str, content: Any, second: int = 1, **more: Any) -> Record:
    inner = {"role": role, "content": content, **more}
    return {"type": "message", "id": name, "parentId": parent, "timestamp": at(second), "message": inner}


# --- Qwen -----------------------------------------------------------------------------------------------------------------


def qwen(name: str, parent: str | None, kind: str, parts: list[Record] | None, second: int = 1, **more: Any) -> Record:
    facts = {"sessionId": "qwen-1", "timestamp": at(second), "cwd": "/srv/app", "version": "0.9.0", "gitBranch": "main"}
    record = {"uuid": name, "parentUuid": parent, "type": kind, **facts, **more}
    if parts is not None:
        record["message"] = {"role": "model" if kind == "assistant" else "user", "parts": parts}
    return record


# --- Copilot --------------------------------------------------------------------------------------------------------------


def copilot(name: str, parent: str | None, kind: str, second: int = 1, **data: Any) -> Record:
    return {"type": kind, "data": data, "id": name, "timestamp": at(second), "parentId": parent}


# --- opencode -------------------------------------------------------------------------------------------------------------


def opencode(kind: str, message: str, part: Record, second: int = 1) -> Record:
    held = {"id": f"prt_{message}_{second}", "sessionID": "ses_1", "messageID": message, **part}
    return {"type": kind, "timestamp": 1_780_000_000_000 + 1_000 * second, "sessionID": "ses_1", "part": held}


def opencode_tool(call: str, status: str, output: str) -> Record:
    state = {"status": status, "input": {"command": "ls"}, "output": output, "title": "ls"}
    return {"type": "tool", "callID": call, "tool": "bash", "state": state}


LINES = (
    Lines(
        "gemini",
        (
            gemini_head(),
            gemini_user("u1", "first question"),
            gemini_answer("a1", "first answer", toolCalls=[gemini_call("c1", "a.txt")]),
            gemini_user("u2", "第二个问题", 3),
            gemini_answer("a2", "second answer", 4),
            gemini_user("u3", "third question", 5),
            gemini_answer("a3", "third answer", 6),
        ),
        ("", "first question", "first answer", "第二个问题", "second answer", "third question", "third answer"),
    ),
    Lines(
        "pi",
        (
            pi_head(),
            pi_message("m1", None, "user", "first question"),
            pi_message("m2", "m1", "assistant", [{"type": "text", "text": "first answer"}], model="sonnet"),
            pi_message("m3", "m2", "user", [{"type": "text", "text": "第二个问题"}], 3),
            pi_message("m4", "m3", "assistant", [{"type": "text", "text": "second answer"}], 4),
            pi_message("m5", "m4", "user", "third question", 5),
            pi_message("m6", "m5", "assistant", [{"type": "text", "text": "third answer"}], 6),
        ),
        ("", "first question", "first answer", "第二个问题", "second answer", "third question", "third answer"),
    ),
    Lines(
        "qwen",
        (
            qwen("q1", None, "user", [{"text": "first question"}]),
            qwen("q2", "q1", "assistant", [{"text": "first answer"}], 2, model="qwen3-coder"),
            qwen("q3", "q2", "user", [{"text": "第二个问题"}], 3),
            qwen("q4", "q3", "assistant", [{"text": "second answer"}], 4, model="qwen3-coder"),
            qwen("q5", "q4", "user", [{"text": "third question"}], 5),
            qwen("q6", "q5", "assistant", [{"text": "third answer"}], 6, model="qwen3-coder"),
        ),
        ("first question", "first answer", "第二个问题", "second answer", "third question", "third answer"),
    ),
    Lines(
        "copilot",
        (
            copilot("e0", None, "session.start", 0, sessionId="cop-1", context={"cwd": "/srv/app", "branch": "main"}),
            copilot("e1", "e0", "user.message", 1, content="first question"),
            copilot("e2", "e1", "assistant.message", 2, content="first answer", toolRequests=[]),
            copilot("e3", "e2", "user.message", 3, content="第二个问题"),
            copilot("e4", "e3", "assistant.message", 4, content="second answer", toolRequests=[]),
            copilot("e5", "e4", "user.message", 5, content="third question"),
            copilot("e6", "e5", "assistant.message", 6, content="third answer", toolRequests=[]),
        ),
        ("", "first question", "first answer", "第二个问题", "second answer", "third question", "third answer"),
    ),
    Lines(
        "opencode",
        (
            opencode("text", "msg_1", {"type": "text", "text": "first answer"}, 1),
            opencode("text", "msg_2", {"type": "text", "text": "第二个回答"}, 2),
            opencode("tool_use", "msg_2", opencode_tool("call_1", "completed", "a.txt"), 3),
            opencode("reasoning", "msg_3", {"type": "reasoning", "text": "third thought"}, 4),
            opencode("text", "msg_3", {"type": "text", "text": "third answer"}, 5),
            opencode("text", "msg_4", {"type": "text", "text": "fourth answer"}, 6),
        ),
        ("first answer", "第二个回答", "a.txt", "third thought", "third answer", "fourth answer"),
    ),
)
