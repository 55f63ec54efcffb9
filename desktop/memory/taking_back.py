"""“Undo the last act of memory”: the newest change, or the newest word of the person in the review inbox, whichever came later.

Owns only the choice; changes are taken back by `memory.moving` and the store, decisions by the inbox. Blocking.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from desktop.base.clock import iso
from desktop.memory.change import Change, last_of
from desktop.memory.decisions import Decision
from desktop.memory.moving import undo_in
from desktop.memory.proposal import PROPOSAL_ID, Proposal
from desktop.memory.store import MemoryStore


@dataclass(frozen=True, slots=True)
class TakenBack:
    """What was taken back.

    Attributes:
        change: that undid a change; None when no memory changed.
        waits: the proposal that waits for the person's word again; None when there is none.
    """

    change: Change | None
    waits: Proposal | None = None


def later_decision(store: MemoryStore, change: Change | None) -> Decision | None:
    """The newest decision of a root's inbox that no journal knows, where it came after `change`; None when that is the newer one."""
    found = store.proposals.last_decision()
    if found is None or (change is not None and iso(found.moment) < iso(change.time)):
        return None
    return found


def take_back(stores: Sequence[MemoryStore], store: MemoryStore, name: str | None = None) -> TakenBack:
    """Take back one act of a root.

    Args:
        stores: all that may hold the other half of a move.
        store: of the root.
        name: id of a change, or of a proposal that was decided; None: the newest of either.

    Raises:
        NotFoundError: there is none, or it is no longer kept.
        ConflictError: a file was changed again since, or it is taken back already.
    """
    proposal = name if name is not None and PROPOSAL_ID.fullmatch(name) else None
    if name is None:
        newest = later_decision(store, last_of(store.journal.read(), undoable=True))
        proposal = newest.proposal.id if newest is not None else None
    if proposal is None:
        made = undo_in(stores, store, name)
        return TakenBack(made, store.proposals.waits_again(made))
    change = store.proposals.take_back(proposal, store)
    return TakenBack(change, next((one for one in store.proposals.waiting() if one.id == proposal), None))
