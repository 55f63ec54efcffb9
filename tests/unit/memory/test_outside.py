"""What other programs do to a memory folder: seen, journalled as theirs with both contents, and never invented or lost."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import threading
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, RefusedError
from desktop.memory.known import walk
from desktop.memory.outside import Outside
from desktop.memory.roots import foreign_root, workspace_root
from desktop.memory.store import Change, MemoryStore
from tests.unit.memory.conftest import MAIN, ON, PERSON, Desk, note_text


def facts(changes: list[Change]) -> list[tuple[str, str, str]]:
    """Op, path and old path of what others did."""
    assert all(change.origin.actor == "outside" for change in changes)
    return [(change.op, change.path, change.old_path) for change in changes]


def kept(desk: Desk, content: str | None) -> bytes | None:
    return desk.store.version(content) if content else None


@pytest.fixture
def seen(desk: Desk) -> Desk:
    """A desk with two memories and a folder that was looked at before."""
    desk.add("a.md", "alpha")
    desk.add("b.md", "beta")
    assert desk.store.observe() == []
    return desk


def by_rename(path: Path, data: bytes) -> None:
    other = path.with_name("4913")
    other.write_bytes(data)
    other.replace(path)


def by_truncation(path: Path, data: bytes) -> None:
    path.write_bytes(data)


def by_deletion(path: Path, data: bytes) -> None:
    path.unlink()
    path.write_bytes(data)


@pytest.mark.parametrize("save", [by_rename, by_truncation, by_deletion])
def test_r13_an_editor_s_save_is_seen_whichever_way_it_saves(seen: Desk, save: Callable[[Path, bytes], None]) -> None:
    before = seen.store.read("a.md").data
    save(seen.root / "a.md", before + b"by hand\n")
    found = seen.store.observe()
    assert facts(found) == [("write", "a.md", "")]
    assert (kept(seen, found[0].before), kept(seen, found[0].after)) == (before, before + b"by hand\n")
    assert seen.store.observe() == []
    seen.store.undo(found[0].id)
    assert seen.store.read("a.md").data == before


@pytest.mark.parametrize("save", [by_rename, by_truncation, by_deletion])
def test_w35_the_same_size_and_a_restored_time_hide_nothing(seen: Desk, save: Callable[[Path, bytes], None]) -> None:
    path = seen.root / "a.md"
    before, times = path.read_bytes(), path.stat()
    save(path, before.replace(b"alpha", b"gamma"))
    os.utime(path, ns=(times.st_atime_ns, times.st_mtime_ns))
    assert path.stat().st_size == times.st_size
    assert facts(seen.store.observe()) == [("write", "a.md", "")]


def test_w35_a_change_within_one_tick_of_the_state_is_read_again(seen: Desk) -> None:
    """Nothing of the stat identity differs, as on a disk with coarse times: the digest decides, since the file is that young."""
    path = seen.root / "a.md"
    known = seen.paths.state / "known" / f"{seen.project.key}.json"
    path.write_bytes(path.read_bytes().replace(b"alpha", b"gamma"))
    status, record = path.stat(), json.loads(known.read_text())
    record["files"]["a.md"][:4] = [status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino]
    known.write_text(json.dumps(record))
    assert facts(seen.store.observe()) == [("write", "a.md", "")]


def test_files_that_come_and_go_are_in_the_index_at_once_and_undone(seen: Desk) -> None:
    (seen.root / "new.md").write_text(note_text("new", "a new fact"))
    (seen.root / "b.md").unlink()
    found = seen.store.observe()
    assert facts(found) == [("write", "new.md", ""), ("delete", "b.md", "")]
    assert "(new.md) — a new fact" in seen.index()
    assert "b.md" not in seen.index()
    for change in found:
        seen.store.undo(change.id)
    assert sorted(path.name for path in seen.root.iterdir()) == ["MEMORY.md", "a.md", "b.md"]
    assert "new.md" not in seen.index()
    assert "(b.md) — beta" in seen.index()
    assert seen.store.observe() == []


def test_a_rename_is_known_by_its_content_and_the_line_keeps_its_words(seen: Desk) -> None:
    read = seen.store.read("MEMORY.md")
    seen.store.write("MEMORY.md", read.text.replace("alpha", "**my words**"), base_digest=read.digest, origin=PERSON)
    (seen.root / "deep").mkdir()
    (seen.root / "a.md").rename(seen.root / "deep" / "moved.md")
    found = seen.store.observe()
    assert facts(found) == [("rename", "deep/moved.md", "a.md")]
    assert "(deep/moved.md) — **my words**" in seen.index()
    seen.store.undo(found[0].id)
    assert (seen.root / "a.md").exists()
    assert "(a.md) — **my words**" in seen.index()


def test_an_index_that_a_person_edited_stays_as_they_wrote_it(seen: Desk) -> None:
    (seen.root / "MEMORY.md").write_text("# Mine\n\n- [Only a](a.md)\n")
    found = seen.store.observe()
    assert facts(found) == [("write", "MEMORY.md", "")]
    assert seen.index() == "# Mine\n\n- [Only a](a.md)\n"
    (seen.root / "b.md").write_text(note_text("b", "beta, but more of it"))
    assert facts(seen.store.observe()) == [("write", "b.md", "")]
    assert seen.index() == "# Mine\n\n- [Only a](a.md)\n"


def test_a_line_in_our_own_words_follows_a_description_that_was_changed_by_hand(seen: Desk) -> None:
    (seen.root / "b.md").write_text(note_text("b", "beta", "quite another thing"))
    seen.store.observe()
    assert "(b.md) — quite another thing" in seen.index()


def test_the_first_look_keeps_what_is_there_and_calls_nothing_a_change(desk: Desk) -> None:
    (desk.root / "old.md").write_text("an old fact\n")
    (desk.root / "MEMORY.md").write_text("- [Old](old.md)\n")
    assert desk.store.observe() == []
    assert desk.store.changes(with_index=True) == []
    (desk.root / "old.md").write_text("a new fact\n")
    found = desk.store.observe()
    assert facts(found) == [("write", "old.md", "")]
    assert kept(desk, found[0].before) == b"an old fact\n"
    assert desk.index() == "- [Old](old.md)\n"


def test_the_first_look_still_sees_what_became_of_files_that_the_app_wrote(desk: Desk) -> None:
    desk.add("a.md", "alpha")
    (desk.root / "a.md").write_text("by hand\n")
    (desk.root / "stranger.md").write_text("was here\n")
    assert facts(desk.store.observe()) == [("write", "a.md", "")]


# the state


@pytest.mark.parametrize("damage", ["gone", "empty", "torn", "zeros", "other", "newer", "wrong entries", "folder"])
def test_a_lost_or_damaged_state_only_means_reading_again(seen: Desk, damage: str) -> None:
    (seen.root / "stranger.md").write_text("came in\n")
    seen.store.observe()
    known = seen.paths.state / "known" / f"{seen.project.key}.json"
    data = known.read_bytes()
    (seen.root / "b.md").write_text("changed while the state was lost\n")
    (seen.root / "stranger.md").unlink()
    if damage == "folder":
        known.unlink()
        known.mkdir()
    else:
        record = json.loads(data)
        texts = {
            "empty": b"",
            "torn": data[: len(data) // 2],
            "zeros": b"\0" * len(data),
            "other": b"[1, 2]",
            "newer": json.dumps(record | {"schema": 2}).encode(),
            "wrong entries": json.dumps(record | {"files": {"a.md": 1, "b.md": [1, 2, 3, 4, 5], "c.md": None}, "tail": 3}).encode(),
        }
        known.unlink() if damage == "gone" else known.write_bytes(texts[damage])
    store = MemoryStore(seen.project, seen.paths, seen.clock, lambda: ON)
    assert facts(store.observe()) == [("write", "b.md", ""), ("delete", "stranger.md", "")]
    assert store.observe() == []


def test_a_journal_line_that_was_damaged_later_makes_no_change_of_somebody_else(seen: Desk) -> None:
    seen.store.write("a.md", "second\n", base_digest=seen.store.read("a.md").digest, origin=MAIN)
    seen.store.delete("b.md", origin=MAIN)
    assert seen.store.observe() == []
    journal = seen.paths.journal / f"{seen.project.key}.jsonl"
    lines = journal.read_bytes().split(b"\n")
    bad = [n for n, line in enumerate(lines) if (b'"a.md"' in line and b"baseline" not in line) or b'"delete"' in line]
    for number in bad[-2:]:
        lines[number] = lines[number][:40] + b"\0" * 20
    journal.write_bytes(b"\n".join(lines))
    store = MemoryStore(seen.project, seen.paths, seen.clock, lambda: ON)
    (seen.root / "c.md").write_text("really new\n")
    assert facts(store.observe()) == [("write", "c.md", "")]
    store.write("a.md", "third\n", base_digest=store.read("a.md").digest, origin=MAIN)
    assert [change.origin.actor for change in store.changes() if change.path == "a.md"][:1] == ["main"]
    assert store.observe() == []


def test_two_stores_over_one_folder_do_not_take_each_other_for_strangers(seen: Desk) -> None:
    other = MemoryStore(seen.project, seen.paths, seen.clock, lambda: ON)
    other.write("c.md", "gamma\n", base_digest=None, origin=MAIN)
    assert seen.store.observe() == []
    seen.store.write("c.md", "gamma, again\n", base_digest=seen.store.read("c.md").digest, origin=MAIN)
    assert other.observe() == []


# files that are being written


def test_r13_a_file_that_is_being_written_is_never_taken_half(seen: Desk) -> None:
    path = seen.root / "a.md"
    whole = b"".join(b"line %d\n" % number for number in range(400))
    seen_changes: list[Change] = []
    done = threading.Event()

    def slowly() -> None:
        with path.open("wb", buffering=0) as file:
            for at in range(0, len(whole), 300):
                file.write(whole[at : at + 300])
                done.wait(0.02)
        done.set()

    writer = threading.Thread(target=slowly)
    writer.start()
    while not done.is_set():
        seen_changes += seen.store.observe()
    writer.join(20)
    seen_changes += seen.store.observe()
    assert [kept(seen, change.after) for change in seen_changes] == [whole]


def test_a_file_that_was_just_touched_is_waited_for_and_one_of_our_own_is_not(seen: Desk) -> None:
    pauses: list[float] = []
    outside = Outside(seen.store.memory_root, seen.paths, seen.store.journal, pause=pauses.append)
    seen.store.write("a.md", "ours\n", base_digest=seen.store.read("a.md").digest, origin=MAIN)
    assert outside.looks_changed()
    assert pauses == []
    (seen.root / "a.md").write_text("theirs\n")
    assert outside.looks_changed()
    assert len(pauses) == 1
    assert 0 < pauses[0] <= 0.2


# who did it


def test_what_another_program_did_is_journalled_before_the_app_changes_the_file(seen: Desk) -> None:
    (seen.root / "a.md").write_text("by hand\n")
    read = seen.store.read("a.md")
    seen.store.write("a.md", "by the model\n", base_digest=read.digest, origin=MAIN)
    steps = [change for change in seen.store.changes() if change.path == "a.md"][:2]
    assert [(change.origin.actor, kept(seen, change.after)) for change in steps] == [("main", b"by the model\n"), ("outside", b"by hand\n")]
    (seen.root / "b.md").unlink()
    seen.store.write("b.md", "again\n", base_digest=None, origin=MAIN)
    steps = [change for change in seen.store.changes() if change.path == "b.md"][:2]
    assert [(change.origin.actor, change.op) for change in steps] == [("main", "write"), ("outside", "delete")]
    (seen.root / "MEMORY.md").write_text("- [A, by hand](a.md)\n")
    seen.add("c.md", "gamma")
    steps = [change for change in seen.store.changes(with_index=True) if change.path == "MEMORY.md"][:2]
    assert [change.origin.actor for change in steps] == ["main", "outside"]
    assert seen.store.observe() == []


def test_everyone_who_listens_hears_of_it_when_the_lock_is_free(seen: Desk) -> None:
    heard: list[Change] = []

    def hear(change: Change) -> None:
        other = threading.Thread(target=lambda: heard.append(seen.store.undo(change.id)) if change.op == "delete" else heard.append(change))
        other.start()
        other.join(20)

    seen.store.changed.subscribe(hear)
    (seen.root / "b.md").unlink()
    seen.store.observe()
    assert [change.path for change in heard] == ["b.md", "b.md"]
    assert (seen.root / "b.md").exists()


# folders


def test_r16_a_folder_that_was_removed_is_brought_back_change_by_change(seen: Desk) -> None:
    before = {path.name: path.read_bytes() for path in seen.root.iterdir()}
    shutil.rmtree(seen.root)
    found = seen.store.observe()
    assert facts(found) == [("delete", name, "") for name in ("MEMORY.md", "a.md", "b.md")]
    assert not seen.root.exists()
    for change in found:
        seen.store.undo(change.id)
    assert {path.name: path.read_bytes() for path in seen.root.iterdir()} == before


def test_a_folder_that_cannot_be_looked_into_lost_nothing(seen: Desk, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (seen.root / "deep").mkdir()
    (seen.root / "deep" / "c.md").write_text("gamma\n")
    assert facts(seen.store.observe()) == [("write", "deep/c.md", "")]
    real = os.scandir

    def refusing(place: int | str) -> object:
        if isinstance(place, int) and os.path.samestat(os.fstat(place), (seen.root / "deep").stat()):
            raise PermissionError(13, "Permission denied")
        return real(place)

    with monkeypatch.context() as patch:
        patch.setattr(os, "scandir", refusing)
        (seen.root / "b.md").unlink()
        assert facts(seen.store.observe()) == [("delete", "b.md", "")]
    assert seen.store.observe() == []
    moved = tmp_path / "elsewhere"
    seen.root.rename(moved)
    seen.root.symlink_to(moved)
    assert seen.store.observe() == []
    with pytest.raises(RefusedError):
        seen.store.write("x.md", "x\n", base_digest=None, origin=MAIN)
    seen.root.unlink()
    moved.rename(seen.root)
    assert seen.store.observe() == []


def test_a_disk_that_is_not_there_is_no_deletion(seen: Desk) -> None:
    known = seen.paths.state / "known" / f"{seen.project.key}.json"
    record = json.loads(known.read_text())
    known.write_text(json.dumps(record | {"device": record["device"] + 1}))
    aside = seen.root.with_name("aside")
    seen.root.rename(aside)
    assert seen.store.observe() == []
    seen.root.mkdir()
    assert seen.store.observe() == []
    seen.root.rmdir()
    aside.rename(seen.root)
    assert seen.store.observe() == []


def test_names_that_are_no_text_and_paths_that_are_too_long_are_seen(seen: Desk) -> None:
    odd = os.fsdecode(b"caf\xe9-\xff.md")
    (seen.root / odd).write_text("odd\n")
    (seen.root / "zwölf 字 🧠.md").write_text("unicode\n")
    place, name = seen.root, "d" * 200
    handles = [os.open(place, os.O_RDONLY)]
    try:
        for _ in range(22):  # 4,400 bytes below the root: no call can take the whole path
            os.mkdir(name, dir_fd=handles[-1])
            handles.append(os.open(name, os.O_RDONLY, dir_fd=handles[-1]))
        file = os.open("deep.md", os.O_WRONLY | os.O_CREAT, 0o600, dir_fd=handles[-1])
        os.write(file, b"deep\n")
        os.close(file)
        found = seen.store.observe()
        deep = "/".join([name] * 22 + ["deep.md"])
        assert {change.path for change in found} == {odd, "zwölf 字 🧠.md", deep}
        assert kept(seen, next(change.after for change in found if change.path == deep)) == b"deep\n"
        assert seen.store.observe() == []
        assert {change.path for change in seen.store.changes(3)} == {odd, "zwölf 字 🧠.md", deep}
    finally:
        os.unlink("deep.md", dir_fd=handles[-1])
        for at in range(len(handles) - 1, 0, -1):
            os.close(handles[at])
            os.rmdir(name, dir_fd=handles[at - 1])
        os.close(handles[0])


def test_git_in_the_folder_is_followed_and_its_own_files_are_not(seen: Desk) -> None:
    def git(*arguments: str) -> None:
        environ = {"PATH": os.environ["PATH"], "HOME": str(seen.root), "GIT_CONFIG_NOSYSTEM": "1", "GIT_CONFIG_GLOBAL": os.devnull}
        whole = ["git", "-c", "user.name=x", "-c", "user.email=x@example.org", *arguments]
        subprocess.run(whole, cwd=seen.root, env=environ, check=True, capture_output=True)

    git("init", "-q", "-b", "main")
    git("add", ".")
    git("commit", "-q", "-m", "one")
    (seen.root / ".git" / "note.md").write_text("not a memory\n")
    assert seen.store.observe() == []
    seen.store.delete("a.md", origin=MAIN)
    seen.add("c.md", "gamma")
    git("add", "-A")
    git("commit", "-q", "-m", "two")
    git("checkout", "-q", "HEAD~1")
    assert sorted(facts(seen.store.observe())) == [("delete", "c.md", ""), ("write", "MEMORY.md", ""), ("write", "a.md", "")]
    assert "(a.md)" in seen.index()
    assert "c.md" not in seen.index()
    git("checkout", "-q", "main")
    assert sorted(facts(seen.store.observe())) == [("delete", "a.md", ""), ("write", "MEMORY.md", ""), ("write", "c.md", "")]
    assert seen.store.observe() == []


def test_only_markdown_files_are_memory_and_no_link_is_followed(seen: Desk, tmp_path: Path) -> None:
    (tmp_path / "foreign.md").write_text("foreign\n")
    (seen.root / "link.md").symlink_to(tmp_path / "foreign.md")
    (seen.root / "folder").symlink_to(tmp_path)
    (seen.root / "picture.png").write_bytes(b"\x89PNG")
    (seen.root / ".a.md.swp").write_bytes(b"vim")
    os.mkfifo(seen.root / "pipe.md")
    assert seen.store.observe() == []
    (seen.root / "a.md").unlink()
    (seen.root / "a.md").symlink_to(tmp_path / "foreign.md")
    assert facts(seen.store.observe()) == [("delete", "a.md", "")]


# other roots


def test_another_tool_s_memory_is_neither_copied_nor_changed(desk: Desk, tmp_path: Path) -> None:
    folder = tmp_path / "foreign"
    folder.mkdir()
    (folder / "MEMORY.md").write_text("- theirs\n")
    store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON, root=foreign_root("tool", "Other tool", folder))
    assert store.observe() == []
    assert store.sweep() == 0
    for act in (
        lambda: store.write("MEMORY.md", "x", base_digest=store.read("MEMORY.md").digest, origin=PERSON),
        lambda: store.delete("MEMORY.md", origin=PERSON),
        lambda: store.rename("MEMORY.md", "x.md", origin=PERSON),
        lambda: store.undo(),
        lambda: store.exclusive().__enter__(),
    ):
        with pytest.raises(RefusedError):
            act()
    assert (folder / "MEMORY.md").read_text() == "- theirs\n"
    assert not list(desk.paths.data.rglob("*foreign-tool*"))


def test_the_one_file_of_a_workspace_is_all_that_counts_there(desk: Desk, tmp_path: Path) -> None:
    root = workspace_root(tmp_path / "ws")
    store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON, root=root)
    assert store.observe() == []
    assert not list(desk.paths.data.rglob(f"*{root.key}*"))
    root.folder.mkdir(parents=True)
    (root.folder / "MEMORY.md").write_text("Facts.\n")
    (root.folder / "notes.md").write_text("not memory\n")
    assert store.observe() == []
    (root.folder / "MEMORY.md").write_text("Other facts.\n")
    (root.folder / "notes.md").write_text("still not\n")
    assert facts(store.observe()) == [("write", "MEMORY.md", "")]
    assert set(walk(root.folder, single=True).files) == {"MEMORY.md"}


def test_two_keys_over_one_folder_share_one_lock(desk: Desk) -> None:
    twin = replace(desk.store.memory_root, key="twin")
    other = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON, root=twin)

    def add(store: MemoryStore, who: str) -> None:
        done = 0
        while done < 8:
            read = store.read("lines.md")
            try:
                store.write("lines.md", f"{read.text}{who} {done}\n", base_digest=read.digest, origin=MAIN)
            except ConflictError:
                continue
            done += 1

    desk.store.write("lines.md", "both\n", base_digest=None, origin=MAIN)
    threads = [threading.Thread(target=add, args=(store, who)) for store, who in ((desk.store, "a"), (other, "b"))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    lines = desk.store.read("lines.md").text.splitlines()
    assert sorted(lines) == sorted(["both", *(f"{who} {number}" for who in "ab" for number in range(8))])
