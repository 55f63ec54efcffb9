"""Judging a zip before anything of it is written: is it a plain, small, honest archive of Markdown files?

Owns the limits and every reason to refuse one; the first fault names its entry. Reads the archive in pieces, so that memory stays bounded
whatever it holds, and writes nothing. Blocking, any thread.
"""

from __future__ import annotations

import hashlib
import io
import json
import stat
import struct
import sys
import unicodedata
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import IO, Any

from desktop.base.confine import relative_problem
from desktop.base.errors import UsageError
from desktop.base.phrases import say
from desktop.base.redact import visible
from desktop.base.textio import digest

MANIFEST = "keepsake.json"
SCHEMA = 1
MAX_FILES = 20_000
MAX_FILE = 5 << 20
MAX_TOTAL = 200 << 20
MAX_RATIO = 200
"""Unpacked bytes a packed one, where more than `RATIO_FROM` are unpacked."""

RATIO_FROM = 64 << 10
MAX_DIRECTORY = 32 << 20
MAX_MANIFEST = 8 << 20
PIECE = 1 << 16

_END, _END_SIZE = b"PK\x05\x06", 22
_LOCATOR, _LOCATOR_SIZE = b"PK\x06\x07", 20
_END64, _END64_SIZE = b"PK\x06\x06", 56
_CENTRAL, _CENTRAL_SIZE = b"PK\x01\x02", 46
_LOCAL, _LOCAL_SIZE = b"PK\x03\x04", 30
_UTF8, _ENCRYPTED, _PATCH, _STRONG, _MASKED = 1 << 11, 1, 1 << 5, 1 << 6, 1 << 13
_REPARSE = 0x400
_UNICODE_PATH = 0x7075
_DAMAGE = (
    zipfile.BadZipFile, zipfile.LargeZipFile, zlib.error, struct.error,
    EOFError, OverflowError, NotImplementedError, RuntimeError, ValueError, OSError,
)  # fmt: skip
"""What `zipfile` raises for archives that are damaged or beyond it."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One memory in an archive: its path below the root, size in bytes, digest, and time of last change in nanoseconds or None."""

    path: str
    size: int
    digest: str
    modified_ns: int | None
    info: zipfile.ZipInfo = field(repr=False, compare=False)


def refused(name: str, problem: str) -> UsageError:
    """The error for an archive with a bad entry."""
    shown = name if len(name) <= 120 else name[:117] + "…"
    return UsageError(
        say("The archive was not imported: its entry “{entry}” {problem}.", entry=visible(shown), problem=problem),
        hint=say("Nothing was changed. Take that entry out, or export the memory again."),
    )


def damaged(problem: str, detail: str = "") -> UsageError:
    """The error for an archive that is none, or is beyond the limits as a whole."""
    return UsageError(
        say("The archive was not imported: {problem}.", problem=problem),
        hint=say("Nothing was changed. Export the memory again."),
        detail=detail,
    )


@contextmanager
def opened(source: IO[bytes]) -> Iterator[zipfile.ZipFile]:
    """The archive in a seekable stream, its directory checked before it is read.

    Raises:
        UsageError: it is no zip, or its directory is too large or untrue.
    """
    try:
        _check_directory(source)
        archive = zipfile.ZipFile(source)
    except _DAMAGE as error:
        raise damaged(say("it is not a zip file, or it is damaged"), str(error)) from error
    with archive:
        yield archive


def read_entries(archive: zipfile.ZipFile) -> list[Entry]:
    """Every memory in the archive, in its order, after all checks: names, kinds, limits, and each byte unpacked once against its checksum.

    Raises:
        UsageError: it is refused; the message names the entry.
    """
    infos = archive.infolist()
    if len(infos) > MAX_FILES * 2:
        raise damaged(say("it holds more than {most:,} files", most=MAX_FILES))
    names = Names()
    files: list[tuple[str, zipfile.ZipInfo]] = []
    manifest: zipfile.ZipInfo | None = None
    for info in infos:
        name = _name_of(info)
        _check_kind(info, name)
        _check_flags(info, name)
        if names.clash(name):
            raise refused(name, say("stands in the archive twice, or differs from another entry only in its spelling"))
        if name == MANIFEST:
            manifest = info
        elif not name.endswith("/"):
            _check_file(info, name)
            files.append((name, info))
    _check_sums(files)
    _check_layout(archive, [*files, *([(MANIFEST, manifest)] if manifest else [])])
    times = _times(archive, manifest)
    return [_read_entry(archive, name, info, times.get(name)) for name, info in files]


def content(archive: zipfile.ZipFile, entry: Entry) -> bytes:
    """An entry's bytes, the same that were checked.

    Raises:
        UsageError: the archive was changed meanwhile.
    """
    data = b"".join(_pieces(archive, entry.path, entry.info, MAX_FILE))
    if digest(data) != entry.digest:
        raise damaged(say("it was changed while it was read"))
    return data


# the directory


def _check_directory(source: IO[bytes]) -> None:
    """Count the directory's entries without keeping any, and compare with what the archive says of itself."""
    source.seek(0, io.SEEK_END)
    size = source.tell()
    place, count, length, start = _end_record(source, size)
    if length > MAX_DIRECTORY or count > MAX_FILES * 2:
        raise damaged(say("it holds more than {most:,} files", most=MAX_FILES))
    if start + length != place or start < 0:
        raise damaged(say("other data stands in front of it or inside its directory"))
    source.seek(start)
    found, left = 0, length
    while left > 0:
        head = source.read(_CENTRAL_SIZE)
        if len(head) < _CENTRAL_SIZE or not head.startswith(_CENTRAL):
            raise damaged(say("its directory is damaged"))
        lengths = sum(struct.unpack_from("<HHH", head, 28))
        left -= _CENTRAL_SIZE + lengths
        source.seek(lengths, io.SEEK_CUR)
        found += 1
        if found > count:
            break
    if left != 0 or found != count:
        raise damaged(say("its directory does not hold what it says"))
    source.seek(0)


def _end_record(source: IO[bytes], size: int) -> tuple[int, int, int, int]:
    """Where the directory must end, how many entries it says to have, its length and its start."""
    tail = min(size, _END_SIZE + 0xFFFF)
    source.seek(size - tail)
    data = source.read(tail)
    at = data.rfind(_END)
    while at >= 0 and (at + _END_SIZE > len(data) or at + _END_SIZE + struct.unpack_from("<H", data, at + 20)[0] != len(data)):
        at = data.rfind(_END, 0, at)
    if at < 0:
        raise damaged(say("it is not a zip file, or it is cut off"))
    disk, first, here, count, length, start, _ = struct.unpack_from("<HHHHIIH", data, at + 4)
    place = size - tail + at
    if disk or first or here != count:
        raise damaged(say("it is one part of several"))
    if 0xFFFF in (count,) or 0xFFFFFFFF in (length, start):
        return _end_record64(source, place)
    return place, count, length, start


def _end_record64(source: IO[bytes], place: int) -> tuple[int, int, int, int]:
    if place < _LOCATOR_SIZE:
        raise damaged(say("its directory is damaged"))
    source.seek(place - _LOCATOR_SIZE)
    locator = source.read(_LOCATOR_SIZE)
    if not locator.startswith(_LOCATOR):
        raise damaged(say("its directory is damaged"))
    disk, at, disks = struct.unpack_from("<IQI", locator, 4)
    if disk or disks > 1 or at != place - _LOCATOR_SIZE - _END64_SIZE:
        raise damaged(say("other data stands in front of it or inside its directory"))
    source.seek(at)
    record = source.read(_END64_SIZE)
    if not record.startswith(_END64):
        raise damaged(say("its directory is damaged"))
    here, count, length, start = struct.unpack_from("<QQQQ", record, 24)
    if here != count:
        raise damaged(say("it is one part of several"))
    return at, count, length, start


# names and kinds


def _name_of(info: zipfile.ZipInfo) -> str:
    """The entry's name as it is meant, checked."""
    name = info.orig_filename
    if "\x00" in name:
        raise refused(name, say("has a NUL character in its name"))
    if not name.isascii() and not info.flag_bits & _UTF8:
        try:
            name = name.encode("cp437").decode("utf-8")
        except UnicodeError as error:
            raise refused(name, say("has a name in an unknown character set")) from error
    if _has_second_name(info):
        raise refused(name, say("has two names"))
    if "\\" in name:
        raise refused(name, say("has a backslash in its name"))
    if name.startswith("/") or (len(name) > 1 and name[1] == ":"):
        raise refused(name, say("has an absolute path"))
    parts = name.removesuffix("/").split("/")
    if any(part in ("", ".", "..") for part in parts):
        raise refused(name, say("leads out of the folder, or is not a name"))
    problem = _name_problem(parts)
    if problem:
        raise UsageError(
            say("The archive was not imported: {problem}", problem=problem),
            hint=say("Nothing was changed. Rename that entry “{entry}”, or take it out.", entry=visible(name[:120])),
        )
    return name


def _name_problem(parts: list[str]) -> str | None:
    return relative_problem(parts, platform=sys.platform)


def name_problem(path: str) -> str | None:
    """Why a file of this path could not be imported again, or None."""
    return _name_problem(path.split("/"))


def _has_second_name(info: zipfile.ZipInfo) -> bool:
    """Whether an extra field gives the entry another name (Info-ZIP's Unicode path): readers differ in which one they take."""
    extra, at = info.extra, 0
    while at + 4 <= len(extra):
        kind, length = struct.unpack_from("<HH", extra, at)
        if kind == _UNICODE_PATH:
            given = extra[at + 9 : at + 4 + length]
            return given != info.orig_filename.encode("utf-8", "replace")
        at += 4 + length
    return False


def _check_kind(info: zipfile.ZipInfo, name: str) -> None:
    mode = info.external_attr >> 16
    kind = stat.S_IFMT(mode)
    if stat.S_ISLNK(mode) or info.external_attr & _REPARSE:
        raise refused(name, say("is a link"))
    folder = name.endswith("/")
    if kind not in (0, stat.S_IFDIR if folder else stat.S_IFREG):
        raise refused(name, say("is not a plain file"))
    if folder and (info.file_size or info.compress_size > 2):
        raise refused(name, say("is a folder that holds data"))
    if folder or name == MANIFEST:
        return
    if name.lower().endswith((".zip", ".jar")):
        raise refused(name, say("is an archive inside the archive"))
    if not name.endswith(".md"):
        raise refused(name, say("does not end in .md"))


def _check_flags(info: zipfile.ZipInfo, name: str) -> None:
    if info.flag_bits & (_ENCRYPTED | _STRONG | _MASKED):
        raise refused(name, say("is encrypted"))
    if info.flag_bits & _PATCH or info.compress_type not in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED):
        raise refused(name, say("is packed in a way that is not read here"))


def spelling(path: str) -> str:
    """What two paths have in common that are one file on a disk that folds case or Unicode forms."""
    return unicodedata.normalize("NFC", unicodedata.normalize("NFC", path).casefold())


class Names:
    """The paths of one archive: none twice in any spelling, none that is a file here and a folder there."""

    def __init__(self) -> None:
        self._files: dict[str, str] = {}
        self._folders: dict[str, str] = {}

    def clash(self, path: str) -> str:
        """Take in a path (a folder's ends with a slash); the one it stands against, or "" when it is taken in."""
        folder = path.endswith("/")
        parts = path.removesuffix("/").split("/")
        folders = ["/".join(parts[:depth]) for depth in range(1, len(parts) + folder)]
        for place in folders:
            key = spelling(place)
            if key in self._files or self._folders.get(key, place) != place:
                return self._files.get(key) or self._folders[key]
        key = spelling("/".join(parts))
        if not folder and (key in self._files or key in self._folders):
            return self._files.get(key) or self._folders[key]
        self._folders.update((spelling(place), place) for place in folders)
        if not folder:
            self._files[key] = path
        return ""


def _check_file(info: zipfile.ZipInfo, name: str) -> None:
    if info.file_size > MAX_FILE:
        raise refused(name, say("has {size:,} bytes; a memory has at most {most:,}", size=info.file_size, most=MAX_FILE))
    if info.file_size > RATIO_FROM and info.file_size > MAX_RATIO * max(info.compress_size, 1):
        raise refused(name, say("grows to more than {ratio} times its size", ratio=MAX_RATIO))
    if info.compress_type == zipfile.ZIP_STORED and info.compress_size != info.file_size:
        raise refused(name, say("is damaged"))


def _check_sums(files: list[tuple[str, zipfile.ZipInfo]]) -> None:
    if len(files) > MAX_FILES:
        raise refused(files[MAX_FILES][0], say("is one too many: an archive has at most {most:,} files", most=MAX_FILES))
    total = 0
    for name, info in files:
        total += info.file_size
        if total > MAX_TOTAL:
            raise refused(name, say("is too much: an archive has at most {most} MiB in all", most=MAX_TOTAL >> 20))


def _check_layout(archive: zipfile.ZipFile, files: list[tuple[str, zipfile.ZipInfo]]) -> None:
    """No two entries share bytes, and none reaches into the directory (overlapping entries unpack to far more than the archive's size)."""
    past, owner = 0, ""
    source = archive.fp
    for name, info in sorted(files, key=lambda pair: pair[1].header_offset):
        if source is None or info.header_offset < past:
            raise refused(name, say("shares its bytes with “{other}”", other=visible(owner)))
        source.seek(info.header_offset)
        head = source.read(_LOCAL_SIZE)
        if len(head) < _LOCAL_SIZE or not head.startswith(_LOCAL):
            raise refused(name, say("is damaged"))
        if struct.unpack_from("<H", head, 6)[0] & (_ENCRYPTED | _STRONG | _MASKED):
            raise refused(name, say("is encrypted"))
        past = info.header_offset + _LOCAL_SIZE + sum(struct.unpack_from("<HH", head, 26)) + info.compress_size
        owner = name
        if past > archive.start_dir:
            raise refused(name, say("reaches into the archive's directory"))


# contents


def _pieces(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo, most: int) -> Iterator[bytes]:
    try:
        with archive.open(info) as stream:
            size = 0
            while piece := stream.read(PIECE):
                size += len(piece)
                if size > most:
                    raise refused(name, say("has more bytes than it says"))
                yield piece
            if size != info.file_size:
                raise refused(name, say("does not hold what the directory says"))
    except _DAMAGE as error:
        raise refused(name, say("is damaged: its checksum or its packing is wrong")) from error


def _read_entry(archive: zipfile.ZipFile, name: str, info: zipfile.ZipInfo, modified_ns: int | None) -> Entry:
    found, first = hashlib.sha256(), b""
    for piece in _pieces(archive, name, info, MAX_FILE):
        first = first or piece[:4]
        found.update(piece)
    if first.startswith((_LOCAL, _END)):
        raise refused(name, say("is an archive inside the archive"))
    return Entry(name, info.file_size, found.hexdigest(), modified_ns, info)


def is_archive(data: bytes) -> bool:
    """Whether a file is a zip itself, which no import takes."""
    return data.startswith((_LOCAL, _END))


def _times(archive: zipfile.ZipFile, info: zipfile.ZipInfo | None) -> dict[str, int]:
    """Times of last change by path, as the manifest says."""
    if info is None:
        return {}
    if info.file_size > MAX_MANIFEST or (info.file_size > RATIO_FROM and info.file_size > MAX_RATIO * max(info.compress_size, 1)):
        raise refused(MANIFEST, say("has {size:,} bytes; a memory has at most {most:,}", size=info.file_size, most=MAX_MANIFEST))
    data = b"".join(_pieces(archive, MANIFEST, info, MAX_MANIFEST))
    try:
        found = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise refused(MANIFEST, say("is not valid JSON")) from error
    return _checked_times(found)


def _checked_times(found: Any) -> dict[str, int]:
    schema = found.get("schema") if isinstance(found, dict) else None
    if not isinstance(schema, int) or isinstance(schema, bool) or schema < 1:
        raise refused(MANIFEST, say("is not a list of a memory's files"))
    if schema > SCHEMA:
        raise UsageError(
            say("The archive was made by a newer Keepsake (schema {schema}).", schema=schema),
            hint=say("Nothing was changed. Update the app, then import it again."),
        )
    files = found.get("files")
    times: dict[str, int] = {}
    for path, about in files.items() if isinstance(files, dict) else ():
        moment = about.get("modified_ns") if isinstance(about, dict) else None
        if isinstance(moment, int) and not isinstance(moment, bool) and 0 <= moment < 1 << 62:
            times[path] = moment
    return times
