"""ReadSessionContext in little room: the words around the material count too, and long questions do not eat the budget (SC-10)."""

from __future__ import annotations

import pytest

from desktop.base.words import estimate_tokens
from desktop.sessions.context import BRIEF, body_of, read_context
from desktop.sessions.transcript import LoadedTranscript
from tests.unit.sessions.make import message

ID = "sess_01kdyak348jvzpqk98ycnpnsg6"


def talk(count: int) -> LoadedTranscript:
    said = tuple(message(f"the port is 8080, 端口 {number}", number=number) for number in range(count))
    return LoadedTranscript(None, said, said, {"title": "端口 and other things that were said"}, [])


@pytest.mark.parametrize("tokens", [90, 100, 150, 200, 299, 300, 400, 600, 1_000])
@pytest.mark.parametrize("strategy", ["relevant", "handoff"])
@pytest.mark.parametrize("query", ["port", "端口" * 200, "端口" * 2_000, "which port " * 300])
def test_no_question_and_no_frame_breaks_a_small_budget(tokens: int, strategy: str, query: str) -> None:
    result = read_context(talk(30), query, strategy=strategy, max_tokens=tokens)  # type: ignore[arg-type]
    assert result.tokens == estimate_tokens(result.text) <= tokens
    assert result.citations and "8080" in result.text and result.dropped == 30 - len(result.citations)


@pytest.mark.parametrize("tokens", [1, 20, BRIEF - 1, BRIEF, 6_000])
def test_however_small_it_is_the_material_stands_in_a_frame_that_says_what_it_is(tokens: int) -> None:
    text = read_context(talk(3), "port", max_tokens=tokens).text
    head, nonce = text.split("\n", 2)[:2]
    assert "untrusted data" in head and "instruction" in head and nonce.startswith("<<session-material ")
    assert body_of(text) and "端口 and other" not in head


def test_a_question_that_is_short_beside_the_budget_is_named() -> None:
    assert "question: port" in read_context(talk(3), "port", max_tokens=1_000).text
    assert "question" not in body_of(read_context(talk(3), "端口" * 400, max_tokens=400).text)
