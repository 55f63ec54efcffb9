"""Write, Edit, Read, Glob, Grep and `rm` on every root of the table: which goes through, which is asked, which is refused, and why."""

from __future__ import annotations

import asyncio
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.base.errors import ToolError
from desktop.memory.memories import Memories
from desktop.memory.store import ChangeOrigin
from desktop.memory.switches import MemoryState
from desktop.permissions.access import Mode
from desktop.tools.bash import BashTool
from desktop.tools.edit import EditTool
from desktop.tools.glob import GlobTool
from desktop.tools.grep import GrepTool
from desktop.tools.paths import closed_folders
from desktop.tools.read import ReadTool
from desktop.tools.write import WriteTool
from tests.unit.tools.conftest import Bench, finish

MODES: tuple[Mode, ...] = ("default", "accept-edits", "plan")
PERSON = ChangeOrigin("person")
WRITE_OFF = MemoryState(True, "", False, "Writing is off. Do not write it anywhere else instead.", "off", "memory.write")


def note(name: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: about {name}\nmetadata:\n  type: project\n---\n\n{body}\n"


def folder_of(bench: Bench, root: str) -> Path:
    assert bench.memories is not None
    return bench.memories.store(root).root


@pytest.mark.parametrize(
    ("root", "name", "effects"),
    [
        ("project", "bun.md", ["allow", "allow", "allow"]),
        ("project", "deep/bun.md", ["allow", "allow", "allow"]),
        ("project", "bun.txt", ["deny"] * 3),
        ("project", ".git/a.md", ["deny"] * 3),
        ("user", "bun.md", ["ask", "ask", "deny"]),
        ("user", "MEMORY.md", ["ask", "ask", "deny"]),
        ("user", "bun.txt", ["deny"] * 3),
        ("workspace", "MEMORY.md", ["ask", "allow", "deny"]),
        ("workspace", "topic.md", ["deny"] * 3),
        ("workspace", "notes.txt", ["deny"] * 3),
    ],
)
def test_each_root_by_its_policy(bench: Bench, root: str, name: str, effects: list[str]) -> None:
    prepared = bench.prepare(WriteTool(), file_path=str(folder_of(bench, root) / name), content=note("bun", "We use bun."))
    assert [bench.decide(prepared, mode).effect for mode in MODES] == effects
    assert prepared.access.memory_root == root


def test_the_question_names_the_resolved_target_and_the_exact_text(bench: Bench) -> None:
    target = folder_of(bench, "user") / "bun.md"
    prepared = bench.prepare(WriteTool(), file_path=str(target), content=note("bun", "We use bun."))
    assert (prepared.access.target, prepared.access.content) == (target, note("bun", "We use bun."))
    assert bench.decide(prepared).rule == "memory.ask"


def test_a_yes_goes_through_the_store_as_the_persons_own(bench: Bench) -> None:
    assert bench.memories is not None
    store = bench.memories.store("user")
    outcome = bench.run(WriteTool(), file_path=str(store.root / "bun.md"), content=note("bun", "We use bun."))
    made = {"root": "user", "path": "bun.md", "change": store.changes()[0].id, "op": "write"}
    assert outcome.memory_saved == ("bun.md",) and outcome.data == {"memory_root": "user", "memory_changes": [made]}
    change = store.changes(1)[0]
    assert (change.path, change.origin.actor, change.origin.session_id) == ("bun.md", "main", "sess_test")
    assert not (store.root / "MEMORY.md").exists(), "a document in sections has no index lines"
    store.undo(change.id)
    assert not (store.root / "bun.md").exists()


def test_the_extractor_never_writes_a_root_that_asks(bench: Bench) -> None:
    bench.actor = "extractor"
    for root, name in (("user", "bun.md"), ("workspace", "MEMORY.md")):
        with pytest.raises(ToolError):
            bench.run(WriteTool(), file_path=str(folder_of(bench, root) / name), content=note("bun", "We use bun."))
        assert not (folder_of(bench, root) / name).exists()


def test_the_workspace_file_names_the_right_place_for_a_topic(bench: Bench) -> None:
    prepared = bench.prepare(WriteTool(), file_path=".agents/memory/topic.md", content="x")
    reason = bench.decide(prepared).reason
    assert "MEMORY.md" in reason and str(bench.memory_root) in reason


def foreign(bench: Bench) -> Path:
    """Claude Code's memory of this workspace."""
    slug = "".join(c if c.isascii() and c.isalnum() else "-" for c in str(bench.workspace))
    folder = bench.base / ".claude" / "projects" / slug / "memory"
    folder.mkdir(parents=True)
    (folder / "bun.md").write_text(note("bun", "They use bun."))
    bench.memories = Memories(bench.store.project, bench.workspace, bench.paths, bench.clock, lambda: bench.state, environ=bench.environ)
    bench.store = bench.memories.store()
    return folder


@pytest.mark.parametrize("tool", ["Write", "Edit", "rm"])
def test_another_tools_memory_is_never_changed_on_or_off(bench: Bench, tool: str) -> None:
    folder = foreign(bench)
    file = folder / "bun.md"
    before = file.read_bytes()
    if tool == "Write":
        prepared = bench.prepare(WriteTool(), file_path=str(folder / "new.md"), content="x")
    elif tool == "Edit":
        prepared = bench.prepare(EditTool(), file_path=str(file), old_string="They", new_string="We")
    else:
        prepared = bench.prepare(BashTool(), command=f"rm {file}")
    assert [bench.decide(prepared, mode).effect for mode in MODES] == ["deny"] * 3
    assert "Claude Code" in bench.decide(prepared).reason and str(bench.memory_root) in bench.decide(prepared).reason
    with pytest.raises(ToolError):
        finish(prepared)
    assert file.read_bytes() == before and [entry.name for entry in folder.iterdir()] == ["bun.md"]


# --- off -----------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("root", ["project", "user", "workspace"])
def test_with_memory_off_no_tool_reads_or_changes_a_root(bench: Bench, root: str) -> None:
    folder = folder_of(bench, root)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "MEMORY.md").write_text("opalgraben\n")
    bench.memory_on = False
    calls = [
        bench.prepare(ReadTool(), file_path=str(folder / "MEMORY.md")),
        bench.prepare(WriteTool(), file_path=str(folder / "MEMORY.md"), content="x"),
        bench.prepare(EditTool(), file_path=str(folder / "MEMORY.md"), old_string="opal", new_string="x"),
        bench.prepare(GlobTool(), pattern="*", path=str(folder)),
        bench.prepare(GrepTool(), pattern="opal", path=str(folder)),
        bench.prepare(BashTool(), command=f"rm '{folder}/a.md'"),
    ]
    for prepared in calls:
        for mode in MODES:
            decision = bench.decide(prepared, mode)
            assert (decision.effect, decision.rule) == ("deny", "memory.refused"), prepared.title
            assert str(folder) not in decision.reason
    assert (folder / "MEMORY.md").read_text() == "opalgraben\n"


@pytest.mark.parametrize("rg", [True, False])
def test_with_memory_off_a_search_of_the_workspace_passes_the_folder_by(bench: Bench, monkeypatch: pytest.MonkeyPatch, rg: bool) -> None:
    folder = folder_of(bench, "workspace")
    folder.mkdir(parents=True)
    (folder / "MEMORY.md").write_text("opalgraben\n")
    bench.file(".agents/other.md", "opalgraben\n")
    if not rg:
        bench.environ["PATH"] = "/nowhere"
    found = bench.run(GrepTool(), pattern="opalgraben").output
    assert ".agents/memory/MEMORY.md" in found and ".agents/other.md" in found
    bench.memory_on = False
    found = bench.run(GrepTool(), pattern="opalgraben").output
    assert ".agents/memory" not in found and ".agents/other.md" in found
    listed = bench.run(GlobTool(), pattern="**/*.md").output
    assert ".agents/memory" not in listed and ".agents/other.md" in listed


def test_a_workspace_that_was_opened_inside_a_root_can_still_be_read(bench: Bench) -> None:
    """The person opened their own memory as a folder: it is what they work on."""
    user = folder_of(bench, "user")
    user.mkdir(parents=True, exist_ok=True)
    (user / "MEMORY.md").write_text("mine\n")
    bench.memory_on = False
    context = replace(bench.context, workspace=user, cwd=user)
    assert user not in closed_folders(context)


def test_writing_off_refuses_before_anybody_is_asked_and_reads_on(bench: Bench) -> None:
    file = bench.note("a.md", note("a", "one"))
    bench.state = WRITE_OFF
    for root, name in (("project", "b.md"), ("user", "b.md"), ("workspace", "MEMORY.md")):
        decision = bench.decide(bench.prepare(WriteTool(), file_path=str(folder_of(bench, root) / name), content="x"))
        assert decision.effect == "deny" and "anywhere else" in decision.reason
    assert bench.decide(bench.prepare(BashTool(), command=f"rm {file}")).effect == "deny"
    assert bench.decide(bench.prepare(ReadTool(), file_path=str(file))).effect == "allow"
    assert "one" in bench.run(ReadTool(), file_path=str(file)).output


# --- a linked workspace folder ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(("root", "words"), [("project", "memory index"), ("user", "whole memory"), ("workspace", "whole memory")])
def test_the_root_and_not_the_name_says_what_its_memory_md_is_that_is_not_deleted(bench: Bench, root: str, words: str) -> None:
    prepared = bench.prepare(BashTool(), command=f"rm '{folder_of(bench, root)}/MEMORY.md'")
    assert words in str(prepared.access.memory_denied)
    assert bench.decide(prepared).effect == "deny"


@pytest.mark.parametrize("link", [".agents", ".agents/memory"])
def test_a_link_on_the_way_to_the_workspace_file_is_refused(bench: Bench, link: str) -> None:
    """B31: only the last component was looked at elsewhere, so a linked parent led outside."""
    other = bench.base / "other"
    (other / "memory").mkdir(parents=True)
    place = bench.workspace / link
    place.parent.mkdir(exist_ok=True)
    place.symlink_to(other)
    for mode in MODES:
        prepared = bench.prepare(WriteTool(), file_path=".agents/memory/MEMORY.md", content="out")
        decision = bench.decide(prepared, mode)
        assert decision.effect == "deny" and "link" in decision.reason
        with pytest.raises(ToolError):
            finish(prepared)
    assert not [p for p in other.rglob("*") if p.is_file()]
    assert bench.memories is not None
    assert [store.memory_root.id for store in bench.memories.own()] == ["project", "user"]


# --- after a write -----------------------------------------------------------------------------------------------------------


def test_a_stale_edit_is_merged_and_the_result_shows_what_came_in(bench: Bench) -> None:
    store = bench.store
    store.write("a.md", note("a", "one\n\ntwo\n\nthree"), base_digest=None, origin=PERSON)
    path = store.root / "a.md"
    bench.run(ReadTool(), file_path=str(path))
    now = store.read("a.md")
    store.write("a.md", now.text.replace("three", "drei"), base_digest=now.digest, origin=PERSON)
    outcome = bench.run(EditTool(), file_path=str(path), old_string="one\n\ntwo", new_string="eins\n\ntwo")
    text = path.read_text()
    assert "eins" in text and "drei" in text
    assert "drei" in outcome.output, "the result shows lines that the model has not seen"
    again = bench.run(EditTool(), file_path=str(path), old_string="drei", new_string="3")
    assert again.memory_saved == ("a.md",), "what was shown counts as read"


def test_a_stale_edit_of_the_same_line_is_a_conflict_and_changes_nothing(bench: Bench) -> None:
    store = bench.store
    store.write("a.md", note("a", "one\n\ntwo"), base_digest=None, origin=PERSON)
    path = store.root / "a.md"
    bench.run(ReadTool(), file_path=str(path))
    now = store.read("a.md")
    store.write("a.md", now.text.replace("\ntwo", "\nTWO"), base_digest=now.digest, origin=PERSON)
    before = path.read_bytes()
    with pytest.raises(ToolError):
        bench.run(EditTool(), file_path=str(path), old_string="\ntwo", new_string="\nzwei")
    assert path.read_bytes() == before


def test_a_person_who_is_asked_sees_exactly_what_is_written(bench: Bench) -> None:
    """Nothing is merged behind a question: a file that changed meanwhile is read again first."""
    assert bench.memories is not None
    store = bench.memories.store("user")
    store.write("a.md", note("a", "one\n\ntwo"), base_digest=None, origin=PERSON)
    path = store.root / "a.md"
    bench.run(ReadTool(), file_path=str(path))
    now = store.read("a.md")
    store.write("a.md", now.text.replace("\ntwo", "\nTWO"), base_digest=now.digest, origin=PERSON)
    with pytest.raises(ToolError, match="changed since you read it"):
        bench.prepare(EditTool(), file_path=str(path), old_string="one", new_string="eins")


def test_what_changed_between_question_and_answer_is_not_merged_or_overwritten(bench: Bench) -> None:
    assert bench.memories is not None
    store = bench.memories.store("user")
    store.write("a.md", note("a", "one\n\ntwo\n\nthree"), base_digest=None, origin=PERSON)
    path = store.root / "a.md"
    bench.run(ReadTool(), file_path=str(path))
    prepared = bench.prepare(EditTool(), file_path=str(path), old_string="one", new_string="eins")
    now = store.read("a.md")
    store.write("a.md", now.text.replace("three", "drei"), base_digest=now.digest, origin=PERSON)
    with pytest.raises(ToolError, match="changed meanwhile"):
        finish(prepared)
    assert "one" in path.read_text() and "drei" in path.read_text()
    created = bench.prepare(WriteTool(), file_path=str(store.root / "b.md"), content=note("b", "mine"))
    store.write("b.md", note("b", "somebody else's"), base_digest=None, origin=PERSON)
    with pytest.raises(ToolError):
        finish(created)
    assert "somebody else's" in (store.root / "b.md").read_text()


def test_what_was_forgotten_is_not_extracted_again(bench: Bench) -> None:
    body = note("bun", "The package manager is bun, never npm.")
    bench.run(WriteTool(), file_path=str(bench.memory_root / "bun.md"), content=body)
    bench.store.delete("bun.md", origin=PERSON)
    bench.actor = "extractor"
    with pytest.raises(ToolError, match="forgotten"):
        bench.run(WriteTool(), file_path=str(bench.memory_root / "manager.md"), content=body.replace("about bun", "the manager"))
    assert not (bench.memory_root / "manager.md").exists()
    other = replace(bench.context, message_id="msg_other")
    fact = {"file_path": str(bench.memory_root / "other.md"), "content": note("other", "Deployments happen on Tuesdays.")}
    assert finish(asyncio.run(WriteTool().prepare(fact, other))).memory_saved == ("other.md",)


def test_near_and_over_the_limit_the_result_says_so(bench: Bench) -> None:
    lines = "".join(f"- [n{i}](n{i}.md) — hook {i}\n" for i in range(199))
    for i in range(199):
        bench.note(f"n{i}.md", note(f"n{i}", f"fact number {i}"))
    bench.note("MEMORY.md", lines)
    near = bench.run(WriteTool(), file_path=str(bench.memory_root / "a.md"), content=note("a", "Bees fly at dawn."))
    assert "near its limit" in near.output and "200 lines" in near.output
    over = bench.run(WriteTool(), file_path=str(bench.memory_root / "b.md"), content=note("b", "Owls hunt at night."))
    assert "140" in over.output, "the target is about 70 %"
    removed = bench.run(BashTool(), command=f"rm {bench.memory_root}/n3.md")
    assert "limit" in removed.output


def test_the_mark_of_untrusted_text_is_in_the_journal(bench: Bench) -> None:
    async def write(untrusted: bool, name: str, body: str) -> None:
        context = replace(bench.context, untrusted=untrusted)
        prepared = await WriteTool().prepare({"file_path": str(bench.memory_root / name), "content": note(name[0], body)}, context)
        await prepared.run()

    asyncio.run(write(False, "a.md", "Bees fly at dawn."))
    asyncio.run(write(True, "b.md", "Owls hunt at night."))
    marks = {change.path: change.origin.untrusted for change in bench.store.changes(10)}
    assert (marks["a.md"], marks["b.md"]) == (False, True)


def test_names_that_the_settings_allow_are_allowed_at_both_doors(bench: Bench) -> None:
    class Chosen:
        broken = False

        def value(self, key: str) -> object:
            return {"memory.sensitive_names": [".git"], "memory.git_words": [], "memory.foreign": []}.get(key, 500)

        def tightened(self, key: str, value: object) -> object:
            return value

    blocked = bench.prepare(WriteTool(), file_path=str(bench.memory_root / "skills" / "a.md"), content=note("a", "Bees fly at dawn."))
    assert bench.decide(blocked).effect == "deny"
    bench.memories = Memories(bench.store.project, bench.workspace, bench.paths, bench.clock, lambda: bench.state, settings=Chosen())
    bench.store = bench.memories.store()
    for name in ("skills/a.md", "config/b.md"):
        prepared = bench.prepare(WriteTool(), file_path=str(bench.memory_root / name), content=note(name[-4], f"Fact about {name}."))
        assert bench.decide(prepared).effect == "allow", bench.decide(prepared).reason
        assert finish(prepared).memory_saved == (name,)
    assert bench.decide(bench.prepare(WriteTool(), file_path=str(bench.memory_root / ".git/a.md"), content="x")).effect == "deny"
