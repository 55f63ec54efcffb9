"""A real window in a process of its own, for benchmarks: what it says, what it holds, what it uses. No benchmark by itself."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path

import psutil

MIB = 1024 * 1024
HEAD = """
import os, sys
from pathlib import Path
from desktop.cli.arguments import parse
from desktop.cli.main import options_of
from desktop.app import main
main.import_hook.remove()  # as in a real start, before the bulk is imported
from PySide6.QtCore import QTimer
from desktop.app import application
def say(word):
    print(word, flush=True)
"""
TAIL = """
found = parse(["--profile-dir", sys.argv[1], sys.argv[2]])
application.Application = Watched
sys.exit(main.main(options_of(found, headless=False), folder=Path(sys.argv[2])))
"""


def prepare(place: Path, **settings: object) -> tuple[Path, Path]:
    """A profile with these settings (`__` for dots) and a folder to open."""
    from desktop.base.paths import resolve_paths
    from desktop.settings.store import SettingsStore

    profile, folder = place / "profile", place / "项目"
    folder.mkdir()
    store = SettingsStore(resolve_paths(str(profile), {}))
    store.load()
    for key, value in settings.items():
        store.set(key.replace("__", "."), value)
    return profile, folder


def scripted(place: Path) -> str:
    """The id of a model that needs no library."""
    script = place / "script.json"
    script.write_text(json.dumps({"responses": [{"text": "Yes."}]}), encoding="utf-8")
    return f"scripted:{script}"


class Watched:
    """A running window."""

    def __init__(self, process: subprocess.Popen[str]) -> None:
        self._process = process
        self._figures = psutil.Process(process.pid)

    def wait_for(self, word: str) -> None:
        """Until the window prints `word`."""
        self.wait_for_one(word)

    def wait_for_one(self, *words: str) -> str:
        """Until the window prints one of these; gives it."""
        assert self._process.stdout is not None
        for line in self._process.stdout:
            if line.strip() in words:
                return line.strip()
        raise RuntimeError(f"the window ended before it said “{words[0]}”")

    def resident(self) -> float:
        """MiB, children not counted."""
        return float(self._figures.memory_info().rss / MIB)

    def cpu(self, seconds: float) -> float:
        """Per cent of one core over so many seconds."""
        before, began = self._used(), time.monotonic()
        time.sleep(seconds)
        return 100 * (self._used() - before) / (time.monotonic() - began)

    def _used(self) -> float:
        times = self._figures.cpu_times()
        return float(times.user + times.system)


@contextmanager
def window(code: str, *arguments: str, environ: Mapping[str, str] | None = None) -> Iterator[Watched]:
    """Run `code` (a class `Watched` over `application.Application`) between HEAD and TAIL; ended with the block."""
    process = subprocess.Popen(
        [sys.executable, "-c", HEAD + code + TAIL, *arguments], stdout=subprocess.PIPE, text=True, env={**os.environ, **(environ or {})}
    )
    try:
        yield Watched(process)
    finally:
        process.terminate()
        process.wait(15)
