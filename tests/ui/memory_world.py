"""A profile, a folder with memory in it, and everything below the window, for the tests of the memory and settings widgets."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path

from desktop.bridge.operations import Operations
from desktop.compose import Options, Services, Workspace, build_services
from desktop.memory.store import ChangeOrigin
from desktop.settings.secrets import Keyring, SecretStore

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

    def remember(self, path: str, description: str = "Something", kind: str = "project", body: str = "") -> Path:
        """Write a note through the store, as a person; returns its place."""
        name = path.rpartition("/")[2].removesuffix(".md")
        text = f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\n{body or f'Body of {path}.'}\n"
        self.workspace.store.write(path, text, base_digest=None, origin=PERSON)
        return self.root / path


def outside_write(place: Path, text: str) -> None:
    """What another editor does: write beside it, then rename over it."""
    place.parent.mkdir(parents=True, exist_ok=True)
    other = place.with_name(f".{place.name}.swp")
    other.write_text(text, encoding="utf-8")
    other.replace(place)


def note_text(name: str, description: str = "Something", kind: str = "project") -> str:
    return f"---\nname: {name}\ndescription: {description}\nmetadata:\n  type: {kind}\n---\n\nBody of {name}.\n"


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
    given = {"KEEPSAKE_MODELS": str(tmp_path / "no-models"), **(environ or {})}
    services = with_keyring(build_services(Options(profile_dir=str(tmp_path / "profile"), environ=given)), keyring)
    try:
        yield World(services, services.open_workspace(folder), operations)
    finally:
        for handler in [one for one in logger.handlers if one not in handlers]:
            logger.removeHandler(handler)
            handler.close()
        logger.propagate = True
