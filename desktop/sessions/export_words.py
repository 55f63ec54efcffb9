"""Words of a message as they may stand in a Markdown document: they read as before, and nothing in them reaches beyond them.

A fence or a comment that is left open would swallow the messages behind it, HTML would be rendered live, a heading of the document's own
form would make up a message, and signs that turn the direction of writing or speak to a terminal would hide what stands there. What is
done to a text can be undone (`said`): where it does not show by itself, a comment that no reader sees tells it. Pure.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from desktop.base.redact import visible

_FENCE = re.compile(r" {0,3}(`{3,}|~{3,})(.*)")
_CODE = re.compile(r"(?<!`)(`+)(?!`).+?(?<!`)\1(?!`)")
_TAG = re.compile(r"(?<!\\)(\\*)<(?=[A-Za-z/!?])(?!(?:https?|mailto):)")
_KEPT_TAG = re.compile(r"(?<!\\)(\\+)<(?=[A-Za-z/!?])(?!(?:https?|mailto):)")
_OWN_HEADING = re.compile(r"( {0,3})(\\*)(#{1,2} )")
_KEPT_HEADING = re.compile(r"( {0,3})\\(\\*#{1,2} )")
_WRITTEN = re.compile(r"\\u\{([0-9a-f]{1,6})\}")
"""A sign as it is shown."""

BEGIN, END = re.compile(r"<!-- text((?: [a-z]+)*) -->"), "<!-- end of text -->"
"""What stands around a text that could be taken for something else, or of which something was changed; no reader sees it."""

OPENING = re.compile(r"> \*Thinking\*|\*\*.+\*\*(?: \([a-z_ -]+\))?|!?\[a picture, .*|\(a picture, .*")
"""Lines of a text that look like the beginning of another part of a message."""

_SIGNS = re.compile("[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
"""Controls of a terminal, and those that turn the direction of writing; marks that Persian or Hebrew words need are none of them."""

LONG = 20_000
"""Characters of a line from which on no code is looked for in it."""


def in_document(text: str) -> str:
    """The words of a message; code in them stays as it is."""
    return "\n".join(_lines(plain_signs(text.replace("\r\n", "\n"))))


def changes_of(text: str, shown: str) -> list[str]:
    """What `in_document` did to a text beyond what shows by itself, in words for a comment: `crlf`, `signs`, `open`."""
    plain = text.replace("\r\n", "\n")
    found = ["crlf"] if "\r\n" in text and "\n" not in text.replace("\r\n", "") else []
    found += ["signs"] if has_signs(plain) else []
    found += ["open"] if shown.count("\n") > plain.count("\n") else []
    return found


def worded(text: str) -> list[str]:
    """The words of a message as they stand in the document, with a comment around them where they need one to be read back."""
    shown = in_document(text)
    changes = changes_of(text, shown)
    if changes or text != text.strip() or any(OPENING.fullmatch(line) for line in shown.split("\n")):
        return [f"<!-- text{''.join(f' {change}' for change in changes)} -->", shown, END]
    return [shown]


def said(shown: str, changes: Collection[str] = ()) -> str:
    """The words out of a document: the way back of `in_document` with what `changes_of` told."""
    if "open" in changes:
        shown = shown.rpartition("\n")[0]
    text = "\n".join(_lines(shown, back=True))
    text = signs_back(text) if "signs" in changes else text
    return text.replace("\n", "\r\n") if "crlf" in changes else text


def has_signs(text: str) -> bool:
    """Whether a text holds controls that are shown."""
    return _SIGNS.search(text) is not None


def plain_signs(text: str) -> str:
    """A text whose controls are shown as `\\u{…}`; where there are some, a backslash that looks like one of those is shown so too."""
    if not has_signs(text):
        return text
    return _SIGNS.sub(lambda found: visible(found[0]), _WRITTEN.sub(lambda found: f"\\u{{5c}}{found[0][1:]}", text))


def signs_back(text: str) -> str:
    """The text whose controls are shown."""
    return _WRITTEN.sub(lambda found: sign if _SIGNS.fullmatch(sign := _sign(found[1])) or sign == "\\" else found[0], text)


def _sign(digits: str) -> str:
    """The sign with a number; "" for what no text of ours holds, such as half a pair of surrogates."""
    number = int(digits, 16)
    return chr(number) if number <= 0x10FFFF and not 0xD800 <= number <= 0xDFFF else ""


class Fences:
    """Follows fenced code through lines."""

    def __init__(self) -> None:
        self.open = ""

    def takes(self, line: str) -> bool:
        """Whether the next line is code, or opens or closes it."""
        found = _FENCE.match(line)
        if self.open:
            if found is not None and found[1].startswith(self.open) and not found[2].strip():
                self.open = ""
            return True
        if found is not None and not (found[1][0] == "`" and "`" in found[2]):
            self.open = found[1]
            return True
        return False


def _lines(text: str, *, back: bool = False) -> Iterator[str]:
    fences = Fences()
    for line in text.split("\n"):
        yield line if fences.takes(line) else _prose(line, back=back)
    if fences.open and not back:
        yield fences.open


def _prose(line: str, *, back: bool) -> str:
    """A line outside code: no HTML, and no heading of the rank that the document's own have; or, `back`, as it was before that."""
    if not back:
        line = _OWN_HEADING.sub(r"\1\\\2\3", line, count=1) if _OWN_HEADING.match(line) else line
    pieces, at = [], 0
    turned = _untagged if back else _tagged
    for code in _CODE.finditer(line) if len(line) <= LONG else ():
        pieces += [turned(line[at : code.start()]), code[0]]
        at = code.end()
    line = "".join([*pieces, turned(line[at:])])
    return _KEPT_HEADING.sub(r"\1\2", line, count=1) if back and _KEPT_HEADING.match(line) else line


def _tagged(text: str) -> str:
    """Each `<` of a tag behind a backslash that is none itself: those in front of it are doubled."""
    return _TAG.sub(lambda found: f"{found[1] * 2}\\<", text)


def _untagged(text: str) -> str:
    return _KEPT_TAG.sub(lambda found: f"{found[1][: (len(found[1]) - 1) // 2]}<", text)
