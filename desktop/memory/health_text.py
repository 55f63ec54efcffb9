"""Checks of what a memory's text says: relative dates and links that lead nowhere. And the problem itself, as a value.

Owns where in a text such words count: not in code. Pure, linear, any thread.
"""

from __future__ import annotations

import hashlib
import posixpath
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from pathlib import PurePosixPath
from urllib.parse import unquote

from desktop.base.phrases import say
from desktop.memory.frontmatter import Document
from desktop.memory.index_text import markdown_links, without_code
from desktop.memory.index_zones import zones
from desktop.memory.links import loose_name, loose_names
from desktop.memory.note import INDEX_NAME, Note, one_line
from desktop.memory.relative_dates import LONGEST_LINE, may_hold_dates, relative_dates

DATES_A_FILE = 20
"""Relative dates that are named of one file."""

_OF_A_DAY = re.compile(r"(?<!\d)20\d\d([-_.]?)(?:0[1-9]|1[0-2])\1(?:0[1-9]|[12]\d|3[01])(?!\d)[^/]*\Z")
_DAYS = ("today", "tonight", "this morning", "this afternoon", "this evening", "tomorrow", "yesterday")
_NEAR = frozenset((*_DAYS, "今天", "今日", "今早", "今晚", "今晨", "本日", "明天", "明日", "昨天", "昨日"))
"""Words for a day that the name of a day's notes tells."""


_ADDRESS = re.compile(r"<[a-z][a-z0-9+.-]{1,20}:[^>\n]{1,500}>|\b[a-z][a-z0-9+.-]{1,20}://[^\s)>]+", re.IGNORECASE)
_INDENTED = re.compile(r"(?: {4}|\t)(?!\s*(?:[-*+]|\d{1,9}[.)])\s)")
"""Code by its indentation; a nested point is none."""

_BREAK = re.compile(r"\r\n|\n|\r")
_KEY = re.compile(r"(?<![^\r\n])description[ \t]*:(?=[ \t\r\n]|\Z)")
_DESCRIPTION = re.compile(r"[ \t]*description[ \t]*:[ \t]*[\"']?")
_WIKI = re.compile(r"\[\[([^\[\]|#\n\s$!-][^\[\]|#\n]*)(?:#[^\[\]|\n]*)?(?:\|[^\[\]\n]*)?\]\]")


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing that is wrong.

    Attributes:
        kind: one of `health.KINDS`.
        path: posix path below the root; "" for the root itself.
        line: 1-based; 0 when it is about the whole file.
        message: what is wrong, in a sentence; never holds a secret.
        fix: what to do about it, in a sentence.
        about: what exactly, for those who mend it (a target, a word, another path); never a secret.
        informative: good to know, but nothing has to be done; not counted.
        nth: 0, or which one of several of the same kind about the same in one file.
    """

    kind: str
    path: str
    line: int
    message: str
    fix: str
    about: str = ""
    informative: bool = False
    nth: int = 0

    @property
    def id(self) -> str:
        """Names the problem in its root, 16 hex digits: the same wherever the line moves to, another one when the problem is another."""
        parts = (self.kind, self.path, self.about or str(self.message), *((str(self.nth),) if self.nth else ()))
        return hashlib.sha256("\0".join(parts).encode("utf-8", "replace")).hexdigest()[:16]


def order(problem: Problem) -> tuple[str, int, str, str]:
    return (problem.path, problem.line, problem.kind, problem.message)


def numbered(problems: Iterable[Problem]) -> list[Problem]:
    """The problems in their order, those that would have the same id told apart."""
    seen: dict[tuple[str, str, str], int] = {}
    found = []
    for problem in sorted(problems, key=order):
        key = (problem.kind, problem.path, problem.about or str(problem.message))
        nth = seen[key] = seen.get(key, -1) + 1
        found.append(replace(problem, nth=nth) if nth else problem)
    return found


def content_problems(path: str, prose: Sequence[tuple[int, str]], text: str) -> Iterator[Problem]:
    """Relative dates of a memory's body and description.

    Args:
        path: of the memory.
        prose: its numbered lines of text, see `prose`.
        text: the whole file.
    """
    if may_hold_dates(text) or (prose and may_hold_dates(prose[0][1])):  # a description may be written in escapes
        yield from date_problems(path, prose)


def date_problems(path: str, lines: Iterable[tuple[int, str]]) -> Iterator[Problem]:
    """A problem for each relative date on numbered lines, of the first 20. In the notes of a day, by their name, “today” is that day."""
    found = 0
    of_a_day = _OF_A_DAY.search(path) is not None
    for number, line in lines:
        for word in relative_dates(line):
            if of_a_day and word.casefold() in _NEAR:
                continue
            found += 1
            if found > DATES_A_FILE:
                return
            message = say("“{word}” says another day to everyone who reads it later.", word=word)
            yield Problem("relative-date", path, number, message, say("Write the date instead."), word)


def prose(document: Document, text: str) -> Iterator[tuple[int, str]]:
    """Lines of the body that are text, and the description as one line, at the line of its key."""
    lines = re.split(r"\r\n|\n|\r", text)
    body = re.split(r"\r\n|\n|\r", document.body)
    first = len(lines) - len(body)
    if document.description:
        yield from _described(document, lines[:first])
    for offset, zone in enumerate(zones(body, header=False)):
        if zone == "text" and not _INDENTED.match(body[offset]):
            yield first + offset + 1, body[offset]


def description_line(document: Document) -> int:
    """The line (1-based) of a file at which its description begins; 0 when its place in the header is not known."""
    found = _KEY.search(document.header_text) if document.header is not None and not document.header.broken else None
    return len(_BREAK.findall(document.header_text, 0, found.start())) + 2 if found is not None else 0


def _described(document: Document, head: Sequence[str]) -> Iterator[tuple[int, str]]:
    at = description_line(document)
    if at:
        yield at, one_line(document.description or "", LONGEST_LINE)
        return
    for number, line in enumerate(head, start=1):  # of a header that cannot be read
        if _DESCRIPTION.match(line):
            yield number, _DESCRIPTION.sub("", line).rstrip("\"' ")


@dataclass(slots=True)
class Links:
    """Links that the files of one root hold; judged when all files are known."""

    found: list[tuple[str, int, str, bool]] = field(default_factory=list)

    def add(self, path: str, document: Document) -> None:
        """Take the links out of a file's body: `[[name]]` and links to .md files, none out of code."""
        if "[" not in document.body:
            return
        body = re.split(r"\r\n|\n|\r", document.body)
        first = len(re.split(r"\r\n|\n|\r", document.head.decode(document.encoding, "replace"))) if document.head else 1
        for offset, zone in enumerate(zones(body, header=False)):
            line = body[offset]
            if zone != "text" or "[" not in line or _INDENTED.match(line):
                continue
            plain = _ADDRESS.sub("", without_code(line))
            self.found += [(path, first + offset, match.group(1).strip(), True) for match in _WIKI.finditer(plain)]
            self.found += [(path, first + offset, target, False) for target in markdown_links(plain)]

    def dangling(self, notes: Iterable[Note]) -> Iterator[Problem]:
        """Those that lead to no file of the root."""
        notes = list(notes)
        loose = loose_names(notes) if self.found else {}
        names: set[str] = {INDEX_NAME, PurePosixPath(INDEX_NAME).stem}
        paths: set[str] = {INDEX_NAME}
        for note in notes:
            names |= {note.name, PurePosixPath(note.path).stem, note.path, note.path.removesuffix(".md")}
            paths.add(note.path)
        folded = {name.casefold() for name in names}
        for path, line, target, wiki in self.found:
            if wiki:
                known = target.casefold().removesuffix(".md") in folded or target.casefold() in folded or loose_name(target) in loose
                if not known:
                    message = say("[[{name}]] names a memory that does not exist.", name=one_line(target, 80))
                    yield Problem("dangling-link", path, line, message, say("Correct the name, or write that memory."), target)
            elif not _leads_somewhere(path, target, paths):
                message = say("The link to {target} leads to no memory.", target=one_line(target, 120))
                yield Problem("dangling-link", path, line, message, say("Correct the link, or remove it."), target)


def _leads_somewhere(path: str, target: str, paths: set[str]) -> bool:
    """Whether a link finds a file, seen from its own folder or from the root; what leads out of the root is not ours to judge."""
    plain = unquote(target).replace("\\", "/")
    beside = posixpath.normpath(posixpath.join(posixpath.dirname(path), plain))
    return beside.startswith("..") or beside in paths or posixpath.normpath(plain) in paths
