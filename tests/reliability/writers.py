"""What the rig tries out: for each kind of store its acts, what its state is, and whether what was acknowledged is still there.

An act is one acknowledged change. `state` is what a person would find after a restart; times are fixed: equal acts give equal bytes.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import Counter
from collections.abc import Mapping
from pathlib import Path

import tests.reliability.calls  # noqa: F401  (before the product)
from desktop.base.errors import NotFoundError
from desktop.base.paths import AppPaths
from desktop.memory import outside
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.index_text import entries_of
from desktop.memory.journal import Journal
from desktop.memory.moving import rename_with_links
from desktop.memory.note import INDEX_NAME, list_notes
from desktop.memory.store import ChangeOrigin, MemoryStore
from desktop.memory.switches import MemoryState
from desktop.sessions.store import SessionHandle, SessionStore
from desktop.settings.store import SettingsStore
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import note_text
from tests.unit.sessions.make import message

outside.SETTLE_NS = 1_000_000  # nobody else writes here: a look need not wait 200 ms for a file to come to rest
ON = MemoryState(True, "", True, "", "auto")
MAIN = ChangeOrigin("main", "sess_rig", "msg_rig")
PERSON = ChangeOrigin("person")
TWO = "See [[one]] and [one](one.md).\n\nSecond line.\n\nThird line."
State = Mapping[str, bytes]


def paths_in(root: Path) -> AppPaths:
    return AppPaths(data=root / "data", config=root / "config", cache=root / "cache")


class Writer(ABC):
    """One kind of store in one folder. A new object is a restart."""

    acts: tuple[str, ...] = ()

    def __init__(self, root: Path) -> None:
        self.root = root
        self.paths = paths_in(root)
        self.clock = FixedClock()
        self.warnings: tuple[str, ...] = ()

    @abstractmethod
    def prepare(self) -> None:
        """Make the folder in which acts are done."""

    def before(self, act: str) -> None:  # noqa: B027 - most acts need nothing
        """What stands there before an act, done by others and safe on disk."""

    @abstractmethod
    def act(self, name: str) -> None:
        """Do one act."""

    @abstractmethod
    def step(self, number: int) -> None:
        """The next of a long row of changes."""

    @abstractmethod
    def state(self) -> State:
        """What is found after a restart. A fault of the store's form is an AssertionError."""

    @abstractmethod
    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        """What is wrong after steps of which these were acknowledged; every kill may have let one more be done."""


class MemoryWriter(Writer):
    """Topic files: each act writes file, snapshot, journal line and index line."""

    acts: tuple[str, ...] = ("create", "update", "nested", "delete", "rename", "rename-links", "undo", "merge", "observe")

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        folder = root / "work" / "项目"
        folder.mkdir(parents=True, exist_ok=True)
        self.project = resolve_project(folder, self.paths)
        self.store = MemoryStore(self.project, self.paths, self.clock, lambda: ON)

    def prepare(self) -> None:
        ensure_project(self.project, self.clock)
        self.store.observe()
        self.store.write("one.md", note_text("one", "The build runs with bun."), base_digest=None, origin=MAIN)
        self.store.write("two.md", note_text("two", TWO, "links to one"), base_digest=None, origin=MAIN)

    def _digest(self, path: str) -> str:
        return self.store.read(path).digest

    def act(self, name: str) -> None:
        store = self.store
        if name == "create":
            store.write("three.md", note_text("three", "数据库是 postgres。"), base_digest=None, origin=MAIN)
        elif name == "update":
            store.write("one.md", note_text("one", "The build runs with deno."), base_digest=self._digest("one.md"), origin=MAIN)
        elif name == "nested":
            store.write("部署/four.md", note_text("four", "Deploy on Fridays."), base_digest=None, origin=MAIN)
        elif name == "delete":
            store.delete("one.md", origin=PERSON)
        elif name == "rename":
            store.rename("one.md", "uno.md", origin=PERSON)
        elif name == "rename-links":
            self.warnings = rename_with_links(store, "one.md", "uno.md", origin=PERSON).warnings
        elif name == "undo":
            store.undo()
        elif name == "merge":
            self._merge()
        else:
            self._outside()

    def _merge(self) -> None:
        base = self.store.read("two.md")
        theirs, ours = base.text.replace("Second", "2nd"), base.text.replace("Third", "3rd")
        if "2nd" not in base.text:
            self.store.write("two.md", theirs, base_digest=base.digest, origin=PERSON)
        self.store.write("two.md", ours, base_digest=base.digest, origin=MAIN)

    def _outside(self) -> None:
        self.store.observe()

    def before(self, act: str) -> None:
        if act == "observe":  # another program's own saving is no call of ours
            (self.store.root / "outside.md").write_text(note_text("outside", "Put there by another program."))

    def step(self, number: int) -> None:
        text = note_text(f"note-{number}", f"fact {number}")
        if number % 3:
            self.store.write(f"note-{number}.md", text, base_digest=None, origin=MAIN)
            return
        try:
            known = self._digest("counter.md")
        except NotFoundError:
            known = None
        self.store.write("counter.md", note_text("counter", f"count {number}"), base_digest=known, origin=MAIN)

    def state(self) -> State:
        self.store.finish_left_over()
        self.store.observe()
        root = self.store.root
        found = {p.relative_to(root).as_posix(): p.read_bytes() for p in sorted(root.rglob("*")) if p.is_file() and p.suffix == ".md"}
        self._check_form(found)
        return found

    def _check_form(self, found: State) -> None:
        notes = list_notes(self.store.root)
        assert all(note.problem is None for note in notes), [(n.path, n.problem) for n in notes]
        targets = [entry.target for entry in entries_of(found.get(INDEX_NAME, b"").decode())]
        assert sorted(t or "" for t in targets) == sorted(note.path for note in notes), (targets, [n.path for n in notes])
        assert len(self.store.changes(10_000)) == len({c.id for c in self.store.changes(10_000)})

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        found = self.state()
        wrong = [f"note {n} is gone" for n in acknowledged if n % 3 and f"fact {n}\n".encode() not in found.get(f"note-{n}.md", b"")]
        counted = [n for n in acknowledged if n % 3 == 0]
        count = int(found["counter.md"].rpartition(b"count ")[2]) if "counter.md" in found else -1
        if counted and count < counted[-1]:
            wrong.append(f"the counter is {count}, acknowledged {counted[-1]}")
        journalled = {change.path for change in self.store.changes(10_000)}
        return wrong + [f"note {n} is not in the journal" for n in acknowledged if n % 3 and f"note-{n}.md" not in journalled]


class IndexWriter(MemoryWriter):
    """MEMORY.md written by hand, beside a topic file that keeps its line."""

    acts = ("add", "reorder", "undo-index")

    def prepare(self) -> None:
        super().prepare()
        self._write(self._text() + "\n## 手写\n\nkept by hand\n")

    def _text(self) -> str:
        return self.store.read(INDEX_NAME).text

    def _write(self, text: str) -> None:
        self.store.write(INDEX_NAME, text, base_digest=self._digest(INDEX_NAME), origin=PERSON)

    def act(self, name: str) -> None:
        if name == "add":
            self._write(self._text() + "another line\n")
        elif name == "reorder":
            lines = self._text().splitlines()
            self._write("\n".join([*lines[2:], *lines[:2]]) + "\n")
        else:
            self.store.undo()

    def step(self, number: int) -> None:
        self._write(self._text() + f"line {number}.\n")

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        text = self.state()[INDEX_NAME].decode()
        counts = {n: text.count(f"line {n}.\n") for n in acknowledged}
        return [f"line {n} is there {count} times" for n, count in counts.items() if count != 1]


class JournalWriter(MemoryWriter):
    """The journal: every acknowledged change once, by its id."""

    acts = ()

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self._ids = root / "acknowledged"

    def step(self, number: int) -> None:
        """A change, and its id beside the number of the step. Both are acknowledged together."""
        name = f"note-{number % 5}.md"
        exists = (self.store.root / name).exists()
        if number % 4 == 3 and exists:
            change = self.store.delete(name, origin=PERSON)
        else:
            text = note_text(f"note-{number % 5}", f"fact {number}")
            change = self.store.write(name, text, base_digest=self._digest(name) if exists else None, origin=MAIN)
        with self._ids.open("a") as file:
            file.write(f"{number} {change.id}\n")

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        self.state()
        lines = [line.split() for line in self._ids.read_text().splitlines()] if self._ids.exists() else []
        ids = {int(line[0]): line[1] for line in lines if len(line) == 2}
        known = [change.id for change in Journal(self.paths, self.project.key).read()]
        return [f"change of step {n} is in the journal {known.count(ids[n])} times" for n in acknowledged if known.count(ids[n]) != 1]


class SettingsWriter(Writer):
    """The person's settings file."""

    acts = ("set", "reset")

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.settings = SettingsStore(self.paths, clock=self.clock)
        self.settings.load()

    def prepare(self) -> None:
        self.settings.set("memory.index_lines", 150)
        self.settings.set("appearance.zoom", 1.5)

    def act(self, name: str) -> None:
        if name == "set":
            self.settings.set("memory.index_lines", 120)
        else:
            self.settings.reset("appearance.zoom")

    def step(self, number: int) -> None:
        self.settings.set("memory.index_lines", 100 + number)

    def state(self) -> State:
        assert not self.settings.broken and not self.settings.problems, self.settings.problems
        keys = ("memory.index_lines", "appearance.zoom", "features.memory")
        return {key: str(self.settings.value(key)).encode() for key in keys}

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        found = int(self.state()["memory.index_lines"]) - 100
        right = not acknowledged or acknowledged[-1] <= found <= acknowledged[-1] + 11
        return [] if right else [f"the setting is {found}, acknowledged {acknowledged[-1]}"]


class TranscriptWriter(Writer):
    """A session's transcript."""

    acts: tuple[str, ...] = ("append", "meta")

    def __init__(self, root: Path) -> None:
        super().__init__(root)
        self.sessions = SessionStore(self.paths, self.clock)
        self._id_file = root / "session"
        self._handle: SessionHandle | None = None
        self._second = message("second " + "字" * 3_000)  # sent again after an error, it is the same message

    @property
    def handle(self) -> SessionHandle:
        if self._handle is None:
            self._handle = self.sessions.open(self._id_file.read_text())
        return self._handle

    def prepare(self) -> None:
        handle = self.sessions.create(project_key="rig-0000000000000000", workspace=self.root, memory_enabled=True, model="scripted")
        handle.append(message("first"))
        self._id_file.write_text(handle.id)
        handle.close()

    def act(self, name: str) -> None:
        if name == "append":
            self.handle.append(self._second)
        else:
            self.handle.set_meta("title", "题目")

    def step(self, number: int) -> None:
        self.handle.append(message(f"step {number}. " + "x" * 2_000))

    def state(self) -> State:
        loaded = self.sessions.load(self._id_file.read_text())
        texts = [m.text.split()[0] for m in loaded.messages]
        return {"messages": " ".join(texts).encode(), "title": str(loaded.meta.get("title")).encode()}

    def faults(self, acknowledged: list[int], kills: int) -> list[str]:
        loaded = self.sessions.load(self._id_file.read_text())
        counts = Counter(m.text.split(".")[0] for m in loaded.messages if m.text.startswith("step "))
        wrong = [f"step {n} is there {counts[f'step {n}']} times" for n in acknowledged if counts[f"step {n}"] != 1]
        extra = counts.total() - len(acknowledged)
        return wrong + ([f"{extra} records nobody acknowledged"] if extra > kills else [])
