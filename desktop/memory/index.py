"""Loading the index: what of MEMORY.md goes into the prompt, what was dropped and why (FM-08…FM-11), and what changed since (C-04).

Owns the report and the warning; limits and selection are `index_limits`. Never writes. By default pinned memories stay first, then the
newest by `modified`, in the order of the file; what does not fit is named. Blocking (reads the file, and note headers only when something
must go), any thread.
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
from desktop.memory.index_limits import IndexLimits, exceeded, select, sizes_of
from desktop.memory.index_text import entries_of, loadable, same_lines
from desktop.memory.note import INDEX_NAME, Note, find_note

__all__ = ["IndexLimits", "LoadedIndex", "bound", "exceeded", "index_delta", "load_index", "sizes_of"]

MAX_FILE = 5 << 20
"""Bytes of an index file that are looked at."""

NAMED = 20
"""Dropped entries that the warning names; the rest is counted."""

TOO_LARGE = f"a file of more than {MAX_FILE >> 20} MiB"
WARNING_MARK = "> [memory index cut]"
State = Literal["missing", "empty", "ok", "error"]


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


def nothing_loaded(path: Path, state: State, *, error: str | None = None, raw: bytes | None = None) -> LoadedIndex:
    """What is reported when no text goes into the prompt."""
    raw_digest = "" if raw is None else digest(raw)
    return LoadedIndex(path, state, "", 0, 0, 0, 0, False, None, (), 0, error, raw_digest)


def load_index(root: Path, limits: IndexLimits | None = None) -> LoadedIndex:
    """Read and bound the index of `root`. Never raises: a read error is a state."""
    path = root / INDEX_NAME
    try:
        raw = read_beneath(root, INDEX_NAME, limit=MAX_FILE + 1)
    except NotFoundError:
        return nothing_loaded(path, "missing")
    except KeepsakeError as error:
        return nothing_loaded(path, "error", error=error.message)
    beyond = len(raw) > MAX_FILE
    text = loadable(decode(raw[:MAX_FILE]).replace("\x00", "\ufffd"))
    if not text and not beyond:
        return nothing_loaded(path, "empty", raw=raw)
    loaded = bound(path, text, limits or IndexLimits(), digest(raw), lambda target: find_note(root, target), beyond=beyond)
    return replace(loaded, whole=not loaded.truncated and same_lines(text, decode(raw)))


def bound(
    path: Path, text: str, limits: IndexLimits, raw_digest: str, find: Callable[[str], Note | None], *, beyond: bool = False
) -> LoadedIndex:
    """Bound a stripped index text.

    Args:
        path: of the index file.
        text: without header and comments (`loadable`).
        limits: what is kept at most.
        raw_digest: of the file's bytes.
        find: gives the note behind a target; asked only when something must go.
        beyond: the file goes on behind the text.
    """
    limit = exceeded(text, limits)
    if beyond:
        limit = f"{limit}, {TOO_LARGE}" if limit else TOO_LARGE
    lines = text.split("\n")
    kept, cut = (list(range(len(lines))), {}) if limit is None else select(lines, text, limits, find)
    shown = [cut.get(number, lines[number]) for number in kept]
    body = "\n".join(shown).strip("\n")
    kept_set = set(kept)
    entries = entries_of(text, header=False)
    dropped = tuple(entry.title or entry.target or "" for entry in entries if entry.line not in kept_set)
    others = sum(1 for n, line in enumerate(lines) if n not in kept_set and line.strip()) - len(dropped)
    if others > 0:
        dropped = (*dropped, f"{others} other line{'s' if others > 1 else ''}")
    if beyond:
        dropped = (*dropped, f"all that lies behind the first {MAX_FILE >> 20} MiB")
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
