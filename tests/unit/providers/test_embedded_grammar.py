"""Statements that last by their grammar; what only looks like one; short spellings; what the person wants not kept."""

from __future__ import annotations

import pytest

from desktop.providers.embedded_grammar import states
from desktop.providers.embedded_guards import Forget, Remember, extract_candidates, read_intent
from desktop.providers.embedded_sentences import not_to_be_kept, spelled_out

LASTS = """
we run tests with make check, not pytest directly
You start the dev server with `mix phx.server`.
commit subjects here start with the ticket number, like ABC-123: fix foo
in our team the person who breaks the build brings cake and fixes it
explain stuff to me like i know c++ but not rust
the reason we vendor libfoo is that upstream deleted the 2.x tags
if you need the brand colours theyre in the figma file called Brand 2025
we don't cache user data, gdpr
before a release we always run the smoke tests by hand
give me the command first and the explanation after
skip the summary at the end, i never read it
i'm pretty new to kotlin
mehmet is the guy for anything kubernetes
use make e2e if you want to run the browser tests
the api tests live in tests/api, you put them in the wrong place
a release needs a signed tag
bundle size must stay below 200 kb
questions about billing go to #team-money
actually no, pnpm
提交信息前面要带单号，比如 ABC-123: 修复登录
我们组每个 PR 得两个人点过才能合
我们这谁搞挂了构建谁负责修
hotfix 直接进 release 分支，之后再 cherry-pick 回 main
改之前我想先看 diff
跟我讲 rust 的时候可以用 c++ 打比方，我 c++ 熟
当时没用 graphql 是因为缓存太麻烦
延迟的 grafana 面板：https://grafana.acme.example/d/lat01
版本由马姐隔周四打 tag
kafka 太重了，我们现在用 nats
端口错了，是 9443
其实线上超时是 45 秒
uat 是从 release 分支部署的
先给命令，再解释
没有工单的 PR 会被关掉
预发每周日晚上清空
一半用户用 safari
我写德语你也用英文回
这个库要支持 python 3.8，那海象运算符能用吗
""".strip().splitlines()

PASSES = """
hey can u tell me which port vite uses by default
when the user clicks save we should show a toast. can you wire that up
ok the docker build is at layer 7 of 12
the deploy is at 80 percent
my brother uses emacs
all the buttons in this dialog should be blue
please use a set there, not a list
if it were up to me we'd use elixir
we never have outages, except every single week lol
the queue has 3000 messages in it
we use a loop here because of the order
还剩 3 个用例没过，两个是 auth 的
弹窗里的按钮都要蓝色的
只有 503 才重试
测试都绿了，不错
机器内存快满了
推之前先 rebase 一次
接口要列表，我传的是字典
老鲍的原话是：我们周五从不测试
我们从来不宕机，也就每周一次吧
提示框不能挡住输入框
""".strip().splitlines()

NOT_KEPT = """
off the record: our vendor contract runs out in june. no need to save that
our vpn is slow, no need to note this down
please don't save what i just said
we moved to lisbon, don't write that down
私下说一句，供应商合同六月到期，不用存
我们下个月裁员，这个别记啊
""".strip().splitlines()

KEPT = """
don't store passwords in the repo
we don't save card numbers, ever
never write secrets to the logs
日志里不要记录密码
我们不存客户的卡号
""".strip().splitlines()


@pytest.mark.parametrize("said", LASTS)
def test_what_lasts_by_its_grammar_is_taken(said: str) -> None:
    assert extract_candidates([said])


@pytest.mark.parametrize("said", PASSES)
def test_what_only_looks_like_it_is_left_alone(said: str) -> None:
    assert extract_candidates([said]) == []


@pytest.mark.parametrize("said", NOT_KEPT)
def test_what_the_person_wants_not_kept_is_not(said: str) -> None:
    assert not_to_be_kept(said)
    assert extract_candidates([said]) == []
    assert not isinstance(read_intent(said), Remember)


@pytest.mark.parametrize("said", KEPT)
def test_a_rule_about_storing_is_no_wish_not_to_be_remembered(said: str) -> None:
    assert not not_to_be_kept(said)


@pytest.mark.parametrize(
    "said",
    [
        "Make a note that Sven reviews everything under infra/.",
        "dont forget we ship the windows build first",
        "pls remember our api is rate limited",
        "记一笔，infra/ 下面的东西都归老孙评审",
        "做个备忘：演示账号是 demo-eu-2",
    ],
)
def test_asking_to_remember_always_passes(said: str) -> None:
    found = read_intent(said)
    assert isinstance(found, Remember)
    assert found.facts


@pytest.mark.parametrize("said", ["don't forget we need to fix the login today", "dont forget i have to leave at five"])
def test_a_reminder_of_a_thing_to_do_is_no_fact(said: str) -> None:
    assert not isinstance(read_intent(said), Remember)


def test_what_is_noted_about_something_is_forgotten_by_its_name() -> None:
    assert read_intent("把你记的关于我编辑器的内容删掉") == Forget("我编辑器")


def test_short_spellings_are_written_in_full_but_for_quotations_and_names() -> None:
    assert spelled_out("pls dont use `u` or u.id bc im slow") == "please don't use `u` or u.id because i'm slow"
    assert spelled_out("我用 u 盘装系统") == "我用 u 盘装系统"


def test_two_facts_joined_by_also_are_two() -> None:
    assert len(extract_candidates(["我喜欢 tab 不喜欢空格，另外我们工单在 youtrack 上"])) == 2
    assert len(extract_candidates(["we deploy with argo, also our tickets are in youtrack"])) == 2


def test_a_very_long_sentence_comes_to_an_end() -> None:
    assert states("we " + "deploy the thing " * 200) is None
    assert extract_candidates(["提交信息" + "的时候要先说" * 300]) == []
