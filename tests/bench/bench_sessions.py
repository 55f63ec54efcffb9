"""Figures of the sessions next to their budgets: `python -m tests.bench.bench_sessions [--full]`. Prints; fails on nothing.

List of 2,000 sessions without any cache of ours; opening one of 5,000 messages; ReadSessionContext over a transcript of 10 MB (100 with
`--full`).
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from desktop.messages.codec import message_to_json
from desktop.sessions.record import encode, header_to_json
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import message_state
from tests.bench.context_read import measured
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import message, new_handle, paths_in, store_in


def written(store: SessionStore, messages: int, text: str, project: int = 0) -> Path:
    """A transcript of so many messages in its true form, written at once."""
    return written_texts(store, [f"{i} {text}" for i in range(messages)], project)


def written_texts(store: SessionStore, texts: Iterable[str], project: int = 0) -> Path:
    """The same with a text for each message."""
    handle = new_handle(store, key=f"demo{project}-0123456789abcdef")
    now = handle.header.created
    lines = [encode(0, "session", header_to_json(handle.header), now)]
    parent: str | None = None
    for i, text in enumerate(texts):
        one = message(text, "assistant" if i % 2 else "user", number=i, parent=parent)
        parent = one.id
        summary = {"count": i + 1, "tokens": 0, "state": message_state(one), "model": "m", "title": text[:80]}
        lines.append(encode(i + 1, "message", message_to_json(one), now, **summary))
    handle.path.parent.mkdir(parents=True, exist_ok=True)
    handle.path.write_bytes(b"".join(lines))
    handle.close()
    return handle.path


def cpu(work: Callable[[], object]) -> float:
    start = time.process_time()
    work()
    return time.process_time() - start


def main() -> None:
    """Make the files and print the figures."""
    size = 100 if "--full" in sys.argv else 10
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        store = store_in(root)
        for i in range(2_000):
            written(store, 2 + i % 30, "重构解析器 and more words of a prompt " * 4, i % 20)
        fresh = SessionStore(paths_in(root), FixedClock())
        print(f"list of 2,000 sessions, cold: {cpu(fresh.list) * 1000:.0f} ms CPU (budget 250)")
        print(f"list of 2,000 sessions again: {cpu(fresh.list) * 1000:.0f} ms CPU")
        large = written(store, 5_000, "word " * 40)
        print(f"read a session of 5,000 messages: {cpu(lambda: fresh.load(large.stem)) * 1000:.0f} ms CPU (budget 300 to the first screen)")
        huge = written(store, size * 305, "端口 port 5433 " * 120)
        megabytes = huge.stat().st_size / 1e6
        cost = measured(huge, "端口 5433")
        print(
            f"ReadSessionContext, {megabytes:.0f} MB: {cost.seconds:.1f} s CPU, peak {cost.peak:.0f} MiB (budget 5 s, 300 MiB for 100 MB)"
        )


if __name__ == "__main__":
    main()
