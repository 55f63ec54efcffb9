"""The real window in use: a person types, the agent answers, remembers, asks and is stopped. Everything is proven on disk."""

from __future__ import annotations

from desktop.memory.identity import read_project_file
from tests.e2e.headless import note_call
from tests.e2e.window import START_S, Desk, Window, soon
from tests.helpers.script import call
from tests.helpers.wait import wait_for

_MARK = "heliotrope"
SLOW = {"text": "word " * 400, "delay_ms": 40, "chunk": 10}


def test_a_message_and_its_answer_are_in_the_transcript(desk: Desk) -> None:
    window = desk.open(desk.headless.script({"text": "Hello, 你好."}, {"text": "Again."}))
    desk.send(window, "Good morning to you")
    wait_for(lambda: desk.texts("assistant") == ["Hello, 你好."], what="the answer")
    desk.send(window, "And once more")
    wait_for(lambda: desk.texts("assistant") == ["Hello, 你好.", "Again."], what="the second answer")
    assert desk.texts("user") == ["Good morning to you", "And once more"]
    assert len(desk.headless.transcripts()) == 1
    assert desk.metas("memory_enabled") in ([], [True])
    window.ask_to_close()
    assert (window.ended(), window.errors()) == (0, "")


def test_remembered_on_disk_and_told_in_the_next_turn(desk: Desk) -> None:
    write = {"tool_calls": [note_call("package-manager", desk.memory, "We use bun, never npm.")]}
    window = desk.open(desk.headless.script(write, {"text": "Saved."}, {"text": "bun"}))
    desk.send(window, "Remember: we use bun")
    wait_for(lambda: desk.texts("assistant")[-1:] == ["Saved."], what="the end of the turn")
    note = (desk.memory / "package-manager.md").read_text(encoding="utf-8")
    assert "We use bun, never npm." in note and "originSessionId: sess_" in note
    assert (desk.memory / "MEMORY.md").read_text(encoding="utf-8").count("(package-manager.md)") == 1

    desk.send(window, "Which package manager do we use?")
    wait_for(lambda: desk.texts("assistant")[-1:] == ["bun"], what="the second answer")
    first, *_, last = desk.bodies()
    assert "(package-manager.md)" not in first
    assert "(package-manager.md)" in last


def test_a_command_runs_only_when_it_is_allowed(desk: Desk) -> None:
    allowed, denied = desk.folder / "allowed.txt", desk.folder / "denied.txt"
    window = desk.open(
        desk.headless.script(
            {"tool_calls": [call("Bash", command="echo yes > allowed.txt")]},
            {"text": "Done."},
            {"tool_calls": [call("Bash", command="echo yes > denied.txt")]},
            {"text": "Then not."},
        ),
        listen=True,
    )
    desk.send(window, "Please make the file")
    wait_for(lambda: len(desk.texts("assistant")) == 1, what="the call in the transcript")
    assert not allowed.exists() and desk.results() == []
    desk.allow(window, lambda: desk.texts("assistant")[-1:] == ["Done."])
    assert allowed.read_text() == "yes\n"

    desk.send(window, "And the other one")
    wait_for(lambda: len(desk.texts("assistant")) == 3, what="the second call")
    desk.deny(window, "not today", lambda: desk.texts("assistant")[-1:] == ["Then not."], number=2)
    assert not denied.exists()
    assert [result["status"] for result in desk.results()] == ["ok", "denied"]
    assert "not today" in desk.bodies()[-1]


def test_esc_stops_a_slow_answer_and_what_came_is_kept(desk: Desk) -> None:
    window = desk.open(desk.headless.script(SLOW, {"text": "Here I am."}))
    desk.send(window, "Tell me a long story")
    wait_for(desk.streaming, what="a slow answer")
    window.key("Escape")
    wait_for(lambda: len(desk.texts("assistant")) == 1, what="the partial answer")
    (partial,) = desk.texts("assistant")
    assert partial.startswith("word word") and len(partial) < len(str(SLOW["text"]))
    assert [one["message"]["stop"] for one in desk.records() if one["kind"] == "message" and one["message"]["role"] == "assistant"] == [
        "interrupted"
    ]
    desk.send(window, "Are you still there?")
    wait_for(lambda: desk.texts("assistant")[-1:] == ["Here I am."], what="the next answer")


def _flip_switch(window: Window, desk: Desk) -> None:
    """By keyboard: open the settings, find the switch, reach it with Tab, press it. A second try begins in the search field again."""

    def pressed() -> bool:
        window.key("ctrl+comma", "ctrl+a")
        window.type("workspace memory switch")
        window.key("Tab", "space")
        return soon(lambda: read_project_file(desk.project).switch is False, timeout=10.0)

    wait_for(pressed, timeout=START_S, what="the switch in project.json")


def test_memory_switched_off_on_the_settings_page_is_off_for_new_chats(desk: Desk) -> None:
    note = f"---\nname: colour\ndescription: The {_MARK} colour\nmetadata:\n  type: user\n---\n\nIt is {_MARK}.\n"
    desk.headless.run("memory", "on", "--workspace", str(desk.folder))
    (desk.memory / "colour.md").write_text(note, encoding="utf-8")
    (desk.memory / "MEMORY.md").write_text(f"- [colour](colour.md): The {_MARK} colour\n", encoding="utf-8")
    refused = {"tool_calls": [note_call("another", desk.memory, "A fact.")]}
    window = desk.open(desk.headless.script({"text": "With."}, refused, {"text": "Without."}))
    desk.send(window, "What do you know?")
    wait_for(lambda: desk.texts("assistant") == ["With."], what="the first answer")
    assert _MARK in desk.bodies()[0]

    _flip_switch(window, desk)
    window.key("ctrl+n")
    desk.send(window, "And what do you know now?")
    wait_for(lambda: "Without." in desk.texts("assistant"), timeout=10.0, what="an answer in a second session")
    assert len(desk.headless.transcripts()) == 2
    assert [result["status"] for result in desk.results()] == ["denied"], "refused without a question"
    for body in desk.bodies()[1:]:
        assert _MARK not in body and str(desk.memory) not in body.replace(str(desk.memory / "another.md"), "")
        assert "MEMORY.md" not in body
    assert not (desk.memory / "another.md").exists()
    headers = [record["session"]["memory_enabled"] for record in desk.records() if record["kind"] == "session"]
    assert sorted(headers) == [False, True]
    assert (desk.memory / "colour.md").read_text(encoding="utf-8") == note
