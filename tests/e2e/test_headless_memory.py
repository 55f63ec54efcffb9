"""Memory over real processes: remembered, known by the next one, delta within a session, and off by each switch, proven on the requests."""

from __future__ import annotations

import json
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from tests.e2e.headless import Headless, note_call

DEPLOYMENTS = "Deployments happen on Tuesdays."


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


def root_of(app: Headless) -> Path:
    listed = app.run("memory", "list", "--json")
    assert listed.status == 0
    return Path(listed.json["root"])


def remember(app: Headless, name: str = "package-manager", body: str = "We use bun, never npm.") -> str:
    """A turn that stores a memory; gives the session's id."""
    model = app.script({"tool_calls": [note_call(name, root_of(app), body)]}, {"text": "Noted."}, name="remember.json")
    done = app.ask("Remember: our package manager is bun", model)
    assert done.status == 0
    assert done.json["memory"]["saved"] == [f"{name}.md"]
    return str(done.json["session_id"])


def test_remembered_on_disk_and_known_by_the_next_process(app: Headless) -> None:
    remember(app)
    root = root_of(app)
    text = (root / "package-manager.md").read_text()
    assert text.startswith("---\n") and "originSessionId: sess_" in text and "We use bun, never npm." in text
    index = (root / "MEMORY.md").read_text()
    assert index.count("package-manager.md") == 1

    answer = app.ask("Which package manager do we use?", app.script({"text": "bun"}, name="ask.json"))
    assert answer.status == 0 and answer.json["text"] == "bun"
    assert answer.json["memory"]["loaded"]["entries"] == 1
    messages = app.requests()[-1]["body"]["messages"]
    assert index.strip() in "".join(part["text"] for message in messages for part in message["parts"] if part["kind"] == "text")


def test_the_result_names_what_was_recalled_in_the_turn(app: Headless) -> None:
    remember(app)
    root = root_of(app)
    (root / "zebra.md").write_text("---\nname: zebra\ndescription: zebra crossing\n---\n\nStripes.\n")
    ask = {"tool_calls": [{"name": "Glob", "input": {"pattern": "*"}}], "delay_ms": 300}
    select = {"for": "select", "text": json.dumps({"files": ["zebra.md"]})}
    done = app.ask("Which package manager do we use?", app.script(ask, {"text": "bun"}, select, name="ask.json"))
    assert sorted(done.json["memory"]["recalled"]) == ["package-manager.md", "zebra.md"] and done.json["memory"]["saved"] == []
    again = app.ask("Thanks", app.script({"text": "ok"}, name="ok.json"), "--resume", done.json["session_id"])
    assert again.json["memory"]["recalled"] == [], "what was recalled earlier is not recalled again"


def test_writing_in_memory_never_asks_in_no_mode(app: Headless) -> None:
    facts = {"default": "We use bun.", "accept-edits": "Deployments happen on Tuesdays.", "plan": "数据库是 postgres，端口 5433。"}
    for mode, fact in facts.items():
        model = app.script({"tool_calls": [note_call(f"note-{mode}", root_of(app), fact)]}, {"text": "ok"}, name=f"{mode}.json")
        done = app.ask("Remember this", model, "--permission-mode", mode)
        assert (done.status, done.json["memory"]["saved"]) == (0, [f"note-{mode}.md"])


def test_what_was_written_since_reaches_the_next_turn_of_a_resumed_session(app: Headless) -> None:
    first = app.ask("hello", app.script({"text": "hi"}, name="first.json"))
    remember(app)
    again = app.ask("and now?", app.script({"text": "bun"}, name="again.json"), "--resume", first.json["session_id"])
    assert again.status == 0
    assert "package-manager.md" in app.last_body()


# --- off ---------------------------------------------------------------------------------------------------------------


def setting(key: str) -> Callable[[Headless], None]:
    def off(app: Headless) -> None:
        file = app.profile / "config" / "settings.json"
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps({key: False}))

    return off


def environment(name: str) -> Callable[[Headless], None]:
    return lambda app: app.environ.update({name: "1"})


def workspace_switch(app: Headless) -> None:
    assert app.run("memory", "off").status == 0


def workspace_settings(app: Headless) -> None:
    file = app.workspace / ".keepsake" / "settings.json"
    file.parent.mkdir()
    file.write_text('{"memory.use": false}')


SWITCHES = {
    "features.memory": setting("features.memory"),
    "memory.use": setting("memory.use"),
    "workspace-switch": workspace_switch,
    "workspace-settings": workspace_settings,
    "KEEPSAKE_DISABLE_MEMORY": environment("KEEPSAKE_DISABLE_MEMORY"),
    "KEEPSAKE_SIMPLE": environment("KEEPSAKE_SIMPLE"),
}


def assert_nothing_of_memory(body: dict[str, Any], root: Path) -> None:
    """Neither the place, nor the index, nor what is in it; and no rules: system text and messages have no word about memory."""
    text = json.dumps(body, ensure_ascii=False)
    assert str(root) not in text and "package-manager" not in text and "bun" not in text
    assert "memor" not in json.dumps([body["system"], body["messages"]], ensure_ascii=False).lower()


@pytest.mark.parametrize("switch", sorted(SWITCHES))
def test_off_means_nothing_read_nothing_sent_nothing_written(app: Headless, switch: str) -> None:
    remember(app)
    root = root_of(app)
    before = {path: path.read_bytes() for path in root.rglob("*") if path.is_file()}
    SWITCHES[switch](app)
    model = app.script({"tool_calls": [note_call("secret-note", root)]}, {"text": "done"}, name="off.json")
    done = app.ask("What do you know?", model)
    assert done.json["memory"]["enabled"] is False
    assert done.json["memory"]["saved"] == [] and done.json["memory"]["root"] == str(root)
    assert done.json["tool_calls"][0]["status"] == "denied"
    assert_nothing_of_memory(app.requests()[-2]["body"], root)
    assert {path: path.read_bytes() for path in root.rglob("*") if path.is_file()} == before
    listed = app.run("memory", "list", "--json").json
    assert listed["enabled"] is False and listed["root"] == str(root) and len(listed["notes"]) == 1


def test_a_session_that_began_without_memory_stays_without(app: Headless) -> None:
    remember(app)
    assert app.run("memory", "off").status == 0
    first = app.ask("hello", app.script({"text": "hi"}, name="first.json"))
    assert app.run("memory", "on").status == 0
    again = app.ask("and now?", app.script({"text": "hi"}, name="again.json"), "--resume", first.json["session_id"])
    assert again.json["memory"]["enabled"] is False
    assert_nothing_of_memory(app.requests()[-1]["body"], root_of(app))
    fresh = app.ask("hello", app.script({"text": "hi"}, name="fresh.json"))
    assert fresh.json["memory"]["enabled"] is True


def test_a_switch_that_is_turned_off_holds_for_a_resumed_session_too(app: Headless) -> None:
    session = remember(app)
    assert app.run("memory", "off").status == 0
    again = app.ask("and now?", app.script({"text": "hi"}, name="again.json"), "--resume", session)
    assert again.json["memory"]["enabled"] is False
    body = json.dumps(app.requests()[-1]["body"], ensure_ascii=False)
    assert str(root_of(app)) not in body and "package-manager" not in body, "calls of before, while memory was on, are not sent either"
    assert "our package manager is bun" in body, "what the person said is"
    kept = json.dumps(list(app.messages(session)), ensure_ascii=False)
    assert str(root_of(app)) in kept and "package-manager.md" in kept, "the transcript keeps everything"


def test_the_variable_0_beats_simple_mode_but_no_switch(app: Headless) -> None:
    app.environ |= {"KEEPSAKE_SIMPLE": "1", "KEEPSAKE_DISABLE_MEMORY": "0"}
    assert app.run("memory", "list", "--json").json["enabled"] is True
    setting("memory.use")(app)
    assert app.run("memory", "list", "--json").json["enabled"] is False


def test_writing_off_still_reads(app: Headless) -> None:
    remember(app)
    setting("memory.write")(app)
    model = app.script({"tool_calls": [note_call("another", root_of(app), "Deploy on Tuesdays.")]}, {"text": "could not"}, name="off.json")
    done = app.ask("Remember more", model)
    assert done.json["memory"]["enabled"] is True and done.json["memory"]["saved"] == []
    assert done.json["memory"]["loaded"]["entries"] == 1
    assert done.json["tool_calls"][0]["status"] in ("denied", "error")
    assert not (root_of(app) / "another.md").exists()


# --- broken settings -----------------------------------------------------------------------------------------------------


def test_broken_settings_are_kept_said_and_stop_writing_until_the_person_decides(app: Headless) -> None:
    remember(app)
    file = app.profile / "config" / "settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text("{broken")
    model = app.script({"tool_calls": [note_call("another", root_of(app), DEPLOYMENTS)]}, {"text": "no"}, name="broken.json")
    assert [p.read_text() for p in file.parent.glob("settings.json.broken-*")] == ["{broken"]
    done = app.ask("Remember more", model)
    assert done.json["memory"]["saved"] == [] and "settings.json" in done.err
    report = app.run("doctor", "--json")
    assert report.status == 1 and any("settings.json" in problem for problem in report.json["problems"])
    app.run("doctor", "--accept-settings", "--json")
    model = app.script({"tool_calls": [note_call("another", root_of(app), DEPLOYMENTS)]}, {"text": "ok"}, name="mended.json")
    assert app.ask("Remember more", model).json["memory"]["saved"] == ["another.md"]


# --- the subcommands -------------------------------------------------------------------------------------------------------


def test_memory_list_show_and_undo(app: Headless) -> None:
    remember(app)
    listed = app.run("memory", "list", "--json", "--workspace", str(app.workspace)).json
    assert {"root", "enabled", "notes", "index"} <= set(listed)
    assert set(listed["index"]) == {"lines", "bytes", "tokens", "truncated"}
    note = listed["notes"][0]
    assert note["path"] == "package-manager.md" and note["type"] == "project" and note["problem"] is None
    assert note["modified"].endswith("Z")
    for name in ("package-manager.md", "package-manager"):
        assert "We use bun" in app.run("memory", "show", name).out
    assert "package-manager.md" in app.run("memory", "show").out
    missing = app.run("memory", "show", "nothing")
    assert missing.status == 1 and missing.out == "" and "nothing" in missing.err
    assert app.run("memory", "undo", "--json").json["change"]["path"] == "package-manager.md"
    assert app.run("memory", "list", "--json").json["notes"] == []


def test_a_fresh_workspace_lists_its_root_and_nothing_else(app: Headless) -> None:
    listed = app.run("memory", "list", "--json").json
    assert Path(listed["root"]).is_absolute() and listed["notes"] == [] and listed["enabled"] is True


def test_extraction_runs_only_when_asked_for_and_is_waited_for(app: Headless) -> None:
    root = root_of(app)
    model = app.script(
        {"text": "Understood."},
        {"for": "extract", "tool_calls": [note_call("database", root, "The database is postgres on port 5433.")]},
        {"for": "extract", "text": "done"},
        name="bench.json",
    )
    prompt = "Our database is postgres and it listens on port 5433, as we decided today."
    plain = app.ask(prompt, app.script({"text": "Understood."}, name="plain.json"))
    assert "extraction" not in plain.json and app.requests("extract") == []
    done = app.ask(prompt, model, "--memory-bench")
    assert done.json["extraction"]["decision"] == "run" and done.json["extraction"]["outcome"] == "success"
    assert done.json["extraction"]["written"] == ["database.md"]
    assert (root / "database.md").exists()


def test_folders_without_git_stay_apart_and_keep_their_sessions_when_git_comes_and_goes(app: Headless, tmp_path: Path) -> None:
    folders = [tmp_path / "t" / name for name in ("a", "b")]
    for folder in folders:
        folder.mkdir(parents=True)
        assert app.ask("hello", app.script({"text": "hi"}), "--workspace", str(folder)).status == 0

    def sessions(folder: Path) -> list[str]:
        listed = app.run("sessions", "list", "--workspace", str(folder), "--json").json["sessions"]
        return [session["workspace"] for session in listed]

    def complete() -> bool:
        return all(sessions(folder) == [str(folder)] for folder in folders)

    assert complete()
    if shutil.which("git"):
        subprocess.run(["git", "init", "-q", str(folders[0])], check=True)
        assert complete()
        shutil.rmtree(folders[0] / ".git")
        assert complete()


def test_a_broken_project_file_is_said_and_stops_writing_until_the_switch_is_set(app: Headless) -> None:
    root = root_of(app)
    file = root.parent / "project.json"
    file.write_text('{"schema": 1, "lab', encoding="utf-8")
    model = app.script({"tool_calls": [note_call("bun", root)]}, {"text": "ok"})
    done = app.ask("Remember: we use bun", model)
    assert done.json["memory"]["saved"] == []
    assert str(file) in done.err
    assert app.run("memory", "on").status == 0
    assert app.ask("Remember: we use bun", model).json["memory"]["saved"] == ["bun.md"]


def test_memory_that_cannot_be_read_is_an_error_and_no_empty_list(app: Headless) -> None:
    root = root_of(app)
    root.rmdir()
    root.write_text("a file in the folder's place", encoding="utf-8")
    listed = app.run("memory", "list", "--json")
    assert (listed.status, listed.out) == (1, "")
    assert str(root) in listed.err
    assert app.ask("hi", app.script({"text": "ok"})).status == 0
