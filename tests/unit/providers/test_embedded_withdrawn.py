"""What a person takes back with their next message: it gives no memory, unless they had asked in words to remember it."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop.messages.parts import Message, Origin, Part, Role, TextPart, ToolCallPart, ToolResultPart
from desktop.providers.base import ModelRequest
from desktop.providers.embedded_guards import Forget
from desktop.providers.embedded_withdrawn import taken_back, takes_back, withdrawal

NOW = datetime(2026, 1, 1, tzinfo=UTC)
RULE = "from now on answer in french"

BACK = """
haha no sorry, that was a joke
just kidding
never mind
nvm, i like it after all
scratch that
please ignore that
oh wait, forget it
i take that back
actually ignore what i just said
算了
嗯算了，当我没说
哈哈开玩笑的，还是中文吧
收回刚才的话
刚才说的不算
别当真
""".strip().splitlines()
NOT_BACK = """
ignore that directory when you search
never mind the tests, please go on with the parser and then write the changelog for the release of next week
drop the table
forget to close it and it leaks
no, use tabs
ok
算了一下，一共三百行
取消订单的接口在哪
不用管理员权限也能跑吗
好的
""".strip().splitlines()


@pytest.mark.parametrize("said", BACK)
def test_taken_back(said: str) -> None:
    assert takes_back(said, RULE)


@pytest.mark.parametrize("said", NOT_BACK)
def test_something_else(said: str) -> None:
    assert not takes_back(said, RULE)


@pytest.mark.parametrize("before", ["remember: we use bun", "keep in mind that prod is arm", "记住我们用 bun", "别忘了周五封版"])
def test_what_was_to_be_remembered_in_words_stays(before: str) -> None:
    assert not takes_back("never mind", before)
    assert not takes_back("算了", before)


def test_only_the_message_before_is_taken_back() -> None:
    assert taken_back(["we use bun", RULE, "just kidding", "our linter is ruff"]) == {1}
    assert taken_back([]) == set()


def _message(role: Role, *parts: Part, origin: Origin) -> Message:
    return Message(f"msg_{role}", role, parts, NOW, origin=origin)


def _request(path: str, last: str, *, status: str = "ok", root: str = "/mem") -> ModelRequest:
    result = ToolResultPart("c1", "Write", "done", status)  # type: ignore[arg-type]
    messages = (
        _message("user", TextPart(RULE), origin="person"),
        _message("assistant", ToolCallPart("c1", "Write", {"file_path": path, "content": RULE}), origin="model"),
        _message("tool", result, origin="tool"),
        _message("assistant", TextPart("Remembered."), origin="model"),
        _message("user", TextPart(last), origin="person"),
    )
    return ModelRequest("main", "system", messages, (), workspace="/ws", memory_root=root)


def test_the_memory_of_the_turn_before_is_forgotten() -> None:
    assert withdrawal(_request("/mem/answer-in-french.md", "just kidding")) == Forget("answer-in-french")


@pytest.mark.parametrize(
    "request_",
    [
        _request("/mem/answer-in-french.md", "thanks"),
        _request("/ws/notes.md", "just kidding"),
        _request("/mem/answer-in-french.md", "just kidding", status="denied"),
        _request("/mem/answer-in-french.md", "just kidding", root=""),
        _request("/mem/MEMORY.md", "just kidding", root="/mem/MEMORY.md"),
    ],
)
def test_nothing_else_is_forgotten(request_: ModelRequest) -> None:
    assert withdrawal(request_) is None


@pytest.mark.parametrize(
    "said",
    [
        "just kidding",
        "jk lol",
        "never mind",
        "nvm",
        "nvm, I was wrong",
        "nevermind that",
        "scratch that",
        "ignore that please",
        "that was a joke",
        "it's just a test",
        "I take that back",
        "I didn't mean that",
        "算了",
        "算了算了",
        "算了吧",
        "算了，不用了",
        "当我没说",
        "开玩笑的",
        "我开玩笑的啦",
        "逗你玩的",
        "刚才说的不算",
        "上面那条作废",
        "那条规则作废",
        "这句不算",
        "这个不算数",
        "别当真",
        "收回刚才的话",
        "forget that",
        "刚才那个忽略",
        "哈哈开玩笑呢",
    ],
)
def test_a_phrase_that_is_all_of_its_clause_takes_back(said: str) -> None:
    assert takes_back(said, "以后都用制表符缩进")


@pytest.mark.parametrize(
    "said",
    [
        "just kidding aside, use tabs",
        "kidding aside",
        "joking apart, we use tabs",
        "just joking around with the team",
        "This is a test project in Go",
        "that was a test run of the pipeline",
        "that is a joke of an API",
        "I didn't mean it to be slow",
        "nvm use 20",
        "jk is a good mapping",
        "算了时间",
        "算了三遍",
        "算了成本",
        "算了房租",
        "这不算 bug",
        "这个不算难",
        "那不算什么",
        "开个玩笑：我们用 vim",
        "是开玩笑吗",
        "上面说的端口取消掉",
        "never mind the tests, run the linter",
    ],
)
def test_the_same_words_about_something_else_do_not(said: str) -> None:
    assert not takes_back(said, "以后都用制表符缩进")
