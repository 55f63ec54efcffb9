"""The script that takes the pictures: its small palette keeps the colours that only a few letters have."""

from __future__ import annotations

import importlib.util
from collections import Counter
from pathlib import Path

SCRIPT = Path(__file__).resolve().parents[2] / "packaging" / "screenshots.py"
KEYWORD, GREY = 0xFFC586C0, 0xFF1F1F1F


def test_rare_colours_are_kept_and_common_ones_too() -> None:
    spec = importlib.util.spec_from_file_location("screenshots", SCRIPT)
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    greys = {0xFF000000 | level << 16 | min(255, level + tint) << 8 | level: 5_000 - level for level in range(240) for tint in range(4)}
    counts = Counter({**greys, KEYWORD: 3, GREY: 900_000})
    table = module.best_colours(counts)
    assert len(table) == len(set(table)) == 256
    assert table[0] == GREY and KEYWORD in table
    assert set(greys) & set(module.best_colours(Counter(greys))), "with greys alone the table is full of greys"
    assert module.best_colours(Counter({GREY: 1})) == [GREY]
