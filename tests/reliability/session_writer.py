"""A session with what stands beside its transcript, for the rig: big outputs and images, marks, the trash and back, an earlier schema."""

from __future__ import annotations

import base64
import hashlib
import json
from collections import Counter
from pathlib import Path

from desktop.base.errors import NotFoundError
from desktop.messages.parts import Message, ToolResultPart
from desktop.sessions.forks import fork
from desktop.sessions.side_files import references
from desktop.sessions.store import SessionHandle
from desktop.sessions.transcript import LoadedTranscript
from tests.reliability.writers import State, TranscriptWriter
from tests.unit.sessions.make import KEY, message, older_lines

IMAGE = base64.b64encode(b"\x89PNG\r\n\x1a\n" + bytes(range(256)) * 8).decode()
MAIN, FRESH, GOING, GONE, OLD = "main", "fresh", "going", "gone", "old"


def result(output: str, *, image: bool = False) -> Message:
    data = {"image": {"media_type": "image/png", "data": IMAGE}} if image else None
    return message("", "tool", parts=(ToolResultPart("call_1", "Read", output, data=data),))


def big(number: int) -> str:
    return f"step {number}. " + f"{number} 字 " * 16_000


class SessionWriter(TranscriptWriter):
    """Five sessions: two are written to, one without side files so far; one goes to the trash, one lies there, one is of schema 0."""

    acts = ("output", "image", "again", "fork", "mark", "trash", "restore", "migrate")

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._first = result("first " + "字 " * 40_000)
        self._second = result("", image=True)
        self._again = result("main " + "answer " * 12_000, image=True)

    @property
    def ids(self) -> dict[str, str]:
        known = json.loads(self._id_file.read_text())
        assert isinstance(known, dict)
        return known

    @property
    def handle(self) -> SessionHandle:
        return self._opened(MAIN)

    def _opened(self, name: str) -> SessionHandle:
        if self._handle is None:
            self._handle = self.sessions.open(self.ids[name])
        return self._handle

    def prepare(self) -> None:
        ids: dict[str, str] = {}
        for name in (MAIN, FRESH, GOING, GONE):
            handle = self.sessions.create(project_key=KEY, workspace=self.root, memory_enabled=True, model="scripted")
            handle.append(message(f"asked in {name}"))
            if name != FRESH:
                handle.append(result(f"{name} " + "answer " * 12_000, image=True))
            ids[name] = handle.id
            handle.close()
        self.sessions.trash(ids[GONE])
        ids[OLD] = "sess_" + "0" * 26
        path = self.sessions.path_of(ids[MAIN]).with_name(f"{ids[OLD]}.jsonl")
        path.write_bytes(older_lines(ids[OLD]))
        self._id_file.write_text(json.dumps(ids))

    def act(self, name: str) -> None:
        if name == "output":
            self._opened(FRESH).append(self._first)
        elif name == "image":
            self.handle.append(self._second)
        elif name == "again":
            self.handle.append(self._again)
        elif name == "fork":
            fork(self.sessions, self.ids[MAIN])
        elif name == "mark":
            self.sessions.set_flag(self.ids[GOING], "pinned", True)
        elif name == "trash":
            self.sessions.trash(self.ids[GOING])
        elif name == "restore":
            self.sessions.restore(self.sessions.trashed()[0])
        else:
            self._migrate()

    def _migrate(self) -> None:
        """Open the old session and go on in it; what was refused before the message was made is done once."""
        handle = self.sessions.open(self.ids[OLD])
        try:
            if "more" not in [m.text for m in handle.messages]:
                handle.append(message("more"))
        finally:
            handle.close()

    def step(self, number: int) -> None:
        self.handle.append(result(big(number)) if number % 2 else message(f"step {number}. " + "x" * 2_000))

    def state(self) -> State:
        trashed = {entry.id: entry for entry in self.sessions.trashed()}
        found: dict[str, bytes] = {}
        for name, session_id in self.ids.items():
            if session_id in trashed:
                self.sessions.restore(trashed[session_id])
            found[name] = b"trash " * (session_id in trashed) + self._content(session_id)
        forks = [entry.id for entry in self.sessions.list() if entry.id not in self.ids.values()]
        return found | {f"fork {number}": self._content(session_id) for number, session_id in enumerate(forks)}

    def _content(self, session_id: str) -> bytes:
        loaded = self.sessions.load(session_id)
        lost = [reason for _, reason in loaded.damage if "missing or damaged" in reason]
        assert not lost, lost
        said = hashlib.sha256()
        for one in loaded.live:
            said.update("\0".join([one.text, *(part.output for part in one.tool_results)]).encode())
            for reference in references(one):
                said.update(self.sessions.side_file(session_id, reference["file"]))
        return f"{len(loaded.live)} {said.hexdigest()} {loaded.meta.get('pinned')}".encode()

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        loaded = self.sessions.load(self.ids[MAIN])
        told = Counter(_text(one).partition(".")[0] for one in loaded.messages if _text(one).startswith("step "))
        wrong = [f"step {n} is there {told[f'step {n}']} times" for n in acknowledged if told[f"step {n}"] != 1]
        wrong += [f"the output of step {n} is not whole" for n in acknowledged if n % 2 and big(n) not in _outputs(loaded)]
        extra = told.total() - len(acknowledged)
        return wrong + ([f"{extra} records nobody acknowledged"] if extra > kills else []) + self._lost(loaded)

    def _lost(self, loaded: LoadedTranscript) -> list[str]:
        wrong: list[str] = []
        for one in loaded.messages:
            for reference in references(one):
                try:
                    self.sessions.side_file(self.ids[MAIN], reference["file"])
                except NotFoundError as error:
                    wrong.append(error.message)
        return wrong


def _text(one: Message) -> str:
    return one.text or "".join(part.output for part in one.tool_results)


def _outputs(loaded: LoadedTranscript) -> set[str]:
    return {part.output for one in loaded.messages for part in one.tool_results}
