"""Recognising the text of a memory that is purged, wherever else it stands, and taking it out of other texts. Pure.

Owns what counts as the text: its lines that say something, its body as a whole, its description. Compared as folded text, so that a
re-wrapped, re-cased or bulleted copy is found too; what another memory says as well is that memory's own.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import decode_text, encode_text, parse
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import entries_of
from desktop.memory.note import Note, note_of
from desktop.memory.tombstones import LINE_WEIGHT, text_lines, weight

SHORT, SEARCHED = 4, 8
"""A short body counts from the first weight on as a line of its own, and from the second on it is looked for in bytes on the disk."""

LONGEST = 2_000
"""Characters of a line that are looked for; a longer one is known by its beginning."""

_LINK = re.compile(r"^(\s*(?:[-*+]|\d{1,9}[.)])\s+\[(?:[^\[\]\\]|\\.)*\]\((?:<[^<>]*>|[^()\s]*)\))")
_MARKS = re.compile(r"^(?:[#>*+\-\s]|\d{1,9}[.)]\s)+")


@dataclass(slots=True)
class Traces:
    """What a purged memory left that can be recognised.

    Attributes:
        folded: what is looked for in folded texts.
        lines: what counts only as a whole line, since it is so short that other texts hold it by chance.
        raw: the lines as they are written, for searching bytes.
        notes: the memory as it was in each version, for its lines in an index.
    """

    folded: set[str] = field(default_factory=set)
    lines: set[str] = field(default_factory=set)
    raw: set[str] = field(default_factory=set)
    notes: dict[str, Note] = field(default_factory=dict)

    def take(self, path: str, data: bytes) -> None:
        """Take in one version."""
        document = parse(data)
        note = note_of(path, document, size=len(data), mtime_s=0.0)
        self.notes.setdefault(f"{path}\n{note.name}\n{note.description}\n{note.hint}", note)
        said = folded(document.body)
        self.folded.update(line[:LONGEST] for line in text_lines(document.body))
        if weight(said) >= SHORT and len(said) <= LONGEST:
            (self.folded if weight(said) >= LINE_WEIGHT else self.lines).add(said)
        description = folded(document.description or "")
        if weight(description) >= LINE_WEIGHT:
            self.folded.add(description[:LONGEST])
        for line in (*document.body.splitlines(), document.description or ""):
            bare = _MARKS.sub("", line).strip()
            if weight(bare) >= SHORT:
                self.raw.add(bare[:LONGEST])

    def without(self, texts: Iterable[str]) -> Traces:
        """The traces that none of these folded texts holds: what another memory says too is not only this one's."""
        others = list(texts)
        alone = [{trace for trace in traces if not any(trace in text for text in others)} for traces in (self.folded, self.lines)]
        return Traces(alone[0], alone[1], self.raw, self.notes)

    def found_in(self, text: str) -> bool:
        """Whether a text holds any of it."""
        flat = folded(text)
        if any(trace in flat for trace in self.folded):
            return True
        return bool(self.lines) and any(folded(_MARKS.sub("", line)) in self.lines for line in text.splitlines())

    def needles(self) -> tuple[bytes, ...]:
        """What bytes on a disk would show it: the lines in UTF-8, UTF-16 and as JSON writes them. The longest ones first."""
        found: dict[bytes, None] = {}
        for line in sorted(self.raw, key=weight, reverse=True):
            said, size = folded(line), weight(line)
            related = any(trace in said or (size >= LINE_WEIGHT and said in trace) for trace in self.folded)
            if not said or not (related or (size >= SEARCHED and said in self.lines)):
                continue
            escaped, plain = json.dumps(line)[1:-1], json.dumps(line, ensure_ascii=False)[1:-1]
            for form in (encode_text(line, "utf-8"), encode_text(plain, "utf-8"), escaped.encode()):
                found[form] = None
            for encoding in ("utf-16-le", "utf-16-be"):
                found[encode_text(line, encoding)] = None
        return tuple(found)


def cleaned(data: bytes, traces: Traces) -> bytes | None:
    """A file without the lines that hold a trace; the same bytes when it holds none; None when they cannot be taken out."""
    text, encoding, bom = decode_text(data)
    if not traces.found_in(text):
        return None if _hidden(data, traces) else data
    kept = [line for line in text.split("\n") if not traces.found_in(line)]
    rest = "\n".join(kept)
    if traces.found_in(rest):
        return None
    return bom + encode_text(rest, encoding)


def _hidden(data: bytes, traces: Traces) -> bool:
    """Whether bytes that are no plain text hold it all the same, e.g. UTF-16 without a mark."""
    return b"\x00" in data and any(needle in data for needle in traces.needles())


def index_cleaned(root: Path, text: str, paths: Sequence[str], traces: Traces) -> str:
    """An index without the memory's lines, and without its text in other lines; a line for another memory keeps its link."""
    keeper = IndexKeeper(root)
    for note in traces.notes.values():
        if note.path in paths:
            text = keeper.synced(text, removed=[note.path], known=[note])
    text = keeper.synced(text, removed=list(paths))
    if not traces.found_in(text):
        return text
    entries = {entry.line for entry in entries_of(text)}
    kept: list[str] = []
    for number, line in enumerate(text.split("\n")):
        if traces.found_in(line):
            link = _LINK.match(line) if number in entries else None
            ending = "\r" if line.endswith("\r") else ""
            if link is None or traces.found_in(link.group(1)):
                continue
            line = link.group(1) + ending
        kept.append(line)
    return "\n".join(kept)
