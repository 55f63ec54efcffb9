"""What an editor says of the file in front of it: an index with content in it or over its limit, the one file of a workspace, another
tool's memory, a value that looks like a secret, and the pin."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.memory.index import IndexLimits, load_index
from desktop.memory.roots import foreign_root, user_root, workspace_root
from desktop.memory.sections import load_single
from desktop.ui.memory.index_report import index_report
from desktop.ui.memory.secret_watch import secret_places
from tests.ui.editor_world import Editor, choices, press, store_of
from tests.ui.memory_world import PERSON, World, made_world, note_text, outside_write

DEPLOYMENT = (
    "\n## Deployment\n\nThe service runs on two machines behind one balancer. Each release goes to the first machine, waits ten minutes, "
    "then goes to the second. When the error rate rises over one percent the release is rolled back by the script that lies in ops. The "
    "person on call is told in the team channel before and after.\n"
)
TOKEN = "ghp_" + "a1B2" * 9


@pytest.fixture
def world(tmp_path: Path, operations: Operations) -> Iterator[World]:
    with made_world(tmp_path, operations) as made:
        yield made


# --- content in an index -------------------------------------------------------------------------------------------------


def test_content_in_an_index_is_moved_only_after_a_yes_and_comes_back_with_one_undo(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    editor = Editor(world, qtbot, "MEMORY.md")
    banner = editor.widget.content_banner
    editor.type(DEPLOYMENT)
    editor.wait(lambda: banner.isVisible())
    assert "Deployment" in banner.text() and choices(banner)[:2] == ["Move into Files", "Not Now"]
    assert editor.save() and "two machines" in editor.on_disk()
    before = editor.on_disk()
    assert [place.name for place in sorted(editor.root.glob("*.md"))] == ["MEMORY.md", "bun.md"]
    press(banner, "Move into Files")
    editor.wait(lambda: "rolled back by the script" not in editor.widget.draft())
    made = [place for place in editor.root.glob("*.md") if place.name not in ("MEMORY.md", "bun.md")]
    assert len(made) == 1 and "rolled back by the script" in made[0].read_text(encoding="utf-8")
    assert made[0].name in editor.widget.draft() and "We use bun" in editor.widget.draft() and banner.isHidden()
    assert made[0].name in editor.widget.save_banner.text()
    press(editor.widget.save_banner, "Undo")
    editor.wait(lambda: editor.widget.draft() == before)
    assert not made[0].exists() and editor.on_disk() == before


def test_an_unsaved_index_is_saved_before_its_content_is_moved(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    editor = Editor(world, qtbot, "MEMORY.md")
    editor.type(DEPLOYMENT)
    editor.wait(lambda: editor.widget.content_banner.isVisible())
    press(editor.widget.content_banner, "Move into Files")
    editor.wait(lambda: len(list(editor.root.glob("*.md"))) == 3)
    editor.wait(lambda: not editor.widget.is_modified() and editor.widget.draft() == editor.on_disk())


def test_not_now_is_not_asked_again_until_more_content_comes(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    editor = Editor(world, qtbot, "MEMORY.md")
    banner = editor.widget.content_banner
    editor.type(DEPLOYMENT)
    editor.wait(lambda: banner.isVisible())
    press(banner, "Not Now")
    assert banner.isHidden() and len(list(editor.root.glob("*.md"))) == 2
    editor.type("\n- [by hand](by-hand.md) — one line\n")
    editor.wait(lambda: not editor.widget._parsing.isActive() and not editor.widget.index._working)
    assert banner.isHidden()
    editor.type(DEPLOYMENT.replace("Deployment", "Backups").replace("service", "backup"))
    editor.wait(lambda: banner.isVisible())
    assert "Backups" in banner.text()


def test_nothing_is_moved_when_somebody_changed_the_index_meanwhile(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md", "We use bun")
    editor = Editor(world, qtbot, "MEMORY.md")
    editor.replace("We use bun", "Mine")
    editor.type(DEPLOYMENT)
    editor.wait(lambda: editor.widget.content_banner.isVisible())
    outside_write(editor.root / "MEMORY.md", editor.on_disk().replace("We use bun", "Theirs"))
    press(editor.widget.content_banner, "Move into Files")
    editor.wait(lambda: editor.widget.outside_banner.isVisible())
    assert "two machines" in editor.widget.draft() and "Theirs" in editor.on_disk() and len(list(editor.root.glob("*.md"))) == 2


# --- over the limit ------------------------------------------------------------------------------------------------------


def test_what_of_an_index_is_not_loaded_is_named_and_marked(world: World, qtbot: QtBot, dark: object) -> None:
    for number in range(12):
        world.remember(f"fact-{number:02}.md", f"Fact {number}")
    limits = IndexLimits(lines=8)
    editor = Editor(world, qtbot, "MEMORY.md", limits=limits)
    banner, source = editor.widget.cut_banner, editor.widget.source
    editor.wait(lambda: banner.isVisible())
    loaded = load_index(editor.root, limits)
    assert "12 of 8 lines" in banner.text() and all(title in banner.text() for title in loaded.dropped)
    lines = editor.widget.draft().split("\n")
    marked = {lines[number - 1] for number in source.left_out()}
    assert marked == {line for line in lines if line.strip() and line not in loaded.text}
    assert len(marked) == 4
    press(banner, f"Go to Line {min(source.left_out())}")
    assert source.textCursor().blockNumber() == min(source.left_out()) - 1
    editor.widget.grab()
    editor.widget.source.change_to("\n".join(lines[:6]) + "\n")
    editor.wait(lambda: banner.isHidden() and not source.left_out())


def test_the_cut_falls_at_the_end_where_the_head_is_kept(tmp_path: Path) -> None:
    text = "---\nx: y\n---\n<!-- note -->\n" + "".join(f"- [n{n}](n{n}.md) — hook\n" for n in range(10))
    report = index_report(text, tmp_path, IndexLimits(lines=6, keep="head"))
    assert report.left_out == tuple(range(11, 15)) and report.dropped == ("n6", "n7", "n8", "n9")
    assert report.over == (("lines", 10, 6),)
    assert index_report("", tmp_path, IndexLimits()).over == ()


# --- other roots ---------------------------------------------------------------------------------------------------------


def test_the_workspace_file_shows_its_budget_and_where_it_is_cut(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    store = store_of(world, workspace_root(tmp_path / "repository"))
    store.root.mkdir(parents=True)
    text = "# 项目\n\n" + "- 一条记忆 and words\n" * 1_600
    (store.root / "MEMORY.md").write_text(text + DEPLOYMENT, encoding="utf-8")
    editor = Editor(world, qtbot, "MEMORY.md", store=store)
    editor.wait(lambda: editor.widget.cut_banner.isVisible())
    assert "of 32 KB" in editor.widget.bar.note.text() and "32 KB" in editor.widget.cut_banner.text()
    assert editor.widget.content_banner.isHidden() and editor.widget.form.isHidden()
    first = min(editor.widget.source.left_out())
    loaded = load_single(store.root)
    lines = (text + DEPLOYMENT).split("\n")
    assert loaded.truncated and loaded.text.startswith("\n".join(lines[: first - 1]))
    assert not loaded.text.startswith("\n".join(lines[: first + 2]))
    editor.widget.source.change_to("short\n")
    editor.wait(lambda: editor.widget.cut_banner.isHidden() and editor.widget.bar.note.text() == "0.0 of 32 KB")


def test_the_users_own_memory_md_is_content_and_no_index(world: World, qtbot: QtBot) -> None:
    store = store_of(world, user_root(world.services.paths))
    store.root.mkdir(parents=True, exist_ok=True)
    (store.root / "MEMORY.md").write_text("# Rules\n" + DEPLOYMENT * 3, encoding="utf-8")
    editor = Editor(world, qtbot, "MEMORY.md", store=store, limits=IndexLimits(lines=3))
    editor.type("\nOne more rule.\n")
    editor.wait(lambda: not editor.widget._parsing.isActive() and not editor.widget.index._working)
    for banner in (editor.widget.content_banner, editor.widget.cut_banner, editor.widget.problem_banner):
        assert banner.isHidden()
    assert not editor.widget.source.left_out() and editor.save()
    assert editor.on_disk().endswith("One more rule.\n") and editor.on_disk().count("two machines") == 3


def test_another_tools_memory_is_shown_and_never_changed(world: World, qtbot: QtBot, tmp_path: Path) -> None:
    folder = tmp_path / "other tool"
    folder.mkdir()
    place = folder / "build.md"
    place.write_text(note_text("build", "How to build"), encoding="utf-8")
    before = place.read_bytes()
    editor = Editor(world, qtbot, "build.md", store=store_of(world, foreign_root("claude-code", "Claude Code", folder)))
    widget = editor.widget
    assert widget.source.isReadOnly() and "Claude Code" in widget.save_banner.text()
    assert not widget.form.kind.isEnabled() and not widget.form.pinned.isEnabled() and widget.form.name.isReadOnly()
    assert not widget.bar.save.isEnabled() and widget.bar.undo.isHidden() and widget.bar.history.isHidden()
    assert not editor.save() and place.read_bytes() == before
    place.write_text(note_text("build", "Built anew"), encoding="utf-8")
    editor.document.check()
    editor.wait(lambda: "Built anew" in widget.draft())
    assert widget.source.isReadOnly() and not widget.is_modified()


# --- secrets, pin, history -----------------------------------------------------------------------------------------------


def texts(editor: Editor) -> str:
    """All that the banners say."""
    banners = (editor.widget.secret_banner, editor.widget.save_banner, editor.widget.problem_banner)
    return "\n".join(banner.text() + banner.label.accessibleName() + banner.accessibleName() for banner in banners)


def test_a_secret_is_pointed_out_while_it_is_typed_and_after_the_save(world: World, qtbot: QtBot) -> None:
    world.remember("keys.md")
    editor = Editor(world, qtbot, "keys.md")
    editor.type(f"the token is {TOKEN}\n")
    banner = editor.widget.secret_banner
    editor.wait(lambda: banner.isVisible())
    line = len(editor.widget.draft().split("\n")) - 1
    assert "GitHub token" in banner.text() and f"Go to Line {line}" in choices(banner) and TOKEN not in texts(editor)
    assert editor.save()
    assert banner.isHidden() and "secret" in editor.widget.save_banner.text() and TOKEN not in texts(editor)
    editor.replace(TOKEN, "in the keyring")
    editor.wait(lambda: not editor.widget.secrets._timer.isActive() and not editor.widget.secrets._looking)
    assert banner.isHidden()


def test_secrets_of_a_long_text_are_found_with_their_lines() -> None:
    lines = [f"line {number} of a long text" for number in range(1, 20_001)]
    lines[9_999] = f"token: {TOKEN}"
    lines[19_999] = "x" * 200_000 + f" {TOKEN}"
    assert [(place.kind, place.line) for place in secret_places("\n".join(lines))] == [("GitHub token", 10_000), ("GitHub token", 20_000)]


def test_what_is_no_secret_is_not_pointed_out_again(world: World, qtbot: QtBot) -> None:
    world.remember("keys.md", body=f"the token is {TOKEN}")
    editor = Editor(world, qtbot, "keys.md")
    banner = editor.widget.secret_banner
    editor.wait(lambda: banner.isVisible())
    press(banner, "Not a Secret")
    editor.type("more words\n")
    editor.wait(lambda: not editor.widget.secrets._timer.isActive() and not editor.widget.secrets._looking)
    assert banner.isHidden()
    editor.type(f"and {TOKEN[::-1][:36].replace('_', 'x')} {'ghp_' + 'c3D4' * 9}\n")
    editor.wait(lambda: banner.isVisible())


def test_the_pin_is_a_mark_in_the_header_and_can_be_undone(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    pin = editor.widget.form.pinned
    assert not pin.isChecked() and pin.accessibleName() and pin.toolTip()
    pin.click()
    assert "  pinned: true" in editor.widget.draft() and editor.save()
    note = next(note for note in world.workspace.store.notes() if note.path == "bun.md")
    assert note.pinned and pin.isChecked()
    pin.click()
    assert "pinned" not in editor.widget.draft() and editor.save()
    editor.widget.source.undo()
    editor.wait(lambda: not editor.widget._parsing.isActive())


def test_the_history_button_asks_for_the_file_in_its_root(world: World, qtbot: QtBot) -> None:
    world.remember("bun.md")
    editor = Editor(world, qtbot, "bun.md")
    asked: list[tuple[str, str]] = []
    editor.widget.history_requested.connect(lambda root, path: asked.append((root, path)))
    editor.widget.bar.history.click()
    world.workspace.store.rename("bun.md", "b.md", origin=PERSON)
    editor.document.check()
    editor.wait(lambda: editor.document.path == "b.md")
    editor.widget.bar.history.click()
    assert asked == [("project", "bun.md"), ("project", "b.md")]


@pytest.mark.parametrize("width", [420, 900, 1_400])
def test_every_banner_fits_at_every_width(world: World, qtbot: QtBot, width: int, qapp: QApplication) -> None:
    for number in range(12):
        world.remember(f"fact-{number:02}.md", f"Fact {number}")
    editor = Editor(world, qtbot, "MEMORY.md", limits=IndexLimits(lines=8))
    editor.type(DEPLOYMENT + f"\n{TOKEN}\n")
    editor.wait(lambda: editor.widget.content_banner.isVisible() and editor.widget.secret_banner.isVisible())
    editor.widget.resize(width, 700)
    editor.wait(lambda: editor.widget.width() == width)
    qapp.processEvents()
    for banner in (editor.widget.content_banner, editor.widget.cut_banner, editor.widget.secret_banner):
        assert all(button.geometry().right() <= banner.width() for button in banner.buttons)
    assert editor.widget.pages.height() > 150
