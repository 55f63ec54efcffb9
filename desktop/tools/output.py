"""A command's output within bounds: its start and its end are kept, the middle is counted. Pure; one thread at a time."""

from __future__ import annotations

import codecs
import re
from collections import deque

MOST_CHARACTERS = 30_000
_KEPT_BYTES = MOST_CHARACTERS * 2
"""Bytes kept of each end: enough for half the characters, of which none has more than four bytes."""
LIVE_CHARACTERS = 100_000
"""How much is passed on while the command runs."""
_ESCAPES = re.compile(r"\x1b(?:\[[0-?]*[ -/]*[@-~]|\][^\x07\x1b]*(?:\x07|\x1b\\)|[PX^_][^\x1b]*\x1b\\|[@-Z\\-_])")


def without_escapes(text: str) -> str:
    """Text without terminal control sequences."""
    return _ESCAPES.sub("", text).replace("\x1b", "") if "\x1b" in text else text


class OutputKeeper:
    """Takes bytes as they come."""

    def __init__(self) -> None:
        self._head = bytearray()
        self._tail: deque[bytes] = deque()
        self._tail_size = 0
        self._total = 0
        self._live = 0
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")

    def add(self, data: bytes) -> str:
        """Keep `data`; returns the text to pass on now, which is empty once enough has been shown."""
        self._total += len(data)
        room = _KEPT_BYTES - len(self._head)
        if room > 0:
            self._head += data[:room]
        rest = data[max(0, room) :]
        if rest:
            self._keep_end(rest)
        return self._passed_on(data)

    def _keep_end(self, data: bytes) -> None:
        self._tail.append(data[-_KEPT_BYTES:])
        self._tail_size += len(self._tail[-1])
        while self._tail_size - len(self._tail[0]) >= _KEPT_BYTES:
            self._tail_size -= len(self._tail.popleft())

    def _passed_on(self, data: bytes) -> str:
        if self._live >= LIVE_CHARACTERS:
            return ""
        text = without_escapes(self._decoder.decode(data))
        self._live += len(text)
        if self._live >= LIVE_CHARACTERS:
            return f"{text}\n[Live output stops here; the result shows the end.]\n"
        return text

    def text(self) -> str:
        """The output, with a note in place of a middle that is too long."""
        end = b"".join(self._tail)
        lost = self._total - len(self._head) - len(end)
        if lost <= 0:
            whole = without_escapes((bytes(self._head) + end).decode("utf-8", "replace"))
            if len(whole) <= MOST_CHARACTERS:
                return whole
            half = MOST_CHARACTERS // 2
            return f"{whole[:half]}\n\n[{len(whole) - MOST_CHARACTERS:,} characters left out here]\n\n{whole[-half:]}"
        start = without_escapes(self._head.decode("utf-8", "replace").rstrip("\ufffd"))[: MOST_CHARACTERS // 2]
        last = without_escapes(end.decode("utf-8", "replace").lstrip("\ufffd"))[-(MOST_CHARACTERS // 2) :]
        left_out = self._total - len(start.encode()) - len(last.encode())
        return f"{start}\n\n[about {left_out:,} bytes left out here]\n\n{last}"
