"""The pin in a memory's header: `pinned: true`, put in, changed or taken out, and no other character touched. Pure."""

from __future__ import annotations

from desktop.memory.frontmatter import Document, encode_text, parse, serialise
from desktop.memory.yaml_header import read_header

KEY = "pinned"


def pinned_bytes(data: bytes, on: bool) -> bytes | None:
    """The file with the pin set or not; the same bytes when it says so already; None when that cannot be done without doubt."""
    document = parse(data)
    if (document.field(KEY) is True) is on:
        return data
    if document.header is None:
        return _with_new_header(document) if not document.problems else None
    if document.header.broken or document.header.problems:
        return None
    for key in (f"metadata.{KEY}", KEY):
        span = read_header(document.header_text, spans=True).spans.get(key)
        if span is not None:
            return _checked(document, _changed(document.header_text, span.start, span.end, span.text, on), on)
    return _checked(document, _inserted(document), on)


def _changed(text: str, start: int, end: int, value: str | None, on: bool) -> str | None:
    """The header with the value replaced, where it is a word on one line."""
    old = text[start:end]
    if value is None or "\n" in old or "\r" in old:
        return None
    word = "true" if on else "false"
    glue = " " if not old and not text[:start].endswith((" ", "\t")) else ""
    return f"{text[:start]}{glue}{word}{text[end:]}"


def _inserted(document: Document) -> str | None:
    """The header with a new entry: first in a `metadata` block, last in a `{…}`, else at its own end."""
    text, newline = document.header_text, document.newline
    spans = read_header(text, spans=True).spans
    nested = spans.get("metadata")
    if nested is not None and nested.text is None:
        if not nested.block:
            inner = text[nested.start : nested.end]
            closing = nested.end if inner and not inner.endswith("}") else nested.end - 1
            if text[closing : closing + 1] != "}":
                return None
            inside = text[nested.start + 1 : closing].strip()
            comma = "" if not inside else " " if inside.endswith(",") else ", "
            return f"{text[:closing].rstrip()}{comma}{KEY}: true{text[closing:]}"
        first = min((span.key_start for name, span in spans.items() if name.startswith("metadata.")), default=None)
        if first is None:
            return None
        start = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
        indent = text[start:first]
        return None if indent.strip(" ") else f"{text[:start]}{indent}{KEY}: true{newline}{text[start:]}"
    if nested is not None or not text.strip():
        return f"{text}{KEY}: true{newline}" if not text.strip() else None
    return f"{text}{'' if text.endswith((chr(10), chr(13))) else newline}{KEY}: true{newline}"


def _with_new_header(document: Document) -> bytes | None:
    newline = document.newline
    text = f"---{newline}{KEY}: true{newline}---{newline}{newline}{document.body}"
    data = document.bom + encode_text(text, document.encoding)
    made = parse(data)
    return data if made.field(KEY) is True and made.body.removeprefix(newline) == document.body and not made.problems else None


def _checked(document: Document, header_text: str | None, on: bool) -> bytes | None:
    """The file with another header, if nothing but the pin differs in what it says."""
    if header_text is None:
        return None
    whole = serialise(document)[len(document.bom) :]
    text = whole.decode(document.encoding, "surrogateescape" if document.encoding == "utf-8" else "strict")
    start = document.header_start
    data = document.bom + encode_text(text[:start] + header_text + text[start + len(document.header_text) :], document.encoding)
    made = parse(data)
    if (made.field(KEY) is True) is not on or made.body != document.body or made.problems[len(document.problems) :]:
        return None
    return data if _without_pin(made) == _without_pin(document) else None


def _without_pin(document: Document) -> dict[str, object]:
    values = {key: value for key, value in document.metadata.items() if key != KEY}
    nested = values.get("metadata")
    if isinstance(nested, dict):
        values["metadata"] = {key: value for key, value in nested.items() if key != KEY}
    return values
