"""Sessions over real processes: resumed with the same context, complete after Ctrl+C and kill -9, one writer, read by others."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import zlib
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.record import encode
from tests.e2e.headless import TIMEOUT_S, Headless
from tests.helpers.wait import wait_for


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


def texts(body: dict[str, Any]) -> list[tuple[str, str]]:
    """Role and text of what a request holds, without what the app adds for this turn only."""
    return [
        (message["role"], part.get("text") or part.get("output") or part.get("name"))
        for message in body["messages"]
        for part in message["parts"]
        if message["origin"] != "app"
    ]


def slow(app: Headless, text: str = "word " * 400) -> str:
    """A model that streams for half a minute."""
    return app.script({"text": text, "chunk": 5, "delay_ms": 100}, name="slow.json")


def started(app: Headless, *words: str) -> tuple[subprocess.Popen[str], str]:
    """A process in the middle of a stream, and its session."""
    child = app.start("-p", "a long question", "--model", slow(app), "--output", "stream-json", *words)
    assert child.stdout is not None
    session = ""
    for line in child.stdout:
        event = json.loads(line)
        if event["type"] == "turn_started":
            session = event["session_id"]
        if event["type"] == "text_delta":
            break
    assert session
    return child, session


# --- resume ------------------------------------------------------------------------------------------------------------


def test_resume_sends_exactly_what_the_model_had(app: Headless) -> None:
    (app.workspace / "a.py").write_text("x = 1\n")
    call = {"id": "c1", "name": "Read", "input": {"file_path": "a.py"}}
    first = app.ask("look at a.py", app.script({"thinking": "hm", "tool_calls": [call]}, {"text": "it sets x"}, name="one.json"))
    had = app.requests()[-1]["body"]
    again = app.ask("and then?", app.script({"text": "done"}, name="two.json"), "--resume", first.json["session_id"])
    now = app.requests()[-1]["body"]
    assert texts(now)[: len(texts(had))] == texts(had)
    assert texts(now)[len(texts(had)) :] == [("assistant", "it sets x"), ("user", "and then?")]
    assert now["messages"][1]["parts"] == had["messages"][1]["parts"]
    assert now["system"] == had["system"]
    assert again.json["session_id"] == first.json["session_id"]
    assert len(app.messages(first.json["session_id"])) == 6


def test_resume_keeps_the_model_and_the_folder_of_the_session(app: Headless, tmp_path: Path) -> None:
    model = app.script({"text": "one"}, name="kept.json")
    first = app.ask("hi", model)
    done = app.run("-p", "more", "--resume", first.json["session_id"], "--output", "json", cwd=tmp_path)
    assert (done.json["model"], done.json["workspace"]) == (model, str(app.workspace))


def test_a_session_whose_folder_is_gone_is_refused_with_the_way_out(app: Headless) -> None:
    first = app.ask("hi", app.script({"text": "one"}))
    app.workspace.rename(app.root / "moved")
    done = app.run("-p", "more", "--resume", first.json["session_id"], cwd=app.root)
    assert done.status == 2 and str(app.workspace) in done.err


def unfinished(app: Headless) -> Path:
    """A transcript that ends with a call without a result, as a kill in the middle of a tool leaves it."""
    call = {"id": "c1", "name": "Glob", "input": {"pattern": "*"}}
    done = app.ask("list", app.script({"tool_calls": [call]}, {"text": "ok"}, name="tool.json"))
    path = app.transcripts()[0]
    lines = path.read_bytes().splitlines(keepends=True)
    assert [b'"role":"tool"' in line for line in lines] == [False, False, False, True, False]
    path.write_bytes(b"".join(lines[:3]))
    assert done.json["session_id"] == path.stem
    return path


def test_a_call_without_a_result_gets_an_interrupted_one(app: Headless) -> None:
    path = unfinished(app)
    done = app.ask("go on", app.script({"text": "went on"}, name="on.json"), "--resume", path.stem)
    assert done.status == 0 and done.json["text"] == "went on"
    results = [part for message in app.requests()[-1]["body"]["messages"] for part in message["parts"] if part["kind"] == "tool_result"]
    assert [(part["call_id"], part["status"]) for part in results] == [("c1", "interrupted")]
    assert [m["role"] for m in app.messages(path.stem)] == ["user", "assistant", "tool", "user", "assistant"]


def test_a_result_without_a_call_is_shown_but_not_sent(app: Headless) -> None:
    path = unfinished(app)
    done = app.ask("go on", app.script({"text": "went on"}, name="on.json"), "--resume", path.stem)
    assert done.status == 0
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:2], *lines[3:]]))  # the call is lost, its result is there
    again = app.ask("and on", app.script({"text": "fine"}, name="again.json"), "--resume", path.stem)
    assert again.status == 0
    sent = [part for message in app.requests()[-1]["body"]["messages"] for part in message["parts"]]
    assert [part["kind"] for part in sent if part["kind"].startswith("tool")] == []
    assert "tool" in [m["role"] for m in app.messages(path.stem)]


# --- interrupted ---------------------------------------------------------------------------------------------------------


def test_ctrl_c_ends_with_130_and_a_complete_transcript(app: Headless) -> None:
    child, session = started(app)
    listed = app.run("sessions", "list", "--json").json["sessions"][0]
    assert (listed["id"], listed["state"]) == (session, "running"), "from its file alone it would look interrupted"
    assert app.run("sessions", "show", session, "--json").json["state"] == "running"
    child.send_signal(signal.SIGINT)
    out, err = child.communicate(timeout=TIMEOUT_S)
    assert child.returncode == 130, err
    result = json.loads(out.splitlines()[-1])
    assert (result["type"], result["stop"]) == ("result", "interrupted")
    stored = app.messages(session)
    assert [m["role"] for m in stored] == ["user", "assistant"]
    assert stored[1]["stop"] == "interrupted" and stored[1]["parts"][0]["text"].startswith("word")
    listed = app.run("sessions", "list", "--json").json["sessions"][0]
    assert (listed["id"], listed["state"], listed["messages"]) == (session, "interrupted", 2)
    done = app.ask("go on", app.script({"text": "went on"}, name="on.json"), "--resume", session)
    assert done.status == 0


def test_ctrl_c_during_a_command_kills_it_and_leaves_no_orphan(app: Headless) -> None:
    """Bash is refused headless, so the long tool here is a Grep that the cancel must not leave without its result."""
    call = {"id": "c1", "name": "Glob", "input": {"pattern": "*"}}
    model = app.script({"tool_calls": [call]}, {"text": "word " * 400, "chunk": 5, "delay_ms": 100}, name="slow.json")
    child = app.start("-p", "x", "--model", model, "--output", "stream-json")
    assert child.stdout is not None
    for line in child.stdout:
        if json.loads(line)["type"] == "text_delta":
            break
    child.send_signal(signal.SIGTERM)
    child.communicate(timeout=TIMEOUT_S)
    assert child.returncode == 130
    stored = app.messages(app.transcripts()[0].stem)
    calls = [part["id"] for m in stored for part in m["parts"] if part["kind"] == "tool_call"]
    results = [part["call_id"] for m in stored for part in m["parts"] if part["kind"] == "tool_result"]
    assert calls == results == ["c1"]


def test_kill_9_in_mid_stream_loses_nothing_that_was_sent_and_the_session_goes_on(app: Headless) -> None:
    child, session = started(app)
    child.kill()
    child.communicate(timeout=TIMEOUT_S)
    assert [m["parts"][0]["text"] for m in app.messages(session)] == ["a long question"]
    done = app.ask("go on", app.script({"text": "went on"}, name="on.json"), "--resume", session)
    assert done.status == 0 and done.json["text"] == "went on"
    assert [m["role"] for m in app.messages(session)] == ["user", "user", "assistant"]


def test_a_torn_record_is_repaired_before_the_next_one(app: Headless) -> None:
    first = app.ask("hi", app.script({"text": "one"}))
    path = app.transcripts()[0]
    path.write_bytes(path.read_bytes()[:-25])
    done = app.ask("more", app.script({"text": "two"}, name="two.json"), "--resume", first.json["session_id"])
    assert done.status == 0
    shown = app.run("sessions", "show", first.json["session_id"], "--json").json
    assert [m["parts"][0]["text"] for m in shown["messages"]] == ["hi", "more", "two"]
    assert len(shown["damage"]) == 1 and len(list(path.parent.glob("*.torn-*"))) == 1


def test_a_second_process_on_the_same_session_is_told(app: Headless) -> None:
    child, session = started(app)
    try:
        done = app.run("-p", "me too", "--resume", session, "--model", app.script({"text": "x"}))
        assert (done.status, done.out) == (1, "") and "open elsewhere" in done.err
        other = app.ask("a session of my own", app.script({"text": "fine"}, name="other.json"))
        assert other.status == 0
    finally:
        child.kill()
        child.communicate(timeout=TIMEOUT_S)


# --- faults of the disk ----------------------------------------------------------------------------------------------------


def test_a_transcript_that_cannot_be_written_ends_the_turn_with_a_message(app: Headless) -> None:
    first = app.ask("hi", app.script({"text": "one"}))
    path = app.transcripts()[0]
    path.rename(path.with_suffix(".kept"))
    path.mkdir()
    done = app.run("-p", "more", "--resume", first.json["session_id"], "--model", app.script({"text": "x"}))
    assert done.status == 1 and done.out == "" and str(path) in done.err and "Traceback" not in done.err


def test_a_full_disk_is_said_and_what_was_stored_stays(app: Headless) -> None:
    """The file size limit of the process stands in for a full disk: the second message does not fit."""
    command = app.command("-p", "hi", "--model", app.script({"text": "x" * 20_000}), "--output", "json")
    done = subprocess.run(
        ["sh", "-c", 'ulimit -f 8; exec "$@"', "sh", *command],
        cwd=app.workspace,
        env=app.environment(),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == 1 and b"could not be saved" in done.stderr and b"Traceback" not in done.stderr
    session = json.loads(done.stdout)["session_id"]
    assert [m["role"] for m in app.messages(session)] == ["user"]
    again = app.ask("again", app.script({"text": "ok"}, name="ok.json"), "--resume", session)
    assert again.status == 0 and again.json["text"] == "ok"


# --- list, show, read ----------------------------------------------------------------------------------------------------


def test_the_list_has_the_documented_shape(app: Headless) -> None:
    first = app.ask("重构解析器\nmore", app.script({"text": "好的", "usage": {"input_tokens": 7, "output_tokens": 3}}))
    listed = app.run("sessions", "list", "--workspace", str(app.workspace), "--json").json
    assert list(listed) == ["sessions"]
    session = listed["sessions"][0]
    keys = {"id", "title", "workspace", "source", "started", "updated", "messages", "model", "tokens", "state", "path"}
    assert keys <= set(session)
    assert session["id"] == first.json["session_id"] and session["title"] == "重构解析器"
    assert (session["messages"], session["tokens"], session["source"], session["state"]) == (2, 10, "keepsake", "done")
    assert session["started"].endswith("Z") and Path(session["path"]).exists()
    assert "重构解析器" in app.run("sessions", "list").out
    assert app.run("sessions", "list", "--all", "--json").json == listed


def test_read_answers_a_question_out_of_another_session(app: Headless) -> None:
    first = app.ask("我们决定使用端口5433，数据库是postgres", app.script({"text": "Noted: port 5433."}))
    session = first.json["session_id"]
    words = ("sessions", "read", session, "--local-only", "--json")
    value = app.run(*words, "--query", "端口", "--strategy", "relevant", "--max-tokens", "2000").json
    assert set(value) == {"status", "source", "text", "citations", "chars", "tokens", "dropped"}
    assert (value["status"], value["source"]) == ("success", "local") and "5433" in value["text"]
    assert value["citations"][0]["message"] == 1 and value["citations"][0]["role"] == "user"
    handoff = app.run(*words, "--query", "where are we", "--strategy", "handoff").json
    assert [c["message"] for c in handoff["citations"]] == [1, 2]
    assert app.run("sessions", "read", session, "--query", "x", "--max-tokens", "12001", "--local-only").status == 2
    missing = app.run("sessions", "read", "sess_00000000000000000000000000", "--query", "x", "--json")
    assert missing.status == 1 and missing.json["status"] == "not_found" and missing.json["source"] == "none"


def test_the_model_reads_a_session_that_the_person_names(app: Headless) -> None:
    first = app.ask("the staging port is 5433", app.script({"text": "noted"})).json["session_id"]
    call = {"id": "c1", "name": "ReadSessionContext", "input": {"sessionId": first, "query": "staging port"}}
    found = {"for": "distil", "text": "The staging port is 5433 [1]."}
    model = app.script({"tool_calls": [call]}, found, {"text": "5433"}, name="ref.json")
    done = app.ask(f"Which port did we use in #{first}?", model)
    assert done.status == 0 and done.json["tool_calls"][0]["status"] == "ok"
    assert "5433" in done.json["tool_calls"][0]["output"]
    body = json.dumps(app.requests()[-2]["body"]["messages"])
    assert first in body and "ReadSessionContext" in body


def test_damage_is_shown_with_everything_around_it(app: Headless) -> None:
    session = app.ask("one", app.script({"text": "two"})).json["session_id"]
    path = app.transcripts()[0]
    header, first, second = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(header + first + b"\0" * 400 + b"\n" + os.urandom(2_000).replace(b"\n", b"") + b"\n" + second)
    before = path.read_bytes()
    shown = app.run("sessions", "show", session)
    assert shown.status == 0 and "one" in shown.out and "two" in shown.out and "could not be read" in shown.err
    assert app.run("sessions", "read", session, "--query", "two", "--local-only", "--json").json["status"] == "success"
    assert path.read_bytes() == before


def test_a_transcript_of_which_nothing_is_left_promises_nothing(app: Headless) -> None:
    session = app.ask("one", app.script({"text": "two"})).json["session_id"]
    app.transcripts()[0].write_bytes(b"")
    read = app.run("sessions", "read", session, "--query", "one", "--local-only", "--json")
    assert (read.status, read.json["status"], read.json["source"]) == (1, "failed", "none")
    assert "1 place of this transcript could not be read, or only with doubt; nothing else is in it" in read.err


def test_two_processes_on_one_profile_and_workspace_work_side_by_side(app: Headless) -> None:
    model = app.script({"text": "fine", "chunk": 1, "delay_ms": 50}, name="both.json")
    children = [app.start("-p", f"question {i}", "--model", model) for i in range(3)]
    assert [child.wait(TIMEOUT_S) for child in children] == [0, 0, 0]
    for child in children:
        child.communicate()
    wait_for(lambda: len(app.transcripts()) == 3, what="three transcripts")
    assert len(app.run("sessions", "list", "--json").json["sessions"]) == 3


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupted_extraction_still_gives_the_answer_and_says_what_is_left(app: Headless, number: signal.Signals) -> None:
    slow = {"for": "extract", "text": "x" * 400, "chunk": 1, "delay_ms": 100}
    model = app.script({"text": "the answer"}, slow, name="slow.json")
    child = app.start("-p", "we always deploy on Fridays", "--model", model, "--output", "stream-json", "--memory-bench",
                      "--dump-requests", str(app.dumps))  # fmt: skip
    wait_for(lambda: bool(app.requests("extract")), timeout=TIMEOUT_S)
    child.send_signal(number)
    out, err = child.communicate(timeout=TIMEOUT_S)
    assert child.returncode == 130, err
    assert "Traceback" not in err
    result = json.loads(out.splitlines()[-1])
    assert (result["type"], result["text"], result["stop"]) == ("result", "the answer", "end")
    extraction = result["extraction"]
    assert (extraction["decision"], extraction["reason"], extraction["outcome"]) == ("run", None, "aborted")
    assert extraction["written"] == extraction["changes"] == extraction["proposed"] == []
    on = app.script({"text": "ok"}, {"for": "extract", "text": "nothing to save"}, name="on.json")
    again = app.ask("go on", on, "--resume", result["session_id"], "--memory-bench")
    assert again.json["extraction"]["outcome"] == "no-op"
    assert "we always deploy on Fridays" in json.dumps(app.requests("extract")[-1]["body"])


def test_a_damaged_transcript_is_resumed_and_the_damage_is_said(app: Headless) -> None:
    app.ask("first", app.script({"text": "one"}))
    [path] = app.transcripts()
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([lines[0], b"\0" * 400 + b"\n", *lines[1:]]))
    again = app.ask("second", app.script({"text": "two"}, name="two.json"), "--resume", f"#{path.stem}")
    assert again.status == 0
    assert "1 line of this transcript could not be read" in again.err
    assert path.stem in again.err
    sent = [part["text"] for message in app.requests()[-1]["body"]["messages"] for part in message["parts"]]
    assert sent == ["first", "one", "second"]


def test_a_session_of_an_endpoint_that_was_removed_names_the_way_out(app: Headless) -> None:
    settings = app.profile / "config" / "settings.json"
    settings.parent.mkdir(parents=True)
    endpoint = {"base_url": "http://127.0.0.1:9/v1", "models": ["q"]}
    settings.write_text(json.dumps({"model.endpoints": {"mine": endpoint}, "agent.retries": 0}), encoding="utf-8")
    assert app.ask("hi", "mine:q").status == 1
    settings.write_text("{}", encoding="utf-8")
    [path] = app.transcripts()
    again = app.run("-p", "go on", "--resume", path.stem)
    assert again.status == 2
    assert "mine:q" in again.err
    assert "--model" in again.err
    assert app.ask("go on", app.script({"text": "ok"}), "--resume", path.stem).status == 0


def test_a_fork_goes_on_and_leaves_the_session_as_it_is(app: Headless) -> None:
    first = app.ask("hi", app.script({"text": "one"}, name="one.json"))
    had = (app.transcripts()[0]).read_bytes()
    forked = app.ask("more", app.script({"text": "two"}, name="two.json"), "--resume", f"#{first.json['session_id']}", "--fork")
    assert forked.json["session_id"] != first.json["session_id"] and forked.json["text"] == "two"
    assert f"forked {first.json['session_id']} as {forked.json['session_id']}" in forked.err
    assert len(app.messages(forked.json["session_id"])) == 4 and len(app.messages(first.json["session_id"])) == 2
    assert next(path for path in app.transcripts() if path.stem == first.json["session_id"]).read_bytes() == had


def test_a_fork_of_nothing_is_refused(app: Headless) -> None:
    done = app.run("-p", "hi", "--fork", cwd=app.workspace)
    assert done.status == 2 and "--resume" in done.err


def test_the_last_exchange_is_taken_back_and_the_chat_exported(app: Headless) -> None:
    first = app.ask("hi", app.script({"text": "one"}, name="one.json"))
    session_id = first.json["session_id"]
    app.ask("more", app.script({"text": "two"}, name="two.json"), "--resume", session_id)
    assert app.run("-p", "/rewind", "--resume", session_id).status == 0
    assert app.run("-p", "/export md out.md", "--resume", session_id).status == 0
    exported = (app.workspace / "out.md").read_text()
    assert exported.count("one") == 1 and exported.rstrip().endswith("one")
    app.ask("another way", app.script({"text": "three"}, name="three.json"), "--resume", session_id)
    said = app.requests()[-1]["body"]["messages"]
    assert [text for _, text in texts({"messages": said})] == ["hi", "one", "another way"]


def test_a_hostile_session_is_shown_in_every_form_and_nothing_of_it_acts(app: Headless) -> None:
    """Secrets, signs for terminals, numbers that JSON does not know, deep values, a live end that is none: no form fails or leaks."""
    secret = "ghp_" + "a1B2" * 9
    session = app.ask(f"\x1b]0;own\x07 \u202egnp key {secret}", app.script({"text": "two"})).json["session_id"]
    path = app.transcripts()[0]
    now = datetime(2026, 1, 2, tzinfo=UTC)
    deep = '{"a":' * 300 + "1e999" + "}" * 300
    call = {"kind": "tool_call", "id": "c", "name": "X", "input": {"password": "hunter" + "2Xy!9", "deep": "@@"}}
    message = {"id": "odd", "role": "assistant", "time": "0001-01-01T00:00:00+23:59", "parts": [call]}
    line = encode(3, "message", message, now)[:-19].replace(b'"@@"', deep.encode())
    more = line + b',"crc":"%08x"}\n' % zlib.crc32(line) + encode(4, "meta", {"name": "leaf", "value": ["odd"]}, now)
    path.write_bytes(path.read_bytes() + more)
    forms = [("list",), ("list", "--json"), ("show", session), ("show", session, "--json"), ("export", session)]
    forms += [("export", session, "--json"), ("read", session, "--local-only"), ("search", "key", "--json")]
    for form in forms:
        done = app.run("sessions", *form)
        assert done.status == 0 and "Traceback" not in done.err, form
        assert secret not in done.out and "hunter2" not in done.out, form
        if "--json" in form:
            assert json.loads(done.out, parse_constant=lambda word: pytest.fail(word)) and "\u202e" not in done.out, form


def test_what_cannot_be_done_names_the_thing_and_the_way_out(app: Headless, tmp_path: Path) -> None:
    theirs = tmp_path / "theirs.md"
    theirs.write_text("## User\n\nhello there\n\n## Assistant\n\nhi\n", encoding="utf-8")
    imported = app.run("sessions", "import", str(theirs), "--json").json["sessions"][0]["id"]
    answers = [
        (("sessions", "list", "--limit", "0"), "--limit is 0", "from 1 on"),
        (("sessions", "export", imported, "/nowhere/x.md"), "There is no folder /nowhere", "another place"),
        (("-p", "/status", "--resume", imported), "belongs to another tool", "sessions show|read|export"),
        (("-p", "go on", "--resume", imported), "The folder of this session", "--workspace DIR"),
    ]
    for words, what, way in answers:
        done = app.run(*words)
        assert done.status == 2 and what in done.err and way in done.err, words
    went = app.run("-p", "go on", "--resume", imported, "--workspace", str(app.workspace), "--model", app.script({"text": "on it"}))
    assert went.status == 0 and "on it" in went.out
