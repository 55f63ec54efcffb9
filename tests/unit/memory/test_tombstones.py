"""What was forgotten stays forgotten: no second look at a transcript and no rewind brings it back (B27, memory design 6.8)."""

from __future__ import annotations

import random
from datetime import timedelta

import pytest

from desktop.base.ids import new_message_id
from desktop.memory import tombstones
from desktop.memory.history import restore
from desktop.memory.journal import ChangeOrigin
from desktop.memory.moving import move_between, rename_with_links
from desktop.memory.roots import user_root
from desktop.memory.store import MemoryStore
from desktop.memory.tombstones import forgotten, tombstone_file, tombstones_at
from desktop.memory.trash import put_back
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import EXTRACTOR, MAIN, PERSON, Desk, note_text

BUN = note_text("build", "The build runs with bun.", "Build")


def remembered_and_forgotten(desk: Desk, origin: ChangeOrigin = PERSON) -> str:
    desk.store.write("build.md", BUN, base_digest=None, origin=MAIN)
    return desk.store.delete("build.md", origin=origin).id


@pytest.mark.parametrize(
    "text",
    [
        BUN,
        note_text("other-name", "The build runs with bun.", "A new description", "user"),
        "the BUILD runs\nwith  bun",
        note_text("構建", "The build runs with bun。"),
        note_text("list", "# Facts\n\n- The build runs with bun.\n- Something else.", "Facts"),
    ],
)
def test_b27_the_same_fact_in_another_header_does_not_come_back(desk: Desk, text: str) -> None:
    remembered_and_forgotten(desk)
    assert forgotten(desk.store, text, "msg_later")


def test_b27_the_message_that_said_it_is_not_looked_at_twice(desk: Desk) -> None:
    remembered_and_forgotten(desk)
    reworded = note_text("tool", "Bun is what builds this project.")
    assert forgotten(desk.store, reworded, "msg_one")
    assert not forgotten(desk.store, reworded, "msg_other")
    assert not forgotten(desk.store, reworded, "")


def test_the_message_of_the_wish_may_tell_something_new(desk: Desk) -> None:
    desk.store.write("build.md", BUN, base_digest=None, origin=MAIN)
    desk.store.delete("build.md", origin=ChangeOrigin("extractor", "sess_one", "msg_wish"))
    assert desk.store.tombstones.all()[0].messages == ("msg_one", "msg_wish")
    assert not forgotten(desk.store, note_text("tests", "Tests run with vitest."), "msg_wish")
    assert forgotten(desk.store, note_text("tests", "Tests run with vitest."), "msg_one"), "where it was said is not looked at again"
    assert forgotten(desk.store, BUN, "msg_wish"), "the same does not come back"


def test_b27_other_memories_and_later_updates_of_them_are_not_touched(desk: Desk) -> None:
    desk.store.write("both.md", note_text("both", "The build runs with bun.\n\nTests run with vitest."), base_digest=None, origin=MAIN)
    remembered_and_forgotten(desk)
    old = desk.store.read("both.md").text
    assert not forgotten(desk.store, old + "One more line.\n", "msg_new", before=old)
    assert not forgotten(desk.store, note_text("t", "Tests run with vitest."), "msg_new")
    assert not forgotten(desk.store, "", "msg_new")


@pytest.mark.parametrize("origin", [MAIN, EXTRACTOR, PERSON])
def test_whoever_forgets_leaves_a_tombstone_of_digests_and_ids(desk: Desk, origin: ChangeOrigin) -> None:
    remembered_and_forgotten(desk, origin)
    stone = desk.store.tombstones.all()[0]
    assert "msg_one" in stone.messages
    assert "sess_one" in stone.sessions
    data = tombstone_file(desk.paths, desk.project.key).read_bytes()
    assert b"bun" not in data
    assert b"build" not in data


@pytest.mark.parametrize("origin", [ChangeOrigin("dream"), ChangeOrigin("outside")])
def test_a_tidy_up_or_another_program_forgets_nothing(desk: Desk, origin: ChangeOrigin) -> None:
    remembered_and_forgotten(desk, origin)
    assert not forgotten(desk.store, BUN, "msg_later")


def test_a_rename_a_move_and_their_undo_forget_nothing(desk: Desk) -> None:
    desk.store.write("build.md", BUN, base_digest=None, origin=MAIN)
    change = rename_with_links(desk.store, "build.md", "bun.md", origin=PERSON)
    desk.store.undo(change.id)
    user = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))
    move_between(desk.store, user, "build.md", origin=PERSON)
    assert desk.store.tombstones.all() == ()
    assert user.tombstones.all() == ()


def test_undoing_a_creation_forgets_nothing(desk: Desk) -> None:
    change = desk.store.write("build.md", BUN, base_digest=None, origin=MAIN)
    desk.store.undo(change.id)
    assert not forgotten(desk.store, BUN, "msg_later")


@pytest.mark.parametrize("way", ["undo", "put_back", "restore", "write", "import"])
def test_a_memory_that_comes_back_is_no_longer_forgotten(desk: Desk, way: str) -> None:
    deletion = remembered_and_forgotten(desk)
    kept = next(change.before for change in desk.store.changes() if change.id == deletion) or ""
    if way == "undo":
        desk.store.undo(deletion)
    elif way == "put_back":
        put_back(desk.store, deletion)
    elif way == "restore":
        restore(desk.store, "build.md", kept, origin=PERSON)
    elif way == "write":
        desk.store.write("again.md", note_text("new", "The build runs with bun."), base_digest=None, origin=PERSON)
    else:
        tombstones.lift(desk.store, BUN, time=desk.clock.now())
    assert not forgotten(desk.store, BUN, "msg_later")
    assert not forgotten(desk.store, note_text("x", "Bun is used."), "msg_one")


def test_undoing_the_undo_forgets_again(desk: Desk) -> None:
    deletion = remembered_and_forgotten(desk)
    undone = desk.store.undo(deletion)
    desk.store.undo(undone.id)
    assert not (desk.root / "build.md").exists()
    assert forgotten(desk.store, BUN, "msg_later")


def test_the_model_may_save_it_again_once_it_was_said_in_a_newer_message(desk: Desk) -> None:
    remembered_and_forgotten(desk)
    moment = desk.store.tombstones.all()[0].time
    older, newer = new_message_id(moment - timedelta(minutes=1)), new_message_id(moment + timedelta(minutes=1))
    assert forgotten(desk.store, BUN, older, actor="main")
    assert forgotten(desk.store, BUN, "msg_one", actor="main")
    assert forgotten(desk.store, BUN, "", actor="main")
    assert not forgotten(desk.store, BUN, newer, actor="main")
    assert not forgotten(desk.store, note_text("x", "Bun is used."), "msg_one", actor="main")
    assert forgotten(desk.store, BUN, newer, actor="extractor")
    assert forgotten(desk.store, BUN, newer, actor="dream")
    assert not forgotten(desk.store, BUN, older, actor="person")
    desk.store.write("build.md", BUN, base_digest=None, origin=ChangeOrigin("main", "sess_two", newer))
    assert not forgotten(desk.store, BUN, newer, actor="extractor")


def test_an_edit_of_a_memory_that_holds_the_words_anyway_lifts_nothing(desk: Desk) -> None:
    desk.store.write("both.md", note_text("both", "The build runs with bun.\n\nTests run with vitest."), base_digest=None, origin=MAIN)
    remembered_and_forgotten(desk)
    stored = desk.store.read("both.md")
    desk.store.write("both.md", stored.text + "More.\n", base_digest=stored.digest, origin=PERSON)
    assert forgotten(desk.store, BUN, "msg_later")


def test_tombstones_outlive_a_restart_and_damage(desk: Desk) -> None:
    remembered_and_forgotten(desk)
    file = tombstone_file(desk.paths, desk.project.key)
    with file.open("ab") as stream:
        stream.write(b'{"op":"forget","digests":["half')
    tombstones_at.cache_clear()
    again = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state)
    assert forgotten(again, BUN, "msg_later")
    again.write("x.md", note_text("x", "Something else."), base_digest=None, origin=MAIN)
    again.delete("x.md", origin=PERSON)
    tombstones_at.cache_clear()
    last = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state)
    assert forgotten(last, BUN, "msg_later")
    assert forgotten(last, note_text("y", "something ELSE"), "msg_later")


def test_two_stores_over_one_root_see_the_same(desk: Desk) -> None:
    other = MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state)
    assert not forgotten(other, BUN, "msg_later")
    deletion = remembered_and_forgotten(desk)
    assert forgotten(other, BUN, "msg_later")
    other.undo(deletion)
    assert not forgotten(desk.store, BUN, "msg_later")


@pytest.mark.parametrize(
    "rubbish", [b"\x00\xff" * 50, b"[]\n1\nnull\n{}\n", b'{"op":"forget","digests":[1,2]}\n', b'{"op":"forget","digests":"x"}\n']
)
def test_a_damaged_file_counts_as_none(desk: Desk, rubbish: bytes) -> None:
    file = tombstone_file(desk.paths, desk.project.key)
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(rubbish)
    assert not forgotten(desk.store, BUN, "msg_one")


def test_random_texts_are_forgotten_as_themselves_only(desk: Desk) -> None:
    seed = drawn_seed()
    rng = random.Random(seed)
    words = ["bun", "构建", "使用", "端口", "postgres", "tests", "always", "🦊", "עברית", "run", "in", "Shanghai", "部署", "nightly"]
    texts = {" ".join(rng.choices(words, k=rng.randrange(3, 12))) for _ in range(60)}
    gone = {text for text in texts if rng.random() < 0.5}
    for text in gone:
        tombstones.add(desk.store, note_text("n", text).encode(), time=desk.clock.now())
    for text in texts:
        shown = text.upper() if rng.random() < 0.5 else "  ".join(text.split())
        assert forgotten(desk.store, note_text("m", shown), "msg_x") is (text in gone), text
