"""What keywords in both languages are worth without a model: memories as files with and without `keywords` in their header, asked in
both languages through the product's search of memory, whose glossary widens a question by itself: so with it and without it too.

The keywords are made from a memory's own text alone, through the product's general glossary, in the other language, at most as many as
an extraction keeps (`checked_keywords`). The questions are never looked at. Files have numbers for names: no word comes in by the path.
Three sets: memories of a coding agent (what the glossary is about); `bilingual.PAIRS`, of the same field, written without looking into the
glossary; memories of daily life (what it is not about), asked in one language of the same memories in the other. Prints hit@5 by direction.
KEEPSAKE_BENCH_KEYWORDS=FILE takes the keywords of the first set from a JSON object {id: [word, …]}, for those that a model wrote.
"""

from __future__ import annotations

import json
import os
import sys
import tempfile
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

from desktop.memory.search import MemorySearch
from desktop.providers.embedded_notes import checked_keywords
from desktop.search.segment import language_of
from tests.bench.bench_memory_headers import later
from tests.bench.bench_retrieval import as_text, harness
from tests.bench.bench_search_files import memories_in
from tests.bench.bilingual import PAIRS
from tests.helpers.clock import FixedClock
from tests.helpers.data import data_file

KEYWORDS = "KEEPSAKE_BENCH_KEYWORDS"
FIRST = 5
Memory = Mapping[str, Any]
Hits = dict[str, list[bool]]
"""By direction (language of the question > language of the memory), whether each question was answered among the first five."""


def lines(name: str) -> list[dict[str, Any]]:
    text = data_file(f"codemem/{name}.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def equivalents(memory: Memory) -> tuple[str, ...]:
    """Words of the other language for what a memory says, from the glossary."""
    from desktop.search.glossary import others

    text = f"{memory['name']}\n{memory['description']}\n{memory['body']}"
    wide = language_of(text) == "cjk"
    words = [term.shown for term in others(text) if term.shown.isascii() == wide]
    return checked_keywords(words, text)


def note(memory: Memory, keywords: Sequence[str]) -> str:
    """The file."""
    header = [f"name: {json.dumps(memory['name'], ensure_ascii=False)}"]
    header += [f"description: {json.dumps(memory['description'], ensure_ascii=False)}", "metadata:", f"  type: {memory['type']}"]
    if keywords:
        header.append(f"  keywords: {json.dumps(list(keywords), ensure_ascii=False)}")
    return "\n".join(["---", *header, "---", "", str(memory["body"]), ""])


def ask(memories: Sequence[Memory], questions: Sequence[Memory], words: Callable[[Memory], Sequence[str]], *, glossary: bool) -> Hits:
    """Write the files, ask every question, tell which were answered.

    Args:
        glossary: the product's own widening of a question is left on.
    """
    from desktop.search.rank import WEIGHTS

    language = {memory["id"]: memory["lang"] for memory in memories}
    hits: Hits = {}
    with tempfile.TemporaryDirectory() as folder:
        own, paths = memories_in(Path(folder))
        root = own.root("project")
        assert root is not None
        root.folder.mkdir(parents=True, exist_ok=True)
        names = {}
        for number, memory in enumerate(memories):
            names[f"n{number:03d}.md"] = memory["id"]
            (root.folder / f"n{number:03d}.md").write_text(note(memory, words(memory)), encoding="utf-8")
        search = MemorySearch(paths, FixedClock(), now_ns=later, weights=None if glossary else replace(WEIGHTS, other=0.0))
        for question in questions:
            found = [names[hit.path] for hit in search.search(own, question["q"], limit=FIRST, dense=False).hits if hit.score > 0]
            answered = bool(set(found) & set(question["gold"]))
            hits.setdefault(f"{question['lang']}>{language[question['gold'][0]]}", []).append(answered)
        search.close()
    return hits


def unseen() -> tuple[list[Memory], list[Memory]]:
    """(memories, questions) of `bilingual.PAIRS`."""
    memories: list[Memory] = []
    questions: list[Memory] = []
    for number, (language, name, description, body, question) in enumerate(PAIRS):
        memories.append({"id": number, "lang": language, "type": "project", "name": name, "description": description, "body": body})
        questions.append({"q": question, "lang": "en" if language == "zh" else "zh", "gold": [number]})
    return memories, questions


def daily_life() -> list[tuple[list[Memory], list[Memory]]]:
    """(memories of one language, questions of the other) for each direction; none without the harness."""
    score = harness()
    if score is None or not data_file("madial").is_dir():
        return []
    found = {language: score.datasets.madial(language)[0] for language in ("zh", "en")}
    sets: list[tuple[list[Memory], list[Memory]]] = []
    for asked, told in (("zh", "en"), ("en", "zh")):
        memories: list[Memory] = [
            {"id": identity, "lang": told, "type": "user", "name": text.split(maxsplit=1)[1][:40], "description": "", "body": text}
            for identity, text, _ in found[told][0]
        ]
        sets.append((memories, [{"q": text, "lang": asked, "gold": sorted(gold)} for text, gold, _ in found[asked][1]]))
    return sets


def table(columns: Mapping[str, Hits], *, total: bool) -> list[list[str]]:
    """hit@5 by direction, a column for each way of writing the files."""
    first = next(iter(columns.values()))
    rows = [["question > memory", "n", *columns]]
    for kind in (*sorted(first), *["all"] * total):
        found = [hits[kind] if kind in hits else [one for values in hits.values() for one in values] for hits in columns.values()]
        rows.append([kind, str(len(found[0])), *(f"{sum(values) / len(values):.3f}" for values in found)])
    return rows


def compared(memories: Sequence[Memory], questions: Sequence[Memory], words: Callable[[Memory], Sequence[str]]) -> dict[str, Hits]:
    """With keywords in the files, with the glossary at the question, with both and with neither; prints how many keywords there are."""
    counts = [len(words(memory)) for memory in memories]
    having = sum(map(bool, counts))
    print(f"    {len(memories)} memories, {having} of them with keywords, {sum(counts) / max(1, having):.1f} each; no model")
    ways = {"neither": (none, False), "keywords": (words, False), "glossary": (none, True), "both": (words, True)}
    return {name: ask(memories, questions, told, glossary=glossary) for name, (told, glossary) in ways.items()}


def none(memory: Memory) -> Sequence[str]:
    return ()


def given_words(file: str) -> Callable[[Memory], Sequence[str]]:
    """What a file says of each memory; `equivalents` without one."""
    if not file:
        return equivalents
    given: dict[str, list[str]] = json.loads(Path(file).read_text(encoding="utf-8"))
    return lambda memory: checked_keywords(given.get(memory["id"]), str(memory["body"]))


def main() -> int:
    if data_file("codemem/memories.jsonl").is_file():
        print("memories of a coding agent, hit@5:")
        print(as_text(table(compared(lines("memories"), lines("queries"), given_words(os.environ.get(KEYWORDS, ""))), total=True)))
    else:
        print("    the bilingual memories (codemem) are not beside this checkout: that set is left out")
    print("the same field, written without looking into the glossary, hit@5:")
    print(as_text(table(compared(*unseen(), equivalents), total=True)))
    for memories, questions in daily_life():
        print("memories of daily life in the other language, hit@5:")
        print(as_text(table(compared(memories, questions, equivalents), total=False)))
    return 0


if __name__ == "__main__":
    sys.exit(main())
