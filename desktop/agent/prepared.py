"""What a session has ready for its next request: the slots, recall, and all that stands in the context besides messages.

Owns when these are made anew, and that they are what they were after a restart, a rewind or on another branch (`agent.standing`). Runs no
turn. Asyncio thread; what blocks runs in worker threads.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.agent.ask import Emit
from desktop.agent.assembler import Assembler
from desktop.agent.branches import standing_memories
from desktop.agent.loop import Conversation, Inserted, Turn
from desktop.agent.prompts import Language
from desktop.agent.session_memory import SessionMemory
from desktop.agent.standing import nonce_of, set_seen, standing_of
from desktop.base.clock import Clock
from desktop.base.paths import AppPaths
from desktop.memory.search import MemorySearch
from desktop.messages.boundary import since_boundary
from desktop.messages.events import ContextReported, Notice
from desktop.messages.parts import Message
from desktop.messages.tools import ToolSpec
from desktop.permissions.grants import Grants
from desktop.providers.base import Model
from desktop.settings.store import SettingsStore
from desktop.tools.base import ReadState

if TYPE_CHECKING:
    from desktop.agent.load_report import LoadReport
    from desktop.agent.recall import Recall
    from desktop.agent.recall_shown import Shown

READY_S, WARM_S, WARM_STEP_S = 0.5, 20.0, 0.3
"""What the first turn gives to the search index of memory, and what it is given, in steps, while the person types."""


def language_of(settings: SettingsStore, environ: Mapping[str, str]) -> Language:
    """The language of the memory rules: the window's, else the system's."""
    chosen = str(settings.value("appearance.language"))
    if chosen == "system":
        chosen = environ.get("LC_ALL") or environ.get("LC_MESSAGES") or environ.get("LANG") or "en"
    return "zh" if chosen.lower().startswith("zh") else "en"


class Prepared:
    """See the module's text.

    Attributes:
        assembler: the slots as requests have them; None before the first turn, and after what they are made of changed.
        recall: None while memory is off.
        reported: what the newest request was made of.
    """

    def __init__(
        self,
        paths: AppPaths,
        settings: SettingsStore,
        clock: Clock,
        environ: Mapping[str, str],
        *,
        workspace: Path,
        memory: SessionMemory,
        memory_search: MemorySearch | None,
        conversation: Conversation,
        read_state: ReadState,
        grants: Grants,
        model: Callable[[], Model],
        tools: Callable[[], Sequence[ToolSpec]],
    ) -> None:
        self._paths = paths
        self._settings = settings
        self._clock = clock
        self._environ = environ
        self._workspace = workspace
        self._memory = memory
        self._memory_search = memory_search
        self._conversation = conversation
        self._read_state = read_state
        self._grants = grants
        self._model = model
        self._tools = tools
        self.assembler: Assembler | None = None
        self.recall: Recall | None = None
        self.reported: LoadReport | None = None

    @property
    def language(self) -> Language:
        return language_of(self._settings, self._environ)

    @property
    def _messages(self) -> Sequence[Message]:
        return self._conversation.handle.messages

    # --- the slots ---------------------------------------------------------------------------------------------------

    def reset(self) -> None:
        """What the slots are made of changed: they are made anew before the next turn."""
        self.assembler = self.reported = None

    async def ready(self, emit: Emit) -> Assembler:
        """The assembler with its slots built; says once what of memory was loaded."""
        enabled = self._memory.now().enabled
        if self.assembler is not None and bool(self.assembler.memory_root) != enabled:
            self.assembler = None
        if self.assembler is not None and self.assembler.memory is not None:
            file = await asyncio.to_thread(self._memory.memories.workspace_file)
            if self._memory.workspace_allowed(self.assembler.memory, file, emit):
                self.assembler = None
        if self.assembler is None:
            self.assembler = assembler = await self._built(enabled=enabled)
            await self._begin_recall(enabled=enabled)
            await self.rebase(self._messages)
            self._memory.tell(assembler.memory, self._read_state, emit)
            for problem in self._grants.problems:
                emit(Notice("warning", "grants.problem", problem, {"message": problem}))
        elif await asyncio.to_thread(self.assembler.refresh):
            self._memory.tell(self.assembler.memory, self._read_state, emit)
        return self.assembler

    async def _built(self, *, enabled: bool) -> Assembler:
        memories = self._memory.memories
        assembler = Assembler(
            self._workspace,
            memories if enabled else None,
            clock=self._clock,
            environ=self._environ,
            language=self.language,
            settings=self._settings,
            hidden=[self._paths.memories, *(root.folder for root in memories.roots)],
            nonce=nonce_of(self._conversation.handle.everything()),
        )
        await asyncio.to_thread(self._build, assembler)
        return assembler

    def _build(self, assembler: Assembler) -> None:
        """What other programs changed is journalled, and in the index, before it is read."""
        self._memory.memories.observe()
        assembler.rebuild()

    async def unseen(self) -> Assembler | None:
        """For background work of a session that was only opened: built without telling anybody what was loaded."""
        return await self._built(enabled=True) if self._memory.now().enabled else None

    # --- recall ------------------------------------------------------------------------------------------------------

    async def _begin_recall(self, *, enabled: bool) -> None:
        """Recall for what comes. The index is made ready, if that is quick."""
        if not enabled:
            self.recall = None
            return
        if self.recall is None:
            self.recall = self._new_recall()
        if not self._model().info.small:
            await asyncio.to_thread(self.recall.warm, seconds=READY_S)

    async def warm(self) -> None:
        """Make the search index of memory ready while the person reads or types, so that the first turn need not wait for it."""
        if self._model().info.small or not self._memory.now().enabled:
            return
        if self.recall is None:
            self.recall = self._new_recall()
        until = self._clock.monotonic() + WARM_S
        ready = False
        while not ready and self._clock.monotonic() < until:  # bit by bit, so that it can be cancelled
            ready = await asyncio.to_thread(self.recall.warm, seconds=WARM_STEP_S)

    def _new_recall(self) -> Recall:
        from desktop.agent.recall import Recall

        return Recall(self._memory.memories, self._memory_search, self._settings, self._clock, language=self.language)

    # --- what stands -------------------------------------------------------------------------------------------------

    async def rebase(self, branch: Sequence[Message]) -> None:
        """What stands in requests besides messages is from here on what it was at the end of this branch.

        Files count as read that the slots show, or that a call of the branch read.
        """
        standing, conversation = standing_of(branch), self._conversation
        conversation.cut, conversation.correction = standing.cut, standing.correction
        conversation.context_tokens, self.reported = standing.tokens, None
        inserted: list[Inserted] = []
        shown: dict[str, list[Shown]] = {}
        if self.recall is not None and self._memory.now().enabled and self._settings.value("memory.recall") != "off":
            inserted, shown = await asyncio.to_thread(standing_memories, standing.recalled, self._memory.memories)
        conversation.inserted = inserted
        if self.recall is not None:
            self.recall.shown.replace(shown)
        self._read_state.digests.clear()
        self._read_state.meanings.clear()
        self._memory.seen(self.assembler.memory if self.assembler is not None else None, self._read_state)
        set_seen(self._read_state, standing.read)

    # --- the report --------------------------------------------------------------------------------------------------

    def tell(self, turn: Turn, emit: Emit) -> None:
        """Tell what the newest request was made of, slot by slot."""
        if self.assembler is not None:
            self.reported = self._report(self.assembler, turn)
            emit(ContextReported(self.reported.to_json()))

    async def report(self) -> LoadReport:
        """What the next request would be made of as things stand, slot by slot; calls no model."""
        if self.reported is not None:
            return self.reported
        # without one, one of its own: the first turn still has to make, and tell of, the session's
        assembler = self.assembler or await self._built(enabled=self._memory.now().enabled)
        return self._report(assembler, None)

    def _report(self, assembler: Assembler, turn: Turn | None) -> LoadReport:
        tail, recalled = (turn.tail, turn.recalled) if turn is not None else ("", ())
        history = since_boundary(self._messages)
        return assembler.report(self._tools(), tail, recalled, history, self._model().info.context_window)
