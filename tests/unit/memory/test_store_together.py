"""Several writers and several files: merged edits, changes that are one act, undo and redo of both, roots of every profile."""

from __future__ import annotations

import contextlib
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError, RefusedError, StorageError
from desktop.base.textio import digest
from desktop.memory.change import ChangeOrigin
from desktop.memory.frontmatter import parse
from desktop.memory.roots import user_root, workspace_root
from desktop.memory.store import Change, MemoryStore
from desktop.memory.unfinished import Unfinished
from tests.unit.memory.conftest import EXTRACTOR, MAIN, ON, PERSON, Desk, note_text

FACTS = note_text("facts", "- one\n- two\n- three", "Facts")
DREAM = ChangeOrigin("dream", reason="tidied")


def write(desk: Desk, path: str, old: str, new: str, origin: ChangeOrigin = PERSON) -> Change:
    read = desk.store.read(path)
    return desk.store.write(path, read.text.replace(old, new), base_digest=read.digest, origin=origin)


# merging


def test_w43_two_stale_edits_of_different_lines_both_go_in(desk: Desk) -> None:
    desk.store.write("facts.md", FACTS, base_digest=None, origin=MAIN)
    read = desk.store.read("facts.md")
    write(desk, "facts.md", "- one", "- one, by the person")
    change = desk.store.write("facts.md", read.text.replace("- three", "- three, by the model"), base_digest=read.digest, origin=MAIN)
    stored = desk.store.read("facts.md")
    assert parse(stored.data).body == "\n- one, by the person\n- two\n- three, by the model\n"
    assert change.merged
    assert "both changes" in change.warnings[0]
    assert [c.merged for c in desk.store.changes()] == [True, False, False]
    desk.store.undo()
    assert parse(desk.store.read("facts.md").data).body == "\n- one, by the person\n- two\n- three\n"


def test_a_stale_edit_of_the_same_line_is_a_conflict_and_changes_nothing(desk: Desk) -> None:
    desk.store.write("facts.md", FACTS, base_digest=None, origin=MAIN)
    read = desk.store.read("facts.md")
    write(desk, "facts.md", "- one", "- one, by the person")
    before = desk.store.read("facts.md")
    with pytest.raises(ConflictError, match="changed meanwhile"):
        desk.store.write("facts.md", read.text.replace("- one", "- eins"), base_digest=read.digest, origin=MAIN)
    assert desk.store.read("facts.md") == before
    assert len(desk.store.changes()) == 2


def test_b17_a_slow_job_that_writes_an_old_picture_back_loses_no_fact_saved_meanwhile(desk: Desk) -> None:
    desk.store.write("facts.md", FACTS, base_digest=None, origin=MAIN)
    picture, index = desk.store.read("facts.md"), desk.store.read("MEMORY.md")
    write(desk, "facts.md", "- three\n", "- three\n- Z, said meanwhile\n")
    desk.add("z.md", "Z in a file of its own", origin=PERSON)
    tidied = picture.text.replace("- two", "- two, tidied")
    change = desk.store.write("facts.md", tidied, base_digest=picture.digest, origin=DREAM)
    assert change.merged
    assert "- Z, said meanwhile" in desk.store.read("facts.md").text
    assert "- two, tidied" in desk.store.read("facts.md").text
    desk.store.write("MEMORY.md", index.text, base_digest=index.digest, origin=DREAM)
    assert "(z.md)" in desk.index()
    whole = "\n".join(line for line in picture.text.split("\n") if not line.startswith("- "))
    with contextlib.suppress(ConflictError):
        desk.store.write("facts.md", whole, base_digest=picture.digest, origin=DREAM)
    assert "- Z, said meanwhile" in desk.store.read("facts.md").text


def test_the_writer_s_own_copy_is_enough_to_merge(desk: Desk) -> None:
    (desk.root / "hand.md").write_text("one\ntwo\nthree\n")
    base = desk.store.read("hand.md")
    (desk.root / "hand.md").write_text("ONE\ntwo\nthree\n")
    with pytest.raises(ConflictError):
        desk.store.write("hand.md", "one\ntwo\nTHREE\n", base_digest=base.digest, origin=PERSON)
    with pytest.raises(ConflictError):
        desk.store.write("hand.md", "one\ntwo\nTHREE\n", base_digest=base.digest, origin=PERSON, base=b"something else\n")
    desk.store.write("hand.md", "one\ntwo\nTHREE\n", base_digest=base.digest, origin=PERSON, base=base.data)
    assert desk.store.read("hand.md").text == "ONE\ntwo\nTHREE\n"


def test_merged_encodings_and_marks_are_those_of_the_file(desk: Desk) -> None:
    (desk.root / "wide.md").write_bytes("一\r\n二\r\n三\r\n".encode("utf-16"))
    base = desk.store.read("wide.md")
    (desk.root / "wide.md").write_bytes("壹\r\n二\r\n三\r\n".encode("utf-16"))
    desk.store.write("wide.md", base.text.replace("三", "叁"), base_digest=base.digest, origin=PERSON, base=base.data)
    assert (desk.root / "wide.md").read_bytes() == "壹\r\n二\r\n叁\r\n".encode("utf-16")


def test_what_a_merge_makes_passes_the_gate_too(desk: Desk) -> None:
    desk.store.write("facts.md", FACTS, base_digest=None, origin=MAIN)
    read = desk.store.read("facts.md")
    write(desk, "facts.md", "- one", "- one ghp_" + "a1B2" * 9)
    with pytest.raises(RefusedError, match="secret"):
        desk.store.write("facts.md", read.text.replace("- three", "- 3"), base_digest=read.digest, origin=MAIN)


def test_an_index_is_merged_like_any_text_when_a_person_changed_other_lines(desk: Desk) -> None:
    for name in ("a", "b", "c"):
        desk.add(f"{name}.md", f"fact {name}")
    read = desk.store.read("MEMORY.md")
    (desk.root / "MEMORY.md").write_text(read.text.replace("fact a", "A, by hand"))
    desk.store.write("MEMORY.md", read.text.replace("fact c", "C, by the model"), base_digest=read.digest, origin=MAIN)
    assert "A, by hand" in desk.index()
    assert "C, by the model" in desk.index()
    assert desk.index().count("\n") == 3


def test_writers_of_different_lines_never_conflict_and_never_lose_one(desk: Desk) -> None:
    """W-43: four stores, each with a line of its own in one file."""
    lines = [f"counter {who}: 0" for who in range(4)]
    desk.store.write("count.md", "".join(f"{line}\n\n" for line in lines), base_digest=None, origin=MAIN)
    start = desk.store.read("count.md")
    gate = threading.Barrier(4)
    failed: list[BaseException] = []

    def count(who: int) -> None:
        store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON)
        text, base = start.text, start.data
        try:
            for number in range(1, 6):
                gate.wait(60)
                text = text.replace(f"counter {who}: {number - 1}", f"counter {who}: {number}")
                store.write("count.md", text, base_digest=digest(base), origin=EXTRACTOR, base=base)
                base = text.encode()  # never read again: it goes on from its own old picture
        except (AssertionError, KeepsakeError, threading.BrokenBarrierError) as error:
            failed.append(error)

    threads = [threading.Thread(target=count, args=(who,)) for who in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert failed == []
    assert desk.store.read("count.md").text == "".join(f"counter {who}: 5\n\n" for who in range(4))


# one act


def test_changes_of_one_group_are_undone_and_redone_as_one(desk: Desk) -> None:
    for name in ("a", "b", "c"):
        desk.add(f"{name}.md", f"fact {name}")
    before = {path.name: path.read_bytes() for path in desk.root.iterdir()}
    heard: list[Change] = []
    desk.store.changed.subscribe(heard.append)
    with desk.store.exclusive(group="grp_act") as changing:
        data = changing.current("a.md")
        assert data is not None
        change = changing.move("a.md", "deep/moved.md", data, PERSON)
        gone = changing.current("b.md")
        assert gone is not None
        changing.follow(changing.remove("b.md", gone, "delete", PERSON), gone, None)
        new = changing.apply("d.md", None, b"fact d\n", "write", PERSON)
        changing.follow(new, None, b"fact d\n")
        assert heard == []
    assert [c.path for c in heard] == ["deep/moved.md", "b.md", "d.md"]
    assert {c.group for c in desk.store.changes(7, with_index=True)} == {"grp_act", ""}
    after = {path.name: path.read_bytes() for path in desk.root.rglob("*.md")}
    undone = desk.store.undo(change.id)
    assert {path.name: path.read_bytes() for path in desk.root.iterdir()} == before
    with pytest.raises(ConflictError, match="already undone"):
        desk.store.undo(new.id)
    redone = desk.store.undo(undone.id)
    assert {path.name: path.read_bytes() for path in desk.root.rglob("*.md")} == after
    desk.store.undo(redone.id)
    assert {path.name: path.read_bytes() for path in desk.root.iterdir()} == before
    assert desk.store.observe() == []


def test_a_group_is_undone_whole_or_not_at_all(desk: Desk) -> None:
    with desk.store.exclusive(group="grp_two") as changing:
        for name in ("a", "b"):
            change = changing.apply(f"{name}.md", None, b"fact\n", "write", MAIN)
            changing.follow(change, None, b"fact\n")
    (desk.root / "a.md").write_text("changed by hand since\n")
    state = {path.name: path.read_bytes() for path in desk.root.iterdir()}
    with pytest.raises(ConflictError, match=r"a\.md was changed again"):
        desk.store.undo(change.id)
    assert {path.name: path.read_bytes() for path in desk.root.iterdir()} == state


def test_a_group_whose_index_went_on_since_is_undone_around_what_came(desk: Desk) -> None:
    desk.add("old.md", "old fact")
    with desk.store.exclusive(group="grp_two") as changing:
        for name in ("a", "b"):
            change = changing.apply(f"{name}.md", None, b"fact\n", "write", MAIN)
            changing.follow(change, None, b"fact\n")
    desk.add("later.md", "later fact")
    desk.store.undo(change.id)
    assert sorted(note.path for note in desk.store.notes()) == ["later.md", "old.md"]
    assert desk.index() == "- [old](old.md) — old fact\n- [later](later.md) — later fact\n"


def test_when_one_change_of_a_group_fails_none_is_made(desk: Desk) -> None:
    desk.add("a.md", "fact a")
    state = {path.name: path.read_bytes() for path in desk.root.iterdir()}
    with pytest.raises(StorageError, match=r"c\.md"), desk.store.exclusive(group="grp_x") as changing:
        data = changing.current("a.md")
        assert data is not None
        changing.move("a.md", "b.md", data, PERSON)
        change = changing.apply("n.md", None, b"new\n", "write", PERSON)
        changing.follow(change, None, b"new\n")
        raise StorageError("c.md could not be saved")
    assert {path.name: path.read_bytes() for path in desk.root.iterdir()} == state
    assert not Unfinished(desk.paths, desk.project.key).there
    assert desk.store.observe() == []
    with pytest.raises(NotFoundError):
        desk.store.version("0" * 64)


def test_blocks_inside_a_block_are_part_of_it(desk: Desk) -> None:
    with desk.store.exclusive(group="grp_outer") as changing, desk.store.exclusive(group="grp_inner") as inner:
        assert inner is changing
        desk.store.write("a.md", "fact a\n", base_digest=None, origin=MAIN)
        desk.store.write("b.md", "fact b\n", base_digest=None, origin=MAIN)
    assert {change.group for change in desk.store.changes()} == {"grp_outer"}
    desk.store.undo()
    assert desk.store.notes() == []
    with desk.store.exclusive():
        with desk.store.exclusive(group="grp_inner"):
            desk.store.write("a.md", "fact a\n", base_digest=None, origin=MAIN)
        desk.store.write("b.md", "fact b\n", base_digest=None, origin=MAIN)
    assert [change.group for change in desk.store.changes(2)] == ["", "grp_inner"]


def test_undo_after_a_redo_means_the_change_again(desk: Desk) -> None:
    desk.store.write("a.md", "first\n", base_digest=None, origin=MAIN)
    change = desk.store.write("a.md", "second\n", base_digest=desk.store.read("a.md").digest, origin=MAIN)
    undone = desk.store.undo()
    assert desk.store.read("a.md").text == "first\n"
    redone = desk.store.undo(undone.id)
    assert desk.store.read("a.md").text == "second\n"
    assert desk.store.undo().undoes == change.id
    assert desk.store.read("a.md").text == "first\n"
    with pytest.raises(ConflictError):
        desk.store.undo(redone.id)


def test_a_deletion_is_undone_and_redone_with_its_hand_written_line(desk: Desk) -> None:
    desk.add("a.md", "fact a")
    write(desk, "MEMORY.md", "fact a", "my words")
    gone = desk.store.delete("a.md", origin=PERSON)
    back = desk.store.undo(gone.id)
    assert "my words" in desk.index()
    again = desk.store.undo(back.id)
    assert desk.store.notes() == []
    assert "a.md" not in desk.index()
    desk.store.undo(again.id)
    assert [note.path for note in desk.store.notes()] == ["a.md"]


def test_an_undo_never_writes_over_a_file_that_took_the_old_name(desk: Desk) -> None:
    desk.add("a.md", "fact a")
    change = desk.store.rename("a.md", "b.md", origin=PERSON)
    (desk.root / "a.md").write_text("another one\n")
    with pytest.raises(ConflictError, match=r"a\.md exists already"):
        desk.store.undo(change.id)
    assert (desk.root / "a.md").read_text() == "another one\n"
    assert (desk.root / "b.md").exists()


# what an agent puts into the index


def test_w17_content_in_an_agent_s_index_becomes_files_in_the_same_act(desk: Desk) -> None:
    desk.add("a.md", "fact a")
    before = desk.index()
    prose = "\n".join(f"- We keep rule number {number} because of a long story about it." for number in range(8))
    text = f"{before}\n## Release steps\n\nFirst the tests run on both machines, then the tag is pushed by hand.\n\n{prose}\n"
    change = desk.store.write("MEMORY.md", text, base_digest=desk.store.read("MEMORY.md").digest, origin=MAIN)
    fresh = [note.path for note in desk.store.notes() if note.path != "a.md"]
    assert fresh
    assert any("moved into" in warning for warning in change.warnings)
    assert "rule number 3" not in desk.index()
    assert any("rule number 3" in desk.store.read(path).text for path in fresh)
    assert all(f"({path})" in desk.index() for path in fresh)
    desk.store.undo(change.id)
    assert desk.index() == before
    assert [note.path for note in desk.store.notes()] == ["a.md"]
    desk.store.write("MEMORY.md", text, base_digest=desk.store.read("MEMORY.md").digest, origin=PERSON)
    assert desk.index() == text


# profiles


def test_in_a_document_of_sections_the_app_keeps_no_index(desk: Desk) -> None:
    store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON, root=user_root(desk.paths))
    store.write("MEMORY.md", "## Me\n\nI like tea.\n", base_digest=None, origin=PERSON)
    store.write("tea.md", note_text("tea", "Green tea"), base_digest=None, origin=PERSON)
    assert store.read("MEMORY.md").text == "## Me\n\nI like tea.\n"
    store.rename("tea.md", "drinks/tea.md", origin=PERSON)
    store.delete("drinks/tea.md", origin=PERSON)
    assert store.read("MEMORY.md").text == "## Me\n\nI like tea.\n"
    with pytest.raises(RefusedError, match="person"):
        store.write("x.md", "x\n", base_digest=None, origin=MAIN)
    store.write("x.md", "x\n", base_digest=None, origin=ChangeOrigin("main", "s", "m", approved=True))
    assert store.read("MEMORY.md").text == "## Me\n\nI like tea.\n"
    assert "I like tea." in store.load_index().text
    (store.root / "y.md").write_text("by hand\n")
    store.observe()
    assert store.read("MEMORY.md").text == "## Me\n\nI like tea.\n"
    assert len(list(desk.paths.journal.glob("global.jsonl"))) == 1
    assert desk.store.changes() == []


def test_the_one_file_of_a_workspace_is_written_by_who_may(desk: Desk, tmp_path: Path) -> None:
    (tmp_path / "ws").mkdir()
    store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON, root=workspace_root(tmp_path / "ws"))
    store.write("MEMORY.md", "Facts.\n", base_digest=None, origin=MAIN)
    with pytest.raises(RefusedError, match="one file"):
        store.write("other.md", "x\n", base_digest=None, origin=MAIN)
    read = store.read("MEMORY.md")
    store.write("MEMORY.md", read.text + "More.\n", base_digest=read.digest, origin=PERSON)
    assert store.load_index().text == "Facts.\nMore."
    store.undo()
    assert store.read("MEMORY.md").text == "Facts.\n"


def test_what_was_forgotten_is_not_brought_back_by_a_job(desk: Desk) -> None:
    desk.store.write("tea.md", note_text("tea", "The person likes green tea."), base_digest=None, origin=EXTRACTOR)
    gone = desk.store.delete("tea.md", origin=PERSON)
    with pytest.raises(RefusedError, match="forgotten"):
        desk.store.write("drink.md", note_text("drink", "the person likes green tea"), base_digest=None, origin=EXTRACTOR)
    desk.store.undo(gone.id)
    desk.store.delete("tea.md", origin=ChangeOrigin("outside"))
    desk.store.write("drink.md", note_text("drink", "the person likes green tea"), base_digest=None, origin=EXTRACTOR)


# killed on the way

_KILLED = """
import os, sys; from pathlib import Path
from desktop.base.clock import SystemClock
from desktop.base.paths import AppPaths
from desktop.memory.identity import resolve_project
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.switches import MemoryState
base, folder, act, after = Path(sys.argv[1]), Path(sys.argv[2]), sys.argv[3], int(sys.argv[4])
paths = AppPaths(base / 'data', base / 'config', base / 'cache')
store = MemoryStore(resolve_project(folder, paths), paths, SystemClock(), lambda: MemoryState(True, '', True, '', 'auto'))
calls = [0]
def die(event, given):
    if event in ('os.rename', 'os.remove', 'open', 'os.truncate', 'os.mkdir', 'os.rmdir', 'os.utime'):
        if event == 'open' and not (isinstance(given[2], int) and given[2] & (os.O_WRONLY | os.O_RDWR)):
            return
        calls[0] += 1
        if calls[0] > after:
            os._exit(9)
origin = ChangeOrigin('main', 'sess_killed')
stale = (base / 'stale').read_bytes()
store.changes()
sys.addaudithook(die)
if act == 'merge':
    from desktop.base.textio import digest
    store.write('facts.md', stale.decode().replace('- three', '- 3'), base_digest=digest(stale), origin=origin, base=stale)
elif act == 'observe':
    store.observe()
elif act == 'undo':
    store.undo(sys.argv[5])
elif act == 'group':
    with store.exclusive(group='grp_killed') as changing:
        for name in ('x', 'y'):
            data = (name + '\\n').encode()
            changing.follow(changing.apply(name + '.md', None, data, 'write', origin), None, data)
        data = changing.current('facts.md')
        changing.move('facts.md', 'moved.md', data, origin)
print(calls[0])
"""
"""Does one act and is gone before the call to change a file that comes after the given number of such calls."""


def _state(root: Path) -> dict[str, bytes]:
    """Every file but the temporary ones of a killed process, which are swept later."""
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in root.rglob("*") if path.is_file() and path.suffix != ".tmp"}


def _prepared(desk: Desk) -> str:
    """A desk with a file, one act of two changes to undo, and something that another program did; the act's id."""
    desk.store.write("facts.md", FACTS, base_digest=None, origin=MAIN)
    (desk.paths.data.parent / "stale").write_bytes(desk.store.read("facts.md").data)
    write(desk, "facts.md", "- one", "- eins")
    with desk.store.exclusive(group="grp_old") as changing:
        for name in ("g", "h"):
            data = f"fact {name}\n".encode()
            changing.follow(changing.apply(f"{name}.md", None, data, "write", MAIN), None, data)
    assert desk.store.observe() == []
    return desk.store.changes(1)[0].id


@pytest.mark.parametrize("act", ["merge", "observe", "undo", "group"])
def test_r2_killed_before_any_call_the_state_is_the_old_or_the_new_one(tmp_path: Path, act: str, request: pytest.FixtureRequest) -> None:
    """Each point in turn, until the act runs through; what is left is finished by the next start, and nobody is blamed for it."""
    from tests.unit.memory.conftest import make_desk

    repository, outcomes, after = Path(__file__).resolve().parents[3], list[bool](), 0
    step = 1 if request.config.getoption("-m") == "full" else 4
    while True:
        (base := tmp_path / str(after)).mkdir()
        desk = make_desk(base)
        change_id = _prepared(desk)
        if act == "observe":
            (desk.root / "came.md").write_text("came in\n")
            (desk.root / "g.md").unlink()
            (desk.root / "facts.md").rename(desk.root / "renamed.md")
        else:
            (desk.root / "MEMORY.md").touch()
        old, journal = _state(desk.root), [change.id for change in desk.store.changes(with_index=True)]
        arguments = [str(base), str(desk.project.folder), act, str(after), change_id]
        child = subprocess.run([sys.executable, "-c", _KILLED, *arguments], cwd=repository, capture_output=True, timeout=60, check=False)
        assert b"Traceback" not in child.stderr, child.stderr.decode()
        desk.store.finish_left_over()
        desk.store.observe()
        assert not Unfinished(desk.paths, desk.project.key).there
        new = [change for change in reversed(desk.store.changes(with_index=True)) if change.id not in journal]
        outcomes.append(_check(act, desk, old, new))
        assert desk.store.observe() == []
        if child.returncode == 0:
            break
        after += step
    assert outcomes[-1]
    assert not outcomes[0] or act == "observe"
    print(f"{act}: {len(outcomes)} points")


def _check(act: str, desk: Desk, old: dict[str, bytes], new: list[Change]) -> bool:
    """Whether the act happened; anything between all and nothing fails."""
    now = _state(desk.root)
    lines = {line.split("](")[1].split(")")[0].strip("<>") for line in desk.index().splitlines()}
    assert lines == {path for path in now if path != "MEMORY.md" and path.endswith(".md")}
    if act == "observe":
        topics = [change for change in new if not change.by_keeper]
        assert {(change.op, change.path) for change in topics} == {("write", "came.md"), ("rename", "renamed.md"), ("delete", "g.md")}
        assert len(topics) == 3
        assert {path: data for path, data in now.items() if path != "MEMORY.md"} == {p: d for p, d in old.items() if p != "MEMORY.md"}
        return True
    assert all(change.origin.actor != "outside" for change in new), [(change.path, change.origin) for change in new]
    happened = now != old
    if act == "merge":
        assert happened == (b"- 3" in now["facts.md"])
        assert b"- eins" in now["facts.md"]
        assert [change.merged for change in new] == [True] * happened
    elif act == "undo":
        assert ({"g.md", "h.md"} & set(now)) == (set() if happened else {"g.md", "h.md"})
    else:
        assert ({"x.md", "y.md", "moved.md", "facts.md"} & set(now)) == ({"x.md", "y.md", "moved.md"} if happened else {"facts.md"})
    return happened
