"""Whether tests wait until what they save is on the disk: ordinary runs do not, the long run does.

A flush is for a power cut, and none happens here; waiting for the disk a hundred thousand times is a good part of a run. What a flush is
for is tried elsewhere: the order of the calls by `tests.reliability` and by strace, what a power cut leaves by `tests.reliability.power`.
Processes that tests start as the person would flush for real.
"""

from __future__ import annotations

import os


def _checked(handle: int) -> None:
    """In place of `os.fsync`: a bad handle is still an error."""
    os.fstat(handle)


def without_waiting() -> None:
    """From here on no flush of this process waits. Tests that break or count flushes put theirs on top."""
    os.fsync = _checked  # type: ignore[assignment]
