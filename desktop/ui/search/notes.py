"""Between box and results: how much was found, how far the index is, and what the person should know. Draws only; GUI thread."""

from __future__ import annotations

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtWidgets import QLabel, QProgressBar, QPushButton, QSizePolicy, QVBoxLayout, QWidget

from desktop.bridge.indexer import Progress
from desktop.ui import theme
from desktop.ui.search.results import Results

PATIENCE_MS = 400
"""Work that is over sooner says nothing."""


class SearchNotes(QWidget):
    """See the module's text.

    Signals:
        models_requested(): show the page on which an encoder can be installed.
    """

    models_requested = Signal()

    def __init__(self, parent: QWidget) -> None:
        super().__init__(parent)
        self.summary = self._label("searchSummary")
        self.progress = self._label("searchProgress")
        self.bar = QProgressBar(self)
        self.bar.setObjectName("searchProgressBar")
        self.bar.setTextVisible(False)
        self.bar.hide()
        self.note = self._label("searchNote")
        self.models = QPushButton(self.tr("Models and Keys…"), self)
        self.models.setObjectName("searchModels")
        self.models.setProperty("role", "link")
        self.models.clicked.connect(self.models_requested)
        self.models.hide()
        self._newest: Progress | None = None
        self._patience = QTimer(self)
        self._patience.setSingleShot(True)
        self._patience.setInterval(PATIENCE_MS)
        self._patience.timeout.connect(self._show_newest)
        self._column = QVBoxLayout(self)
        for widget in (self.summary, self.progress, self.bar, self.note):
            self._column.addWidget(widget)
        self._column.addWidget(self.models, 0, Qt.AlignmentFlag.AlignLeft)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()

    def _label(self, name: str) -> QLabel:
        label = QLabel(self)
        label.setObjectName(name)
        label.setProperty("role", "secondary")
        label.setTextFormat(Qt.TextFormat.PlainText)
        label.setWordWrap(True)
        label.setSizePolicy(QSizePolicy.Policy.Ignored, QSizePolicy.Policy.Minimum)
        label.hide()
        return label

    @staticmethod
    def _say(label: QLabel, text: str) -> None:
        label.setText(text)
        label.setVisible(bool(text))

    def show_results(self, results: Results | None) -> None:
        """How much was found, and the notes; None: nothing is asked."""
        self._say(self.summary, self.summary_of(results) if results is not None and results.hits else "")
        notes = results.notes if results is not None else ()
        self._say(self.note, "\n".join(notes))
        self.models.setVisible(bool(notes))

    def summary_of(self, results: Results) -> str:
        """“12 results in 5 memories and 3 sessions”."""
        parts = {
            "results": self.tr("%n results", "", results.hits),
            "memories": self.tr("%n memories", "", results.count("memory")),
            "sessions": self.tr("%n sessions", "", results.count("session")),
        }
        if results.count("memory") and results.count("session"):
            text = self.tr("{results} in {memories} and {sessions}")
        elif results.count("memory"):
            text = self.tr("{results} in {memories}")
        else:
            text = self.tr("{results} in {sessions}")
        return text.format(**parts)

    def show_progress(self, progress: Progress | None) -> None:
        """How far the index is; None when it is up to date. What is over in a moment is not shown at all."""
        self._newest = progress
        if progress is None:
            self._patience.stop()
            self._show_newest()
        elif self.bar.isVisible():
            self._show_newest()
        elif not self._patience.isActive():
            self._patience.start()

    def _show_newest(self) -> None:
        progress = self._newest
        self.bar.setVisible(progress is not None)
        if progress is None:
            self._say(self.progress, "")
            return
        done, total = f"{progress.done:,}", f"{progress.total:,}"
        if not progress.total:
            text = self.tr("Indexing {done}…").format(done=done) if progress.done else self.tr("Indexing…")
        elif progress.kind == "encode":
            text = self.tr("Encoding {done} of {total}…").format(done=done, total=total)
        else:
            text = self.tr("Indexing {done} of {total}…").format(done=done, total=total)
        self._say(self.progress, text)
        self.bar.setRange(0, max(progress.total, 0))
        self.bar.setValue(min(progress.done, progress.total))

    def _measure(self) -> None:
        now = theme.current()
        self._column.setContentsMargins(now.px(12), now.px(4), now.px(12), now.px(4))
        self._column.setSpacing(now.px(4))
        self.bar.setFixedHeight(now.px(2))
        small = theme.ui_font(now, 11)
        for label in (self.summary, self.progress, self.note):
            label.setFont(small)
