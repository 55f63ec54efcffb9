"""Loading the index: what of MEMORY.md goes into the prompt, what was dropped and why (FM-08…FM-11), and what changed since (C-04).

Owns limits, selection and the report. Never writes. By default pinned memories stay first, then the newest by `modified`, in the order of
the file; what does not fit is named. Blocking (reads the file, and note headers only when something must go), any thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Literal

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.textio import decode, digest
from desktop.base.words import estimate_tokens
from desktop.memory.index_keeper import IndexKeeper
from desktop.memory.index_text import Entry, entries_of, loadable
from desktop.memory.note import INDEX_NAME, Note, find_note

__all__ = ["IndexKeeper", "IndexLimits", "LoadedIndex", "index_delta", "load_index"]

MAX_FILE = 5 << 20
"""Bytes of an index file that are looked at."""

NAMED = 20
"""Dropped entries that the warning names; the rest is counted."""

WARNING_MARK = "> [memory index cut]"
State = Literal["missing", "empty", "ok", "error"]


@dataclass(frozen=True, slots=True)
class IndexLimits:
    """Whichever is reached first. `keep`: `newest` (pinned, then newest) or `head` (the first lines of the file)."""

    lines: int = 200
    bytes: int = 25_000
    tokens: int = 8_000
    keep: Literal["newest", "head"] = "newest"


@dataclass(frozen=True, slots=True)
class LoadedIndex:
    """What was loaded.

    Attributes:
        path: the index file.
        state: missing, empty, ok or error.
        text: for the prompt, with the warning at its end when something was left out.
        entries, lines, bytes, tokens: of what was kept, without the warning.
        truncated: something was left out.
        limit: what was exceeded, e.g. "lines, bytes".
        dropped: titles (or “n other lines”) that were left out.
        total_lines: of the whole index after stripping.
        error: why it could not be read.
        raw_digest: of the file's bytes, "" when there is none.
        source: the whole index after stripping, for deltas.
        whole: nothing but blank lines was left out, so whoever saw `text` knows the file.
    """

    path: Path
    state: State
    text: str
    entries: int
    lines: int
    bytes: int
    tokens: int
    truncated: bool
    limit: str | None
    dropped: tuple[str, ...]
    total_lines: int
    error: str | None
    raw_digest: str
    source: str = field(default="", repr=False)
    whole: bool = False

    def report(self) -> dict[str, object]:
        """The load report of `interfaces.md`."""
        return {
            "entries": self.entries,
            "lines": self.lines,
            "bytes": self.bytes,
            "tokens": self.tokens,
            "truncated": self.truncated,
            "dropped": list(self.dropped),
        }


def _nothing(path: Path, state: State, *, error: str | None = None, raw: bytes | None = None) -> LoadedIndex:
    raw_digest = "" if raw is None else digest(raw)
    return LoadedIndex(path, state, "", 0, 0, 0, 0, False, None, (), 0, error, raw_digest)


def load_index(root: Path, limits: IndexLimits | None = None) -> LoadedIndex:
    """Read and bound the index of `root`. Never raises: a read error is a state."""
    path = root / INDEX_NAME
    try:
        raw = read_beneath(root, INDEX_NAME, limit=MAX_FILE)
    except NotFoundError:
        return _nothing(path, "missing")
    except KeepsakeError as error:
        return _nothing(path, "error", error=error.message)
    text = loadable(decode(raw).replace("\x00", "\ufffd"))
    if not text:
        return _nothing(path, "empty", raw=raw)
    loaded = bound(path, text, limits or IndexLimits(), digest(raw), lambda target: find_note(root, target))
    return replace(loaded, whole=not loaded.truncated and _said_lines(text) == _said_lines(decode(raw)))


def _said_lines(text: str) -> list[str]:
    return [line.strip() for line in text.splitlines() if line.strip()]


@dataclass(slots=True)
class _Budget:
    """What may still be kept."""

    lines: int
    bytes: int
    tokens: int

    def takes(self, text: str) -> bool:
        """Take the line if it fits."""
        size, cost = len(text.encode()) + 1, estimate_tokens(text + "\n")
        if self.lines < 1 or size > self.bytes + 1 or cost > self.tokens:
            return False
        self.lines -= 1
        self.bytes -= size
        self.tokens -= cost
        return True


def exceeded(text: str, limits: IndexLimits) -> str | None:
    """Which limits a text is over, or None."""
    sizes = (
        ("lines", text.count("\n") + 1, limits.lines),
        ("bytes", len(text.encode()), limits.bytes),
        ("tokens", estimate_tokens(text), limits.tokens),
    )
    over = [f"{size:,} of {allowed:,} {name}" for name, size, allowed in sizes if size > allowed]
    return ", ".join(over) or None


def bound(path: Path, text: str, limits: IndexLimits, raw_digest: str, find: Callable[[str], Note | None]) -> LoadedIndex:
    """Bound a stripped index text; `find` gives the note behind a target and is asked only when something must go."""
    limit = exceeded(text, limits)
    lines = text.split("\n")
    kept, cut = (list(range(len(lines))), {}) if limit is None else _select(lines, text, limits, find)
    shown = [cut.get(number, lines[number]) for number in kept]
    body = "\n".join(shown).strip("\n")
    kept_set = set(kept)
    entries = entries_of(text)
    dropped = tuple(entry.title or entry.target or "" for entry in entries if entry.line not in kept_set)
    others = sum(1 for n, line in enumerate(lines) if n not in kept_set and line.strip()) - len(dropped)
    if others > 0:
        dropped = (*dropped, f"{others} other line{'s' if others > 1 else ''}")
    warning = _warning(limit, dropped, len(cut)) if limit else ""
    return LoadedIndex(
        path=path,
        state="ok",
        text=f"{body}\n\n{warning}" if warning else body,
        entries=sum(1 for entry in entries if entry.line in kept_set),
        lines=body.count("\n") + 1 if body else 0,
        bytes=len(body.encode()),
        tokens=estimate_tokens(body),
        truncated=limit is not None,
        limit=limit,
        dropped=dropped,
        total_lines=len(lines),
        error=None,
        raw_digest=raw_digest,
        source=text,
    )


def _select(lines: list[str], text: str, limits: IndexLimits, find: Callable[[str], Note | None]) -> tuple[list[int], dict[int, str]]:
    """Numbers of the lines that stay, in order, and the lines among them that were cut in the middle."""
    budget = _Budget(limits.lines, limits.bytes, limits.tokens)
    entries = entries_of(text) if limits.keep == "newest" else []
    entry_lines = {entry.line for entry in entries}
    kept: set[int] = set()
    cut: dict[int, str] = {}
    headings = _Budget(limits.lines // 8, limits.bytes // 8, limits.tokens // 8)
    if entries:
        kept.update(n for n, line in enumerate(lines) if line.startswith("#") and headings.takes(line) and budget.takes(line))
    for entry in _ranked(entries, find):
        line = lines[entry.line]
        if _oversized(line, limits):
            line = cut[entry.line] = _shortened(line, limits)
        if not budget.takes(line):
            cut.pop(entry.line, None)
            break
        kept.add(entry.line)
    for number, line in enumerate(lines):
        if number in kept or number in entry_lines:
            continue
        if budget.takes(line):
            kept.add(number)
            continue
        if budget.lines > 0 and budget.bytes * 4 > limits.bytes * 3 and budget.tokens * 4 > limits.tokens * 3:
            kept.add(number)  # little is kept so far: a long line is cut rather than left out whole
            cut[number] = _hard_cut(line, budget.bytes, budget.tokens)
        break
    return sorted(kept), cut


def _oversized(line: str, limits: IndexLimits) -> bool:
    """A line so long that it would push out all others (content that was put into the index)."""
    return len(line.encode()) * 4 > limits.bytes or estimate_tokens(line) * 4 > limits.tokens


def _shortened(line: str, limits: IndexLimits) -> str:
    return _hard_cut(line, limits.bytes // 4, limits.tokens // 4)


def _ranked(entries: list[Entry], find: Callable[[str], Note | None]) -> list[Entry]:
    """Pinned first, then by `modified`, newest first; entries without a file last, and later lines before earlier ones."""

    def rank(entry: Entry) -> tuple[bool, float, int]:
        note = find(entry.target) if entry.target else None
        return (note.pinned, note.modified.timestamp(), entry.line) if note else (False, float("-inf"), entry.line)

    return sorted(entries, key=rank, reverse=True)


def _hard_cut(line: str, size: int, tokens: int) -> str:
    """The start of a line within both limits, on a character boundary and never inside a link; marked with …"""
    size, tokens = max(size - 4, 1), max(tokens - 1, 1)
    text = line.encode()[:size].decode("utf-8", errors="ignore")
    low, high = 0, len(text)
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if estimate_tokens(text[:middle]) <= tokens else (low, middle - 1)
    text = text[:low]
    opened = text.rfind("[")
    if opened >= 0 and _open_link(text[opened:], line[opened:]):
        text = text[:opened]
    return text.rstrip() + "…"


def _open_link(cut: str, whole: str) -> bool:
    """Whether `cut` ends inside the link with which `whole` begins."""
    closing = whole.find("](")
    end = whole.find(")", closing) if closing > 0 else -1
    return 0 < closing < 1_000 and end >= len(cut) and end - closing < 2_000


def _warning(limit: str, dropped: tuple[str, ...], shortened: int) -> str:
    """What the model and the person read about the cut."""
    named = [title if len(title) <= 60 else title[:59] + "…" for title in dropped[:NAMED]]
    more = f" and {len(dropped) - NAMED} more" if len(dropped) > NAMED else ""
    left_out = f" Left out: {'; '.join(named)}{more}." if named else ""
    cut = f" {shortened} long line{'s were' if shortened > 1 else ' was'} shortened." if shortened else ""
    return (
        f"{WARNING_MARK} The index is over its limit ({limit}), so only a part is shown.{left_out}{cut}"
        " Keep one line an entry, at most 200 characters, and put details into topic files."
    )


def _without_warning(text: str) -> list[str]:
    return [line for line in text.split("\n") if line.strip() and not line.startswith(WARNING_MARK)]


def _by_target(lines: list[str]) -> dict[str, str]:
    """Lines by what they stand for: an entry's target or name, else the line itself."""
    found: dict[str, str] = {}
    for number, line in enumerate(lines):
        entry = entries_of(line)
        key = (entry[0].target or f"[[{entry[0].name}]]") if entry else line.strip()
        found.setdefault(key if key not in found else f"{key}\n{number}", line.strip())
    return found


def index_delta(before: str, after: str, *, max_tokens: int = 1_000) -> str:
    """What changed between two index texts, newest first, one line each: `added: …`, `changed: …`, `removed: …`; "" if nothing did.

    Args:
        before, after: `LoadedIndex.source` (with `text` a line that was only dropped would count as removed).
        max_tokens: bound of the result; what does not fit is counted.
    """
    old, new = _by_target(_without_warning(before)), _by_target(_without_warning(after))
    lines = [f"added: {line}" if key not in old else f"changed: {line}" for key, line in reversed(new.items()) if old.get(key) != line]
    lines += [f"removed: {line}" for key, line in old.items() if key not in new]
    kept: list[str] = []
    room = max_tokens - 20
    for number, line in enumerate(lines):
        line = line if len(line) <= 400 else line[:399] + "…"
        room -= estimate_tokens(line + "\n")
        if room < 0:
            kept.append(f"… and {len(lines) - number} more changed lines; read {INDEX_NAME}.")
            break
        kept.append(line)
    return "\n".join(kept)
