"""Typed commands: which text is one, which is an ordinary message, and Markdown made of phrases."""

from __future__ import annotations

import pytest

from desktop.agent.slash import COMMANDS, near, parse
from desktop.agent.slash.markup import blocks, bullets, code, markup, plain, table
from desktop.base.phrases import Phrase, say


def _read(text: str) -> tuple[str, str] | None:
    found = parse(text)
    return (found[0].name, found[1]) if found is not None else None


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("/memory", ("memory", "")),
        ("  /Memory  ", ("memory", "")),
        ("／memory", ("memory", "")),
        ("/remember we use bun", ("remember", "we use bun")),
        ("/remember\nwe use bun\n- and only bun", ("remember", "we use bun\n- and only bun")),
        ("/remember", ("remember", "")),
        ("/remember: we use bun", ("remember", "we use bun")),
        ("/forget：数据库", ("forget", "数据库")),
        ("/forget 数据库", ("forget", "数据库")),
        ("/记住 我们用 bun", ("remember", "我们用 bun")),
        ("/记住：我们用 bun", ("remember", "我们用 bun")),
        ("/记住我们用 bun", ("remember", "我们用 bun")),
        ("/忘记 数据库", ("forget", "数据库")),
        ("/状态", ("status", "")),
        ("/回忆我们上次怎么部署的？", ("recall", "我们上次怎么部署的？")),
        ("/记住 为什么用 bun？", ("remember", "为什么用 bun？")),
        ("/rename The album page", ("rename", "The album page")),
    ],
)
def test_what_is_a_command(text: str, read: tuple[str, str]) -> None:
    assert _read(text) == read


@pytest.mark.parametrize(
    "text",
    [
        "/etc/hosts is wrong",
        "/etc/hosts",
        "/memory/notes.md",
        "/memory what do you know about us",
        "/status of the build?",
        "/help me with this file",
        "/usr",
        "/",
        "// a comment",
        "/* a comment */",
        "/记忆力是什么意思？",
        "/记住了吗？",
        "/忘记了",
        "/忘记密码怎么办？",
        "what does /memory do?",
        "tell me:\n/memory",
        "",
        "/remembering is hard",
    ],
)
def test_what_is_an_ordinary_message(text: str) -> None:
    assert parse(text) is None


@pytest.mark.parametrize(
    ("text", "name"),
    [
        ("/memroy", "memory"),
        ("/rember", "remember"),
        ("/recal", "recall"),
        ("/forgot", "forget"),
        ("/statsu", "status"),
        ("/hlep", "help"),
    ],
)
def test_a_lone_mistyped_word_is_asked_about(text: str, name: str) -> None:
    found = near(text)
    assert found is not None
    assert found.name == name


@pytest.mark.parametrize(
    "text", ["/memory", "/etc", "/usr/bin", "/tmp", "/home", "/memroy is a typo", "/deploy", "hello", "/api", "/zzzzzz", "/"]
)
def test_nothing_else_is_asked_about(text: str) -> None:
    assert near(text) is None


def test_names_are_unique_and_said_in_phrases() -> None:
    names = [one for command in COMMANDS for one in (command.name, command.alias) if one]
    assert len(names) == len(set(names))
    for command in COMMANDS:
        assert isinstance(command.summary, Phrase)
        assert isinstance(command.arguments, Phrase) or not command.arguments
        assert command.arguments or not command.needs_text


def test_data_in_markdown_stays_data() -> None:
    from markdown_it import MarkdownIt

    nasty = "a*b* [x](http://evil) `c` <b>d</b> # e | f _g_ ~~h~~ ![i](j)"
    shown = MarkdownIt("commonmark").enable(["table", "strikethrough"]).render(str(markup("- {text}", text=plain(nasty))))
    for tag in ("<em>", "<a ", "<code>", "<b>", "<h1>", "<del>", "<img"):
        assert tag not in shown
    assert "snake_case_name" in plain("snake_case_name")
    assert code("a`b``c") == "```a`b``c```"
    assert code("`x`") == "`` `x` ``"


def test_a_phrase_keeps_its_words_and_its_values_are_data() -> None:
    made = plain(say("There is no memory {name}.", name="a*b*"))
    assert isinstance(made, Phrase)
    assert made.template == "There is no memory {name}."
    assert made == "There is no memory a\\*b\\*."


def test_parts_stay_phrases_all_the_way_down() -> None:
    said = say("off")
    whole = blocks(
        bullets([markup("**{head}** – {value}", head=say("Memory"), value=said)]), table((say("Slot"), say("Tokens")), [("A", "1")], "lr")
    )
    assert whole == "- **Memory** – off\n\n| Slot | Tokens |\n| --- | ---: |\n| A | 1 |"

    def templates(text: object) -> set[str]:
        return {text.template, *(t for value in text.values.values() for t in templates(value))} if isinstance(text, Phrase) else set()

    assert {"Memory", "off", "Slot", "Tokens"} <= templates(whole)
