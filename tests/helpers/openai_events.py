"""The streams of OpenAI-compatible servers: Chat Completions chunks as local servers send them, and Responses events of OpenAI's own."""

from __future__ import annotations

from typing import Any

from tests.helpers.http_server import Reply, error_reply, sse


def chunk(delta: dict[str, Any] | None = None, *, finish: str | None = None, usage: dict[str, Any] | None = None) -> bytes:
    """One chunk; with usage alone its `choices` are empty."""
    choices = [] if delta is None else [{"index": 0, "delta": delta, "finish_reason": finish}]
    body = {"id": "chat_1", "object": "chat.completion.chunk", "created": 1_700_000_000, "model": "local", "choices": choices}
    return sse(None, body | ({"usage": usage} if usage else {}))


def call(index: int, arguments: str, *, call_id: str | None = None, name: str | None = None) -> dict[str, Any]:
    """The delta of a streamed tool call: id and name come with its first piece."""
    function = {"arguments": arguments} | ({"name": name} if name else {})
    entry: dict[str, Any] = {"index": index, "function": function}
    if call_id is not None:
        entry |= {"id": call_id, "type": "function"}
    return {"tool_calls": [entry]}


DONE = sse(None, "[DONE]")


def chat(*deltas: dict[str, Any], finish: str = "stop", prompt: int = 10, completion: int = 5, cached: int = 0) -> Reply:
    """One whole answer: deltas, finish reason, usage, end mark."""
    usage = {
        "prompt_tokens": prompt,
        "completion_tokens": completion,
        "total_tokens": prompt + completion,
        "prompt_tokens_details": {"cached_tokens": cached},
    }
    pieces = [chunk({"role": "assistant", "content": ""}), *(chunk(delta) for delta in deltas), chunk({}, finish=finish)]
    return Reply([*pieces, chunk(usage=usage), DONE])


def failure(status: int, message: str, code: str | None = None, **headers: str) -> Reply:
    body = {"error": {"message": message, "type": "invalid_request_error", "code": code, "param": None}}
    return error_reply(status, body, {name.replace("_", "-"): value for name, value in headers.items()})


def responses(*items: dict[str, Any], status: str = "completed") -> Reply:
    """One answer of the Responses protocol: each item is streamed, then the whole response."""
    response = {
        "id": "resp_1", "object": "response", "created_at": 1_700_000_000, "status": "in_progress", "model": "gpt-5", "output": [],
        "parallel_tool_calls": True, "tool_choice": "auto", "tools": [], "instructions": None, "metadata": {}, "temperature": 1.0,
        "top_p": 1.0, "error": None, "incomplete_details": None,
    }  # fmt: skip
    events: list[dict[str, Any]] = [{"type": "response.created", "response": response}]
    for index, item in enumerate(items):
        events += _item_events(index, item)
    usage = {
        "input_tokens": 50, "output_tokens": 9, "total_tokens": 59, "input_tokens_details": {"cached_tokens": 20, "cache_write_tokens": 0},
        "output_tokens_details": {"reasoning_tokens": 4},
    }  # fmt: skip
    ended = response | {"status": status, "output": list(items), "usage": usage}
    if status == "incomplete":
        ended["incomplete_details"] = {"reason": "max_output_tokens"}
    events.append({"type": f"response.{status}", "response": ended})
    return Reply([sse(event["type"], {**event, "sequence_number": number}) for number, event in enumerate(events)])


def _item_events(index: int, item: dict[str, Any]) -> list[dict[str, Any]]:
    where = {"output_index": index, "item_id": item["id"]}
    started = dict(item)
    between: list[dict[str, Any]] = []
    match item["type"]:
        case "message":
            started |= {"content": [], "status": "in_progress"}
            text = item["content"][0]["text"]
            empty = {"type": "output_text", "text": "", "annotations": [], "logprobs": []}
            between = [
                {"type": "response.content_part.added", **where, "content_index": 0, "part": empty},
                {"type": "response.output_text.delta", **where, "content_index": 0, "delta": text, "logprobs": []},
                {"type": "response.output_text.done", **where, "content_index": 0, "text": text, "logprobs": []},
                {"type": "response.content_part.done", **where, "content_index": 0, "part": item["content"][0]},
            ]
        case "reasoning":
            started |= {"summary": [], "encrypted_content": None}
            for number, summary in enumerate(item["summary"]):
                place = {**where, "summary_index": number}
                between += [
                    {"type": "response.reasoning_summary_part.added", **place, "part": {"type": "summary_text", "text": ""}},
                    {"type": "response.reasoning_summary_text.delta", **place, "delta": summary["text"]},
                    {"type": "response.reasoning_summary_text.done", **place, "text": summary["text"]},
                    {"type": "response.reasoning_summary_part.done", **place, "part": summary},
                ]
        case "function_call":
            started |= {"arguments": "", "status": "in_progress"}
            middle = len(item["arguments"]) // 2
            between = [
                {"type": "response.function_call_arguments.delta", **where, "delta": item["arguments"][:middle]},
                {"type": "response.function_call_arguments.delta", **where, "delta": item["arguments"][middle:]},
                {"type": "response.function_call_arguments.done", **where, "name": item["name"], "arguments": item["arguments"]},
            ]
    return [
        {"type": "response.output_item.added", "output_index": index, "item": started},
        *between,
        {"type": "response.output_item.done", "output_index": index, "item": item},
    ]
