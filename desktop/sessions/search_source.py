"""What of a transcript can be found: its messages as passages, in blocks that are kept in step each by itself.

A block is about a hundred messages that stand together in the file, with the digest of their bytes: a transcript that grew is read from
its last block on, and one that was changed elsewhere from the first block that differs. Found are the words of the person and of the
model, short inputs of tools and their errors; never what the app added for the model (SC-03). All branches are in it. Knows no index.
Reads in bounded memory; blocking, any thread.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Any, BinaryIO

from desktop.base.redact import redact
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.search.passage import Passage, sections
from desktop.sessions.context import is_synthetic, own_text
from desktop.sessions.lines import Line, Moved, Seen, Stopped, is_final, items, lines
from desktop.sessions.summary import TITLE_LENGTH, one_line

FORM = 1
"""Goes up when other text is taken out of a message than before; blocks of another form are read again."""

ALSO: frozenset[str] = frozenset()
"""What else is found: may hold `thinking` and `output` (of tools that ran well). Both are long and say little that was decided (8.2)."""

BLOCK_MESSAGES, BLOCK_CHARACTERS = 100, 400_000
TEXT_LIMIT = 200_000
"""Characters of one part that are indexed; nobody looks for the middle of a pasted megabyte by its words."""

INPUT_CUT, CALL_CUT, ERROR_CUT = 300, 900, 1_200
BESIDE_CUT = 4_000
"""Characters beyond a cut that are looked at for secrets, so that none is cut in two before it is known."""

CONTENT_INPUTS = frozenset(("content", "new_string", "old_string", "new_source", "text", "body", "patch", "diff", "data"))
"""Inputs that hold what is written to a file, which is found in the file."""

SEARCH_TOOLS = frozenset(("ReadSessionContext", "memory_search", "history_search"))
"""Their inputs are questions: found again, they would answer every later search with the question."""


@dataclass(frozen=True, slots=True)
class Block:
    """A stretch of a transcript.

    Attributes:
        folder: name of the folder that the file lies in, which is its project's key.
        number: from 0.
        start, end: bytes in the file.
        first, count: number of its first message record in the file, from 1, and how many there are.
        last: id of the last message up to its end.
        straight: each of its messages follows the one before it in the file, and the live branch was not moved.
        digest: of its bytes.
        title: digest of the session's title; only in block 0.
        file: `state_of` the file when it was read to its end; only in the last block.
    """

    folder: str
    number: int
    start: int
    end: int
    first: int
    count: int
    last: str
    straight: bool
    digest: str
    title: str = ""
    file: str = ""

    def fingerprint(self) -> str:
        values = [self.start, self.end, self.first, self.count, self.last, self.straight, self.digest, self.title]
        return f"{_form(self.folder)}{json.dumps(values)}\n{self.file}"


def _form(folder: str) -> str:
    return json.dumps([FORM, sorted(ALSO), folder]) + "\n"


def block_from(fingerprint: str, number: int, folder: str) -> Block | None:
    """The block behind a fingerprint; None for one of another form or folder."""
    form = _form(folder)
    if not fingerprint.startswith(form):
        return None
    text, _, file = fingerprint[len(form) :].partition("\n")
    try:
        start, end, first, count, last, straight, digest, title = json.loads(text)
        return Block(folder, number, int(start), int(end), int(first), int(count), str(last), straight is True, str(digest), title, file)
    except (ValueError, TypeError):
        return None


def is_current(fingerprint: str, folder: str, file: str) -> bool:
    """Whether this is the fingerprint of the last block of a file in this state. Cheap: it is asked for every session."""
    return fingerprint.endswith(f"\n{file}") and fingerprint.startswith(_form(folder))


def title_digest(title: str) -> str:
    return hashlib.blake2b(title.encode("utf-8", "replace"), digest_size=6).hexdigest()


# --- the text of a message ------------------------------------------------------------------------------------------------


def texts_of(message: Message, also: frozenset[str] = ALSO) -> Iterator[tuple[str, str]]:
    """(role, text) of what can be found of a message, secrets masked."""
    if is_synthetic(message):
        return
    for part in message.parts:
        text = _text(part, message.role, also).strip()
        if text:
            spoken = isinstance(part, TextPart | ThinkingPart) and message.role != "tool"
            yield (message.role if spoken else "tool"), _masked(text, TEXT_LIMIT)


def _masked(text: str, length: int) -> str:
    return redact(text[: length + BESIDE_CUT])[:length]


def _text(part: TextPart | ThinkingPart | ToolCallPart | ToolResultPart, role: str, also: frozenset[str]) -> str:
    match part:
        case TextPart():
            return own_text(part, role)
        case ThinkingPart():
            return part.text if "thinking" in also else ""
        case ToolCallPart():
            return _call_text(part)
        case ToolResultPart(status="error"):
            return _ends(redact(part.output), ERROR_CUT)
        case ToolResultPart():
            return part.output if "output" in also else ""


def _call_text(call: ToolCallPart) -> str:
    if call.name in SEARCH_TOOLS:
        return ""
    values = [_masked(v, INPUT_CUT) for name, given in call.input.items() if name not in CONTENT_INPUTS for v in _strings(given)]
    values += [_masked(call.raw, INPUT_CUT)] if call.raw else []
    return f"{call.name} {' '.join(values)}"[:CALL_CUT] if values else ""


def _strings(value: Any, depth: int = 3) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list) and depth:
        for one in value.values() if isinstance(value, dict) else value:
            yield from _strings(one, depth - 1)


def _ends(text: str, length: int) -> str:
    """The start and the end of an error: what was done and what went wrong."""
    return text if len(text) <= length else f"{text[: length // 2]}\n…\n{text[-length // 2 :]}"


def passages_of(message: Message, number: int, title: str = "", also: frozenset[str] = ALSO) -> list[Passage]:
    """A message in sections; `title` goes with the first of them, unless it only repeats how the text begins."""
    moment = message.time.timestamp()
    found: list[Passage] = []
    for role, text in texts_of(message, also):
        for start, end in sections(text):
            named = title if not found and title != one_line(text, TITLE_LENGTH) else ""
            found.append(Passage(text[start:end], number, named, role, moment, message.id))
    return found


# --- blocks ---------------------------------------------------------------------------------------------------------------


@dataclass(slots=True)
class _Open:
    """A block while its lines come in."""

    folder: str
    number: int
    start: int
    end: int
    first: int
    last: str
    title: str
    count: int = 0
    straight: bool = True
    passages: list[Passage] = field(default_factory=list)
    characters: int = 0
    digest: Any = field(default_factory=lambda: hashlib.blake2b(digest_size=12))

    @property
    def full(self) -> bool:
        return self.count >= BLOCK_MESSAGES or self.characters >= BLOCK_CHARACTERS

    def closed(self, file: str = "") -> tuple[Block, tuple[Passage, ...]]:
        where = (self.folder, self.number, self.start, self.end, self.first, self.count)
        return Block(*where, self.last, self.straight, self.digest.hexdigest(), self.title, file), tuple(self.passages)

    def after(self) -> _Open:
        return _Open(self.folder, self.number + 1, self.end, self.end, self.first + self.count, self.last, "")

    def take(self, item: Seen | Moved, title: str) -> bool:
        """Take one item of a line; whether it used the title."""
        if isinstance(item, Moved):
            self.straight = self.straight and (item.leaf or "") == self.last
            return False
        self.straight = self.straight and (item.parent or "") == self.last
        self.last = item.id
        self.count += 1
        passages = passages_of(item.message, self.first + self.count - 1, title) if item.message is not None else []
        self.passages += passages
        self.characters += sum(len(passage.text) for passage in passages)
        return bool(passages)

    def pass_over(self, line: Line) -> None:
        self.digest.update(line.data)
        self.digest.update(line.rest)
        self.end = line.end


def _opened(folder: str, before: Block | None, title: str) -> _Open:
    if before is None:
        return _Open(folder, 0, 0, 0, 1, "", title_digest(title))
    return _Open(folder, before.number + 1, before.end, before.end, before.first + before.count, before.last, "")


def read_blocks(
    file: BinaryIO, folder: str, state: str, *, before: Block | None = None, title: str = "", until: int | None = None, stopped: Stopped
) -> Iterator[tuple[Block, tuple[Passage, ...]]]:
    """The blocks of a transcript with their passages, in order.

    Args:
        file: opened for bytes.
        folder: name of the folder that it lies in.
        state: of the file before it was read; goes into the last block, once the end was reached.
        before: the block after which reading starts; None is the start of the file.
        title: of the session, masked; goes with its first message.
        until: where to end, if not at the end of the file; a block begins there.
        stopped: True ends after the blocks that were given so far.
    """
    now = _opened(folder, before, title)
    titled = before is not None
    for line in lines(file, now.start, stopped=stopped):
        if not is_final(line) or (until is not None and line.start >= until):
            break
        found = list(items(line, whole=True))
        if now.full and any(isinstance(item, Seen) for item in found):
            yield now.closed()
            now = now.after()
        for item in found:
            titled = now.take(item, "" if titled else title) or titled
        now.pass_over(line)
    if not stopped():
        yield now.closed("" if until is not None else state)


def digest_of(file: BinaryIO, start: int, end: int, stopped: Stopped) -> str:
    """The digest of a stretch of whole lines as `read_blocks` makes it; empty when stopped or when no line ends at `end`."""
    digest, at = hashlib.blake2b(digest_size=12), start
    if start < end:
        for line in lines(file, start, stopped=stopped):
            digest.update(line.data)
            digest.update(line.rest)
            at = line.end
            if at >= end:
                break
    return digest.hexdigest() if at == end else ""
