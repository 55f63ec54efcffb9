"""Records of Kimi Code, Grok Build, Muse Code and Antigravity for tests; `MORE` has a file of JSON lines of each and what it says."""

from __future__ import annotations

from typing import Any

from tests.unit.sessions.importers.others_world import Lines, Record

SAID = ("first question", "first answer", "第二个问题", "second answer", "third question", "third answer")
_MILLI, _MICRO = 1_790_000_000_000, 1_790_000_000_000_000

# --- Kimi -----------------------------------------------------------------------------------------------------------------


def kimi(kind: str, second: int = 1, **more: Any) -> Record:
    return {"type": kind, "time": _MILLI + 1_000 * second, **more}


def kimi_user(said: str, second: int = 1, origin: str = "user") -> Record:
    message = {"role": "user", "content": [{"type": "text", "text": said}], "origin": {"kind": origin}}
    return kimi("context.append_message", second, message=message)


def kimi_step(step: str, event: str, second: int = 2, **more: Any) -> Record:
    place = {"uuid": step} if event.startswith("step.") else {"stepUuid": step}
    return kimi("context.append_loop_event", second, event={"type": event, **place, **more})


def kimi_text(step: str, said: str, second: int = 2) -> Record:
    return kimi_step(step, "content.part", second, part={"type": "text", "text": said})


# --- Grok -----------------------------------------------------------------------------------------------------------------


def grok_user(said: str, **more: Any) -> Record:
    return {"type": "user", "content": [{"type": "text", "text": said}], **more}


def grok_answer(said: str, *calls: tuple[str, str, Record], model: str = "grok-4.6-build") -> Record:
    told = [{"id": name, "name": tool, "arguments": given} for name, tool, given in calls]
    return {"type": "assistant", "content": said, "model_id": model, **({"tool_calls": told} if told else {})}


# --- Muse -----------------------------------------------------------------------------------------------------------------


def muse(number: int, payload: Record, kind: str = "runtime.session") -> Record:
    return {
        "id": f"event-{number}",
        "stream": {"kind": "session", "id": "muse-1"},
        "sequence": number,
        "recorded_at": _MICRO + 1_000_000 * number,
        "record_type": "event",
        "payload_type": kind,
        "payload": payload,
    }


def muse_run(number: int, kind: str, **more: Any) -> Record:
    return muse(number, {"kind": "run", "run_id": "run-1", "event": {"kind": kind, **more}})


# --- Antigravity ----------------------------------------------------------------------------------------------------------


def step(number: int, kind: str, said: str | None = None, source: str = "MODEL", **more: Any) -> Record:
    told = {} if said is None else {"content": said}
    when = f"2026-09-01T10:00:{number:02d}Z"
    return {"step_index": number, "source": source, "type": kind, "status": "DONE", "created_at": when, **told, **more}


def asked(number: int, said: str, behind: str = "") -> Record:
    return step(number, "USER_INPUT", f"<USER_REQUEST>\n{said}\n</USER_REQUEST>{behind}", "USER_EXPLICIT")


def planned(number: int, said: str | None, *calls: tuple[str, Record], **more: Any) -> Record:
    if calls:
        more["tool_calls"] = [{"name": name, "args": given} for name, given in calls]
    return step(number, "PLANNER_RESPONSE", said, **more)


MORE = (
    Lines(
        "kimi",
        (
            kimi("metadata", 0, protocol_version="1.5"),
            kimi_user(SAID[0], 1),
            kimi_text("s1", SAID[1], 2),
            kimi_user(SAID[2], 3),
            kimi_text("s2", SAID[3], 4),
            kimi_user(SAID[4], 5),
            kimi_text("s3", SAID[5], 6),
        ),
        ("", *SAID),
    ),
    Lines(
        "grok",
        (
            {"type": "system", "content": "be brief"},
            grok_user(SAID[0], prompt_index=0),
            grok_answer(SAID[1]),
            grok_user(SAID[2], prompt_index=1),
            grok_answer(SAID[3]),
            grok_user(SAID[4], prompt_index=2),
            grok_answer(SAID[5]),
        ),
        ("be brief", *SAID),
    ),
    Lines(
        "muse",
        (
            muse(0, {"kind": "metadata", "record": {"workspace_root": "/srv/app", "model_id": "muse-x"}}, "runtime.session.metadata"),
            muse_run(1, "started", prompt=SAID[0]),
            muse_run(2, "assistant_message_committed", text=SAID[1]),
            muse_run(3, "started", prompt=SAID[2]),
            muse_run(4, "assistant_message_committed", text=SAID[3]),
            muse_run(5, "started", prompt=SAID[4]),
            muse_run(6, "assistant_message_committed", text=SAID[5]),
        ),
        ("", *SAID),
    ),
    Lines(
        "antigravity",
        (
            asked(0, SAID[0]),
            planned(1, SAID[1]),
            asked(2, SAID[2]),
            planned(3, SAID[3]),
            asked(4, SAID[4]),
            planned(5, SAID[5]),
        ),
        SAID,
    ),
)
