"""Reading files of other tools, whole or damaged: JSON objects out of lines, out of one document, and out of the wreck of either.

Read only, never raises for what a file holds; what could not be read is told with its line. Knows no format: a format says what one of its
records looks like, so that an object inside a torn record is not taken for a record. Blocking, any thread.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from desktop.base.phrases import say
from desktop.sessions.importers.shapes import Damage
from desktop.sessions.transcript import decoded, open_plain

MAX_LINE = 256 << 20
"""Bytes of a line, and of a document, that are looked at."""
MAX_WRECK = 8 << 20
"""Bytes that are no text which are passed over at the start of a file, to see what it is."""
SAMPLE_RECORDS = 200
SAMPLE_LINES = 30_000
"""Records and stretches of damage among which the first records are looked for."""
SAMPLE_TEXT = 64_000
_OBJECT = re.compile(r'\{\s*"')
_BRACKETS = 32
"""Brackets and commas in a row that the structure of a document may be; more are a wreck."""
_CONTROL = re.compile("[\0\ufffd\x01-\x08\x0e-\x1f]+")
_WORK = 12
"""Characters that a search for records in a broken text may read, as a multiple of its length."""

_LEAST_WORK = 120
"""What the smallest object counts for in that."""
_LAST = 1 << 16
"""Characters at the end of a text that is too broken to search: they are searched all the same."""
_TOO_DEEP = -1
_DEEP_WORK = 5_000
"""What an object that is nested too deeply costs to find out, in characters."""
_RUN = re.compile(r'(?:\{\s*+"(?:[^"\\]|\\.){0,200}+"\s*+:[\s\[]*+)++')
_DEEPEST = 30
"""Objects that may begin a record one in the other."""

_LONG, _EDGE, _WINDOW = 1 << 16, 64, 2_048
IsRecord = Callable[[dict[str, Any]], bool]


class Found(NamedTuple):
    """One object, or None with the reason why there is none, at a line from 1."""

    line: int
    value: Any
    reason: str = ""


def any_record(value: dict[str, Any]) -> bool:
    return bool(value)


def _tolerant_int(text: str) -> int | float:
    return int(text) if len(text) <= 4_000 else math.inf


_DECODER = json.JSONDecoder(parse_constant=lambda _: None, parse_int=_tolerant_int, strict=False)


def loads(text: str) -> Any:
    """The JSON value of a text; NaN is None, numbers too long for Python are infinite, control characters in texts are let through.

    Raises:
        ValueError: no JSON, or nested too deeply.
    """
    if len(text) > _LONG and _is_cut(text):
        raise json.JSONDecodeError("the object has no end", text, len(text))
    try:
        return _DECODER.decode(text)
    except RecursionError as error:
        raise ValueError(say("it is nested too deeply")) from error


def _is_cut(text: str) -> bool:
    """Whether a text begins as an object and does not end as one: then reading all of it is of no use."""
    end = text[-_EDGE:].rstrip(" \t\r\n")
    return text[:_EDGE].lstrip(" \t\r\n").startswith("{") and bool(end) and not end.endswith("}")


def salvage(text: str, is_record: IsRecord, *, first_line: int = 1) -> Iterator[Found]:
    """Every whole record in a broken text, from left to right, and a reason for each stretch between them. Work is bounded."""
    budget = _WORK * len(text) + 4_000_000
    line = first_line
    at = told = 0
    while (start := _OBJECT.search(text, at)) is not None:
        value, end, work = _object(text, start.start())
        budget -= max(_LEAST_WORK, work)
        if isinstance(value, dict) and is_record(value):
            yield from _between(text[told : start.start()], line)
            line += text.count("\n", told, start.start())
            yield Found(line, value)
            line += text.count("\n", start.start(), end)
            at = told = end
        elif budget < 0:
            yield Found(line, None, say("the text is too broken to search"))
            rest = len(text) - _LAST
            if rest > max(told, _LAST):
                yield from salvage(text[rest:], is_record, first_line=line + text.count("\n", told, rest))
            return
        elif isinstance(value, dict):
            at = start.end() - 1 if _holds_record(value, is_record) else end
        else:
            at = _behind_run(text, start.start()) if end == _TOO_DEEP else start.end() - 1
    yield from _between(text[told:], line)


def _object(text: str, start: int) -> tuple[Any, int, int]:
    """The object at a place, where it ends and what the search cost; None and where reading it failed.

    Looked for in a small window first, since an error of the decoder counts all lines before it.
    """
    size, work = _WINDOW, 1
    while True:
        window = text[start : start + size]
        try:
            value, end = _DECODER.raw_decode(window)
            return value, start + end, work + end
        except json.JSONDecodeError as error:
            cut = error.pos > len(window) - _EDGE or error.msg.startswith("Unterminated")
            if not cut or start + size >= len(text):
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
    below = [one for item in value.values() for one in (item if isinstance(item, list) else [item])]
    return any(isinstance(one, dict) and is_record(one) for one in islice(below, 1_000))


def _between(rest: str, line: int) -> Iterator[Found]:
    """The reason for a stretch that begins on a line."""
    if rest.strip(" \t\r\n,[]}") or len("".join(rest.split())) > _BRACKETS:
        skipped = len(rest) - len(rest.lstrip(" \t\r\n,"))
        yield Found(line + rest.count("\n", 0, skipped), None, describe(rest))


def _behind_wreck(text: str, is_line: IsRecord, line: int) -> list[Found]:
    """A whole line of which only the bytes before and after it are none: nothing else is read into it. Empty when it is no such line."""
    wreck = _CONTROL.match(text)
    core = text[wreck.end() if wreck else 0 :].rstrip(" \t\r\n\0\ufffd")
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
    if not rest.strip("\0 \t\r\n"):
        return say("a run of NUL bytes")
    if _CONTROL.search(rest) and not rest.lstrip("\0 \t\r\n,").startswith("{"):
        return say("binary bytes")
    if rest.lstrip("\0 \t\r\n,[\ufeff").startswith("{"):
        return say("the record is cut or no JSON")
    return say("the line is no record")


@dataclass(slots=True)
class Source:
    """A file of another tool, as bytes that are read when they are needed.

    Attributes:
        path: the file.
    """

    path: Path
    _text: str | None = field(default=None, repr=False)

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Number, from 1, and bytes of each line without its break; longer ones than MAX_LINE are left out.

        Raises:
            OSError: missing, unreadable, or no plain file.
        """
        with open_plain(self.path) as file:
            number = 0
            text = decoded(file)
            while line := text.readline(MAX_LINE + 1):
                number += 1
                while len(line) > MAX_LINE and not line.endswith(b"\n"):
                    line = text.readline(MAX_LINE + 1)
                    if len(line) <= MAX_LINE:
                        line = b""
                        break
                yield number, line.rstrip(b"\r\n")

    def records(self, is_record: IsRecord = any_record, is_line: IsRecord | None = None) -> Iterator[Found]:
        """Every record of a file of JSON lines, in order; damage in between is told.

        Args:
            is_record: whether an object inside a broken line is a record, not a part of one.
            is_line: the same of an object that is a line by itself, where less is asked for: kinds of a later version are no damage.

        Raises:
            OSError: as `lines`.
        """
        is_line = is_line or is_record
        for number, line in self.lines():
            text = line.decode("utf-8", errors="replace")
            if not text.strip():
                continue
            try:
                value = loads(text)
            except ValueError:
                yield from _behind_wreck(text, is_line, number) or salvage(text, is_record, first_line=number)
                continue
            if isinstance(value, dict):
                yield Found(number, value) if is_line(value) else Found(number, None, say("the line is no record of this format"))
            else:
                yield Found(number, None, say("the line is no record"))

    def text(self) -> str:
        """The whole file as text, undecodable bytes replaced; at most MAX_LINE bytes of it.

        Raises:
            OSError: as `lines`.
        """
        if self._text is None:
            with open_plain(self.path) as file:
                self._text = decoded(file).read(MAX_LINE).decode("utf-8", errors="replace")
        return self._text

    def document(self) -> tuple[Any, Damage | None]:
        """The one JSON value that the file is; None with the damage when it is not whole. Use `pieces` then.

        Raises:
            OSError: as `lines`.
        """
        text = self.text()
        try:
            value = loads(text.strip("\ufeff\0 \t\r\n"))
            self._text = None  # what is whole need not be kept to be searched
            return value, None
        except json.JSONDecodeError as error:
            return None, Damage(error.lineno, say("the document is cut or no JSON"))
        except ValueError:
            return None, Damage(1, say("it is nested too deeply"))

    def pieces(self, is_record: IsRecord) -> Iterator[Found]:
        """Whole records out of a document that is not whole.

        Raises:
            OSError: as `lines`.
        """
        yield from salvage(self.text(), is_record)


@dataclass(frozen=True, slots=True)
class Sample:
    """The look of a file, by which its format is told.

    Attributes:
        path: the file or folder; its name is a hint at most.
        records: the first objects of a file of JSON lines (at most SAMPLE_RECORDS), damage left out; empty for others.
        document: the value of a file that is one JSON document; None for others, also for one that is cut (`records` then has its pieces).
        head: the first characters.
        magic: the first bytes.
    """

    path: Path
    records: tuple[dict[str, Any], ...] = ()
    document: Any = None
    head: str = ""
    magic: bytes = b""


def take_sample(source: Source) -> Sample:
    """Look at a file.

    Raises:
        OSError: missing, unreadable, or no plain file.
    """
    with open_plain(source.path) as file:
        magic = file.read(64)
    if magic.startswith(b"SQLite format 3\0"):
        return Sample(source.path, magic=magic)
    records = tuple(_first_records(source))
    with open_plain(source.path) as file:
        head = _head(decoded(file))
    document = None
    if len(records) <= 1 or not _is_lines(source):
        document, _ = source.document()
        if not isinstance(document, (dict, list)):
            document = None
            records = records or tuple(_first(source.pieces(any_record)))
    return Sample(source.path, records, document, head, magic)


def _head(file: BinaryIO) -> str:
    """The first characters; where bytes that are no text stand at the start, those behind them."""
    first = text = file.read(SAMPLE_TEXT).decode("utf-8", errors="replace")
    looked = 0
    while text.count("\0") + text.count("\ufffd") > len(text) // 10 and looked < MAX_WRECK:
        text = file.read(SAMPLE_TEXT).decode("utf-8", errors="replace")
        looked += SAMPLE_TEXT
    return text or first


def _first(found: Iterator[Found]) -> Iterator[dict[str, Any]]:
    looked = islice(found, SAMPLE_LINES)
    return islice((one.value for one in looked if isinstance(one.value, dict)), SAMPLE_RECORDS)


def _first_records(source: Source) -> Iterator[dict[str, Any]]:
    """Objects of whole lines first: pieces of broken ones may be the inside of a record."""
    whole: list[dict[str, Any]] = []
    for _, line in islice(source.lines(), 20_000):
        if line.lstrip(b"\xef\xbb\xbf\0 \t").startswith(b"{"):
            try:
                value = loads(line.decode("utf-8", errors="replace").strip("\ufeff\0 \t"))
            except ValueError:
                continue
            if isinstance(value, dict):
                whole.append(value)
        if len(whole) >= SAMPLE_RECORDS:
            break
    return iter(whole) if whole else _first(source.records())


def _is_lines(source: Source) -> bool:
    """Whether at least half of the first lines with text are JSON objects by themselves."""
    whole = told = 0
    for _, line in islice(source.lines(), 400):
        if not line.strip():
            continue
        told += 1
        try:
            whole += isinstance(loads(line.decode("utf-8", errors="replace")), dict)
        except ValueError:
            continue
    return whole * 2 >= told
