"""“Forget this” as an act of the person: finds what is meant, deletes it with its index line when that is clear, asks when it is not.

Owns what a word of the person names, and honesty about it: what was found and what was not, and why the index itself is never deleted
(B23, B25, B27). Deleting is the store's: trash, index line, tombstone, undo. Calls no model. Blocking: call it off the GUI thread.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Literal

from desktop.agent.remember import reference, refused_because
from desktop.base.errors import KeepsakeError, NotFoundError, UsageError
from desktop.base.phrases import say, together
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import decode_text, parse
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME, Note, find_note, one_line, slug_of
from desktop.memory.relevance import terms_of
from desktop.memory.search import MemoryHit, MemorySearch
from desktop.memory.store import MemoryStore
from desktop.messages.events import MemoryChangeRef
from desktop.providers.embedded_patterns import EVERYTHING, FORGET_LEAD, ZH_FORGET_LEAD

MOST_CHOICES = 8
CLEAR = 0.75
"""Share of the words of a target that the one memory must hold to be deleted without a question …"""
LEAD = 0.25
"""… and by how much it must be ahead of the next."""

SHORT = 600
"""Characters of a text that is about one thing."""

_INDEX_WORDS = re.compile(r"(?i)^(?:the )?(?:memory )?index(?: file)?$|^(?:记忆)?(?:的)?索引(?:文件)?$")
_TAIL = re.compile(
    r"(?i)(?:的?(?:这条|那条|那个|这个)?(?:记忆|笔记)|(?:的(?:这条|那条|那个|这个)?|[这那][条个])(?:事情?|内容)|(?<!\s)\s+(?:memory|memories|notes?)|(?<=\w\w)的)$"
)

_AROUND = re.compile(r"^(?:请)?[把将]\s?(.{1,200}?)\s?(?:给)?(?:忘掉|忘记|忘了|删掉|删除|删了|去掉|清除)[吧了。！\s]*$")


@dataclass(frozen=True, slots=True)
class Choice:
    """A memory that may be meant: `root` and `path`, with what tells it from the others."""

    root: str
    path: str
    name: str
    description: str


@dataclass(frozen=True, slots=True)
class Forgotten:
    """What became of a wish to forget.

    Attributes:
        status: forgotten; nothing (none was found); several (choose one of `choices`); refused (the index, or everything).
        message: what happened, for the person.
        choices: memories that may be meant, best first.
        changes: the journal's entries, for Undo.
    """

    status: Literal["forgotten", "nothing", "several", "refused"]
    message: str
    choices: tuple[Choice, ...] = ()
    changes: tuple[MemoryChangeRef, ...] = ()


@dataclass(frozen=True, slots=True)
class _Found:
    """A memory of a root; `note` None: only a line of the index names it."""

    store: MemoryStore
    path: str
    note: Note | None

    @property
    def choice(self) -> Choice:
        note = self.note
        about = one_line(note.description or note.hint, 160) if note is not None else ""
        return Choice(self.store.memory_root.id, self.path, one_line(note.name, 120) if note is not None else self.path, about)


def forget(
    memories: Memories,
    target: str,
    search: MemorySearch | None = None,
    *,
    root: str = "",
    session_id: str = "",
    message_id: str = "",
) -> Forgotten:
    """Delete the memory that `target` names: by path, name or file, else by what it says.

    Args:
        search: for a target that is no name; None: only the words of names and descriptions are compared.
        root: look in this root only, for a choice that was made.
        session_id, message_id: where it was said.

    Raises:
        UsageError: nothing is named.
        RefusedError: memory is off here.
        StorageError: it could not be deleted.
    """
    refused = refused_because(memories.state())
    if refused is not None:
        raise refused
    raw, root = _addressed(_unquoted(target), root, memories)
    wanted = _cleaned(raw)
    if ".." in re.split(r"[\\/]", wanted):  # not a memory's name, and no file is looked for outside
        return Forgotten("nothing", say("Nothing is remembered about “{target}”. Nothing was deleted.", target=one_line(wanted, 120)))
    stores = [store for store in memories.own() if not root or store.memory_root.id == root]
    origin = ChangeOrigin("person", session_id, message_id, "forget")
    if search is not None:
        search.follow(memories)
    for name in dict.fromkeys((raw, wanted, _TAIL.sub("", wanted) or wanted)):
        named = _named(memories, stores, name)
        if len(named) == 1:
            return _delete(named[0], origin)
        if named:
            return _several(say("Several memories are named so. Which one is to be forgotten?"), named)
    answer = _refusal(memories, wanted)
    return answer if answer is not None else _by_words(memories, stores, _TAIL.sub("", wanted).strip() or wanted, search, origin)


def _unquoted(target: str) -> str:
    """What is named, without quotation marks.

    Raises:
        UsageError: nothing is.
    """
    wanted = target.strip().strip("\"'“”‘’「」`").strip()
    if not wanted:
        raise UsageError(say("There is nothing to forget."), hint=say("Name the memory behind the command: /forget build-tool"))
    return wanted


def _cleaned(wanted: str) -> str:
    """What is named without words like “about” and “my”, which a name may begin with all the same."""
    around = _AROUND.match(wanted)
    wanted = around.group(1).strip() if around is not None else wanted
    while (lead := FORGET_LEAD.match(wanted) or ZH_FORGET_LEAD.match(wanted)) and wanted[lead.end() :].strip():
        wanted = wanted[lead.end() :].strip()
    return wanted


def _addressed(wanted: str, root: str, memories: Memories) -> tuple[str, str]:
    """What is named and the root it is looked for in: `user:tone.md` means that one alone."""
    before, colon, behind = wanted.partition(":")
    if colon and behind.strip() and not root and before.strip() in {one.id for one in memories.own_roots}:
        return behind.strip(), before.strip()
    return wanted, root


# --- by name ------------------------------------------------------------------------------------------------------------


def _named(memories: Memories, stores: Sequence[MemoryStore], wanted: str) -> list[_Found]:
    """The memories whose path, name or file is this; of the nearest kind of likeness only."""
    asked = wanted.replace("\\", "/").removeprefix("./") if os.sep == "/" else wanted.replace("\\", "/")
    at = _at_path(memories, stores, wanted)
    if at is not None:
        return [at]
    notes = [(store, store.notes()) for store in stores if store.memory_root.profile != "single"]
    stem = asked.removesuffix(".md")
    likeness: tuple[Callable[[Note], bool], ...] = (
        lambda note: note.path in (asked, f"{asked}.md"),
        lambda note: note.path.casefold() in (asked.casefold(), f"{asked}.md".casefold()),
        lambda note: folded(note.name) == folded(stem),
        lambda note: PurePosixPath(note.path).stem.casefold() == stem.casefold(),
        lambda note: bool(slug_of(stem)) and slug_of(stem) in (slug_of(note.name), slug_of(PurePosixPath(note.path).stem)),
    )
    for alike in likeness:
        found = [_Found(store, note.path, note) for store, own in notes for note in own if alike(note)]
        if found:
            return found
    return _lines_only(stores, asked)


def _at_path(memories: Memories, stores: Sequence[MemoryStore], wanted: str) -> _Found | None:
    """The memory at an absolute path."""
    path = Path(wanted).expanduser() if wanted.startswith("~") else Path(wanted)
    if not path.is_absolute():
        return None
    place = memories.root_at(path)
    if place is None:
        return None
    for store in stores:
        if store.memory_root.id == place[0].id and store.memory_root.profile != "single":
            note = next((note for note in store.notes() if note.path == place[1]), None)
            return _Found(store, note.path, note) if note is not None else None
    return None


def _lines_only(stores: Sequence[MemoryStore], asked: str) -> list[_Found]:
    """A line of an index whose file is gone already (B23)."""
    targets = (asked, f"{asked}.md")
    found: list[_Found] = []
    for store in stores:
        if store.memory_root.profile == "index" and any(entry.target in targets for entry in entries_of(_index_text(store))):
            path = next(entry.target for entry in entries_of(_index_text(store)) if entry.target in targets)
            found.append(_Found(store, path or asked, None))
    return found


def _index_text(store: MemoryStore) -> str:
    try:
        return decode_text(store.read(INDEX_NAME).data)[0]
    except KeepsakeError:
        return ""


# --- what is never deleted ----------------------------------------------------------------------------------------------


def _refusal(memories: Memories, wanted: str) -> Forgotten | None:
    """The answer to a wish for the index or for everything; None for anything else."""
    name = PurePosixPath(wanted.replace("\\", "/")).name
    if name.casefold() == INDEX_NAME.casefold() or _INDEX_WORDS.match(wanted):
        return Forgotten("refused", _index_refused(memories, wanted))
    if EVERYTHING.match(wanted):
        return Forgotten(
            "refused",
            together(
                say("Not everything is forgotten at once."),
                say("Name one memory, or switch memory off for this workspace. Nothing was deleted."),
            ),
        )
    return None


def _index_refused(memories: Memories, wanted: str) -> str:
    place = memories.root_at(Path(wanted)) if Path(wanted).is_absolute() else None
    if place is not None and place[0].profile != "index":
        return together(
            say("{name} is the whole memory here and cannot be deleted or renamed.", name=INDEX_NAME),
            say("Take out the lines that no longer hold."),
        )
    count = len(memories.store().notes())
    return together(
        say("{name} is the index of the memories, which the app keeps: it is not forgotten.", name=INDEX_NAME),
        say("All {count} memories are still there. Name one of them; its line goes with it.", count=count),
    )


# --- by what it says ----------------------------------------------------------------------------------------------------


def _by_words(
    memories: Memories, stores: Sequence[MemoryStore], wanted: str, search: MemorySearch | None, origin: ChangeOrigin
) -> Forgotten:
    found, in_file = _looked_up(memories, stores, wanted, search)
    scored = sorted(((_share(wanted, one), -place, one) for place, one in enumerate(found)), key=lambda row: row[:2], reverse=True)
    if scored:
        best, second = scored[0][0], scored[1][0] if len(scored) > 1 else 0.0
        if best >= CLEAR and best - second >= LEAD:
            return _delete(scored[0][2], origin)
        return _several(
            say("These memories may be meant. Which one is to be forgotten?"), [one for _, _, one in scored[:MOST_CHOICES]], note=in_file
        )
    done = _forget_line_of_text(memories, stores, wanted, origin)
    if done is not None:
        return done
    nothing = say("Nothing is remembered about “{target}”. Nothing was deleted.", target=one_line(wanted, 120))
    if in_file:
        nothing = say("There is no memory of its own about “{target}”. Nothing was deleted.", target=one_line(wanted, 120))
    return Forgotten("nothing", together(nothing, in_file))


def _looked_up(memories: Memories, stores: Sequence[MemoryStore], wanted: str, search: MemorySearch | None) -> tuple[list[_Found], str]:
    """Memories that bear on the words, best first, and a sentence about what stands in a file that is no list of memories."""
    by_root = {store.memory_root.id: store for store in stores}
    if search is None:
        rows = [_Found(store, note.path, note) for store in stores if store.memory_root.profile != "single" for note in store.notes()]
        return sorted((row for row in rows if _share(wanted, row) > 0), key=lambda row: -_share(wanted, row))[:MOST_CHOICES], ""
    every = search.search(memories, wanted, reach="folder", limit=20).hits
    hits = [hit for hit in every if hit.root_id in by_root]
    found: list[_Found] = []
    for hit in hits:
        store = by_root[hit.root_id]
        note = find_note(store.root, hit.path) if hit.path != INDEX_NAME else None
        if note is not None and all((hit.root_id, hit.path) != (one.store.memory_root.id, one.path) for one in found):
            found.append(_Found(store, hit.path, note))
    return found[:MOST_CHOICES], together(_in_file(hits), _of_others([hit for hit in every if hit.root_id.startswith("foreign:")]))


def _in_file(hits: Sequence[MemoryHit]) -> str:
    """A MEMORY.md that is a text of its own is not deleted for a line in it."""
    hit = next((hit for hit in hits if hit.path == INDEX_NAME), None)
    if hit is None:
        return ""
    return say("It may stand in {path}, line {line}: take it out there by hand.", path=hit.absolute, line=hit.line)


def _of_others(hits: Sequence[MemoryHit]) -> str:
    """Other programs' memory is shown here and never changed."""
    if not hits:
        return ""
    return say("{path} belongs to another program and is only read here: delete it there.", path=hits[0].absolute)


def _forget_line_of_text(memories: Memories, stores: Sequence[MemoryStore], wanted: str, origin: ChangeOrigin) -> Forgotten | None:
    """Take the one line that says it out of a MEMORY.md that is a text of its own; None when no line does, or several."""
    for store in stores:
        single = store.memory_root.profile == "single"
        if store.memory_root.profile == "index" or (single and memories.workspace_file().state != "trusted"):
            continue
        with store.exclusive():
            try:
                stored = store.read(INDEX_NAME)
            except NotFoundError:
                continue
            lines = stored.text.splitlines(keepends=True)
            saying = [number for number, line in enumerate(lines) if not line.lstrip().startswith("#") and _held(wanted, line) >= CLEAR]
            if len(saying) != 1:
                continue
            gone = lines.pop(saying[0])
            change = store.write(INDEX_NAME, "".join(lines), base_digest=stored.digest, origin=origin)
        text = say("Forgotten: the line “{line}” of {path}.", line=one_line(gone, 160), path=store.root / INDEX_NAME)
        return Forgotten("forgotten", text, changes=(reference(store.memory_root.id, change),))
    return None


def _held(wanted: str, text: str) -> float:
    """Share of the words that a text holds."""
    asked = {term for term in terms_of(wanted) if not term.startswith("c:")} or set(terms_of(wanted))
    held = terms_of(text)
    return sum(term in held for term in asked) / len(asked) if asked else 0.0


def _share(wanted: str, found: _Found) -> float:
    """Share of the target's words that a memory holds. Of a long text only name, description and keywords count: a word in passing does
    not make it what is meant."""
    note = found.note
    if note is None:
        return 0.0
    try:
        body = parse(found.store.read(found.path).data).body
    except KeepsakeError:
        body = ""
    said = body if len(body) <= SHORT else note.hint
    return _held(wanted, " ".join((note.name, note.path.removesuffix(".md"), note.description, *note.keywords, said)))


def _several(question: str, found: Sequence[_Found], note: str = "") -> Forgotten:
    return Forgotten("several", together(question, say("Nothing was deleted yet."), note), tuple(one.choice for one in found))


# --- deleting -----------------------------------------------------------------------------------------------------------


def _delete(found: _Found, origin: ChangeOrigin) -> Forgotten:
    if found.note is None:
        return _delete_line(found, origin)
    root = found.store.memory_root.id
    try:
        change = found.store.delete(found.path, origin=origin)
    except NotFoundError:
        return Forgotten("nothing", say("{path} is gone already. Nothing was deleted.", path=found.path))
    said = together(
        say("Forgotten: {path}.", path=found.path), say("The file is in the trash, and its line in the index is gone."), *change.warnings
    )
    if found.store.memory_root.profile != "index":
        said = together(say("Forgotten: {path}.", path=found.path), say("The file is in the trash."), *change.warnings)
    return Forgotten("forgotten", said, changes=(reference(root, change),))


def _delete_line(found: _Found, origin: ChangeOrigin) -> Forgotten:
    store = found.store
    with store.exclusive():
        stored = store.read(INDEX_NAME)
        without = IndexKeeper(store.root).synced(stored.text, removed=[found.path])
        change: Change = store.write(INDEX_NAME, without, base_digest=stored.digest, origin=origin)
    text = say("The file {path} was gone already; its line in the index is removed now.", path=found.path)
    return Forgotten("forgotten", text, changes=(reference(store.memory_root.id, change),))
