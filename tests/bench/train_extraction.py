"""Trains the sentence classifier of the extraction guards and writes its weights; with `--check` it cross-validates and writes nothing.

`python -m tests.bench.train_extraction [--check]`. The sentences are `tests/bench/extraction/train_*.jsonl`, written for this purpose:
one pattern a line (`{a|b}` stands for either word), expanded to at most sixteen sentences by a fixed seed of its own. `train_messages_*`
hold whole messages: what is worth keeping in one is marked (`[[user: i'm a nurse]]`), each of its sentences is learnt with what is around
it. `train_known` holds the lists of the guards' own tests: the forms were made by them, so whether a form takes them is not told to the
classifier. Logistic
regression with a quadratic penalty over all sentences at once, the same steps on every machine; a pattern weighs as the root of the
number of its sentences. Cross-validation leaves whole patterns out.
"""

from __future__ import annotations

import json
import random
import re
import sys
from collections.abc import Sequence
from dataclasses import dataclass, replace
from hashlib import sha256
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from desktop.base.resources import resource_path
from desktop.providers.embedded_classifier import ABOUT, FOLDER, TYPE_BUCKETS, TYPES, WEIGHTS, row_in_message, row_of
from desktop.providers.embedded_guards import is_rule
from desktop.providers.embedded_ngrams import BUCKETS, features
from desktop.providers.embedded_sentences import sentences, spelled_out
from desktop.providers.embedded_signs import may_last
from desktop.providers.embedded_statements import admissible, judged, may_be_admitted, parts_of, taken_by_form
from desktop.providers.embedded_surroundings import ALONE, Surroundings

SOURCE = Path(__file__).parent / "extraction"
MOST_OF_A_PATTERN = 16
SEED = 7
PENALTY = 4e-6
STEPS, RATE = 300, 0.05
FOLDS = 5
MESSAGE_WEIGHT = 1.0
_CHOICE = re.compile(r"\{([^{}]*)\}")
_KEPT = re.compile(r"\[\[(?P<type>user|feedback|project|reference|keep): (?P<text>.*?)\]\]", re.S)
Floats = NDArray[np.float64]


@dataclass(frozen=True, slots=True)
class Example:
    """One sentence to learn from.

    Attributes:
        row, lone, plain: its features with what is around it, those of a lone sentence (None for one of a message), and those without what
            the guards see, for the type.
        keep, type: whether it is worth remembering, and as what (`keep`: not told).
        pattern, weight: which pattern it was made of, and what it counts.
        taken, may: a form of the guards takes it; the classifier may let it in.
        known: it is of the lists by which the forms were made.
        around, lasts: what is around it in its message; a sign says that it holds for good.
    """

    row: dict[int, float]
    lone: dict[int, float] | None
    keep: bool
    pattern: int
    weight: float
    chinese: bool
    taken: bool
    may: bool
    known: bool
    type: str
    plain: dict[int, float]
    around: Surroundings
    lasts: bool


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
    parts = [quantised(*fit(alone(found))), quantised(*fit(found)), *(quantised(weights, bias) for weights, bias in fit_types(found))]
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
            weight = len(texts) ** -0.5
            for text in texts:
                if path.stem.startswith("train_messages"):
                    found += _of_message(text, number, weight * MESSAGE_WEIGHT)
                else:
                    found += _example(text, raw["type"], number, weight, known=known)
    return found


def plain_and_kept(marked: str) -> tuple[str, list[tuple[str, str]]]:
    """A message without its marks, and what was marked as (type, text)."""
    kept = [(match["type"], match["text"]) for match in _KEPT.finditer(marked)]
    return _KEPT.sub(lambda match: match["text"], marked), kept


def _of_message(marked: str, number: int, weight: float) -> list[Example]:
    """Each sentence of a message with what is around it; questions that no form takes a part of are none, since nothing admits them."""
    text, kept = plain_and_kept(marked)
    made: list[Example] = []
    for sentence, around in parts_of(spelled_out(text)):
        told, part = judged(sentence, around)
        taken = bool(part) or is_rule(sentence, alone=not around.momentary)
        admitted, near = (None, around) if taken else admissible(sentence, around)
        if not taken and admitted is None and sentence.question:
            continue
        told = told if taken or admitted is None else admitted
        kind = next((kind for kind, held in kept if _overlap(spelled_out(held), told.text)), "none")
        made.append(
            Example(
                row_in_message(told, near, known=taken),
                None,
                kind != "none",
                number,
                weight,
                not text.isascii(),
                taken,
                admitted is not None,
                False,
                kind,
                features(told.masked),
                near,
                may_last(told.masked),
            )
        )
    return made


def _overlap(held: str, told: str) -> bool:
    """Whether a sentence holds what was marked, or is a part of it."""
    held, told = "".join(held.split()).strip(".!。！,，"), "".join(told.split())
    return held in told or (len(told) > 5 and told in held) or any(len(one) > 5 and one in told for one in re.split(r"[.!。！]", held))


def _example(text: str, kind: str, pattern: int, weight: float, *, known: bool) -> list[Example]:
    parts = sentences(spelled_out(text))
    if not parts:
        return []
    longest = max(parts, key=lambda one: len(one.text))
    taken = taken_by_form(longest)
    return [
        Example(
            row_in_message(longest, ALONE, known=None if known else taken),
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
            ALONE,
            may_last(longest.masked),
        )
    ]


def expanded(pattern: str) -> list[str]:
    """At most sixteen different sentences of a pattern, drawn by a seed of its own, so that a new pattern changes no other."""
    rng = random.Random(f"{SEED} {pattern}")
    found: dict[str, None] = {}
    for _ in range(MOST_OF_A_PATTERN * MOST_OF_A_PATTERN):
        text = pattern
        while match := _CHOICE.search(text):
            text = text[: match.start()] + rng.choice(match.group(1).split("|")) + text[match.end() :]
        found[re.sub(r"[^\S\n]+", " ", re.sub(r"[^\S\n]+([,，?？])", r"\1", text)).strip()] = None
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


def alone(found: Sequence[Example]) -> list[Example]:
    """The lone sentences, with the features of such."""
    return [replace(one, row=one.lone) for one in found if one.lone is not None]


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
    """What forms alone and the judge of messages with them do with sentences whose pattern was left out, by threshold."""
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
