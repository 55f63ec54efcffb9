"""A large JSON document, read as a stream: never held as text, its values made one after the other. Pure but for the bytes that it reads.

One picture sign makes Python hold a whole text four times as large as its file; values are texts of their own. Any thread.
"""

from __future__ import annotations

import codecs
import json
from typing import Any, BinaryIO, NamedTuple

from desktop.base.phrases import say

_CHUNK = 1 << 20
_PIECE = 4 << 20
"""Characters that a list or object is tried to be read from at once; what is larger is read item by item."""
_LONG, _TAIL = 1 << 16, 1 << 16
_BLANK = " \t\r\n"
_AROUND = "\ufeff\0 \t\r\n"
"""What may stand around a document."""


class TextWindow:
    """The text of a file, of which only a part is held. Offsets are those of the part.

    Attributes:
        text: the part.
        ended: nothing follows it.
        line: lines before it.
        start: characters before it.
    """

    def __init__(self, file: BinaryIO, most: int) -> None:
        self._file = file
        self._left = most
        self._decoder = codecs.getincrementaldecoder("utf-8")(errors="replace")
        self.text = ""
        self.ended = False
        self.line = 0
        self.start = 0

    def more(self, least: int = _CHUNK) -> bool:
        """Add what follows, about so many bytes; False when there is none."""
        data = b"" if self.ended else self._file.read(max(0, min(max(least, _CHUNK), self._left)))
        self._left -= len(data)
        if not data:
            if not self.ended:
                self.text += self._decoder.decode(b"", final=True)
            self.ended = True
            return False
        self.text += self._decoder.decode(data)
        return True

    def drop(self, size: int) -> None:
        """Let the first characters go."""
        self.line += self.text.count("\n", 0, size)
        self.start += size
        self.text = self.text[size:]


class _Document:
    def __init__(self, window: TextWindow, decoder: json.JSONDecoder) -> None:
        self._window = window
        self._decoder = decoder
        self._at = 0
        self.open: list[int] = []
        """Where the large lists and objects begin that are not read to their end."""

    def whole(self) -> Any:
        self._skip(_AROUND)
        value = self._value()
        self._skip(_AROUND)
        if self._at < len(self._window.text):
            raise self._wrong("Extra data")
        return value

    def _wrong(self, message: str) -> json.JSONDecodeError:
        return json.JSONDecodeError(message, self._window.text, min(self._at, len(self._window.text)))

    def _skip(self, signs: str = _BLANK) -> str:
        """Go to the next sign; empty at the end."""
        while True:
            text, at = self._window.text, self._at
            while at < len(text) and text[at] in signs:
                at += 1
            self._at = at
            if at < len(text):
                return text[at]
            if not self._window.more():
                return ""

    def _value(self) -> Any:
        """The value that begins here."""
        first = self._skip()
        if self._at > _CHUNK:
            self._window.drop(self._at)
            self._at = 0
        while True:
            window = self._window
            try:
                value, end = self._decoder.raw_decode(window.text, self._at)
            except json.JSONDecodeError as error:
                room = len(window.text) - self._at
                if first in "{[" and room >= _PIECE:
                    self.open.append(window.start + self._at)
                    found = self._items() if first == "[" else self._members()
                    self.open.pop()
                    return found
                if error.pos < len(window.text) - 64 and not error.msg.startswith("Unterminated"):
                    raise
                if not window.more(room):
                    raise
                continue
            if end < len(window.text) or first in '{["' or not window.more():
                self._at = end
                return value

    def _items(self) -> list[Any]:
        found: list[Any] = []
        self._at += 1
        if self._skip() == "]":
            self._at += 1
            return found
        while True:
            found.append(self._value())
            if self._after("]"):
                return found

    def _members(self) -> dict[str, Any]:
        found: dict[str, Any] = {}
        self._at += 1
        if self._skip() == "}":
            self._at += 1
            return found
        while True:
            if self._skip() != '"':
                raise self._wrong("Expecting property name enclosed in double quotes")
            name = self._value()
            if self._skip() != ":":
                raise self._wrong("Expecting ':' delimiter")
            self._at += 1
            found[name] = self._value()
            if self._after("}"):
                return found

    def _after(self, closing: str) -> bool:
        """Whether a list or object ends here; else go behind the comma."""
        sign = self._skip()
        if sign not in (",", closing):
            raise self._wrong("Expecting ',' delimiter")
        self._at += 1
        return sign == closing


class Document(NamedTuple):
    """The value of a document; or None, the line at which it ends or is wrong, why, and where large objects begin that have no end."""

    value: Any
    line: int = 0
    reason: str = ""
    broken: frozenset[int] = frozenset()


def read_document(file: BinaryIO, most: int, decoder: json.JSONDecoder) -> Document:
    """The one value in a file. Texts, names and numbers are as the decoder makes them.

    Args:
        file: its UTF-8 bytes.
        most: bytes of it that are looked at.
    """
    window = TextWindow(file, most)
    reading = _Document(window, decoder)
    try:
        return Document(reading.whole())
    except json.JSONDecodeError as error:
        line, broken = window.line + error.lineno, frozenset(reading.open)
        if window.start + len(window.text) > _LONG:
            line = _end_of(window) or line
        return Document(None, line, say("the document is cut or not JSON"), broken)
    except (ValueError, RecursionError):
        return Document(None, 1, say("it is nested too deeply"), frozenset(reading.open))


def _end_of(window: TextWindow) -> int:
    """The last line of a document that has no end; 0 for one that has: then the place where it is wrong is told."""
    if not (window.start > 0 or window.text.lstrip(_AROUND).startswith("{")):
        return 0
    while window.more():
        window.drop(len(window.text) - _TAIL)
    end = window.text.rstrip(_AROUND)
    return window.line + end.count("\n") + 1 if end and not end.endswith("}") else 0
