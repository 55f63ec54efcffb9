"""Reads a SentencePiece `.model` file: vocabulary, normalization rules, and from them the ids of a text. Own code, since 128,000 pieces
and one table need no native library. Blocking: reads the file at once. Any thread.

Source: the message `ModelProto` of SentencePiece (fields 1 pieces, 2 trainer, 3 normalizer) and the unit layout of Darts-clone, the
double-array trie in which `precompiled_charsmap` keeps its rules.
"""

from __future__ import annotations

import struct
import unicodedata
from array import array
from collections.abc import Iterator
from pathlib import Path

from desktop.providers.encoder_unigram import SPACE, Unigram
from desktop.providers.encoder_wire import VARINT, WireError, fields

PIECE, NORMALIZER, CHARSMAP = 1, 3, 2
TEXT, SCORE, TYPE = 1, 2, 3
UNKNOWN, CONTROL, UNUSED = 2, 3, 5
NEVER_IN_TEXT = frozenset({UNKNOWN, CONTROL, UNUSED})
_JOINING = ((0x1160, 0x11FF), (0x3131, 0x318E), (0xFF65, 0xFFDC))
"""Characters beside the combining marks that can make one with the character before them: Korean letters, half-width kana."""


class Charsmap(dict[int, str | int]):
    """Normalization rules as a table for `str.translate` that fills itself: each character is looked up in the trie once.

    Rules for several characters at once are applied by `normalized` alone.
    """

    def __init__(self, rules: memoryview) -> None:
        super().__init__()
        size = struct.unpack_from("<I", rules)[0] if len(rules) >= 4 else 0
        if size % 4 or size == 0 or 4 + size > len(rules):
            raise WireError("the normalization rules are cut short")
        self._units = array("I", bytes(rules[4 : 4 + size]))
        self._texts = bytes(rules[4 + size :])
        self._joining: set[str] = set()

    def normalized(self, text: str) -> str:
        """The text by the rules, longest first."""
        single = text.translate(self)
        if self._joining.isdisjoint(text):
            return single
        return b"".join(self._walk(text.encode())).decode("utf-8", "replace")

    def __missing__(self, code: int) -> str | int:
        letter = chr(code)
        if unicodedata.category(letter)[0] == "M" or any(first <= code <= last for first, last in _JOINING):
            self._joining.add(letter)
        data = letter.encode()
        length, text = self._longest(data, 0)
        value: str | int = text.decode("utf-8", "replace") if length == len(data) else code
        self[code] = value
        return value

    def _longest(self, data: bytes, at: int) -> tuple[int, bytes]:
        """Length and replacement of the longest rule that matches from `at`; 0 when none does.

        A unit of the trie: 8 bits of label, bit 8 “a rule ends here”, bit 9 “offset counts in 256”, 22 bits of offset; a leaf holds a
        place in the replacement texts. The child for a byte is at (unit's place XOR offset XOR byte).
        """
        units = self._units
        place = _offset(units[0])
        length, text = 0, b""
        for number in range(at, len(data)):
            place ^= data[number]
            if place >= len(units) or units[place] & 0x800000FF != data[number]:
                break
            unit = units[place]
            place ^= _offset(unit)
            if unit & 0x100 and place < len(units):
                start = units[place] & 0x7FFFFFFF
                length = number + 1 - at
                text = self._texts[start : self._texts.find(b"\0", start)]
        return length, text

    def _walk(self, data: bytes) -> Iterator[bytes]:
        at = 0
        while at < len(data):
            length, text = self._longest(data, at)
            if not length:
                length = _character(data[at])
                text = data[at : at + length]
            yield text
            at += length


def _offset(unit: int) -> int:
    return unit >> 10 << ((unit & 0x200) >> 6)


def _character(first: int) -> int:
    """Bytes of a UTF-8 character by its first one."""
    return 1 if first < 0x80 else 2 if first < 0xE0 else 3 if first < 0xF0 else 4


class SentencePieceModel:
    """The tokenizer of one `.model` file of the unigram kind.

    Raises:
        OSError: the file cannot be read. ValueError: it is no such file.
    """

    def __init__(self, file: Path) -> None:
        data = memoryview(file.read_bytes())
        texts: list[bytes] = []
        scores = array("f")
        special: dict[int, int] = {}
        rules = data[:0]
        for number, _, _, value in fields(data):
            if number == PIECE:
                text, score, kind = _piece(value)
                if kind in NEVER_IN_TEXT:
                    special[len(texts)] = kind
                texts.append(text)
                scores.append(score)
            elif number == NORMALIZER:
                rules = next((rule for field, _, _, rule in fields(value) if field == CHARSMAP), rules)
        unknown = next((piece for piece, kind in special.items() if kind == UNKNOWN), None)
        if unknown is None:
            raise WireError("there is no piece for unknown characters")
        self.unknown = unknown
        self._charsmap = Charsmap(rules)
        self._unigram = Unigram([text.decode() for text in texts], scores, frozenset(special), unknown)

    def ids(self, text: str, most: int) -> list[int]:
        """At most `most` ids, without those of start and end; spaces at the ends are dropped and runs of them are one."""
        words = self._charsmap.normalized(text).split(" ")
        return self._unigram.ids("".join(SPACE + word for word in words if word), most)


def _piece(value: memoryview) -> tuple[bytes, float, int]:
    """Text, score and type of a piece. The usual layout (text, then score, nothing else) is read at once, since there are 128,000."""
    if len(value) > 7 and value[0] == 0x0A and value[1] == len(value) - 7 and value[-5] == 0x15:
        return bytes(value[2:-5]), struct.unpack("<f", value[-4:])[0], 0
    text, score, kind = b"", 0.0, 0
    for number, wire, integer, part in fields(value):
        if number == TEXT:
            text = bytes(part)
        elif number == SCORE and len(part) == 4:
            score = struct.unpack("<f", part)[0]
        elif number == TYPE and wire == VARINT:
            kind = integer
    return text, score, kind
