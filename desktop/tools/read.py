"""Read: a window of a text file with line numbers. Remembers the file's digest, so that a later edit can be checked against it.

Big files are read by window, never whole. Changes nothing. Blocking work runs in a worker thread.
"""

from __future__ import annotations

import asyncio
import os
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.base.errors import ToolError
from desktop.base.phrases import say
from desktop.base.textio import digest
from desktop.messages.tools import ToolSpec
from desktop.tools.arguments import Arguments, integer, schema, string
from desktop.tools.base import Outcome, Prepared, ToolContext, meaning_of
from desktop.tools.files import is_folder, opened, read_handle
from desktop.tools.paths import Place, locate, near_names, read_access, system_error, titled
from desktop.tools.text import SNIFFED, binary_kind, decode, printable, split_lines

DEFAULT_LINES = 2_000
LONGEST_LINE = 2_000
"""Characters of a line that are shown."""
LARGEST_WHOLE = 20 << 20
"""Bytes up to which a file is read whole, gets a digest and may be edited."""
LARGEST_OUTPUT = 120_000
"""Characters of one result."""
INDEX_NAME = "MEMORY.md"
_KEPT = LONGEST_LINE * 4
"""Bytes of a line of a big file that are kept."""

SPEC = ToolSpec(
    "Read",
    "Shows a text file with line numbers that start at 1 (number, tab, text). Without `offset` and `limit` you get the first 2,000 lines; "
    "lines over 2,000 characters are folded, and the result says so. The numbers are not part of the file: leave them out when you quote "
    "text in Edit. A file must have been read before Edit or Write may change it. Folders are listed with Glob. Files inside the workspace "
    "need no permission; for others the person is asked.",
    schema(
        ("file_path",),
        file_path=string("The file: absolute, or relative to the workspace."),
        offset=integer("The first line to show, counted from 1. Default 1."),
        limit=integer("How many lines to show. Default 2,000."),
    ),
)


@dataclass(frozen=True, slots=True)
class Window:
    """What a read found: lines with their full lengths, how many lines the file has (None = not counted), digest and meaning."""

    lines: list[tuple[str, int]]
    total: int | None
    digest: str | None
    meaning: str | None = None
    stray: int = 0


class ReadTool:
    spec = SPEC

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        given = Arguments(SPEC, arguments)
        offset = given.integer("offset", 1, least=1, most=1 << 40)
        limit = given.integer("limit", DEFAULT_LINES, least=1, most=1_000_000)
        place = await asyncio.to_thread(locate, given, "file_path", context)

        async def run() -> Outcome:
            return await asyncio.to_thread(_read, place, offset, limit, context)

        return Prepared(say("Read {path}", path=titled(place.real, context)), read_access("Read", place, context), run)


def _read(place: Place, offset: int, limit: int, context: ToolContext) -> Outcome:
    path = place.real
    try:
        with opened(path) as (handle, found):
            window = _window(handle, found, path, offset, limit)
    except FileNotFoundError as error:
        raise ToolError(say("There is no file {path}.", path=path), hint=near_names(path)) from error
    except OSError as error:
        if is_folder(path):
            raise ToolError(say("{path} is a folder.", path=path), hint=say("List it with Glob and the pattern “*”.")) from error
        raise system_error(error, path) from error
    output = _rendered(window, path, offset)
    if window.digest is not None:
        context.read_state.saw(path, window.digest, window.meaning)
    return Outcome(output, data={"file": str(path), "first": offset, "lines": len(window.lines), "total": window.total})


def _window(handle: int, found: os.stat_result, path: Path, offset: int, limit: int) -> Window:
    head = read_handle(handle, SNIFFED)
    kind = binary_kind(head)
    if kind is not None:
        raise ToolError(
            say("{path} is {kind} ({size:,} bytes), not text.", path=path, kind=kind, size=found.st_size),
            hint=say("Read shows text only; use Bash to look into it."),
        )
    if found.st_size > LARGEST_WHOLE:
        return _large(handle, head, path, offset, limit)
    data = head + read_handle(handle)
    text = decode(data)
    lines = split_lines(text.text)
    chosen = [(printable(line[:LONGEST_LINE]), len(line)) for line in lines[offset - 1 : offset - 1 + limit]]
    meaning = meaning_of(text.text) if path.name == INDEX_NAME else None
    return Window(chosen, len(lines), digest(data), meaning, text.stray)


def _large(handle: int, head: bytes, path: Path, offset: int, limit: int) -> Window:
    if b"\0" in head:
        raise ToolError(
            say("{path} is a UTF-16 or UTF-32 file over {largest_whole} MiB.", path=path, largest_whole=LARGEST_WHOLE >> 20),
            hint=say("Convert it to UTF-8 with iconv first."),
        )
    chosen: list[tuple[str, int]] = []
    number = 0
    for number, (kept, length) in enumerate(_long_lines(handle, head), 1):
        if number < offset:
            continue
        if len(chosen) == limit:
            return Window(chosen, None, None)
        line = kept.removesuffix(b"\r").decode("utf-8-sig" if number == 1 else "utf-8", "replace")
        chosen.append((line[:LONGEST_LINE], length if length > _KEPT else len(line)))
    return Window(chosen, number, None)


def _long_lines(handle: int, head: bytes) -> Iterator[tuple[bytes, int]]:
    """Each line's first bytes and its length in bytes, in a memory that does not grow with the file."""
    kept, length, piece = bytearray(), 0, head
    while piece:
        *ended, rest = piece.split(b"\n")
        for part in ended:
            yield bytes(kept + part[: max(0, _KEPT - len(kept))]), length + len(part)
            kept, length = bytearray(), 0
        kept += rest[: max(0, _KEPT - len(kept))]
        length += len(rest)
        piece = os.read(handle, 1 << 20)
    if length:
        yield bytes(kept), length


def _rendered(window: Window, path: Path, offset: int) -> str:
    if not window.lines:
        if window.total == 0:
            return f"{path} is empty."
        raise ToolError(
            say("Read: `offset` {offset:,} is past the end: {path} has {total:,} lines.", offset=offset, path=path, total=window.total)
        )
    rows: list[str] = []
    size = folded = 0
    for number, (line, length) in enumerate(window.lines, offset):
        hidden = length - len(line) if length > LONGEST_LINE else 0
        folded += hidden > 0
        row = f"{number:>6}\t{line}" + (f" … [{hidden:,} more characters in this line]" if hidden else "")
        if rows and size + len(row) > LARGEST_OUTPUT:
            break
        rows.append(row)
        size += len(row) + 1
    return "\n".join(rows + _notes(window, offset, offset + len(rows) - 1, folded))


def _notes(window: Window, first: int, last: int, folded: int) -> list[str]:
    notes = []
    if window.total is None:
        notes.append(f"Lines {first:,} to {last:,} of a file over {LARGEST_WHOLE >> 20} MiB. Go on with offset {last + 1}.")
    elif last < window.total:
        notes.append(f"Lines {first:,} to {last:,} of {window.total:,}. Go on with offset {last + 1}.")
    if folded:
        notes.append(f"Lines over {LONGEST_LINE:,} characters, folded here: {folded:,}.")
    if window.stray:
        notes.append(f"Bytes that are not valid in this encoding, shown as �: {window.stray:,}.")
    return [f"[{' '.join(notes)}]"] if notes else []
