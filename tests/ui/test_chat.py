"""The chat pane on a real session: streaming, tool cards, notices, memory, long conversations, drafts."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.base.phrases import say
from desktop.bridge.drafts import DraftStore
from desktop.bridge.operations import Operations
from desktop.messages.events import (
    MessageAppended,
    Notice,
    StepStarted,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolFinished,
    ToolOutput,
    ToolStarted,
    TurnEnded,
)
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage
from desktop.ui import theme
from desktop.ui.chat import waiting_line
from desktop.ui.chat.body import LongView, TextView
from desktop.ui.chat.chips import ChipRow, SavedChip
from desktop.ui.chat.code_view import CodeView
from desktop.ui.chat.context_card import ContextCard
from desktop.ui.chat.items import entries_of
from desktop.ui.chat.message_views import AnswerView, ThinkingView, UserView
from desktop.ui.chat.notice_card import NoticeCard, RetryCard
from desktop.ui.chat.tool_card import ToolCard
from tests.bench.bench_stream import long_session
from tests.helpers.clock import FixedClock
from tests.helpers.script import call
from tests.ui.chat_world import WAIT_MS, ChatWorld

MakeWorld = Callable[..., ChatWorld]


@pytest.fixture
def world(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[MakeWorld]:
    made: list[ChatWorld] = []

    def make(*responses: dict[str, Any], opened: bool = True) -> ChatWorld:
        made.append(ChatWorld(qtbot, tmp_path, operations, *responses))
        if opened:
            made[-1].open()
        return made[-1]

    yield make
    for one in made:
        one.close()


def assistant(*parts: Any, stop: str = "end") -> Message:
    return Message("msg_a", "assistant", parts, FixedClock().now(), origin="model", stop=stop)


def play(world: ChatWorld, *events: Any) -> None:
    for event in events:
        world.pane.live.apply(event)


# --- turns ------------------------------------------------------------------------------------------------------------


def test_a_turn_from_the_composer_to_the_answer(world: MakeWorld) -> None:
    chat = world({"text": "**Hello** there.\n\n```python\nx = 1\n```\n", "thinking": "A greeting.", "chunk": 4})
    assert chat.pane.stack.currentWidget() is chat.pane.empty
    chat.turn("Good day, 你好")
    assert [view.text for view in chat.views(UserView)] == ["Good day, 你好"]
    answer = chat.views(AnswerView)[0]
    assert answer.text == "**Hello** there.\n\n```python\nx = 1\n```\n"
    assert [type(view) for view in answer.body.views] == [TextView, CodeView]
    assert answer.body.views[0].toPlainText() == "Hello there."
    assert chat.views(ThinkingView)[0].text == "A greeting."
    assert chat.pane.composer.text == ""
    assert chat.pane.head.title.whole_text() == "Good day, 你好"
    assert chat.pane.composer.send_button.isVisible()
    assert chat.pane.messages.objectName() == "chatView"
    assert not chat.failures


def test_a_tool_call_is_a_card_with_its_change(world: MakeWorld) -> None:
    chat = world(
        {"tool_calls": [call("Read", file_path="a.py")]},
        {"tool_calls": [call("Edit", file_path="a.py", old_string="1", new_string="2"), call("Glob", pattern="*.py")]},
        {"tool_calls": [call("Read", file_path="missing.py")]},
        {"text": "done"},
    )
    (chat.desk.workspace_folder / "a.py").write_text("x = 1\n", encoding="utf-8")
    chat.controller.set_mode("accept-edits")
    chat.turn("change it")
    read, edit, glob, missing = chat.views(ToolCard)
    assert [card.state for card in (read, edit, glob, missing)] == ["ok", "ok", "ok", "error"]
    assert edit.row.is_open and "+1 −1" in edit.row.note.text() and "done" in edit.row.note.text()
    assert not read.row.is_open
    assert missing.row.is_open and "failed" in missing.row.accessibleName()
    read.row.set_open(True)
    assert (chat.desk.workspace_folder / "a.py").read_text(encoding="utf-8") == "x = 2\n"


def test_stop_ends_the_turn_and_says_so(world: MakeWorld) -> None:
    chat = world({"text": "word " * 500, "chunk": 5, "delay_ms": 10})
    chat.send("go")
    chat.until(lambda: chat.views(AnswerView) and len(chat.views(AnswerView)[0].text) > 20, "some text")
    assert chat.pane.composer.stop_button.isVisible()
    chat.pane.activateWindow()
    chat.pane.focus_composer()
    chat.until(chat.pane.composer.edit.hasFocus)
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=WAIT_MS):
        QTest.keyClick(chat.pane.composer.edit, Qt.Key.Key_Escape)
    assert chat.views(NoticeCard)[-1].label.text() == "Stopped."
    assert chat.views(AnswerView)[0].text.startswith("word word")
    assert not chat.controller.running


def test_a_message_that_was_not_taken_comes_back(world: MakeWorld) -> None:
    chat = world({"text": "x"})
    chat.send("precious text")
    chat.controller.stop()
    chat.pane.composer.set_text("typed since")
    chat.until(lambda: not chat.controller.running, "the end")
    messages = chat.controller.messages
    if not messages:
        chat.until(lambda: chat.pane.composer.text == "precious text\ntyped since", "the text in the composer")
    else:
        assert messages[0].text == "precious text"


def test_an_error_has_hint_detail_and_a_button_that_tries_again(world: MakeWorld) -> None:
    chat = world({"error": {"kind": "auth", "message": "The key was refused."}}, {"text": "now it works"})
    chat.turn("hello")
    card = chat.views(NoticeCard)[-1]
    assert card.kind == "error" and "refused" in card.label.text()
    button = next(b for b in card.findChildren(type(card.add_button("", lambda: None))) if b.text() == "Try Again")
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=WAIT_MS):
        button.click()
    assert [view.text for view in chat.views(UserView)] == ["hello"], "the message is answered once more, not said twice"
    assert [message.text for message in chat.controller.messages] == ["hello", "now it works"]
    assert chat.views(AnswerView)[-1].text == "now it works"


def test_a_retry_takes_back_what_the_broken_try_had_streamed(world: MakeWorld) -> None:
    chat = world({"text": "half of the ans", "error": {"kind": "cut", "after_chars": 10, "retry_after_s": 0}}, {"text": "the whole answer"})
    chat.turn("go")
    assert [view.text for view in chat.views(AnswerView)] == ["the whole answer"]
    retry = chat.views(RetryCard)[0]
    assert "1 of" in retry.label.text() and "Tried again" in retry.label.text()


def test_sending_while_a_turn_runs_is_not_possible_and_loses_nothing(world: MakeWorld) -> None:
    chat = world({"text": "word " * 100, "chunk": 5, "delay_ms": 5}, {"text": "second"})
    chat.send("first")
    chat.until(lambda: chat.controller.running)
    chat.send("second message")
    assert chat.pane.composer.text == "second message"
    chat.until(lambda: not chat.controller.running, "the end")
    assert chat.pane.composer.text == "second message"
    assert [m.text for m in chat.controller.messages if m.role == "user"] == ["first"]


# --- events that are hard to time ------------------------------------------------------------------------------------


def test_only_the_last_piece_is_drawn_anew(world: MakeWorld) -> None:
    chat = world()
    play(chat, StepStarted(1), TextDelta("paragraph with some words\n\n" * 400))
    body = chat.views(AnswerView)[0].body
    before = list(body.views)
    texts = [view.source() for view in before if isinstance(view, TextView)]
    assert len(before) > 3
    play(chat, TextDelta("and **more**"))
    assert body.views[: len(before) - 1] == before[:-1]
    assert [view.source() for view in before[:-1] if isinstance(view, TextView)] == texts[:-1]
    assert "more" in body.views[-1].toPlainText()


def test_thinking_shows_its_newest_line_while_it_comes(world: MakeWorld) -> None:
    chat = world()
    play(chat, StepStarted(1), ThinkingDelta("first line\nsecond"), ThinkingDelta(" line goes on"))
    view = chat.views(ThinkingView)[0]
    assert "second line goes on" in view.row.title.whole_text()
    play(chat, TextDelta("answer"))
    assert view.row.title.whole_text() == "Thought"
    QTest.keyClick(view.row, Qt.Key.Key_Return)
    assert view.row.is_open


def test_a_call_is_seen_from_its_first_letter_to_its_result(world: MakeWorld) -> None:
    chat = world()
    call_part = ToolCallPart("c1", "Bash", {"command": "ls"})
    play(chat, StepStarted(1), ToolCallDelta("c1", "Bash", '{"comm'), ToolCallDelta("c1", "", 'and": "ls"}'))
    card = chat.views(ToolCard)[0]
    states = [card.state]
    play(chat, MessageAppended(assistant(call_part, stop="tool_calls")))
    states.append(card.state)
    play(chat, ToolStarted(call_part, "List files"), ToolOutput("c1", "a\x1b[31m\n"), ToolOutput("c1", "b\n"))
    states.append(card.state)
    assert card.live is not None and card.live.toPlainText() == "a\\u{1b}[31m\nb\n"
    play(chat, ToolFinished(ToolResultPart("c1", "Bash", "a\nb\n"), 1.25))
    states.append(card.state)
    assert states == ["writing", "waiting", "running", "ok"]
    assert card.live is None
    assert chat.views(ToolCard) == [card]
    assert card.row.title.whole_text() == "List files"
    assert "1.2 s" in card.row.note.text() or "1.3 s" in card.row.note.text()


def test_the_message_of_the_transcript_wins_over_what_was_streamed(world: MakeWorld) -> None:
    chat = world()
    play(chat, StepStarted(1), TextDelta("streamed"), MessageAppended(assistant(ThinkingPart("t"), TextPart("recorded"))))
    assert [view.text for view in chat.views(AnswerView)] == ["recorded"]
    assert [view.text for view in chat.views(ThinkingView)] == ["t"]


def test_notices_are_said_as_they_came(world: MakeWorld) -> None:
    chat = world()
    play(
        chat,
        Notice("info", "context.outputs_cut", say("{count} old tool outputs are left out.", count=3), {"count": 3}),
        Notice("warning", "something.new", "A sentence that came with it.\u202e", {}),
    )
    cut, other = chat.views(NoticeCard)
    assert cut.label.text() == "3 old tool outputs are left out."
    assert other.label.text() == "A sentence that came with it.\\u{202e}"


def test_a_memory_that_the_agent_saves_gives_a_chip_in_the_chat_and_after_resuming(world: MakeWorld) -> None:
    note = "---\nname: package-manager\ndescription: bun\nmetadata:\n  type: project\n---\nWe use bun.\n"
    chat = world(opened=False)
    path = str(chat.desk.workspace.store.root / "package-manager.md")
    model = chat.desk.script({"tool_calls": [call("Write", file_path=path, content=note)]}, {"text": "noted"}, name="memory.json")
    chat.desk.services.settings.set("model.default", model)
    chat.open()
    chat.turn("Remember: we use bun")
    assert [chip.paths for row in chat.views(ChipRow) for chip in row.chips if isinstance(chip, SavedChip)] == [("package-manager.md",)]
    kept = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", kept), "a new session")
    chat.controller.resume(kept)
    chat.until(lambda: chat.controller.session_id == kept, "the old session")
    assert [chip.paths for row in chat.views(ChipRow) for chip in row.chips if isinstance(chip, SavedChip)] == [("package-manager.md",)]
    assert [view.text for view in chat.views(UserView)] == ["Remember: we use bun"]


# --- long things ------------------------------------------------------------------------------------------------------


def settled(chat: ChatWorld) -> None:
    """Wait until the list makes no more widgets: they come bit by bit."""
    seen = -1
    while seen != len(chat.pane.messages.views):
        seen = len(chat.pane.messages.views)
        chat.qtbot.wait(50)


def test_five_thousand_messages_mount_one_page_and_older_ones_come_without_a_jump(world: MakeWorld) -> None:
    chat = world()
    messages = chat.pane.messages
    entries = entries_of(long_session(5_000))
    chat.pane.stack.setCurrentWidget(messages)
    messages.show_entries(entries)
    chat.until(lambda: messages.verticalScrollBar().maximum() > 600, "a full page")
    settled(chat)
    assert len(messages.views) < 120
    assert messages.hidden_entries == len(entries) - len(messages.views)
    assert messages.at_bottom and not messages.to_bottom.isVisible()
    mounted = len(messages.views)
    bar = messages.verticalScrollBar()
    bar.setValue(bar.minimum() + 300)
    anchor = next(view for view in messages.views if view.y() + view.height() > bar.value())
    before = anchor.y() - bar.value()
    chat.until(lambda: len(messages.views) > mounted, "older messages")
    settled(chat)
    assert abs((anchor.y() - bar.value()) - before) <= 2, "what is read stays where it is"
    assert messages.to_bottom.isVisible()
    messages.to_bottom.click()
    assert messages.at_bottom


def test_it_follows_the_answer_only_while_the_person_is_at_the_bottom(world: MakeWorld) -> None:
    chat = world()
    messages = chat.pane.messages
    chat.pane.stack.setCurrentWidget(messages)
    play(chat, StepStarted(1), TextDelta("a line of the answer\n\n" * 100))
    chat.until(lambda: messages.verticalScrollBar().maximum() > 200)
    chat.until(lambda: messages.at_bottom, "the bottom")
    bar = messages.verticalScrollBar()
    bar.setValue(100)
    play(chat, TextDelta("more\n\n" * 100))
    chat.qtbot.wait(50)
    assert bar.value() == 100
    assert messages.to_bottom.isVisible()
    messages.scroll_to_bottom()
    play(chat, TextDelta("more\n\n" * 100))
    chat.qtbot.wait(50)
    assert messages.at_bottom


def test_a_line_of_500_000_characters_and_a_megabyte_of_base64_are_folded(world: MakeWorld) -> None:
    chat = world()
    line, base64 = "words and 中文 " * 40_000, "QUJD" * 262_144
    play(chat, StepStarted(1), TextDelta(f"before\n{line}\n\n{base64}\n\nafter"))
    body = chat.views(AnswerView)[0].body
    assert [type(view) for view in body.views] == [TextView, LongView, LongView, TextView]
    folded = body.views[1]
    assert isinstance(folded, LongView)
    assert len(folded.edit.toPlainText()) < 1_000
    hidden = folded.more.text()
    folded.more.click()
    assert len(folded.edit.toPlainText()) > 20_000
    assert folded.more.text() != hidden
    folded.copy_button.click()
    assert QGuiApplication.clipboard().text() == line.rstrip("\n")


def test_a_long_message_is_built_in_steps(world: MakeWorld) -> None:
    chat = world()
    text = "paragraph with some words\n\n" * 5_000
    view = AnswerView(chat.pane.messages.inside, text)
    chat.pane.messages.add(view)
    built = len(view.body.views)
    assert built <= 12
    view.body._more.click()
    assert len(view.body.views) > built
    assert view.text == text, "what is copied is whole"


def test_a_big_message_of_the_person_is_folded(world: MakeWorld) -> None:
    chat = world()
    text = "a line of a log\n" * 2_000
    view = UserView(chat.pane.messages.inside, text)
    chat.pane.messages.add(view)
    assert len(view._view.toPlainText()) < 4_000  # type: ignore[union-attr]
    view.more.click()
    assert view._view.toPlainText() == text.rstrip("\n")  # type: ignore[union-attr]


def test_code_and_messages_are_copied_as_they_are(world: MakeWorld) -> None:
    chat = world()
    text = "See:\n\n```sh\necho 'a\u200bb'\n```\n"
    play(chat, StepStarted(1), TextDelta(text), MessageAppended(assistant(TextPart(text))))
    answer = chat.views(AnswerView)[0]
    code = answer.body.views[1]
    assert isinstance(code, CodeView) and "\\u{200b}" in code.edit.toPlainText()
    code.copy_button.click()
    assert QGuiApplication.clipboard().text() == "echo 'a\u200bb'"
    answer.copy_button.click()
    assert QGuiApplication.clipboard().text() == text


def test_code_is_coloured_in_slices(world: MakeWorld) -> None:
    chat = world()
    play(chat, StepStarted(1), TextDelta("```python\ndef f():\n    return '👍' + '中'\n```\n\nafter"))
    code = chat.views(AnswerView)[0].body.views[0]
    assert isinstance(code, CodeView)

    def coloured() -> bool:
        formats = code.edit.document().findBlockByNumber(1).layout().formats()
        return [code.edit.document().findBlockByNumber(1).text()[f.start : f.start + f.length] for f in formats][:1] == ["return"]

    chat.until(coloured, "colours")


def test_every_theme_change_reaches_what_is_shown(world: MakeWorld, dark: theme.Theme, qapp: Any) -> None:
    chat = world()
    play(chat, StepStarted(1), TextDelta("[link](https://example.org)"))
    view = chat.views(AnswerView)[0].body.views[0]
    assert isinstance(view, TextView)
    assert dark.hex("link").lower() in view.toHtml()
    light = theme.apply(qapp, "light")
    assert light.hex("link").lower() in view.toHtml()


# --- sessions, drafts, models, memory ---------------------------------------------------------------------------------


def test_a_draft_is_there_again_after_a_restart(
    qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme, world: MakeWorld
) -> None:
    chat = world({"text": "ok"})
    chat.pane.composer.set_text("half a thought 想")
    store = DraftStore(chat.desk.services.paths.state / "drafts")
    key = f"new-{chat.desk.workspace.project.key}"
    chat.until(lambda: store.load(key) == "half a thought 想", "the draft on disk")
    again = ChatWorld(qtbot, tmp_path, operations)
    again.open()
    again.until(lambda: again.pane.composer.text == "half a thought 想", "the draft")
    again.sessions.close()
    for future in again.controller.close():
        future.result(60)
    again.loop.stop()
    again.controller.deleteLater()
    again.sessions.deleteLater()


def test_the_draft_goes_once_the_message_is_kept(world: MakeWorld) -> None:
    chat = world({"text": "ok"})
    store = DraftStore(chat.desk.services.paths.state / "drafts")
    key = f"new-{chat.desk.workspace.project.key}"
    chat.pane.composer.set_text("to be sent")
    chat.pane.flush_draft()
    chat.until(lambda: store.load(key) == "to be sent")
    chat.turn("to be sent")
    chat.until(lambda: store.load(key) == "", "no draft any more")


def test_every_conversation_has_its_own_draft(world: MakeWorld) -> None:
    chat = world({"text": "ok"})
    chat.turn("first")
    first = chat.controller.session_id
    chat.pane.composer.set_text("draft of the first")
    chat.pane.flush_draft()
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", first))
    chat.until(lambda: chat.pane.composer.text == "", "an empty composer")
    chat.controller.resume(first)
    chat.until(lambda: chat.pane.composer.text == "draft of the first", "its draft")


def test_without_a_model_the_way_out_is_shown_and_the_text_stays(world: MakeWorld) -> None:
    chat = world(opened=False)
    chat.desk.services.settings.set("model.default", "nosuch:model")
    asked: list[bool] = []
    chat.controller.models_requested.connect(lambda: asked.append(True))
    with chat.qtbot.waitSignal(chat.controller.opening_failed, timeout=WAIT_MS):
        chat.controller.set_workspace(chat.desk.workspace)
    card = chat.views(NoticeCard)[0]
    assert card.kind == "error" and "nosuch" in card.label.text()
    chat.send("keep me")
    chat.until(lambda: len(chat.views(NoticeCard)) == 2, "a second card")
    assert chat.pane.composer.text == "keep me"
    buttons = {button.text(): button for button in card.findChildren(type(chat.pane.banner.apply_button))}
    buttons["Models and Keys…"].click()
    assert asked == [True]
    chat.desk.services.settings.set("model.default", chat.desk.script({"text": "hi"}, name="good.json"))
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=WAIT_MS):
        chat.send("keep me")
    assert chat.views(AnswerView)[0].text == "hi"


def test_another_model_and_mode_hold_from_the_next_turn(world: MakeWorld) -> None:
    chat = world({"text": "one"})
    chat.turn("a")
    other = chat.desk.script({"text": "two"}, name="other.json")
    chat.controller.set_model(other)
    chat.until(lambda: other.rpartition("/")[2] in chat.pane.composer.model_button.toolTip(), "the other model")
    chat.controller.set_mode("plan")
    assert "Plan" in chat.pane.composer.mode_button.text()
    chat.turn("b")
    assert [view.text for view in chat.views(AnswerView)] == ["one", "two"]


def test_a_conversation_that_keeps_its_memory_says_so_and_can_follow(world: MakeWorld) -> None:
    from desktop.memory.identity import set_memory_switch

    chat = world({"text": "ok"})
    chat.until(lambda: not chat.operations.pending)
    assert not chat.pane.banner.isVisible()
    set_memory_switch(chat.desk.workspace.project, False, chat.desk.services.clock)
    chat.controller.refresh_memory_note()
    chat.until(chat.pane.banner.isVisible, "the note")
    assert "keeps it" in chat.pane.banner.label.text()
    chat.pane.banner.apply_button.click()
    chat.until(lambda: "Memory is off here" in chat.pane.banner.label.text(), "the switched note")
    assert not chat.pane.banner.apply_button.isVisible()


def test_a_title_can_be_given_and_taken_back(world: MakeWorld) -> None:
    chat = world({"text": "ok"})
    chat.turn("the first message")
    chat.controller.rename("My title 标题")
    chat.until(lambda: chat.pane.head.title.whole_text() == "My title 标题")
    chat.controller.rename("")
    chat.until(lambda: chat.pane.head.title.whole_text() == "the first message")


def test_switching_is_refused_while_a_turn_runs(world: MakeWorld) -> None:
    chat = world({"text": "word " * 200, "chunk": 5, "delay_ms": 5})
    chat.send("go")
    chat.until(lambda: chat.controller.running)
    session = chat.controller.session_id
    chat.controller.new_session()
    assert chat.failures and "running" in chat.failures[-1].message
    assert chat.controller.session_id == session


def test_a_session_of_another_folder_is_asked_for_in_its_folder(world: MakeWorld, tmp_path: Path) -> None:
    chat = world({"text": "ok"})
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir()
    store = chat.desk.services.sessions
    handle = store.create(project_key="elsewhere-0123456789abcdef", workspace=elsewhere, memory_enabled=True, model="x")
    handle.append(Message("msg_1", "user", (TextPart("hi"),), chat.desk.services.clock.now()))
    handle.close()
    with chat.qtbot.waitSignal(chat.controller.workspace_requested, timeout=WAIT_MS) as asked:
        chat.controller.resume(handle.id)
    assert asked.args == [str(elsewhere), handle.id]


def test_reading_another_session_shows_its_card(world: MakeWorld) -> None:
    chat = world({"text": "Our package manager is bun."}, {"text": "NO_RELEVANT_CONTEXT", "for": "distil"})
    chat.turn("Which package manager do we use?")
    source = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", source))
    chat.controller.read_into(source, "package manager?", "handoff", 2_000)
    chat.until(lambda: chat.views(ContextCard), "the card")
    card = chat.views(ContextCard)[0]
    asked: list[tuple[str, int]] = []
    chat.pane.session_open_requested.connect(lambda session, at: asked.append((session, at)))
    card.row.set_open(True)
    assert chat.pane.stack.currentWidget() is chat.pane.messages
    assert card.session_id == source
    chat.controller.read_into(chat.controller.session_id, "x", "handoff", 2_000)
    assert "itself" in chat.failures[-1].message


def test_citations_open_their_message(world: MakeWorld) -> None:
    chat = world()
    data = {"card": "session_context", "session": "sess_x", "query": "q", "strategy": "relevant", "source": "local", "tokens": 10}
    cited = {"citations": [{"message": n, "role": "user", "time": "t"} for n in range(1, 11)]}
    message = Message("msg_c", "user", (TextPart("text", data=data | cited),), FixedClock().now(), origin="app")
    play(chat, MessageAppended(message), MessageAppended(replace(message)))
    card = chat.views(ContextCard)[0]
    assert len(chat.views(ContextCard)) == 1
    asked: list[tuple[str, int]] = []
    chat.pane.session_open_requested.connect(lambda session, at: asked.append((session, at)))
    buttons = [b for b in card.findChildren(type(chat.pane.banner.apply_button)) if b.objectName() == "citation"]
    assert [b.text() for b in buttons] == ["#1", "#2", "#3", "#4", "#5", "#6"]
    buttons[3].click()
    assert asked == [("sess_x", 4)]


def test_a_turn_that_ends_with_a_limit_shows_the_hint(world: MakeWorld) -> None:
    chat = world()
    play(chat, TurnEnded("limit", Usage(), {"message": "50 steps are reached.", "hint": "Write “go on”.", "detail": "d"}))
    card = chat.views(NoticeCard)[0]
    assert card.kind == "warning" and card.label.text() == "50 steps are reached."
    assert "go on" in card.accessibleName()


def test_a_long_wait_for_the_model_is_said_until_something_comes(world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_line, "AFTER_MS", 10)
    chat = world({"text": "At last it answers.", "delay_ms": 400, "chunk": 100})
    line = chat.pane.waiting
    assert not line.isVisible()
    chat.send("Are you there?")
    chat.until(line.isVisible, "the line")
    chat.until(lambda: chat.views(AnswerView), "the answer")
    assert not line.isVisible()
    chat.until(lambda: not chat.controller.running, "the end of the turn")
    assert not line.isVisible()


def test_no_line_waits_behind_a_turn_that_was_stopped(world: MakeWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(waiting_line, "AFTER_MS", 10)
    chat = world({"text": "Too late.", "delay_ms": 30_000})
    chat.send("Are you there?")
    chat.until(chat.pane.waiting.isVisible, "the line")
    chat.controller.stop()
    chat.until(lambda: not chat.controller.running, "the end of the turn")
    chat.until(lambda: not chat.pane.waiting.isVisible(), "the line to go")
