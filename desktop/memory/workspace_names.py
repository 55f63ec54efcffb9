"""A bounded, read-only look into a workspace: which files and branches are there, for memories that name them.

Owns the walk (no link is followed, nothing outside is looked at, folders of dependencies are passed by) and the reading of git's refs
without running git. What cannot be told for certain counts as there: a name is called gone only when a whole look did not find it.
Blocking, any thread; writes nothing.
"""

from __future__ import annotations

import os
import posixpath
import stat
import unicodedata
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path

from desktop.memory.git_root import find_git_place, read_plain

MOST_ENTRIES = 50_000
"""Files and folders that are looked at in one workspace."""

MOST_DEPTH = 24
MOST_REFS = 20_000
_PASSED_BY = frozenset(
    (".git", ".hg", ".svn", "node_modules", ".venv", "venv", "__pycache__", ".tox", ".mypy_cache", ".cache", ".keepsake")
)
_HEADS, _REMOTES = "refs/heads/", "refs/remotes/"


def _same(name: str) -> str:
    """A name without differences of case and Unicode form, which some disks do not know."""
    return unicodedata.normalize("NFC", name).casefold()


@dataclass(slots=True)
class WorkspaceNames:
    """What is in one or more folders, looked at once and when it is first asked for.

    Args:
        folders: absolute; the opened folder, and the main work tree where that is another one.
    """

    folders: tuple[Path, ...]
    most: int = MOST_ENTRIES
    _names: set[str] | None = None
    _whole: bool = True
    _branches: frozenset[str] | None = None
    _known_branches: bool = False
    _seen: int = field(default=0)

    def may_hold(self, name: str) -> bool:
        """Whether a file or folder of that name, or of that path below any folder, is there or cannot be ruled out."""
        wanted = _same(name.replace("\\", "/").strip("/").removeprefix("./"))
        if not wanted or ".." in wanted.split("/"):
            return True
        if any(_stands(folder, wanted, name) for folder in self.folders):
            return True
        names = self._walked()
        return not self._whole or wanted in names or any(known.endswith(f"/{wanted}") for known in names if "/" in wanted)

    def may_have_branch(self, name: str) -> bool:
        """Whether a branch of that name is there, here or as it was fetched, or cannot be ruled out (no git, unreadable refs)."""
        if self._branches is None:
            self._branches, self._known_branches = self._read_branches()
        return not self._known_branches or name.removeprefix("origin/") in self._branches

    def _walked(self) -> set[str]:
        """Base names, and paths from the top, of everything that is there."""
        if self._names is None:
            self._names = set()
            for folder in self.folders:
                self._walk(str(folder), "", 0, self._names)
        return self._names

    def _walk(self, place: str, prefix: str, depth: int, names: set[str]) -> None:
        if depth > MOST_DEPTH:
            self._whole = False
            return
        try:
            with os.scandir(place) as entries:
                listed = list(entries)
        except OSError:
            self._whole = False
            return
        for entry in listed:
            self._seen += 1
            if self._seen > self.most:
                self._whole = False
                return
            path = f"{prefix}{_same(entry.name)}"
            names.add(path)
            names.add(_same(entry.name))
            if _is_link(entry):  # what lies behind it is not looked at, so it may be anything
                self._whole = self._whole and not _leads_to_folder(entry)
            elif _is_folder(entry) and entry.name not in _PASSED_BY:
                self._walk(entry.path, f"{path}/", depth + 1, names)

    def _read_branches(self) -> tuple[frozenset[str], bool]:
        found: set[str] = set()
        known = False
        for folder in self.folders:
            place = find_git_place(folder)
            if place is None:
                continue
            refs = _refs_of(place.git_dir)
            if refs is None:
                return frozenset(), False
            known = True
            found |= refs
        return frozenset(found), known


def _is_link(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_symlink()
    except OSError:
        return True


def _is_folder(entry: os.DirEntry[str]) -> bool:
    try:
        return entry.is_dir(follow_symlinks=False)
    except OSError:
        return False


def _leads_to_folder(entry: os.DirEntry[str]) -> bool:
    """Whether a link's own target text may name a folder; the target itself is not opened."""
    try:
        target = str(Path(entry.path).readlink())
    except OSError:
        return True
    return not posixpath.splitext(target)[1]


def _stands(folder: Path, wanted: str, written: str) -> bool:
    """Whether something stands at a path from the top of a folder; behind a link it may, so the answer is yes."""
    place = str(folder)
    for part in written.replace("\\", "/").strip("/").removeprefix("./").split("/"):
        place = os.path.join(place, part)  # noqa: PTH118 - a Path raises for names that the system refuses
        try:
            status = os.lstat(place)
        except (OSError, ValueError):
            return False
        if stat.S_ISLNK(status.st_mode):
            return True
    return bool(wanted)


def _refs_of(git_dir: Path) -> set[str] | None:
    """Names of all branches of a repository, local and fetched; None when they are kept in a form that is not read here."""
    if (git_dir / "reftable").exists():
        return None
    found: set[str] = set()
    packed = read_plain(git_dir / "packed-refs", 8 << 20)
    for line in (packed or b"").decode("utf-8", "replace").splitlines():
        _, _, name = line.partition(" ")
        _take(found, name.strip())
    for kind in ("refs/heads", "refs/remotes"):
        for name in _loose(git_dir / kind, kind):
            _take(found, name)
    head = (read_plain(git_dir / "HEAD", 4_096) or b"").decode("utf-8", "replace").strip()
    _take(found, head.removeprefix("ref: ").strip())
    return found


def _take(found: set[str], ref: str) -> None:
    if ref.startswith(_HEADS):
        found.add(ref.removeprefix(_HEADS))
    elif ref.startswith(_REMOTES):
        found.add(ref.removeprefix(_REMOTES).partition("/")[2])


def _loose(folder: Path, prefix: str, depth: int = 0, count: int = 0) -> Iterator[str]:
    try:
        with os.scandir(folder) as entries:
            listed = sorted(entries, key=lambda entry: entry.name)[:MOST_REFS]
    except OSError:
        return
    for entry in listed:
        name = f"{prefix}/{entry.name}"
        if _is_folder(entry) and depth < MOST_DEPTH:
            yield from _loose(Path(entry.path), name, depth + 1)
        elif not _is_folder(entry):
            yield name
