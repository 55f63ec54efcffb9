"""What a transcript looks like in the chat: messages to a flat list of entries, in the order in which they are drawn.

Results are joined to their calls; what the app put in for the model (reminders, start blocks) is left out, what it read for the person
(other sessions) is a card. Pure; knows no widgets.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from desktop.agent.interrupted import is_recovered
from desktop.base.phrases import phrase_from_json, say
from desktop.memory.roots import PROJECT
from desktop.messages.boundary import is_boundary
from desktop.messages.events import MemoryChangeRef, RecalledRef
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions.paging import CUT
from desktop.ui.chat.images import ImageRef, images_of

MEMORY_SAVED, MEMORY_DELETED, MEMORY_CHANGES, MEMORY_PROPOSED = "memory_saved", "deleted", "memory_changes", "memory_proposed"
"""What the data of a call's result says of memory: paths written, paths deleted, journalled changes."""
RECALLED, LOADED, CLAIM = "recalled", "loaded", "claim"
"""Notes of a message: memories that were added to its turn; how much of the index was; a save that was claimed and did not happen."""
CONTEXT_CARD = "session_context"


@dataclass(frozen=True, slots=True)
class UserEntry:
    message_id: str
    text: str
    time: datetime
    images: tuple[ImageRef, ...] = ()


@dataclass(frozen=True, slots=True)
class AnswerEntry:
    message_id: str
    text: str
    time: datetime
    model: str
    images: tuple[ImageRef, ...] = ()


@dataclass(frozen=True, slots=True)
class ThinkingEntry:
    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class ToolEntry:
    message_id: str
    call: ToolCallPart
    result: ToolResultPart | None


@dataclass(frozen=True, slots=True)
class SavedEntry:
    """What was done to memory: by a call, or in the background after the turn.

    Attributes:
        paths, deleted: files that were written or went, relative to their root.
        changes: the journal's entries, where they are known.
        background: extraction did it.
        message_id: the person's message it was done for; only for what was done in the background.
    """

    paths: tuple[str, ...]
    deleted: tuple[str, ...] = ()
    changes: tuple[MemoryChangeRef, ...] = ()
    background: bool = False
    message_id: str = ""

    @property
    def refs(self) -> tuple[MemoryChangeRef, ...]:
        """The changes to show. Of an old transcript only the paths are known: changes without an id, of the project's root."""
        if self.changes:
            return self.changes
        pairs = ((self.paths, "write"), (self.deleted, "delete"))
        return tuple(MemoryChangeRef(PROJECT, path, "", op) for paths, op in pairs for path in dict.fromkeys(paths))


@dataclass(frozen=True, slots=True)
class ProposedEntry:
    """What was put into a review inbox: by the calls of one answer, or in the background after the turn of the person's message.

    Attributes:
        ids: of the proposals.
        message_id: the person's message it was done for; only for what was done in the background.
    """

    ids: tuple[str, ...]
    message_id: str = ""


@dataclass(frozen=True, slots=True)
class RecalledEntry:
    """What memory gave the turn of the person's message: `items` were recalled; `loaded` is what was sent of the index, if it was told."""

    message_id: str
    items: tuple[RecalledRef, ...] = ()
    loaded: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class ClaimEntry:
    """The model said that it had saved or forgotten something, and no call of its turn did; `claim` as in `Message.notes`."""

    message_id: str
    claim: str


@dataclass(frozen=True, slots=True)
class ContextEntry:
    """Another session that was read into this one; `data` is the card's, see `agent.session`."""

    message_id: str
    text: str
    data: dict[str, Any]


@dataclass(frozen=True, slots=True)
class StoppedEntry:
    """An answer that did not come to its end: `interrupted`, `error`, `length`, or `recovered`: the process ended in its middle."""

    stop: str


@dataclass(frozen=True, slots=True)
class VersionsEntry:
    """The message that follows has others beside it; `position` of it among `ids`, from 1; `persons`: the person wrote it."""

    message_id: str
    position: int
    ids: tuple[str, ...]
    persons: bool = False


@dataclass(frozen=True, slots=True)
class BoundaryEntry:
    """From here on requests begin with this summary of what stands before it."""

    message_id: str
    text: str


@dataclass(frozen=True, slots=True)
class CutEntry:
    """The message before is too long to be held: its beginning is shown. `size` is that of its line, in bytes."""

    message_id: str
    size: int


@dataclass(frozen=True, slots=True)
class ReminderEntry:
    """What the app put in for the model; only shown where a whole session is read."""

    message_id: str
    text: str


Entry = (
    UserEntry
    | AnswerEntry
    | ThinkingEntry
    | ToolEntry
    | SavedEntry
    | ProposedEntry
    | RecalledEntry
    | ClaimEntry
    | ContextEntry
    | StoppedEntry
    | VersionsEntry
    | CutEntry
    | ReminderEntry
    | BoundaryEntry
)


@dataclass(frozen=True, slots=True)
class Stored:
    """What the view of a stored session shows besides.

    Attributes:
        versions: by message id, of those that have others beside them: position from 1 and all ids.
        reminders: what the app put in for the model, folded.
    """

    versions: Mapping[str, tuple[int, tuple[str, ...]]] = field(default_factory=dict)
    reminders: bool = False


Extracted = Mapping[str, Sequence[MemoryChangeRef]]
"""The person's message → changes that background extraction made for it."""
Proposed = Mapping[str, Sequence[str]]
"""The person's message → ids of the proposals that it made for it."""


def results_by_call(messages: Sequence[Message]) -> dict[str, ToolResultPart]:
    return {result.call_id: result for message in messages for result in message.tool_results}


def entries_of(
    messages: Sequence[Message],
    extracted: Extracted | None = None,
    stored: Stored | None = None,
    proposed: Proposed | None = None,
) -> list[Entry]:
    """All entries of a branch, or of a part of one. What was recalled stands at the person's message, what was extracted and proposed at
    the end of its turn. With `stored`, what only the view of a stored session shows is among them."""
    results = results_by_call(messages)
    called = {call.id for message in messages for call in message.tool_calls}
    found: list[Entry] = []
    asked = ""
    for message in messages:
        if message.role == "user" and message.origin == "person":
            found += extracted_entries(asked, extracted, proposed)
            asked = message.id
        if stored is not None and message.id in stored.versions:
            found.append(VersionsEntry(message.id, *stored.versions[message.id], persons=message.role == "user"))
        for entry in (*message_entries(message, results), *_orphans(message, called), *_stored_entries(message, stored)):
            if not isinstance(entry, RecalledEntry) or not _joined(found, entry):
                found.append(entry)
    return [*found, *extracted_entries(asked, extracted, proposed)]


def _orphans(message: Message, called: set[str]) -> list[Entry]:
    """Results whose calls are lost: the model is not sent them, the person sees them."""
    lost = [result for result in message.tool_results if result.call_id not in called]
    return [ToolEntry(message.id, ToolCallPart(result.call_id, result.name), result) for result in lost]


def _stored_entries(message: Message, stored: Stored | None) -> list[Entry]:
    if stored is None:
        return []
    size = (message.notes or {}).get(CUT)
    found: list[Entry] = [CutEntry(message.id, size)] if isinstance(size, int) else []
    if stored.reminders and message.role == "user" and message.origin == "app":
        texts = (part.text for part in message.parts if isinstance(part, TextPart) and (part.data or {}).get("card") != CONTEXT_CARD)
        text = "\n\n".join(text for text in texts if text.strip())
        found += [ReminderEntry(message.id, text)] if text else []
    return found


def extracted_entries(message_id: str, extracted: Extracted | None, proposed: Proposed | None) -> list[Entry]:
    """The entries of what was extracted and proposed for a message, if anything was."""
    changes = tuple((extracted or {}).get(message_id, ())) if message_id else ()
    ids = tuple((proposed or {}).get(message_id, ())) if message_id else ()
    found: list[Entry] = [saved_by(changes, message_id)] if changes else []
    return [*found, ProposedEntry(ids, message_id)] if ids else found


def saved_by(changes: Sequence[MemoryChangeRef], message_id: str) -> SavedEntry:
    """Changes that were made in the background, as an entry."""
    deleted = tuple(dict.fromkeys(one.path for one in changes if one.op == "delete"))
    paths = tuple(dict.fromkeys(one.path for one in changes if one.op != "delete" and one.path not in deleted))
    return SavedEntry(paths, deleted, tuple(changes), background=True, message_id=message_id)


def _joined(found: list[Entry], entry: RecalledEntry) -> bool:
    """Put what was recalled to what its turn has already, right behind the person's message; False without such a message."""
    for at in range(len(found) - 1, -1, -1):
        one = found[at]
        if isinstance(one, RecalledEntry):
            found[at] = RecalledEntry(one.message_id, merged(one.items, entry.items), entry.loaded or one.loaded)
            return True
        if isinstance(one, UserEntry):
            found.insert(at + 1, entry)
            return True
    return False


def merged(before: Sequence[RecalledRef], more: Sequence[RecalledRef]) -> tuple[RecalledRef, ...]:
    """Both, each memory once, in the order in which they came."""
    return tuple({(one.root, one.path): one for one in (*before, *more)}.values())


def message_entries(message: Message, results: dict[str, ToolResultPart]) -> list[Entry]:
    """The entries of one message. Tool messages have none of their own: their results stand with the calls."""
    if message.role == "user":
        return _user_entries(message)
    if message.role == "tool":
        return []
    found = recalled_entries(message)
    saved: list[SavedEntry] = []
    proposed: list[str] = []
    for part in message.parts:
        match part:
            case ThinkingPart() if part.text.strip():
                found.append(ThinkingEntry(message.id, part.text))
            case TextPart() if part.text.strip() or images_of(part.data):
                found.append(AnswerEntry(message.id, part.text, message.time, message.model or "", images_of(part.data)))
            case ToolCallPart():
                result = results.get(part.id)
                found.append(ToolEntry(message.id, part, result))
                saved += saved_entries(result)
                proposed += _paths(((result.data if result is not None else None) or {}).get(MEMORY_PROPOSED))
    if saved:
        found.append(together(saved))
    if proposed:
        found.append(ProposedEntry(tuple(dict.fromkeys(proposed))))
    if message.stop in ("interrupted", "length", "error"):
        found.append(StoppedEntry("recovered" if is_recovered(message) else message.stop))
    claim = (message.notes or {}).get(CLAIM)
    if isinstance(claim, str) and claim:
        found.append(ClaimEntry(message.id, claim))
    return found


def claim_text(claim: str) -> str:
    """What the chat says to a claim, as it did when the answer came."""
    if claim == "not_forgotten":
        return say("The model says that it forgot a memory, but nothing was deleted from memory in this turn.")
    return say("The model says that it saved a memory, but no memory file was written in this turn.")


def recalled_entries(message: Message) -> list[Entry]:
    """What the notes of a message say of memories that were added to its turn, and of what was loaded for it."""
    notes = message.notes or {}
    held, told = notes.get(RECALLED), notes.get(LOADED)
    refs = tuple(ref for ref in map(_recalled_ref, held) if ref is not None) if isinstance(held, (list, tuple)) else ()
    loaded = _loaded(told) if isinstance(told, Mapping) else None
    return [RecalledEntry(message.id, refs, loaded)] if refs or loaded else []


def _loaded(note: Mapping[str, object]) -> dict[str, Any] | None:
    """A load report out of a note, in which only whole numbers count; None where nothing was loaded."""
    counts = {name: note.get(name) for name in ("entries", "lines", "bytes", "tokens")}
    held: dict[str, Any] = {name: n for name, n in counts.items() if isinstance(n, int) and not isinstance(n, bool) and n > 0}
    return held | {"truncated": note.get("truncated") is True} if "entries" in held else None


def _recalled_ref(value: object) -> RecalledRef | None:
    if isinstance(value, RecalledRef):
        return value
    if not isinstance(value, Mapping) or not value.get("path"):
        return None
    texts = {name: _text(value.get(name)) for name in ("root", "path", "name", "reason", "age", "stage")}
    tokens = value.get("tokens")
    return RecalledRef(**texts, tokens=tokens if isinstance(tokens, int) else 0)


def _text(value: object) -> str:
    """A text of a note; sentences of the core come back as phrases, so that the window says them in its language."""
    return phrase_from_json(value) or (value if isinstance(value, str) else "")


def change_refs(value: object) -> tuple[MemoryChangeRef, ...]:
    """The changes that the data of a result names; what is damaged is left out."""
    found = []
    for one in value if isinstance(value, (list, tuple)) else ():
        if isinstance(one, Mapping) and all(isinstance(one.get(name), str) for name in ("root", "path", "change", "op")):
            found.append(MemoryChangeRef(one["root"], one["path"], one["change"], one["op"]))
    return tuple(found)


def entry_index(entries: Sequence[Entry], messages: Sequence[Message], message_id: str, text: str = "") -> int | None:
    """Where a message stands among the entries of its branch; None when it is not on it.

    A result stands with its call; a message that is not drawn is where the one before it is. Of several entries of one message it is the
    one that holds `text`, else its answer, else the first.
    """
    place = next((at for at, message in enumerate(messages) if message.id == message_id), None)
    if place is None:
        return None
    calls = {result.call_id for result in messages[place].tool_results}
    if calls:
        found = [at for at, entry in enumerate(entries) if isinstance(entry, ToolEntry) and entry.call.id in calls]
        holding = [at for at in found if text and (result := getattr(entries[at], "result", None)) is not None and text in result.output]
        return next(iter(holding or found), None)
    known = {message.id: at for at, message in enumerate(messages[: place + 1])}
    drawn = [(at, entry) for at, entry in enumerate(entries) if not isinstance(entry, (VersionsEntry, CutEntry))]
    at_or_before = [(known[own], at) for at, entry in drawn if (own := getattr(entry, "message_id", "")) in known]
    if not at_or_before:
        return 0 if entries else None
    nearest = max(number for number, _ in at_or_before)
    own_entries = [at for number, at in at_or_before if number == nearest]
    folded = text.casefold()
    holding = [at for at in own_entries if text and folded in _said_by(entries[at]).casefold()]
    answers = [at for at in own_entries if isinstance(entries[at], AnswerEntry)]
    return next(iter(holding or answers or own_entries))


def _said_by(entry: Entry) -> str:
    """The words of an entry, for what was searched for."""
    if isinstance(entry, ToolEntry):
        return "\n".join((call_title(entry.call), entry.call.raw or "", *map(str, entry.call.input.values())))
    return getattr(entry, "text", "")


def together(saved: Sequence[SavedEntry]) -> SavedEntry:
    """What several calls, one after the other, did to memory, as one entry."""
    paths = tuple(path for one in saved for path in one.paths)
    deleted = tuple(path for one in saved for path in one.deleted)
    changes = tuple(ref for one in saved for ref in one.refs) if any(one.changes for one in saved) else ()
    return SavedEntry(paths, deleted, changes, saved[0].background, saved[0].message_id)


def saved_entries(result: ToolResultPart | None) -> list[SavedEntry]:
    """What a call did to memory."""
    data = (result.data or {}) if result is not None else {}
    changes = change_refs(data.get(MEMORY_CHANGES))
    deleted = _paths(data.get(MEMORY_DELETED)) or tuple(one.path for one in changes if one.op == "delete")
    saved = _paths(data.get(MEMORY_SAVED)) or tuple(one.path for one in changes if one.op != "delete")
    return [SavedEntry(saved, deleted, changes)] if saved or deleted else []


def _paths(value: object) -> tuple[str, ...]:
    return tuple(dict.fromkeys(str(one) for one in value)) if isinstance(value, (list, tuple)) else ()


def _user_entries(message: Message) -> list[Entry]:
    if message.origin == "person":
        texts = [part for part in message.parts if isinstance(part, TextPart)]
        images = tuple(ref for part in texts for ref in images_of(part.data))
        text = "\n\n".join(part.text for part in texts if part.text) if images else message.text
        return [UserEntry(message.id, text, message.time, images), *recalled_entries(message)]
    if is_boundary(message):
        return [BoundaryEntry(message.id, message.text)]
    found: list[Entry] = []
    for part in message.parts:
        if isinstance(part, TextPart) and part.data is not None and part.data.get("card") == CONTEXT_CARD:
            found.append(ContextEntry(message.id, part.text, part.data))
    return found


_MAIN_ARGUMENT = ("file_path", "command", "pattern", "sessionId", "path", "query")


def call_title(call: ToolCallPart) -> str:
    """One line for a call without a prepared title: what it does, as the tool itself would say it, else its tool and main argument."""
    for name in _MAIN_ARGUMENT:
        value = call.input.get(name)
        if isinstance(value, str) and value.strip():
            first = value.strip().splitlines()[0]
            short = first.rstrip("/\\").replace("\\", "/").rpartition("/")[2] if name == "file_path" else first
            return _said(call.name, (short or first)[:300])
    return call.name


def _said(tool: str, argument: str) -> str:
    match tool:
        case "Read":
            return say("Read {path}", path=argument)
        case "Edit":
            return say("Edit {path}", path=argument)
        case "Write":
            return say("Write {path}", path=argument)
        case "Glob":
            return say("Find {pattern}", pattern=argument)
        case "Grep":
            return say("Search {pattern}", pattern=argument)
        case "Bash":
            return say("Run {command}", command=argument)
        case "ReadSessionContext":
            return say("Read session {title}", title=argument)
    return f"{tool} {argument}"
