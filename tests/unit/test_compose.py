"""Opening and resuming on real services: which folder, project, model and lock a session has."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from desktop.base.errors import UsageError
from desktop.memory.identity import set_memory_switch
from desktop.memory.store import ChangeOrigin
from tests.helpers import canaries
from tests.helpers.agent import Desk, run


@pytest.fixture
def desk(tmp_path: Path) -> Desk:
    return Desk(tmp_path)


def _held(desk: Desk, model: str | None = None) -> str:
    """The id of a session with one turn."""

    async def scenario() -> str:
        model_id = model or desk.script({"text": "ok"})
        session = desk.services.new_session(desk.workspace, model_id=model_id)
        await desk.turn(session, "hi")
        await session.close()
        return session.id

    return run(scenario)


def test_a_transcript_without_its_header_is_known_by_the_project_it_lies_in(desk: Desk) -> None:
    session_id = _held(desk)
    path = desk.services.sessions.path_of(session_id)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[1:]))
    resumed = desk.services.resume(session_id)
    assert resumed.workspace == desk.workspace.folder
    assert [m.text for m in resumed.messages] == ["hi", "ok"]
    asyncio.run(resumed.close())


def test_a_resumed_session_keeps_the_project_that_is_stored_with_it(desk: Desk) -> None:
    """ST-07: a folder that came into a repository later belongs to another project, but not its old sessions."""
    session_id = _held(desk)
    git = desk.folder / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    assert desk.services.open_workspace(desk.workspace_folder).project.key != desk.workspace.project.key
    resumed = desk.services.resume(session_id)
    assert resumed.project.key == desk.workspace.project.key
    assert resumed.project.memory_root == desk.workspace.project.memory_root
    assert resumed.workspace == desk.workspace.folder
    asyncio.run(resumed.close())


def test_a_model_that_is_gone_is_named_and_the_session_let_go(desk: Desk) -> None:
    model = desk.script({"text": "ok"}, name="gone.json")
    session_id = _held(desk, model)
    (desk.folder / "gone.json").unlink()
    with pytest.raises(UsageError) as caught:
        desk.services.resume(session_id)
    assert "gone.json" in caught.value.message
    assert "--model" in caught.value.hint
    with pytest.raises(UsageError) as chosen:
        desk.services.resume(session_id, model_id="nowhere:x")
    assert "nowhere:x" in chosen.value.message
    resumed = desk.services.resume(session_id, model_id=desk.script({"text": "ok"}))
    asyncio.run(resumed.close())


def test_a_session_whose_folder_is_gone_is_refused_and_let_go(desk: Desk) -> None:
    session_id = _held(desk)
    shutil.move(desk.workspace_folder, desk.folder / "moved")
    with pytest.raises(UsageError, match="is not there"):
        desk.services.resume(session_id)
    shutil.move(desk.folder / "moved", desk.workspace_folder)
    asyncio.run(desk.services.resume(session_id).close())


# --- memory ----------------------------------------------------------------------------------------------------------------


def test_opening_makes_the_private_folders_and_none_inside_the_workspace(desk: Desk) -> None:
    roots = {root.id: root.folder for root in desk.workspace.memories.roots}
    assert roots["project"].is_dir() and roots["user"].is_dir()
    assert list(desk.workspace_folder.iterdir()) == []
    assert desk.workspace.store is desk.workspace.memories.store()


def test_opening_takes_in_what_another_program_put_there(desk: Desk) -> None:
    desk.workspace.store.write("a.md", "Bees fly at dawn.\n", base_digest=None, origin=ChangeOrigin("person"))
    (desk.workspace.project.memory_root / "b.md").write_text("Owls hunt at night.\n")
    again = desk.build().open_workspace(desk.workspace_folder)
    found = [change for change in again.store.changes() if change.origin.actor == "outside"]
    assert [change.path for change in found] == ["b.md"]
    assert "b.md" in (again.project.memory_root / "MEMORY.md").read_text()


def test_a_prompt_shows_what_another_program_put_there_while_the_folder_was_open(desk: Desk) -> None:
    desk.workspace.store.write("a.md", "Bees fly at dawn.\n", base_digest=None, origin=ChangeOrigin("person"))
    (desk.workspace.project.memory_root / "b.md").write_text("Owls hunt at night.\n")
    _held(desk)
    assert "b.md" in desk.bodies()[-1]["messages"][0]["parts"][0]["text"]


def test_with_memory_off_opening_changes_nothing(desk: Desk) -> None:
    planted = canaries.plant(desk.workspace)
    (planted.project / "extra.md").write_text("Owls hunt at night.\n")
    set_memory_switch(desk.workspace.project, False, desk.services.clock)
    planted.keep()
    desk.build().open_workspace(desk.workspace_folder)
    assert planted.changed() == []


def test_an_id_in_the_repository_is_made_when_the_identity_asks_for_it(desk: Desk) -> None:
    git = desk.workspace_folder / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    desk.build().open_workspace(desk.workspace_folder)
    assert not (git / "keepsake-project-id").exists(), "the default identity writes nothing there"
    services = desk.build()
    services.settings.set("memory.identity", "git-id")
    first = services.open_workspace(desk.workspace_folder)
    assert (git / "keepsake-project-id").read_text().strip()
    moved = desk.workspace_folder.rename(desk.folder / "renamed")
    again = services.open_workspace(moved)
    assert again.project.key == first.project.key and again.store.root == first.store.root


def test_a_folder_that_was_renamed_is_asked_about(desk: Desk) -> None:
    desk.workspace.store.write("a.md", "Bees fly at dawn.\n", base_digest=None, origin=ChangeOrigin("person"))
    desk.build().open_workspace(desk.workspace_folder)
    assert desk.workspace.moved == ()
    moved = desk.workspace_folder.rename(desk.folder / "renamed")
    found = desk.build().open_workspace(moved).moved
    assert [(candidate.project.key, candidate.notes) for candidate in found] == [(desk.workspace.project.key, 1)]


def test_a_resumed_session_has_all_the_roots_of_its_own_project(desk: Desk) -> None:
    session_id = _held(desk)
    git = desk.folder / ".git"
    for name in ("objects", "refs"):
        (git / name).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n", encoding="utf-8")
    resumed = desk.services.resume(session_id)
    assert resumed.memories.store().root == desk.workspace.project.memory_root
    assert [root.id for root in resumed.memories.own_roots] == ["project", "user", "workspace"]
    asyncio.run(resumed.close())
