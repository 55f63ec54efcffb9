"""The approval card: what is shown is what will happen, and nothing is answered by accident."""

from __future__ import annotations

from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QInputMethodEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.messages.events import ApprovalAnswer, ApprovalRequest
from desktop.messages.parts import ToolCallPart
from desktop.ui import theme
from desktop.ui.chat.approval_card import ApprovalCard
from desktop.ui.chat.diff_view import DiffView
from desktop.ui.chat.exact import ExactView, exact, is_unseen
from desktop.ui.chat.tool_card import ToolCard
from tests.helpers.script import call
from tests.ui.chat_world import ChatWorld

Key = Qt.Key


def request(content: str = "echo hi", target: str | None = None, diff: str | None = None, title: str = "Run a command") -> ApprovalRequest:
    return ApprovalRequest(
        "a1", ToolCallPart("a1", "Bash", {}), title, content if target is None else target, content, diff, "It can do anything."
    )


def card_of(qtbot: QtBot, asked: ApprovalRequest) -> tuple[ApprovalCard, list[ApprovalAnswer]]:
    card = ApprovalCard(None, asked)  # type: ignore[arg-type]
    qtbot.addWidget(card)
    card.resize(420, 300)
    card.show()
    answers: list[ApprovalAnswer] = []
    card.answered.connect(answers.append)
    return card, answers


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("plain\ttext\n", "plain\ttext\n"),
        ("a\u202eb", "a\\u{202e}b"),
        ("a\u200db", "a\\u{200d}b"),
        ("a\u00a0b\u3000c\u2003d", "a\\u{a0}b\\u{3000}c\\u{2003}d"),
        ("\x1b[2K\r", "\\u{1b}[2K\\u{d}"),
        ("x\ufe0fy\U000e0041", "x\\u{fe0f}y\\u{e0041}"),
        ("\u3164\u2800\u115f", "\\u{3164}\\u{2800}\\u{115f}"),
        ("中文 é ☃ 👍", "中文 é ☃ 👍"),
        ("\ud800", "\\u{d800}"),
    ],
)
def test_unseen_characters_stand_as_escapes(text: str, shown: str) -> None:
    found = exact(text)
    assert found.text == shown
    assert len(found.escapes) == sum(is_unseen(c) for c in text)


def test_marks_lie_on_the_escapes_also_behind_wide_characters(qtbot: QtBot, dark: theme.Theme) -> None:
    view = ExactView(None, "👍👍 a\u202eb")  # type: ignore[arg-type]
    qtbot.addWidget(view)
    assert [mark.cursor.selectedText() for mark in view.extraSelections()] == ["\\u{202e}"]


def test_the_exact_content_is_there_whole(qtbot: QtBot, dark: theme.Theme) -> None:
    content = "\n".join(f"line {n}" for n in range(3_000)) + "\nrm -rf x\u202e"
    card, _ = card_of(qtbot, request(content))
    assert card.content is not None
    assert card.content.toPlainText() == content.replace("\u202e", "\\u{202e}")
    assert card.content.verticalScrollBar().maximum() > 0
    assert card.content.isReadOnly()
    assert any("escapes: 1" in label.text() for label in card.findChildren(type(card.state)))


def test_the_card_says_which_key_allows_it(qtbot: QtBot, dark: theme.Theme) -> None:
    card, answers = card_of(qtbot, request())
    assert "Ctrl+Return" in card.hint.text()
    QTest.keyClick(card, Key.Key_Return)
    assert answers == [], "Return alone is what somebody was typing"
    QTest.keyClick(card, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert [answer.choice for answer in answers] == ["once"] and not card.hint.isVisible()


def test_the_resolved_target_is_shown_with_its_unseen_characters(qtbot: QtBot, dark: theme.Theme) -> None:
    card, _ = card_of(qtbot, request("content", target="/etc/pass\u200bwd"))
    assert card.target is not None and card.target.toPlainText() == "/etc/pass\\u{200b}wd"


def test_a_change_shows_its_diff_and_the_whole_content_on_demand(qtbot: QtBot, dark: theme.Theme) -> None:
    diff = "--- a\n+++ b\n@@ -1 +1 @@\n-old\n+new\n"
    card, _ = card_of(qtbot, request("new\nfile\u202e", target="/w/a.py", diff=diff))
    shown = card.findChild(DiffView)
    assert shown is not None and shown.toPlainText() == "@@ -1 +1 @@\n-old\n+new"
    assert card.content is None
    card.fold.set_open(True)
    shown_whole = card.findChild(ExactView, "exactView")
    assert shown_whole is not None and shown_whole.toPlainText() == "new\nfile\\u{202e}"


@pytest.mark.parametrize("choice", ["once", "session", "always", "deny"])
def test_every_button_answers_once(choice: str, qtbot: QtBot, dark: theme.Theme) -> None:
    card, answers = card_of(qtbot, request())
    card.reason.setText("  use git  ")
    button = getattr(card, choice)
    button.click()
    button.click()
    assert answers == [ApprovalAnswer(choice, "use git" if choice == "deny" else "")]  # type: ignore[arg-type]
    assert not card.open
    assert card.state.isVisible() and card.state.text()


def test_keys_that_somebody_types_answer_nothing(qtbot: QtBot, dark: theme.Theme) -> None:
    card, answers = card_of(qtbot, request())
    card.activateWindow()
    card.setFocus()
    for key in (Key.Key_Return, Key.Key_Space, Key.Key_Y, Key.Key_A, Key.Key_Enter):
        QTest.keyClick(card, key)
    assert answers == [] and card.open
    QTest.keyClick(card, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    assert answers == [ApprovalAnswer("once")]


def test_tab_reaches_the_buttons_and_return_presses_them(qtbot: QtBot, dark: theme.Theme) -> None:
    card, answers = card_of(qtbot, request())
    card.activateWindow()
    card.setFocus()
    qtbot.waitUntil(card.hasFocus)
    for _ in range(4):
        if card.once.hasFocus():
            break
        card.focusNextChild()
    assert card.once.hasFocus()
    card.focusNextChild()
    card.focusNextChild()
    card.focusNextChild()
    assert card.deny.hasFocus()
    QTest.keyClick(card.deny, Key.Key_Return)
    assert answers == [ApprovalAnswer("deny")]


def test_return_in_the_reason_denies_with_it(qtbot: QtBot, dark: theme.Theme) -> None:
    card, answers = card_of(qtbot, request())
    QTest.keyClicks(card.reason, "not here")
    QTest.keyClick(card.reason, Key.Key_Return)
    assert answers == [ApprovalAnswer("deny", "not here")]


def test_names_for_a_screen_reader(qtbot: QtBot, dark: theme.Theme) -> None:
    card, _ = card_of(qtbot, request(title="Run\u202e it"))
    assert "Run" in card.accessibleName() and "\u202e" not in card.accessibleName()
    assert card.accessibleDescription()


# --- in the chat ------------------------------------------------------------------------------------------------------


def test_an_approval_in_the_chat_gets_the_focus_and_its_answer_runs_the_call(
    qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme
) -> None:
    world = ChatWorld(
        qtbot, tmp_path, operations, {"tool_calls": [call("Write", file_path="notes.txt", content="hello\n")]}, {"text": "written"}
    )
    try:
        world.open()
        world.pane.activateWindow()
        world.pane.focus_composer()
        qtbot.waitUntil(world.pane.composer.edit.hasFocus)
        world.send("write it")
        world.until(lambda: world.pane.live.open_questions, "a question")
        card = world.pane.live.open_questions[0]
        world.until(card.hasFocus, "the focus on the card")
        assert card.target is not None and str(world.desk.workspace_folder / "notes.txt") in card.target.toPlainText()
        views = list(world.pane.messages.views)
        assert isinstance(views[views.index(card) - 1], ToolCard), "it stands below its call"
        with qtbot.waitSignal(world.controller.turn_ended):
            QTest.keyClick(card, Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
        assert (world.desk.workspace_folder / "notes.txt").read_text(encoding="utf-8") == "hello\n"
        assert world.pane.composer.edit.hasFocus(), "the focus goes back to where it was"
    finally:
        world.close()


def test_a_question_does_not_take_the_focus_out_of_a_half_written_word(
    qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme
) -> None:
    world = ChatWorld(qtbot, tmp_path, operations, {"tool_calls": [call("Bash", command="echo hi")], "delay_ms": 100}, {"text": "ok"})
    try:
        world.open()
        world.pane.activateWindow()
        world.pane.focus_composer()
        qtbot.waitUntil(world.pane.composer.edit.hasFocus)
        world.send("run it")
        QApplication.sendEvent(world.pane.composer.edit, QInputMethodEvent("ni", []))
        world.until(lambda: world.pane.live.open_questions, "a question")
        qtbot.wait(50)
        assert world.pane.composer.edit.hasFocus()
        with qtbot.waitSignal(world.controller.turn_ended):
            world.controller.stop()
        card = world.views(ApprovalCard)[0]
        assert not card.open and "stopped" in card.state.text()
    finally:
        world.close()


def test_tool_tips_never_load_what_a_name_says(qtbot: QtBot, dark: theme.Theme) -> None:
    from desktop.ui.chat.surface import tip

    assert "<img" not in tip("<img src=file:///etc/passwd>.md")
    assert tip("") == ""
