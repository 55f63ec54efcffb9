"""Sessions of Codex: rollouts of today (`payload` records), the flat ones before, the oldest documents, and what `exec --json` prints.

A rollout tells much twice, as an item of the model's context and as an event for the screen: an event counts only where no item says the
same. Read only, blocking.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import datetime
from itertools import islice
from pathlib import Path
from typing import Any

from desktop.base.phrases import say
from desktop.sessions.importers import generic, values
from desktop.sessions.importers.codex_chain import Mark, chained
from desktop.sessions.importers.codex_events import EventReader
from desktop.sessions.importers.codex_forms import is_event, is_head, is_line, is_payload, is_record, is_streamed, is_wrapped_stream, score
from desktop.sessions.importers.codex_items import Item, ItemReader
from desktop.sessions.importers.ends import HEAD, LARGE_HEAD, TAIL, ends
from desktop.sessions.importers.reading import Found, Source, loads, take_sample
from desktop.sessions.importers.shapes import Damage, ImportedSession, TranscriptEntry, replaced
from desktop.sessions.importers.tree import leaves
from desktop.sessions.prompt_text import own_words
from desktop.sessions.transcript import open_plain

SOURCE = "codex"
__all__ = ["SOURCE", "entries", "read", "score"]
INDEX = "session_index.jsonl"
INDEX_LIMIT = 16 << 20
_FOLDER = re.compile(r"<cwd>([^<\r\n]{1,4096})</cwd>|^Current working directory: ([^\r\n]{1,4096})$", re.MULTILINE)


def entries(source: Source) -> list[TranscriptEntry]:
    """The session of a file, told by its first and last bytes."""
    try:
        records = list(ends(source.path, HEAD, TAIL)) or list(ends(source.path, LARGE_HEAD, TAIL))
    except OSError:
        records = []
    reading = _Reading(source.path)
    for number, record in enumerate(records, 1):
        reading.take(record, number)
    found = reading.result()
    last = next((one.time for one in reversed(found.messages) if one.time is not None), None)
    return [
        TranscriptEntry(source.path, None, SOURCE, found.title, found.workspace, found.started, last, kind=found.kind, parent=found.parent)
    ]


def read(source: Source, session: str | None) -> ImportedSession:
    """The session of a file.

    Raises:
        OSError: as `Source.lines`.
    """
    reading = _Reading(source.path)
    for found in _found(source):
        if found.value is None:
            reading.damage.append(Damage(found.line, found.reason))
        else:
            reading.take(found.value, found.line)
    return _with_strangers(reading.result(), source)


def _with_strangers(found: ImportedSession, source: Source) -> ImportedSession:
    """A session whose rollout holds none of Codex's messages, with those of another form behind its head, if there are any."""
    if found.messages or not generic.score(take_sample(source)):
        return found
    other = generic.read(source, None)
    return replaced(found, title=found.title or other.title, messages=other.messages, branches=other.branches, leaf=other.leaf)


def _found(source: Source) -> Iterator[Found]:
    first = next((line.strip(b"\0 \t") for _, line in islice(source.lines(), 100) if line.strip(b"\0 \t")), b"")
    if first.rstrip() == b"{" or (first.startswith(b"{") and b'"items"' in first):
        document, _ = source.document()
        if isinstance(document, dict) and isinstance(document.get("items"), list):
            yield from _of_document(document)
            return
        if first.rstrip() == b"{" and document is None:
            yield from source.pieces(is_record)
            return
    strict = any(is_payload(one.value) for one in islice(source.records(is_record, is_line), 50) if one.value is not None)
    yield from source.records(_is_of_rollout if strict else is_record, is_line)


def _is_of_rollout(record: dict[str, Any]) -> bool:
    return is_payload(record) or (record.get("type") == "response_item" and isinstance(record.get("item"), dict))


def _of_document(document: dict[str, Any]) -> Iterator[Found]:
    yield Found(1, {"type": "session_meta", "payload": values.mapping(document.get("session"))})
    for number, one in enumerate(document["items"], 1):
        yield Found(number, one) if isinstance(one, dict) else Found(number, None, say("the entry is not a record"))


@dataclass(frozen=True, slots=True)
class _Event:
    """A message that an event tells, to be taken unless an item says the same.

    Attributes:
        is_repeated: of an item of a turn that is done, which newer rollouts tell beside the event and the item of the context.
    """

    item: Item
    thinking: bool = False
    is_repeated: bool = False


@dataclass(slots=True)
class _Reading:
    """The state while records come in."""

    path: Path
    told: dict[str, str] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    started: datetime | None = None
    model: str = ""
    kind: str = "chat"
    meta_seen: bool = False
    lines: int = 0
    last_line: int = 0
    order: list[Item | _Event | Mark] = field(default_factory=list)
    items: ItemReader = field(default_factory=ItemReader)
    events: EventReader = field(default_factory=EventReader)
    last_total: int = -1

    def take(self, record: dict[str, Any], line: int) -> None:
        moment = values.moment(record.get("timestamp"))
        self.started = self.started or moment
        self.lines += 1
        place = f"line-{line}" if line != self.last_line else f"line-{line}.{self.lines}"
        self.last_line = line
        kind = values.text(record.get("type"))
        payload = record.get("payload") or (record.get("item") if kind == "response_item" else None)
        if is_wrapped_stream(record):
            self._streamed({**record, **record["payload"]}, place, moment)
        elif isinstance(payload, dict):
            self._payload(kind, payload, place, moment)
        elif is_event(record):
            self._event(record["msg"], place, moment)
        elif is_streamed(record):
            self._streamed(record, place, moment)
        elif is_head(record):
            self._meta(record)
        elif kind:
            self._item(record, place, moment)

    def _payload(self, kind: str, payload: dict[str, Any], place: str, moment: datetime | None) -> None:
        if kind == "session_meta":
            self._meta(payload)
        elif kind == "turn_context":
            inner = values.mapping(payload.get("turn_context")) or payload
            self.model = values.text(inner.get("model")) or self.model
            self._tell("workspace", inner.get("cwd"))
        elif kind == "response_item":
            self._item(payload, place, moment)
        elif kind == "event_msg":
            self._event(payload, place, moment)

    def _tell(self, name: str, value: Any) -> None:
        if not self.told.get(name):
            self.told[name] = values.text(value)

    def _meta(self, payload: dict[str, Any]) -> None:
        """The head of a rollout. Those further down are of the session that it was forked from."""
        self._tell("workspace", payload.get("cwd"))
        if self.meta_seen:
            return
        self.meta_seen = True
        inner = values.mapping(payload.get("meta")) or payload
        self._tell("id", inner.get("id") or inner.get("session_id"))
        self._tell("branch", values.mapping(payload.get("git")).get("branch"))
        self.started = values.moment(inner.get("timestamp")) or self.started
        self.model = values.text(inner.get("model")) or self.model
        source = values.mapping(inner.get("source"))
        if "subagent" in source or "sub_agent" in source or inner.get("thread_source") == "subagent" or inner.get("agent_role"):
            self.kind = "sub-agent"
            spawned = values.mapping(source.get("subagent", source.get("sub_agent")))
            self._tell("parent", values.mapping(spawned.get("thread_spawn")).get("parent_thread_id"))
        for name in ("parent_thread_id", "forked_from_id", "forked_from"):
            self._tell("parent", inner.get(name))

    def _item(self, payload: dict[str, Any], place: str, moment: datetime | None) -> None:
        found = self.items.item(payload, place, moment, self.model)
        if found is not None:
            self.order.append(found)
            if not self.told.get("workspace") and found.message.hidden:
                self._folder_in(found.message.text)

    def _folder_in(self, text: str) -> None:
        """Old rollouts tell the folder in the wrapped context only."""
        found = _FOLDER.search(text)
        if found is not None:
            self._tell("workspace", (found[1] or found[2]).strip())

    def _event(self, payload: dict[str, Any], place: str, moment: datetime | None) -> None:
        kind = values.text(payload.get("type"))
        if kind == "token_count":
            self._tokens(values.mapping(payload.get("info")))
        elif kind == "thread_rolled_back":
            self.order.append(Mark(turns=values.whole(payload.get("num_turns"))))
        elif kind == "thread_name_updated":
            self.told["name"] = values.text(payload.get("thread_name"))
        elif kind == "session_configured":
            self._tell("id", payload.get("session_id"))
            self._tell("workspace", payload.get("cwd"))
            self.model = values.text(payload.get("model")) or self.model
        else:
            found = self.events.item(payload, place, moment, self.model)
            if found is not None:
                self.order.append(_Event(found, thinking=bool(found.message.thinking), is_repeated=kind == "item_completed"))

    def _streamed(self, record: dict[str, Any], place: str, moment: datetime | None) -> None:
        """A line of `exec --json`: an item is told when it begins, changes and ends; the last one counts, at the place of the first."""
        self._tell("id", record.get("thread_id"))
        item = values.mapping(record.get("item"))
        found = self.events.streamed(item, values.identifier(item.get("id")) or place, moment)
        if found is None:
            return
        for number in range(len(self.order) - 1, max(-1, len(self.order) - 100), -1):
            before = self.order[number]
            if isinstance(before, Item) and before.message.id == found.message.id:
                self.order[number] = found
                return
        self.order.append(found)

    def _tokens(self, info: dict[str, Any]) -> None:
        """Tokens of the last request go to the last message of the model; the same count is told again with every change of the limits."""
        last, total = values.mapping(info.get("last_token_usage")), values.mapping(info.get("total_token_usage"))
        count = _total(last)
        if total and _total(total) == self.last_total:
            return
        self.last_total = _total(total) if total else -1
        if count:
            self.order.append(Mark(tokens=count))

    # --- the whole ---------------------------------------------------------------------------------------------------

    def result(self) -> ImportedSession:
        taken = list(self._taken())
        messages, live = chained(taken)
        own_id = self.told.get("id") or self.path.stem
        answers = (one.model for one in reversed(messages) if one.model)
        parent = self.told.get("parent", "")
        return ImportedSession(
            source=SOURCE,
            id=own_id,
            title=self._title(own_id, taken),
            workspace=self.told.get("workspace", ""),
            started=self.started,
            messages=messages,
            branches=leaves(messages),
            damage=tuple(self.damage),
            model=next(answers, "") or self.model,
            leaf=live,
            git_branch=self.told.get("branch", ""),
            parent="" if parent == own_id else parent,
            kind=self.kind,
        )

    def _taken(self) -> Iterator[Item | Mark]:
        """What counts: every item, and the events that no item says."""
        said: Counter[tuple[str, str]] = Counter()
        told: Counter[tuple[str, str]] = Counter()
        thoughts: set[str] = set()
        for entry in self.order:
            if isinstance(entry, Item):
                thoughts.update(entry.texts if entry.message.thinking else ())
                said.update((entry.message.role, text) for text in dict.fromkeys(entry.texts) if not entry.message.thinking)
            elif isinstance(entry, _Event) and not entry.thinking and not entry.is_repeated:
                told.update((entry.item.message.role, text) for text in entry.item.texts[:1])
        again = said | told
        for entry in self.order:
            if not isinstance(entry, _Event):
                yield entry
            elif entry.thinking:
                if not thoughts.issuperset(entry.item.texts):
                    yield entry.item
            elif not self._is_said(entry.item, again if entry.is_repeated else said):
                yield entry.item

    def _is_said(self, item: Item, said: Counter[tuple[str, str]]) -> bool:
        """Whether an item says what an event does; each item stands for one event."""
        message = item.message
        ids = {call.id for call in message.tool_calls} | {result.id for result in message.tool_results}
        if ids:  # where items tell of calls, an event with another id tells of a step inside one of them
            return bool(self.items.calls)
        key = (message.role, item.texts[0] if item.texts else "")
        said[key] -= 1
        return said[key] >= 0

    def _title(self, own_id: str, taken: list[Item | Mark]) -> str:
        asked = (own_words(one.prompt) for one in taken if isinstance(one, Item) and one.prompt and not one.message.hidden)
        told = values.told_title(self.told.get("name"), _name_in_index(self.path, own_id))
        return told or next(filter(None, map(values.told_title, asked)), "")


def _total(usage: dict[str, Any]) -> int:
    return values.whole(usage.get("total_tokens")) or values.counts(usage, "input_tokens", "output_tokens")


def _name_in_index(path: Path, own_id: str) -> str:
    """The name that the person gave a thread, out of the tool's own list beside its folders of sessions."""
    home = next((parent.parent for parent in path.parents if parent.name in {"sessions", "archived_sessions"}), None)
    name = ""
    try:
        if home is None or (home / INDEX).is_symlink():
            return ""
        with open_plain(home / INDEX) as file:
            lines = file.read(INDEX_LIMIT).split(b"\n")
    except OSError:
        return ""
    for line in lines:
        if own_id.encode("utf-8", "replace") in line:
            try:
                record = values.mapping(loads(line.decode("utf-8", errors="replace")))
            except ValueError:
                continue
            if record.get("id") == own_id:
                name = values.text(record.get("thread_name"))
    return name
