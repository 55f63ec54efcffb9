"""Walking a folder as a person sees it: without `.git`, without what .gitignore leaves out, never through a link out of the root.

Bounded in time and entries, and stopped from outside; what was left out is counted and told. Hostile ignore files are bounded too: a
pattern with many stars in one part is skipped, since matching it could take for ever. Blocking: runs in worker threads.
"""

from __future__ import annotations

import os
import stat
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathspec import GitIgnoreSpec

MOST_ENTRIES = 400_000
MOST_SECONDS = 20.0
_IGNORE_BYTES = 256 << 10
_MOST_STARS = 4


@dataclass(frozen=True, slots=True)
class Entry:
    """A file or folder that was met; `relative` with `/`, from the root of the walk; `size` in bytes."""

    relative: str
    path: str
    folder: bool
    link: bool
    mtime: float
    size: int


@dataclass(slots=True)
class Walk:
    """One walk over `root`, a real folder. Iterate `entries()` once.

    Attributes:
        closed: real folders that are passed by.
        cut: why the walk ended early, or empty.
        unreadable: folders that could not be listed.
    """

    root: Path
    stop: threading.Event = field(default_factory=threading.Event)
    seconds: float = MOST_SECONDS
    most: int = MOST_ENTRIES
    closed: tuple[Path, ...] = ()
    cut: str = ""
    unreadable: int = 0

    def entries(self) -> Iterator[Entry]:
        """Files and folders in order of their names, a folder before what is in it."""
        deadline = time.monotonic() + self.seconds
        seen = 0
        todo: list[tuple[str, Ignores]] = [("", Ignores.above(self.root))]
        while todo:
            relative, ignores = todo.pop()
            folder = os.path.join(self.root, relative) if relative else str(self.root)  # noqa: PTH118 - strings are faster here
            ignores = ignores.entering(folder, relative)
            deeper: list[tuple[str, Ignores]] = []
            for entry in self._listed(folder):
                seen += 1
                if self.stop.is_set() or seen > self.most or time.monotonic() > deadline:
                    self.cut = self._why(seen)
                    return
                found = self._entry(entry, f"{relative}/{entry.name}" if relative else entry.name, ignores)
                if found is None:
                    continue
                yield found
                if found.folder:
                    deeper.append((found.relative, ignores))
            todo.extend(reversed(deeper))

    def _why(self, seen: int) -> str:
        if self.stop.is_set():
            return "stopped"
        return f"only the first {self.most:,} entries were looked at" if seen > self.most else f"stopped after {self.seconds:g} s"

    def _listed(self, folder: str) -> list[os.DirEntry[str]]:
        try:
            with os.scandir(folder) as entries:
                return sorted(entries, key=lambda entry: entry.name)
        except OSError:
            self.unreadable += 1
            return []

    def _entry(self, entry: os.DirEntry[str], relative: str, ignores: Ignores) -> Entry | None:
        try:
            folder, link = entry.is_dir(follow_symlinks=False), entry.is_symlink()
            if (entry.name.casefold() == ".git") or ignores.hide(relative, folder):
                return None
            if (link and not self._leads_to_own_file(entry.path)) or (self.closed and self._is_closed(entry.path, link)):
                return None
            found = entry.stat()
        except OSError:
            return None
        if not folder and not stat.S_ISREG(found.st_mode):
            return None
        return Entry(relative, entry.path, folder, link, found.st_mtime, found.st_size)

    def _is_closed(self, path: str, link: bool) -> bool:
        real = os.path.realpath(path) if link else path
        return any(real == str(folder) or real.startswith(f"{folder}{os.sep}") for folder in self.closed)

    def _leads_to_own_file(self, path: str) -> bool:
        real = Path(os.path.realpath(path))
        return real.is_file() and real.is_relative_to(self.root)


class Ignores:
    """The ignore files that hold in one folder, the outermost first.

    Each comes with what is put before a name, and what is taken from its start, to make it relative to the ignore file's folder.
    """

    def __init__(self, specs: tuple[tuple[str, str, GitIgnoreSpec], ...] = ()) -> None:
        self._specs = specs

    @classmethod
    def above(cls, root: Path) -> Ignores:
        """The ignore files between the repository's top and `root`, when `root` lies in a repository.

        An ignored folder that is searched by name is not hidden by the files that ignore it.
        """
        return cls(tuple(spec for spec in cls._all_above(root) if not _hides_root(spec)))

    @staticmethod
    def _all_above(root: Path) -> list[tuple[str, str, GitIgnoreSpec]]:
        top = _repository(root)
        if top is None:
            return []
        specs = []
        exclude = _spec(str(top / ".git" / "info" / "exclude"))
        below = root.relative_to(top).as_posix()
        if exclude is not None:
            specs.append((f"{below}/" if below != "." else "", "", exclude))
        folder = top
        for part in root.relative_to(top).parts:
            spec = _spec(str(folder / ".gitignore"))
            if spec is not None:
                specs.append((f"{root.relative_to(folder).as_posix()}/", "", spec))
            folder /= part
        return specs

    @classmethod
    def parents_hold(cls, root: Path) -> bool:
        """Whether the ignore files above `root` have a say on what is in it."""
        return _repository(root) is not None and not any(_hides_root(spec) for spec in cls._all_above(root))

    def entering(self, folder: str, relative: str) -> Ignores:
        spec = _spec(os.path.join(folder, ".gitignore"))  # noqa: PTH118
        if spec is None:
            return self
        return Ignores((*self._specs, ("", f"{relative}/" if relative else "", spec)))

    def hide(self, relative: str, folder: bool) -> bool:
        """Whether the innermost ignore file that has a word on it leaves it out."""
        name = f"{relative}/" if folder else relative
        for before, taken, spec in reversed(self._specs):
            verdict = spec.check_file(before + name.removeprefix(taken)).include
            if verdict is not None:
                return verdict
        return False


def _repository(root: Path) -> Path | None:
    """The top of the repository in which `root` lies."""
    return next((folder for folder in (root, *root.parents) if os.path.exists(folder / ".git")), None)  # noqa: PTH110


def _hides_root(spec: tuple[str, str, GitIgnoreSpec]) -> bool:
    return bool(spec[0] and spec[2].check_file(spec[0]).include)


def _spec(path: str) -> GitIgnoreSpec | None:
    from pathspec import GitIgnoreSpec

    try:
        with open(path, "rb") as file:  # noqa: PTH123
            data = file.read(_IGNORE_BYTES) if stat.S_ISREG(os.fstat(file.fileno()).st_mode) else b""
    except OSError:
        return None
    lines = [line for line in data.decode("utf-8-sig", "replace").splitlines() if _is_cheap(line)]
    try:
        return GitIgnoreSpec.from_lines(lines)
    except ValueError:
        return GitIgnoreSpec.from_lines([line for line in lines if _is_valid(line)])


def _is_cheap(line: str) -> bool:
    return len(line) <= 1_000 and all(part.count("*") <= _MOST_STARS for part in line.split("/"))


def _is_valid(line: str) -> bool:
    from pathspec import GitIgnoreSpec

    try:
        GitIgnoreSpec.from_lines([line])
    except ValueError:
        return False
    return True
