"""Draws a session: its title, below it the newest text or what was found in it, below that where it was held and how long it is.

The first row of a group has a hairline above and the group's name at its right. State is an icon and a word. GUI thread; draws only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QPoint, QRect, QSize, Qt
from PySide6.QtGui import QColor, QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QStyle, QStyledItemDelegate, QStyleOptionViewItem

from desktop.ui import icons, theme
from desktop.ui.marked_text import LineDrawer, Marked
from desktop.ui.sessions.facts import HELD, OWN, RUNNING, SUB_AGENT, WAITING
from desktop.ui.sessions.model import ROW, Index, Row

HEIGHT, EDGE, ICON_GAP = 60, 10, 6
INDENT = 18
SMALL_PX = 11
BADGE_WIDTH = 300
"""A narrower row leaves the badge of our own sessions out."""
RIGHT_LEAST = 14
"""Characters of the title that stand beside a text at the right; with less room that is left out."""
MARK = 13
"""Pixels of the little icons at the right of a title."""
_STATES = {
    RUNNING: "sync",
    WAITING: "question",
    HELD: "multiple-windows",
    "failed": "error",
    "damaged": "warning",
    "interrupted": "debug-pause",
}
_TOKENS = {"failed": "removed", "damaged": "warning", WAITING: "warning", RUNNING: "accent"}


def icon_of(row: Row) -> tuple[str, str]:
    """Name and colour of the icon in front of a row."""
    if row.state in _STATES:
        return _STATES[row.state], _TOKENS.get(row.state, "secondary")
    if row.session.kind == SUB_AGENT:
        return "hubot", "secondary"
    return ("comment-discussion" if row.current else "comment"), "secondary"


class SessionDelegate(QStyledItemDelegate):
    """All rows are of one height, so that 10,000 of them cost nothing."""

    def sizeHint(self, option: QStyleOptionViewItem, index: Index) -> QSize:
        return QSize(10, theme.current().px(HEIGHT))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: Index) -> None:
        row: Row | None = index.data(ROW)
        if row is None:
            return
        painter.save()
        rect: QRect = option.rect
        state: QStyle.StateFlag = option.state
        selected = bool(state & QStyle.StateFlag.State_Selected)
        self._ground(painter, rect, row, index.row(), selected=selected, hover=bool(state & QStyle.StateFlag.State_MouseOver))
        self._content(painter, rect, row, selected=selected)
        if state & QStyle.StateFlag.State_HasFocus:
            painter.setPen(theme.current().color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRect(rect.adjusted(0, 0, -1, -1))
        painter.restore()

    @staticmethod
    def _ground(painter: QPainter, rect: QRect, row: Row, number: int, *, selected: bool, hover: bool) -> None:
        present = theme.current()
        if selected or hover:
            painter.fillRect(rect, present.color("selection" if selected else "hover"))
        if row.group and number > 0:
            painter.setPen(present.color("border"))
            painter.drawLine(rect.topLeft(), rect.topRight())

    def _content(self, painter: QPainter, rect: QRect, row: Row, *, selected: bool) -> None:
        present = theme.current()
        strong = present.color("selection_text" if selected else "text")
        quiet = strong if selected else present.color("secondary")
        font, small = theme.ui_font(present), theme.ui_font(present, SMALL_PX)
        edge = present.px(EDGE)
        area = rect.adjusted(edge + (present.px(INDENT) if row.child else 0), present.px(4), -edge, -present.px(4))
        self._front(painter, area, row, selected=selected)
        area.setLeft(area.left() + present.px(icons.SIZE) + present.px(ICON_GAP))
        third = area.height() // 3
        lines = [QRect(area.left(), area.top() + number * third, area.width(), third) for number in range(3)]
        self._title(painter, lines[0], row, font, small, strong, quiet)
        taken = self._right(painter, lines[1], row.age, small, quiet)
        LineDrawer(font, quiet, strong).draw(painter, lines[1].adjusted(0, 0, -taken, 0), row.text)
        self._facts(painter, lines[2], row, small, quiet)

    @staticmethod
    def _front(painter: QPainter, area: QRect, row: Row, *, selected: bool) -> None:
        """State at the title, and below it whether sub-agents are shown."""
        present = theme.current()
        size = present.px(icons.SIZE)
        name, token = icon_of(row)
        icons.icon(name, "selection_text" if selected else token).paint(painter, QRect(area.left(), area.top() + 1, size, size))
        if row.sub_agents and not row.child:
            name = "chevron-down" if row.unfolded else "chevron-right"
            box = QRect(area.left(), area.top() + 2 * (area.height() // 3), size, size)
            icons.icon(name, "selection_text" if selected else "text").paint(painter, box)

    def _title(self, painter: QPainter, area: QRect, row: Row, font: QFont, small: QFont, strong: QColor, quiet: QColor) -> None:
        area = QRect(area)
        area.setRight(area.right() - self._right(painter, area, row.group, small, quiet))
        present = theme.current()
        size = present.px(MARK)
        for name, there in (("archive", row.session.archived), ("pinned", row.session.pinned)):
            if there:
                box = QRect(area.right() - size, area.top() + (area.height() - size) // 2, size, size)
                token = "selection_text" if strong == present.color("selection_text") else "secondary"
                icons.icon(name, token).paint(painter, box)
                area.setRight(box.left() - present.px(4))
        LineDrawer(font, strong, strong).draw(painter, area, row.line)

    def _facts(self, painter: QPainter, area: QRect, row: Row, small: QFont, quiet: QColor) -> None:
        area = QRect(area)
        if row.badge and (row.session.source != OWN or area.width() >= theme.current().px(BADGE_WIDTH)):
            area.setLeft(area.left() + self._badge(painter, area, row.badge, small, quiet))
        LineDrawer(small, quiet, quiet).draw(painter, area, Marked(row.facts))

    @staticmethod
    def _badge(painter: QPainter, area: QRect, text: str, font: QFont, colour: QColor) -> int:
        """The tool that held the session, in an outline, so that it reads without colour too."""
        present = theme.current()
        metrics = QFontMetrics(font)
        width = min(metrics.horizontalAdvance(text) + present.px(10), area.width() // 2)
        box = QRect(area.left(), area.top() + 1, width, area.height() - 2)
        outline = QColor(colour)
        outline.setAlphaF(0.55)
        painter.save()
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(outline)
        painter.setBrush(Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(box, present.px(3), present.px(3))
        painter.restore()
        painter.setFont(font)
        painter.setPen(colour)
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, width - present.px(8))
        painter.drawText(box, Qt.AlignmentFlag.AlignCenter, shown)
        return width + present.px(6)

    @staticmethod
    def _right(painter: QPainter, area: QRect, text: str, font: QFont, colour: QColor) -> int:
        """Text at the right edge; gives the width that it takes. A narrow list leaves it to what stands at the left."""
        metrics = QFontMetrics(font)
        if not text or area.width() < metrics.horizontalAdvance(text) + RIGHT_LEAST * metrics.averageCharWidth():
            return 0
        shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, area.width() // 2)
        painter.setFont(font)
        painter.setPen(colour)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignRight), shown)
        return metrics.horizontalAdvance(shown) + theme.current().px(12)

    # --- Qt ----------------------------------------------------------------------------------------------------------

    def editorEvent(self, event: QEvent, model: object, option: QStyleOptionViewItem, index: Index) -> bool:
        """A press on the arrow shows or hides the sub-agents."""
        if event.type() != QEvent.Type.MouseButtonPress or event.button() != Qt.MouseButton.LeftButton:  # type: ignore[attr-defined]
            return False
        row: Row | None = index.data(ROW)
        if row is None or not row.sub_agents or row.child or not self._on_arrow(option.rect, event.position().toPoint()):  # type: ignore[attr-defined]
            return False
        return bool(model.toggle(index.row()))  # type: ignore[attr-defined]

    @staticmethod
    def _on_arrow(rect: QRect, at: QPoint) -> bool:
        present = theme.current()
        return at.x() < rect.left() + present.px(EDGE) + present.px(icons.SIZE) + present.px(ICON_GAP) and at.y() > rect.center().y()
