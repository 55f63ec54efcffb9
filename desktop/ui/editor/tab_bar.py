"""The row of editor tabs: a close button that is a dot while the text is not saved, middle click, dragging, a key per tab.

Emits intents only; the area decides. GUI thread only.
"""

from __future__ import annotations

from PySide6.QtCore import QEvent, QSize, Qt, Signal
from PySide6.QtGui import QEnterEvent, QMouseEvent, QPainter, QPaintEvent, QWheelEvent
from PySide6.QtWidgets import QSizePolicy, QTabBar, QToolButton, QWidget

from desktop.ui import icons, theme

TAB_HEIGHT = 35
MIN_WIDTH, MAX_WIDTH = 96, 240


class CloseButton(QToolButton):
    """A cross; a dot while the tab is modified and the pointer is elsewhere."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("tabCloseButton")
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setAutoRaise(True)
        self._modified = False
        self.describe("", False)

    def describe(self, title: str, modified: bool) -> None:
        self._modified = modified
        text = self.tr("Close {name} (not saved)") if modified else self.tr("Close {name}")
        self.setAccessibleName(text.format(name=title))
        self.setToolTip(self.tr("Close"))
        self._draw(self.underMouse())

    def _draw(self, hovered: bool) -> None:
        icons.bind(self, "circle-filled" if self._modified and not hovered else "close")

    def enterEvent(self, event: QEnterEvent) -> None:
        self._draw(True)
        super().enterEvent(event)

    def leaveEvent(self, event: QEvent) -> None:
        self._draw(False)
        super().leaveEvent(event)


class EditorTabBar(QTabBar):
    """Tabs that know their key.

    Signals:
        close_requested(str): the key of the tab whose button, or which itself with the middle button, was clicked.
    """

    close_requested = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("editorTabs")
        self.setAccessibleName(self.tr("Open editors"))
        self.setDocumentMode(True)
        self.setDrawBase(False)
        self.setExpanding(False)
        self.setMovable(True)
        self.setUsesScrollButtons(True)
        self.setElideMode(Qt.TextElideMode.ElideRight)
        self.setContextMenuPolicy(Qt.ContextMenuPolicy.CustomContextMenu)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self._icons: dict[str, str] = {}
        theme.signals.theme_changed.connect(self._restyle)

    def add_tab(self, key: str, title: str, icon_name: str) -> int:
        blocked = self.blockSignals(True)  # the first tab becomes the current one before it has its key
        index = self.addTab(_plain(title))
        self.setTabData(index, key)
        self.blockSignals(blocked)
        self._icons[key] = icon_name
        button = CloseButton(self)
        button.clicked.connect(self._on_close)
        self.setTabButton(index, QTabBar.ButtonPosition.RightSide, button)
        for arrow in self._arrows():
            arrow.raise_()  # they are older than the close buttons, which would be drawn over them
        icons.when_ready(self._restyle)
        self._restyle()
        return index

    def _arrows(self) -> tuple[QToolButton, ...]:
        """Qt's own buttons that scroll the row: to the left, to the right."""
        found = (self.findChild(QToolButton, name) for name in ("ScrollLeftButton", "ScrollRightButton"))
        return tuple(button for button in found if isinstance(button, QToolButton))

    def key_at(self, index: int) -> str:
        return str(self.tabData(index) or "")

    def set_key(self, index: int, key: str) -> None:
        self._icons[key] = self._icons.pop(self.key_at(index), "")
        self.setTabData(index, key)

    def describe(self, index: int, title: str, modified: bool, tooltip: str) -> None:
        self.setTabText(index, _plain(title))
        self.setTabToolTip(index, tooltip)
        button = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
        if isinstance(button, CloseButton):
            button.describe(title, modified)

    def _restyle(self) -> None:
        self.setIconSize(QSize(theme.current().px(16), theme.current().px(16)))
        for index in range(self.count()):
            name = self._icons.get(self.key_at(index), "")
            if name:
                token = "memory" if self.key_at(index).startswith("memory:") else "secondary"
                self.setTabIcon(index, icons.icon(name, token))
            button = self.tabButton(index, QTabBar.ButtonPosition.RightSide)
            if button is not None:
                button.resize(button.sizeHint())  # a tab bar takes the size that it finds; nobody else makes it follow the zoom
        self.updateGeometry()

    def _on_close(self) -> None:
        button = self.sender()
        for index in range(self.count()):
            if self.tabButton(index, QTabBar.ButtonPosition.RightSide) is button:
                self.close_requested.emit(self.key_at(index))
                return

    def tabSizeHint(self, index: int) -> QSize:
        present = theme.current()
        hint = super().tabSizeHint(index)
        return QSize(min(present.px(MAX_WIDTH), max(present.px(MIN_WIDTH), hint.width())), present.px(TAB_HEIGHT))

    def minimumTabSizeHint(self, index: int) -> QSize:
        return self.tabSizeHint(index)

    def paintEvent(self, event: QPaintEvent) -> None:
        """The style sheet knows no focus of a tab, so it is drawn here."""
        super().paintEvent(event)
        if self.hasFocus() and self.currentIndex() >= 0:
            painter = QPainter(self)
            painter.setPen(theme.current().color("focus"))
            painter.drawRect(self.tabRect(self.currentIndex()).adjusted(2, 2, -3, -3))
            painter.end()

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The wheel moves along the row; it never brings another tab to the front."""
        turned = event.angleDelta().y() or event.angleDelta().x()
        arrows = self._arrows()
        if turned and len(arrows) == 2:
            arrow = arrows[0 if turned > 0 else 1]
            if arrow.isVisible() and arrow.isEnabled():
                arrow.click()
        event.accept()

    def mouseReleaseEvent(self, event: QMouseEvent) -> None:
        index = self.tabAt(event.position().toPoint())
        if event.button() == Qt.MouseButton.MiddleButton and index >= 0:
            self.close_requested.emit(self.key_at(index))
            event.accept()
            return
        super().mouseReleaseEvent(event)


def _plain(title: str) -> str:
    """An ampersand in a title is an ampersand, not a mnemonic."""
    return title.replace("&", "&&")
