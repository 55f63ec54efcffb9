"""Sessions of Claude Code: JSON lines, a tree of records by `uuid`, beside them sub-agents and big results in files of their own.

Reads also what `--output-format stream-json` prints. Records that are no messages hold the tree together and tell title, folder and branch.
Read only, blocking. Folders of sessions are in `claude_folder`.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers import claude_folder, values
from desktop.sessions.importers.claude_parts import MessageReader, SideFiles, session_folder
from desktop.sessions.importers.reading import Found, Sample, Source
from desktop.sessions.importers.shapes import Damage, ImportedMessage, ImportedSession, TranscriptEntry, replaced
from desktop.sessions.importers.tree import LOST, leaves, live_end, with_parents
from desktop.sessions.prompt_text import own_words

SOURCE = "claude-code"

MESSAGES = ("user", "assistant")
BESIDE = frozenset(
    [
        "attachment",
        "progress",
        "summary",
        "file-history-snapshot",
        "queue-operation",
        "custom-title",
        "ai-title",
        "last-prompt",
        "agent-name",
        "permission-mode",
    ]
)
"""Kinds of records that stand beside messages and that no other tool writes: a session may hold nothing else."""
_MARKS = ("uuid", "parentUuid", "sessionId", "session_id", "isSidechain", "parent_tool_use_id")
_CONTEXT = (("workspace", "cwd"), ("branch", "gitBranch"), ("agent", "agentId"))
_TITLES = (("custom-title", "customTitle"), ("ai-title", "aiTitle"))
_AGENT_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


def _is_message(record: dict[str, Any]) -> bool:
    """Whether an object says something as records of this tool do: `parts` are Qwen's, `content` is ours."""
    said = record.get("message")
    return record.get("type") in MESSAGES and isinstance(said, dict) and "content" in said and "parts" not in said


def _is_marked(record: dict[str, Any]) -> bool:
    return any(name in record for name in _MARKS)


def _is_of_another(record: dict[str, Any]) -> bool:
    """Whether a line is a call or result by itself: programs write such between lines of this form, and this tool never does."""
    return record.get("type") in ("tool_call", "tool_result") and ("session_id" in record or "subtype" in record)


def _is_line(record: dict[str, Any]) -> bool:
    """Whether a whole line is a record, be it of a later version; facts of the session may stand in a line without a kind."""
    return isinstance(record.get("type"), str) or ("type" not in record and "message" not in record and "sessionId" in record)


def _is_record(record: dict[str, Any]) -> bool:
    """Whether an object in a broken line is a record: parts of messages have types too."""
    kind = record.get("type")
    if kind in MESSAGES:
        return "message" in record and ("sessionId" in record or "parentUuid" in record or "session_id" in record)
    return isinstance(kind, str) and ("sessionId" in record or ("uuid" in record and "parentUuid" in record) or "leafUuid" in record)


def _is_plain_record(record: dict[str, Any]) -> bool:
    """The same in files whose records tell neither session nor parent."""
    return _is_message(record) or _is_record(record)


def _is_printed_record(record: dict[str, Any]) -> bool:
    """The same in files whose records go over many lines."""
    return _is_plain_record(record) or values.text(record.get("type")) in BESIDE


def score(sample: Sample) -> int:
    """How surely a file or folder is of Claude Code, 0 to 100."""
    if not sample.records and sample.document is None and not sample.magic:
        return claude_folder.score(sample.path, score) if sample.path.is_dir() else 0
    records = sample.records or tuple(values.mappings(sample.document))
    if any(map(_is_of_another, records)):
        return 0
    said = [record for record in records if _is_message(record)]
    if len(said) <= sum("parts" in values.mapping(record.get("message")) for record in records):
        said = []
    if any(map(_is_marked, said)):
        return 95
    if said:
        return 75
    kept = sum(
        values.text(record.get("type")) in BESIDE and ("sessionId" in record or "leafUuid" in record or "messageId" in record)
        for record in records
    )
    return 60 if kept else 0


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a file; all sessions and sub-agents of a folder, without reading whole files."""
    if source.path.is_dir():
        return claude_folder.entries(source.path, score)
    found = claude_folder.entry(source.path, score)
    return [found] if found is not None else [TranscriptEntry(source.path, None, SOURCE)]


def read(source: Source, session: str | None) -> ImportedSession:
    """The session of a file; of a folder the one named, else the newest.

    Raises:
        OSError: as `Source.lines`.
    """
    if source.path.is_dir():
        chosen = claude_folder.chosen(source.path, session, score)
        if chosen is None:
            return ImportedSession(SOURCE, source.path.name, damage=(Damage(0, say("the folder does not hold that session")),))
        source = Source(chosen)
    reading = _Reading(source.path)
    for line, value, reason in _found(source):
        if value is None:
            reading.damage.append(Damage(line, reason))
        else:
            reading.take(value, line)
    return reading.result()


def _found(source: Source) -> Iterator[Found]:
    """Every record of a file: of its lines, or of the one list that it is."""
    first = next((line.strip(b"\0 \t") for _, line in islice(source.lines(), 100) if line.strip(b"\0 \t")), b"")
    if first.startswith(b"["):
        document, _ = source.document()
        if isinstance(document, list):
            yield from (_listed(number, one) for number, one in enumerate(document, 1))
            return
    if source.is_spread():
        yield from source.pieces(_is_printed_record)
        return
    yield from source.records(_is_record if _is_strict(source) else _is_plain_record, _is_line)


def _listed(number: int, record: Any) -> Found:
    if isinstance(record, dict) and _is_line(record):
        return Found(number, record)
    return Found(number, None, say("the entry is not a record"))


def _is_strict(source: Source) -> bool:
    """Whether the records of this file tell session or parent: then an object without them inside a broken line is none."""
    found = (one.value for one in islice(source.records(_is_plain_record, _is_line), 50) if one.value is not None)
    return any(_is_message(record) and _is_record(record) for record in found)


@dataclass(slots=True)
class _Reading:
    """The state while records come in."""

    path: Path
    messages: dict[str, ImportedMessage] = field(default_factory=dict)
    bridges: dict[str, str | None] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    told: dict[str, str] = field(default_factory=dict)
    summaries: list[tuple[str, str]] = field(default_factory=list)
    sessions: dict[str, None] = field(default_factory=dict)
    agents: dict[str, None] = field(default_factory=dict)
    requests: dict[str, str] = field(default_factory=dict)
    """Last message by the id of the request's answer: its records repeat the usage of the whole."""
    started: datetime | None = None
    reader: MessageReader = field(init=False)

    def __post_init__(self) -> None:
        self.reader = MessageReader(SideFiles(session_folder(self.path)))

    def take(self, record: dict[str, Any], line: int) -> None:
        self._context(record)
        kind = record.get("type")
        if kind in MESSAGES and "message" in record:
            self._message(record, line)
            return
        own_id = values.identifier(record.get("uuid"))
        if own_id:
            self.bridges.setdefault(own_id, self._parent_of(record))
        if kind == "summary":
            self.summaries.append((values.text(record.get("summary")), values.text(record.get("leafUuid"))))
        for name, title in _TITLES:
            if kind == name:
                self.told[name] = values.text(record.get(title))

    @staticmethod
    def _parent_of(record: dict[str, Any]) -> str | None:
        """The parent of a record that is no message; across a compaction the logical one."""
        parent = values.identifier(record.get("parentUuid")) or values.identifier(record.get("logicalParentUuid"))
        return parent or (LOST if record.get("subtype") == "compact_boundary" else None)

    def _context(self, record: dict[str, Any]) -> None:
        session = values.text(record.get("sessionId")) or values.text(record.get("session_id"))
        if session:
            self.sessions.setdefault(session)
        for name, key in _CONTEXT:
            if (value := record.get(key)) and not self.told.get(name):
                self.told[name] = values.text(value)
        if "forkedFrom" in record and (forked := values.text(values.mapping(record["forkedFrom"]).get("sessionId"))):
            self.told["forked"] = forked
        if self.started is None:
            self.started = values.moment(record.get("timestamp"))

    def _message(self, record: dict[str, Any], line: int) -> None:
        message = self.reader.message(record, line)
        if message.parent is None and record.get("isCompactSummary") is True and self.messages:
            message = replaced(message, parent=LOST)
        if not values.identifier(record.get("uuid")):
            follows = LOST if message.parent is None and self.messages else message.parent
            message = replaced(message, id=self._free_id(message.id), parent=follows)
        known = self.messages.get(message.id)
        if known is None or _fullness(message) > _fullness(known):
            self.messages[message.id] = message if known is None else replaced(message, parent=message.parent or known.parent)
        if message.sidechain:
            agent = values.text(record.get("agentId")) or values.text(record.get("parent_tool_use_id"))
            self.sides[message.id] = f"agent {agent}"
        answer = values.text(values.mapping(record.get("message")).get("id"))
        if answer and message.role == "assistant":
            self._count_once(answer, message)
        agent = values.text(values.mapping(record.get("toolUseResult")).get("agentId"))
        if _AGENT_ID.fullmatch(agent):
            self.agents.setdefault(agent)

    def _free_id(self, wanted: str) -> str:
        number = 1
        free = wanted
        while free in self.messages:
            number += 1
            free = f"{wanted}.{number}"
        return free

    def _count_once(self, answer: str, message: ImportedMessage) -> None:
        """Leave tokens and price at the last record of an answer only: each of its records tells those of the whole."""
        before = self.requests.get(answer)
        if before is not None and before != message.id and (message.tokens or message.cost_usd):
            self.messages[before] = replaced(self.messages[before], tokens=0, cost_usd=None)
        self.requests[answer] = message.id

    # --- the whole ---------------------------------------------------------------------------------------------------

    def result(self) -> ImportedSession:
        messages = with_parents(tuple(self.messages.values()), self.bridges, self.sides)
        only_agent = all(message.sidechain for message in messages) and bool(messages or self.told.get("agent"))
        own_id, parent = self._ids(only_agent)
        main = [message for message in messages if only_agent or not message.sidechain]
        answers = (message.model for message in reversed(main) if message.model)
        return ImportedSession(
            source=SOURCE,
            id=own_id,
            title=self._title(main),
            workspace=self.told.get("workspace", ""),
            started=self.started,
            messages=messages,
            branches=leaves(messages),
            damage=tuple(self.damage),
            model=next(answers, ""),
            leaf=live_end(main),
            git_branch=self.told.get("branch", ""),
            agents=() if only_agent else claude_folder.agents_of(self.path, own_id, self.agents),
            parent=parent,
            kind="sub-agent" if only_agent else "chat",
        )

    def _ids(self, only_agent: bool) -> tuple[str, str]:
        """Own id and that of the session that it works for or was forked from."""
        stem = self.path.stem
        first = next(iter(self.sessions), "")
        if only_agent:
            own_id = self.told.get("agent") or claude_folder.agent_id(stem) or stem
            return own_id, "" if first == own_id else first
        forked = self.told.get("forked", "")
        own_id = stem if stem in self.sessions else first or stem
        return own_id, "" if forked == own_id else forked

    def _title(self, main: list[ImportedMessage]) -> str:
        own = self.messages
        summaries = [text for text, leaf in self.summaries if not leaf or leaf in own or leaf in self.bridges]
        told = values.told_title(*(self.told.get(name) for name, _ in _TITLES), *reversed(summaries), claude_folder.description(self.path))
        asked = (own_words(message.text) for message in main if message.role == "user" and not message.hidden)
        other = (text for text, _ in reversed(self.summaries))
        return told or next(filter(None, map(values.told_title, asked)), "") or values.told_title(*other)


def _fullness(message: ImportedMessage) -> int:
    parts = len(message.tool_calls) + len(message.tool_results) + len(message.pictures)
    return len(message.text) + len(message.thinking) + 10 * parts + sum(len(result.output) for result in message.tool_results)
