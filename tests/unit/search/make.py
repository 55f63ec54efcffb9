"""A small corpus in two languages, an encoder with made-up vectors, and what an index answers, so that two indexes can be compared."""

from __future__ import annotations

import math
import re
import zlib
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any

import numpy

from desktop.search.index import SearchIndex
from desktop.search.passage import Document, Passage

TOPICS = (
    ("build", "The build runs with bun, never npm; parseHeader lives in src/http/header.py since v2.10.3."),
    ("database", "We keep orders in postgres on port 5433. The staging copy is refreshed on Mondays."),
    ("deploy", "Deployments happen on Fridays at 17:00 unless the release captain says otherwise."),
    ("记忆", "我们决定使用端口 5433 连接数据库，测试环境每周一刷新。"),
    ("部署", "部署在周五下午五点进行，除非发布负责人另有说明。"),
    ("style", "Prefer dataclasses over dicts; keep functions small and say why in comments."),
    ("emoji", "The rocket 🚀 marks a release, the bug 🐛 a fix."),
    ("travel", "Melanie: I went camping in the mountains last weekend and saw a fox."),
)
QUERIES = (
    "build with bun",
    "port 5433",
    "端口 数据库",
    "部署 周五",
    "who went camping",
    "parseHeader",
    "release rocket 🚀",
    "fact 17",
    "deploym*",
)


def document(number: int, *, version: int = 1, passages: int = 3) -> Document:
    """A document like a transcript: several units, roles, labels; equal numbers give equal documents."""
    name, text = TOPICS[number % len(TOPICS)]
    made = tuple(
        Passage(
            f"{text} This is fact {number} part {part} of version {version}.",
            unit=part,
            title=f"{name} {number}" if part == 0 else "",
            role=("user", "assistant", "")[part % 3],
            time=1_700_000_000.0 + number * 60 + part,
            ref=f"line:{part + 1}",
        )
        for part in range(passages)
    )
    kinds = ("project", "feedback", "user")
    scope = ("projects", "global")[number % 2]
    return Document(key(number), scope, f"{scope}-1", kinds[number % 3], f"v{version}", made, 1.0 + number % 4 / 10, 1.7e9)


def key(number: int) -> str:
    return f"root/{number:04}.md"


def corpus(count: int = 24) -> list[Document]:
    return [document(number) for number in range(count)]


class WordVectors:
    """Vectors of words by their checksums: texts that share words are near each other. Counts what it was asked for."""

    languages: frozenset[str] | None = None
    share = 0.5

    def __init__(self, identity: str = "words-1", dimensions: int = 32) -> None:
        self.id = identity
        self.dimensions = dimensions
        self.encoded = 0

    def passages(self, texts: Sequence[str]) -> Any:
        self.encoded += len(texts)
        return numpy.array([self.query(text) for text in texts], dtype=numpy.float32).reshape(len(texts), self.dimensions)

    def query(self, text: str) -> Any:
        vector = numpy.zeros(self.dimensions, dtype=numpy.float32)
        for word in re.findall(r"[a-z0-9]+|[\u4e00-\u9fff]", text.lower()):
            vector[zlib.crc32(word.encode()) % self.dimensions] += 1
        return vector / (math.sqrt(float(vector @ vector)) or 1.0)


def opened(file: Path | None, encoder: WordVectors | None = None) -> SearchIndex:
    return SearchIndex(file, encoder=None if encoder is None else lambda: encoder, patience_s=30.0)


def reconcile(index: SearchIndex, documents: Iterable[Document]) -> int:
    """What every user of an index does: put in what is missing or changed, take out what is gone."""
    wanted = {one.key: one for one in documents}
    have = index.fingerprints()
    changed = [one for one in wanted.values() if have.get(one.key) != one.fingerprint]
    return index.update(changed, [name for name in have if name not in wanted])


def answers(index: SearchIndex, queries: Iterable[str] = QUERIES, *, dense: bool = False) -> list[list[tuple[Any, ...]]]:
    """Document, unit, score and snippet of what is found; scores of vectors to three digits, since floats are added in any order."""
    found = []
    for query in queries:
        hits = index.search(query, limit=8, dense=dense).hits
        found.append(
            [(h.document, h.unit, round(h.score, 3 if dense else 6), h.snippet, h.marks, h.title, h.role, h.time, h.text) for h in hits]
        )
    return found


def fresh_answers(documents: Iterable[Document], queries: Iterable[str] = QUERIES) -> list[list[tuple[Any, ...]]]:
    """What an index answers that was filled just now."""
    index = opened(None)
    index.update(list(documents))
    found = answers(index, queries)
    index.close()
    return found
