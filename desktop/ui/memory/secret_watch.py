"""Points out a value in a draft that looks like a secret, while it is still easy to take out. The value itself is never repeated.

Looks at a typing pause, in a worker. The person decides: nothing is refused here. GUI thread; no I/O.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from PySide6.QtCore import QObject, QTimer, Signal

from desktop.base.phrases import listed
from desktop.base.redact import find_secrets
from desktop.bridge.operations import Failure, Operations
from desktop.bridge.spoken import spoken
from desktop.ui.memory.banner import Banner

PAUSE_MS = 700
PIECE = 65_536
"""Characters that are looked through at once; cut at a line's end."""


@dataclass(frozen=True, slots=True)
class SecretPlace:
    """Where a value stands that looks like a secret.

    Attributes:
        kind: what it looks like.
        line: 1-based.
        mark: tells this value from others within this run of the app; the value cannot be had from it.
    """

    kind: str
    line: int
    mark: int


def secret_places(text: str) -> tuple[SecretPlace, ...]:
    """Every value of a text that looks like a secret. Pure.

    In pieces: a search through megabytes in one go would keep the window's thread waiting.
    """
    found: list[SecretPlace] = []
    start, line = 0, 1
    while start < len(text):
        end = text.rfind("\n", start, start + PIECE) + 1 if start + PIECE < len(text) else len(text)
        piece = text[start : end or start + PIECE]
        for hit in find_secrets(piece):
            found.append(SecretPlace(hit.kind, line + piece.count("\n", 0, hit.start), hash(piece[hit.start : hit.end])))
        start, line = start + len(piece), line + piece.count("\n")
    return tuple(found)


class SecretWatch(QObject):
    """Watches one draft.

    Signals:
        line_requested(int): show this line.
    """

    line_requested = Signal(int)

    def __init__(self, banner: Banner, operations: Operations, draft: Callable[[], str], parent: QObject | None = None) -> None:
        super().__init__(parent)
        self._banner = banner
        self._operations = operations
        self._draft = draft
        self._looking = 0
        self._silent: set[int] = set()
        self._timer = QTimer(self)
        self._timer.setSingleShot(True)
        self._timer.setInterval(PAUSE_MS)
        self._timer.timeout.connect(self._look)

    def typed(self) -> None:
        """The draft changed: look when the typing pauses."""
        self._timer.start()

    def settle(self) -> None:
        """A save has said what there is to say."""
        self._timer.stop()
        self._banner.dismiss()

    def dispose(self) -> None:
        """Before the editor goes."""
        self._timer.stop()
        self._operations.forget(self._looking)

    def _look(self) -> None:
        text = self._draft()
        self._operations.forget(self._looking)
        self._looking = self._operations.read(lambda: secret_places(text), self._on_found, self._on_failed)

    def _on_failed(self, _failure: Failure) -> None:
        self._looking = 0

    def _on_found(self, places: tuple[SecretPlace, ...]) -> None:
        self._looking = 0
        places = tuple(place for place in places if place.mark not in self._silent)
        if not places:
            self._banner.dismiss()
            return
        kinds = spoken(listed(dict.fromkeys(place.kind for place in places)))
        line = places[0].line
        text = self.tr("This text holds what looks like a secret: {kinds}. It is better kept elsewhere.").format(kinds=kinds)
        self._banner.show_text(
            "warning",
            text,
            [
                (self.tr("Go to Line {n}").format(n=line), lambda: self.line_requested.emit(line)),
                (self.tr("Not a Secret"), lambda: self._silence(places)),
            ],
        )

    def _silence(self, places: tuple[SecretPlace, ...]) -> None:
        self._silent.update(place.mark for place in places)
        self._banner.dismiss()
