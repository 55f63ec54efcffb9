"""What stands in a conversation's requests besides its messages: outputs that were cut, recalled memories, files that were read.

Owns the note `context` of messages, which keeps these with the message they came with, and the word in the marks of the slots: a restart,
a rewind or another branch brings back exactly what the model had there, and no text of a memory is kept in a transcript. Pure; asyncio
thread.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from desktop.messages.boundary import since_boundary
from desktop.messages.parts import Message
from desktop.tools.base import ReadState

CONTEXT = "context"
CUT, CORRECTION, RECALLED, READ, NONCE = "cut", "correction", "recalled", "read", "nonce"

Seen = Mapping[str, tuple[str, str | None]]
"""Real path → digest of the bytes and, where files are compared by it, of their meaning."""


@dataclass(slots=True)
class Standing:
    """What the messages of a branch say.

    Attributes:
        cut: ids of the calls whose output is left out of requests.
        correction: what the provider counted divided by what was estimated, newest.
        recalled: how to make each recalled memory again (`agent.recall_shown`), with the messages it stands with.
        read: files as a call last saw them.
        input_tokens: of the newest request, as far as the provider told.
    """

    cut: frozenset[str] = frozenset()
    correction: float = 1.0
    recalled: list[dict[str, Any]] = field(default_factory=list)
    read: dict[str, tuple[str, str | None]] = field(default_factory=dict)
    tokens: int = 0


def standing_of(branch: Sequence[Message]) -> Standing:
    """What stands in the requests of a branch. What is damaged or of another form counts as not there."""
    found = Standing()
    cut: set[str] = set()
    for message in since_boundary(branch):
        if message.usage is not None:
            found.tokens = message.usage.input_tokens + message.usage.output_tokens or found.tokens
        note = (message.notes or {}).get(CONTEXT)
        if isinstance(note, dict):
            cut |= {one for one in _list(note.get(CUT)) if isinstance(one, str)}
            found.recalled += [one for one in _list(note.get(RECALLED)) if isinstance(one, dict)]
            correction = note.get(CORRECTION)
            if isinstance(correction, float) and 0.5 <= correction <= 2.0:
                found.correction = correction
            _read(note.get(READ), found.read)
    found.cut = frozenset(cut)
    return found


def nonce_of(messages: Sequence[Message]) -> str:
    """The word in the marks of the slots, as the newest of these messages that names one does; empty when none does."""
    for message in reversed(messages):
        note = (message.notes or {}).get(CONTEXT)
        if isinstance(note, dict) and isinstance(note.get(NONCE), str):
            return str(note[NONCE])
    return ""


def _list(value: object) -> Sequence[Any]:
    return value if isinstance(value, (list, tuple)) else ()


def _read(value: object, into: dict[str, tuple[str, str | None]]) -> None:
    for path, seen in value.items() if isinstance(value, dict) else ():
        if seen is None:
            into.pop(path, None)
        elif isinstance(seen, (list, tuple)) and len(seen) == 2 and isinstance(seen[0], str):
            into[path] = (seen[0], seen[1] if isinstance(seen[1], str) else None)


def seen_in(state: ReadState) -> dict[str, tuple[str, str | None]]:
    """What a read state holds now."""
    return {path: (digest, state.meanings.get(path)) for path, digest in list(state.digests.items())}


def set_seen(state: ReadState, seen: Seen) -> None:
    """Add to a read state what calls of earlier turns saw."""
    for path, (digest, meaning) in seen.items():
        state.digests[path] = digest
        if meaning is None:
            state.meanings.pop(path, None)
        else:
            state.meanings[path] = meaning


class ContextNotes:
    """Gathers what the next message of a turn has to keep: each thing is noted once, with the first message that is stored after it.

    Args:
        cut, correction: as they hold when the turn begins.
        state: which the turn's calls change; None: none of it is kept.
    """

    def __init__(self, cut: frozenset[str], correction: float, state: ReadState | None) -> None:
        self._cut = cut
        self._correction = correction
        self._state = state
        self._seen: dict[str, tuple[str, str | None]] = seen_in(state) if state is not None else {}
        self._recalled: list[dict[str, Any]] = []

    def recalled(self, ones: Iterable[Mapping[str, Any]]) -> None:
        """These stand in requests from now on."""
        self._recalled += [dict(one) for one in ones]

    @property
    def unkept(self) -> bool:
        """Something recalled is not noted yet."""
        return bool(self._recalled)

    def with_answer(self, cut: frozenset[str], correction: float) -> dict[str, Any]:
        """The note of an answer; empty when nothing is new. What is in it counts as noted."""
        note = self.with_result()
        new = sorted(cut - self._cut)
        if new:
            note[CUT] = new
        if correction != self._correction:
            note[CORRECTION] = correction
        if self._recalled:
            note[RECALLED] = self._recalled
        self._cut, self._correction, self._recalled = cut, correction, []
        return note

    def with_result(self) -> dict[str, Any]:
        """The note of a call's result: the files that were read, written or removed since the last one."""
        if self._state is None:
            return {}
        now = seen_in(self._state)
        changed: dict[str, Any] = {path: list(seen) for path, seen in now.items() if self._seen.get(path) != seen}
        changed |= dict.fromkeys(self._seen.keys() - now.keys())
        self._seen = now
        return {READ: changed} if changed else {}
