"""A made-up rollout of Codex, record by record. For tests."""

from __future__ import annotations

import json
from typing import Any

SESSION = "019b0000-0000-7000-8000-000000000001"
FOLDER = "/home/ada/demo"


def line(kind: str, payload: dict[str, Any], second: int = 0) -> dict[str, Any]:
    return {"timestamp": f"2026-01-02T03:04:{second:02}.000Z", "type": kind, "payload": payload}


def meta(**more: Any) -> dict[str, Any]:
    told = {"id": SESSION, "timestamp": "2026-01-02T03:04:00.000Z", "cwd": FOLDER, "cli_version": "0.100.0", "source": "cli"}
    return line("session_meta", {**told, "git": {"branch": "main"}, **more})


def says(role: str, *texts: str, second: int = 0) -> dict[str, Any]:
    kind = "output_text" if role == "assistant" else "input_text"
    return line("response_item", {"type": "message", "role": role, "content": [{"type": kind, "text": text} for text in texts]}, second)


def event(kind: str, second: int = 0, /, **more: Any) -> dict[str, Any]:
    return line("event_msg", {"type": kind, **more}, second)


def item(kind: str, second: int = 0, /, **more: Any) -> dict[str, Any]:
    return line("response_item", {"type": kind, **more}, second)


def plain_session() -> list[dict[str, Any]]:
    """Eleven messages: two hidden, a thought, a call with its result, six said."""
    return [
        meta(),
        says("developer", "<permissions instructions>ask</permissions instructions>"),
        says(
            "user",
            "# AGENTS.md instructions for /home/ada/demo\n\nbe kind",
            "<environment_context><cwd>/home/ada/demo</cwd></environment_context>",
        ),
        event("user_message", 1, message="看看 a.py, please — naïve 🎉", images=[]),
        line("turn_context", {"cwd": FOLDER, "model": "gpt-demo-1"}, 1),
        says("user", "看看 a.py, please — naïve 🎉", second=2),
        item("reasoning", 3, summary=[{"type": "summary_text", "text": "hm"}], content=None, encrypted_content="eHg="),
        event("agent_reasoning", 3, text="hm"),
        item("reasoning", 3, summary=[], content=None, encrypted_content="eHg="),
        item("function_call", 4, name="shell", arguments=json.dumps({"command": ["cat", "a.py"]}), call_id="call_1"),
        item("function_call_output", 5, call_id="call_1", output=json.dumps({"output": "x = 1\n", "metadata": {"exit_code": 0}})),
        says("assistant", "It sets x.", second=6),
        event("agent_message", 6, message="It sets x."),
        event("token_count", 6, info={"last_token_usage": {"total_tokens": 40}, "total_token_usage": {"total_tokens": 40}}),
        event("token_count", 7, info={"last_token_usage": {"total_tokens": 40}, "total_token_usage": {"total_tokens": 40}}),
        says("user", "and b.py?", second=8),
        says("assistant", "It is empty.", second=9),
        says("user", "thanks", second=10),
        says("assistant", "You are welcome.", second=11),
    ]
