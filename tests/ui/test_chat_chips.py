"""Chips of the chat stay true: proposals of one work share one, and undos and decisions made anywhere are followed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.base.phrases import say
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.memories import Memories
from desktop.memory.proposal import Proposal
from desktop.memory.store import MemoryStore
from desktop.messages.events import (
    JobChanged,
    MemoryChangeRef,
    MemoryProposed,
    MemorySaved,
    TextDelta,
    TurnStarted,
)
from desktop.messages.parts import Message, TextPart
from desktop.ui.chat.chips import MemoryChip, ReviewChip, SavedChip
from desktop.ui.chat.items import saved_by
from desktop.ui.chat.memory_details import SavedDetails
from desktop.ui.chat.pane import ChatPane
from desktop.ui.controllers.chat_standing import Standing, standing_of
from tests.helpers.clock import FixedClock
from tests.ui.app_world import World, opened, starting
from tests.ui.chat_world import ChatWorld
from tests.ui.test_chat_memory import NOTE, MakeWorld, again, chips, play, press, saved_chat, world

__all__ = ["world"]
PERSON = ChangeOrigin("person")
RUNNING = JobChanged("extract", "running")


def proposal(store: MemoryStore, path: str, text: str = "We use bun.") -> Proposal:
    made = store.proposals.add(
        "write",
        path,
        NOTE.format(name=path.removesuffix(".md"), text=text),
        base=None,
        base_text="",
        origin=ChangeOrigin("extractor"),
        reason=say("It waits."),
        rule="review",
    )
    assert made is not None
    return made


def texts(chat: ChatWorld, kind: type[MemoryChip] = MemoryChip) -> list[str]:
    return [chip.text() for chip in chips(chat, kind)]


def waiting_chat(world: MakeWorld, count: int) -> tuple[ChatWorld, MemoryStore, list[Proposal]]:
    """A chat in which an extraction made so many proposals, each told by itself as its call was."""
    chat = world({"text": "Good."})
    chat.turn("We moved to bun last week")
    store = chat.desk.workspace.store
    made = [proposal(store, f"n{number}.md", f"We use bun {number}.") for number in range(count)]
    play(chat, RUNNING, *(MemoryProposed(1, number + 1, (one.id,)) for number, one in enumerate(made)))
    return chat, store, made


# --- what belongs together --------------------------------------------------------------------------------------------


def test_three_proposals_of_one_extraction_share_a_chip(world: MakeWorld) -> None:
    chat, _store, _made = waiting_chat(world, 3)
    assert texts(chat, ReviewChip) == ["3 to review"]
    assert "3 new proposals" in chips(chat, ReviewChip)[0].accessibleName()
    play(chat, JobChanged("extract", "done"), RUNNING, MemoryProposed(2, 5, ("x", "y")))
    assert texts(chat, ReviewChip) == ["3 to review", "2 to review"], "another work has its own"


def test_what_one_extraction_saves_shares_a_chip_between_its_proposals(world: MakeWorld) -> None:
    chat = world({"text": "Good."})
    chat.turn("We moved to bun last week")

    def saved(name: str, actor: str = "extractor") -> MemorySaved:
        return MemorySaved((name,), actor, "/m", (MemoryChangeRef("project", name, f"c-{name}", "write"),))

    events = (saved("a.md"), MemoryProposed(1, 1, ("p",)), saved("b.md"), MemoryProposed(1, 2, ("q",)))
    play(chat, RUNNING, *events)
    assert texts(chat) == ["saved 2", "2 to review"]
    message = Message("u9", "user", (TextPart("next"),), FixedClock().now())
    play(chat, TurnStarted(chat.controller.session_id, message), saved("c.md"), TextDelta("Hello"), saved("mine.md", "main"))
    assert texts(chat, SavedChip) == ["saved 3", "saved 1"], "the person's next turn parts nothing, and mixes nothing"


def test_a_proposal_counts_once(world: MakeWorld) -> None:
    chat = world()
    play(chat, MemoryProposed(1, 1, ("p",)), MemoryProposed(1, 1, ("p",)))
    assert texts(chat, ReviewChip) == ["1 to review"]


# --- decisions --------------------------------------------------------------------------------------------------------


def test_the_review_chip_follows_what_is_decided(world: MakeWorld) -> None:
    chat, store, (first, second, third) = waiting_chat(world, 3)
    box = store.proposals
    box.accept(first.id, store)
    chat.pane.memory.chips.refresh()
    chat.until(lambda: texts(chat, ReviewChip) == ["2 to review"], "one less")
    assert "1 accepted" in chips(chat, ReviewChip)[0].toolTip() and not chips(chat, ReviewChip)[0].past
    box.reject(second.id)
    box.accept(third.id, store)
    chat.pane.memory.chips.refresh()
    chat.until(lambda: texts(chat, ReviewChip) == ["2 accepted, 1 rejected"], "what became of them")
    assert chips(chat, ReviewChip)[0].past and "2 accepted" in chips(chat, ReviewChip)[0].accessibleName()
    box.take_back(second.id, store)
    chat.pane.memory.chips.refresh()
    chat.until(lambda: texts(chat, ReviewChip) == ["1 to review"], "the one that was taken back")
    assert not chips(chat, ReviewChip)[0].past


def test_one_that_comes_later_waits_with_those_that_are_decided(world: MakeWorld) -> None:
    chat, store, made = waiting_chat(world, 1)
    store.proposals.reject(made[0].id)
    chat.pane.memory.chips.refresh()
    chat.until(lambda: texts(chat, ReviewChip) == ["1 rejected"], "the rejection")
    play(chat, MemoryProposed(1, 1, (proposal(store, "late.md", "Late.").id,)))
    assert texts(chat, ReviewChip) == ["1 to review"]
    chat.until(lambda: not chat.operations.pending, "the look")
    assert texts(chat, ReviewChip) == ["1 to review"]


def test_replaced_and_removed_ones_do_not_wait(world: MakeWorld) -> None:
    chat, store, made = waiting_chat(world, 2)
    proposal(store, "n0.md", "Something newer.")
    chat.pane.memory.chips.refresh()
    chat.until(lambda: texts(chat, ReviewChip) == ["1 to review"], "the replaced one")
    store.proposals.forget(paths=("n0.md", "n1.md"))
    chat.pane.memory.chips.refresh()
    chat.until(lambda: texts(chat, ReviewChip) == ["2 no longer kept"], "the end of both")
    assert made


# --- undo -------------------------------------------------------------------------------------------------------------


def test_a_saved_chip_says_that_it_was_undone_and_done_again(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."), ("tea", "Green tea."))
    details = press(chat, chips(chat, SavedChip)[0])
    assert isinstance(details, SavedDetails)
    chat.until(lambda: details.facts, "the changes")
    details.undo_button.click()
    chat.until(lambda: texts(chat, SavedChip) == ["saved 2 · 1 undone"], "the first undo")
    chip = chips(chat, SavedChip)[0]
    assert not chip.past and "Undone since: bun.md" in chip.toolTip() and "Undone since: bun.md" in chip.accessibleName()
    details.all_button.click() if details.all_button.isVisible() else chat.controller.saves.undo(chip.changes)
    chat.until(lambda: texts(chat, SavedChip) == ["saved 2 · undone"] and chip.past, "the second undo")
    chat.until(lambda: details.undo_button.text() == "Redo", "Redo in the details")
    details.undo_button.click()
    chat.until(lambda: texts(chat, SavedChip) == ["saved 2 · 1 undone"] and not chip.past, "the redo")


def test_an_undo_made_elsewhere_is_seen_and_after_a_restart_too(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."))
    details = press(chat, chips(chat, SavedChip)[0])
    assert isinstance(details, SavedDetails)
    chat.until(lambda: details.facts and details.undo_button.text() == "Undo", "the change")
    change = chips(chat, SavedChip)[0].changes[0].change
    chat.desk.workspace.store.undo(change)
    chat.pane.memory.refresh()  # as the folder's watch asks for
    chat.until(lambda: texts(chat, SavedChip) == ["saved 1 · undone"], "the undo")
    chat.until(lambda: details.undo_button.text() == "Redo", "the open details to follow")
    again(chat)
    chat.until(lambda: texts(chat, SavedChip) == ["saved 1 · undone"], "the undo after opening again")
    assert chips(chat, SavedChip)[0].past


def test_a_chip_that_is_mounted_late_is_looked_up(world: MakeWorld) -> None:
    chat = world()
    store = chat.desk.workspace.store
    made = store.write("bun.md", NOTE.format(name="bun", text="We use bun."), base_digest=None, origin=ChangeOrigin("extractor"))
    store.undo(made.id)
    entry = saved_by((MemoryChangeRef("project", "bun.md", made.id, "write"),), "u1")
    chat.qtbot.wait(100)
    chat.pane.messages.show_entries([entry])  # as an older page of a long conversation is
    chat.pane.show_messages()
    chat.until(lambda: texts(chat, SavedChip) == ["saved 1 · undone"], "the look")


def test_a_deletion_that_was_undone(world: MakeWorld) -> None:
    chat = world()
    store = chat.desk.workspace.store
    store.write("bun.md", NOTE.format(name="bun", text="We use bun."), base_digest=None, origin=PERSON)
    gone = store.delete("bun.md", origin=ChangeOrigin("main"))
    play(chat, MemorySaved((), "main", "/m", (MemoryChangeRef("project", "bun.md", gone.id, "delete"),), ("bun.md",)))
    assert texts(chat, SavedChip) == ["forgot 1"]
    store.undo(gone.id)
    chat.pane.memory.refresh()
    chat.until(lambda: texts(chat, SavedChip) == ["forgot 1 · undone"], "the undo")


def test_a_file_written_twice_is_undone_when_both_are(world: MakeWorld) -> None:
    chat = world()
    store = chat.desk.workspace.store
    first = store.write("bun.md", NOTE.format(name="bun", text="One."), base_digest=None, origin=PERSON)
    second = store.write("bun.md", NOTE.format(name="bun", text="Two."), base_digest=first.after, origin=PERSON)
    refs = tuple(MemoryChangeRef("project", "bun.md", one.id, "write") for one in (first, second))
    play(chat, MemorySaved(("bun.md",), "main", "/m", refs))
    chip = chips(chat, SavedChip)[0]
    store.undo(second.id)
    chat.pane.memory.refresh()
    chat.until(lambda: chip.undone, "the look")
    assert chip.text() == "saved 1"
    store.undo(first.id)
    chat.pane.memory.refresh()
    chat.until(lambda: chip.text() == "saved 1 · undone", "the second")


def test_what_is_not_known_is_not_called_undone(world: MakeWorld) -> None:
    memories: Memories = world().desk.workspace.memories
    assert standing_of(memories, {("project", "no-such"), ("nowhere", "c")}, {"prop_x", "../x"}) == Standing()


# --- the whole window -------------------------------------------------------------------------------------------------


@pytest.fixture
def window(qapp: QApplication, qtbot: QtBot, tmp_path: Path) -> Iterator[Callable[..., tuple[Any, ChatPane, MemoryStore]]]:
    place = World(tmp_path)
    with starting(qapp, qtbot, place) as start:

        def go() -> tuple[Any, ChatPane, MemoryStore]:
            application = opened(start(place.folder), qtbot)
            assert application.parts is not None and application.workspace is not None
            return application.parts, application.parts.chat.pane, application.workspace.store

        yield go


def shown(pane: ChatPane, kind: type[MemoryChip]) -> list[str]:
    return [chip.text() for chip in pane.messages.findChildren(kind) if not chip.isHidden()]


def test_the_window_tells_its_chips_of_undo_last_and_of_the_inbox(window: Callable[..., Any], qtbot: QtBot) -> None:
    parts, pane, store = window()
    made: Change = store.write("tea.md", NOTE.format(name="tea", text="Green tea."), base_digest=None, origin=ChangeOrigin("main"))
    waits = proposal(store, "p.md")
    saved = MemorySaved(("tea.md",), "main", str(store.root), (MemoryChangeRef("project", "tea.md", made.id, "write"),))
    parts.chat.controller.events_arrived.emit((saved, MemoryProposed(1, 1, (waits.id,))))
    qtbot.waitUntil(lambda: len(parts.review.controller.picture.rows) == 1, timeout=10_000)
    parts.memory.controller.acts.undo_last()
    qtbot.waitUntil(lambda: shown(pane, SavedChip) == ["saved 1 · undone"], timeout=10_000)
    assert shown(pane, ReviewChip) == ["1 to review"]
    parts.review.controller.reject(parts.review.controller.picture.rows)
    qtbot.waitUntil(lambda: shown(pane, ReviewChip) == ["1 rejected"], timeout=10_000)
    qtbot.wait(300)  # what the rejection set off is over: it is the inbox alone that tells of the next
    qtbot.waitUntil(lambda: not parts.memory.controller.is_reading, timeout=10_000)
    store.proposals.take_back(waits.id, store)  # the undo of its toast, or another window
    qtbot.waitUntil(lambda: shown(pane, ReviewChip) == ["1 to review"], timeout=10_000)
