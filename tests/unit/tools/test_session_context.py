from __future__ import annotations

import asyncio
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError, ProviderError, ToolError
from desktop.sessions.store import SessionStore
from desktop.sessions.transcript import LoadedTranscript
from desktop.tools.base import Outcome
from desktop.tools.distil import CHUNK, chosen, chunks_of
from desktop.tools.registry import build_tools
from desktop.tools.session_context import ReadSessionContextTool, read_session
from tests.unit.sessions.make import KEY, filled, message, new_handle, store_in
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
    chunks = chunks_of(snippets_of(loaded.live))
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
