"""The system's file calls, wrapped: counted, recorded, made to fail, or the process killed at one of them.

Import this before anything of the product, so that also default arguments hold the wrapped functions. Inactive it only passes through.
"""

from __future__ import annotations

import os
import signal
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

NAMES = (
    "open",
    "write",
    "fsync",
    "replace",
    "rename",
    "link",
    "unlink",
    "remove",
    "rmdir",
    "mkdir",
    "ftruncate",
    "truncate",
    "utime",
    "fchmod",
)
"""Calls of the `os` module that the stores use on files. `read`, `stat` and `scandir` change nothing."""

_WRITING = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC
Action = Literal["", "kill-before", "kill-after", "error", "short"]


@dataclass
class Plan:
    """What happens at which call.

    Attributes:
        action: nothing, kill before or after the call, an error, or a short write.
        at: number of the call, 1-based; calls are counted from `start`.
        number: errno of the error.
        times: how many calls in a row fail.
        only: count only calls of these names; empty: all that change something (and, for errors, every open).
    """

    action: Action = ""
    at: int = 0
    number: int = 0
    times: int = 1
    only: tuple[str, ...] = ()


@dataclass
class Calls:
    """The wrapper's state, one for the process."""

    plan: Plan = field(default_factory=Plan)
    active: bool = False
    count: int = 0
    hit: bool = False
    trace: list[tuple[str, tuple[Any, ...], dict[str, Any], Any]] | None = None

    def start(self, plan: Plan, *, record: bool = False) -> None:
        self.plan, self.count, self.hit, self.active = plan, 0, False, True
        self.trace = [] if record else None

    def stop(self) -> None:
        self.active = False


CALLS = Calls()
_REAL: dict[str, Callable[..., Any]] = {name: getattr(os, name) for name in NAMES}


def _flushed(handle: int) -> None:
    """In place of the real flush, which costs most of the time here: a killed process loses nothing of the system's cache.

    What a flush is for is tried by the model of `power`. A bad handle is still an error.
    """
    os.fstat(handle)


def _counts(name: str, args: tuple[Any, ...]) -> bool:
    plan = CALLS.plan
    if plan.only:
        return name in plan.only
    if name == "open":
        return plan.action == "error" or bool(args[1] & _WRITING)
    return True


def _wrap(name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(*args: Any, **keywords: Any) -> Any:
        if not CALLS.active or not _counts(name, args):
            return real(*args, **keywords)
        CALLS.count += 1
        plan = CALLS.plan
        here = plan.at <= CALLS.count < plan.at + plan.times if plan.action else False
        CALLS.hit = CALLS.hit or here
        if here and plan.action == "kill-before":
            os.kill(os.getpid(), signal.SIGKILL)
        if here and plan.action == "error":
            raise OSError(plan.number, os.strerror(plan.number), args[0] if isinstance(args[0], str) else None)
        if here and plan.action == "short" and name == "write" and len(args[1]) > 1:
            args = (args[0], bytes(args[1])[: len(args[1]) // 2])
        result = real(*args, **keywords)
        if CALLS.trace is not None:
            CALLS.trace.append((name, _resolved(name, args, keywords), keywords, result))
        if here and plan.action == "kill-after":
            os.kill(os.getpid(), signal.SIGKILL)
        return result

    return call


def _path_of(handle: int) -> str:
    return str(Path(f"/proc/self/fd/{handle}").readlink())


def _resolved(name: str, args: tuple[Any, ...], keywords: dict[str, Any]) -> tuple[Any, ...]:
    """The arguments with whole paths where they were relative to a folder's handle, and with a copy of what was written."""
    if name in ("write", "fsync", "ftruncate", "fchmod"):
        return (_path_of(args[0]), *(bytes(a) if isinstance(a, (memoryview, bytearray)) else a for a in args[1:]))
    folders = (
        [keywords.get(key) for key in ("src_dir_fd", "dst_dir_fd")] if name in ("replace", "rename", "link") else [keywords.get("dir_fd")]
    )
    whole = [
        str(Path(_path_of(folder) if folder is not None else Path.cwd()) / os.fspath(path))
        for path, folder in zip(args, folders, strict=False)
    ]
    return (*whole, *args[len(whole) :])


def install() -> None:
    """Put the wrappers in place of the real calls, once."""
    for name, real in _REAL.items():
        wrapped = _wrap(name, _flushed if name == "fsync" else real)
        for group in (os.supports_dir_fd, os.supports_fd, os.supports_follow_symlinks):
            if real in group:
                group.add(wrapped)
        setattr(os, name, wrapped)


install()
