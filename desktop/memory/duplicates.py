"""Finding out that something is remembered already: the same text under another name, or the same name in another spelling.

Owns what counts as the same. Reads notes, writes nothing. Blocking, any thread.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache
from pathlib import Path

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.memory.frontmatter import Document, parse
from desktop.memory.note import Note, first_text_line

_STAMP_LINE = re.compile(r"^[ \t]+(?:created|modified|originSessionId|originMessageId|node_type):[^\r\n]*(?:\r\n|\n|\r|\Z)", re.MULTILINE)
MAX_COMPARED = 1 << 20
"""Bytes of a note that are compared; larger ones are never duplicates."""


def folded(text: str) -> str:
    """What a text says, without case, width, blanks and closing punctuation."""
    flat = " ".join(unicodedata.normalize("NFKC", text).casefold().split())
    return re.sub(r"[\s.。!！,，;；:：]+", " ", flat).strip()


def _said(document: Document) -> str:
    return folded(document.body) or folded(document.description or "")


@lru_cache(maxsize=32_768)
def _beginning(hint: str) -> str:
    """Letters and digits with which a text begins: equal texts have equal ones, as far as both go."""
    return "".join(c for c in unicodedata.normalize("NFKC", hint[:60]).casefold() if c.isalnum())[:12]


def _may_say(note: Note, beginning: str) -> bool:
    """Whether a note can hold a text that begins so, by its first line, which is known without reading the file."""
    known = _beginning(note.hint)
    return known.startswith(beginning) or beginning.startswith(known)


def find_duplicate(root: Path, notes: Iterable[Note], text: str) -> str | None:
    """Path of a note that says exactly the same as `text`, or None. An empty text has no duplicates."""
    size = len(text.encode("utf-8", "surrogatepass"))
    document = parse(text.encode("utf-8", "surrogatepass")) if size <= MAX_COMPARED else None
    said = _said(document) if document else ""
    if document is None or not said:
        return None
    beginning = _beginning(first_text_line(document.body) or document.description or "")
    for note in notes:
        if note.size > MAX_COMPARED or note.size * 3 < len(said) or not _may_say(note, beginning):
            continue
        try:
            if _said(parse(read_beneath(root, note.path))) == said:
                return note.path
        except KeepsakeError:
            continue
    return None


def same_meaning(before: bytes, after: bytes) -> bool:
    """Whether two contents of one file differ at most in lines of the stamp; any other difference, a comment too, is one."""
    if before == after:
        return True
    old, new = parse(before), parse(after)
    if old.header is None or new.header is None or old.header.broken or new.header.broken:
        return False
    plain = [_STAMP_LINE.sub("", document.header_text) for document in (old, new)]
    return plain[0] == plain[1] and old.body == new.body and old.bom == new.bom


def _spelling(name: str) -> str:
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", name).casefold())


def twin_of(root: Path, path: str) -> str | None:
    """An existing file whose path differs from `path` only in case or Unicode form: on other disks it would be the same file."""
    place, done = root, ""
    for part in path.split("/"):
        try:
            names = [entry.name for entry in place.iterdir()]
        except OSError:
            return None
        if part in names:
            found = part
        else:
            found = next((name for name in names if _spelling(name) == _spelling(part)), "")
        if not found:
            return None
        done = f"{done}/{found}" if done else found
        place = place / found
    return done if done != path else None
