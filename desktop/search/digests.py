"""Digests of what an index stores: every column that decides a result is in one, so that a changed letter or number is found. Pure.

Three levels: a passage; the chain of a document's passages, which grows at its end without reading those before; the document with its
labels, weight and chain. Vectors have a checksum of their own, which tells for which passage they are.
"""

from __future__ import annotations

import hashlib
import struct
import zlib

Numbers = tuple[int, int, float, int, int, int, int]
"""unit, place, time, length, speaker, day, marks."""

Texts = tuple[str | None, ...]
_SIZE = 12
EMPTY = b""
"""The chain of a document without passages."""


def _joined(texts: Texts) -> bytes:
    """Texts with their lengths, so that none can run into the next; None is not the empty text."""
    parts: list[bytes] = []
    for text in texts:
        data = b"" if text is None else text.encode("utf-8", "surrogatepass")
        parts += (struct.pack("<q", -1 if text is None else len(data)), data)
    return b"".join(parts)


def passage_digest(numbers: Numbers, texts: Texts) -> bytes:
    """What tells two passages of a document apart, 12 bytes.

    Args:
        texts: role, title, body, ref, and both texts as the index cuts them.
    """
    return hashlib.blake2b(struct.pack("<qqdqqqq", *numbers) + _joined(texts), digest_size=_SIZE).digest()


def chained(chain: bytes, digest: bytes) -> bytes:
    """The chain of a document with one more passage."""
    return hashlib.blake2b(chain + digest, digest_size=_SIZE).digest()


def document_digest(texts: Texts, weight: float, time: float, chain: bytes) -> bytes:
    """A document as a whole.

    Args:
        texts: key, scope, scope_id, kind, fingerprint.
    """
    return hashlib.blake2b(struct.pack("<dd", weight, time) + chain + _joined(texts), digest_size=_SIZE).digest()


def text_digest(title: str, body: str) -> bytes:
    """What a vector is made from: passages with the same one have the same vector."""
    return hashlib.blake2b(_joined((title, body)), digest_size=_SIZE).digest()


def vector_sum(passage: int, data: bytes) -> int:
    """Checksum of a stored vector; it tells a damaged one, and one that came to another passage."""
    return zlib.crc32(data, passage & 0xFFFFFFFF)
