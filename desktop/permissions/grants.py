"""What the person allowed beyond one call: for the open session, or always, as rules in `<config>/permissions.json`.

A grant is bound to the tool and to the exact command (with its working directory), the exact file, the searched folder or the exact
session, never to a pattern. A damaged file grants nothing: it is kept aside under a new name and `problems` says so. Asks nobody.
Called from the asyncio thread and from worker threads; guarded by a lock. Files are small; reading and writing block.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal

from desktop.base.clock import Clock, SystemClock, iso
from desktop.base.errors import StorageError
from desktop.base.locks import held
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, read_bytes
from desktop.permissions.access import Access

SCHEMA = 1
MAX_BYTES = 4 << 20
GrantKind = Literal["command", "file", "folder", "session"]
GrantChoice = Literal["once", "session", "always"]


@dataclass(frozen=True, slots=True)
class Grant:
    """One thing that is allowed without asking.

    Attributes:
        tool: the tool's name; a grant for Write says nothing of Edit.
        kind: what `value` is: an exact shell command, a file, a folder with all below it, or a session id.
        value: the command as written, or the real path.
        cwd: for a command the real path of the folder in which it runs, else empty.
    """

    tool: str
    kind: GrantKind
    value: str
    cwd: str = ""

    def covers(self, access: Access) -> bool:
        wanted = grant_for(access)
        if wanted is None or wanted.tool != self.tool:
            return False
        if self.kind == "folder" and wanted.kind in ("folder", "file"):
            return Path(wanted.value).is_relative_to(self.value)
        return wanted == self

    def to_json(self) -> dict[str, str]:
        value = {"tool": self.tool, "kind": self.kind, "value": self.value}
        return value | {"cwd": self.cwd} if self.kind == "command" else value


def grant_for(access: Access) -> Grant | None:
    """The narrowest grant that would cover this access, or None when it can only be allowed once.

    Once only: files with secrets, and whatever the memory rule decides; but for the workspace file, which is asked for like any other.
    """
    if access.sensitive is not None or access.memory_denied is not None:
        return None
    if access.memory_target is not None and (access.memory_root != "workspace" or access.kind != "write"):
        return None
    if access.kind == "session":
        return Grant(access.tool, "session", access.content)
    if access.target is None:
        return None
    if access.kind == "execute":
        return Grant(access.tool, "command", access.content, str(access.target))
    searched = access.kind == "read" and access.tool in ("Glob", "Grep")
    return Grant(access.tool, "folder" if searched else "file", str(access.target))


def grant_from_json(value: object) -> Grant:
    """The grant behind a stored rule.

    Raises:
        ValueError: it is none; the message says what is wrong.
    """
    if not isinstance(value, dict):
        raise ValueError(say("a rule is an object"))
    fields = {name: value.get(name) for name in ("tool", "kind", "value")}
    for name, found in fields.items():
        if not isinstance(found, str) or not found:
            raise ValueError(say("“{name}” must be a text", name=name))
    kind = value["kind"]
    cwd = value.get("cwd", "")
    if kind not in ("command", "file", "folder", "session"):
        raise ValueError(say("“kind” must be command, file, folder or session, but is “{kind}”", kind=kind))
    if kind == "command" and (not isinstance(cwd, str) or not Path(cwd).is_absolute()):
        raise ValueError(say("“cwd” must be an absolute path"))
    if kind in ("file", "folder") and not Path(value["value"]).is_absolute():
        raise ValueError(say("“value” must be an absolute path"))
    return Grant(value["tool"], kind, value["value"], cwd if kind == "command" else "")


class Grants:
    """The grants of one session, and the persistent ones of the profile.

    Attributes:
        problems: sentences for the person about a file or rule that was ignored.
        own_folders: Keepsake's own data; tools never write there outside the memory rule.
    """

    def __init__(self, paths: AppPaths | None = None, clock: Clock | None = None, *, keeps: bool = True) -> None:
        """Args: keeps: False, for an incognito chat: an “always” holds for this session only and is written nowhere."""
        self._keeps = keeps
        self._clock = clock or SystemClock()
        self._file = None if paths is None else paths.config / "permissions.json"
        self.own_folders = () if paths is None else tuple(f.resolve() for f in (paths.data, paths.config, paths.cache))
        self.problems: list[str] = []
        self._session: set[Grant] = set()
        self._always: dict[Grant, str] = {}
        self._unknown: dict[str, Any] = {}
        self._lock = threading.RLock()
        self._load()

    @property
    def file(self) -> Path | None:
        return self._file

    def covers(self, access: Access) -> Literal["session", "always"] | None:
        """Which kind of grant allows this access, or None."""
        with self._lock:
            if any(grant.covers(access) for grant in self._session):
                return "session"
            return "always" if any(grant.covers(access) for grant in self._always) else None

    def add(self, access: Access, choice: GrantChoice) -> Grant | None:
        """Remember an answer. `once` and accesses that may only be allowed once change nothing and return None.

        Raises:
            StorageError: an “always” could not be saved; it then holds for this session.
        """
        grant = grant_for(access)
        if choice == "once" or grant is None:
            return None
        with self._lock:
            self._session.add(grant)
            if choice == "always" and self._file is not None and self._keeps:
                self._change({grant: iso(self._clock.now())}, removed=())
        return grant

    def always(self) -> list[Grant]:
        """The persistent rules, in the order in which they were made."""
        with self._lock:
            return list(self._always)

    def remove(self, grant: Grant) -> None:
        """Take a rule back, for this session and for good.

        Raises:
            StorageError: the file could not be changed.
        """
        with self._lock:
            self._session.discard(grant)
            if self._file is not None:
                self._change({}, removed=(grant,))

    def _change(self, added: Mapping[Grant, str], removed: tuple[Grant, ...]) -> None:
        assert self._file is not None
        ensure_private_dir(self._file.parent)
        with held(self._file.with_name(".permissions.lock")):
            self._load()  # another window may have added a rule meanwhile
            rules = {g: t for g, t in self._always.items() if g not in removed} | dict(added)
            stored = [grant.to_json() | {"added": time} for grant, time in rules.items()]
            text = json.dumps(self._unknown | {"schema": SCHEMA, "rules": stored}, ensure_ascii=False, indent=2)
            atomic_write(self._file, text.encode() + b"\n")
            self._always = rules

    def _load(self) -> None:
        if self._file is None:
            return
        self._always, self._unknown = {}, {}
        try:
            if not self._file.exists():
                return
            data = read_bytes(self._file, MAX_BYTES + 1)
        except (OSError, StorageError) as error:
            self._problem(
                say("{file} cannot be read, so no permission in it holds ({error}). Check its access rights.", file=self._file, error=error)
            )
            return
        try:
            value = json.loads(data) if len(data) <= MAX_BYTES else None
        except (ValueError, RecursionError):
            value = None
        if not isinstance(value, dict) or value.get("schema") != SCHEMA or not isinstance(value.get("rules"), list):
            self._keep_aside()
            return
        self._unknown = {k: v for k, v in value.items() if k not in ("schema", "rules")}
        for number, rule in enumerate(value["rules"], 1):
            try:
                grant = grant_from_json(rule)
            except ValueError as error:
                self._problem(say("Rule {number} of {file} is ignored: {error}.", number=number, file=self._file, error=error))
                continue
            added = rule.get("added")
            self._always[grant] = added if isinstance(added, str) else ""

    def _keep_aside(self) -> None:
        assert self._file is not None
        stamp = iso(self._clock.now()).replace(":", "").replace("-", "")
        aside = self._file.with_name(f"{self._file.name}.broken-{stamp}")
        try:
            self._file.replace(aside)
        except OSError as error:
            self._problem(
                say(
                    "{file} is damaged, so no permission in it holds ({reason}). Repair or remove it.",
                    file=self._file,
                    reason=os_reason(error),
                )
            )
            return
        self._problem(
            say(
                "{file} was damaged, so no permission in it holds. It is kept as {name}; allow again what you need.",
                file=self._file,
                name=aside.name,
            )
        )

    def _problem(self, text: str) -> None:
        if text not in self.problems:
            self.problems.append(text)
