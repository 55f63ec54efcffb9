"""Where a found message stands now: its session's title and folder, its numbers in file and live branch, the messages beside it.

Keeps what it read of a few sessions while their files stay as they are. Reads transcripts in bounded memory, never the index. Thread-safe,
blocking.
"""

from __future__ import annotations

import stat
import threading
from collections import OrderedDict
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop.base.errors import NotFoundError, StorageError
from desktop.base.phrases import os_reason, say
from desktop.messages.parts import Message
from desktop.search.segment import query_terms
from desktop.search.snippet import marks
from desktop.sessions.context import cut, readable_text
from desktop.sessions.found import OWN, Neighbour, Neighbourhood
from desktop.sessions.index_fill import known_summary, state_of, title_in
from desktop.sessions.search_source import texts_of
from desktop.sessions.skeleton import Skeleton, messages_at, open_transcript_bytes, read_skeleton
from desktop.sessions.store import SUFFIX, SessionStore

MESSAGE_CUT, WHOLE_BYTES, NEIGHBOURS = 1_600, 20_000, 50
"""Characters of one neighbour, bytes of them all (8.2), and how many may be asked for on either side."""

SESSIONS_KEPT, MESSAGES_KEPT = 32, 400_000


@dataclass(frozen=True, slots=True)
class Standing:
    """A session's file as it is now. `state` changes when it does; `size` in bytes."""

    id: str
    path: Path
    state: str
    size: int


@dataclass(frozen=True, slots=True)
class Place:
    """A session as it is now; its title is masked. `source`: the tool that held it."""

    standing: Standing
    title: str
    project_key: str
    workspace: str
    source: str = OWN


class SessionLookup:
    """Answers about the sessions of one profile, whose projects' folders lie in `folder`."""

    def __init__(self, sessions: SessionStore, folder: Path) -> None:
        self._sessions = sessions
        self._folder = folder
        self._lock = threading.Lock()
        self._places: OrderedDict[str, Place] = OrderedDict()
        self._skeletons: OrderedDict[str, tuple[str, Skeleton]] = OrderedDict()

    def stands(self, session_id: str, folder: str = "") -> Standing | None:
        """Where the session's file is; None when it is gone or no file stands there. `folder` is where it was last."""
        path = self._folder / folder / f"{session_id}{SUFFIX}" if folder else None
        try:
            status = path.stat() if path is not None else None
        except OSError:
            status = None
        try:
            if path is None or status is None:
                path = self._sessions.path_of(session_id)
                status = path.stat()
        except (NotFoundError, OSError):
            return None
        return Standing(session_id, path, state_of(status), status.st_size) if stat.S_ISREG(status.st_mode) else None

    def place(self, standing: Standing) -> Place:
        """The session with its title, project and workspace."""
        with self._lock:
            known = self._places.get(standing.id)
        if known is not None and known.standing == standing:
            return known
        summary = known_summary(standing.path, standing.size)
        workspace, project = ("", standing.path.parent.name) if summary is None else (summary.workspace, summary.project_key)
        found = Place(standing, title_in(summary) or standing.id, project, workspace)
        with self._lock:
            self._places[standing.id] = found
            self._places.move_to_end(standing.id)
            while len(self._places) > 8 * SESSIONS_KEPT:
                self._places.popitem(last=False)
        return found

    def skeleton(self, standing: Standing) -> Skeleton:
        """The bones of a session.

        Raises:
            OSError: its file cannot be read.
        """
        with self._lock:
            known = self._skeletons.get(standing.id)
        if known is not None and known[0] == standing.state:
            return known[1]
        with open_transcript_bytes(standing.path) as file:
            found = read_skeleton(file)
        with self._lock:
            self._skeletons[standing.id] = (standing.state, found)
            self._skeletons.move_to_end(standing.id)
            while len(self._skeletons) > 1 and (len(self._skeletons) > SESSIONS_KEPT or self._kept() > MESSAGES_KEPT):
                self._skeletons.popitem(last=False)
        return found

    def _kept(self) -> int:
        return sum(len(skeleton.ids) for _, skeleton in self._skeletons.values())

    # --- the messages beside a hit ---------------------------------------------------------------------------------------

    def around(self, session_id: str, message: int | str, before: int, after: int, words: Sequence[str]) -> Neighbourhood:
        """See `SessionSearch.around`."""
        standing = self.stands(session_id)
        if standing is None:
            raise NotFoundError(say("There is no session {session_id}.", session_id=session_id))
        place = self.place(standing)
        try:
            skeleton = self.skeleton(standing)
            with open_transcript_bytes(standing.path) as file:

                def read(at: int) -> Message | None:
                    return messages_at(file, skeleton, (at,)).get(at)

                return beside(place, skeleton, read, message, before, after, words)
        except OSError as error:
            raise StorageError(
                say("The session {session_id} cannot be read ({reason}).", session_id=session_id, reason=os_reason(error)),
                hint=say("Check {path}.", path=standing.path),
                detail=str(error),
            ) from error


Read = Callable[[int], Message | None]
"""Gives the message at a place of a skeleton, or None where it cannot be read any more."""


def beside(
    place: Place, skeleton: Skeleton, read: Read, message: int | str, before: int, after: int, words: Sequence[str]
) -> Neighbourhood:
    """The messages beside one; see `SessionSearch.around`.

    Raises:
        NotFoundError: no such message.
        OSError: as `read`.
    """
    at = _place_of(skeleton, message, place.standing.id)
    branch = skeleton.branch_of(at)
    taken = _Reader(skeleton, read, words).beside(branch, branch.index(at), min(before, NEIGHBOURS), min(after, NEIGHBOURS))
    first, last = (branch.index(skeleton.places[end.message_id]) for end in (taken[0], taken[-1])) if taken else (0, len(branch) - 1)
    live, later = skeleton.live_number(at) is not None, len(branch) - 1 - last
    return Neighbourhood(
        place.standing.id, place.title, place.project_key, place.workspace, live, tuple(taken), first, later, place.source
    )  # fmt: skip


def _place_of(skeleton: Skeleton, message: int | str, session_id: str) -> int:
    if isinstance(message, str):
        at = skeleton.places.get(message)
    else:
        live = skeleton.upwards(skeleton.leaf)
        at = live[message - 1] if 1 <= message <= len(live) else None
    if at is None:
        live_length = len(skeleton.upwards(skeleton.leaf))
        raise NotFoundError(
            say("The session {session_id} has no message {message}.", session_id=session_id, message=message),
            hint=say("Its messages are numbered from 1 to {count}.", count=live_length),
        )
    return at


class _Reader:
    """Reads messages of one branch, from the one asked for outwards, until the room is used up."""

    def __init__(self, skeleton: Skeleton, read: Read, words: Sequence[str]) -> None:
        self._skeleton = skeleton
        self._message = read
        self._words = words
        self._room = WHOLE_BYTES

    def beside(self, branch: Sequence[int], at: int, before: int, after: int) -> list[Neighbour]:
        middle = self._read(branch[at], asked=True)
        earlier: list[Neighbour] = []
        later: list[Neighbour] = []
        sides = [(self._readable(reversed(branch[:at])), earlier, before), (self._readable(branch[at + 1 :]), later, after)]
        while sides:
            for side in tuple(sides):
                one = next(side[0], None) if len(side[1]) < side[2] else None
                if one is None:
                    sides.remove(side)
                else:
                    side[1].append(one)
        return [*reversed(earlier), *([middle] if middle is not None else []), *later]

    def _readable(self, places: Sequence[int] | Iterator[int]) -> Iterator[Neighbour]:
        for place in places:
            one = self._read(place, asked=False)
            if one is not None:
                size = len(one.text.encode("utf-8", "replace"))
                if size > self._room:
                    return
                self._room -= size
                yield one

    def _read(self, place: int, *, asked: bool) -> Neighbour | None:
        message = self._message(place)
        text = "" if message is None else self._text(message, asked)
        if message is None or not (text or asked):
            return None
        if asked:
            self._room -= len(text.encode("utf-8", "replace"))
        number = self._skeleton.live_number(place)
        return Neighbour(number, place + 1, message.id, message.role, message.time, text, asked)

    def _text(self, message: Message, asked: bool) -> str:
        if asked and self._words:
            whole = "\n".join(text for _, text in texts_of(message))
            if len(whole) > MESSAGE_CUT:
                return _window(whole, self._words)
        return cut(readable_text(message, masked=True), MESSAGE_CUT)


def _window(text: str, words: Sequence[str]) -> str:
    """The part of a long message that holds most of the words."""
    terms = [term for query in words for term in query_terms(query)]
    found = marks(text, terms)[:2_000]
    room = MESSAGE_CUT - 200
    best, start = 0, 0
    for number, (left, _, _) in enumerate(found):
        held = len({word for _, right, word in found[number : number + 60] if right <= left + room * 3 // 4})
        if held > best:
            best, start = held, max(0, left - room // 4)
    end = min(len(text), start + room)
    head = f"[{start:,} characters before this] … " if start else ""
    return head + text[start:end] + (f" … [{len(text) - end:,} more characters]" if end < len(text) else "")
