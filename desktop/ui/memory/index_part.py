"""The banners of a MEMORY.md in an editor: content that stands in an index, what is over the limit, and the budget of a single file.

The profile of the root decides what MEMORY.md is (an index, a document in sections, the only file), never its name. Reports are made in
workers; nothing is moved before the person says yes. GUI thread.
"""

from __future__ import annotations

from PySide6.QtCore import QObject, Signal

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences
from desktop.memory.index_split import InlineBlock, split_index
from desktop.memory.store import Change
from desktop.ui.controllers.memory_changes import PERSON
from desktop.ui.controllers.memory_document import MemoryDocument
from desktop.ui.memory.editor_body import EditorBody
from desktop.ui.memory.index_report import IndexReport, Limit, index_report, single_report
from desktop.ui.memory.rows import INDEX_NAME, shown

NAMED = 8
"""Entries that a banner names; the rest is counted."""
MARK_BYTES = 120
"""Bytes of a single file that the note about its cut takes, about."""


class IndexPart(QObject):
    """Of one editor.

    Signals:
        split_requested(): the person wants the content moved; save the draft first, then call `split`.
        split_done(list of Change): what was made, index last or first; one undo takes all of it back.
        failed(Failure): nothing was moved.
    """

    split_requested = Signal()
    split_done = Signal(object)
    failed = Signal(object)

    def __init__(self, document: MemoryDocument, body: EditorBody, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._document = document
        self._body = body
        self._working = 0
        self._not_now: frozenset[str] = frozenset()

    @property
    def is_index(self) -> bool:
        """Whether this file is an index of others."""
        return self._document.path == INDEX_NAME and self._document.store.memory_root.profile == "index"

    @property
    def is_single(self) -> bool:
        """Whether this file is the whole memory of its root."""
        return self._document.path == INDEX_NAME and self._document.store.memory_root.profile == "single"

    def dispose(self) -> None:
        """Before the editor goes."""
        self._document.operations.forget(self._working)

    def look_at(self, text: str) -> None:
        """Find out what there is to say of a draft."""
        document = self._document
        document.operations.forget(self._working)
        if self.is_index:
            root, limits = document.store.root, document.limits()
            self._working = document.operations.read(lambda: index_report(text, root, limits), self._on_index, self._on_failed)
        elif self.is_single:
            limit = document.store.memory_root.bytes
            self._working = document.operations.read(lambda: single_report(text, limit, MARK_BYTES), self._on_single, self._on_failed)

    def _on_failed(self, _failure: Failure) -> None:
        self._working = 0

    # -- an index --------------------------------------------------------------------------------------------------------------------

    def _on_index(self, report: IndexReport) -> None:
        self._working = 0
        self._show_content(report.blocks)
        self._body.source.mark_left_out(frozenset(report.left_out), self.tr("not loaded: over the limit"))
        limits = self._document.limits()
        self._body.bar.show_note(self.tr("{used} of {limit} tokens").format(used=f"{report.tokens:,}", limit=f"{limits.tokens:,}"))
        if not report.over:
            self._body.cut_banner.dismiss()
            return
        named = [shown(title) for title in report.dropped[:NAMED]]
        more = len(report.dropped) - NAMED
        if more > 0:
            named.append(self.tr("%n more", "", more))
        if report.others:
            named.append(self.tr("%n other line(s)", "", report.others))
        text = self.tr("The index is over its limit ({limit}). Chats do not see: {names}.")
        limit = self.tr(", ").join(self._over(*one) for one in report.over)
        self._show_cut(text.format(limit=limit, names=self.tr(", ").join(named)), report.left_out)

    def _over(self, name: Limit, size: int, limit: int) -> str:
        """One limit that is exceeded."""
        words = {
            "lines": self.tr("{n} of {most} lines"),
            "bytes": self.tr("{n} of {most} bytes"),
            "tokens": self.tr("{n} of {most} tokens"),
        }
        return words[name].format(n=f"{size:,}", most=f"{limit:,}")

    def _show_cut(self, text: str, left_out: tuple[int, ...]) -> None:
        first = left_out[0] if left_out else 1
        self._body.cut_banner.show_text("warning", text, [(self.tr("Go to Line {n}").format(n=first), lambda: self._body.go_to(first))])

    def _show_content(self, blocks: tuple[InlineBlock, ...]) -> None:
        texts = frozenset(block.text for block in blocks)
        if not blocks or self._document.read_only or texts <= self._not_now:
            self._body.content_banner.dismiss()
            return
        names = [shown(block.title) for block in blocks[:NAMED]]
        if len(blocks) > NAMED:
            names.append(self.tr("%n more", "", len(blocks) - NAMED))
        many = self.tr("%n piece(s) of content stand in this index.", "", len(blocks))
        rule = self.tr("An index has one line for each memory; content has files of its own.")
        text = "\n".join((sentences(many, rule), self.tr(", ").join(names)))
        first = blocks[0].first_line
        self._body.content_banner.show_text(
            "memory",
            text,
            [
                (self.tr("Move into Files"), self.split_requested.emit),
                (self.tr("Not Now"), lambda: self._on_not_now(texts)),
                (self.tr("Go to Line {n}").format(n=first), lambda: self._body.go_to(first)),
            ],
        )

    def _on_not_now(self, texts: frozenset[str]) -> None:
        """Not asked again for this content while the tab is open."""
        self._not_now |= texts
        self._body.content_banner.dismiss()

    def split(self) -> None:
        """Move the content of the saved index into files of its own; `split_done` or `failed` follows."""
        store = self._document.store
        self._document.operations.write(lambda: split_index(store, origin=PERSON), self._on_split, self.failed.emit)

    def _on_split(self, changes: list[Change]) -> None:
        self._body.content_banner.dismiss()
        self.split_done.emit(changes)

    # -- a single file ---------------------------------------------------------------------------------------------------------------

    def _on_single(self, report: IndexReport) -> None:
        self._working = 0
        limit = self._document.store.memory_root.bytes
        used = self.tr("{used} of {limit} KB").format(used=f"{report.bytes / 1024:.1f}", limit=limit // 1024)
        self._body.bar.show_note(used)
        self._body.source.mark_left_out(frozenset(report.left_out), self.tr("not loaded: over {limit} KB").format(limit=limit // 1024))
        if not report.over:
            self._body.cut_banner.dismiss()
            return
        text = self.tr("This file is over its limit of {limit} KB. Chats see its beginning only, down to the marked line.")
        self._show_cut(text.format(limit=limit // 1024), report.left_out)
