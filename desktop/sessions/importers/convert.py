"""A session of another tool as one of ours: the same messages, so that view, export and ReadSessionContext need to know nothing of it.

Its calls stay history: nothing here runs them, and results carry no diff or change that could be undone. Pure.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from desktop.base.ids import ALPHABET
from desktop.messages.parts import Message, Origin, Part, Role, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage
from desktop.sessions.importers.shapes import ImportedMessage, ImportedResult, ImportedSession
from desktop.sessions.importers.tree import stitched
from desktop.sessions.record import SCHEMA, SessionHeader
from desktop.sessions.transcript import LoadedTranscript, branch

FOREIGN = "z"
"""First character of the made ids. Ours begin with a time, whose first character is 7 at most, so that the two never meet."""
OURS = frozenset(("keepsake", "keepsake-export"))
"""Sources of our own making: their results stand where they belong."""
EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


def foreign_id(source: str, session: str, salt: str = "") -> str:
    """The id under which a session of another tool is cited here: always the same for the same source and id."""
    number = int.from_bytes(hashlib.sha256(f"{source}\0{session}\0{salt}".encode("utf-8", "surrogatepass")).digest()[:16], "big")
    return f"sess_{FOREIGN}" + "".join(ALPHABET[(number >> shift) & 31] for shift in range(120, -1, -5))


def is_foreign(session_id: str) -> bool:
    """Whether an id belongs to a session of another tool."""
    return session_id.startswith(f"sess_{FOREIGN}")


@dataclass(slots=True)
class Conversion:
    """The state while messages are turned."""

    names: dict[str, str] = field(default_factory=dict)
    """Names of tools by the id of the call: results often do not tell it."""
    ends: dict[str, str] = field(default_factory=dict)
    """The last of our messages that a foreign one became."""
    moment: datetime = EPOCH

    def turned(self, one: ImportedMessage) -> Iterator[Message]:
        self.moment = one.time or self.moment
        parent = self.ends.get(one.parent) if one.parent is not None else None
        for role, parts in self._pieces(one):
            made = Message(
                id=one.id if parent is None or one.id not in self.ends else f"{one.id}#{role}",
                role=role,
                parts=parts,
                time=self.moment,
                parent=parent,
                origin=self._origin(one, role),
                model=one.model or None if role == "assistant" else None,
                usage=Usage(one.tokens, 0, 0, 0, one.cost_usd) if role == "assistant" and one.tokens else None,
                stop=("tool_calls" if one.tool_calls else "end") if role == "assistant" else None,
            )
            self.ends[one.id] = parent = made.id
            yield made

    @staticmethod
    def _origin(one: ImportedMessage, role: Role) -> Origin:
        if role == "tool":
            return "tool"
        if one.hidden or one.role == "system":
            return "app"
        return "model" if role == "assistant" else "person"

    def _pieces(self, one: ImportedMessage) -> Iterator[tuple[Role, tuple[Part, ...]]]:
        """What the message becomes, each with a role: words and calls, then results. A message without anything stays an empty one."""
        results = tuple(self._result(result) for result in one.tool_results)
        self.names |= {call.id: call.name for call in one.tool_calls}
        said = tuple(self._said(one))
        role: Role = "assistant" if one.role == "assistant" else "user"
        if results and one.role != "assistant":
            yield "tool", results
            results = ()
        if said or not one.tool_results:
            yield role, said
        if results:
            yield "tool", tuple(self._named(result) for result in results)

    def _said(self, one: ImportedMessage) -> Iterator[Part]:
        if one.thinking:
            yield ThinkingPart(one.thinking)
        if one.text:
            yield TextPart(one.text)
        for media, data in one.pictures:
            yield TextPart("", data=picture(media, data))
        for call in one.tool_calls:
            given = call.input
            if isinstance(given, dict):
                yield ToolCallPart(call.id, call.name, given)
            else:
                yield ToolCallPart(call.id, call.name, {}, None if given is None else _text(given))

    def _result(self, result: ImportedResult) -> ToolResultPart:
        data = {"images": [picture(media, text)["image"] for media, text in result.pictures]} if result.pictures else None
        name = result.name or self.names.get(result.id, "")
        return ToolResultPart(result.id, name, result.output, "error" if result.is_error else "ok", data=data)

    def _named(self, result: ToolResultPart) -> ToolResultPart:
        if result.name:
            return result
        return ToolResultPart(result.call_id, self.names.get(result.call_id, ""), result.output, result.status, data=result.data)


def picture(media: str, data: str) -> dict[str, Any]:
    """The `data` of a text part that stands for a picture: its media type and its bytes as base64."""
    return {"image": {"media": media, "base64": data}}


def _text(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, default=str)


@dataclass(slots=True)
class Turning:
    """The messages of a session, turned one after the other, and what is known of them together once all are.

    Attributes:
        beside: ids of ours that sub-agents said.
    """

    found: ImportedSession
    beside: set[str] = field(default_factory=set)
    _conversion: Conversion = field(init=False)
    _main: str = ""

    def __post_init__(self) -> None:
        self._conversion = Conversion(moment=self.found.started or EPOCH)

    def messages(self) -> Iterator[tuple[ImportedMessage, list[Message]]]:
        """Each message, parents first, with those of ours that it becomes."""
        found = self.found
        for one in found.messages if found.source in OURS else stitched(found.messages):
            made = list(self._conversion.turned(one))
            if one.sidechain:
                self.beside.update(message.id for message in made)
            else:
                self._main = self._conversion.ends[one.id]
            yield one, made

    def leaf(self, last: str | None) -> str | None:
        """The id of the live branch's last message, when all are turned.

        Args:
            last: the id of the last one of them; None without any.
        """
        leaf = self._conversion.ends.get(self.found.leaf or "", self._main) if self.found.messages else None
        return last if leaf == "" else leaf


def as_transcript(found: ImportedSession, session_id: str, project_key: str) -> LoadedTranscript:
    """The session in our shape; the live branch without what sub-agents said."""
    turning = Turning(found)
    messages = {message.id: message for _, made in turning.messages() for message in made}
    leaf = turning.leaf(next(reversed(messages), ""))
    reached = branch(messages, leaf)  # a tool whose log is one line has its sub-agents' words between those of the conversation
    live = tuple(one for one in reached if one.id not in turning.beside) or reached
    started = found.started or (next(iter(messages.values())).time if messages else EPOCH)
    header = SessionHeader(
        session_id, SCHEMA, project_key, found.workspace, started, False, found.model, "", found.git_branch, found.kind, found.parent
    )
    meta = {"title": found.title} if found.title else {}
    damage = [(one.line, one.reason) for one in found.damage]
    skipped = sum(1 for line, _ in damage if line)
    return LoadedTranscript(
        header, tuple(messages.values()), live, meta, damage, len(messages), newer=False, model=found.model, skipped=skipped
    )


def ended(found: ImportedSession) -> datetime | None:
    """The time of the last message that tells one, never before the session began."""
    last = next((one.time for one in reversed(found.messages) if one.time is not None), None)
    if last is None or found.started is None:
        return last or found.started
    return max(last, found.started)
