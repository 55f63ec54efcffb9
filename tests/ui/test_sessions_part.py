"""The sessions in the window, over real services: marks, forks, exports, the trash, what is found inside, other workspaces."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QEvent, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QFileDialog, QLabel, QMessageBox
from pytestqt.qtbot import QtBot

from desktop.app.sessions_part import SessionsPart
from desktop.base.clock import SystemClock
from desktop.base.ids import new_message_id
from desktop.bridge.operations import Operations
from desktop.commands.registry import CommandRegistry
from desktop.messages.parts import Message, TextPart
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import SessionSummary
from desktop.ui import theme
from desktop.ui.sessions.delegate import icon_of
from desktop.ui.sessions.filtering import ListOptions
from desktop.ui.sessions.model import HELD, ROW, WAITING
from desktop.ui.workbench import Workbench
from tests.ui.memory_world import World, made_world
from tests.ui.search_world import say_all


class Shown:
    """A workbench with the sessions in it."""

    def __init__(self, world: World, qtbot: QtBot) -> None:
        self.world = world
        self.qtbot = qtbot
        self.bench = Workbench(CommandRegistry())
        self.part = SessionsPart(world.services, self.bench, world.operations)
        self.part.set_workspace(world.workspace)
        self.bench.resize(1_100, 700)
        self.bench.show()
        self.bench.show_side_view("sessions")

    def until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)

    def add(self, *said: str, project_key: str = "") -> str:
        roles = ("user", "assistant")
        handle = say_all(self.world, [(roles[at % 2], text) for at, text in enumerate(said)], project_key=project_key)
        handle.close()
        return handle.id

    def titles(self) -> list[str]:
        model = self.part.view.model
        return [session.title for row in range(model.rowCount()) if (session := model.session_at(row)) is not None]

    def shows(self, *titles: str) -> None:
        self.until(lambda: self.titles() == list(titles))

    def summary(self, session_id: str) -> SessionSummary:
        return self.world.services.sessions.find(session_id)

    def facts(self, row: int) -> str:
        return str(self.part.view.model.index(row).data(ROW).facts)

    def close(self) -> None:
        self.until(lambda: self.world.operations.pending == 0)
        self.part.close()
        self.world.services.memory_search.close()
        self.world.services.session_search.close()
        self.bench.deleteLater()


@pytest.fixture
def shown(tmp_path: Path, operations: Operations, qtbot: QtBot, dark: theme.Theme) -> Iterator[Shown]:
    with made_world(tmp_path, operations) as world:
        made = Shown(world, qtbot)
        yield made
        made.close()


def test_pins_and_archive_are_stored_and_shown(shown: Shown) -> None:
    first, second, third = shown.add("one"), shown.add("two"), shown.add("three")
    shown.shows("three", "two", "one")
    shown.part.view.list.choose_session(first)
    shown.part.view.list.pin()
    shown.shows("one", "three", "two")
    shown.until(lambda: shown.summary(first).pinned)
    shown.part.view.list.choose_session(second)
    shown.part.view.list.archive()
    shown.shows("one", "three")
    shown.until(lambda: shown.summary(second).archived)
    shown.part.set_options(ListOptions(archived=True))
    shown.shows("one", "three", "two")
    assert shown.part.picker.model.rowCount() in (0, 3), "the picker has the same choices"
    shown.part.view.list.choose_session(second)
    shown.part.view.list.archive()
    shown.until(lambda: not shown.summary(second).archived)
    assert shown.summary(third).updated > shown.summary(first).updated


def test_a_fork_holds_the_same_and_is_gone_on_with(shown: Shown) -> None:
    source = shown.add("one 一", "yes", "more", "done")
    shown.shows("one 一")
    resumed: list[str] = []
    shown.part.resume_requested.connect(resumed.append)
    shown.part.view.list.choose_session(source)
    shown.part.view.list.fork()
    shown.until(lambda: resumed)
    assert resumed[0] != source
    loaded = shown.world.services.sessions.load(resumed[0])
    assert [message.text for message in loaded.live] == ["one 一", "yes", "more", "done"]
    assert shown.summary(resumed[0]).parent == source
    shown.until(lambda: len(shown.titles()) == 2)


@pytest.mark.parametrize("kind", ["md", "json"])
def test_an_export_is_written_where_the_person_says(shown: Shown, tmp_path: Path, kind: str) -> None:
    session = shown.add("Wie geht 导出?", "So.")
    shown.shows("Wie geht 导出?")
    shown.part.view.list.choose_session(session)
    shown.part.view.list.export(kind)
    dialog = shown.bench.findChild(QFileDialog, "sessionExport")
    assert dialog is not None and dialog.acceptMode() is QFileDialog.AcceptMode.AcceptSave
    target = tmp_path / f"out.{kind}"
    dialog.fileSelected.emit(str(target))
    dialog.reject()
    shown.until(target.exists)
    text = target.read_text(encoding="utf-8")
    assert "Wie geht 导出?" in (text if kind == "md" else json.dumps(json.loads(text), ensure_ascii=False))
    assert target.stat().st_mode & 0o777 == 0o600


def test_the_trash_shows_what_was_deleted_and_restores_it(shown: Shown) -> None:
    kept, gone = shown.add("keep"), shown.add("throw away 旧的")
    shown.shows("throw away 旧的", "keep")
    shown.part.controller.trash(gone)
    shown.shows("keep")
    shown.part.show_trash()
    trash = shown.part.view.trash
    shown.until(lambda: trash.list.count() == 1)
    entry = trash.chosen()
    assert entry is not None and (entry.id, entry.title) == (gone, "throw away 旧的")
    trash.restore_button.click()
    shown.until(lambda: trash.list.count() == 0)
    shown.part.view.show_list()
    shown.shows("throw away 旧的", "keep")
    assert shown.summary(gone).messages == 1 and shown.summary(kept).messages == 1


def question(shown: Shown) -> QMessageBox:
    """The dialog before a session goes for good, once it is there."""
    shown.until(lambda: shown.bench.findChild(QMessageBox, "sessionPurge") is not None)
    found = shown.bench.findChild(QMessageBox, "sessionPurge")
    assert found is not None
    return found


def press(box: QMessageBox, role: QMessageBox.ButtonRole) -> None:
    next(button for button in box.buttons() if box.buttonRole(button) == role).click()


def test_a_session_in_the_trash_goes_for_good_when_the_person_says_so_twice(shown: Shown) -> None:
    kept, gone = shown.add("keep"), shown.add("never again 旧的")
    shown.shows("never again 旧的", "keep")
    for session in (gone, kept):
        shown.part.controller.trash(session)
    shown.shows()
    shown.part.show_trash()
    trash = shown.part.view.trash
    shown.until(lambda: trash.list.count() == 2)
    trash.list.setCurrentRow(next(row for row in range(2) if trash.list.item(row).text() == "never again 旧的"))
    assert trash.purge_button.isEnabled() and trash.purge_button.accessibleName()
    trash.purge_button.click()
    box = question(shown)
    assert "never again 旧的" in box.text() and "cannot be undone" in box.informativeText()
    assert box.defaultButton() is box.escapeButton(), "Return and Escape change nothing"
    press(box, QMessageBox.ButtonRole.RejectRole)
    shown.until(lambda: shown.bench.findChild(QMessageBox, "sessionPurge") is None)
    assert len(shown.world.services.sessions.trashed()) == 2
    shown.bench.activateWindow()
    trash.list.setFocus()
    shown.until(trash.list.hasFocus)
    QTest.keyClick(trash.list, Qt.Key.Key_Delete)
    press(question(shown), QMessageBox.ButtonRole.AcceptRole)
    shown.until(lambda: trash.list.count() == 1)
    assert [entry.id for entry in shown.world.services.sessions.trashed()] == [kept]
    shown.until(lambda: any("deleted for good" in toast for toast in toasts(shown)))


def toasts(shown: Shown) -> list[str]:
    return [label.text() for label in shown.bench.findChildren(QLabel) if label.isVisible()]


def test_the_undo_of_a_deletion_tells_the_list(shown: Shown) -> None:
    gone = shown.add("come back")
    shown.shows("come back")
    with shown.qtbot.waitSignal(shown.part.controller.trashed, timeout=20_000) as told:
        shown.part.controller.trash(gone)
    shown.shows()
    shown.part.controller.restore(told.args[0])
    shown.shows("come back")


def test_a_phrase_inside_an_old_session_finds_it(shown: Shown) -> None:
    shown.add("Which port?", "The database listens on 5433, 只在内网开放。")
    shown.add("Something else", "Yes.")
    shown.shows("Something else", "Which port?")
    view = shown.part.view
    view.line.setFocus()
    view.line.setText("内网开放")
    assert shown.titles() in ([], ["Which port?"]), "the preview may hold it at once"
    shown.until(lambda: shown.titles() == ["Which port?"])
    view.line.setText("5433")
    shown.until(lambda: shown.titles() == ["Which port?"])
    row = view.model.index(0).data(ROW)
    assert "5433" in row.text.text and row.text.marks
    view.line.setText("")
    QTest.keyClicks(view.line, "zzzz")
    shown.until(lambda: not any(finder.pending for finder in shown.part.controller._finders))
    assert shown.titles() == []


def test_a_phrase_before_the_last_answer_is_found_in_another_workspace_too(shown: Shown) -> None:
    shown.add("第一个问题", "答案是蓝色的大象", "谢谢", "不客气", project_key="elsewhere-0123456789abcdef")
    shown.add("unrelated", "yes")
    shown.until(lambda: len(shown.titles()) == 2)
    shown.part.view.line.setText("蓝色的大象")
    shown.until(lambda: shown.titles() == ["第一个问题"])
    row = shown.part.view.model.index(0).data(ROW)
    assert "蓝色的大象" in row.text.text and row.group == "found inside"


def test_sessions_of_other_workspaces_are_labelled_and_can_be_left_out(shown: Shown) -> None:
    shown.add("here")
    shown.add("there", project_key="elsewhere-0123456789abcdef")
    shown.shows("there", "here")
    folder = shown.world.workspace.folder.name
    assert folder in shown.facts(0) and folder not in shown.facts(1)
    shown.part.set_options(ListOptions(everywhere=False))
    shown.shows("here")


def test_a_session_that_waits_is_told_at_the_activity_bar(shown: Shown) -> None:
    session = shown.add("question")
    shown.shows("question")
    shown.part.set_current(session)
    shown.part.set_activity(WAITING)
    assert "needs answer" in shown.facts(0)
    assert shown.bench.activity._views["sessions"]._badge == 1
    shown.part.set_activity("")
    assert shown.bench.activity._views["sessions"]._badge == 0


def test_lists_that_nobody_sees_are_filled_when_they_are_shown(shown: Shown) -> None:
    shown.add("one")
    shown.shows("one")
    assert shown.part.picker.model.rowCount() == 0
    shown.part.pick()
    assert shown.part.picker.model.rowCount() == 1
    shown.part.picker.dismiss()
    shown.bench.set_region("side", False)
    shown.add("two")
    shown.until(lambda: len(shown.part.controller.sessions) == 2)
    assert shown.titles() == ["one"]
    shown.bench.show_side_view("sessions")
    shown.shows("two", "one")


def test_what_was_found_by_its_contents_opens_at_that_message(shown: Shown) -> None:
    session = shown.add("which port?", "端口 5433 已经对内网开放", "thanks", "gern")
    shown.shows("which port?")
    told: list[tuple[str, str, str]] = []
    shown.part.open_requested.connect(lambda *place: told.append(place))
    shown.part.view.line.setText("内网开放")
    shown.until(lambda: shown.titles() == ["which port?"])
    shown.part.view.list.choose(0)
    shown.part.view.list.open()
    found = shown.world.services.sessions.load(session).live[1]
    assert told[0][:2] == (session, found.id) and told[0][2] in found.text and told[0][2]
    shown.part.view.line.setText("")
    shown.part.view.list.choose(0)
    shown.part.view.list.open()
    assert told[1] == (session, "", "")


def test_intents_go_on(shown: Shown) -> None:
    session = shown.add("one")
    shown.shows("one")
    told: list[tuple[str, str]] = []
    shown.part.resume_requested.connect(lambda one: told.append(("resume", one)))
    shown.part.open_requested.connect(lambda one, *place: told.append(("open" if place == ("", "") else "place", one)))
    shown.part.pick()
    shown.part.picker.list.open()
    assert not shown.part.picker.isVisible()
    shown.part.pick()
    shown.part.picker.list.resume()
    assert told == [("open", session), ("resume", session)]


def test_a_new_session_knows_its_branch(shown: Shown) -> None:
    folder = shown.world.workspace.folder
    (folder / ".git").mkdir(exist_ok=True)
    (folder / ".git" / "HEAD").write_text("ref: refs/heads/feature/列表\n", encoding="utf-8")
    script = folder.parent / "script.json"
    script.write_text(json.dumps({"responses": [{"text": "Yes."}]}), encoding="utf-8")
    session = shown.world.services.new_session(shown.world.workspace, model_id=f"scripted:{script}")
    assert session.handle.header.branch == "feature/列表"
    session.handle.close()


# --- what was said of a session that is back ----------------------------------------------------------------------------


def test_the_toast_goes_when_the_session_came_back_from_the_trash(shown: Shown) -> None:
    session = shown.add("hin und zurück")
    shown.shows("hin und zurück")
    said = shown.bench.notifications
    for back in ("entry", "undo", "purge"):
        shown.part.controller.trash(session)
        shown.until(lambda: any("in the trash" in text for text in said.texts()))
        entry = shown.world.services.sessions.trashed()[0]
        if back == "entry":
            shown.part.controller.restore_entry(entry)
        elif back == "undo":
            toast = next(one for one in said.toasts() if "in the trash" in one.message.text)
            toast.message.actions[0][1]()
        else:
            shown.part.controller.purge_entry(entry)
        shown.until(lambda: not any("in the trash" in text for text in said.texts()))
        said.show_history()
        assert not any("in the trash" in text for text in said.texts()), "not with a look at the last messages either"
        said.dismiss_all()


def test_the_toast_goes_when_the_session_left_the_archive(shown: Shown) -> None:
    session = shown.add("archiviert")
    shown.shows("archiviert")
    shown.part.controller.mark(session, "archived", True)
    shown.until(lambda: any("archive" in text for text in shown.bench.notifications.texts()))
    shown.part.controller.mark(session, "archived", False)
    shown.until(lambda: not shown.bench.notifications.texts())


# --- sessions that are open elsewhere -----------------------------------------------------------------------------------


HOLD = """
import sys
from pathlib import Path
from desktop.base.clock import SystemClock
from desktop.base.paths import AppPaths
from desktop.sessions.store import SessionStore

folders = [Path(one) for one in sys.argv[2:5]]
handle = SessionStore(AppPaths(*folders), SystemClock()).open(sys.argv[1])
print("open", flush=True)
sys.stdin.readline()
handle.close()
print("closed", flush=True)
sys.stdin.readline()
"""


def test_a_session_that_another_process_has_open_says_so(shown: Shown) -> None:
    held, free = shown.add("drüben offen"), shown.add("frei")
    mine = say_all(shown.world, [("user", "hier offen")])
    shown.until(lambda: len(shown.titles()) == 3)
    paths = shown.world.services.paths
    command = [sys.executable, "-c", HOLD, held, str(paths.data), str(paths.config), str(paths.cache)]
    other = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, cwd=Path(__file__).parents[2])
    assert other.stdin is not None and other.stdout is not None
    try:
        assert other.stdout.readline() == "open\n"
        QApplication.sendEvent(shown.bench, QEvent(QEvent.Type.WindowActivate))
        model = shown.part.view.model

        def state(session_id: str) -> str:
            return str(model.index(model.row_of(session_id)).data(ROW).state)

        shown.until(lambda: state(held) == HELD)
        assert HELD not in (state(free), state(mine.id)), "neither what nobody has open, nor what this window has"
        row = model.index(model.row_of(held))
        assert row.data(ROW).facts.startswith("open elsewhere")
        assert "open elsewhere" in str(row.data(Qt.ItemDataRole.AccessibleTextRole))
        assert "open elsewhere" in str(row.data(Qt.ItemDataRole.ToolTipRole))
        assert icon_of(row.data(ROW))[0] == "multiple-windows"
        other.stdin.write("close\n")
        other.stdin.flush()
        assert other.stdout.readline() == "closed\n"
        shown.part.controller.refresh()
        shown.until(lambda: state(held) != HELD)
    finally:
        other.stdin.close()
        other.wait(20)
        other.stdout.close()
        mine.close()


def test_what_another_window_begins_is_listed_when_this_one_is_come_back_to(shown: Shown) -> None:
    shown.add("eins")
    shown.shows("eins")
    elsewhere = SessionStore(shown.world.services.paths, SystemClock())
    handle = elsewhere.create(project_key="other-0123456789abcdef", workspace=Path("/other"), memory_enabled=False, model="x")
    now = SystemClock().now()
    handle.append(Message(new_message_id(now), "user", (TextPart("neu drüben"),), now, origin="person"))
    try:
        assert shown.titles() == ["eins"]
        shown.part.set_options(ListOptions(everywhere=True))
        QApplication.sendEvent(shown.bench, QEvent(QEvent.Type.WindowActivate))
        shown.shows("neu drüben", "eins")
    finally:
        handle.close()
