"""A stored transcript as the material of ReadSessionContext, read as a stream: each message is read, scored and let go again.

Gives what `LoadedMaterial` gives of the same file, in bounded memory: of each message its id, its parent and its score are held, of the
texts those that are asked for. Passes over what `read_transcript` passes over. Writes nothing; blocking, any thread.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any, BinaryIO

from desktop.base.ids import SESSION_ID
from desktop.base.phrases import say
from desktop.messages.codec import message_from_json
from desktop.messages.parts import Message
from desktop.sessions.context import ID_LOST, SILENT, LoadedMaterial, Material, held_points, points_of, snippet_at
from desktop.sessions.lines import Seen
from desktop.sessions.long_lines import read_line
from desktop.sessions.readable import Snippet, folded, readable_text, terms_of
from desktop.sessions.record import SCHEMA, Record, SessionHeader, decode_line, header_from_json
from desktop.sessions.skeleton import Skeleton, open_transcript_bytes
from desktop.sessions.summary import TITLE_NAMES, first_prompt_title, title_of
from desktop.sessions.transcript import LEAF, LoadedTranscript


@contextmanager
def open_material(path: Path, query: str = "") -> Iterator[Material]:
    """A transcript's material; it can be read as long as the context lasts.

    A file that cannot be read, or of which no message can be, is material too: `failed` tells.

    Args:
        query: the question that will be asked, so that one reading does for it.
    """
    try:
        file = open_transcript_bytes(path)
    except OSError:
        yield _unreadable()
        return
    with file:
        yield StreamedMaterial(file, query, path.stem if SESSION_ID.match(path.stem) else "")


def _unreadable() -> Material:
    return LoadedMaterial(LoadedTranscript(None, (), (), {}, [(0, "the file cannot be read")]))


class StreamedMaterial:
    """The material in a transcript's opened UTF-8 bytes, which have to stay open. See the module's text and `open_material`.

    Args:
        name: the session's id; empty: the one that its header tells.
    """

    def __init__(self, file: BinaryIO, query: str = "", name: str = "") -> None:
        self._file = file
        self._start = file.tell()  # behind the mark of the encoding
        self._scored = (folded(query), terms_of(query))
        self._bones = Skeleton()
        self._points = array("d")
        self._prompts = bytearray()
        self._header: SessionHeader | None = None
        self._titles: dict[str, Any] = {}
        self._next_seq = 0
        self._damaged = False
        self._read()
        self._live = self._bones.upwards(self._bones.leaf)
        self.failed = self._damaged and not self._bones.ids
        self.count = len(self._live)
        self.session_id = name or self._id()
        self.title = title_of(self._titles, first_prompt_title(self._live_prompts()))

    def _id(self) -> str:
        return self._header.id if self._header is not None else ID_LOST

    # --- reading -----------------------------------------------------------------------------------------------------

    def _read(self) -> None:
        file = self._file
        file.seek(self._start)
        while True:
            offset = file.tell()
            line = read_line(file)
            if line == b"":
                self._damaged = self._damaged or offset == self._start
                return
            for item in decode_line(line) if line is not None else ("too long",):
                taken = not isinstance(item, str) and self._take(item, offset)
                if isinstance(item, str) or item.note or item.seq > self._next_seq or not taken:
                    self._damaged = True
                if not isinstance(item, str):
                    self._next_seq = max(self._next_seq, item.seq + 1)

    def _take(self, item: Record, offset: int) -> bool:
        """Whether the record is understood."""
        payload = item.payload
        if item.schema > SCHEMA:
            return False
        if item.kind == "message":
            return self._message(payload, offset)
        if item.kind == "session":
            header = header_from_json(payload, item.schema)
            self._header = self._header or header
            return header is not None
        return item.kind == "meta" and isinstance(payload, dict) and self._named(payload.get("name"), payload.get("value"))

    def _named(self, name: object, value: object) -> bool:
        if name in TITLE_NAMES:
            self._titles[name] = value
        elif name == LEAF and (value is None or isinstance(value, str)):
            self._bones.move(value)
        return isinstance(name, str)

    def _message(self, payload: object, offset: int) -> bool:
        try:
            message = message_from_json(payload)
        except ValueError:
            return False
        if message.id in self._bones.places:
            return True
        self._bones.add(Seen(message.id, message.parent), offset)
        text = readable_text(message)
        self._points.append(points_of(text, *self._scored) if text else SILENT)
        self._prompts.append(message.role == "user" and message.origin == "person")
        return True

    def _message_at(self, place: int) -> Message:
        """The message at a place, read anew.

        Raises:
            OSError: it does not stand there any more.
        """
        self._file.seek(self._bones.offsets[place])
        line = read_line(self._file)
        for item in decode_line(line) if line else ():
            if isinstance(item, Record) and item.kind == "message" and item.schema <= SCHEMA:
                try:
                    message = message_from_json(item.payload)
                except ValueError:
                    continue
                if message.id == self._bones.ids[place]:
                    return message
        raise OSError(say("it was changed while it was read"))

    def _live_prompts(self) -> Iterator[Message]:
        return (self._message_at(place) for place in self._live if self._prompts[place])

    # --- material ----------------------------------------------------------------------------------------------------

    def points(self, phrase: str, terms: Sequence[str]) -> list[tuple[int, float]]:
        """See `Material`."""
        same = (phrase, tuple(terms)) == self._scored
        return held_points([self._points[place] for place in self._live], same, phrase, terms, lambda number: self.snippet(number).text)

    def snippet(self, number: int, *, masked: bool = False) -> Snippet:
        """See `Material`.

        Raises:
            OSError: the file was changed meanwhile.
        """
        return snippet_at(number, self._message_at(self._live[number - 1]), masked=masked)
