"""`keepsake sessions export|import`: a conversation as a document, and transcripts of other tools by their path."""

from __future__ import annotations

import argparse
from pathlib import Path

from desktop.base.errors import UsageError
from desktop.base.redact import visible
from desktop.base.textio import atomic_write
from desktop.cli.output import put, put_json, say, table
from desktop.compose import Services
from desktop.sessions.export import Format, export_session


def export(found: argparse.Namespace, services: Services) -> int:
    """Write a session as Markdown or JSON to a file, or to standard output.

    Raises:
        UsageError: the file is there already, or is a folder.
        NotFoundError: no such session.
        StorageError: the file cannot be written.
    """
    kind = _format_of(found)
    summary = services.all_sessions.find(found.session)
    loaded = services.all_sessions.load(found.session)
    text = export_session(loaded, summary, kind)
    for line, reason in loaded.damage[:5]:
        say(f"keepsake: line {line} of this transcript could not be read: {reason}")
    if found.file is None:
        put(text.rstrip("\n"))
        return 0
    target = Path(found.file).absolute()
    if target.is_dir():
        raise UsageError(f"{target} is a folder.", hint="Give the name of a file, such as session.md.")
    if target.exists() and not found.force:
        raise UsageError(f"{target} exists already.", hint="Give another name, or --force to replace it.")
    atomic_write(target, text.encode())
    if found.json:
        put_json({"id": summary.id, "file": str(target), "format": kind, "messages": len(loaded.live)})
    else:
        say(f"keepsake: {len(loaded.live)} messages exported to {target}.")
    return 0


def _format_of(found: argparse.Namespace) -> Format:
    if found.format:
        return "json" if found.format == "json" else "md"
    if found.file is None:
        return "json" if found.json else "md"
    return "json" if Path(found.file).suffix.lower() == ".json" else "md"


def import_(found: argparse.Namespace, services: Services) -> int:
    """Show the sessions of other tools' files or folders from now on, read where they lie; `--remove` forgets them again.

    Raises:
        UsageError: nothing is there, or nothing in it is a transcript.
        StorageError: the path cannot be remembered.
    """
    foreign = services.all_sessions.foreign
    path = Path(found.path)
    if found.remove:
        if not foreign.remove(path):
            raise UsageError(f"{path.absolute()} was not imported.", hint=_named(services))
        say(f"keepsake: {path.absolute()} is not looked at any more. Its files are as they were.")
        return 0
    if not path.exists():
        raise UsageError(f"There is nothing at {path.absolute()}.", hint="Give a transcript, or a folder that holds some.")
    sessions = foreign.add(path)
    if not sessions:
        from desktop.sessions.importers import open_transcript

        reasons = [str(damage.reason) for damage in open_transcript(path).damage[:1]]
        raise UsageError(f"{path.absolute()} holds no transcript that is known here.", hint=" ".join(reasons))
    if found.json:
        put_json(
            {
                "sessions": [
                    {"id": s.id, "source": s.source, "title": s.title, "messages": s.messages, "path": str(s.path)} for s in sessions
                ]
            }
        )
        return 0
    put(table([(s.id, s.source, f"{s.messages:>5}", visible(s.title)) for s in sessions]))
    say(f"keepsake: {len(sessions)} sessions can be read now: in the window, with “sessions show”, and as #sess_… in a chat.")
    return 0


def _named(services: Services) -> str:
    paths = [str(path) for path in services.all_sessions.foreign.named]
    return f"Imported are: {', '.join(paths)}." if paths else "Nothing was imported by its path."
