"""The table of roots: which rows exist, who may write them, and that nobody else decides it."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

import desktop
from desktop.memory.memories import own_roots
from desktop.memory.roots import MemoryRoot, foreign_root, project_root, user_root, workspace_root
from tests.unit.memory.conftest import Desk

ACTORS = ("main", "extractor", "person", "outside", "dream")


def rows(desk: Desk) -> dict[str, MemoryRoot]:
    found = (
        project_root(desk.project),
        user_root(desk.paths),
        workspace_root(desk.project.folder),
        foreign_root("claude-code", "Claude Code", desk.paths.data / "x"),
    )
    return {row.kind: row for row in found}


@pytest.mark.parametrize(
    ("kind", "writers", "policy", "profile", "channel"),
    [
        ("project", {"main", "extractor", "person", "dream"}, "allow", "index", "block"),
        ("user", {"person", "dream"}, "ask", "sections", "block"),
        ("workspace", {"main", "person"}, "ask", "single", "block"),
        ("foreign", set(), "deny", "index", "search"),
    ],
)
def test_the_table(desk: Desk, kind: str, writers: set[str], policy: str, profile: str, channel: str) -> None:
    row = rows(desk)[kind]
    assert {actor for actor in ACTORS if row.may_write(actor)} == writers  # type: ignore[arg-type]
    assert (row.policy, row.profile, row.channel) == (policy, profile, channel)
    assert row.folder.is_absolute()


def test_places_are_those_of_the_design(desk: Desk) -> None:
    found = rows(desk)
    assert found["project"].folder == desk.paths.data / "memories" / "projects" / desk.project.key / "memory"
    assert found["user"].folder == desk.paths.data / "memories" / "global"
    assert found["workspace"].folder == desk.project.folder / ".agents" / "memory"
    assert (found["user"].tokens, found["workspace"].bytes) == (6_000, 32_768)


def test_every_root_keeps_its_journal_under_a_key_of_its_own(desk: Desk) -> None:
    keys = [row.key for row in rows(desk).values()]
    assert len(set(keys)) == len(keys)
    assert all(key and "/" not in key and "\\" not in key for key in keys)


def test_one_folder_is_one_root(desk: Desk) -> None:
    """The person may keep a project's memory in the folder's own `.agents/memory`."""
    from dataclasses import replace

    shared = desk.project.folder / ".agents" / "memory"
    project = replace(desk.project, memory_root=shared)
    assert [row.id for row in own_roots(project, desk.project.folder, desk.paths)] == ["project", "user"]


@pytest.mark.parametrize("name", [".agents", "global"])
def test_no_other_module_knows_where_a_root_lies(name: str) -> None:
    """Gate, permission, prompt and jobs ask the table. A module that spells the folder itself would go its own way."""
    allowed = {"desktop/memory/roots.py"}
    found = set()
    for path in Path(desktop.__file__).parent.rglob("*.py"):
        if not {"memory", "agent", "tools", "permissions"} & set(path.relative_to(Path(desktop.__file__).parent).parts):
            continue
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Constant) and node.value == name:
                found.add(path.relative_to(Path(desktop.__file__).parent.parent).as_posix())
    assert found <= allowed
