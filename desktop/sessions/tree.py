"""The tree that the messages of a session make: versions beside each other, and the way from one branch to another. Pure values.

A branch goes from a first message to a leaf. Messages come in the order in which they were stored, parents before their children.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass

from desktop.messages.parts import Message

Children = Mapping[str | None, Sequence[Message]]


@dataclass(frozen=True, slots=True)
class Versions:
    """The messages beside one of the live branch.

    Attributes:
        at: which of them is on the live branch, from 0.
        ids: all of them, the oldest first.
    """

    at: int
    ids: tuple[str, ...]


def children_of(messages: Iterable[Message]) -> dict[str | None, list[Message]]:
    """Messages by the id of their parent; None holds those that begin a conversation."""
    found: dict[str | None, list[Message]] = {}
    for message in messages:
        found.setdefault(message.parent, []).append(message)
    return found


def versions(messages: Iterable[Message], live: Sequence[Message]) -> dict[str, Versions]:
    """For each message of the live branch that has others beside it: which one it is, and which there are."""
    children = children_of(messages)
    found: dict[str, Versions] = {}
    for message in live:
        ids = tuple(one.id for one in children.get(message.parent, ()))
        if len(ids) > 1 and message.id in ids:
            found[message.id] = Versions(ids.index(message.id), ids)
    return found


def ways_on(messages: Iterable[Message], live: Sequence[Message]) -> tuple[str, ...]:
    """The messages that follow the end of the live branch and are not on it, the oldest first: what a rewind left."""
    leaf = live[-1].id if live else None
    return tuple(message.id for message in messages if message.parent == leaf)


def newest_leaf(messages: Sequence[Message], message_id: str) -> str:
    """The end of the branch through a message that was written to last; the message itself when nothing follows it."""
    below, leaf = {message_id}, message_id
    for message in messages:
        if message.parent in below:
            below.add(message.id)
            leaf = message.id
    return leaf


def leaves(messages: Sequence[Message]) -> tuple[str, ...]:
    """The ends of all branches, in the order in which they were stored."""
    parents = {message.parent for message in messages}
    return tuple(message.id for message in messages if message.id not in parents)
