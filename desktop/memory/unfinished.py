"""The note of the changes that are under way, so that what a killed process left half done is finished by the next (safety, rule 3).

Owns `<data>/state/unfinished/memory-<key>.json`, which holds something only while a change is made: a journal line for each file that is
about to be touched, and a mark for each group of changes that became whole. The file stays, emptied: its name is then as safe as its
content. Knows neither memory files nor the index. Only used with the store's lock held. Blocking.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Iterable
from dataclasses import dataclass

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import append_flushed
from desktop.memory.change import Change, change_from_record, line_of, record_from_line

log = logging.getLogger(__name__)
MAX_NOTE = 16 << 20
"""Bytes of a note; one that grew beyond (an index that fails for a very long time) is begun anew."""


@dataclass(frozen=True, slots=True)
class LeftOver:
    """What a note says.

    Attributes:
        changes: in the order in which they were begun; the last ones may not have touched anything.
        whole: groups that were finished.
    """

    changes: tuple[Change, ...]
    whole: frozenset[str]


class Unfinished:
    """The changes of one root that are being made."""

    def __init__(self, paths: AppPaths, key: str) -> None:
        self._file = paths.state / "unfinished" / f"memory-{key}.json"

    def begin(self, changes: Change | Iterable[Change]) -> None:
        """Note changes before their files are touched.

        Raises:
            StorageError: they could not be noted; nothing was changed yet.
        """
        self._append(b"".join(line_of(change) for change in ((changes,) if isinstance(changes, Change) else changes)))

    def whole(self, group: str) -> None:
        """Note that a group is finished: from now on it stays, whatever happens.

        Raises:
            StorageError: it could not be noted.
        """
        self._append(json.dumps({"whole": group}).encode() + b"\n")

    def _append(self, data: bytes) -> None:
        ensure_private_dir(self._file.parent)
        try:
            append_flushed(self._file, data, most=MAX_NOTE)
        except OSError as error:
            raise StorageError(
                say("{file} could not be written ({reason}).", file=self._file, reason=os_reason(error)),
                hint=say("Free some space."),
                detail=str(error),
            ) from error

    def end(self) -> None:
        """The changes are whole, or were taken back."""
        try:
            os.truncate(self._file, 0)
        except FileNotFoundError:
            return
        except OSError as error:  # it is looked at again, and found done
            log.warning("%s could not be emptied: %s", self._file, error)

    @property
    def there(self) -> bool:
        try:
            return self._file.stat().st_size > 0
        except FileNotFoundError:
            return False
        except OSError:  # reading it says what is wrong
            return True

    def read(self) -> LeftOver:
        """What was under way. A line that was noted only in part had touched nothing yet. Never raises."""
        try:
            data = self._file.read_bytes()
        except FileNotFoundError:
            return LeftOver((), frozenset())
        except OSError as error:
            log.warning("%s could not be read: %s", self._file, error)
            return LeftOver((), frozenset())
        records = [record for line in data.split(b"\n") if line.strip() and (record := record_from_line(line))]
        changes = [change for record in records if (change := change_from_record(record))]
        return LeftOver(tuple(changes), frozenset(str(record["whole"]) for record in records if "whole" in record))
