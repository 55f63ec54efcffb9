"""What is piped in. Standard input is read when the prompt is `-`, or when it is a pipe or file whose first byte comes within 3 s.

Reads in a daemon thread, so that an open, empty pipe hangs nothing on any platform.
"""

from __future__ import annotations

import os
import stat
import threading
import time

from desktop.base.errors import UsageError
from desktop.base.textio import decode

FIRST_BYTE_S = 3.0
MOST_BYTES = 10 << 20


class PipedInput:
    """Begins to read at once; `text` waits for the end, or for the first byte only as long as is allowed."""

    def __init__(self, *, wanted: bool, handle: int = 0) -> None:
        """Args: wanted: the prompt is `-`: read whatever it is, and wait for it. handle: the descriptor to read."""
        self._wanted = wanted
        self._handle = handle
        self._data = bytearray()
        self._error: OSError | None = None
        self._begun = threading.Event()
        self._done = threading.Event()
        self._deadline = time.monotonic() + FIRST_BYTE_S
        self._active = wanted or _is_pipe_or_file(handle)
        if self._active:
            threading.Thread(target=self._read, name="standard-input", daemon=True).start()

    def _read(self) -> None:
        try:
            while len(self._data) <= MOST_BYTES and (piece := os.read(self._handle, 1 << 16)):
                self._data += piece
                self._begun.set()
        except OSError as error:
            self._error = error
        self._done.set()
        self._begun.set()

    def text(self) -> str:
        """What was piped in, decoded; empty when nothing is.

        Raises:
            UsageError: the prompt is `-` and standard input cannot be read, or it is larger than 10 MiB.
        """
        if not self._active:
            return ""
        if not self._wanted and not self._begun.wait(max(0.0, self._deadline - time.monotonic())):
            return ""
        self._done.wait()
        if self._error is not None and self._wanted:
            raise UsageError(f"Standard input cannot be read ({self._error.strerror}).", hint="Give the prompt behind -p.")
        if len(self._data) > MOST_BYTES:
            raise UsageError(
                f"Standard input is larger than {MOST_BYTES >> 20} MiB.",
                hint="Save it as a file in the workspace and name the file in the prompt.",
            )
        return decode(bytes(self._data))


def _is_pipe_or_file(handle: int) -> bool:
    try:
        mode = os.fstat(handle).st_mode
    except OSError:
        return False
    return stat.S_ISFIFO(mode) or stat.S_ISREG(mode) or stat.S_ISSOCK(mode)
