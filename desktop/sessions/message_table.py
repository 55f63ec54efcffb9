"""Where each message of a transcript stands and which one it follows, in 25 bytes a message: a million of them must not cost 200 MB.

Ids are kept as 64-bit hashes of this process; the file has the ids themselves. Values only; no I/O; one thread at a time.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterable

_FIRST_SLOTS = 1 << 10


class MessageTable:
    """Messages by their place in file order, from 0.

    Attributes:
        parents: place of the message before each on its branch; -1 for the first of a branch.
        offsets: where the line of each begins, in bytes.
        leaf: place of the last message of the live branch; -1 for none.
    """

    def __init__(self) -> None:
        self.parents: array[int] = array("i")
        self.offsets: array[int] = array("q")
        self.leaf = -1
        self._keys: array[int] = array("q")
        self._slots: array[int] = array("i", bytes(4 * _FIRST_SLOTS))
        self._forks: tuple[int, dict[int, list[int]]] = (0, {})

    def __len__(self) -> int:
        return len(self.parents)

    def find(self, message_id: str) -> int:
        """The place of a message, or -1."""
        key = hash(message_id)
        slots, keys = self._slots, self._keys
        mask = len(slots) - 1
        at = key & mask
        while place := slots[at]:
            if keys[place - 1] == key:
                return place - 1
            at = (at + 1) & mask
        return -1

    def is_at(self, place: int, message_id: str) -> bool:
        return self._keys[place] == hash(message_id)

    def add(self, message_id: str, parent: str | None, offset: int) -> int:
        """Take the next message and make it the live one. Where its parent is lost it follows the one before it in the file.

        Returns:
            Its place, or -1 when a message of that id is there already.
        """
        if self.find(message_id) >= 0:
            return -1
        place = len(self.parents)
        found = -1
        if parent is not None and (found := self.find(parent)) < 0:
            found = place - 1
        self.parents.append(found)
        self.offsets.append(offset)
        self._keys.append(hash(message_id))
        self.leaf = place
        if 3 * (place + 1) > 2 * len(self._slots):
            self._grow()
        else:
            self._put(self._slots, place)
        return place

    def _put(self, slots: array[int], place: int) -> None:
        mask = len(slots) - 1
        at = self._keys[place] & mask
        while slots[at]:
            at = (at + 1) & mask
        slots[at] = place + 1

    def _grow(self) -> None:
        slots: array[int] = array("i", bytes(4 * 4 * len(self._slots)))
        for place in range(len(self._keys)):
            self._put(slots, place)
        self._slots = slots

    # --- branches ----------------------------------------------------------------------------------------------------

    def upwards(self, place: int) -> array[int]:
        """The branch that ends at a place, from its first message on."""
        found: array[int] = array("i")
        while place >= 0:
            found.append(place)
            place = self.parents[place]
        found.reverse()
        return found

    def end_of(self, place: int) -> int:
        """Where the branch of a message ends that goes on with the newest reply each time."""
        newest = self._newest(place)
        while place in newest:
            place = newest[place]
        return place

    def _newest(self, start: int) -> dict[int, int]:
        """The newest reply to each message from `start` on. A child always stands behind its parent."""
        return {self.parents[at]: at for at in range(start + 1, len(self.parents)) if self.parents[at] >= start}

    def versions(self, place: int) -> list[int]:
        """The messages that follow the same one, itself among them, in file order; only itself where there is no other."""
        length, forks = self._forks
        if length != len(self.parents):
            self._forks = (len(self.parents), forks := _forks(self.parents))
        return forks.get(self.parents[place], [place])


def _forks(parents: Iterable[int]) -> dict[int, list[int]]:
    """Parent → its children, of those that have more than one."""
    found: dict[int, list[int]] = {}
    known = array("i", [-1])  # by parent + 1: its first child
    for place, parent in enumerate(parents):
        known.append(-1)
        if known[parent + 1] < 0:
            known[parent + 1] = place
        else:
            found.setdefault(parent, [known[parent + 1]]).append(place)
    return found
