"""‹ 2/3 ›: which version of a message is shown, and the way to the ones beside it. Knows ids only; who listens moves. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence

from PySide6.QtCore import QEvent, QObject, Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.chat.surface import icon_button, label


class BranchSwitcher(QWidget):
    """Hidden while a message has no other version.

    Attributes:
        position, total: which version is shown, from 1, of how many.
        ids: of all versions, oldest first: the message itself or the last one of its branch, as `set_position` was given them.

    Signals:
        branch_requested(str): show the version with this id.
    """

    branch_requested = Signal(str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("branchSwitcher")
        self.position = self.total = 1
        self.ids: tuple[str, ...] = ()
        self.previous = icon_button(self, "chevron-left", self.tr("Previous version"), lambda: self._step(-1), name="previousBranch")
        self.next = icon_button(self, "chevron-right", self.tr("Next version"), lambda: self._step(1), name="nextBranch")
        for button in (self.previous, self.next):
            button.installEventFilter(self)
        self.label = label(self, role="secondary")
        self.label.setAlignment(Qt.AlignmentFlag.AlignCenter)
        row = QHBoxLayout(self)
        row.setContentsMargins(0, 0, 0, 0)
        row.setSpacing(0)
        row.addWidget(self.previous)
        row.addWidget(self.label)
        row.addWidget(self.next)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self.hide()

    def set_position(self, n: int, of: int, ids: Sequence[str]) -> None:
        """Show that version `n`, from 1, of `of` is the one on the screen; fewer than two hide the switcher."""
        self.position, self.total, self.ids = n, of, tuple(ids)
        self.label.setText(f"{n}/{of}")
        said = self.tr("Version {n} of {of}").format(n=n, of=of)
        self.label.setToolTip(said)
        self.setAccessibleName(said)
        self.previous.setAccessibleDescription(said)
        self.next.setAccessibleDescription(said)
        for button, is_there in ((self.previous, n > 1), (self.next, n < of)):
            if button.hasFocus() and not is_there:
                (self.next if button is self.previous else self.previous).setEnabled(True)
                (self.next if button is self.previous else self.previous).setFocus()
            button.setEnabled(is_there)
        self.setVisible(of > 1)

    def take_focus(self, by: int = -1) -> None:
        """Put the keyboard on the arrow that leads on in this direction, else on the other one: who goes on pressing goes on moving."""
        first, other = (self.next, self.previous) if by > 0 else (self.previous, self.next)
        (first if first.isEnabled() else other).setFocus(Qt.FocusReason.OtherFocusReason)

    def _step(self, by: int) -> None:
        at = self.position - 1 + by
        if 0 <= at < len(self.ids):
            self.branch_requested.emit(self.ids[at])

    def _measure(self) -> None:
        self.label.setMinimumWidth(theme.current().px(28))

    # --- Qt ---------------------------------------------------------------------------------------------------------

    def eventFilter(self, watched: QObject, event: QEvent) -> bool:
        """Return presses an arrow too, as people expect of what has the focus; Left and Right step, whichever arrow that is.

        Qt's own meaning of Left and Right on a button, moving the focus to a neighbour, would lead out of the conversation.
        """
        if event.type() != QEvent.Type.KeyPress or not isinstance(event, QKeyEvent):
            return False
        match event.key():
            case Qt.Key.Key_Return | Qt.Key.Key_Enter:
                self._step(-1 if watched is self.previous else 1)
            case Qt.Key.Key_Left | Qt.Key.Key_Right:
                by = -1 if event.key() == Qt.Key.Key_Left else 1
                self.take_focus(by)
                self._step(by)
            case _:
                return False
        return True


def keyboard_step(holder: object) -> int:
    """-1 or 1 when `holder`, the widget with the keyboard, is the arrow to the version before or after; else 0."""
    switcher = holder.parentWidget() if isinstance(holder, QWidget) else None
    if not isinstance(switcher, BranchSwitcher):
        return 0
    return 1 if holder is switcher.next else -1
