"""memory_index: lists the memory index, words, moves and pins its lines, and forgets a memory (memory design 6.8, C-19, W-16).

Works on the file itself, so that it needs no Read before and an index that was loaded only in part is no obstacle. Every change goes
through the store of the root, with its gate, journal, trash and undo. Blocking work runs in worker threads.
"""

from __future__ import annotations

import asyncio
import os
from dataclasses import replace
from pathlib import Path, PurePath
from typing import Any

from desktop.base.errors import KeepsakeError, ToolError
from desktop.base.phrases import say
from desktop.memory.frontmatter import decode_text, encode_text
from desktop.memory.health_index import lines_of_notes
from desktop.memory.index_edit import Edited, moved, with_hook
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of
from desktop.memory.moving import set_pinned
from desktop.memory.note import INDEX_NAME, Note, one_line
from desktop.memory.store import MemoryStore
from desktop.messages.tools import ToolSpec
from desktop.permissions.access import Access
from desktop.tools.arguments import Arguments, schema, string
from desktop.tools.base import Outcome, Prepared, ToolContext
from desktop.tools.changes import Change, carry_out, current, prepared_change
from desktop.tools.memory_forget import deletion, forget_reason
from desktop.tools.memory_lines import Target, budget, find, index_text, is_index, listing, root_id
from desktop.tools.memory_write import IndexFollower, change_data, feedback, origin_of, store_of
from desktop.tools.paths import Place, write_access
from desktop.tools.threads import settled

NAME = "memory_index"
ACTIONS = ("list", "hook", "move", "pin", "forget")
KEEPERS = ("list", "forget")
"""What the memory keeper may do."""

SPEC = ToolSpec(
    NAME,
    "Works on the memory index (MEMORY.md) line by line; it needs no Read before, and works when only a part of the index was shown. "
    "`list`: all lines in order, with what is pinned, lines without a file, files without a line, and how much room is left. "
    "`hook`: new words behind the link of `file`. `move`: the line of `file` before that of `before`, or to the end without it. "
    "`pin`: keep `file` in the index when others have to go; a second time takes the pin off. "
    "`forget`: move `file` to the trash with its line; the person can undo it, and it is not remembered again by itself.",
    schema(
        ("action",),
        action=string("What to do.", *ACTIONS),
        file=string("The memory: its path below the memory folder (build-tool.md), its absolute path, or its name. Not needed for list."),
        hook=string("For hook: one short line that says when this memory matters, without links."),
        before=string("For move: the memory before whose line it goes, named like `file`. Left out: to the end."),
    ),
)
_TAKES = {"list": ("file",), "hook": ("file", "hook"), "move": ("file", "before"), "pin": ("file",), "forget": ("file",)}


class MemoryIndexTool:
    spec = SPEC

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        given = Arguments(SPEC, arguments)
        action = given.text("action")
        if action not in ACTIONS:
            raise given.wrong("action", f"must be one of {', '.join(ACTIONS)}, but is {one_line(action, 60)!r}")
        for name in ("file", "hook", "before"):
            if given.has(name) and name not in _TAKES[action]:
                raise given.wrong(name, f"is not used by {action}, which takes {', '.join(f'`{n}`' for n in _TAKES[action])}")
        for name in ("file", "hook"):
            if action != "list" and name in _TAKES[action] and not given.has(name):
                raise given.wrong(name, f"is required for {action}")
        if context.memory is None:
            raise ToolError(say("Memory is off."))
        if context.keep is not None and action not in KEEPERS:
            raise ToolError(f"The memory keeper uses {' and '.join(KEEPERS)} only: the order and wording of the index are not its matter.")
        return await asyncio.to_thread(_prepare, action, given, context)


def _prepare(action: str, given: Arguments, context: ToolContext) -> Prepared:
    if action == "list":
        return _list(given, context)
    target = find(given, "file", context)
    if action == "forget":
        return _forget(target, context)
    if action == "pin":
        return _pin(target, context)
    return _edit(action, given, target, context)


def _note_of(target: Target) -> Note:
    if target.note is None:
        raise ToolError(
            say("The file {path} does not exist; only a line of the index names it.", path=target.relative),
            hint=say("Use forget to remove the line."),
        )
    return target.note


def _list(given: Arguments, context: ToolContext) -> Prepared:
    assert context.memory is not None
    named = given.text("file").strip() if given.has("file") else ""
    only = find(given, "file", context) if named and PurePath(named).name.lower() != INDEX_NAME.lower() else None
    store: MemoryStore = context.memory if only is None else only.store

    async def run() -> Outcome:
        return await asyncio.to_thread(lambda: listing(store, None if only is None else only.relative, context))

    access = Access(NAME, "read", Path(os.path.realpath(store.root)), memory_root=root_id(store))
    return Prepared(say("List the memory index"), access, run)


# hook and move


def _edit(action: str, given: Arguments, target: Target, context: ToolContext) -> Prepared:
    note, store = _note_of(target), target.store
    if not is_index(store):
        raise ToolError(say("{root} has no index: its {name} is a text of its own.", root=store.memory_root.label, name=INDEX_NAME))
    place = _place(store, INDEX_NAME)
    before = current(place)
    text, encoding, bom = decode_text(b"" if before is None else before.data)
    lines = lines_of_notes(entries_of(text), store.notes())
    if action == "hook":
        edited = with_hook(text, note, lines.get(note.path), given.text("hook", longest=2_000))
        title = say("New words for {path} in the memory index", path=note.path)
    else:
        edited = _moved(text, note, lines, given, context, store)
        title = say("Move {path} in the memory index", path=note.path)
    access = write_access(NAME, place, edited.text, context)
    change = prepared_change(place, access, before, edited.text, bom + encode_text(edited.text, encoding), context)

    async def run() -> Outcome:
        return await settled(lambda: _write(change, edited, store, context))

    return Prepared(title, access, run, change.diff)


def _moved(text: str, note: Note, lines: dict[str, int], given: Arguments, context: ToolContext, store: MemoryStore) -> Edited:
    number = lines.get(note.path)
    if number is None:
        text = IndexKeeper.of_nothing().with_line(text, note)
        lines = lines_of_notes(entries_of(text), store.notes())
        number = lines[note.path]
    if not given.has("before"):
        return moved(text, number, None)
    other = find(given, "before", context, store)
    goal = lines.get(other.relative)
    if goal is None:
        goal = next((entry.line for entry in entries_of(text) if entry.target == other.relative), None)
    if goal is None or other.store is not store:
        raise given.wrong("before", f"names {other.relative}, which has no line in this index")
    return moved(text, number, goal)


def _write(change: Change, edited: Edited, store: MemoryStore, context: ToolContext) -> Outcome:
    done = carry_out(change, context)
    return replace(done, output=f"{done.output}\nThe line is now: {edited.line.strip()}\n{budget(index_text(store), context)}")


def _place(store: MemoryStore, relative: str) -> Place:
    spelled = os.path.join(os.path.realpath(store.root), *relative.split("/"))  # noqa: PTH118 - the memory rule must see it as it is
    return Place(relative, spelled, Path(os.path.realpath(spelled)), "")


# pin and forget


def _pin(target: Target, context: ToolContext) -> Prepared:
    note = _note_of(target)
    access = write_access(NAME, _place(target.store, target.relative), "", context)
    on = not note.pinned

    def work() -> Outcome:
        _refuse(access)
        store = store_of(access, context)
        with IndexFollower(context, store):
            change = _told(lambda: set_pinned(store, target.relative, on, origin=origin_of(context, f"{NAME} pin", access)))
        words = "is pinned: it stays in the index when others have to go" if on else "is no longer pinned"
        text = " ".join([f"{target.relative} {words}.", *change.warnings])
        return Outcome(text, data=change_data(target.root_id, change) or None, memory_saved=(target.relative,))

    async def run() -> Outcome:
        return await settled(work)

    title = say("Pin the memory {path}", path=target.relative) if on else say("Unpin the memory {path}", path=target.relative)
    return Prepared(title, access, run)


def _forget(target: Target, context: ToolContext) -> Prepared:
    if target.note is None:
        return _forget_line(target, context)
    access = write_access(NAME, _place(target.store, target.relative), "", context)

    def work() -> Outcome:
        _refuse(access)
        store = store_of(access, context)
        allowed = context if context.keep is None else _told(lambda: deletion(access, context))
        if isinstance(allowed, Outcome):
            return allowed
        origin = origin_of(allowed, forget_reason(allowed, f"{NAME} forget"), access)
        with IndexFollower(context, store):
            change = _told(lambda: store.delete(target.relative, origin=origin))
        context.read_state.removed(Path(store.root).joinpath(*target.relative.split("/")))
        text = f"Forgotten: {target.relative}. The file is in the trash, its index line is gone, and the person can undo it."
        notes = [note for note in (*change.warnings, feedback(store, context)) if note]
        room = f"\n{budget(index_text(store), context)}" if is_index(store) else ""
        return Outcome(" ".join([text, *notes]) + room, data={"deleted": [target.relative]} | change_data(target.root_id, change))

    async def run() -> Outcome:
        return await settled(work)

    return Prepared(say("Forget the memory {path}", path=target.relative), access, run)


def _forget_line(target: Target, context: ToolContext) -> Prepared:
    """A line whose file is gone already goes by itself."""
    place = _place(target.store, INDEX_NAME)
    before = current(place)
    text, encoding, bom = decode_text(b"" if before is None else before.data)
    without = IndexKeeper(target.store.root).synced(text, removed=[target.relative])
    access = write_access(NAME, place, without, context)
    change = prepared_change(place, access, before, without, bom + encode_text(without, encoding), context)

    def work() -> Outcome:
        done = carry_out(change, context)
        said = f"The file {target.relative} was gone already; its line is removed now."
        return replace(done, output=f"{said}\n{budget(index_text(target.store), context)}")

    async def run() -> Outcome:
        return await settled(work)

    return Prepared(say("Remove the line of {path} from the memory index", path=target.relative), access, run, change.diff)


def _refuse(access: Access) -> None:
    if access.memory_denied is not None:
        raise ToolError(access.memory_denied)


def _told(work: Any) -> Any:
    """A refusal of the store as an error of the tool.

    Raises:
        ToolError: always that.
    """
    try:
        return work()
    except ToolError:
        raise
    except KeepsakeError as error:
        raise ToolError(error.message, hint=error.hint, detail=error.detail) from error
