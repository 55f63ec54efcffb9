"""Slash commands on a real session: what each shows, that none asks a model or stores anything, and what they say while memory is off."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.agent.jobs.report import Report
from desktop.agent.session import AgentSession
from desktop.agent.slash import COMMANDS, CommandResult, run
from desktop.agent.slash.about_session import extraction_text
from desktop.base.errors import ProviderError
from desktop.memory.change import ChangeOrigin
from desktop.memory.identity import set_memory_switch
from desktop.memory.note import INDEX_NAME
from desktop.messages.events import MemoryLoaded
from desktop.messages.usage import Usage
from desktop.providers.base import ModelRequest
from desktop.providers.no_model import NoModel
from tests.helpers.agent import Desk


@pytest.fixture
def desk(tmp_path: Path) -> Iterator[Desk]:
    made = Desk(tmp_path)
    yield made
    made.services.memory_search.close()
    made.services.session_search.close()


def told(desk: Desk, *lines: str, session: AgentSession | None = None) -> list[CommandResult]:
    """The results of these commands in one session without a model."""

    async def work() -> list[CommandResult]:
        used = session or desk.services.command_session(desk.workspace)
        try:
            return [await used.command(line) for line in lines]
        finally:
            await used.close()

    return asyncio.run(work())


def test_no_command_asks_a_model_or_stores_anything(desk: Desk) -> None:
    results = told(desk, *(f"{one.typed} {'harbour' if one.arguments else ''}".strip() for one in COMMANDS))
    assert len(results) == len(COMMANDS)
    assert not desk.dumps.exists()
    assert list(desk.services.paths.sessions.rglob("*.jsonl")) == []


def test_a_session_of_commands_has_no_model_to_ask(desk: Desk) -> None:
    model = desk.services.command_session(desk.workspace).model
    assert isinstance(model, NoModel)
    assert model.info.id == desk.services.model_id()
    with pytest.raises(ProviderError):
        model.stream(ModelRequest("main", "", ()))


def test_memory_names_every_root_with_its_size_and_says_what_is_missing(desk: Desk) -> None:
    missing, _, found = told(desk, "/memory", "/remember The harbour crane is inspected on Fridays", "/memory")
    assert missing.status == "ok"
    assert {row["exists"] for row in missing.data["roots"]} == {False}
    assert "nothing is remembered here yet" in missing.text
    assert "there is no such file" in missing.text
    project = next(row for row in found.data["roots"] if row["id"] == "project")
    index = desk.workspace.project.memory_root / INDEX_NAME
    assert (project["path"], project["bytes"], project["memories"], project["entries"]) == (str(index), index.stat().st_size, 1, 1)
    assert project["tokens"] > 0
    assert str(index) in found.text
    assert f"{index.stat().st_size:,} bytes" in found.text
    assert [(one.act, one.root, one.path) for one in found.actions if one.act == "open"] == [("open", "project", INDEX_NAME)]
    assert any(one.act == "settings" for one in found.actions)


def test_memory_says_why_it_is_off_and_still_where_it_lies(desk: Desk) -> None:
    told(desk, "/remember The harbour crane is inspected on Fridays")
    set_memory_switch(desk.workspace.project, False, desk.services.clock)
    (result,) = told(desk, "/memory")
    assert (result.status, result.data["enabled"]) == ("ok", False)
    assert result.data["reason"] in result.text
    assert str(desk.workspace.project.memory_root / INDEX_NAME) in result.text


def test_memory_off_is_said_by_each_and_nothing_is_done(desk: Desk) -> None:
    told(desk, "/remember The harbour crane is inspected on Fridays")
    set_memory_switch(desk.workspace.project, False, desk.services.clock)
    before = {path: path.read_bytes() for path in desk.workspace.project.memory_root.rglob("*") if path.is_file()}
    for result in told(desk, "/remember We use bun", "/forget crane", "/recall crane"):
        assert result.status == "error"
        assert "off" in result.text
        assert result.changes == ()
        assert result.data == {"error": result.data["error"]}
    assert {path: path.read_bytes() for path in desk.workspace.project.memory_root.rglob("*") if path.is_file()} == before
    context, status = told(desk, "/context", "/status")
    assert (context.status, status.status) == ("ok", "ok")
    assert status.data["memory"]["enabled"] is False
    assert status.data["memory"]["reason"] in status.text


def test_incognito_is_said_and_nothing_is_written(desk: Desk) -> None:
    told(desk, "/remember The harbour crane is inspected on Fridays")
    session = desk.services.command_session(desk.workspace, incognito=True)
    remember, forget, recall, status, memory = told(
        desk, "/remember We use bun", "/forget crane", "/recall harbour crane", "/status", "/memory", session=session
    )
    assert (remember.status, forget.status) == ("error", "error")
    assert "incognito" in remember.text
    assert "incognito" in forget.text
    assert [hit["path"] for hit in recall.data["hits"]], "it still reads"
    assert status.data["incognito"] is True
    assert "incognito" in memory.text
    assert len(desk.workspace.store.notes()) == 1


def test_remember_forget_and_undo_go_round(desk: Desk) -> None:
    remembered, recalled, forgotten, again = told(
        desk, "/remember 港口起重机每周五检查", "/recall 起重机什么时候检查", "/forget 起重机", "/recall 起重机什么时候检查"
    )
    path = remembered.data["path"]
    assert [hit["path"] for hit in recalled.data["hits"]] == [path]
    assert recalled.data["hits"][0]["reason"]
    assert (forgotten.status, forgotten.data["deleted"]) == ("ok", [path])
    assert again.data["hits"] == []
    assert "Nothing that is remembered fits" in again.text
    desk.workspace.store.undo(forgotten.changes[0].change)
    assert (desk.workspace.project.memory_root / path).exists()


def test_recall_tells_what_is_added_by_itself_from_what_is_only_found(desk: Desk) -> None:
    told(desk, "/remember The harbour crane is inspected on Fridays", "/remember The harbour café opens at nine")
    (result,) = told(desk, "/recall when is the harbour crane inspected?")
    first = result.data["hits"][0]
    assert first["added"] is True
    assert "inspected" in first["reason"]
    assert first["absolute"] in result.text
    assert "today" in result.text
    assert len(result.actions) == len(result.data["hits"])
    desk.services.settings.set("memory.recall", "off")
    (off,) = told(desk, "/recall when is the harbour crane inspected?")
    assert not any(hit["added"] for hit in off.data["hits"])
    assert "Recall is off" in off.text


def test_choices_carry_the_command_that_means_one(desk: Desk) -> None:
    told(desk, "/remember The harbour crane is inspected on Fridays", "/remember The harbour café opens at nine")
    (asked,) = told(desk, "/forget harbour")
    assert asked.status == "ask"
    assert len(asked.actions) == len(asked.data["choices"]) == 2
    assert "1. " in asked.text
    assert "2. " in asked.text
    assert asked.actions[0].text in asked.text
    (done,) = told(desk, asked.actions[0].text)
    assert done.data["deleted"] == [asked.actions[0].path]
    assert len(desk.workspace.store.notes()) == 1


def test_context_shows_every_slot_with_its_tokens(desk: Desk) -> None:
    told(desk, "/remember The harbour crane is inspected on Fridays")
    (result,) = told(desk, "/context")
    assert [slot["slot"] for slot in result.data["slots"]] == ["A", "B", "C", "D", "E", "F"]
    assert result.data["total"] >= sum(slot["tokens"] for slot in result.data["slots"]) > 0
    assert result.data["memory_tokens"] > 0
    assert f"{result.data['total']:,}" in result.text
    paths = [item["path"] for slot in result.data["slots"] for item in slot["items"]]
    assert str(desk.workspace.project.memory_root / INDEX_NAME) in paths


def test_context_says_what_was_cut_and_why(desk: Desk) -> None:
    told(
        desk,
        *(f"/remember Berth {name} is kept for the {name} ferry" for name in ("amber", "cobalt", "crimson", "indigo", "ochre", "violet")),
    )
    desk.services.settings.set("memory.index_lines", 3)
    (result,) = told(desk, "/context")
    items = [item for slot in result.data["slots"] for item in slot["items"] if item["state"] == "cut"]
    assert items
    assert items[0]["dropped"]
    assert "only a part" in result.text
    assert "Left out" in result.text


def test_status_of_a_chat_that_has_said_something(desk: Desk) -> None:
    async def work() -> tuple[str, CommandResult]:
        session = desk.session({"text": "Hello", "usage": {"input_tokens": 1200, "output_tokens": 34}})
        await desk.turn(session, "hello")
        try:
            return session.id, await session.command("/status")
        finally:
            await session.close()

    session_id, result = asyncio.run(work())
    assert result.data["session"] == session_id
    assert result.data["usage"]["input_tokens"] == 1200
    for shown in (session_id, str(desk.workspace.folder), "1,200", "default"):
        assert shown in result.text


def test_help_lists_every_command(desk: Desk) -> None:
    (result,) = told(desk, "/help")
    for command in COMMANDS:
        assert f"`{command.typed}`" in result.text


@pytest.mark.parametrize(
    ("line", "word"), [("/memroy", "/memory"), ("/nonsense", "/help"), ("/new", "window"), ("/remember", "/remember we")]
)
def test_what_cannot_be_done_says_the_way_out(desk: Desk, line: str, word: str) -> None:
    (result,) = told(desk, line)
    assert result.status == "error"
    assert word in result.text


def test_a_command_runs_beside_a_turn(desk: Desk) -> None:
    async def work() -> CommandResult:
        session = desk.session({"text": "slow " * 40, "delay_ms": 30, "chunk": 5})
        turn = asyncio.ensure_future(desk.turn(session, "hello"))
        while not session.messages:
            await asyncio.sleep(0.005)
        result = await session.command("/remember The harbour crane is inspected on Fridays")
        assert not turn.done()
        turn.cancel()
        await turn
        await session.close()
        return result

    assert asyncio.run(work()).changes
    assert len(desk.workspace.store.notes()) == 1


def test_run_is_what_a_session_runs(desk: Desk) -> None:
    async def work() -> CommandResult:
        session = desk.services.command_session(desk.workspace)
        try:
            return await run(session, "/help")
        finally:
            await session.close()

    assert asyncio.run(work()).command == "/help"


def test_looking_at_the_context_takes_nothing_from_the_first_turn(desk: Desk) -> None:
    """The chip “loaded n” belongs to the turn, whatever was looked at before it."""
    told(desk, "/remember The harbour crane is inspected on Fridays")

    async def work() -> None:
        session = desk.session({"text": "Hello"})
        await session.command("/context")
        await desk.turn(session, "hello")
        await session.close()

    asyncio.run(work())
    assert [event.report["entries"] for event in desk.of(MemoryLoaded)] == [1]


def test_with_the_mini_preset_everything_goes_into_the_one_file(desk: Desk) -> None:
    desk.services.settings.set("memory.preset", "mini")
    saved, forgotten = told(desk, "/remember The harbour crane is inspected on Fridays", "/forget harbour crane")
    assert saved.changes[0].root == "workspace"
    assert forgotten.changes[0].root == "workspace"
    assert "crane" not in (desk.workspace_folder / ".agents" / "memory" / INDEX_NAME).read_text()
    assert desk.workspace.store.notes() == []


def test_what_waits_for_review_is_said(desk: Desk) -> None:
    session = desk.services.command_session(desk.workspace)
    origin = ChangeOrigin("extractor", "sess_a", "msg_b")
    session.memories.proposals().add(
        "write", "crane.md", "The crane is new.\n", base=None, base_text="", origin=origin, reason="r", rule="review"
    )
    (memory,) = told(desk, "/memory", session=session)
    assert "Waiting for your review: 1." in memory.text


def test_the_last_extraction_in_words() -> None:
    done = Report("run", None, "success", ("crane.md",), proposed=("p1", "p2"), usage=Usage(900, 100))
    assert extraction_text(done) == "something was written: `crane.md`, 2 waiting for your review, 1,000 tokens"
    assert extraction_text(None) == "none in this chat yet"
    assert extraction_text(Report("run", None, "error")) == "it failed"
    assert extraction_text(Report("skip", "no-user-prose")) == "it was not needed"
    assert extraction_text(Report("off", "disabled")) == "off"


def test_the_origin_of_a_memory_can_be_gone_back_to_or_is_none(desk: Desk) -> None:
    told(desk, "/remember The harbour crane is inspected on Fridays")

    async def work() -> str:
        session = desk.session({"text": "Hello"})
        await desk.turn(session, "hello")
        await session.command("/remember The ferry leaves from pier two")
        await session.close()
        return session.id

    session_id = asyncio.run(work())
    assert sorted(note.origin_session or "" for note in desk.workspace.store.notes()) == ["", session_id]
