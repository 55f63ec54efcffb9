"""Puts loose chat records together to a session: ids that are unique, parents that are known, answers with their calls, a title.

For formats without ids or parents of their own as much as for those that have them. Pure, reading threads; nothing raises.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from typing import Any
from urllib.parse import unquote

from desktop.sessions.importers import values
from desktop.sessions.importers.chat_content import first_text
from desktop.sessions.importers.chat_message import chat_message, own_id, parent_of, tells_parent, unwrapped
from desktop.sessions.importers.shapes import Damage, ImportedCall, ImportedMessage, ImportedResult, ImportedSession, Thread, replaced

_LOOK = 1_000
"""Open calls among which the one of a result without an id is looked for."""
TITLES = ("title", "name", "displayName", "topic", "subject", "summary", "task")
IDENTITIES = ("sessionId", "session_id", "conversation_id", "conversationId", "chat_id", "thread_id", "session", "uuid", "id")
FOLDERS = (
    "cwd",
    "workspace",
    "working_dir",
    "workingDirectory",
    "workspaceDirectory",
    "working_directory",
    "directory",
    "project_path",
    "workspaceProjectDir",
)
BRANCHES = ("gitBranch", "git_branch", "branch")
_TOLD_IN_MESSAGES = frozenset((*IDENTITIES[:-2], *FOLDERS, *BRANCHES))
STARTS = (
    "started",
    "started_at",
    "created_at",
    "createdAt",
    "create_time",
    "createTime",
    "startTime",
    "start_time",
    "created",
    "timestamp",
    "ts",
)


@dataclass(slots=True)
class Told:
    """What a file says of the session beside its messages; the first word on each counts."""

    id: str = ""
    title: str = ""
    workspace: str = ""
    started: datetime | None = None
    branch: str = ""
    model: str = ""
    parent: str = ""

    def take(self, record: dict[str, Any], *, message: bool = False, line: bool = False) -> None:
        """Learn from an object: one of the whole, or a message or a `line` between messages, whose own ids are not the session's."""
        if message and _TOLD_IN_MESSAGES.isdisjoint(record):
            return
        names = IDENTITIES[:-2] if message or (line and record.get("type") not in ("session", "session_start")) else IDENTITIES
        self.id = self.id or next((found for name in names if (found := values.identifier(record.get(name)))), "")
        self.workspace = self.workspace or _folder(first_text(record, *FOLDERS)) or ("" if message else _first_tree(record))
        self.branch = self.branch or first_text(record, *BRANCHES)
        if not message:
            said = record.get("summary") if line and record.get("type") == "summary" else ""
            said = said or (record.get("description") if "working_dir" in record else "")  # goose's
            self.title = self.title or values.told_title(*(record.get(name) for name in TITLES[: 1 if line else None]), said)
            self.model = self.model or first_text(record, "model", "modelId", "modelAlias")
            self.started = self.started or next((when for name in STARTS if (when := values.moment(record.get(name))) is not None), None)


def _folder(told: str) -> str:
    """A folder, also out of its `file:` address, as Amp and Continue keep it."""
    return unquote(told.removeprefix("file://")) if told.startswith("file:///") else told


def _first_tree(record: dict[str, Any]) -> str:
    """The folder of Amp's first tree."""
    trees = values.mappings(values.mapping(values.mapping(record.get("env")).get("initial")).get("trees"))
    return _folder(values.text(trees[0].get("uri"))) if trees else ""


@dataclass(slots=True)
class Assembly:
    """The session while its records come in.

    Attributes:
        told: what is known of it beside its messages.
        leaf: id of the live branch's last message, where the file tells it.
        agents: ids of the messages that name the agent that they are of.
    """

    told: Told = field(default_factory=Told)
    damage: list[Damage] = field(default_factory=list)
    leaf: str | None = None
    agents: set[str] = field(default_factory=set)
    _thread: Thread = field(default_factory=Thread)
    _places: dict[str, int] = field(default_factory=dict)
    _last: str | None = None

    @property
    def messages(self) -> list[ImportedMessage]:
        return self._thread.messages

    def bridge(self, record: dict[str, Any]) -> None:
        """A record that is no message, but may stand between two."""
        self._thread.bridge(own_id(record), parent_of(record))

    def take(self, record: dict[str, Any]) -> bool:
        """A record of a message; False where it is none."""
        inner = unwrapped(record)
        ident = own_id(inner)
        message = chat_message(record, ident=ident)
        if message is None:
            return False
        self.told.take(inner, message=True)
        known = self._places.get(ident) if ident else None
        if known is not None and self._is_same(known, message):
            return True
        if not ident or known is not None:
            message = replaced(message, id=self._made())
        self.add(message, tells_parent(inner))
        if first_text(inner, "agent", "agentId", "agent_id") not in ("", "main"):
            self.agents.add(message.id)
        return True

    def add(self, message: ImportedMessage, with_parent: bool = False) -> None:
        """A message; without a parent of its own it follows the one before."""
        if not with_parent or message.parent == message.id:
            message = replaced(message, parent=self._last)
        if self._thread.add(message):
            self._places[message.id] = len(self.messages) - 1
            self._last = message.id

    def say(self, role: Any, text: str, **more: Any) -> None:
        """A message that is made of words alone."""
        self.add(ImportedMessage(self._made(), None, role, values.text(text), **more))

    def _made(self) -> str:
        number = len(self.messages) + 1
        while (made := f"message-{number}") in self._places:
            number += 1
        return made

    def _is_same(self, place: int, message: ImportedMessage) -> bool:
        """Whether a message tells once more, maybe more fully, of one that is there; the fuller one stays."""
        held = self.messages[place]
        if held.role != message.role or not (message.text.startswith(held.text) or held.text.startswith(message.text)):
            return False
        if len(message.text) >= len(held.text) and len(message.tool_calls) >= len(held.tool_calls):
            self.messages[place] = replaced(message, parent=held.parent)
        return True

    def lost(self, line: int, reason: str) -> None:
        self.damage.append(Damage(line, reason))

    def session(self, source: str, fallback_id: str) -> ImportedSession:
        """The session as far as it came in."""
        messages = tuple(_paired(_sides(self.messages)))
        told = self.told
        return ImportedSession(
            source,
            told.id or fallback_id,
            title=told.title or values.first_title(messages),
            workspace=told.workspace,
            started=told.started or next((one.time for one in messages if one.time is not None), None),
            messages=messages,
            branches=self._thread.branches(),
            damage=tuple(self.damage),
            model=next((one.model for one in reversed(messages) if one.model), told.model),
            leaf=self.leaf if self.leaf is not None and self._thread.knows(self.leaf) else None,
            git_branch=told.branch,
            parent=told.parent,
        )


def _sides(messages: Iterable[ImportedMessage]) -> list[ImportedMessage]:
    """The messages; where all of them are beside the conversation, they are the conversation."""
    found = list(messages)
    return [replaced(one, sidechain=False) for one in found] if found and all(one.sidechain for one in found) else found


def _paired(messages: list[ImportedMessage]) -> Iterable[ImportedMessage]:
    """Calls and results with ids: a result without one answers the oldest open call of its name, else the oldest open call of its side."""
    open_calls: dict[bool, dict[str, ImportedCall]] = {False: {}, True: {}}
    number = 0
    for message in messages:
        waiting = open_calls[message.sidechain]
        calls = []
        for call in message.tool_calls:
            number += 1
            calls.append(call if call.id else replaced(call, id=f"call-{number}"))
        waiting |= {call.id: call for call in calls}
        results = tuple(_answer(result, waiting) for result in message.tool_results)
        yield replaced(message, tool_calls=tuple(calls), tool_results=results) if calls or results else message


def _answer(result: ImportedResult, waiting: dict[str, ImportedCall]) -> ImportedResult:
    if result.id:
        call = waiting.pop(result.id, None)
    else:
        call = next((one for one in islice(waiting.values(), _LOOK) if not result.name or result.name == one.name), None)
        if call is not None:
            del waiting[call.id]
    return result if call is None else replaced(result, id=call.id, name=result.name or call.name)
