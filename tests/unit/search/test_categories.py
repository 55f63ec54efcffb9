"""Which names in a sentence are tools of a kind, and which questions ask for a kind."""

from __future__ import annotations

import pytest

from desktop.search.categories import asked_for, categories_of
from desktop.search.categories_table import TABLE


def named(text: str) -> list[str]:
    return [category.english for category in categories_of(text)]


@pytest.mark.parametrize(
    ("text", "kinds"),
    [
        ("We use bun, not npm", ["package manager"]),
        ("用 bun 不用 npm", ["package manager"]),
        ("The backend is written in Go 1.22", ["programming language"]),
        ("后端用 Go 写", ["programming language"]),
        ("We use jest for unit tests", ["test framework"]),
        ("prefer jest over vitest", ["test framework"]),
        ("用 make 构建", ["build tool"]),
        ("use `just` here", ["build tool"]),
        ("The frontend uses React.", ["ui framework"]),
        ("我们用飞书沟通", ["chat tool"]),
        ("Ｐｏｓｔｇｒｅｓ 存订单", ["database"]),
    ],
)
def test_a_tool_tells_its_kind(text: str, kinds: list[str]) -> None:
    assert named(text) == kinds


@pytest.mark.parametrize(
    "text",
    [
        "go to the next page and make it black",
        "Ship express orders next spring",
        "run next week",
        "use express shipping",
        "use go to definition",
        "Use black for headings",
        "Click Next to go on",
        "React to errors fast",
        "The task is just to echo the standard message",
        "Less is more; render the matrix in the foundation",
        "a bunch of yarns and pipes",
        "Teams meet on Mondays",
    ],
)
def test_an_everyday_word_is_no_tool(text: str) -> None:
    assert named(text) == []


def test_at_most_two_kinds() -> None:
    assert len(categories_of("npm, Postgres, Kafka, Docker, Terraform, Jira")) == 2


@pytest.mark.parametrize(
    ("question", "kinds"),
    [
        ("包管理器", ["package manager"]),
        ("database?", ["database"]),
        ("Which database does billing use?", ["database"]),
        ("类型检查器用的什么？", ["type checker"]),
        ("which database migration failed", []),
        ("Is npm our package manager?", []),
        ("the queue is full", []),
        ("用什么语言写提交信息", []),
    ],
)
def test_a_question_asks_for_a_kind(question: str, kinds: list[str]) -> None:
    assert [asked.category.english for asked in asked_for(question)] == kinds


def test_the_table_is_lower_case_and_names_nothing_twice_in_a_row() -> None:
    assert len(TABLE) >= 25
    for called, named_by, _, listed in TABLE:
        assert called.count(" | ") == named_by.count(" | ") == 1
        members = [name.removeprefix("~") for name in listed.split(", ")]
        assert len(members) == len(set(members))
        assert all(name == name.lower() and len(name) > 1 and name == name.strip() for name in members)


@pytest.mark.parametrize("text", ["next" + " " * 19_000 + "npm", "`" * 20_000, "go make next bun " * 1_000, "İ go npm"])
def test_odd_texts_are_read_to_their_end(text: str) -> None:
    assert len(categories_of(text)) <= 2
