"""The answer that is being streamed, kept beside the transcript while it comes, so that a crash loses at most the last moments of it.

One file a session, replaced as a whole; gone once the answer stands in the transcript. What a dead process left is put into the transcript
as an interrupted answer when the session is opened again. Not flushed to the device: it guards against a killed process, the transcript
against power loss. Blocking.
"""

from __future__ import annotations

import json
import logging
import os
from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path

from desktop.base.clock import Clock
from desktop.base.errors import StorageError
from desktop.base.ids import new_message_id
from desktop.base.textio import read_bytes, temporary_name
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


def keep_running(transcript: Path, message: Message) -> None:
    """Keep what has come so far; `message.parent` is the message that it answers. A failure is logged: the answer itself goes on."""
    path = running_path(transcript)
    data = json.dumps(message_to_json(message)).encode("ascii")
    temporary = path.with_name(temporary_name(path.name))
    try:
        handle = os.open(temporary, os.O_WRONLY | os.O_CREAT | os.O_EXCL | getattr(os, "O_BINARY", 0), 0o600)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(data)
            temporary.replace(path)
        except OSError:
            temporary.unlink(missing_ok=True)
            raise
    except OSError as error:
        log.info("the running answer is not kept: %s", error)


def drop_running(transcript: Path) -> None:
    """The answer stands in the transcript, or was given up."""
    try:
        running_path(transcript).unlink(missing_ok=True)
    except OSError as error:
        log.info("the kept answer cannot be removed: %s", error)


def recover(handle: SessionHandle, clock: Clock) -> Message | None:
    """Put the answer into the transcript that a process left when it ended in the middle.

    Returns:
        The message, or None: there was none, or the transcript went on without it.

    Raises:
        StorageError: it cannot be stored; it is still kept.
    """
    path = running_path(handle.path)
    if handle.incognito or not path.is_file():
        return None
    message = _read(path)
    wanted = message is not None and bool(message.parts) and bool(handle.messages) and message.parent == handle.messages[-1].id
    stored = None
    if message is not None and wanted:
        parts = _without_open_calls(message.parts)
        notes = {**(message.notes or {}), RECOVERED: True}
        if parts:
            stored = handle.append(replace(message, id=new_message_id(clock.now()), parts=parts, stop="interrupted", notes=notes))
    drop_running(handle.path)
    return stored


def _without_open_calls(parts: Sequence[Part]) -> tuple[Part, ...]:
    """Words and thoughts; a call that was never run is no part of what happened."""
    return tuple(part for part in parts if not isinstance(part, ToolCallPart))


def _read(path: Path) -> Message | None:
    try:
        return message_from_json(json.loads(read_bytes(path, LIMIT)))
    except (StorageError, ValueError, RecursionError) as error:
        log.warning("the kept answer %s cannot be read: %s", path.name, error)
        return None
