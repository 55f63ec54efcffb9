"""What a person saw go wrong around sessions in the window: keys, focus, titles, cut buttons, lists that did not follow a setting."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta
from functools import partial
from itertools import pairwise
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QLineEdit, QListWidget, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.sessions.context import body_of, frame
from desktop.sessions.trash import TrashedSession
from desktop.ui import theme
from desktop.ui.chat.body import TextView
from desktop.ui.chat.branch_switcher import BranchSwitcher, keyboard_step
from desktop.ui.chat.context_card import ContextCard
from desktop.ui.chat.entry_views import VersionsRow
from desktop.ui.chat.message_views import UserView
from desktop.ui.chat.reference_text import LinkedText
from desktop.ui.sessions.dialogs import ReadIntoDialog
from desktop.ui.sessions.facts import facts_of, preview_text, title_text
from desktop.ui.sessions.filtering import joined
from desktop.ui.sessions.find_bar import FindBar
from desktop.ui.sessions.picker import SessionPicker
from desktop.ui.sessions.trash_view import FACTS, TrashView
from desktop.ui.sessions.view import SessionsView
from desktop.ui.sessions.viewer import SessionViewer, read_session
from tests.ui.chat_world import ChatWorld
from tests.ui.memory_world import World, made_world
from tests.ui.search_world import add, say_all
from tests.ui.test_session_list import NOW, made, model_of, rows
from tests.ui.test_session_pages import Viewer
from tests.ui.test_sessions_part import Shown
from tests.ui.test_settings_page import Page

Key = Qt.Key
ULID = "01m652fgf3f59vwmy3wa81zfpe"


@pytest.fixture
def window(qtbot: QtBot, dark: theme.Theme) -> Iterator[QMainWindow]:
    shown = QMainWindow()
    qtbot.addWidget(shown)
    shown.resize(900, 700)
    shown.show()
    yield shown


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made_one:
        yield made_one


@pytest.fixture
def shown(tmp_path: Path, operations: Operations, qtbot: QtBot, dark: theme.Theme) -> Iterator[Shown]:
    with made_world(tmp_path, operations) as made_one:
        part = Shown(made_one, qtbot)
        yield part
        part.close()


@pytest.fixture
def page(world: World, qtbot: QtBot) -> Iterator[Page]:
    made_one = Page(world, qtbot)
    yield made_one
    made_one.close()


def says(viewer: Viewer, *texts: str) -> bool:
    return viewer.texts() == list(texts)


def is_at(chat: ChatWorld, position: int) -> bool:
    return [row.switcher.position for row in chat.views(VersionsRow)] == [position]


# --- versions by keys ---------------------------------------------------------------------------------------------------


def test_left_and_right_step_through_all_versions_whichever_arrow_has_the_keyboard(window: QMainWindow) -> None:
    switcher = BranchSwitcher(window)
    window.setCentralWidget(switcher)
    ids = ("a", "b", "c", "d")
    at = [2]

    def show(wanted: str) -> None:
        at[0] = ids.index(wanted) + 1
        switcher.set_position(at[0], len(ids), ids)

    switcher.branch_requested.connect(show)
    switcher.set_position(2, 4, ids)
    switcher.take_focus()
    for key, where in ((Key.Key_Right, 3), (Key.Key_Right, 4), (Key.Key_Right, 4), (Key.Key_Left, 3), (Key.Key_Left, 2), (Key.Key_Left, 1)):
        QTest.keyClick(window.focusWidget(), key)
        assert at[0] == where and keyboard_step(window.focusWidget()), "the keyboard never leaves the arrows"
    switcher.take_focus(1)
    for where in (2, 3, 4):
        QTest.keyClick(window.focusWidget(), Key.Key_Return)
        assert at[0] == where, "Return goes on in the direction of its arrow"


def test_the_view_steps_on_in_the_same_direction_by_return(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "question"), ("assistant", "answer 1")])
    for number in (2, 3, 4):
        add(handle, "assistant", f"answer {number}", parent=handle.messages[0].id)
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    row = next(one for one in viewer.widget.messages.views if isinstance(one, VersionsRow))
    row.switcher.take_focus(-1)
    for text in ("answer 3", "answer 2", "answer 1"):
        QTest.keyClick(viewer.widget.window().focusWidget(), Key.Key_Return)
        viewer.until(partial(says, viewer, "question", text))
    for text in ("answer 2", "answer 3"):
        QTest.keyClick(viewer.widget.window().focusWidget(), Key.Key_Right)
        viewer.until(partial(says, viewer, "question", text))
    viewer.settle()
    viewer.close()


def test_the_keyboard_stays_at_the_versions_in_the_chat(qtbot: QtBot, tmp_path: Path) -> None:
    chat = ChatWorld(qtbot, tmp_path, Operations(), *({"text": one} for one in ("a", "b", "c")))
    chat.open()
    chat.turn("question")
    for _ in range(2):
        with qtbot.waitSignal(chat.controller.turn_ended, timeout=20_000):
            chat.pane.branches.act_on_current("retry")
    chat.until(lambda: [row.switcher.position for row in chat.views(VersionsRow)] == [3], "three versions")
    chat.views(VersionsRow)[0].switcher.take_focus()
    for key, position in ((Key.Key_Left, 2), (Key.Key_Return, 1), (Key.Key_Right, 2), (Key.Key_Return, 3)):
        QTest.keyClick(chat.pane.window().focusWidget(), key)
        chat.until(partial(is_at, chat, position), f"version {position}")
        assert keyboard_step(chat.pane.window().focusWidget()), "the keyboard is at the versions still"
    chat.close()


def test_rewinding_without_a_chosen_message_takes_the_last_question_back(qtbot: QtBot, tmp_path: Path) -> None:
    chat = ChatWorld(qtbot, tmp_path, Operations(), {"text": "a"}, {"text": "b"})
    chat.open()
    chat.turn("one")
    chat.turn("two")
    told: list[str] = []
    chat.pane.branches.told.connect(told.append)
    chat.pane.branches.act("rewind", chat.controller.messages[-1].id)
    before = len(chat.controller.messages)
    assert len(told) == 1 and before == 4, "at the end there is nothing to take back, and that is said"
    assert chat.pane.branches.act_on_current("rewind")
    chat.until(lambda: chat.pane.composer.text == "two", "the question in the composer")
    assert len(chat.controller.messages) == 2
    chat.close()


# --- titles and texts ------------------------------------------------------------------------------------------------------


def test_an_id_is_no_title() -> None:
    session = made(7)
    assert title_text(session) == "Session 7"
    for raw in (session.id, session.path.stem, f"ses_{ULID}", "0199aaaa-0000-7000-8000-000000000001"):
        assert title_text(replace(session, title=raw)) == "Untitled session"
    assert title_text(replace(session, title="rename_photo_to_picture_everywhere_2")) == "rename_photo_to_picture_everywhere_2"
    row = rows(model_of(replace(session, title=session.id)))[0]
    assert row.title == "Untitled session" and row.line.text == "Untitled session"


def test_a_preview_has_no_marks_of_markdown() -> None:
    session = made(1, preview="# Done: **bold** 这是**总结**。 ```python print('好') ``` `code` [link](https://x.y/z) 2 * 3 and a_b_c #7")
    assert preview_text(session) == "Done: bold 这是总结。 print('好') code link 2 * 3 and a_b_c #7"
    assert preview_text(replace(session, preview=session.title)) == ""


def test_the_branch_of_the_opened_folder_comes_last() -> None:
    session = made(1, branch="main", messages=12, size=2_000)
    assert facts_of(session, here=True).endswith("branch main") and facts_of(session).startswith("app (main)")


def test_what_was_typed_is_marked_whole_where_it_stands_in_what_was_found() -> None:
    assert joined([(4, 7), (0, 2), (2, 5)]) == ((0, 7),) and joined([(0, 1), (3, 4)]) == ((0, 1), (3, 4))
    model = model_of(made(1))
    model.set_filter("降到七十二")
    model.set_content({made(1).id: ("质量降到七十二", ((4, 7),))})
    assert rows(model)[0].text.marks == ((2, 7),)


def test_a_message_shows_titles_of_the_sessions_that_it_names_and_copies_their_ids(window: QMainWindow) -> None:
    text = f"比较 #sess_{ULID}:2 与 #sess_{'0' * 26} <b>\nnext"
    linked = LinkedText(text, lambda session: "整理 <参数>" if session.endswith(ULID) else "")
    assert "整理 &lt;参数&gt;:2</a>" in linked.html() and "&lt;b&gt;" in linked.html()
    view = UserView(window, text, title_of=lambda session: "整理" if session.endswith(ULID) else "")
    asked: list[tuple[str, int]] = []
    view.session_requested.connect(lambda session, at: asked.append((session, at)))
    drawn = view.findChildren(TextView)[0]
    assert drawn.toPlainText() == f"比较 #整理:2 与 #sess_{'0' * 26} <b>\nnext"
    drawn.selectAll()
    assert drawn.createMimeDataFromSelection().text() == text
    drawn.relative_link_requested.emit(f"#sess_{ULID}:2")
    assert asked == [(f"sess_{ULID}", 2)]
    assert view.message_text() == text


def test_the_answer_of_a_reading_is_seen_at_once_without_its_frame(window: QMainWindow) -> None:
    text = frame("七十二 [2].", session_id=f"sess_{ULID}", nonce="c08e643baa7b284f")
    assert body_of(text) == "七十二 [2]." and body_of("no frame") == ""
    data = {"session": f"sess_{ULID}", "query": "?", "source": "lite", "citations": [{"message": 2, "role": "user"}]}
    card = ContextCard(window, text, data, "A title")
    assert card.answer.text == "七十二 [2]." and not card.row.is_open
    assert not hasattr(ContextCard(window, text, {**data, "source": "local"}, "A title"), "answer"), "passages are no answer"


# --- lists and dialogs -------------------------------------------------------------------------------------------------------


def test_the_picker_says_what_can_be_done_and_cuts_no_button(window: QMainWindow) -> None:
    picker = SessionPicker(window)
    picker.set_sessions([made(1, source="claude-code"), made(2)], NOW)
    picker.popup()
    assert picker.resume_button.text() == "Continue in Keepsake" and not picker.buttons[3].isEnabled()
    QTest.keyClick(picker.line, Key.Key_Down)
    assert picker.resume_button.text() == "Resume" and all(button.isEnabled() for button in picker.buttons)
    counts = []
    for width in (900, 520, 360, 300):
        window.resize(width, 600)
        QTest.qWait(0)
        seen = [button for button in picker.buttons if button.isVisible()]
        assert seen and all(button.width() >= button.sizeHint().width() for button in seen), width
        counts.append(len(seen))
    assert counts == sorted(counts, reverse=True) and counts[-1] < counts[0], "what found no room is in the menu"


def test_a_row_that_goes_leaves_its_place_to_the_next(window: QMainWindow) -> None:
    view = SessionsView(window)
    window.setCentralWidget(view)
    sessions = [made(number, days=number) for number in range(5)]
    view.set_sessions(sessions, NOW)
    view.list.choose(2)
    view.set_sessions([*sessions[:2], *sessions[3:]], NOW)
    assert view.list.chosen() == sessions[3]
    view.set_sessions(sessions[:2], NOW)
    assert view.list.chosen() == sessions[1], "behind the last there is the last"


def test_what_is_unfolded_comes_into_view(window: QMainWindow, qtbot: QtBot) -> None:
    view = SessionsView(window)
    window.setCentralWidget(view)
    others = [made(number, days=number) for number in range(30)]
    children = [made(100 + number, kind="sub-agent", parent=others[9].id, days=20) for number in range(3)]
    view.set_sessions([*others, *children], NOW)
    qtbot.waitUntil(lambda: view.list.viewport().height() > 300)
    view.list.choose(9)
    view.list.scrollTo(view.list.currentIndex(), view.list.ScrollHint.PositionAtBottom)
    QTest.keyClick(view.list, Key.Key_Right)
    port = view.list.viewport().rect()
    assert view.list.chosen() == others[9]
    seen = [view.list.visualRect(view.model.index(row)) for row in (9, 10, 11, 12)]
    assert all(port.top() <= rect.top() and rect.bottom() <= port.bottom() for rect in seen), (port, seen)


def test_an_empty_list_or_trash_leaves_its_head_at_the_top(window: QMainWindow) -> None:
    view = SessionsView(window)
    window.setCentralWidget(view)
    view.set_sessions([], NOW)
    view.show_trash()
    QTest.qWait(0)
    assert view.trash.back_button.mapTo(view, view.trash.back_button.rect().topLeft()).y() < 60
    view.show_list()
    QTest.qWait(0)
    assert view.line.mapTo(view, view.line.rect().topLeft()).y() < 60


def test_the_trash_takes_the_keyboard_once_it_is_read_and_names_folders(window: QMainWindow) -> None:
    trash = TrashView(window)
    window.setCentralWidget(trash)
    trash.set_focus()
    key = "photo-archive-5d0e1d0222778f95"
    entries = [
        TrashedSession("sess_1", "sess_1", NOW, Path("/t/1"), key, Path("/x"), 10),
        TrashedSession("sess_2", "Two", NOW - timedelta(minutes=5), Path("/t/2"), key, Path("/x"), 10),
    ]
    trash.set_entries(entries, NOW)
    assert isinstance(window.focusWidget(), QListWidget), "the list has the keyboard, not the way back"
    first, second = trash.list.item(0), trash.list.item(1)
    assert "deleted just now" in first.data(FACTS) and "5 min ago" in second.data(FACTS)
    assert first.data(FACTS).endswith("photo-archive") and first.text() == "Untitled session"


def test_return_asks_the_question_as_it_sends_a_message(window: QMainWindow) -> None:
    dialog = ReadIntoDialog(window, f"sess_{ULID}", "A title")
    read: list[str] = []
    dialog.read_requested.connect(lambda _session, query, _strategy, _tokens: read.append(query))
    dialog.open()
    QTest.keyClick(dialog.query, Key.Key_Return)
    assert read == [] and dialog.query.toPlainText() == "", "there is no question yet, and no new line in place of it"
    QTest.keyClicks(dialog.query, "which")
    QTest.keyClick(dialog.query, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(dialog.query, "port?")
    assert read == [] and dialog.query.toPlainText() == "which\nport?"
    QTest.keyClick(dialog.query, Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert read == ["which\nport?"] and not dialog.isVisible()


def test_a_question_is_sent_by_control_and_return(window: QMainWindow, qtbot: QtBot) -> None:
    dialog = ReadIntoDialog(window, f"sess_{ULID}", "A title")
    read: list[str] = []
    dialog.read_requested.connect(lambda _session, query, _strategy, _tokens: read.append(query))
    dialog.open()
    QTest.keyClick(dialog.query, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert read == [], "there is no question yet"
    dialog.query.setPlainText("which port?")
    qtbot.waitUntil(lambda: dialog.query.hasFocus() or not dialog.isActiveWindow())
    dialog.read_button.click() if not dialog.isActiveWindow() else QTest.keyClick(
        dialog.query, Key.Key_Return, Qt.KeyboardModifier.ControlModifier
    )
    assert read == ["which port?"]


def test_the_parts_of_the_find_bar_do_not_lie_on_each_other(window: QMainWindow) -> None:
    holder = QWidget(window)
    window.setCentralWidget(holder)
    bar = FindBar(holder)
    bar.set_total(123_456)
    bar.begin()
    for width in (640, 300, 240):
        bar.setGeometry(0, 0, width, 40)
        QTest.qWait(0)
        parts = [bar.box, bar.previous, bar.next, bar.number, bar.close_button]
        assert all(left.geometry().right() < right.geometry().left() for left, right in pairwise(parts)), width
        assert bar.close_button.geometry().right() <= width


def test_the_head_of_a_narrow_session_keeps_title_source_and_button_whole(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    handle = say_all(world, [("user", "a rather long title for such a narrow tab"), ("assistant", "yes")])
    handle.close()
    viewer = Viewer(world, qtbot, handle.id)
    viewer.widget.badge.setText("Claude Code")
    viewer.widget.badge.show()
    viewer.widget.resume.setText("Continue in Keepsake")
    viewer.widget.resize(260, 500)
    viewer.settle()
    for part in (viewer.widget.badge, viewer.widget.resume):
        assert part.width() >= part.sizeHint().width()
    assert viewer.widget.title.width() > 60 and viewer.widget.facts.text().startswith("read only")
    viewer.close()


def test_switching_other_tools_off_and_on_is_followed_at_once(shown: Shown) -> None:
    session = shown.add("ours")
    shown.shows("ours")
    reread: list[int] = []
    shown.part.controller.sessions_changed.connect(lambda found: reread.append(len(found)))
    shown.part.controller.look_again()
    shown.until(lambda: reread)
    assert shown.part.controller._scanning.isActive(), "and they are looked for again"
    assert shown.part.controller.title_of(session) == "ours"


def test_a_fork_from_the_list_bears_the_words_of_the_window(shown: Shown) -> None:
    source = shown.add("one 一", "yes")
    shown.shows("one 一")
    resumed: list[str] = []
    shown.part.resume_requested.connect(resumed.append)
    shown.part.controller.tr = lambda text: "（分支）" if text == "(fork)" else text  # type: ignore[method-assign,misc,assignment]
    shown.part.controller.fork(source)
    shown.until(lambda: resumed)
    assert shown.summary(resumed[0]).title == "one 一 （分支）"


def test_the_number_of_tokens_stands_off_its_frame(window: QMainWindow) -> None:
    line = ReadIntoDialog(window, "sess_1", "t").tokens.findChild(QLineEdit)
    assert line is not None and line.textMargins().left() > 0


# --- what belongs together over several parts ---------------------------------------------------------------------------------


def test_a_conversation_that_begins_with_a_reading_is_a_stored_one(qtbot: QtBot, tmp_path: Path) -> None:
    chat = ChatWorld(qtbot, tmp_path, Operations(), {"text": "bun is the package manager"})
    chat.open()
    chat.turn("Which tool?")
    source = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", source), "a new conversation")
    shown: list[str] = []
    chat.controller.session_shown.connect(shown.append)
    chat.controller.read_into(source, "package manager", "relevant", 2_000)
    chat.until(lambda: shown == [chat.controller.session_id], "that it is on disk now")
    chat.close()


def test_a_category_that_is_asked_for_stays_in_view_while_what_is_above_it_is_filled(page: Page) -> None:
    widget = page.widget
    widget.show_category("sessions")
    bar = widget.area.verticalScrollBar()
    QTest.qWait(0)
    for more in (300, 700):
        widget.models.setMinimumHeight(widget.models.height() + more)
        page.qtbot.waitUntil(lambda: bar.value() == widget._headings["sessions"].y(), timeout=5_000)
    bar.setValue(bar.value() - 200)
    here = bar.value()
    widget.models.setMinimumHeight(widget.models.height() + 100)
    QTest.qWait(0)
    assert bar.value() <= here + 1, "who scrolled is left in peace"


def test_opened_and_closed_sessions_leave_no_widget_behind(shown: Shown) -> None:
    session = shown.add("one", "two")
    shown.shows("one")
    store = shown.world.services.sessions

    def round_trip() -> None:
        for number in range(5):
            key = f"session:{number}"
            shown.bench.editors.open(
                key, "Session", lambda: SessionViewer(partial(read_session, store, session), session, shown.world.operations)
            )
            viewer = shown.bench.editors.widget(key)
            assert isinstance(viewer, SessionViewer)
            shown.until(partial(getattr, viewer.reader, "is_indexed"))
            shown.bench.editors.close(key)
        shown.until(lambda: shown.world.operations.pending == 0)
        QCoreApplication.sendPostedEvents(None, QEvent.Type.DeferredDelete.value)

    round_trip()
    before = len(QApplication.allWidgets())
    round_trip()
    shown.until(lambda: not any(isinstance(one, SessionViewer) for one in QApplication.allWidgets()))
    assert len(QApplication.allWidgets()) <= before
