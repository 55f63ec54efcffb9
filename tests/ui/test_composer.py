"""The composer: Return, input methods, history, growth, completion, drafts."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from PySide6.QtCore import QEvent, QObject, QRect, QSize, Qt
from PySide6.QtGui import QGuiApplication, QInputMethodEvent, QPaintEvent
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.chat.completion import Completion, open_word
from desktop.ui.chat.composer import Composer
from tests.ui.composer_world import focused_composer

Key = Qt.Key


@pytest.fixture
def composer(qtbot: QtBot, dark: theme.Theme) -> Iterator[Composer]:
    yield from focused_composer(qtbot, QSize(420, 500), QRect(10, 300, 400, 120))


def _sent(composer: Composer) -> list[str]:
    sent: list[str] = []
    composer.send_requested.connect(sent.append)
    return sent


def _composing(composer: Composer) -> bool:
    return composer.edit.composing


def test_names_that_others_look_for(composer: Composer) -> None:
    assert (composer.edit.objectName(), composer.send_button.objectName(), composer.stop_button.objectName()) == (
        "composer", "sendButton", "stopButton",
    )  # fmt: skip
    for widget in (composer.edit, composer.send_button, composer.stop_button, composer.mode_button, composer.model_button, composer.meter):
        assert widget.accessibleName()


def test_return_sends_and_shift_return_makes_a_line(composer: Composer, qtbot: QtBot) -> None:
    sent = _sent(composer)
    QTest.keyClicks(composer.edit, "hello")
    QTest.keyClick(composer.edit, Key.Key_Return, Qt.KeyboardModifier.ShiftModifier)
    QTest.keyClicks(composer.edit, "there")
    assert sent == []
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert sent == ["hello\nthere"]
    assert composer.text == "hello\nthere", "it stays until it was taken"
    composer.accepted()
    assert composer.text == ""
    QTest.keyClick(composer.edit, Key.Key_Enter, Qt.KeyboardModifier.KeypadModifier)
    assert sent == ["hello\nthere"], "nothing is sent when there is nothing"


def test_return_never_sends_while_an_input_method_composes(composer: Composer, qtbot: QtBot) -> None:
    sent = _sent(composer)
    QApplication.sendEvent(composer.edit, QInputMethodEvent("nihao", []))
    assert _composing(composer)
    QTest.keyClick(composer.edit, Key.Key_Return)
    composer.send_button.setEnabled(True)
    composer.send_button.click()
    assert sent == []
    commit = QInputMethodEvent("", [])
    commit.setCommitString("你好")
    QApplication.sendEvent(composer.edit, commit)
    assert not _composing(composer)
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert sent == ["你好"]


def test_while_a_turn_runs_there_is_stop_in_the_place_of_send(composer: Composer, qtbot: QtBot) -> None:
    sent, stopped = _sent(composer), []
    composer.stop_requested.connect(lambda: stopped.append(True))
    composer.set_text("x")
    composer.set_running(True)
    assert composer.stop_button.isVisible() and not composer.send_button.isVisible()
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert sent == []
    composer.stop_button.click()
    assert stopped == [True]
    composer.set_running(False)
    composer.send_button.click()
    assert sent == ["x"]


def test_history_by_up_and_down_keeps_what_is_unsent(composer: Composer, qtbot: QtBot) -> None:
    edit = composer.edit
    edit.set_history(["first", "second\nline"])
    edit.put("unsent")
    QTest.keyClick(edit, Key.Key_Up)
    assert composer.text == "unsent", "Up inside the text moves the cursor only"
    QTest.keyClick(edit, Key.Key_Home, Qt.KeyboardModifier.ControlModifier)
    QTest.keyClick(edit, Key.Key_Up)
    assert composer.text == "second\nline"
    QTest.keyClick(edit, Key.Key_Up)
    assert composer.text == "second\nline", "the cursor goes up within the message first"
    QTest.keyClick(edit, Key.Key_Up)
    assert composer.text == "first"
    QTest.keyClick(edit, Key.Key_Up)
    assert composer.text == "first"
    QTest.keyClick(edit, Key.Key_Down)
    QTest.keyClick(edit, Key.Key_Down)
    assert composer.text == "unsent"
    QTest.keyClick(edit, Key.Key_Return)
    composer.accepted()
    QTest.keyClick(edit, Key.Key_Up)
    assert composer.text == "unsent", "what was sent is in the history"


def test_it_grows_to_a_limit(composer: Composer) -> None:
    one = composer.edit.height()
    composer.set_text("a\nb\nc")
    three = composer.edit.height()
    composer.set_text("a\n" * 100)
    many = composer.edit.height()
    composer.set_text("a\n" * 200)
    assert one < three < many == composer.edit.height()
    composer.set_text("")
    assert composer.edit.height() == one


def test_big_text_shows_its_size(composer: Composer) -> None:
    composer.set_text("short")
    assert not composer.estimate.isVisible()
    composer.set_text("word " * 1_000)
    assert composer.estimate.isVisible() and "1,250" in composer.estimate.text()
    composer.set_text("中" * 2_000)
    assert "2,000" in composer.estimate.text(), "a Chinese character is a token, not a quarter"


def test_paste_is_plain_text_with_our_line_ends(composer: Composer) -> None:
    QGuiApplication.clipboard().setText("a\r\nb\rc")
    composer.edit.paste()
    assert composer.text == "a\nb\nc"


def test_a_draft_is_given_away_within_two_seconds(composer: Composer, qtbot: QtBot) -> None:
    with qtbot.waitSignal(composer.draft_changed, timeout=2_000) as given:
        QTest.keyClicks(composer.edit, "typed letter by letter")
    assert given.args == ["typed letter by letter"]


def test_typing_without_a_pause_gives_drafts_too(composer: Composer, qtbot: QtBot) -> None:
    drafts: list[str] = []
    composer.draft_changed.connect(drafts.append)

    def type_on() -> None:
        QTest.keyClicks(composer.edit, "x")
        assert drafts

    qtbot.waitUntil(type_on, timeout=4_000)


def test_a_stored_draft_is_no_change(composer: Composer, qtbot: QtBot) -> None:
    composer.flush_draft()
    composer.set_draft("kept")
    with qtbot.assertNotEmitted(composer.draft_changed, wait=1_700):
        pass
    assert composer.text == "kept"


@pytest.mark.parametrize(
    ("before", "word"),
    [
        ("#", ""),
        ("see #bu", "bu"),
        ("a#b", None),
        ("# ", None),
        ("#包管", "包管"),
        ("x", None),
        ("#sess_" + "0" * 26, None),
        ("## h", None),
    ],
)
def test_the_open_word(before: str, word: str | None) -> None:
    assert open_word(before) == word


def test_a_hash_completes_sessions(composer: Composer, qtbot: QtBot) -> None:
    sessions = [Completion("#sess_a", "Package manager"), Completion("#sess_b", "提交信息")]
    composer.set_completion_source(lambda word: [s for s in sessions if word.lower() in s.label.lower()])
    sent = _sent(composer)
    QTest.keyClicks(composer.edit, "see #")
    assert composer.completion.isVisible()
    assert composer.completion.geometry().bottom() <= composer.geometry().top()
    QTest.keyClick(composer.edit, Key.Key_Down)
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert composer.text == "see #sess_b "
    assert sent == [] and not composer.completion.isVisible()
    QTest.keyClicks(composer.edit, "#pack")
    QTest.keyClick(composer.edit, Key.Key_Tab)
    assert composer.text == "see #sess_b #sess_a "
    QTest.keyClicks(composer.edit, "#zzz")
    assert not composer.completion.isVisible()
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert len(sent) == 1


def test_escape_closes_the_completion_first(composer: Composer, qtbot: QtBot) -> None:
    composer.set_completion_source(lambda word: [Completion("#sess_a", "A")])
    QTest.keyClicks(composer.edit, "#")
    QTest.keyClick(composer.edit, Key.Key_Escape)
    assert not composer.completion.isVisible() and not composer.edit.completing
    assert composer.text == "#"


def test_mode_and_model_menus_emit_intents(composer: Composer) -> None:
    modes: list[str] = []
    models: list[str] = []
    composer.mode_requested.connect(modes.append)
    composer.model_requested.connect(models.append)
    for action in composer.mode_button.menu().actions():
        action.trigger()
    assert modes == ["default", "accept-edits", "plan"]
    composer.set_models([("embedded", "Embedded"), ("openai:x", "A & B")], "embedded")
    assert composer.model_button.text() == "Embedded"
    actions = composer.model_button.menu().actions()
    actions[1].trigger()
    actions[-1].trigger()
    assert models == ["openai:x", ""]
    composer.set_mode("plan")
    assert [a.data() for a in composer.mode_button.menu().actions() if a.isChecked()] == ["plan"]
    assert "Plan" in composer.mode_button.text()


def test_the_meter_says_its_number(composer: Composer) -> None:
    assert not composer.meter.isVisible()
    composer.meter.set_usage(54_000, 200_000)
    assert composer.meter.percent == 27
    assert "54,000 of 200,000" in composer.meter.toolTip()
    composer.meter.set_usage(0, 200_000)
    assert composer.meter.percent is None


def test_return_while_a_turn_runs_says_why_and_keeps_the_text(composer: Composer, qtbot: QtBot) -> None:
    sent = _sent(composer)
    composer.set_running(True)
    assert not composer.hint.isVisible()
    QTest.keyClicks(composer.edit, "and then?")
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert sent == [] and composer.text == "and then?"
    assert composer.hint.isVisible() and "still working" in composer.hint.text()
    assert composer.edit.accessibleDescription() == composer.hint.text()
    composer.set_running(False)
    assert composer.hint.isVisible() and "done" in composer.hint.text(), "pressed in the tick before the end, it is not lost either"
    QTest.keyClick(composer.edit, Key.Key_Return)
    assert sent == ["and then?"]
    composer.accepted()
    assert not composer.hint.isVisible() and composer.text == ""


def test_typing_takes_the_hint_away(composer: Composer) -> None:
    composer.set_text("x")
    composer.set_running(True)
    QTest.keyClick(composer.edit, Key.Key_Return)
    QTest.keyClicks(composer.edit, "y")
    assert not composer.hint.isVisible()
    composer.set_running(False)
    assert not composer.hint.isVisible(), "nobody asked, nothing is said"


def test_what_is_typed_after_the_sending_stays(composer: Composer) -> None:
    QTest.keyClicks(composer.edit, "first")
    QTest.keyClick(composer.edit, Key.Key_Return)
    QTest.keyClicks(composer.edit, " second")
    composer.accepted()
    assert composer.text == " second"
    composer.accepted()
    assert composer.text == " second", "a message that was sent again from the chat takes nothing out of the field"


class Paints(QObject):
    """Counts how often a widget is painted whole."""

    def __init__(self, widget: QWidget) -> None:
        super().__init__(widget)
        self.whole = 0
        widget.installEventFilter(self)

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if isinstance(event, QPaintEvent) and isinstance(watched, QWidget):
            self.whole += event.rect().contains(watched.rect())
        return False


def test_another_placeholder_is_painted_at_once(composer: Composer, qtbot: QtBot) -> None:
    """It stood there as before until something else was painted: “say what to remember”, where nothing is remembered."""
    qtbot.waitUntil(lambda: "tell" in composer.edit.placeholderText() or "remember" in composer.edit.placeholderText())
    qtbot.wait(50)
    paints = Paints(composer.edit.viewport())
    composer.set_remembers(False)
    assert composer.edit.placeholderText().startswith("Ask. ")
    qtbot.waitUntil(lambda: paints.whole > 0)


def test_the_placeholder_stays_on_one_line(composer: Composer, qtbot: QtBot) -> None:
    composer.setGeometry(10, 300, 600, 120)
    qtbot.waitUntil(lambda: composer.edit.placeholderText() == "Ask, or say what to remember. # for sessions, / for commands")
    whole = composer.edit.placeholderText()
    composer.setGeometry(10, 300, 390, 120)
    qtbot.waitUntil(lambda: composer.edit.placeholderText() == "Ask or tell. # for sessions, / for commands")
    composer.setGeometry(10, 300, 220, 120)
    qtbot.waitUntil(lambda: composer.edit.placeholderText().endswith("…"))
    short = composer.edit.placeholderText()
    assert short.endswith("…")
    assert composer.edit.fontMetrics().horizontalAdvance(short) <= composer.edit.viewport().width()
    composer.setGeometry(10, 300, 600, 120)
    qtbot.waitUntil(lambda: composer.edit.placeholderText().startswith(whole.rstrip("…")) and "…" not in composer.edit.placeholderText())


def test_the_frame_shows_where_the_keyboard_is(composer: Composer, qtbot: QtBot) -> None:
    assert composer.border == "focus"
    composer.model_button.setFocus(Qt.FocusReason.TabFocusReason)
    qtbot.waitUntil(composer.model_button.hasFocus)
    assert composer.border == "input_border"
