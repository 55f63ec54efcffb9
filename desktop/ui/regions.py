"""Which regions of the window have room beside the editor, and how much: in a narrow window they get narrower, then they fold, and come
back when there is room again.

What the person asked for last stays longest; before that the chat stays longer than the side bar. Pure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence


class Room:
    """Who is wanted, and who has to wait for room.

    Attributes:
        folded: wanted, and hidden because there is no room.
    """

    def __init__(self, regions: Sequence[str]) -> None:
        """`regions`: those that may fold, the one that stays longest first."""
        self._order = list(regions)
        self.folded: frozenset[str] = frozenset()

    def __contains__(self, name: object) -> bool:
        """Whether this region is one that may fold."""
        return name in self._order

    def asked(self, name: str) -> None:
        """The person wants to see this one: it is the last to fold."""
        if name in self._order:
            self._order.remove(name)
            self._order.insert(0, name)
            self.settled(name)

    def settled(self, name: str) -> None:
        """Whether this one is shown does not depend on room any more."""
        self.folded -= {name}

    def fit(self, width: int, shown: Sequence[str], needs: Mapping[str, int], editor: int) -> tuple[frozenset[str], int]:
        """Which regions are shown now, and how wide the editor must be at least; the others of those that are wanted are folded.

        Args:
            width: pixels for all of them and the editor.
            shown: regions that are shown; those that were folded are wanted as well.
            needs: least pixels of each region.
            editor: least pixels of the editor; less only where the one that stays longest leaves less.
        """
        wanted = [name for name in self._order if name in shown or name in self.folded]
        left, kept = width - editor, set[str]()
        for name in wanted:
            if not kept or needs[name] <= left:
                kept.add(name)
                left -= needs[name]
        self.folded = frozenset(wanted) - kept
        return frozenset(kept), max(0, editor + min(0, left))


def widths(total: int, wanted: Mapping[str, int], least: Mapping[str, int], editor: int) -> dict[str, int]:
    """How wide the regions beside the editor are: where less than `editor` pixels are left for it, they give what they can, each its share.

    Args:
        total: pixels for all of them and the editor.
        wanted: pixels of each region where there is room.
        least: down to which width a region gives; one that is not in it gives nothing: its width is the person's own.
    """
    spare = {name: max(0, width - least.get(name, width)) for name, width in wanted.items()}
    whole = sum(spare.values())
    lacking = min(whole, max(0, editor + sum(wanted.values()) - total))
    return {name: width - (-(-lacking * spare[name] // whole) if whole else 0) for name, width in wanted.items()}
