"""Beside the turns of a session: the running answer on disk, what is said of an interrupted one, and the title in the background."""

from __future__ import annotations

import asyncio
import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.answer_keeper import AnswerKeeper
from desktop.agent.interrupted import interruption
from desktop.agent.session import AgentSession
from desktop.messages.events import StepStarted, TextDelta, TurnEvent
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.sessions.running import RECOVERED, keep_running, running_path
from tests.helpers.agent import Desk, run
from tests.helpers.clock import FixedClock
from tests.helpers.wait import wait_for, within
from tests.unit.sessions.make import message, new_handle, store_in


def kept_text(path: Path) -> str:
    return "".join(part.get("text", "") for part in json.loads(running_path(path).read_bytes())["parts"])


async def until(condition: Any) -> None:
    """As `wait_for`, while the loop goes on."""
    await asyncio.to_thread(wait_for, condition, timeout=10.0)


# --- the running answer -------------------------------------------------------------------------------------------------


def test_a_pause_of_the_model_does_not_keep_what_came_from_the_disk(tmp_path: Path) -> None:
    """Nothing follows the first words for minutes: they are kept all the same."""
    handle = new_handle(store_in(tmp_path))
    handle.append(message("Tell me a story"))
    told: list[TurnEvent] = []

    async def scenario() -> None:
        keeper = AnswerKeeper(handle, FixedClock(), flush_s=0.01)
        emit = keeper.watching(told.append, "scripted:demo")
        emit(StepStarted(1))
        await until(lambda: running_path(handle.path).exists())
        assert kept_text(handle.path) == "", "that a turn runs is kept before its first word"
        emit(TextDelta("Once "))
        emit(TextDelta("upon"))
        await until(lambda: kept_text(handle.path) == "Once upon")
        emit(TextDelta(" a time"))
        await until(lambda: kept_text(handle.path) == "Once upon a time")
        emit(StepStarted(2))
        await until(lambda: kept_text(handle.path) == "")
        await keeper.end()

    asyncio.run(scenario())
    assert [one.text for one in told if isinstance(one, TextDelta)] == ["Once ", "upon", " a time"]
    assert list(handle.path.parent.glob("*.running*")) == []
    handle.close()


def test_after_a_turn_nothing_is_left_beside_the_transcript(tmp_path: Path) -> None:
    desk = Desk(tmp_path)

    async def scenario() -> None:
        session = desk.session({"text": "A long answer. " * 20, "delay_ms": 1})
        await desk.turn(session, "hello")
        assert list(session.handle.path.parent.glob("*.running*")) == []
        await session.close()

    run(scenario)


def test_a_stopped_turn_keeps_its_answer_in_the_transcript_alone(tmp_path: Path) -> None:
    desk = Desk(tmp_path)

    async def scenario() -> None:
        session = desk.session({"text": "word " * 400, "delay_ms": 5, "chunk": 5})
        turn = asyncio.ensure_future(desk.turn(session, "hello"))
        await until(lambda: running_path(session.handle.path).exists() and len(desk.of(TextDelta)) > 3)
        turn.cancel()
        assert (await turn).stop == "interrupted"
        assert session.messages[-1].text.startswith("word") and not running_path(session.handle.path).exists()
        await session.close()

    run(scenario)


def test_an_incognito_answer_is_never_on_disk(tmp_path: Path) -> None:
    desk = Desk(tmp_path)

    async def scenario() -> None:
        model_id = desk.script({"text": "hushed words " * 50, "delay_ms": 5, "chunk": 5})
        session = desk.services.new_session(desk.workspace, model_id=model_id, incognito=True)
        turn = asyncio.ensure_future(desk.turn(session, "hello"))
        await until(lambda: len(desk.of(TextDelta)) > 10)
        found = [path for path in desk.folder.rglob("*") if path.is_file() and path.suffix != ".json" and b"hushed" in path.read_bytes()]
        await turn
        await session.close()
        assert found == []

    run(scenario)


def test_resuming_puts_what_was_kept_into_the_next_request(tmp_path: Path) -> None:
    desk = Desk(tmp_path)

    async def scenario() -> None:
        session = desk.session({"text": "Fine."}, name="first.json")
        await desk.turn(session, "hello")
        half = message("As I was say", "assistant")
        asked = session.handle.append(message("go on"))
        await session.close()
        keep_running(session.handle.path, replace(half, parent=asked.id))
        again = desk.services.resume(session.id, model_id=desk.script({"text": "Where were we?"}, name="again.json"))
        assert again.handle.crashed and again.messages[-1].text == "As I was say"
        await desk.turn(again, "and then?")
        assert "As I was say" in json.dumps(desk.bodies()[-1])
        await again.close()
        third = desk.services.resume(session.id, model_id=desk.script(name="third.json"))
        assert not third.handle.crashed
        await third.close()

    run(scenario)


@pytest.mark.skipif(sys.platform != "linux", reason="mounts a file system")
def test_on_a_full_disk_the_answer_goes_on(tmp_path: Path) -> None:
    """Keeping fails at every flush; what streams is told to its end, and the turn says what could not be stored."""
    disk = tmp_path / "disk"
    disk.mkdir()
    if subprocess.run(["mount", "-t", "tmpfs", "-o", "size=2m", "tmpfs", str(disk)], capture_output=True, check=False).returncode:
        pytest.skip("file systems cannot be mounted here")
    try:
        desk = Desk(disk)

        async def scenario() -> None:
            session = desk.session({"text": "word " * 2_000, "delay_ms": 5, "chunk": 50})
            turn = asyncio.ensure_future(desk.turn(session, "hello"))
            await until(lambda: len(desk.of(TextDelta)) > 3)
            with (disk / "other").open("wb", buffering=0) as full:
                while True:
                    try:
                        full.write(b"x" * 4_096)
                    except OSError:
                        break
            ended = await turn
            assert "".join(one.text for one in desk.of(TextDelta)) == "word " * 2_000
            assert ended.stop == "error" and "could not be saved" in (ended.error or {})["message"]
            (disk / "other").unlink()
            assert (await desk.turn(session, "again")).stop == "end"
            assert list(session.handle.path.parent.glob("*.running*")) == []
            await session.close()

        run(scenario)
    finally:
        subprocess.run(["umount", "-l", str(disk)], check=True)


# --- what was interrupted -----------------------------------------------------------------------------------------------

ASKED = message("Do it")
CALL = message("", "assistant", parts=(ToolCallPart("c1", "Bash", {"command": "make"}), ToolCallPart("c2", "Read", {"file_path": "a"})))
RESULT = message("", "tool", parts=(ToolResultPart("c1", "Bash", "ok"),))
SECOND = message("", "tool", parts=(ToolResultPart("c2", "Read", "ok"),))
HALF = replace(message("As I was say", "assistant"), notes={RECOVERED: True})


@pytest.mark.parametrize(
    ("messages", "crashed", "where"),
    [
        ((), True, None),
        ((ASKED,), True, "unanswered"),
        ((ASKED,), False, "unanswered"),
        ((ASKED, HALF), True, "answer"),
        ((ASKED, HALF), False, "answer"),
        ((ASKED, HALF, ASKED, message("done", "assistant")), False, None),
        ((ASKED, CALL), True, "calls"),
        ((ASKED, CALL, RESULT), True, "calls"),
        ((ASKED, CALL, RESULT, SECOND), True, "between"),
        ((ASKED, CALL, RESULT, SECOND), False, None),
        ((ASKED, message("done", "assistant")), True, None),
        ((ASKED, message("read", origin="app")), False, None),
    ],
)
def test_where_a_conversation_stopped(messages: Any, crashed: bool, where: str | None) -> None:
    found = interruption(messages, crashed=crashed)
    assert (found.where if found else None) == where
    if where == "calls":
        assert found is not None
        assert [call.id for call in found.calls] == (["c1", "c2"] if messages[-1] is CALL else ["c2"])


# --- titles -------------------------------------------------------------------------------------------------------------


def titled(desk: Desk, *responses: dict[str, Any], turns: int = 1, wait: bool = True, **top: Any) -> AgentSession:
    """A session in a window after some turns, closed; with what came of its title."""

    async def scenario() -> AgentSession:
        session = desk.session(*responses, **top)
        for _ in range(turns):
            await desk.turn(session, "How do we deploy the marmot service?")
        if wait:
            await until(lambda: bool(session.handle.meta.get("generated_title")))
        await session.close(patient=True)
        return session

    return run(scenario)


def _asked(desk: Desk, count: int) -> bool:
    return title_requests(desk) == count


def title_requests(desk: Desk) -> int:
    return sum(record["kind"] == "title" for record in desk.records())


ANSWER, TITLE = {"text": "With rsync."}, {"for": "title", "text": "Deploying marmots"}


def test_the_first_answer_brings_a_title_once(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)
    session = titled(desk, ANSWER, TITLE, ANSWER, turns=2)
    assert desk.services.sessions.find(session.id).title == "Deploying marmots" and title_requests(desk) == 1
    desk.services.sessions.rename(session.id, "My own 标题")
    assert desk.services.sessions.find(session.id).title == "My own 标题"


def test_a_persons_title_is_never_replaced(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> str:
        session = desk.session(ANSWER, TITLE | {"delay_ms": 20, "chunk": 1})
        await desk.turn(session, "hello")
        session.handle.set_meta("title", "Mine")  # while the model still writes
        await session.close(patient=True)
        return session.id

    session_id = run(scenario)
    assert desk.services.sessions.find(session_id).title == "Mine" and title_requests(desk) == 1
    assert "generated_title" not in desk.services.sessions.load(session_id).meta


@pytest.mark.parametrize("why", ["headless", "off", "incognito"])
def test_where_no_title_is_asked_for(tmp_path: Path, why: str) -> None:
    desk = Desk(tmp_path, headless=why == "headless")
    if why == "off":
        desk.services.settings.set("sessions.titles", "off")

    async def scenario() -> None:
        session = desk.services.new_session(desk.workspace, model_id=desk.script(ANSWER, TITLE), incognito=why == "incognito")
        await desk.turn(session, "hello")
        await session.close(patient=True)
        assert "generated_title" not in session.handle.meta

    run(scenario)
    assert title_requests(desk) == 0


def test_a_model_that_gives_none_is_not_asked_after_every_turn(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> None:
        session = desk.session(*[ANSWER] * 6, *[{"for": "title", "text": ""}] * 6)
        for number in range(1, 7):
            await desk.turn(session, "hello")
            expected = min(number, 3)
            await until(partial(_asked, desk, expected))
        await session.close(patient=True)

    run(scenario)
    assert title_requests(desk) == 3


def test_closing_gives_up_a_title_that_does_not_come(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> None:
        session = desk.session(ANSWER, {"for": "title", "text": "Late title", "delay_ms": 60_000})
        await desk.turn(session, "hello")
        await until(lambda: title_requests(desk) == 1)
        async with within(10):
            await session.close()
        assert "generated_title" not in session.handle.meta

    run(scenario)


def test_hurrying_ends_the_patience_with_a_title(tmp_path: Path) -> None:
    desk = Desk(tmp_path, headless=False)

    async def scenario() -> None:
        session = desk.session(ANSWER, {"for": "title", "text": "Late title", "delay_ms": 60_000})
        await desk.turn(session, "hello")
        closing = asyncio.ensure_future(session.close(patient=True))
        session.hurry()
        async with within(8):
            await closing

    run(scenario)
