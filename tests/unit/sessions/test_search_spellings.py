"""A message with all words of a question in other spellings holds all of them, and what of other records is told stays bounded."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.sessions.context import readable_text
from desktop.sessions.index import PROBLEMS_TOLD
from tests.unit.sessions.make import KEY
from tests.unit.sessions.search_world import World, result, world_in


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with world_in(tmp_path) as made:
        yield made


@pytest.mark.parametrize(("query", "said"), [
    ("cafe resume", "we read the résumé in the café"),
    ("mouse plans", "two mice were planned"),
    ("run migration", "it ran the migrations"),
    ("get_user_by_id", "call getUserById there"),
    ("userSessionToken", "the user_session_token is old"),
    ("commit 9f8e7d6c", "commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432 broke it"),
    ("commit 9f8e7d6c5b4a39281706f5e4d3c2b1a098765432", "commit 9f8e7d6 broke it"),
])  # fmt: skip
def test_all_words_in_another_spelling(world: World, query: str, said: str) -> None:
    world.talk("about something else: user token commit", "fine")
    session = world.talk(said, "fine")
    hit = world.find(query)[0]
    assert (hit.session_id, hit.all_words, hit.meaning) == (session, True, False)


def test_a_version_as_it_was_written_before_a_longer_one(world: World) -> None:
    world.talk("versions 3.11.20, 3.11.21, 3.11 2, 3 11 2", "3.11 2")
    session = world.talk("After a long afternoon with wheels and images we all agreed on 3.11.2 for whatever comes next.", "fine")
    assert world.said("3.11.2")[0] == (session, 1)


def test_many_records_that_cannot_be_read_are_told_in_a_few_lines(world: World) -> None:
    for number in range(30):
        path = world.path(world.talk(f"talk {number}", "fine"))
        path.rename(path.with_suffix(".away"))
        path.mkdir()
    world.talk("the marmot sleeps", "fine")
    found = world.search.search("marmot", project_key=KEY)
    assert len(found.hits) == 1
    assert len(found.notes) == PROBLEMS_TOLD + 1
    assert f"{30 - PROBLEMS_TOLD} more sessions" in found.notes[-1]


def test_what_memory_search_gave_is_not_read_on_in_another_conversation() -> None:
    assert "wombat" not in readable_text(result("memory_search", "the wombat sleeps"))
    assert "no such scope" in readable_text(result("memory_search", "no such scope", "error"))
    assert "wombat" in readable_text(result("Bash", "the wombat sleeps"))
