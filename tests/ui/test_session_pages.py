"""The view of a stored session, whatever its length, branches and damage: pages, numbers, find, versions, other tools' sessions."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QTextEdit, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions import paged_lines
from desktop.sessions.paging import CUT, LoadedPager
from desktop.sessions.transcript import read_transcript
from desktop.ui import theme
from desktop.ui.chat.branch_switcher import BranchSwitcher
from desktop.ui.chat.entry_views import VersionsRow
from desktop.ui.chat.message_views import AnswerView, ThinkingView, UserView
from desktop.ui.chat.notice_card import NoticeCard
from desktop.ui.chat.paged_list import MOST_MOUNTED
from desktop.ui.chat.pointer import Frame
from desktop.ui.chat.reminder import ReminderView
from desktop.ui.chat.tool_card import ToolCard
from desktop.ui.sessions import pages, stretch
from desktop.ui.sessions.pages import StoredSession, side_file_of
from desktop.ui.sessions.viewer import SessionViewer, read_session
from tests.bench import session_files
from tests.ui.memory_world import World, made_world
from tests.ui.search_world import add, say_all
from tests.unit.sessions.make import message

WAIT_MS = 20_000


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


class Viewer:
    """A viewer on the screen."""

    def __init__(self, world: World, qtbot: QtBot, session_id: str, read: Callable[[], StoredSession] | None = None) -> None:
        self.qtbot, self.world = qtbot, world
        store = world.services.sessions
        self.widget = SessionViewer(
            read or (lambda: read_session(store, session_id)),
            session_id,
            world.operations,
            side_file=side_file_of(store, session_id),
        )
        qtbot.addWidget(self.widget)
        self.widget.resize(640, 500)
        self.widget.show()
        self.until(lambda: self.widget.reader.is_indexed or self.widget.page.isVisible())
        self.settle()

    def until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=WAIT_MS)

    def settle(self) -> None:
        """Until nothing is read and, for some turns, nothing is mounted."""
        messages = self.widget.messages
        quiet = [0, -1]

        def is_quiet() -> bool:
            busy = self.world.operations.pending or messages._older.isActive() or messages._newer.isActive()
            quiet[0] = 0 if busy or len(messages.views) != quiet[1] else quiet[0] + 1
            quiet[1] = len(messages.views)
            return quiet[0] > 3

        self.until(is_quiet)

    def texts(self) -> list[str]:
        return [one.text for one in self.widget.messages.views if isinstance(one, (UserView, AnswerView))]

    def pointed(self) -> QWidget:
        """The message with the frame, in view."""
        view = self.widget.messages.viewport()

        def found() -> list[QWidget]:
            frames = [one.target for one in self.widget.findChildren(Frame) if one.isVisible()]
            return [one for one in frames if -one.height() < one.mapTo(view, one.rect().topLeft()).y() < view.height()]

        self.until(lambda: len(found()) == 1)
        return found()[0]

    def selected(self) -> list[str]:
        return [one.textCursor().selectedText() for one in self.widget.findChildren(QTextEdit) if one.textCursor().hasSelection()]

    def scroll(self, end: str) -> None:
        bar = self.widget.messages.verticalScrollBar()
        bar.setValue(bar.minimum() if end == "top" else bar.maximum())
        self.settle()

    def close(self) -> None:
        self.widget.dispose()


def long_session(world: World, count: int) -> str:
    """A session of so many short messages, numbered from 1."""
    session_id, _ = session_files.write(world.services.paths.sessions, session_files.talk(count, 6))
    return session_id


def number_of(text: str) -> int:
    return int(text.partition(":")[0])


def test_the_whole_of_a_long_session_can_be_scrolled_with_few_widgets(
    world: World, qtbot: QtBot, dark: theme.Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(stretch, "MOST_MESSAGES", 120)
    viewer = Viewer(world, qtbot, long_session(world, 230))
    assert number_of(viewer.texts()[-1]) == 230
    seen: set[int] = set()
    most = 0
    for _ in range(200):
        numbers = [number_of(text) for text in viewer.texts()]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers))), "nothing twice, nothing left out"
        seen.update(numbers)
        most = max(most, len(viewer.widget.messages.views))
        if 1 in seen:
            break
        viewer.scroll("top")
    assert seen == set(range(1, 231))
    assert most <= MOST_MOUNTED + 40 and len(viewer.widget.messages.entries) <= 260
    for _ in range(200):
        viewer.scroll("bottom")
        numbers = [number_of(text) for text in viewer.texts()]
        assert numbers == list(range(numbers[0], numbers[0] + len(numbers)))
        if numbers[-1] == 230:
            break
    viewer.scroll("bottom")
    assert number_of(viewer.texts()[-1]) == 230 and viewer.widget.messages.at_bottom
    viewer.close()


def test_what_is_read_stays_in_place_while_pages_come_and_go(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    viewer = Viewer(world, qtbot, long_session(world, 500))
    viewer.widget.reveal_number(250)
    target = viewer.pointed()
    assert isinstance(target, UserView | AnswerView) and number_of(target.text) == 250
    viewer.settle()
    view, bar = viewer.widget.messages.viewport(), viewer.widget.messages.verticalScrollBar()

    def height() -> int:
        return target.mapTo(view, target.rect().topLeft()).y()

    viewer.until(lambda: height() == theme.current().px(24))
    bar.setValue(bar.value() - 300)
    before = height()
    viewer.settle()
    assert height() == before == theme.current().px(24) + 300
    assert len(viewer.widget.messages.views) > 20
    viewer.close()


def test_home_end_and_numbers_lead_anywhere(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    viewer = Viewer(world, qtbot, long_session(world, 400))
    messages, bar = viewer.widget.messages, viewer.widget.find_bar
    QTest.keyClick(messages, Qt.Key.Key_Home)
    viewer.until(lambda: viewer.texts() and number_of(viewer.texts()[0]) == 1)
    viewer.settle()
    QTest.keyClick(messages, Qt.Key.Key_End)
    viewer.until(lambda: viewer.texts() and number_of(viewer.texts()[-1]) == 400)
    viewer.settle()
    viewer.until(lambda: messages.at_bottom)
    viewer.widget.ask_number()
    assert "400" in bar.number.placeholderText() and bar.number.isEnabled()
    bar.number.setText("#123")
    QTest.keyClick(bar.number, Qt.Key.Key_Return)
    viewer.until(lambda: "123: " in getattr(viewer.pointed(), "text", "")[:5])
    bar.number.setText("9999")
    QTest.keyClick(bar.number, Qt.Key.Key_Return)
    viewer.until(lambda: "400: " in getattr(viewer.pointed(), "text", "")[:5])
    viewer.close()


def test_the_end_is_shown_while_the_rest_is_still_read(
    world: World, qtbot: QtBot, dark: theme.Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "FIRST_S", -1.0)
    monkeypatch.setattr(pages, "SLICE_S", 1e-9)
    session_id = long_session(world, 2_500)
    store = world.services.sessions
    widget = SessionViewer(lambda: read_session(store, session_id), session_id, world.operations)
    qtbot.addWidget(widget)
    early: list[tuple[int, str]] = []
    widget.reader.facts_changed.connect(lambda: early.append((len(widget.messages.views), widget.facts.text())))
    widget.resize(640, 500)
    widget.show()
    widget.reveal_number(7)
    qtbot.waitUntil(lambda: widget.reader.is_indexed, timeout=WAIT_MS)
    assert early[0][0] > 0 and "% read" in early[0][1] and "% read" not in widget.facts.text()
    qtbot.waitUntil(lambda: any(one.isVisible() for one in widget.findChildren(Frame)), timeout=WAIT_MS)
    shown = next(one.target for one in widget.findChildren(Frame) if one.isVisible())
    assert isinstance(shown, UserView | AnswerView) and number_of(shown.text) == 7
    qtbot.waitUntil(lambda: not world.operations.pending, timeout=WAIT_MS)
    widget.dispose()


def test_words_are_found_one_after_the_other_and_unfolded(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "The pangolin sleeps"), ("assistant", "Nothing here")])
    store = handle
    last = handle.messages[-1]
    thought = store.append(message("", "assistant", parts=(ThinkingPart("so 穿山甲, a PANGOLIN"), TextPart("Indeed.")), parent=last.id))
    call = store.append(message("", "assistant", parts=(ToolCallPart("c1", "Bash", {"command": "ls"}),), parent=thought.id))
    store.append(message("", "tool", parts=(ToolResultPart("c1", "Bash", "a\n" * 30_100 + "pangolin.txt"),), parent=call.id))
    long = "word " * 900 + "pangolin at the end"
    store.append(message(long, parent=handle.messages[-1].id))
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    bar = viewer.widget.find_bar
    QTest.keyClick(viewer.widget, Qt.Key.Key_F, Qt.KeyboardModifier.ControlModifier)
    viewer.until(bar.isVisible)
    bar.box.setText("pangolin")
    viewer.until(lambda: bar.count.text() == "1 of 4")
    shown = [type(viewer.pointed())]
    for number in (2, 3, 4):
        QTest.keyClick(bar.box, Qt.Key.Key_Return)
        qtbot.waitUntil(lambda number=number: bar.count.text() == f"{number} of 4", timeout=WAIT_MS)  # type: ignore[misc]
        viewer.until(lambda: not world.operations.pending)
        shown.append(type(viewer.pointed()))
    assert shown == [UserView, ThinkingView, ToolCard, UserView]
    assert "pangolin" in [one.lower() for one in viewer.selected()], "folded text is unfolded as far as the words"
    QTest.keyClick(bar.box, Qt.Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    viewer.until(lambda: bar.count.text() == "3 of 4")
    bar.box.setText("山甲")
    viewer.until(lambda: bar.count.text() == "1 of 1")
    bar.box.setText("nowhere to be found")
    viewer.until(lambda: bar.count.text() == "Nothing found")
    assert not bar.next.isEnabled()
    viewer.settle()
    QTest.keyClick(bar.box, Qt.Key.Key_Escape)
    assert not bar.isVisible()
    viewer.close()


def test_every_version_is_reachable_from_its_switcher(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "question"), ("assistant", "first answer")])
    asked = handle.messages[0]
    add(handle, "user", "and then", parent=handle.messages[1].id)
    add(handle, "assistant", "second answer", parent=asked.id)
    add(handle, "assistant", "third answer", parent=asked.id)
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    assert viewer.texts() == ["question", "third answer"]

    def switcher() -> BranchSwitcher:
        return next(one for one in viewer.widget.messages.views if isinstance(one, VersionsRow)).switcher

    assert switcher().label.text() == "3/3" and not switcher().next.isEnabled() and not viewer.widget.branch_banner.isVisible()
    switcher().previous.click()
    viewer.until(lambda: viewer.texts() == ["question", "second answer"])
    assert viewer.widget.branch_banner.isVisible() and switcher().label.text() == "2/3"
    switcher().take_focus()
    QTest.keyClick(switcher().previous, Qt.Key.Key_Return)
    viewer.until(lambda: viewer.texts() == ["question", "first answer", "and then"])
    assert viewer.widget.window().focusWidget() is switcher().next, "the keyboard stays at the versions, also in a window behind others"
    QTest.keyClick(switcher().next, Qt.Key.Key_Return)
    viewer.until(lambda: viewer.texts() == ["question", "second answer"])
    viewer.widget.branch_banner.buttons[0].click()
    viewer.until(lambda: viewer.texts() == ["question", "third answer"])
    assert not viewer.widget.branch_banner.isVisible()
    viewer.settle()
    viewer.close()


def test_two_first_messages_are_versions_too(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    first = session_files.said(0, 0, parts=(TextPart("first try"),))
    second = replace(session_files.said(2, 0, parts=(TextPart("second try"),)), parent=None)
    session_id, _ = session_files.write(world.services.paths.sessions, iter((first, second)))
    viewer = Viewer(world, qtbot, session_id)
    assert viewer.texts() == ["second try"]
    next(one for one in viewer.widget.messages.views if isinstance(one, VersionsRow)).switcher.previous.click()
    viewer.until(lambda: viewer.texts() == ["first try"])
    viewer.settle()
    viewer.close()


def test_damage_is_counted_and_told_place_by_place(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", f"granite {number}") for number in range(8)])
    handle.close()
    path = world.services.sessions.path_of(handle.id)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:3], lines[3][:40] + b"\n", b"\0" * 90 + b"\n", *lines[4:]]))
    viewer = Viewer(world, qtbot, handle.id)
    assert viewer.texts() == [f"granite {number}" for number in (0, 1, 3, 4, 5, 6, 7)], "before and after it"
    banner = viewer.widget.banner
    assert banner.isVisible() and banner.text().startswith("2 records")
    banner.buttons[0].click()
    assert viewer.widget.details.isVisible()
    told = viewer.widget.details.toPlainText().splitlines()
    assert len(told) == 2 and told[0].startswith("Line 4: ") and "NUL" in told[1]
    banner.buttons[0].click()
    assert not viewer.widget.details.isVisible()
    viewer.close()


def test_of_very_much_damage_the_first_places_are_told(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "before"), ("assistant", "it")])
    handle.close()
    path = world.services.sessions.path_of(handle.id)
    path.write_bytes(path.read_bytes() + b"{nothing}\n" * 10_000)
    viewer = Viewer(world, qtbot, handle.id)
    assert viewer.widget.banner.text().startswith("10,000 ") or viewer.widget.banner.text().startswith("10000 ")
    viewer.widget.banner.buttons[0].click()
    told = viewer.widget.details.toPlainText().splitlines()
    assert len(told) == 201 and told[-1] == "… and 9,800 more" and viewer.texts() == ["before", "it"]
    viewer.close()


def test_a_session_without_words_says_so(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "hello")])
    handle.set_meta("leaf", None)
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    assert viewer.widget.page.isVisible() and viewer.widget.page.title.text() == "This branch is empty"
    viewer.close()


def test_a_result_without_its_call_is_shown(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "hello")])
    lost = handle.append(message("", "tool", parts=(ToolResultPart("gone", "Bash", "orphan output"),), parent=handle.messages[-1].id))
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    cards = [one for one in viewer.widget.messages.views if isinstance(one, ToolCard)]
    assert [one.tool_name for one in cards] == ["Bash"]
    viewer.widget.reveal(lost.id, "orphan")
    assert viewer.pointed() is cards[0] or isinstance(viewer.pointed(), ToolCard)
    viewer.settle()
    viewer.close()


def test_a_session_of_another_tool_has_a_badge_and_goes_on_here(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "hello"), ("assistant", "hi")])
    handle.append(message("<env>hidden words</env>", origin="app", parent=handle.messages[-1].id))
    handle.close()
    store = world.services.sessions

    def read() -> StoredSession:
        pager = LoadedPager(read_transcript(store.path_of(handle.id)))
        summary = replace(store.find(handle.id), source="codex")
        return StoredSession(summary, pager, pager.newest(), pager.facts(), is_foreign=True)

    viewer = Viewer(world, qtbot, handle.id, read)
    assert viewer.widget.badge.isVisible() and viewer.widget.badge.text() == "Codex"
    assert "never run" in viewer.widget.badge.toolTip()
    assert viewer.widget.resume.text() == "Continue in Keepsake"
    hidden = [one for one in viewer.widget.messages.views if isinstance(one, ReminderView)]
    assert [one.text for one in hidden] == ["<env>hidden words</env>"] and not hidden[0].row.is_open
    asked: list[str] = []
    viewer.widget.resume_requested.connect(asked.append)
    viewer.widget.resume.click()
    assert asked == [handle.id]
    viewer.close()
    own = Viewer(world, qtbot, handle.id)
    assert not own.widget.badge.isVisible() and own.widget.resume.text() == "Resume"
    assert not [one for one in own.widget.messages.views if isinstance(one, ReminderView)]
    own.close()


def test_references_in_an_answer_lead_to_their_message(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    other = "sess_01arz3ndektsv4rrffq69g5fav"
    handle = say_all(world, [("user", f"question {number}") for number in range(30)])
    add(handle, "assistant", f"See #{handle.id}:3, #{other}:12 and #{other}, not #sess_short:1.")
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    answer = next(one for one in viewer.widget.messages.views if isinstance(one, AnswerView))
    html = answer.body.views[0].toHtml()  # type: ignore[union-attr]
    assert html.count("href=") == 3
    asked: list[tuple[str, int]] = []
    viewer.widget.session_requested.connect(lambda session, number: asked.append((session, number)))
    for target in (f"#{other}:12", f"#{other}"):
        answer.body.views[0].relative_link_requested.emit(target)  # type: ignore[union-attr]
    assert asked == [(other, 12), (other, 0)]
    answer.body.views[0].relative_link_requested.emit(f"#{handle.id}:3")  # type: ignore[union-attr]
    viewer.until(lambda: getattr(viewer.pointed(), "text", "") == "question 2")
    viewer.settle()
    viewer.close()


def test_a_message_too_long_to_hold_says_its_size(world: World, qtbot: QtBot, dark: theme.Theme, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paged_lines, "WHOLE", 200_000)
    monkeypatch.setattr(paged_lines, "KEPT", 50_000)
    handle = say_all(world, [("user", "short"), ("assistant", "z" * 400_000)])
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    assert (viewer.widget._stretch.messages[-1].notes or {})[CUT] > 400_000
    cards = [one for one in viewer.widget.messages.views if isinstance(one, NoticeCard)]
    assert len(cards) == 1 and "Its beginning is shown" in cards[0].label.text()
    assert len(viewer.texts()[-1]) < 50_000
    viewer.close()


def test_what_is_said_meanwhile_is_found_by_its_id(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "first")])
    viewer = Viewer(world, qtbot, handle.id)
    later = add(handle, "assistant", "said later")
    handle.close()
    viewer.widget.reveal(later.id, "later")
    assert isinstance(viewer.pointed(), AnswerView)
    viewer.settle()
    viewer.widget.reveal("msg_of_nowhere")
    viewer.settle()
    assert viewer.texts() == ["first", "said later"], "nothing is shown for what is not there"
    viewer.close()


def test_a_viewer_that_goes_while_it_reads_leaves_nothing(
    world: World, qtbot: QtBot, dark: theme.Theme, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages, "FIRST_S", -1.0)
    monkeypatch.setattr(pages, "SLICE_S", 1e-9)
    session_id = long_session(world, 3_000)
    store = world.services.sessions
    widget = SessionViewer(lambda: read_session(store, session_id), session_id, world.operations)
    qtbot.addWidget(widget)
    widget.show()
    qtbot.waitUntil(lambda: bool(widget.messages.views), timeout=WAIT_MS)
    widget.dispose()
    qtbot.waitUntil(lambda: not world.operations.pending, timeout=WAIT_MS)
    assert not widget.reader.is_indexed
