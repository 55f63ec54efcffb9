"""The real window in a process of its own: it paints and ends, ends cleanly on a signal in the middle of a turn, and is isolated."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.helpers.wait import wait_for

ROOT = Path(__file__).resolve().parents[2]
END_S = 60
"""A process that takes longer to end is stuck."""

DRIVER = """
import os, sys
from pathlib import Path
from PySide6.QtCore import QTimer
from desktop.compose import Options
from desktop.app import application, main

class Window(application.Application):
    def _on_workspace(self, workspace):
        super()._on_workspace(workspace)
        self.parts.chat.controller.opened.connect(lambda _: self.parts.chat.controller.send("Hi"))
        self.parts.chat.controller.events_arrived.connect(self.tell)

    def tell(self, events):
        if any(type(event).__name__ == "TextDelta" for event in events):
            print("streaming", flush=True)

application.Application = Window
sys.exit(main.main(Options(profile_dir=sys.argv[1], model=sys.argv[2], environ=os.environ), folder=Path(sys.argv[3])))
"""

Run = Callable[..., "subprocess.Popen[str]"]


@pytest.fixture
def run() -> Iterator[Run]:
    """Starts processes without a display and ends what a test left."""
    started: list[subprocess.Popen[str]] = []

    def go(*words: str, cwd: Path = ROOT) -> subprocess.Popen[str]:
        environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen", "LC_ALL": "C.UTF-8"}
        child = subprocess.Popen([sys.executable, *words], cwd=cwd, env=environ, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)
        started.append(child)
        return child

    yield go
    for child in started:
        if child.poll() is None:
            child.kill()
            child.communicate()


def test_exit_after_paint(run: Run, tmp_path: Path) -> None:
    folder = tmp_path / "项目 with space"
    folder.mkdir()
    child = run("-I", "-m", "desktop", "--profile-dir", str(tmp_path / "profile"), "--exit-after-paint", str(folder))
    out, err = child.communicate(timeout=60)
    assert (child.returncode, out, err) == (0, "", "")
    assert (tmp_path / "profile" / "data" / "state" / "window.json").exists()


def test_the_folder_s_own_modules_are_never_loaded(run: Run, tmp_path: Path) -> None:
    for name in ("json.py", "PySide6.py", "desktop.py", "logging.py"):
        (tmp_path / name).write_text("raise SystemExit('a hostile module was loaded')\n", encoding="utf-8")
    child = run("-I", "-m", "desktop", "--profile-dir", str(tmp_path / "profile"), "--exit-after-paint", str(tmp_path), cwd=tmp_path)
    _, err = child.communicate(timeout=60)
    assert (child.returncode, err) == (0, "")


@pytest.mark.skipif(sys.platform == "win32", reason="there are no such signals")
@pytest.mark.parametrize("number", [signal.SIGTERM, signal.SIGINT, signal.SIGHUP])
def test_a_signal_in_the_middle_of_a_turn(run: Run, tmp_path: Path, number: signal.Signals) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"responses": [{"text": "word " * 500, "delay_ms": 100, "chunk": 5}]}), encoding="utf-8")
    folder = tmp_path / "folder"
    folder.mkdir()
    child = run("-c", DRIVER, str(tmp_path / "profile"), f"scripted:{script}", str(folder))
    assert child.stdout is not None
    assert child.stdout.readline().strip() == "streaming"
    sessions = tmp_path / "profile" / "data" / "sessions"
    wait_for(lambda: bool(list(sessions.rglob("sess_*.jsonl"))), what="the transcript")
    child.send_signal(number)
    _, err = child.communicate(timeout=END_S)
    assert child.returncode == 0
    assert "QThread" not in err and "Traceback" not in err and "ERROR" not in err
    lines = next(sessions.rglob("sess_*.jsonl")).read_text(encoding="utf-8").splitlines()
    assert json.loads(lines[-1])["message"]["stop"] == "interrupted"


def test_a_second_window_on_the_same_data_folder(run: Run, tmp_path: Path) -> None:
    script = tmp_path / "script.json"
    script.write_text(json.dumps({"responses": [{"text": "word " * 500, "delay_ms": 100, "chunk": 5}]}), encoding="utf-8")
    first = run("-c", DRIVER, str(tmp_path / "profile"), f"scripted:{script}", str(tmp_path))
    assert first.stdout is not None
    assert first.stdout.readline().strip() == "streaming"
    second = run("-c", DRIVER, str(tmp_path / "profile"), f"scripted:{script}", str(tmp_path))
    assert second.stdout is not None
    assert second.stdout.readline().strip() == "streaming", "it has a chat of its own"
    for child in (second, first):
        child.terminate()
        _, err = child.communicate(timeout=END_S)
        assert child.returncode == 0, err
