"""Loads the fonts of messages ahead, one style at a time, while nothing happens: the first use of each costs 20 to 60 ms. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextDocument

from desktop.ui import theme
from desktop.ui.markdown import style

START_MS, STEP_MS = 300, 30
_SAMPLES = (
    "<p>a 中</p>",
    "<p><b>a 中</b></p>",
    "<p><i>a 中</i></p>",
    "<p><code>a 中</code></p>",
    "<pre>a 中</pre>",
    "<h1>a 中</h1>",
    "<h3>a 中</h3>",
    "<table border='1'><tr><th>a</th><td>中</td></tr></table>",
)


class FontWarmer(QObject):
    """Rests until `begin`: the fonts take 9 MiB, which an open chat that nobody types in does not need."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left = list(_SAMPLES)
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)

    @property
    def busy(self) -> bool:
        """It was begun and is not done."""
        return self._timer.isActive()

    def begin(self, after_ms: int = START_MS) -> None:
        """The first style is loaded after so many milliseconds; no second call while it goes on changes anything."""
        if self._left and not self.busy:
            self._timer.start(after_ms)

    def rest(self) -> None:
        """Somebody types: go on when they pause, so that no key waits for a font."""
        if self.busy:
            self._timer.start(START_MS)

    def _step(self) -> None:
        document = QTextDocument(self)
        document.setDefaultFont(theme.ui_font())
        document.setHtml(f"<style>{style(theme.current())}</style>{self._left.pop(0)}")
        document.setTextWidth(400)
        document.size()
        document.deleteLater()
        if self._left:
            self._timer.start(STEP_MS)
