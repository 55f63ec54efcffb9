"""The forward pass of BERT encoders (Devlin et al. 2019): token ids in, mean of the last layer out. Weights are given; it reads no file.

Texts of a batch stand one after the other without padding: the dense layers take them together, attention takes each text alone. Takes
CPU time; any thread.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from desktop.providers.encoder_batches import flat, layer_norm

if TYPE_CHECKING:
    import numpy

GELU_ROWS = 64
"""Rows of the widest layer that are bent at once, so that the steps of the formula stay in the cache."""


@dataclass(frozen=True, slots=True)
class BertLayer:
    """One layer; matrices are (inputs, outputs), float32.

    Attributes:
        qkv: query, key and value side by side, the query divided by the root of a head's size already.
        out, up, down: after attention, into and out of the wide layer. Names with `_b` are the added vectors.
        norm1, norm2: (scale, shift) of the layer norms.
    """

    qkv: numpy.ndarray
    qkv_b: numpy.ndarray
    out: numpy.ndarray
    out_b: numpy.ndarray
    norm1: tuple[numpy.ndarray, numpy.ndarray]
    up: numpy.ndarray
    up_b: numpy.ndarray
    down: numpy.ndarray
    down_b: numpy.ndarray
    norm2: tuple[numpy.ndarray, numpy.ndarray]


@dataclass(frozen=True, slots=True)
class Bert:
    """A whole model.

    Attributes:
        words: gives the word vectors of ids as a fresh float32 array, (n, dimensions): the table itself may stay packed.
        positions: (most tokens, dimensions), the vector of token type 0 added already.
        norm: (scale, shift) after the sum of both.
        heads: of attention.
        epsilon: of the layer norms.
    """

    words: Callable[[numpy.ndarray], numpy.ndarray]
    positions: numpy.ndarray
    norm: tuple[numpy.ndarray, numpy.ndarray]
    layers: tuple[BertLayer, ...]
    heads: int
    epsilon: float

    def means(self, texts: Sequence[list[int]]) -> numpy.ndarray:
        """The mean over the tokens of each text: float32, (n, dimensions)."""
        from desktop.search.arrays import numpy as np

        ids, bounds = flat(texts)
        lengths = np.diff(bounds)
        rows = self.words(ids)
        rows += self.positions[np.arange(len(ids)) - np.repeat(bounds[:-1], lengths)]
        layer_norm(rows, *self.norm, self.epsilon)
        for layer in self.layers:
            rows += self._attended(rows @ layer.qkv + layer.qkv_b, bounds) @ layer.out + layer.out_b
            layer_norm(rows, *layer.norm1, self.epsilon)
            wide = rows @ layer.up
            wide += layer.up_b
            gelu(wide)
            rows += wide @ layer.down + layer.down_b
            layer_norm(rows, *layer.norm2, self.epsilon)
        means: numpy.ndarray = np.add.reduceat(rows, bounds[:-1], axis=0) / lengths[:, None].astype(np.float32)
        return means

    def _attended(self, qkv: numpy.ndarray, bounds: numpy.ndarray) -> numpy.ndarray:
        """Scaled dot-product attention within each text: (tokens, 3 x dimensions) to (tokens, dimensions)."""
        from desktop.search.arrays import numpy as np

        found = np.empty((len(qkv), qkv.shape[1] // 3), np.float32)
        for start, end in pairwise(bounds):
            query, key, value = qkv[start:end].reshape(end - start, 3, self.heads, -1).transpose(1, 2, 0, 3)
            weights = query @ key.transpose(0, 2, 1)
            weights -= weights.max(axis=-1, keepdims=True)
            np.exp(weights, out=weights)
            weights /= weights.sum(axis=-1, keepdims=True)
            found[start:end] = (weights @ value).transpose(1, 0, 2).reshape(end - start, -1)
        return found


def gelu(rows: numpy.ndarray) -> None:
    """x times the normal distribution's share below x, in place, by the tanh form (Hendrycks and Gimpel 2016); off by less than 0.0005."""
    from desktop.search.arrays import numpy as np

    root, cubic, half, one = (np.float32(value) for value in (0.7978845608, 0.044715, 0.5, 1.0))
    for start in range(0, len(rows), GELU_ROWS):
        part = rows[start : start + GELU_ROWS]
        bent = part * part
        bent *= cubic
        bent += one
        bent *= part
        bent *= root
        np.tanh(bent, out=bent)
        bent += one
        bent *= half
        part *= bent


def bert_layer(given: Mapping[str, Any], heads: int) -> BertLayer:
    """A layer out of its parts: `q k v out up down` as (inputs, outputs), each with its `_b`, and the pairs `norm1`, `norm2`."""
    from desktop.search.arrays import numpy as np

    scale = np.float32(1.0 / np.sqrt(given["q"].shape[1] // heads))
    parts = (given["q"] * scale, given["k"], given["v"])
    added = (given["q_b"] * scale, given["k_b"], given["v_b"])
    rest = {name: given[name] for name in ("out", "out_b", "norm1", "up", "up_b", "down", "down_b", "norm2")}
    return BertLayer(qkv=np.concatenate(parts, axis=1), qkv_b=np.concatenate(added), **rest)
