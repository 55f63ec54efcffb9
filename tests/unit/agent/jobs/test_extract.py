"""Extraction on real services: what it may write, when its cursor moves, and that it leaves nothing in the transcript."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path

import pytest

from desktop.agent.jobs.extract import CURSOR, Report, Snapshot
from desktop.agent.session import AgentSession
from desktop.base.locks import held
from desktop.memory.store import ChangeOrigin
from desktop.messages.events import JobChanged, MemorySaved
from tests.helpers.agent import Desk, run
from tests.helpers.script import call
from tests.helpers.wait import within

NOTE = "---\nname: deploys\ndescription: deploys happen on Fridays\nmetadata:\n  type: project\n---\n\nWe deploy on Fridays.\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def _extract(calls: list[dict[str, object]] | None = None, text: str = "") -> dict[str, object]:
    return {"for": "extract", "text": text, "tool_calls": calls or []}


def _note(desk: Desk) -> str:
    return str(desk.workspace.project.memory_root / "deploys.md")


async def _turn_and_extract(desk: Desk, session: AgentSession, text: str = "By the way, we deploy on Fridays") -> Report:
    await desk.turn(session, text)
    return await session.extract_now()


def test_a_fact_is_written_with_its_origin_and_the_cursor_moves(desk: Desk) -> None:
    async def scenario() -> tuple[Report, Report]:
        script = ({"text": "ok"}, _extract([call("Write", file_path=_note(desk), content=NOTE)]), _extract(text="done"))
        session = desk.session(*script)
        first = await _turn_and_extract(desk, session)
        second = await session.extract_now()
        assert session.handle.meta[CURSOR] == session.messages[-1].id
        await session.close()
        return first, second

    first, second = run(scenario)
    assert first == Report("run", None, "success", ("deploys.md",))
    assert second == Report("skip", "no-user-prose")
    change = desk.workspace.store.changes()[0]
    assert change.origin.actor == "extractor"
    assert "deploys.md" in (desk.workspace.project.memory_root / "MEMORY.md").read_text(encoding="utf-8")
    assert [e.actor for e in desk.of(MemorySaved)] == ["extractor"]


def test_nothing_of_it_is_in_the_transcript(desk: Desk) -> None:
    async def scenario() -> str:
        session = desk.session({"text": "ok"}, _extract([call("Write", file_path=_note(desk), content=NOTE)]), _extract(text="saved"))
        await _turn_and_extract(desk, session)
        await session.close()
        return session.id

    loaded = desk.services.sessions.load(run(scenario))
    assert [m.text for m in loaded.messages] == ["By the way, we deploy on Fridays", "ok"]


def test_its_request_holds_history_instruction_and_manifest(desk: Desk) -> None:
    (desk.workspace.project.memory_root / "old.md").write_text(NOTE.replace("deploys", "old", 1), encoding="utf-8")

    async def scenario() -> None:
        session = desk.session({"text": "ok"}, _extract(text="nothing to save"))
        await _turn_and_extract(desk, session)
        await session.close()

    run(scenario)
    body = desk.bodies()[-1]
    assert body["kind"] == "extract"
    assert body["max_output_tokens"] == 5_000
    sent = json.dumps(body["messages"], ensure_ascii=False)
    assert "we deploy on Fridays" in sent
    assert "[project] old.md (" in sent
    assert body["system"] == desk.bodies()[0]["system"]


def test_no_op_moves_the_cursor_so_that_nothing_is_offered_twice(desk: Desk) -> None:
    async def scenario() -> list[Report]:
        session = desk.session({"text": "ok"}, _extract(text="nothing to save"))
        reports = [await _turn_and_extract(desk, session), await session.extract_now()]
        await session.close()
        return reports

    assert run(scenario) == [Report("run", None, "no-op"), Report("skip", "no-user-prose")]


def test_an_error_keeps_the_cursor(desk: Desk) -> None:
    async def scenario() -> tuple[Report, Report]:
        failing = {"for": "extract", "error": {"kind": "auth"}}
        session = desk.session({"text": "ok"}, failing, _extract([call("Write", file_path=_note(desk), content=NOTE)]))
        failed = await _turn_and_extract(desk, session)
        again = await session.extract_now()
        await session.close()
        return failed, again

    failed, again = run(scenario)
    assert failed == Report("run", None, "error")
    assert again.outcome == "success"


def test_it_may_touch_nothing_but_this_memory(desk: Desk) -> None:
    outside = desk.folder / "outside.md"
    outside.write_text("secret plans", encoding="utf-8")

    async def scenario() -> Report:
        calls = [
            call("Write", file_path=str(desk.workspace_folder / "notes.md"), content=NOTE),
            call("Write", file_path=str(outside), content=NOTE),
            call("Bash", command=f"echo x > {desk.workspace_folder / 'made.txt'}"),
            call("Read", file_path=str(outside)),
            call("ReadSessionContext", sessionId="sess_01aaaaaaaaaaaaaaaaaaaaaaaa", query="x"),
        ]
        session = desk.session({"text": "ok"}, _extract(calls), _extract(text="nothing to save"))
        report = await _turn_and_extract(desk, session)
        await session.close()
        return report

    assert run(scenario).written == ()
    assert outside.read_text(encoding="utf-8") == "secret plans"
    assert list(desk.workspace_folder.iterdir()) == []
    assert "secret plans" not in json.dumps(desk.bodies()[-1])


def test_too_little_prose_stays_pending_and_counts_next_time(desk: Desk) -> None:
    async def scenario() -> tuple[Report, Report]:
        session = desk.session({"text": "1"}, {"text": "2"}, _extract(text="nothing to save"))
        short = await _turn_and_extract(desk, session, "好的")
        long = await _turn_and_extract(desk, session, "以后提交信息都用中文写")
        await session.close()
        return short, long

    short, long = run(scenario)
    assert short == Report("skip", "no-user-prose")
    assert long.outcome == "no-op"
    assert "好的" in json.dumps(desk.bodies()[-1], ensure_ascii=False)


def test_what_the_main_agent_wrote_is_named(desk: Desk) -> None:
    async def scenario() -> None:
        write = {"tool_calls": [call("Write", file_path=_note(desk), content=NOTE)]}
        session = desk.session(write, {"text": "noted"}, _extract(text="nothing to save"))
        await _turn_and_extract(desk, session, "Remember that we deploy on Fridays")
        await session.close()

    run(scenario)
    assert "Already written during this conversation, do not repeat it: deploys.md" in desk.bodies()[-1]["messages"][-1]["parts"][0]["text"]


@pytest.mark.parametrize("setting", ["memory.extraction", "memory.write", "features.memory"])
def test_off_is_off(desk: Desk, setting: str) -> None:
    desk.services.settings.set(setting, "off" if setting == "memory.extraction" else False)

    async def scenario() -> Report:
        session = desk.session({"text": "ok"})
        report = await _turn_and_extract(desk, session)
        await session.close()
        return report

    assert run(scenario) == Report("off", "disabled")
    assert [body["kind"] for body in desk.bodies()] == ["main"]


def test_where_one_file_is_all_the_memory_nothing_is_written_beside_it(desk: Desk) -> None:
    """Its folder is read by nobody then, and the file is the person's: each change of it is asked for."""
    desk.services.settings.set("memory.layout", "single")

    async def scenario() -> Report:
        session = desk.session({"text": "ok"})
        report = await _turn_and_extract(desk, session)
        await session.close()
        return report

    assert run(scenario) == Report("off", "no-root")
    assert [body["kind"] for body in desk.bodies()] == ["main"]


def test_in_the_window_it_runs_by_itself_and_says_so(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> None:
        session = desk.session({"text": "ok"}, _extract([call("Write", file_path=_note(desk), content=NOTE)]), _extract(text="done"))
        await desk.turn(session, "We deploy on Fridays")
        async with within(10):
            while not any(e.state == "done" for e in desk.of(JobChanged)):
                await asyncio.sleep(0.01)
        await session.close()

    run(scenario)
    assert [(e.state, e.written) for e in desk.of(JobChanged)] == [("running", ()), ("done", ("deploys.md",))]


def test_headless_does_not_extract_by_itself(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "ok"})
        await desk.turn(session, "We deploy on Fridays")
        await session.close()

    run(scenario)
    assert [body["kind"] for body in desk.bodies()] == ["main"]


def test_closing_cancels_a_run_and_its_work_stays_pending(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> AgentSession:
        session = desk.session({"text": "ok"}, {"for": "extract", "text": "x" * 100_000, "chunk": 1, "delay_ms": 5})
        await desk.turn(session, "We deploy on Fridays")
        async with within(10):
            while not desk.of(JobChanged):
                await asyncio.sleep(0.01)
        async with within(6):
            await session.close()
        return session

    session = run(scenario)
    assert CURSOR not in session.handle.meta
    assert [e.state for e in desk.of(JobChanged)][-1] == "cancelled"


def test_a_session_that_is_left_finishes_what_it_has_to_remember(tmp_path: Path) -> None:
    """The person begins a new chat at once: the old one's fact is not lost."""
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> AgentSession:
        write = _extract([call("Write", file_path=_note(desk), content=NOTE)], text="x" * 100) | {"chunk": 10, "delay_ms": 20}
        session = desk.session({"text": "ok"}, write, _extract(text="done"))
        await desk.turn(session, "We deploy on Fridays")
        async with within(30):
            await session.close(patient=True)
        return session

    session = run(scenario)
    assert (desk.workspace.project.memory_root / "deploys.md").is_file()
    assert CURSOR in session.handle.meta


def test_a_session_that_is_left_can_be_hurried(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> AgentSession:
        session = desk.session({"text": "ok"}, {"for": "extract", "text": "x" * 100_000, "chunk": 1, "delay_ms": 5})
        await desk.turn(session, "We deploy on Fridays")
        closing = asyncio.create_task(session.close(patient=True))
        await asyncio.sleep(0.05)
        assert not closing.done()
        session.hurry()
        async with within(6):
            await closing
        return session

    assert CURSOR not in run(scenario).handle.meta


def test_forgetting_is_a_success_too(desk: Desk) -> None:
    Path(_note(desk)).write_text(NOTE, encoding="utf-8")

    async def scenario() -> Report:
        session = desk.session({"text": "ok"}, _extract([call("Bash", command=f"rm {_note(desk)}")]), _extract(text="done"))
        report = await _turn_and_extract(desk, session, "Forget when we deploy, it changed")
        await session.close()
        return report

    assert run(scenario) == Report("run", None, "success", ())
    assert not Path(_note(desk)).exists()


def test_its_request_names_the_same_tools_as_the_main_one(desk: Desk) -> None:
    """So that the provider's cache of the conversation holds; what is not allowed is refused at the call."""

    async def scenario() -> None:
        read = call("ReadSessionContext", sessionId=desk.services.sessions.list()[0].id, query="anything")
        session = desk.session({"text": "ok"}, _extract([read]), _extract(text="nothing to save"), name="second.json")
        await _turn_and_extract(desk, session)
        await session.close()

    async def before() -> None:
        session = desk.session({"text": "ok"})
        await desk.turn(session, "hi")
        await session.close()

    run(before)
    run(scenario)
    main, first, second = desk.bodies()[-3:]
    assert first["tools"] == main["tools"]
    assert first["system"] == main["system"]
    assert second["messages"][-1]["parts"][0]["status"] == "denied"


def test_a_cancelled_run_says_what_it_had_written_and_keeps_its_messages_pending(desk: Desk) -> None:
    async def scenario() -> Report | None:
        slow = {"for": "extract", "text": "x" * 400, "delay_ms": 50, "chunk": 1}
        session = desk.session({"text": "ok"}, _extract([call("Write", file_path=_note(desk), content=NOTE)]), slow)
        await desk.turn(session, "By the way, we deploy on Fridays")
        job = asyncio.create_task(session.extract_now())
        while not Path(_note(desk)).exists() or len(desk.bodies()) < 3:
            await asyncio.sleep(0.005)
        job.cancel()
        with pytest.raises(asyncio.CancelledError):
            await job
        assert CURSOR not in session.handle.meta
        await session.close()
        return session.report

    assert run(scenario) == Report("run", None, "aborted", ("deploys.md",))


def test_a_cursor_that_cannot_be_saved_is_an_error_and_no_crash(desk: Desk) -> None:
    async def scenario() -> Report:
        session = desk.session({"text": "ok"}, _extract(text="nothing to save"))
        await desk.turn(session, "By the way, we deploy on Fridays")
        session.handle.close()
        report = await session.extract_now()
        await session.close()
        return report

    assert run(scenario) == Report("run", None, "error", ())


# --- the roots, other processes, what was forgotten ------------------------------------------------------------------------


def test_while_another_process_extracts_everything_stays_pending(desk: Desk) -> None:
    async def scenario() -> tuple[Report | None, object, Report]:
        session = desk.session({"text": "ok"}, _extract([call("Write", file_path=_note(desk), content=NOTE)]), _extract(text="done"))
        await desk.turn(session, "By the way, we deploy on Fridays")
        extractor = session._extraction._extractor()
        assert extractor is not None
        with held(desk.services.paths.state / "locks" / f"extract-{desk.workspace.project.key}.lock"):
            busy = await extractor.run(Snapshot(tuple(session.messages), session.model))
        cursor = session.handle.meta.get(CURSOR)
        after = await session.extract_now()
        await session.close()
        return busy, cursor, after

    busy, cursor, after = run(scenario)
    assert (busy, cursor) == (Report("skip", "rate"), None)
    assert after == Report("run", None, "success", ("deploys.md",))


@pytest.mark.parametrize("root", ["user", "workspace"])
def test_it_writes_the_projects_root_only(desk: Desk, root: str) -> None:
    """GT-10: also where the conversation itself may write after a question, the keeper may not."""
    folder = desk.workspace.memories.store(root).root

    async def scenario() -> Report:
        session = desk.session(
            {"text": "ok"}, _extract([call("Write", file_path=str(folder / "MEMORY.md"), content=NOTE)]), _extract(text="done")
        )
        report = await _turn_and_extract(desk, session)
        await session.close()
        return report

    assert run(scenario).outcome == "no-op"
    assert not (folder / "MEMORY.md").exists() and desk.asked == []


def test_what_was_forgotten_stays_forgotten_and_the_others_intact(desk: Desk) -> None:
    """B27: the transcript still holds the fact."""
    other = str(desk.workspace.project.memory_root / "bees.md")
    bees = NOTE.replace("deploys", "bees").replace("We deploy on Fridays.", "Bees fly at dawn.")

    async def first() -> str:
        session = desk.session(
            {"text": "ok"},
            {"text": "ok"},
            _extract([call("Write", file_path=_note(desk), content=NOTE), call("Write", file_path=other, content=bees)]),
            _extract(text="done"),
        )
        await desk.turn(session, "By the way, bees fly at dawn")
        await _turn_and_extract(desk, session)
        await session.close()
        return session.id

    async def again(session_id: str) -> Report:
        reworded = NOTE.replace("description: deploys happen on Fridays", "description: when we deploy")
        model = desk.script(
            {"text": "ok"}, _extract([call("Write", file_path=_note(desk), content=reworded)]), _extract(text="done"), name="again.json"
        )
        session = desk.services.resume(session_id, model_id=model)
        report = await _turn_and_extract(desk, session, "What else should we look at today?")
        await session.close()
        return report

    session_id = run(first)
    desk.workspace.store.delete("deploys.md", origin=ChangeOrigin("person"))
    report = run(lambda: again(session_id))
    assert (report.outcome, report.written) == ("no-op", ())
    assert sorted(path.name for path in desk.workspace.project.memory_root.glob("*.md")) == ["MEMORY.md", "bees.md"]


@pytest.mark.parametrize(("reads", "mark"), [(True, True), (False, False)])
def test_the_journal_says_whether_foreign_text_was_in_the_window(desk: Desk, reads: bool, mark: bool) -> None:
    (desk.workspace_folder / "page.md").write_text("a page from elsewhere\n")
    calls = [call("Read", file_path="page.md")] if reads else []

    async def scenario() -> None:
        session = desk.session(
            *([{"tool_calls": calls}] if reads else []),
            {"text": "ok"},
            _extract([call("Write", file_path=_note(desk), content=NOTE)]),
            _extract(text="done"),
        )
        await _turn_and_extract(desk, session)
        await session.close()

    run(scenario)
    assert desk.workspace.store.changes()[0].origin.untrusted is mark
