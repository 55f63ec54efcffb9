"""Bursts: thousands of files that come, change and go at once, and the index after them."""

from __future__ import annotations

import random
import shutil
import time
from pathlib import Path

import pytest

from desktop.memory.frontmatter import parse
from desktop.memory.index_burst import synced_many
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.note import Note, note_of
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import Desk, note_text
from tests.unit.memory.test_outside import facts


def burst(desk: Desk, count: int) -> None:
    """`count` files come in at once, all change at once, all go at once; a quiet look in between costs one walk."""
    desk.store.observe()
    texts = {f"n{number // 500}/note-{number}.md": note_text(f"note-{number}", f"fact number {number}") for number in range(count)}
    for path, text in texts.items():
        (desk.root / path).parent.mkdir(exist_ok=True)
        (desk.root / path).write_text(text)
    found = desk.store.observe()
    assert {change.path for change in found} == set(texts)
    assert desk.index().count("\n") == count
    started = time.process_time()
    assert desk.store.observe() == []
    print(f"{count} files: a quiet look costs {1000 * (time.process_time() - started):.0f} ms of processor time")
    for path, text in texts.items():
        (desk.root / path).write_text(text + "more\n")
    assert facts(desk.store.observe()) == [("write", path, "") for path in sorted(texts)]
    shutil.rmtree(desk.root)
    desk.root.mkdir()
    assert sum(op == "delete" for op, _, _ in facts(desk.store.observe())) == count + 1
    assert all(desk.store.version(change.after or "") for change in found[:: max(count // 50, 1)])


def test_r13_a_burst_of_changes_is_seen_whole(desk: Desk) -> None:
    burst(desk, 400)


@pytest.mark.full
def test_r13_a_burst_of_10_000_files_is_seen_whole(desk: Desk) -> None:
    burst(desk, 10_000)


def test_a_burst_makes_of_an_index_what_one_change_after_the_other_does() -> None:
    """The shortcut for many topics against the keeper itself, on indexes with every kind of line."""
    seed = drawn_seed()
    chance = random.Random(seed)
    keeper = IndexKeeper(Path("/nowhere"))

    def note(path: str, words: str) -> Note:
        data = note_text(path.rpartition("/")[2].removesuffix(".md"), words).encode()
        return note_of(path, parse(data), size=len(data), mtime_s=0.0)

    for _ in range(60):
        notes = [note(f"{chance.choice(['', 'deep/', 'a b/'])}t{number}.md", f"fact {number}") for number in range(40)]
        ways = (
            keeper.line_for,
            keeper.line_for,
            lambda n: f"- [Mine](<{n.path}>) — by hand",
            lambda n: f"* [[{n.name}]] by name",
            lambda n: f"- [Two](<{n.path}>) and [other](else.md)\n  a second line",
            lambda n: f"1. see {n.path}",
            lambda n: "plain text",
        )
        lines = [chance.choice(ways)(n) for n in notes if chance.random() < 0.7]
        breaks = chance.choice(["\n", "\r\n"])
        text = breaks.join(["# Index", "", *lines, *chance.choice([[], [""], ["", "the end"], ["```", "open"]])]).replace("\r\n", "\n")
        text = text.replace("\n", breaks)
        moved = [(n, note(f"moved/{n.path}", n.description)) for n in notes[:9]]
        gone = [n.path for n in notes[9:20]]
        added = (
            [new for _, new in moved]
            + [note(n.path, n.description + " now") for n in notes[20:30]]
            + [note(f"new{k}.md", f"new {k}") for k in range(9)]
        )
        known = notes[9:30]
        whole = synced_many(keeper, text, added=added, renamed=moved, removed=gone, known=known)
        assert whole == keeper.synced(text, added=added, renamed=moved, removed=gone, known=known)
