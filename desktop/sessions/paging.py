"""A session read a page at a time, for views that must not wait for, or hold, the whole of it.

`Pager` is what a view asks, from one reading thread at a time; `LoadedPager` answers for a session that is in memory (another tool's, say),
`paged_file.FilePager` for a transcript of ours in its file. Numbers are those of the branch that is shown, from 1. Writes nothing.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Protocol

from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions.transcript import LoadedTranscript, branch

PAGE_MESSAGES = 60
PAGE_BYTES = 512 << 10
"""A page ends before the message with which it would be larger; one message is always in it."""
KEPT_DAMAGE = 1_000
"""Places of damage that are told one by one; all are counted."""
CUT = "cut"
"""Note of a message that is too long to be read whole: bytes of its line; its parts are their beginnings."""
_TOGETHER = 64
"""Results are read together with their calls up to this many messages back."""
MOST_FOUND = 10_000


@dataclass(frozen=True, slots=True)
class Versions:
    """A message among those that follow the same one.

    Attributes:
        position: of the message, from 1.
        ids: of all, itself among them, oldest first.
    """

    position: int
    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Page:
    """Messages that follow one another on the branch that is shown.

    Attributes:
        first: number of the first one; 0 while the file is not indexed.
        total: messages of the branch; 0 while the file is not indexed.
        versions: by message id, of those that have other versions beside them.
    """

    messages: tuple[Message, ...]
    first: int = 0
    total: int = 0
    versions: Mapping[str, Versions] = field(default_factory=dict)

    @property
    def last(self) -> int:
        """Number of the last message; 0 while the file is not indexed."""
        return self.first + len(self.messages) - 1 if self.first else 0


@dataclass(frozen=True, slots=True)
class Facts:
    """What is known of a session so far.

    Attributes:
        done: all of the file is indexed.
        read, size: bytes of the file.
        total: messages of the branch that is shown; 0 before all is indexed.
        messages: of all branches.
        is_live: the branch that is shown is the live one.
        damage: (line, reason) of the first KEPT_DAMAGE places that could not be read, or were read with doubt.
        damaged: how many such places there are.
        skipped: records and stretches that are not shown; what is only read with doubt does not count.
        newer: a record of a later version is there.
    """

    done: bool = True
    read: int = 0
    size: int = 0
    total: int = 0
    messages: int = 0
    is_live: bool = True
    damage: tuple[tuple[int, str], ...] = ()
    damaged: int = 0
    skipped: int = 0
    newer: bool = False


@dataclass(frozen=True, slots=True)
class Finding:
    """Where words stand on the branch that is shown.

    Attributes:
        numbers: of the messages, ascending; at most MOST_FOUND.
        next: number of the message to go on with; 0: all were looked at.
    """

    numbers: tuple[int, ...]
    next: int = 0


class Pager(Protocol):
    """See the module's text. Every method blocks and may be called from any thread; calls wait for one another."""

    def newest(self) -> Page:
        """The end of the live branch, without reading the whole file. Raises OSError where it cannot be read."""

    def index(self, seconds: float) -> Facts:
        """Go on with indexing for about so long; with what was written since, once all was indexed."""

    def facts(self) -> Facts:
        """What is known so far; reads nothing."""

    def page(self, first: int, last: int) -> Page:
        """Messages by number, no further than a page; from `last` backwards where `first` is 0. The file must be indexed."""

    def number_of(self, message_id: str) -> int:
        """The number of a message on the branch that is shown; 0: it is not on it."""

    def show(self, message_id: str) -> bool:
        """Show the branch that holds a message, the live one where it does or the id is empty. False: there is no such message."""

    def find(self, words: str, start: int, seconds: float) -> Finding:
        """Look for words, whatever their case, from a message on for about so long."""


class LoadedPager:
    """A session that was read whole."""

    def __init__(self, loaded: LoadedTranscript) -> None:
        self._loaded = loaded
        self._by_id = {one.id: one for one in loaded.messages}
        self._shown = loaded.live
        self._children = loaded.children

    def newest(self) -> Page:
        return self.page(0, len(self._shown))

    def index(self, seconds: float) -> Facts:
        return self.facts()

    def facts(self) -> Facts:
        loaded, size = self._loaded, len(self._loaded.messages)
        return Facts(
            total=len(self._shown),
            messages=size,
            is_live=self._shown == loaded.live,
            damage=tuple(loaded.damage[:KEPT_DAMAGE]),
            damaged=len(loaded.damage),
            skipped=loaded.skipped,
            newer=loaded.newer,
        )

    def page(self, first: int, last: int) -> Page:
        shown = self._shown
        numbers = page_numbers(
            first, last, len(shown), lambda number: size_of(shown[number - 1]), lambda number: shown[number - 1].role == "tool"
        )
        messages = shown[numbers.start - 1 : numbers.stop - 1]
        found = {one.id: versions for one in messages if (versions := self._versions(one)) is not None}
        return Page(messages, numbers.start, len(shown), found)

    def _versions(self, message: Message) -> Versions | None:
        ids = [one.id for one in self._children.get(message.parent, ())]
        return Versions(ids.index(message.id) + 1, tuple(ids)) if len(ids) > 1 and message.id in ids else None

    def number_of(self, message_id: str) -> int:
        return next((number for number, one in enumerate(self._shown, 1) if one.id == message_id), 0)

    def show(self, message_id: str) -> bool:
        live = self._loaded.live
        if not message_id or any(one.id == message_id for one in live):
            self._shown = live
            return True
        if message_id not in self._by_id:
            return False
        end = self._by_id[message_id]
        while replies := self._children.get(end.id):
            end = replies[-1]
        self._shown = branch(self._by_id, end.id)
        return True

    def find(self, words: str, start: int, seconds: float) -> Finding:
        needle, until = words.casefold(), time.monotonic() + seconds
        found: list[int] = []
        for number in range(start, len(self._shown) + 1):
            if time.monotonic() > until and number > start:
                return Finding(tuple(found), number)
            if holds(self._shown[number - 1], needle):
                found.append(number)
                if len(found) >= MOST_FOUND:
                    break
        return Finding(tuple(found))


def page_numbers(first: int, last: int, total: int, size: Callable[[int], int], is_result: Callable[[int], bool]) -> range:
    """The numbers of a page between `first` and `last`; it grows backwards from `last` where `first` is 0.

    A page never begins with results whose calls stand just before it. `size` and `is_result` are asked by number.
    """
    last = min(last, total)
    begin = end = 0
    room = PAGE_BYTES
    for number in range(first, last + 1) if first else range(last, 0, -1):
        room -= size(number)
        if begin and (room < 0 or end - begin + 1 >= PAGE_MESSAGES):
            break
        begin, end = (begin or number, number) if first else (number, end or number)
    if not begin:
        return range(1, 1)
    for _ in range(_TOGETHER):
        if begin <= 1 or not is_result(begin):
            break
        begin -= 1
    return range(begin, end + 1)


def size_of(message: Message) -> int:
    """About how many characters a message has."""
    return sum(len(text) for text in drawn_texts(message, reminders=True))


def drawn_texts(message: Message, *, reminders: bool = False) -> Sequence[str]:
    """The texts of a message that a view draws; what the app put in for the model is not among them."""
    found: list[str] = []
    for part in message.parts:
        match part:
            case TextPart():
                if reminders or message.origin != "app" or part.data is not None:
                    found.append(part.text)
            case ThinkingPart():
                found.append(part.text)
            case ToolCallPart():
                found += [value if isinstance(value, str) else str(value) for value in part.input.values()]
                found.append(part.raw or "")
            case ToolResultPart():
                found.append(part.output)
    return found


def holds(message: Message, needle: str) -> bool:
    """Whether a message says these words (case-folded)."""
    return any(needle in text.casefold() for text in drawn_texts(message))
