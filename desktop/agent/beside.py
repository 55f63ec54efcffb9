"""What goes on beside a session's turns and is no part of them: the running answer is kept on disk, and the session gets its title.

Owns when. Writes nothing into the conversation; nothing of it holds up a turn. Asyncio thread.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from desktop.agent.answer_keeper import AnswerKeeper
from desktop.agent.ask import Emit
from desktop.agent.titles import TitleJob
from desktop.base.clock import Clock
from desktop.messages.events import TurnEnded
from desktop.providers.base import Model
from desktop.sessions.handle import SessionHandle
from desktop.settings.store import SettingsStore

TITLE_S = 10.0
"""What a title on its way is given when the person goes on elsewhere; when the window closes it is given up."""


class Beside:
    """One for a session.

    Args:
        titles: whether the session gets a title of the model's, where the settings allow it: not in a terminal.
    """

    def __init__(self, handle: SessionHandle, settings: SettingsStore, clock: Clock, model: Callable[[], Model], *, titles: bool) -> None:
        self._settings = settings
        self._model = model
        self._titles = titles
        self._keeper = AnswerKeeper(handle, clock)
        self._title = TitleJob(handle, clock)

    def watching(self, emit: Emit) -> Emit:
        """`emit` for the turn that begins."""
        return self._keeper.watching(emit, self._model().info.id)

    async def turn_over(self) -> None:
        """All that will come of the turn stands in the transcript."""
        await self._keeper.end()

    def answered(self, ended: TurnEnded) -> None:
        """A turn came to its end: a session without a title gets one."""
        if ended.stop == "end" and self._titles:
            self._title.schedule(self._model(), allowed=self._settings.value("sessions.titles") == "auto")

    async def close(self, hurried: asyncio.Event, *, patient: bool) -> None:
        """The session is left; a title that is on its way is waited for, at most TITLE_S seconds or until `hurried`, or given up."""
        await self._title.end(TITLE_S if patient else 0.0, hurried)
