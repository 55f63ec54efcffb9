"""The wide faces are loaded for who writes Chinese, Japanese or Korean; a chat that opens again and again leaves no group of actions."""

from __future__ import annotations

import pytest
from PySide6.QtGui import QActionGroup
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.ui.chat.composer import Composer
from desktop.ui.chat.font_warmer import LOOKED_AT, FontWarmer, is_wide


@pytest.mark.parametrize(
    ("text", "wide"), [("plain", False), ("é — “ü”", False), ("读", True), ("かな", True), ("한글", True), ("全，", True)]
)
def test_scripts_are_told_apart(text: str, wide: bool) -> None:
    assert is_wide(text) is wide


def test_only_the_beginning_of_a_text_is_looked_at() -> None:
    assert not is_wide("é" * LOOKED_AT + "读")


def steps(qtbot: QtBot, text: str) -> int:
    """How many styles are loaded for somebody who writes this."""
    parent = QWidget()
    qtbot.addWidget(parent)
    warmer = FontWarmer(parent)
    count = [0]
    plain = warmer._step

    def counted() -> None:
        count[0] += 1
        plain()

    warmer._timer.timeout.disconnect()
    warmer._timer.timeout.connect(counted)
    warmer.begin(0, texts=(text,))
    qtbot.waitUntil(lambda: not warmer.busy, timeout=20_000)
    return count[0]


def test_wide_faces_are_loaded_for_who_needs_them(qtbot: QtBot) -> None:
    assert 2 * steps(qtbot, "hello") == steps(qtbot, "你好")


def test_the_models_of_every_chat_share_one_group(qtbot: QtBot) -> None:
    parent = QWidget()
    composer = Composer(parent)
    qtbot.addWidget(parent)
    menu = composer.model_button.menu()
    for number in range(5):
        composer.set_models([("a", "A"), ("b", f"B {number}")], "a")
    qtbot.waitUntil(lambda: len(menu.findChildren(QActionGroup)) == 1, timeout=5_000)
    assert [action.isChecked() for action in menu.actions() if action.isCheckable()] == [True, False]
