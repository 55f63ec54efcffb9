"""How one change is made, step by step: snapshot, write, journal line, index line, and back again when a step fails.

Owns the order of the steps and the way back. Judges nothing, holds no lock and compares no versions: the store does all that around it.
Blocking; only called with the store's lock held.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from desktop.base.clock import Clock
from desktop.base.confine import delete_beneath, read_beneath, write_beneath
from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError, StorageError
from desktop.base.ids import ulid
from desktop.base.textio import digest
from desktop.memory.frontmatter import decode_text, encode_text, parse
from desktop.memory.gate import Operation
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of
from desktop.memory.journal import INDEX_REASON, Change, ChangeOrigin, Journal
from desktop.memory.note import INDEX_NAME, Note, list_notes, note_of
from desktop.memory.unfinished import Unfinished

log = logging.getLogger(__name__)


class Changing:
    """Makes the changes of one root."""

    def __init__(self, root: Path, journal: Journal, unfinished: Unfinished, clock: Clock) -> None:
        self._root = root
        self._journal = journal
        self._unfinished = unfinished
        self._clock = clock
        self._keeper = IndexKeeper(root)
        self._index_steps: dict[str, str | None] = {}
        self._index_failed = False

    def current(self, path: str) -> bytes | None:
        """What stands at `path` now, None when nothing does."""
        try:
            return read_beneath(self._root, path)
        except NotFoundError:
            return None

    def change(
        self, op: Operation, path: str, before: str | None, after: str | None, origin: ChangeOrigin,
        *, old_path: str = "", undoes: str = "", warnings: tuple[str, ...] = (),
    ) -> Change:  # fmt: skip
        """A change as a value."""
        now = self._clock.now()
        return Change(f"chg_{ulid(now)}", now, op, path, before, after, origin, old_path, undoes, warnings)

    def apply(
        self, path: str, before: bytes | None, data: bytes, op: Operation, origin: ChangeOrigin,
        *, undoes: str = "", warnings: tuple[str, ...] = (),
    ) -> Change:  # fmt: skip
        """Put `data` at `path`. The new content is kept too, so that a change by another program can be shown against it."""
        old = self._journal.keep(before) if before is not None else None
        new = self._journal.keep(data)
        change = self.change(op, path, old, new, origin, undoes=undoes, warnings=warnings)
        self._unfinished.begin(change)
        with self._whole(path, before):
            write_beneath(self._root, path, data)
        self._record(change, lambda: self._put_back(path, before))
        return change

    def remove(self, path: str, data: bytes, op: Operation, origin: ChangeOrigin, *, undoes: str = "") -> Change:
        """Move the file at `path`, which holds `data`, to the trash."""
        old = self._journal.keep(data)
        change = self.change(op, path, old, None, origin, undoes=undoes)
        self._journal.discard(change.id, path, data)
        self._unfinished.begin(change)
        with self._whole(path, data):
            delete_beneath(self._root, path)
        self._record(change, lambda: self._put_back(path, data))
        return change

    def move(self, old_path: str, new_path: str, data: bytes, origin: ChangeOrigin, *, undoes: str = "") -> Change:
        """Give the file another path, its index line too."""
        kept = self._journal.keep(data)
        op: Operation = "restore" if undoes else "rename"
        change = self.change(op, new_path, kept, kept, origin, old_path=old_path, undoes=undoes)
        self._unfinished.begin(change)
        with self._whole(new_path, None):
            write_beneath(self._root, new_path, data)
        try:
            delete_beneath(self._root, old_path)
        except KeepsakeError:
            self._put_back(new_path, None)
            raise

        def back() -> None:
            self._put_back(old_path, data)
            self._put_back(new_path, None)

        self._record(change, back)
        return self._follow_rename(change, data)

    def _follow_rename(self, change: Change, data: bytes) -> Change:
        pair = (self._note(change.old_path, data), self._note(change.path, data))
        return self._warned(change, self.sync_index(lambda t: self._keeper.synced(t, renamed=[pair], added=[pair[1]]), change.origin))

    @property
    def left_over(self) -> bool:
        """Whether a change is under way: in another process now, or in one that is gone."""
        return self._unfinished.there

    def end(self) -> None:
        """The change is whole, or was taken back. When only its index line failed, that stays noted and is tried again later."""
        if self._index_failed:
            self._unfinished.leave()
        else:
            self._unfinished.end()
        self._index_failed = False

    def finish_left_over(self) -> None:
        """Finish what a process that was killed had begun: its journal line, its index line, the second half of a rename.

        A fault here is logged and never stands in the way of the next change; what it concerns is then as the disk has it.
        """
        if not self._unfinished.there:
            return
        change = self._unfinished.take_over()
        try:
            if change is not None:
                self._finish(change)
        except KeepsakeError as error:
            log.warning("the interrupted change of %s was not finished: %s", change.path if change else "memory", error.message)
        self.end()

    def _finish(self, change: Change) -> None:
        data = self.current(change.path)
        if (digest(data) if data is not None else None) != change.after:
            return  # it was killed before it changed anything, or the file is another one by now
        if not any(known.id == change.id for known in self._journal.read()):
            self._journal.append(change)
        log.info("the interrupted change of %s is finished", change.path)
        if change.old_path and data is not None:
            if self.current(change.old_path) == data:
                delete_beneath(self._root, change.old_path)
            self._follow_rename(change, data)
        else:
            self.follow(change, self._journal.kept(change.before) if change.before else None, data)

    @contextmanager
    def _whole(self, path: str, before: bytes | None) -> Iterator[None]:
        """A step that fails leaves what was there before, also when it failed behind the replacement (flushing the folder)."""
        try:
            yield
        except StorageError:
            with suppress(KeepsakeError):
                if self.current(path) != before:
                    self._put_back(path, before)
            raise

    def _record(self, change: Change, back: Callable[[], None]) -> None:
        """Journal a change that was made; when that fails it is taken back, so that nothing happens without a trace."""
        try:
            self._journal.append(change)
        except StorageError:
            back()
            raise

    def _put_back(self, path: str, data: bytes | None) -> None:
        with suppress(KeepsakeError):  # the error that led here is the one to be shown
            if data is None:
                delete_beneath(self._root, path)
            else:
                write_beneath(self._root, path, data)

    # the index

    def follow(self, change: Change, before: bytes | None, after: bytes | None) -> Change:
        """Keep the index in step with one changed topic; the change with a warning when that failed."""
        path, origin = change.path, change.origin
        if path == INDEX_NAME:
            return change
        known = [self._note(path, before)] if before is not None else []
        if after is None:
            warning = self.sync_index(lambda text: self._keeper.synced(text, removed=[path], known=known), origin)
        else:
            note = self._note(path, after)
            warning = self.sync_index(lambda text: self._keeper.synced(text, added=[note], known=known), origin)
        return self._warned(change, warning)

    def sync_index(self, edit: Callable[[str], str], origin: ChangeOrigin) -> str:
        """Change the index file. A failure never takes back the change of the memory: it is logged and given back as a warning."""
        try:
            before = self.current(INDEX_NAME)
            text, encoding, bom = decode_text(before or b"")
            edited = edit(text)
            if edited == text:
                return ""
            index_origin = replace(origin, reason=INDEX_REASON)
            change = self.apply(INDEX_NAME, before, bom + encode_text(edited, encoding), "write", index_origin)
            self._index_steps[change.after or ""] = change.before
        except (StorageError, RefusedError) as error:
            log.warning("the memory index was not updated: %s", error.message)
            self._index_failed = True
            return f"{INDEX_NAME} could not be updated: {error.message}"
        return ""

    def only_index_steps(self, base: str | None, now: str | None) -> bool:
        """Whether nothing but the keeper's own lines came in between two versions of the index."""
        step, seen = now, set[str]()
        while step is not None and step != base and step not in seen:
            seen.add(step)
            if step not in self._index_steps:
                return False
            step = self._index_steps[step]
        return step == base and now is not None

    def index_text(self, text: str, before: bytes | None, base: str | None, *, keep_lines: bool) -> str:
        """An index that somebody writes: without our line where theirs says the same, with the lines that came in since they read it.

        Args:
            keep_lines: lines of memories that exist stay: they go with their memory, never by a rewritten index.
        """
        notes = list_notes(self._root)
        text = self._keeper.without_doubles(text, notes)
        if keep_lines and before is not None:
            text = self._keeper.with_lost_lines(text, decode_text(before)[0], notes)
        if before is None or digest(before) == base:
            return text
        seen = {entry.target for entry in entries_of(decode_text(self._journal.kept(base))[0])} if base else set()
        fresh = {entry.target for entry in entries_of(decode_text(before)[0])} - seen
        return self._keeper.synced(text, added=[note for note in notes if note.path in fresh])

    def restore_lines(self, deleted: Change, changes: list[Change], origin: ChangeOrigin) -> bool:
        """Bring back the index lines that went with a deletion, in their own words; False when there were none."""
        following = changes[changes.index(deleted) + 1 :][:1]
        step = following[0] if following and following[0].origin.reason == INDEX_REASON else None
        if step is None or step.before is None:
            return False
        earlier = decode_text(self._journal.kept(step.before))[0]
        self.sync_index(lambda text: self._keeper.with_lines_of(text, earlier, deleted.path), origin)
        return True

    def _note(self, path: str, data: bytes) -> Note:
        return note_of(path, parse(data), size=len(data), mtime_s=self._clock.now().timestamp())

    @staticmethod
    def _warned(change: Change, warning: str) -> Change:
        return replace(change, warnings=(*change.warnings, warning)) if warning else change
