"""What Write and Edit share: the file as it stands, whether this session has read it, and the writing of what was prepared.

A path inside memory goes to the memory store, which has its own gate, journal and undo; everything else is replaced by handles
(`desktop.tools.files`). Blocking: called in worker threads.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from desktop.base.errors import KeepsakeError, ToolError
from desktop.base.phrases import say
from desktop.base.textio import digest
from desktop.memory.store import Change as StoredChange
from desktop.memory.store import ChangeOrigin
from desktop.permissions.access import Access
from desktop.tools.base import Outcome, ToolContext, meaning_of
from desktop.tools.diffs import counts, unified_diff
from desktop.tools.files import Found, exists, is_folder, load, replace
from desktop.tools.paths import Place, near_names, shown, system_error
from desktop.tools.read import INDEX_NAME, LARGEST_WHOLE
from desktop.tools.text import Text, decode, printable

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


def require_read(place: Place, found: Found, access: Access, context: ToolContext) -> None:
    """Refuse to change what this session has not seen in its present form.

    Raises:
        ToolError: unread or changed; for a short memory file the refusal shows the content, which then counts as read.
    """
    seen = context.read_state.digest_of(place.real)
    if seen == found.digest:
        return
    text = decode(found.data).text
    if access.memory_target == INDEX_NAME and context.read_state.meaning_of(place.real) == meaning_of(text):
        return
    problem = "has changed since you read it" if seen is not None else "exists and has not been read in this session"
    if access.memory_target is not None and len(text) <= SHOWN_ON_REFUSAL:
        context.read_state.saw(place.real, found.digest, meaning_of(text))
        raise ToolError(f"{place.real} {problem}. It holds:\n{printable(text)}\n\nNow change it with Edit, or replace it with Write.")
    if seen is not None:
        raise ToolError(say("{path} has changed since you read it.", path=place.real), hint=say("Read it, then repeat the change."))
    raise ToolError(
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
    added, removed = counts(change.diff)
    verb = "Created" if change.before is None else "Changed"
    lines = f"+{added} −{removed} lines"
    relative = change.access.memory_target
    try:
        if relative is not None:
            stored = _save_memory(change, relative, context)
            if stored.before == stored.after:
                return Outcome(" ".join([f"The memory {relative} already says this; nothing was written.", *stored.warnings]))
            kept = [] if relative == INDEX_NAME else [f"Its line in {INDEX_NAME} is kept by the app."]
            text = " ".join([f"{verb} the memory {relative} ({lines}).", *kept, *stored.warnings])
            return Outcome(text, diff=change.diff, memory_saved=(relative,))
        replace(change.place.real, change.data, before=change.before)
    except ToolError:
        raise
    except KeepsakeError as error:
        raise ToolError(error.message, hint=error.hint, detail=error.detail) from error
    context.read_state.saw(change.place.real, digest(change.data))
    return Outcome(f"{verb} {shown(change.place.real, context)} ({lines}).", diff=change.diff)


def origin_of(context: ToolContext, reason: str) -> ChangeOrigin:
    actor: Literal["extractor", "main"] = "extractor" if context.actor == "extractor" else "main"
    return ChangeOrigin(actor=actor, session_id=context.session_id, message_id=context.message_id, reason=reason)


def _save_memory(change: Change, relative: str, context: ToolContext) -> StoredChange:
    assert context.memory is not None
    base = None if change.before is None else change.before.digest
    with IndexFollower(context):
        stored: StoredChange = context.memory.write(relative, change.text, base_digest=base, origin=origin_of(context, change.access.tool))
    found = _quietly(change.place.real)
    if found is not None:
        context.read_state.saw(change.place.real, found.digest, meaning_of(decode(found.data).text))
    return stored


def _quietly(path: Path) -> Found | None:
    """The file, or None when it cannot be read: it only keeps the read state fresh."""
    try:
        return load(path, LARGEST_WHOLE)
    except (OSError, ToolError):
        return None


class IndexFollower:
    """Keeps the index “read” over a change of ours: the line that the app adds for a memory is no news to the session that wrote it."""

    def __init__(self, context: ToolContext) -> None:
        self._state = context.read_state
        root = context.memory_root
        self._path = Path() if root is None else Path(root).resolve() / INDEX_NAME
        self._known = False

    def __enter__(self) -> None:
        found = _quietly(self._path)
        self._known = self._state.digest_of(self._path) == found.digest if found is not None else not exists(self._path)

    def __exit__(self, *_: object) -> None:
        found = _quietly(self._path) if self._known else None
        if found is not None:
            self._state.saw(self._path, found.digest, meaning_of(decode(found.data).text))
