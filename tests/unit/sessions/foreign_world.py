"""A profile with sessions of other tools beside our own, and the search over all of them."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from desktop.sessions.all_sessions import AllSessions
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.index import SessionHit, SessionSearch, Whose
from desktop.sessions.store import SessionStore
from desktop.sessions.transcript import LoadedTranscript
from tests.unit.sessions.make import KEY, message, new_handle, paths_in, store_in

HERE, THERE = "/srv/demo", "/srv/other"
OTHER = "other-fedcba9876543210"
PROJECTS = {HERE: KEY, THERE: OTHER}


class Counted(ForeignSessions):
    """Tells which sessions were loaded."""

    loads: list[str]

    def load(self, session_id: str) -> LoadedTranscript:
        self.loads.append(session_id)
        return super().load(session_id)


@dataclass
class ForeignWorld:
    """Our store, other tools' transcripts below `home`, and the search over both."""

    root: Path
    on: bool = True
    projects: dict[str, str] = field(default_factory=lambda: dict(PROJECTS))

    def __post_init__(self) -> None:
        self.sessions: SessionStore = store_in(self.root)
        self.foreign = self.sessions_of_others()
        self.search = SessionSearch(self.sessions, paths_in(self.root), foreign=self.foreign)

    @property
    def home(self) -> Path:
        return self.root / "claude" / "projects"

    @property
    def everything(self) -> AllSessions:
        return AllSessions(self.sessions, self.foreign)

    def sessions_of_others(self) -> Counted:
        state = self.root / "data" / "state"
        made = Counted(
            self.root / "cache" / "foreign.json",
            state / "named.json",
            lambda: [self.home],
            lambda folder: self.projects.get(folder, ""),
            lambda: self.on,
        )
        made.loads = []
        return made

    def restarted(self) -> None:
        """What a new process finds."""
        self.search.close()
        self.foreign = self.sessions_of_others()
        self.search = SessionSearch(self.sessions, paths_in(self.root), foreign=self.foreign)

    def path(self, name: str) -> Path:
        return self.home / "p" / f"{name}.jsonl"

    def write(self, name: str, *records: dict[str, object], cwd: str = HERE) -> Path:
        """A transcript of these records; each hangs onto the one before it unless it names its parent."""
        path = self.path(name)
        path.parent.mkdir(parents=True, exist_ok=True)
        lines, parent = [], None
        for number, record in enumerate(records):
            whole: dict[str, object] = {
                "uuid": f"{name}-{number}",
                "parentUuid": parent,
                "sessionId": name,
                "cwd": cwd,
                "timestamp": f"2026-02-01T10:{number % 60:02}:{number // 60:02}Z",
            } | record
            parent = str(whole["uuid"])
            lines.append(json.dumps(whole, ensure_ascii=False))
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
        return path

    def theirs(self, name: str, *texts: str, cwd: str = HERE) -> str:
        """A conversation that another tool held, in the list; gives the id under which it is cited here."""
        self.write(name, *turns(*texts), cwd=cwd)
        self.foreign.refresh()
        return self.id_of(name)

    def id_of(self, name: str) -> str:
        return next(one.summary.id for one in self.foreign.known() if one.path == str(self.path(name)))

    def ours(self, *texts: str, key: str = KEY) -> str:
        handle = new_handle(self.sessions, key=key)
        for number, text in enumerate(texts):
            handle.append(message(text, "assistant" if number % 2 else "user", number=number))
        handle.close()
        return handle.id

    def find(self, *queries: str, key: str | Sequence[str] | None = KEY, whose: Whose = "all", **more: object) -> list[SessionHit]:
        return list(self.search.search(queries, project_key=key, whose=whose, **more).hits)  # type: ignore[arg-type]

    def said(self, *queries: str, **more: object) -> list[tuple[str, int | None]]:
        """(session, number in the live branch) of what is found."""
        return [(hit.session_id, hit.message) for hit in self.find(*queries, **more)]  # type: ignore[arg-type]


def turns(*texts: str) -> list[dict[str, object]]:
    """Records of person and model by turns."""
    roles = ["assistant" if number % 2 else "user" for number in range(len(texts))]
    return [{"type": role, "message": {"role": role, "content": text}} for role, text in zip(roles, texts, strict=True)]


@contextmanager
def foreign_world_in(root: Path) -> Iterator[ForeignWorld]:
    world = ForeignWorld(root)
    try:
        yield world
    finally:
        world.search.close()
