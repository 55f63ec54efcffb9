"""Where tabs were scrolled to comes back: after a restart, after a kill, and when a tab is closed and opened again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication, QPlainTextEdit
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.app.state_file import StateFile
from desktop.base.clock import SystemClock
from desktop.base.ids import new_message_id
from desktop.messages.parts import Message, TextPart
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.editor.text_place import put_place, text_place
from desktop.ui.sessions.viewer import SessionViewer
from desktop.ui.window_state import FolderState, WindowState, from_json, to_json
from tests.ui.app_world import NOTE, Start, World, opened, starting


@pytest.fixture
def place(tmp_path: Path) -> World:
    made = World(tmp_path)
    (made.project.memory_root / "bun.md").write_text(NOTE + "\n".join(f"line {n}" for n in range(300)), encoding="utf-8")
    return made


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, place: World) -> Iterator[Start]:
    with starting(qapp, qtbot, place) as go:
        yield go


def until(qtbot: QtBot, condition: Callable[[], object]) -> None:
    qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)


def long_session(application: Application) -> str:
    assert application.services is not None and application.workspace is not None
    workspace = application.workspace
    handle = application.services.sessions.create(
        project_key=workspace.project.key, workspace=workspace.folder, memory_enabled=False, model="x"
    )
    now = SystemClock().now()
    for n in range(120):
        role = "assistant" if n % 2 else "user"
        text = f"message number {n}\n\n" + "word " * 60
        handle.append(Message(new_message_id(now), role, (TextPart(text),), now, origin="model" if n % 2 else "person"))  # type: ignore[arg-type]
    handle.close()
    return handle.id


def viewer(application: Application, session_id: str) -> SessionViewer:
    return next(
        widget
        for key in application.workbench.editors.open_keys()
        if key.endswith(session_id) and isinstance(widget := application.workbench.editors.widget(key), SessionViewer)
    )


def editor(application: Application) -> MemoryEditor:
    found = application.workbench.editors.widget(next(key for key in application.workbench.editors.open_keys() if "bun.md" in key))
    assert isinstance(found, MemoryEditor)
    return found


def read(qtbot: QtBot, shown: SessionViewer) -> None:
    until(qtbot, lambda: shown.reader.is_indexed and shown.messages.views)


def settle(qtbot: QtBot, shown: SessionViewer) -> str:
    """The place once nothing moves any more."""
    seen = [""]
    quiet = [0]

    def is_quiet() -> bool:
        messages, now = shown.messages, shown.place()
        busy = messages._older.isActive() or messages._newer.isActive() or now != seen[0]
        quiet[0], seen[0] = (0 if busy else quiet[0] + 1), now
        return quiet[0] > 5

    until(qtbot, is_quiet)
    return seen[0]


def scrolled(qtbot: QtBot, application: Application, session_id: str) -> str:
    """A session in a tab, in its middle, and where that is."""
    assert application.parts is not None
    application.parts.search.open_session(session_id)
    shown = viewer(application, session_id)
    read(qtbot, shown)
    settle(qtbot, shown)
    shown.reveal_number(40)
    until(qtbot, lambda: not shown.messages.follows)
    settle(qtbot, shown)
    bar = shown.messages.verticalScrollBar()
    bar.setValue(bar.value() + 37)
    return settle(qtbot, shown)


@pytest.mark.parametrize("end", ["closed", "killed"])
def test_tabs_come_back_where_they_were(place: World, start: Start, qtbot: QtBot, end: str) -> None:
    application = opened(start(place.folder), qtbot)
    assert application.parts is not None
    session_id = long_session(application)
    application.parts.memory.open_memory("bun.md", "project")
    until(qtbot, lambda: editor(application).source.blockCount() > 300)
    put_place(editor(application).source, "150:900")
    before = text_place(editor(application).source)
    assert before.startswith("150:")
    kept = scrolled(qtbot, application, session_id)
    assert kept
    if end == "closed":
        application.close()
    else:  # nothing is said to the window; what its keeper stored is there
        stored = StateFile(application.paths.state, application.operations)
        key = str(place.folder)
        until(qtbot, lambda: kept in stored.read().folders.get(key, FolderState()).places.values())
        until(qtbot, lambda: before in stored.read().folders.get(key, FolderState()).places.values())
    again = opened(start(), qtbot)
    shown = viewer(again, session_id)
    read(qtbot, shown)
    until(qtbot, lambda: not shown.messages.follows)
    assert settle(qtbot, shown).rsplit(" ", 1)[0] == kept.rsplit(" ", 1)[0]
    assert abs(int(shown.place().rsplit(" ", 1)[1]) - int(kept.rsplit(" ", 1)[1])) <= 4
    until(qtbot, lambda: editor(again).source.blockCount() > 300)
    until(qtbot, lambda: text_place(editor(again).source) == before)


def test_a_tab_that_was_closed_comes_back_where_it_was(place: World, start: Start, qtbot: QtBot) -> None:
    application = opened(start(place.folder), qtbot)
    session_id = long_session(application)
    kept = scrolled(qtbot, application, session_id)
    application.workbench.editors.close()
    application.close()
    again = opened(start(), qtbot)
    assert again.parts is not None
    assert not any(key.endswith(session_id) for key in again.workbench.editors.open_keys())
    again.parts.search.open_session(session_id)
    shown = viewer(again, session_id)
    read(qtbot, shown)
    until(qtbot, lambda: not shown.messages.follows)
    assert settle(qtbot, shown).rsplit(" ", 1)[0] == kept.rsplit(" ", 1)[0]


def test_what_is_asked_for_comes_before_the_place(place: World, start: Start, qtbot: QtBot) -> None:
    application = opened(start(place.folder), qtbot)
    assert application.parts is not None
    session_id = long_session(application)
    scrolled(qtbot, application, session_id)
    application.workbench.editors.close()
    application.parts.search.open_session(session_id, number=100)
    shown = viewer(application, session_id)
    read(qtbot, shown)
    until(qtbot, lambda: not shown.messages.follows)
    settle(qtbot, shown)
    top = next(view for view in shown.messages.views if view.y() + view.height() > shown.messages.verticalScrollBar().value())
    assert int(str(getattr(top, "text", "0 number 0")).split()[2]) > 90


@pytest.mark.parametrize("place", ["", "x", "1", "1:", "-1:2", "9" * 30, "1:2:3", "msg 1 2", "１:２"])
def test_a_damaged_place_of_a_text_moves_nothing(qtbot: QtBot, place: str) -> None:
    edit = QPlainTextEdit("one\ntwo")
    qtbot.addWidget(edit)
    put_place(edit, place)
    assert edit.textCursor().position() in (0, 1, 2, 7) and edit.document().toPlainText() == "one\ntwo"


def test_a_place_beyond_a_shorter_text_is_its_end(qtbot: QtBot) -> None:
    edit = QPlainTextEdit("one\ntwo")
    qtbot.addWidget(edit)
    put_place(edit, "999:9999")
    assert edit.textCursor().position() == 7


def test_places_of_a_damaged_state_are_left_out() -> None:
    state = WindowState().with_folder("/f", FolderState(places={"a": "1:2"}))
    assert from_json(to_json(state)).folders["/f"].places == {"a": "1:2"}
    wrongs: tuple[object, ...] = (None, 5, [], {"a": 5, "b": None})
    for wrong in wrongs:
        assert from_json({"folders": {"/f": {"places": wrong}}}).folders["/f"].places == {}
