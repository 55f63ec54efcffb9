"""Trains the sentence classifier of the extraction guards and writes its weights; with `--check` it cross-validates and writes nothing.

`python -m tests.bench.train_extraction [--check]`. The sentences are `tests/bench/extraction/train_*.jsonl`, written for this purpose:
one pattern a line (`{a|b}` stands for either word), expanded to at most sixteen sentences by a fixed seed of its own. `train_known` holds
the lists of the guards' own tests: the forms were made by them, so whether a form takes them is not told to the classifier. Logistic
regression with a quadratic penalty over all sentences at once, the same steps on every machine; a pattern weighs as the root of the
number of its sentences. Cross-validation leaves whole patterns out.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop.base.resources import resource_path
from desktop.providers.embedded_classifier import ABOUT, FOLDER, TYPE_BUCKETS, TYPES, WEIGHTS, row_of
from desktop.providers.embedded_ngrams import BUCKETS, features
from desktop.providers.embedded_sentences import sentences, spelled_out
from desktop.providers.embedded_statements import may_be_admitted, taken_by_form

SOURCE = Path(__file__).parent / "extraction"
MOST_OF_A_PATTERN = 16
SEED = 7
PENALTY = 4e-6
STEPS, RATE = 300, 0.05
FOLDS = 5
_CHOICE = re.compile(r"\{([^{}]*)\}")
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence to learn from.

    Attributes:
        row, plain: its features, with what the guards see and without it (for the type).
        keep, type: whether it is worth remembering, and as what (`keep`: not told).
        pattern, weight: which pattern it was made of, and what it counts.
        taken, may: a form of the guards takes it; the classifier may let it in.
        known: it is of the lists by which the forms were made.
    """

    row: dict[int, float]
    keep: bool
    pattern: int
    weight: float
    chinese: bool
    taken: bool
    may: bool
    known: bool
    type: str
    plain: dict[int, float]


def main() -> None:
    """Trains and writes, or cross-validates."""
    found = examples()
    print(f"{len({one.pattern for one in found})} patterns, {len(found)} sentences, {sum(one.keep for one in found)} to be kept")
    if "--check" in sys.argv:
        check(found)
        return
    raw, about = trained(found)
    resource_path(FOLDER).mkdir(exist_ok=True)
    resource_path(FOLDER, WEIGHTS).write_bytes(raw)
    resource_path(FOLDER, ABOUT).write_text(about, encoding="utf-8")
    print(f"written: {len(raw)} bytes")


def trained(found: Sequence[Example]) -> tuple[bytes, str]:
    """The weights and what is to be known of them, as the two files hold them."""
    parts = [quantised(*fit(found)), *(quantised(weights, bias) for weights, bias in fit_types(found))]
    raw = b"".join(part for part, _, _ in parts)
    about = {"sha256": sha256(raw).hexdigest(), "sentences": len(found), "scales": [[scale, bias] for _, scale, bias in parts]}
    return raw, json.dumps(about, indent=2) + "\n"


# --- sentences ----------------------------------------------------------------------------------------------------------


def examples() -> list[Example]:
    """All sentences to learn from."""
    found: list[Example] = []
    number = 0
    for path in sorted(SOURCE.glob("train_*.jsonl")):
        known = path.stem == "train_known"
        for line in path.read_text(encoding="utf-8").splitlines():
            raw = json.loads(line)
            number += 1
            texts = [raw["say"]] if known else expanded(raw["say"])
            made = (_example(text, raw["type"], number, len(texts) ** -0.5, known=known) for text in texts)
            found += [one for one in made if one is not None]
    return found


def _example(text: str, kind: str, pattern: int, weight: float, *, known: bool) -> Example | None:
    parts = sentences(spelled_out(text))
    if not parts:
        return None
    longest = max(parts, key=lambda one: len(one.text))
    taken = taken_by_form(longest)
    return Example(
        row_of(longest, known=None if known else taken),
        kind != "none",
        pattern,
        weight,
        not text.isascii(),
        taken,
        may_be_admitted(longest),
        known,
        kind,
        features(longest.masked),
    )


def expanded(pattern: str) -> list[str]:
    """At most sixteen different sentences of a pattern, drawn by a seed of its own, so that a new pattern changes no other."""
    rng = random.Random(f"{SEED} {pattern}")
    found: dict[str, None] = {}
    for _ in range(MOST_OF_A_PATTERN * MOST_OF_A_PATTERN):
        text = pattern
        while match := _CHOICE.search(text):
            text = text[: match.start()] + rng.choice(match.group(1).split("|")) + text[match.end() :]
        found[re.sub(r"\s+", " ", re.sub(r"\s+([,，?？])", r"\1", text)).strip()] = None
        if len(found) == MOST_OF_A_PATTERN:
            break
    return list(found)


# --- learning -----------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Adam:
    """Steps down a slope; the last entry of each row is the bias, without penalty."""

    weights: Floats
    mean: Floats
    square: Floats
    steps: int = 0

    def step(self, slope: Floats) -> None:
        slope[..., :-1] += PENALTY * self.weights[..., :-1]
        self.steps += 1
        self.mean = 0.9 * self.mean + 0.1 * slope
        self.square = 0.999 * self.square + 0.001 * slope * slope
        rate = RATE * (1 - 0.999**self.steps) ** 0.5 / (1 - 0.9**self.steps)
        self.weights -= rate * self.mean / (np.sqrt(self.square) + 1e-9)


def _adam(*shape: int) -> _Adam:
    return _Adam(np.zeros(shape), np.zeros(shape), np.zeros(shape))


@dataclass(frozen=True, slots=True)
class _Sparse:
    """Rows of features: of each entry its row, its bucket and its value."""

    row: NDArray[np.int64]
    at: NDArray[np.int64]
    value: Floats
    rows: int
    buckets: int

    def times(self, weights: Floats) -> Floats:
        found: Floats = np.bincount(self.row, self.value * weights[self.at], self.rows) + weights[-1]
        return found

    def slope(self, error: Floats) -> Floats:
        return np.append(np.bincount(self.at, self.value * error[self.row], self.buckets), error.sum())


def _sparse(rows: Sequence[dict[int, float]], buckets: int) -> _Sparse:
    at = np.array([bucket % buckets for row in rows for bucket in row])
    value = np.array([value for row in rows for value in row.values()])
    return _Sparse(np.repeat(np.arange(len(rows)), [len(row) for row in rows]), at, value, len(rows), buckets)


def _shares(found: Sequence[Example]) -> Floats:
    share = np.array([one.weight for one in found])
    shares: Floats = share / share.sum()
    return shares


def fit(found: Sequence[Example]) -> tuple[Floats, float]:
    """The weights of the buckets and the bias: logistic regression over all sentences at once."""
    rows, share = _sparse([one.row for one in found], BUCKETS), _shares(found)
    wanted = np.array([float(one.keep) for one in found])
    adam = _adam(BUCKETS + 1)
    for _ in range(STEPS):
        adam.step(rows.slope((1 / (1 + np.exp(-rows.times(adam.weights))) - wanted) * share))
    return adam.weights[:-1], float(adam.weights[-1])


def fit_types(found: Sequence[Example]) -> list[tuple[Floats, float]]:
    """The same for each of `TYPES`, by softmax over the sentences that are to be kept and whose type is told."""
    typed = [one for one in found if one.type in TYPES]
    rows, share = _sparse([one.plain for one in typed], TYPE_BUCKETS), _shares(typed)
    wanted = np.array([[float(one.type == kind) for kind in TYPES] for one in typed])
    adam = _adam(len(TYPES), TYPE_BUCKETS + 1)
    for _ in range(STEPS):
        odds = np.stack([rows.times(weights) for weights in adam.weights], axis=1)
        likely = np.exp(odds - odds.max(axis=1, keepdims=True))
        error = (likely / likely.sum(axis=1, keepdims=True) - wanted) * share[:, None]
        adam.step(np.stack([rows.slope(error[:, number]) for number in range(len(TYPES))]))
    return [(weights[:-1], float(weights[-1])) for weights in adam.weights]


def quantised(weights: Floats, bias: float) -> tuple[bytes, float, float]:
    """The weights as signed bytes, what one step of them is worth, and the bias."""
    scale = float(np.abs(weights).max()) / 127
    return np.round(weights / scale).astype(np.int8).tobytes(), round(scale, 9), round(bias, 6)


def odds_of(weights: Floats, bias: float, found: Sequence[Example]) -> Floats:
    """The log odds of sentences."""
    return np.array([bias + sum(weights[bucket] * value for bucket, value in one.row.items()) for one in found])


# --- measuring ----------------------------------------------------------------------------------------------------------


def cross_validated(found: Sequence[Example]) -> tuple[list[Example], Floats]:
    """The sentences that are not of the known lists, each with the odds of a classifier that has seen nothing of its pattern."""
    own = [one for one in found if not one.known]
    known = [one for one in found if one.known]
    patterns = sorted({one.pattern for one in own})
    random.Random(SEED).shuffle(patterns)
    fold = {pattern: number % FOLDS for number, pattern in enumerate(patterns)}
    odds = np.zeros(len(own))
    for number in range(FOLDS):
        weights, bias = fit([one for one in own if fold[one.pattern] != number] + known)
        held = [index for index, one in enumerate(own) if fold[one.pattern] == number]
        odds[held] = odds_of(weights, bias, [own[index] for index in held])
    return own, odds


def check(found: Sequence[Example]) -> None:
    """What forms alone, the classifier alone and both do with sentences whose pattern was left out, by threshold."""
    own, odds = cross_validated(found)
    keep = np.array([one.keep for one in own])
    taken, may = np.array([one.taken for one in own]), np.array([one.may for one in own])
    for name, part in (
        ("all", np.ones(len(own), bool)),
        ("english", np.array([not one.chinese for one in own])),
        ("chinese", np.array([one.chinese for one in own])),
    ):
        print(f"{name}, n = {part.sum()}: forms alone: left {_share(~taken, part & ~keep)}, kept {_share(taken, part & keep)}")
        for veto in (-9.0, -1.0, -0.5, 0.0, 0.5, 1.0):
            for admit in (1.0, 1.5, 2.0, 2.5):
                both = (taken & (odds >= veto)) | (~taken & may & (odds >= admit))
                print(f"  veto below {veto}, admit from {admit}: left {_share(~both, part & ~keep)}, kept {_share(both, part & keep)}")


def _share(hit: NDArray[np.bool_], of: NDArray[np.bool_]) -> str:
    return f"{(hit & of).sum() / of.sum():.3f}"


if __name__ == "__main__":
    main()
