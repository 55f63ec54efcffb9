"""Which other tools keep memory of the opened folder, for the card of the settings page. Plain functions for a worker thread."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.memory.foreign import TOOLS, tool_of
from desktop.memory.note import count_notes

if TYPE_CHECKING:
    from desktop.compose import Workspace


@dataclass(frozen=True, slots=True)
class FoundMemory:
    """What one tool keeps of the opened folder.

    Attributes:
        tool: `claude-code` or `zcode`.
        folders: absolute paths of its memory folders; empty when there is none.
        notes: Markdown files in them, their indexes left out.
    """

    tool: str
    folders: tuple[str, ...] = ()
    notes: int = 0


def read_found(workspace: Workspace) -> tuple[FoundMemory, ...]:
    """Every known tool, with what it keeps of this folder. Counts files, reads none. Blocking; never raises."""
    roots = workspace.memories.found(fresh=True)
    return tuple([_of_tool(tool, [root.folder for root in roots if tool_of(root) == tool]) for tool in TOOLS])


def _of_tool(tool: str, folders: list[Path]) -> FoundMemory:
    return FoundMemory(tool, tuple(map(str, folders)), sum(map(count_notes, folders)))
