"""The folder's own memory file: bound to its digest, asked again when it changes, never read through a link."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop.base.textio import digest
from desktop.memory.workspace_trust import MOST_DIGESTS, WorkspaceTrust, link_problem
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import make_paths


@pytest.fixture
def trust(tmp_path: Path) -> WorkspaceTrust:
    return WorkspaceTrust(make_paths(tmp_path), FixedClock(step_s=1.0))


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "ws" / ".agents" / "memory").mkdir(parents=True)
    return tmp_path / "ws"


def put(folder: Path, text: str) -> str:
    (folder / ".agents" / "memory" / "MEMORY.md").write_text(text)
    return digest(text.encode())


def test_a_file_is_a_strangers_until_its_content_was_allowed(trust: WorkspaceTrust, folder: Path, tmp_path: Path) -> None:
    first = put(folder, "one\n")
    file = trust.look(folder)
    assert (file.state, file.digest, file.size) == ("untrusted", first, 4)
    trust.allow(folder, first)
    assert trust.look(folder).state == "trusted"
    second = put(folder, "two\n")
    assert trust.look(folder).state == "untrusted", "a change asks again"
    trust.allow(folder, second)
    put(folder, "one\n")
    assert trust.look(folder).state == "trusted", "switching a branch back does not"
    other = tmp_path / "clone"
    (other / ".agents" / "memory").mkdir(parents=True)
    put(other, "one\n")
    assert trust.look(other).state == "untrusted", "another folder is another question"


def test_it_is_remembered_by_the_next_process_and_by_real_paths(trust: WorkspaceTrust, folder: Path, tmp_path: Path) -> None:
    trust.allow(folder, put(folder, "one\n"))
    (tmp_path / "link").symlink_to(folder)
    again = WorkspaceTrust(make_paths(tmp_path), FixedClock())
    assert again.look(tmp_path / "link").state == "trusted"
    stored = make_paths(tmp_path).state / "workspace-memory.json"
    assert stored.stat().st_mode & 0o777 == 0o600


@pytest.mark.parametrize(
    "broken", ["", "{", "[]", '{"schema": 99, "folders": {}}', '{"schema": 1, "folders": 3}', '{"schema": 1}', "\x00\xff"]
)
def test_a_damaged_list_allows_nothing_and_is_mended_by_the_next_answer(
    trust: WorkspaceTrust, folder: Path, tmp_path: Path, broken: str
) -> None:
    found = put(folder, "one\n")
    trust.allow(folder, found)
    (make_paths(tmp_path).state / "workspace-memory.json").write_text(broken)
    assert trust.look(folder).state == "untrusted"
    trust.allow(folder, found)
    assert trust.look(folder).state == "trusted"


def test_old_answers_go_when_there_are_too_many(trust: WorkspaceTrust, folder: Path) -> None:
    for number in range(MOST_DIGESTS + 3):
        trust.allow(folder, f"{number:064x}")
    assert not trust.trusted(folder, f"{0:064x}") and trust.trusted(folder, f"{MOST_DIGESTS + 2:064x}")


@pytest.mark.parametrize("level", [".agents", ".agents/memory", ".agents/memory/MEMORY.md"])
def test_a_link_on_the_way_is_never_followed(trust: WorkspaceTrust, tmp_path: Path, level: str) -> None:
    outside = tmp_path / "outside"
    (outside / "memory").mkdir(parents=True)
    for file in (outside / "MEMORY.md", outside / "memory" / "MEMORY.md"):
        file.write_text("secret\n")
    workspace = tmp_path / "ws"
    place = workspace / level
    place.parent.mkdir(parents=True)
    place.symlink_to({".agents": outside, ".agents/memory": outside}.get(level, outside / "MEMORY.md"))
    found = trust.look(workspace)
    assert found.state == "refused" and found.digest == "" and found.problem
    assert bool(link_problem(workspace)) == (level != ".agents/memory/MEMORY.md")


@pytest.mark.parametrize("kind", ["folder", "pipe", "file"])
def test_what_is_no_plain_file_is_said_and_does_not_wait(trust: WorkspaceTrust, folder: Path, kind: str) -> None:
    place = folder / ".agents" / "memory" / "MEMORY.md"
    if kind == "folder":
        place.mkdir()
    elif kind == "pipe":
        os.mkfifo(place)
    else:
        place.parent.rmdir()
        place.parent.write_text("no folder")
    assert trust.look(folder).state == "refused"


def test_a_huge_file_is_an_error_and_is_not_read(trust: WorkspaceTrust, folder: Path) -> None:
    place = folder / ".agents" / "memory" / "MEMORY.md"
    with place.open("wb") as file:
        file.truncate(1 << 30)
    found = trust.look(folder)
    assert found.state == "error" and "MiB" in found.problem
