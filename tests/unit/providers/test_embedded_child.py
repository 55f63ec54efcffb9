"""The child process of the embedded model: when it ends by itself, and that it says why it could not start."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from desktop.providers.embedded_child import EXIT_FAILED, EXIT_OK, EXIT_SHORT_OF_MEMORY

WATCH = "import sys, types, psutil\nfrom desktop.providers.embedded_child import Watch\n"
NO_MEMORY = "psutil.virtual_memory = lambda: types.SimpleNamespace(available=0)\n"


@pytest.mark.parametrize(
    ("code", "status"),
    [
        (WATCH + "Watch(0.0).ticks()", EXIT_OK),
        (WATCH + NO_MEMORY + "Watch(600.0).ticks()", EXIT_SHORT_OF_MEMORY),
        (WATCH + "Watch(600.0).words()", EXIT_OK),
    ],
    ids=["idle", "short of memory", "parent gone"],
)
def test_it_ends_by_itself(code: str, status: int) -> None:
    done = subprocess.run([sys.executable, "-c", code], stdin=subprocess.DEVNULL, timeout=60, check=False)
    assert done.returncode == status


def test_a_model_that_cannot_be_loaded_is_told_on_one_line(tmp_path: Path) -> None:
    given = {"file": str(tmp_path / "nothing.gguf"), "api_key": "k", "n_ctx": 512, "threads": 1, "idle_s": 1, "slots": ""}
    command = [sys.executable, "-I", "-m", "desktop.providers.embedded_child"]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        child.stdin.write(json.dumps(given).encode() + b"\n")
        child.stdin.flush()
        assert "error" in json.loads(child.stdout.readline())
        assert child.wait(timeout=60) == EXIT_FAILED
