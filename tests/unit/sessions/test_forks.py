"""Forks: what a new session takes along of an old one, and that nothing of the old one changes."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError, StorageError
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.sessions.forks import fork, fork_title
from desktop.sessions.tree import leaves, newest_leaf, versions, ways_on
from tests.unit.sessions.make import filled, message, new_handle, store_in


def test_a_fork_holds_the_messages_up_to_there_and_goes_its_own_way(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    made = filled(handle, 6)
    handle.set_meta("title", "Plan")
    handle.close()
    before = handle.path.read_bytes()

    forked = fork(store, handle.id, made[3].id)
    loaded = store.load(forked)
    assert loaded.header is not None and forked != handle.id
    assert (loaded.header.parent, loaded.header.parent_message) == (handle.id, made[3].id)
    assert (loaded.header.workspace, loaded.header.project_key) == (handle.header.workspace, handle.header.project_key)
    assert loaded.live == store.load(handle.id).live[:4]
    summary = store.find(forked)
    assert (summary.title, summary.messages, summary.parent) == ("Plan (fork)", 4, handle.id)

    again = store.open(forked)
    again.append(message("another way"))
    again.close()
    assert handle.path.read_bytes() == before
    assert [m.text for m in store.load(forked).live][-1] == "another way"


def test_a_fork_at_another_branch_holds_that_branch(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    u1, a1 = filled(handle, 2)
    old = handle.append(message("old way"))
    handle.append(message("new way", parent=a1.id))
    handle.close()
    assert [m.id for m in store.load(fork(store, handle.id, old.id)).messages] == [u1.id, a1.id, old.id]
    assert [m.text for m in store.load(fork(store, handle.id)).messages][-1] == "new way"


def test_a_fork_at_a_call_takes_its_results_along(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append(message("read both"))
    calls = (ToolCallPart("c1", "Read", {}), ToolCallPart("c2", "Read", {}))
    asked = handle.append(message("", "assistant", parts=calls))
    first = handle.append(message("", "tool", parts=(ToolResultPart("c1", "Read", "one"),)))
    second = handle.append(message("", "tool", parts=(ToolResultPart("c2", "Read", "two"),)))
    handle.append(message("done", "assistant"))
    handle.close()
    for at in (asked, first, second):
        assert [m.id for m in store.load(fork(store, handle.id, at.id)).live][1:] == [asked.id, first.id, second.id]


def test_what_was_looked_at_counts_as_looked_at_in_the_fork(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    made = filled(handle, 6)
    handle.set_meta("extraction_cursor", made[5].id)
    handle.set_meta("memory_enabled", False)
    handle.set_meta("pinned", True)
    handle.close()
    meta = store.load(fork(store, handle.id, made[3].id)).meta
    assert meta["extraction_cursor"] == made[3].id
    assert meta["memory_enabled"] is False
    assert "pinned" not in meta


def test_what_cannot_be_forked_is_named(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    handle.set_leaf(None)
    handle.close()
    with pytest.raises(NotFoundError, match="msg_nowhere"):
        fork(store, handle.id, "msg_nowhere")
    with pytest.raises(StorageError, match="nothing to fork"):
        fork(store, handle.id)
    assert len(store.list()) == 1


@pytest.mark.parametrize(
    ("title", "forked"),
    [("Plan", "Plan (fork)"), ("Plan (fork)", "Plan (fork) 2"), ("Plan (fork) 2", "Plan (fork) 3"), ("Plan 2", "Plan 2 (fork)")],
)
def test_titles_of_forks(title: str, forked: str) -> None:
    assert fork_title(title) == forked
    assert fork_title("计划（分叉）", "（分叉）") == "计划（分叉） 2"


def test_a_large_session_is_forked_in_one_write(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append_all([message(f"message {n}", "assistant" if n % 2 else "user", number=n, parent=None) for n in range(2_000)])
    handle.close()
    assert [m.text for m in store.load(handle.id).live] == [f"message {n}" for n in range(2_000)]
    assert len(store.load(fork(store, handle.id)).live) == 2_000


def test_versions_and_ways_on(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    u1, a1 = filled(handle, 2)
    u2 = handle.append(message("u2"))
    a2 = handle.append(message("a2", "assistant"))
    u2b = handle.append(message("u2b", parent=a1.id))
    first = handle.append(message("u1 again"), first=True)
    everything = handle.everything()
    assert handle.messages == [first] and first.parent is None
    assert versions(everything, handle.messages)[first.id].ids == (u1.id, first.id)
    handle.set_leaf(u2b.id)
    found = versions(everything, handle.messages)
    assert (found[u2b.id].at, found[u2b.id].ids) == (1, (u2.id, u2b.id))
    assert (found[u1.id].at, found[u1.id].ids) == (0, (u1.id, first.id))
    assert a1.id not in found
    assert newest_leaf(everything, u2.id) == a2.id and newest_leaf(everything, u1.id) == u2b.id
    assert leaves(everything) == (a2.id, u2b.id, first.id)
    handle.set_leaf(a1.id)
    assert ways_on(everything, handle.messages) == (u2.id, u2b.id)
    handle.set_leaf(None)
    assert ways_on(everything, handle.messages) == (u1.id, first.id)
    handle.close()


def test_the_mark_of_a_fork_is_seen_also_behind_a_long_title(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    handle.append(message("words " * 60))
    handle.close()
    first = fork(store, handle.id)
    second = fork(store, first)
    titles = [store.find(name).title for name in (handle.id, first, second)]
    assert titles[1].endswith("(fork)") and titles[2].endswith("(fork) 2") and len(set(titles)) == 3
    assert all(len(title) <= 80 for title in titles)
