"""Grep: searches file contents with a regular expression, with ripgrep where it is installed, else with a program of our own.

Both run as children that are ended when their time is up or the call is cancelled, so that no pattern can hang the app. Leaves out what
.gitignore leaves out, binary files and, unless named, files that hold secrets; follows no links. Runs on the asyncio thread.
"""

from __future__ import annotations

import asyncio
import json
import os
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from desktop.base.errors import ToolError
from desktop.base.phrases import os_reason, say
from desktop.messages.tools import ToolSpec
from desktop.permissions.places import sensitive_kind
from desktop.tools import grep_worker
from desktop.tools.arguments import Arguments, boolean, integer, schema, string
from desktop.tools.base import Outcome, Prepared, ToolContext
from desktop.tools.files import exists, is_folder
from desktop.tools.glob import LONGEST_PATTERN, MOST_FORMS, expand_braces, matches
from desktop.tools.hits import Hits
from desktop.tools.paths import closed_folders, locate, near_names, read_access, shown
from desktop.tools.process import start
from desktop.tools.programs import child_environ, find_program
from desktop.tools.threads import stoppable
from desktop.tools.walk import Ignores, Walk

DEFAULT_ROWS = 250
MOST_ROWS = 2_000
MOST_SECONDS = 20.0
PER_FILE_SECONDS = 2.0
LARGEST_FILE = grep_worker.LARGEST
MODES = ("content", "files_with_matches", "count")

SPEC = ToolSpec(
    "Grep",
    "Searches the contents of files for a regular expression, line by line. `files_with_matches` (the default) lists the files, `content` "
    "shows the lines with their numbers, `count` says how many lines match in each file. Narrow the search with `path` and `glob`. Files "
    "that .gitignore excludes, binary files, and files that hold secrets are left out unless `path` names one. Escape characters that "
    "have a meaning in regular expressions: `foo\\(` finds a call of foo.",
    schema(
        ("pattern",),
        pattern=string("The regular expression."),
        path=string("A file or folder: absolute, or relative to the workspace. Default: the workspace."),
        glob=string("Only files whose path fits, such as `*.py` or `src/**/*.{ts,tsx}`; a leading `!` leaves such files out."),
        output_mode=string("What to show. Default files_with_matches.", *MODES),
        dash_i=boolean("Ignore case. Default false."),
        dash_n=boolean("Show line numbers in content mode. Default true."),
        head_limit=integer(f"At most so many lines or files, up to {MOST_ROWS:,}. Default {DEFAULT_ROWS}."),
    ),
)


@dataclass(frozen=True, slots=True)
class Query:
    """A checked search. `glob` may be empty."""

    pattern: str
    root: Path
    glob: str
    mode: str
    ignore_case: bool
    numbers: bool
    limit: int


class GrepTool:
    spec = SPEC

    async def prepare(self, arguments: dict[str, Any], context: ToolContext) -> Prepared:
        given = Arguments(SPEC, arguments)
        place = await asyncio.to_thread(locate, given, "path", context, ".")
        query = Query(
            _line_pattern(given),
            place.real,
            _glob(given),
            given.choice("output_mode", MODES, "files_with_matches"),
            given.flag("-i"),
            given.flag("-n", True),
            given.integer("head_limit", DEFAULT_ROWS, least=1, most=MOST_ROWS),
        )

        async def run() -> Outcome:
            return await _run(query, context)

        title = say("Search {pattern} in {path}", pattern=query.pattern, path=shown(place.real, context))
        return Prepared(title, read_access("Grep", place, context), run)


def _line_pattern(given: Arguments) -> str:
    pattern = given.text("pattern", longest=LONGEST_PATTERN)
    if "\n" in pattern:
        raise given.wrong("pattern", "must not hold a newline: lines are searched one by one")
    return pattern


def _glob(given: Arguments) -> str:
    if not given.has("glob"):
        return ""
    glob = given.text("glob", longest=LONGEST_PATTERN)
    if len(expand_braces(glob)) > MOST_FORMS:
        raise given.wrong("glob", f"stands for more than {MOST_FORMS} patterns; use fewer braces")
    if ".." in glob.split("/"):
        raise given.wrong("glob", "must not hold “..”; give the folder as `path`")
    return glob


async def _run(query: Query, context: ToolContext) -> Outcome:
    if not exists(query.root):
        raise ToolError(say("{path} does not exist.", path=query.root), hint=near_names(query.root))
    folder = is_folder(query.root)
    rg = await asyncio.to_thread(find_program, "rg", context.environ, context.workspace)
    hits = Hits(query.mode, query.limit, lambda path: folder and sensitive_kind(Path(path)) is not None)
    closed = closed_folders(context)
    if rg is not None:
        slashed = "/" in query.glob
        hits.wanted = lambda path: (
            (not slashed or fits(query.glob, Path(path).relative_to(query.root).as_posix()))
            and not any(Path(path).is_relative_to(one) for one in closed)
        )
        parents = await asyncio.to_thread(Ignores.parents_hold, query.root)
        await _search(rg_command(rg, query, parents), query, hits, context, None)
    else:
        await _search_without_rg(query, folder, hits, context, closed)
    return _outcome(query, hits, context)


def rg_command(rg: Path, query: Query, parents: bool) -> list[str]:
    """ripgrep's arguments. No configuration file, no links, output that cannot be misread.

    A `glob` becomes a file type, since ripgrep's own --glob would bring back what .gitignore leaves out; one with a slash is applied
    to the results. `parents`: whether ignore files above the root hold.
    """
    command = [str(rg), "--no-config", "--color=never", "--no-heading", "--with-filename", "--null", "--hidden", "--no-require-git"]
    command += ["--no-messages", "--sort=path", f"--max-filesize={LARGEST_FILE}", "--glob=!.git"]
    command += {
        "content": ["--line-number", "--max-columns=500", "--max-columns-preview"],
        "count": ["--count"],
        "files_with_matches": ["--files-with-matches"],
    }[query.mode]
    command += ["--ignore-case"] if query.ignore_case else []
    command += [] if parents else ["--no-ignore-parent"]
    if query.glob and "/" not in query.glob:
        negated = query.glob.startswith("!")
        command += [f"--type-add=wanted:{query.glob.removeprefix('!')}", f"--type{'-not' if negated else ''}=wanted"]
    return [*command, f"--regexp={query.pattern}", "--", str(query.root)]


async def _search_without_rg(query: Query, folder: bool, hits: Hits, context: ToolContext, closed: tuple[Path, ...]) -> None:
    walk = Walk(query.root, seconds=MOST_SECONDS / 2, closed=closed)
    files = [str(query.root)] if not folder else await stoppable(lambda stop: _candidates(walk, query, stop, hits))
    if walk.cut:
        hits.notes.append(f"The search is not complete: {walk.cut}.")
    order = {"pattern": query.pattern, "ignore_case": query.ignore_case, "mode": query.mode, "most": query.limit}
    paths = b"\0".join(os.fsencode(path) for path in files)
    stdin = json.dumps(order | {"per_file_s": PER_FILE_SECONDS}).encode() + b"\n" + paths
    await _search([sys.executable, "-I", grep_worker.__file__], query, hits, context, stdin)


def _candidates(walk: Walk, query: Query, stop: threading.Event, hits: Hits) -> list[str]:
    walk.stop = stop
    files = (entry for entry in walk.entries() if not entry.folder and not entry.link and entry.size <= LARGEST_FILE)
    return [file.path for file in files if fits(query.glob, file.relative) and hits.may_show(file.path)]


def fits(glob: str, relative: str) -> bool:
    """Whether a path passes the `glob` argument: without a slash it holds in any folder, with one from the root on."""
    if not glob:
        return True
    negated = glob.startswith("!")
    plain = glob.removeprefix("!")
    anywhere = "/" not in plain
    forms = [f"**/{form}" if anywhere else form.removeprefix("/") for form in expand_braces(plain)]
    return any(matches(form, relative) for form in forms) != negated


async def _search(command: list[str], query: Query, hits: Hits, context: ToolContext, stdin: bytes | None) -> None:
    """Run a search program until it ends, enough was found, or its time is up."""
    errors = bytearray()
    enough = asyncio.Event()

    def on_data(stream: int, data: bytes) -> None:
        if stream == 2:
            errors.extend(data[: max(0, 65_536 - len(errors))])
        elif not enough.is_set() and hits.add(data):
            enough.set()

    cwd = query.root if is_folder(query.root) else query.root.parent
    try:
        child = await start(command, cwd=cwd, environ=child_environ(context.environ), on_data=on_data, stdin=stdin)
    except OSError as error:
        raise ToolError(
            say("The search program {command} could not be started ({reason}).", command=command[0], reason=os_reason(error))
        ) from error
    ended = asyncio.ensure_future(child.exited(MOST_SECONDS))
    full = asyncio.ensure_future(enough.wait())
    try:
        await asyncio.wait((ended, full), return_when=asyncio.FIRST_COMPLETED)
        in_time = enough.is_set() or await ended
    finally:
        full.cancel()
        ended.cancel()
        await child.end()
    if not in_time:
        hits.notes.append(f"The search was ended after {MOST_SECONDS:g} s and is not complete; narrow it with `path` or `glob`.")
    elif not enough.is_set():
        _check_errors(child.status, errors.decode("utf-8", "replace"), query, hits)


def _check_errors(status: int | None, errors: str, query: Query, hits: Hits) -> None:
    slow = [line.removeprefix("slow\t") for line in errors.splitlines() if line.startswith("slow\t")]
    if slow:
        took = f"Files that took over {PER_FILE_SECONDS:g} s and were left out: {len(slow):,}, first {slow[0]}."
        hits.notes.append(f"{took} Use a simpler pattern.")
    other = "\n".join(line for line in errors.splitlines() if not line.startswith("slow\t")).strip()
    if status not in (0, 1) and other and not hits.rows:
        named = f"`pattern` {query.pattern!r}" + (f" or `glob` {query.glob!r}" if query.glob else "")
        raise ToolError(
            say("Grep: {named} cannot be used: {other}.", named=named, other=other[:1000]),
            hint=say("Escape special characters with a backslash."),
        )


def _outcome(query: Query, hits: Hits, context: ToolContext) -> Outcome:
    rows = [_row(query, path, value, context) for path, value in hits.rows]
    notes = list(hits.notes)
    if hits.more:
        notes.insert(0, f"The first {len(rows):,}; there are more. Narrow the search, or raise `head_limit`.")
    if hits.hidden:
        notes.append(f"Files that may hold secrets, left out: {len(hits.hidden):,}. Name one as `path` to search it.")
    data = {"rows": len(rows), "mode": query.mode}
    if not rows:
        where = shown(query.root, context)
        return Outcome(" ".join([f"No line in {where} matches {query.pattern}.", *notes]), data=data)
    return Outcome("\n".join([*rows, f"[{' '.join(notes)}]"] if notes else rows), data=data)


def _row(query: Query, path: str, value: str, context: ToolContext) -> str:
    name = shown(Path(path), context)
    if query.mode == "files_with_matches":
        return name
    if query.mode == "content" and not query.numbers:
        return f"{name}:{value.split(':', 1)[-1]}"
    return f"{name}:{value}"
