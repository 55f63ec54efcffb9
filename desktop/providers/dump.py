"""Request dumps: one file a request with its body as sent, so that anybody can see what a model was given. Never holds headers or keys.

Called at the HTTP transport (and by the models that have none). Writes at once and blocking: a few milliseconds, only when asked for.
"""

from __future__ import annotations

import json
import os
import re
import secrets
import threading
from datetime import datetime
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

from desktop.base.clock import Clock, SystemClock, iso
from desktop.base.errors import StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import write_all
from desktop.providers.base import RequestKind

_NUMBERED = re.compile(r"^(\d{4,})-[a-z_]+\.json$")
_SECRET_PARAMETER = re.compile(r"(?i)(?:^|[-_.])(?:key|apikey|token|secret|auth|authorization|password|sig|signature|credential|code)$")


def clean_url(url: str) -> str:
    """`url` without user, password, fragment and every query parameter that names a credential."""
    try:
        parts = urlsplit(url)
        if not parts.netloc:
            return url
        host = parts.netloc.rpartition("@")[2]
        kept = [(name, value) for name, value in parse_qsl(parts.query, keep_blank_values=True) if not _SECRET_PARAMETER.search(name)]
    except ValueError:
        return "(an address that cannot be read)"
    return urlunsplit((parts.scheme, host, parts.path, urlencode(kept), ""))


def parsed_body(body: Any) -> Any:
    """A body that is JSON text as its value; anything else as it is."""
    if not isinstance(body, (str, bytes)):
        return body
    text = body.decode("utf-8", errors="replace") if isinstance(body, bytes) else body
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def request_record(number: int, kind: str, model: str, moment: datetime, url: str, body: Any) -> dict[str, Any]:
    """What is said of a request, in a file and in the request inspector; `body` is a JSON value or text, `url` is clean."""
    return {"n": number, "kind": kind, "model": model, "time": iso(moment), "url": url, "body": body}


class RequestDumper:
    """A `DumpRequest` that writes `0001-main.json`, `0002-extract.json`, … Thread-safe; numbers go on from what the folder holds."""

    def __init__(self, folder: Path, clock: Clock | None = None) -> None:
        self.folder = folder
        self._clock = clock or SystemClock()
        self._lock = threading.Lock()
        self._last: int | None = None

    def __call__(self, kind: RequestKind, model: str, url: str, body: Any) -> None:
        """As `dump`."""
        self.dump(kind, model, url, body)

    def dump(self, kind: RequestKind, model: str, url: str, body: Any) -> int:
        """Write one request; gives its number.

        Raises:
            StorageError: the folder or the file cannot be written; the request is then not sent.
        """
        with self._lock:
            ensure_private_dir(self.folder)
            if self._last is None:
                self._last = self._highest_number()
            record = request_record(0, kind, model, self._clock.now(), clean_url(url), parsed_body(body))
            self._last = self._write(record, self._last + 1)
            return self._last

    def _highest_number(self) -> int:
        matches = (_NUMBERED.match(entry.name) for entry in self.folder.iterdir())
        return max((int(match.group(1)) for match in matches if match), default=0)

    def _write(self, record: dict[str, Any], number: int) -> int:
        """Write under the first free number from `number` on (a second process may share the folder); gives that number.

        Whoever watches the folder sees a file when it is whole and not before.
        """
        while True:
            path = self.folder / f"{number:04d}-{record['kind']}.json"
            try:
                _publish(record | {"n": number}, path)
            except FileExistsError:
                number += 1
                continue
            except OSError as error:
                raise _failed(path, error) from error
            return number


def _publish(record: dict[str, Any], path: Path) -> None:
    """Put the record at `path` in one step.

    Raises:
        FileExistsError: the name is taken.
        OSError: it cannot be written; nothing is left.
    """
    # A lone surrogate cannot be UTF-8; it is the one thing that is written as an escape.
    data = json.dumps(record, ensure_ascii=False, indent=2).encode("utf-8", errors="backslashreplace") + b"\n"
    unfinished = path.with_name(f".{path.name}.{secrets.token_hex(6)}.tmp")
    handle = os.open(unfinished, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
    try:
        try:
            write_all(handle, data)
        finally:
            os.close(handle)
        if path.exists():
            raise FileExistsError(path)
        try:
            os.link(unfinished, path)  # never over a file that came meanwhile
        except FileExistsError:
            raise
        except OSError:  # a file system without links
            unfinished.rename(path)
    finally:
        unfinished.unlink(missing_ok=True)


def _failed(path: Path, error: OSError) -> StorageError:
    return StorageError(
        say("The request could not be dumped to {path} ({reason}).", path=path, reason=os_reason(error)),
        hint=say("Free some space, choose another folder with --dump-requests, or leave it out."),
        detail=str(error),
    )
