"""memory_index: lists, words, moves, pins and forgets, on a cut index too, without a Read before."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.base.errors import ToolError
from desktop.memory.index import load_index
from desktop.memory.memories import Memories
from desktop.memory.switches import MemoryState
from desktop.messages.parts import ResultStatus
from desktop.tools.base import Outcome
from desktop.tools.memory_index import ACTIONS, MemoryIndexTool
from tests.unit.tools.conftest import Bench, finish

TOOL = MemoryIndexTool()
OK: ResultStatus = "ok"


def fill(bench: Bench, *names: str, index: str = "") -> None:
    for name in names:
        bench.note(f"{name}.md", f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n---\n\nfact of {name}\n")
    bench.note("MEMORY.md", index or "# Memory\n" + "".join(f"- [{name}]({name}.md) — about {name}\n" for name in names))


def index(bench: Bench) -> str:
    return (bench.memory_root / "MEMORY.md").read_text()


def run(bench: Bench, **arguments: str) -> Outcome:
    return bench.run(TOOL, **arguments)


def test_list_shows_order_pins_drift_and_the_room_that_is_left(bench: Bench) -> None:
    fill(bench, "a", "b", index="# M\n- [b](b.md) — second\n- [gone](gone.md) — nowhere\n")
    run(bench, action="pin", file="b.md")
    said = run(bench, action="list").output.split("\n")
    assert said[0] == "- [b](b.md) — second [pinned]"
    assert said[1] == "- [gone](gone.md) — nowhere [no such file]"
    assert said[2] == "Files without a line: a.md."
    assert said[3].startswith("The index now has 3 of 200 lines, ")
    assert said[3].endswith(" of 8,000 tokens.")
    assert run(bench, action="list", file="a").output.startswith("No line.\nFiles without a line: a.md.")


def test_list_is_a_read_and_the_others_are_memory_writes_that_nobody_is_asked_about(bench: Bench) -> None:
    fill(bench, "a", "b")
    listed = bench.prepare(TOOL, action="list")
    assert listed.access.kind == "read"
    assert bench.decide(listed, "plan").effect == "allow"
    calls = (
        ({"action": "hook", "file": "a.md", "hook": "new"}, "MEMORY.md"),
        ({"action": "move", "file": "a.md"}, "MEMORY.md"),
        ({"action": "pin", "file": "a.md"}, "a.md"),
        ({"action": "forget", "file": "a.md"}, "a.md"),
    )
    for arguments, target in calls:
        prepared = bench.prepare(TOOL, **arguments)
        assert (prepared.access.kind, prepared.access.memory_target) == ("write", target)
        assert bench.decide(prepared).effect == "allow"
        assert bench.decide(prepared, "plan").effect == "allow"
    assert index(bench).startswith("# Memory\n- [a](a.md) — about a\n")


def test_hook_changes_the_words_and_nothing_else(bench: Bench) -> None:
    fill(bench, "a", "b", index="# M\n\n- [Mine](a.md) — old\n- [b](b.md)\n\nEnd.\n")
    prepared = bench.prepare(TOOL, action="hook", file="a.md", hook="when the build fails")
    assert prepared.diff is not None
    assert "+- [Mine](a.md) — when the build fails" in prepared.diff
    done = finish(prepared)
    assert index(bench) == "# M\n\n- [Mine](a.md) — when the build fails\n- [b](b.md)\n\nEnd.\n"
    assert "The line is now: - [Mine](a.md) — when the build fails" in done.output
    assert done.memory_saved == ("MEMORY.md",)
    bench.store.undo()
    assert "— old" in index(bench)


def test_check_11_works_on_a_cut_index_that_was_never_read(bench: Bench) -> None:
    names = [f"t{n}" for n in range(260)]
    fill(bench, *names)
    assert load_index(bench.memory_root).truncated
    run(bench, action="hook", file="t5.md", hook="the words that matter")
    assert "- [t5](t5.md) — the words that matter\n" in index(bench)
    assert index(bench).count("\n") == 261
    run(bench, action="move", file="t259.md", before="t0.md")
    assert index(bench).startswith("# Memory\n- [t259](t259.md)")
    said = run(bench, action="forget", file="t1.md").output
    assert "260 of 200 lines" in said
    assert "140 lines" in said


def test_move_and_back(bench: Bench) -> None:
    fill(bench, "a", "b", "c")
    before = index(bench)
    run(bench, action="move", file="c", before="a")
    assert [line[3] for line in index(bench).split("\n")[1:4]] == ["c", "a", "b"]
    run(bench, action="move", file="c")
    assert index(bench) == before


def test_move_gives_a_line_to_a_memory_without_one(bench: Bench) -> None:
    fill(bench, "a", "b", index="- [a](a.md)\n")
    run(bench, action="move", file="b", before="a")
    assert index(bench) == "- [b](b.md) — about b\n- [a](a.md)\n"


def test_pin_is_kept_in_the_memory_and_taken_off_by_a_second_call(bench: Bench) -> None:
    fill(bench, "a")
    assert "is pinned" in run(bench, action="pin", file="a.md").output
    assert "pinned: true" in (bench.memory_root / "a.md").read_text()
    assert "no longer pinned" in run(bench, action="pin", file="a.md").output
    assert "pinned: true" not in (bench.memory_root / "a.md").read_text()


def test_b23_forgetting_takes_file_and_line_and_leaves_the_others(bench: Bench) -> None:
    fill(bench, "a", "b")
    done = run(bench, action="forget", file="a.md")
    assert not (bench.memory_root / "a.md").exists()
    assert index(bench) == "# Memory\n- [b](b.md) — about b\n"
    assert (bench.memory_root / "b.md").exists()
    assert "a.md" not in load_index(bench.memory_root).text
    change = bench.store.changes()[0]
    made = {"root": "project", "path": "a.md", "change": change.id, "op": "delete"}
    assert done.data == {"deleted": ["a.md"], "memory_changes": [made]}
    assert bench.store.tombstones.forgotten(b"fact of a\n", "msg_test")
    assert [path.name for path in (bench.paths.trash / bench.store.project.key).rglob("*.md")] == ["a.md"]
    bench.store.undo()
    assert (bench.memory_root / "a.md").exists()
    assert "- [a](a.md) — about a\n" in index(bench)


def test_forgetting_what_is_gone_already_takes_its_line(bench: Bench) -> None:
    fill(bench, "a", index="- [a](a.md)\n- [gone](gone.md) — nowhere\n")
    assert "was gone already" in run(bench, action="forget", file="gone.md").output
    assert index(bench) == "- [a](a.md)\n"


@pytest.mark.parametrize("name", ["MEMORY.md", "memory.md", "./MEMORY.md", "MEMORY"])
@pytest.mark.parametrize("action", ["forget", "pin", "hook", "move"])
def test_b25_the_index_itself_is_refused(bench: Bench, action: str, name: str) -> None:
    fill(bench, *(f"t{n}" for n in range(12)))
    before = index(bench)
    arguments = {"action": action, "file": name} | ({"hook": "x"} if action == "hook" else {})
    with pytest.raises(ToolError):
        run(bench, **arguments)
    assert index(bench) == before
    assert load_index(bench.memory_root).entries == 12


def test_protected_and_foreign_places_are_refused(bench: Bench) -> None:
    fill(bench, "a")
    bench.note("hooks/x.md", "---\nname: x\n---\nfact x\n")
    bench.file("inside.md", "no memory")
    with pytest.raises(ToolError, match="protected"):
        run(bench, action="forget", file="hooks/x.md")
    for path in (str(bench.workspace / "inside.md"), "/etc/passwd", "../outside.md", "no\x00name.md"):
        with pytest.raises(ToolError):
            run(bench, action="forget", file=path)
    (bench.memory_root / "link.md").symlink_to(bench.workspace / "inside.md")
    with pytest.raises(ToolError):
        run(bench, action="forget", file="link.md")
    assert (bench.workspace / "inside.md").read_text() == "no memory"


def test_a_memory_is_named_by_path_absolute_path_or_name(bench: Bench) -> None:
    fill(bench, "a")
    bench.note("deep/数据库.md", "---\nname: 数据库端口\n---\nport\n")
    for name in ("deep/数据库.md", "deep/数据库", "数据库端口", "数据库", str(bench.memory_root / "deep" / "数据库.md")):
        assert "deep/数据库.md" in run(bench, action="list", file=name).output
    with pytest.raises(ToolError, match="There is no memory datenbank") as raised:
        run(bench, action="forget", file="datenbank")
    assert raised.value.hint
    with pytest.raises(ToolError) as raised:
        run(bench, action="forget", file="deep/数据.md")
    assert "deep/数据库.md" in raised.value.hint


@pytest.mark.parametrize(
    ("arguments", "names"),
    [
        ({"action": "remove"}, ACTIONS),
        ({}, ("action",)),
        ({"action": "list", "path": "a.md"}, ("action", "file", "hook", "before")),
        ({"action": "forget"}, ("file",)),
        ({"action": "hook", "file": "a.md"}, ("hook",)),
        ({"action": "pin", "file": "a.md", "hook": "x"}, ("`file`",)),
        ({"action": "move", "file": "a.md", "before": "nobody.md"}, ("nobody.md",)),
    ],
)
def test_a_wrong_call_names_what_is_allowed(bench: Bench, arguments: dict[str, str], names: tuple[str, ...]) -> None:
    fill(bench, "a")
    with pytest.raises(ToolError) as raised:
        run(bench, **arguments)
    for name in names:
        assert name in raised.value.message


def test_with_writing_off_the_list_works_and_nothing_changes(bench: Bench) -> None:
    fill(bench, "a", "b")
    bench.state = MemoryState(True, "", False, "Memory writing is off. Do not write it anywhere else instead.", "off")
    before = {path: path.read_bytes() for path in bench.memory_root.rglob("*.md")}
    assert "a.md" in run(bench, action="list").output
    for arguments in (
        {"action": "hook", "file": "a.md", "hook": "new"},
        {"action": "move", "file": "a.md"},
        {"action": "pin", "file": "a.md"},
        {"action": "forget", "file": "a.md"},
    ):
        with pytest.raises(ToolError, match="writing is off"):
            run(bench, **arguments)
    assert {path: path.read_bytes() for path in bench.memory_root.rglob("*.md")} == before
    bench.memory_on = False
    with pytest.raises(ToolError, match="off"):
        run(bench, action="list")


def test_a_secret_never_comes_in_by_a_hook(bench: Bench) -> None:
    fill(bench, "a")
    token = "ghp_" + "A1b2C3d4" * 5
    with pytest.raises(ToolError) as raised:
        run(bench, action="hook", file="a.md", hook=f"the token is {token}")
    assert token not in raised.value.message
    assert token not in index(bench)


def test_a_persons_words_in_the_index_are_not_moved_by_a_call_about_a_line(bench: Bench) -> None:
    own = "The nightly job moved to the second region after the outage in March, since the first one ran out of room twice in one week."
    fill(bench, "a", index=f"- [a](a.md)\n- {own}\n")
    run(bench, action="hook", file="a.md", hook="new")
    assert index(bench) == f"- [a](a.md) — new\n- {own}\n"
    assert sorted(path.name for path in bench.memory_root.iterdir()) == ["MEMORY.md", "a.md"]


def test_the_other_roots_forget_too_and_ask_first(bench: Bench) -> None:
    memories = Memories(bench.store.project, bench.workspace, bench.paths, bench.clock, lambda: bench.state)
    user = memories.store("user")
    Path(user.root).mkdir(parents=True)
    (user.root / "MEMORY.md").write_text("# About me\n")
    (user.root / "habit.md").write_text("---\nname: habit\n---\nmornings\n")
    context = replace(bench.context, memories=memories, memory=memories.store("project"))

    async def call(arguments: dict[str, str]) -> tuple[str, str, str]:
        prepared = await TOOL.prepare(arguments, context)
        access = prepared.access
        return access.memory_root, access.memory_policy, (await prepared.run()).output

    path = str(user.root / "habit.md")
    assert asyncio.run(call({"action": "forget", "file": path}))[:2] == ("user", "ask")
    assert not (user.root / "habit.md").exists()
    assert (user.root / "MEMORY.md").read_text() == "# About me\n"
