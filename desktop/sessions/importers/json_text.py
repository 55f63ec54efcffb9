"""JSON that may be broken: values out of texts, and the whole records out of the wreck of a line or of a document.

Knows no format: a format says what one of its records looks like, so that an object inside a torn record is not taken for a record.
Pure, any thread; nothing raises but `loads`.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple, Protocol

from desktop.base.phrases import say

_OBJECT = re.compile(r'\{\s*"')
_BRACKETS = 32
"""Brackets and commas in a row that the structure of a document may be; more are a wreck."""
_BEGINNINGS = frozenset(("", *'"[-0123456789tfnNI'))
"""Signs with which a value begins that is no object."""
_CONTROL = re.compile("[\0\ufffd\x01-\x08\x0e-\x1f]+")
_WRECK_ENDS = " \t\r\n\0\ufffd"
_MAY_END = "}" + _WRECK_ENDS
_WORK = 12
"""Characters that a search for records in a broken text may read, as a multiple of its length."""

_LEAST_WORK = 120
"""What the smallest object counts for in that."""
_LAST = 1 << 16
"""Characters at the end of a text that is too broken to search: they are searched all the same."""
_HELD = 4 << 20
"""Characters behind which what was searched of a text is let go."""
_TOO_DEEP = -1
_NO_END = "the object has no end"
_BELOW = 1_000
"""Values right below an object among which a record is looked for."""
_FIRST, _NONE = frozenset((0,)), frozenset[int]()
_DEEP_WORK = 5_000
"""What an object that is nested too deeply costs to find out, in characters."""
_RUN = re.compile(r'(?:\{\s*+"(?:[^"\\]|\\.){0,200}+"\s*+:[\s\[]*+)++')
_DEEPEST = 30
"""Objects that may begin a record one in the other."""

_LONG, _EDGE, _WINDOW = 1 << 16, 64, 2_048
IsRecord = Callable[[dict[str, Any]], bool]


NUL_RUN, BINARY = say("a run of NUL bytes"), say("binary bytes")
CUT, NO_RECORD = say("the record is cut or not JSON"), say("the line is not a record")
FOREIGN = say("the line is not a record of this format")
"""Reasons, each made once: a file may be damaged in hundreds of thousands of lines."""


class Found(NamedTuple):
    """One object, or None with the reason why there is none, at a line from 1."""

    line: int
    value: Any
    reason: str = ""


def any_record(value: dict[str, Any]) -> bool:
    return bool(value)


def _tolerant_int(text: str) -> int | float:
    return int(text) if len(text) <= 4_000 else math.inf


DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_int=_tolerant_int, strict=False)
_SCAN: Callable[[str, int], tuple[Any, int]] = vars(DECODER)["scan_once"]
_BLANK = re.compile(r"[ \t\n\r]*")


def loads(text: str) -> Any:
    """The JSON value of a text; NaN is None, numbers too long for Python are infinite, control characters in texts are let through.

    Raises:
        ValueError: no JSON, or nested too deeply.
    """
    if len(text) > _LONG and _is_cut(text):
        raise json.JSONDecodeError(_NO_END, text, len(text))
    try:
        return _object_of(text) if text[:1] == "{" else DECODER.decode(text)
    except RecursionError as error:
        raise ValueError(say("it is nested too deeply")) from error


def _object_of(text: str) -> Any:
    """What `decode` gives of a text that begins with a brace, as nearly all lines do, without its searches for blanks."""
    try:
        value, end = _SCAN(text, 0)
    except StopIteration as error:
        raise json.JSONDecodeError("Expecting value", text, error.value) from None
    if end < len(text):
        found = _BLANK.match(text, end)
        if found is None or found.end() < len(text):
            raise json.JSONDecodeError("Extra data", text, found.end() if found is not None else end)
    return value


def _is_cut(text: str) -> bool:
    """Whether a text begins as an object and does not end as one: then reading all of it is of no use."""
    end = text[-_EDGE:].rstrip(" \t\r\n")
    return text[:_EDGE].lstrip(" \t\r\n").startswith("{") and bool(end) and not end.endswith("}")


def is_prose(text: str) -> bool:
    """Whether a line is surely no JSON value and has no object in it, as nearly all lines of files that are no JSON."""
    return "{" not in text and text.lstrip(" \t\r\n")[:1] not in _BEGINNINGS


class Text(Protocol):
    """A text that may be held in part: `text` is what is held, `more` adds to it, `drop` lets its first characters go."""

    text: str

    def more(self, least: int = 0) -> bool: ...

    def drop(self, size: int) -> None: ...


class _Whole:
    """A text that is held as a whole."""

    def __init__(self, text: str) -> None:
        self.text = text

    def more(self, least: int = 0) -> bool:
        return False

    def drop(self, size: int) -> None:
        self.text = self.text[size:]


def salvage(text: str, is_record: IsRecord, *, first_line: int = 1, error: ValueError | None = None) -> Iterator[Found]:
    """Every whole record in a broken text, from left to right, and a reason for each stretch between them. Work is bounded.

    Args:
        error: what `loads` said of the text, where it was asked: then its first object need not be tried again.
    """
    broken = _known_broken(text, error)
    if len(text) <= _WINDOW:
        return iter(of_short(text, is_record, first_line, 1 if broken else 0))
    return pieces(_Whole(text), is_record, len(text), first_line=first_line, broken=broken)


def is_cut_short(text: str) -> bool:
    """Whether a line begins as an object, ends as none and is short: `of_short` finds what is in it, and `loads` need not fail first."""
    return text[-1] not in _MAY_END and len(text) <= _WINDOW


def of_short(text: str, is_record: IsRecord, line: int, at: int = 0) -> list[Found]:
    """What `pieces` gives of a text of one window, searched from `at`, in half the time: such a text cannot use up the work allowed."""
    found: list[Found] = []
    told = 0
    while (brace := text.find("{", at)) >= 0:
        match = _OBJECT.search(text, brace)
        if match is None:
            break
        start, at = match.start(), match.end() - 1
        try:
            value, end = _SCAN(text, start)
        except RecursionError:
            at = _behind_run(text, start)
            continue
        except (StopIteration, ValueError):
            continue
        if is_record(value):
            found += between(text[told:start], line)
            line += text.count("\n", told, start)
            found.append(Found(line, value))
            line += text.count("\n", start, end)
            at = told = end
        elif text.find("{", at, end) < 0 or not _holds_record(value, is_record):
            at = end
    found += between(text[told:] if told else text, line)
    return found


def _known_broken(text: str, error: ValueError | None) -> frozenset[int]:
    """The place of an object at the start of a text that cannot be read; none where it may be whole and more stands behind it."""
    if text[:1] != "{" or not isinstance(error, json.JSONDecodeError) or error.msg.startswith(("Extra data", _NO_END)):
        return _NONE
    return _FIRST


def pieces(text: Text, is_record: IsRecord, length: int, *, first_line: int = 1, broken: frozenset[int] = frozenset()) -> Iterator[Found]:
    """The same of a text that is held in part.

    Args:
        length: characters of the whole, or more.
        broken: places of objects that are known to have no end.
    """
    budget = _WORK * length + 4_000_000
    line = first_line
    at = told = gone = 0
    while True:
        found = _OBJECT.search(text.text, at)
        if found is None:
            last = text.text.rfind("{", at)
            at = last if last >= 0 and not text.text[last + 1 :].strip() else len(text.text)
            if text.more(len(text.text) // 4):
                continue
            break
        start, inside = found.start(), found.end() - 1
        if gone + start in broken:
            at = inside
            continue
        value, end, work = _object(text, start)
        budget -= max(_LEAST_WORK, work)
        if isinstance(value, dict) and is_record(value):
            yield from between(text.text[told:start], line)
            line += text.text.count("\n", told, start)
            yield Found(line, value)
            line += text.text.count("\n", start, end)
            at = told = end
        elif budget < 0:
            yield Found(line, None, say("the text is too broken to search"))
            yield from _last_of(text, gone, told, is_record, line)
            return
        elif isinstance(value, dict):
            at = inside if _holds_record(value, is_record) else end
        else:
            at = _behind_run(text.text, start) if end == _TOO_DEEP else inside
        if told > _HELD:
            text.drop(told)
            at, gone, told = at - told, gone + told, 0
    yield from between(text.text[told:], line)


def _last_of(text: Text, gone: int, told: int, is_record: IsRecord, line: int) -> Iterator[Found]:
    """The records at the end of a text that is too broken to be searched as a whole."""
    while text.more(_HELD):
        rest = len(text.text) - _LAST
        if rest > told:
            line += text.text.count("\n", told, rest)
            text.drop(rest)
            gone, told = gone + rest, 0
    rest = len(text.text) - _LAST
    if gone + rest > _LAST and rest >= told:
        yield from salvage(text.text[rest:], is_record, first_line=line + text.text.count("\n", told, rest))


def _object(text: Text, start: int) -> tuple[Any, int, int]:
    """The object at a place, where it ends and what the search cost; None and where reading it failed.

    Looked for in a small window first, since an error of the decoder counts all lines before it.
    """
    size, work = _WINDOW, 1
    while True:
        window = text.text[start : start + size]
        try:
            value, end = DECODER.raw_decode(window)
            return value, start + end, work + end
        except json.JSONDecodeError as error:
            cut = error.pos > len(window) - _EDGE or error.msg.startswith("Unterminated")
            if not cut or (start + size >= len(text.text) and not text.more(size)):
                return None, max(start + error.pos, start + 1), work + (len(window) if cut else error.pos)
        except RecursionError:
            return None, _TOO_DEEP, _DEEP_WORK
        except ValueError:
            return None, start + 1, work
        work += len(window)
        size *= 8


def _behind_run(text: str, start: int) -> int:
    """Where to search on from an object that is nested too deeply: at the last few of the objects that begin in each other there."""
    run = _RUN.match(text, start)
    at = run.end() if run is not None else start
    for _ in range(_DEEPEST):
        at = max(text.rfind("{", start, at), start)
    return max(at, start + 1)


def _holds_record(value: dict[str, Any], is_record: IsRecord) -> bool:
    """Whether a whole object that is no record itself has one among the objects right below it, as documents have."""
    looked = 0
    for item in value.values():
        if isinstance(item, dict):
            looked += 1
            if is_record(item):
                return True
        elif isinstance(item, list):
            some = item[: _BELOW - looked]
            looked += len(some)
            if any(isinstance(one, dict) and is_record(one) for one in some):
                return True
        else:
            looked += 1
        if looked >= _BELOW:
            return False
    return False


def between(rest: str, line: int) -> tuple[Found, ...]:
    """The reason for a stretch that begins on a line; none where it holds nothing but what stands between records."""
    if rest[:1] == "{":
        return (Found(line, None, CUT),)
    if rest.strip(" \t\r\n,[]}") or len("".join(rest.split())) > _BRACKETS:
        skipped = len(rest) - len(rest.lstrip(" \t\r\n,"))
        return (Found(line + rest.count("\n", 0, skipped), None, describe(rest)),)
    return ()


def behind_wreck(text: str, is_line: IsRecord, line: int) -> list[Found]:
    """A whole line of which only the bytes before and after it are none: nothing else is read into it. Empty when it is no such line."""
    if text[:1] == "{" and text[-1:] not in _WRECK_ENDS:
        return []
    wreck = _CONTROL.match(text)
    core = text[wreck.end() if wreck else 0 :].rstrip(_WRECK_ENDS)
    if core == text or not core.startswith("{"):
        return []
    try:
        value = loads(core)
    except ValueError:
        return []
    if not isinstance(value, dict) or not is_line(value):
        return []
    return [Found(line, None, describe(text[: -len(core)] or "\0")), Found(line, value)]


def describe(rest: str) -> str:
    """What stands in a stretch that is no record, in words."""
    if rest[:1] == "{":
        return CUT
    if not rest.strip("\0 \t\r\n"):
        return NUL_RUN
    if _CONTROL.search(rest) and not rest.lstrip("\0 \t\r\n,").startswith("{"):
        return BINARY
    if rest.lstrip("\0 \t\r\n,[\ufeff").startswith("{"):
        return CUT
    return NO_RECORD
