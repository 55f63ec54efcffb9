"""The layered settings: defaults, the chosen preset, the person's file, then the workspace's file, which may only tighten.

Until the person decides about a broken file, `broken` stays true, which keeps agents from writing memory. The workspace's file is never
written. Any thread; loading and saving block.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Literal

from desktop.base.clock import Clock, SystemClock
from desktop.base.errors import SettingsError
from desktop.base.events import Emitter
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import say
from desktop.base.textio import atomic_write, digest
from desktop.settings.layer import MISSING, UserLayer, lookup, parse, read_file, reason_of, shown
from desktop.settings.presets import BUNDLES, PRESET
from desktop.settings.schema import FIELDS, SCHEMA, TIGHTENING, field_of

WORKSPACE_FILE = Path(".keepsake") / "settings.json"
Source = Literal["default", "preset", "person", "workspace"]
"""Which layer a value comes from."""


class SettingsStore:
    """Settings as one workspace sees them.

    Attributes:
        changed: emits the key after its value changed here; shared by all stores of one process.
    """

    def __init__(self, paths: AppPaths, workspace: Path | None = None, clock: Clock | None = None) -> None:
        self._user = UserLayer(paths, clock or SystemClock())
        self._setup(workspace)

    def _setup(self, workspace: Path | None) -> None:
        self._workspace = workspace
        self._tight: dict[str, Any] = {}
        self._workspace_problems: list[str] = []
        self._workspace_broken = False

    @property
    def paths(self) -> AppPaths:
        return self._user.paths

    @property
    def workspace(self) -> Path | None:
        return self._workspace

    @property
    def changed(self) -> Emitter[str]:
        return self._user.changed

    def for_workspace(self, workspace: Path) -> SettingsStore:
        """A store with the same user layer and that workspace's own file, loaded."""
        store = SettingsStore.__new__(SettingsStore)
        store._user = self._user
        store._setup(workspace)
        store._load_workspace()
        return store

    def load(self) -> None:
        """Read both files. Never raises: what is wrong stands in `problems`. Values that changed since the last load are emitted."""
        with self._telling():
            self._user.load()
            self._load_workspace()

    @contextmanager
    def _telling(self, but: str = "") -> Iterator[None]:
        """Emit what is changed inside: the keys of another preset too, and what another process had saved meanwhile; `but` is told already.

        What a workspace tightens is looked at by itself, since the other stores of this process may not.
        """
        before = {key: (self._own_value(key), self.value(key)) for key in FIELDS if key != but}
        try:
            yield
        finally:
            for key, values in before.items():
                if (self._own_value(key), self.value(key)) != values:
                    self._user.changed.emit(key)

    def value(self, key: str) -> Any:
        """The value that holds. Lists and maps are copies."""
        value = self._own_value(key)
        if key in self._tight:
            value = max(value, self._tight[key], key=TIGHTENING[key].index)
        return copy.deepcopy(value) if isinstance(value, (list, dict)) else value

    def source(self, key: str) -> Source:
        """The layer that the present value comes from."""
        if key in self._tight and self._tight[key] == self.value(key) != self._own_value(key):
            return "workspace"
        stored = lookup(self._user.values, key)
        if stored is not MISSING and (not field_of(key).problem(stored) or field_of(key).safe is not None):
            return "person"
        return "preset" if key in self._bundle else "default"

    def base_value(self, key: str) -> Any:
        """What holds for the person when their file says nothing of the key: the preset's value, else the default."""
        value = self._bundle.get(key, field_of(key).default)
        return copy.deepcopy(value) if isinstance(value, (list, dict)) else value

    @property
    def _bundle(self) -> Mapping[str, Any]:
        chosen = lookup(self._user.values, PRESET)
        return BUNDLES.get(chosen, {}) if isinstance(chosen, str) else {}

    def _own_value(self, key: str) -> Any:
        """What holds before a workspace tightens it."""
        field = field_of(key)
        stored = lookup(self._user.values, key)
        base = self._bundle.get(key, field.default)
        if stored is MISSING:
            value = base
        elif field.problem(stored):
            value = base if field.safe is None else field.fallback
        else:
            value = stored
        return float(value) if field.kind == "float" else value

    def _problem(self, key: str) -> str:
        """What is wrong with what the person's file says of the key, or ""."""
        stored = lookup(self._user.values, key)
        wrong = "" if stored is MISSING else field_of(key).problem(stored)
        if not wrong:
            return ""
        return say(
            "{key}: {stored} is not allowed ({wrong}); {value} is used.",
            key=key,
            stored=shown(stored),
            wrong=wrong,
            value=shown(self.value(key)),
        )

    def set(self, key: str, value: Any) -> None:
        """Save a value in the person's file.

        Raises:
            SettingsError: no such setting or a wrong value; the message gives key, value and what is allowed.
            StorageError: it could not be saved; the value is unchanged.
        """
        wrong = field_of(key).problem(value)
        if wrong:
            raise SettingsError(say("{key} cannot be {value} ({wrong}).", key=key, value=shown(value), wrong=wrong))
        with self._telling(but=key):
            self._user.update(key, copy.deepcopy(value))

    def reset(self, key: str) -> None:
        """Take the key out of the person's file, so that the preset's value or the default holds."""
        field_of(key)
        with self._telling(but=key):
            self._user.update(key, MISSING)

    def is_modified(self, key: str) -> bool:
        """Whether the person's file sets the key to something else than what held without it."""
        stored = lookup(self._user.values, key)
        return stored is not MISSING and stored != self.base_value(key)

    def is_tightened(self, key: str) -> bool:
        """Whether the workspace's file holds the value tighter than the person's."""
        return key in self._tight

    def tightened(self, key: str, value: Any) -> Any:
        """A value that the person chose elsewhere (for this workspace alone), as far as the workspace's own file lets it."""
        return max(value, self._tight[key], key=TIGHTENING[key].index) if key in self._tight else value

    @property
    def problems(self) -> list[str]:
        """What is wrong with the files and their values, as sentences that name the thing and what holds instead."""
        wrong = [problem for key in FIELDS if (problem := self._problem(key))]
        return [*self._user.problems, *self._workspace_problems, *wrong]

    @property
    def broken(self) -> bool:
        """A settings file could not be read and the person has not decided yet: agents write no memory (GT-04)."""
        return self._user.broken or self._workspace_broken

    def resolve_broken(self) -> None:
        """The person goes on with the settings as they are now shown. A broken workspace file is ignored as long as it stays the same.

        Raises:
            StorageError: the broken file is still in place and cannot be moved aside.
        """
        with self._telling():
            self._user.resolve_broken()
        if self._workspace_broken and self._workspace is not None:
            ignored = self._ignored() | {self._workspace_digest()}
            ensure_private_dir(self.paths.config)
            text = json.dumps({"schema": SCHEMA, "ignored": sorted(ignored)})
            atomic_write(self._ignored_file, text.encode())
            self._load_workspace()

    @property
    def _ignored_file(self) -> Path:
        return self.paths.config / "workspace-settings-ignored.json"

    def _ignored(self) -> frozenset[str]:
        try:
            found = parse(read_file(self._ignored_file, follow=False) or b"{}").get("ignored")
        except (OSError, ValueError):
            return frozenset()
        return frozenset(item for item in found if isinstance(item, str)) if isinstance(found, list) else frozenset()

    def _workspace_digest(self) -> str:
        """Identity of the workspace's file, bound to its place; content that cannot be read counts as empty."""
        if self._workspace is None:
            return ""
        path = self._workspace / WORKSPACE_FILE
        try:
            data = read_file(path, follow=False) or b""
        except OSError:
            data = b""
        return digest(str(path).encode("utf-8", errors="surrogateescape") + b"\0" + data)

    def _load_workspace(self) -> None:
        self._tight, self._workspace_problems, self._workspace_broken = {}, [], False
        if self._workspace is None:
            return
        path = self._workspace / WORKSPACE_FILE
        try:
            data = read_file(path, follow=False)
            values = {} if data is None or not data.strip() else parse(data)
        except (OSError, ValueError) as error:
            if self._workspace_digest() in self._ignored():
                return
            reason = reason_of(error)
            self._workspace_broken = True
            self._workspace_problems.append(
                say(
                    "{path} cannot be used ({reason}). Memory of this workspace is not written until the file is repaired or removed.",
                    path=path,
                    reason=reason,
                )
            )
            return
        self._tighten(path, values)

    def _tighten(self, path: Path, values: dict[str, Any]) -> None:
        taken = dict.fromkeys(key for key in FIELDS if lookup(values, key) is not MISSING)
        for key in taken:
            value = lookup(values, key)
            order = TIGHTENING.get(key)
            if order is None:
                self._workspace_problems.append(say("{path}: {key} cannot be set by a workspace; it is ignored.", path=path, key=key))
            elif value not in order or isinstance(value, bool) is not isinstance(order[0], bool):
                self._tight[key] = order[-1]
                self._workspace_problems.append(
                    say(
                        "{path}: {key} cannot be {value} ({wrong}); {used} is used.",
                        path=path,
                        key=key,
                        value=shown(value),
                        wrong=FIELDS[key].problem(value),
                        used=shown(order[-1]),
                    )
                )
            elif value != order[0]:
                self._tight[key] = value
