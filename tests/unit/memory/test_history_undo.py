"""S12: fifty scripted writes of memory; each is shown by an event, listed in the journal with its author, and reverted in one step."""

from __future__ import annotations

import io
import os
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.memory.archive import export_memory, import_memory
from desktop.memory.history import history, restore
from desktop.memory.journal import Change, ChangeOrigin
from desktop.memory.moving import is_move, move_between, rename_with_links, set_pinned, undo_move
from desktop.memory.roots import user_root
from desktop.memory.store import MemoryStore
from desktop.memory.trash import put_back
from tests.unit.memory.conftest import EXTRACTOR, MAIN, PERSON, Desk, note_text

DREAM = ChangeOrigin("dream", "sess_one")
TEXTS = ("plain words", "# 标题\n\n- 一\n- 二", "a\r\nb", "[[b]] and [b](b.md)", "🦊 שלום")
Act = Callable[[Desk, MemoryStore, int], Change]


def write_new(desk: Desk, user: MemoryStore, number: int) -> Change:
    return desk.store.write(f"new-{number}.md", note_text("new", TEXTS[number]), base_digest=None, origin=_who(number))


def edit(desk: Desk, user: MemoryStore, number: int) -> Change:
    stored = desk.store.read("a.md")
    return desk.store.write("a.md", f"{stored.text}\n{TEXTS[number]}\n", base_digest=stored.digest, origin=_who(number))


def delete(desk: Desk, user: MemoryStore, number: int) -> Change:
    return desk.store.delete(("a.md", "b.md", "sub/c.md", "项目/说明.md", "plain.md")[number], origin=_who(number))


def rename(desk: Desk, user: MemoryStore, number: int) -> Change:
    return rename_with_links(desk.store, "b.md", ("z.md", "new/b.md", "构建.md", "a b (1).md", "项目/b.md")[number], origin=_who(number))


def move(desk: Desk, user: MemoryStore, number: int) -> Change:
    return move_between(desk.store, user, "b.md", ("b.md", "x/b.md", "乙.md", "b b.md", "y.md")[number], origin=PERSON)


def pin(desk: Desk, user: MemoryStore, number: int) -> Change:
    return set_pinned(desk.store, ("a.md", "b.md", "sub/c.md", "项目/说明.md", "plain.md")[number], True, origin=_who(number))


def bring_back_a_version(desk: Desk, user: MemoryStore, number: int) -> Change:
    versions = history(desk.store, "a.md")
    return restore(desk.store, "a.md", versions[-1].digest or "", origin=PERSON)


def out_of_the_trash(desk: Desk, user: MemoryStore, number: int) -> Change:
    gone = next(change for change in desk.store.changes() if change.path == "gone.md" and change.op == "delete")
    return put_back(desk.store, gone.id)


def bring_in_an_archive(desk: Desk, user: MemoryStore, number: int) -> Change:
    stream = io.BytesIO()
    user.write("a.md", f"from elsewhere {number}\n", base_digest=None, origin=PERSON)
    user.write("fresh.md", TEXTS[number], base_digest=None, origin=PERSON)
    export_memory(user, stream)
    stream.seek(0)
    change = import_memory(desk.store, stream, origin=PERSON, on_conflict="replace" if number % 2 else "keep-both").change
    assert change is not None
    return change


def edit_the_index(desk: Desk, user: MemoryStore, number: int) -> Change:
    stored = desk.store.read("MEMORY.md")
    text = stored.text.replace("[b](b.md)", f"[b, number {number}](b.md)")
    return desk.store.write("MEMORY.md", text, base_digest=stored.digest, origin=PERSON)


ACTS: list[Act] = [
    write_new,
    edit,
    delete,
    rename,
    move,
    pin,
    bring_back_a_version,
    out_of_the_trash,
    bring_in_an_archive,
    edit_the_index,
]


def _who(number: int) -> ChangeOrigin:
    return (MAIN, EXTRACTOR, PERSON, DREAM, MAIN)[number]


def _tree(root: Path) -> dict[str, bytes]:
    found = {}
    for folder, _, files in os.walk(root):
        found.update({str(Path(folder) / name): (Path(folder) / name).read_bytes() for name in files})
    return found


def _begin(desk: Desk) -> MemoryStore:
    for path, text in (
        ("a.md", "first"),
        ("b.md", "second"),
        ("sub/c.md", "see [b](../b.md)"),
        ("项目/说明.md", "[[b]]"),
        ("gone.md", "gone"),
    ):
        desk.add(path, text, name=Path(path).stem)
    desk.store.write("plain.md", "no header\n", base_digest=None, origin=PERSON)
    stored = desk.store.read("a.md")
    desk.store.write("a.md", f"{stored.text}later\n", base_digest=stored.digest, origin=MAIN)
    desk.store.delete("gone.md", origin=PERSON)
    return MemoryStore(desk.project, desk.paths, desk.clock, lambda: desk.state, root=user_root(desk.paths))


@pytest.mark.parametrize("number", range(5))
@pytest.mark.parametrize("act", ACTS, ids=lambda act: act.__name__)
def test_s12_every_write_is_shown_listed_and_reverted_in_one_step(desk: Desk, act: Act, number: int) -> None:
    user = _begin(desk)
    before = _tree(desk.root)
    shown: list[Change] = []
    for store in (desk.store, user):
        store.changed.subscribe(shown.append)
    change = act(desk, user, number)
    assert _tree(desk.root) != before
    home = user if is_move(change) else desk.store
    listed = next(one for one in home.changes() if one.id == change.id)
    assert listed.origin.actor == change.origin.actor
    assert change.id in {one.id for one in shown}
    if is_move(change):
        undo_move(desk.store, user, change)
        assert _tree(user.root) == {}
    else:
        desk.store.undo(change.id)
    assert _tree(desk.root) == before
