"""Other tools' sessions in the search: found beside ours where they are asked for, read once for a change, gone at once when off."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

import pytest

import desktop
from desktop.base.errors import NotFoundError
from desktop.sessions import index, index_foreign
from desktop.sessions.found import OWN
from desktop.sessions.search_source import BLOCK_MESSAGES
from tests.unit.sessions.foreign_world import HERE, OTHER, THERE, ForeignWorld, foreign_world_in, turns
from tests.unit.sessions.make import KEY

SECRET = "sk-ant-" + "api03-" + "Zq7" * 12


@pytest.fixture
def world(tmp_path: Path) -> Iterator[ForeignWorld]:
    with foreign_world_in(tmp_path) as made:
        yield made


# --- what is found ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["marmot", "土拨鼠", "端口 5433", "ERR_PORT_TAKEN"])
def test_what_was_said_with_another_tool_is_found_in_both_languages_and_labelled(world: ForeignWorld, query: str) -> None:
    theirs = world.theirs("one", "why does the marmot sleep? 土拨鼠为什么冬眠", "端口用5433 because of ERR_PORT_TAKEN")
    (hit,) = world.find(query)
    assert (hit.session_id, hit.source, hit.project_key, hit.workspace) == (theirs, "claude-code", KEY, HERE)
    assert hit.path == world.path("one") and hit.title == "why does the marmot sleep? 土拨鼠为什么冬眠"
    assert hit.message_id == f"one-{hit.number - 1}" and hit.message == hit.number and hit.snippet


def test_ours_and_theirs_come_in_one_list_and_only_where_they_are_asked_for(world: ForeignWorld) -> None:
    ours, theirs = world.ours("the marmot sleeps", "yes"), world.theirs("one", "the marmot sleeps", "indeed")
    assert {hit.session_id: hit.source for hit in world.find("marmot")} == {ours: OWN, theirs: "claude-code"}
    assert world.said("marmot", whose="own") == [(ours, 1)]
    assert world.said("marmot", whose="others") == [(theirs, 1)]
    assert world.search.search("marmot", project_key=None).hits[0].session_id == ours
    assert len(world.search.search("marmot", project_key=None).hits) == 1


def test_a_project_finds_its_own_folders_only_and_a_folder_may_come_to_belong_to_another(world: ForeignWorld) -> None:
    here, there = world.theirs("one", "marmot here"), world.theirs("two", "marmot there", cwd=THERE)
    nowhere = world.theirs("three", "marmot nowhere", cwd="/srv/gone")
    assert world.said("marmot") == [(here, 1)]
    assert world.said("marmot", key=OTHER) == [(there, 1)]
    assert {session for session, _ in world.said("marmot", key=None)} == {here, there, nowhere}
    world.foreign.loads.clear()
    world.projects["/srv/gone"] = KEY
    assert {session for session, _ in world.said("marmot")} == {here, nowhere}
    assert world.foreign.loads == []


def test_one_session_is_searched_by_its_id_whatever_was_asked(world: ForeignWorld) -> None:
    one, _ = world.theirs("one", "marmot one"), world.theirs("two", "marmot two")
    ours = world.ours("marmot ours")
    for whose in ("own", "others", "all"):
        assert world.said("marmot", session_id=one, key=None, whose=whose) == [(one, 1)]
        assert world.said("marmot", session_id=ours, key=None, whose=whose) == [(ours, 1)]


def test_secrets_are_masked_in_text_and_title(world: ForeignWorld) -> None:
    world.theirs("one", f"marmot key {SECRET}", f"I see {SECRET}")
    hits = world.find("marmot") + world.find("see")
    assert len(hits) >= 2
    assert all(SECRET not in f"{hit.text}{hit.snippet}{hit.title}" for hit in hits)
    assert world.find(SECRET) == []
    index = b"".join(file.read_bytes() for file in (world.root / "data" / "index").iterdir())
    assert SECRET.encode() not in index


def test_reminders_and_what_a_tool_put_in_are_not_found(world: ForeignWorld) -> None:
    wrapped = "<system-reminder>a capybara waits</system-reminder>"
    world.write("one", *turns(wrapped, "hello"), {"type": "user", "isMeta": True, "message": {"role": "user", "content": "capybara"}})
    world.foreign.refresh()
    assert world.find("capybara") == [] and len(world.find("hello")) == 1


def test_a_branch_that_was_left_and_a_sub_agent_have_no_number_of_the_live_branch(world: ForeignWorld) -> None:
    records = turns("begin", "the wombat way", "the marmot way", "done")
    records[2] |= {"parentUuid": "one-0", "type": "assistant", "message": {"role": "assistant", "content": "the marmot way"}}
    side: dict[str, object] = {"isSidechain": True, "parentUuid": None, "uuid": "side", "type": "user"}
    side["message"] = {"role": "user", "content": "quokka task"}
    world.write("one", *records, side)
    world.foreign.refresh()
    (left,), (live,), (beside,) = world.find("wombat"), world.find("marmot"), world.find("quokka")
    assert (left.message, left.number, left.place) == (None, 2, "one-1")
    assert (live.message, live.number) == (2, 3)
    assert (beside.message, beside.place) == (None, "side")
    loaded = world.foreign.load(world.id_of("one"))
    assert loaded.live[1].id == live.message_id


# --- the messages beside a hit --------------------------------------------------------------------------------------------------


def test_the_messages_beside_a_hit_by_number_and_by_id(world: ForeignWorld) -> None:
    theirs = world.theirs("one", *(f"turn {number}" + (f" {SECRET}" if number == 4 else "") for number in range(1, 10)))
    for place in (4, "one-3"):
        found = world.search.around(theirs, place, 2, 1)
        assert [message.message for message in found.messages] == [2, 3, 4, 5]
        assert [message.asked for message in found.messages] == [False, False, True, False]
        assert (found.earlier, found.later, found.live, found.source, found.workspace) == (1, 4, True, "claude-code", HERE)
        assert all(SECRET not in message.text for message in found.messages)
    for place in (10, "nobody"):
        with pytest.raises(NotFoundError):
            world.search.around(theirs, place)


def test_the_messages_beside_one_of_a_left_branch_are_those_of_its_branch(world: ForeignWorld) -> None:
    records = turns("begin", "the wombat way", "and on", "the marmot way", "done")
    records[3] |= {"parentUuid": "one-0"}
    world.write("one", *records)
    world.foreign.refresh()
    found = world.search.around(world.id_of("one"), "one-1")
    assert [message.message_id for message in found.messages] == ["one-0", "one-1", "one-2"] and not found.live
    assert [message.message for message in found.messages] == [1, None, None]


def test_the_messages_beside_what_a_sub_agent_said_in_the_middle_of_the_conversation(world: ForeignWorld) -> None:
    records = turns("begin", "I ask a helper", "quokka task", "quokka done", "so it is", "thanks")
    for record in records[2:4]:
        record |= {"isSidechain": True}
    world.write("one", *records)
    world.foreign.refresh()
    theirs = world.id_of("one")
    (hit,) = world.find("quokka task")[:1]
    assert (hit.message, hit.message_id) == (None, "one-2")
    found = world.search.around(theirs, hit.place)
    assert [message.message_id for message in found.messages] == [f"one-{number}" for number in range(6)] and not found.live
    assert [message.message_id for message in found.messages if message.asked] == ["one-2"]
    assert [message.message_id for message in world.search.around(theirs, 3).messages] == ["one-0", "one-1", "one-4", "one-5"]


# --- in step ----------------------------------------------------------------------------------------------------------------


def test_a_file_is_read_once_for_a_change_also_by_a_new_process(world: ForeignWorld) -> None:
    theirs = world.theirs("one", "first marmot", "yes")
    world.theirs("two", "another", "yes")
    assert world.said("marmot") == [(theirs, 1)]
    assert sorted(world.foreign.loads) == sorted({theirs, world.id_of("two")})
    world.restarted()
    assert world.said("marmot") == [(theirs, 1)] and world.foreign.loads == []
    world.theirs("one", "first marmot", "yes", "second capybara", "no")
    assert world.said("capybara") == [(theirs, 3)] and world.foreign.loads == [theirs]
    assert world.search.reconcile_others() == 0 and world.foreign.loads == [theirs]


def test_of_a_long_session_only_the_blocks_that_changed_are_written(world: ForeignWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    texts = [f"line {number}" for number in range(BLOCK_MESSAGES * 3 + 5)]
    theirs = world.theirs("long", *texts)
    world.search.reconcile_others()
    written: list[str] = []
    put = world.search._index.update

    def noted(documents: object = (), *rest: object, **more: object) -> int:
        kept = list(documents)  # type: ignore[call-overload]
        written.extend(one.key for one in kept)
        return put(kept, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(world.search._index, "update", noted)
    world.theirs("long", *texts, "the marmot came last")
    assert world.said("marmot") == [(theirs, len(texts) + 1)]
    assert written == [f"{theirs}/000003"]
    written.clear()
    os.utime(world.path("long"), ns=(1, 1))
    world.foreign.refresh()
    assert world.search.reconcile_others() == 1
    assert written == [] and world.search.reconcile_others() == 0
    texts[150] = "the quokka stands in the middle"
    world.theirs("long", *texts[:180])
    assert world.said("quokka") == [(theirs, 151)]
    assert written == [f"{theirs}/000001"] and world.said("marmot") == []
    assert max(hit.number for hit in world.find("line", limit=50)) <= 180


def test_a_rewound_session_gets_new_numbers_without_being_written_anew(world: ForeignWorld) -> None:
    theirs = world.theirs("one", "begin", "the wombat way", "and on", "so be it")
    assert world.said("wombat") == [(theirs, 2)]
    records = turns("begin", "the wombat way", "and on", "so be it", "back to the start")
    records[4] |= {"parentUuid": "one-0"}
    world.write("one", *records)
    world.foreign.refresh()
    assert world.said("wombat") == [(theirs, None)] and world.said("back") == [(theirs, 2)]


def test_what_is_gone_is_no_hit_at_once_and_leaves_the_index(world: ForeignWorld) -> None:
    theirs = world.theirs("one", "marmot")
    assert world.said("marmot") == [(theirs, 1)]
    world.path("one").unlink()
    assert world.said("marmot", reconcile=False) == []
    assert world.search._index.fingerprints(theirs) != {}
    world.foreign.refresh()
    assert world.search.reconcile_others() == 1 and world.search._index.fingerprints() == {}


def test_switched_off_they_are_no_hits_at_once_and_leave_the_index_ours_stay(world: ForeignWorld) -> None:
    ours, theirs = world.ours("marmot ours"), world.theirs("one", "marmot theirs")
    assert {session for session, _ in world.said("marmot")} == {ours, theirs}
    world.on = False
    for key in (KEY, None):
        assert world.said("marmot", key=key, reconcile=False) == [(ours, 1)]
        assert world.said("marmot", key=key, reconcile=False, whose="others") == []
    assert world.said("marmot", session_id=theirs, key=None, reconcile=False) == []
    with pytest.raises(NotFoundError):
        world.search.around(theirs, 1)
    assert world.search.reconcile_others() == 1
    assert {key.partition("/")[0] for key in world.search._index.fingerprints()} == {ours}
    assert b"theirs" not in b"".join(file.read_bytes() for file in (world.root / "data" / "index").iterdir())
    world.on = True
    assert {session for session, _ in world.said("marmot")} == {ours, theirs}


def test_reading_ours_leaves_theirs_and_reading_theirs_leaves_ours(world: ForeignWorld) -> None:
    ours, theirs = world.ours("marmot ours"), world.theirs("one", "marmot theirs")
    world.search.reconcile()
    world.search.reconcile_others()
    for _ in range(2):
        assert world.search.reconcile() == world.search.reconcile(project_key=KEY) == world.search.reconcile_others() == 0
    assert {session for session, _ in world.said("marmot", reconcile=False)} == {ours, theirs}


def test_a_lost_list_empties_nothing_before_the_places_were_looked_through(world: ForeignWorld) -> None:
    theirs = world.theirs("one", "marmot")
    world.said("marmot")
    (world.root / "cache" / "foreign.json").unlink()
    world.restarted()
    assert world.search.reconcile_others() == 0
    assert world.said("marmot", reconcile=False) == []
    assert world.search.reconcile_others(look=True) == 0 and world.foreign.loads == []
    assert world.said("marmot", reconcile=False) == [(theirs, 1)]


@pytest.mark.parametrize("wreck", ["gone", "broken"])
def test_a_lost_or_broken_index_is_made_anew(world: ForeignWorld, wreck: str) -> None:
    ours, theirs = world.ours("marmot ours"), world.theirs("one", "marmot theirs")
    world.said("marmot")
    world.search.close()
    for file in (world.root / "data" / "index").iterdir():
        if wreck == "gone":
            file.unlink()
        else:
            file.write_bytes(b"\0" * 5_000)
    world.restarted()
    assert {session for session, _ in world.said("marmot")} == {ours, theirs}


def test_a_stopped_filling_goes_on_where_it_was(world: ForeignWorld) -> None:
    for number in range(6):
        world.theirs(f"s{number}", f"marmot number {number}")
    rounds: list[tuple[int, int]] = []
    done = world.search.reconcile_others(stopped=lambda: len(rounds) >= 2, progress=lambda *counts: rounds.append(counts))
    assert done == 2 and rounds == [(1, 6), (2, 6)]
    assert len(world.said("marmot", reconcile=False)) == 2
    assert world.search.reconcile_others(progress=lambda *counts: rounds.append(counts)) == 4
    assert rounds[2:] == [(1, 4), (2, 4), (3, 4), (4, 4)] and len(world.foreign.loads) == 6


def test_ours_are_read_while_theirs_are_and_a_search_does_not_wait_for_long(world: ForeignWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(index, "WAIT_S", 0.01)
    ours, theirs = world.ours("marmot ours"), world.theirs("one", "marmot theirs")
    inside: list[list[tuple[str, int | None]]] = []
    notes: list[str] = []

    def meanwhile(*_counts: int) -> None:
        found = world.search.search("marmot", project_key=KEY, whose="all")
        inside.append([(hit.session_id, hit.message) for hit in found.hits])
        notes.extend(found.notes)
        assert world.search.reconcile_others(stopped=lambda: True) == 0

    assert world.search.reconcile_others(progress=meanwhile) == 1
    assert inside == [[(ours, 1)]] and any("Not all sessions are indexed" in note for note in notes)
    assert {session for session, _ in world.said("marmot")} == {ours, theirs}


def test_a_search_looks_for_sessions_that_were_never_looked_for(world: ForeignWorld) -> None:
    world.write("one", *turns("marmot"))
    assert world.search.search("marmot", project_key=KEY, whose="all", reconcile=False).hits == ()
    found = world.search.search("marmot", project_key=KEY, whose="all")
    assert len(found.hits) == 1 and found.complete
    later = world.search.search("marmot", project_key=KEY, whose="all", stopped=lambda: True)
    assert len(later.hits) == 1


def test_a_file_that_is_too_large_is_said_and_the_others_are_found(world: ForeignWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    world.theirs("one", "marmot " * 400)
    small = world.theirs("two", "marmot")
    monkeypatch.setattr(index_foreign, "MOST_BYTES", 2_000)
    found = world.search.search("marmot", project_key=KEY, whose="all")
    assert [hit.session_id for hit in found.hits] == [small] and found.complete
    assert [note for note in found.notes if str(world.path("one")) in note and "cannot be searched" in note]
    for quiet in (
        world.search.search("marmot", project_key=KEY),
        world.search.search("marmot", project_key=OTHER, whose="all"),
        world.search.search("marmot", project_key=None, session_id=small),
    ):
        assert not quiet.notes


def test_the_log_of_a_database_counts_as_a_change_of_it(tmp_path: Path) -> None:
    from desktop.sessions.foreign import _stat

    file, log = tmp_path / "a.db", tmp_path / "a.db-wal"
    file.write_bytes(b"1")
    before = _stat(file)
    log.write_bytes(b"22")
    assert _stat(file) != before and _stat(file)[0] == 3


def test_another_version_of_the_app_reads_them_anew(world: ForeignWorld, monkeypatch: pytest.MonkeyPatch) -> None:
    theirs = world.theirs("one", "marmot")
    assert world.said("marmot") == [(theirs, 1)] and world.foreign.loads == [theirs]
    monkeypatch.setattr(desktop, "__version__", "99.0")
    assert world.said("marmot") == [(theirs, 1)] and world.foreign.loads == [theirs, theirs]
    assert world.search.reconcile_others() == 0


def test_nothing_is_written_beside_a_transcript(world: ForeignWorld) -> None:
    world.theirs("one", "marmot", "yes")
    before = {path: path.stat().st_mtime_ns for path in world.home.rglob("*")}
    hit = world.find("marmot")[0]
    world.search.around(hit.session_id, hit.number)
    assert {path: path.stat().st_mtime_ns for path in world.home.rglob("*")} == before
