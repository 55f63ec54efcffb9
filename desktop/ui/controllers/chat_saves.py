"""What a conversation did to memory: looks its changes up, takes them back and forth, remembers a message, finds where memories come from.

Between the chips of the chat and the stores of the open session; everything blocking goes through `bridge.operations`. The functions above
the class run in worker threads. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

from PySide6.QtCore import QObject, Signal

from desktop.base.clock import Clock
from desktop.base.confine import exists_beneath
from desktop.base.errors import ConflictError, KeepsakeError
from desktop.base.phrases import say
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import spoken
from desktop.memory.change import Change, undone_ids
from desktop.memory.history import text_of
from desktop.memory.memories import Memories
from desktop.memory.origins import SessionOrigins, origins_of
from desktop.memory.roots import PROJECT
from desktop.memory.store import MemoryStore
from desktop.messages.events import MemoryChangeRef
from desktop.ui.controllers.chat_standing import Standing, standing_of
from desktop.ui.memory.line_diff import Difference, difference
from desktop.ui.memory.rows import shown

if TYPE_CHECKING:
    from desktop.agent.remember import Remembered
    from desktop.agent.session import AgentSession

TAG = "chat-memory"
"""Toasts of acts on chips take each other's place."""
Target = Literal["project", "user"]


@dataclass(frozen=True, slots=True)
class ChangeDetail:
    """One change as it stands now.

    Attributes:
        ref: which one.
        label: the root's readable name.
        change: the journal's entry; None when it is no longer there.
        difference: what it changed; None when a text of it is no longer kept.
        undone_by: id of the change that took it back, or "".
        there: the file is there now.
    """

    ref: MemoryChangeRef
    label: str
    change: Change | None
    difference: Difference | None
    undone_by: str = ""
    there: bool = True

    @property
    def path(self) -> str:
        """Where the change left the memory; for a deletion, where it was."""
        return self.change.path if self.change is not None else self.ref.path


def taken_back_by(changes: Sequence[Change], change_id: str) -> str:
    """Id of the change that takes this one back at present, or ""."""
    undone = undone_ids(changes)
    return next((one.id for one in reversed(changes) if one.undoes == change_id and one.id not in undone), "")


def read_details(memories: Memories, refs: Sequence[MemoryChangeRef]) -> list[ChangeDetail]:
    """The changes with what they changed. Never raises: what cannot be read has no entry or no difference."""
    return [_detail(memories, ref) for ref in refs]


def _detail(memories: Memories, ref: MemoryChangeRef) -> ChangeDetail:
    try:
        store = memories.store(ref.root)
        changes = store.journal.read() if ref.change else []
    except KeepsakeError:
        return ChangeDetail(ref, ref.root, None, None, there=False)
    label = spoken(store.memory_root.label)
    change = next((one for one in changes if one.id == ref.change), None)
    path = change.path if change is not None else ref.path
    there = exists_beneath(store.root, path)
    if change is None:
        return ChangeDetail(ref, label, None, None, there=there)
    return ChangeDetail(ref, label, change, _difference(store, change), taken_back_by(changes, change.id), there)


def _difference(store: MemoryStore, change: Change) -> Difference | None:
    try:
        before, after = (text_of(store, one) if one else "" for one in (change.before, change.after))
    except KeepsakeError:
        return None
    return difference(before, after)


@dataclass(frozen=True, slots=True)
class Reversed:
    """Changes that were taken back, or put in again: what would reverse that, newest first, and where it stopped."""

    done: tuple[MemoryChangeRef, ...]
    failure: Failure | None = None


def undo_all(memories: Memories, refs: Sequence[MemoryChangeRef]) -> Reversed:
    """Take changes back, newest first; each is undone with those of its act. The first that cannot be undone ends it."""
    done: list[MemoryChangeRef] = []
    groups: set[tuple[str, str]] = set()
    for ref in reversed(refs):
        try:
            store = memories.store(ref.root)
            changes = store.journal.read()
            wanted = next((one for one in changes if one.id == ref.change), None)
            if wanted is not None and ((ref.root, wanted.group) in groups or taken_back_by(changes, ref.change)):
                continue
            made = store.undo(ref.change)
        except KeepsakeError as error:
            return Reversed(tuple(done), Failure.of(_explained(error)))
        if wanted is not None and wanted.group:
            groups.add((ref.root, wanted.group))
        done.append(MemoryChangeRef(ref.root, made.path, made.id, made.op))
    return Reversed(tuple(done))


def _explained(error: KeepsakeError) -> KeepsakeError:
    """A conflict without a way out gets one."""
    if isinstance(error, ConflictError) and not error.hint:
        return ConflictError(error.message, hint=say("Open the memory and look at its history."), detail=error.detail)
    return error


def preview_of(text: str) -> tuple[str, str]:
    """Name and type of a memory that says this; both empty for an empty text."""
    from desktop.agent.remember import kind_of_fact
    from desktop.memory.absolute_dates import without_relative
    from desktop.providers.embedded_notes import made_name

    # “next Friday” in a name would be another day in a week
    return (made_name(without_relative(text) or text), kind_of_fact(text)) if text.strip() else ("", "")


def place_at(memories: Memories, path: str) -> tuple[str, str]:
    """Root id and relative path of a file that a report names, absolutely or below the project's root; empty when it is no memory."""
    if not path:
        return "", ""
    place = Path(path)
    if not place.is_absolute():
        return PROJECT, path
    found = memories.root_at(place)
    return (found[0].id, found[1]) if found is not None else ("", "")


class ChatSaves(QObject):
    """Acts on memory from within the chat, in the open session.

    Signals:
        notice_requested(kind, text, actions, tag): say this in a toast.
        changed(): memory was changed by one of these acts.
        origins_changed(SessionOrigins): where the memories of the open conversation come from, as far as it is known now.
        open_requested(path, root id): show this memory.
    """

    notice_requested = Signal(str, str, object, str)
    changed = Signal()
    origins_changed = Signal(object)
    open_requested = Signal(str, str)

    def __init__(
        self, session: Callable[[], AgentSession | None], operations: Operations, clock: Clock, parent: QObject | None = None
    ) -> None:
        """Args:
        session: gives the open session, or None.
        """
        super().__init__(parent)
        self._session = session
        self._clock = clock
        self._operations = operations
        self._reading = 0
        self._again = False

    # --- looking -----------------------------------------------------------------------------------------------------

    def look(self, refs: Sequence[MemoryChangeRef], done: Callable[[list[ChangeDetail]], None]) -> int:
        """Read what these changes are; `done` follows in this thread. The number is for `forget`; 0 when no session is open."""
        session, wanted = self._session(), tuple(refs)
        if session is None:
            return 0
        memories = session.memories
        return self._operations.read(lambda: read_details(memories, wanted), done, self._failed)

    def stand(self, changes: Collection[tuple[str, str]], proposals: Collection[str], done: Callable[[Standing | None], None]) -> int:
        """Read how what chips count stands; `done` follows, with None where it cannot be read for now. The number is for `forget`."""
        session = self._session()
        if session is None:
            return 0
        memories = session.memories
        return self._operations.read(lambda: standing_of(memories, changes, proposals), done, lambda _failure: done(None))

    def open_path(self, path: str) -> None:
        """Show the memory at a path of a load report; what is no memory of ours is left alone."""
        session = self._session()
        if session is not None:
            memories = session.memories
            self._operations.read(lambda: place_at(memories, path), self._place_found, self._failed)

    def _place_found(self, place: tuple[str, str]) -> None:
        root, path = place
        if path and path != ".":
            self.open_requested.emit(path, root)

    def forget(self, number: int) -> None:
        """What was asked for is not wanted any more."""
        self._operations.forget(number)

    def refresh_origins(self) -> None:
        """Look again where memories come from; one look at a time."""
        session = self._session()
        if session is None:
            self.origins_changed.emit(SessionOrigins())
            return
        if self._reading:
            self._again = True
            return
        memories, session_id = session.memories, session.id

        def done(origins: SessionOrigins) -> None:
            self._origins_read(session_id, origins)

        self._reading = self._operations.read(lambda: origins_of(memories, session_id), done, self._origins_failed)

    def _origins_read(self, session_id: str, origins: SessionOrigins) -> None:
        self._reading = 0
        session = self._session()
        if session is not None and session.id == session_id:
            self.origins_changed.emit(origins)
        if self._again:
            self._again = False
            self.refresh_origins()

    def _origins_failed(self, failure: Failure) -> None:
        self._reading, self._again = 0, False
        self._failed(failure)

    # --- changing ----------------------------------------------------------------------------------------------------

    def undo(self, refs: Sequence[MemoryChangeRef], done: Callable[[], None] | None = None) -> None:
        """Take changes back; a toast says so and offers to put them in again."""
        self._reverse(refs, done, back=True)

    def redo(self, refs: Sequence[MemoryChangeRef], done: Callable[[], None] | None = None) -> None:
        """Put changes in again by taking back the changes that took them back."""
        self._reverse(refs, done, back=False)

    def _reverse(self, refs: Sequence[MemoryChangeRef], done: Callable[[], None] | None, *, back: bool) -> None:
        session, wanted = self._session(), tuple(refs)
        if session is None or not wanted:
            return
        memories = session.memories

        def finished(result: Reversed) -> None:
            self._say_reversed(result, back=back)
            if done is not None:
                done()

        self._operations.write(lambda: undo_all(memories, wanted), finished, self._failed)

    def _say_reversed(self, result: Reversed, *, back: bool) -> None:
        if result.done:
            first, count = shown(result.done[0].path), len(result.done)
            one, many = (
                (self.tr("Undone: “{path}”."), self.tr("%n changes are undone.", "", count))
                if back
                else (self.tr("Redone: “{path}”."), self.tr("%n changes are redone.", "", count))
            )
            text = one.format(path=first) if count == 1 else many
            refs = result.done[::-1]
            label = self.tr("Redo") if back else self.tr("Undo")
            act: Callable[[], object] = (lambda: self.redo(refs)) if back else (lambda: self.undo(refs))
            self.notice_requested.emit("info", text, [(label, act)], TAG)
        if result.failure is not None:
            self._failed(result.failure)
        self._touched()

    def preview(self, text: str, done: Callable[[tuple[str, str]], None]) -> None:
        """The name and the type that a memory of this text would get; `done` follows."""
        self._operations.read(lambda: preview_of(text), done, self._failed)

    def remember(self, text: str, to: Target, message_id: str, done: Callable[[], None], failed: Callable[[Failure], None]) -> None:
        """Remember a text of the conversation as the person's own act; a toast says where it stands and offers Undo and Open."""
        session = self._session()
        if session is None:
            failed(Failure(self.tr("No chat is open.")))
            return
        memories, session_id, clock = session.memories, session.id, self._clock

        def work() -> Remembered:
            from desktop.agent.remember import remember

            return remember(memories, text, to=to, session_id=session_id, message_id=message_id, clock=clock)

        def finished(result: Remembered) -> None:
            self._remembered(result)
            done()

        self._operations.write(work, finished, failed)

    def _remembered(self, result: Remembered) -> None:
        actions: list[tuple[str, Callable[[], Any]]] = []
        if result.change is not None:
            refs = result.changes or (MemoryChangeRef(result.root, result.change.path, result.change.id, result.change.op),)
            actions.append((self.tr("Undo"), lambda: self.undo(refs)))
        if result.path:
            actions.append((self.tr("Open"), lambda: self.open_requested.emit(result.path, result.root)))
        self.notice_requested.emit("info", spoken(result.message), actions, TAG)
        self._touched()

    def _touched(self) -> None:
        self.changed.emit()
        self.refresh_origins()

    def _failed(self, failure: Failure) -> None:
        self.notice_requested.emit("warning", failure.text(), [], "")


__all__ = ["ChangeDetail", "ChatSaves", "Reversed", "read_details", "taken_back_by", "undo_all"]
