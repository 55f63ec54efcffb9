"""The table of memory roots (memory design, 6.1): where each kind of memory lies, who may write it, and how it reaches the prompt.

Gate, permission, prompt, jobs and window read this one list, resolved once a session; nothing else decides any of it. Owns places and
policies only: it reads and writes no file. Rows of later layers (project document, session, agent, team) have their kind here and no
root yet. Pure, any thread.
"""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from desktop.base.beneath import walk_from
from desktop.base.paths import AppPaths
from desktop.base.phrases import say
from desktop.memory.identity import Project

Actor = Literal["main", "extractor", "person", "outside", "dream"]
RootKind = Literal["user", "project", "project-doc", "session", "workspace", "agent", "team", "foreign"]
Profile = Literal["index", "sections", "single"]
"""What MEMORY.md is in a root: an index of topics, a document in sections with topics beside it, or the only file (C-03)."""

Policy = Literal["allow", "ask", "deny"]
Channel = Literal["block", "search", "rebuild", "agent"]
"""How a root reaches the model: in the start block, by search only, at a rebuild, or in an agent's own prompt."""

PROJECT, USER, WORKSPACE = "project", "user", "workspace"
GLOBAL = "global"
"""The folder of the user's memory, and the name of its scope in a search."""

USER_TOKENS = 6_000
SINGLE_BYTES = 32 * 1024
WORKSPACE_FOLDER = (".agents", "memory")


@dataclass(frozen=True, slots=True)
class MemoryRoot:
    """One row of the table.

    Attributes:
        id: `project`, `user`, `workspace` or `foreign:<tool>`; unique in a session.
        kind: which row of the design it is.
        folder: absolute; every path of this root is relative to it. Need not exist.
        profile: what MEMORY.md is here.
        writers: who may change it besides the person; empty for a read-only root.
        policy: what the memory rule makes of a write by one of `writers`: goes through, or is asked like any other write.
        channel: how it reaches the model.
        key: names its journal, snapshots, trash and lock below the data folder.
        label: readable name, for the tree and for messages; in English, said in the window's language.
        read_only: nobody writes it here, the person neither.
        tokens, bytes: what of it is loaded at most; 0: the limits of the index settings.
    """

    id: str
    kind: RootKind
    folder: Path
    profile: Profile
    writers: frozenset[Actor]
    policy: Policy
    channel: Channel
    key: str
    label: str
    read_only: bool = False
    tokens: int = 0
    bytes: int = 0

    def may_write(self, actor: Actor) -> bool:
        """Whether this actor may change the root at all, before switches, policy and content are looked at."""
        return not self.read_only and (actor == "person" or actor in self.writers)


def _folder_key(prefix: str, folder: Path) -> str:
    return f"{prefix}-{hashlib.sha256(os.fsencode(folder)).hexdigest()[:16]}"


def project_root(project: Project) -> MemoryRoot:
    """The root of the project's own memory: main agent, extractor and Dream write it without a question."""
    writers: frozenset[Actor] = frozenset(("main", "extractor", "dream"))
    return MemoryRoot(PROJECT, "project", project.memory_root, "index", writers, "allow", "block", project.key, say("Project"))


def user_root(paths: AppPaths) -> MemoryRoot:
    """What holds in all projects. Only the person and Dream change it; an agent's write is the person's once they said yes (GT-10)."""
    folder, writers = paths.memories / GLOBAL, frozenset[Actor](("dream",))
    return MemoryRoot(USER, "user", folder, "sections", writers, "ask", "block", GLOBAL, say("User (all projects)"), tokens=USER_TOKENS)


def workspace_root(workspace: Path) -> MemoryRoot:
    """The one file inside the opened folder, shared with whoever gets that folder (S3)."""
    folder, writers = workspace.joinpath(*WORKSPACE_FOLDER), frozenset[Actor](("main",))
    walk_from(folder, workspace)  # no folder between the two may be a link that leads out of the workspace (B31)
    key = _folder_key("workspace", folder)
    return MemoryRoot(WORKSPACE, "workspace", folder, "single", writers, "ask", "block", key, say("Workspace file"), bytes=SINGLE_BYTES)


def foreign_root(tool: str, label: str, folder: Path) -> MemoryRoot:
    """Another tool's memory folder: shown and searched, never changed."""
    none: frozenset[Actor] = frozenset()
    key = _folder_key(f"foreign-{tool}", folder)
    return MemoryRoot(f"foreign:{tool}", "foreign", folder, "index", none, "deny", "search", key, label, read_only=True)
