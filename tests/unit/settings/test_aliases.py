"""Names of other systems' settings in a settings file (UI-12)."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.base.paths import AppPaths, resolve_paths
from desktop.settings.store import SettingsStore
from tests.helpers.clock import FixedClock


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    return resolve_paths(str(tmp_path / "profile"), {})


def loaded(paths: AppPaths, values: dict[str, Any]) -> SettingsStore:
    paths.settings_file.parent.mkdir(parents=True, exist_ok=True)
    paths.settings_file.write_text(json.dumps(values), encoding="utf-8")
    store = SettingsStore(paths, clock=FixedClock())
    store.load()
    return store


@pytest.mark.parametrize(
    ("given", "key", "value"),
    [
        ({"memory.disable_write": True}, "memory.write", False),
        ({"memory": {"disable_write": True}}, "memory.write", False),
        ({"memory.disable_write": "yes"}, "memory.write", True),
        ({"memory.cc_index": True}, "memory.foreign", ["claude-code"]),
        ({"checkpoint.memory_reconcile_on_search": False}, "checkpoint.reconcile_on_search", False),
        ({"checkpoint": {"memory_search_score_floor": 0.5}}, "checkpoint.score_floor", 0.5),
        ({"autoMemoryEnabled": False}, "memory.use", False),
        ({"autoMemoryEnabled": True}, "memory.use", True),
        ({"autoMemoryDirectory": "~/notes/memory"}, "memory.directory", "~/notes/memory"),
        ({"autoMemoryDirectory": 7}, "memory.directory", ""),
        ({"autoMemoryEnabled": False, "memory.use": True}, "memory.use", True),
    ],
)
def test_an_alias_means_ours_and_our_own_name_beats_it(paths: AppPaths, given: dict[str, Any], key: str, value: Any) -> None:
    store = loaded(paths, given)
    assert store.value(key) == value
    assert not store.problems


def test_a_reset_takes_the_alias_with_it(paths: AppPaths) -> None:
    store = loaded(paths, {"memory": {"disable_write": True, "later": 1}, "my.own": 2})
    store.reset("memory.write")
    assert store.value("memory.write") is True
    again = SettingsStore(paths, clock=FixedClock())
    again.load()
    assert again.value("memory.write") is True
    assert json.loads(paths.settings_file.read_text(encoding="utf-8"))["my.own"] == 2


def test_a_workspace_s_file_tightens_by_an_alias_too(paths: AppPaths, tmp_path: Path) -> None:
    store = loaded(paths, {})
    folder = tmp_path / "ws"
    (folder / ".keepsake").mkdir(parents=True)
    (folder / ".keepsake" / "settings.json").write_text(
        '{"memory.disable_write": true, "autoMemoryDirectory": "/elsewhere"}', encoding="utf-8"
    )
    view = store.for_workspace(folder)
    assert view.value("memory.write") is False
    assert view.value("memory.directory") == ""
