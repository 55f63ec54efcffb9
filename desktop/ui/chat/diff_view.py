"""A unified diff with coloured lines; the signs stay, so that nothing is said by colour alone. Read-only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QRect
from PySide6.QtGui import QColor, QPainter, QPaintEvent, QTextCharFormat, QTextLayout
from PySide6.QtWidgets import QWidget

from desktop.ui import theme
from desktop.ui.chat.code_view import PlainView
from desktop.ui.markdown import shown

LINES = 16
MAX_LINES = 4_000


def counts(diff: str) -> tuple[int, int]:
    """Added and removed lines."""
    lines = diff.splitlines()
    added = sum(line.startswith("+") and not line.startswith("+++") for line in lines)
    return added, sum(line.startswith("-") and not line.startswith("---") for line in lines)


class DiffView(PlainView):
    """Shows a diff without its file head (the card names the file)."""

    def __init__(self, parent: QWidget, diff: str = "", *, lines: int = LINES) -> None:
        super().__init__(parent, lines=lines)
        self.setObjectName("diffView")
        self.setAccessibleName(self.tr("Changes"))
        if diff:
            self.set_diff(diff)

    def set_diff(self, diff: str) -> None:
        lines = [line for line in diff.splitlines() if not line.startswith(("--- ", "+++ "))]
        if len(lines) > MAX_LINES:
            rest = len(lines) - MAX_LINES
            lines = [*lines[:MAX_LINES], self.tr("… {n} more lines").format(n=f"{rest:,}")]
        self.set_text(shown("\n".join(lines)))
        self._colour()

    def _themed(self) -> None:
        super()._themed()
        self._colour()

    def _colour(self) -> None:
        block = self.document().firstBlock()
        while block.isValid():
            token = _token(block.text())
            formats: list[QTextLayout.FormatRange] = []
            if token:
                part = QTextLayout.FormatRange()
                part.start, part.length = 0, block.length()
                form = QTextCharFormat()
                form.setForeground(theme.current().color(token))
                part.format = form
                formats = [part]
            block.layout().setFormats(formats)
            block = block.next()
        self.document().markContentsDirty(0, self.document().characterCount())

    def paintEvent(self, event: QPaintEvent) -> None:
        """Grounds over the whole width behind added and removed lines."""
        painter = QPainter(self.viewport())
        block = self.firstVisibleBlock()
        top = self.blockBoundingGeometry(block).translated(self.contentOffset()).top()
        while block.isValid() and top < self.viewport().height():
            height = self.blockBoundingRect(block).height()
            token = _token(block.text())
            if token in ("added", "removed"):
                colour = QColor(theme.current().color(token))
                colour.setAlpha(28)
                painter.fillRect(QRect(0, int(top), self.viewport().width(), int(height)), colour)
            top += height
            block = block.next()
        painter.end()
        super().paintEvent(event)


def _token(line: str) -> str:
    if line.startswith("+"):
        return "added"
    if line.startswith("-"):
        return "removed"
    return "secondary" if line.startswith("@@") else ""
