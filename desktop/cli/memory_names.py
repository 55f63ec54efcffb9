"""Which memory a command of the terminal means: its root and its path. Reads only."""

from __future__ import annotations

import argparse

from desktop.base.errors import NotFoundError, UsageError
from desktop.compose import Workspace
from desktop.memory.note import INDEX_NAME
from desktop.memory.store import MemoryStore


def store_of(found: argparse.Namespace, workspace: Workspace) -> MemoryStore:
    """The store of the root that `--root` names.

    Raises:
        UsageError: there is no such root here; the message names those that are.
    """
    for root in workspace.memories.roots:
        if root.id == found.root:
            return workspace.memories.store(root.id)
    known = ", ".join(root.id for root in workspace.memories.roots)
    raise UsageError(f"There is no root {found.root} here.", hint=f"Use one of {known}.")


def note_named(store: MemoryStore, name: str) -> str:
    """The path of a memory by path, by path without its ending, or by its name.

    Raises:
        NotFoundError: there is none, or several have that name.
    """
    notes = store.notes()
    for candidate in (name, f"{name}.md"):
        if candidate == INDEX_NAME or any(note.path == candidate for note in notes):
            return candidate
    named = [note.path for note in notes if note.name == name]
    if len(named) == 1:
        return named[0]
    if named:
        raise NotFoundError(f"Several memories are named {name}: {', '.join(named)}.", hint="Give the path.")
    raise NotFoundError(f"There is no memory {name} in {store.root}.", hint="“keepsake memory list” shows those that are there.")
