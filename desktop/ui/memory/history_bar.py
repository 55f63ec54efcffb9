"""What is known of a chosen version, and what can be done with it. Emits intents only. GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt, Signal
from PySide6.QtWidgets import QButtonGroup, QHBoxLayout, QLabel, QPushButton, QSizePolicy, QToolButton, QVBoxLayout, QWidget

from desktop.ui import theme
from desktop.ui.cut import CutLabel
from desktop.ui.memory.history_model import Against, HistoryRow
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.result_text import short_date
from desktop.ui.memory.rows import shown
from desktop.ui.memory.who import deed_word


class HistoryBar(QWidget):
    """See the module's text.

    Signals:
        against_requested(Against): compare with another version.
        restore_requested(), copy_requested(): of the chosen version.
        session_requested(str): open the chat in which it was said.
        origin_requested(session id, message id): show the very message.
    """

    against_requested = Signal(str)
    restore_requested = Signal()
    copy_requested = Signal()
    session_requested = Signal(str)
    origin_requested = Signal(str, str)

    def __init__(self, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryHistoryBar")
        self._session = self._message = ""
        self._may_restore = True
        self.what = CutLabel(self, greedy=True)
        self.what.setObjectName("memoryHistoryWhat")
        self.why = QLabel(self)
        self.why.setObjectName("memoryHistoryWhy")
        self.why.setProperty("role", "secondary")
        self.why.setTextFormat(Qt.TextFormat.PlainText)
        self.why.setWordWrap(True)
        self.why.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        self.restore = self._button("memoryHistoryRestore", "", self.tr("Restore This Version"), self.restore_requested)
        self.copy = self._button("memoryHistoryCopy", "secondary", self.tr("Copy Text"), self.copy_requested)
        self.open_session = self._button("memoryHistoryChat", "secondary", self.tr("Open Chat"), None)
        self.open_session.setToolTip(self.tr("Open the chat in which this was said"))
        self.open_session.clicked.connect(self._on_origin)
        self._group = QButtonGroup(self)
        self._group.setExclusive(True)
        self.switch: dict[Against, QToolButton] = {
            "before": self._choice("before", self.tr("Version before"), self.tr("Show what this change did to the text")),
            "present": self._choice("present", self.tr("Present version"), self.tr("Show what is different in the file now")),
        }
        self._lay_out()
        self.show_against("before")
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _lay_out(self) -> None:
        self._acts = QHBoxLayout()
        self._words = QLabel(self.tr("Compare with"), self)
        self._words.setProperty("role", "secondary")
        for widget in (self.restore, self.copy, self.open_session):
            self._acts.addWidget(widget)
        self._acts.addStretch(1)
        self._switch_row = QHBoxLayout()
        self._switch_row.addWidget(self._words)
        for button in self.switch.values():
            self._switch_row.addWidget(button)
        self._switch_row.addStretch(1)
        self._column = QVBoxLayout(self)
        self._column.addWidget(self.what)
        self._column.addWidget(self.why)
        self._column.addLayout(self._acts)
        self._column.addLayout(self._switch_row)

    def _button(self, name: str, role: str, text: str, signal: object) -> QPushButton:
        button = QPushButton(text, self)
        button.setObjectName(name)
        button.setAccessibleName(text)
        button.setProperty("role", role)
        if signal is not None:
            button.clicked.connect(signal)
        return button

    def _choice(self, against: Against, text: str, hint: str) -> QToolButton:
        button = QToolButton(self)
        button.setObjectName(f"memoryHistoryAgainst-{against}")
        button.setText(text)
        button.setToolTip(hint)
        button.setAccessibleName(text)
        button.setAccessibleDescription(hint)
        button.setCheckable(True)
        self._group.addButton(button)
        button.clicked.connect(lambda: self.against_requested.emit(against))
        return button

    # -- what is shown ---------------------------------------------------------------------------------------------------------------

    def allow_restore(self, allowed: bool) -> None:
        """Whether anything may be written here at all."""
        self._may_restore = allowed
        self.restore.setVisible(allowed)

    def allow_copy(self, allowed: bool) -> None:
        """Whether the chosen version's text is there."""
        self.copy.setEnabled(allowed)

    def show_against(self, against: Against) -> None:
        self.switch[against].setChecked(True)

    def show_row(self, row: HistoryRow) -> None:
        """Everything that is known of a version."""
        origin = row.change.origin
        self.what.setText(" · ".join(part for part in (deed_word(row.deed), row.who, row.when) if part))
        why = self._why(row)
        self.why.setText(why)
        self.why.setVisible(bool(why))
        self._session, self._message = origin.session_id, origin.message_id
        self.open_session.setText(self.tr("Show the Message") if self._message else self.tr("Open Chat"))
        self.open_session.setAccessibleName(self.open_session.text())
        self.open_session.setVisible(bool(origin.session_id))
        self.open_session.setAccessibleDescription(shown(origin.session_id))
        self.open_session.setToolTip(tooltip(self.tr("Open the chat in which this was said: {id}").format(id=shown(origin.session_id))))
        self.restore.setText(self.tr("Restore") if row.change.after is None else self.tr("Restore This Version"))
        self.restore.setEnabled(self._may_restore and row.available and not row.same)
        if row.same:
            self.restore.setToolTip(self.tr("This is what the file holds now"))
        elif not row.available:
            self.restore.setToolTip(self.tr("This version is no longer kept"))
        else:
            self.restore.setToolTip(self.tr("Put this text back into the file (Enter). It can be undone."))

    def _on_origin(self) -> None:
        if self._message:
            self.origin_requested.emit(self._session, self._message)
        else:
            self.session_requested.emit(self._session)

    def _why(self, row: HistoryRow) -> str:
        """Reason, origin, and how long the text is kept."""
        change, lines = row.change, []
        if row.reason:
            lines.append(row.reason)
        if change.old_path and change.old_path != change.path:
            lines.append(f"{shown(change.old_path)} → {shown(change.path)}")
        if change.origin.message_id:
            lines.append(self.tr("Said in message {id}").format(id=shown(change.origin.message_id)))
        if change.origin.untrusted:
            lines.append(self.tr("Text of pages, files or tools was in view when it was written."))
        if row.present:
            lines.append(self.tr("Present version"))
        elif not row.available:
            lines.append(self.tr("The text is no longer kept."))
        elif row.expires is not None:
            lines.append(self.tr("Kept until {date}").format(date=short_date(row.expires)))
        return "\n".join(lines)

    def _measure(self) -> None:
        now = theme.current()
        self._column.setContentsMargins(now.px(16), now.px(10), now.px(16), now.px(8))
        self._column.setSpacing(now.px(6))
        self._acts.setSpacing(now.px(6))
        self._switch_row.setSpacing(now.px(4))
        font = theme.ui_font(now)
        font.setBold(True)
        self.what.setFont(font)
        for button in self.switch.values():
            button.setMinimumHeight(now.px(24))
