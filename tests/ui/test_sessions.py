"""The session list, picker and dialogs over a real store."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QMainWindow
from pytestqt.qtbot import QtBot

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.session_trash import Trashed, restore, trash
from desktop.messages.parts import Message, TextPart
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import SessionSummary
from desktop.ui import theme
from desktop.ui.controllers.sessions_controller import SessionsController
from desktop.ui.sessions.dialogs import ReadIntoDialog, RenameDialog
from desktop.ui.sessions.model import ROW, RUNNING, WAITING, SessionsModel, day_group
from desktop.ui.sessions.picker import SessionPicker
from desktop.ui.sessions.view import SessionsView
from tests.helpers.agent import Desk
from tests.helpers.clock import FixedClock

Key = Qt.Key
NOW = datetime(2026, 3, 18, 12, 0, tzinfo=UTC)


def summary(n: int, title: str, *, age: timedelta = timedelta(), preview: str = "", state: str = "done") -> SessionSummary:
    moment = NOW - age
    name = f"sess_{n:026d}"
    return SessionSummary(name, title, "/srv/app", "app-0", "keepsake", moment, moment, 4, "embedded", 10, state, Path(name), preview)


SESSIONS = [
    summary(1, "Fix the login redirect", age=timedelta(minutes=5)),
    summary(2, "记住：提交信息都用中文写", age=timedelta(days=1), preview="好的"),
    summary(3, "Upgrade", age=timedelta(days=3), preview="包管理器是 bun", state="failed"),
    summary(4, "Old one\u202e", age=timedelta(days=400), state="interrupted"),
]


@pytest.fixture
def window(qtbot: QtBot, dark: theme.Theme) -> Iterator[QMainWindow]:
    made = QMainWindow()
    qtbot.addWidget(made)
    made.resize(900, 700)
    made.show()
    made.activateWindow()
    yield made


@pytest.fixture
def picker(window: QMainWindow, qtbot: QtBot) -> SessionPicker:
    made = SessionPicker(window)
    made.set_sessions(SESSIONS, NOW, SESSIONS[1].id)
    made.popup()
    qtbot.waitUntil(made.line.hasFocus)
    return made


# --- the list ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("", [1, 2, 3, 4]),
        ("login", [1]),
        ("LOGIN fix", [1]),
        ("中文", [2]),
        ("包管理", [3]),
        ("app", [1, 2, 3, 4]),
        ("nothing like it", []),
        (SESSIONS[2].id, [3]),
    ],
)
def test_the_filter_finds_words_chinese_and_ids(text: str, found: list[int]) -> None:
    model = SessionsModel()
    model.set_sessions(SESSIONS, NOW)
    model.set_filter(text)
    rows = [model.session_at(row) for row in range(model.rowCount())]
    assert [int(one.id[-2:]) for one in rows if one is not None] == found


def test_rows_say_group_age_state_and_unseen_characters() -> None:
    model = SessionsModel()
    model.set_sessions(SESSIONS, NOW, SESSIONS[0].id)
    rows = [model.index(row).data(ROW) for row in range(4)]
    assert [row.group for row in rows] == ["today", "yesterday", "last 7 days", "older"]
    assert [row.age for row in rows] == ["5 min", "1 d", "3 d", "13 mo"]
    assert [row.current for row in rows] == [True, False, False, False]
    assert "failed" in rows[2].facts and "stopped" in rows[3].facts and "4 messages" in rows[0].facts
    assert rows[3].title == "Old one\\u{202e}"
    spoken = model.index(2).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "Upgrade" in spoken and "failed" in spoken


def test_groups_follow_the_calendar_not_24_hours() -> None:
    late = NOW.astimezone().replace(hour=0, minute=5)
    assert day_group(late - timedelta(minutes=10), late) == "yesterday"
    assert day_group(late + timedelta(days=2), late) == "today", "a clock that went back hides nothing"


def test_ten_thousand_sessions_keep_uniform_rows(window: QMainWindow) -> None:
    view = SessionsView(window)
    view.set_sessions([summary(n, f"Session {n} 会话") for n in range(10_000)], NOW)
    assert view.model.rowCount() == 10_000
    assert view.list.uniformItemSizes()
    view.line.setText("9999 会话")
    assert view.model.rowCount() == 1


# --- the picker -------------------------------------------------------------------------------------------------------


def test_return_resumes_the_chosen_session(picker: SessionPicker) -> None:
    resumed: list[str] = []
    picker.resume_requested.connect(resumed.append)
    assert picker.objectName() == "sessionPicker" and picker.accessibleName()
    QTest.keyClick(picker.line, Key.Key_Down)
    QTest.keyClick(picker.line, Key.Key_Return)
    assert resumed == [SESSIONS[1].id]
    assert not picker.isVisible()


def test_typing_filters_and_an_empty_result_says_so(picker: SessionPicker) -> None:
    resumed: list[str] = []
    picker.resume_requested.connect(resumed.append)
    QTest.keyClicks(picker.line, "upgr")
    assert picker.model.rowCount() == 1
    QTest.keyClicks(picker.line, "zzz")
    assert picker.model.rowCount() == 0
    assert not picker.list.isVisible() and not picker.resume_button.isEnabled()
    QTest.keyClick(picker.line, Key.Key_Return)
    assert resumed == []
    QTest.keyClick(picker.line, Key.Key_Escape)
    assert not picker.isVisible()
    picker.popup()
    assert picker.line.text() == "" and picker.model.rowCount() == 4


def test_every_action_by_keyboard_and_by_button(picker: SessionPicker) -> None:
    told: list[tuple[str, str]] = []
    for name in ("resume", "read", "rename", "trash"):
        getattr(picker, f"{name}_requested").connect(lambda session, kind=name: told.append((kind, session)))
    picker.reference_copied.connect(lambda session: told.append(("copy", session)))
    first = SESSIONS[0].id
    QTest.keyClick(picker.line, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    picker.popup()
    QTest.keyClick(picker.line, Key.Key_F2)
    for button in picker.buttons:
        picker.popup()
        button.click()
    assert told == [
        ("read", first),
        ("rename", first),
        ("resume", first),
        ("read", first),
        ("copy", first),
        ("rename", first),
        ("trash", first),
    ]
    assert QGuiApplication.clipboard().text() == f"#{first}"


def test_the_chosen_session_stays_when_the_list_is_read_anew(picker: SessionPicker) -> None:
    QTest.keyClick(picker.line, Key.Key_Down)
    QTest.keyClick(picker.line, Key.Key_Down)
    picker.set_sessions([summary(9, "Newest"), *SESSIONS], NOW)
    chosen = picker.list.chosen()
    assert chosen is not None and chosen.id == SESSIONS[2].id


def test_it_stays_inside_a_small_window(picker: SessionPicker, window: QMainWindow) -> None:
    window.resize(360, 400)
    picker.popup()
    assert window.rect().contains(picker.geometry())


# --- the dialogs ------------------------------------------------------------------------------------------------------


def test_read_into_asks_for_a_question_unless_the_end_is_wanted(window: QMainWindow) -> None:
    dialog = ReadIntoDialog(window, "sess_x", "A title")
    asked: list[tuple[str, str, str, int]] = []
    dialog.read_requested.connect(lambda *values: asked.append(values))
    dialog.open()
    assert not dialog.read_button.isEnabled()
    dialog.query.setPlainText("x" * 4_001)
    assert not dialog.read_button.isEnabled() and dialog.problem.isVisible() and "4000" in dialog.problem.text()
    dialog.query.setPlainText("")
    dialog.strategy.setCurrentIndex(1)
    assert dialog.read_button.isEnabled()
    dialog.strategy.setCurrentIndex(0)
    dialog.query.setPlainText("Which 包管理器?")
    dialog.tokens.setValue(99_999)
    dialog.read_button.click()
    assert asked == [("sess_x", "Which 包管理器?", "relevant", 12_000)]
    assert not dialog.isVisible()


def test_rename_gives_the_title_once(window: QMainWindow) -> None:
    dialog = RenameDialog(window, "sess_x", "Old")
    given: list[tuple[str, str]] = []
    dialog.rename_requested.connect(lambda *values: given.append(values))
    dialog.open()
    dialog.line.setText("  New 标题 ")
    QTest.keyClick(dialog.line, Key.Key_Return)
    assert given == [("sess_x", "New 标题")]


# --- the controller on a real store -----------------------------------------------------------------------------------


class Sessions:
    """A store with sessions and a controller."""

    def __init__(self, qtbot: QtBot, folder: Path, operations: Operations) -> None:
        self.qtbot = qtbot
        self.desk = Desk(folder)
        self.store: SessionStore = self.desk.services.sessions
        self.failures: list[Failure] = []
        self.trashed: list[Trashed] = []
        self.controller = SessionsController(self.desk.services, operations)
        self.controller.failed.connect(self.failures.append)
        self.controller.trashed.connect(self.trashed.append)

    def add(self, text: str) -> str:
        project = self.desk.workspace.project
        handle = self.store.create(project_key=project.key, workspace=self.desk.workspace_folder, memory_enabled=True, model="m")
        handle.append(Message("msg_1", "user", (TextPart(text),), self.desk.services.clock.now()))
        handle.close()
        return handle.id

    def until(self, titles: list[str]) -> None:
        def holds() -> None:
            assert sorted(one.title for one in self.controller.sessions) == sorted(titles)

        self.qtbot.waitUntil(holds, timeout=10_000)


@pytest.fixture
def sessions(qtbot: QtBot, tmp_path: Path, operations: Operations) -> Iterator[Sessions]:
    made = Sessions(qtbot, tmp_path, operations)
    yield made
    made.controller.close()
    made.controller.deleteLater()


def test_the_list_follows_the_store(sessions: Sessions) -> None:
    sessions.add("first")
    sessions.until(["first"])
    second = sessions.add("second 第二")
    sessions.until(["first", "second 第二"])
    sessions.controller.rename(second, "Renamed")
    sessions.until(["first", "Renamed"])
    assert sessions.controller.title_of(second) == "Renamed"
    assert sessions.failures == []


def test_the_trash_gives_back_what_it_took(sessions: Sessions) -> None:
    kept = sessions.add("keep me")
    sessions.until(["keep me"])
    before = sessions.store.path_of(kept).read_bytes()
    sessions.controller.trash(kept)
    sessions.until([])
    sessions.qtbot.waitUntil(lambda: _check(sessions.trashed), timeout=10_000)
    assert sessions.trashed[0].title == "keep me"
    sessions.controller.restore(sessions.trashed[0])
    sessions.until(["keep me"])
    assert sessions.store.path_of(kept).read_bytes() == before


def test_a_session_that_is_open_is_not_trashed(sessions: Sessions) -> None:
    kept = sessions.add("open one")
    handle = SessionStore(AppPaths(sessions.desk.services.paths.data, Path(), Path()), FixedClock()).open(kept)
    sessions.controller.trash(kept)
    sessions.qtbot.waitUntil(lambda: _check(sessions.failures), timeout=10_000)
    assert "open" in sessions.failures[0].message
    handle.close()
    assert sessions.store.path_of(kept).exists()


def test_restoring_never_overwrites(sessions: Sessions) -> None:
    session_id = sessions.add("old")
    was = sessions.store.path_of(session_id)
    trashed = trash(sessions.store, session_id, "T")
    old = trashed.now.read_bytes()
    was.write_text("new", encoding="utf-8")
    with pytest.raises(StorageError, match="is there already"):
        restore(sessions.store, trashed)
    assert was.read_text(encoding="utf-8") == "new" and trashed.now.read_bytes() == old


def _check(holds: object) -> None:
    assert holds


def test_the_open_session_says_what_it_does_now() -> None:
    """On disk its last message has no answer yet, which reads as stopped."""
    model = SessionsModel()
    model.set_sessions(SESSIONS, NOW, SESSIONS[3].id)
    changed: list[int] = []
    model.dataChanged.connect(lambda first, _last: changed.append(first.row()))

    def facts(row: int) -> str:
        return str(model.index(row).data(ROW).facts)

    assert "stopped" in facts(3)
    model.set_activity(RUNNING)
    assert "running" in facts(3) and "stopped" not in facts(3) and changed == [3]
    model.set_activity(WAITING)
    assert "needs answer" in facts(3)
    assert "needs answer" in model.index(3).data(Qt.ItemDataRole.AccessibleTextRole)
    assert "failed" in facts(2), "the others say what they said"
    model.set_activity("")
    assert "stopped" in facts(3)
