"""An export written to a file: the document, and beside a Markdown one a folder `<name>.files` with its pictures, linked relatively.

Owns what is written where. Pictures are named by their content, so that a second export finds them, and nothing else in the folder is
touched; the document comes last, so that it never links to what is not there. Blocking, any thread.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol
from urllib.parse import quote

from desktop.base.errors import NotFoundError, StorageError
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, digest
from desktop.sessions.export import Format, export_session, picture_text
from desktop.sessions.export_pictures import Picture, SideFileContent, pictures_of
from desktop.sessions.summary import SessionSummary
from desktop.sessions.transcript import LoadedTranscript

FOLDER = ".files"


class Exportable(Protocol):
    """`SessionStore` or `AllSessions`."""

    def find(self, session_id: str) -> SessionSummary: ...

    def load(self, session_id: str) -> LoadedTranscript: ...

    def side_file(self, session_id: str, digest: str) -> bytes: ...


@dataclass(frozen=True, slots=True)
class Exported:
    """What was written.

    Attributes:
        path: the document.
        messages: of the live branch.
        pictures: that were written beside a Markdown document, or into a JSON one.
        lost: pictures of which nothing is left but that they were there; the document says so at their places.
        damage: (line, reason) of what could not be read of the session.
    """

    path: Path
    messages: int
    pictures: int
    lost: int
    damage: tuple[tuple[int, str], ...]


def side_files_of(sessions: Exportable, session_id: str) -> SideFileContent:
    """The side files of a session; None for what is lost."""

    def content(name: str) -> bytes | None:
        try:
            return sessions.side_file(session_id, name)
        except NotFoundError:
            return None

    return content


@dataclass(slots=True)
class _Pictures:
    """Counts the pictures that are lost, and writes those of a Markdown document."""

    folder: Path
    content: Callable[[str], bytes | None]
    written: set[str] = field(default_factory=set)
    lost: int = 0

    def read(self, name: str) -> bytes | None:
        """For a JSON document: a picture goes into it."""
        content = self.content(name)
        self.lost += content is None
        return content

    def link(self, picture: Picture) -> str:
        """For Markdown: the picture is in the folder when this returns.

        Raises:
            StorageError: it cannot be written.
        """
        content = picture.content(self.content)
        if content is None:
            self.lost += 1
            return picture_text(picture, self.content)
        name = f"{digest(content)[:16]}.{picture.extension}"
        if name not in self.written:
            self._write(name, content)
        return f"![a picture, {picture.size_text}]({quote(f'{self.folder.name}/{name}')})"

    def _write(self, name: str, content: bytes) -> None:
        try:
            self.folder.mkdir(exist_ok=True)
        except OSError as error:
            raise StorageError(
                say("The folder {path} for the pictures cannot be made ({reason}).", path=self.folder, reason=os_reason(error)),
                hint=say("Give another name, or export as JSON, which holds them."),
                detail=str(error),
            ) from error
        atomic_write(self.folder / name, content)
        self.written.add(name)


def export_to(sessions: Exportable, session_id: str, kind: Format, target: Path) -> Exported:
    """Write a session to `target`; what is in its place is replaced, so whoever calls has asked.

    Raises:
        NotFoundError: no such session.
        StorageError: it cannot be written.
    """
    summary, loaded = sessions.find(session_id), sessions.load(session_id)
    pictures = _Pictures(pictures_folder(target), side_files_of(sessions, session_id))
    there = sum(1 for message in (loaded.live if kind == "md" else loaded.messages) for part in message.parts for _ in pictures_of(part))
    if kind == "md":
        text = export_session(loaded, summary, kind, side_file=pictures.content, shown=pictures.link)
    else:
        text = export_session(loaded, summary, kind, side_file=pictures.read)
    atomic_write(target, text.encode("utf-8", errors="replace"))
    return Exported(target, len(loaded.live), there - pictures.lost, pictures.lost, tuple(loaded.damage))


def pictures_folder(target: Path) -> Path:
    """Where the pictures of a Markdown document stand."""
    return target.with_name(f"{target.stem}{FOLDER}")
