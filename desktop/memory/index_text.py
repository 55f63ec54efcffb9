"""The lines of an index: which are entries, where each points, and what of the file is loaded at all (FM-06, FM-09).

Owns the reading of index text: entries, link targets, the stripping of a header and of top-level comments. Pure, linear, any thread.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import unquote

from desktop.memory.frontmatter import split

_LINK = re.compile(
    r"\[(?P<title>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]"
    r"\((?:<(?P<angle>[^<>\n]*)>|(?P<spaced>[^()<>\n]{1,300}\.md)(?=[)#])|(?P<plain>(?:[^()\s\\]|\\.|\([^()\s]*\))*))"
)
"""A Markdown link; also with blanks in a plain target, which models write although Markdown does not take it."""

_WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_LIST = re.compile(r"^\s*(?:[-*+]|\d{1,9}[.)])\s+")
_BARE = re.compile(r"(?<![\w./\\-])([\w./-]*[\w-]\.md)(?![\w.-])", re.UNICODE)
_FENCE = re.compile(r"^ {0,3}(`{3,}|~{3,})")
_SCHEME = re.compile(r"^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
MAX_ENTRY = 4_000
"""Characters of a line that are searched for a link."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One line of the index that points at a memory.

    Attributes:
        line: 0-based number in the text it was read from.
        target: posix path below the root, or None for a `[[name]]`.
        name: what stands in `[[name]]`, or None.
        title: the link's text.
    """

    line: int
    target: str | None
    name: str | None
    title: str


def normal_target(target: str) -> str | None:
    """A link target as a path below the root, or None when it leads elsewhere (an address, an anchor, above the root)."""
    text = unquote(re.sub(r"\\(.)", r"\1", target)).split("#", 1)[0].strip().replace("\\", "/")
    if not text or text.startswith("/") or _SCHEME.match(text):
        return None
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            return None
        if part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


def read_entry(line: str, number: int = 0) -> Entry | None:
    """The entry on a list line: a Markdown link to an .md file, a `[[name]]`, or a bare file name; None on any other line."""
    if not _LIST.match(line):
        return None
    head = line[:MAX_ENTRY]
    for match in _LINK.finditer(head):
        target = _link_target(match)
        if target and target.lower().endswith(".md"):
            return Entry(number, target, None, re.sub(r"\\(.)", r"\1", match.group("title")).strip())
    wiki = _WIKI.search(head)
    if wiki:
        return Entry(number, None, wiki.group(1).strip(), (wiki.group(2) or wiki.group(1)).strip())
    bare = _BARE.search(head)
    target = normal_target(bare.group(1)) if bare else None
    return Entry(number, target, None, PurePosixPath(target).stem) if target else None


def links_of(line: str) -> list[tuple[str, str]]:
    """Title and target of every Markdown link to an .md file on a line."""
    found = []
    for match in _LINK.finditer(line[:MAX_ENTRY]):
        target = _link_target(match)
        if target and target.lower().endswith(".md"):
            found.append((match.group("title"), target))
    return found


def without_link(line: str, path: str) -> str:
    """The line with each link to `path` replaced by its title."""

    def plain(match: re.Match[str]) -> str:
        return match.group("title") if _link_target(match) == path else match.group(0)

    return re.sub(_LINK.pattern + r"\)", plain, line) if len(line) <= MAX_ENTRY else line


def _link_target(match: re.Match[str]) -> str | None:
    return normal_target(match.group("angle") or match.group("spaced") or match.group("plain") or "")


def entries_of(text: str) -> list[Entry]:
    """Every entry of an index, in order; lines in code fences are none."""
    found: list[Entry] = []
    fence: str | None = None
    for number, line in enumerate(text.split("\n")):
        fence = _next_fence(fence, line)
        entry = None if fence else read_entry(line, number)
        if entry:
            found.append(entry)
    return found


def open_fence(text: str) -> int | None:
    """The line of a code fence that is never closed, or None. What stands behind it is no entry."""
    fence: str | None = None
    opened: int | None = None
    for number, line in enumerate(text.split("\n")):
        following = _next_fence(fence, line)
        if fence is None and following is not None:
            opened = number
        fence = following
    return opened if fence is not None else None


def _next_fence(fence: str | None, line: str) -> str | None:
    """The open code fence after `line`."""
    match = _FENCE.match(line)
    if not match:
        return fence
    mark = match.group(1)
    if fence is None:
        return mark
    closes = mark[0] == fence[0] and len(mark) >= len(fence) and not line.strip().strip(mark[0])
    return None if closes else fence


def points_at(entry: Entry, path: str, name: str = "") -> bool:
    """Whether an entry stands for the memory at `path` (or of that `name`, for `[[name]]` lines)."""
    if entry.target is not None:
        return entry.target == path
    wanted = (entry.name or "").removesuffix(".md")
    return wanted != "" and wanted in (name, PurePosixPath(path).stem, path.removesuffix(".md"))


def normal_breaks(text: str) -> str:
    """The text with \\n for every line break, without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def strip_header(text: str) -> str:
    bounds = split(text)
    return text[bounds[2] :] if bounds else text


def strip_comments(text: str) -> str:
    """The text without top-level HTML comments. Those in lists, quotes and code stay; one that is never closed stays too."""
    if "<!--" not in text:
        return text
    lines = text.split("\n")
    kept: list[str] = []
    fence: str | None = None
    in_list = unclosed = False
    number = 0
    while number < len(lines):
        line = lines[number]
        fence = _next_fence(fence, line)
        in_list = _still_in_list(line, in_list)
        starts = not fence and re.match(r" {0,3}<!--", line) is not None and not (in_list and line.startswith(" "))
        end = _comment_end(lines, number) if starts and not unclosed else None
        unclosed = unclosed or (starts and end is None)  # then no later one closes either
        if end is None:
            kept.append(line)
            number += 1
            continue
        last, rest = end
        if rest.strip():
            kept.append(rest)
        in_list = False
        number = last + 1
    return "\n".join(kept)


def _still_in_list(line: str, in_list: bool) -> bool:
    if _LIST.match(line):
        return True
    if not line.strip() or line.startswith((" ", "\t")):
        return in_list
    return False


def _comment_end(lines: list[str], first: int) -> tuple[int, str] | None:
    """Line on which the comment that starts on `first` ends, and what follows it there; None when it never ends."""
    for number in range(first, len(lines)):
        line = lines[number]
        start = line.find("<!--") + 4 if number == first else 0
        found = line.find("-->", start)
        if found >= 0:
            return number, line[found + 3 :]
    return None


def loadable(text: str) -> str:
    """What counts of an index file: without header and top-level comments, trimmed (FM-09, order of FM-08)."""
    return strip_comments(strip_header(normal_breaks(text))).strip()
