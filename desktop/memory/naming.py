"""The name in a memory's header, given another value with no other character touched. Pure."""

from __future__ import annotations

from desktop.memory.frontmatter import Document, encode_text, parse, serialise
from desktop.memory.stamp import quoted
from desktop.memory.yaml_header import read_header

KEY = "name"


def named_bytes(data: bytes, name: str) -> bytes | None:
    """The file with another name in its header; None when it has none, or when that cannot be done without doubt."""
    document = parse(data)
    if document.header is None or document.header.broken or document.header.problems:
        return None
    span = read_header(document.header_text, spans=True).spans.get(KEY)
    if span is None or span.text is None:
        return None
    old = document.header_text[span.start : span.end]
    if "\n" in old or "\r" in old or not old:
        return None
    return _checked(document, f"{document.header_text[: span.start]}{quoted(name)}{document.header_text[span.end :]}", name)


def _checked(document: Document, header_text: str, name: str) -> bytes | None:
    """The file with another header, if nothing but the name differs in what it says."""
    whole = serialise(document)[len(document.bom) :]
    text = whole.decode(document.encoding, "surrogateescape" if document.encoding == "utf-8" else "strict")
    start = document.header_start
    data = document.bom + encode_text(text[:start] + header_text + text[start + len(document.header_text) :], document.encoding)
    made = parse(data)
    same = {**made.metadata, KEY: None} == {**document.metadata, KEY: None}
    return data if made.name == name and same and made.body == document.body and len(made.problems) <= len(document.problems) else None
