"""One folder for everybody: what is resolved is what prompt, tools, store, viewer and sessions use, on real services."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.base.errors import UsageError
from desktop.memory.identity import list_projects
from desktop.memory.relink import relink
from tests.helpers.agent import Desk, run
from tests.unit.memory.conftest import note_text
from tests.unit.memory.git import needs_git, repository

CODE = "the code word is Quarzsand"


def put(root: Path, text: str) -> None:
    root.mkdir(parents=True, exist_ok=True)
    (root / "code.md").write_text(note_text("code", text))
    (root / "MEMORY.md").write_text(f"- [code](code.md) — {text}\n")


def asked(desk: Desk, *responses: dict[str, object]) -> str:
    """All that was sent for one turn."""

    async def scenario() -> None:
        session = desk.session(*responses)
        await desk.turn(session, "what is the code word, and where is memory kept?")
        await session.close()

    run(scenario)
    return json.dumps(desk.bodies(), ensure_ascii=False)


@pytest.mark.parametrize("way", ["setting", "environment", "base"])
def test_b05_reading_writing_the_prompt_and_the_list_agree_on_a_chosen_folder(tmp_path: Path, way: str) -> None:
    chosen = tmp_path / "知识" / "mem"
    names = {"setting": "", "environment": "KEEPSAKE_MEMORY_DIR", "base": "KEEPSAKE_REMOTE_MEMORY_DIR"}
    desk = Desk(tmp_path, {names[way]: str(chosen)} if names[way] else {})
    if way == "setting":
        desk.services.settings.set("memory.directory", str(chosen))
        desk.workspace = desk.services.open_workspace(desk.workspace_folder)
    root = desk.workspace.project.memory_root
    expected = chosen / "projects" / desk.workspace.project.key / "memory" if way == "base" else chosen
    assert root == expected
    put(root, CODE)
    path = str(root / "fresh.md")
    call = {"id": "c1", "name": "Write", "input": {"file_path": path, "content": note_text("fresh", "ports start at 5433")}}
    sent = asked(desk, {"tool_calls": [call]}, {"text": "done"})
    assert CODE in sent
    assert str(root) in sent
    assert str(desk.services.paths.projects) not in sent
    assert (root / "fresh.md").exists()
    assert {note.path for note in desk.workspace.store.notes()} == {"code.md", "fresh.md"}
    assert "fresh.md" in (root / "MEMORY.md").read_text()
    assert desk.workspace.store.root == desk.workspace.memories.store().root == root
    assert [project.memory_root for project in list_projects(desk.services.paths)] == [root]


@pytest.mark.parametrize("value", ["./knowledge/mem", "~", "//server/x"])
def test_b05_a_folder_that_cannot_be_used_is_said_and_everybody_keeps_the_usual_one(tmp_path: Path, value: str) -> None:
    desk = Desk(tmp_path)
    file = desk.services.paths.settings_file
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps({"schema": 1, "memory": {"directory": value}}))
    desk.services = desk.build()
    workspace = desk.services.open_workspace(desk.workspace_folder)
    assert workspace.store.root == workspace.project.home / "memory"
    assert any("memory.directory" in problem for problem in desk.services.settings.problems)


def test_a_wrong_folder_in_the_environment_stops_with_its_name(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match="KEEPSAKE_MEMORY_DIR"):
        Desk(tmp_path, {"KEEPSAKE_MEMORY_DIR": "mem"})


def test_b01_a_project_below_the_home_folder_gets_its_own_memory_only(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    home, inner = tmp_path / "home", tmp_path / "home" / "proj" / "a"
    inner.mkdir(parents=True)
    outer = desk.services.open_workspace(home)
    desk.workspace = desk.services.open_workspace(inner)
    put(outer.project.memory_root, "the code word is Outer")
    put(desk.workspace.project.memory_root, "the code word is Inner")
    sent = asked(desk, {"text": "ok"})
    assert "the code word is Inner" in sent
    assert str(desk.workspace.project.memory_root) in sent
    assert "Outer" not in sent
    assert str(outer.project.memory_root) not in sent


@needs_git
def test_by_id_the_first_opening_uses_the_folder_that_every_later_one_uses(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    desk.services.settings.set("memory.identity", "git-id")
    repository(tmp_path / "repo")
    first = desk.services.open_workspace(tmp_path / "repo")
    put(first.store.root, CODE)
    (tmp_path / "repo").rename(tmp_path / "umbenannt 项目")
    desk.workspace = desk.services.open_workspace(tmp_path / "umbenannt 项目")
    assert desk.workspace.store.root == first.store.root
    assert CODE in asked(desk, {"text": "ok"})
    assert [project.key for project in list_projects(desk.services.paths) if project.git_root] == [first.project.key]


def test_memory_of_another_folder_is_never_sent_nor_written(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    project = desk.workspace.project
    put(project.memory_root, CODE)
    data = json.loads(project.project_file.read_text())
    project.project_file.write_text(json.dumps(data | {"source": str(tmp_path / "elsewhere")}))
    before = {path: path.read_bytes() for path in project.home.rglob("*") if path.is_file()}
    desk.workspace = desk.services.open_workspace(desk.workspace_folder)
    state = desk.workspace.memory_state()
    assert (state.enabled, state.switch) == (False, "identity")
    path = str(project.memory_root / "x.md")
    call = {"id": "c1", "name": "Write", "input": {"file_path": path, "content": note_text("x", "y")}}
    sent = asked(desk, {"tool_calls": [call]}, {"text": "done"})
    assert CODE not in sent
    assert "memory_index" not in sent
    assert {path: path.read_bytes() for path in project.home.rglob("*") if path.is_file()} == before


def test_a_relinked_folder_has_the_sessions_and_the_memory_of_before(tmp_path: Path) -> None:
    desk = Desk(tmp_path)
    put(desk.workspace.project.memory_root, CODE)
    asked(desk, {"text": "ok"})
    old = desk.workspace.project
    desk.workspace_folder.rename(tmp_path / "renamed")
    desk.workspace = desk.services.open_workspace(tmp_path / "renamed")
    (found,) = desk.workspace.moved
    assert found.project.key == old.key
    relink(desk.workspace.project, old.key, desk.services.paths, desk.services.clock)
    desk.workspace = desk.services.open_workspace(tmp_path / "renamed")
    assert desk.workspace.moved == ()
    assert desk.workspace.store.root == old.memory_root
    assert len(desk.services.sessions.list(desk.workspace.project.key)) == 1
    assert CODE in asked(desk, {"text": "ok"})
    assert len(desk.services.sessions.list(desk.workspace.project.key)) == 2
