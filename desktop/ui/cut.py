"""One line of text that is cut with an ellipsis where there is no room: as a label and as a link button. Draws only. GUI thread.

The text itself stays whole (`text()`, the accessible name); only what is drawn is cut, so nothing has to be measured before the first
layout, and a narrow window never gets wider because of a long name.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt
from PySide6.QtGui import QHelpEvent, QPainter, QPaintEvent
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QStyle, QStyleOptionButton, QStylePainter, QToolTip, QWidget

from desktop.ui.memory.plain import tooltip

_LEAST = 24
"""Width down to which such a widget shrinks."""


class CutLabel(QLabel):
    """Plain text on one line. As wide as its text where there is room; `greedy` takes all the room there is."""

    def __init__(self, parent: QWidget | None = None, text: str = "", *, greedy: bool = False) -> None:
        super().__init__(text, parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        policy = QSizePolicy.Policy.Ignored if greedy else QSizePolicy.Policy.Maximum
        self.setSizePolicy(policy, QSizePolicy.Policy.Preferred)

    def shown_text(self) -> str:
        """What is drawn at the present width."""
        return self.fontMetrics().elidedText(self.text(), Qt.TextElideMode.ElideRight, self.contentsRect().width())

    def minimumSizeHint(self) -> QSize:
        return QSize(min(_LEAST, self.sizeHint().width()), super().minimumSizeHint().height())

    def paintEvent(self, event: QPaintEvent) -> None:
        painter = QPainter(self)
        place = int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        self.style().drawItemText(
            painter, self.contentsRect(), place, self.palette(), self.isEnabled(), self.shown_text(), self.foregroundRole()
        )
        painter.end()


class CutButton(QPushButton):
    """A button whose text is cut at the right; the tool tip has all of it then."""

    def shown_text(self) -> str:
        """What is drawn at the present width, as a button's text."""
        taken = self.sizeHint().width() - self.fontMetrics().size(Qt.TextFlag.TextShowMnemonic, self.text()).width()
        metrics, room = self.fontMetrics(), self.width() - taken
        return metrics.elidedText(self.text(), Qt.TextElideMode.ElideRight, room, Qt.TextFlag.TextShowMnemonic.value)

    def minimumSizeHint(self) -> QSize:
        hint = self.sizeHint()
        return QSize(min(_LEAST, hint.width()), hint.height())

    def event(self, event: QEvent) -> bool:
        if (
            isinstance(event, QHelpEvent)
            and event.type() == QEvent.Type.ToolTip
            and not self.toolTip()
            and self.shown_text() != self.text()
        ):
            QToolTip.showText(event.globalPos(), tooltip(self.text().replace("&&", "&")), self)
            return True
        return super().event(event)

    def paintEvent(self, event: QPaintEvent) -> None:
        option = QStyleOptionButton()
        self.initStyleOption(option)
        option.text = self.shown_text()
        painter = QStylePainter(self)
        painter.drawControl(QStyle.ControlElement.CE_PushButton, option)
        painter.end()


class CutLink(CutButton):
    """A link whose text is cut at the right. `text()` is whole, with no mnemonic."""

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(text.replace("&", "&&"), parent)
        self.setProperty("role", "link")
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setSizePolicy(QSizePolicy.Policy.Maximum, QSizePolicy.Policy.Fixed)
