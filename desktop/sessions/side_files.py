"""Big tool outputs and images of a session, beside its transcript: `<session>.files/<sha256>.<ext>`, each named by its content.

Owns what goes there and how it comes back. A record holds the first part of a text and a reference `{"file": sha256, "bytes": n,
"media": …}`; the file is on disk, with its name, before the record that names it. Nothing here is ever deleted, and a file that is lost
or changed is said, never an error. Any thread; reading and writing block.
"""

from __future__ import annotations

import base64
import binascii
import os
import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any, NamedTuple

from desktop.base.errors import NotFoundError, StorageError
from desktop.base.paths import ensure_private_dir
from desktop.base.phrases import os_reason, say
from desktop.base.textio import atomic_write, digest, fsync_dir
from desktop.messages.parts import Message, Part, TextPart, ToolResultPart

LIMIT = 64 << 10
"""UTF-8 bytes of a text that stay in the record; of a larger one the first KEPT characters do."""

KEPT = 16_384
REFERENCES = "side_files"
"""Key in a part's `data`: references of its `output` and `diff`, while these are cut."""

TEXT = "text/plain"
EXTENSIONS = {TEXT: "txt", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}
DEPTH = 64
"""Levels of a part's `data` that are looked through; what lies deeper stays as it is."""

_OTHER = "bin"
_DIGEST = re.compile(r"[0-9a-f]{64}")
_IMAGE_URL = re.compile(r"data:(image/[a-z0-9.+-]{1,40});base64,", re.IGNORECASE)
_IMAGE_MEDIA = re.compile(r"image/[a-z0-9.+-]{1,40}", re.IGNORECASE)
_MEDIA_KEYS = ("media_type", "mediaType", "mime_type", "mimeType", "media", "mime")
_DATA_KEYS = ("data", "base64", "image")

Reference = dict[str, Any]
Elsewhere = Callable[[str], bytes | None]


@dataclass(frozen=True, slots=True)
class SideFile:
    """Content that goes beside the transcript; `media` is its type."""

    digest: str
    media: str
    content: bytes

    @property
    def reference(self) -> Reference:
        return {"file": self.digest, "bytes": len(self.content), "media": self.media}


@dataclass(frozen=True, slots=True)
class PutAside:
    """A message made ready to be stored.

    Attributes:
        message: as it is held in memory and as a reader gets it back: whole texts, images as references.
        record: as it stands in the transcript: big texts cut, too.
        files: what has to be on disk before the record is.
    """

    message: Message
    record: Message
    files: tuple[SideFile, ...]


class BroughtBack(NamedTuple):
    """A message out of a record, with what was put aside; `lost` names in words what was not to be had."""

    message: Message
    lost: tuple[str, ...] = ()


def folder_of(transcript: Path) -> Path:
    """The folder of a transcript's side files; it need not exist."""
    return transcript.with_name(f"{transcript.stem}.files")


def is_reference(value: object) -> bool:
    """Whether a value of a part's `data` names a side file."""
    return (
        isinstance(value, dict)
        and isinstance(value.get("file"), str)
        and _DIGEST.fullmatch(value["file"]) is not None
        and type(value.get("bytes")) is int
        and value["bytes"] >= 0
        and isinstance(value.get("media"), str)
    )


def references(message: Message) -> Iterator[Reference]:
    """Every reference in the parts of a message, in their order; those of cut texts too."""
    for part in message.parts:
        if isinstance(part, (TextPart, ToolResultPart)) and part.data is not None:
            yield from _references(part.data, 0)


def _references(value: Any, depth: int) -> Iterator[Reference]:
    if depth > DEPTH:
        return
    if is_reference(value):
        yield value
    elif isinstance(value, (dict, list)):
        for inner in value.values() if isinstance(value, dict) else value:
            yield from _references(inner, depth + 1)


# --- out of the message -------------------------------------------------------------------------------------------------


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
    return part if data is part.data else replace(part, data=data if isinstance(data, dict) else {"value": data})


def _kept(files: dict[str, SideFile], content: bytes, media: str) -> Reference:
    file = SideFile(digest(content), media, content)
    files[file.digest] = file
    return file.reference


def _mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A dict or list with each value changed; the same object where none was."""
    if isinstance(value, dict):
        pairs = {key: change(inner) for key, inner in value.items()}
        return value if all(pairs[key] is inner for key, inner in value.items()) else pairs
    if isinstance(value, list):
        items = [change(inner) for inner in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value


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
    return _mapped(value, lambda inner: _without_images(inner, files, depth + 1))


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
    return _mapped(value, lambda inner: _without_texts(inner, files, depth + 1))


def _bytes(text: str) -> bytes:
    return text.encode("utf-8", "surrogatepass")


def _is_big(text: str) -> bool:
    return len(text) > LIMIT or (len(text) > LIMIT // 4 and len(_bytes(text)) > LIMIT)


# --- back into the message ----------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Return:
    """What is found while a message is made whole."""

    files: SideFiles
    lost: list[str] = field(default_factory=list)

    def text(self, reference: Reference) -> str | None:
        content = self.files.find(reference["file"], reference["bytes"], reference["media"])
        if content is None:
            self.lost.append(f"the side file {reference['file'][:12]} ({reference['bytes']:,} bytes) is missing or damaged")
            return None
        return content.decode("utf-8", "surrogatepass")

    def value(self, value: Any, depth: int = 0) -> Any:
        if depth > DEPTH:
            return value
        if not is_reference(value):
            return _mapped(value, lambda inner: self.value(inner, depth + 1))
        if value["media"] != TEXT:
            if not self.files.has(value["file"], value["bytes"], value["media"]):
                self.lost.append(f"the image {value['file'][:12]} ({value['bytes']:,} bytes) is missing or damaged")
            return value
        text = self.text(value)
        return value if text is None else text


def bring_back(message: Message, files: SideFiles) -> BroughtBack:
    """A message as it was before its texts were cut. Images stay references; whether they are there is looked after.

    Of a text that is lost the first part stays, a line says so to the person and the model, and its reference is kept.
    """
    if not any(True for _ in references(message)):
        return BroughtBack(message)
    work = _Return(files)
    parts = tuple(_whole(part, work) for part in message.parts)
    return BroughtBack(replace(message, parts=parts), tuple(work.lost))


def _whole(part: Part, work: _Return) -> Part:
    if not isinstance(part, (TextPart, ToolResultPart)) or not part.data:
        return part
    aside = part.data.get(REFERENCES)
    data = {key: work.value(value, 1) for key, value in part.data.items() if key != REFERENCES}
    if not isinstance(part, ToolResultPart) or not isinstance(aside, dict):
        return replace(part, data=data if aside is None else {**data, REFERENCES: aside})
    texts: dict[str, str] = {}
    missing: dict[str, Any] = {}
    for name, reference in aside.items():
        text = work.text(reference) if is_reference(reference) and name in ("output", "diff") else None
        if text is not None:
            texts[name] = text
        elif is_reference(reference) and not reference.get("lost"):
            missing[name] = {**reference, "lost": True}
            texts[name] = f"{getattr(part, name) or ''}\n[The rest of this text is lost: it had {reference['bytes']:,} bytes.]"
        else:
            missing[name] = reference
    left = {**data, REFERENCES: missing} if missing else data
    return replace(part, output=texts.get("output", part.output), diff=texts.get("diff", part.diff), data=left or None)


# --- the folder ---------------------------------------------------------------------------------------------------------


class SideFiles:
    """The side files of one transcript.

    Args:
        transcript: its path; the folder stands beside it.
        elsewhere: gives what is not here: the files of the session that this one was forked from.
    """

    def __init__(self, transcript: Path, elsewhere: Elsewhere = lambda digest: None) -> None:
        self.folder = folder_of(transcript)
        self._elsewhere = elsewhere

    def path(self, digest: str, media: str) -> Path:
        return self.folder / f"{digest}.{EXTENSIONS.get(media, _OTHER)}"

    def store(self, message: PutAside) -> None:
        """Put a message's files on disk, with those that it only names and that lie elsewhere. They last when this returns.

        Raises:
            StorageError: not all of them are stored; the record must not be written.
        """
        files = [*message.files, *self._adopted(message)]
        if not files:
            return
        ensure_private_dir(self.folder)
        known = False
        for file in files:
            if self.find(file.digest, len(file.content), file.media, here=True) is None:
                atomic_write(self.path(file.digest, file.media), file.content)
            else:
                known = True
        if known:  # an earlier try may have ended between its name and the flush of the folder
            self._flush()

    def _flush(self) -> None:
        try:
            fsync_dir(self.folder)
        except OSError as error:
            raise StorageError(
                say("{path} could not be saved ({reason}).", path=self.folder, reason=os_reason(error)), detail=str(error)
            ) from error

    def _adopted(self, message: PutAside) -> Iterator[SideFile]:
        new = {file.digest for file in message.files}
        for reference in references(message.record):
            name, size, media = reference["file"], reference["bytes"], reference["media"]
            if name in new or self.has(name, size, media, here=True):
                continue
            new.add(name)
            content = self._elsewhere(name)
            if content is not None:
                yield SideFile(name, media, content)

    def has(self, name: str, size: int, media: str, *, here: bool = False) -> bool:
        """Whether a file is there, in its right size; its content is not read."""
        try:
            return self.path(name, media).stat().st_size == size
        except OSError:
            return not here and self._elsewhere(name) is not None

    def find(self, name: str, size: int, media: str, *, here: bool = False) -> bytes | None:
        """The content of a file, or None where it is missing or is not what its name says."""
        path = self.path(name, media)
        try:
            content = path.read_bytes() if path.is_file() and path.stat().st_size == size else None
        except OSError:
            content = None
        if content is not None and digest(content) == name:
            return content
        return None if here else self._elsewhere(name)

    def read(self, name: str) -> bytes:
        """The content of a file by its digest alone.

        Raises:
            NotFoundError: it is missing, or is not what its name says.
        """
        if _DIGEST.fullmatch(name):
            for extension in (*EXTENSIONS.values(), _OTHER):
                path = self.folder / f"{name}.{extension}"
                try:
                    content = path.read_bytes() if path.is_file() else None
                except OSError:
                    continue
                if content is not None and digest(content) == name:
                    return content
            other = self._elsewhere(name)
            if other is not None:
                return other
        raise NotFoundError(
            say("The file {name} of the session is lost or damaged.", name=name[:12]),
            hint=say("It would stand in {folder}.", folder=self.folder),
        )

    def paths(self) -> list[Path]:
        """The files that are there, by name."""
        try:
            with os.scandir(self.folder) as entries:
                return sorted(Path(entry.path) for entry in entries if entry.is_file(follow_symlinks=False))
        except OSError:
            return []
