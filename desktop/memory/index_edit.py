"""Single wanted changes of an index: another hook on a line, a line moved before another one (6.8, W-16).

Owns how a line keeps its link, marks and place while only its words change. Works on the whole text, cut index or not. Pure, any thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

from desktop.base.errors import ToolError
from desktop.base.phrases import say
from desktop.memory.index_keeper import BETWEEN, LINE_MOST, IndexKeeper
from desktop.memory.index_text import entries_of, item_end, link_end, links_of
from desktop.memory.note import Note, one_line

LEAST_HOOK = 40
"""Characters that a hook always has room for, however long the link is."""

_CLOSING = re.compile(r"[*_`\"'”’>)~]{0,4}(?=[\s:：,，—–-]|$)")


@dataclass(frozen=True, slots=True)
class Edited:
    """The new text of an index, and the line that it is about as it now stands."""

    text: str
    line: str


def with_hook(text: str, note: Note, line: int | None, hook: str) -> Edited:
    """The index with `hook` as the words behind the note's link; a line is added where it has none.

    Args:
        text: the whole index.
        note: whose line it is.
        line: where that line stands (0-based), or None.
        hook: the words; line breaks in it become blanks, and it is cut so that the line has at most `LINE_MOST` characters.

    Raises:
        ToolError: the hook holds links of its own, or the line leads to other files too.
    """
    hook = re.sub(r"^(?:[-–—:：]+(?:\s+|$))+", "", " ".join(hook.split()))
    if links_of(f"- {hook}") or "[[" in hook or not hook:
        raise ToolError(say("The hook must be plain words: one line that says when the memory matters."))
    if line is None:
        keeper = IndexKeeper.of_nothing()
        own = keeper.link_for(note)
        new = own + BETWEEN + _cut(hook, own)
        return Edited(keeper.with_line(text, note, new), new)
    lines = text.split("\n")
    old = lines[line].rstrip("\r")
    others = [target for _title, target in links_of(old) if target != note.path]
    end = link_end(old)
    if others or end is None:
        raise ToolError(say("The line also leads to {others}; change it with Edit.", others=", ".join(others) or "more"))
    if old.lstrip().startswith("|"):
        new = _in_row(old, end, hook)
    else:
        closing = _CLOSING.match(old, end)
        link = old[: closing.end() if closing else end]
        new = link + BETWEEN + _cut(hook, link)
    lines[line] = new + lines[line][len(old) :]
    return Edited("\n".join(lines), new)


def _cut(hook: str, link: str) -> str:
    return one_line(hook, max(LINE_MOST - len(link) - len(BETWEEN), LEAST_HOOK))


def _in_row(row: str, end: int, hook: str) -> str:
    """A table row with the hook in the cell behind the link's, or behind the link where the row has no further cell."""
    words = _cut(hook, row[:end]).replace("|", "\\|")
    first = row.find("|", end)
    second = row.find("|", first + 1) if first >= 0 else -1
    if second < 0:
        return f"{row[:end]}{BETWEEN}{words} |"
    return f"{row[: first + 1]} {words} {row[second:]}"


def moved(text: str, line: int, before: int | None) -> Edited:
    """The index with the entry on `line`, and all that stands under it, before the entry on `before` (None: behind the last one).

    Args:
        line, before: 0-based lines of entries.

    Raises:
        ToolError: `before` stands under the moved entry itself.
    """
    lines = text.split("\n")
    last = _tree_end(lines, line)
    if before is not None and line < before <= last:
        raise ToolError(say("A line cannot be moved before one that stands under it."))
    entries = entries_of(text)
    target = before if before is not None else _behind_last(lines, [entry.line for entry in entries])
    if line <= target <= last + 1:
        return Edited(text, lines[line].rstrip("\r"))
    ending = "\r" if "\r\n" in text else ""
    block = [f"{part.rstrip(chr(13))}{ending}" for part in lines[line : last + 1]]
    if before is not None:
        block = _indented(block, lines[before])
    if target == len(lines) and lines[-1] != "":  # the file ends without a line break: the block's line takes its place at the end
        lines[-1] += ending
        block[-1] = block[-1].rstrip("\r")
    kept = [*lines[:line], *([None] * (last + 1 - line)), *lines[last + 1 :]]
    placed = [*kept[:target], *block, *kept[target:]]
    return Edited("\n".join(part for part in placed if part is not None), block[0].rstrip("\r"))


def _width(line: str) -> int:
    return len(line) - len(line.lstrip(" \t"))


def _tree_end(lines: list[str], line: int) -> int:
    """The last line of an entry with its text and the entries nested in it."""
    last = number = line
    while number + 1 < len(lines):
        number += 1
        if not lines[number].strip():
            continue
        if _width(lines[number]) <= _width(lines[line]):
            break
        last = number
    return last


def _behind_last(lines: list[str], entries: list[int]) -> int:
    return item_end(lines, entries[-1], frozenset(entries)) + 1 if entries else len(lines)


def _indented(block: list[str], like: str) -> list[str]:
    """The block with its first line indented like another line, and the rest with it."""
    own, wanted = _width(block[0]), like[: _width(like)]
    return [wanted + part[min(own, _width(part)) :] if part.strip() else part for part in block]
