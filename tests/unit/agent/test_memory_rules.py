"""The memory section of the system prompt: one source for every path, both languages, what goes where."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from desktop.agent.memory_rules import memory_rules
from desktop.memory.identity import resolve_project
from desktop.memory.memories import Memories
from desktop.memory.switches import MemoryState
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import make_paths

ON = MemoryState(True, "", True, "", "auto")


@pytest.fixture(params=["proj", "项目 {x} a", "it's a %s"])
def memories(tmp_path: Path, request: pytest.FixtureRequest) -> Memories:
    folder = tmp_path / request.param
    folder.mkdir()
    paths = make_paths(tmp_path)
    return Memories(resolve_project(folder, paths), folder, paths, FixedClock(), lambda: ON)


@pytest.mark.parametrize("language", ["en", "zh"])
def test_every_path_of_the_text_is_one_of_the_table_and_the_stores(memories: Memories, language: str) -> None:
    text = memory_rules(memories.own_roots, language)  # type: ignore[arg-type]
    folders = [store.root for store in memories.own()]
    for folder in folders:
        assert str(folder) in text
    for folder in sorted(folders, key=lambda one: -len(str(one))):
        text = text.replace(f"{folder}/MEMORY.md", "").replace(str(folder), "")
    assert re.findall(r"(?<![\w.])/[\w.-]+/[\w./-]+", text) == []


@pytest.mark.parametrize("language", ["en", "zh"])
def test_it_says_what_goes_where_and_names_the_index_tool(memories: Memories, language: str) -> None:
    text = memory_rules(memories.own_roots, language)  # type: ignore[arg-type]
    assert "memory_index" in text and "[[name]]" in text and "32 KB" in text
    said = {"en": ("In all my projects", "In the repository"), "zh": ("所有项目", "写进仓库")}[language]
    assert all(words in text for words in said)


def test_what_nobody_may_write_is_not_named(memories: Memories, tmp_path: Path) -> None:
    other = tmp_path / "other"
    other.mkdir()
    (memories.workspace / ".agents").symlink_to(other)
    text = memory_rules(memories.own_roots, "en")
    assert ".agents" not in text and "In the repository" not in text


def test_extra_guidelines_stand_at_the_end(memories: Memories) -> None:
    assert memory_rules(memories.own_roots, "en", "  Write in verse.  ").rstrip().endswith("Write in verse.")
