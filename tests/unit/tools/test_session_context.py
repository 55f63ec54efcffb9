from __future__ import annotations

import asyncio
import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.agent.distil import distil_with
from desktop.base.errors import NotFoundError, ProviderError, ToolError
from desktop.providers.base import ModelInfo
from desktop.providers.scripted import ScriptedModel
from desktop.sessions.all_sessions import AllSessions
from desktop.sessions.store import SessionStore
from desktop.sessions.transcript import LoadedTranscript
from desktop.tools import session_context
from desktop.tools.base import Outcome
from desktop.tools.distil import CHUNK, chosen, chunks_of, cited_numbers
from desktop.tools.registry import build_tools
from desktop.tools.session_context import ReadSessionContextTool, read_session
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import KEY, filled, message, new_handle, store_in
from tests.unit.sessions.test_foreign import World, transcript
from tests.unit.tools.conftest import Bench, finish


class Asked:
    """A model that answers by a function of the prompt; keeps what it was asked."""

    def __init__(self, answer: Callable[[str], str]) -> None:
        self._answer = answer
        self.prompts: list[str] = []
        self.limits: list[int] = []

    async def __call__(self, prompt: str, *, system: str, max_output_tokens: int) -> str:
        assert "untrusted data" in system
        self.prompts.append(prompt)
        self.limits.append(max_output_tokens)
        return self._answer(prompt)


@pytest.fixture
def sessions(tmp_path: Path) -> SessionStore:
    return store_in(tmp_path / "profile")


def talk(sessions: SessionStore, *texts: str, key: str = KEY) -> str:
    handle = new_handle(sessions, key=key)
    for number, text in enumerate(texts):
        handle.append(message(text, "assistant" if number % 2 else "user", number=number))
    handle.close()
    return handle.id


def long_talk(sessions: SessionStore) -> str:
    return talk(sessions, *[f"topic{n} " + "filler words " * 200 for n in range(60)], "the port is 5433", "noted")


def call(bench: Bench, tool: ReadSessionContextTool, session_id: str, query: str = "port", **more: object) -> Outcome:
    return bench.run(tool, sessionId=session_id, query=query, **more)


def test_the_local_extract_with_citations(bench: Bench, sessions: SessionStore) -> None:
    session_id = talk(sessions, "我们决定使用端口5433", "好的，端口5433", "and the database is postgres", "yes")
    outcome = call(bench, ReadSessionContextTool(sessions, KEY), f"#{session_id}", "端口")
    assert "5433" in outcome.output
    assert "untrusted" in outcome.output
    assert outcome.data is not None
    assert (outcome.data["status"], outcome.data["source"]) == ("success", "local")
    assert [c["message"] for c in outcome.data["citations"]] == [1, 2]


def test_own_sessions_are_free_and_others_ask(bench: Bench, sessions: SessionStore) -> None:
    own, other = talk(sessions, "a"), talk(sessions, "a", key="other-0123456789abcdef")
    tool = ReadSessionContextTool(sessions, KEY)
    assert bench.decide(bench.prepare(tool, sessionId=own, query="q"), "plan").rule == "session.own"
    asked = bench.prepare(tool, sessionId=other, query="q")
    assert bench.decide(asked).rule == "session.foreign"
    assert "/srv/demo" in bench.decide(asked).reason


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({"query": "q" * 4_001}, "`query` may have at most 4,000 characters, but has 4,001"),
        ({"maxTokens": 12_001}, "`maxTokens` must lie between 1 and 12,000"),
        ({"maxTokens": 0}, "`maxTokens` must lie between 1 and 12,000"),
        ({"strategy": "all"}, "`strategy` must be one of relevant, handoff"),
        ({"sessionId": "sess_x"}, "`sessionId` must be sess_ and 26 characters"),
        ({"sessionId": "../../etc"}, "`sessionId` must be sess_"),
        ({"query": " "}, "`query` must not be empty"),
    ],
)
def test_limits_are_named(bench: Bench, sessions: SessionStore, arguments: dict[str, object], text: str) -> None:
    given: dict[str, object] = {"sessionId": "sess_" + "0" * 26, "query": "q"}
    with pytest.raises(ToolError) as caught:
        bench.prepare(ReadSessionContextTool(sessions, KEY), **(given | arguments))
    assert text in caught.value.message


def test_an_unknown_session_is_said(bench: Bench, sessions: SessionStore) -> None:
    with pytest.raises(NotFoundError, match="There is no session"):
        bench.prepare(ReadSessionContextTool(sessions, KEY), sessionId="sess_" + "0" * 26, query="q")
    result = asyncio.run(read_session(sessions, "sess_" + "0" * 26, "q", "relevant", 6_000))
    assert (result.status, result.source) == ("not_found", "none")


def test_a_session_that_went_away_meanwhile(bench: Bench, sessions: SessionStore) -> None:
    session_id = talk(sessions, "a")
    prepared = bench.prepare(ReadSessionContextTool(sessions, KEY), sessionId=session_id, query="q")
    sessions.trash(session_id)
    with pytest.raises(ToolError, match="does not exist any more"):
        finish(prepared)


# --- distillation ---------------------------------------------------------------------------------------------------------


def test_a_short_session_is_asked_whole_and_not_merged(bench: Bench, sessions: SessionStore) -> None:
    session_id = talk(sessions, "the port is 5433", "noted", "the database is postgres", "good")
    ask = Asked(lambda prompt: "The port is 5433 [1].")
    outcome = call(bench, ReadSessionContextTool(sessions, KEY, ask), session_id)
    assert len(ask.prompts) == 1
    assert "the database is postgres" in ask.prompts[0]
    assert ask.limits == [2_500]
    assert outcome.data is not None
    assert outcome.data["source"] == "lite"
    assert [c["message"] for c in outcome.data["citations"]] == [1]
    assert "The port is 5433 [1]." in outcome.output
    assert "postgres" not in outcome.output


@pytest.mark.parametrize(("tokens", "limit"), [(1_000, 800), (4_000, 2_000), (12_000, 2_500)])
def test_the_output_of_a_chunk_is_bounded(bench: Bench, sessions: SessionStore, tokens: int, limit: int) -> None:
    ask = Asked(lambda prompt: "x")
    call(bench, ReadSessionContextTool(sessions, KEY, ask), talk(sessions, "port"), maxTokens=tokens)
    assert ask.limits == [limit]


def test_a_long_session_is_asked_in_chunks_and_merged(bench: Bench, sessions: SessionStore) -> None:
    ask = Asked(lambda prompt: "merged [61]" if "Part 1:" in prompt else "part [1]" if "topic" in prompt else "NO_RELEVANT_CONTEXT")
    session_id = long_talk(sessions)
    outcome = call(bench, ReadSessionContextTool(sessions, KEY, ask), session_id)
    assert 3 <= len(ask.prompts) <= 6
    assert all(len(prompt) < CHUNK + 3_000 for prompt in ask.prompts)
    assert "the port is 5433" in ask.prompts[-2]
    assert ask.limits[-1] == 6_000
    assert "merged [61]" in outcome.output


def test_the_sentinel_drops_a_chunk_in_any_case(bench: Bench, sessions: SessionStore) -> None:
    ask = Asked(lambda prompt: "found [61]" if "5433" in prompt else "  no_relevant_context\n")
    outcome = call(bench, ReadSessionContextTool(sessions, KEY, ask), long_talk(sessions))
    assert not any("Part 1:" in prompt for prompt in ask.prompts)
    assert "found [61]" in outcome.output


def _fails(_prompt: str) -> str:
    raise ProviderError("overloaded", "The model is busy.")


@pytest.mark.parametrize("answer", [lambda _: "NO_RELEVANT_CONTEXT", lambda _: "  ", _fails])
def test_the_local_extract_is_the_way_back(bench: Bench, sessions: SessionStore, answer: Callable[[str], str]) -> None:
    session_id = talk(sessions, "the port is 5433", "noted")
    outcome = call(bench, ReadSessionContextTool(sessions, KEY, Asked(answer)), session_id)
    assert outcome.data is not None
    assert outcome.data["source"] == "fallback"
    assert "the port is 5433" in outcome.output


def test_a_distillation_keeps_the_budget_and_hides_secrets(bench: Bench, sessions: SessionStore) -> None:
    key = "sk-" + "ant-" + "a1B2" * 8
    ask = Asked(lambda prompt: f"The key is {key}. " + "word " * 20_000)
    outcome = call(bench, ReadSessionContextTool(sessions, KEY, ask), talk(sessions, "port"), maxTokens=1_000)
    assert outcome.data is not None
    assert outcome.data["tokens"] <= 1_000
    assert key not in outcome.output


def test_chunks_end_with_messages_and_the_last_is_always_chosen(sessions: SessionStore) -> None:
    from desktop.sessions.context import snippets_of

    loaded: LoadedTranscript = sessions.load(long_talk(sessions))
    chunks = list(chunks_of(snippets_of(loaded.live)))
    assert len(chunks) > 5
    assert all(len(chunk.text) <= CHUNK for chunk in chunks)
    taken = chosen(chunks, "topic3")
    assert chunks[-1] in taken
    assert chunks[0] in taken
    assert len(taken) == 5
    assert [c.last for c in taken] == sorted(c.last for c in taken)


def test_the_registry_has_the_seven_tools(sessions: SessionStore) -> None:
    tools = build_tools(sessions, KEY)
    assert list(tools) == ["Read", "Write", "Edit", "Glob", "Grep", "Bash", "ReadSessionContext"]
    inputs = {name: list(tool.spec.parameters["properties"]) for name, tool in tools.items()}
    assert inputs == {
        "Read": ["file_path", "offset", "limit"],
        "Write": ["file_path", "content"],
        "Edit": ["file_path", "old_string", "new_string", "replace_all"],
        "Glob": ["pattern", "path"],
        "Grep": ["pattern", "path", "glob", "output_mode", "-i", "-n", "head_limit"],
        "Bash": ["command", "timeout", "description", "run_in_background"],
        "ReadSessionContext": ["sessionId", "query", "strategy", "maxTokens"],
    }
    for tool in tools.values():
        assert tool.spec.parameters["additionalProperties"] is False
        assert all(value["description"] for value in tool.spec.parameters["properties"].values())


def test_handoff_reads_the_end(sessions: SessionStore) -> None:
    handle = new_handle(sessions)
    filled(handle, 4)
    handle.close()
    assert asyncio.run(read_session(sessions, handle.id, "message", "handoff", 500)).status == "success"


# --- what is given to the model, and what it may cite ---------------------------------------------------------------------


def test_up_to_80000_characters_are_asked_in_one_piece() -> None:
    from desktop.sessions.context import Snippet, entry_of

    def snippets(count: int, size: int) -> list[Snippet]:
        empty = len(entry_of(Snippet(10_000, "user", "t", "")))
        return [Snippet(10_000 + n, "user", "t", "x" * (size - empty)) for n in range(count)]

    assert [len(chunk.text) for chunk in chunks_of(snippets(80, 1_000))] == [80_000]
    pieces = list(chunks_of([*snippets(80, 1_000), *snippets(1, 100)]))
    assert [len(chunk.text) for chunk in pieces] == [28_000, 28_000, 24_100]
    assert [chunk.last for chunk in pieces[:2]] == [10_027, 10_055]
    assert [len(chunk.text) for chunk in chunks_of(snippets(200, 1_000))] == [28_000] * 7 + [4_000]
    assert [len(chunk.text) for chunk in chunks_of([*snippets(1, 50_000), *snippets(1, 50_000)])] == [CHUNK, CHUNK]
    assert list(chunks_of([])) == []


def test_the_best_four_chunks_and_the_last_are_read_in_order(bench: Bench, sessions: SessionStore) -> None:
    texts = [("the needle " * (n % 7) if n < 50 else "") + "filler words " * 220 for n in range(90)]
    ask = Asked(lambda prompt: "NO_RELEVANT_CONTEXT")
    session_id = talk(sessions, *texts)
    call(bench, ReadSessionContextTool(sessions, KEY, ask), session_id, query="needle")
    firsts = [int(re.search(r"^\[(\d+)\] ", prompt, re.MULTILINE)[1]) for prompt in ask.prompts]  # type: ignore[index]
    assert len(ask.prompts) == 5 and firsts == sorted(firsts) and "[90] " in ask.prompts[-1]


@pytest.mark.parametrize(
    ("text", "numbers"),
    [
        ("a [12].", {12}),
        ("a [1, 2] b [3][4] c 【5】［6］", {1, 2, 3, 4, 5, 6}),
        ("a [7-9], [message 11], [消息 12、13], [#14]", {7, 8, 9, 11, 12, 13, 14}),
        ("[1 and 3] [90-10] [1–4000]", {1, 3, 90, 10, 4_000}),
        ("array[i], [x], list[0]: no", {0}),
        ("[12345678]", set()),
    ],
)
def test_message_numbers_in_an_answer(text: str, numbers: set[int]) -> None:
    assert cited_numbers(text) == numbers


def test_only_messages_that_the_model_was_given_are_cited(bench: Bench, sessions: SessionStore) -> None:
    ask = Asked(lambda prompt: "It is so [1], and [99] says it too. [2]")
    outcome = call(bench, ReadSessionContextTool(sessions, KEY, ask), talk(sessions, "port", "yes", "unrelated"))
    assert outcome.data is not None and [c["message"] for c in outcome.data["citations"]] == [1, 2]


@pytest.mark.parametrize("answer", ["`NO_RELEVANT_CONTEXT`", '"no_relevant_context".', "**NO_RELEVANT_CONTEXT**\n"])
def test_the_sentinel_in_quotes_is_one_too(bench: Bench, sessions: SessionStore, answer: str) -> None:
    outcome = call(bench, ReadSessionContextTool(sessions, KEY, Asked(lambda _: answer)), talk(sessions, "port"))
    assert outcome.data is not None and outcome.data["source"] == "fallback"


def test_a_model_that_takes_longer_than_five_minutes_is_given_up(sessions: SessionStore, monkeypatch: pytest.MonkeyPatch) -> None:
    assert session_context.SECONDS == 300.0
    monkeypatch.setattr(session_context, "SECONDS", 0.2)

    async def never(prompt: str, *, system: str, max_output_tokens: int) -> str:
        await asyncio.Event().wait()
        return prompt

    result = asyncio.run(read_session(sessions, talk(sessions, "port 5433"), "port", "relevant", 1_000, never))
    assert (result.status, result.source) == ("success", "fallback") and "5433" in result.text


def test_without_anything_readable_no_model_is_asked(sessions: SessionStore) -> None:
    handle = new_handle(sessions)
    handle.append(message("hidden", origin="app"))
    handle.close()
    ask = Asked(lambda _: "x")
    result = asyncio.run(read_session(sessions, handle.id, "q", "relevant", 1_000, ask))
    assert (result.status, result.source, ask.prompts) == ("success", "local", [])


class Small(ScriptedModel):
    """The same, as an embedded one says of itself."""

    @property
    def info(self) -> ModelInfo:
        return replace(super().info, small=True)


def test_a_small_model_is_never_asked_to_condense(tmp_path: Path) -> None:
    path = tmp_path / "script.json"
    path.write_text('{"responses": [{"text": "x"}]}', encoding="utf-8")
    assert distil_with(ScriptedModel(path), "sess_x", FixedClock()) is not None
    assert distil_with(Small(path), "sess_x", FixedClock()) is None


# --- which sessions -------------------------------------------------------------------------------------------------------


def test_all_keys_of_a_project_are_its_own(bench: Bench, sessions: SessionStore) -> None:
    before, other = talk(sessions, "a", key="moved-0123456789abcdef"), talk(sessions, "a", key="other-0123456789abcdef")
    tool = ReadSessionContextTool(sessions, lambda: (KEY, "moved-0123456789abcdef"))
    assert bench.decide(bench.prepare(tool, sessionId=before, query="q"), "plan").rule == "session.own"
    assert bench.decide(bench.prepare(tool, sessionId=other, query="q")).rule == "session.foreign"


def test_a_session_of_another_tool_is_read_and_scoped_by_its_folder(bench: Bench, sessions: SessionStore, tmp_path: Path) -> None:
    world = World(tmp_path)
    transcript(world.home / "-srv-app" / "one.jsonl", "one", "我们用哪个端口？", "端口是 5433", "thanks")
    transcript(world.home / "-srv-else" / "two.jsonl", "two", "the port", "is 8000", cwd="/srv/else")
    foreign = world.sessions()
    foreign.refresh()
    own, elsewhere = sorted(foreign.list(), key=lambda one: one.workspace)
    tool = ReadSessionContextTool(AllSessions(sessions, foreign), "app-1")
    outcome = call(bench, tool, own.id, query="端口")
    assert outcome.data is not None and [c["message"] for c in outcome.data["citations"]] == [1, 2] and "5433" in outcome.output
    asked = bench.decide(bench.prepare(tool, sessionId=elsewhere.id, query="q"))
    assert asked.rule == "session.foreign" and "/srv/else" in asked.reason


def test_a_damaged_session_says_so(bench: Bench, sessions: SessionStore) -> None:
    session_id = talk(sessions, "a")
    sessions.path_of(session_id).write_bytes(b"\0" * 500)
    with pytest.raises(ToolError, match="damaged"):
        finish(bench.prepare(ReadSessionContextTool(sessions, KEY), sessionId=session_id, query="q"))


def test_no_secret_goes_to_the_model_not_even_half_of_one(bench: Bench, sessions: SessionStore) -> None:
    key = "sk-" + "ant-" + "a1B2" * 12
    texts = ["word " * 594 + key + " more words" * 400, "port " + key, *["filler words " * 200] * 50]
    ask = Asked(lambda prompt: "x")
    call(bench, ReadSessionContextTool(sessions, KEY, ask), talk(sessions, *texts), query="word port")
    assert ask.prompts and not any(key[:10] in prompt for prompt in ask.prompts)
