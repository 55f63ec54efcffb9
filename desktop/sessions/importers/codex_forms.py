"""The forms that records of Codex have had: by them its files are told from others, and its records from what stands inside them. Pure."""

from __future__ import annotations

import re
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.reading import Sample

RECORDS = frozenset(["session_meta", "turn_context", "response_item", "event_msg", "compacted", "world_state"])
STREAM = re.compile(r"(?:thread\.started|turn\.(?:started|completed|failed)|item\.(?:started|updated|completed))")
ITEMS = frozenset(
    [
        "message",
        "reasoning",
        "function_call",
        "function_call_output",
        "custom_tool_call",
        "custom_tool_call_output",
        "local_shell_call",
        "local_shell_call_output",
        "web_search_call",
    ]
)
_BLOCKS = ("input_text", "output_text")


def is_payload(record: dict[str, Any]) -> bool:
    return isinstance(record.get("payload"), dict) and isinstance(record.get("type"), str)


def is_flat(record: dict[str, Any]) -> bool:
    """Whether an object is an item of a flat rollout: other tools have messages too, but not of these blocks, or calls with `call_id`."""
    kind = record.get("type")
    if kind == "message":
        return any(one.get("type") in _BLOCKS for one in values.mappings(record.get("content")))
    return isinstance(kind, str) and kind in ITEMS and ("call_id" in record or "summary" in record or "action" in record)


def is_head(record: dict[str, Any]) -> bool:
    """Whether an object is the first line of a flat rollout."""
    return (
        "type" not in record
        and "role" not in record
        and isinstance(record.get("id"), str)
        and "timestamp" in record
        and ("instructions" in record or "git" in record)
    )


def is_streamed(record: dict[str, Any]) -> bool:
    kind = record.get("type")
    return isinstance(kind, str) and STREAM.fullmatch(kind) is not None and ("item" in record or not kind.startswith("item"))


def is_wrapped_stream(record: dict[str, Any]) -> bool:
    """Whether a line of `exec --json` was kept with what it says in a `payload`."""
    kind = record.get("type")
    held = values.mapping(record.get("payload")).get("item")
    return isinstance(kind, str) and isinstance(held, dict) and STREAM.fullmatch(kind) is not None


def is_event(record: dict[str, Any]) -> bool:
    said = record.get("msg")
    return "id" in record and isinstance(said, dict) and isinstance(said.get("type"), str)


def is_record(record: dict[str, Any]) -> bool:
    return any(test(record) for test in (is_payload, is_streamed, is_event, is_flat, is_head)) or "record_type" in record


def is_line(record: dict[str, Any]) -> bool:
    return isinstance(record.get("type"), str) or is_record(record)


def score(sample: Sample) -> int:
    """How surely a file is of Codex, 0 to 100."""
    records = sample.records
    if any(is_payload(one) and one["type"] in RECORDS for one in records):
        return 95
    document = values.mapping(sample.document)
    if isinstance(document.get("session"), dict) and any(
        values.text(one.get("type")) in ITEMS for one in values.mappings(document.get("items"))
    ):
        return 85
    streamed = [one for one in records if is_streamed(one) or is_wrapped_stream(one)]
    if any(isinstance(one.get("item"), dict) or "thread_id" in one or "payload" in one for one in streamed):
        return 85
    if records and (is_head(records[0]) or any("record_type" in one for one in records)) and any(map(is_flat, records[1:])):
        return 90
    if any(map(is_flat, records)):
        return 80
    if sum(map(is_event, records)) * 2 > len(records):
        return 80
    return 70 if len(records) == 1 and is_head(records[0]) and "git" in records[0] else 0
