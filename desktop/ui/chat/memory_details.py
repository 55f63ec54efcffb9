"""What is behind the memory chips, in a popover: each change with its difference and Undo, each recalled memory with why it was chosen.

Asks for facts and acts through signals and is given the facts; touches no store. Texts of any origin are plain. GUI thread.
"""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, QSize, QStringListModel, Qt, Signal
from PySide6.QtWidgets import QHBoxLayout, QListView, QScrollArea, QVBoxLayout, QWidget

from desktop.messages.events import MemoryChangeRef, RecalledRef
from desktop.ui import theme
from desktop.ui.chat.context_details import foot, head
from desktop.ui.chat.context_rows import tokens_text
from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.surface import ElidedLabel, KeyButton, label, tip
from desktop.ui.controllers.chat_saves import ChangeDetail
from desktop.ui.cut import CutLink
from desktop.ui.markdown import shown
from desktop.ui.memory.age import full_time
from desktop.ui.memory.diff_view import DiffView
from desktop.ui.memory.line_diff import Difference
from desktop.ui.memory.who import DEED_ICONS, actor_word, deed_of, deed_word

LIST_ROWS, DIFF_LINES, LEAST_LINES = 6, 14, 3
MOST_HEIGHT = 340
WIDE_CHARACTERS = 56
"""About so many characters of a difference stand in one line of the popover."""


class FittingDiff(DiffView):
    """A difference as high as its lines, at most `DIFF_LINES`; beyond that it scrolls."""

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setTabChangesFocus(True)
        self._count = LEAST_LINES

    def show_difference(self, shown: Difference, equal: str = "") -> None:
        self._count = max(1, sum(1 + len(line.text) // WIDE_CHARACTERS for line in shown.lines[:DIFF_LINES]))
        self.setMinimumHeight(self._height(min(LEAST_LINES, self._count)))
        super().show_difference(shown, equal)
        self.updateGeometry()

    def _height(self, lines: int) -> int:
        return lines * self.fontMetrics().lineSpacing() + theme.current().px(20)

    def sizeHint(self) -> QSize:
        return QSize(200, self._height(min(DIFF_LINES, self._count)))


class SavedDetails(QWidget):
    """The changes behind a “saved” chip.

    Attributes:
        refs: the changes, for whoever looks them up.
        facts: what is shown; empty until `show_facts`.

    Signals:
        open_requested(path, root id), history_requested(path, root id)
        undo_requested(list[MemoryChangeRef]), redo_requested(list[MemoryChangeRef])
        resized(): it wants another height.
    """

    open_requested = Signal(str, str)
    history_requested = Signal(str, str)
    undo_requested = Signal(object)
    redo_requested = Signal(object)
    resized = Signal()

    def __init__(self, *, background: bool) -> None:
        super().__init__()
        self.setObjectName("savedDetails")
        self.setAccessibleName(self.tr("Changes of memory"))
        self.refs: tuple[MemoryChangeRef, ...] = ()
        self.facts: Sequence[ChangeDetail] = ()
        self._at = 0
        self._title = self.tr("Saved by itself after the turn") if background else self.tr("Changed in this turn")
        self._model = QStringListModel(self)
        self.list = self._list()
        self.icon = IconLabel(self)
        self.path = ElidedLabel(self, mode=Qt.TextElideMode.ElideMiddle)
        self.note = label(self, self.tr("Reading…"), role="secondary", wrap=True)
        self.diff = FittingDiff(self)
        self.undo_button = self._button(self.tr("Undo"), self._undo)
        self.all_button = self._button("", self._undo_all)
        self.open_button = self._button(self.tr("Open"), self._open)
        self.history_button = self._button(self.tr("History"), self._history)
        self._lay_out()
        for widget in (self.list, self.icon, self.diff, *self._buttons()):
            widget.hide()

    def _buttons(self) -> tuple[KeyButton, ...]:
        return self.undo_button, self.all_button, self.open_button, self.history_button

    def _lay_out(self) -> None:
        now = theme.current()
        line = QHBoxLayout()
        line.setSpacing(now.px(8))
        line.addWidget(self.icon)
        line.addWidget(self.path, 1)
        one = QVBoxLayout()
        one.setContentsMargins(now.px(12), 0, now.px(12), 0)
        one.setSpacing(now.px(2))
        one.addLayout(line)
        one.addWidget(self.note)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(10), 0, now.px(10))
        column.setSpacing(now.px(6))
        column.addLayout(head(self, self._title, ""))
        rows = QHBoxLayout()
        rows.setContentsMargins(now.px(8), 0, now.px(8), 0)
        rows.addWidget(self.list)
        column.addLayout(rows)
        column.addLayout(one)
        column.addWidget(self.diff, 1)
        column.addLayout(foot(self, *self._buttons()))

    def _list(self) -> QListView:
        made = QListView(self)
        made.setAccessibleName(self.tr("Changes of memory"))
        made.setModel(self._model)
        made.setUniformItemSizes(True)
        made.setTabKeyNavigation(False)
        made.setTextElideMode(Qt.TextElideMode.ElideMiddle)
        made.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        made.setEditTriggers(QListView.EditTrigger.NoEditTriggers)
        made.selectionModel().currentChanged.connect(lambda index: self._show(index.row()))
        return made

    def _button(self, text: str, slot: object) -> KeyButton:
        made = KeyButton(text, self, secondary=True)
        made.clicked.connect(slot)
        return made

    # --- facts -------------------------------------------------------------------------------------------------------

    def show_facts(self, facts: Sequence[ChangeDetail]) -> None:
        """The changes as they stand now; the one that was looked at stays in view."""
        self.facts = facts
        at = min(self._at, max(0, len(facts) - 1))
        self._model.setStringList([self._row(one) for one in facts])
        self.list.setVisible(len(facts) > 1)
        row = max(theme.current().px(22), self.list.sizeHintForRow(0))
        self.list.setFixedHeight(min(LIST_ROWS, max(1, len(facts))) * row + 2)
        many = sum(map(_can_undo, facts))
        self.all_button.setVisible(len(facts) > 1 and many > 1)
        self.all_button.setText(self.tr("Undo All {n}").format(n=many))
        if facts:
            self.list.setCurrentIndex(self._model.index(at))
            self._show(at)
            if self.hasFocus():  # it was opened before there was anything to stand on
                (self.list if len(facts) > 1 else next((one for one in self._buttons() if not one.isHidden()), self)).setFocus()
        else:
            self.note.setText(self.tr("Nothing is known of this any more."))
            self.resized.emit()

    def _row(self, facts: ChangeDetail) -> str:
        return "   ".join(part for part in (shown(facts.path), self._said(facts)) if part)

    def _said(self, facts: ChangeDetail) -> str:
        if facts.undone_by:
            return self.tr("undone")
        return deed_word(deed_of(facts.change)) if facts.change is not None else ""

    def _show(self, at: int) -> None:
        if not 0 <= at < len(self.facts):
            return
        self._at = at
        facts = self.facts[at]
        change, difference = facts.change, facts.difference
        if change is not None:
            deed = deed_of(change)
            self.icon.set_icon(DEED_ICONS[deed], "removed" if deed == "deleted" else "memory")
        self.icon.setVisible(change is not None)
        self.path.set_text(facts.path)
        self.note.setText(shown(self._note(facts)))
        if difference is not None and difference.lines:
            self.diff.show_difference(difference)
        self.diff.setVisible(difference is not None and bool(difference.lines))
        self.open_button.setVisible(facts.there)
        self.history_button.setVisible(change is not None)
        self.undo_button.setVisible(change is not None)
        self.undo_button.setText(self.tr("Redo") if facts.undone_by else self.tr("Undo"))
        self.resized.emit()

    def _note(self, facts: ChangeDetail) -> str:
        change = facts.change
        if change is None and facts.ref.change:
            return " · ".join((facts.label, self.tr("This change is not in the history any more.")))
        if change is None:
            return " · ".join((facts.label, self.tr("The chat does not name the change. Open the memory to see its history.")))
        parts = [facts.label, self._said(facts), actor_word(change.origin.actor), full_time(change.time)]
        if facts.difference is None:
            parts.append(self.tr("the earlier text is no longer kept"))
        return " · ".join(part for part in parts if part)

    # --- intents -----------------------------------------------------------------------------------------------------

    def _current(self) -> ChangeDetail | None:
        return self.facts[self._at] if self.facts else None

    def _open(self) -> None:
        facts = self._current()
        if facts is not None:
            self.open_requested.emit(facts.path, facts.ref.root)

    def _history(self) -> None:
        facts = self._current()
        if facts is not None:
            self.history_requested.emit(facts.path, facts.ref.root)

    def _undo(self) -> None:
        facts = self._current()
        if facts is None:
            return
        if facts.undone_by:
            self.redo_requested.emit([MemoryChangeRef(facts.ref.root, facts.path, facts.undone_by, "restore")])
        else:
            self.undo_requested.emit([facts.ref])

    def _undo_all(self) -> None:
        self.undo_requested.emit([one.ref for one in self.facts if _can_undo(one)])


def _can_undo(facts: ChangeDetail) -> bool:
    return facts.change is not None and not facts.undone_by


class FittingScroll(QScrollArea):
    """As high as what is in it, at most `MOST_HEIGHT`."""

    def __init__(self, parent: QWidget, inside: QWidget) -> None:
        super().__init__(parent)
        self.setFocusPolicy(Qt.FocusPolicy.NoFocus)
        self.setWidgetResizable(True)
        self.setHorizontalScrollBarPolicy(Qt.ScrollBarPolicy.ScrollBarAlwaysOff)
        self._inside = inside
        self.setWidget(inside)

    def sizeHint(self) -> QSize:
        return QSize(200, min(theme.current().px(MOST_HEIGHT), self._inside.minimumSizeHint().height()))

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """What is in it has another height."""
        if watched is self._inside and event.type() == QEvent.Type.LayoutRequest:
            self.updateGeometry()
        return super().eventFilter(watched, event)


class RecalledDetails(QWidget):
    """The memories behind a “recalled” chip: name, why, how old, what it costs.

    Signals:
        open_requested(path, root id)
    """

    open_requested = Signal(str, str)

    def __init__(self, items: Sequence[RecalledRef]) -> None:
        super().__init__()
        self.setObjectName("recalledDetails")
        self.setAccessibleName(self.tr("Recalled memories"))
        now = theme.current()
        self.links: list[CutLink] = []
        inside = QWidget()
        rows = QVBoxLayout(inside)
        rows.setContentsMargins(now.px(12), 0, now.px(12), 0)
        rows.setSpacing(now.px(8))
        for item in items:
            rows.addLayout(self._row(inside, item))
        rows.addStretch(1)
        self.area = FittingScroll(self, inside)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, now.px(10), 0, now.px(10))
        column.setSpacing(now.px(8))
        total = sum(item.tokens for item in items)
        facts = self.tr("%n memories", "", len(items)) + (f" · {tokens_text(total)}" if total else "")
        column.addLayout(head(self, self.tr("Recalled for this message"), facts))
        column.addWidget(self.area, 1)

    def _row(self, inside: QWidget, item: RecalledRef) -> QVBoxLayout:
        link = CutLink(inside, shown(item.name or item.path))
        link.setToolTip(tip(item.path))
        link.clicked.connect(lambda: self.open_requested.emit(item.path, item.root))
        self.links.append(link)
        by = self.tr("chosen by the model") if item.stage == "model" else self.tr("found by its words")
        parts = [shown(item.reason) or by, shown(item.age), tokens_text(item.tokens) if item.tokens else ""]
        column = QVBoxLayout()
        column.setSpacing(0)
        line = QHBoxLayout()
        line.setSpacing(theme.current().px(6))
        line.addWidget(IconLabel(inside, "note", "memory"))
        line.addWidget(link, 1)
        line.addStretch(1)
        column.addLayout(line)
        facts = label(inside, " · ".join(part for part in parts if part), role="secondary", wrap=True)
        facts.setContentsMargins(theme.current().px(22), 0, 0, 0)
        column.addWidget(facts)
        return column
