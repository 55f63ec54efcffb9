"""Bringing memory that lost its folder into another project: file by file through the stores, nothing overwritten, undoable as one act.

Owns the free names, the index lines that come along in their own wording, and the way back. Blocking, any thread.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from desktop.base.clock import Clock
from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError, NotFoundError, UsageError
from desktop.base.ids import ulid
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.memory.belonging import is_gone
from desktop.memory.change import ChangeOrigin
from desktop.memory.changing import Changing, IndexNews
from desktop.memory.duplicates import twin_of
from desktop.memory.frontmatter import decode_text, parse
from desktop.memory.git_root import find_git_place
from desktop.memory.identity import list_projects
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of, relinked
from desktop.memory.note import INDEX_NAME, list_notes, note_of
from desktop.memory.project_file import Project
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState

REST_NAME = "earlier-index.md"
"""What else stood in the index of the adopted memory."""

_ALL_ON = MemoryState(True, "", True, "", "off")
"""Only the person adopts, and the switches never bind the person."""


@dataclass(frozen=True, slots=True)
class AdoptReport:
    """What came over.

    Attributes:
        moved: how many memories.
        renamed: (earlier path, path here) of those whose name was taken.
        left: (path, why) of files that stayed where they were.
        group: names the act in both journals, for `undo_adopt`; "" when nothing was done.
    """

    moved: int
    renamed: tuple[tuple[str, str], ...] = ()
    left: tuple[tuple[str, str], ...] = ()
    group: str = ""


def _source_store(project: Project, paths: AppPaths, clock: Clock) -> MemoryStore:
    return MemoryStore(project, paths, clock, lambda: _ALL_ON)


def _source_of(key: str, into: Project, paths: AppPaths) -> Project:
    found = next((one for one in list_projects(paths) if one.key == key), None)
    if found is None:
        raise NotFoundError(say("There is no memory of a project {key}.", key=key), hint=say("Look at the list of projects again."))
    if found.key == into.key or found.memory_root == into.memory_root:
        raise UsageError(say("{label} is this project already.", label=found.label), hint=say("Choose another one."))
    place = find_git_place(Path(found.source)) if found.source and not is_gone(found.source) else None
    ours = place is not None and place.root == into.git_root
    if found.source and not is_gone(found.source) and not ours:
        raise UsageError(
            say("{source} still exists, so its memory stays there.", source=found.source),
            hint=say("Open that folder, or copy single memories over."),
        )
    if not has_own_folder(found):
        raise UsageError(
            say("The memory of {label} lies in {folder}, which the person chose for it.", label=found.label, folder=found.memory_root),
            hint=say("Choose that folder for this project, or copy single memories over."),
        )
    return found


def has_own_folder(project: Project) -> bool:
    """Whether no other project can share its memory folder: one that the person chose may serve several."""
    return project.memory_root.parent.name == project.key


def adopt(key: str, into: Project, paths: AppPaths, clock: Clock, store: MemoryStore) -> AdoptReport:
    """Move every memory of a project without a folder, or of a stray worktree, into `into`.

    Args:
        key: whose memory, see `relink.orphans` and `relink.strays`.
        into: the project that takes it.
        store: the store of `into`.

    Returns:
        What came over. A file that cannot be read stays where it is and is named.

    Raises:
        NotFoundError: there is no such project.
        UsageError: its folder still exists and is no part of `into`.
        StorageError: writing failed; both sides are as before.
    """
    source = _source_store(_source_of(key, into, paths), paths, clock)
    group = f"grp_{ulid(clock.now())}"
    origin = ChangeOrigin("person", reason=f"adopted from {key}")
    with source.exclusive(group=group) as leaving, store.exclusive(group=group) as arriving:
        files, left = _readable(source.root)
        names = _Names(store.root)
        places = [(path, names.free(path, data), data) for path, data in files]
        _put(store, arriving, places, origin)
        _bring_lines(store.root, arriving, leaving.current(INDEX_NAME), places, origin)
        for path, _, data in places:
            leaving.remove(path, data, "delete", origin)
        leaving.sync_index_with(IndexNews(removed=tuple(path for path, _, _ in places)), origin)
        places += _bring_rest(names, leaving, arriving, origin)
    renamed = tuple((old, new) for old, new, _ in places if old != new)
    return AdoptReport(len(places), renamed, tuple(left), group if places else "")


def _readable(root: Path) -> tuple[list[tuple[str, bytes]], list[tuple[str, str]]]:
    files, left = [], []
    for note in sorted(list_notes(root), key=lambda one: one.path):
        try:
            files.append((note.path, read_beneath(root, note.path)))
        except KeepsakeError as error:
            left.append((note.path, error.message))
    return files, left


class _Names:
    """Free paths in the target: never one that is taken, also not in another spelling."""

    def __init__(self, root: Path) -> None:
        self._root = root
        self._given: set[str] = set()

    def free(self, path: str, data: bytes) -> str:
        place = PurePosixPath(path)
        for number in range(1, 100_000):
            name = place.name if number == 1 else f"{place.stem[:80]}-{number}{place.suffix}"
            wanted = (place.parent / name).as_posix()
            if wanted.casefold() not in self._given and not self._taken(wanted, data):
                self._given.add(wanted.casefold())
                return wanted
        raise UsageError(say("There is no free name for {path}.", path=path), hint=say("Rename some memories first."))

    def _taken(self, path: str, data: bytes) -> bool:
        try:
            return read_beneath(self._root, path) != data
        except NotFoundError:
            return twin_of(self._root, path) is not None
        except KeepsakeError:
            return True


def _put(store: MemoryStore, arriving: Changing, places: Sequence[tuple[str, str, bytes]], origin: ChangeOrigin) -> None:
    for _, new, data in places:
        if arriving.current(new) is None:  # else the same bytes are there already
            arriving.apply(new, None, data, "write", origin)


def _bring_lines(
    root: Path, arriving: Changing, earlier: bytes | None, places: Sequence[tuple[str, str, bytes]], origin: ChangeOrigin
) -> None:
    """Index lines in the wording that they had; a line of the keeper's own for a memory that had none."""
    text = decode_text(earlier)[0] if earlier else ""
    lines = text.split("\n")
    worded = {entry.target: lines[entry.line].rstrip("\r") for entry in entries_of(text) if entry.target and not entry.mention}
    keeper = IndexKeeper(root)

    def with_lines(index: str) -> str:
        known = {entry.target for entry in entries_of(index)}
        for old, new, data in places:
            if new in known:
                continue
            note = note_of(new, parse(data), size=len(data), mtime_s=0.0)
            index = keeper.with_line(index, note, relinked(worded[old], old, new) if old in worded else "")
        return index

    arriving.sync_index(with_lines, origin)


def _bring_rest(names: _Names, leaving: Changing, arriving: Changing, origin: ChangeOrigin) -> list[tuple[str, str, bytes]]:
    """What else a person or a model wrote into the index comes along as a memory of its own."""
    data = leaving.current(INDEX_NAME)
    if data is None:
        return []
    said = [line for line in decode_text(data)[0].splitlines() if line.strip() and not line.lstrip().startswith("#")]
    places = [(INDEX_NAME, names.free(REST_NAME, data), data)] if said else []
    for _, new, rest in places:
        if arriving.current(new) is None:
            arriving.follow(arriving.apply(new, None, rest, "write", origin), None, rest)
        leaving.apply(INDEX_NAME, data, b"", "write", origin)
    return places


def undo_adopt(report: AdoptReport, key: str, paths: AppPaths, clock: Clock, store: MemoryStore) -> int:
    """Take an adoption back in one step: the memories are where they were. Gives how many.

    Raises:
        ConflictError: one of them was changed since; nothing is taken back.
        NotFoundError: the earlier texts are not kept any more, or nothing was adopted.
    """
    home = next((one for one in list_projects(paths) if one.key == key), None)
    if not report.group or home is None:
        raise NotFoundError(say("There is nothing to undo."))
    source = _source_store(home, paths, clock)
    with source.exclusive(), store.exclusive():
        for one in (store, source):
            made = next((change for change in one.changes(1_000_000) if change.group == report.group), None)
            if made is not None:
                one.undo(made.id)
    return report.moved
