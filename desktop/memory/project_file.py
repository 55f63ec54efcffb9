"""A project as a value, and its `project.json`: read tolerantly, changed under a lock, unknown keys kept (memory design, 6.8).

Owns the shape of the file and the redirects between keys: one key's home may say that its memory is kept under another key, which must
name it back in its `aliases`. Knows nothing of git and decides nothing about identity. Blocking, any thread.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Literal

from desktop.base.clock import Clock, iso
from desktop.base.errors import StorageError
from desktop.base.locks import held
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write
from desktop.memory.place import USUAL, Placement

SCHEMA = 1
REMOTE = "remote"
"""Strategy of a project that is known by an identity string."""

Extraction = Literal["auto", "review", "off"]
EXTRACTIONS: tuple[Extraction, ...] = ("auto", "review", "off")
"""What the background job does with what it finds: save it, put it to the person first, or nothing. From open to closed."""

EXTRACTION = "extraction"
MAX_PROJECT_FILE = 1 << 20
MAX_HOPS = 8
REDIRECT_NAME = "redirect.json"
_KEY = re.compile(r"[a-z0-9._-]{1,48}-[0-9a-f]{16}")


@dataclass(frozen=True, slots=True)
class Project:
    """One project, resolved once a session and passed on as a value.

    Attributes:
        key: `<slug>-<16 hex>`; name of its folder below `<mem>/projects`.
        label: the readable name, e.g. the folder's Chinese name.
        source: the real path of the project's root, or the identity string of a remote workspace.
        folder: real path of the opened folder.
        memory_root: the folder with MEMORY.md and topics.
        strategy: how the root was found; `remote` for an identity string.
        git_root: main work tree, or None outside git.
        home_folder: `<mem>/projects/<key>`; None means the memory folder's parent.
        git_id: the repository's own id where the key was made of it, else "".
        notice: what the person should know about how the project was found, e.g. that it fell back to the path; else "".
        placement: where the person wants memory to be.
    """

    key: str
    label: str
    source: str
    folder: Path
    memory_root: Path
    strategy: str
    git_root: Path | None
    home_folder: Path | None = None
    git_id: str = ""
    notice: str = ""
    placement: Placement = USUAL

    @property
    def project_file(self) -> Path:
        return self.home / "project.json"

    @property
    def home(self) -> Path:
        """`<mem>/projects/<key>`; also where `project.json` lives when the memory folder was chosen elsewhere."""
        return self.home_folder or self.memory_root.parent


@dataclass(frozen=True, slots=True)
class Alias:
    """A key whose memory is kept under another one, since its folder was moved there.

    Attributes:
        key: the key that the new place would have.
        source: path of the new place.
        previous: path that the memory belonged to before, or "".
    """

    key: str
    source: str
    previous: str = ""


@dataclass(frozen=True, slots=True)
class ProjectFile:
    """What `project.json` says.

    Attributes:
        readable: False when it exists but cannot be read or is no valid file; then agents write no memory (GT-04).
        switch: False when the person turned memory off for this project, None when nothing is set.
        label: readable name, or "".
        data: everything in it.
        problem: what is wrong, or "".
    """

    readable: bool
    switch: bool | None
    label: str
    data: dict[str, Any] = field(default_factory=dict)
    problem: str = ""

    def text(self, name: str, *, of: str = "") -> str:
        """A text in the file, or in its mapping `of`; "" for anything else."""
        holder = self.data.get(of) if of else self.data
        value = holder.get(name) if isinstance(holder, dict) else None
        return value if isinstance(value, str) else ""

    @property
    def source(self) -> str:
        return self.text("source")

    @property
    def extraction(self) -> Extraction | None:
        """What the person chose for the background job in this project; None: what the settings say. A word that is none is “off”."""
        value = self.data.get(EXTRACTION)
        return None if value is None else next((known for known in EXTRACTIONS if known == value), "off")

    @property
    def folder_id(self) -> tuple[int, int] | None:
        """Device and inode of the project's root when it was last opened."""
        held_id = self.data.get("folder")
        numbers = [held_id.get(name) for name in ("device", "inode")] if isinstance(held_id, dict) else []
        found = [number for number in numbers if isinstance(number, int) and not isinstance(number, bool)]
        return (found[0], found[1]) if len(found) == 2 else None

    @property
    def aliases(self) -> tuple[Alias, ...]:
        """Keys that lead here. A bare string counts as a key."""
        listed = self.data.get("aliases")
        found = []
        for entry in listed if isinstance(listed, list) else ():
            known = {"key": entry} if isinstance(entry, str) else entry
            key, source, previous = (
                ([known.get(name) for name in ("key", "source", "previous")]) if isinstance(known, dict) else (None,) * 3
            )
            if isinstance(key, str):
                found.append(Alias(key, source if isinstance(source, str) else "", previous if isinstance(previous, str) else ""))
        return tuple(found)


def _problem_of(data: Any) -> str:
    if not isinstance(data, dict):
        return say("it is not a JSON object")
    schema = data.get("schema")
    if not isinstance(schema, int) or isinstance(schema, bool):
        return say("it has no schema number")
    if schema > SCHEMA:
        return say("it was written by a newer version (schema {schema})", schema=schema)
    if "switch" in data and data["switch"] not in ("off", "on", None, True, False):
        return say("its switch is neither on nor off")
    return ""


def read_project_file(project: Project) -> ProjectFile:
    """Read `project.json`; a missing one is readable and says nothing. Never raises.

    A broken file whose text still shows the switch as off counts as off: the person's word is not lost with a comma.
    """
    path = project.project_file
    try:
        with path.open("rb") as file:
            raw = file.read(MAX_PROJECT_FILE)
    except FileNotFoundError:
        return ProjectFile(True, None, project.label)
    except OSError as error:
        return ProjectFile(False, None, project.label, {}, say("{path} cannot be read ({reason}).", path=path, reason=os_reason(error)))
    try:
        data = json.loads(raw)
        problem = _problem_of(data)
    except (ValueError, RecursionError) as error:
        data, problem = {}, say("it is not valid JSON: {error}", error=error)
    if problem:
        off = re.search(rb'"switch"\s*:\s*(?:"off"|false)', raw) is not None
        told = say("{path} cannot be used ({problem}).", path=path, problem=problem)
        return ProjectFile(False, False if off else None, project.label, {}, told)
    label = data.get("label")
    switch = False if data.get("switch") in ("off", False) else None
    return ProjectFile(True, switch, label if isinstance(label, str) and label else project.label, data)


def _save(project: Project, data: dict[str, Any]) -> None:
    ensure_private_dir(project.home)
    text = json.dumps(data, ensure_ascii=True, indent=2) + "\n"
    atomic_write(project.project_file, text.encode())


def new_data(project: Project, clock: Clock) -> dict[str, Any]:
    """What a first `project.json` holds; device, inode and git's facts are added by `identity.ensure_project`."""
    return {
        "schema": SCHEMA,
        "key": project.key,
        "label": project.label,
        "strategy": project.strategy,
        "source": project.source,
        "git": {"root": str(project.git_root), "root_commit": None, "remote": None, "id": None} if project.git_root else None,
        "folder": None,
        "aliases": [],
        "created": iso(clock.now()),
    }


Change = Callable[[dict[str, Any]], dict[str, Any]]
"""Gives the new content; the old one may be changed in place or returned as it is."""


def update_project_file(project: Project, clock: Clock, change: Change) -> ProjectFile:
    """Change `project.json` under its lock, in one step; a missing file is made. Nothing is written when nothing differs.

    Raises:
        StorageError: it cannot be saved, or what is there cannot be used and is left as it is.
    """
    with held(project.home / ".project.json.lock"):
        known = read_project_file(project)
        if not known.readable:
            raise StorageError(known.problem, hint=say("Setting the workspace-memory switch keeps it aside and makes a new one."))
        data = change(json.loads(json.dumps(known.data)) if known.data else new_data(project, clock))
        if data != known.data:
            _save(project, data)
    return read_project_file(project)


def set_memory_switch(project: Project, on: bool, clock: Clock) -> None:
    """The workspace-memory switch (UI-02). Only “off” is written; “on” takes it away again.

    A broken file is kept aside under another name: setting the switch is the person's decision.

    Raises:
        StorageError: it cannot be saved.
    """
    path = project.project_file
    if not read_project_file(project).readable:
        stamp = clock.now().strftime("%Y%m%dT%H%M%SZ")
        try:
            path.replace(path.with_name(f"project.json.broken-{stamp}"))
        except OSError as error:
            raise StorageError(
                say("{path} cannot be moved aside ({reason}).", path=path, reason=os_reason(error)), detail=str(error)
            ) from error

    def switched(data: dict[str, Any]) -> dict[str, Any]:
        data.pop("switch", None)
        return data if on else data | {"switch": "off"}

    update_project_file(project, clock, switched)


def set_extraction(project: Project, choice: Extraction | None, clock: Clock) -> None:
    """What the background job does in this project, whatever the settings say (W-33); None: what they say.

    Raises:
        StorageError: it cannot be saved, or what is there cannot be used and is left as it is.
    """

    def chosen(data: dict[str, Any]) -> dict[str, Any]:
        data.pop(EXTRACTION, None)
        return data if choice is None else data | {EXTRACTION: choice}

    update_project_file(project, clock, chosen)


def without_alias(data: dict[str, Any], key: str) -> dict[str, Any]:
    """The content without the alias of that key."""
    listed = data.get("aliases")
    if isinstance(listed, list):
        data["aliases"] = [entry for entry in listed if (entry.get("key") if isinstance(entry, dict) else entry) != key]
    return data


# redirects


def read_redirect(home: Path) -> str:
    """The key under which the memory of this home's folder is kept, or "". Never raises."""
    try:
        with (home / REDIRECT_NAME).open("rb") as file:
            data = json.loads(file.read(MAX_PROJECT_FILE))
    except (OSError, ValueError, RecursionError):
        return ""
    key = data.get("to") if isinstance(data, dict) else None
    return key if isinstance(key, str) and _KEY.fullmatch(key) else ""


def write_redirect(home: Path, key: str, clock: Clock) -> None:
    """Say in `home` that its memory is kept under `key`.

    Raises:
        StorageError: it cannot be saved.
    """
    ensure_private_dir(home)
    data = {"schema": SCHEMA, "to": key, "time": iso(clock.now())}
    atomic_write(home / REDIRECT_NAME, (json.dumps(data, indent=2) + "\n").encode())


def remove_redirect(home: Path) -> None:
    with suppress(FileNotFoundError):
        (home / REDIRECT_NAME).unlink()


def names_back(home: Path, key: str) -> bool:
    """Whether the project with this home says that the folder of `key` is its own."""
    blank = Project(home.name, "", "", home, home / "memory", "", None, home)
    return any(alias.key == key for alias in read_project_file(blank).aliases)


def followed(projects: Path, key: str) -> str:
    """The key that really holds the memory: redirects are followed as far as the other end names this one back.

    Redirects that go round, or on and on, lead nowhere: `key` itself.
    """
    seen = [key]
    while len(seen) <= MAX_HOPS:
        target = read_redirect(projects / seen[-1])
        if not target or not names_back(projects / target, seen[-1]):
            return seen[-1]
        if target in seen:
            break
        seen.append(target)
    return key
