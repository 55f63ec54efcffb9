"""Several processes on one index: two fill it, one is killed in the middle, one throws it away while another searches. Prints its seed."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.unit.search.make import answers, corpus, document, fresh_answers, key, opened, reconcile

SEED = 88
ROOT = Path(__file__).parents[3]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="signals of POSIX")

FILLS = """
import sys
from pathlib import Path
from tests.unit.search.make import document, opened
start, step, count = map(int, sys.argv[2:5])
print("ready", flush=True)
index = opened(Path(sys.argv[1]))
for number in range(start, start + step * count, step):
    index.update([document(number % 500, version=number)], progress=None)
    print(number, flush=True)
index.close()
print("rebuilt", index.rebuilt, "problem", repr(index.problem), flush=True)
"""
FILLS_ALL = """
import sys
from pathlib import Path
from tests.unit.search.make import corpus, opened
index = opened(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
documents = corpus(600)
for start in range(0, 600, 40):
    index.update(documents[start : start + 40])
assert len(index.fingerprints()) == 600, len(index.fingerprints())
assert index.problem == "", index.problem
index.close()
"""
PURGES = """
import sys
from pathlib import Path
from tests.unit.search.make import corpus, opened, reconcile
index = opened(Path(sys.argv[1]))
print("ready", flush=True)
sys.stdin.readline()
for _ in range(10):
    index.purge()
    reconcile(index, corpus(60))
index.close()
"""


def start(code: str, *words: object) -> subprocess.Popen[str]:
    made = subprocess.Popen(
        [sys.executable, "-c", code, *map(str, words)],
        stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=ROOT,
    )  # fmt: skip
    assert made.stdout is not None
    first = made.stdout.readline()
    assert first == "ready\n", made.communicate()
    return made


def lines(process: subprocess.Popen[str]) -> Iterator[str]:
    assert process.stdout is not None
    while line := process.stdout.readline():
        yield line


def test_two_processes_fill_one_index_and_a_third_searches(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    workers = [start(FILLS_ALL, file) for _ in range(2)]
    for worker in workers:
        assert worker.stdin is not None
        worker.stdin.write("\n")
        worker.stdin.flush()
    index = opened(file)
    seen = [0]
    while any(worker.poll() is None for worker in workers):
        hits = index.search("port 5433", limit=5).hits
        assert all(hit.text for hit in hits)
        seen.append(len(index.fingerprints()))
    assert seen == sorted(seen), "it only grows"
    for worker in workers:
        out, err = worker.communicate()
        assert worker.returncode == 0, f"{out}\n{err}"
        assert "locked" not in err
    assert index.count() == (600, 1_800), "no document is there twice"
    assert (index.rebuilt, index.problem) == (0, "")
    assert index.check()
    assert answers(index) == fresh_answers(corpus(600))
    index.close()


def test_one_purges_and_fills_again_while_another_searches_and_fills(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    worker = start(PURGES, file)
    index = opened(file)
    assert worker.stdin is not None
    worker.stdin.write("\n")
    worker.stdin.flush()
    while worker.poll() is None:
        reconcile(index, corpus(60))
        index.search("port 5433")
    out, err = worker.communicate()
    assert worker.returncode == 0, f"{out}\n{err}"
    reconcile(index, corpus(60))
    assert index.check()
    assert index.count() == (60, 180)
    assert answers(index) == fresh_answers(corpus(60))
    assert index.problem == ""
    index.close()


def _killed(tmp_path: Path, kills: int) -> None:
    """SIGKILL at random moments of small and large updates; what was acknowledged is in, whole, or it is missing as a whole."""
    file = tmp_path / "index.sqlite"
    chance = random.Random(SEED)
    versions: dict[str, str] = {}
    number = 1
    index = opened(file)
    for round_ in range(kills):
        worker = start(FILLS, file, number, 1, 100_000)
        told = []
        after = chance.randint(0, 40)
        for line in lines(worker):
            told.append(int(line))
            if len(told) > after:
                break
        index.search("port 5433")
        os.kill(worker.pid, signal.SIGKILL)
        told += [int(line) for line in lines(worker) if line.strip().isdigit() and line.endswith("\n")]
        worker.communicate()
        for one in told:
            versions[key(one % 500)] = f"v{one}"
        number = told[-1] + 2
        found = index.fingerprints()
        unsure = {key((told[-1] + 1) % 500): f"v{told[-1] + 1}"}
        assert found.items() - unsure.items() <= versions.items(), f"seed {SEED}, kill {round_}"
        assert versions.items() - found.items() <= {(name, versions[name]) for name in unsure if name in versions}, (
            f"seed {SEED}, kill {round_}"
        )
        versions |= {name: version for name, version in unsure.items() if found.get(name) == version}
        if round_ % 5 == 0:
            assert index.check(), f"seed {SEED}, kill {round_}"
    assert index.rebuilt == 0
    wanted = [document(int(version[1:]) % 500, version=int(version[1:])) for version in versions.values()]
    assert answers(index) == fresh_answers(wanted)
    index.close()


def test_killed_in_the_middle_of_updates(tmp_path: Path) -> None:
    _killed(tmp_path, 5)


@pytest.mark.full
@pytest.mark.timeout(600)
def test_killed_200_times(tmp_path: Path) -> None:
    _killed(tmp_path, 200)


def test_killed_while_it_is_the_only_one(tmp_path: Path) -> None:
    """The next one opens what is left: whole, and with all that was acknowledged."""
    file = tmp_path / "index.sqlite"
    for round_ in range(4):
        worker = start(FILLS, file, round_ * 100, 1, 100_000)
        told = [int(line) for _, line in zip(range(20), lines(worker), strict=False)]
        os.kill(worker.pid, signal.SIGKILL)
        worker.communicate()
        index = opened(file)
        found = index.fingerprints()
        assert all(found[key(one % 500)] == f"v{one}" for one in told)
        assert index.rebuilt == 0
        assert index.check()
        index.close()
