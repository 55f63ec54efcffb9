"""The main job with the embedded model, as a new person meets it: remember in one process, ask in the next; and a stop that stops.

Runs where the model is installed (`KEEPSAKE_MODELS` or the default profile); slow, since the model is real.
"""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from desktop.base.paths import AppPaths, resolve_paths
from desktop.messages.events import ResponseEnd
from desktop.messages.parts import Message, TextPart
from desktop.providers.base import ModelRequest
from desktop.providers.catalogue import find_file
from desktop.providers.embedded import EmbeddedModel
from desktop.providers.embedded_info import embedded_info
from tests.helpers.wait import wait_for

pytestmark = [pytest.mark.embedded, pytest.mark.timeout(900)]
SECONDS = 400


@dataclass(frozen=True)
class Person:
    """One profile and one folder; `say` is a process of its own each time."""

    profile: Path
    folder: Path
    models: Path

    def run(self, *arguments: str) -> str:
        environ = {**os.environ, "KEEPSAKE_MODELS": str(self.models)}
        command = [sys.executable, "-I", "-m", "desktop", *arguments, "--profile-dir", str(self.profile), "--workspace", str(self.folder)]
        done = subprocess.run(command, cwd=self.folder, env=environ, capture_output=True, text=True, timeout=SECONDS, check=False)
        assert done.returncode == 0, done.stderr
        return done.stdout

    def say(self, text: str) -> dict[str, Any]:
        value = json.loads(self.run("-p", text, "--output", "json"))
        assert isinstance(value, dict)
        return value

    def memory(self) -> dict[str, Any]:
        value = json.loads(self.run("memory", "list", "--json"))
        assert isinstance(value, dict)
        return value


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("look")
    found = find_file(AppPaths(folder, folder, folder), os.environ)
    if found is None:
        pytest.skip("the embedded model is not installed")
    return found.path.parent


@pytest.fixture(scope="module")
def profile(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Shared, so that the prompt's fixed part is read once."""
    return tmp_path_factory.mktemp("profile")


@pytest.mark.parametrize(
    ("told", "fact", "asked", "answer"),
    [
        ("Remember: our package manager is bun", "our package manager is bun", "Which package manager do we use?", "bun"),
        ("记住：提交信息都用中文写", "提交信息都用中文写", "提交信息用什么语言？", "中文"),
    ],
    ids=["english", "chinese"],
)
def test_what_is_told_once_is_known_in_the_next_process(
    profile: Path, models: Path, tmp_path: Path, told: str, fact: str, asked: str, answer: str
) -> None:
    person = Person(profile, tmp_path, models)
    first = person.say(told)
    assert [c["name"] for c in first["tool_calls"]] == ["Write"]
    assert [c["status"] for c in first["tool_calls"]] == ["ok"]
    assert len(first["memory"]["saved"]) == 1
    assert fact in first["text"]
    listed = person.memory()
    [note] = listed["notes"]
    assert note["problem"] is None
    assert note["description"] == fact
    assert note["type"] in ("project", "feedback")
    root = Path(listed["root"])
    text = (root / note["path"]).read_text(encoding="utf-8")
    assert text.startswith("---\n")
    assert text.endswith(f"\n{fact}\n")
    assert f"({note['path']})" in (root / "MEMORY.md").read_text(encoding="utf-8")
    second = person.say(asked)
    assert answer in second["text"].casefold()
    assert second["memory"]["saved"] == []


def _request(text: str, folder: Path) -> ModelRequest:
    from datetime import UTC, datetime

    message = Message("msg_1", "user", (TextPart(text),), datetime.now(UTC))
    return ModelRequest("main", "", (message,), workspace=str(folder))


def test_a_stop_while_the_prompt_is_read_frees_the_machine(profile: Path, models: Path, tmp_path: Path) -> None:
    async def run() -> None:
        paths, environ = resolve_paths(str(profile), {}), {"KEEPSAKE_MODELS": str(models)}
        info = embedded_info(paths, environ)
        assert info is not None
        model = EmbeddedModel(info, paths, environ)
        await model.warm()
        server = model.link.server
        assert server is not None

        async def read() -> None:
            async for _ in model.stream(_request("Summarise this: " + "the service number listens on some port. " * 200, tmp_path)):
                pass

        task = asyncio.create_task(read())
        pid = server.pid
        await asyncio.to_thread(wait_for, lambda: server.busy, timeout=30, what="the request")
        task.cancel()
        await asyncio.gather(task, return_exceptions=True)
        await asyncio.to_thread(wait_for, lambda: not server.busy, timeout=5, what="the stop")
        assert server.pid != pid
        events = [event async for event in model.stream(_request("Hello", tmp_path))]
        assert isinstance(events[-1], ResponseEnd)
        await model.close()

    asyncio.run(run())
