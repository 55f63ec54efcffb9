"""The origin stamp (ST-25): when and where a memory was written, put into the nested `metadata` of its header, and nothing else touched.

Owns the byte-exact edits of a header and the header of a new note. A file without a header, with a broken one, or whose `metadata` is not
a mapping gets no stamp: its times live in the journal. Pure.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence

from desktop.memory.frontmatter import Document, decode_text, encode_text, parse, serialise
from desktop.memory.yaml_header import Span, plain_value, read_header

_PLAIN = re.compile(r"[A-Za-z0-9_][A-Za-z0-9_./+-]*(?: [A-Za-z0-9_./+-]+)*")
_TIME = re.compile(r"\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z")
_YAML_WORDS = re.compile(r"(?i:null|true|false|yes|no|on|off|y|n|\.nan|[-+]?\.inf)")


def quoted(value: str) -> str:
    """`value` as a YAML scalar on one line: plain where every reader takes it for text, else in double quotes."""
    if _TIME.fullmatch(value):
        return value
    if _PLAIN.fullmatch(value) and not _YAML_WORDS.fullmatch(value) and not value[0].isdigit() and isinstance(plain_value(value), str):
        return value
    return json.dumps(value, ensure_ascii=False).replace("\x85", "\\N").replace("\u2028", "\\L").replace("\u2029", "\\P")


Value = str | bool | Sequence[str]
"""What an entry of the nested `metadata` may hold; a sequence becomes a list on one line."""


def _scalar(value: Value) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return quoted(value) if isinstance(value, str) else f"[{', '.join(_item(one) for one in value)}]"


def _item(value: str) -> str:
    """A word of a list on one line: quoted where a comma or bracket would end it."""
    plain = quoted(value)
    return plain if plain.startswith('"') or not re.search(r"[\[\]{},]", plain) else json.dumps(value, ensure_ascii=False)


def _replaced(text: str, span: Span, value: Value) -> str | None:
    """The header with one value on one line replaced, or None when it is no such value."""
    old = text[span.start : span.end]
    if "\n" in old or "\r" in old or (span.text is None and not (old.startswith("[") and old.endswith("]"))):
        return None
    return f"{text[: span.start]}{_scalar(value)}{text[span.end :]}"


def _inserted(text: str, document: Document, entries: list[tuple[str, Value]]) -> str | None:
    """The header with new entries in `metadata`: in front of the first one of a block or of a `{…}`."""
    header = read_header(text, spans=True)
    span = header.spans.get("metadata")
    if span is None or span.text is not None:
        return None
    if not span.block:
        if text[span.start : span.start + 1] != "{":
            return None
        rest = text[span.start + 1 :]
        joined = ", ".join(f"{key}: {_scalar(value)}" for key, value in entries)
        comma = "" if rest.lstrip().startswith("}") else "," if rest[:1].isspace() else ", "
        return f"{text[: span.start + 1]}{joined}{comma}{rest}"
    first = min((s.key_start for name, s in header.spans.items() if name.startswith("metadata.")), default=None)
    if first is None:
        return None
    line_start = max(text.rfind("\n", 0, first), text.rfind("\r", 0, first)) + 1
    indent = text[line_start:first]
    if indent.strip(" "):
        return None
    added = "".join(f"{indent}{key}: {_scalar(value)}{document.newline}" for key, value in entries)
    return text[:line_start] + added + text[line_start:]


def with_metadata(document: Document, values: Mapping[str, Value]) -> Document:
    """The document with these entries set in its nested `metadata`; the same document when that cannot be done without doubt.

    A list that is there already is replaced by a list only when it stands on one line; one of several lines stays as it is.
    """
    nested = document.metadata.get("metadata")
    if document.header is None or document.header.broken or not isinstance(nested, dict) or document.header.problems:
        return document
    current = document
    for key, value in values.items():
        listed = isinstance(nested.get(key), list) and not isinstance(value, (str, bool))
        if key in nested and (listed or not isinstance(nested.get(key), (dict, list))):
            span = read_header(current.header_text, spans=True).spans.get(f"metadata.{key}")
            text = _replaced(current.header_text, span, value) if span else None
            current = _with_header(current, text)
    missing = [(key, value) for key, value in values.items() if key not in nested]
    if missing:
        current = _with_header(current, _inserted(current.header_text, current, missing))
    return current if _only_changed(document, current, values) else document


def _with_header(document: Document, header_text: str | None) -> Document:
    if header_text is None:
        return document
    text = decode_text(serialise(document))[0]
    start = document.header_start
    changed = text[:start] + header_text + text[start + len(document.header_text) :]
    return parse(document.bom + encode_text(changed, document.encoding))


def with_top(document: Document, key: str, value: str) -> Document:
    """The document with the text of a field at the top of its header replaced; the same document when it is no text on one line."""
    if document.header is None or document.header.broken:
        return document
    span = read_header(document.header_text, spans=True).spans.get(key)
    changed = _with_header(document, _replaced(document.header_text, span, value) if span and span.text is not None else None)
    before, after = dict(document.metadata), dict(changed.metadata)
    before.pop(key, None)
    exact = after.pop(key, None) == value and before == after and changed.body == document.body
    return changed if exact else document


def _only_changed(before: Document, after: Document, values: Mapping[str, Value]) -> bool:
    """Whether nothing but the wanted entries differs: the proof that an edit did what it should."""
    old, new = dict(before.metadata), dict(after.metadata)
    old_nested, new_nested = old.pop("metadata", None), new.pop("metadata", None)
    if old != new or before.body != after.body or not isinstance(old_nested, dict) or not isinstance(new_nested, dict):
        return False
    wanted = {key: value if isinstance(value, (str, bool)) else list(value) for key, value in values.items()}
    if any(new_nested.get(key) not in (value, old_nested.get(key, value)) for key, value in wanted.items()):
        return False
    untouched = {k: v for k, v in old_nested.items() if k not in values}
    return untouched == {k: v for k, v in new_nested.items() if k not in values} and not after.problems[len(before.problems) :]


def stamped(document: Document, *, now: str, session_id: str, message_id: str, previous: Document | None) -> Document:
    """The document with its origin stamp.

    Args:
        document: what is about to be written.
        now: ISO time of the write.
        session_id, message_id: origin; "" for the person's own writing.
        previous: what stood there before; its `created` and origin are kept when the new text lacks them. None: a new file.
    """
    if not isinstance(document.metadata.get("metadata"), dict):
        return document
    values: dict[str, Value] = {}
    if document.field("node_type") is None:
        values["node_type"] = "memory"
    for key, fresh in (("created", now), ("originSessionId", session_id), ("originMessageId", message_id)):
        if document.field(key) is not None:
            continue
        kept = previous.field(key) if previous else None
        new_origin = key == "created" if previous is None else False
        if isinstance(kept, str):
            values[key] = kept
        elif fresh and (new_origin or (key != "created" and _lacks_origin(document, previous))):
            values[key] = fresh
    values["modified"] = now
    return with_metadata(document, values)


def _lacks_origin(document: Document, previous: Document | None) -> bool:
    """The origin is added once: session and message come from the same write or not at all."""
    return document.field("originSessionId") is None and (previous is None or previous.field("originSessionId") is None)


def compose_note(*, name: str, description: str, kind: str | None, body: str, extra: Mapping[str, str] | None = None) -> str:
    """The text of a new note with a header in the standard form; the stamp is added by the store."""
    lines = ["---", f"name: {quoted(name)}", f"description: {quoted(description)}", "metadata:"]
    lines += [f"  {key}: {quoted(value)}" for key, value in (extra or {}).items()]
    lines.append(f"  type: {kind}" if kind else "  node_type: memory")
    return "\n".join([*lines, "---", "", body.strip("\n"), ""])
