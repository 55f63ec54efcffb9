"""Which memories came from which message: by their headers, by the journal, over renames, deletions, undo and switches."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError
from desktop.base.paths import AppPaths
from desktop.memory.identity import resolve_project
from desktop.memory.memories import Memories
from desktop.memory.origins import origins_of, remembered_at
from desktop.memory.roots import PROJECT, USER
from desktop.memory.store import Change, ChangeOrigin
from desktop.memory.switches import MemoryState
from desktop.messages.events import MemoryChangeRef
from tests.helpers.clock import FixedClock

HERE, OTHER = "sess_here", "sess_other"
ON = MemoryState(True, "", True, "", "auto")
OFF = MemoryState(False, "Memory is off.", False, "Memory is off.", "off", "memory.use")


class Book:
    """The roots of one folder, written to as a session would."""

    def __init__(self, folder: Path) -> None:
        workspace = folder / "work"
        workspace.mkdir()
        paths = AppPaths(data=folder / "data", config=folder / "config", cache=folder / "cache")
        self.state = ON
        project = resolve_project(workspace, paths)
        self.memories = Memories(project, workspace, paths, FixedClock(), lambda: self.state)

    def write(self, path: str, message: str, text: str = "", *, actor: str = "main", root: str = PROJECT, session: str = HERE) -> Change:
        store = self.memories.store(root)
        body = text or f"---\nname: {path.removesuffix('.md')}\ndescription: d\nmetadata:\n  type: project\n---\n\n{path} {message}\n"
        try:
            base = store.read(path).digest
        except NotFoundError:
            base = None
        return store.write(path, body, base_digest=base, origin=ChangeOrigin(actor, session, message))  # type: ignore[arg-type]


@pytest.fixture
def book(tmp_path: Path) -> Book:
    return Book(tmp_path)


def paths_at(book: Book, message: str) -> set[str]:
    return {path for _, path, _ in remembered_at(book.memories, HERE).get(message, ())}


def test_a_memory_is_at_the_message_that_made_it_and_at_the_one_that_changed_it(book: Book) -> None:
    book.write("bun.md", "msg_1")
    book.write("tea.md", "msg_1", session=OTHER)
    book.write("tea.md", "msg_2", "---\nname: tea\ndescription: green\nmetadata:\n  type: user\n---\n\ngreen\n")
    found = remembered_at(book.memories, HERE)
    assert found["msg_1"] == ((PROJECT, "bun.md", "bun"),)
    assert paths_at(book, "msg_2") == {"tea.md"}
    assert {path for _, path, _ in remembered_at(book.memories, OTHER)["msg_1"]} == {"tea.md"}


def test_every_root_counts(book: Book) -> None:
    book.write("me.md", "msg_1", actor="person", root=USER)
    book.write("bun.md", "msg_1")
    assert {(root, path) for root, path, _ in remembered_at(book.memories, HERE)["msg_1"]} == {(PROJECT, "bun.md"), (USER, "me.md")}


@pytest.mark.parametrize("again", [False, True], ids=["renamed", "renamed twice"])
def test_a_renamed_memory_keeps_its_place(book: Book, again: bool) -> None:
    book.write("old.md", "msg_1", session=OTHER)
    book.write("old.md", "msg_2", "---\nname: old\ndescription: x\nmetadata:\n  type: user\n---\n\nnew words\n")
    store = book.memories.store()
    store.rename("old.md", "new.md", origin=ChangeOrigin("person"))
    if again:
        store.rename("new.md", "deep/newest.md", origin=ChangeOrigin("person"))
    assert paths_at(book, "msg_2") == {"deep/newest.md" if again else "new.md"}


def test_what_is_gone_or_taken_back_has_no_mark_and_comes_back_with_it(book: Book) -> None:
    change = book.write("bun.md", "msg_1")
    store = book.memories.store()
    undo = store.undo(change.id)
    assert paths_at(book, "msg_1") == set()
    store.undo(undo.id)
    assert paths_at(book, "msg_1") == {"bun.md"}
    gone = store.delete("bun.md", origin=ChangeOrigin("person"))
    assert paths_at(book, "msg_1") == set()
    store.undo(gone.id)
    assert paths_at(book, "msg_1") == {"bun.md"}


def test_extracted_changes_are_kept_by_message_in_order_also_when_taken_back(book: Book) -> None:
    first = book.write("a.md", "msg_1", actor="extractor")
    second = book.write("b.md", "msg_1", actor="extractor")
    book.write("c.md", "msg_1", actor="main")
    book.write("d.md", "msg_2", actor="extractor", session=OTHER)
    book.memories.store().undo(first.id)
    found = origins_of(book.memories, HERE).extracted
    assert found == {"msg_1": (MemoryChangeRef(PROJECT, "a.md", first.id, "write"), MemoryChangeRef(PROJECT, "b.md", second.id, "write"))}


def test_nothing_is_read_while_memory_is_off_and_nothing_for_no_session(book: Book) -> None:
    book.write("bun.md", "msg_1", actor="extractor")
    assert origins_of(book.memories, "").remembered == {}
    book.state = OFF
    assert origins_of(book.memories, HERE) == origins_of(book.memories, "")


def test_a_damaged_journal_hides_no_header(book: Book, caplog: pytest.LogCaptureFixture) -> None:
    change = book.write("bun.md", "msg_1")
    store = book.memories.store()
    assert change.after is not None
    note = next(one for one in store.notes() if one.path == "bun.md")
    assert note.origin_message == "msg_1"
    store.journal.file.unlink()
    store.journal.file.mkdir()
    assert paths_at(book, "msg_1") == {"bun.md"}
    assert "could not be read" in caplog.text
