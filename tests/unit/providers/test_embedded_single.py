"""Memory of one file with the embedded model: each wish is one Read and one small edit of that file, and nothing else is written."""

from __future__ import annotations

import random
from pathlib import PurePath

import pytest

from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.providers.embedded_guards import Intent, read_intent
from desktop.providers.embedded_memory import Call, Say
from desktop.providers.embedded_single import single_plan
from desktop.providers.embedded_turn import Step, is_single, under
from tests.helpers.seeds import drawn_seed

FILE = "/w/.agents/memory/MEMORY.md"


class Desk:
    """The file, and what an ordinary Read, Write or Edit of it gives."""

    def __init__(self, text: str | None) -> None:
        self.text = text
        self.calls: list[str] = []
        self.refuses = False

    def run(self, call: Call) -> Step:
        assert call.args["file_path"] == FILE
        self.calls.append(call.tool)
        status, output = self._run(call)
        return Step(ToolCallPart("c", call.tool, dict(call.args)), ToolResultPart("c", call.tool, output, status))  # type: ignore[arg-type]

    def _run(self, call: Call) -> tuple[str, str]:
        if self.refuses and call.tool != "Read":
            return "denied", "The person said no."
        if call.tool == "Read":
            if self.text is None:
                return "error", f"There is no file {FILE}."
            return "ok", "\n".join(f"{number:>6}\t{line}" for number, line in enumerate(self.text.split("\n"), 1))
        if call.tool == "Write":
            assert not (self.text or "").strip()
            self.text = call.args["content"]
            return "ok", "Created."
        assert self.text is not None
        assert self.text.count(call.args["old_string"]) == 1
        self.text = self.text.replace(call.args["old_string"], call.args["new_string"])
        return "ok", "Changed."

    def say(self, said: str) -> str:
        intent = read_intent(said)
        assert intent is not None, said
        return self.wish(intent, said)

    def wish(self, intent: Intent, said: str) -> str:
        steps: list[Step] = []
        for _ in range(4):
            plan = single_plan(intent, said, steps, FILE)
            if isinstance(plan, Say):
                return plan.text
            assert isinstance(plan, tuple)
            steps += [self.run(call) for call in plan if isinstance(call, Call)]
        raise AssertionError("it does not end")


def test_remember_in_both_languages_and_once() -> None:
    desk = Desk(None)
    assert desk.say("Remember: we always deploy on Fridays 🥟").startswith("Remembered: ")
    assert desk.say("记住：端口是 5433").startswith("已记住：")
    assert desk.text == "- we always deploy on Fridays 🥟\n- 端口是 5433\n"
    desk.calls.clear()
    assert "already" in desk.say("Remember: We always deploy on Fridays 🥟.")
    assert desk.calls == ["Read"]


@pytest.mark.parametrize(
    "before",
    ["", "\n\n", "# Ours\n\n- one\n- one", "# 我们的\n\n- 一\n- 一\n", "last\nlast\nlast\nlast\n", "a\n\n\n", "```\ncode\n```\n"],
)
def test_a_line_goes_to_the_end_and_nothing_else_changes(before: str) -> None:
    desk = Desk(before)
    desk.say("Remember: the linter is ruff")
    assert desk.text is not None
    assert desk.text.replace("- the linter is ruff", "").rstrip("\n") == before.rstrip("\n")
    assert desk.text.rstrip("\n").endswith("- the linter is ruff")


def test_forget_takes_one_line_or_asks() -> None:
    desk = Desk("# Ours\n\n- the linter is ruff\n- the port is 5433\n- the test port is 6000\n")
    assert "ruff" in desk.say("Forget that the linter is ruff")
    assert desk.text == "# Ours\n\n- the port is 5433\n- the test port is 6000\n"
    assert "Which one" in desk.say("Forget the port") or desk.text.count("port") == 1
    assert "nothing about" in desk.say("Forget the mascot")


def test_what_is_said_is_what_happened() -> None:
    desk = Desk("- 一\n")
    desk.refuses = True
    assert "没有保存" in desk.say("记住：端口是 5433")
    assert desk.text == "- 一\n"
    secret = "ghp_" + "Z9y8X7w6" * 5
    desk.calls.clear()
    assert "secret" in desk.say(f"Remember: the token is {secret}")
    assert desk.calls == []
    assert "不会一次" in desk.say("忘掉所有记忆")


def test_list_shows_the_lines() -> None:
    assert "- 端口是 5433" in Desk("# x\n- 端口是 5433\n").say("你记得什么？")
    assert "nothing here yet" in Desk(None).say("What do you remember?")


def test_any_file_keeps_every_other_line() -> None:
    seed = drawn_seed()
    dice = random.Random(seed)
    words = ["端口", "port", "- ", "", "# 题", "🥟", "x" * 40, "port"]
    for _ in range(200):
        before = "\n".join(dice.choice(words) for _ in range(dice.randrange(12)))
        desk = Desk(before)
        desk.say("Remember: the mascot is an otter")
        kept = [line for line in (desk.text or "").split("\n") if line.strip() and "otter" not in line]
        assert kept == [line for line in before.split("\n") if line.strip()], before


def test_a_file_as_memory_is_known_by_its_name() -> None:
    assert is_single(FILE)
    assert not is_single("/w/memory")
    assert under(FILE, FILE)
    assert not under(str(PurePath(FILE).parent / "a.md"), FILE)
