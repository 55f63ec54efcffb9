"""The labelled corpora that may lie beside a checkout. They are test input only; a test that needs them skips where they are absent."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

_BESIDE = Path(__file__).resolve().parents[2].parent / "shared" / "data"


def data_file(name: str) -> Path:
    """Where the file or folder `name` of the shared test data would lie; for benchmarks, which go on without it."""
    return Path(os.environ.get("KEEPSAKE_TEST_DATA", str(_BESIDE))) / name


def shared_data(name: str) -> Path:
    """The file or folder `name` of the shared test data; skips the test where it is not there."""
    path = data_file(name)
    if not path.exists():
        pytest.skip(f"shared test data {name} is not on this machine")
    return path
