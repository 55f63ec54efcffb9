"""A draft and everybody else: changes by the agent, by extraction and by other programs while the person types; nothing typed is lost."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import Qt
from PySide6.QtTest import QTest
from pytestqt.qtbot import QtBot

from desktop.base.errors import NotFoundError
from desktop.bridge.operations import Operations
from desktop.memory.moving import rename_with_links
from desktop.memory.roots import workspace_root
from desktop.memory.store import ChangeOrigin
from tests.ui.editor_world import AGENT, Editor, choices, press, store_of
from tests.ui.memory_world import PERSON, World, made_world, outside_write


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


BODY = "first line\n\nsecond line\n\nthird line"


def opened(world: World, qtbot: QtBot) -> Editor:
    """A memory of three lines, known to the journal."""
    world.remember("bun.md", "We use bun", body=BODY)
    world.workspace.store.observe()
    return Editor(world, qtbot, "bun.md")


def test_a_change_of_other_lines_is_offered_as_a_merge_and_names_who(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    banner = editor.widget.outside_banner
    editor.replace("first line", "my first line")
    editor.agent_changes("third line", "their third line")
    editor.document.check()
    editor.wait(lambda: "Merge" in choices(banner))
    assert choices(banner) == ["Merge", "Compare", "Keep Mine", "Take Theirs"]
    assert banner.text().startswith("The agent changed this memory") and "+ their third line" in banner.text()
    assert "modified" not in banner.text()
    press(banner, "Merge")
    draft = editor.widget.draft()
    assert "my first line" in draft and "their third line" in draft and editor.widget.is_modified() and banner.isHidden()
    assert editor.save()
    assert "my first line" in editor.on_disk() and "their third line" in editor.on_disk()
    editor.widget.source.undo()
    editor.widget.source.undo()
    assert "my first line" in editor.widget.draft() and "their third line" not in editor.widget.draft()


def test_what_is_typed_after_the_offer_is_merged_too(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    banner = editor.widget.outside_banner
    editor.replace("first line", "my first line")
    editor.agent_changes("third line", "their third line")
    editor.document.check()
    editor.wait(lambda: "Merge" in choices(banner))
    editor.replace("my first line", "my very first line")
    press(banner, "Merge")
    editor.wait(lambda: banner.isHidden())
    assert "my very first line" in editor.widget.draft() and "their third line" in editor.widget.draft()


def test_a_merge_that_no_longer_fits_is_not_made(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    banner = editor.widget.outside_banner
    editor.replace("first line", "my first line")
    editor.agent_changes("third line", "their third line")
    editor.document.check()
    editor.wait(lambda: "Merge" in choices(banner))
    editor.replace("third line", "my third line")
    press(banner, "Merge")
    editor.wait(lambda: "the same lines" in banner.text())
    assert choices(banner) == ["Compare", "Keep Mine", "Take Theirs"] and "my third line" in editor.widget.draft()


@pytest.mark.parametrize(
    ("origin", "words"),
    [
        (ChangeOrigin("main"), "The agent changed"),
        (ChangeOrigin("extractor"), "Background extraction changed"),
        (ChangeOrigin("dream"), "Dream changed"),
        (ChangeOrigin("person"), "You changed this memory in another place"),
    ],
)
def test_the_question_says_who_changed_the_same_line(world: World, qtbot: QtBot, origin: ChangeOrigin, words: str) -> None:
    editor = opened(world, qtbot)
    editor.replace("second line", "mine")
    editor.agent_changes("second line", "theirs", origin)
    editor.document.check()
    editor.wait(lambda: "the same lines" in editor.widget.outside_banner.text())
    assert editor.widget.outside_banner.text().startswith(words) and "mine" in editor.widget.draft()


def test_another_program_is_named_as_such_and_its_text_can_be_restored(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.replace("second line", "mine")
    outside_write(editor.root / "bun.md", editor.on_disk().replace("second line", "theirs"))
    editor.document.check()
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    assert editor.widget.outside_banner.text().startswith("Another program changed")
    press(editor.widget.outside_banner, "Keep Mine")
    assert editor.save()
    kept = [change.before for change in world.workspace.store.changes() if change.before]
    assert any(b"theirs" in world.workspace.store.version(digest) for digest in kept)


def test_a_save_that_the_store_merges_says_so_and_shows_the_result(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.replace("first line", "my first line")
    editor.agent_changes("third line", "their third line")
    assert editor.save()
    assert "my first line" in editor.on_disk() and "their third line" in editor.on_disk()
    assert editor.widget.draft() == editor.on_disk() and not editor.widget.is_modified()
    told = editor.widget.save_banner.text().split("\n")
    assert told[0] == "Saved." and told[-1] == "+ their third line" and sum("both changes" in line for line in told) == 1


def test_typing_on_while_a_save_is_merged_loses_nothing(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.replace("first line", "my first line")
    editor.agent_changes("third line", "their third line")
    editor.widget.save()
    editor.replace("second line", "my second line")
    editor.wait(lambda: not editor.document.is_saving)
    assert all(text in editor.widget.draft() for text in ("my first line", "my second line", "their third line"))
    assert editor.widget.is_modified() and editor.save()
    assert all(text in editor.on_disk() for text in ("my first line", "my second line", "their third line"))


def test_typing_into_a_line_that_a_merged_save_brings_keeps_both_versions(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.replace("first line", "my first line")
    editor.agent_changes("third line", "their third line")
    editor.widget.save()
    editor.replace("third line", "my third line")
    editor.wait(lambda: not editor.document.is_saving)
    assert "my third line" in editor.widget.draft() and "their third line" in editor.on_disk()
    assert not editor.save()
    assert "their third line" in editor.on_disk() and "my third line" in editor.widget.draft()
    assert editor.widget.outside_banner.isVisible()


def test_a_merged_save_keeps_mark_and_line_endings(world: World, qtbot: QtBot) -> None:
    place = world.root / "windows.md"
    raw = b"\xef\xbb\xbfone\r\n\r\ntwo\xc2\xa0two\r\n\r\nthree\r\n"
    place.write_bytes(raw)
    editor = Editor(world, qtbot, "windows.md")
    editor.replace("one", "uno")
    place.write_bytes(raw.replace(b"three", b"drei"))
    assert editor.save()
    assert place.read_bytes() == raw.replace(b"three", b"drei").replace(b"one", b"uno")
    assert editor.widget.draft() == "uno\n\ntwo\u00a0two\n\ndrei\n" and not editor.widget.is_modified()


def test_an_untouched_file_follows_and_says_who_it_was(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.agent_changes("third line", "their third line")
    editor.document.check()
    editor.wait(lambda: "their third line" in editor.widget.draft())
    assert editor.widget.bar.note.text() == "changed by the agent" and not editor.widget.is_modified()


# --- deleted and renamed -------------------------------------------------------------------------------------------------


def test_deleted_by_the_agent_is_said_and_never_written_back_empty(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    world.workspace.store.delete("bun.md", origin=AGENT)
    editor.document.check()
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    assert editor.widget.outside_banner.text().startswith("The agent deleted") and "second line" in editor.widget.draft()
    assert choices(editor.widget.outside_banner) == ["Save As New", "Close"]
    editor.widget.source.change_to("")
    assert not editor.save() and not (editor.root / "bun.md").exists()
    assert "no text" in editor.widget.save_banner.text()
    editor.widget.source.undo()
    press(editor.widget.outside_banner, "Save As New")
    editor.wait(lambda: (editor.root / "bun.md").exists())
    editor.wait(lambda: editor.widget.outside_banner.isHidden())
    assert "second line" in editor.on_disk() and "bun.md" in editor.on_disk("MEMORY.md")


@pytest.mark.parametrize("typed", [False, True])
def test_what_the_person_deleted_elsewhere_closes_unless_something_is_typed_in_it(world: World, qtbot: QtBot, typed: bool) -> None:
    """As editors do: who deletes a file in the tree does not want to be asked what should become of its tab."""
    editor = opened(world, qtbot)
    closing: list[bool] = []
    editor.widget.close_requested.connect(lambda: closing.append(True))
    if typed:
        editor.type("mine\n")
    world.workspace.store.delete("bun.md", origin=PERSON)
    editor.document.check()
    if typed:
        editor.wait(lambda: editor.widget.outside_banner.isVisible())
        assert not closing and "mine" in editor.widget.draft()
    else:
        editor.wait(lambda: closing == [True])


def test_a_file_that_another_program_renamed_is_followed_with_its_draft(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    told: list[str] = []
    editor.widget.path_changed.connect(told.append)
    editor.widget.title_changed.connect(told.append)
    editor.replace("second line", "mine")
    (editor.root / "bun.md").rename(editor.root / "package-manager.md")
    editor.document.check()
    editor.wait(lambda: editor.document.path == "package-manager.md")
    assert told == ["package-manager.md", "package-manager.md"] and editor.widget.outside_banner.isHidden()
    assert editor.widget.is_modified() and editor.save()
    assert "mine" in editor.on_disk("package-manager.md") and not (editor.root / "bun.md").exists()


def test_a_file_that_was_renamed_twice_through_the_store_is_followed(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    store = world.workspace.store
    store.rename("bun.md", "b.md", origin=PERSON)
    store.rename("b.md", "topics/c.md", origin=AGENT)
    editor.document.check()
    editor.wait(lambda: editor.document.path == "topics/c.md")
    assert editor.widget.title() == "c.md" and not editor.widget.is_modified()


def test_a_deletion_that_was_taken_back_asks_nothing_any_more(world: World, qtbot: QtBot) -> None:
    """The draft stands on what is on disk again, so a save goes on from there."""
    editor = opened(world, qtbot)
    editor.type("mine\n")
    gone = editor.store.delete("bun.md", origin=PERSON)
    editor.document.check()
    editor.wait(lambda: editor.widget.outside.state == "deleted")
    editor.store.undo(gone.id)
    editor.document.check()
    editor.wait(lambda: editor.widget.outside.state == "same")
    assert editor.widget.outside_banner.isHidden() and editor.widget.is_modified()
    assert editor.save() and "mine" in editor.on_disk()


def test_a_change_that_was_taken_back_asks_nothing_any_more(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.type("mine\n")
    editor.agent_changes("third line", "their third line")
    editor.document.check()
    editor.wait(lambda: editor.widget.outside.state == "changed")
    editor.store.undo()
    editor.document.check()
    editor.wait(lambda: editor.widget.outside.state == "same")
    assert editor.widget.outside_banner.isHidden() and editor.save()
    assert "their" not in editor.on_disk() and "mine" in editor.on_disk()


def test_a_rename_that_was_taken_back_asks_nothing_any_more(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.type("mine\n")
    change = rename_with_links(editor.store, "bun.md", "pm.md", origin=PERSON, name="pm")
    editor.document.check()
    editor.wait(lambda: editor.document.path == "pm.md" and editor.widget.outside.state == "changed")
    editor.store.undo(change.id)
    editor.document.check()
    editor.wait(lambda: editor.document.path == "bun.md" and editor.widget.outside.state == "same")
    assert editor.widget.is_modified() and editor.save() and "mine" in editor.on_disk("bun.md")


def test_an_old_rename_does_not_take_a_deleted_file_away(world: World, qtbot: QtBot) -> None:
    store = world.workspace.store
    world.remember("bun.md", body="the first")
    store.rename("bun.md", "other.md", origin=PERSON)
    world.remember("bun.md", body="the second")
    editor = Editor(world, qtbot, "bun.md")
    store.delete("bun.md", origin=AGENT)
    editor.document.check()
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    assert editor.document.path == "bun.md" and "the second" in editor.widget.draft()


# --- a draft of before a crash -------------------------------------------------------------------------------------------


def test_a_draft_of_before_a_crash_does_not_replace_what_came_since(world: World, qtbot: QtBot) -> None:
    first = opened(world, qtbot)
    first.replace("second line", "mine")
    text, base = first.widget.draft(), first.widget.draft_base()
    first.widget.hide()
    first.agent_changes("third line", "theirs")
    again = Editor(world, qtbot, "bun.md")
    again.widget.restore_draft(text, base)
    again.wait(lambda: "Merge" in choices(again.widget.outside_banner))
    assert "mine" in again.widget.draft() and not again.save() and "theirs" in again.on_disk()
    press(again.widget.outside_banner, "Merge")
    again.wait(lambda: "theirs" in again.widget.draft())
    assert again.save() and "mine" in again.on_disk() and "theirs" in again.on_disk()


def test_a_draft_of_a_file_that_nobody_changed_asks_nothing(world: World, qtbot: QtBot) -> None:
    first = opened(world, qtbot)
    first.replace("second line", "mine")
    text, base = first.widget.draft(), first.widget.draft_base()
    again = Editor(world, qtbot, "bun.md")
    again.widget.restore_draft(text, base)
    assert again.save() and "mine" in again.on_disk() and again.widget.outside_banner.isHidden()


def test_a_draft_over_a_version_that_is_not_kept_any_more_still_asks(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.widget.restore_draft(editor.widget.draft() + "mine\n", "0" * 64)
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    assert "Keep Mine" in choices(editor.widget.outside_banner) and not editor.save()


# --- undo of the last change ---------------------------------------------------------------------------------------------


def test_the_last_change_of_a_file_is_taken_back_whoever_made_it(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    world.remember("other.md")
    editor.agent_changes("third line", "their third line")
    editor.document.check()
    editor.wait(lambda: "their third line" in editor.widget.draft())
    world.remember("another.md")
    editor.widget.bar.undo.click()
    editor.wait(lambda: "their third line" not in editor.widget.draft())
    assert "third line" in editor.on_disk() and (editor.root / "another.md").exists()
    banner = editor.widget.save_banner
    assert "Undone" in banner.text() and "Agent" in banner.text() and choices(banner) == ["Redo"]
    assert banner.close_button is not None and banner.close_button.geometry().right() <= banner.width()
    assert banner.label.geometry().right() < banner.close_button.geometry().left(), "the text does not run below it"
    press(banner, "Redo")
    editor.wait(lambda: "their third line" in editor.widget.draft())
    assert "their third line" in editor.on_disk()
    editor.widget.bar.undo.click()
    editor.wait(lambda: "their third line" not in editor.widget.draft())


def test_typed_text_is_not_in_danger_from_the_undo_button(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    undo = editor.widget.bar.undo
    assert undo.isEnabled()
    editor.type("typed\n")
    assert not undo.isEnabled() and "first" in undo.toolTip()
    editor.widget.source.undo()
    assert undo.isEnabled()


def test_nothing_to_undo_is_said(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    store = store_of(world, workspace_root(tmp_path / "cloned"))
    store.root.mkdir(parents=True)
    (store.root / "MEMORY.md").write_text("was here before\n", encoding="utf-8")
    editor = Editor(world, qtbot, "MEMORY.md", store=store)
    editor.widget.bar.undo.click()
    editor.wait(lambda: editor.widget.save_banner.isVisible())
    assert "no change of MEMORY.md" in editor.widget.save_banner.text() and "was here before" in editor.on_disk()


def test_taking_back_the_creation_leaves_the_text_in_the_tab(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.widget.bar.undo.click()
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    assert "was undone" in editor.widget.outside_banner.text() and "second line" in editor.widget.draft()
    assert not (editor.root / "bun.md").exists()


# --- whatever happens ----------------------------------------------------------------------------------------------------


class Chaos:
    """A person who types and a world that does not wait. Everything typed is in the draft, or in a version that can be restored."""

    def __init__(self, editor: Editor, seed: int) -> None:
        self.editor = editor
        self.random = random.Random(seed)
        self.mine: list[str] = []
        self.theirs: list[str] = []

    def step(self, number: int) -> None:
        self.random.choice((self.type, self.agent, self.outside, self.check, self.save, self.answer))(number)

    def type(self, number: int) -> None:
        word = f"mine{number}."
        lines = self.editor.widget.draft().split("\n")
        lines.insert(self.random.randint(min(3, len(lines)), len(lines)), word)
        self.editor.widget.source.change_to("\n".join(lines))
        self.mine.append(word)

    def agent(self, number: int) -> None:
        word = f"theirs{number}."
        self.editor.agent_changes("third line", f"{word}\nthird line" if self.random.random() < 0.5 else f"third line\n{word}")
        self.theirs.append(word)

    def outside(self, number: int) -> None:
        word = f"theirs{number}."
        outside_write(self.editor.root / "bun.md", self.editor.on_disk() + f"{word}\n")
        self.editor.store.observe()
        self.theirs.append(word)

    def check(self, number: int) -> None:
        self.editor.document.check()
        self.editor.wait(lambda: self.editor.document._checking == 0)

    def save(self, number: int) -> None:
        self.editor.save()

    def answer(self, number: int) -> None:
        buttons = [b for b in self.editor.widget.outside_banner.buttons if b.text() in ("Merge", "Keep Mine")]
        if buttons and self.editor.widget.outside_banner.isVisible():
            self.random.choice(buttons).click()

    def everything_kept(self) -> list[str]:
        """All texts that exist anywhere: the draft, the file, every version."""
        store = self.editor.store
        texts = [self.editor.widget.draft(), self.editor.on_disk()]
        for change in store.changes(10_000, with_index=True):
            for digest in (change.before, change.after):
                if digest is not None:
                    texts.append(store.version(digest).decode())
        return texts


SEEDS = [*range(5), *(pytest.param(seed, marks=pytest.mark.full) for seed in range(5, 100))]


@pytest.mark.parametrize("seed", SEEDS)
def test_no_typed_word_and_no_word_of_others_is_ever_lost(world: World, qtbot: QtBot, seed: int) -> None:
    print(f"seed {seed}")
    editor = opened(world, qtbot)
    chaos = Chaos(editor, seed)
    for number in range(30):
        chaos.step(number)
        missing = [word for word in chaos.mine if word not in editor.widget.draft()]
        assert not missing, f"step {number}: {missing} typed and not in the draft"
    kept = chaos.everything_kept()
    lost = [word for word in chaos.theirs if not any(word in text for text in kept)]
    assert not lost, lost


def test_escape_leaves_the_comparison_and_never_the_draft(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.replace("second line", "mine")
    editor.agent_changes("second line", "theirs")
    editor.document.check()
    editor.wait(lambda: "Compare" in choices(editor.widget.outside_banner))
    press(editor.widget.outside_banner, "Compare")
    editor.wait(lambda: "theirs" in editor.widget.compare_view.text())
    QTest.keyClick(editor.widget, Qt.Key.Key_Escape)
    assert editor.widget.pages.currentWidget() is editor.widget.texts and "mine" in editor.widget.draft()
    assert "Compare" in choices(editor.widget.outside_banner)


def test_a_version_that_is_no_longer_kept_is_no_reason_to_lose_the_draft(world: World, qtbot: QtBot) -> None:
    editor = opened(world, qtbot)
    editor.agent_changes("third line", "their third line")
    editor.document.check()
    editor.wait(lambda: "their third line" in editor.widget.draft())
    change = next(c for c in world.workspace.store.changes() if c.before)
    for place in world.services.paths.snapshots.rglob(str(change.before)):
        place.unlink()
    with pytest.raises(NotFoundError):
        world.workspace.store.version(str(change.before))
    editor.widget.bar.undo.click()
    editor.wait(lambda: editor.widget.save_banner.isVisible())
    assert "no longer kept" in editor.widget.save_banner.text() and "their third line" in editor.widget.draft()


def test_what_an_undo_says_can_be_put_away(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    editor = Editor(world, qtbot, "bun.md")
    editor.agent_changes("bun", "yarn")
    editor.document.check()
    editor.wait(lambda: "yarn" in editor.widget.draft())
    editor.widget.bar.undo.click()
    banner = editor.widget.save_banner
    editor.wait(lambda: banner.isVisible())
    assert banner.close_button is not None and editor.widget.outside_banner.close_button is None
    banner.close_button.click()
    assert banner.isHidden() and choices(banner) == []
