"""`keepsake sessions export|import`: a conversation as a document, and transcripts of other tools or exports of ours by their path."""

from __future__ import annotations

import argparse
from collections.abc import Sequence
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.base.redact import visible
from desktop.cli.output import counted, put, put_json, say, table
from desktop.compose import Services
from desktop.sessions.export import Format, export_session
from desktop.sessions.export_file import export_to, side_files_of


def export(found: argparse.Namespace, services: Services) -> int:
    """Write a session as Markdown or JSON to a file, or to standard output.

    Raises:
        UsageError: the file is there already, is a folder, or would stand in none.
        NotFoundError: no such session.
        StorageError: the file cannot be written.
    """
    kind = _format_of(found)
    sessions = services.all_sessions
    if found.file is None:
        loaded = sessions.load(found.session)
        _say_damage(loaded.damage)
        text = export_session(loaded, sessions.find(found.session), kind, side_file=side_files_of(sessions, found.session))
        put(text.rstrip("\n"))
        return 0
    target = _target(Path(found.file).absolute(), force=found.force)
    written = export_to(sessions, found.session, kind, target)
    _say_damage(written.damage)
    if found.json:
        facts = {"messages": written.messages, "pictures": written.pictures, "lost": written.lost}
        put_json({"id": sessions.find(found.session).id, "file": str(target), "format": kind, **facts})
        return 0
    beside = f", and {counted(written.pictures, 'picture')}" if written.pictures else ""
    lost = f" {counted(written.lost, 'picture')} could not be found: their places say so." if written.lost else ""
    say(f"keepsake: {counted(written.messages, 'message')}{beside} exported to {target}.{lost}")
    return 0


def _target(target: Path, *, force: bool) -> Path:
    try:
        is_folder, is_there, in_folder = target.is_dir(), target.exists(), target.parent.is_dir()
    except (OSError, ValueError) as error:  # too long, or a part of it is no folder
        raise UsageError(f"“{str(target)[:80]}” is no place for a file.", hint="Give another name.", detail=str(error)) from error
    if is_folder:
        raise UsageError(f"{target} is a folder.", hint="Give the name of a file, such as session.md.")
    if not in_folder:
        raise UsageError(f"There is no folder {target.parent}.", hint="Make it first, or give another place.")
    if is_there and not force:
        raise UsageError(f"{target} exists already.", hint="Give another name, or --force to replace it.")
    return target


def _say_damage(damage: Sequence[tuple[int, str]]) -> None:
    for line, reason in damage[:5]:
        say(f"keepsake: line {line} of this transcript could not be read: {reason}")


def _format_of(found: argparse.Namespace) -> Format:
    if found.format:
        return "json" if found.format == "json" else "md"
    if found.file is None:
        return "json" if found.json else "md"
    return "json" if Path(found.file).suffix.lower() == ".json" else "md"


def import_(found: argparse.Namespace, services: Services) -> int:
    """Show the sessions of other tools' files or folders from now on, read where they lie; `--remove` forgets them again.

    Raises:
        UsageError: nothing is there, nothing in it is a transcript, it is our own profile, or other tools' sessions are switched off.
        StorageError: the path cannot be remembered.
    """
    foreign = services.all_sessions.foreign
    path = Path(found.path)
    if found.remove:
        if not foreign.remove(path):
            raise UsageError(f"{path.absolute()} was not imported.", hint=_named(services))
        say(f"keepsake: {path.absolute()} is not looked at any more. Its files are as they were.")
        return 0
    if not foreign.is_on:
        raise UsageError("Sessions of other tools are switched off.", hint="Switch the setting sessions.other_tools on first.")
    if not path.exists():
        raise UsageError(f"There is nothing at {path.absolute()}.", hint="Give a transcript, or a folder that holds some.")
    if path.absolute().is_relative_to(services.paths.data):
        raise UsageError(
            f"{path.absolute()} is part of this profile.", hint="Its sessions are listed already: “keepsake sessions list --all”."
        )
    sessions = foreign.add(path)
    if not sessions:
        from desktop.sessions.importers import open_transcript

        reasons = [str(damage.reason) for damage in open_transcript(path).damage[:1]]
        raise UsageError(f"{path.absolute()} holds no transcript that is known here.", hint=" ".join(reasons))
    if found.json:
        put_json(
            {
                "sessions": [
                    {"id": s.id, "source": s.source, "title": s.title, "messages": s.messages if s.counted else None, "path": str(s.path)}
                    for s in sessions
                ]
            }
        )
        return 0
    put(table([(s.id, s.source, f"{s.messages:>5}" if s.counted else "    –", visible(s.title)) for s in sessions]))
    say(f"keepsake: {counted(len(sessions), 'session')} can be read now: in the window, with “sessions show”, and as #sess_… in a chat.")
    return 0


def _named(services: Services) -> str:
    paths = [str(path) for path in services.all_sessions.foreign.named]
    return f"Imported are: {', '.join(paths)}." if paths else "Nothing was imported by its path."
