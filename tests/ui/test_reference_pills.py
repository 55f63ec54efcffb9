"""References in the composer: drawn as pills with the session's title, while the text stays as it is sent, copied, stored and undone."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QKeySequence, QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.chat.composer_edit import ComposerEdit
from desktop.ui.chat.reference_pills import Pill, pills_in

ONE, TWO = "sess_01kaaaaaaaaaaaaaaaaaaaaaaa", "sess_01kbbbbbbbbbbbbbbbbbbbbbbb"
Key = Qt.Key


def title_of(session_id: str) -> str:
    return {ONE: "Package manager 包管理器, and why it was chosen over all the others"}.get(session_id, "")


@pytest.fixture
def edit(qtbot: QtBot, dark: theme.Theme) -> Iterator[ComposerEdit]:
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(500, 300)
    made = ComposerEdit(window)
    made.pills.title_of = title_of
    made.resize(480, 60)
    window.show()
    window.activateWindow()
    made.setFocus()
    yield made


def put_cursor(edit: ComposerEdit, position: int) -> None:
    cursor = edit.textCursor()
    cursor.setPosition(position)
    edit.setTextCursor(cursor)


def composes(edit: ComposerEdit) -> bool:
    return edit.composing


def ends(edit: ComposerEdit) -> tuple[int, int]:
    """Where the first pill begins and ends, as Qt counts."""
    found = edit.pills.pills_of(edit.document().firstBlock())[0]
    return found.start, found.end


def test_what_reads_as_a_reference_is_one_pill() -> None:
    text = f"😀 看 #{ONE} und #{TWO}:12, aber #{ONE}x nicht"
    first, second = pills_in(text, title_of)
    assert first.title.startswith("#Package manager") and first.number == ""
    assert second == Pill(second.start, second.end, "#sess_01kbb…", ":12")
    units = text.encode("utf-16-le")
    for pill, written in ((first, f"#{ONE}"), (second, f"#{TWO}:12")):
        assert units[2 * pill.start : 2 * pill.end].decode("utf-16-le") == written
    assert pills_in("nothing #here", title_of) == []


def test_the_text_stays_what_it_is(edit: ComposerEdit) -> None:
    text = f"Compare #{ONE} with 😀 #{TWO}:3 now"
    edit.put(text)
    assert edit.toPlainText() == text
    edit.selectAll()
    edit.copy()
    assert QGuiApplication.clipboard().text() == text
    edit.cut()
    assert edit.toPlainText() == ""
    edit.paste()
    assert edit.toPlainText() == text
    edit.undo()
    edit.undo()
    assert edit.toPlainText() == text
    before = edit.document().availableUndoSteps()
    edit.refresh_pills()
    assert edit.document().availableUndoSteps() == before, "a new title is nothing to take back"


def test_a_pill_takes_less_room_than_its_id(edit: ComposerEdit) -> None:
    edit.put(f"#{TWO} x")
    start, end = ends(edit)
    line = edit.document().firstBlock().layout().lineAt(0)
    shown = _x(line.cursorToX(end)) - _x(line.cursorToX(start))
    assert 20 < shown < edit.fontMetrics().horizontalAdvance(f"#{TWO}") / 2
    edit.put(f"#{ONE} x")
    assert edit.document().firstBlock().layout().lineCount() == 1, "a long title is cut"


def _x(found: object) -> float:
    return float(found[0] if isinstance(found, tuple) else found)  # type: ignore[arg-type]


@pytest.mark.parametrize("before", ["", "a ", "😀 看 "])
def test_the_cursor_steps_over_it(edit: ComposerEdit, before: str) -> None:
    edit.put(f"{before}#{ONE} b")
    start, end = ends(edit)
    put_cursor(edit, start)
    QTest.keyClick(edit, Key.Key_Right)
    assert edit.textCursor().position() == end
    QTest.keyClick(edit, Key.Key_Left)
    assert edit.textCursor().position() == start
    QTest.keyClick(edit, Key.Key_Right, Qt.KeyboardModifier.ShiftModifier)
    assert (edit.textCursor().anchor(), edit.textCursor().position()) == (start, end)
    for inside in (start + 3, end - 3):
        put_cursor(edit, 0 if inside == start + 3 else edit.document().characterCount() - 1)
        put_cursor(edit, inside)
        assert edit.textCursor().position() in (start, end), "a press in it goes to a side of it"


def test_backspace_and_delete_take_it_whole_and_undo_gives_it_back(edit: ComposerEdit) -> None:
    text = f"a #{ONE}:7 b"
    edit.put(text)
    start, end = ends(edit)
    for key, position in ((Key.Key_Backspace, end), (Key.Key_Delete, start)):
        put_cursor(edit, position)
        QTest.keyClick(edit, key)
        assert edit.toPlainText() == "a  b"
        QTest.keySequence(edit, QKeySequence(QKeySequence.StandardKey.Undo))
        assert edit.toPlainText() == text
    put_cursor(edit, start)
    QTest.keyClick(edit, Key.Key_Backspace)
    assert edit.toPlainText() == f"a#{ONE}:7 b", "beside it one letter goes"


def test_it_can_be_typed_letter_by_letter(edit: ComposerEdit) -> None:
    QTest.keyClicks(edit, f"see #{ONE} ok")
    assert edit.toPlainText() == f"see #{ONE} ok"
    assert len(edit.pills.pills_of(edit.document().firstBlock())) == 1


def test_an_input_method_composes_beside_it(edit: ComposerEdit) -> None:
    edit.put(f"看#{ONE}")
    put_cursor(edit, ends(edit)[0])
    QApplication.sendEvent(edit, QInputMethodEvent("pin", []))
    assert composes(edit)
    edit.grab()
    done = QInputMethodEvent()
    done.setCommitString("拼")
    QApplication.sendEvent(edit, done)
    assert edit.toPlainText() == f"看拼#{ONE}" and not composes(edit)
    edit.grab()


def test_a_narrow_field_has_narrow_pills(edit: ComposerEdit) -> None:
    edit.put(f"#{ONE}")
    edit.resize(120, 60)
    line = edit.document().firstBlock().layout().lineAt(0)
    assert edit.document().firstBlock().layout().lineCount() == 1 and line.naturalTextWidth() <= edit.viewport().width()


def test_a_selection_from_outside_ends_at_its_side(edit: ComposerEdit) -> None:
    edit.put(f"ab #{ONE} cd")
    start, end = ends(edit)
    cursor = edit.textCursor()
    cursor.setPosition(1)
    cursor.setPosition(start + 20, QTextCursor.MoveMode.KeepAnchor)
    edit.setTextCursor(cursor)
    assert edit.textCursor().anchor() == 1 and edit.textCursor().position() in (start, end)
