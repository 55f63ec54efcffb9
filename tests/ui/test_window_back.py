"""What a killed window finds again: everything is read from what stood on disk before any end in good order."""

from __future__ import annotations

import contextlib
import json
import shutil
from dataclasses import replace
from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.base.clock import SystemClock
from desktop.memory.identity import ensure_project, resolve_project
from desktop.sessions.running import keep_running, running_path
from desktop.ui.chat.interrupted_card import InterruptedCard
from desktop.ui.editor.memory_editor import MemoryEditor
from desktop.ui.window_state import WindowState
from tests.helpers.sweeps import sweeps_done
from tests.ui.app_world import NOTE, Start, World, opened
from tests.unit.sessions.make import message


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def state_of(world: World) -> Path:
    return world.profile / "data" / "state" / "window.json"


def tabs_on_disk(world: World) -> list[str]:
    if not state_of(world).exists():
        return []
    folders = json.loads(state_of(world).read_text(encoding="utf-8"))["folders"]
    return [tab["key"] for tab in folders.get(str(world.folder), {"tabs": []})["tabs"]]


def turn(application: Application, qtbot: QtBot, text: str = "Hi") -> str:
    """One turn; gives the session."""
    assert application.parts is not None
    controller = application.parts.chat.controller
    with qtbot.waitSignal(controller.turn_ended, timeout=10_000):
        controller.send(text)
    return controller.session_id


def killed(application: Application, world: World) -> None:
    """End it, and put back what stood on disk before: what a kill leaves."""

    def copied(source: str, target: str) -> None:
        with contextlib.suppress(FileNotFoundError):  # a temporary file that took its place meanwhile
            shutil.copy2(source, target)

    sweeps_done()
    left = world.profile.with_name("left")
    shutil.copytree(world.profile, left, copy_function=copied)
    application.end()
    sweeps_done()
    shutil.rmtree(world.profile)
    left.rename(world.profile)


def test_tabs_of_every_kind_come_back_after_a_kill(start: Start, world: World, qtbot: QtBot, tmp_path: Path) -> None:
    other = tmp_path / "elsewhere"
    other.mkdir()
    first = opened(start(world.folder), qtbot)
    assert first.parts is not None and first.services is not None
    elsewhere = resolve_project(other, first.services.paths)
    ensure_project(elsewhere, SystemClock())
    (elsewhere.memory_root / "bun.md").write_text(NOTE, encoding="utf-8")
    session = turn(first, qtbot)
    parts = first.parts
    parts.memory.open_memory("bun.md")
    parts.memory.tabs.history("project", "bun.md")
    parts.settings.show()
    parts.settings.open_viewer(elsewhere.key, "bun.md")
    parts.search.open_session(session)
    for command in ("chat.inspector", "memory.review", "memory.health"):
        first.workbench.run(command)
    parts.settings.show()
    first.workbench.show_side_view("sessions")
    keys = first.workbench.editors.open_keys()
    assert len(keys) == 8 and {"memory:bun.md", "settings", f"session:{session}", f"memory-of:{elsewhere.key}:bun.md"} <= set(keys)

    def stored() -> bool:
        layout = json.loads(state_of(world).read_text(encoding="utf-8"))["layout"] if state_of(world).exists() else {}
        return tabs_on_disk(world) == keys and layout["side_view"] == "sessions"

    qtbot.waitUntil(stored, timeout=10_000)
    killed(first, world)
    second = opened(start(), qtbot)
    assert second.workbench.editors.open_keys() == keys
    assert second.workbench.editors.current_key() == "settings" and second.workbench.side.current == "sessions"
    assert second.parts is not None and second.parts.chat.controller.session_id == session
    assert second.workbench.notifications.texts() == [], "nothing was interrupted, so nothing is said"


def test_the_session_stays_the_last_one_while_it_is_being_opened(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    session = turn(first, qtbot)
    first.end()
    second = start()
    seen: list[str] = []
    save = second._state_file.save

    def saved(state: WindowState, folder: str) -> None:
        seen.append(state.folders[folder].session_id)
        save(state, folder)

    second._state_file.save = saved  # type: ignore[method-assign]
    opened(second, qtbot)
    qtbot.waitUntil(lambda: bool(seen))
    second.end()
    assert set(seen) == {session}, "whenever it is killed, the session is found again"


@pytest.mark.parametrize(
    "data",
    [
        b"",
        b"\x00" * 4_096,
        b"{",
        b"[" * 200_000,
        b"null",
        b'{"folders": []}',
        b'{"layout": {"geometry": [1e999, 0, 0, 0]}}',
        "TABS",
    ],
)
def test_a_damaged_state_never_keeps_the_window_shut(start: Start, world: World, qtbot: QtBot, data: bytes | str) -> None:
    path = state_of(world)
    path.parent.mkdir(parents=True)
    keys = ["", ":", "memory:", "memory:../../etc/passwd", "memory://x", "memory:a\0b", "memory-history:", "memory-history:project/../x"]
    keys += [
        "memory-of:",
        "memory-of::",
        "memory-of:x:../y.md",
        "session:",
        "session:../..",
        "session:sess_nothing",
        "settings\n",
        "x" * 9_999,
    ]
    folders = {str(world.folder): {"tabs": [{"key": key, "title": "T"} for key in keys], "active_tab": "memory:", "session_id": "../x"}}
    path.write_bytes(json.dumps({"folders": folders}).encode() if data == "TABS" else data)  # type: ignore[arg-type]
    application = opened(start(world.folder), qtbot)
    assert application.workbench.isVisible() and application.parts is not None
    session = turn(application, qtbot)
    qtbot.waitUntil(lambda: session in path.read_text(encoding="utf-8"), timeout=10_000)
    kept = path.with_suffix(".damaged.json")
    broken = isinstance(data, bytes) and data[:2] not in (b"nu", b'{"')
    assert kept.exists() == broken, "what cannot be read is kept aside"
    assert not broken or kept.read_bytes() == data


def interrupted(world: World, application: Application, session: str) -> None:
    """Leave what a process leaves that is killed in the middle of an answer."""
    assert application.services is not None
    handle = application.services.sessions.open(session)
    asked = handle.append(message("And then?"))
    keep_running(handle.path, replace(message("Then I was inter", "assistant"), parent=asked.id))
    handle.close()


def test_one_quiet_message_says_what_was_interrupted_and_what_is_back(start: Start, world: World, qtbot: QtBot) -> None:
    first = opened(start(world.folder), qtbot)
    session = turn(first, qtbot, "How do I deploy?")
    assert first.parts is not None
    first.parts.memory.open_memory("bun.md")
    editor = first.workbench.editors.current_widget()
    assert isinstance(editor, MemoryEditor)
    qtbot.waitUntil(lambda: "We use bun." in editor.draft())
    editor.source.change_to(NOTE + "typed and not saved\n")
    first.on_signal(15)
    interrupted(world, first, session)
    second = opened(start(), qtbot)
    notes = second.workbench.notifications
    qtbot.waitUntil(lambda: len(notes.texts()) == 1, timeout=10_000)
    text = notes.texts()[0]
    assert "in the middle of a turn of “How do I deploy?”" in text and "Unsaved text of 1 tab is back." in text
    assert second.parts is not None
    pane = second.parts.chat.pane
    cards = [view for view in pane.messages.views if isinstance(view, InterruptedCard)]
    assert len(cards) == 1 and "in the middle of this answer" in cards[0].label.text()
    path = second.services.sessions.path_of(session) if second.services is not None else Path()
    assert not running_path(path).exists()
    world.answers([{"text": "Then all was well."}])
    second.end()
    third = opened(start(), qtbot)
    qtbot.waitUntil(lambda: third.parts is not None and not third.operations.pending)
    assert not any("middle" in text for text in third.workbench.notifications.texts()), "it is said once"


def test_a_draft_whose_place_is_gone_stays_on_disk(start: Start, world: World, qtbot: QtBot) -> None:
    """The root of a text does not exist any more: it is neither shown nor thrown away."""
    drafts = world.profile / "data" / "state" / "tab-drafts.json"
    drafts.parent.mkdir(parents=True)
    lost = {"memory:lost-root//note.md": "words without a home"}
    drafts.write_text(json.dumps({"schema": 1, "folders": {str(world.folder): lost}}), encoding="utf-8")
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    application.parts.memory.open_memory("bun.md")
    editor = application.workbench.editors.current_widget()
    assert isinstance(editor, MemoryEditor)
    qtbot.waitUntil(lambda: "We use bun." in editor.draft())
    editor.source.change_to(NOTE + "typed\n")
    qtbot.waitUntil(lambda: "typed" in drafts.read_text(encoding="utf-8"), timeout=10_000)
    assert "words without a home" in drafts.read_text(encoding="utf-8")
    application.workbench.run("editor.save")
    qtbot.waitUntil(lambda: "typed" not in drafts.read_text(encoding="utf-8"), timeout=10_000)
    application.close()
    assert "words without a home" in drafts.read_text(encoding="utf-8")


def test_a_title_that_comes_later_reaches_head_tab_and_lists(start: Start, world: World, qtbot: QtBot) -> None:
    world.answers([{"text": "With rsync."}, {"for": "title", "text": "Deploying marmots", "delay_ms": 100}])
    application = opened(start(world.folder), qtbot)
    assert application.parts is not None
    parts = application.parts
    session = turn(application, qtbot, "How do we deploy the marmot service?")
    parts.search.open_session(session)
    editors = application.workbench.editors

    def everywhere(title: str) -> bool:
        tab = next(one.title for one in editors.open_tabs() if one.key == f"session:{session}")
        return {parts.chat.pane.head.title.whole_text(), parts.sessions.controller.title_of(session), tab} == {title}

    qtbot.waitUntil(lambda: everywhere("Deploying marmots"), timeout=10_000)
    parts.sessions.controller.rename(session, "Mine 我的")
    qtbot.waitUntil(lambda: everywhere("Mine 我的"), timeout=10_000)
    parts.sessions.controller.rename(session, "")
    qtbot.waitUntil(lambda: everywhere("Deploying marmots"), timeout=10_000)
