"""Which memories of the opened folder hold what is typed into the filter box, beyond their headers. Newest text first; GUI thread."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from PySide6.QtCore import QObject, Signal

from desktop.bridge.latest import Latest
from desktop.bridge.operations import Failure, Operations
from desktop.ui.controllers.search_work import content_hits

if TYPE_CHECKING:
    from desktop.compose import Services, Workspace

Snippet = tuple[str, tuple[tuple[int, int], ...]]
"""One line out of a file, and (start, end) of what was found in it."""


class ContentFinder(QObject):
    """See the module's text.

    Signals:
        found(text, hits): `hits` is (root id, path) → snippet; to the newest text only.
    """

    found = Signal(str, object)

    def __init__(self, services: Services, operations: Operations, parent: QObject) -> None:
        super().__init__(parent)
        self._workspace: Workspace | None = None
        self._text = ""
        self._asking = Latest(operations, lambda question: content_hits(services, *question), self._on_found, self._on_failed, self)

    @property
    def pending(self) -> str:
        """The text whose answer is under way; empty for none."""
        return self._text if self._asking.busy else ""

    def set_workspace(self, workspace: Workspace | None) -> None:
        """The folder whose memory is indexed by now; None while it is not."""
        self._asking.drop()
        self._workspace = workspace
        self.again()

    def ask(self, text: str) -> None:
        """Another text; `found` follows, unless it is blank or nothing is indexed yet."""
        self._text = text
        if text and self._workspace is not None:
            self._asking.ask((self._workspace, text))
        else:
            self._asking.drop()

    def again(self) -> None:
        """Files changed."""
        self.ask(self._text)

    def _on_found(self, question: tuple[Workspace, str], hits: Mapping[tuple[str, str], Snippet]) -> None:
        if question[0] is self._workspace and question[1] == self._text:
            self.found.emit(self._text, hits)

    def _on_failed(self, question: tuple[Workspace, str], _failure: Failure) -> None:
        """The headers are filtered all the same; the Search view says what is wrong."""
        self._on_found(question, {})
