"""Which memory replaces which: by root, and the same in whatever order the files were read."""

from __future__ import annotations

import itertools

import pytest

from desktop.memory.succession import replacing, successors_of
from tests.unit.memory.conftest import Desk, note_text
from tests.unit.memory.searching import Searching


@pytest.fixture
def at(desk: Desk) -> Searching:
    return Searching(desk)


def saying(name: str, words: str, *, replaces: str = "") -> str:
    return f"---\nname: {name}\nmetadata:\n  type: project\n  supersedes: [{replaces}]\n---\n\n{words}\n"


@pytest.mark.parametrize("order", list(itertools.permutations(range(3))))
def test_of_several_successors_the_one_that_nothing_replaces_comes_first(order: tuple[int, ...]) -> None:
    memories = [("z.md", "z", ("old",)), ("b.md", "b", ("old", "z")), ("a.md", "a", ("OLD", "b"))]
    successors = successors_of([memories[number] for number in order])
    assert replacing(successors, "old.md", "old") == ("a", "b", "z")
    assert replacing(successors, "deep/old.md", "another name") == ("a", "b", "z"), "a memory is named by its file too"
    assert replacing(successors, "a.md", "a") == ()


def test_a_memory_does_not_replace_itself() -> None:
    successors = successors_of([("a.md", "a", ("a", "A")), ("deep/b.md", "Bee", ("b",))])
    assert replacing(successors, "a.md", "a") == () and replacing(successors, "deep/b.md", "Bee") == ()


def test_a_replaced_memory_stands_below_every_successor_that_is_found(at: Searching) -> None:
    at.put("old.md", saying("old", "granatufer granatufer"))
    at.put("a-late.md", saying("a-late", "turmalin alone", replaces="old"))
    at.put("b-found.md", saying("b-found", "granatufer with a lot of other words beside it", replaces="old"))
    for paths in (["b-found.md", "old.md"], ["b-found.md", "old.md"]):
        assert at.paths("granatufer") == paths
        at.put("a-late.md", saying("a-late", "turmalin alone, read again", replaces="old"))


def test_the_same_name_in_another_root_is_another_memory(at: Searching) -> None:
    """The rules of one project say nothing of what the person keeps for all of them."""
    at.put("new.md", saying("new", "turmalin", replaces="editor"))
    at.put("editor.md", note_text("editor", "The editor is set to four spaces."), root="user")
    hits = at.found("editor spaces").hits
    assert [(hit.root_id, hit.superseded_by) for hit in hits] == [("user", "")]
