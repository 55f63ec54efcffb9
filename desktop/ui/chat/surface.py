"""Grounds and small parts of the chat: rounded frames in the theme's colours, plain labels, icon buttons. Draws only. GUI thread."""

from __future__ import annotations

import html
from collections.abc import Callable

from PySide6.QtCore import QEvent, QRectF, QSize, Qt
from PySide6.QtGui import QIcon, QKeyEvent, QPainter, QPaintEvent, QPen, QResizeEvent
from PySide6.QtWidgets import QFrame, QLabel, QPushButton, QSizePolicy, QToolButton, QWidget

from desktop.ui import icons, theme
from desktop.ui.markdown import shown


class Surface(QFrame):
    """A frame whose ground and border are tokens of the theme; an empty token draws nothing."""

    def __init__(self, parent: QWidget | None = None, *, ground: str = "", border: str = "", radius: int = 5) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self._ground, self._border, self._radius = ground, border, radius
        theme.signals.theme_changed.connect(self._theme_changed)

    def set_tokens(self, *, ground: str | None = None, border: str | None = None) -> None:
        self._ground = self._ground if ground is None else ground
        self._border = self._border if border is None else border
        self.update()

    @property
    def border(self) -> str:
        """The token of the border."""
        return self._border

    def _theme_changed(self) -> None:
        self.update()

    def paintEvent(self, event: QPaintEvent) -> None:
        present = theme.current()
        border = "focus" if self.hasFocus() and self.focusPolicy() != Qt.FocusPolicy.NoFocus else self._border
        if not self._ground and not border:
            return
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setPen(QPen(present.color(border), 1) if border else Qt.PenStyle.NoPen)
        painter.setBrush(present.color(self._ground) if self._ground else Qt.BrushStyle.NoBrush)
        radius = present.px(self._radius)
        painter.drawRoundedRect(QRectF(self.rect()).adjusted(0.5, 0.5, -0.5, -0.5), radius, radius)
        painter.end()


class WrapLabel(QLabel):
    """A label whose lines wrap, exactly as high as they need at its width (Qt's own guess leaves gaps in nested layouts)."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setWordWrap(True)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Fixed)

    def setText(self, text: str) -> None:
        super().setText(text)
        self._fit()

    def _fit(self) -> None:
        before = self.minimumHeight()
        self.setMinimumHeight(0)  # Qt's answer is never below the present minimum
        height = self.heightForWidth(max(1, self.width()))
        if height > 0 and (height != before or height != self.maximumHeight()):
            self.setFixedHeight(height)
        else:
            self.setMinimumHeight(before)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def changeEvent(self, event: QEvent) -> None:
        super().changeEvent(event)
        if event.type() in (QEvent.Type.FontChange, QEvent.Type.StyleChange):
            self._fit()


def label(parent: QWidget, text: str = "", *, role: str = "", wrap: bool = False) -> QLabel:
    """A label for text of any origin: plain, unseen characters as escapes."""
    made = WrapLabel(parent) if wrap else QLabel(parent)
    made.setTextFormat(Qt.TextFormat.PlainText)
    if role:
        made.setProperty("role", role)
    made.setText(shown(text))
    return made


class Column(QWidget):
    """What scrolls up and down in a pane: never wider than the pane, however narrow that is. What stands in it wraps or is cut."""

    def minimumSizeHint(self) -> QSize:
        return QSize(0, super().minimumSizeHint().height())


class ElidedLabel(QLabel):
    """One line that is cut in the middle where it does not fit; the whole text is the tool tip and the accessible name."""

    def __init__(self, parent: QWidget, text: str = "", *, mode: Qt.TextElideMode = Qt.TextElideMode.ElideMiddle) -> None:
        super().__init__(parent)
        self.setTextFormat(Qt.TextFormat.PlainText)
        self.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Preferred)
        self._mode = mode
        self._whole = ""
        self.set_text(text)

    def set_text(self, text: str) -> None:
        self._whole = shown(text).replace("\n", " ")
        self.setToolTip(tip(self._whole))
        self.setAccessibleName(self._whole)
        self._elide()

    def whole_text(self) -> str:
        return self._whole

    def _elide(self) -> None:
        self.setText(self.fontMetrics().elidedText(self._whole[:4_000], self._mode, max(0, self.width())))

    def sizeHint(self) -> QSize:
        return QSize(self.fontMetrics().horizontalAdvance(self._whole[:400]) + 4, super().sizeHint().height())

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._elide()


def tip(text: str) -> str:
    """A tool tip for text of any origin. Qt takes what looks like HTML for HTML, and would load what that names."""
    return f"<p style='white-space:pre-wrap'>{html.escape(shown(text)[:2_000])}</p>" if text else ""


def menu_text(text: str) -> str:
    """Text of any origin for a menu or a button: an ampersand is no mnemonic."""
    return shown(text).replace("\n", " ").replace("&", "&&")


class IconButton(QToolButton):
    """A flat button with a Codicon that follows the theme. (`icons.bind` looks through all bound ones: too much for one a code block.)"""

    def __init__(self, parent: QWidget, name: str, text: str) -> None:
        super().__init__(parent)
        self.setAutoRaise(True)
        self.setToolTip(text)
        self.setAccessibleName(text)
        self._name, self._token = name, "text"
        self._draw()
        theme.signals.theme_changed.connect(self._draw)
        if not icons.is_ready():
            icons.when_ready(self._draw)

    def set_icon(self, name: str, token: str = "text") -> None:
        """Another icon; an empty name shows none."""
        if (name, token) != (self._name, self._token):
            self._name, self._token = name, token
            self._draw()

    def _draw(self) -> None:
        edge = theme.current().px(icons.SIZE)
        self.setIconSize(QSize(edge, edge))
        self.setIcon(icons.icon(self._name, self._token) if self._name else QIcon())


def icon_button(parent: QWidget, icon_name: str, text: str, slot: Callable[[], object], *, name: str = "") -> IconButton:
    """A flat button with a Codicon; `text` is its tool tip and accessible name."""
    made = IconButton(parent, icon_name, text)
    made.setObjectName(name)
    made.clicked.connect(slot)
    return made


class KeyButton(QPushButton):
    """A button that Return presses too, as people expect of one that has the focus."""

    def __init__(self, text: str, parent: QWidget, *, secondary: bool = False) -> None:
        super().__init__(text, parent)
        self.setAutoDefault(False)
        if secondary:
            self.setProperty("role", "secondary")

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
            return
        super().keyPressEvent(event)
