"""Figures that a test wants to be read in the runner's last lines, also when it passed: kill points, states, ratios.

`tell(…)` anywhere in a test; `tests/conftest.py` hands them to the report, from worker processes too.
"""

from __future__ import annotations

_told: list[str] = []


def tell(*words: object) -> None:
    """One line of figures of the test that runs now."""
    _told.append(" ".join(map(str, words)))


def taken() -> list[str]:
    """What was told since the last call."""
    lines, _told[:] = list(_told), []
    return lines
