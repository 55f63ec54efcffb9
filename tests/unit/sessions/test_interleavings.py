"""Acts on sessions in any order, in several handles and stores one after the other: whatever came before, all readings tell the same."""

from __future__ import annotations

import random
from dataclasses import dataclass, field, replace
from pathlib import Path

import pytest

from desktop.base.clock import iso
from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.sessions.context import read_context
from desktop.sessions.context_stream import open_material
from desktop.sessions.forks import fork
from desktop.sessions.store import SessionHandle
from desktop.sessions.summary import SessionSummary, summary_of
from desktop.sessions.transcript import read_transcript
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import message, new_handle, store_in

WORDS = ["token", "refresh", "login", "数据库", "设计", "登录", "page", "cache", "parser", "retry"]


@dataclass
class Model:
    """What a session holds, kept beside it."""

    messages: dict[str, Message] = field(default_factory=dict)
    leaf: str | None = None
    title: str = ""
    pinned: bool = False
    trashed: bool = False

    def live(self) -> list[str]:
        found, at = [], self.leaf
        while at is not None:
            found.append(at)
            at = self.messages[at].parent
        return found[::-1]


@dataclass
class World:
    """A profile with what must be in it."""

    root: Path
    chance: random.Random
    clock: FixedClock = field(default_factory=lambda: FixedClock(step_s=1.0))
    models: dict[str, Model] = field(default_factory=dict)
    open: dict[str, SessionHandle] = field(default_factory=dict)
    number: int = 0

    def __post_init__(self) -> None:
        self.store = store_in(self.root, self.clock)

    # --- acts ---

    def handle(self) -> tuple[SessionHandle, Model] | None:
        there = [name for name, model in self.models.items() if not model.trashed]
        if not there:
            return None
        name = self.chance.choice(there)
        if name not in self.open:
            self.open[name] = self.store.open(name)
        return self.open[name], self.models[name]

    def create(self) -> None:
        handle = new_handle(self.store, key=self.chance.choice(("one-0123456789abcdef", "two-0123456789abcdef")))
        self.models[handle.id] = model = Model()
        self.open[handle.id] = handle
        self._stored(model, handle.append(self.made()))

    def made(self) -> Message:
        self.number += 1
        words = " ".join(self.chance.choices(WORDS, k=self.chance.randint(1, 8)))
        kind = self.chance.random()
        if kind < 0.4:
            return message(words, number=self.number)
        if kind < 0.7:
            call = (ToolCallPart(f"c{self.number}", "Read", {"path": words}),) if self.chance.random() < 0.5 else ()
            return message("", "assistant", parts=(TextPart(words), *call), number=self.number, tokens=self.number)
        output = words * (3_000 if self.chance.random() < 0.3 else 1)
        return message("", "tool", parts=(ToolResultPart(f"c{self.number - 1}", "Read", output, "ok"),), number=self.number)

    def append(self) -> None:
        if (found := self.handle()) is None:
            return
        handle, model = found
        new = self.made()
        if model.messages and self.chance.random() < 0.2:
            new = replace(new, parent=self.chance.choice(list(model.messages)))
        self._stored(model, handle.append(new))

    def append_all(self) -> None:
        if (found := self.handle()) is None:
            return
        handle, model = found
        before = len(handle.messages)
        handle.append_all([self.made() for _ in range(self.chance.randint(1, 3))])
        for one in handle.messages[before:]:
            self._stored(model, one)

    @staticmethod
    def _stored(model: Model, one: Message) -> None:
        model.messages[one.id] = one
        model.leaf = one.id

    def move(self) -> None:
        if (found := self.handle()) is not None and found[1].messages:
            handle, model = found
            model.leaf = self.chance.choice([None, *model.messages])
            handle.set_leaf(model.leaf)

    def rename(self) -> None:
        if (found := self.handle()) is not None and found[1].messages:
            found[1].title = self.chance.choice(WORDS)
            self.store.rename(found[0].id, found[1].title)

    def pin(self) -> None:
        if (found := self.handle()) is not None and found[1].messages:
            found[1].pinned = not found[1].pinned
            self.store.set_flag(found[0].id, "pinned", found[1].pinned)

    def fork(self) -> None:
        if (found := self.handle()) is None or not found[1].messages:
            return
        source = found[1]
        end = self.chance.choice(list(source.messages))
        name = fork(self.store, found[0].id, end)
        loaded = self.store.load(name)
        ids = [one.id for one in loaded.live]
        assert end in ids and all(loaded.messages[n] == source.messages[i] for n, i in enumerate(ids))
        self.models[name] = Model({one.id: one for one in loaded.messages}, loaded.leaf, str(loaded.meta["title"]))

    def trash(self) -> None:
        if (found := self.handle()) is None or not found[1].messages:
            return
        self.open.pop(found[0].id).close()
        self.store.trash(found[0].id)
        found[1].trashed = True

    def restore(self) -> None:
        lying = self.store.trashed()
        assert {one.id for one in lying} == {name for name, model in self.models.items() if model.trashed}
        if lying:
            one = self.chance.choice(lying)
            self.store.restore(one)
            self.models[one.id].trashed = False

    def close(self) -> None:
        if self.open:
            self.open.pop(self.chance.choice(list(self.open))).close()

    def begin_anew(self) -> None:
        for handle in self.open.values():
            handle.close()
        self.open.clear()
        self.store = store_in(self.root, self.clock)

    # --- what must hold ---

    def check(self) -> None:
        listed = {one.id: one for one in self.store.list()}
        assert set(listed) == {name for name, model in self.models.items() if not model.trashed and model.messages}
        for name, summary in listed.items():
            self.check_one(name, summary)

    def check_one(self, name: str, summary: SessionSummary) -> None:
        model, loaded = self.models[name], self.store.load(name)
        assert loaded.damage == []
        assert {one.id: one for one in loaded.messages} == model.messages
        assert [one.id for one in loaded.live] == model.live()
        whole = summary_of(read_transcript(summary.path), summary.path, 0.0, summary.size)
        assert told(summary) == told(whole)
        assert (summary.pinned, summary.messages) == (model.pinned, len(model.live()))
        if model.title:
            assert summary.title == model.title
        for strategy in ("relevant", "handoff"):
            query = self.chance.choice(WORDS)
            with open_material(summary.path, query) as material:
                streamed = read_context(material, query, strategy=strategy, nonce=lambda: "n" * 16)
            held = read_context(loaded, query, strategy=strategy, nonce=lambda: "n" * 16)
            assert streamed == held
        if name in self.open:
            assert [message_to_json(one) for one in self.open[name].messages] == [message_to_json(one) for one in loaded.live]


def told(summary: SessionSummary) -> dict[str, object]:
    """What both readings must agree in; a preview may begin with another part of one message."""
    left_out = ("preview",)
    values = {name: getattr(summary, name) for name in SessionSummary.__slots__ if name not in left_out}
    return values | {"updated": iso(summary.updated)}


@pytest.mark.parametrize("seed", range(8))
def test_all_readings_tell_the_same_after_any_acts(tmp_path: Path, seed: int) -> None:
    print(f"seed {seed}")
    chance = random.Random(seed)
    world = World(tmp_path, chance)
    acts = [world.append] * 8 + [world.append_all] * 3 + [world.move] * 3 + [world.fork, world.trash, world.restore, world.begin_anew]
    acts += [world.create, world.rename, world.pin, world.close]
    world.create()
    for step in range(80):
        chance.choice(acts)()
        if step % 8 == 7:
            world.check()
    world.check()
