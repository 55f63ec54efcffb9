"""The sessions that a message refers to, as chips above its text: title and size, a press opens one, its cross takes it out.

The text is the truth: a chip stands for a `#sess_…` in it, however that came there. Draws only. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from PySide6.QtCore import Qt, Signal
from PySide6.QtGui import QKeyEvent
from PySide6.QtWidgets import QHBoxLayout, QWidget

from desktop.sessions.references import find_references
from desktop.sessions.summary import SessionSummary
from desktop.ui import theme
from desktop.ui.chat.fold import IconLabel
from desktop.ui.chat.surface import KeyButton, Surface, icon_button, label, menu_text, tip
from desktop.ui.cut import CutButton
from desktop.ui.markdown import shown
from desktop.ui.sessions.facts import messages_text, size_text, tip_of, title_text
from desktop.ui.settings.flow import FlowRow

TITLE_WIDTH = 200
MOST = 12
"""Chips that are shown; a message with more references says how many more."""


class ChipTitle(CutButton, KeyButton):
    """What a session is called; cut where the field is narrower."""


class SessionChip(Surface):
    """One session.

    Signals:
        open_requested(str): its id.
        removed(str)
    """

    open_requested = Signal(str)
    removed = Signal(str)

    def __init__(self, parent: QWidget, session_id: str, session: SessionSummary | None) -> None:
        super().__init__(parent, ground="code", border="border", radius=10)
        self.setObjectName("sessionChip")
        self.session_id = session_id
        title = title_text(session) if session is not None else f"#{session_id}"
        said = self.tr("Session {title}").format(title=title)
        facts = self._facts(session)
        self.setAccessibleName(shown(f"{said}, {facts}"))
        self.button = ChipTitle("", self, secondary=True)
        self.button.setProperty("role", "link")
        self.button.setAccessibleName(shown(f"{said}, {facts}"))
        self.button.setToolTip(tip(tip_of(session) if session is not None else facts))
        metrics = self.button.fontMetrics()
        cut = metrics.elidedText(shown(title).replace("\n", " "), Qt.TextElideMode.ElideRight, theme.current().px(TITLE_WIDTH))
        self.button.setText(menu_text(cut))
        self.button.clicked.connect(lambda: self.open_requested.emit(self.session_id))
        self.button.setEnabled(session is not None)
        self.cross = icon_button(self, "close", self.tr("Remove from the message"), lambda: self.removed.emit(self.session_id))
        self.cross.setObjectName("removeReference")
        self.cross.setAccessibleName(shown(self.tr("Remove {title} from the message").format(title=title)))
        row = QHBoxLayout(self)
        row.setContentsMargins(8, 1, 2, 1)
        row.setSpacing(4)
        row.addWidget(IconLabel(self, "comment-discussion" if session is not None else "warning", "secondary" if session else "warning"))
        row.addWidget(self.button)
        self.facts = label(self, facts, role="secondary")
        row.addWidget(self.facts)
        row.addWidget(self.cross)

    @property
    def stops(self) -> list[QWidget]:
        return [self.button, self.cross]

    def _facts(self, session: SessionSummary | None) -> str:
        """Its size; where that is not known, its length."""
        if session is None:
            return self.tr("not found")
        return size_text(session.size) if session.size else messages_text(session.messages)

    def keyPressEvent(self, event: QKeyEvent) -> None:
        """Delete takes it out."""
        if event.key() in (Qt.Key.Key_Delete, Qt.Key.Key_Backspace):
            self.removed.emit(self.session_id)
        else:
            super().keyPressEvent(event)


class ReferenceRow(FlowRow):
    """The chips of a text.

    Signals:
        open_requested(str): show this session.
        removed(str): take this one out of the text.
    """

    open_requested = Signal(str)
    removed = Signal(str)

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.setObjectName("referenceRow")
        self.setAccessibleName(self.tr("Sessions that the message refers to"))
        self.chips: list[SessionChip] = []
        self._more = label(self, role="secondary")
        self._ids: Sequence[str] = ()
        self._known: list[SessionSummary | None] = []
        self.summary_of: Callable[[str], SessionSummary | None] = lambda _session_id: None
        self.hide()

    def show_text(self, text: str) -> bool:
        """Chips for the references in a text; whether they are others than before."""
        ids = find_references(text) if "#sess_" in text else ()
        known = [self.summary_of(one) for one in ids[:MOST]]
        if ids == self._ids and known == self._known:
            return False
        self._ids, self._known = ids, known
        for chip in self.chips:
            self.take(chip)
            chip.hide()
            chip.deleteLater()
        self.take(self._more)
        self.chips = [self._chip(one, session) for one, session in zip(ids, known, strict=False)]
        self._more.setText(self.tr("and {n} more").format(n=len(ids) - MOST))
        self._more.setVisible(len(ids) > MOST)
        self.add(self._more)
        self.setVisible(bool(ids))
        self.updateGeometry()
        return True

    def _chip(self, session_id: str, session: SessionSummary | None) -> SessionChip:
        chip = SessionChip(self, session_id, session)
        chip.open_requested.connect(self.open_requested)
        chip.removed.connect(self.removed)
        self.add(chip)
        chip.show()
        return chip
