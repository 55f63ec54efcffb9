"""Text views that are as high as their text come to rest at every width: their bars and their height never drive each other on."""

from __future__ import annotations

import pytest
from PySide6.QtWidgets import QApplication, QVBoxLayout, QWidget
from pytestqt.qtbot import QtBot

from desktop.ui import theme
from desktop.ui.chat.code_view import PlainView

TEXT = 'fn main() {\n    let sum: u32 = (1..=10).sum();\n    println!("{sum}");\n}'
MOST = 12
"""Changes of the height at one width, until everything stands."""


class Counted(PlainView):
    """Counts its changes of height, and ends what would go on for ever."""

    changes = 0

    def setFixedHeight(self, height: int) -> None:
        self.changes += 1
        if self.changes <= MOST:
            super().setFixedHeight(height)


@pytest.mark.parametrize("lines", [40, 4, 2])
@pytest.mark.parametrize("wrap", [False, True])
def test_a_text_about_as_wide_as_its_view_comes_to_rest(qtbot: QtBot, dark: theme.Theme, lines: int, wrap: bool) -> None:
    frame = QWidget()
    qtbot.addWidget(frame)
    column = QVBoxLayout(frame)
    column.setContentsMargins(0, 0, 0, 0)
    view = Counted(frame, lines=lines, wrap=wrap)
    view.set_text(TEXT)
    column.addWidget(view)
    column.addStretch(1)
    frame.show()
    text = int(view.document().size().width())
    for width in range(text - 8, text + 18):
        frame.resize(width, 300)
        view.changes = 0
        for _ in range(10):
            QApplication.processEvents()
        assert view.changes < MOST, f"at {width} beside a text of {text}"
        if not wrap:
            bars = 1 if lines < 4 else 0
            assert view.verticalScrollBar().isVisible() == bool(bars)
            room = width - bars * view.verticalScrollBar().sizeHint().width()
            assert view.horizontalScrollBar().isVisible() == (int(view.document().size().width()) > room), f"at {width}"
            assert view.viewport().height() >= min(lines, 4) * view.fontMetrics().height()
