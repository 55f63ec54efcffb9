"""Settings and models in the window: the page in a tab, its controllers, and what is said when a settings file is broken. GUI thread."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal
from PySide6.QtWidgets import QWidget

from desktop.bridge.operations import Operations
from desktop.bridge.tasks import Tasks
from desktop.commands.registry import Command
from desktop.ui.controllers.all_memory_controller import AllMemoryController
from desktop.ui.controllers.models_controller import ModelsController
from desktop.ui.controllers.settings_controller import SettingsController
from desktop.ui.workbench import Workbench

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace
    from desktop.ui.settings.page import SettingsPage

KEY = "settings"
VIEWER = "memory-of:"
"""Before project key and path: the tab of a memory of another workspace."""


class SettingsPart(QObject):
    """See the module's text.

    Signals:
        memory_open_requested(project_key, path): show a memory of any workspace in a tab.
        memory_adopt_requested(project_key): move the memory of this lost project into the opened folder's.
        models_changed(): a model was installed, or a key was saved or removed.
    """

    memory_open_requested = Signal(str, str)
    memory_adopt_requested = Signal(str)
    models_changed = Signal()

    def __init__(self, services: Services, workbench: Workbench, operations: Operations, tasks: Tasks) -> None:
        super().__init__(workbench)
        self._services = services
        self._workbench = workbench
        self._operations = operations
        self._said: list[str] = []
        self._switching = False
        self.controller = SettingsController(services, None, operations, self)
        self.models = ModelsController(services, operations, tasks, self)
        self.all_memory = AllMemoryController(services, operations, self)
        self.all_memory.changed.connect(self._relabel)
        self.controller.workspace_memory_changed.connect(self._on_workspace_memory)
        self.models.download_finished.connect(self._on_models)
        self.models.key_saved.connect(self._on_models)
        workbench.registry.register(
            Command("settings.open", self.tr("Settings"), self.show, "ctrl+,", icon="settings-gear"),
            Command("models.open", self.tr("Models and Keys"), partial(self.show, "models"), category=self.tr("Settings")),
            Command("memory.others", self.tr("Memory of All Workspaces"), self.show_all_memory, category=self.tr("Memory")),
            Command(
                "memory.turnOff",
                self.tr("Turn Workspace Memory Off"),
                partial(self._switch, False),
                "",
                "workspaceMemory",
                self.tr("Memory"),
            ),
            Command(
                "memory.turnOn",
                self.tr("Turn Workspace Memory On"),
                partial(self._switch, True),
                "",
                "workspaceMemoryOff",
                self.tr("Memory"),
            ),
            Command("settings.memory", self.tr("Memory"), partial(self.show, "memory"), category=self.tr("Settings")),
        )
        workbench.activity.add_action("settings.open", self.tr("Settings"), "settings-gear", workbench.key_text("settings.open"))

    def set_workspace(self, workspace: Workspace | None) -> None:
        self.controller.set_workspace(workspace)
        self.say_problems()

    def close(self) -> None:
        self.all_memory.stop()
        self.models.close()
        self.controller.close()

    def show(self, category: str = "") -> None:
        """The page in front; `category` as in `SettingsPage.show_category`."""
        page = self._workbench.editors.open(KEY, self.tr("Settings"), self._make, icon_name="settings-gear")
        if category:
            page.show_category(category)  # type: ignore[attr-defined]

    def show_all_memory(self) -> None:
        """The list of all memory of all workspaces, by project."""
        page = self._workbench.editors.open(KEY, self.tr("Settings"), self._make, icon_name="settings-gear")
        page.show_all_memory()  # type: ignore[attr-defined]

    def restore(self, key: str) -> bool:
        """Open a tab of before; False when it is none of ours."""
        if key == KEY:
            self.show()
            return True
        project_key, _, path = key.removeprefix(VIEWER).partition(":")
        if not key.startswith(VIEWER) or not path:
            return False
        self.open_viewer(project_key, path)
        return True

    def open_viewer(self, project_key: str, path: str, line: int = 0, text: str = "", label: str = "") -> None:
        """A memory of another workspace, read only; at a line of it (1-based), with `text` selected there."""
        from desktop.ui.memory.viewer import MemoryViewer

        def make() -> QWidget:
            reader = self.all_memory.reader(project_key, path)
            viewer = MemoryViewer(reader, label or self.all_memory.label(project_key), path, self._operations)
            viewer.link_requested.connect(lambda target: self.open_viewer(project_key, f"{target.removesuffix('.md')}.md"))
            if not label and not self.all_memory.is_known(project_key):
                self.all_memory.refresh()
            return viewer

        viewer = self._workbench.editors.open(f"{VIEWER}{project_key}:{path}", path.rpartition("/")[2], make, icon_name="note")
        if line:
            viewer.reveal(line, text)  # type: ignore[attr-defined]

    def _relabel(self) -> None:
        """Tabs of before are opened faster than the names of the projects are read."""
        for key in self._workbench.editors.open_keys():
            project_key = key.removeprefix(VIEWER).partition(":")[0]
            set_label = getattr(self._workbench.editors.widget(key), "set_label", None)
            if key.startswith(VIEWER) and callable(set_label) and self.all_memory.is_known(project_key):
                set_label(self.all_memory.label(project_key))

    # --- the switch of the opened folder -------------------------------------------------------------------------------------------

    def _switch(self, on: bool) -> None:
        """From the palette or a menu: it is said what it means, since the page that says so need not be in front."""
        self._switching = True
        self.controller.set_workspace_memory(on)

    def _on_workspace_memory(self) -> None:
        memory, registry = self.controller.workspace_memory, self._workbench.registry
        registry.set_fact("workspaceMemory", memory is not None and memory.on)
        registry.set_fact("workspaceMemoryOff", memory is not None and not memory.on)
        said, self._switching = self._switching, False
        if not said or memory is None:
            return
        if memory.on:
            text = self.tr("Memory of this workspace is on: new chats read it, and the agent may remember more.")
            actions = [(self.tr("Turn Off"), partial(self._switch, False))]
        else:
            text = self.tr("Memory of this workspace is off: new chats read none of it, send none of it and write none.")
            actions = [(self.tr("Turn On"), partial(self._switch, True))]
        self._workbench.notify("info", text, actions, tag="workspace-memory")

    def say_problems(self) -> None:
        """A settings file that cannot be used is said once a folder, with the way to decide."""
        problems = self.controller.problems()
        if not problems or problems == self._said:
            return
        self._said = problems
        kind = "warning" if not self.controller.is_broken() else "error"
        self._workbench.notify(kind, problems[0], [(self.tr("Open Settings"), self.show)], detail="\n".join(problems[1:]))  # type: ignore[arg-type]

    def _make(self) -> QWidget:
        from desktop.ui.settings.page import SettingsPage

        page: SettingsPage = SettingsPage(self.controller, self.models, self.all_memory)
        page.memory_open_requested.connect(self.memory_open_requested)
        page.memory_adopt_requested.connect(self.memory_adopt_requested)
        return page

    def _on_models(self, _name: str) -> None:
        self.models_changed.emit()
