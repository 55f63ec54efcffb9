"""Search over conversations: what is found, in which order, where, and what never is."""

from __future__ import annotations

import random
import string
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.base.errors import NotFoundError
from desktop.messages.parts import TextPart, ThinkingPart
from tests.helpers.seeds import drawn_seed
from tests.unit.sessions.make import KEY, message, new_handle
from tests.unit.sessions.search_world import OTHER, World, call, result, world_in


@pytest.fixture
def world(tmp_path: Path) -> Iterator[World]:
    with world_in(tmp_path) as made:
        yield made


# --- what is found --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("query", ["端口", "数据库", "postgres", "5433", "库", "我们决定用哪个端口"])
def test_chinese_is_found_like_english(world: World, query: str) -> None:
    session = world.talk("我们决定使用端口5433，数据库是postgres", "好的")
    world.talk("明天天气怎么样", "很好")
    assert world.said(query)[0] == (session, 1)


def test_a_hit_says_where_it_stands(world: World) -> None:
    session = world.talk("What about the deploy window?", "Deploys happen on Thursdays only.", title="Release plan")
    hit = world.find("Thursdays")[0]
    assert (hit.session_id, hit.title, hit.project_key, hit.workspace) == (session, "Release plan", KEY, "/srv/demo")
    assert (hit.message, hit.number, hit.role, hit.live) == (2, 2, "assistant", True)
    assert hit.message_id == world.sessions.load(session).messages[1].id
    assert hit.time == world.sessions.load(session).messages[1].time
    assert hit.path == world.path(session)
    (start, end), *_ = hit.marks
    assert hit.snippet[start:end] == "Thursdays"
    assert hit.score == 1.0
    assert hit.why == "holds all words"


def test_the_title_is_found_at_the_first_message_only(world: World) -> None:
    session = world.talk("hello there", "hi", "and more", "sure", title="Zeppelin maintenance")
    (hit,) = world.find("zeppelin hello")
    assert (hit.session_id, hit.message, hit.all_words, hit.meaning) == (session, 1, True, False)


def test_a_title_that_is_changed_later_is_found_and_the_old_one_is_not(world: World) -> None:
    session = world.talk(*["chatter"] * 260, title="Zeppelin")
    assert world.said("zeppelin")
    world.sessions.rename(session, "Gondola")
    assert world.said("gondola") == [(session, 1)]
    assert world.said("zeppelin") == []


@pytest.mark.parametrize(
    "literal",
    [
        "E0308",
        "0x80070005",
        "--no-verify",
        "src/app/parse_header.py",
        "3f2a9bc41d",
        "KEEPSAKE_HOME",
        "v2.68.0",
        "parseHeader",
        "ECONNRESET",
    ],
)
def test_exact_literals_come_first(world: World, literal: str) -> None:
    world.talk("verify the app header and parse it, no src at home", "fine")
    session = world.talk(f"we saw {literal} again", "yes")
    world.talk("another conversation about verify and parse", "ok")
    assert world.said(literal)[0] == (session, 1)


def test_all_words_come_before_some_whoever_said_them(world: World) -> None:
    some = world.talk("the gateway the gateway the gateway", "ok")
    every = world.talk("unrelated", "the gateway times out after ninety seconds because of the balancer and other long reasons " * 3)
    for number in range(12):
        world.talk(f"conversation {number} about something else", "ok")
    found = world.find("gateway balancer")
    assert (found[0].session_id, found[0].message) == (every, 2)
    assert [hit.session_id for hit in found if not hit.all_words] == [some]


def test_without_a_hit_for_all_words_some_are_enough(world: World) -> None:
    session = world.talk("the gateway is slow", "ok")
    assert world.said("gateway unicorn")[0] == (session, 1)
    assert world.find("gateway unicorn")[0].all_words is False


def test_several_queries_are_fused(world: World) -> None:
    first, second = world.talk("wir nehmen den Hafen 5433", "ja"), world.talk("我们用端口 5433", "好")
    assert {session for session, _ in world.said("端口", "Hafen")} == {first, second}


def test_inputs_and_errors_of_tools_are_found_and_outputs_and_file_contents_are_not(world: World) -> None:
    handle = new_handle(world.sessions)
    handle.append(message("go", number=0))
    handle.append(call("Bash", number=1, command="pytest -k quokka", description="run it"))
    handle.append(result("Bash", "wombat passed", number=2))
    handle.append(call("Write", number=3, file_path="/srv/demo/numbat.py", content="echidna = 1"))
    handle.append(result("Write", "ImportError: bilby", "error", number=4))
    handle.append(message("", "assistant", number=5, parts=(ThinkingPart("dugong"), TextPart("done"))))
    handle.close()
    assert world.said("quokka") == [(handle.id, 2)]
    assert world.said("numbat.py") == [(handle.id, 4)]
    assert world.said("bilby") == [(handle.id, 5)]
    assert [world.said(word) for word in ("wombat", "echidna", "dugong")] == [[], [], []]
    assert world.find("quokka")[0].role == "tool"


def test_what_the_app_added_and_earlier_searches_are_never_found(world: World) -> None:
    handle = new_handle(world.sessions)
    handle.append(message("<app-reminder>kangaroo</app-reminder>", number=0))
    handle.append(message("a reminder about the wallaby", origin="app", number=1))
    handle.append(message("<system-reminder>possum</system-reminder>", number=2))
    for number, name in enumerate(("history_search", "memory_search"), 3):
        handle.append(call(name, number=number, queries=["koala"]))
    handle.append(call("ReadSessionContext", number=5, sessionId="sess_x", query="koala"))
    handle.close()
    assert [world.said(word) for word in ("kangaroo", "wallaby", "possum", "koala")] == [[], [], [], []]


def test_secrets_are_neither_found_nor_in_the_index(world: World) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    padding = "x " * 140
    session = world.talk(f"use {secret} for now", "ok", f"{padding}{secret}")
    world.add(session, call("Bash", command=f"curl -H 'Authorization: Bearer {secret}' " + "y" * 270 + f" {secret}"))
    assert world.find("ghp")[0].snippet.count("[secret]") >= 1 if world.find("ghp") else True
    assert world.find(secret) == [] or all(secret not in hit.text for hit in world.find(secret))
    world.search.close()
    for file in world.paths.index.iterdir():
        assert secret.encode() not in file.read_bytes()
        assert secret[:20].encode() not in file.read_bytes()


# --- scopes ---------------------------------------------------------------------------------------------------------------


def test_this_project_by_default_all_on_demand_and_one_session(world: World) -> None:
    own, other = world.talk("the port is 5433", "ok"), world.talk("the port is 9000", "ok", key=OTHER)
    third = world.talk("which port?", "no idea")
    assert {s for s, _ in world.said("port")} == {own, third}
    assert {s for s, _ in world.said("port", key=None)} == {own, other, third}
    assert {s for s, _ in world.said("port", key=(KEY, OTHER))} == {own, other, third}
    assert world.said("port", key=None, session_id=other) == [(other, 1)]
    assert world.said("port", session_id=other) == []


def test_a_file_of_another_project_in_this_folder_is_not_shown_as_this_ones(world: World) -> None:
    other = world.talk("the port is 9000", "ok", key=OTHER)
    own = world.talk("hello", "ok")
    world.path(other).rename(world.path(own).with_name(world.path(other).name))
    assert world.said("port") == []
    assert {s for s, _ in world.said("port", key=None)} == {other}


def test_one_session_does_not_crowd_out_the_others(world: World) -> None:
    crowd = world.talk(*["marmot"] * 40)
    others = [world.talk("a marmot among other words that make the passage longer than it was", "ok") for _ in range(3)]
    found = world.said("marmot", limit=6)
    assert {session for session, _ in found} == {crowd, *others}
    assert len(found) == 6


# --- branches -------------------------------------------------------------------------------------------------------------


def branched(world: World) -> tuple[str, list[str]]:
    """Two prompts; the second was taken back and written anew. Gives the ids of the messages in file order."""
    handle = new_handle(world.sessions)
    first = handle.append(message("start with the walrus", number=0))
    reply = handle.append(message("yes", "assistant", number=1))
    left = handle.append(message("now the narwhal in the left branch", number=2))
    answer = handle.append(message("narwhal it is", "assistant", number=3))
    handle.set_leaf(reply.id)
    again = handle.append(message("now the narwhal in the live branch", number=4))
    last = handle.append(message("fine", "assistant", number=5))
    handle.close()
    return handle.id, [m.id for m in (first, reply, left, answer, again, last)]


def test_every_branch_is_found_and_the_live_one_comes_first(world: World) -> None:
    session, ids = branched(world)
    found = world.find("narwhal")
    assert [(hit.message, hit.number, hit.message_id) for hit in found[:1]] == [(3, 5, ids[4])]
    assert {(hit.message, hit.number) for hit in found[1:]} == {(None, 3), (None, 4)}
    assert world.said("walrus") == [(session, 1)]


def test_numbers_follow_the_live_branch_when_it_moves_back(world: World) -> None:
    session, ids = branched(world)
    assert world.find("narwhal")[0].message_id == ids[4]
    handle = world.sessions.open(session)
    handle.set_leaf(ids[3])
    handle.close()
    found = {hit.message_id: hit.message for hit in world.find("narwhal")}
    assert found == {ids[2]: 3, ids[3]: 4, ids[4]: None}


# --- beside a hit ---------------------------------------------------------------------------------------------------------


def test_the_messages_beside_a_hit(world: World) -> None:
    session = world.talk(*[f"message {n}" for n in range(1, 31)])
    around = world.search.around(session, 15)
    assert [m.message for m in around.messages] == list(range(10, 21))
    assert [m.message for m in around.messages if m.asked] == [15]
    assert (around.earlier, around.later, around.live) == (9, 10, True)
    assert [m.message for m in world.search.around(session, 1, before=5, after=2).messages] == [1, 2, 3]
    assert [m.message for m in world.search.around(session, 30, before=1, after=9).messages] == [29, 30]


def test_beside_a_message_of_a_left_branch_stands_that_branch(world: World) -> None:
    session, ids = branched(world)
    around = world.search.around(session, ids[2])
    assert [m.message_id for m in around.messages] == ids[:4]
    assert [m.message for m in around.messages] == [1, 2, None, None]
    assert around.live is False


def test_what_stands_beside_a_hit_is_cut_and_masked(world: World) -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    session = world.talk(*["端口" * 5_000] * 11, f"the key is {secret}")
    around = world.search.around(session, 6)
    assert all(len(m.text) <= 1_600 for m in around.messages)
    assert sum(len(m.text.encode()) for m in around.messages) <= 20_000
    assert any(m.asked for m in around.messages)
    assert secret not in world.search.around(session, 12).messages[-1].text


def test_of_a_long_message_the_part_that_was_found_is_given(world: World) -> None:
    session = world.talk("filler words " * 3_000 + "the aardvark is here " + "more filler " * 3_000, "ok")
    assert "aardvark" in world.search.around(session, 1, words=["aardvark"]).messages[0].text
    assert "aardvark" not in world.search.around(session, 1).messages[0].text


def test_results_of_tools_stand_beside_a_hit_although_they_are_not_found(world: World) -> None:
    session = world.talk("go", "I look")
    world.add(session, call("Bash", command="ls", number=3), result("Bash", "wombat.txt", number=4), message("more", number=5))
    assert "wombat.txt" in world.search.around(session, 3).messages[3].text


def test_unknown_places_are_said(world: World) -> None:
    session = world.talk("one", "two")
    for where in (0, 3, "msg_" + "0" * 26):
        with pytest.raises(NotFoundError, match="has no message"):
            world.search.around(session, where)
    with pytest.raises(NotFoundError, match="There is no session"):
        world.search.around("sess_" + "0" * 26, 1)


# --- any question ---------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "query",
    ["", "   ", "?!.,;:", "\0", "\ud800", "a\0b", "😀", "端", '"', "'", "NEAR(", "a AND", "OR", "*", "title:", "{a}", "^x", "-", "--",
     "x" * 100_000, "端" * 100_000, "( ) ( )", "\u202e", "a" * 5 + "\ud83d", "NOT"],
)  # fmt: skip
def test_no_question_raises(world: World, query: str) -> None:
    world.talk("some words 端口 😀", "and \ud800 more \0 text")
    assert world.search.search(query, project_key=KEY).notes == ()
    assert world.search.search([query, "端口"], project_key=None).hits


def test_random_questions_do_not_raise(world: World) -> None:
    seed = drawn_seed()
    rng = random.Random(seed)
    world.talk("some words 端口", "and more")
    alphabet = string.printable + "端口的了\u200b\ud800\0😀é"
    for _ in range(60):
        world.search.search("".join(rng.choices(alphabet, k=rng.randrange(1, 40))), project_key=None, reconcile=False)


def test_an_index_that_cannot_be_kept_on_disk_is_said_and_works(world: World) -> None:
    session = world.talk("the marmot", "ok")
    world.paths.index.write_text("a file in the place of the folder")
    found = world.search.search("marmot", project_key=KEY)
    assert [hit.session_id for hit in found.hits] == [session]
    assert any("cannot be kept on disk" in note for note in found.notes)


def test_limits_are_kept_within_bounds(world: World) -> None:
    world.talk(*["marmot"] * 120)
    assert len(world.find("marmot", limit=0)) == 1
    assert len(world.find("marmot", limit=10_000)) <= 50


def test_leave_out(world: World) -> None:
    first, second = world.talk("the marmot", "ok"), world.talk("a marmot", "ok")
    assert world.said("marmot", leave_out=lambda hit: hit.session_id == first) == [(second, 1)]
