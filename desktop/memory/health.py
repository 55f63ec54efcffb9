"""The health of a memory root: what is wrong with which line of which file, and what to do about it.

Owns the walk, the checks that need all files of a root together, and what is kept of unchanged files between two checks. The profile of the
root decides what MEMORY.md must be, never its name. Every file is read once; a bad one is a problem of its own and hides no other. Changes
nothing: repairs are `memory.health_fix` and `memory.index_repair`. Blocking.
"""

from __future__ import annotations

import errno
import os
import stat
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import os_reason, say
from desktop.memory.contradiction import contradictions
from desktop.memory.health_file import NOTE_BYTES, FileLook, look_at
from desktop.memory.health_index import check_index
from desktop.memory.health_overflow import told_by
from desktop.memory.health_text import Links, Problem, numbered
from desktop.memory.index_limits import IndexLimits
from desktop.memory.near_duplicates import near_pairs
from desktop.memory.note import MAX_DEPTH, Note, one_line
from desktop.memory.note_cache import DOUBT_NS, Identity, identity_of
from desktop.memory.recall_read import Budget
from desktop.memory.staleness import STALE_DAYS, Present, stale
from desktop.memory.workspace_names import WorkspaceNames

if TYPE_CHECKING:
    from desktop.memory.journal import Change, ChangeOrigin
    from desktop.memory.store import MemoryStore

__all__ = [
    "KINDS",
    "NOTE_BYTES",
    "REPAIRABLE",
    "HealthCache",
    "HealthContext",
    "Problem",
    "check_folder",
    "check_health",
    "repair",
]

KINDS = (
    *("unreadable", "link", "hard-link", "broken-header", "secret", "duplicate", "near-duplicate", "contradicted", "stale"),
    *("missing-line", "dangling-line", "inline-content", "oversize-index", "oversize-note", "long-line", "dangling-link"),
    *("relative-date", "origin-gone"),
)
REPAIRABLE = frozenset(("missing-line", "dangling-line", "inline-content", "long-line"))
"""Kinds that are repaired without a choice of the person's."""

MAX_READ = 5 << 20
FROM_ELSEWHERE = 8
"""Names of files of which at least one is in a workspace that the memories are about."""

_SKIPPED_FOLDERS = frozenset((".git", "node_modules"))


@dataclass(frozen=True, slots=True)
class HealthContext:
    """What a root is held against. Without a time nothing is stale, without a workspace no name in it is gone.

    Attributes:
        now: the time, UTC.
        names: what is in the workspace.
        limits: those that the index is loaded with.
        has_session: whether the session with an id is still stored; None: not asked.
        confirmed: when the person said that a content (by its digest) is still true, where its header could not hold that.
        stale_days: the age limit.
        budget: what of one memory is recalled at most.
        stopped: asked before each file; True ends the check early, with what was found so far.
    """

    now: datetime | None = None
    names: WorkspaceNames | None = None
    limits: IndexLimits | None = None
    has_session: Callable[[str], bool] | None = None
    confirmed: Mapping[str, datetime] = field(default_factory=dict)
    stale_days: int = STALE_DAYS
    budget: Budget = field(default_factory=Budget)
    stopped: Callable[[], bool] = lambda: False


class HealthCache:
    """What was read of the files of one root, until they change: a second check reads only those."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[Identity, FileLook]] = {}
        self._fresh: dict[str, tuple[Identity, FileLook]] = {}
        self._budget = Budget()

    def judged_by(self, budget: Budget) -> None:
        """What of one memory is recalled: by another measure every file is looked at anew."""
        if budget != self._budget:
            self.drop()
            self._budget = budget

    def known(self, path: str, status: os.stat_result) -> FileLook | None:
        """What the last check read there, if the file is the same."""
        entry = self._known.get(path)
        if entry is None or entry[0] != identity_of(status):
            return None
        self._fresh[path] = entry
        return entry[1]

    def keep(self, path: str, status: os.stat_result, look: FileLook) -> None:
        """A file that changed just now may change once more and look the same: it is read again next time."""
        if time.time_ns() - max(status.st_mtime_ns, status.st_ctime_ns) > DOUBT_NS:
            self._fresh[path] = (identity_of(status), look)

    def turn(self) -> None:
        """The check is over: what it did not meet is gone."""
        self._known, self._fresh = self._fresh, {}

    def drop(self) -> None:
        """Forget everything: a text was purged."""
        self._known, self._fresh = {}, {}


@dataclass(slots=True)
class _Look:
    """What one walk has seen."""

    root: Path
    profile: str
    cache: HealthCache | None = None
    stopped: Callable[[], bool] = lambda: False
    budget: Budget = field(default_factory=Budget)
    problems: list[Problem] = field(default_factory=list)
    files: list[FileLook] = field(default_factory=list)

    def say(self, kind: str, path: str, line: int, message: str, fix: str, about: str = "") -> None:
        self.problems.append(Problem(kind, path, line, message, fix, about))

    @property
    def notes(self) -> list[Note]:
        return [file.note for file in self.files if file.note is not None]


def check_health(store: MemoryStore, context: HealthContext | None = None, cache: HealthCache | None = None) -> list[Problem]:
    """Everything that is wrong in the store's root, by file and line. Never raises."""
    return check_folder(store.root, store.memory_root.profile, context, cache)


def check_folder(
    root: Path, profile: str = "index", context: HealthContext | None = None, cache: HealthCache | None = None
) -> list[Problem]:
    """As `check_health`, for a folder. A missing one is healthy.

    Args:
        root: absolute.
        profile: `index`, `sections` or `single`.
        context: what it is held against.
        cache: of the last check of this root; used by one thread at a time.
    """
    context = context or HealthContext()
    look = _Look(root, profile, cache, context.stopped, context.budget)
    if cache is not None:
        cache.judged_by(context.budget)
    if os.path.islink(root):  # noqa: PTH114 - a Path raises for a place that may not be looked into
        look.say("link", "", 0, say("The memory folder is a link, so nothing in it is read or written."), say("Put a real folder there."))
        return look.problems
    _walk(look, str(root), "", 0)
    if cache is not None:
        cache.turn()
    problems = look.problems + [problem for file in look.files for problem in file.problems]
    links = [link for file in look.files for link in file.links]
    if profile == "index":
        index = next((file.index for file in look.files if file.index is not None), None)
        told = told_by(links, frozenset(file.path for file in look.files if file.lists and "/" not in file.path), look.notes)
        problems += check_index(root, index, look.notes, context.limits, told)
    problems += Links(links).dangling(look.notes)
    problems += _twins(look.files)
    problems += _contradicted(look.files)
    problems += _overtaken(look.files, context)
    return numbered(problems)


def repair(store: MemoryStore, problem_kinds: Iterable[str], *, origin: ChangeOrigin) -> list[Change]:
    """Mend what can be mended without a person's judgement: kinds of `REPAIRABLE` only, others are passed over. Each change can be undone.

    Raises:
        StorageError, RefusedError: a change could not be made; those before it stay, journalled.
    """
    from desktop.memory.index_repair import repair_index

    return repair_index(store, frozenset(problem_kinds) & REPAIRABLE, origin)


# the walk


def _walk(look: _Look, folder: str, prefix: str, depth: int) -> None:
    for entry in _entries(look, folder, prefix):
        if look.stopped():
            return
        path = prefix + entry.name
        try:
            status = entry.stat(follow_symlinks=False)
        except OSError as error:
            _unreadable(look, path, os_reason(error), error)
            continue
        markdown = entry.name[-3:].lower() == ".md"
        if stat.S_ISLNK(status.st_mode):
            fix = say("Open its folder, and put the file itself here or remove the link.")
            look.say("link", path, 0, say("It is a link, which is not followed."), fix)
        elif stat.S_ISDIR(status.st_mode):
            if entry.name not in _SKIPPED_FOLDERS and depth < MAX_DEPTH:
                _walk(look, entry.path, f"{path}/", depth + 1)
        elif markdown and stat.S_ISREG(status.st_mode):
            if status.st_nlink > 1:
                message = say("The file has {count} names (hard links): a change made elsewhere changes it here.", count=status.st_nlink)
                look.say("hard-link", path, 0, message, say("Copy it, and put the copy in its place."))
            _read(look, path, status)
        elif markdown:
            _unreadable(look, path, say("it is not a plain file"), fix=say("Open its folder, and put a plain file here or remove it."))


def _entries(look: _Look, folder: str, prefix: str) -> list[os.DirEntry[str]]:
    try:
        with os.scandir(folder) as found:
            return sorted(found, key=lambda entry: entry.name)
    except FileNotFoundError:
        return []
    except OSError as error:
        _unreadable(look, prefix.rstrip("/"), os_reason(error), error)
        return []


def _unreadable(look: _Look, path: str, reason: str, error: OSError | KeepsakeError | None = None, *, fix: str = "") -> None:
    """What cannot be read, why, and the way out that needs no command."""
    cause = error.__cause__ if isinstance(error, KeepsakeError) else error
    if not fix and isinstance(cause, OSError) and cause.errno in (errno.EACCES, errno.EPERM):
        fix = say("Open its folder, allow yourself to read it in the file manager (Properties, Permissions), and check again.")
    fix = fix or say("Open its folder and look at it there: close the program that holds it, or remove it. Then check again.")
    look.say("unreadable", path, 0, say("It cannot be read: {reason}.", reason=reason), fix)


def _read(look: _Look, path: str, status: os.stat_result) -> None:
    known = look.cache.known(path, status) if look.cache is not None else None
    if known is None:
        try:
            data = read_beneath(look.root, path, limit=MAX_READ)
        except KeepsakeError as error:
            _unreadable(look, path, error.message.rstrip("."), error)
            return
        known = look_at(path, data, status, look.profile, look.budget)
        if look.cache is not None:
            look.cache.keep(path, status, known)
    look.files.append(known)


# checks of all files together


def _twins(files: Iterable[FileLook]) -> Iterator[Problem]:
    """Memories that say the same, or nearly the same, as an earlier one of the list."""
    first: dict[str, str] = {}
    left: dict[str, FileLook] = {}
    for file in files:
        if file.note is None or file.superseded:
            continue
        other = first.setdefault(file.twin, file.path) if file.twin else file.path
        if other != file.path:
            message = say("It says the same as {other}.", other=other)
            yield Problem("duplicate", file.path, 0, message, say("Delete one of the two."), other)
        else:
            left[file.path] = file
    for other, path in near_pairs({path: file.sketch for path, file in left.items()}):
        message = say("It says nearly the same as {other}.", other=other)
        yield Problem("near-duplicate", path, 0, message, say("Keep one of the two, with what only the other one says."), other)


def _contradicted(files: Iterable[FileLook]) -> Iterator[Problem]:
    claims = [claims for claims in (file.as_claims() for file in files) if claims is not None]
    for found in contradictions(claims):
        fix = say("Delete it, or mark it as superseded.")
        if not found.other_value:
            message = say("{other} supersedes it, but it still stands.", other=found.other)
        else:
            value, now = one_line(found.value, 60), one_line(found.other_value, 60)
            message = say("It says “{value}”, the newer {other} says “{now}”.", value=value, other=found.other, now=now)
        yield Problem("contradicted", found.path, found.line, message, fix, found.other)


def _about_another_place(files: Sequence[FileLook], own: set[str], names: WorkspaceNames | None) -> bool:
    """Whether memories name many files and the workspace has none of them: they came from elsewhere, and nothing of it is gone."""
    if names is None:
        return False
    named = {one.name for file in files for one in file.named if one.kind == "file"}
    judged = [name for name in named if name.rpartition("/")[2].casefold() not in own]
    return len(judged) >= FROM_ELSEWHERE and not any(map(names.may_hold, judged))


def _overtaken(files: Iterable[FileLook], context: HealthContext) -> Iterator[Problem]:
    """What time did to memories, and the sessions that they come from and that are gone."""
    present = Present(context.now, context.names, context.stale_days) if context.now is not None else None
    files = list(files)
    own = {file.path.rpartition("/")[2].casefold() for file in files}
    if present is not None and _about_another_place(files, own, present.names):
        present = replace(present, names=None)
    for file in files:
        if file.note is None or file.superseded:
            continue
        if present is not None:
            confirmed = max(filter(None, (file.verified, context.confirmed.get(file.digest))), default=None)
            named = [one for one in file.named if one.kind != "file" or one.name.rpartition("/")[2].casefold() not in own]
            yield from stale(file.note, named, confirmed, present)
        session = file.note.origin_session
        if session and context.has_session is not None and not context.has_session(session):
            message = say("The session that it comes from is not stored any more.")
            fix = say("Nothing has to be done: the memory stands by itself.")
            yield Problem("origin-gone", file.path, 0, message, fix, session, informative=True)
