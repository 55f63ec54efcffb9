"""What side-bar view and picker share: what comes in from outside, while the chosen row stays chosen. GUI thread."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from contextlib import AbstractContextManager
from datetime import datetime

from PySide6.QtWidgets import QLineEdit

from desktop.sessions.summary import SessionSummary
from desktop.ui.sessions.filtering import ListOptions
from desktop.ui.sessions.menu import OptionsMenu
from desktop.ui.sessions.model import SessionsModel, Snippet


class ShownList:
    """Beside a widget's own class, before it. How the row stays chosen is the widget's."""

    model: SessionsModel
    line: QLineEdit
    options: OptionsMenu

    def _same_chosen(self) -> AbstractContextManager[None]:
        raise NotImplementedError

    def set_sessions(
        self, sessions: Sequence[SessionSummary], now: datetime, current: str = "", *, haystacks: Sequence[str] | None = None
    ) -> None:
        """What there is; the chosen session stays chosen."""
        with self._same_chosen():
            self.model.set_sessions(sessions, now, current, haystacks=haystacks)

    def set_content(self, text: str, hits: Mapping[str, Snippet]) -> None:
        """What was found in sessions for a text; an answer to an older one is dropped."""
        if text == self.line.text():
            with self._same_chosen():
                self.model.set_content(hits)

    def set_options(self, options: ListOptions) -> None:
        self.options.options = options
        with self._same_chosen():
            self.model.set_options(options)
