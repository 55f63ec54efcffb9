"""A session that is never on disk: the handle works like any other, and the folder stays empty."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.base.paths import resolve_paths
from desktop.messages.parts import Message, TextPart
from desktop.sessions.incognito import IncognitoHandle
from desktop.sessions.store import SessionStore
from tests.helpers.clock import FixedClock


@pytest.fixture
def store(tmp_path: Path) -> SessionStore:
    return SessionStore(resolve_paths(str(tmp_path), {}), FixedClock())


def made(store: SessionStore, tmp_path: Path) -> IncognitoHandle:
    return store.create_incognito(project_key="p", workspace=tmp_path, memory_enabled=True, model="m", reads_memory=True)


def message(number: int, parent: str | None, clock: FixedClock) -> Message:
    return Message(f"msg_{number}", "user", (TextPart(f"text {number}"),), clock.now(), parent)


def test_messages_branches_and_values_live_in_memory_alone(store: SessionStore, tmp_path: Path) -> None:
    told: list[str] = []
    store.changed.subscribe(told.append)
    handle, clock = made(store, tmp_path), FixedClock()
    handle.append(message(1, None, clock))
    handle.append(message(2, "msg_1", clock))
    handle.set_meta("title", "a title")
    handle.set_leaf("msg_1")
    handle.append(message(3, "msg_1", clock))
    assert [m.id for m in handle.messages] == ["msg_1", "msg_3"]
    assert handle.title == "a title"
    assert handle.incognito and not handle.stored
    handle.close()
    handle.close()
    assert told == []
    assert store.list() == []
    assert not [path for path in tmp_path.rglob("*") if path.is_file()]


def test_an_ordinary_session_is_not_incognito(store: SessionStore, tmp_path: Path) -> None:
    handle = store.create(project_key="p", workspace=tmp_path, memory_enabled=True, model="m")
    assert not handle.incognito
    handle.close()
