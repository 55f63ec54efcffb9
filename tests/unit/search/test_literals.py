"""Exact literals come first, digests by their beginnings, amounts and names in either spelling, and equivalents never above the exact."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.search.index import SearchIndex
from desktop.search.literals import holds, literals_of, share_held
from desktop.search.passage import Document, Passage
from desktop.search.segment import query_terms
from desktop.search.snippet import marks

LONG = "It is told at length and in many words, as people do who have had a bad day with the release and the machines, that {} is the one."
NEAR = {
    "3.11.2": "3.11.20 is out. Versions 3.11.20, 3.11.21 and 3.11 2.",
    "src/app/main.py:42": "src/app/main.py:43 and src/app/main.py:142; main app src py 42",
    "--no-verify": "There is no need to verify the commit; verify verify no verify.",
    "“cache is warm before”": "The cache is cold. Warm the cache before noon. Is the cache warm? Before!",
    "C#": "The firmware is in C. C it is. C C C.",
    "PROJ-1234": "PROJ-12345 PROJ-123 proj 1234 ticket proj proj. 1234 of proj",
    ".env": "env env env: the env of the process",
    "ERR_MODULE_NOT_FOUND": "The module was not found: err. Module not found, not found.",
    "10.20.30.40": "10.20.30.4 and 10.20.30.41, 40 hosts, 10 20 30 40 40",
    "「先写测试」": "测试先写。先写代码，写测试。测试写先。先测试再写。",
}
SPELLINGS = {
    "9f8e7d6": "The regression came in with 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432.",
    "9f8e7d6c5b4a39281706f5e4d3c2b1a098765432": "The regression came in with 9f8e7d6c.",
    "4500": "The budget is $4,500 a month.",
    "4,500": "The budget is 4500 dollars.",
    "250 ms": "It answers within 250ms.",
    "250ms": "It answers within 250 ms.",
    "userSessionToken": "The user_session_token is kept.",
    "user_session_token": "The userSessionToken is kept.",
}


@pytest.fixture
def index(tmp_path: Path) -> Iterator[SearchIndex]:
    made = SearchIndex(tmp_path / "index.sqlite")
    yield made
    made.close()


def document(key: str, text: str) -> Document:
    return Document(key, "projects", "one", "project", "1", (Passage(text),))


def crowd(seed: int = 7) -> list[Document]:
    chance = random.Random(seed)
    print("seed", seed)
    words = [
        "parser",
        "queue",
        "login",
        "upload",
        "drops",
        "rows",
        "events",
        "token",
        "user",
        "session",
        "warm",
        "3",
        "11",
        "2",
        "20",
        "42",
        "budget",
    ]
    return [document(f"crowd {n}", " ".join(chance.choices(words, k=12))) for n in range(80)]


@pytest.mark.parametrize("literal", NEAR)
def test_a_literal_as_it_was_written_comes_first(index: SearchIndex, literal: str) -> None:
    index.update([*crowd(), document("near", NEAR[literal]), document("exact", LONG.format(literal.strip("“”「」")))])
    assert index.search(literal).hits[0].document == "exact"
    assert index.search(f"please find {literal}").hits[0].document == "exact"


@pytest.mark.parametrize("query", SPELLINGS)
def test_either_spelling_is_found_first(index: SearchIndex, query: str) -> None:
    index.update([*crowd(), document("wanted", SPELLINGS[query])])
    hit = index.search(query).hits[0]
    assert hit.document == "wanted"
    assert hit.words and hit.marks and not hit.meaning


def test_a_literal_in_a_later_section_stands_for_its_file(index: SearchIndex) -> None:
    sections = (Passage("main py main py app 42 main"), Passage("The culprit stands at src/app/main.py:42, in a long tale of woe."))
    index.update([*crowd(), Document("file", "projects", "one", "project", "1", sections)])
    assert "src/app/main.py:42" in index.search("src/app/main.py:42").hits[0].snippet


@pytest.mark.parametrize(("query", "literals"), [
    ("what about 3.11.2?", ("3.11.2",)),
    ("use --no-verify, please", ("--no-verify",)),
    ("the well-known and/or thing, i.e. 10:30 in 2026", ()),
    ("say “make it right” now", ("make it right",)),
    ("C++ or c#", ("c++", "c#")),
    ("“…” and \"-\" and ''", ()),
    ("", ()),
])  # fmt: skip
def test_what_is_a_literal(query: str, literals: tuple[str, ...]) -> None:
    assert literals_of(query) == literals


def test_what_holds_a_literal() -> None:
    assert holds("pinned to 3.11.2.", "3.11.2") and not holds("3.11.20 or 3.11.2.1 or 13.11.2", "3.11.2")
    assert holds("make it\n right", "make it right") and not holds("remake it right", "make it right")
    assert share_held("Ｃ# it is", ("c#", "f#")) == 0.5 and share_held("x", ()) == 0.0


def test_equivalents_never_lift_a_text_above_the_exact_one(index: SearchIndex) -> None:
    index.update(
        [
            *crowd(),
            document("exact", LONG.format("the stack trace")),
            document("many", "堆栈信息 调用栈 traceback backtrace 堆栈跟踪 stacktrace"),
        ]
    )
    assert [hit.document for hit in index.search("stack trace").hits[:2]] == ["exact", "many"]


@pytest.mark.parametrize(("query", "text", "marked"), [
    ("cafe", "at the café", ["café"]),
    ("résumé", "a resume", ["resume"]),
    ("resume", "a re\u0301sume\u0301", ["re\u0301sume\u0301"]),
    ("mouse", "two mice", ["mice"]),
    ("run", "it ran, running", ["ran", "running"]),
    ("planned stops", "we plan to be stopped", ["plan", "stopped"]),
    ("get_user_by_id", "call getUserById", ["getUserById"] * 4),
    ("9f8e7d6", "at 9f8e7d6c5b4a now", ["9f8e7d6c5b4a"]),
])  # fmt: skip
def test_what_the_index_found_is_marked(query: str, text: str, marked: list[str]) -> None:
    assert [text[start:end] for start, end, _ in marks(text, query_terms(query))] == marked


def test_without_an_encoder_nothing_is_found_by_meaning(index: SearchIndex) -> None:
    index.update([document("one", "the scheduling of it"), document("two", "Дом стоит")])
    assert [hit.meaning for hit in index.search("schedulers").hits] == [False]
