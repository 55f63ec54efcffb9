"""Recall for one message, beside its turn: a half by words, a half by a model, and what of both goes into the next request.

Owns the order of the two halves, the limits of a turn, and that no fault, delay or close of theirs reaches it. `memory.recall` finds and
reads, in worker threads; `agent.recall_shown` keeps what stands in the context. Asyncio thread, but for what says that it blocks.
"""

from __future__ import annotations

import asyncio
import logging
import threading
from collections.abc import Coroutine, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import TYPE_CHECKING, Any

from desktop.agent.memory_shape import MemoryShape
from desktop.agent.recall_select import answer_of, chosen_of, select_request
from desktop.agent.recall_shown import Shown, ref_of, seen_files, shown_as
from desktop.base.errors import KeepsakeError
from desktop.memory.recall import (
    Asked,
    Budget,
    Candidate,
    Place,
    RecalledMemory,
    by_words,
    candidates,
    holds_anything,
    look_of,
    manifest,
    read_memory,
)
from desktop.memory.recall_question import is_small_talk, question_of
from desktop.memory.recall_read import Stage
from desktop.memory.recall_tools import recent_tools
from desktop.messages.events import RecalledRef
from desktop.messages.parts import Message
from desktop.messages.usage import Usage
from desktop.providers.base import Model
from desktop.settings.store import SettingsStore

if TYPE_CHECKING:
    from desktop.agent.recall import Recall

log = logging.getLogger(__name__)

CLOSE_S = 0.8
"""What a cancelled half is given to end; what does not is left to itself, and its result to nobody."""

BESIDE_S = 0.1
"""What the model's half gives to words, so that what they found is not offered again."""


@dataclass(frozen=True, slots=True)
class RecallLimits:
    """What one turn may recall, as the settings say when it begins: `mode` is off, lexical or model; the others as their settings."""

    mode: str
    first: int
    most: int
    wait_s: float
    seconds: float
    tokens: int
    manifest_bytes: int
    session_bytes: int
    fresh_days: int
    budget: Budget
    look: bool

    @classmethod
    def of(cls, settings: SettingsStore) -> RecallLimits:
        def number(key: str) -> int:
            return int(settings.value(f"memory.{key}"))

        return cls(
            mode=str(settings.value("memory.recall")),
            first=number("recall_first"),
            most=number("recall_files"),
            wait_s=number("recall_wait_ms") / 1_000,
            seconds=float(number("recall_seconds")),
            tokens=number("recall_tokens"),
            manifest_bytes=number("recall_manifest_bytes"),
            session_bytes=number("recall_session_bytes"),
            fresh_days=number("fresh_days"),
            budget=Budget(number("recall_lines"), number("recall_bytes")),
            look=settings.value("checkpoint.reconcile_on_search") is not False,
        )


class RecallTurn:
    """What is recalled for one message. Its halves run beside the turn; `close` ends what still runs.

    Attributes:
        refs: everything that was shown so far in this turn.
        shown: what `arrived` gave last, memory by memory.
        usage: what the model's half cost so far.
    """

    def __init__(self, recall: Recall, text: str, messages: tuple[Message, ...], model: Model, *, message_id: str, session_id: str) -> None:
        self.refs: tuple[RecalledRef, ...] = ()
        self.shown: tuple[Shown, ...] = ()
        self.usage = Usage()
        self._recall = recall
        self._text = text
        self._messages = messages
        self._model = model
        self._message_id = message_id
        self._session_id = session_id
        self._limits = RecallLimits.of(recall.settings)
        self._told = 0
        self._places: set[Place] = set()
        self._standing = self._added = 0
        self._waiting: list[RecalledMemory] = []
        self._further: list[Candidate] = []
        self._stopped = threading.Event()
        self._tasks: set[asyncio.Task[None]] = set()
        self._words: asyncio.Task[None] | None = None
        if self._limits.mode != "off":
            self._words = self._start(self._by_words())
            if self._limits.mode == "model" and not model.info.small:
                self._start(self._by_model(self._words))

    def _start(self, half: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        task = asyncio.get_running_loop().create_task(half)
        self._tasks.add(task)
        task.add_done_callback(self._ended)
        return task

    def _ended(self, task: asyncio.Task[None]) -> None:
        """A fault of recall is logged and costs the turn nothing."""
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, KeepsakeError):
            log.info("recall found nothing: %s", error.message)
        elif error is not None:
            log.warning("recall failed", exc_info=error)

    @property
    def running(self) -> bool:
        """Whether something may still come."""
        return bool(self._tasks)

    # what the turn asks for

    async def first(self) -> str:
        """The framed text of what words found, waiting for it at most `memory.recall_wait_ms`; "" when there is none or it is late."""
        if self._words is not None and not self._words.done():
            await asyncio.wait({self._words}, timeout=self._limits.wait_s)
        return self.arrived()

    def arrived(self) -> str:
        """The framed text of what came since it was last asked for; "" when nothing did. Never waits."""
        self.shown = ()
        if not self._waiting or self._stopped.is_set():
            return ""
        waiting, self._waiting = self._waiting, []
        if not self._recall.memories.state().enabled:
            return ""
        taken = [shown for memory in waiting if (shown := self._taken(memory)) is not None]
        self._recall.shown.add(self._message_id, taken)
        self.refs += tuple(ref_of(shown) for shown in taken)
        self.shown = tuple(taken)
        return "\n\n".join(shown.text for shown in taken)

    def new_refs(self) -> tuple[RecalledRef, ...]:
        """What was shown since this was last asked."""
        new, self._told = self.refs[self._told :], len(self.refs)
        return new

    async def close(self) -> None:
        """End what still runs, within a second; what it would have found is left out."""
        self._stopped.set()
        running = set(self._tasks)
        for task in running:
            task.cancel()
        if running:
            await asyncio.wait(running, timeout=CLOSE_S)
        self._waiting.clear()

    def _taken(self, memory: RecalledMemory) -> Shown | None:
        """A memory as it goes into the request now, if it is still there, is not shown yet and has room."""
        place = (memory.root_id, memory.path)
        if place in self._places:
            return None
        if look_of(memory.absolute) != memory.look:  # it changed since it was read a moment ago
            root = self._recall.memories.root(memory.root_id)
            fresh = (
                None
                if root is None
                else read_memory(root, memory.path, reason=memory.reason, stage=memory.stage, budget=self._limits.budget)
            )
            if fresh is None:
                return None
            memory = fresh
        now, limits = self._recall.clock.now(), self._limits
        shown = shown_as(memory, now, fresh_days=limits.fresh_days, language=self._recall.language, budget=limits.budget)
        if self._standing + self._added + shown.size > self._limits.session_bytes:
            log.info("%s is not recalled: the budget of this conversation is used up", memory.path)
            return None
        self._places.add(place)
        self._added += shown.size
        return shown

    # by words

    async def _by_words(self) -> None:
        recall = self._recall
        if not await asyncio.to_thread(self._is_wanted):
            return
        late = recall.looked and not recall.quick
        if not recall.looked or (self._limits.look and not late):
            await asyncio.to_thread(recall.look, self._stopped.is_set)
        self._add(await asyncio.to_thread(self._found_by_words))
        if late and self._limits.look:
            self._start(self._once_more())

    async def _once_more(self) -> None:
        """In a large memory the files are looked through after the search: what is new comes with the next step."""
        if await asyncio.to_thread(self._recall.look, self._stopped.is_set):
            self._add(await asyncio.to_thread(self._found_by_words))

    def _is_wanted(self) -> bool:
        """Whether memory is on, holds anything, and the message asks for something: else no file is read and no index opened. Blocking."""
        memories = self._recall.memories
        return bool(self._question) and not is_small_talk(self._question) and memories.state().enabled and holds_anything(memories)

    @cached_property
    def _question(self) -> str:
        return question_of(self._text)

    def _found_by_words(self) -> list[RecalledMemory]:
        """Blocking."""
        recall = self._recall
        asked = self._asked()
        if asked is None or recall.search is None or not recall.looked:
            return []
        found = by_words(recall.memories, recall.search, asked, most=max(self._limits.most, self._limits.first))
        self._further = found[self._limits.first :]
        return self._all_read(found[: self._limits.first], "lexical")

    def _asked(self) -> Asked | None:
        """What is asked for; None when nothing is, or memory is off. Blocking."""
        recall = self._recall
        if not self._is_wanted():
            return None
        shape = MemoryShape.of(recall.settings)
        roots = [root for root in recall.memories.own_roots if shape.takes(root) and root.profile != "single"]
        earlier = recall.shown.standing({message.id for message in self._messages} - {self._message_id})
        shown = {one.place for ones in earlier.values() for one in ones} | self._places
        self._standing = sum(one.size for ones in earlier.values() for one in ones)
        seen = frozenset(seen_files(self._messages).items())
        return Asked(self._question, frozenset(root.id for root in roots), frozenset(shown), recent_tools(self._messages), seen)

    # by a model

    async def _by_model(self, words: asyncio.Task[None]) -> None:
        await asyncio.wait({words}, timeout=max(self._limits.wait_s, BESIDE_S))
        listed, offered, asked = await asyncio.to_thread(self._offered)
        if not offered or asked is None:
            return
        request = select_request(
            asked.question,
            listed,
            asked.tools,
            most=self._limits.most,
            max_output_tokens=self._limits.tokens,
            session_id=self._session_id,
            workspace=str(self._recall.memories.workspace),
            clock=self._recall.clock,
        )
        asking = asyncio.ensure_future(answer_of(self._model, request))
        try:
            await asyncio.wait({asking}, timeout=self._limits.seconds)
        finally:
            late = not asking.done()
            asking.cancel()
        chosen = None if late else self._chosen(asking, offered)
        if chosen is None:
            chosen = self._further[: max(0, self._limits.most - len(self._places))]
            self._add(await asyncio.to_thread(self._all_read, chosen, "lexical"))
            return
        self._add(await asyncio.to_thread(self._all_read, chosen, "model"))

    def _chosen(self, asking: asyncio.Future[tuple[str, Usage]], offered: Sequence[Candidate]) -> list[Candidate] | None:
        """What the model chose; None when it gave no answer that can be used."""
        error = None if asking.cancelled() else asking.exception()
        if asking.cancelled() or error is not None:
            log.info("the model chose no memories: %s", error or "cancelled")
            return None
        answer, usage = asking.result()
        self.usage += usage
        chosen = chosen_of(answer, offered, self._limits.most)
        if chosen is None:
            log.info("the model's choice of memories is no JSON as it was asked for")
        return chosen

    def _offered(self) -> tuple[str, list[Candidate], Asked | None]:
        """The list for the model. Blocking."""
        asked = self._asked()
        if asked is None:
            return "", [], None
        mine = {(memory.root_id, memory.path) for memory in self._waiting} | self._places
        asked = replace(asked, shown=asked.shown | mine)
        found = candidates(self._recall.memories, self._recall.search, asked, stopped=self._stopped.is_set)
        listed, offered = manifest(found, self._recall.clock.now(), most_bytes=self._limits.manifest_bytes)
        return listed, offered, asked

    # reading

    def _all_read(self, found: Sequence[Candidate], stage: Stage) -> list[RecalledMemory]:
        """Blocking."""
        budget = self._limits.budget
        read = (read_memory(one.root, one.note.path, reason=one.reason, stage=stage, budget=budget) for one in found)
        return [memory for memory in read if memory is not None]

    def _add(self, memories: Sequence[RecalledMemory]) -> None:
        waiting = {(memory.root_id, memory.path) for memory in self._waiting} | self._places
        self._waiting += [memory for memory in memories if (memory.root_id, memory.path) not in waiting]
