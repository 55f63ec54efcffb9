"""“loaded n” comes back with the conversation: what the transcript keeps of it, and how it is drawn after a restart."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.agent.recalled import loaded_note, memory_notes
from desktop.app.application import Application
from desktop.messages.events import RecalledRef
from desktop.messages.parts import Message, TextPart
from desktop.ui.chat.chips import ChipRow, LoadedChip, MemoryChip
from desktop.ui.chat.items import RecalledEntry, UserEntry, entries_of
from tests.helpers.clock import FixedClock
from tests.ui.app_world import Start, World, opened, starting


@pytest.fixture
def place(tmp_path: Path) -> World:
    made = World(tmp_path)
    (made.project.memory_root / "MEMORY.md").write_text("- [bun](bun.md) — We use bun\n", encoding="utf-8")
    return made


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, place: World) -> Iterator[Start]:
    with starting(qapp, qtbot, place) as go:
        yield go


def rows(application: Application) -> list[list[MemoryChip]]:
    assert application.parts is not None
    return [view.chips for view in application.parts.chat.pane.messages.views if isinstance(view, ChipRow)]


def test_it_is_shown_after_a_restart_as_it_was_before(place: World, start: Start, qtbot: QtBot) -> None:
    application = opened(start(place.folder), qtbot)
    assert application.parts is not None
    controller = application.parts.chat.controller
    for text in ("hallo", "noch etwas"):
        with qtbot.waitSignal(controller.turn_ended, timeout=20_000):
            controller.send(text)
    before = [[(type(chip), chip.text(), chip.toolTip()) for chip in row] for row in rows(application)]
    assert before and before[0][0][:2] == (LoadedChip, "loaded 1"), "it is told of once, at the first message"
    application.close()
    again = opened(start(), qtbot)
    qtbot.waitUntil(lambda: bool(rows(again)), timeout=10_000)
    assert [[(type(chip), chip.text(), chip.toolTip()) for chip in row] for row in rows(again)] == before
    assert again.parts is not None
    kinds = [type(view).__name__ for view in again.parts.chat.pane.messages.views]
    assert kinds[:2] == ["UserView", "ChipRow"], "behind the person's message"
    chip = rows(again)[0][0]
    chip.click()
    assert again.parts.chat.pane.memory.popover is not None


def message(name: str, role: str, **more: object) -> Message:
    origin = "person" if role == "user" else "model"
    return Message(name, role, (TextPart(name),), FixedClock().now(), origin=origin, **more)  # type: ignore[arg-type]


def test_what_was_loaded_stands_in_the_row_of_what_was_recalled() -> None:
    ref = {"root": "project", "path": "a.md", "name": "a", "reason": "", "age": "", "stage": "lexical", "tokens": 5}
    entries = entries_of(
        [message("u1", "user"), message("a1", "assistant", notes={"loaded": {"entries": 3, "tokens": 40}, "recalled": [ref]})]
    )
    assert isinstance(entries[0], UserEntry)
    found = entries[1]
    assert isinstance(found, RecalledEntry) and [one.path for one in found.items] == ["a.md"]
    assert found.loaded == {"entries": 3, "tokens": 40, "truncated": False}


@pytest.mark.parametrize("note", [None, 5, [], "x", {}, {"entries": 0}, {"entries": -1}, {"entries": True}, {"entries": "7"}])
def test_a_damaged_note_shows_nothing(note: object) -> None:
    entries = entries_of([message("u1", "user"), message("a1", "assistant", notes={"loaded": note})])
    assert [type(one).__name__ for one in entries] == ["UserEntry", "AnswerEntry"]


def test_the_note_holds_numbers_only_and_is_given_once() -> None:
    report = {"entries": 9, "lines": 9, "bytes": 0, "tokens": 120, "truncated": True, "dropped": ["secret.md"], "roots": [{"path": "/x"}]}
    note = loaded_note(report)
    assert note == {"entries": 9, "lines": 9, "tokens": 120, "truncated": True}
    waiting = [note]
    ref = RecalledRef("project", "a.md", "a", "", "", "lexical", 5)
    assert memory_notes([ref], waiting)["loaded"] == note
    assert memory_notes([], waiting) == {} and waiting == []
