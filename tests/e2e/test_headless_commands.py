"""`keepsake -p "/…"` in real processes: no model needed, the shape of the JSON kept, and says by its status how it went."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.headless import Headless


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    """No model is installed here, and none is named."""
    return Headless(tmp_path, environ={"HOME": str(tmp_path), "XDG_DATA_HOME": str(tmp_path / "data")})


SHAPE = {"session_id", "workspace", "model", "text", "stop", "tool_calls", "usage", "memory"}


def test_remember_recall_forget_and_memory_without_any_model(app: Headless) -> None:
    first = app.run("-p", "/memory")
    assert (first.status, first.err) == (0, "")
    assert "Memory is on" in first.out
    assert "nothing is remembered here yet" in first.out

    saved = app.run("-p", "/remember 港口起重机每周五检查", "--output", "json")
    assert saved.status == 0
    assert saved.json.keys() >= SHAPE
    (path,) = saved.json["memory"]["saved"]
    root = Path(saved.json["memory"]["root"])
    assert "港口起重机每周五检查" in (root / path).read_text()
    assert (saved.json["stop"], saved.json["tool_calls"], saved.json["usage"]["input_tokens"]) == ("end", [], 0)

    assert path in app.run("-p", "/recall 起重机", "--dump-requests", str(app.dumps)).out
    assert app.requests() == []

    gone = app.run("-p", f"/forget {path}", "--output", "stream-json")
    assert gone.json["type"] == "result"
    assert gone.json["command"]["data"]["deleted"] == [path]
    assert not (root / path).exists()
    assert path not in (root / "MEMORY.md").read_text()
    assert app.transcripts() == []


def test_a_choice_is_numbered_and_the_status_says_that_nobody_made_it(app: Headless) -> None:
    for place in ("amber", "cobalt"):
        assert app.run("-p", f"/remember Berth {place} is kept for the {place} ferry").status == 0
    asked = app.run("-p", "/forget berth")
    assert asked.status == 3
    assert "1. " in asked.out
    assert "2. " in asked.out
    command = next(word for word in asked.out.split("`") if word.startswith("/forget "))
    assert app.run("-p", command).status == 0


def test_what_is_not_done_is_said_on_standard_error(app: Headless) -> None:
    secret = "ghp_" + "aB3dE5fG7h" * 4
    refused = app.run("-p", f"/remember the token is {secret}")
    assert (refused.status, refused.out) == (1, "")
    assert "secret" in refused.err
    assert secret not in refused.err
    index = app.run("-p", "/forget MEMORY.md")
    assert index.status == 1
    assert "index" in index.err
    hidden = app.run("-p", "/remember We use bun", "--incognito")
    assert hidden.status == 1
    assert "incognito" in hidden.err


@pytest.mark.parametrize(("text", "word"), [("/memroy", "/memory"), ("/new", "window")])
def test_a_mistyped_command_and_one_of_the_window_are_wrong_use(app: Headless, text: str, word: str) -> None:
    done = app.run("-p", text)
    assert (done.status, done.out) == (2, "")
    assert word in done.err


def test_a_path_is_an_ordinary_message(app: Headless) -> None:
    done = app.ask("/etc/hosts is wrong", app.script({"text": "I see."}))
    assert (done.status, done.json["text"]) == (0, "I see.")
    assert "/etc/hosts is wrong" in app.last_body()


def test_what_is_piped_belongs_to_a_command_that_takes_text(app: Headless) -> None:
    done = app.run("-p", "/remember", "--output", "json", stdin="The harbour crane is inspected on Fridays\n")
    assert done.status == 0
    assert len(done.json["memory"]["saved"]) == 1
    assert app.run("-p", "/memory", stdin="something else\n").status == 0


def test_status_and_context_of_a_stored_session(app: Headless) -> None:
    talked = app.ask("hello", app.script({"text": "Hello", "usage": {"input_tokens": 1200, "output_tokens": 34}}))
    session_id = talked.json["session_id"]
    status = app.run("-p", "/status", "--resume", session_id, "--output", "json")
    assert status.status == 0
    assert status.json["session_id"] == session_id
    assert status.json["command"]["data"]["usage"]["input_tokens"] == 1200
    context = app.run("-p", "/context", "--resume", session_id)
    assert context.status == 0
    lines = [line for line in context.out.splitlines() if line.startswith("|")]
    assert len({len(line) for line in lines}) == 1, "the columns stand one below the other"
    assert len(app.messages(session_id)) == 2, "nothing was added"
