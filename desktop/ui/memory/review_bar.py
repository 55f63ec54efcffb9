"""What is known of a chosen proposal, and what the person can say to it. Emits intents only. GUI thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QLabel, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.cut import CutLabel, CutLink
from desktop.ui.memory.age import full_time
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.review_model import ReviewComparison, ReviewRow, untrusted_text, wanted_word
from desktop.ui.memory.rows import shown
from desktop.ui.memory.tree_model import type_word
from desktop.ui.memory.who import actor_word
from desktop.ui.settings.flow import FlowRow


class ReviewBar(QWidget):
    """See the module's text.

    Signals:
        accept_requested(), edit_requested(), reject_requested(): of the chosen proposal.
        done_requested(), cancel_requested(): of the edited text.
        message_requested(session id, message id): show where it was said.
    """

    accept_requested = Signal()
    edit_requested = Signal()
    reject_requested = Signal()
    done_requested = Signal()
    cancel_requested = Signal()
    message_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryReviewBar")
        self._origin = ("", "")
        self._facts: tuple[str, ...] = ()
        self.what = CutLabel(self, greedy=True)
        self.what.setObjectName("memoryReviewWhat")
        self.why = self._text("memoryReviewWhy")
        self.quote = self._text("memoryReviewQuote")
        self.message = CutLink(self, self.tr("Show the Message"))
        self.message.setObjectName("memoryReviewMessage")
        self.message.setToolTip(self.tr("Show where in the chat this was said"))
        self.message.clicked.connect(lambda: self.message_requested.emit(*self._origin))
        self.untrusted = Banner("memoryReviewUntrusted", self)
        self.accept = self._button("memoryReviewAccept", "", self.tr("Accept"), self.accept_requested.emit)
        self.edit = self._button("memoryReviewEdit", "secondary", self.tr("Edit…"), self.edit_requested.emit)
        self.reject = self._button("memoryReviewReject", "secondary", self.tr("Reject"), self.reject_requested.emit)
        self.done = self._button("memoryReviewDone", "", self.tr("Accept This Text"), self.done_requested.emit)
        self.cancel = self._button("memoryReviewCancel", "secondary", self.tr("Cancel"), self.cancel_requested.emit)
        for button, key in ((self.accept, "A"), (self.edit, "E"), (self.reject, "R"), (self.done, "Ctrl+Enter"), (self.cancel, "Esc")):
            button.setToolTip(f"{button.text()} ({key})")
        self._acts = FlowRow(self)
        for button in (self.accept, self.edit, self.reject, self.done, self.cancel):
            self._acts.add(button)
        self._column = QVBoxLayout(self)
        for widget in (self.what, self.why, self.quote, self.message, self.untrusted, self._acts):
            self._column.addWidget(widget)
        self.show_editing(False)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _text(self, name: str) -> QLabel:
        label = QLabel(self)
        label.setObjectName(name)
        label.setProperty("role", "secondary")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setTextInteractionFlags(Qt.TextInteractionFlag.TextSelectableByMouse)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        return label

    def _button(self, name: str, role: str, text: str, run: Callable[[], None]) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setProperty("role", role)
        button.clicked.connect(lambda _checked=False: run())
        return button

    # -- what is shown ---------------------------------------------------------------------------------------------------------------

    def show_row(self, row: ReviewRow, root: str) -> None:
        """What would be done, why it waits, and what it came from; `root`: the readable name of its root."""
        proposal = row.proposal
        who, when = actor_word(proposal.origin.actor), full_time(proposal.time)
        self._facts = (wanted_word(row.deed), row.path, root, who, when)
        self._show_what("")
        self.why.setText(self.tr("Why it waits: {reason}").format(reason=row.why))
        said = self.tr("It came from: {text}") if proposal.untrusted and proposal.rule != "review" else self.tr("You said: {text}")
        self.quote.setText(said.format(text=row.quote) if row.quote else "")
        self.quote.setVisible(bool(row.quote))
        self._origin = (proposal.origin.session_id, proposal.origin.message_id)
        self.message.setVisible(bool(proposal.origin.session_id))
        if proposal.untrusted:
            self.untrusted.show_text("warning", untrusted_text())
        else:
            self.untrusted.dismiss()
        editing = not self.done.isHidden()
        for button in (self.accept, self.reject):
            button.setVisible(not editing)
        self.edit.setVisible(proposal.op == "write" and not editing)

    def show_comparison(self, row: ReviewRow, comparison: ReviewComparison) -> None:
        """The type of the memory, which is known once its text was read."""
        kind = type_word(comparison.kind) or shown(comparison.kind)
        self._show_what(kind)
        self.accept.setEnabled(not comparison.is_conflict)
        fits = not comparison.is_conflict and self.done.isHidden()  # else the ways out stand below
        for button in (self.accept, self.reject):
            button.setVisible(fits)
        self.edit.setVisible(fits and row.proposal.op == "write")

    def _show_what(self, kind: str) -> None:
        text = " · ".join(part for part in (*self._facts[:2], kind, *self._facts[2:]) if part)
        self.what.setText(text)
        self.what.setToolTip(tooltip(text))

    def show_editing(self, editing: bool) -> None:
        """While the text is edited there are other buttons."""
        for button in (self.accept, self.edit, self.reject):
            button.setVisible(not editing)
        for button in (self.done, self.cancel):
            button.setVisible(editing)

    def _measure(self) -> None:
        now = theme.current()
        self._column.setContentsMargins(now.px(16), now.px(8), now.px(16), now.px(8))
        self._column.setSpacing(now.px(6))
