"""Edit: replaces an exact piece of a file that this session has read. Everything else in the file keeps its bytes.

Byte order mark, encoding and newline style stay; a piece that does not occur, or occurs more than once, is refused with a hint. Inside
memory the store writes it (see `desktop.tools.changes`). Blocking work runs in worker threads.
"""

from __future__ import annotations

import asyncio
from typing import Any

from desktop.base.errors import ToolError
from desktop.base.phrases import say
from desktop.messages.tools import ToolSpec
from desktop.tools.arguments import Arguments, boolean, schema, string
from desktop.tools.base import Outcome, Prepared, ToolContext
from desktop.tools.changes import Change, carry_out, current, encoded, missing, prepared_change, require_read, unread
from desktop.tools.near import near_miss
from desktop.tools.paths import Place, locate, titled, write_access
from desktop.tools.text import Text, decode
from desktop.tools.threads import settled

SPEC = ToolSpec(
    "Edit",
    "Replaces one exact piece of text in a file. Read the file first; if it changed since, the edit is refused. `old_string` must occur "
    "exactly once, so quote enough lines around the place (without the line numbers that Read shows), or set `replace_all` to change every "
    "occurrence. Whitespace counts. To make a new file use Write.",
    schema(
        ("file_path", "old_string", "new_string"),
        file_path=string("The file: absolute, or relative to the workspace."),
        old_string=string("The text to be replaced, exactly as it stands in the file."),
        new_string=string("The text to put there; empty to remove the old text."),
        replace_all=boolean("Replace every occurrence instead of exactly one. Default false."),
    ),
)


class EditTool:
    spec = SPEC

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        given = Arguments(SPEC, arguments)
        change = await asyncio.to_thread(_prepare, given, context)

        async def run() -> Outcome:
            return await settled(lambda: carry_out(change, context))

        return Prepared(say("Edit {path}", path=titled(change.place.real, context)), change.access, run, change.diff)


def _prepare(given: Arguments, context: ToolContext) -> Change:
    old_string, new_string = given.text("old_string", empty=True), given.text("new_string", empty=True)
    every = given.flag("replace_all")
    if not old_string:
        raise given.wrong("old_string", "must not be empty; to make a file or replace all of it use Write")
    if old_string == new_string:
        raise given.wrong("new_string", "is the same as `old_string`, so nothing would change")
    place = locate(given, "file_path", context)
    refused = write_access("Edit", place, "", context).memory_denied
    if refused is not None:
        return Change(place, write_access("Edit", place, new_string, context), None, new_string, b"", "")
    before = current(place)
    if before is None:
        raise missing(place)
    access = write_access("Edit", place, "", context)
    found, before = before, require_read(place, before, access, context)
    old = decode(before.data)
    if not old.lossless:
        raise ToolError(
            say("{path} holds bytes that {encoding} does not allow; an edit would change them.", path=place.real, encoding=old.encoding),
            hint=say("Use Bash."),
        )
    try:
        text = _replaced(old, old_string, new_string, every, place)
    except ToolError as error:
        if before.digest == found.digest or old_string in old.text:
            raise
        raise unread(place, found, access, context) from error  # the piece is in no version that was read: show what is there now
    _check_encoding(old, new_string, place)
    data = encoded(old, text, "new_string")
    return prepared_change(place, write_access("Edit", place, text, context), before, text, data, context)


def _forms(old: Text, old_string: str, new_string: str) -> list[tuple[str, str]]:
    """The pair as written, and in the newline style of the file."""
    forms = [(old_string, new_string)]
    if "\r\n" in old.text and "\r" not in old_string:
        forms.append((old_string.replace("\n", "\r\n"), new_string.replace("\r\n", "\n").replace("\n", "\r\n")))
    if "\r\n" in old_string and "\r\n" not in old.text:
        forms.append((old_string.replace("\r\n", "\n"), new_string.replace("\r\n", "\n")))
    if "\n" not in old_string and old.newline == "\r\n":
        forms.reverse()  # the piece itself says nothing of newlines, but what replaces it must keep the file's style
    return forms


def _replaced(old: Text, old_string: str, new_string: str, every: bool, place: Place) -> str:
    for wanted, instead in _forms(old, old_string, new_string):
        count = old.text.count(wanted)
        if count == 1 or (count > 1 and every):
            return old.text.replace(wanted, instead)
        if count > 1:
            lines = ", ".join(str(n) for n in _line_numbers(old.text, wanted, 10))
            raise ToolError(
                f"`old_string` occurs {count:,} times in {place.real} (lines {lines}{', …' if count > 10 else ''}).",
                hint="Quote more of the text around the place you mean, or set `replace_all` to true.",
            )
    raise ToolError(f"`old_string` does not occur in {place.real}.", hint=near_miss(old.text, old_string))


def _line_numbers(text: str, wanted: str, most: int) -> list[int]:
    found: list[int] = []
    position = text.find(wanted)
    while position >= 0 and len(found) < most:
        found.append(text.count("\n", 0, position) + 1)
        position = text.find(wanted, position + len(wanted))
    return found


def _check_encoding(old: Text, new_string: str, place: Place) -> None:
    if old.encoding == "utf-8" and old.stray and not new_string.isascii():
        raise ToolError(
            say(
                "{path} is not in UTF-8, so the new text, which is not plain ASCII, would be stored in another encoding than the rest.",
                path=place.real,
            ),
            hint=say("Convert the file to UTF-8 first (iconv), or use ASCII text only."),
        )
