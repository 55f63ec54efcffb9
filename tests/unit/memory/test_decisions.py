"""Undo of a decision in the review inbox, by whichever way: the proposal waits again, and a redo takes it out again (W-33)."""

from __future__ import annotations

import errno
import os
import random
from collections.abc import Callable
from typing import Any

import pytest

from desktop.base.errors import ConflictError, NotFoundError, StorageError
from desktop.memory.change import Change
from desktop.memory.proposal import Proposal
from desktop.memory.taking_back import take_back
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import MAIN, PERSON, Desk, note_text
from tests.unit.memory.test_proposals import another, propose, proposed

CHINESE = "我们用 bun 构建 🥟，不用 npm"


def waits(desk: Desk) -> list[str]:
    """What waits, as this and as another process see it."""
    here = [one.id for one in desk.store.proposals.waiting()]
    assert [one.id for one in another(desk).waiting()] == here
    return here


def last(desk: Desk) -> Change | None:
    return take_back([desk.store], desk.store).change


def _new(desk: Desk) -> Proposal:
    return proposed(desk, "build.md", CHINESE)


def _changed(desk: Desk) -> Proposal:
    desk.add("build.md", "we use npm")
    made = propose(desk, "build.md", note_text("build", CHINESE))
    assert made is not None
    return made


def _deleted(desk: Desk) -> Proposal:
    desk.add("build.md", "we use npm")
    made = propose(desk, "build.md", "", op="delete")
    assert made is not None
    return made


@pytest.mark.parametrize("edited", [False, True], ids=["as-proposed", "edited"])
@pytest.mark.parametrize("make", [_new, _changed, _deleted], ids=["new", "changed", "deleted"])
def test_an_accepted_proposal_waits_again_after_an_undo_and_no_more_after_a_redo(
    desk: Desk, make: Callable[[Desk], Proposal], edited: bool
) -> None:
    desk.add("端口.md", "the port is 5433")
    made = make(desk)
    before = {path.name: path.read_bytes() for path in desk.root.glob("*.md")}
    text = note_text("build", "typed by hand: 用 pnpm") if edited and made.op == "write" else None
    desk.store.proposals.accept(made.id, desk.store, text=text)
    after = {path.name: path.read_bytes() for path in desk.root.glob("*.md")}
    assert waits(desk) == []
    for _ in range(3):  # there and back as often as one likes
        undone = desk.store.undo()
        assert {path.name: path.read_bytes() for path in desk.root.glob("*.md")} == before
        assert waits(desk) == [made.id]
        assert desk.store.proposals.waits_again(undone) is not None
        redone = desk.store.undo(undone.id)
        assert {path.name: path.read_bytes() for path in desk.root.glob("*.md")} == after
        assert waits(desk) == []
        assert desk.store.proposals.waits_again(redone) is None
        desk.store.undo(redone.id)
        desk.store.proposals.accept(made.id, desk.store, text=text)  # decided anew: under a group of its own
        after = {path.name: path.read_bytes() for path in desk.root.glob("*.md")}
        assert waits(desk) == []


def test_the_inbox_says_that_others_wait(desk: Desk) -> None:
    counts: list[int] = []
    made = _new(desk)
    desk.store.proposals.accept(made.id, desk.store)
    desk.store.proposals.changed.subscribe(counts.append)
    desk.store.undo()
    assert counts == [1]


@pytest.mark.parametrize("rejected", [False, True])
def test_what_cannot_be_read_for_now_is_not_taken_for_gone(desk: Desk, monkeypatch: pytest.MonkeyPatch, rejected: bool) -> None:
    """Otherwise the memory would go and the proposal not wait, or an older act would be taken back than the last."""
    desk.add("older.md", "an older act")
    made = _new(desk)
    if rejected:
        desk.store.proposals.reject(made.id)
    else:
        desk.store.proposals.accept(made.id, desk.store)
    before = {path.name: path.read_bytes() for path in desk.root.glob("*.md")}
    real = os.open

    def failing(path: Any, *args: Any, **options: Any) -> int:
        if str(path).endswith(f"{made.id}.json"):
            raise OSError(errno.EIO, os.strerror(errno.EIO), str(path))
        return real(path, *args, **options)

    with monkeypatch.context() as now:
        now.setattr(os, "open", failing)
        with pytest.raises(StorageError, match="could not be read"):
            take_back([desk.store], desk.store)
    assert {path.name: path.read_bytes() for path in desk.root.glob("*.md")} == before
    assert waits(desk) == []
    take_back([desk.store], desk.store)
    assert waits(desk) == [made.id], "the next try works"


def test_an_undo_that_fails_leaves_it_decided(desk: Desk) -> None:
    made = _new(desk)
    change = desk.store.proposals.accept(made.id, desk.store)
    stored = desk.store.read("build.md")
    desk.store.write("build.md", stored.text + "\nmore\n", base_digest=stored.digest, origin=MAIN)
    with pytest.raises(ConflictError):
        desk.store.undo(change.id)
    with pytest.raises(ConflictError):
        desk.store.proposals.take_back(made.id, desk.store)
    assert waits(desk) == []
    assert CHINESE in desk.store.read("build.md").text


def test_the_last_act_may_be_a_rejection(desk: Desk) -> None:
    desk.add("other.md", "the port is 5433")
    made = _new(desk)
    desk.store.proposals.reject(made.id)
    assert last(desk) is None  # no memory changed
    assert waits(desk) == [made.id]
    assert propose(desk, "zwei.md", made.text) is None  # it waits, and is no rejected text any more
    change = last(desk)
    assert change is not None
    assert change.path == "other.md"
    with pytest.raises(NotFoundError):
        last(desk)


def test_what_came_later_is_taken_back_first(desk: Desk) -> None:
    first, second = proposed(desk, "a.md", "端口是 5433"), proposed(desk, "b.md", "the linter is ruff")
    desk.store.proposals.reject(first.id)
    desk.store.proposals.accept(second.id, desk.store)
    taken = take_back([desk.store], desk.store)
    assert (taken.change is not None, taken.waits and taken.waits.id) == (True, second.id)
    taken = take_back([desk.store], desk.store)
    assert (taken.change, taken.waits and taken.waits.id) == (None, first.id)
    assert sorted(waits(desk)) == sorted([first.id, second.id])


def test_accepting_what_is_said_already_is_an_act_too(desk: Desk) -> None:
    made = _deleted(desk)
    desk.store.delete("build.md", origin=PERSON)
    assert not desk.store.proposals.accept(made.id, desk.store).changed
    taken = take_back([desk.store], desk.store)
    assert (taken.change, taken.waits and taken.waits.id) == (None, made.id)


def test_a_decision_is_named_by_its_proposal(desk: Desk) -> None:
    made, other = _new(desk), proposed(desk, "c.md", "CI runs on Linux")
    desk.store.proposals.accept(made.id, desk.store)
    desk.store.proposals.reject(other.id)
    assert take_back([desk.store], desk.store, made.id).change is not None
    assert not (desk.root / "build.md").exists()
    assert waits(desk) == [made.id]
    assert take_back([desk.store], desk.store, made.id).change is None  # taken back already: it just waits
    assert take_back([desk.store], desk.store, other.id).waits is not None


def test_a_replaced_one_was_never_decided(desk: Desk) -> None:
    proposed(desk, "build.md", "we use yarn")
    newer = proposed(desk, "build.md", "we use bun")
    with pytest.raises(NotFoundError):
        last(desk)
    assert waits(desk) == [newer.id]


def test_rejected_after_an_undo_and_the_old_undo_taken_back(desk: Desk) -> None:
    made = _new(desk)
    desk.store.proposals.accept(made.id, desk.store)
    undone = desk.store.undo()
    desk.store.proposals.reject(made.id)
    desk.store.undo(undone.id)  # by its id, e.g. out of the history
    assert CHINESE in desk.store.read("build.md").text
    assert waits(desk) == []
    desk.store.undo()
    assert waits(desk) in ([made.id], [])


def test_any_row_of_decisions_and_undos_ends_where_it_began(desk: Desk) -> None:
    seed = drawn_seed()
    dice = random.Random(seed)
    made = [proposed(desk, f"n{number}.md", f"事实 {number} is a fact about part {number}") for number in range(6)]
    everything = sorted(one.id for one in made)
    before = {path.name: path.read_bytes() for path in desk.root.glob("*.md")}
    acts = 0
    for _ in range(30):
        waiting = waits(desk)
        if waiting and dice.random() < 0.6:
            chosen = dice.choice(waiting)
            if dice.random() < 0.5:
                desk.store.proposals.accept(chosen, desk.store)
            else:
                desk.store.proposals.reject(chosen)
            acts += 1
        elif acts:
            last(desk)
            acts -= 1
        accepted = {path.name for path in desk.root.glob("n*.md")}
        assert not accepted & {one.path for one in made if one.id in waits(desk)}
    for _ in range(acts):
        last(desk)
    assert sorted(waits(desk)) == everything
    left = {path.name: path.read_bytes() for path in desk.root.glob("*.md") if path.name != "MEMORY.md"}
    assert left == {name: data for name, data in before.items() if name != "MEMORY.md"}
