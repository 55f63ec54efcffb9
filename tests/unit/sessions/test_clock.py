"""R14: clocks that jump, stand still or run back. The order is that of the sequence numbers; no lock, name or list lives on wall time."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.base.ids import new_message_id
from desktop.messages.parts import Message, TextPart, ToolResultPart
from desktop.sessions.record import Record, decode_line
from desktop.sessions.side_files import SideFiles
from desktop.sessions.store import SessionStore
from tests.unit.sessions.make import KEY, paths_in

NOW = datetime(2026, 10, 25, 0, 30, tzinfo=UTC)
"""Half an hour before the clocks of Berlin go back."""

HOUR, YEAR = timedelta(hours=1), timedelta(days=365)
CLOCKS: dict[str, Sequence[datetime]] = {
    "a year back": [NOW - YEAR + n * HOUR for n in range(8)],
    "a year ahead": [NOW + YEAR + n * HOUR for n in range(8)],
    "1970": [datetime(1970, 1, 1, tzinfo=UTC) + n * timedelta(seconds=1) for n in range(8)],
    "before 1970": [datetime(1969, 12, 31, 23, 59, 50, tzinfo=UTC) + n * timedelta(seconds=3) for n in range(8)],
    "the end of summer time": [NOW + n * timedelta(minutes=20) for n in range(8)],
    "one tick": [NOW] * 8,
    "back in the middle": [*(NOW + n * HOUR for n in range(4)), *(NOW - YEAR + n * HOUR for n in range(4))],
    "back at every message": [NOW - n * HOUR for n in range(8)],
    "to and fro": [NOW + (-1) ** n * n * YEAR for n in range(8)],
    "the end of time": [datetime(9999, 12, 31, 23, 59, 59, tzinfo=UTC)] * 8,
}


class Jumping:
    """A clock that gives these times one after the other, then the last one for ever."""

    def __init__(self, moments: Sequence[datetime]) -> None:
        self._moments = moments
        self.at = 0

    def now(self) -> datetime:
        return self._moments[min(self.at, len(self._moments) - 1)]

    def monotonic(self) -> float:
        return 0.0


@pytest.fixture(params=["UTC", "Europe/Berlin", "America/New_York"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    monkeypatch.setenv("TZ", request.param)
    time.tzset()
    yield request.param
    monkeypatch.undo()
    time.tzset()


def said(number: int, moment: datetime) -> Message:
    if number % 3 == 2:
        result = ToolResultPart("c", "Read", f"output {number}\n" * 8_000)
        return Message(new_message_id(moment), "tool", (result,), moment, None, "tool")
    return Message(new_message_id(moment), "user" if number % 2 else "assistant", (TextPart(f"message {number}"),), moment)


def number_of(one: Message) -> int:
    return int((one.text or one.tool_results[0].output).split()[1])


@pytest.mark.parametrize("name", CLOCKS)
def test_messages_stay_in_the_order_in_which_they_were_stored(tmp_path: Path, zone: str, name: str) -> None:
    clock = Jumping(CLOCKS[name])
    store = SessionStore(paths_in(tmp_path), clock)
    handle = store.create(project_key=KEY, workspace=Path("/srv"), memory_enabled=True, model="m")
    for number in range(8):
        clock.at = number
        handle.append(said(number, clock.now()))
        if number == 4:  # a restart in the middle
            handle.close()
            handle = SessionStore(paths_in(tmp_path), clock).open(handle.id)
    handle.close()
    loaded = store.load(handle.id)
    assert [number_of(m) for m in loaded.live] == list(range(8)) and loaded.damage == []
    lines = handle.path.read_bytes().splitlines()
    assert [item.seq for line in lines for item in decode_line(line) if isinstance(item, Record)] == list(range(len(lines)))
    assert len(SideFiles(handle.path).paths()) == 2
    [summary] = store.list()
    assert summary.messages == 8 and summary.updated == CLOCKS[name][-1].replace(microsecond=0)


@pytest.mark.parametrize("name", CLOCKS)
def test_the_trash_gives_back_whatever_the_clock_says(tmp_path: Path, name: str) -> None:
    clock = Jumping(CLOCKS[name])
    store = SessionStore(paths_in(tmp_path), clock)
    ids = []
    for number in range(3):
        clock.at = number
        handle = store.create(project_key=KEY, workspace=Path("/srv"), memory_enabled=True, model="m")
        handle.append(said(number, clock.now()))
        handle.close()
        ids.append(handle.id)
    for number, session_id in enumerate(ids):
        clock.at = 7 - number
        store.trash(session_id)
    entries = store.trashed()
    assert sorted(entry.id for entry in entries) == sorted(ids)
    assert {entry.when for entry in entries} == {moment.replace(microsecond=0) for moment in CLOCKS[name][5:]}
    for entry in entries:
        store.restore(entry)
    assert sorted(s.id for s in store.list()) == sorted(ids)
    assert number_of(store.load(ids[2]).live[0]) == 2


def test_copies_made_in_one_tick_do_not_cover_each_other(tmp_path: Path) -> None:
    clock = Jumping([NOW])
    store = SessionStore(paths_in(tmp_path), clock)
    handle = store.create(project_key=KEY, workspace=Path("/srv"), memory_enabled=True, model="m")
    handle.append(said(0, NOW))
    handle.close()
    for number in (1, 3, 5):
        handle.path.write_bytes(handle.path.read_bytes() + b'{"torn %d' % number)
        again = store.open(handle.id)
        again.append(said(number, NOW))
        again.close()
    copies = sorted(path.read_bytes() for path in handle.path.parent.glob("*.torn-*"))
    assert copies == [b'{"torn 1', b'{"torn 3', b'{"torn 5']
    assert [number_of(m) for m in store.load(handle.id).live] == [0, 1, 3, 5]


def test_a_lock_is_held_whatever_the_clock_says(tmp_path: Path) -> None:
    clock = Jumping([NOW, NOW + 50 * YEAR, NOW - 50 * YEAR])
    store = SessionStore(paths_in(tmp_path), clock)
    handle = store.create(project_key=KEY, workspace=Path("/srv"), memory_enabled=True, model="m")
    handle.append(said(0, NOW))
    for clock.at in (1, 2):
        with pytest.raises(Exception, match="open elsewhere"):
            SessionStore(paths_in(tmp_path), clock).open(handle.id)
    handle.close()
    SessionStore(paths_in(tmp_path), clock).open(handle.id).close()
