"""The runner on a real session, a real loop thread and the scripted model."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QObject, QThread, Slot
from pytestqt.qtbot import QtBot

from desktop.agent.session import AgentSession
from desktop.bridge.agent_runner import AgentRunner
from desktop.bridge.loop_thread import LoopThread
from desktop.messages.events import (
    ApprovalAnswer,
    ApprovalRequest,
    JobChanged,
    MessageAppended,
    TextDelta,
    ToolFinished,
    TurnEnded,
    TurnEvent,
    TurnStarted,
)
from tests.helpers.agent import Desk
from tests.helpers.script import call

WAIT_MS = 10_000


class Watcher(QObject):
    """Keeps what a runner tells, and in which thread it was told."""

    def __init__(self, runner: AgentRunner) -> None:
        super().__init__()
        self.tuples: list[tuple[TurnEvent, ...]] = []
        self.ended: list[TurnEnded] = []
        self.events_before_end = 0
        self.threads: set[QThread] = set()
        runner.events_arrived.connect(self.take)
        runner.turn_ended.connect(self.end)

    @Slot(object)
    def take(self, events: tuple[TurnEvent, ...]) -> None:
        self.tuples.append(events)
        self.threads.add(QThread.currentThread())

    @Slot(object)
    def end(self, ended: TurnEnded) -> None:
        self.ended.append(ended)
        self.events_before_end = len(self.events)

    @property
    def events(self) -> list[TurnEvent]:
        return [event for events in self.tuples for event in events]

    def text(self) -> str:
        return "".join(event.text for event in self.events if isinstance(event, TextDelta))


class Bench:
    """A runner with its watcher; what it opened is closed at the end."""

    def __init__(self, qtbot: QtBot, folder: Path) -> None:
        self.qtbot = qtbot
        self.desk = Desk(folder, headless=False)
        self.loop = LoopThread()
        self.runners: list[AgentRunner] = []

    def open(self, *responses: dict[str, Any], name: str = "script.json") -> tuple[AgentRunner, Watcher, AgentSession]:
        session = self.desk.session(*responses, name=name)
        runner = AgentRunner(self.loop, session)
        self.runners.append(runner)
        return runner, Watcher(runner), session

    def until(self, condition: Any) -> None:
        self.qtbot.waitUntil(lambda: _check(condition()), timeout=WAIT_MS)

    def close(self) -> None:
        for runner in self.runners:
            runner.close().result(60)
            runner.deleteLater()
        self.loop.stop()


def _check(holds: object) -> None:
    assert holds


@pytest.fixture
def bench(qtbot: QtBot, tmp_path: Path) -> Iterator[Bench]:
    made = Bench(qtbot, tmp_path)
    yield made
    made.close()


def test_a_turn_comes_in_joined_tuples_in_the_gui_thread(bench: Bench) -> None:
    answer = "word " * 2_000
    runner, seen, _ = bench.open({"text": answer, "chunk": 3})
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        assert runner.start("go")
        assert runner.running
        assert not runner.start("twice")
    assert seen.text() == answer
    assert seen.ended[0].stop == "end"
    assert isinstance(seen.events[-1], TurnEnded)
    assert seen.events_before_end == len(seen.events)
    assert seen.threads == {QThread.currentThread()}
    assert len(seen.tuples) < 100, "one signal a piece would be 3,334"
    assert not runner.running


def test_the_message_is_on_disk_before_the_window_hears_of_it(bench: Bench) -> None:
    runner, seen, session = bench.open({"text": "hello"})
    on_disk: list[bool] = []

    def look(events: tuple[TurnEvent, ...]) -> None:
        for event in events:
            if isinstance(event, TurnStarted):
                on_disk.append(event.message.id in session.handle.path.read_text(encoding="utf-8"))

    runner.events_arrived.connect(look)
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.start("go")
    assert on_disk == [True]
    assert [e.message.role for e in seen.events if isinstance(e, MessageAppended)] == ["user", "assistant"]


@pytest.mark.parametrize(("answer", "status"), [(ApprovalAnswer("once"), "ok"), (ApprovalAnswer("deny", "not now"), "denied")])
def test_an_approval_is_answered_from_this_thread(bench: Bench, answer: ApprovalAnswer, status: str) -> None:
    runner, seen, _ = bench.open({"tool_calls": [call("Write", file_path="a.txt", content="x")]}, {"text": "ok"})
    runner.start("write it")
    bench.until(lambda: [e for e in seen.events if isinstance(e, ApprovalRequest)])
    request = next(e for e in seen.events if isinstance(e, ApprovalRequest))
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.answer(request.id, answer)
        runner.answer(request.id, ApprovalAnswer("always"))  # the first one counts
    finished = next(e for e in seen.events if isinstance(e, ToolFinished))
    assert finished.result.status == status
    assert (bench.desk.workspace_folder / "a.txt").exists() == (status == "ok")
    assert status == "ok" or "not now" in finished.result.output


def test_an_answer_that_comes_before_the_question_waits_for_it(bench: Bench) -> None:
    runner, seen, _ = bench.open({"tool_calls": [call("Write", "c1", file_path="a.txt", content="x")]}, {"text": "ok"})
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.start("write it")
        runner.answer("c1", ApprovalAnswer("once"))
    assert seen.ended[0].stop == "end"
    assert (bench.desk.workspace_folder / "a.txt").read_text(encoding="utf-8") == "x"


def test_cancel_in_the_middle_keeps_what_was_streamed(bench: Bench) -> None:
    runner, seen, session = bench.open({"text": "word " * 400, "chunk": 5, "delay_ms": 20})
    runner.start("go")
    bench.until(lambda: len(seen.text()) > 20)
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.cancel()
        runner.cancel()
    assert seen.ended[0].stop == "interrupted"
    assert session.messages[-1].role == "assistant"
    assert session.messages[-1].stop == "interrupted"
    assert session.messages[-1].text.startswith("word word")


def test_cancel_right_after_the_start_ends_too(bench: Bench) -> None:
    runner, seen, _ = bench.open({"text": "hello", "delay_ms": 50, "chunk": 1})
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.start("go")
        runner.cancel()
    assert [ended.stop for ended in seen.ended] == ["interrupted"]
    assert not runner.running
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        assert runner.start("again")


def test_cancel_during_a_question_leaves_a_result_for_the_call(bench: Bench) -> None:
    runner, seen, session = bench.open({"tool_calls": [call("Bash", command="echo hi")]})
    runner.start("run it")
    bench.until(lambda: [e for e in seen.events if isinstance(e, ApprovalRequest)])
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.cancel()
    assert seen.ended[0].stop == "interrupted"
    assert [r.status for m in session.messages for r in m.tool_results] == ["interrupted"]


def test_an_error_of_the_session_ends_the_turn_with_its_text(bench: Bench) -> None:
    runner, seen, session = bench.open({"text": "hello"})
    session.handle.close()
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.start("go")
    assert seen.ended[0].stop == "error"
    assert seen.ended[0].error is not None
    assert "closed" in seen.ended[0].error["message"]


def test_nothing_is_told_after_close(bench: Bench) -> None:
    runner, seen, session = bench.open({"text": "word " * 400, "chunk": 5, "delay_ms": 5})
    runner.start("go")
    bench.until(lambda: len(seen.text()) > 20)
    future = runner.close()
    told = len(seen.tuples)
    future.result(60)
    bench.qtbot.wait(150)
    assert len(seen.tuples) == told
    assert not seen.ended
    assert session.messages[-1].stop == "interrupted", "the record is complete all the same"
    assert not runner.start("again")


def test_reading_another_session_gives_its_card(bench: Bench) -> None:
    other, _, source = bench.open({"text": "We use bun as our package manager."}, name="other.json")
    with bench.qtbot.waitSignal(other.turn_ended, timeout=WAIT_MS):
        other.start("Which package manager do we use?")
    runner, seen, session = bench.open({"text": "done"}, name="reader.json")
    with bench.qtbot.waitSignal(runner.context_read, timeout=WAIT_MS) as read:
        runner.read_into(source.id, "package manager", "relevant", 2_000)
    assert read.args is not None and read.args[0].status == "success"
    bench.until(lambda: [e for e in seen.events if isinstance(e, MessageAppended)])
    part = session.messages[0].parts[0]
    assert session.messages[0].origin == "app"
    assert getattr(part, "data", {})["session"] == source.id


def test_a_reading_waits_for_the_end_of_the_turn(bench: Bench) -> None:
    other, _, source = bench.open({"text": "We use bun."}, name="other.json")
    with bench.qtbot.waitSignal(other.turn_ended, timeout=WAIT_MS):
        other.start("What do we use?")
    runner, _, session = bench.open(
        {"tool_calls": [call("Glob", pattern="*.py")], "delay_ms": 20}, {"text": "end", "delay_ms": 30, "chunk": 1}, name="reader.json"
    )
    with bench.qtbot.waitSignals([runner.turn_ended, runner.context_read], timeout=WAIT_MS):
        runner.start("go")
        runner.read_into(source.id, "what", "handoff", 2_000)
    assert [m.origin for m in session.messages] == ["person", "model", "tool", "model", "app"]


def test_a_reading_that_cannot_be_kept_is_told(bench: Bench) -> None:
    other, _, source = bench.open({"text": "We use bun."}, name="other.json")
    with bench.qtbot.waitSignal(other.turn_ended, timeout=WAIT_MS):
        other.start("What do we use?")
    runner, _, session = bench.open({"text": "done"}, name="reader.json")
    session.handle.close()
    with bench.qtbot.waitSignal(runner.context_failed, timeout=WAIT_MS) as failed:
        runner.read_into(source.id, "what", "handoff", 2_000)
    assert failed.args is not None and "closed" in failed.args[0].message
    assert not session.messages


def test_events_may_be_put_in_from_any_thread(bench: Bench) -> None:
    runner, seen, _ = bench.open({"text": "x"})
    thread = threading.Thread(target=lambda: runner.emit_event(TextDelta("from elsewhere")))
    thread.start()
    thread.join()
    bench.until(lambda: seen.text() == "from elsewhere")
    assert seen.threads == {QThread.currentThread()}


def test_undone_background_work_is_taken_up_once_the_session_is_shown(bench: Bench) -> None:
    path = str(bench.desk.workspace.project.memory_root / "deploys.md")
    note = "---\nname: deploys\ndescription: deploys happen on Fridays\nmetadata:\n  type: project\n---\n\nWe deploy on Fridays.\n"
    write = {"for": "extract", "tool_calls": [call("Write", file_path=path, content=note)]}
    slow = {"for": "extract", "text": "x" * 100_000, "chunk": 1, "delay_ms": 5}
    runner, seen, session = bench.open({"text": "ok"}, slow, name="first.json")
    with bench.qtbot.waitSignal(runner.turn_ended, timeout=WAIT_MS):
        runner.start("We deploy on Fridays")
    bench.until(lambda: any(isinstance(event, JobChanged) for event in seen.events))
    runner.close().result(WAIT_MS / 1000)
    model = bench.desk.script(write, {"for": "extract", "text": "done"}, name="again.json")
    again = AgentRunner(bench.loop, bench.desk.services.resume(session.id, model_id=model))
    bench.runners.append(again)
    watcher = Watcher(again)
    again.catch_up()
    bench.until(lambda: any(isinstance(event, JobChanged) and event.state == "done" for event in watcher.events))
    assert Path(path).is_file()
