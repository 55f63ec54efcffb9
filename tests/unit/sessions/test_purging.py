"""Deleting for good: after it no byte of the session is in the profile, looked for file by file; everything else is as it was."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError, StorageError
from desktop.bridge import session_trash
from desktop.bridge.drafts import DraftStore
from desktop.compose import Services
from desktop.messages.parts import TextPart, ToolResultPart
from desktop.sessions.purging import DRAFTS, purge_session
from desktop.sessions.running import keep_running
from desktop.sessions.side_files import folder_of
from desktop.sessions.trash import TrashedSession
from tests.helpers.agent import Desk, run
from tests.unit.sessions.make import message
from tests.unit.sessions.trees import image, png

MARKS = ("zebrafinch", "quokkaberry", "xylofonix", "wombatous", "narwhaline", "platyperch", "鸭嘴兽泡泡", "marmosettle", "okapination")
"""Words that stand nowhere else: each of one place of the session."""
PICTURE = png(77)


def purge(services: Services, entry: TrashedSession) -> None:
    purge_session(services.sessions, services.session_search, services.paths.state, entry)


def held_by(root: Path, *needles: bytes) -> list[str]:
    """The files below a folder that hold any of these bytes, in any case of letters, or have them in their names."""
    found = []
    for path in sorted(root.rglob("*")):
        data = path.read_bytes().lower() if path.is_file() else b""
        found += [f"{path.relative_to(root)}: {needle[:20]!r}" for needle in needles if needle in data or needle in str(path).encode()]
    return found


def remains(services: Services, session_id: str) -> list[str]:
    needles = [mark.encode(form) for mark in MARKS for form in ("utf-8", "utf-16-le", "utf-16-be")]
    needles += [mark.encode("ascii", "backslashreplace") for mark in MARKS]
    needles += [PICTURE[40:140].lower(), session_id.encode()]
    return held_by(services.paths.data.parent, *needles)


def told(desk: Desk) -> str:
    """A session with a mark in each thing that belongs to one; closed, listed and indexed."""
    services = desk.services
    session = desk.session({"text": f"The answer is {MARKS[1]} and {MARKS[6]}."})
    run(lambda: desk.turn(session, f"What about {MARKS[0]}?"))
    handle = session.handle
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Read", f"{MARKS[2]} line\n" * 9_000 + MARKS[3]),)))
    handle.append(message("", parts=(TextPart("look"), TextPart("", data={"image": image(PICTURE)}))))
    handle.set_meta("title", f"Named {MARKS[4]}")
    handle.set_meta("generated_title", f"About {MARKS[4]}")
    path, session_id = handle.path, handle.id
    run(session.close)
    with path.open("ab") as file:
        file.write(b'{"schema":1,"seq":99,"kind":"message","message":{"parts":"' + MARKS[5].encode())
    again = services.sessions.open(session_id)
    again.append(message("after the torn end"))
    keep_running(path, replace(message(f"just saying {MARKS[7]}", "assistant"), parent=again.messages[-1].id))
    again.close()
    drafts = DraftStore(services.paths.state / DRAFTS)
    drafts.save(session_id, f"half a question about {MARKS[8]}")
    drafts.save(f"early-{session_id}", f"typed meanwhile: {MARKS[8]}")
    services.sessions.list()
    services.session_search.reconcile()
    return session_id


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def found(services: Services, words: str) -> list[str]:
    return [hit.session_id for hit in services.session_search.search(words, project_key=None).hits]


def test_no_byte_of_a_session_is_left(desk: Desk) -> None:
    services = desk.services
    kept, gone = told_other(desk), told(desk)
    assert found(services, MARKS[0]) == [gone]
    before = remains(services, gone)
    places = {line.partition(":")[0].split("/")[1] for line in before}
    assert {"sessions", "index", "state", "session-list.cache"} <= places
    assert all(any(repr(mark.encode()[:20]) in line for line in before) for mark in MARKS if mark.isascii()), "each mark is somewhere"
    services.sessions.trash(gone)
    [entry] = services.sessions.trashed()
    purge(services, entry)
    assert remains(services, gone) == []
    services.session_search.reconcile()
    assert [summary.id for summary in services.sessions.list()] == [kept]
    assert remains(services, gone) == []
    assert found(services, "flamingo") == [kept] and found(services, MARKS[0]) == []
    services.session_search.close()
    assert remains(services, gone) == []


def told_other(desk: Desk) -> str:
    session = desk.session({"text": "A flamingo."})
    run(lambda: desk.turn(session, "Which bird?"))
    session_id = session.handle.id
    run(session.close)
    DraftStore(desk.services.paths.state / DRAFTS).save(session_id, "a draft that stays")
    return session_id


def test_neighbours_keep_drafts_side_files_and_their_place_in_the_trash(desk: Desk) -> None:
    services = desk.services
    kept, gone = told_other(desk), told(desk)
    services.sessions.trash(kept)
    services.sessions.trash(gone)
    purge(services, next(entry for entry in services.sessions.trashed() if entry.id == gone))
    [entry] = services.sessions.trashed()
    assert entry.id == kept
    services.sessions.restore(entry)
    assert DraftStore(services.paths.state / DRAFTS).load(kept) == "a draft that stays"
    assert found(services, "flamingo") == [kept]


def test_a_draft_waits_in_the_trash_for_its_session(desk: Desk) -> None:
    session_id = told(desk)
    services = desk.services
    services.sessions.trash(session_id)
    [entry] = services.sessions.trashed()
    services.sessions.restore(entry)
    assert MARKS[8] in DraftStore(services.paths.state / DRAFTS).load(session_id)


def test_the_copy_that_was_put_back_stays_when_the_other_goes(desk: Desk) -> None:
    services = desk.services
    session_id = told(desk)
    data = services.sessions.path_of(session_id).read_bytes()
    path = services.sessions.path_of(session_id)
    services.sessions.trash(session_id)
    path.write_bytes(data)
    [entry] = services.sessions.trashed()
    purge(services, entry)
    assert services.sessions.trashed() == [] and path.read_bytes() == data
    assert found(services, MARKS[0]) == [session_id]
    assert MARKS[8] in DraftStore(services.paths.state / DRAFTS).load(session_id)


def test_a_fork_keeps_what_it_shows(desk: Desk) -> None:
    from desktop.sessions.forks import fork

    services = desk.services
    session_id = told(desk)
    copy = fork(services.sessions, session_id)
    services.sessions.trash(session_id)
    purge(services, services.sessions.trashed()[0])
    loaded = services.sessions.load(copy)
    assert loaded.damage == [] and MARKS[3] in loaded.live[2].tool_results[0].output
    digest = next(path.stem for path in folder_of(services.sessions.path_of(copy)).iterdir() if path.suffix == ".png")
    assert services.sessions.side_file(copy, digest) == PICTURE


def test_what_is_not_in_the_trash_is_not_deleted(desk: Desk) -> None:
    services = desk.services
    session_id = told(desk)
    services.sessions.trash(session_id)
    [entry] = services.sessions.trashed()
    services.sessions.restore(entry)
    with pytest.raises(NotFoundError, match="not in the trash any more"):
        purge(services, entry)
    assert services.sessions.load(session_id).live and found(services, MARKS[0]) == [session_id]


def test_a_session_that_is_open_elsewhere_comes_neither_back_nor_goes(desk: Desk) -> None:
    """Putting back takes the writer's lock as deleting does, and tells the list (`bridge.session_trash`)."""
    services = desk.services
    session_id = told(desk)
    path = services.sessions.path_of(session_id)
    data = path.read_bytes()
    trashed = session_trash.trash(services.sessions, session_id, "title")
    path.write_bytes(data)
    writer = services.sessions.open(session_id)
    [entry] = services.sessions.trashed()
    for act in (lambda: session_trash.restore(services.sessions, trashed), lambda: purge(services, entry)):
        with pytest.raises(StorageError, match="open elsewhere"):
            act()
    assert services.sessions.trashed() == [entry]
    writer.close()
    path.unlink()
    heard: list[str] = []
    services.sessions.changed.subscribe(heard.append)
    assert session_trash.restore(services.sessions, trashed) == path
    assert path.read_bytes() == data and heard == [session_id]
    with pytest.raises(NotFoundError, match="not in the trash any more"):
        session_trash.restore(services.sessions, trashed)
