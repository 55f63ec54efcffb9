"""A real switch: a track with a knob, and the state in words beside it, so that it does not rest on colour. Draws only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QRect, QSize, Qt
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent
from PySide6.QtWidgets import QAbstractButton, QSizePolicy, QWidget

from desktop.ui import theme

TRACK_WIDTH, TRACK_HEIGHT = 36, 20
GAP = 8


class Switch(QAbstractButton):
    """A checkable control; `toggled` tells of changes, `clicked` of the person's."""

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setCheckable(True)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        self.toggled.connect(self._tell)
        theme.signals.theme_changed.connect(self.updateGeometry)
        self._tell(False)

    def word(self) -> str:
        return self.tr("On") if self.isChecked() else self.tr("Off")

    def _tell(self, _on: bool) -> None:
        self.setAccessibleDescription(self.word())
        self.updateGeometry()
        self.update()

    def _colors(self) -> tuple[QColor, QColor, QColor]:
        """Track, edge, knob."""
        now = theme.current()
        if not self.isEnabled():
            return now.color("code"), now.color("border"), now.color("disabled")
        if self.isChecked():
            return now.color("accent"), now.color("accent"), now.color("accent_text")
        return now.color("input"), now.color("secondary"), now.color("secondary")

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def sizeHint(self) -> QSize:
        now = theme.current()
        metrics = QFontMetrics(theme.ui_font())
        words = max(metrics.horizontalAdvance(self.tr("On")), metrics.horizontalAdvance(self.tr("Off")))
        return QSize(now.px(TRACK_WIDTH + GAP + 4) + words, max(now.px(TRACK_HEIGHT + 4), metrics.height()))

    def minimumSizeHint(self) -> QSize:
        return self.sizeHint()

    def hitButton(self, pos: object) -> bool:
        return True

    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme.current()
        track, edge, knob = self._colors()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        height, width = now.px(TRACK_HEIGHT), now.px(TRACK_WIDTH)
        box = QRect(2, (self.height() - height) // 2, width, height)
        if self.hasFocus():
            painter.setPen(now.color("focus"))
            painter.setBrush(Qt.BrushStyle.NoBrush)
            painter.drawRoundedRect(box.adjusted(-2, -2, 1, 1), height / 2 + 1, height / 2 + 1)
        painter.setPen(edge)
        painter.setBrush(track)
        painter.drawRoundedRect(box.adjusted(0, 0, -1, -1), height / 2, height / 2)
        side = height - now.px(8)
        left = box.right() - side - now.px(4) if self.isChecked() else box.left() + now.px(4)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(knob)
        painter.drawEllipse(QRect(left, box.top() + now.px(4), side, side))
        painter.setPen(now.color("text" if self.isEnabled() else "disabled"))
        painter.setFont(theme.ui_font())
        words = QRect(box.right() + now.px(GAP), 0, self.width() - box.right() - now.px(GAP), self.height())
        painter.drawText(words, int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft), self.word())
        painter.end()
