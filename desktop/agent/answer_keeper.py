"""Keeps the running answer on disk while it streams: at most once in FLUSH_S, in a thread, never holding up the stream.

Watches a turn's events and passes them on unchanged. From a turn's first request to its end something is kept, be it an empty answer:
that tells the next process that this one ended in between. Does nothing for incognito chats. Asyncio thread.
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

FLUSH_S = 0.8
"""What has come is kept this long after it came; with the writing itself a killed process loses at most a second of an answer."""
AGAIN_S = 0.05
"""How soon it is tried again while the last writing is still under way."""


class AnswerKeeper:
    """One for a session; `watching` for each turn."""

    def __init__(self, handle: SessionHandle, clock: Clock, flush_s: float = FLUSH_S) -> None:
        self._handle = handle
        self._clock = clock
        self._flush_s = flush_s
        self._model_id = ""
        self._partial = Partial()
        self._kept = False
        self._timer: asyncio.TimerHandle | None = None
        self._writing: asyncio.Task[bool] | None = None

    def watching(self, emit: Emit, model_id: str) -> Emit:
        """`emit` for a turn, looked at on its way."""
        if self._handle.incognito:
            return emit
        self._model_id = model_id

        def watched(event: TurnEvent) -> None:
            emit(event)
            match event:
                case StepStarted():
                    self._partial = Partial()
                    self._flush()
                case TextDelta() | ThinkingDelta() | ToolCallDelta():
                    self._partial.add(event)
                    self._due(self._flush_s)
                case MessageAppended() if event.message.role == "assistant":
                    self._partial = Partial()
                    self._unschedule()

        return watched

    def _due(self, seconds: float) -> None:
        """Keep what there is then, unless that is to be done sooner."""
        if self._timer is None:
            self._timer = asyncio.get_running_loop().call_later(seconds, self._flush)

    def _unschedule(self) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _flush(self) -> None:
        self._unschedule()
        if not self._handle.messages:
            return
        if self._writing is not None and not self._writing.done():
            self._due(AGAIN_S)
            return
        self._kept = True
        moment = self._clock.now()
        message = Message(
            new_message_id(moment), "assistant", self._partial.parts(), moment, self._handle.messages[-1].id, "model", self._model_id
        )
        self._writing = asyncio.get_running_loop().create_task(asyncio.to_thread(keep_running, self._handle.path, message))

    async def end(self) -> None:
        """The turn is over: its answer stands in the transcript."""
        self._unschedule()
        if self._writing is not None:
            await asyncio.wait({self._writing})
            self._writing = None
        if self._kept:
            self._kept = False
            await asyncio.to_thread(drop_running, self._handle.path)
