"""What in an index is content that belongs into a topic file: long prose, sections of facts, long points without a link (W-17).

Owns the judgement only: headings, introductions, entries and short lines that put the index in order are none. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

from desktop.base.words import CJK, cjk_characters
from desktop.memory.index_text import MAX_ENTRY, item_end, read_entry
from desktop.memory.index_zones import zones

LONG_ITEM = 120
"""Characters (a CJK one counts two) of a point or paragraph without a link from which it is content wherever it stands."""

SECTION_TEXT = 160
"""Characters of a section without any link from which it is content as a whole."""

SECTION_POINTS = 3
"""Points of a section without any link from which it is content as a whole, if they have `POINT` characters together."""

POINT = 40
"""Characters of a point or paragraph without a link from which it is content where no line of the whole part is an entry."""

UNDER_ENTRY = 300
"""Characters below an entry from which they are content: the file it leads to is the place for them."""

INTRO = 300
"""Characters that an introduction may have, a quoted one twice as many; `LONG_ITEM` where nothing follows that it could introduce."""

LARGEST_SECTION = 16_000
"""Characters of a section with sections of its own that still becomes one file."""

_HEADING = re.compile(r" {0,3}(#{1,6})(?:[ \t](.*))?$")
_LIST = re.compile(r"( {0,3})(?:[-*+]|\d{1,9}[.)])[ \t]+")
_POINTER = re.compile(r"\]\(<?(?![a-z][a-z0-9+.-]+:|#)[^)\s]|\[\[[^\]\n]+\]\]", re.IGNORECASE)
_ADDRESS = re.compile(r"\bhttps?://\S")
_RULE = re.compile(r" {0,3}(?:[-*_][ \t]*){3,}$")
_UNDERLINE = re.compile(r" {0,3}(?:=+|-+)[ \t]*$")
_GENERIC = re.compile(
    r"[\W_]*(?:.{0,40}\b)?(?:memory|memories|index|notes?|memory\.md|readme)\b[\W_]*|.{0,20}(?:记忆|記憶|索引|目录|目錄|笔记|筆記)[\W_]*",
    re.IGNORECASE,
)
"""A heading that names the index itself, so it names no topic."""


_ABOUT = re.compile(r"\b(?:memory|memories|topic files?|this (?:index|file|directory|folder)|MEMORY\.md)\b|记忆|記憶|索引", re.IGNORECASE)
"""Words of a text that speaks of the memory itself rather than of the project."""


@dataclass(frozen=True, slots=True)
class InlineBlock:
    """A piece of content in an index.

    Attributes:
        first_line, last_line: 1-based, both included.
        title: what it is about: the heading of its section, or its own first words.
        text: its lines as they are, without blank ones around them.
    """

    first_line: int
    last_line: int
    title: str
    text: str


@dataclass(slots=True)
class _Item:
    """A point, paragraph, code block, quote or table: lines `first` to `last`, 0-based."""

    first: int
    last: int
    kind: str
    weight: int = 0
    points: bool = False
    head_points: bool = False
    address: bool = False
    about_index: bool = False


@dataclass(slots=True)
class _Section:
    """What stands under a heading (the start of the text: level 0), sections of its own aside."""

    first: int
    level: int
    title: str
    items: list[_Item] = field(default_factory=list)
    children: list[_Section] = field(default_factory=list)

    def every(self) -> list[_Item]:
        return self.items + [item for child in self.children for item in child.every()]


def weight_of(text: str) -> int:
    """Characters of a text as its reader sees them: a CJK character says about as much as two others."""
    flat = " ".join(text.split())
    return len(flat) + cjk_characters(flat)


def inline_content(text: str) -> list[InlineBlock]:
    """Every piece of content in an index, in order and apart from each other.

    Args:
        text: the index file, without a byte order mark.
    """
    lines = [line.rstrip("\r") for line in text.split("\n")]
    kinds = zones(lines)
    spans = _judged(_outline(lines, kinds), lines)
    return sorted((_block(span, lines) for span in spans), key=lambda block: block.first_line)


@dataclass(frozen=True, slots=True)
class _Span:
    first: int
    last: int
    title: str


def _judged(section: _Section, lines: Sequence[str]) -> list[_Span]:
    """The content of a section and of those below it."""
    every = section.every()
    if not any(item.points or item.head_points for item in every):
        whole = None if any(item.address for item in every) else _as_whole(section, every)
        if whole is not None:
            return whole
        found = _single(section, lines, POINT if _unnamed(section) else LONG_ITEM, empty=True)
    else:
        found = _single(section, lines, LONG_ITEM, empty=False)
    return found + [span for child in section.children for span in _judged(child, lines)]


def _unnamed(section: _Section) -> bool:
    """Whether the section has no heading that could name a topic."""
    return section.level == 0 or (section.level == 1 and (bool(section.children) or _GENERIC.fullmatch(section.title) is not None))


def _as_whole(section: _Section, every: Sequence[_Item]) -> list[_Span] | None:
    """A section without any link as one piece; nothing of it when it says little; None when its parts are to be looked at."""
    if _unnamed(section) or not section.title:
        return None
    total = sum(item.weight for item in every)
    if section.children and total > LARGEST_SECTION:
        return None
    points = sum(1 for item in every if item.kind == "point")
    if total < SECTION_TEXT and not (points >= SECTION_POINTS and total >= POINT):
        return []
    return [_Span(section.first + 1, max(item.last for item in every), section.title)]


def _single(section: _Section, lines: Sequence[str], least: int, *, empty: bool) -> list[_Span]:
    """The items of one section that are content by themselves; prose and code that follow each other are one piece."""
    found: list[_Span] = []
    merges = False
    for place, item in enumerate(section.items):
        if item.head_points:
            found += _under_entry(item, lines)
            merges = False
            continue
        room = LONG_ITEM if empty else INTRO * (2 if item.kind == "quote" else 1)
        first_or_about = place == 0 or (item.about_index and not empty)
        intro = first_or_about and item.kind in ("paragraph", "quote") and item.weight <= room
        if item.points or intro or item.kind == "title" or item.weight < least or (item.address and not empty):
            merges = False
            continue
        if merges and item.kind != "point":
            found[-1] = _Span(found[-1].first, item.last, "")
        else:
            found.append(_Span(item.first, item.last, ""))
        merges = item.kind != "point"
    return found


def _under_entry(item: _Item, lines: Sequence[str]) -> list[_Span]:
    if item.last == item.first or item.weight < UNDER_ENTRY or item.points:
        return []
    entry = read_entry(lines[item.first])
    return [_Span(item.first + 1, item.last, entry.title if entry else "")]


def _block(span: _Span, lines: Sequence[str]) -> InlineBlock:
    first, last = span.first, span.last
    while first < last and not lines[first].strip():
        first += 1
    while last > first and not lines[last].strip():
        last -= 1
    own = lines[first : last + 1]
    return InlineBlock(first + 1, last + 1, span.title or _own_title(own), "\n".join(own))


def _own_title(lines: Sequence[str]) -> str:
    """What a piece without a heading is about: the words before its first colon or dash, else its first words."""
    text = next((shown for line in lines if (shown := plain_line(line))), "")
    lead = re.match(r"(.{2,40}?)(?:\s*[:：]\s|：|\s[—–-]\s|[。.!?！？；;](?:\s|$))", text)
    if lead:
        return lead.group(1).strip()
    words = re.match(rf"(?:[{CJK}]{{1,20}}|\S+\s*){{1,6}}", text)
    return (words.group(0) if words else text)[:60].strip()


def plain_line(line: str) -> str:
    """A line without the marks of lists, quotes, headings, tables, emphasis and code."""
    text = re.sub(r"^\s*(?:[>|]\s*)*(?:(?:[-*+]|\d{1,9}[.)])\s+)?(?:\[[ xX]\]\s+)?(?:#{1,6}\s+)?", "", line)
    if re.fullmatch(r"[`~]{3,}.*|[\s|:-]*", text):
        return ""
    return re.sub(r"[*`~|]+", "", text).strip().strip("_")


def _outline(lines: Sequence[str], kinds: Sequence[str]) -> _Section:
    top = _Section(-1, 0, "")
    open_sections = [top]
    number = 0
    while number < len(lines):
        line = lines[number]
        heading = _HEADING.match(line) if kinds[number] == "text" else None
        if heading:
            level = len(heading.group(1))
            while open_sections[-1].level >= level:
                open_sections.pop()
            section = _Section(number, level, re.sub(r"\s#+$", "", (heading.group(2) or "").rstrip()).strip())
            open_sections[-1].children.append(section)
            open_sections.append(section)
            number += 1
        elif kinds[number] in ("comment", "header") or not line.strip() or _RULE.match(line):
            number += 1
        else:
            item = _item(lines, kinds, number)
            _weigh(item, lines)
            open_sections[-1].items.append(item)
            number = item.last + 1
    return top


def _item(lines: Sequence[str], kinds: Sequence[str], first: int) -> _Item:
    """The item that begins on line `first`."""
    if kinds[first] == "code":
        return _Item(first, _run(first, len(lines), lambda n: kinds[n] == "code"), "code")
    if _LIST.match(lines[first]):
        return _Item(first, _list_end(lines, kinds, first), "point")
    mark = lines[first].lstrip()[:1]
    if mark in ("|", ">"):
        kind = "table" if mark == "|" else "quote"
        return _Item(first, _run(first, len(lines), lambda n: lines[n].lstrip().startswith(mark)), kind)
    last = _run(first, len(lines), lambda n: _goes_on(lines, kinds, n))
    if last == first and last + 1 < len(lines) and _UNDERLINE.match(lines[last + 1]):
        return _Item(first, last + 1, "title")
    return _Item(first, last, "paragraph")


def _run(first: int, end: int, takes: Callable[[int], bool]) -> int:
    last = first
    while last + 1 < end and takes(last + 1):
        last += 1
    return last


def _goes_on(lines: Sequence[str], kinds: Sequence[str], number: int) -> bool:
    """Whether a line continues the paragraph above it."""
    line = lines[number]
    if kinds[number] != "text" or not line.strip() or _HEADING.match(line) or _LIST.match(line) or _RULE.match(line):
        return False
    return line.lstrip()[:1] not in ("|", ">") and not _UNDERLINE.match(line) and read_entry(line) is None


def _list_end(lines: Sequence[str], kinds: Sequence[str], first: int) -> int:
    """The last line of a point with all that is indented under it, nested points too."""
    last = item_end(lines, first, frozenset())
    nested = _LIST.match(lines[first])
    least = len(nested.group(1)) if nested else 0
    for number in range(first + 1, last + 1):
        other = _LIST.match(lines[number])
        if other and len(other.group(1)) <= least:
            return _run_back(lines, first, number - 1)  # a neighbour that is indented by a blank or two
    return _run(last, len(lines), lambda n: _goes_on(lines, kinds, n))


def _run_back(lines: Sequence[str], first: int, last: int) -> int:
    while last > first and not lines[last].strip():
        last -= 1
    return last


def _weigh(item: _Item, lines: Sequence[str]) -> None:
    """How much an item says, and whether it or its first line leads somewhere."""
    own = lines[item.first : item.last + 1]
    item.address = any(_ADDRESS.search(line[:MAX_ENTRY]) for line in own)
    leads = [_POINTER.search(line[:MAX_ENTRY]) is not None or _names_file(line) for line in own]
    item.head_points = item.kind == "point" and leads[0]
    item.points = any(leads[1:]) if item.head_points else any(leads)
    item.about_index = any(_ABOUT.search(line[:MAX_ENTRY]) for line in own)
    item.weight = weight_of("\n".join(own[1:] if item.head_points else own))


def _names_file(line: str) -> bool:
    entry = read_entry(line)
    return entry is not None and not entry.mention
