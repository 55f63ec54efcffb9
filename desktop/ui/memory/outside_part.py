"""What becomes of a draft when somebody else changed or deleted its file: the question, the comparison, and the offer to merge.

Owns the banner and the comparison of an editor; never touches draft, document or file, but asks for it by signals. GUI thread; comparing
and merging run in workers.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from PySide6.QtCore import QObject, Signal

from desktop.bridge.spoken import sentences
from desktop.memory.merge import merge_lines
from desktop.ui.controllers.memory_document import MemoryDocument, Seen
from desktop.ui.memory.banner import Action, Banner
from desktop.ui.memory.compare_view import CompareView
from desktop.ui.memory.line_diff import Difference, difference
from desktop.ui.memory.line_endings import plain
from desktop.ui.memory.result_text import lines_that_came_in
from desktop.ui.memory.rows import shown
from desktop.ui.memory.who import actor_word, changed_text, deleted_text

NAMED = 4
"""Lines that came in which the offer shows; the rest is counted."""
LONGEST = 120

Outside = Literal["same", "changed", "deleted"]


@dataclass(frozen=True, slots=True)
class Offer:
    """A merge of a draft with somebody else's version.

    Attributes:
        mine: the draft that it was made of.
        text: both together; None: they changed the same lines.
        came_in: the lines that the other version brings, without the stamped times.
        taken_out: how many lines it takes away.
    """

    mine: str
    text: str | None
    came_in: tuple[str, ...] = ()
    taken_out: int = 0


def make_offer(base: str, mine: str, theirs: str) -> Offer:
    """Merge by lines, and what that would bring into the draft. Pure; for a worker."""
    merged = merge_lines(base, mine, theirs).text
    if merged is None:
        return Offer(mine, None)
    return Offer(mine, merged, lines_that_came_in(mine, merged), len(lines_that_came_in(merged, mine)))


def _cut(text: str) -> str:
    return text if len(text) <= LONGEST else text[: LONGEST - 1] + "…"


class OutsidePart(QObject):
    """See the module's text.

    Attributes:
        state: whether the file is as the draft knows it.
        seen: the other version.

    Signals:
        keep_requested(): go on with the draft; take_requested(): replace it by the other version.
        merge_requested(str): the text with both changes.
        save_new_requested(): write the deleted file anew; close_requested(): close the tab.
        comparing_changed(bool): the comparison is to be shown, or the draft again.
    """

    keep_requested = Signal()
    take_requested = Signal()
    merge_requested = Signal(str)
    save_new_requested = Signal()
    close_requested = Signal()
    comparing_changed = Signal(bool)

    def __init__(
        self, document: MemoryDocument, banner: Banner, compare: CompareView, draft: Callable[[], str], parent: QObject | None = None
    ) -> None:
        super().__init__(parent)
        self._document = document
        self._banner = banner
        self._compare = compare
        self._draft = draft
        self._offer: Offer | None = None
        self._offering = 0
        self._comparing_work = 0
        self._apply = False
        self.state: Outside = "same"
        self.seen: Seen | None = None
        self.comparing = False

    def settle(self) -> None:
        """The draft stands on what is on disk again."""
        self._forget()
        self.state, self.seen, self._offer, self._apply = "same", None, None, False
        self._banner.dismiss()
        self.stop_comparing()

    def dispose(self) -> None:
        """Before the editor goes."""
        self._forget()

    def _forget(self) -> None:
        for number in (self._offering, self._comparing_work):
            self._document.operations.forget(number)
        self._offering = self._comparing_work = 0

    # -- changed ---------------------------------------------------------------------------------------------------------------------

    def show_changed(self, seen: Seen) -> None:
        """Ask what is to become of the draft, now that there is another version."""
        self._forget()
        self.state, self.seen, self._offer, self._apply = "changed", seen, None, False
        self._show_question()
        self._make_offer()
        if self.comparing:
            self.compare()

    def _make_offer(self) -> None:
        base, seen = self._document.base, self.seen
        if base is None or seen is None or seen.stored is None:
            return
        texts = plain(base.text), self._draft(), plain(seen.stored.text)
        operations = self._document.operations
        operations.forget(self._offering)
        self._offering = operations.read(lambda: make_offer(*texts), self._on_offer, self._on_no_offer)

    def _on_offer(self, offer: Offer) -> None:
        self._offering = 0
        if self.state != "changed":
            return
        self._offer = offer
        if self._apply:
            self._apply = False
            self.merge()
        else:
            self._show_question()

    def _on_no_offer(self, _failure: object) -> None:
        """The two cannot be merged: the other ways out are shown already."""
        self._offering, self._apply = 0, False

    def merge(self) -> None:
        """Put both changes into the draft; when it was typed on since the offer was made, that is merged anew first."""
        if self._offer is None or self._offer.mine != self._draft():
            self._offer, self._apply = None, True
            self._make_offer()
        elif self._offer.text is not None:
            self.merge_requested.emit(self._offer.text)
        else:
            self._show_question()

    def _show_question(self) -> None:
        seen = self.seen
        if seen is None:
            return
        look: Action = (self.tr("Back to the Draft"), self.stop_comparing) if self.comparing else (self.tr("Compare"), self.compare)
        actions = [look, (self.tr("Keep Mine"), self.keep_requested.emit), (self.tr("Take Theirs"), self.take_requested.emit)]
        if self._offer is not None and self._offer.text is not None:
            actions.insert(0, (self.tr("Merge"), self.merge))
        self._banner.show_text("warning", "\n".join((changed_text(seen.actor), *self._offer_lines())), actions)

    def _offer_lines(self) -> list[str]:
        """What the person needs to know to choose."""
        offer = self._offer
        if offer is None:
            return [self.tr("Your draft is kept, and nothing is overwritten.")]
        if offer.text is None:
            return [self.tr("You both changed the same lines. Your draft is kept, and nothing is overwritten.")]
        lines = [f"+ {_cut(shown(line))}" for line in offer.came_in[:NAMED]]
        if len(offer.came_in) > NAMED:
            lines.append(self.tr("and %n more", "", len(offer.came_in) - NAMED))
        if offer.taken_out:
            lines.append(self.tr("− %n line(s) taken out", "", offer.taken_out))
        if not lines:
            return [self.tr("Both changes fit together. Nothing in your text would change.")]
        return [self.tr("Both changes fit together. Merging would bring into your draft:"), *lines]

    # -- comparing -------------------------------------------------------------------------------------------------------------------

    def compare(self) -> None:
        """Show the other version beside the draft."""
        if self.seen is None or self.seen.stored is None:
            return
        theirs, mine = plain(self.seen.stored.text), self._draft()
        self.comparing = True
        self._compare.clear_difference()
        operations = self._document.operations
        operations.forget(self._comparing_work)
        self._comparing_work = operations.read(lambda: difference(theirs, mine), self._on_compared)
        self.comparing_changed.emit(True)
        self._show_question()

    def _on_compared(self, found: Difference) -> None:
        self._comparing_work = 0
        if self.seen is None:
            return
        left = self.tr("On disk, by: {who}").format(who=actor_word(self.seen.actor))
        self._compare.show_difference(found, left, self.tr("Your draft, not saved"))

    def stop_comparing(self) -> None:
        """Show the draft again."""
        was, self.comparing = self.comparing, False
        if self.state == "changed":
            self._show_question()
        if was:
            self.comparing_changed.emit(False)

    # -- deleted ---------------------------------------------------------------------------------------------------------------------

    def show_deleted(self, seen: Seen) -> None:
        """Say that the file is gone. What is shown is not written back by itself."""
        self._forget()
        self.state, self.seen, self._offer = "deleted", seen, None
        self.stop_comparing()
        self._banner.show_text(
            "warning",
            sentences(deleted_text(seen.change), self.tr("What you see is only here now.")),
            [(self.tr("Save As New"), self.save_new_requested.emit), (self.tr("Close"), self.close_requested.emit)],
        )
