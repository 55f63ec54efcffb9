"""The one way in which a shell command may delete memories: a single `rm` of absolute `.md` paths (memory design, WL-03 and C-19).

Recognised before any shell sees it, by a grammar so narrow that no shell could read it otherwise: plain or quoted words, no expansion,
no operator, no recursion. It then becomes a deletion in the memory store, which keeps the files in the trash. Blocking: worker threads.
"""

from __future__ import annotations

import os
import unicodedata
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath
from typing import Any

from desktop.base.errors import KeepsakeError, ToolError
from desktop.base.phrases import say, together
from desktop.memory.roots import MemoryRoot
from desktop.permissions.access import Access
from desktop.tools.base import Outcome, ToolContext
from desktop.tools.memory_forget import deletion, forget_reason
from desktop.tools.memory_write import MEMORY_CHANGES, IndexFollower, change_data, feedback, origin_of, store_of
from desktop.tools.paths import MemoryPlace, memory_place
from desktop.tools.read import INDEX_NAME

_BARE_REFUSED = frozenset("$`;&|<>(){}*?[]~!#\\\"'=")
_QUOTED_REFUSED = {"'": frozenset("'*?["), '"': frozenset('"$`\\*?[!')}
_LONG_OPTIONS = frozenset({"--force", "--verbose"})


@dataclass(frozen=True, slots=True)
class Removal:
    """A recognised command: memories by root and path below it, in order, or why one of them may not go."""

    targets: tuple[tuple[MemoryRoot, str], ...]
    force: bool
    refused: str | None

    @property
    def relatives(self) -> tuple[str, ...]:
        return tuple(relative for _root, relative in self.targets)


def _words(command: str) -> list[str] | None:
    """The words of a command that holds nothing but words; None for anything else."""
    if any(unicodedata.category(c) in ("Cc", "Cf", "Cs", "Zl", "Zp") or (c.isspace() and c != " ") for c in command):
        return None
    words: list[str] = []
    word: str | None = None
    quote = ""
    for character in command:
        if quote:
            if character == quote:
                quote = ""
            elif character in _QUOTED_REFUSED[quote]:
                return None
            else:
                word = (word or "") + character
        elif character in "'\"":
            quote, word = character, word or ""
        elif character == " ":
            if word is not None:
                words.append(word)
            word = None
        elif character in _BARE_REFUSED:
            return None
        else:
            word = (word or "") + character
    if quote:
        return None
    return words if word is None else [*words, word]


def _split(words: list[str]) -> tuple[bool, list[str]] | None:
    """(force, paths) of an `rm` without recursion; None for anything else."""
    force, position = False, 1
    while position < len(words) and words[position].startswith("-"):
        option = words[position]
        position += 1
        if option == "--":
            break
        if option.startswith("--"):
            if option not in _LONG_OPTIONS:
                return None
            force = force or option == "--force"
            continue
        letters = option[1:]
        if not letters.isascii() or not letters.isalpha() or "r" in letters.lower():
            return None
        force = force or "f" in letters
    paths = words[position:]
    if not paths or any(not os.path.isabs(path) for path in paths):  # noqa: PTH117 - a Path would fold what is looked at next
        return None
    return force, paths


def recognise(command: str, context: ToolContext) -> Removal | None:
    """What `command` deletes from memory; None when it is not that one form, or touches anything else."""
    if context.memories is None and context.memory is None:
        return None
    words = _words(command.strip(" "))
    if not words or words[0] != "rm" or not command.lstrip(" ").startswith("rm "):
        return None
    parts = _split(words)
    if parts is None:
        return None
    force, paths = parts
    targets: list[tuple[MemoryRoot, str]] = []
    refused = None
    for path in paths:
        place = memory_place(path, Path(os.path.realpath(path)), context)
        if place is None:
            return None
        refused = refused or place.denied or _problem(path, place)
        if place.relative:
            targets.append((place.root, place.relative))
    return Removal(tuple(dict.fromkeys(targets)), force, refused)


def _problem(path: str, place: MemoryPlace) -> str | None:
    """Why a memory that may be written may not be deleted, or None. A shell would remove a link itself, the store what it leads to."""
    if PurePosixPath(place.relative).name.casefold() == INDEX_NAME.casefold():
        if place.root.profile != "index" and "/" not in place.relative:
            text = say("{name} is the whole memory here and cannot be deleted or renamed.", name=INDEX_NAME)
            return together(text, say("Take out the lines that no longer hold."))
        return say("{name} is the memory index, which the app keeps; it is not deleted.", name=INDEX_NAME)
    plain = Path(os.path.normpath(path))
    for root in (place.root.folder, Path(os.path.realpath(place.root.folder))):
        if plain.is_relative_to(root) and plain.relative_to(root).as_posix() == place.relative:
            return None
    return say("{path} leads through a link; give the file itself.", path=path)


def access_of(removal: Removal, command: str, context: ToolContext) -> Access:
    """The access of the call: of the root with the strictest policy, so that one question covers all of it."""
    target = Path(context.workspace)
    root = next((root for root, _ in removal.targets if root.policy != "allow"), removal.targets[0][0] if removal.targets else None)
    if removal.refused is not None:
        return Access("Bash", "execute", target, command, memory_denied=together(removal.refused, say("Nothing was deleted.")))
    assert root is not None
    return Access(
        "Bash",
        "execute",
        target,
        command,
        memory_target=", ".join(removal.relatives),
        memory_root=root.id,
        memory_policy=root.policy,
    )


@dataclass(slots=True)
class _Done:
    """What one command deleted so far, and what of it waits for the person."""

    names: list[str] = field(default_factory=list)
    waits: list[Outcome] = field(default_factory=list)
    changes: list[dict[str, Any]] = field(default_factory=list)
    note: str = ""

    @property
    def data(self) -> dict[str, Any]:
        found: dict[str, Any] = {"deleted": self.names} if self.names else {}
        found |= {MEMORY_CHANGES: self.changes} if self.changes else {}
        for outcome in self.waits:
            for key, value in (outcome.data or {}).items():
                found[key] = [*found.get(key, []), *value] if isinstance(value, list) else value
        return found


def carry_out(removal: Removal, context: ToolContext) -> Outcome:
    """Move the memories to the trash, in order. One that is missing (without `-f`) or was refused ends it; what went before it is named.

    Raises:
        ToolError: nothing was deleted.
    """
    if removal.refused is not None:
        raise ToolError(removal.refused)
    done = _Done()
    for root, relative in removal.targets:
        access = Access("Bash", "execute", None, memory_target=relative, memory_root=root.id, memory_policy=root.policy)
        if removal.force and not (Path(store_of(access, context).root) / relative).exists():
            continue
        try:
            _remove(access, context, done)
        except KeepsakeError as error:
            if not done.names and not done.waits:
                raise ToolError(error.message, hint=error.hint, detail=error.detail) from error
            before = say("Deleted before it: {names}.", names=", ".join(done.names)) if done.names else ""
            return Outcome(together(error.message, before, error.hint), "error", data=done.data)
    if not done.names:
        waits = " ".join(dict.fromkeys(outcome.output for outcome in done.waits))
        return Outcome(waits or "None of these memories existed; nothing was deleted.", data=done.data or None)
    text = f"Deleted from memory: {', '.join(done.names)}. The files are in the trash, their index lines are gone, and it can be undone."
    return Outcome(" ".join([text, *filter(None, [done.note, *(one.output for one in done.waits)])]), data=done.data)


def _remove(access: Access, context: ToolContext, done: _Done) -> None:
    store = store_of(access, context)
    assert access.memory_target is not None
    if context.keep is not None:
        judged = deletion(access, context)
        if isinstance(judged, Outcome):
            done.waits.append(judged)
            return
        context = judged
    with IndexFollower(context, store):
        change = store.delete(access.memory_target, origin=origin_of(context, forget_reason(context, "rm"), access))
    context.read_state.removed(Path(store.root).joinpath(*access.memory_target.split("/")))
    done.names.append(access.memory_target)
    done.changes += change_data(access.memory_root, change).get(MEMORY_CHANGES, [])
    done.note = feedback(store, context)
