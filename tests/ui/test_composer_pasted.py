"""Long pasted texts in the composer: folded into pieces that undo, clipboard, drafts, history and editing carry whole."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.ui import theme
from desktop.ui.chat import pasted
from desktop.ui.chat.composer import Composer
from desktop.ui.chat.composer_edit import DRAFT_MIME
from desktop.ui.chat.folded_output import FoldedOutput
from desktop.ui.chat.message_views import UserView
from desktop.ui.chat.pasted import CLOSE, FOLD_CHARACTERS, FOLD_LINES, OPEN, marked, parts_of, plain
from desktop.ui.chat.pasted_pieces import OBJECT
from desktop.ui.chat.popover import Popover
from tests.helpers.counts import tell
from tests.ui.chat_world import ChatWorld
from tests.ui.composer_world import focused_composer

Key = Qt.Key
LINE = "x" * 500_000
LINES = "\n".join(f"{number} a line of a log" for number in range(1_240))


@pytest.fixture
def composer(qtbot: QtBot, dark: theme.Theme) -> Iterator[Composer]:
    yield from focused_composer(qtbot, QSize(620, 600), QRect(10, 300, 600, 200))


def paste(composer: Composer, text: str) -> None:
    QGuiApplication.clipboard().setText(text)
    composer.edit.paste()


def captions(composer: Composer) -> list[str]:
    return [chip.accessibleName() for chip in composer.pasted.chips]


@pytest.mark.parametrize(
    ("text", "is_folded"),
    [
        ("x" * FOLD_CHARACTERS, False),
        ("x" * (FOLD_CHARACTERS + 1), True),
        ("a\n" * FOLD_LINES, False),
        ("a\n" * FOLD_LINES + "\n", True),
        ("中" * (FOLD_CHARACTERS + 1), True),
        (LINE, True),
        (LINES, True),
    ],
)
def test_only_a_paste_over_the_threshold_is_folded(composer: Composer, text: str, is_folded: bool) -> None:
    paste(composer, text)
    assert composer.text == text, "what is written is whole in either case"
    assert (composer.edit.toPlainText() == OBJECT) is is_folded
    assert composer.pasted.isVisible() is is_folded and len(composer.pasted.chips) == is_folded


def test_it_stands_where_it_was_pasted_and_is_sent_whole(composer: Composer) -> None:
    sent: list[str] = []
    composer.send_requested.connect(sent.append)
    composer.edit.insertPlainText("see 😀 ")
    paste(composer, LINES)
    QTest.keyClicks(composer.edit, " and ")
    paste(composer, LINE)
    QTest.keyClicks(composer.edit, "?")
    assert len(composer.edit.toPlainText()) < 30
    QTest.keyClick(composer.edit, Key.Key_Return)
    whole = f"see 😀 {LINES} and {LINE}?"
    assert sent == [whole]
    composer.accepted()
    assert composer.text == "" and not composer.pasted.isVisible()
    QTest.keyClick(composer.edit, Key.Key_Up)
    assert composer.text == whole and len(composer.pasted.chips) == 2, "the history gives it back as it was folded"


def test_the_chip_says_lines_and_size(composer: Composer) -> None:
    paste(composer, LINES)
    QTest.keyClicks(composer.edit, " ")
    paste(composer, LINE)
    assert captions(composer)[0].startswith("Pasted text · 1,240 lines · ") and captions(composer)[0].lower().endswith(" kb")
    assert captions(composer)[1].startswith("Pasted text · 1 line · ")
    assert "about 1" in composer.estimate.text(), "its tokens count"


def test_undo_takes_the_paste_back_and_redo_brings_it(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "a ")
    paste(composer, LINES)
    composer.edit.undo()
    assert composer.text == "a " and not composer.pasted.isVisible()
    composer.edit.redo()
    assert composer.text == "a " + LINES and composer.pasted.isVisible()
    QTest.keyClick(composer.edit, Key.Key_Backspace)
    assert composer.text == "a ", "one key takes it out"
    composer.edit.undo()
    assert composer.text == "a " + LINES


def test_expand_and_remove_can_be_undone(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "a ")
    paste(composer, LINES)
    QTest.keyClicks(composer.edit, " b")
    whole = f"a {LINES} b"
    composer.pasted.chips[0].expand.click()
    assert composer.edit.toPlainText() == composer.text == whole and not composer.pasted.isVisible()
    composer.edit.undo()
    assert composer.text == whole and len(composer.edit.toPlainText()) == 5
    composer.pasted.chips[0].cross.click()
    assert composer.text == "a  b"
    composer.edit.undo()
    assert composer.text == whole
    QTest.keyClick(composer.pasted.chips[0], Key.Key_Delete)
    assert composer.text == "a  b"


def test_what_is_too_long_to_be_edited_is_not_expanded(composer: Composer) -> None:
    paste(composer, "x" * 1_000_001)
    assert not composer.pasted.chips[0].expand.isEnabled()


def test_a_press_shows_the_text(composer: Composer, qtbot: QtBot) -> None:
    paste(composer, LINES)
    QTest.keyClicks(composer.edit, " what is it?")
    cursor = QTextCursor(composer.edit.document())
    place = composer.edit.cursorRect(cursor)
    QTest.mouseClick(composer.edit.viewport(), Qt.MouseButton.LeftButton, pos=place.center() + QPoint(60, 0))
    shown = composer.window().findChild(Popover)
    assert shown is not None and shown.is_open
    output = shown.findChild(FoldedOutput)
    assert output is not None and output.view.toPlainText().startswith("0 a line of a log\n1 a line")
    QTest.keyClick(shown, Key.Key_Escape)
    beside = QPoint(composer.edit.viewport().width() - 4, place.center().y())
    QTest.mouseClick(composer.edit.viewport(), Qt.MouseButton.LeftButton, pos=beside)
    assert not [one for one in composer.window().findChildren(Popover) if one.is_open]
    QTest.keyClick(composer.pasted.chips[0].button, Key.Key_Return)
    again = [one for one in composer.window().findChildren(Popover) if one.is_open]
    assert len(again) == 1
    again[0].close_it()


def test_what_is_copied_is_whole_and_pasted_again_as_it_was(composer: Composer) -> None:
    composer.edit.insertPlainText("🎉 before ")
    paste(composer, LINES)
    QTest.keyClicks(composer.edit, " behind")
    composer.edit.selectAll()
    composer.edit.copy()
    whole = f"🎉 before {LINES} behind"
    assert QGuiApplication.clipboard().text() == whole
    composer.edit.cut()
    assert composer.text == ""
    composer.edit.paste()
    assert composer.text == whole and composer.edit.toPlainText() == f"🎉 before {OBJECT} behind"
    cursor = composer.edit.textCursor()
    cursor.setPosition(4)
    cursor.setPosition(9, QTextCursor.MoveMode.KeepAnchor)
    composer.edit.setTextCursor(cursor)
    composer.edit.copy()
    data = QGuiApplication.clipboard().mimeData()
    assert data.text() == "efore" and not data.hasFormat(DRAFT_MIME)


def test_tab_leads_through_the_chips_into_the_text(composer: Composer, qtbot: QtBot) -> None:
    """They stand above it, however young they are: the keyboard finds them where the eye does."""
    composer.edit.insert_references(["sess_01JABCDEFGHJKMNPQRSTVWXYZ0"])
    paste(composer, LINES)
    paste(composer, LINE)
    stops = [stop for chip in composer.references.chips for stop in chip.stops]
    stops += [stop for chip in composer.pasted.chips for stop in chip.stops]
    usable = [stop for stop in stops if stop.isEnabled()]
    assert len(usable) >= 6
    for stop in reversed(usable):
        QTest.keyClick(QApplication.focusWidget() or composer, Key.Key_Backtab)
        assert QApplication.focusWidget() is stop
    for stop in [*usable[1:], composer.edit]:
        QTest.keyClick(QApplication.focusWidget() or composer, Key.Key_Tab)
        assert QApplication.focusWidget() is stop


@pytest.mark.parametrize("height", [400, 600])
def test_in_a_low_window_nothing_lies_over_the_lines_of_a_preview(qtbot: QtBot, dark: theme.Theme, height: int) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    holder.resize(600, height)
    made = Composer(holder)
    made.setGeometry(10, height - 130, 580, 120)
    holder.show()
    paste(made, LINES.replace("log", "log of a length that is not drawn at once in a preview of it"))
    popover = made.pasted.chips[0].preview()
    output = popover.findChild(FoldedOutput)
    assert output is not None
    row = output.more.parentWidget()
    assert row is not None

    def apart(row: QWidget = row) -> bool:
        return output.more.isVisible() and output.view.geometry().bottom() <= row.geometry().top()

    qtbot.waitUntil(apart)
    assert output.rect().contains(row.geometry())
    assert holder.rect().contains(popover.geometry())
    popover.close_it()


def test_a_letter_like_ours_is_a_letter(composer: Composer) -> None:
    """Also typed right behind a piece, whose format Qt goes on with."""
    paste(composer, f"a{OBJECT}b")
    paste(composer, LINES)
    composer.edit.insertPlainText(OBJECT)
    assert composer.text == f"a{OBJECT}b{LINES}{OBJECT}" and len(composer.pasted.chips) == 1


def test_marks_from_outside_are_none(composer: Composer) -> None:
    paste(composer, f"{OPEN}a{CLOSE}\r\nb{CLOSE}")
    assert composer.text == composer.draft == "\na\n\nb\n"
    composer.set_text("")
    paste(composer, f"{OPEN}{LINES}{CLOSE}")
    assert composer.text == f"\n{LINES}\n" and len(composer.pasted.chips) == 1


def test_a_reference_in_a_piece_can_be_taken_out(composer: Composer) -> None:
    session, other = f"sess_{'0' * 25}A", f"sess_{'0' * 25}AB"
    text = f"{LINES} #{session} x #{other}"
    paste(composer, text)
    composer.edit.remove_reference(session)
    assert composer.text == f"{LINES} x #{other}" and len(composer.pasted.chips) == 1
    composer.edit.undo()
    assert composer.text == text


def test_a_slash_command_takes_a_piece(composer: Composer) -> None:
    asked: list[str] = []
    composer.command_requested.connect(asked.append)
    QTest.keyClicks(composer.edit, "/remember ")
    paste(composer, LINES)
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert asked == ["/remember " + LINES]


def test_a_message_that_was_unfolded_while_it_was_sent_goes(composer: Composer) -> None:
    paste(composer, LINES)
    QTest.keyClick(composer.edit, Key.Key_Return)
    composer.edit.expand_piece(0)
    QTest.keyClicks(composer.edit, "next")
    composer.accepted()
    assert composer.text == "next"


def test_a_draft_of_another_conversation_does_not_come_by_undo(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "of an incognito chat")
    paste(composer, LINES)
    composer.set_draft("")
    composer.edit.undo()
    assert composer.text == "" and not composer.edit.document().isUndoAvailable()
    composer.set_draft(f"a {marked(LINES)} b")
    composer.edit.undo()
    assert composer.text == f"a {LINES} b" and composer.draft == f"a {marked(LINES)} b"


def test_a_long_text_without_marks_is_folded_but_for_what_was_said_about_it() -> None:
    assert parts_of("short") == [("short", False)]
    assert parts_of("") == []
    assert parts_of(f"Explain this:\n{LINES}\nIn short words.") == [("Explain this:\n", False), (LINES, True), ("\nIn short words.", False)]
    assert parts_of(LINE) == [(LINE, True)]
    assert parts_of(f"{LINE}\n{LINE}") == [(f"{LINE}\n{LINE}", True)]
    assert parts_of("\n" * 500) == [("\n", False), ("\n" * 499, True)]


@pytest.mark.parametrize("seed", range(8))
def test_parts_are_the_whole(seed: int) -> None:
    rng = random.Random(seed)
    for _ in range(200):
        kinds = (
            "a",
            "\n",
            "中",
            "x" * 401,
            "line\n" * rng.randrange(500),
            "y" * rng.randrange(25_000),
            marked("p" * rng.randrange(3)),
            OPEN,
        )
        draft = "".join(rng.choice(kinds) for _ in range(rng.randrange(6)))
        parts = parts_of(draft)
        assert "".join(text for text, _is_piece in parts) == plain(draft)
        assert all(text for text, _is_piece in parts)
        assert not any(pasted.is_long(text) for text, is_piece in parts if not is_piece)
    tell(f"parts seed {seed}: 200 drafts")


@pytest.mark.parametrize("seed", range(6))
def test_whatever_is_done_the_text_is_that_of_a_field_that_folds_nothing(composer: Composer, seed: int) -> None:
    """Typing, pasting, undo, cursor, cutting, expanding, drafts: beside it a list of what ought to stand there."""
    rng = random.Random(seed)
    edit = composer.edit
    for _ in range(60):
        act = rng.choice(["type", "paste", "left", "delete", "cut", "undo", "expand", "draft", "put"])
        before = composer.text
        if act == "type":
            edit.insertPlainText(rng.choice(["a", "🎉", "中文", "\n", OBJECT]))
        elif act == "paste":
            paste(composer, rng.choice(["short", LINES[: rng.randrange(21_000, 25_000)], "z" * 20_500]))
        elif act == "left":
            edit.moveCursor(rng.choice([QTextCursor.MoveOperation.Left, QTextCursor.MoveOperation.Start, QTextCursor.MoveOperation.End]))
        elif act == "delete":
            edit.textCursor().deletePreviousChar()
        elif act == "cut":
            edit.moveCursor(QTextCursor.MoveOperation.Left, QTextCursor.MoveMode.KeepAnchor)
            if edit.textCursor().hasSelection():
                edit.cut()
                edit.paste()
            assert composer.text == before
        elif act == "undo":
            edit.undo()
            undone = composer.text
            edit.redo()
            edit.undo()
            assert composer.text == undone
        elif act == "expand" and composer.pasted.chips and len(before) < 100_000:
            edit.expand_piece(0)
            assert composer.text == before
        elif act in ("draft", "put"):
            (composer.set_draft if act == "draft" else composer.set_text)(composer.draft)
            assert composer.text == before
        assert plain(composer.draft) == composer.text
        assert len(composer.pasted.chips) == min(12, composer.draft.count(OPEN))
    tell(f"pasted seed {seed}: 60 acts")


# --- with conversations ----------------------------------------------------------------------------------------------


@pytest.fixture
def chat(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[ChatWorld]:
    made = ChatWorld(qtbot, tmp_path, operations, {"text": "Good."}, {"text": "Better."}, {"text": "Best."})
    yield made
    made.close()
    assert not made.failures


def _drafts(chat: ChatWorld) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in (chat.desk.services.paths.state / "drafts").glob("*.txt")]


def test_the_draft_keeps_it_and_comes_back_folded(chat: ChatWorld) -> None:
    chat.open()
    chat.until(lambda: not chat.operations.pending)
    composer = chat.pane.composer
    composer.set_text("see ")
    paste(composer, LINES)
    composer.edit.insertPlainText(" here")
    chat.pane.flush_draft()
    chat.until(lambda: _drafts(chat) == [f"see {marked(LINES)} here"], "the draft")
    chat.controller.set_workspace(None)
    chat.until(lambda: not chat.operations.pending)
    assert composer.text == ""
    chat.open()
    chat.until(lambda: composer.text == f"see {LINES} here", "the draft again")
    assert composer.edit.toPlainText() == f"see {OBJECT} here"


def test_of_an_incognito_chat_nothing_is_on_disk(chat: ChatWorld) -> None:
    chat.open()
    chat.controller.new_incognito(reads_memory=False)
    chat.until(lambda: chat.controller.incognito and not chat.controller.opening)
    paste(chat.pane.composer, "canary\n" * 500)
    chat.pane.flush_draft()
    chat.until(lambda: not chat.operations.pending)
    for path in chat.desk.services.paths.state.rglob("*"):
        assert not path.is_file() or b"canary" not in path.read_bytes(), path
    chat.pane.composer.set_draft("")


def test_it_is_sent_whole_and_given_back_by_editing(chat: ChatWorld) -> None:
    chat.open()
    composer = chat.pane.composer
    composer.set_text("Explain this: ")
    paste(composer, LINES)
    composer.edit.insertPlainText(" please")
    whole, folded = composer.text, composer.edit.toPlainText()
    with chat.qtbot.waitSignal(chat.controller.turn_ended):
        composer.edit.send_requested.emit()
    message = chat.controller.messages[0]
    assert message.text == whole and composer.text == ""
    assert chat.views(UserView)[0].text == whole
    chat.pane.branches.edit(message.id)
    assert composer.text == whole and composer.edit.toPlainText() == folded, "folded as it was sent"
    composer.edit.insertPlainText(" now")
    with chat.qtbot.waitSignal(chat.controller.turn_ended):
        composer.edit.send_requested.emit()
    assert chat.controller.messages[0].text == whole + " now"


def test_a_stored_message_is_folded_when_it_is_edited(chat: ChatWorld) -> None:
    chat.open()
    whole = f"Explain this:\n{LINES}\nIn short words."
    chat.turn(whole)
    session = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", session))
    chat.controller.resume(session)
    chat.until(lambda: chat.controller.session_id == session)
    chat.pane.branches.edit(chat.controller.messages[0].id)
    composer = chat.pane.composer
    assert composer.text == whole
    assert composer.edit.toPlainText() == f"Explain this:\n{OBJECT}\nIn short words."
    chat.pane.branches.cancel_edit()
    assert composer.text == ""


def test_what_stood_there_before_an_edit_is_not_lost_when_something_else_is_sent(chat: ChatWorld) -> None:
    chat.open()
    chat.turn("First question")
    composer = chat.pane.composer
    composer.set_text("not sent yet")
    chat.pane.branches.edit(chat.controller.messages[0].id)
    composer.edit.insertPlainText(", better")
    with chat.qtbot.waitSignal(chat.controller.turn_ended):
        chat.controller.send("Another question")  # not by the composer
    assert composer.text == "not sent yet\nFirst question, better"
    assert not chat.pane.branches.editing
    composer.set_draft("")
