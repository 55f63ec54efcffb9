"""A stand-in for the embedded model's child process, for tests without a model: the same parameters on standard input, the same words after
them, the same answer line, and the part of llama.cpp's HTTP that is used. Run as a program by `fake_executable`.

What it answers stands in a JSON file: a list of raw replies, consumed in order. The reply `HANG` reads a prompt for ever (nothing is sent),
`ENDLESS` writes an answer for ever, `CUT` breaks off in the middle, `DIE` ends the process.
"""

from __future__ import annotations

import json
import os
import stat
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any


def fake_executable(folder: Path, replies: list[str]) -> str:
    """A program in `folder` that behaves as the child does and gives `replies`; requests are appended to `requests.jsonl` there."""
    (folder / "replies.json").write_text(json.dumps(replies), encoding="utf-8")
    program = folder / "fake-python"
    program.write_text(f'#!/bin/sh\nexec "{sys.executable}" "{__file__}" "{folder}"\n', encoding="utf-8")
    program.chmod(program.stat().st_mode | stat.S_IXUSR)
    return str(program)


def requests_of(folder: Path) -> list[dict[str, Any]]:
    """Bodies of the completions that were asked for."""
    file = folder / "requests.jsonl"
    return [json.loads(line) for line in file.read_text(encoding="utf-8").splitlines()] if file.exists() else []


class _Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"
    folder: Path
    key: str
    busy = False
    lock = threading.Lock()

    def log_message(self, format: str, *args: Any) -> None:
        """Nothing: standard error is the test's."""

    def _refused(self) -> bool:
        if self.headers.get("Authorization") == f"Bearer {self.key}":
            return False
        self._json({"error": {"message": "Invalid API Key", "code": 401}}, 401)
        return True

    def _json(self, value: Any, status: int = 200) -> None:
        body = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Length", str(len(body)))
        self.end_headers()
        self.wfile.write(body)

    def do_GET(self) -> None:
        if not self._refused():
            self._json([{"id": 0, "is_processing": type(self).busy}])

    def do_POST(self) -> None:
        body = self.rfile.read(int(self.headers.get("Content-Length", "0")))
        if self._refused():
            return
        if self.path.startswith("/slots"):
            name = json.loads(body)["filename"]
            known = (self.folder / name).exists()
            if "save" in self.path:
                (self.folder / name).write_text("state", encoding="utf-8")
            self._json({"filename": name}, 200 if known or "save" in self.path else 400)
            return
        request = json.loads(body)
        if request["max_tokens"] == 1:
            self._stream("{", "stop")
            return
        # The reply is taken before the request is told of: a test that has seen the request may kill this process at once.
        reply = self._next()
        type(self).busy = True
        with (self.folder / "requests.jsonl").open("a", encoding="utf-8") as log:
            log.write(json.dumps(request, ensure_ascii=False) + "\n")
        try:
            self._reply(reply)
        except OSError:
            pass
        finally:
            type(self).busy = False

    def _next(self) -> str:
        file = self.folder / "replies.json"
        with type(self).lock:
            replies = json.loads(file.read_text(encoding="utf-8"))
            file.write_text(json.dumps(replies[1:]), encoding="utf-8")
        return str(replies[0]) if replies else json.dumps({"tool": "answer", "args": {"text": "done"}})

    def _reply(self, reply: str) -> None:
        if reply == "HANG":
            self._head()
            time.sleep(60)
        elif reply == "DIE":
            os._exit(3)
        elif reply == "ENDLESS":
            self._head()
            self._event({"choices": [{"delta": {"content": '{"tool": "answer", "args": {"text": "'}}]})
            while True:
                self._event({"choices": [{"delta": {"content": "word "}}]})
                time.sleep(0.01)
        elif reply == "CUT":
            self._head()
            self._event({"choices": [{"delta": {"content": '{"tool": "answer", "args": {"text": "half'}}]})
            self.close_connection = True
            self.connection.close()
        else:
            self._stream(reply, "stop")

    def _head(self) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.send_header("Transfer-Encoding", "chunked")
        self.end_headers()

    def _event(self, value: Any) -> None:
        data = b"data: " + (value if isinstance(value, bytes) else json.dumps(value).encode()) + b"\n\n"
        self.wfile.write(f"{len(data):x}\r\n".encode() + data + b"\r\n")
        self.wfile.flush()

    def _stream(self, reply: str, finish: str) -> None:
        self._head()
        for start in range(0, len(reply), 7):
            self._event({"choices": [{"delta": {"content": reply[start : start + 7]}}]})
        self._event({"choices": [{"delta": {}, "finish_reason": finish}]})
        usage = {"prompt_tokens": 100, "completion_tokens": 10, "prompt_tokens_details": {"cached_tokens": 90}}
        self._event({"choices": [], "usage": usage})
        self._event(b"[DONE]")
        self.wfile.write(b"0\r\n\r\n")


def main(folder: Path) -> None:
    given = json.loads(sys.stdin.buffer.readline())
    _Handler.folder, _Handler.key = folder, given["api_key"]
    server = ThreadingHTTPServer(("127.0.0.1", 0), _Handler)
    server.daemon_threads = True
    threading.Thread(target=server.serve_forever, daemon=True).start()
    print(json.dumps({"address": f"http://127.0.0.1:{server.server_address[1]}"}), flush=True)
    for _ in sys.stdin.buffer:
        pass
    os._exit(0)


if __name__ == "__main__":
    main(Path(sys.argv[1]))
