"""Branches: the live one is explicit, and every other stays reachable."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from tests.unit.sessions.make import filled, message, new_handle, store_in


def test_an_edit_makes_a_second_branch_and_becomes_the_live_one(tmp_path: Path) -> None:
    """u1 → a1, then a1 has the children u2 and u2b: the live branch is u1, a1, u2b, a2b; u2 is reachable."""
    store = store_in(tmp_path)
    handle = new_handle(store)
    u1, a1 = filled(handle, 2)
    u2 = handle.append(message("u2"))
    u2b = handle.append(message("u2b", parent=a1.id))
    a2b = handle.append(message("a2b", "assistant"))
    assert [m.id for m in handle.messages] == [u1.id, a1.id, u2b.id, a2b.id]
    handle.close()
    loaded = store.load(handle.id)
    assert [m.id for m in loaded.live] == [u1.id, a1.id, u2b.id, a2b.id]
    assert [m.id for m in loaded.children[a1.id]] == [u2.id, u2b.id]
    assert len(loaded.messages) == 5
    assert store.find(handle.id).messages == 4


def test_the_leaf_can_be_moved_back_and_to_the_start(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    made = filled(handle, 4)
    handle.set_leaf(made[1].id)
    assert [m.id for m in handle.messages] == [m.id for m in made[:2]]
    handle.close()
    assert store.find(handle.id).messages == 2

    again = store.open(handle.id)
    assert [m.id for m in again.messages] == [m.id for m in made[:2]]
    other = again.append(message("another way"))
    assert other.parent == made[1].id
    again.set_leaf(None)
    assert again.messages == []
    first = again.append(message("from the start"))
    assert first.parent is None
    again.close()
    assert [m.text for m in store.load(handle.id).live] == ["from the start"]
    assert len(store.load(handle.id).messages) == 6


def test_a_leaf_that_is_not_there_is_refused(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 1)
    with pytest.raises(StorageError, match="msg_nowhere"):
        handle.set_leaf("msg_nowhere")
    handle.close()
