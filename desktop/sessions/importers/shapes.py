"""What a transcript of another tool looks like once it is read: the same shape whatever tool wrote it.

Values only. Each reads as an object and as a mapping of its fields (`message.role`, `message["role"]`), since scripts take them as either.
Long texts in which single characters are wide are held as UTF-8 inside: one picture sign makes Python hold a text four times as large.
"""

from __future__ import annotations

import functools
import sys
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field, fields
from datetime import datetime
from pathlib import Path
from typing import Any, Literal, TypeVar

Role = Literal["user", "assistant", "tool", "system"]


class _Shape(Mapping[str, Any]):
    """A frozen dataclass that is a mapping of its fields too."""

    __slots__ = ()

    def __getitem__(self, key: str) -> Any:
        if key not in self._names():
            raise KeyError(key)
        return getattr(self, key)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names())

    def __len__(self) -> int:
        return len(self._names())

    def _names(self) -> tuple[str, ...]:
        return tuple(one.name for one in fields(self))  # type: ignore[arg-type]


_SHORT = 300
"""Bytes of a text that are not worth being held otherwise."""


def _held(value: Any) -> Any:
    """A text as it takes least room: as it is, or as its bytes."""
    if type(value) is not str or value.isascii() or sys.getsizeof(value) < _SHORT:
        return value
    packed = value.encode("utf-8", "surrogatepass")
    return packed if len(packed) * 5 < sys.getsizeof(value) * 4 else value


def _compact(shape: type[_Shape], *names: str) -> None:
    """Let fields of a shape hold their texts as `_held` says. They read, compare and copy as texts all the same."""
    for name in names:
        setattr(shape, name, _compacted(shape.__dict__[name]))


_RAW: dict[property, Any] = {}
"""The places of fields that are held otherwise than they read."""


def _compacted(slot: Any) -> property:
    read, write = slot.__get__, slot.__set__

    def get(self: object) -> Any:
        value = read(self)
        return value.decode("utf-8", "surrogatepass") if type(value) is bytes else value

    shown = property(get, lambda self, value: write(self, _held(value)))
    _RAW[shown] = slot
    return shown


_S = TypeVar("_S", bound=_Shape)


def replaced(one: _S, **changes: Any) -> _S:
    """`dataclasses.replace` for shapes, at a fraction of its time: what stays is handed on as it is held."""
    made = object.__new__(type(one))
    for read, write in _places(type(one)):
        write(made, read(one))
    for name, value in changes.items():
        object.__setattr__(made, name, value)
    return made


@functools.cache
def _places(shape: type[_Shape]) -> tuple[tuple[Callable[[object], Any], Callable[[object, Any], None]], ...]:
    """What reads and writes each field of a shape as it is held."""
    held = (shape.__dict__[one.name] for one in fields(shape))  # type: ignore[arg-type]
    slots = (_RAW.get(one, one) if isinstance(one, property) else one for one in held)
    return tuple((slot.__get__, slot.__set__) for slot in slots)


@dataclass(frozen=True, slots=True, eq=True)
class Damage(_Shape):
    """What could not be read. `line` counts from 1; 0 is the file as a whole."""

    line: int
    reason: str


@dataclass(frozen=True, slots=True)
class ImportedCall(_Shape):
    """A tool call as it was recorded. It is history: nothing of it is ever run. `input` is an object, or text that is no JSON object."""

    id: str
    name: str
    input: Any = None


@dataclass(frozen=True, slots=True)
class ImportedResult(_Shape):
    """What a call gave. `id` names the call; `image` parts are counted in `images` and kept in `pictures` as (media type, base64)."""

    id: str
    output: str
    is_error: bool = False
    name: str = ""
    pictures: tuple[tuple[str, str], ...] = ()


_compact(ImportedResult, "output")


@dataclass(frozen=True, slots=True)
class ImportedMessage(_Shape):
    """One message, once, however often the file tells of it.

    Attributes:
        id: the tool's own, else one made from its place in the file; unique in the session.
        parent: id of the message before it on its branch; None for the first one.
        role: as the file says: results stand in a `user` record with some tools and in a `tool` record with others.
        text: what was said; texts of one record joined by a blank line.
        thinking: the model's own reasoning, where it was kept in the clear.
        tool_calls, tool_results: in their order.
        time: aware UTC, or None where the file does not tell.
        sidechain: said by or to a sub-agent, beside the conversation.
        hidden: no words of person or model: reminders, wrappers of the tool, summaries that a compaction put in. Shown folded.
        model: id of the model, on its messages.
        tokens: of the request behind it, in and out together; 0: not told.
        cost_usd: as recorded; None: not told.
        pictures: (media type, base64) of pictures in the message itself.
    """

    id: str
    parent: str | None
    role: Role
    text: str
    thinking: str = ""
    tool_calls: tuple[ImportedCall, ...] = ()
    tool_results: tuple[ImportedResult, ...] = ()
    time: datetime | None = None
    sidechain: bool = False
    hidden: bool = False
    model: str = ""
    tokens: int = 0
    cost_usd: float | None = None
    pictures: tuple[tuple[str, str], ...] = ()


_compact(ImportedMessage, "text", "thinking")


@dataclass(frozen=True, slots=True)
class ImportedSession(_Shape):
    """A session of another tool.

    Attributes:
        source: claude-code, codex, opencode, gemini, qwen, aider, cline, copilot, pi, specstory, kimi, grok, muse, vibe, generic,
            keepsake-export (a JSON export of ours), keepsake (a transcript of ours from elsewhere); `unknown` for what is none.
        id: the tool's own id of the session, else the file's stem.
        title: the person's or the tool's title, else the first real prompt; may be empty.
        workspace: the folder it was held in, or an empty text.
        started: aware UTC, or None.
        messages: all branches in file order, each once.
        branches: number of leaves of the tree of messages; 0 without messages.
        damage: what could not be read, in file order.
        model: the model last used.
        leaf: id of the last message of the branch that is live; None: the last one of the file that is no sidechain.
        git_branch: as recorded.
        agents: ids of sub-agent sessions that belong to it, where they are kept beside it.
        parent: id of the session of the same tool that this one goes on from or works for.
        kind: `chat` or `sub-agent`.
    """

    source: str
    id: str
    title: str = ""
    workspace: str = ""
    started: datetime | None = None
    messages: tuple[ImportedMessage, ...] = ()
    branches: int = 0
    damage: tuple[Damage, ...] = ()
    model: str = ""
    leaf: str | None = None
    git_branch: str = ""
    agents: tuple[str, ...] = ()
    parent: str = ""
    kind: str = "chat"


@dataclass(frozen=True, slots=True)
class TranscriptEntry(_Shape):
    """A session that a file or folder holds. `open_transcript(path, session)` opens it.

    Attributes:
        session: what tells it from others in the same file; None where the file holds one.
        title, workspace, started, updated, messages: as far as they are told without reading the whole; empty, None or 0 otherwise.
    """

    path: Path
    session: str | None
    source: str
    title: str = ""
    workspace: str = ""
    started: datetime | None = None
    updated: datetime | None = None
    messages: int = 0
    kind: str = "chat"
    parent: str = ""


@dataclass(slots=True)
class Thread:
    """Puts messages in order while they are read: ids are unique, parents are known, each record counts once.

    A parent that is lost is replaced by the message before (of the same side), so that what stands behind damage still hangs together.
    Records that are no messages (`bridge`) pass their children on to their own parent.
    """

    messages: list[ImportedMessage] = field(default_factory=list)
    _known: dict[str, int] = field(default_factory=dict)
    _bridges: dict[str, str | None] = field(default_factory=dict)
    _last: dict[bool, str] = field(default_factory=dict)

    def bridge(self, record_id: str, parent: str | None) -> None:
        """A record between messages that is none itself: a child of it is a child of `parent`."""
        if record_id and record_id not in self._known:
            self._bridges.setdefault(record_id, parent)

    def knows(self, message_id: str) -> bool:
        return message_id in self._known

    def add(self, message: ImportedMessage, *, follow: bool = False) -> bool:
        """Take a message.

        Args:
            message: with `parent` as the file tells it.
            follow: its parent is the message before it, whatever it says: for files that know no parents.

        Returns:
            False when a message of that id is there already.
        """
        if message.id in self._known:
            return False
        before = self._last.get(message.sidechain)
        parent = before if follow else self._resolved(message.parent, before)
        self._known[message.id] = len(self.messages)
        self.messages.append(message if parent == message.parent else replaced(message, parent=parent))
        self._last[message.sidechain] = message.id
        return True

    def _resolved(self, parent: str | None, before: str | None) -> str | None:
        seen: set[str] = set()
        while parent is not None and parent not in self._known:
            if parent in seen or parent not in self._bridges:
                return before
            seen.add(parent)
            parent = self._bridges[parent]
        return parent

    def branches(self) -> int:
        """Messages that no other follows."""
        parents = {message.parent for message in self.messages}
        return sum(message.id not in parents for message in self.messages)
