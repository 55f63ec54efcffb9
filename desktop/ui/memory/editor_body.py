"""What a memory editor consists of, and how much of it is shown: bar, banners, form, source, preview, comparison. GUI thread; no I/O.

Owns layout and view mode. Knows neither the file nor what is done with it: `ui.editor.memory_editor` does.
"""

from __future__ import annotations

from functools import partial

from PySide6.QtCore import Qt
from PySide6.QtGui import QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Operations
from desktop.memory import frontmatter
from desktop.ui import theme
from desktop.ui.editor.frontmatter_form import FrontmatterForm
from desktop.ui.editor.preview import MemoryPreview
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.compare_view import CompareView
from desktop.ui.memory.editor_bar import EditorBar, ViewMode
from desktop.ui.memory.find_in_source import FindInSource
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.rows import shown
from desktop.ui.memory.source_edit import SourceEdit
from desktop.ui.sash import SashReset

NARROW = 500
"""Below this width source and preview side by side are of no use: only the source is shown."""
NAMED = 5
"""Problems of a header that are named; the rest is counted."""


class EditorBody(QWidget):
    """The widgets of an editor.

    Attributes:
        outside_banner: somebody else changed or deleted the file.
        save_banner: how the last save, undo or move into files ended.
        problem_banner: what is wrong with the header; secret_banner: values that look like secrets.
        content_banner, cut_banner: of an index: content that stands in it, and what is not loaded.
    """

    def __init__(self, operations: Operations, parent: QWidget | None = None, *, mode: ViewMode = "split") -> None:
        super().__init__(parent)
        self._mode: ViewMode = mode
        self._narrow = False
        self._sought: tuple[int, str] | None = None
        self.bar = EditorBar(self, versions=True)
        self.outside_banner = Banner("memoryOutside", self)
        self.save_banner = Banner("memorySaveProblem", self, closable=True)
        self.problem_banner = Banner("memoryProblems", self)
        self.secret_banner = Banner("memorySecret", self)
        self.content_banner = Banner("memoryIndexContent", self)
        self.cut_banner = Banner("memoryIndexCut", self)
        self.form = FrontmatterForm(self)
        self.below_form = QVBoxLayout()
        self.source = SourceEdit(self)
        self.source.setAccessibleName(self.tr("Source"))
        self.finding = FindInSource(self.source, self)
        self.finding.wanted.connect(self._show_source_side)
        self.preview = MemoryPreview(operations, self)
        self.compare_view = CompareView(self)
        self.page = MessagePage(self)
        self._lay_out()
        self.bar.mode_requested.connect(self.set_mode)
        theme.signals.theme_changed.connect(self._fit)
        self.set_mode(mode)

    def _lay_out(self) -> None:
        self.split = QSplitter(Qt.Orientation.Horizontal, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.source)
        self.split.addWidget(self.preview)
        self.split.setSizes([1_000, 1_000])
        SashReset(self.split, partial(self.split.setSizes, [1_000, 1_000]))
        self.texts = QWidget(self)
        column = QVBoxLayout(self.texts)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.form)
        column.addLayout(self.below_form)
        column.addWidget(self.finding)
        column.addWidget(self.split, 1)
        self.pages = QStackedWidget(self)
        for page in (self.texts, self.compare_view, self.page):
            self.pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        banners = (
            self.outside_banner, self.save_banner, self.secret_banner, self.problem_banner, self.content_banner, self.cut_banner,
        )  # fmt: skip
        for widget in (self.bar, *banners):
            whole.addWidget(widget)
        whole.addWidget(self.pages, 1)

    # -- how it is shown -------------------------------------------------------------------------------------------------------------

    def set_mode(self, mode: ViewMode) -> None:
        """Show source, preview, or both."""
        self._mode = mode
        self._show_mode()

    def shown_mode(self) -> ViewMode:
        """What was chosen, as far as there is room for it."""
        return "source" if self._narrow and self._mode == "split" else self._mode

    def _show_mode(self) -> None:
        mode = self.shown_mode()
        self.bar.show_mode(mode)
        self.source.setVisible(mode != "preview")
        self.preview.setVisible(mode != "source")
        if mode != "source":
            self.render_now()

    def render_now(self) -> None:
        """Bring the preview up to date; it has just come into view."""

    def _fit(self) -> None:
        narrow = self.width() < theme.current().px(NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            self.bar.allow_split(not narrow)
            self.form.set_stacked(narrow)
            self._show_mode()

    def show_problems(self, problems: list[tuple[int, str]]) -> None:
        """What is wrong with the header, each with its line."""
        if not problems:
            self.problem_banner.dismiss()
            return
        lines = [self.tr("Line {n}: {text}").format(n=line, text=shown(text)) for line, text in problems[:NAMED]]
        if len(problems) > NAMED:
            lines.append(self.tr("and %n more", "", len(problems) - NAMED))
        first = problems[0][0]
        self.problem_banner.show_text("warning", "\n".join(lines), [(self.tr("Go to Line {n}").format(n=first), lambda: self.go_to(first))])

    def go_to(self, line: int) -> None:
        """Show a line of the source (1-based)."""
        self._show_source_side()
        self.source.go_to_line(line)

    def _show_source_side(self) -> None:
        if self.shown_mode() == "preview":
            self.set_mode("split")

    def reveal(self, line: int, text: str = "") -> None:
        """Show `text` at a line of the source (1-based), selected, in the source or in the preview, whichever is shown; now or once the
        file is read."""
        self._sought = (line, text)
        if self.source.text():
            self.show_sought()

    def show_sought(self) -> None:
        """The file is read now."""
        sought, self._sought = self._sought, None
        if sought is None:
            return
        line, text = sought
        if self.shown_mode() == "preview" and text:
            reveal_in_preview(self.preview, self.source.text(), line, text)
        else:
            self.source.reveal(line, text)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()


def reveal_in_preview(preview: MemoryPreview, source: str, line: int, text: str) -> None:
    """Select in the rendered body what stands at a line of the whole source."""
    before = "".join(source.splitlines(keepends=True)[: max(0, line - 1)])
    body = frontmatter.parse(source.encode("utf-8", errors="surrogateescape")).body
    head = max(0, len(source) - len(body))
    preview.reveal(text, before[head:].count(text))
