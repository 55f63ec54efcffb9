"""Tiny weight files in the forms that the encoders read, made up in the test, and their forward passes in plain loops to compare with."""

from __future__ import annotations

import json
import struct
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import numpy as np

Array = np.ndarray[Any, np.dtype[Any]]
SPACE = "▁"


# --- Protocol Buffers -------------------------------------------------------------------------------------------------


def varint(value: int) -> bytes:
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def integer(number: int, value: int) -> bytes:
    return varint(number << 3) + varint(value)


def part(number: int, value: bytes) -> bytes:
    return varint(number << 3 | 2) + varint(len(value)) + value


def fixed(number: int, value: float) -> bytes:
    return varint(number << 3 | 5) + struct.pack("<f", value)


# --- SentencePiece ----------------------------------------------------------------------------------------------------


def charsmap(rules: Mapping[str, str]) -> bytes:
    """A double-array trie over the rules, built by trying offsets until every child's place is free."""
    texts = bytearray()
    tree: dict[int, Any] = {}
    for source, target in rules.items():
        node = tree
        for byte in source.encode():
            node = node.setdefault(byte, {})
        node[0] = len(texts)
        texts += target.encode() + b"\0"
    units: dict[int, int] = {0: 0}
    waiting: list[tuple[int, dict[int, Any]]] = [(0, tree)]
    while waiting:
        place, node = waiting.pop()
        offset = next(o for o in range(1, 1 << 20) if not any((place ^ o ^ byte) in units for byte in node))
        units[place] |= offset << 10 | (0x100 if 0 in node else 0)
        for byte, child in node.items():
            at = place ^ offset ^ byte
            units[at] = child | 0x80000000 if byte == 0 else byte
            if byte:
                waiting.append((at, child))
    size = max(units) | 0xFF
    array = struct.pack(f"<{size + 1}I", *(units.get(n, 0) for n in range(size + 1)))
    return struct.pack("<I", len(array)) + array + bytes(texts)


PIECES = ["<unk>", "<s>", "</s>", SPACE, "a", "b", "c", "é", "日", "本", SPACE + "a", "ab", "bc", SPACE + "abc", "日本", "<pad>"]
SCORES = [0.0, 0.0, 0.0, -2.0, -3.0, -3.5, -4.0, -5.0, -6.0, -6.5, -3.2, -5.0, -6.1, -8.0, -9.0, 0.0]
RULES = {"\t": " ", "\u3000": " ", "Ａ": "a", "e\u0301": "é", "ﬁ": "bc", "\u200b": ""}


def sentencepiece(file: Path, pieces: Sequence[str] = PIECES, scores: Sequence[float] = SCORES) -> None:
    kinds = {0: 2, 1: 3, 2: 3, 15: 5}
    body = b""
    for number, (text, score) in enumerate(zip(pieces, scores, strict=True)):
        piece = part(1, text.encode()) + fixed(2, score)
        body += part(1, piece + (integer(3, kinds[number]) if number in kinds else b""))
    file.write_bytes(body + part(2, integer(3, 1)) + part(3, part(1, b"made up") + part(2, charsmap(RULES))))


# --- Universal Sentence Encoder ---------------------------------------------------------------------------------------


def use_weights(file: Path, seed: int, rows: int = 5, blocks: int = 4, words: int = 6, inner: int = 4, out: int = 8) -> dict[str, Array]:
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> Array:
        return (random.standard_normal(shape) / 2).astype(np.float32)

    held: dict[str, Array] = {f"q{n + 1}": random.integers(0, 256, (rows, words), dtype=np.uint8) for n in range(blocks)}
    held["scale"], held["lo"] = np.abs(draw(blocks)) / 100, draw(blocks)
    for width in (2, 3, 5):
        held |= {
            f"proj{width}": draw(words, inner), f"proj_b{width}": draw(inner), f"ln_g{width}": draw(inner) + 1, f"ln_b{width}": draw(inner),
            f"w1_{width}": draw(width * inner, inner), f"b1_{width}": draw(inner),
            f"w2_{width}": draw(width * inner, inner), f"b2_{width}": draw(inner),
        }  # fmt: skip
    all_ = words + 3 * inner
    held |= {
        "ln_g": draw(all_) + 1, "ln_b": draw(all_), "cnn_W": draw(all_, out), "cnn_b": draw(out), "d0": draw(out, 40), "d1": draw(40, 40),
        "p1": draw(out, 40), "d2": draw(40, 5), "p3": draw(40, out), "d3": draw(5, out), "eps": np.float64(1e-6) * np.ones(()),
    }  # fmt: skip
    np.savez(file, **held)  # type: ignore[arg-type]
    return held


def norm(row: Array, scale: Array, shift: Array, epsilon: float) -> Array:
    return np.asarray((row - row.mean()) / np.sqrt(row.var() + epsilon) * scale + shift)


def use_forward(held: Mapping[str, Array], ids: Sequence[int]) -> Array:
    """One text, word by word, with its neighbours fetched one at a time."""
    w = {name: value.astype(np.float64) for name, value in held.items()}
    blocks = len(w["scale"])
    vectors = [w[f"q{i % blocks + 1}"][i // blocks] * w["scale"][i % blocks] + w["lo"][i % blocks] for i in ids]
    wide = [
        norm(
            np.concatenate([v @ w[f"proj{n}"] + w[f"proj_b{n}"] for n in (2, 3, 5)]),
            np.concatenate([w[f"ln_g{n}"] for n in (2, 3, 5)]),
            np.concatenate([w[f"ln_b{n}"] for n in (2, 3, 5)]),
            float(w["eps"]),
        )
        for v in vectors
    ]
    size = w["b1_2"].shape[0]
    columns = [vectors]
    for number, (n, before) in enumerate(((2, 0), (3, 1), (5, 2))):
        rows = [v[number * size : (number + 1) * size] for v in wide]
        for layer in ("1", "2"):
            near = [
                np.concatenate([rows[t + k - before] if 0 <= t + k - before < len(rows) else np.zeros(size) for k in range(n)])
                for t in range(len(rows))
            ]
            rows = [row + np.maximum(x @ w[f"w{layer}_{n}"] + w[f"b{layer}_{n}"], 0) for row, x in zip(rows, near, strict=True)]
        columns.append(rows)
    full = [norm(np.concatenate(parts), w["ln_g"], w["ln_b"], float(w["eps"])) for parts in zip(*columns, strict=True)]
    mean = sum(row @ w["cnn_W"] + w["cnn_b"] for row in full) / np.sqrt(len(ids))
    first = np.maximum(mean @ w["p1"] + np.maximum(mean @ w["d0"], 0) @ w["d1"], 0)
    found = np.tanh(first @ w["p3"] + np.maximum(first @ w["d2"], 0) @ w["d3"])
    return np.asarray(found / np.linalg.norm(found))


# --- BERT -------------------------------------------------------------------------------------------------------------

PARTS = ("q", "k", "v", "out", "up", "down")
SIZE, WIDE, LAYERS = 64, 96, 2


def bert_parts(seed: int, words: int, positions: int, size: int = SIZE, wide: int = WIDE) -> dict[str, Array]:
    """Random weights by plain names; matrices as (inputs, outputs)."""
    random = np.random.default_rng(seed)

    def draw(*shape: int) -> Array:
        return (random.standard_normal(shape) / 4).astype(np.float32)

    held = {
        "words": draw(words, size),
        "positions": draw(positions, size),
        "type": draw(2, size),
        "norm.w": draw(size) + 1,
        "norm.b": draw(size),
    }
    for layer in range(LAYERS):
        for name in PARTS:
            inputs, outputs = (size, wide) if name == "up" else (wide, size) if name == "down" else (size, size)
            held |= {f"{layer}.{name}": draw(inputs, outputs), f"{layer}.{name}_b": draw(outputs)}
        for name in ("norm1", "norm2"):
            held |= {f"{layer}.{name}.w": draw(size) + 1, f"{layer}.{name}.b": draw(size)}
    return held


def bert_forward(held: Mapping[str, Array], ids: Sequence[int], heads: int) -> Array:
    """One text, head by head, with the exact error function."""
    from math import erf

    w = {name: value.astype(np.float64) for name, value in held.items()}
    size = w["words"].shape[1]
    rows = [norm(w["words"][i] + w["positions"][t] + w["type"][0], w["norm.w"], w["norm.b"], 1e-12) for t, i in enumerate(ids)]
    for layer in range(LAYERS):
        q, k, v = ([row @ w[f"{layer}.{n}"] + w[f"{layer}.{n}_b"] for row in rows] for n in "qkv")
        seen = []
        for t in range(len(rows)):
            heads_out = []
            for head in range(heads):
                cut = slice(head * size // heads, (head + 1) * size // heads)
                scores = np.array([q[t][cut] @ k[s][cut] for s in range(len(rows))]) / np.sqrt(size // heads)
                shares = np.exp(scores - scores.max())
                heads_out.append(sum(share * v[s][cut] for s, share in enumerate(shares / shares.sum())))
            seen.append(np.concatenate(heads_out))
        added = [x @ w[f"{layer}.out"] + w[f"{layer}.out_b"] for x in seen]
        rows = [norm(r + a, w[f"{layer}.norm1.w"], w[f"{layer}.norm1.b"], 1e-12) for r, a in zip(rows, added, strict=True)]
        bent = [x * 0.5 * (1 + np.vectorize(erf)(x / np.sqrt(2))) for x in (r @ w[f"{layer}.up"] + w[f"{layer}.up_b"] for r in rows)]
        added = [x @ w[f"{layer}.down"] + w[f"{layer}.down_b"] for x in bent]
        rows = [norm(r + a, w[f"{layer}.norm2.w"], w[f"{layer}.norm2.b"], 1e-12) for r, a in zip(rows, added, strict=True)]
    found = np.mean(rows, axis=0)
    return np.asarray(found / np.linalg.norm(found))


def packed(matrix: Array) -> tuple[bytes, Array]:
    """Rows in blocks of 32 at 4 bits; gives the bytes and the numbers that they stand for."""
    blocks = matrix.reshape(-1, 32)
    steps = (np.abs(blocks).max(axis=1, keepdims=True) / 7).astype(np.float16)
    halves = np.clip(np.round(blocks / np.maximum(steps.astype(np.float32), 1e-9)) + 8, 0, 15).astype(np.uint8)
    data = b"".join(s.tobytes() + (h[:16] | h[16:] << 4).tobytes() for s, h in zip(steps, halves, strict=True))
    return data, ((halves.astype(np.float32) - 8) * steps.astype(np.float32)).reshape(matrix.shape)


E5_PIECES = ["<s>", "<pad>", "</s>", "<unk>", SPACE, ":", "a", "b", "q", "p", SPACE + "a", "日", "日本", SPACE + "query", SPACE + "passage"]
E5_SCORES = [0.0, 0.0, 0.0, 0.0, -2.0, -3.0, -3.1, -4.0, -6.0, -7.0, -3.3, -8.0, -9.0, -5.0, -5.5]
E5_SHORT = {"q": "q", "k": "k", "v": "v", "out": "ao", "up": "fi", "down": "fo", "norm1": "aln", "norm2": "oln"}


def e5_file(file: Path, seed: int, heads: int = 2, positions: int = 40) -> dict[str, Array]:
    """A whole E5S1 file; gives the weights as they are after packing."""
    held = bert_parts(seed, len(E5_PIECES) + 1, positions)
    tensors: list[tuple[str, int, Array, bytes]] = []

    def plain(name: str, value: Array) -> None:
        tensors.append((name, 0, value, value.astype("<f4").tobytes()))

    data, held["words"] = packed(held["words"])
    tensors.append(("emb.word", 1, held["words"], data))
    plain("emb.pos", held["positions"])
    plain("emb.type", held["type"])
    plain("emb.ln.w", held["norm.w"])
    plain("emb.ln.b", held["norm.b"])
    for layer in range(LAYERS):
        for name in PARTS:
            data, rows = packed(np.ascontiguousarray(held[f"{layer}.{name}"].T))
            held[f"{layer}.{name}"] = rows.T
            tensors.append((f"l{layer}.{E5_SHORT[name]}.w", 1, rows, data))
            plain(f"l{layer}.{E5_SHORT[name]}.b", held[f"{layer}.{name}_b"])
        for name in ("norm1", "norm2"):
            plain(f"l{layer}.{E5_SHORT[name]}.w", held[f"{layer}.{name}.w"])
            plain(f"l{layer}.{E5_SHORT[name]}.b", held[f"{layer}.{name}.b"])
    texts = [piece.encode() for piece in E5_PIECES]
    ends = np.cumsum([0, *map(len, texts)]).tolist()
    head = b"E5S1" + struct.pack("<I7ifi", 1, SIZE, LAYERS, heads, WIDE, len(held["words"]), positions, 2, 1e-12, 32)
    head += struct.pack("<5iQ", len(texts), 0, 2, 1, 3, ends[-1]) + struct.pack(f"<{len(ends)}I", *ends)
    head += struct.pack(f"<{len(E5_SCORES)}f", *E5_SCORES) + b"".join(texts)
    replaced = {0x0A: " ", 0xFF21: "a", 0x200B: ""}
    rules = b"".join(struct.pack(f"<IB{len(t)}I", code, len(t), *map(ord, t)) for code, t in replaced.items())
    head += struct.pack("<iI", len(replaced), len(rules)) + rules + struct.pack("<i", len(tensors))
    place = len(head) + sum(2 + len(name) + 21 for name, *_ in tensors)
    place += -place % 64
    directory, body = b"", b""
    for name, kind, value, data in tensors:
        directory += struct.pack("<H", len(name)) + name.encode() + struct.pack("<BIQQ", kind, value.size, place + len(body), len(data))
        body += data + bytes(-len(data) % 64)
    file.write_bytes((head + directory).ljust(place, b"\0") + body)
    return held


MINILM_WORDS = ["[PAD]", "[UNK]", "[CLS]", "[SEP]", "a", "cat", "##s", "sat", ".", "[", "un", "##able", "##d", "日"]
MINILM_SIZE = 96
ONNX_NAMES = {
    "q": "attention.self.query", "k": "attention.self.key", "v": "attention.self.value", "out": "attention.output.dense",
    "up": "intermediate.dense", "down": "output.dense", "norm1": "attention.output.LayerNorm", "norm2": "output.LayerNorm",
}  # fmt: skip


def onnx_file(file: Path, vocabulary: Path, seed: int) -> dict[str, Array]:
    """An ONNX file as far as its weights go, and a tokenizer.json; gives the weights as they are after rounding."""
    held = bert_parts(seed, len(MINILM_WORDS), 256, size=MINILM_SIZE)
    initializers: list[bytes] = []
    nodes: list[bytes] = []

    def add(name: str, value: Array, kind: int) -> None:
        dims = part(1, b"".join(varint(n) for n in value.shape))
        initializers.append(part(5, dims + integer(2, kind) + part(8, name.encode()) + part(9, value.tobytes())))

    def rounded(name: str, value: Array) -> Array:
        step = (np.abs(value).max(axis=0, keepdims=True) / 127).astype(np.float32)
        small = np.round(value / step).astype(np.int8)
        add(name + "_q", small, 3)
        add(name + "_scale", step, 1)
        return np.asarray(small.astype(np.float32) * step)

    def node(operation: str, *inputs: str) -> None:
        nodes.append(part(1, b"".join(part(1, name.encode()) for name in inputs) + part(2, b"out") + part(4, operation.encode())))

    held["words"] = rounded("inner.embeddings.word_embeddings.weight", held["words"])
    held["positions"] = rounded("inner.embeddings.position_embeddings.weight", held["positions"])
    add("inner.embeddings.token_type_embeddings.weight", held["type"], 1)
    add("inner.embeddings.LayerNorm.weight", held["norm.w"], 1)
    add("inner.embeddings.LayerNorm.bias", held["norm.b"], 1)
    for layer in range(LAYERS):
        for name in PARTS:
            known = f"inner.encoder.layer.{layer}.{ONNX_NAMES[name]}"
            held[f"{layer}.{name}"] = rounded(f"val_{layer}_{name}", held[f"{layer}.{name}"])
            add(known + ".bias", held[f"{layer}.{name}_b"], 1)
            node("MatMul", "x", f"val_{layer}_{name}")
            node("Add", f"{known}.bias", "y")
            node("MatMul", "scores", "values")
        for name in ("norm1", "norm2"):
            known = f"inner.encoder.layer.{layer}.{ONNX_NAMES[name]}"
            add(known + ".weight", held[f"{layer}.{name}.w"], 1)
            add(known + ".bias", held[f"{layer}.{name}.b"], 1)
    file.write_bytes(integer(1, 8) + part(7, b"".join([*nodes, *initializers])))
    vocabulary.write_text(json.dumps({"model": {"vocab": {word: n for n, word in enumerate(MINILM_WORDS)}}}), encoding="utf-8")
    return held
