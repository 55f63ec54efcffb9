"""Recalled memories in a turn's requests: where they stand, that they stay there, and what the transcript keeps of them."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.memory.change import ChangeOrigin
from desktop.messages.events import MemoryRecalled, Notice
from tests.helpers.agent import Desk, run
from tests.helpers.script import call

NOTE = "---\nname: {name}\ndescription: {description}\nmetadata:\n  type: project\n---\n\n{body}\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.services.settings.set("memory.recall_wait_ms", 5_000)  # a test waits for the machine, not for a tenth of a second
    for name, description, body in (
        ("staging-database", "where the staging database listens", "The staging database listens on port 5433 of host amber."),
        ("release-day", "when releases are made", "Releases are made on Thursday mornings by whoever is on duty."),
        ("tab-width", "indentation of the frontend", "The frontend is indented with three blanks."),
    ):
        text = NOTE.format(name=name, description=description, body=body)
        made.workspace.store.write(f"{name}.md", text, base_digest=None, origin=ChangeOrigin("person"))
    return made


def texts(body: dict[str, Any]) -> list[str]:
    return ["\n".join(part.get("text", "") or str(part.get("output", "")) for part in m["parts"]) for m in body["messages"]]


def mains(desk: Desk) -> list[dict[str, Any]]:
    records = [json.loads(path.read_text(encoding="utf-8")) for path in sorted(desk.dumps.glob("*.json"))]
    return [record["body"] for record in records if record["kind"] == "main"]


def test_a_memory_is_recalled_behind_the_message_and_stays_there(desk: Desk) -> None:
    session = desk.session({"text": "5433"}, {"text": "you are welcome"}, {"text": "ok"})

    async def scenario() -> None:
        await desk.turn(session, "Which port does the staging database listen on?")
        await desk.turn(session, "thanks")
        await desk.turn(session, "now fix the typo in the README")
        await session.close()

    run(scenario)
    first, second, third = (texts(body) for body in mains(desk))
    at = next(i for i, text in enumerate(first) if "port 5433 of host amber" in text)
    assert "Which port" in first[at - 1]
    assert second[: at + 1] == first[: at + 1] and third[: at + 1] == first[: at + 1]
    assert third[: len(second)] == second
    assert sum("port 5433 of host amber" in text for text in third) == 1
    recalled = desk.of(MemoryRecalled)
    assert [item.path for event in recalled for item in event.items] == ["staging-database.md"]
    stored = next(m for m in desk.services.sessions.load(session.id).messages if "recalled" in (m.notes or {}))
    assert stored.notes is not None and [one["path"] for one in stored.notes["recalled"]] == ["staging-database.md"]


def test_what_a_model_chose_later_stands_behind_the_newest_message(desk: Desk) -> None:
    (desk.workspace_folder / "a.txt").write_text("x", encoding="utf-8")
    session = desk.session(
        {"tool_calls": [call("Read", file_path="a.txt")], "delay_ms": 300},
        {"text": "done"},
        {"for": "select", "text": json.dumps({"names": ["tab-width.md"]})},
    )

    async def scenario() -> None:
        await desk.turn(session, "Reformat the stylesheet of the user interface please")
        await session.close()

    run(scenario)
    first, second = mains(desk)
    assert not any("three blanks" in text for text in texts(first))
    assert "three blanks" in texts(second)[-1]
    assert texts(second)[: len(texts(first))] == texts(first)


def test_a_deleted_memory_leaves_the_requests(desk: Desk) -> None:
    session = desk.session({"text": "5433"}, {"text": "I do not know"})

    async def scenario() -> None:
        await desk.turn(session, "Which port does the staging database listen on?")
        desk.workspace.store.delete("staging-database.md", origin=ChangeOrigin("person"))
        await desk.turn(session, "and which host?")
        await session.close()

    run(scenario)
    assert not any("host amber" in text for text in texts(mains(desk)[1]))


@pytest.mark.parametrize(
    ("answer", "code"),
    [("I've saved this to memory.", "memory.not_saved"), ("好的，已从记忆中删除。", "memory.not_forgotten")],
)
def test_a_claim_without_a_write_is_told_and_kept(desk: Desk, answer: str, code: str) -> None:
    session = desk.session({"text": answer})

    async def scenario() -> None:
        await desk.turn(session, "hello there my friend")
        await session.close()

    run(scenario)
    assert [notice.code for notice in desk.of(Notice) if notice.code.startswith("memory.not")] == [code]
    stored = desk.services.sessions.load(session.id).messages[-1]
    assert stored.notes is not None and stored.notes["claim"] == code.removeprefix("memory.")


def test_what_is_deleted_in_the_turn_leaves_its_later_requests(desk: Desk) -> None:
    gone = desk.workspace.store.root / "staging-database.md"
    session = desk.session({"tool_calls": [call("Bash", command=f"rm {gone}")]}, {"text": "done"})

    async def scenario() -> None:
        await desk.turn(session, "Forget on which port the staging database listens")
        await session.close()

    run(scenario)
    first, second = mains(desk)
    assert any("host amber" in text for text in texts(first))
    assert not gone.exists()
    assert not any("host amber" in text for text in texts(second))
