"""Long conversations in the list: what is jumped to is made once, and what lies far away comes page by page."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

import pytest
from PySide6.QtWidgets import QLabel, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.chat.items import AnswerEntry, Entry, UserEntry, VersionsEntry
from desktop.ui.chat.message_list import PAGE, MessageList
from desktop.ui.chat.paged_list import PagedMessageList
from tests.helpers.clock import FixedClock


def entries(count: int) -> list[Entry]:
    now = FixedClock().now()
    return [
        UserEntry(f"m{n}", f"question {n}", now) if n % 2 == 0 else AnswerEntry(f"m{n}", f"answer {n}\n\n" + "word " * 80, now, "")
        for n in range(count)
    ]


class Counted(PagedMessageList):
    """Counts what it makes."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.made: list[Entry] = []

    def make(self, entry: Entry) -> QWidget:
        self.made.append(entry)
        return super().make(entry)


@pytest.fixture
def room(qtbot: QtBot, dark: theme.Theme) -> Iterator[QWidget]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(700, 500)
    window.show()
    yield window


def put(window: QWidget, made: MessageList) -> None:
    made.resize(window.size())
    made.show()


def settle(qtbot: QtBot, shown: MessageList) -> None:
    quiet = [0, -1]

    def is_quiet() -> bool:
        busy = shown._older.isActive() or shown._newer.isActive() or len(shown.views) != quiet[1]
        quiet[0], quiet[1] = (0 if busy else quiet[0] + 1), len(shown.views)
        return quiet[0] > 3

    qtbot.waitUntil(is_quiet, timeout=20_000)


def texts(shown: MessageList) -> Sequence[str]:
    return [str(getattr(view, "text", ""))[:12].strip() for view in shown.views]


def test_a_jump_makes_nothing_that_it_takes_out_again(qtbot: QtBot, room: QWidget) -> None:
    shown = Counted(room)
    put(room, shown)
    held = entries(300)
    shown.show_stretch(held, above=True, below=True, at=120, text="question 120")
    assert shown.made and all(120 <= held.index(one) < 120 + PAGE for one in shown.made), "only what stands there"
    settle(qtbot, shown)
    assert len(shown.made) == len({id(one) for one in shown.made}) == len(shown.views)
    assert "question 120" in texts(shown)


def test_the_versions_of_what_is_jumped_to_stand_there_at_once(qtbot: QtBot, room: QWidget) -> None:
    shown = PagedMessageList(room)
    put(room, shown)
    held = entries(80)
    held.insert(40, VersionsEntry("m40", 1, ("m40", "x"), persons=True))
    shown.show_stretch(held, above=False, below=False, at=41)
    assert shown.focus_versions("m40", 1)


@pytest.mark.parametrize("kind", [MessageList, PagedMessageList])
def test_pages_come_one_at_a_time(qtbot: QtBot, room: QWidget, kind: Callable[[QWidget], MessageList]) -> None:
    shown = kind(room)
    put(room, shown)
    both: list[bool] = []
    for timer in (shown._older, shown._newer):
        timer.timeout.connect(lambda: both.append(shown._older.isActive() and shown._newer.isActive()))
    shown.show_entries(entries(300))
    settle(qtbot, shown)
    shown.show_entry(150)
    settle(qtbot, shown)
    assert both and not any(both)
    assert "question 150" in texts(shown)


def test_an_entry_far_up_is_reached_without_losing_what_was_added(qtbot: QtBot, room: QWidget) -> None:
    """In the open conversation cards stand behind the transcript's entries; going far up keeps them, and is no single block."""
    shown = MessageList(room)
    put(room, shown)
    shown.show_entries(entries(200))
    settle(qtbot, shown)
    card = QLabel("a notice", shown.inside)
    shown.add(card)
    before = len(shown.views)
    shown.show_entry(4, "question 4")
    assert len(shown.views) <= before + PAGE, "not all of it at once"
    qtbot.waitUntil(lambda: "question 4" in texts(shown), timeout=20_000)
    settle(qtbot, shown)
    at = texts(shown).index("question 4")
    view = shown.views[at]
    top = view.y() - shown.verticalScrollBar().value()
    assert 0 <= top < shown.viewport().height(), "and is in view"
    assert shown.views[-1] is card
    shown.clear()
    assert shown._sought is None
