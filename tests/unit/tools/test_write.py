from __future__ import annotations

import asyncio
import os
import stat
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, ToolError
from desktop.memory.switches import MemoryState
from desktop.permissions.access import Mode
from desktop.tools.read import ReadTool
from desktop.tools.write import WriteTool
from tests.unit.tools.conftest import Bench, finish

NOTE = "---\nname: bun\ndescription: package manager\nmetadata:\n  type: project\n---\nWe use bun.\n"


def test_a_new_file_with_its_folders(bench: Bench) -> None:
    prepared = bench.prepare(WriteTool(), file_path="src/deep/a.txt", content="one\ntwo\n")
    assert prepared.title == "Create src/deep/a.txt"
    assert prepared.access.target == bench.workspace / "src/deep/a.txt"
    assert prepared.access.content == "one\ntwo\n"
    assert prepared.diff == "--- /dev/null\n+++ src/deep/a.txt\n@@ -0,0 +1,2 @@\n+one\n+two\n"
    assert not (bench.workspace / "src").exists()
    assert bench.decide(prepared).effect == "ask"
    outcome = finish(prepared)
    assert outcome.output == "Created src/deep/a.txt (+2 −0 lines)."
    assert (bench.workspace / "src/deep/a.txt").read_bytes() == b"one\ntwo\n"


def test_a_new_file_has_ordinary_rights(bench: Bench) -> None:
    old = os.umask(0o027)
    try:
        bench.run(WriteTool(), file_path="a.sh", content="x")
    finally:
        os.umask(old)
    assert stat.S_IMODE((bench.workspace / "a.sh").stat().st_mode) == 0o640


def test_an_existing_file_must_have_been_read(bench: Bench) -> None:
    path = bench.file("a.txt", "old\n")
    with pytest.raises(ToolError, match="exists and has not been read"):
        bench.prepare(WriteTool(), file_path="a.txt", content="new\n")
    bench.run(ReadTool(), file_path="a.txt")
    bench.run(WriteTool(), file_path="a.txt", content="new\n")
    assert path.read_text() == "new\n"
    bench.run(WriteTool(), file_path="a.txt", content="newer\n")  # what we wrote ourselves is known
    path.write_text("changed by somebody\n")
    with pytest.raises(ToolError, match="has changed since you read it"):
        bench.prepare(WriteTool(), file_path="a.txt", content="x")
    assert path.read_text() == "changed by somebody\n"


def test_an_empty_file_may_be_filled(bench: Bench) -> None:
    path = bench.file("a.txt", "")
    bench.run(WriteTool(), file_path="a.txt", content="x")
    assert path.read_text() == "x"


def test_mode_mark_and_newlines_are_kept(bench: Bench) -> None:
    path = bench.file("a.bat", b"\xef\xbb\xbfone\r\ntwo\r\n")
    path.chmod(0o755)
    bench.run(ReadTool(), file_path="a.bat")
    prepared = bench.prepare(WriteTool(), file_path="a.bat", content="one\n2\n")
    assert prepared.access.content == "one\r\n2\r\n"
    finish(prepared)
    assert path.read_bytes() == b"\xef\xbb\xbfone\r\n2\r\n"
    assert stat.S_IMODE(path.stat().st_mode) == 0o755


@pytest.mark.parametrize("before", [None, b"seen\n"])
def test_what_changed_between_question_and_answer_is_not_overwritten(bench: Bench, before: bytes | None) -> None:
    path = bench.workspace / "a.txt"
    if before is not None:
        path.write_bytes(before)
        bench.run(ReadTool(), file_path="a.txt")
    prepared = bench.prepare(WriteTool(), file_path="a.txt", content="mine\n")
    path.write_bytes(b"theirs\n")
    with pytest.raises(ToolError) as caught:
        finish(prepared)
    assert isinstance(caught.value.__cause__, ConflictError)
    assert path.read_bytes() == b"theirs\n"
    assert sorted(p.name for p in bench.workspace.iterdir()) == ["a.txt"]


def test_a_removed_file_is_a_conflict_too(bench: Bench) -> None:
    path = bench.file("a.txt", "seen\n")
    bench.run(ReadTool(), file_path="a.txt")
    prepared = bench.prepare(WriteTool(), file_path="a.txt", content="mine\n")
    path.unlink()
    with pytest.raises(ToolError, match="was removed meanwhile"):
        finish(prepared)
    assert not path.exists()


def test_a_folder_swapped_for_a_link_is_not_followed(bench: Bench) -> None:
    outside = bench.base / "outside"
    outside.mkdir()
    (bench.workspace / "dir").mkdir()
    prepared = bench.prepare(WriteTool(), file_path="dir/a.txt", content="x")
    (bench.workspace / "dir").rmdir()
    (bench.workspace / "dir").symlink_to(outside)
    with pytest.raises(ToolError):
        finish(prepared)
    assert list(outside.iterdir()) == []


def test_a_link_is_shown_with_its_target_and_stays_a_link(bench: Bench) -> None:
    outside = bench.base / "outside.txt"
    outside.write_text("old\n")
    link = bench.workspace / "link.txt"
    link.symlink_to(outside)
    bench.run(ReadTool(), file_path="link.txt")
    prepared = bench.prepare(WriteTool(), file_path="link.txt", content="new\n")
    assert prepared.access.target == outside
    assert bench.decide(prepared, "accept-edits").rule == "write.outside"
    finish(prepared)
    assert link.is_symlink()
    assert outside.read_text() == "new\n"


def test_another_name_of_the_same_file_is_left_alone(bench: Bench) -> None:
    path = bench.file("a.txt", "old\n")
    twin = bench.base / "twin.txt"
    os.link(path, twin)
    bench.run(ReadTool(), file_path="a.txt")
    bench.run(WriteTool(), file_path="a.txt", content="new\n")
    assert twin.read_text() == "old\n"


def test_a_folder_is_no_file(bench: Bench) -> None:
    (bench.workspace / "src").mkdir()
    with pytest.raises(ToolError, match="is a folder"):
        bench.prepare(WriteTool(), file_path="src", content="x")


def test_below_a_file_nothing_can_stand(bench: Bench) -> None:
    bench.file("a.txt", "x")
    with pytest.raises(ToolError, match="is a file, so nothing can stand below it"):
        bench.prepare(WriteTool(), file_path="a.txt/b/c.txt", content="x")


def test_a_cancelled_write_is_done_or_not_done_when_the_call_has_ended(bench: Bench) -> None:
    async def cancel() -> None:
        prepared = await WriteTool().prepare({"file_path": "a.txt", "content": "x" * 1_000_000}, bench.context)
        task = asyncio.ensure_future(prepared.run())
        await asyncio.sleep(0)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert [p.name for p in bench.workspace.iterdir()] == ["a.txt"]

    asyncio.run(cancel())


def test_characters_that_cannot_be_stored_are_named(bench: Bench) -> None:
    with pytest.raises(ToolError, match=r"`content` holds the character U\+D800"):
        bench.prepare(WriteTool(), file_path="a.txt", content="a\ud800")


def test_modes_decide_over_a_write(bench: Bench) -> None:
    inside = bench.prepare(WriteTool(), file_path="a.txt", content="x")
    outside = bench.prepare(WriteTool(), file_path=str(bench.base / "a.txt"), content="x")
    hook = bench.prepare(WriteTool(), file_path=".git/hooks/pre-commit", content="x")
    assert [bench.decide(p, "accept-edits").effect for p in (inside, outside, hook)] == ["allow", "ask", "ask"]
    assert [bench.decide(p, "plan").rule for p in (inside, outside, hook)] == ["mode.plan.nonReadOnly"] * 3


def test_a_memory_goes_through_the_store_without_asking(bench: Bench) -> None:
    target = bench.memory_root / "bun.md"
    prepared = bench.prepare(WriteTool(), file_path=str(target), content=NOTE)
    modes: tuple[Mode, ...] = ("default", "accept-edits", "plan")
    assert [bench.decide(prepared, mode).rule for mode in modes] == ["memory.file.markdown"] * 3
    outcome = finish(prepared)
    assert outcome.memory_saved == ("bun.md",)
    text = target.read_text()
    assert "originSessionId: sess_test" in text
    assert "We use bun." in text
    assert "bun.md" in (bench.memory_root / "MEMORY.md").read_text()
    change = bench.store.changes()[0]
    assert (change.origin.actor, change.origin.message_id, change.path) == ("main", "msg_test", "bun.md")


def test_nested_memories_and_the_extractor(bench: Bench) -> None:
    bench.actor = "extractor"
    outcome = bench.run(WriteTool(), file_path=str(bench.memory_root / "tools" / "bun.md"), content=NOTE)
    assert outcome.memory_saved == ("tools/bun.md",)
    assert bench.store.changes()[0].origin.actor == "extractor"


def test_an_unread_memory_is_shown_instead_of_being_overwritten(bench: Bench) -> None:
    target = bench.note("bun.md", "old words\n")
    with pytest.raises(ToolError, match="It holds:\nold words"):
        bench.prepare(WriteTool(), file_path=str(target), content=NOTE)
    assert bench.run(WriteTool(), file_path=str(target), content=NOTE).memory_saved == ("bun.md",)


def test_the_session_may_edit_the_index_line_that_its_own_write_added(bench: Bench) -> None:
    from desktop.tools.edit import EditTool

    bench.run(WriteTool(), file_path=str(bench.memory_root / "bun.md"), content=NOTE)
    index = bench.memory_root / "MEMORY.md"
    line = next(row for row in index.read_text().splitlines() if "bun.md" in row)
    outcome = bench.run(EditTool(), file_path=str(index), old_string=line, new_string=f"{line} (always)")
    assert outcome.memory_saved == ("MEMORY.md",)
    assert "(always)" in index.read_text()


@pytest.mark.parametrize("name", ["x.txt", "hooks/a.md", ".git/a.md", "config/a.md", "a.md/../../b.md", "link.md"])
def test_other_paths_in_memory_are_denied_with_the_reason(bench: Bench, name: str) -> None:
    (bench.memory_root / "link.md").symlink_to(bench.base / "outside.md")
    prepared = bench.prepare(WriteTool(), file_path=f"{bench.memory_root}/{name}", content="x")
    decision = bench.decide(prepared, "accept-edits")
    assert decision.effect in ("deny", "ask")
    assert decision.rule in ("memory.refused", "write.own", "write.outside")
    if name != "a.md/../../b.md":
        assert decision.effect == "deny"
        with pytest.raises(ToolError):
            finish(prepared)
    assert not (bench.base / "outside.md").exists()


def test_the_gates_refusal_comes_back_with_its_way_out(bench: Bench) -> None:
    secret = "sk-" + "ant-" + "a1B2" * 8
    with pytest.raises(ToolError) as caught:
        bench.run(WriteTool(), file_path=str(bench.memory_root / "key.md"), content=f"{NOTE}The key is {secret}\n")
    assert secret not in caught.value.text()
    assert not (bench.memory_root / "key.md").exists()


def test_the_write_switch_binds_the_tool(bench: Bench) -> None:
    bench.state = MemoryState(True, "", False, "Memory writing is off in the settings (memory.write).", "off")
    with pytest.raises(ToolError, match=r"memory\.write"):
        bench.run(WriteTool(), file_path=str(bench.memory_root / "bun.md"), content=NOTE)
    assert not (bench.memory_root / "bun.md").exists()


def test_memory_that_is_off_is_not_written_by_tools(bench: Bench) -> None:
    bench.memory_on = False
    prepared = bench.prepare(WriteTool(), file_path=str(bench.memory_root / "bun.md"), content=NOTE)
    assert bench.decide(prepared, "accept-edits").rule == "memory.refused"
    assert bench.decide(prepared, "accept-edits").effect == "deny"
    with pytest.raises(ToolError, match="off"):
        finish(prepared)
    assert not (bench.memory_root / "bun.md").exists()


def test_another_projects_memory_is_never_written(bench: Bench) -> None:
    other: Path = bench.paths.projects / "other-0123456789abcdef" / "memory" / "a.md"
    assert bench.decide(bench.prepare(WriteTool(), file_path=str(other), content=NOTE)).effect == "deny"


def test_a_relative_path_that_climbs_into_memory_is_a_memory(bench: Bench) -> None:
    relative = os.path.relpath(bench.memory_root / "bun.md", bench.workspace)
    assert relative.startswith("..")
    prepared = bench.prepare(WriteTool(), file_path=relative, content=NOTE)
    assert bench.decide(prepared, "plan").effect == "allow"
    assert finish(prepared).memory_saved == ("bun.md",)


@pytest.mark.parametrize("path", ["../memory-evil/a.md", "../../a.md", "M/../a.md", "M/x/../../a.md", "M/.git/../a.md"])
def test_climbing_elsewhere_is_no_memory(bench: Bench, path: str) -> None:
    relative = path.replace("M", os.path.relpath(bench.memory_root, bench.workspace))
    prepared = bench.prepare(WriteTool(), file_path=relative, content=NOTE)
    assert prepared.access.memory_target is None
    assert bench.decide(prepared).effect != "allow"
