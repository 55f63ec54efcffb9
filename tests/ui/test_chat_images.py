"""Pictures in messages as thumbnails, and output of any length folded: within limits, never from an address, the rest on demand."""

from __future__ import annotations

import base64
from collections.abc import Callable
from pathlib import Path

import pytest
from PySide6.QtCore import QBuffer, QIODevice, Qt
from PySide6.QtGui import QGuiApplication, QImage
from PySide6.QtTest import QTest
from PySide6.QtWidgets import QWidget
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.messages.parts import TextPart, ToolCallPart, ToolResultPart
from desktop.ui import theme
from desktop.ui.chat import images
from desktop.ui.chat.code_view import CodeView
from desktop.ui.chat.folded_output import FoldedOutput
from desktop.ui.chat.image_strip import ImageDialog, ImageStrip, Thumbnail
from desktop.ui.chat.images import ImageRef, ImageSource, bytes_of, decode, images_of, taken_out
from desktop.ui.chat.items import AnswerEntry, ToolEntry, UserEntry, entries_of
from desktop.ui.chat.message_views import UserView
from desktop.ui.chat.tool_card import ToolCard
from tests.unit.sessions.make import message


def picture(kind: str = "PNG", width: int = 300, height: int = 120) -> bytes:
    image = QImage(width, height, QImage.Format.Format_RGB32)
    image.fill(0xFF3366)
    buffer = QBuffer()
    buffer.open(QIODevice.OpenModeFlag.WriteOnly)
    assert image.save(buffer, kind)  # type: ignore[call-overload]
    return bytes(buffer.data().data())


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


@pytest.fixture
def source(operations: Operations) -> ImageSource:
    held = {"a" * 64: picture(), "c" * 64: "the whole text 全文 ".encode() * 9_000}
    return ImageSource(operations, held.get)


@pytest.mark.parametrize("kind", ["PNG", "JPEG", "WEBP"])
def test_each_format_is_decoded_small(qapp: object, kind: str) -> None:
    found = decode(picture(kind, 1_200, 400), 100)
    assert found.image is not None and (found.width, found.height) == (1_200, 400)
    assert (found.image.width(), found.image.height()) in ((100, 33), (100, 34))
    small = decode(picture(kind, 20, 10), 100)
    assert small.image is not None and small.image.width() == 20, "never made larger"


def test_what_is_too_large_or_no_picture_is_not_decoded(qapp: object, monkeypatch: pytest.MonkeyPatch) -> None:
    assert decode(b"not a picture", 100).reason == "broken"
    assert decode(picture()[:60], 100).reason == "broken"
    svg = b'<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"><image href="http://192.0.2.9/p.png"/></svg>'
    assert decode(svg, 100).reason == "broken" and decode(picture("BMP"), 100).reason == "broken"
    monkeypatch.setattr(images, "MAX_PIXELS", 30_000)
    many = decode(picture(), 100)
    assert many.reason == "large" and (many.width, many.height) == (300, 120) and many.image is None
    monkeypatch.setattr(images, "MAX_BYTES", 50)
    assert decode(picture(), 100).reason == "large"
    assert bytes_of("***") is None


def test_pictures_are_found_wherever_a_part_holds_them() -> None:
    body = encoded(picture())
    shapes = (
        {"image": {"media": "image/png", "base64": body}},
        {"images": [{"media": "image/png", "base64": body}]},
        {"content": [{"type": "image", "source": {"type": "base64", "media_type": "image/png", "data": body}}]},
        {"url": f"data:image/png;base64,{body}"},
        {"picture": {"file": "a" * 64, "bytes": 700, "media": "image/png"}},
    )
    for data in shapes:
        (ref,) = images_of(data)
        assert ref.media == "image/png" and (ref.base64 == body or ref.file == "a" * 64)
    assert images_of({"a": {"media_type": "text/plain", "data": "aGk="}, "b": "http://192.0.2.9/p.png"}) == ()
    assert images_of(None) == () and len(images_of({"many": [shapes[0]] * 500})) == images.MOST
    deep: dict[str, object] = {"image": shapes[0]}
    for _ in range(3_000):
        deep = {"in": deep}
    assert images_of(deep) == ()


def test_pictures_that_are_written_out_are_taken_out_of_a_text() -> None:
    body = encoded(picture())
    for written in (body, f"data:image/png;base64,{body}"):
        text, refs = taken_out(f"before {written} after")
        assert text == f"before [image/png, {max(1, refs[0].size >> 10)} KB] after" and refs[0].base64 == body
    same = "iVBORw0KGgo is how it begins, R0lGOD too; /9j/ and UklGR"
    assert taken_out(same) == (same, ())


def test_entries_carry_pictures_and_words_beside_them() -> None:
    data = {"image": {"media": "image/png", "base64": encoded(picture())}}
    asked = message("", parts=(TextPart("look"), TextPart("", data=data)))
    said = message("", "assistant", parts=(TextPart("", data=data), ToolCallPart("c", "Shot")))
    given = message("", "tool", parts=(ToolResultPart("c", "Shot", "done", data={"images": [data["image"]]}),))
    first, second, third = entries_of((asked, said, given))
    assert isinstance(first, UserEntry) and first.text == "look" and len(first.images) == 1
    assert isinstance(second, AnswerEntry) and second.text == "" and len(second.images) == 1
    assert isinstance(third, ToolEntry)


def shown(qtbot: QtBot, make: Callable[[QWidget], QWidget]) -> QWidget:
    """A view in a window of its own."""
    window = QWidget()
    qtbot.addWidget(window)
    window.resize(700, 500)
    view = make(window)
    view.resize(690, 480)
    window.show()
    return view


def loaded(qtbot: QtBot, view: QWidget) -> list[Thumbnail]:
    qtbot.waitUntil(lambda: (found := view.findChildren(Thumbnail)) != [] and all(one.decoded is not None for one in found), timeout=10_000)
    return view.findChildren(Thumbnail)


def test_a_thumbnail_opens_larger_by_mouse_and_keyboard(qtbot: QtBot, source: ImageSource, dark: theme.Theme) -> None:
    refs = (ImageRef("image/png", 700, base64=encoded(picture())), ImageRef("image/png", 700, file="a" * 64))
    strip = shown(qtbot, lambda window: ImageStrip(window, refs, source))
    assert isinstance(strip, ImageStrip)
    first, second = loaded(qtbot, strip)
    assert first.can_open and second.can_open and "Picture 1 of 2" in first.accessibleName() and "300 × 120" in first.accessibleName()
    assert first.sizeHint().width() <= theme.current().px(132) + 2
    QTest.keyClick(second, Qt.Key.Key_Return)
    dialog = strip.window().findChild(ImageDialog)
    assert dialog is not None
    qtbot.waitUntil(lambda: not dialog.picture.pixmap().isNull(), timeout=10_000)
    assert dialog.picture.pixmap().width() == 300 and dialog.copy_button.isEnabled()
    dialog.copy_button.click()
    assert QGuiApplication.clipboard().image().width() == 300
    QTest.keyClick(dialog, Qt.Key.Key_Escape)
    assert not dialog.isVisible()
    qtbot.waitUntil(lambda: strip.window().findChild(ImageDialog) is None)


def test_a_picture_that_cannot_be_shown_says_why(qtbot: QtBot, source: ImageSource, dark: theme.Theme) -> None:
    refs = (ImageRef("image/png", 9, base64="aGVsbG8="), ImageRef("image/png", 9, file="b" * 64))
    strip = shown(qtbot, lambda window: ImageStrip(window, refs, source))
    broken, lost = loaded(qtbot, strip)
    assert "cannot be read" in broken.accessibleName() and "its file is lost" in lost.accessibleName()
    broken.click()
    assert strip.window().findChild(ImageDialog) is None


def test_a_message_and_a_call_show_their_pictures(qtbot: QtBot, source: ImageSource, dark: theme.Theme) -> None:
    body = encoded(picture())
    user = shown(qtbot, lambda window: UserView(window, f"see {body}", source=source))
    assert isinstance(user, UserView) and len(loaded(qtbot, user)) == 1 and user.message_text() == f"see {body}"
    result = ToolResultPart("c", "Shot", f"saved data:image/png;base64,{body}", data={"images": [{"media": "image/png", "base64": body}]})
    card = shown(qtbot, lambda window: ToolCard(window, ToolCallPart("c", "Shot"), result, source=source))
    assert isinstance(card, ToolCard) and card.findChildren(Thumbnail) == [], "decoded when it is unfolded"
    card.row.set_open(True)
    assert len(loaded(qtbot, card)) == 2 and body not in card.findChildren(FoldedOutput)[-1].view.toPlainText()


@pytest.mark.parametrize("text", ["X" * 500_000, "字" * 500_000, encoded(bytes(range(256)) * 3_000), "line\n" * 200_000])
def test_output_of_any_length_is_folded_shown_in_pieces_and_copied_whole(qtbot: QtBot, dark: theme.Theme, text: str) -> None:
    view = shown(qtbot, lambda window: FoldedOutput(window, "Result", text))
    assert isinstance(view, FoldedOutput)
    drawn = len(view.view.toPlainText())
    assert drawn < 70_000 and view.hidden > 300_000 and f"{view.hidden:,}" in view.more.text()
    assert max(map(len, view.view.toPlainText().split("\n"))) <= 4_100
    view.more.click()
    assert len(view.view.toPlainText()) > drawn
    view.copy_button.click()
    assert QGuiApplication.clipboard().text() == text
    short = shown(qtbot, lambda window: FoldedOutput(window, "Result", "short"))
    assert isinstance(short, FoldedOutput) and not short.more.isVisible() and not short.copy_button.isVisible()


def test_the_rest_of_an_output_comes_from_its_side_file(qtbot: QtBot, source: ImageSource, dark: theme.Theme) -> None:
    reference = {"file": "c" * 64, "bytes": 189_000, "media": "text/plain"}
    part = ToolResultPart("c", "Bash", "the whole", data={"side_files": {"output": reference}})
    card = shown(qtbot, lambda window: ToolCard(window, ToolCallPart("c", "Bash"), part, source=source))
    assert isinstance(card, ToolCard)
    card.row.set_open(True)
    output = card.findChildren(FoldedOutput)[-1]
    assert output.view.toPlainText() == "the whole" and output.more.isVisible() and "in all" in output.more.text()
    output.more.click()
    qtbot.waitUntil(lambda: output.view.toPlainText().startswith("the whole text 全文 the"), timeout=10_000)
    lost = ToolResultPart("c", "Bash", "its start", data={"side_files": {"output": {**reference, "file": "d" * 64}}})
    other = shown(qtbot, lambda window: ToolCard(window, ToolCallPart("c", "Bash"), lost, source=source))
    assert isinstance(other, ToolCard)
    other.row.set_open(True)
    output = other.findChildren(FoldedOutput)[-1]
    output.copy_button.click()
    qtbot.waitUntil(lambda: "lost" in output.note.text(), timeout=10_000)
    assert not output.more.isVisible() and output.view.toPlainText() == "its start"


def test_code_with_an_endless_line_is_folded_and_copied_whole(qtbot: QtBot, dark: theme.Theme, tmp_path: Path) -> None:
    code = "a = '" + "Z" * 600_000 + "'\nprint(a)\n"
    view = shown(qtbot, lambda window: CodeView(window, "python"))
    assert isinstance(view, CodeView)
    view.set_text(code, closed=True)
    drawn = view.edit.toPlainText()
    assert len(drawn) < 10_000 and view.rest.isVisible() and max(map(len, drawn.split("\n"))) <= 4_100
    view.rest.click()
    assert len(view.edit.toPlainText()) > len(drawn)
    view.copy()
    assert QGuiApplication.clipboard().text() == code.removesuffix("\n")
    qtbot.waitUntil(lambda: not view._highlighter.busy, timeout=10_000)
