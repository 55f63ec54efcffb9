"""`<data>/state/window.json`: read once before the window is shown, written through the one writer. Tolerant of whatever it holds."""

from __future__ import annotations

import json
import logging
from contextlib import suppress
from pathlib import Path

from desktop.base.errors import StorageError
from desktop.base.locks import held
from desktop.base.paths import ensure_private_dir
from desktop.base.textio import atomic_write, decode, read_bytes
from desktop.bridge.operations import Failure, Operations
from desktop.ui.window_state import WindowState, from_json, merge, to_json

log = logging.getLogger(__name__)
LIMIT = 2_000_000
"""Bytes that are read of a state file; a larger one is not ours."""


class StateFile:
    """The stored window state of one profile."""

    def __init__(self, folder: Path, operations: Operations) -> None:
        self._path = folder / "window.json"
        self._operations = operations

    def read(self) -> WindowState:
        """What is stored; the default when there is nothing, or nothing that can be read."""
        try:
            return from_json(json.loads(decode(read_bytes(self._path, LIMIT))))
        except (StorageError, ValueError, RecursionError) as error:
            if self._path.exists():
                log.warning("%s is not used: %s", self._path, error)
            return WindowState()

    def _keep_damaged(self) -> None:
        """A file that cannot be read is kept beside the new one: it may name folders and tabs that somebody misses."""
        try:
            data = read_bytes(self._path, LIMIT)
            json.loads(decode(data))
        except StorageError:
            return
        except (ValueError, RecursionError):
            with suppress(OSError):
                self._path.replace(self._path.with_suffix(".damaged.json"))

    def save(self, state: WindowState, folder: str) -> None:
        """Store it in the background; what another window stored of other folders is kept."""
        self._operations.write(lambda: self._store(state, folder), None, _on_failed)

    def _store(self, state: WindowState, folder: str) -> None:
        """In the writer's thread."""
        ensure_private_dir(self._path.parent)
        with held(self._path.with_suffix(".lock"), timeout_s=2.0):
            self._keep_damaged()
            merged = merge(state, self.read(), folder)
            atomic_write(self._path, json.dumps(to_json(merged), ensure_ascii=False, indent=1).encode())


def _on_failed(failure: Failure) -> None:
    log.warning("the state of the window was not stored: %s", failure.message)
