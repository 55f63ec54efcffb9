"""“Remember this” as the person's act: what is written and where, in both languages, what is known already, what is refused."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.agent.remember import Remembered, kind_of_fact, remember
from desktop.base.errors import RefusedError, UsageError
from desktop.memory.frontmatter import parse
from desktop.memory.note import find_note
from desktop.memory.switches import MemoryState
from tests.unit.memory.conftest import make_desk
from tests.unit.memory.searching import Searching

OFF = MemoryState(False, "Memory is off for this session; it was created so.", False, "off", "off", "session")
INCOGNITO = MemoryState(True, "", False, "incognito", "off", "incognito")
WRITE_OFF = MemoryState(True, "", False, "Memory writing is off.", "off", "memory.write")


@pytest.fixture
def world(tmp_path: Path) -> Searching:
    return Searching(make_desk(tmp_path))


def said(world: Searching, text: str, **values: str) -> Remembered:
    return remember(world.memories, text, clock=world.desk.clock, **values)  # type: ignore[arg-type]


def test_a_sentence_is_on_disk_at_once_with_its_line(world: Searching) -> None:
    done = said(world, "We deploy to the harbour cluster, never to the old one", session_id="sess_a", message_id="msg_b")
    store = world.memories.store()
    note = find_note(store.root, done.path)
    assert note is not None
    assert (note.explicit, note.origin_session, note.origin_message) == (True, "sess_a", "msg_b")
    assert "We deploy to the harbour cluster" in parse((store.root / done.path).read_bytes()).body
    assert done.path in (store.root / "MEMORY.md").read_text()
    assert done.change is not None
    assert done.change.origin.actor == "person"
    assert [(one.root, one.path, one.change) for one in done.changes] == [("project", done.path, done.change.id)]


@pytest.mark.parametrize(
    ("text", "body"),
    [
        ("that we use bun", "we use bun"),
        ("to run lint before commits", "run lint before commits"),
        ("that server is slow", "that server is slow"),
        ('"we use bun"', "we use bun"),
        ("'we use bun'", "we use bun"),
        ('"bun" is not "npm"', '"bun" is not "npm"'),
        ("To Kim goes billing", "To Kim goes billing"),
    ],
)
def test_what_joins_it_to_the_command_is_not_remembered(world: Searching, text: str, body: str) -> None:
    done = said(world, text)
    assert parse((world.memories.store().root / done.path).read_bytes()).body.strip() == body


def test_a_file_is_not_named_after_a_day_that_moves(world: Searching) -> None:
    assert said(world, "Kim leaves next Friday").path == "kim-leaves.md"
    assert said(world, "下周五冻结接口").path == "冻结接口.md"


def test_undo_leaves_nothing_behind(world: Searching) -> None:
    done = said(world, "Reviews happen on Thursdays")
    assert done.change is not None
    store = world.memories.store()
    store.undo(done.change.id)
    assert find_note(store.root, done.path) is None
    assert not (store.root / "MEMORY.md").exists(), "there was no index before"


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        ("Always run the linter before a commit", "feedback"),
        ("Never push to main", "feedback"),
        ("以后回答都用中文", "feedback"),
        ("不要改动 vendor 目录", "feedback"),
        ("I am the release manager", "user"),
        ("我是后端工程师", "user"),
        ("The design board is at https://boards.example.org/7", "reference"),
        ("接口文档在 https://docs.example.org", "reference"),
        ("The cache lives in Redis", "project"),
        ("数据库端口是 5433", "project"),
    ],
)
def test_the_type_follows_from_the_words(text: str, kind: str) -> None:
    assert kind_of_fact(text) == kind


def test_the_same_again_is_known_and_writes_nothing(world: Searching) -> None:
    first = said(world, "数据库端口是 5433")
    again = said(world, "数据库端口是 5433。")
    assert (again.known, again.change, again.path, again.changes) == (True, None, first.path, ())
    assert first.path in again.message
    assert len(world.memories.store().notes()) == 1


def test_two_facts_never_share_a_file(world: Searching) -> None:
    paths = {said(world, text).path for text in ("Garden shed paint cans stay closed", "Garden shed paint cans come from Oslo by train")}
    assert len(paths) == 2


def test_global_goes_to_all_projects(world: Searching) -> None:
    done = said(world, "Explain the reason before the change", to="user")
    assert done.root == "user"
    assert (world.memories.store("user").root / done.path).exists()
    assert world.memories.store().notes() == []


def test_a_secret_is_refused_with_the_way_out(world: Searching) -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 4
    with pytest.raises(RefusedError) as caught:
        said(world, f"the token for the registry is {secret}")
    assert secret not in str(caught.value)
    assert "where the secret is kept" in caught.value.hint
    assert world.memories.store().notes() == []


@pytest.mark.parametrize("state", [OFF, INCOGNITO])
def test_off_and_incognito_say_so_and_write_nothing(world: Searching, state: MemoryState) -> None:
    world.state = state
    before = world.bytes_below(world.desk.paths.data)
    with pytest.raises(RefusedError) as caught:
        said(world, "We use bun")
    assert caught.value.message and caught.value.hint
    assert world.bytes_below(world.desk.paths.data) == before


def test_a_switch_that_binds_agents_does_not_bind_the_person(world: Searching) -> None:
    world.state = WRITE_OFF
    assert said(world, "We use bun").change is not None


@pytest.mark.parametrize("text", ["", "   ", "…", '""'])
def test_nothing_is_not_remembered(world: Searching, text: str) -> None:
    with pytest.raises(UsageError):
        said(world, text)


def test_quotation_marks_around_all_of_it_are_not_part_of_it(world: Searching) -> None:
    done = said(world, "“We use bun”")
    assert parse((world.memories.store().root / done.path).read_bytes()).body.strip() == "We use bun"


def test_relative_dates_become_days_and_keywords_come_in_both_languages(world: Searching) -> None:
    done = said(world, "The database migration starts tomorrow")
    note = find_note(world.memories.store().root, done.path)
    assert note is not None
    text = (world.memories.store().root / done.path).read_text()
    body = parse(text.encode()).body
    assert "tomorrow" not in body
    assert str(world.desk.clock.now().year) in body
    assert any("\u4e00" <= c <= "\u9fff" for word in note.keywords for c in word)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("The staging port is 8080", "The staging port is 9090"),
        ("数据库端口是 5433", "数据库端口是 5440"),
        ("Our package manager is pnpm", "Our package manager is bun"),
    ],
)
def test_another_value_takes_the_place_of_the_old_one_and_undo_brings_it_back(world: Searching, old: str, new: str) -> None:
    first, second = said(world, old), said(world, new)
    store = world.memories.store()
    texts = " ".join((store.root / note.path).read_text() for note in store.notes())
    assert new in texts
    assert old not in texts
    assert second.change is not None
    assert second.message != first.message
    store.undo(second.change.id)
    texts = " ".join((store.root / note.path).read_text() for note in store.notes())
    assert old in texts
    assert new not in texts


def test_what_holds_everywhere_is_known_here(world: Searching) -> None:
    first = said(world, "Explain the reason before the change", to="user")
    again = said(world, "Explain the reason before the change")
    assert (again.known, again.root, again.path) == (True, "user", first.path)


def test_the_persons_own_words_may_hold_a_placeholder(world: Searching) -> None:
    assert said(world, "Tickets are found at tickets.example.org/<number>").change is not None


def test_where_one_file_is_all_the_memory_it_gets_a_line(world: Searching) -> None:
    """Profile single: one step, into the file itself; the rest of it stays byte for byte."""
    world.settings = {"memory.layout": "single"}
    world.memories = world.fresh_memories()
    file = world.put("MEMORY.md", "# Notes\r\n\r\n- pier nine is closed", root="workspace")
    world.memories.allow_workspace(world.memories.workspace_file().digest)
    done = said(world, "the crane\nis new")
    assert file.read_bytes() == b"# Notes\r\n\r\n- pier nine is closed\r\n- the crane is new\r\n"
    assert (done.root, done.changes[0].root) == ("workspace", "workspace")
    assert world.memories.workspace_file().state == "trusted"
    assert said(world, "The crane is new.").known
    assert world.memories.store().notes() == []


def test_a_strangers_file_gets_the_line_and_it_is_said_that_it_is_not_loaded(world: Searching) -> None:
    world.settings = {"memory.layout": "single"}
    world.memories = world.fresh_memories()
    world.put("MEMORY.md", "- pier nine is closed\n", root="workspace")
    done = said(world, "the crane is new")
    assert done.change is not None
    assert "not loaded" in done.message
