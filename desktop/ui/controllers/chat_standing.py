"""How what the chips of a chat count stands by now: changes of memory that were taken back, proposals that were decided.

Reads the journals and the inboxes of our own roots, whoever wrote them; changes nothing. Blocking: call it in a worker. No Qt.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from desktop.memory.change import undone_ids
from desktop.memory.decisions import Became

if TYPE_CHECKING:
    from desktop.memory.memories import Memories


@dataclass(frozen=True, slots=True)
class Standing:
    """See the module's text.

    Attributes:
        undone: root id and change id of what is taken back at present.
        proposals: by id; one that no inbox keeps any more is missing.
        waiting: how many proposals wait in all.
    """

    undone: frozenset[tuple[str, str]] = frozenset()
    proposals: Mapping[str, Became] = field(default_factory=dict)
    waiting: int = 0


def standing_of(memories: Memories, changes: Collection[tuple[str, str]], proposals: Collection[str]) -> Standing:
    """How these stand: `changes` as in `Standing.undone`; a root that is not ours any more has nothing undone.

    Raises:
        StorageError: a journal or an inbox cannot be read for now.
    """
    undone: set[tuple[str, str]] = set()
    became: dict[str, Became] = {}
    waiting = 0
    roots = {root for root, _ in changes}
    for store in memories.own():
        root = store.memory_root.id
        if root in roots:
            taken = undone_ids(store.journal.read())
            undone.update((root, change) for place, change in changes if place == root and change in taken)
        if proposals:
            became.update(store.proposals.became(proposals))
            waiting += len(store.proposals.waiting())
    return Standing(frozenset(undone), became, waiting)
