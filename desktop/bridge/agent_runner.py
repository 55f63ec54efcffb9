"""One open session's turns, seen from the GUI thread: starts and cancels them on the loop thread, hands their events over in ticks.

Events are collected in the loop thread and delivered at most 30 times a second as one tuple, consecutive pieces of text joined, with a
cap on how much a tick may carry: the window's work a tick stays small whatever a model or a command pours out. QtCore only.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections import deque
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from dataclasses import dataclass, field
from typing import Protocol

import shiboken6
from PySide6.QtCore import QElapsedTimer, QObject, Qt, QTimer, Signal

from desktop.base.errors import KeepsakeError
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure
from desktop.messages.events import (
    ApprovalAnswer,
    ApprovalRequest,
    TextDelta,
    ThinkingDelta,
    ToolCallDelta,
    ToolOutput,
    TurnEnded,
    TurnEvent,
)
from desktop.messages.usage import Usage

log = logging.getLogger(__name__)

TICK_MS = 33
TICK_CHARACTERS = 3_000
"""Text that one tick may carry: 90 kB a second, far above any model and cheap to draw."""
TICK_EVENTS = 100
LIVE_OUTPUT = 64_000
"""Characters of live output of a call that may wait; older ones are dropped, the result has them all."""

Emit = Callable[[TurnEvent], None]
Approve = Callable[[ApprovalRequest], Awaitable[ApprovalAnswer]]


class Session(Protocol):
    """What a runner needs of `agent.session.AgentSession`."""

    async def run(self, text: str, emit: Emit, approve: Approve) -> TurnEnded: ...

    async def close(self) -> None: ...


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

    def take(self) -> tuple[TurnEvent, ...]:
        """What one tick carries, in order."""
        taken: list[TurnEvent] = []
        room = TICK_CHARACTERS
        with self._lock:
            while self._waiting and len(taken) < TICK_EVENTS and room > 0:
                first = self._waiting[0]
                if not isinstance(first, _Piece):
                    taken.append(self._waiting.popleft())  # type: ignore[arg-type]
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


class AgentRunner(QObject):
    """See the module's text. Made and used in the GUI thread.

    Attributes:
        session: the session; its plain attributes may be read between turns.

    Signals:
        events_arrived(tuple[TurnEvent, ...]): in order; nothing comes after `close`.
        turn_ended(TurnEnded): after the tuple that holds it.
        running_changed(bool)
    """

    events_arrived = Signal(object)
    turn_ended = Signal(object)
    running_changed = Signal(bool)
    _woken = Signal()

    def __init__(self, loop: LoopThread, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._loop = loop
        self._buffer = EventBuffer()
        self._running = False
        self._closed = False
        self._lock = threading.Lock()
        self._task: asyncio.Task[None] | None = None
        self._stop_asked = False
        self._questions: dict[str, asyncio.Future[ApprovalAnswer]] = {}
        self._early: dict[str, ApprovalAnswer] = {}
        self._since_tick = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tick)
        self._woken.connect(self._wake, Qt.ConnectionType.QueuedConnection)

    @property
    def running(self) -> bool:
        """True from `start` until the window was told of the turn's end."""
        return self._running

    def start(self, text: str) -> bool:
        """Start a turn; False if one is running or the runner is closed."""
        if self._running or self._closed:
            return False
        self._running = True
        self._stop_asked = False
        self._early.clear()
        self._loop.submit(self._turn(text))
        self.running_changed.emit(True)
        return True

    def cancel(self) -> None:
        """Stop the turn. Its record is completed; `turn_ended` follows with `interrupted`."""
        with self._lock:
            task = None if self._stop_asked else self._task
            self._stop_asked = True
        if task is not None:
            task.get_loop().call_soon_threadsafe(task.cancel)

    def answer(self, request_id: str, answer: ApprovalAnswer) -> None:
        """Answer an approval; the first answer counts."""
        with self._lock:
            question = self._questions.get(request_id)
            if question is None:
                self._early.setdefault(request_id, answer)
                return
        question.get_loop().call_soon_threadsafe(_resolve, question, answer)

    def close(self) -> Future[None]:
        """Cancel what runs and close the session; no signal is emitted any more. The future ends when the session is closed."""
        self._closed = True
        self._running = False
        self._timer.stop()
        self._buffer.clear()
        self.cancel()
        return self._loop.submit(self._shutdown())

    # --- on the loop thread -------------------------------------------------------------------------------------------

    def emit_event(self, event: TurnEvent) -> None:
        """Take an event from any thread."""
        if self._closed:
            return
        if self._buffer.add(event) and shiboken6.isValid(self):
            self._woken.emit()

    async def _turn(self, text: str) -> None:
        with self._lock:
            self._task = asyncio.current_task()
            stopped = self._stop_asked
        try:
            if stopped:
                self.emit_event(TurnEnded("interrupted", Usage()))
                return
            await self.session.run(text, self.emit_event, self._approve)
        except asyncio.CancelledError:  # before the turn had begun: the session itself turns a later one into its result
            self.emit_event(TurnEnded("interrupted", Usage()))
        except KeepsakeError as error:
            self._emit_failure(Failure.of(error))
        except Exception as error:  # whatever it is, the person sees it and the log has all of it
            log.exception("a turn failed")
            self._emit_failure(Failure.of(error))
        finally:
            with self._lock:
                self._task = None

    def _emit_failure(self, failure: Failure) -> None:
        details = {"message": failure.message, "hint": failure.hint, "detail": failure.detail}
        self.emit_event(TurnEnded("error", Usage(), details))

    async def _approve(self, request: ApprovalRequest) -> ApprovalAnswer:
        question: asyncio.Future[ApprovalAnswer] = asyncio.get_running_loop().create_future()
        with self._lock:
            early = self._early.pop(request.id, None)
            if early is None:
                self._questions[request.id] = question
        if early is not None:
            return early
        try:
            return await question
        finally:
            with self._lock:
                self._questions.pop(request.id, None)

    async def _shutdown(self) -> None:
        with self._lock:
            task = self._task
        if task is not None:
            await asyncio.wait([task], timeout=3.0)
        await self.session.close()

    # --- in the GUI thread ---------------------------------------------------------------------------------------------

    def _wake(self) -> None:
        if self._closed or self._timer.isActive():
            return
        waited = self._since_tick.elapsed() if self._since_tick.isValid() else TICK_MS
        self._timer.start(max(0, TICK_MS - int(waited)))

    def _tick(self) -> None:
        if self._closed:
            return
        self._since_tick.restart()
        events = self._buffer.take()
        if events:
            ended = next((event for event in events if isinstance(event, TurnEnded)), None)
            if ended is not None:
                self._running = False
            self.events_arrived.emit(events)
            if ended is not None:
                self.turn_ended.emit(ended)
                self.running_changed.emit(self._running)
        if self._buffer:
            self._timer.start(TICK_MS)


def _resolve(question: asyncio.Future[ApprovalAnswer], answer: ApprovalAnswer) -> None:
    if not question.done():
        question.set_result(answer)
