"""The wire format of Protocol Buffers, as far as two kinds of weight files need it: the fields of a message, in order. Pure; no file.

Source: the encoding chapter of the Protocol Buffers documentation.
"""

from __future__ import annotations

import struct
from collections.abc import Iterator

_FIXED = {1: 8, 5: 4}
VARINT, BYTES, FIXED_32 = 0, 2, 5


class WireError(ValueError):
    """The bytes are no message."""


def varint(data: memoryview, at: int) -> tuple[int, int]:
    """A variable-length integer and the place after it.

    Raises:
        WireError: it does not end within ten bytes or within the data.
    """
    value = 0
    for shift in range(0, 70, 7):
        if at >= len(data):
            break
        byte = data[at]
        at += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            return value, at
    raise WireError(f"an integer at byte {at} does not end")


def fields(data: memoryview) -> Iterator[tuple[int, int, int, memoryview]]:
    """(field number, wire type, integer, bytes) of each field; what the wire type does not carry is 0 or empty.

    Raises:
        WireError: a field reaches beyond the data, or has a wire type that is not in use.
    """
    at, none = 0, data[:0]
    while at < len(data):
        key, at = varint(data, at)
        kind = key & 7
        if kind == VARINT:
            value, at = varint(data, at)
            yield key >> 3, kind, value, none
            continue
        if kind == BYTES:
            size, at = varint(data, at)
        elif kind in _FIXED:
            size = _FIXED[kind]
        else:
            raise WireError(f"wire type {kind} at byte {at}")
        if at + size > len(data):
            raise WireError(f"a field at byte {at} reaches beyond the end")
        yield key >> 3, kind, 0, data[at : at + size]
        at += size


def float32(value: memoryview) -> float:
    """A number of a four-byte field."""
    return float(struct.unpack("<f", value)[0])
