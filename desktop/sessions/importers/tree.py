"""The tree of an imported session: parents that are told by id, whatever order the records stand in, and the live branch made whole.

Pure. Ends for any input: parents that lead in a circle are cut, parents that are lost are replaced by the message before.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from desktop.sessions.importers.shapes import ImportedMessage, replaced

LOST = "\0lost"
"""As a parent: the file says that there is one and not which. The message before, of the same side, takes its place."""
_NEAR = 200
"""Messages of a branch that are looked at for the place of a result."""


def with_parents(
    messages: Sequence[ImportedMessage], bridges: Mapping[str, str | None], sides: Mapping[str, str]
) -> tuple[ImportedMessage, ...]:
    """Messages with parents that are messages.

    Args:
        messages: in file order, each id once, parents as the file tells them; a parent may stand behind its child.
        bridges: records that are no messages, by id, with their own parents.
        sides: what tells the agent of a message from others, by message id; messages that are not named are of the conversation.

    Returns:
        The same messages in the same order. When no record names another one that is there, each follows the one before of its side.
    """
    known = {message.id for message in messages}
    linear = not any(parent in known or parent in bridges for parent in (*(one.parent for one in messages), *bridges.values()))
    parents: dict[str, str | None] = {}
    before: dict[str, str] = {}
    for message in messages:
        side = sides.get(message.id, "")
        found = before.get(side) if linear else _resolved(message.parent, known, bridges, before.get(side))
        parents[message.id] = found if found != message.id else before.get(side)
        before[side] = message.id
    _cut_circles(parents)
    return tuple(one if parents[one.id] == one.parent else replaced(one, parent=parents[one.id]) for one in messages)


def _resolved(parent: str | None, known: set[str], bridges: Mapping[str, str | None], before: str | None) -> str | None:
    seen: set[str] = set()
    while parent is not None and parent not in known:
        if parent in seen or parent not in bridges:
            return before
        seen.add(parent)
        parent = bridges[parent]
    return parent


def _cut_circles(parents: dict[str, str | None]) -> None:
    """Make roots of messages that are their own ancestors."""
    safe: set[str | None] = {None}
    for start in parents:
        path: dict[str, None] = {}
        at: str | None = start
        while at is not None and at not in safe:
            if at in path:
                parents[at] = None
                break
            path[at] = None
            at = parents[at]
        safe.update(path)


def leaves(messages: Sequence[ImportedMessage]) -> int:
    """Messages that no other follows."""
    parents = {message.parent for message in messages}
    return sum(message.id not in parents for message in messages)


def live_end(messages: Sequence[ImportedMessage]) -> str | None:
    """Where the live branch ends: at the last message, or, where that one is written behind what follows it, at the newest end below it."""
    if not messages:
        return None
    below: dict[str, str] = {}
    for message in messages:
        if message.parent is not None:
            below[message.parent] = message.id
    at = messages[-1].id
    for _ in messages:
        if at not in below:
            break
        at = below[at]
    return at


def stitched(messages: Sequence[ImportedMessage]) -> list[ImportedMessage]:
    """The messages for a view: parents before children, results of calls made side by side on the branch of their calls.

    Claude Code hangs each of several calls made at once onto the one before it, and each result onto its own call, so that most results
    end up beside the branch that goes on. Here they stand on it, at their place in the file; nothing else moves.
    """
    place = {message.id: number for number, message in enumerate(messages)}
    children: dict[str, list[int]] = {}
    for number, message in enumerate(messages):
        if message.parent is not None:
            children.setdefault(message.parent, []).append(number)
    moved: dict[str, str | None] = {}
    for number, message in enumerate(messages):
        if message.parent in place and message.id not in children and _only_results(message):
            parent = moved.get(message.id, message.parent)
            _insert(number, messages[place[parent or ""]], messages, children, moved)
    relinked = [replaced(one, parent=moved[one.id]) if one.id in moved else one for one in messages]
    return _parents_first(relinked)


def _only_results(message: ImportedMessage) -> bool:
    return bool(message.tool_results) and not (message.text or message.tool_calls or message.thinking)


def _insert(
    number: int,
    parent: ImportedMessage,
    messages: Sequence[ImportedMessage],
    children: dict[str, list[int]],
    moved: dict[str, str | None],
) -> None:
    """Put a result without followers onto the branch that goes on from its call."""
    message = messages[number]
    calls = {call.id for call in parent.tool_calls}
    others = [one for one in children.get(parent.id, ()) if one != number]
    if not others or not any(result.id in calls for result in message.tool_results):
        return
    at, following = parent.id, others[0]
    for _ in range(_NEAR):
        if following < 0 or following > number:
            break
        at = messages[following].id
        following = next(iter(children.get(at, ())), -1)
    children[parent.id].remove(number)
    moved[message.id] = at
    if following < 0:
        children[at] = [number]
        return
    children[at] = [number if one == following else one for one in children[at]]
    children[message.id] = [following]
    moved[messages[following].id] = message.id


def _parents_first(messages: Sequence[ImportedMessage]) -> list[ImportedMessage]:
    by_id = {message.id: message for message in messages}
    placed: dict[str, ImportedMessage] = {}
    for message in messages:
        waiting: list[ImportedMessage] = []
        at: ImportedMessage | None = message
        while at is not None and at.id not in placed and len(waiting) <= len(by_id):
            waiting.append(at)
            at = by_id.get(at.parent) if at.parent is not None else None
        placed.update((one.id, one) for one in reversed(waiting))
    return list(placed.values())
