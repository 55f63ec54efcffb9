"""The list above the composer that completes `#` to a session. Takes no focus; the composer passes its keys on. GUI thread."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from PySide6.QtCore import QStringListModel, Qt, Signal
from PySide6.QtWidgets import QListView, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import Surface
from desktop.ui.markdown import shown

ROWS = 7
_TRIGGER = re.compile(r"(?:^|(?<=\s))#([^\s#]{0,60})$")


@dataclass(frozen=True, slots=True)
class Completion:
    """One proposal: what is inserted, and how it reads."""

    insert: str
    label: str


Source = Callable[[str], Sequence[Completion]]


def open_word(before: str) -> str | None:
    """What was typed behind a `#` that begins a word, or None. `before` is the line's text before the cursor."""
    found = _TRIGGER.search(before)
    if found is None or (found[1].startswith("sess_") and len(found[1]) == 31):
        return None
    return found[1]


class CompletionList(Surface):
    """Proposals for the word under the cursor.

    Signals:
        chosen(Completion)
    """

    chosen = Signal(object)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ground="editor", border="input_border")
        self.setObjectName("completionList")
        self._found: Sequence[Completion] = ()
        self._model = QStringListModel(self)
        self.list = QListView(self)
        self.list.setUniformItemSizes(True)
        self.list.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.list.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.setModel(self._model)
        self.list.setAccessibleName(self.tr("Sessions"))
        self.list.clicked.connect(lambda index: self._choose(index.row()))
        column = QVBoxLayout(self)
        column.setContentsMargins(4, 4, 4, 4)
        column.addWidget(self.list)
        self.hide()

    def show_for(self, found: Sequence[Completion], bottom_left_x: int, bottom: int, width: int) -> None:
        """Show proposals with the lower edge at `bottom`; none hides the list."""
        self._found = found
        if not found:
            self.hide()
            return
        self._model.setStringList([shown(item.label) for item in found])
        self.list.setCurrentIndex(self._model.index(0))
        row = max(theme.current().px(22), self.list.sizeHintForRow(0))
        self.setFixedSize(width, row * min(ROWS, len(found)) + 12)
        self.move(bottom_left_x, bottom - self.height())
        self.show()
        self.raise_()

    def key(self, key: int) -> None:
        """A key that the composer passed on."""
        row, count = self.list.currentIndex().row(), len(self._found)
        if key == Qt.Key.Key_Escape:
            self.hide()
        elif key in (Qt.Key.Key_Down, Qt.Key.Key_Up) and count:
            self.list.setCurrentIndex(self._model.index((row + (1 if key == Qt.Key.Key_Down else -1)) % count))
        elif key in (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_Tab):
            self._choose(row)

    def _choose(self, row: int) -> None:
        self.hide()
        if 0 <= row < len(self._found):
            self.chosen.emit(self._found[row])
