"""Little room: panes at 150 % and 200 %, in a narrow and low window. What does not fit wraps, is cut or scrolls, and overlaps nothing."""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from itertools import pairwise

import pytest
from PySide6.QtCore import QPoint, QRect
from PySide6.QtWidgets import QApplication, QLabel, QPushButton, QToolButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.commands.registry import Command, CommandRegistry
from desktop.ui import theme
from desktop.ui.chat.composer_edit import ComposerEdit
from desktop.ui.chat.empty_state import EmptyState, PromptButton
from desktop.ui.chat.items import UserEntry
from desktop.ui.chat.message_list import MessageList
from desktop.ui.editor.watermark import Watermark
from desktop.ui.title_bar import TitleBar
from tests.helpers.clock import FixedClock


@pytest.fixture(params=[1.0, 1.5, 2.0])
def zoom(request: pytest.FixtureRequest, qapp: QApplication) -> Iterator[float]:
    theme.apply(qapp, theme.DARK, request.param)
    yield request.param
    theme.apply(qapp, theme.DARK, 1.0)


def inside(widget: QWidget, room: QWidget) -> bool:
    return place(widget, room).right() < room.width()


def is_whole(button: PromptButton) -> bool:
    return button.height() >= button.heightForWidth(button.width())


def shown(qtbot: QtBot, width: int, height: int) -> QWidget:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(width, height)
    window.show()
    return window


def place(widget: QWidget, within: QWidget) -> QRect:
    return QRect(widget.mapTo(within, QPoint(0, 0)), widget.size())


@pytest.mark.parametrize(("width", "height"), [(420, 600), (300, 600), (260, 220)])
def test_the_prompts_of_an_empty_chat_are_whole(qtbot: QtBot, zoom: float, width: int, height: int) -> None:
    window = shown(qtbot, width, height)
    empty = EmptyState(window)
    empty.resize(window.size())
    empty.set_folder("demo")
    empty.show()
    qtbot.waitUntil(lambda: all(one.width() > 40 for one in empty.findChildren(PromptButton)))
    room = empty.widget()
    assert room is not None
    qtbot.waitUntil(lambda: room.width() == empty.viewport().width())  # it scrolls up and down only

    def is_apart() -> bool:
        """Nothing stands over another one."""
        rows = [place(one, room) for one in (empty.heading, empty.said, *empty.findChildren(PromptButton))]
        return all(above.bottom() < below.top() for above, below in pairwise(rows))

    qtbot.waitUntil(is_apart)
    for button in empty.findChildren(PromptButton):
        qtbot.waitUntil(partial(is_whole, button))
        assert place(button, room).right() < room.width()
    asked: list[str] = []
    empty.prompt_requested.connect(asked.append)
    empty.findChildren(PromptButton)[-1].click()
    assert asked == [empty.prompts()[-1]]


def test_a_long_prompt_takes_more_lines_only_where_it_must(qtbot: QtBot, dark: theme.Theme) -> None:
    window = shown(qtbot, 900, 400)
    button = PromptButton("What do you remember about this project?", window)
    one = button.heightForWidth(800)
    assert one == button.sizeHint().height() and button.heightForWidth(150) > one


def test_messages_are_never_wider_than_their_pane(qtbot: QtBot, zoom: float) -> None:
    """Also when the pane was wide before: a bubble must not hold it open."""
    window = shown(qtbot, 900, 400)
    messages = MessageList(window)
    messages.resize(900, 400)
    messages.show()
    messages.show_entries([UserEntry("u1", "Hello, what do we use for packages here, and why is that so? " * 4, FixedClock().now())])
    qtbot.waitUntil(lambda: messages.views[0].width() > 500)
    for width in (300, 240):
        messages.resize(width, 400)
        qtbot.waitUntil(lambda: messages.inside.width() == messages.viewport().width())
        bubble = messages.views[0].bubble  # type: ignore[attr-defined]
        qtbot.waitUntil(partial(inside, bubble, messages.viewport()))


@pytest.mark.parametrize("width", [1_440, 900, 700])
def test_the_command_centre_gives_way_to_the_switches(qtbot: QtBot, zoom: float, width: int) -> None:
    registry = CommandRegistry()
    for command in ("view.toggleSideBar", "view.toggleChat", "palette.show"):
        registry.register(Command(command, command, lambda: None))
    window = shown(qtbot, width, 200)
    bar = TitleBar(registry, window)
    bar.set_title("a project with a rather long name")
    bar.refresh()
    bar.resize(width, bar.height())
    bar.show()
    center = bar.findChild(QPushButton, "commandCenter")
    assert center is not None
    for button in bar.findChildren(QToolButton):
        if button.objectName().startswith("title_"):
            assert not place(button, bar).intersects(place(center, bar))
            assert place(button, bar).right() <= bar.width()
    if width == 1_440 and zoom == 1.0:
        assert center.width() == 360, "as wide as ever where there is room"


def test_what_is_typed_never_pushes_the_rest_out_of_a_low_pane(qtbot: QtBot, dark: theme.Theme) -> None:
    window = shown(qtbot, 400, 300)
    edit = ComposerEdit(window)
    edit.resize(380, 40)
    edit.put("\n".join(str(n) for n in range(40)))
    high = edit.height()
    edit.set_most(60)
    assert edit.height() < high and edit.height() <= 60 + 6
    edit.set_most(1)
    assert edit.height() >= 2 * QLabel("x").fontMetrics().height() - 8, "two lines are always seen"
    edit.set_most(10_000)
    assert edit.height() == high


def test_the_keys_of_an_empty_editor_are_whole_or_not_there(qtbot: QtBot, zoom: float) -> None:
    window = shown(qtbot, 800, 500)
    mark = Watermark(window)
    mark.set_rows([("Show All Commands", "Ctrl+Shift+P"), ("Open Folder…", "Ctrl+O")])
    mark.show()
    for width in (700, 60, 700):
        mark.resize(width, 400)
        keys = [one for one in mark.findChildren(QLabel) if one.property("role") == "key"]
        assert all(one.isVisible() for one in keys) if width == 700 else not any(one.isVisible() for one in keys)
