"""A memory file as header and body: read tolerantly, written back byte for byte.

Owns where the header ends, the encoding and the fields that memory uses. Never changes a byte before the body; the origin stamp is
`desktop.memory.stamp`. Never raises on any bytes. Pure, any thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from typing import Any

from desktop.base.phrases import say
from desktop.memory.yaml_header import Header, read_header

TYPES = ("user", "feedback", "project", "reference")
NOT_UTF8 = "it is not valid UTF-8 text"
MAX_SHOWN = 2_000
"""Characters of a name or description that are kept."""

_BOMS = ((b"\xef\xbb\xbf", "utf-8"), (b"\xff\xfe", "utf-16-le"), (b"\xfe\xff", "utf-16-be"))
_OPEN = re.compile(r"---[ \t]*(\r\n|\n|\r)")
_BREAK = re.compile(r"\r\n|\n|\r")
_CLOSE_END = re.compile(r"[ \t]*(?:\r\n|\n|\r|\Z)")


@dataclass(frozen=True, slots=True)
class Document:
    """One file.

    Attributes:
        name, description: as the header says, or None.
        type: one of `TYPES`, or None.
        metadata: everything in the header as plain values, the nested mapping `metadata` included.
        body: all text behind the header, line breaks as they are. Bytes that are no UTF-8 are lone surrogates.
        problems: (1-based line of the file, what is wrong).
        head: the bytes before the body: byte order mark, fences, header.
        header_start: characters of the fence line, i.e. where the header text begins.
        encoding, bom: how the bytes were read.
        newline: the first line break of the file, which is that of its header.
        header: the header with the places of its values, None when there is no header.
    """

    name: str | None
    description: str | None
    type: str | None
    metadata: dict[str, Any]
    body: str
    problems: list[tuple[int, str]]
    head: bytes
    encoding: str = "utf-8"
    bom: bytes = b""
    newline: str = "\n"
    header_text: str = ""
    header_start: int = 0
    header: Header | None = field(default=None, compare=False)

    def with_body(self, body: str) -> Document:
        """The same file with another body; nothing before it changes. A byte order mark is never doubled."""
        if body == self.body:
            return self
        if self.bom:
            body = body.removeprefix("\ufeff")
        needs_break = (
            body
            and self.header is not None
            and not self.head.endswith(encode_text("\n", self.encoding))
            and not (self.head.endswith(encode_text("\r", self.encoding)))
        )
        head = self.head + encode_text(self.newline, self.encoding) if needs_break else self.head
        return parse(head + encode_text(body, self.encoding))

    def field(self, name: str) -> Any:
        """A value out of the nested `metadata`, else from the top level, else None."""
        nested = self.metadata.get("metadata")
        if isinstance(nested, dict) and nested.get(name) is not None:
            return nested[name]
        return self.metadata.get(name)


def encode_text(text: str, encoding: str) -> bytes:
    """The bytes of a text; escaped bytes become themselves again. Never raises."""
    if encoding != "utf-8":
        return text.encode(encoding, "surrogatepass")
    try:
        return text.encode("utf-8", "surrogateescape")
    except UnicodeEncodeError:
        return text.encode("utf-8", "surrogatepass")


def decode_text(data: bytes) -> tuple[str, str, bytes]:
    """Text, encoding and byte order mark. What does not survive the way back is read as UTF-8 with escaped bytes."""
    for bom, encoding in _BOMS:
        if data.startswith(bom):
            if encoding == "utf-8":
                return data[3:].decode("utf-8", "surrogateescape"), encoding, bom
            try:
                return data[2:].decode(encoding), encoding, bom
            except UnicodeDecodeError:
                break
    return data.decode("utf-8", "surrogateescape"), "utf-8", b""


def split(text: str) -> tuple[int, int, int] | None:
    """Where the header text starts and ends and where the body starts, or None without a closed header.

    Only a first line of exactly three dashes opens one: `----` and `--- text` are body.
    """
    opening = _OPEN.match(text)
    if not opening:
        return None
    start = opening.end()
    line, old_line = text.find("\n---", start - 1), text.find("\r---", start - 1)
    while line >= 0 or old_line >= 0:
        if old_line < 0 or 0 <= line < old_line:
            found, line = line, text.find("\n---", line + 1)
        else:
            found, old_line = old_line, text.find("\r---", old_line + 1)
        end = _CLOSE_END.match(text, found + 4)
        if end:
            return start, found + 1, end.end()
    return None


def _text_of(header: Header, key: str) -> str | None:
    """A field as text; for texts that YAML would take as numbers the file's own spelling."""
    if key in header.texts:
        text = header.texts[key][0].strip()
        return text[:MAX_SHOWN] or None
    value = header.values.get(key)
    return None if value is None or isinstance(value, (dict, list)) else str(value)[:MAX_SHOWN]


def _check_fields(header: Header, text: str, problems: list[tuple[int, str]]) -> tuple[str | None, str | None, str | None]:
    for key in ("name", "description"):
        if isinstance(header.values.get(key), (dict, list)):
            problems.append((_line_of(text, key), say("“{key}” is not a text", key=key)))
    nested = header.values.get("metadata")
    found = nested.get("type") if isinstance(nested, dict) and nested.get("type") is not None else header.values.get("type")
    kind = found.strip().lower() if isinstance(found, str) else None
    if found is not None and kind not in TYPES:
        shown = f"“{str(found)[:40]}”" if not isinstance(found, (dict, list)) else "this type"
        problems.append((_line_of(text, "type"), say("{shown} is none of the types {names}", shown=shown, names=", ".join(TYPES))))
        kind = None
    return _text_of(header, "name"), _text_of(header, "description"), kind


def _line_of(text: str, key: str) -> int:
    """1-based line of a key in a header; the last one, which is the nested one where both are there."""
    found = 1
    for number, line in enumerate(re.split(r"\r\n|\n|\r", text), start=1):
        if re.match(rf"(?:.*[{{,])?[ \t]*[\"']?{key}[\"']?[ \t]*:", line[:500]):
            found = number
    return found


def _encoding_problem(text: str) -> tuple[int, str] | None:
    if text.isascii():
        return None
    try:
        text.encode()
    except UnicodeEncodeError as error:
        return text.count("\n", 0, error.start) + 1, NOT_UTF8
    return None


def parse(data: bytes) -> Document:
    """Read a file. Never raises; an unreadable header leaves its fields as far as single lines show them, and says so."""
    text, encoding, bom = decode_text(data)
    problems: list[tuple[int, str]] = []
    first_break = _BREAK.search(text)
    newline = first_break.group() if first_break else "\n"
    bounds = split(text)
    undecodable = _encoding_problem(text)
    if undecodable:
        problems.append(undecodable)
    if bounds is None:
        if _OPEN.match(text) or text.rstrip() == "---":
            problems.append((1, say("the header that begins here with --- is never closed")))
        return Document(None, None, None, {}, text, problems, bom, encoding, bom, newline)
    start, end, body_start = bounds
    header_text = text[start:end]
    header = read_header(header_text)
    first = text.count("\n", 0, start) or 1
    problems += [(line + first, reason) for line, reason in header.problems]
    found: list[tuple[int, str]] = []
    name, description, kind = _check_fields(header, header_text, found)
    problems += [(line + first, reason) for line, reason in found]
    return Document(
        name=name,
        description=description,
        type=kind,
        metadata=header.values,
        body=text[body_start:],
        problems=sorted(problems),
        head=bom + encode_text(text[:body_start], encoding),
        encoding=encoding,
        bom=bom,
        newline=newline,
        header_text=header_text,
        header_start=start,
        header=header,
    )


def serialise(document: Document) -> bytes:
    """The file's bytes; equal to what was parsed when nothing was changed."""
    return document.head + encode_text(document.body, document.encoding)
