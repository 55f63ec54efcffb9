"""What is typed while conversations are opened, fail to open and are left: each word stands in exactly one draft in the end."""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from pytestqt.qtbot import QtBot

from desktop.bridge.drafts import DraftStore
from desktop.bridge.operations import Operations
from desktop.ui import theme
from tests.helpers.counts import tell
from tests.ui.chat_world import ChatWorld
from tests.unit.sessions.make import message

WORD = re.compile(r"w\d+")


class Typist:
    """A chat pane on a folder with two stored conversations and one that another process holds."""

    def __init__(self, chat: ChatWorld) -> None:
        self.chat = chat
        self.new = f"new-{chat.desk.workspace.project.key}"
        self.store = DraftStore(chat.desk.services.paths.state / "drafts")
        self.stored = [self._left(text) for text in ("one", "two")]
        self.busy = self._left("elsewhere")
        self.elsewhere = chat.desk.build().sessions.open(self.busy)
        chat.controller.opening_failed.connect(lambda _failure: None)

    def _left(self, text: str) -> str:
        workspace = self.chat.desk.workspace
        sessions = self.chat.desk.services.sessions
        handle = sessions.create(project_key=workspace.project.key, workspace=workspace.folder, memory_enabled=True, model="")
        handle.append(replace(message(text), model=None))
        handle.append(replace(message("Done.", "assistant"), model=None))
        handle.close()
        return handle.id

    def type(self, text: str, *, flush: bool = True) -> None:
        """At the end of what stands there, as a person does."""
        composer = self.chat.pane.composer
        composer.set_text(composer.text + text)
        if flush:
            self.chat.pane.flush_draft()

    def settle(self) -> None:
        def quiet() -> bool:
            return not (self.chat.operations.pending or self.chat.controller.opening)

        for _ in range(3):  # an answer may ask for more
            self.chat.until(quiet, "quiet")
            self.chat.qtbot.wait(1)
        self.chat.pane.flush_draft()
        self.chat.until(lambda: not self.chat.operations.pending)

    def drafts(self) -> dict[str, str]:
        return {path.stem: path.read_text(encoding="utf-8") for path in (self.chat.desk.services.paths.state / "drafts").glob("*.txt")}

    @property
    def text(self) -> str:
        return self.chat.pane.composer.text


@pytest.fixture
def typist(qtbot: QtBot, tmp_path: Path, operations: Operations, dark: theme.Theme) -> Iterator[Typist]:
    responses: list[dict[str, Any]] = [{"text": "Good."}] * 40
    chat = ChatWorld(qtbot, tmp_path, operations, *responses)
    made = Typist(chat)
    yield made
    chat.controller.stop()
    made.elsewhere.close()
    chat.failures.clear()
    chat.close()


@pytest.mark.parametrize("kept", ["", "of before"])
@pytest.mark.parametrize("at", [(0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)])
def test_a_new_chat_stands_in_for_one_that_is_open_elsewhere(typist: Typist, at: tuple[int, ...], kept: str) -> None:
    """Typed before it is known, while the new one opens, and after it: one text, once, behind what was kept."""
    chat, controller = typist.chat, typist.chat.controller
    typist.store.save(typist.new, kept)

    def failed(_failure: object) -> None:
        controller.new_session()
        if 1 in at:
            typist.type("b")

    controller.opening_failed.connect(failed)
    controller.set_workspace(chat.desk.workspace, typist.busy)
    if 0 in at:
        typist.type("a")
    chat.until(lambda: bool(controller.session_id), "the new one")
    if 2 in at:
        typist.type("c")
    typist.settle()
    typed = "".join("abc"[number] for number in at)
    assert typist.text.replace("\n", "") == kept + typed  # a line of its own, unless the draft was there before it
    assert typist.drafts() == {typist.new: typist.text}


def test_the_draft_of_a_new_chat_waits_while_another_is_gone_on_with(typist: Typist) -> None:
    chat = typist.chat
    chat.open()
    typist.settle()
    typist.type("half a thought")
    chat.controller.resume(typist.stored[0])
    chat.until(lambda: chat.controller.session_id == typist.stored[0], "the stored one")
    typist.settle()
    chat.turn("Go on")
    typist.settle()
    assert typist.drafts() == {typist.new: "half a thought"}
    chat.controller.new_session()
    chat.until(lambda: typist.text == "half a thought", "the draft")


def test_sent_before_the_draft_was_there_both_are_kept(typist: Typist) -> None:
    chat = typist.chat
    typist.store.save(typist.new, "half a thought")
    chat.controller.set_workspace(chat.desk.workspace)
    with chat.qtbot.waitSignal(chat.controller.turn_ended, timeout=10_000):
        chat.send("Good morning")  # the conversation is still being opened
    typist.settle()
    assert [one.text for one in chat.controller.messages] == ["Good morning", "Good."]
    assert typist.drafts() == {typist.new: "half a thought"}


def test_a_new_chat_for_a_new_chat_keeps_the_draft(typist: Typist) -> None:
    chat = typist.chat
    chat.open()
    typist.settle()
    typist.type("half ")
    chat.controller.new_session()
    typist.type("a thought")
    chat.until(lambda: not chat.controller.opening)
    typist.settle()
    assert typist.text == "half a thought" and typist.drafts() == {typist.new: typist.text}


@pytest.mark.parametrize("seed", range(24))
def test_no_word_is_lost_or_doubled(typist: Typist, seed: int) -> None:
    """A person who types and goes back and forth without waiting: 60 acts a seed, and every word in one draft in the end."""
    chat, controller, rng = typist.chat, typist.chat.controller, random.Random(seed)
    controller.set_workspace(chat.desk.workspace, rng.choice(["", typist.busy, *typist.stored]))
    typed = 0
    for _ in range(24):
        act = rng.choice(["type"] * 5 + ["flush", "new", "resume", "resume", "busy", "wait", "wait", "settle"])
        if act == "type":
            typist.type(f" w{typed}", flush=rng.random() < 0.5)
            typed += 1
        elif act == "flush":
            chat.pane.flush_draft()
        elif act == "new":
            controller.new_session()
        elif act == "resume":
            controller.resume(rng.choice(typist.stored))
        elif act == "busy":
            controller.resume(typist.busy)
        elif act == "wait":
            chat.qtbot.wait(rng.choice([0, 1, 2, 5]))
        else:
            typist.settle()
    typist.settle()
    found = Counter(WORD.findall(" ".join(typist.drafts().values())))
    assert found == Counter(f"w{number}" for number in range(typed)), sorted(typist.drafts().items())
    tell(f"drafts seed {seed}: {typed} words in {len(typist.drafts())} drafts")
