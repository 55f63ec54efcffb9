"""A memory that is too long: where what is sent of it ends, and its sections as memories of their own (FM-01, W-44).

Owns which heading parts a text, the names and headers of the pieces, and the text that stays with links to them. Every line that is not
blank is afterwards in the memory or in exactly one piece. Pure; any thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import PurePosixPath

from desktop.base.textio import decode
from desktop.base.words import estimate_tokens
from desktop.memory.frontmatter import Document, encode_text, serialise
from desktop.memory.index_split import slug_of
from desktop.memory.index_text import loadable, normal_breaks
from desktop.memory.index_zones import zones
from desktop.memory.note import one_line
from desktop.memory.recall_read import Budget
from desktop.memory.stamp import quoted

_HEADING = re.compile(r" {0,3}(#{1,6})[ \t]+(.*?)[ \t]*#*[ \t]*")
_CARRIED = ("created", "modified", "originSessionId", "originMessageId", "verified", "superseded_by", "explicit")
"""What a piece takes over from the memory: it says what that said, then and there, is as true, and was asked for as much."""

MOST_PIECES = 30
NAME_LENGTH = 60


@dataclass(frozen=True, slots=True)
class Split:
    """A memory in pieces: its own bytes afterwards, and path and bytes of each new one."""

    rest: bytes
    pieces: tuple[tuple[str, bytes], ...]


def recalled_lines(document: Document, text: str, budget: Budget) -> int:
    """The line (1-based) of the file at which a recall of a memory is cut; 0 when all of it fits."""
    body = normal_breaks(document.body)
    lines = body.strip().split("\n")
    head = len(f"# {document.name or ''}\n\n".encode("utf-8", "replace"))
    said = document.description or ""
    head += len(f"{said}\n\n".encode("utf-8", "replace")) if said and said.rstrip("….") not in " ".join(body[:1_000].split()) else 0
    most_lines = budget.lines - 2 - (2 if said else 0)
    left = budget.size - head
    first = normal_breaks(text).count("\n") - body.count("\n") + 1 + body[: len(body) - len(body.lstrip())].count("\n")
    for number, line in enumerate(lines):
        left -= len(line.encode("utf-8", "replace")) + (number > 0)
        if left < 0 or number >= most_lines or (left == 0 and number + 1 < len(lines)):  # a line that just fits goes with its break
            return first + number
    return 0


def loaded_lines(data: bytes, most: int) -> int:
    """The line (1-based) of a file of which only the first bytes are loaded, at which that ends; 0 when all of it fits."""
    text = normal_breaks(decode(data))
    kept = text.encode("utf-8", "replace")[:most].decode("utf-8", "ignore")
    return 0 if len(kept) == len(text) else kept.count("\n") + 1


def loaded_tokens(data: bytes, most: int) -> tuple[int, int]:
    """The line (1-based) of a document at which its load within so many tokens ends, 0 when all of it fits; and its tokens."""
    whole = normal_breaks(decode(data))
    text = loadable(whole)
    tokens = estimate_tokens(text + "\n\n")
    if tokens <= most:
        return 0, tokens
    room, kept = most - 4, 0
    lines = text.split("\n")
    for line in lines:
        room -= estimate_tokens(line + "\n")
        if room < 0:
            break
        kept += 1
    at = "\n".join(lines[:kept])
    start = whole.find(at) if at else whole.find(lines[0])
    return whole.count("\n", 0, max(start, 0)) + (at.count("\n") + 2 if at else 1), tokens


def split_by_sections(path: str, document: Document, taken: Iterable[str]) -> Split | None:
    """A memory parted at its headings; None when it has not two of one rank.

    Args:
        path: of the memory, posix below its root.
        document: the memory.
        taken: paths and names of all memories, which stay theirs.
    """
    body = document.body
    lines = re.split(r"(?<=\n)|(?<=\r)(?!\n)", body)
    starts, level = _parts(lines)
    if level == 0:
        return None
    bounds = _gathered([*starts, len(lines)])
    names = _Names(path, document.name, taken)
    pieces: list[tuple[str, bytes]] = []
    links: list[str] = []
    for first, last in bounds:
        text = "".join(lines[first:last])
        found = _HEADING.fullmatch(lines[first].rstrip("\r\n"))
        title = one_line(re.sub(r"[*_`\[\]]+", "", found[2]) if found is not None else "", 120)
        name, place = names.take(title)
        pieces.append((place, _piece(name, title, text, document)))
        links.append(f"- [[{name}]]" + (f" — {title}" if title else ""))
    intro = "".join(lines[: starts[0]]).rstrip("\r\n")
    newline = document.newline
    listed = newline.join(links) + newline
    rest = document.with_body(f"{intro}{newline * 2}{listed}" if intro.strip() else f"{newline}{listed}" if document.header else listed)
    return Split(serialise(rest), tuple(pieces))


def _parts(lines: list[str]) -> tuple[list[int], int]:
    """Where the sections begin (0-based), and the rank of their headings: the highest of which there are two. Rank 0: there is none."""
    kinds = zones([line.rstrip("\r\n") for line in lines], header=False)
    found: list[tuple[int, int]] = []
    for number, line in enumerate(lines):
        heading = _HEADING.fullmatch(line.rstrip("\r\n")) if kinds[number] == "text" else None
        if heading is not None:
            found.append((number, len(heading[1])))
    level = next((rank for rank in range(1, 7) if sum(1 for _, one in found if one == rank) > 1), 0)
    return [number for number, one in found if one <= level and not _leads(number, one, level, found)], level


def _leads(number: int, rank: int, level: int, found: list[tuple[int, int]]) -> bool:
    """Whether a heading is the title of the whole: above all sections, and of a higher rank."""
    return rank < level and number == found[0][0]


def _gathered(edges: list[int]) -> list[tuple[int, int]]:
    """First and last line of each piece; of very many sections several stay together."""
    each = -(-(len(edges) - 1) // MOST_PIECES)
    return [(edges[at], edges[min(at + each, len(edges) - 1)]) for at in range(0, len(edges) - 1, each)]


class _Names:
    """Free names beside a memory."""

    def __init__(self, path: str, name: str | None, taken: Iterable[str]) -> None:
        self._folder = PurePosixPath(path).parent.as_posix()
        self._stem = slug_of(name or PurePosixPath(path).stem)
        self._taken = {_spelling(one) for one in taken}
        self._stems = {PurePosixPath(one).stem if one.endswith(".md") else one for one in self._taken}

    def take(self, title: str) -> tuple[str, str]:
        """A name that no memory of the root has, and its path."""
        wanted = f"{self._stem}-{slug_of(title)}"[:NAME_LENGTH].strip("-") if title else f"{self._stem}-part"
        name, number = wanted, 1
        while _spelling(name) in self._stems or _spelling(self._place(name)) in self._taken:
            number += 1
            name = f"{wanted}-{number}"
        self._stems.add(_spelling(name))
        return name, self._place(name)

    def _place(self, name: str) -> str:
        return f"{name}.md" if self._folder == "." else f"{self._folder}/{name}.md"


def _spelling(path: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


def _piece(name: str, title: str, text: str, document: Document) -> bytes:
    """The file of a section, with the type, the times and the origin of the memory that it was a part of."""
    newline = document.newline
    head = ["---", f"name: {quoted(name)}", *([f"description: {quoted(title)}"] if title else []), "metadata:", "  node_type: memory"]
    head += [f"  type: {document.type}"] if document.type else []
    for key in _CARRIED:
        value = document.field(key)
        said = "true" if value is True else quoted(value) if isinstance(value, str) and value else ""
        head += [f"  {key}: {said}"] if said else []
    body = text.strip("\r\n")
    return encode_text(newline.join([*head, "---", "", body, ""]), "utf-8")
