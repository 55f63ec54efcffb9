"""The answer that is being streamed, kept beside the transcript while it comes, so that a crash loses at most the last moments of it.

One file a session, replaced as a whole, there as long as a turn runs: that it is there when the session is opened says that a process
ended in the middle of one. What it holds is then put into the transcript as an interrupted answer. Not flushed to the device: it guards
against a killed process, the transcript against power loss. Blocking.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from pathlib import Path

from desktop.base.clock import Clock
from desktop.base.errors import StorageError
from desktop.base.ids import new_message_id
from desktop.base.textio import read_bytes, write_all
from desktop.messages.codec import message_from_json, message_to_json
from desktop.messages.parts import Message, Part, ToolCallPart
from desktop.sessions.handle import SessionHandle

SUFFIX = ".running"
LIMIT = 32 << 20
RECOVERED = "recovered"
"""In a message's notes: it was put together from what a process left that ended in the middle."""
log = logging.getLogger(__name__)


def running_path(transcript: Path) -> Path:
    """Where the running answer of a session is kept."""
    return transcript.with_name(transcript.name + SUFFIX)


def _next_path(transcript: Path) -> Path:
    """Where its next version is written; always the same, so that a process that is killed meanwhile leaves one file at the most."""
    return transcript.with_name(transcript.name + SUFFIX + ".new")


def keep_running(transcript: Path, message: Message) -> bool:
    """Keep what has come so far, in one thread at a time; `message.parent` is the message that it answers.

    Returns:
        Whether it is kept. A failure is logged: the answer itself goes on, and what was kept before still is.
    """
    path, beside = running_path(transcript), _next_path(transcript)
    data = json.dumps(message_to_json(message)).encode("ascii")
    flags = os.O_WRONLY | os.O_CREAT | os.O_TRUNC | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0)
    try:
        handle = os.open(beside, flags, 0o600)
        try:
            write_all(handle, data)
        finally:
            os.close(handle)
        beside.replace(path)
    except OSError as error:
        log.info("the running answer is not kept: %s", error)
        with suppress(OSError):  # on a full disk the half of it only takes room
            beside.unlink(missing_ok=True)
        return False
    return True


def drop_running(transcript: Path) -> None:
    """The answer stands in the transcript, or was given up."""
    try:
        running_path(transcript).unlink(missing_ok=True)
        _next_path(transcript).unlink(missing_ok=True)
    except OSError as error:
        log.info("the kept answer cannot be removed: %s", error)


def recover(handle: SessionHandle, clock: Clock) -> Message | None:
    """Put the answer into the transcript that a process left when it ended in the middle, and say in `handle.crashed` that one did.

    Returns:
        The message, or None: nothing of an answer had come, or the transcript went on without it.

    Raises:
        StorageError: it cannot be stored; it is still kept.
    """
    if handle.incognito or not running_path(handle.path).exists():
        return None
    handle.crashed = True
    message, stored = _read(running_path(handle.path)), None
    if message is not None and handle.messages and message.parent == handle.messages[-1].id:
        parts = _without_calls(message.parts)
        notes = {**(message.notes or {}), RECOVERED: True}
        if parts:
            answer = replace(message, id=new_message_id(clock.now()), parts=parts, stop="interrupted", notes=notes)
            stored = handle.append(answer, when=min(answer.time, clock.now()))  # opening a session does not make it the newest
    drop_running(handle.path)
    return stored


def left_answer(transcript: Path, last: Message | None) -> Message | None:
    """What a process left of an answer to the message `last`, as `recover` would put it into the transcript; nothing is changed."""
    if last is None or not running_path(transcript).exists():
        return None
    message = _read(running_path(transcript))
    if message is None or message.parent != last.id:
        return None
    parts = _without_calls(message.parts)
    return replace(message, parts=parts, stop="interrupted", notes={**(message.notes or {}), RECOVERED: True}) if parts else None


def _without_calls(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Words and thoughts; a call of an answer that never came to its end was never run."""
    return tuple(part for part in parts if not isinstance(part, ToolCallPart))


def _read(path: Path) -> Message | None:
    try:
        return message_from_json(json.loads(read_bytes(path, LIMIT)))
    except (StorageError, ValueError, RecursionError) as error:
        log.warning("the kept answer %s cannot be read: %s", path.name, error)
        return None
