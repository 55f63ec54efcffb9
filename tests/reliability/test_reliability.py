"""R1–R4 and R6–R9 of the safety page over every writer: a sample in each run, the CI figures with `--full`. Prints the counts.

Each scenario runs in a process of its own (`tests.reliability.rig`), which forks one process for every try.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from tests.helpers.counts import tell

ROOT = Path(__file__).resolve().parents[2]
WRITERS = ("memory", "index", "journal", "settings", "transcript")
WITH_ACTS = ("memory", "index", "settings", "transcript")
SEED = 20261130

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks and reads /proc"),
    pytest.mark.timeout(1_200),
]


PARTS = 2
"""Processes that share a scenario with many acts: as many as a small machine has cores."""


def rig(*words: object) -> dict[str, Any]:
    """The result of a scenario; of its parts, the numbers added up and the faults in one row."""
    parts = PARTS if words[0] in ("crash", "fault", "fsync", "power") else 1
    command = [sys.executable, "-m", "tests.reliability.rig", *map(str, words)]
    children = [
        subprocess.Popen(
            command, cwd=ROOT, env={**os.environ, "RIG_PART": f"{part}/{parts}"}, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True
        )
        for part in range(parts)
    ]
    ended = [(*child.communicate(), child.returncode) for child in children]
    results = [_result(*end) for end in ended]
    whole = {key: sum((result[key] for result in results), start=type(value)()) for key, value in results[0].items()}
    tell(*words, {key: value for key, value in whole.items() if key != "faults"})
    return whole


def _result(out: str, err: str, status: int) -> dict[str, Any]:
    assert status == 0, err[-4_000:]
    result = json.loads(out.splitlines()[-1])
    assert isinstance(result, dict)
    return {key: value for key, value in result.items() if key != "scenario"}


@pytest.mark.parametrize("kind", WRITERS)
def test_r1_killed_writers_lose_nothing_that_was_acknowledged(kind: str) -> None:
    result = rig("kill", kind, 40, SEED)
    assert result["faults"] == [] and result["acknowledged"] > 10


@pytest.mark.full
@pytest.mark.parametrize("kind", WRITERS)
def test_r1_two_hundred_kills(kind: str) -> None:
    for part in range(5):
        result = rig("kill", kind, 40, SEED + part)
        assert result["faults"] == []


@pytest.mark.parametrize("kind", WITH_ACTS)
def test_r2_killed_at_every_call_the_state_is_old_or_new(kind: str) -> None:
    result = rig("crash", kind)
    assert result["faults"] == [] and result["points"] > 10


@pytest.mark.parametrize(("errors", "stride"), [("EIO,ENOSPC,short", 1), ("EACCES,EROFS,EDQUOT,EINTR", 5)])
@pytest.mark.parametrize("kind", WITH_ACTS)
def test_r3_an_error_at_every_call_loses_nothing_and_the_next_try_works(kind: str, errors: str, stride: int) -> None:
    result = rig("fault", kind, errors, stride)
    assert result["faults"] == [] and result["refused"] > 0


@pytest.mark.full
@pytest.mark.parametrize("kind", WITH_ACTS)
def test_r3_all_errors_at_all_calls(kind: str) -> None:
    assert rig("fault", kind, "EIO,ENOSPC,EACCES,EROFS,EDQUOT,EINTR,short", 1)["faults"] == []


@pytest.mark.parametrize("kind", WITH_ACTS)
def test_r4_what_was_not_flushed_is_not_acknowledged(kind: str) -> None:
    result = rig("fsync", kind)
    assert result["faults"] == [] and result["refused"] > 0


@pytest.mark.parametrize("kind", WITH_ACTS)
def test_r6_every_saver_flushes_before_it_replaces(kind: str) -> None:
    result = rig("order", kind)
    assert result["faults"] == [] and result["checked"] > 0


@pytest.mark.parametrize("kind", WITH_ACTS)
def test_r7_a_power_cut_leaves_old_or_new_and_keeps_what_was_acknowledged(kind: str) -> None:
    result = rig("power", kind, 120, SEED)
    assert result["faults"] == [] and result["states"] >= 100


@pytest.mark.full
@pytest.mark.parametrize("kind", WITH_ACTS)
def test_r7_five_thousand_states(kind: str) -> None:
    result = rig("power", kind, 1_300, SEED)
    assert result["faults"] == [] and result["states"] >= 1_250


def test_r8_two_instances_and_an_editor_lose_no_edit_in_silence() -> None:
    result = rig("two", 60, SEED)
    assert result["faults"] == [] and result["accounted"] == 120 and result["applied"] > 60


@pytest.mark.full
def test_r8_a_thousand_edits() -> None:
    result = rig("two", 500, SEED)
    assert result["faults"] == [] and result["accounted"] == 1_000


@pytest.mark.parametrize("kind", ["memory", "settings", "transcript"])
def test_r9_a_killed_lock_holder_blocks_nobody(kind: str) -> None:
    result = rig("lock", kind)
    assert result["faults"] == []


REVIEW = {
    "kill": ("kill", "review", 15, SEED),
    "crash": ("crash", "review"),
    "order": ("order", "review"),
}
"""A proposal is applied once or waits, whatever happens meanwhile."""


@pytest.mark.parametrize("scenario", REVIEW)
def test_a_proposal_is_applied_once_or_waits(scenario: str) -> None:
    assert rig(*REVIEW[scenario])["faults"] == []


@pytest.mark.full
@pytest.mark.parametrize("words", [
    ("kill", "review", 200, SEED),
    ("fault", "review", "EIO,ENOSPC,EACCES,EROFS,EDQUOT,EINTR,short", 1),
    ("fsync", "review"),
    ("power", "review", 1_300, SEED),
    ("lock", "review"),
], ids=lambda words: words[0])  # fmt: skip
def test_the_review_inbox_under_all_of_it(words: tuple[object, ...]) -> None:
    assert rig(*words)["faults"] == []


SEARCH = {
    "kill": ("kill", "search", 6, SEED),
    "errors": ("fault", "search", "EIO,short", 7),
    "order": ("order", "search"),
    "power": ("power", "search", 12, SEED),
}
"""The search index is a cache: what stands there is true, and the files put in the rest."""


@pytest.mark.parametrize("scenario", SEARCH)
def test_the_search_index_is_in_step_or_knows_that_it_is_not(scenario: str) -> None:
    assert rig(*SEARCH[scenario])["faults"] == []


@pytest.mark.full
@pytest.mark.parametrize("words", [
    ("kill", "search", 200, SEED),
    ("crash", "search"),
    ("fault", "search", "EIO,ENOSPC,EACCES,EROFS,EDQUOT,EINTR,short", 1),
    ("fsync", "search"),
    ("power", "search", 1_300, SEED),
    ("lock", "search"),
], ids=lambda words: words[0])  # fmt: skip
def test_the_search_index_under_all_of_it(words: tuple[object, ...]) -> None:
    assert rig(*words)["faults"] == []
