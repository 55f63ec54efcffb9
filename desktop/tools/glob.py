"""Glob: finds files by the shape of their path, newest first. Leaves out what .gitignore leaves out; never follows links out of the folder.

Matching is linear in the path's length whatever the pattern. Changes nothing. The walk runs in a worker thread.
"""

from __future__ import annotations

import asyncio
import fnmatch
import re
import sys
import threading
from functools import lru_cache
from pathlib import Path
from typing import Any

from desktop.base.errors import ToolError
from desktop.base.phrases import say
from desktop.messages.tools import ToolSpec
from desktop.tools.arguments import Arguments, schema, string
from desktop.tools.base import Outcome, Prepared, ToolContext
from desktop.tools.files import exists, is_folder
from desktop.tools.paths import closed_folders, locate, near_names, read_access, shown
from desktop.tools.threads import stoppable
from desktop.tools.walk import Entry, Walk

MOST_SHOWN = 200
MOST_FORMS = 64
"""Patterns that the braces of one pattern may stand for."""
LONGEST_PATTERN = 1_000

SPEC = ToolSpec(
    "Glob",
    "Finds files whose path fits a pattern, the most recently changed first, at most 200. `*` and `?` stay within a path part, `**/` means "
    "any number of folders, `{a,b}` means either, `[abc]` one of these characters: `**/*.py`, `src/**/test_*.{ts,tsx}`. The pattern `*` "
    "lists a folder with its subfolders. Files that .gitignore excludes are left out. To search in the content use Grep.",
    schema(
        ("pattern",),
        pattern=string("The pattern, relative to `path`."),
        path=string("The folder to look in: absolute, or relative to the workspace. Default: the workspace."),
    ),
)


class GlobTool:
    spec = SPEC

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        given = Arguments(SPEC, arguments)
        pattern = _pattern(given)
        forms = expand_braces(pattern)
        if len(forms) > MOST_FORMS:
            raise given.wrong("pattern", f"stands for more than {MOST_FORMS} patterns; use fewer braces")
        place = await asyncio.to_thread(locate, given, "path", context, ".")

        async def run() -> Outcome:
            return await stoppable(lambda stop: _search(place.real, pattern, forms, stop, context))

        title = say("Find {pattern} in {path}", pattern=pattern, path=shown(place.real, context))
        return Prepared(title, read_access("Glob", place, context), run)


def _pattern(given: Arguments) -> str:
    pattern = given.text("pattern", longest=LONGEST_PATTERN)
    if sys.platform == "win32":
        pattern = pattern.replace("\\", "/")
    if pattern.startswith(("/", "~")) or re.match(r"[A-Za-z]:/", pattern):
        raise given.wrong("pattern", "must be relative; give the folder as `path` and the rest as the pattern")
    if ".." in pattern.split("/"):
        raise given.wrong("pattern", "must not hold “..”; give the folder as `path`")
    return pattern.removeprefix("./")


def expand_braces(pattern: str) -> list[str]:
    """The patterns that `{a,b}` stands for, at most one more than is allowed."""
    forms, done = [pattern], False
    while not done and len(forms) <= MOST_FORMS:
        done = True
        deeper: list[str] = []
        for form in forms:
            found = re.search(r"\{([^{}]*,[^{}]*)\}", form)
            if found is None:
                deeper.append(form)
                continue
            done = False
            deeper += [form[: found.start()] + choice + form[found.end() :] for choice in found[1].split(",")]
        forms = list(dict.fromkeys(deeper))
    return forms


@lru_cache(maxsize=256)
def _part(pattern: str) -> re.Pattern[str]:
    return re.compile(fnmatch.translate(pattern))


def matches(pattern: str, path: str) -> bool:
    """Whether a relative path with `/` fits; `**` as a whole part stands for any number of folders."""
    wanted, parts = pattern.split("/"), path.split("/")
    reached = {0}
    for want in wanted:
        if want == "**":
            reached = set(range(min(reached), len(parts) + 1)) if reached else set()
        else:
            reached = {i + 1 for i in reached if i < len(parts) and _part(want).match(parts[i])}
        if not reached:
            return False
    return len(parts) in reached


def _search(root: Path, pattern: str, forms: list[str], stop: threading.Event, context: ToolContext) -> Outcome:
    if not is_folder(root):
        if exists(root):
            raise ToolError(say("{path} is a file, not a folder.", path=root), hint=say("Give its folder."))
        raise ToolError(say("{path} does not exist.", path=root), hint=near_names(root))
    walk = Walk(root, stop, closed=closed_folders(context))
    folders = "**" not in pattern
    loose = [f"**/{form}" for form in forms] if "/" not in pattern else []
    found: list[Entry] = []
    deeper: list[Entry] = []
    for entry in walk.entries():
        if entry.folder and not folders:
            continue
        if any(matches(form, entry.relative) for form in forms):
            found.append(entry)
        elif not entry.folder and any(matches(form, entry.relative) for form in loose):
            deeper.append(entry)
    notes = _notes(walk)
    if not found and deeper:
        found = deeper
        notes.insert(0, f"Nothing directly in the folder fits; these fit **/{pattern}.")
    return _outcome(root, pattern, found, notes, context)


def _notes(walk: Walk) -> list[str]:
    notes = [f"The search is not complete: {walk.cut}."] if walk.cut else []
    return [*notes, f"Folders that could not be read: {walk.unreadable:,}."] if walk.unreadable else notes


def _outcome(root: Path, pattern: str, found: list[Entry], notes: list[str], context: ToolContext) -> Outcome:
    if not found:
        text = f"No file in {shown(root, context)} fits {pattern}."
        return Outcome(" ".join([text, *notes]), data={"files": [], "total": 0})
    found.sort(key=lambda entry: (-entry.mtime, entry.relative))
    rows = [shown(root / entry.relative, context) + ("/" if entry.folder else "") for entry in found[:MOST_SHOWN]]
    if len(found) > MOST_SHOWN:
        notes.insert(0, f"The newest {MOST_SHOWN} of {len(found):,}; use a narrower pattern or `path` for the others.")
    output = "\n".join([*rows, f"[{' '.join(notes)}]"] if notes else rows)
    return Outcome(output, data={"files": rows, "total": len(found)})
