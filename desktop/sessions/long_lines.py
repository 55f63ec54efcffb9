"""Lines of a transcript without holding a long one: a record of 100 MB becomes one whose long texts are cut, with a checksum of its own.

For readers that show the start of a text at most. A long line whose checksum is wrong is given as it stands, since what can be saved of it
needs all its bytes. Writes nothing; blocking, any thread.
"""

from __future__ import annotations

import re
import zlib
from typing import BinaryIO

from desktop.sessions.transcript import MAX_LINE

LONG = 1 << 20
"""Bytes from which a line is looked at in pieces."""
PIECE = 1 << 20
KEPT = 240_000
"""Bytes that are kept of a text in a long line: 20,000 characters at least, however they are written."""
TAIL = 200
"""Bytes at a text's end that are looked at: a reminder is known by its end."""

_CRC = re.compile(rb',"crc":"([0-9a-f]{8})"\}\Z')
_INSIDE = re.compile(rb'(?:[^"\\]++|\\.)*+', re.DOTALL)
"""What goes on a text, up to its closing quote, or to the end of what is there."""
_WHOLE = re.compile(rb'(?:[^"\\]++|\\u[0-9a-fA-F]{4}|\\[^u])*+')
"""The part of a cut text that does not end in the middle of an escape."""
_PLAIN = re.compile(rb"[ <>-]")
"""A byte that is in no escape: from there on a text can begin."""


def read_line(file: BinaryIO) -> bytes | None:
    """The next line with its newline, long texts in it cut; empty at the end; None for one over `MAX_LINE`, which is passed over."""
    start = file.tell()
    data = file.readline(LONG)
    if not data or len(data) < LONG or data.endswith(b"\n"):
        return data
    line = _Long()
    while data:
        line.take(data)
        if data.endswith(b"\n"):
            break
        data = file.readline(PIECE)
    if line.length > MAX_LINE:
        return None
    shortened = line.result()
    if shortened is not None:
        return shortened
    file.seek(start)
    return file.readline(MAX_LINE + 1)


class _Long:
    """One line that comes in pieces."""

    def __init__(self) -> None:
        self.length = 0
        self._out = bytearray()
        self._text = bytearray()
        self._in_text = False
        self._cut = 0
        self._rest = b""
        self._crc = 0
        self._held = b""

    def take(self, piece: bytes) -> None:
        self.length += len(piece)
        if self.length <= MAX_LINE:
            self._check(piece)
            self._shorten(self._rest + piece)

    def _check(self, piece: bytes) -> None:
        """Checksum of all but the last 20 bytes, which may be the record's own checksum and a line end."""
        held = self._held + piece
        self._crc = zlib.crc32(memoryview(held)[:-20], self._crc)
        self._held = held[-20:]

    def _shorten(self, piece: bytes) -> None:
        at = 0
        self._rest = b""
        while at < len(piece):
            if not self._in_text:
                quote = piece.find(b'"', at)
                end = len(piece) if quote < 0 else quote + 1
                self._out += piece[at:end]
                at, self._in_text = end, quote >= 0
                continue
            found = _INSIDE.match(piece, at)
            end = found.end() if found is not None else at
            self._keep(piece[at:end])
            at = end
            if at < len(piece) and piece[at : at + 1] == b'"':
                self._close()
                at += 1
            elif at < len(piece):  # a backslash whose other half comes with the next piece
                self._rest = piece[at:]
                return

    def _keep(self, text: bytes) -> None:
        """More of the text: its first bytes stay, and so do its last."""
        self._text += text
        if len(self._text) > 2 * KEPT:
            self._cut += len(self._text) - KEPT - TAIL
            del self._text[KEPT:-TAIL]

    def _close(self) -> None:
        text = bytes(self._text)
        if self._cut or len(text) > KEPT + TAIL:
            head, tail = text[:KEPT], text[-TAIL:]
            whole, plain = _WHOLE.match(head), _PLAIN.search(tail)
            text = head[: whole.end() if whole is not None else 0] + (tail[plain.start() :] if plain is not None else b"")
        self._out += text
        self._out += b'"'
        self._text.clear()
        self._cut, self._in_text = 0, False

    def result(self) -> bytes | None:
        """The line with a checksum that is right for what is left; None when its own was wrong."""
        held = self._held.rstrip(b"\r\n")
        found = _CRC.search(held)
        if self._in_text or self._rest or found is None:
            return None
        if zlib.crc32(held[: found.start()], self._crc) != int(found[1], 16):
            return None
        end = len(self._out.rstrip(b"\r\n")) - len(found[0])
        del self._out[end:]
        return b'%s,"crc":"%08x"}\n' % (self._out, zlib.crc32(self._out))
