"""A session written to a file that the person chose. Blocking: called through `operations`."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

from desktop.sessions.all_sessions import AllSessions
from desktop.sessions.summary import SessionSummary


def file_name(summary: SessionSummary, kind: Literal["md", "json"]) -> str:
    """The name that is offered for it."""
    from desktop.sessions.export import export_name

    return export_name(summary, kind)


def write_export(sessions: AllSessions, session_id: str, kind: Literal["md", "json"], target: Path) -> Path:
    """Write a session as Markdown, with its pictures beside it, or JSON; what was in its place is replaced, since the dialog asked.

    Raises:
        NotFoundError: no such session.
        StorageError: the file cannot be written.
    """
    from desktop.sessions.export_file import export_to

    return export_to(sessions, session_id, kind, target).path
