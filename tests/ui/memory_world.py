"""A profile, a folder with memory in it, and everything below the window, for the tests of the memory and settings widgets."""

from __future__ import annotations

import logging
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from PySide6.QtCore import QItemSelectionModel
from pytestqt.qtbot import QtBot

from desktop.bridge.operations import Operations
from desktop.compose import Options, Services, Workspace, build_services
from desktop.memory.store import ChangeOrigin
from desktop.settings.secrets import Keyring, SecretStore
from desktop.ui.controllers.memory_controller import MemoryController
from desktop.ui.memory.panel import MemoryPanel
from desktop.ui.memory.rows import Row, row_key, split_key
from desktop.ui.memory.tree import MemoryTree

PERSON = ChangeOrigin(actor="person")


@dataclass(frozen=True)
class World:
    """What the widgets stand on."""

    services: Services
    workspace: Workspace
    operations: Operations

    @property
    def root(self) -> Path:
        return self.workspace.store.root

    def remember(
        self,
        path: str,
        description: str = "Something",
        kind: str = "project",
        body: str = "",
        *,
        root: str = "project",
        origin: ChangeOrigin | None = None,
    ) -> Path:
        """Write a note through the store of a root, as a person if nobody else is named; returns its place."""
        name = path.rpartition("/")[2].removesuffix(".md")
        text = f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\n{body or f'Body of {path}.'}\n"
        store = self.workspace.memories.store(root)
        store.write(path, text, base_digest=None, origin=origin or PERSON)
        return store.root / path

    def text(self, path: str, root: str = "project") -> str:
        """What a file of a root says."""
        return (self.workspace.memories.store(root).root / path).read_text(encoding="utf-8")


def outside_write(place: Path, text: str) -> None:
    """What another editor does: write beside it, then rename over it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    other = place.with_name(f".{place.name}.swp")
    other.write_text(text, encoding="utf-8")
    other.replace(place)


def note_text(name: str, description: str = "Something", kind: str = "project") -> str:
    return f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\nBody of {name}.\n"


def key(path: str, root: str = "project") -> str:
    """Key of the row of a file."""
    return row_key(root, path)


Notice = tuple[str, str, list[tuple[str, Callable[[], Any]]]]


class Panel:
    """A memory panel on the screen, with what a test asks of it."""

    def __init__(self, world: World, qtbot: QtBot, *, opened: bool = True) -> None:
        self.qtbot = qtbot
        self.world = world
        self.controller = MemoryController(world.services, world.workspace if opened else None, world.operations)
        self.notices: list[Notice] = []
        self.tags: list[str] = []
        self.controller.notice_requested.connect(self._on_notice)
        self.widget = MemoryPanel(self.controller)
        qtbot.addWidget(self.widget)
        self.widget.resize(300, 500)
        self.widget.show()
        if opened:
            self.wait(lambda: self.controller.snapshot is not None and len(self.controller.watchers) >= 3)
            for watcher in self.controller.watchers:
                watcher.join()
                watch = watcher._watch
                assert watch is not None and watch.wait_ready()
            self.settle()

    def _on_notice(self, kind: str, text: str, actions: list[tuple[str, Callable[[], Any]]], tag: str) -> None:
        self.notices.append((kind, text, actions))
        self.tags.append(tag)

    @property
    def tree(self) -> MemoryTree:
        return self.widget.tree

    def wait(self, condition: Callable[[], bool], timeout: int = 10_000) -> None:
        self.qtbot.waitUntil(condition, timeout=timeout)

    def settle(self) -> None:
        """Until nothing is read or written any more."""
        self.wait(lambda: not self.controller.is_reading and self.world.operations.pending == 0, 30_000)

    def shown(self, root: str = "project") -> set[str]:
        """Paths of the rows of a root; folders end in `/`, the root's own row is left out."""
        return {path for one in self.widget.model.row_keys() if (path := split_key(one)[1]) and split_key(one)[0] == root}

    def row(self, path: str, root: str = "project") -> Row | None:
        return self.widget.model.row_of(key(path, root))

    def select(self, *paths: str, root: str = "project") -> None:
        """Select these rows, as the person does."""
        assert self.tree.select(key(paths[0], root))
        for path in paths[1:]:
            index = self.widget.model.index_of(key(path, root))
            self.tree.selectionModel().select(index, QItemSelectionModel.SelectionFlag.Select)

    def notice(self, words: str) -> Notice:
        """Wait for a toast that holds `words`, the newest of them."""
        self.wait(lambda: any(words in text for _, text, _ in self.notices))
        return [one for one in self.notices if words in one[1]][-1]

    def undo(self, words: str) -> None:
        """Press Undo in the toast that holds `words`."""
        self._press(words, "Undo")

    def redo(self, words: str) -> None:
        """Press Redo in the toast that holds `words`: it says that something was undone."""
        self._press(words, "Redo")

    def _press(self, words: str, wanted: str) -> None:
        label, run = self.notice(words)[2][0]
        assert label == wanted
        run()

    def menu_texts(self, path: str, root: str = "project") -> list[str]:
        """What the context menu of a row offers."""
        row = self.row(path, root)
        assert row is not None
        menu = self.widget.context_menu(row)
        texts = [action.text() for action in menu.actions() if action.text()]
        menu.deleteLater()
        return texts

    def close(self) -> None:
        """Once what is under way is through, so that no thread outlives the test."""
        self.settle()
        self.controller.close()
        self.settle()


class BoxKeyring:
    """A keyring in memory, of the shape that backends have."""

    def __init__(self) -> None:
        self.kept: dict[tuple[str, str], str] = {}

    def get_password(self, service: str, username: str) -> str | None:
        return self.kept.get((service, username))

    def set_password(self, service: str, username: str, password: str) -> None:
        self.kept[service, username] = password

    def delete_password(self, service: str, username: str) -> None:
        del self.kept[service, username]


def with_keyring(services: Services, keyring: Keyring | None) -> Services:
    """The same services with this keyring (None: a machine without one); the machine's own is never touched."""
    secrets = SecretStore(services.paths, services.settings, services.environ, find_keyring=lambda: keyring)
    return replace(services, secrets=secrets, providers=replace(services.providers, secrets=secrets))


@contextmanager
def made_world(
    tmp_path: Path, operations: Operations, environ: Mapping[str, str] | None = None, keyring: Keyring | None = None
) -> Iterator[World]:
    """Services on a profile of its own, and an opened folder with a Chinese name."""
    folder = tmp_path / "天气 app"
    folder.mkdir()
    logger = logging.getLogger("desktop")
    handlers = list(logger.handlers)
    home = tmp_path / "home"
    home.mkdir()
    given = {"KEEPSAKE_MODELS": str(tmp_path / "no-models"), "HOME": str(home), **(environ or {})}
    services = with_keyring(build_services(Options(profile_dir=str(tmp_path / "profile"), environ=given)), keyring)
    try:
        yield World(services, services.open_workspace(folder), operations)
    finally:
        for handler in [one for one in logger.handlers if one not in handlers]:
            logger.removeHandler(handler)
            handler.close()
        logger.propagate = True
