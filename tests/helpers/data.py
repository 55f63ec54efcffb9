"""The labelled corpora that may lie beside a checkout. They are test input only; a test that needs them skips where they are absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def shared_data(name: str) -> Path:
    """The file or folder `name` of the shared test data; skips the test where it is not there."""
    path = Path(os.environ.get("KEEPSAKE_TEST_DATA", str(_BESIDE))) / name
    if not path.exists():
        pytest.skip(f"shared test data {name} is not on this machine")
    return path
