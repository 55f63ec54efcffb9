"""Child processes of tools: a session and process group of their own, output as it comes, and an end that leaves nothing running.

`Child.end` asks the whole group to stop, and kills what is left half a second later, with children that left the group; those that also
left their parent are known by a mark in their environment. Waiting is for the process, not for its pipes: a background child that holds a
pipe open delays nothing. Runs on the asyncio thread.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, cast

OnData = Callable[[int, bytes], None]
"""Called with 1 (standard output) or 2 (standard error) and some bytes."""

GRACE_S = 0.4
"""Between asking a group to stop and killing it."""
KILLED_S = 5.0
"""How long the system may take to report a killed process, on a machine under load."""
DRAIN_S = 0.5
"""How long output that is still under way is waited for after the process ended."""
ROUNDS = 4
"""How often it is looked for what a dying process may still have started."""
MARK = "KEEPSAKE_CALL"
"""Variable by which all processes of one call are found again, whatever they are the children of."""
BURST = 1 << 20
"""Bytes read at a stretch before other work of the loop gets its turn."""


class _Protocol(asyncio.SubprocessProtocol):
    def __init__(self, on_data: OnData) -> None:
        self._on_data = on_data
        self._burst = 0
        self.exited = asyncio.Event()
        self.drained = asyncio.Event()
        self.transport: asyncio.SubprocessTransport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        self.transport = cast(asyncio.SubprocessTransport, transport)

    def pipe_data_received(self, fd: int, data: bytes) -> None:
        self._on_data(fd, data)
        self._burst += len(data)
        if self._burst >= BURST:
            self._burst = 0
            self._rest(fd)

    def _rest(self, fd: int) -> None:
        pipe = self.transport.get_pipe_transport(fd) if self.transport else None
        if isinstance(pipe, asyncio.ReadTransport) and not pipe.is_closing():
            pipe.pause_reading()
            asyncio.get_running_loop().call_later(0.005, _resume, pipe)

    def process_exited(self) -> None:
        self.exited.set()

    def connection_lost(self, exc: Exception | None) -> None:
        self.drained.set()


def _resume(pipe: asyncio.ReadTransport) -> None:
    if not pipe.is_closing():
        pipe.resume_reading()


class Child:
    """A running process. Always `await end()`, also after it exited."""

    def __init__(self, transport: asyncio.SubprocessTransport, protocol: _Protocol, mark: str = "") -> None:
        self._transport = transport
        self._protocol = protocol
        self._mark = mark
        self.pid = transport.get_pid()

    @property
    def status(self) -> int | None:
        """Exit status; negative = ended by that signal; None while it runs."""
        return self._transport.get_returncode()

    async def exited(self, timeout_s: float) -> bool:
        """Wait for the process; False when it still runs after `timeout_s` seconds."""
        try:
            await asyncio.wait_for(self._protocol.exited.wait(), timeout_s)
        except TimeoutError:
            return False
        return True

    async def drained(self, timeout_s: float = DRAIN_S) -> None:
        """Wait until all output has come, at most that long."""
        with contextlib.suppress(TimeoutError):
            await asyncio.wait_for(self._protocol.drained.wait(), timeout_s)

    async def end(self) -> int:
        """Stop the process and all it started. Returns how many others than itself were still running; finishes even when cancelled."""
        task = asyncio.ensure_future(self._end())
        cancelled = False
        while not task.done():
            try:
                await asyncio.shield(task)
            except asyncio.CancelledError:  # as often as it comes: what was started is ended first
                if task.cancelled():
                    raise
                cancelled = True
        if cancelled:
            raise asyncio.CancelledError
        return task.result()

    async def _end(self) -> int:
        running = self.status is None
        others = await self._others() if running or self._mark or _group_lives(self.pid) else []
        if running or others:
            _signal_all(self.pid, others, force=False)
            if not await self._gone(others):
                _signal_all(self.pid, others, force=True)
                await self.exited(KILLED_S)
            for _ in range(ROUNDS if self._mark else 0):
                late = await self._others()
                if not late:
                    break
                _signal_all(self.pid, late, force=True)
                await self._gone(late)
        await self.drained()
        self._transport.close()
        return len(others)

    async def _others(self) -> list[Any]:
        return await asyncio.to_thread(_family, self.pid, self._mark)

    async def _gone(self, others: list[Any]) -> bool:
        """Wait until nothing runs any more, at most the time of grace."""
        for _ in range(20):
            if self.status is not None and not any(_runs(other) for other in others):
                return True
            await asyncio.sleep(GRACE_S / 20)
        return False


async def start(
    argv: Sequence[str],
    *,
    cwd: Path,
    environ: Mapping[str, str],
    on_data: OnData,
    stdin: bytes | None = None,
    merge: bool = False,
    mark: str = "",
) -> Child:
    """Start a program without a shell. Cancelled in the middle of it, what was started is ended, with its whole group.

    Args, errors: see `_start`.
    """
    starting = asyncio.ensure_future(_start(argv, cwd=cwd, environ=environ, on_data=on_data, stdin=stdin, merge=merge, mark=mark))
    cancelled = False
    while not starting.done():
        try:
            await asyncio.shield(starting)
        except asyncio.CancelledError:
            if starting.cancelled():
                raise
            cancelled = True
    child = starting.result()
    if cancelled:
        await child.end()
        raise asyncio.CancelledError
    return child


async def _start(
    argv: Sequence[str], *, cwd: Path, environ: Mapping[str, str], on_data: OnData, stdin: bytes | None, merge: bool, mark: str
) -> Child:
    """Start a program.

    Args:
        argv: the program by its absolute path, then its arguments.
        stdin: what it can read; None = nothing at all.
        merge: standard error goes into standard output.
        mark: a word that no other call has: by it also those processes are found and ended that left their parents; "" = not looked for.

    Raises:
        OSError: it cannot be started.
    """
    own_group: dict[str, Any] = {"start_new_session": True}
    if sys.platform == "win32":
        own_group = {"creationflags": subprocess.CREATE_NEW_PROCESS_GROUP | subprocess.CREATE_NO_WINDOW}
    transport, protocol = await asyncio.get_running_loop().subprocess_exec(
        lambda: _Protocol(on_data),
        *argv,
        stdin=subprocess.DEVNULL if stdin is None else subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT if merge else subprocess.PIPE,
        cwd=str(cwd),
        env={**environ, MARK: mark} if mark else dict(environ),
        **own_group,
    )
    if stdin is not None:
        pipe = cast(asyncio.WriteTransport, transport.get_pipe_transport(0))
        pipe.write(stdin)
        pipe.close()
    return Child(transport, protocol, mark)


def _group_lives(pid: int) -> bool:
    if sys.platform == "win32":
        return True
    try:
        os.killpg(pid, 0)
    except (ProcessLookupError, PermissionError):
        return False
    return True


def _family(pid: int, mark: str = "") -> list[Any]:
    """All living processes of the group, descended from `pid` or with the mark, without `pid` itself. Looks at every process: blocking."""
    import psutil

    children: list[Any] = []
    with contextlib.suppress(psutil.Error):
        children = psutil.Process(pid).children(recursive=True)
    known = {child.pid for child in children}
    for number in psutil.pids() if mark or sys.platform != "win32" else ():
        if number in known or number in (pid, os.getpid()):
            continue
        with contextlib.suppress(OSError, psutil.Error):
            if (sys.platform != "win32" and os.getpgid(number) == pid) or (mark and _is_marked(number, mark)):
                children.append(psutil.Process(number))
    return [child for child in children if _runs(child)]


def _is_marked(number: int, mark: str) -> bool:
    """Whether the environment that a process was started with holds the mark."""
    told = Path(f"/proc/{number}/environ")
    if told.parent.is_dir():
        return f"{MARK}={mark}".encode() in told.read_bytes()
    import psutil

    return bool(psutil.Process(number).environ().get(MARK) == mark)


def _runs(process: Any) -> bool:
    import psutil

    try:
        return bool(process.is_running() and process.status() != psutil.STATUS_ZOMBIE)
    except psutil.Error:
        return False


def _signal_all(pid: int, others: list[Any], *, force: bool) -> None:
    import psutil

    for other in others:
        with contextlib.suppress(psutil.Error):
            if force:
                other.kill()
            else:
                other.terminate()
    if sys.platform == "win32":
        with contextlib.suppress(psutil.Error):
            psutil.Process(pid).kill()
        return
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL if force else signal.SIGTERM)
