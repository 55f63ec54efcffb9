"""Memory over the turns of one conversation: which bytes of requests stay, what comes and goes with a switch, what a resumed one knows.

Sessions in this process with a scripted model; what is looked at are the dumped requests.
"""

from __future__ import annotations

import json
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.remember import remember
from desktop.agent.session import AgentSession
from desktop.memory.change import ChangeOrigin
from desktop.memory.identity import set_memory_switch
from desktop.messages.events import MemoryRecalled
from tests.helpers.agent import Desk, run
from tests.helpers.script import call

PERSON = ChangeOrigin("person")
FACTS = {
    "oven-heat": ("how hot the bread oven is", "The bread oven is heated to 240 degrees PLUMCANARY."),
    "flour-mill": ("which mill the flour comes from", "The flour comes from the mill in Ahornbach FIGCANARY."),
    "delivery-van": ("when the delivery van leaves", "The delivery van leaves at half past five KIWICANARY."),
    "蛋糕订单": ("蛋糕订单的截止时间", "蛋糕订单必须在周三中午之前确认 桃子金丝雀。"),
}
ASKED = (
    ("How hot is the bread oven heated?", "PLUMCANARY"),
    ("Which mill does the flour come from?", "FIGCANARY"),
    ("When does the delivery van leave?", "KIWICANARY"),
    ("蛋糕订单什么时候截止？", "桃子金丝雀"),
)


def note(name: str, description: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: project\n---\n\n{body}\n"


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    made = Desk(tmp_path)
    made.services.settings.set("memory.recall_wait_ms", 5_000)
    (made.workspace_folder / "list.txt").write_text("rye, spelt, oats\n", encoding="utf-8")
    for name, (description, body) in FACTS.items():
        made.workspace.store.write(f"{name}.md", note(name, description, body), base_digest=None, origin=PERSON)
    return made


def mains(desk: Desk) -> list[dict[str, Any]]:
    return [body for body in desk.bodies() if body["kind"] == "main"]


def text_of(body: dict[str, Any]) -> str:
    return json.dumps([body["system"], body["messages"]], ensure_ascii=False)


def sent(body: dict[str, Any]) -> list[str]:
    """Each message as it goes out; ids and times are the app's own and change nothing for a provider."""
    return [json.dumps([message["role"], message["parts"]], ensure_ascii=False, sort_keys=True) for message in body["messages"]]


def persons(body: dict[str, Any], said: str) -> int:
    """Where a message of the person stands."""
    return next(number for number, message in enumerate(body["messages"]) if any(part.get("text") == said for part in message["parts"]))


# --- the prefix -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("mode", ["lexical", "model"])
def test_five_turns_share_their_bytes_up_to_the_newest_message(desk: Desk, mode: str) -> None:
    """With recall by words and by a model, changes of memory between and within turns, and tool calls: A, B, F and all that was said."""
    desk.services.settings.set("memory.recall", mode)
    said = [*(question for question, _ in ASKED), "And what is on the list again?"]
    reads = {"tool_calls": [call("Read", file_path="list.txt")], "delay_ms": 60}
    fact = call("Write", file_path=str(desk.workspace.store.root / "yeast.md"), content=note("yeast", "yeast", "The yeast lives."))
    script: list[dict[str, Any]] = [
        {"for": "select", "text": '{"files": ["delivery-van.md"]}'},
        reads,
        {"text": "240"},
        {"tool_calls": [fact]},
        {"text": "Ahornbach"},
        reads,
        {"text": "half past five"},
        {"text": "周三"},
        reads,
        {"text": "rye"},
    ]

    async def scenario() -> None:
        session = desk.session(*script)
        for number, text in enumerate(said):
            await desk.turn(session, text)
            text = note(f"between-{number}", f"change {number}", f"Change {number}.")
            desk.workspace.store.write(f"between-{number}.md", text, base_digest=None, origin=PERSON)
        await session.close()

    run(scenario)
    bodies = mains(desk)
    assert len(bodies) == 9
    for earlier, later in pairwise(bodies):
        assert earlier["system"] == later["system"] and earlier["tools"] == later["tools"]
        newest = max(persons(earlier, text) for text in said if any(text in message for message in sent(earlier)))
        shared = newest + 1 + (len(sent(earlier)) - newest - 1 if sent(later)[: len(sent(earlier))] == sent(earlier) else 0)
        assert sent(later)[:shared] == sent(earlier)[:shared] and shared > newest
    recalled = [ref.path for event in desk.of(MemoryRecalled) for ref in event.items]
    assert len(recalled) == len(set(recalled)) >= 3
    assert any("between" in message for message in sent(bodies[-1])), "what changed meanwhile is told at the end"


def test_within_a_turn_nothing_that_was_sent_changes(desk: Desk) -> None:
    reads = {"tool_calls": [call("Read", file_path="list.txt")], "delay_ms": 60}

    async def scenario() -> None:
        session = desk.session({"for": "select", "text": '{"files": ["flour-mill.md"]}'}, reads, reads, reads, {"text": "ok"})
        await desk.turn(session, "How hot is the bread oven heated?")
        await session.close()

    run(scenario)
    bodies = mains(desk)
    assert len(bodies) == 4 and "FIGCANARY" in text_of(bodies[-1])
    for earlier, later in pairwise(bodies):
        assert sent(later)[: len(sent(earlier))] == sent(earlier)


# --- what comes and goes --------------------------------------------------------------------------------------------------


def _memory_off(desk: Desk, session: AgentSession, how: str) -> None:
    if how == "workspace switch, applied":
        set_memory_switch(desk.workspace.project, False, desk.services.clock)
        session.apply_memory_switch()
    else:
        desk.services.settings.set(how, False)


@pytest.mark.parametrize("how", ["workspace switch, applied", "memory.use", "features.memory"])
def test_switched_off_within_a_session_no_byte_of_memory_is_left_and_on_again_it_is_there(desk: Desk, how: str) -> None:
    said = [question for question, _ in ASKED]
    root = str(desk.workspace.store.root)
    reads = {"tool_calls": [call("Read", file_path=f"{root}/flour-mill.md"), call("memory_search", queries=["mill"])]}

    answers: list[dict[str, Any]] = [{"text": "ok"}, reads, *[{"text": "ok"}] * 4, {"for": "select", "text": "{}"}]

    async def scenario() -> None:
        session = desk.session(*answers)
        await desk.turn(session, said[0])
        await desk.turn(session, said[1])
        (desk.workspace.store.root / "late.md").write_text(note("late", "late", "Late PEARCANARY."), encoding="utf-8")
        _memory_off(desk, session, how)
        await desk.turn(session, "And what would you do about the bread oven and the flour?")
        if how == "workspace switch, applied":
            set_memory_switch(desk.workspace.project, True, desk.services.clock)
            session.apply_memory_switch()
            await desk.turn(session, "How hot is the bread oven heated, then?")
        await session.close()

    run(scenario)
    bodies = mains(desk)
    before, off = bodies[2], bodies[3]
    assert "PLUMCANARY" in text_of(before) and "FIGCANARY" in text_of(before) and "memory_search" in json.dumps(before["tools"])
    gone = ["CANARY", "金丝雀", "recalled-memory", "memory-changes", "# Memory", root, "flour-mill", "oven-heat"]
    assert [word for word in gone if word in text_of(off)] == []
    assert not [tool for tool in off["tools"] if tool["name"].startswith("memory_")]
    every = desk.bodies(select=True)
    later = every[every.index(off) :]
    assert how == "workspace switch, applied" or "select" not in {body["kind"] for body in later}
    if how == "workspace switch, applied":
        assert "PLUMCANARY" in text_of(bodies[4]) and "# Memory" in bodies[4]["system"]


def test_recall_switched_off_within_a_session_takes_what_was_recalled_out(desk: Desk) -> None:
    async def scenario() -> None:
        session = desk.session({"text": "ok"}, {"text": "ok"}, {"text": "ok"}, {"for": "select", "text": "{}"})
        await desk.turn(session, ASKED[0][0])
        desk.services.settings.set("memory.recall", "off")
        await desk.turn(session, ASKED[1][0])
        desk.services.settings.set("memory.recall", "lexical")
        await desk.turn(session, ASKED[2][0])
        await session.close()

    run(scenario)
    first, second, third = (text_of(body) for body in mains(desk))
    assert "PLUMCANARY" in first and "CANARY" not in second
    assert "KIWICANARY" in third and "FIGCANARY" not in third


def test_forgotten_while_recall_holds_it(desk: Desk) -> None:
    """`/forget` between turns: the recalled text leaves, and the words that made it come find nothing."""

    async def scenario() -> str:
        session = desk.session({"text": "240"}, {"text": "I do not know"}, {"for": "select", "text": "{}"})
        await desk.turn(session, ASKED[0][0])
        result = await session.command("/forget oven-heat")
        await desk.turn(session, ASKED[0][0] + " Say it again.")
        await session.close()
        return result.status

    assert run(scenario) == "ok"
    first, second = (text_of(body) for body in mains(desk))
    assert "PLUMCANARY" in first and "PLUMCANARY" not in second


@pytest.mark.parametrize("again", ["edited", "touched"])
def test_a_recalled_file_that_is_edited_is_shown_anew_and_one_that_is_touched_stays(desk: Desk, again: str) -> None:
    path = desk.workspace.store.root / "oven-heat.md"

    async def scenario() -> None:
        session = desk.session({"text": "240"}, {"text": "ok"}, {"for": "select", "text": "{}"})
        await desk.turn(session, ASKED[0][0])
        text = path.read_text(encoding="utf-8")
        path.write_text(text.replace("240", "260") if again == "edited" else text, encoding="utf-8")
        await desk.turn(session, ASKED[0][0] + " Say it again.")
        await session.close()

    run(scenario)
    first, second = mains(desk)
    assert text_of(second).count("PLUMCANARY") == 1
    assert ("260 degrees" in text_of(second)) is (again == "edited")
    assert ("240 degrees" in text_of(second)) is (again == "touched")
    if again == "touched":
        assert sent(second)[: persons(first, ASKED[0][0]) + 2] == sent(first)[: persons(first, ASKED[0][0]) + 2]


# --- resumed, forked, incognito -------------------------------------------------------------------------------------------


def test_a_resumed_session_has_what_was_recalled_before_and_its_transcript_says_so(desk: Desk) -> None:
    async def scenario() -> list[str]:
        session = desk.session({"text": "240"}, {"for": "select", "text": "{}"})
        await desk.turn(session, ASKED[0][0])
        await session.close()
        model = desk.script({"text": "240"}, {"text": "ok"}, {"for": "select", "text": "{}"}, name="again.json")
        resumed = desk.services.resume(session.id, model_id=model)
        kept = [one["path"] for message in resumed.messages for one in (message.notes or {}).get("recalled", ())]
        await desk.turn(resumed, "And which mill does the flour come from?")
        await resumed.close()
        return kept

    assert run(scenario) == ["oven-heat.md"]
    later = text_of(mains(desk)[-1])
    assert "FIGCANARY" in later and later.count("PLUMCANARY") == 1, "it stands where it stood before the restart, once"


def test_an_incognito_session_recalls_and_leaves_no_trace_of_it(desk: Desk) -> None:
    before = {path: path.read_bytes() for path in (desk.folder / "profile" / "data" / "memories").rglob("*") if path.is_file()}

    async def scenario() -> None:
        model = desk.script({"text": "240"}, {"for": "select", "text": "{}"})
        session = desk.services.new_session(desk.workspace, model_id=model, incognito=True)
        seen: list[str] = []
        await desk.turn(session, "How hot is the bread oven heated, zirkonhund?")
        seen += [ref.path for event in desk.of(MemoryRecalled) for ref in event.items]
        assert seen == ["oven-heat.md"]
        await session.close()

    run(scenario)
    data = desk.folder / "profile"
    assert not [path for path in data.rglob("*") if path.is_file() and b"zirkonhund" in path.read_bytes()]
    assert {path: path.read_bytes() for path in before} == before


def test_what_is_remembered_between_turns_is_known_in_the_next_and_undone_it_is_not(desk: Desk) -> None:
    """Check 9 without compaction: by the delta in this session, at the start of another one."""

    async def scenario() -> None:
        session = desk.session(*[{"text": "ok"}] * 3, {"for": "select", "text": "{}"})
        await desk.turn(session, "Good morning to you all")
        saved = remember(session.memories, "The oven door squeaks GRAPECANARY", clock=desk.services.clock)
        assert saved.change is not None
        await desk.turn(session, "What do we do today, my friend?")
        session.memories.store().undo(saved.change.id)
        await desk.turn(session, "And what do we do tomorrow?")
        await session.close()

    run(scenario)
    first, second, third = (text_of(body) for body in mains(desk))
    assert ["GRAPECANARY" in text or "grapecanary" in text.lower() for text in (first, second, third)] == [False, True, False]
