"""A header that cannot be read, made readable where that needs no judgement: values quoted, the block closed, text moved below it.

Owns the mechanical repairs and the proof that one did nothing else: every value that could be read before is the same, and no word is lost.
What is not repaired so is the person's to mend. Pure, any thread.
"""

from __future__ import annotations

import re

from desktop.memory.frontmatter import Document, decode_text, encode_text, parse, split
from desktop.memory.stamp import quoted

_ENTRY = re.compile(r"^(?P<key>[A-Za-z_][\w-]{0,60})[ \t]*:(?P<gap>[ \t]+|$)(?P<value>.*)$")
_NESTED = re.compile(r"^[ \t]+(?:(?P<key>[A-Za-z_][\w-]{0,60})[ \t]*:(?P<gap>[ \t]+|$)(?P<value>.*)|-[ \t].*|#.*)$")
_LIST = re.compile(r"^[ \t]*-[ \t]+\S")
_POINT = re.compile(r"^(?P<mark>[ \t]*-[ \t]+)(?P<value>\S.*?)[ \t]*$")
_COMMENT = re.compile(r"^[ \t]*(?:#.*)?$")
_OPEN = re.compile(r"---[ \t]*(\r\n|\n|\r)")
MOST_LINES = 400


def repaired_header(data: bytes) -> bytes | None:
    """The file with a header that can be read, or None when no mechanical repair does it."""
    document = parse(data)
    if not document.problems:
        return None
    text, encoding, bom = decode_text(data)
    for made in _candidates(text, document):
        after = bom + encode_text(made, encoding)
        if after != data and _is_better(document, parse(after), text, made):
            return after
    return None


def _candidates(text: str, document: Document) -> list[str]:
    """Repairs, the smallest first."""
    newline = document.newline
    bounds = split(text)
    if bounds is None:
        return _closed(text, newline)
    start, end, body = bounds
    header = text[start:end]
    plain = _with_tabs_gone(header)
    mended = _quoted(plain)
    kept, moved = _parted(mended)
    found = [text[:start] + one + text[end:] for one in dict.fromkeys((plain, mended)) if one != header]
    if moved:
        below = text[body:].removeprefix(newline)
        found.append(f"{text[:start]}{kept}{text[end:body]}{newline}{moved}{newline if below else ''}{below}")
    return found


def _closed(text: str, newline: str) -> list[str]:
    """A header that was opened and never closed: closed behind its last entry; or, where it has none, no header at all."""
    opening = _OPEN.match(text)
    if opening is None:
        return []
    lines = text[opening.end() :].split("\n")
    last = _last_entry(lines)
    if last < 0:
        return [newline + text]  # a rule at the top of a text: behind an empty line it opens nothing
    header = "\n".join(lines[: last + 1])
    rest = "\n".join(lines[last + 1 :])
    header = header if header.endswith("\r") or newline != "\r\n" else header + "\r"
    made = [f"{text[: opening.end()]}{one}\n---{newline}{rest}" for one in dict.fromkeys((header, _quoted(header)))]
    return [one.replace("\r\r\n", "\r\n") for one in made]


def _last_entry(lines: list[str]) -> int:
    """The last line (0-based) of the entries with which a text begins; -1 when there is none."""
    last = -1
    for number, line in enumerate(lines[:MOST_LINES]):
        plain = line.rstrip("\r")
        if _ENTRY.match(plain) or (last >= 0 and (_NESTED.match(plain) or _LIST.match(plain))):
            last = number
        elif not _COMMENT.match(plain) or not plain.strip():
            break
    return last


def _with_tabs_gone(header: str) -> str:
    """Tabs in front of an entry are no indentation in YAML."""
    return re.sub(r"(?m)^\t+", lambda found: "  " * len(found.group()), header)


def _quoted(header: str) -> str:
    """The header with those single-line values quoted that cannot stand as they are."""
    lines = header.split("\n")
    for number, line in enumerate(lines):
        ending = "\r" if line.endswith("\r") else ""
        plain = line.rstrip("\r")
        point = _POINT.match(plain)
        if point is not None:
            if not _reads_well(point["value"]):
                lines[number] = f"{point['mark']}{quoted(_bare(point['value']))}{ending}"
            continue
        found = _ENTRY.match(plain) or _NESTED.match(plain)
        key, value = (found["key"], found["value"].strip()) if found is not None and found["key"] else ("", "")
        if not key or not value or _reads_well(value):
            continue
        head = plain[: plain.index(":") + 1]
        lines[number] = f"{head} {quoted(_bare(value))}{ending}"
    return "\n".join(lines)


def _reads_well(value: str) -> bool:
    made = parse(f"---\nkey: {value}\n---\n".encode("utf-8", "surrogateescape"))
    return not made.problems and made.metadata.get("key") is not None


def _bare(value: str) -> str:
    """A value without the quotes around it."""
    for mark in "\"'":
        if len(value) > 1 and value.startswith(mark) and value.endswith(mark):
            return value[1:-1]
    return value


def _parted(header: str) -> tuple[str, str]:
    """The entries of a header, and the text among them that is none."""
    kept: list[str] = []
    moved: list[str] = []
    lines = header.split("\n")
    for number, line in enumerate(lines):
        plain = line.rstrip("\r")
        entry = _ENTRY.match(plain) or _NESTED.match(plain) or _COMMENT.match(plain)
        if entry or (number == len(lines) - 1 and not plain) or (_LIST.match(plain) and kept):
            kept.append(line)
        else:
            moved.append(line)
    return "\n".join(kept), "\n".join(line.rstrip("\r") for line in moved)


_WORDS = re.compile(r"\w+")


def _is_better(before: Document, after: Document, text: str, made: str) -> bool:
    """Whether nothing is wrong any more, no value changed that could be read, and every word is still there."""
    if len(after.problems) >= len(before.problems) or (after.header is not None and after.header.broken):
        return False
    known = {key: value for key, value in before.metadata.items() if value not in (None, "", {}, [])}
    readable = before.header is not None and not before.header.broken
    if readable and any(after.metadata.get(key) != value for key, value in known.items()):
        return False
    return sorted(_WORDS.findall(text)) == sorted(_WORDS.findall(made))
