"""“Remember this” and “forget that” as acts of the person: at once, through the store, honest about what was done (IN-06, C-19, 6.8).

Owns how a sentence becomes a memory (name and description by code, type by its words) and which memory a word of the person means. Calls
no model and knows no window. Blocking: call it off the GUI thread. Commands, “Remember this” on a message and other agents come here.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Literal

from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError, NotFoundError, RefusedError, UsageError
from desktop.base.phrases import listed, say, together
from desktop.memory.absolute_dates import without_relative
from desktop.memory.change import Change, ChangeOrigin
from desktop.memory.duplicates import folded, twin_of
from desktop.memory.gate import secret_kinds
from desktop.memory.keeping import MOST_NOTES, Candidate, Judged, absolute_text, finished_text, judge
from desktop.memory.memories import Memories
from desktop.memory.note import INDEX_NAME, Note, find_note
from desktop.memory.roots import PROJECT, USER, WORKSPACE
from desktop.memory.stamp import compose_note
from desktop.memory.store import MemoryStore
from desktop.memory.switches import MemoryState
from desktop.messages.events import MemoryChangeRef
from desktop.providers.embedded_guards import MemoryType, Remember, read_intent, type_of
from desktop.providers.embedded_notes import description_of, made_name
from desktop.providers.embedded_sentences import is_chinese

LONGEST = 20_000
"""Characters of what may be remembered in one go; more is a document."""

INCOGNITO = "incognito"
"""`MemoryState.switch` of a chat that writes nothing."""

_LEAD = re.compile(
    r"^(?:that\s+(?=(?:(?i:we|i|you|he|she|they|it|the|an?|our|my|your|all|every|no|there|this|these|those|in|on|at|from|when|if)\b|[A-Z\d]))"
    r"|to\s+(?=[a-z])|(?:that|to)\s+(?=[\u4e00-\u9fff]))"
)
"""What joins a sentence to “remember”: it is no part of what is remembered."""


@dataclass(frozen=True, slots=True)
class Remembered:
    """What became of a wish to remember.

    Attributes:
        change: what was written; None when nothing had to be.
        root, path: where it stands now.
        known: it stood there before.
        message: one sentence for the person.
        changes: the journal's entries, for Undo.
    """

    change: Change | None
    root: str
    path: str
    known: bool
    message: str
    changes: tuple[MemoryChangeRef, ...] = ()


def refused_because(state: MemoryState) -> RefusedError | None:
    """Why the person's own act in this chat is not done, or None. Switches that bind agents only do not count."""
    if not state.enabled:
        return RefusedError(state.reason or say("Memory is off."), hint=say("Nothing was changed. Memory is switched on in its settings."))
    if state.switch == INCOGNITO:
        return RefusedError(
            say("This chat is incognito: it writes nothing to memory."), hint=say("Nothing was changed. Say it in an ordinary chat.")
        )
    return None


def reference(root: str, change: Change) -> MemoryChangeRef:
    """A change as events and cards carry it."""
    return MemoryChangeRef(root, change.path, change.id, change.op)


# --- remember -----------------------------------------------------------------------------------------------------------


def remember(
    memories: Memories,
    text: str,
    *,
    to: Literal["project", "user"] = "project",
    session_id: str = "",
    message_id: str = "",
    clock: Clock,
) -> Remembered:
    """Save a sentence of the person at once, as their own act. Undoable.

    Args:
        memories: the roots of the chat, or of the folder.
        text: what is to be remembered, in the person's words.
        to: this project, or all projects (`user`). Where the folder's own file is all the memory there is, it goes there.
        session_id, message_id: where it was said.
        clock: for dates in the text.

    Raises:
        UsageError: there is nothing to remember.
        RefusedError: memory is off here, or the text holds a secret; nothing was written, and the hint says what to do.
        StorageError: it could not be saved.
    """
    refused = refused_because(memories.state())
    if refused is not None:
        raise refused
    said = _cleaned(text)
    kinds = secret_kinds(said)
    if kinds:
        raise RefusedError(
            say("The text holds what looks like a secret ({kinds}), so it was not saved.", kinds=listed(kinds)),
            hint=say("Remember where the secret is kept instead of the secret itself."),
            detail="memory.secret",
        )
    store = memories.store(WORKSPACE if memories.layout() == "single" else to)
    origin = ChangeOrigin("person", session_id, message_id, "remember")
    if store.memory_root.profile == "single":
        done = _into_file(store, said, origin)
        loaded = memories.workspace_file().state != "untrusted"
        return done if loaded else replace(done, message=together(done.message, say("That file is not loaded until you have allowed it.")))
    return _into_topic(memories, store, said, origin, clock)


def _cleaned(text: str) -> str:
    """The words without quotation marks around all of it.

    Raises:
        UsageError: nothing is left, or far too much.
    """
    said = text.strip()
    for opening, closing in (('"', '"'), ("“", "”"), ("「", "」"), ("'", "'")):
        if len(said) > 2 and said[0] == opening and said[-1] == closing and not {opening, closing} & set(said[1:-1]):
            said = said[1:-1].strip()
    said = _LEAD.sub("", said) or said
    if not any(c.isalnum() for c in said):
        raise UsageError(say("There is nothing to remember."), hint=say("Write it behind the command: /remember we use bun"))
    if len(said) > LONGEST:
        raise UsageError(
            say("This has {count:,} characters; at most {most:,} are remembered in one go.", count=len(said), most=LONGEST),
            hint=say("Remember what matters of it, or where the whole is kept."),
        )
    return said


def kind_of_fact(said: str) -> MemoryType:
    """The type of a memory by its words, as the sentence guard of both languages sees it."""
    lead = "记住：" if is_chinese(said) else "Remember: "
    intent = read_intent(lead + said)
    return intent.facts[0].type if isinstance(intent, Remember) and intent.facts else type_of(said, rule=False)


def new_note(said: str) -> tuple[str, str]:
    """(stem of the file, text) of a new memory that says this."""
    name = made_name(without_relative(said) or said)  # “next Friday” would name another day in a week
    return name, compose_note(name=name, description=description_of(said), kind=kind_of_fact(said), body=said)


def _into_topic(memories: Memories, store: MemoryStore, said: str, origin: ChangeOrigin, clock: Clock) -> Remembered:
    """A memory of its own, or the one that held another value of the same subject, in its place."""
    root = store.memory_root.id
    elsewhere = _known_everywhere(memories, said, clock) if root == PROJECT else None
    if elsewhere is not None:
        return elsewhere
    with store.exclusive() as changing, changing.grouped(changing.new_group()):
        name, text = new_note(said)
        judged = _judged(store, _free(store, name), text, clock)
        if judged.verdict == "known":
            return known_already(root, judged.path)
        if judged.verdict == "refuse":  # a placeholder, say: that judgement is for agents, and these are the person's own words
            text = finished_text(absolute_text(text, clock.now()), explicit=True)
            judged = replace(judged, text=text)
        before = _digest_of(store, judged.path)
        change = store.write(judged.path, judged.text, base_digest=before, origin=origin)
        gone = [store.delete(path, origin=origin) for path in judged.supersedes if find_note(store.root, path) is not None]
    done = saved(root, change, replaced=before is not None, instead=[one.path for one in gone])
    return replace(done, changes=(*done.changes, *(reference(root, one) for one in gone)))


def _judged(store: MemoryStore, path: str, text: str, clock: Clock) -> Judged:
    candidate = Candidate(path, text, None, (), untrusted=False, now=clock.now(), explicit=True)
    return judge(candidate, _texts(store))


def _texts(store: MemoryStore) -> list[tuple[Note, str]]:
    """The memories of a root with their texts, newest first; one that cannot be read says nothing."""
    found: list[tuple[Note, str]] = []
    for note in store.notes()[:MOST_NOTES]:
        try:
            found.append((note, store.read(note.path).text))
        except KeepsakeError:
            continue
    return found


def _known_everywhere(memories: Memories, said: str, clock: Clock) -> Remembered | None:
    """What holds in all projects need not be said again for one."""
    user = memories.store(USER)
    name, text = new_note(said)
    judged = _judged(user, _free(user, name), text, clock)
    return known_already(USER, judged.path) if judged.verdict == "known" else None


def _digest_of(store: MemoryStore, path: str) -> str | None:
    try:
        return store.read(path).digest
    except NotFoundError:
        return None


def known_already(root: str, path: str) -> Remembered:
    return Remembered(None, root, path, True, say("This is remembered already, in {path}. Nothing was written.", path=path))


def saved(root: str, change: Change, *, replaced: bool, instead: Sequence[str] = ()) -> Remembered:
    """What is told of a memory that was written; `replaced`: in place of what the file said, `instead`: of other files."""
    text: str = say("Remembered in {path}.", path=change.path)
    if replaced:
        text = say("Remembered in {path}, in place of what it said before; the old version is in its history.", path=change.path)
    if instead:
        text = together(text, say("It takes the place of {paths}, in the trash now.", paths=", ".join(instead)))
    return Remembered(change, root, change.path, False, together(text, *change.warnings), (reference(root, change),))


def _free(store: MemoryStore, name: str) -> str:
    """The first of `name.md`, `name-2.md` … that no file has, in no spelling."""
    number = 1
    while True:
        path = f"{name}.md" if number == 1 else f"{name}-{number}.md"
        if path.casefold() != INDEX_NAME.casefold() and find_note(store.root, path) is None and twin_of(store.root, path) is None:
            return path
        number += 1


def _into_file(store: MemoryStore, said: str, origin: ChangeOrigin) -> Remembered:
    """A root that is one file: a line of its own at the end."""
    root, line = store.memory_root.id, "- " + " ".join(said.split())
    with store.exclusive():
        try:
            stored = store.read(INDEX_NAME)
            before, base = stored.text, stored.digest
        except NotFoundError:
            before, base = "", None
        if folded(line.removeprefix("- ")) in {folded(one.lstrip("-*• \t")) for one in before.splitlines()}:
            return known_already(root, INDEX_NAME)
        newline = "\r\n" if "\r\n" in before else "\n"
        gap = "" if not before or before.endswith(("\n", "\r")) else newline
        change = store.write(INDEX_NAME, f"{before}{gap}{line}{newline}", base_digest=base, origin=origin)
    return saved(root, change, replaced=False)
