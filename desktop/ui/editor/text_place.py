"""Where a text is scrolled to and where its cursor stands, as a short text that can be stored. Pure; GUI thread."""

from __future__ import annotations

import re

from PySide6.QtGui import QTextCursor
from PySide6.QtWidgets import QPlainTextEdit

_PLACE = re.compile(r"(\d{1,9}):(\d{1,9})")


def text_place(edit: QPlainTextEdit) -> str:
    """`line:position` of the first line in view and of the cursor; empty at the beginning."""
    line, position = edit.firstVisibleBlock().blockNumber(), edit.textCursor().position()
    return f"{line}:{position}" if line or position else ""


def put_place(edit: QPlainTextEdit, place: str) -> None:
    """Go to what `text_place` gave; in a text that is shorter by now to its end, and of anything else nowhere."""
    found = _PLACE.fullmatch(place)
    if found is None:
        return
    document = edit.document()
    cursor = QTextCursor(document)
    cursor.setPosition(min(int(found[2]), document.characterCount() - 1))
    edit.setTextCursor(cursor)
    block = document.findBlockByNumber(min(int(found[1]), document.blockCount() - 1))
    edit.verticalScrollBar().setValue(block.firstLineNumber())
