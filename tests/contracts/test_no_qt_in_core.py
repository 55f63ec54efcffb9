"""The terminal and the core never import Qt, nor anything heavy before it is needed: proven in a fresh process."""

from __future__ import annotations

import json
import subprocess
import sys

import pytest

MODULES = ("desktop.cli.main", "desktop.compose", "desktop.cli.prompt", "desktop.cli.memory", "desktop.cli.sessions", "desktop.cli.models")
HEAVY = ("pydantic_ai", "anthropic", "openai", "google.genai", "keyring", "xllamacpp", "qtawesome", "pygments.lexers", "numpy")


def imported(module: str) -> set[str]:
    code = f"import {module}, json, sys; print(json.dumps(sorted(sys.modules)))"
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True, timeout=60)
    return set(json.loads(done.stdout))


@pytest.mark.parametrize("module", [*MODULES, "desktop.cli.doctor", "desktop.__main__"])
def test_importing_it_leaves_no_qt_and_nothing_heavy(module: str) -> None:
    found = imported(module)
    assert not {name for name in found if name.split(".")[0] in ("PySide6", "shiboken6", "qtpy")}
    assert not {name for name in found if name.startswith(("desktop.ui", "desktop.bridge", "desktop.app"))}
    assert not {name for name in found if name in HEAVY}


def test_the_command_line_alone_is_light() -> None:
    found = imported("desktop.cli.arguments")
    assert not {name for name in found if name.startswith("desktop.") and name.split(".")[1] not in ("cli", "base")}
