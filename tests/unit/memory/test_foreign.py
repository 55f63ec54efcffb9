"""Other tools' memory folders: found by their own rules, for this project and its worktrees only, off unless named, never ours to write."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path

import pytest

from desktop.memory import foreign
from desktop.memory.identity import Project, resolve_project
from desktop.memory.memories import Memories
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import ON, make_paths
from tests.unit.memory.git import git, needs_git, repository


class Settings:
    def __init__(self, tools: object) -> None:
        self.tools = tools
        self.broken = False

    def value(self, key: str) -> object:
        return {"memory.foreign": self.tools, "memory.sensitive_names": [], "memory.git_words": []}.get(key, 100)

    def tightened(self, key: str, value: object) -> object:
        return value


def project_of(tmp_path: Path, folder: Path) -> Project:
    folder.mkdir(parents=True, exist_ok=True)
    return resolve_project(folder, make_paths(tmp_path))


def claude(home: Path, folder: Path) -> Path:
    made = home / ".claude" / "projects" / foreign.claude_slug(str(folder)) / "memory"
    made.mkdir(parents=True)
    (made / "MEMORY.md").write_text("- [a](a.md)\n")
    return made


def zcode(home: Path, folder: Path, place: str = "cli/memories/projects", slug: str = "") -> Path:
    code = hashlib.sha256(str(folder).encode()).hexdigest()[:16]
    made = home / ".zcode" / place / f"{slug or folder.name}-{code}" / "memory"
    made.mkdir(parents=True)
    return made


def test_found_for_this_project_and_no_other(tmp_path: Path) -> None:
    home, folder, other = tmp_path / "home", tmp_path / "my proj.x_y", tmp_path / "other"
    project = project_of(tmp_path, folder)
    own = claude(home, folder)
    claude(home, other)
    zcode(home, other)
    mine = zcode(home, folder, slug="my-proj.x_y")
    found = foreign.found_for(project, {}, home)
    assert [(root.id, root.label, root.folder) for root in found] == [
        ("foreign:claude-code", "Claude Code", own),
        ("foreign:zcode", "ZCode", mine),
    ]
    assert all(root.read_only and root.policy == "deny" and root.channel == "search" for root in found)


@pytest.mark.parametrize(
    ("path", "slug"),
    [
        ("/Users/dev/my_project", "-Users-dev-my-project"),
        ("/home/me/a.b c", "-home-me-a-b-c"),
        ("/home/me/项目", "-home-me---"),
        ("/home/me/😀", "-home-me---"),
        ("C:\\Users\\me\\x", "C--Users-me-x"),
    ],
)
def test_claude_codes_names(path: str, slug: str) -> None:
    assert foreign.claude_slug(path) == slug


@pytest.mark.parametrize(("text", "code"), [("", "0"), ("a", "2p"), ("abc", "22ci")])
def test_the_hash_of_a_cut_name(text: str, code: str) -> None:
    assert foreign.claude_hash(text) == code


@pytest.mark.parametrize("text", ["é项", "/home/me/" + "深" * 90, "😀" * 120, "/" + "x" * 300])
def test_the_hash_counts_utf_16_units_in_32_bits(text: str) -> None:
    data, value = text.encode("utf-16-le"), 0
    for unit in (int.from_bytes(data[i : i + 2], "little") for i in range(0, len(data), 2)):
        value = ((value << 5) - value + unit + 2**31) % 2**32 - 2**31
    assert int(foreign.claude_hash(text), 36) == abs(value)


def test_a_cut_name_counts_with_its_hash_or_with_a_record_that_names_the_path(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / ("a" * 120) / ("b" * 120)
    project = project_of(tmp_path, folder)
    slug = foreign.claude_slug(str(folder))
    assert len(slug) == 200
    base = home / ".claude" / "projects"
    (base / f"{slug}-k3x9" / "memory").mkdir(parents=True)
    assert foreign.found_for(project, {}, home) == (), "another long path may begin alike"
    (base / f"{slug}-k3x9" / "s.jsonl").write_text(json.dumps({"type": "user", "cwd": str(folder) + "x"}) + "\n")
    assert foreign.found_for(project, {}, home) == ()
    (base / f"{slug}-k3x9" / "s.jsonl").write_text("torn{\n" + json.dumps({"type": "user", "cwd": str(folder)}) + "\n")
    assert [root.folder for root in foreign.found_for(project, {}, home)] == [base / f"{slug}-k3x9" / "memory"]
    exact = base / f"{slug}-{foreign.claude_hash(str(folder))}" / "memory"
    exact.mkdir(parents=True)
    assert [root.folder for root in foreign.found_for(project, {}, home)] == [exact]


def test_folders_that_were_moved_by_the_environment(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "proj"
    project = project_of(tmp_path, folder)
    moved = claude(tmp_path / "elsewhere", folder)
    assert foreign.found_for(project, {"CLAUDE_CONFIG_DIR": str(tmp_path / "elsewhere" / ".claude")}, home)[0].folder == moved
    assert foreign.found_for(project, {"CLAUDE_CONFIG_DIR": "relative"}, home) == ()
    zed = zcode(tmp_path / "elsewhere", folder, "memories/projects")
    assert foreign.found_for(project, {"ZCODE_HOME": str(tmp_path / "elsewhere" / ".zcode")}, home)[0].folder == zed


@needs_git
def test_worktrees_and_the_main_tree_are_all_this_project(tmp_path: Path) -> None:
    home = tmp_path / "home"
    main, linked = repository(tmp_path / "main"), tmp_path / "linked"
    git(main, "worktree", "add", str(linked))
    project = project_of(tmp_path, linked)
    first, second = claude(home, main), claude(home, linked)
    found = foreign.found_for(project, {}, home)
    assert [root.folder for root in found] == [first, second]
    assert [root.id for root in found] == ["foreign:claude-code", "foreign:claude-code:2"]
    assert [foreign.tool_of(root) for root in found] == ["claude-code"] * 2
    assert len({root.key for root in found}) == 2


def test_a_link_in_place_of_the_folder_is_not_taken(tmp_path: Path) -> None:
    home, folder = tmp_path / "home", tmp_path / "proj"
    project = project_of(tmp_path, folder)
    made = home / ".claude" / "projects" / foreign.claude_slug(str(folder))
    made.mkdir(parents=True)
    (made / "memory").symlink_to(tmp_path)
    assert foreign.found_for(project, {}, home) == ()


@pytest.mark.parametrize(("tools", "on"), [([], []), (["claude-code"], ["foreign:claude-code"]), (["zcode"], []), (None, []), ("x", [])])
def test_off_unless_the_setting_names_the_tool(tmp_path: Path, tools: object, on: list[str]) -> None:
    home, folder = tmp_path / "home", tmp_path / "proj"
    project = project_of(tmp_path, folder)
    claude(home, folder)
    memories = Memories(project, folder, make_paths(tmp_path), FixedClock(), lambda: ON, settings=Settings(tools), environ={}, home=home)
    assert [root.id for root in memories.roots if root.kind == "foreign"] == on
    assert [root.id for root in memories.found()] == ["foreign:claude-code"], "it is found, so that it can be offered and is never written"
    assert [store.memory_root.kind for store in memories.own()] == ["project", "user", "workspace"]
    assert foreign.PRIVACY


def test_our_own_folder_is_no_foreign_one(tmp_path: Path) -> None:
    """The person may have chosen Claude Code's folder as this project's memory."""
    home, folder = tmp_path / "home", tmp_path / "proj"
    made = claude(home, folder.absolute())
    folder.mkdir()
    project = resolve_project(folder, make_paths(tmp_path), memory_dir=made)
    assert foreign.found_for(project, {}, home) == ()
