"""Loads the fonts of messages ahead, one style at a time, while nothing happens: the first use of each costs 20 to 60 ms. GUI thread.

A face with Chinese, Japanese and Korean takes 3 MiB (measured with Noto Sans CJK), one each for regular, bold and code: they are
loaded only for who reads or writes such text. What is shown loads what it needs by itself, so this never decides how a text looks.
"""

from __future__ import annotations

import re
from collections.abc import Iterable

from PySide6.QtCore import QObject, QTimer
from PySide6.QtGui import QTextDocument

from desktop.ui import theme
from desktop.ui.markdown import style

START_MS, STEP_MS = 300, 30
LOOKED_AT = 2_000
"""Characters of each text that are looked at for its script: all of a pasted log would take a moment at each key."""
_STYLES = (
    "<p>{}</p>",
    "<p><b>{}</b></p>",
    "<p><i>{}</i></p>",
    "<p><code>{}</code></p>",
    "<pre>{}</pre>",
    "<h1>{}</h1>",
    "<h3>{}</h3>",
    "<table border='1'><tr><th>{}</th><td>{}</td></tr></table>",
)
_WIDE = re.compile("[\u1100-\u11ff\u2e80-\ud7ff\uf900-\ufaff\uff00-\uffef\U00020000-\U0003ffff]")


def is_wide(text: str) -> bool:
    """Whether the beginning of a text holds characters of Chinese, Japanese or Korean."""
    head = text[:LOOKED_AT]
    return not head.isascii() and _WIDE.search(head) is not None


class FontWarmer(QObject):
    """Rests until `begin`: an open chat that nobody types in needs none of it."""

    def __init__(self, parent: QObject) -> None:
        super().__init__(parent)
        self._left = [one.replace("{}", "a") for one in _STYLES]
        self._wide = [one.replace("{}", "中") for one in _STYLES]
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._step)

    @property
    def busy(self) -> bool:
        """It was begun and is not done."""
        return self._timer.isActive()

    def begin(self, after_ms: int = START_MS, *, texts: Iterable[str] = ()) -> None:
        """The first style is loaded after so many milliseconds; no second call while it goes on changes anything.

        `texts`: what is written or shown; where one of them asks for it, the wide faces are loaded too.
        """
        if self._wide and any(is_wide(text) for text in texts):
            self._left += self._wide
            self._wide = []
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
