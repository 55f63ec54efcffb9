"""The file behind `scripted:FILE`: reading it strictly, and giving out its responses in order. No model, no streaming.

A key that is not known is refused with its name, since a misspelt key would quietly test something else. What was given out is counted per
process and file: two models made from one file share it. A file with other content starts anew. Thread-safe.
"""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

from desktop.base.errors import StorageError, UsageError
from desktop.base.phrases import say
from desktop.base.textio import decode, digest, read_bytes
from desktop.messages.usage import Usage
from desktop.providers.base import RequestKind

DEFAULT_CONTEXT_WINDOW = 200_000
DEFAULT_CHUNK = 20
NO_USAGE = Usage()
ERROR_KINDS = ("rate_limit", "overloaded", "auth", "network", "cut", "invalid")
_SHAPE = say("Repair the script file.")


@dataclass(frozen=True, slots=True)
class ScriptedCall:
    """A tool call: `arguments` is the raw JSON text, possibly malformed; `id` is empty when the file gives none."""

    id: str
    name: str
    arguments: str


@dataclass(frozen=True, slots=True)
class ScriptedError:
    kind: str
    after_chars: int = 0
    retry_after_s: float | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class ScriptedResponse:
    """One response of the file. `delay_s` in seconds before every chunk, `chunk` in characters."""

    kind: str = "main"
    text: str = ""
    thinking: str = ""
    calls: tuple[ScriptedCall, ...] = ()
    delay_s: float = 0.0
    chunk: int = DEFAULT_CHUNK
    usage: Usage = NO_USAGE
    error: ScriptedError | None = None


USED_UP = ScriptedResponse(text="done")


class Script:
    """The responses of one file and how far each kind has been given out."""

    def __init__(self, responses: tuple[ScriptedResponse, ...], context_window: int, content: str) -> None:
        self.context_window = context_window
        self.content = content
        self.kinds = frozenset(response.kind for response in responses)
        self._waiting: dict[str, list[ScriptedResponse]] = {}
        for response in responses:
            self._waiting.setdefault(response.kind, []).append(response)
        self._lock = threading.Lock()

    def next(self, kind: RequestKind) -> ScriptedResponse:
        """The next response of that kind; when they are used up, the text `done`."""
        with self._lock:
            waiting = self._waiting.get(kind)
            return waiting.pop(0) if waiting else USED_UP


_scripts: dict[Path, Script] = {}
"""By real path. Process-wide on purpose: see above."""
_scripts_lock = threading.Lock()


def open_script(path: Path) -> Script:
    """The script of a file, shared within the process.

    Raises:
        UsageError: missing, unreadable, no JSON, or not of the documented shape; names the file and the key.
    """
    try:
        data = read_bytes(path)
    except StorageError as error:
        raise UsageError(
            say("The scripted model's file cannot be read: {path}.", path=path), hint=say("Check its path."), detail=error.detail
        ) from error
    content = digest(data)
    with _scripts_lock:
        key = path.resolve()
        known = _scripts.get(key)
        if known is None or known.content != content:
            known = _scripts[key] = _parsed(data, content, path)
        return known


def _parsed(data: bytes, content: str, path: Path) -> Script:
    try:
        value = json.loads(decode(data))
    except (ValueError, RecursionError) as error:
        raise UsageError(say("{path} is not JSON: {error}.", path=path, error=error), hint=_SHAPE) from error
    top = _Reader(path, "", value, ("responses", "context_window"))
    responses = top.list("responses")
    window = top.whole("context_window", DEFAULT_CONTEXT_WINDOW, least=1)
    return Script(tuple(_response(path, i, r) for i, r in enumerate(responses)), window, content)


def _response(path: Path, index: int, value: Any) -> ScriptedResponse:
    where = f"responses[{index}]"
    keys = ("for", "text", "thinking", "tool_calls", "delay_ms", "chunk", "usage", "error")
    reader = _Reader(path, where, value, keys)
    error = reader.value.get("error")
    return ScriptedResponse(
        kind=reader.choice("for", "main", get_args(RequestKind)),
        text=reader.text("text"),
        thinking=reader.text("thinking"),
        calls=tuple(_call(path, f"{where}.tool_calls[{i}]", call) for i, call in enumerate(reader.list("tool_calls"))),
        delay_s=reader.number("delay_ms", 0.0) / 1000,
        chunk=reader.whole("chunk", DEFAULT_CHUNK, least=1),
        usage=_usage(path, f"{where}.usage", reader.value.get("usage")),
        error=None if error is None else _error(path, f"{where}.error", error),
    )


def _call(path: Path, where: str, value: Any) -> ScriptedCall:
    reader = _Reader(path, where, value, ("id", "name", "input"))
    name = reader.text("name")
    if not name:
        raise reader.refused("name", "it is missing")
    given = reader.value.get("input", {})
    return ScriptedCall(reader.text("id"), name, given if isinstance(given, str) else json.dumps(given, ensure_ascii=False))


def _usage(path: Path, where: str, value: Any) -> Usage:
    if value is None:
        return Usage()
    keys = ("input_tokens", "output_tokens", "cache_read_tokens", "cache_write_tokens", "cost_usd")
    reader = _Reader(path, where, value, keys)
    counts = [reader.whole(key, 0) for key in keys[:4]]
    cost = None if reader.value.get("cost_usd") is None else reader.number("cost_usd", 0.0)
    return Usage(counts[0], counts[1], counts[2], counts[3], cost)


def _error(path: Path, where: str, value: Any) -> ScriptedError:
    reader = _Reader(path, where, value, ("kind", "after_chars", "retry_after_s", "message"))
    wait = reader.value.get("retry_after_s")
    return ScriptedError(
        kind=reader.choice("kind", "", ERROR_KINDS),
        after_chars=reader.whole("after_chars", 0),
        retry_after_s=None if wait is None else reader.number("retry_after_s", 0.0),
        message=reader.text("message"),
    )


class _Reader:
    """Reads the fields of one JSON object; whatever is wrong becomes a UsageError that names file, place and key."""

    def __init__(self, path: Path, where: str, value: Any, keys: tuple[str, ...]) -> None:
        self._path = path
        self._where = where
        if not isinstance(value, dict):
            raise UsageError(say("{path}: {place} is not a JSON object.", path=path, place=where or say("the file")), hint=_SHAPE)
        self.value: Mapping[str, Any] = value
        for key in value:
            if key not in keys:
                raise self.refused(key, f"there is no such key (known: {', '.join(keys)})")

    def refused(self, key: str, reason: str) -> UsageError:
        place = f"{self._where}.{key}" if self._where else key
        return UsageError(say("{path}: “{place}”: {reason}.", path=self._path, place=place, reason=reason), hint=_SHAPE)

    def text(self, key: str) -> str:
        found = self.value.get(key)
        if found is not None and not isinstance(found, str):
            raise self.refused(key, "it must be a text")
        return found or ""

    def list(self, key: str) -> list[Any]:
        found = self.value.get(key)
        if found is not None and not isinstance(found, list):
            raise self.refused(key, "it must be a list")
        return found or []

    def whole(self, key: str, default: int, *, least: int = 0) -> int:
        found = self.value.get(key)
        if found is None:
            return default
        if not isinstance(found, int) or isinstance(found, bool) or found < least:
            raise self.refused(key, f"it must be a whole number from {least} on")
        return found

    def number(self, key: str, default: float) -> float:
        found = self.value.get(key)
        if found is None:
            return default
        if not isinstance(found, (int, float)) or isinstance(found, bool) or not 0 <= found < float("inf"):
            raise self.refused(key, "it must be a number from 0 on")
        return float(found)

    def choice(self, key: str, default: str, allowed: tuple[str, ...]) -> str:
        found = self.value.get(key) or default
        if found not in allowed:
            raise self.refused(key, f"“{found}” is not one of {', '.join(allowed)}")
        return str(found)
