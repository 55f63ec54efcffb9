"""One open session's turns, seen from the GUI thread: starts and cancels them on the loop thread, hands their events over in ticks.

Events are collected in the loop thread and delivered at most 30 times a second as one tuple, consecutive pieces of text joined. How much
a tick carries follows from how long the last ones took: the window answers whatever a model or a command pours out. QtCore only.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Awaitable, Callable
from concurrent.futures import Future
from time import perf_counter
from typing import Any, Protocol, TypeVar

from PySide6.QtCore import QElapsedTimer, QObject, QTimer, Signal, SignalInstance

from desktop.base.errors import KeepsakeError
from desktop.bridge.event_buffer import EventBuffer
from desktop.bridge.loop_thread import LoopThread
from desktop.bridge.operations import Failure
from desktop.bridge.pace import Pace
from desktop.bridge.post import post
from desktop.messages.events import (
    ApprovalAnswer,
    ApprovalRequest,
    MessageAppended,
    TurnEnded,
    TurnEvent,
)
from desktop.messages.parts import Message
from desktop.messages.usage import Usage

log = logging.getLogger(__name__)

TICK_MS = 33

T = TypeVar("T")

Emit = Callable[[TurnEvent], None]
Approve = Callable[[ApprovalRequest], Awaitable[ApprovalAnswer]]


class Session(Protocol):
    """What a runner needs of `agent.session.AgentSession`."""

    @property
    def messages(self) -> list[Message]: ...

    async def run(self, text: str, emit: Emit, approve: Approve) -> TurnEnded: ...

    async def edit_and_resend(self, message_id: str, text: str, emit: Emit, approve: Approve) -> TurnEnded: ...

    async def retry(self, emit: Emit, approve: Approve, message_id: str | None = None) -> TurnEnded: ...

    async def read_into(self, session_id: str, query: str, strategy: str, max_tokens: int) -> Any: ...

    async def command(self, text: str) -> Any: ...

    async def catch_up(self, emit: Emit) -> bool: ...

    async def close(self, *, patient: bool = False) -> None: ...


class AgentRunner(QObject):
    """See the module's text. Made and used in the GUI thread.

    Attributes:
        session: the session; its plain attributes may be read between turns.

    Signals:
        events_arrived(tuple[TurnEvent, ...]): in order; nothing comes after `close`.
        turn_ended(TurnEnded): after the tuple that holds it.
        running_changed(bool)
        context_read(ContextResult): what `read_into` gave; its card came as an event before, if anything was read.
        context_failed(Failure): it could not be read.
        command_done(str, CommandResult): what a slash command gave, and how it was typed.
        command_failed(Failure)
    """

    events_arrived = Signal(object)
    turn_ended = Signal(object)
    running_changed = Signal(bool)
    context_read = Signal(object)
    context_failed = Signal(object)
    command_done = Signal(str, object)
    command_failed = Signal(object)

    def __init__(self, loop: LoopThread, session: Session, parent: QObject | None = None) -> None:
        super().__init__(parent)
        self.session = session
        self._loop = loop
        self._buffer = EventBuffer()
        self._pace = Pace()
        self._running = False
        self._closed = False
        self._lock = threading.Lock()
        self._task: asyncio.Task[None] | None = None
        self._order: asyncio.Lock | None = None
        self._stop_asked = False
        self._questions: dict[str, asyncio.Future[ApprovalAnswer]] = {}
        self._early: dict[str, ApprovalAnswer] = {}
        self._since_tick = QElapsedTimer()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.timeout.connect(self._tick)

    @property
    def running(self) -> bool:
        """True from `start` until the window was told of the turn's end."""
        return self._running

    def start(self, text: str) -> bool:
        """Start a turn; False if one is running or the runner is closed."""
        return self._start(lambda: self.session.run(text, self.emit_event, self._approve))

    def edit(self, message_id: str, text: str) -> bool:
        """Start a turn with another version of the person's message; as `start`."""
        return self._start(lambda: self.session.edit_and_resend(message_id, text, self.emit_event, self._approve))

    def retry(self, message_id: str | None = None) -> bool:
        """Start a turn that answers the person's message once more; as `start`."""
        return self._start(lambda: self.session.retry(self.emit_event, self._approve, message_id))

    def _start(self, work: Callable[[], Awaitable[TurnEnded]]) -> bool:
        if self._running or self._closed:
            return False
        self._running = True
        self._stop_asked = False
        self._early.clear()
        self._loop.submit(self._turn(work))
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

    def read_into(self, session_id: str, query: str, strategy: str, max_tokens: int) -> None:
        """Read another session into this one; waits for the end of a running turn. `context_read` or `context_failed` follows."""
        if not self._closed:
            self._loop.submit(self._read_into(session_id, query, strategy, max_tokens))

    def command(self, text: str) -> None:
        """Run a slash command, beside a running turn too. `command_done` or `command_failed` follows."""
        if not self._closed:
            self._loop.submit(self._command(text))

    def between_turns(self, act: Callable[[], Awaitable[T]], done: Callable[[T], None], failed: Callable[[Failure], None]) -> None:
        """Carry out an act on the session when no turn runs; `done` or `failed` is called on the loop thread, to emit queued signals."""

        async def in_order() -> T:
            async with self._one_at_a_time():
                return await act()

        self.beside(in_order, done, failed)

    def beside(self, act: Callable[[], Awaitable[T]], done: Callable[[T], None], failed: Callable[[Failure], None]) -> None:
        """As `between_turns`, but at once, beside whatever runs."""
        if not self._closed:
            self._loop.submit(self._acted(act, done, failed))

    def catch_up(self) -> None:
        """Let the session take up background work that was left undone when it was last open; called once it is shown and idle."""
        if not self._closed:
            self._loop.submit(self._catch_up())

    def close(self, *, patient: bool = False) -> Future[None]:
        """Cancel what runs and close the session; no signal is emitted any more. The future ends when the session is closed.

        Args:
            patient: let background work of the session finish first (see `AgentSession.close`); `hurry` ends that.
        """
        self._closed = True
        self._running = False
        self._timer.stop()
        self._buffer.clear()
        self.cancel()
        return self._loop.submit(self._shutdown(patient))

    # --- on the loop thread -------------------------------------------------------------------------------------------

    def emit_event(self, event: TurnEvent) -> None:
        """Take an event from any thread."""
        if self._closed:
            return
        if self._buffer.add(event):
            post(self._wake)

    def _one_at_a_time(self) -> asyncio.Lock:
        """Turns and readings follow each other: a message between a call and its result would break the conversation."""
        if self._order is None:
            self._order = asyncio.Lock()
        return self._order

    async def _turn(self, work: Callable[[], Awaitable[TurnEnded]]) -> None:
        with self._lock:
            self._task = asyncio.current_task()
            stopped = self._stop_asked
        try:
            if stopped:
                self.emit_event(TurnEnded("interrupted", Usage()))
                return
            async with self._one_at_a_time():
                await work()
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

    async def _read_into(self, session_id: str, query: str, strategy: str, max_tokens: int) -> None:
        try:
            async with self._one_at_a_time():
                before = len(self.session.messages)
                result = await self.session.read_into(session_id, query, strategy, max_tokens)
                for message in self.session.messages[before:]:
                    self.emit_event(MessageAppended(message))
        except KeepsakeError as error:
            self._tell(self.context_failed, Failure.of(error))
        except Exception as error:  # whatever it is, the person sees it and the log has all of it
            log.exception("a session could not be read into this one")
            self._tell(self.context_failed, Failure.of(error))
        else:
            self._tell(self.context_read, result)

    async def _catch_up(self) -> None:
        try:
            async with self._one_at_a_time():
                if not self._closed:
                    await self.session.catch_up(self.emit_event)
        except KeepsakeError as error:
            log.warning("background work could not be taken up: %s", error.message)

    async def _acted(self, act: Callable[[], Awaitable[T]], done: Callable[[T], None], failed: Callable[[Failure], None]) -> None:
        try:
            result = await act()
        except KeepsakeError as error:
            failed(Failure.of(error))
        except Exception as error:  # whatever it is, the person sees it and the log has all of it
            log.exception("an act on a session failed")
            failed(Failure.of(error))
        else:
            if not self._closed:
                done(result)

    async def _command(self, text: str) -> None:
        try:
            result = await self.session.command(text)
        except KeepsakeError as error:
            self._tell(self.command_failed, Failure.of(error))
        except Exception as error:  # whatever it is, the person sees it and the log has all of it
            log.exception("a command failed")
            self._tell(self.command_failed, Failure.of(error))
        else:
            self._tell(self.command_done, text, result)

    def _tell(self, signal: SignalInstance, *values: object) -> None:
        if not self._closed:
            post(self._told, signal, *values)

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

    async def _shutdown(self, patient: bool) -> None:
        with self._lock:
            task = self._task
        if task is not None:
            await asyncio.wait([task], timeout=3.0)
        await self.session.close(patient=patient)

    # --- in the GUI thread ---------------------------------------------------------------------------------------------

    def _told(self, signal: SignalInstance, *values: object) -> None:
        if not self._closed:
            signal.emit(*values)

    def _wake(self) -> None:
        if self._closed or self._timer.isActive():
            return
        waited = self._since_tick.elapsed() if self._since_tick.isValid() else TICK_MS
        self._timer.start(max(0, TICK_MS - int(waited)))

    def _tick(self) -> None:
        if self._closed:
            return
        self._since_tick.restart()
        events = self._buffer.take(self._pace.limit)
        if events:
            full, began = bool(self._buffer), perf_counter()
            ended = next((event for event in events if isinstance(event, TurnEnded)), None)
            if ended is not None:
                self._running = False
            self.events_arrived.emit(events)
            self._pace.took(perf_counter() - began, full=full)
            if ended is not None:
                self.turn_ended.emit(ended)
                self.running_changed.emit(self._running)
        if self._buffer:
            self._timer.start(TICK_MS)


def _resolve(question: asyncio.Future[ApprovalAnswer], answer: ApprovalAnswer) -> None:
    if not question.done():
        question.set_result(answer)
