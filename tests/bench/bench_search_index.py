"""The file of a search index: CPU of fingerprints, of one change in a large one, of opening with and without its stamp, of a full look.

Budgets: fingerprints of 10,000 documents as part of the 250 ms of a reconcile; a saved memory is found within 50 ms (update and search);
opening a file that was closed in order ≤ 10 ms; a full look at 10,000 and 100,000 passages ≤ 0.5 and 5 s; a rebuild of 10,000 memories
≤ 10 s, of 100,000 messages ≤ 20 s. Run it as `python -m tests.bench.bench_search_index`; KEEPSAKE_BENCH_SIZES as for `bench_search`.
"""

from __future__ import annotations

import os
import random
import statistics
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage

WORDS = 20_000
MESSAGES = 100
"""Passages of one document of the large index: a block of a transcript."""


def text(source: random.Random, words: int = 75) -> str:
    return " ".join(f"w{min(int(source.paretovariate(0.6)), WORDS)}" for _ in range(words))


def documents(passages: int, a_document: int) -> Iterator[Document]:
    """Documents of so many passages each, of words as frequent as in real text."""
    source = random.Random(7)
    for number in range(passages // a_document):
        made = tuple(Passage(text(source), unit=unit, time=float(unit)) for unit in range(a_document))
        yield Document(f"root/{number:06}", "projects", "p", "project", f"fingerprint-{number}", made)


def cpu(action: Callable[[], object]) -> float:
    started = time.process_time()
    action()
    return time.process_time() - started


def median(action: Callable[[], object], rounds: int = 7) -> float:
    return statistics.median(cpu(action) for _ in range(rounds))


def line(what: str, seconds: float, budget: str) -> None:
    print(f"    {what}: {seconds * 1000:,.1f} ms CPU (budget {budget})")


def opening(file: Path) -> float:
    """CPU of opening and asking for one fingerprint."""
    index = SearchIndex(file)
    spent = cpu(lambda: index.fingerprints("root/000001"))
    assert index.rebuilt == 0
    index.close()
    return spent


def saved_and_found(index: SearchIndex, rounds: int = 15) -> tuple[float, float]:
    """Median and worst CPU of one small document put in and found by its own word."""
    spent = []
    for number in range(rounds):
        word = f"zyx{number:03}abc"
        one = Document(f"saved/{number}", "projects", "p", "project", "1", (Passage(f"The word of this one is {word}.", time=9e9),))

        def save(one: Document = one, word: str = word) -> None:
            index.update([one])
            hits = index.search(word, limit=5).hits
            assert [hit.document for hit in hits][:1] == [one.key]

        spent.append(cpu(save))
    return statistics.median(spent), max(spent)


def measure(passages: int, a_document: int, folder: Path) -> None:
    file = folder / f"index-{passages}-{a_document}.sqlite"
    index = SearchIndex(file)
    made = list(documents(passages, a_document))
    built = cpu(lambda: index.update(made))
    large = passages > 10_000
    print(f"{index.count()[0]:,} documents, {index.count()[1]:,} passages")
    line("filling it, as after damage", built, "20 s" if large else "10 s")
    line("fingerprints of all documents", median(index.fingerprints), "50 ms")
    index.search("w3 w17 w400", limit=5)
    usual, worst = saved_and_found(index)
    line("one memory put in and found, median", usual, "50 ms")
    line("one memory put in and found, worst", worst, "-")
    changed = made[len(made) // 2]
    moved = Document(changed.key, "projects", "p", "project", "2", (Passage("new at the top"), *changed.passages[: a_document - 1]))
    line("one document with a new top", cpu(lambda: index.update([moved])), "-")
    line("one document taken out", cpu(lambda: index.update([], [made[0].key])), "-")
    line("a message added to a document", cpu(lambda: index.extend(made[1].key, "3", [Passage("one more")])), "10 ms")
    line("a full look", cpu(index.check), "5 s" if large else "0.5 s")
    line("nothing left of what was deleted (scrub)", cpu(index.scrub), "-")
    line("closing it", cpu(index.close), "-")
    line("opening it with its stamp", opening(file), "10 ms")
    file.with_name(file.name + ".stamp").unlink()
    line("opening it without", opening(file), "5 s" if large else "0.5 s")


def main() -> int:
    sizes = [int(size) for size in os.environ.get("KEEPSAKE_BENCH_SIZES", "10000,100000").split(",")]
    with tempfile.TemporaryDirectory(prefix="bench-index-") as folder:
        for size in sizes:
            measure(size, 1 if size <= 10_000 else MESSAGES, Path(folder))
    return 0


if __name__ == "__main__":
    sys.exit(main())
