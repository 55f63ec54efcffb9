"""Prompt assembly: slot A (system), slot B (start block), slot C (tail of one turn). Keeps A and B byte-stable between rebuilds.

Reads the memory index and the project's instruction file when a block is built; call `rebuild` off the event loop. With memory off,
nothing of memory is read and nothing of it stands in any slot.
"""

from __future__ import annotations

import os
import secrets
import stat
import sys
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path

from desktop.agent.memory_rules import memory_rules
from desktop.agent.memory_traces import MemoryTraces
from desktop.agent.memory_view import Hints, MemoryView
from desktop.agent.prompts import (
    BASE,
    INSTRUCTIONS_HEAD,
    START_FOOT,
    START_HEAD,
    WRITING_OFF,
    Language,
)
from desktop.base.clock import Clock
from desktop.base.ids import new_message_id
from desktop.base.redact import visible
from desktop.base.textio import decode
from desktop.memory.index import LoadedIndex
from desktop.memory.memories import Memories
from desktop.messages.parts import Message, TextPart
from desktop.sessions.references import find_references, reference_reminder

INSTRUCTION_FILES = ("AGENTS.md", "CLAUDE.md")
INSTRUCTION_BYTES = 32_768


class Assembler:
    """The slots of one session.

    Attributes:
        system: slot A.
        start: slot B as text, empty when there is nothing to say.
        memory: what stands of memory in the slots, or None when memory is off.
    """

    def __init__(
        self,
        workspace: Path,
        memories: Memories | None,
        *,
        clock: Clock,
        environ: Mapping[str, str],
        language: Language,
        hidden: Iterable[Path] = (),
    ) -> None:
        self._workspace = workspace
        self._traces = MemoryTraces(workspace, hidden) if memories is None else None
        self._memories = memories
        self.memory = None if memories is None else MemoryView(memories, clock)
        self._clock = clock
        self._environ = environ
        self._language: Language = language
        self._nonce = secrets.token_hex(8)
        self.system = ""
        self.start = ""

    def sent(self, messages: Sequence[Message]) -> Sequence[Message]:
        """What of the conversation goes into requests: with memory off no call into a memory folder, nor what it gave."""
        return messages if self._traces is None else self._traces.left_out(messages)

    @property
    def memory_root(self) -> str:
        return str(self._memories.store().root) if self._memories else ""

    @property
    def loaded(self) -> LoadedIndex | None:
        """The project's index as slot B shows it, or None when memory is off."""
        return self.memory.index if self.memory else None

    def rebuild(self) -> None:
        """Read instructions and memory again and make slots A and B anew: new session, resume, changed switches. Blocking."""
        system = BASE.format(workspace=visible(str(self._workspace)), platform=sys.platform)
        blocks = [self._instructions()]
        if self._memories and self.memory:
            extra = self._environ.get("KEEPSAKE_MEMORY_EXTRA_GUIDELINES", "")
            system += memory_rules(self._memories.own_roots, self._language, extra)
            self.memory.load()
            blocks += self.memory.blocks()
        self.system = system
        self.start = self._framed([block for block in blocks if block])

    def _framed(self, blocks: Sequence[str]) -> str:
        """Reference data between marks that nobody can forge: they hold a number which is drawn for each session."""
        if not blocks:
            return ""
        head, foot = START_HEAD.format(nonce=self._nonce), START_FOOT.format(nonce=self._nonce)
        return "\n".join([head, "\n\n".join(blocks), foot])

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

    def start_message(self) -> Message | None:
        """Slot B as the first message of a request, or None."""
        if not self.start:
            return None
        return Message(new_message_id(self._clock.now()), "user", (TextPart(self.start),), self._clock.now(), origin="app")

    def tail(self, person_text: str) -> str:
        """Slot C for one turn: what changed in memory since slot B, that it is not written now, the reminder for `#sess_…` references.

        Blocking. The write switch stands here and not in slot A, since it holds from the next turn on.
        """
        parts = []
        delta = self.memory.delta(self._nonce) if self.memory else ""
        if delta:
            parts.append(delta)
        state = self._memories.state() if self._memories else None
        if state is not None and state.enabled and not state.write:
            parts.append(WRITING_OFF.format(reason=state.write_reason))
        references = find_references(person_text)
        if references:
            parts.append(reference_reminder(references))
        return "\n\n".join(parts)

    def hints(self, person_text: str) -> Hints:
        """Ranked memory for a small model. Blocking."""
        return self.memory.hints(person_text) if self.memory else Hints()


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
