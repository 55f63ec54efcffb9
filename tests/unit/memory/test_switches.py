"""The one accessor: every row of the precedence, and what an unreadable file means."""

from __future__ import annotations

import itertools
import json
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.base.paths import ensure_private_dir
from desktop.memory.identity import Project, ensure_project, resolve_project, set_memory_switch
from desktop.memory.project_file import EXTRACTIONS, set_extraction
from desktop.memory.switches import MemoryState, memory_state
from desktop.settings.store import SettingsStore
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import make_paths


class Case:
    """Real settings and a real project file."""

    def __init__(self, base: Path) -> None:
        folder = base / "w"
        folder.mkdir()
        self.paths = make_paths(base)
        ensure_private_dir(self.paths.config)
        self.settings = SettingsStore(self.paths)
        self.settings.load()
        self.project: Project = resolve_project(folder, self.paths)
        ensure_project(self.project, FixedClock())

    def state(self, session: bool | None = None, **environ: str) -> MemoryState:
        return memory_state(self.settings, self.project, session_enabled=session, environ=environ)


@pytest.fixture
def case(tmp_path: Path) -> Case:
    return Case(tmp_path)


def test_by_default_everything_is_on(case: Case) -> None:
    assert case.state() == MemoryState(True, "", True, "", "auto")


def test_each_switch_alone_turns_memory_off_whatever_zero_and_the_others_say(case: Case) -> None:
    for master, use, workspace, session, variable in itertools.product(
        (True, False), (True, False), (True, False), (None, True, False), ("", "0", "1")
    ):
        case.settings.set("features.memory", master)
        case.settings.set("memory.use", use)
        set_memory_switch(case.project, workspace, FixedClock())
        environ = {"KEEPSAKE_DISABLE_MEMORY": variable} if variable else {}
        found = case.state(session, **environ)
        expected = master and use and workspace and session is not False and variable != "1"
        assert found.enabled is expected
        assert found.write is expected
        assert bool(found.reason) is not expected
        assert found.extraction == ("auto" if expected else "off")


def test_simple_mode_is_off_and_zero_beats_only_it(case: Case) -> None:
    assert not case.state(KEEPSAKE_SIMPLE="1").enabled
    assert case.state(KEEPSAKE_SIMPLE="1", KEEPSAKE_DISABLE_MEMORY="0").enabled
    case.settings.set("memory.use", False)
    assert not case.state(KEEPSAKE_DISABLE_MEMORY="0").enabled


def test_the_workspace_switch_on_never_forces_memory_on(case: Case) -> None:
    case.settings.set("features.memory", False)
    set_memory_switch(case.project, True, FixedClock())
    assert not case.state().enabled


def test_write_off_keeps_reading_and_ends_extraction_with_a_reason(case: Case) -> None:
    case.settings.set("memory.write", False)
    found = case.state()
    assert (found.enabled, found.write, found.extraction) == (True, False, "off")
    assert "memory.write" in found.write_reason
    assert "anywhere else" in found.write_reason
    assert "searchable" in found.write_reason


def test_extraction_off_keeps_reading_and_writing(case: Case) -> None:
    case.settings.set("memory.extraction", "off")
    found = case.state()
    assert (found.enabled, found.write, found.extraction) == (True, True, "off")


def test_gt04_a_broken_settings_file_stops_writing_and_not_reading(case: Case) -> None:
    case.paths.settings_file.write_text("{broken")
    case.settings.load()
    assert case.settings.broken
    found = case.state()
    assert (found.enabled, found.write, found.extraction) == (True, False, "off")
    assert "settings" in found.write_reason
    case.settings.resolve_broken()
    assert case.state().write


def test_gt04_a_broken_project_file_stops_writing_until_the_switch_is_set(case: Case) -> None:
    case.project.project_file.write_text("{broken")
    found = case.state()
    assert (found.enabled, found.write, found.extraction) == (True, False, "off")
    assert "project.json" in found.write_reason
    set_memory_switch(case.project, True, FixedClock())
    assert case.state().write


def test_a_broken_project_file_that_shows_off_stays_off(case: Case) -> None:
    case.project.project_file.write_text('{"switch": "off" broken')
    assert not case.state().enabled


def test_a_project_file_of_another_folder_turns_memory_off_whatever_else_is_on(case: Case) -> None:
    data = json.loads(case.project.project_file.read_text())
    case.project.project_file.write_text(json.dumps(data | {"source": "/somewhere/else"}))
    for environ in ({}, {"KEEPSAKE_DISABLE_MEMORY": "0"}):
        found = case.state(True, **environ)
        assert (found.enabled, found.write, found.extraction, found.switch) == (False, False, "off", "identity")
        assert "/somewhere/else" in found.reason
        assert "Relink" in found.reason
        assert "anywhere else" in found.write_reason
        assert "readable" not in found.write_reason, "off as a whole, it is not even read"
    case.settings.set("memory.use", False)
    assert case.state().switch == "memory.use"
    case.settings.set("memory.use", True)
    case.project.project_file.write_text(json.dumps(data))
    assert case.state().enabled


def test_a_project_file_that_may_not_be_read_stops_writing_and_not_reading(case: Case) -> None:
    case.project.project_file.unlink()
    assert case.state() == MemoryState(True, "", True, "", "auto")
    case.project.project_file.mkdir()
    found = case.state()
    assert (found.enabled, found.write, found.extraction, found.switch) == (True, False, "off", "project")
    assert str(case.project.project_file) in found.write_reason


def test_extraction_of_one_project_beats_the_settings_and_the_folders_own_file_only_tightens(case: Case, tmp_path: Path) -> None:
    folder = tmp_path / "w"
    (folder / ".keepsake").mkdir()
    order = ("auto", "review", "off")
    for usual, own, tight in itertools.product(order, (None, *EXTRACTIONS), (None, *order)):
        case.settings.set("memory.extraction", usual)
        set_extraction(case.project, own, FixedClock())
        (folder / ".keepsake" / "settings.json").write_text(json.dumps({"memory": {"extraction": tight}} if tight else {}))
        settings = case.settings.for_workspace(folder)
        wanted = order[max(order.index(own or usual), order.index(tight or "auto"))]
        assert memory_state(settings, case.project, environ={}).extraction == wanted, (usual, own, tight)


def test_a_choice_that_is_none_is_off_and_nothing_is_written_for_none(case: Case) -> None:
    data = json.loads(case.project.project_file.read_text())
    case.project.project_file.write_text(json.dumps(data | {"extraction": "sometimes", "later": 1}))
    assert case.state().extraction == "off"
    set_extraction(case.project, None, FixedClock())
    assert case.state().extraction == "auto"
    assert json.loads(case.project.project_file.read_text()) == data | {"later": 1}


def test_the_choice_of_a_project_turns_nothing_on(case: Case) -> None:
    set_extraction(case.project, "auto", FixedClock())
    case.settings.set("memory.write", False)
    assert case.state().extraction == "off"
    case.settings.set("memory.use", False)
    assert case.state().extraction == "off"
    case.settings.reset("memory.write")
    case.settings.reset("memory.use")
    case.project.project_file.write_text("{broken")
    assert case.state().extraction == "off"
    with pytest.raises(StorageError):
        set_extraction(case.project, "auto", FixedClock())
