"""Which references are needless while a tool is in use, and how it is told from a warning, in English and Chinese."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop.memory.note import Note
from desktop.memory.recall_tools import RECENT, is_needless, programs_of, recent_tools
from desktop.messages.parts import Message, TextPart, ToolCallPart

NOW = datetime(2026, 1, 2, tzinfo=UTC)


def note(name: str, description: str = "", kind: str | None = "reference", path: str = "n.md") -> Note:
    return Note(path, name, description, kind, None, NOW, None, None, False, 10, None)


def said(*calls: ToolCallPart) -> Message:
    return Message("m", "assistant", (TextPart("x"), *calls), NOW, origin="model")


def bash(command: str) -> ToolCallPart:
    return ToolCallPart("c", "Bash", {"command": command})


def test_recent_tools_are_those_of_the_newest_answers_with_the_programs_that_they_ran() -> None:
    old = [said(bash("terraform plan"))] + [said(ToolCallPart("c", "Read", {"file_path": "x"}))] * RECENT
    assert recent_tools(old) == ("Read",)
    assert recent_tools([said(bash("cd x && FOO=1 sudo docker build . | tee log; python -m pytest -q"))]) == (
        "Bash",
        "cd",
        "docker",
        "tee",
        "python",
        "pytest",
    )


@pytest.mark.parametrize("command", ["", "'", "$(", "a" * 9_000, "\x00", "=", "sudo", "| | ;", "💥 x"])
def test_odd_commands_name_no_program_and_never_raise(command: str) -> None:
    assert all(len(name) <= 40 for name in programs_of(command))


@pytest.mark.parametrize(
    "one",
    [
        note("docker cheat sheet", "commands for containers"),
        note("Docker usage"),
        note("docker 命令速查", "常用参数"),
        note("how to", "usage of docker compose", kind=None),
    ],
)
def test_a_reference_about_a_tool_in_use_is_needless(one: Note) -> None:
    assert is_needless(one, "docker ps lists containers", ("Bash", "docker"))
    assert not is_needless(one, "docker ps lists containers", ("Bash", "git"))


@pytest.mark.parametrize(
    ("title", "body"),
    [
        ("docker gotcha", "the cache is stale"),
        ("docker", "Never prune on Fridays."),
        ("docker", "It doesn't work behind the proxy."),
        ("docker 使用注意", "缓存会过期"),
        ("docker 说明", "千万不要在周五清理"),
        ("docker 的坑", "镜像缓存"),
        ("docker known issues", ""),
    ],
)
def test_warnings_stay_in_both_languages(title: str, body: str) -> None:
    assert not is_needless(note(title), body, ("docker",))


@pytest.mark.parametrize("kind", ["project", "feedback", "user"])
def test_decisions_about_a_tool_are_no_reference(kind: str) -> None:
    assert not is_needless(note("docker usage", kind=kind), "we use docker", ("docker",))


@pytest.mark.parametrize("name", ["Read", "make", "test", "go", "Edit", "time", "ls"])
def test_everyday_words_are_a_tool_only_where_it_is_named_as_one(name: str) -> None:
    assert not is_needless(note(f"how we {name} things", "usage of the depot"), "x", (name,))
    assert is_needless(note(f"the {name} tool", "usage"), "x", (name,))
    assert is_needless(note(f"`{name}` options"), "x", (name,))


def test_a_name_inside_another_word_is_not_the_tool() -> None:
    assert not is_needless(note("gitlab reference"), "x", ("git",))
    assert is_needless(note("git reference"), "x", ("git",))
