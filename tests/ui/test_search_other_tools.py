"""Other tools' sessions in the window: found by what was said in them, labelled, opened read only at the message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.sessions.importers.convert import is_foreign
from desktop.ui import theme
from desktop.ui.chat.message_views import AnswerView
from desktop.ui.search.results import SessionPlace
from desktop.ui.sessions.model import ROW
from desktop.ui.sessions.viewer import SessionViewer
from tests.ui.memory_world import World, made_world
from tests.ui.search_world import Window, say_all

PHRASE = "数据库监听端口五四三三"


def transcript(world: World, name: str, *texts: str, cwd: str = "") -> Path:
    """A conversation of another tool in its own place below this person's home, in the opened folder unless another is told."""
    path = Path(str(world.services.environ["HOME"])) / ".claude" / "projects" / "p" / f"{name}.jsonl"
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        record = {
            "type": role,
            "uuid": f"{name}-{number}",
            "parentUuid": f"{name}-{number - 1}" if number else None,
            "sessionId": name,
            "cwd": cwd or str(world.workspace.folder),
            "timestamp": f"2026-02-01T{10 + number // 60}:{number % 60:02}:00Z",
            "message": {"role": role, "content": text},
        }
        lines.append(json.dumps(record))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


@pytest.fixture
def window(world: World, qtbot: QtBot, dark: theme.Theme) -> Iterator[Window]:
    texts = [f"line {number}\n\n" + "word " * 40 for number in range(60)]
    texts[20] = PHRASE
    transcript(world, "one", "how do we deploy?", *texts)
    transcript(world, "two", f"elsewhere {PHRASE}", "yes", cwd="/srv/nowhere")
    say_all(world, [("user", f"ours: {PHRASE}"), ("assistant", "yes")]).close()
    made = Window(world, qtbot)
    yield made
    made.close()


def opened(window: Window) -> None:
    """The folder is open, other tools' sessions were looked for, and all is indexed."""
    window.open()
    window.sessions.controller.refresh()
    window.until(lambda: window.world.services.all_sessions.foreign.looked)
    window.until(lambda: window.search.controller._sessions.isActive() or window.search.controller.indexer.busy)
    window.settle()
    window.bench.run("search.show")


def test_the_search_view_finds_and_labels_them_and_opens_at_the_message(window: Window, qtbot: QtBot) -> None:
    opened(window)
    window.type(PHRASE)
    sessions = {row.line.text: row for row in window.rows("session")}
    assert set(sessions) == {"how do we deploy?", f"ours: {PHRASE}"}
    assert sessions["how do we deploy?"].detail == "Claude Code" and sessions[f"ours: {PHRASE}"].detail == ""
    row = window.choose("session", "deploy")
    menu = window.view.context_menu(row)
    assert "Continue in Keepsake" in [action.text() for action in menu.actions()]
    menu.deleteLater()
    window.press(Qt.Key.Key_Return, window.view.tree)
    viewer = window.bench.editors.current_widget()
    assert isinstance(viewer, SessionViewer)
    window.until(lambda: any(isinstance(view, AnswerView) and PHRASE in view.text for view in viewer.messages.views))
    assert viewer.badge.text() == "Claude Code" and viewer.resume.text() == "Continue in Keepsake"


def test_everywhere_finds_those_of_other_folders_until_they_are_switched_off(window: Window) -> None:
    opened(window)
    window.view.filters.scopes[True].trigger()
    window.type(PHRASE)
    window.until(lambda: len(window.rows("session")) == 3)
    details = {row.line.text: row.detail for row in window.rows("session")}
    assert details[f"elsewhere {PHRASE}"] == "Claude Code · /srv/nowhere"
    window.world.services.settings.set("sessions.other_tools", False)
    window.search.controller.again()
    window.until(lambda: len(window.rows("session")) == 1)
    place = window.rows("session")[0].place
    assert isinstance(place, SessionPlace) and not is_foreign(place.session)


def test_the_list_is_filtered_by_what_was_said_in_them(window: Window) -> None:
    part = window.sessions
    part.set_workspace(window.world.workspace)
    window.bench.show_side_view("sessions")
    window.until(lambda: len(part.controller.sessions) == 3)
    part.view.line.setText(PHRASE[2:8])
    model = part.view.model

    def titles() -> set[str]:
        return {session.title for row in range(model.rowCount()) if (session := model.session_at(row)) is not None}

    window.until(lambda: "how do we deploy?" in titles())
    window.until(lambda: titles() == {"how do we deploy?", f"ours: {PHRASE}", f"elsewhere {PHRASE}"})
    row = next(
        row for row in range(model.rowCount()) if (found := model.session_at(row)) is not None and found.title == "how do we deploy?"
    )
    shown = model.index(row).data(ROW)
    assert PHRASE[2:8] in shown.text.text and shown.badge == "Claude Code"
    window.until(lambda: not any(finder.pending for finder in part.controller._finders))
