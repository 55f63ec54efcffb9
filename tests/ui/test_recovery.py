"""The chat after a crash: what was interrupted is said where it happened, with a way on; each conversation has its draft again."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from desktop.bridge.drafts import DraftStore
from desktop.bridge.operations import Operations
from desktop.messages.parts import Message, ToolCallPart, ToolResultPart
from desktop.sessions.running import keep_running
from desktop.ui import theme
from desktop.ui.chat.interrupted_card import InterruptedCard
from desktop.ui.chat.items import StoppedEntry, entries_of
from desktop.ui.chat.message_views import AnswerView
from desktop.ui.chat.notice_card import NoticeCard
from desktop.ui.chat.tool_card import ToolCard
from tests.ui.chat_world import ChatWorld
from tests.unit.sessions.make import message

MakeWorld = Callable[..., ChatWorld]


@pytest.fixture
def world(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[MakeWorld]:
    made: list[ChatWorld] = []

    def make(*responses: dict[str, Any]) -> ChatWorld:
        made.append(ChatWorld(qtbot, tmp_path, operations, *responses))
        return made[-1]

    yield make
    for one in made:
        one.close()


def left(chat: ChatWorld, *messages: Message, kept: Message | None = None, empty: bool = False) -> str:
    """A session as a killed process leaves it: its last messages, and the answer that was kept."""
    services, workspace = chat.desk.services, chat.desk.workspace
    folder = workspace.folder
    handle = services.sessions.create(project_key=workspace.project.key, workspace=folder, memory_enabled=True, model="")
    for one in messages:
        handle.append(replace(one, model=None))
    if kept is not None or empty:
        keep_running(handle.path, replace(kept or message("", "assistant", parts=()), parent=handle.messages[-1].id, model=None))
    handle.close()
    return handle.id


def card(chat: ChatWorld) -> InterruptedCard | None:
    return next(iter(chat.views(InterruptedCard)), None)


CALL = ToolCallPart("c1", "Bash", {"command": "make all"})
CALLS = message("", "assistant", parts=(CALL, ToolCallPart("c2", "Read", {"file_path": "/srv/a.txt"})))
RESULT = message("", "tool", parts=(ToolResultPart("c1", "Bash", "built"),))


def test_a_kept_answer_is_shown_with_its_notice_and_retry_asks_on_a_branch(world: MakeWorld) -> None:
    chat = world({"text": "The whole story."})
    session = left(chat, message("Tell me"), kept=message("Once upon a ti", "assistant"))
    chat.open(session)
    found = card(chat)
    assert found is not None
    assert found.label.text() == "Keepsake ended in the middle of this answer. What had come is kept; Retry asks again."
    assert [view.text for view in chat.views(AnswerView)] == ["Once upon a ti"]
    assert [type(view) for view in chat.views(NoticeCard)] == [InterruptedCard], "it is said once"
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=10_000):
        found.retry.click()
    assert card(chat) is None
    assert [one.text for one in chat.controller.messages] == ["Tell me", "The whole story."]
    versions = chat.controller.branches.versions()
    assert [found.ids for found in versions.values() if len(found.ids) == 2], "what had come is kept as the other version"
    chat.controller.branches.switch(next(iter(versions.values())).ids[0])
    chat.until(lambda: card(chat) is not None, "the notice on the branch of before")


def test_going_on_takes_the_notice_away_and_the_place_stays_marked(world: MakeWorld) -> None:
    chat = world({"text": "Where were we?"})
    chat.open(left(chat, message("Tell me"), kept=message("Once upon a ti", "assistant")))
    chat.turn("Go on")
    assert card(chat) is None
    stops = [entry.stop for entry in entries_of(chat.controller.messages) if isinstance(entry, StoppedEntry)]
    assert stops == ["recovered"]
    chat.pane.branches.show(chat.controller.messages)
    said = [view.label.text() for view in chat.views(NoticeCard)]
    assert said == ["Keepsake ended in the middle of this answer. What had come is kept."]


@pytest.mark.parametrize(
    ("messages", "empty", "text"),
    [
        ((CALLS,), True, "while this ran: “Run make all”, “Read a.txt”."),
        ((CALLS, RESULT), True, "while this ran: “Read a.txt”."),
        ((CALLS,), False, "while this ran: “Run make all”"),
        ((replace(CALLS, parts=(CALL,)), RESULT), True, "in the middle of this turn. What was done is kept"),
        ((), True, "before the answer to this message began"),
        ((), False, "This message has no answer yet. Retry asks for one."),
    ],
)
def test_what_was_interrupted_is_named(world: MakeWorld, messages: tuple[Message, ...], empty: bool, text: str) -> None:
    chat = world({"text": "Done."})
    chat.open(left(chat, message("Do it"), *messages, empty=empty))
    found = card(chat)
    assert found is not None and text in found.label.text() and text in found.accessibleName()
    open_calls = {call.id for call in found.found.calls}
    states = {one.call.id: one.state for one in chat.views(ToolCard) if one.call is not None}
    assert all(states[call] == "interrupted" for call in open_calls)
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=10_000):
        found.retry.click()
    assert card(chat) is None and [one.text for one in chat.controller.messages] == ["Do it", "Done."]


def test_a_whole_conversation_has_no_notice(world: MakeWorld) -> None:
    chat = world()
    chat.open(left(chat, message("Do it"), message("Done.", "assistant"), empty=True))
    assert card(chat) is None
    assert chat.controller.messages[-1].text == "Done."


# --- drafts -------------------------------------------------------------------------------------------------------------


def drafts(chat: ChatWorld) -> dict[str, str]:
    chat.until(lambda: not chat.operations.pending)
    return {path.stem: path.read_text(encoding="utf-8") for path in (chat.desk.services.paths.state / "drafts").glob("*.txt")}


def store(chat: ChatWorld) -> DraftStore:
    return DraftStore(chat.desk.services.paths.state / "drafts")


def test_what_is_typed_before_the_chat_is_there_does_not_write_over_its_draft(world: MakeWorld) -> None:
    """Who types at once after a start keeps both: the draft of before a crash, and the new words."""
    chat = world()
    session = left(chat, message("Do it"), message("Done.", "assistant"))
    store(chat).save(session, "the old draft 旧")
    chat.controller.set_workspace(chat.desk.workspace, session)
    chat.pane.composer.set_text("new words")
    chat.pane.flush_draft()
    chat.until(lambda: chat.controller.session_id == session, "the session")
    chat.until(lambda: chat.pane.composer.text == "the old draft 旧\nnew words", "both")
    chat.pane.flush_draft()
    assert drafts(chat) == {session: "the old draft 旧\nnew words"}


def test_killed_while_the_chat_opens_both_are_on_disk(world: MakeWorld, tmp_path: Path) -> None:
    chat = world()
    session = left(chat, message("Do it"), message("Done.", "assistant"))
    store(chat).save(session, "the old draft")
    store(chat).save(f"early-{session}", "new words")  # a process that was killed between the two left this
    chat.open(session)
    chat.until(lambda: chat.pane.composer.text == "the old draft\nnew words", "both")
    assert drafts(chat) == {session: "the old draft\nnew words"}


def test_what_is_typed_while_another_chat_opens_is_that_ones(world: MakeWorld) -> None:
    chat = world()
    first, second = (left(chat, message(text), message("Done.", "assistant")) for text in ("one", "two"))
    chat.open(first)
    chat.until(lambda: not chat.operations.pending)
    chat.pane.composer.set_text("of the first")
    typed = chat.controller.switching.connect(lambda: chat.pane.composer.set_text("of the second"))
    chat.controller.resume(second)
    chat.until(lambda: chat.controller.opening or chat.controller.session_id == second, "the second on its way")
    chat.pane.flush_draft()
    chat.until(lambda: chat.controller.session_id == second, "the second")
    chat.pane.flush_draft()
    chat.controller.switching.disconnect(typed)
    assert drafts(chat) == {first: "of the first", second: "of the second"}
    chat.controller.resume(first)
    chat.until(lambda: chat.pane.composer.text == "of the first", "its draft")


def test_a_draft_does_not_go_along_into_another_folder(world: MakeWorld, tmp_path: Path) -> None:
    chat = world()
    chat.open()
    chat.until(lambda: not chat.operations.pending)
    chat.pane.composer.set_text("of this folder")
    other = tmp_path / "other"
    other.mkdir()
    there = chat.desk.services.open_workspace(other)
    chat.controller.set_workspace(there)
    chat.until(lambda: bool(chat.controller.session_id), "the other chat")
    chat.until(lambda: not chat.operations.pending)
    assert chat.pane.composer.text == ""
    chat.controller.set_workspace(chat.desk.workspace)
    chat.until(lambda: chat.pane.composer.text == "of this folder", "the draft")
    assert drafts(chat) == {f"new-{chat.desk.workspace.project.key}": "of this folder"}


def test_what_is_typed_while_a_chat_cannot_be_opened_is_kept(world: MakeWorld) -> None:
    chat = world()
    session = left(chat, message("Do it"), message("Done.", "assistant"))
    busy = left(chat, message("elsewhere"), message("Done.", "assistant"))
    chat.open(session)
    chat.until(lambda: not chat.operations.pending)
    elsewhere = chat.desk.build().sessions.open(busy)
    chat.pane.composer.set_text("before ")
    chat.controller.switching.connect(lambda: chat.pane.composer.set_text("since"))
    with chat.qtbot.waitSignal(chat.controller.opening_failed, timeout=10_000):
        chat.controller.resume(busy)
    assert chat.pane.composer.text == "before since"
    assert drafts(chat) == {session: "before since"}
    elsewhere.close()


def test_a_fork_has_a_draft_of_its_own(world: MakeWorld) -> None:
    chat = world({"text": "Done."})
    chat.open()
    chat.turn("Do it")
    first = chat.controller.session_id
    chat.pane.composer.set_text("of the first")
    chat.controller.branches.fork()
    chat.until(lambda: chat.controller.session_id not in ("", first) and not chat.controller.opening, "the fork")
    chat.until(lambda: not chat.operations.pending)
    assert chat.pane.composer.text == ""
    chat.pane.composer.set_text("of the fork")
    chat.pane.flush_draft()
    assert drafts(chat) == {first: "of the first", chat.controller.session_id: "of the fork"}


def test_words_typed_since_a_message_was_sent_outlive_its_confirmation(world: MakeWorld) -> None:
    chat = world({"text": "Done.", "delay_ms": 5})
    chat.open()
    chat.until(lambda: not chat.operations.pending)
    chat.pane.composer.set_text("sent")
    chat.pane.flush_draft()
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=10_000):
        chat.pane.composer.edit.send_requested.emit()
        chat.pane.composer.set_text("typed since")
        chat.pane.flush_draft()  # before the transcript has the message
    assert drafts(chat) == {chat.controller.session_id: "typed since"}


def test_a_draft_that_waits_while_a_message_is_edited_is_kept(world: MakeWorld) -> None:
    chat = world({"text": "Done."})
    chat.open()
    chat.turn("the message")
    session = chat.controller.session_id
    chat.pane.composer.set_text("half a thought")
    chat.pane.branches.edit(chat.controller.messages[0].id)
    chat.pane.composer.set_text("the message, edited")
    chat.pane.flush_draft()
    assert drafts(chat) == {session: "half a thought\nthe message, edited"}
    chat.pane.branches.cancel_edit()
    assert drafts(chat) == {session: "half a thought"}


@pytest.mark.parametrize("changed", [True, False])
def test_what_was_changed_in_a_message_outlives_leaving_it(world: MakeWorld, changed: bool) -> None:
    """The window that closes and a chat that is left keep what a kill keeps; an untouched message is no draft."""
    chat = world({"text": "Done."})
    chat.open()
    chat.turn("the message")
    session = chat.controller.session_id
    chat.pane.composer.set_text("half a thought")
    chat.pane.branches.edit(chat.controller.messages[0].id)
    if changed:
        chat.pane.composer.edit.insertPlainText(", edited")
    chat.controller.leaving.emit()
    assert drafts(chat) == {session: "half a thought\nthe message, edited" if changed else "half a thought"}
    assert not chat.pane.branches.editing


def test_a_disk_that_takes_no_drafts_is_said_once(world: MakeWorld) -> None:
    chat = world()
    chat.open()
    chat.until(lambda: not chat.operations.pending)
    folder = chat.desk.services.paths.state / "drafts"
    folder.parent.mkdir(parents=True, exist_ok=True)
    folder.write_text("in the way")
    for text in ("a", "ab", "abc"):
        chat.pane.composer.set_text(text)
        chat.pane.flush_draft()
    chat.until(lambda: not chat.operations.pending)
    assert len(chat.failures) == 1
    folder.unlink()
    chat.pane.flush_draft()
    assert "abc" in drafts(chat).values()
    chat.failures.clear()


def test_long_keys_do_not_share_a_draft(tmp_path: Path) -> None:
    kept = DraftStore(tmp_path)
    keys = [f"new-{'x' * 150}-{number}" for number in range(2)]
    for key in keys:
        kept.save(key, key)
    assert [kept.load(key) for key in keys] == keys and all(len(path.name) < 200 for path in tmp_path.iterdir())
