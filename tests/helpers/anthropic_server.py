"""A server that speaks Anthropic's Messages streaming protocol as its documentation describes it: the events of one answer, and errors.

`AnthropicServer(answer(text("Hi"), stop="end_turn"))` plays one whole answer; build others from the pieces.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Literal

from tests.helpers.http_server import ModelServer, Reply, error_reply, sse

Block = list[dict[str, Any]]
"""Start, deltas and stop of one content block, without its index."""


class AnthropicServer(ModelServer):
    """Answers `POST /v1/messages`."""


def text(*pieces: str) -> Block:
    deltas = [{"type": "content_block_delta", "delta": {"type": "text_delta", "text": piece}} for piece in pieces]
    return [{"type": "content_block_start", "content_block": {"type": "text", "text": ""}}, *deltas, {"type": "content_block_stop"}]


def thinking(*pieces: str, signature: str) -> Block:
    deltas = [{"type": "content_block_delta", "delta": {"type": "thinking_delta", "thinking": piece}} for piece in pieces]
    signed = {"type": "content_block_delta", "delta": {"type": "signature_delta", "signature": signature}}
    start = {"type": "content_block_start", "content_block": {"type": "thinking", "thinking": "", "signature": ""}}
    return [start, *deltas, signed, {"type": "content_block_stop"}]


def redacted(data: str) -> Block:
    return [{"type": "content_block_start", "content_block": {"type": "redacted_thinking", "data": data}}, {"type": "content_block_stop"}]


def tool_use(call_id: str, name: str, *pieces: str) -> Block:
    """A tool call whose input comes in pieces of JSON text."""
    deltas = [{"type": "content_block_delta", "delta": {"type": "input_json_delta", "partial_json": piece}} for piece in pieces]
    start = {"type": "content_block_start", "content_block": {"type": "tool_use", "id": call_id, "name": name, "input": {}}}
    return [start, *deltas, {"type": "content_block_stop"}]


def events(
    *blocks: Block, stop: str = "end_turn", input_tokens: int = 10, output_tokens: int = 5, cache_read: int = 0, cache_write: int = 0
) -> list[bytes]:
    """All events of one answer, pings included."""
    usage = {
        "input_tokens": input_tokens,
        "cache_creation_input_tokens": cache_write,
        "cache_read_input_tokens": cache_read,
        "output_tokens": 1,
    }
    message: dict[str, Any] = {
        "id": "msg_test",
        "type": "message",
        "role": "assistant",
        "model": "claude-sonnet-4-6",
        "content": [],
        "stop_reason": None,
        "stop_sequence": None,
        "usage": usage,
    }
    sent = [sse("message_start", {"type": "message_start", "message": message}), sse("ping", {"type": "ping"})]
    for index, block in enumerate(blocks):
        sent += [sse(event["type"], {**event, "index": index}) for event in block]
    ending = {
        "type": "message_delta",
        "delta": {"stop_reason": stop, "stop_sequence": None},
        "usage": {"output_tokens": output_tokens},
    }
    return [*sent, sse("message_delta", ending), sse("message_stop", {"type": "message_stop"})]


def answer(*blocks: Block, stop: str = "end_turn", **usage: int) -> Reply:
    return Reply(events(*blocks, stop=stop, **usage))


def broken(pieces: Sequence[bytes], ending: Literal["end", "cut", "hang"]) -> Reply:
    """An answer that stops after these events: the connection is closed well, breaks, or stays open without another word."""
    return Reply(pieces, ending=ending)


def failure(status: int, kind: str, message: str, **headers: str) -> Reply:
    """An error response; header names are given with underscores."""
    body = {"type": "error", "error": {"type": kind, "message": message}, "request_id": "req_test"}
    return error_reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


def stream_failure(kind: str, message: str) -> bytes:
    """An error event inside a stream that is already open."""
    return sse("error", {"type": "error", "error": {"type": kind, "message": message}})
