"""PySide's import hook is taken off in a process that shows a window; imports work and keep no sources."""

from __future__ import annotations

import json
import subprocess
import sys

CODE = """
import builtins, json, linecache, sys
from PySide6.QtCore import QObject
from desktop.bridge import import_hook
hooked = builtins.__import__
first = import_hook.remove()
import colorsys
from xml.dom import minidom
from PySide6.QtGui import QColor
print(json.dumps({
    "first": first, "again": import_hook.remove(), "plain": builtins.__import__ is not hooked,
    "sources": len(linecache.cache),
    "works": [colorsys.rgb_to_hls(0, 0, 0)[0], minidom.__name__, QColor("red").red(), QObject().objectName()],
}))
"""


def test_imports_are_plain_again_and_keep_no_sources() -> None:
    done = subprocess.run([sys.executable, "-c", CODE], capture_output=True, text=True, check=True, timeout=60)
    found = json.loads(done.stdout)
    assert found["first"] and found["plain"], "PySide has no hook any more: take the module out"
    assert not found["again"]
    assert found["sources"] == 0
    assert found["works"] == [0.0, "xml.dom.minidom", 255, ""]
