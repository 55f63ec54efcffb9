"""Prompt assembly: slot A (system), slot B (start block), slot C (tail of one turn). Keeps A and B byte-stable between rebuilds.

Reads the memory index and the project's instruction file when a block is built; call `rebuild` off the event loop. With memory off,
nothing of memory is read and nothing of it stands in any slot.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from desktop.agent.prompts import (
    BASE,
    DELTA_FOOT,
    DELTA_HEAD,
    INSTRUCTIONS_HEAD,
    MEMORY_HEAD,
    START_FOOT,
    START_HEAD,
    Language,
    memory_rules,
)
from desktop.base.clock import Clock
from desktop.base.errors import KeepsakeError
from desktop.base.ids import new_message_id
from desktop.base.redact import visible
from desktop.base.textio import decode
from desktop.memory.index import IndexLimits, LoadedIndex, index_delta, load_index
from desktop.memory.note import list_notes
from desktop.memory.relevance import rank_index_lines, rank_notes
from desktop.memory.store import MemoryStore
from desktop.messages.parts import Message, TextPart
from desktop.sessions.references import find_references, reference_reminder

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md")
INSTRUCTION_BYTES = 32_768
HINT_NOTES = 4
HINT_LINES = 15


@dataclass(frozen=True, slots=True)
class Hints:
    """Memory in the form that a model with a short context takes: ranked index lines, and the notes that fit the person's words."""

    index: tuple[str, ...] = ()
    notes: tuple[tuple[str, str], ...] = ()


class Assembler:
    """The slots of one session.

    Attributes:
        system: slot A.
        start: slot B as text, empty when there is nothing to say.
        loaded: the index that slot B shows, or None when memory is off.
    """

    def __init__(
        self,
        workspace: Path,
        store: MemoryStore | None,
        *,
        clock: Clock,
        environ: Mapping[str, str],
        language: Language,
        limits: IndexLimits,
    ) -> None:
        self._workspace = workspace
        self._store = store
        self._clock = clock
        self._environ = environ
        self._language: Language = language
        self._limits = limits
        self._nonce = secrets.token_hex(8)
        self._shown = ""
        self.loaded: LoadedIndex | None = None
        self.system = ""
        self.start = ""

    @property
    def memory_root(self) -> str:
        return str(self._store.root) if self._store else ""

    def rebuild(self) -> None:
        """Read instructions and index again and make slots A and B anew: new session, resume, changed switches. Blocking."""
        system = BASE.format(workspace=visible(str(self._workspace)), platform=sys.platform)
        if self._store:
            system += memory_rules(self.memory_root, self._language, self._environ.get("KEEPSAKE_MEMORY_EXTRA_GUIDELINES", ""))
            self.loaded = load_index(self._store.root, self._limits)
            self._shown = self.loaded.source
        else:
            self.loaded, self._shown = None, ""
        self.system = system
        blocks = [b for b in (self._instructions(), self._memory_block()) if b]
        if blocks:
            head, foot = START_HEAD.format(nonce=self._nonce), START_FOOT.format(nonce=self._nonce)
            self.start = "\n".join([head, "\n\n".join(blocks), foot])
        else:
            self.start = ""

    def _instructions(self) -> str:
        for name in INSTRUCTION_FILES:
            path = self._workspace / name
            try:
                data = _own_file(path, self._workspace, INSTRUCTION_BYTES + 4)
            except OSError:
                continue
            cut = ", cut after 32 KB" if len(data) > INSTRUCTION_BYTES else ""
            text = decode(_first_bytes(data, INSTRUCTION_BYTES)).strip()
            return INSTRUCTIONS_HEAD.format(path=visible(str(path)), cut=cut) + "\n" + text if text else ""
        return ""

    def _memory_block(self) -> str:
        if not self.loaded or self.loaded.state != "ok" or not self.loaded.text:
            return ""
        return MEMORY_HEAD.format(path=self.loaded.path) + "\n" + self.loaded.text

    def start_message(self) -> Message | None:
        """Slot B as the first message of a request, or None."""
        if not self.start:
            return None
        return Message(new_message_id(self._clock.now()), "user", (TextPart(self.start),), self._clock.now(), origin="app")

    def tail(self, person_text: str) -> str:
        """Slot C for one turn: what changed in memory since slot B, and the reminder for `#sess_…` references. Blocking."""
        parts = []
        if self._store:
            now = load_index(self._store.root, self._limits)
            delta = index_delta(self._shown, now.source)
            if delta:
                parts.append(DELTA_HEAD + delta + "\n" + DELTA_FOOT)
        references = find_references(person_text)
        if references:
            parts.append(reference_reminder(references))
        return "\n\n".join(parts)

    def hints(self, person_text: str) -> Hints:
        """Ranked memory for a small model. Blocking."""
        if not self._store:
            return Hints()
        root = self._store.root
        index = load_index(root, self._limits)
        lines = [line for line in index.text.splitlines() if line.strip()] if index.state == "ok" else []
        notes = [(note, self._body(note.path)) for note in list_notes(root)[:200]]
        ranked = rank_notes(person_text, notes, HINT_NOTES)
        return Hints(
            tuple(rank_index_lines(person_text, lines, HINT_LINES)),
            tuple((note.path, body) for note, body, _score in ranked),
        )

    def _body(self, relative: str) -> str:
        assert self._store is not None
        try:
            return self._store.read(relative).text
        except KeepsakeError:
            return ""


def merged(messages: Sequence[Message]) -> tuple[Message, ...]:
    """Adjacent tool messages joined into one: each result is stored as its own record, a request wants them together."""
    joined: list[Message] = []
    for message in messages:
        if joined and message.role == "tool" and joined[-1].role == "tool":
            last = joined[-1]
            joined[-1] = Message(last.id, "tool", last.parts + message.parts, last.time, last.parent, "tool")
        else:
            joined.append(message)
    return tuple(joined)


def _own_file(path: Path, folder: Path, limit: int) -> bytes:
    """The first `limit` bytes of a file that is sent without a question: a plain one whose real place is inside `folder`.

    A link that leads elsewhere would send what the person never put here; a pipe would wait for ever.

    Raises:
        OSError: it is missing, unreadable, or no such file.
    """
    real = os.path.realpath(path)
    if not Path(real).is_relative_to(os.path.realpath(folder)):
        raise OSError(f"{path} leads out of the folder")
    handle = os.open(real, os.O_RDONLY | getattr(os, "O_NONBLOCK", 0) | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_BINARY", 0))
    with os.fdopen(handle, "rb") as file:
        if not stat.S_ISREG(os.fstat(handle).st_mode):
            raise OSError(f"{path} is no plain file")
        return file.read(limit)


def _first_bytes(data: bytes, size: int) -> bytes:
    """At most `size` bytes of UTF-8 text, ending with a whole character."""
    if len(data) <= size:
        return data
    while size and data[size] & 0xC0 == 0x80:
        size -= 1
    return data[:size]
