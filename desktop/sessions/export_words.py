"""Words of a message as they may stand in a Markdown document: they read as before, and nothing in them reaches beyond them.

A fence or a comment that is left open would swallow the messages behind it, HTML would be rendered live, a heading of the document's own
form would make up a message, and signs that turn the direction of writing or speak to a terminal would hide what stands there. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from desktop.base.redact import visible

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_TAG = re.compile(r"<(?=[A-Za-z/!?])(?!(?:https?|mailto):)")
_OWN_HEADING = re.compile(r"( {0,3})(#{1,2} )")
_SIGNS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Controls of a terminal, and those that turn the direction of writing; marks that Persian or Hebrew words need are none of them."""

LONG = 20_000
"""Characters of a line from which on no code is looked for in it."""


def in_document(text: str) -> str:
    """The words of a message; code in them stays as it is."""
    return "\n".join(_lines(plain_signs(text.replace("\r\n", "\n"))))


def plain_signs(text: str) -> str:
    """A text whose controls are shown as `\\u{…}`."""
    return _SIGNS.sub(lambda found: visible(found[0]), text)


def _lines(text: str) -> Iterator[str]:
    fence = ""
    for line in text.split("\n"):
        found = _FENCE.match(line)
        if fence:
            if found is not None and found[1].startswith(fence) and not found[2].strip():
                fence = ""
            yield line
        elif found is not None and not (found[1][0] == "`" and "`" in found[2]):
            fence = found[1]
            yield line
        else:
            yield _prose(line)
    if fence:
        yield fence


def _prose(line: str) -> str:
    """A line outside code: no HTML, and no heading of the rank that the document's own have."""
    line = _OWN_HEADING.sub(r"\1\\\2", line, count=1) if _OWN_HEADING.match(line) else line
    pieces, at = [], 0
    for code in _CODE.finditer(line) if len(line) <= LONG else ():
        pieces += [_TAG.sub(r"\\<", line[at : code.start()]), code[0]]
        at = code.end()
    return "".join([*pieces, _TAG.sub(r"\\<", line[at:])])
