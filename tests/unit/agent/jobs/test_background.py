"""Check 8: a burst of turns coalesces, an error keeps the cursor, what was undone is taken up later, closing ends it, two processes."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path

import pytest

from desktop.agent.jobs.background import DUE
from desktop.agent.jobs.cursor import CURSOR
from desktop.agent.session import AgentSession
from desktop.messages.events import JobChanged, MemoryLoaded
from tests.helpers.agent import run
from tests.helpers.wait import within
from tests.unit.agent.jobs.keeper_desk import KeeperDesk, keeps

DONE = keeps(text="done")


@pytest.fixture
def desk(tmp_path: Path) -> KeeperDesk:
    return KeeperDesk(tmp_path, headless=False)


async def _until(done: Callable[[], object]) -> None:
    async with within(20):
        while not done():
            await asyncio.sleep(0.005)


def _ended(desk: KeeperDesk) -> list[str]:
    return [event.state for event in desk.of(JobChanged) if event.state != "running"]


def _has_ended(desk: KeeperDesk, times: int) -> bool:
    return len(_ended(desk)) == times


def _extractions(desk: KeeperDesk) -> list[str]:
    return [json.dumps(body["messages"]) for body in desk.bodies() if body["kind"] == "extract"]


def test_a_burst_of_turns_coalesces_and_misses_nothing(desk: KeeperDesk) -> None:
    desk.services.settings.set("memory.extraction_spacing_s", 0)

    async def scenario() -> str:
        slow = keeps(text="nothing to save" + " " * 30, chunk=1, delay_ms=5)
        session = desk.next_session(*[{"text": "ok"}] * 5, slow, DONE)
        for number in range(5):
            await desk.turn(session, f"Today we talk about subject {number}")
        await _until(lambda: len(_ended(desk)) == 2)
        last = session.messages[-1].id
        assert session.handle.meta[CURSOR] == last
        await session.close()
        return last

    run(scenario)
    first, second = _extractions(desk)
    assert "Its 2 newest messages" in first and "Its 8 newest messages" in second
    assert all(f"subject {number}" in second for number in range(5))


def test_ten_turns_of_small_talk_are_offered_at_most_once_each(desk: KeeperDesk) -> None:
    """B19: a run that finds nothing moves the cursor."""
    desk.services.settings.set("memory.extraction_spacing_s", 0)

    async def scenario() -> None:
        session = desk.next_session(*[one for _ in range(10) for one in ({"text": "ok"}, keeps(text="nothing to save"))])
        for number in range(10):
            await desk.turn(session, f"Nice weather on day {number}, is it not")
            await _until(partial(_has_ended, desk, number + 1))
        await session.close()

    run(scenario)
    assert len(_extractions(desk)) == 10
    assert all("Its 2 newest messages" in sent for sent in _extractions(desk))


def test_the_turn_never_waits_for_it(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.next_session({"text": "1"}, {"text": "2"}, keeps(text="x" * 10_000, chunk=1, delay_ms=50))
        async with within(15):
            await desk.turn(session, "We deploy on Fridays")
            await desk.turn(session, "And we test on Mondays")
        assert _ended(desk) == []
        await session.close()

    run(scenario)


def _resumed(desk: KeeperDesk, session: AgentSession, *responses: dict[str, object]) -> AgentSession:
    desk.number += 1
    return desk.services.resume(session.id, model_id=desk.script(*responses, name=f"again-{desk.number}.json"))


def test_what_was_cut_off_is_taken_up_when_the_session_is_opened_again(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.next_session({"text": "ok"}, keeps(text="x" * 100_000, chunk=1, delay_ms=5))
        await desk.turn(session, "We deploy on Fridays")
        await _until(lambda: desk.of(JobChanged))
        async with within(5):
            await session.close()
        assert CURSOR not in session.handle.meta and session.handle.meta[DUE] is True
        desk.events.clear()
        again = _resumed(desk, session, keeps([desk.write("deploys", "We deploy on Fridays.")]), DONE)
        assert await again.catch_up(desk.events.append)
        await _until(lambda: _ended(desk))
        assert again.handle.meta[CURSOR] == again.messages[-1].id and again.handle.meta[DUE] is False
        assert desk.of(MemoryLoaded) == []  # nothing of it is told before the first turn
        await again.close()
        third = _resumed(desk, session)
        assert not await third.catch_up(desk.events.append)
        await third.close()

    run(scenario)
    assert list(desk.notes()) == ["deploys.md"]
    assert _ended(desk) == ["done"]


def test_what_waits_for_its_turn_is_due_as_well(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.next_session({"text": "1"}, keeps(text="nothing to save"), {"text": "2"})
        await desk.turn(session, "We deploy on Fridays")
        await _until(lambda: _ended(desk))
        assert DUE not in session.handle.meta  # nothing is written while nothing is left undone
        await desk.turn(session, "And we test on Mondays")
        await session.close()
        assert session.handle.meta[DUE] is True
        again = _resumed(desk, session, keeps([desk.write("tests", "We test on Mondays.")]), DONE)
        assert await again.catch_up(desk.events.append)
        await _until(lambda: len(_ended(desk)) == 2)
        await again.close()

    run(scenario)
    assert list(desk.notes()) == ["tests.md"]


def test_an_error_keeps_the_cursor_and_the_next_turn_offers_it_again(desk: KeeperDesk) -> None:
    desk.services.settings.set("memory.extraction_spacing_s", 0)

    async def scenario() -> None:
        failing = {"for": "extract", "error": {"kind": "auth"}}
        session = desk.next_session({"text": "1"}, failing, {"text": "2"}, keeps([desk.write("deploys", "We deploy on Fridays.")]), DONE)
        await desk.turn(session, "We deploy on Fridays")
        await _until(lambda: _ended(desk) == ["failed"])
        assert CURSOR not in session.handle.meta and session.handle.meta[DUE] is True
        await desk.turn(session, "ok then")
        await _until(lambda: _ended(desk) == ["failed", "done"])
        assert session.handle.meta[DUE] is False
        await session.close()

    run(scenario)
    assert list(desk.notes()) == ["deploys.md"]


def test_a_session_that_is_opened_again_goes_on_behind_its_cursor(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.next_session({"text": "1"}, keeps(text="nothing to save"))
        await desk.turn(session, "We deploy on Fridays")
        await _until(lambda: _ended(desk))
        await session.close()
        again = _resumed(desk, session, {"text": "2"}, keeps(text="nothing to save"))
        await desk.turn(again, "And we test on Mondays")
        await _until(lambda: len(_ended(desk)) == 2)
        await again.close()

    run(scenario)
    assert ["Its 2 newest messages" in sent for sent in _extractions(desk)] == [True, True]


def test_after_a_rewind_past_the_cursor_only_the_new_branch_is_looked_at(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.next_session({"text": "1"}, {"text": "2"}, keeps(text="nothing to save"), {"text": "3"}, DONE)
        await desk.turn(session, "We talk about alpha today")
        first = session.messages[-1].id
        await desk.turn(session, "We talk about beta today")
        await session.extract_now()
        session.handle.set_leaf(first)
        await desk.turn(session, "We talk about gamma today")
        await session.extract_now()
        await session.close()

    desk.services.settings.set("memory.extraction_runs", 0)
    run(scenario)
    before, after = _extractions(desk)
    assert "Its 4 newest messages" in before and "Its 2 newest messages" in after
    assert "alpha" in after and "beta" not in after


@pytest.mark.parametrize(
    ("said", "runs"), [("以后提交信息都用中文写", True), ("好的", False), ("remember", True), ("别忘了", True), ("ok", False)]
)
def test_check_1_what_is_worth_a_look(desk: KeeperDesk, said: str, runs: bool) -> None:
    async def scenario() -> None:
        session = desk.next_session({"text": "ok"}, DONE)
        await desk.turn(session, said)
        await session.close(patient=True)

    run(scenario)
    assert len(_extractions(desk)) == int(runs)


def test_what_was_too_short_is_looked_at_with_the_next_turn(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.next_session({"text": "1"}, {"text": "2"}, DONE)
        await desk.turn(session, "好的")
        await desk.turn(session, "以后提交信息都用中文写")
        await session.close(patient=True)

    run(scenario)
    [sent] = _extractions(desk)
    assert "Its 4 newest messages" in sent


def test_five_short_messages_run_it_anyway(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.next_session(*[{"text": "ok"}] * 5, DONE)
        for _ in range(5):
            await desk.turn(session, "好的")
        await session.close(patient=True)

    run(scenario)
    assert len(_extractions(desk)) == 1


HOLDER = """
import sys
from pathlib import Path
from desktop.base.locks import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


def test_while_another_process_extracts_it_waits_and_then_runs(desk: KeeperDesk) -> None:
    lock = desk.services.paths.state / "locks" / f"extract-{desk.workspace.project.key}.lock"

    async def scenario(other: subprocess.Popen[bytes]) -> None:
        session = desk.next_session({"text": "ok"}, keeps([desk.write("deploys", "We deploy on Fridays.")]), DONE)
        await desk.turn(session, "We deploy on Fridays")
        await _until(lambda: desk.of(JobChanged))
        assert _extractions(desk) == []
        assert other.stdin is not None
        other.stdin.close()
        await _until(lambda: _ended(desk))
        await session.close()

    with subprocess.Popen([sys.executable, "-c", HOLDER, str(lock)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout is not None and other.stdout.readline() == b"held\n"
        run(lambda: scenario(other))
        other.kill()
    assert list(desk.notes()) == ["deploys.md"] and _ended(desk) == ["done"]


def test_two_sessions_of_one_project_write_one_after_the_other(desk: KeeperDesk) -> None:
    """Both say the same: there is one memory, and no conflict."""

    async def scenario() -> None:
        write = keeps([desk.write("bun", "The build runs with bun.", description="how the build runs")])
        sessions = [desk.next_session({"text": "ok"}, write, DONE) for _ in range(3)]
        for session in sessions:
            await desk.turn(session, "Remember: the build runs with bun")
        await _until(lambda: len(_ended(desk)) == 3)
        for session in sessions:
            await session.close()

    run(scenario)
    assert list(desk.notes()) == ["bun.md"] and _ended(desk) == ["done"] * 3


def test_an_incognito_session_never_extracts(desk: KeeperDesk) -> None:
    async def scenario() -> None:
        session = desk.services.new_session(desk.workspace, model_id=desk.script({"text": "ok"}, DONE, name="in.json"), incognito=True)
        await desk.turn(session, "Remember that we deploy on Fridays")
        report = await session.extract_now()
        assert (report.decision, report.reason) == ("off", "disabled")
        await session.close(patient=True)

    run(scenario)
    assert _extractions(desk) == [] and desk.notes() == {}


def test_the_cap_of_a_session_holds_over_all_the_times_that_it_is_opened(tmp_path: Path) -> None:
    """Also for `--memory-bench`, which passes over the spacing only; a fork is a session of its own and begins anew."""
    desk = KeeperDesk(tmp_path)  # headless: nothing runs by itself
    desk.services.settings.set("memory.extraction_runs", 2)
    found: list[tuple[str, str | None]] = []

    async def scenario() -> None:
        session = desk.next_session({"text": "1"}, DONE)
        for number in range(3):
            await desk.turn(session, f"We deploy on day {number}")
            report = await session.extract_now()
            found.append((report.decision, report.reason))
            forked = await session.fork()
            await session.close()
            session = _resumed(desk, session, {"text": "2"}, DONE)
        await session.close()
        fork = desk.services.resume(forked, model_id=desk.script({"text": "3"}, DONE, name="fork.json"))
        await desk.turn(fork, "We deploy on day nine")
        assert (await fork.extract_now()).decision == "run"
        await fork.close()

    run(scenario)
    assert found == [("run", None), ("run", None), ("skip", "rate")]
