"""An icon with a text beside it, 4 px apart: Qt's own styles leave two. Shared by the status bar and the command centre. GUI thread."""

from __future__ import annotations

from dataclasses import dataclass

from PySide6.QtCore import QRect, Qt
from PySide6.QtGui import QColor, QFontMetrics, QIcon, QPainter

from desktop.ui import theme

GAP = 4


@dataclass(frozen=True, slots=True)
class Placed:
    """Where icon and text stand; `text` is cut to its room."""

    icon: QRect
    words: QRect
    text: str


def place(rect: QRect, edge: int, text: str, metrics: QFontMetrics, *, centred: bool) -> Placed:
    """Icon of `edge` pixels and text inside `rect`, from its left or in its middle."""
    gap = theme.current().px(GAP) if edge and text else 0
    shown = metrics.elidedText(text, Qt.TextElideMode.ElideRight, max(0, rect.width() - edge - gap))
    width = metrics.horizontalAdvance(shown)
    left = rect.left() + (max(0, rect.width() - edge - gap - width) // 2 if centred else 0)
    icon = QRect(left, rect.top() + (rect.height() - edge) // 2, edge, edge)
    return Placed(icon, QRect(left + edge + gap, rect.top(), width, rect.height()), shown)


def draw(painter: QPainter, placed: Placed, icon: QIcon, color: QColor) -> None:
    if placed.icon.width():
        icon.paint(painter, placed.icon)
    painter.setPen(color)
    painter.drawText(placed.words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft | Qt.TextFlag.TextDontClip), placed.text)
