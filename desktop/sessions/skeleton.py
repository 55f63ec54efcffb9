"""The bones of a transcript: which message follows which, where each stands in the file, and which of them are live; not what they say.

For numbers and neighbours in files that need not be read whole. Numbers are those of `LoadedTranscript`: in file order each message once,
and along the live branch; both from 1. Writes nothing; blocking, any thread.
"""

from __future__ import annotations

from array import array
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

from desktop.messages.parts import Message
from desktop.sessions.lines import Moved, Seen, Stopped, is_final, items, lines
from desktop.sessions.transcript import decoded, open_plain


@dataclass(slots=True)
class Skeleton:
    """Messages by their place in file order, from 0.

    Attributes:
        ids: in file order.
        places: place by id.
        parents: place of the message before each on its branch; -1 for the first of a branch.
        offsets: where the line of each begins.
        leaf: place of the last live message; -1 for none.
    """

    ids: list[str] = field(default_factory=list)
    places: dict[str, int] = field(default_factory=dict)
    parents: array[int] = field(default_factory=lambda: array("q"))
    offsets: array[int] = field(default_factory=lambda: array("q"))
    leaf: int = -1
    _live: dict[int, int] | None = None

    def add(self, seen: Seen, offset: int) -> None:
        """As `read_transcript` takes it: once each, and behind the one before it where its parent is lost."""
        if seen.id in self.places:
            return
        before = len(self.ids) - 1
        self.parents.append(-1 if seen.parent is None else self.places.get(seen.parent, before))
        self.offsets.append(offset)
        self.places[seen.id] = self.leaf = before + 1
        self.ids.append(seen.id)

    def move(self, leaf: str | None) -> None:
        if leaf is None or leaf in self.places:
            self.leaf = -1 if leaf is None else self.places[leaf]

    def upwards(self, place: int) -> list[int]:
        """The branch that ends at a place, from its first message on."""
        found = []
        while place >= 0:
            found.append(place)
            place = self.parents[place]
        return found[::-1]

    def live_number(self, place: int) -> int | None:
        """The number of a message in the live branch, from 1; None when it is on another one."""
        if self._live is None:
            self._live = {at: number for number, at in enumerate(self.upwards(self.leaf), 1)}
        return self._live.get(place)

    def branch_of(self, place: int) -> list[int]:
        """The live branch if the message is on it, else its own one, which goes on with the newest reply each time."""
        if self.live_number(place) is not None:
            return self.upwards(self.leaf)
        return self.upwards(self.end_of(place))

    def end_of(self, place: int) -> int:
        """Where a branch ends that goes on from a message with the newest reply each time."""
        newest = {parent: at for at, parent in enumerate(self.parents)}
        end = place
        while (after := newest.get(end)) is not None:
            end = after
        return end


def read_skeleton(file: BinaryIO, *, stopped: Stopped | None = None) -> Skeleton:
    """The bones of an opened transcript; of what was read so far, when stopped."""
    found = Skeleton()
    for line in lines(file, stopped=stopped):
        if not is_final(line):
            break
        for item in items(line, whole=False):
            if isinstance(item, Moved):
                found.move(item.leaf)
            else:
                found.add(item, line.start)
    return found


def messages_at(file: BinaryIO, skeleton: Skeleton, places: Sequence[int]) -> dict[int, Message]:
    """The messages at these places, read one by one; those that are not there any more are left out."""
    found: dict[int, Message] = {}
    for place in places:
        line = next(lines(file, skeleton.offsets[place]), None)
        for item in items(line, whole=True, silent=True) if line is not None else ():
            if isinstance(item, Seen) and item.id == skeleton.ids[place] and item.message is not None:
                found[place] = item.message
    return found


def open_transcript_bytes(path: Path) -> BinaryIO:
    """The transcript as UTF-8 bytes; see `transcript.decoded`.

    Raises:
        OSError: missing, unreadable, or no plain file.
    """
    file = open_plain(path)
    try:
        text = decoded(file)
    except BaseException:
        file.close()
        raise
    if text is not file:
        file.close()
    return text
