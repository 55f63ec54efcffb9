"""Changes with all that follows them: the index of the root, and what a killed process left half done.

Owns when and how the index learns of a change, and the finishing of interrupted work. Judges nothing, holds no lock and compares no
versions: the store does all that around it. Blocking; only called with the store's lock held.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from desktop.base.clock import Clock
from desktop.base.confine import delete_beneath
from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError, StorageError
from desktop.base.phrases import say
from desktop.base.textio import digest
from desktop.memory.change import INDEX_REASON, Change, ChangeOrigin
from desktop.memory.frontmatter import decode_text, encode_text, parse
from desktop.memory.index_burst import synced_many
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of
from desktop.memory.journal import Journal
from desktop.memory.note import INDEX_NAME, Note, list_notes, note_of, read_note
from desktop.memory.steps import Noted, Steps
from desktop.memory.unfinished import Unfinished

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class IndexNews:
    """What happened to topics, for the index keeper: notes as they are now and were before, and paths that are gone.

    `edited` are those that another program changed: a line in our own words follows them, and none is added.
    """

    added: tuple[Note, ...] = ()
    renamed: tuple[tuple[Note, Note], ...] = ()
    removed: tuple[str, ...] = ()
    known: tuple[Note, ...] = ()
    edited: tuple[tuple[Note, Note], ...] = ()


class Changing(Steps):
    """Makes the changes of one root."""

    def __init__(
        self, root: Path, journal: Journal, unfinished: Unfinished, clock: Clock, *, indexed: bool = True, noted: Noted | None = None
    ) -> None:
        """Args:
        indexed: MEMORY.md is an index that the app keeps.
        noted: told of each change that was journalled, with the contents before and after it.
        """
        super().__init__(root, journal, unfinished, clock, noted=noted)
        self._indexed = indexed
        self._keeper = IndexKeeper(root)
        self._index_steps: dict[str, str | None] = {}
        self._index_failed = False

    def is_index(self, path: str) -> bool:
        """Whether `path` is an index that the app keeps; in other profiles MEMORY.md is a text like any other."""
        return self._indexed and path == INDEX_NAME

    def move(self, old_path: str, new_path: str, data: bytes, origin: ChangeOrigin, *, undoes: str = "") -> Change:
        """Give the file another path, its index line too."""
        return self.follow(self.moved(old_path, new_path, data, origin, undoes=undoes), data, data)

    def end(self) -> tuple[Change, ...]:
        """The block is over. When only an index line failed, that stays noted and is tried again later.

        Returns:
            What was changed in it, for those who listen; without the index keeper's own steps.
        """
        if self._waits and not (self._index_failed or self._stuck):
            self._unfinished.end()
            self._waits = False
        self._index_failed = self._stuck = False
        steps, self._steps = self._steps, []
        return tuple(step for step in steps if not step.by_keeper)

    # what a killed process left

    @property
    def left_over(self) -> bool:
        """Whether a change is under way: in another process now, or in one that is gone."""
        return self._unfinished.there

    def finish_left_over(self) -> None:
        """Finish what a process that was killed had begun: journal lines, index lines, the second half of a rename; take back half a group.

        A fault here is logged and never stands in the way of the next change; what it concerns is then as the disk has it.
        """
        if not self._unfinished.there:
            return
        left = self._unfinished.read()
        self._waits = True
        done = [change for change in left.changes if self._tried(self._finish, change)]
        half = [change for change in done if change.group and change.group not in left.whole]
        undone = {change.undoes for change in self.journal.read()} if half else set()
        self._reverse(change for change in half if change.id not in undone)
        topics = [change for change in done if change not in half and not self.is_index(change.path)]
        self._tried(self._follow_all, topics)

    def _tried(self, step: Callable[..., object], given: object) -> bool:
        try:
            return bool(step(given))
        except KeepsakeError as error:
            log.warning("an interrupted change of memory was not finished: %s", error.message)
            return False

    def _finish(self, change: Change) -> bool:
        """Complete one change whose file was reached; False when it was not, or when the file is another one by now."""
        data = self.current(change.path)
        if (digest(data) if data is not None else None) != change.after:
            return self.journal.holds(change.id)
        if not self.journal.holds(change.id):
            self.journal.append(change)
            self._steps.append(change)
            log.info("the interrupted change of %s is finished", change.path)
        if change.origin.actor != "outside" and not change.old_path:
            self.noted(change, self.journal.kept(change.before) if change.before else None, data)
        if change.old_path and data is not None and change.origin.actor != "outside" and self.current(change.old_path) == data:
            delete_beneath(self._root, change.old_path)
        return True

    def _follow_all(self, changes: Sequence[Change]) -> bool:
        return not changes or not self.sync_index_with(self.news_of(changes), changes[-1].origin)

    # the index

    def news_of(self, changes: Iterable[Change]) -> IndexNews:
        """What the index has to learn from changes that were made to topics; only their last state on disk counts."""
        added, removed, known = list[Note](), list[str](), list[Note]()
        renamed, edited = list[tuple[Note, Note]](), list[tuple[Note, Note]]()
        for change in changes:
            try:
                note = self._present_note(change.path)
            except StorageError as error:  # it is there: a reading that fails for now takes no line away
                self._index_waits(error)
                continue
            earlier = self._earlier_note(change)
            if note is None:
                removed.append(change.path)
            elif change.old_path:
                renamed.append((replace(note, path=change.old_path), note))
                added.append(note)
            elif change.origin.actor == "outside" and earlier is not None:
                edited.append((earlier, note))
            else:
                added.append(note)
            known += [earlier] if earlier is not None else []
        return IndexNews(tuple(added), tuple(renamed), tuple(removed), tuple(known), tuple(edited))

    def _present_note(self, path: str) -> Note | None:
        """The note at `path`, None when there is none (nothing, or a link in its place).

        Raises:
            StorageError: it cannot be read.
        """
        try:
            return read_note(self._root, path)
        except (NotFoundError, RefusedError):
            return None

    def _earlier_note(self, change: Change) -> Note | None:
        if change.before is None or change.old_path:
            return None
        try:
            return self._note(change.path, self.journal.kept(change.before))
        except NotFoundError:
            return None

    def sync_index_with(self, news: IndexNews, origin: ChangeOrigin) -> str:
        """Tell the index about topics; a warning when it could not be updated."""

        def edit(text: str) -> str:
            lines = set(text.replace("\r\n", "\n").split("\n")) if news.edited else set()
            added = [*news.added, *(new for old, new in news.edited if self._keeper.line_for(old) in lines)]
            return synced_many(self._keeper, text, added=added, renamed=news.renamed, removed=news.removed, known=news.known)

        return self.sync_index(edit, origin)

    def follow(self, change: Change, before: bytes | None, after: bytes | None) -> Change:
        """Keep the index in step with one changed topic; the change with a warning when that failed."""
        path, origin = change.path, change.origin
        if not self._indexed or path == INDEX_NAME:
            return change
        if change.old_path and after is not None:
            pair = (self._note(change.old_path, after), self._note(path, after))
            return self._warned(change, self.sync_index_with(IndexNews(added=(pair[1],), renamed=(pair,)), origin))
        known = (self._note(path, before),) if before is not None else ()
        if after is None:
            return self._warned(change, self.sync_index_with(IndexNews(removed=(path,), known=known), origin))
        return self._warned(change, self.sync_index_with(IndexNews(added=(self._note(path, after),), known=known), origin))

    def sync_index(self, edit: Callable[[str], str], origin: ChangeOrigin) -> str:
        """Change the index file. A failure never takes back the change of the memory: it is logged and given back as a warning."""
        if not self._indexed:
            return ""
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
            return self._index_waits(error)
        return ""

    def drop_index(self, origin: ChangeOrigin) -> None:
        """Take away an index that only the keeper's own lines had made. A failure is noted as for `sync_index`."""
        try:
            data = self.current(INDEX_NAME)
            if data is not None:
                change = self.remove(INDEX_NAME, data, "write", replace(origin, reason=INDEX_REASON))
                self._index_steps[""] = change.before
        except (StorageError, RefusedError) as error:
            self._index_waits(error)

    def _index_waits(self, error: KeepsakeError) -> str:
        """Note that the index is to be told again by the next change, or at the next start; the warning."""
        log.warning("the memory index was not updated: %s", error.message)
        self._index_failed = True
        return say("{name} could not be updated: {reason}", name=INDEX_NAME, reason=error.message)

    def without_index(self, change: Change, error: KeepsakeError) -> Change:
        """A change that is done, but whose index line could not even be tried; it is tried later."""
        if not self._indexed or change.path == INDEX_NAME:
            return change
        return self._warned(change, self._index_waits(error))

    def only_index_steps(self, base: str | None, now: str | None) -> bool:
        """Whether nothing but the keeper's own lines came in between two versions of the index."""
        step, goal, seen = now or "", base or "", set[str]()  # "": there is none
        while step != goal and step not in seen:
            seen.add(step)
            if step not in self._index_steps:
                return False
            step = self._index_steps[step] or ""
        return step == goal

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
        seen = {entry.target for entry in entries_of(decode_text(self.journal.kept(base))[0])} if base else set()
        fresh = {entry.target for entry in entries_of(decode_text(before)[0])} - seen
        return self._keeper.synced(text, added=[note for note in notes if note.path in fresh])

    def restore_lines(self, deleted: Change, changes: Sequence[Change], origin: ChangeOrigin) -> bool:
        """Bring back the index lines that went with a deletion, in their own words; False when there were none."""
        later = changes[changes.index(deleted) + 1 :]
        step = next((change for change in later if change.origin.actor != "outside" or change.by_keeper), None)
        if step is None or not step.by_keeper or step.before is None:
            return False
        earlier = decode_text(self.journal.kept(step.before))[0]
        self.sync_index(lambda text: self._keeper.with_lines_of(text, earlier, deleted.path), origin)
        return True

    def _note(self, path: str, data: bytes) -> Note:
        return note_of(path, parse(data), size=len(data), mtime_s=self._clock.now().timestamp())

    def _warned(self, change: Change, warning: str) -> Change:
        if not warning:
            return change
        warned = replace(change, warnings=(*change.warnings, warning))
        self._steps = [warned if step is change else step for step in self._steps]
        return warned
