"""One-click repairs of memory problems: what can be done about each, shown before it is done, made as one act that one undo takes back.

Owns which repairs a problem has, the plan of one (every file before and after, the index too), its preview without any secret, and its
making through the store's lock, gate and journal. What a repair does to a text is `health_edits`. A mechanical repair renews no `modified`:
the memory says what it said before. Blocking.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime

from desktop.base.clock import iso
from desktop.base.errors import ConflictError, KeepsakeError, UsageError
from desktop.base.phrases import Phrase, say
from desktop.base.redact import redact
from desktop.base.textio import decode, digest
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.changing import Changing
from desktop.memory.frontmatter import parse, serialise
from desktop.memory.health_draft import Draft, FixEdit, news_of_edits
from desktop.memory.health_edits import BATCHES, EDITS, may_be_made, ordered
from desktop.memory.health_making import Making, NotPossibleError
from desktop.memory.health_state import HealthState
from desktop.memory.health_text import Problem
from desktop.memory.index_limits import IndexLimits
from desktop.memory.note import INDEX_NAME
from desktop.memory.stamp import stamped
from desktop.memory.store import MemoryStore

__all__ = [
    "FIXES",
    "SHOWN_FIRST",
    "FixEdit",
    "FixPlan",
    "Fixed",
    "NotPossibleError",
    "Preview",
    "apply_fix",
    "draft_of",
    "fix_label",
    "fixes_for",
    "plan_fix",
    "previews",
    "take_back",
]

FIXES: dict[str, tuple[str, ...]] = {
    "duplicate": ("keep-newer",),
    "near-duplicate": ("merge", "keep-newer"),
    "contradicted": ("delete", "mark-superseded"),
    "stale": ("confirm", "delete"),
    "missing-line": ("add-line",),
    "dangling-line": ("drop-line",),
    "inline-content": ("split",),
    "long-line": ("shorten",),
    "oversize-index": ("shorten", "trim-hooks", "move-out"),
    "oversize-note": ("split-sections",),
    "hard-link": ("own-copy",),
    "unreadable": ("save-utf8", "last-good", "drop-nul", "delete"),
    "dangling-link": ("relink", "unlink"),
    "broken-header": ("repair-header",),
    "secret": ("mask",),
    "relative-date": ("write-date",),
}
"""What can be done about each kind, the recommended one first. Kinds that are not here need a person's hand."""

REPAIR_REASON = say("repair of the memory's health")
"""Why a repair changes a file, for the journal: it then says what it said before."""

_DOUBTFUL = frozenset(
    ("repair-header", "write-date", "relink", "trim-hooks", "move-out", "split-sections", "own-copy", "save-utf8", "last-good", "drop-nul")
)
"""Repairs of which only a look tells whether they can be made."""

_DOUBTFUL_KINDS = frozenset(("unreadable", "oversize-index"))
"""Kinds of which that holds for every repair."""

SHOWN_FIRST = frozenset(("trim-hooks", "move-out", "split-sections", "save-utf8", "last-good", "drop-nul"))
"""Repairs that change so much that they are made only out of their preview."""


def fix_label(name: str) -> str:
    """What a repair is called on its button."""
    return _LABELS[name]


_LABELS: dict[str, Phrase] = {
    "keep-newer": say("Keep the Newer One"),
    "merge": say("Merge"),
    "delete": say("Delete It"),
    "mark-superseded": say("Mark as Superseded"),
    "confirm": say("Still True"),
    "repair-header": say("Repair the Header"),
    "mask": say("Mask It"),
    "write-date": say("Write the Date"),
    "relink": say("Link to the Nearest Name"),
    "unlink": say("Remove the Link"),
    "add-line": say("Add the Line"),
    "drop-line": say("Remove the Line"),
    "shorten": say("Shorten"),
    "split": say("Move into Files"),
    "trim-hooks": say("Shorten All Descriptions"),
    "move-out": say("Move the Oldest Lines into a Topic Index"),
    "split-sections": say("Split by Sections"),
    "own-copy": say("Make It a File of Its Own"),
    "save-utf8": say("Save as UTF-8"),
    "last-good": say("Restore the Last Good Version"),
    "drop-nul": say("Remove the NUL Bytes"),
}


@dataclass(frozen=True, slots=True)
class FixPlan:
    """What a repair would do.

    Attributes:
        name: of the repair.
        problems: those that it mends.
        edits: the files that it changes, the index last where it is changed by itself.
        follows: what the index keeper makes of the index then; None: nothing.
        confirmed: digests of contents that are noted as true beside the memory, since their header cannot hold that.
        passed: problems that it could not mend, with why.
    """

    name: str
    problems: tuple[Problem, ...]
    edits: tuple[FixEdit, ...]
    follows: FixEdit | None = None
    confirmed: tuple[str, ...] = ()
    passed: tuple[tuple[Problem, str], ...] = ()

    @property
    def is_empty(self) -> bool:
        return not (self.edits or self.confirmed)


@dataclass(frozen=True, slots=True)
class Fixed:
    """What was done: the changes, of one group, and the contents that were noted as true."""

    changes: tuple[Change, ...] = ()
    confirmed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Preview:
    """One file of a plan as texts that may be shown: secrets are covered on both sides. `deleted`: it goes to the trash."""

    path: str
    before: str
    after: str
    deleted: bool = False


def draft_of(store: MemoryStore) -> Draft:
    """The root as it is now, to plan on."""
    return Draft(
        store.root, store.memory_root.profile, store.notes(), lambda path: _written(store, path), lambda path: _versions(store, path)
    )


def _versions(store: MemoryStore, path: str) -> Iterator[bytes]:
    """What a file held before, as far as it is kept, the newest first."""
    seen: set[str] = set()
    for change in reversed(store.journal.read()):
        for name in (change.after, change.before) if change.path == path else ():
            if name is not None and name not in seen:
                seen.add(name)
                with suppress(KeepsakeError):
                    yield store.journal.kept(name)


def _written(store: MemoryStore, path: str) -> tuple[bool, datetime | None]:
    """Whether the journal knows a path, and when it was last written there by whatever is no repair and no undo."""
    lines = [change for change in store.journal.read() if change.path == path]
    own = [change.time for change in lines if change.op != "restore" and change.origin.reason != REPAIR_REASON]
    return bool(lines), own[-1] if own else None


def fixes_for(
    problem: Problem, draft: Draft | None = None, now: datetime | None = None, limits: IndexLimits | None = None
) -> tuple[str, ...]:
    """Names of the repairs of a problem, the recommended one first.

    Args:
        problem: the problem.
        draft: to leave those out that cannot be made here; None: all of its kind.
        now: the time.
        limits: those that the index is loaded with.
    """
    names = FIXES.get(problem.kind, ())
    if draft is None:
        return names
    making = Making(now or datetime.now(UTC), "", limits or IndexLimits())
    return tuple(name for name in names if _can(draft, name, problem, making))


def _can(draft: Draft, name: str, problem: Problem, making: Making) -> bool:
    doubtful = name in _DOUBTFUL or problem.kind in _DOUBTFUL_KINDS
    return not doubtful or may_be_made(draft, name, problem, making)


def plan_fix(
    store: MemoryStore, problems: Sequence[Problem], name: str = "", *,
    now: datetime, mask: str = "", draft: Draft | None = None, limits: IndexLimits | None = None,
) -> FixPlan:  # fmt: skip
    """What a repair of these problems would do; nothing is written.

    Args:
        store: of their root.
        problems: one, or several of one kind.
        name: the repair; empty: of each the first that can be made.
        now: the time, for what is confirmed.
        mask: what is written in place of a secret; empty: the English words.
        draft: to plan on; None: the root as it is now.
        limits: those that the index is loaded with.

    Raises:
        UsageError: there is no such repair for a problem, or (for a single one) it cannot be made.
    """
    draft = draft or draft_of(store)
    making = Making(now, mask or say("[masked secret]"), limits or IndexLimits())
    passed: list[tuple[Problem, str]] = []
    done: list[Problem] = []
    for chosen, some in _by_fix(problems, name, draft, making).items():
        _make(draft, chosen, some, making, done, passed)
    if not done and passed and len(problems) == 1:
        raise NotPossibleError(passed[0][1])
    edits = _stamped_new(draft.edits(), now)
    return FixPlan(name, tuple(done), edits, draft.following(edits), tuple(sorted(draft.confirmed.values())), tuple(passed))


def _by_fix(problems: Sequence[Problem], name: str, draft: Draft, making: Making) -> dict[str, list[Problem]]:
    found: dict[str, list[Problem]] = {}
    for problem in ordered(problems):
        names = FIXES.get(problem.kind, ())
        if not names or (name and name not in names):
            raise UsageError(
                say("“{kind}” cannot be fixed in this way.", kind=problem.kind),
                hint=say("Open the memory and correct it, or ignore the problem."),
            )
        choose = not name and problem.kind in _DOUBTFUL_KINDS
        first = next((one for one in names if _can(draft, one, problem, making)), names[0]) if choose else names[0]
        found.setdefault(name or first, []).append(problem)
    return found


def _make(draft: Draft, name: str, problems: list[Problem], making: Making, done: list[Problem], passed: list[tuple[Problem, str]]) -> None:
    """Make one kind of repair on paper; problems that it cannot mend are passed over, with why."""
    batch = BATCHES.get(name)
    if batch is not None:
        try:
            failed = batch(draft, problems, making)
            passed += failed
            done += [problem for problem in problems if problem not in [one for one, _ in failed]]
        except NotPossibleError as error:
            passed += [(problem, error.message) for problem in problems]
        return
    for problem in problems:
        try:
            EDITS[name](draft, problem, making)
            done.append(problem)
        except NotPossibleError as error:
            passed.append((problem, error.message))
            other = FIXES[problem.kind][-1]
            if name == "relink" and other == "unlink":  # no name is near: the link alone goes
                _make(draft, other, [passed.pop()[0]], making, done, passed)


def _stamped_new(edits: tuple[FixEdit, ...], now: datetime) -> tuple[FixEdit, ...]:
    """New files get their origin stamp, as every new memory does."""
    made = []
    for edit in edits:
        document = parse(edit.after) if edit.before is None and edit.after is not None and edit.path != INDEX_NAME else None
        if document is not None and document.field("modified") is None:  # a piece of another memory keeps the times of that
            document = stamped(document, now=iso(now), session_id="", message_id="", previous=None)
            edit = replace(edit, after=serialise(document))
        made.append(edit)
    return tuple(made)


def previews(plan: FixPlan) -> tuple[Preview, ...]:
    """The files of a plan as texts to be compared, without any secret."""
    by_path = {edit.path: edit for edit in plan.edits}
    if plan.follows is not None:
        by_path[plan.follows.path] = plan.follows
    return tuple(_preview(edit) for edit in by_path.values())


def _preview(edit: FixEdit) -> Preview:
    before, after = (redact(decode(data)) if data is not None else "" for data in (edit.before, edit.after))
    return Preview(edit.path, _lines(before), _lines(after), deleted=edit.after is None)


def _lines(text: str) -> str:
    return text.replace("\r\n", "\n").replace("\r", "\n")


def apply_fix(store: MemoryStore, plan: FixPlan, *, origin: ChangeOrigin, state: HealthState | None = None) -> Fixed:
    """Make a plan: all of it, as one act that one undo takes back, or nothing.

    Args:
        store: of its root.
        plan: as it was shown.
        origin: the person.
        state: where contents are noted as true; None: they are not.

    Raises:
        ConflictError: a file is another one by now.
        RefusedError, StorageError: a change could not be made; then none is.
    """
    origin = replace(origin, reason=origin.reason or REPAIR_REASON)
    changes: list[Change] = []
    if plan.edits:
        with store.exclusive() as changing, changing.grouped(changing.new_group()):
            _check_unchanged(changing, plan.edits)
            changes = [_made(store, changing, edit, origin) for edit in plan.edits]
            warning = changing.sync_index_with(news_of_edits(plan.edits), origin)
            changes = [replace(change, warnings=(*change.warnings, warning)) for change in changes] if warning else changes
    if plan.confirmed and state is not None:
        state.confirm(plan.confirmed)
    return Fixed(tuple(changes), plan.confirmed if state is not None else ())


def _check_unchanged(changing: Changing, edits: Sequence[FixEdit]) -> None:
    for edit in edits:
        now = changing.current(edit.path)
        if (digest(now) if now is not None else None) != (digest(edit.before) if edit.before is not None else None):
            raise ConflictError(
                say("{path} was changed meanwhile.", path=edit.path), hint=say("Look at the problem again, and repeat the repair.")
            )


def _made(store: MemoryStore, changing: Changing, edit: FixEdit, origin: ChangeOrigin) -> Change:
    if edit.after is None:
        store.gate("delete", edit.path, "", origin)
        return changing.remove(edit.path, edit.before or b"", "delete", origin)
    store.gate("write", edit.path, decode(edit.after), origin)
    return changing.apply(edit.path, edit.before, edit.after, "write", origin)


def take_back(store: MemoryStore, fixed: Fixed, state: HealthState | None = None) -> Change | None:
    """Undo a repair as a whole.

    Raises:
        ConflictError: a file was changed again since; then nothing is taken back.
        NotFoundError: an older text is no longer kept.
    """
    change = store.undo(fixed.changes[0].id) if fixed.changes else None
    if fixed.confirmed and state is not None:
        state.withdraw(fixed.confirmed)
    return change
