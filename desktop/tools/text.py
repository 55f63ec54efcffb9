"""Bytes to text and back without changing what was not asked: byte order marks, UTF-16, stray bytes, newline style, binary detection.

Pure, any thread.
"""

from __future__ import annotations

import codecs
import re
from dataclasses import dataclass

from desktop.base.phrases import say

SNIFFED = 8_192
"""Bytes at the start of a file by which it is taken for text or not."""

_MARKS: tuple[tuple[bytes, str], ...] = (
    (codecs.BOM_UTF8, "utf-8"),
    (codecs.BOM_UTF32_LE, "utf-32-le"),
    (codecs.BOM_UTF32_BE, "utf-32-be"),
    (codecs.BOM_UTF16_LE, "utf-16-le"),
    (codecs.BOM_UTF16_BE, "utf-16-be"),
)
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x89PNG", say("a PNG image")),
    (b"\xff\xd8\xff", say("a JPEG image")),
    (b"GIF8", say("a GIF image")),
    (b"%PDF-", say("a PDF document")),
    (b"PK\x03\x04", say("a zip archive or office document")),
    (b"\x1f\x8b", say("a gzip archive")),
    (b"\x7fELF", say("a program")),
    (b"MZ", say("a program")),
    (b"SQLite format 3\0", say("an SQLite database")),
)
_CONTROL = re.compile(rb"[\x00-\x06\x0e-\x1a\x1c-\x1f]")
_HAN = re.compile("[\u3000-\u303f\u4e00-\u9fff\uff00-\uffef]")


@dataclass(frozen=True, slots=True)
class Text:
    """A decoded file. `encode` gives the same bytes for the same text.

    Attributes:
        text: without the byte order mark; bytes that do not fit the encoding are kept as lone surrogates.
        encoding: `utf-8`, `utf-16-le`, `utf-16-be`, `utf-32-le`, `utf-32-be` or `gb18030`.
        mark: the byte order mark, or nothing.
        lossless: False when the bytes cannot be rebuilt from the text.
    """

    text: str
    encoding: str
    mark: bytes
    lossless: bool

    @property
    def newline(self) -> str:
        """The style of most lines."""
        pairs = self.text.count("\r\n")
        return "\r\n" if pairs * 2 > self.text.count("\n") else "\n"

    @property
    def stray(self) -> int:
        """How many bytes did not fit the encoding."""
        return len(re.findall("[\ud800-\udfff]", self.text))

    def encode(self, text: str) -> bytes:
        """The bytes of `text` in this file's own form.

        Raises:
            UnicodeEncodeError: the encoding has no such character.
        """
        return self.mark + text.encode(self.encoding, _handler(self.encoding))


def _handler(encoding: str) -> str:
    return "strict" if encoding == "gb18030" else "surrogateescape" if encoding == "utf-8" else "surrogatepass"


def _unmarked_encoding(data: bytes) -> str:
    head = data[:SNIFFED]
    if len(head) >= 8:
        even, odd = head[0::2].count(0), head[1::2].count(0)
        if odd * 10 > len(head) * 4 and even * 50 < len(head):
            return "utf-16-le"
        if even * 10 > len(head) * 4 and odd * 50 < len(head):
            return "utf-16-be"
    try:
        data.decode("utf-8")
    except UnicodeDecodeError:
        return "gb18030" if _is_chinese(data) else "utf-8"
    return "utf-8"


def _is_chinese(data: bytes) -> bool:
    """Whether bytes that are not UTF-8 are the old Chinese encoding: strict pairs, nearly all of them Han or its punctuation."""
    try:
        text = data.decode("gb2312")
    except UnicodeDecodeError:
        return False
    wide = [c for c in text if ord(c) > 0x7F]
    return len(wide) >= 4 and len(_HAN.findall("".join(wide))) * 10 >= len(wide) * 9


def decode(data: bytes) -> Text:
    """Any bytes as text. Never raises."""
    for mark, encoding in _MARKS:
        if data.startswith(mark):
            return _decoded(data[len(mark) :], encoding, mark)
    return _decoded(data, _unmarked_encoding(data), b"")


def _decoded(data: bytes, encoding: str, mark: bytes) -> Text:
    try:
        text = data.decode(encoding, _handler(encoding))
        lossless = text.encode(encoding, _handler(encoding)) == data
    except UnicodeError:
        return Text(data.decode(encoding, "replace"), encoding, mark, False)
    return Text(text, encoding, mark, lossless)


def printable(text: str) -> str:
    """`text` with bytes that did not decode shown as �, so that it can be sent and stored."""
    return re.sub("[\ud800-\udfff]", "\ufffd", text)


def binary_kind(head: bytes) -> str | None:
    """What a file with these first bytes is, when it is no text; else None."""
    if head.startswith(tuple(mark for mark, _ in _MARKS)):
        return None
    for magic, kind in _MAGIC:
        if head.startswith(magic) and (magic != b"MZ" or b"\0" in head):
            return kind
    sample = head[:SNIFFED]
    if _unmarked_encoding(sample).startswith("utf-16"):
        return None
    control = len(_CONTROL.findall(sample))
    if b"\0" in sample or control * 10 > len(sample):
        return say("binary data")
    return None


def split_lines(text: str) -> list[str]:
    """The lines as an editor counts them: split at newlines only, a carriage return before one removed, no empty last line."""
    if not text:
        return []
    lines = text.split("\n")
    if lines[-1] == "":
        lines.pop()
    return [line[:-1] if line.endswith("\r") else line for line in lines]
