"""`keepsake memory …`: the memory of a workspace from the terminal. The person's own acts: no switch binds them.

Finds the action and the root, and shows lists, single memories and switches. Versions, archives and projects stand beside this module.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import Any

from desktop.base.clock import iso
from desktop.base.paths import check_readable_dir
from desktop.cli.arguments import folder_of
from desktop.cli.main import options_of
from desktop.cli.memory_names import note_named, store_of
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services, Workspace, build_services
from desktop.memory.identity import set_memory_switch
from desktop.memory.note import INDEX_NAME, Note
from desktop.memory.store import Change
from desktop.memory.taking_back import take_back

Action = Callable[[argparse.Namespace, Services, Workspace], int]


def run(found: argparse.Namespace) -> int:
    services = build_services(options_of(found, headless=True))
    workspace = services.open_workspace(folder_of(found))
    for problem in workspace.settings.problems:
        say(f"keepsake: {problem}")
    if workspace.project.notice:
        say(f"keepsake: {workspace.project.notice}")
    if workspace.moved and found.action not in ("projects", "relink", "adopt"):
        from desktop.cli.memory_projects import tell_moved

        tell_moved(workspace)
    return _action(found.action)(found, services, workspace)


def _action(name: str) -> Action:
    """What an action does; only its own module is loaded."""
    own: dict[str, Action] = {"list": _list, "show": _show, "on": _switch, "off": _switch, "undo": _undo}
    if name in own:
        return own[name]
    if name == "search":
        from desktop.cli.memory_search import search

        return search
    if name in ("export", "import"):
        from desktop.cli.memory_archive import ACTIONS as ARCHIVE

        return ARCHIVE[name]
    if name in ("projects", "relink", "adopt"):
        from desktop.cli.memory_projects import ACTIONS as PROJECTS

        return PROJECTS[name]
    if name in ("review", "extraction"):
        from desktop.cli.memory_review import ACTIONS as REVIEW

        return REVIEW[name]
    from desktop.cli.memory_versions import ACTIONS as VERSIONS

    return VERSIONS[name]


def note_to_json(note: Note) -> dict[str, Any]:
    return {
        "path": note.path,
        "name": note.name,
        "description": note.description,
        "type": note.type,
        "keywords": list(note.keywords),
        "created": iso(note.created) if note.created is not None else None,
        "modified": iso(note.modified),
        "hint": note.hint,
        "problem": note.problem,
    }


def _list(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store, state = store_of(found, workspace), workspace.memory_state()
    check_readable_dir(store.root)
    index, notes = store.load_index(), store.notes()
    if found.json:
        sizes = {"lines": index.lines, "bytes": index.bytes, "tokens": index.tokens, "truncated": index.truncated}
        shown = [note_to_json(note) for note in notes]
        put_json({"root": str(store.root), "enabled": state.enabled, "notes": shown, "index": sizes, "roots": _roots(workspace)})
        return 0
    say(f"{store.root}\n{state.reason or state.write_reason or 'Memory is on.'}")
    if index.error:
        say(f"The index cannot be read: {index.error}")
    if notes:
        put(table([(iso(n.modified)[:10], n.type or "-", n.path, n.problem or n.description or n.hint or n.name) for n in notes]))
    else:
        say("There are no memories here yet.")
    others = [f"{root['id']} ({root['notes']})" for root in _roots(workspace) if root["id"] != store.memory_root.id and root["notes"]]
    if others:
        say(f"Also: {', '.join(others)}. Show them with --root.")
    return 0


def _roots(workspace: Workspace) -> list[dict[str, Any]]:
    """Every root with its folder and the number of its files, MEMORY.md included where it is content."""
    shown = []
    for root in workspace.memories.roots:
        notes = len(workspace.memories.store(root.id).notes())
        content = root.profile != "index" and (root.folder / INDEX_NAME).is_file()
        shown.append({"id": root.id, "folder": str(root.folder), "policy": root.policy, "notes": notes + content})
    return shown


def _show(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store = store_of(found, workspace)
    path = note_named(store, found.path)
    stored = store.read(path)
    if not found.json:
        put(stored.text.rstrip("\n"))
        return 0
    note = next((n for n in store.notes() if n.path == path), None)
    details = note_to_json(note) if note else {"path": path}
    put_json({"root": str(store.root), **details, "text": stored.text})
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


def change_to_json(change: Change) -> dict[str, Any]:
    return {"id": change.id, "op": change.op, "path": change.path, "time": iso(change.time)}


def _undo(found: argparse.Namespace, services: Services, workspace: Workspace) -> int:
    store = store_of(found, workspace)
    taken = take_back(workspace.memories.own(), store, found.id)
    change, waits = taken.change, taken.waits
    if found.json:
        undone = change.undoes or None if change is not None else waits.id if waits is not None else None
        made = change_to_json(change) if change is not None else None
        put_json({"root": str(store.root), "undone": undone, "change": made, "waiting": waits.id if waits is not None else None})
        return 0
    if change is not None:
        say(f"Undone: {change.path} ({change.op}).")
    if waits is not None:
        say(f"{waits.path} waits for your review again: “keepsake memory review show {waits.id}”.")
    return 0
