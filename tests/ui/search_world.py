"""Search in a window on real services, for the tests of the Search view: memory, sessions, tabs, and an index of its own."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import timedelta

from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.app.memory_part import MemoryPart
from desktop.app.search_part import SearchPart
from desktop.app.sessions_part import SessionsPart
from desktop.base.ids import new_message_id
from desktop.commands.registry import CommandRegistry
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.sessions.handle import SessionHandle
from desktop.ui.search.results import ResultRow
from desktop.ui.search.view import SearchView
from desktop.ui.workbench import Workbench
from tests.ui.memory_world import World

Said = tuple[str, str]
"""Who said it (user, assistant) and what."""


def say_all(world: World, said: Sequence[Said], *, project_key: str = "") -> SessionHandle:
    """A stored session; its handle is still open, so that more can be said."""
    project = world.workspace.project
    handle = world.services.sessions.create(
        project_key=project_key or project.key, workspace=world.workspace.folder, memory_enabled=True, model="m"
    )
    for number, (role, text) in enumerate(said):
        add(handle, role, text, minutes=number)
    return handle


def add(handle: SessionHandle, role: str, text: str, *, minutes: int = 0, parent: str | None = "") -> Message:
    """One more message of a session, behind its last one or behind `parent`."""
    now = handle.header.created + timedelta(minutes=minutes)
    before = (handle.messages[-1].id if handle.messages else None) if parent == "" else parent
    origin, stop = ("person", None) if role == "user" else ("model", "end")
    message = Message(new_message_id(now), role, (TextPart(text),), now, before, origin, None, None, stop)  # type: ignore[arg-type]
    handle.append(message)
    return message


def add_call(handle: SessionHandle, output: str) -> Message:
    """A call of a tool with its result; gives the message that holds the result."""
    now = handle.header.created
    part, last = ToolCallPart("c1", "Bash", {"command": "ls"}), handle.messages[-1].id
    call = Message(new_message_id(now), "assistant", (part,), now, last, "model", stop="tool_calls")
    handle.append(call)
    result = Message(new_message_id(now), "tool", (ToolResultPart("c1", "Bash", output),), now, call.id, "tool")
    handle.append(result)
    return result


class Window:
    """A workbench with memory, sessions and search in it. Not given to qtbot, which would delete it before `close`."""

    def __init__(self, world: World, qtbot: QtBot) -> None:
        self.world = world
        self.qtbot = qtbot
        self.bench = Workbench(CommandRegistry())
        self.memory = MemoryPart(world.services, self.bench, world.operations)
        self.sessions = SessionsPart(world.services, self.bench, world.operations)
        self.search = SearchPart(world.services, self.bench, world.operations)
        self.search.memory_requested.connect(self.memory.tabs.reveal)
        self.search.reveal_requested.connect(self.memory.reveal)
        self.search.reference_copied.connect(self.sessions.copy_reference)
        self.memory.controller.files_changed.connect(self.search.controller.refresh_memory)
        self.memory.panel.set_finder(self.search.controller.finder)
        self.bench.resize(1_100, 700)
        self.bench.show()

    @property
    def view(self) -> SearchView:
        return self.search.view

    def open(self) -> None:
        """Open the folder and wait until everything is indexed."""
        self.bench.registry.set_fact("folderOpen", True)
        self.memory.set_workspace(self.world.workspace)
        self.search.set_workspace(self.world.workspace)
        self.indexed()

    def indexed(self) -> None:
        controller = self.memory.controller
        self.until(lambda: self.search.controller.ready and controller.snapshot is not None and controller.snapshot.is_whole)
        for watcher in controller.watchers:
            watcher.join()
        self.settle()

    def settle(self) -> None:
        """Until nothing is read, searched or indexed any more."""

        def quiet() -> bool:
            memory, search = self.memory.controller, self.search.controller
            return not memory.is_reading and not search.busy and self.world.operations.pending == 0

        self.until(quiet)

    def until(self, condition: Callable[[], object]) -> None:
        self.qtbot.waitUntil(lambda: bool(condition()), timeout=20_000)

    def type(self, text: str) -> None:
        """Type into the box as the person does, and wait for the answer."""
        self.view.box.setFocus()
        self.view.box.selectAll()
        QTest.keyClicks(self.view.box, text) if text.isascii() else self.view.box.setText(text)
        self.answered()

    def answered(self) -> None:
        """Until what is shown answers what is asked."""
        self.until(lambda: self.view.query().is_blank or self.view._is_answered())
        self.settle()

    def rows(self, *kinds: str) -> list[ResultRow]:
        """What is shown, from top to bottom."""
        return [row for row in self.view.model.results.rows if not kinds or row.kind in kinds]

    def texts(self, *kinds: str) -> list[str]:
        return [row.line.text for row in self.rows(*kinds)]

    def choose(self, kind: str, words: str = "") -> ResultRow:
        """Make the first row of this kind that holds these words current."""
        row = next(row for row in self.rows(kind) if words in row.line.text)
        assert self.view.tree.choose(row.key)
        return row

    def press(self, key: Qt.Key, widget: QWidget | None = None, modifier: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        target = widget or self.bench.focusWidget()
        assert target is not None
        QTest.keyClick(target, key, modifier)

    def page(self) -> tuple[str, str, list[str]]:
        """Title, text and offers of the page that stands in place of results; empty when there are results."""
        page = self.view.page
        return (page.title.text(), page.body.text(), [one.text() for one in page.buttons]) if page.isVisible() else ("", "", [])

    def click(self, offer: str) -> None:
        """Press what the page offers."""
        next(one for one in self.view.page.buttons if one.text() == offer).click()
        self.answered()

    def tabs(self) -> list[str]:
        return self.bench.editors.open_keys()

    def close(self) -> None:
        for key in self.tabs():
            self.bench.editors.close(key)
        self.search.close()
        self.until(lambda: self.world.operations.pending == 0)
        self.memory.close()
        self.sessions.close()
        self.until(lambda: self.world.operations.pending == 0)
        self.world.services.memory_search.close()
        self.world.services.session_search.close()
        self.bench.deleteLater()
