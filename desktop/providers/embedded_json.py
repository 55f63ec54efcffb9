"""Reading the small model's answer while it is being written: `{"tool": …, "args": {…}}`, with the answer's text decoded as it grows.

Pure. The server keeps the model to the schema; what arrives here may still be cut short anywhere.
"""

from __future__ import annotations

import json
import re
from typing import Any

ANSWER = "answer"
_ANSWER_HEAD = re.compile(r'\s*\{\s*"tool"\s*:\s*"answer"\s*,\s*"args"\s*:\s*\{\s*"text"\s*:\s*"')
_SIMPLE = {'"': '"', "\\": "\\", "/": "/", "b": "\b", "f": "\f", "n": "\n", "r": "\r", "t": "\t"}


class AnswerReader:
    """Takes pieces of the raw output and gives the pieces of the answer's text that they complete.

    Attributes:
        raw: everything that came.
        text: the answer so far; empty when a tool is being called.
        complete: the text's closing quote was seen.
    """

    def __init__(self) -> None:
        self.raw = ""
        self.text = ""
        self.complete = False
        self._position = -1

    def feed(self, piece: str) -> str:
        self.raw += piece
        if self._position < 0:
            head = _ANSWER_HEAD.match(self.raw)
            if not head:
                return ""
            self._position = head.end()
        added = "" if self.complete else self._decode()
        self.text += added
        return added

    def _decode(self) -> str:
        made: list[str] = []
        raw, at = self.raw, self._position
        while at < len(raw):
            character = raw[at]
            if character == '"':
                self.complete = True
                break
            if character != "\\":
                made.append(character)
                at += 1
                continue
            decoded, length = _escape(raw, at)
            if length == 0:
                break
            made.append(decoded)
            at += length
        self._position = at
        return "".join(made)


def _hex(raw: str, at: int) -> int | None:
    digits = raw[at : at + 4]
    return int(digits, 16) if re.fullmatch(r"[0-9a-fA-F]{4}", digits) else None


def _escape(raw: str, at: int) -> tuple[str, int]:
    """The character behind the escape at `at` and its length in the raw text; length 0 when more text is needed."""
    if at + 1 >= len(raw):
        return "", 0
    kind = raw[at + 1]
    if kind != "u":
        return _SIMPLE.get(kind, kind), 2
    if at + 6 > len(raw):
        return "", 0
    first = _hex(raw, at + 2)
    if first is None:
        return "\ufffd", 2
    if 0xD800 <= first < 0xDC00:
        rest = raw[at + 6 : at + 12]
        if "\\u".startswith(rest[:2]) and len(rest) < 6:
            return "", 0
        second = _hex(rest, 2) if rest.startswith("\\u") else None
        if second is not None and 0xDC00 <= second < 0xE000:
            return chr(0x10000 + ((first - 0xD800) << 10) + (second - 0xDC00)), 12
        return "\ufffd", 6
    return ("\ufffd" if 0xDC00 <= first < 0xE000 else chr(first)), 6


def parse_choice(raw: str) -> tuple[str, dict[str, Any]] | None:
    """Tool and arguments of a whole answer, or None when it is none (cut short, or a model that ignored the schema)."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError):
        return None
    if not isinstance(value, dict):
        return None
    tool, args = value.get("tool"), value.get("args")
    if not isinstance(tool, str) or not isinstance(args, dict):
        return None
    return tool, args
