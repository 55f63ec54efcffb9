"""What a repository is known by when its folder has moved: its first commit, and its own id in the git folder.

Reads git's files itself wherever that gives the answer; else it runs git by its absolute path, with an empty environment, hooks and
monitors off, nothing fetched, and a time limit. What a repository configures never runs. The only thing it ever writes is
`keepsake-project-id`. Blocking, any thread.
"""

from __future__ import annotations

import os
import re
import secrets
import shutil
import stat
import subprocess
import zlib
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass
from pathlib import Path

from desktop.base.phrases import os_reason, say
from desktop.memory.git_root import is_folder, read_config, read_plain

ID_NAME = "keepsake-project-id"
GIT_SECONDS = 5.0
MAX_LOOSE_WALK = 2_000
"""Commits that are followed one by one through loose objects before git is asked."""

_OBJECT_ID = re.compile(r"[0-9a-f]{40}(?:[0-9a-f]{24})?")
_UUID = re.compile(r"[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}", re.IGNORECASE)
_MAX_COMMIT = 1 << 20
NewId = Callable[[], str]


def random_id() -> str:
    import uuid  # brings `platform` along, 0.7 MiB; an id is made once for a repository

    return str(uuid.uuid4())


# the id


@dataclass(frozen=True, slots=True)
class GitId:
    """The repository's id: its value, or why there is none; both empty when the file does not exist."""

    value: str = ""
    problem: str = ""


def read_git_id(git_dir: Path) -> GitId:
    """The id in the git folder. Never raises, never waits, follows no link."""
    path = git_dir / ID_NAME
    try:
        if not stat.S_ISREG(path.lstat().st_mode):
            return GitId(problem=say("{path} is not a plain file.", path=path))
    except FileNotFoundError:
        return GitId()
    except OSError as error:
        return GitId(problem=say("{path} cannot be read ({reason}).", path=path, reason=os_reason(error)))
    data = read_plain(path, 4_096)
    if data is None:
        return GitId(problem=say("{path} cannot be read ({reason}).", path=path, reason=say("Permission denied")))
    text = data.decode("ascii", "replace").strip()
    if not _UUID.fullmatch(text):
        return GitId(problem=say("{path} is damaged: it does not hold an id.", path=path))
    return GitId(text.lower())


def make_git_id(git_dir: Path, new_id: NewId = random_id) -> GitId:
    """The id in the git folder, made if it is missing: whole from the moment it appears, the same for everybody who makes it at once.

    Never raises: a bare or read-only git folder gives the reason.
    """
    known = read_git_id(git_dir)
    if known.value or known.problem:
        return known
    if is_bare(git_dir):
        return GitId(problem=say("A bare repository gets no id of its own."))
    temporary = git_dir / f".{ID_NAME}.{secrets.token_hex(16)}.tmp"
    try:
        _put_once(temporary, git_dir / ID_NAME, f"{new_id()}\n".encode())
    except OSError as error:
        return GitId(problem=say("{path} cannot be written ({reason}).", path=git_dir / ID_NAME, reason=os_reason(error)))
    finally:
        with suppress(OSError):
            temporary.unlink(missing_ok=True)
    return read_git_id(git_dir)


def _put_once(temporary: Path, target: Path, data: bytes) -> None:
    """Give `data` the name `target` unless that name is taken."""
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_NOFOLLOW", 0)
    handle = os.open(temporary, flags, 0o600)
    try:
        os.write(handle, data)
        os.fsync(handle)
    finally:
        os.close(handle)
    try:
        os.link(temporary, target)
    except FileExistsError:
        return
    except OSError:  # a file system without hard links: the name itself is the guard
        if not os.path.lexists(target):
            temporary.rename(target)


def is_bare(git_dir: Path) -> bool:
    return read_config(git_dir).get("core.bare", "").lower() in ("true", "yes", "on", "1")


# the first commit


def root_commit(git_dir: Path, environ: Mapping[str, str] | None = None) -> str | None:
    """The first commit of the line that HEAD is on (first parents only), or None when there is none or it cannot be told.

    Args:
        git_dir: the repository's own folder.
        environ: where git is looked for (`PATH`); nothing else of it is used.
    """
    if os.path.lexists(git_dir / "shallow"):
        return None  # its first commit is only where the copy was cut off
    head = _head_commit(git_dir)
    if head is None:
        return _asked_git(git_dir, environ) if is_folder(git_dir / "reftable") else None
    found, complete = _walked(git_dir, head)
    if complete:
        return found
    return _asked_git(git_dir, environ) or _logged(git_dir)


def _head_commit(git_dir: Path) -> str | None:
    """The commit of HEAD, by a loose or a packed reference."""
    text = (read_plain(git_dir / "HEAD", 4_096) or b"").decode("utf-8", "surrogateescape").strip()
    if not text.startswith("ref:"):
        return text if _OBJECT_ID.fullmatch(text) else None
    name = text.removeprefix("ref:").strip()
    if not name.startswith("refs/") or ".." in name or "\x00" in name:
        return None
    value = (read_plain(git_dir / name, 256) or b"").decode("ascii", "replace").strip()
    if _OBJECT_ID.fullmatch(value):
        return value
    for line in (read_plain(git_dir / "packed-refs", 16 << 20) or b"").splitlines():
        code, _, packed = line.partition(b" ")
        if packed == os.fsencode(name) and _OBJECT_ID.fullmatch(found := code.decode("ascii", "replace")):
            return found
    return None


def _loose_commit(git_dir: Path, code: str) -> bytes | None:
    data = read_plain(git_dir / "objects" / code[:2] / code[2:], _MAX_COMMIT)
    if data is None:
        return None
    try:
        raw = zlib.decompressobj().decompress(data, _MAX_COMMIT)
    except zlib.error:
        return None
    kind, _, body = raw.partition(b"\x00")
    return body if kind.startswith(b"commit ") else None


def _walked(git_dir: Path, head: str) -> tuple[str | None, bool]:
    """The first commit by loose objects alone, and whether the walk came to an end."""
    code = head
    for _ in range(MAX_LOOSE_WALK):
        body = _loose_commit(git_dir, code)
        if body is None:
            return None, False
        parent = re.match(rb"tree [0-9a-f]+\nparent ([0-9a-f]+)\n", body)
        if parent is None:
            return code, True
        code = parent.group(1).decode()
        if not _OBJECT_ID.fullmatch(code):
            return None, True
    return None, False


def _logged(git_dir: Path) -> str | None:
    """The first commit as HEAD's log tells it, for a repository that began here."""
    first = (read_plain(git_dir / "logs" / "HEAD", 4_096) or b"").split(b"\n", 1)[0]
    match = re.match(rb"0{40,64} ([0-9a-f]{40,64}) [^\t]*\tcommit \(initial\)", first)
    code = match.group(1).decode() if match else ""
    return code if _OBJECT_ID.fullmatch(code) else None


def git_program(environ: Mapping[str, str] | None, apart_from: Path) -> str | None:
    """The absolute path of git out of PATH's absolute entries, never one inside the repository that is looked at."""
    search = (os.environ if environ is None else environ).get("PATH", os.defpath)
    for entry in search.split(os.pathsep):
        found = shutil.which("git", path=entry) if Path(entry).is_absolute() else None
        real = Path(os.path.realpath(found)) if found else None
        if found and real and not {apart_from, apart_from.parent} & {*real.parents, *Path(found).parents}:
            return str(real)
    return None


def _asked_git(git_dir: Path, environ: Mapping[str, str] | None) -> str | None:
    config = read_config(git_dir)
    if config.get("extensions.partialclone") or any(name.endswith(".promisor") for name in config):
        return None  # git would fetch what is missing
    program = git_program(environ, git_dir)
    if program is None:
        return None
    options = ["--no-optional-locks", "--no-replace-objects", "--no-pager", "-c", "core.fsmonitor=false", "-c", "core.hooksPath=/dev/null"]
    asked = ["rev-list", "--first-parent", "--max-parents=0", "HEAD"]
    clean = {
        "GIT_CONFIG_NOSYSTEM": "1",
        "GIT_CONFIG_GLOBAL": os.devnull,
        "GIT_TERMINAL_PROMPT": "0",
        "GIT_NO_LAZY_FETCH": "1",
        "LC_ALL": "C",
    }
    try:
        done = subprocess.run(
            [program, f"--git-dir={git_dir}", *options, *asked],
            cwd=git_dir.anchor,
            env=clean,
            stdin=subprocess.DEVNULL,
            capture_output=True,
            timeout=GIT_SECONDS,
            check=False,
        )
    except (OSError, subprocess.SubprocessError):
        return None
    codes = [line for line in done.stdout.decode("ascii", "replace").split() if _OBJECT_ID.fullmatch(line)]
    return codes[-1] if done.returncode == 0 and codes else None
