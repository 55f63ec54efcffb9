"""A text scored as it stands scores as it does with its white space made single."""

from __future__ import annotations

from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.sessions.readable import folded, score, scored, terms_of

_WORDS = st.sampled_from(
    ["Parser", "reads", "解析器", "ＡＢＣ", "abc", "ﬁle", "file", "Straße", "  ", "\n", "\u3000", "\xa0", ",", "。", "x"]
)
TEXTS = st.lists(_WORDS, max_size=30).map(" ".join) | st.lists(_WORDS, max_size=30).map("".join)


@settings(max_examples=400, deadline=None)
@given(TEXTS, TEXTS)
def test_a_text_scores_as_its_folded_form(text: str, query: str) -> None:
    phrase, terms = folded(query), terms_of(query)
    assert scored(text, phrase, terms) == score(folded(text), phrase, terms)


def test_a_phrase_is_found_over_the_end_of_a_line() -> None:
    assert scored("the  Parser\nreads", "parser reads", ()) == score("the parser reads", "parser reads", ()) > 0
