"""R1–R4 and R6–R9 for transcripts and what stands beside them: a sample in each run, the CI figures with `--full`. Prints the counts."""

from __future__ import annotations

import sys

import pytest

from tests.reliability.test_reliability import SEED, rig

pytestmark = [
    pytest.mark.skipif(not sys.platform.startswith("linux"), reason="forks and reads /proc"),
    pytest.mark.timeout(1_200),
]

ALL_ERRORS = "EIO,ENOSPC,EACCES,EROFS,EDQUOT,EINTR,short"


def test_r1_killed_writers_keep_every_acknowledged_message_and_its_side_file() -> None:
    result = rig("kill", "session", 12, SEED)
    assert result["faults"] == [] and result["kills"] == 12  # how much was acknowledged hangs on the machine; the count is printed


def test_r2_killed_at_every_call_a_session_is_as_before_or_as_after() -> None:
    result = rig("crash", "session")
    assert result["faults"] == [] and result["points"] > 60


def test_r3_an_error_at_a_call_loses_nothing_and_the_next_try_works() -> None:
    result = rig("fault", "session", "EIO,ENOSPC,short", 5)
    assert result["faults"] == [] and result["refused"] > 10


def test_r4_what_was_not_flushed_is_not_acknowledged() -> None:
    result = rig("fsync", "session")
    assert result["faults"] == [] and result["refused"] > 10


def test_r6_side_files_and_migrated_transcripts_are_flushed_before_they_get_their_names() -> None:
    result = rig("order", "session")
    assert result["faults"] == [] and result["checked"] > 10


def test_r7_a_power_cut_leaves_a_session_as_before_or_as_after() -> None:
    result = rig("power", "session", 56, SEED)
    assert result["faults"] == [] and result["states"] >= 50


def test_r8_two_processes_append_in_turns_and_are_told_that_it_is_open_elsewhere() -> None:
    result = rig("appends", 60, SEED)
    assert result["faults"] == [] and result["appends"] == 120 and result["refused"] > 0


def test_r9_a_killed_writer_blocks_nobody() -> None:
    assert rig("lock", "session")["faults"] == []


@pytest.mark.full
def test_r1_two_hundred_kills_with_side_files() -> None:
    results = [rig("kill", "session", 40, SEED + part) for part in range(5)]
    assert [fault for result in results for fault in result["faults"]] == []
    assert sum(result["kills"] for result in results) == 200


@pytest.mark.full
def test_r3_all_errors_at_all_calls() -> None:
    assert rig("fault", "session", ALL_ERRORS, 1)["faults"] == []


@pytest.mark.full
@pytest.mark.parametrize("kind", ["transcript", "session"])
def test_r7_five_thousand_states(kind: str) -> None:
    result = rig("power", kind, 5_040, SEED)
    assert result["faults"] == [] and result["states"] >= 5_000


@pytest.mark.full
def test_r8_a_thousand_appends() -> None:
    result = rig("appends", 500, SEED)
    assert result["faults"] == [] and result["appends"] == 1_000 and result["refused"] > 0
