"""Write: puts a whole file in place, new or over one that this session has read. Keeps the encoding and newline style of what was there.

Inside memory the store writes it (see `desktop.tools.changes`). Blocking work runs in worker threads.
"""

from __future__ import annotations

import asyncio
from typing import Any

from desktop.base.phrases import say
from desktop.messages.tools import ToolSpec
from desktop.tools.arguments import Arguments, schema, string
from desktop.tools.base import Outcome, Prepared, ToolContext
from desktop.tools.changes import Change, carry_out, current, encoded, prepared_change, require_read
from desktop.tools.paths import locate, titled, write_access
from desktop.tools.text import decode
from desktop.tools.threads import settled

SPEC = ToolSpec(
    "Write",
    "Writes a whole file: a new one, or over an existing one, which must have been read before in this session. Missing folders are made. "
    "For a small change to an existing file use Edit instead. The person may be asked and sees exactly what will be written.",
    schema(
        ("file_path", "content"),
        file_path=string("The file: absolute, or relative to the workspace."),
        content=string("The complete new content of the file."),
    ),
)


class WriteTool:
    spec = SPEC

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        given = Arguments(SPEC, arguments)
        change = await asyncio.to_thread(_prepare, given, context)

        async def run() -> Outcome:
            return await settled(lambda: carry_out(change, context))

        path = titled(change.place.real, context)
        title = say("Create {path}", path=path) if change.before is None else say("Replace {path}", path=path)
        return Prepared(title, change.access, run, change.diff)


def _prepare(given: Arguments, context: ToolContext) -> Change:
    content = given.text("content", empty=True)
    place = locate(given, "file_path", context)
    access = write_access("Write", place, content, context)
    before = None if access.memory_denied is not None else current(place)
    if before is not None and before.data:
        before = require_read(place, before, access, context)
    old = None if before is None else decode(before.data)
    if old is not None and old.newline == "\r\n" and "\r" not in content:
        content = content.replace("\n", "\r\n")
    keeps = old if old is not None and old.lossless else None
    data = encoded(keeps, content, "content")
    return prepared_change(place, write_access("Write", place, content, context), before, content, data, context)
