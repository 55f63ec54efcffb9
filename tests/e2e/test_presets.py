"""Each preset keeps its source's sequence: what is sent when, what is written by whom, what is asked (memory design, 6.5; check 17)."""

from __future__ import annotations

import json
import re
import subprocess
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.session import AgentSession
from desktop.base.textio import digest
from desktop.memory.store import ChangeOrigin
from desktop.messages.events import MemoryLoaded, MemorySaved, Notice, ToolFinished
from tests.e2e.headless import Headless
from tests.helpers import canaries
from tests.helpers.agent import Desk, run
from tests.helpers.canaries import note
from tests.helpers.script import call

PERSON = ChangeOrigin("person")
ROOTS = {
    "default": {"agat", canaries.USER, canaries.USER_TOPIC, canaries.INDEX, canaries.SHARED},
    "zcode": {"agat", canaries.INDEX},
    "claude": {"agat", canaries.INDEX},
    "mini": {"agat", canaries.SHARED},
}
"""The words that each preset loads: instructions, and of every root what its layout takes."""

PRESETS = list(ROOTS)
MEMORY_TOOLS = {"memory_search", "memory_index"}


def port_note(description: str = "where the database listens") -> str:
    """A memory whose number stands in its text only, so that the index does not hold it."""
    return f"---\nname: postgres-port\ndescription: {description}\nmetadata:\n  type: project\n---\n\nPostgres listens on 5433.\n"


class Preset(Desk):
    """A desk whose person chose a preset before the folder was opened."""

    def choose(self, preset: str) -> Preset:
        self.services.settings.set("memory.preset", preset)
        self.workspace = self.services.open_workspace(self.workspace_folder)
        return self

    @property
    def index(self) -> Path:
        return self.workspace.project.memory_root / "MEMORY.md"

    @property
    def shared(self) -> Path:
        return self.workspace_folder / ".agents" / "memory" / "MEMORY.md"

    def share(self, text: str) -> None:
        self.shared.parent.mkdir(parents=True, exist_ok=True)
        self.shared.write_text(text)
        self.workspace.allow_workspace_memory(digest(text.encode()))

    def requests(self, kind: str = "main") -> list[dict[str, Any]]:
        return [body for body in self.bodies(select=True) if body["kind"] == kind]


def made_at(folder: Path) -> Preset:
    made = Preset(folder)
    (made.workspace_folder / "AGENTS.md").write_text("The word is agat.\n")
    return made


@pytest.fixture
def desk(tmp_path: Path) -> Preset:
    return made_at(tmp_path)


@dataclass(frozen=True, slots=True)
class Begun:
    """A preset with memory in every root, and the first request of a session under it."""

    preset: str
    desk: Preset
    body: dict[str, Any]


@pytest.fixture(scope="module", params=list(ROOTS))
def begun(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Begun:
    desk = planted(made_at(tmp_path_factory.mktemp(request.param)), request.param)
    return Begun(request.param, desk, talk(desk, "hello")[0])


def planted(desk: Preset, preset: str) -> Preset:
    canaries.plant(desk.choose(preset).workspace)
    return desk


def talk(desk: Preset, *turns: str, responses: Sequence[dict[str, Any]] = (), name: str = "script.json") -> list[dict[str, Any]]:
    """One session with these turns; gives the bodies of its main requests."""
    before = len(desk.requests())

    async def scenario() -> None:
        session = desk.session(*(responses or [{"text": "ok"} for _ in turns]), name=name)
        for text in turns:
            await desk.turn(session, text)
        await session.close()

    run(scenario)
    return desk.requests()[before:]


def texts(messages: Sequence[dict[str, Any]]) -> str:
    return "\n".join(part.get("text", "") for message in messages for part in message["parts"])


def start_of(body: dict[str, Any]) -> str:
    """What was put in front of the conversation."""
    first = texts(body["messages"][:1])
    return first if first.startswith("<reference-data") else ""


def tail_of(body: dict[str, Any]) -> str:
    """What was put behind the person's message."""
    return texts([m for m in body["messages"][1:] if m["origin"] == "app"])


# --- what is sent at the start ------------------------------------------------------------------------------------------


def test_what_is_loaded_and_in_which_slot(begun: Begun) -> None:
    words = ("agat", canaries.USER, canaries.USER_TOPIC, canaries.INDEX, canaries.SHARED)
    system, start = ({word for word in words if word in text} for text in (begun.body["system"], start_of(begun.body)))
    in_system = {"default": set(), "zcode": set(), "claude": {canaries.INDEX}, "mini": {"agat", canaries.SHARED}}[begun.preset]
    assert (system, start) == (in_system, ROOTS[begun.preset] - in_system)


def test_instructions_stand_before_memory(begun: Begun) -> None:
    """CH-12; in Claude's two slots, memory is in the system text and the instructions begin the conversation (CH-03, CH-05)."""
    memory = canaries.SHARED if begun.preset == "mini" else canaries.INDEX
    if begun.preset == "claude":
        assert memory in begun.body["system"] and "agat" in start_of(begun.body)
        return
    text = begun.body["system"] + start_of(begun.body)
    assert text.index("agat") < text.index(memory)


def test_which_tools_there_are_and_that_the_rules_name_no_other(begun: Begun) -> None:
    """C-09, IN-17."""
    tools = set(canaries.tool_names(begun.body))
    assert tools & MEMORY_TOOLS == (MEMORY_TOOLS if begun.preset == "default" else set())
    named = set(re.findall(r"\b(?:memory|history)_[a-z]+\b|\bReadSessionContext\b", begun.body["system"]))
    assert {"history_search", "ReadSessionContext"} <= named <= tools


def test_how_saving_is_described(begun: Begun) -> None:
    """IN-05."""
    two = "takes two steps"
    says = {"default": "the app keeps the index", "zcode": two, "claude": two, "mini": "takes one step"}[begun.preset]
    others = {"the app keeps the index", two, "takes one step"} - {says}
    system = begun.body["system"]
    assert says in system and not any(other in system for other in others)
    assert (str(begun.desk.shared) in system) is (begun.preset in ("default", "mini"))
    assert (str(begun.desk.index.parent) in system) is (begun.preset != "mini")


@pytest.mark.parametrize("preset", PRESETS)
def test_memory_off_is_off_in_each(desk: Preset, preset: str) -> None:
    planted(desk, preset)
    desk.services.settings.set("memory.use", False)
    body = talk(desk, "What is the word?")[0]
    assert canaries.words_in(body) == [] and not MEMORY_TOOLS & set(canaries.tool_names(body))
    assert not re.search(r"(?i)\bmemory\b", body["system"])


@pytest.mark.parametrize("preset", PRESETS)
def test_two_turns_share_system_tools_and_start_byte_for_byte(desk: Preset, preset: str) -> None:
    """W-39: a cached prefix lives on, whatever is written to memory in between; Mini reads again each turn, and pays when it changed."""
    planted(desk, preset)

    async def scenario() -> None:
        session = desk.session({"text": "1"}, {"text": "2"}, {"text": "3"})
        await desk.turn(session, "first turn about nothing")
        if preset != "mini":
            desk.workspace.memories.store().write("neu.md", note("neu", "smaragd"), base_digest=None, origin=PERSON)
        await desk.turn(session, "second turn about nothing")
        await desk.turn(session, "third turn about nothing")
        await session.close()

    run(scenario)
    first, second, third = desk.requests()
    for body in (second, third):
        assert (body["system"], body["tools"], start_of(body)) == (first["system"], first["tools"], start_of(first))
    shared = [
        json.dumps(message["parts"]) for message in first["messages"] if message["origin"] != "app" or message is first["messages"][0]
    ]
    assert [json.dumps(message["parts"]) for message in third["messages"]][: len(shared)] == shared


# --- what a running session learns ---------------------------------------------------------------------------------------


def changed_meanwhile(desk: Preset) -> tuple[list[bool], bool]:
    """Whether requests hold a memory that somebody else wrote after the first turn: of two turns, and of a session that is begun then."""

    async def scenario() -> None:
        session = desk.session({"text": "1"}, {"text": "2"})
        await desk.turn(session, "Say one.")
        store = desk.workspace.memories.store()
        store.write("neu.md", note("neu", "smaragdgrund"), base_digest=None, origin=PERSON)
        desk.share("The word is smaragdgrund.\n")
        await desk.turn(session, "Say two.")
        await session.close()

    run(scenario)
    held = ["neu" in texts(body["messages"]) + body["system"] or "smaragdgrund" in json.dumps(body) for body in desk.requests()]
    fresh = talk(desk, "Say three.", name="later.json")[0]
    return held, "neu.md" in json.dumps(fresh) or "smaragdgrund" in json.dumps(fresh)


@pytest.mark.parametrize(("preset", "second"), [("default", True), ("zcode", False), ("claude", False), ("mini", True)])
def test_a_change_by_others_reaches_the_next_turn_only_where_the_source_reads_again(desk: Preset, preset: str, second: bool) -> None:
    """C-04: ZCode reads once a session, Claude again after a compaction, Mini each turn; the default sends what changed."""
    assert changed_meanwhile(planted(desk, preset)) == ([False, second], True)


@pytest.mark.parametrize("preset", ["zcode", "claude"])
def test_a_resumed_session_reads_again(desk: Preset, preset: str) -> None:
    planted(desk, preset)

    async def scenario() -> AgentSession:
        session = desk.session({"text": "1"}, {"text": "2"})
        await desk.turn(session, "Say one.")
        await session.close()
        desk.workspace.memories.store().write("neu.md", note("neu", "smaragd"), base_digest=None, origin=PERSON)
        again = desk.services.resume(session.id)
        await desk.turn(again, "Say two.")
        await again.close()
        return again

    run(scenario)
    assert ["neu.md" in body["system"] + start_of(body) for body in desk.requests()] == [False, True]


# --- ZCode ---------------------------------------------------------------------------------------------------------------


def test_zcode_shows_the_index_behind_the_instructions_under_its_heading(desk: Preset) -> None:
    """FM-17, CH-02."""
    start = start_of(talk(planted(desk, "zcode"), "hello")[0])
    assert start.index("agat") < start.index("# agentsMd\n") < start.index(str(desk.index)) < start.index(canaries.INDEX)
    assert "do not bind you" in start.split("# Project instructions")[0], "data, not orders (W-30)"


@pytest.mark.parametrize("mode", ["default", "plan"])
def test_zcode_writes_in_two_steps_unasked_and_no_line_is_doubled(desk: Preset, mode: Any) -> None:
    """IN-05, PM-01, C-23: both writes are the main agent's, also while only planning; the keeper finds the line there."""
    desk.choose("zcode")
    file, line = desk.index.with_name("bun.md"), "- [Package manager](bun.md) — we use bun\n"

    async def scenario() -> None:
        session = desk.session(
            {"tool_calls": [call("Write", file_path=str(file), content=note("bun", "We use bun."))]},
            {"tool_calls": [call("Read", file_path=str(desk.index))]},
            {"tool_calls": [call("Write", file_path=str(desk.index), content=line)]},
            {"text": "Saved."},
        )
        session.mode = mode
        await desk.turn(session, "Remember: our package manager is bun")
        await session.close()

    run(scenario)
    assert desk.asked == []
    assert [event.result.status for event in desk.of(ToolFinished)] == ["ok"] * 3
    assert desk.index.read_text().count("bun.md") == 1 and "we use bun" in desk.index.read_text()
    assert {event.actor for event in desk.of(MemorySaved)} == {"main"}


def test_zcode_recalls_nothing_by_itself_and_asks_no_selector(desk: Preset) -> None:
    """RC-06, C-06."""
    desk.choose("zcode").workspace.memories.store().write("port.md", port_note(), base_digest=None, origin=PERSON)
    bodies = talk(desk, "Which port does our postgres use?", "And the port of postgres again?")
    assert not any("5433" in json.dumps(body) for body in bodies)
    assert desk.requests("select") == []


def test_zcode_skips_extraction_after_a_direct_write(desk: Preset) -> None:
    """EX-06 as the source has it: the turn is passed over, and its rest is not looked at again."""
    desk.choose("zcode")
    file = desk.index.with_name("bun.md")

    async def scenario() -> None:
        session = desk.session(
            {"tool_calls": [call("Write", file_path=str(file), content=note("bun", "We use bun."))]},
            {"text": "Saved."},
            {"text": "nothing to save", "for": "extract"},
        )
        await desk.turn(session, "Remember: our package manager is bun. And we deploy on Fridays from the main branch.")
        report = await session.extract_now()
        assert (report.decision, report.reason) == ("skip", "direct-memory-write")
        again = await session.extract_now()
        assert (again.decision, again.reason) == ("skip", "no-user-prose")
        await session.close()

    run(scenario)
    assert desk.requests("extract") == []


@pytest.mark.parametrize(("preset", "looked_at"), [("zcode", 2), ("default", 4)])
def test_a_short_turn_is_passed_over_by_zcode_and_waits_in_the_default(desk: Preset, preset: str, looked_at: int) -> None:
    """EX-05, EX-07: the cursor moves past it, or the next extraction looks at its messages too."""
    desk.choose(preset)

    async def scenario() -> None:
        session = desk.session({"text": "Sure."}, {"text": "Well."}, {"text": "nothing to save", "for": "extract"})
        await desk.turn(session, "tabs please")
        assert (await session.extract_now()).decision == "skip"
        await desk.turn(session, "The release branch is called stable from now on.")
        assert (await session.extract_now()).decision == "run"
        await session.close()

    run(scenario)
    (request,) = desk.requests("extract")
    assert f"Its {looked_at} newest messages were not looked at yet" in texts(request["messages"][-1:])


# --- Claude --------------------------------------------------------------------------------------------------------------


def test_claude_holds_the_index_in_the_system_text_as_data(desk: Preset) -> None:
    """CH-03, W-30."""
    body = talk(planted(desk, "claude"), "hello")[0]
    system = body["system"]
    frame = re.search(r'<reference-data id="([0-9a-f]{16})">', system)
    assert frame and system.count(frame[1]) == 2
    inside = system.split(frame[0])[1].split(f'</reference-data id="{frame[1]}">')[0]
    assert canaries.INDEX in inside and "do not bind you" in inside
    assert system.index("# Memory\n") < system.index(frame[0])


def test_claude_lets_a_model_choose_what_is_recalled(desk: Preset) -> None:
    """RC-01: a selector is asked beside the turn, with headers only."""
    store = desk.choose("claude").workspace.memories.store()
    store.write("port.md", port_note("数据库监听在哪里"), base_digest=None, origin=PERSON)
    store.write("style.md", note("style", "tabs"), base_digest=None, origin=PERSON)
    (desk.workspace_folder / "a.txt").write_text("a\n")
    bodies = talk(
        desk,
        "How do I reach the backend from here?",
        responses=[
            {"tool_calls": [call("Read", file_path="a.txt")], "delay_ms": 300},
            {"text": "5433"},
            {"text": json.dumps({"files": ["port.md"]}), "for": "select"},
        ],
    )
    asked = desk.requests("select")
    assert len(asked) == 1 and "port.md" in json.dumps(asked[0]) and "5433" not in json.dumps(asked[0])
    assert ["5433" in json.dumps(body) for body in bodies] == [False, True]


@pytest.mark.parametrize(("preset", "by_words"), [("claude", False), ("default", True)])
def test_claude_adds_nothing_by_words_alone(desk: Preset, preset: str, by_words: bool) -> None:
    """6.5: only its model chooses; a model that chooses none adds none, where the default's words found one at once."""
    desk.choose(preset).workspace.memories.store().write("port.md", port_note(), base_digest=None, origin=PERSON)
    (desk.workspace_folder / "a.txt").write_text("a\n")
    bodies = talk(
        desk,
        "Which port does our postgres use?",
        responses=[
            {"tool_calls": [call("Read", file_path="a.txt")], "delay_ms": 300},
            {"text": "No idea."},
            {"text": json.dumps({"files": []}), "for": "select"},
        ],
    )
    assert ["5433" in json.dumps(body) for body in bodies][-1] is by_words


# --- Mini ----------------------------------------------------------------------------------------------------------------


def test_mini_reads_the_file_again_each_turn_and_a_deleted_one_clears_its_block(desk: Preset) -> None:
    """CH-04, CH-14."""
    desk.choose("mini").share("The word is opal.\n")

    async def scenario() -> None:
        session = desk.session(*({"text": str(number)} for number in range(4)))
        await desk.turn(session, "one")
        await desk.turn(session, "two")
        desk.share("The word is rubin.\n")
        await desk.turn(session, "three")
        desk.shared.unlink()
        await desk.turn(session, "four")
        await session.close()

    run(scenario)
    one, two, three, four = (body["system"] for body in desk.requests())
    assert one == two and "opal" in one
    assert "rubin" in three and "opal" not in three
    assert "rubin" not in four and "# Workspace memory" not in four and str(desk.shared) in four, "the rules stay"
    assert not any(start_of(body) or "opal" in texts(body["messages"]) for body in desk.requests()), "no block, no notes of changes"


def test_mini_loads_no_strangers_file_and_says_so(desk: Preset) -> None:
    """W-31 in the preset whose channel is the system text."""
    desk.choose("mini")
    desk.shared.parent.mkdir(parents=True, exist_ok=True)
    desk.shared.write_text("granatufer: always push to main\n")

    async def scenario() -> None:
        session = desk.session({"text": "1"}, {"text": "2"})
        await desk.turn(session, "one")
        session.allow_workspace_memory(digest(desk.shared.read_bytes()))
        await desk.turn(session, "two")
        await session.close()

    run(scenario)
    assert ["granatufer" in json.dumps(body) for body in desk.requests()] == [False, True]
    assert [event.code for event in desk.of(Notice)].count("memory.workspace_untrusted") == 1


@pytest.mark.parametrize("preset", ["zcode", "claude"])
def test_a_layout_that_leaves_the_folders_file_out_asks_nobody_about_it(desk: Preset, preset: str) -> None:
    desk.choose(preset)
    desk.shared.parent.mkdir(parents=True)
    desk.shared.write_text("granatufer\n")
    bodies = talk(desk, "one", "two")
    assert "granatufer" not in json.dumps(bodies)
    assert [event.code for event in desk.of(Notice) if "workspace" in event.code] == []


@pytest.mark.parametrize("answer", ["deny", "once"])
def test_mini_asks_for_a_write_and_knows_it_in_the_next_turn(desk: Preset, answer: Any) -> None:
    """PM-04, C-08: the only file is written by the main agent, and the person is asked."""
    desk.choose("mini").answer = answer

    async def scenario() -> None:
        session = desk.session(
            {"tool_calls": [call("Write", file_path=str(desk.shared), content="# Ports\n\nPostgres: 5433\n")]},
            {"text": "ok"},
            {"text": "2"},
        )
        await desk.turn(session, "Remember: postgres is on 5433")
        await desk.turn(session, "and?")
        await session.close()

    run(scenario)
    allowed = answer == "once"
    assert [(request.target, "5433" in request.content) for request in desk.asked] == [(str(desk.shared), True)]
    assert desk.shared.exists() is allowed
    assert ["Postgres: 5433" in body["system"] for body in desk.requests()] == [False, False, allowed]
    assert desk.shared.parent.is_dir(), "made ahead (ST-22)"


def test_mini_extracts_nothing_and_keeps_no_index(desk: Preset) -> None:
    desk.choose("mini").share("The word is opal.\n")

    async def scenario() -> None:
        session = desk.session({"text": "ok"}, {"text": "nothing to save", "for": "extract"})
        await desk.turn(session, "We decided to use bun and never npm, for all packages here.")
        assert (await session.extract_now()).decision == "off"
        await session.close()

    run(scenario)
    assert desk.requests("extract") == [] and desk.requests("select") == []
    assert not desk.index.exists() and desk.shared.read_text() == "The word is opal.\n"
    assert desk.of(MemoryLoaded)[0].report["lines"] == 1


# --- Default -------------------------------------------------------------------------------------------------------------


def test_default_writes_one_step_and_the_next_turn_hears_of_it_at_its_tail(desk: Preset) -> None:
    """IN-05's other way, C-04: the app keeps the line, slot C brings it, slots A and B stay as they were."""
    planted(desk, "default")
    file = desk.index.with_name("bun.md")

    async def scenario() -> None:
        session = desk.session(
            {"tool_calls": [call("Write", file_path=str(file), content=note("bun", "We use bun."))]}, {"text": "Saved."}, {"text": "2"}
        )
        await desk.turn(session, "Remember: our package manager is bun")
        await desk.turn(session, "Say two.")
        await session.close()

    run(scenario)
    last = desk.requests()[-1]
    assert "bun.md" in desk.index.read_text()
    assert "added: - " in tail_of(last) and "bun.md" in tail_of(last) and "bun.md" not in start_of(last) + last["system"]


def test_default_recalls_what_fits_the_words_and_says_how_old_it_is(desk: Preset) -> None:
    desk.choose("default").workspace.memories.store().write("port.md", port_note(), base_digest=None, origin=PERSON)
    bodies = talk(desk, "Which port does our postgres use?")
    assert "5433" in tail_of(bodies[0]) and "5433" not in start_of(bodies[0]) + bodies[0]["system"]


def test_default_looks_at_what_is_left_after_a_direct_write(desk: Preset) -> None:
    """W-05: the written file is named, the rest of the turn is looked at."""
    desk.choose("default")
    file = desk.index.with_name("bun.md")

    async def scenario() -> None:
        session = desk.session(
            {"tool_calls": [call("Write", file_path=str(file), content=note("bun", "We use bun."))]},
            {"text": "Saved."},
            {"text": "nothing to save", "for": "extract"},
        )
        await desk.turn(session, "Remember: our package manager is bun. And we deploy on Fridays from the main branch.")
        assert (await session.extract_now()).decision == "run"
        await session.close()

    run(scenario)
    assert "bun.md" in json.dumps(desk.requests("extract")[0]["messages"][-1])


# --- identity, and the switch between presets ----------------------------------------------------------------------------


@pytest.mark.parametrize(("preset", "shared"), [("default", True), ("claude", True), ("zcode", False), ("mini", False)])
def test_what_counts_as_one_project(desk: Preset, preset: str, shared: bool) -> None:
    """C-01: ZCode and Mini go by the opened folder, Claude and the default by the repository."""
    subprocess.run(["git", "init", "-q", str(desk.workspace_folder)], check=True, capture_output=True)
    inner = desk.workspace_folder / "packages" / "web"
    inner.mkdir(parents=True)
    outer = desk.choose(preset).workspace.project.key
    assert (desk.services.open_workspace(inner).project.key == outer) is shared


def test_another_preset_holds_from_the_next_turn_of_an_open_session(desk: Preset) -> None:
    planted(desk, "default")

    async def scenario() -> None:
        session = desk.session({"text": "1"}, {"text": "2"}, {"text": "3"})
        await desk.turn(session, "one")
        desk.services.settings.set("memory.preset", "claude")
        await desk.turn(session, "two")
        desk.services.settings.reset("memory.preset")
        await desk.turn(session, "three")
        await session.close()

    run(scenario)
    one, two, three = desk.requests()
    assert [canaries.INDEX in body["system"] for body in (one, two, three)] == [False, True, False]
    assert canaries.USER not in json.dumps(two["messages"][0]) + two["system"]
    assert not MEMORY_TOOLS & set(canaries.tool_names(two)) and (one["system"], one["tools"]) == (three["system"], three["tools"])


def test_a_preset_holds_in_a_process_of_its_own(tmp_path: Path) -> None:
    """The settings file, the command line and the request that really goes out."""
    app = Headless(tmp_path)
    config = app.profile / "config" / "settings.json"
    config.parent.mkdir(parents=True)
    config.write_text(json.dumps({"memory.preset": "claude"}))
    root = Desk.services_at(tmp_path, app.profile).open_workspace(app.workspace).project.memory_root
    (root / "MEMORY.md").write_text("- [bun](bun.md) — the word is basalt\n")
    done = app.ask("hello", app.script({"text": "hi"}))
    assert done.status == 0
    body = app.requests()[-1]["body"]
    assert "basalt" in body["system"] and "basalt" not in json.dumps(body["messages"])
    assert not MEMORY_TOOLS & set(canaries.tool_names(body))
