"""The command line as values."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import UsageError
from desktop.cli.arguments import checked_folder, folder_of, parse


def values(*words: str) -> dict[str, Any]:
    return vars(parse(words))


@pytest.mark.parametrize(
    ("words", "command", "expected"),
    [
        ((), "window", {"workspace": None, "prompt": None}),
        (("/tmp",), "window", {"workspace": "/tmp"}),
        (("--workspace", "/tmp", "--exit-after-paint"), "window", {"workspace": "/tmp", "exit_after_paint": True}),
        (("--", "memory"), "window", {"folder": "memory"}),
        (("./memory",), "window", {"folder": "./memory"}),
        (("-p", "hi"), "prompt", {"prompt": "hi", "output": "text"}),
        (("-p", "--not-an-option"), "prompt", {"prompt": "--not-an-option"}),
        (("-p", "memory"), "prompt", {"prompt": "memory"}),
        (("-p", "-"), "prompt", {"prompt": "-"}),
        (("-p",), "prompt", {"prompt": "-"}),
        (("-p", "--output", "json"), "prompt", {"prompt": "-", "output": "json"}),
        (("-p", "--model=x:y"), "prompt", {"prompt": "-", "model": "x:y"}),
        (("--print=hi", "--allow-write"), "prompt", {"prompt": "hi", "allow_write": True}),
        (("--print", "hi", "/tmp"), "prompt", {"prompt": "hi", "workspace": "/tmp"}),
        (("memory", "list", "--json"), "memory", {"action": "list", "json": True, "model": None}),
        (("--model", "memory", "memory", "on"), "memory", {"action": "on", "model": "memory"}),
        (("--log-filter", "agent", "sessions", "read", "sess_x", "--query", "q"), "sessions", {"session": "sess_x", "log_filter": "agent"}),
        (("sessions", "read", "sess_x", "--query", "--why?"[2:], "--max-tokens", "9"), "sessions", {"max_tokens": 9, "query": "why?"}),
        (("models", "fetch", "--if-missing", "--model", "m"), "models", {"if_missing": True, "name": None, "model": "m"}),
        (("doctor", "--json"), "doctor", {"json": True}),
    ],
)
def test_commands(words: tuple[str, ...], command: str, expected: dict[str, Any]) -> None:
    found = values(*words)
    assert found["command"] == command
    assert {key: found[key] for key in expected} == expected


@pytest.mark.parametrize("place", [0, 1, 2])
def test_globals_stand_anywhere(place: int) -> None:
    words = ["memory", "list"]
    words[place:place] = ["--profile-dir", "/p"]
    assert values(*words)["profile_dir"] == "/p"


def test_relative_folders_are_joined_to_the_current_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    found = values("--dump-requests", "b/c", "--workspace", ".")
    assert (found["dump_requests"], found["workspace"]) == (str(tmp_path / "b/c"), str(tmp_path))
    assert folder_of(parse(["memory", "list"])) == tmp_path


@pytest.mark.parametrize(
    ("words", "named"),
    [
        (("--modle", "x"), "--modle"),
        (("--mod", "x"), "--mod"),
        (("-p", "x", "--output", "yaml"), "yaml"),
        (("memory",), "ACTION"),
        (("memory", "list", "extra"), "extra"),
        (("a", "b"), "b"),
        (("a", "--workspace", "b"), "--workspace"),
        (("-p", "x", "--exit-after-paint"), "--exit-after-paint"),
        (("-p", "x", "--allow-write", "--permission-mode", "default"), "--permission-mode default"),
        (("--allow-write",), "--allow-write"),
        (("--output", "json"), "--output"),
        (("--profile-dir", ""), "--profile-dir"),
        (("--workspace", "a\0b"), "NUL"),
        (("sessions", "read", "s", "--max-tokens", "x"), "x"),
    ],
)
def test_wrong_use_is_told_by_name(words: tuple[str, ...], named: str) -> None:
    with pytest.raises(UsageError) as caught:
        parse(words)
    assert named in caught.value.text()


def test_a_folder_that_cannot_be_one_is_told(tmp_path: Path) -> None:
    assert checked_folder(tmp_path) == tmp_path
    (tmp_path / "file").write_text("")
    for name, told in (("gone", "does not exist"), ("file", "not a folder"), ("x" * 4_000, "cannot be reached")):
        with pytest.raises(UsageError, match=told):
            checked_folder(tmp_path / name)
