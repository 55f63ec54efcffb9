"""Search at scale: building an index of 100,000 sections, the CPU of a question at 10,000 and at 100,000, and whether it still finds.

The texts are long assistant chats from the shared data (`beam_500k_part`); without them made-up ones take their place, and recall is not
told. Budgets: build ≤ 20 s CPU; p50 / p95 ≤ 4 / 10 ms at 10,000 and ≤ 20 / 60 ms at 100,000.
"""

from __future__ import annotations

import gzip
import json
import os
import random
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from desktop.search.index import SearchIndex
from desktop.search.passage import Document
from tests.bench.retrieval import passages_of
from tests.helpers.data import data_file

Chat = tuple[str, list[tuple[Any, str]], list[tuple[str, frozenset[Any]]]]


def chats(file: Path) -> Iterator[Chat]:
    """(name, [(message id, text with its role)], [(question, evidence)]) of each chat of the set."""
    with gzip.open(file, "rt", encoding="utf-8") as lines:
        for number, line in enumerate(lines):
            chat = json.loads(line)
            messages = [(m["id"], f"{m['role']}: {m['content']}") for m in chat["messages"]]
            have = frozenset(identity for identity, _ in messages)
            questions = [
                (str(q["question"]), evidence)
                for found in chat["questions"].values()
                for q in found
                if (evidence := _numbers(q.get("source_chat_ids")) & have)
            ]
            yield f"chat-{number}", messages, questions


def _numbers(value: object) -> frozenset[int]:
    if isinstance(value, dict):
        return frozenset().union(*map(_numbers, value.values()))
    if isinstance(value, list):
        return frozenset().union(*map(_numbers, value))
    return frozenset((value,)) if isinstance(value, int) else frozenset()


def made_up(count: int) -> Iterator[Chat]:
    """Chats of random words, of the same size, where the shared data is not there."""
    source = random.Random(4)
    words = [f"w{number:05d}" for number in range(30_000)]
    for number in range(count):
        messages = [(n, f"user: {' '.join(source.choices(words, k=220))}") for n in range(1_500)]
        yield f"chat-{number}", messages, [(" ".join(source.choices(messages[n][1].split()[1:], k=6)), frozenset((n,))) for n in range(5)]


def documents(found: Iterable[Chat], most: int) -> tuple[list[Document], list[Chat]]:
    """Whole chats as documents, up to `most` passages in all."""
    taken: list[Document] = []
    used: list[Chat] = []
    total = 0
    for chat in found:
        name, messages, _ = chat
        passages = tuple(p for unit, (_, text) in enumerate(messages) for p in passages_of(text, unit))[: most - total]
        taken.append(Document(name, "sessions", name, "session", "1", passages))
        used.append(chat)
        total += len(passages)
        if total >= most:
            break
    return taken, used


def measure(index: SearchIndex, asked: Sequence[tuple[str, str, frozenset[Any]]], ids: dict[str, list[Any]], real: bool) -> None:
    """Ask everything once cold and print the CPU of each, and how often some evidence is among the first five."""
    spent: list[float] = []
    hits = 0
    for name, question, evidence in asked:
        began = time.process_time()
        found = index.search(question, limit=5, floor=0.0)
        spent.append((time.process_time() - began) * 1000)
        hits += any(hit.document == name and ids[name][hit.unit] in evidence for hit in found.hits)
    spent.sort()
    p95 = spent[min(len(spent) - 1, round(0.95 * (len(spent) - 1)))]
    print(f"    question CPU: p50 {statistics.median(spent):.1f} ms, p95 {p95:.1f} ms (n={len(spent)}, each asked once)")
    if real:
        print(f"    evidence among the first five, over all chats at once: {hits / max(1, len(asked)):.3f}")


def run(most: int, found: Iterable[Chat], real: bool, budget: str) -> None:
    folder = Path(tempfile.mkdtemp(prefix="bench-search-"))
    try:
        taken, used = documents(found, most)
        index = SearchIndex(folder / "index.sqlite")
        began = time.process_time()
        index.update(taken)
        index.optimize()
        built = time.process_time() - began
        count = index.count()[1]
        size = sum(file.stat().st_size for file in folder.iterdir()) >> 20
        print(f"{count:,} passages: built in {built:.1f} s CPU, {size} MiB   (budget {budget})")
        asked = [(name, question, evidence) for name, _, questions in used for question, evidence in questions]
        measure(index, asked, {name: [identity for identity, _ in messages] for name, messages, _ in used}, real)
        index.close()
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    file = data_file("beam/beam_500k_part.jsonl.gz")
    real = file.is_file()
    sizes = os.environ.get("KEEPSAKE_BENCH_SIZES", "10000,100000")
    for size in map(int, sizes.split(",")):
        budget = "build 20 s; question 20 / 60 ms" if size > 10_000 else "question 4 / 10 ms"
        run(size, chats(file) if real else made_up(60), real, budget)
    return 0


if __name__ == "__main__":
    sys.exit(main())
