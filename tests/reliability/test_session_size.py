"""R15 for transcripts: huge files open in their tab within bounded memory; the figures are those of the benchmark, in its own process."""

from __future__ import annotations

import pytest

from tests.bench.bench_session_view import run
from tests.helpers.counts import tell

LINES_MB, LINE_MB = 400.0, 600.0


def _tell(name: str, figures: dict[str, float]) -> None:
    tell(
        f"R15 {name}: {figures['total']:,.0f} messages, {figures['size']:.0f} MB: first screen {figures['first']:.0f} ms, "
        f"longest block {figures['block']:.0f} ms CPU, index {figures['index']:.1f} s, peak {figures['peak']:.0f} MB"
    )


def test_memory_does_not_grow_with_the_file() -> None:
    empty, small = run("empty"), run("small")
    _tell("30,000 messages", small)
    assert small["total"] == 30_000 and small["peak"] - empty["peak"] < 80, "MB above a window with an empty session"


@pytest.mark.full
def test_a_million_lines() -> None:
    figures = run("lines")
    _tell("1,000,000 lines", figures)
    assert figures["total"] == 1_000_000 and figures["peak"] <= LINES_MB


@pytest.mark.full
def test_a_line_of_100_mb() -> None:
    figures = run("line")
    _tell("one line of 100 MB", figures)
    assert figures["total"] == 60 and figures["peak"] <= LINE_MB
