"""Where the conversations stand in a JSON document that nobody described: a list of messages, at whatever depth, a tree of them, or many.

Pure; nothing raises. Work is bounded by the size of the document.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from itertools import islice
from typing import Any

from desktop.sessions.importers import values
from desktop.sessions.importers.chat_message import is_message, own_id, parent_of, role_of, unwrapped
from desktop.sessions.importers.generic_dialects import is_dialect
from desktop.sessions.importers.generic_events import is_event

Record = dict[str, Any]

NAMES = (
    "messages",
    "chat_messages",
    "conversations",
    "conversation",
    "history",
    "chat_history",
    "turns",
    "dialogue",
    "dialog",
    "chat",
    "trajectory",
    "bubbles",
    "steps",
    "events",
    "responses",
    "chatHistory",
)
"""Fields in which messages stand, the likeliest first; other fields are looked at after them."""
_BESIDE = ("session", "info", "composer", "conversation_info", "conversation", "thread")
"""Objects beside the messages that tell of the whole."""
_DEPTH = 4
_LOOK = 50
"""Items of a list by which it is judged."""


@dataclass(slots=True)
class Conversation:
    """One conversation of a document.

    Attributes:
        about: the objects around the messages, the nearest first: title, id, workspace.
        records: its messages, and what stands between them.
        leaf: id of the live branch's last message.
    """

    records: list[Record]
    about: list[Record] = field(default_factory=list)
    leaf: str | None = None


def conversations(document: Any) -> list[Conversation]:
    """Every conversation of a document, in its order; empty where it holds none."""
    if isinstance(document, list):
        if _is_said(document):
            return [Conversation(values.mappings(document))]
        return [one for item in values.mappings(document) if (one := _of_object(item, 0)) is not None]
    single = _of_object(document, 0) if isinstance(document, dict) else None
    if single is not None:
        return [single]
    for value in document.values() if isinstance(document, dict) else ():
        if isinstance(value, list) and (many := conversations(value)):
            return many
    return []


def is_conversation(record: Any) -> bool:
    """Whether an object holds a conversation of its own."""
    return isinstance(record, dict) and _of_object(record, 0) is not None


def _is_said(items: list[Any]) -> bool:
    """Whether a list is one of messages: at least a quarter of its first items are, and one is a person's or a model's."""
    first = [one for one in islice(items, _LOOK) if isinstance(one, dict)]
    told = [one for one in first if is_message(one) or is_event(one) or is_dialect(one)]
    if len(told) * 4 < len(first):
        return False
    return any(role_of(unwrapped(one)) in ("user", "assistant") or is_event(one) or is_dialect(one) for one in told)


def _of_object(record: Record, depth: int) -> Conversation | None:
    """The conversation in an object: in its likeliest field, else in the one that holds most messages."""
    if isinstance(record.get("mapping"), dict) and (nodes := _nodes(record["mapping"])):
        return Conversation(nodes, [record], values.identifier(record.get("current_node")) or None)
    for name in ("history", *NAMES) if _is_tree(record.get("history")) else NAMES:
        found = _of_value(record.get(name), depth)
        if found is not None:
            return _around(found, record)
    if depth == 0 and is_message(record):
        return None
    best: Conversation | None = None
    for name, value in record.items():
        if name not in NAMES and isinstance(value, dict | list):
            found = _of_value(value, depth)
            if found is not None and (best is None or len(found.records) > len(best.records)):
                best = found
    return None if best is None else _around(best, record)


def _is_tree(history: Any) -> bool:
    """Whether a history keeps its messages by id: all of them, where a list beside it has those of the live branch only."""
    return isinstance(history, dict) and isinstance(history.get("messages"), dict)


def _around(found: Conversation, record: Record) -> Conversation:
    found.about.append(record)
    found.about += [record[name] for name in _BESIDE if isinstance(record.get(name), dict)]
    if found.leaf is None:
        found.leaf = next(
            (leaf for name in ("currentId", "current_id", "current_node") if (leaf := values.identifier(record.get(name)))), None
        )
    return found


def _of_value(value: Any, depth: int) -> Conversation | None:
    if isinstance(value, list):
        given = _turns(value)
        return Conversation(values.mappings(given)) if given and _is_said(given) else None
    if not isinstance(value, dict) or depth >= _DEPTH:
        return None
    inside = [one for one in islice(value.values(), _LOOK) if isinstance(one, dict)]
    if inside and sum(is_message(one) for one in inside) * 2 > len(inside) and any(own_id(one) for one in inside):
        return Conversation(values.mappings(list(value.values())))
    return _of_object(value, depth + 1)


def _turns(value: list[Any]) -> list[Any]:
    """The items of a list; those of its lists where it holds nothing but such, as turns of what was asked and answered."""
    pairs = bool(value) and all(isinstance(one, list) and 0 < len(one) <= 4 for one in value)
    return [item for one in value for item in one] if pairs else value


def _nodes(mapping: Record) -> list[Record]:
    """The nodes of a tree (`mapping`) as messages; a node without one stays, to hold its branches together."""
    found: list[Record] = []
    for key, node in mapping.items():
        if not isinstance(node, dict):
            continue
        message = node.get("message")
        around = {"id": values.identifier(node.get("id")) or values.text(key), "parent": node.get("parent")}
        found.append({**message, **around} if isinstance(message, dict) else around)
    return found if any(is_message(one) or is_dialect(one) for one in found) else []


def parents_first(records: Iterable[Record]) -> Iterator[Record]:
    """The records in their order, but each behind its parent: exports of trees keep them in any."""
    given = list(records)
    by_id: dict[str, Record] = {}
    for record in given:
        if ident := own_id(unwrapped(record)):
            by_id.setdefault(ident, record)
    placed: set[int] = set()
    for record in given:
        waiting: list[Record] = []
        at: Record | None = record
        while at is not None and id(at) not in placed:
            placed.add(id(at))
            waiting.append(at)
            at = by_id.get(parent_of(unwrapped(at)) or "")
        yield from reversed(waiting)
