"""What the person does to memories: each act runs on the writer, says in a toast what it did, and offers to take it back as a whole.

Toasts of one kind take each other's place: who deletes ten memories one by one gets one toast, whose Undo brings back all ten. GUI thread.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import TYPE_CHECKING, Literal

from PySide6.QtCore import QObject, QUrl, Signal
from PySide6.QtGui import QDesktopServices, QGuiApplication

from desktop.bridge.operations import Failure
from desktop.bridge.spoken import sentences
from desktop.memory.decisions import Decision
from desktop.memory.memories import Memories
from desktop.ui.controllers import memory_changes as changes
from desktop.ui.controllers.memory_changes import Act, Place, Step
from desktop.ui.memory.rows import shown

if TYPE_CHECKING:
    from desktop.ui.controllers.memory_controller import MemoryController

Kind = Literal["delete", "rename", "move", "pin", "back", "undo"]
TOGETHER_S = 10.0
"""Acts of one kind that follow each other within this time share a toast."""

MOST_STEPS = 2_000
MOST_ACTS = 20
"""Acts that “undo last” still takes back as a whole; older ones change by change."""


class MemoryActs(QObject):
    """See the module's text.

    Signals:
        renamed(root id, old path, new path): a memory has another path in its root now.
        moved(root id, path, new root id, new path): a memory lies in another root now.
        placed(root id, path): a memory came here by an act of the person and should be seen.
    """

    renamed = Signal(str, str, str)
    moved = Signal(str, str, str, str)
    placed = Signal(str, str)

    def __init__(self, controller: MemoryController) -> None:
        super().__init__(controller)
        self._controller = controller
        self._kind: Kind | None = None
        self._steps: list[Step] = []
        self._last = 0.0
        self._acts: deque[list[Step]] = deque(maxlen=MOST_ACTS)
        self._offered: dict[Kind, list[Step]] = {}
        self._undoing: deque[str] = deque(maxlen=MOST_STEPS)

    def forget(self) -> None:
        """Another folder is open: its acts are not shared with those of the last."""
        self._kind, self._steps = None, []

    # -- looking ---------------------------------------------------------------------------------------------------------------------

    def copy_path(self, root: str, path: str) -> None:
        QGuiApplication.clipboard().setText(self._controller.full_path(root, path))

    def copy_text(self, root: str, path: str) -> None:
        """The file's whole text to the clipboard."""
        store = self._controller.store(root)
        if store is not None:
            self._controller.operations.read(lambda: store.read(path).text, self._to_clipboard, self._on_failed)

    def reveal(self, root: str, path: str) -> None:
        """Show the folder that holds the file in the system's file manager."""
        place = PurePosixPath(self._controller.full_path(root, path))
        QDesktopServices.openUrl(QUrl.fromLocalFile(str(place.parent if path else place)))

    # -- changing --------------------------------------------------------------------------------------------------------------------

    def delete(self, places: Sequence[Place]) -> None:
        """Move memories to the trash."""
        self._act("delete", places, lambda memories: changes.delete_all(memories, tuple(places)))

    def rename(self, root: str, path: str, name: str) -> None:
        """Give a memory another name; with `/` in it, another folder. An existing file is never replaced."""
        target = changes.renamed_path(path, name)
        self._act("rename", [(root, path)], lambda memories: changes.rename(memories, root, path, target))

    def rename_folder(self, root: str, folder: str, name: str) -> None:
        """Give a folder another name; with `/` in it, another place."""
        target = changes.renamed_path(folder, name).removesuffix(".md")
        self._act("move", [(root, folder)], lambda memories: changes.rename_folder(memories, root, folder, target))

    def move(self, places: Sequence[Place], root: str, folder: str) -> None:
        """Move memories into a folder of a root; `folder` empty: its top."""
        self._act("move", places, lambda memories: changes.move_all(memories, tuple(places), root, folder))

    def pin(self, places: Sequence[Place], on: bool) -> None:
        self._act("pin", places, lambda memories: changes.pin_all(memories, tuple(places), on))

    def put_back(self, root: str, change_id: str) -> None:
        """Bring a deleted memory back from the trash."""
        self._act("back", [(root, "")], lambda memories: changes.put_back(memories, root, change_id))

    def undo(self, steps: Sequence[Step]) -> None:
        """Take acts back, newest first."""
        self._act("undo", [("", "")], lambda memories: changes.undo_steps(memories, tuple(steps)))

    def undo_last(self) -> None:
        """Take back the newest change of memory, by whomever; with all that the person did in one go with it."""
        acts = tuple(map(tuple, self._acts))
        self._act("undo", [("", "")], lambda memories: changes.undo_last(memories, acts))

    def _act(self, kind: Kind, places: Sequence[Place], work: Callable[[Memories], Act]) -> None:
        workspace = self._controller.workspace
        if workspace is None or not places:
            return
        memories = workspace.memories
        done: Callable[[Act], None] = {
            "delete": self._on_deleted, "rename": self._on_moved, "move": self._on_moved, "pin": self._on_pinned,
            "back": self._on_restored, "undo": self._on_undone,
        }[kind]  # fmt: skip
        self._controller.operations.write(lambda: work(memories), done, self._on_failed)

    # -- saying ----------------------------------------------------------------------------------------------------------------------

    def _gather(self, kind: Kind, steps: Sequence[Step]) -> list[Step]:
        """The steps that the next toast stands for: these, and those of the last acts of the same kind."""
        now = self._controller.clock.monotonic()
        if kind != self._kind or now - self._last > TOGETHER_S or len(self._steps) > MOST_STEPS:
            self._kind, self._steps = kind, []
        self._last = now
        self._steps = [*self._steps, *steps]
        return list(self._steps)

    def _say(self, kind: Kind, text: str, steps: list[Step]) -> None:
        def undo() -> None:
            self.forget()
            self.undo(steps)

        self._offered[kind] = steps
        label = self.tr("Redo") if any(step.change.id in self._undoing for step in steps) else self.tr("Undo")
        self._controller.notice_requested.emit("info", text, [(label, undo)] if steps else [], f"memory-{kind}")

    def _toast_of(self, act: Act) -> Kind:
        """The kind of toast that offers to take back nothing but what `act` took back already: it is replaced. Else one of its own."""
        taken = {step.change.id for step in act.taken}
        return next((kind for kind, steps in self._offered.items() if taken.issuperset(step.change.id for step in steps)), "undo")

    def _end(self, act: Act) -> None:
        if len(act.steps) > 1 and not act.taken:
            self._acts.append(act.steps)
        if act.failure is not None:
            self._on_failed(act.failure)
        self._controller.refresh()

    def _on_deleted(self, act: Act) -> None:
        if act.steps:
            steps = self._gather("delete", act.steps)
            one = self.tr("“{path}” is deleted.").format(path=shown(steps[0].change.path))
            self._say("delete", one if len(steps) == 1 else self.tr("%n memories are deleted.", "", len(steps)), steps)
        self._end(act)

    def _on_moved(self, act: Act) -> None:
        self.forget()
        if act.steps:
            self._say("move", self._moved_text(act), act.steps)
        for step in act.steps:
            if step.source:
                self.moved.emit(step.source, step.old, step.root, step.change.path)
            elif step.change.old_path:
                self.renamed.emit(step.root, step.change.old_path, step.change.path)
        if len(act.steps) == 1:
            self.placed.emit(act.steps[0].root, act.steps[0].change.path)
        self._end(act)

    def _moved_text(self, act: Act) -> str:
        first, count = act.steps[0], len(act.steps)
        if first.source:
            picture = self._controller.picture(first.root)
            label = picture.label if picture is not None else first.root
            if count == 1:
                text = self.tr("“{path}” is in “{root}” now.").format(path=shown(first.change.path), root=label)
            else:
                text = self.tr("%n memories are in “{root}” now.", "", count).format(root=label)
        elif count == 1:
            text = self.tr("Renamed to “{path}”.").format(path=shown(first.change.path))
        else:
            text = self.tr("%n memories are moved.", "", count)
        if act.links:
            text = sentences(text, self.tr("Links in %n other memories follow.", "", act.links))
        return text

    def _on_pinned(self, act: Act) -> None:
        self.forget()
        if act.steps:
            on = act.steps[0].pinned
            path = shown(act.steps[0].change.path)
            if len(act.steps) > 1:
                count = len(act.steps)
                text = self.tr("%n memories are pinned.", "", count) if on else self.tr("%n memories are no longer pinned.", "", count)
            elif on:
                text = self.tr("“{path}” is pinned: it stays in the index when others are dropped.").format(path=path)
            else:
                text = self.tr("“{path}” is no longer pinned.").format(path=path)
            self._say("pin", text, act.steps)
        self._end(act)

    def _on_undone(self, act: Act) -> None:
        self.forget()
        if act.steps:
            again = any(step.change.id in self._undoing for step in act.taken)
            if not again:  # what takes these back is a redo
                self._undoing.extend(step.change.id for step in act.steps)
            text = self._redone_text(act) if again else self._undone_text(act)
            if any(step.waits for step in act.steps):
                text = sentences(text, self.tr("The proposal waits for your review again."))
            self._say(self._toast_of(act), text, act.steps)
        elif act.waiting is not None:
            self._say_waiting(*act.waiting)
        self._end(act)

    def _on_restored(self, act: Act) -> None:
        """Out of the trash: an act of its own, which can be undone."""
        self.forget()
        if act.steps:
            self._say(self._toast_of(act), self._undone_text(act), act.steps)
        self._end(act)

    def _undone_text(self, act: Act) -> str:
        change = act.steps[0].change
        if len(act.steps) > 1:
            return self.tr("%n changes are undone.", "", len(act.steps))
        if change.after is not None:
            return self.tr("“{path}” is as it was before.").format(path=shown(change.path))
        return self.tr("“{path}” is gone again.").format(path=shown(change.path))

    def _redone_text(self, act: Act) -> str:
        if len(act.steps) > 1:
            return self.tr("%n changes are redone.", "", len(act.steps))
        return self.tr("Redone: “{path}”.").format(path=shown(act.steps[0].change.path))

    def _say_waiting(self, root: str, decision: Decision) -> None:
        def again() -> None:
            self._act("undo", [(root, "")], lambda memories: changes.decide_again(memories, root, decision))

        text = self.tr("“{path}” waits for your review again.").format(path=shown(decision.proposal.path))
        self._controller.notice_requested.emit("info", text, [(self.tr("Redo"), again)], "memory-undo")

    def _to_clipboard(self, text: str) -> None:
        QGuiApplication.clipboard().setText(text)

    def _on_failed(self, failure: Failure) -> None:
        self._controller.notice_requested.emit("error", failure.text(), [], "")
        self._controller.refresh()
