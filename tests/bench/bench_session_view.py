"""A stored session in its tab, each case in a process of its own: first screen, longest block of the window, peak of memory, index, find.

Budgets (product, section 6; safety R15; issue 6): 5,000 messages ≤ 300 ms to the first screen; 1,000,000 lines (471 MB) and one line of
100 MB ≤ 2 s, peak ≤ 400 and 600 MB, no block of the GUI thread over 100 ms, whole index ≤ 60 s in the background. The baseline, a window
with an empty session, is printed beside. Run `python -m tests.bench.bench_session_view`; `--quick` leaves the two huge ones out.
"""

from __future__ import annotations

import argparse
import base64
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")

from desktop.messages.parts import Message, TextPart
from tests.bench import session_files

LIMIT_S = 180.0
FIRST_MS, HUGE_FIRST_MS, BLOCK_MS, INDEX_S = 300.0, 2_000.0, 100.0, 60.0
MB = 1_000_000
HUGE = ("lines", "line")


def _big_line(count: int) -> Iterator[Message]:
    yield from session_files.talk(40, 20)
    yield session_files.said(40, 0, role="assistant", parts=(TextPart("x" * count),))
    yield from (session_files.said(number, 20) for number in range(41, 60))


def _folded() -> Iterator[Message]:
    """A line of 500,000 characters and 1 MB of base64, in words and in code."""
    noise = base64.b64encode(os.urandom(750_000)).decode()
    texts = ["X" * 500_000, noise, f"```\n{noise}\n```", "字" * 500_000]
    for number, text in enumerate(texts):
        yield session_files.said(number, 0, role="assistant", parts=(TextPart(text),))


def _messages(case: str) -> Iterator[Message]:
    cases: dict[str, Callable[[], Iterator[Message]]] = {
        "empty": lambda: session_files.talk(1, 5),
        "messages": lambda: session_files.mixed(5_000),
        "folded": _folded,
        "lines": lambda: session_files.talk(1_000_000, 16),
        "line": lambda: _big_line(100 * MB),
        "small": lambda: session_files.mixed(30_000),
    }
    return cases[case]()


def one(case: str, folder: Path) -> dict[str, float]:
    """The figures of one case, in this process: ms, s and MB."""
    from PySide6.QtWidgets import QApplication

    from desktop.base.clock import SystemClock
    from desktop.base.paths import AppPaths
    from desktop.bridge.operations import Operations
    from desktop.sessions.store import SessionStore
    from desktop.ui import theme
    from desktop.ui.markdown import warm
    from desktop.ui.sessions.viewer import SessionViewer, read_session

    app = QApplication.instance() or QApplication([])
    assert isinstance(app, QApplication)
    theme.apply(app, "dark")
    store = SessionStore(AppPaths(folder, folder, folder), SystemClock())
    session_id = next(folder.rglob("*.jsonl")).stem
    operations = Operations()
    block = 0.0

    def until(condition: Callable[[], bool]) -> float:
        nonlocal block
        began = time.perf_counter()
        while not condition():
            turn = time.thread_time()
            app.processEvents()
            block = max(block, (time.thread_time() - turn) * 1_000)
            time.sleep(0.001)
            if time.perf_counter() - began > LIMIT_S:
                sys.exit(f"{case}: nothing came within {LIMIT_S:.0f} s")
        return time.perf_counter() - began

    warm()  # as the list of sessions does in the background when it is shown
    cpu, began = time.process_time(), time.perf_counter()
    viewer = SessionViewer(lambda: read_session(store, session_id), session_id, operations)
    viewer.resize(900, 800)
    viewer.show()
    until(lambda: bool(viewer.messages.views))
    viewer.grab()
    first, first_cpu = (time.perf_counter() - began) * 1_000, (time.process_time() - cpu) * 1_000
    block = 0.0
    until(lambda: viewer.reader.is_indexed)
    index = time.perf_counter() - began
    total = viewer.reader.facts.total
    until(lambda: operations.pending == 0)
    middle = max(1, total // 2)
    viewer.reveal_number(middle)
    jump = until(lambda: viewer._stretch.first <= middle <= viewer._stretch.last and operations.pending == 0) * 1_000
    for _ in range(40):
        bar = viewer.messages.verticalScrollBar()
        bar.setValue(bar.value() - 400)
        until(lambda: operations.pending == 0)
    viewer.messages.scroll_to_bottom()
    until(lambda: viewer._stretch.last == total and operations.pending == 0)
    found: list[bool] = []
    viewer.reader.find("nowhere at all", lambda numbers, done: found.append(done))
    find = until(lambda: bool(found) and found[-1])
    peak = peak_of_this_process() / MB
    viewer.dispose()
    viewer.close()
    operations.close()
    return {
        "first": first, "first_cpu": first_cpu, "block": block, "index": index, "jump": jump, "find": find, "peak": peak,
        "total": total,
    }  # fmt: skip


def peak_of_this_process() -> float:
    """Bytes that were resident at most. Not `ru_maxrss`: that begins with the parent's, which may be a long run of tests."""
    import resource  # not on Windows

    status = Path("/proc/self/status")
    if status.is_file():
        return float(next(line.split()[1] for line in status.read_text().splitlines() if line.startswith("VmHWM:"))) * 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024)


def run(case: str) -> dict[str, Any]:
    """One case in a process of its own, with its file's size in MB."""
    with tempfile.TemporaryDirectory() as folder:
        _, size = session_files.write(Path(folder) / "sessions", _messages(case))
        command = [sys.executable, "-m", "tests.bench.bench_session_view", "--one", case, folder]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, check=True)
        found: dict[str, Any] = json.loads(done.stdout.strip().splitlines()[-1])
    return found | {"size": size / MB}


def show(case: str, figures: dict[str, Any]) -> bool:
    """Print the figures of a case beside their budgets; whether it keeps them."""
    huge = case in HUGE
    first_budget = HUGE_FIRST_MS if huge else FIRST_MS
    peak_budget = {"lines": 400.0, "line": 600.0}.get(case)
    peak = f"{figures['peak']:.0f} MB" + (f" (budget {peak_budget:.0f})" if peak_budget else "")
    print(
        f"{case:<9} {figures['total']:>9,} messages, {figures['size']:>6.1f} MB: "
        f"first screen {figures['first']:.0f} ms, CPU {figures['first_cpu']:.0f} (budget {first_budget:.0f}); "
        f"longest block {figures['block']:.0f} ms CPU (budget {BLOCK_MS:.0f}); "
        f"index {figures['index']:.1f} s (budget {INDEX_S:.0f}); jump {figures['jump']:.0f} ms; find {figures['find']:.1f} s; peak {peak}",
        flush=True,
    )
    spent = figures["first"] if huge else min(figures["first"], figures["first_cpu"])
    return bool(
        spent <= first_budget
        and figures["block"] <= BLOCK_MS
        and figures["index"] <= INDEX_S
        and (peak_budget is None or figures["peak"] <= peak_budget)
    )


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--quick", action="store_true", help="without the two huge files")
    parser.add_argument("--one", nargs=2, metavar=("CASE", "FOLDER"), help=argparse.SUPPRESS)
    chosen = parser.parse_args()
    if chosen.one:
        print(json.dumps(one(chosen.one[0], Path(chosen.one[1]))))
        return 0
    cases = ("empty", "messages", "folded") if chosen.quick else ("empty", "messages", "folded", *HUGE)
    kept = [show(case, run(case)) for case in cases]
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
