"""Sessions of Keepsake itself that lie outside this profile: exports, and transcripts `sess_….jsonl` of another profile or machine.

A Markdown export is read by `keepsake_markdown`. The others come back whole: every branch, which one is live, thinking, calls, results and
pictures. A transcript is read by the reader of our own, with the side files beside it. Blocking, reading threads; nothing is written.
"""

from __future__ import annotations

import base64
import re
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from desktop.base.errors import NotFoundError
from desktop.base.phrases import say
from desktop.messages.codec import message_from_json
from desktop.sessions.export import KIND
from desktop.sessions.export_pictures import Picture
from desktop.sessions.importers import values
from desktop.sessions.importers.keepsake_markdown import SOURCE, TITLE, is_markdown, markdown_entries, read_markdown
from desktop.sessions.importers.keepsake_message import imported
from desktop.sessions.importers.reading import MAX_LINE, Sample, Source, loads
from desktop.sessions.importers.shapes import (
    Damage,
    ImportedMessage,
    ImportedSession,
    Thread,
    TranscriptEntry,
)
from desktop.sessions.record import KINDS, SessionHeader, header_from_json
from desktop.sessions.side_files import SideFiles
from desktop.sessions.summary import one_line, read_summary, summary_of
from desktop.sessions.transcript import LoadedTranscript, decoded, open_plain, read_transcript

TRANSCRIPT = "keepsake"
LARGEST = 2 << 30
"""Bytes of an export that is read as one document: pictures make them large."""
_LOOK = 200
"""Lines by which an export is told from a transcript where the start is damaged."""
PARENTS = 32
"""Transcripts that a fork is followed back through for a side file."""
_HEAD = re.compile(rf'\s*\{{\s*"kind"\s*:\s*"{KIND}"')
_TYPES_0 = ("session", "message", "title")


def score(sample: Sample) -> int:
    """How surely a file is one of ours, 0 to 100. A folder of ours is looked through like any other."""
    document = values.mapping(sample.document)
    if document.get("kind") == KIND or _HEAD.match(sample.head.lstrip("\ufeff\0")):
        return 100
    if is_markdown(sample.head):
        return 99
    records = sample.records or ((document,) if document else ())
    if sum(map(_is_line, records)) * 2 > len(records):
        return 98
    exported = sum(map(_is_message, records))
    return 92 if exported and exported * 4 >= len(records) else 0


def _is_line(record: dict[str, Any]) -> bool:
    """Whether an object is a line of a transcript, of any version."""
    if type(record.get("schema")) is not int:
        return False
    if record.get("kind") in KINDS:
        return type(record.get("seq")) is int and record["kind"] in record
    return record["schema"] == 0 and record.get("type") in _TYPES_0 and isinstance(record.get("body"), dict)


def _is_message(record: dict[str, Any]) -> bool:
    """Whether an object is a message of an export."""
    told = (record.get("id"), record.get("role"), record.get("origin"))
    return all(isinstance(one, str) for one in told) and isinstance(record.get("parts"), list) and isinstance(record.get("live"), bool)


def _is_session(record: dict[str, Any]) -> bool:
    """Whether an object is the header of an export."""
    return "project_key" in record and "workspace" in record and isinstance(record.get("id"), str)


def _is_piece(record: dict[str, Any]) -> bool:
    return _is_message(record) or _is_session(record)


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a file, told without reading the whole of it."""
    if is_markdown(_head(source)):
        return markdown_entries(source)
    if not _is_export(source):
        known = read_summary(source.path)
        title = "" if known.title == known.id else known.title
        return [
            TranscriptEntry(
                source.path,
                None,
                TRANSCRIPT,
                title,
                known.workspace,
                known.started,
                known.updated,
                known.messages,
                known.kind,
                known.parent,
            )
        ]
    head = _head(source)
    told = {name: values.told_field(head, name) for name in ("title", "workspace", "started", "updated")}
    moments = values.moment(told["started"]), values.moment(told["updated"])
    return [TranscriptEntry(source.path, None, SOURCE, values.told_title(told["title"]), told["workspace"], *moments)]


def read(source: Source, session: str | None) -> ImportedSession:
    """The session, whichever of the two the file is.

    Raises:
        OSError: the file cannot be read.
    """
    if is_markdown(_head(source)):
        return read_markdown(source)
    return _of_export(source) if _is_export(source) else _of_transcript(source.path)


def _head(source: Source) -> str:
    with open_plain(source.path) as file:
        return decoded(file).read(8_192).decode("utf-8", errors="replace")


def _is_export(source: Source) -> bool:
    """Whether a file of ours is an export: it begins as one, or its first records are no lines of a transcript."""
    if _HEAD.match(_head(source).lstrip("\ufeff\0")):
        return True
    first = (found.value for found in islice(source.records(), _LOOK) if isinstance(found.value, dict))
    return next((not _is_line(record) for record in first if _is_line(record) or _is_piece(record)), True)


# --- a JSON export ------------------------------------------------------------------------------------------------------


def _of_export(source: Source) -> ImportedSession:
    document, damage = _document(source)
    if isinstance(document, dict) and document.get("kind") == KIND:
        messages = document.get("messages")
        made = _Export(document, values.mapping(document.get("session")))
        made.lost += [Damage(0, _was(one)) for one in values.mappings(document.get("damage"))]
        if not isinstance(messages, list):
            made.lost.append(Damage(0, say("it holds no list of messages")))
        for number, value in enumerate(values.listing(messages), 1):
            made.take(value, 0, number)
        return made.session(source.path)
    made = _Export({}, {}, [damage] if damage is not None else [])
    number = 0
    for found in source.pieces(_is_piece):
        if found.value is None:
            made.lost.append(Damage(found.line, found.reason))
        elif _is_message(found.value):
            number += 1
            made.take(found.value, found.line, number)
        else:
            made.header = made.header or found.value
    made.about = _about(source)
    return made.session(source.path)


def _document(source: Source) -> tuple[Any, Damage | None]:
    """The document, also one that is larger than those of other tools."""
    if source.path.stat().st_size <= MAX_LINE:
        return source.document()
    with open_plain(source.path) as file:
        text = decoded(file).read(LARGEST).decode("utf-8", errors="replace")
    try:
        return loads(text), None
    except ValueError:
        return None, Damage(0, say("the document is cut or not JSON"))


def _about(source: Source) -> dict[str, Any]:
    """What a broken export tells of the session as a whole, before its messages."""
    head = source.start(8_192).partition('"messages"')[0]
    return {name: values.told_field(head, name) for name in ("title", "model", "started", "leaf")}


def _was(damage: dict[str, Any]) -> str:
    """What could not be read when the session was exported."""
    return say("in the transcript, line {line}: {reason}", line=values.whole(damage.get("line")), reason=values.text(damage.get("reason")))


@dataclass(slots=True)
class _Export:
    """An export while its messages come in.

    Attributes:
        about: what the document says of the session.
        header: of the session, as its transcript had it.
    """

    about: dict[str, Any]
    header: dict[str, Any]
    lost: list[Damage] = field(default_factory=list)
    thread: Thread = field(default_factory=Thread)
    seen: dict[str, ImportedMessage] = field(default_factory=dict)
    model: str = ""
    live: str = ""

    def take(self, value: Any, line: int, number: int) -> None:
        """A message of the document, the `number`th from 1."""
        try:
            message = message_from_json(value)
        except ValueError as error:
            self.lost.append(Damage(line, say("message {number} cannot be read: {reason}", number=number, reason=error)))
            return
        made, lost = imported(message, _in_document)
        self.lost += [Damage(line, say("message {number}: {reason}", number=number, reason=reason)) for reason in lost]
        if not self.thread.add(made):
            if made != self.seen[made.id]:
                self.lost.append(Damage(line, say("message {number} has the id of another one and is left out", number=number)))
            return
        self.seen[made.id] = made
        self.model = made.model or self.model
        if values.mapping(value).get("live") is True:
            self.live = made.id

    def session(self, path: Path) -> ImportedSession:
        header = header_from_json(self.header, 0)
        leaf = values.text(self.about.get("leaf")) or self.live
        messages = tuple(self.thread.messages)
        own_id = values.identifier(self.header.get("id")) or path.stem
        title = one_line(values.text(self.about.get("title")), TITLE)
        found = ImportedSession(
            SOURCE,
            own_id,
            title=(title if title != own_id else "") or values.first_title(messages),
            workspace=values.text(self.header.get("workspace")),
            started=(header.created if header else None) or values.moment(self.about.get("started")) or _first_time(messages),
            messages=messages,
            branches=self.thread.branches(),
            damage=tuple(self.lost),
            model=values.text(self.about.get("model")) or self.model,
            leaf=leaf if self.thread.knows(leaf) else None,
        )
        return _placed(found, header)


def _in_document(picture: Picture) -> str | None:
    """The base64 of a picture that stands in the document."""
    return picture.text or None


def _first_time(messages: Iterable[ImportedMessage]) -> datetime | None:
    return next((one.time for one in messages if one.time is not None), None)


def _placed(session: ImportedSession, header: SessionHeader | None) -> ImportedSession:
    """The session with what its header tells of where it belongs."""
    if header is None:
        return session
    return replace(session, git_branch=header.branch, parent=header.parent, kind=header.kind)


# --- a transcript -------------------------------------------------------------------------------------------------------


def _of_transcript(path: Path) -> ImportedSession:
    files = _side_files(path)
    loaded = read_transcript(path, side_files=files)

    def kept(picture: Picture) -> str | None:
        if not picture.file:
            return picture.text
        content = files.find(picture.file, picture.size, picture.media)
        return None if content is None else base64.b64encode(content).decode("ascii")

    thread = Thread()
    for message in loaded.messages:
        thread.add(imported(message, kept)[0])  # what is lost was told by the reader
    messages = tuple(thread.messages)
    header = loaded.header
    found = ImportedSession(
        TRANSCRIPT,
        header.id if header else path.stem,
        title=_title(loaded, path),
        workspace=header.workspace if header else "",
        started=header.created if header else _first_time(messages),
        messages=messages,
        branches=thread.branches(),
        damage=tuple(Damage(line, reason) for line, reason in loaded.damage),
        model=loaded.model,
        leaf=loaded.leaf,
    )
    return _placed(found, header)


def _title(loaded: LoadedTranscript, path: Path) -> str:
    known = summary_of(loaded, path, 0.0)
    return "" if known.title in (known.id, path.stem) else known.title


def _side_files(path: Path, depth: int = 0) -> SideFiles:
    """The side files of a transcript; what is missing is looked for at the one beside it that it was forked from."""

    def elsewhere(name: str) -> bytes | None:
        parent = read_summary(path).parent
        beside = path.with_name(f"{parent}{path.suffix}")
        if depth >= PARENTS or not parent or "/" in parent or "\\" in parent or beside == path:
            return None
        return _sound(_side_files(beside, depth + 1), name)

    return SideFiles(path, elsewhere)


def _sound(files: SideFiles, name: str) -> bytes | None:
    try:
        return files.read(name)
    except NotFoundError:
        return None
