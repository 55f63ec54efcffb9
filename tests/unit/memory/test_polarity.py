"""A memory that says the opposite of the person's sentence, or of them what they told of others, has no sentence behind it (S11)."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop.memory.keeping import Candidate, judge
from desktop.memory.own_words import supported
from desktop.memory.polarity import says_otherwise
from desktop.memory.stamp import compose_note
from desktop.memory.support import is_related

NOW = datetime(2026, 11, 30, 12, tzinfo=UTC)

OPPOSITE = (
    ("We don't use bun.", "We use bun."),
    ("We use bun.", "We don't use bun."),
    ("We no longer use bun.", "We use bun."),
    ("bun is not used here", "We use bun."),
    ("Always push to main.", "Never push to main."),
    ("Squash commits.", "Do not squash commits."),
    ("I hate semicolons.", "The user likes semicolons."),
    ("Avoid mocks in tests.", "Tests may use mocks."),
    ("I prefer tabs over spaces.", "Prefer spaces over tabs."),
    ("We moved from pnpm to npm.", "The team moved from npm to pnpm."),
    ("we replaced MySQL with Postgres", "Postgres was replaced with MySQL."),
    ("I'm not on call this week, Bea is", "The user is on call this week."),
    ("I turned off telemetry.", "Telemetry is enabled."),
    ("our mobile app doesn't have an offline mode", "The mobile app has an offline mode."),
    ("我们不用 bun。", "我们用 bun。"),
    ("我们不再用 bun 了。", "我们用 bun。"),
    ("可以强推。", "不要强推。"),
    ("提交信息不要用中文写", "提交信息用中文写"),
    ("我讨厌分号", "用户喜欢分号"),
    ("数据库从 Postgres 换成了 MySQL。", "数据库从 MySQL 换成了 Postgres。"),
    ("用 pnpm 代替 npm", "用 npm"),
    ("周五不部署", "周五部署"),
    ("这个接口不用鉴权", "接口需要鉴权"),
    ("我們不用 bun。", "We use bun."),
    ("I'd rather have tabs than spaces.", "Prefers spaces over tabs."),
    ("We dropped Redux for Zustand.", "The project uses Redux."),
    ("We moved to Zustand from Redux.", "Uses Redux."),
    ("Lint must be free of warnings.", "Lint warnings are allowed."),
    ("Don't install and use bun.", "Use bun."),
    ("Don't write comments in Chinese.", "Comments in Chinese."),
    ("Never mock the database in tests.", "Mock the database in the tests."),
    ("Don't use bun in this project because it is slow.", "Uses bun."),
    ("Keep secrets out of the repo.", "Secrets are kept in the repo."),
    ("Omit trailing commas.", "Use trailing commas."),
    ("别在测试里 mock 数据库。", "在测试里 mock 数据库。"),
    ("不要用 npm 用 pnpm", "用 npm"),
    ("跳过解释", "要有解释"),
)
OF_OTHERS = (
    ("My colleague at another company uses bun.", "We use bun."),
    ("My friend works in Berlin.", "The user works in Berlin."),
    ("My brother Tom uses vim.", "The user uses vim."),
    ("At my last company we used Jira.", "The team uses Jira."),
    ("我朋友的公司用飞书。", "我们用飞书。"),
)
SAME = (
    ("We don't use bun.", "Bun is not used in this project."),
    ("I hate semicolons.", "The user dislikes semicolons."),
    ("Don't use semicolons in the code.", "No semicolons in code."),
    ("no, we use pnpm not npm", "We use pnpm, not npm."),
    ("Use pnpm instead of npm.", "Use pnpm, not npm."),
    ("Don't use npm, use pnpm.", "Use pnpm."),
    ("We stopped using npm, we use pnpm now.", "The project no longer uses npm; it uses pnpm."),
    ("Force pushing to main is not allowed.", "Never force-push to main."),
    ("Never commit without running lint.", "Run lint before commit."),
    ("Don't forget to run lint before commit.", "Run lint before commit."),
    ("We don't keep logs longer than 30 days.", "Logs are kept for 30 days only."),
    ("CI doesn't work on ARM.", "CI is broken on ARM."),
    ("tabs over spaces please, I prefer tabs", "The user prefers tabs to spaces."),
    ("we changed the port from 8081 to 8082", "The port is 8082."),
    ("My colleague Kim owns billing.", "Kim owns billing."),
    ("My wife is called Mia.", "The user's wife is called Mia."),
    ("my boss wants us to use Jira", "The team uses Jira."),
    ("don't merge before the tests pass", "Tests must pass before merge."),
    ("测试通过之前不要合并", "合并前测试必须通过。"),
    ("代码里不要用分号。", "不使用分号。"),
    ("不要用 npm，用 pnpm。", "用 pnpm 而不是 npm。"),
    ("没跑 lint 不要提交。", "提交前必须跑 lint。"),
    ("别忘了提交前跑lint。", "提交前跑lint。"),
    ("没有两个人批准不能合并", "合并前需要两个人批准"),
    ("把数据库端口改成5433", "数据库端口是5433。"),
    ("我们不仅支持中文也支持英文", "不仅支持中文也支持英文"),
    ("我同事小王负责账单。", "小王负责账单。"),
    ("服务器的别名是 prod", "别名是 prod"),
    ("别再 mock 数据库了，测试要用真的库", "Do not mock the database in tests."),
    ("We dropped Redux for Zustand.", "The project uses Zustand instead of Redux."),
    ("We moved to Zustand from Redux.", "Uses Zustand instead of Redux."),
    ("We removed Redux and now use Zustand.", "Uses Zustand."),
    ("Stop using npm and use pnpm.", "Use pnpm."),
    ("I'd rather have tabs than spaces.", "Prefers tabs over spaces."),
    ("I'd prefer you to run all tests before pushing.", "Run all tests before pushing."),
    ("Don't mock the database in tests.", "Tests use the real database, no mocks."),
    ("My wife Ana runs the billing service.", "Ana, the user's wife, runs the billing service."),
    ("Lint must pass without warnings.", "Linting must be free of warnings."),
    ("The broken test in auth is known.", "The failing test in auth is known."),
    ("Omit trailing commas.", "No trailing commas."),
    ("Exclude node_modules from search.", "Do not search in node_modules."),
    ("Secrets never go into the repo.", "Keep secrets out of the repo."),
    ("别在测试里 mock 数据库。", "测试使用真实数据库，不 mock。"),
    ("我们不用 npm 用 pnpm", "用 pnpm"),
    ("跳过解释，直接给代码。", "不要解释，直接给代码。"),
    ("旧接口三月就下线了。", "旧接口已停用。"),
    ("测试挂了不许合并。", "测试失败时禁止合并。"),
)


@pytest.mark.parametrize(("said", "memory"), OPPOSITE + OF_OTHERS)
def test_the_opposite_and_what_others_do_has_no_sentence_behind_it(said: str, memory: str) -> None:
    assert not supported(memory, [said], NOW)
    assert not is_related(memory, [said], NOW)


@pytest.mark.parametrize(("said", "memory"), SAME)
def test_the_same_in_other_words_is_not_taken_for_the_opposite(said: str, memory: str) -> None:
    assert not says_otherwise(memory, [said])
    assert supported(memory, [said], NOW) or is_related(memory, [said], NOW)


def test_one_turned_sentence_of_a_memory_is_enough() -> None:
    said = ["We don't use bun.", "Tests run with vitest."]
    assert not supported("Tests run with vitest. We use bun.", said, NOW)
    assert supported("Tests run with vitest. We do not use bun.", said, NOW)


@pytest.mark.parametrize(
    "piece", ["prefer a ", "rather a ", "keep a ", "use a and ", "drop a ", "moved to a ", "不用a", "要在", "-", "\n", " "]
)
def test_long_repetitions_are_judged_in_linear_time(piece: str) -> None:
    said = piece * (100_000 // len(piece))
    assert not says_otherwise("Uses bun.", [said])
    assert not supported("Uses bun.", [said], NOW)
    assert not supported(f"Uses bun. {said}", ["Ferries leave on Mondays."], NOW)


@pytest.mark.parametrize(("said", "memory"), [("We don't use bun.", "We use bun."), ("我们不用 bun。", "我们用 bun。")])
def test_such_a_memory_waits_for_the_person(said: str, memory: str) -> None:
    text = compose_note(name="bun", description=memory, kind="project", body=memory)
    assert judge(Candidate("bun.md", text, None, (said,), untrusted=False, now=NOW), []).verdict == "wait"


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ("端口是5433。", "端口是5432。"),
        ("数据库端口5433", "数据库端口5432"),
        ("行宽120", "行宽100"),
        ("超时60秒", "超时30秒"),
        ("团队有10人", "团队有12人"),
        ("预算五十万", "预算三十万"),
        ("团队有六人", "团队有八人"),
        ("缓存用Redis", "缓存用Memcached"),
        ("The cache uses Redis.", "The cache uses Memcached."),
        ("周二部署", "周三部署"),
    ],
)
def test_another_figure_or_value_is_nobodys(said: str, memory: str) -> None:
    """A number that stands right behind a Chinese character is one all the same."""
    assert not supported(memory, [said], NOW) and not is_related(memory, [said], NOW)


@pytest.mark.parametrize(
    ("said", "memory"),
    [
        ("数据库端口5433", "数据库端口5433"),
        ("12个人", "十二个人"),
        ("团队有八个人", "The team has 8 people."),
        ("预算五十万", "预算五十万"),
    ],
)
def test_the_same_figure_in_other_signs_is_theirs(said: str, memory: str) -> None:
    assert supported(memory, [said], NOW) or is_related(memory, [said], NOW)
