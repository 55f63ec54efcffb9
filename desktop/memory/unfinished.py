"""The note that a change is under way, so that one which a killed process left half done is finished by the next (safety, design rule 3).

Owns `<data>/state/unfinished/memory-<key>.json`, which exists only while a change is made. Knows neither memory files nor the index.
Only used with the store's lock held. Blocking.
"""

from __future__ import annotations

import logging
import os

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import write_all
from desktop.memory.journal import Change, change_from_line, line_of

log = logging.getLogger(__name__)


class Unfinished:
    """The change of one project that is being made."""

    def __init__(self, paths: AppPaths, key: str) -> None:
        self._file = paths.state / "unfinished" / f"memory-{key}.json"
        self._begun = False

    def begin(self, change: Change) -> None:
        """Note a change before its first file is touched. The follow-up of one that has begun (its index line) is part of it.

        Raises:
            StorageError: it could not be noted; nothing was changed yet.
        """
        if self._begun:
            return
        ensure_private_dir(self._file.parent)
        try:
            handle = os.open(self._file, os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_NOFOLLOW", 0), 0o600)
            try:
                write_all(handle, line_of(change))
                os.fsync(handle)
            finally:
                os.close(handle)
        except OSError as error:
            raise StorageError(
                say("{file} could not be written ({reason}).", file=self._file, reason=os_reason(error)),
                hint=say("Free some space."),
                detail=str(error),
            ) from error
        self._begun = True

    def end(self) -> None:
        """The change is whole, or was taken back."""
        self._begun = False
        try:
            self._file.unlink(missing_ok=True)
        except OSError as error:  # it is looked at again, and found done
            log.warning("%s could not be removed: %s", self._file, error)

    def leave(self) -> None:
        """Its files are whole, but the index line failed: the next change, or the next start, tries that again."""
        self._begun = False

    @property
    def there(self) -> bool:
        return self._file.exists()

    def take_over(self) -> Change | None:
        """The change that a process which is gone had begun; it counts as begun here. One noted only in part had touched nothing yet."""
        try:
            change = change_from_line(self._file.read_bytes())
        except FileNotFoundError:
            return None
        except OSError as error:
            log.warning("%s could not be read: %s", self._file, error)
            return None
        self._begun = change is not None
        return change
