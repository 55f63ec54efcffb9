"""Memory health at many memories: the first check, a check after one change, and how long the window's own thread is held up meanwhile.

Budgets: at 10,000 memories the first check ≤ 30 s CPU in a worker, one after a change ≤ 6 s; the longest pause of the window's thread
≤ 50 ms on a quiet machine. Prints figures. Run it as `python -m tests.bench.bench_health`.
"""

from __future__ import annotations

import argparse
import os
import random
import sys
import tempfile
import time
from datetime import UTC, datetime
from pathlib import Path

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

SEED = 20260601
_SAID = (
    "build server port deploy index memory service archive picture album queue cache token page test release branch "
    "数据库 端口 部署 上线 提交 分支 测试 缓存 图片 归档"
)
WORDS = _SAID.split()


def fill(root: Path, count: int) -> None:
    """Memories in both languages; every tenth has something wrong with it."""
    draw = random.Random(SEED)
    root.mkdir(parents=True)
    for number in range(count):
        said = " ".join(draw.choice(WORDS) + str(draw.randrange(400)) for _ in range(40))
        more = ("The demo is tomorrow.", "See [[nowhere]].", f"The port of s{number // 20} is {number}.", "helpers live in gone_file.rs.")
        body = f"{said}.\n\n第 {number} 条：服务{number}的端口是{number}。{more[number // 10 % 4] if number % 10 == 0 else ''}"
        month = 1 + number % 5
        head = (
            f"---\nname: n{number}\ndescription: fact {number}\nmetadata:\n  type: project\n  modified: 2026-{month:02}-01T00:00:00Z\n---\n"
        )
        place = root / f"n{number}.md"
        place.write_text(f"{head}\n{body}\n", encoding="utf-8")
        os.utime(place, (1_700_000_000, 1_700_000_000))
    (root / "MEMORY.md").write_text("".join(f"- [n{number}](n{number}.md)\n" for number in range(count)), encoding="utf-8")


def checks(root: Path) -> tuple[float, float, int]:
    """CPU seconds of the first check and of one after a change, and the number of problems."""
    from desktop.memory.health import HealthCache, HealthContext, check_folder

    cache, context = HealthCache(), HealthContext(now=datetime(2026, 6, 1, tzinfo=UTC))
    started = time.process_time()
    problems = check_folder(root, "index", context, cache)
    first = time.process_time() - started
    (root / "n0.md").write_text("---\nname: n0\n---\nAnother text.\n", encoding="utf-8")
    started = time.process_time()
    check_folder(root, "index", context, cache)
    return first, time.process_time() - started, len(problems)


def pauses(root: Path, seconds: float = 0.0) -> float:
    """The longest time, in ms, between two turns of the window's thread while a check runs in a worker, or for `seconds` at rest."""
    from PySide6.QtCore import QCoreApplication, QTimer

    from desktop.app.main import SWITCH_S
    from desktop.base.loading import large_reading
    from desktop.bridge.collector import GuiCollector
    from desktop.bridge.operations import Operations
    from desktop.memory.health import HealthCache, HealthContext, check_folder

    app = QCoreApplication.instance() or QCoreApplication([])
    sys.setswitchinterval(SWITCH_S)  # as the window does
    operations = Operations()
    collector = GuiCollector()
    collector.start()  # that too
    cache = HealthCache()
    longest, last = 0.0, time.perf_counter()

    def turn() -> None:
        nonlocal longest, last
        now = time.perf_counter()
        longest, last = max(longest, now - last), now

    def check() -> int:
        with large_reading() as reading:  # as `memory.health_report` does
            reading.stays = True
            return len(check_folder(root, "index", context, cache))

    timer = QTimer()
    timer.setInterval(2)
    timer.timeout.connect(turn)
    timer.start()
    context = HealthContext(now=datetime(2026, 6, 1, tzinfo=UTC))
    if seconds:
        QTimer.singleShot(round(seconds * 1_000), app.quit)
    else:
        operations.read(check, lambda _: app.quit(), lambda _: app.quit())
    app.exec()
    timer.stop()
    collector.stop()
    operations.close()
    return longest * 1_000


def main() -> None:
    parser = argparse.ArgumentParser(description="Memory health at many memories.")
    parser.add_argument("--count", type=int, default=10_000)
    count = parser.parse_args().count
    with tempfile.TemporaryDirectory() as name:
        root = Path(name) / "memory"
        fill(root, count)
        first, again, problems = checks(root)
        rest, busy = pauses(root, seconds=3.0), pauses(root)
    print(f"memories {count:,}, problems {problems:,}, seed {SEED}")
    print(f"first check          {first:.1f} s CPU   (budget 30)")
    print(f"after one change     {again:.1f} s CPU   (budget 6)")
    print(f"longest pause        {busy:.0f} ms while it runs, {rest:.0f} ms at rest   (budget 50)")


if __name__ == "__main__":
    main()
