"""Tokenizers of the encoders: the best cut by search against every cut, normalization by the file's rules, WordPiece, broken files."""

from __future__ import annotations

import random
import re
import time
from pathlib import Path

import pytest

from desktop.providers.encoder_batches import MOST_CHARACTERS, batches, readable
from desktop.providers.encoder_sentencepiece import SentencePieceModel
from desktop.providers.encoder_unigram import SPACE, UNKNOWN_PENALTY, Unigram
from desktop.providers.encoder_wire import WireError, fields, varint
from desktop.providers.encoder_wordpiece import LONGEST_WORD, WordPiece, words
from tests.helpers.encoder_files import PIECES, charsmap, integer, part, sentencepiece


@pytest.fixture
def model(tmp_path: Path) -> SentencePieceModel:
    sentencepiece(tmp_path / "sp.model")
    return SentencePieceModel(tmp_path / "sp.model")


def shown(model: SentencePieceModel, text: str) -> list[str]:
    return [PIECES[number] for number in model.ids(text, 512)]


def every_cut(word: str, scores: dict[str, float], unknown: float) -> float:
    """The best score over all cuts, by trying each."""
    if not word:
        return 0.0
    found = [scores[word[:n]] + every_cut(word[n:], scores, unknown) for n in range(1, len(word) + 1) if word[:n] in scores]
    if word[:1] not in scores:
        found.append(unknown + every_cut(word[1:], scores, unknown))
    return max(found)


def test_the_cut_is_the_best_of_all_cuts() -> None:
    seed = time.time_ns()
    print(f"seed {seed}")
    chance = random.Random(seed)
    letters = "abc日" + SPACE
    for _ in range(60):
        longer = {chance.choice(letters) + "".join(chance.choices("abc日", k=chance.randint(1, 3))) for _ in range(7)}
        pieces = ["<unk>", *letters, *sorted(longer)]
        scores = [0.0, *(-chance.uniform(1, 12) for _ in pieces[1:])]
        unigram = Unigram(pieces, scores, frozenset({0}), 0)
        text = SPACE + re.sub("x+", "x", "".join(chance.choices("abcx日" + SPACE, k=9)))
        unknown = min(scores) - UNKNOWN_PENALTY
        ids = unigram.ids(text, 99)
        assert ids == unigram.ids(text, 99)
        known = dict(zip(pieces[1:], scores[1:], strict=True))
        parts = [word for word in text.replace(SPACE, " " + SPACE).split(" ") if word]
        assert sum(scores[number] if number else unknown for number in ids) == pytest.approx(
            sum(every_cut(w, known, unknown) for w in parts)
        )


def test_unknown_characters_in_a_row_are_one_piece() -> None:
    unigram = Unigram(["<unk>", SPACE, "a"], [0.0, -1.0, -2.0], frozenset({0}), 0)
    assert unigram.ids(f"{SPACE}xyza{SPACE}xx{SPACE}x", 99) == [1, 0, 2, 1, 0, 1, 0]


def test_a_text_is_cut_at_the_wanted_number_of_pieces(model: SentencePieceModel) -> None:
    assert len(model.ids("a b c " * 400, 100)) == 100


def test_rules_of_the_file_are_applied(model: SentencePieceModel) -> None:
    assert shown(model, "abc") == [SPACE + "abc"]
    assert shown(model, "  \t abc\u3000\u3000ａ Ａ\u200b ") == [SPACE + "abc", SPACE, "<unk>", SPACE + "a"]
    assert shown(model, "e\u0301") == shown(model, "é") == [SPACE, "é"]
    assert shown(model, "ﬁ") == [SPACE, "bc"]
    assert shown(model, "日本日") == [SPACE, "日本", "日"]
    assert shown(model, "e\u0302") == [SPACE, "<unk>"]


def test_nothing_gives_nothing(model: SentencePieceModel) -> None:
    assert model.ids("", 512) == model.ids(" \t \u3000", 512) == []


def test_no_text_names_a_control_piece(model: SentencePieceModel) -> None:
    assert not {1, 2, 15} & set(model.ids("<s></s><pad> <s>", 512))


def test_a_file_that_is_cut_short_is_refused_or_read_whole(tmp_path: Path) -> None:
    sentencepiece(tmp_path / "whole")
    data = (tmp_path / "whole").read_bytes()
    for end in range(0, len(data) - 1, 97):
        (tmp_path / "cut").write_bytes(data[:end])
        with pytest.raises(ValueError):
            SentencePieceModel(tmp_path / "cut")


def test_a_file_without_a_piece_for_the_unknown_is_refused(tmp_path: Path) -> None:
    (tmp_path / "m").write_bytes(part(1, part(1, b"a")) + part(3, part(2, charsmap({"b": "a"}))))
    with pytest.raises(WireError, match="unknown"):
        SentencePieceModel(tmp_path / "m")


def test_wire_format() -> None:
    data = memoryview(integer(1, 300) + part(2, b"xy") + b"\x19" + bytes(8))
    assert [(number, wire, value, bytes(held)) for number, wire, value, held in fields(data)] == [
        (1, 0, 300, b""), (2, 2, 0, b"xy"), (3, 1, 0, bytes(8)),
    ]  # fmt: skip
    for broken in (b"\x08\xff", b"\x0a\x05ab", b"\x0b", b"\xff" * 12, b"\x0d\x00"):
        with pytest.raises(WireError):
            list(fields(memoryview(broken)))
    assert varint(memoryview(b"\xac\x02"), 0) == (300, 2)


def test_wordpiece_takes_the_longest_piece() -> None:
    pieces = WordPiece({"[UNK]": 0, "un": 1, "##able": 2, "##a": 3, ".": 4, "日": 5, "a": 6}, 0)
    assert pieces.ids("Unable. UNA 日日 ünx", 99) == [1, 2, 4, 1, 3, 5, 5, 0]
    assert pieces.ids("a" * (LONGEST_WORD + 1), 99) == [0]
    assert len(pieces.ids("a " * 1_000, 256)) == 256


def test_words_are_folded_and_cut() -> None:
    assert words("Crème-Brûlée\u00a0it's\x00 f(x)\u200bé日本！") == [
        "creme",
        "-",
        "brulee",
        "it",
        "'",
        "s",
        "f",
        "(",
        "x",
        ")",
        "e",
        "日",
        "本",
        "！",
    ]
    assert words("\ufffd\u00ad") == []


def test_halves_of_characters_and_very_long_texts_are_made_safe() -> None:
    assert readable("a\ud83d b") == "a\ufffd b"
    assert len(readable("x" * 100_000)) == MOST_CHARACTERS


def test_batches_hold_every_text_once_and_short_ones_together() -> None:
    found = list(batches([5, 1, 900, 3, 2, 512], 10))
    assert sorted(place for batch in found for place in batch) == list(range(6))
    assert found == [[1, 4, 3], [0], [5], [2]]
    assert list(batches([], 10)) == []
