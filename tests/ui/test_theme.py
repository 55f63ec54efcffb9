"""Themes: every pair of text and ground can be read, the style sheet has no token that is missing, zoom scales, the system is followed."""

from __future__ import annotations

import json
import re

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QColor, QFontDatabase, QGuiApplication
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.base.resources import resource_text
from desktop.ui import theme

THEMES = (theme.DARK, theme.LIGHT)
PAIRS = [(name, text, ground) for name in THEMES for text, grounds in theme.TEXT_PAIRS for ground in grounds]


@pytest.mark.parametrize(("name", "text", "ground"), PAIRS, ids=lambda value: str(value))
def test_text_can_be_read(name: str, text: str, ground: str) -> None:
    found = theme.load(name)
    ratio = theme.contrast(found.color(text), found.color(ground))
    assert ratio >= 4.5, f"{text} on {ground}: {ratio:.2f}"


@pytest.mark.parametrize("name", THEMES)
@pytest.mark.parametrize("ground", ["editor", "side"])
@pytest.mark.parametrize("mark", ["focus", "accent", "modified", "memory", "added", "removed", "warning"])
def test_focus_and_marks_can_be_seen(name: str, ground: str, mark: str) -> None:
    """Marks that are no text need 3:1 against what they stand on."""
    found = theme.load(name)
    assert theme.contrast(found.color(mark), found.color(ground)) >= 3.0


def test_contrast_of_black_and_white() -> None:
    assert round(theme.contrast(QColor("#000000"), QColor("#FFFFFF")), 1) == 21.0


def test_both_themes_have_the_same_tokens() -> None:
    assert theme.load(theme.DARK).tokens == theme.load(theme.LIGHT).tokens


def test_the_design_s_colours() -> None:
    dark, light = theme.load(theme.DARK), theme.load(theme.LIGHT)
    assert (dark.hex("editor"), dark.hex("side"), dark.hex("memory")) == ("#1F1F1F", "#181818", "#E2B86B")
    assert (light.hex("editor"), light.hex("side"), light.hex("memory")) == ("#FFFFFF", "#F8F8F8", "#8A5A00")


@pytest.mark.parametrize("name", THEMES)
def test_the_style_sheet_is_whole(name: str) -> None:
    sheet = theme.style_sheet(theme.load(name))
    assert "@" not in sheet
    assert not re.search(r"<\d", sheet)
    assert sheet.count("{") == sheet.count("}")


def test_colours_of_text_in_the_style_sheet_are_among_the_tested_pairs() -> None:
    used = set(re.findall(r"(?<![-\w])color: @([a-z_]+)", resource_text("qss", "app.qss")))
    assert used <= {text for text, _ in theme.TEXT_PAIRS}


def test_theme_files_hold_plain_colours() -> None:
    for name in THEMES:
        for token, value in json.loads(resource_text("themes", f"{name}.json"))["colors"].items():
            assert re.fullmatch(r"#[0-9A-F]{6}", value), token


def test_apply_sets_palette_font_and_sheet_once(qapp: QApplication, qtbot: QtBot, dark: theme.Theme) -> None:
    changes: list[theme.Theme] = []
    theme.signals.theme_changed.connect(changes.append)
    try:
        theme.apply(qapp, theme.LIGHT)
        theme.apply(qapp, theme.LIGHT)
        assert [one.name for one in changes] == [theme.LIGHT]
        assert qapp.palette().window().color().name().upper() == "#F8F8F8"
        theme.apply(qapp, theme.LIGHT, 2.0)
        assert qapp.font().pixelSize() == 26
        assert "min-height: 44px" in qapp.styleSheet()
        theme.apply(qapp, theme.LIGHT, 99)
        assert theme.current().zoom == theme.MAX_ZOOM
    finally:
        theme.signals.theme_changed.disconnect(changes.append)


def test_the_system_is_followed(qapp: QApplication, dark: theme.Theme) -> None:
    hints = QGuiApplication.styleHints()
    theme.apply(qapp, theme.SYSTEM)
    hints.setColorScheme(Qt.ColorScheme.Light)
    try:
        if hints.colorScheme() != Qt.ColorScheme.Light:
            pytest.skip("this platform has no colour scheme to set")
        assert theme.current().name == theme.LIGHT
        theme.apply(qapp, theme.DARK)
        hints.setColorScheme(Qt.ColorScheme.Dark)
        hints.setColorScheme(Qt.ColorScheme.Light)
        assert theme.current().name == theme.DARK, "a chosen theme does not follow the system"
    finally:
        hints.unsetColorScheme()


def test_fonts_exist_and_draw_chinese(qapp: QApplication) -> None:
    known = set(QFontDatabase.families())
    assert set(theme.ui_families()) <= known
    assert set(theme.code_families()) <= known
    if any("CJK" in name for name in known):
        assert any("CJK" in name for name in theme.ui_families())
        assert "CJK" not in theme.ui_families()[0]
