"""all-MiniLM-L6-v2 (English; Reimers and Gurevych 2019, Wang et al. 2020) with 8-bit weights in an ONNX file, read as data by its layout.

The graph in the file is not run: only the weights are taken, by the names that the graph gives them, and `encoder_bert.py` does the rest.
Word vectors stay 8 bits wide. Loading and encoding block; the caller chooses the thread.

Source: `onnx.proto` (ModelProto field 7 graph; GraphProto 1 nodes, 5 initializers; TensorProto 1 dims, 2 type, 8 name, 9 raw data).
"""

from __future__ import annotations

import json
import mmap
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.providers.encoder_batches import encode_all, readable
from desktop.providers.encoder_bert import Bert, BertLayer, bert_layer
from desktop.providers.encoder_wire import VARINT, fields, varint
from desktop.providers.encoder_wordpiece import WordPiece

if TYPE_CHECKING:
    import numpy

GRAPH, NODE, INITIALIZER = 7, 1, 5
INPUT, OPERATION = 1, 4
DIMS, TYPE, NAME, RAW = 1, 2, 8, 9
FLOAT, INT8 = 1, 3
HEADS, EPSILON = 12, 1e-12
MOST_TOKENS = 256
"""What the model was taught on; the published tokenizer cuts there."""
BATCH_TOKENS = 512
_PREFIX = "inner."
_PARTS = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value",
    "out": "attention.output.dense", "up": "intermediate.dense", "down": "output.dense",
}  # fmt: skip
_NORMS = {"norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm"}


class MiniLmEncoder:
    """all-MiniLM-L6-v2, 384 dimensions, English only.

    Raises:
        OSError: a file cannot be read. ValueError, KeyError: it is not in the known form.
    """

    id = "minilm-1"
    share: float = 0.4
    languages: frozenset[str] | None = frozenset({"en"})

    def __init__(self, weights: Path, vocabulary: Path) -> None:
        known = json.loads(vocabulary.read_bytes())["model"]["vocab"]
        self._start, self._end = known["[CLS]"], known["[SEP]"]
        self._words = WordPiece({text: number for text, number in known.items() if text[:1] != "[" or len(text) == 1}, known["[UNK]"])
        with weights.open("rb") as opened:
            self._bert = _read(memoryview(mmap.mmap(opened.fileno(), 0, access=mmap.ACCESS_READ)))
        self.dimensions = int(self._bert.positions.shape[1])

    def passages(self, texts: Sequence[str]) -> numpy.ndarray:
        return encode_all([self._ids(text) for text in texts], self.dimensions, BATCH_TOKENS, self._bert.means)

    def query(self, text: str) -> numpy.ndarray:
        vector: numpy.ndarray = self.passages([text])[0]
        return vector

    def _ids(self, text: str) -> list[int]:
        return [self._start, *self._words.ids(readable(text), MOST_TOKENS - 2), self._end]


@dataclass(frozen=True, slots=True)
class _Tensor:
    """One initializer as it lies in the file."""

    dims: tuple[int, ...]
    kind: int
    data: memoryview

    def array(self) -> numpy.ndarray:
        from desktop.search.arrays import numpy as np

        if self.kind not in (FLOAT, INT8):
            raise ValueError(f"weights of type {self.kind} are not known")
        found: numpy.ndarray = np.frombuffer(self.data, "<f4" if self.kind == FLOAT else np.int8).reshape(self.dims)
        return found


class _Weights:
    """The initializers of a graph by name; `NAME_q` with `NAME_scale` are 8-bit weights with one step for each output, or for all."""

    def __init__(self, tensors: Mapping[str, _Tensor]) -> None:
        self._tensors = tensors

    def floats(self, name: str) -> numpy.ndarray:
        from desktop.search.arrays import numpy as np

        if name in self._tensors:
            return self._tensors[name].array().astype(np.float32)
        found: numpy.ndarray = self._tensors[name + "_q"].array().astype(np.float32)
        found *= self._tensors[name + "_scale"].array()
        return found

    def packed(self, name: str) -> tuple[numpy.ndarray, numpy.ndarray]:
        """An 8-bit table and its step."""
        return self._tensors[name + "_q"].array(), self._tensors[name + "_scale"].array()


def _read(data: memoryview) -> Bert:
    graph = next((value for number, _, _, value in fields(data) if number == GRAPH), data[:0])
    tensors: dict[str, _Tensor] = {}
    nodes: list[tuple[str, list[str]]] = []
    for number, _, _, value in fields(graph):
        if number == INITIALIZER:
            name, tensor = _tensor(value)
            tensors[name] = tensor
        elif number == NODE:
            nodes.append(_node(value))
    weights = _Weights(tensors)
    matrices = dict(_matrices(nodes, tensors))
    steps, step = weights.packed(_PREFIX + "embeddings.word_embeddings.weight")
    positions = weights.floats(_PREFIX + "embeddings.position_embeddings.weight")
    return Bert(
        words=lambda ids: steps[ids] * (step[ids] if step.size > 1 and step.shape[0] > 1 else step),
        positions=positions + weights.floats(_PREFIX + "embeddings.token_type_embeddings.weight")[0],
        norm=_norm(weights, _PREFIX + "embeddings.LayerNorm"),
        layers=tuple(_layer(weights, matrices, number) for number in range(len(matrices) // len(_PARTS))),
        heads=HEADS,
        epsilon=EPSILON,
    )


def _tensor(value: memoryview) -> tuple[str, _Tensor]:
    dims: list[int] = []
    name, kind, data = "", 0, value[:0]
    for number, wire, integer, part in fields(value):
        if number == DIMS:
            dims += [integer] if wire == VARINT else _packed_integers(part)
        elif number == TYPE:
            kind = integer
        elif number == NAME:
            name = bytes(part).decode("utf-8", "replace")
        elif number == RAW:
            data = part
    return name, _Tensor(tuple(dims), kind, data)


def _packed_integers(data: memoryview) -> list[int]:
    found: list[int] = []
    at = 0
    while at < len(data):
        value, at = varint(data, at)
        found.append(value)
    return found


def _node(value: memoryview) -> tuple[str, list[str]]:
    inputs: list[str] = []
    operation = ""
    for number, _, _, part in fields(value):
        if number == INPUT:
            inputs.append(bytes(part).decode("utf-8", "replace"))
        elif number == OPERATION:
            operation = bytes(part).decode("utf-8", "replace")
    return operation, inputs


def _matrices(nodes: Sequence[tuple[str, list[str]]], tensors: Mapping[str, _Tensor]) -> Iterator[tuple[str, str]]:
    """Which weight belongs to which dense layer: a product with weights is followed by the sum with the layer's named vector."""
    last = ""
    for operation, inputs in nodes:
        if operation == "MatMul":
            last = next((name for name in inputs if name + "_q" in tensors or name in tensors), "")
        elif operation == "Add" and last:
            added = next((name for name in inputs if name.endswith(".bias") and name in tensors), "")
            if added:
                yield added.removesuffix(".bias"), last
                last = ""


def _norm(weights: _Weights, name: str) -> tuple[numpy.ndarray, numpy.ndarray]:
    return weights.floats(name + ".weight"), weights.floats(name + ".bias")


def _layer(weights: _Weights, matrices: Mapping[str, str], number: int) -> BertLayer:
    within = f"{_PREFIX}encoder.layer.{number}."
    given: dict[str, object] = {}
    for name, part in _PARTS.items():
        given[name] = weights.floats(matrices[within + part])
        given[name + "_b"] = weights.floats(within + part + ".bias")
    for name, part in _NORMS.items():
        given[name] = _norm(weights, within + part)
    return bert_layer(given, HEADS)
