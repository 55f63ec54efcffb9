"""The rendered side of a memory editor: safe HTML of the body, made in a worker, in parts that keep the window quick.

GUI thread; no I/O.
"""

from __future__ import annotations

import re
from urllib.parse import quote, unquote

from PySide6.QtCore import Signal
from PySide6.QtGui import QTextCursor, QTextDocument
from PySide6.QtWidgets import QHBoxLayout, QLabel, QToolButton, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.ui import icons, theme
from desktop.ui.editor.preview_place import PlacedBrowser
from desktop.ui.markdown import MAX_CHARACTERS, render

PREVIEW_LIMIT = 5 * 1024 * 1024
"""Bytes of a file that are previewed (memory design, 6.7)."""
MARGIN = 20
_WIKI = re.compile(r"\[\[([^\[\]\n]{1,200})\]\]")
_CODE = re.compile(r"(^\s{0,3}(?:```|~~~)[\s\S]*?(?:^\s{0,3}(?:```|~~~)\s*$|\Z)|`[^`\n]+`)", re.MULTILINE)
_PLACE = re.compile(r"(\d{1,6}):([\d.]{0,12})")


def with_links(text: str) -> str:
    """`text` with every `[[name]]` outside code as an ordinary relative link."""
    if "[[" not in text:
        return text
    pieces = _CODE.split(text)
    for at in range(0, len(pieces), 2):
        pieces[at] = _WIKI.sub(lambda found: f"[{found[1]}]({quote(found[1].strip(), safe='')}.md)", pieces[at])
    return "".join(pieces)


def parts(text: str, limit: int = MAX_CHARACTERS) -> list[str]:
    """`text` in pieces of at most `limit` characters, cut at line ends where there are some."""
    result = []
    while len(text) > limit:
        at = text.rfind("\n", limit // 2, limit) + 1 or limit
        result.append(text[:at])
        text = text[at:]
    return [*result, text]


class MemoryPreview(QWidget):
    """Renders Markdown.

    Signals:
        link_requested(target): a link to another memory was clicked; the target as it stands in the text, without `.md`.
    """

    link_requested = Signal(str)

    def __init__(self, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryPreview")
        self._operations = operations
        self._parts: list[str] = [""]
        self._at = 0
        self._working = 0
        self._sought: tuple[str, int] = ("", 0)
        self._build()
        theme.signals.theme_changed.connect(self._on_theme)
        self._measure()

    def _build(self) -> None:
        self.browser = PlacedBrowser(self)
        self.browser.setObjectName("memoryPreviewText")
        self.browser.setAccessibleName(self.tr("Preview"))
        self.browser.relative_link_requested.connect(self._on_link)
        self.back = self._button("chevron-left", self.tr("Previous part"), -1)
        self.forward = self._button("chevron-right", self.tr("Next part"), 1)
        self.where = QLabel(self)
        self.where.setProperty("role", "secondary")
        self._bar = QWidget(self)
        row = QHBoxLayout(self._bar)
        row.setContentsMargins(12, 2, 12, 2)
        for widget in (self.back, self.where, self.forward):
            row.addWidget(widget)
        row.addStretch(1)
        self._bar.hide()
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.browser, 1)
        column.addWidget(self._bar)

    def _button(self, icon_name: str, text: str, step: int) -> QToolButton:
        button = QToolButton(self)
        icons.bind(button, icon_name)
        button.setToolTip(text)
        button.setAccessibleName(text)
        button.clicked.connect(lambda _checked=False: self.show_part(self._at + step))
        return button

    # -- content ---------------------------------------------------------------------------------------------------------------------

    def show_now(self, text: str) -> None:
        """Show `text` as soon as it is rendered; the part that is in view stays in view."""
        if len(text) > PREVIEW_LIMIT // 4 and len(text.encode("utf-8", errors="replace")) > PREVIEW_LIMIT:
            self._show_too_large()
            return
        self._parts = parts(text)
        self.show_part(min(self._at, len(self._parts) - 1))

    def show_part(self, at: int) -> None:
        """Render one part; the first is 0."""
        if not 0 <= at < len(self._parts):
            return
        moved = at != self._at
        self._at = at
        self._bar.setVisible(len(self._parts) > 1)
        self.where.setText(self.tr("Part {n} of {all}").format(n=at + 1, all=len(self._parts)))
        self.back.setEnabled(at > 0)
        self.forward.setEnabled(at < len(self._parts) - 1)
        if self._working:
            self._operations.forget(self._working)
        text, now = self._parts[at], theme.current()
        done = self._show_from_top if moved else self._show_in_place
        self._working = self._operations.read(lambda: render(with_links(text), now), done, self._on_failed)

    def reveal(self, text: str, before: int = 0) -> None:
        """Select `text` as soon as its part is rendered.

        Args:
            text: words of the source.
            before: how often they stand in the source before the place that is meant.
        """
        for at, part in enumerate(self._parts):
            here = part.count(text)
            if here > before:
                self._sought = (text, before)
                self.show_part(at)
                return
            before -= here

    def _select_sought(self) -> None:
        """What does not stand in the rendered text (part of an address, say) is not selected."""
        (text, before), self._sought = self._sought, ("", 0)
        at = QTextCursor(self.browser.document())
        for _ in range(before + 1 if text else 0):
            found = self.browser.document().find(text, at, QTextDocument.FindFlag.FindCaseSensitively)
            if found.isNull():
                break
            at = found
        if at.hasSelection():
            self.browser.setTextCursor(at)
            self.browser.ensureCursorVisible()

    def _show_in_place(self, html: str) -> None:
        self.browser.show_html(html, in_place=True)
        self._rendered()

    def _show_from_top(self, html: str) -> None:
        self.browser.show_html(html, in_place=False)
        self._rendered()

    def place(self) -> str:
        """`part:heading.share`, see `PlacedBrowser.place`; empty at the very beginning."""
        place = self.browser.place()
        return f"{self._at}:{place}" if place or self._at else ""

    def set_place(self, place: str) -> None:
        """Go to what `place` gave as soon as a text is rendered; of anything else nowhere."""
        found = _PLACE.fullmatch(place)
        if found is not None:
            self._at = int(found[1])
            self.browser.set_place(found[2])

    def _rendered(self) -> None:
        self._working = 0
        self._select_sought()

    def _show_too_large(self) -> None:
        self._bar.hide()
        self.browser.setPlainText(self.tr("This file is larger than 5 MiB, too large for a preview. Its source can still be read."))

    def _on_failed(self, failure: Failure) -> None:
        self._working = 0
        self.browser.setPlainText(self.tr("The preview cannot be shown: {reason}").format(reason=failure.message))

    def _on_link(self, target: str) -> None:
        self.link_requested.emit(unquote(target).removesuffix(".md"))

    def _on_theme(self) -> None:
        self.browser.hold()
        self._measure()
        self.show_part(self._at)

    def _measure(self) -> None:
        self.browser.setFont(theme.ui_font(size=14))
        self.browser.document().setDocumentMargin(theme.current().px(MARGIN))

    def dispose(self) -> None:
        """Before the widget goes: no result is wanted any more."""
        self._operations.forget(self._working)
