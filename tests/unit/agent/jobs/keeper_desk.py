"""One session with a scripted memory keeper, for the tests of extraction: notes, scripts, and what became of them."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from desktop.agent.jobs.report import Report
from desktop.agent.session import AgentSession
from desktop.memory.proposals import Proposal
from tests.helpers.agent import Desk
from tests.helpers.script import call


def note(name: str, body: str, *, description: str = "", kind: str = "project") -> str:
    return f"---\nname: {name}\ndescription: {description or name}\nmetadata:\n  type: {kind}\n---\n\n{body}\n"


def keeps(calls: list[dict[str, Any]] | None = None, text: str = "", **more: Any) -> dict[str, Any]:
    """An answer of the scripted memory keeper."""
    return {"for": "extract", "text": text, "tool_calls": calls or []} | more


@dataclass
class KeeperDesk(Desk):
    """A desk whose sessions end with an extraction that the test waits for."""

    number: int = field(default=0, kw_only=True)

    @property
    def root(self) -> Path:
        return self.workspace.project.memory_root

    def path(self, name: str) -> str:
        return str(self.root / f"{name}.md")

    def write(self, name: str, body: str, **more: Any) -> dict[str, Any]:
        """A call of the keeper that writes a note."""
        return call("Write", file_path=self.path(name), content=note(name, body, **more))

    def has(self, name: str, body: str, **more: Any) -> None:
        """A note that is there before."""
        (self.root / f"{name}.md").write_text(note(name, body, **more), encoding="utf-8")

    def notes(self) -> dict[str, str]:
        return {path.name: path.read_text(encoding="utf-8") for path in sorted(self.root.glob("*.md")) if path.name != "MEMORY.md"}

    def waiting(self) -> list[Proposal]:
        return self.workspace.memories.proposals().waiting()

    def next_session(self, *responses: dict[str, Any]) -> AgentSession:
        self.number += 1
        return self.session(*responses, name=f"script-{self.number}.json")

    async def extracted(self, said: str | list[str], *keeper: dict[str, Any], main: list[dict[str, Any]] | None = None) -> Report:
        """Say something in a session of its own and extract."""
        texts = [said] if isinstance(said, str) else said
        answers = main or [{"text": "ok"}] * len(texts)
        session = self.next_session(*answers, *keeper)
        try:
            for text in texts:
                await self.turn(session, text)
            return await session.extract_now()
        finally:
            await session.close()
