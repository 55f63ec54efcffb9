"""What one memory file says for itself, as far as the health of its root needs it: its own problems, and what is compared with others.

Owns the reading of one file into a small value that can be kept until the file changes. Knows no other file and no time. Pure but for the
bytes it is given; any thread.
"""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from desktop.base.phrases import say
from desktop.base.redact import find_secrets
from desktop.base.textio import decode, digest
from desktop.memory.contradiction import Claim, Claims, claims_in
from desktop.memory.duplicates import folded
from desktop.memory.frontmatter import NOT_UTF8, Document, parse
from desktop.memory.health_bytes import has_nul
from desktop.memory.health_long import loaded_lines, loaded_tokens, recalled_lines
from desktop.memory.health_overflow import is_topic_index
from desktop.memory.health_text import Links, Problem, content_problems, prose
from desktop.memory.near_duplicates import NOTHING, Sketch, sketch_of
from desktop.memory.note import INDEX_NAME, Note, note_of
from desktop.memory.recall_read import Budget
from desktop.memory.roots import SINGLE_BYTES
from desktop.memory.sections import SECTION_TOKENS
from desktop.memory.staleness import Named, moment_of, names_in

NOTE_BYTES = 32 * 1024
"""A topic above this is too long to be of use as one fact."""

COMPARED_BYTES = 16 * 1024
"""Of a text that is compared with others by its words."""

VERIFIED = "verified"
"""Field of a header: when the person last said that the memory is still true."""

SUPERSEDED_BY = "superseded_by"
"""Field of a header: the name of the memory that holds instead."""

_SUPERSEDED = re.compile(r"\s*> Superseded by \[\[")


@dataclass(frozen=True, slots=True)
class FileLook:
    """One file.

    Attributes:
        path: posix path below the root.
        problems: its own.
        note: what a list shows of it; None for MEMORY.md.
        links: (path, line, target, is `[[name]]`) of each link.
        twin: digest of what it says; "" when it says nothing.
        sketch: its words, to be compared with those of others.
        claims: what it claims.
        named: files, branches and days that it names.
        verified: when it was last confirmed in its own header.
        superseded: it is marked as replaced.
        lists: it is a topic index: what it links to counts as told.
        index: the bytes of an index; None for all others.
        digest: of its bytes.
    """

    path: str
    problems: tuple[Problem, ...]
    digest: str
    note: Note | None = None
    links: tuple[tuple[str, int, str, bool], ...] = ()
    twin: str = ""
    sketch: Sketch = NOTHING
    claims: tuple[Claim, ...] = ()
    named: tuple[Named, ...] = ()
    verified: datetime | None = None
    superseded: bool = False
    lists: bool = False
    index: bytes | None = None

    def as_claims(self) -> Claims | None:
        """What is compared with other memories' claims."""
        note = self.note
        if note is None or self.superseded:
            return None
        return Claims(self.path, note.name, note.modified, note.pinned, note.supersedes, self.superseded, self.claims)


def look_at(path: str, data: bytes, status: os.stat_result, profile: str, budget: Budget | None = None) -> FileLook:
    """Read one file of a root with that profile. Never raises on any bytes.

    Args:
        path: posix path below the root.
        data: its bytes.
        status: of the file.
        profile: of the root.
        budget: what of one memory is recalled at most.
    """
    document = parse(data)
    text = text_of(document)
    index = path == INDEX_NAME and profile == "index"
    lists = is_topic_index(document)
    problems = [*_header_problems(path, document, data), *_secrets(path, text)]
    if path == INDEX_NAME:
        problems += _document_size(path, data, profile)
    elif not lists:
        problems += _memory_size(path, document, text, status.st_size, budget or Budget())
    if index:
        return FileLook(path, tuple(problems), digest(data), index=data)
    lines = list(prose(document, text)) if not lists else []  # what it says are other memories' words
    problems += content_problems(path, lines, text)
    links = Links()
    links.add(path, document)
    found = tuple(links.found)
    if path == INDEX_NAME:
        return FileLook(path, tuple(problems), digest(data), links=found)
    said = folded(document.body)
    superseded = (
        lists or bool(document.field(SUPERSEDED_BY) or document.field("superseded-by")) or _SUPERSEDED.match(document.body) is not None
    )
    comparable = len(document.body) <= COMPARED_BYTES and not superseded
    return FileLook(
        path,
        tuple(problems),
        digest(data),
        note_of(path, document, size=status.st_size, mtime_s=status.st_mtime),
        found,
        digest(said.encode("utf-8", "surrogatepass")) if said else "",
        sketch_of(document.body) if comparable else NOTHING,
        claims_in(lines) if comparable else (),
        () if superseded else names_in(lines),
        moment_of(document.field(VERIFIED) or document.field("last_verified")),
        superseded,
        lists,
    )


def text_of(document: Document) -> str:
    """The whole text of a file, its header too, so that lines count as an editor counts them."""
    if document.bom in (b"\xff\xfe", b"\xfe\xff"):
        return decode(document.head) + document.body
    return document.head.removeprefix(document.bom).decode("utf-8", "replace") + document.body


def _document_size(path: str, data: bytes, profile: str) -> Iterator[Problem]:
    size = len(data)
    if profile == "single" and size > SINGLE_BYTES:
        message = say("The file has {size:,} bytes; only the first {most:,} are loaded.", size=size, most=SINGLE_BYTES)
        fix = say("Open it where the load ends, and shorten it or move details elsewhere.")
        yield Problem("oversize-note", path, loaded_lines(data, SINGLE_BYTES), message, fix, "size")
    if profile == "sections" and size > SECTION_TOKENS // 2:  # a token is two bytes at least
        line, tokens = loaded_tokens(data, SECTION_TOKENS)
        if line:
            message = say("The document has {tokens:,} tokens; only the first {most:,} are loaded.", tokens=tokens, most=SECTION_TOKENS)
            fix = say("Split it into memories of one subject each, or open it where the load ends and shorten it.")
            yield Problem("oversize-note", path, line, message, fix, "size")


def _memory_size(path: str, document: Document, text: str, size: int, budget: Budget) -> Iterator[Problem]:
    """A memory of which a chat that recalls it gets only the head; far beyond that it is a problem, before it is good to know."""
    if size <= min(NOTE_BYTES, budget.size) and document.body.count("\n") < budget.lines:
        return
    line = recalled_lines(document, text, budget)
    fix = say("Split it into memories of one subject each, or open it where its cut is and shorten it.")
    if size > NOTE_BYTES:
        message = say("The memory has {size:,} bytes: only a part of it is ever sent.", size=size)
        yield Problem("oversize-note", path, line, message, fix, "size")
    elif line:
        message = say("The memory has {size:,} bytes: a chat that recalls it gets what stands above line {line:,}.", size=size, line=line)
        yield Problem("oversize-note", path, line, message, fix, "size", informative=True)


def _header_problems(path: str, document: Document, data: bytes) -> Iterator[Problem]:
    """What the reader of the header says; a byte that is no text is the file's fault, not the header's."""
    if has_nul(data) and document.encoding == "utf-8":
        line = data[: data.index(b"\x00")].count(b"\n") + 1
        fix = say("Write the file anew, or restore an earlier version.")
        yield Problem("unreadable", path, line, say("It holds NUL bytes, as a crash leaves them."), fix, "nul")
    opened = document.header is not None or document.body.startswith("---")
    header_end = document.header_text.count("\n") + 2 if document.header is not None else 1
    for line, text in document.problems:
        if opened and line <= header_end and text != NOT_UTF8:
            message = say("The header is not read as it stands: {problem}.", problem=text)
            whole = document.header is not None and not document.header.problems and _is_named(document)  # only its type is not ours
            yield Problem("broken-header", path, line, message, say("Correct that line between the --- marks."), text, informative=whole)
        else:
            message = say("A part of the text cannot be shown: {problem}.", problem=text)
            yield Problem("unreadable", path, line, message, say("Save the file as UTF-8."), "encoding")


def _is_named(document: Document) -> bool:
    """Whether name and description are texts, where they are there."""
    return not any(isinstance(document.metadata.get(key), (dict, list)) for key in ("name", "description"))


def _secrets(path: str, text: str) -> Iterator[Problem]:
    for number, hit in enumerate(find_secrets(text)):
        line = text.count("\n", 0, hit.start) + 1
        message = say("It holds what looks like a secret ({kind}).", kind=hit.kind)
        fix = say("Remove it here, and change it where it is used; note only where it is kept.")
        yield Problem("secret", path, line, message, fix, f"{number}:{hit.kind}")
