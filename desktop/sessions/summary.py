"""What the session list shows of a transcript, read from its head and tail only; the whole file is read where these do not tell.

Also the rules of a session's title and state. Blocking reads; no writing. Budget: 2,000 sessions in 250 ms of CPU.
"""

from __future__ import annotations

import json
import os
import re
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from desktop.base.clock import parse_iso
from desktop.base.phrases import say
from desktop.messages.parts import Message
from desktop.sessions.record import SCHEMA, SessionHeader, header_from_json
from desktop.sessions.transcript import LoadedTranscript, read_transcript

HEAD = 4_096
TAIL = 16_384
TITLE_LENGTH = 80
PREVIEW_LENGTH = 200
TITLE_NAMES = ("title", "generated_title")
"""Meta values that give a title: the person's own, then the model's."""

DONE, INTERRUPTED, FAILED, DAMAGED = "done", "interrupted", "failed", "damaged"

_ENVELOPE = re.compile(
    rb',"count":(\d{1,12}),"tokens":(\d{1,18}),"state":"([a-z]{1,20})","model":("(?:[^"\\]|\\.)*")(?:,"title":("(?:[^"\\]|\\.)*"))?,"time":"([^"]{1,40})","crc":"[0-9a-f]{8}"\}$'
)
_META = re.compile(rb'^\{"schema":\d+,"seq":\d+,"kind":"meta"')
_TEXT = re.compile(rb'"kind":"text","text":("(?:[^"\\]|\\.){1,2000}"?)')


@dataclass(frozen=True, slots=True)
class SessionSummary:
    """A line of the session list.

    Attributes:
        id: as in the file's name.
        title: custom, else generated, else the first prompt's first line; never empty.
        workspace: the folder, or an empty string where the header is lost.
        project_key: from the header, else the folder's name.
        source: `keepsake`; importers give others.
        started, updated: aware UTC; `updated` is the last message's time, so that opening or renaming never reorders.
        messages: length of the live branch.
        model: id of the model.
        tokens: sum over all requests.
        state: done, interrupted (it stopped in the middle), failed, damaged (nothing could be read).
        path: the file.
        preview: the last text, on one line.
        cost_usd: what all its requests cost; None: not known.
        size: of the file, in bytes.
        branch: the git branch on which it began; empty: none, or not known.
        kind: `chat`, or `sub-agent`: held by an agent on behalf of the session `parent`.
        parent: id of the session that it was forked from or works for.
        pinned, archived: as the person marked it; neither changes `updated`.
        damaged: places of the file that could not be read, as far as the list knows.
    """

    id: str
    title: str
    workspace: str
    project_key: str
    source: str
    started: datetime
    updated: datetime
    messages: int
    model: str
    tokens: int
    state: str
    path: Path
    preview: str = ""
    cost_usd: float | None = None
    size: int = 0
    branch: str = ""
    kind: str = "chat"
    parent: str = ""
    pinned: bool = False
    archived: bool = False
    damaged: int = 0


# --- title, state, preview ----------------------------------------------------------------------------------------------


def one_line(text: str, length: int) -> str:
    """The first line of `text` that is not blank, cut to `length` characters with an ellipsis."""
    line = next((" ".join(line.split()) for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def first_prompt_title(messages: Iterable[Message]) -> str:
    """The first real prompt's first line: what a person wrote that is no slash command."""
    for message in messages:
        if message.role == "user" and message.origin == "person":
            line = one_line(message.text, TITLE_LENGTH)
            if line and not line.startswith("/"):
                return line
    return ""


def title_of(meta: dict[str, Any], prompt_title: str) -> str:
    """Custom before generated before the first prompt; empty when there is none of them."""
    for name in TITLE_NAMES:
        value = meta.get(name)
        if isinstance(value, str) and value.strip():
            return one_line(value, TITLE_LENGTH)
    return prompt_title


def message_state(message: Message) -> str:
    """The state of a session whose last message this is."""
    if message.role != "assistant":
        return INTERRUPTED if message.origin != "app" else DONE
    if message.stop == "error":
        return FAILED
    return INTERRUPTED if message.tool_calls or message.stop == "interrupted" else DONE


# --- reading ------------------------------------------------------------------------------------------------------------


def read_summary(path: Path) -> SessionSummary:
    """The summary of one transcript; a file that cannot be read gives one in state `damaged`. Never raises."""
    try:
        head, tail, modified = _ends(path)
    except OSError:
        return _damaged(path)
    header = _header(head)
    if header is None:
        return summary_of(read_transcript(path), path, modified)
    return _from_tail(header, head, tail, path) or summary_of(read_transcript(path), path, modified)


def quick_summary(path: Path) -> SessionSummary | None:
    """The summary out of the first and last bytes alone, however long the file is; None where these do not tell it. Never raises."""
    try:
        head, tail, _ = _ends(path)
    except OSError:
        return None
    header = _header(head)
    return None if header is None else _from_tail(header, head, tail, path)


def _ends(path: Path) -> tuple[bytes, bytes, float]:
    """First and last bytes of the file (overlapping when it is short) and its time of change in seconds."""
    handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
    try:
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode):
            raise OSError(say("it is not a plain file"))
        if status.st_size <= TAIL:
            data = os.read(handle, TAIL)
            return data, data, status.st_mtime
        head = os.read(handle, HEAD)
        os.lseek(handle, status.st_size - TAIL, os.SEEK_SET)
        return head, os.read(handle, TAIL), status.st_mtime
    finally:
        os.close(handle)


def _header(head: bytes) -> SessionHeader | None:
    line = head[: head.find(b"\n") + 1]
    if b'"kind":"session"' not in line[:80]:
        return None
    try:
        value = json.loads(line)
    except (ValueError, RecursionError):
        return None
    schema = value.get("schema")
    return header_from_json(value.get("session"), schema if isinstance(schema, int) else SCHEMA)


def _from_tail(header: SessionHeader, head: bytes, tail: bytes, path: Path) -> SessionSummary | None:
    """The summary out of the last message's line end and the values stored behind it; None if the tail does not hold them."""
    meta: dict[str, Any] = {}
    lines = tail.split(b"\n")
    if lines.pop():
        return None  # no newline at the end: torn, or being written just now
    for number in range(len(lines) - 1, -1, -1):
        line = lines[number]
        found = _ENVELOPE.search(line[-2_000:])
        if found is not None:
            return _summary(header, found, meta, lines[number::-1], path)
        if _META.match(line) is None:
            return None
        _take_meta(line, meta)
    return None


def _take_meta(line: bytes, meta: dict[str, Any]) -> None:
    try:
        record = json.loads(line)
        name, value = record["meta"]["name"], record["meta"].get("value")
        if name in TITLE_NAMES:
            name, value = "title", record.get("title", value)
        meta.setdefault(name, value)
    except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return


def _summary(
    header: SessionHeader, found: re.Match[bytes], meta: dict[str, Any], backwards: list[bytes], path: Path
) -> SessionSummary | None:
    if "leaf" in meta:
        return None  # the live branch was moved after the last message: only the whole file tells its length
    count, tokens, state, used, title, moment = found.groups()
    updated = parse_iso(moment.decode("ascii", errors="replace"))
    if updated is None:
        return None
    stored = str(json.loads(title)) if title else ""
    model = meta.get("model") or json.loads(used)
    return SessionSummary(
        id=header.id,
        title=title_of(meta, stored) or header.id,
        workspace=header.workspace,
        project_key=header.project_key,
        source="keepsake",
        started=header.created,
        updated=updated,
        messages=int(count),
        model=str(model),
        tokens=int(tokens),
        state=state.decode("ascii"),
        path=path,
        preview=_preview(backwards),
    )


def _preview(backwards: list[bytes]) -> str:
    """The newest text of the person or the model among the lines, newest first, that stand whole in the tail."""
    for line in backwards[:4]:
        if not line.startswith(b"{") or b'"role":"tool"' in line[:200] or b'"origin":"app"' in line[:300]:
            continue
        found = _TEXT.search(line)
        if found is not None:
            return one_line(_unquoted(found.group(1)), PREVIEW_LENGTH)
    return ""


def _unquoted(quoted: bytes) -> str:
    """The text of a JSON string, or its start where the string is cut, also in the middle of an escape."""
    text = quoted.decode("ascii", errors="replace")
    for candidate in (text, *(text[: len(text) - cut] + '"' for cut in range(7))):
        try:
            return str(json.loads(candidate))
        except ValueError:
            continue
    return ""


def summary_of(loaded: LoadedTranscript, path: Path, modified: float) -> SessionSummary:
    """The summary of a transcript that was read whole."""
    header, live = loaded.header, loaded.live
    if header is None and not loaded.messages:
        return _damaged(path, modified)
    changed = datetime.fromtimestamp(modified, UTC)
    started = header.created if header else live[0].time if live else changed
    last_text = next((m.text for m in reversed(live) if m.origin in ("person", "model") and m.text.strip()), "")
    identity = header.id if header else path.stem
    return SessionSummary(
        id=identity,
        title=title_of(loaded.meta, first_prompt_title(live) or first_prompt_title(loaded.messages)) or identity,
        workspace=header.workspace if header else "",
        project_key=header.project_key if header else path.parent.name,
        source="keepsake",
        started=started,
        updated=loaded.messages[-1].time if loaded.messages else started,
        messages=len(live),
        model=loaded.model,
        tokens=sum(m.usage.total_tokens for m in loaded.messages if m.usage),
        state=message_state(live[-1]) if live else DONE,
        path=path,
        preview=one_line(last_text, PREVIEW_LENGTH),
    )


def _damaged(path: Path, modified: float | None = None) -> SessionSummary:
    if modified is None:
        try:
            modified = path.lstat().st_mtime
        except OSError:
            modified = 0.0
    moment = datetime.fromtimestamp(modified, UTC)
    return SessionSummary(path.stem, path.stem, "", path.parent.name, "keepsake", moment, moment, 0, "", 0, DAMAGED, path)
