"""The small ranking: finds in English and Chinese, and stays silent on what has nothing to do with the notes."""

from __future__ import annotations

import json
from datetime import UTC, datetime

import pytest

from desktop.memory.note import Note
from desktop.memory.relevance import rank_index_lines, rank_notes, terms_of
from tests.helpers.data import shared_data


def note(path: str, name: str, description: str, keywords: tuple[str, ...] = ()) -> Note:
    return Note(path, name, description, None, None, datetime(2026, 1, 1, tzinfo=UTC), None, None, False, 1, None, "", keywords)


NOTES = [
    (note("pm.md", "package-manager", "The package manager is bun"), "Our package manager is bun, never npm."),
    (note("commit.md", "提交信息语言", "提交信息都用中文写"), "提交信息都用中文写，不要英文。"),
    (note("db.md", "database", "Postgres listens on port 5433", ("数据库", "端口")), "The database is Postgres on port 5433."),
    (note("role.md", "user-role", "The user is a backend developer"), "Works on payment services."),
    (note("style.md", "code-style", "Tabs, not spaces"), "Functions stay short; tests mirror the package."),
]


@pytest.mark.parametrize(
    ("query", "best"),
    [
        ("Which package manager do we use?", "pm.md"),
        ("how are packages managed", "pm.md"),
        ("提交信息用什么语言？", "commit.md"),
        ("写提交", "commit.md"),
        ("which port do the databases listen on", "db.md"),
        ("数据库端口是多少", "db.md"),
        ("ＢＵＮ", "pm.md"),
        ("tabs or spaces", "style.md"),
    ],
)
def test_the_right_note_comes_first(query: str, best: str) -> None:
    found = rank_notes(query, NOTES, 3)
    assert found
    assert found[0][0].path == best
    assert found == sorted(found, key=lambda item: -item[2])


@pytest.mark.parametrize(
    "query", ["", "?!", "what is the weather like today", "今天天气怎么样", "写一首关于大海的诗", "hello", "你好", "tell me"]
)
def test_an_unrelated_question_finds_nothing(query: str) -> None:
    assert rank_notes(query, NOTES, 5) == []
    assert rank_index_lines(query, [f"- [{n.name}]({n.path}) — {n.description}" for n, _ in NOTES], 5) == []


def test_limits_and_empty_input() -> None:
    assert rank_notes("bun", [], 5) == []
    assert len(rank_notes("package database 提交信息", NOTES, 1)) <= 1
    assert rank_index_lines("bun", [], 5) == []


def test_index_lines_are_ranked_alike() -> None:
    lines = [f"- [{n.name}]({n.path}) — {n.description}" for n, _ in NOTES]
    assert rank_index_lines("which package manager", lines, 2)[0] == lines[0]
    assert rank_index_lines("提交信息的语言", lines, 2)[0] == lines[1]


def test_terms_fold_width_case_and_endings() -> None:
    assert terms_of("Packages ＰＡＣＫＡＧＥ package's")["packag"] == 3
    assert terms_of("tests tested testing test")["test"] == 4
    assert set(terms_of("数据库")) == {"数据", "据库", "c:数", "c:据", "c:库"}


def test_a_long_text_is_no_trouble() -> None:
    assert rank_notes("bun " * 5_000, [(NOTES[0][0], "bun " * 200_000)], 1)


def test_questions_find_their_memory_in_the_same_language() -> None:
    folder = shared_data("codemem")
    memories = [json.loads(line) for line in (folder / "memories.jsonl").read_text().splitlines()]
    queries = [json.loads(line) for line in (folder / "queries.jsonl").read_text().splitlines()]
    language = {memory["id"]: memory["lang"] for memory in memories}
    notes = [(note(memory["id"], memory["name"], memory["description"]), memory["body"]) for memory in memories]
    for lang in ("en", "zh"):
        asked = [query for query in queries if query["lang"] == lang and language[query["gold"][0]] == lang]
        found = sum(query["gold"][0] in [n.path for n, _, _ in rank_notes(query["q"], notes, 5)] for query in asked)
        print(f"{lang}: {found} of {len(asked)} found among the first five")
        assert asked
        assert found / len(asked) >= 0.65
