"""Finding the git repository that holds a folder by reading files, without starting git: what a repository configures never runs.

Owns the rules of “main work tree” (memory design 6.8): worktrees and subfolders lead to the main work tree, a submodule is its own, a bare
repository is its folder. A `.git` file is believed only when the repository it names points back to it, so that a folder from elsewhere
cannot claim another project's memory. Blocking, writes nothing.
"""

from __future__ import annotations

import os
import re
import stat
from dataclasses import dataclass
from pathlib import Path

MAX_POINTER = 16_384
_SECTION = re.compile(r"^\s*\[\s*([\w.-]+)(?:\s+\"([^\"]*)\")?\s*\]")
_ENTRY = re.compile(r"^\s*([A-Za-z][\w-]*)\s*(?:=\s*(.*?)\s*)?$")
_VALUE = re.compile(r'"((?:[^"\\]|\\.)*)"?|([#;]).*|\\(.)|([^"\\#;]+)')


@dataclass(frozen=True, slots=True)
class GitPlace:
    """Where a folder stands in git.

    Attributes:
        root: the main work tree (or the bare repository's folder): the project.
        work_tree: the work tree that holds the folder; differs from `root` in a linked worktree.
        git_dir: the main repository's own folder, with `config`.
    """

    root: Path
    work_tree: Path
    git_dir: Path


def read_plain(path: Path, limit: int) -> bytes | None:
    """The start of a plain file; None for anything else. Never waits: a folder from elsewhere may hold a pipe in its place."""
    try:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        with os.fdopen(handle, "rb") as file:
            return file.read(limit) if stat.S_ISREG(os.fstat(handle).st_mode) else None
    except OSError:
        return None


def _read_pointer(path: Path) -> str | None:
    data = read_plain(path, MAX_POINTER)
    return os.fsdecode(data).strip() or None if data and b"\0" not in data else None  # no path holds a NUL


def _real(path: Path | str) -> Path:
    return Path(os.path.realpath(path))


def read_config(git_dir: Path) -> dict[str, str]:
    """`section.key` and `section.name.key` of a repository's config file, lower-cased but for the name; tolerant, includes ignored."""
    text = (read_plain(git_dir / "config", 1 << 20) or b"").replace(b"\0", b"").decode("utf-8", errors="surrogateescape")
    values: dict[str, str] = {}
    section = ""
    for line in text.splitlines():
        heading = _SECTION.match(line)
        if heading:
            section = heading.group(1).lower() + (f".{heading.group(2)}" if heading.group(2) is not None else "")
            line = line[heading.end() :]
        entry = _ENTRY.match(line) if section and line.strip()[:1] not in ("", "#", ";") else None
        if entry:
            values[f"{section}.{entry.group(1).lower()}"] = "true" if entry.group(2) is None else _value_of(entry.group(2))
    return values


def _value_of(text: str) -> str:
    """A value as git reads it: quotes and escapes undone, a comment cut off."""
    parts = []
    for quoted, comment, escaped, plain in _VALUE.findall(text):
        if comment:
            break
        parts.append(re.sub(r"\\(.)", r"\1", quoted) if quoted else escaped or plain)
    return "".join(parts).strip()


def mode_of(path: Path, *, follow: bool = True) -> int:
    """The kind and rights of what stands at a path, 0 where nothing can be seen: a folder that may not be looked into is no error."""
    try:
        return path.stat(follow_symlinks=follow).st_mode
    except (OSError, ValueError):
        return 0


def is_folder(path: Path) -> bool:
    return stat.S_ISDIR(mode_of(path))


def _is_git_dir(path: Path) -> bool:
    """Whether `path` is a repository's own folder (the main one, not that of a worktree)."""
    head = path / "HEAD"
    named = stat.S_ISREG(mode_of(head)) or stat.S_ISLNK(mode_of(head, follow=False))
    return named and is_folder(path / "objects") and is_folder(path / "refs")


def _bare(folder: Path) -> GitPlace | None:
    if not _is_git_dir(folder) or read_config(folder).get("core.bare", "").lower() not in ("true", "yes", "on", "1"):
        return None
    return GitPlace(folder, folder, folder)


def _main_of(common: Path) -> Path:
    """The main work tree that belongs to the repository folder `common`."""
    config = read_config(common)
    if config.get("core.worktree"):
        tree = _real(common / config["core.worktree"])
        return tree if _belongs(tree, common) else common
    if common.name == ".git" and config.get("core.bare", "").lower() not in ("true", "yes", "on", "1"):
        return common.parent
    return common


def _belongs(tree: Path, common: Path) -> bool:
    """Whether the work tree that a repository claims says the same: a configuration alone must not claim another project."""
    pointer = _read_pointer(tree / ".git")
    if pointer is None:
        return _real(tree / ".git") == common
    return pointer.startswith("gitdir:") and _real(tree / pointer.removeprefix("gitdir:").strip()) == common


def _linked(folder: Path, pointer: str) -> GitPlace | None:
    """The place of a folder whose `.git` is a file: a linked worktree, a submodule, or a repository kept elsewhere."""
    if not pointer.startswith("gitdir:"):
        return None
    git_dir = _real(folder / pointer.removeprefix("gitdir:").strip())
    common_pointer = _read_pointer(git_dir / "commondir")
    if common_pointer is None:
        return GitPlace(folder, folder, git_dir) if _is_git_dir(git_dir) else None
    common = _real(git_dir / common_pointer)
    back = _read_pointer(git_dir / "gitdir")
    if back is None or _real(git_dir / back) != _real(folder / ".git") or common not in git_dir.parents or not _is_git_dir(common):
        return None
    return GitPlace(_main_of(common), folder, common)


def find_git_place(folder: Path) -> GitPlace | None:
    """The repository around the real path `folder`, or None."""
    for place in (folder, *folder.parents):
        entry = place / ".git"
        if is_folder(entry) and _is_git_dir(entry):
            return GitPlace(place, place, _real(entry))
        if stat.S_ISREG(mode_of(entry)):
            pointer = _read_pointer(entry)
            linked = _linked(place, pointer) if pointer else None
            if linked:
                return linked
        bare = _bare(place)
        if bare:
            return bare
        if place.name == ".git" and _is_git_dir(place):
            return GitPlace(place.parent, place.parent, place)
    return None


_ADDRESS = re.compile(r"([a-z][a-z0-9+.-]*)://([^/?#]*)([^?#]*)", re.IGNORECASE)
_SHORT_ADDRESS = re.compile(r"(?:[^@:/\\]+@)?([^:/\\]{2,}):(?!//)(.*)")


def without_credentials(address: str) -> str | None:
    """A remote's address without user name, password or token; None for a form whose parts are not known."""
    if "::" in address.split("/", 1)[0] or any(ord(character) < 32 for character in address):
        return None  # a helper program's own form
    full = _ADDRESS.fullmatch(re.split(r"[?#]", address, maxsplit=1)[0])
    if full:
        scheme, host, path = full.groups()
        if "@" not in host and re.search(r":(?!\d*\Z)", host) and "@" in path:  # a password with a slash in it
            host, path = path.rpartition("@")[2].partition("/")[0], "/" + path.rpartition("@")[2].partition("/")[2]
        return f"{scheme}://{host.rpartition('@')[2]}{path}"
    short = _SHORT_ADDRESS.fullmatch(address)
    return f"{short.group(1)}:{short.group(2)}" if short else address


def remote_address(git_dir: Path) -> str | None:
    """The address of `origin`, without a user name or password in it."""
    address = read_config(git_dir).get("remote.origin.url")
    return without_credentials(address) if address else None


def same_remote(one: str, other: str) -> bool:
    """Whether two addresses without credentials lead to the same repository, written as an address or in the short form."""
    return _comparable(one) == _comparable(other)


def _comparable(address: str) -> str:
    full = _ADDRESS.fullmatch(address)
    short = None if full else _SHORT_ADDRESS.fullmatch(address)
    host, path = (full.group(2), full.group(3)) if full else short.groups() if short else ("", address)
    return f"{re.sub(r':[0-9]+$', '', host).lower()}/{path.strip('/').removesuffix('.git')}"
