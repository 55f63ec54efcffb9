"""The list of other tools' sessions: read once, kept, renewed when a file changes, never written, and gone with its file."""

from __future__ import annotations

import json
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError
from desktop.sessions.all_sessions import AllSessions
from desktop.sessions.foreign import ForeignSessions
from desktop.sessions.importers.convert import is_foreign
from tests.unit.sessions.make import filled, new_handle, store_in


def transcript(path: Path, session: str, *texts: str, cwd: str = "/srv/app") -> Path:
    """A transcript as Claude Code writes one, in its simplest form."""
    path.parent.mkdir(parents=True, exist_ok=True)
    lines, parent = [], None
    for number, text in enumerate(texts):
        role = "assistant" if number % 2 else "user"
        record = {
            "type": role,
            "uuid": f"{session}-{number}",
            "parentUuid": parent,
            "sessionId": session,
            "cwd": cwd,
            "timestamp": f"2026-02-01T10:{number:02}:00Z",
            "message": {"role": role, "content": text},
        }
        parent = record["uuid"]
        lines.append(json.dumps(record))
    path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return path


@dataclass
class World:
    root: Path
    reads: list[Path] = field(default_factory=list)
    on: bool = True

    @property
    def home(self) -> Path:
        return self.root / "claude" / "projects"

    def sessions(self) -> ForeignSessions:
        def project_of(folder: str) -> str:
            return {"/srv/app": "app-1"}.get(folder, "")

        state = self.root / "data" / "state"
        return ForeignSessions(self.root / "cache" / "foreign.json", state / "named.json", lambda: [self.home], project_of, lambda: self.on)


@pytest.fixture
def world(tmp_path: Path) -> World:
    return World(tmp_path)


def test_sessions_are_found_labelled_and_belong_to_their_folder(world: World) -> None:
    transcript(world.home / "-srv-app" / "one.jsonl", "one", "how do we deploy?", "with rsync")
    foreign = world.sessions()
    assert foreign.list() == []
    assert foreign.refresh() is True
    (found,) = foreign.list()
    assert (found.source, found.title, found.messages, found.workspace, found.project_key) == (
        "claude-code", "how do we deploy?", 2, "/srv/app", "app-1",
    )  # fmt: skip
    assert is_foreign(found.id) and found.size > 0 and found.state == "done"
    assert [m.text for m in foreign.load(found.id).live] == ["how do we deploy?", "with rsync"]


def test_the_list_comes_from_the_cache_and_a_changed_file_is_read_again_under_the_same_id(world: World) -> None:
    path = transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    before = world.sessions()
    before.refresh()
    (first,) = before.list()
    later = world.sessions()
    assert later.list() == [first]
    assert later.refresh() is False
    transcript(path, "one", "first", "answer", "second", "again")
    assert later.refresh() is True
    (now,) = later.list()
    assert (now.id, now.messages) == (first.id, 4)


def test_nothing_is_written_beside_a_transcript(world: World) -> None:
    path = transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    data, before = path.read_bytes(), sorted(world.home.rglob("*"))
    foreign = world.sessions()
    foreign.refresh()
    foreign.load(foreign.list()[0].id)
    assert path.read_bytes() == data and sorted(world.home.rglob("*")) == before


def test_copies_of_one_session_have_ids_of_their_own(world: World) -> None:
    transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    transcript(world.home / "q" / "one.jsonl", "one", "first", "answer")
    foreign = world.sessions()
    foreign.refresh()
    assert len({found.id for found in foreign.list()}) == 2


def test_a_file_that_is_gone_leaves_the_list_and_says_so_when_it_is_opened(world: World) -> None:
    path = transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    foreign = world.sessions()
    foreign.refresh()
    (found,) = foreign.list()
    path.unlink()
    with pytest.raises(NotFoundError, match="is not there any more"):
        foreign.load(found.id)
    assert foreign.refresh() is True
    assert foreign.list() == []
    with pytest.raises(NotFoundError):
        foreign.find(found.id)


def test_switched_off_there_are_none(world: World) -> None:
    transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    foreign = world.sessions()
    foreign.refresh()
    (found,) = foreign.list()
    world.on = False
    assert foreign.list() == [] and foreign.refresh() is False
    with pytest.raises(NotFoundError):
        foreign.load(found.id)


@pytest.mark.parametrize(
    "wreck", [b"", b"{", b"[]", b'{"schema": 1, "sessions": [1, {"path": 2}]}', b'{"schema": 9, "sessions": []}', b"\0" * 50]
)
def test_a_broken_cache_is_made_anew(world: World, wreck: bytes) -> None:
    transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    world.sessions().refresh()
    (world.root / "cache" / "foreign.json").write_bytes(wreck)
    foreign = world.sessions()
    assert foreign.list() == []
    foreign.refresh()
    assert len(foreign.list()) == 1


def test_a_named_file_stays_until_it_is_removed(world: World) -> None:
    path = transcript(world.root / "mail" / "from-a-friend.jsonl", "two", "from elsewhere", "yes")
    (added,) = world.sessions().add(path)
    again = world.sessions()
    again.refresh()
    assert [found.id for found in again.list()] == [added.id]
    assert again.add(world.root / "mail") != [] and len(again.list()) == 1
    assert again.remove(world.root / "mail") and again.remove(path)
    assert again.list() == [] and path.exists()
    assert not again.remove(path)


def test_what_is_no_transcript_is_not_kept(world: World) -> None:
    other = world.root / "package.json"
    other.write_text('{"name": "demo", "version": "1.0.0"}', encoding="utf-8")
    foreign = world.sessions()
    assert foreign.add(other) == [] and foreign.named == ()


def test_one_door_for_ours_and_theirs(world: World) -> None:
    transcript(world.home / "p" / "one.jsonl", "one", "theirs", "yes")
    store = store_in(world.root)
    handle = new_handle(store)
    filled(handle, 2, "ours")
    foreign = world.sessions()
    foreign.refresh()
    sessions = AllSessions(store, foreign)
    assert [found.source for found in sessions.list()] == ["claude-code", "keepsake"]
    assert [found.title for found in sessions.list("app-1")] == ["theirs"]
    for found in sessions.list():
        assert sessions.find(found.id) == found
        assert len(sessions.load(found.id).live) == 2
    handle.close()


def test_what_another_version_or_a_broken_disk_left_is_read_anew(world: World) -> None:
    transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    foreign = world.sessions()
    assert not foreign.ever_looked
    foreign.refresh()
    cache = world.root / "cache" / "foreign.json"
    value = json.loads(cache.read_bytes())
    for change in ({"app": "0.0.0"}, {"sessions": [value["sessions"][0] | {"session": ["a"]}]}):
        cache.write_text(json.dumps(value | change))
        again = world.sessions()
        assert again.list() == [] and again.ever_looked is ("app" not in change)
        again.refresh()
        assert len(again.list()) == 1 and world.sessions().ever_looked


@pytest.mark.parametrize("field", ["size", "modified_ns"])
def test_a_number_without_end_in_what_was_kept_is_read_anew(world: World, field: str) -> None:
    transcript(world.home / "-srv-app" / "one.jsonl", "one", "hello", "hi")
    world.sessions().refresh()
    cache = world.root / "cache" / "foreign.json"
    value = json.loads(cache.read_bytes())
    value["sessions"][0][field] = float("inf")
    cache.write_text(json.dumps(value))
    again = world.sessions()
    assert again.list() == []
    again.refresh()
    assert [one.title for one in again.list()] == ["hello"]


def test_that_nothing_was_found_is_known_too(world: World) -> None:
    world.sessions().refresh()
    assert world.sessions().ever_looked


def test_sessions_are_shown_also_where_nothing_can_be_kept(world: World) -> None:
    transcript(world.home / "p" / "one.jsonl", "one", "first", "answer")
    (world.root / "cache" / "foreign.json").mkdir(parents=True)
    foreign = world.sessions()
    foreign.refresh()
    assert len(foreign.list()) == 1


def test_paths_that_several_name_at_once_are_all_kept(world: World) -> None:
    paths = [transcript(world.root / "mail" / f"{n}.jsonl", f"s{n}", f"question {n}", "yes") for n in range(8)]
    threads = [threading.Thread(target=world.sessions().add, args=(path,)) for path in paths]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(60)
    assert sorted(world.sessions().named) == sorted(paths)


def test_a_large_file_is_not_counted_until_somebody_reads_it(world: World, monkeypatch: pytest.MonkeyPatch) -> None:
    path = transcript(world.home / "-srv-app" / "one.jsonl", "one", "how do we deploy?", "with rsync", "and then?")
    monkeypatch.setattr("desktop.sessions.foreign.LARGE", 100)
    foreign = world.sessions()
    foreign.refresh()
    (light,) = foreign.list()
    assert (light.counted, light.messages, light.title, light.workspace) == (False, 0, "how do we deploy?", "/srv/app")
    told: list[str] = []
    foreign.changed.subscribe(told.append)
    foreign.load(light.id)
    (known,) = foreign.list()
    assert (known.id, known.counted, known.messages, known.title, known.project_key) == (light.id, True, 3, light.title, "app-1")
    assert (known.preview, known.state, known.size) == ("and then?", "interrupted", path.stat().st_size) and told == [""]
    foreign.load(light.id)
    assert told == [""]
    assert foreign.refresh() is False and world.sessions().list() == [known]  # kept for the next start
    transcript(path, "one", "how do we deploy?", "with rsync")
    foreign.load(light.id)
    assert foreign.list() == [known]  # the file is another one than the list knows: the next look tells
    foreign.refresh()
    assert [one.counted for one in foreign.list()] == [False]
