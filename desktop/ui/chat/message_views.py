"""Messages of the person and of the model, and the model's thinking. Draws only. GUI thread."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from datetime import datetime
from math import ceil

from PySide6.QtCore import QDateTime, QEvent, QLocale, QMargins, Qt, QTimer, Signal
from PySide6.QtGui import QEnterEvent, QGuiApplication, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.body import LongView, MessageBody, TextView, holds
from desktop.ui.chat.fold import FoldRow
from desktop.ui.chat.image_strip import ImageStrip
from desktop.ui.chat.images import ImageRef, ImageSource, taken_out
from desktop.ui.chat.message_actions import MessageView
from desktop.ui.chat.reference_text import SESSION_LINK
from desktop.ui.chat.segments import is_long
from desktop.ui.chat.surface import KeyButton, Surface, icon_button, tip
from desktop.ui.markdown import shown

FOLDED_CHARACTERS = 3_000
PLAIN_CHARACTERS = 40_000
BUBBLE_SHARE = 0.88
COPIED_MS = 1_500


def local_time(moment: datetime) -> str:
    """Date and time in the machine's zone and the window's language."""
    return QLocale().toString(QDateTime.fromSecsSinceEpoch(int(moment.timestamp())), QLocale.FormatType.ShortFormat)


def width_in(parent: QWidget | None) -> int:
    """The width that a view will get in its column, so that its text is laid out once."""
    if parent is None:
        return 0
    layout = parent.layout()
    margins = layout.contentsMargins() if layout is not None else QMargins()
    return parent.width() - margins.left() - margins.right()


class UserView(MessageView):
    """What the person wrote, as it was written, in a bubble at the right; “remember this” shows beside it.

    Signals:
        reuse_requested(str): put this text into the composer.
        session_requested(str, int): a reference was pressed: this session, at this message (0: none).
    """

    reuse_requested = Signal(str)
    session_requested = Signal(str, int)
    is_persons = True

    def __init__(
        self,
        parent: QWidget,
        text: str,
        time: datetime | None = None,
        *,
        message_id: str = "",
        images: Sequence[ImageRef] = (),
        source: ImageSource | None = None,
        title_of: Callable[[str], str] | None = None,
    ) -> None:
        """`title_of`: what a session is called that the message refers to."""
        super().__init__(parent, message_id)
        self.setObjectName("userMessage")
        self._title_of = title_of
        self.text = text
        self._drawn, written = taken_out(text) if source is not None else (text, ())
        pictures = (*images, *written)
        self.setAccessibleName(shown(self.tr("You: {text}").format(text=text[:200])))
        self.bubble = Surface(self, ground="input", border="input_border", radius=8)
        if time is not None:
            self.bubble.setToolTip(local_time(time))
        self._folded = len(self._drawn) > FOLDED_CHARACTERS
        self._view: TextView | LongView
        inside = QVBoxLayout(self.bubble)
        inside.setContentsMargins(12, 8, 12, 8)
        if len(self._drawn) > PLAIN_CHARACTERS or any(is_long(line) for line in self._drawn.split("\n")):
            self._view = LongView(self.bubble)
            self._view.set_tokens(ground="", border="")
            self._folded = False
        else:
            self._view = TextView(self.bubble)
            self._view.setAccessibleName(self.tr("Your message"))
            self._view.relative_link_requested.connect(self._on_link)
        inside.addWidget(self._view)
        self._view.setVisible(bool(self._drawn.strip()) or not pictures)
        self.strip = ImageStrip(self.bubble, pictures, source) if pictures else None
        if self.strip is not None:
            inside.addWidget(self.strip)
        if self._folded:
            self.more = KeyButton(self.tr("Show All {n} Characters").format(n=f"{len(self._drawn):,}"), self.bubble)
            self.more.setProperty("role", "link")
            self.more.clicked.connect(self._unfold)
            inside.addWidget(self.more, 0, Qt.AlignmentFlag.AlignLeft)
        row = QHBoxLayout()
        row.setSpacing(4)
        row.addStretch(1)
        row.addWidget(self.remember_button, 0, Qt.AlignmentFlag.AlignVCenter)
        row.addWidget(self.bubble)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 4, 0, 4)
        column.setSpacing(4)
        column.addLayout(row)
        column.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignRight)
        self.resize(max(100, width_in(parent)), 10)
        self._fill()

    def _fill(self) -> None:
        shown_text = self._drawn[:FOLDED_CHARACTERS] + " …" if self._folded else self._drawn
        if isinstance(self._view, TextView):
            self._view.set_plain(shown_text.rstrip("\n"), self._title_of)
        else:
            self._view.set_text(shown_text)
        self._fit()

    def _on_link(self, target: str) -> None:
        found = SESSION_LINK.fullmatch(target)
        if found is not None:
            self.session_requested.emit(found[1], int(found[2] or 0))

    def message_text(self) -> str:
        return self.text

    def show_text(self, text: str) -> None:
        """Unfold as much as is needed to see this text."""
        if self._folded and not holds(self._drawn[:FOLDED_CHARACTERS], text):
            self._unfold()
        if isinstance(self._view, LongView):
            self._view.show_text(text)

    def _unfold(self) -> None:
        self._folded = False
        self.more.hide()
        self._fill()

    def _fit(self) -> None:
        """As wide as the text, at most `BUBBLE_SHARE` of the chat."""
        most = int(self.width() * BUBBLE_SHARE) - 26
        if most < 40:
            return
        if isinstance(self._view, LongView):
            self.bubble.setFixedWidth(most + 26)
            return
        if self.strip is not None:
            wanted = min(most, max(self.strip.sizeHint().width(), ceil(self._natural_width()) + 2))
            self.bubble.setFixedWidth(wanted + 26)
        width = min(most, ceil(self._natural_width()) + 2)
        self._view.setFixedWidth(width)
        self._view.resize(width, self._view.height())
        self._view.fit()

    def _natural_width(self) -> float:
        if isinstance(self._view, LongView) or self._view.isHidden():
            return 0.0
        document = self._view.document()
        document.setTextWidth(-1)
        return document.idealWidth()

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def enterEvent(self, event: QEnterEvent) -> None:
        self._show_actions(True)

    def leaveEvent(self, event: QEvent) -> None:
        self._show_actions(self.remember_button.hasFocus())


class AnswerView(MessageView):
    """What the model wrote: streamed (`feed`, `finish`) or whole. Its buttons show on hover and when one has the focus.

    Signals:
        session_requested(str, int): a reference was pressed: this session, at this message (0: none).
    """

    session_requested = Signal(str, int)

    def __init__(
        self,
        parent: QWidget,
        text: str = "",
        *,
        time: datetime | None = None,
        model: str = "",
        message_id: str = "",
        images: Sequence[ImageRef] = (),
        source: ImageSource | None = None,
    ) -> None:
        super().__init__(parent, message_id)
        self._text: str | None = None
        self.setObjectName("answer")
        self.setAccessibleName(self.tr("Answer"))
        self._copied_timer: QTimer | None = None
        self.body = MessageBody(self)
        self.body.resize(max(100, width_in(parent) - 4), 10)
        column = QVBoxLayout(self)
        column.setContentsMargins(2, 2, 2, 2)
        column.addWidget(self.body)
        self.body.session_requested.connect(self.session_requested)
        drawn, written = taken_out(text) if source is not None else (text, ())
        if pictures := (*images, *written):
            self._text = text
            column.addWidget(ImageStrip(self, pictures, source))
        column.addWidget(self.mark, 0, Qt.AlignmentFlag.AlignLeft)
        said = self.tr("Copy message")
        self.copy_button = icon_button(self, "copy", said, self.copy, name="copyMessage")
        facts = " · ".join(part for part in (model, local_time(time) if time else "") if part)
        if facts:
            self.copy_button.setToolTip(tip(f"{said}\n{facts}"))
        self.copy_button.installEventFilter(self)
        self._show_actions(False)
        if drawn:
            self.body.set_text(drawn)

    @property
    def text(self) -> str:
        return self.body.text if self._text is None else self._text

    def feed(self, text: str) -> None:
        self.body.feed(text)

    def finish(self, text: str | None = None) -> None:
        """The message is complete; `text` is how it stands in the transcript."""
        if text is not None and text != self.text:
            self.body.set_text(text)
        else:
            self.body.finish()

    def copy(self) -> None:
        """Copy the message as Markdown."""
        QGuiApplication.clipboard().setText(self.text)
        self.copy_button.set_icon("check", "added")
        if self._copied_timer is None:
            self._copied_timer = QTimer(self)
            self._copied_timer.setSingleShot(True)
            self._copied_timer.timeout.connect(self._copied)
        self._copied_timer.start(COPIED_MS)

    def message_text(self) -> str:
        return self.text

    def _copied(self) -> None:
        self._show_actions(self.underMouse() or self.copy_button.hasFocus() or self.remember_button.hasFocus())

    def _show_actions(self, is_shown: bool) -> None:
        super()._show_actions(is_shown)
        self.copy_button.set_icon("copy" if is_shown else "")

    def enterEvent(self, event: QEnterEvent) -> None:
        self._show_actions(True)

    def leaveEvent(self, event: QEvent) -> None:
        self._show_actions(False)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        right = self.width()
        for button in (self.copy_button, self.remember_button):
            size = button.sizeHint()
            right -= size.width()
            height = min(size.height(), self.height())  # an answer of one line is lower than a button
            button.setGeometry(right, self.height() - height, size.width(), height)
            button.raise_()


class ThinkingView(QWidget):
    """The model's reasoning, folded. While it comes in, the row shows its newest line."""

    def __init__(self, parent: QWidget, text: str = "") -> None:
        super().__init__(parent)
        self.setObjectName("thinking")
        self._pieces = [text] if text else []
        self._live = False
        self.row = FoldRow(self, self.tr("Thought"), secondary=True)
        self.row.set_icon("lightbulb", "secondary")
        self.row.toggled.connect(self._toggled)
        self._view: MessageBody | None = None
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(0, 0, 0, 0)
        self._column.setSpacing(2)
        self._column.addWidget(self.row)
        self.setSizePolicy(QSizePolicy.Policy.Expanding, QSizePolicy.Policy.Minimum)

    @property
    def text(self) -> str:
        return "".join(self._pieces)

    def feed(self, text: str) -> None:
        self._live = True
        self._pieces.append(text)
        if self._view is not None:
            self._view.feed(text)
        newest = next((line for line in reversed("".join(self._pieces[-20:]).splitlines()) if line.strip()), "")
        self.row.set_title(self.tr("Thinking: {line}").format(line=newest[-200:]))

    def finish(self) -> None:
        self._live = False
        if self._view is not None:
            self._view.finish()
        self.row.set_title(self.tr("Thought"))

    def show_text(self, text: str) -> None:
        """Unfold as much as is needed to see this text."""
        self.row.set_open(True)
        if self._view is not None:
            self._view.show_text(text)

    def _toggled(self, is_open: bool) -> None:
        if is_open and self._view is None:
            self._view = MessageBody(self)
            self._view.setContentsMargins(theme.current().px(26), 0, 8, 4)
            self._column.addWidget(self._view)
            if self._live:
                self._view.feed(self.text)
            else:
                self._view.set_text(self.text)
        elif self._view is not None:
            self._view.setVisible(is_open)
