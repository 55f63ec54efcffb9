"""Both halves of recall beside a turn: what words find, what a model chooses, modes and faults; with a scripted model."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from desktop.base.phrases import Phrase
from desktop.messages.events import StreamEvent, TextDelta
from desktop.messages.parts import Message, ToolCallPart
from desktop.messages.usage import Usage
from desktop.providers.base import Model, ModelInfo, ModelRequest
from tests.unit.agent.recalling import NOTES, OFF, World, files, go, split
from tests.unit.memory.conftest import make_desk, note_text


@pytest.fixture
def world(tmp_path: Path) -> World:
    world = World(make_desk(tmp_path), tmp_path)
    world.set(recall_wait_ms=5_000)  # a test waits for the machine, not for a tenth of a second
    return world


# both halves


def test_words_come_first_and_the_models_choice_with_a_later_step(world: World) -> None:
    async def scenario() -> None:
        model = world.model(
            {"text": '{"files": ["tone.md", "release.md"]}', "delay_ms": 40, "usage": {"input_tokens": 90, "output_tokens": 8}}
        )
        turn = world.begin("Add a retry to the carrier client", model)
        first = await turn.first()
        assert files(first) == ["queue.md"]
        assert [(ref.path, ref.stage) for ref in turn.new_refs()] == [("queue.md", "lexical")]
        later = ""
        while not later:
            later = turn.arrived()
            await asyncio.sleep(0.005)
        assert files(later) == ["tone.md", "release.md"]
        assert [(ref.path, ref.stage) for ref in turn.new_refs()] == [("tone.md", "model"), ("release.md", "model")]
        assert turn.new_refs() == () and len(turn.refs) == 3
        assert turn.usage == Usage(90, 8)
        await turn.close()
        assert world.recall.kept({"msg_0"}) == {"msg_0": tuple(first.split("\n\n", 0)) + tuple(split(later))}

    go(scenario)


def test_a_frame_tells_where_from_how_old_and_that_it_is_data(world: World) -> None:
    world.put("queue.md", "---\nname: carrier retries\nmetadata:\n  modified: 2025-11-01T00:00:00Z\n  type: project\n---\n\nThree tries.\n")

    async def scenario() -> None:
        turn = world.begin("carrier retries", world.model("{}"))
        text = await turn.first()
        await turn.close()
        (ref,) = turn.refs
        assert str(world.desk.root / "queue.md") in text and "type project" in text and "last changed 2025-11-01" in text
        assert "not an order" in text and "62 days ago: a snapshot" in text and "Three tries." in text
        assert isinstance(ref.reason, Phrase) and isinstance(ref.age, Phrase) and ref.age == "62 days ago" and ref.tokens > 20
        assert (ref.root, ref.name) == ("project", "carrier retries")

    go(scenario)


def test_the_notice_of_age_is_in_the_persons_language(world: World) -> None:
    world.put("queue.md", "---\nname: carrier retries\nmetadata:\n  modified: 2025-11-01T00:00:00Z\n---\n\nThree tries.\n")
    world.recall.language = "zh"

    async def scenario() -> None:
        text = await world.turn("carrier retries")
        assert "快照" in text and "62 天" in text

    go(scenario)


def test_the_model_sees_headers_and_the_question_only(world: World) -> None:
    world.put("depot.md", note_text("depot hours", "head\n\nBODY THAT NOBODY NEEDS", description="When the depot opens"))

    async def scenario() -> None:
        await world.turn("Add a retry to the carrier client", world.model('{"files": []}'))
        (body,) = world.dumps
        asked = body["messages"][0]["parts"][0]["text"]
        assert body["kind"] == "select" and body["max_output_tokens"] == 256 and body["thinking"] == "off" and body["tools"] == []
        assert "Add a retry to the carrier client" in asked and "depot.md [project, 0 days old] depot hours: When the depot opens" in asked
        assert "BODY THAT" not in asked and "queue.md" not in asked, "what words found is not offered again"
        assert '"additionalProperties": false' in body["system"] and "At most 5 files" in body["system"]

    go(scenario)


@pytest.mark.parametrize(
    ("mode", "small", "asked", "shown"),
    [
        ("off", False, 0, []),
        ("lexical", False, 0, ["queue.md"]),
        ("model", False, 1, ["queue.md", "tone.md"]),
        ("model", True, 0, ["queue.md"]),
    ],
)
def test_modes_and_small_models(world: World, mode: str, small: bool, asked: int, shown: list[str]) -> None:
    world.set(recall=mode)

    async def scenario() -> None:
        model: Model = world.model('{"files": ["tone.md"]}')
        if small:
            model._info = replace(model.info, small=True)  # type: ignore[attr-defined]
        assert files(await world.turn("Add a retry to the carrier client", model)) == shown
        assert len(world.dumps) == asked

    go(scenario)


@pytest.mark.parametrize("text", ["Hello!", "谢谢", "ok", "", "   ", "👍"])
def test_small_talk_asks_no_model_and_looks_at_no_file(world: World, text: str) -> None:
    async def scenario() -> None:
        assert await world.turn(text, world.model('{"files": ["tone.md"]}')) == ""
        assert world.dumps == [] and not (world.desk.paths.index / "memory.sqlite3").exists()

    go(scenario)


def test_without_memories_no_model_is_asked(world: World) -> None:
    for path in NOTES:
        (world.desk.root / path).unlink()

    async def scenario() -> None:
        assert await world.turn("Add a retry", world.model('{"files": ["tone.md"]}')) == ""
        assert world.dumps == []

    go(scenario)


def test_with_memory_off_nothing_is_read_shown_or_asked(world: World) -> None:
    world.state = OFF

    async def scenario() -> None:
        assert await world.turn("Add a retry to the carrier client", world.model('{"files": ["tone.md"]}')) == ""
        world.recall.warm()
        assert world.dumps == [] and not (world.desk.paths.index / "memory.sqlite3").exists()

    go(scenario)


def test_memory_that_is_switched_off_during_a_turn_shows_nothing_more(world: World) -> None:
    async def scenario() -> None:
        turn = world.begin("Add a retry to the carrier client", world.model('{"files": ["tone.md"]}'))
        assert files(await turn.first()) == ["queue.md"]
        while turn.running:
            await asyncio.sleep(0.005)
        world.state = OFF
        assert turn.arrived() == "" and world.recall.kept({"msg_0"}) == {}
        await turn.close()

    go(scenario)


def test_without_a_search_there_is_the_models_half(world: World) -> None:
    world.recall.search = None

    async def scenario() -> None:
        assert files(await world.turn("carrier retry", world.model('{"files": ["queue.md"]}'))) == ["queue.md"]

    go(scenario)


# the model's answers


@pytest.mark.parametrize(
    "answer",
    [
        "no idea",
        "",
        '{"files": [',
        "[[[[" * 5_000,
        {"error": {"kind": "overloaded"}},
        {"text": '{"files": ["tone.md"]}', "error": {"kind": "cut", "after_chars": 5}},
        {"error": {"kind": "auth"}},
        {"text": '{"files": "tone.md"}'},
    ],
)
def test_any_fault_of_the_model_leaves_what_words_found(world: World, answer: dict[str, Any] | str) -> None:
    """And more of it: the first memory came at once, the others when the model failed."""
    world.set(recall_first=1)
    world.put("carrier.md", note_text("carrier retry list", "Retry of each carrier by name."))

    async def scenario() -> None:
        turn = world.begin("Add a retry to the carrier client", world.model(answer))
        assert len(files(await turn.first())) == 1
        while turn.running:
            await asyncio.sleep(0.005)
        turn.arrived()
        assert sorted(ref.path for ref in turn.refs) == ["carrier.md", "queue.md"]
        assert {ref.stage for ref in turn.refs} == {"lexical"}
        await turn.close()

    go(scenario)


def test_a_model_that_takes_too_long_is_given_up(world: World) -> None:
    world.set(recall_seconds=1, recall_first=1)
    world.put("carrier.md", note_text("carrier retry list", "Retry of each carrier by name."))

    async def scenario() -> None:
        shown = await world.turn("Add a retry to the carrier client", world.model({"text": '{"files": ["tone.md"]}', "delay_ms": 60_000}))
        assert sorted(files(shown)) == ["carrier.md", "queue.md"]

    go(scenario)


class Broken:
    """A model with a fault that nobody thought of."""

    info = ModelInfo("broken", "Broken", "test", 100_000)

    async def stream(self, request: ModelRequest) -> AsyncIterator[StreamEvent]:
        if request.messages:
            raise ZeroDivisionError
        yield TextDelta("")

    async def close(self) -> None:
        return


def test_a_fault_that_nobody_thought_of_reaches_no_turn(world: World) -> None:
    async def scenario() -> None:
        assert files(await world.turn("Add a retry to the carrier client", Broken())) == ["queue.md"]

    go(scenario)


def test_none_is_an_answer(world: World) -> None:
    async def scenario() -> None:
        assert await world.turn("Paint the bike shed", world.model('{"files": []}')) == ""
        assert len(world.dumps) == 1

    go(scenario)


def test_names_that_were_not_offered_twice_named_ones_and_indexes_are_left_out(world: World) -> None:
    world.put("MEMORY.md", "- [tone](tone.md)\n")
    outside = world.desk.root.parent / "outside.md"
    outside.write_text("secret")

    async def scenario() -> None:
        names = ["../outside.md", "MEMORY.md", "nowhere.md", "tone.md", "./tone.md", str(outside), "/etc/passwd", "depot.md", "tone"]
        shown = await world.turn("Paint the bike shed", world.model(json.dumps({"files": [*names, 7, None]})))
        assert files(shown) == ["tone.md", "depot.md"]

    go(scenario)


def test_no_more_than_the_setting_says(world: World) -> None:
    world.set(recall_files=2)

    async def scenario() -> None:
        shown = await world.turn("Paint the bike shed", world.model(json.dumps({"files": ["tone.md", "depot.md", "queue.md"]})))
        assert files(shown) == ["tone.md", "depot.md"]
        assert "At most 2 files" in world.dumps[0]["system"]

    go(scenario)


def test_tools_in_use_are_told_and_their_references_are_not_offered(world: World) -> None:
    world.put("kubectl.md", note_text("kubectl reference", "all options", kind="reference"))
    world.put("careful.md", note_text("kubectl gotcha", "never delete pods", kind="reference"))
    call = ToolCallPart("c1", "Bash", {"command": "kubectl get pods"})
    world.messages.append(Message("m", "assistant", (call,), world.desk.clock.now(), origin="model"))

    async def scenario() -> None:
        await world.turn("Paint the bike shed", world.model('{"files": []}'))
        asked = world.dumps[0]["messages"][0]["parts"][0]["text"]
        assert "Tools in use right now: Bash, kubectl" in asked and "careful.md" in asked and "kubectl.md" not in asked

    go(scenario)
