"""Recall of one session: what stands in its context because it was recalled, and the start of each turn's halves (RC-01…RC-09).

Owns when the search index is looked through and what earlier turns recalled. A turn's own work is `agent.recall_turn`'s. Asyncio thread,
but for what says that it blocks.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Callable, Collection, Mapping, Sequence

from desktop.agent.prompts import Language
from desktop.agent.recall_shown import ShownMemories
from desktop.agent.recall_turn import RecallLimits, RecallTurn
from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError
from desktop.memory.memories import Memories
from desktop.memory.recall import holds_anything
from desktop.memory.search import MemorySearch
from desktop.messages.parts import Message
from desktop.providers.base import Model
from desktop.settings.store import SettingsStore

__all__ = ["Recall", "RecallLimits", "RecallTurn"]

log = logging.getLogger(__name__)

QUICK_S = 0.03
"""A look through all files that took no longer goes before the search; a longer one goes behind it, for what is new."""

WARM_S = 2.0


class Recall:
    """Recall of one session; lives as long as the process has it open.

    Args:
        memories: the session's roots, with its switches.
        search: over memory; None: there is only the model's half.
        language: of the notices inside recalled texts.
    """

    def __init__(
        self, memories: Memories, search: MemorySearch | None, settings: SettingsStore, clock: Clock, *, language: Language
    ) -> None:
        self.memories = memories
        self.search = search
        self.settings = settings
        self.clock = clock
        self.language: Language = language
        self.shown = ShownMemories()
        self.quick = True
        self.looked = False
        memories.forgotten.subscribe(self.shown.forget_root)

    def begin(self, text: str, messages: Sequence[Message], model: Model, *, message_id: str, session_id: str) -> RecallTurn:
        """Start both halves beside the turn of a person's message; see `RecallTurn`. Never raises, waits for nothing.

        Args:
            text: what the person wrote.
            messages: what stands in the context.
            message_id: the person's message, under which what is recalled is kept.
        """
        return RecallTurn(self, text, tuple(messages), model, message_id=message_id, session_id=session_id)

    def kept(self, on_branch: Collection[str]) -> Mapping[str, tuple[str, ...]]:
        """What earlier turns recalled and is still so: id of the person's message → framed texts to stand behind it, as they stood before.

        Joined by a blank line they are what `first` and `arrived` gave. Left out: files that are gone, changed or purged, and everything
        while memory or recall is off. Blocking: looks at each file.
        """
        if self.settings.value("memory.recall") == "off" or not self.memories.state().enabled:
            return {}
        return {message: tuple(one.text for one in ones) for message, ones in self.shown.standing(on_branch).items()}

    def forget_all(self) -> None:
        """Nothing recalled stands in the context any more: it may all be recalled anew."""
        self.shown.forget_all()

    def warm(self, *, seconds: float = WARM_S) -> bool:
        """Bring the index in step before the first turn, so that words answer in time. Never raises. Blocking, about `seconds` at most.

        Does nothing while memory or recall is off, or memory is empty.

        Returns:
            Whether there is nothing more to be made ready.
        """
        if self.search is None or self.settings.value("memory.recall") == "off" or not self.memories.state().enabled:
            return True
        until = time.monotonic() + seconds
        try:
            if not holds_anything(self.memories):
                return True
            self.look(lambda: time.monotonic() > until)
            if self.looked:
                self.search.search(self.memories, "memory", for_model=True, reconcile=False, dense=False, limit=1)
        except (KeepsakeError, OSError) as error:
            log.info("the index is not ready for recall: %s", error)
            return True
        return self.looked

    def look(self, stopped: Callable[[], bool]) -> bool:
        """Bring the index in step with the files; whether something had changed. Blocking. One that cannot be written stays as it is."""
        if self.search is None:
            return False
        began, changed = time.monotonic(), 0
        try:
            changed = self.search.reconcile(self.memories, stopped=stopped)
        except KeepsakeError as error:
            log.warning("memories are recalled from the index as it was: %s", error.message)
        if not stopped():
            self.looked = True
            if not changed:  # reading what is new says nothing about how long a look takes
                self.quick = time.monotonic() - began <= QUICK_S
        return changed > 0
