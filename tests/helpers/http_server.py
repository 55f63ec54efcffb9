"""A loopback HTTP server for model adaptors: it plays prepared replies in order, keeps what it received, and sees when a client goes away.

Real sockets in threads of its own; a reply may stream, break off in the middle, or stay open until the client leaves.
"""

from __future__ import annotations

import json
import select
import threading
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Literal, Self


@dataclass(frozen=True)
class Reply:
    """One answer. `pieces` are sent as chunks; `ending`: close well, break off, or wait until the client is gone."""

    pieces: Sequence[bytes] = ()
    status: int = 200
    headers: Mapping[str, str] = field(default_factory=dict)
    ending: Literal["end", "cut", "hang"] = "end"


@dataclass(frozen=True)
class Received:
    """One request as it came in. `headers` has lower-case names."""

    method: str
    path: str
    headers: dict[str, str]
    body: bytes

    def json(self) -> Any:
        return json.loads(self.body)


def error_reply(status: int, body: Any, headers: Mapping[str, str] | None = None) -> Reply:
    return Reply([json.dumps(body).encode()], status, {"content-type": "application/json", **(headers or {})})


def sse(event: str | None, data: Any) -> bytes:
    """One server-sent event."""
    text = data if isinstance(data, str) else json.dumps(data, ensure_ascii=False)
    return ((f"event: {event}\n" if event else "") + f"data: {text}\n\n").encode()


class ModelServer:
    """Plays `replies` in order; a request too many gets status 500.

    Attributes:
        received: every request.
        client_left: set when a client closed its connection during a reply that hangs.
        hanging: set when such a reply has been written and waits.
    """

    def __init__(self, *replies: Reply) -> None:
        self._replies = list(replies)
        self._lock = threading.Lock()
        self.received: list[Received] = []
        self.client_left = threading.Event()
        self.hanging = threading.Event()
        self._closing = threading.Event()
        owner = self

        class Handler(BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def do_POST(self) -> None:
                owner._answer(self)

            def do_GET(self) -> None:
                owner._answer(self)

            def do_CONNECT(self) -> None:
                owner._answer(self)

            def log_message(self, format: str, *args: object) -> None:
                return

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True)

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._closing.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join(5)

    def _next(self) -> Reply:
        with self._lock:
            return self._replies.pop(0) if self._replies else error_reply(500, {"error": {"message": "no reply is prepared"}})

    def _answer(self, handler: BaseHTTPRequestHandler) -> None:
        length = int(handler.headers.get("content-length") or 0)
        body = handler.rfile.read(length)
        self.received.append(Received(handler.command, handler.path, {k.lower(): v for k, v in handler.headers.items()}, body))
        reply = self._next()
        handler.close_connection = True
        handler.send_response(reply.status)
        headers = {"content-type": "text/event-stream", "transfer-encoding": "chunked", "connection": "close", **reply.headers}
        for name, value in headers.items():
            handler.send_header(name, value)
        handler.end_headers()
        try:
            for piece in reply.pieces:
                handler.wfile.write(f"{len(piece):x}\r\n".encode() + piece + b"\r\n")
                handler.wfile.flush()
            if reply.ending == "hang":
                self._wait_until_gone(handler)
            elif reply.ending == "end":
                handler.wfile.write(b"0\r\n\r\n")
        except OSError:
            self.client_left.set()

    def _wait_until_gone(self, handler: BaseHTTPRequestHandler) -> None:
        self.hanging.set()
        while not self._closing.is_set():
            readable, _, _ = select.select([handler.connection], [], [], 0.02)
            if readable and not handler.connection.recv(1):
                self.client_left.set()
                return
