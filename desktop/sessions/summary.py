"""What the session list shows of a transcript, read from its head and tail only; a small file is read whole where these do not tell.

Also the rules of a session's title and state. Blocking reads; no writing. Budget: 2,000 sessions in 250 ms of CPU.
"""

from __future__ import annotations

import json
import os
import stat
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

from desktop.base.clock import from_seconds
from desktop.base.phrases import say
from desktop.messages.parts import Message
from desktop.messages.usage import Usage
from desktop.sessions.prompt_text import own_words
from desktop.sessions.record import SCHEMA, SessionHeader, header_from_json
from desktop.sessions.references import without_references
from desktop.sessions.summary_tail import ARCHIVED, PINNED, TITLE_NAMES, TailFacts, list_values, tail_facts
from desktop.sessions.transcript import LoadedTranscript, read_transcript

__all__ = [
    "TITLE_NAMES",
    "SessionSummary",
    "first_prompt_title",
    "message_state",
    "quick_summary",
    "read_summary",
    "summary_of",
    "title_of",
]

HEAD = 4_096
TAIL = 16_384
FURTHER = 131_072
"""Bytes of the end that are looked at where the first ones do not tell enough."""
LOOSE = 4 << 20
WHOLE = 32 << 20
"""Bytes of a file that is read whole where its ends do not tell; of a larger one the list shows what its last LOOSE bytes tell."""
TITLE_LENGTH = 80
PREVIEW_LENGTH = 200

DONE, INTERRUPTED, FAILED, DAMAGED = "done", "interrupted", "failed", "damaged"


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
        counted: `messages` and `tokens` are known; False for a file that is too large to be read for the list, until somebody reads it.
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
    counted: bool = True


# --- title, state, preview ----------------------------------------------------------------------------------------------


def one_line(text: str, length: int) -> str:
    """The first line of `text` that is not blank, cut to `length` characters with an ellipsis."""
    line = next((" ".join(line.split()) for line in text.splitlines() if line.strip()), "")
    return line if len(line) <= length else line[: length - 1].rstrip() + "…"


def preview_of(text: str) -> str:
    """The start of a text with its lines joined, at most PREVIEW_LENGTH characters."""
    words = " ".join(text.lstrip()[: 4 * PREVIEW_LENGTH].split())
    return words if len(words) <= PREVIEW_LENGTH else words[: PREVIEW_LENGTH - 1].rstrip() + "…"


def first_prompt_title(messages: Iterable[Message]) -> str:
    """The first real prompt's first line: what a person wrote, without the wrappers of tools and without commands (`prompt_text`)."""
    for message in messages:
        if message.role == "user" and message.origin == "person":
            line = one_line(without_references(own_words(message.text)), TITLE_LENGTH)
            if line:
                return line
    return ""


def title_of(meta: Mapping[str, Any], prompt_title: str) -> str:
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


def values_for_list(
    count: int, last: Message | None, usage: Usage, model: str, meta: Mapping[str, Any], prompt_title: str
) -> dict[str, Any]:
    """What a record carries for the list: length and last message of the live branch as it stands then, usage of all requests so far."""
    return list_values(
        count=count,
        tokens=usage.total_tokens,
        state=message_state(last) if last is not None else DONE,
        model=model,
        title=title_of(meta, prompt_title),
        cost_usd=usage.cost_usd,
        meta=meta,
    )


# --- reading ------------------------------------------------------------------------------------------------------------


def read_summary(path: Path) -> SessionSummary:
    """The summary of one transcript; a file that cannot be read gives one in state `damaged`. Never raises."""
    try:
        ends = _Ends.of(path)
    except OSError:
        return _damaged(path)
    found = _from_ends(ends, path)
    if found is not None:
        return found
    if ends.size <= WHOLE:
        return summary_of(read_transcript(path), path, ends.modified, ends.size)
    return _from_ends(ends, path, loose=True) or _damaged(path, ends.modified, ends.size)


def quick_summary(path: Path) -> SessionSummary | None:
    """The summary out of the first and last bytes alone, however long the file is; None where these do not tell it. Never raises."""
    try:
        return _from_ends(_Ends.of(path), path)
    except OSError:
        return None


@dataclass(frozen=True, slots=True)
class _Ends:
    """First and last bytes of a file (overlapping when it is short), its time of change in seconds, and its size."""

    head: bytes
    tail: bytes
    modified: float
    size: int

    @classmethod
    def of(cls, path: Path) -> _Ends:
        handle = os.open(path, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_BINARY", 0))
        try:
            status = os.fstat(handle)
            if not stat.S_ISREG(status.st_mode):
                raise OSError(say("it is not a plain file"))
            if status.st_size <= TAIL:
                data = os.read(handle, TAIL)
                return cls(data, data, status.st_mtime, status.st_size)
            head = os.read(handle, HEAD)
            os.lseek(handle, status.st_size - TAIL, os.SEEK_SET)
            return cls(head, os.read(handle, TAIL), status.st_mtime, status.st_size)
        finally:
            os.close(handle)


def _more_of(path: Path, size: int, length: int) -> bytes:
    """The last bytes of a file; empty when it cannot be read any more."""
    try:
        with path.open("rb") as file:
            file.seek(max(0, size - length))
            return file.read(length)
    except OSError:
        return b""


def _from_ends(ends: _Ends, path: Path, *, loose: bool = False) -> SessionSummary | None:
    """The summary out of the header and the values at the end; None if they do not hold them."""
    header = _header(ends.head)
    if header is None and not loose:
        return None
    facts = tail_facts(ends.tail, loose=loose)
    if (facts is None or not facts.text) and ends.size > TAIL:
        more = tail_facts(_more_of(path, ends.size, LOOSE if loose else FURTHER), loose=loose)
        facts = more if more is not None else facts
    return None if facts is None else _summary(header, facts, path, ends.size)


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


def _summary(header: SessionHeader | None, facts: TailFacts, path: Path, size: int) -> SessionSummary:
    identity = header.id if header else path.stem
    return SessionSummary(
        id=identity,
        title=one_line(facts.title, TITLE_LENGTH) or identity,
        workspace=header.workspace if header else "",
        project_key=header.project_key if header else path.parent.name,
        source="keepsake",
        started=header.created if header else facts.updated,
        updated=facts.updated,
        messages=facts.count,
        model=facts.model,
        tokens=facts.tokens,
        state=facts.state,
        path=path,
        preview=preview_of(facts.text),
        cost_usd=facts.cost_usd,
        size=size,
        branch=header.branch if header else "",
        kind=header.kind if header else "chat",
        parent=header.parent if header else "",
        pinned=facts.pinned,
        archived=facts.archived,
        damaged=facts.damaged + (header is None),
    )


def usage_of(messages: Iterable[Message], before: Usage | None = None) -> Usage:
    """What all requests of these messages used together, and those of `before`."""
    return sum((message.usage for message in messages if message.usage), before or Usage())


def summary_of(loaded: LoadedTranscript, path: Path, modified: float, size: int = 0) -> SessionSummary:
    """The summary of a transcript that was read whole."""
    header, live = loaded.header, loaded.live
    if header is None and not loaded.messages:
        return _damaged(path, modified, size)
    changed = from_seconds(modified)
    started = header.created if header else live[0].time if live else changed
    last_text = next((m.text for m in reversed(live) if m.origin in ("person", "model") and m.text.strip()), "")
    identity = header.id if header else path.stem
    usage = usage_of(loaded.messages)
    return SessionSummary(
        id=identity,
        title=title_of(loaded.meta, first_prompt_title(live) or first_prompt_title(loaded.messages)) or identity,
        workspace=header.workspace if header else "",
        project_key=header.project_key if header else path.parent.name,
        source="keepsake",
        started=started,
        updated=loaded.written or (loaded.messages[-1].time if loaded.messages else started),
        messages=len(live),
        model=loaded.model,
        tokens=usage.total_tokens,
        state=message_state(live[-1]) if live else DONE,
        path=path,
        preview=preview_of(last_text),
        cost_usd=usage.cost_usd,
        size=size,
        branch=header.branch if header else "",
        kind=header.kind if header else "chat",
        parent=header.parent if header else "",
        pinned=loaded.meta.get(PINNED) is True,
        archived=loaded.meta.get(ARCHIVED) is True,
        damaged=len(loaded.damage),
    )


def _damaged(path: Path, modified: float | None = None, size: int = 0) -> SessionSummary:
    if modified is None:
        try:
            modified = path.lstat().st_mtime
        except OSError:
            modified = 0.0
    moment = from_seconds(modified)
    return SessionSummary(
        path.stem, path.stem, "", path.parent.name, "keepsake", moment, moment, 0, "", 0, DAMAGED, path, size=size, damaged=1
    )
