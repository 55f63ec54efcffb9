"""The switches, proven on dumped requests (memory design UI-01…UI-03, W-25, check 7 of section 7).

Off: no byte of memory, no rule, no tool, no path of a root is in any request, and no file below a root changes, whatever the model tries;
the list still shows everything. Write off and extraction off: reading survives. The rule that says when memory is on is spelled out here
once more, by itself. Real processes for a sample; every combination in this process under `full`.
"""

from __future__ import annotations

import asyncio
import itertools
import json
import random
import shutil
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any, Literal

import pytest

from desktop.agent.memory_traces import MEMORY_TOOLS
from desktop.agent.session import AgentSession
from desktop.memory.identity import set_memory_switch
from desktop.messages.events import ApprovalAnswer, ApprovalRequest, TurnEvent
from tests.e2e.headless import Headless
from tests.helpers import canaries
from tests.helpers.agent import Desk
from tests.helpers.canaries import Planted, note
from tests.helpers.script import call
from tests.helpers.seeds import drawn_seed

FACT = "By the way, our releases happen on Thursdays"


@dataclass(frozen=True, slots=True)
class Switches:
    """One position of all switches."""

    disable: str | None = None
    features: bool = True
    use: bool = True
    workspace: bool = True
    session: bool = True
    simple: bool = False
    write: bool = True
    extraction: Literal["auto", "off"] = "auto"

    @property
    def on(self) -> bool:
        """UI-03, in its own words: any switch turns it off; `0` beats simple mode and nothing else."""
        if self.disable == "1" or not (self.features and self.use and self.workspace and self.session):
            return False
        return self.disable == "0" or not self.simple

    @property
    def environ(self) -> dict[str, str]:
        simple = {"KEEPSAKE_SIMPLE": "1"} if self.simple else {}
        return simple | ({} if self.disable is None else {"KEEPSAKE_DISABLE_MEMORY": self.disable})

    @property
    def settings(self) -> dict[str, object]:
        return {
            "features.memory": self.features,
            "memory.use": self.use,
            "memory.write": self.write,
            "memory.extraction": self.extraction,
            "memory.extraction_spacing_s": 0,
        }

    def __str__(self) -> str:
        plain = Switches()
        moved = [f"{f.name}={getattr(self, f.name)}" for f in fields(self) if getattr(self, f.name) != getattr(plain, f.name)]
        return " ".join(moved) or "all on"


def every() -> Iterator[Switches]:
    both = (True, False)
    extractions: tuple[Literal["auto", "off"], ...] = ("auto", "off")
    for position in itertools.product((None, "0", "1"), both, both, both, both, both, both, extractions):
        disable, features, use, workspace, session, simple, write, extraction = position
        yield Switches(disable, features, use, workspace, session, simple, write, extraction)


EVERY = tuple(every())
SEED = drawn_seed("memory switches")
ONE_OFF = (
    Switches(),
    Switches(disable="1"),
    Switches(features=False),
    Switches(use=False),
    Switches(workspace=False),
    Switches(session=False),
    Switches(simple=True),
    Switches(simple=True, disable="0"),
    Switches(use=False, disable="0"),
    Switches(write=False),
    Switches(extraction="off"),
)
"""Each switch by itself, and what `0` beats and what not."""


def test_the_combinations_are_all_there() -> None:
    assert len(set(EVERY)) == 384 and set(ONE_OFF) <= set(EVERY)


# --- in this process -----------------------------------------------------------------------------------------------------


def attempts(planted: Planted, workspace: Path) -> list[dict[str, Any]]:
    """What a model tries that does not know, or does not mind, that memory is off."""
    file = planted.project / f"{canaries.TOPIC}.md"
    return [
        call("Read", file_path=str(file)),
        call("Read", file_path=str(planted.user / "MEMORY.md")),
        call("Read", file_path=str(planted.shared / "MEMORY.md")),
        call("Grep", pattern="The word is", path=str(workspace), output_mode="content"),
        call("Grep", pattern="The word is", path=str(planted.project), output_mode="content"),
        call("Glob", pattern="**/*.md", path=str(workspace)),
        call("Glob", pattern="*", path=str(planted.user)),
        call("Write", file_path=str(planted.project / "new.md"), content=note("new", "Bees fly at dawn")),
        call("Write", file_path=str(planted.user / "new.md"), content=note("new", "Owls hunt at night")),
        call("Write", file_path=str(planted.shared / "MEMORY.md"), content="replaced\n"),
        call("Edit", file_path=str(file), old_string="The word", new_string="A word"),
        call("memory_index", action="list"),
        call("memory_search", queries=["word", "canary"], limit=50),
        call("memory_search", queries=["word"], scope="global"),
        call("memory_search", queries=["word"], scope="workspace"),
        call("memory_index", action="forget", file=file.name),
        call("Bash", command=f"rm '{file}'"),
        call(
            "Bash",
            command=f"rm -rf '{planted.project}'/* ; echo bad > '{planted.shared}/MEMORY.md'; mv '{planted.user}' '{planted.user}.old'",
        ),
    ]


class Trial:
    """One profile, planted, with the switches in one position; driven without a process of its own."""

    def __init__(self, folder: Path, switches: Switches) -> None:
        self.switches = switches
        self.desk = Desk(folder, environ={"HOME": str(folder), "PATH": "/usr/bin:/bin", **switches.environ})
        self.planted = canaries.plant(self.desk.build_workspace_with_memory())
        for key, value in switches.settings.items():
            self.desk.services.settings.set(key, value)
        set_memory_switch(self.desk.workspace.project, switches.workspace, self.desk.services.clock)
        (self.planted.project / "outside.md").write_text(note("outside", "A program left this"), encoding="utf-8")
        self.planted.keep()
        self.desk.workspace = self.desk.services.open_workspace(self.desk.workspace_folder)
        if not switches.session:  # the folder itself is opened with memory on: the app may keep its index, the session may do nothing
            self.planted.keep()

    def session(self, *responses: dict[str, Any], name: str) -> AgentSession:
        model = self.desk.script(*responses, name=name)
        if self.switches.session:
            return self.desk.services.new_session(self.desk.workspace, model_id=model)
        services, workspace = self.desk.services, self.desk.workspace
        handle = services.sessions.create(project_key=workspace.project.key, workspace=workspace.folder, memory_enabled=False, model=model)
        return services._session(handle, workspace, services.make_model(model), None)

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        """The person says yes to everything that is asked: what holds must hold without them."""
        return ApprovalAnswer("once")

    def run(self) -> dict[str, Any]:
        return asyncio.run(self._run())

    async def _run(self) -> dict[str, Any]:
        quiet = self.session({"text": "ok"}, {"for": "extract", "text": "nothing to save"}, name="quiet.json")
        events: list[TurnEvent] = []
        await quiet.run(FACT, events.append, self.approve)
        report = await quiet.extract_now()
        await quiet.close()
        self.first = self.desk.bodies()
        self.after_reading = self.planted.changed()
        tries = self.session(
            {"tool_calls": attempts(self.planted, self.desk.workspace_folder)},
            {"text": "ok"},
            name="tries.json",
        )
        await tries.run("hello there, old friend", events.append, self.approve)
        await tries.close()
        written = [call("Write", file_path=str(self.planted.project / "x.md"), content=note("x", "Our releases happen on Thursdays."))]
        extracts = {"for": "extract", "tool_calls": written}, {"for": "extract", "text": "done"}
        keeps = self.session({"text": "ok"}, *extracts, name="keeps.json")
        await keeps.run(FACT, events.append, self.approve)
        await keeps.extract_now()
        await keeps.close()
        self.later = self.desk.bodies()[len(self.first) :]
        self.tried = [body for body in self.later if body["kind"] == "main"][1]
        return report.to_json()


def check_off(trial: Trial) -> None:
    planted, bodies = trial.planted, trial.first + trial.later
    for body in bodies:
        assert canaries.words_in(_without_calls(body)) == [], trial.switches
        assert not [mark for mark in canaries.RULES if mark in canaries.texts(body["system"])], trial.switches
        assert not MEMORY_TOOLS & set(canaries.tool_names(body))
    for body in trial.first:
        assert not [root for root in planted.roots if str(root) in canaries.texts(body)], trial.switches
    assert not [root for root in planted.roots if any(str(root) in canaries.result_texts(body) for body in trial.later)]
    assert trial.after_reading == [] and trial.planted.changed(folder_times=False) == [], trial.switches


def check_on(trial: Trial, report: dict[str, Any]) -> None:
    planted, switches = trial.planted, trial.switches
    body = next(body for body in trial.first if body["kind"] == "main")
    assert set(canaries.words_in(body)) >= set(canaries.LOADED), switches
    assert set(canaries.tool_names(body)) >= MEMORY_TOOLS and all(str(root) in body["system"] for root in planted.roots)
    index = [str(planted.project), str(planted.project / "MEMORY.md")] if switches.write else []
    assert trial.after_reading == index, "the line of what a program left, and nothing else"
    assert canaries.TOPIC in canaries.result_texts(trial.tried), "a topic is read on demand"
    extracting = switches.write and switches.extraction != "off"
    assert report["decision"] == ("run" if extracting else "off"), switches
    assert (report["reason"] is None) is extracting
    changed = planted.changed(folder_times=False)
    if switches.write:
        assert {str(planted.project / "new.md"), str(planted.user / "new.md"), str(planted.shared / "MEMORY.md")} <= set(changed)
        assert (str(planted.project / "x.md") in changed) is extracting, switches
    else:
        assert changed == [], f"{switches}: write off, nothing changes"
        assert "anywhere else" in canaries.result_texts(trial.tried), "the refusal forbids a detour (GT-04)"


def _without_calls(body: dict[str, Any]) -> dict[str, Any]:
    """The request without what the model itself had written."""
    messages = [message | {"parts": [part for part in message["parts"] if part["kind"] != "tool_call"]} for message in body["messages"]]
    return body | {"messages": messages}


def check(folder: Path, switches: Switches) -> None:
    trial = Trial(folder, switches)
    report = trial.run()
    if switches.on:
        check_on(trial, report)
    else:
        assert report["decision"] == "off" and report["reason"] == "disabled"
        check_off(trial)


@pytest.mark.parametrize("switches", ONE_OFF, ids=str)
def test_each_switch_by_itself(tmp_path: Path, switches: Switches) -> None:
    check(tmp_path, switches)


def test_a_sample_of_all_combinations(tmp_path: Path) -> None:
    for number, switches in enumerate(random.Random(SEED).sample(EVERY, 12)):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(folder, switches)


@pytest.mark.full
@pytest.mark.timeout(1_200)
def test_all_combinations(tmp_path: Path) -> None:
    for number, switches in enumerate(EVERY):
        folder = tmp_path / str(number)
        folder.mkdir()
        check(folder, switches)
        shutil.rmtree(folder)


def test_turned_off_while_a_session_is_open(tmp_path: Path) -> None:
    """The switches that bind a running session bind it from its next turn on; what was said before stays said."""
    trial = Trial(tmp_path, Switches())

    async def scenario() -> None:
        session = trial.session(
            {"text": "1"}, {"tool_calls": attempts(trial.planted, trial.desk.workspace_folder)}, {"text": "2"}, name="s.json"
        )
        events: list[TurnEvent] = []
        await session.run("one", events.append, trial.approve)
        trial.desk.services.settings.set("memory.use", False)
        trial.planted.keep()
        await session.run("two", events.append, trial.approve)
        await session.close()

    asyncio.run(scenario())
    first, *later = trial.desk.bodies()
    assert set(canaries.words_in(first)) >= set(canaries.LOADED)
    for body in later:
        assert canaries.words_in(_without_calls(body)) == [] and not MEMORY_TOOLS & set(canaries.tool_names(body))
    assert trial.planted.changed(folder_times=False) == []


# --- real processes ------------------------------------------------------------------------------------------------------


class Process:
    """The same with the real command line."""

    def __init__(self, folder: Path) -> None:
        self.app = Headless(folder, {"HOME": str(folder)})
        desk_folder = folder
        services = Desk.services_at(desk_folder, self.app.profile)
        self.workspace = services.open_workspace(self.app.workspace)
        self.planted = canaries.plant(self.workspace)
        self.clock = services.clock

    def turn(self, switches: Switches, number: int) -> Any:
        config = self.app.profile / "config"
        config.mkdir(parents=True, exist_ok=True)
        (config / "settings.json").write_text(json.dumps(switches.settings))
        set_memory_switch(self.workspace.project, switches.workspace, self.clock)
        self.app.environ = {"HOME": str(self.app.root), **switches.environ}
        shutil.rmtree(self.app.dumps, ignore_errors=True)
        self.planted.keep()
        model = self.app.script({"tool_calls": attempts(self.planted, self.app.workspace)}, {"text": "ok"}, name=f"{number}.json")
        return self.app.ask("hello there, old friend", model, "--memory-bench")

    def bodies(self) -> list[dict[str, Any]]:
        return [request["body"] for kind in ("main", "extract") for request in self.app.requests(kind)]


def test_real_processes_with_the_switches_off_and_on(tmp_path: Path) -> None:
    process = Process(tmp_path)
    off = (Switches(disable="1"), Switches(features=False), Switches(workspace=False), Switches(simple=True))
    for number, switches in enumerate(off):
        done = process.turn(switches, number)
        assert done.json["memory"]["enabled"] is False and done.json["extraction"]["reason"] == "disabled"
        bodies = process.bodies()
        assert bodies
        for body in bodies:
            assert canaries.words_in(_without_calls(body)) == [], switches
            assert not [mark for mark in canaries.RULES if mark in canaries.texts(body["system"])]
            assert not MEMORY_TOOLS & set(canaries.tool_names(body))
            told = [body["system"], body["messages"][0], canaries.result_texts(body), body["tools"]]
            assert not [root for root in process.planted.roots if str(root) in canaries.texts(told)]
        assert process.planted.changed() == [], switches
        assert not [word for word in canaries.WORDS if word in done.err], "nothing of it is said either"
    listed = process.app.run("memory", "list", "--json").json
    assert listed["enabled"] is False and {n["path"] for n in listed["notes"]} >= {f"{canaries.TOPIC}.md", f"{canaries.NESTED}/deep.md"}

    reading = process.turn(Switches(write=False), 90)
    assert set(canaries.words_in(process.bodies()[0])) >= set(canaries.LOADED)
    assert reading.json["memory"]["loaded"]["entries"] == 2 and reading.json["memory"]["saved"] == []
    assert process.planted.changed() == []


def test_headless_says_that_the_workspace_file_is_not_loaded(tmp_path: Path) -> None:
    """W-31, and PM-04: writing it needs --allow-write."""
    app = Headless(tmp_path, {"HOME": str(tmp_path)})
    file = app.workspace / ".agents" / "memory" / "MEMORY.md"
    file.parent.mkdir(parents=True)
    file.write_text(f"The word is {canaries.SHARED}.\n")
    done = app.ask("hello", app.script({"text": "hi"}, name="a.json"))
    assert done.status == 0 and str(file) in done.err and canaries.SHARED not in done.err
    assert canaries.SHARED not in app.last_body()
    read = {"tool_calls": [call("Read", file_path=str(file)), call("Write", file_path=str(file), content="ours\n")]}
    refused = app.ask("Note it in the repository", app.script(read, {"text": "no"}, name="b.json"))
    assert refused.status == 3 and file.read_text() != "ours\n"
    allowed = app.ask("Note it in the repository", app.script(read, {"text": "ok"}, name="c.json"), "--allow-write")
    assert allowed.status == 0 and file.read_text() == "ours\n"
    user = tmp_path / "profile" / "data" / "memories" / "global"
    everywhere = {"tool_calls": [call("Write", file_path=str(user / "MEMORY.md"), content="mine\n")]}
    kept = app.ask("Remember in all my projects", app.script(everywhere, {"text": "no"}, name="d.json"), "--allow-write")
    assert kept.status == 3 and not (user / "MEMORY.md").exists(), "--allow-write counts for the workspace file only"
