"""The agent loop on real services: what is recorded, asked, retried, limited, cut, interrupted and remembered."""

from __future__ import annotations

import asyncio
import json
import os
from collections.abc import AsyncIterator, Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.base.errors import UsageError
from desktop.memory.identity import set_memory_switch
from desktop.messages.events import (
    ApprovalAnswer,
    ApprovalRequest,
    MemoryLoaded,
    MemorySaved,
    Notice,
    StepStarted,
    StreamEvent,
    TextDelta,
    ToolFinished,
    TurnEnded,
    UsageUpdated,
)
from desktop.providers.base import Model, ModelRequest
from tests.helpers.agent import Desk, run
from tests.helpers.script import call
from tests.helpers.wait import within

NOTE = "---\nname: package-manager\ndescription: bun is the package manager\nmetadata:\n  type: project\n---\n\nWe use bun.\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    yield Desk(tmp_path)


def test_a_plain_answer(desk: Desk) -> None:
    async def scenario() -> TurnEnded:
        session = desk.session({"text": "Hello there", "chunk": 3, "usage": {"input_tokens": 12, "output_tokens": 3}})
        ended = await desk.turn(session, "hi")
        await session.close()
        return ended

    ended = run(scenario)
    assert ended.stop == "end"
    assert ended.usage.input_tokens == 12
    assert "".join(e.text for e in desk.of(TextDelta)) == "Hello there"
    loaded = desk.services.sessions.load(desk.services.sessions.list()[0].id)
    assert [(m.role, m.text) for m in loaded.live] == [("user", "hi"), ("assistant", "Hello there")]
    assert desk.of(UsageUpdated)[-1].context_tokens == 15


def test_a_tool_error_goes_back_to_the_model(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session(
            {"tool_calls": [call("Read", file_path="nothing.txt"), call("Fly", to="the moon")]},
            {"tool_calls": [{"name": "Read", "input": "{not json"}]},
            {"text": "I see."},
        )
        assert (await desk.turn(session, "read it")).stop == "end"
        await session.close()

    run(scenario)
    results = [e.result for e in desk.of(ToolFinished)]
    assert [r.status for r in results] == ["error", "error", "error"]
    assert "nothing.txt" in results[0].output
    assert "Fly" in results[1].output
    assert "no JSON object" in results[2].output
    sent = json.dumps(desk.bodies()[-1]["messages"])
    assert "nothing.txt" in sent
    assert "Fly" in sent


def test_writing_asks_and_a_no_is_a_result(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"tool_calls": [call("Write", file_path="a.txt", content="x")]}, {"text": "ok"})
        await desk.turn(session, "write")
        await session.close()

    run(scenario)
    assert desk.asked[0].target == str(desk.workspace_folder / "a.txt")
    assert desk.asked[0].content == "x"
    assert desk.of(ToolFinished)[0].result.status == "denied"
    assert not (desk.workspace_folder / "a.txt").exists()


def test_a_yes_for_the_session_holds_for_the_same_command(desk: Desk) -> None:
    desk.answer = "session"

    async def scenario() -> None:
        command = call("Bash", command="echo hi > made.txt")
        session = desk.session({"tool_calls": [command]}, {"tool_calls": [command]}, {"text": "ok"})
        await desk.turn(session, "go")
        await session.close()

    run(scenario)
    assert len(desk.of(ApprovalRequest)) == 1
    assert [e.result.status for e in desk.of(ToolFinished)] == ["ok", "ok"]
    assert (desk.workspace_folder / "made.txt").read_text() == "hi\n"


def test_remember_writes_without_asking_and_the_next_session_knows(desk: Desk) -> None:
    async def first() -> None:
        path = str(desk.workspace.project.memory_root / "package-manager.md")
        session = desk.session({"tool_calls": [call("Write", file_path=path, content=NOTE)]}, {"text": "Noted."})
        await desk.turn(session, "Remember: our package manager is bun")
        await session.close()

    async def second() -> None:
        session = desk.session({"text": "bun"}, name="second.json")
        await desk.turn(session, "Which package manager do we use?")
        await session.close()

    run(first)
    assert desk.asked == []
    assert desk.of(MemorySaved)[0].paths == ("package-manager.md",)
    saved = (desk.workspace.project.memory_root / "package-manager.md").read_text(encoding="utf-8")
    assert "originSessionId: sess_" in saved
    assert "package-manager.md" in (desk.workspace.project.memory_root / "MEMORY.md").read_text(encoding="utf-8")
    run(second)
    body = desk.bodies()[-1]
    assert str(desk.workspace.project.memory_root) in body["system"]
    assert "package-manager.md" in json.dumps(body["messages"][0])
    assert desk.of(MemoryLoaded)[-1].report["entries"] == 1


def test_what_was_written_reaches_the_next_turn_as_a_delta_and_is_not_stored(desk: Desk) -> None:
    async def scenario() -> None:
        path = str(desk.workspace.project.memory_root / "package-manager.md")
        session = desk.session({"tool_calls": [call("Write", file_path=path, content=NOTE)]}, {"text": "Noted."}, {"text": "bun"})
        await desk.turn(session, "Remember: our package manager is bun")
        await desk.turn(session, "And which one is it?")
        await session.close()

    run(scenario)
    last = json.dumps(desk.bodies()[-1]["messages"][-1], ensure_ascii=False)
    assert "memory-changes" in last
    assert "package-manager.md" in last
    assert desk.bodies()[0]["system"] == desk.bodies()[-1]["system"]
    loaded = desk.services.sessions.load(desk.services.sessions.list()[0].id)
    assert all("memory-changes" not in m.text for m in loaded.messages)


def test_memory_off_sends_nothing_of_it(desk: Desk) -> None:
    (desk.workspace.project.memory_root / "a.md").write_text(NOTE, encoding="utf-8")
    (desk.workspace.project.memory_root / "MEMORY.md").write_text("- [a](a.md) — bun\n", encoding="utf-8")
    set_memory_switch(desk.workspace.project, False, desk.services.clock)

    async def scenario() -> None:
        session = desk.session({"text": "no idea"})
        await desk.turn(session, "Which package manager do we use?")
        await session.close()

    run(scenario)
    text = json.dumps(desk.bodies()[0], ensure_ascii=False)
    assert str(desk.workspace.project.memory_root) not in text
    assert "memor" not in desk.bodies()[0]["system"].replace(str(desk.workspace_folder), "").lower()
    assert "bun" not in text
    assert desk.of(MemoryLoaded) == []


def test_an_open_session_keeps_its_memory_until_the_switch_is_applied(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "1"}, {"text": "2"}, {"text": "3"})
        await desk.turn(session, "one")
        set_memory_switch(desk.workspace.project, False, desk.services.clock)
        await desk.turn(session, "two")
        session.apply_memory_switch()
        await desk.turn(session, "three")
        await session.close()

    run(scenario)
    assert ["# Memory" in body["system"] for body in desk.bodies()] == [True, True, False]


def test_retries_follow_the_server_and_say_so(desk: Desk) -> None:
    async def scenario() -> TurnEnded:
        session = desk.session(
            {"text": "half an answer", "error": {"kind": "cut", "after_chars": 4, "retry_after_s": 0}},
            {"error": {"kind": "rate_limit", "retry_after_s": 0}},
            {"text": "whole"},
        )
        ended = await desk.turn(session, "hi")
        await session.close()
        return ended

    assert run(scenario).stop == "end"
    assert [n.code for n in desk.of(Notice)] == ["provider.retry", "provider.retry"]
    assert len(desk.of(StepStarted)) == 3
    loaded = desk.services.sessions.load(desk.services.sessions.list()[0].id)
    assert [m.text for m in loaded.live] == ["hi", "whole"]


def test_an_error_that_cannot_be_retried_ends_the_turn_and_keeps_the_message(desk: Desk) -> None:
    async def scenario() -> TurnEnded:
        session = desk.session({"error": {"kind": "auth", "message": "wrong key"}})
        ended = await desk.turn(session, "hi")
        await session.close()
        return ended

    ended = run(scenario)
    assert ended.stop == "error"
    assert ended.error is not None
    assert ended.error["message"] == "wrong key"
    assert [m.text for m in desk.services.sessions.load(desk.services.sessions.list()[0].id).live] == ["hi"]


def test_the_step_limit_stops_the_turn(desk: Desk) -> None:
    desk.services.settings.set("agent.max_steps", 2)

    async def scenario() -> TurnEnded:
        look = {"tool_calls": [call("Glob", pattern="*")]}
        session = desk.session(look, look, look, {"text": "never"})
        ended = await desk.turn(session, "look")
        await session.close()
        return ended

    ended = run(scenario)
    assert ended.stop == "limit"
    assert ended.error is not None
    assert "2 steps" in ended.error["message"]
    assert len(desk.of(ToolFinished)) == 2


def test_the_time_limit_stops_a_slow_answer_and_keeps_what_came(desk: Desk) -> None:
    desk.services.settings.set("agent.max_seconds", 1)

    async def scenario() -> TurnEnded:
        session = desk.session({"text": "x" * 400, "chunk": 1, "delay_ms": 10})
        ended = await desk.turn(session, "hi")
        await session.close()
        return ended

    ended = run(scenario)
    assert ended.stop == "limit"
    last = desk.services.sessions.load(desk.services.sessions.list()[0].id).live[-1]
    assert last.stop == "interrupted"
    assert set(last.text) == {"x"}


def test_cancel_leaves_no_orphan_and_keeps_the_partial_answer(desk: Desk) -> None:
    desk.answer = "once"

    async def scenario() -> TurnEnded:
        session = desk.session({"text": "wait", "tool_calls": [call("Bash", "c1", command="sleep 60"), call("Read", "c2", file_path="x")]})
        task = asyncio.create_task(desk.turn(session, "go"))
        while not desk.asked:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.1)
        task.cancel()
        ended = await task
        await session.close()
        return ended

    assert run(scenario).stop == "interrupted"
    live = desk.services.sessions.load(desk.services.sessions.list()[0].id).live
    results = {r.call_id: r.status for m in live for r in m.tool_results}
    assert results == {"c1": "interrupted", "c2": "interrupted"}


def test_a_killed_turn_is_completed_on_resume(desk: Desk) -> None:
    """The process died between the call and its result: the next turn sends an interrupted result, not an orphan."""
    from desktop.base.ids import new_message_id
    from desktop.messages.parts import Message, TextPart, ToolCallPart

    now = desk.services.clock.now()
    session = desk.session()
    user = Message(new_message_id(now), "user", (TextPart("go"),), now)
    session.handle.append(user)
    session.handle.append(Message(new_message_id(now), "assistant", (ToolCallPart("c9", "Bash", {"command": "x"}),), now, user.id, "model"))
    run(session.close)

    async def scenario() -> None:
        again = desk.services.resume(session.id, model_id=desk.script({"text": "on we go"}, name="again.json"))
        assert (await desk.turn(again, "go on")).stop == "end"
        await again.close()

    run(scenario)
    roles = [m["role"] for m in desk.bodies()[0]["messages"] if m["origin"] != "app"]
    assert roles == ["user", "assistant", "tool", "user"]
    assert "interrupted" in json.dumps(desk.bodies()[0]["messages"])


def test_old_outputs_are_left_out_and_then_a_new_session_is_proposed(desk: Desk) -> None:
    (desk.workspace_folder / "big.txt").write_text("word " * 4_000, encoding="utf-8")
    desk.services.settings.set("model.max_output_tokens", 1000)

    async def scenario() -> TurnEnded:
        look = {"tool_calls": [call("Read", file_path="big.txt")]}
        session = desk.session(*[look] * 9, {"text": "done"}, context_window=40_000)
        await desk.turn(session, "read")
        ended = await desk.turn(session, "y" * 160_000)
        await session.close()
        return ended

    ended = run(scenario)
    assert "context.outputs_cut" in [n.code for n in desk.of(Notice)]
    assert ended.stop == "limit"
    assert ended.error is not None
    assert "#sess_" in ended.error["hint"]
    loaded = desk.services.sessions.load(desk.services.sessions.list()[0].id)
    assert all("left out" not in r.output for m in loaded.messages for r in m.tool_results)


@pytest.mark.parametrize(
    ("answer", "false_claim"),
    [
        ("I have saved this to memory.", True),
        ("I've updated the memory file with it.", True),
        ("I'll remember that.", True),
        ("Saved to memory!", True),
        ("我已经把它保存到记忆中。", True),
        ("好的，我会记住。", True),
        ("I read the file; it uses a lot of memory.", False),
        ("I will add the function to the parser.", False),
        ("这个程序占用的内存已经减少。", False),
    ],
)
def test_a_claim_without_a_write_is_said(desk: Desk, answer: str, false_claim: bool) -> None:
    async def scenario() -> None:
        session = desk.session({"text": answer})
        await desk.turn(session, "go on")
        await session.close()

    run(scenario)
    assert [n.code for n in desk.of(Notice)] == (["memory.not_saved"] if false_claim else [])


def test_a_reference_adds_a_reminder_that_is_not_stored(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "ok"})
        await desk.turn(session, "look at #sess_01aaaaaaaaaaaaaaaaaaaaaaaa please")
        await session.close()

    run(scenario)
    assert "ReadSessionContext" in json.dumps(desk.bodies()[0]["messages"][-1])
    loaded = desk.services.sessions.load(desk.services.sessions.list()[0].id)
    assert [m.origin for m in loaded.live] == ["person", "model"]


def test_two_turns_at_once_are_refused(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "x" * 100, "delay_ms": 5, "chunk": 1})
        task = asyncio.create_task(desk.turn(session, "one"))
        await asyncio.sleep(0.05)
        with pytest.raises(UsageError):
            await desk.turn(session, "two")
        task.cancel()
        await task
        await session.close()

    run(scenario)


def test_with_memory_off_no_part_of_the_request_speaks_of_it(desk: Desk) -> None:
    desk.services.settings.set("features.memory", False)

    async def scenario() -> None:
        session = desk.session({"text": "ok"})
        await desk.turn(session, "hi")
        await session.close()

    run(scenario)
    body = json.dumps(desk.bodies()[0], ensure_ascii=False).replace(str(desk.folder), "")
    assert "memor" not in body.lower()


def test_the_memory_folder_of_the_environment_is_read_and_written(tmp_path: Path) -> None:
    chosen = tmp_path / "chosen"
    chosen.mkdir()
    (chosen / "MEMORY.md").write_text("- [Code word](code-word.md) — heron\n", encoding="utf-8")
    desk = Desk(tmp_path, {"KEEPSAKE_MEMORY_DIR": str(chosen)})

    async def scenario() -> None:
        write = {"tool_calls": [call("Write", file_path=str(chosen / "package-manager.md"), content=NOTE)]}
        session = desk.session(write, {"text": "ok"})
        await desk.turn(session, "Remember: bun")
        await session.close()

    run(scenario)
    body = desk.bodies()[0]
    assert str(chosen) in body["system"]
    assert "heron" in json.dumps(body["messages"])
    assert (chosen / "package-manager.md").is_file()
    assert desk.asked == []


def test_each_request_names_how_long_the_answer_may_be(desk: Desk) -> None:
    """0 in the settings takes the model's own limit; a provider refuses a request for no tokens."""

    async def scenario() -> None:
        session = desk.session({"text": "ok"}, {"text": "ok"})
        await desk.turn(session, "hi")
        desk.services.settings.set("model.max_output_tokens", 700)
        await desk.turn(session, "again")
        await session.close()

    run(scenario)
    assert [body["max_output_tokens"] for body in desk.bodies()] == [8_192, 700]


def test_calls_with_the_same_id_are_told_apart(desk: Desk) -> None:
    (desk.workspace_folder / "a.txt").write_text("alpha", encoding="utf-8")
    (desk.workspace_folder / "b.txt").write_text("beta", encoding="utf-8")

    async def scenario() -> None:
        one, two = ({"id": "c1", **call("Read", file_path=name)} for name in ("a.txt", "b.txt"))
        session = desk.session({"tool_calls": [one, two]}, {"tool_calls": [one]}, {"text": "ok"})
        assert (await desk.turn(session, "read both, then one again")).stop == "end"
        await session.close()

    run(scenario)
    parts = [part for message in desk.bodies()[-1]["messages"] for part in message["parts"]]
    calls = [part["id"] for part in parts if part["kind"] == "tool_call"]
    results = {part["call_id"]: part["output"] for part in parts if part["kind"] == "tool_result"}
    assert calls[0] == "c1"
    assert len(set(calls)) == 3
    assert [results[call_id].split("\t")[1] for call_id in calls] == ["alpha", "beta", "alpha"]


def test_an_empty_answer_is_said(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": " \n"}, {"text": "ok"})
        await desk.turn(session, "hi")
        await desk.turn(session, "again")
        await session.close()

    run(scenario)
    assert [e.code for e in desk.of(Notice)] == ["response.empty"]


def test_a_server_that_wants_a_long_wait_ends_the_turn_and_names_the_time(desk: Desk) -> None:
    async def scenario() -> TurnEnded:
        session = desk.session({"error": {"kind": "rate_limit", "retry_after_s": 900}}, {"text": "too early"})
        ended = await desk.turn(session, "hi")
        await session.close()
        return ended

    ended = run(scenario)
    assert ended.stop == "error"
    assert ended.error is not None
    assert "900 s" in ended.error["hint"]


def test_stop_before_the_turn_has_begun_keeps_what_the_person_wrote(desk: Desk) -> None:
    async def scenario() -> TurnEnded:
        session = desk.session({"text": "never asked for"})
        task = asyncio.create_task(desk.turn(session, "my words"))
        await asyncio.sleep(0)
        task.cancel()
        ended = await task
        assert task.cancelling() == 0
        await session.close()
        return ended

    assert run(scenario).stop == "interrupted"
    loaded = desk.services.sessions.load(desk.services.sessions.list()[0].id)
    assert [m.text for m in loaded.live] == ["my words"]
    assert desk.bodies() == []


def test_what_is_read_into_a_session_waits_for_the_end_of_a_turn(desk: Desk) -> None:
    async def scenario() -> list[str]:
        other = desk.session({"text": "the port is 5433"}, name="other.json")
        await desk.turn(other, "which port do we use?")
        await other.close()
        session = desk.session({"tool_calls": [call("Bash", command="true")]}, {"text": "done"})
        asked, answer = asyncio.Event(), asyncio.Event()

        async def approve(request: ApprovalRequest) -> ApprovalAnswer:
            asked.set()
            await answer.wait()
            return ApprovalAnswer("deny")

        turn = asyncio.create_task(session.run("do it", desk.events.append, approve))
        await asked.wait()
        reading = asyncio.create_task(session.read_into(other.id, "port"))
        for _ in range(50):
            await asyncio.sleep(0.001)
        answer.set()
        await turn
        await reading
        roles = [f"{m.role}/{m.origin}" for m in session.messages]
        await session.close()
        return roles

    assert run(scenario) == ["user/person", "assistant/model", "tool/tool", "assistant/model", "user/app"]


def test_a_switch_applied_before_the_first_message_is_kept_with_the_session(desk: Desk) -> None:
    async def scenario() -> str:
        session = desk.session({"text": "ok"})
        set_memory_switch(desk.workspace.project, False, desk.services.clock)
        assert not session.apply_memory_switch().enabled
        await desk.turn(session, "hi")
        await session.close()
        return session.id

    session_id = run(scenario)
    set_memory_switch(desk.workspace.project, True, desk.services.clock)
    resumed = desk.services.resume(session_id)
    assert not resumed.memory_state().enabled
    asyncio.run(resumed.close())


def test_a_broken_project_file_is_said(desk: Desk) -> None:
    desk.workspace.project.project_file.write_text('{"schema": 1, "lab', encoding="utf-8")

    async def scenario() -> None:
        session = desk.session({"text": "ok"}, {"text": "ok"})
        await desk.turn(session, "hi")
        await desk.turn(session, "again")
        await session.close()

    run(scenario)
    said = [e for e in desk.of(Notice) if e.code == "memory.project_unreadable"]
    assert len(said) == 1
    assert str(desk.workspace.project.project_file) in said[0].text


@pytest.mark.parametrize(
    ("index", "status"),
    [
        ("- [a](a.md) — one\n\n\n", "ok"),
        ("<!-- a person's remark -->\n- [a](a.md) — one\n", "error"),
        ("---\nowner: me\n---\n- [a](a.md) — one\n", "error"),
    ],
)
def test_only_an_index_that_was_shown_whole_counts_as_read(desk: Desk, index: str, status: str) -> None:
    path = desk.workspace.project.memory_root / "MEMORY.md"
    path.write_text(index, encoding="utf-8")

    async def scenario() -> None:
        edit = call("Edit", file_path=str(path), old_string="— one", new_string="— two")
        session = desk.session({"tool_calls": [edit]}, {"text": "ok"})
        await desk.turn(session, "mend the line")
        await session.close()

    run(scenario)
    assert [e.result.status for e in desk.of(ToolFinished)] == [status]


def test_instructions_are_only_a_plain_file_of_the_folder_itself(desk: Desk, tmp_path: Path) -> None:
    secret = tmp_path / "elsewhere"
    secret.write_text("a text that never lay in the folder", encoding="utf-8")
    (desk.workspace_folder / "AGENTS.md").symlink_to(secret)
    (desk.workspace_folder / "rules.md").write_text("use tabs", encoding="utf-8")
    (desk.workspace_folder / "CLAUDE.md").symlink_to("rules.md")

    async def scenario() -> None:
        session = desk.session({"text": "ok"})
        await desk.turn(session, "hi")
        await session.close()

    run(scenario)
    sent = json.dumps(desk.bodies()[0])
    assert "never lay in the folder" not in sent
    assert "use tabs" in sent


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
def test_a_pipe_in_the_place_of_instructions_does_not_hang(desk: Desk) -> None:
    os.mkfifo(desk.workspace_folder / "AGENTS.md")

    async def scenario() -> str:
        session = desk.session({"text": "ok"})
        async with within(20):
            ended = await desk.turn(session, "hi")
        await session.close()
        return ended.stop

    assert run(scenario) == "end"


def test_long_instructions_are_cut_at_a_whole_character(desk: Desk) -> None:
    (desk.workspace_folder / "AGENTS.md").write_text("规" * 20_000, encoding="utf-8")

    async def scenario() -> None:
        session = desk.session({"text": "ok"})
        await desk.turn(session, "hi")
        await session.close()

    run(scenario)
    sent = desk.bodies()[0]["messages"][0]["parts"][0]["text"]
    assert sent.count("规") == 32_768 // 3
    assert "\ufffd" not in sent
    assert "cut after 32 KB" in sent


def test_a_message_that_is_too_long_alone_gets_another_way_out(desk: Desk) -> None:
    async def scenario() -> TurnEnded:
        session = desk.session({"text": "never"}, context_window=30_000)
        ended = await desk.turn(session, "字" * 60_000)
        await session.close()
        return ended

    ended = run(scenario)
    assert ended.stop == "limit"
    assert ended.error is not None
    assert "This message alone" in ended.error["message"]
    assert "as a file" in ended.error["hint"]
    assert desk.bodies() == []


def test_a_cost_limit_that_cannot_be_kept_is_said_once(desk: Desk) -> None:
    desk.services.settings.set("agent.max_cost_usd", 1.0)

    async def scenario() -> None:
        session = desk.session({"tool_calls": [call("Glob", pattern="*")]}, {"text": "ok"})
        assert (await desk.turn(session, "hi")).stop == "end"
        await session.close()

    run(scenario)
    assert [e.code for e in desk.of(Notice)] == ["limit.no_price"]


class SmallModel:
    """A model with a short memory for earlier turns, answering from a script."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.info = replace(model.info, small=True, history_tokens=50)

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        return self._model.stream(request)

    async def close(self) -> None:
        await self._model.close()


def test_a_small_model_that_no_longer_gets_everything_is_said_once(desk: Desk) -> None:
    async def scenario() -> list[int]:
        session = desk.session(*({"text": "word " * 60} for _ in range(3)))
        session.model = SmallModel(session.model)
        told = []
        for text in ("one", "two", "three"):
            await desk.turn(session, text)
            told.append(sum(n.code == "context.small_model" for n in desk.of(Notice)))
        await session.close()
        return told

    assert run(scenario) == [0, 1, 1]
