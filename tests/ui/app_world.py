"""The whole window in this process: a profile, a folder with one memory, a scripted model, and windows that end with the test."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

from PySide6.QtWidgets import QApplication
from pytestqt.qtbot import QtBot

from desktop.app.application import Application
from desktop.base.clock import SystemClock
from desktop.base.paths import resolve_paths
from desktop.compose import Options
from desktop.memory.identity import ensure_project, resolve_project
from desktop.ui import i18n, theme

NOTE = "---\nname: bun\ndescription: We use bun\nmetadata:\n  type: project\n---\n\nWe use bun.\n"
Start = Callable[..., Application]


class World:
    """A profile, a folder with one memory, and a scripted model."""

    def __init__(self, place: Path) -> None:
        self.profile = place / "profile"
        self.folder = place / "项目 one"
        self.folder.mkdir()
        self.script = place / "script.json"
        self.answers([{"text": "Hello there."}])
        self.project = resolve_project(self.folder, resolve_paths(str(self.profile), {}))
        ensure_project(self.project, SystemClock())
        (self.project.memory_root / "bun.md").write_text(NOTE, encoding="utf-8")

    def answers(self, responses: list[dict[str, object]]) -> None:
        self.script.write_text(json.dumps({"responses": responses}), encoding="utf-8")

    def options(self) -> Options:
        return Options(profile_dir=str(self.profile), model=f"scripted:{self.script}", environ={"PATH": "/usr/bin:/bin"})

    def settings(self, text: str) -> None:
        (self.profile / "config").mkdir(parents=True, exist_ok=True)
        (self.profile / "config" / "settings.json").write_text(text, encoding="utf-8")


@contextmanager
def starting(qapp: QApplication, qtbot: QtBot, world: World) -> Iterator[Start]:
    """Starts windows and ends what a test left open."""
    made: list[Application] = []

    def go(folder: Path | None = None, *, built: bool = True, exit_after_paint: bool = False) -> Application:
        left: list[int] = []
        application = Application(qapp, world.options(), folder=folder, exit_after_paint=exit_after_paint, leave=left.append)
        application.left = left  # type: ignore[attr-defined]
        made.append(application)
        application.start()
        if built:
            qtbot.waitUntil(lambda: application.parts is not None)
        return application

    try:
        yield go
    finally:
        for application in made:
            application.end()
            application.workbench.deleteLater()
            application.deleteLater()
        theme.apply(qapp, theme.DARK, 1.0)
        i18n.install("en")


def opened(application: Application, qtbot: QtBot) -> Application:
    """Wait until the folder, its memory and a chat are there."""
    qtbot.waitUntil(lambda: application.parts is not None and application.workspace is not None, timeout=10_000)
    parts = application.parts
    assert parts is not None
    qtbot.waitUntil(lambda: parts.memory.controller.snapshot is not None and bool(parts.chat.controller.session_id), timeout=10_000)
    return application
