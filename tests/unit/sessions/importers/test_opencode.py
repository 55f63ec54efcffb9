"""opencode's sessions: the database (also with a log beside it, damaged, of another schema), files, exports, streams."""

from __future__ import annotations

import hashlib
import json
import random
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, list_transcripts, open_transcript
from tests.unit.sessions.importers.others_world import PIXEL, file_of, opencode, opencode_tool

T0 = 1_780_000_000_000
SCHEMA = """
CREATE TABLE project (id TEXT PRIMARY KEY, worktree TEXT);
CREATE TABLE session (id TEXT PRIMARY KEY, project_id TEXT, parent_id TEXT, slug TEXT, directory TEXT, title TEXT, version TEXT,
    revert TEXT, time_created INTEGER, time_updated INTEGER);
CREATE TABLE message (id TEXT PRIMARY KEY, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE TABLE part (id TEXT PRIMARY KEY, message_id TEXT, session_id TEXT, time_created INTEGER, time_updated INTEGER, data TEXT);
CREATE INDEX message_session ON message (session_id);
CREATE INDEX part_session ON part (session_id);
"""


def user(number: int, **more: Any) -> dict[str, Any]:
    return {"role": "user", "time": {"created": T0 + number}, "agent": "build", **more}


def assistant(number: int, **more: Any) -> dict[str, Any]:
    tokens = {"input": 10, "output": 5, "reasoning": 1, "cache": {"read": 100, "write": 4}}
    facts = {
        "modelID": "claude-sonnet-4-5",
        "providerID": "anthropic",
        "cost": 0.5,
        "tokens": tokens,
        "path": {"cwd": "/srv/app", "root": "/"},
    }
    return {"role": "assistant", "time": {"created": T0 + number}, **facts, **more}


FILE = {"type": "file", "mime": "image/png", "filename": "p.png", "url": f"data:image/png;base64,{PIXEL}"}
SYNTHETIC = {"type": "text", "text": "Called the Read tool", "synthetic": True}
TALK: tuple[tuple[str, dict[str, Any], list[dict[str, Any]]], ...] = (
    ("msg_1", user(1), [{"type": "text", "text": "看看目录"}, SYNTHETIC, FILE]),
    (
        "msg_2",
        assistant(2, parentID="msg_1"),
        [
            {"type": "step-start"},
            {"type": "reasoning", "text": "I look."},
            {"type": "text", "text": "Looking."},
            opencode_tool("c1", "completed", "a.txt"),
            {"type": "tool", "callID": "c2", "tool": "bash", "state": {"status": "error", "input": {}, "error": "denied"}},
            {"type": "tool", "callID": "c3", "tool": "bash", "state": {"status": "running", "input": {"command": "sleep"}}},
            {"type": "step-finish", "reason": "stop", "cost": 0.5, "tokens": {"input": 1}},
            {"type": "of-later", "x": 1},
        ],
    ),
    ("msg_3", user(3), [{"type": "compaction", "auto": True}]),
    ("msg_4", assistant(4, summary=True), [{"type": "text", "text": "So far they looked."}]),
    ("msg_5", user(5), [{"type": "text", "text": "go on"}]),
    ("msg_6", assistant(6, error={"name": "APIError", "data": {"message": "overloaded"}}), []),
)


def check_talk(found: ImportedSession) -> None:
    """The session of TALK, wherever it was kept."""
    assert found.source == "opencode"
    assert [(one.id, one.role, one.hidden) for one in found.messages] == [
        ("msg_1", "user", False),
        ("msg_2", "assistant", False),
        ("msg_3", "user", True),
        ("msg_4", "assistant", True),
        ("msg_5", "user", False),
        ("msg_6", "assistant", False),
    ]
    first, second = found.messages[:2]
    assert (first.text, first.pictures) == ("看看目录", (("image/png", PIXEL),))
    assert (second.text, second.thinking, second.model) == ("Looking.", "I look.", "claude-sonnet-4-5")
    assert (second.tokens, second.cost_usd) == (120, 0.5)
    assert [(one.id, one.name, one.input) for one in second.tool_calls] == [
        ("c1", "bash", {"command": "ls"}),
        ("c2", "bash", {}),
        ("c3", "bash", {"command": "sleep"}),
    ]
    assert [(one.id, one.output, one.is_error) for one in second.tool_results] == [("c1", "a.txt", False), ("c2", "denied", True)]
    assert found.messages[5].text == "overloaded"
    assert (found.branches, found.workspace, found.damage) == (1, "/srv/app", ())


def fill(connection: sqlite3.Connection, session: str = "ses_1", *, prefix: str = "", updated: int = 9, **more: Any) -> None:
    row = {"id": session, "directory": "/srv/app", "title": "New session - 2026-05-28T20:26:40.000Z", "time_created": T0, **more}
    row["time_updated"] = T0 + updated
    names = ", ".join(row)
    connection.execute(f"INSERT INTO session ({names}) VALUES ({', '.join('?' * len(row))})", tuple(row.values()))
    for name, info, parts in TALK:
        message, when = prefix + name, info["time"]["created"]
        connection.execute("INSERT INTO message VALUES (?, ?, ?, ?, ?)", (message, session, when, when, json.dumps(info)))
        for number, part in enumerate(parts):
            held = (f"{message}_prt_{number:03d}", message, session, when, when, json.dumps(part))
            connection.execute("INSERT INTO part VALUES (?, ?, ?, ?, ?, ?)", held)
    connection.commit()


def make(path: Path) -> Path:
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        fill(connection)
    return path


@contextmanager
def unchanged(folder: Path) -> Iterator[None]:
    """Nothing in the folder is written, made or removed."""

    def state() -> dict[str, str]:
        return {one.name: hashlib.sha256(one.read_bytes()).hexdigest() for one in sorted(folder.iterdir()) if one.is_file()}

    before = state()
    yield
    assert state() == before


def test_a_database_tells_its_sessions(tmp_path: Path) -> None:
    path = make(tmp_path / "opencode.db")
    with closing(sqlite3.connect(path)) as connection:
        fill(connection, "ses_2", prefix="b", updated=50, title="Named", directory="/other")
        fill(connection, "ses_3", prefix="c", updated=90, title="Child session - 2026-05-28T20:26:40.000Z", parent_id="ses_2")
    with unchanged(tmp_path):
        entries = list_transcripts(path)
        assert [(one.session, one.title, one.workspace, one.messages, one.kind, one.parent) for one in entries] == [
            ("ses_3", "", "/srv/app", 6, "sub-agent", "ses_2"),
            ("ses_2", "Named", "/other", 6, "chat", ""),
            ("ses_1", "", "/srv/app", 6, "chat", ""),
        ]
        assert entries == list_transcripts(tmp_path)
        check_talk(open_transcript(path, "ses_1"))
        assert open_transcript(path, "ses_1").title == "看看目录"
        assert open_transcript(path).id == open_transcript(tmp_path).id == "ses_2"
        assert (open_transcript(path, "ses_3").kind, open_transcript(path, "ses_3").parent) == ("sub-agent", "ses_2")
        assert open_transcript(path, "ses_9").damage and not open_transcript(path, "ses_9").messages


def test_a_database_is_known_by_what_it_holds(tmp_path: Path) -> None:
    check_talk(open_transcript(make(tmp_path / "renamed.bin"), "ses_1"))
    other = tmp_path / "opencode.db"
    with closing(sqlite3.connect(other)) as connection:
        connection.execute("CREATE TABLE things (id TEXT)")
    assert (open_transcript(other).source, list_transcripts(other)) == ("unknown", [])


@pytest.mark.parametrize(("table", "source"), [("actor_registry", "mimo"), ("session_target", "zcode")])
def test_tools_of_the_same_lineage_are_told_by_their_tables(tmp_path: Path, table: str, source: str) -> None:
    path = make(tmp_path / "db.sqlite")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute(f"CREATE TABLE {table} (id TEXT)")
        connection.commit()
    assert (open_transcript(tmp_path).source, [one.source for one in list_transcripts(path)]) == (source, [source])


def test_a_log_beside_a_database_in_use_is_read_and_nothing_is_written(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.executescript(SCHEMA)
        fill(writer)
        assert path.with_name("opencode.db-wal").stat().st_size > 0
        with unchanged(tmp_path):
            check_talk(open_transcript(path, "ses_1"))
        fill(writer, "ses_2", prefix="b", updated=50)
        with unchanged(tmp_path):
            assert {one.session for one in list_transcripts(path)} == {"ses_1", "ses_2"}
        left = tmp_path / "left"
        left.mkdir()
        for name in ("opencode.db", "opencode.db-wal"):  # what a crash or a copy leaves: a log without its index
            shutil.copyfile(tmp_path / name, left / name)
        with unchanged(left):
            check_talk(open_transcript(left / "opencode.db", "ses_1"))
            assert len(list_transcripts(left)) == 2
    with unchanged(tmp_path):
        check_talk(open_transcript(path, "ses_1"))


def test_what_was_undone_is_off_the_live_branch(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        fill(connection, revert=json.dumps({"messageID": "msg_5", "snapshot": "x"}))
    found = open_transcript(path)
    assert (found.leaf, len(found.messages)) == ("msg_4", 6)


def test_missing_tables_and_columns_are_damage(tmp_path: Path) -> None:
    path = make(tmp_path / "opencode.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP INDEX part_session")
        for table, column in (("session", "directory"), ("session", "revert"), ("message", "time_created"), ("part", "session_id")):
            connection.execute(f"ALTER TABLE {table} DROP COLUMN {column}")
        connection.commit()
    check_talk(open_transcript(path))
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("DROP TABLE part")
        connection.commit()
    found = open_transcript(path)
    assert (found.source, len(found.messages)) == ("opencode", 6) and "part" in found.damage[0].reason


def test_rows_that_are_no_json_are_told_and_cost_no_other(tmp_path: Path) -> None:
    path = make(tmp_path / "opencode.db")
    with closing(sqlite3.connect(path)) as connection:
        connection.execute("UPDATE message SET data = substr(data, 1, 20) WHERE id = 'msg_5'")
        connection.execute("UPDATE part SET data = X'7b00ff' WHERE id = 'msg_2_prt_002'")
        connection.execute("UPDATE part SET data = 7 WHERE id = 'msg_4_prt_000'")
        connection.execute("UPDATE message SET data = '[]' WHERE id = 'msg_6'")
        connection.commit()
    found = open_transcript(path)
    assert [one.id for one in found.messages] == ["msg_1", "msg_2", "msg_3", "msg_4", "msg_5"]
    assert found.messages[1].tool_results[0].output == "a.txt" and found.messages[1].text == ""
    assert found.messages[4].text == "go on"
    assert len(found.damage) == 4


@pytest.mark.parametrize("seed", range(12))
def test_a_damaged_database_raises_nothing_and_gives_what_it_can(tmp_path: Path, seed: int) -> None:
    path = make(tmp_path / "opencode.db")
    data = bytearray(path.read_bytes())
    chance = random.Random(seed)
    print("seed", seed)
    for _ in range(3):
        at = chance.randrange(100, len(data))
        data[at : at + 300] = chance.randbytes(min(300, len(data) - at))
    path.write_bytes(bytes(data) if seed % 3 else bytes(data[: chance.randrange(100, len(data))]))
    with unchanged(tmp_path):
        found = open_transcript(path)
        list_transcripts(path)
    assert found.messages or found.damage
    ids = [one.id for one in found.messages]
    assert len(ids) == len(set(ids))


def test_rows_on_both_sides_of_a_damaged_page_are_read(tmp_path: Path) -> None:
    path = tmp_path / "opencode.db"
    with closing(sqlite3.connect(path)) as connection:
        connection.executescript(SCHEMA)
        connection.execute("INSERT INTO session (id, title, time_created) VALUES ('ses_1', 'Long', ?)", (T0,))
        for number in range(400):
            info = json.dumps({"role": "user", "time": {"created": T0 + number}, "padding": "x" * 600})
            connection.execute("INSERT INTO message VALUES (?, 'ses_1', ?, 0, ?)", (f"msg_{number:04d}", T0 + number, info))
        connection.commit()
    data = bytearray(path.read_bytes())
    at = data.index(b'"created": %d' % (T0 + 200)) // 4096 * 4096
    data[at : at + 4096] = b"\xff" * 4096
    path.write_bytes(bytes(data))
    found = open_transcript(path, "ses_1")
    ids = [one.id for one in found.messages]
    print(f"{len(ids)} of 400 messages around a lost page")
    assert len(ids) >= 390 and ids[0] == "msg_0000" and ids[-1] == "msg_0399" and found.damage


# --- files ----------------------------------------------------------------------------------------------------------------


def store(root: Path, *, flat: bool, session: str = "ses_1", **more: Any) -> Path:
    """The tree of files, of the first layout or of the later one; returns the session's file."""
    facts: dict[str, Any] = {
        "id": session,
        "title": "",
        "version": "0.5",
        "directory": "/srv/app",
        "time": {"created": T0, "updated": T0 + 9},
        **more,
    }
    base = root / "session"
    sessions = base / ("info" if flat else "proj")
    messages = (base if flat else root) / "message" / session
    for folder in (sessions, messages):
        folder.mkdir(parents=True, exist_ok=True)
    path = sessions / f"{session}.json"
    path.write_text(json.dumps(facts), "utf-8")
    for name, info, parts in TALK:
        (messages / f"{name}.json").write_text(json.dumps({"id": name, "sessionID": session, **info}), "utf-8")
        folder = root / "session" / "part" / session / name if flat else root / "part" / name
        folder.mkdir(parents=True, exist_ok=True)
        for number, part in enumerate(parts):
            held = {"id": f"prt_{number:03d}", "messageID": name, "sessionID": session, **part}
            (folder / f"prt_{number:03d}.json").write_text(json.dumps(held), "utf-8")
    return path


@pytest.mark.parametrize("flat", [True, False])
def test_the_tree_of_files_in_both_layouts(tmp_path: Path, flat: bool) -> None:
    root = tmp_path / "project" / "-srv-app" / "storage" if flat else tmp_path / "storage"
    path = store(root, flat=flat, projectID="p", title="Named")
    check_talk(open_transcript(path))
    assert (open_transcript(path).id, open_transcript(path).title) == ("ses_1", "Named")
    for place in (tmp_path, root):
        assert [(one.session, one.title, one.messages) for one in list_transcripts(place)] == [("ses_1", "Named", 6)]
        check_talk(open_transcript(place))
        check_talk(open_transcript(place, "ses_1"))
    check_talk(open_transcript((root / "session" if flat else root) / "message" / "ses_1"))
    assert list_transcripts(path)[0].session == "ses_1"


def test_broken_and_missing_files_of_the_tree_cost_no_other(tmp_path: Path) -> None:
    path = store(tmp_path / "storage", flat=False, projectID="p")
    (tmp_path / "storage" / "message" / "ses_1" / "msg_5.json").write_bytes(b"\0" * 50)
    (tmp_path / "storage" / "part" / "msg_2" / "prt_003.json").write_bytes(b'{"id": "prt_003", "type": "to')
    (tmp_path / "storage" / "part" / "msg_4" / "prt_000.json").unlink()
    found = open_transcript(path)
    assert [one.id for one in found.messages] == ["msg_1", "msg_2", "msg_3", "msg_4", "msg_6"]
    assert [call.id for call in found.messages[1].tool_calls] == ["c2", "c3"]
    assert len(found.damage) == 2
    path.write_bytes(b'{"id": "ses_1", "tit')
    found = open_transcript(path)
    assert (found.source, found.id, len(found.messages), len(found.damage)) == ("opencode", "ses_1", 5, 3)
    path.unlink()
    assert len(open_transcript(tmp_path, "ses_1").messages) == 5


def test_the_newest_session_of_a_store_is_no_sub_agents(tmp_path: Path) -> None:
    store(tmp_path / "storage", flat=False, projectID="p")
    store(tmp_path / "storage", flat=False, session="ses_2", parentID="ses_1", time={"created": T0, "updated": T0 + 99})
    assert open_transcript(tmp_path).id == "ses_1"
    assert [(one.session, one.kind, one.parent) for one in list_transcripts(tmp_path)] == [
        ("ses_2", "sub-agent", "ses_1"),
        ("ses_1", "chat", ""),
    ]


# --- exports and streams --------------------------------------------------------------------------------------------------


def test_an_export_and_a_list_of_messages(tmp_path: Path) -> None:
    pairs: list[dict[str, Any]] = []
    for name, info, parts in TALK:
        pairs.append({"info": {**info, "id": name, "sessionID": "ses_1"}, "parts": parts})
    path = tmp_path / "export.json"
    facts: dict[str, Any] = {"id": "ses_1", "title": "Named", "directory": "/srv/app", "time": {"created": T0}}
    path.write_text(json.dumps({"info": facts, "messages": pairs}), "utf-8")
    check_talk(open_transcript(path))
    assert (open_transcript(path).id, open_transcript(path).title) == ("ses_1", "Named")
    path.write_text(json.dumps(pairs), "utf-8")
    found = open_transcript(path)
    assert (found.id, len(found.messages), found.source) == ("ses_1", 6, "opencode")


def test_a_stream_gathers_parts_by_message_and_sums_steps(tmp_path: Path) -> None:
    path = tmp_path / "out.jsonl"
    step: dict[str, Any] = {"type": "step-finish", "cost": 0.25, "tokens": {"total": 40}}
    path.write_bytes(
        file_of(
            [
                opencode("step_start", "msg_1", {"type": "step-start"}, 1),
                opencode("tool_use", "msg_1", opencode_tool("c1", "completed", "out"), 2),
                opencode("step_finish", "msg_1", step, 3),
                opencode("step_finish", "msg_1", {**step, "id": "more"}, 4),
                {"type": "error", "timestamp": T0, "sessionID": "ses_1", "error": {"name": "APIError"}},
                opencode("text", "msg_2", {"type": "text", "text": "draft", "id": "same"}, 5),
                opencode("text", "msg_2", {"type": "text", "text": "the text", "id": "same"}, 6),
            ]
        )
    )
    found = open_transcript(path)
    assert (found.id, [(one.id, one.text) for one in found.messages]) == ("ses_1", [("msg_1", ""), ("msg_2", "the text")])
    assert (found.messages[0].tokens, found.messages[0].cost_usd, found.branches, found.damage) == (80, 0.5, 1, ())


def test_the_servers_events(tmp_path: Path) -> None:
    path = tmp_path / "events.jsonl"
    records: list[dict[str, Any]] = [
        {"type": "server.connected", "properties": {}},
        {"type": "session.updated", "properties": {"info": {"id": "ses_1", "title": "Named", "directory": "/srv/app"}}},
    ]
    for name, info, parts in TALK:
        records.append({"type": "message.updated", "properties": {"info": {"id": name, "sessionID": "ses_1", **info}}})
        for number, part in enumerate(parts):
            held = {"id": f"{name}{number}", "messageID": name, "sessionID": "ses_1", **part}
            records.append({"type": "message.part.updated", "properties": {"part": held}})
    path.write_bytes(file_of(records))
    check_talk(open_transcript(path))
    assert open_transcript(path).title == "Named"


WRITER = """
import sqlite3, sys
writer = sqlite3.connect(sys.argv[1])
writer.execute("PRAGMA journal_mode = WAL")
writer.execute("UPDATE session SET title = 'While in use'")
writer.execute("INSERT INTO message VALUES ('msg_0', 'ses_1', 1, 1, ?)", ('{"role": "user", "padding": "' + "x" * (9 << 20) + '"}',))
writer.commit()
print("ready", flush=True)
sys.stdin.read()
"""


def test_a_large_database_in_use_by_another_process_is_read_with_nothing_written(tmp_path: Path) -> None:
    path = make(tmp_path / "opencode.db")
    with subprocess.Popen([sys.executable, "-c", WRITER, str(path)], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True) as process:
        assert process.stdout is not None and process.stdout.readline() == "ready\n"
        assert sum(one.stat().st_size for one in tmp_path.iterdir()) > 8 << 20
        with unchanged(tmp_path):
            found = open_transcript(path, "ses_1")
            entries = list_transcripts(path)
        process.communicate("")
    assert (found.title, len(found.messages), found.damage) == ("While in use", 7, ())
    assert [one.messages for one in entries] == [7]
