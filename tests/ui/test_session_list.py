"""The session list: what its rows say, groups and pins, archive, sub-agents, other tools' sessions, content, drag, menus and trash."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QEvent, QPoint, QPointF, Qt
from PySide6.QtGui import QAction, QMouseEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow, QMenu
from pytestqt.qtbot import QtBot

from desktop.sessions.summary import SessionSummary
from desktop.sessions.trash import TrashedSession
from desktop.ui import theme
from desktop.ui.sessions.facts import cost_text, count_text, facts_of, place_text, source_name, tip_of
from desktop.ui.sessions.filtering import BY_WORKSPACE, Haystacks, ListOptions, marks_in, words_of
from desktop.ui.sessions.model import MIME, ROW, Row, SessionsModel
from desktop.ui.sessions.picker import SessionPicker
from desktop.ui.sessions.session_list import SessionList
from desktop.ui.sessions.view import SessionsView
from desktop.ui.window_state import WindowState, from_json, to_json

Key = Qt.Key
NOW = datetime(2026, 3, 18, 12, 0, tzinfo=UTC)


def made(number: int, title: str = "", *, days: float = 0.0, workspace: str = "/srv/app", **more: Any) -> SessionSummary:
    moment = NOW - timedelta(days=days)
    name = f"sess_{number:026d}"
    base = SessionSummary(name, title or f"Session {number}", workspace, f"key-{workspace}", "keepsake", moment, moment, 4, "m", 10, "done",
                          Path(f"/s/{name}.jsonl"))  # fmt: skip
    return replace(base, **more)


def model_of(*sessions: SessionSummary, here: str = "", options: ListOptions | None = None) -> SessionsModel:
    model = SessionsModel()
    model.set_options(options or ListOptions())
    model.set_here([f"key-{here}"] if here else [])
    model.set_sessions(sessions, NOW)
    return model


def rows(model: SessionsModel) -> list[Row]:
    return [model.index(row).data(ROW) for row in range(model.rowCount())]


def numbers(model: SessionsModel) -> list[int]:
    return [int(row.session.id[-4:]) for row in rows(model)]


@pytest.fixture
def window(qtbot: QtBot, dark: theme.Theme) -> Iterator[QMainWindow]:
    shown = QMainWindow()
    qtbot.addWidget(shown)
    shown.resize(900, 700)
    shown.show()
    shown.activateWindow()
    yield shown


# --- words ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("count", "text"),
    [(0, "0"), (999, "999"), (1_000, "1k"), (1_234, "1.2k"), (99_940, "99.9k"), (99_960, "100k"), (123_456, "123k"), (999_960, "1M"),
     (1_250_000, "1.2M"), (12_000_000, "12M")],
)  # fmt: skip
def test_numbers_are_said_shortly(count: int, text: str) -> None:
    assert count_text(count) == text


def test_money_is_said_where_it_is_known() -> None:
    assert [cost_text(cost) for cost in (None, 0.0, 0.001, 0.126, 1234.5)] == ["", "", "< $0.01", "$0.13", "$1,234.50"]


def test_a_row_says_all_its_facts() -> None:
    session = made(1, state="failed", model="m-1", messages=12, tokens=34_000, cost_usd=0.2, size=2_500_000, branch="main")
    assert facts_of(session, sub_agents=3) == "failed · 3 sub-agents · app (main) · m-1 · 12 messages · 34k tokens · $0.20 · 2.4 MB"
    assert place_text(session, here=True) == "branch main" and place_text(made(1), here=True) == ""
    assert "1 message " in facts_of(made(1, messages=1)) + " " and "1 sub-agent " in facts_of(session, sub_agents=1)
    large = made(1, messages=0, tokens=0, counted=False, size=100_000_000)
    assert "messages not counted · 95.4 MB" in facts_of(large) and "messages not counted" in tip_of(large)
    tip = tip_of(made(1, "T", preview="P\u202e", source="codex", damaged=2))
    assert "Codex" in tip and "/srv/app" in tip and "cannot be read: 2" in tip and "\u202e" not in tip
    assert [source_name(name) for name in ("claude-code", "keepsake", "my_tool", "")] == [
        "Claude Code",
        "Keepsake",
        "my tool",
        "another tool",
    ]


# --- groups, pins, archive, workspaces --------------------------------------------------------------------------------


def test_pins_stand_on_top_and_the_others_by_day() -> None:
    model = model_of(made(1), made(2, days=1), made(3, days=2, pinned=True), made(4, days=20), made(5, days=300, pinned=True))
    assert numbers(model) == [3, 5, 1, 2, 4]
    assert [row.group for row in rows(model)] == ["pinned", "", "today", "yesterday", "last 31 days"]


def test_groups_by_workspace_name_it_and_the_folder_above_where_two_are_alike() -> None:
    sessions = (
        made(1, workspace="/a/app"),
        made(2, days=1, workspace="/b/app"),
        made(3, days=2, workspace="/a/app"),
        made(4, workspace="/c"),
    )
    model = model_of(*sessions, options=ListOptions(group=BY_WORKSPACE))
    assert numbers(model) == [1, 3, 2, 4]
    assert [row.group for row in rows(model)] == ["app — /a", "", "app — /b", "c"]


def test_archived_sessions_are_hidden_until_they_are_asked_for() -> None:
    model = model_of(made(1), made(2, archived=True), made(3))
    assert numbers(model) == [1, 3] and model.left_out == 1
    model.set_filter("Session 2")
    assert numbers(model) == []
    model.set_filter("")
    model.set_options(ListOptions(archived=True))
    assert numbers(model) == [1, 2, 3] and "archived" in rows(model)[1].facts


def test_other_workspaces_are_labelled_and_may_be_left_out() -> None:
    model = model_of(made(1), made(2, workspace="/srv/other"), here="/srv/app")
    assert "app" not in rows(model)[0].facts and "other" in rows(model)[1].facts
    model.set_options(ListOptions(everywhere=False))
    assert numbers(model) == [1]
    model.set_here([])
    assert numbers(model) == [1, 2], "without a folder there is no other workspace"


def test_other_tools_are_named_and_ours_only_beside_them() -> None:
    assert [row.badge for row in rows(model_of(made(1)))] == [""]
    model = model_of(made(1), made(2, source="claude-code"))
    assert [row.badge for row in rows(model)] == ["Keepsake", "Claude Code"]
    assert "Claude Code" in model.index(1).data(Qt.ItemDataRole.AccessibleTextRole)


def test_opening_another_session_moves_nothing() -> None:
    sessions = [made(n, days=n) for n in range(5)]
    model = model_of(*sessions)
    before = numbers(model)
    model.set_sessions(sessions, NOW, sessions[3].id)
    assert numbers(model) == before and [row.current for row in rows(model)].index(True) == 3


# --- sub-agents -------------------------------------------------------------------------------------------------------


def agent(number: int, parent: int, **more: Any) -> SessionSummary:
    return made(number, kind="sub-agent", parent=f"sess_{parent:026d}", **more)


def test_sub_agents_are_folded_below_their_session_with_an_honest_count() -> None:
    model = model_of(made(1), agent(11, 1), agent(12, 1), made(2), agent(13, 1, archived=True), agent(21, 99))
    assert numbers(model) == [1, 2, 21], "one whose session is not there stands for itself"
    first = rows(model)[0]
    assert first.sub_agents == 2 and "2 sub-agents" in first.facts and "sub-agent" in rows(model)[2].facts
    assert model.toggle(0)
    assert numbers(model) == [1, 11, 12, 2, 21] and [row.child for row in rows(model)] == [False, True, True, False, False]
    assert not model.toggle(3), "a session without any has nothing to show"
    assert model.toggle(0, False) and not model.toggle(0, False)
    assert numbers(model) == [1, 2, 21]


def test_a_filter_finds_sub_agents_by_themselves() -> None:
    model = model_of(made(1), agent(11, 1, title="Look for callers"), made(2))
    model.set_filter("callers")
    assert numbers(model) == [11] and not rows(model)[0].child
    model.set_filter("")
    assert numbers(model) == [1, 2]


def test_sub_agents_that_name_each_other_do_not_vanish() -> None:
    model = model_of(agent(1, 2), agent(2, 1), agent(3, 3), agent(4, 1))
    assert sorted(numbers(model)) == [1, 2, 3, 4]


def test_sub_agents_of_an_archived_session_go_with_it_or_stand_alone() -> None:
    model = model_of(made(1, archived=True), agent(11, 1))
    assert numbers(model) == [11]
    model.set_options(ListOptions(archived=True))
    assert numbers(model) == [1]


def test_the_keys_and_the_arrow_fold(window: QMainWindow, qtbot: QtBot) -> None:
    view = SessionsView(window)
    window.setCentralWidget(view)
    view.set_sessions([made(1), agent(11, 1), made(2)], NOW)
    view.list.choose(0)
    view.list.setFocus()
    QTest.keyClick(view.list, Key.Key_Right)
    assert view.model.rowCount() == 3 and view.list.currentIndex().row() == 0
    view.list.choose(1)
    QTest.keyClick(view.list, Key.Key_Left)
    assert view.list.currentIndex().row() == 0, "from a sub-agent to its session"
    QTest.keyClick(view.list, Key.Key_Left)
    assert view.model.rowCount() == 2
    area = view.list.visualRect(view.model.index(0))
    QTest.mouseClick(view.list.viewport(), Qt.MouseButton.LeftButton, pos=QPoint(area.left() + 16, area.bottom() - 8))
    assert view.model.rowCount() == 3


# --- filter -----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("會話", [1]),
        ("会话", [1]),
        ("ＡＰＩ", [2]),
        ("api 接口", [2]),
        ("#sess_00000000000000000000000003", [3]),
        ("codex", [3]),
        ("feature", [2]),
    ],
)
def test_the_filter_folds_width_case_and_script(text: str, found: list[int]) -> None:
    model = model_of(made(1, "整理会话列表"), made(2, "API 接口", branch="feature/x"), made(3, source="codex"))
    model.set_filter(text)
    assert numbers(model) == found


def test_words_are_marked_in_the_title() -> None:
    model = model_of(made(1, "修一下登录页的跳转"))
    model.set_filter("登录 跳转")
    assert rows(model)[0].line.marks == ((3, 5), (7, 9))
    assert marks_in("Straße", words_of("strasse")) == (), "a folding that moves characters marks nothing rather than something else"


def test_what_is_found_inside_comes_behind_what_the_titles_gave() -> None:
    model = model_of(*(made(n, title, days=n, preview="…") for n, title in enumerate(("port one", "two", "three", "port four", "five"))))
    model.set_filter("port")
    assert numbers(model) == [0, 3]
    model.set_content(
        {"sess_" + f"{4:026d}": ("the port is 5433", ((4, 8),)), "sess_" + f"{1:026d}": ("端口", ()), "sess_unknown": ("x", ())}
    )
    assert numbers(model) == [0, 3, 4, 1], "best first, and nothing that was shown has moved"
    assert (
        rows(model)[2].group == "found inside" and rows(model)[2].text.text == "the port is 5433" and rows(model)[2].text.marks == ((4, 8),)
    )
    model.set_filter("port f")
    assert numbers(model) == [3]
    assert all(row.group != "found inside" for row in rows(model)), "an answer to another text is not kept"


def test_an_answer_to_an_older_text_is_dropped(window: QMainWindow) -> None:
    view = SessionsView(window)
    view.set_sessions([made(1), made(2)], NOW)
    view.line.setText("port")
    view.set_content("por", {made(1).id: ("port", ())})
    assert view.model.rowCount() == 0
    view.set_content("port", {made(1).id: ("port", ())})
    assert view.model.rowCount() == 1


def test_the_chosen_row_stays_when_more_is_found(window: QMainWindow) -> None:
    picker = SessionPicker(window)
    picker.set_sessions([made(1, "port"), made(2, "port"), made(3)], NOW)
    picker.popup()
    picker.line.setText("port")
    picker.list.choose(1)
    picker.set_content("port", {made(3).id: ("port", ())})
    chosen = picker.list.chosen()
    assert picker.model.rowCount() == 3 and chosen is not None and chosen.id == made(2).id
    picker.dismiss()


def test_folded_texts_are_made_once_for_each_session() -> None:
    texts = Haystacks()
    first = [made(n) for n in range(50)]
    texts.of(first)
    known = dict(texts.known)
    changed = [*first[:49], made(49, "Another title")]
    assert "another title" in texts.of(changed)[49]
    assert all(texts.known[one.id] is known[one.id] for one in first[:49])
    assert len(texts.of(first[:3])) == 3 and len(texts.known) == 3


# --- menus, keys, drag ------------------------------------------------------------------------------------------------


def texts_of(menu: QMenu) -> list[str]:
    return [action.text() for action in menu.actions() if not action.isSeparator()]


def action_of(menu: QMenu, text: str) -> QAction:
    return next(action for action in menu.actions() if action.text() == text)


@pytest.fixture
def view(window: QMainWindow) -> SessionsView:
    shown = SessionsView(window)
    window.setCentralWidget(shown)
    shown.set_sessions([made(1), made(2, source="codex"), made(3, pinned=True, archived=True)], NOW)
    shown.set_options(ListOptions(archived=True))
    return shown


def test_everything_can_be_done_from_the_menu(view: SessionsView) -> None:
    told: list[tuple[object, ...]] = []
    for name in ("resume", "open", "read", "fork", "rename", "reveal", "trash", "mark", "export"):
        getattr(view, f"{name}_requested").connect(lambda *values, kind=name: told.append((kind, *values)))
    view.list.choose_session(made(1).id)
    menu = view.list.menu_for_chosen()
    for action in menu.actions():
        if action.menu() is None and not action.isSeparator():
            action.trigger()
    for action in action_of(menu, "Export").menu().actions():  # type: ignore[attr-defined]
        action.trigger()
    one = made(1).id
    assert told == [
        ("resume", one), ("open", one), ("read", one), ("fork", one), ("rename", one), ("mark", one, "pinned", True),
        ("mark", one, "archived", True), ("reveal", one), ("trash", one), ("export", one, "md"), ("export", one, "json"),
    ]  # fmt: skip


def test_the_menu_says_what_would_be_undone(view: SessionsView) -> None:
    view.list.choose_session(made(3).id)
    texts = texts_of(view.list.menu_for_chosen())
    assert "Unpin" in texts and "Unarchive" in texts


def test_a_session_of_another_tool_is_only_read(view: SessionsView) -> None:
    view.list.choose_session(made(2).id)
    texts = texts_of(view.list.menu_for_chosen())
    assert texts[0] == "Continue in Keepsake"
    assert not {"Fork", "Rename…", "Pin", "Archive", "Move to Trash"} & set(texts)
    assert {"Open Read-Only", "Read into Chat…", "Export", "Copy Reference"} <= set(texts)
    told: list[object] = []
    for name in ("rename", "trash", "fork", "mark"):
        getattr(view, f"{name}_requested").connect(lambda *values: told.append(values))
    for press in (view.list.rename, view.list.trash, view.list.fork, view.list.pin, view.list.archive):
        press()
    assert told == []


def test_the_keys_of_the_list(view: SessionsView) -> None:
    told: list[str] = []
    for name in ("resume", "open", "read", "rename", "trash"):
        getattr(view, f"{name}_requested").connect(lambda _id, kind=name: told.append(kind))
    view.list.choose_session(made(1).id)
    view.list.setFocus()
    for key, modifier in (
        (Key.Key_Return, Qt.KeyboardModifier.NoModifier),
        (Key.Key_Return, Qt.KeyboardModifier.ShiftModifier),
        (Key.Key_Return, Qt.KeyboardModifier.ControlModifier),
        (Key.Key_F2, Qt.KeyboardModifier.NoModifier),
        (Key.Key_Delete, Qt.KeyboardModifier.NoModifier),
    ):
        QTest.keyClick(view.list, key, modifier)
    assert told == ["resume", "open", "read", "rename", "trash"]


def test_a_dragged_row_carries_its_reference(view: SessionsView) -> None:
    data = view.model.mimeData([view.model.index(view.model.row_of(made(1).id))])
    assert bytes(data.data(MIME).data()).decode() == made(1).id and data.text() == f"#{made(1).id}"
    assert MIME in view.model.mimeTypes() and view.list.dragEnabled()
    assert view.model.flags(view.model.index(0)) & Qt.ItemFlag.ItemIsDragEnabled


def test_options_change_both_ways(view: SessionsView) -> None:
    chosen: list[ListOptions] = []
    view.options.options_chosen.connect(chosen.append)
    menu = view.options.menu()
    assert action_of(menu, "Group by Day").isChecked() and action_of(menu, "Show Archived").isChecked()
    action_of(menu, "Group by Workspace").trigger()
    action_of(menu, "Only This Workspace").trigger()
    assert chosen[-1] == ListOptions(group=BY_WORKSPACE, archived=True, everywhere=False)
    assert not action_of(view.options.menu(folder_open=False), "Only This Workspace").isEnabled()


def test_an_empty_list_says_why(view: SessionsView) -> None:
    def said() -> str:
        assert not view.list.isVisible() and view._none.isVisible()
        return view._none.text()

    view.line.setText("no such thing")
    assert said() == "Nothing matches"
    view.line.clear()
    view.set_options(ListOptions())
    view.set_sessions([made(3, archived=True)], NOW)
    assert "archived" in said()
    view.set_sessions([], NOW)
    assert "No sessions yet" in said()


def test_every_control_has_a_name_and_can_be_reached(window: QMainWindow, view: SessionsView) -> None:
    picker = SessionPicker(window)
    picker.set_sessions([made(1)], NOW)
    picker.popup()
    for widget in (view.line, view.list, view.options_button, view.trash.list, view.trash.back_button, picker.line, picker.more_button,
                   picker.options_button):  # fmt: skip
        assert widget.accessibleName()
    for button in (picker.more_button, picker.options_button, view.options_button, view.trash.back_button):
        assert button.focusPolicy() & Qt.FocusPolicy.TabFocus
    picker.dismiss()


def test_buttons_of_the_picker_follow_the_session(window: QMainWindow) -> None:
    picker = SessionPicker(window)
    picker.set_sessions([made(1), made(2, source="codex")], NOW)
    picker.popup()
    assert [button.isEnabled() for button in picker.buttons] == [True] * 5
    picker.list.choose(1)
    assert [button.isEnabled() for button in picker.buttons] == [True, True, True, False, False]
    picker.dismiss()


def test_drawing_covers_every_kind_of_row(view: SessionsView) -> None:
    """Each row in both looks, narrow and wide: nothing raises, and something is drawn."""
    sessions = [
        made(1, state="failed"), made(2, source="codex", preview="x"), made(3, pinned=True, archived=True), agent(11, 1),
        made(4, state="damaged"), made(5, state="interrupted", branch="主"), made(6, "x" * 200, preview="长" * 200),
    ]  # fmt: skip
    view.set_sessions(sessions, NOW, made(1).id)
    view.model.toggle(view.model.row_of(made(1).id))
    for width in (120, 280, 700):
        view.resize(width, 600)
        picture = view.list.grab().toImage()
        assert len({picture.pixel(x, y) for x in range(0, picture.width(), 7) for y in range(0, picture.height(), 5)}) > 2


def test_a_press_beside_the_arrow_folds_nothing(view: SessionsView) -> None:
    view.set_sessions([made(1), agent(11, 1)], NOW)
    listed: SessionList = view.list
    area = listed.visualRect(view.model.index(0))
    at = QPointF(area.center())
    event = QMouseEvent(
        QEvent.Type.MouseButtonPress, at, at, Qt.MouseButton.LeftButton, Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    )
    listed.mousePressEvent(event)
    assert view.model.rowCount() == 1


# --- trash ------------------------------------------------------------------------------------------------------------


def trashed(number: int, title: str) -> TrashedSession:
    return TrashedSession(f"sess_{number}", title, NOW - timedelta(days=number), Path(f"/t/{number}.jsonl"), "app-0", Path("/x"), 2_000)


def test_the_trash_lists_what_is_in_it_and_gives_it_back(view: SessionsView, qtbot: QtBot) -> None:
    asked: list[TrashedSession] = []
    shown: list[bool] = []
    view.trash.restore_requested.connect(asked.append)
    view.trash_shown.connect(lambda: shown.append(True))
    view.show_trash()
    assert shown and view.shows_trash and not view.trash.restore_button.isEnabled()
    view.trash.set_entries([trashed(1, "Old plan 旧计划"), trashed(3, "Older\u202e")], NOW)
    spoken = view.trash.list.item(1).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "deleted 3 d ago" in spoken and "\u202e" not in spoken
    view.trash.list.setFocus()
    QTest.keyClick(view.trash.list, Key.Key_Down)
    QTest.keyClick(view.trash.list, Key.Key_Return)
    view.trash.list.setCurrentRow(0)
    view.trash.restore_button.click()
    assert [entry.title for entry in asked] == ["Older\u202e", "Old plan 旧计划"]
    QTest.keyClick(view.trash.list, Key.Key_Escape)
    assert not view.shows_trash


def test_an_empty_trash_says_so(view: SessionsView) -> None:
    view.show_trash()
    view.trash.set_entries([], NOW)
    assert view.trash._none.isVisible() and "empty" in view.trash._none.text() and not view.trash.list.isVisible()


@pytest.mark.parametrize("value", [None, [], {"group": 7, "archived": "yes", "everywhere": 0}, {"group": "nonsense"}])
def test_choices_of_a_broken_state_are_the_usual_ones(value: object) -> None:
    assert ListOptions.from_json(value) == ListOptions()


def test_choices_come_back_with_the_window() -> None:
    options = ListOptions(BY_WORKSPACE, archived=True, everywhere=False)
    stored = json.loads(json.dumps(to_json(WindowState(sessions=options))))
    assert from_json(stored).sessions == options
