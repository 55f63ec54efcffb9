"""A logged request in parts that a person looks for: the whole, each key of the body, each message, each tool. Pure; for worker threads.

The text of a part is its JSON, exactly as in a request dump. For reading, line breaks inside strings can be drawn as line breaks, and no
line is longer than Qt lays out at once.
"""

from __future__ import annotations

import json
import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from itertools import accumulate
from typing import Any

from desktop.base.redact import visible
from desktop.base.words import estimate_tokens
from desktop.providers.request_log import LoggedRequest

LONGEST = 2_000
"""Characters of one line of the view: Qt needs seconds for a paragraph of 500,000."""
MOST_SHOWN = 4 << 20
"""Characters of a part that are shown; all of it is copied."""
MOST_PARTS = 2_000
_STRING_BREAK = re.compile(r"(?<!\\)((?:\\\\)*)\\n")


@dataclass(frozen=True, slots=True)
class RequestPart:
    """One part.

    Attributes:
        name: `body`, `messages`, `messages[3]`; empty for the whole record.
        hint: role or name of what is in it, or "".
        tokens: estimated, of its JSON.
        depth: 0 for the whole, 1 for keys of the body, 2 for what is in them.
    """

    name: str
    hint: str
    tokens: int
    depth: int


def parts_of(request: LoggedRequest) -> list[RequestPart]:
    """What can be chosen, in the order in which it stands in the body."""
    record = _record(request)
    body = record.get("body")
    found = [RequestPart("", "", request.tokens(), 0)]
    for key, value in body.items() if isinstance(body, dict) else ():
        found.append(RequestPart(str(key), "", _tokens(value), 1))
        if isinstance(value, list) and any(isinstance(one, (dict, list)) for one in value):
            found += [RequestPart(f"{key}[{at}]", _hint(one), _tokens(one), 2) for at, one in enumerate(value[:MOST_PARTS])]
    return found


def text_of_part(request: LoggedRequest, name: str) -> str:
    """The JSON of a part, indented by two; of the whole record for an empty name or one that is not there."""
    record = _record(request)
    if name:
        key, _, index = name.partition("[")
        body = record.get("body")
        value = body.get(key) if isinstance(body, dict) else None
        at = int(index.removesuffix("]")) if index.removesuffix("]").isdigit() else None
        if isinstance(value, list) and at is not None and at < len(value):
            value = value[at]
        if isinstance(body, dict) and key in body:
            return json.dumps(value, ensure_ascii=False, indent=2)
    return json.dumps(record, ensure_ascii=False, indent=2)


def _record(request: LoggedRequest) -> dict[str, Any]:
    value = json.loads(request.text())
    return value if isinstance(value, dict) else {}


def _tokens(value: Any) -> int:
    return estimate_tokens(json.dumps(value, ensure_ascii=False))


def _hint(value: Any) -> str:
    """Who says it, or what it is called."""
    if not isinstance(value, Mapping):
        return ""
    nested = value.get("function")
    for holder in (value, nested if isinstance(nested, Mapping) else {}):
        for key in ("role", "name", "type"):
            found = holder.get(key)
            if isinstance(found, str) and found and found != "function":
                return visible(found)[:60]
    return ""


@dataclass(frozen=True, slots=True)
class Drawn:
    """A text as it is drawn.

    Attributes:
        text: with unseen characters as escapes; what is searched.
        breaks: offsets in `text` before which a line break is put that is not there.
        left_out: characters that are not shown.
    """

    text: str
    breaks: tuple[int, ...]
    left_out: int = 0

    def lines(self) -> str:
        """The text with its further breaks, for the view."""
        pieces, start = [], 0
        for at in (*self.breaks, len(self.text)):
            pieces.append(self.text[start:at])
            start = at
        return "\n".join(pieces)

    def find(self, words: str) -> list[tuple[int, int]]:
        """Where the words stand, whatever their case: (start, end) in the UTF-16 units of the view."""
        if not words:
            return []
        found = [match.span() for match in re.finditer(re.escape(words), self.text, re.IGNORECASE)]
        wide = [] if self.text.isascii() else [at for at, character in enumerate(self.text) if character > "\uffff"]
        return [(self._unit(start, wide, after=True), self._unit(end, wide, after=False)) for start, end in found]

    def _unit(self, offset: int, wide: list[int], *, after: bool) -> int:
        breaks = bisect_right(self.breaks, offset) if after else bisect_left(self.breaks, offset)
        return offset + breaks + bisect_left(wide, offset)


def drawn(text: str, *, lines: bool) -> Drawn:
    """A part's JSON for the view; `lines`: line breaks inside strings are drawn as such, below the beginning of their string."""
    shown = text[:MOST_SHOWN]
    if lines:
        shown = "\n".join(_broken(line) for line in shown.split("\n"))
    shown = visible(shown, keep="\n\t")
    return Drawn(shown, tuple(_breaks(shown)), max(0, len(text) - MOST_SHOWN))


def _broken(line: str) -> str:
    """A line of JSON with the breaks of its string as breaks, indented to where the string stands."""
    if "\\n" not in line:
        return line
    indent = " " * (len(line) - len(line.lstrip(" ")) + 2)
    return _STRING_BREAK.sub(lambda found: f"{found[1]}\n{indent}", line)


def _breaks(text: str) -> Iterator[int]:
    lengths = [len(line) + 1 for line in text.split("\n")]
    for start, length in zip(accumulate([0, *lengths]), lengths, strict=False):
        yield from range(start + LONGEST, start + length - 1, LONGEST)
