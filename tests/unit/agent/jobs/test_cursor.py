"""How far a session was looked at: kept over restart, rewind, the way back, a fork, the loss of the cursor's message (W-06, check 10)."""

from __future__ import annotations

import json
import random
import shutil
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.agent.jobs.cursor import CURSOR, LEFT, Cursor
from desktop.base.ids import new_message_id
from desktop.messages.parts import Message, TextPart
from desktop.sessions.store import SessionHandle, SessionStore
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import make_paths

START = datetime(2026, 3, 1, tzinfo=UTC)


class Talk:
    """One session of which messages are named by letters."""

    def __init__(self, folder: Path) -> None:
        self.store = SessionStore(make_paths(folder), FixedClock())
        self.handle = self.store.create(project_key="p", workspace=folder, memory_enabled=True, model="m")
        self.names: dict[str, str] = {}
        self.count = 0

    def say(self, names: str) -> None:
        for name in names:
            self.count += 1
            moment = START + timedelta(seconds=self.count)
            parent = self.handle.messages[-1].id if self.handle.messages else None
            message = self.handle.append(Message(new_message_id(moment), "user", (TextPart(name),), moment, parent))
            self.names[name] = message.id

    def rewind(self, name: str) -> None:
        self.handle.set_leaf(self.names[name] if name else None)

    def look(self) -> None:
        Cursor(self.handle).move(self.handle.messages[-1].id)

    @property
    def new(self) -> str:
        """The messages of the live branch that were not looked at, by name."""
        return "".join(m.text for m in self.handle.messages[Cursor(self.handle).position(self.handle.messages) :])

    def restart(self) -> None:
        self.handle.close()
        self.handle = self.store.open(self.handle.id)


@pytest.fixture
def talk(tmp_path: Path) -> Talk:
    return Talk(tmp_path)


def test_without_a_cursor_everything_is_new_and_then_only_what_came_since(talk: Talk) -> None:
    talk.say("abc")
    assert talk.new == "abc"
    talk.look()
    assert talk.new == ""
    talk.say("d")
    assert talk.new == "d"
    assert talk.handle.meta[CURSOR] == talk.names["c"]


def test_it_survives_a_restart(talk: Talk) -> None:
    talk.say("ab")
    talk.look()
    talk.say("c")
    talk.restart()
    assert talk.new == "c"


def test_rewind_past_the_cursor_goes_to_the_nearest_common_ancestor(talk: Talk) -> None:
    talk.say("abcd")
    talk.look()
    talk.rewind("b")
    assert talk.new == ""
    talk.say("xy")
    assert talk.new == "xy"
    talk.restart()
    assert talk.new == "xy"


def test_rewind_to_the_start_makes_the_new_branch_new_from_its_first_message(talk: Talk) -> None:
    talk.say("abc")
    talk.look()
    talk.rewind("")
    talk.say("xyz")
    assert talk.new == "xyz"


def test_the_way_back_to_a_branch_that_was_looked_at_offers_nothing_twice(talk: Talk) -> None:
    talk.say("abc")
    talk.look()
    talk.rewind("a")
    talk.say("x")
    talk.look()
    talk.rewind("c")
    assert talk.new == ""
    assert talk.handle.meta[LEFT] == [talk.names["c"]]
    talk.say("d")
    talk.restart()
    assert talk.new == "d"


def test_the_way_back_to_a_branch_that_was_never_looked_at_loses_nothing(talk: Talk) -> None:
    talk.say("a")
    talk.look()
    talk.say("bc")
    talk.rewind("a")
    talk.say("x")
    talk.look()
    talk.rewind("c")
    assert talk.new == "bc"


def test_a_fork_inherits_it(talk: Talk) -> None:
    """A fork holds the messages and the named values that it was made from."""
    talk.say("abc")
    talk.look()
    talk.say("d")
    fork = talk.store.create(project_key="p", workspace=Path("/ws"), memory_enabled=True, model="m")
    for message in talk.handle.messages:
        fork.append(message)
    fork.set_meta(CURSOR, talk.handle.meta[CURSOR])
    assert [m.text for m in fork.messages[Cursor(fork).position(fork.messages) :]] == ["d"]


@pytest.mark.parametrize("lost", ["c", "b", "d"])
def test_a_message_that_vanished_from_the_file_changes_nothing(talk: Talk, lost: str) -> None:
    talk.say("abc")
    talk.look()
    talk.say("de")
    _damage(talk, lost)
    assert talk.new == "de".replace(lost, "")


def test_a_vanished_cursor_is_left_behind_at_the_next_look(talk: Talk) -> None:
    talk.say("abc")
    talk.look()
    talk.say("d")
    _damage(talk, "c")
    talk.look()
    assert talk.handle.meta.get(LEFT) in (None, [])
    talk.say("e")
    assert talk.new == "e"


@pytest.mark.parametrize("value", [None, 7, "", "nowhere", ["x"], {"id": 1}])
def test_a_value_that_is_no_cursor_counts_as_none(talk: Talk, value: object) -> None:
    talk.say("ab")
    talk.handle.set_meta(CURSOR, value)
    talk.handle.set_meta(LEFT, value)
    assert talk.new == "ab"


@pytest.mark.parametrize("seed", range(40))
def test_any_walk_over_branches_offers_each_message_until_it_was_looked_at_and_never_again(tmp_path: Path, seed: int) -> None:
    draw = random.Random(seed)
    print(f"seed {seed}")
    talk, looked = Talk(tmp_path), set[str]()
    for name in (chr(0x4E00 + number) for number in range(60)):
        step = draw.random()
        if step < 0.55 or not talk.names:
            talk.say(name)
        elif step < 0.75:
            talk.rewind(draw.choice(["", *talk.names]))
        elif talk.handle.messages:
            talk.look()
            looked.update(m.text for m in talk.handle.messages)
        if draw.random() < 0.1:
            talk.restart()
        assert talk.new == "".join(m.text for m in talk.handle.messages if m.text not in looked)
    talk.handle.close()
    shutil.rmtree(tmp_path / "data", ignore_errors=True)


def _damage(talk: Talk, name: str) -> None:
    """Take the record of a message out of the transcript, and open it again."""
    handle: SessionHandle = talk.handle
    handle.close()
    lines = handle.path.read_bytes().splitlines(keepends=True)
    wanted = json.dumps(talk.names[name])
    compact = [line.decode().replace('": "', '":"') for line in lines]
    kept = [line for line, text in zip(lines, compact, strict=True) if f'"id":{wanted}' not in text or '"parts"' not in text]
    assert len(kept) == len(lines) - 1
    handle.path.write_bytes(b"".join(kept))
    talk.handle = talk.store.open(handle.id)
