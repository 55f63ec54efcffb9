"""Digests of what is stored: each column has its part, and none runs into the next."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from desktop.search.digests import EMPTY, Texts, chained, document_digest, passage_digest, text_digest, vector_sum

NUMBERS = (0, 1, 2.0, 3, 4, 5, 6)
TEXTS = ("user", "title", "body", "ref", None, "cut")


def test_every_number_and_every_text_counts() -> None:
    seen = {passage_digest(NUMBERS, TEXTS)}
    for place in range(7):
        changed = list(NUMBERS)
        changed[place] += 1
        seen.add(passage_digest(tuple(changed), TEXTS))  # type: ignore[arg-type]
    for place in range(6):
        texts: list[str | None] = list(TEXTS)
        texts[place] = "other"
        seen.add(passage_digest(NUMBERS, tuple(texts)))
    assert len(seen) == 14


@given(st.lists(st.none() | st.text(max_size=5), min_size=2, max_size=4), st.lists(st.none() | st.text(max_size=5), min_size=2, max_size=4))
def test_different_texts_have_different_digests(one: list[str | None], other: list[str | None]) -> None:
    digests: list[bytes] = [passage_digest(NUMBERS, texts) for texts in map(_texts, (one, other))]
    assert (digests[0] == digests[1]) == (one == other)


def _texts(values: list[str | None]) -> Texts:
    return tuple(values)


def test_nothing_is_not_the_empty_text_and_no_letter_moves_over() -> None:
    assert len({text_digest("ab", "c"), text_digest("a", "bc"), text_digest("", "abc"), text_digest("abc", "")}) == 4
    assert passage_digest(NUMBERS, (None,)) != passage_digest(NUMBERS, ("",))


def test_a_chain_tells_order_and_number() -> None:
    a, b = b"a" * 12, b"b" * 12
    chains = {EMPTY, chained(EMPTY, a), chained(chained(EMPTY, a), b), chained(chained(EMPTY, b), a), chained(chained(EMPTY, a), a)}
    assert len(chains) == 5


def test_a_document_is_its_labels_weight_time_and_chain() -> None:
    texts = ("key", "scope", "id", "kind", "print")
    seen = {document_digest(texts, 1.0, 2.0, EMPTY), document_digest(texts, 1.1, 2.0, EMPTY), document_digest(texts, 1.0, 2.1, EMPTY)}
    seen |= {document_digest((*texts[:n], "x", *texts[n + 1 :]), 1.0, 2.0, EMPTY) for n in range(5)}
    seen.add(document_digest(texts, 1.0, 2.0, b"x"))
    assert len(seen) == 9


def test_a_vector_is_for_one_passage() -> None:
    assert vector_sum(1, b"data") != vector_sum(2, b"data")
    assert vector_sum(1, b"data") != vector_sum(1, b"date")
    assert vector_sum(1, b"") != vector_sum(2, b"")
