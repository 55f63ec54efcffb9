"""Life and turns of the embedded model's server: key, preemption, stop within a second, end with its parent."""

from __future__ import annotations

import asyncio
import contextlib
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import psutil
import pytest

from desktop.base.errors import ProviderError
from desktop.providers.embedded_http import Endpoint, StatusError, call, events
from desktop.providers.embedded_server import EmbeddedServer, ServerPool, Turn, worker_threads
from tests.helpers.fake_llama import fake_executable, requests_of
from tests.helpers.wait import wait_for, within

ANSWER = '{"tool": "answer", "args": {"text": "Hello"}}'
BODY = b'{"max_tokens": 9, "messages": []}'


def _server(folder: Path, *replies: str) -> EmbeddedServer:
    return EmbeddedServer(folder / "model.gguf", executable=fake_executable(folder, list(replies)))


async def _read(turn: Turn) -> int:
    count = 0

    def opened(drop: object) -> None:
        turn.drop = drop  # type: ignore[assignment]

    async for _ in events(turn.endpoint, "/v1/chat/completions", BODY, opened):
        turn.answered = True
        count += 1
    turn.finished = True
    return count


def _alive(pid: int) -> bool:
    return psutil.pid_exists(pid) and psutil.Process(pid).status() != psutil.STATUS_ZOMBIE


def test_one_core_is_left_free() -> None:
    assert worker_threads() >= 1


def test_the_server_wants_its_random_key(tmp_path: Path) -> None:
    async def run() -> None:
        server = _server(tmp_path)
        endpoint = await server.endpoint()
        assert len(endpoint.api_key) >= 32
        assert endpoint.base.startswith("http://127.0.0.1:")
        assert await call(endpoint, "GET", "/slots")
        with pytest.raises(StatusError) as refused:
            await call(Endpoint(endpoint.base, "guess"), "GET", "/slots")
        assert refused.value.status == 401
        pid = server.pid
        assert pid is not None
        command = " ".join(psutil.Process(pid).cmdline())
        assert endpoint.api_key not in command
        await server.close()
        assert not _alive(pid)

    asyncio.run(run())


def test_a_file_that_is_no_model_is_unavailable_with_the_ways_out(tmp_path: Path) -> None:
    file = tmp_path / "broken.gguf"
    file.write_bytes(b"GGUF nothing")

    async def run() -> None:
        server = EmbeddedServer(file)
        with pytest.raises(ProviderError) as error:
            await server.endpoint()
        await server.close()
        assert error.value.kind == "unavailable"
        assert "broken.gguf" in error.value.message
        assert "keepsake models fetch" in error.value.hint
        assert "Ollama" in error.value.hint

    asyncio.run(run())


def test_too_little_memory_is_said_before_anything_starts(tmp_path: Path) -> None:
    async def run() -> None:
        server = EmbeddedServer(tmp_path / "m.gguf", resident=1 << 60, executable=fake_executable(tmp_path, []))
        with pytest.raises(ProviderError) as error:
            await server.endpoint()
        assert error.value.kind == "unavailable"
        assert "RAM" in error.value.message
        assert server.pid is None

    asyncio.run(run())


def test_a_persons_request_sends_a_background_one_away(tmp_path: Path) -> None:
    async def run() -> None:
        server = _server(tmp_path, "ENDLESS", ANSWER)
        started = asyncio.Event()
        background: list[Turn] = []

        async def work() -> None:
            async with server.turn(background=True) as turn:
                background.append(turn)

                def opened(drop: object) -> None:
                    turn.drop = drop  # type: ignore[assignment]

                async for _ in events(turn.endpoint, "/v1/chat/completions", BODY, opened):
                    turn.answered = True
                    started.set()

        task = asyncio.create_task(work())
        await started.wait()
        async with within(5), server.turn() as turn:
            assert await _read(turn) > 3
        with contextlib.suppress(asyncio.IncompleteReadError, OSError):
            await task
        assert background[0].preempted
        await server.close()

    asyncio.run(run())


def test_a_background_request_waits_for_a_persons(tmp_path: Path) -> None:
    async def run() -> None:
        server = _server(tmp_path, ANSWER, ANSWER)
        order: list[str] = []

        async def later() -> None:
            async with server.turn(background=True) as turn:
                order.append("background")
                turn.finished = True

        async with server.turn() as turn:
            task = asyncio.create_task(later())
            await _read(turn)
            order.append("person")
        await task
        assert order == ["person", "background"]
        await server.close()

    asyncio.run(run())


def test_stopping_an_answer_keeps_the_child(tmp_path: Path) -> None:
    async def run() -> None:
        server = _server(tmp_path, "ENDLESS", ANSWER)
        started = asyncio.Event()

        async def work() -> None:
            async with server.turn() as turn:

                def opened(drop: object) -> None:
                    turn.drop = drop  # type: ignore[assignment]

                async for _ in events(turn.endpoint, "/v1/chat/completions", BODY, opened):
                    turn.answered = True
                    started.set()

        task = asyncio.create_task(work())
        await started.wait()
        pid = server.pid
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with server.turn() as turn:
            assert await _read(turn) > 3
        assert server.pid == pid
        assert server.generation == 1
        await server.close()

    asyncio.run(run())


def test_stopping_while_the_prompt_is_read_ends_the_child(tmp_path: Path) -> None:
    async def run() -> None:
        server = _server(tmp_path, "HANG", ANSWER)

        async def work() -> None:
            async with server.turn() as turn:

                def opened(drop: object) -> None:
                    turn.drop = drop  # type: ignore[assignment]

                async for _ in events(turn.endpoint, "/v1/chat/completions", BODY, opened):
                    turn.answered = True

        task = asyncio.create_task(work())
        await asyncio.to_thread(wait_for, lambda: bool(requests_of(tmp_path)))
        pid = server.pid
        assert pid is not None
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        async with server.turn() as turn:
            await _read(turn)
        assert not _alive(pid)
        assert server.generation == 2
        await server.close()

    asyncio.run(run())


def test_the_child_ends_with_a_parent_that_is_killed(tmp_path: Path) -> None:
    program = fake_executable(tmp_path, [])
    code = (
        "import asyncio, os, pathlib, sys\n"
        "from desktop.providers.embedded_server import EmbeddedServer\n"
        "async def run():\n"
        "    server = EmbeddedServer(pathlib.Path('m.gguf'), executable=sys.argv[1])\n"
        "    await server.endpoint()\n"
        "    print(server.pid, flush=True)\n"
        "    os.kill(os.getpid(), 9)\n"
        "asyncio.run(run())\n"
    )
    done = subprocess.run([sys.executable, "-c", code, program], capture_output=True, text=True, timeout=60, check=False)
    pid = int(done.stdout)
    wait_for(lambda: not _alive(pid))


def test_sessions_share_one_server_and_the_last_one_ends_it(tmp_path: Path) -> None:
    async def run() -> None:
        pool = ServerPool.of_running_loop()
        assert pool is ServerPool.of_running_loop()
        file = tmp_path / "model.gguf"
        first = pool.acquire(file, lambda: _server(tmp_path))
        second = pool.acquire(file, lambda: _server(tmp_path))
        assert first is second
        await first.endpoint()
        pid = first.pid
        assert pid is not None
        await pool.release(file)
        assert _alive(pid)
        await pool.release(file)
        assert not _alive(pid)

    asyncio.run(run())


def test_a_server_that_nobody_closed_leaves_neither_child_nor_file_behind(tmp_path: Path) -> None:
    """An unclosed file would be a ResourceWarning, which is an error in these tests."""

    async def run() -> int:
        server = _server(tmp_path)
        await server.endpoint()
        assert server.pid is not None
        return server.pid

    pid = asyncio.run(run())
    gc.collect()
    assert not psutil.pid_exists(pid)


def test_a_child_that_takes_no_parameters_is_unavailable_and_collected(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    started: list[subprocess.Popen[bytes]] = []

    def closed_at_once(*args: Any, **options: Any) -> subprocess.Popen[bytes]:
        process = real(*args, **options)
        assert process.stdin is not None
        process.stdin.close()
        (reading, writing) = os.pipe()
        os.close(reading)
        process.stdin = os.fdopen(writing, "wb")
        started.append(process)
        return process

    real = subprocess.Popen
    monkeypatch.setattr(subprocess, "Popen", closed_at_once)

    async def run() -> None:
        with pytest.raises(ProviderError) as failed:
            await _server(tmp_path).endpoint()
        assert failed.value.kind == "unavailable"
        assert "could not be started" in str(failed.value)

    asyncio.run(run())
    gc.collect()
    assert started[0].returncode is not None
