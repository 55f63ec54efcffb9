"""A session that is read in a tab shows which of its messages memories came from, as the chat does; live, and never twice read."""

from __future__ import annotations

from pathlib import Path

import pytest
from pytestqt.qtbot import QtBot

from desktop.memory.store import ChangeOrigin
from desktop.ui.chat.message_actions import MessageView
from desktop.ui.sessions.viewer import SessionViewer
from tests.ui.app_world import Start, World, opened

NOTE = "---\nname: deploys\ndescription: Deploys happen on Fridays\nmetadata:\n  type: project\n---\n\nWe deploy on Fridays.\n"


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def marked(viewer: SessionViewer) -> list[str]:
    return [view.message_id for view in viewer.messages.views if isinstance(view, MessageView) and not view.mark.isHidden()]


def test_messages_of_a_session_in_a_tab_are_marked_and_lead_to_their_memories(start: Start, world: World, qtbot: QtBot) -> None:
    application = opened(start(world.folder), qtbot)
    parts = application.parts
    assert parts is not None and application.workspace is not None
    with qtbot.waitSignal(parts.chat.controller.turn_ended, timeout=10_000):
        parts.chat.controller.send("We deploy on Fridays")
    session, message = parts.chat.controller.session_id, parts.chat.controller.messages[0].id
    store = application.workspace.store
    made = store.write("deploys.md", NOTE, base_digest=None, origin=ChangeOrigin("main", session, message))
    parts.search.open_session(session)
    viewer = application.workbench.editors.widget(f"session:{session}")
    assert isinstance(viewer, SessionViewer)
    qtbot.waitUntil(lambda: marked(viewer) == [message], timeout=10_000)
    view = next(one for one in viewer.messages.views if isinstance(one, MessageView) and one.message_id == message)
    view.mark.click()
    qtbot.waitUntil(lambda: application.workbench.editors.current_key() == "memory:deploys.md", timeout=10_000)
    store.undo(made.id)
    qtbot.waitUntil(lambda: marked(viewer) == [], timeout=10_000)
    application.workbench.editors.close(f"session:{session}")
    parts.search.marks.refresh()  # nothing is left to mark
