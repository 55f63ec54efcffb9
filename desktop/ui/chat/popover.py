"""A small panel over the window that hangs on a button: closes by Esc, by a click or the focus elsewhere, and gives the focus back.

Lies in the window itself, so that it needs no window manager and moves with it. What is in it is the caller's. GUI thread.
"""

from __future__ import annotations

import shiboken6
from PySide6.QtCore import QEvent, QObject, QPoint, QSize, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QMouseEvent
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import Surface

WIDTH, LEAST, EDGE, GAP = 520, 60, 8, 4
MOST_STOPS = 1_000
QWIDGETSIZE_MAX = (1 << 24) - 1


class _Shield(QWidget):
    """Lies over the window below the panel; a press on it closes the panel, as with a menu.

    Signals:
        pressed()
    """

    pressed = Signal()

    def mousePressEvent(self, event: QMouseEvent) -> None:
        self.pressed.emit()


class Popover(Surface):
    """One panel. `popup` shows it; it deletes itself when it is closed.

    Attributes:
        content: what is in it.

    Signals:
        closed(): it is gone.
    """

    closed = Signal()

    def __init__(self, anchor: QWidget, content: QWidget, *, width: int = WIDTH) -> None:
        """Args:
        anchor: what it hangs on; it gets the focus back.
        content: with an accessible name; its layout says how high it would like to be.
        width: in pixels of the design, at most the window's.
        """
        window = anchor.window()
        super().__init__(window, ground="editor", border="input_border", radius=6)
        self.setObjectName("popover")
        self.setAccessibleName(content.accessibleName())
        self.setAttribute(Qt.WidgetAttribute.WA_NoMousePropagation)
        self._window, self._anchor, self._width = window, anchor, width
        self.content = content
        self._open = False
        self._placed = 0
        self._shield = _Shield(window)
        self._shield.pressed.connect(self.close_it)
        self._shield.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(1, 1, 1, 1)
        column.addWidget(content)
        self.hide()

    @property
    def is_open(self) -> bool:
        return self._open

    def popup(self) -> None:
        """Show it at its anchor; the content gets the focus."""
        self._open = True
        self.place()
        for widget in (self._shield, self):
            widget.show()
            widget.raise_()
        self.place()  # only now the texts in it have their width, and with it their height
        (self.content.focusProxy() or next(iter(self._stops()), self.content)).setFocus(Qt.FocusReason.PopupFocusReason)
        self._window.installEventFilter(self)
        self._application().focusChanged.connect(self._on_focus)
        self._anchor.destroyed.connect(self._on_anchor_gone)

    def close_it(self) -> None:
        """Put it away; the anchor gets the focus again."""
        if self._put_away():
            self._anchor.destroyed.disconnect(self._on_anchor_gone)
            if self._anchor.isVisible():
                self._anchor.setFocus(Qt.FocusReason.PopupFocusReason)

    def place(self) -> None:
        """Below the anchor where there is room, else above it, inside the window."""
        self.setMinimumSize(0, 0)
        self.setMaximumSize(QWIDGETSIZE_MAX, QWIDGETSIZE_MAX)
        present = theme.current()
        edge, gap = present.px(EDGE), present.px(GAP)
        room = self._window.size()
        width = min(present.px(self._width), room.width() - 2 * edge)
        top_left = self._anchor.mapTo(self._window, QPoint(0, 0))
        below = room.height() - edge - (top_left.y() + self._anchor.height() + gap)
        above = top_left.y() - gap - edge
        wanted = self._placed = self._wanted(width)
        downwards = wanted <= below or below >= above
        height = max(min(wanted, below if downwards else above), present.px(LEAST))
        self.setFixedSize(QSize(width, height))
        left = max(edge, min(top_left.x(), room.width() - edge - width))
        top = top_left.y() + self._anchor.height() + gap if downwards else top_left.y() - gap - height
        self.move(left, max(edge, min(top, room.height() - edge - height)))
        self._shield.setGeometry(self._window.rect())

    def _wanted(self, width: int) -> int:
        self.resize(width, self.height())
        for widget in (self, self.content):
            layout = widget.layout()
            if layout is not None:
                layout.activate()
        layout = self.content.layout()
        if layout is not None and layout.hasHeightForWidth():
            return layout.totalHeightForWidth(width - 2) + 2
        return self.content.sizeHint().height() + 2

    def _follow(self) -> None:
        if self._open and self._wanted(self.width()) != self._placed:
            self.place()

    def _put_away(self) -> bool:
        if not self._open:
            return False
        self._open = False
        self._window.removeEventFilter(self)
        self._application().focusChanged.disconnect(self._on_focus)
        for widget in (self, self._shield):
            widget.hide()
            widget.deleteLater()
        self.closed.emit()
        return True

    @staticmethod
    def _application() -> QApplication:
        app = QApplication.instance()
        assert isinstance(app, QApplication)
        return app

    def _stops(self) -> list[QWidget]:
        """What Tab goes through, in order."""
        found: list[QWidget] = []
        one = self.content.nextInFocusChain()
        for _ in range(MOST_STOPS):
            if one is None or one is self.content:
                break
            if self.isAncestorOf(one) and _takes_focus(one):
                found.append(one)
            one = one.nextInFocusChain()
        return found

    def _on_anchor_gone(self) -> None:
        """With the anchor, or with the whole window."""
        if shiboken6.isValid(self) and shiboken6.isValid(self._window):
            self._put_away()

    def _on_focus(self, _old: QWidget | None, new: QWidget | None) -> None:
        if new is not None and new is not self and not self.isAncestorOf(new):
            self._anchor.destroyed.disconnect(self._on_anchor_gone)
            self._put_away()

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def focusNextPrevChild(self, forward: bool) -> bool:
        """Tab stays inside."""
        stops = self._stops()
        if stops:
            now = self._application().focusWidget()
            at = stops.index(now) if now in stops else (-1 if forward else 0)
            reason = Qt.FocusReason.TabFocusReason if forward else Qt.FocusReason.BacktabFocusReason
            stops[(at + (1 if forward else -1)) % len(stops)].setFocus(reason)
        return True

    def event(self, event: QEvent) -> bool:
        """Esc is ours, whatever it means in the window. When the content wants another height it gets it."""
        if event.type() == QEvent.Type.LayoutRequest and self._open:
            QTimer.singleShot(0, self, self._follow)
        if event.type() == QEvent.Type.ShortcutOverride and isinstance(event, QKeyEvent) and event.key() == Qt.Key.Key_Escape:
            event.accept()
            return True
        return super().event(event)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() == Qt.Key.Key_Escape:
            self.close_it()
        event.accept()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        if watched is self._window and event.type() == QEvent.Type.Resize:
            self.place()
        return False


def _takes_focus(widget: QWidget) -> bool:
    return bool(widget.focusPolicy() & Qt.FocusPolicy.TabFocus) and widget.isEnabled() and not widget.isHidden()
