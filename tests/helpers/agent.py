"""A session on real services with a scripted model, driven from a plain test."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeVar

from desktop.agent.session import AgentSession
from desktop.compose import Options, Services, Workspace, build_services
from desktop.messages.events import ApprovalAnswer, ApprovalChoice, ApprovalRequest, TurnEnded, TurnEvent
from tests.helpers.script import write_script

E = TypeVar("E")


@dataclass
class Desk:
    """One profile and one workspace below a temporary folder."""

    folder: Path
    environ: Mapping[str, str] = field(default_factory=dict)
    headless: bool = True
    events: list[TurnEvent] = field(default_factory=list)
    asked: list[ApprovalRequest] = field(default_factory=list)
    answer: ApprovalChoice = "deny"

    def __post_init__(self) -> None:
        self.workspace_folder = self.folder / "ws"
        self.workspace_folder.mkdir(exist_ok=True)
        self.dumps = self.folder / "dumps"
        self.services = self.build()
        self.workspace: Workspace = self.services.open_workspace(self.workspace_folder)

    def build(self) -> Services:
        return build_services(
            Options(profile_dir=str(self.folder / "profile"), dump_requests=self.dumps, environ=self.environ, headless=self.headless)
        )

    @staticmethod
    def services_at(folder: Path, profile: Path) -> Services:
        """Services of a profile that a process uses too."""
        return build_services(Options(profile_dir=str(profile), environ={"HOME": str(folder)}, headless=True))

    def build_workspace_with_memory(self) -> Workspace:
        """This workspace opened with memory on, whatever the environment of this desk says: for what is put into it beforehand."""
        return self.services_at(self.folder, self.folder / "profile").open_workspace(self.workspace_folder)

    def script(self, *responses: dict[str, Any], name: str = "script.json", **top: Any) -> str:
        return write_script(self.folder, list(responses), name, **top)

    def session(self, *responses: dict[str, Any], name: str = "script.json", **top: Any) -> AgentSession:
        return self.services.new_session(self.workspace, model_id=self.script(*responses, name=name, **top))

    async def approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        self.asked.append(request)
        return ApprovalAnswer(self.answer)

    async def turn(self, session: AgentSession, text: str) -> TurnEnded:
        return await session.run(text, self.events.append, self.approve)

    def of(self, kind: type[E]) -> list[E]:
        return [event for event in self.events if isinstance(event, kind)]

    def records(self) -> list[dict[str, Any]]:
        """The dumped requests, in order."""
        import json

        return [json.loads(path.read_text(encoding="utf-8")) for path in sorted(self.dumps.glob("*.json"))]

    def bodies(self, *, select: bool = False) -> list[dict[str, Any]]:
        """Bodies of the dumped requests, in order; those in which a model chooses memories, beside the turn, only when asked for."""
        return [record["body"] for record in self.records() if select or record["kind"] != "select"]


def run(scenario: Callable[[], Awaitable[E]]) -> E:
    """Run an async scenario to its end."""

    async def main() -> E:
        return await scenario()

    return asyncio.run(main())
