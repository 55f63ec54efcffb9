"""R10: whatever happens to the file of an index, it is found empty or right, fills again, and answers like a fresh one. Prints its seed."""

from __future__ import annotations

import os
import random
import shutil
import sqlite3
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from desktop.search.schema import APPLICATION_ID, FORM
from tests.unit.search.make import WordVectors, answers, corpus, fresh_answers, opened, reconcile

SEED = 20261130
DOCUMENTS = corpus()
PRINTS = {document.key: document.fingerprint for document in DOCUMENTS}
Damage = Callable[[Path], None]
pytestmark = pytest.mark.skipif(os.name == "nt", reason="links, pipes and open files are of POSIX")


@pytest.fixture(scope="module")
def right() -> list[object]:
    return list(fresh_answers(DOCUMENTS))


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A filled index with vectors that was closed in order."""
    folder = tmp_path_factory.mktemp("template")
    index = opened(folder / "index.sqlite", WordVectors())
    index.update(DOCUMENTS)
    index.encode()
    index.close()
    return folder


@pytest.fixture(scope="module")
def killed(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The same as a killed process leaves it: half of it still in the log."""
    folder = tmp_path_factory.mktemp("killed")
    work = folder / "work"
    index = opened(work / "index.sqlite")
    index.update(DOCUMENTS[:12])
    index.close()
    index.update(DOCUMENTS[12:])
    shutil.copytree(work, folder / "left")
    index.close()
    shutil.rmtree(work)
    assert (folder / "left" / "index.sqlite-wal").stat().st_size > 0
    return folder / "left"


def copied(source: Path, target: Path) -> Path:
    shutil.copytree(source, target)
    return target / "index.sqlite"


def check_recovers(file: Path, right: list[object], *, partly: bool = False) -> None:
    """Empty or right, filled by a reconcile, and then like a fresh one; whole by its own view, also after it was closed."""
    index = opened(file)
    found = index.fingerprints()
    if not partly:
        assert found in ({}, PRINTS)
    reconcile(index, DOCUMENTS)
    assert index.fingerprints() == PRINTS
    assert answers(index) == right
    assert index.check()
    index.close()
    index = opened(file)
    if index.fingerprints() != PRINTS:
        assert index.problem, "what was filled is there after a restart, unless it could only be kept in memory"
        reconcile(index, DOCUMENTS)
    assert answers(index) == right
    index.close()


# bytes


def _offsets(size: int, count: int) -> list[int]:
    chance = random.Random(SEED)
    return [0, 16, 100, *sorted(chance.randrange(size) for _ in range(count - 3))]


def _random_bytes(template: Path, tmp_path: Path, right: list[object], count: int) -> None:
    chance = random.Random(SEED + 1)
    size = (template / "index.sqlite").stat().st_size
    for number, offset in enumerate(_offsets(size, count)):
        file = copied(template, tmp_path / f"{number}")
        with file.open("r+b") as stream:
            stream.seek(offset)
            stream.write(chance.randbytes(64))
        print(f"seed {SEED}, 64 bytes at {offset} of {size}")
        check_recovers(file, right)
        shutil.rmtree(file.parent)


def test_random_bytes_anywhere(template: Path, tmp_path: Path, right: list[object]) -> None:
    _random_bytes(template, tmp_path, right, 12)


@pytest.mark.full
def test_random_bytes_at_200_offsets(template: Path, tmp_path: Path, right: list[object]) -> None:
    _random_bytes(template, tmp_path, right, 200)


def _truncated(template: Path, tmp_path: Path, right: list[object], count: int) -> None:
    size = (template / "index.sqlite").stat().st_size
    for number in range(count):
        file = copied(template, tmp_path / f"{number}")
        os.truncate(file, size * number // count + (number % 3) * 17)
        check_recovers(file, right)


def test_truncated(template: Path, tmp_path: Path, right: list[object]) -> None:
    _truncated(template, tmp_path, right, 5)


@pytest.mark.full
def test_truncated_at_20_sizes(template: Path, tmp_path: Path, right: list[object]) -> None:
    _truncated(template, tmp_path, right, 20)


@pytest.mark.full
def test_random_bytes_in_the_log(killed: Path, tmp_path: Path, right: list[object]) -> None:
    chance = random.Random(SEED + 2)
    size = (killed / "index.sqlite-wal").stat().st_size
    for number, offset in enumerate(_offsets(size, 60)):
        file = copied(killed, tmp_path / f"{number}")
        with file.with_name("index.sqlite-wal").open("r+b") as stream:
            stream.seek(offset)
            stream.write(chance.randbytes(64))
        check_recovers(file, right, partly=True)


def _while_open(tmp_path: Path, right: list[object], count: int) -> None:
    """In the file or its log, at any moment between searches and updates, by somebody who knows nothing of locks."""
    chance = random.Random(SEED + 3)
    index = opened(tmp_path / "index.sqlite")
    for number in range(count):
        reconcile(index, DOCUMENTS)
        if chance.random() < 0.5:
            index.close()
        if chance.random() < 0.7:
            answers(index)
        place = tmp_path / chance.choice(("index.sqlite", "index.sqlite", "index.sqlite-wal"))
        size = place.stat().st_size if place.exists() else 0
        if size:
            with place.open("r+b") as stream:
                stream.seek(chance.randrange(size))
                stream.write(chance.randbytes(64))
        if chance.random() < 0.3:
            index.close()
        index.search("port 5433")
        assert index.fingerprints().items() <= PRINTS.items(), f"seed {SEED}, {number}"
        reconcile(index, DOCUMENTS)
        assert answers(index) == right, f"seed {SEED}, {number}"
    assert index.check()
    assert index.problem == ""
    index.close()


def test_random_bytes_under_an_open_index(tmp_path: Path, right: list[object]) -> None:
    _while_open(tmp_path, right, 12)


@pytest.mark.full
def test_random_bytes_under_an_open_index_300_times(tmp_path: Path, right: list[object]) -> None:
    _while_open(tmp_path, right, 300)


# other files


def _sql(statement: str) -> Damage:
    def change(file: Path) -> None:
        connection = sqlite3.connect(file)
        connection.executescript(statement)
        connection.commit()
        connection.close()

    return change


def _header(file: Path) -> None:
    with file.open("r+b") as stream:
        stream.write(b"not a database at all, but a text that begins here " * 2)


def _empty(file: Path) -> None:
    file.write_bytes(b"")


def _zeros(file: Path) -> None:
    file.write_bytes(bytes(file.stat().st_size))


def _text(file: Path) -> None:
    file.write_text("# A memory\n\nnot an index\n" * 200)


def _folder(file: Path) -> None:
    file.unlink()
    file.mkdir()


def _full_folder(file: Path) -> None:
    _folder(file)
    (file / "somebody's").write_text("data")


def _pipe(file: Path) -> None:
    file.unlink()
    os.mkfifo(file)


def _gone(file: Path) -> None:
    file.unlink()


def _companion(suffix: str, make: Callable[[Path], object]) -> Damage:
    def change(file: Path) -> None:
        beside = file.with_name(file.name + suffix)
        beside.unlink(missing_ok=True)
        make(beside)

    return change


DAMAGES: dict[str, Damage] = {
    "header overwritten": _header,
    "no bytes": _empty,
    "only zeros": _zeros,
    "a text": _text,
    "a folder": _folder,
    "a folder with a file": _full_folder,
    "a pipe": _pipe,
    "gone": _gone,
    "of the future": _sql(f"PRAGMA user_version = {FORM + 1}"),
    "of the past": _sql("PRAGMA user_version = 0"),
    "of another application": _sql(f"PRAGMA application_id = {APPLICATION_ID + 1}"),
    "of nobody": _sql("PRAGMA application_id = 0; PRAGMA user_version = 0"),
    "a trigger more": _sql("CREATE TRIGGER evil AFTER INSERT ON passage BEGIN DELETE FROM document; END"),
    "a trigger with a name of FTS5": _sql("CREATE TRIGGER term_evil AFTER INSERT ON passage BEGIN DELETE FROM document; END"),
    "a trigger with SQLite's own name": _sql(
        "PRAGMA writable_schema = ON; INSERT INTO sqlite_master VALUES ('trigger', 'term_data', 'passage', 0, "
        "'CREATE TRIGGER term_data AFTER INSERT ON passage BEGIN DELETE FROM document; END')"
    ),
    "another view": _sql("DROP VIEW source; CREATE VIEW source AS SELECT id, title, 'fact' AS body FROM content"),
    "a table more": _sql("CREATE TABLE other (x)"),
    "a table less": _sql("DROP TABLE vector"),
    "a virtual table less": _sql("DROP TABLE term_idx"),
    "another journal": _sql("PRAGMA journal_mode = DELETE"),
    "shm of garbage": _companion("-shm", lambda path: path.write_bytes(os.urandom(40_000))),
    "shm is a folder": _companion("-shm", lambda path: path.mkdir()),
    "shm is a full folder": _companion("-shm", lambda path: (path / "x").mkdir(parents=True)),
    "shm is a pipe": _companion("-shm", os.mkfifo),
    "log of garbage": _companion("-wal", lambda path: path.write_bytes(os.urandom(40_000))),
    "log of zeros": _companion("-wal", lambda path: path.write_bytes(bytes(40_000))),
    "log is a folder": _companion("-wal", lambda path: path.mkdir()),
    "journal of garbage": _companion("-journal", lambda path: path.write_bytes(os.urandom(40_000))),
    "stamp is a pipe": _companion(".stamp", os.mkfifo),
    "stamp of garbage": _companion(".stamp", lambda path: path.write_bytes(os.urandom(400))),
    "stamp is a folder": _companion(".stamp", lambda path: path.mkdir()),
    "hold is a folder": _companion(".open", lambda path: path.mkdir()),
    "lock is a folder": _companion(".lock", lambda path: path.mkdir()),
}


@pytest.mark.parametrize("kind", DAMAGES)
def test_other_content_in_its_place(kind: str, template: Path, tmp_path: Path, right: list[object]) -> None:
    file = copied(template, tmp_path / "index")
    DAMAGES[kind](file)
    check_recovers(file, right)


@pytest.mark.parametrize("kind", DAMAGES)
def test_other_content_beside_the_log_of_a_killed_process(kind: str, killed: Path, tmp_path: Path, right: list[object]) -> None:
    file = copied(killed, tmp_path / "index")
    kept = tmp_path / "kept"
    shutil.copytree(file.parent, kept)
    DAMAGES[kind](file)
    for suffix in ("-wal", "-shm"):
        if not os.path.lexists(f"{file}{suffix}"):  # folded in by SQLite while the damage was made
            shutil.copy2(kept / f"index.sqlite{suffix}", f"{file}{suffix}")
    check_recovers(file, right, partly=True)


def test_what_a_link_in_its_place_leads_to_is_left_alone(template: Path, tmp_path: Path, right: list[object]) -> None:
    for suffix in ("", "-wal", "-shm", "-journal", ".stamp", ".open"):
        file = copied(template, tmp_path / f"index{suffix}")
        mine = tmp_path / f"memory{suffix}.md"
        mine.write_text("the person's own words")
        place = file.with_name(file.name + suffix)
        place.unlink(missing_ok=True)
        place.symlink_to(mine)
        check_recovers(file, right)
        assert mine.read_text() == "the person's own words"
        assert not file.is_symlink()


def test_the_folder_of_somebody_is_never_deleted(template: Path, tmp_path: Path, right: list[object]) -> None:
    file = copied(template, tmp_path / "index")
    _full_folder(file)
    check_recovers(file, right)
    assert (file / "somebody's").read_text() == "data"


# the log


def test_the_log_is_lost(killed: Path, tmp_path: Path, right: list[object]) -> None:
    file = copied(killed, tmp_path / "index")
    file.with_name("index.sqlite-wal").unlink()
    check_recovers(file, right, partly=True)


def test_what_a_killed_process_left_is_whole(killed: Path, tmp_path: Path, right: list[object]) -> None:
    file = copied(killed, tmp_path / "index")
    index = opened(file)
    assert index.fingerprints() == PRINTS
    assert index.rebuilt == 0
    assert answers(index) == right
    index.close()


@pytest.mark.parametrize("part", [1.0, 0.5, 0.1])
def test_the_log_of_another_index(part: float, killed: Path, template: Path, tmp_path: Path, right: list[object]) -> None:
    """Of another index with other documents, whole and cut off, beside a file that was closed and beside one that was not."""
    other = opened(tmp_path / "other" / "index.sqlite")
    other.update(corpus(40)[24:])
    log = (tmp_path / "other" / "index.sqlite-wal").read_bytes()
    other.close()
    for name, source in (("closed", template), ("killed", killed)):
        file = copied(source, tmp_path / f"{name}-{part}")
        file.with_name("index.sqlite-wal").write_bytes(log[: int(len(log) * part)])
        check_recovers(file, right, partly=True)


def test_the_index_of_another_folder(template: Path, tmp_path: Path, right: list[object]) -> None:
    """A whole index with other documents: what it says it holds is true, and a reconcile changes the rest."""
    other = opened(tmp_path / "other.sqlite")
    other.update(corpus(40)[20:])
    other.close()
    file = copied(template, tmp_path / "index")
    shutil.copy2(tmp_path / "other.sqlite", file)
    index = opened(file)
    assert set(index.fingerprints()) == {document.key for document in corpus(40)[20:]}
    reconcile(index, DOCUMENTS)
    assert answers(index) == right
    index.close()


# what SQLite does not see

COLUMNS = {
    "document": ("key", "scope", "scope_id", "kind", "fingerprint", "weight", "time", "chain", "digest", "id"),
    "passage": ("document", "unit", "place", "role", "time", "length", "speaker", "day", "marks", "digest", "id"),
    "content": ("title", "body", "ref", "title_cut", "body_cut", "id"),
    "sqlite_sequence": ("seq",),
}


def _other(value: object) -> object:
    if isinstance(value, str):
        return value.replace("e", "a", 1) if "e" in value else f"{value}x"
    if isinstance(value, bytes):
        return bytes([value[0] ^ 1]) + value[1:]
    return 7_777 if value is None else value + 1_000  # type: ignore[operator]


@pytest.mark.parametrize(("table", "column"), [(table, column) for table, columns in COLUMNS.items() for column in columns])
def test_one_changed_value_is_found(table: str, column: str, template: Path, tmp_path: Path, right: list[object]) -> None:
    """Also where the change is made by SQL itself, so that the file is sound for SQLite."""
    file = copied(template, tmp_path / "index")
    connection = sqlite3.connect(file)
    rows = connection.execute(f"SELECT rowid, {column} FROM {table} ORDER BY rowid").fetchall()  # names of columns
    row, value = rows[len(rows) // 2]
    changed = -5 if table == "sqlite_sequence" else _other(value)
    with connection:
        for (trigger,) in connection.execute("SELECT name FROM sqlite_master WHERE type = 'trigger'").fetchall():
            assert trigger.endswith(("added", "removed"))  # none of an update
        connection.execute(f"UPDATE {table} SET {column} = ? WHERE rowid = ?", (changed, row))
    connection.close()
    index = opened(file)
    assert index.fingerprints() == {}
    assert index.rebuilt == 1
    index.close()
    check_recovers(file, right)


@pytest.mark.parametrize("statement", [
    "UPDATE vector SET data = zeroblob(64) WHERE passage = 5",
    "UPDATE vector SET data = (SELECT data FROM vector WHERE passage = 6) WHERE passage = 5",
    "UPDATE vector SET passage = 5000 WHERE passage = 5",
    "UPDATE vector SET crc = crc + 1 WHERE passage = 5",
    "UPDATE vector SET data = 'text' WHERE passage = 5",
    "UPDATE vector SET encoder = 'another' WHERE passage = 5",
    "DELETE FROM vector WHERE passage = 5",
])  # fmt: skip
def test_a_damaged_vector_is_made_again_and_the_others_stay(statement: str, template: Path, tmp_path: Path) -> None:
    file = copied(template, tmp_path / "index")
    whole = opened(file, WordVectors())
    wanted = answers(whole, dense=True)
    whole.close()
    _sql(statement)(file)
    encoder = WordVectors()
    index = opened(file, encoder)
    assert index.fingerprints() == PRINTS
    assert index.encode() == 1
    assert encoder.encoded == 1
    assert answers(index, dense=True) == wanted
    index.close()


def test_a_passage_that_is_lost_is_found(template: Path, tmp_path: Path, right: list[object]) -> None:
    file = copied(template, tmp_path / "index")
    _sql("DELETE FROM passage WHERE id = 9")(file)
    assert opened(file).fingerprints() == {}
    check_recovers(file, right)


# stamps


def test_a_file_that_was_closed_in_order_is_not_looked_through(template: Path, tmp_path: Path) -> None:
    """What is changed without a trace in size, times and inode cannot be seen without reading it all: it is trusted."""
    from desktop.search.seal import Seal

    assert Seal(template / "index.sqlite").is_true()
    file = copied(template, tmp_path / "index")
    assert not Seal(file).is_true()  # a copy is another file


@pytest.mark.parametrize("attempt", range(5))
def test_a_change_right_after_closing_is_seen(attempt: int, tmp_path: Path) -> None:
    """Within the same tick of the file system's clock too, with size and modification time put back."""
    file = tmp_path / "index.sqlite"
    index = opened(file)
    index.update(DOCUMENTS)
    index.close()
    before = file.stat()
    data = file.read_bytes()
    with file.open("r+b") as stream:
        stream.seek(data.index(b"release captain"))
        stream.write(b"rebease")
    os.utime(file, ns=(before.st_atime_ns, before.st_mtime_ns))
    index = opened(file)
    assert index.fingerprints() == {}
    index.close()


@pytest.mark.parametrize("made", [b"", b"[]", b"{}", b"null", b"[1, 2]", b"\xff\xfe", b"[" * 900])
def test_a_stamp_of_something_else_is_not_believed(made: bytes, template: Path, tmp_path: Path) -> None:
    file = copied(template, tmp_path / "index")
    _sql("UPDATE passage SET length = length + 1 WHERE id = 3")(file)
    file.with_name("index.sqlite.stamp").write_bytes(made)
    index = opened(file)
    assert index.fingerprints() == {}
    index.close()


def test_the_stamp_of_an_older_state_is_not_believed(tmp_path: Path) -> None:
    file = tmp_path / "index.sqlite"
    stamp = tmp_path / "index.sqlite.stamp"
    index = opened(file)
    index.update(DOCUMENTS[:4])
    index.close()
    old = stamp.read_bytes()
    index.update(DOCUMENTS)
    index.close()
    _sql("UPDATE passage SET length = length + 1 WHERE id = 3")(file)
    stamp.write_bytes(old)
    index = opened(file)
    assert index.fingerprints() == {}
    index.close()


@pytest.fixture(autouse=True)
def _no_leftovers(tmp_path: Path) -> Iterator[None]:
    yield
    assert [path.name for path in tmp_path.rglob("*.tmp")] == []
