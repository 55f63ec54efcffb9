"""The lines of the load report: memory roots, changes, recalled memories and tools as items of their slots.

Words what was loaded, cut and left out, and why, for the person. Decides nothing about what is loaded. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence

from desktop.agent.fit import tool_tokens
from desktop.agent.load_report import ItemState, SlotItem
from desktop.agent.memory_shape import MemoryShape
from desktop.agent.memory_traces import MEMORY_TOOLS
from desktop.agent.memory_view import MemoryView, Shown
from desktop.agent.prompts import DELTA_FRAME, WRITING_OFF_HEAD
from desktop.base.phrases import say
from desktop.base.words import estimate_tokens
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import WORKSPACE, MemoryRoot
from desktop.memory.workspace_trust import WorkspaceFile
from desktop.messages.events import RecalledRef
from desktop.messages.tools import ToolSpec


def text_item(name: str, text: str, *, memory: bool = False, reason: str = "") -> SlotItem:
    """A text of our own that is no file."""
    size, lines = len(text.encode("utf-8", "replace")), text.count("\n") + 1 if text else 0
    return SlotItem(name, "", "loaded", reason, estimate_tokens(text), size, lines, memory=memory)


def root_items(view: MemoryView, roots: Sequence[MemoryRoot]) -> Iterator[SlotItem]:
    """One item for each root of the table: those in the slots as they were loaded, the others with why they are not there."""
    shown = {one.root.id: one for one in view.shown}
    for root in sorted(roots, key=lambda root: not view.shape.takes(root)):
        one = shown.get(root.id)
        path = str(root.folder / INDEX_NAME)
        if not view.shape.takes(root):
            yield SlotItem(root.label, path, "left-out", _why_not(root, view.shape), memory=True)
        elif one is None:
            yield _held_back(root, path, view.workspace)
        else:
            yield _shown_item(one, view.block(one))


def _why_not(root: MemoryRoot, shape: MemoryShape) -> str:
    if root.channel != "block":
        return say("It is searched, not loaded.")
    if shape.layout == "single":
        return say("Chats load the folder's single file only, as set.")
    return say("Chats load the project's own memory only, as set.")


def _held_back(root: MemoryRoot, path: str, file: WorkspaceFile | None) -> SlotItem:
    """The workspace file that is not loaded."""
    if file is None or file.state == "missing" or root.id != WORKSPACE:
        return SlotItem(root.label, path, "left-out", say("There is none yet."), memory=True)
    if file.state == "untrusted":
        reason = say("You have not allowed its present text yet ({size:,} bytes).", size=file.size)
        return SlotItem(root.label, path, "left-out", reason, memory=True)
    if file.state == "trusted":
        return SlotItem(root.label, path, "left-out", say("It changed while it was read."), memory=True)
    return SlotItem(root.label, path, "error", file.problem, memory=True)


def _shown_item(one: Shown, block: str) -> SlotItem:
    loaded = one.loaded
    path = str(loaded.path)
    if loaded.state == "error":
        return SlotItem(one.root.label, path, "error", loaded.error or "", memory=True)
    if loaded.state == "missing":
        return SlotItem(one.root.label, path, "left-out", say("There is none yet."), memory=True)
    state: ItemState = "cut" if loaded.truncated or loaded.error else "loaded"
    reason = loaded.error or ""
    if loaded.truncated:
        reason = say("It is over its limit: {limit}.", limit=loaded.limit or "")
    elif loaded.state == "empty":
        state, reason = "loaded" if block else "left-out", say("It is empty.")
    return SlotItem(
        one.root.label, path, state, reason, estimate_tokens(block), loaded.bytes, loaded.lines, tuple(loaded.dropped), memory=True
    )


def tail_items(tail: str) -> Iterator[SlotItem]:
    """What `Assembler.tail` gave, in its parts; another text is one item."""
    framed = re.match(rf'<{DELTA_FRAME} id="([0-9a-f]+)">', tail)
    if framed:
        mark = f'</{DELTA_FRAME} id="{framed[1]}">'  # another one inside is somebody's forgery
        end = tail.find(mark) + len(mark)
        yield text_item(say("Changes of memory"), tail[:end], memory=True)
        tail = tail[end:].lstrip("\n")
    if tail.startswith(WRITING_OFF_HEAD):
        off, _, tail = tail.partition("\n\n")
        yield text_item(say("Memory is not written"), off, memory=True)
    if tail:
        yield text_item(say("Sessions that you named") if "ReadSessionContext" in tail else say("Notes of this turn"), tail)


def recalled_items(recalled: Iterable[RecalledRef]) -> Iterator[SlotItem]:
    """Memories that were added to the turn, with why."""
    for ref in recalled:
        reason = say("{reason}; {age}", reason=ref.reason, age=ref.age) if ref.reason and ref.age else ref.reason or ref.age
        yield SlotItem(ref.name or ref.path, ref.path, "loaded", reason, ref.tokens, memory=True)


def tool_items(tools: Iterable[ToolSpec]) -> Iterator[SlotItem]:
    """Each tool's description and parameters."""
    for spec in tools:
        yield SlotItem(spec.name, tokens=tool_tokens([spec]), memory=spec.name in MEMORY_TOOLS)
