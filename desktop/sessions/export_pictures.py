"""Pictures of a conversation on their way into a document: where they stand in a part's data, and their bytes where these are to be had.

A picture is a reference to a side file, or base64 in one of the forms that tools write. Pure, but for the content of side files, which
is asked for through a function that is given.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

from desktop.messages.parts import Part, TextPart, ToolResultPart
from desktop.sessions.side_files import DEPTH, EXTENSIONS, is_reference, mapped

SideFileContent = Callable[[str], bytes | None]
"""The content of a side file by its digest; None when it is lost."""

MEDIA_KEYS = ("media", "media_type", "mediaType", "mime_type", "mimeType", "mime")
DATA_KEYS = ("base64", "data", "image")
LEAST = 256
"""Bytes from which something that calls itself a picture is taken for one; a smaller one has to begin as pictures do."""
_MEDIA = re.compile(r"image/[a-z0-9.+-]{1,40}", re.IGNORECASE)
_DATA_URL = re.compile(r"data:(image/[a-z0-9.+-]{1,40});base64,", re.IGNORECASE)
_BASE64 = re.compile(r"[A-Za-z0-9+/]+={0,2}")
_STARTS = (b"\x89PNG", b"\xff\xd8\xff", b"GIF8", b"RIFF", b"BM", b"II*\0", b"MM\0*", b"\0\0\1\0", b"<svg", b"<?xml")
_KILO = 1024


@dataclass(frozen=True, slots=True)
class Picture:
    """A picture of a message: its type, its bytes as far as they are told, and its base64 or the digest of its side file."""

    media: str
    size: int
    text: str = ""
    file: str = ""

    @property
    def extension(self) -> str:
        """Of a file that holds it, without the dot."""
        plain = re.sub(r"[^a-z0-9]", "", self.media.lower().removeprefix("image/").partition("+")[0])
        return EXTENSIONS.get(self.media) or plain[:10] or "bin"

    @property
    def size_text(self) -> str:
        kilo = max(1, round(self.size / _KILO))
        return f"{kilo} KB" if kilo < _KILO else f"{self.size / _KILO / _KILO:.1f} MB"

    def content(self, side_file: SideFileContent) -> bytes | None:
        """Its bytes; None when they are lost."""
        return side_file(self.file) if self.file else decoded(self.text)


class Base64:
    """The base64 of a picture inside a JSON value: not a text, so that nothing in it is taken for a secret; written as one."""

    __slots__ = ("_text",)

    def __init__(self, text: str) -> None:
        self._text = text

    def __str__(self) -> str:
        return self._text


def decoded(text: str) -> bytes | None:
    """What base64 stands for; None where it is none."""
    try:
        return base64.b64decode("".join(text.split()), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def pictures_of(part: Part) -> Iterator[Picture]:
    """The pictures in a part's data, in their order."""
    if isinstance(part, (TextPart, ToolResultPart)) and part.data:
        yield from pictures_in(part.data)


def pictures_in(value: Any, depth: int = 0) -> Iterator[Picture]:
    """The pictures in a value, in their order."""
    found = picture_of(value)
    if found is not None:
        yield found
    elif depth <= DEPTH and isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from pictures_in(inner, depth + 1)


def picture_of(value: Any) -> Picture | None:
    """The picture that a value is."""
    if isinstance(value, str):
        found = _DATA_URL.match(value)
        return _written_out(found[1].lower(), value[found.end() :]) if found else None
    if not isinstance(value, dict):
        return None
    media = next((value[key] for key in MEDIA_KEYS if isinstance(value.get(key), str) and _MEDIA.fullmatch(value[key])), "").lower()
    text = next((value[key] for key in DATA_KEYS if isinstance(value.get(key), str)), "")
    found_here = _written_out(media, text) if media and text else None
    if found_here is None and media and is_reference(value):
        return Picture(media, value["bytes"], file=value["file"])
    return found_here


def _written_out(media: str, text: str) -> Picture | None:
    """A picture in base64; None for what only says that it is one, which may be anything."""
    plain = "".join(text.split())
    if not _BASE64.fullmatch(plain):
        return None
    head = decoded(plain[:64])
    size = len(plain.rstrip("=")) * 3 // 4
    if head is None or (size < LEAST and not head.startswith(_STARTS) and head[4:8] != b"ftyp"):
        return None
    return Picture(media, size, text)


def carried(value: Any, side_file: SideFileContent, depth: int = 0) -> Any:
    """A JSON value with the bytes of every picture in it: base64 beside each reference. One whose side file is lost is marked `lost`."""
    picture = picture_of(value)
    if picture is None:
        return mapped(value, lambda inner: carried(inner, side_file, depth + 1)) if depth <= DEPTH else value
    if isinstance(value, str):
        return Base64(value)
    if picture.text:
        return {key: Base64(inner) if isinstance(inner, str) and inner == picture.text else inner for key, inner in value.items()}
    content = side_file(picture.file)
    if content is None:
        return {**value, "lost": True}
    text = base64.b64encode(content).decode("ascii")
    return {**value, "base64": Base64(text) if _written_out(picture.media, text) else text}
