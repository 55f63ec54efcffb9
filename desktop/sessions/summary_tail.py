"""What a transcript's last bytes tell the session list, and the values that stand there for it.

Each message record, and each one that moves the live branch, ends with what the list shows: length of the live branch, tokens, state,
model, title, cost, marks. Both halves of that form live here: what is written and how it is read back. Pure; never raises.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

from desktop.base.clock import parse_iso
from desktop.sessions.record import is_sound

TITLE_NAMES = ("title", "generated_title")
"""Meta values that give a title: the person's own, then the model's."""

PINNED, ARCHIVED = "pinned", "archived"
"""Meta values that mark a session for the list; true or not there."""

_LEAF = "leaf"
_END = 2_400
"""Bytes of a line's end that are looked at."""
_PREVIEW_LINES = 12
"""Records, from the end, in which a text is looked for."""

_VALUES = re.compile(
    rb',"count":(?P<count>\d{1,12}),"tokens":(?P<tokens>\d{1,18}),"state":"(?P<state>[a-z]{1,20})","model":(?P<model>"(?:[^"\\]|\\.)*")'
    rb'(?:,"title":(?P<title>"(?:[^"\\]|\\.)*"))?(?:,"cost":(?P<cost>[-+.0-9eE]{1,30}))?(?:,"marks":"(?P<marks>[a-z ]{0,40})")?'
    rb',"time":"(?P<time>[^"]{1,40})","crc":"[0-9a-f]{8}"\}$'
)
_META = re.compile(rb'^\{"schema":\d+,"seq":\d+,"kind":"meta"')
_TEXT = re.compile(rb'"kind":"text","text":("(?:[^"\\]|\\.){1,2600}"?)')


@dataclass(slots=True)
class TailFacts:
    """What the end of a transcript tells; fields as in `SessionSummary`, `title` is empty where there is none.

    Attributes:
        text: the newest text that stands whole or with its start in the bytes, not cut to one line yet.
        damaged: lines that were passed over.
    """

    count: int
    tokens: int
    state: str
    model: str
    title: str
    cost_usd: float | None
    pinned: bool
    archived: bool
    updated: datetime
    text: str
    damaged: int


def list_values(
    *, count: int, tokens: int, state: str, model: str, title: str, cost_usd: float | None, meta: Mapping[str, Any]
) -> dict[str, Any]:
    """What a record carries for the list, in the order in which `tail_facts` expects it."""
    values: dict[str, Any] = {"count": count, "tokens": tokens, "state": state, "model": model}
    if title:
        values["title"] = title
    if cost_usd is not None and math.isfinite(cost_usd):
        values["cost"] = cost_usd
    marks = " ".join(name for name in (PINNED, ARCHIVED) if meta.get(name) is True)
    return {**values, "marks": marks} if marks else values


@dataclass(slots=True)
class _Reading:
    """The state while lines are read, the newest first."""

    lines: list[bytes]
    loose: bool
    meta: dict[str, Any] = field(default_factory=dict)
    moved: re.Match[bytes] | None = None
    leaf: str | None = None
    damaged: int = 0

    def run(self) -> TailFacts | None:
        for number in range(len(self.lines) - 1, -1, -1):
            line = self.lines[number]
            if _META.match(line) is not None:
                if not self._take_meta(line):
                    return None
                continue
            found = _values_in(line)
            if found is not None:
                return self._facts(found, number)
            if line.strip():
                if not self.loose:
                    return None
                self.damaged += 1
        return None

    def _take_meta(self, line: bytes) -> bool:
        """Take a named value, unless a newer one of its name was met; False when only the whole file can tell what it means."""
        try:
            record = json.loads(line)
            name, value = record["meta"]["name"], record["meta"].get("value")
        except (ValueError, KeyError, TypeError, AttributeError, RecursionError):
            self.damaged += 1
            return True
        if name == _LEAF:
            return self._take_leaf(line, value)
        if name in TITLE_NAMES:
            name, value = "title", record.get("title", value)
        self.meta.setdefault(name, value)
        return True

    def _take_leaf(self, line: bytes, value: object) -> bool:
        if self.moved is not None:
            return True
        self.moved = _values_in(line)
        if self.moved is None:
            return self.loose
        self.leaf = value if isinstance(value, str) else None
        self.meta.setdefault("title", _string(self.moved["title"]))
        self._take_marks(self.moved)
        return True

    def _take_marks(self, found: re.Match[bytes]) -> None:
        marks = (found["marks"] or b"").decode("ascii").split()
        for name in (PINNED, ARCHIVED):
            self.meta.setdefault(name, name in marks)

    def _facts(self, found: re.Match[bytes], number: int) -> TailFacts | None:
        updated = parse_iso(found["time"].decode("ascii", errors="replace"))
        if updated is None:
            return None
        self._take_marks(found)
        title = self.meta["title"] if "title" in self.meta else _string(found["title"])
        holds = self.moved or found
        model = self.meta.get("model") or _string(holds["model"])
        return TailFacts(
            count=int(holds["count"]),
            tokens=int(holds["tokens"]),
            state=holds["state"].decode("ascii"),
            model=str(model),
            title=title if isinstance(title, str) else "",
            cost_usd=_number(holds["cost"]),
            pinned=self.meta[PINNED] is True,
            archived=self.meta[ARCHIVED] is True,
            updated=updated,
            text=self._text(number),
            damaged=self.damaged,
        )

    def _text(self, number: int) -> str:
        """The newest text of the person or the model on the live branch, as far as the lines tell."""
        if self.moved is not None:
            mark = f'"id":"{self.leaf}"'.encode("ascii", errors="replace")
            number = next((at for at in range(number, -1, -1) if mark in self.lines[at][:200]), -1)
        for line in self.lines[number::-1][:_PREVIEW_LINES] if number >= 0 else ():
            if not line.startswith(b"{") or b'"role":"tool"' in line[:200] or b'"origin":"app"' in line[:300]:
                continue
            found = _TEXT.search(line)
            if found is not None:
                return _unquoted(found.group(1))
        return ""


def tail_facts(tail: bytes, *, loose: bool = False) -> TailFacts | None:
    """What the last bytes of a transcript tell; None when they do not, and only the whole file can.

    Args:
        loose: pass over lines that are no records, instead of leaving them to a reading of the whole file. For files that are too large
            for that.
    """
    lines = tail.split(b"\n")
    torn = 0
    last = lines.pop()
    if last and is_sound(last):
        lines.append(last)  # only its newline is missing
    elif last:
        if b'"crc":"' in last and not loose:
            return None  # a whole record may be glued to the torn one
        torn = 1
    found = _Reading(lines, loose).run()
    if found is not None:
        found.damaged += torn
    return found


def _values_in(line: bytes) -> re.Match[bytes] | None:
    """The values at the end of a line. They are found by their first name, which no text can hold, since its quotes are escaped."""
    at = line.rfind(b',"count":', max(0, len(line) - _END))
    return _VALUES.match(line, at) if at >= 0 else None


def _string(quoted: bytes | None) -> str:
    try:
        return str(json.loads(quoted)) if quoted else ""
    except ValueError:
        return ""


def _number(text: bytes | None) -> float | None:
    try:
        value = float(text) if text else math.nan
    except ValueError:
        return None
    return value if math.isfinite(value) else None


def _unquoted(quoted: bytes) -> str:
    """The text of a JSON string, or its start where the string is cut, also in the middle of an escape."""
    text = quoted.decode("ascii", errors="replace")
    for candidate in (text, *(text[: len(text) - cut] + '"' for cut in range(7))):
        try:
            return str(json.loads(candidate))
        except ValueError:
            continue
    return ""
