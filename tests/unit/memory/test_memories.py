"""Which root a path lies in, one store a root, and what opening a folder does to all of them."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError
from desktop.memory.history import restore
from desktop.memory.memories import Memories
from desktop.memory.switches import MemoryState
from tests.unit.memory.conftest import ON, PERSON, Desk, note_text

OFF = MemoryState(False, "Memory is off.", False, "Memory is off.", "off", "memory.use")


@pytest.fixture
def make(desk: Desk) -> Callable[..., Memories]:
    def made(state: MemoryState = ON, **more: object) -> Memories:
        return Memories(desk.project, desk.project.folder, desk.paths, desk.clock, lambda: state, **more)  # type: ignore[arg-type]

    return made


def test_a_path_belongs_to_the_root_that_holds_it(desk: Desk, make: Callable[..., Memories]) -> None:
    memories = make()
    for root in memories.own_roots:
        for relative in ("MEMORY.md", "deep/er/a.md"):
            found = memories.at(root.folder / relative)
            assert found is not None
            assert (found[0].memory_root.id, found[1]) == (root.id, relative)
        at_folder = memories.at(root.folder)
        assert at_folder is not None and at_folder[1] == "."
    for path in (desk.project.folder / "a.md", desk.paths.projects / "other-0123456789abcdef" / "memory" / "a.md", Path("/etc/passwd")):
        assert memories.at(path) is None


@pytest.mark.parametrize("name", ["memory-evil", "memory2", "memor"])
def test_a_folder_whose_name_begins_alike_is_no_root(make: Callable[..., Memories], name: str) -> None:
    memories = make()
    for root in memories.own_roots:
        assert memories.at(root.folder.parent / name / "a.md") is None


def test_links_and_dots_lead_to_the_same_root(desk: Desk, make: Callable[..., Memories], tmp_path: Path) -> None:
    memories = make()
    link = tmp_path / "link"
    link.symlink_to(desk.root)
    for path in (link / "a.md", desk.root / "x" / ".." / "a.md", desk.project.folder / ".." / ".." / "link" / "a.md"):
        found = memories.at(path)
        assert found is not None and found[0].memory_root.id == "project"


def test_the_deepest_root_wins(desk: Desk, make: Callable[..., Memories]) -> None:
    from dataclasses import replace

    inner = desk.paths.memories / "global" / "inner"
    desk.project = replace(desk.project, memory_root=inner)
    found = make().at(inner / "a.md")
    assert found is not None and found[0].memory_root.id == "project"


def test_one_store_a_root_and_an_unknown_one_is_named(make: Callable[..., Memories]) -> None:
    memories = make()
    assert memories.store("user") is memories.store("user")
    assert [store.memory_root.id for store in memories.own()] == ["project", "user", "workspace"]
    with pytest.raises(NotFoundError, match="nowhere"):
        memories.store("nowhere")


def test_opening_finishes_makes_and_observes(desk: Desk, make: Callable[..., Memories]) -> None:
    memories = make()
    memories.prepare()
    user = memories.store("user")
    assert user.root.is_dir() and user.root.stat().st_mode & 0o777 == 0o700
    assert not memories.store("workspace").root.exists(), "nothing is made inside the folder"
    desk.add("a.md", "Bees fly at dawn.")
    (desk.root / "b.md").write_text(note_text("b", "Owls hunt at night."), encoding="utf-8")
    (user.root / "c.md").write_text(note_text("c", "I write in English."), encoding="utf-8")
    changes = make().observe()
    assert {(change.path, change.origin.actor) for change in changes if not change.by_keeper} == {("b.md", "outside"), ("c.md", "outside")}
    assert "b.md" in desk.index()
    assert not (user.root / "MEMORY.md").exists()


def test_nothing_is_observed_while_memory_is_off(desk: Desk, make: Callable[..., Memories]) -> None:
    desk.add("a.md", "Bees fly at dawn.")
    (desk.root / "b.md").write_text(note_text("b", "Owls hunt at night."), encoding="utf-8")
    before = desk.index()
    assert make(OFF).observe() == []
    assert desk.index() == before


def test_sweeping_never_touches_memory(desk: Desk, make: Callable[..., Memories]) -> None:
    desk.add("a.md", "Bees fly at dawn.")
    before = {path: path.read_bytes() for path in desk.root.rglob("*") if path.is_file()}
    make().sweep()
    assert {path: path.read_bytes() for path in desk.root.rglob("*") if path.is_file()} == before


def test_a_linked_workspace_folder_is_read_only(desk: Desk, make: Callable[..., Memories], tmp_path: Path) -> None:
    (tmp_path / "elsewhere" / "memory").mkdir(parents=True)
    (desk.project.folder / ".agents").symlink_to(tmp_path / "elsewhere")
    memories = make()
    root = memories.root("workspace")
    assert root is not None and root.read_only and root.policy == "deny"
    assert [store.memory_root.id for store in memories.own()] == ["project", "user"]
    file = memories.workspace_file()
    assert file.state == "refused" and "link" in file.problem


def test_what_our_own_hand_writes_stays_allowed(desk: Desk, make: Callable[..., Memories]) -> None:
    memories = make()
    store = memories.store("workspace")
    assert memories.workspace_file().state == "missing"
    store.write("MEMORY.md", "We use tabs.\n", base_digest=None, origin=PERSON)
    assert memories.workspace_file().state == "trusted"
    now = store.read("MEMORY.md")
    store.write("MEMORY.md", "We use tabs and bun.\n", base_digest=now.digest, origin=PERSON)
    assert make().workspace_file().state == "trusted"
    store.undo()
    assert make().workspace_file().state == "trusted"


def test_a_strangers_text_is_not_allowed_by_an_edit_of_ours(desk: Desk, make: Callable[..., Memories]) -> None:
    memories = make()
    store = memories.store("workspace")
    store.root.mkdir(parents=True)
    (store.root / "MEMORY.md").write_text("stranger\n")
    now = store.read("MEMORY.md")
    store.write("MEMORY.md", "stranger\nmine\n", base_digest=now.digest, origin=PERSON)
    assert memories.workspace_file().state == "untrusted"


def test_a_strangers_text_that_is_brought_back_stays_a_strangers(desk: Desk, make: Callable[..., Memories]) -> None:
    memories = make()
    store = memories.store("workspace")
    store.root.mkdir(parents=True)
    (store.root / "MEMORY.md").write_text("stranger\n")
    store.observe()
    gone = store.delete("MEMORY.md", origin=PERSON)
    store.undo(gone.id)
    assert store.read("MEMORY.md").text == "stranger\n"
    assert memories.workspace_file().state == "untrusted", "nobody looked at it"
    gone = store.delete("MEMORY.md", origin=PERSON)
    assert gone.before is not None
    restore(store, "MEMORY.md", gone.before, origin=PERSON)
    assert memories.workspace_file().state == "untrusted"
    memories.allow_workspace(gone.before)
    store.undo(store.delete("MEMORY.md", origin=PERSON).id)
    assert memories.workspace_file().state == "trusted", "what was allowed stays so"
