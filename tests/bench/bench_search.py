"""Search at scale: building an index of 100,000 sections, the CPU of a question at 10,000 and at 100,000, and whether it still finds.

The texts are long assistant chats from the shared data (`beam_500k_part`); without them made-up ones take their place, and recall is not
told. Budgets: build ≤ 20 s CPU; p50 / p95 ≤ 4 / 10 ms at 10,000 and ≤ 20 / 60 ms at 100,000; with vectors p95 ≤ 120 ms at 100,000. All of
it is CPU time of this process. KEEPSAKE_BENCH_SIZES chooses other numbers of passages. Memory files and sessions: bench_search_files.py.
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
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from desktop.search.index import SearchIndex
from desktop.search.passage import Document
from tests.bench.retrieval import passages_of
from tests.helpers.data import data_file

if TYPE_CHECKING:
    import numpy

Chat = tuple[str, list[tuple[Any, str]], list[tuple[str, frozenset[Any]]]]


class Unrelated:
    """An encoder without a model: a vector of chance for every text, so that only storing, reading and the scan are measured."""

    id, dimensions, share, languages = "unrelated-1", 384, 0.5, None

    def __init__(self) -> None:
        from desktop.search.arrays import numpy

        self._source = numpy.random.default_rng(4)
        self._norm = numpy.linalg.norm

    def passages(self, texts: Sequence[str]) -> numpy.ndarray:
        made: numpy.ndarray = self._source.standard_normal((len(texts), self.dimensions), dtype="float32")
        made /= self._norm(made, axis=1, keepdims=True)
        return made

    def query(self, text: str) -> numpy.ndarray:
        return self.passages([text]).reshape(-1)


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


@dataclass(frozen=True, slots=True)
class Asked:
    """Questions with where their evidence is: name of the chat, question, ids of messages; and the ids of each chat's messages."""

    questions: list[tuple[str, str, frozenset[Any]]]
    ids: dict[str, list[Any]]


def asked_of(used: Iterable[Chat]) -> Asked:
    known = list(used)
    questions = [(name, question, evidence) for name, _, questions in known for question, evidence in questions]
    return Asked(questions, {name: [identity for identity, _ in messages] for name, messages, _ in known})


def measure(index: SearchIndex, asked: Asked, real: bool, *, dense: bool, budget: str) -> None:
    """Ask everything once and print the CPU of each, and how often some evidence is among the first five."""
    spent: list[float] = []
    hits = 0
    for name, question, evidence in asked.questions:
        began = time.process_time()
        found = index.search(question, limit=5, floor=0.0, dense=dense)
        spent.append((time.process_time() - began) * 1000)
        hits += any(hit.document == name and asked.ids[name][hit.unit] in evidence for hit in found.hits)
    print(f"    question CPU{', words and vectors' * dense}: {shown(spent)} (n={len(spent)}, each asked once; budget {budget})")
    if real and not dense:
        print(f"    evidence among the first five, over all chats at once: {hits / max(1, len(spent)):.3f}")


def shown(spent: Sequence[float]) -> str:
    """p50 and p95 of milliseconds."""
    ordered = sorted(spent)
    p95 = ordered[min(len(ordered) - 1, round(0.95 * (len(ordered) - 1)))]
    return f"p50 {statistics.median(ordered):.1f} ms, p95 {p95:.1f} ms"


def seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def run(most: int, found: Iterable[Chat], real: bool) -> None:
    """One size: build, ask by words, store a vector for each passage, ask by both."""
    large = most > 10_000
    folder = Path(tempfile.mkdtemp(prefix="bench-search-"))
    encoder = Unrelated()
    index = SearchIndex(folder / "index.sqlite", encoder=lambda: encoder)
    try:
        taken, used = documents(found, most)
        built = seconds(lambda: index.update(taken)) + seconds(index.optimize)
        size = sum(file.stat().st_size for file in folder.iterdir()) >> 20
        print(f"{index.count()[1]:,} passages: built in {built:.1f} s CPU, {size} MiB{'   (budget 20 s)' * large}")
        asked = asked_of(used)
        measure(index, asked, real, dense=False, budget="20 / 60 ms" if large else "4 / 10 ms")
        stored = seconds(index.encode)
        first = seconds(lambda: index.search("which vectors are read at the first question", dense=True))
        print(f"    vectors of {encoder.dimensions} numbers: stored in {stored:.1f} s CPU, read at the first question in {first:.2f} s")
        measure(index, asked, real, dense=True, budget="p95 120 ms" if large else "none")
    finally:
        index.close()
        shutil.rmtree(folder, ignore_errors=True)


def main() -> int:
    file = data_file("beam/beam_500k_part.jsonl.gz")
    real = file.is_file()
    sizes = os.environ.get("KEEPSAKE_BENCH_SIZES", "10000,100000")
    for size in map(int, sizes.split(",")):
        run(size, chats(file) if real else made_up(60), real)
    return 0


if __name__ == "__main__":
    sys.exit(main())
