"""The embedded model as a `Model`: what it asks of its server and which calls it makes. The server is a stand-in (real one: tests/e2e)."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import ProviderError
from desktop.base.paths import AppPaths
from desktop.messages.events import ResponseEnd, StreamEvent, TextDelta, ToolCallDelta
from desktop.messages.parts import Message, Origin, Part, Role, TextPart, ToolCallPart, ToolResultPart
from desktop.messages.tools import ToolSpec
from desktop.providers import embedded_prompt as prompt
from desktop.providers.base import ModelInfo, ModelRequest, RequestKind
from desktop.providers.embedded import MAX_STEPS, EmbeddedModel
from desktop.providers.embedded_info import embedded_info
from tests.helpers.fake_llama import fake_executable, requests_of
from tests.helpers.wait import wait_for, within

TOOLS = tuple(ToolSpec(n, "", {}) for n in ("Read", "Write", "Edit", "Glob", "Grep", "Bash", "ReadSessionContext"))
NOW = datetime(2026, 1, 1, tzinfo=UTC)
ROOT = "/mem"
BUN = ("package-manager.md", '---\nname: package-manager\ndescription: "our package manager is bun"\n---\n\nour package manager is bun\n')


def reply(tool: str, **args: Any) -> str:
    return json.dumps({"tool": tool, "args": args}, ensure_ascii=False)


def message(role: Role, *parts: Part, origin: Origin = "model") -> Message:
    return Message(f"msg_{role}", role, parts, NOW, origin=origin)


def said(text: str) -> Message:
    return message("user", TextPart(text), origin="person")


def step(call_id: str, name: str, args: dict[str, Any], output: str, status: str = "ok") -> list[Message]:
    result = ToolResultPart(call_id, name, output, status)  # type: ignore[arg-type]
    return [message("assistant", ToolCallPart(call_id, name, args)), message("tool", result, origin="tool")]


def request(*messages: Message, kind: RequestKind = "main", notes: Sequence[tuple[str, str]] = (), memory: str = ROOT) -> ModelRequest:
    return ModelRequest(kind, "system", messages, TOOLS, workspace="/ws", memory_root=memory, memory_notes=tuple(notes))


class Desk:
    """A profile with a model file and a server that gives the replies of the test."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.paths = AppPaths(folder / "data", folder / "config", folder / "cache")
        self.paths.models.mkdir(parents=True)
        (self.paths.models / "tiny.gguf").write_bytes(b"GGUF")
        self.environ = {"KEEPSAKE_MODELS": str(self.paths.models)}
        self.dumped: list[tuple[str, str]] = []

    def run(self, work: Callable[[EmbeddedModel], Awaitable[None]], *replies: str) -> None:
        async def inside() -> None:
            info = ModelInfo("embedded:tiny", "tiny", "embedded", 8_192, small=True)
            model = EmbeddedModel(info, self.paths, self.environ, self._dump, executable=fake_executable(self.folder, list(replies)))
            try:
                await work(model)
            finally:
                await model.close()

        asyncio.run(inside())

    def _dump(self, kind: RequestKind, model: str, url: str, body: Any) -> None:
        self.dumped.append((kind, body))

    def ask(self, wanted: ModelRequest, *replies: str) -> list[StreamEvent]:
        found: list[StreamEvent] = []

        async def work(model: EmbeddedModel) -> None:
            found.extend([event async for event in model.stream(wanted)])

        self.run(work, *replies)
        return found

    def end(self, wanted: ModelRequest, *replies: str) -> ResponseEnd:
        events = self.ask(wanted, *replies)
        assert isinstance(events[-1], ResponseEnd)
        assert sum(isinstance(e, ResponseEnd) for e in events) == 1
        assert "".join(e.text for e in events if isinstance(e, TextDelta)).strip() == text_of(events[-1])
        return events[-1]


def text_of(end: ResponseEnd) -> str:
    return "\n".join(p.text for p in end.parts if isinstance(p, TextPart)).strip()


def calls_of(end: ResponseEnd) -> list[tuple[str, dict[str, Any]]]:
    return [(p.name, p.input) for p in end.parts if isinstance(p, ToolCallPart)]


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


# --- answers and tools --------------------------------------------------------------------------------------------------


def test_the_answer_is_streamed_while_it_is_written(desk: Desk) -> None:
    events = desk.ask(request(said("Hello")), reply("answer", text='Hi, “you” \\ and\n"more" 你好'))
    deltas = [e.text for e in events if isinstance(e, TextDelta)]
    assert len(deltas) > 3
    assert "".join(deltas) == 'Hi, “you” \\ and\n"more" 你好'
    end = events[-1]
    assert isinstance(end, ResponseEnd)
    assert (end.stop, end.usage.input_tokens, end.usage.cache_read_tokens, end.usage.cost_usd) == ("end", 100, 90, 0.0)


def test_a_choice_becomes_the_ordinary_call(desk: Desk) -> None:
    events = desk.ask(request(said("show a.txt")), reply("Read", file_path="a.txt"))
    end = events[-1]
    assert isinstance(end, ResponseEnd)
    assert calls_of(end) == [("Read", {"file_path": "a.txt"})]
    assert end.stop == "tool_calls"
    deltas = [e for e in events if isinstance(e, ToolCallDelta)]
    assert [json.loads(d.arguments) for d in deltas] == [{"file_path": "a.txt"}]


def test_the_start_of_every_request_is_the_same_bytes(desk: Desk) -> None:
    desk.ask(request(said("one"), notes=[BUN]), reply("answer", text="x"))
    first = requests_of(desk.folder)[-1]["messages"]
    desk.ask(request(said("另一个问题是什么呢"), memory=""), reply("answer", text="y"))
    second = requests_of(desk.folder)[-1]["messages"]
    fixed = len(first) - 1
    assert first[:fixed] == second[:fixed]
    assert "bun" not in json.dumps(first[:fixed])


def test_the_dump_is_the_body_as_sent(desk: Desk) -> None:
    desk.ask(request(said("Hello")), reply("answer", text="x"))
    assert [kind for kind, _ in desk.dumped] == ["main"]
    assert json.loads(desk.dumped[0][1]) == requests_of(desk.folder)[0]


def test_notes_reach_the_model_as_data_before_the_question(desk: Desk) -> None:
    desk.ask(request(said("Which package manager do we use?"), notes=[BUN]), reply("answer", text="bun"))
    content = requests_of(desk.folder)[0]["messages"][-1]["content"]
    assert content.index("our package manager is bun") < content.index("Which package manager")
    assert "description:" not in content


def test_with_memory_off_nothing_of_memory_is_sent(desk: Desk) -> None:
    desk.ask(request(said("Which one?"), memory=""), reply("answer", text="?"))
    assert requests_of(desk.folder)[0]["messages"][-1]["content"].startswith("Which one?")


def test_an_edit_of_a_file_that_was_not_shown_is_a_read_first(desk: Desk) -> None:
    end = desk.end(request(said("change a to b in x.py")), reply("Edit", file_path="x.py", old_string="a", new_string="b"))
    assert calls_of(end) == [("Read", {"file_path": "x.py"})]


def test_an_edit_is_mended_to_the_files_own_quotes(desk: Desk) -> None:
    shown = step("c1", "Read", {"file_path": "x.py"}, '1\tprint("Hello")\n2\tpass')
    end = desk.end(
        request(said("change Hello to Hi in x.py"), *shown),
        reply("Edit", file_path="x.py", old_string="print('Hello')", new_string="print('Hi')"),
    )
    assert calls_of(end) == [("Edit", {"file_path": "x.py", "old_string": 'print("Hello")', "new_string": 'print("Hi")'})]


def test_a_repeated_call_is_refused_and_answered_in_words(desk: Desk) -> None:
    done = step("c1", "Glob", {"pattern": "*"}, "a.txt")
    end = desk.end(request(said("list the files"), *done), reply("Glob", pattern="*"), reply("answer", text="There is a.txt."))
    assert text_of(end) == "There is a.txt."
    schemas = [r["response_format"]["json_schema"]["schema"]["anyOf"] for r in requests_of(desk.folder)]
    assert [len(s) for s in schemas] == [7, 1]


def test_after_six_steps_only_words_are_possible(desk: Desk) -> None:
    steps = [m for n in range(MAX_STEPS) for m in step(f"c{n}", "Read", {"file_path": f"{n}.txt"}, "text")]
    desk.end(request(said("read all files"), *steps), reply("answer", text="done"))
    offered = requests_of(desk.folder)[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    assert [o["properties"]["tool"]["const"] for o in offered] == ["answer"]


def test_a_mere_question_is_offered_nothing_that_changes_files(desk: Desk) -> None:
    desk.end(request(said("What is in a.txt?")), reply("answer", text="?"))
    offered = requests_of(desk.folder)[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    assert not {"Write", "Edit"} & {o["properties"]["tool"]["const"] for o in offered}


def test_the_model_may_not_write_memory_by_itself(desk: Desk) -> None:
    end = desk.end(
        request(said("make a plan")), reply("Write", file_path=f"{ROOT}/x.md", content="x"), reply("answer", text="Here is a plan.")
    )
    assert calls_of(end) == []
    assert text_of(end) == "Here is a plan."


def test_a_long_output_and_a_long_message_are_cut(desk: Desk) -> None:
    done = step("c1", "Read", {"file_path": "big.txt"}, "\n".join(f"{n}\tline {n}" for n in range(20_000)))
    desk.end(request(said("summarise big.txt " + "x" * 500_000), *done), reply("answer", text="Long."))
    body = requests_of(desk.folder)[0]
    assert len(json.dumps(body)) < 40_000
    assert "characters left out" in body["messages"][-1]["content"]


def test_six_long_results_fit_into_the_window(desk: Desk) -> None:
    steps = [m for n in range(MAX_STEPS) for m in step(f"c{n}", "Read", {"file_path": f"{n}.txt"}, "word and word\n" * 9_000)]
    desk.end(request(said("compare them " + "中" * 60_000), *steps), reply("answer", text="Long."))
    assert prompt.fits(requests_of(desk.folder)[0]["messages"])


def test_nonsense_gives_a_plain_sentence(desk: Desk) -> None:
    assert "another way" in text_of(desk.end(request(said("Hello")), "no json at all"))


def test_a_reference_to_a_session_is_read_with_the_question(desk: Desk) -> None:
    end = desk.end(request(said("#sess_01abc what port did we choose?")))
    assert calls_of(end) == [("ReadSessionContext", {"sessionId": "sess_01abc", "query": "what port did we choose?"})]
    assert requests_of(desk.folder) == []


@pytest.mark.parametrize("kind", ["distil", "select", "session_state"])
def test_what_is_too_much_for_it_is_unavailable(desk: Desk, kind: RequestKind) -> None:
    with pytest.raises(ProviderError) as error:
        desk.ask(request(said("x"), kind=kind))
    assert error.value.kind == "unavailable"
    assert error.value.hint


@pytest.mark.parametrize(
    ("words", "status", "output", "told"),
    [
        ("change a to b in x.py", "denied", "no", "I did not do it: Edit x.py was not allowed."),
        ("把 x.py 里的甲改成乙", "denied", "不行", "没有执行：Edit x.py 未被允许。"),
    ],
)
def test_a_refused_change_is_told_by_code(desk: Desk, words: str, status: str, output: str, told: str) -> None:
    shown = step("c1", "Read", {"file_path": "x.py"}, "1\ta")
    done = step("c2", "Edit", {"file_path": "x.py", "old_string": "a", "new_string": "b"}, output, status)
    assert text_of(desk.end(request(said(words), *shown, *done))) == told
    assert requests_of(desk.folder) == []


def test_a_failed_edit_is_tried_once_more_and_then_told(desk: Desk) -> None:
    words = said("change a to b in x.py")
    shown = step("c1", "Read", {"file_path": "x.py"}, "1\ta a")
    failed = step("c2", "Edit", {"file_path": "x.py", "old_string": "a", "new_string": "b"}, "“a” occurs 2 times.", "error")
    again = desk.end(request(words, *shown, *failed), reply("Edit", file_path="x.py", old_string="a a", new_string="b a"))
    assert calls_of(again) == [("Edit", {"file_path": "x.py", "old_string": "a a", "new_string": "b a"})]
    offered = requests_of(desk.folder)[0]["response_format"]["json_schema"]["schema"]["anyOf"]
    assert "answer" not in {o["properties"]["tool"]["const"] for o in offered}
    twice = step("c3", "Edit", {"file_path": "x.py", "old_string": "a a", "new_string": "b a"}, "Something else.", "error")
    told = text_of(desk.end(request(words, *shown, *failed, *twice)))
    assert told == "That did not work: Edit of x.py failed. Something else."


def test_a_claim_without_a_deed_is_corrected(desk: Desk) -> None:
    end = desk.end(request(said("add a comment to x.py")), reply("answer", text="The comment was added."))
    assert text_of(end) == "The comment was added.\n\n(In fact nothing was changed: no tool did it.)"
    shown = step("c1", "Read", {"file_path": "CHANGELOG.md"}, "1\tB added")
    end = desk.end(request(said("Summarise CHANGELOG.md"), *shown), reply("answer", text="B was added."))
    assert text_of(end) == "B was added."


# --- memory -------------------------------------------------------------------------------------------------------------


def test_remember_writes_a_note_with_the_persons_sentence(desk: Desk) -> None:
    end = desk.end(
        request(said("Remember: our package manager is bun")),
        reply("name", name="Package manager", keywords=["bun", "包管理器", "sk-" + "a" * 30]),
    )
    [(tool, args)] = calls_of(end)
    assert (tool, args["file_path"]) == ("Write", "/mem/package-manager.md")
    assert args["content"] == (
        '---\nname: package-manager\ndescription: "our package manager is bun"\nmetadata:\n  type: project\n  explicit: true\n'
        '  keywords: ["bun", "包管理器"]\n---\n\nour package manager is bun\n'
    )


def test_a_name_that_is_about_something_else_is_replaced(desk: Desk) -> None:
    end = desk.end(request(said("Remember: our package manager is bun")), reply("name", name="database choice", keywords=[]))
    assert calls_of(end)[0][1]["file_path"] == "/mem/package-manager.md"


def test_without_a_working_model_the_fact_is_saved_all_the_same(desk: Desk) -> None:
    end = desk.end(request(said("记住：提交信息都用中文写")), "DIE", "DIE")
    assert calls_of(end)[0][1]["file_path"] == "/mem/提交信息.md"


@pytest.mark.parametrize(
    ("words", "status", "output", "told"),
    [
        ("Remember: we use bun", "ok", "Wrote it", "Remembered: we use bun"),
        ("记住：我们用 bun", "ok", "Wrote it", "已记住：我们用 bun"),
        ("Remember: we use bun", "error", "The disk is full.", "I could not save this: The disk is full."),
        ("记住：我们用 bun", "denied", "不允许", "没有保存：写入被拒绝。不允许"),
    ],
)
def test_the_confirmation_tells_the_true_result(desk: Desk, words: str, status: str, output: str, told: str) -> None:
    fact = words.partition(":")[2].strip() or words.partition("：")[2]
    done = step("c1", "Write", {"file_path": "/mem/x.md", "content": f"---\nname: x\n---\n\n{fact}\n"}, output, status)
    assert text_of(desk.end(request(said(words), *done))) == told


def test_the_same_sentence_twice_makes_no_second_note(desk: Desk) -> None:
    end = desk.end(request(said("Remember: Our package manager is bun!"), notes=[BUN]))
    assert calls_of(end) == []
    assert "package-manager.md" in text_of(end)


def test_a_correction_updates_the_note_after_reading_it(desk: Desk) -> None:
    words = said("Remember: our package manager is pnpm")
    first = desk.end(request(words, notes=[BUN]))
    assert calls_of(first) == [("Read", {"file_path": "/mem/package-manager.md"})]
    numbered = "\n".join(f"{n}\t{line}" for n, line in enumerate(BUN[1].splitlines(), 1))
    shown = step("c1", "Read", {"file_path": "/mem/package-manager.md"}, numbered)
    [(tool, args)] = calls_of(desk.end(request(words, *shown, notes=[BUN])))
    assert tool == "Write"
    assert args["content"] == '---\nname: package-manager\ndescription: "our package manager is pnpm"\n---\n\nour package manager is pnpm\n'
    written = step("c2", "Write", args, "Wrote it")
    assert text_of(desk.end(request(words, *shown, *written, notes=[BUN]))) == "Updated what I remember: our package manager is pnpm"


def test_a_name_that_is_taken_on_disk_gets_a_number(desk: Desk) -> None:
    words = said("Remember: our package manager is bun")
    first = calls_of(desk.end(request(words), reply("name", name="package manager", keywords=["x", "y"])))[0][1]
    refused = step("c1", "Write", first, "/mem/package-manager.md exists and has not been read in this session.", "error")
    again = calls_of(desk.end(request(words, *refused), reply("name", name="package manager", keywords=["x", "y"])))
    assert [args["file_path"] for _, args in again] == ["/mem/package-manager-2.md"]
    written = step("c2", "Write", again[0][1], "Created it.")
    assert text_of(desk.end(request(words, *refused, *written))) == "Remembered: our package manager is bun"


def test_with_memory_off_it_says_so(desk: Desk) -> None:
    end = desk.end(request(said("Remember: we use bun"), memory=""))
    assert calls_of(end) == []
    assert "off" in text_of(end)


def test_a_secret_is_refused_without_showing_it(desk: Desk) -> None:
    secret = "ghp_" + "A1b2" * 9
    end = desk.end(request(said(f"Remember: my token is {secret}")))
    assert calls_of(end) == []
    assert secret not in text_of(end)


def test_the_rest_of_the_message_is_answered_after_the_confirmation(desk: Desk) -> None:
    done = step("c1", "Write", {"file_path": "/mem/hints.md", "content": "Always use type hints\n"}, "Wrote it")
    end = desk.end(request(said("Always use type hints. What is 2+2?"), *done), reply("answer", text="4"))
    assert text_of(end) == "Remembered: Always use type hints\n\n4"
    assert requests_of(desk.folder)[0]["messages"][-1]["content"].endswith("What is 2+2?\n(Answer in English.)")


def test_forget_makes_the_one_removal(desk: Desk) -> None:
    end = desk.end(request(said("forget the package manager"), notes=[BUN]))
    assert calls_of(end) == [("Bash", {"command": "rm /mem/package-manager.md"})]
    done = step("c1", "Bash", {"command": "rm /mem/package-manager.md"}, "moved to the trash")
    assert text_of(desk.end(request(said("forget the package manager"), *done, notes=[BUN]))) == "Forgotten: package-manager.md."


def test_a_rule_that_is_taken_back_at_once_is_forgotten(desk: Desk) -> None:
    note = ("answer-in-french.md", "---\nname: answer-in-french\ndescription: answer in french\n---\n\nfrom now on answer in french\n")
    wrote = step("c1", "Write", {"file_path": "/mem/answer-in-french.md", "content": note[1]}, "Created it.")
    turn = [said("from now on answer in french"), *wrote, message("assistant", TextPart("Remembered.")), said("haha, that was a joke")]
    assert calls_of(desk.end(request(*turn, notes=[note]))) == [("Bash", {"command": "rm /mem/answer-in-french.md"})]
    done = step("c2", "Bash", {"command": "rm /mem/answer-in-french.md"}, "moved to the trash")
    assert text_of(desk.end(request(*turn, *done, notes=[note]))) == "Forgotten: answer-in-french.md."


def test_forget_asks_when_it_is_not_clear(desk: Desk) -> None:
    other = ("package-registry.md", "---\nname: package-registry\ndescription: package registry\n---\n\nour package registry is at x\n")
    end = desk.end(request(said("delete the memory about package"), notes=[BUN, other]))
    assert calls_of(end) == []
    assert "package-manager" in text_of(end)
    assert "package-registry" in text_of(end)


def test_an_extraction_request_writes_the_sentence(desk: Desk) -> None:
    asked = message("user", TextPart("We use Terraform"), origin="app")
    end = desk.end(request(asked, kind="extract"), reply("name", name="terraform", keywords=["infra"]))
    assert calls_of(end)[0][0] == "Write"
    assert calls_of(end)[0][1]["content"].endswith("\n\nWe use Terraform\n")


# --- faults -------------------------------------------------------------------------------------------------------------


def test_a_stream_that_breaks_is_cut_after_its_deltas(desk: Desk) -> None:
    seen: list[StreamEvent] = []

    async def work(model: EmbeddedModel) -> None:
        async for event in model.stream(request(said("Hello"))):
            seen.append(event)

    with pytest.raises(ProviderError) as error:
        desk.run(work, "CUT")
    assert error.value.kind == "cut"
    assert error.value.retryable
    assert [e.text for e in seen if isinstance(e, TextDelta)] == ["half"]


def test_a_child_that_dies_is_started_again(desk: Desk) -> None:
    assert text_of(desk.end(request(said("Hello")), "DIE", reply("answer", text="back"))) == "back"


def test_stopping_ends_the_stream_and_the_model_goes_on(desk: Desk) -> None:
    async def work(model: EmbeddedModel) -> None:
        async def read() -> None:
            async for _ in model.stream(request(said("Hello"))):
                pass

        task = asyncio.create_task(read())
        await asyncio.to_thread(wait_for, lambda: bool(requests_of(desk.folder)))
        task.cancel()
        async with within(5):
            await asyncio.gather(task, return_exceptions=True)
        assert task.cancelled()
        events = [e async for e in model.stream(request(said("Hello")))]
        assert isinstance(events[-1], ResponseEnd)

    desk.run(work, "HANG", reply("answer", text="again"))


def test_not_installed_names_the_ways_out(tmp_path: Path) -> None:
    paths = AppPaths(tmp_path / "d", tmp_path / "c", tmp_path / "k")

    async def run() -> None:
        model = EmbeddedModel(ModelInfo("embedded:none", "x", "embedded", 8_192, small=True), paths, {})
        with pytest.raises(ProviderError) as error:
            [e async for e in model.stream(request(said("Hello")))]
        await model.close()
        assert error.value.kind == "unavailable"
        assert "keepsake models fetch" in error.value.hint

    asyncio.run(run())


def test_info_names_the_best_installed_file(desk: Desk) -> None:
    info = embedded_info(desk.paths, desk.environ)
    assert info is not None
    assert (info.id, info.small, info.context_window) == ("embedded", True, 8_192)
