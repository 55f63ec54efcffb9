"""What of a message goes into side files before it is stored: big texts of tool results, and images in base64 wherever they stand.

Owns what counts as big and as an image. A person's and the model's own words always stay in the record. Pure: the files are made by
`side_files`.
"""

from __future__ import annotations

import base64
import binascii
import re
from collections.abc import Callable
from dataclasses import replace
from typing import Any

from desktop.base.textio import digest
from desktop.messages.parts import Message, Part, TextPart, ToolResultPart
from desktop.sessions.side_files import DEPTH, REFERENCES, TEXT, PutAside, Reference, SideFile, is_reference, mapped

LIMIT = 64 << 10
"""UTF-8 bytes of a text that stay in the record; of a larger one the first KEPT characters do."""

KEPT = 16_384

_IMAGE_URL = re.compile(r"data:(image/[a-z0-9.+-]{1,40});base64,", re.IGNORECASE)
_IMAGE_MEDIA = re.compile(r"image/[a-z0-9.+-]{1,40}", re.IGNORECASE)
_MEDIA_KEYS = ("media_type", "mediaType", "mime_type", "mimeType", "media", "mime")
_DATA_KEYS = ("data", "base64", "image")


def put_aside(message: Message) -> PutAside:
    """Take big texts of tool results and images out of a message. One without them is given back as it is."""
    files: dict[str, SideFile] = {}
    shown = tuple(_with_data(part, lambda data: _without_images(data, files, 0)) for part in message.parts)
    cut = tuple(_cut(part, files) for part in shown)
    if not files:
        return PutAside(message, message, ())
    return PutAside(replace(message, parts=shown), replace(message, parts=cut), tuple(files.values()))


def _with_data(part: Part, changed: Callable[[Any], Any]) -> Part:
    if not isinstance(part, (TextPart, ToolResultPart)) or not part.data:
        return part
    data = changed(part.data)
    return part if data is part.data else replace(part, data=data)


def _kept(files: dict[str, SideFile], content: bytes, media: str) -> Reference:
    file = SideFile(digest(content), media, content)
    files[file.digest] = file
    return file.reference


def _without_images(value: Any, files: dict[str, SideFile], depth: int) -> Any:
    """The value with a reference in place of every base64 image."""
    if depth > DEPTH or is_reference(value):
        return value
    if isinstance(value, str):
        return _image_url(value, files)
    if isinstance(value, dict):
        image = _image_object(value, files)
        if image is not None:
            return image
    return mapped(value, lambda inner: _without_images(inner, files, depth + 1))


def _image_url(text: str, files: dict[str, SideFile]) -> Any:
    found = _IMAGE_URL.match(text)
    content = _decoded(text[found.end() :]) if found is not None else None
    return text if found is None or content is None else _kept(files, content, found[1].lower())


def _image_object(value: dict[str, Any], files: dict[str, SideFile]) -> Reference | None:
    """A reference beside the other fields, for `{"media_type": "image/png", "data": "<base64>"}` and its like."""
    media_key = next((k for k in _MEDIA_KEYS if isinstance(value.get(k), str) and _IMAGE_MEDIA.fullmatch(value[k])), None)
    data_key = next((k for k in _DATA_KEYS if isinstance(value.get(k), str)), None)
    if media_key is None or data_key is None:
        return None
    content = _decoded(value[data_key])
    if content is None:
        return None
    return {key: inner for key, inner in value.items() if key != data_key} | _kept(files, content, value[media_key].lower())


def _decoded(text: str) -> bytes | None:
    try:
        return base64.b64decode("".join(text.split()), validate=True) or None
    except (binascii.Error, ValueError):
        return None


def _cut(part: Part, files: dict[str, SideFile]) -> Part:
    """The part with a reference in place of every text over LIMIT that is no person's or model's own words."""
    part = _with_data(part, lambda data: _without_texts(data, files, 0))
    if not isinstance(part, ToolResultPart):
        return part
    named = {name: text for name, text in (("output", part.output), ("diff", part.diff)) if text is not None and _is_big(text)}
    if not named:
        return part
    known = (part.data or {}).get(REFERENCES)
    found = (known if isinstance(known, dict) else {}) | {name: _kept(files, _bytes(text), TEXT) for name, text in named.items()}
    short = {name: text[:KEPT] for name, text in named.items()}
    data = {**(part.data or {}), REFERENCES: found}
    return replace(part, output=short.get("output", part.output), diff=short.get("diff", part.diff), data=data)


def _without_texts(value: Any, files: dict[str, SideFile], depth: int) -> Any:
    if isinstance(value, str):
        return _kept(files, _bytes(value), TEXT) if _is_big(value) else value
    if depth > DEPTH or is_reference(value):
        return value
    return mapped(value, lambda inner: _without_texts(inner, files, depth + 1))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _is_big(text: str) -> bool:
    return len(text) > LIMIT or (len(text) > LIMIT // 4 and len(_bytes(text)) > LIMIT)
