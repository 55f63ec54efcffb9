"""The welcome page: what it shows, what it asks for, narrow and wide, plain text only."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QBoxLayout, QFrame, QLabel, QPushButton
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.cut import CutLink
from desktop.ui.welcome import FolderRow, ModelState, SessionRow, WelcomePage


@pytest.fixture
def page(qtbot: QtBot, dark: theme.Theme) -> Iterator[WelcomePage]:
    made = WelcomePage()
    qtbot.addWidget(made)
    made.resize(1000, 700)
    made.show()
    yield made


def press(page: WelcomePage, text: str, qtbot: QtBot) -> None:
    def found() -> list[QPushButton]:
        return [one for one in page.findChildren(QPushButton) if one.text() == text and one.isVisible()]

    qtbot.waitUntil(lambda: len(found()) == 1)
    QTest.mouseClick(found()[0], Qt.MouseButton.LeftButton)


def test_folders_and_sessions_lead_on(page: WelcomePage, qtbot: QtBot) -> None:
    page.set_folders([FolderRow("/home/x/项目", "项目", "~")])
    page.set_sessions([SessionRow("sess_1", "Which package manager?", "项目 · 3 min")])
    with qtbot.waitSignal(page.folder_requested) as folder:
        press(page, "项目", qtbot)
    assert folder.args == ["/home/x/项目"]
    with qtbot.waitSignal(page.session_requested) as session:
        press(page, "Which package manager?", qtbot)
    assert session.args == ["sess_1"]


def test_without_any_it_says_so(page: WelcomePage) -> None:
    texts = " ".join(page.texts())
    assert "Folders that you open are listed here." in texts
    assert "Your chats are listed here." in texts


def test_a_new_chat_needs_a_folder(page: WelcomePage, qtbot: QtBot) -> None:
    assert "New Chat" not in page.texts()
    page.set_folder_open(True)
    with qtbot.waitSignal(page.command_requested) as asked:
        press(page, "New Chat", qtbot)
    assert asked.args == ["session.new"]


def test_the_model_card(page: WelcomePage, qtbot: QtBot) -> None:
    page.set_model(ModelState(False, "No model is installed yet", "Download one.", ("Choose…", "models.open")))
    with qtbot.waitSignal(page.command_requested) as asked:
        press(page, "Choose…", qtbot)
    assert asked.args == ["models.open"]
    page.set_model(ModelState(True, "It is ready", ""))
    assert not any(one.text() == "Choose…" and one.isVisible() for one in page.findChildren(QPushButton))


def test_two_columns_or_one(page: WelcomePage, qtbot: QtBot) -> None:
    assert page._columns.direction() == QBoxLayout.Direction.LeftToRight
    page.resize(500, 700)
    qtbot.waitUntil(lambda: page._columns.direction() == QBoxLayout.Direction.TopToBottom)


def test_titles_are_plain_and_short(page: WelcomePage) -> None:
    page.set_sessions([SessionRow("sess_1", "<b>" + "x" * 500, "a & b")])
    button = next(one for one in page.findChildren(QPushButton) if one.text().startswith("<b>"))
    assert len(button.text()) <= 48
    assert button.window().rect().contains(button.geometry())


def test_every_button_is_named(page: WelcomePage) -> None:
    assert all(one.accessibleName() for one in page.findChildren(QPushButton))


@pytest.mark.parametrize("width", [260, 420, 1000])
def test_long_titles_are_cut_and_nothing_is_wider_than_the_page(page: WelcomePage, qtbot: QtBot, width: int) -> None:
    title = "A question about the album page that is far too long"
    page.set_sessions([SessionRow("sess_1", title, "keepsake-demo · 4 h")])
    page.set_folders([FolderRow("/x", "a-folder-with-a-very-long-name-" * 2, "~/projects/in/a/deep/place")])
    page.resize(width, 700)
    qtbot.waitUntil(lambda: page.viewport().width() >= width - 20)
    inside = page.widget()
    assert inside is not None and inside.minimumSizeHint().width() <= page.viewport().width()
    link = next(one for one in page.findChildren(CutLink) if one.text().startswith("A question"))
    assert link.toolTip() == title
    if width == 260:
        qtbot.waitUntil(lambda: link.shown_text().endswith("…") and len(link.shown_text()) < 47)


def test_the_card_s_text_stands_under_its_title(page: WelcomePage, qtbot: QtBot) -> None:
    page.set_model(ModelState(True, "It is ready", "It runs on this machine.", ("Models…", "models.open")))

    def cards() -> list[QFrame]:
        return [one for one in page.findChildren(QFrame, "modelCard") if one.isVisible()]

    qtbot.waitUntil(lambda: len(cards()) == 1)
    card = cards()[0]
    labels = {one.text(): one for one in card.findChildren(QLabel)}
    title, text = labels["It is ready"], labels["It runs on this machine."]
    qtbot.waitUntil(lambda: title.x() > 0 and title.x() == text.x())
    button = next(one for one in card.findChildren(QPushButton) if one.text() == "Models…")
    assert button.x() == text.x()
