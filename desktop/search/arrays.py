"""The place that numpy comes from: `from desktop.search.arrays import numpy`, so that it is loaded with a single BLAS thread.

A second thread takes a core from the window and saves little on matrices of this size. Import this where it is needed and never at
start-up (0.1 s). The variables are read only while the library loads and are put back at once, so that commands which Keepsake starts
later do not inherit them; a person's own choice is kept. Any thread.
"""

from __future__ import annotations

import os

_NAMES = ("OPENBLAS_NUM_THREADS", "OMP_NUM_THREADS", "MKL_NUM_THREADS", "VECLIB_MAXIMUM_THREADS")
_SET = [name for name in _NAMES if name not in os.environ]

os.environ.update(dict.fromkeys(_SET, "1"))
try:
    import numpy
finally:
    for _name in _SET:
        del os.environ[_name]

__all__ = ["numpy"]
