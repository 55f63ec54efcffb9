"""The memory rule: whether a path is a Markdown file inside the memory root, so that a write to it needs no question (PM-01, PM-03, PM-05).

Owns the verdict only: it changes nothing, asks nobody and knows no store. Whoever is allowed writes to `Verdict.target` through the opened
folder (`desktop.base.beneath`), never to the string that was judged. Every doubt is a refusal. Blocking for the running platform, since
links are looked at; pure for another one.
"""

from __future__ import annotations

import os
import re
import stat
import sys
from dataclasses import dataclass
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath

from desktop.base.confine import DEFAULT_NAMES, MAX_PATH_BYTES, ProtectedNames, relative_problem
from desktop.base.phrases import say
from desktop.base.redact import visible

RULE = "memory.file.markdown"
_EXPANDS = re.compile(r"(?:~[^/\\]*|\$\{?\w+\}?|%\w+%)\Z")
_KERNEL_FOLDERS = ("proc", "dev", "sys")
_FOLDER_ENDS = ("", ".")
"""Last components by which a path names a folder: `note.md/` and `note.md/.` are no files."""
OWN_DEPTH = 3
"""A root so close below the workspace is a part of it."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the rule says of one path.

    Attributes:
        allowed: a write goes through without a question.
        reason: one sentence for people and the model.
        target: the path to write to, below the real root; None unless allowed.
    """

    allowed: bool
    reason: str
    target: PurePath | None = None


def _refuse(reason: str) -> Verdict:
    return Verdict(False, reason)


def _shown(path: str) -> str:
    return visible(path if len(path) <= 200 else path[:199] + "…")


def allows_memory_write(
    path: str,
    *,
    root: PurePath,
    cwd: PurePath,
    workspace: PurePath,
    platform: str = sys.platform,
    names: ProtectedNames = DEFAULT_NAMES,
) -> Verdict:
    """Judge one path for a write into memory.

    Args:
        path: as a tool was given it; a relative one is joined to `root`.
        root: the memory folder.
        cwd, workspace: for the wording of the reason; a root right inside the workspace must not be reached through a link out of it (B31).
        platform: for another than the running one the rules alone decide, without the file system.
        names: the protected names, which the settings may change (C-26).
    """
    windows = platform == "win32"
    if not path or not path.strip():
        return _refuse(say("The path is empty."))
    if "\x00" in path:
        return _refuse(say("The path holds a NUL character, which would hide its real end."))
    if len(path.encode("utf-8", "surrogatepass")) > MAX_PATH_BYTES:
        return _refuse(say("The path is longer than {size} bytes.", size=MAX_PATH_BYTES))
    split = _split_windows(path, root) if windows else _split_posix(path, root, platform)
    if isinstance(split, Verdict):
        return split if split.reason else _outside(path, root, cwd, workspace)
    parts = _collapse(split, platform, names)
    if isinstance(parts, Verdict):
        return parts
    problem = relative_problem(parts, platform=platform, names=names) or _suffix_problem(parts[-1], platform)
    if problem:
        return _refuse(problem)
    if platform != sys.platform:
        return _allow(root.joinpath(*parts))
    return _leads_out(Path(root), Path(workspace)) or _on_disk(Path(root), split, parts, platform, names)


def _allow(target: PurePath) -> Verdict:
    return Verdict(True, say("It is a Markdown file inside this project's memory."), target)


def _outside(path: str, root: PurePath, cwd: PurePath, workspace: PurePath) -> Verdict:
    if _starts_with(path, str(workspace)) or _starts_with(path, str(cwd)):
        return _refuse(say("{path} is in the workspace, not inside the memory folder {root}.", path=_shown(path), root=root))
    return _refuse(say("{path} is outside, not inside the memory folder {root}.", path=_shown(path), root=root))


def _starts_with(path: str, folder: str) -> bool:
    return path == folder or path.startswith(folder.rstrip("/\\") + ("\\" if "\\" in folder else "/"))


def _relative_start_problem(parts: list[str]) -> Verdict | None:
    first = parts[0]
    if _EXPANDS.match(first) and (len(parts) > 1 or not first.endswith(".md")):
        return _refuse(say("“{first}” is never expanded in a path; give a name below the memory folder.", first=_shown(first)))
    return None


def _split_windows(path: str, root: PurePath) -> list[str] | Verdict:
    """The components below the root, or a refusal (with an empty reason: plainly outside)."""
    text = path.replace("/", "\\")
    if text.startswith(("\\\\?\\", "\\\\.\\", "\\??\\")):
        return _refuse(say("Device and verbatim paths (\\\\?\\, \\\\.\\) are not accepted."))
    pure, home = PureWindowsPath(text), PureWindowsPath(str(root))
    if pure.drive.startswith("\\\\") and pure.drive.lower() != home.drive.lower():
        return _refuse(say("Network shares are not accepted: even looking at one sends credentials."))
    if not pure.anchor:
        parts = text.split("\\")
        return _relative_start_problem(parts) or parts
    if not (pure.drive and pure.root):
        return _refuse(say("A path must be whole or relative to the memory folder, not relative to a drive."))
    if pure.anchor.lower() != home.anchor.lower():
        return _refuse("")
    below = text[len(pure.anchor) :].split("\\")
    return _below([part for part in below if part], list(home.parts[1:]), fold=True, tail=below[-1] in _FOLDER_ENDS)


def _split_posix(path: str, root: PurePath, platform: str) -> list[str] | Verdict:
    if path.startswith("//"):
        return _refuse(say("A path that begins with two slashes means something else on some systems."))
    parts = path.split("/")
    if parts[0] != "":
        return _relative_start_problem(parts) or parts
    below = [part for part in parts if part]
    if below and below[0] in _KERNEL_FOLDERS and PurePosixPath(str(root)).parts[1:2] != (below[0],):
        return _refuse(say("/{folder} is the kernel's, not a place for files.", folder=below[0]))
    tail = parts[-1] in _FOLDER_ENDS
    found = _below(below, list(PurePosixPath(str(root)).parts[1:]), fold=False, tail=tail)
    if isinstance(found, Verdict) and platform == sys.platform:
        return _below_on_disk(below, Path(root), tail)
    return found


def _below(parts: list[str], home: list[str], *, fold: bool, tail: bool) -> list[str] | Verdict:
    """What follows the root's own components, spelled as they are (or in another case where `fold`)."""
    plain = [part for part in parts if part != "."]
    same = [p.lower() for p in plain[: len(home)]] == [p.lower() for p in home] if fold else plain[: len(home)] == home
    if len(plain) < len(home) or not same:
        return _refuse("")
    return plain[len(home) :] + ([""] if tail else [])


def _below_on_disk(parts: list[str], root: Path, tail: bool) -> list[str] | Verdict:
    """The same for a path that reaches the root under another name: through a link, or in another case where the disk allows it.

    The root need not exist yet: then the real paths decide.
    """
    real = os.path.realpath(root)
    place = Path("/")
    for index, part in enumerate(parts):
        if part == "..":
            return _refuse("")
        place = place / part
        try:
            same = place.samefile(root) if root.exists() else os.path.realpath(place) == real
        except FileNotFoundError:
            same = False
        except (OSError, ValueError):
            return _refuse("")
        if same:
            return parts[index + 1 :] + ([""] if tail else [])
    return _refuse("")


def _collapse(parts: list[str], platform: str, names: ProtectedNames) -> list[str] | Verdict:
    """The components without `.` and with `..` applied, never above the root."""
    if parts and parts[-1] in ("", ".", ".."):
        return _refuse(say("The path names a folder, not a file."))
    result: list[str] = []
    for part in parts:
        bare = part.rstrip(". ") if platform == "win32" else part
        if part in ("", "."):
            continue
        if part == ".." or (bare == "" and ".." in part):
            if not result or part != "..":
                return _refuse(say("The path leaves the memory folder."))
            result.pop()
        else:
            problem = relative_problem([part], platform=platform, names=names) if _is_folder_name_bad(part, platform, names) else None
            if problem:
                return _refuse(problem)
            result.append(part)
    return result or _refuse(say("The path is the memory folder itself, not a file in it."))


def _is_folder_name_bad(part: str, platform: str, names: ProtectedNames) -> bool:
    """Whether a component is refused even when a later `..` takes it away again."""
    return relative_problem(["x", part], platform=platform, names=names) is not None


def _suffix_problem(name: str, platform: str) -> str | None:
    """Only `.md` is a note; on systems that tell `.MD` from `.md` only the lower-case form."""
    folded = name.lower() if platform in ("win32", "darwin") else name
    if not folded.endswith(".md"):
        return say("“{name}” does not end in .md; memory holds Markdown files only.", name=_shown(name))
    if not name[:-3].strip(". ").strip():
        return say("The name has nothing before .md.")
    if name[-4] in "\u200c\u200d":
        return say("The name hides a character before its suffix.")
    return None


def _leads_out(root: Path, workspace: Path) -> Verdict | None:
    """A refusal when `root` is a folder of the workspace's own, such as `.agents/memory`, and a link on the way to it leads elsewhere.

    A root deep below an opened home folder is the app's own, and may be reached through links (B33).
    """
    if not root.is_relative_to(workspace) or not 0 < len(root.relative_to(workspace).parts) <= OWN_DEPTH:
        return None
    try:
        real, home = Path(os.path.realpath(root)), Path(os.path.realpath(workspace))
    except (OSError, ValueError) as error:
        return _refuse(say("The path cannot be resolved ({error}).", error=error))
    if real.is_relative_to(home):
        return None
    return _refuse(say("The memory folder {root} is reached through a link that leads out of the workspace.", root=root))


def _on_disk(root: Path, raw: list[str], parts: list[str], platform: str, names: ProtectedNames) -> Verdict:
    """The file system's part: links on the way must stay inside, and only a plain file or nothing may stand at the end."""
    try:
        home = Path(os.path.realpath(root))
        if root.is_symlink():
            return _refuse(say("The memory folder {root} is itself a link, so nothing is written through it.", root=root))
        if ".." in raw and _has_link(home, [part for part in raw if part not in ("", ".")]):
            return _refuse(say("The path goes up again behind a link."))
        real = _resolve(home, parts)
    except (OSError, ValueError) as error:
        return _refuse(say("The path cannot be resolved ({error}).", error=error))
    if isinstance(real, Verdict):
        return real
    problem = relative_problem(real, platform=platform, names=names) or _suffix_problem(real[-1], platform)
    if problem:
        return _refuse(say("Behind a link: {problem}", problem=problem) if real != parts else problem)
    return _allow(home.joinpath(*real))


def _has_link(home: Path, parts: list[str]) -> bool:
    """Whether any step of the path as written, before `..` is applied, is a link or a plain file."""
    place = home
    for part in parts[:-1]:
        if part == "..":
            place = place.parent
            continue
        place = place / part
        if os.path.lexists(place) and not stat.S_ISDIR(place.lstat().st_mode):
            return True
    return False


def _resolve(home: Path, parts: list[str]) -> list[str] | Verdict:
    """The real components below `home`: links followed, and refused when they lead outside, nowhere or in a circle."""
    place = home
    for index, part in enumerate(parts):
        place = place / part
        last = index == len(parts) - 1
        try:
            mode = place.lstat().st_mode
        except FileNotFoundError:
            place = place.joinpath(*parts[index + 1 :])
            break
        if stat.S_ISLNK(mode):
            try:
                place = Path(os.path.realpath(place, strict=True))
            except OSError:
                return _refuse(say("“{part}” is a link that leads nowhere.", part=_shown(part)))
            if place != home and home not in place.parents:
                return _refuse(say("“{part}” is a link that leads outside the memory folder.", part=_shown(part)))
            mode = place.lstat().st_mode
        if last and not stat.S_ISREG(mode):
            return _refuse(say("“{part}” is not a plain file.", part=_shown(part)))
        if not last and not stat.S_ISDIR(mode):
            return _refuse(say("“{part}” is not a folder.", part=_shown(part)))
    return list(place.relative_to(home).parts)
