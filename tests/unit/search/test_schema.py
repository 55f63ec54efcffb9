"""The tables of an index: made once, with our marks, in a private file; anything else is refused."""

from __future__ import annotations

import os
import sqlite3
import stat
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop.search.faults import Fault, fault_of
from desktop.search.schema import APPLICATION_ID, FORM, companions, connect, in_memory, make_private, remove


def names(connection: sqlite3.Connection) -> set[str]:
    return {row[0] for row in connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_it_is_made_once_and_opened_again(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    first = connect(file)
    assert names(first) >= {"document", "passage", "content", "vector", "term"}
    assert first.execute("PRAGMA application_id").fetchone() == (APPLICATION_ID,)
    assert first.execute("PRAGMA user_version").fetchone() == (FORM,)
    assert first.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert first.execute("PRAGMA secure_delete").fetchone() == (1,)
    first.execute("INSERT INTO content VALUES (1, 'title', 'body', '', NULL, NULL)")
    second = connect(file)
    assert second.execute("SELECT rowid FROM term WHERE term MATCH 'body'").fetchall() == [(1,)]
    first.close()
    second.close()


def test_many_make_it_at_once(tmp_path: Path) -> None:
    for number in range(5):
        with ThreadPoolExecutor(6) as pool:
            made = [future.result() for future in [pool.submit(connect, tmp_path / f"{number}.sqlite") for _ in range(6)]]
        for connection in made:
            assert "passage" in names(connection)
            connection.close()


def test_a_place_in_memory_is_shared_and_gone_with_its_last_user() -> None:
    place = in_memory(10**9)
    one, other = connect(place), connect(place)
    before = other.execute("PRAGMA data_version").fetchone()
    one.execute("INSERT INTO vector VALUES (1, 'e', x'00', 0)")
    assert other.execute("SELECT count(*) FROM vector").fetchone() == (1,)
    assert other.execute("PRAGMA data_version").fetchone() != before, "a reader sees that something changed"
    one.close()
    other.close()
    again = connect(place)
    assert again.execute("SELECT count(*) FROM vector").fetchone() == (0,)
    again.close()


@pytest.mark.skipif(os.name == "nt", reason="modes of POSIX")
def test_an_old_file_that_others_could_read_is_made_private(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    file.write_bytes(b"")
    file.chmod(0o644)
    connect(file).close()
    assert stat.S_IMODE(file.stat().st_mode) == 0o600


@pytest.mark.skipif(os.name == "nt", reason="links and pipes of POSIX")
def test_what_is_no_plain_file_makes_room(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    (tmp_path / "mine").write_text("words")
    file.symlink_to(tmp_path / "mine")
    wal, shm, journal = companions(file)
    os.mkfifo(wal)
    shm.mkdir()
    journal.symlink_to(tmp_path)
    make_private(file)
    assert sorted(path.name for path in tmp_path.iterdir()) == ["index.sqlite", "mine"]
    assert (tmp_path / "mine").read_text() == "words"
    assert file.read_bytes() == b""


def test_remove_takes_all_of_it(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    connection = connect(file)
    connection.execute("INSERT INTO vector VALUES (1, 'e', x'00', 0)")
    assert len(list(tmp_path.iterdir())) == 3
    connection.close()
    remove(file)
    remove(file)
    assert list(tmp_path.iterdir()) == []


def test_faults_by_what_they_mean(tmp_path: Path) -> None:
    connection = sqlite3.connect(":memory:")
    connection.execute("CREATE TABLE t (x INTEGER PRIMARY KEY NOT NULL)")
    connection.execute("INSERT INTO t VALUES (1)")
    (tmp_path / "text").write_text("no database, but long enough to be looked at" * 40)
    told = {}
    tries: dict[str, Callable[[], object]] = {
        "twice": lambda: connection.execute("INSERT INTO t VALUES (1)"),
        "kind": lambda: connection.execute("INSERT INTO t VALUES ('x')"),
        "no table": lambda: connection.execute("SELECT * FROM nothing"),
        "text": lambda: sqlite3.connect(tmp_path / "text").execute("SELECT * FROM t"),
        "folder": lambda: sqlite3.connect(tmp_path),
        "no statement": lambda: connection.execute("PRAGMA x = ("),
    }
    for name, work in tries.items():
        with pytest.raises(sqlite3.Error) as caught:
            work()
        told[name] = fault_of(caught.value)
    connection.close()
    assert told == {
        "twice": Fault.DAMAGED,
        "kind": Fault.DAMAGED,
        "no table": Fault.OTHER,
        "text": Fault.DAMAGED,
        "folder": Fault.REFUSED,
        "no statement": Fault.OTHER,
    }
    assert fault_of(sqlite3.DatabaseError("ours")) is Fault.DAMAGED
    assert fault_of(sqlite3.ProgrammingError("ours")) is Fault.OTHER
