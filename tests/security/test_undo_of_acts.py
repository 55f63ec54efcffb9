"""S12 for the acts of memory in use: what is remembered, forgotten, accepted, mended, extracted, or written by an agent is listed in the
journal and taken back in one step, byte for byte; and after a purge nothing finds it, neither search, recall, review, health nor a request.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.forget import forget
from desktop.agent.remember import remember
from desktop.memory.change import ChangeOrigin
from desktop.memory.health_report import Health
from desktop.memory.purge import purge
from desktop.messages.events import MemoryChangeRef, MemorySaved
from tests.helpers.agent import run
from tests.helpers.script import call
from tests.unit.agent.jobs.keeper_desk import KeeperDesk, keeps, note

PERSON = ChangeOrigin("person")
DONE = keeps(text="done")


@dataclass
class World:
    """A desk with some memories, whose search and health are those of the app."""

    desk: KeeperDesk
    before: dict[str, bytes] = field(default_factory=dict)

    def refs(self) -> list[MemoryChangeRef]:
        return [ref for event in self.desk.of(MemorySaved) for ref in event.changes]

    def tree(self) -> dict[str, bytes]:
        roots = [store.root for store in self.desk.workspace.memories.own()]
        return {str(path): path.read_bytes() for root in roots for path in sorted(root.rglob("*")) if path.is_file()}

    def turn(self, said: str, *calls: dict[str, Any]) -> None:
        """A turn of a main agent that makes these calls, one a step."""

        async def scenario() -> None:
            session = self.desk.next_session(*({"tool_calls": [one]} for one in calls), {"text": "ok"})
            await self.desk.turn(session, said)
            await session.close()

        run(scenario)

    def keeper(self, said: str, *calls: dict[str, Any]) -> None:
        run(lambda: self.desk.extracted(said, keeps(list(calls)), DONE))

    def health(self) -> Health:
        desk = self.desk
        return Health(desk.workspace.memories, desk.services.paths, desk.services.clock)


@pytest.fixture
def world(tmp_path: Path) -> World:
    desk = KeeperDesk(tmp_path)
    store = desk.workspace.store
    for name, body in (
        ("deploys", "We deploy on Fridays."),
        ("bees", "Bees fly at dawn.\n\nThey will sleep tomorrow. See [[hive]] and [the shed](shed.md)."),
        ("蜂巢", "蜂巢漆成蓝色。"),
    ):
        store.write(f"{name}.md", note(name, body), base_digest=None, origin=PERSON)
    (store.root / "sub").mkdir()
    (store.root / "sub" / "queen.md").write_text(note("queen", "The queen is called Zoe."), encoding="utf-8")
    (store.root / "twin.md").write_text(note("twin", "We deploy on Fridays."), encoding="utf-8")
    store.observe()
    made = World(desk)
    made.before = made.tree()
    return made


Act = Callable[[World], list[MemoryChangeRef]]


def _remembers(text: str, to: Any = "project") -> Act:
    def act(world: World) -> list[MemoryChangeRef]:
        done = remember(
            world.desk.workspace.memories, text, to=to, session_id="sess_1", message_id="msg_1", clock=world.desk.services.clock
        )
        return list(done.changes)

    return act


def _forgets(target: str) -> Act:
    def act(world: World) -> list[MemoryChangeRef]:
        done = forget(world.desk.workspace.memories, target, world.desk.services.memory_search)
        assert done.status == "forgotten", done
        return list(done.changes)

    return act


def _accepts(op: Any, path: str, text: str = "") -> Act:
    def act(world: World) -> list[MemoryChangeRef]:
        inbox, store = world.desk.workspace.memories.proposals(), world.desk.workspace.store
        found = store.read(path) if (store.root / path).exists() else None
        proposal = inbox.add(
            op,
            path,
            text,
            base=found.digest if found else None,
            base_text=found.text if found else "",
            origin=ChangeOrigin("extractor", "sess_1", "msg_1", "because", True),
            reason="No sentence of yours says this.",
            rule="unsupported",
        )
        assert proposal is not None
        change = inbox.accept(proposal.id, store)
        return [MemoryChangeRef("project", change.path, change.id, change.op)]

    return act


def _mends(kind: str) -> Act:
    def act(world: World) -> list[MemoryChangeRef]:
        health = world.health()
        finding = next(one for one in health.check("project").of_kind(kind) if one.fixes)
        fixed = health.apply("project", health.plan([finding]), PERSON)
        newest = world.desk.workspace.store.changes(with_index=True)[0]
        assert newest.group or fixed is not None
        return [MemoryChangeRef("project", newest.path, newest.id, newest.op)]

    return act


def _main(said: str, *calls: Callable[[KeeperDesk], dict[str, Any]]) -> Act:
    def act(world: World) -> list[MemoryChangeRef]:
        world.turn(said, *(make(world.desk) for make in calls))
        return world.refs()

    return act


def _keeper(said: str, *calls: Callable[[KeeperDesk], dict[str, Any]]) -> Act:
    def act(world: World) -> list[MemoryChangeRef]:
        world.keeper(said, *(make(world.desk) for make in calls))
        return world.refs()

    return act


ACTS: dict[str, Act] = {
    "/remember": _remembers("The shed has two doors"),
    "/remember in Chinese": _remembers("蜂蜜在十月份装瓶"),
    "/remember for all projects": _remembers("I prefer short answers", "user"),
    "/remember another value": _remembers("We deploy on Tuesdays"),
    "/remember with a date": _remembers("The fair is tomorrow"),
    "/remember many lines": _remembers("The shed list:\n- two doors\n- one window"),
    "/forget by name": _forgets("bees"),
    "/forget by file": _forgets("sub/queen.md"),
    "/forget in Chinese": _forgets("蜂巢"),
    "/forget by words": _forgets("queen Zoe"),
    "/forget one of twins": _forgets("twin.md"),
    "accept a new one": _accepts("write", "hive.md", note("hive", "The hive is blue.")),
    "accept in a folder": _accepts("write", "new/hive.md", note("hive", "The hive is blue.")),
    "accept a change": _accepts("write", "bees.md", note("bees", "Bees fly at noon.")),
    "accept a deletion": _accepts("delete", "deploys.md"),
    "mend duplicates": _mends("duplicate"),
    "mend a relative date": _mends("relative-date"),
    "mend a dangling link": _mends("dangling-link"),
    "agent writes": _main("Remember the shed", lambda d: d.write("shed", "The shed has two doors.")),
    "agent edits": _main(
        "Bees fly at noon, not at dawn; please correct that in your memory",
        lambda d: call("Read", file_path=d.path("bees")),
        lambda d: call("Edit", file_path=d.path("bees"), old_string="at dawn", new_string="at noon"),
    ),
    "agent forgets by tool": _main("Forget the bees", lambda d: call("memory_index", action="forget", file="bees.md")),
    "agent forgets by rm": _main("Forget the bees", lambda d: call("Bash", command=f"rm {d.path('bees')}")),
    "agent pins": _main("Pin the bees", lambda d: call("memory_index", action="pin", file="bees.md")),
    "agent words a line": _main("Word the line anew", lambda d: call("memory_index", action="hook", file="bees.md", hook="when bees fly")),
    "agent moves a line": _main("Put bees last", lambda d: call("memory_index", action="move", file="bees.md")),
    "keeper writes": _keeper("The shed has two doors", lambda d: d.write("shed", "The shed has two doors.")),
    "keeper writes in Chinese": _keeper("棚子有两扇门", lambda d: d.write("棚子", "棚子有两扇门。")),
    "keeper replaces": _keeper("No, we deploy on Tuesdays now", lambda d: d.write("deploy-day", "We deploy on Tuesdays.")),
    "keeper forgets": _keeper("Forget the bees at dawn", lambda d: call("Bash", command=f"rm {d.path('bees')}")),
}


@pytest.mark.parametrize("name", ACTS)
def test_every_act_is_listed_and_taken_back_in_one_step(world: World, name: str) -> None:
    memories = world.desk.workspace.memories
    refs = ACTS[name](world)
    assert refs and world.tree() != world.before
    stores = {store.memory_root.id: store for store in memories.own()}
    for ref in refs:
        listed = next(one for one in stores[ref.root].changes(with_index=True) if one.id == ref.change)
        assert (listed.path, listed.op) == (ref.path, ref.op)
        if not name.startswith("mend"):
            assert listed.origin.actor == ("main" if name.startswith("agent") else "extractor" if name.startswith("keeper") else "person")
    stores[refs[-1].root].undo(refs[-1].change)
    assert world.tree() == world.before, "one step, byte for byte, the index too"


def test_there_are_fifty_cases_with_those_of_the_store() -> None:
    from tests.unit.memory.test_history_undo import ACTS as STORE_ACTS

    assert len(ACTS) >= 25 and len(ACTS) + 5 * len(STORE_ACTS) >= 75


@pytest.mark.parametrize("name", ["accept a new one", "accept a deletion"])
def test_a_decision_is_taken_back_into_the_inbox(world: World, name: str) -> None:
    [made] = ACTS[name](world)
    inbox, store = world.desk.workspace.memories.proposals(), world.desk.workspace.store
    assert inbox.waiting() == []
    decided = [path.stem for path in (world.desk.services.paths.data / "state" / "review").rglob("decided/*.json")]
    inbox.take_back(decided[0], store, change_id=made.change)
    assert world.tree() == world.before and [one.id for one in inbox.waiting()] == decided


# --- purge ----------------------------------------------------------------------------------------------------------------

WORD = "quittenkiste"
FACT = f"The jam is kept in the {WORD} below the stairs"


def _traces(desk: KeeperDesk) -> list[str]:
    """Files below the data folder that hold the word, in a form in which a program writes text. Transcripts and request dumps are the
    conversation itself, which a purge names and leaves."""
    data = desk.services.paths.data
    forms = {form for text in (WORD, WORD.title()) for form in (text.encode(), text.encode("utf-16-le"))}
    found = []
    for path in data.rglob("*"):
        if path.is_file() and (data / "sessions") not in path.parents:
            held = path.read_bytes()
            found += [str(path)] if any(form in held for form in forms) or WORD in path.name else []
    return found


def test_after_a_purge_nothing_finds_it(world: World) -> None:
    """Said to be remembered, recalled in an open conversation, proposed again with other words, judged by health, forgotten, purged."""
    desk = world.desk
    desk.services.settings.set("memory.recall_wait_ms", 5_000)
    memories, store = desk.workspace.memories, desk.workspace.store
    question = "Where is the jam kept below the stairs?"

    async def scenario() -> None:
        session = desk.next_session(*[{"text": "ok"}] * 3, {"for": "select", "text": "{}"})
        done = remember(session.memories, FACT, session_id=session.id, clock=desk.services.clock)
        await desk.turn(session, question)
        assert WORD in json.dumps(desk.bodies()[-1]["messages"])
        inbox = memories.proposals()
        waits = inbox.add(
            "write",
            "other.md",
            note("other", f"{FACT}."),
            base=None,
            base_text="",
            origin=ChangeOrigin("extractor", session.id, "msg_1", FACT),
            reason="No sentence of yours says this.",
            rule="unsupported",
            quote=FACT,
        )
        assert waits is not None
        health = world.health()
        health.state("project").ignore([finding.id for finding in health.check("project").findings])
        assert _traces(desk) != []
        report = purge(store, done.path, origin=PERSON)
        assert report.removed > 0 and inbox.waiting() == []
        await desk.turn(session, question)
        await session.close()

    run(scenario)
    assert _traces(desk) == []
    asked = next(body for body in reversed(desk.bodies()) if body["kind"] == "main")
    assert WORD not in json.dumps([asked["system"], asked["messages"]], ensure_ascii=False).lower()
    start = asked["messages"][0]["parts"][0]["text"]
    assert "deploys" in start, "the rest of the index is there"
    search = desk.services.memory_search
    assert search is not None
    for query in (WORD, FACT, "jam stairs", "kiste*"):
        found = search.search(memories, query, for_model=False)
        assert not [hit for hit in found.hits if WORD in hit.snippet.lower()]
    later = KeeperDesk.services_at(desk.folder, desk.folder / "profile")
    again = later.open_workspace(desk.workspace_folder)
    assert later.memory_search is not None
    assert not [hit for hit in later.memory_search.search(again.memories, WORD, for_model=False).hits if WORD in hit.snippet.lower()]
    assert not [one for one in world.health().check("project").findings if WORD in str(one)]
