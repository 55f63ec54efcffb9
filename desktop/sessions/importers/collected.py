"""Messages of formats whose records name their parents, gathered while a file is read: ids made unique, records in between remembered.

Pure, reading threads. A record that is there twice counts once; another one of the same id is a message of its own.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any

from desktop.sessions.importers.reading import Found, Source
from desktop.sessions.importers.shapes import Damage, ImportedMessage, ImportedSession, replaced
from desktop.sessions.importers.stores import files_below
from desktop.sessions.importers.tree import LOST, leaves, with_parents
from desktop.sessions.importers.values import first_title, identifier, told_title


@dataclass(slots=True)
class Collected:
    """The state while records come in.

    Attributes:
        title: titles by rank, the person's before the tool's; the last one of a rank counts.
    """

    messages: dict[str, ImportedMessage] = field(default_factory=dict)
    bridges: dict[str, str | None] = field(default_factory=dict)
    sides: dict[str, str] = field(default_factory=dict)
    damage: list[Damage] = field(default_factory=list)
    id: str = ""
    titles: dict[int, str] = field(default_factory=dict)
    workspace: str = ""
    started: Any = None
    model: str = ""
    branch: str = ""
    parent: str = ""
    kind: str = "chat"
    leaf: str | None = None

    def read(self, source: Source, is_record: Callable[[dict[str, Any]], bool], take: Callable[[Found], None]) -> None:
        """Hand every record on, in order; damage is noted.

        Raises:
            OSError: the file cannot be read.
        """
        for found in source.pieces(is_record) if source.is_spread() else source.records(is_record):
            if isinstance(found.value, dict):
                take(found)
            else:
                self.damage.append(Damage(found.line, found.reason))

    def add(self, message: ImportedMessage, side: str = "", *, distinct: bool = False) -> str:
        """Take a message, whose id may be empty or taken; a `distinct` one is no copy of another. Returns the id that it has now."""
        name = message.id or f"message-{len(self.messages) + 1}"
        while (before := self.messages.get(name)) is not None:
            if not distinct and before == replaced(message, id=name, parent=before.parent):
                return name
            name += "~"
        if message.parent == message.id or message.parent == name:
            message = replaced(message, parent=LOST)
        self.messages[name] = message if message.id == name else replaced(message, id=name)
        if side:
            self.sides[name] = side
        for call in message.tool_calls:
            self.bridges.setdefault(call.id, name)
        return name

    def bridge(self, record: dict[str, Any], key: str = "id", parent_key: str = "parentId") -> None:
        """A record between messages that is none: children of it are children of its parent."""
        name = identifier(record.get(key))
        if name and name not in self.messages:
            self.bridges[name] = parent_in(record, parent_key)

    def session(self, source: str, path: Path) -> ImportedSession:
        messages = with_parents(tuple(self.messages.values()), self.bridges, self.sides)
        title = next((self.titles[rank] for rank in sorted(self.titles) if self.titles[rank].strip()), "")
        models = [one.model for one in messages if one.model]
        return ImportedSession(
            source=source,
            id=self.id or path.stem,
            title=told_title(title) or first_title(messages),
            workspace=self.workspace,
            started=self.started or next((one.time for one in messages if one.time), None),
            messages=messages,
            branches=leaves(messages),
            damage=tuple(self.damage),
            model=models[-1] if models else self.model,
            leaf=self._leaf(),
            git_branch=self.branch,
            parent=self.parent,
            kind=self.kind,
        )

    def _leaf(self) -> str | None:
        """The message at the end of the live branch, where a record names it or one between messages."""
        seen: set[str] = set()
        at = self.leaf
        while at is not None and at not in self.messages and at not in seen:
            seen.add(at)
            at = self.bridges.get(at)
        return at if at in self.messages else None


def parent_in(record: dict[str, Any], key: str = "parentId") -> str | None:
    """The parent that a record names: None for an explicit start, LOST where the record does not say or says nonsense."""
    if key in record and record[key] is None:
        return None
    return identifier(record.get(key)) or LOST


def any_file(folder: Path, mark: bytes, *patterns: str) -> bool:
    """Whether one of the first files of a folder has a mark, a regular expression, in its first bytes."""
    return any(_marked(path, mark) for path in islice(files_below(folder, *patterns, depth=4), 20))


def every_file(folder: Path, mark: bytes, *patterns: str) -> bool:
    """Whether all of the first files of a folder have a mark; so a folder of several tools' files is no tool's. True without any file."""
    return all(_marked(path, mark) for path in islice(files_below(folder, *patterns, depth=4), 50))


def _marked(path: Path, mark: bytes) -> bool:
    try:
        with path.open("rb") as file:
            return re.search(mark, file.read(8_192)) is not None
    except OSError:
        return False
