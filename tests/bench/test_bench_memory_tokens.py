"""The benchmark of memory's cost in tokens runs, and what it counts is there."""

from __future__ import annotations

from tests.bench.bench_memory_tokens import measure


def test_each_preset_pays_for_what_it_has() -> None:
    found = measure("Chinese", 10)
    assert all(cost.rules > 300 and cost.contents > 100 and cost.total < 12_000 for cost in found.values())
    assert found["default"].tools > 0 and {found[preset].tools for preset in ("zcode", "claude", "mini")} == {0}
    assert found["zcode"].recalled == found["zcode"].beside == found["mini"].recalled == found["mini"].beside == 0
    assert found["default"].recalled > 0
