"""The line below a memory's header: which other memories link to it, each a link. Reads through `bridge.operations`. GUI thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import QTimer, Signal
from PySide6.QtWidgets import QHBoxLayout, QLabel, QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.memory.links import backlinks
from desktop.memory.store import MemoryStore
from desktop.ui import theme
from desktop.ui.cut import CutLink
from desktop.ui.memory.rows import shown
from desktop.ui.settings.flow import FlowRow

MOST = 12
"""Links that are shown; the rest is counted."""

LOOK_MS = 300
"""A burst of changes costs one look."""


class BackLinks(QWidget):
    """Hidden while nothing links here.

    Args:
        path: gives where the memory stands now; "" for one without a file.

    Attributes:
        paths: where the links stand, each once.

    Signals:
        open_requested(path): show that memory of the same root.
    """

    open_requested = Signal(str)

    def __init__(self, store: MemoryStore, path: Callable[[], str], operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryBackLinks")
        self._store = store
        self._operations = operations
        self._path = path
        self._reading = 0
        self.paths: tuple[str, ...] = ()
        self.links: list[CutLink] = []
        self.word = QLabel(self.tr("Linked from"), self)
        self.word.setProperty("role", "secondary")
        self._more = QLabel(self)
        self._more.setProperty("role", "secondary")
        self._flow = FlowRow(self)
        self._flow.add(self.word)
        self._row = QHBoxLayout(self)
        self._row.addWidget(self._flow)
        self._looking = QTimer(self)
        self._looking.setSingleShot(True)
        self._looking.setInterval(LOOK_MS)
        self._looking.timeout.connect(self._look)
        theme.signals.theme_changed.connect(self._measure)
        self._measure()
        self.hide()

    def refresh(self) -> None:
        """Look again, soon."""
        self._looking.start()

    @property
    def is_looking(self) -> bool:
        return self._looking.isActive() or bool(self._reading)

    def _look(self) -> None:
        store, path = self._store, self._path()
        self._operations.forget(self._reading)
        self._reading = 0
        if not path:
            self._show(())
            return

        def work() -> tuple[str, ...]:
            return tuple(dict.fromkeys(link.source for link in backlinks(store, path) if link.source != path))

        self._reading = self._operations.read(work, self._show, self._on_failed)

    def _on_failed(self, _failure: Failure) -> None:
        """What cannot be read is said where it is opened."""
        self._show(())

    def _show(self, paths: tuple[str, ...]) -> None:
        self._reading = 0
        if paths == self.paths:
            return
        self.paths = paths
        for link in self.links:
            self._flow.take(link)
            link.hide()
            link.deleteLater()
        self._flow.take(self._more)
        self.links = [self._link(path) for path in paths[:MOST]]
        left = len(paths) - MOST
        self._more.setText(self.tr("and %n more", "", left) if left > 0 else "")
        self._more.setVisible(left > 0)
        if left > 0:
            self._flow.add(self._more)
        self.setVisible(bool(paths))
        self._flow.updateGeometry()

    def _link(self, path: str) -> CutLink:
        link = CutLink(self, shown(path.removesuffix(".md")))
        link.setToolTip(shown(path))
        link.clicked.connect(lambda _checked=False: self.open_requested.emit(path))
        self._flow.add(link)
        link.show()
        return link

    def _measure(self) -> None:
        now = theme.current()
        self._row.setContentsMargins(now.px(16), 0, now.px(16), now.px(6))
