"""The Search view at work over 10,000 memories: what a key costs from the box to the painted rows, and how much of it blocks the window.

Budget (issue 4, part 4): results within 50 ms a key. Counted is the CPU time of the process (worker, index, rows, painting) and, apart from
it, of the GUI thread; the clock is printed beside it. Then the same for the filter box of the memory view, and how long the window is
blocked while 10,000 files are indexed behind it: what Linux says the two threads waited for a processor meanwhile is taken off, since that
is the load of the machine. The interpreter is set up as the app sets it up. Run `python -m tests.bench.bench_search_view`.
"""

from __future__ import annotations

import argparse
import os
import random
import statistics
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from PySide6.QtCore import QEventLoop
from PySide6.QtWidgets import QApplication

from desktop.app.main import SWITCH_S
from desktop.app.memory_part import MemoryPart
from desktop.app.search_part import SearchPart
from desktop.bridge.collector import GuiCollector
from desktop.bridge.operations import Operations
from desktop.commands.registry import CommandRegistry
from desktop.compose import Options, build_services
from desktop.ui import icons, theme
from desktop.ui.workbench import Workbench

KEY_MS, BLOCK_MS = 50.0, 50.0
NOTES = 10_000
LIMIT_S = 300.0
WORDS = (
    "release", "staging", "server", "package", "manager", "upload", "limit", "database", "migration", "rollback", "password", "session",
    "thumbnail", "cache", "deployment", "branch", "review", "commit", "test", "failure", "network", "timeout", "retry", "queue", "worker",
    "数据库", "迁移", "回退", "上传", "缓存", "测试", "部署", "发布", "服务器", "会话", "密码", "分支", "评审", "超时", "重试",
)  # fmt: skip
TYPED = (
    "s", "st", "sta", "stag", "stagi", "staging", "staging ", "staging s", "staging server", "数", "数据", "数据库", "数据库 迁",
    "数据库 迁移", "deploym", "deployment", "rollback cache", "n00123", "timeout retry queue worker", "没有这样的东西",
)  # fmt: skip


def waited() -> float:
    """Seconds that the window's thread and the indexer's have waited for a processor since they began; 0 where that is not told."""
    threads = [one for one in threading.enumerate() if one is threading.main_thread() or one.name == "keepsake-indexer"]
    try:
        told = [Path(f"/proc/self/task/{one.native_id}/schedstat").read_text(encoding="ascii") for one in threads]
    except OSError:
        return 0.0
    return sum(int(text.split()[1]) for text in told) / 1e9


def note(number: int, chance: random.Random) -> str:
    body = "\n\n".join(" ".join(chance.choices(WORDS, k=30)) + "." for _ in range(2))
    head = f"---\nname: n{number:05}\ndescription: {' '.join(chance.choices(WORDS, k=5))}\nmetadata:\n  type: project\n---\n\n"
    return f"{head}{body}\n"


class Bench:
    """A window with memory and search over a real folder, indexed from nothing."""

    def __init__(self, app: QApplication, folder: Path) -> None:
        self.app = app
        environ = {"HOME": str(folder), "KEEPSAKE_DENSE": "off"}
        services = self.services = build_services(Options(profile_dir=str(folder / "profile"), environ=environ))
        work = folder / "work"
        work.mkdir()
        workspace = services.open_workspace(work)
        chance = random.Random(4)
        for number in range(NOTES):
            (workspace.store.root / f"n{number:05}.md").write_text(note(number, chance), encoding="utf-8")
        self.operations = Operations()
        self.bench = Workbench(CommandRegistry())
        self.memory = MemoryPart(services, self.bench, self.operations)
        self.search = SearchPart(services, self.bench, self.operations)
        self.memory.panel.set_finder(self.search.controller.finder)
        self.bench.resize(1_200, 800)
        self.bench.show()
        self.memory.set_workspace(workspace)
        controller = self.memory.controller
        self.until(lambda: controller.snapshot is not None and controller.snapshot.is_whole and not controller.is_reading)
        began, cpu = time.perf_counter(), time.process_time()
        self.search.set_workspace(workspace)
        self.block = self.until(lambda: self.search.controller.ready and not self.search.controller.busy)
        self.built, self.built_cpu = time.perf_counter() - began, time.process_time() - cpu
        self.search.show()
        self.loop = QEventLoop()
        self.search.controller.found.connect(self.loop.quit)
        self.search.controller.finder.found.connect(self.loop.quit)

    def until(self, condition: Callable[[], bool]) -> float:
        """Run the window's loop until the condition holds; the longest time in ms between two rounds of it, as on a quiet machine."""
        started = last = time.perf_counter()
        before, longest = waited(), 0.0
        while not condition():
            self.app.processEvents()
            now, since = time.perf_counter(), waited()
            longest = max(longest, now - last - max(0.0, since - before))
            if now - started > LIMIT_S:
                sys.exit(f"the window did not follow within {LIMIT_S:.0f} s")
            last, before = time.perf_counter(), waited()
            time.sleep(0.0005)
        return longest * 1_000

    def key(self, text: str) -> tuple[float, float, float]:
        """CPU ms of the process and of the GUI thread, and ms on the clock, from the changed text to the painted rows."""
        view = self.search.view
        wall, cpu, own = time.perf_counter(), time.process_time(), time.thread_time()
        view.box.setText(text)
        self.loop.exec()
        self.app.processEvents()
        return (time.process_time() - cpu) * 1_000, (time.thread_time() - own) * 1_000, (time.perf_counter() - wall) * 1_000

    def filter(self, text: str) -> tuple[float, float]:
        """The same for the filter box of the memory view, from the key to the rows with what stands in the files."""
        panel = self.memory.panel
        cpu, own = time.process_time(), time.thread_time()
        panel.filter.setText(text)
        self.loop.exec()
        while panel._query != text.strip():
            self.app.processEvents(QEventLoop.ProcessEventsFlag.WaitForMoreEvents)
        self.app.processEvents()
        return (time.process_time() - cpu) * 1_000, (time.thread_time() - own) * 1_000

    def close(self) -> None:
        self.search.close()
        self.memory.close()
        self.operations.write(self.services.memory_search.close)
        self.operations.write(self.services.session_search.close)
        self.operations.close(30.0)
        self.bench.deleteLater()


def p95(values: list[float]) -> float:
    return statistics.quantiles(values, n=20)[18]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rounds", type=int, default=5, help="rounds of all keys")
    rounds = parser.parse_args().rounds
    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, "dark")
    icons.load()
    sys.setswitchinterval(SWITCH_S)
    collector = GuiCollector()
    collector.start()
    with tempfile.TemporaryDirectory() as folder:
        bench = Bench(app, Path(folder))
        bench.key("warm")
        bench.search.show()
        keys = [bench.key(f"{text}") for _ in range(rounds) for text in TYPED]
        bench.memory.show()
        filters = [bench.filter(text) for _ in range(rounds) for text in TYPED]
        bench.close()
    collector.stop()
    whole, own, wall = (list(column) for column in zip(*keys, strict=True))
    filtered, filtering = (list(column) for column in zip(*filters, strict=True))
    print(f"{NOTES:,} memories indexed behind the window: {bench.built_cpu:.1f} s CPU, {bench.built:.1f} s on the clock, "
          f"longest gap of the window's loop {bench.block:.0f} ms (budget {BLOCK_MS:.0f} ms)")  # fmt: skip
    print(f"a key in the Search view, n = {len(keys)}: CPU median {statistics.median(whole):.0f} ms, p95 {p95(whole):.0f} ms "
          f"(budget {KEY_MS:.0f} ms); of it in the GUI thread {statistics.median(own):.0f} / {p95(own):.0f} ms; "
          f"on the clock {statistics.median(wall):.0f} / {p95(wall):.0f} ms")  # fmt: skip
    print(f"a key in the memory filter with contents, n = {len(filters)}: CPU median {statistics.median(filtered):.0f} ms, "
          f"p95 {p95(filtered):.0f} ms (budget {KEY_MS:.0f} ms); in the GUI thread {statistics.median(filtering):.0f} / "
          f"{p95(filtering):.0f} ms")  # fmt: skip
    return 0 if p95(whole) <= KEY_MS and p95(filtered) <= KEY_MS and bench.block <= BLOCK_MS else 1


if __name__ == "__main__":
    sys.exit(main())
