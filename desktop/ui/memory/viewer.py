"""A memory of any workspace in a tab, read only: form, preview, and the source on demand. Follows nothing, changes nothing. GUI thread."""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Signal
from PySide6.QtWidgets import QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure, Operations
from desktop.memory import frontmatter
from desktop.memory.store import StoredFile
from desktop.ui.editor.frontmatter_form import FrontmatterForm
from desktop.ui.editor.preview import PREVIEW_LIMIT, MemoryPreview
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.editor_bar import EditorBar, ViewMode
from desktop.ui.memory.editor_body import reveal_in_preview
from desktop.ui.memory.find_in_source import FindInSource
from desktop.ui.memory.line_endings import plain
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.rows import INDEX_NAME, shown
from desktop.ui.memory.source_edit import SourceEdit, cut_lines

Reader = Callable[[], StoredFile]


class MemoryViewer(QWidget):
    """One file.

    Args:
        read: reads the file; runs in a worker thread.
        label: the project's readable name.
        path: relative to its memory root.

    Signals:
        link_requested(target): a link to another memory of the same project was clicked.
    """

    link_requested = Signal(str)

    def __init__(self, read: Reader, label: str, path: str, operations: Operations, parent: QWidget | None = None) -> None:
        super().__init__(parent)
        self.setObjectName("memoryViewer")
        self._read = read
        self._label = label
        self._path = path
        self._operations = operations
        self._reading = 0
        self._sought: tuple[int, str] | None = None
        self._build()
        self._set_mode("preview")
        self.reload()

    def _build(self) -> None:
        self.bar = EditorBar(self)
        self.bar.save.hide()
        self.bar.modes["split"].hide()
        self.bar.show_path(f"{self._label}/{self._path}")
        self.bar.show_note(self.tr("read only"))
        self.banner = Banner("memoryViewerNote", self)
        self.form = FrontmatterForm(self)
        self.form.hide()
        self.preview = MemoryPreview(self._operations, self)
        self.source = SourceEdit(self)
        self.source.setReadOnly(True)
        self.source.setAccessibleName(self.tr("Source"))
        self.finding = FindInSource(self.source, self)
        self.finding.wanted.connect(self._show_source)
        self.page = MessagePage(self)
        self.pages = QStackedWidget(self)
        for page in (self.preview, self.source, self.page):
            self.pages.addWidget(page)
        column = QVBoxLayout(self)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        for widget in (self.bar, self.banner, self.form, self.finding):
            column.addWidget(widget)
        column.addWidget(self.pages, 1)
        self.bar.mode_requested.connect(self._set_mode)
        self.preview.link_requested.connect(self.link_requested)

    def set_label(self, label: str) -> None:
        """The project's name is known by now."""
        self._label = label
        self.bar.show_path(f"{label}/{self._path}")

    def tab_tooltip(self) -> str:
        return tooltip(f"{self._label} › {self._path}")

    def title(self) -> str:
        return shown(self._path.rpartition("/")[2])

    def reload(self) -> None:
        """Read the file again."""
        self._operations.forget(self._reading)
        self._reading = self._operations.read(self._read, self._on_read, self._on_failed)

    def dispose(self) -> None:
        """Before the widget goes."""
        self._operations.forget(self._reading)
        self.preview.dispose()

    def reveal(self, line: int, text: str = "") -> None:
        """Show `text` at a line of the source (1-based), selected, in what is shown; now or once the file is read."""
        self._sought = (line, text)
        if self.source.text():
            self._show_sought()

    def _show_sought(self) -> None:
        sought, self._sought = self._sought, None
        if sought is not None and self.pages.currentWidget() is self.preview and sought[1]:
            reveal_in_preview(self.preview, self.source.text(), *sought)
        elif sought is not None:
            self.source.reveal(*sought)

    def _set_mode(self, mode: ViewMode) -> None:
        self.bar.show_mode(mode)
        self.pages.setCurrentWidget(self.source if mode == "source" else self.preview)

    def _show_source(self) -> None:
        """To look for something in it; where a message stands in its place, that stays."""
        if self.source.text():
            self._set_mode("source")

    def _on_read(self, stored: StoredFile) -> None:
        if len(stored.data) > PREVIEW_LIMIT:
            text = self.tr("This file is larger than 5 MiB.")
            self.page.show_message("error", self.tr("Too large to show"), text, [])  # no second try makes it smaller
            self.pages.setCurrentWidget(self.page)
            return
        document = frontmatter.parse(stored.data)
        self.form.setVisible(document.header is not None and self._path != INDEX_NAME)
        self.form.show_document(document, editable=False)
        self.source.set_text(cut_lines(plain(stored.text)))
        self.preview.show_now(document.body)
        self._show_sought()
        problems = [] if self._path == INDEX_NAME else document.problems
        if problems:
            lines = [self.tr("Line {n}: {text}").format(n=line, text=shown(text)) for line, text in problems[:5]]
            self.banner.show_text("warning", "\n".join(lines))
        else:
            self.banner.dismiss()

    def _on_failed(self, failure: Failure) -> None:
        self._show_page("error", self.tr("This memory cannot be read"), failure.text())

    def _show_page(self, kind: str, title: str, text: str) -> None:
        self.page.show_message(kind, title, text, [(self.tr("Try Again"), self._retry)])
        self.pages.setCurrentWidget(self.page)

    def _retry(self) -> None:
        self._set_mode("preview")
        self.reload()
