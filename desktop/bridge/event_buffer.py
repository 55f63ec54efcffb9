"""Events of a turn on their way to the window: consecutive pieces of text are joined, and one taking gives a bounded amount.

Thread-safe; knows no Qt.
"""

from __future__ import annotations

import threading
from collections import deque
from dataclasses import dataclass, field

from desktop.bridge.pace import MOST
from desktop.messages.events import (
    ApprovalRequest,
    MessageAppended,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolFinished,
    ToolOutput,
    ToolStarted,
    TurnEvent,
)

EVENT_COST = 15
"""What an event without text counts, in characters of text that take as long to show."""
CARD_COST = 200
"""The same for one that makes a card or fills one."""
_CARDS = (ApprovalRequest, MessageAppended, ToolFinished, ToolStarted)
LIVE_OUTPUT = 64_000
"""Characters of live output of a call that may wait; older ones are dropped, the result has them all."""


@dataclass(slots=True)
class _Piece:
    """Waiting text of one kind; `key` is the call's id, `name` the tool's."""

    kind: type[TextDelta] | type[ThinkingDelta] | type[ToolOutput] | type[ToolCallDelta]
    key: str
    name: str
    texts: deque[str] = field(default_factory=deque)
    size: int = 0

    def add(self, text: str) -> None:
        if self.kind is ToolOutput:
            text = text[-LIVE_OUTPUT:]
        self.texts.append(text)
        self.size += len(text)
        if self.kind is ToolOutput:
            while self.size > LIVE_OUTPUT and len(self.texts) > 1:
                self.size -= len(self.texts.popleft())

    def take(self, limit: int) -> TurnEvent:
        """An event with at most `limit` characters of what waits."""
        text = "".join(self.texts)
        head, rest = text[:limit], text[limit:]
        self.texts = deque([rest] if rest else [])
        self.size = len(rest)
        if self.kind is ToolOutput:
            return ToolOutput(self.key, head)
        if self.kind is ToolCallDelta:
            return ToolCallDelta(self.key, self.name, head)
        return ThinkingDelta(head) if self.kind is ThinkingDelta else TextDelta(head)


def _piece_of(event: TurnEvent) -> tuple[_Piece, str] | None:
    match event:
        case TextDelta():
            return _Piece(TextDelta, "", ""), event.text
        case ThinkingDelta():
            return _Piece(ThinkingDelta, "", ""), event.text
        case ToolOutput():
            return _Piece(ToolOutput, event.call_id, ""), event.text
        case ToolCallDelta():
            return _Piece(ToolCallDelta, event.id, event.name), event.arguments
    return None


class EventBuffer:
    """Events that wait for the window. Thread-safe."""

    def __init__(self) -> None:
        self._waiting: deque[_Piece | TurnEvent] = deque()
        self._lock = threading.Lock()

    def add(self, event: TurnEvent) -> bool:
        """True if nothing was waiting before."""
        with self._lock:
            was_empty = not self._waiting
            found = _piece_of(event)
            if found is None:
                self._waiting.append(event)
                return was_empty
            piece, text = found
            last = self._waiting[-1] if self._waiting else None
            if not (isinstance(last, _Piece) and last.kind is piece.kind and last.key == piece.key):
                self._waiting.append(piece)
                last = piece
            last.add(text)
            return was_empty

    def take(self, limit: int = MOST) -> tuple[TurnEvent, ...]:
        """What one tick carries, in order: at most `limit` characters, or events that take as long to show."""
        taken: list[TurnEvent] = []
        room = limit
        with self._lock:
            while self._waiting and room > 0:
                first = self._waiting[0]
                if not isinstance(first, _Piece):
                    taken.append(first)
                    self._waiting.popleft()
                    room -= CARD_COST if isinstance(first, _CARDS) else EVENT_COST
                    continue
                room -= first.size
                taken.append(first.take(room + first.size))
                if not first.size:
                    self._waiting.popleft()
        return tuple(taken)

    def clear(self) -> None:
        with self._lock:
            self._waiting.clear()

    def __bool__(self) -> bool:
        with self._lock:
            return bool(self._waiting)
