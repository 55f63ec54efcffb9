"""The guard around a shell command, asked directly: several roots, names in the report, doubt, faults, commands at once."""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.memory.bracket import RootBracket
from desktop.memory.bracket_look import look_below
from desktop.memory.roots import foreign_root, user_root, workspace_root
from desktop.memory.store import MemoryStore
from tests.unit.memory.conftest import MAIN, PERSON, Desk, note_text

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="links and modes")


@pytest.fixture
def stores(desk: Desk, tmp_path: Path) -> dict[str, MemoryStore]:
    rows = {
        "user": user_root(desk.paths),
        "workspace": workspace_root(desk.project.folder),
        "foreign": foreign_root("claude-code", "Claude Code", tmp_path / "theirs"),
    }
    made = {name: MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=root) for name, root in rows.items()}
    (tmp_path / "theirs").mkdir()
    desk.add("a.md", "a fact")
    made["user"].write("likes.md", note_text("likes", "likes tea"), base_digest=None, origin=PERSON)
    made["workspace"].write("MEMORY.md", "# Shared\n\n- rule\n", base_digest=None, origin=PERSON)
    return {"project": desk.store} | made


def test_all_roots_are_guarded_and_named_but_other_programs_folders_are_theirs(stores: dict[str, MemoryStore], tmp_path: Path) -> None:
    bracket = RootBracket(list(stores.values()))
    token = bracket.before()
    for name, path in (("project", "a.md"), ("user", "likes.md"), ("workspace", "MEMORY.md"), ("user", "new.md")):
        (stores[name].root / path).write_text("past the gate")
    (tmp_path / "theirs" / "x.md").write_text("their own")
    report = bracket.after(token, origin=MAIN)
    assert report.restored == ("a.md", "user:likes.md", "workspace:MEMORY.md")
    assert report.quarantined == ("user:new.md",)
    for name in (*report.restored, *report.quarantined):
        assert name in report.text
    assert "Write, Edit or memory_index" in report.text
    assert stores["workspace"].read("MEMORY.md").text == "# Shared\n\n- rule\n"
    assert (tmp_path / "theirs" / "x.md").exists()


def test_a_root_that_does_not_exist_yet_and_comes_to_be_is_taken_away_again(desk: Desk) -> None:
    root = desk.root
    assert not root.exists() or not list(root.iterdir())
    bracket = RootBracket([desk.store])
    token = bracket.before()
    root.mkdir(parents=True, exist_ok=True)
    (root / "x.md").write_text("past the gate")
    assert bracket.after(token, origin=MAIN).quarantined == ("x.md",)
    assert list(root.iterdir()) == []


def test_a_change_within_one_tick_of_the_disk_s_clock_is_found_by_digest(desk: Desk) -> None:
    """The look before sees a file that was written this moment; the times of a second write may be the same."""
    desk.add("a.md", "a fact")
    look = look_below(desk.root)
    assert "a.md" in look.young
    bracket = RootBracket([desk.store])
    token = bracket.before()
    row = token.roots[0]
    status = (desk.root / "a.md").stat()
    with (desk.root / "a.md").open("r+b") as stream:
        stream.write(b"===")
    os.utime(desk.root / "a.md", ns=(status.st_mtime_ns, status.st_mtime_ns))
    row[2].look.nodes["a.md"] = look_below(desk.root).nodes["a.md"]  # as if the clock had not moved on
    assert bracket.after(token, origin=MAIN).restored == ("a.md",)
    assert desk.store.read("a.md").text.startswith("---")


def test_notes_come_back_also_when_their_kept_versions_went_with_them(desk: Desk) -> None:
    desk.add("a.md", "a fact")
    desk.add("b.md", "another fact")
    before = {path.name: path.read_bytes() for path in desk.root.iterdir()}
    bracket = RootBracket([desk.store])
    token = bracket.before()
    shutil.rmtree(desk.paths.data)
    report = bracket.after(token, origin=MAIN)
    assert {"a.md", "b.md", "MEMORY.md"} <= set(report.restored)
    assert {path.name: path.read_bytes() for path in desk.root.iterdir()} == before
    assert bracket.after(bracket.before(), origin=MAIN).text == ""


def test_a_note_that_nothing_can_bring_back_is_said_to_be_lost(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.memory.bracket.MOST_HELD", 0)
    desk.add("a.md", "a fact")
    desk.add("same.md", "another fact")
    bracket = RootBracket([desk.store])
    token = bracket.before()
    shutil.rmtree(desk.paths.snapshots)
    (desk.root / "a.md").unlink()
    (desk.root / "same.md").chmod(0o640)
    report = bracket.after(token, origin=MAIN)
    assert "a.md could not be put back" in report.text
    assert "a.md" not in report.restored
    assert (desk.root / "same.md").read_text().endswith("another fact\n"), "what holds what it should is left where it is"


def test_what_cannot_be_rolled_back_is_taken_out_and_kept(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("desktop.memory.bracket.MOST_HELD", 0)
    desk.add("a.md", "a fact")
    bracket = RootBracket([desk.store])
    token = bracket.before()
    for path in (desk.paths.snapshots / desk.store.memory_root.key).iterdir():
        path.unlink()
    (desk.root / "a.md").write_text("past the gate")
    report = bracket.after(token, origin=MAIN)
    assert "a.md" in report.quarantined
    assert not (desk.root / "a.md").exists()
    kept = list((desk.paths.trash / desk.store.memory_root.key).glob("quarantine-*/a.md"))
    assert [path.read_text() for path in kept] == ["past the gate"]


def test_a_fault_is_said_and_raises_nothing(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    desk.add("a.md", "a fact")
    bracket = RootBracket([desk.store])
    token = bracket.before()
    (desk.root / "a.md").write_text("past the gate")

    def refuse(*_: object, **__: object) -> None:
        raise StorageError("The disk is full.")

    with monkeypatch.context() as patch:
        patch.setattr("desktop.memory.bracket_undo.write_beneath", refuse)
        report = bracket.after(token, origin=MAIN)
    assert "The disk is full." in report.text
    assert report.restored == ()
    assert bracket.after(token, origin=MAIN).restored == ("a.md",), "and it is put back when it can be"


def test_an_observation_during_the_command_changes_nothing_of_it(desk: Desk) -> None:
    """The window looks for changes of other programs all the time: what it journals as theirs is taken back all the same."""
    desk.add("a.md", "a fact")
    index = desk.index()
    bracket = RootBracket([desk.store])
    token = bracket.before()
    (desk.root / "a.md").unlink()
    (desk.root / "evil.md").write_text(note_text("evil", "past the gate"))
    assert {change.path for change in desk.store.observe()} == {"a.md", "evil.md"}
    assert "evil" in desk.index()
    report = bracket.after(token, origin=MAIN)
    assert set(report.restored) == {"a.md", "MEMORY.md"}
    assert report.quarantined == ("evil.md",)
    assert desk.index() == index
    assert desk.store.observe() == []


def test_two_commands_at_once_in_one_root(desk: Desk) -> None:
    desk.add("a.md", "a fact")
    desk.add("b.md", "another fact")
    one, two = RootBracket([desk.store]), RootBracket([desk.store])
    first, second = one.before(), two.before()
    (desk.root / "a.md").write_text("past the gate")
    assert one.after(first, origin=MAIN).restored == ("a.md",)
    (desk.root / "b.md").write_text("past the gate")
    assert two.after(second, origin=MAIN).restored == ("b.md",)
    assert desk.store.read("a.md").text.startswith("---")
    assert desk.store.read("b.md").text.startswith("---")
