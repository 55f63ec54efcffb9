"""The trash: deleted memories are listed, come back with their lines, and are gone from it when it is emptied (C-19)."""

from __future__ import annotations

import os
from datetime import timedelta

import pytest

from desktop.base.errors import NotFoundError, RefusedError
from desktop.memory.history import history
from desktop.memory.journal import ChangeOrigin
from desktop.memory.moving import move_between, rename_with_links
from desktop.memory.roots import user_root
from desktop.memory.store import MemoryStore
from desktop.memory.trash import empty, list_trash, put_back
from tests.unit.memory.conftest import EXTRACTOR, MAIN, PERSON, Desk


def test_c19_a_deletion_is_in_the_trash_and_comes_back_with_its_line(desk: Desk) -> None:
    desk.add("a.md", "one")
    desk.add("sub/b.md", "two")
    index, data = desk.index(), desk.store.read("sub/b.md").data
    change = desk.store.delete("sub/b.md", origin=MAIN)
    entry = list_trash(desk.store)[0]
    assert (entry.change_id, entry.path, entry.size, entry.actor) == (change.id, "sub/b.md", len(data), "main")
    back = put_back(desk.store, entry.change_id)
    assert (back.path, back.warnings) == ("sub/b.md", ())
    assert desk.store.read("sub/b.md").data == data
    assert desk.index() == index
    assert list_trash(desk.store) == []
    assert not (desk.paths.trash / desk.project.key / change.id).exists()


def test_b23_forgetting_takes_the_line_too_and_leaves_the_others(desk: Desk) -> None:
    desk.add("a.md", "one")
    desk.add("b.md", "two")
    other = desk.store.read("b.md").data
    desk.store.delete("a.md", origin=MAIN)
    assert not (desk.root / "a.md").exists()
    assert "a.md" not in desk.store.load_index().text
    assert "b.md" in desk.store.load_index().text
    assert desk.store.read("b.md").data == other


def test_b25_no_agent_deletes_the_index_and_all_topics_stay_reachable(desk: Desk) -> None:
    for number in range(12):
        desk.add(f"topic-{number}.md", f"fact number {number} of twelve")
    index = desk.index()
    for name in ("MEMORY.md", "memory.md", "./MEMORY.md", "MEMORY.md/", "Memory.MD"):
        for origin in (MAIN, EXTRACTOR, ChangeOrigin("dream")):
            with pytest.raises((RefusedError, NotFoundError)):
                desk.store.delete(name, origin=origin)
            with pytest.raises((RefusedError, NotFoundError)):
                rename_with_links(desk.store, name, "other.md", origin=origin)
    assert desk.index() == index
    assert all(f"topic-{number}.md" in index for number in range(12))


def test_b25_a_person_who_deletes_the_index_loses_no_topic_and_gets_it_back(desk: Desk) -> None:
    for number in range(12):
        desk.add(f"topic-{number}.md", f"fact number {number} of twelve")
    index = desk.index()
    desk.store.delete("MEMORY.md", origin=PERSON)
    assert len(desk.store.notes()) == 12
    put_back(desk.store, list_trash(desk.store)[0].change_id)
    assert desk.index() == index


def test_a_taken_place_never_stands_in_the_way(desk: Desk) -> None:
    desk.add("a.md", "the old one", name="old")
    change = desk.store.delete("a.md", origin=PERSON)
    desk.add("a.md", "the new one", name="new")
    back = put_back(desk.store, change.id)
    assert back.path == "a-2.md"
    assert "a-2.md" in back.warnings[0]
    assert "the old one" in desk.store.read("a-2.md").text
    assert "the new one" in desk.store.read("a.md").text
    assert "a-2.md" in desk.index()
    assert "(a.md)" in desk.index()


def test_put_back_is_undone_like_anything_else(desk: Desk) -> None:
    desk.add("a.md", "one")
    change = desk.store.delete("a.md", origin=PERSON)
    back = put_back(desk.store, change.id)
    desk.store.undo(back.id)
    assert not (desk.root / "a.md").exists()
    assert "a.md" not in desk.index()


def test_what_is_not_in_the_trash_cannot_be_put_back(desk: Desk) -> None:
    desk.add("a.md", "one")
    change = desk.store.delete("a.md", origin=PERSON)
    desk.store.undo(change.id)
    for identity in (change.id, "chg_none", desk.store.changes()[-1].id):
        with pytest.raises(NotFoundError):
            put_back(desk.store, identity)
    assert list_trash(desk.store) == []


def test_a_version_that_expired_still_comes_out_of_the_trash(desk: Desk) -> None:
    desk.add("a.md", "one")
    data = desk.store.read("a.md").data
    change = desk.store.delete("a.md", origin=PERSON)
    (desk.paths.snapshots / desk.project.key / (change.before or "")).unlink()
    put_back(desk.store, change.id)
    assert desk.store.read("a.md").data == data


def test_emptying_takes_out_what_is_older_and_says_how_many(desk: Desk) -> None:
    desk.add("a.md", "one")
    desk.add("b.md", "two")
    old = desk.store.delete("a.md", origin=PERSON)
    desk.clock.advance(86_400)
    new = desk.store.delete("b.md", origin=PERSON)
    assert empty(desk.store, old.time + timedelta(hours=1)) == 1
    assert [entry.change_id for entry in list_trash(desk.store)] == [new.id]
    assert empty(desk.store) == 1
    assert list_trash(desk.store) == []
    assert not any(files for _, _, files in os.walk(desk.paths.trash))
    assert [version.available for version in history(desk.store, "a.md")] == [False, True]


def test_what_moved_to_another_root_is_no_trash(desk: Desk) -> None:
    desk.add("a.md", "one")
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    move_between(desk.store, user, "a.md", origin=PERSON)
    assert list_trash(desk.store) == []
    assert empty(desk.store) == 0
    assert user.read("a.md").text.endswith("one\n")


def test_a_link_in_the_trash_is_not_followed(desk: Desk) -> None:
    desk.add("a.md", "one")
    change = desk.store.delete("a.md", origin=PERSON)
    file = desk.paths.trash / desk.project.key / change.id / "a.md"
    file.unlink()
    file.symlink_to("/etc/hostname")
    assert list_trash(desk.store) == []
    assert empty(desk.store) == 0
