"""The list's cache: what was read once is not read again, and the cache is never believed over the file."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions import list_cache, store
from desktop.sessions.list_cache import FileState, ListCache
from desktop.sessions.store import LIST_FILE, SessionStore
from desktop.sessions.summary import SessionSummary, read_summary
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import filled, new_handle, paths_in, store_in

WHEN = datetime(2026, 3, 1, 12, 30, 15, 123_000, tzinfo=UTC)


def summary(number: int, title: str = "标题 “x”\u2028", **more: Any) -> SessionSummary:
    name = f"sess_{number:026d}"
    made = SessionSummary(name, title, "/srv/app", "app-0", "keepsake", WHEN, WHEN, 4, "m", 10, "done", Path("/s") / name, "预览")
    return replace(made, **more)


def never_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(store, "read_summary", lambda path: pytest.fail(f"{path.name} was read"))


def sessions_in(root: Path, count: int = 3) -> SessionStore:
    made = store_in(root)
    for number in range(count):
        handle = new_handle(made)
        filled(handle, 2, f"第 {number} 个")
        handle.close()
    return made


def fresh(root: Path) -> SessionStore:
    """The store of the next start."""
    return SessionStore(paths_in(root), FixedClock())


# --- the cache itself -------------------------------------------------------------------------------------------------


def test_every_field_comes_back(tmp_path: Path) -> None:
    cache, state = ListCache(tmp_path / "c" / "list"), FileState(1, 2, 3)
    first = summary(1, cost_usd=0.25, size=7, branch="主", kind="sub-agent", parent="sess_p", pinned=True, archived=True, damaged=2)
    cache.put("a", state, first)
    cache.put("b", state, summary(2, "\ud800 lone", state="failed"))
    cache.flush()
    again = ListCache(tmp_path / "c" / "list")
    assert again.get("a", state) == first
    assert again.get("b", state) == summary(2, "\ud800 lone", state="failed")
    assert (tmp_path / "c" / "list").stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize("state", [FileState(9, 2, 3), FileState(1, 9, 3), FileState(1, 2, 9)])
def test_another_state_of_the_file_is_not_answered(tmp_path: Path, state: FileState) -> None:
    cache = ListCache(tmp_path / "list")
    cache.put("a", FileState(1, 2, 3), summary(1))
    assert cache.get("a", state) is None and cache.get("b", FileState(1, 2, 3)) is None


def test_changes_are_appended_and_the_file_is_written_anew_in_time(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(list_cache, "SPARE_LINES", 10)
    path = tmp_path / "list"
    cache = ListCache(path)
    for number in range(40):
        cache.put("a", FileState(number, 0, 0), summary(1, f"title {number}"))
        cache.flush()
        assert path.read_bytes().count(b"\n") <= 1 + 2 + 10
    found = ListCache(path).get("a", FileState(39, 0, 0))
    assert found is not None and found.title == "title 39"


def test_what_is_forgotten_leaves_no_text_on_disk(tmp_path: Path) -> None:
    cache = ListCache(tmp_path / "list")
    for name, title in (("a", "a private matter"), ("b", "something else")):
        cache.put(name, FileState(1, 1, 1), summary(1, title))
    cache.flush()
    assert b"a private matter" in (tmp_path / "list").read_bytes()
    again = ListCache(tmp_path / "list")
    again.keep_only({"b"})
    again.flush()
    assert b"a private matter" not in (tmp_path / "list").read_bytes()
    assert ListCache(tmp_path / "list").get("b", FileState(1, 1, 1)) is not None


@pytest.mark.parametrize("kind", ["cut", "flipped", "binary", "empty", "other form", "folder", "too large"])
def test_a_broken_cache_is_a_missing_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str) -> None:
    path, state = tmp_path / "list", FileState(1, 1, 1)
    cache = ListCache(path)
    for number in range(50):
        cache.put(f"k{number}", state, summary(number, f"title {number}"))
    cache.flush()
    data = path.read_bytes()
    seed = 7
    print(f"seed {seed}")
    spot = random.Random(seed).randrange(len(data) // 2, len(data) - 20)
    if kind == "folder":
        path.unlink()
        path.mkdir()
    elif kind == "too large":
        monkeypatch.setattr(list_cache, "MOST_BYTES", 100)
    else:
        broken = {
            "cut": data[:spot],
            "flipped": data[:spot] + bytes([data[spot] ^ 1]) + data[spot + 1 :],
            "binary": os.urandom(5_000),
            "empty": b"",
            "other form": data.replace(b'"form":1', b'"form":0', 1),
        }
        path.write_bytes(broken[kind])
    again = ListCache(path)
    for number in range(50):
        found = again.get(f"k{number}", state)
        assert found is None or found == summary(number, f"title {number}")
        again.put(f"k{number}", state, summary(number, f"title {number}"))
    again.flush()
    if kind not in ("folder", "too large"):
        last = ListCache(path)
        assert all(last.get(f"k{number}", state) == summary(number, f"title {number}") for number in range(50))


def test_a_cache_that_cannot_be_written_is_no_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("in the way", encoding="utf-8")
    cache = ListCache(tmp_path / "file" / "list")
    cache.put("a", FileState(1, 1, 1), summary(1))
    cache.flush()
    assert cache.get("a", FileState(1, 1, 1)) is not None


# --- the store's list over it -----------------------------------------------------------------------------------------


def test_the_next_start_reads_no_transcript(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    before = sessions_in(tmp_path).list()
    never_read(monkeypatch)
    assert fresh(tmp_path).list() == before


def test_a_changed_file_is_read_and_the_others_are_not(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    made = sessions_in(tmp_path)
    made.list()
    changed = made.list()[1]
    handle = made.open(changed.id)
    filled(handle, 1, "weiter")
    handle.close()
    read: list[str] = []

    def noted(path: Path) -> SessionSummary:
        read.append(path.stem)
        return read_summary(path)

    monkeypatch.setattr(store, "read_summary", noted)
    found = {one.id: one for one in fresh(tmp_path).list()}
    assert read == [changed.id] and found[changed.id].messages == 3


@pytest.mark.parametrize("lost", ["removed", "emptied", "garbage"])
def test_a_lost_cache_is_made_anew_from_the_files(tmp_path: Path, lost: str) -> None:
    before = sessions_in(tmp_path).list()
    cache = tmp_path / "cache" / LIST_FILE
    assert cache.exists()
    if lost == "removed":
        cache.unlink()
    else:
        cache.write_bytes(b"" if lost == "emptied" else b"nonsense\n" * 100)
    assert fresh(tmp_path).list() == before
    assert cache.stat().st_size > 500


def test_a_cache_that_lies_about_a_file_is_not_believed(tmp_path: Path) -> None:
    """Lines of another machine, or of a file that was put in another's place, do not match its size and times."""
    made = sessions_in(tmp_path)
    first = made.list()[0]
    os.utime(first.path, ns=(1, 1))
    cache = ListCache(tmp_path / "cache" / LIST_FILE)
    cache.put(str(first.path), FileState(first.size, 2, 2), summary(9, "a lie"))
    cache.flush()
    assert [one.title for one in fresh(tmp_path).list() if one.id == first.id] == [first.title]


def test_trashed_sessions_leave_the_cache_with_their_text(tmp_path: Path) -> None:
    made = sessions_in(tmp_path)
    gone = made.list()[0]
    cache = tmp_path / "cache" / LIST_FILE
    assert gone.id.encode() in cache.read_bytes()
    made.trash(gone.id)
    assert gone.id.encode() not in cache.read_bytes()


def test_two_processes_share_it(tmp_path: Path) -> None:
    one, other = sessions_in(tmp_path), fresh(tmp_path)
    one.list()
    other.list()
    handle = new_handle(one)
    filled(handle, 2, "from one")
    one.list()
    second = new_handle(other)
    filled(second, 2, "from the other")
    other.list()
    handle.close()
    second.close()
    assert {s.title for s in fresh(tmp_path).list()} >= {"from one 0", "from the other 0"}
