"""A session's recall over real files with a scripted model, and what its texts hold."""

from __future__ import annotations

import asyncio
import re
from collections.abc import Awaitable, Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.agent.recall import Recall
from desktop.agent.recall_turn import RecallTurn
from desktop.memory.memories import Memories
from desktop.memory.search import MemorySearch
from desktop.memory.switches import MemoryState
from desktop.messages.parts import Message, TextPart
from desktop.providers.base import Model
from desktop.providers.scripted import ScriptedModel
from desktop.settings.store import SettingsStore
from tests.helpers.script import write_script
from tests.helpers.searches import opened
from tests.helpers.wait import within
from tests.unit.memory.conftest import ON, Desk, note_text

OFF = MemoryState(False, "Memory is off.", False, "Memory is off.", "off", "memory.use")
FRAME = re.compile(r'<recalled-memory id="([0-9a-f]+)">\n(.*?)\n</recalled-memory id="\1">', re.DOTALL)
NOTES = {
    "queue.md": ("carrier retries", "Carrier calls are tried three times, then they go to the dead letter queue."),
    "release.md": ("发布流程", "发布流程每周二进行，由小王负责。"),
    "tone.md": ("tone", "Answers are short and friendly."),
    "berth.md": ("berth seven", "The gantry of berth seven is closed until May."),
    "depot.md": ("depot hours", "The depot opens at six in the morning."),
}


@dataclass
class World:
    """A session's recall over real files, with a scripted model. `dumps`: the requests of kind select."""

    desk: Desk
    folder: Path
    state: MemoryState = ON

    def __post_init__(self) -> None:
        desk = self.desk
        self.settings = SettingsStore(desk.paths)
        self.memories = Memories(desk.project, desk.project.folder, desk.paths, desk.clock, lambda: self.state, settings=self.settings)
        self.search = opened(MemorySearch(desk.paths, desk.clock))
        self.search.follow(self.memories)
        self.recall = Recall(self.memories, self.search, self.settings, desk.clock, language="en")
        self.messages: list[Message] = []
        self.dumps: list[dict[str, Any]] = []
        self.scripts = 0
        for path, (name, body) in NOTES.items():
            self.put(path, note_text(name, body))

    def put(self, path: str, text: str) -> Path:
        file = self.desk.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")
        return file

    def set(self, **values: Any) -> None:
        for key, value in values.items():
            self.settings.set(f"memory.{key}", value)

    def model(self, *answers: dict[str, Any] | str) -> ScriptedModel:
        script = [{"for": "select"} | ({"text": one} if isinstance(one, str) else one) for one in answers]
        self.scripts += 1
        model = write_script(self.folder, script, f"script{self.scripts}.json").removeprefix("scripted:")
        return ScriptedModel(Path(model), dump=lambda kind, name, url, body: self.dumps.append(body), clock=self.desk.clock)

    def say(self, text: str) -> str:
        """The person writes; gives the message's id."""
        message = Message(f"msg_{len(self.messages)}", "user", (TextPart(text),), self.desk.clock.now(), origin="person")
        self.messages.append(message)
        return message.id

    def begin(self, text: str, model: Model) -> RecallTurn:
        return self.recall.begin(text, self.messages, model, message_id=self.say(text), session_id="sess_one")

    async def turn(self, text: str, model: Model | None = None) -> str:
        """All that is recalled for one message."""
        turn = self.begin(text, model or self.model("{}"))
        shown = await everything(turn)
        await turn.close()
        return shown


async def everything(turn: RecallTurn) -> str:
    """What both halves give, however long they take."""
    shown = [await turn.first()]
    while turn.running:
        await asyncio.sleep(0.005)
    return "\n\n".join(text for text in (*shown, turn.arrived()) if text)


def files(text: str) -> list[str]:
    """The recalled files, by the frames around them."""
    return [
        found[1].rpartition("/")[2] for _, inside in FRAME.findall(text) if (found := re.search(r"above: (\S+\.md|.*?\.md) \(", inside))
    ]


def split(text: str) -> list[str]:
    return [match.group() for match in FRAME.finditer(text)]


def go(scenario: Callable[[], Awaitable[None]]) -> None:
    async def main() -> None:
        async with within(30):
            await scenario()

    asyncio.run(main())
