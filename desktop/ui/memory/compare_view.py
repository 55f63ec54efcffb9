"""Two versions of one text side by side, what differs on the same height; in a narrow editor below each other. Draws only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import (
    QResizeEvent,
    QTextCharFormat,
    QTextCursor,
    QTextFrameFormat,
    QTextLength,
    QTextTable,
    QTextTableFormat,
)
from PySide6.QtWidgets import QFrame, QLabel, QStackedWidget, QTextEdit, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.memory.diff_view import TOKENS, DiffView, insert_line, line_formats
from desktop.ui.memory.line_diff import Difference, DiffLine

MOST_ROWS = 160
"""Rows that are laid out side by side at once; a longer difference is shown in one column, which has no such bound."""
NARROW = 640

Pair = tuple[DiffLine | None, DiffLine | None]


def paired(lines: tuple[DiffLine, ...]) -> list[Pair]:
    """Lines of a difference as rows: the n-th line that was taken out beside the n-th that was put in. Pure."""
    rows: list[Pair] = []
    gone: list[DiffLine] = []
    came: list[DiffLine] = []

    def flush() -> None:
        for at in range(max(len(gone), len(came))):
            rows.append((gone[at] if at < len(gone) else None, came[at] if at < len(came) else None))
        gone.clear()
        came.clear()

    for line in lines:
        if line.mark == "-":
            if came:
                flush()
            gone.append(line)
        elif line.mark == "+":
            came.append(line)
        else:
            flush()
            rows.append((line, line))
    flush()
    return rows


class CompareView(QWidget):
    """A comparison with a heading for each side.

    Attributes:
        columns: the two sides beside each other.
        single: both in one column.
    """

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryCompare")
        self.setAccessibleName(self.tr("Comparison"))
        self._shown: Difference | None = None
        self._titles = ("", "")
        self._equal = ""
        self.columns = QTextEdit(self)
        self.columns.setObjectName("memoryCompareColumns")
        self.columns.setReadOnly(True)
        self.columns.setUndoRedoEnabled(False)
        self.columns.setFrameShape(QFrame.Shape.NoFrame)
        self.columns.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse | Qt.TextInteractionFlag.TextSelectableByKeyboard)
        self.columns.setAccessibleName(self.tr("Both versions side by side"))
        self.legend = QLabel(self)
        self.legend.setObjectName("memoryCompareLegend")
        self.legend.setProperty("role", "secondary")
        self.legend.setTextFormat(Qt.TextFormat.PlainText)
        self.legend.setWordWrap(True)
        self.single = DiffView(self)
        narrow = QWidget(self)
        column = QVBoxLayout(narrow)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.legend)
        column.addWidget(self.single, 1)
        self._narrow = narrow
        self.stack = QStackedWidget(self)
        self.stack.addWidget(self.columns)
        self.stack.addWidget(narrow)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.addWidget(self.stack)
        self.setFocusProxy(self.columns)
        theme.signals.theme_changed.connect(self._draw)
        self._draw()

    def show_difference(self, shown: Difference, left: str, right: str, equal: str = "") -> None:
        """Show a comparison.

        Args:
            shown: `-` is the left side, `+` the right.
            left, right: what each side is.
            equal: said when nothing differs.
        """
        self._shown, self._titles, self._equal = shown, (left, right), equal
        self._draw()
        self._fit()

    def clear_difference(self) -> None:
        """Show nothing: the comparison is being made."""
        self._shown = None
        self._draw()

    def text(self) -> str:
        """What is shown now, as text."""
        return self.single.toPlainText() if self.stack.currentWidget() is self._narrow else self.columns.toPlainText()

    # -- drawing ---------------------------------------------------------------------------------------------------------------------

    def _draw(self) -> None:
        now = theme.current()
        self.legend.setContentsMargins(now.px(16), now.px(8), now.px(16), now.px(2))
        self.columns.setStyleSheet(f"QTextEdit {{ background: {now.hex('editor')}; border: none; padding: {now.px(6)}px {now.px(10)}px; }}")
        self.columns.setFont(theme.code_font())
        self.columns.clear()
        self.legend.setText("")
        shown = self._shown
        if shown is None:
            self.single.clear_difference()
            return
        left, right = self._titles
        self.legend.setText(f"-  {left}\n+  {right}")
        self.single.show_difference(shown, self._equal)
        rows = paired(shown.lines)
        if shown.lines and len(rows) <= MOST_ROWS and not shown.left_out:
            self._draw_columns(rows)

    def _draw_columns(self, rows: list[Pair]) -> None:
        cursor = QTextCursor(self.columns.document())
        cursor.beginEditBlock()
        table = cursor.insertTable(len(rows) + 1, 2, self._table_format())
        heading = QTextCharFormat()
        heading.setForeground(theme.current().color("secondary"))
        heading.setFont(theme.ui_font())
        for at, (sign, title) in enumerate(zip("-+", self._titles, strict=True)):
            cell = table.cellAt(0, at).firstCursorPosition()
            mark = QTextCharFormat(heading)
            mark.setForeground(theme.current().color(TOKENS[sign]))
            cell.insertText(f"{sign}  ", mark)
            cell.insertText(title, heading)
        for number, pair in enumerate(rows, 1):
            for side, line in enumerate(pair):
                self._draw_cell(table, number, side, line)
        cursor.endEditBlock()
        self.columns.moveCursor(QTextCursor.MoveOperation.Start)

    def _draw_cell(self, table: QTextTable, row: int, side: int, line: DiffLine | None) -> None:
        if line is None:
            return
        block, *chars = line_formats(line)
        cell = table.cellAt(row, side)
        if block.hasProperty(block.Property.BackgroundBrush):
            form = cell.format()
            form.setBackground(block.background())
            cell.setFormat(form)
        start = cell.firstCursorPosition()
        hanging = start.blockFormat()
        hanging.setLeftMargin(self._sign_width())
        hanging.setTextIndent(-self._sign_width())
        start.setBlockFormat(hanging)
        insert_line(start, line, (chars[0], chars[1], chars[2]))

    def _sign_width(self) -> int:
        """What is wrapped stands below the text, not below its sign."""
        return self.columns.fontMetrics().horizontalAdvance("-  ")

    def _table_format(self) -> QTextTableFormat:
        now = theme.current()
        shape = QTextTableFormat()
        shape.setBorder(0)
        shape.setBorderStyle(QTextFrameFormat.BorderStyle.BorderStyle_None)
        shape.setCellSpacing(0)
        shape.setCellPadding(now.px(2))
        shape.setWidth(QTextLength(QTextLength.Type.PercentageLength, 100))
        half = QTextLength(QTextLength.Type.PercentageLength, 50)
        shape.setColumnWidthConstraints([half, half])
        shape.setHeaderRowCount(1)
        return shape

    def _fit(self) -> None:
        wide = self.width() >= theme.current().px(NARROW) and bool(self.columns.toPlainText())
        self.stack.setCurrentWidget(self.columns if wide else self._narrow)
        self.setFocusProxy(self.columns if wide else self.single)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()
