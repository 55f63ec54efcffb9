"""How likely a sentence is worth remembering, and of which type: linear, over `embedded_ngrams` and what the guards see. No numpy.

Owns the weights (`resources/extraction`, 8 bits each, digest checked) and how the guards' own signs become features. What a score means
for a memory is decided in `embedded_statements`: the forms come first, and quoted text, questions and secrets are kept out there, whatever
the score. Trained by `tests/bench/train_extraction.py`; a change of the forms or of the n-grams asks for a new training. Loaded once, by
the first sentence; any thread.
"""

from __future__ import annotations

import json
import logging
from array import array
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from hashlib import sha256
from itertools import pairwise
from math import exp

from desktop.base.resources import resource_path
from desktop.providers import embedded_durable as forms
from desktop.providers import embedded_lasting as lasting
from desktop.providers.embedded_features import is_one_off
from desktop.providers.embedded_guards import MemoryType
from desktop.providers.embedded_ngrams import BUCKETS, features, flagged
from desktop.providers.embedded_sentences import Sentence, is_request
from desktop.providers.embedded_signs import lasting_signs, may_last, moment_signs
from desktop.providers.embedded_surroundings import ALONE, Surroundings

log = logging.getLogger(__name__)

FOLDER, WEIGHTS, ABOUT = "extraction", "sentences.bin", "sentences.json"
TYPES: tuple[MemoryType, ...] = ("user", "feedback", "project", "reference")
TYPE_BUCKETS = 1 << 13
CLEAR = 0.55
"""Probability from which a type counts."""

_SIGNS: dict[str, Callable[[str], object]] = {
    "hedged": forms.HEDGED.search,
    "passing": forms.PASSING.search,
    "episode": lasting.EPISODE.search,
    "trouble": lasting.TROUBLE.search,
    "here": lasting.HERE.search,
    "supposed": lasting.SUPPOSED.search,
    "artifact": forms.ARTIFACT.match,
    "progressive": lasting.PROGRESSIVE.match,
    "oneoff": is_one_off,
    "request": is_request,
}


@dataclass(frozen=True, slots=True)
class Linear:
    """A linear function: a signed byte for each bucket, times `scale`, and a bias."""

    buckets: array[int]
    scale: float
    bias: float

    def of(self, row: dict[int, float]) -> float:
        size = len(self.buckets)
        return self.bias + self.scale * sum(self.buckets[bucket % size] * value for bucket, value in row.items())


@dataclass(frozen=True, slots=True)
class Weights:
    """Whether a sentence is worth remembering: one that stands alone, and one of a message; and one function for each of `TYPES`."""

    alone: Linear
    message: Linear
    types: tuple[Linear, ...]


DISTANCE = 1.5
"""What the judge of messages must be surer by to count for a lone sentence with a sign of lasting that the other does not know."""
SLACK = 3.0
"""How much surer than the judge of messages the judge of lone sentences may be: the one knows more plain sentences, the other more talk."""


def score(sentence: Sentence, around: Surroundings = ALONE, *, known: bool) -> float | None:
    """The log odds that a sentence is worth remembering; None without weights, when the guards decide alone.

    Args:
        around: what the rest of its message holds.
        known: a form of the guards takes it.
    """
    weights = _weights()
    if weights is None:
        return None
    row = row_of(sentence, known=known)
    in_message = weights.message.of(row | flagged(_flags_around(sentence, around)))
    if around != ALONE:
        return in_message
    alone = min(weights.alone.of(row), in_message + SLACK)
    return max(alone, in_message - DISTANCE) if may_last(sentence.masked) else alone


def likely_type(sentence: Sentence) -> MemoryType | None:
    """The type of a sentence that is worth remembering; None when no type is clear, or without weights."""
    weights = _weights()
    if weights is None:
        return None
    row = features(sentence.masked)
    odds = [one.of(row) for one in weights.types]
    best = max(range(len(TYPES)), key=odds.__getitem__)
    return TYPES[best] if 1 / sum(exp(one - odds[best]) for one in odds) >= CLEAR else None


def row_of(sentence: Sentence, *, known: bool | None) -> dict[int, float]:
    """The features of a lone sentence; `known` None when it is not to be told, for sentences by which the forms were made."""
    return features(sentence.masked, _flags(sentence, known))


def row_in_message(sentence: Sentence, around: Surroundings, *, known: bool | None) -> dict[int, float]:
    """The features of a sentence and of what is around it."""
    return row_of(sentence, known=known) | flagged(_flags_around(sentence, around))


def signs(sentence: Sentence) -> Iterator[str]:
    """What the guards see in a sentence that speaks of the moment, of trouble, of one thing at hand or of a supposition."""
    return (name for name, sees in _SIGNS.items() if sees(sentence.masked))


def _flags(sentence: Sentence, known: bool | None) -> Iterator[str]:
    yield from signs(sentence)
    if sentence.question:
        yield "question"
    if known is not None:
        yield "form" if known else "noform"


def _flags_around(sentence: Sentence, around: Surroundings) -> Iterator[str]:
    """Signs of lasting and of the moment, what is around, and both together: a linear function adds, so pairs are told as such."""
    lasting, moment = list(lasting_signs(sentence.masked)), list(moment_signs(sentence.masked))
    leans = f"{'lasts' if lasting else 'plain'} {'moment' if moment else 'calm'}"
    yield from (f"lasting {one}" for one in lasting)
    yield from (f"moment {one}" for one in moment)
    yield leans
    yield from (f"around {one}" for one in around.names())
    if around.momentary:
        yield "beside"
        yield f"beside {leans}"
        yield from (f"beside lasting {one}" for one in lasting)
        yield from (f"beside moment {one}" for one in moment)


@lru_cache(maxsize=1)
def _weights() -> Weights | None:
    try:
        about = json.loads(resource_path(FOLDER, ABOUT).read_text(encoding="utf-8"))
        raw = resource_path(FOLDER, WEIGHTS).read_bytes()
        known, scales = about["sha256"], about["scales"]
    except (OSError, ValueError, KeyError, TypeError) as error:
        log.warning("the weights of the sentence classifier cannot be read, so the guards decide alone: %s", error)
        return None
    if len(raw) != 2 * BUCKETS + len(TYPES) * TYPE_BUCKETS or sha256(raw).hexdigest() != known:
        log.warning("the weights of the sentence classifier are damaged, so the guards decide alone; installing the app again mends them")
        return None
    starts = [0, BUCKETS, *(2 * BUCKETS + number * TYPE_BUCKETS for number in range(len(TYPES))), len(raw)]
    parts = [array("b", raw[start:end]) for start, end in pairwise(starts)]
    alone, message, *types = [Linear(part, float(scale), float(bias)) for part, (scale, bias) in zip(parts, scales, strict=True)]
    return Weights(alone, message, tuple(types))
