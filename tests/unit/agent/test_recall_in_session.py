"""Recall in real sessions: what the requests of a conversation hold of it, turn by turn, and what the person is told."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from desktop.memory.store import ChangeOrigin
from desktop.messages.events import MemoryRecalled
from tests.helpers.agent import Desk, run
from tests.helpers.script import call

PERSON = ChangeOrigin("person")


def note(name: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n---\n\n{body}\n"


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    desk = Desk(tmp_path)
    desk.services.settings.set("memory.recall_wait_ms", 5_000)
    store = desk.workspace.memories.store()
    store.write(
        "queue.md", note("carrier retries", "Three tries, then the dead letter queue CANARY-QUEUE."), base_digest=None, origin=PERSON
    )
    store.write("tone.md", note("tone", "Answers are short CANARY-TONE."), base_digest=None, origin=PERSON)
    yield desk


def mains(desk: Desk) -> list[dict[str, Any]]:
    return [body for body in desk.bodies() if body["kind"] == "main"]


def texts(body: dict[str, Any]) -> str:
    """All that the messages of a request say, the start block aside."""
    return json.dumps(body["messages"][1:], ensure_ascii=False)


def test_a_single_step_of_a_headless_run_has_what_words_found(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "done"})
        await desk.turn(session, "Add a retry to the carrier client")
        await session.close()

    run(scenario)
    (body,) = mains(desk)
    assert "CANARY-QUEUE" in texts(body) and "CANARY-TONE" not in texts(body)
    assert [(ref.path, ref.stage) for event in desk.of(MemoryRecalled) for ref in event.items] == [("queue.md", "lexical")]


def test_a_models_choice_comes_with_a_later_step_and_what_was_sent_stays_as_it_was(desk: Desk) -> None:
    (desk.workspace_folder / "a.txt").write_text("x")

    async def scenario() -> None:
        reads = [{"tool_calls": [call("Read", file_path="a.txt")], "delay_ms": 150} for _ in range(2)]
        session = desk.session({"for": "select", "text": '{"files": ["tone.md"]}'}, *reads, {"text": "done"}, {"text": "done"})
        await desk.turn(session, "Add a retry to the carrier client")
        await desk.turn(session, "And now paint the shed")
        await session.close()

    run(scenario)
    bodies = mains(desk)
    assert "CANARY-TONE" not in texts(bodies[0]) and "CANARY-TONE" in texts(bodies[2])
    for earlier, later in pairwise(bodies):
        before, after = (_sent(body) for body in (earlier, later))
        assert after[: len(before)] == before, "a prefix that a provider may keep"
    assert texts(bodies[-1]).count("CANARY-QUEUE") == texts(bodies[-1]).count("CANARY-TONE") == 1


def _sent(body: dict[str, Any]) -> list[tuple[str, str]]:
    return [(message["role"], json.dumps(message["parts"], ensure_ascii=False)) for message in body["messages"]]


def test_a_forgotten_memory_leaves_the_context(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "one"}, {"text": "two"})
        await desk.turn(session, "Add a retry to the carrier client")
        desk.workspace.memories.store().delete("queue.md", origin=PERSON)
        await desk.turn(session, "And now paint the shed")
        await session.close()

    run(scenario)
    assert "CANARY-QUEUE" in texts(mains(desk)[0]) and "CANARY-QUEUE" not in json.dumps(mains(desk)[1])


def test_with_memory_off_no_request_holds_or_asks_anything(desk: Desk) -> None:
    desk.services.settings.set("memory.use", False)

    async def scenario() -> None:
        session = desk.session({"text": "one"})
        await desk.turn(session, "Add a retry to the carrier client")
        await session.close()

    run(scenario)
    assert [body["kind"] for body in desk.bodies()] == ["main"] and "CANARY" not in json.dumps(desk.bodies())
    assert desk.of(MemoryRecalled) == []


def test_an_empty_memory_opens_no_index(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.services.settings.set("memory.recall_wait_ms", 5_000)
    session = desk.session({"text": "ok"}, {"text": "ok"})
    index = tmp_path / "profile" / "data" / "index" / "memory.sqlite3"

    async def scenario() -> None:
        await session.warm()
        await desk.turn(session, "Which port does the staging database listen on?")
        assert not index.exists()
        text = (
            "---\nname: staging-database\ndescription: where it listens\nmetadata:\n  type: project\n---\n\nThe staging database: 5433.\n"
        )
        desk.workspace.store.write("sub/staging-database.md", text, base_digest=None, origin=ChangeOrigin("person"))
        await desk.turn(session, "And on which port does the staging database listen now?")
        await session.close()

    run(scenario)
    assert index.exists()
    assert "5433" in str(desk.bodies()[-1]["messages"])
