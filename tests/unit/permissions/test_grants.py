from __future__ import annotations

import json
import stat
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths
from desktop.permissions.access import Access
from desktop.permissions.grants import Grant, Grants, grant_for
from tests.helpers.clock import FixedClock


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    return AppPaths(tmp_path / "data", tmp_path / "config", tmp_path / "cache")


def command(text: str, cwd: str = "/ws") -> Access:
    return Access("Bash", "execute", Path(cwd), text)


def grants(paths: AppPaths) -> Grants:
    return Grants(paths, FixedClock())


def test_once_is_not_remembered(paths: AppPaths) -> None:
    found = grants(paths)
    assert found.add(command("ls"), "once") is None
    assert found.covers(command("ls")) is None
    assert not (paths.config / "permissions.json").exists()


def test_session_grants_are_bound_exactly_and_end_with_the_object(paths: AppPaths) -> None:
    found = grants(paths)
    found.add(command("npm test"), "session")
    assert found.covers(command("npm test")) == "session"
    assert found.covers(command("npm test ")) is None
    assert found.covers(command("npm test", "/other")) is None
    assert grants(paths).covers(command("npm test")) is None


def test_always_survives_in_a_private_file(paths: AppPaths) -> None:
    grants(paths).add(command("npm test"), "always")
    file = paths.config / "permissions.json"
    assert stat.S_IMODE(file.stat().st_mode) == 0o600
    assert grants(paths).covers(command("npm test")) == "always"
    assert json.loads(file.read_text()) == {
        "schema": 1,
        "rules": [{"tool": "Bash", "kind": "command", "value": "npm test", "cwd": "/ws", "added": "2026-01-02T03:04:05.000Z"}],
    }


def test_tools_and_files_are_told_apart(paths: AppPaths) -> None:
    found = grants(paths)
    found.add(Access("Write", "write", Path("/x/a.py"), "one"), "session")
    assert found.covers(Access("Write", "write", Path("/x/a.py"), "other content")) == "session"
    assert found.covers(Access("Edit", "write", Path("/x/a.py"))) is None
    assert found.covers(Access("Write", "write", Path("/x/a.pyc"))) is None
    found.add(Access("Read", "read", Path("/y")), "session")
    assert found.covers(Access("Read", "read", Path("/y/z"))) is None


def test_a_searched_folder_covers_what_is_below(paths: AppPaths) -> None:
    found = grants(paths)
    found.add(Access("Grep", "read", Path("/y/lib")), "always")
    assert found.covers(Access("Grep", "read", Path("/y/lib/sub"))) is not None
    assert found.covers(Access("Grep", "read", Path("/y/library"))) is None
    assert found.covers(Access("Grep", "read", Path("/y"))) is None
    assert found.covers(Access("Read", "read", Path("/y/lib/a"))) is None


def test_secrets_and_memory_can_only_be_allowed_once(paths: AppPaths) -> None:
    for access in (
        Access("Read", "read", Path("/x/.env"), sensitive="environment secrets"),
        Access("Write", "write", Path("/m/a.md"), memory_target="a.md"),
        Access("Write", "write", Path("/m/a.txt"), memory_denied="no"),
    ):
        assert grant_for(access) is None
        assert grants(paths).add(access, "always") is None


def test_a_rule_can_be_taken_back(paths: AppPaths) -> None:
    found = grants(paths)
    granted = found.add(command("ls"), "always")
    assert granted is not None
    assert found.always() == [granted]
    found.remove(granted)
    assert found.covers(command("ls")) is None
    assert grants(paths).always() == []


def test_two_windows_add_to_each_other(paths: AppPaths) -> None:
    one, two = grants(paths), grants(paths)
    one.add(command("a"), "always")
    two.add(command("b"), "always")
    assert [g.value for g in grants(paths).always()] == ["a", "b"]


@pytest.mark.parametrize(
    "content",
    [b"", b"{", b"[]", b'{"schema": 1}', b'{"schema": 2, "rules": []}', b"\xff\xfe\0", b"[" * 100_000, b'{"schema": 1, "rules": {}}'],
)
def test_a_damaged_file_grants_nothing_and_is_kept_aside(paths: AppPaths, content: bytes) -> None:
    paths.config.mkdir()
    file = paths.config / "permissions.json"
    file.write_bytes(content)
    found = grants(paths)
    assert found.always() == []
    assert len(found.problems) == 1
    assert str(file) in found.problems[0]
    (aside,) = paths.config.glob("permissions.json.broken-*")
    assert aside.read_bytes() == content
    found.add(command("ls"), "always")
    assert grants(paths).covers(command("ls")) == "always"


def test_one_wrong_rule_does_not_lose_the_others(paths: AppPaths) -> None:
    paths.config.mkdir()
    rules = [
        {"tool": "Bash", "kind": "command", "value": "ls", "cwd": "/ws"},
        {"tool": "Bash", "kind": "command", "value": "pwd"},
        {"tool": "Bash", "kind": "pattern", "value": "*"},
        {"tool": "Write", "kind": "file", "value": "relative"},
        {"tool": 5, "kind": "file", "value": "/x"},
        "x",
    ]
    (paths.config / "permissions.json").write_text(json.dumps({"schema": 1, "rules": rules, "later": 1}))
    found = grants(paths)
    assert found.always() == [Grant("Bash", "command", "ls", "/ws")]
    assert [text.split(" of ")[0] for text in found.problems] == ["Rule 2", "Rule 3", "Rule 4", "Rule 5", "Rule 6"]
    found.add(command("pwd"), "always")
    assert json.loads((paths.config / "permissions.json").read_text())["later"] == 1


def test_a_folder_in_the_files_place_is_said(paths: AppPaths) -> None:
    (paths.config / "permissions.json").mkdir(parents=True)
    found = grants(paths)
    assert found.always() == []
    assert "cannot be read" in found.problems[0]


def test_what_cannot_be_saved_holds_for_the_session(paths: AppPaths) -> None:
    paths.config.parent.mkdir(exist_ok=True)
    paths.config.write_text("a file where the folder should be")
    found = grants(paths)
    with pytest.raises(StorageError):
        found.add(command("ls"), "always")
    assert found.covers(command("ls")) == "session"


def test_without_a_profile_nothing_is_stored() -> None:
    found = Grants()
    found.add(command("ls"), "always")
    assert found.covers(command("ls")) == "session"
    assert found.file is None
