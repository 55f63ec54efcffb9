"""Google's streaming protocol: text, thoughts with signatures, function calls, errors, and a dump without the key."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import ProviderError
from desktop.messages.events import TextDelta, ThinkingDelta
from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.providers.base import DumpRequest, ModelInfo
from desktop.providers.dump import RequestDumper
from desktop.providers.library import LibraryModel
from desktop.providers.library_open import Connection
from tests.helpers.http_server import ModelServer, Reply, error_reply, sse
from tests.helpers.models import ask, assistant, ending, fail, request, results, user

KEY = "".join(["AI", "za", "Sy", "0" * 33])


def maker(server: ModelServer, dump: DumpRequest | None = None) -> Callable[[], LibraryModel]:
    connection = Connection("google", "google", "Google", "gemini-3-flash-preview", server.url, True, "Enter the key.")
    info = ModelInfo("google:gemini-3-flash-preview", "Gemini", "google", 1_000_000)
    return lambda: LibraryModel(info, connection, lambda: KEY, {}, dump)


def piece(*parts: dict[str, Any], finish: str | None = None) -> bytes:
    candidate: dict[str, Any] = {"index": 0, "content": {"role": "model", "parts": list(parts)}}
    if finish:
        candidate["finishReason"] = finish
    usage = {"promptTokenCount": 20, "candidatesTokenCount": 6, "thoughtsTokenCount": 2, "cachedContentTokenCount": 5}
    return sse(None, {"candidates": [candidate], "usageMetadata": usage, "modelVersion": "gemini-3-flash-preview", "responseId": "r1"})


def failure(status: int, name: str, message: str, **headers: str) -> Reply:
    return error_reply(status, {"error": {"code": status, "message": message, "status": name}}, headers)


def test_text_usage_and_request() -> None:
    with ModelServer(Reply([piece({"text": "Hel"}), piece({"text": "lo 世界"}, finish="STOP")])) as server:
        (events,) = ask(maker(server), request(max_output_tokens=500))
        received = server.received[0]
    end = ending(events)
    assert [e.text for e in events if isinstance(e, TextDelta)] == ["Hel", "lo 世界"]
    assert end.parts == (TextPart("Hello 世界"),) and end.stop == "end"
    assert (end.usage.input_tokens, end.usage.output_tokens, end.usage.cache_read_tokens) == (20, 8, 5)
    assert "gemini-3-flash-preview:streamGenerateContent" in received.path
    body = received.json()
    assert body["systemInstruction"]["parts"][0]["text"] == "You are Keepsake."
    assert body["generationConfig"]["maxOutputTokens"] == 500
    assert body["tools"][0]["functionDeclarations"][0]["name"] == "Write"


def test_calls_keep_their_thought_signature() -> None:
    call = {"functionCall": {"name": "Write", "args": {"file_path": "a", "content": "你好"}}, "thoughtSignature": "c2lnbmVk"}
    first = Reply([piece({"text": "Thinking.", "thought": True}), piece(call, finish="STOP")])
    with ModelServer(first, Reply([piece({"text": "done"}, finish="STOP")])) as server:
        make = maker(server)
        (events,) = ask(make, request(thinking="high"))
        parts = ending(events).parts
        assert ending(events).stop == "tool_calls"
        assert "".join(e.text for e in events if isinstance(e, ThinkingDelta)) == "Thinking."
        called = parts[-1]
        assert isinstance(called, ToolCallPart) and called.input == {"file_path": "a", "content": "你好"} and called.id
        ask(make, request(user("Hello"), assistant(*parts), results(ToolResultPart(called.id, "Write", "written"))))
        sent = server.received[1].json()["contents"]
    calls = [p for p in sent[1]["parts"] if "functionCall" in p]
    assert calls[0]["thoughtSignature"] == "c2lnbmVk"
    assert calls[0]["functionCall"]["args"] == {"file_path": "a", "content": "你好"}
    assert [p["functionResponse"]["name"] for p in sent[2]["parts"]] == ["Write"]


def test_signatures_of_others_stay_away() -> None:
    parts = (ThinkingPart("plan", "c2ln", "anthropic"), ToolCallPart("c1", "Write", {"file_path": "a"}))
    with ModelServer(Reply([piece({"text": "ok"}, finish="STOP")])) as server:
        ask(maker(server), request(user("Hello"), assistant(*parts), results(ToolResultPart("c1", "Write", "x"))))
        sent = json.dumps(server.received[0].json())
    assert "plan" not in sent and "c2ln" not in sent


@pytest.mark.parametrize(
    ("reply", "kind"),
    [
        (failure(429, "RESOURCE_EXHAUSTED", "too many requests"), "rate_limit"),
        (failure(503, "UNAVAILABLE", "The model is overloaded."), "overloaded"),
        (failure(400, "INVALID_ARGUMENT", f"API key not valid. Please pass a valid API key. {KEY}"), "auth"),
        (failure(403, "PERMISSION_DENIED", "no"), "auth"),
        (failure(404, "NOT_FOUND", "models/x is not found"), "unavailable"),
        (failure(400, "INVALID_ARGUMENT", "The input token count (2000000) exceeds the maximum number of tokens"), "context_length"),
    ],
)
def test_errors(reply: Reply, kind: str) -> None:
    with ModelServer(reply) as server:
        _, error = fail(maker(server))
        assert len(server.received) == 1
    assert isinstance(error, ProviderError) and error.kind == kind
    assert KEY not in error.detail


@pytest.mark.parametrize("how", ["cut", "end"])
def test_a_stream_that_ends_early_is_cut(how: Any) -> None:
    with ModelServer(Reply([piece({"text": "Half"})], ending=how)) as server:
        seen, error = fail(maker(server))
    assert seen == [TextDelta("Half")]
    assert isinstance(error, ProviderError) and error.kind == "cut"


@pytest.mark.parametrize("body", [b"<html>It works!</html>", b"data: {not json}\n\n", b"data: 5\n\n", b""])
def test_nonsense(body: bytes) -> None:
    with ModelServer(Reply([body] if body else [])) as server:
        _, error = fail(maker(server))
    assert isinstance(error, ProviderError) and error.kind in ("invalid", "cut")


def test_the_dump_has_no_key(tmp_path: Path) -> None:
    with ModelServer(Reply([piece({"text": "ok"}, finish="STOP")])) as server:
        ask(maker(server, RequestDumper(tmp_path)))
        body = server.received[0].json()
    text = (tmp_path / "0001-main.json").read_text("utf-8")
    assert KEY not in text
    assert json.loads(text)["body"] == body
