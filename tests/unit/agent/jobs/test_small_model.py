"""A small model goes message by message: it is asked about one sentence at a time, sees no history, and nothing is passed over."""

from __future__ import annotations

from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.agent.jobs.report import Report
from desktop.agent.session import AgentSession
from desktop.messages.events import StreamEvent
from desktop.providers.base import Model, ModelRequest
from tests.helpers.agent import run
from tests.unit.agent.jobs.keeper_desk import KeeperDesk, keeps


class Small:
    """The scripted model as one that is small."""

    def __init__(self, model: Model) -> None:
        self._model = model
        self.info = replace(model.info, small=True, history_tokens=2_000)

    def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        return self._model.stream(request)

    async def close(self) -> None:
        await self._model.close()


def _session(desk: KeeperDesk, *responses: dict[str, Any]) -> AgentSession:
    session = desk.next_session(*responses)
    session.model = Small(session.model)
    return session


def _asked(desk: KeeperDesk) -> list[str]:
    return [body["messages"][-1]["parts"][0]["text"] for body in desk.bodies() if body["kind"] == "extract"]


def test_one_sentence_at_a_time_and_the_rest_in_the_next_run(tmp_path: Path) -> None:
    desk = KeeperDesk(tmp_path)
    facts = [
        "We deploy on Fridays.",
        "Our database is Postgres.",
        "We use bun for the build.",
        "Our backend runs on Python.",
        "We host on Hetzner.",
    ]

    async def scenario() -> Report:
        session = _session(desk, *[{"text": "ok"}] * 5, *[keeps(text="nothing to save")] * 5)
        for fact in facts:
            await desk.turn(session, fact)
        report = await session.extract_now()
        assert session.handle.meta["extraction_cursor"] == session.messages[-1].id
        await session.close()
        return report

    report = run(scenario)
    assert report.outcome == "no-op" and not report.left
    assert [text.rstrip(".") for text in _asked(desk)] == [fact.rstrip(".") for fact in facts]


def test_its_writes_are_judged_too_and_name_their_own_message(tmp_path: Path) -> None:
    desk = KeeperDesk(tmp_path)

    async def scenario() -> str:
        write = keeps([desk.write("deploys", "We deploy on Fridays."), desk.write("cake", "The team likes cake.")])
        session = _session(desk, {"text": "ok"}, {"text": "ok"}, write, keeps(text="done"))
        await desk.turn(session, "We deploy on Fridays.")
        first = session.messages[0].id
        await desk.turn(session, "What is the weather today?")
        await session.extract_now()
        await session.close()
        return first

    first = run(scenario)
    assert list(desk.notes()) == ["deploys.md"]
    assert desk.workspace.store.changes()[0].origin.message_id == first
    assert [proposal.path for proposal in desk.waiting()] == ["cake.md"]


def test_an_error_keeps_what_comes_behind_it(tmp_path: Path) -> None:
    desk = KeeperDesk(tmp_path)

    async def scenario() -> tuple[Report, Report]:
        failing: dict[str, Any] = {"for": "extract", "error": {"kind": "auth"}}
        session = _session(desk, *[{"text": "ok"}] * 2, keeps(text="nothing to save"), failing, keeps(text="nothing to save"))
        await desk.turn(session, "We deploy on Fridays.")
        await desk.turn(session, "Our database is Postgres.")
        reports = (await session.extract_now(), await session.extract_now())
        await session.close()
        return reports

    failed, done = run(scenario)
    assert (failed.outcome, done.outcome) == ("error", "no-op")
    assert [text.rstrip(".") for text in _asked(desk)] == ["We deploy on Fridays", "Our database is Postgres", "Our database is Postgres"]
