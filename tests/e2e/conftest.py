"""One X display for all window tests of a run, and a desk of its own for each of them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.headless import Headless
from tests.e2e.window import Desk, Display, virtual_display


@pytest.fixture(scope="session")
def display() -> Iterator[Display]:
    """Skips where there is no Xvfb or no xdotool."""
    with virtual_display() as started:
        yield started


@pytest.fixture
def desk(display: Display, tmp_path: Path) -> Iterator[Desk]:
    """A profile and a folder; whatever it started is ended."""
    made = Desk(display, Headless(tmp_path))
    yield made
    made.close()
