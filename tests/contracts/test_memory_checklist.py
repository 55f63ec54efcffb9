"""The checklist of memory and sessions: every row of the design that is promised names a test that exists, or is marked “later”."""

from __future__ import annotations

import ast
import re
from functools import cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECKLIST = ROOT / "docs" / "memory-checklist.md"
LATER = "later"
W_ROWS = (*range(1, 20), 21, 24, 25, *range(29, 44), 45)
C_ROWS = (*range(1, 10), 12, *range(15, 22), *range(23, 29))
R_ROWS = (*range(1, 6), 7, 8, 9, 12, 14, 15)
"""What of the reliability list sessions are held to."""
PROMISED = (
    *(f"ST-{n:02}" for n in range(1, 27)),
    *(f"FM-{n:02}" for n in range(1, 18)),
    *(f"PM-{n:02}" for n in range(1, 6)),
    *(f"GT-{n:02}" for n in range(1, 11)),
    *(f"IN-{n:02}" for n in range(1, 19)),
    *(f"CH-{n:02}" for n in range(1, 17)),
    *(f"RC-{n:02}" for n in range(1, 10)),
    *(f"EX-{n:02}" for n in range(1, 16)),
    *(f"WL-{n:02}" for n in range(1, 10)),
    *(f"UI-{n:02}" for n in range(1, 15)),
    *(f"FT-{n:02}" for n in range(1, 14)),
    *(f"SC-{n:02}" for n in range(1, 11)),
    *(f"W-{n:02}" for n in W_ROWS),
    *(f"C-{n:02}" for n in C_ROWS),
    *(f"R{n}" for n in R_ROWS),
)
MAY_WAIT = {
    *(f"ST-{n:02}" for n in (13, 14, 15, 16, 19, 20, 21, 24)),
    *(f"FM-{n:02}" for n in (14, 15, 16)),
    "PM-05",
    "FT-12",
    *(f"GT-{n:02}" for n in (3, 5, 6, 7, 8, 9)),
    *(f"IN-{n:02}" for n in (9, 13, 14, 18)),
    *(f"CH-{n:02}" for n in (6, 7, 8, 9, 16)),
    *(f"WL-{n:02}" for n in (7, 8)),
    *(f"W-{n:02}" for n in (9, 10, 21, 24)),
    "UI-10",
    "C-27",
}


def rows() -> dict[str, list[str]]:
    """The tests that each row names."""
    found: dict[str, list[str]] = {}
    for line in CHECKLIST.read_text(encoding="utf-8").splitlines():
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if line.startswith("|") and re.fullmatch(r"[A-Z]+-?\d+|sessions: \w+", cells[0]):
            named = re.findall(r"`([^`]+::[^`]+)`", cells[-1])
            found.setdefault(cells[0], []).extend(named or ([LATER] if cells[-1] == LATER else []))
    return found


@cache
def names_in(path: Path) -> frozenset[str]:
    """Names of the tests of a file, those in classes as `Class::test`."""
    tree = ast.parse(path.read_text(encoding="utf-8"))
    names = {node.name for node in tree.body if isinstance(node, ast.FunctionDef)}
    for node in tree.body:
        if isinstance(node, ast.ClassDef):
            names |= {f"{node.name}::{item.name}" for item in node.body if isinstance(item, ast.FunctionDef)}
    return frozenset(names)


def test_every_promised_row_names_a_test_or_waits_where_it_may() -> None:
    found = rows()
    assert [row for row in PROMISED if row not in found] == []
    assert [row for row, tests in found.items() if not tests] == []
    assert [row for row, tests in found.items() if LATER in tests and row not in MAY_WAIT] == []


def test_every_named_test_exists() -> None:
    """Those of rows that no list of the design promises, too."""
    missing = []
    for test in re.findall(r"`(tests/[^`]+::[^`]+)`", CHECKLIST.read_text(encoding="utf-8")):
        file, _, name = test.partition("::")
        path = ROOT / file
        if not path.is_file() or name not in names_in(path):
            missing.append(test)
    assert missing == []
