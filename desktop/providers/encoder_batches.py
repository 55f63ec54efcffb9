"""What every encoder does around its model: texts made safe, cut into pieces, grouped by length so that a batch fits the processor's cache.

A batch holds the pieces of its texts one after the other in one array, without padding: `starts` tells where each text begins. Any thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import numpy

MOST_TOKENS = 512
MOST_CHARACTERS = 8_000
"""512 pieces of at most 16 characters; what a text holds beyond is not looked at."""
_BROKEN = re.compile("[\ud800-\udfff]")


def readable(text: str) -> str:
    """The part of a text that is looked at, without halves of characters."""
    return _BROKEN.sub("\ufffd", text[:MOST_CHARACTERS])


def batches(lengths: Sequence[int], tokens: int) -> Iterator[list[int]]:
    """Places of texts, from short to long, at most `tokens` together (a longer one alone)."""
    batch: list[int] = []
    held = 0
    for place in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and held + lengths[place] > tokens:
            yield batch
            batch, held = [], 0
        batch.append(place)
        held += lengths[place]
    if batch:
        yield batch


def encode_all(
    texts: Sequence[list[int]], dimensions: int, tokens: int, forward: Callable[[Sequence[list[int]]], numpy.ndarray]
) -> numpy.ndarray:
    """Vectors of token lists, in their order: float32, (n, dimensions), each of length 1."""
    from desktop.search.arrays import numpy as np

    found = np.empty((len(texts), dimensions), np.float32)
    for batch in batches([len(one) for one in texts], tokens):
        found[batch] = forward([texts[place] for place in batch])
    norms = np.sqrt(np.einsum("ij,ij->i", found, found))
    found /= np.maximum(norms, 1e-12)[:, None]
    return found


def flat(texts: Sequence[list[int]]) -> tuple[numpy.ndarray, numpy.ndarray]:
    """All ids in a row, and where each text begins and the last one ends: (total,), (n + 1,)."""
    from desktop.search.arrays import numpy as np

    bounds = np.zeros(len(texts) + 1, np.intp)
    np.cumsum([len(one) for one in texts], out=bounds[1:])
    ids = np.fromiter((number for one in texts for number in one), np.intp, int(bounds[-1]))
    return ids, bounds


def layer_norm(rows: numpy.ndarray, scale: numpy.ndarray, shift: numpy.ndarray, epsilon: float) -> numpy.ndarray:
    """Every row to mean 0 and variance 1, then scaled and shifted, in place (Ba et al. 2016)."""
    from desktop.search.arrays import numpy as np

    rows -= rows.mean(axis=1, keepdims=True)
    spread = np.einsum("ij,ij->i", rows, rows) / rows.shape[1]
    rows *= (1.0 / np.sqrt(spread + np.float32(epsilon)))[:, None]
    rows *= scale
    rows += shift
    return rows
