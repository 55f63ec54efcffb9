"""What the person said about problems of a memory root: which are to be passed over, and which contents are still true.

Owns `<data>/state/health/<root key>.json`: digests and times, no word of a memory. A file that is damaged is put aside under another
name and said in the log; then every problem is shown again. Thread-safe; blocking.
"""

from __future__ import annotations

import json
import logging
import threading
from collections.abc import Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop.base.clock import Clock, iso, parse_iso
from desktop.base.errors import StorageError
from desktop.base.locks import held
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import say
from desktop.base.textio import atomic_write, read_bytes

log = logging.getLogger(__name__)
SCHEMA = 1
MOST = 20_000
"""Entries of each kind that are kept, the newest."""

MAX_BYTES = 8 << 20
LOCK_WAIT_S = 5.0


class HealthState:
    """Of one root.

    Args:
        paths: of the profile.
        key: of the root.
        clock: for the times.
    """

    def __init__(self, paths: AppPaths, key: str, clock: Clock) -> None:
        self._file = paths.state / "health" / f"{key}.json"
        self._clock = clock
        self._mutex = threading.Lock()

    @property
    def file(self) -> Path:
        return self._file

    def ignored(self) -> frozenset[str]:
        """Ids of the problems that are passed over."""
        return frozenset(self._read()["ignored"])

    def confirmed(self) -> Mapping[str, datetime]:
        """When contents, by their digest, were said to be still true."""
        found = ((name, parse_iso(value)) for name, value in self._read()["confirmed"].items())
        return {name: moment for name, moment in found if moment is not None}

    def ignore(self, ids: Iterable[str]) -> None:
        """Pass these problems over from now on.

        Raises:
            StorageError: it could not be saved.
        """
        self._change("ignored", set(ids), add=True)

    def show_again(self, ids: Iterable[str]) -> None:
        """Count these problems again.

        Raises:
            StorageError: it could not be saved.
        """
        self._change("ignored", set(ids), add=False)

    def confirm(self, digests: Iterable[str]) -> None:
        """The person said that these contents are still true.

        Raises:
            StorageError: it could not be saved.
        """
        self._change("confirmed", set(digests), add=True)

    def withdraw(self, digests: Iterable[str]) -> None:
        """Take that back.

        Raises:
            StorageError: it could not be saved.
        """
        self._change("confirmed", set(digests), add=False)

    def _change(self, kind: str, names: set[str], *, add: bool) -> None:
        if not names:
            return
        ensure_private_dir(self._file.parent)
        with self._mutex, held(self._file.with_suffix(".lock"), timeout_s=LOCK_WAIT_S):
            data = self._read(strict=True)
            now = iso(self._clock.now())
            entries = {name: time for name, time in data[kind].items() if name not in names}
            if add:
                entries |= dict.fromkeys(sorted(names), now)
            data[kind] = dict(list(entries.items())[-MOST:])
            atomic_write(self._file, json.dumps(data, ensure_ascii=True, indent=1).encode() + b"\n")

    def _read(self, *, strict: bool = False) -> dict[str, Any]:
        """What is stored. Where it cannot be read: nothing, or, when it is about to be written over, an error."""
        found: dict[str, Any] = {"schema": SCHEMA, "ignored": {}, "confirmed": {}}
        if not self._file.exists():
            return found
        try:
            data = json.loads(read_bytes(self._file, MAX_BYTES))
        except StorageError as error:
            if strict:
                raise
            log.warning("what was said about problems of memory cannot be read: %s", error.message)
            return found
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            if strict:
                self._put_aside()
            return found
        if data.get("schema") != SCHEMA:
            if strict:
                message = say("{path} was written by a newer version of the app.", path=self._file)
                raise StorageError(message, hint=say("Update the app, or move that file away."))
            return found
        for kind in ("ignored", "confirmed"):
            entries = data.get(kind)
            kept = entries.items() if isinstance(entries, dict) else ()
            found[kind] = {name: moment for name, moment in kept if isinstance(moment, str)}
        return found

    def _put_aside(self) -> None:
        aside = self._file.with_suffix(".damaged")
        log.warning("%s is damaged; it is kept as %s", self._file, aside.name)
        try:
            self._file.replace(aside)
        except OSError as error:
            log.warning("%s could not be put aside: %s", self._file, error)
