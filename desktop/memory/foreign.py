"""Where other tools keep their memory of this project: Claude Code's and ZCode's folders, found by themselves and never written.

Owns the rules by which those tools name their folders, for this project's root, the opened folder and the linked worktrees. Off unless the
setting `memory.foreign` names the tool; then the window shows and searches them, and no request holds any of it. Looks only whether folders
are there and, for names that were cut, at the first lines of one record. Blocking, any thread, changes nothing.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

from desktop.base.phrases import say
from desktop.memory.git_root import find_git_place
from desktop.memory.identity import Project, slug
from desktop.memory.roots import MemoryRoot, foreign_root

CLAUDE_CODE, ZCODE = "claude-code", "zcode"
TOOLS = {CLAUDE_CODE: "Claude Code", ZCODE: "ZCode"}
CLAUDE_SLUG = 200
"""Characters of Claude Code's folder name; a longer path is cut and gets a hash of its whole."""

ZCODE_PLACES = ("cli/memories/projects", "memories/projects")
RECORD_HEAD = 64 * 1024
MOST_WORKTREES = 200
PRIVACY = say(
    "These are another tool's notes about you and this project. While it is on, Keepsake shows them here, and you and the agent can search "
    "them. They stay where they are, are never changed, and nothing of them is sent to a model unless the agent searches them by name."
)


def tool_of(root: MemoryRoot) -> str:
    """The tool whose memory a foreign root is: `claude-code` or `zcode`; "" for a root of our own."""
    return root.id.split(":")[1] if root.kind == "foreign" else ""


def places_of(project: Project) -> tuple[Path, ...]:
    """The folders for which another tool may have kept memory: the project's root, the opened folder and the linked worktrees."""
    found = [Path(project.source)] if project.source and Path(project.source).is_absolute() else []
    found += [folder for folder in (project.git_root, project.folder) if folder is not None]
    place = find_git_place(project.folder)
    if place is not None:
        found += [place.work_tree, *_worktrees(place.git_dir)]
    return tuple(dict.fromkeys(found))


def _worktrees(git_dir: Path) -> list[Path]:
    """Linked worktrees that a repository knows and that point back to it."""
    try:
        entries = sorted(os.scandir(git_dir / "worktrees"), key=lambda entry: entry.name)[:MOST_WORKTREES]
    except OSError:
        return []
    found = []
    for entry in entries:
        try:
            pointer = (Path(entry.path) / "gitdir").read_bytes()[:4_096]
        except OSError:
            continue
        folder = Path(os.path.realpath(os.fsdecode(pointer).strip())).parent
        place = find_git_place(folder) if folder.is_dir() else None
        if place is not None and place.work_tree == folder and place.git_dir == git_dir:
            found.append(folder)
    return found


def claude_slug(path: str) -> str:
    """Claude Code's folder name for a project path, without the hash that it puts behind a name that was cut."""
    return re.sub(r"[^a-zA-Z0-9]", "-", _utf16(path))[:CLAUDE_SLUG]


def _utf16(text: str) -> str:
    """One character for each UTF-16 unit: the tool replaces units, so that an emoji becomes two hyphens."""
    return "".join(c if ord(c) < 0x10000 else "--" for c in text)


def claude_hash(path: str) -> str:
    """The hash behind a cut name, as the tool's portable build makes it: 31·h + unit over UTF-16 units, 32 bit, base 36."""
    value = 0
    data = path.encode("utf-16-le", "surrogatepass")
    for at in range(0, len(data), 2):
        value = (value * 31 + int.from_bytes(data[at : at + 2], "little")) & 0xFFFFFFFF
    value = abs(value - (1 << 32) if value >= 1 << 31 else value)
    digits = ""
    while value:
        value, rest = divmod(value, 36)
        digits = "0123456789abcdefghijklmnopqrstuvwxyz"[rest] + digits
    return digits or "0"


def claude_folders(path: Path, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """Claude Code's memory folders of a project path that exist."""
    chosen = environ.get("CLAUDE_CONFIG_DIR", "")
    base = (Path(chosen) if chosen and Path(chosen).is_absolute() else home / ".claude") / "projects"
    whole = _utf16(str(path))
    name = claude_slug(str(path))
    if len(whole) <= CLAUDE_SLUG:
        return _existing(base / name / "memory")
    exact = _existing(base / f"{name}-{claude_hash(str(path))}" / "memory")
    return exact or _cut_names(base, name, path)


def _cut_names(base: Path, name: str, path: Path) -> tuple[Path, ...]:
    """Folders whose name begins alike; another build hashes differently, so one counts only if a record in it names the path."""
    try:
        names = sorted(
            entry.name for entry in os.scandir(base) if entry.name.startswith(f"{name}-") and entry.is_dir(follow_symlinks=False)
        )
    except OSError:
        return ()
    return tuple(folder / "memory" for folder in (base / n for n in names) if _existing(folder / "memory") and _names_path(folder, path))


def _names_path(folder: Path, path: Path) -> bool:
    """Whether the newest record in a project folder was held in `path`."""
    try:
        records = [entry for entry in os.scandir(folder) if entry.name.endswith(".jsonl") and entry.is_file(follow_symlinks=False)]
        newest = max(records, key=lambda entry: entry.stat().st_mtime, default=None)
        if newest is None:
            return False
        with open(newest.path, "rb") as file:  # noqa: PTH123 - an entry's own path
            head = file.read(RECORD_HEAD)
    except OSError:
        return False
    for line in head.split(b"\n")[:50]:
        try:
            record = json.loads(line)
        except (ValueError, RecursionError):
            continue
        if isinstance(record, dict) and isinstance(record.get("cwd"), str):
            return bool(record["cwd"] == str(path))
    return False


def zcode_folders(path: Path, environ: Mapping[str, str], home: Path) -> tuple[Path, ...]:
    """ZCode's memory folders of a workspace path that exist: slug and SHA-256 of the path, in either place that its releases use."""
    chosen = environ.get("ZCODE_HOME", "")
    base = Path(chosen) if chosen and Path(chosen).is_absolute() else home / ".zcode"
    source = str(path).lower() if sys.platform == "win32" else str(path)
    names = {f"{form}-{hashlib.sha256(os.fsencode(source)).hexdigest()[:16]}" for form in (slug(path.name), _zcode_slug(path.name))}
    return _existing(
        *(base / place / name / "memory" for place in ("cli/memories/projects", "memories/projects") for name in sorted(names))
    )


def _zcode_slug(name: str) -> str:
    """As ours, but each foreign character by itself becomes a hyphen and the ends are kept."""
    return re.sub(r"[^a-z0-9._-]", "-", name.lower())[:48] or "project"


def _existing(*folders: Path) -> tuple[Path, ...]:
    return tuple(folder for folder in folders if folder.is_dir() and not folder.is_symlink())


def found_for(project: Project, environ: Mapping[str, str], home: Path) -> tuple[MemoryRoot, ...]:
    """Rows for every memory folder of another tool that belongs to this project, whether it is switched on or not."""
    roots: list[MemoryRoot] = []
    seen: set[Path] = {Path(os.path.realpath(project.memory_root))}
    for tool, find in ((CLAUDE_CODE, claude_folders), (ZCODE, zcode_folders)):
        number = 0
        for place in places_of(project):
            for folder in find(place, environ, home):
                real = Path(os.path.realpath(folder))
                if real in seen:
                    continue
                seen.add(real)
                number += 1
                name = tool if number == 1 else f"{tool}:{number}"
                label = TOOLS[tool] if number == 1 else say("{tool}, {folder}", tool=TOOLS[tool], folder=place.name)
                roots.append(foreign_root(name, label, real))
    return tuple(roots)


def home_of(environ: Mapping[str, str]) -> Path:
    """The person's home folder, below which other tools keep their folders."""
    chosen = environ.get("USERPROFILE" if sys.platform == "win32" else "HOME", "")
    return Path(chosen) if chosen and Path(chosen).is_absolute() else Path.home()


def enabled(roots: Sequence[MemoryRoot], tools: object) -> tuple[MemoryRoot, ...]:
    """The roots whose tool the setting `memory.foreign` names."""
    on = {str(tool) for tool in tools} if isinstance(tools, (list, tuple, set, frozenset)) else set()
    return tuple(root for root in roots if tool_of(root) in on)


__all__ = [
    "CLAUDE_CODE",
    "PRIVACY",
    "TOOLS",
    "ZCODE",
    "claude_folders",
    "claude_hash",
    "claude_slug",
    "enabled",
    "found_for",
    "home_of",
    "places_of",
    "tool_of",
    "zcode_folders",
]
