"""Files of other tools as plain bytes, also those that are packed: with zstd, as Codex keeps old rollouts, or with gzip.

What a file is packed with is told by its first bytes, not by its name. It is unpacked as a stream, and never beyond a limit, so that a
small file cannot fill the memory. Damage ends the stream and is told; what stands before it is read. Blocking, any thread.
"""

from __future__ import annotations

import codecs
import io
import zlib
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, BinaryIO, Protocol

from desktop.base.phrases import say
from desktop.sessions.transcript import decoded, open_plain

if TYPE_CHECKING:
    from _typeshed import WriteableBuffer

ZSTD, GZIP = b"\x28\xb5\x2f\xfd", b"\x1f\x8b\x08"
MOST_UNPACKED = 1 << 30
"""Bytes that a packed file may become; a larger one is refused."""
_BUFFER = 1 << 18
_STEP = 1_024
"""Packed bytes that are taken at a time: with zstd they become 32 MiB at most."""
_WINDOW = 128 << 20
"""Bytes that zstd may look back, which it holds in memory: as much as its own program allows."""

Told = Callable[[str], object]


class _Unpacker(Protocol):
    @property
    def eof(self) -> bool: ...

    @property
    def unused_data(self) -> bytes: ...

    def decompress(self, data: bytes, /) -> bytes: ...


def opened(path: Path, told: Told = lambda _reason: None) -> BinaryIO:
    """The file's content as UTF-8 bytes, the mark of the encoding skipped; close it. Only of a plain file it can be sought in.

    Args:
        told: called with the reason where a packed file is cut or damaged, once its sound part was read.

    Raises:
        OSError: missing, unreadable, no plain file; or, while it is read, too large unpacked.
    """
    file = io.BufferedReader(open_plain(path).detach(), _BUFFER)  # type: ignore[attr-defined]  # lines are longer than the usual buffer
    try:
        start = file.read(len(ZSTD))
        file.seek(0)
        if not start.startswith((ZSTD, GZIP)):
            plain = decoded(file)
            if plain is not file:
                file.close()
            return plain
        return _unmarked(io.BufferedReader(_Unpacked(file, start == ZSTD, told), 1 << 16))
    except BaseException:
        file.close()
        raise


def is_packed(path: Path) -> bool:
    """Whether a file is packed. False for what cannot be read."""
    try:
        with open_plain(path) as file:
            return file.read(len(ZSTD)).startswith((ZSTD, GZIP))
    except OSError:
        return False


def _unmarked(file: io.BufferedReader) -> BinaryIO:
    start = file.peek(4)
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        with file:
            return io.BytesIO(file.read().decode("utf-16", errors="replace").encode("utf-8", errors="replace"))
    if start.startswith(codecs.BOM_UTF8):
        file.read(len(codecs.BOM_UTF8))
    return file


class _Unpacked(io.RawIOBase):
    """A packed file's content as a stream."""

    def __init__(self, file: BinaryIO, is_zstd: bool, told: Told) -> None:
        self._file = file
        self._new, self._errors = _zstd() if is_zstd else (_gzip, (zlib.error,))
        self._unpacker: _Unpacker | None = None
        self._told = told
        self._input = b""
        self._held = memoryview(b"")
        self._count = 0
        self._over = False

    def readable(self) -> bool:
        return True

    def close(self) -> None:
        self._file.close()
        super().close()

    def readinto(self, buffer: WriteableBuffer, /) -> int:
        room = memoryview(buffer).cast("B")
        while not self._held and not self._over:
            self._fill()
        size = min(len(room), len(self._held))
        room[:size] = self._held[:size]
        self._held = self._held[size:]
        return size

    def _fill(self) -> None:
        """Unpack the next bytes.

        Raises:
            OSError: they are too many.
        """
        given = self._input or self._file.read(_STEP)
        self._input = b""
        if not given:
            self._end("" if self._unpacker is None else say("the packed file is cut: what stands behind it is lost"))
            return
        unpacker = self._unpacker = self._unpacker or self._new()
        try:
            made = unpacker.decompress(given)
        except self._errors:
            self._end(say("the packed file is damaged: what stands behind it is lost"))
            return
        if unpacker.eof:  # another part may follow, packed by itself
            self._unpacker, self._input = None, unpacker.unused_data
        self._count += len(made)
        if self._count > MOST_UNPACKED:
            self._over = True
            raise OSError(say("it is larger than {size} MiB when it is unpacked", size=MOST_UNPACKED >> 20))
        self._held = memoryview(made)

    def _end(self, reason: str) -> None:
        self._over = True
        if reason:
            self._told(reason)


def _gzip() -> _Unpacker:
    return zlib.decompressobj(wbits=31)


def _zstd() -> tuple[Callable[[], _Unpacker], tuple[type[Exception], ...]]:
    """How an unpacker is made, and what it raises for damage; the library is loaded only where such a file is read."""
    import zstandard

    decompressor = zstandard.ZstdDecompressor(max_window_size=_WINDOW)

    def new() -> Any:
        return decompressor.decompressobj()

    return new, (zstandard.ZstdError,)
