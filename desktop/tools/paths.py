"""From the path that a model wrote to the one real path that is touched. Follows every link once, here, and says when one was followed.

Expands nothing (`~`, variables): what is not a plain path is refused. Reads link targets only. Blocking: called in a worker thread.
"""

from __future__ import annotations

import difflib
import os
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath
from typing import Any

from desktop.base.confine import DEFAULT_NAMES
from desktop.base.errors import ToolError
from desktop.base.phrases import listed, os_reason, say, together
from desktop.memory.note import INDEX_NAME
from desktop.memory.roots import PROJECT, WORKSPACE, MemoryRoot, project_root
from desktop.memory.workspace_trust import link_problem
from desktop.permissions.access import Access, AccessKind
from desktop.permissions.memory_rule import allows_memory_write
from desktop.permissions.places import sensitive_kind
from desktop.tools.arguments import Arguments
from desktop.tools.base import ToolContext
from desktop.tools.files import exists, is_folder

LONGEST_PATH = 4_096
_SLASHES = "/\\" if sys.platform == "win32" else "/"
_UP = ("../", "..\\") if sys.platform == "win32" else ("../",)


@dataclass(frozen=True, slots=True)
class Place:
    """A resolved path.

    Attributes:
        asked: as the model wrote it.
        spelled: absolute, but with links and dots as written.
        real: without links; need not exist.
        note: where a link led, for the person; empty without links.
    """

    asked: str
    spelled: str
    real: Path
    note: str


def locate(arguments: Arguments, name: str, context: ToolContext, default: str | None = None) -> Place:
    """The place that the argument `name` means; relative paths start in the working directory.

    Raises:
        ToolError: no plain path, or one that the system cannot resolve.
    """
    asked = default if default is not None and not arguments.has(name) else arguments.text(name, longest=LONGEST_PATH)
    if "\0" in asked:
        raise arguments.wrong(name, "must not hold a NUL character")
    if asked == "~" or asked.startswith(("~/", "~\\")):
        raise arguments.wrong(name, "must not begin with “~”, which is not expanded: write the whole path")
    if sys.platform == "win32" and asked.startswith(("\\\\", "//")):
        raise arguments.wrong(name, "must not be a network or device path: give a path with a drive letter, or a relative one")
    base, below = os.path.realpath(context.cwd), asked
    while below.startswith(_UP):  # above a real folder `..` is plain, and the memory rule accepts none on the way to its root
        base, below = os.path.dirname(base), below[3:].lstrip(_SLASHES)  # noqa: PTH120
    spelled = os.path.join(base, below)  # noqa: PTH118 - a Path would fold dots and slashes that the memory rule must see
    try:
        real = os.path.realpath(spelled)
    except (OSError, ValueError) as error:
        raise arguments.wrong(name, f"cannot be resolved ({error}): {asked}") from error
    followed = os.path.normcase(os.path.normpath(spelled)) != os.path.normcase(real)
    return Place(asked, spelled, Path(real), say("{asked} leads through a link to {real}.", asked=asked, real=real) if followed else "")


def shown(path: Path, context: ToolContext) -> str:
    """The path as results show it: relative inside the workspace, else whole."""
    workspace = Path(os.path.realpath(context.workspace))
    return path.relative_to(workspace).as_posix() or "." if path.is_relative_to(workspace) else str(path)


def titled(path: Path, context: ToolContext) -> str:
    """The path as a card's title shows it: `memory/…` inside this project's memory, the root's name before it elsewhere in memory."""
    if context.memories is not None and context.memory is not None:
        found = context.memories.root_at(path)
        if found is not None and found[0].kind != "foreign":
            root, relative = found
            return f"memory/{relative}" if root.id == PROJECT else say("{root}: {path}", root=root.label, path=relative)
    root_folder = None if context.memory_root is None else Path(os.path.realpath(context.memory_root))
    if root_folder is not None and path.is_relative_to(root_folder):
        return f"memory/{path.relative_to(root_folder).as_posix()}"
    return shown(path, context)


def read_access(tool: str, place: Place, context: ToolContext, content: str = "") -> Access:
    """The access of a read; with memory off our own memory folders are closed to it (nothing is read)."""
    closed = next((folder for folder in closed_folders(context) if place.real.is_relative_to(folder)), None)
    if closed is not None:
        return Access(tool, "read", place.real, content, memory_denied=memory_off(context), note=place.note)
    return Access(tool, "read", place.real, content, sensitive=sensitive_kind(place.real), note=place.note)


def memory_off(context: ToolContext) -> str:
    """What a tool says of our own memory folders while memory is off: nothing of them is read or changed, nor kept elsewhere."""
    reason = "" if context.memories is None else context.memories.state().write_reason
    return together(reason or say("Memory is off."), say("The app's memory folders are neither read nor changed meanwhile."))


def closed_folders(context: ToolContext) -> tuple[Path, ...]:
    """Real folders that tools may not look into: our own roots while memory is off, but not one in which the workspace was opened."""
    if context.memories is None or context.memory is not None:
        return ()
    workspace = Path(os.path.realpath(context.workspace))
    folders = (Path(os.path.realpath(root.folder)) for root in context.memories.own_roots)
    return tuple(folder for folder in folders if not workspace.is_relative_to(folder))


def write_access(tool: str, place: Place, content: str, context: ToolContext) -> Access:
    """The access of a write, with the memory rule's word on it when the place lies in one of the memory roots."""
    found = memory_place(place.spelled, place.real, context)
    kind: AccessKind = "write"
    if found is None:
        return Access(tool, kind, place.real, content, sensitive=sensitive_kind(place.real), note=place.note)
    denied = found.denied or None
    return Access(
        tool,
        kind,
        place.real,
        content,
        memory_target=None if denied else found.relative,
        memory_denied=denied,
        note=place.note,
        memory_root=found.root.id,
        memory_policy=found.root.policy,
    )


@dataclass(frozen=True, slots=True)
class MemoryPlace:
    """A path that lies in a memory root.

    Attributes:
        root: the deepest root that holds it.
        relative: posix path below the root's folder; "" when the rule refused the path.
        denied: why nothing may be written there now, with the right place named; "" when it may.
    """

    root: MemoryRoot
    relative: str
    denied: str


def memory_place(spelled: str, real: Path, context: ToolContext) -> MemoryPlace | None:
    """Which root an absolute path lies in and whether it may be written there; None where it is no matter of memory.

    With memory off every root still counts, so that nothing below one is changed by a tool.
    """
    best: MemoryPlace | None = None
    for root in _guarded(context):
        verdict = memory_verdict(spelled, real, root.folder, context)
        if verdict is None or (best is not None and len(best.root.folder.parts) >= len(root.folder.parts)):
            continue
        relative, reason = verdict
        best = MemoryPlace(root, relative or "", _refusal(root, context) or reason or _single_problem(root, relative, context))
    return best


def _guarded(context: ToolContext) -> tuple[MemoryRoot, ...]:
    if context.memories is not None:
        return context.memories.own_roots + context.memories.found()
    if context.memory is None or context.memory_root is None:
        return ()
    return (project_root(context.memory.project),)


def _refusal(root: MemoryRoot, context: ToolContext) -> str:
    """Why this root is not written at all now, or ""."""
    if root.kind == "foreign":
        way = say("Write into this project's memory instead: {folder}", folder=context.memory_root) if context.memory_root else ""
        text = say("{folder} is the memory of {tool}, which is read-only here.", folder=root.folder, tool=root.label)
        return together(text, way)
    if context.memory is None:
        return memory_off(context)
    if root.read_only:
        problem = link_problem(context.workspace) if root.id == WORKSPACE else ""
        return problem or say("{folder} is read-only here.", folder=root.folder)
    state = None if context.memories is None else context.memories.state()
    return "" if state is None or state.write else state.write_reason


def _single_problem(root: MemoryRoot, relative: str | None, context: ToolContext) -> str:
    """A root of one file has no topics beside it (FM-12)."""
    if root.profile != "single" or relative is None or relative == INDEX_NAME:
        return ""
    text = say("{folder} holds one file only, {name}.", folder=root.folder, name=INDEX_NAME)
    way = say("Write into it, or make a topic in this project's memory: {folder}", folder=context.memory_root)
    return together(text, way) if context.memory_root else text


def memory_verdict(spelled: str, real: Path, memory_root: Path, context: ToolContext) -> tuple[str | None, str] | None:
    """What the memory rule says of an absolute path and one root.

    (relative target, "") = a memory write; (None, reason) = in the root but refused; None = not a matter of this root.
    """
    root = Path(os.path.realpath(memory_root))
    names = DEFAULT_NAMES if context.memories is None else context.memories.names()
    verdict = allows_memory_write(spelled, root=memory_root, cwd=context.cwd, workspace=context.workspace, names=names)
    if verdict.allowed and verdict.target is not None:
        return _relative(verdict.target, memory_root, root), ""
    lexical = Path(os.path.normpath(spelled))
    if real.is_relative_to(root) or lexical.is_relative_to(root) or lexical.is_relative_to(memory_root):
        return None, verdict.reason
    return None


def _relative(target: PurePath, memory_root: Path, root: Path) -> str:
    for base in (root, memory_root):
        if target.is_relative_to(base):
            return target.relative_to(base).as_posix()
    raise ToolError(say("{target} does not lie in the memory folder {root}.", target=target, root=root))


def near_names(path: Path, limit: int = 3) -> str:
    """What a missing path may have been meant to be: “Did you mean …?”, or which part of it is missing. Empty without a clue."""
    parent = path.parent
    if not is_folder(parent):
        missing = next((p for p in reversed(path.parents) if not exists(p)), parent)
        return say("The folder {folder} does not exist.", folder=missing)
    try:
        names = sorted(entry.name for entry in os.scandir(parent))
    except OSError:
        return ""
    by_fold: dict[str, list[str]] = {}
    for name in names[:20_000]:
        by_fold.setdefault(name.casefold(), []).append(name)
    close = difflib.get_close_matches(path.name.casefold(), by_fold, n=limit, cutoff=0.6)
    stem = path.stem.casefold()
    close += [n for n in by_fold if PurePath(n).stem == stem and n not in close]
    found = [name for key in close[:limit] for name in by_fold[key]][:limit]
    return say("Did you mean {names}?", names=listed(str(parent / name) for name in found)) if found else ""


def system_error(error: OSError, path: Any) -> ToolError:
    """A system's refusal as a tool error."""
    return ToolError(say("{path} could not be read ({reason}).", path=path, reason=os_reason(error)), detail=str(error))
