"""How full the model's context window is: a thin bar and a percentage, so that nothing is said by colour alone; pressed, it asks for more.

Draws only. GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import QRectF, QSize, Qt
from PySide6.QtGui import QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop.ui import theme

BAR, GAP, PAD = 32, 6, 4
NEARLY_FULL = 80


class ContextMeter(QAbstractButton):
    """Attributes: percent: 0 … 100, or None while nothing is known."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("contextMeter")
        self.percent: int | None = None
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.TabFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.signals.theme_changed.connect(self.updateGeometry)
        self.set_usage(0, 0)

    def set_usage(self, tokens: int, window: int) -> None:
        """Tokens of the last request and the size of the window."""
        self.percent = min(100, round(100 * tokens / window)) if window > 0 and tokens > 0 else None
        text = self.tr("{tokens} of {window} tokens of the context window are used")
        said = text.format(tokens=f"{tokens:,}", window=f"{window:,}") if self.percent is not None else ""
        self.setToolTip(said)
        self.setAccessibleName(said or self.tr("Context window"))
        self.setVisible(self.percent is not None)
        self.updateGeometry()
        self.update()

    def _text(self) -> str:
        return f"{self.percent or 0} %"

    def sizeHint(self) -> QSize:
        present = theme.current()
        text = QFontMetrics(self.font()).horizontalAdvance("100 %")
        return QSize(present.px(BAR + GAP + 2 * PAD) + text + 4, present.px(22))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        present = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        self._ground(painter)
        painter.setPen(Qt.PenStyle.NoPen)
        height = present.px(4)
        bar = QRectF(present.px(PAD), (self.height() - height) / 2, present.px(BAR), height)
        painter.setBrush(present.color("scroll"))
        painter.drawRoundedRect(bar, height / 2, height / 2)
        full = self.percent or 0
        painter.setBrush(present.color("warning" if full >= NEARLY_FULL else "accent"))
        painter.drawRoundedRect(QRectF(bar.left(), bar.top(), max(height, bar.width() * full / 100), height), height / 2, height / 2)
        painter.setPen(present.color("secondary"))
        area = self.rect().adjusted(present.px(PAD + BAR + GAP), 0, 0, 0)
        painter.drawText(area, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self._text())
        painter.end()

    def _ground(self, painter: QPainter) -> None:
        """What says that it can be pressed, and that it has the focus."""
        present = theme.current()
        if not (self.hasFocus() or self.underMouse() or self.isDown()):
            return
        painter.setPen(QPen(present.color("focus"), 1) if self.hasFocus() else Qt.PenStyle.NoPen)
        painter.setBrush(present.color("hover") if self.underMouse() or self.isDown() else Qt.BrushStyle.NoBrush)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), present.px(4), present.px(4))
