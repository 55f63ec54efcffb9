"""What the person decided in a review inbox, as files and journal tell it: which decision lies behind a change, and which was the last one.

Owns only the telling: whoever takes a decision back is `memory.proposals`, with the inbox's lock held. Changes nothing. Blocking.
"""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime
from typing import Literal, NamedTuple

from desktop.base.errors import KeepsakeError
from desktop.memory.change import Change, undone_ids
from desktop.memory.journal import Journal
from desktop.memory.proposal import Proposal
from desktop.memory.proposal_files import ProposalFiles

log = logging.getLogger(__name__)
ACCEPTED_REASON = "accepted in the review inbox"
Became = Literal["waiting", "accepted", "rejected", "replaced"]
"""What a proposal is by now; `replaced`: a newer one for the same path took its place."""


class Decision(NamedTuple):
    """A decision that changed no memory, so that no journal knows it: a rejection, or accepting what the memory said already."""

    proposal: Proposal
    moment: datetime
    rejected: bool


def first_of(changes: Sequence[Change], change: Change) -> Change:
    """The change at the beginning of a row of undos: what `change` takes back, or what that takes back, and so on."""
    by_id = {one.id: one for one in changes}
    seen = {change.id}
    while change.undoes in by_id and change.undoes not in seen:
        change = by_id[change.undoes]
        seen.add(change.id)
    return change


class Decisions:
    """The decisions of one root.

    Args:
        files: of its inbox.
        journal: of its store.
    """

    def __init__(self, files: ProposalFiles, journal: Journal) -> None:
        self._files = files
        self._journal = journal

    def is_applied(self, proposal: Proposal, *, strict: bool = False) -> bool:
        """Whether a proposal was accepted, or was being accepted by a killed process, its change was made, and is not taken back.

        Raises:
            StorageError: in `strict`, the journal cannot be read; else it then counts as waiting.
        """
        if not proposal.group:
            return False
        try:
            changes = self._journal.read()
        except KeepsakeError as error:
            if strict:
                raise
            log.warning("whether %s was applied is not known: %s", proposal.id, error.message)
            return False
        undone = undone_ids(changes)
        return any(change.id not in undone for change in _made_by(changes, proposal))

    def made_by(self, proposal: Proposal) -> list[Change]:
        """What accepting it changed, taken back or not."""
        return _made_by(self._journal.read(), proposal)

    def behind(self, change: Change) -> Proposal | None:
        """The proposal out of which a change came, or the change that it takes back; None when there is none, or it is no longer kept.

        Raises:
            StorageError: the inbox cannot be read for now.
        """
        first = first_of(self._journal.read(), change)
        if not first.group or first.origin.reason != ACCEPTED_REASON:
            return None
        kept = (*self._files.scan(strict=True)[0], *(proposal for proposal, _ in self._files.decisions(strict=True)))
        return next((one for one in kept if one.group == first.group), None)

    def became(self, proposal_id: str) -> Became | None:
        """What a proposal that does not wait became; None when it is no longer kept.

        Raises:
            StorageError: the inbox or the journal cannot be read for now.
        """
        here = (one for one in self._files.scan(strict=True)[0] if one.id == proposal_id)  # decided, and not put away yet
        proposal = next(here, None) or self._files.decision(proposal_id)
        if proposal is None:
            return None
        if self.is_applied(proposal, strict=True):
            return "accepted"
        if self._files.was_rejected(proposal.key):
            return "rejected"
        return "accepted" if proposal.group and not self.made_by(proposal) else "replaced"

    def last(self) -> Decision | None:
        """The newest decision that changed no memory and is not taken back; None when there is none that can be.

        Raises:
            StorageError: the inbox or the journal cannot be read for now: which one was the last is not known.
        """
        changes = self._journal.read()
        undone = undone_ids(changes)
        for proposal, moment in self._files.decisions(strict=True):
            made = _made_by(changes, proposal)
            if all(change.id in undone for change in made):
                rejected = self._files.was_rejected(proposal.key)
                if rejected or (proposal.group and not made):  # else a newer one took its place
                    return Decision(proposal, moment, rejected)
        return None


def _made_by(changes: Sequence[Change], proposal: Proposal) -> list[Change]:
    """What accepting it changed."""
    if not proposal.group:
        return []
    return [change for change in changes if change.group == proposal.group and not change.by_keeper]
