"""Mistral Vibe: a folder a session, with its messages as requests have them (`messages.jsonl`) and what is known of it (`meta.json`).

The messages are read as those of any program; here stands what `meta.json` tells. Read only, blocking, reading threads.
"""

from __future__ import annotations

from pathlib import Path
from typing import Any

from desktop.sessions.importers import generic, values
from desktop.sessions.importers.reading import Sample, Source, loads
from desktop.sessions.importers.shapes import ImportedSession, TranscriptEntry, replaced
from desktop.sessions.importers.stores import small_text

SOURCE = "vibe"
MESSAGES, META = "messages.jsonl", "meta.json"
_SURE = 78


def _meta(path: Path) -> dict[str, Any]:
    """What stands beside the messages; empty for those of another program."""
    if path.name != MESSAGES:
        return {}
    try:
        told = values.mapping(loads(small_text(path.with_name(META))))
    except ValueError:
        return {}
    return told if "session_id" in told and {"environment", "start_time"} & told.keys() else {}


def score(sample: Sample) -> int:
    """How sure it is that a file holds the messages of a session of Vibe."""
    if sample.path.is_dir() or not _meta(sample.path):
        return 0
    return _SURE if generic.score(sample) else 0


def read(source: Source, session: str | None) -> ImportedSession:
    """The session of a file.

    Raises:
        OSError: the file cannot be read.
    """
    meta = _meta(source.path)
    found = generic.read(source, None)
    return replaced(
        found,
        source=SOURCE,
        id=values.identifier(meta.get("session_id")) or found.id,
        title=values.told_title(meta.get("title")) or found.title,
        workspace=_folder(meta) or found.workspace,
        started=values.moment(meta.get("start_time")) or found.started,
        model=found.model or values.text(values.mapping(meta.get("config")).get("active_model")),
        git_branch=values.text(meta.get("git_branch")) or found.git_branch,
        parent=values.identifier(meta.get("parent_session_id")) or found.parent,
    )


def _folder(meta: dict[str, Any]) -> str:
    return values.text(values.mapping(meta.get("environment")).get("working_directory"))


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a file; only what stands beside it is read."""
    meta = _meta(source.path)
    started, updated = values.moment(meta.get("start_time")), values.moment(meta.get("end_time"))
    return [TranscriptEntry(source.path, None, SOURCE, values.told_title(meta.get("title")), _folder(meta), started, updated)]
