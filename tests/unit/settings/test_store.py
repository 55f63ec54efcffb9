"""The layered store: precedence, tightening by a workspace, broken files, other processes."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import SettingsError, StorageError
from desktop.base.paths import AppPaths
from desktop.settings.schema import FIELDS
from desktop.settings.store import SettingsStore
from tests.helpers.clock import FixedClock


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    return AppPaths(data=tmp_path / "data", config=tmp_path / "config", cache=tmp_path / "cache")


def write(paths: AppPaths, text: str | bytes) -> None:
    paths.config.mkdir(parents=True, exist_ok=True)
    paths.settings_file.write_bytes(text if isinstance(text, bytes) else text.encode())


def loaded(paths: AppPaths, workspace: Path | None = None) -> SettingsStore:
    store = SettingsStore(paths, workspace, FixedClock())
    store.load()
    return store


def is_broken(store: SettingsStore) -> bool:
    return store.broken


def workspace_file(folder: Path, value: Any) -> Path:
    path = folder / ".keepsake" / "settings.json"
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(value if isinstance(value, str) else json.dumps(value))
    return path


def saved(paths: AppPaths) -> dict[str, Any]:
    value = json.loads(paths.settings_file.read_text())
    assert isinstance(value, dict)
    return value


# --- layers --------------------------------------------------------------------------------------------------------


def test_without_a_file_the_defaults_hold_and_nothing_is_written(paths: AppPaths) -> None:
    store = loaded(paths)
    assert {key: store.value(key) for key in FIELDS} == {key: field.default for key, field in FIELDS.items()}
    assert store.problems == [] and not is_broken(store)
    assert not paths.config.exists()


def test_a_value_is_set_kept_and_reset(paths: AppPaths) -> None:
    store = loaded(paths)
    store.set("agent.max_steps", 7)
    assert store.value("agent.max_steps") == 7 and store.is_modified("agent.max_steps")
    assert loaded(paths).value("agent.max_steps") == 7
    assert paths.settings_file.stat().st_mode & 0o777 == 0o600
    store.reset("agent.max_steps")
    assert loaded(paths).value("agent.max_steps") == 50 and not store.is_modified("agent.max_steps")


def test_unknown_keys_and_nested_ones_are_kept_as_they_are(paths: AppPaths) -> None:
    write(paths, '{"my.own": {"b": 1, "a": [1.5, null, "中文"]}, "memory": {"use": false, "later": 3}}')
    store = loaded(paths)
    assert store.value("memory.use") is False
    store.set("memory.use", True)
    store.set("agent.mode", "plan")
    value = saved(paths)
    assert value["my.own"] == {"b": 1, "a": [1.5, None, "中文"]}
    assert value["memory"] == {"use": True, "later": 3}
    store.reset("memory.use")
    assert saved(paths)["memory"] == {"later": 3}
    assert "中文" in paths.settings_file.read_text()


def test_a_wrong_value_gives_the_default_and_a_problem(paths: AppPaths) -> None:
    write(paths, '{"agent.max_steps": "many", "agent.mode": "yolo"}')
    store = loaded(paths)
    assert store.value("agent.max_steps") == 50 and store.value("agent.mode") == "default"
    told = " ".join(store.problems)
    assert "agent.max_steps" in told and '"many"' in told and "default, accept-edits, plan" in told
    assert not is_broken(store)


@pytest.mark.parametrize("value", ['"false"', "0", "null", '"no"'])
def test_a_wrong_value_of_a_memory_switch_keeps_it_closed(paths: AppPaths, value: str) -> None:
    write(paths, f'{{"memory.write": {value}}}')
    store = loaded(paths)
    assert store.value("memory.write") is False
    assert "memory.write" in store.problems[0]


def test_a_wrong_value_cannot_be_set(paths: AppPaths) -> None:
    store = loaded(paths)
    with pytest.raises(SettingsError, match=r"agent\.mode.*yolo"):
        store.set("agent.mode", "yolo")
    with pytest.raises(SettingsError):
        store.set("no.such", 1)
    assert not paths.settings_file.exists()


def test_maps_are_given_as_copies(paths: AppPaths) -> None:
    store = loaded(paths)
    store.set("model.endpoints", {"local": {"base_url": "http://127.0.0.1:1/v1"}})
    store.value("model.endpoints").clear()
    assert "local" in store.value("model.endpoints")


def test_listeners_hear_the_key(paths: AppPaths) -> None:
    store = loaded(paths)
    heard: list[str] = []
    store.changed.subscribe(heard.append)
    store.set("appearance.theme", "dark")
    assert heard == ["appearance.theme"]


def test_what_another_process_saved_is_kept_and_heard(paths: AppPaths) -> None:
    first, second = loaded(paths), loaded(paths)
    heard: list[str] = []
    second.changed.subscribe(heard.append)
    first.set("agent.max_steps", 9)
    second.set("agent.mode", "plan")
    assert saved(paths)["agent.max_steps"] == 9 and second.value("agent.max_steps") == 9
    first.load()
    assert first.value("agent.mode") == "plan"


def test_a_link_to_the_file_stays_a_link(paths: AppPaths, tmp_path: Path) -> None:
    real = tmp_path / "dotfiles.json"
    real.write_text('{"agent.mode": "plan"}')
    paths.config.mkdir()
    paths.settings_file.symlink_to(real)
    loaded(paths).set("agent.max_steps", 3)
    assert paths.settings_file.is_symlink()
    assert json.loads(real.read_text())["agent.max_steps"] == 3


def test_a_file_of_a_newer_version_is_read_but_not_written(paths: AppPaths) -> None:
    write(paths, '{"schema": 99, "agent.max_steps": 4}')
    store = loaded(paths)
    assert store.value("agent.max_steps") == 4
    assert "newer" in store.problems[0]
    with pytest.raises(SettingsError, match="newer"):
        store.set("agent.max_steps", 5)
    assert saved(paths) == {"schema": 99, "agent.max_steps": 4}


# --- a workspace tightens ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("key", "user", "given", "holds"),
    [
        ("memory.write", True, False, False),
        ("memory.write", False, True, False),
        ("memory.use", True, True, True),
        ("features.memory", True, False, False),
        ("memory.extraction", "auto", "off", "off"),
        ("memory.extraction", "off", "auto", "off"),
        ("memory.use", True, "nonsense", False),
        ("memory.use", True, 1, False),
    ],
)
def test_a_workspace_only_tightens(paths: AppPaths, tmp_path: Path, key: str, user: Any, given: Any, holds: Any) -> None:
    folder = tmp_path / "ws"
    workspace_file(folder, {key: given})
    store = loaded(paths)
    store.set(key, user)
    assert store.for_workspace(folder).value(key) == holds
    assert store.value(key) == user


@pytest.mark.parametrize("key", sorted(set(FIELDS) - {"features.memory", "memory.use", "memory.write", "memory.extraction"}))
def test_a_workspace_may_set_nothing_else(paths: AppPaths, tmp_path: Path, key: str) -> None:
    folder = tmp_path / "ws"
    hostile = {"model.endpoints": {"x": {"base_url": "http://127.0.0.1:9/v1"}}, "model.default": "x:y", "agent.mode": "accept-edits"}
    workspace_file(folder, {key: hostile.get(key, 7)})
    store = loaded(paths).for_workspace(folder)
    assert store.value(key) == FIELDS[key].default
    assert key in store.problems[0]


def test_a_broken_workspace_file_stops_writing_until_it_is_mended_or_ignored(paths: AppPaths, tmp_path: Path) -> None:
    folder = tmp_path / "ws"
    path = workspace_file(folder, "{oops")
    store = loaded(paths).for_workspace(folder)
    assert is_broken(store) and str(path) in store.problems[0]
    assert not loaded(paths).broken
    store.resolve_broken()
    assert not is_broken(store) and path.read_text() == "{oops"
    assert not loaded(paths).for_workspace(folder).broken
    path.write_text("{other")
    assert loaded(paths).for_workspace(folder).broken
    path.write_text("{}")
    assert not loaded(paths).for_workspace(folder).broken


def test_a_link_or_pipe_in_place_of_the_workspace_file_is_not_followed(paths: AppPaths, tmp_path: Path) -> None:
    folder = tmp_path / "ws"
    target = tmp_path / "elsewhere.json"
    target.write_text('{"memory.use": true}')
    path = workspace_file(folder, {})
    path.unlink()
    path.symlink_to(target)
    assert loaded(paths).for_workspace(folder).broken
    path.unlink()
    os.mkfifo(path)
    assert loaded(paths).for_workspace(folder).broken


# --- broken ------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "data",
    [b"{oops", b"[]", b"\xff\xfe\x00", b'{"a": ' + b"[" * 100_000, b'{"a": ' + b"9" * 5_000 + b"}", b"{}" + b" " * (5 << 20)],
    ids=["cut", "list", "binary", "deep", "digits", "huge"],
)
def test_a_broken_file_is_kept_aside_and_said_until_the_person_decides(paths: AppPaths, data: bytes) -> None:
    write(paths, data)
    store = loaded(paths)
    kept = paths.config / "settings.json.broken-20260102T030405Z"
    assert is_broken(store) and kept.read_bytes() == data and not paths.settings_file.exists()
    assert str(paths.settings_file) in store.problems[0] and kept.name in store.problems[0]
    assert store.value("agent.max_steps") == 50

    store.set("agent.max_steps", 3)
    again = loaded(paths)
    assert is_broken(again) and kept.name in again.problems[0] and again.value("agent.max_steps") == 3

    again.resolve_broken()
    assert not is_broken(again) and again.problems == []
    assert not loaded(paths).broken and kept.read_bytes() == data


def test_two_broken_files_in_one_second_are_both_kept(paths: AppPaths) -> None:
    for text in ("{one", "{two"):
        write(paths, text)
        loaded(paths)
    kept = sorted(path.read_text() for path in paths.config.glob("settings.json.broken-*"))
    assert kept == ["{one", "{two"]


def test_a_folder_in_place_of_the_file_is_moved_aside(paths: AppPaths) -> None:
    paths.settings_file.mkdir(parents=True)
    store = loaded(paths)
    assert is_broken(store) and not paths.settings_file.exists()


def test_an_empty_file_and_a_byte_order_mark_are_not_broken(paths: AppPaths) -> None:
    write(paths, b"")
    assert not loaded(paths).broken
    write(paths, b'\xef\xbb\xbf{"agent.mode": "plan"}')
    store = loaded(paths)
    assert not is_broken(store) and store.value("agent.mode") == "plan"


def test_a_broken_file_that_cannot_be_moved_is_never_overwritten(paths: AppPaths, monkeypatch: pytest.MonkeyPatch) -> None:
    write(paths, "{oops")

    def refuse(self: Path, target: Path) -> Path:
        raise PermissionError(13, "Permission denied")

    monkeypatch.setattr(Path, "rename", refuse)
    store = loaded(paths)
    assert is_broken(store) and "Permission denied" in store.problems[0]
    with pytest.raises(StorageError):
        store.set("agent.max_steps", 3)
    with pytest.raises(StorageError):
        store.resolve_broken()
    assert paths.settings_file.read_text() == "{oops"


# --- every version that was ever written ---------------------------------------------------------------------------------


def test_a_file_of_schema_1_is_read_whole_and_saved_without_a_loss(paths: AppPaths) -> None:
    fixture = (Path(__file__).parent / "fixtures" / "schema-1.json").read_bytes()
    write(paths, fixture)
    store = loaded(paths)
    assert store.problems == []
    assert (store.value("agent.max_steps"), store.value("appearance.zoom"), store.value("memory.write")) == (7, 1.25, False)
    assert store.value("model.endpoints")["local"]["models"] == ["qwen"] and store.value("model.default") == "local:qwen"
    store.set("agent.max_steps", 8)
    assert saved(paths) == json.loads(fixture) | {"agent.max_steps": 8}
