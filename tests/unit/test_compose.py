"""Opening and resuming on real services: which folder, project, model and lock a session has."""

from __future__ import annotations

import asyncio
import shutil
from pathlib import Path

import pytest

from desktop.base.errors import UsageError
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
