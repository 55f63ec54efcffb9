"""One value set in a memory's header, and no other character touched: what the person confirmed, what took a memory's place.

Owns where a new value goes: into `metadata` where that is a mapping, else at the end of the header. A file without a header gets none.
Pure, any thread.
"""

from __future__ import annotations

from desktop.memory.frontmatter import Document, encode_text, parse, serialise
from desktop.memory.stamp import quoted, with_metadata


def with_field(data: bytes, key: str, value: str) -> bytes | None:
    """The file with `key: value` in its header; None when it has no header, or that cannot be done without doubt."""
    document = parse(data)
    if document.field(key) == value:
        return data
    if document.header is None or document.header.broken or document.header.problems:
        return None
    if isinstance(document.metadata.get("metadata"), dict):
        made = with_metadata(document, {key: value})
        if made.field(key) == value:
            return serialise(made)
    if key in document.metadata or ("metadata" in document.metadata and document.metadata["metadata"] is not None):
        return None
    return _at_end(document, key, value)


def _at_end(document: Document, key: str, value: str) -> bytes | None:
    """The header with a line more at its end, if that changes nothing else in it."""
    text, newline = document.header_text, document.newline
    glue = "" if not text or text.endswith(("\n", "\r")) else newline
    header_text = f"{text}{glue}{key}: {quoted(value)}{newline}"
    whole = serialise(document)[len(document.bom) :]
    decoded = whole.decode(document.encoding, "surrogateescape" if document.encoding == "utf-8" else "strict")
    start = document.header_start
    data = document.bom + encode_text(decoded[:start] + header_text + decoded[start + len(text) :], document.encoding)
    made = parse(data)
    old, new = dict(document.metadata), dict(made.metadata)
    if new.pop(key, None) != value or old != new or made.body != document.body or made.problems[len(document.problems) :]:
        return None
    return data
