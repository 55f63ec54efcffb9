"""Which keys this profile keeps in the system's keyring: names only, never a value, in `<config>/keyring.json`.

Loading the keyring's libraries costs 11 MiB and may wake other processes, so a keyring that holds nothing of ours is not loaded. The note
is a hint and no authority: where it is lost, `SecretStore.get` still asks the keyring last. Blocking; safe from several processes.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Callable
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.locks import held
from desktop.base.paths import ensure_private_dir
from desktop.base.textio import atomic_write, decode, read_bytes

SCHEMA = 1
LIMIT = 100_000
"""Bytes that are read; a larger file is not ours."""
log = logging.getLogger(__name__)


class KeyringNote:
    """The note of one profile."""

    def __init__(self, folder: Path) -> None:
        self._path = folder / "keyring.json"

    def names(self) -> frozenset[str]:
        """Names of keys that are in the keyring; empty where the note cannot be read."""
        try:
            value = json.loads(decode(read_bytes(self._path, LIMIT)))
        except (StorageError, ValueError, RecursionError) as error:
            if self._path.exists():
                log.warning("%s is not used: %s", self._path, error)
            return frozenset()
        names = value.get("names") if isinstance(value, dict) else None
        return frozenset(name for name in names if isinstance(name, str)) if isinstance(names, list) else frozenset()

    def add(self, name: str) -> None:
        """Raises StorageError when it cannot be noted."""
        self._change(lambda names: names | {name})

    def remove(self, name: str) -> None:
        """Raises StorageError when it cannot be noted."""
        self._change(lambda names: names - {name})

    def _change(self, change: Callable[[frozenset[str]], frozenset[str]]) -> None:
        before = self.names()
        if change(before) == before:
            return
        ensure_private_dir(self._path.parent)
        with held(self._path.with_suffix(".lock")):
            after = sorted(change(self.names()))
            atomic_write(self._path, (json.dumps({"schema": SCHEMA, "names": after}, ensure_ascii=False, indent=2) + "\n").encode())
