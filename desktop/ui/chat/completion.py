"""The list above the composer that completes `#` to a session and a leading `/` to a command. Takes no focus; the composer passes its
keys on. GUI thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QModelIndex, QPersistentModelIndex, QRect, QSize, QStringListModel, Qt, Signal
from PySide6.QtGui import QFont, QFontMetrics, QPainter
from PySide6.QtWidgets import QListView, QStyle, QStyledItemDelegate, QStyleOptionViewItem, QVBoxLayout, QWidget

from desktop.agent.slash import COMMANDS, SlashCommand, parse
from desktop.bridge.spoken import spoken
from desktop.ui import theme
from desktop.ui.chat.surface import Surface
from desktop.ui.markdown import shown
from desktop.ui.marked_text import LineDrawer, safe

ROWS = 7
GAP = 12
"""Pixels between what is inserted and what is said about it."""

_TRIGGER = re.compile(r"(?<![A-Za-z0-9_#＃&/.\-])[#＃]([^\s#＃]{0,60})$")
"""A `#`, also the full-width one of an input method, that is no part of a word: behind Chinese no blank is needed."""
_COMMAND = re.compile(r"^\s*[/／]([A-Za-z-]{0,20}|[\u4e00-\u9fff]{0,4})$")


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal: what is inserted, how it reads, and what is said about it; `marks` are (start, end) of what was found in that."""

    insert: str
    label: str
    detail: str = ""
    marks: tuple[tuple[int, int], ...] = ()


Source = Callable[[str], Sequence[Completion]]


def open_word(before: str) -> str | None:
    """What was typed behind a `#` that begins a word, or None. `before` is the line's text before the cursor."""
    found = _TRIGGER.search(before)
    if found is None or (found[1].startswith("sess_") and len(found[1]) == 31):
        return None
    return found[1]


def open_command(before: str) -> str | None:
    """What was typed behind a `/` with which the whole text begins, or None. `before` is all text before the cursor."""
    found = _COMMAND.match(before)
    return found[1].lower() if found is not None else None


def command_proposals(word: str) -> list[Completion]:
    """The commands that a word may become: those that begin so first, then those that hold it."""
    first = [one for one in COMMANDS if one.name.startswith(word) or (one.alias and one.alias.startswith(word))]
    others = [one for one in COMMANDS if one not in first and len(word) > 1 and word in one.name]
    return [Completion(one.typed, f"{one.typed} {spoken(one.arguments)}".rstrip(), spoken(one.summary)) for one in (*first, *others)]


def awaited(text: str) -> SlashCommand | None:
    """The command that `text` is, while what has to stand behind it is still missing."""
    found = parse(text)
    return found[0] if found is not None and found[0].arguments and not found[1] else None


class _Rows(QStyledItemDelegate):
    """Draws what is inserted, and what is said about it: behind it for a command, below it for a session, which has more to say."""

    def __init__(self, owner: CompletionList) -> None:
        super().__init__(owner)
        self._owner = owner

    def sizeHint(self, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> QSize:
        size = super().sizeHint(option, index)
        lines = 1 if self._owner.commands else 2
        return QSize(size.width(), max(theme.current().px(22 if lines == 1 else 40), lines * option.fontMetrics.lineSpacing() + 4))

    def paint(self, painter: QPainter, option: QStyleOptionViewItem, index: QModelIndex | QPersistentModelIndex) -> None:
        found = self._owner.found
        if not 0 <= index.row() < len(found) or not (found[index.row()].detail or not self._owner.commands):
            super().paint(painter, option, index)
            return
        item = found[index.row()]
        row = QStyleOptionViewItem(option)
        self.initStyleOption(row, index)
        row.text = ""
        self._owner.style().drawControl(QStyle.ControlElement.CE_ItemViewItem, row, painter, self._owner.list)
        place = row.rect.adjusted(6, 0, -6, 0)
        if self._owner.commands:
            self._write(painter, place, QFontMetrics(row.font), item)
        else:
            self._write_two(painter, place, row.font, item)

    @staticmethod
    def _write_two(painter: QPainter, place: QRect, font: QFont, item: Completion) -> None:
        present = theme.current()
        text, quiet = present.color("text"), present.color("secondary")
        half = place.height() // 2
        above, below = QRect(place.left(), place.top() + 1, place.width(), half), place.adjusted(0, half, 0, -2)
        small = theme.ui_font(present, 11)
        LineDrawer(font, text, text).draw(painter, above, safe(item.label))
        line = safe(item.detail, item.marks)
        LineDrawer(small, quiet, text).draw(painter, below, line)

    def _write(self, painter: QPainter, place: QRect, metrics: QFontMetrics, item: Completion) -> None:
        present, middle = theme.current(), int(Qt.AlignmentFlag.AlignVCenter | Qt.AlignmentFlag.AlignLeft)
        label = metrics.elidedText(shown(item.label), Qt.TextElideMode.ElideRight, place.width())
        painter.save()
        painter.setPen(present.color("text"))
        painter.drawText(place, middle, label)
        rest = place.adjusted(metrics.horizontalAdvance(label) + present.px(GAP), 0, 0, 0)
        if rest.width() > present.px(40):
            painter.setPen(present.color("secondary"))
            painter.drawText(rest, middle, metrics.elidedText(shown(item.detail), Qt.TextElideMode.ElideRight, rest.width()))
        painter.restore()


class CompletionList(Surface):
    """Proposals for the word under the cursor.

    Attributes:
        found: what is proposed.
        commands: it is commands, else sessions.

    Signals:
        chosen(Completion)
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ground="editor", border="input_border")
        self.setObjectName("completionList")
        self.found: Sequence[Completion] = ()
        self.commands = False
        self._model = QStringListModel(self)
        self.list = QListView(self)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setModel(self._model)
        self.list.setItemDelegate(_Rows(self))
        self.list.setAccessibleName(self.tr("Sessions"))
        self.list.clicked.connect(lambda index: self._choose(index.row()))
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.list)
        self.hide()

    def show_for(
        self, found: Sequence[Completion], bottom_left_x: int, bottom: int, width: int, *, commands: bool = False, keep: bool = False
    ) -> None:
        """Show proposals with the lower edge at `bottom`; none hides the list.

        Args:
            commands: they are commands, else sessions.
            keep: more came for the same word: Return takes what it would have taken.
        """
        if found and self.isVisible() and list(found) == list(self.found):
            return  # the chosen row stays while the cursor moves within the word
        current = self.current
        self.found, self.commands = found, commands
        if not found:
            self.hide()
            return
        self.list.setAccessibleName(self.tr("Commands") if commands else self.tr("Sessions"))
        self._model.setStringList([shown(f"{item.label} – {item.detail}" if item.detail else item.label) for item in found])
        inserts = [item.insert for item in found]
        kept = inserts.index(current.insert) if keep and current is not None and current.insert in inserts else 0
        self.list.setCurrentIndex(self._model.index(kept))
        row = max(theme.current().px(22), self.list.sizeHintForRow(0))
        rows = min(len(COMMANDS) if commands else ROWS, len(found))
        height = min(row * rows + 12, max(row + 12, bottom - 4))
        self.setFixedSize(width, height)
        self.move(bottom_left_x, bottom - self.height())
        self.show()
        self.raise_()

    @property
    def current(self) -> Completion | None:
        """The proposal that Return takes."""
        row = self.list.currentIndex().row()
        return self.found[row] if self.isVisible() and 0 <= row < len(self.found) else None

    def key(self, key: int) -> None:
        """A key that the composer passed on."""
        row, count = self.list.currentIndex().row(), len(self.found)
        if key == Qt.Key.Key_Escape:
            self.hide()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and count:
            self.list.setCurrentIndex(self._model.index((row + (1 if key == Qt.Key.Key_Down else -1)) % count))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._choose(row)

    def _choose(self, row: int) -> None:
        self.hide()
        if 0 <= row < len(self.found):
            self.chosen.emit(self.found[row])
