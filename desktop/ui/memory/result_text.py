"""How an act on a memory ended, in the window's words: merged, undone, restored, moved into files. Pure. GUI thread."""

from __future__ import annotations

import re
from collections.abc import Sequence
from datetime import datetime

from PySide6.QtCore import QCoreApplication, QDateTime, QLocale

from desktop.bridge.spoken import spoken
from desktop.memory.change import Change
from desktop.ui.memory.age import full_time
from desktop.ui.memory.line_diff import difference
from desktop.ui.memory.rows import INDEX_NAME, shown
from desktop.ui.memory.who import actor_word, deed_of, deed_word

_STAMP = re.compile(r"^\s+(?:created|modified|originSessionId|originMessageId|node_type):")
translate = QCoreApplication.translate
NAMED = 4


def short_date(moment: datetime) -> str:
    """The date in the machine's zone and the window's language."""
    local = QDateTime.fromSecsSinceEpoch(int(moment.timestamp()))
    return QLocale().toString(local.date(), QLocale.FormatType.ShortFormat)


def saved_text(warnings: Sequence[str], came_in: Sequence[str]) -> str:
    """A save that needs a word: what there is to know of it, and the lines of somebody else that were merged into it."""
    if came_in or not warnings:
        first = translate("MemoryResult", "Saved.")
    else:
        first = translate("MemoryResult", "Saved. Look at this once more:")
    lines = [f"+ {shown(text)}" for text in came_in[:NAMED]]
    if len(came_in) > NAMED:
        lines.append(translate("MemoryResult", "and {n} more").format(n=len(came_in) - NAMED))
    return "\n".join((first, *(spoken(text) for text in warnings), *lines))


def lines_that_came_in(before: str, after: str) -> tuple[str, ...]:
    """The lines that `after` has and `before` has not, without the times and origins that the app itself writes. Pure."""
    found = difference(before, after, context=0)
    return tuple(line.text for line in found.lines if line.mark == "+" and line.text.strip() and not _STAMP.match(line.text))


def undone_text(taken: Change | None) -> str:
    """What an undo took back; None: it took back an undo."""
    if taken is None:
        return translate("MemoryResult", "The change is redone.")
    return translate("MemoryResult", "Undone: {what} · {who} · {time}").format(
        what=deed_word(deed_of(taken)), who=actor_word(taken.origin.actor), time=full_time(taken.time)
    )


def restored_text(moment: datetime) -> str:
    """That an older version is in the file again."""
    return translate("MemoryResult", "The version of {time} is restored.").format(time=full_time(moment))


def split_text(changes: Sequence[Change]) -> str:
    """Content of an index that was moved into files."""
    made = [shown(change.path) for change in changes if change.path != INDEX_NAME and change.before is None]
    if not made:
        return translate("MemoryResult", "There was nothing to move.")
    names = made[:NAMED]
    if len(made) > NAMED:
        names.append(translate("MemoryResult", "and {n} more").format(n=len(made) - NAMED))
    return translate("MemoryResult", "Moved into files, with a line each in the index: {names}").format(
        names=translate("MemoryResult", ", ").join(names)
    )
