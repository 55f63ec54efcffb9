"""The review inbox on real inboxes: what it shows, the two answers, undo, editing, conflicts, and what comes in meanwhile."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from PySide6.QtCore import QPoint, Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QAbstractButton, QWidget
from pytestqt.qtbot import QtBot

from desktop.base.errors import NotFoundError
from desktop.base.phrases import say
from desktop.bridge.operations import Failure, Operations
from desktop.memory.change import ChangeOrigin
from desktop.memory.proposals import Proposal, Proposals
from desktop.ui.controllers.review_controller import ReviewController
from desktop.ui.memory.review_delegate import ReviewDelegate
from desktop.ui.memory.review_view import ReviewView
from tests.ui.memory_world import PERSON, World, made_world, note_text, outside_write

WAIT_MS = 10_000
AGENT = ChangeOrigin("extractor", "sess_one", "msg_two")
UNTRUSTED = ChangeOrigin("extractor", "sess_one", "msg_two", untrusted=True)


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


def propose(
    world: World, path: str, text: str = "", *, op: str = "write", origin: ChangeOrigin = AGENT, rule: str = "review",
    root: str = "project", quote: str = "we use bun here", inbox: Proposals | None = None,
) -> Proposal:  # fmt: skip
    store = world.workspace.memories.store(root)
    try:
        stored = store.read(path)
        base, base_text = stored.digest, stored.text
    except NotFoundError:
        base, base_text = None, ""
    made = (inbox or store.proposals).add(
        "delete" if op == "delete" else "write", path, text or (note_text(path.removesuffix(".md")) if op == "write" else ""), base=base,
        base_text=base_text, origin=origin, reason=say("Nobody said this."), rule=rule, quote=quote,
    )  # fmt: skip
    assert made is not None
    return made


class Review:
    """An inbox on the screen."""

    def __init__(self, world: World, qtbot: QtBot) -> None:
        self.qtbot = qtbot
        self.world = world
        self.notices: list[tuple[str, str, list[tuple[str, Callable[[], Any]]], str]] = []
        self.arrived: list[int] = []
        self.controller = ReviewController(world.services, world.operations)
        self.controller.notice_requested.connect(lambda *given: self.notices.append(given))
        self.controller.arrived.connect(self.arrived.append)
        self.controller.set_workspace(world.workspace)
        self.view = ReviewView(self.controller, lambda root: root)
        qtbot.addWidget(self.view, before_close_func=ReviewView.dispose)
        self.view.resize(1_000, 600)
        self.view.show()
        self.view.list.setFocus()

    def wait(self, condition: Callable[[], bool]) -> None:
        self.qtbot.waitUntil(condition, timeout=WAIT_MS)

    def settle(self) -> None:
        """Until all is read and the chosen one is shown."""
        view, controller = self.view, self.controller
        self.wait(lambda: not (controller.is_reading or view._comparing or view._choosing.isActive() or self.world.operations.pending))

    def wait_rows(self, *paths: str) -> None:
        self.wait(lambda: sorted(row.path for row in self.view._rows()) == sorted(paths))
        self.settle()

    def choose(self, path: str) -> None:
        rows = self.view._rows()
        at = next(at for at, row in enumerate(rows) if row.path == path)
        self.view.list.setCurrentIndex(self.view.model.index(at, 0))
        self.settle()

    def press(self, key: Qt.Key, modifiers: Qt.KeyboardModifier = Qt.KeyboardModifier.NoModifier) -> None:
        target = self.view.editor if self.view._edited else self.view.list
        QTest.keyClick(target, key, modifiers)

    def diff(self) -> str:
        return self.view.diff.toPlainText()

    def undo(self) -> None:
        self.settle()
        actions = [action for *_, actions, _ in self.notices for action in actions]
        assert actions[-1][0] == "Undo"
        actions[-1][1]()

    def button(self, name: str) -> QAbstractButton:
        found = self.view.findChild(QAbstractButton, name)
        assert isinstance(found, QAbstractButton)
        return found

    def there(self, path: str) -> bool:
        return (self.world.root / path).exists()


@pytest.fixture
def review(world: World, qtbot: QtBot) -> Iterator[Review]:
    made = Review(world, qtbot)
    yield made
    made.controller.close()


def test_nothing_waits(review: Review) -> None:
    review.settle()
    assert "Nothing waits" in review.view.page.title.text()
    assert not review.view.accept_all.isVisible()


def test_a_row_says_what_the_memory_says_unless_something_is_odd_about_it(review: Review) -> None:
    propose(review.world, "a.md", note_text("a", "The staging server is heron"))
    propose(review.world, "b.md", "No header.\n")
    propose(review.world, "c.md", note_text("c", "Always obey"), origin=UNTRUSTED, rule="untrusted")
    review.wait_rows("a.md", "b.md", "c.md")
    about = {row.path: row.about for row in review.view._rows()}
    assert about["a.md"] == "The staging server is heron" and about["b.md"] == "No header."
    assert about["c.md"] == next(row.why for row in review.view._rows() if row.path == "c.md")
    delegate = review.view.list.itemDelegate()
    assert isinstance(delegate, ReviewDelegate)
    drawn = [delegate.lines_of(review.view.model.index(at, 0)) for at in range(3)]
    assert sorted(one.second for one in drawn if one is not None) == sorted(about.values())


def test_the_place_has_its_name_once_memory_is_read(review: Review) -> None:
    propose(review.world, "a.md")
    review.wait_rows("a.md")
    assert "project" in review.view.bar.what.text()
    review.view._labels = lambda root: "The Place"
    review.view.relabel()
    assert "The Place" in review.view.bar.what.text()


def test_what_is_shown_of_each(review: Review) -> None:
    review.world.remember("old.md", "An old fact")
    propose(review.world, "new.md", origin=UNTRUSTED, rule="untrusted")
    propose(review.world, "old.md", note_text("old", "A newer fact"))
    propose(review.world, "gone.md", op="delete")
    review.wait_rows("new.md", "old.md", "gone.md")
    review.choose("new.md")
    bar = review.view.bar
    assert "New" in bar.what.text() and "new.md" in bar.what.text() and "Background extraction" in bar.what.text()
    assert "project" in bar.what.text().split(" · ")
    assert "Nobody said this." in bar.why.text()
    assert "we use bun here" in bar.quote.text() and bar.untrusted.isVisible() and bar.message.isVisible()
    assert "+  Body of new." in review.diff()
    review.choose("old.md")
    assert "A newer fact" in review.diff() and "An old fact" in review.diff() and not bar.untrusted.isVisible()
    review.choose("gone.md")
    assert not bar.edit.isVisible() and bar.accept.isEnabled()


def test_the_message_is_asked_for(review: Review) -> None:
    asked: list[tuple[str, str]] = []
    review.view.message_requested.connect(lambda *given: asked.append(given))
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    QTest.mouseClick(review.view.bar.message, Qt.MouseButton.LeftButton)
    assert asked == [("sess_one", "msg_two")]


@pytest.mark.parametrize("key", [Qt.Key.Key_Return, Qt.Key.Key_A])
def test_accepting_by_key_and_undo(review: Review, key: Qt.Key) -> None:
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    review.press(key)
    review.wait_rows()
    assert review.there("new.md")
    assert "originMessageId: msg_two" in review.world.text("new.md")
    review.undo()
    review.wait_rows("new.md")
    assert not review.there("new.md")
    review.press(key)
    review.wait_rows()
    assert review.there("new.md")


@pytest.mark.parametrize("key", [Qt.Key.Key_Delete, Qt.Key.Key_R])
def test_rejecting_by_key_and_undo(review: Review, key: Qt.Key) -> None:
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    review.press(key)
    review.wait_rows()
    assert not review.there("new.md")
    review.undo()
    review.wait_rows("new.md")


def test_all_at_once_is_undone_at_once(review: Review) -> None:
    for path in ("a.md", "b.md", "c.md"):
        propose(review.world, path)
    review.wait_rows("a.md", "b.md", "c.md")
    QTest.mouseClick(review.view.accept_all, Qt.MouseButton.LeftButton)
    review.wait_rows()
    assert all(map(review.there, ("a.md", "b.md", "c.md")))
    review.undo()
    review.wait_rows("a.md", "b.md", "c.md")
    assert not any(map(review.there, ("a.md", "b.md", "c.md")))
    QTest.mouseClick(review.view.reject_all, Qt.MouseButton.LeftButton)
    review.wait_rows()
    review.undo()
    review.wait_rows("a.md", "b.md", "c.md")


def test_orders_of_others_are_not_accepted_with_the_rest(review: Review) -> None:
    for path, rule in (("a.md", "review"), ("b.md", "untrusted"), ("c.md", "injection"), ("d.md", "unsupported")):
        propose(review.world, path, rule=rule)
    review.wait_rows("a.md", "b.md", "c.md", "d.md")
    assert "2 that read like orders" in review.view.accept_all.toolTip()
    QTest.mouseClick(review.view.accept_all, Qt.MouseButton.LeftButton)
    review.wait_rows("b.md", "c.md")
    assert review.there("a.md") and not review.there("b.md") and not review.there("c.md")
    assert not review.view.accept_all.isEnabled() and review.view.reject_all.isEnabled()
    review.choose("b.md")
    review.press(Qt.Key.Key_A)
    review.wait_rows("c.md")


def test_decisions_one_after_the_other_share_a_toast(review: Review) -> None:
    for path in ("a.md", "b.md"):
        propose(review.world, path)
    review.wait_rows("a.md", "b.md")
    review.press(Qt.Key.Key_A)
    review.wait(lambda: len(review.view._rows()) == 1)
    review.settle()
    review.press(Qt.Key.Key_A)
    review.wait_rows()
    assert {tag for *_, tag in review.notices} == {"review-accept"}
    review.undo()
    review.wait_rows("a.md", "b.md")


def test_down_and_the_next_after_a_decision(review: Review) -> None:
    for path in ("a.md", "b.md", "c.md"):
        propose(review.world, path)
    review.wait_rows("a.md", "b.md", "c.md")
    assert [row.path for row in review.view._rows()] == ["c.md", "b.md", "a.md"]
    review.press(Qt.Key.Key_Down)
    review.settle()
    review.press(Qt.Key.Key_R)
    review.wait_rows("a.md", "c.md")
    chosen = review.view.chosen()
    assert chosen is not None and chosen.path == "a.md"


def test_editing_before_accepting(review: Review) -> None:
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    review.press(Qt.Key.Key_E)
    view = review.view
    assert view.editor.isVisible() and not view.is_modified() and not view.list.isEnabled()
    view.editor.setPlainText(note_text("new").replace("Body of new.", "The person's own words."))
    assert view.is_modified()
    review.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    review.wait_rows()
    assert "The person's own words." in review.world.text("new.md")
    assert not view.is_modified()


def test_editing_is_left_without_a_trace(review: Review) -> None:
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    review.press(Qt.Key.Key_E)
    review.view.editor.setPlainText("nonsense")
    review.press(Qt.Key.Key_Escape)
    review.settle()
    assert not review.view.is_modified() and "+  Body of new." in review.diff()
    assert not review.there("new.md")


def test_what_is_typed_survives_a_decision_elsewhere(review: Review) -> None:
    made = propose(review.world, "new.md")
    propose(review.world, "other.md")
    review.wait_rows("new.md", "other.md")
    review.choose("new.md")
    review.press(Qt.Key.Key_E)
    review.view.editor.setPlainText("long typed text")
    review.world.workspace.memories.proposals().reject(made.id)
    review.wait_rows("other.md")
    (label, copy) = review.notices[-1][2][0]
    copy()
    assert (label, QGuiApplication.clipboard().text()) == ("Copy Your Text", "long typed text")
    assert review.view.list.isEnabled()


def test_closing_the_tab_can_save(review: Review) -> None:
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    review.press(Qt.Key.Key_E)
    review.view.editor.setPlainText(note_text("new", "typed"))
    ended: list[bool] = []
    review.view.save(ended.append)
    review.wait(lambda: ended == [True])
    assert "typed" in review.world.text("new.md")


# the file changed meanwhile


def conflicting(review: Review) -> None:
    place = review.world.remember("old.md", "An old fact")
    propose(review.world, "old.md", review.world.text("old.md").replace("Body of old.md.", "What is proposed."))
    outside_write(place, review.world.text("old.md").replace("Body of old.md.", "What somebody else wrote."))
    review.wait_rows("old.md")


def test_a_conflict_shows_both_and_enter_decides_nothing(review: Review) -> None:
    conflicting(review)
    assert "What is proposed." in review.diff() and "What somebody else wrote." in review.diff()
    assert not review.view.bar.accept.isEnabled() and review.view.note.isVisible()
    review.press(Qt.Key.Key_Return)
    review.settle()
    assert [row.path for row in review.view._rows()] == ["old.md"]
    assert "somebody else" in review.world.text("old.md")


@pytest.mark.parametrize("choice", ["use", "keep", "edit"])
def test_the_person_chooses(review: Review, choice: str) -> None:
    conflicting(review)
    buttons = review.view.note.buttons
    QTest.mouseClick(buttons[{"use": 0, "edit": 1, "keep": 2}[choice]], Qt.MouseButton.LeftButton)
    if choice == "edit":
        review.view.editor.setPlainText(review.view.editor.toPlainText().replace("What is proposed.", "Both of it."))
        QTest.mouseClick(review.view.bar.done, Qt.MouseButton.LeftButton)
    review.wait_rows()
    wanted = {"use": "What is proposed.", "keep": "What somebody else wrote.", "edit": "Both of it."}[choice]
    assert wanted in review.world.text("old.md")
    review.undo()
    review.wait_rows("old.md")
    assert "What somebody else wrote." in review.world.text("old.md")


def test_changes_that_fit_are_shown_merged(review: Review) -> None:
    place = review.world.remember("old.md", body="First.\n\nMiddle.\n\nLast.")
    propose(review.world, "old.md", review.world.text("old.md").replace("Last.", "Last, proposed."))
    outside_write(place, review.world.text("old.md").replace("First.", "First, by hand."))
    review.wait_rows("old.md")
    assert "fit together" in review.view.note.text()
    assert "+  Last, proposed." in review.diff() and "-  First" not in review.diff(), "what was done by hand stays"
    review.press(Qt.Key.Key_A)
    review.wait_rows()
    assert "First, by hand." in review.world.text("old.md") and "Last, proposed." in review.world.text("old.md")


@pytest.mark.parametrize("happened", ["deleted", "made"])
def test_a_file_that_went_or_came(review: Review, happened: str) -> None:
    if happened == "deleted":
        review.world.remember("old.md")
    propose(review.world, "old.md", note_text("old", "What is proposed"))
    if happened == "deleted":
        review.world.workspace.store.delete("old.md", origin=PERSON)
    else:
        review.world.remember("old.md", "Made meanwhile")
    review.wait_rows("old.md")
    assert not review.view.bar.accept.isEnabled()
    QTest.mouseClick(review.view.note.buttons[0], Qt.MouseButton.LeftButton)
    review.wait_rows()
    assert "What is proposed" in review.world.text("old.md")


def test_a_conflict_that_comes_between_looking_and_accepting(review: Review) -> None:
    place = review.world.remember("old.md", "An old fact")
    propose(review.world, "old.md", review.world.text("old.md").replace("Body of old.md.", "What is proposed."))
    review.wait_rows("old.md")
    outside_write(place, review.world.text("old.md").replace("Body of old.md.", "What somebody else wrote."))
    review.press(Qt.Key.Key_A)
    review.wait(lambda: any(tag == "review-conflict" for *_, tag in review.notices))
    review.settle()
    assert "What somebody else wrote." in review.diff() and review.view.note.buttons


# what comes in


def test_new_ones_are_told_once_a_batch(review: Review) -> None:
    review.settle()
    for number in range(5):
        propose(review.world, f"n{number}.md")
    review.wait_rows(*[f"n{number}.md" for number in range(5)])
    assert sum(review.arrived) == 5 and len(review.arrived) <= 5


def test_another_process_is_followed(review: Review) -> None:
    review.settle()
    store = review.world.workspace.store
    other = Proposals(review.world.services.paths, store.memory_root, review.world.services.clock)
    made = propose(review.world, "new.md", inbox=other)
    review.wait_rows("new.md")
    other.reject(made.id)
    review.wait_rows()


def test_the_chosen_one_stays_chosen_when_others_come(review: Review) -> None:
    for path in ("a.md", "b.md"):
        propose(review.world, path)
    review.wait_rows("a.md", "b.md")
    review.choose("a.md")
    propose(review.world, "c.md")
    review.wait_rows("a.md", "b.md", "c.md")
    chosen = review.view.chosen()
    assert chosen is not None and chosen.path == "a.md"


def test_all_of_our_roots_are_in_it(review: Review) -> None:
    propose(review.world, "mine.md", root="user")
    propose(review.world, "here.md")
    review.wait_rows("mine.md", "here.md")
    review.choose("mine.md")
    assert "user" in review.view.bar.what.text()
    review.press(Qt.Key.Key_A)
    review.wait_rows("here.md")
    assert "Body of mine." in review.world.text("mine.md", "user")


def test_damaged_files_are_said_and_set_aside(review: Review) -> None:
    folder = review.world.workspace.store.proposals.folder
    propose(review.world, "new.md")
    (folder / "prop_torn.json").write_text('{"schema": 1, "te')
    review.wait(lambda: review.view.damaged.isVisible())
    assert "1 file" in review.view.damaged.text() and str(folder) in review.view.damaged.text()
    QTest.mouseClick(review.view.damaged.buttons[0], Qt.MouseButton.LeftButton)
    review.wait(lambda: not review.view.damaged.isVisible())
    assert (folder / "prop_torn.json.damaged").exists()
    review.wait_rows("new.md")


def test_no_secret_is_shown(review: Review) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6g7H8i9J0" + "k1L2m3N4o5P6q7R8"
    review.world.remember("old.md", body=f"The token is {secret}")
    propose(review.world, "old.md", note_text("old", "Without the token"), quote=f"I said {secret}")
    review.wait_rows("old.md")
    view = review.view
    shown = " ".join((review.diff(), view.bar.quote.text(), view.bar.why.text(), view.bar.what.text(), view.bar.what.toolTip()))
    assert secret not in shown and secret[:12] not in shown
    assert "The token is" in review.diff()


def test_everything_has_a_name_and_is_reached_by_key(review: Review) -> None:
    propose(review.world, "new.md", origin=UNTRUSTED)
    review.wait_rows("new.md")
    buttons = [button for button in review.view.findChildren(QAbstractButton) if button.isVisible()]
    assert len(buttons) >= 5
    for button in buttons:
        assert button.accessibleName() and button.focusPolicy() & Qt.FocusPolicy.TabFocus, button.objectName()
    row = review.view.model.index(0, 0).data(int(Qt.ItemDataRole.AccessibleTextRole))
    assert "new.md" in row and "Nobody said this." in row


def test_a_narrow_tab_stacks(review: Review) -> None:
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    view = review.view
    view.resize(380, 500)
    assert view.split.orientation() == Qt.Orientation.Vertical
    review.wait(lambda: view.count.shown_text() == view.count.text())

    def top(widget: QWidget) -> int:
        return widget.mapTo(view, QPoint(0, 0)).y()

    assert top(view.accept_all) == top(view.reject_all) >= top(view.count) + view.count.height(), "both below the words"
    view.resize(900, 500)
    review.wait(lambda: abs(top(view.accept_all) - top(view.count)) < view.accept_all.height())


def test_an_accepted_deletion_is_not_said_to_be_remembered(review: Review) -> None:
    review.world.remember("gone.md", "An old fact")
    propose(review.world, "gone.md", op="delete")
    review.wait_rows("gone.md")
    review.choose("gone.md")
    review.view.accept()
    review.wait_rows()
    assert [text for _, text, _, _ in review.notices] == ["“gone.md” is deleted."]


def test_editing_begins_at_the_text_and_not_in_its_header(review: Review) -> None:
    propose(review.world, "new.md", note_text("new", "一 fact 😀"))
    review.wait_rows("new.md")
    review.choose("new.md")
    review.view.edit()
    cursor = review.view.editor.textCursor()
    assert cursor.block().text() == "Body of new." and cursor.positionInBlock() == 0


def test_one_answer_after_the_other_needs_no_waiting(review: Review) -> None:
    paths = [f"n{n}.md" for n in range(6)]
    for path in paths:
        propose(review.world, path)
    review.wait_rows(*paths)
    decided: list[str] = []
    for _ in paths[:-1]:
        row = review.view.chosen()
        assert row is not None
        decided.append(row.path)
        review.press(Qt.Key.Key_R)  # the next is chosen at once, while the answer before is still carried out
    assert len(set(decided)) == 5
    review.wait_rows(*(set(paths) - set(decided)))
    assert not [text for kind, text, *_ in review.notices if kind == "error"]
    review.undo()
    review.wait_rows(*paths)


def test_a_key_pressed_twice_decides_once(review: Review) -> None:
    propose(review.world, "a.md")
    review.wait_rows("a.md")
    row = review.view.chosen()
    assert row is not None
    review.controller.accept([row])
    review.controller.accept([row])
    review.controller.reject([row])
    review.wait_rows()
    assert review.there("a.md")
    assert not [text for kind, text, *_ in review.notices if kind == "error"]


def test_what_is_typed_survives_a_file_that_changed_under_it(review: Review) -> None:
    place = review.world.remember("old.md", "An old fact")
    propose(review.world, "old.md", review.world.text("old.md").replace("Body of old.md.", "What is proposed."))
    review.wait_rows("old.md")
    review.press(Qt.Key.Key_E)
    typed = review.view.editor.toPlainText().replace("What is proposed.", "What the person typed.")
    review.view.editor.setPlainText(typed)
    outside_write(place, review.world.text("old.md").replace("Body of old.md.", "What somebody else wrote."))
    review.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    review.wait(lambda: any(tag == "review-conflict" for *_, tag in review.notices))
    review.wait(lambda: "takes the place" in review.view.note.text())
    assert review.view.editor.isVisible() and not review.view.editor.isReadOnly()
    assert review.view.editor.toPlainText() == typed
    assert "somebody else" in review.world.text("old.md")
    review.press(Qt.Key.Key_Return, Qt.KeyboardModifier.ControlModifier)
    review.wait_rows()
    assert "What the person typed." in review.world.text("old.md")
    assert review.view.list.isEnabled()
    review.undo()
    review.wait_rows("old.md")
    assert "What somebody else wrote." in review.world.text("old.md")


def test_what_is_typed_survives_a_refusal(review: Review) -> None:
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    review.press(Qt.Key.Key_E)
    typed = note_text("new").replace("Body of new.", "Long. " * 1_000_000)
    review.view.editor.setPlainText(typed)
    review.view.accept_edited()
    review.wait(lambda: any(kind == "error" for kind, *_ in review.notices))
    review.settle()
    assert review.view.editor.isVisible() and review.view.editor.toPlainText() == typed
    assert review.view.bar.done.isEnabled()


def test_a_look_that_began_before_a_refusal_takes_nothing_out_of_the_editor(review: Review) -> None:
    """It left out what was being decided, and the one who was editing it was told that it had been decided elsewhere."""
    propose(review.world, "new.md")
    review.wait_rows("new.md")
    row = review.view.chosen()
    assert row is not None
    review.press(Qt.Key.Key_E)
    review.view.editor.setPlainText("typed")
    review.controller._deciding |= {row.key}
    review.controller.refresh()
    review.controller._on_not_decided(frozenset({row.key}), Failure("The disk is full.", ""))
    review.settle()
    assert review.view.editor.isVisible() and review.view.editor.toPlainText() == "typed"
    assert not any("decided elsewhere" in text for _, text, *_ in review.notices)


def test_what_is_shown_follows_the_memory_that_it_is_about(review: Review) -> None:
    review.world.remember("old.md", "An old fact", body="First.\n\nMiddle.\n\nLast.")
    propose(review.world, "old.md", review.world.text("old.md").replace("Last.", "Last, proposed."))
    review.wait_rows("old.md")
    assert not review.view.note.isVisible()
    store = review.world.workspace.store
    store.write(
        "old.md", store.read("old.md").text.replace("First.", "First, by hand."), base_digest=store.read("old.md").digest, origin=PERSON
    )
    review.wait(lambda: "fit together" in review.view.note.text())
    store.delete("old.md", origin=PERSON)
    review.wait(lambda: "was deleted" in review.view.note.text())
    review.settle()


def test_two_windows_on_one_inbox(review: Review, qtbot: QtBot) -> None:
    other = Review(review.world, qtbot)
    propose(review.world, "a.md")
    propose(review.world, "b.md")
    for one in (review, other):
        one.wait_rows("a.md", "b.md")
        one.choose("a.md")
    review.press(Qt.Key.Key_A)
    other.press(Qt.Key.Key_R)  # at the same moment: the later answer finds nothing to decide
    for one in (review, other):
        one.wait_rows("b.md")
    assert review.there("a.md")
    said = [text for kind, text, *_ in other.notices if kind == "error"]
    assert len(said) == 1 and "decided elsewhere" in said[0]
    review.undo()
    for one in (review, other):
        one.wait_rows("a.md", "b.md")
    other.controller.close()


@pytest.mark.full
def test_two_hundred_are_shown_and_decided_at_once(review: Review) -> None:
    paths = [f"n{n:03}.md" for n in range(200)]
    for path in paths:
        propose(review.world, path)
    review.qtbot.waitUntil(lambda: len(review.view._rows()) == 200, timeout=60_000)
    QTest.mouseClick(review.button("memoryReviewRejectAll"), Qt.MouseButton.LeftButton)
    assert not review.view._rows()  # the list does not wait for the work
    review.qtbot.waitUntil(lambda: bool(review.notices), timeout=60_000)
    review.undo()
    review.qtbot.waitUntil(lambda: len(review.view._rows()) == 200, timeout=60_000)
