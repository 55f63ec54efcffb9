"""The versions of one memory through renames, deletions, other programs and roots, and bringing one back (W-33)."""

from __future__ import annotations

from datetime import timedelta

import pytest

from desktop.base.errors import ConflictError, NotFoundError, RefusedError
from desktop.memory.history import history, restore, text_of
from desktop.memory.journal import ChangeOrigin
from desktop.memory.moving import move_between, rename_with_links
from desktop.memory.retention import KEPT_FOR
from desktop.memory.roots import user_root
from desktop.memory.store import MemoryStore
from tests.unit.memory.conftest import EXTRACTOR, MAIN, PERSON, WRITE_OFF, Desk, note_text


def edit(desk: Desk, path: str, text: str, origin: ChangeOrigin = MAIN) -> str:
    """Write over a file; its digest afterwards."""
    desk.store.write(path, text, base_digest=desk.store.read(path).digest, origin=origin)
    return desk.store.read(path).digest


def three_versions(desk: Desk) -> list[str]:
    desk.add("a.md", "one")
    first = desk.store.read("a.md").digest
    second = edit(desk, "a.md", note_text("a", "two"), EXTRACTOR)
    return [first, second, edit(desk, "a.md", note_text("a", "three"), PERSON)]


def test_w33_every_version_is_listed_with_who_and_why_newest_first(desk: Desk) -> None:
    digests = three_versions(desk)
    found = history(desk.store, "a.md")
    assert [version.digest for version in found] == digests[::-1]
    assert [version.change.origin.actor for version in found] == ["person", "extractor", "main"]
    assert all(version.available for version in found)
    assert [text_of(desk.store, digest).split()[-1] for digest in digests] == ["one", "two", "three"]


def test_the_present_content_stays_and_older_ones_expire(desk: Desk) -> None:
    three_versions(desk)
    newest, *older = history(desk.store, "a.md")
    assert newest.expires is None
    for version in older:
        assert version.expires is not None
        assert version.expires >= version.change.time + KEPT_FOR - timedelta(seconds=1)


def test_a_version_that_is_no_longer_kept_says_so(desk: Desk) -> None:
    first = three_versions(desk)[0]
    (desk.paths.snapshots / desk.project.key / first).unlink()
    assert [version.available for version in history(desk.store, "a.md")] == [True, True, False]
    with pytest.raises(NotFoundError):
        text_of(desk.store, first)
    with pytest.raises(NotFoundError):
        restore(desk.store, "a.md", first, origin=PERSON)
    assert desk.store.read("a.md").text.endswith("three\n")


def test_history_follows_renames_and_does_not_mix_files_of_one_name(desk: Desk) -> None:
    desk.add("a.md", "the first life")
    rename_with_links(desk.store, "a.md", "sub/b.md", origin=PERSON)
    desk.add("a.md", "another memory", name="other")
    edit(desk, "sub/b.md", note_text("a", "the first life, later"))
    moved, fresh = history(desk.store, "sub/b.md"), history(desk.store, "a.md")
    assert [version.change.op for version in moved] == ["write", "rename", "write"]
    assert [version.change.path for version in moved] == ["sub/b.md", "sub/b.md", "a.md"]
    assert [version.change.op for version in fresh] == ["write"]
    assert "another" in text_of(desk.store, fresh[0].digest or "")


def test_the_history_of_a_deleted_or_renamed_path_is_still_there(desk: Desk) -> None:
    desk.add("a.md", "one")
    desk.store.delete("a.md", origin=MAIN)
    assert [(version.change.op, version.digest is None) for version in history(desk.store, "a.md")] == [("delete", True), ("write", False)]
    desk.add("b.md", "other")
    desk.store.rename("b.md", "c.md", origin=PERSON)
    assert [version.change.op for version in history(desk.store, "b.md")] == ["rename", "write"]
    assert history(desk.store, "never.md") == []


def test_what_was_there_before_the_first_known_change_is_a_version_too(desk: Desk) -> None:
    (desk.root / "a.md").write_text("by hand\n")
    edit(desk, "a.md", "by hand, and more\n")
    found = history(desk.store, "a.md")
    assert found[-1].available
    assert text_of(desk.store, found[-1].digest or "") == "by hand\n"
    restore(desk.store, "a.md", found[-1].digest or "", origin=PERSON)
    assert desk.store.read("a.md").text == "by hand\n"


def test_any_version_is_restored_and_that_is_undone_in_one_step(desk: Desk) -> None:
    first, _, third = three_versions(desk)
    change = restore(desk.store, "a.md", first, origin=PERSON)
    assert desk.store.read("a.md").digest == first == change.after
    assert desk.store.changes()[0].id == change.id
    desk.store.undo()
    assert desk.store.read("a.md").digest == third
    assert history(desk.store, "a.md")[0].digest == third


def test_restoring_what_is_there_changes_nothing(desk: Desk) -> None:
    third = three_versions(desk)[-1]
    count = len(desk.store.changes(with_index=True))
    assert not restore(desk.store, "a.md", third, origin=PERSON).changed
    assert len(desk.store.changes(with_index=True)) == count


def test_a_deleted_memory_comes_back_with_its_own_index_line(desk: Desk) -> None:
    first, *_ = three_versions(desk)
    desk.add("b.md", "neighbour")
    index = desk.store.read("MEMORY.md")
    worded = index.text.replace("- [a](a.md) — three", "- [A, in my words](a.md) — never mind")
    assert worded != index.text
    desk.store.write("MEMORY.md", worded, base_digest=index.digest, origin=PERSON)
    desk.store.delete("a.md", origin=MAIN)
    assert "a.md" not in desk.index()
    restore(desk.store, "a.md", first, origin=PERSON)
    assert desk.index() == worded
    assert desk.store.read("a.md").digest == first
    desk.store.undo()
    assert not (desk.root / "a.md").exists()
    assert "a.md" not in desk.index()


def test_an_older_index_comes_back_in_step_with_the_files(desk: Desk) -> None:
    desk.add("a.md", "one")
    desk.add("b.md", "two")
    old = desk.store.read("MEMORY.md").digest
    desk.store.delete("a.md", origin=PERSON)
    desk.add("c.md", "three")
    restore(desk.store, "MEMORY.md", old, origin=PERSON)
    assert [line.split("](")[1].split(")")[0] for line in desk.index().splitlines()] == ["b.md", "c.md"]


def test_versions_by_other_programs_are_versions(desk: Desk) -> None:
    desk.add("a.md", "one")
    desk.store.observe()
    (desk.root / "a.md").write_text("edited outside\n")
    edit(desk, "a.md", "and back\n", PERSON)
    found = history(desk.store, "a.md")
    assert [version.change.origin.actor for version in found] == ["person", "outside", "main"]
    assert text_of(desk.store, found[1].digest or "") == "edited outside\n"


def test_a_move_to_another_root_takes_its_history_along(desk: Desk) -> None:
    first, second, third = three_versions(desk)
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    move_between(desk.store, user, "a.md", "habits/a.md", origin=PERSON)
    found = history(user, "habits/a.md")
    assert [version.digest for version in found] == [third, None, third, second, first]
    assert [version.available for version in found] == [True, False, True, True, True]
    restore(user, "habits/a.md", first, origin=PERSON)
    assert user.read("habits/a.md").text.endswith("one\n")


def test_the_gate_and_the_spelling_of_names_bind_a_restore(desk: Desk) -> None:
    first = three_versions(desk)[0]
    desk.state = WRITE_OFF
    with pytest.raises(RefusedError):
        restore(desk.store, "a.md", first, origin=MAIN)
    restore(desk.store, "a.md", first, origin=PERSON)
    desk.store.delete("a.md", origin=PERSON)
    (desk.root / "A.md").write_text("another\n")
    with pytest.raises(ConflictError, match="spelling"):
        restore(desk.store, "a.md", first, origin=PERSON)
