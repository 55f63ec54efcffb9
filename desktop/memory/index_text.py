"""The lines of an index: which are entries, where each points, and what of the file is loaded at all (FM-06, FM-09).

Owns the reading of index text: entries, their links, and what belongs to each; which lines are text at all is `index_zones`. Pure,
linear, any thread.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from urllib.parse import quote, unquote

from desktop.memory.index_zones import LIST_MARK, Fence, strip_comments, strip_header, zones

_LINK = re.compile(
    r"\[(?P<title>(?:[^\[\]\\]|\\.|\[[^\[\]]*\])*)\]"
    r"\((?:<(?P<angle>[^<>\n]*)>|(?P<spaced>[^()<>\n]{1,300}\.md)(?=[)#])|(?P<plain>(?:[^()\s\\]|\\.|\([^()\s]*\))*))"
)
"""A Markdown link; also with blanks in a plain target, which models write although Markdown does not take it."""

_WIKI = re.compile(r"\[\[([^\[\]|\n]+)(?:\|([^\[\]\n]+))?\]\]")
_BARE = re.compile(r"(?<![\w./\\-])([\w./-]*[\w-]\.md)(?![\w.-])", re.UNICODE)
_BEFORE_NAME = re.compile(r"\s*(?:[-*+]|\d{1,9}[.)])\s+(?:\[[ xX]\]\s+)?[*_`\"'“”‘<(]{0,4}")
"""What may stand before a bare file name that a list line is about."""

_HOOK = re.compile(r"[*_]{0,3}(?:\s*[:：]|\s+(?:[—–]{1,2}|-{1,2}))\s+(?!\[|[-*+]\s+\[)\S")
"""What introduces the words about a memory behind its link; a further link in that place is one more memory."""

_MEANS_MORE = re.compile(r"[#<>\\\x00-\x1f\x7f]|^[a-z][a-z0-9+.-]*:", re.IGNORECASE)
"""What of a path is no plain letter in a link's target: an anchor, a bracket, an escape, a control character, an address."""

_LEAD = 60
"""Columns of words before a link from which on a point says something itself, and the link only refers (“… See [x](x.md)”)."""

_LED = re.compile(r"^\s*(?:#{1,6}\s+)?[*_]{0,3}(?=\[)")
"""Before a link with which a line begins: a heading's or an emphasis' marks at most."""

_PLAIN_LINE = re.compile(r"(?:[-*+]|\d{1,9}[.)])\s|#{1,6}(?:\s|$)|[|>]|`{3}|~{3}|<!--|(?:[-*_]\s*){3,}$")
"""What ends a paragraph without a blank line."""

_WITH_ANCHOR = re.compile(r"(.*?\.md)(?=#|\s*$)", re.IGNORECASE)
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
        mention: the line only speaks of the file somewhere in its text, without a link: it gets no second line, and none goes for it.
        late: words of its own stand before the link: the line says something, and only loses the link when the file goes.
        bare: the file is named without a link.
    """

    line: int
    target: str | None
    name: str | None
    title: str
    mention: bool = False
    late: bool = False
    bare: bool = False


def split_anchor(target: str) -> tuple[str, str]:
    """A link target as it is written, and its anchor with the #; a # within the name of an .md file (`C#.md`) begins none."""
    match = _WITH_ANCHOR.match(target)
    if match:
        return match.group(1), target[match.end() :]
    path, mark, anchor = target.partition("#")
    return path, mark + anchor


def normal_target(target: str) -> str | None:
    """A link target as a path below the root, or None when it leads elsewhere (an address, an anchor, above the root)."""
    written = split_anchor(re.sub(r"\\(.)", r"\1", target))[0].strip().replace("\\", "/")
    text = unquote(written)
    if not text or text.startswith("/") or _SCHEME.match(written):
        return None
    parts: list[str] = []
    for part in text.split("/"):
        if part == "..":
            return None
        if part not in ("", "."):
            parts.append(part)
    return "/".join(parts) or None


def read_entry(line: str, number: int = 0) -> Entry | None:
    """The entry on a line, or None.

    A list line is one by a Markdown link to an .md file, a `[[name]]` or a bare file name anywhere in it; a table row by a link in it; any
    other line only by a link with which it begins: prose that mentions a file is none.
    """
    head = line[:MAX_ENTRY]
    if not LIST_MARK.match(head):
        return _unlisted_entry(head, number)
    entry = _first_link(head, 0, number)
    if entry:
        return entry
    wiki = _WIKI.search(head)
    if wiki:
        return Entry(number, None, wiki.group(1).strip(), (wiki.group(2) or wiki.group(1)).strip())
    bare = _BARE.search(head)
    target = normal_target(bare.group(1)) if bare else None
    if not bare or not target:
        return None
    return Entry(number, target, None, PurePosixPath(target).stem, not _BEFORE_NAME.fullmatch(head, 0, bare.start()), bare=True)


def _first_link(head: str, start: int, number: int) -> Entry | None:
    for match in _LINK.finditer(head, start):
        target = _link_target(match)
        if target and target.lower().endswith(".md"):
            late = not head.lstrip().startswith("|") and _columns(head[: match.start()].strip()) > _LEAD
            return Entry(number, target, None, re.sub(r"\\(.)", r"\1", match.group("title")).strip(), late=late)
    return None


def _columns(text: str) -> int:
    """How wide a text is: a Chinese, Japanese or Korean character says as much as two letters."""
    return len(text) + sum(1 for character in text if character >= "\u2e80")


def _unlisted_entry(head: str, number: int) -> Entry | None:
    """The entry of a table row, or of a line that begins with its link."""
    if head.lstrip().startswith("|"):
        return _first_link(head, 0, number)
    led = _LED.match(head)
    if not led:
        return None
    match = _LINK.match(head, led.end())
    target = _link_target(match) if match else None
    if match and target and target.lower().endswith(".md"):
        return Entry(number, target, None, re.sub(r"\\(.)", r"\1", match.group("title")).strip())
    wiki = _WIKI.match(head, led.end())
    return Entry(number, None, wiki.group(1).strip(), (wiki.group(2) or wiki.group(1)).strip()) if wiki else None


def links_of(line: str) -> list[tuple[str, str]]:
    """Title and target of every Markdown link to an .md file on a line."""
    found = []
    for match in _LINK.finditer(line[:MAX_ENTRY]):
        target = _link_target(match)
        if target and target.lower().endswith(".md"):
            found.append((match.group("title"), target))
    return found


def subjects_of(line: str) -> list[str]:
    """Targets that a line is about: its links, without those in the words that a dash or a colon behind the first link introduces."""
    end = link_end(line)
    said = _HOOK.match(line, end) if end is not None else None
    return [target for _title, target in links_of(line[:end] if said else line)]


def markdown_links(line: str) -> list[str]:
    """Every Markdown link's target as it is written, without its anchor, that could be a file of memory: .md only, no address."""
    found = []
    for match in _LINK.finditer(line[:MAX_ENTRY]):
        written = match.group("angle") or match.group("spaced") or match.group("plain") or ""
        target = split_anchor(re.sub(r"\\(.)", r"\1", written))[0].strip()
        if target.lower().endswith(".md") and not target.startswith("/") and not _SCHEME.match(target):
            found.append(target)
    return found


def without_code(line: str) -> str:
    """The line with its code spans blanked out, so that what stands in them is neither link nor word."""
    runs = list(re.finditer(r"`+", line))
    parts, position, number = [], 0, 0
    while number < len(runs):
        size = len(runs[number].group())
        closing = next((n for n in range(number + 1, len(runs)) if len(runs[n].group()) == size), None)
        if closing is None:
            number += 1
            continue
        start, end = runs[number].start(), runs[closing].end()
        parts += [line[position:start], " " * (end - start)]
        position, number = end, closing + 1
    return "".join(parts) + line[position:]


def without_link(line: str, path: str) -> str:
    """The line with each link to `path` replaced by its title."""

    def plain(match: re.Match[str]) -> str:
        return match.group("title") if _link_target(match) == path else match.group(0)

    return re.sub(_LINK.pattern + r"\)", plain, line) if len(line) <= MAX_ENTRY else line


def link_end(line: str) -> int | None:
    """Where the link, `[[name]]` or bare file name of an entry ends that makes the line one; None when it is none."""
    head = line[:MAX_ENTRY]
    entry = read_entry(head)
    if entry is None:
        return None
    if entry.name is not None:
        wiki = _WIKI.search(head)
        return wiki.end() if wiki else None
    for match in _LINK.finditer(head):
        if _link_target(match) == entry.target:
            closing = re.compile(r"(?:\s+\"[^\"]*\")?\s*\)").match(head, match.end())
            hash_end = re.compile(r"#[^()\s]*\)").match(head, match.end())
            found = closing or hash_end
            return found.end() if found else match.end()
    bare = _BARE.search(head)
    return bare.end() if bare else None


def relinked(line: str, old: str, new: str) -> str:
    """The line with its first link to `old` led to `new` (both paths below the root); an anchor stays."""
    for match in _LINK.finditer(line[:MAX_ENTRY]):
        if _link_target(match) != old:
            continue
        group = next(name for name in ("angle", "spaced", "plain") if match.group(name))
        anchor = split_anchor(match.group(group))[1]
        outside = re.match(r"#[^()\s]*", line[match.end() :])
        start, end = match.start(group) - (group == "angle"), match.end() + (len(outside.group()) if outside else 0)
        return line[:start] + link_form(new, outside.group() if outside else anchor) + line[end:]
    return line.replace(old, new, 1)


def link_form(path: str, anchor: str = "") -> str:
    """A path as the target of a Markdown link, written so that it leads to that path again: what means something else there is encoded."""
    shown = path
    if _MEANS_MORE.search(path) or unquote(path) != path or path != path.strip():
        shown = re.sub(r"[%#<>\\:\x00-\x1f\x7f]|^\s|\s$", lambda match: quote(match.group()), path)
    shown += anchor
    return f"<{shown}>" if re.search(r"[\s()<>]", shown) else shown


def _link_target(match: re.Match[str]) -> str | None:
    return normal_target(match.group("angle") or match.group("spaced") or match.group("plain") or "")


def entries_of(text: str, *, header: bool = True) -> list[Entry]:
    """Every entry of an index, in order; lines in code, in comments and in a header are none.

    Args:
        text: with whatever line breaks the file has.
        header: a header at the start is looked for; not in a text that was stripped of it.
    """
    lines = text.split("\n")
    found: list[Entry] = []
    for number, zone in enumerate(zones(lines, header=header)):
        entry = read_entry(lines[number], number) if zone == "text" else None
        if entry:
            found.append(entry)
    return found


def item_end(lines: Sequence[str], first: int, entry_lines: frozenset[int]) -> int:
    """The last line of what belongs to the entry on `first` alone.

    That is its indented text, also behind blank lines, up to the next entry; not code that is never closed, which may be anybody's.
    """
    last = number = before_code = first
    fence = Fence()
    while number + 1 < len(lines):
        number += 1
        if not lines[number].strip():
            continue
        if lines[number][:1] not in (" ", "\t") or number in entry_lines:
            break
        if number > last + 1 and not re.match(r"(?: {2}|\t)", lines[number]):
            break  # behind a blank line only what is indented like the item's text
        if fence.open and not lines[number].startswith(("  ", "\t")):
            break
        before_code = before_code if fence.open else last
        fence.takes(lines[number], in_list=True)
        last = number
    return before_code if fence.open else last


def paragraph_goes_on(line: str) -> bool:
    """Whether a line that follows a line of text without a blank one between continues its paragraph."""
    return bool(line.strip()) and not _PLAIN_LINE.match(line.lstrip())


def points_at(entry: Entry, path: str, name: str = "") -> bool:
    """Whether an entry stands for the memory at `path` (or of that `name`, for `[[name]]` lines)."""
    if entry.target is not None:
        return entry.target == path
    wanted = (entry.name or "").removesuffix(".md")
    return wanted != "" and wanted in (name, PurePosixPath(path).stem, path.removesuffix(".md"))


def normal_breaks(text: str) -> str:
    """The text with \\n for every line break, without a byte order mark."""
    return text.removeprefix("\ufeff").replace("\r\n", "\n").replace("\r", "\n")


def loadable(text: str) -> str:
    """What counts of an index file: without header and top-level comments, trimmed (FM-09, order of FM-08)."""
    return strip_comments(strip_header(normal_breaks(text))).strip()


def same_lines(shown: str, stored: str) -> bool:
    """Whether two texts say the same: blank lines, line breaks and the blanks around a line say nothing (CH-15, W-45).

    This alone decides whether a loaded index was a partial view of its file: meaning, never bytes.
    """
    return _said_lines(shown) == _said_lines(stored)


def _said_lines(text: str) -> list[str]:
    return [line.strip() for line in text.removeprefix("\ufeff").splitlines() if line.strip()]
