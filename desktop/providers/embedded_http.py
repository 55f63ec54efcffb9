"""The few lines of HTTP that talking to our own loopback server takes: one request a connection, chunked bodies, server-sent events.

Standard library only, so that the default model needs no heavy import. Runs on the asyncio thread; dropping a stream closes its socket.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import AsyncGenerator, AsyncIterator, Callable
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlsplit

from desktop.base.errors import ProviderError
from desktop.base.phrases import say

LINE_LIMIT = 4 << 20
BODY_LIMIT = 16 << 20
CONNECT_S = 5.0


@dataclass(frozen=True, slots=True)
class Endpoint:
    """Where the server listens (`http://127.0.0.1:PORT`) and the key that it wants."""

    base: str
    api_key: str


class StatusError(Exception):
    """The server answered with an error status. `body` is its text."""

    def __init__(self, status: int, body: str) -> None:
        super().__init__(f"HTTP {status}: {body[:300]}")
        self.status = status
        self.body = body


class _Body:
    """Reads a response body piece by piece, whatever its framing."""

    def __init__(self, reader: asyncio.StreamReader, headers: dict[str, str]) -> None:
        self._reader = reader
        self._chunked = headers.get("transfer-encoding", "").lower() == "chunked"
        length = headers.get("content-length")
        self._left = int(length) if length is not None and length.isdigit() else None

    async def piece(self) -> bytes:
        """The next bytes, empty at the end.

        Raises:
            asyncio.IncompleteReadError: the connection broke in the middle.
        """
        if self._chunked:
            size = int((await self._reader.readline()).split(b";")[0].strip() or b"-1", 16)
            if size < 0:
                raise asyncio.IncompleteReadError(b"", None)
            data = await self._reader.readexactly(size) if size else b""
            await self._reader.readline()
            return data
        if self._left is None:
            return await self._reader.read(65_536)
        if self._left == 0:
            return b""
        data = await self._reader.read(min(65_536, self._left))
        if not data:
            raise asyncio.IncompleteReadError(b"", self._left)
        self._left -= len(data)
        return data

    async def whole(self) -> bytes:
        data = b""
        while (piece := await self.piece()) and len(data) < BODY_LIMIT:
            data += piece
        return data


async def _head(reader: asyncio.StreamReader) -> tuple[int, dict[str, str]]:
    first = (await reader.readline()).split()
    if len(first) < 2 or not first[1].isdigit():
        raise asyncio.IncompleteReadError(b"", None)
    headers: dict[str, str] = {}
    while line := (await reader.readline()).strip():
        name, _, value = line.decode("latin-1").partition(":")
        headers[name.strip().lower()] = value.strip()
    return int(first[1]), headers


@contextlib.asynccontextmanager
async def _exchange(
    endpoint: Endpoint, method: str, path: str, body: bytes, opened: Callable[[Callable[[], None]], None] | None = None
) -> AsyncIterator[_Body]:
    """Send one request and give its body. The socket is dropped at once on the way out, also when cancelled.

    Raises:
        OSError, asyncio.IncompleteReadError, TimeoutError: no or broken connection.
        StatusError: an answer other than 2xx.
    """
    address = urlsplit(endpoint.base)
    async with asyncio.timeout(CONNECT_S):
        reader, writer = await asyncio.open_connection(address.hostname, address.port, limit=LINE_LIMIT)
    if opened:
        opened(writer.transport.abort)
    try:
        head = (
            f"{method} {path} HTTP/1.1\r\nHost: {address.hostname}:{address.port}\r\nAuthorization: Bearer {endpoint.api_key}\r\n"
            f"Content-Type: application/json\r\nContent-Length: {len(body)}\r\nAccept: */*\r\nConnection: close\r\n\r\n"
        )
        writer.write(head.encode("latin-1") + body)
        await writer.drain()
        status, headers = await _head(reader)
        found = _Body(reader, headers)
        if not 200 <= status < 300:
            raise StatusError(status, (await found.whole()).decode("utf-8", "replace"))
        yield found
    finally:
        writer.transport.abort()


async def call(endpoint: Endpoint, method: str, path: str, value: Any = None) -> Any:
    """One request with a JSON answer. Errors as `_exchange`; ValueError when the answer is no JSON."""
    body = b"" if value is None else json.dumps(value).encode()
    async with _exchange(endpoint, method, path, body) as answer:
        return json.loads(await answer.whole())


async def events(
    endpoint: Endpoint, path: str, body: bytes, opened: Callable[[Callable[[], None]], None] | None = None
) -> AsyncGenerator[dict[str, Any], None]:
    """The JSON values of a server-sent event stream, until `[DONE]` or its end. Errors as `_exchange`.

    Args:
        opened: is given a call that closes the connection, as soon as there is one.

    Raises:
        ProviderError: kind cut, when the stream ends in the middle of a line that is no JSON.
    """
    pending = b""
    async with _exchange(endpoint, "POST", path, body, opened) as answer:
        while piece := await answer.piece():
            pending += piece
            *lines, pending = pending.split(b"\n")
            for line in lines:
                if not line.startswith(b"data:"):
                    continue
                data = line[5:].strip()
                if data == b"[DONE]":
                    return
                try:
                    value = json.loads(data)
                except ValueError as error:
                    raise ProviderError("cut", say("The embedded model's answer broke off."), detail=repr(data[:200])) from error
                if isinstance(value, dict):
                    yield value
