"""Writing and reopening sessions next to their budgets: `python -m tests.bench.bench_session_store`. Prints; fails on nothing.

Budget (safety, R1): a session of 10,000 messages is open again within 1 s. An append has none: its figure is a flush and our own work.
"""

from __future__ import annotations

import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from desktop.messages.parts import ToolResultPart
from desktop.sessions.handle import SessionHandle
from tests.unit.sessions.make import message, new_handle, store_in

MESSAGES, REOPENED, APPENDS = 10_000, 5, 40
REOPEN_S = 1.0
LARGE = 1 << 20


def cpu(work: Callable[[], object]) -> tuple[float, float]:
    """Milliseconds of CPU and of the clock."""
    start, began = time.process_time(), time.perf_counter()
    work()
    return (time.process_time() - start) * 1_000, (time.perf_counter() - began) * 1_000


def appended(handle: SessionHandle, output: str) -> str:
    """Median of appending one message after the other."""
    took = []
    for number in range(APPENDS):
        made = message("words of an answer " * 20, "assistant", number=number)
        if output:
            made = message("", "tool", number=number, parts=(ToolResultPart(f"c{number}", "Bash", f"{number}{output}"),))
        took.append(cpu(lambda made=made: handle.append(made)))  # type: ignore[misc]
    own, clock = (statistics.median(one[side] for one in took) for side in (0, 1))
    return f"{own:.1f} ms CPU, {clock:.1f} ms by the clock (n={APPENDS})"


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        store = store_in(Path(folder))
        handle = new_handle(store)
        print(f"append one message: {appended(handle, '')}")
        print(f"append an output of 1 MiB, with its side file: {appended(handle, 'x' * LARGE)}")
        handle.close()
        long = new_handle(store)
        made = [message(f"message {n} " + "of some words " * 20, "assistant" if n % 2 else "user", number=n) for n in range(MESSAGES)]
        long.append_all(made)
        long.close()
        took = []
        for _ in range(REOPENED):
            took.append(cpu(lambda: store.open(long.id).close())[0])
        figures = f"median {statistics.median(took):.0f} ms CPU, most {max(took):.0f} (n={REOPENED}, budget {REOPEN_S:.0f} s)"
        print(f"reopen {MESSAGES:,} messages: {figures}")


if __name__ == "__main__":
    main()
