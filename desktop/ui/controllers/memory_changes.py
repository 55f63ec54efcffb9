"""What a person's intent does to the stores, as plain functions for a worker thread. No Qt; each act can be taken back as a whole."""

from __future__ import annotations

import logging
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.phrases import say
from desktop.bridge.operations import Failure
from desktop.memory.change import last_of, undone_ids
from desktop.memory.decisions import Decision
from desktop.memory.memories import Memories
from desktop.memory.note import find_note
from desktop.memory.store import Change, ChangeOrigin, MemoryStore
from desktop.memory.taking_back import later_decision

log = logging.getLogger(__name__)
PERSON = ChangeOrigin(actor="person")
RECENT = 2_000
"""Changes of a journal that are looked through for the newest one of a person."""

Place = tuple[str, str]
"""A memory: id of its root, and its path there."""


@dataclass(frozen=True, slots=True)
class Step:
    """One change of an act.

    Attributes:
        root: id of the root it was made in.
        change: what was done there.
        source: id of the root that the memory came from, where it moved from one root to another; else empty.
        old: its path there.
        links: other memories in which links followed.
        pinned: it was pinned.
        waits: a proposal of the review inbox waits again since.
    """

    root: str
    change: Change
    source: str = ""
    old: str = ""
    links: int = 0
    pinned: bool = False
    waits: bool = False


@dataclass(slots=True)
class Act:
    """What was done, in order, and why it stopped before the end, if it did; `taken` are the steps that it took back.

    `waiting`: a root, and the decision of its review inbox that was taken back without any change of memory: it waits again.
    """

    steps: list[Step] = field(default_factory=list)
    failure: Failure | None = None
    taken: list[Step] = field(default_factory=list)
    waiting: tuple[str, Decision] | None = None

    @property
    def links(self) -> int:
        return sum(step.links for step in self.steps)


def each(places: Sequence[Place], do: Callable[[Place], Step]) -> Act:
    """Do it to one after another. The first failure stops it; what was done before stays undoable."""
    act = Act()
    try:
        for place in places:
            act.steps.append(do(place))
    except KeepsakeError as error:
        act.failure = Failure.of(error)
    return act


def delete_all(memories: Memories, places: Sequence[Place]) -> Act:
    """Move memories to the trash: those of one root in one go, or one by one when that fails, so that what can be done is done."""
    roots = list(dict.fromkeys(root for root, _ in places))
    whole = Act()
    for root in roots:
        act = _delete_in(memories, root, [path for place, path in places if place == root])
        whole.steps += act.steps
        whole.failure = act.failure
        if act.failure is not None:
            break
    return whole


def _delete_in(memories: Memories, root: str, paths: Sequence[str]) -> Act:
    store = memories.store(root)
    if len(paths) > 1:
        try:
            return Act([Step(root, change) for change in store.delete_all(paths, origin=PERSON)])
        except KeepsakeError as error:
            log.info("the memories are deleted one by one: %s", error.message)
    return each([(root, path) for path in paths], lambda place: Step(root, store.delete(place[1], origin=PERSON)))


def renamed_path(path: str, name: str) -> str:
    """`path` with another file name; `.md` is added where it is missing. A name with `/` leads into a folder; one that begins with
    it is meant from the root."""
    name = name.strip()
    file = name if name.lower().endswith(".md") else f"{name}.md"
    return file.lstrip("/") if file.startswith("/") else (PurePosixPath(path).parent / file).as_posix()


def in_folder(path: str, folder: str) -> str:
    """The file of `path` in `folder` (empty: the root's top)."""
    name = path.rpartition("/")[2]
    return f"{folder.strip('/')}/{name}" if folder.strip("/") else name


def _followed(store: MemoryStore, change: Change) -> int:
    """Other memories that were changed in the same act, so that their links follow."""
    if not change.group:
        return 0
    same = {c.path for c in store.changes(RECENT) if c.group == change.group and not c.by_keeper}
    return len(same - {change.path, change.old_path})


def rename(memories: Memories, root: str, path: str, target: str) -> Act:
    """Give a memory another path in its root; links follow.

    Raises:
        ConflictError: the new name is taken; RefusedError: it is not allowed.
    """
    return Act([_rename(memories, root, path, target)])


def _rename(memories: Memories, root: str, path: str, target: str) -> Step:
    from desktop.memory.moving import rename_with_links

    store = memories.store(root)
    change = rename_with_links(store, path, target, origin=PERSON, name=_new_name(store, path, target))
    return Step(root, change, links=_followed(store, change))


def _new_name(store: MemoryStore, path: str, target: str) -> str:
    """A memory that is named like its file is named like its new file; a name of its own stays."""
    note, stem, new = find_note(store.root, path), PurePosixPath(path).stem, PurePosixPath(target).stem
    return new if note is not None and note.name == stem and new != stem else ""


def rename_folder(memories: Memories, root: str, folder: str, target: str) -> Act:
    """Give a folder another path: every memory below it moves."""
    store = memories.store(root)
    below = [note.path for note in store.notes() if note.path.startswith(f"{folder}/")]
    return each([(root, path) for path in below], lambda place: _rename(memories, root, place[1], target + place[1][len(folder) :]))


def move_all(memories: Memories, places: Sequence[Place], root: str, folder: str) -> Act:
    """Move memories into a folder (empty: the top) of a root; those that are there already stay."""
    from desktop.memory.moving import move_between

    def move(place: Place) -> Step:
        source, path = place
        target = in_folder(path, folder)
        if source == root:
            return _rename(memories, root, path, target)
        return Step(root, move_between(memories.store(source), memories.store(root), path, target, origin=PERSON), source, path)

    wanted = [place for place in places if place != (root, in_folder(place[1], folder))]
    return each(wanted, move)


def pin_all(memories: Memories, places: Sequence[Place], on: bool) -> Act:
    """Pin or unpin memories."""
    from desktop.memory.moving import set_pinned

    return each(places, lambda place: Step(place[0], set_pinned(memories.store(place[0]), place[1], on, origin=PERSON), pinned=on))


def put_back(memories: Memories, root: str, change_id: str) -> Act:
    """Bring a deleted memory back from the trash."""
    from desktop.memory.trash import put_back as restore

    return Act([Step(root, restore(memories.store(root), change_id))])


def undo_steps(memories: Memories, steps: Sequence[Step]) -> Act:
    """Take steps back, newest first; those that were taken back meanwhile in another way are left alone."""
    act = Act()
    groups: set[tuple[str, str]] = set()
    left = _not_undone(memories, steps) or steps
    together = Counter(_group(step) for step in left)
    try:
        for step in reversed(left):
            group = _group(step)
            if not group[1] or group not in groups:
                made = _undo(memories, step)
                act.steps += _all_of(memories, made) if group[1] and together[group] > 1 else [made]
                groups.add(group)
            act.taken.append(step)
    except KeepsakeError as error:
        act.failure = Failure.of(error)
    return act


def _not_undone(memories: Memories, steps: Sequence[Step]) -> list[Step]:
    undone = {root: undone_ids(memories.store(root).changes(RECENT)[::-1]) for root in {step.root for step in steps}}
    return [step for step in steps if step.change.id not in undone[step.root]]


def _group(step: Step) -> tuple[str, str]:
    """What is undone together with a step: the changes of one act in one root. A move between roots is one by itself."""
    return (step.root, "" if step.source else step.change.group)


def _undo(memories: Memories, step: Step) -> Step:
    from desktop.memory.moving import undo_move

    store = memories.store(step.root)
    if step.source:
        return Step(step.source, undo_move(memories.store(step.source), store, step.change), step.root)
    made = store.undo(step.change.id)
    return Step(step.root, made, waits=store.proposals.waits_again(made) is not None)


def _all_of(memories: Memories, made: Step) -> list[Step]:
    """A step for each change that was made together with this one."""
    changes = [change for change in memories.store(made.root).changes(RECENT) if made.change.group and change.group == made.change.group]
    return [Step(made.root, change) for change in reversed(changes)] or [made]


def undo_last(memories: Memories, acts: Sequence[Sequence[Step]] = ()) -> Act:
    """Take back the newest change of memory, by whomever, or the newest word in a review inbox, in whichever of our roots it was.

    Args:
        acts: what was done in one go each; the newest change is taken back with the others of its act.

    Raises:
        NotFoundError: there is none.
    """
    memories.observe()
    found: list[Step] = []
    for store in memories.own():
        change = last_of(store.changes(RECENT)[::-1], undoable=True)
        if change is not None:
            found.append(Step(store.memory_root.id, change))
    newest = max(found, key=lambda step: step.change.time, default=None)
    waiting = _decision_back(memories, newest)
    if waiting is not None:
        return Act(waiting=waiting)
    if newest is None:
        raise NotFoundError(say("There is no change of memory to undo."))
    others = [step for step in found if newest.change.group and step.change.group == newest.change.group]
    if len(others) == 2:
        gone = next((step for step in others if step.change.op == "delete"), None)
        come = next((step for step in others if step is not gone), None)
        if gone is not None and come is not None:
            newest = Step(come.root, come.change, gone.root)
    wanted = (newest.root, newest.change.id)
    whole = next((act for act in acts if any((step.root, step.change.id) == wanted for step in act)), None)
    return undo_steps(memories, whole or [newest])


def _decision_back(memories: Memories, newest: Step | None) -> tuple[str, Decision] | None:
    """Take back the newest decision of the inboxes that changed no memory, where it came after `newest`; None when there is none."""
    change = newest.change if newest is not None else None
    found = [(store, one) for store in memories.own() if (one := later_decision(store, change)) is not None]
    if not found:
        return None
    store, decision = max(found, key=lambda pair: pair[1].moment)
    store.proposals.take_back(decision.proposal.id, store)
    return store.memory_root.id, decision


def decide_again(memories: Memories, root: str, decision: Decision) -> Act:
    """Take back that a decision was taken back.

    Raises:
        NotFoundError: the proposal does not wait any more.
    """
    store, identity = memories.store(root), decision.proposal.id
    if decision.rejected:
        store.proposals.reject(identity)
    else:
        store.proposals.accept(identity, store)
    return Act()
