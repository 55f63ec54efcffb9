"""What a writer is told about the size of the index right after a memory was written: nothing while it is fine, a reminder near a limit,
and over it what is left out and how far to go back.

Owns the thresholds and the wording. Header and comments do not count. Reads the index only; blocking, any thread; never raises.
"""

from __future__ import annotations

from pathlib import Path

from desktop.base.phrases import Phrase, listed, say, together
from desktop.memory.index import NAMED, LoadedIndex, load_index
from desktop.memory.index_limits import IndexLimits, Sizes, sizes_of
from desktop.memory.note import INDEX_NAME, one_line

NEAR = 0.8
"""Part of a limit from which the writer is reminded."""

TARGET = 0.7
"""Part of each limit that an index over it should be brought down to."""


def write_feedback(folder: Path, limits: IndexLimits | None = None) -> str:
    """What to add to the result of a memory write; "" while the index is fine, missing or unreadable.

    Args:
        folder: the memory root.
        limits: those that the index is loaded with; None: the defaults.
    """
    limits = limits or IndexLimits()
    loaded = load_index(folder, limits)
    if loaded.state != "ok":
        return ""
    sizes = sizes_of(loaded.source)
    if loaded.truncated:
        return _over(sizes, limits, loaded)
    near = [part for part, size, most in _each(sizes, limits) if size >= NEAR * most]
    if not near:
        return ""
    return together(
        say("{name} is near its limit: {sizes}.", name=INDEX_NAME, sizes=listed(near)),
        say("Merge or delete what no longer matters, and keep each line short, before new memories push old ones out."),
    )


def _each(sizes: Sizes, limits: IndexLimits) -> list[tuple[Phrase, int, int]]:
    return [
        (say("{size:,} of {most:,} lines", size=sizes.lines, most=limits.lines), sizes.lines, limits.lines),
        (say("{size:,} of {most:,} bytes", size=sizes.bytes, most=limits.bytes), sizes.bytes, limits.bytes),
        (say("{size:,} of {most:,} tokens", size=sizes.tokens, most=limits.tokens), sizes.tokens, limits.tokens),
    ]


def _over(sizes: Sizes, limits: IndexLimits, loaded: LoadedIndex) -> str:
    over = [part for part, size, most in _each(sizes, limits) if size > most]
    named = [one_line(title, 60) for title in loaded.dropped[:NAMED]]
    more = len(loaded.dropped) - len(named)
    left_out = say("Not loaded: {names}.", names="; ".join(named)) if named else ""
    if more > 0:
        left_out = say("Not loaded: {names} and {count} more.", names="; ".join(named), count=more)
    lines, size, tokens = (int(TARGET * most) for most in (limits.lines, limits.bytes, limits.tokens))
    return together(
        say("The memory was saved, but {name} is over its limit: {sizes}.", name=INDEX_NAME, sizes=listed(over)),
        left_out,
        say("Bring it down to about {lines:,} lines, {size:,} bytes and {tokens:,} tokens:", lines=lines, size=size, tokens=tokens),
        say("merge or delete memories, keep one line an entry with at most 200 characters, and put details into topic files."),
    )
