"""What Write and Edit share: the file as it stands, whether this session has read it, and the writing of what was prepared.

A path inside memory goes to the memory store, which has its own gate, journal and undo; everything else is replaced by handles
(`desktop.tools.files`). Blocking: called in worker threads.
"""

from __future__ import annotations

from dataclasses import dataclass

from desktop.base.errors import KeepsakeError, RefusedError, ToolError
from desktop.base.phrases import say
from desktop.base.textio import digest
from desktop.memory.roots import PROJECT
from desktop.permissions.access import Access
from desktop.tools.base import Outcome, ToolContext, meaning_of
from desktop.tools.diffs import counts, unified_diff
from desktop.tools.files import Found, exists, is_folder, load, replace
from desktop.tools.memory_forget import one_act, retire
from desktop.tools.memory_inbox import Wanted, waits_for_person
from desktop.tools.memory_keep import Kept, judged
from desktop.tools.memory_outside import waits_as_order
from desktop.tools.memory_write import IndexFollower, change_data, origin_of, read_version, save, store_of
from desktop.tools.paths import Place, near_names, shown, system_error
from desktop.tools.read import INDEX_NAME, LARGEST_WHOLE
from desktop.tools.text import Text, decode, printable

__all__ = [
    "Change",
    "IndexFollower",
    "carry_out",
    "current",
    "encoded",
    "missing",
    "origin_of",
    "prepared_change",
    "require_read",
    "unread",
]

SHOWN_ON_REFUSAL = 4_000
"""Characters of an unread memory file that the refusal shows, so that the next call can go on."""


@dataclass(frozen=True, slots=True)
class Change:
    """A prepared change of one file.

    Attributes:
        place: where.
        access: what is asked of the rules.
        before: the file as it was shown; None for a new one.
        text: the whole new text, in the file's own newline style.
        data: its bytes.
        diff: for the person.
    """

    place: Place
    access: Access
    before: Found | None
    text: str
    data: bytes
    diff: str


def current(place: Place) -> Found | None:
    """The file at `place`, None when there is none.

    Raises:
        ToolError: a folder, no ordinary file, too large, or unreadable.
    """
    try:
        if is_folder(place.real):
            raise ToolError(say("{path} is a folder, not a file.", path=place.real))
        above = next((folder for folder in place.real.parents if exists(folder)), None)
        if above is not None and not is_folder(above):
            raise ToolError(say("{above} is a file, so nothing can stand below it.", above=above))
        return load(place.real, LARGEST_WHOLE)
    except OSError as error:
        raise system_error(error, place.real) from error


def missing(place: Place) -> ToolError:
    hint = near_names(place.real)
    return ToolError(say("There is no file {path}.", path=place.real), hint=hint or say("Use Write to make it."))


def require_read(place: Place, found: Found, access: Access, context: ToolContext) -> Found:
    """Refuse to change what this session has not seen in its present form; gives what the change starts from.

    For a memory that somebody else changed since it was read that is the version that was read: the store merges the two.

    Raises:
        ToolError: unread or changed; for a short memory file the refusal shows the content, which then counts as read.
    """
    seen = context.read_state.digest_of(place.real)
    if seen == found.digest:
        return found
    text = decode(found.data).text
    if access.memory_target == INDEX_NAME and context.read_state.meaning_of(place.real) == meaning_of(text):
        return found
    version = read_version(access, seen, context)
    if version is not None:
        return Found(version, found.stat)
    raise unread(place, found, access, context)


def unread(place: Place, found: Found, access: Access, context: ToolContext) -> ToolError:
    """Why a file cannot be changed before it is read; a short memory is shown and then counts as read."""
    seen, text = context.read_state.digest_of(place.real), decode(found.data).text
    problem = "has changed since you read it" if seen is not None else "exists and has not been read in this session"
    if access.memory_target is not None and len(text) <= SHOWN_ON_REFUSAL:
        context.read_state.saw(place.real, found.digest, meaning_of(text))
        return ToolError(f"{place.real} {problem}. It holds:\n{printable(text)}\n\nNow change it with Edit, or replace it with Write.")
    if seen is not None:
        return ToolError(say("{path} has changed since you read it.", path=place.real), hint=say("Read it, then repeat the change."))
    return ToolError(
        say("{path} exists and has not been read in this session.", path=place.real), hint=say("Read it, then repeat the change.")
    )


def encoded(old: Text | None, text: str, argument: str) -> bytes:
    """The bytes of the new text, in the form of the old one.

    Raises:
        ToolError: characters that cannot be stored.
    """
    try:
        return text.encode() if old is None else old.encode(text)
    except UnicodeEncodeError as error:
        where = f"the character U+{ord(text[error.start]):04X}"
        raise ToolError(f"`{argument}` holds {where}, which cannot be stored in {old.encoding if old else 'utf-8'}.") from error


def prepared_change(place: Place, access: Access, before: Found | None, text: str, data: bytes, context: ToolContext) -> Change:
    if access.memory_denied is not None:  # there is nothing to be asked, and with memory off not even the path is said
        return Change(place, access, before, text, data, "")
    old = "" if before is None else decode(before.data).text
    diff = unified_diff(shown(place.real, context), printable(old), printable(text), existed=before is not None)
    return Change(place, access, before, text, data, diff)


def carry_out(change: Change, context: ToolContext) -> Outcome:
    """Write exactly what was prepared.

    Raises:
        ToolError: the file is not what was shown, the store's gate refused it, or the system did.
    """
    if change.access.memory_denied is not None:
        raise ToolError(change.access.memory_denied)
    try:
        if change.access.memory_target is not None:
            return _carry_out_memory(change, context)
        replace(change.place.real, change.data, before=change.before)
    except ToolError:
        raise
    except KeepsakeError as error:
        raise ToolError(error.message, hint=error.hint, detail=error.detail) from error
    context.read_state.saw(change.place.real, digest(change.data))
    return Outcome(_done(change.before is None, shown(change.place.real, context), change.diff), diff=change.diff)


def _done(new: bool, what: str, diff: str) -> str:
    added, removed = counts(diff)
    return f"{'Created' if new else 'Changed'} {what} (+{added} −{removed} lines)."


def _named(access: Access) -> str:
    """A memory as results name it: by its path in the project's memory, with its root elsewhere."""
    return f"{access.memory_target}" if access.memory_root == PROJECT else f"{access.memory_target} ({access.memory_root})"


def _carry_out_memory(change: Change, context: ToolContext) -> Outcome:
    wanted = Wanted(change.access, change.place.real, change.text, change.before)
    if context.keep is None:
        return waits_as_order(wanted, context) or _saved(wanted, change.diff, context)
    kept = judged(wanted, context)
    if not isinstance(kept, Kept):
        return kept
    diff = _memory_diff(kept.wanted, context)
    if not kept.retired:
        return _saved(kept.wanted, diff, kept.context, kept.reason)
    with one_act(store_of(kept.wanted.access, context)):
        outcome = _saved(kept.wanted, diff, kept.context, kept.reason)
        return retire(kept.retired, kept.wanted, outcome, kept.context, kept.reason) if outcome.memory_saved else outcome


def _memory_diff(wanted: Wanted, context: ToolContext) -> str:
    old, name = wanted.base_text, shown(wanted.path, context)
    return unified_diff(name, printable(old), printable(wanted.text), existed=wanted.base is not None)


def _saved(wanted: Wanted, diff: str, context: ToolContext, reason: str = "") -> Outcome:
    access = wanted.access
    assert access.memory_target is not None
    try:
        saved = save(access, wanted.path, wanted.text, wanted.base, context, reason)
    except RefusedError as error:
        waits = waits_for_person(error, wanted, context)
        if waits is None:
            raise
        return waits
    if saved.change.before == saved.change.after:
        return Outcome(" ".join([f"The memory {_named(access)} already says this; nothing was written.", *saved.notes]))
    kept = [f"Its line in {INDEX_NAME} is kept by the app."] if access.memory_target != INDEX_NAME and _has_index(access, context) else []
    data = {} if access.memory_root == PROJECT else {"memory_root": access.memory_root}
    done = _done(wanted.base is None, f"the memory {_named(access)}", diff)
    changes = change_data(access.memory_root, saved.change)
    return Outcome(" ".join([done, *kept, *saved.notes]), diff=diff, data=data | changes, memory_saved=(access.memory_target,))


def _has_index(access: Access, context: ToolContext) -> bool:
    return store_of(access, context).memory_root.profile == "index"
