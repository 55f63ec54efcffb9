"""Figures of the search over conversations: `python -m tests.bench.bench_history [--full]`. Prints; fails on nothing.

Reading 2,000 sessions for the first time, looking at them again unchanged, a session that grew by one message, searches, numbers of a
branched session; a line of 100 MB; with `--full` a transcript of 1,000,000 messages. 500 sessions of another tool: looked for, read for
the first time, again unchanged, one that grew, searches with ours and of ours alone beside them. With the peak of memory. `--others`
measures these alone.
"""

from __future__ import annotations

import json
import random
import resource
import statistics
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

from desktop.messages.codec import message_to_json
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.index import SessionSearch
from desktop.sessions.record import encode
from desktop.sessions.store import SessionStore
from tests.bench.bench_sessions import cpu, written_texts
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import message, paths_in, store_in

SESSIONS, MESSAGES = 2_000, 50
OTHERS = 500
WORDS = 8_000


def peak() -> int:
    """MiB that this process had at most."""
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024


def words(rng: random.Random, count: int) -> str:
    """Made-up words with a natural spread, a third of them Chinese characters."""
    picked = (int(rng.paretovariate(0.9)) % WORDS for _ in range(count))
    return " ".join(chr(0x4E00 + n % 3_000) + chr(0x4E00 + n * 7 % 3_000) if n % 3 == 0 else f"w{n}ord" for n in picked)


def fill(store: SessionStore, sessions: int, rng: random.Random) -> list[Path]:
    found = []
    for number in range(sessions):
        texts = [words(rng, 40) for _ in range(MESSAGES)]
        found.append(written_texts(store, texts, number % 20))
    return found


def timed(work: Callable[[], object], times: int) -> str:
    """CPU of the middle one and of the slowest in twenty, in ms."""
    taken = sorted(cpu(work) * 1000 for _ in range(times))
    return f"p50 {statistics.median(taken):.1f}, p95 {taken[int(times * 0.95)]:.1f} ms CPU (n = {times})"


def main() -> None:
    """Make the files and print the figures."""
    seed = 4
    rng = random.Random(seed)
    if "--others" in sys.argv:
        others(rng)
        return
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        store = store_in(root)
        files = fill(store, SESSIONS, rng)
        search = SessionSearch(store, paths_in(root))
        print(f"first reading of {SESSIONS:,} sessions, {SESSIONS * MESSAGES:,} messages: {cpu(search.reconcile):.1f} s CPU, {peak()} MiB")
        print(f"again, unchanged: {cpu(search.reconcile) * 1000:.0f} ms CPU (budget 250)")
        fresh = SessionSearch(SessionStore(paths_in(root), FixedClock()), paths_in(root))
        print(f"again, in a new process's place: {cpu(fresh.reconcile) * 1000:.0f} ms CPU")
        handle = store.open(files[7].stem)
        handle.append(message("the marmot came last"))
        handle.close()
        print(f"one session grew: {cpu(search.reconcile) * 1000:.0f} ms CPU")
        key = files[0].parent.name
        for name, where in (("one project of 20", key), ("all projects", None)):
            for queries in ("one word", "four words"):
                count = 1 if queries == "one word" else 4
                ask = lambda n=count, w=where: search.search(words(rng, n), project_key=w, reconcile=False)  # noqa: E731
                print(f"search, {name}, {queries}: {timed(ask, 60)}")
        print(f"search with looking at all files first: {timed(lambda: search.search(words(rng, 2), project_key=None), 20)}")
        print(f"around a message: {timed(lambda: search.around(files[rng.randrange(len(files))].stem, 25), 20)}")
        search.close()
        large(root / "large", rng, 1_000_000 if "--full" in sys.argv else 50_000)
    others(rng)


def large(root: Path, rng: random.Random, count: int) -> None:
    """One long transcript, and one with a long line."""
    store = store_in(root)
    search = SessionSearch(store, paths_in(root))
    path = written_texts(store, (f"{number} {words(rng, 6)}" for number in range(count)))
    ends = time.monotonic() + 2
    search.reconcile(stopped=lambda: time.monotonic() > ends)
    print(f"one session of {count:,} messages, stopped after 2 s: ended {time.monotonic() - ends:.2f} s later, {peak()} MiB")
    print(f"the rest of it: {cpu(search.reconcile):.1f} s CPU, {peak()} MiB")
    grow(path, count + 1, store.load(path.stem).leaf if count <= 50_000 else None)
    print(f"it grew by one message: {cpu(search.reconcile) * 1000:.0f} ms CPU, {peak()} MiB")
    print(f"around a message of it: {cpu(lambda: search.around(path.stem, count // 2)) * 1000:.0f} ms CPU, {peak()} MiB")
    grow(path, count + 2, None, "long " * 20_000_000)
    before = peak()
    print(f"a line of 100 MB in it: {cpu(search.reconcile):.1f} s CPU, {peak()} MiB (made by the writer: {before})")
    search.close()


def others(rng: random.Random) -> None:
    """Sessions of another tool beside as many of ours."""
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder)
        store, home = store_in(root), root / "claude" / "projects"
        for number in range(OTHERS):
            texts = [words(rng, 40) for _ in range(MESSAGES)]
            written_texts(store, texts, number % 20)
            transcript(home / "p" / f"s{number}.jsonl", f"s{number}", [words(rng, 40) for _ in range(MESSAGES)])
        foreign = ForeignSessions(root / "foreign.json", root / "named.json", lambda: [home], lambda _folder: "")
        search = SessionSearch(store, paths_in(root), foreign=foreign)
        search.reconcile()
        alone = timed(lambda: search.search(words(rng, 2), project_key=None, reconcile=False), 60)
        print(f"{OTHERS:,} sessions of another tool, {OTHERS * MESSAGES:,} messages: looked for: {cpu(foreign.refresh):.1f} s CPU")
        print(f"first reading of them: {cpu(search.reconcile_others):.1f} s CPU, {peak()} MiB")
        print(f"again, unchanged: {cpu(search.reconcile_others) * 1000:.0f} ms CPU")
        print(f"looked for again: {cpu(foreign.refresh) * 1000:.0f} ms CPU")
        transcript(home / "p" / "s7.jsonl", "s7", [words(rng, 40) for _ in range(MESSAGES + 2)])
        foreign.refresh()
        print(f"one of them grew: {cpu(search.reconcile_others) * 1000:.0f} ms CPU")
        print(f"search of ours before they were there: {alone}")
        print(f"search of ours beside them: {timed(lambda: search.search(words(rng, 2), project_key=None, reconcile=False), 60)}")
        print(f"search of all: {timed(lambda: search.search(words(rng, 2), project_key=None, reconcile=False, whose='all'), 60)}")
        ids = [known.summary.id for known in foreign.known()]
        print(f"around a message of theirs: {timed(lambda: search.around(ids[rng.randrange(len(ids))], 25), 20)}")
        search.close()


def transcript(path: Path, session: str, texts: list[str]) -> None:
    """A transcript as Claude Code writes one, in its simplest form."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines = []
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        parent = f"{session}-{number - 1}" if number else None
        record = {"type": role, "uuid": f"{session}-{number}", "parentUuid": parent, "sessionId": session, "cwd": "/srv/app"}
        lines.append(json.dumps(record | {"timestamp": "2026-02-01T10:00:00Z", "message": {"role": role, "content": text}}))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")


def grow(path: Path, seq: int, parent: str | None, text: str = "one more") -> None:
    """One message more, without opening the session."""
    with path.open("ab") as file:
        file.write(encode(seq, "message", message_to_json(message(text, parent=parent)), FixedClock().now()))


if __name__ == "__main__":
    main()
