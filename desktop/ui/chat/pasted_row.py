"""The folded pieces of a message as chips above its text: a press shows one, it can be put into the text as it is, and taken out.

The document is the truth: a chip stands for a piece in it. Draws only. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QPoint, Qt, Signal
from PySide6.QtGui import QFontMetrics, QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.folded_output import LINES, FoldedOutput
from desktop.ui.chat.pasted import Piece
from desktop.ui.chat.popover import Popover
from desktop.ui.chat.reference_row import ChipTitle
from desktop.ui.chat.surface import Surface, icon_button, label
from desktop.ui.sessions.facts import size_text
from desktop.ui.settings.flow import FlowRow

MOST = 12
"""Chips that are shown; a message with more says how many more."""
MOST_EXPANDED = 1_000_000
"""Characters that are put into the field as they are: every key lays out the whole line, 150 ms for one of this length."""
AROUND, FEWEST = 110, 3
"""Pixels of a preview around its lines, and lines that it has at least."""


class PastedChip(Surface):
    """One piece.

    Signals:
        expanded(), removed()
    """

    expanded = Signal()
    removed = Signal()

    def __init__(self, parent: QWidget, caption: str, piece: Piece) -> None:
        super().__init__(parent, ground="code", border="border", radius=10)
        self.setObjectName("pastedChip")
        self.piece = piece
        text = f"{caption} · {size_text(piece.size)}"
        self.setAccessibleName(text)
        self.button = ChipTitle(text, self, secondary=True)
        self.button.setProperty("role", "link")
        self.button.setAccessibleName(self.tr("Show {text}").format(text=text))
        self.button.setToolTip(self.tr("Show the text"))
        self.button.clicked.connect(self.preview)
        as_it_is = self.tr("Put the text into the message as it is")
        self.expand = icon_button(self, "unfold", as_it_is, self.expanded.emit, name="expandPasted")
        if len(piece.text) > MOST_EXPANDED:
            self.expand.setEnabled(False)
            self.expand.setToolTip(self.tr("This text is too long to be edited here"))
        self.cross = icon_button(self, "close", self.tr("Remove from the message"), self.removed.emit, name="removePasted")
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 2, 1)
        row.setSpacing(4)
        row.addWidget(IconLabel(self, "file", "secondary"))
        row.addWidget(self.button)
        row.addWidget(self.expand)
        row.addWidget(self.cross)

    @property
    def stops(self) -> list[QWidget]:
        return [self.button, self.expand, self.cross]

    def preview(self) -> Popover:
        """Show the text in a panel that hangs on the chip."""
        content = QWidget(self)
        content.setAccessibleName(self.accessibleName())
        output = FoldedOutput(content, self.accessibleName(), self.piece.text, wrap=True)
        output.view.setFocusPolicy(Qt.FocusPolicy.StrongFocus)
        output.view.set_lines(self._lines())
        content.setFocusProxy(output.view)
        column = QVBoxLayout(content)
        edge = theme.current().px(10)
        column.setContentsMargins(edge, edge, edge, edge)
        column.addWidget(label(content, self.accessibleName(), role="secondary"))
        column.addWidget(output)
        made = Popover(self.button, content)
        made.popup()
        return made

    def _lines(self) -> int:
        """Of a preview, in a low window fewer: what stands below them must not lie over them."""
        window, top = self.window(), self.button.mapTo(self.window(), QPoint(0, 0)).y()
        room = max(top, window.height() - top - self.button.height()) - theme.current().px(AROUND)
        return max(FEWEST, min(LINES, room // QFontMetrics(theme.code_font()).lineSpacing()))

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes it out."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit()
        else:
            super().keyPressEvent(event)


class PastedRow(FlowRow):
    """The chips of a text.

    Signals:
        expanded(int): put this piece, counted from 0, into the text.
        removed(int): take it out.
    """

    expanded = Signal(int)
    removed = Signal(int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("pastedRow")
        self.setAccessibleName(self.tr("Pasted texts in the message"))
        self.chips: list[PastedChip] = []
        self._more = label(self, role="secondary")
        self._numbers: Sequence[int] = ()
        self.hide()

    def show_pieces(self, pieces: Sequence[tuple[int, str, Piece]]) -> bool:
        """Chips for these pieces: number, caption, piece; whether they are others than before."""
        numbers = [one[0] for one in pieces]
        if numbers == self._numbers:
            return False
        self._numbers = numbers
        for chip in self.chips:
            self.take(chip)
            chip.hide()
            chip.deleteLater()
        self.take(self._more)
        self.chips = [self._chip(at, caption, piece) for at, (_number, caption, piece) in enumerate(pieces[:MOST])]
        self._more.setText(self.tr("and {n} more").format(n=len(pieces) - MOST))
        self._more.setVisible(len(pieces) > MOST)
        self.add(self._more)
        self.setVisible(bool(pieces))
        self.updateGeometry()
        return True

    def _chip(self, at: int, caption: str, piece: Piece) -> PastedChip:
        chip = PastedChip(self, caption, piece)
        chip.expanded.connect(lambda: self.expanded.emit(at))
        chip.removed.connect(lambda: self.removed.emit(at))
        self.add(chip)
        chip.show()
        return chip
