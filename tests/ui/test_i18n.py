"""Languages: which one a choice means, what is loaded, plural forms, Qt's own texts, and going back."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QCoreApplication, QLocale
from PySide6.QtWidgets import QApplication, QDialogButtonBox
from pytestqt.qtbot import QtBot

import desktop
from desktop.ui import i18n


@pytest.fixture(autouse=True)
def english_again(qapp: QApplication) -> Iterator[None]:
    yield
    i18n.install("en")


@pytest.mark.parametrize(
    ("choice", "system", "expected"),
    [
        ("en", "zh_CN", "en"),
        ("zh_CN", "de_DE", "zh_CN"),
        ("system", "zh_CN", "zh_CN"),
        ("system", "zh_TW", "zh_CN"),
        ("system", "de_DE", "en"),
        ("nonsense", "en_US", "en"),
    ],
)
def test_which_language(choice: str, system: str, expected: str) -> None:
    assert i18n.resolve(choice, QLocale(system)) == expected


def test_chinese_and_back() -> None:
    translate = QCoreApplication.translate
    assert i18n.install("zh_CN") == "zh_CN" == i18n.current()
    assert translate("EditorArea", "Save") == "保存"
    assert QLocale().name().startswith("zh")
    i18n.install("en")
    assert translate("EditorArea", "Save") == "Save"


def test_plural_forms() -> None:
    translate = QCoreApplication.translate
    i18n.install("en")
    assert translate("Workbench", "%n notifications", "", 1) == "1 notification"
    assert translate("Workbench", "%n notifications", "", 3) == "3 notifications"
    i18n.install("zh_CN")
    assert translate("Workbench", "%n notifications", "", 3) == "3 条通知"


def test_qt_s_own_buttons_are_translated(qtbot: QtBot) -> None:
    i18n.install("zh_CN")
    box = QDialogButtonBox(QDialogButtonBox.StandardButton.Cancel)
    qtbot.addWidget(box)
    text = box.button(QDialogButtonBox.StandardButton.Cancel).text()
    assert "取消" in text


def test_each_language_is_named_in_itself() -> None:
    assert i18n.NAMES["zh_CN"] == "简体中文"
    assert set(i18n.NAMES) == set(i18n.LANGUAGES)


def test_no_text_for_people_hides_in_an_f_string() -> None:
    """Qt's tool does not look into them: such a text would never be translated, and its plural never formed."""
    package = Path(desktop.__file__).parent
    hidden = [
        f"{path.relative_to(package)}:{call.lineno}"
        for folder in ("ui", "app", "bridge")
        for path in (package / folder).rglob("*.py")
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8")))
        if isinstance(node, ast.JoinedStr)
        for call in ast.walk(node)
        if isinstance(call, ast.Call) and getattr(call.func, "attr", getattr(call.func, "id", "")) in ("tr", "translate")
    ]
    assert hidden == []
