"""Reading files of other tools, whole or damaged: JSON objects out of lines, out of one document, and out of the wreck of either.

Read only, never raises for what a file holds; what could not be read is told with its line. Knows no format. Nothing is held as a whole but
a document's values. Blocking, any thread.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, BinaryIO

from desktop.sessions.importers.json_stream import TextWindow, read_document
from desktop.sessions.importers.json_text import (
    DECODER,
    FOREIGN,
    NO_RECORD,
    Found,
    IsRecord,
    any_record,
    behind_wreck,
    between,
    describe,
    is_cut_short,
    is_prose,
    loads,
    of_short,
    pieces,
    salvage,
)
from desktop.sessions.importers.packed import MOST_UNPACKED, is_packed, opened
from desktop.sessions.importers.shapes import Damage

__all__ = [
    "Found",
    "IsRecord",
    "Sample",
    "Source",
    "any_record",
    "describe",
    "loads",
    "salvage",
    "take_sample",
]

MAX_LINE = 256 << 20
"""Bytes of a line, and of a document, that are looked at."""
MAX_WRECK = 8 << 20
"""Bytes that are no text which are passed over at the start of a file, to see what it is."""
SAMPLE_RECORDS = 200
SAMPLE_LINES = 30_000
"""Records and stretches of damage among which the first records are looked for."""
SAMPLE_OF_LINES = 400
"""Lines of which half have to be objects by themselves in a file of JSON lines."""
SAMPLE_TEXT = 64_000
_PIECE = 1 << 20
_LONG_LINE = 1 << 20


@dataclass(slots=True)
class Source:
    """A file of another tool, as bytes that are read when they are needed.

    Attributes:
        path: the file.
        lost: why the end of a packed file could not be read, once it was tried.
    """

    path: Path
    lost: str = ""
    _document: tuple[Any, Damage | None] | None = field(default=None, repr=False)
    _broken: frozenset[int] = field(default=frozenset(), repr=False)

    def opened(self) -> BinaryIO:
        """The file's content as bytes, unpacked where it is packed; close it.

        Raises:
            OSError: missing, unreadable, no plain file, or too large unpacked.
        """
        return opened(self.path, self._tell)

    def _tell(self, reason: str) -> None:
        self.lost = reason

    def lines(self) -> Iterator[tuple[int, bytes]]:
        """Number, from 1, and bytes of each line without its break; longer ones than MAX_LINE are left out.

        Raises:
            OSError: missing, unreadable, or no plain file.
        """
        with self.opened() as text:
            number = 0
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
            if text[:1] != "{":
                if not text.strip():
                    continue
                if is_prose(text):
                    yield from between(text, number)
                    continue
            elif is_cut_short(text):
                yield from of_short(text, is_record, number)
                continue
            try:
                value = loads(text)
            except ValueError as error:
                yield from behind_wreck(text, is_line, number) or salvage(text, is_record, first_line=number, error=error)
                continue
            if isinstance(value, dict):
                yield Found(number, value) if is_line(value) else Found(number, None, FOREIGN)
            else:
                yield Found(number, None, NO_RECORD)

    def is_spread(self) -> bool:
        """Whether its records go over many lines each, as programs print them for reading: a line of nothing but a brace comes first.

        Raises:
            OSError: as `lines`.
        """
        lines = (line.strip(b"\xef\xbb\xbf\0 \t") for _, line in islice(self.lines(), 100))
        return next(filter(None, lines), b"") == b"{"

    def start(self, characters: int = SAMPLE_TEXT) -> str:
        """The first characters of the file, undecodable bytes replaced.

        Raises:
            OSError: as `lines`.
        """
        with self.opened() as file:
            return file.read(4 * characters).decode("utf-8", errors="replace")[:characters]

    def texts(self) -> Iterator[str]:
        """The file as text, piece by piece, whole lines each; undecodable bytes replaced; at most MAX_LINE bytes of it.

        Raises:
            OSError: as `lines`.
        """
        with self.opened() as file:
            left, rest = MAX_LINE, [b""]
            while data := file.read(min(_PIECE, left)):
                left -= len(data)
                end = data.rfind(b"\n") + 1
                if not end:
                    rest.append(data)
                    continue
                yield b"".join((*rest, data[:end])).decode("utf-8", errors="replace")
                rest = [data[end:]]
            if last := b"".join(rest):
                yield last.decode("utf-8", errors="replace")

    def document(self) -> tuple[Any, Damage | None]:
        """The one JSON value that the file is; None with the damage when it is not whole. Use `pieces` then. Read once; do not change it.

        Raises:
            OSError: as `lines`.
        """
        if self._document is None:
            with self.opened() as file:
                found = read_document(file, MAX_LINE, DECODER)
            self._broken = found.broken
            self._document = found.value, Damage(found.line, found.reason) if found.reason else None
        return self._document

    def pieces(self, is_record: IsRecord, most: int = MAX_LINE) -> Iterator[Found]:
        """Whole records out of a document that is not whole; at most so many bytes of it are looked at.

        Raises:
            OSError: as `lines`.
        """
        self.document()  # tells which objects have no end
        with self.opened() as file:
            yield from pieces(TextWindow(file, most), is_record, min(most, self._most_characters()), broken=self._broken)

    def _most_characters(self) -> int:
        return MOST_UNPACKED if is_packed(self.path) else self.path.stat().st_size

    def is_one_line(self) -> bool:
        """Whether all of the file is one long line, as documents are that no person was to read.

        Raises:
            OSError: as `lines`.
        """
        with self.opened() as file:
            first = file.read(_LONG_LINE).lstrip(b"\0 \t\r\n")
            if b"\n" in first.rstrip() or len(first) < _LONG_LINE // 2:
                return False
            ended = False
            while data := file.read(_PIECE):
                behind = data if ended else data.partition(b"\n")[2]
                ended = ended or b"\n" in data
                if behind.strip(b"\0 \t\r\n"):
                    return False
            return True


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
    with source.opened() as file:
        magic = file.read(64)
    if magic.startswith(b"SQLite format 3\0"):
        return Sample(source.path, magic=magic)
    with source.opened() as file:
        head = _head(file)
    if source.is_one_line():
        document = source.document()[0]
        if isinstance(document, (dict, list)):
            return Sample(source.path, (document,) if isinstance(document, dict) else (), document, head, magic)
        return Sample(source.path, tuple(_first(source.pieces(any_record, MAX_WRECK))), None, head, magic)
    records, known_as_lines = _first_records(source)
    document = None
    if len(records) <= 1 or not (known_as_lines or _is_lines(source)):
        document, _ = source.document()
        if not isinstance(document, (dict, list)):
            document = None
            records = max(tuple(_first(source.pieces(any_record, MAX_WRECK))), records, key=len)
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


def _first_records(source: Source) -> tuple[tuple[dict[str, Any], ...], bool]:
    """Objects of whole lines first: pieces of broken ones may be the inside of a record. And whether they show that the file is lines."""
    whole: list[dict[str, Any]] = []
    plain = 0
    for number, line in islice(source.lines(), 20_000):
        if line.lstrip(b"\xef\xbb\xbf\0 \t").startswith(b"{"):
            raw = line.decode("utf-8", errors="replace")
            text = raw.strip("\ufeff\0 \t")
            try:
                value = loads(text)
            except ValueError:
                continue
            if isinstance(value, dict):
                if value and (not whole or value != whole[-1]):  # a line that stands there a thousand times tells no more than once
                    whole.append(value)
                plain += number <= SAMPLE_OF_LINES and len(text) == len(raw)
        if len(whole) >= SAMPLE_RECORDS:
            break
    return (tuple(whole) if whole else tuple(_first(source.records()))), plain * 2 >= SAMPLE_OF_LINES


def _is_lines(source: Source) -> bool:
    """Whether at least half of the first lines with text are JSON objects by themselves."""
    whole = told = 0
    for _, line in islice(source.lines(), SAMPLE_OF_LINES):
        if not line.strip():
            continue
        told += 1
        try:
            whole += isinstance(loads(line.decode("utf-8", errors="replace")), dict)
        except ValueError:
            continue
    return whole * 2 >= told
