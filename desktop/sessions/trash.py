"""The trash of sessions: `<data>/trash/sessions/<date>/<project key>/`, where a session lies with its side files and copies until it is
put back or the person deletes it there.

Owns the moving. Whatever interrupts it, the transcript is in one place, and what belongs to it is found from there: it leaves before
its side files and comes back after them. Nothing is deleted by itself. Blocking, any thread; the caller holds the session's lock.
"""

from __future__ import annotations

import errno
import os
import shutil
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

from desktop.base.clock import Clock, from_seconds
from desktop.base.errors import NotFoundError, StorageError
from desktop.base.ids import SESSION_ID
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import fsync_dir, temporary_name
from desktop.sessions.side_files import folder_of
from desktop.sessions.summary import read_summary

SUFFIX = ".jsonl"
STAMP = "%Y%m%dT%H%M%S%fZ"


@dataclass(frozen=True, slots=True)
class TrashedSession:
    """A session in the trash.

    Attributes:
        id, title: as the list showed them.
        when: when it was moved there; aware UTC.
        path: where its transcript lies.
        project_key: of its project.
        was: where it goes back to.
        size: bytes, with side files and copies.
        expires: always None: nothing is deleted by itself.
    """

    id: str
    title: str
    when: datetime
    path: Path
    project_key: str
    was: Path
    size: int = 0
    expires: datetime | None = None


class SessionTrash:
    """See the module's text.

    Args:
        folder: the trash of sessions.
        sessions: the folder of the projects' folders.
    """

    def __init__(self, folder: Path, sessions: Path, clock: Clock) -> None:
        self._folder = folder
        self._sessions = sessions
        self._clock = clock

    def put(self, path: Path) -> Path:
        """Move a transcript here, with what stands beside it; says where it lies.

        Raises:
            StorageError, OSError: it is where it was.
        """
        target = ensure_private_dir(self._free_folder(path)) / path.name
        _move(path, target)
        try:
            _flush(target.parent, path.parent)
            _move_beside(path, target)
        except (OSError, StorageError):
            with suppress(OSError, StorageError):  # if this fails too it is in the trash, and can be put back from there
                _move_beside(target, path)
                _move(target, path)
                _flush(path.parent, target.parent)
            raise
        return target

    def _free_folder(self, path: Path) -> Path:
        stamp = self._clock.now().strftime(STAMP)
        count, name = 1, stamp
        while os.path.lexists(self._folder / name / path.parent.name / path.name):
            count += 1
            name = f"{stamp}-{count}"
        return self._folder / name / path.parent.name

    def all(self) -> list[TrashedSession]:
        """Every session that lies here, the latest first.

        Raises:
            StorageError: the trash cannot be listed.
        """
        try:
            found = [self._entry(path) for path in self._paths()]
        except OSError as error:
            raise StorageError(
                say("The trash {folder} cannot be listed ({reason}).", folder=self._folder, reason=os_reason(error)),
                hint=say("Check that you may read it."),
                detail=str(error),
            ) from error
        return sorted(found, key=lambda entry: (entry.when, entry.id), reverse=True)

    def find(self, path: Path) -> TrashedSession:
        """The entry of a transcript that lies here.

        Raises:
            NotFoundError: there is none.
        """
        if path.parent.parent.parent != self._folder or not _is_transcript(path.name) or not os.path.lexists(path):
            raise NotFoundError(
                say("{path} is not in the trash any more.", path=path), hint=say("It was restored or deleted; look at the list again.")
            )
        return self._entry(path)

    def _paths(self) -> Iterator[Path]:
        for stamp in _folders(self._folder):
            for key in _folders(stamp):
                with os.scandir(key) as entries:
                    yield from sorted(Path(entry.path) for entry in entries if _is_transcript(entry.name))

    def _entry(self, path: Path) -> TrashedSession:
        name, key = path.name[: -len(SUFFIX)], path.parent.name
        was = self._sessions / key / path.name
        size = sum(_size(part) for part in (path, *_beside(path), *_side(path)))
        return TrashedSession(name, read_summary(path).title, _when(path), path, key, was, size)

    def put_back(self, entry: TrashedSession) -> Path:
        """Move a session to where it was; says where. Raises as the function of that name."""
        put_back(entry.path, entry.was)
        return entry.was

    def delete(self, entry: TrashedSession) -> None:
        """Delete a session for good, because the person said so. The transcript goes last, so that what is left can be deleted again.

        Raises:
            OSError: not all of it could be deleted.
        """
        if not os.path.lexists(entry.was):
            _move_beside(entry.was, entry.path)  # what an interrupted move left there
        for part in (*_side(entry.path), *_beside(entry.path)):
            part.unlink(missing_ok=True)
        with suppress(FileNotFoundError):
            folder_of(entry.path).rmdir()
        if entry.path.is_dir() and not entry.path.is_symlink():
            shutil.rmtree(entry.path)
        else:
            entry.path.unlink(missing_ok=True)
        _flush(entry.path.parent)
        _tidy(entry.path.parent)


def put_back(path: Path, was: Path) -> None:
    """Move a transcript in the trash, and what belongs to it, to where it was.

    Raises:
        StorageError, OSError: something is in its place, or it cannot be moved; it is still in the trash.
    """
    if os.path.lexists(was):
        raise StorageError(say("{was} is there already.", was=was), hint=say("The session stays in the trash as {now}.", now=path))
    ensure_private_dir(was.parent)
    _move_beside(path, was)
    _move(path, was)
    try:
        _flush(was.parent, path.parent)
    except OSError:
        with suppress(OSError):  # what was said to have failed has not happened; if this fails too, it is back
            _move(was, path)
        raise
    _tidy(path.parent)


def _tidy(folder: Path) -> None:
    """Take away the folders of the date when nothing is left in them."""
    for empty in (folder, folder.parent):
        with suppress(OSError):
            empty.rmdir()


def _is_transcript(name: str) -> bool:
    return name.endswith(SUFFIX) and SESSION_ID.match(name[: -len(SUFFIX)]) is not None


def _folders(folder: Path) -> list[Path]:
    try:
        with os.scandir(folder) as entries:
            return [Path(entry.path) for entry in entries if entry.is_dir(follow_symlinks=False)]
    except FileNotFoundError:
        return []


def _when(path: Path) -> datetime:
    stamp = path.parent.parent.name.partition("-")[0]
    try:
        return datetime.strptime(stamp, STAMP).replace(tzinfo=UTC)
    except ValueError:
        with suppress(OSError):
            return from_seconds(path.lstat().st_mtime)
        return from_seconds(0)


def _size(path: Path) -> int:
    try:
        return path.lstat().st_size
    except OSError:
        return 0


def _beside(path: Path) -> list[Path]:
    """Copies beside a transcript: of torn ends, and of the file as it was before it was rewritten."""
    with suppress(FileNotFoundError), os.scandir(path.parent) as entries:
        return sorted(Path(entry.path) for entry in entries if entry.name.startswith(f"{path.name}."))
    return []


def _side(path: Path) -> list[Path]:
    with suppress(FileNotFoundError, NotADirectoryError), os.scandir(folder_of(path)) as entries:
        return sorted(Path(entry.path) for entry in entries)
    return []


def _move_beside(path: Path, target: Path) -> None:
    """Move what belongs to the transcript `path` to where it belongs for `target`; neither of the two need be there."""
    for part in _beside(path):
        _move(part, target.with_name(part.name))
    files = _side(path)
    if not files and not folder_of(path).is_dir():
        _flush(target.parent)
        return
    folder = ensure_private_dir(folder_of(target))
    for part in files:
        _move(part, folder / part.name)
    _flush(folder, target.parent)
    with suppress(OSError):
        folder_of(path).rmdir()


def _flush(*folders: Path) -> None:
    for folder in folders:
        if folder.is_dir():
            fsync_dir(folder)


def _move(source: Path, target: Path) -> None:
    """A rename; on another file system a flushed copy under a temporary name, which then takes its place."""
    try:
        source.rename(target)
    except OSError as error:
        if error.errno != errno.EXDEV:
            raise
        beside = target.with_name(temporary_name(target.name))
        try:
            shutil.copytree(source, beside) if source.is_dir() else shutil.copy2(source, beside)
            _flush_file(beside)
            beside.rename(target)
        finally:
            if beside.exists():
                shutil.rmtree(beside) if beside.is_dir() else beside.unlink()
        _flush(target.parent)
        shutil.rmtree(source) if source.is_dir() else source.unlink()


def _flush_file(path: Path) -> None:
    if path.is_file():
        handle = os.open(path, os.O_RDONLY)
        try:
            os.fsync(handle)
        finally:
            os.close(handle)
