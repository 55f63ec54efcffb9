"""A memory as it is recalled: read again right before it is shown, cut to its budget, masked, with its age (memory design, RC-05…RC-08).

Owns what of a file goes into a turn and the words for its age, for the person and for the model in their language. Follows no link; a file
that is gone or cannot be read is None. Blocking, any thread.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Literal

from desktop.base.confine import read_beneath
from desktop.base.errors import KeepsakeError
from desktop.base.phrases import Phrase, say
from desktop.base.redact import redact, visible
from desktop.base.textio import digest
from desktop.base.words import estimate_tokens
from desktop.memory.frontmatter import parse
from desktop.memory.index_text import normal_breaks
from desktop.memory.note import INDEX_NAME, age_days, note_of, one_line
from desktop.memory.roots import MemoryRoot
from desktop.memory.search_source import kind_of, masked, sound

MOST_BYTES = 5 << 20
"""Of a larger file only so much is read (the size limit of a note)."""

SPARE = 8_192
"""Characters beyond the budget that are looked through for secrets, so that none is cut in two and missed."""

Stage = Literal["lexical", "model"]
Language = Literal["en", "zh"]
Look = tuple[int, int, int, int]
"""Size, mtime and ctime in ns, inode: a file that looks the same holds the same."""

_SNAPSHOT: dict[Language, str] = {
    "en": "Written {date}, {days:,} days ago: a snapshot of that time. Before you rely on it, check what it names (paths, functions, "
    "flags, people, dates) against what is there now; what is there now wins.",
    "zh": "写于 {date}，距今 {days:,} 天：这是当时的快照。在依据它之前，请对照现状核实其中的路径、函数、选项、人员和日期；"
    "与现状不符时以现状为准。",
}


@dataclass(frozen=True, slots=True)
class Budget:
    """What of one memory is shown at most: lines and bytes of UTF-8."""

    lines: int = 200
    size: int = 4_096


@dataclass(frozen=True, slots=True)
class RecalledMemory:
    """One memory as it goes into a turn.

    Attributes:
        root_id, path: where it lies, posix below its root; `absolute`: the whole path.
        name, description, type: as its header says; without a type what its file is.
        modified: the header's `modified`, else the file's time.
        digest: of the file's bytes.
        text: name, description and text, masked, within its budget; `truncated`: not all of it.
        reason: why it was recalled, a phrase for the person.
        stage: `lexical` or `model`.
        tokens: estimated, of `text`.
        look: of the file when it was read.
    """

    root_id: str
    path: str
    absolute: Path
    name: str
    description: str
    type: str
    modified: datetime
    digest: str
    text: str
    truncated: bool
    reason: str
    stage: str
    tokens: int
    look: Look = (0, 0, 0, 0)


def look_of(path: Path) -> Look | None:
    """How a file looks now; None when it is gone or out of reach."""
    try:
        status = path.lstat()
    except (OSError, ValueError):
        return None
    return status.st_size, status.st_mtime_ns, status.st_ctime_ns, status.st_ino


def written_before(path: Path, moment: datetime) -> bool:
    """Whether a file is as it was at that moment, by its own time."""
    look = look_of(path)
    return look is not None and look[1] / 1e9 <= moment.timestamp()


def read_memory(root: MemoryRoot, path: str, *, reason: str, stage: str, budget: Budget) -> RecalledMemory | None:
    """The memory at `path` below a root as it is now; None when it is none that can be read: gone, a link, MEMORY.md, empty."""
    if path == INDEX_NAME:
        return None
    absolute = root.folder.joinpath(*path.split("/"))
    look = look_of(absolute)
    try:
        data = read_beneath(root.folder, path, limit=MOST_BYTES)
    except KeepsakeError:
        return None
    if look is None:
        return None
    document = parse(data)
    note = note_of(path, document, size=look[0], mtime_s=look[1] / 1e9)
    name, description = redact(sound(one_line(note.name, 200))), redact(sound(note.description))
    body = sound(normal_breaks(document.body)).strip()
    room = budget.size + SPARE
    parts = (f"# {name}", _said_besides(description, body), body)
    whole = "\n\n".join(part for part in parts if part)
    shown = visible(masked(whole[:room]), keep="\n\t")
    text, truncated = cut(shown, budget, behind=whole[room:], more=look[0] > MOST_BYTES)
    if not body and not description:
        return None
    return RecalledMemory(
        root_id=root.id,
        path=path,
        absolute=absolute,
        name=visible(name),
        description=visible(description),
        type=kind_of(note),
        modified=note.modified,
        digest=digest(data),
        text=text,
        truncated=truncated,
        reason=reason,
        stage=stage,
        tokens=estimate_tokens(text),
        look=look,
    )


def same_content(memory: RecalledMemory) -> bool:
    """Whether the file still holds the bytes that were read, whatever its times say."""
    folder = memory.absolute
    for _ in memory.path.split("/"):
        folder = folder.parent
    try:
        return digest(read_beneath(folder, memory.path, limit=MOST_BYTES)) == memory.digest
    except KeepsakeError:
        return False


def _said_besides(description: str, body: str) -> str:
    """The description where the text does not begin with it anyway."""
    return "" if description.rstrip("….") and " ".join(body[:1_000].split()).find(description.rstrip("….")) >= 0 else description


def cut(text: str, budget: Budget, *, behind: str = "", more: bool = False) -> tuple[str, bool]:
    """The head of a text within a budget, ended at a line where one ends in the second half of it, else at a character; it says so.

    Args:
        behind: what of the whole text follows `text`; `more`: the file goes on beyond that.

    Returns:
        The text, with one line behind it when something was left out; and whether it was.
    """
    kept = "\n".join(text.split("\n")[: budget.lines])
    data = kept.encode()
    if len(data) > budget.size:
        kept = data[: budget.size].decode("utf-8", "ignore")
        at_line = kept.rfind("\n")
        kept = kept[:at_line] if at_line * 2 > len(kept) else kept
    if kept == text and not behind and not more:
        return text, False
    shown, size = kept.count("\n") + 1, len(kept.encode())
    lines, whole = text.count("\n") + behind.count("\n") + 1, len(text.encode()) + len(behind.encode())
    of = "more than " if more else ""
    told = f"[Cut here: {shown:,} of {of}{lines:,} lines, {size:,} of {of}{whole:,} bytes. Read the file for the rest.]"
    return f"{kept.rstrip()}\n{told}", True


# ages


def age(modified: datetime, now: datetime) -> Phrase:
    """How old a memory is, for the person; one from the future, by a wrong clock, is of today."""
    days = age_days(modified, now)
    if days == 0:
        return say("today")
    return say("1 day ago") if days == 1 else say("{days:,} days ago", days=days)


def age_notice(modified: datetime, now: datetime, *, fresh_days: int, language: Language) -> str:
    """For the model: that a memory is an old snapshot to verify; "" for a fresh one."""
    days = age_days(modified, now)
    if days <= fresh_days:
        return ""
    return _SNAPSHOT[language].format(date=modified.date().isoformat(), days=days)
