"""The adaptor against a server that speaks Anthropic's streaming protocol: parts, usage, errors, cancelling, what is sent."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import ProviderError
from desktop.messages.events import TextDelta, ThinkingDelta, ToolCallDelta
from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage
from desktop.providers.base import ModelInfo, RequestKind
from desktop.providers.dump import RequestDumper
from desktop.providers.library import LibraryModel
from desktop.providers.library_open import Connection
from tests.helpers import anthropic_server as claude
from tests.helpers.anthropic_server import AnthropicServer
from tests.helpers.http_server import Received, Reply, error_reply
from tests.helpers.models import ask, assistant, collect, ending, fail, request, results, user
from tests.helpers.wait import wait_for

KEY = "-".join(["sk", "ant", "test" + "0" * 24])

OLDER = "claude-haiku-4-5"
"""A model whose reasoning has a budget of tokens; newer ones choose themselves."""


def maker(server: AnthropicServer, model: str = "claude-sonnet-4-6", **values: Any) -> Callable[[], LibraryModel]:
    info = ModelInfo(f"anthropic:{model}", model, "anthropic", 200_000)
    connection = Connection("anthropic", "anthropic", "Anthropic", model, server.url, True, "Enter the key.")
    key = values.pop("key", KEY)
    return lambda: LibraryModel(info, connection, lambda: key, values.pop("environ", {}), values.pop("dump", None))


def key_of(received: Received) -> str:
    """The key as it was sent: newer SDKs send it as a bearer token."""
    return received.headers.get("x-api-key") or received.headers["authorization"].removeprefix("Bearer ")


def test_text_streams_in_pieces_and_ends_with_usage() -> None:
    with AnthropicServer(claude.answer(claude.text("Hel", "lo ", "世界"), input_tokens=12, output_tokens=7)) as server:
        (events,) = ask(maker(server))
    assert [e.text for e in events if isinstance(e, TextDelta)] == ["Hel", "lo ", "世界"]
    end = ending(events)
    assert end.parts == (TextPart("Hello 世界"),)
    assert end.stop == "end"
    assert (end.usage.input_tokens, end.usage.output_tokens) == (12, 7)
    assert end.usage.cost_usd == pytest.approx((12 * 3 + 7 * 15) / 1e6)


def test_cache_tokens_are_part_of_the_input() -> None:
    with AnthropicServer(claude.answer(claude.text("ok"), input_tokens=10, cache_read=2_000, cache_write=300)) as server:
        (events,) = ask(maker(server))
    usage = ending(events).usage
    assert (usage.input_tokens, usage.cache_read_tokens, usage.cache_write_tokens) == (2_310, 2_000, 300)


def test_tool_calls_keep_ids_order_and_partial_json() -> None:
    blocks = [
        claude.text("I write."),
        claude.tool_use("toolu_1", "Write", '{"file_path": "a.md', '", "content": "', '你好"}'),
        claude.tool_use("toolu_2", "Read", '{"file_path": "b.md"}'),
    ]
    with AnthropicServer(claude.answer(*blocks, stop="tool_use")) as server:
        (events,) = ask(maker(server))
    end = ending(events)
    assert end.stop == "tool_calls"
    assert end.parts == (
        TextPart("I write."),
        ToolCallPart("toolu_1", "Write", {"file_path": "a.md", "content": "你好"}),
        ToolCallPart("toolu_2", "Read", {"file_path": "b.md"}),
    )
    deltas = [e for e in events if isinstance(e, ToolCallDelta)]
    assert {d.id for d in deltas} == {"toolu_1", "toolu_2"}
    assert json.loads("".join(d.arguments for d in deltas if d.id == "toolu_1"))["content"] == "你好"


def test_malformed_arguments_survive_there_and_back() -> None:
    broken = '{"file_path": "a.md", "content": '
    answers = [claude.answer(claude.tool_use("toolu_1", "Write", broken), stop="tool_use"), claude.answer(claude.text("sorry"))]
    with AnthropicServer(*answers) as server:
        make = maker(server)
        (events,) = ask(make)
        call = ending(events).parts[0]
        assert call == ToolCallPart("toolu_1", "Write", {}, raw=broken)
        ask(make, request(user("Hi"), assistant(call), results(ToolResultPart("toolu_1", "Write", "No JSON.", "error"))))
        sent = server.received[1].json()["messages"]
    assert broken in json.dumps(sent[1], ensure_ascii=False).replace('\\"', '"')
    assert sent[2]["content"][0]["is_error"] is True


def test_thinking_goes_back_with_its_signature() -> None:
    first = claude.answer(
        claude.thinking("Let me ", "see.", signature="c2lnbmVk"),
        claude.redacted("b3BhcXVl"),
        claude.tool_use("toolu_1", "Write", '{"file_path": "a", "content": "b"}'),
        stop="tool_use",
    )
    with AnthropicServer(first, claude.answer(claude.text("done"))) as server:
        make = maker(server, OLDER)
        (events,) = ask(make, request(thinking="high"))
        assert "".join(e.text for e in events if isinstance(e, ThinkingDelta)) == "Let me see."
        parts = ending(events).parts
        assert parts[0] == ThinkingPart("Let me see.", "c2lnbmVk", "anthropic")
        ask(make, request(user("Hello"), assistant(*parts), results(ToolResultPart("toolu_1", "Write", "written")), thinking="high"))
        first_body, second_body = (r.json() for r in server.received)
    assert first_body["thinking"] == {"type": "enabled", "budget_tokens": 16_384}
    assert second_body["messages"][1]["content"] == [
        {"type": "thinking", "thinking": "Let me see.", "signature": "c2lnbmVk"},
        {"type": "redacted_thinking", "data": "b3BhcXVl"},
        {"type": "tool_use", "id": "toolu_1", "name": "Write", "input": {"file_path": "a", "content": "b"}},
    ]


def test_thinking_of_others_and_unsigned_thinking_stays_at_home() -> None:
    parts = (ThinkingPart("secret plan", "c2ln", "google"), ThinkingPart("cut off", None, "anthropic"), TextPart("Hi."))
    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        ask(maker(server), request(user("Hello"), assistant(*parts), user("Go on")))
        sent = json.dumps(server.received[0].json())
    assert "secret plan" not in sent and "cut off" not in sent


def test_what_is_sent() -> None:
    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        ask(maker(server), request(user("First"), user("Second", origin="app"), max_output_tokens=1_000))
        received = server.received[0]
    body = received.json()
    assert received.path.partition("?")[0] == "/v1/messages"
    assert key_of(received) == KEY
    assert body["model"] == "claude-sonnet-4-6" and body["stream"] is True and body["max_tokens"] == 1_000
    assert [block["text"] for block in body["system"]] == ["You are Keepsake."]
    assert body["system"][0]["cache_control"]["type"] == "ephemeral"
    assert body["tools"][-1]["cache_control"]["type"] == "ephemeral"
    assert body["cache_control"]["type"] == "ephemeral"
    assert [m["role"] for m in body["messages"]] == ["user"]
    assert "First\n\nSecond" in json.dumps(body["messages"]).replace("\\n", "\n")
    assert body["tools"][0]["input_schema"]["properties"]["file_path"] == {"type": "string"}


@pytest.mark.parametrize("level", ["low", "medium", "high"])
def test_newer_models_get_an_effort(level: Any) -> None:
    with AnthropicServer(claude.answer(claude.text("ok")), claude.answer(claude.text("ok"))) as server:
        ask(maker(server), request(thinking=level))
        ask(maker(server), request(thinking=level, max_output_tokens=500))
        body, limited = (r.json() for r in server.received)
    assert body["thinking"] == {"type": "adaptive"} and body["output_config"]["effort"] == level
    assert limited["max_tokens"] == 500


def test_a_budget_always_leaves_room_to_answer() -> None:
    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        ask(maker(server, OLDER), request(thinking="high", max_output_tokens=500))
        body = server.received[0].json()
    assert body["max_tokens"] > body["thinking"]["budget_tokens"]


def test_calls_without_result_and_results_without_call_are_mended() -> None:
    messages = (
        user("Hello"),
        assistant(ToolCallPart("c1", "Write", {"file_path": "a"})),
        results(ToolResultPart("c9", "Read", "lost")),
        user("Go on"),
    )
    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        ask(maker(server), request(*messages))
        sent = server.received[0].json()["messages"]
    assert [m["role"] for m in sent] == ["user", "assistant", "user"]
    answered = [b["tool_use_id"] for b in sent[2]["content"] if b["type"] == "tool_result"]
    assert answered == ["c1"]
    assert "lost" in json.dumps(sent[2])


def test_a_lone_surrogate_does_not_break_the_request() -> None:
    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        (events,) = ask(maker(server), request(user("a \ud800 b")))
        assert "a \ufffd b" in server.received[0].body.decode()
    assert ending(events).parts == (TextPart("ok"),)


@pytest.mark.parametrize(
    ("reply", "kind", "wait"),
    [
        (claude.failure(429, "rate_limit_error", "slow down", retry_after="7"), "rate_limit", 7.0),
        (claude.failure(529, "overloaded_error", "Overloaded"), "overloaded", None),
        (claude.failure(500, "api_error", "Internal server error"), "overloaded", None),
        (claude.failure(401, "authentication_error", "invalid x-api-key"), "auth", None),
        (claude.failure(404, "not_found_error", "model: claude-nope"), "unavailable", None),
        (claude.failure(400, "invalid_request_error", "prompt is too long: 250000 tokens > 200000 maximum"), "context_length", None),
        (claude.failure(400, "invalid_request_error", "Your credit balance is too low"), "unavailable", None),
        (claude.failure(400, "invalid_request_error", "messages: something is wrong"), "invalid", None),
    ],
)
def test_errors_have_a_kind_and_are_asked_once(reply: Reply, kind: str, wait: float | None) -> None:
    with AnthropicServer(reply) as server:
        seen, error = fail(maker(server))
        assert len(server.received) == 1, "the loop retries, the adaptor does not"
    assert isinstance(error, ProviderError)
    assert (error.kind, error.retry_after_s, seen) == (kind, wait, [])
    assert error.message and error.hint


def test_a_redirect_is_not_followed_so_that_the_key_stays() -> None:
    with AnthropicServer(claude.answer(claude.text("stolen"))) as other:
        with AnthropicServer(error_reply(307, {}, {"location": f"{other.url}/v1/messages"})) as server:
            _, error = fail(maker(server))
        assert other.received == []
    assert isinstance(error, ProviderError) and error.kind == "invalid" and server.url in error.hint


def test_the_key_never_stands_in_an_error() -> None:
    with AnthropicServer(claude.failure(401, "authentication_error", f"invalid key {KEY}")) as server:
        _, error = fail(maker(server))
    assert KEY not in f"{error} {error.hint} {error.detail}"


def test_without_a_key_nothing_is_sent() -> None:
    with AnthropicServer() as server:
        _, error = fail(maker(server, key=None))
        assert server.received == []
    assert isinstance(error, ProviderError) and error.kind == "auth" and error.hint == "Enter the key."


@pytest.mark.parametrize("ending_of_stream", ["cut", "end"])
def test_a_stream_that_breaks_off_is_cut_after_its_deltas(ending_of_stream: Any) -> None:
    pieces = claude.events(claude.text("The answer ", "is long"))[:4]
    with AnthropicServer(claude.broken(pieces, ending_of_stream)) as server:
        seen, error = fail(maker(server))
    assert seen == [TextDelta("The answer ")]
    assert isinstance(error, ProviderError) and error.kind == "cut" and error.retryable


def test_an_error_event_inside_the_stream() -> None:
    pieces = [*claude.events(claude.text("Half"))[:4], claude.stream_failure("overloaded_error", "Overloaded")]
    with AnthropicServer(Reply(pieces)) as server:
        seen, error = fail(maker(server))
    assert seen == [TextDelta("Half")]
    assert isinstance(error, ProviderError) and error.kind == "overloaded"


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b"data: {not json}\n\n", b'data: {"type": 17}\n\n', b""])
def test_nonsense_is_an_error_and_nothing_worse(body: bytes) -> None:
    with AnthropicServer(Reply([body] if body else [])) as server:
        _, error = fail(maker(server))
    assert isinstance(error, ProviderError) and error.kind in ("invalid", "cut")


def test_nobody_listens() -> None:
    with AnthropicServer() as server:
        make = maker(server)
    _, error = fail(make)
    assert isinstance(error, ProviderError) and error.kind == "network"


def test_the_stop_reason_of_a_full_answer() -> None:
    with AnthropicServer(claude.answer(claude.text("Half"), stop="max_tokens"), claude.answer(stop="refusal")) as server:
        full, refused = ask(maker(server), request(), request())
    assert ending(full).stop == "length"
    assert ending(refused).stop == "refused"


def test_cancelling_closes_the_connection() -> None:
    async def run(server: AnthropicServer) -> list[Any]:
        model = maker(server)()
        seen: list[Any] = []
        first = asyncio.Event()

        async def read() -> None:
            async for event in model.stream(request()):
                seen.append(event)
                first.set()

        task = asyncio.create_task(read())
        await first.wait()
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(wait_for, server.client_left.is_set, timeout=1.0, what="the closed connection")
        await model.close()
        return seen

    pieces = claude.events(claude.text("One", "Two"))[:4]
    with AnthropicServer(claude.broken(pieces, "hang")) as server:
        assert asyncio.run(run(server)) == [TextDelta("One")]


def test_cancelling_while_the_server_still_thinks() -> None:
    async def run(server: AnthropicServer) -> None:
        model = maker(server)()
        task = asyncio.create_task(collect(model, request()))
        await asyncio.to_thread(wait_for, server.hanging.is_set, what="the waiting server")
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await asyncio.to_thread(wait_for, server.client_left.is_set, timeout=1.0, what="the closed connection")
        await model.close()

    with AnthropicServer(claude.broken([], "hang")) as server:
        asyncio.run(run(server))


def test_leaving_the_stream_closes_the_connection_and_the_model_goes_on() -> None:
    async def run(server: AnthropicServer) -> None:
        model = maker(server)()
        stream = model.stream(request())
        assert await anext(stream) == TextDelta("One")
        await stream.aclose()  # type: ignore[attr-defined]
        await asyncio.to_thread(wait_for, server.client_left.is_set, timeout=1.0, what="the closed connection")
        assert ending(await collect(model, request())).parts == (TextPart("again"),)
        await model.close()

    pieces = claude.events(claude.text("One", "Two"))[:4]
    with AnthropicServer(claude.broken(pieces, "hang"), claude.answer(claude.text("again"))) as server:
        asyncio.run(run(server))


def test_a_key_entered_later_counts() -> None:
    keys: list[str | None] = [None, KEY]

    async def run(server: AnthropicServer) -> None:
        info = ModelInfo("anthropic:claude-sonnet-4-6", "Claude", "anthropic", 200_000)
        connection = Connection("anthropic", "anthropic", "Anthropic", "claude-sonnet-4-6", server.url, True, "Enter the key.")
        model = LibraryModel(info, connection, lambda: keys.pop(0), {})
        with pytest.raises(ProviderError):
            await collect(model, request())
        assert ending(await collect(model, request())).parts == (TextPart("ok"),)
        await model.close()

    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        asyncio.run(run(server))


def test_two_requests_at_once_are_dumped_under_their_own_kind(tmp_path: Path) -> None:
    async def run(server: AnthropicServer) -> None:
        model = maker(server, dump=RequestDumper(tmp_path))()
        kinds: tuple[RequestKind, ...] = ("main", "extract", "title")
        await asyncio.gather(*(collect(model, request(user(f"of {kind}"), kind=kind)) for kind in kinds))
        await model.close()

    with AnthropicServer(*(claude.answer(claude.text("ok")) for _ in range(3))) as server:
        asyncio.run(run(server))
        sent = {r.body for r in server.received}
    dumps = [json.loads(path.read_text("utf-8")) for path in sorted(tmp_path.iterdir())]
    assert [d["n"] for d in dumps] == [1, 2, 3]
    for dump in dumps:
        assert f"of {dump['kind']}" in json.dumps(dump["body"])
        assert json.dumps(dump["body"]) in {json.dumps(json.loads(body)) for body in sent}
        assert dump["url"].startswith(server.url) and dump["model"] == "anthropic:claude-sonnet-4-6"


def test_a_dump_holds_neither_key_nor_headers(tmp_path: Path) -> None:
    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        ask(maker(server, dump=RequestDumper(tmp_path)), request(user("你好")))
        assert key_of(server.received[0]) == KEY
    text = (tmp_path / "0001-main.json").read_text("utf-8")
    assert KEY not in text and "x-api-key" not in text.lower() and "authorization" not in text.lower()
    assert "你好" in text


def test_a_dump_that_cannot_be_written_stops_the_request(tmp_path: Path) -> None:
    blocked = tmp_path / "file"
    blocked.write_text("")
    with AnthropicServer(claude.answer(claude.text("ok"))) as server:
        _, error = fail(maker(server, dump=RequestDumper(blocked)))
        assert server.received == []
    assert str(blocked) in error.message


def test_usage_adds_up() -> None:
    assert Usage(1, 2, 3, 4, 0.5) + Usage(1, 1, 1, 1, 0.25) == Usage(2, 3, 4, 5, 0.75)
