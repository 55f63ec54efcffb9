"""The scripted model: order, kinds, chunks, calls, errors, and the refusal of anything misspelt."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import ProviderError, UsageError
from desktop.messages.events import TextDelta, ThinkingDelta, ToolCallDelta
from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart
from desktop.messages.usage import Usage
from desktop.providers.dump import RequestDumper
from desktop.providers.scripted import ScriptedModel
from tests.helpers.clock import FixedClock
from tests.helpers.models import NOW, ask, collect, ending, fail, request, user


def script(folder: Path, *responses: dict[str, Any], **top: Any) -> Path:
    path = folder / "script.json"
    path.write_text(json.dumps({"responses": list(responses), **top}, ensure_ascii=False), "utf-8")
    return path


def maker(path: Path) -> Callable[[], ScriptedModel]:
    return lambda: ScriptedModel(path, clock=FixedClock())


def test_text_comes_in_chunks_and_ends_with_usage(tmp_path: Path) -> None:
    path = script(tmp_path, {"text": "你好，世界!", "chunk": 2, "usage": {"input_tokens": 10, "output_tokens": 5}})
    (events,) = ask(maker(path))
    assert [e.text for e in events if isinstance(e, TextDelta)] == ["你好", "，世", "界!"]
    end = ending(events)
    assert (end.parts, end.usage, end.stop) == ((TextPart("你好，世界!"),), Usage(10, 5), "end")


def test_the_default_chunk_is_twenty_characters(tmp_path: Path) -> None:
    (events,) = ask(maker(script(tmp_path, {"text": "x" * 45})))
    assert [len(e.text) for e in events if isinstance(e, TextDelta)] == [20, 20, 5]


def test_thinking_then_text_then_calls(tmp_path: Path) -> None:
    calls = [
        {"id": "c1", "name": "Write", "input": {"file_path": "a", "content": "b"}},
        {"name": "Read", "input": '{"file_path": '},
        {"name": "Glob"},
    ]
    (events,) = ask(maker(script(tmp_path, {"thinking": "Hm.", "text": "Yes.", "tool_calls": calls})))
    end = ending(events)
    thought, text, write, read, glob = end.parts
    assert end.stop == "tool_calls"
    assert (thought, text) == (ThinkingPart("Hm.", provider="scripted"), TextPart("Yes."))
    assert write == ToolCallPart("c1", "Write", {"file_path": "a", "content": "b"})
    assert isinstance(read, ToolCallPart) and (read.input, read.raw) == ({}, '{"file_path": ')
    assert isinstance(glob, ToolCallPart) and (glob.input, glob.raw) == ({}, None)
    assert len({write.id, read.id, glob.id}) == 3 and all((write.id, read.id, glob.id))
    assert [type(e) for e in events[:2]] == [ThinkingDelta, TextDelta]
    streamed = "".join(e.arguments for e in events if isinstance(e, ToolCallDelta) and e.id == "c1")
    assert json.loads(streamed) == write.input


def test_each_kind_has_its_own_order(tmp_path: Path) -> None:
    path = script(tmp_path, {"text": "one"}, {"for": "extract", "text": "e"}, {"text": "two"})
    texts = ask(maker(path), request(kind="extract"), request(), request(), request(), request(kind="extract"), request(kind="title"))
    assert [ending(e).parts for e in texts] == [(TextPart(t),) for t in ("e", "one", "two", "done", "done", "done")]


def test_two_models_of_one_file_share_the_count(tmp_path: Path) -> None:
    path = script(tmp_path, {"text": "one"}, {"text": "two"})
    link = tmp_path / "link.json"
    link.symlink_to(path)
    (first,) = ask(maker(path))
    (second,) = ask(maker(link))
    assert [ending(e).parts for e in (first, second)] == [(TextPart("one"),), (TextPart("two"),)]


def test_a_file_with_other_content_starts_anew(tmp_path: Path) -> None:
    ask(maker(script(tmp_path, {"text": "one"})))
    (events,) = ask(maker(script(tmp_path, {"text": "other"})))
    assert ending(events).parts == (TextPart("other"),)


@pytest.mark.parametrize("kind", ["rate_limit", "overloaded", "auth", "network", "cut", "invalid"])
def test_errors_are_consumed_like_a_response(tmp_path: Path, kind: str) -> None:
    error = {"kind": kind, "after_chars": 5, "retry_after_s": 3, "message": "Told so."}
    path = script(tmp_path, {"text": "Hello world", "chunk": 4, "error": error}, {"text": "next"})
    seen, raised = fail(maker(path))
    assert seen == [TextDelta("Hell"), TextDelta("o")]
    assert isinstance(raised, ProviderError)
    assert (raised.kind, raised.retry_after_s, raised.message) == (kind, 3.0, "Told so.")
    (events,) = ask(maker(path))
    assert ending(events).parts == (TextPart("next"),)


def test_an_error_without_details(tmp_path: Path) -> None:
    seen, raised = fail(maker(script(tmp_path, {"text": "never", "error": {"kind": "rate_limit"}})))
    assert seen == [] and isinstance(raised, ProviderError)
    assert raised.retry_after_s is None and raised.message


def test_null_is_no_error(tmp_path: Path) -> None:
    (events,) = ask(maker(script(tmp_path, {"text": "fine", "error": None})))
    assert ending(events).parts == (TextPart("fine"),)


def test_a_delay_can_be_cancelled(tmp_path: Path) -> None:
    async def run() -> None:
        model = maker(script(tmp_path, {"text": "late", "delay_ms": 60_000}))()
        task = asyncio.create_task(collect(model, request()))
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task

    asyncio.run(run())


def test_the_neutral_request_is_dumped(tmp_path: Path) -> None:
    path = script(tmp_path, {"text": "ok"})
    dump = RequestDumper(tmp_path / "dumps")
    ask(lambda: ScriptedModel(path, dump=dump), request(user("你好"), max_output_tokens=7, thinking="low"))
    dumped = json.loads((tmp_path / "dumps" / "0001-main.json").read_text("utf-8"))
    assert dumped["url"] == dumped["model"] == f"scripted:{path}"
    body = dumped["body"]
    assert set(body) == {"system", "messages", "tools", "kind", "max_output_tokens", "thinking"}
    assert (body["system"], body["kind"], body["max_output_tokens"], body["thinking"]) == ("You are Keepsake.", "main", 7, "low")
    assert body["messages"][0]["parts"] == [{"kind": "text", "text": "你好"}]
    assert body["messages"][0]["time"] == NOW.isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert body["tools"][0]["name"] == "Write"


def test_the_context_window_may_be_set(tmp_path: Path) -> None:
    assert ScriptedModel(script(tmp_path, context_window=1_000)).info.context_window == 1_000
    assert ScriptedModel(script(tmp_path)).info.context_window == 200_000


@pytest.mark.parametrize(
    ("content", "named"),
    [
        ({"responses": [], "reponses": []}, "reponses"),
        ({"responses": [{"txt": "x"}]}, "responses[0].txt"),
        ({"responses": [{"tool_calls": [{"name": "Read", "arguments": {}}]}]}, "responses[0].tool_calls[0].arguments"),
        ({"responses": [{"usage": {"tokens": 1}}]}, "responses[0].usage.tokens"),
        ({"responses": [{"error": {"kind": "rate_limit", "wait": 1}}]}, "responses[0].error.wait"),
        ({"responses": [{"error": {"kind": "explosion"}}]}, "explosion"),
        ({"responses": [{"for": "nobody"}]}, "nobody"),
        ({"responses": [{"chunk": 0}]}, "responses[0].chunk"),
        ({"responses": [{"delay_ms": -1}]}, "responses[0].delay_ms"),
        ({"responses": [{"text": 3}]}, "responses[0].text"),
        ({"responses": [{"tool_calls": [{"input": {}}]}]}, "responses[0].tool_calls[0].name"),
        ({"responses": {}}, "responses"),
        ({"responses": ["x"]}, "responses[0]"),
        ([], "the file"),
    ],
)
def test_what_is_wrong_is_named(tmp_path: Path, content: Any, named: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(json.dumps(content))
    with pytest.raises(UsageError) as caught:
        ScriptedModel(path)
    assert str(path) in caught.value.message and named in caught.value.message


@pytest.mark.parametrize("content", ["{", "", "[" * 100_000])
def test_no_json(tmp_path: Path, content: str) -> None:
    path = tmp_path / "script.json"
    path.write_text(content)
    with pytest.raises(UsageError, match="not JSON"):
        ScriptedModel(path)


def test_no_file(tmp_path: Path) -> None:
    with pytest.raises(UsageError) as caught:
        ScriptedModel(tmp_path / "absent.json")
    assert "absent.json" in caught.value.message
