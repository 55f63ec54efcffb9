"""The multilingual Universal Sentence Encoder, version 3 (Yang et al. 2019, the CNN variant), as a forward pass over published weights.

Reads `weights.npz` and a SentencePiece vocabulary; runs no code that came with them. The word table stays 8 bits wide: only the rows that a
text needs become numbers. Loading and encoding block; the caller chooses the thread.
"""

from __future__ import annotations

import zipfile
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.providers.encoder_batches import MOST_TOKENS, encode_all, flat, layer_norm, readable
from desktop.providers.encoder_sentencepiece import SentencePieceModel

if TYPE_CHECKING:
    import numpy

WIDTHS = (2, 3, 5)
"""How many words in a row each of the three convolutions sees."""
BEFORE = {2: 0, 3: 1, 5: 2}
"""How many of them stand before the word itself."""
GAP = 2
"""Empty rows around each text: what a convolution sees beyond its ends."""
BATCH_TOKENS = 512
START, END = 1, 2


class UseEncoder:
    """Universal Sentence Encoder, multilingual, 512 dimensions.

    Raises:
        OSError: a file cannot be read. ValueError, KeyError: it is not in the known form.
    """

    id = "usem3-1"
    share: float = 0.5
    languages: frozenset[str] | None = None

    def __init__(self, weights: Path, vocabulary: Path) -> None:
        from desktop.search.arrays import numpy as np

        self._tokens = SentencePieceModel(vocabulary)
        try:
            with zipfile.ZipFile(weights) as archive:
                names = [name.removesuffix(".npy") for name in archive.namelist()]
                self._w = {name: _array(archive, name) for name in names if not name.startswith("q")}
                self._table = _table(archive, len(self._w["scale"]))
        except (zipfile.BadZipFile, zlib.error, EOFError) as error:
            raise ValueError(str(error)) from error
        self._epsilon = float(self._w["eps"])
        self.dimensions = int(self._w["cnn_W"].shape[1])
        for part in ("proj", "proj_b", "ln_g", "ln_b"):
            self._w[part + "s"] = np.concatenate([self._w.pop(f"{part}{width}") for width in WIDTHS], axis=-1)

    def passages(self, texts: Sequence[str]) -> numpy.ndarray:
        return encode_all([self._ids(text) for text in texts], self.dimensions, BATCH_TOKENS, self._forward)

    def query(self, text: str) -> numpy.ndarray:
        vector: numpy.ndarray = self.passages([text])[0]
        return vector

    def _ids(self, text: str) -> list[int]:
        ids = self._tokens.ids(readable(text), MOST_TOKENS - 2) or [self._tokens.unknown]
        return [START, *ids, END]

    def _forward(self, texts: Sequence[list[int]]) -> numpy.ndarray:
        """Sentence vectors before normalization: word vectors, three convolutions of them, their sum, and a small network over it."""
        from desktop.search.arrays import numpy as np

        ids, bounds = flat(texts)
        lengths = np.diff(bounds)
        place = np.arange(len(ids)) + GAP * (1 + np.repeat(np.arange(len(texts)), lengths))
        words = self._words(ids)
        near = np.zeros((len(ids) + GAP * (len(texts) + 1), words.shape[1]), np.float32)
        features = [words]
        projected = layer_norm(words @ self._w["projs"] + self._w["proj_bs"], self._w["ln_gs"], self._w["ln_bs"], self._epsilon)
        for number, width in enumerate(WIDTHS):
            size = self._w[f"w1_{width}"].shape[1]
            part = projected[:, number * size : (number + 1) * size]
            features.append(self._convolved(part, width, place, near[:, :size]))
        rows = layer_norm(np.concatenate(features, axis=1), self._w["ln_g"], self._w["ln_b"], self._epsilon)
        sums = np.add.reduceat(rows, bounds[:-1], axis=0) @ self._w["cnn_W"]
        count = lengths[:, None].astype(np.float32)
        return self._head((sums + count * self._w["cnn_b"]) / np.sqrt(count))

    def _words(self, ids: numpy.ndarray) -> numpy.ndarray:
        """Word vectors: the table's row of id i belongs to block i mod 17, and each block has its own step and lowest value."""
        from desktop.search.arrays import numpy as np

        block = ids % len(self._w["scale"])
        rows: numpy.ndarray = self._table[ids].astype(np.float32)
        rows *= self._w["scale"][block, None]
        rows += self._w["lo"][block, None]
        return rows

    def _convolved(self, rows: numpy.ndarray, width: int, place: numpy.ndarray, near: numpy.ndarray) -> numpy.ndarray:
        """Twice x + relu(convolution(x)); `near` holds the rows with empty ones between the texts."""
        from desktop.search.arrays import numpy as np

        size = rows.shape[1]
        for layer in ("1", "2"):
            near[place] = rows
            kernel, change = self._w[f"w{layer}_{width}"], np.zeros((len(near), size), np.float32)
            after = len(near) - GAP
            for step in range(width):
                ahead = step - BEFORE[width]
                change[GAP:after] += near[GAP + ahead : after + ahead] @ kernel[step * size : (step + 1) * size]
            rows = rows + np.maximum(change[place] + self._w[f"b{layer}_{width}"], 0)
        return rows

    def _head(self, mean: numpy.ndarray) -> numpy.ndarray:
        """Two residual blocks over the summed vector."""
        from desktop.search.arrays import numpy as np

        w = self._w
        first = np.maximum(mean @ w["p1"] + np.maximum(mean @ w["d0"], 0) @ w["d1"], 0)
        head: numpy.ndarray = np.tanh(first @ w["p3"] + np.maximum(first @ w["d2"], 0) @ w["d3"])
        return head


def _array(archive: zipfile.ZipFile, name: str) -> numpy.ndarray:
    from desktop.search.arrays import numpy as np

    with archive.open(name + ".npy") as opened:
        found: numpy.ndarray = np.lib.format.read_array(opened, allow_pickle=False)
        return found


def _table(archive: zipfile.ZipFile, count: int) -> numpy.ndarray:
    """The word table, 8 bits wide; row i stands in block i mod `count`, so that one block at a time is put in between the others."""
    from desktop.search.arrays import numpy as np

    first = _array(archive, "q1")
    table = np.empty((len(first), count, first.shape[1]), np.uint8)
    for number in range(count):
        table[:, number] = first if number == 0 else _array(archive, f"q{number + 1}")
    return table.reshape(-1, first.shape[1])
