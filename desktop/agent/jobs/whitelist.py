"""What the memory keeper may do: read in the workspace and in this memory, write Markdown in this memory, delete one memory. Nothing else.

A policy for `agent.calls`: it never asks, since nobody would answer. The request names the same tools as the main agent's, so that the
provider's cache holds (EX-10); rights are narrowed here, at the call. Pure.
"""

from __future__ import annotations

from pathlib import Path

from desktop.agent.calls import Policy
from desktop.memory.roots import PROJECT
from desktop.permissions.access import Access, Decision

TOOLS = ("Read", "Glob", "Grep", "Write", "Edit", "Bash")
_REFUSAL = (
    "The memory keeper may read inside the workspace and the memory folder, write or edit .md files inside the memory folder, and remove "
    "one of them with a plain rm and its absolute path. This call is none of these."
)


_OTHER_ROOT = (
    "The memory keeper writes into this project's memory only. What holds in all projects, or belongs into the folder's own file, is "
    "written when the person asks for it in a conversation."
)


def keeper_policy(workspace: Path, memory_root: Path) -> Policy:
    """The policy of one extraction. The folders may be given through links; what a call touches is compared by real paths."""
    workspace, memory_root = workspace.resolve(), memory_root.resolve()

    def decide(access: Access) -> Decision:
        if access.memory_target is not None and access.memory_root != PROJECT:
            return Decision("deny", "memory.keeper", _OTHER_ROOT)
        if access.memory_target is not None and access.kind in ("write", "execute"):
            return Decision("allow", "memory.keeper", "A memory of this project.")
        inside = access.kind == "read" and access.target is not None and access.sensitive is None
        if inside and (access.target.is_relative_to(workspace) or access.target.is_relative_to(memory_root)):  # type: ignore[union-attr]
            return Decision("allow", "memory.keeper", "Inside the workspace or this memory.")
        return Decision("deny", "memory.keeper", access.memory_denied or _REFUSAL)

    return decide
