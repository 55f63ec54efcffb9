"""A day in place of a relative word: in a memory's body, in the description of its header whatever YAML writes it as, and in index lines.

Owns where on a line the words are, from which day they are counted, and the proof that nothing else changes. Reads through the draft,
writes nothing. Blocking where the draft reads.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime

from desktop.memory.absolute_dates import make_absolute
from desktop.memory.frontmatter import Document, encode_text, parse
from desktop.memory.health_draft import Draft
from desktop.memory.health_index import dated_lines, lines_of_notes
from desktop.memory.health_text import description_line, prose
from desktop.memory.index_text import entries_of
from desktop.memory.note import INDEX_NAME
from desktop.memory.relative_dates import relative_dates
from desktop.memory.stamp import quoted
from desktop.memory.yaml_header import read_header

_BREAK = re.compile(r"(\r\n|\n|\r)")
_LEAD = re.compile(r"[ \t]*(?:[|>][-+0-9]*[ \t]*$|[\"'])?")


def words_on(draft: Draft, path: str, number: int) -> list[str]:
    """The relative words on one line (1-based): of a memory's text, of its description, of an index entry."""
    if _is_index(draft, path):
        line = dict(dated_lines(draft.root, draft.text(path), draft.notes)).get(number)
    else:
        line = dict(prose(parse(draft.read(path) or b""), draft.text(path))).get(number)
    return list(relative_dates(line)) if line is not None else []


def dated(draft: Draft, path: str, number: int, *, alone: bool = False) -> bytes | None:
    """The file with every relative word of a line made a day; None when none of them has one, or the day to count from is not known.

    In a file that does not say itself when it was written, the words of all other lines go with them: the change makes it a young file,
    and they would be counted from a wrong day later. `alone`: not even then, to see whether it can be done.
    """
    if not words_on(draft, path, number):
        return None
    if _is_index(draft, path):
        return _dated_entry(draft, number)
    written = draft.written(path)
    data = draft.read(path)
    if written is None or data is None:
        return None
    said = written.astimezone()
    made = _dated_line(data, number, said)
    if made is None or made == data:
        return None
    others = () if alone or draft.dates_itself(path) else prose(parse(data), draft.text(path))
    for at in [at for at, line in others if at != number and next(relative_dates(line), None) is not None]:
        made = _dated_line(made, at, said) or made
    return made


def _is_index(draft: Draft, path: str) -> bool:
    return path == INDEX_NAME and draft.profile == "index"


def _dated_line(data: bytes, number: int, said: datetime) -> bytes | None:
    document = parse(data)
    if document.header is not None and number == description_line(document):
        return _dated_description(data, document, said)
    text = _text(document)
    lines = _BREAK.split(text)
    at = (number - 1) * 2
    if at >= len(lines):
        return None
    lines[at] = make_absolute(lines[at], said).text
    return _encoded(document, "".join(lines))


def _text(document: Document) -> str:
    head = document.head.removeprefix(document.bom)
    return head.decode(document.encoding, "surrogateescape" if document.encoding == "utf-8" else "replace") + document.body


def _encoded(document: Document, text: str) -> bytes:
    return document.bom + encode_text(text, document.encoding)


# the description


def _dated_description(data: bytes, document: Document, said: datetime) -> bytes | None:
    """The smallest edit of the value that makes it say the days, and nothing else in the file another thing."""
    wanted = make_absolute(document.description or "", said).text
    span = read_header(document.header_text, spans=True).spans.get("description")
    if span is None or wanted == document.description:
        return None
    text, start = _text(document), document.header_start
    for value in _values(document.header_text[span.start : span.end], wanted, said):
        made = _encoded(document, f"{text[: start + span.start]}{value}{text[start + span.end :]}")
        if _says_only(parse(made), document, wanted):
            return made
    return None


def _values(raw: str, wanted: str, said: datetime) -> Iterator[str]:
    """The value with its own quotes and breaks; or, where that does not say it, as one quoted line."""
    lines = _BREAK.split(raw)
    for at in range(0, len(lines), 2):
        lead = _LEAD.match(lines[at])
        head = lead.end() if lead is not None else 0
        lines[at] = lines[at][:head] + make_absolute(lines[at][head:], said).text
    yield "".join(lines)
    if raw.startswith("'"):
        yield "'" + wanted.replace("'", "''") + "'" + raw[raw.rindex("'") + 1 :]
    trailing = re.search(r"(?:\r\n|\n|\r)?\Z", raw)
    yield quoted(wanted) + (trailing.group() if trailing is not None else "")


def _says_only(made: Document, before: Document, wanted: str) -> bool:
    if (made.description, made.body, len(made.problems)) != (wanted, before.body, len(before.problems)):
        return False
    old, new = ({key: value for key, value in one.metadata.items() if key != "description"} for one in (before, made))
    return old == new


# an index line


def _dated_entry(draft: Draft, number: int) -> bytes | None:
    """What an entry says behind its link, counted from when the memory that it stands for was last changed."""
    text = draft.text(INDEX_NAME)
    lines = text.split("\n")
    entries = entries_of(text)
    path = next((path for path, at in lines_of_notes(entries, draft.notes).items() if at == number - 1), None)
    written = draft.written(path) if path is not None else None
    said = dict(dated_lines(draft.root, text, draft.notes)).get(number)
    if written is None or said is None:
        return None
    line = lines[number - 1]
    made = make_absolute(said, written.astimezone()).text
    if made == said or not line.rstrip("\r").endswith(said):
        return None
    ending = line[len(line.rstrip("\r")) :]
    lines[number - 1] = line.rstrip("\r").removesuffix(said) + made + ending
    return _encoded(parse(draft.read(INDEX_NAME) or b""), "\n".join(lines))
