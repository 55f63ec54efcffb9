"""The person's settings file: tolerant reading, keeping a broken one aside, saving one key at a time under a lock.

Owns `<config>/settings.json` and the marker beside it that remembers, over restarts, that it was broken. Knows nothing of workspaces.
Any thread; reading and saving block.
"""

from __future__ import annotations

import copy
import errno
import json
import os
import stat
import threading
from pathlib import Path
from typing import Any

from desktop.base.clock import Clock, iso
from desktop.base.errors import SettingsError, StorageError
from desktop.base.events import Emitter
from desktop.base.locks import held
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import Phrase, os_reason, say, together
from desktop.base.textio import atomic_write, decode
from desktop.settings.aliases import ALIASES, aliases_of, meant
from desktop.settings.schema import SCHEMA, TIGHTENING

MAX_BYTES = 4 << 20
"""A settings file larger than this is not one."""
MISSING = object()
WAY_OUT = say("Memory is not written until you decide on the settings page or with “keepsake doctor --accept-settings”.")

_NOT_SETTINGS = (None, errno.EISDIR, errno.EFBIG, errno.ELOOP, errno.EINVAL)
"""Errors that say what stands there (a folder, a huge file), not that it cannot be read now."""


def parse(data: bytes) -> dict[str, Any]:
    """The object in a settings file.

    Raises:
        ValueError: no JSON object; the text says where it breaks.
    """
    try:
        value = json.loads(decode(data))
    except RecursionError as error:
        raise ValueError(say("nested too deeply")) from error
    if not isinstance(value, dict):
        raise ValueError(say("the file must hold one object: { … }"))
    return _translated(value)


def _translated(values: dict[str, Any]) -> dict[str, Any]:
    """The values with what other systems' names mean here (`settings.aliases`), where our own name says nothing."""
    found = dict(values)
    for alias in ALIASES:
        value = lookup(values, alias)
        ours = None if value is MISSING else meant(alias, value)
        if ours is not None and lookup(values, ours[0]) is MISSING:
            found[ours[0]] = ours[1]
    return found


def read_file(path: Path, *, follow: bool) -> bytes | None:
    """The file's bytes, or None if there is none.

    Raises:
        OSError: unreadable, no plain file, or too large.
    """
    flags = os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | (0 if follow else getattr(os, "O_NOFOLLOW", 0))
    try:
        handle = os.open(path, flags)
    except (FileNotFoundError, NotADirectoryError):
        return None
    with os.fdopen(handle, "rb") as file:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(say("it is not a plain file"))
        data = file.read(MAX_BYTES + 1)
    if len(data) > MAX_BYTES:
        raise OSError(say("it is larger than 4 MiB"))
    return data


def lookup(values: dict[str, Any], key: str) -> Any:
    """The value of a dotted key, written flat (`"memory.use"`) or nested; `MISSING` if there is none. Flat wins."""
    if key in values:
        return values[key]
    found: Any = values
    for name in key.split("."):
        if not isinstance(found, dict) or name not in found:
            return MISSING
        found = found[name]
    return found


def without(values: dict[str, Any], key: str) -> dict[str, Any]:
    """`values` less the key, flat or nested, and less what other systems' names say of it; everything else stays as it was."""
    result = copy.deepcopy(values)
    for name in (key, *aliases_of(key)):
        _drop(result, name)
    return result


def _drop(values: dict[str, Any], key: str) -> None:
    values.pop(key, None)
    *path, last = key.split(".")
    found: Any = values
    for name in path:
        found = found.get(name) if isinstance(found, dict) else None
    if isinstance(found, dict):
        found.pop(last, None)


def with_value(values: dict[str, Any], key: str, value: Any) -> dict[str, Any]:
    """`values` with the key set: in the place where it stands now, else flat."""
    if key in values or lookup(values, key) is MISSING:
        return {**values, key: value}
    result = copy.deepcopy(values)
    *path, last = key.split(".")
    found = result
    for name in path:
        found = found[name]
    found[last] = value
    return result


def reason_of(error: OSError | ValueError) -> str:
    """Why a settings file cannot be used."""
    if isinstance(error, OSError):
        return os_reason(error)
    return error.args[0] if error.args and isinstance(error.args[0], Phrase) else str(error)


def shown(value: Any) -> str:
    text = json.dumps(value, ensure_ascii=False)
    return text if len(text) <= 80 else text[:79] + "…"


class UserLayer:
    """The person's file, shared by the stores of all workspaces of one process."""

    def __init__(self, paths: AppPaths, clock: Clock) -> None:
        self.paths = paths
        self.clock = clock
        self.values: dict[str, Any] = {}
        self.problems: list[str] = []
        self.broken = False
        self.newer = False
        self.blocked = False
        self.changed: Emitter[str] = Emitter()
        self.lock = threading.RLock()

    @property
    def _marker(self) -> Path:
        return self.paths.config / "settings-broken.json"

    def load(self) -> None:
        with self.lock:
            self.problems = []
            self.newer = self.blocked = False
            marker_before = self._marker.exists()
            self.values = self._read()
            self.broken = self.blocked or self._marker.exists()
            if self.broken and marker_before and not self.problems:
                self.problems.append(self._remembered())
            schema = self.values.get("schema", SCHEMA)
            if isinstance(schema, int) and schema > SCHEMA:
                self.newer = True
                self.problems.append(
                    say(
                        "{path} was written by a newer Keepsake (schema {schema}); it is read, but not changed.",
                        path=self.paths.settings_file,
                        schema=schema,
                    )
                )

    def _read(self) -> dict[str, Any]:
        path = self.paths.settings_file
        try:
            data = read_file(path, follow=True)
            return {} if data is None or not data.strip() else parse(data)
        except OSError as error:
            if error.errno in _NOT_SETTINGS:
                self._keep_aside(path, reason_of(error))
                return {}
            # Perhaps only for now: the file stays where it is, and what was read of it before holds on (an “off” must not turn into “on”).
            self.blocked = True
            self.problems.append(
                say(
                    "{path} cannot be read ({reason}); it is left as it is. Make it readable. {way_out}",
                    path=path,
                    reason=os_reason(error),
                    way_out=WAY_OUT,
                )
            )
            return self.values
        except ValueError as error:
            self._keep_aside(path, reason_of(error))
            return {}

    def _keep_aside(self, path: Path, reason: str) -> None:
        stamp = self.clock.now().strftime("%Y%m%dT%H%M%SZ")
        target = path.resolve() if path.is_symlink() else path
        kept = self._free_name(target.with_name(f"{path.name}.broken-{stamp}"))
        try:
            target.rename(kept)
        except OSError as error:
            self.blocked = True
            self.problems.append(
                say(
                    "{path} cannot be used ({reason}) and could not be moved aside ({why}); the defaults hold. Repair the file. {way_out}",
                    path=path,
                    reason=reason,
                    why=os_reason(error),
                    way_out=WAY_OUT,
                )
            )
            return
        self.problems.append(
            say(
                "{path} cannot be used ({reason}); it is kept as {name} and the defaults hold. {way_out}",
                path=path,
                reason=reason,
                name=kept.name,
                way_out=WAY_OUT,
            )
        )
        marker = {"schema": SCHEMA, "kept": str(kept), "reason": reason, "time": iso(self.clock.now())}
        try:
            atomic_write(self._marker, json.dumps(marker, ensure_ascii=False).encode())
        except StorageError as error:
            self.blocked = True
            self.problems.append(error.text())

    @staticmethod
    def _free_name(path: Path) -> Path:
        count, free = 1, path
        while free.exists():
            count += 1
            free = path.with_name(f"{path.name}-{count}")
        return free

    def _remembered(self) -> str:
        try:
            kept = parse(read_file(self._marker, follow=False) or b"{}").get("kept", "")
        except (OSError, ValueError):
            kept = ""
        return together(
            say("{path} was broken (kept as {kept}).", path=self.paths.settings_file, kept=kept)
            if kept
            else say("{path} was broken.", path=self.paths.settings_file),
            WAY_OUT,
        )

    def resolve_broken(self) -> None:
        with self.lock:
            if self.blocked:
                self.load()
            if self.blocked:
                raise StorageError(self.problems[0], hint=say("Repair or remove the file, then try again."))
            self._marker.unlink(missing_ok=True)
            self.load()
        for key in TIGHTENING:
            self.changed.emit(key)

    def update(self, key: str, value: Any) -> None:
        """Set a key, or remove it with `MISSING`; what another process saved meanwhile is kept."""
        with self.lock:
            ensure_private_dir(self.paths.config)
            with held(self.paths.config / "settings.lock"):
                self.load()
                if self.blocked:
                    raise StorageError(
                        say("{path} cannot be saved while it is broken.", path=self.paths.settings_file),
                        hint=say("Repair or remove the file."),
                        detail=" ".join(self.problems),
                    )
                if self.newer:
                    raise SettingsError(
                        say("{path} was written by a newer Keepsake and is not changed.", path=self.paths.settings_file),
                        hint=say("Update Keepsake."),
                    )
                values = without(self.values, key) if value is MISSING else with_value(self.values, key, value)
                values = {"schema": SCHEMA, **values}
                target = self.paths.settings_file
                text = json.dumps(values, ensure_ascii=False, indent=2) + "\n"
                atomic_write(target.resolve() if target.is_symlink() else target, text.encode("utf-8", errors="surrogatepass"))
                self.values = values
        self.changed.emit(key)
