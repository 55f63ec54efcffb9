"""The last requests as they were sent, kept in memory for the request inspector; the same records as a request dump, never headers.

A ring: at most 20 requests and 16 MiB. Nothing of it touches the disk, and it ends with the process. Thread-safe; never blocks for long
(a body is kept as it came and made readable when somebody looks).
"""

from __future__ import annotations

import json
import threading
from collections import deque
from dataclasses import dataclass
from datetime import datetime
from typing import Any

from desktop.base.clock import Clock, SystemClock
from desktop.base.events import Emitter
from desktop.base.words import estimate_tokens
from desktop.providers.base import RequestKind
from desktop.providers.dump import RequestDumper, clean_url, parsed_body, request_record

MOST_REQUESTS = 20
MOST_BYTES = 16 << 20


@dataclass(frozen=True, slots=True)
class LoggedRequest:
    """One request.

    Attributes:
        n: its number; the same as in a request dump that is written beside.
        kind: which job asked, as in `ModelRequest`.
        model: the model's id.
        time: aware UTC, when it was sent.
        url: where to, without credentials.
        size: bytes of the body as sent.
        data: the body's first bytes, all of them unless `cut`.
        cut: the body is larger than the whole ring and only its beginning is kept.
    """

    n: int
    kind: str
    model: str
    time: datetime
    url: str
    size: int
    data: bytes
    cut: bool = False

    def text(self) -> str:
        """The record of the dump as indented JSON: `n, kind, model, time, url, body`. Takes about 20 ms a megabyte."""
        body = self.data.decode("utf-8", errors="replace") if self.cut else parsed_body(self.data)
        record = request_record(self.n, self.kind, self.model, self.time, self.url, body)
        return json.dumps(record, ensure_ascii=False, indent=2)

    def tokens(self) -> int:
        """What the body costs, estimated by script from all of it, JSON signs included."""
        return estimate_tokens(self.data.decode("utf-8", errors="replace"))


class RequestLog:
    """A `DumpRequest` that remembers.

    Attributes:
        changed: emits the number of the newest request, or 0 after `clear`; in the thread that sent it.
    """

    def __init__(
        self,
        clock: Clock | None = None,
        dumper: RequestDumper | None = None,
        *,
        most: int = MOST_REQUESTS,
        most_bytes: int = MOST_BYTES,
    ) -> None:
        """Args:
        dumper: writes each request to its folder too, and gives the numbers; what it cannot write is not sent, and not kept here.
        most, most_bytes: the ring's bounds.
        """
        self.changed: Emitter[int] = Emitter()
        self._clock = clock or SystemClock()
        self._dumper = dumper
        self._most, self._most_bytes = most, most_bytes
        self._kept: deque[LoggedRequest] = deque()
        self._bytes = 0
        self._last = 0
        self._lock = threading.Lock()

    def __call__(self, kind: RequestKind, model: str, url: str, body: Any) -> None:
        """Keep one request.

        Raises:
            StorageError: the dumper could not write it; the request is then not sent.
        """
        data = _bytes(body)
        kept, cut = (data[: self._most_bytes], True) if len(data) > self._most_bytes else (data, False)
        number = self._dumper.dump(kind, model, url, body) if self._dumper is not None else 0
        with self._lock:
            self._last = number or self._last + 1
            made = LoggedRequest(self._last, kind, model, self._clock.now(), clean_url(url), len(data), kept, cut)
            self._kept.append(made)
            self._bytes += len(kept)
            while len(self._kept) > self._most or self._bytes > self._most_bytes:
                self._bytes -= len(self._kept.popleft().data)
        self.changed.emit(made.n)

    def requests(self) -> list[LoggedRequest]:
        """What is kept, newest first."""
        with self._lock:
            return list(self._kept)[::-1]

    def find(self, number: int) -> LoggedRequest | None:
        """The request of that number, while it is kept."""
        with self._lock:
            return next((one for one in self._kept if one.n == number), None)

    def clear(self) -> None:
        """Forget all of them: an incognito session ended, or the person wants it."""
        with self._lock:
            self._kept.clear()
            self._bytes = 0
        self.changed.emit(0)


def _bytes(body: Any) -> bytes:
    if isinstance(body, bytes):
        return body
    text = body if isinstance(body, str) else json.dumps(body, ensure_ascii=False)
    return text.encode("utf-8", errors="backslashreplace")


__all__ = ["LoggedRequest", "RequestLog"]
