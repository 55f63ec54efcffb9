"""A memory file in an editor tab: form, source and preview, save, and what to do when somebody else changed the file meanwhile.

Owns the draft. Reading and writing is `MemoryDocument`'s; nothing here touches a file. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable

from PySide6.QtCore import Qt, QTimer, Signal
from PySide6.QtGui import QKeyEvent, QKeySequence
from PySide6.QtWidgets import QWidget

from desktop.bridge.operations import Failure
from desktop.memory import frontmatter
from desktop.memory.merge import merge_lines
from desktop.memory.store import Change, StoredFile
from desktop.ui.controllers.memory_document import MemoryDocument, Saving, Seen
from desktop.ui.memory.banner import BannerKind
from desktop.ui.memory.draft import NEW_TEXT, file_name, followed, survives
from desktop.ui.memory.editor_bar import ViewMode
from desktop.ui.memory.editor_body import EditorBody
from desktop.ui.memory.header_edit import set_field
from desktop.ui.memory.index_part import IndexPart
from desktop.ui.memory.line_endings import LineEndings, plain
from desktop.ui.memory.outside_part import OutsidePart
from desktop.ui.memory.plain import tooltip
from desktop.ui.memory.result_text import lines_that_came_in, saved_text, split_text, undone_text
from desktop.ui.memory.rows import INDEX_NAME, shown
from desktop.ui.memory.secret_watch import SecretWatch
from desktop.ui.memory.source_edit import cut_lines
from desktop.ui.memory.who import followed_text

PARSE_MS = 200


class MemoryEditor(EditorBody):
    """One file. Offers what `editor.area` asks of an editor widget.

    Signals:
        modified_changed(bool): the draft differs from what is on disk, or no longer does.
        title_changed(str): the tab's title.
        path_changed(str): a new memory has its file now, or the file was renamed; relative to the memory root.
        link_requested(str): a link to another memory was clicked; its name or path without `.md`.
        history_requested(root_id, path): show every version of this file.
        close_requested(): the person wants the tab closed (the file is gone).
    """

    modified_changed = Signal(bool)
    title_changed = Signal(str)
    path_changed = Signal(str)
    link_requested = Signal(str)
    history_requested = Signal(str, str)
    origin_requested = Signal(str, str)
    close_requested = Signal()

    def __init__(self, document: MemoryDocument, parent: QWidget | None = None, *, mode: ViewMode = "split") -> None:
        self._ready = self._missing = False
        super().__init__(document.operations, parent, mode=mode)
        self.setObjectName("memoryEditor")
        self.document = document
        document.setParent(self)
        self._clean = ""
        self._endings = LineEndings.of("")
        self._modified = False
        self._is_new = not document.path
        self._after_save: list[Callable[[bool], None]] = []
        self._parsing = QTimer(self)
        self._parsing.setSingleShot(True)
        self._parsing.setInterval(PARSE_MS)
        self.outside = OutsidePart(document, self.outside_banner, self.compare_view, self.draft, self)
        self.secrets = SecretWatch(self.secret_banner, document.operations, self.draft, self)
        self.index = IndexPart(document, self, self)
        self.bar.show_versions(not document.read_only)
        self.setFocusProxy(self.source)
        self._connect()
        if document.path:
            document.open()
        else:
            self._start_new()

    def _connect(self) -> None:
        document = self.document
        document.opened.connect(self._on_opened)
        document.missing.connect(self._on_missing)
        document.failed.connect(self._on_failed)
        document.saved.connect(self._on_saved)
        document.changed_outside.connect(self._on_changed_outside)
        document.as_known.connect(self._on_as_known)
        document.moved.connect(self._on_moved)
        document.undone.connect(self._on_undone)
        document.save_ended.connect(self._on_save_ended)
        self.bar.save_requested.connect(self.save)
        self.bar.undo_requested.connect(document.undo_last)
        self.bar.history_requested.connect(self._on_history)
        self.source.textChanged.connect(self._on_typed)
        self.source.paste_refused.connect(self._on_paste_refused)
        self._parsing.timeout.connect(self._parse)
        self.form.change_requested.connect(self._on_form)
        self.form.left_below.connect(self.source.setFocus)
        self.form.origin_requested.connect(self.origin_requested)
        self.preview.link_requested.connect(self.link_requested)
        self.outside.keep_requested.connect(self.keep_mine)
        self.outside.take_requested.connect(self.take_theirs)
        self.outside.merge_requested.connect(self._on_merge)
        self.outside.save_new_requested.connect(self.save)
        self.outside.close_requested.connect(self.close_requested)
        self.outside.comparing_changed.connect(self._on_comparing)
        self.secrets.line_requested.connect(self.go_to)
        self.index.split_requested.connect(self._on_split_requested)
        self.index.split_done.connect(self._on_split)
        self.index.failed.connect(self._on_act_failed)
        document.act_failed.connect(self._on_act_failed)

    # -- what the area asks ----------------------------------------------------------------------------------------------------------

    def is_modified(self) -> bool:
        return self._modified

    def title(self) -> str:
        return shown(self.document.path.rpartition("/")[2]) or self.tr("New memory")

    def tab_tooltip(self) -> str:
        return tooltip(self.document.full_path() if self.document.path else self.title())

    def save(self, done: Callable[[bool], None] | None = None) -> None:
        """Save the draft; `done(worked)` follows. A version that somebody else wrote is never replaced by this."""
        state = self.outside.state
        if not self._ready or self.source.isReadOnly() or state == "changed":
            self._finish(done, False)
            return
        if not self._modified and state == "same" and self.document.path:
            self._finish(done, True)
            return
        if state == "deleted" and not self.source.text().strip():
            self.save_banner.show_text("warning", self.tr("There is no text that could be saved as a new memory."))
            self._finish(done, False)
            return
        if not self.document.path and not self._take_path():
            self._finish(done, False)
            return
        if state == "deleted":
            self.document.accept(None)
        if done is not None:
            self._after_save.append(done)
        self.save_banner.dismiss()
        self.document.save(self._endings.restore(self.source.text()))

    def dispose(self) -> None:
        """Before the widget goes."""
        self._parsing.stop()
        for part in (self.preview, self.outside, self.secrets, self.index):
            part.dispose()

    def draft(self) -> str:
        """What is typed, in `\\n` lines."""
        return self.source.text()

    def draft_base(self) -> str:
        """Digest of the version that the draft was typed over; empty where there is none."""
        base = self.document.base
        return base.digest if base is not None else ""

    def restore_draft(self, text: str, base: str) -> None:
        """Put back what was typed before a crash. When the file is another one by now, that is a change by somebody else, as ever."""
        self.source.change_to(text)
        if base and self.document.base is not None and self.document.base.digest != base:
            self.document.start_from(base)

    @staticmethod
    def _finish(done: Callable[[bool], None] | None, worked: bool) -> None:
        if done is not None:
            done(worked)

    # -- opening ---------------------------------------------------------------------------------------------------------------------

    def _on_opened(self, stored: StoredFile) -> None:
        self._ready, self._missing = True, False
        self._take_version(stored)
        self._show_source(stored)
        self.pages.setCurrentWidget(self.texts)
        self.outside.settle()
        self._set_modified(False)
        self._parse()
        self.secrets.typed()
        self.show_sought()

    def _show_source(self, stored: StoredFile) -> None:
        """The text, read only where an editor would lose bytes of it or stall, and where it is another tool's."""
        cut = cut_lines(self._clean)
        self.source.set_text(cut)
        lossy = not survives(stored.data, stored.text) or self.source.text() != self._clean
        self.source.setReadOnly(lossy or self.document.read_only)
        if self.document.read_only:
            label = self.document.store.memory_root.label
            text = self.tr("This memory belongs to {tool}. Keepsake shows it and never changes it.").format(tool=shown(label))
            self.save_banner.show_text("info", text)
        elif cut != self._clean:
            self.save_banner.show_text("warning", self.tr("This file has a line that is too long to be edited here. It is shown cut."))
        elif lossy:
            self.save_banner.show_text(
                "warning", self.tr("This file is not plain UTF-8 text. It is shown, but cannot be edited here without losing bytes.")
            )

    def _on_missing(self) -> None:
        self._missing = True
        self.page.show_message(
            "search", self.tr("This memory is not there"),
            self.tr("{path} was deleted or renamed.").format(path=shown(self.document.path)),
            [
                (self.tr("Close"), self.close_requested.emit), (self.tr("Look Again"), self.document.open),
                (self.tr("History"), self._on_history),
            ],
        )  # fmt: skip
        self.pages.setCurrentWidget(self.page)

    def _adopt_draft(self) -> None:
        """A draft of before came into a tab whose file is gone: it is all there is of that text now."""
        self._ready, self._missing = True, False
        self.outside.show_deleted(Seen(None, None, self.document.path))
        self.pages.setCurrentWidget(self.texts)
        self._set_modified(True)
        self._parse()

    def _start_new(self) -> None:
        self._ready = True
        self._clean = ""
        self.source.set_text(NEW_TEXT)
        self._set_modified(False)
        self._parse()
        self.setFocusProxy(self.form.name)

    def _take_version(self, stored: StoredFile) -> None:
        self._clean = plain(stored.text)
        self._endings = LineEndings.of(stored.text)

    # -- typing ----------------------------------------------------------------------------------------------------------------------

    def _on_typed(self) -> None:
        if not self._ready:
            if self._missing and self.source.text():
                self._adopt_draft()
            return
        self._parsing.start()
        if self.document.path != INDEX_NAME:
            self.bar.show_note("")
        if not self.source.isReadOnly():
            self.secrets.typed()
            self._set_modified(self._differs())

    def _on_paste_refused(self, length: int) -> None:
        text = self.tr("A line of {count} characters is too long for a memory: nothing was pasted. Keep it in a file and note its path.")
        self.save_banner.show_text("warning", text.format(count=f"{length:,}"))

    def _differs(self) -> bool:
        """There is something to lose: an untouched new memory has nothing."""
        if self.document.base is None:
            return not self._is_new or self.source.text() != NEW_TEXT
        return self.source.text() != self._clean

    def _set_modified(self, modified: bool) -> None:
        self.bar.show_modified(modified)
        self.bar.allow_undo(self.document.base is not None and self.outside.state == "same", self.document.read_only)
        if modified != self._modified:
            self._modified = modified
            self.modified_changed.emit(modified)

    def _parse(self) -> None:
        """Form, problems and preview from what is typed now."""
        text = self.source.text()
        parsed = frontmatter.parse(text.encode("utf-8", errors="surrogateescape"))
        plain_file = self.document.path == INDEX_NAME
        self.form.setVisible(not plain_file and (parsed.header is not None or not self.document.path))
        self.form.show_document(parsed, editable=not self.source.isReadOnly())
        self.bar.show_path(self.document.path or self.tr("New memory"))
        self.show_problems([] if plain_file else parsed.problems)
        if plain_file:
            self.index.look_at(text)
        if self.shown_mode() != "source":
            self.preview.show_now(parsed.body)

    def render_now(self) -> None:
        if self._ready:
            self._parse()

    def _on_form(self, field: str, value: str) -> None:
        changed = set_field(self.source.text(), field, value)
        if changed is None:
            self.save_banner.show_text("info", self.tr("This value is written in a way that only the source can change. Edit it there."))
        else:
            self.source.change_to(changed)
        self._parse()

    def _on_history(self) -> None:
        self.history_requested.emit(self.document.store.memory_root.id, self.document.path)

    # -- saving ----------------------------------------------------------------------------------------------------------------------

    def _take_path(self) -> bool:
        """A new memory gets its file name from its name; without one, say so."""
        name = frontmatter.parse(self.source.text().encode()).name or ""
        file = file_name(name)
        if not file:
            self.save_banner.show_text("warning", self.tr("Give the memory a name first: it becomes the file’s name."))
            self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)
            return False
        folder = self.document.folder
        self.document.path = f"{folder}/{file}" if folder else file
        return True

    def _on_saved(self, saving: Saving) -> None:
        """Times are stamped into what was saved, and other people's lines may be in it: bring them in, leave what was typed since."""
        stored = saving.stored
        if stored is None:
            return
        was_new, self._is_new = self._is_new, False
        before, draft = plain(saving.sent), self.source.text()
        self._take_version(stored)
        after = self._clean
        if draft == before:
            self.source.change_to(after)
        elif saving.merged:
            self._follow_merge(saving.sent, before, draft, stored)
        else:
            self.source.change_to(followed(draft, before, after))
        self.outside.settle()
        self.secrets.settle()
        self.save_banner.dismiss()
        if saving.warnings or saving.merged:
            came_in = lines_that_came_in(before, after) if saving.merged else ()
            kind: BannerKind = "warning" if len(saving.warnings) > saving.merged else "info"
            self.save_banner.show_text(kind, saved_text(saving.warnings, came_in))
        self._set_modified(self.source.text() != self._clean)
        self._parse()
        if was_new:
            self.setFocusProxy(self.source)
            self._tell_path()

    def _follow_merge(self, sent: str, before: str, draft: str, stored: StoredFile) -> None:
        """A save came back with other people's lines while typing went on: put them into the draft, or merge again at the next save."""
        merged = merge_lines(before, draft, self._clean).text
        if merged is not None:
            self.source.change_to(merged)
        else:
            self.document.accept_sent(sent)

    def _tell_path(self) -> None:
        self.title_changed.emit(self.title())
        self.path_changed.emit(self.document.path)

    def _on_failed(self, failure: Failure) -> None:
        text = failure.text()
        if not self._ready:
            self.page.show_message("error", self.tr("This memory cannot be read"), text, [(self.tr("Try Again"), self.document.open)])
            self.pages.setCurrentWidget(self.page)
        else:
            self.save_banner.show_text("error", self.tr("Not saved: {reason}").format(reason=text), [(self.tr("Try Again"), self.save)])
            if self._is_new:
                self.document.path = ""

    def _on_act_failed(self, failure: Failure) -> None:
        """An undo, or moving content into files, was not done; the draft has nothing to do with it."""
        self.save_banner.show_text("error", failure.text())

    def _on_save_ended(self, worked: bool) -> None:
        waiting, self._after_save = self._after_save, []
        for done in waiting:
            done(worked)
        self.document.check()

    # -- changed by somebody else ----------------------------------------------------------------------------------------------------

    def _on_changed_outside(self, seen: Seen) -> None:
        if not self._ready:
            return
        if self._is_new:
            self._on_name_taken()
        elif seen.stored is None and not self._modified and _deleted_by_the_person(seen):
            self.close_requested.emit()
        elif seen.stored is None:
            self.outside.show_deleted(seen)
            self._set_modified(self._modified)
        elif not self._modified and self.outside.state != "changed" and self.document.base is not None:
            self._take(seen.stored)
            self._parsing.stop()
            self.bar.show_note(followed_text(seen.actor) if seen.actor != "person" else "")
        else:
            self.outside.show_changed(seen)
            self._set_modified(self._modified)

    def _on_as_known(self) -> None:
        """What somebody else did was taken back: there is nothing to ask about the draft any more."""
        if self._ready and self.outside.state != "same":
            self.outside.settle()
            self._set_modified(self.source.text() != self._clean)

    def _on_moved(self, _old: str) -> None:
        """The file was renamed by somebody: the tab goes with it, draft and all."""
        self._tell_path()
        self._parse()

    def _on_name_taken(self) -> None:
        """A new memory met a file of its name: it is not touched."""
        taken, self.document.path = self.document.path, ""
        text = self.tr("There is a memory {path} already. Give this one another name.").format(path=shown(taken))
        self.save_banner.show_text("warning", text)
        self.form.name.setFocus(Qt.FocusReason.OtherFocusReason)

    def keep_mine(self) -> None:
        """Go on with the draft; the next save replaces the other version, which stays in the history."""
        theirs = self._theirs()
        if theirs is not None:
            self.document.accept(theirs)
            self._take_version(theirs)
        self.outside.settle()
        self._set_modified(self.source.text() != self._clean)

    def take_theirs(self) -> None:
        """Replace the draft by the other version. One undo brings the draft back."""
        theirs = self._theirs()
        if theirs is not None:
            self._take(theirs)

    def _on_merge(self, text: str) -> None:
        """Both changes in the draft; it is saved when the person says so. One undo brings the draft back."""
        self.keep_mine()
        self.source.change_to(text)
        self.save_banner.show_text(
            "info", self.tr("Both changes are in your draft now. Save to keep them."), [(self.tr("Save"), self.save)]
        )

    def _theirs(self) -> StoredFile | None:
        return self.outside.seen.stored if self.outside.seen is not None else None

    def _take(self, stored: StoredFile) -> None:
        self.document.accept(stored)
        self._take_version(stored)
        if self.source.isReadOnly():
            self._show_source(stored)
        else:
            self.source.change_to(self._clean)
        self.outside.settle()
        self._set_modified(False)
        self._parse()

    def _on_comparing(self, comparing: bool) -> None:
        self.pages.setCurrentWidget(self.compare_view if comparing else self.texts)

    # -- undo, and content of an index -----------------------------------------------------------------------------------------------

    def _on_undone(self, taken: Change | None, change: Change) -> None:
        """Say what was taken back, and offer to bring it again."""
        if change.path != self.document.path and change.old_path == self.document.path:
            self.document.path = change.path
            self._on_moved(change.old_path)
        actions = [(self.tr("Redo"), lambda: self.document.undo(change.id))] if taken is not None else []
        self.save_banner.show_text("info", undone_text(taken), actions)

    def _on_split_requested(self) -> None:
        """The index is saved first: what is moved is what stands in the file."""
        self.save(lambda worked: self.index.split() if worked else None)

    def _on_split(self, changes: list[Change]) -> None:
        actions = [(self.tr("Undo"), lambda: self.document.undo(changes[-1].id))] if changes else []
        self.save_banner.show_text("info", split_text(changes), actions)
        self.document.check()

    # -- Qt --------------------------------------------------------------------------------------------------------------------------

    def keyPressEvent(self, event: QKeyEvent) -> None:
        if event.matches(QKeySequence.StandardKey.Save):
            self.save()
        elif event.key() == Qt.Key.Key_Escape and self.outside.comparing:
            self.outside.stop_comparing()
        else:
            super().keyPressEvent(event)


def _deleted_by_the_person(seen: Seen) -> bool:
    """On purpose, in another place: an undo is none, since it may have been pressed right here and wants its redo."""
    return seen.actor == "person" and seen.change is not None and not seen.change.undoes
