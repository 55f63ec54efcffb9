"""Shows which message is meant: a frame around it for a moment, and the words in it selected. Draws only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QEvent, QObject, QPoint, QRectF, Qt, QTimer
from PySide6.QtGui import QPainter, QPaintEvent, QPen, QTextDocument
from PySide6.QtWidgets import QPlainTextEdit, QTextEdit, QWidget

from desktop.ui import theme
from desktop.ui.chat.folded_output import FoldedOutput
from desktop.ui.chat.message_views import AnswerView, ThinkingView, UserView
from desktop.ui.chat.reminder import ReminderView
from desktop.ui.chat.tool_card import ToolCard

SHOWN_MS = 2_500
ROOM = 4
"""Pixels between a message and the frame around it."""


class Frame(QWidget):
    """A frame around a widget; it takes no clicks and goes by itself. Nothing moves, so that it asks for no reduced motion.

    Attributes:
        target: what it is around.
    """

    def __init__(self, target: QWidget) -> None:
        super().__init__(target.parentWidget())
        self.setObjectName("foundFrame")
        self.setAttribute(Qt.WidgetAttribute.WA_TransparentForMouseEvents)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.target = target
        target.installEventFilter(self)
        target.destroyed.connect(self.deleteLater)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._end)
        self._timer.start(SHOWN_MS)
        self._follow()
        self.show()
        self.raise_()

    def _follow(self) -> None:
        room = theme.current().px(ROOM)
        self.setGeometry(self.target.geometry().adjusted(-room, -room, room, room))

    def _end(self) -> None:
        self.hide()
        self.deleteLater()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if event.type() in (QEvent.Type.Resize, QEvent.Type.Move):
            self._follow()
        elif event.type() == QEvent.Type.Hide:
            self._end()
        return False

    def paintEvent(self, event: QPaintEvent) -> None:
        now = theme.current()
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(now.color("focus"), max(1, now.px(2))))
        edge = now.px(2) / 2
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(edge, edge, -edge, -edge), now.px(5), now.px(5))
        painter.end()


def point_at(widget: QWidget, text: str = "") -> int:
    """Mark a message, and select `text` in it where it is drawn; returns how far down in the widget that is, in pixels."""
    around = widget.parentWidget()
    for old in around.findChildren(Frame) if around is not None else ():
        old.hide()
        old.deleteLater()
    _unfold(widget, text)
    Frame(widget)
    return _select(widget, text) if text else 0


def _unfold(widget: QWidget, text: str) -> None:
    """What holds the text is drawn, however much of the message is folded."""
    if isinstance(widget, (ToolCard, ReminderView)):
        widget.row.set_open(True)
        for output in widget.findChildren(FoldedOutput) if text else ():
            output.show_text(text)
    elif text and isinstance(widget, (ThinkingView, UserView)):
        widget.show_text(text)
    elif text and isinstance(widget, AnswerView):
        widget.body.show_text(text)


def _select(widget: QWidget, text: str) -> int:
    views: list[QTextEdit | QPlainTextEdit] = [*widget.findChildren(QTextEdit), *widget.findChildren(QPlainTextEdit)]
    for exact in (QTextDocument.FindFlag.FindCaseSensitively, QTextDocument.FindFlag(0)):
        for view in views:
            found = view.document().find(text, 0, exact)
            if not found.isNull():
                view.setTextCursor(found)
                return view.viewport().mapTo(widget, QPoint(0, view.cursorRect().top())).y()
    return 0
