"""The load report: what stands in each slot of a request, what was cut or left out and why, and what each of it costs (W-19, UI-09).

Owns the form and the sums. Titles and reasons are phrases for the person; nothing here is sent to a model. Pure.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any, Literal

from desktop.base.phrases import Phrase, say

ItemState = Literal["loaded", "cut", "left-out", "error"]
Slot = Literal["A", "B", "C", "D", "E", "F"]

TITLES: dict[Slot, Phrase] = {
    "A": say("System text"),
    "B": say("Start of the chat"),
    "C": say("With your message"),
    "D": say("After compaction"),
    "E": say("Agent memory"),
    "F": say("Tools"),
}


@dataclass(frozen=True, slots=True)
class SlotItem:
    """One thing in a slot.

    Attributes:
        name: what it is, for the person.
        path: the file, or "" when it is none.
        state: loaded whole, loaded in part, left out, or unreadable.
        reason: why it is not whole, or why it is there; "" when there is nothing to say.
        tokens, bytes, lines: of what is sent; tokens are estimated.
        dropped: names of what was left out of it.
        memory: it is there because memory is on.
    """

    name: str
    path: str = ""
    state: ItemState = "loaded"
    reason: str = ""
    tokens: int = 0
    bytes: int = 0
    lines: int = 0
    dropped: tuple[str, ...] = ()
    memory: bool = False


@dataclass(frozen=True, slots=True)
class SlotReport:
    """One slot: `tokens` of all that is sent in it, `memory_tokens` the part of them that memory costs."""

    slot: Slot
    title: str
    tokens: int
    items: tuple[SlotItem, ...] = ()
    memory_tokens: int = 0


@dataclass(frozen=True, slots=True)
class LoadReport:
    """All slots of a request, in the order A to F.

    Attributes:
        total: estimated tokens of the slots and the conversation.
        memory_tokens: what memory costs of them.
        window: the model's window in tokens; 0 when it is not known.
        history_tokens: the conversation itself.
    """

    slots: tuple[SlotReport, ...]
    total: int
    memory_tokens: int
    window: int
    history_tokens: int = 0

    def slot(self, name: Slot) -> SlotReport:
        """The slot of that letter."""
        return next(one for one in self.slots if one.slot == name)

    def to_json(self) -> dict[str, Any]:
        """Plain objects and lists; texts stay phrases, so that the window can say them in its language."""
        return asdict(self) | {"slots": [asdict(one) | {"items": [_item(item) for item in one.items]} for one in self.slots]}


def _item(item: SlotItem) -> dict[str, Any]:
    return asdict(item) | {"dropped": list(item.dropped)}


def slot_report(slot: Slot, items: Iterable[SlotItem], *, frame_tokens: int = 0) -> SlotReport:
    """The slot with its sums.

    Args:
        frame_tokens: what the marks around the items cost.
    """
    held = tuple(items)
    memory = sum(item.tokens for item in held if item.memory)
    return SlotReport(slot, TITLES[slot], sum(item.tokens for item in held) + frame_tokens, held, memory)


def load_report(slots: Iterable[SlotReport], *, history_tokens: int = 0, window: int = 0) -> LoadReport:
    """The report of these slots; those that are not given are empty."""
    given = {one.slot: one for one in slots}
    every = tuple(given.get(slot) or slot_report(slot, ()) for slot in TITLES)
    total = sum(one.tokens for one in every) + history_tokens
    return LoadReport(every, total, sum(one.memory_tokens for one in every), window, history_tokens)
