"""Forks: a new session that begins with the messages of another one up to a place, and goes its own way from there.

Owns what of a session a fork takes along: messages keep their ids, so that what is known of them (how far memory was extracted, what was
forgotten) holds in the fork too. The source is only read. Blocking, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from desktop.base.errors import NotFoundError, StorageError
from desktop.base.phrases import say
from desktop.messages.parts import Message
from desktop.sessions.handle import SessionHandle
from desktop.sessions.store import SessionStore
from desktop.sessions.summary import TITLE_LENGTH, SessionSummary, one_line
from desktop.sessions.transcript import LoadedTranscript

TAKEN_ALONG = ("memory_enabled", "mode")
"""Named values that hold in a fork as they do in its source."""
CURSORS = ("extraction_cursor", "extraction_cursors_left")
"""Named values that name messages: the fork's are the nearest ones that it has."""
ROOM = 6
"""Characters of a title that are left for blanks and the number of a fork."""
_NUMBERED = re.compile(r"(.*?)(?: (\d{1,4}))?", re.S)


def fork(sessions: SessionStore, session_id: str, message_id: str | None = None, *, title: str = "") -> str:
    """A new session with the messages of another one up to `message_id`, on the branch that ends there.

    Args:
        message_id: the last one that it holds; None: the end of the live branch.
        title: of the new one; empty: that of the source with “(fork)” behind it.

    Returns:
        The id of the new session; it is stored and closed.

    Raises:
        NotFoundError: no such session or message.
        StorageError: there is nothing to fork, or it cannot be written; the source is unharmed in any case.
    """
    return fork_loaded(sessions, sessions.load(session_id), sessions.find(session_id), message_id, title=title)


def fork_loaded(
    sessions: SessionStore, loaded: LoadedTranscript, source: SessionSummary, message_id: str | None = None, *, title: str = ""
) -> str:
    """As `fork`, of a session that was read already, wherever it lies; `source` is its line of the list."""
    messages = branch_of(loaded, source.id, message_id)
    header = loaded.header
    handle = sessions.create(
        project_key=header.project_key if header and header.project_key else source.project_key,
        workspace=Path(header.workspace if header else source.workspace),
        memory_enabled=header.memory_enabled if header else loaded.meta.get("memory_enabled") is True,
        model=loaded.model or (header.model if header else ""),
        parent=source.id,
        parent_message=messages[-1].id,
        branch=header.branch if header else source.branch,
    )
    try:
        _fill(handle, loaded, messages, title or fork_title(source.title or source.id))
    finally:
        handle.close()
    return handle.id


def branch_of(loaded: LoadedTranscript, session_id: str, message_id: str | None) -> tuple[Message, ...]:
    """The messages from the first one to `message_id`, and with a call those that answer it.

    Raises:
        NotFoundError: there is no such message.
        StorageError: there is none at all.
    """
    by_id = {message.id: message for message in loaded.messages}
    end = message_id if message_id is not None else loaded.leaf
    if end is not None and end not in by_id:
        raise NotFoundError(say("The session {id} has no message {message_id}.", id=session_id, message_id=end))
    found: list[Message] = []
    at = by_id.get(end) if end is not None else None
    while at is not None:
        found.append(at)
        at = by_id.get(at.parent) if at.parent is not None else None
    if not found:
        raise StorageError(
            say("The session {id} holds no messages, so there is nothing to fork.", id=session_id), hint=say("Begin a new chat instead.")
        )
    return (*reversed(found), *answers_behind(loaded.messages, found[0], loaded.live))


def answers_behind(messages: Sequence[Message], end: Message, live: Sequence[Message]) -> list[Message]:
    """The messages that hold the results of the calls with which a branch would end: without them the calls count as interrupted.

    Of several branches behind `end` it is the live one, else the newest.
    """
    found: list[Message] = []
    on_live = {message.id for message in live}
    open_calls = {call.id for call in end.tool_calls}
    if end.role == "tool":
        open_calls = _still_open(messages, end)
    while open_calls:
        next_ones = [one for one in messages if one.parent == end.id and one.role == "tool"]
        if not next_ones:
            break
        end = next((one for one in next_ones if one.id in on_live), next_ones[-1])
        open_calls -= {result.call_id for result in end.tool_results}
        found.append(end)
    return found


def _still_open(messages: Sequence[Message], end: Message) -> set[str]:
    """The calls before a result that it and the results before it do not answer."""
    by_id = {message.id: message for message in messages}
    answered: set[str] = set()
    at: Message | None = end
    while at is not None and at.role == "tool":
        answered |= {result.call_id for result in at.tool_results}
        at = by_id.get(at.parent) if at.parent is not None else None
    return {call.id for call in at.tool_calls} - answered if at is not None else set()


def fork_title(title: str, mark: str = "") -> str:
    """“Plan” becomes “Plan (fork)”, that “Plan (fork) 2”; `mark`: “(fork)” in the person's language."""
    mark = mark or str(say("(fork)"))
    found = _NUMBERED.fullmatch(title)
    base, number = (found[1], found[2]) if found is not None else (title, None)
    if base.endswith(mark):
        return f"{base} {int(number or 1) + 1}"
    return f"{one_line(title, TITLE_LENGTH - len(mark) - ROOM)} {mark}"  # the list cuts titles, and would cut off the mark


def _fill(handle: SessionHandle, loaded: LoadedTranscript, messages: Sequence[Message], title: str) -> None:
    for name, value in taken_along(loaded, messages).items():
        handle.set_meta(name, value)
    handle.set_meta("title", title)
    handle.append_all(messages)


def taken_along(loaded: LoadedTranscript, messages: Sequence[Message]) -> Mapping[str, Any]:
    """The named values with which a fork begins."""
    found: dict[str, Any] = {name: loaded.meta[name] for name in TAKEN_ALONG if name in loaded.meta}
    here = {message.id for message in messages}
    parents = {message.id: message.parent for message in loaded.messages}
    looked_at: list[str] = []
    for name in CURSORS:
        value = loaded.meta.get(name)
        for one in value if isinstance(value, list) else [value]:
            while isinstance(one, str) and one not in here:
                one = parents.get(one)
            if isinstance(one, str):
                looked_at.append(one)
    order = {message.id: number for number, message in enumerate(messages)}
    if looked_at:
        found[CURSORS[0]] = max(looked_at, key=order.__getitem__)
    return found
