"""The text of one message: a column of segment views (Markdown, code, folded lines). Only the last one is drawn anew while text comes in.

Long messages are built a few segments at a time, the rest behind a button. GUI thread only.
"""

from __future__ import annotations

from collections.abc import Callable
from math import ceil

from PySide6.QtCore import QMimeData, QSize, Qt, Signal
from PySide6.QtGui import QContextMenuEvent, QGuiApplication, QResizeEvent, QTextOption, QWheelEvent
from PySide6.QtWidgets import QFrame, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.code_view import CodeView, PlainView
from desktop.ui.chat.message_actions import text_menu
from desktop.ui.chat.reference_text import SESSION_LINK, LinkedText
from desktop.ui.chat.segments import Segment, Splitter, split
from desktop.ui.chat.surface import KeyButton, Surface
from desktop.ui.markdown import SafeBrowser, body, shown, style

FIRST_SEGMENTS = 12
MORE_SEGMENTS = 12
KEPT_OF_LINE = 600
MORE_OF_LINE = 20_000
MOST_UNFOLDED = 400_000
"""Characters of a line that are unfolded at once for what was searched for."""
PARAGRAPH = 2_000
"""A folded line is laid out in pieces of this length: Qt needs seconds for a paragraph of 500,000 characters."""


class TextView(SafeBrowser):
    """Rich text as high as its content and without a ground of its own."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setFrameShape(QFrame.Shape.NoFrame)
        self.setVerticalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAsNeeded)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Fixed)
        self.setWordWrapMode(QTextOption.WrapMode.WrapAtWordBoundaryOrAnywhere)
        self.setFocusPolicy(Qt.FocusPolicy.ClickFocus)
        self.document().setDocumentMargin(0)
        self._markdown: str | None = None
        self._linked: LinkedText | None = None
        self._width = -1
        theme.signals.theme_changed.connect(self._themed)

    def set_markdown(self, text: str) -> None:
        """Draw `text`; nothing happens when it is what is shown already."""
        if text != self._markdown:
            self._markdown = text
            self._draw()

    def set_plain(self, text: str, title_of: Callable[[str], str] | None = None) -> None:
        """Draw `text` as it was written; with `title_of` its references to sessions are links that bear their titles."""
        self._markdown = None
        self._linked = LinkedText(text, title_of) if title_of is not None and SESSION_LINK.search(text) else None
        if self._linked is not None:
            self._draw_linked(self._linked)
        else:
            self.setPlainText(shown(text))
            self.fit()

    def _draw_linked(self, linked: LinkedText) -> None:
        self.setHtml(f"<html><head><style>{style(theme.current())}</style></head><body>{linked.html()}</body></html>")
        self.fit()

    def createMimeDataFromSelection(self) -> QMimeData:
        """What is copied refers to the sessions as what was written does."""
        if self._linked is None:
            return super().createMimeDataFromSelection()
        data = QMimeData()
        selected = self.textCursor().selectedText().replace("\u2029", "\n").replace("\u2028", "\n")
        data.setText(self._linked.restored(selected))
        return data

    def source(self) -> str:  # type: ignore[override]
        """The Markdown that is shown."""
        return self._markdown if self._markdown is not None else self.toPlainText()

    def _draw(self) -> None:
        present = theme.current()
        self.setHtml(f"<html><head><style>{style(present)}</style></head><body>{body(self._markdown or '', present)}</body></html>")
        self.fit()

    def _themed(self) -> None:
        if self._markdown is not None:
            self._draw()
        elif self._linked is not None:
            self._draw_linked(self._linked)
        else:
            self.fit()

    def fit(self) -> None:
        """Take the height of the text at the present width."""
        document = self.document()
        self._width = self.width()
        width = self.viewport().width()
        document.setTextWidth(width)
        size = document.size()
        height = ceil(size.height())
        if ceil(size.width()) > width + 1:
            height += self.horizontalScrollBar().sizeHint().height()
        if self.height() != height or self.minimumHeight() != height:
            self.setFixedHeight(height)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        if self.width() != self._width:
            self._width = self.width()
            self.fit()

    def sizeHint(self) -> QSize:
        return QSize(200, self.minimumHeight())

    def contextMenuEvent(self, event: QContextMenuEvent) -> None:
        text_menu(self, event)

    def wheelEvent(self, event: QWheelEvent) -> None:
        """The chat scrolls; this one only sideways."""
        if event.angleDelta().x() or event.modifiers() & Qt.KeyboardModifier.ShiftModifier:
            super().wheelEvent(event)
        else:
            event.ignore()


class LongView(Surface):
    """One overlong line: its beginning, and a button that shows more of it."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent, ground="code", border="border")
        self.setObjectName("foldedLine")
        self._text = ""
        self._limit = KEPT_OF_LINE
        self.edit = PlainView(self, lines=20, wrap=True)
        self.edit.setAccessibleName(self.tr("Folded line"))
        self.more = KeyButton("", self, secondary=True)
        self.more.setProperty("role", "link")
        self.more.clicked.connect(self._show_more)
        self.copy_button = KeyButton(self.tr("Copy All"), self, secondary=True)
        self.copy_button.setProperty("role", "link")
        self.copy_button.clicked.connect(self._copy)
        column = QVBoxLayout(self)
        column.setContentsMargins(10, 6, 10, 6)
        column.setSpacing(2)
        column.addWidget(self.edit)
        column.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        column.addWidget(self.copy_button, 0, Qt.AlignmentFlag.AlignLeft)

    def set_text(self, text: str) -> None:
        grew = len(text) != len(self._text)
        new_head = text[: self._limit] != self._text[: self._limit]
        self._text = text
        if new_head:
            self._draw()
        elif grew:
            self._count()

    def _draw(self) -> None:
        head = shown(self._text[: self._limit])
        self.edit.set_text("\n".join(head[at : at + PARAGRAPH] for at in range(0, len(head), PARAGRAPH)))
        self._count()

    def _count(self) -> None:
        hidden = len(self._text) - self._limit
        self.more.setVisible(hidden > 0)
        self.more.setText(self.tr("Show More ({n} characters)").format(n=f"{hidden:,}"))

    def show_text(self, text: str) -> None:
        """Unfold the line as far as the first place with this text, where that is not very far."""
        at = self._text.casefold().find(text.casefold())
        if self._limit <= at + len(text) <= MOST_UNFOLDED:
            self._limit = at + len(text) + KEPT_OF_LINE
            self._draw()

    def _show_more(self) -> None:
        self._limit += MORE_OF_LINE
        self._draw()

    def _copy(self) -> None:
        QGuiApplication.clipboard().setText(self._text)


def holds(text: str, words: str) -> bool:
    """Whether words stand in a text, whatever their case."""
    return words.casefold() in text.casefold()


SegmentView = TextView | CodeView | LongView


class MessageBody(QWidget):
    """The text of a message, whole (`set_text`) or as it comes (`feed`, then `finish`).

    Signals:
        session_requested(str, int): a reference was pressed: this session, at this message (0: none).
    """

    session_requested = Signal(str, int)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)
        self._splitter: Splitter | None = None
        self._segments: list[Segment] = []
        self.views: list[SegmentView] = []
        self._pieces: list[str] = []
        self._more = KeyButton("", self, secondary=True)
        self._more.setProperty("role", "link")
        self._more.clicked.connect(self._show_more)
        self._more.hide()
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(6)
        self._column.addWidget(self._more, 0, Qt.AlignmentFlag.AlignLeft)

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def set_text(self, text: str) -> None:
        """Show a complete message, at first `FIRST_SEGMENTS` segments of it."""
        self._pieces = [text]
        self._splitter = None
        while self.views:
            self._drop(len(self.views) - 1)
        self._segments = split(text)
        self._build(FIRST_SEGMENTS)

    def feed(self, text: str) -> None:
        """Add text at the end."""
        if self._splitter is None:
            self._splitter = Splitter()
        self._pieces.append(text)
        first = self._splitter.feed(text)
        self._update(first)

    def finish(self) -> None:
        """Nothing more comes."""
        if self._splitter is not None:
            self._splitter.finish()
            self._update(max(0, len(self.views) - 1))

    def _update(self, first: int) -> None:
        assert self._splitter is not None
        segments = self._splitter.segments
        while len(self.views) > len(segments):
            self._drop(len(self.views) - 1)
        for at in range(first, len(segments)):
            if at < len(self.views) and not _shows(self.views[at], segments[at]):
                for behind in range(len(self.views) - 1, at - 1, -1):
                    self._drop(behind)
            if at >= len(self.views):
                self._add(segments[at])
            _fill(self.views[at], segments[at])

    def _drop(self, at: int) -> None:
        view = self.views.pop(at)
        self._column.removeWidget(view)
        view.hide()
        view.deleteLater()

    def _add(self, segment: Segment) -> None:
        view = _make(segment, self)
        if isinstance(view, TextView):
            view.relative_link_requested.connect(self._on_link)
        view.resize(self.width(), view.height())  # its final width, so that it is laid out once
        self._column.insertWidget(len(self.views), view)
        self.views.append(view)

    def _on_link(self, target: str) -> None:
        found = SESSION_LINK.fullmatch(target)
        if found is not None:
            self.session_requested.emit(found[1], int(found[2] or 0))

    def show_text(self, text: str) -> None:
        """Build what is left of the message as far as the first place with this text."""
        while len(self.views) < len(self._segments) and not any(holds(one.text, text) for one in self._segments[: len(self.views)]):
            self._build(MORE_SEGMENTS)

    def _build(self, count: int) -> None:
        for segment in self._segments[len(self.views) : len(self.views) + count]:
            self._add(segment)
            _fill(self.views[-1], segment, whole=True)
        hidden = sum(len(segment.text) for segment in self._segments[len(self.views) :])
        self._more.setVisible(hidden > 0)
        self._more.setText(self.tr("Show More ({n} characters)").format(n=f"{hidden:,}"))

    def _show_more(self) -> None:
        self._build(MORE_SEGMENTS)


def _make(segment: Segment, parent: QWidget) -> SegmentView:
    if segment.kind == "code":
        return CodeView(parent, segment.info)
    return LongView(parent) if segment.kind == "long" else TextView(parent)


def _shows(view: SegmentView, segment: Segment) -> bool:
    """Whether this view can draw this segment."""
    kind = {"code": CodeView, "long": LongView, "text": TextView}[segment.kind]
    return isinstance(view, kind)


def _fill(view: SegmentView, segment: Segment, *, whole: bool = False) -> None:
    if isinstance(view, CodeView):
        view.set_text(segment.text, closed=segment.closed or whole)
    elif isinstance(view, LongView):
        view.set_text(segment.text)
    else:
        view.set_markdown(segment.text)
