"""Keywords of both languages: deterministic, at most twelve, the given ones kept, no secret."""

from __future__ import annotations

import pytest

from desktop.base.words import cjk_characters
from desktop.memory.bilingual import MOST, keywords_for

NOTES = [
    ("package-manager", "We use pnpm as package manager", "包管理器"),
    ("commit-language", "提交信息都用中文写", "commit message"),
    ("db", "数据库端口是 5433", "database"),
    ("deploy", "Deployment runs on Fridays", "部署"),
    ("tests", "集成测试必须连真实数据库", "database"),
]


@pytest.mark.parametrize(("name", "said", "other"), NOTES)
def test_both_languages(name: str, said: str, other: str) -> None:
    words = keywords_for(name, said, said)
    assert other in words
    assert len(words) <= MOST
    assert {cjk_characters(word) > 0 for word in words} == {True, False}
    assert words == keywords_for(name, said, said)


def test_given_words_come_first_and_none_is_doubled() -> None:
    words = keywords_for("db", "The database is Postgres", "", ["存储", "Database"])
    assert words[:2] == ("存储", "Database")
    assert len({word.casefold() for word in words}) == len(words)
    assert len(keywords_for("x", "database", "", [f"word{n}" for n in range(30)])) >= MOST


def test_dates_and_secrets_are_no_keywords() -> None:
    token = "gh" + "p_" + "a1B2c3D4e5" * 3 + "F6g7H8"
    words = keywords_for("x", f"release on 2026-12-01 with {token}", "")
    assert not any("2026" in word or token[:8].casefold() in word.casefold() for word in words)


def test_nothing_gives_nothing() -> None:
    assert keywords_for("", "", "") == ()


@pytest.mark.parametrize("said", ["We use bun, not npm", "我们一直使用 bun，不用 npm", "Always remember: we use bun, never npm"])
def test_a_tool_is_keyed_by_what_it_is_and_empty_words_are_no_keywords(said: str) -> None:
    words = keywords_for("note", said, said)
    assert {"package manager", "包管理器", "bun", "npm"} <= set(words)
    assert not {"使用", "use", "we", "我们", "always", "一直", "never", "总是", "始终", "remember", "记住"} & set(words)
