"""Text exactly as it will be written or run: every character that cannot be seen stands as a marked escape. Nothing is cut. GUI thread.

`exact` is pure.
"""

from __future__ import annotations

import re
import unicodedata
from dataclasses import dataclass

from PySide6.QtGui import QColor, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QTextEdit, QWidget

from desktop.ui import theme
from desktop.ui.chat.code_view import PlainView

_UNSEEN_LETTERS = "\u115f\u1160\u17b4\u17b5\u2800\u3164\uffa0"
_NOT_PLAIN = re.compile(r"[^\x20-\x7e\n\t]")
_MARKED = 500
"""Marks beyond this many would make typing and scrolling slow; the escapes themselves are all there."""


@dataclass(frozen=True, slots=True)
class Exact:
    """The text for display and where its escapes are (start, length)."""

    text: str
    escapes: tuple[tuple[int, int], ...]


def is_unseen(character: str) -> bool:
    """Whether `character` shows nothing, looks like a blank, or changes how others look. Newline, tab and the plain blank are seen."""
    if character in "\n\t" or "\x20" <= character <= "\x7e":
        return False
    if character in _UNSEEN_LETTERS or "\ufe00" <= character <= "\ufe0f" or "\U000e0100" <= character <= "\U000e01ef":
        return True
    return unicodedata.category(character) in ("Cc", "Cf", "Cs", "Cn", "Co", "Zl", "Zp", "Zs")


def exact(text: str) -> Exact:
    """`text` with every unseen character as `\\u{…}`."""
    if text.isascii() and text.isprintable():
        return Exact(text, ())
    escapes: list[tuple[int, int]] = []
    shift = 0  # by how much positions in the view, which count characters beyond U+FFFF twice, are ahead of those in `text`

    def shown(found: re.Match[str]) -> str:
        nonlocal shift
        character = found.group()
        if not is_unseen(character):
            shift += character > "\uffff"
            return character
        piece = f"\\u{{{ord(character):x}}}"
        escapes.append((found.start() + shift, len(piece)))
        shift += len(piece) - 1
        return piece

    return Exact(_NOT_PLAIN.sub(shown, text), tuple(escapes))


class ExactView(PlainView):
    """Shows exact text, whole; scrolls in itself beyond `lines` lines."""

    def __init__(self, parent: QWidget, text: str = "", *, lines: int = 14, wrap: bool = False) -> None:
        super().__init__(parent, lines=lines, wrap=wrap)
        self.setObjectName("exactView")
        self._escapes: tuple[tuple[int, int], ...] = ()
        self.set_exact(text)

    def set_exact(self, text: str) -> None:
        found = exact(text)
        self._escapes = found.escapes
        self.set_text(found.text)
        self._mark()

    @property
    def escapes(self) -> int:
        """How many characters stand as escapes."""
        return len(self._escapes)

    def _themed(self) -> None:
        super()._themed()
        if hasattr(self, "_escapes"):
            self._mark()

    def _mark(self) -> None:
        form = QTextCharFormat()
        form.setForeground(theme.current().color("removed"))
        ground = QColor(theme.current().color("removed"))
        ground.setAlpha(36)
        form.setBackground(ground)
        marks = []
        for start, length in self._escapes[:_MARKED]:
            mark = QTextEdit.ExtraSelection()
            cursor = QTextCursor(self.document())
            cursor.setPosition(start)
            cursor.setPosition(start + length, QTextCursor.MoveMode.KeepAnchor)
            mark.cursor = cursor
            mark.format = form
            marks.append(mark)
        self.setExtraSelections(marks)
