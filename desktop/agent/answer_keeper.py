"""Keeps the running answer on disk while it streams: at most once in FLUSH_S, in a thread, never holding up the stream.

Watches a turn's events and passes them on unchanged. Does nothing for incognito chats. Asyncio thread.
"""

from __future__ import annotations

import asyncio

from desktop.agent.ask import Emit, Partial
from desktop.base.clock import Clock
from desktop.base.ids import new_message_id
from desktop.messages.events import MessageAppended, StepStarted, TextDelta, ThinkingDelta, ToolCallDelta, TurnEvent
from desktop.messages.parts import Message
from desktop.sessions.handle import SessionHandle
from desktop.sessions.running import drop_running, keep_running

FLUSH_S = 1.0
"""Seconds of an answer that a killed process may lose."""


class AnswerKeeper:
    """One for a session; `watching` for each turn."""

    def __init__(self, handle: SessionHandle, clock: Clock) -> None:
        self._handle = handle
        self._clock = clock
        self._partial = Partial()
        self._flushed = 0.0
        self._kept = False
        self._writing: asyncio.Task[None] | None = None

    def watching(self, emit: Emit, model_id: str) -> Emit:
        """`emit` for a turn, looked at on its way."""
        if self._handle.incognito:
            return emit

        def watched(event: TurnEvent) -> None:
            emit(event)
            match event:
                case StepStarted():
                    self._partial = Partial()
                    self._flushed = self._clock.monotonic()
                case TextDelta() | ThinkingDelta() | ToolCallDelta():
                    self._partial.add(event)
                    self._perhaps(model_id)
                case MessageAppended() if event.message.role == "assistant":
                    self._partial = Partial()

        return watched

    def _perhaps(self, model_id: str) -> None:
        """Keep what there is when it is time, unless the last writing is still under way."""
        now = self._clock.monotonic()
        if now - self._flushed < FLUSH_S or not self._handle.messages or (self._writing is not None and not self._writing.done()):
            return
        self._flushed = now
        self._kept = True
        moment = self._clock.now()
        parts = self._partial.parts()
        message = Message(new_message_id(moment), "assistant", parts, moment, self._handle.messages[-1].id, "model", model_id)
        self._writing = asyncio.get_running_loop().create_task(asyncio.to_thread(keep_running, self._handle.path, message))

    async def end(self) -> None:
        """The turn is over: its answer stands in the transcript."""
        if self._writing is not None:
            await asyncio.wait({self._writing})
            self._writing = None
        if self._kept:
            self._kept = False
            await asyncio.to_thread(drop_running, self._handle.path)
