"""Two versions of one text in one column: what was taken out and what was put in, line by line. Draws only. GUI thread."""

from __future__ import annotations

import difflib
from dataclasses import dataclass
from typing import Literal

from PySide6.QtGui import QColor, QTextBlockFormat, QTextCharFormat, QTextCursor
from PySide6.QtWidgets import QPlainTextEdit, QWidget

from desktop.base.redact import visible
from desktop.ui import theme

CONTEXT = 3
MOST_LINES = 20_000
"""Of each side; longer texts are compared in their first lines only, and that is said."""


@dataclass(frozen=True, slots=True)
class DiffLine:
    """One line of a difference: ` ` on both sides, `-` only before, `+` only after, `@` a gap."""

    mark: Literal[" ", "-", "+", "@"]
    text: str


def difference(before: str, after: str, context: int = CONTEXT) -> list[DiffLine]:
    """The lines that differ, with `context` equal ones around them; empty for equal texts. Pure; may take a while on long texts."""
    old, new = before.split("\n")[:MOST_LINES], after.split("\n")[:MOST_LINES]
    result: list[DiffLine] = []
    matcher = difflib.SequenceMatcher(None, old, new, autojunk=len(old) + len(new) > 4_000)
    for group in matcher.get_grouped_opcodes(context):
        result.append(DiffLine("@", f"{group[0][1] + 1} → {group[0][3] + 1}"))
        for tag, i1, i2, j1, j2 in group:
            if tag == "equal":
                result += [DiffLine(" ", line) for line in old[i1:i2]]
                continue
            result += [DiffLine("-", line) for line in old[i1:i2]]
            result += [DiffLine("+", line) for line in new[j1:j2]]
    return result


class DiffView(QPlainTextEdit):
    """Read-only. Every changed line has a sign in front, so that it reads without colour too."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryDiff")
        self.setReadOnly(True)
        self.setUndoRedoEnabled(False)
        self.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.setAccessibleName(self.tr("Differences"))
        self._lines: list[DiffLine] = []
        theme.signals.theme_changed.connect(self._draw)
        self._draw()

    def show_lines(self, lines: list[DiffLine]) -> None:
        self._lines = lines
        self._draw()

    def _draw(self) -> None:
        now = theme.current()
        self.setFont(theme.code_font())
        self.setStyleSheet(f"DiffView {{ background: {now.hex('editor')}; border: none; padding: {now.px(8)}px; }}")
        tokens = {" ": "text", "-": "removed", "+": "added", "@": "secondary"}
        self.clear()
        cursor = QTextCursor(self.document())
        cursor.beginEditBlock()
        if not self._lines:
            cursor.insertText(self.tr("There is no difference."))
        for at, line in enumerate(self._lines):
            block, sign, chars = QTextBlockFormat(), QTextCharFormat(), QTextCharFormat()
            color = now.color(tokens[line.mark])
            sign.setForeground(color)
            chars.setForeground(color if line.mark == "@" else now.color("text"))
            if line.mark in "+-":
                ground = QColor(color)
                ground.setAlphaF(0.12)
                block.setBackground(ground)
            if at:
                cursor.insertBlock(block, chars)
            else:
                cursor.setBlockFormat(block)
            if line.mark != "@":
                cursor.insertText(f"{line.mark}  ", sign)
            cursor.insertText(visible(line.text, keep="\t"), chars)
        cursor.endEditBlock()
        self.moveCursor(QTextCursor.MoveOperation.Start)
