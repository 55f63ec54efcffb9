"""Sessions in the composer: completed by title and content, shown as chips, taken out, dropped in."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QMimeData, QObject, QPoint, QPointF, QRect, QSize, Qt, Signal
from PySide6.QtGui import QDragEnterEvent, QDropEvent, QImage, QPainter
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMainWindow, QWidget
from pytestqt.qtbot import QtBot

from desktop.base.ids import new_session_id
from desktop.bridge.operations import Operations
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.sessions.summary import SessionSummary
from desktop.ui import theme
from desktop.ui.chat.completion import Completion, open_word
from desktop.ui.chat.composer import Composer
from desktop.ui.chat.composer_edit import SESSION_MIME
from desktop.ui.chat.context_card import ContextCard
from desktop.ui.chat.reference_row import MOST, SessionChip
from desktop.ui.chat.session_proposals import LETTERS_AMONG, SessionProposals
from desktop.ui.chat.surface import KeyButton
from desktop.ui.chat.tool_card import ToolCard
from desktop.ui.sessions.dialogs import ReadIntoDialog
from desktop.ui.sessions.filtering import haystack
from desktop.ui.sessions.model import MIME
from tests.helpers.clock import FixedClock
from tests.ui.chat_world import ChatWorld
from tests.ui.composer_world import focused_composer

Key = Qt.Key
MOMENT = FixedClock().moment


def summary(title: str, number: int = 0, *, workspace: str = "/srv/demo", preview: str = "", **more: Any) -> SessionSummary:
    moment = MOMENT - timedelta(hours=number)
    made = SessionSummary(
        new_session_id(moment), title, workspace, "k", "keepsake", moment, moment, 12, "m", 900, "done", Path("/x"), preview, size=38_000
    )
    return replace(made, **more)


class Finder(QObject):
    """Answers when the test says so."""

    found = Signal(str, object)

    def __init__(self) -> None:
        super().__init__()
        self.asked: list[str] = []

    def ask(self, text: str) -> None:
        self.asked.append(text)

    def answer(self, hits: Mapping[str, tuple[str, tuple[tuple[int, int], ...]]]) -> None:
        self.found.emit(self.asked[-1], hits)


# --- the order ------------------------------------------------------------------------------------------------------------


@pytest.fixture
def proposals(qtbot: QtBot) -> Iterator[SessionProposals]:
    holder = QObject()
    yield SessionProposals(holder)
    holder.deleteLater()


def inserted(found: list[Completion]) -> list[str]:
    return [one.insert.removeprefix("#") for one in found]


def test_without_a_word_the_newest_are_proposed_without_the_open_one(proposals: SessionProposals) -> None:
    sessions = [summary(f"s{n}", n) for n in range(30)]
    proposals.set_sessions(sessions)
    assert inserted(proposals.ask("", own=sessions[1].id)) == [sessions[0].id, *(one.id for one in sessions[2:21])]


def test_titles_then_contents_then_the_rest_of_the_list_then_letters(proposals: SessionProposals) -> None:
    letters, preview, content, other, here = (
        summary("Parse options right there", 1),
        summary("Something", 2, preview="the port is open"),
        summary("Database", 3),
        summary("Import of things", 4, workspace="/srv/other"),
        summary("Export of things", 5, workspace="/srv/here"),
    )
    finder = Finder()
    proposals.set_sessions([letters, preview, content, other, here])
    proposals.set_finder(finder)
    arrived: list[bool] = []
    proposals.changed.connect(lambda: arrived.append(True))
    assert inserted(proposals.ask("port", folder="/srv/here")) == [here.id, other.id, preview.id, letters.id]
    finder.answer({content.id: ("the port is 5433", ((4, 8),)), other.id: ("port", ())})
    assert arrived == [True]
    found = proposals.ask("port", folder="/srv/here")
    assert inserted(found) == [here.id, other.id, content.id, preview.id, letters.id]
    assert (found[2].detail, found[2].marks) == ("the port is 5433", ((4, 8),))
    assert found[0].detail == "12 messages" and found[1].detail == "other · 12 messages", "a folder of its own is not named"
    assert finder.asked == ["port"], "the same word is not asked twice"


def test_an_old_answer_and_unknown_sessions_are_dropped(proposals: SessionProposals) -> None:
    finder = Finder()
    proposals.set_sessions([summary("x")])
    proposals.set_finder(finder)
    proposals.ask("first")
    proposals.ask("second")
    finder.found.emit("first", {proposals._sessions[0].id: ("first", ())})
    assert proposals.ask("second") == []
    finder.answer({"sess_gone": ("second", ())})
    assert proposals.ask("second") == []


@pytest.mark.parametrize(("word", "found"), [("数据库", True), ("數據庫", True), ("ＤＢ", True), ("db", True), ("解析", False)])
def test_width_case_and_traditional_characters_do_not_matter(proposals: SessionProposals, word: str, found: bool) -> None:
    proposals.set_sessions([summary("迁移数据库 DB")])
    assert bool(proposals.ask(word)) == found


def test_sub_agents_and_other_tools_are_told(proposals: SessionProposals) -> None:
    agent = summary("port scan", 0, kind="sub-agent")
    foreign = summary("port map", 1, source="claude-code", workspace="/srv/other")
    proposals.set_sessions([agent, foreign])
    found = proposals.ask("port", folder="/srv/demo")
    assert inserted(found) == [foreign.id, agent.id]
    assert found[0].detail == "Claude Code · other · 12 messages"


def test_ten_thousand_sessions_are_looked_through_piece_by_piece(proposals: SessionProposals) -> None:
    sessions = [summary(f"title {n} about something", n) for n in range(10_000)]
    proposals.set_sessions(sessions, [haystack(one) for one in sessions])
    assert inserted(proposals.ask("title 9999")) == [sessions[9_999].id]
    assert inserted(proposals.ask("te9999")) == [], "letters are looked for among the newest only"
    assert sessions[LETTERS_AMONG - 1].id in inserted(proposals.ask(f"te{LETTERS_AMONG - 1}"))


# --- the word -------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("before", "word"),
    [
        ("参考#解析", "解析"),
        ("＃数据", "数据"),
        ("（#a", "a"),
        ("C#x", None),
        ("x.#a", None),
        ("https://a/#b", None),
        ("🙂#a", "a"),
        ("##a", None),
    ],
)
def test_the_word_begins_behind_chinese_and_with_the_wide_sign(before: str, word: str | None) -> None:
    assert open_word(before) == word


# --- the composer ---------------------------------------------------------------------------------------------------------


@pytest.fixture
def composer(qtbot: QtBot, dark: theme.Theme) -> Iterator[Composer]:
    yield from focused_composer(qtbot, QSize(520, 500), QRect(10, 250, 500, 200))


SESSIONS = [summary("Package manager", 1), summary("提交信息", 2), summary("Long " + "title " * 40, 3)]


@pytest.fixture
def known(composer: Composer) -> Composer:
    composer.set_session_source({one.id: one for one in SESSIONS}.get)
    return composer


def chips(composer: Composer) -> list[str]:
    return [chip.session_id for chip in composer.references.chips]


def test_what_comes_later_is_shown_and_what_is_chosen_stays_chosen(composer: Composer) -> None:
    more: list[Completion] = []
    composer.set_completion_source(lambda word: [*more, Completion(f"#{SESSIONS[0].id}", "One"), Completion(f"#{SESSIONS[1].id}", "Two")])
    QTest.keyClicks(composer.edit, "#x")
    QTest.keyClick(composer.edit, Key.Key_Down)
    more.append(Completion(f"#{SESSIONS[2].id}", "New"))
    composer.refresh_completion()
    current = composer.completion.current
    assert current is not None and current.label == "Two" and len(composer.completion.found) == 3
    more.append(Completion(f"#{SESSIONS[2].id}", "Newer"))
    QTest.keyClicks(composer.edit, "y")
    current = composer.completion.current
    assert current is not None and current.label == "New", "for another word the best one is chosen"


def test_what_comes_later_opens_the_list_unless_it_was_closed(composer: Composer) -> None:
    found: list[Completion] = []
    composer.set_completion_source(lambda word: found)
    QTest.keyClicks(composer.edit, "#x")
    assert not composer.completion.isVisible()
    found = [Completion(f"#{SESSIONS[0].id}", "One")]
    composer.refresh_completion()
    assert composer.completion.isVisible() and composer.edit.completing
    QTest.keyClick(composer.edit, Key.Key_Escape)
    composer.refresh_completion()
    assert not composer.completion.isVisible()
    QTest.keyClicks(composer.edit, "y")
    assert composer.completion.isVisible()


def test_a_chosen_session_is_a_chip_with_title_and_size(known: Composer) -> None:
    known.set_completion_source(lambda word: [Completion(f"#{SESSIONS[1].id}", SESSIONS[1].title)])
    known.edit.insertPlainText("🙂见#")
    QTest.keyClick(known.edit, Key.Key_Return)
    assert known.text == f"🙂见 #{SESSIONS[1].id} "
    (chip,) = known.references.chips
    assert known.references.isVisible() and chip.button.text() == "提交信息"
    assert chip.facts.text() == "37.1 kB"
    assert "提交信息" in chip.accessibleName() and "37.1 kB" in chip.button.accessibleName()


def test_a_session_that_is_there_already_is_not_put_in_twice(known: Composer) -> None:
    known.set_completion_source(lambda word: [Completion(f"#{SESSIONS[0].id}", "One")])
    known.set_text(f"see #{SESSIONS[0].id} and ")
    QTest.keyClicks(known.edit, "#pack")
    QTest.keyClick(known.edit, Key.Key_Return)
    assert known.text == f"see #{SESSIONS[0].id} and "


def test_chips_follow_the_text_however_a_reference_came_there(known: Composer) -> None:
    known.set_draft(f"a #{SESSIONS[0].id} b #{SESSIONS[1].id}, #{SESSIONS[0].id}")
    assert chips(known) == [SESSIONS[0].id, SESSIONS[1].id]
    known.set_text("nothing")
    assert not known.references.isVisible() and chips(known) == []
    known.set_text(f"#{new_session_id(MOMENT)}")
    (chip,) = known.references.chips
    assert "not found" in chip.facts.text() and not chip.button.isEnabled()
    many = [new_session_id(MOMENT) for _ in range(MOST + 3)]
    known.set_text(" ".join(f"#{one}" for one in many))
    assert len(known.references.chips) == MOST


def test_the_cross_takes_a_reference_out_and_undo_brings_it_back(known: Composer) -> None:
    one, two = SESSIONS[0].id, SESSIONS[1].id
    known.set_text(f"🙂 see #{one} and #{two}, again #{one}\n#{one}_more #{one}")
    assert chips(known) == [one, two, f"{one}_more"]
    known.references.chips[0].cross.click()
    assert known.text == f"🙂 see and #{two}, again \n#{one}_more "
    assert chips(known) == [two, f"{one}_more"] and known.edit.hasFocus()
    known.edit.undo()
    assert known.text.count(f"#{one}") == 4
    known.references.chips[1].setFocus()
    QTest.keyClick(known.references.chips[1], Key.Key_Delete)
    assert chips(known) == [one, f"{one}_more"]


def test_a_chip_opens_its_session_and_is_reached_by_the_keyboard(known: Composer) -> None:
    opened: list[str] = []
    known.session_requested.connect(opened.append)
    known.set_text(f"#{SESSIONS[2].id}")
    chip = known.references.chips[0]
    assert chip.button.text().endswith("…") and chip.width() <= known.width()
    assert chip.button.focusPolicy() & Qt.FocusPolicy.TabFocus and chip.cross.focusPolicy() != Qt.FocusPolicy.NoFocus
    QTest.keyClick(chip.button, Key.Key_Return)
    assert opened == [SESSIONS[2].id]


# --- dropping -------------------------------------------------------------------------------------------------------------


def dragged(*ids: str, text: str = "") -> QMimeData:
    data = QMimeData()
    if ids:
        data.setData(SESSION_MIME, "\n".join(ids).encode())
    if text:
        data.setText(text)
    return data


def test_the_list_and_the_composer_mean_the_same_by_a_dragged_session() -> None:
    assert SESSION_MIME == MIME


def test_a_session_dropped_on_the_text_becomes_a_reference(known: Composer) -> None:
    known.set_text("look at")
    data = dragged(SESSIONS[0].id, SESSIONS[1].id, "sess_not-one", text="x")
    assert known.edit.canInsertFromMimeData(data)
    known.edit.insertFromMimeData(data)
    assert known.text == f"look at #{SESSIONS[0].id} #{SESSIONS[1].id} "
    known.edit.insertFromMimeData(dragged(SESSIONS[0].id))
    assert known.text.count(SESSIONS[0].id) == 1
    known.edit.insertFromMimeData(dragged(text=f"#{SESSIONS[2].id}"))
    assert chips(known) == [one.id for one in SESSIONS]


def test_a_session_dropped_beside_the_text_too(known: Composer) -> None:
    data, buttons, keys = dragged(SESSIONS[0].id), Qt.MouseButton.LeftButton, Qt.KeyboardModifier.NoModifier
    enter = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, data, buttons, keys)
    QApplication.sendEvent(known, enter)
    assert enter.isAccepted()
    QApplication.sendEvent(known, QDropEvent(QPointF(5, 5), Qt.DropAction.CopyAction, data, buttons, keys))
    assert chips(known) == [SESSIONS[0].id]
    text = dragged(text="x")  # the event does not keep it
    other = QDragEnterEvent(QPoint(5, 5), Qt.DropAction.CopyAction, text, buttons, keys)
    other.ignore()
    QApplication.sendEvent(known, other)
    assert not other.isAccepted()


# --- in the pane ----------------------------------------------------------------------------------------------------------

MakeWorld = Callable[..., ChatWorld]


@pytest.fixture
def chat(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[ChatWorld]:
    made = ChatWorld(
        qtbot,
        tmp_path,
        operations,
        {"text": "We decided on bun as the package manager."},
        {"text": "NO_RELEVANT_CONTEXT", "for": "distil"},
        {"text": "ok"},
    )
    made.desk.services.settings.set("search.encoder", "off")
    made.sessions.sessions_changed.connect(made.pane.set_sessions)
    made.pane.proposals.set_finder(made.sessions.new_finder())
    made.open()
    yield made
    made.close()
    made.desk.services.session_search.close()
    made.desk.services.memory_search.close()


def test_a_session_is_found_by_what_was_said_in_it(chat: ChatWorld) -> None:
    chat.turn("Which tool?")
    source = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", source))
    chat.sessions.refresh()
    chat.until(lambda: chat.sessions.sessions, "the list")
    chat.pane.activateWindow()
    chat.pane.focus_composer()
    chat.until(chat.pane.composer.edit.hasFocus)
    QTest.keyClicks(chat.pane.composer.edit, "see #package")
    chat.until(lambda: any(one.marks for one in chat.pane.composer.completion.found), "the session by its content")
    (found,) = chat.pane.composer.completion.found
    assert found.insert == f"#{source}" and found.label == "Which tool?" and "package" in found.detail and found.marks
    QTest.keyClick(chat.pane.composer.edit, Key.Key_Return)
    assert chips(chat.pane.composer) == [source]
    opened: list[tuple[str, int]] = []
    chat.pane.session_open_requested.connect(lambda session, at: opened.append((session, at)))
    chat.pane.composer.references.chips[0].button.click()
    assert opened == [(source, 0)]


def test_the_card_says_where_the_text_comes_from_and_opens_every_citation(chat: ChatWorld) -> None:
    chat.turn("Which tool?")
    source = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", source))
    chat.controller.read_into(source, "package manager", "relevant", 2_000)
    chat.until(lambda: chat.views(ContextCard), "the card")
    card: ContextCard = chat.views(ContextCard)[0]
    texts = [one.text() for one in card.findChildren(type(chat.pane.composer.hint))]
    assert any("package manager" in text for text in texts)
    assert any("the model found nothing or failed" in text and "1 message cited" in text for text in texts)
    assert "Which tool?" in card.accessibleName(), "the title is known without the list"


@pytest.mark.parametrize(
    ("source", "said"), [("local", "without a model"), ("lite", "condensed by the model"), ("fallback", "found nothing or failed")]
)
def test_the_source_of_a_reading_is_said(qtbot: QtBot, dark: theme.Theme, source: str, said: str) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    cited = [{"message": n, "role": "tool", "time": "t"} for n in range(1, 30)] + [{"message": "x"}, 5, {"role": "user"}]
    data = {"session": "sess_x", "query": "q", "strategy": "relevant", "source": source, "tokens": 10, "dropped": 4, "citations": cited}
    card = ContextCard(holder, "text", data, "A title")
    holder.resize(400, 400)
    card.resize(380, 300)
    holder.show()
    facts = card.facts.text()
    assert said in facts and "29 messages cited" in facts and "4 more found no room" in facts
    opened: list[int] = []
    card.session_requested.connect(lambda _session, at: opened.append(at))
    links = [one for one in card.citations.findChildren(KeyButton) if one.objectName() == "citation"]
    assert len(links) == 6
    (more,) = [one for one in card.citations.findChildren(KeyButton) if one.objectName() == "moreCitations"]
    more.click()
    links = [one for one in card.citations.findChildren(KeyButton) if one.objectName() == "citation"]
    links[-1].click()
    assert len(links) == 29 and opened == [29] and all(one.accessibleName() for one in links)


def test_a_chip_draws_in_both_themes(qtbot: QtBot, dark: theme.Theme) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    chip = SessionChip(holder, SESSIONS[0].id, SESSIONS[0])
    image = QImage(chip.sizeHint(), QImage.Format.Format_RGB32)
    painter = QPainter(image)
    chip.render(painter, QPoint(0, 0))
    painter.end()
    assert len({image.pixel(x, image.height() // 2) for x in range(image.width())}) > 2


# --- other projects -------------------------------------------------------------------------------------------------------


def test_a_session_of_another_project_is_read_only_after_it_was_said(qtbot: QtBot, dark: theme.Theme) -> None:
    window = QMainWindow()
    qtbot.addWidget(window)
    asked: list[tuple[str, str, str, int]] = []
    own, other = ReadIntoDialog(window, "sess_x", "A"), ReadIntoDialog(window, "sess_y", "B", elsewhere="/srv/other")
    other.read_requested.connect(lambda *values: asked.append(values))
    other.open()
    assert own.elsewhere.isHidden() and other.elsewhere.isVisible() and "/srv/other" in other.elsewhere.text()
    assert "Other Project" in other.read_button.text()
    other.query.setPlainText("q")
    other.read_button.click()
    assert asked == [("sess_y", "q", "relevant", 6_000)]
    own.deleteLater()


def test_a_reading_by_the_model_cites_with_links_too(qtbot: QtBot, dark: theme.Theme) -> None:
    holder = QWidget()
    qtbot.addWidget(holder)
    cited = {"status": "success", "citations": [{"message": 3, "role": "user", "time": "t"}]}
    asked = ToolCallPart("c", "ReadSessionContext", {"sessionId": "#sess_x", "query": "q"})
    card = ToolCard(holder, asked, ToolResultPart("c", "ReadSessionContext", "text", data=cited))
    opened: list[tuple[str, int]] = []
    card.session_requested.connect(lambda session, at: opened.append((session, at)))
    card.row.set_open(True)
    (link,) = [one for one in card.findChildren(KeyButton) if one.objectName() == "citation"]
    link.click()
    assert opened == [("sess_x", 3)]
    other = ToolCard(holder, ToolCallPart("c", "Read", {"sessionId": "sess_x"}), ToolResultPart("c", "Read", "text", data=cited))
    other.row.set_open(True)
    assert not [one for one in other.findChildren(KeyButton) if one.objectName() == "citation"]


@pytest.mark.parametrize("text", ["中文的一行\n第二行\n第三行", "ไทย\nplain\n한국어\n🙂", "a\nb"])
def test_the_field_is_as_high_as_its_lines_whatever_their_script(composer: Composer, qtbot: QtBot, text: str) -> None:
    composer.edit.insertPlainText(text)
    qtbot.waitUntil(lambda: composer.edit.verticalScrollBar().maximum() == 0)
