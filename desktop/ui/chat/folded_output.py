"""Plain text of any length, folded: its beginning, how much is hidden, and buttons that show more of it or copy all. GUI thread.

The rest may stand in a side file of the session; it is read when it is asked for.
"""

from __future__ import annotations

from PySide6.QtCore import Qt
from PySide6.QtGui import QGuiApplication
from PySide6.QtWidgets import QVBoxLayout, QWidget

from desktop.ui.chat.code_view import PlainView
from desktop.ui.chat.images import ImageSource
from desktop.ui.chat.surface import KeyButton, label
from desktop.ui.markdown import shown
from desktop.ui.settings.flow import FlowRow

LINES = 14
SHOWN, MORE = 60_000, 200_000
LINE, MORE_OF_LINE = 4_000, 40_000
PIECE = 2_000
"""A line is laid out in pieces of this length: Qt needs seconds for one of 500,000 characters."""


class FoldedOutput(QWidget):
    """See the module's text.

    Args:
        rest: digest and bytes of the side file that holds the whole text, where `text` is only its beginning.
    """

    def __init__(
        self,
        parent: QWidget,
        name: str,
        text: str,
        *,
        wrap: bool = False,
        rest: tuple[str, int] | None = None,
        source: ImageSource | None = None,
    ) -> None:
        super().__init__(parent)
        self.setObjectName("foldedOutput")
        self._text, self._rest, self._source = text, rest if source is not None else None, source
        self._limit, self._line = SHOWN, LINE
        self._copying = self._was_folded = False
        self.view = PlainView(self, lines=LINES, wrap=wrap)
        self.view.setAccessibleName(name)
        self.more = self._button("", self.show_more)
        self.copy_button = self._button(self.tr("Copy All"), self.copy)
        self.note = label(self, role="secondary", wrap=True)
        self.note.hide()
        self._row = FlowRow(self)
        self._row.add(self.more)
        self._row.add(self.copy_button)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(2)
        column.addWidget(self.view)
        column.addWidget(self.note)
        column.addWidget(self._row)
        self._draw()

    def _button(self, text: str, press: object) -> KeyButton:
        made = KeyButton(text, self, secondary=True)
        made.setProperty("role", "link")
        made.setCursor(Qt.CursorShape.PointingHandCursor)
        made.clicked.connect(press)
        return made

    @property
    def hidden(self) -> int:
        """Characters that are at hand and not drawn."""
        return self._hidden

    def _draw(self) -> None:
        text = self._text[: self._limit]
        self._hidden = len(self._text) - len(text)
        lines: list[str] = []
        for line in text.split("\n"):
            if len(line) > self._line:
                self._hidden += len(line) - self._line
                line = f"{line[: self._line]} … [{len(line) - self._line:,}]"
            lines += [line[at : at + PIECE] for at in range(0, len(line), PIECE)] if len(line) > 2 * PIECE else [line]
        self.view.set_text(shown("\n".join(lines)))
        if self._hidden:
            self.more.setText(self.tr("Show More ({n} characters)").format(n=f"{self._hidden:,}"))
        elif self._rest is not None:
            size = self.locale().formattedDataSize(self._rest[1], 1)
            self.more.setText(self.tr("Show More ({size} in all)").format(size=size))
        is_folded = bool(self._hidden) or self._rest is not None
        self._was_folded = self._was_folded or is_folded
        self.more.setVisible(is_folded)
        self.copy_button.setVisible(self._was_folded)
        self._row.setVisible(self._was_folded)

    def show_more(self) -> None:
        """Another piece of the text, and more of each line; out of the side file where the rest stands there."""
        if not self._hidden and self._rest is not None and self._source is not None:
            self.more.setEnabled(False)
            self._source.load_text(self._rest[0], self._on_text)
            return
        self._limit += MORE
        self._line += MORE_OF_LINE
        self._draw()

    def show_text(self, text: str) -> None:
        """Unfold as much as is needed to see this text, once."""
        at = self._text.casefold().find(text.casefold())
        if at >= 0 and text.casefold() not in self.view.toPlainText().casefold():
            self.show_more()

    def copy(self) -> None:
        """The whole text into the clipboard."""
        if self._rest is not None and self._source is not None:
            self._copying = True
            self._source.load_text(self._rest[0], self._on_text)
        else:
            QGuiApplication.clipboard().setText(self._text)

    def _on_text(self, text: str | None) -> None:
        self.more.setEnabled(True)
        copying, self._copying = self._copying, False
        if text is None:
            self.note.setText(self.tr("The rest of this text is lost: its file is not there any more, or was changed."))
            self.note.show()
            self._rest = None
            self._draw()
            return
        self._text, self._rest = text, None
        if copying:
            QGuiApplication.clipboard().setText(text)
            self._draw()
        else:
            self.show_more()
