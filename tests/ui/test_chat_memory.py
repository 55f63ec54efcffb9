"""Memory in the chat: chips with their popovers and undo, marks and “remember this” on messages, the breakdown of the context."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QTextCursor
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication, QMenu, QWidget
from pytestqt.qtbot import QtBot

from desktop.base.phrases import phrase_to_json, say
from desktop.bridge.operations import Operations
from desktop.memory.store import ChangeOrigin
from desktop.messages.events import (
    ContextReported,
    MemoryChangeRef,
    MemoryLoaded,
    MemoryProposed,
    MemoryRecalled,
    MemorySaved,
    RecalledRef,
    TurnStarted,
)
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.ui import i18n, theme
from desktop.ui.chat.chips import LoadedChip, MemoryChip, RecalledChip, ReviewChip, SavedChip
from desktop.ui.chat.context_details import ContextDetails, LoadedDetails
from desktop.ui.chat.context_rows import context_rows, loaded_rows
from desktop.ui.chat.items import ClaimEntry, RecalledEntry, SavedEntry, ToolEntry, UserEntry, entries_of, merged
from desktop.ui.chat.memory_details import RecalledDetails, SavedDetails
from desktop.ui.chat.message_actions import MessageView
from desktop.ui.chat.message_views import AnswerView, UserView
from desktop.ui.chat.notice_card import NoticeCard
from desktop.ui.chat.popover import Popover
from desktop.ui.chat.remember_dialog import RememberDialog
from tests.helpers.clock import FixedClock
from tests.helpers.script import call
from tests.ui.chat_world import ChatWorld

MakeWorld = Callable[..., ChatWorld]
NOTE = "---\nname: {name}\ndescription: {text}\nmetadata:\n  type: project\n---\n\n{text}\n"


@pytest.fixture
def world(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[MakeWorld]:
    made: list[ChatWorld] = []

    def make(*responses: dict[str, Any], opened: bool = True) -> ChatWorld:
        chat = ChatWorld(qtbot, tmp_path, operations, *responses)
        chat.desk.services.settings.set("memory.extraction", "off")
        chat.desk.services.settings.set("memory.recall", "off")
        made.append(chat)
        if opened:
            chat.open()
        return chat

    yield make
    for one in made:
        one.close()


def notices(chat: ChatWorld) -> list[tuple[str, str, Any, str]]:
    found: list[tuple[str, str, Any, str]] = []
    chat.controller.saves.notice_requested.connect(lambda *values: found.append(values))
    return found


def saving(chat: ChatWorld, *notes: tuple[str, str]) -> str:
    """A model that writes these memories, then answers."""
    root = chat.desk.workspace.store.root
    calls = [call("Write", file_path=str(root / f"{name}.md"), content=NOTE.format(name=name, text=text)) for name, text in notes]
    return chat.desk.script({"tool_calls": calls}, {"text": "Noted."}, name="saving.json")


def saved_chat(world: MakeWorld, *notes: tuple[str, str]) -> ChatWorld:
    chat = world(opened=False)
    chat.desk.services.settings.set("model.default", saving(chat, *notes))
    chat.open()
    chat.turn("Remember this, please")
    return chat


def play(chat: ChatWorld, *events: Any) -> None:
    chat.controller.events_arrived.emit(events)


def chips(chat: ChatWorld, kind: type[MemoryChip] = MemoryChip) -> list[Any]:
    return [chip for chip in chat.pane.messages.findChildren(kind) if chip.isVisible() and chip.objectName() != "rememberedMark"]


def press(chat: ChatWorld, chip: MemoryChip) -> QWidget:
    chip.click()
    popover = chat.pane.memory.popover
    assert popover is not None
    return popover.content


def saved_details(chat: ChatWorld) -> SavedDetails:
    details = press(chat, chips(chat, SavedChip)[-1])
    assert isinstance(details, SavedDetails)
    chat.until(lambda: details.facts, "the changes")
    return details


def again(chat: ChatWorld) -> None:
    """Leave the conversation and open it again."""
    kept = chat.controller.session_id
    chat.controller.new_session()
    chat.until(lambda: chat.controller.session_id not in ("", kept), "a new session")
    chat.controller.resume(kept)
    chat.until(lambda: chat.controller.session_id == kept, "the old session")


def exists(chat: ChatWorld, path: str) -> bool:
    return (chat.desk.workspace.store.root / path).is_file()


# --- entries ----------------------------------------------------------------------------------------------------------


def user(message_id: str, text: str = "hello") -> Message:
    return Message(message_id, "user", (TextPart(text),), FixedClock().now())


def ref(path: str, root: str = "project", *, name: str = "", reason: str = "r", age: str = "a", stage: str = "lexical") -> RecalledRef:
    return RecalledRef(root, path, name or path, reason, age, stage, 3)


def test_entries_say_what_calls_did_to_memory() -> None:
    changes = [
        {"root": "user", "path": "a.md", "change": "c1", "op": "write"},
        {"root": "user", "path": "b.md", "change": "c2", "op": "delete"},
    ]
    calls = (ToolCallPart("1", "Write"), ToolCallPart("2", "Bash"), ToolCallPart("3", "Read"))
    results = (
        ToolResultPart("1", "Write", "", data={"memory_saved": ["a.md"], "memory_changes": changes[:1]}),
        ToolResultPart("2", "Bash", "", data={"deleted": ["b.md"], "memory_changes": [*changes[1:], {"root": 1}, "damaged"]}),
        ToolResultPart("3", "Read", "", data={"memory_saved": []}),
    )
    messages = [
        user("u1"),
        Message("a1", "assistant", calls, FixedClock().now(), origin="model"),
        Message("t1", "tool", results, FixedClock().now(), origin="tool"),
    ]
    entries = entries_of(messages)
    assert [type(one) for one in entries] == [UserEntry, ToolEntry, ToolEntry, ToolEntry, SavedEntry]
    saved = entries[-1]
    assert isinstance(saved, SavedEntry)
    assert (saved.paths, saved.deleted) == (("a.md",), ("b.md",))
    assert saved.changes == (MemoryChangeRef("user", "a.md", "c1", "write"), MemoryChangeRef("user", "b.md", "c2", "delete"))


def test_an_old_transcript_knows_only_paths() -> None:
    saved = SavedEntry(("a.md", "a.md"), ("b.md",))
    assert saved.refs == (MemoryChangeRef("project", "a.md", "", "write"), MemoryChangeRef("project", "b.md", "", "delete"))


def test_recalled_memories_and_claims_come_out_of_the_notes_of_answers() -> None:
    age = say("{n} days old", n=3)
    first = {"root": "project", "path": "a.md", "name": "a", "reason": "said", "age": phrase_to_json(age), "stage": "lexical", "tokens": 5}
    second = first | {"path": "b.md", "reason": None, "tokens": "many"}
    messages = [
        user("u1"),
        Message(
            "a1",
            "assistant",
            (TextPart("x"), ToolCallPart("1", "Read")),
            FixedClock().now(),
            origin="model",
            notes={"recalled": [first, {}]},
        ),
        Message(
            "a2", "assistant", (TextPart("y"),), FixedClock().now(), origin="model", notes={"recalled": [second], "claim": "not_saved"}
        ),
    ]
    entries = entries_of(messages)
    assert [type(one).__name__ for one in entries] == [
        "UserEntry",
        "RecalledEntry",
        "AnswerEntry",
        "ToolEntry",
        "AnswerEntry",
        "ClaimEntry",
    ]
    recalled = entries[1]
    assert isinstance(recalled, RecalledEntry)
    assert [(one.path, one.reason, one.tokens) for one in recalled.items] == [("a.md", "said", 5), ("b.md", "", 0)]
    assert recalled.items[0].age.template == "{n} days old"  # type: ignore[attr-defined]
    assert entries[-1] == ClaimEntry("a2", "not_saved")


def test_what_was_extracted_stands_at_the_end_of_its_turn() -> None:
    change = MemoryChangeRef("project", "a.md", "c1", "write")
    answer = Message("a1", "assistant", (TextPart("x"),), FixedClock().now(), origin="model")
    entries = entries_of([user("u1"), answer, user("u2")], {"u1": (change,), "gone": (change,)})
    assert [type(one).__name__ for one in entries] == ["UserEntry", "AnswerEntry", "SavedEntry", "UserEntry"]
    assert entries[2] == SavedEntry(("a.md",), (), (change,), background=True, message_id="u1")


def test_a_memory_that_is_recalled_twice_counts_once() -> None:
    assert [one.path for one in merged([ref("a.md"), ref("b.md")], [ref("a.md", stage="model"), ref("a.md", root="user")])] == [
        "a.md",
        "b.md",
        "a.md",
    ]


# --- chips and popovers -------------------------------------------------------------------------------------------------


def test_what_is_loaded_and_recalled_stands_side_by_side_behind_the_message(world: MakeWorld) -> None:
    chat = world()
    events = (
        MemoryLoaded({"entries": 12, "tokens": 412, "truncated": True, "dropped": ["old.md"]}),
        TurnStarted(chat.controller.session_id, user("u1", "why?")),
        MemoryRecalled("u1", (ref("a.md"),)),
        MemoryRecalled("u1", (ref("a.md"), ref("b.md"))),
        MemoryLoaded({"entries": 0}),
        MemoryProposed(2, 3, ("p", "q")),
        MemorySaved((), "main", "/m"),
    )
    play(chat, *events)
    assert [(type(chip), chip.text()) for chip in chips(chat)] == [
        (LoadedChip, "loaded 12"),
        (RecalledChip, "recalled 2"),
        (ReviewChip, "2 to review"),
    ]
    assert "old.md" in chips(chat)[0].toolTip()
    assert [type(view).__name__ for view in chat.pane.messages.views] == ["UserView", "ChipRow", "ChipRow"]


def test_a_saved_memory_is_shown_undone_and_done_again(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."), ("tea", "Green tea."))
    said = notices(chat)
    assert [chip.text() for chip in chips(chat, SavedChip)] == ["saved 2"]
    details = saved_details(chat)
    assert details.path.whole_text() == "bun.md"
    assert "Created" in details.note.text() and "Agent" in details.note.text()
    assert "+  We use bun." in details.diff.toPlainText()
    assert details.undo_button.text() == "Undo" and details.all_button.text() == "Undo All 2"
    details.undo_button.click()
    chat.until(lambda: details.undo_button.text() == "Redo", "the undo")
    assert not exists(chat, "bun.md") and exists(chat, "tea.md")
    assert said[-1][1] == "Undone: “bun.md”." and [label for label, _ in said[-1][2]] == ["Redo"]
    said[-1][2][0][1]()
    chat.until(lambda: exists(chat, "bun.md") and details.undo_button.text() == "Undo", "the redo")
    assert said[-1][1] == "Redone: “bun.md”." and [label for label, _ in said[-1][2]] == ["Undo"]
    details.all_button.click()
    chat.until(lambda: not exists(chat, "bun.md") and not exists(chat, "tea.md"), "both to go")
    chat.until(lambda: said[-1][1] == "2 changes are undone.", "the toast")
    assert not chat.failures


def test_a_saved_chip_can_be_undone_after_resuming_too(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."))
    again(chat)
    details = saved_details(chat)
    details.undo_button.click()
    chat.until(lambda: not exists(chat, "bun.md"), "the undo")
    chat.pane.memory.close_popover()
    details = saved_details(chat)
    chat.until(lambda: details.undo_button.text() == "Redo", "the journal's line, which follows the file")


def test_a_conflict_is_said_with_the_way_out_and_changes_nothing(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."))
    said = notices(chat)
    store = chat.desk.workspace.store
    stored = store.read("bun.md")
    store.write("bun.md", stored.text + "\nmine\n", base_digest=stored.digest, origin=ChangeOrigin("person"))
    saved_details(chat).undo_button.click()
    chat.until(lambda: said, "the conflict")
    assert said[-1][0] == "warning" and "changed again" in said[-1][1] and "Undo the later change first" in said[-1][1]
    assert store.read("bun.md").text.endswith("mine\n")


def test_what_is_gone_from_history_says_so_and_offers_no_undo(world: MakeWorld) -> None:
    chat = world()
    unknown = MemoryChangeRef("project", "x.md", "no-such-change", "write")
    elsewhere = MemoryChangeRef("no-such-root", "y\u202e.md", "c", "write")
    play(chat, MemorySaved(("x.md", "y.md"), "extractor", "/m", (unknown, elsewhere)))
    details = saved_details(chat)
    assert len(details.facts) == 2 and not details.undo_button.isVisible() and not details.all_button.isVisible()
    assert "not in the history" in details.note.text()
    details.list.setCurrentIndex(details.list.model().index(1, 0))
    assert details.path.whole_text() == "y\\u{202e}.md"


def test_a_recalled_memory_says_why_and_opens(world: MakeWorld) -> None:
    chat = world()
    opened: list[tuple[str, str]] = []
    chat.pane.memory_open_requested.connect(lambda path, root: opened.append((path, root)))
    items = (ref("a.md", reason="its words fit", age="3 days old"), ref("b.md", root="user", reason="", stage="model", name="<b>\u202eB"))
    play(chat, MemoryRecalled("u1", items))
    details = press(chat, chips(chat, RecalledChip)[0])
    assert isinstance(details, RecalledDetails)
    assert [link.text() for link in details.links] == ["a.md", "<b>\\u{202e}B"]
    texts = [one.text() for one in details.findChildren(QWidget) if hasattr(one, "text") and callable(one.text)]
    assert any("its words fit · 3 days old · 3 tokens" in text for text in texts)
    assert any("chosen by the model" in text for text in texts)
    details.links[1].click()
    assert opened == [("b.md", "user")] and chat.pane.memory.popover is None


def test_the_review_chip_asks_for_the_inbox(world: MakeWorld) -> None:
    chat = world()
    asked: list[bool] = []
    chat.pane.review_requested.connect(lambda: asked.append(True))
    play(chat, MemoryProposed(1, 4, ("p",)))
    chip = chips(chat, ReviewChip)[0]
    assert "4 wait in all" in chip.accessibleName()
    chip.click()
    assert asked == [True] and chat.pane.memory.popover is None


@pytest.mark.parametrize("way", ["escape", "outside", "anchor gone"])
def test_a_popover_closes_and_gives_the_focus_back(world: MakeWorld, way: str) -> None:
    chat = world()
    chat.pane.activateWindow()
    play(chat, MemoryRecalled("u1", (ref("a.md"), ref("b.md"))))
    chip = chips(chat, RecalledChip)[0]
    chip.setFocus()
    QTest.keyClick(chip, Qt.Key.Key_Return)
    popover = chat.pane.memory.popover
    assert popover is not None and popover.isVisible()
    details = popover.content
    assert isinstance(details, RecalledDetails)
    chat.until(details.links[0].hasFocus, "the focus in the popover")
    QTest.keyClick(details.links[0], Qt.Key.Key_Tab)
    assert details.links[1].hasFocus()
    QTest.keyClick(details.links[1], Qt.Key.Key_Tab)
    assert details.links[0].hasFocus(), "Tab stays inside"
    if way == "escape":
        QTest.keyClick(details.links[0], Qt.Key.Key_Escape)
        assert chip.hasFocus()
    elif way == "outside":
        shield = next(one for one in chat.pane.children() if type(one).__name__ == "_Shield" and isinstance(one, QWidget))
        QTest.mouseClick(shield, Qt.MouseButton.LeftButton, pos=QPoint(3, 3))
        assert chip.hasFocus()
    else:
        chat.pane.messages.clear()
        chat.until(lambda: chat.pane.memory.popover is None, "the end of the popover")
    assert chat.pane.memory.popover is None
    chat.until(lambda: not chat.pane.findChildren(Popover), "the popover to go")


def test_a_popover_stays_inside_a_narrow_window(world: MakeWorld) -> None:
    chat = world()
    chat.pane.resize(300, 400)
    play(chat, MemoryRecalled("u1", tuple(ref(f"{n}.md", reason="why " * 60) for n in range(12))))
    press(chat, chips(chat, RecalledChip)[0])
    popover = chat.pane.memory.popover
    assert popover is not None
    assert chat.pane.rect().contains(popover.geometry())
    chat.pane.resize(280, 360)
    chat.until(lambda: chat.pane.rect().contains(popover.geometry()), "the popover to follow")


# --- what was extracted --------------------------------------------------------------------------------------------------


def test_an_extracted_memory_has_its_chip_after_a_restart(world: MakeWorld) -> None:
    chat = world({"text": "Good."}, {"text": "Fine."})
    chat.turn("We moved to bun last week")
    first = chat.controller.messages[0].id
    chat.turn("And another thing")
    store = chat.desk.workspace.store
    origin = ChangeOrigin("extractor", chat.controller.session_id, first)
    store.write("bun.md", NOTE.format(name="bun", text="We use bun."), base_digest=None, origin=origin)
    again(chat)
    chat.until(lambda: chips(chat, SavedChip), "the chip")
    names = [type(view).__name__ for view in chat.pane.messages.views]
    assert names == ["UserView", "AnswerView", "ChipRow", "UserView", "AnswerView"]
    assert next(entry for entry in chat.pane.messages.entries if isinstance(entry, SavedEntry)).background
    details = saved_details(chat)
    assert "Background extraction" in details.note.text()
    details.undo_button.click()
    chat.until(lambda: not exists(chat, "bun.md"), "the undo")


def test_a_live_extraction_has_one_chip_only(world: MakeWorld) -> None:
    chat = world({"text": "Good."})
    chat.turn("We moved to bun last week")
    store = chat.desk.workspace.store
    origin = ChangeOrigin("extractor", chat.controller.session_id, chat.controller.messages[0].id)
    change = store.write("bun.md", NOTE.format(name="bun", text="We use bun."), base_digest=None, origin=origin)
    change_ref = MemoryChangeRef("project", "bun.md", change.id, "write")
    chat.controller.events_arrived.emit((MemorySaved(("bun.md",), "extractor", str(store.root), (change_ref,)),))
    chat.until(lambda: chat.pane.memory.origins.extracted, "the origins")
    assert [chip.text() for chip in chips(chat, SavedChip)] == ["saved 1"]
    assert "By itself after the turn" in chips(chat, SavedChip)[0].toolTip()


def test_long_conversations_get_their_chips_where_they_belong(world: MakeWorld) -> None:
    chat = world()
    answer = "An answer of some length, so that pages fill.\n" * 4
    messages = []
    for number in range(120):
        messages += [user(f"u{number}"), Message(f"a{number}", "assistant", (TextPart(answer),), FixedClock().now(), origin="model")]
    change = MemoryChangeRef("project", "a.md", "c", "write")
    extracted = {f"u{number}": (change,) for number in (0, 60, 118, 119)}
    chat.pane.stack.setCurrentWidget(chat.pane.messages)
    chat.pane.messages.show_entries(entries_of(messages))
    chat.until(lambda: len(chat.pane.messages.views) > 10, "a page")
    chat.pane.messages.insert_entries(entries_of(messages, extracted))
    assert list(chat.pane.messages.entries) == entries_of(messages, extracted)
    assert len(chat.pane.messages.views) == len(chat.pane.messages.entries) - chat.pane.messages.hidden_entries
    assert [chip.text() for chip in chips(chat, SavedChip)] == ["saved 1"] * 2
    views, hidden = chat.pane.messages.views, chat.pane.messages.hidden_entries
    kinds = [type(view).__name__ for view in views]
    wanted = {"UserEntry": "UserView", "AnswerEntry": "AnswerView", "SavedEntry": "ChipRow"}
    assert kinds == [wanted[type(entry).__name__] for entry in chat.pane.messages.entries[hidden:]]


# --- honest chat ---------------------------------------------------------------------------------------------------------


def test_a_claim_that_nothing_came_of_is_said_now_and_after_resuming(world: MakeWorld) -> None:
    chat = world({"text": "I've saved that to memory."})
    chat.turn("What do you think of the weather?")
    chat.until(lambda: chat.views(NoticeCard), "the notice")
    text = "The model says that it saved a memory, but no memory file was written in this turn."
    assert [card.label.text() for card in chat.views(NoticeCard)] == [text]
    again(chat)
    assert [card.label.text() for card in chat.views(NoticeCard)] == [text]
    assert chat.views(NoticeCard)[0].kind == "warning"


def test_a_save_that_happened_brings_no_notice(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."))
    assert not chat.views(NoticeCard)


# --- marks and “remember this” -------------------------------------------------------------------------------------------


def test_a_message_that_memories_come_from_is_marked_and_opens_them(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."))
    opened: list[tuple[str, str]] = []
    chat.pane.memory_open_requested.connect(lambda path, root: opened.append((path, root)))
    view = chat.views(UserView)[0]
    chat.until(lambda: view.mark.isVisible(), "the mark")
    assert view.mark.text() == "remembered" and "bun" in view.mark.accessibleName()
    view.mark.click()
    assert opened == [("bun.md", "project")]
    chat.desk.workspace.store.delete("bun.md", origin=ChangeOrigin("person"))
    chat.pane.memory.refresh()
    chat.until(lambda: not view.mark.isVisible(), "the mark to go")
    again(chat)
    assert not chat.views(UserView)[0].mark.isVisible()


def dialog_of(chat: ChatWorld) -> RememberDialog:
    found = chat.pane.findChildren(RememberDialog)
    assert len(found) == 1
    return found[0]


def test_an_answer_is_remembered_in_the_persons_words(world: MakeWorld) -> None:
    chat = world({"text": "The staging server is called harbour and sits behind the VPN."})
    said = notices(chat)
    chat.turn("Where is staging?")
    answer = chat.views(AnswerView)[0]
    assert answer.remember_button.isVisible() and answer.remember_button.accessibleName() == "Remember This…"
    answer.remember_button.click()
    dialog = dialog_of(chat)
    assert dialog.text.toPlainText() == answer.text
    dialog.text.setPlainText("The staging server is called harbour.")
    chat.until(lambda: "harbour" in dialog.preview.whole_text() or "staging" in dialog.preview.whole_text(), "the name")
    assert dialog.type.text()
    dialog.save_button.click()
    chat.until(lambda: said, "the toast")
    assert [label for label, _ in said[-1][2]] == ["Undo", "Open"]
    note = chat.desk.workspace.store.notes()[0]
    assert note.origin_session == chat.controller.session_id and note.origin_message == answer.message_id and note.explicit
    assert "harbour" in chat.desk.workspace.store.read(note.path).text
    chat.until(lambda: answer.mark.isVisible(), "the mark at the answer")
    said[-1][2][0][1]()
    chat.until(lambda: not chat.desk.workspace.store.notes(), "the undo")


def test_only_the_selection_is_offered_and_it_can_go_to_all_projects(world: MakeWorld) -> None:
    chat = world({"text": "ok"})
    chat.turn("Reviews happen in the evening. The rest does not matter.")
    view = chat.views(UserView)[0]
    text = view._view
    cursor = text.textCursor()
    cursor.setPosition(0)
    cursor.setPosition(len("Reviews happen in the evening."), QTextCursor.MoveMode.KeepAnchor)
    text.setTextCursor(cursor)
    assert chat.pane.memory.remember_current()
    dialog = dialog_of(chat)
    assert dialog.text.toPlainText() == "Reviews happen in the evening."
    dialog.user.setChecked(True)
    QTest.keyClick(dialog.text, Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    store = chat.desk.workspace.memories.store("user")
    chat.until(lambda: any("evening" in path.read_text(encoding="utf-8") for path in store.root.rglob("*.md")), "the memory")


def test_a_secret_is_refused_in_the_dialog_and_nothing_typed_is_lost(world: MakeWorld) -> None:
    chat = world({"text": "ok"})
    chat.turn("hello there")
    token = "gh" + "p_" + "a1B2c3D4e5F6g7H8i9J0k1L2m3N4o5P6q7R8"
    chat.views(UserView)[0].remember()
    dialog = dialog_of(chat)
    dialog.text.setPlainText(f"The token is {token}")
    dialog.save_button.click()
    chat.until(dialog.problem.isVisible, "the refusal")
    assert "secret" in dialog.problem.text() and dialog.text.toPlainText().endswith(token)
    assert dialog.save_button.isEnabled()
    assert not chat.desk.workspace.store.notes()
    dialog.reject()


def test_remember_this_is_in_the_menu_of_the_text(world: MakeWorld) -> None:
    chat = world({"text": "A short answer."})
    chat.turn("hello there")
    answer = chat.views(AnswerView)[0]
    menu = QMenu(chat.pane)
    answer.extend_menu(menu)
    action = menu.actions()[-1]
    assert action.text() == "Remember This…" and action.isEnabled()
    action.trigger()
    dialog_of(chat).reject()


@pytest.mark.parametrize("why", ["incognito", "off"])
def test_where_nothing_is_written_it_is_disabled_with_the_reason(world: MakeWorld, why: str) -> None:
    chat = world({"text": "ok"}, {"text": "ok"}, opened=False)
    if why == "off":
        chat.desk.services.settings.set("memory.use", False)
    chat.open()
    if why == "incognito":
        before = chat.controller.session_id
        chat.controller.new_incognito()
        chat.until(lambda: chat.controller.session_id != before, "the incognito chat")
    chat.turn("hello there")
    view = chat.views(UserView)[0]
    chat.until(lambda: not view.remember_button.isEnabled(), "the reason")
    assert view.remember_button.accessibleDescription().startswith("This chat is incognito" if why == "incognito" else "Memory is off")
    assert not chat.pane.memory.remember_current()
    menu = QMenu(chat.pane)
    view.extend_menu(menu)
    assert not menu.actions()[-1].isEnabled()


def test_a_message_that_still_streams_cannot_be_remembered(world: MakeWorld) -> None:
    chat = world({"text": "word " * 400, "chunk": 5, "delay_ms": 5})
    chat.send("go")
    chat.until(lambda: chat.views(AnswerView) and len(chat.views(AnswerView)[0].text) > 20, "some text")
    answer = chat.views(AnswerView)[0]
    assert not answer.can_remember and answer.remember_button.isHidden()
    chat.controller.stop()
    chat.until(lambda: not chat.controller.running, "the end")
    chat.until(lambda: answer.can_remember or not isinstance(answer, MessageView), "the message")


# --- the context ---------------------------------------------------------------------------------------------------------

REPORT = {
    "slots": [
        {
            "slot": "A",
            "title": "System text",
            "tokens": 1_200,
            "memory_tokens": 400,
            "items": [
                {"name": "Base instructions", "path": "", "state": "loaded", "reason": "", "tokens": 800, "memory": False, "dropped": []},
                {"name": "Memory\u202e rules", "path": "", "state": "loaded", "reason": "", "tokens": 400, "memory": True, "dropped": []},
            ],
        },
        {
            "slot": "B",
            "title": "Start of the chat",
            "tokens": 300,
            "memory_tokens": 300,
            "items": [
                {
                    "name": "Project",
                    "path": "/m/MEMORY.md",
                    "state": "cut",
                    "reason": "It is over its limit: lines.",
                    "tokens": 300,
                    "memory": True,
                    "dropped": [f"n{number}.md" for number in range(900)],
                }
            ],
        },
        {"slot": "C", "title": "With your message", "tokens": 0, "items": []},
    ],
    "total": 2_000,
    "memory_tokens": 700,
    "window": 8_000,
    "history_tokens": 500,
}


def test_rows_name_every_slot_and_what_was_left_out() -> None:
    rows = context_rows(REPORT)
    slots = [(row.name, row.tokens, round(row.share, 3), round(row.memory_share, 3)) for row in rows if row.kind == "slot"]
    assert slots == [
        ("System text", 1_200, 0.15, 0.05),
        ("Start of the chat", 300, 0.037, 0.037),
        ("The chat", 500, 0.062, 0),
    ]
    assert rows[2].name == "Memory\\u{202e} rules"
    cut = next(row for row in rows if row.name == "Project")
    assert cut.state_word() == "cut" and "over its limit" in cut.spoken()
    dropped = [row for row in rows if row.kind == "dropped"]
    assert len(dropped) == 501 and dropped[-1].name == "400 more are left out"
    assert [row.name for row in loaded_rows({}, REPORT)][:2] == ["Memory\\u{202e} rules", "Project"]
    assert [row.name for row in loaded_rows({"dropped": ["a.md"]}, None)] == ["a.md"]


@pytest.mark.parametrize("report", [{}, {"slots": None}, {"slots": ["x", {"items": [1]}], "total": "many"}, {"slots": [{"tokens": -3}]}])
def test_a_damaged_report_is_no_rows(report: dict[str, Any]) -> None:
    assert [row for row in context_rows(report) if row.kind == "slot" and row.tokens > 0] == []


def test_the_meter_opens_the_breakdown_and_the_requests(world: MakeWorld) -> None:
    chat = world({"text": "ok", "usage": {"input_tokens": 900, "output_tokens": 5}})
    chat.turn("hello there")
    asked: list[bool] = []
    chat.pane.requests_requested.connect(lambda: asked.append(True))
    meter = chat.pane.composer.meter
    assert meter.isVisible()
    chat.pane.memory.apply(ContextReported(REPORT))
    meter.setFocus()
    QTest.keyClick(meter, Qt.Key.Key_Return)
    popover = chat.pane.memory.popover
    assert popover is not None and isinstance(popover.content, ContextDetails)
    assert popover.content.list.model().rowCount() == len(context_rows(REPORT))
    assert popover.content.list.hasFocus()
    said = popover.content.list.model().index(0, 0).data(Qt.ItemDataRole.AccessibleTextRole)
    assert said == "System text, memory: 400, 1,200 tokens, 15 %"
    popover.content.requests.click()
    assert asked == [True] and chat.pane.memory.popover is None


def test_without_a_report_yet_it_is_asked_for(world: MakeWorld) -> None:
    chat = world()
    chat.pane.memory.show_context()
    chat.until(lambda: chat.pane.memory.report is not None, "the report")
    popover = chat.pane.memory.popover
    assert popover is not None and isinstance(popover.content, ContextDetails)
    assert popover.content.list.model().rowCount() > 3
    assert not chat.failures


def test_the_loaded_chip_shows_what_was_cut_and_opens_the_index(world: MakeWorld) -> None:
    chat = world()
    opened: list[tuple[str, str]] = []
    chat.pane.memory_open_requested.connect(lambda path, root: opened.append((path, root)))
    chat.pane.memory.apply(ContextReported(REPORT))
    play(chat, MemoryLoaded({"entries": 7, "lines": 7, "bytes": 700, "tokens": 300, "truncated": True, "dropped": ["n1.md"]}))
    details = press(chat, chips(chat, LoadedChip)[0])
    assert isinstance(details, LoadedDetails) and details.list.model().rowCount() > 500
    details.index.click()
    assert opened == [("MEMORY.md", "project")]


def test_every_control_of_the_popovers_has_a_name(world: MakeWorld) -> None:
    chat = saved_chat(world, ("bun", "We use bun."))
    chat.pane.memory.apply(ContextReported(REPORT))
    for open_it in (lambda: saved_details(chat), chat.pane.memory.show_context):
        open_it()
        popover = chat.pane.memory.popover
        assert popover is not None and popover.accessibleName()
        stops = [one for one in popover.findChildren(QWidget) if one.focusPolicy() & Qt.FocusPolicy.TabFocus and one.isVisible()]
        assert stops
        assert not [one for one in stops if not (one.accessibleName() or getattr(one, "text", lambda: "")())]
        QTest.keyClick(QApplication.focusWidget() or popover, Qt.Key.Key_Escape)
        assert chat.pane.memory.popover is None


def test_names_are_joined_as_the_language_does(qapp: QApplication) -> None:
    """Every chip that lists names: with the comma of the window's language, never with a literal one."""
    parent = QWidget()
    dropped = {"entries": 2, "tokens": 9, "truncated": True, "dropped": ["a.md", "b.md"]}
    try:
        for language, comma in ((i18n.ENGLISH, ", "), (i18n.CHINESE, "、")):
            i18n.install(language)
            saved = SavedChip(parent, SavedEntry(("a.md", "b.md"), ("c.md", "d.md")))
            texts = [saved.accessibleName(), RecalledChip(parent, [ref("a.md"), ref("b.md")]).accessibleName()]
            texts.append(LoadedChip(parent, dropped).accessibleName())
            for text in texts:
                assert f"a.md{comma}b.md" in text, (language, text)
            assert f"c.md{comma}d.md" in texts[0]
    finally:
        i18n.install("en")
        parent.deleteLater()
