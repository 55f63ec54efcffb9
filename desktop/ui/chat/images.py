"""Pictures in messages: where they stand (base64 in a part's data or in its text, side files), and how one is decoded within limits.

`images_of` and `taken_out` are pure; `decode` runs in a reading thread. Nothing is ever loaded from an address: only bytes of the session.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from PySide6.QtGui import QImage

    from desktop.bridge.operations import Failure, Operations

MOST = 40
"""Pictures of one message that are shown."""
MAX_BYTES = 24 << 20
MAX_PIXELS = 40_000_000
"""A picture with more pixels is not decoded: 4 bytes each, while it is made smaller."""
FORMATS = {"png": "image/png", "jpeg": "image/jpeg", "gif": "image/gif", "webp": "image/webp"}
_DEPTH = 12
_BASE64_KEYS = ("base64", "data", "image")
_MEDIA_KEYS = ("media", "media_type", "mediaType", "mime_type", "mimeType", "mime")
_STARTS = {"iVBORw0KGgo": "image/png", "/9j/": "image/jpeg", "R0lGOD": "image/gif", "UklGR": "image/webp"}
"""How base64 of each format begins."""
_RUN = re.compile(r"(?:data:image/[a-z0-9.+-]{1,40};base64,)?(?:iVBORw0KGgo|/9j/|R0lGOD|UklGR)[A-Za-z0-9+/]{40,}={0,2}")
_PREFIX = re.compile(r"data:image/[a-z0-9.+-]{1,40};base64,")
_MIN_RUN = 80
"""Characters of base64 below which it is rather a word than a picture."""


@dataclass(frozen=True, slots=True)
class ImageRef:
    """A picture of a message: its type, about how many bytes it has, and its base64 or the digest of its side file."""

    media: str
    size: int
    base64: str = ""
    file: str = ""


def images_of(data: Mapping[str, Any] | None) -> tuple[ImageRef, ...]:
    """The pictures in a part's `data`, at most MOST."""
    found: list[ImageRef] = []
    for ref in _walk(data, 0):
        found.append(ref)
        if len(found) >= MOST:
            break
    return tuple(found)


def _walk(value: Any, depth: int) -> Iterator[ImageRef]:
    if depth > _DEPTH:
        return
    if isinstance(value, str) and value[:11] == "data:image/" and (ref := _of_text(value)) is not None:
        yield ref
    elif isinstance(value, Mapping):
        ref = _of_object(value)
        if ref is not None:
            yield ref
            return
        for one in value.values():
            yield from _walk(one, depth + 1)
    elif isinstance(value, (list, tuple)):
        for one in value:
            yield from _walk(one, depth + 1)


def _of_object(value: Mapping[str, Any]) -> ImageRef | None:
    media = next((value[key] for key in _MEDIA_KEYS if isinstance(value.get(key), str)), "")
    if not media.startswith("image/"):
        return None
    name, size = value.get("file"), value.get("bytes")
    if isinstance(name, str) and re.fullmatch("[0-9a-f]{64}", name):
        return ImageRef(media, size if isinstance(size, int) else 0, file=name)
    text = next((value[key] for key in _BASE64_KEYS if isinstance(value.get(key), str)), "")
    return ImageRef(media, len(text) * 3 // 4, base64=text) if text else None


def _of_text(run: str) -> ImageRef | None:
    """A picture that is written out, with or without `data:…;base64,` before it."""
    body = _PREFIX.sub("", run, count=1)
    media = next((media for start, media in _STARTS.items() if body.startswith(start)), "")
    return ImageRef(media, len(body) * 3 // 4, base64=body) if media and len(body) >= _MIN_RUN else None


def taken_out(text: str) -> tuple[str, tuple[ImageRef, ...]]:
    """A text with a short note in place of each picture that is written out in it, and these pictures."""
    if len(text) < _MIN_RUN or not any(start in text for start in _STARTS):
        return text, ()
    found: list[ImageRef] = []

    def replaced(match: re.Match[str]) -> str:
        ref = _of_text(match.group())
        if ref is None or len(found) >= MOST:
            return match.group()
        found.append(ref)
        return f"[{ref.media}, {max(1, ref.size >> 10):,} KB]"

    return _RUN.sub(replaced, text), tuple(found)


@dataclass(frozen=True, slots=True)
class Decoded:
    """A picture made as large as it is shown; `image` is None where it cannot be: `reason` is `broken`, `large` or `lost` then.

    Attributes:
        width, height: of the whole picture, in pixels.
    """

    image: QImage | None
    width: int = 0
    height: int = 0
    reason: str = ""


def decode(content: bytes, edge: int) -> Decoded:
    """A picture, made no larger than `edge` pixels in either direction; any thread. What is no PNG, JPEG, GIF or WebP is `broken`."""
    from PySide6.QtCore import QBuffer, QByteArray, QIODevice, QSize, Qt
    from PySide6.QtGui import QImageReader

    if len(content) > MAX_BYTES:
        return Decoded(None, reason="large")
    buffer = QBuffer()
    buffer.setData(QByteArray(content))
    buffer.open(QIODevice.OpenModeFlag.ReadOnly)
    reader = QImageReader(buffer)
    reader.setDecideFormatFromContent(True)
    if bytes(reader.format().data()).decode("ascii", "replace") not in FORMATS:
        return Decoded(None, reason="broken")
    reader.setAutoTransform(True)
    size = reader.size()
    if not size.isValid() or size.isEmpty():
        return Decoded(None, reason="broken")
    if size.width() * size.height() > MAX_PIXELS:
        return Decoded(None, size.width(), size.height(), "large")
    if max(size.width(), size.height()) > edge:
        small = size.scaled(QSize(edge, edge), Qt.AspectRatioMode.KeepAspectRatio)
        reader.setScaledSize(small.expandedTo(QSize(1, 1)))
    image = reader.read()
    return Decoded(None, size.width(), size.height(), "broken") if image.isNull() else Decoded(image, size.width(), size.height())


def bytes_of(text: str) -> bytes | None:
    """What base64 stands for; None where it is none."""
    if len(text) > MAX_BYTES * 2:
        return None
    try:
        return base64.b64decode("".join(text.split()), validate=True)
    except (binascii.Error, ValueError):
        return None


class ImageSource:
    """Decodes pictures in reading threads.

    Args:
        side_file: gives the content of a side file by its digest, or None where it is lost; blocking.
    """

    def __init__(self, operations: Operations, side_file: Callable[[str], bytes | None]) -> None:
        self._operations = operations
        self._side_file = side_file

    def load(self, ref: ImageRef, edge: int, done: Callable[[Decoded], None]) -> int:
        """Decode a picture; `done` follows in this thread."""
        from desktop.bridge.operations import is_alive

        def broken(failure: Failure) -> None:
            if is_alive(done):
                done(Decoded(None, reason="broken"))

        return self._operations.read(lambda: self._decoded(ref, edge), done, broken)

    def load_text(self, digest: str, done: Callable[[str | None], None]) -> int:
        """The text of a side file; None where it is lost."""
        from desktop.bridge.operations import is_alive

        return self._operations.read(lambda: self._text(digest), done, lambda failure: done(None) if is_alive(done) else None)

    def _text(self, digest: str) -> str | None:
        content = self._side_file(digest)
        return None if content is None else content.decode("utf-8", "surrogatepass")

    def _decoded(self, ref: ImageRef, edge: int) -> Decoded:
        content = self._side_file(ref.file) if ref.file else bytes_of(ref.base64)
        if content is None:
            return Decoded(None, reason="lost" if ref.file else "broken")
        return decode(content, edge)
