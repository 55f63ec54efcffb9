"""A profile with conversations and the search over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from desktop.base.paths import AppPaths
from desktop.messages.parts import Message, Part, ToolCallPart, ToolResultPart
from desktop.sessions.index import SessionHit, SessionSearch
from desktop.sessions.store import SessionStore
from tests.unit.sessions.make import KEY, message, new_handle, paths_in, store_in

OTHER = "other-fedcba9876543210"


@dataclass
class World:
    """A store and the search over it."""

    root: Path
    sessions: SessionStore
    search: SessionSearch

    @property
    def paths(self) -> AppPaths:
        return paths_in(self.root)

    def talk(self, *texts: str, key: str = KEY, title: str = "") -> str:
        """A stored conversation of person and model by turns; gives its id."""
        handle = new_handle(self.sessions, key=key)
        for number, text in enumerate(texts):
            handle.append(message(text, "assistant" if number % 2 else "user", number=number))
        if title:
            handle.set_meta("title", title)
        handle.close()
        return handle.id

    def add(self, session_id: str, *messages: Message) -> None:
        handle = self.sessions.open(session_id)
        for one in messages:
            handle.append(one)
        handle.close()

    def find(self, *queries: str, key: str | Sequence[str] | None = KEY, **more: object) -> list[SessionHit]:
        return list(self.search.search(queries, project_key=key, **more).hits)  # type: ignore[arg-type]

    def said(self, *queries: str, **more: object) -> list[tuple[str, int | None]]:
        """(session, number in the live branch) of what is found."""
        return [(hit.session_id, hit.message) for hit in self.find(*queries, **more)]  # type: ignore[arg-type]

    def path(self, session_id: str) -> Path:
        return self.sessions.path_of(session_id)


@contextmanager
def world_in(root: Path) -> Iterator[World]:
    sessions = store_in(root)
    search = SessionSearch(sessions, paths_in(root))
    try:
        yield World(root, sessions, search)
    finally:
        search.close()


def call(name: str, text: str = "", number: int = 0, **arguments: object) -> Message:
    """A message of the model with a call in it."""
    parts: list[Part] = [ToolCallPart("c1", name, dict(arguments))]
    return message(text, "assistant", number=number, parts=tuple(parts), stop="tool_calls")


def result(name: str, output: str, status: str = "ok", number: int = 0) -> Message:
    return message("", "tool", number=number, parts=(ToolResultPart("c1", name, output, status),))  # type: ignore[arg-type]
