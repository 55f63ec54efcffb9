"""The memory chips “loaded n” and “saved n”, in the memory colour, which means one thing only: something is remembered. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QSizePolicy, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import menu_text, tip
from desktop.ui.markdown import shown

DOT, GAP, PAD = 7, 6, 9


class MemoryChip(QAbstractButton):
    """A pill with the memory dot."""

    def __init__(self, parent: QWidget, text: str) -> None:
        super().__init__(parent)
        self.setText(text)
        self.setAccessibleName(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.signals.theme_changed.connect(self.updateGeometry)

    def sizeHint(self) -> QSize:
        present = theme.current()
        width = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(width + present.px(DOT + GAP + 2 * PAD), present.px(22))

    def paintEvent(self, event: QPaintEvent) -> None:
        present = theme.current()
        colour = present.color("memory")
        ground = QColor(colour)
        ground.setAlpha(46 if self.underMouse() or self.isDown() else 24)
        painter = QPainter(self)
        painter.setRenderHint(QPainter.RenderHint.Antialiasing)
        painter.setBrush(ground)
        painter.setPen(QPen(present.color("focus") if self.hasFocus() else colour, 2 if self.hasFocus() else 1))
        radius = self.height() / 2 - 1
        painter.drawRoundedRect(self.rect().adjusted(1, 1, -1, -1), radius, radius)
        painter.setPen(Qt.PenStyle.NoPen)
        painter.setBrush(colour)
        dot = present.px(DOT)
        painter.drawEllipse(present.px(PAD), (self.height() - dot) // 2, dot, dot)
        painter.setPen(colour)
        left = present.px(PAD + DOT + GAP)
        painter.drawText(self.rect().adjusted(left, 0, 0, 0), int(Qt.AlignmentFlag.AlignVCenter), self.text())
        painter.end()


class SavedChip(MemoryChip):
    """“saved n”: opens the memory, or offers which one.

    Signals:
        memory_open_requested(str): a path relative to the memory's root.
    """

    memory_open_requested = Signal(str)

    def __init__(self, parent: QWidget, paths: Sequence[str], *, background: bool = False) -> None:
        super().__init__(parent, "")
        self.setObjectName("savedChip")
        self.paths = tuple(dict.fromkeys(paths))
        self._background = background
        self.setText(self.tr("saved {n}").format(n=len(self.paths)))
        self.setAccessibleName(shown(self.tr("Saved to memory: {names}").format(names=", ".join(self.paths))))
        said = self.tr("Saved by itself after the turn") if background else self.tr("Saved in this turn")
        self.setToolTip(tip("\n".join([said, *self.paths[:20]])))
        self.clicked.connect(self._open)

    def _open(self) -> None:
        if len(self.paths) == 1:
            self.memory_open_requested.emit(self.paths[0])
            return
        menu = QMenu(self)
        menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
        for path in self.paths:
            menu.addAction(menu_text(path)).setData(path)
        menu.triggered.connect(lambda action: self.memory_open_requested.emit(action.data()))
        menu.popup(self.mapToGlobal(self.rect().bottomLeft()))


class LoadedChip(MemoryChip):
    """“loaded n”: how many entries of the index went into the conversation.

    Signals:
        memory_open_requested(str): the index.
    """

    memory_open_requested = Signal(str)

    def __init__(self, parent: QWidget, report: dict[str, Any]) -> None:
        super().__init__(parent, "")
        self.setObjectName("loadedChip")
        entries, tokens = int(report.get("entries", 0)), int(report.get("tokens", 0))
        self.setText(self.tr("loaded {n}").format(n=entries))
        said = self.tr("{n} memories loaded, {tokens} tokens").format(n=entries, tokens=f"{tokens:,}")
        dropped = [str(name) for name in report.get("dropped", ())]
        if report.get("truncated"):
            said += "\n" + self.tr("The index is over its limit. Left out: {names}").format(names=", ".join(dropped[:20]) or "…")
        self.setToolTip(tip(said))
        self.setAccessibleName(shown(said))
        self.clicked.connect(lambda: self.memory_open_requested.emit("MEMORY.md"))


class ChipRow(QWidget):
    """Chips side by side."""

    def __init__(self, parent: QWidget, *chips: MemoryChip) -> None:
        super().__init__(parent)
        self.setObjectName("chipRow")
        row = QHBoxLayout(self)
        row.setContentsMargins(2, 2, 2, 2)
        row.setSpacing(6)
        self.chips = list(chips)
        for chip in chips:
            chip.setParent(self)
            row.addWidget(chip)
        row.addStretch(1)
