"""Names and places of projects: slug, key, case folding, and which folders the person may choose for memory (ST-03…ST-06, ST-11, ST-12).

Owns the rules only: it decides nothing about git or `project.json`, and writes nothing. Asks the file system whether it folds case.
Blocking, any thread.
"""

from __future__ import annotations

import hashlib
import os
import re
import sys
import unicodedata
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.base.phrases import say
from desktop.memory.git_root import is_folder
from desktop.settings.schema import folder_problem

SLUG_LENGTH = 48
HASH_LENGTH = 16
_NOT_SLUG = re.compile(r"[^a-z0-9._-]+")
_SYSTEM_FOLDERS = frozenset(("proc", "dev", "sys"))

FoldsCase = Callable[[Path], bool]
"""Whether the file system that holds a folder takes `A` and `a` for the same name."""


@dataclass(frozen=True, slots=True)
class Placement:
    """Where memory lies instead of the profile, as the person chose it.

    Attributes:
        memory_dir: this very folder is the memory (`KEEPSAKE_MEMORY_DIR`, else `memory.directory`); None: the usual place.
        base: memory lies in `<base>/projects/<key>/memory` (`KEEPSAKE_REMOTE_MEMORY_DIR`), unless `memory_dir` says otherwise.
    """

    memory_dir: Path | None = None
    base: Path | None = None

    def memory_root(self, home: Path) -> Path:
        """The memory folder of the project whose home in the profile is `home`."""
        if self.memory_dir is not None:
            return self.memory_dir
        return self.base / "projects" / home.name / "memory" if self.base is not None else home / "memory"


USUAL = Placement()


def slug(name: str) -> str:
    """ASCII form of a folder name for people who look at the disk: at most 48 of `a-z 0-9 . _ -`; `project` if nothing is left."""
    return _NOT_SLUG.sub("-", name.lower()).strip("-")[:SLUG_LENGTH] or "project"


def hash_of(identity: str) -> str:
    """The first 16 hex digits of SHA-256 of what identifies a project: a path, a git id, or a remote identity string."""
    return hashlib.sha256(identity.encode("utf-8", "surrogateescape")).hexdigest()[:HASH_LENGTH]


def _other_spelling(name: str) -> str:
    """The name with the case of its letters swapped, where that is a reversible change; the same name when it has none."""
    return "".join(o if len(o := c.swapcase()) == 1 and o.swapcase() == c else c for c in name)


def _same_entry(place: Path, name: str) -> bool:
    """Whether `name` beside `place` is the same entry, and no link that happens to lead there."""
    try:
        one, other = place.lstat(), place.with_name(name).lstat()
    except (OSError, ValueError):
        return False
    return (one.st_dev, one.st_ino) == (other.st_dev, other.st_ino)


def folds_case(folder: Path) -> bool:
    """Ask the disk: the same folder under a name with its case swapped. A name without letters is judged like its parent's."""
    for place in (folder, *folder.parents):
        other = _other_spelling(place.name)
        if other != place.name:
            return _same_entry(place, other)
    return sys.platform == "win32"


def _composed(place: Path) -> str:
    """The name in its composed form where the disk takes both forms for one (macOS), else as it is."""
    name = place.name
    if name.isascii():
        return name
    composed, taken_apart = unicodedata.normalize("NFC", name), unicodedata.normalize("NFD", name)
    other = composed if composed != name else taken_apart
    return composed if other != name and _same_entry(place, other) else name


def canonical_path(root: Path, folds: FoldsCase = folds_case) -> str:
    """A real path in the one spelling that stands for all that its file systems take for it: folded name by name (ST-05)."""
    parts = [str(root.anchor).lower() if sys.platform == "win32" else str(root.anchor)]
    for place in (*reversed(root.parents[:-1]), root) if root.name else ():
        name = _composed(place)
        parts.append(name.lower() if folds(place) else name)
    return str(Path(*parts))


def project_key(root: Path, folds: FoldsCase = folds_case) -> str:
    """`<slug>-<hash16>` of a project's real root path; case is folded where the file system folds it."""
    return f"{slug(root.name)}-{hash_of(canonical_path(root, folds))}"


def remote_key(identity: str) -> str:
    """The key of a remote workspace: of its trimmed identity string, the slug always `project` (ST-06)."""
    return f"project-{hash_of(identity.strip())}"


def readable(name: str) -> str:
    """A folder's name as a label: bytes that are no text become replacement marks."""
    return name.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def known_key(projects: Path, wanted: str) -> str:
    """The key under which a hash has its home already, else `wanted`: the slug in front of it may be that of an older folder name."""
    if is_folder(projects / wanted):
        return wanted
    ending = wanted[-HASH_LENGTH - 1 :]
    try:
        with os.scandir(projects) as entries:
            found = sorted(entry.name for entry in entries if entry.name.endswith(ending) and entry.is_dir(follow_symlinks=False))
    except OSError:
        return wanted
    return found[0] if found else wanted


def checked_override(value: str, home: Path) -> Path:
    """The real path of a memory folder that the person chose (ST-11, ST-12).

    Raises:
        UsageError: it is relative, a root or the home folder itself, a network share, a device, or holds a NUL.
    """
    problem = folder_problem(value) if value else say("it is empty")
    if problem:
        raise UsageError(
            say("The memory folder “{value}” cannot be used: {problem}.", value=value.replace("\x00", "\\0"), problem=problem),
            hint=say("Give the whole path of a folder of its own, e.g. ~/notes/keepsake."),
        )
    text = str(home) + value[1:] if value.startswith("~") else value
    real = Path(os.path.realpath(text))
    if real == Path(real.anchor) or real == Path(os.path.realpath(home)) or not _SYSTEM_FOLDERS.isdisjoint(real.parts[1:2]):
        raise UsageError(
            say("The memory folder cannot be {real} itself.", real=real), hint=say("Name a folder of its own, e.g. ~/notes/keepsake.")
        )
    return real


def placement(environ: Mapping[str, str], directory: str, home: Path) -> Placement:
    """Where the person wants memory to be: the environment beats the setting, and everybody asks here (ST-11, B05).

    Args:
        environ: `KEEPSAKE_MEMORY_DIR` and `KEEPSAKE_REMOTE_MEMORY_DIR` are looked at.
        directory: the setting `memory.directory`, "" for none.
        home: the person's home folder, for `~/`.

    Raises:
        UsageError: one of them cannot be used; the message names which.
    """

    def checked(name: str, value: str) -> Path | None:
        try:
            return checked_override(value, home) if value else None
        except UsageError as error:
            raise UsageError(say("{name}: {reason}", name=name, reason=error.message), hint=error.hint) from error

    chosen = checked("KEEPSAKE_MEMORY_DIR", environ.get("KEEPSAKE_MEMORY_DIR", "")) or checked("memory.directory", directory)
    return Placement(chosen, checked("KEEPSAKE_REMOTE_MEMORY_DIR", environ.get("KEEPSAKE_REMOTE_MEMORY_DIR", "")))


def check_apart(memory_root: Path, data: Path) -> None:
    """Make sure that a chosen memory folder holds none of the app's own data: versions and trash must lie outside memory.

    Raises:
        UsageError: it is the data folder, one around it, or one of its other parts.
    """
    real, memory_root = Path(os.path.realpath(data)), Path(os.path.realpath(memory_root))
    own = real / "memories"
    if memory_root == real or memory_root in real.parents or (real in memory_root.parents and own not in memory_root.parents):
        raise UsageError(
            say("The memory folder {folder} cannot be used: the app keeps its own data there.", folder=memory_root),
            hint=say("Name a folder of its own, e.g. ~/notes/keepsake."),
        )
