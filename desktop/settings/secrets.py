"""Keys of model providers: found in the environment, the system's keyring, or a 0600 file that the person chose. Never logs a value.

Knows names and values only, nothing of providers' protocols. A keyring may ask the person or wait for another process: call this off
the GUI thread and off the asyncio loop (`asyncio.to_thread`). Safe from several threads and processes.
"""

from __future__ import annotations

import hashlib
import json
import logging
import os
import re
import sys
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, Literal, Protocol

from desktop.base.errors import KeepsakeError, RefusedError, StorageError, UsageError
from desktop.base.locks import held
from desktop.base.paths import APP_NAME, AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, decode
from desktop.settings.keyring_note import KeyringNote

SecretSource = Literal["environment", "keyring", "file"]
SecretPlace = Literal["keyring", "file"]

ENVIRONMENT_NAMES: Mapping[str, tuple[str, ...]] = {
    "anthropic": ("ANTHROPIC_API_KEY",),
    "openai": ("OPENAI_API_KEY",),
    "google": ("GOOGLE_API_KEY", "GEMINI_API_KEY"),
}
SCHEMA = 1
log = logging.getLogger(__name__)


class SettingsValues(Protocol):
    """The one thing that is needed of the settings."""

    def value(self, key: str) -> Any: ...


class Keyring(Protocol):
    """What is used of a keyring backend."""

    def get_password(self, service: str, username: str) -> str | None: ...

    def set_password(self, service: str, username: str, password: str) -> None: ...

    def delete_password(self, service: str, username: str) -> None: ...


def environment_names(name: str) -> tuple[str, ...]:
    """The variables that may hold the key `name`, in order; an endpoint NAME has `KEEPSAKE_KEY_<NAME>`."""
    if name in ENVIRONMENT_NAMES:
        return ENVIRONMENT_NAMES[name]
    return ("KEEPSAKE_KEY_" + re.sub(r"\W", "_", name).upper(),)


def system_keyring() -> Keyring | None:
    """This machine's keyring, or None where there is none that can hold anything."""
    import keyring
    from keyring.backends import chainer, fail, null

    backend = keyring.get_keyring()
    if isinstance(backend, (fail.Keyring, null.Keyring)):
        return None
    if isinstance(backend, chainer.ChainerBackend) and not backend.backends:
        return None
    return backend


def keyring_errors() -> tuple[type[Exception], ...]:
    """What keyring backends raise: the library's own errors, the system's, and those of the libraries below that it lets through."""
    found: list[type[Exception]] = [OSError, RuntimeError, ValueError, TypeError, AttributeError, ImportError]
    for module, name in (
        ("keyring.errors", "KeyringError"),
        ("jeepney.wrappers", "DBusErrorResponse"),
        ("secretstorage.exceptions", "SecretStorageException"),
    ):
        error = getattr(sys.modules.get(module), name, None)
        if isinstance(error, type) and issubclass(error, Exception):
            found.append(error)
    return tuple(found)


class SecretStore:
    """Reads and keeps the keys of one profile.

    Places are asked in the order environment, keyring, file. With `keys.store` set to `environment` nothing else is asked, and with
    `keyring` the file is not. The file exists only after `set(…, "file")`, which is the person's yes. The keyring's libraries are loaded
    for a key that is known to be there, for `keyring_available`, and when `get` finds the key nowhere else.
    """

    def __init__(
        self,
        paths: AppPaths,
        settings: SettingsValues,
        environ: Mapping[str, str],
        *,
        find_keyring: Callable[[], Keyring | None] = system_keyring,
    ) -> None:
        self._paths = paths
        self._settings = settings
        self._environ = environ
        self._find_keyring = find_keyring
        self._keyring: Keyring | None = None
        self._keyring_sought = False
        self._note = KeyringNote(paths.config)

    @property
    def file(self) -> Path:
        return self._paths.config / "keys.json"

    def get(self, name: str) -> str | None:
        """The key `name`, or None. Never raises: a place that fails is logged and passed over."""
        found = self._find(name) or self._find_last(name)
        return None if found is None else found[0]

    def source(self, name: str) -> SecretSource | None:
        """Where the key `name` comes from, or None when no such key is known. Loads no keyring that is not known to hold it."""
        found = self._find(name)
        return None if found is None else found[1]

    def set(self, name: str, value: str, place: SecretPlace) -> None:
        """Keep a key in the place that the person chose.

        Raises:
            UsageError: the value cannot be a key, or there is no keyring.
            RefusedError: the settings forbid that place.
            StorageError: it could not be kept; nothing changed.
        """
        key = _checked(name, value)
        if place == "file":
            self._set_in_file(name, key)
            return
        if self._store() == "environment":
            raise RefusedError(say("API keys come from the environment only."), hint=say("Change “keys.store” in the settings first."))
        backend = self._backend()
        if backend is None:
            raise UsageError(
                say("This system has no keyring."), hint=say("Keep the key in a file that only you can read, or set it in the environment.")
            )
        self._note.add(name)  # before the key: a note without a key costs time, a key without a note is not listed
        try:
            backend.set_password(self._service(), name, key)
        except keyring_errors() as error:
            raise StorageError(
                say("The keyring did not take the key for “{name}”.", name=name),
                hint=say("Unlock it and try again."),
                detail=type(error).__name__,
            ) from None

    def delete(self, name: str) -> None:
        """Forget the key in keyring and file. A key in the environment stays: it is not ours.

        Raises:
            StorageError: the file could not be written.
        """
        backend = self._backend()
        if backend is not None and self._read_keyring(name) is not None:
            try:
                backend.delete_password(self._service(), name)
            except keyring_errors() as error:
                raise StorageError(
                    say("The keyring did not delete the key for “{name}”.", name=name),
                    hint=say("Unlock it and try again."),
                    detail=type(error).__name__,
                ) from None
        if backend is not None:
            self._note.remove(name)
        if self.file.exists():
            with held(self._paths.config / "keys.lock"):
                keys = self._read_file()
                if keys.pop(name, None) is not None:
                    self._write_file(keys)

    def keyring_available(self) -> bool:
        """Whether this system has a keyring that can hold keys. Loads the keyring library: slow the first time."""
        return self._backend() is not None

    # --- places ----------------------------------------------------------------------------------------------------

    def _store(self) -> str:
        return str(self._settings.value("keys.store"))

    def _find(self, name: str) -> tuple[str, SecretSource] | None:
        for variable in environment_names(name):
            value = self._environ.get(variable, "").strip()
            if value:
                return value, "environment"
        store = self._store()
        if store == "environment":
            return None
        if self._keyring_sought or name in self._note.names():
            value_in_keyring = self._read_keyring(name)
            if value_in_keyring:
                return value_in_keyring, "keyring"
        if store != "keyring":
            value_in_file = self._read_file().get(name)
            if value_in_file:
                return value_in_file, "file"
        return None

    def _find_last(self, name: str) -> tuple[str, SecretSource] | None:
        """The keyring once more, though nothing is noted of it: the note may have been lost."""
        if self._keyring_sought or self._store() == "environment":
            return None
        value = self._read_keyring(name)
        if not value:
            return None
        try:
            self._note.add(name)
        except StorageError as error:
            log.warning("that the keyring holds the key “%s” could not be noted: %s", name, error)
        return value, "keyring"

    def _service(self) -> str:
        """The name in the keyring. Another profile folder has keys of its own: a trial run never touches the person's."""
        mark = hashlib.sha256(str(self._paths.config).encode("utf-8", "surrogatepass")).hexdigest()[:12]
        return f"{APP_NAME}-{mark}"

    def _backend(self) -> Keyring | None:
        if not self._keyring_sought:
            try:
                self._keyring = self._find_keyring()
            except keyring_errors() as error:
                # A broken backend or a missing bus means: no keyring.
                log.warning("the keyring cannot be used: %s", type(error).__name__)
            self._keyring_sought = True
        return self._keyring

    def _read_keyring(self, name: str) -> str | None:
        backend = self._backend()
        if backend is None:
            return None
        try:
            return backend.get_password(self._service(), name)
        except keyring_errors() as error:
            # Locked, dismissed or gone: the next place is asked.
            log.warning("the keyring could not be read: %s", type(error).__name__)
            return None

    def _read_file(self) -> dict[str, str]:
        """The keys of the file; anything that is no key is left out. Never raises."""
        try:
            data = self.file.read_bytes()
        except FileNotFoundError:
            return {}
        except OSError as error:
            log.warning("%s cannot be read: %s", self.file, error.strerror)
            return {}
        self._make_private()
        try:
            value = json.loads(decode(data))
        except (ValueError, RecursionError):
            log.warning("%s is no JSON; its keys are not used", self.file)
            return {}
        keys = value.get("keys") if isinstance(value, dict) else None
        return {k: v for k, v in keys.items() if isinstance(v, str)} if isinstance(keys, dict) else {}

    def _make_private(self) -> None:
        try:
            if os.name == "posix" and self.file.stat().st_mode & 0o077:
                self.file.chmod(0o600)
                log.warning("%s could be read by others; it is yours alone now", self.file)
        except OSError as error:
            log.warning("%s can be read by others, and that could not be changed: %s", self.file, error.strerror)

    def _set_in_file(self, name: str, key: str) -> None:
        if self._store() in ("environment", "keyring"):
            raise RefusedError(
                say("The settings forbid to keep API keys in a file."), hint=say("Change “keys.store” in the settings first.")
            )
        ensure_private_dir(self._paths.config)
        with held(self._paths.config / "keys.lock"):
            keys = self._read_file()
            if not keys:
                self._keep_broken_aside()
            self._write_file(keys | {name: key})

    def _keep_broken_aside(self) -> None:
        """A file that holds something we cannot read is not overwritten."""
        try:
            empty = not self.file.exists() or self.file.read_bytes().strip() == _serialised({}).strip()
            if not empty:
                self.file.replace(self._free_name())
        except OSError as error:
            raise StorageError(
                say("{file} cannot be replaced ({reason}).", file=self.file, reason=os_reason(error)),
                hint=say("Move it away and try again."),
            ) from error

    def _free_name(self) -> Path:
        names = (self.file.with_name(f"keys.json.broken{mark}") for mark in ("", *(f"-{n}" for n in range(2, 1_000))))
        return next(path for path in names if not path.exists())

    def _write_file(self, keys: Mapping[str, str]) -> None:
        atomic_write(self.file, _serialised(keys))


def _serialised(keys: Mapping[str, str]) -> bytes:
    return (json.dumps({"schema": SCHEMA, "keys": dict(keys)}, indent=2, sort_keys=True) + "\n").encode()


def _checked(name: str, value: str) -> str:
    key = value.strip()
    problem: KeepsakeError | None = None
    if not key:
        problem = UsageError(say("The key for “{name}” is empty.", name=name), hint=say("Paste the whole key."))
    elif not key.isascii() or not key.isprintable() or " " in key:
        problem = UsageError(
            say(
                "The key for “{name}” holds a character that no key has (a space, a line break or a letter that is not ASCII).",
                name=name,
            ),
            hint=say("Paste the key alone."),
        )
    if problem is not None:
        raise problem
    return key
