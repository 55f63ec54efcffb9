"""Set up before anything imports Qt: tests run without a display, in English, and never touch the person's own profile."""

from __future__ import annotations

import os
from collections.abc import Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"
for name in ("KEEPSAKE_HOME", "KEEPSAKE_DISABLE_MEMORY", "KEEPSAKE_SIMPLE", "KEEPSAKE_MEMORY_DIR", "KEEPSAKE_REMOTE_MEMORY_DIR"):
    os.environ.pop(name, None)

import pytest  # noqa: E402 - the display is chosen first

from tests.helpers.searches import closing_all  # noqa: E402


@pytest.fixture(autouse=True)
def _closed_searches() -> Iterator[None]:
    """What a test opened through `tests.helpers.searches` is closed after it."""
    with closing_all():
        yield
