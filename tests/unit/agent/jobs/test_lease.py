"""One extraction a project at a time, between processes, by a lock that the operating system takes back."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.agent.jobs.lease import extraction_lease
from tests.unit.memory.conftest import make_paths

HOLDER = """
import sys
from pathlib import Path
from desktop.base.locks import held
with held(Path(sys.argv[1])):
    print("held", flush=True)
    sys.stdin.read()
"""


@pytest.fixture
def other(tmp_path: Path) -> Iterator[subprocess.Popen[bytes]]:
    """Another process that extracts in project `p`, until its standard input ends."""
    file = make_paths(tmp_path).state / "locks" / "extract-p.lock"
    with subprocess.Popen([sys.executable, "-c", HOLDER, str(file)], stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None and process.stdout.readline() == b"held\n"
        yield process
        process.kill()


async def had(tmp_path: Path, key: str = "p", wait_s: float = 0.0) -> bool:
    async with extraction_lease(make_paths(tmp_path), key)(wait_s) as got:
        return got


def test_it_is_had_by_one_at_a_time_and_given_back(tmp_path: Path) -> None:
    async def scenario() -> list[bool]:
        lease = extraction_lease(make_paths(tmp_path), "p")
        async with lease(0.0) as first, lease(0.0) as second:
            held = [first, second, await had(tmp_path, "another")]
        return [*held, await had(tmp_path)]

    assert asyncio.run(scenario()) == [True, False, True, True]


def test_another_process_has_it_until_it_ends_however_it_ends(tmp_path: Path, other: subprocess.Popen[bytes]) -> None:
    assert asyncio.run(had(tmp_path)) is False
    other.kill()
    other.wait()
    assert asyncio.run(had(tmp_path)) is True


def test_who_waits_gets_it_when_the_other_is_done(tmp_path: Path, other: subprocess.Popen[bytes]) -> None:
    async def scenario() -> bool:
        waiting = asyncio.create_task(had(tmp_path, wait_s=30.0))
        await asyncio.sleep(0)
        assert not waiting.done()
        assert other.stdin is not None
        other.stdin.close()
        return await waiting

    assert asyncio.run(scenario()) is True


def test_a_folder_that_cannot_hold_the_lock_means_not_had(tmp_path: Path) -> None:
    state = make_paths(tmp_path).state
    state.mkdir(parents=True)
    (state / "locks").write_text("no folder")
    assert asyncio.run(had(tmp_path)) is False
