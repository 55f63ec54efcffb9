"""Loading the roots whose MEMORY.md is no index: the person's own memory (a document with topics beside it) and the workspace file.

Owns what of them goes into the prompt, and the report about it in the form of `LoadedIndex`. Never writes, never raises; reading is
bounded. Blocking, any thread.
"""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from pathlib import Path

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError, NotFoundError
from desktop.base.textio import decode, digest
from desktop.base.words import estimate_tokens
from desktop.memory.frontmatter import parse
from desktop.memory.index import NAMED, WARNING_MARK, LoadedIndex, nothing_loaded
from desktop.memory.index_limits import hard_cut
from desktop.memory.index_text import loadable, normal_breaks, same_lines
from desktop.memory.note import INDEX_NAME, Note, list_notes, one_line

SINGLE_BYTES = 32 * 1024
SECTION_TOKENS = 6_000
MAX_FILE = 5 << 20
"""Bytes of a file that are looked at."""

SHARE = 4
"""A topic has at most this part (a quarter) of the budget, so that one long topic does not push out all others."""


@dataclass(slots=True)
class _Parts:
    """What is loaded so far."""

    tokens: int
    shown: list[str] = field(default_factory=list)
    source: list[str] = field(default_factory=list)
    dropped: list[str] = field(default_factory=list)
    topics: int = 0

    def takes(self, text: str) -> bool:
        cost = estimate_tokens(text + "\n\n")
        if cost > self.tokens:
            return False
        self.tokens -= cost
        self.shown.append(text)
        return True


def load_sections(folder: Path, tokens: int = SECTION_TOKENS) -> LoadedIndex:
    """MEMORY.md whole, then the topics, pinned ones first, then the newest, within `tokens`; what has no room is named.

    Args:
        folder: the root; need not exist.
        tokens: estimated tokens of the text, warning aside.
    """
    path = folder / INDEX_NAME
    raw, error = _read(folder, INDEX_NAME)
    parts = _Parts(tokens)
    document = loadable(decode(raw).replace("\x00", "\ufffd")) if raw is not None else ""
    whole = _add_document(parts, document) and raw is not None and same_lines(document, decode(raw))
    if error:
        parts.dropped.append(f"{INDEX_NAME} ({error})")
    notes = sorted(list_notes(folder), key=lambda note: not note.pinned)  # stable: the newest stay first among their like
    for note in notes:
        _add_topic(parts, folder, note)
    if not parts.shown and not parts.dropped:
        return nothing_loaded(path, "empty" if raw is not None or notes else "missing", raw=raw)
    if not parts.shown:
        return nothing_loaded(path, "error", error=error or parts.dropped[0], raw=raw)
    body = "\n\n".join(parts.shown)
    limit = f"{estimate_tokens(chr(10).join(parts.source)):,} of {tokens:,} tokens" if parts.dropped else None
    return _loaded(path, body, parts, limit, error, "" if raw is None else digest(raw), whole)


def _loaded(path: Path, body: str, parts: _Parts, limit: str | None, error: str | None, raw_digest: str, whole: bool) -> LoadedIndex:
    source = "\n\n".join(parts.source)
    return LoadedIndex(
        path=path,
        state="ok",
        text=f"{body}\n\n{_warning(parts.dropped)}" if limit else body,
        entries=parts.topics,
        lines=body.count("\n") + 1,
        bytes=len(body.encode("utf-8", "replace")),
        tokens=estimate_tokens(body),
        truncated=limit is not None,
        limit=limit,
        dropped=tuple(parts.dropped),
        total_lines=source.count("\n") + 1,
        error=error,
        raw_digest=raw_digest,
        source=source,
        whole=whole,
    )


def _read(folder: Path, relative: str) -> tuple[bytes | None, str | None]:
    """The bytes of a file, bounded; or why it cannot be read, None when it is only missing."""
    try:
        return read_beneath(folder, relative, limit=MAX_FILE), None
    except NotFoundError:
        return None, None
    except KeepsakeError as error:
        return None, error.message


def _add_document(parts: _Parts, text: str) -> bool:
    """Take MEMORY.md; whether all of it was."""
    if not text:
        return True
    parts.source.append(text)
    if parts.takes(text):
        return True
    cut = _head(text, parts.tokens)
    if parts.takes(cut):
        left = text.count("\n") - cut.count("\n")
        parts.dropped.append(f"{INDEX_NAME}: {left:,} lines at its end" if left else f"{INDEX_NAME}: the end of its line")
    return False


def _add_topic(parts: _Parts, folder: Path, note: Note) -> None:
    raw, error = _read(folder, note.path)
    if raw is None:
        parts.dropped.append(f"{note.path} ({error})" if error else note.path)
        return
    body = normal_breaks(parse(raw).body).encode("utf-8", "replace").decode().replace("\x00", "\ufffd").strip()
    body = body or note.description
    if not body:
        return
    text = f"## {one_line(note.name, 120)} ({note.path})\n\n{body}"
    parts.source.append(text)
    most = sum(estimate_tokens(shown + "\n\n") for shown in parts.shown) + parts.tokens
    shown = text if estimate_tokens(text) * SHARE <= most else _head(text, most // SHARE)
    if not parts.takes(shown):
        parts.dropped.append(note.name)
        return
    parts.topics += 1
    if shown != text:
        parts.dropped.append(f"{note.name} (its end)")


def _head(text: str, tokens: int) -> str:
    """The first whole lines within `tokens`; the start of the first line where not even that fits."""
    kept: list[str] = []
    room = tokens - 4
    for line in text.split("\n"):
        room -= estimate_tokens(line + "\n")
        if room < 0:
            break
        kept.append(line)
    if "\n".join(kept).strip():
        return "\n".join(kept).rstrip()
    return hard_cut(text.split("\n", 1)[0], 1 << 30, max(tokens - 4, 1))


def _warning(dropped: list[str]) -> str:
    named = "; ".join(one_line(name, 80) for name in dropped[:NAMED])
    more = f" and {len(dropped) - NAMED} more" if len(dropped) > NAMED else ""
    return (
        f"{WARNING_MARK} This memory is over its limit, so only a part is shown. Left out: {named}{more}."
        " Read a file to see all of it; shorten or delete what no longer matters."
    )


def load_single(folder: Path, bytes: int = SINGLE_BYTES) -> LoadedIndex:  # noqa: A002 - the name of the table's column
    """The one file of the workspace: all of it, or its head and a mark, together at most `bytes` of UTF-8.

    Args:
        folder: the root; need not exist.
        bytes: of the text with its mark, cut on a character boundary.
    """
    path = folder / INDEX_NAME
    raw, error = _read(folder, INDEX_NAME)
    if raw is None:
        return nothing_loaded(path, "error" if error else "missing", error=error)
    text = normal_breaks(decode(raw)).replace("\x00", "\ufffd").strip()
    if not text:
        return nothing_loaded(path, "empty", raw=raw)
    data = text.encode("utf-8", "replace")
    size = len(data)
    limit = None if size <= bytes else f"{size:,} of {bytes:,} bytes"
    parts = _Parts(0, source=[text])
    if limit is None:
        return _loaded(path, text, parts, None, None, digest(raw), same_lines(text, decode(raw)))
    mark = (
        f"\n\n{WARNING_MARK} This memory was truncated at {bytes // 1024}KB; the file is longer. Read it to see the rest, and shorten it."
    )
    body = data[: max(bytes - len(mark.encode()), 0)].decode("utf-8", "ignore")
    parts.dropped.append(f"{size - len(body.encode()):,} bytes at its end")
    loaded = _loaded(path, body, parts, limit, None, digest(raw), False)
    return replace(loaded, text=(body + mark).encode()[:bytes].decode("utf-8", "ignore"))
