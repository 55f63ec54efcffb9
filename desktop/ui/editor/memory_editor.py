"""A memory file in an editor tab: form, source and preview, save, and what to do when somebody else changed the file meanwhile.

Owns the draft. Reading and writing is `MemoryDocument`'s; nothing here touches a file. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence, QResizeEvent
from PySide6.QtWidgets import QSplitter, QStackedWidget, QVBoxLayout, QWidget

from desktop.bridge.operations import Failure
from desktop.memory import frontmatter
from desktop.memory.store import StoredFile
from desktop.ui import theme
from desktop.ui.controllers.memory_document import MemoryDocument
from desktop.ui.editor.frontmatter_form import FrontmatterForm
from desktop.ui.editor.preview import MemoryPreview
from desktop.ui.memory.banner import Banner
from desktop.ui.memory.diff_view import DiffView, difference
from desktop.ui.memory.draft import NEW_TEXT, file_name, followed, survives
from desktop.ui.memory.editor_bar import EditorBar, ViewMode
from desktop.ui.memory.header_edit import set_field
from desktop.ui.memory.line_endings import LineEndings, plain
from desktop.ui.memory.message_page import MessagePage
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.rows import INDEX_NAME, shown
from desktop.ui.memory.source_edit import SourceEdit, cut_lines

PARSE_MS = 200
NARROW = 500
"""Below this width source and preview side by side are of no use: only the source is shown."""
Outside = Literal["same", "changed", "deleted"]


class MemoryEditor(QWidget):
    """One file. Offers what `editor.area` asks of an editor widget.

    Signals:
        modified_changed(bool): the draft differs from what is on disk, or no longer does.
        title_changed(str): the tab's title.
        path_changed(str): a new memory has its file now; relative to the memory root.
        link_requested(str): a link to another memory was clicked; its name or path without `.md`.
        close_requested(): the person wants the tab closed (the file is gone).
    """

    modified_changed = Signal(bool)
    title_changed = Signal(str)
    path_changed = Signal(str)
    link_requested = Signal(str)
    close_requested = Signal()

    def __init__(self, document: MemoryDocument, parent: QWidget | None = None, *, mode: ViewMode = "split") -> None:
        super().__init__(parent)
        self.setObjectName("memoryEditor")
        self.document = document
        document.setParent(self)
        self._mode: ViewMode = mode
        self._narrow = False
        self._clean = ""
        self._endings = LineEndings.of("")
        self._modified = False
        self._ready = False
        self._is_new = not document.path
        self._theirs: StoredFile | None = None
        self._outside: Outside = "same"
        self._after_save: list[Callable[[bool], None]] = []
        self._build()
        self._connect()
        self._set_mode(mode)
        if document.path:
            document.open()
        else:
            self._start_new()

    # -- building --------------------------------------------------------------------------------------------------------------------

    def _build(self) -> None:
        self.bar = EditorBar(self)
        self.outside_banner = Banner("memoryOutside", self)
        self.save_banner = Banner("memorySaveProblem", self)
        self.problem_banner = Banner("memoryProblems", self)
        self.form = FrontmatterForm(self)
        self.source = SourceEdit(self)
        self.source.setAccessibleName(self.tr("Source"))
        self.preview = MemoryPreview(self.document.operations, self)
        self.diff = DiffView(self)
        self.page = MessagePage(self)
        self.split = QSplitter(Qt.Orientation.Horizontal, self)
        self.split.setChildrenCollapsible(False)
        self.split.addWidget(self.source)
        self.split.addWidget(self.preview)
        self.split.setSizes([1_000, 1_000])
        self._texts = QWidget(self)
        column = QVBoxLayout(self._texts)
        column.setContentsMargins(0, 0, 0, 0)
        column.setSpacing(0)
        column.addWidget(self.form)
        column.addWidget(self.split, 1)
        self.pages = QStackedWidget(self)
        for page in (self._texts, self.diff, self.page):
            self.pages.addWidget(page)
        whole = QVBoxLayout(self)
        whole.setContentsMargins(0, 0, 0, 0)
        whole.setSpacing(0)
        for widget in (self.bar, self.outside_banner, self.save_banner, self.problem_banner):
            whole.addWidget(widget)
        whole.addWidget(self.pages, 1)
        self._parsing = QTimer(self)
        self._parsing.setSingleShot(True)
        self._parsing.setInterval(PARSE_MS)
        self.setFocusProxy(self.source)

    def _connect(self) -> None:
        document = self.document
        document.opened.connect(self._on_opened)
        document.missing.connect(self._on_missing)
        document.failed.connect(self._on_failed)
        document.saved.connect(self._on_saved)
        document.warned.connect(self._on_warned)
        document.changed_outside.connect(self._on_changed_outside)
        document.save_ended.connect(self._on_save_ended)
        self.bar.mode_requested.connect(self._set_mode)
        self.bar.save_requested.connect(self.save)
        self.source.textChanged.connect(self._on_typed)
        self._parsing.timeout.connect(self._parse)
        self.form.change_requested.connect(self._on_form)
        self.preview.link_requested.connect(self.link_requested)
        theme.signals.theme_changed.connect(self._fit)

    # -- what the area asks ----------------------------------------------------------------------------------------------------------

    def is_modified(self) -> bool:
        return self._modified

    def title(self) -> str:
        return shown(self.document.path.rpartition("/")[2]) or self.tr("New memory")

    def tab_tooltip(self) -> str:
        return tooltip(self.document.full_path() if self.document.path else self.title())

    def save(self, done: Callable[[bool], None] | None = None) -> None:
        """Save the draft; `done(worked)` follows. A version that somebody else wrote is never replaced by this."""
        if not self._ready or self.source.isReadOnly() or self._outside == "changed":
            self._finish(done, False)
            return
        if not self._modified and self._outside == "same":
            self._finish(done, True)
            return
        if not self.document.path and not self._take_path():
            self._finish(done, False)
            return
        if self._outside == "deleted":
            self.document.accept(None)
        if done is not None:
            self._after_save.append(done)
        self.save_banner.dismiss()
        self.document.save(self._endings.restore(self.source.text()))

    def dispose(self) -> None:
        """Before the widget goes."""
        self._parsing.stop()
        self.preview.dispose()

    def draft(self) -> str:
        """What is typed, in `\\n` lines."""
        return self.source.text()

    @staticmethod
    def _finish(done: Callable[[bool], None] | None, worked: bool) -> None:
        if done is not None:
            done(worked)

    # -- opening ---------------------------------------------------------------------------------------------------------------------

    def _on_opened(self, stored: StoredFile) -> None:
        self._ready = True
        self._take_version(stored)
        self._show_source(stored)
        self.pages.setCurrentWidget(self._texts)
        self._outside = "same"
        self.outside_banner.dismiss()
        self._set_modified(False)
        self._parse()

    def _show_source(self, stored: StoredFile) -> None:
        """The text, read only where an editor would lose bytes of it or stall."""
        cut = cut_lines(self._clean)
        self.source.set_text(cut)
        self.source.setReadOnly(not survives(stored.data, stored.text) or self.source.text() != self._clean)
        if cut != self._clean:
            self.save_banner.show_text("warning", self.tr("This file has a line that is too long to be edited here. It is shown cut."))
        elif self.source.isReadOnly():
            self.save_banner.show_text(
                "warning", self.tr("This file is not plain UTF-8 text. It is shown, but cannot be edited here without losing bytes.")
            )

    def _on_missing(self) -> None:
        self.page.show_message(
            "search", self.tr("This memory is not there"),
            self.tr("{path} was deleted or renamed.").format(path=shown(self.document.path)),
            [(self.tr("Close"), self.close_requested.emit), (self.tr("Look Again"), self.document.open)],
        )  # fmt: skip
        self.pages.setCurrentWidget(self.page)

    def _start_new(self) -> None:
        self._ready = True
        self._clean = ""
        self.source.set_text(NEW_TEXT)
        self._set_modified(True)
        self._parse()
        self.setFocusProxy(self.form.name)

    def _take_version(self, stored: StoredFile) -> None:
        self._clean = plain(stored.text)
        self._endings = LineEndings.of(stored.text)

    # -- typing ----------------------------------------------------------------------------------------------------------------------

    def _on_typed(self) -> None:
        if not self._ready:
            return
        self._parsing.start()
        if not self.source.isReadOnly():
            self._set_modified(self.document.base is None or self.source.text() != self._clean)

    def _set_modified(self, modified: bool) -> None:
        self.bar.show_modified(modified)
        if modified != self._modified:
            self._modified = modified
            self.modified_changed.emit(modified)

    def _parse(self) -> None:
        """Form, problems and preview from what is typed now."""
        text = self.source.text()
        parsed = frontmatter.parse(text.encode("utf-8", errors="surrogateescape"))
        is_index = self.document.path == INDEX_NAME
        self.form.setVisible(not is_index and (parsed.header is not None or not self.document.path))
        self.form.show_document(parsed, editable=not self.source.isReadOnly())
        self.bar.show_path(self.document.path or self.tr("New memory"))
        self._show_problems([] if is_index else parsed.problems)
        if self._shown_mode() != "source":
            self.preview.show_now(parsed.body)

    def _show_problems(self, problems: list[tuple[int, str]]) -> None:
        if not problems:
            self.problem_banner.dismiss()
            return
        lines = [self.tr("Line {n}: {text}").format(n=line, text=shown(text)) for line, text in problems[:5]]
        if len(problems) > 5:
            lines.append(self.tr("and %n more", "", len(problems) - 5))
        first = problems[0][0]
        self.problem_banner.show_text(
            "warning", "\n".join(lines), [(self.tr("Go to Line {n}").format(n=first), lambda: self._go_to(first))]
        )

    def _go_to(self, line: int) -> None:
        if self._mode == "preview":
            self._set_mode("split")
        self.source.go_to_line(line)

    def _on_form(self, field: str, value: str) -> None:
        changed = set_field(self.source.text(), field, value)
        if changed is None:
            self.save_banner.show_text("info", self.tr("This value is written in a way that only the source can change. Edit it there."))
        else:
            self.source.change_to(changed)
        self._parse()

    def _set_mode(self, mode: ViewMode) -> None:
        self._mode = mode
        self._show_mode()

    def _shown_mode(self) -> ViewMode:
        """What was chosen, as far as there is room for it."""
        return "source" if self._narrow and self._mode == "split" else self._mode

    def _show_mode(self) -> None:
        mode = self._shown_mode()
        self.bar.show_mode(mode)
        self.source.setVisible(mode != "preview")
        self.preview.setVisible(mode != "source")
        if mode != "source" and self._ready:
            self._parse()

    def _fit(self) -> None:
        narrow = self.width() < theme.current().px(NARROW)
        if narrow != self._narrow:
            self._narrow = narrow
            self.bar.allow_split(not narrow)
            self.form.set_stacked(narrow)
            self._show_mode()

    # -- saving ----------------------------------------------------------------------------------------------------------------------

    def _take_path(self) -> bool:
        """A new memory gets its file name from its name; without one, say so."""
        name = frontmatter.parse(self.source.text().encode()).name or ""
        file = file_name(name)
        if not file:
            self.save_banner.show_text("warning", self.tr("Give the memory a name first: it becomes the file’s name."))
            self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)
            return False
        self.document.path = file
        return True

    def _on_saved(self, sent: str, stored: StoredFile) -> None:
        """Times are stamped into what was saved: bring them into the draft without disturbing what was typed since."""
        was_new, self._is_new = self._is_new, False
        before = plain(sent)
        self._take_version(stored)
        self.source.change_to(followed(self.source.text(), before, self._clean))
        self._outside = "same"
        self._theirs = None
        self.outside_banner.dismiss()
        self.save_banner.dismiss()
        self._set_modified(self.source.text() != self._clean)
        self._parse()
        if was_new:
            self.setFocusProxy(self.source)
            self.title_changed.emit(self.title())
            self.path_changed.emit(self.document.path)

    def _on_warned(self, texts: tuple[str, ...]) -> None:
        self.save_banner.show_text("warning", "\n".join((self.tr("Saved. Look at this once more:"), *texts)))

    def _on_failed(self, failure: Failure) -> None:
        text = failure.text()
        if not self._ready:
            self.page.show_message("error", self.tr("This memory cannot be read"), text, [(self.tr("Try Again"), self.document.open)])
            self.pages.setCurrentWidget(self.page)
        else:
            self.save_banner.show_text("error", self.tr("Not saved: {reason}").format(reason=text), [(self.tr("Try Again"), self.save)])
            if self._is_new:
                self.document.path = ""

    def _on_save_ended(self, worked: bool) -> None:
        waiting, self._after_save = self._after_save, []
        for done in waiting:
            done(worked)
        self.document.check()

    # -- changed by somebody else ----------------------------------------------------------------------------------------------------

    def _on_changed_outside(self, stored: StoredFile | None) -> None:
        if not self._ready:
            return
        if self._is_new:
            self._on_name_taken()
        elif stored is None:
            self._on_deleted()
        elif not self._modified and self._outside != "changed" and self.document.base is not None:
            self._take(stored)
        else:
            self._theirs, self._outside = stored, "changed"
            self._ask()

    def _ask(self) -> None:
        if self.pages.currentWidget() is self.diff:
            self.compare()
        else:
            self._show_question()

    def _show_question(self) -> None:
        comparing = self.pages.currentWidget() is self.diff
        look = (self.tr("Back to the Draft"), self._stop_comparing) if comparing else (self.tr("Compare"), self.compare)
        self.outside_banner.show_text(
            "warning",
            self.tr("This file was changed by somebody else while you were editing. Your draft is kept, and nothing is overwritten."),
            [look, (self.tr("Keep Mine"), self.keep_mine), (self.tr("Take Theirs"), self.take_theirs)],
        )

    def _on_name_taken(self) -> None:
        """A new memory met a file of its name: it is not touched."""
        taken, self.document.path = self.document.path, ""
        text = self.tr("There is a memory {path} already. Give this one another name.").format(path=shown(taken))
        self.save_banner.show_text("warning", text)
        self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def _on_deleted(self) -> None:
        self._theirs, self._outside = None, "deleted"
        self._show_texts()
        self.outside_banner.show_text(
            "warning",
            self.tr("This file was deleted. What you see is only here now."),
            [(self.tr("Save Again"), self.save_again), (self.tr("Close Tab"), self.close_requested.emit)],
        )

    def keep_mine(self) -> None:
        """Go on with the draft; the next save replaces the other version, which stays in the history."""
        if self._theirs is not None:
            self.document.accept(self._theirs)
            self._take_version(self._theirs)
        self._settle()
        self._set_modified(self.source.text() != self._clean)

    def take_theirs(self) -> None:
        """Replace the draft by the other version. One undo brings the draft back."""
        if self._theirs is not None:
            self._take(self._theirs)

    def save_again(self) -> None:
        """Write the deleted file anew."""
        self.save()

    def compare(self) -> None:
        """Show what differs between the other version and the draft."""
        if self._theirs is None:
            return
        theirs, mine = plain(self._theirs.text), self.source.text()
        self.document.operations.read(lambda: difference(theirs, mine), self.diff.show_lines)
        self.pages.setCurrentWidget(self.diff)
        self.bar.show_note(self.tr("− theirs, on disk    + yours, not saved"))
        self._show_question()

    def _stop_comparing(self) -> None:
        self._show_texts()
        if self._outside == "changed":
            self._show_question()

    def _take(self, stored: StoredFile) -> None:
        self.document.accept(stored)
        self._take_version(stored)
        if self.source.isReadOnly():
            self._show_source(stored)
        else:
            self.source.change_to(self._clean)
        self._settle()
        self._set_modified(False)
        self._parse()

    def _settle(self) -> None:
        self._theirs, self._outside = None, "same"
        self.outside_banner.dismiss()
        self._show_texts()

    def _show_texts(self) -> None:
        self.bar.show_note("")
        self.pages.setCurrentWidget(self._texts)

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def resizeEvent(self, event: QResizeEvent) -> None:
        super().resizeEvent(event)
        self._fit()

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Save):
            self.save()
        elif event.key() == Qt.Key.Key_Escape and self.pages.currentWidget() is self.diff:
            self._stop_comparing()
        else:
            super().keyPressEvent(event)
