"""The review inbox in an editor tab: what waits for the person's word, what each would change and why it waits, and the two answers.

Up and down choose; Enter or A accepts, E edits the text first, R or Delete rejects. Reading and deciding are the controller's; the list
follows it. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from PySide6.QtCore import QEvent, QModelIndex, QObject, Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QResizeEvent
from PySide6.QtWidgets import QHBoxLayout, QListView, QPlainTextEdit, QPushButton, QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.memory.frontmatter import parse
from desktop.ui import theme
from desktop.ui.controllers.review_controller import Decided, ReviewController
from desktop.ui.cut import CutLabel
from desktop.ui.memory.banner import Action, Banner
from desktop.ui.memory.diff_view import DiffView
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.review_bar import ReviewBar
from desktop.ui.memory.review_delegate import ReviewDelegate
from desktop.ui.memory.review_model import ReviewComparison, ReviewModel, ReviewPicture, ReviewRow
from desktop.ui.memory.source_edit import utf16
from desktop.ui.memory.two_lines import dress_list, fit_split
from desktop.ui.settings.flow import FlowRow

LIST_WIDTH, COUNT_WIDTH = 300, 240
CHOOSE_MS = 60
"""After the selection moved; a held arrow key compares only where it stops."""

_ACCEPT = (Qt.Key.Key_Return, Qt.Key.Key_Enter, Qt.Key.Key_A)
_REJECT = (Qt.Key.Key_Delete, Qt.Key.Key_Backspace, Qt.Key.Key_R)


class ReviewView(QWidget):
    """See the module's text.

    Args:
        labels: gives the readable name of a root.

    Signals:
        message_requested(session id, message id): show where a proposal came from.
        modified_changed(bool): a text is being edited that is not accepted yet.
    """

    message_requested = Signal(str, str)
    modified_changed = Signal(bool)

    def __init__(self, controller: ReviewController, labels: Callable[[str], str], parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryReview")
        self.setAccessibleName(self.tr("Review"))
        self._controller = controller
        self._labels = labels
        self._comparing = 0
        self._comparison: ReviewComparison | None = None
        self._edited = ""
        self._sent = False
        self._wanted = ""
        self._build()
        self._connect()
        self._on_picture(controller.picture)

    def _build(self) -> None:
        self.count = CutLabel(self, greedy=True)
        self.count.setObjectName("memoryReviewCount")
        self.accept_all = self._button("memoryReviewAcceptAll", self.tr("Accept All"))
        self.reject_all = self._button("memoryReviewRejectAll", self.tr("Reject All"))
        self._top = FlowRow(self)
        self._top.add(self.count, stretch=True)
        self._top.add(self._together(self.accept_all, self.reject_all))
        self.damaged = Banner("memoryReviewDamaged", self)
        self.model = ReviewModel(self)
        self.list = QListView(self)
        self.list.setObjectName("memoryReviewList")
        self.list.setAccessibleName(self.tr("What waits for your review"))
        self.list.setModel(self.model)
        self.list.setItemDelegate(ReviewDelegate(self._controller.clock, self.list))
        self.list.setUniformItemSizes(True)
        self.list.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self.list.installEventFilter(self)
        self.bar = ReviewBar(self)
        self.note = Banner("memoryReviewNote", self)
        self.diff = DiffView(self)
        self.editor = QPlainTextEdit(self)
        self.editor.setObjectName("memoryReviewEditor")
        self.editor.setAccessibleName(self.tr("The text to be remembered"))
        self.editor.setFrameShape(QPlainTextEdit.Shape.NoFrame)
        self.editor.installEventFilter(self)
        self.texts = QStackedWidget(self)
        self.texts.addWidget(self.diff)
        self.texts.addWidget(self.editor)
        self._lay_out()

    def _together(self, *buttons: QPushButton) -> QWidget:
        """Where there is no room for both on the line, both go to the next one."""
        held = QWidget(self)
        row = QHBoxLayout(held)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(theme.current().px(6))
        for button in buttons:
            row.addWidget(button)
        return held

    def _lay_out(self) -> None:
        right = QWidget(self)
        column = QVBoxLayout(right)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.bar)
        column.addWidget(self.note)
        column.addWidget(self.texts, 1)
        self.split = QSplitter(Qt.Orientation.Horizontal, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.list)
        self.split.addWidget(right)
        self.split.setStretchFactor(1, 1)
        self.page = MessagePage(self)
        self.pages = QStackedWidget(self)
        self.pages.addWidget(self.split)
        self.pages.addWidget(self.page)
        self._whole = QVBoxLayout(self)
        self._whole.setContentsMargins(0, 0, 0, 0)
        self._whole.setSpacing(0)
        self._head = QVBoxLayout()
        self._head.addWidget(self._top)
        self._whole.addLayout(self._head)
        self._whole.addWidget(self.damaged)
        self._whole.addWidget(self.pages, 1)
        self.setFocusProxy(self.list)
        self._measure()

    def _button(self, name: str, text: str) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setProperty("role", "secondary")
        return button

    def _connect(self) -> None:
        self._choosing = QTimer(self)
        self._choosing.setSingleShot(True)
        self._choosing.setInterval(CHOOSE_MS)
        self._choosing.timeout.connect(self._compare)
        self.list.selectionModel().currentChanged.connect(self._on_current)
        self._controller.changed.connect(self._on_picture)
        self._controller.touched.connect(self._on_touched)
        self._controller.decided.connect(self._on_decided)
        self.accept_all.clicked.connect(self._accept_all)
        self.reject_all.clicked.connect(lambda: self._controller.reject(self._rows()))
        self.bar.accept_requested.connect(self.accept)
        self.bar.edit_requested.connect(self.edit)
        self.bar.reject_requested.connect(self.reject)
        self.bar.done_requested.connect(self.accept_edited)
        self.bar.cancel_requested.connect(self.leave_editing)
        self.bar.message_requested.connect(self.message_requested)
        self.editor.textChanged.connect(lambda: self.modified_changed.emit(self.is_modified()))
        theme.signals.theme_changed.connect(self._measure)

    # -- what the area asks ----------------------------------------------------------------------------------------------------------

    def title(self) -> str:
        return self.tr("Review")

    def is_modified(self) -> bool:
        """A text is being edited that is not accepted yet."""
        return bool(self._edited) and self._comparison is not None and self.editor.toPlainText() != self._comparison.text

    def dispose(self) -> None:
        """Before the widget goes: nothing is wanted any more."""
        self._choosing.stop()
        self._controller.operations.forget(self._comparing)

    def choose(self, proposal_id: str) -> None:
        """Show this proposal, now or as soon as it is read."""
        self._wanted = proposal_id
        self._on_picture(self._controller.picture)

    # -- showing ---------------------------------------------------------------------------------------------------------------------

    def chosen(self) -> ReviewRow | None:
        return self.model.row(self.list.currentIndex().row())

    def _rows(self) -> list[ReviewRow]:
        return [row for at in range(self.model.rowCount()) if (row := self.model.row(at)) is not None]

    def _on_picture(self, picture: ReviewPicture) -> None:
        """Who decided the chosen one is shown the one that stands in its place now."""
        row, at = self.chosen(), self.list.currentIndex().row()
        key = self._wanted or (row.key if row is not None else "")
        self.model.set_rows(picture.rows)
        self._show_damaged(picture)
        self._show_count(len(picture.rows))
        if self._edited and not self._sent and self._edited not in picture.ids:
            self._on_edited_gone()
        if not picture.rows:
            self._comparison = None
            self._show_nothing()
            return
        self.pages.setCurrentWidget(self.split)
        found = self.model.place_of(key)
        self._wanted = "" if found >= 0 else self._wanted
        chosen = found if found >= 0 else min(max(0, at), len(picture.rows) - 1)
        self.list.setCurrentIndex(self.model.index(chosen, 0))
        self._show_row()
        self._compare()

    def _show_count(self, count: int) -> None:
        self.count.setText(self.tr("%n changes wait for your review.", "", count) if count else "")
        suspect = sum(row.is_suspect for row in self._rows())
        self.accept_all.setEnabled(suspect < count)
        hint = self.tr("%n that read like orders of others stay: look at each of them.", "", suspect) if suspect else ""
        self.accept_all.setToolTip(hint)
        self.accept_all.setAccessibleDescription(hint)
        self._top.setVisible(bool(count))
        self._measure()

    def _show_damaged(self, picture: ReviewPicture) -> None:
        if not picture.damaged:
            self.damaged.dismiss()
            return
        text = self.tr("%n files of the inbox in {folder} cannot be read and are left alone.", "", picture.damaged)
        action: Action = (self.tr("Set Aside"), self._controller.set_aside_damaged)
        self.damaged.show_text("warning", text.format(folder=picture.folder), [action])

    def _show_nothing(self) -> None:
        text = self.tr(
            "When “Learn from chats” is set to “Ask me first”, every memory found in the background comes here. "
            "What only a tool or a page has said comes here in any case."
        )
        self.page.show_message("empty", self.tr("Nothing waits for your review"), text, [])
        self.pages.setCurrentWidget(self.page)

    def _on_current(self, _now: QModelIndex, _before: QModelIndex) -> None:
        self._show_row()
        self._choosing.start()

    def relabel(self, _snapshot: object = None) -> None:
        """The roots of memory are read by now, and have names."""
        self._show_row()

    def _show_row(self) -> None:
        row = self.chosen()
        if row is None:
            return
        self.bar.show_row(row, self._labels(row.proposal.root))

    def _compare(self) -> None:
        row = self.chosen()
        self._choosing.stop()
        self._controller.operations.forget(self._comparing)
        if row is None or self._sent or (self._edited and row.key != self._edited):
            return
        if not self._edited:
            self._comparison = None
        self._comparing = self._controller.compare(row, self._on_compared, self._on_compare_failed)

    def _on_compared(self, comparison: ReviewComparison) -> None:
        self._comparing = 0
        row = self.chosen()
        if row is None:
            return
        if self._edited:
            self._compared_while_edited(comparison)
            return
        self._comparison = comparison
        self.bar.show_comparison(row, comparison)
        self.diff.show_difference(comparison.found, self.tr("The memory says this already."))
        self._show_note(row, comparison)

    def _compared_while_edited(self, comparison: ReviewComparison) -> None:
        """The file became another one under what is being typed: that is said, and the text then takes its place."""
        before = self._comparison
        if before is None or comparison.present == before.present:
            return
        typed = self.editor.toPlainText() != before.text
        self._comparison = comparison if typed else replace(comparison, text=before.text)
        there = self.tr("The file changed while you were editing. Your text takes the place of what it says now.")
        text = there if comparison.present else self.tr("The file was deleted while you were editing. Your text makes it anew.")
        self.note.show_text("warning", text, [(self.tr("See What It Says Now"), self._leave_for_comparison)])

    def _leave_for_comparison(self) -> None:
        """Both sides are shown; what was typed can be copied."""
        if self.is_modified():
            self._controller.keep_text(self.editor.toPlainText(), decided=False)
        self.leave_editing()

    def _on_touched(self, path: str) -> None:
        """The memory that the chosen one is about was changed: what is shown is no longer what would be done."""
        row = self.chosen()
        if row is not None and row.proposal.path == path:
            self._choosing.start()

    def _on_decided(self, decided: Decided) -> None:
        """The answer is carried out, or the proposal waits on: then it is shown again, with what was typed for it."""
        edited = self._edited if self._sent else ""
        if edited in decided.left:
            self._send_failed()
        elif edited and any(one.proposal == edited for one in decided.done):
            self.leave_editing(compare=False)
            self._choosing.start()
        elif len(decided.left) == 1 and not self._edited:
            self.choose(decided.left[0])

    def _send_failed(self) -> None:
        """Nothing that was typed is lost: it can be sent again, in place of what the file says by now."""
        self._sent = False
        self.editor.setReadOnly(False)
        self.bar.done.setEnabled(True)
        self._choosing.start()

    def _show_note(self, row: ReviewRow, comparison: ReviewComparison) -> None:
        """What became of the file since the proposal was made, with the ways out."""
        if comparison.state == "merged":
            self.note.show_text("info", self.tr("The file changed since; both changes fit together, as shown here."))
            return
        if not comparison.is_conflict:
            self.note.dismiss()
            return
        texts = {
            "conflict": self.tr(
                "The file changed since this was proposed. Lines with − are what it says now, lines with + what is proposed."
            ),
            "gone": self.tr("The file was deleted since this was proposed."),
            "there": self.tr("A file of this name was made since. Lines with − are what it says now, lines with + what is proposed."),
        }
        use = self.tr("Delete It Anyway") if row.proposal.op == "delete" else self.tr("Use the Proposal")
        actions: list[Action] = [(use, self._accept_over), (self.tr("Keep What Is There"), self.reject)]
        if row.proposal.op == "write":
            actions.insert(1, (self.tr("Edit…"), self.edit))
        self.note.show_text("warning", texts[comparison.state], actions)

    def _on_compare_failed(self, failure: Failure) -> None:
        self._comparing = 0
        self.note.show_text("error", failure.text())

    # -- the person's word -----------------------------------------------------------------------------------------------------------

    def accept(self) -> None:
        """Make the chosen change, as it is shown. Not before it is shown, and not where the file became another one."""
        row, comparison = self.chosen(), self._comparison
        if row is not None and comparison is not None and not comparison.is_conflict and not self._edited:
            self._controller.accept([row])

    def _accept_all(self) -> None:
        """All but what reads like orders of others: that is looked at one by one."""
        self._controller.accept([row for row in self._rows() if not row.is_suspect])

    def _accept_over(self) -> None:
        row, comparison = self.chosen(), self._comparison
        if row is not None and comparison is not None:
            self._controller.accept([row], over=comparison.present)

    def reject(self) -> None:
        row = self.chosen()
        if row is not None and not self._edited:
            self._controller.reject([row])

    def edit(self) -> None:
        """The proposed text, to be changed before it is accepted."""
        row, comparison = self.chosen(), self._comparison
        if row is None or comparison is None or row.proposal.op != "write":
            return
        self.editor.setPlainText(comparison.text)
        self._edited = row.key
        self.bar.show_editing(True)
        self.list.setEnabled(False)  # what is typed belongs to this one
        self.note.dismiss()
        self.texts.setCurrentWidget(self.editor)
        self._to_body(comparison.text)
        self.editor.setFocus(Qt.FocusReason.OtherFocusReason)

    def _to_body(self, text: str) -> None:
        """The caret goes where the memory itself begins: its header is rarely what is to be corrected."""
        body = parse(text.encode("utf-8", "surrogatepass")).body.lstrip("\r\n")
        cursor = self.editor.textCursor()
        cursor.setPosition(min(utf16(text[: len(text) - len(body)]), self.editor.document().characterCount() - 1))
        self.editor.setTextCursor(cursor)

    def accept_edited(self) -> None:
        """Remember the edited text."""
        row, comparison = self.chosen(), self._comparison
        if row is None or comparison is None or row.key != self._edited or self._sent:
            return
        text = self.editor.toPlainText()
        over = None if comparison.state == "same" else comparison.present
        self._sent = True
        self.editor.setReadOnly(True)  # until the answer is there
        self.bar.done.setEnabled(False)
        self._controller.accept([row], text=text, over=over)

    def save(self, done: Callable[[bool], None]) -> None:
        """Accept the edited text; `done` is told whether that worked."""
        once = Qt.ConnectionType.SingleShotConnection
        self._controller.decided.connect(lambda decided: done(bool(decided.done)), once)
        self.accept_edited()

    def leave_editing(self, *, compare: bool = True) -> None:
        """Back to what was proposed."""
        if not self._edited:
            return
        self._edited, self._sent = "", False
        self.editor.setReadOnly(False)
        self.bar.done.setEnabled(True)
        self.bar.show_editing(False)
        self.list.setEnabled(True)
        self.texts.setCurrentWidget(self.diff)
        self.modified_changed.emit(False)
        self.list.setFocus(Qt.FocusReason.OtherFocusReason)
        if compare:
            self._compare()

    def _on_edited_gone(self) -> None:
        """It was decided elsewhere while it was edited here: the text is kept, so that nothing typed is lost."""
        if self.is_modified():
            self._controller.keep_text(self.editor.toPlainText())
        self.leave_editing(compare=False)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def _measure(self) -> None:
        now = theme.current()
        dress_list(self.list)
        around = (now.px(16), now.px(8), now.px(16), now.px(8)) if not self._top.isHidden() else (0, 0, 0, 0)
        self._head.setContentsMargins(*around)
        self.count.setMinimumWidth(min(self.count.sizeHint().width(), now.px(COUNT_WIDTH)))  # in a narrow tab a line of its own
        self.editor.setFont(theme.code_font())
        self.editor.setStyleSheet(
            f"QPlainTextEdit {{ background: {now.hex('editor')}; border: none; padding: {now.px(6)}px {now.px(12)}px; }}"
        )
        self._fit()

    def _fit(self) -> None:
        fit_split(self.split, self.width(), LIST_WIDTH)

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Keys of the list, and those that end editing."""
        if isinstance(event, QKeyEvent) and event.type() == QEvent.Type.KeyPress:
            run = self._key_of_list(event) if watched is self.list else self._key_of_editor(event) if watched is self.editor else None
            if run is not None:
                if not event.isAutoRepeat():
                    run()
                return True
        return super().eventFilter(watched, event)

    def _key_of_list(self, event: QKeyEvent) -> Callable[[], None] | None:
        plain = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier
        if plain:
            return None
        key = event.key()
        return self.accept if key in _ACCEPT else self.reject if key in _REJECT else self.edit if key == Qt.Key.Key_E else None

    def _key_of_editor(self, event: QKeyEvent) -> Callable[[], None] | None:
        if event.key() == Qt.Key.Key_Escape and not event.modifiers():
            return self.leave_editing
        ctrl = event.modifiers() & ~Qt.KeyboardModifier.KeypadModifier == Qt.KeyboardModifier.ControlModifier
        return self.accept_edited if ctrl and event.key() in (Qt.Key.Key_Return, Qt.Key.Key_Enter) else None
