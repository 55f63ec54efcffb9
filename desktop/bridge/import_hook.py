"""Takes PySide's hook off Python's import statement. Makes nothing of Qt; called once, in the GUI thread, right after PySide6 is imported.

The hook serves `from __feature__ import …`, which nothing here uses. For it, it reads the source of every module that is imported
afterwards, whoever imports it, and Python's line cache keeps all of it: 10 MiB and a tenth of the start for the window, 50 MiB and half a
second with a provider's SDK (measured with PySide 6.11).
"""

from __future__ import annotations

import builtins
import linecache


def remove() -> bool:
    """Make imports plain again and drop the sources that were read; False where there is no hook."""
    plain = getattr(builtins, "__orig_import__", None)
    if plain is None or builtins.__import__ is not getattr(builtins, "__feature_import__", None):
        return False
    builtins.__import__ = plain
    linecache.clearcache()
    return True
