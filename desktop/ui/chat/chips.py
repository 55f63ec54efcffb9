"""The memory chips “loaded n”, “recalled n”, “saved n”, “n to review”, in the memory colour, which means one thing only: something is
remembered. A chip holds what it counts; what a press shows is `memory_details`' matter. Draws only. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

from PySide6.QtCore import QSize, Qt, Signal
from PySide6.QtGui import QColor, QFontMetrics, QKeyEvent, QPainter, QPaintEvent, QPen
from PySide6.QtWidgets import QAbstractButton, QHBoxLayout, QMenu, QSizePolicy, QWidget

from desktop.bridge.spoken import spoken_list
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import PROJECT
from desktop.messages.events import MemoryChangeRef, RecalledRef
from desktop.ui import theme
from desktop.ui.chat.items import SavedEntry, merged
from desktop.ui.chat.surface import menu_text, tip
from desktop.ui.markdown import shown

DOT, GAP, PAD = 7, 6, 9
TIP_NAMES = 20


class MemoryChip(QAbstractButton):
    """A pill with the memory dot."""

    def __init__(self, parent: QWidget, text: str = "") -> None:
        super().__init__(parent)
        self.say(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.signals.theme_changed.connect(self.updateGeometry)

    def say(self, text: str, *, spoken: str = "", note: str = "") -> None:
        """What stands on it, what a screen reader says, and its tool tip; texts of any origin."""
        self.setText(text)
        self.setAccessibleName(shown(spoken or text))
        self.setToolTip(tip(note))
        self.updateGeometry()
        self.update()

    def sizeHint(self) -> QSize:
        present = theme.current()
        width = QFontMetrics(self.font()).horizontalAdvance(self.text())
        return QSize(width + present.px(DOT + GAP + 2 * PAD), present.px(22))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Return presses it too."""
        if event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) and not event.isAutoRepeat():
            self.click()
        else:
            super().keyPressEvent(event)

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
    """“saved n · forgot n”: what was done to memory.

    Attributes:
        entry: paths, deleted paths and the journal's changes.
    """

    def __init__(self, parent: QWidget, entry: SavedEntry) -> None:
        super().__init__(parent)
        self.setObjectName("savedChip")
        self.entry = entry
        self.show_entry(entry)

    def show_entry(self, entry: SavedEntry) -> None:
        """Stand for this: the same, or the same and more."""
        self.entry = entry
        saved, gone = len(self.paths), len(dict.fromkeys(entry.deleted))
        parts = [self.tr("saved {n}").format(n=saved)] if saved else []
        parts += [self.tr("forgot {n}").format(n=gone)] if gone else []
        said = [self.tr("Saved to memory: {names}").format(names=spoken_list(self.paths))] if saved else []
        said += [self.tr("Removed from memory: {names}").format(names=spoken_list(entry.deleted))] if gone else []
        when = self.tr("By itself after the turn") if entry.background else self.tr("In this turn")
        names = [*self.paths, *(f"− {path}" for path in entry.deleted)]
        self.say(" · ".join(parts), spoken="\n".join(said), note="\n".join([when, *names[:TIP_NAMES]]))

    @property
    def paths(self) -> tuple[str, ...]:
        """What was written, relative to its root."""
        return tuple(dict.fromkeys(self.entry.paths))

    @property
    def changes(self) -> tuple[MemoryChangeRef, ...]:
        """The changes to show; without an id where only the path is known."""
        return self.entry.refs


class RecalledChip(MemoryChip):
    """“recalled n”: memories that were added to this turn.

    Attributes:
        items: which, and why.
    """

    def __init__(self, parent: QWidget, items: Sequence[RecalledRef]) -> None:
        super().__init__(parent)
        self.setObjectName("recalledChip")
        self.items: tuple[RecalledRef, ...] = ()
        self.add(items)

    def add(self, items: Sequence[RecalledRef]) -> None:
        """More came in the same turn."""
        self.items = merged(self.items, items)
        names = [shown(one.name or one.path) for one in self.items]
        said = self.tr("Recalled for this turn: {names}").format(names=spoken_list(names))
        self.say(self.tr("recalled {n}").format(n=len(self.items)), spoken=said, note="\n".join(names[:TIP_NAMES]))


class LoadedChip(MemoryChip):
    """“loaded n”: how many entries of the index went into the conversation.

    Attributes:
        report: of the event `MemoryLoaded`.
    """

    def __init__(self, parent: QWidget, report: dict[str, Any]) -> None:
        super().__init__(parent)
        self.setObjectName("loadedChip")
        self.report = report
        entries, tokens = int(report.get("entries", 0)), int(report.get("tokens", 0))
        said = self.tr("{n} memories loaded, {tokens} tokens").format(n=entries, tokens=f"{tokens:,}")
        dropped = [str(name) for name in report.get("dropped", ())]
        if report.get("truncated"):
            said += "\n" + self.tr("The index is over its limit. Left out: {names}").format(names=spoken_list(dropped[:TIP_NAMES]) or "…")
        self.say(self.tr("loaded {n}").format(n=entries), spoken=said, note=said)


class ReviewChip(MemoryChip):
    """“n to review”: proposals that wait for the person.

    Attributes:
        waiting: how many wait in all.
    """

    def __init__(self, parent: QWidget, count: int, waiting: int) -> None:
        super().__init__(parent)
        self.setObjectName("reviewChip")
        self.waiting = waiting
        said = self.tr("%n new proposals for memory wait for your review.", "", count)
        note = said if waiting <= count else "\n".join((said, self.tr("%n wait in all.", "", waiting)))
        self.say(self.tr("{n} to review").format(n=count), spoken=note, note=note)


class ChipRow(QWidget):
    """Chips side by side.

    Signals:
        pressed(MemoryChip): show what this one stands for.
    """

    pressed = Signal(object)

    def __init__(self, parent: QWidget, *chips: MemoryChip) -> None:
        super().__init__(parent)
        self.setObjectName("chipRow")
        self._row = QHBoxLayout(self)
        self._row.setContentsMargins(2, 2, 2, 2)
        self._row.setSpacing(6)
        self._row.addStretch(1)
        self.chips: list[MemoryChip] = []
        for chip in chips:
            self.add(chip)

    def add(self, chip: MemoryChip) -> None:
        """One more at the end."""
        chip.setParent(self)
        chip.clicked.connect(lambda: self.pressed.emit(chip))
        self._row.insertWidget(len(self.chips), chip)
        self.chips.append(chip)
        chip.show()


def offer_places(chip: MemoryChip, open_place: Callable[[str, str], object]) -> None:
    """Open the memory that a chip names (`open_place(path, root id)`), or offer which one; what was deleted is not offered."""
    if isinstance(chip, SavedChip):
        places = [(one.path, one.root, one.path) for one in chip.changes if one.op != "delete"]
    elif isinstance(chip, RecalledChip):
        places = [(one.path, one.root, one.name or one.path) for one in chip.items]
    elif isinstance(chip, LoadedChip):
        places = [(INDEX_NAME, PROJECT, INDEX_NAME)]
    else:
        return
    distinct = list(dict.fromkeys(places))
    if len(distinct) == 1:
        open_place(*distinct[0][:2])
        return
    menu = QMenu(chip)
    menu.setAttribute(Qt.WidgetAttribute.WA_DeleteOnClose)
    for path, root, name in distinct:
        menu.addAction(menu_text(name), partial(open_place, path, root))
    if distinct:
        menu.popup(chip.mapToGlobal(chip.rect().bottomLeft()))
