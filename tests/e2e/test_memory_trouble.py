"""Memory in trouble: switched off by every way, broken settings, folders that cannot be written, two processes at once, and undo, edits and
forgetting while the memory keeper works. What must hold: a clear word, and nothing lost."""

from __future__ import annotations

import asyncio
import json
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.jobs.report import Report
from desktop.memory.change import ChangeOrigin
from tests.e2e.headless import Headless, note_call
from tests.helpers.agent import run
from tests.helpers.script import call
from tests.unit.agent.jobs.keeper_desk import KeeperDesk, keeps, note

PERSON = ChangeOrigin("person")
DONE = keeps(text="done")


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


@pytest.fixture
def desk(tmp_path: Path) -> KeeperDesk:
    return KeeperDesk(tmp_path)


def memory_files(app: Headless) -> dict[str, bytes]:
    root = app.profile / "data" / "memories"
    return {str(path): path.read_bytes() for path in sorted(root.rglob("*.md"))}


# --- switches and folders, as a person meets them -------------------------------------------------------------------------


def test_off_by_the_variable_or_for_the_folder_each_command_says_so_and_does_nothing(app: Headless) -> None:
    assert app.run("-p", "/remember The ferry leaves at nine").status == 0
    before = memory_files(app)
    variable = {"KEEPSAKE_DISABLE_MEMORY": "1"}
    for words, environ in (
        ("/remember Owls hunt at night", variable),
        ("/forget ferry", variable),
        ("/recall When does the ferry leave?", variable),
    ):
        ended = app.run("-p", words, environ=environ)
        assert ended.status == 1 and "KEEPSAKE_DISABLE_MEMORY" in ended.err and ended.out == ""
    assert app.run("memory", "off").status == 0
    for words in ("/remember Owls hunt at night", "/记住 猫头鹰夜里捕食", "/forget ferry"):
        ended = app.run("-p", words)
        assert ended.status == 1 and "Memory is off" in ended.err
    assert memory_files(app) == before and any("ferry" in data.decode() for data in before.values())


def test_broken_settings_stop_agents_and_no_person(app: Headless) -> None:
    """The broken file is kept, agents write nothing until the person decides, and what the person says is remembered."""
    assert app.run("-p", "/remember The ferry leaves at nine").status == 0
    root = app.run("memory", "list", "--json").json["root"]
    settings = app.profile / "config" / "settings.json"
    settings.parent.mkdir(parents=True, exist_ok=True)
    settings.write_text('{"memory.recall": ', encoding="utf-8")
    said = app.run("-p", "/remember Owls hunt at night")
    assert said.status == 0 and "settings.json" in said.err and "broken" in said.err
    assert [path.read_text() for path in settings.parent.glob("settings.json.broken-*")] == ['{"memory.recall": ']
    tried = app.ask("hello there", app.script({"tool_calls": [note_call("agents", root)]}, {"text": "ok"}), "--allow-write")
    assert "agents.md" not in str(list(memory_files(app))) and tried.json["memory"]["saved"] == []
    assert any("Owls" in data.decode() for data in memory_files(app).values())


def test_a_memory_folder_that_cannot_be_made_is_said_and_nothing_is_lost(app: Headless) -> None:
    (app.profile / "data").mkdir(parents=True)
    (app.profile / "data" / "memories").write_text("a file where the folder should be", encoding="utf-8")
    for words in ("/remember Owls hunt at night", "/forget owls"):
        ended = app.run("-p", words)
        assert ended.status == 1 and "memories" in ended.err and "Traceback" not in ended.err
    assert (app.profile / "data" / "memories").read_text() == "a file where the folder should be"


# --- the keeper in trouble ------------------------------------------------------------------------------------------------


def _blocked(place: Path) -> None:
    """A file where a folder has to be made: what a full or read-only disk is to whoever writes there, also for root."""
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_text("in the way", encoding="utf-8")


def test_a_proposal_that_cannot_be_kept_is_proposed_the_next_time(desk: KeeperDesk) -> None:
    """A full disk under the inbox: the run counts as failed, so that its messages are looked at again, and then the proposal is there."""
    review = desk.services.paths.data / "state" / "review"
    _blocked(review)
    cake = keeps([desk.write("cake", "The team likes cake.")])

    async def scenario() -> tuple[Report, object, Report]:
        session = desk.next_session({"text": "ok"}, {"text": "ok"}, cake, DONE, cake, DONE)
        await desk.turn(session, "Please look at the tests of the parser today")
        first = await session.extract_now()
        cursor = session.handle.meta.get("extraction_cursor")
        review.unlink()
        await desk.turn(session, "And then at the tests of the printer, please")
        second = await session.extract_now()
        await session.close()
        return first, cursor, second

    first, cursor, second = run(scenario)
    assert first.outcome == "error" and not cursor, "nothing counts as looked at"
    assert len(second.proposed) == 1 and [one.path for one in desk.waiting()] == ["cake.md"]
    outputs = [part["output"] for body in desk.bodies() for m in body["messages"] for part in m["parts"] if part["kind"] == "tool_result"]
    assert any(str(review) in output for output in outputs), "it names the place that cannot be written"


def test_a_memory_that_cannot_be_written_is_tried_again(desk: KeeperDesk) -> None:
    snapshots = desk.services.paths.snapshots / desk.workspace.project.key
    _blocked(snapshots)
    deploys = keeps([desk.write("deploys", "We deploy on Fridays.")])

    async def scenario() -> tuple[Report, Report]:
        session = desk.next_session({"text": "ok"}, {"text": "ok"}, deploys, DONE, deploys, DONE)
        await desk.turn(session, "We deploy on Fridays")
        first = await session.extract_now()
        snapshots.unlink()
        await desk.turn(session, "And now let us look at the tests of the printer")
        second = await session.extract_now()
        await session.close()
        return first, second

    first, second = run(scenario)
    assert (first.outcome, first.written) == ("error", ())
    assert second.written == ("deploys.md",) and "We deploy on Fridays." in desk.notes()["deploys.md"]


@pytest.mark.parametrize("tool", ["Read", "Write", "Bash", "mcp__server__run"])
def test_a_keeper_that_never_comes_to_an_end_has_five_rounds(desk: KeeperDesk, tool: str) -> None:
    """S14: at most five rounds, whatever it calls and however it is answered; its messages are not offered again for that (B19)."""
    calls = {
        "Read": call("Read", file_path="x.txt"),
        "Write": call("Write", file_path=desk.path("loop"), content=note("loop", "The team likes cake.")),
        "Bash": call("Bash", command="ls"),
        "mcp__server__run": call("mcp__server__run", command="x"),
    }
    (desk.workspace_folder / "x.txt").write_text("x\n", encoding="utf-8")
    report = run(lambda: desk.extracted("Please look at the tests of the parser today", *[keeps([calls[tool]])] * 12))
    assert sum(body["kind"] == "extract" for body in desk.bodies()) == 5
    assert report.outcome in ("no-op", "success") and report.written == () and desk.notes() == {}


# --- at the same time -----------------------------------------------------------------------------------------------------


def test_two_processes_extract_at_once_and_both_memories_and_lines_are_there(app: Headless) -> None:
    root = app.run("memory", "list", "--json").json["root"]
    facts = {"ferry": "The ferry leaves at nine.", "harbour": "The harbour closes at midnight."}
    started = []
    for name, fact in facts.items():
        writes = {"for": "extract", "tool_calls": [note_call(name, root, fact)], "text": "x" * 200, "chunk": 20, "delay_ms": 20}
        model = app.script({"text": "ok"}, writes, {"for": "extract", "text": "done"}, name=f"{name}.json")
        started.append(app.start("-p", fact, "--model", model, "--memory-bench", "--output", "json"))
    ended = [process.communicate(timeout=60) for process in started]
    assert [process.returncode for process in started] == [0, 0], ended
    reports = [json.loads(out)["extraction"] for out, _ in ended]
    assert sorted(path for report in reports for path in report["written"]) == ["ferry.md", "harbour.md"]
    index = Path(root, "MEMORY.md").read_text(encoding="utf-8")
    for name, fact in facts.items():
        assert fact in Path(root, f"{name}.md").read_text(encoding="utf-8") and index.count(f"({name}.md)") == 1


def _slow(calls: list[dict[str, Any]]) -> dict[str, Any]:
    return keeps(calls, "x" * 400, chunk=20, delay_ms=20)


async def _until_asked(desk: KeeperDesk, extracts: int) -> None:
    """The keeper has been asked so many times; what it answers is under way."""
    while sum(body["kind"] == "extract" for body in desk.bodies()) < extracts:
        await asyncio.sleep(0.005)


def test_an_undo_while_the_keeper_works_is_not_undone_by_it(desk: KeeperDesk) -> None:
    store = desk.workspace.store
    made = store.write("bees.md", note("bees", "Bees fly at dawn."), base_digest=None, origin=PERSON)
    reads, writes = keeps([call("Read", file_path=desk.path("bees"))]), [desk.write("bees", "Bees fly at dawn.\n\nThey like clover.")]

    async def scenario() -> Report:
        session = desk.next_session({"text": "ok"}, reads, _slow(writes), DONE)
        await desk.turn(session, "Bees like clover, they like clover a lot")
        job = asyncio.create_task(session.extract_now())
        await _until_asked(desk, 2)
        store.undo(made.id)
        report = await job
        await session.close()
        return report

    run(scenario)
    assert "Bees fly at dawn." not in "".join(desk.notes().values()), "what was taken back is not written back"
    index = desk.root / "MEMORY.md"
    assert not index.exists() or index.read_text().count("(bees.md)") == len([name for name in desk.notes() if name == "bees.md"])


def test_what_is_forgotten_while_the_keeper_works_stays_forgotten(desk: KeeperDesk) -> None:
    store = desk.workspace.store
    store.write("bees.md", note("bees", "Bees fly at dawn."), base_digest=None, origin=PERSON)

    async def scenario() -> str:
        session = desk.next_session({"text": "ok"}, _slow([desk.write("insects", "Bees fly at dawn.")]), DONE)
        await desk.turn(session, "As I said, bees fly at dawn")
        job = asyncio.create_task(session.extract_now())
        await _until_asked(desk, 1)
        result = await session.command("/forget bees")
        await job
        await session.close()
        return result.status

    assert run(scenario) == "ok"
    assert desk.notes() == {} and desk.waiting() == []


def test_an_edit_by_hand_while_the_keeper_works_is_kept_beside_what_it_writes(desk: KeeperDesk) -> None:
    """B17 by an editor that saves the file anew, and by a program that adds another file."""
    store = desk.workspace.store
    store.write("bees.md", note("bees", "Bees fly at dawn.\n\nTheir hive is blue."), base_digest=None, origin=PERSON)
    text = "Bees fly at dawn.\n\nTheir hive is blue.\n\nThey like clover."

    async def scenario() -> None:
        session = desk.next_session(
            {"text": "ok"}, keeps([call("Read", file_path=desk.path("bees"))]), _slow([desk.write("bees", text)]), DONE
        )
        await desk.turn(session, "Bees like clover, by the way. They like clover.")
        job = asyncio.create_task(session.extract_now())
        await _until_asked(desk, 2)
        edited = note("bees", "The queen is called Zoe.\n\nBees fly at dawn.\n\nTheir hive is blue.")
        beside = desk.root / "bees.md~"
        beside.write_text(edited, encoding="utf-8")
        beside.replace(desk.root / "bees.md")
        (desk.root / "owls.md").write_text(note("owls", "Owls hunt at night."), encoding="utf-8")
        await job
        await session.close()

    run(scenario)
    assert "The queen is called Zoe." in desk.notes()["bees.md"] and "Owls hunt at night." in desk.notes()["owls.md"]


@pytest.mark.parametrize("by", ["rm", "memory_index"])
def test_what_the_keeper_took_away_itself_it_may_write_anew(desk: KeeperDesk, by: str) -> None:
    desk.workspace.store.write("deploys.md", note("deploys", "We deploy on Fridays."), base_digest=None, origin=PERSON)
    gone = call("Bash", command=f"rm {desk.path('deploys')}") if by == "rm" else call("memory_index", action="forget", file="deploys.md")
    steps = [
        keeps([call("Read", file_path=desk.path("deploys"))]),
        keeps([gone]),
        keeps([desk.write("deploys", "The hive is blue.")]),
        DONE,
    ]
    run(lambda: desk.extracted("Forget when we deploy. Remember instead that the hive is blue.", *steps))
    assert "The hive is blue." in desk.notes()["deploys.md"]


def test_what_the_person_took_back_right_after_the_turn_is_not_extracted_again(desk: KeeperDesk) -> None:
    """The agent saves it, the person presses Undo on its chip, and the keeper looks at the same message."""

    async def scenario() -> None:
        write = desk.write("ferry", "The ferry leaves at nine.")
        session = desk.next_session({"tool_calls": [write]}, {"text": "ok"}, keeps([write]), DONE)
        await desk.turn(session, "The ferry leaves at nine")
        desk.workspace.store.undo()
        await session.extract_now()
        await session.close()

    run(scenario)
    assert desk.notes() == {}
