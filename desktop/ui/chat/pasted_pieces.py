"""The folded pieces inside the text of the composer: one character each, drawn as a pill. Owns their texts while the field's undo may
bring them back; the field and its document are the caller's. GUI thread.

A piece is Qt's object replacement character with the format of our kind of object, which holds the number of the piece. Undo, the
keyboard and the clipboard so treat it as one letter. The same character without the format is a letter that somebody typed.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from itertools import count

from PySide6.QtCore import QPoint, QRect, QRectF, QSizeF, Qt
from PySide6.QtGui import QFontMetricsF, QPainter, QPyTextObject, QTextCharFormat, QTextCursor, QTextDocument, QTextFormat
from PySide6.QtWidgets import QPlainTextEdit

from desktop.ui import theme
from desktop.ui.chat.pasted import Piece, marked, parts_of, piece_of

OBJECT = "\ufffc"
_KIND = int(QTextFormat.ObjectTypes.UserObject.value) + 21
_NUMBER = int(QTextFormat.Property.UserProperty.value) + 21
PAD, WIDTH, LEAST = 6, 260, 60


@dataclass(frozen=True, slots=True)
class Found:
    """A piece in the document: where it stands in the plain text, its position there (in UTF-16, as Qt counts), its number."""

    index: int
    position: int
    number: int


class PastedPieces(QPyTextObject):
    """See the module's text."""

    def __init__(self, edit: QPlainTextEdit) -> None:
        super().__init__(edit)
        self._edit = edit
        self._pieces: dict[int, Piece] = {}
        self._numbers = count(1)
        edit.document().documentLayout().registerHandler(_KIND, self)

    def __getitem__(self, number: int) -> Piece:
        return self._pieces[number]

    # --- what stands there -------------------------------------------------------------------------------------------

    def found(self, raw: str, start: int = 0) -> list[Found]:
        """The pieces in the document, in order; `raw` is its plain text from the position `start` on."""
        found: list[Found] = []
        index, position, behind = raw.find(OBJECT), start, 0
        while index >= 0:
            position += _units(raw[behind:index])
            behind = index
            number = self._number_at(position)
            if number:
                found.append(Found(index, position, number))
            index = raw.find(OBJECT, index + 1)
        return found

    def draft(self, raw: str) -> str:
        """The document's text with its pieces between marks."""
        return self._filled(raw, self.found(raw), marked)

    def text(self, raw: str) -> str:
        """The document's text with the texts of its pieces."""
        return self._filled(raw, self.found(raw), str)

    def selected(self, cursor: QTextCursor) -> str:
        """The draft of what is selected; empty where no piece is in it."""
        raw = cursor.selectedText().replace("\u2029", "\n").replace("\u2028", "\n")
        found = self.found(raw, cursor.selectionStart())
        return self._filled(raw, found, marked) if found else ""

    def _filled(self, raw: str, found: list[Found], of_piece: Callable[[str], str]) -> str:
        if not found:
            return raw
        filled: list[str] = []
        behind = 0
        for one in found:
            filled += [raw[behind : one.index], of_piece(self._pieces[one.number].text)]
            behind = one.index + 1
        return "".join([*filled, raw[behind:]])

    def _number_at(self, position: int) -> int:
        cursor = QTextCursor(self._edit.document())
        cursor.setPosition(position + 1)  # the format is that of the character before
        kept = cursor.charFormat()
        number = int(kept.property(_NUMBER) or 0) if kept.objectType() == _KIND else 0
        return number if number in self._pieces else 0

    def at(self, point: QPoint) -> int | None:
        """Which piece of the document, counted from 0, lies under a point of the viewport."""
        raw = self._edit.toPlainText()
        if OBJECT not in raw:
            return None
        for which, one in enumerate(self.found(raw)):
            if self._place(one.position).contains(point):
                return which
        return None

    def _place(self, position: int) -> QRect:
        cursor = QTextCursor(self._edit.document())
        cursor.setPosition(position)
        place = self._edit.cursorRect(cursor)
        width = int(self._width(self._pieces[self._number_at(position)]))
        return QRect(place.left(), place.top(), width, place.height())

    # --- changing it -------------------------------------------------------------------------------------------------

    def insert(self, cursor: QTextCursor, draft: str) -> None:
        """Put a draft in the place of what is selected. One step of undo."""
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        for text, is_piece in parts_of(draft):
            if is_piece:
                cursor.insertText(OBJECT, self._format(piece_of(text)))
            else:
                cursor.insertText(text, QTextCharFormat())
        cursor.endEditBlock()

    def _format(self, piece: Piece) -> QTextCharFormat:
        number = next(self._numbers)
        self._pieces[number] = piece
        made = QTextCharFormat()
        made.setObjectType(_KIND)
        made.setProperty(_NUMBER, number)
        return made

    def replace(self, one: Found, text: str, *, folded: bool) -> QTextCursor:
        """Put a text in the place of a piece; the cursor stands behind it. Undo brings the piece back."""
        cursor = QTextCursor(self._edit.document())
        cursor.setPosition(one.position)
        cursor.setPosition(one.position + 1, QTextCursor.MoveMode.KeepAnchor)
        cursor.beginEditBlock()
        cursor.removeSelectedText()
        if folded and text:
            cursor.insertText(OBJECT, self._format(piece_of(text)))
        elif text:
            cursor.insertText(text, QTextCharFormat())
        cursor.endEditBlock()
        return cursor

    def forget(self) -> None:
        """Undo leads nowhere any more: keep only what stands in the document."""
        kept = {one.number for one in self.found(self._edit.toPlainText())}
        self._pieces = {number: piece for number, piece in self._pieces.items() if number in kept}

    # --- drawing -----------------------------------------------------------------------------------------------------

    def caption(self, piece: Piece) -> str:
        """“Pasted text · 1,240 lines”."""
        lines = self.tr("1 line") if piece.lines == 1 else self.tr("{n} lines").format(n=f"{piece.lines:,}")
        return self.tr("Pasted text · {lines}").format(lines=lines)

    def _metrics(self) -> QFontMetricsF:
        return QFontMetricsF(self._edit.document().defaultFont())

    def _width(self, piece: Piece) -> float:
        present = theme.current()
        room = self._edit.viewport().width() - present.px(12)
        most = max(present.px(LEAST), min(present.px(WIDTH), room))
        return float(min(most, self._metrics().horizontalAdvance(self.caption(piece)) + 2 * present.px(PAD) + 4))

    def intrinsicSize(self, doc: QTextDocument, position: int, made: QTextFormat) -> QSizeF:
        """As wide as its words; it stands on the line as a letter does."""
        piece = self._pieces.get(int(made.property(_NUMBER) or 0))
        return QSizeF(self._width(piece) if piece is not None else 0.0, self._metrics().ascent())

    def drawObject(self, painter: QPainter, rect: QRectF | QRect, doc: QTextDocument, position: int, made: QTextFormat) -> None:
        """A pill with its words. Qt lays the colour of a selection over it; see `draw_selected`."""
        piece = self._pieces.get(int(made.property(_NUMBER) or 0))
        if piece is None:
            return
        present = theme.current()
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(present.color("code"))
        painter.setPen(present.color("border"))
        painter.drawRoundedRect(self._body(QRectF(rect)), present.px(4), present.px(4))
        self._draw_words(painter, QRectF(rect), piece, "link")
        painter.restore()

    def draw_selected(self, painter: QPainter) -> None:
        """The words of selected pieces once more, above the colour of the selection, under which they can hardly be read."""
        cursor = self._edit.textCursor()
        raw = self._edit.toPlainText() if cursor.hasSelection() else ""
        for one in self.found(raw) if OBJECT in raw else ():
            if cursor.selectionStart() <= one.position < cursor.selectionEnd():
                place = QRectF(self._place(one.position))
                place.setHeight(self._metrics().ascent())
                self._draw_words(painter, place, self._pieces[one.number], "text")

    def _body(self, rect: QRectF) -> QRectF:
        return rect.adjusted(1.5, 0.5, -1.5, self._metrics().descent() - 0.5)

    def _draw_words(self, painter: QPainter, rect: QRectF, piece: Piece, color: str) -> None:
        present, body = theme.current(), self._body(rect)
        painter.setFont(self._edit.document().defaultFont())
        painter.setPen(present.color(color))
        pad = present.px(PAD)
        words = self._metrics().elidedText(self.caption(piece), Qt.TextElideMode.ElideRight, body.width() - 2 * pad + 2)
        painter.drawText(body.adjusted(pad, -1, -pad + 2, 0), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), words)


def _units(text: str) -> int:
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2
