"""One step of a change: snapshot, note, write, journal line, and back again when one of them fails; blocks of steps that belong together.

Owns the order of these and the way back. Judges nothing, holds no lock, compares no versions and keeps no index: `Changing` and the store
do that around it. Blocking; only called with the store's lock held.
"""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path

from desktop.base.clock import Clock
from desktop.base.confine import delete_beneath, read_beneath, write_beneath
from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError, StorageError
from desktop.base.ids import ulid
from desktop.base.phrases import say
from desktop.base.textio import digest
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.gate import Operation
from desktop.memory.journal import Journal
from desktop.memory.unfinished import Unfinished

log = logging.getLogger(__name__)
Noted = Callable[[Change, bytes | None, bytes | None], None]


def changed_again(path: str) -> ConflictError:
    """The error for an undo of what was changed since."""
    return ConflictError(
        say("{path} was changed again since.", path=path),
        hint=say("Undo the later change first, or restore the older text by hand."),
    )


def taken(path: str) -> ConflictError:
    """The error for a name that is in use."""
    return ConflictError(say("{path} exists already.", path=path), hint=say("Choose another name."))


class Steps:
    """Makes the steps of one root.

    Attributes:
        journal: its journal, snapshots and trash.
        noted: told of every journalled change of a content, with the bytes before and after; set by the store.
        group: given to every change while a block of changes that belong together runs; "" otherwise.
    """

    def __init__(self, root: Path, journal: Journal, unfinished: Unfinished, clock: Clock, *, noted: Noted | None = None) -> None:
        self.journal = journal
        self.group = ""
        self.noted: Noted = noted or (lambda change, before, after: None)
        self._root = root
        self._unfinished = unfinished
        self._clock = clock
        self._waits = False
        self._stuck = False
        self._steps: list[Change] = []

    # what is there

    def current(self, path: str) -> bytes | None:
        """What stands at `path` now, None when nothing does."""
        try:
            return read_beneath(self._root, path)
        except NotFoundError:
            return None

    def _stands(self, path: str) -> bool:
        try:
            return self.current(path) is not None
        except KeepsakeError:
            return False

    def change(
        self, op: Operation, path: str, before: str | None, after: str | None, origin: ChangeOrigin,
        *, old_path: str = "", undoes: str = "", warnings: tuple[str, ...] = (), merged: bool = False,
    ) -> Change:  # fmt: skip
        """A change as a value."""
        now = self._clock.now()
        group = "" if origin.actor == "outside" else self.group
        return Change(f"chg_{ulid(now)}", now, op, path, before, after, origin, old_path, undoes, warnings, group, merged)

    def new_group(self) -> str:
        """A name for changes that belong together."""
        return f"grp_{ulid(self._clock.now())}"

    # one step

    def apply(
        self, path: str, before: bytes | None, data: bytes, op: Operation, origin: ChangeOrigin,
        *, undoes: str = "", warnings: tuple[str, ...] = (), merged: bool = False,
    ) -> Change:  # fmt: skip
        """Put `data` at `path`. The new content is kept too, so that a change by another program can be shown against it."""
        self._witness(path, before)
        old = self.journal.keep(before) if before is not None else None
        new = self.journal.keep(data)
        change = self.change(op, path, old, new, origin, undoes=undoes, warnings=warnings, merged=merged)
        self._begin(change)
        with self._whole(path, before):
            write_beneath(self._root, path, data)
        self._record(change, lambda: self._put_back(path, before))
        self.noted(change, before, data)
        return change

    def remove(self, path: str, data: bytes, op: Operation, origin: ChangeOrigin, *, undoes: str = "") -> Change:
        """Move the file at `path`, which holds `data`, to the trash."""
        self._witness(path, data)
        old = self.journal.keep(data)
        change = self.change(op, path, old, None, origin, undoes=undoes)
        binned = self.journal.discard(change.id, path, data)
        try:
            self._begin(change)
            with self._whole(path, data):
                delete_beneath(self._root, path)
            self._record(change, lambda: self._put_back(path, data))
        except KeepsakeError:
            with suppress(OSError):  # what was not deleted is not in the trash either
                binned.unlink()
                binned.parent.rmdir()
            raise
        self.noted(change, data, None)
        return change

    def moved(self, old_path: str, new_path: str, data: bytes, origin: ChangeOrigin, *, undoes: str = "") -> Change:
        """Give the file another path; no index line."""
        self._witness(old_path, data)
        self._witness(new_path, None)
        kept = self.journal.keep(data)
        op: Operation = "restore" if undoes else "rename"
        change = self.change(op, new_path, kept, kept, origin, old_path=old_path, undoes=undoes)
        self._begin(change)
        with self._whole(new_path, None):
            write_beneath(self._root, new_path, data)
        try:
            delete_beneath(self._root, old_path)
        except KeepsakeError:
            if not self._stands(old_path):  # the name was gone already when flushing the folder failed
                self._put_back(old_path, data)
            self._put_back(new_path, None)
            raise

        def back() -> None:
            self._put_back(old_path, data)
            self._put_back(new_path, None)

        self._record(change, back)
        return change

    def _begin(self, change: Change) -> None:
        self._unfinished.begin(change)
        self._waits = True

    @contextmanager
    def _whole(self, path: str, before: bytes | None) -> Iterator[None]:
        """A step that fails leaves what was there before, also when it failed behind the replacement (flushing the folder)."""
        try:
            yield
        except StorageError:
            try:
                if self.current(path) != before:
                    self._put_back(path, before)
            except KeepsakeError:
                self._stuck = True
            raise

    def _record(self, change: Change, back: Callable[[], None]) -> None:
        """Journal a change that was made; when that fails it is taken back, so that nothing happens without a trace."""
        try:
            self.journal.append(change)
        except StorageError:
            back()
            raise
        self._steps.append(change)

    def _put_back(self, path: str, data: bytes | None) -> None:
        """What was there before; when even that fails, the change stays noted, and the next one finishes it."""
        try:
            if data is None:
                delete_beneath(self._root, path)
            else:
                write_beneath(self._root, path, data)
        except KeepsakeError as error:  # the error that led here is the one to be shown
            log.warning("%s could not be put back: %s", path, error.message)
            self._stuck = True

    # what others did

    def record_outside(self, changes: Sequence[Change]) -> None:
        """Journal what another program did; its contents are kept already.

        Raises:
            StorageError: the journal could not be written.
        """
        if changes:
            self._unfinished.begin(changes)
            self._waits = True
            self.journal.append(changes)
            self._steps += changes

    def _witness(self, path: str, before: bytes | None) -> None:
        """Journal what another program made of `path` before it is changed here, so that nobody is blamed for it, and its text is kept."""
        known = self.journal.content(path)
        now = digest(before) if before is not None else None
        if now == known or (known is None and not self.journal.observed):
            return
        if before is not None:
            self.journal.keep(before)
        op: Operation = "write" if now else "delete"
        self.record_outside([self.change(op, path, known, now, ChangeOrigin("outside"))])

    # blocks of changes

    @contextmanager
    def grouped(self, group: str) -> Iterator[None]:
        """Changes that belong together: all are made or, when one fails or the process is killed, none. Inside another: part of it."""
        if not group or self.group:
            yield
            return
        self.group, start = group, len(self._steps)
        try:
            yield
            if len(self._steps) > start:
                self._unfinished.whole(group)
        except BaseException:
            self.group = ""
            self._reverse([step for step in self._steps[start:] if step.group == group])
            raise
        finally:
            self.group = ""

    def _reverse(self, steps: Iterable[Change]) -> None:
        """Take back journalled steps, newest first; what another program changed meanwhile stays as it is."""
        for step in reversed(list(steps)):
            try:
                reason = step.origin.reason if step.by_keeper else f"taken back: {step.id}"
                self.reverse(step, replace(step.origin, reason=reason))
            except KeepsakeError as error:
                log.warning("the change of %s could not be taken back: %s", step.path, error.message)

    def reverse(self, step: Change, origin: ChangeOrigin) -> Change | None:
        """Put back what was there before one change; nothing else, no index line.

        Returns:
            The change that did it; None when it had changed nothing.

        Raises:
            ConflictError: the file is another one by now.
            NotFoundError: the older text is no longer kept.
        """
        data = self.current(step.path)
        if (digest(data) if data is not None else None) != step.after:
            raise changed_again(step.path)
        if step.old_path and data is not None:
            if self.current(step.old_path) is not None:
                raise taken(step.old_path)
            return self.moved(step.path, step.old_path, data, origin, undoes=step.id)
        if step.before is not None:
            return self.apply(step.path, data, self.journal.kept(step.before), "restore", origin, undoes=step.id)
        return self.remove(step.path, data, "restore", origin, undoes=step.id) if data is not None else None
