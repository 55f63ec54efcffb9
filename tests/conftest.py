"""Set up before anything imports Qt: tests run without a display, in English, and never touch the person's own profile."""

from __future__ import annotations

import os

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"
for name in ("KEEPSAKE_HOME", "KEEPSAKE_DISABLE_MEMORY", "KEEPSAKE_SIMPLE", "KEEPSAKE_MEMORY_DIR", "KEEPSAKE_REMOTE_MEMORY_DIR"):
    os.environ.pop(name, None)
