"""The memory chips “loaded n”, “recalled n”, “saved n”, “n to review”, in the memory colour, which means one thing only: something is
remembered; what was undone or decided stands in the secondary one. A chip holds what it counts and is told how that stands
(`pane_chips`); what a press shows is `memory_details`' matter. Draws only. GUI thread.
"""

from __future__ import annotations

from collections import Counter
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
from desktop.ui.controllers.chat_standing import Standing
from desktop.ui.markdown import shown

DOT, GAP, PAD = 7, 6, 9
TIP_NAMES = 20


class MemoryChip(QAbstractButton):
    """A pill with the memory dot.

    Attributes:
        past: nothing of what it counts holds, or waits, any more.
    """

    def __init__(self, parent: QWidget, text: str = "") -> None:
        super().__init__(parent)
        self.past = False
        self.say(text)
        self.setCursor(Qt.CursorShape.PointingHandCursor)
        self.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        self.setSizePolicy(QSizePolicy.Policy.Fixed, QSizePolicy.Policy.Fixed)
        theme.signals.theme_changed.connect(self.updateGeometry)

    def say(self, text: str, *, spoken: str = "", note: str = "", past: bool = False) -> None:
        """What stands on it, what a screen reader says, and its tool tip; texts of any origin."""
        self.past = past
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
        colour = present.color("secondary" if self.past else "memory")
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
    """“saved n · forgot n”: what was done to memory, and how much of it was undone since.

    Attributes:
        entry: paths, deleted paths and the journal's changes.
        undone: root id and change id of those changes that are taken back at present.
    """

    def __init__(self, parent: QWidget, entry: SavedEntry) -> None:
        super().__init__(parent)
        self.setObjectName("savedChip")
        self.entry = entry
        self.undone: frozenset[tuple[str, str]] = frozenset()
        self.show_entry(entry)

    def show_entry(self, entry: SavedEntry) -> None:
        """Stand for this: the same, or the same and more."""
        self.entry = entry
        self._tell()

    def stand(self, standing: Standing) -> None:
        """Say what of it is undone."""
        undone = standing.undone & self.counted
        if undone != self.undone:
            self.undone = undone
            self._tell()

    def _tell(self) -> None:
        entry = self.entry
        saved, gone = len(self.paths), len(dict.fromkeys(entry.deleted))
        parts = [self.tr("saved {n}").format(n=saved)] if saved else []
        parts += [self.tr("forgot {n}").format(n=gone)] if gone else []
        said = [self.tr("Saved to memory: {names}").format(names=spoken_list(self.paths))] if saved else []
        said += [self.tr("Removed from memory: {names}").format(names=spoken_list(entry.deleted))] if gone else []
        when = self.tr("By itself after the turn") if entry.background else self.tr("In this turn")
        names = [*self.paths, *(f"− {path}" for path in entry.deleted)]
        past, taken = self._taken_back()
        if taken:
            parts.append(self.tr("undone") if past else self.tr("{n} undone").format(n=len(taken)))
            said.append(self.tr("Undone since: {names}").format(names=spoken_list(taken)))
            when = "\n".join((when, said[-1]))
        self.say(" · ".join(parts), spoken="\n".join(said), note="\n".join([when, *names[:TIP_NAMES]]), past=past)

    def _taken_back(self) -> tuple[bool, list[str]]:
        """Whether all is undone, and the paths of which every change is."""
        holding = {one.path for one in self.entry.changes if (one.root, one.change) not in self.undone}
        known = {one.path for one in self.entry.changes}
        counted = dict.fromkeys((*self.paths, *self.entry.deleted))
        taken = [path for path in counted if path in known and path not in holding]
        return bool(taken) and len(taken) == len(counted), taken

    @property
    def counted(self) -> frozenset[tuple[str, str]]:
        """Root id and change id of the changes that the journal knows."""
        return frozenset((one.root, one.change) for one in self.entry.changes if one.change)

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
    """“n to review”: proposals that wait for the person; once none of them does, what became of them. “n proposed” where that is not known.

    Attributes:
        ids: of the proposals.
        waiting: how many wait in all.
    """

    def __init__(self, parent: QWidget, count: int, waiting: int, ids: Sequence[str] = (), *, known: bool = True) -> None:
        """`known`: that they wait; else they are of a stored conversation, until `stand` is told how they are by now."""
        super().__init__(parent)
        self.setObjectName("reviewChip")
        self._known = known
        self.ids: tuple[str, ...] = ()
        self.waiting = 0
        self._became: Counter[str] = Counter()
        self.add(count, waiting, ids)

    def add(self, count: int, waiting: int, ids: Sequence[str]) -> None:
        """More came of the same work."""
        more = tuple(one for one in dict.fromkeys(ids) if one not in self.ids)
        self.ids += more
        self._became["waiting"] += len(more) if ids else count
        self.waiting = waiting
        self._tell()

    def stand(self, standing: Standing) -> None:
        """Count what still waits, or say what became of them."""
        became = Counter(standing.proposals.get(one, "gone") for one in self.ids)
        if self.ids and (not self._known or (became, standing.waiting) != (self._became, self.waiting)):
            self._known = True
            self._became, self.waiting = Counter(became), standing.waiting
            self._tell()

    def _tell(self) -> None:
        if not self._known:
            text = self.tr("%n changes of memory were proposed here.", "", len(self.ids))
            self.say(self.tr("{n} proposed").format(n=len(self.ids)), spoken=text, note=text)
            return
        left, done = self._became["waiting"], self._decided_text(self._became)
        if not left:
            text = self.tr("New proposals for memory: {decided}").format(decided=done)
            self.say(done, spoken=text, note=text, past=True)
            return
        lines = [self.tr("%n new proposals for memory wait for your review.", "", left)]
        lines += [done] if done else []
        lines += [self.tr("%n wait in all.", "", self.waiting)] if self.waiting > left else []
        self.say(self.tr("{n} to review").format(n=left), spoken="\n".join(lines), note="\n".join(lines))

    def _decided_text(self, states: Counter[str]) -> str:
        words = (
            ("accepted", self.tr("{n} accepted")),
            ("rejected", self.tr("{n} rejected")),
            ("replaced", self.tr("{n} replaced")),
            ("gone", self.tr("{n} no longer kept")),
        )
        return spoken_list(word.format(n=states[state]) for state, word in words if states[state])


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
