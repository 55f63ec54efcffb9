"""The welcome page with what it shows: recent folders and sessions, and what can answer. Reads off the GUI thread. GUI thread."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.bridge.operations import Operations
from desktop.bridge.spoken import spoken
from desktop.commands.registry import Command
from desktop.ui.memory.age import short_age
from desktop.ui.sessions.facts import title_text
from desktop.ui.welcome import ROWS, FolderRow, ModelState, SessionRow, WelcomePage
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services
    from desktop.sessions.summary import SessionSummary

KEY = "welcome"


@dataclass(frozen=True, slots=True)
class Facts:
    """What the page is filled with, read in one go: the default model by id and name, and whether it runs here (`embedded`)."""

    sessions: tuple[SessionSummary, ...]
    folders: tuple[str, ...]
    model: str
    label: str
    installed: bool
    embedded: bool


def read_facts(services: Services, folders: Sequence[str]) -> Facts:
    """Blocking: lists sessions, looks for model files."""
    from desktop.providers.catalogue import installed
    from desktop.providers.registry import EMBEDDED, default_model_id, list_models

    model = services.options.model or default_model_id(services.providers)
    embedded = model == EMBEDDED or model.startswith(f"{EMBEDDED}:")
    found = [one for one in installed(services.paths, services.environ) if one.problem is None]
    label = next((info.label for info in list_models(services.providers) if info.id == model), model)
    return Facts(
        tuple(services.sessions.list()[:ROWS]),
        tuple(folder for folder in folders if Path(folder).is_dir()),
        model,
        spoken(found[0].label if found and embedded else label),
        bool(found),
        embedded,
    )


class WelcomePart(QObject):
    """See the module's text.

    Signals:
        folder_requested(str): open this folder.
        session_requested(str): resume this session.
    """

    folder_requested = Signal(str)
    session_requested = Signal(str)

    def __init__(self, services: Services, workbench: Workbench, operations: Operations) -> None:
        super().__init__(workbench)
        self._services = services
        self._workbench = workbench
        self._operations = operations
        self._folders: tuple[str, ...] = ()
        self._folder_open = False
        self._reading = 0
        workbench.registry.register(Command("welcome.show", self.tr("Welcome"), self.show, category=self.tr("Help")))

    def set_folders(self, folders: Sequence[str], *, is_open: bool) -> None:
        """Folders of before, newest first; whether one is open now."""
        self._folders = tuple(folders)
        self._folder_open = is_open
        page = self._page()
        if page is not None:
            page.set_folder_open(is_open)
            self.refresh()

    def show(self) -> None:
        self._workbench.editors.open(KEY, self.tr("Welcome"), self._make, icon_name="home")
        self.refresh()

    def close_page(self) -> None:
        self._workbench.editors.close(KEY)

    def restore(self, key: str) -> bool:
        if key == KEY:
            self.show()
        return key == KEY

    def refresh(self) -> None:
        """Read again what the page shows, if it is there."""
        if self._page() is None:
            return
        services, folders = self._services, self._folders
        self._operations.forget(self._reading)
        self._reading = self._operations.read(lambda: read_facts(services, folders), self._on_facts)

    def _page(self) -> WelcomePage | None:
        page = self._workbench.editors.widget(KEY)
        return page if isinstance(page, WelcomePage) else None

    def _make(self) -> QWidget:
        page = WelcomePage()
        page.set_folder_open(self._folder_open)
        page.command_requested.connect(self._workbench.run)
        page.folder_requested.connect(self.folder_requested)
        page.session_requested.connect(self.session_requested)
        return page

    def _on_facts(self, facts: Facts) -> None:
        page = self._page()
        if page is None:
            return
        now = self._services.clock.now()
        page.set_folders([_folder_row(folder) for folder in facts.folders])
        page.set_sessions(
            [SessionRow(one.id, title_text(one), f"{Path(one.workspace).name} · {short_age(one.updated, now)}") for one in facts.sessions]
        )
        page.set_model(self._model_state(facts))

    def _model_state(self, facts: Facts) -> ModelState:
        if facts.embedded and facts.installed:
            return ModelState(
                True,
                self.tr("{model} is ready").format(model=facts.label),
                self.tr("It runs on this machine, with no key and no network. It is small: connect a provider for real coding work."),
                (self.tr("Connect a Provider…"), "models.open"),
            )
        if facts.embedded:
            return ModelState(
                False,
                self.tr("No model is installed yet"),
                self.tr("Download the embedded model once, or connect a provider with a key or a local server."),
                (self.tr("Choose Model…"), "models.open"),
            )
        return ModelState(
            True,
            self.tr("New chats use {model}").format(model=facts.label),
            self.tr("Keys and servers are set up on the models page."),
            (self.tr("Models…"), "models.open"),
        )


def _folder_row(folder: str) -> FolderRow:
    path = Path(folder)
    home = str(Path.home())
    place = str(path.parent)
    return FolderRow(folder, path.name or folder, "~" + place[len(home) :] if place == home or place.startswith(home + "/") else place)
