"""An undo gives the folder back byte for byte, index included; index lines lead where they should, whatever a file is called."""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, RefusedError
from desktop.memory.archive import export_memory, import_memory
from desktop.memory.health import REPAIRABLE, check_health, repair
from desktop.memory.identity import resolve_project
from desktop.memory.index_burst import synced_many
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import link_form, read_entry, relinked, split_anchor, subjects_of
from desktop.memory.links import backlinks
from desktop.memory.moving import move_between, rename_with_links, undo_in
from desktop.memory.note import MAX_DEPTH
from desktop.memory.roots import user_root
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.trash import list_trash
from tests.unit.memory.conftest import MAIN, PERSON, Desk, make_desk, make_paths, note_text

ODD = (
    "C#.md",
    "C# notes.md",
    "a.md#b.md",
    "100%41.md",
    "100%.md",
    "%23.md",
    "x<y>.md",
    "<!--x.md",
    "a-->.md",
    " lead.md",
    "a\\b.md",
    "(.md",
)


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


# names that mean something in a link


@pytest.mark.parametrize("path", [*ODD, "note:x.md", "sub/a:b.md", "..md", "a\tb.md", "é%E9.md", "记#忆.md"])
def test_a_link_that_we_write_leads_to_its_path_also_with_an_anchor(path: str) -> None:
    for anchor in ("", "#part"):
        line = f"- [x]({link_form(path, anchor)}) — words"
        entry = read_entry(line)
        assert entry is not None
        assert entry.target == path
        assert relinked(line, path, "new.md") == f"- [x](new.md{anchor}) — words"


@pytest.mark.parametrize(
    ("written", "parts"),
    [("C#.md", ("C#.md", "")), ("C#.md#p", ("C#.md", "#p")), ("a.md#C#.md", ("a.md", "#C#.md")), ("#p", ("", "#p")), ("a#p", ("a", "#p"))],
)
def test_a_hash_within_the_name_of_a_file_begins_no_anchor(written: str, parts: tuple[str, str]) -> None:
    assert split_anchor(written) == parts


@pytest.mark.parametrize("path", ODD)
def test_a_file_of_an_odd_name_has_one_line_which_goes_with_it(desk: Desk, path: str) -> None:
    desk.store.write("first.md", note_text("first", "The first one."), base_digest=None, origin=PERSON)
    before = desk.index()
    desk.store.write(path, note_text("odd", "Some words."), base_digest=None, origin=PERSON)
    for number in range(3):
        stored = desk.store.read(path)
        desk.store.write(path, f"{stored.text}More {number}.\n", base_digest=stored.digest, origin=PERSON)
    assert desk.index().count("\n") == 2
    assert [p.kind for p in check_health(desk.store)] == []
    desk.store.rename(path, "plain.md", origin=PERSON)
    desk.store.rename("plain.md", path, origin=PERSON)
    assert desk.index().count("\n") == 2
    desk.store.delete(path, origin=PERSON)
    assert desk.index() == before


def test_links_in_memories_to_a_file_with_a_hash_follow_it(desk: Desk) -> None:
    desk.add("C#.md", "About the language.", name="sharp")
    desk.add("other.md", "See [c](C#.md) and [p](C#.md#part).")
    assert [link.line for link in backlinks(desk.store, "C#.md")] == [13, 13]
    rename_with_links(desk.store, "C#.md", "sharp.md", origin=PERSON)
    assert "See [c](sharp.md) and [p](sharp.md#part)." in desk.store.read("other.md").text


# what a line is about


@pytest.mark.parametrize(
    ("line", "targets"),
    [
        ("- [A](a.md) — see [b](b.md)", ["a.md"]),
        ("- **[A](a.md)**: words [b](b.md)", ["a.md"]),
        ("- [A](a.md), [B](b.md): both", ["a.md", "b.md"]),
        ("- [A](a.md) — [B](b.md)", ["a.md", "b.md"]),
        ("- see [A](a.md) and [B](b.md)", ["a.md", "b.md"]),
        ("| [A](a.md) | [B](b.md) |", ["a.md", "b.md"]),
    ],
)
def test_links_in_the_words_about_a_memory_are_not_what_its_line_is_about(line: str, targets: list[str]) -> None:
    assert subjects_of(line) == targets


def test_a_line_goes_with_its_memory_also_when_its_words_link_to_others() -> None:
    text = "- [A](a.md) — hand-written, see [b](b.md)\n- [B](b.md) — words\n"
    assert IndexKeeper.of_nothing().synced(text, removed=["a.md"]) == "- [B](b.md) — words\n"


def test_a_repair_leaves_nothing_to_repair_where_a_line_leads_nowhere_twice(desk: Desk) -> None:
    desk.add("here.md", "It is there.")
    (desk.root / "MEMORY.md").write_text("- [x](gone.md), [y](lost.md): both\n- [z](gone.md) — see [q](lost.md)\n- [h](here.md)\n")
    repair(desk.store, REPAIRABLE, origin=PERSON)
    assert [p for p in check_health(desk.store) if p.kind in REPAIRABLE] == []
    assert desk.index() == "- [h](here.md)\n"


@pytest.mark.parametrize("line", ["- [A](a.md), [B](b.md): both\n", "| [A](a.md) | [B](b.md) |\n"])
@pytest.mark.parametrize("number", [1, 12])
def test_a_line_about_two_memories_stands_for_both(desk: Desk, line: str, number: int) -> None:
    desk.add("a.md", "One.")
    desk.add("b.md", "Two.")
    (desk.root / "MEMORY.md").write_text(line)
    notes = [note for note in desk.store.notes() if note.path == "b.md"] * number
    assert synced_many(IndexKeeper.of_nothing(), line, added=notes, renamed=[], removed=[], known=[]) == line
    assert [p for p in check_health(desk.store) if p.kind in REPAIRABLE] == []
    stored = desk.store.read("b.md")
    desk.store.write("b.md", f"{stored.text}More.\n", base_digest=stored.digest, origin=MAIN)
    assert desk.index() == line
    change = desk.store.delete("b.md", origin=PERSON)
    assert desk.index() == line.replace("[B](b.md)", "B")
    desk.store.undo(change.id)
    assert desk.index() == line


def test_an_undo_doubles_no_line_of_an_index_with_an_old_macs_breaks(desk: Desk) -> None:
    desk.add("a.md", "One.")
    desk.add("b.md", "Two.")
    text = b"- [a](a.md)\r- [b](b.md)\r"
    (desk.root / "MEMORY.md").write_bytes(text)
    change = desk.store.delete("a.md", origin=PERSON)
    assert (desk.root / "MEMORY.md").read_bytes() == b"- [b](b.md)\r"
    desk.store.undo(change.id)
    assert (desk.root / "MEMORY.md").read_bytes() == text
    assert IndexKeeper.of_nothing().with_lines_of("- [b](b.md)\r", text.decode(), "a.md") == text.decode()


# the index after an undo


def test_an_undo_of_a_new_memory_gives_back_links_that_were_there_before(desk: Desk) -> None:
    desk.add("a.md", "It will be told in [b](b.md) later.")
    before = tree(desk.root)
    change = desk.store.write("b.md", note_text("b", "Told."), base_digest=None, origin=MAIN)
    after = tree(desk.root)
    undo = desk.store.undo(change.id)
    assert tree(desk.root) == before
    desk.store.undo(undo.id)
    assert tree(desk.root) == after


def test_the_undo_of_the_very_first_memory_leaves_the_folder_as_it_was_and_a_redo_brings_both(desk: Desk) -> None:
    assert files_below(desk) == {}
    made = desk.store.write("bun.md", note_text("bun", "We build with bun."), base_digest=None, origin=MAIN)
    before = files_below(desk)
    assert set(before) == {"bun.md", "MEMORY.md"}
    undone = desk.store.undo(made.id)
    assert files_below(desk) == {}, "no empty index is left behind"
    desk.store.undo(undone.id)
    assert files_below(desk) == before


def files_below(desk: Desk) -> dict[str, bytes]:
    return {place.name: place.read_bytes() for place in desk.store.root.rglob("*.md")}


def test_an_undo_of_an_edit_takes_away_the_line_that_the_edit_brought(desk: Desk) -> None:
    desk.add("a.md", "One.")
    desk.add("b.md", "Two.")
    stored = desk.store.read("MEMORY.md")
    desk.store.write("MEMORY.md", stored.text.split("\n")[0] + "\n", base_digest=stored.digest, origin=PERSON)
    before = tree(desk.root)
    note = desk.store.read("b.md")
    change = desk.store.write("b.md", f"{note.text}More.\n", base_digest=note.digest, origin=MAIN)
    assert "(b.md)" in desk.index()
    desk.store.undo(change.id)
    assert tree(desk.root) == before


def test_a_later_line_stays_when_an_earlier_change_is_undone(desk: Desk) -> None:
    change = desk.store.write("a.md", note_text("a", "One."), base_digest=None, origin=MAIN)
    desk.add("b.md", "Two.")
    desk.store.undo(change.id)
    assert desk.index() == "- [b](b.md) — Two.\n"


def test_an_import_into_an_empty_place_is_undone_and_done_again_as_one(desk: Desk, tmp_path: Path) -> None:
    desk.add("a.md", "One.")
    desk.add("sub/b.md", "Two.")
    (desk.root / "MEMORY.md").write_text(f"# Mine\n\n{desk.index()}\nThe end.\n")
    export_memory(desk.store, tmp_path / "e.zip")
    other = make_desk(tmp_path / "other")
    report = import_memory(other.store, tmp_path / "e.zip", origin=PERSON)
    assert report.change is not None
    after = tree(other.root)
    assert after == tree(desk.root)
    undo = other.store.undo(report.change.id)
    assert tree(other.root) == {}
    other.store.undo(undo.id)
    assert tree(other.root) == after


def test_no_control_character_of_a_memory_gets_into_the_index(desk: Desk) -> None:
    desk.store.write("a.md", "\0\0words\x1b[31m\x7f\x9b more\n", base_digest=None, origin=PERSON)
    assert desk.index() == "- [a](a.md) — words [31m more\n"


@pytest.mark.skipif(sys.platform != "linux", reason="only there a name may be any bytes")
@pytest.mark.parametrize("others", [0, 12])
def test_a_file_whose_name_is_no_text_gets_no_line_and_spoils_no_index(desk: Desk, others: int) -> None:
    desk.add("a.md", "One.")
    desk.store.observe()
    for name in (b"bad\xff.md", *(f"n{number}.md".encode() for number in range(others))):
        path = os.path.join(os.fsencode(desk.root), name)  # noqa: PTH118 - bytes
        Path(os.fsdecode(path)).write_text("Some words.\n")
        os.utime(path, (1_700_000_000, 1_700_000_000))
    desk.store.observe()
    repair(desk.store, REPAIRABLE, origin=PERSON)
    lines = (desk.root / "MEMORY.md").read_bytes().decode().splitlines()  # fails on bytes that are no UTF-8
    assert len(lines) == 1 + others
    assert [p.kind for p in check_health(desk.store) if p.kind in REPAIRABLE] == []


@pytest.mark.parametrize("strategy", ["git-root", "workspace", "git-id", "worktree"])
def test_a_nul_in_what_git_left_behind_stops_no_folder(tmp_path: Path, strategy: str) -> None:
    for number, (name, data) in enumerate(((".git", b"gitdir: \0\xff\n"), ("config", b"[core]\n\tworktree = /a\0b\n"))):
        folder = tmp_path / f"f{number}"
        folder.mkdir()
        if name == "config":
            for part in ("objects", "refs"):
                (folder / ".git" / part).mkdir(parents=True)
            (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
            (folder / ".git" / "config").write_bytes(data)
            linked = folder / ".git" / "worktrees" / "w"
            linked.mkdir(parents=True)
            (linked / "commondir").write_text("../..\n")
            (linked / "gitdir").write_text(f"{tmp_path / 'w' / '.git'}\n")
            folder = tmp_path / "w"
            folder.mkdir()
            (folder / ".git").write_text(f"gitdir: {linked}\n")
        else:
            (folder / name).write_bytes(data)
        assert resolve_project(folder, make_paths(tmp_path), strategy=strategy).source


@pytest.mark.parametrize("origin", [MAIN, PERSON])
@pytest.mark.parametrize("folder", ["d/" * (MAX_DEPTH + 1), "node_modules/", "a/node_modules/"])
def test_no_memory_is_written_where_none_is_ever_looked_for(desk: Desk, folder: str, origin: ChangeOrigin) -> None:
    with pytest.raises(RefusedError):
        desk.store.write(f"{folder}x.md", note_text("x", "Unseen."), base_digest=None, origin=origin)
    desk.add(f"{'d/' * MAX_DEPTH}x.md", "Seen.", origin=origin)
    assert desk.store.observe() == []
    assert [note.name for note in desk.store.notes()] == [f"{'d/' * MAX_DEPTH}x"]


# a move, undone by one of its halves


@pytest.mark.parametrize("named", ["source", "target"])
def test_a_move_is_taken_back_whole_from_either_side(desk: Desk, named: str) -> None:
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    desk.add("a.md", "Worth keeping.")
    before = tree(desk.root)
    move_between(desk.store, user, "a.md", origin=PERSON)
    moved = (tree(desk.root), tree(user.root))
    stores = (desk.store, user)
    undo = undo_in(stores, desk.store if named == "source" else user)
    assert (tree(desk.root), tree(user.root)) == (before, {})
    undo_in(stores, desk.store, undo.id)
    assert {path for one in (tree(desk.root), tree(user.root)) for path in one} == {"a.md", "MEMORY.md"}
    assert tree(user.root) == moved[1]


def test_half_a_move_is_never_taken_back_alone(desk: Desk) -> None:
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    desk.add("a.md", "Worth keeping.")
    move_between(desk.store, user, "a.md", origin=PERSON)
    with pytest.raises(ConflictError, match="not open here"):
        undo_in((user,), user)
    assert set(tree(user.root)) == {"a.md"}
    assert list_trash(user) == []
    change = desk.store.write("b.md", note_text("b", "Plain."), base_digest=None, origin=PERSON)
    assert undo_in((desk.store, user), desk.store).undoes == change.id
