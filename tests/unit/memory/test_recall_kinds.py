"""A question for a kind of tool finds the memories that name one: by recall and by search, in both languages, and nothing else does."""

from __future__ import annotations

import pytest

from desktop.memory.recall import Asked, by_words
from desktop.memory.recall_question import question_of
from tests.unit.memory.conftest import Desk, note_text
from tests.unit.memory.searching import Searching

ALL = frozenset(("project", "user"))

KINDS = [
    ("We use pnpm, not npm.", "Which package manager do we use?", "我们用什么包管理器？"),
    ("Everything runs on Deno here.", "Which runtime is this for?", "这里用哪个运行时？"),
    ("The service is written in Kotlin.", "What programming language is it?", "用的是什么编程语言？"),
    ("We use vitest and nothing else.", "Which test framework do we use?", "用什么测试框架？"),
    ("We settled on pylint.", "Which linter should I run?", "我们的代码检查工具是哪个？"),
    ("prettier decides, nobody argues.", "What formatter do we have?", "格式化工具用的是哪个？"),
    ("The checks are made with pyright.", "Which type checker is in use?", "类型检查器用的什么？"),
    ("The assets come out of webpack.", "What is our build tool?", "构建工具是哪个？"),
    ("The backend is FastAPI.", "Which web framework do we use?", "后端框架是什么？"),
    ("Orders live in Postgres.", "What database do we have?", "我们用的是什么数据库？"),
    ("Events go through Kafka.", "Which message broker do we use?", "消息队列用的什么？"),
    ("Merges wait for CircleCI.", "Which CI do we use?", "CI 用的是什么？"),
    ("Crashes go to Sentry.", "Which error tracker do we use?", "错误监控用的是什么？"),
    ("The infrastructure is in Terraform.", "Which infrastructure as code tool do we use?", "基础设施即代码用的什么？"),
    ("客服在飞书上找我们。", "Which chat tool do we use?", "我们用什么聊天工具？"),
    ("收款走支付宝。", "Which payment provider do we use?", "支付平台是哪家？"),
]


@pytest.fixture
def at(desk: Desk) -> Searching:
    at = Searching(desk)
    for number, (said, _, _) in enumerate(KINDS):
        at.put(f"note-{number}.md", note_text(f"fact {number}", said))
    at.put("boss.md", note_text("boss", "My manager is Anna."))
    at.put("spaces.md", note_text("indent", "We use four spaces."))
    return at


def recalled(at: Searching, question: str) -> list[str]:
    return [one.note.path for one in by_words(at.memories, at.search, Asked(question_of(question), roots=ALL), reconcile=True)]


@pytest.mark.parametrize("number", range(len(KINDS)), ids=[asked for _, asked, _ in KINDS])
@pytest.mark.parametrize("language", (1, 2), ids=("en", "zh"))
def test_a_question_for_a_kind_recalls_and_finds_the_memory_without_any_keyword(at: Searching, number: int, language: int) -> None:
    question = KINDS[number][language]
    assert recalled(at, question) == [f"note-{number}.md"]
    hits = at.search.search(at.memories, question).hits
    assert hits[0].path == f"note-{number}.md", [hit.path for hit in hits]
    assert [hit.score for hit in hits] == sorted((hit.score for hit in hits), reverse=True)


def test_a_literal_match_stands_before_a_member_and_a_part_of_the_name_is_none(desk: Desk) -> None:
    at = Searching(desk)
    at.put("boss.md", note_text("boss", "My manager is Anna."))
    at.put("audit.md", note_text("audit", "npm audit runs at night."))
    assert recalled(at, "Which package manager do we use?") == ["audit.md"]
    at.put("choice.md", note_text("package manager", "The package manager is decided by the platform team."))
    assert recalled(at, "Which package manager do we use?") == ["choice.md", "audit.md"]
    found = [hit.path for hit in at.search.search(at.memories, "Which package manager do we use?").hits]
    assert found[:2] == ["choice.md", "audit.md"]


NEGATIVES = [
    "How do I run bun in watch mode?",
    "Is npm our package manager?",
    "Rename the variable manager to owner",
    "The package is broken, fix it",
    "Write a function that caches its results",
    "Which database migration failed last night?",
    "Fix the queue class in worker.py",
    "Format this JSON",
    "Write a linked list and its tests",
    "Build the page again",
    "Which file holds the parser?",
    "What language should my answer be in?",
    "Explain the operating costs of this loop",
    "Move the editor widget to the left",
    "把这个缓存函数改成异步",
    "数据库迁移脚本报错了，帮我看看",
    "重命名这个变量",
    "这个队列类写错了",
    "这段代码用什么变量名好",
    "用什么语言写提交信息",
    "测试失败了，看看为什么",
    "把编辑器窗口移到左边",
]


@pytest.mark.parametrize("question", NEGATIVES)
def test_what_names_no_kind_recalls_no_member(at: Searching, question: str) -> None:
    at.put("note-0.md", note_text("audit", "pnpm audit is read on Mondays."))
    assert recalled(at, question) == []
