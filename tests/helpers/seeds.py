"""Seeds of random tests: the same in every ordinary run, so that a change breaks a test and chance does not; others on demand.

`KEEPSAKE_TEST_SEED=N` varies all of them at once, hypothesis too; `sh packaging/test --full` draws one and tells it.
"""

from __future__ import annotations

import hashlib
import os


def varied() -> str:
    """The number that this run varies its seeds by, or ""."""
    return os.environ.get("KEEPSAKE_TEST_SEED", "")


def drawn_seed(name: str = "") -> int:
    """The seed of the running test, or of what bears that name; below 2**30. It is printed, so that a failing report shows it."""
    named = name or os.environ.get("PYTEST_CURRENT_TEST", "").rpartition(" ")[0]
    made = int.from_bytes(hashlib.sha256(f"{varied()} {named}".encode()).digest()[:8], "big") % (1 << 30)
    print(f"seed {made} of {named}, varied by {varied() or 'nothing'}")
    return made
