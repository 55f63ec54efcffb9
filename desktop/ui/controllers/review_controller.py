"""The review inbox of the opened folder: reads what waits, follows the inboxes, and carries out the person's word, each undoable.

Every call of a service runs through `bridge.operations`. Decisions that follow each other share a toast, whose Undo takes all of them
back. Follows the inboxes by their own emitters and, for what other processes put there, by the folder watch. GUI thread.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QTimer, Signal
from PySide6.QtGui import QGuiApplication

from desktop.base.errors import ConflictError, KeepsakeError, NotFoundError
from desktop.base.phrases import say
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.post import posting
from desktop.bridge.watcher import MemoryWatcher
from desktop.memory.memories import Memories
from desktop.ui.memory.review_model import ReviewComparison, ReviewPicture, ReviewRow, compare_proposal, read_review
from desktop.ui.memory.rows import shown

if TYPE_CHECKING:
    from desktop.base.clock import Clock
    from desktop.compose import Services, Workspace
    from desktop.memory.change import Change

Verdict = Literal["accept", "reject"]
GATHER_MS = 60
"""A batch that comes in is read once."""

TOGETHER_S = 10.0
MOST_STEPS = 500


@dataclass(frozen=True, slots=True)
class Decision:
    """One word of the person, with what takes it back.

    Attributes:
        change: id of the change that it made; "" for a rejection, or when the memory said it already.
        deletes: it was about deleting the file.
    """

    root: str
    proposal: str
    path: str
    change: str = ""
    deletes: bool = False


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of several: what is decided, which file no longer fits, the first other failure, and the ids of what still waits."""

    done: tuple[Decision, ...]
    conflicts: tuple[str, ...] = ()
    failure: Failure | None = None
    left: tuple[str, ...] = ()


def decide(memories: Memories, verdict: Verdict, rows: Sequence[ReviewRow], *, text: str | None = None, over: str | None = None) -> Decided:
    """Accept or reject each; one that fails does not keep the others from it. Blocking."""
    done: list[Decision] = []
    conflicts: list[str] = []
    failure: Failure | None = None
    left: list[str] = []
    for row in rows:
        proposal = row.proposal
        store, deletes = memories.store(proposal.root), proposal.op == "delete"
        try:
            if verdict == "accept":
                change = store.proposals.accept(proposal.id, store, text=text, over=over)
                done.append(Decision(proposal.root, proposal.id, proposal.path, change.id if change.changed else "", deletes))
            else:
                store.proposals.reject(proposal.id)
                done.append(Decision(proposal.root, proposal.id, proposal.path, deletes=deletes))
        except ConflictError:
            conflicts.append(proposal.path)
            left.append(proposal.id)
        except KeepsakeError as error:
            failure = failure or Failure.of(error)
            left.append(proposal.id)
    return Decided(tuple(done), tuple(conflicts), failure, tuple(left))


def take_back(memories: Memories, decisions: Sequence[Decision]) -> Decided:
    """Undo decisions, newest first. Blocking."""
    done: list[Decision] = []
    failure: Failure | None = None
    for one in reversed(decisions):
        store = memories.store(one.root)
        try:
            store.proposals.take_back(one.proposal, store, change_id=one.change)
            done.append(one)
        except KeepsakeError as error:
            failure = failure or Failure.of(error)
    return Decided(tuple(done), (), failure)


class ReviewController(QObject):
    """One for the window; `set_workspace` moves it to another folder.

    Attributes:
        picture: what waits, as it was read last, without what is being decided; empty without a folder.

    Signals:
        changed(ReviewPicture): other proposals wait, or the first picture is there.
        arrived(int): so many came in since the last picture.
        decided(Decided): the person's word was carried out or taken back; memory may have changed.
        conflicted(): the file of a proposal that was to be accepted changed meanwhile.
        touched(path): a memory of that path was changed by somebody.
        notice_requested(kind, text, actions, tag): a toast; actions are (label, callable).
    """

    changed = Signal(object)
    arrived = Signal(int)
    decided = Signal(object)
    conflicted = Signal()
    touched = Signal(str)
    notice_requested = Signal(str, str, object, str)

    def __init__(self, services: Services, operations: Operations, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._services = services
        self._operations = operations
        self._workspace: Workspace | None = None
        self._watchers: list[MemoryWatcher] = []
        self._unsubscribe: list[Callable[[], None]] = []
        self._reading = 0
        self._again = self._known = False
        self._steps: dict[Verdict, list[Decision]] = {"accept": [], "reject": []}
        self._last = 0.0
        self._deciding: set[str] = set()
        self._hidden: frozenset[str] = frozenset()
        self._met: set[str] = set()
        self.picture = ReviewPicture(())
        self._gather = QTimer(self)
        self._gather.setSingleShot(True)
        self._gather.setInterval(GATHER_MS)
        self._gather.timeout.connect(self.refresh)

    @property
    def workspace(self) -> Workspace | None:
        return self._workspace

    @property
    def clock(self) -> Clock:
        return self._services.clock

    @property
    def operations(self) -> Operations:
        return self._operations

    @property
    def is_reading(self) -> bool:
        return bool(self._reading) or self._gather.isActive()

    def _on_inbox(self, _count: int) -> None:
        self._gather.start()

    def _on_memory(self, change: Change) -> None:
        self.touched.emit(change.path)

    def set_workspace(self, workspace: Workspace | None) -> None:
        """Follow the inboxes of another folder, or of none."""
        self.close()
        self._workspace = workspace
        self._known = False
        self._met.clear()
        self.picture = ReviewPicture(())
        self.changed.emit(self.picture)
        for store in workspace.memories.own() if workspace is not None else ():
            self._unsubscribe.append(store.proposals.changed.subscribe(posting(self._on_inbox)))
            self._unsubscribe.append(store.changed.subscribe(posting(self._on_memory)))
            watcher = MemoryWatcher(self)
            watcher.changed.connect(self._gather.start)
            watcher.start(store.proposals.folder)
            self._watchers.append(watcher)
        self.refresh()

    def close(self) -> None:
        """Stop following. Called before the window goes."""
        self._gather.stop()
        for watcher in self._watchers:
            watcher.stop()
            watcher.deleteLater()
        self._watchers.clear()
        for unsubscribe in self._unsubscribe:
            unsubscribe()
        self._unsubscribe.clear()
        self._operations.forget(self._reading)
        self._reading = 0
        self._again = False
        self._deciding.clear()
        self._forget_steps()

    # -- reading ---------------------------------------------------------------------------------------------------------------------

    def refresh(self) -> None:
        """Read again. While that is under way one more round is kept waiting."""
        workspace = self._workspace
        if workspace is None:
            return
        if self._reading:
            self._again = True
            return
        memories = workspace.memories
        self._hidden = frozenset(self._deciding)  # what this look may still find although it is decided when it ends
        self._reading = self._operations.read(lambda: read_review(memories), self._on_read, self._on_failed)

    def _on_read(self, picture: ReviewPicture) -> None:
        self._reading = 0
        before, known = self.picture, self._known
        picture = self._without(picture, self._hidden | self._deciding)
        self.picture, self._known = picture, True
        fresh = len(picture.ids - self._met)  # what waits again was told when it came
        self._met |= picture.ids
        if picture != before or not known:
            self.changed.emit(picture)
        if known and fresh:
            self.arrived.emit(fresh)
        if self._again:
            self._again = False
            self.refresh()

    @staticmethod
    def _without(picture: ReviewPicture, ids: Collection[str]) -> ReviewPicture:
        return replace(picture, rows=tuple(row for row in picture.rows if row.key not in ids))

    def compare(self, row: ReviewRow, done: Callable[[ReviewComparison], None], failed: Callable[[Failure], None]) -> int:
        """Read what one proposal would change; the number of the work."""
        workspace = self._workspace
        if workspace is None:
            return 0
        memories, proposal = workspace.memories, row.proposal
        return self._operations.read(lambda: compare_proposal(memories.store(proposal.root), proposal), done, failed)

    # -- the person's word -----------------------------------------------------------------------------------------------------------

    def accept(self, rows: Sequence[ReviewRow], *, text: str | None = None, over: str | None = None) -> None:
        """Make these changes.

        Args:
            text: for one: what the person made of its text.
            over: for one: digest of the file as they saw it, which the proposal replaces although it changed meanwhile.
        """
        self._decide("accept", rows, text=text, over=over)

    def reject(self, rows: Sequence[ReviewRow]) -> None:
        """Put these aside; the same is not proposed again."""
        self._decide("reject", rows)

    def _decide(self, verdict: Verdict, rows: Sequence[ReviewRow], *, text: str | None = None, over: str | None = None) -> None:
        workspace = self._workspace
        chosen = tuple(row for row in rows if row.key not in self._deciding)
        if workspace is None or not chosen:
            return
        memories, ids = workspace.memories, frozenset(row.key for row in chosen)
        self._deciding |= ids
        if text is None:  # who decides one after the other goes on at once; what could not be decided comes back
            self.picture = self._without(self.picture, ids)
            self.changed.emit(self.picture)
        self._operations.write(
            lambda: decide(memories, verdict, chosen, text=text, over=over),
            partial(self._on_decided, verdict, ids),
            partial(self._on_not_decided, ids),
        )

    def _on_not_decided(self, ids: frozenset[str], failure: Failure) -> None:
        self._deciding -= ids
        self._hidden -= ids  # a look that is under way may show them: they wait on
        self.notice_requested.emit("error", failure.text(), [], "review-failed")
        self.refresh()
        self.decided.emit(Decided((), (), failure, tuple(ids)))

    def _on_decided(self, verdict: Verdict, ids: frozenset[str], decided: Decided) -> None:
        self._deciding -= ids
        self._hidden -= frozenset(decided.left)
        if decided.done:
            steps = self._gathered(verdict, decided.done)
            text = self._decided_text(verdict, steps)
            self.notice_requested.emit("info", text, [(self.tr("Undo"), lambda: self._take_back(steps))], f"review-{verdict}")
        if decided.conflicts:
            text = self.tr("{path} changed meanwhile: see both and choose.").format(path=shown(decided.conflicts[0]))
            if len(decided.conflicts) > 1:
                text = self.tr("%n files changed meanwhile: see both and choose.", "", len(decided.conflicts))
            self.notice_requested.emit("warning", text, [], "review-conflict")
            self.conflicted.emit()
        if decided.failure is not None:
            self.notice_requested.emit("error", decided.failure.text(), [], "review-failed")
        self.refresh()
        self.decided.emit(decided)

    def _gathered(self, verdict: Verdict, done: Sequence[Decision]) -> tuple[Decision, ...]:
        """What the next toast stands for: these, and the last of the same kind."""
        now = self.clock.monotonic()
        if now - self._last > TOGETHER_S or len(self._steps[verdict]) > MOST_STEPS:
            self._forget_steps()
        self._last = now
        self._steps[verdict] += done
        return tuple(self._steps[verdict])

    def _forget_steps(self) -> None:
        self._steps = {"accept": [], "reject": []}

    def _decided_text(self, verdict: Verdict, steps: Sequence[Decision]) -> str:
        path, count = shown(steps[0].path), len(steps)
        if count > 1:
            accepted = verdict == "accept"
            return self.tr("%n proposals are accepted.", "", count) if accepted else self.tr("%n proposals are rejected.", "", count)
        if verdict == "reject":
            return self.tr("“{path}” is rejected.").format(path=path)
        return (self.tr("“{path}” is deleted.") if steps[0].deletes else self.tr("“{path}” is remembered.")).format(path=path)

    def _take_back(self, steps: Sequence[Decision]) -> None:
        workspace = self._workspace
        if workspace is None:
            return
        self._forget_steps()
        memories = workspace.memories
        self._operations.write(lambda: take_back(memories, steps), self._on_taken_back, self._on_failed)

    def _on_taken_back(self, decided: Decided) -> None:
        if decided.done:
            path = shown(decided.done[0].path)
            one = self.tr("“{path}” waits for your review again.").format(path=path)
            count = len(decided.done)
            text = one if count == 1 else self.tr("%n proposals wait for your review again.", "", count)
            self.notice_requested.emit("info", text, [], "review-accept")
        if decided.failure is not None:
            self.notice_requested.emit("error", decided.failure.text(), [], "review-failed")
        self.refresh()
        self.decided.emit(decided)

    def keep_text(self, text: str, *, decided: bool = True) -> None:
        """What was typed for a proposal that is decided by now, or that is left: it can still be copied."""

        def copy() -> None:
            QGuiApplication.clipboard().setText(text)

        said = self.tr("The proposal that you were editing was decided elsewhere. Your text is not saved.")
        said = said if decided else self.tr("Your text is not saved.")
        self.notice_requested.emit("warning", said, [(self.tr("Copy Your Text"), copy)], "")

    def set_aside_damaged(self) -> None:
        """Rename the files that cannot be read, so that they are counted no more."""
        workspace = self._workspace
        if workspace is None:
            return
        stores = workspace.memories.own()

        def work() -> int:
            aside = [file for store in stores for file in store.proposals.set_aside_damaged()]
            if not aside:
                raise NotFoundError(say("There is nothing to set aside any more."))
            return len(aside)

        self._operations.write(work, self._on_set_aside, self._on_failed)

    def _on_set_aside(self, count: int) -> None:
        self.notice_requested.emit("info", self.tr("%n files are set aside.", "", count), [], "review-damaged")
        self.refresh()

    def _on_failed(self, failure: Failure) -> None:
        self._reading = 0
        self.notice_requested.emit("error", failure.text(), [], "review-failed")
