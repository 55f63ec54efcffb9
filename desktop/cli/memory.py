"""`keepsake memory list|show|on|off|undo`: the memory of a workspace from the terminal. The person's own acts: no switch binds them."""

from __future__ import annotations

import argparse
from typing import Any

from desktop.base.clock import iso
from desktop.base.errors import NotFoundError
from desktop.base.paths import check_readable_dir
from desktop.cli.arguments import folder_of
from desktop.cli.main import options_of
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services, Workspace, build_services
from desktop.memory.identity import set_memory_switch
from desktop.memory.journal import Change
from desktop.memory.note import Note


def run(found: argparse.Namespace) -> int:
    services = build_services(options_of(found, headless=True))
    workspace = services.open_workspace(folder_of(found))
    for problem in workspace.settings.problems:
        say(f"keepsake: {problem}")
    actions = {"list": _list, "show": _show, "on": _switch, "off": _switch, "undo": _undo}
    return actions[found.action](found, services, workspace)


def note_to_json(note: Note) -> dict[str, Any]:
    return {
        "path": note.path,
        "name": note.name,
        "description": note.description,
        "type": note.type,
        "modified": iso(note.modified),
        "problem": note.problem,
    }


def _list(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    root, state = workspace.project.memory_root, workspace.memory_state()
    check_readable_dir(root)
    index, notes = workspace.store.load_index(), workspace.store.notes()
    if found.json:
        sizes = {"lines": index.lines, "bytes": index.bytes, "tokens": index.tokens, "truncated": index.truncated}
        put_json({"root": str(root), "enabled": state.enabled, "notes": [note_to_json(note) for note in notes], "index": sizes})
        return 0
    say(f"{root}\n{state.reason or state.write_reason or 'Memory is on.'}")
    if index.error:
        say(f"The index cannot be read: {index.error}")
    if notes:
        put(table([(iso(n.modified)[:10], n.type or "-", n.path, n.problem or n.description or n.name) for n in notes]))
    else:
        say("There are no memories here yet.")
    return 0


def _note_named(workspace: Workspace, name: str) -> str:
    """The path of a memory by path, by path without its ending, or by its name."""
    notes = workspace.store.notes()
    for candidate in (name, f"{name}.md"):
        if candidate == "MEMORY.md" or any(note.path == candidate for note in notes):
            return candidate
    named = [note.path for note in notes if note.name == name]
    if len(named) == 1:
        return named[0]
    if named:
        raise NotFoundError(f"Several memories are named {name}: {', '.join(named)}.", hint="Give the path.")
    hint = "“keepsake memory list” shows those that are there."
    raise NotFoundError(f"There is no memory {name} in {workspace.project.memory_root}.", hint=hint)


def _show(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    path = _note_named(workspace, found.path)
    stored = workspace.store.read(path)
    if not found.json:
        put(stored.text.rstrip("\n"))
        return 0
    note = next((n for n in workspace.store.notes() if n.path == path), None)
    details = note_to_json(note) if note else {"path": path}
    put_json({"root": str(workspace.project.memory_root), **details, "text": stored.text})
    return 0


def _switch(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    set_memory_switch(workspace.project, found.action == "on", services.clock)
    state = workspace.memory_state()
    if found.json:
        put_json({"root": str(workspace.project.memory_root), "enabled": state.enabled, "reason": state.reason or None})
        return 0
    if found.action == "off":
        say(f"Memory is off for {workspace.folder}: new sessions read, write and send none of it. What is stored stays where it is.")
    else:
        say(f"Memory is on for {workspace.folder}." if state.enabled else f"The switch of {workspace.folder} is on, but: {state.reason}")
    say("Sessions that are open keep what they began with.")
    return 0


def _change_to_json(change: Change) -> dict[str, Any]:
    return {"id": change.id, "op": change.op, "path": change.path, "time": iso(change.time)}


def _undo(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    change = workspace.store.undo(found.id)
    if found.json:
        put_json({"root": str(workspace.project.memory_root), "undone": change.undoes or None, "change": _change_to_json(change)})
    else:
        say(f"Taken back: {change.path} ({change.op}).")
    return 0
