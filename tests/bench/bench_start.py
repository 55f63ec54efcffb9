"""Start to first paint and to a usable window on a folder with 200 memories, and resident memory. Prints figures next to their budgets.

Run: `python -m tests.bench.bench_start [RUNS]`. Not a timed test: a noisy machine changes the figures, so the median of the runs and the
difference to a bare Qt window of the same run are what counts. Budgets: product design, section 6.
"""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import tempfile
import time
from pathlib import Path

import psutil

MEMORIES = 200
PAINT_S, OVER_BARE_S, OPEN_CHAT_MIB = 1.2, 0.8, 120
MIB = 1024 * 1024
SETTLE_S = 2.0
"""What a window at rest holds is read this long after it is usable."""

BARE = """
import time
from PySide6.QtCore import QEvent, QTimer
from PySide6.QtWidgets import QApplication, QMainWindow
class Window(QMainWindow):
    def event(self, event):
        handled = super().event(event)
        if event.type() == QEvent.Type.UpdateRequest:
            print("painted", time.time_ns(), flush=True)
        return handled
app = QApplication([])
window = Window()
window.resize(1280, 800)
window.show()
app.exec()
"""

OURS = """
import os, sys, time
from pathlib import Path
from desktop.cli.arguments import parse
from desktop.cli.main import options_of
found = parse(["--profile-dir", sys.argv[1], sys.argv[2]])
options = options_of(found, headless=False)
from desktop.app import main
main.import_hook.remove()  # as in a real start, before the bulk is imported
from desktop.app import application
def say(word):
    print(word, time.time_ns(), flush=True)
class Watched(application.Application):
    def start(self):
        super().start()
        self.workbench.first_painted.connect(lambda: say("painted"))
    def _on_workspace(self, workspace):
        super()._on_workspace(workspace)
        self.parts.memory.controller.snapshot_changed.connect(lambda _: say("usable"))
application.Application = Watched
sys.exit(main.main(options, folder=Path(sys.argv[2])))
"""


def fill(profile: Path, folder: Path) -> None:
    """A project with 200 memories."""
    from desktop.base.clock import SystemClock
    from desktop.base.paths import resolve_paths
    from desktop.memory.identity import ensure_project, resolve_project

    folder.mkdir()
    project = resolve_project(folder, resolve_paths(str(profile), {}))
    ensure_project(project, SystemClock())
    lines = []
    for number in range(MEMORIES):
        head = f"---\nname: fact-{number}\ndescription: Fact number {number}, 第{number}条\nmetadata:\n  type: project\n---\n"
        text = f"{head}\nFact {number}.\n"
        (project.memory_root / f"fact-{number}.md").write_text(text, encoding="utf-8")
        lines.append(f"- [fact-{number}](fact-{number}.md): Fact number {number}\n")
    (project.memory_root / "MEMORY.md").write_text("".join(lines), encoding="utf-8")


def measure(code: str, words: list[str], *arguments: str) -> tuple[dict[str, float], float]:
    """Seconds from the start of a process to each word that it prints, and MiB resident after the last of them."""
    began = time.time_ns()
    child = subprocess.Popen([sys.executable, "-c", code, *arguments], stdout=subprocess.PIPE, text=True, env=dict(os.environ))
    assert child.stdout is not None
    seen: dict[str, float] = {}
    try:
        for line in child.stdout:
            word, moment = line.split()
            seen.setdefault(word, (int(moment) - began) / 1e9)
            if set(words) <= set(seen):
                break
        time.sleep(SETTLE_S)
        resident = psutil.Process(child.pid).memory_info().rss / MIB
    finally:
        child.terminate()
        child.wait(10)
    return seen, resident


def main() -> int:
    runs = int(sys.argv[1]) if len(sys.argv) > 1 else 5
    bare: list[float] = []
    painted: list[float] = []
    usable: list[float] = []
    memory: list[tuple[float, float]] = []
    with tempfile.TemporaryDirectory() as place:
        profile, folder = Path(place) / "profile", Path(place) / "项目"
        fill(profile, folder)
        for run in range(runs + 1):
            plain, plain_mib = measure(BARE, ["painted"])
            ours, ours_mib = measure(OURS, ["painted", "usable"], str(profile), str(folder))
            if run:  # the first run warms the caches of the disk
                bare.append(plain["painted"])
                painted.append(ours["painted"])
                usable.append(ours["usable"])
                memory.append((plain_mib, ours_mib))
    first, rest = statistics.median(painted), statistics.median(bare)
    print(f"bare Qt window, painted          {rest:6.2f} s")
    print(f"keepsake, painted                {first:6.2f} s    budget {PAINT_S} s")
    print(f"keepsake, painted, over bare     {first - rest:6.2f} s    budget {OVER_BARE_S} s")
    print(f"keepsake, {MEMORIES} memories listed    {statistics.median(usable):6.2f} s    budget {PAINT_S} s")
    print(f"bare Qt window, resident         {statistics.median(one for one, _ in memory):6.0f} MiB")
    print(f"keepsake, open chat, resident    {statistics.median(one for _, one in memory):6.0f} MiB  budget {OPEN_CHAT_MIB} MiB")
    return 0


if __name__ == "__main__":
    sys.exit(main())
