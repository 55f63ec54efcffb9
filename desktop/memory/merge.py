"""Merging two changes of one text by lines: what each of two writers changed since the text that both had read.

Owns the comparison and nothing else: it knows no file. Conservative: where both changed the same lines differently, or put different lines
in at the same place, there is no merge and the caller reports a conflict. Pure, any thread; bounded also on texts made to be slow.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher

MAX_WORK = 4_000_000
"""Pairs of equal lines that are compared at most; a larger difference counts as one changed block."""


@dataclass(frozen=True, slots=True)
class Merge:
    """The outcome: the merged text, or None and the number of places where both changed the same."""

    text: str | None
    conflicts: int = 0


@dataclass(frozen=True, slots=True)
class _Edit:
    """`base[start:end]` became `lines`."""

    start: int
    end: int
    lines: tuple[str, ...]


def _keys(lines: Sequence[str]) -> list[str]:
    return [line.rstrip("\r\n") for line in lines]


def _lines(text: str) -> list[str]:
    """Lines with their breaks; only \\n ends one, so that no exotic separator ever splits a sentence."""
    parts = text.split("\n")
    return [part + "\n" for part in parts[:-1]] + ([parts[-1]] if parts[-1] else [])


def _edits(base: Sequence[str], other: Sequence[str]) -> list[_Edit]:
    """What makes `other` of `base`, both without line breaks."""
    head = 0
    while head < min(len(base), len(other)) and base[head] == other[head]:
        head += 1
    tail = 0
    while tail < min(len(base), len(other)) - head and base[-1 - tail] == other[-1 - tail]:
        tail += 1
    old, new = base[head : len(base) - tail], other[head : len(other) - tail]
    if not old and not new:
        return []
    counts = Counter(new)
    if sum(counts[line] for line in old) > MAX_WORK:
        return [_Edit(head, head + len(old), tuple(new))]
    matcher = SequenceMatcher(None, old, new, autojunk=False)
    return [_Edit(head + i1, head + i2, tuple(new[j1:j2])) for tag, i1, i2, j1, j2 in matcher.get_opcodes() if tag != "equal"]


def _clash(one: _Edit, two: _Edit) -> bool:
    """Whether two edits touch the same lines, or put lines in at the same place."""
    if one.start == one.end and two.start == two.end:
        return one.start == two.start
    if one.start == one.end:
        return two.start < one.start < two.end
    if two.start == two.end:
        return one.start < two.start < one.end
    return one.start < two.end and two.start < one.end


def _place(at: int, known: Sequence[_Edit]) -> int:
    """Where line `at` of the base stands after the edits `known`."""
    return at + sum(len(edit.lines) - (edit.end - edit.start) for edit in known if edit.end <= at)


def _applied(lines: list[str], fresh: Sequence[_Edit], known: Sequence[_Edit], newline: str) -> list[str]:
    """`lines`, which are the base after `known`, with the edits `fresh` too; every line that stays keeps its own break."""
    done = list(lines)
    for edit in reversed(fresh):
        start = _place(edit.start, known)
        done[start : start + edit.end - edit.start] = [line + newline for line in edit.lines]
    return [line if line.endswith("\n") else line + newline for line in done]


def _ending(base: str, ours: str, theirs: str) -> bool:
    """Whether the merged text ends with a line break: what one of the two changed about it wins."""
    had, mine, other = (text.endswith("\n") for text in (base, ours, theirs))
    return other if mine == had else mine


def merge_lines(base: str, ours: str, theirs: str) -> Merge:
    """Put the changes of `ours` since `base` into `theirs`.

    Args:
        base: the text that both writers had read.
        ours, theirs: what each made of it. Line breaks are those of `theirs`.

    Returns:
        The merged text, or no text and how many places both changed differently.
    """
    if ours in (base, theirs):
        return Merge(theirs)
    if theirs == base:
        return Merge(ours)
    raw = _lines(theirs)
    newline = "\r\n" if sum(line.endswith("\r\n") for line in raw) * 2 > len(raw) else "\n"
    old = _keys(_lines(base))
    mine, other = _edits(old, _keys(_lines(ours))), _edits(old, _keys(raw))
    fresh = [edit for edit in mine if edit not in other]
    conflicts = sum(any(_clash(edit, known) for known in other) for edit in fresh)
    if conflicts:
        return Merge(None, conflicts)
    text = "".join(_applied(raw, fresh, other, newline))
    if not _ending(base, ours, theirs):
        text = text.removesuffix("\n").removesuffix("\r")
    return Merge(text)


_STAMP = re.compile(r"^[ \t]+(?:created|modified|originSessionId|originMessageId|node_type):[^\n]*\n", re.MULTILINE)
_HEADER = re.compile(r"---[ \t]*\r?\n(?:.*?\n)?---[ \t]*(?:\r?\n|\Z)", re.DOTALL)
_EMPTIED = re.compile(r"^metadata:[ \t]*\r?\n(?![ \t])", re.MULTILINE)


def without_stamp(text: str) -> str:
    """The text without the lines in its header that the store writes itself; as it is where nothing else would be left of `metadata`."""
    header = _HEADER.match(text)
    plain = _STAMP.sub("", header.group()) if header else ""
    return plain + text[header.end() :] if header and not _EMPTIED.search(plain) else text


def merge_texts(base: str, ours: str, theirs: str) -> str | None:
    """The merged text of a memory file, or None. Stamps alone are no difference: the store renews them at every write."""
    merged = merge_lines(base, ours, theirs).text
    if merged is None:
        plain = [without_stamp(text) for text in (base, ours, theirs)]
        merged = merge_lines(plain[0], plain[1], plain[2]).text
    return merged
