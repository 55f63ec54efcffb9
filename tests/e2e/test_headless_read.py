"""`keepsake sessions read`: its shape, its exit codes, with and without a model, over sessions of ours and of another tool."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.headless import Headless
from tests.unit.sessions.test_foreign import transcript

KEYS = ["status", "source", "text", "citations", "chars", "tokens", "dropped"]


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


def test_the_shape_the_exit_codes_and_no_model_when_none_is_wanted(app: Headless) -> None:
    model = app.script({"text": "Noted: port 5433."}, name="talk.json")
    session = app.ask("我们决定使用端口5433", model).json["session_id"]
    distil = app.script({"for": "distil", "text": "The port is 5433 [1, 2] and [77]."}, name="distil.json")
    words = ("sessions", "read", f"#{session}", "--query", "端口 5433", "--json", "--model", distil)
    local = app.run(*words, "--local-only", "--max-tokens", "700")
    assert local.status == 0 and list(local.json) == KEYS
    assert (local.json["status"], local.json["source"], local.json["dropped"]) == ("success", "local", 0)
    assert [list(one) for one in local.json["citations"]] == [["message", "role", "time"]] * 2
    assert local.json["chars"] == len(local.json["text"]) and local.json["tokens"] <= 700
    lite = app.run(*words)
    assert lite.status == 0 and list(lite.json) == KEYS
    assert lite.json["source"] == "lite" and [one["message"] for one in lite.json["citations"]] == [1, 2]
    assert app.run(*words, "--local-only", "--max-tokens", "0").status == 2
    broken = next(path for path in app.transcripts() if path.stem == session)
    broken.write_bytes(b"\0" * 300)
    failed = app.run(*words, "--local-only")
    assert failed.status == 1 and (failed.json["status"], failed.json["source"]) == ("failed", "none")
    assert "could not be read" in failed.err


def test_a_session_of_another_tool_is_read_as_ours_are(app: Headless) -> None:
    path = transcript(app.root / "claude" / "one.jsonl", "one", "how do we deploy?", "with rsync, 每周一", "thanks", cwd=str(app.workspace))
    added = app.run("sessions", "import", str(path), "--json")
    assert added.status == 0, added.err
    session = added.json["sessions"][0]["id"]
    read = app.run("sessions", "read", session, "--query", "rsync", "--local-only", "--json")
    assert read.status == 0 and read.json["source"] == "local"
    assert [one["message"] for one in read.json["citations"]] == [2] and "每周一" in read.json["text"]
