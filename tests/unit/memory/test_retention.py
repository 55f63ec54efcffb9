"""What is swept: old versions that nothing needs and litter of killed processes; never memory, never a person's file."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.base.textio import digest
from desktop.memory.retention import sweep
from desktop.memory.roots import workspace_root
from desktop.memory.store import MemoryStore
from desktop.memory.unfinished import Unfinished
from tests.unit.memory.conftest import MAIN, ON, PERSON, Desk

LATER = timedelta(days=31)
LITTER = ".note.md.0123456789ab.tmp"


def age(path: Path, moment: datetime) -> None:
    os.utime(path, (moment.timestamp(), moment.timestamp()), follow_symlinks=False)


def versions(desk: Desk) -> set[bytes]:
    return {path.read_bytes() for path in desk.store.journal.snapshots.iterdir()}


def age_all(desk: Desk) -> None:
    for path in desk.store.journal.snapshots.iterdir():
        age(path, desk.clock.moment)


def test_old_versions_go_after_30_days_and_the_newest_stay(desk: Desk) -> None:
    for number in range(4):
        base = desk.store.read("a.md").digest if number else None
        desk.store.write("a.md", f"text {number}\n", base_digest=base, origin=MAIN)
    age_all(desk)
    desk.clock.advance(29 * 86_400)
    assert desk.store.sweep() == 0
    desk.clock.advance(2 * 86_400)
    assert desk.store.sweep() >= 3
    assert b"text 3\n" in versions(desk)
    assert not versions(desk) & {b"text 0\n", b"text 1\n", b"text 2\n"}
    assert desk.store.read("a.md").text == "text 3\n"
    assert len(desk.store.changes()) == 4


def test_what_an_undo_of_the_last_30_days_needs_stays_however_old_it_is(desk: Desk) -> None:
    desk.store.write("a.md", "old text\n", base_digest=None, origin=MAIN)
    desk.clock.advance(60 * 86_400)
    change = desk.store.write("a.md", "new text\n", base_digest=desk.store.read("a.md").digest, origin=MAIN)
    gone = desk.store.delete("a.md", origin=PERSON)
    for path in desk.store.journal.snapshots.iterdir():
        age(path, datetime(2020, 1, 1, tzinfo=UTC))
    desk.clock.advance(20 * 86_400)
    desk.store.sweep()
    desk.store.undo(gone.id)
    desk.store.undo(change.id)
    assert desk.store.read("a.md").text == "old text\n"


def test_what_an_interrupted_change_and_the_last_look_need_stays(desk: Desk) -> None:
    (desk.root / "hand.md").write_text("by hand\n")
    desk.store.observe()
    kept = desk.store.journal.keep(b"under way")
    change = desk.store._changing.change("write", "x.md", None, kept, MAIN)
    Unfinished(desk.paths, desk.project.key).begin(change)
    age_all(desk)
    sweep(desk.paths, desk.project.key, desk.clock.moment + LATER, root=desk.root)
    assert {b"by hand\n", b"under way"} <= versions(desk)


def test_nothing_goes_while_the_journal_cannot_be_read(desk: Desk) -> None:
    desk.store.journal.keep(b"orphan")
    age_all(desk)
    desk.store.journal.file.mkdir(parents=True)
    assert sweep(desk.paths, desk.project.key, desk.clock.moment + LATER) == 0
    desk.store.journal.file.rmdir()
    assert sweep(desk.paths, desk.project.key, desk.clock.moment + LATER) == 1


def test_w42_st26_memory_and_trash_are_never_swept(desk: Desk) -> None:
    desk.add("deep/er/a.md", "fact a")
    desk.add("b.md", "fact b")
    desk.store.delete("b.md", origin=PERSON)
    for path in (*desk.root.rglob("*"), *desk.store.journal.trash.rglob("*")):
        age(path, datetime(2001, 1, 1, tzinfo=UTC))
    desk.store.sweep(desk.clock.moment + timedelta(days=4_000))
    assert [note.path for note in desk.store.notes()] == ["deep/er/a.md"]
    assert "(deep/er/a.md)" in desk.index()
    assert [path.name for path in desk.store.journal.trash.rglob("*.md")] == ["b.md"]


def test_litter_of_a_killed_process_goes_after_an_hour_everywhere(desk: Desk) -> None:
    desk.add("deep/a.md", "fact a")
    desk.store.delete("deep/a.md", origin=PERSON)
    desk.add("deep/a.md", "fact a, once more", origin=PERSON)
    trash = next(desk.store.journal.trash.iterdir())
    names = [
        desk.store.journal.snapshots / f".{digest(b'x')}.0123456789ab.tmp",
        trash / LITTER,
        desk.root / LITTER,
        desk.root / "deep" / ".构建 工具.md.fedcba987654.tmp",
        desk.root / os.fsdecode(b".caf\xe9.md.fedcba987654.tmp"),
        desk.paths.journal / f".{desk.project.key}.jsonl.0123456789ab.tmp",
    ]
    for path in names:
        os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
        age(path, desk.clock.moment)
    before = {path for path in desk.paths.data.rglob("*") if path not in names}
    assert desk.store.sweep(desk.clock.moment + timedelta(minutes=59)) == 0
    assert desk.store.sweep(desk.clock.moment + timedelta(minutes=61)) == len(names)
    assert before <= set(desk.paths.data.rglob("*"))
    assert not [path for path in names if path.exists()]


@pytest.mark.parametrize(
    "name",
    [
        "note.md.0123456789ab.tmp",
        ".note.md.tmp",
        ".note.md.0123456789AB.tmp",
        ".note.md.0123456789abc.tmp",
        "..0123456789ab",
        ".0123456789ab.tmp",
        ".note.md.0123456789ab.tmp.md",
        "tmp",
        "draft.tmp",
    ],
)
def test_a_person_s_file_is_never_litter(desk: Desk, name: str) -> None:
    path = desk.root / name
    os.close(os.open(path, os.O_WRONLY | os.O_CREAT, 0o600))
    age(path, desk.clock.moment)
    assert desk.store.sweep(desk.clock.moment + LATER) == 0
    assert path.exists()


def test_what_only_looks_like_litter_stays(desk: Desk, tmp_path: Path) -> None:
    """A link, a folder, a file of other modes; and nothing behind a link in the folder's place."""
    target = tmp_path / "target"
    target.write_text("theirs\n")
    (desk.root / ".a.md.0123456789ab.tmp").symlink_to(target)
    (desk.root / ".b.md.0123456789ab.tmp").mkdir()
    shared = desk.root / ".c.md.0123456789ab.tmp"
    shared.write_text("shared\n")
    shared.chmod(0o644)
    outside = tmp_path / "outside"
    outside.mkdir()
    os.close(os.open(outside / LITTER, os.O_WRONLY | os.O_CREAT, 0o600))
    (desk.root / "folder").symlink_to(outside)
    for path in (*desk.root.iterdir(), outside / LITTER):
        age(path, desk.clock.moment)
    assert desk.store.sweep(desk.clock.moment + LATER) == 0
    aside = desk.root.with_name("aside")
    desk.root.rename(aside)
    desk.root.symlink_to(outside)
    assert desk.store.sweep(desk.clock.moment + LATER) == 0
    assert (outside / LITTER).exists()


def test_a_sweep_of_a_root_that_was_never_used_makes_nothing_of_it(desk: Desk, tmp_path: Path) -> None:
    store = MemoryStore(desk.project, desk.paths, desk.clock, lambda: ON, root=workspace_root(tmp_path / "ws"))
    assert store.sweep() == 0
    assert not store.root.exists()
    assert not (desk.paths.journal / f"{store.memory_root.key}.jsonl").exists()
