"""How the real window ends: by signal, by its close button, by kill -9; in the middle of a stream, of a command and of an extraction."""

from __future__ import annotations

import signal
from collections.abc import Callable
from pathlib import Path

import psutil
import pytest

from tests.e2e.window import START_S, Desk, Window, soon, still_alive, terminate
from tests.helpers.script import call
from tests.helpers.wait import wait_for

SLOW = {"text": "word " * 400, "delay_ms": 40, "chunk": 10}
End = Callable[[Window], None]
WAYS: dict[str, End] = {"signal": terminate, "close": Window.ask_to_close}


@pytest.fixture(params=sorted(WAYS))
def end(request: pytest.FixtureRequest) -> End:
    return WAYS[request.param]


def _ended_well(desk: Desk, window: Window, end: End) -> None:
    """It is gone within 5 s with status 0, with every child, and said nothing on the way."""
    children = window.children()
    end(window)
    assert window.ended() == 0
    wait_for(lambda: not still_alive(children), timeout=1.0, what="the end of its children")
    assert "Traceback" not in window.errors()
    assert "did not" not in desk.log(), "a step of the end did not come to its own end"


def _stop(desk: Desk) -> str:
    """How the last answer in the transcript ended."""
    answers = [one["message"] for one in desk.records() if one["kind"] == "message" and one["message"]["role"] == "assistant"]
    return str(answers[-1]["stop"])


def test_during_a_stream(desk: Desk, end: End) -> None:
    window = desk.open(desk.headless.script(SLOW))
    desk.send(window, "Tell me a long story")
    wait_for(desk.streaming, what="a slow answer")
    _ended_well(desk, window, end)
    assert desk.texts("assistant")[0].startswith("word word") and _stop(desk) == "interrupted"


def test_during_a_command(desk: Desk, end: End) -> None:
    started = desk.folder / "pid.txt"
    command = "echo $$ > pid.txt; sleep 300 & sleep 300"
    window = desk.open(desk.headless.script({"tool_calls": [call("Bash", command=command)]}, {"text": "never"}), listen=True)
    desk.send(window, "Run it, please")
    desk.allow(window, lambda: started.exists() and started.read_text().strip().isdigit())
    wait_for(lambda: len(psutil.Process(int(started.read_text())).children()) == 2, what="what the command started")
    shell = psutil.Process(int(started.read_text()))
    running = [shell, *shell.children(recursive=True)]
    _ended_well(desk, window, end)
    wait_for(lambda: not still_alive(running), timeout=1.0, what="the end of the command")
    assert [result["status"] for result in desk.results()] == ["interrupted"]


def test_during_an_extraction(desk: Desk, end: End) -> None:
    slow = {"for": "extract", "text": "Nothing to keep. " * 100, "delay_ms": 100, "chunk": 1}
    window = desk.open(desk.headless.script({"text": "Good."}, slow))
    desk.send(window, "I always write commit messages in English")
    wait_for(lambda: desk.asked("extract") == 1, what="the extraction")
    _ended_well(desk, window, end)
    assert desk.metas("extraction_cursor") == []
    assert list(desk.memory.glob("*.md")) == []


def test_during_an_open_question(desk: Desk) -> None:
    window = desk.open(desk.headless.script({"tool_calls": [call("Bash", command="touch never.txt")]}, {"text": "never"}))
    desk.send(window, "Run it, please")
    wait_for(lambda: len(desk.texts("assistant")) == 1, what="the call")
    _ended_well(desk, window, Window.ask_to_close)
    assert not (desk.folder / "never.txt").exists()
    assert [result["status"] for result in desk.results()] == ["interrupted"]


def _drafts(desk: Desk) -> list[str]:
    return [path.read_text(encoding="utf-8") for path in sorted((desk.paths.state / "drafts").glob("*.txt"))]


def test_kill_9_loses_at_most_two_seconds_of_typing(desk: Desk) -> None:
    """The draft, the session, the folder and the arrangement come back; the transcript is whole."""
    model = desk.headless.script({"text": "Hello."}, name="first.json")
    window = desk.open(model)
    window.key("ctrl+b")
    desk.send(window, "Good morning to you")
    wait_for(lambda: desk.texts("assistant") == ["Hello."], what="the answer")
    draft = "This is what I was about to say."
    window.compose(draft)
    wait_for(lambda: _drafts(desk) == [draft], timeout=2.0, what="the draft on disk")
    wait_for(lambda: desk.window_state()["layout"]["side_visible"] is False, what="the arrangement on disk")
    window.kill()

    lines = desk.headless.transcripts()[0].read_bytes()
    assert lines.endswith(b"}\n") and len(desk.records()) == lines.count(b"\n")

    again = desk.headless.script({"text": "I see."}, name="again.json")
    window = desk.launch("--model", again, "--dump-requests", str(desk.headless.dumps)).shown(f"{desk.folder.name} – Keepsake")

    def sent() -> bool:
        window.key("ctrl+l", "Return")
        return desk.texts("user")[-1:] == [draft]

    wait_for(sent, timeout=START_S, what="the draft in the composer")
    wait_for(lambda: desk.texts("assistant") == ["Hello.", "I see."], what="the next answer in the same session")
    assert len(desk.headless.transcripts()) == 1 and "Good morning to you" in desk.bodies()[-1]
    wait_for(lambda: _drafts(desk) == [], what="the end of the draft")
    terminate(window)
    assert window.ended() == 0
    assert desk.window_state()["layout"]["side_visible"] is False


def test_kill_9_in_the_middle_of_an_answer(desk: Desk) -> None:
    window = desk.open(desk.headless.script(SLOW, name="first.json"))
    desk.send(window, "Tell me a long story")
    wait_for(desk.streaming, what="a slow answer")
    wait_for(lambda: desk.window_state()["folders"][str(desk.folder)]["session_id"] != "", what="the session in the window's state")
    window.kill()
    assert desk.texts("user") == ["Tell me a long story"]

    window = desk.open(desk.headless.script({"text": "Where were we?"}, name="again.json"))
    desk.send(window, "Go on from there")
    wait_for(lambda: desk.texts("assistant")[-1:] == ["Where were we?"], what="the answer after the crash")
    assert len(desk.headless.transcripts()) == 1


@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGHUP])
def test_other_signals(desk: Desk, number: signal.Signals) -> None:
    window = desk.open(desk.headless.script({"text": "Hello."}))
    window.process.send_signal(number)
    assert window.ended() == 0


@pytest.mark.parametrize("end", [terminate, Window.kill], ids=["signal", "kill-9"])
def test_unsaved_text_of_a_memory_is_not_lost(desk: Desk, end: End) -> None:
    """Nobody is asked: what was typed into a memory and not saved is kept as a draft, beside the file, and shown again."""
    desk.headless.run("memory", "on", "--workspace", str(desk.folder))
    note: Path = desk.memory / "colour.md"
    note.write_text("---\nname: colour\ndescription: A colour\nmetadata:\n  type: user\n---\n\nBlue.\n", encoding="utf-8")
    before = note.read_text(encoding="utf-8")
    window = desk.open(desk.headless.script())
    drafts = desk.paths.state / "tab-drafts.json"

    def typed() -> bool:
        window.key("ctrl+shift+m", "Home", "Down", "Down", "Return", "ctrl+End")
        window.type("Unsaved words.")
        return soon(lambda: drafts.is_file() and "Unsaved words." in drafts.read_text(encoding="utf-8"), timeout=3.0)

    wait_for(typed, timeout=START_S, what="the draft on disk")
    end(window)
    window.ended()
    assert note.read_text(encoding="utf-8") == before and "Unsaved words." in drafts.read_text(encoding="utf-8")

    window = desk.open(desk.headless.script(), listen=True)

    def saved() -> bool:
        window.key("ctrl+shift+m", "Home", "Down", "Down", "Return", "ctrl+s")
        return soon(lambda: "Unsaved words." in note.read_text(encoding="utf-8"))

    wait_for(saved, timeout=START_S, what="the draft in the editor again")
