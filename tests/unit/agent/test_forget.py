"""“Forget that” as the person's act: what is found, what is deleted with its line, and what it says when it is none or several."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.agent.forget import Forgotten, forget
from desktop.agent.remember import remember
from desktop.base.errors import RefusedError, UsageError
from desktop.memory.foreign import claude_slug
from desktop.memory.switches import MemoryState
from tests.unit.memory.conftest import EXTRACTOR, PERSON, make_desk, note_text
from tests.unit.memory.searching import Searching

OFF = MemoryState(False, "Memory is off for this session; it was created so.", False, "off", "off", "session")
INCOGNITO = MemoryState(True, "", False, "incognito", "off", "incognito")


@pytest.fixture
def world(tmp_path: Path) -> Searching:
    made = Searching(make_desk(tmp_path))
    made.desk.add("release-train.md", "The release train leaves on Tuesdays.", name="release-train")
    made.desk.add("缓存策略.md", "图片缓存的键里有修改时间。", name="缓存策略")
    made.desk.add("deep/paint-shop.md", "The paint shop simulator needs the old graphics driver.", name="Paint shop")
    return made


def asked(world: Searching, target: str, *, searched: bool = True, root: str = "") -> Forgotten:
    return forget(world.memories, target, world.search if searched else None, root=root)


def index(world: Searching) -> str:
    return (world.desk.root / "MEMORY.md").read_text()


@pytest.mark.parametrize(
    "target",
    [
        "release-train.md",
        "release-train",
        "Release-Train",
        "./release-train.md",
        "“release-train”",
        "`release-train.md`",
        "release train",
        "about release-train",
        "my release-train",
        "the release-train memory",
        "关于 release-train 的记忆",
        "那条关于 release-train 的笔记",
        "把 release-train 忘掉吧",
        "project:release-train.md",
    ],
)
def test_file_line_and_row_are_gone(world: Searching, target: str) -> None:
    done = asked(world, target)
    assert done.status == "forgotten"
    assert not (world.desk.root / "release-train.md").exists()
    assert "release-train" not in index(world)
    assert "缓存策略.md" in index(world), "the others stay"
    assert world.paths("release train") == []
    assert [one.op for one in done.changes] == ["delete"]


def test_an_absolute_path_names_it(world: Searching) -> None:
    assert asked(world, str(world.desk.root / "deep" / "paint-shop.md")).status == "forgotten"
    assert not (world.desk.root / "deep" / "paint-shop.md").exists()


@pytest.mark.parametrize("target", ["缓存策略", "关于缓存策略", "图片缓存的键", "缓存策略.md"])
def test_chinese_names_and_words(world: Searching, target: str) -> None:
    done = asked(world, target)
    assert done.status == "forgotten"
    assert done.changes[0].path == "缓存策略.md"


@pytest.mark.parametrize(
    "target", ["那条关于旧显卡驱动 graphics driver 的记忆", "the note about the paint shop simulator", "把 paint shop simulator 删掉"]
)
def test_words_of_the_wish_itself_do_not_count(world: Searching, target: str) -> None:
    world.desk.add("deep/旧显卡驱动.md", "旧显卡驱动 graphics driver 要装 470 版。", name="旧显卡驱动")
    done = asked(world, target)
    assert done.status == "forgotten", done
    assert done.changes[0].path == ("deep/旧显卡驱动.md" if "旧" in target else "deep/paint-shop.md")


@pytest.mark.parametrize("target", ["我的同事", "同事的事情", "同事这件事的内容"])
def test_a_word_that_ends_as_a_wish_does_is_looked_for_whole(world: Searching, target: str) -> None:
    """“事” at the end of 同事 is no “matter”: cut off, the rest would be found in another memory."""
    world.desk.add("同步.md", "同步任务每天凌晨运行。", name="同步")
    done = asked(world, target, searched=False)
    assert done.status == "nothing"
    assert (world.desk.root / "同步.md").exists()


def test_blanks_without_end_name_nothing(world: Searching) -> None:
    assert asked(world, f"zeppelins{' ' * 200_000}x", searched=False).status == "nothing"


@pytest.mark.parametrize("target", ["../release-train.md", "..\\release-train.md", "deep/../release-train.md", "a/../../release-train"])
def test_a_path_that_leads_outside_names_nothing(world: Searching, target: str) -> None:
    assert asked(world, target).status == "nothing"
    assert (world.desk.root / "release-train.md").exists()


def test_words_that_one_memory_holds_alone(world: Searching) -> None:
    assert asked(world, "the old graphics driver").changes[0].path == "deep/paint-shop.md"


def test_a_word_in_passing_in_a_long_text_is_asked_about(world: Searching) -> None:
    filler = "The harvest report goes to the board in the first week of each quarter. " * 12
    world.desk.add("reports.md", f"{filler}\nOnce a xylophone was mentioned.", name="reports")
    done = asked(world, "xylophone")
    assert (done.status, [one.path for one in done.choices]) == ("several", ["reports.md"])
    assert (world.desk.root / "reports.md").exists()


def test_several_are_offered_and_nothing_is_deleted(world: Searching) -> None:
    world.desk.add("staging-server.md", "The staging server is called mill.")
    world.desk.add("staging-data.md", "The staging data is loaded every night.")
    done = asked(world, "staging")
    assert done.status == "several"
    assert {one.path for one in done.choices} == {"staging-server.md", "staging-data.md"}
    assert done.changes == ()
    assert "staging-server.md" in index(world)


def test_one_name_in_two_roots_is_asked_about_and_the_root_decides(world: Searching) -> None:
    world.memories.store("user").write("release-train.md", note_text("release-train", "x y z"), base_digest=None, origin=PERSON)
    done = asked(world, "release-train")
    assert {(one.root, one.path) for one in done.choices} == {("project", "release-train.md"), ("user", "release-train.md")}
    assert asked(world, "user:release-train.md").changes[0].root == "user"
    assert (world.desk.root / "release-train.md").exists()


def test_a_name_that_begins_with_such_a_word_is_meant_as_it_is(world: Searching) -> None:
    world.desk.add("our-plan.md", "Ships are painted in autumn.", name="our plan")
    world.desk.add("plan.md", "The crane is oiled on Mondays.", name="plan")
    assert asked(world, "our plan").changes[0].path == "our-plan.md"
    assert (world.desk.root / "plan.md").exists()


@pytest.mark.parametrize("searched", [True, False])
def test_nothing_found_is_said(world: Searching, searched: bool) -> None:
    done = asked(world, "quarterly badminton tournament", searched=searched)
    assert (done.status, done.choices, done.changes) == ("nothing", (), ())
    assert "badminton" in done.message


def test_without_a_search_the_words_of_the_memories_decide(world: Searching) -> None:
    assert asked(world, "graphics driver", searched=False).changes[0].path == "deep/paint-shop.md"


@pytest.mark.parametrize("target", ["MEMORY.md", "memory.md", "./MEMORY.md", "the index", "memory index", "索引", "记忆索引"])
def test_the_index_is_refused_and_everything_stays_reachable(world: Searching, target: str) -> None:
    before = index(world)
    done = asked(world, target)
    assert (done.status, done.changes) == ("refused", ())
    assert "3 memories" in done.message
    assert index(world) == before
    assert asked(world, str(world.desk.root / "MEMORY.md")).status == "refused"
    assert len(world.memories.store().notes()) == 3


@pytest.mark.parametrize("target", ["everything", "all memories", "所有记忆", "全部"])
def test_everything_at_once_is_refused(world: Searching, target: str) -> None:
    assert asked(world, target).status == "refused"
    assert len(world.memories.store().notes()) == 3


def test_a_line_whose_file_is_gone_goes(world: Searching) -> None:
    path = world.desk.root / "MEMORY.md"
    path.write_text(path.read_text() + "- [Old tool](old-tool.md) — was used once\n")
    done = asked(world, "old-tool")
    assert done.status == "forgotten"
    assert "old-tool" not in index(world)
    assert "release-train.md" in index(world)


def test_undo_brings_file_and_line_back(world: Searching) -> None:
    text, lines = (world.desk.root / "release-train.md").read_bytes(), index(world)
    done = asked(world, "release-train")
    world.memories.store().undo(done.changes[0].change)
    assert (world.desk.root / "release-train.md").read_bytes() == text
    assert index(world) == lines


def test_it_does_not_come_back_by_itself_and_comes_back_when_said_again(world: Searching) -> None:
    text = (world.desk.root / "release-train.md").read_text()
    asked(world, "release-train")
    with pytest.raises(RefusedError):
        world.memories.store().write("release-train.md", text, base_digest=None, origin=EXTRACTOR)
    assert remember(world.memories, "The release train leaves on Tuesdays.", clock=world.desk.clock).change is not None


@pytest.mark.parametrize("state", [OFF, INCOGNITO])
def test_off_and_incognito_say_so_and_delete_nothing(world: Searching, state: MemoryState) -> None:
    world.state = state
    with pytest.raises(RefusedError):
        asked(world, "release-train")
    assert (world.desk.root / "release-train.md").exists()


@pytest.mark.parametrize("target", ["", "  ", '""'])
def test_nothing_named_is_said(world: Searching, target: str) -> None:
    with pytest.raises(UsageError):
        asked(world, target)


def test_the_one_line_of_a_file_that_is_no_list_goes_and_the_rest_stays(world: Searching) -> None:
    text = b"# Harbour\r\n\r\n- zeppelins are moored at pier nine\r\n- ferries at pier two"
    file = world.put("MEMORY.md", text, root="workspace")
    world.memories.allow_workspace(world.memories.workspace_file().digest)
    done = asked(world, "zeppelins")
    assert (done.status, done.changes[0].root) == ("forgotten", "workspace")
    assert "zeppelins are moored" in done.message
    assert file.read_bytes() == b"# Harbour\r\n\r\n- ferries at pier two"
    world.memories.store("workspace").undo(done.changes[0].change)
    assert file.read_bytes() == text


def test_of_several_lines_none_goes_and_the_place_is_named(world: Searching) -> None:
    file = world.put("MEMORY.md", "- zeppelins are moored at pier nine\n- zeppelins fly on Mondays\n", root="workspace")
    world.memories.allow_workspace(world.memories.workspace_file().digest)
    before = file.read_bytes()
    done = asked(world, "zeppelins")
    assert (done.status, done.changes) == ("nothing", ())
    assert str(file) in done.message
    assert file.read_bytes() == before


def test_a_strangers_file_is_not_touched(world: Searching) -> None:
    file = world.put("MEMORY.md", "- zeppelins are moored at pier nine\n", root="workspace")
    assert asked(world, "zeppelins").status == "nothing"
    assert "pier nine" in file.read_text()


def test_another_programs_memory_is_named_and_left_alone(tmp_path: Path) -> None:
    home = tmp_path / "home"
    desk = make_desk(tmp_path)
    world = Searching(desk, environ={"HOME": str(home)}, settings={"memory.foreign": ["claude-code"]})
    folder = home / ".claude" / "projects" / claude_slug(str(desk.project.folder)) / "memory"
    folder.mkdir(parents=True)
    file = folder / "zeppelins.md"
    file.write_text(note_text("zeppelins", "Zeppelins are moored at pier nine."))
    world.memories = world.fresh_memories()
    done = asked(world, "zeppelins moored")
    assert done.status == "nothing"
    assert str(file) in done.message
    assert file.exists()
