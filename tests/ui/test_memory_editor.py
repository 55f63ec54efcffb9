"""The memory editor on real files: editing, saving, and everything that can happen to the file meanwhile."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QMimeData, Qt
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.ui import theme
from tests.ui.editor_world import Editor, press
from tests.ui.memory_world import World, made_world, note_text, outside_write


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


def outside_button(editor: Editor, text: str) -> None:
    press(editor.widget.outside_banner, text)


def test_opens_with_form_source_and_preview(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun", "feedback", "Use **bun**, see [[other]].")
    editor = Editor(world, qtbot, "bun.md")
    widget = editor.widget
    assert widget.draft() == editor.on_disk()
    assert (widget.form.name.text(), widget.form.description.text(), widget.form.kind.currentData()) == ("bun", "We use bun", "feedback")
    assert "created" in widget.form.created.text() and "changed" in widget.form.changed.text()
    editor.wait(lambda: "Use bun, see other." in widget.preview.browser.toPlainText())
    assert not widget.is_modified()
    assert widget.title() == "bun.md" and widget.tab_tooltip() == str(world.root / "bun.md")
    for control in (widget.source, widget.preview.browser, widget.form.name, widget.form.kind, widget.bar.save, *widget.bar.modes.values()):
        assert control.accessibleName()


def test_save_by_key_stamps_the_time_and_keeps_undo(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    changes: list[bool] = []
    editor.widget.modified_changed.connect(changes.append)
    editor.type("One more line.\n")
    assert editor.widget.is_modified()
    QTest.keyClick(editor.widget.source, Qt.Key.Key_S, Qt.KeyboardModifier.ControlModifier)
    editor.wait(lambda: not editor.widget.is_modified())
    assert "One more line." in editor.on_disk() and editor.widget.draft() == editor.on_disk()
    assert changes == [True, False]
    editor.type("And another.\n")
    editor.widget.source.undo()
    assert "And another." not in editor.widget.draft() and "One more line." in editor.widget.draft()
    assert world.workspace.store.changes()[0].origin.actor == "person"


def test_typing_goes_on_while_a_save_is_under_way(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    editor.type("first\n")
    editor.widget.save()
    editor.type("second\n")
    editor.wait(lambda: not editor.document.is_saving)
    assert "first" in editor.on_disk() and "second" not in editor.on_disk()
    assert editor.widget.is_modified() and editor.widget.draft().endswith("first\nsecond\n")
    assert editor.save()
    assert editor.on_disk().endswith("first\nsecond\n") and editor.widget.draft() == editor.on_disk()


def test_an_outside_change_of_an_untouched_file_is_followed(world: World, qtbot: QtBot) -> None:
    place = world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    outside_write(place, note_text("bun", "From outside"))
    editor.document.check()
    editor.wait(lambda: "From outside" in editor.widget.draft())
    assert not editor.widget.is_modified() and editor.widget.outside_banner.isHidden()
    assert editor.widget.form.description.text() == "From outside"


def conflict(world: World, qtbot: QtBot) -> Editor:
    """An editor whose file was changed by somebody else while its draft was not saved."""
    place = world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    editor.type("mine\n")
    outside_write(place, note_text("bun", "theirs"))
    editor.document.check()
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    assert "mine" in editor.widget.draft()
    return editor


def test_keep_mine(world: World, qtbot: QtBot) -> None:
    editor = conflict(world, qtbot)
    assert not editor.save()
    assert "theirs" in editor.on_disk()
    outside_button(editor, "Keep Mine")
    assert editor.widget.is_modified() and editor.widget.outside_banner.isHidden()
    assert editor.save()
    assert "mine" in editor.on_disk() and "theirs" not in editor.on_disk()
    versions = [change.before for change in world.workspace.store.changes() if change.before]
    assert any(b"theirs" in world.workspace.store.version(version) for version in versions)


def test_take_theirs_can_be_undone(world: World, qtbot: QtBot) -> None:
    editor = conflict(world, qtbot)
    outside_button(editor, "Take Theirs")
    assert editor.widget.draft() == editor.on_disk() and not editor.widget.is_modified()
    editor.widget.source.undo()
    assert "mine" in editor.widget.draft() and editor.widget.is_modified()


def test_compare(world: World, qtbot: QtBot) -> None:
    editor = conflict(world, qtbot)
    outside_button(editor, "Compare")
    shown = editor.widget.compare_view
    editor.wait(lambda: "mine" in shown.text())
    lines = shown.text().split("\n")
    assert "+  mine" in lines and "-  description: theirs" in lines
    assert "Another program" in shown.text() and "not saved" in shown.text()
    editor.widget.resize(420, 600)
    editor.wait(lambda: shown.stack.currentWidget() is not shown.columns)
    assert "+  mine" in shown.text().split("\n") and "Another program" in shown.legend.text()
    QTest.keyClick(editor.widget, Qt.Key.Key_Escape)
    assert editor.widget.pages.currentWidget() is editor.widget.texts
    outside_button(editor, "Keep Mine")
    assert editor.save()


def test_a_conflict_found_by_saving_never_overwrites(world: World, qtbot: QtBot) -> None:
    place = world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    editor.widget.source.change_to(editor.widget.draft().replace("Body of", "mine, of"))
    outside_write(place, editor.on_disk().replace("Body of", "theirs, of"))
    assert not editor.save()
    assert "theirs" in editor.on_disk() and "mine" in editor.widget.draft()
    editor.wait(lambda: "the same lines" in editor.widget.outside_banner.text())
    assert [button.text() for button in editor.widget.outside_banner.buttons] == ["Compare", "Keep Mine", "Take Theirs"]


def test_deleted_while_open_and_saved_again(world: World, qtbot: QtBot) -> None:
    place = world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    place.unlink()
    editor.document.check()
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    text = editor.widget.draft()
    closed = []
    editor.widget.close_requested.connect(lambda: closed.append(True))
    outside_button(editor, "Close")
    assert closed
    outside_button(editor, "Save As New")
    editor.wait(lambda: place.exists())
    editor.wait(lambda: editor.widget.outside_banner.isHidden())
    assert "Body of bun.md." in text and "Body of bun.md." in editor.on_disk()


def test_deleted_with_unsaved_text_keeps_the_draft(world: World, qtbot: QtBot) -> None:
    place = world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    editor.type("only here\n")
    place.unlink()
    assert not editor.save()
    assert "only here" in editor.widget.draft() and editor.widget.outside_banner.isVisible()
    assert editor.save()
    assert "only here" in editor.on_disk()


def test_line_endings_mark_and_no_break_blanks_survive(world: World, qtbot: QtBot) -> None:
    place = world.root / "windows.md"
    raw = b"\xef\xbb\xbfone\r\ntwo\xc2\xa0three\r\nfour\r\n"
    place.write_bytes(raw)
    editor = Editor(world, qtbot, "windows.md")
    assert not editor.widget.is_modified() and not editor.widget.source.isReadOnly()
    editor.type("five\n")
    assert editor.save()
    assert place.read_bytes() == raw + b"five\r\n"


def test_bytes_that_are_no_text_are_shown_but_not_edited(world: World, qtbot: QtBot) -> None:
    place = world.root / "latin.md"
    place.write_bytes(b"caf\xe9\n")
    editor = Editor(world, qtbot, "latin.md")
    assert editor.widget.source.isReadOnly() and editor.widget.save_banner.isVisible()
    assert not editor.save()
    assert place.read_bytes() == b"caf\xe9\n"


def test_form_changes_the_source_and_can_be_undone(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "Old words", "project")
    editor = Editor(world, qtbot, "bun.md")
    form = editor.widget.form
    form.description.setText("新的说明")
    form.description.setModified(True)
    form.description.editingFinished.emit()
    assert "description: 新的说明" in editor.widget.draft() and editor.widget.is_modified()
    form.kind.setCurrentIndex(form.kind.findData("user"))
    form.kind.activated.emit(form.kind.currentIndex())
    assert "  type: user" in editor.widget.draft()
    assert editor.save()
    assert "新的说明" in editor.on_disk("MEMORY.md")
    editor.widget.source.undo()
    editor.widget.source.undo()
    editor.widget.source.undo()
    assert "Old words" in editor.widget.draft()


def test_a_value_that_only_the_source_can_change(world: World, qtbot: QtBot) -> None:
    place = world.root / "odd.md"
    place.write_text("---\nname: odd\ndescription: |\n  two\n  lines\n---\n\nbody\n", encoding="utf-8")
    editor = Editor(world, qtbot, "odd.md")
    before = editor.widget.draft()
    editor.widget.form.change_requested.emit("description", "new")
    assert editor.widget.draft() == before and editor.widget.save_banner.isVisible()


def test_problems_are_shown_with_their_line(world: World, qtbot: QtBot) -> None:
    (world.root / "broken.md").write_text("---\nname: broken\ndescription: [open\n---\n\nbody\n", encoding="utf-8")
    editor = Editor(world, qtbot, "broken.md")
    banner = editor.widget.problem_banner
    assert banner.isVisible() and "Line " in banner.text()
    banner.buttons[0].click()
    assert editor.widget.source.textCursor().blockNumber() > 0
    editor.widget.source.change_to(editor.widget.draft().replace("[open", "closed"))
    editor.wait(lambda: banner.isHidden())


def test_new_memory_gets_its_file_from_its_name(world: World, qtbot: QtBot) -> None:
    editor = Editor(world, qtbot, "")
    paths: list[str] = []
    titles: list[str] = []
    editor.widget.path_changed.connect(paths.append)
    editor.widget.title_changed.connect(titles.append)
    assert editor.widget.title() == "New memory"
    assert not editor.save() and editor.widget.save_banner.isVisible()
    editor.widget.form.change_requested.emit("name", "包管理器 bun")
    editor.widget.form.change_requested.emit("description", "用 bun")
    editor.type("Use bun.\n")
    assert editor.save()
    assert paths == ["包管理器-bun.md"] and titles == ["包管理器-bun.md"]
    assert "Use bun." in editor.on_disk() and "用 bun" in editor.on_disk("MEMORY.md")
    assert not editor.widget.is_modified()


def test_a_line_that_would_bring_the_window_to_a_halt_is_not_pasted_and_that_is_said(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    before = editor.widget.draft()
    clip = QMimeData()
    clip.setText("short\n" + "x" * 250_000 + "中" * 250_000)
    editor.widget.source.insertFromMimeData(clip)
    assert editor.widget.draft() == before and not editor.widget.is_modified()
    editor.wait(lambda: "500,000" in editor.widget.save_banner.text())
    clip.setText("line\n" * 30_000)
    editor.widget.source.insertFromMimeData(clip)
    assert editor.widget.draft() != before


def test_return_goes_on_from_name_to_description_to_text(world: World, qtbot: QtBot) -> None:
    editor = Editor(world, qtbot, "")
    form = editor.widget.form
    editor.widget.activateWindow()
    form.name.setFocus()
    editor.wait(form.name.hasFocus)
    QTest.keyClicks(form.name, "bun")
    QTest.keyClick(form.name, Qt.Key.Key_Return)
    assert form.description.hasFocus()
    QTest.keyClicks(form.description, "We use bun")
    QTest.keyClick(form.description, Qt.Key.Key_Return)
    assert editor.widget.source.hasFocus() and "name: bun" in editor.widget.draft() and "We use bun" in editor.widget.draft()


def test_a_new_memory_asks_to_be_saved_only_once_something_is_in_it(world: World, qtbot: QtBot) -> None:
    editor = Editor(world, qtbot, "")
    assert not editor.widget.is_modified()
    editor.type("x")
    assert editor.widget.is_modified()
    editor.widget.source.undo()
    assert not editor.widget.is_modified()
    editor.widget.form.change_requested.emit("name", "bun")
    assert editor.widget.is_modified()


def test_a_new_memory_of_a_folder_gets_its_file_there(world: World, qtbot: QtBot) -> None:
    editor = Editor(world, qtbot, "")
    editor.document.folder = "工具/build"
    editor.widget.form.change_requested.emit("name", "bun")
    editor.type("Use bun.\n")
    assert editor.save()
    assert "Use bun." in editor.on_disk("工具/build/bun.md") and editor.widget.title() == "bun.md"


def test_new_memory_never_replaces_one_of_its_name(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    taken = (world.root / "bun.md").read_bytes()
    editor = Editor(world, qtbot, "")
    editor.widget.form.change_requested.emit("name", "bun")
    assert not editor.save()
    assert "bun.md" in editor.widget.save_banner.text() and (world.root / "bun.md").read_bytes() == taken
    editor.widget.form.change_requested.emit("name", "bun two")
    assert editor.save()
    assert (world.root / "bun-two.md").exists() and (world.root / "bun.md").read_bytes() == taken


def test_a_secret_is_pointed_out(world: World, qtbot: QtBot) -> None:
    world.remember("keys.md")
    editor = Editor(world, qtbot, "keys.md")
    editor.type("token: " + "ghp_" + "a1B2" * 9 + "\n")
    assert editor.save()
    assert "secret" in editor.widget.save_banner.text() and "ghp_" not in editor.widget.save_banner.text()


def test_a_failed_save_keeps_the_text_and_can_be_repeated(world: World, qtbot: QtBot) -> None:
    place = world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    editor.type("kept\n")
    kept = place.read_bytes()
    place.unlink()
    place.mkdir()
    assert not editor.save()
    assert "kept" in editor.widget.draft() and editor.widget.is_modified()
    place.rmdir()
    place.write_bytes(kept)
    editor.document.check()
    editor.wait(lambda: editor.widget.outside_banner.isHidden())
    assert editor.save()
    assert "kept" in editor.on_disk()


def test_missing_file(world: World, qtbot: QtBot) -> None:
    editor = Editor(world, qtbot, "nothing.md", wait=False)
    editor.wait(lambda: editor.widget.pages.currentWidget() is editor.widget.page)
    assert "nothing.md" in editor.widget.page.body.text()
    world.remember("nothing.md")
    editor.widget.page.buttons[1].click()
    editor.wait(lambda: "Body of nothing.md" in editor.widget.draft())


def test_a_draft_of_before_whose_file_is_gone_is_shown_and_can_be_saved(world: World, qtbot: QtBot) -> None:
    editor = Editor(world, qtbot, "gone.md", wait=False)
    editor.wait(lambda: editor.widget.pages.currentWidget() is editor.widget.page)
    editor.widget.source.change_to(note_text("gone") + "typed before the crash\n")
    assert editor.widget.pages.currentWidget() is editor.widget.texts and editor.widget.is_modified()
    assert editor.widget.outside_banner.isVisible() and editor.widget.draft().endswith("typed before the crash\n")
    assert editor.save()
    assert "typed before the crash" in editor.on_disk() and not editor.widget.is_modified()


def test_the_index_opens_without_a_form(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    editor = Editor(world, qtbot, "MEMORY.md")
    assert editor.widget.form.isHidden() and "We use bun" in editor.widget.draft()
    editor.wait(lambda: "bun" in editor.widget.preview.browser.toPlainText())
    editor.type("- [by hand](by-hand.md) — mine\n")
    assert editor.save()
    assert "by hand" in editor.on_disk("MEMORY.md")


def test_the_store_adding_an_index_line_is_no_conflict_for_an_untouched_index(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    editor = Editor(world, qtbot, "MEMORY.md")
    world.remember("other.md", "Another fact")
    editor.document.check()
    editor.wait(lambda: "Another fact" in editor.widget.draft())


def test_a_file_over_five_mebibytes_is_not_previewed(world: World, qtbot: QtBot) -> None:
    (world.root / "huge.md").write_text(("word " * 20 + "\n") * 55_000, encoding="utf-8")
    editor = Editor(world, qtbot, "huge.md")
    assert "5 MiB" in editor.widget.preview.browser.toPlainText()
    assert len(editor.widget.draft()) == 5_555_000
    editor.type("still editable\n")
    assert editor.widget.is_modified()


def test_a_line_of_a_megabyte_is_shown_cut_and_not_edited(world: World, qtbot: QtBot) -> None:
    place = world.root / "line.md"
    place.write_text("x" * 1_000_000 + "\nend\n", encoding="utf-8")
    editor = Editor(world, qtbot, "line.md")
    assert editor.widget.source.isReadOnly() and len(editor.widget.draft()) < 60_000 and editor.widget.draft().endswith("end\n")
    assert not editor.widget.is_modified() and not editor.save()
    assert place.stat().st_size == 1_000_005


def test_a_long_file_is_previewed_in_parts(world: World, qtbot: QtBot) -> None:
    lines = [f"paragraph {number}\n\n" for number in range(12_000)]
    (world.root / "long.md").write_text("".join(lines), encoding="utf-8")
    editor = Editor(world, qtbot, "long.md")
    preview = editor.widget.preview
    editor.wait(lambda: "paragraph 0" in preview.browser.toPlainText())
    assert preview.forward.isVisible()
    for _ in range(3):
        preview.forward.click()
    editor.wait(lambda: "paragraph 11999" in preview.browser.toPlainText())
    assert not preview.forward.isEnabled()


def test_links_lead_to_other_memories(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", body="see [[提交 信息]] and [plain](api/auth.md)")
    editor = Editor(world, qtbot, "bun.md")
    editor.wait(lambda: "plain" in editor.widget.preview.browser.toPlainText())
    asked: list[str] = []
    editor.widget.link_requested.connect(asked.append)
    for target in ("%E6%8F%90%E4%BA%A4%20%E4%BF%A1%E6%81%AF.md", "api/auth.md"):
        editor.widget.preview.browser.relative_link_requested.emit(target)
    assert asked == ["提交 信息", "api/auth"]


def test_modes(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    widget = Editor(world, qtbot, "bun.md").widget
    for mode, source, preview in (("source", True, False), ("preview", False, True), ("split", True, True)):
        widget.bar.modes[mode].click()  # type: ignore[index]
        assert (widget.source.isVisible(), widget.preview.isVisible()) == (source, preview)


def test_theme_change_keeps_text_and_undo(world: World, qtbot: QtBot, qapp: QApplication) -> None:
    world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    editor.type("typed\n")
    for name in ("light", "dark"):
        theme.apply(qapp, name)
    assert "typed" in editor.widget.draft() and editor.widget.is_modified()
    editor.widget.source.undo()
    assert "typed" not in editor.widget.draft()


def test_a_narrow_editor_shows_the_source_alone(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    world.remember("bun.md", "We use bun", "feedback", "Use bun.")
    editor = Editor(world, qtbot, "bun.md")
    widget, modes = editor.widget, editor.widget.bar.modes
    form = widget.form
    assert modes["split"].isChecked() and widget.preview.isVisible() and form.name.y() < form.description.y()
    widget.resize(420, 600)
    editor.wait(lambda: not widget.preview.isVisible() and form.stacked)
    assert modes["source"].isChecked() and not modes["split"].isEnabled()
    editor.wait(lambda: form.name.y() < form.kind.y() < form.description.y())
    assert form.minimumSizeHint().width() <= 420
    modes["preview"].click()
    assert widget.preview.isVisible() and not widget.source.isVisible()
    modes["source"].click()
    widget.resize(900, 600)
    editor.wait(lambda: not form.stacked)
    assert modes["source"].isChecked() and not widget.preview.isVisible(), "what was chosen in between holds"


def test_back_to_source_and_preview_when_it_is_wide(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    world.remember("bun.md", "We use bun", "feedback", "Use **bun**.")
    editor = Editor(world, qtbot, "bun.md")
    widget = editor.widget
    widget.resize(420, 600)
    editor.wait(lambda: not widget.preview.isVisible())
    editor.type("And more.\n")
    widget.resize(900, 600)
    editor.wait(lambda: widget.preview.isVisible() and widget.source.isVisible())
    assert widget.bar.modes["split"].isChecked() and widget.bar.modes["split"].isEnabled()
    editor.wait(lambda: "And more." in widget.preview.browser.toPlainText())
    form = widget.form
    assert form.name.y() == form.kind.y() or abs(form.name.y() - form.kind.y()) < form.name.height()


def test_the_origin_leads_to_the_message(world: World, qtbot: QtBot) -> None:
    text = "---\nname: a\nmetadata:\n  originSessionId: sess_one\n  originMessageId: msg_two\n---\n\nx\n"
    (world.root / "a.md").write_text(text, encoding="utf-8")
    editor = Editor(world, qtbot, "a.md")
    asked: list[tuple[str, str]] = []
    editor.widget.origin_requested.connect(lambda session, message: asked.append((session, message)))
    form = editor.widget.form
    assert form.origin.accessibleName() and form.origin.focusPolicy() & Qt.FocusPolicy.TabFocus
    form.origin.click()
    assert asked == [("sess_one", "msg_two")]
    (world.root / "b.md").write_text("---\nname: b\n---\n\nx\n", encoding="utf-8")
    assert Editor(world, qtbot, "b.md").widget.form.origin.isHidden()


def test_the_origin_gives_way_before_the_times(world: World, qtbot: QtBot, dark: theme.Theme) -> None:
    session = "sess_" + "0" * 26
    text = "---\nname: a\nmetadata:\n  created: 2026-03-09T00:04:00Z\n  modified: 2026-03-10T00:04:00Z\n"
    (world.root / "a.md").write_text(f"{text}  originSessionId: {session}\n---\n\nx\n", encoding="utf-8")
    editor = Editor(world, qtbot, "a.md")
    form = editor.widget.form
    assert form.origin.text() == "Origin" and session in form.origin.toolTip()
    editor.widget.resize(1_000, 600)
    editor.wait(lambda: form.origin.shown_text() == form.origin.text() and form.origin.width() < 200)
    editor.widget.resize(560, 600)
    editor.wait(lambda: form.width() <= 560)
    for fact in (form.created, form.changed):
        assert fact.text() and fact.shown_text() == fact.text()
    editor.widget.resize(300, 600)
    editor.wait(lambda: form.stacked and form.created.y() < form.changed.y() < form.origin.y())
    editor.wait(lambda: form.created.shown_text() == form.created.text() and form.changed.shown_text() == form.changed.text())
