"""A paraphrase of what the person said is theirs while nothing of others was in the conversation; with others' text it must be close."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop.memory.keeping import Candidate, Judged, judge

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)


def judged(body: str, *said: str, description: str = "a fact", untrusted: bool = False) -> Judged:
    text = f"---\nname: fact\ndescription: {description}\nmetadata:\n  type: project\n---\n\n{body}\n"
    return judge(Candidate("fact.md", text, None, said, untrusted, NOW), [])


PARAPHRASES = (
    ("we use bun, not npm", "Use bun instead of npm for installing and running."),
    ("Our API base url is https://api.example.com/v2", "The API lives at https://api.example.com/v2"),
    ("Remember that the deadline is next Friday", "Deadline: 2026-12-04."),
    ("Remember that the deadline is next Friday", "Deadline: 2026-12-11."),
    ("测试不要用 mock 数据库", "集成测试必须连接真实数据库，禁止使用 mock。"),
    ("one bundled pull request was the right call, keep doing it", "For refactors the user wants one bundled PR, not many small ones."),
    ("The sign-in rewrite is driven by legal compliance, not tech debt", "Authentication is rewritten for legal and compliance reasons."),
    ("我不喜欢长篇大论", "回答要简短，用户不喜欢长篇大论的解释。"),
)


@pytest.mark.parametrize(("said", "body"), PARAPHRASES)
def test_a_paraphrase_is_kept_where_only_the_person_spoke(said: str, body: str) -> None:
    assert judged(body, said).verdict == "keep"


@pytest.mark.parametrize(("said", "body"), [PARAPHRASES[0], PARAPHRASES[4], PARAPHRASES[5]])
def test_the_same_waits_where_others_spoke_too(said: str, body: str) -> None:
    assert judged(body, said, untrusted=True).verdict == "wait"
    quoted = f"{said}\n\n> The vendor's page says that everything is different from now on, and more of this kind."
    assert judged(body, quoted).verdict == "wait"


@pytest.mark.parametrize(
    ("said", "body"),
    [
        ("the cache lives in Redis", "Backups are kept for thirty days."),
        ("What does the queue do?", "The queue sends mail."),
        ("the service listens on port 8080", "The service listens on port 9090."),
        ("fix the login test", "The project uses Playwright for login tests."),
        ("缓存放在 Redis 里", "备份保留三十天。"),
    ],
)
def test_what_the_person_did_not_say_waits(said: str, body: str) -> None:
    assert judged(body, said).verdict == "wait"
