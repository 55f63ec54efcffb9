"""The parent's side of the embedded model's server: starts the child, takes turns on it, ends it. One server for each model file.

The child is reached over a loopback port with a random key that only these two processes know. Requests take turns: a person's request
sends a background one away, and a request that was dropped while the server read its prompt costs the child its life, since llama.cpp
would read on for many seconds. Everything here belongs to one event loop; starting, reading and waiting happen off it.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import secrets
import subprocess
import sys
import tempfile
import weakref
from collections.abc import AsyncIterator, Callable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, ClassVar

from desktop.base.errors import ProviderError
from desktop.base.phrases import os_reason, say, together
from desktop.providers.embedded_child import EXIT_SHORT_OF_MEMORY
from desktop.providers.embedded_http import Endpoint, StatusError, call
from desktop.providers.embedded_info import WINDOW

N_CTX = WINDOW
IDLE_S = 600.0
START_S = 120.0
SETTLE_S = 0.6
"""A dropped request may take this long to end before the child is ended instead."""
SETTLE_STEP_S = 0.1
DETAIL_BYTES = 2_000
OTHER_WAYS = say("Connect another provider (a key, Ollama, LM Studio or any OpenAI-compatible address) in the settings, under Models.")
_KEPT_ENVIRONMENT = (
    "PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "WINDIR", "LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH",
)  # fmt: skip
"""What the child needs of the environment; keys of other providers are not its business."""


def worker_threads() -> int:
    """Cores less one: llama.cpp's workers spin, and one that waits for a busy core slows all others down."""
    cores = len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1
    return max(1, cores - 1)


def available_memory() -> int:
    """Bytes that a new process may use without swapping."""
    import psutil

    return int(psutil.virtual_memory().available)


def _end(process: subprocess.Popen[bytes], errors: IO[bytes]) -> None:
    """End a child, collect it and close what it wrote its errors to; quick, since nothing survives SIGKILL."""
    if process.poll() is None:
        process.kill()
    for stream in (process.stdin, process.stdout, errors):
        if stream:
            with contextlib.suppress(OSError):
                stream.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        process.wait(timeout=2.0)


@dataclass(slots=True)
class Turn:
    """One request's turn on the server.

    Attributes:
        endpoint: where to send it.
        background: it gives way to a person's request.
        answered: the first token came, so that the server notices a dropped connection by itself.
        finished: the whole answer was read.
        preempted: a person's request took the turn away.
        drop: closes the connection; set while one is open.
    """

    endpoint: Endpoint
    background: bool
    answered: bool = False
    finished: bool = False
    preempted: bool = False
    drop: Callable[[], None] | None = None


@dataclass(slots=True)
class _Child:
    process: subprocess.Popen[bytes]
    errors: IO[bytes]
    api_key: str = field(repr=False)
    finalizer: weakref.finalize[[subprocess.Popen[bytes], IO[bytes]], EmbeddedServer]
    endpoint: Endpoint | None = None
    killed: bool = False


class EmbeddedServer:
    """The server of one model file.

    Attributes:
        file: the GGUF file.
        slots: folder in which the server may keep the state of a prompt, or None.
        generation: counts the children, since a new one has an empty cache.
        warm_generation: the child that holds the prompt's fixed part in its cache.
    """

    def __init__(
        self, file: Path, *, slots: Path | None = None, resident: int = 0, idle_s: float = IDLE_S, executable: str = sys.executable
    ) -> None:
        self.file = file
        self.slots = slots
        self.generation = 0
        self.warm_generation = 0
        self._resident = resident
        self._idle_s = idle_s
        self._executable = executable
        self._child: _Child | None = None
        self._starting: asyncio.Task[Endpoint] | None = None
        self._turns = asyncio.Condition()
        self._current: Turn | None = None
        self._people_waiting = 0
        self._settling: set[asyncio.Task[None]] = set()

    # --- life ---------------------------------------------------------------------------------------------------------

    @property
    def pid(self) -> int | None:
        return self._child.process.pid if self.running and self._child else None

    @property
    def running(self) -> bool:
        child = self._child
        return child is not None and child.endpoint is not None and not child.killed and child.process.poll() is None

    @property
    def busy(self) -> bool:
        """A request is being worked on, or what is left of one is being ended."""
        return self._current is not None and self._current.drop is not None

    async def endpoint(self) -> Endpoint:
        """Where the server listens; starts it when it does not run.

        Raises:
            ProviderError: kind unavailable, with the ways out.
        """
        if self.running and self._child and self._child.endpoint:
            return self._child.endpoint
        if self._starting is None or self._starting.done():
            self._starting = asyncio.create_task(self._start())
            self._starting.add_done_callback(lambda task: task.cancelled() or task.exception())  # told to whoever waits, if anybody does
        return await asyncio.shield(self._starting)

    async def _start(self) -> Endpoint:
        reason = self.died_because()
        await asyncio.to_thread(self.stop)
        self._check_memory()
        child = self._spawn()
        self._child = child
        self.generation += 1
        try:
            async with asyncio.timeout(START_S):
                assert child.process.stdout is not None
                line = await asyncio.to_thread(child.process.stdout.readline)
        except (TimeoutError, asyncio.CancelledError) as error:
            self.stop()
            if isinstance(error, asyncio.CancelledError):
                raise
            raise ProviderError(
                "unavailable", say("The embedded model did not start within {seconds:.0f} s.", seconds=START_S), hint=OTHER_WAYS
            ) from error
        try:
            answer = json.loads(line or b"{}")
        except ValueError:
            answer = {}
        address = answer.get("address")
        if not isinstance(address, str):
            detail = f"{answer.get('error', '')}\n{reason}\n{self._error_text(child)}".strip()
            self.stop()
            raise ProviderError(
                "unavailable",
                say("The embedded model {name} could not be started.", name=self.file.name),
                hint=together(say("Run `keepsake models fetch` to download it again."), OTHER_WAYS),
                detail=detail,
            )
        child.endpoint = Endpoint(address, child.api_key)
        return child.endpoint

    def _check_memory(self) -> None:
        free = available_memory()
        if free < self._resident * 0.7:
            raise ProviderError(
                "unavailable",
                say(
                    "Not enough free RAM for the embedded model: {free:,} MB are free, it takes {resident:,} MB.",
                    free=free >> 20,
                    resident=self._resident >> 20,
                ),
                hint=together(
                    say("Close other programs, or download the light model (`keepsake models fetch qwen2.5-coder-0.5b`)."), OTHER_WAYS
                ),
            )

    def _spawn(self) -> _Child:
        key = secrets.token_urlsafe(32)
        given = {
            "file": str(self.file),
            "api_key": key,
            "n_ctx": N_CTX,
            "threads": worker_threads(),
            "idle_s": self._idle_s,
            "slots": f"{self.slots}{os.sep}" if self.slots else "",
        }
        errors = tempfile.TemporaryFile()  # noqa: SIM115 - lives as long as the child
        environment = {name: os.environ[name] for name in _KEPT_ENVIRONMENT if name in os.environ}
        process: subprocess.Popen[bytes] | None = None
        try:
            process = subprocess.Popen(
                [self._executable, "-I", "-m", "desktop.providers.embedded_child"],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=errors,
                cwd=Path(self._executable).parent,
                env=environment,
                start_new_session=True,
            )
            assert process.stdin is not None
            process.stdin.write(json.dumps(given).encode() + b"\n")
            process.stdin.flush()
        except OSError as error:
            _end(process, errors) if process else errors.close()
            raise ProviderError(
                "unavailable",
                say("The embedded model's process could not be started ({reason}).", reason=os_reason(error)),
                hint=OTHER_WAYS,
                detail=str(error),
            ) from error
        return _Child(process, errors, key, weakref.finalize(self, _end, process, errors))

    def _error_text(self, child: _Child) -> str:
        with contextlib.suppress(OSError, ValueError):
            size = child.errors.seek(0, os.SEEK_END)
            child.errors.seek(max(0, size - DETAIL_BYTES))
            return child.errors.read().decode("utf-8", "replace").strip()
        return ""

    def stop(self) -> None:
        """End the child now. A later request starts another."""
        child, self._child = self._child, None
        if child is None:
            return
        child.finalizer()

    async def close(self) -> None:
        """End the child and whatever waits for it."""
        for task in (*self._settling, *([self._starting] if self._starting and not self._starting.done() else [])):
            task.cancel()
            self._kill()
            with contextlib.suppress(asyncio.CancelledError, ProviderError):
                await task
        self._kill()
        await asyncio.to_thread(self.stop)

    def _kill(self) -> None:
        if self._child and self._child.process.poll() is None:
            self._child.killed = True
            self._child.process.kill()

    def died_because(self) -> str:
        """Why the child is gone, in words, or empty when it is not known."""
        if self._child is None or self._child.process.poll() is None:
            return ""
        if self._child.process.returncode == EXIT_SHORT_OF_MEMORY:
            return "the machine ran short of memory"
        return f"its process ended with status {self._child.process.returncode}"

    def _say(self, word: bytes) -> None:
        if self._child and self._child.process.stdin:
            with contextlib.suppress(OSError, ValueError):
                self._child.process.stdin.write(word + b"\n")
                self._child.process.stdin.flush()

    # --- turns --------------------------------------------------------------------------------------------------------

    @contextlib.asynccontextmanager
    async def turn(self, *, background: bool = False) -> AsyncIterator[Turn]:
        """Have the server for one request. A person's request does not wait for a background one: it sends it away.

        Raises:
            ProviderError: kind unavailable, when the server cannot be started.
        """
        await self._acquire(background)
        assert self._current is not None
        turn = self._current
        try:
            turn.endpoint = await self.endpoint()
            self._say(b"busy")
            yield turn
        finally:
            self._say(b"free")
            if turn.finished or not turn.drop:
                self._release_soon(settled=True)
            else:
                turn.drop()
                self._release_soon(settled=False)

    @contextlib.contextmanager
    def kept(self, turn: Turn) -> Iterator[None]:
        """Do work within a turn that a person's request needs as well: it waits for it. A background turn gives way after the block.

        Raises:
            ConnectionAbortedError: somebody waits now, and this is a background turn.
        """
        background, turn.background = turn.background, False
        try:
            yield
        finally:
            turn.background = background
        if background and self._people_waiting:
            turn.preempted = True
            raise ConnectionAbortedError("the turn was taken away")

    async def _acquire(self, background: bool) -> None:
        if not background:
            self._people_waiting += 1
            self._send_away()
        try:
            async with self._turns:
                await self._turns.wait_for(lambda: self._current is None and not (background and self._people_waiting))
                self._current = Turn(Endpoint("", ""), background)
        finally:
            if not background:
                self._people_waiting -= 1

    def _send_away(self) -> None:
        current = self._current
        if current and current.background and not current.preempted:
            current.preempted = True
            if current.drop:
                current.drop()

    def _release_soon(self, *, settled: bool) -> None:
        task = asyncio.get_running_loop().create_task(self._release(settled))
        self._settling.add(task)
        task.add_done_callback(self._settling.discard)

    async def _release(self, settled: bool) -> None:
        try:
            if not settled:
                await self._settle()
        finally:
            async with self._turns:
                self._current = None
                self._turns.notify_all()

    async def _settle(self) -> None:
        """See to it that the server works on nothing: it notices a closed connection only between tokens."""
        turn = self._current
        endpoint = self._child.endpoint if self._child else None
        try:
            if turn is None or not turn.answered or endpoint is None:
                return self._kill()
            async with asyncio.timeout(SETTLE_S):
                while any(slot.get("is_processing") for slot in await call(endpoint, "GET", "/slots")):
                    await asyncio.sleep(SETTLE_STEP_S)
        except (TimeoutError, OSError, ValueError, asyncio.IncompleteReadError, StatusError, asyncio.CancelledError) as error:
            self._kill()
            if isinstance(error, asyncio.CancelledError):
                raise


class ServerPool:
    """The servers of one event loop, one for each model file, shared by every session and ended with the last of them."""

    _of_loops: ClassVar[weakref.WeakKeyDictionary[asyncio.AbstractEventLoop, ServerPool]] = weakref.WeakKeyDictionary()

    def __init__(self) -> None:
        self._servers: dict[Path, EmbeddedServer] = {}
        self._users: dict[Path, int] = {}

    @classmethod
    def of_running_loop(cls) -> ServerPool:
        """The pool of the running loop. Child, connections and turns belong to a loop, and so does this."""
        return cls._of_loops.setdefault(asyncio.get_running_loop(), cls())

    def acquire(self, file: Path, make: Callable[[], EmbeddedServer]) -> EmbeddedServer:
        """The server of `file`; counted until `release`."""
        server = self._servers.get(file)
        if server is None:
            server = self._servers[file] = make()
        self._users[file] = self._users.get(file, 0) + 1
        return server

    async def release(self, file: Path) -> None:
        """Give the server back; the last user ends it."""
        left = self._users.get(file, 0) - 1
        if left > 0:
            self._users[file] = left
            return
        self._users.pop(file, None)
        server = self._servers.pop(file, None)
        if server:
            await server.close()


@dataclass(frozen=True, slots=True)
class OpenAIAddress:
    """What an OpenAI-compatible client needs to talk to the server."""

    base_url: str
    api_key: str
    model: str


@contextlib.asynccontextmanager
async def start_openai_server(file: Path, *, idle_s: float = IDLE_S) -> AsyncIterator[OpenAIAddress]:
    """Run the server of `file` for the block and give its address as an OpenAI-compatible one (`…/v1`).

    Raises:
        ProviderError: kind unavailable, when it cannot be started.
    """
    server = EmbeddedServer(file, idle_s=idle_s)
    try:
        endpoint = await server.endpoint()
        yield OpenAIAddress(endpoint.base + "/v1", endpoint.api_key, file.stem)
    finally:
        await server.close()
