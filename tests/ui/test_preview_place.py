"""The preview of a memory stays where it is: while the file changes, when its width or look changes, when one goes away and comes back."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from PySide6.QtCore import QPoint
from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.ui import theme
from desktop.ui.editor.preview import MemoryPreview
from tests.ui.app_world import NOTE, Start, World, opened, starting
from tests.ui.test_tab_places import editor, until

WORDS = "word " * 40
SECTIONS = [f"## Section {n}\n\n" + "\n\n".join(f"Paragraph {n}.{k} {WORDS}" for k in range(8)) for n in range(12)]


@pytest.fixture
def preview(qtbot: QtBot, operations: Operations, dark: theme.Theme) -> Iterator[MemoryPreview]:
    made = MemoryPreview(operations)
    qtbot.addWidget(made)
    made.resize(500, 400)
    made.show()
    yield made
    made.dispose()


def show(preview: MemoryPreview, qtbot: QtBot, text: str) -> None:
    preview.show_now(text)
    qtbot.waitUntil(lambda: not preview._working)


def top(preview: MemoryPreview) -> str:
    """The first words of the paragraph at the top."""
    return " ".join(preview.browser.cursorForPosition(QPoint(2, 2)).block().text().split()[:2])


def scroll_to(preview: MemoryPreview, words: str) -> int:
    """So that this paragraph begins 5 pixels above the top."""
    block = preview.browser.document().find(words).block()
    layout = preview.browser.document().documentLayout()
    preview.browser.verticalScrollBar().setValue(round(layout.blockBoundingRect(block).top()) + 5)
    assert top(preview) == words
    return preview.browser.verticalScrollBar().value()


def test_what_changes_above_moves_nothing(preview: MemoryPreview, qtbot: QtBot) -> None:
    show(preview, qtbot, "\n\n".join(SECTIONS))
    before = scroll_to(preview, "Paragraph 6.3")
    show(preview, qtbot, "\n\n".join([f"A new beginning. {WORDS * 9}", *SECTIONS]))
    assert top(preview) == "Paragraph 6.3" and preview.browser.verticalScrollBar().value() > before
    show(preview, qtbot, "\n\n".join(SECTIONS[4:]))
    assert top(preview) == "Paragraph 6.3" and preview.browser.verticalScrollBar().value() < before


def test_where_the_paragraph_is_gone_its_heading_is_shown(preview: MemoryPreview, qtbot: QtBot) -> None:
    show(preview, qtbot, "\n\n".join(SECTIONS))
    scroll_to(preview, "Paragraph 6.3")
    show(preview, qtbot, "\n\n".join([*SECTIONS[:6], SECTIONS[6].replace("Paragraph 6.3", "Something else"), *SECTIONS[7:]]))
    assert top(preview) == "Section 6"


def test_of_a_text_that_is_quite_another_the_share_is_kept(preview: MemoryPreview, qtbot: QtBot) -> None:
    show(preview, qtbot, "\n\n".join(SECTIONS))
    bar = preview.browser.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    show(preview, qtbot, "\n\n".join(f"Line {n} {WORDS}" for n in range(200)))
    assert 0.4 < bar.value() / bar.maximum() < 0.6


def test_the_same_words_again_and_again_are_told_apart(preview: MemoryPreview, qtbot: QtBot) -> None:
    show(preview, qtbot, "\n\n".join(["## Log", *[f"The same. {WORDS}"] * 100]))
    bar = preview.browser.verticalScrollBar()
    bar.setValue(bar.maximum() // 2)
    before = bar.value()
    show(preview, qtbot, "\n\n".join(["## Log", *[f"The same. {WORDS}"] * 100, "An end."]))
    assert bar.value() == before


def test_another_width_keeps_what_is_read(preview: MemoryPreview, qtbot: QtBot) -> None:
    show(preview, qtbot, "\n\n".join(SECTIONS))
    scroll_to(preview, "Paragraph 8.1")
    for width in (300, 700, 260, 500):
        preview.resize(width, 400)
        qtbot.waitUntil(lambda width=width: preview.browser.width() == width)  # type: ignore[misc]
        assert top(preview) == "Paragraph 8.1"


def test_zoom_and_theme_keep_what_is_read(preview: MemoryPreview, qtbot: QtBot, qapp: QApplication) -> None:
    show(preview, qtbot, "\n\n".join(SECTIONS))
    scroll_to(preview, "Paragraph 8.1")
    for look, zoom in ((theme.DARK, 1.5), (theme.LIGHT, 1.0), (theme.DARK, 1.0)):
        theme.apply(qapp, look, zoom)
        qtbot.waitUntil(lambda: not preview._working)
        assert top(preview) == "Paragraph 8.1"


def test_hidden_meanwhile_it_comes_back_where_it_was(preview: MemoryPreview, qtbot: QtBot) -> None:
    show(preview, qtbot, "\n\n".join(SECTIONS))
    scroll_to(preview, "Paragraph 8.1")
    preview.hide()
    show(preview, qtbot, "\n\n".join(["New first words.", *SECTIONS]))
    preview.show()
    assert top(preview) == "Paragraph 8.1"


def test_a_stored_place_is_gone_to_once(preview: MemoryPreview, qtbot: QtBot, operations: Operations) -> None:
    text = "\n\n".join(SECTIONS)
    show(preview, qtbot, text)
    assert preview.place() == ""
    scroll_to(preview, "Paragraph 8.1")
    place = preview.place()
    again = MemoryPreview(operations)
    qtbot.addWidget(again)
    again.resize(460, 300)
    again.show()
    again.set_place(place)
    assert again.place() == place, "kept until it can be gone to"
    show(again, qtbot, text)
    assert top(again) in ("Paragraph 8.0", "Paragraph 8.1", "Section 8")
    again.browser.verticalScrollBar().setValue(0)
    show(again, qtbot, text + "\n\nmore")
    assert again.place() == ""
    again.dispose()


def test_a_later_part_of_a_long_text_comes_back(preview: MemoryPreview, qtbot: QtBot, operations: Operations) -> None:
    text = "\n\n".join(f"## Section {n}\n\nparagraph {n} {WORDS}" for n in range(2_500))
    show(preview, qtbot, text)
    preview.show_part(2)
    qtbot.waitUntil(lambda: not preview._working)
    preview.browser.verticalScrollBar().setValue(2_000)
    place, seen = preview.place(), top(preview)
    again = MemoryPreview(operations)
    qtbot.addWidget(again)
    again.resize(500, 400)
    again.show()
    again.set_place(place)
    show(again, qtbot, text)
    assert top(again).split()[-1] in (seen.split()[-1], str(int(seen.split()[-1]) - 1)), (top(again), seen)
    again.dispose()


@pytest.mark.parametrize("place", ["", "x", "1:", "9:9.9", "0:99.1", "0:.", "-1:1.1", "9" * 40, "0:1.99999", "１:１.１"])
def test_a_damaged_place_shows_the_text_all_the_same(preview: MemoryPreview, qtbot: QtBot, place: str) -> None:
    preview.set_place(place)
    show(preview, qtbot, "\n\n".join(SECTIONS))
    assert preview.browser.toPlainText().startswith("Section 0")


# --- in the window ----------------------------------------------------------------------------------------------------


@pytest.fixture
def place(tmp_path: Path) -> World:
    made = World(tmp_path)
    (made.project.memory_root / "bun.md").write_text(NOTE + "\n\n".join(SECTIONS) + "\n", encoding="utf-8")
    return made


@pytest.fixture
def start(qapp: QApplication, qtbot: QtBot, place: World) -> Iterator[Start]:
    with starting(qapp, qtbot, place) as go:
        yield go


def in_preview(qtbot: QtBot, application: object) -> Callable[[], MemoryPreview]:
    def preview() -> MemoryPreview:
        return editor(application).preview  # type: ignore[arg-type]

    editor(application).set_mode("preview")  # type: ignore[arg-type]
    until(qtbot, lambda: "Section 11" in preview().browser.toPlainText() and not preview()._working)
    return preview


def test_other_tabs_restarts_and_outside_changes_keep_it(place: World, start: Start, qtbot: QtBot) -> None:
    application = opened(start(place.folder), qtbot)
    assert application.parts is not None and application.workspace is not None
    application.parts.memory.open_memory("bun.md", "project")
    preview = in_preview(qtbot, application)
    scroll_to(preview(), "Paragraph 6.3")
    application.parts.settings.show("memory")
    qtbot.waitUntil(lambda: not preview().isVisible())
    file = place.project.memory_root / "bun.md"
    file.write_text(file.read_text(encoding="utf-8").replace("We use bun.", f"We use bun. {WORDS * 5}"), encoding="utf-8")
    until(qtbot, lambda: WORDS.strip() in preview().browser.toPlainText()[:600] and not preview()._working)
    application.parts.memory.open_memory("bun.md", "project")
    qtbot.waitUntil(lambda: preview().isVisible())
    assert top(preview()) == "Paragraph 6.3"
    application.workbench.editors.close()
    application.parts.memory.open_memory("bun.md", "project")
    in_preview(qtbot, application)
    assert top(preview()) in ("Paragraph 6.2", "Paragraph 6.3")
    scroll_to(preview(), "Paragraph 4.1")
    application.close()
    again = opened(start(), qtbot)
    later = in_preview(qtbot, again)
    assert top(later()) in ("Paragraph 4.0", "Paragraph 4.1")
