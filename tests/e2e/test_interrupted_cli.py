"""A killed process's session in the terminal: it is said where it stopped and that the answer was recovered, as text and as JSON."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.headless import TIMEOUT_S, Headless
from tests.e2e.test_headless_sessions import started, unfinished
from tests.helpers.wait import wait_for


def test_a_killed_answer_is_shown_and_said_before_and_after_it_is_taken_up(tmp_path: Path) -> None:
    app = Headless(tmp_path)
    child, session = started(app)
    transcript = next(path for path in app.transcripts() if path.stem == session)
    wait_for(lambda: any(b"word" in path.read_bytes() for path in transcript.parent.glob("*.running")), what="the kept answer")
    while_running = app.run("sessions", "show", session, "--json")
    assert while_running.json["interruption"] is None  # another process is at it
    child.kill()
    child.communicate(timeout=TIMEOUT_S)
    before = transcript.read_bytes()

    shown = app.run("sessions", "show", session, "--json").json
    assert shown["interruption"] == {"where": "answer", "crashed": True, "calls": []}
    assert "word" in shown["recovered"]["parts"][0]["text"]
    plain = app.run("sessions", "show", session)
    assert "word" in plain.out
    assert "Keepsake ended in the middle of the last answer" in plain.err
    assert transcript.read_bytes() == before  # looking changes nothing

    on = app.ask("go on", app.script({"text": "went on"}, name="on.json"), "--resume", session)
    assert (on.status, on.json["text"]) == (0, "went on")
    assert on.json["interruption"] == {"where": "answer", "crashed": True, "calls": []}
    assert "Keepsake ended in the middle of the last answer" in on.err
    again = app.ask("and on", app.script({"text": "fine"}, name="again.json"), "--resume", session)
    assert again.json["interruption"] is None  # said once
    assert "Keepsake ended" not in again.err
    whole = app.run("sessions", "show", session, "--json").json
    assert (whole["interruption"], whole["recovered"]) == (None, None)


def test_calls_that_never_ended_are_named(tmp_path: Path) -> None:
    app = Headless(tmp_path)
    path = unfinished(app)
    shown = app.run("sessions", "show", path.stem)
    assert "calls ran; they count as interrupted (Glob)" in shown.err
    on = app.ask("weiter 继续", app.script({"text": "好"}, name="on.json"), "--resume", path.stem)
    assert on.json["interruption"] == {"where": "calls", "crashed": True, "calls": ["Glob"]}


def test_a_new_session_has_no_such_key(tmp_path: Path) -> None:
    app = Headless(tmp_path)
    assert "interruption" not in app.ask("hi", app.script({"text": "one"})).json
