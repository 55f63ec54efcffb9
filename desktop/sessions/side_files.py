"""Big tool outputs and images of a session, beside its transcript: `<session>.files/<sha256>.<ext>`, each named by its content.

Owns the folder and how content comes back. A record holds the first part of a text and a reference `{"file": sha256, "bytes": n,
"media": …}`; the file is on disk, with its name, before the record that names it. Nothing here is ever deleted, and a file that is lost
or changed is said, never an error. Any thread; reading and writing block.
"""

from __future__ import annotations

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

REFERENCES = "side_files"
"""Key in a part's `data`: references of its `output` and `diff`, while these are cut."""

TEXT = "text/plain"
EXTENSIONS = {TEXT: "txt", "image/png": "png", "image/jpeg": "jpg", "image/gif": "gif", "image/webp": "webp"}
DEPTH = 64
"""Levels of a part's `data` that are looked through; what lies deeper stays as it is."""

_OTHER = "bin"
_DIGEST = re.compile(r"[0-9a-f]{64}")

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


def mapped(value: Any, change: Callable[[Any], Any]) -> Any:
    """A dict or list with each value changed; the same object where none was."""
    if isinstance(value, dict):
        pairs = {key: change(inner) for key, inner in value.items()}
        return value if all(pairs[key] is inner for key, inner in value.items()) else pairs
    if isinstance(value, list):
        items = [change(inner) for inner in value]
        return value if all(new is old for new, old in zip(items, value, strict=True)) else items
    return value


# --- back into the message ----------------------------------------------------------------------------------------------


def missing(reference: Reference) -> str:
    """What is said of a side file that is not to be had."""
    name, size = reference["file"][:12], reference["bytes"]
    if reference["media"] == TEXT:
        return say("the side file {name} ({size:,} bytes) is missing or damaged", name=name, size=size)
    return say("the image {name} ({size:,} bytes) is missing or damaged", name=name, size=size)


@dataclass(slots=True)
class _Return:
    """What is found while a message is made whole."""

    files: SideFiles
    lost: list[str] = field(default_factory=list)

    def text(self, reference: Reference) -> str | None:
        content = self.files.find(reference["file"], reference["bytes"], reference["media"])
        if content is None:
            self.lost.append(missing(reference))
            return None
        return content.decode("utf-8", "surrogatepass")

    def value(self, value: Any, depth: int = 0) -> Any:
        if depth > DEPTH:
            return value
        if not is_reference(value):
            return mapped(value, lambda inner: self.value(inner, depth + 1))
        if value["media"] != TEXT:
            if not self.files.has(value["file"], value["bytes"], value["media"]):
                self.lost.append(missing(value))
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
