"""What the memory keeper may do: read in the workspace and in this memory, write Markdown in this memory, delete one memory. Nothing else.

A policy for `agent.calls`: it never asks, since nobody would answer (WL-05). The request names the same tools as the main agent's, so that
the provider's cache holds (EX-10); rights are narrowed here, at the call. Pure but for resolving the given folders.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from desktop.agent.calls import Policy
from desktop.agent.jobs.options import ExtractorBash, ExtractorReads
from desktop.memory.roots import PROJECT
from desktop.permissions.access import Access, Decision
from desktop.permissions.places import sensitive_kind

TOOLS = ("Read", "Glob", "Grep", "Write", "Edit", "Bash")
"""The keeper's tools; a small model is offered no others."""

READERS = frozenset(("Read", "Glob", "Grep"))
WRITERS = frozenset(("Write", "Edit"))
INDEX_TOOL = "memory_index"
"""Its `list` and `forget` only, which the tool itself sees to."""

RULE = "memory.keeper"
_REFUSAL = (
    "The memory keeper may read inside the workspace and the memory folder, write or edit .md files inside the memory folder, and remove "
    "one of them with a plain rm and its absolute path. This call is none of these."
)
_NO_BASH = "The memory keeper runs no commands here. Forget a memory with memory_index, read with Read, Grep and Glob."
_READ_ONLY = (
    "Of shell commands only a plain rm of one memory by its absolute path is run: nothing here can tell for certain that another command "
    "changes nothing, and nobody is there to be asked. Use Read, Grep and Glob to look."
)
_OTHER_ROOT = (
    "The memory keeper writes into this project's memory only. What holds in all projects, or belongs into the folder's own file, is "
    "written when the person asks for it in a conversation."
)
_SECRET = "The memory keeper does not read what may hold secrets."
_OWN = "The memory keeper does not read the app's own files or the memory of other projects. Name a folder that holds neither."


def keeper_policy(
    workspace: Path, memory_root: Path, *, bash: ExtractorBash = "rm", reads: ExtractorReads = "workspace", closed: Sequence[Path] = ()
) -> Policy:
    """The policy of one extraction. The folders may be given through links; what a call touches is compared by real paths.

    Args:
        bash: `rm` allows a single rm of memories (WL-03); `read-only` allows no more, since no command can be shown to be harmless here,
            and says so; `none` refuses every command (WL-09).
        reads: `anywhere` lifts the limit to the workspace (preset ZCode), never for secrets.
        closed: the app's own folders, which hold other projects' memory and conversations; this memory inside them stays open.
    """
    workspace, memory_root = workspace.resolve(), memory_root.resolve()
    closed = tuple(folder.resolve() for folder in closed)

    def decide(access: Access) -> Decision:
        if access.memory_target is not None and access.memory_root != PROJECT:
            return _no(_OTHER_ROOT)
        if access.tool == "Bash":
            return _command(access)
        if access.memory_target is not None and access.kind == "write" and access.tool in WRITERS | {INDEX_TOOL}:
            return Decision("allow", RULE, "A memory of this project.")
        if access.kind == "read" and access.target is not None and access.tool in READERS | {INDEX_TOOL}:
            return _read(access, access.target)
        return _no(access.memory_denied or _REFUSAL)

    def _command(access: Access) -> Decision:
        if bash == "none":
            return _no(_NO_BASH)
        if access.memory_target is not None and access.kind == "execute" and access.memory_denied is None:
            return Decision("allow", RULE, "A memory of this project.")
        return _no(access.memory_denied or (_READ_ONLY if bash == "read-only" else _REFUSAL))

    def _read(access: Access, target: Path) -> Decision:
        if access.memory_denied is not None:
            return _no(access.memory_denied)
        if target.is_relative_to(memory_root):
            return Decision("allow", RULE, "Inside this memory.")
        if access.sensitive is not None or sensitive_kind(target) is not None:
            return _no(_SECRET)
        if reads != "anywhere" and not target.is_relative_to(workspace):
            return _no(_REFUSAL)
        if any(_reaches(access.tool, target, folder) for folder in closed if not workspace.is_relative_to(folder)):
            return _no(_OWN)
        return Decision("allow", RULE, "Inside the workspace." if target.is_relative_to(workspace) else "Reading is allowed anywhere.")

    return decide


def _reaches(tool: str, target: Path, folder: Path) -> bool:
    """Whether a read at `target` would see something of `folder`: in it, or searched through from above."""
    return target.is_relative_to(folder) or (tool != "Read" and folder.is_relative_to(target))


def _no(reason: str) -> Decision:
    return Decision("deny", RULE, reason)
