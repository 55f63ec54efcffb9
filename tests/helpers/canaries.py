"""Words that stand in memory and nowhere else: planted in every root, looked for in requests; and what a folder holds, byte by byte."""

from __future__ import annotations

import hashlib
import json
import os
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.base.clock import SystemClock
from desktop.base.textio import digest
from desktop.compose import Workspace
from desktop.memory.workspace_trust import WorkspaceTrust

INDEX, TOPIC, NESTED, USER, USER_TOPIC, SHARED = "achatwolke", "turmalinfeld", "opalgraben", "zirkonmoor", "beryllwiese", "granatufer"
WORDS = (INDEX, TOPIC, NESTED, USER, USER_TOPIC, SHARED)
LOADED = (INDEX, USER, USER_TOPIC, SHARED)
"""Words that slot B shows while memory is on; topics of the project are read on demand."""

RULES = ("# Memory\n", "# 记忆\n", "Memory index", "memory_index")
"""What the system text and the start block say while memory is on, and only then."""


def note(name: str, body: str) -> str:
    return f"---\nname: {name}\ndescription: about {body}\nmetadata:\n  type: project\n---\n\nThe word is {body}.\n"


@dataclass
class Planted:
    """The memory of one workspace with a word in each root.

    Attributes:
        project, user, shared: the folders of the three roots.
    """

    project: Path
    user: Path
    shared: Path
    before: dict[str, tuple[str, int]] = field(default_factory=dict)

    @property
    def roots(self) -> tuple[Path, ...]:
        return (self.project, self.user, self.shared)

    def keep(self) -> None:
        """Remember what the roots hold now."""
        self.before = walk(*self.roots)

    def changed(self, *, folder_times: bool = True) -> list[str]:
        """Paths that are new, gone or other than at `keep`, mtime included; without those of folders where something was put back."""

        def seen(found: dict[str, tuple[str, int]], name: str) -> tuple[str, int]:
            kind, time = found.get(name, ("", 0))
            return kind, time if folder_times or kind != "folder" else 0

        now = walk(*self.roots)
        return sorted(name for name in self.before.keys() | now.keys() if seen(self.before, name) != seen(now, name))


def walk(*folders: Path) -> dict[str, tuple[str, int]]:
    """Digest and mtime (ns) of all below some folders, folders and links included."""
    found: dict[str, tuple[str, int]] = {}
    for top in folders:
        for folder, _dirs, files in os.walk(top):
            found[folder] = ("folder", Path(folder).lstat().st_mtime_ns)
            for file in (Path(folder) / name for name in files):
                data = os.fsencode(file.readlink()) if file.is_symlink() else file.read_bytes()
                found[str(file)] = (hashlib.sha256(data).hexdigest(), file.lstat().st_mtime_ns)
    return found


def plant(workspace: Workspace) -> Planted:
    """Put a word into each root; the workspace file is allowed."""
    project, user = workspace.project.memory_root, workspace.memories.store("user").root
    shared = workspace.folder / ".agents" / "memory"
    for folder in (project / NESTED, user, shared):
        folder.mkdir(parents=True, exist_ok=True)
    (project / f"{TOPIC}.md").write_text(note(TOPIC, TOPIC), encoding="utf-8")
    (project / NESTED / "deep.md").write_text(note("deep", NESTED), encoding="utf-8")
    (project / "MEMORY.md").write_text(f"- [{TOPIC}]({TOPIC}.md) — {INDEX}\n- [deep]({NESTED}/deep.md) — deep\n", encoding="utf-8")
    (user / "MEMORY.md").write_text(f"## Person\n\nThe word is {USER}.\n", encoding="utf-8")
    (user / f"{USER_TOPIC}.md").write_text(note(USER_TOPIC, USER_TOPIC), encoding="utf-8")
    text = f"The word is {SHARED}.\n"
    (shared / "MEMORY.md").write_text(text, encoding="utf-8")
    trust = WorkspaceTrust(workspace.memories.trust.paths, SystemClock())
    trust.allow(workspace.folder, digest(text.encode()))
    workspace.memories.observe()
    return Planted(project, user, shared)


def texts(value: Any) -> str:
    """A request as one text, characters as they are."""
    return json.dumps(value, ensure_ascii=False)


def words_in(value: Any) -> list[str]:
    return [word for word in WORDS if word in texts(value)]


def tool_names(body: dict[str, Any]) -> list[str]:
    return [tool["name"] for tool in body.get("tools", [])]


def result_texts(body: dict[str, Any]) -> str:
    """What tools gave back, as the request holds it."""
    parts = [part for message in body["messages"] for part in message["parts"] if part["kind"] == "tool_result"]
    return texts(parts)
