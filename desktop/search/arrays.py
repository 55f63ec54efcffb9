"""The place that loads numpy: with a single BLAS thread, since a second one takes a core from the window and saves little here.

Loaded at first use, never at start-up (0.1 s). The variables are only read while the library loads and are put back at once, so that
commands which Keepsake starts later do not inherit them. Any thread.
"""

from __future__ import annotations

import os
import sys
import threading
from types import ModuleType

THREADS = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_loading = threading.Lock()


def load_numpy() -> ModuleType:
    """numpy; a person's own choice of threads in the environment is kept."""
    if "numpy" not in sys.modules:
        with _loading:
            given = [name for name in THREADS if name not in os.environ]
            os.environ.update(dict.fromkeys(given, "1"))
            try:
                import numpy  # noqa: F401
            finally:
                for name in given:
                    del os.environ[name]
    return sys.modules["numpy"]


__all__ = ["load_numpy"]
