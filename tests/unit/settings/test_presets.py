"""The presets of memory as a layer of the settings: below what the person set, above the defaults, never above a workspace's tightening."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.base.paths import AppPaths
from desktop.settings.presets import BUNDLES, PRESET
from desktop.settings.schema import FIELDS, TIGHTENING
from desktop.settings.store import SettingsStore
from tests.helpers.clock import FixedClock

EXPECTED: dict[str, dict[str, Any]] = {
    "zcode": {
        "memory.identity": "workspace",
        "memory.layout": "project",
        "memory.index_channel": "user",
        "memory.refresh": "session",
        "memory.index_cut": "head",
        "memory.index_step": "two-steps",
        "memory.tools": False,
        "memory.recall": "off",
        "memory.extraction": "auto",
        "memory.extractor_bash": "read-only",
        "memory.extractor_reads": "anywhere",
        "memory.extraction_after_write": "skip",
        "memory.extraction_short": "advance",
    },
    "claude": {
        "memory.identity": "git-root",
        "memory.layout": "project",
        "memory.index_channel": "system",
        "memory.refresh": "compaction",
        "memory.index_cut": "head",
        "memory.tools": False,
        "memory.recall": "model",
        "memory.recall_first": 0,
        "memory.extractor_bash": "none",
        "memory.extraction_after_write": "rest",
    },
    "mini": {
        "memory.identity": "workspace",
        "memory.layout": "single",
        "memory.index_channel": "system",
        "memory.refresh": "turn",
        "memory.recall": "off",
        "memory.tools": False,
        "memory.extraction": "off",
    },
    "default": {
        "memory.identity": "git-root",
        "memory.layout": "all",
        "memory.index_channel": "user",
        "memory.refresh": "delta",
        "memory.index_cut": "newest",
        "memory.index_step": "app",
        "memory.tools": True,
        "memory.recall": "model",
        "memory.recall_first": 2,
        "memory.extraction": "auto",
        "memory.extractor_bash": "rm",
        "memory.extraction_after_write": "rest",
        "memory.extraction_short": "pending",
    },
}
"""The table of the memory design, 6.5, as settings."""


@pytest.fixture
def paths(tmp_path: Path) -> AppPaths:
    return AppPaths(data=tmp_path / "data", config=tmp_path / "config", cache=tmp_path / "cache")


@pytest.fixture
def store(paths: AppPaths) -> SettingsStore:
    store = SettingsStore(paths, None, FixedClock())
    store.load()
    return store


def tightened(store: SettingsStore, folder: Path, **values: Any) -> SettingsStore:
    file = folder / ".keepsake" / "settings.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({key.replace("__", "."): value for key, value in values.items()}))
    return store.for_workspace(folder)


def saved(paths: AppPaths) -> dict[str, Any]:
    value = json.loads(paths.settings_file.read_text())
    assert isinstance(value, dict)
    return value


@pytest.mark.parametrize("preset", list(EXPECTED))
def test_each_preset_gives_the_values_of_the_design(store: SettingsStore, preset: str) -> None:
    store.set(PRESET, preset)
    assert {key: store.value(key) for key in EXPECTED[preset]} == EXPECTED[preset]
    assert set(FIELDS[PRESET].choices) == set(EXPECTED) == set(BUNDLES)


def test_every_bundled_value_is_one_that_the_schema_allows_and_no_bundle_chooses_a_bundle() -> None:
    for bundle in BUNDLES.values():
        assert PRESET not in bundle
        assert {key: FIELDS[key].problem(value) for key, value in bundle.items()} == dict.fromkeys(bundle, "")


def test_what_is_in_no_bundle_keeps_its_default(store: SettingsStore) -> None:
    for preset, bundle in BUNDLES.items():
        store.set(PRESET, preset)
        others = [key for key in FIELDS if key not in bundle and key != PRESET]
        assert {key: store.value(key) for key in others} == {key: FIELDS[key].default for key in others}


def test_a_preset_is_not_written_into_the_file_key_by_key(paths: AppPaths, store: SettingsStore) -> None:
    """So that going back to the default leaves nothing behind."""
    store.set(PRESET, "mini")
    assert {key for key in saved(paths) if key.startswith("memory")} == {PRESET}
    store.reset(PRESET)
    assert all(store.value(key) == field.default for key, field in FIELDS.items())


def test_what_the_person_set_beats_the_bundle_before_and_after(store: SettingsStore) -> None:
    store.set("memory.recall", "lexical")
    store.set(PRESET, "zcode")
    store.set("memory.tools", True)
    assert (store.value("memory.recall"), store.value("memory.tools"), store.value("memory.refresh")) == ("lexical", True, "session")
    assert [store.source(key) for key in ("memory.recall", "memory.refresh", "memory.write")] == ["person", "preset", "default"]
    store.reset("memory.recall")
    assert store.value("memory.recall") == "off"
    assert store.source("memory.recall") == "preset"


def test_a_default_that_the_person_set_is_a_change_when_the_preset_says_otherwise(store: SettingsStore) -> None:
    """The settings page offers to take back what differs from what would hold without it."""
    store.set("memory.tools", True)
    assert not store.is_modified("memory.tools")
    store.set(PRESET, "claude")
    assert store.is_modified("memory.tools") and store.base_value("memory.tools") is False
    store.set("memory.tools", False)
    assert not store.is_modified("memory.tools")
    assert store.is_modified(PRESET)


def test_a_workspace_can_only_tighten_what_a_preset_gives(store: SettingsStore, tmp_path: Path) -> None:
    store.set(PRESET, "mini")
    assert tightened(store, tmp_path / "a", memory__extraction="auto").value("memory.extraction") == "off"
    store.set(PRESET, "zcode")
    held = tightened(store, tmp_path / "b", memory__extraction="review")
    assert (held.value("memory.extraction"), held.source("memory.extraction")) == ("review", "workspace")
    assert (store.value("memory.extraction"), store.source("memory.extraction")) == ("auto", "preset")


def test_a_workspace_cannot_choose_a_preset_or_any_key_of_one(store: SettingsStore, tmp_path: Path) -> None:
    own = [key for key in BUNDLES["zcode"] if key not in TIGHTENING]
    values = {PRESET.replace(".", "__"): "zcode", **{key.replace(".", "__"): BUNDLES["zcode"][key] for key in own}}
    held = tightened(store, tmp_path / "a", **values)
    assert {key: held.value(key) for key in own} == {key: FIELDS[key].default for key in own}
    assert len([problem for problem in held.problems if "cannot be set by a workspace" in problem]) == len(own) + 1


def test_every_view_sees_the_preset_and_is_told_of_each_key_that_it_changes(store: SettingsStore, tmp_path: Path) -> None:
    tmp_path.joinpath("ws").mkdir()
    view = store.for_workspace(tmp_path / "ws")
    told: list[str] = []
    view.changed.subscribe(told.append)
    store.set("memory.recall", "lexical")
    told.clear()
    store.set(PRESET, "zcode")
    assert view.value("memory.refresh") == "session"
    changed = [key for key, value in BUNDLES["zcode"].items() if value != FIELDS[key].default and key != "memory.recall"]
    assert sorted(told) == sorted([PRESET, *changed]), "once each, and not those that the person holds or that stay the same"
    told.clear()
    view.set(PRESET, "default")
    assert sorted(told) == sorted([PRESET, *changed])


def test_a_view_whose_workspace_holds_a_key_tight_still_tells_the_others(store: SettingsStore, tmp_path: Path) -> None:
    """All stores of a process share one emitter: what does not change for one of them may change for another."""
    held = tightened(store, tmp_path / "tight", memory__extraction="off")
    told: list[str] = []
    store.changed.subscribe(told.append)
    held.set(PRESET, "mini")
    assert "memory.extraction" in told and held.value("memory.extraction") == "off"


def test_a_preset_chosen_by_another_process_is_told_with_the_next_load_or_save(paths: AppPaths, store: SettingsStore) -> None:
    for act in (store.load, lambda: store.set("appearance.zoom", 1.5)):
        other = SettingsStore(paths, None, FixedClock())
        other.load()
        other.reset(PRESET)
        store.load()
        told: list[str] = []
        ended = store.changed.subscribe(told.append)
        other.set(PRESET, "mini")
        act()
        ended()
        assert {PRESET, *(key for key, value in BUNDLES["mini"].items() if value != FIELDS[key].default)} <= set(told)


def test_a_wrong_value_falls_back_to_the_preset_but_never_opens_what_is_closed(paths: AppPaths) -> None:
    paths.config.mkdir(parents=True)
    paths.settings_file.write_text(json.dumps({PRESET: "zcode", "memory.refresh": "hourly", "memory.extraction": "sometimes"}))
    store = SettingsStore(paths, None, FixedClock())
    store.load()
    assert store.value("memory.refresh") == "session"
    assert store.value("memory.extraction") == "off", "a switch with a wrong value stays shut, whatever the bundle says"
    assert any("session" in problem and "hourly" in problem for problem in store.problems)
    assert (store.source("memory.refresh"), store.source("memory.extraction")) == ("preset", "person")


@pytest.mark.parametrize("value", ["mimo", 7, None, ["zcode"], {"zcode": 1}])
def test_a_wrong_preset_is_said_and_means_the_default(paths: AppPaths, value: object) -> None:
    paths.config.mkdir(parents=True)
    paths.settings_file.write_text(json.dumps({PRESET: value}))
    store = SettingsStore(paths, None, FixedClock())
    store.load()
    assert store.value(PRESET) == "default" and store.value("memory.layout") == "all"
    assert len(store.problems) == 1 and "memory.preset" in store.problems[0]


def test_written_nested_a_preset_holds_too(paths: AppPaths) -> None:
    paths.config.mkdir(parents=True)
    paths.settings_file.write_text(json.dumps({"memory": {"preset": "claude", "tools": True}}))
    store = SettingsStore(paths, None, FixedClock())
    store.load()
    assert (store.value("memory.index_channel"), store.value("memory.tools")) == ("system", True)
