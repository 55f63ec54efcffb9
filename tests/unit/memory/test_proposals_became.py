"""What became of proposals, asked for by their ids: whoever decided them, and however."""

from __future__ import annotations

from desktop.memory.proposal import Proposal
from desktop.memory.proposals import Proposals
from tests.unit.memory.conftest import Desk
from tests.unit.memory.test_proposals import proposed


def states(desk: Desk, *made: Proposal) -> list[str]:
    """As another process sees it."""
    other = Proposals(desk.paths, desk.store.memory_root, desk.clock)
    found = other.became([one.id for one in made])
    assert found == desk.store.proposals.became([one.id for one in made])
    return [found.get(one.id, "gone") for one in made]


def test_each_decision_is_told_and_taken_back(desk: Desk) -> None:
    box = desk.store.proposals
    one, two, three = (proposed(desk, f"{name}.md", f"We use {name}.") for name in ("bun", "tea", "rust"))
    assert states(desk, one, two, three) == ["waiting"] * 3
    change = box.accept(one.id, desk.store)
    box.reject(two.id)
    assert states(desk, one, two, three) == ["accepted", "rejected", "waiting"]
    desk.store.undo(change.id)  # from the history
    box.take_back(two.id, desk.store)
    assert states(desk, one, two, three) == ["waiting"] * 3


def test_a_newer_one_takes_its_place(desk: Desk) -> None:
    older, newer = proposed(desk, "bun.md", "We use bun."), proposed(desk, "bun.md", "We use bun 2.")
    assert states(desk, older, newer) == ["replaced", "waiting"]
    desk.store.proposals.accept(newer.id, desk.store)
    assert states(desk, older, newer) == ["replaced", "accepted"]


def test_accepting_what_the_memory_says_already_counts_as_accepted(desk: Desk) -> None:
    waits = proposed(desk, "bun.md", "We use bun.")
    desk.add("bun.md", "We use bun.")
    stored = desk.store.read("bun.md")
    assert not desk.store.proposals.accept(waits.id, desk.store, text=stored.text, over=stored.digest).changed
    assert states(desk, waits) == ["accepted"]


def test_what_is_not_kept_any_more_is_left_out(desk: Desk) -> None:
    one, two = proposed(desk, "bun.md", "We use bun."), proposed(desk, "tea.md", "Green tea.")
    desk.store.proposals.reject(one.id)
    desk.clock.advance(31 * 86_400)
    third = proposed(desk, "rust.md", "We use rust.")
    desk.store.proposals.reject(third.id)
    assert states(desk, one, third) == ["gone", "rejected"]
    desk.store.proposals.forget(paths=("tea.md",))
    assert states(desk, two) == ["gone"]
    assert desk.store.proposals.became(["../../etc/passwd", ""]) == {}
