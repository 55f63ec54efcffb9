"""Things that the person should know, in the place of the chat where they happened: retries, cut outputs, limits, errors with a way out.

The texts are the core's phrases, shown in the window's language. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QCoreApplication, Qt, QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QVBoxLayout, QWidget

from desktop.bridge.spoken import sentences, spoken
from desktop.messages.events import Notice, NoticeKind, TurnEnded
from desktop.ui.chat.code_view import PlainView
from desktop.ui.chat.fold import FoldRow, IconLabel
from desktop.ui.chat.surface import KeyButton, Surface, label
from desktop.ui.markdown import shown

_ICONS: dict[str, tuple[str, str]] = {"info": ("info", "link"), "warning": ("warning", "warning"), "error": ("error", "removed")}


class NoticeCard(Surface):
    """One notice. Errors have a hint, a button and unfolded detail.

    Signals:
        retry_requested(): ask the model again.
        action_requested(str): the id of another way out (`models`).
    """

    retry_requested = Signal()
    action_requested = Signal(str)

    def __init__(self, parent: QWidget, kind: NoticeKind, text: str, *, hint: str = "", detail: str = "") -> None:
        error = kind == "error"
        super().__init__(parent, ground="code" if error else "", border="removed" if error else "")
        self.setObjectName("notice")
        self.kind = kind
        self.icon = IconLabel(self, *_ICONS[kind])
        self.label: QLabel = label(self, text, role="" if error else "secondary", wrap=True)
        self.label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        self.setAccessibleName(shown(sentences(spoken(text), spoken(hint))))
        row = QHBoxLayout()
        row.setSpacing(8)
        row.addWidget(self.icon, 0, Qt.AlignmentFlag.AlignTop)
        row.addWidget(self.label, 1)
        self._column = QVBoxLayout(self)
        self._column.setContentsMargins(10, 8, 10, 8) if error else self._column.setContentsMargins(4, 2, 4, 2)
        self._column.setSpacing(6)
        self._column.addLayout(row)
        if hint:
            said = label(self, hint, role="secondary", wrap=True)
            said.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
            self._column.addWidget(_indented(said, self))
        self.detail: PlainView | None = None
        self._detail_text = detail
        if detail:
            fold = FoldRow(self, self.tr("Details"), secondary=True)
            fold.toggled.connect(self._show_detail)
            self._column.addWidget(fold)
        self._buttons: QHBoxLayout | None = None

    def set_text(self, text: str) -> None:
        self.label.setText(shown(text))
        self.setAccessibleName(shown(text))

    def add_button(self, text: str, slot: Callable[[], object], *, secondary: bool = False) -> KeyButton:
        if self._buttons is None:
            self._buttons = QHBoxLayout()
            self._buttons.setContentsMargins(24, 0, 0, 0)
            self._buttons.addStretch(1)
            self._column.addLayout(self._buttons)
        button = KeyButton(text, self, secondary=secondary)
        button.clicked.connect(slot)
        self._buttons.insertWidget(self._buttons.count() - 1, button)
        return button

    def _show_detail(self, is_open: bool) -> None:
        if self.detail is None:
            self.detail = PlainView(self, lines=12, wrap=True)
            self.detail.setAccessibleName(self.tr("Details"))
            self.detail.set_text(shown(self._detail_text))
            self._column.addWidget(self.detail)
        self.detail.setVisible(is_open)


class RetryCard(NoticeCard):
    """A request is tried again after a wait, which is counted down."""

    def __init__(self, parent: QWidget, notice: Notice) -> None:
        super().__init__(parent, "warning", notice.text)
        self._message = spoken(notice.values.get("message") or notice.text)
        self._attempt = notice.values.get("attempt", 1)
        self._retries = notice.values.get("retries", 1)
        self._left = float(notice.values.get("wait_s", 0) or 0)
        self._timer = QTimer(self)
        self._timer.setInterval(1_000)
        self._timer.timeout.connect(self._count)
        self._say()
        if self._left >= 1:
            self._timer.start()

    def finish(self) -> None:
        """The next try began."""
        self._timer.stop()
        self._left = 0
        self._say()

    def _count(self) -> None:
        self._left -= 1
        if self._left <= 0:
            self._timer.stop()
        self._say()

    def _say(self) -> None:
        if self._left >= 1:
            text = self.tr("Trying again in {seconds} s ({attempt} of {retries}).")
        else:
            text = self.tr("Tried again ({attempt} of {retries}).")
        seconds = max(0, round(self._left))
        self.set_text(sentences(self._message, text.format(seconds=seconds, attempt=self._attempt, retries=self._retries)))


def notice_card(parent: QWidget, notice: Notice) -> NoticeCard:
    """The card for a notice."""
    if notice.code == "provider.retry":
        return RetryCard(parent, notice)
    return NoticeCard(parent, notice.kind, notice.text)


def ended_card(parent: QWidget, ended: TurnEnded) -> NoticeCard | None:
    """The card for a turn that did not end by itself, or None."""
    if ended.stop == "end":
        return None
    if ended.stop == "interrupted":
        return NoticeCard(parent, "info", QCoreApplication.translate("NoticeCard", "Stopped."))
    error = ended.error or {}
    kind: NoticeKind = "error" if ended.stop == "error" else "warning"
    return NoticeCard(parent, kind, error.get("message", ""), hint=error.get("hint", ""), detail=error.get("detail", ""))


def _indented(widget: QWidget, parent: QWidget) -> QWidget:
    holder = QWidget(parent)
    row = QHBoxLayout(holder)
    row.setContentsMargins(24, 0, 0, 0)
    row.addWidget(widget)
    return holder
