"""OpenAI-compatible servers over Chat Completions, and OpenAI itself over Responses: streams, tool calls, errors, what is sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from typing import Any

import pytest

from desktop.base.errors import ProviderError
from desktop.messages.events import TextDelta, ThinkingDelta, ToolCallDelta
from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.providers.base import ModelInfo
from desktop.providers.library import LibraryModel
from desktop.providers.library_open import Connection
from tests.helpers import openai_events as openai
from tests.helpers.http_server import ModelServer, Reply
from tests.helpers.models import ask, assistant, collect, ending, fail, request, results, user
from tests.helpers.wait import wait_for

KEY = "-".join(["sk", "test" + "0" * 20])


def chat(server: ModelServer, key: str | None = None) -> Callable[[], LibraryModel]:
    connection = Connection("chat", "home", "home", "local", f"{server.url}/v1", False, "Enter the key.")
    return lambda: LibraryModel(ModelInfo("home:local", "local", "home", 32_768), connection, lambda: key, {})


def responses(server: ModelServer, name: str = "gpt-5") -> Callable[[], LibraryModel]:
    connection = Connection("openai", "openai", "OpenAI", name, f"{server.url}/v1", True, "Enter the key.")
    return lambda: LibraryModel(ModelInfo(f"openai:{name}", name, "openai", 400_000), connection, lambda: KEY, {})


def test_chat_text_and_usage() -> None:
    with ModelServer(openai.chat({"content": "Hel"}, {"content": "lo 世界"}, prompt=30, completion=4, cached=10)) as server:
        (events,) = ask(chat(server))
        received = server.received[0]
    assert [e.text for e in events if isinstance(e, TextDelta)] == ["Hel", "lo 世界"]
    end = ending(events)
    assert end.parts == (TextPart("Hello 世界"),) and end.stop == "end"
    assert (end.usage.input_tokens, end.usage.output_tokens, end.usage.cache_read_tokens, end.usage.cost_usd) == (30, 4, 10, None)
    assert received.path == "/v1/chat/completions"


def test_chat_request_uses_the_field_names_that_local_servers_know() -> None:
    with ModelServer(openai.chat({"content": "ok"})) as server:
        ask(chat(server, KEY), request(user("First"), user("Second", origin="app"), max_output_tokens=900, thinking="high"))
        received = server.received[0]
    body = received.json()
    assert body["messages"] == [{"role": "system", "content": "You are Keepsake."}, {"role": "user", "content": "First\n\nSecond"}]
    assert body["max_tokens"] == 900 and "max_completion_tokens" not in body and body["stream"] is True
    function = body["tools"][0]["function"]
    assert "strict" not in function and function["name"] == "Write"
    assert not {"store", "prompt_cache_key", "reasoning_effort"} & set(body)
    assert received.headers["authorization"] == f"Bearer {KEY}"


def test_chat_streams_several_tool_calls_and_takes_their_results() -> None:
    first = openai.chat(
        openai.call(0, "", call_id="call_a", name="Write"),
        openai.call(0, '{"file_path": "a", '),
        openai.call(0, '"content": "你好"}'),
        openai.call(1, '{"file_path": "b"}', call_id="call_b", name="Read"),
        finish="tool_calls",
    )
    with ModelServer(first, openai.chat({"content": "done"})) as server:
        make = chat(server)
        (events,) = ask(make)
        end = ending(events)
        assert end.stop == "tool_calls"
        assert end.parts == (
            ToolCallPart("call_a", "Write", {"file_path": "a", "content": "你好"}),
            ToolCallPart("call_b", "Read", {"file_path": "b"}),
        )
        assert "".join(e.arguments for e in events if isinstance(e, ToolCallDelta) and e.id == "call_b") == '{"file_path": "b"}'
        outcome = results(ToolResultPart("call_a", "Write", "written"), ToolResultPart("call_b", "Read", "", "error"))
        ask(make, request(user("Hello"), assistant(*end.parts), outcome))
        sent = server.received[1].json()["messages"]
    assert [m["role"] for m in sent] == ["system", "user", "assistant", "tool", "tool"]
    assert [c["id"] for c in sent[2]["tool_calls"]] == ["call_a", "call_b"]
    assert sent[3] == {"role": "tool", "tool_call_id": "call_a", "content": "written"}
    assert "(no output)" in sent[4]["content"]


@pytest.mark.parametrize("given", ["", "call_used"])
def test_ids_that_a_server_repeats_or_leaves_out_are_replaced(given: str) -> None:
    reply = openai.chat(openai.call(0, "{}", call_id=given, name="Read"), finish="tool_calls")
    used = (user("Hi"), assistant(ToolCallPart("call_used", "Read")), results(ToolResultPart("call_used", "Read", "x")))
    with ModelServer(reply) as server:
        (events,) = ask(chat(server), request(*used))
    (part,) = ending(events).parts
    assert isinstance(part, ToolCallPart) and part.id not in ("", "call_used")
    assert {e.id for e in events if isinstance(e, ToolCallDelta)} == {part.id}


def test_malformed_arguments_stay_raw() -> None:
    with ModelServer(openai.chat(openai.call(0, '{"a": ', call_id="c", name="Read"), finish="tool_calls")) as server:
        (events,) = ask(chat(server))
    assert ending(events).parts == (ToolCallPart("c", "Read", {}, raw='{"a": '),)


def test_reasoning_of_a_local_server_goes_back_in_its_field() -> None:
    first = openai.chat({"reasoning_content": "Hm, "}, {"reasoning_content": "yes."}, {"content": "Yes."})
    with ModelServer(first, openai.chat({"content": "ok"})) as server:
        make = chat(server)
        (events,) = ask(make)
        parts = ending(events).parts
        assert "".join(e.text for e in events if isinstance(e, ThinkingDelta)) == "Hm, yes."
        ask(make, request(user("Hello"), assistant(*parts), user("Sure?")))
        sent = server.received[1].json()["messages"][2]
    assert [type(part) for part in parts] == [ThinkingPart, TextPart]
    assert sent["reasoning_content"] == "Hm, yes." and sent["content"] == "Yes."


def test_thinking_tags_become_thinking_and_are_not_sent_back() -> None:
    first = openai.chat({"content": "<think>"}, {"content": "Hm."}, {"content": "</think>"}, {"content": "Yes."})
    with ModelServer(first, openai.chat({"content": "ok"})) as server:
        make = chat(server)
        (events,) = ask(make)
        parts = ending(events).parts
        ask(make, request(user("Hello"), assistant(*parts), user("Sure?")))
        sent = server.received[1].body.decode()
    assert [type(part) for part in parts] == [ThinkingPart, TextPart]
    assert "Hm." not in sent and "think" not in sent


@pytest.mark.parametrize(
    ("reply", "kind", "wait"),
    [
        (openai.failure(429, "Rate limit reached", "rate_limit_exceeded", retry_after="3"), "rate_limit", 3.0),
        (openai.failure(429, "You exceeded your current quota", "insufficient_quota"), "unavailable", None),
        (openai.failure(401, f"Incorrect API key provided: {KEY}", "invalid_api_key"), "auth", None),
        (openai.failure(404, "model not found", "model_not_found"), "unavailable", None),
        (openai.failure(400, "maximum context length is 8192 tokens", "context_length_exceeded"), "context_length", None),
        (openai.failure(400, "the request exceeds the available context size, try increasing it"), "context_length", None),
        (openai.failure(503, "Loading model"), "overloaded", None),
        (openai.failure(400, "tools are not supported"), "invalid", None),
    ],
)
def test_errors(reply: Reply, kind: str, wait: float | None) -> None:
    with ModelServer(reply) as server:
        _, error = fail(chat(server, KEY))
        assert len(server.received) == 1
    assert isinstance(error, ProviderError)
    assert (error.kind, error.retry_after_s) == (kind, wait)
    assert KEY not in error.detail


def test_a_stream_that_ends_early_is_cut() -> None:
    with ModelServer(Reply([openai.chunk({"content": "Half"})])) as server:
        seen, error = fail(chat(server))
    assert seen == [TextDelta("Half")]
    assert isinstance(error, ProviderError) and error.kind == "cut"


def test_a_connection_that_breaks_is_cut() -> None:
    with ModelServer(Reply([openai.chunk({"content": "Half"})], ending="cut")) as server:
        seen, error = fail(chat(server))
    assert seen == [TextDelta("Half")]
    assert isinstance(error, ProviderError) and error.kind == "cut"


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b"data: {not json}\n\n", b'data: {"choices": 17}\n\n', b"data: 5\n\n", b""])
def test_nonsense(body: bytes) -> None:
    with ModelServer(Reply([body] if body else [])) as server:
        _, error = fail(chat(server))
    assert isinstance(error, ProviderError) and error.kind in ("invalid", "cut")


def test_cancelling_closes_the_connection() -> None:
    async def run(server: ModelServer) -> None:
        model = chat(server)()
        task = asyncio.create_task(collect(model, request()))
        await asyncio.to_thread(wait_for, server.hanging.is_set, what="the waiting server")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(wait_for, server.client_left.is_set, timeout=1.0, what="the closed connection")
        await model.close()

    with ModelServer(Reply([openai.chunk({"content": "Half"})], ending="hang")) as server:
        asyncio.run(run(server))


def reasoning(item_id: str, summary: str, encrypted: str) -> dict[str, Any]:
    return {"type": "reasoning", "id": item_id, "summary": [{"type": "summary_text", "text": summary}], "encrypted_content": encrypted}


def message(text: str) -> dict[str, Any]:
    part = {"type": "output_text", "text": text, "annotations": [], "logprobs": []}
    return {"type": "message", "id": "msg_1", "role": "assistant", "status": "completed", "content": [part]}


def function_call(call_id: str, arguments: str) -> dict[str, Any]:
    return {"type": "function_call", "id": "fc_1", "call_id": call_id, "name": "Write", "arguments": arguments, "status": "completed"}


def test_responses_text_usage_and_request() -> None:
    with ModelServer(openai.responses(message("Hello 世界"))) as server:
        (events,) = ask(responses(server), request(session_id="sess_x", max_output_tokens=700))
        received = server.received[0]
    end = ending(events)
    assert end.parts == (TextPart("Hello 世界"),) and end.stop == "end"
    assert (end.usage.input_tokens, end.usage.output_tokens, end.usage.cache_read_tokens) == (50, 9, 20)
    assert end.usage.cost_usd is not None and end.usage.cost_usd > 0
    body = received.json()
    assert received.path == "/v1/responses"
    assert body["store"] is False and body["stream"] is True and body["max_output_tokens"] == 700
    assert body["instructions"] == "You are Keepsake."
    assert body["prompt_cache_key"] == "sess_x-main"
    assert "reasoning.encrypted_content" in body["include"]


def test_responses_reasoning_and_call_go_back() -> None:
    first = openai.responses(reasoning("rs_1", "Thinking.", "ZW5j"), function_call("call_1", '{"file_path": "a", "content": "b"}'))
    with ModelServer(first, openai.responses(message("done"))) as server:
        make = responses(server)
        (events,) = ask(make, request(thinking="medium"))
        parts = ending(events).parts
        assert ending(events).stop == "tool_calls"
        assert parts[-1] == ToolCallPart("call_1", "Write", {"file_path": "a", "content": "b"})
        assert "".join(e.text for e in events if isinstance(e, ThinkingDelta)) == "Thinking."
        ask(make, request(user("Hello"), assistant(*parts), results(ToolResultPart("call_1", "Write", "written")), thinking="medium"))
        bodies = [r.json() for r in server.received]
    assert bodies[0]["reasoning"]["effort"] == "medium"
    sent = {item.get("type", item.get("role")): item for item in bodies[1]["input"]}
    assert sent["reasoning"]["encrypted_content"] == "ZW5j" and sent["reasoning"]["summary"][0]["text"] == "Thinking."
    assert sent["function_call"]["call_id"] == "call_1"
    assert json.loads(sent["function_call"]["arguments"]) == {"file_path": "a", "content": "b"}
    assert sent["function_call_output"]["output"] == "written"


def test_a_model_that_does_not_reason_is_not_asked_to() -> None:
    with ModelServer(openai.responses(message("ok"))) as server:
        ask(responses(server, "gpt-4o"), request(thinking="high"))
        assert "reasoning" not in server.received[0].json()


def test_responses_that_stop_early() -> None:
    half = openai.responses(message("Half"), status="incomplete")
    whole = openai.responses(message("Half"))
    with ModelServer(half, Reply(list(whole.pieces)[:-1])) as server:
        (events,) = ask(responses(server))
        assert ending(events).stop == "length"
        seen, error = fail(responses(server))
    assert seen == [TextDelta("Half")]
    assert isinstance(error, ProviderError) and error.kind == "cut"
