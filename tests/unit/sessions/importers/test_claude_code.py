"""Sessions of Claude Code: every kind of record, sub-agents, compaction, big results beside the transcript, damage of every kind."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import claude_code
from desktop.sessions.importers.convert import as_transcript
from desktop.sessions.importers.reading import Sample, Source, take_sample
from desktop.sessions.importers.shapes import ImportedSession
from desktop.sessions.importers.tree import stitched
from tests.unit.sessions.importers import claude_world as world
from tests.unit.sessions.importers.claude_world import SESSION, answer, gave, text, use, user
from tests.unit.sessions.importers.damage import Harm, damaged_bytes, damaged_lines, wrong_types


def opened(folder: Path, records: Sequence[dict[str, Any]], name: str = SESSION) -> ImportedSession:
    return claude_code.read(Source(world.write(folder / f"{name}.jsonl", records)), None)


def test_a_session_is_read_whole(tmp_path: Path) -> None:
    found = opened(tmp_path, world.plain_session())
    assert (found.source, found.id, found.kind, found.parent) == ("claude-code", SESSION, "chat", "")
    assert (found.workspace, found.git_branch, found.model) == (world.FOLDER, "main", "claude-demo-1")
    assert found.title == "看看 a.py, please — naïve 🎉"
    assert [one.id for one in found.messages] == ["u1", "a2", "u3", "a4", "u5", "a6", "u7", "a8"]
    assert [one.parent for one in found.messages] == [None, "u1", "a2", "u3", "a4", "u5", "a6", "u7"]
    assert found.branches == 1 and found.leaf == "a8" and found.damage == ()
    looked, read = found.messages[1:3]
    assert (looked.role, looked.text, looked.thinking, looked.model, looked.tokens) == ("assistant", "I look.", "hm", "claude-demo-1", 15)
    assert [(call.id, call.name, call.input) for call in looked.tool_calls] == [("c1", "Read", {"file_path": "a.py"})]
    assert (read.role, read.text) == ("user", "")
    assert [(one.id, one.output, one.is_error) for one in read.tool_results] == [("c1", "x = 1\nline two", False)]
    assert found.started == looked.time.replace(minute=1) if looked.time else False
    assert looked.time == datetime(2026, 1, 2, 3, 2, 5, tzinfo=UTC)


def test_its_file_is_known_by_what_it_holds(tmp_path: Path) -> None:
    path = world.write(tmp_path / "any-name.txt", world.plain_session())
    assert claude_code.score(take_sample(Source(path))) == 95
    plain = [{"type": one["type"], "message": one["message"]} for one in world.plain_session() if one["type"] in ("user", "assistant")]
    assert claude_code.score(take_sample(Source(world.write(tmp_path / "plain", plain)))) == 75
    kept: list[dict[str, Any]] = [{"type": "summary", "summary": "words", "leafUuid": "x"}]
    assert claude_code.score(take_sample(Source(world.write(tmp_path / "kept", kept)))) == 60
    qwen = [{**user("u1", None, ""), "message": {"role": "user", "parts": [{"text": "hello"}]}}]
    assert claude_code.score(take_sample(Source(world.write(tmp_path / "qwen", qwen)))) == 0
    other: list[dict[str, Any]] = [
        {"type": "message", "id": "1", "message": {"role": "user", "content": "hi"}},
        {"role": "user", "content": "hi"},
    ]
    assert claude_code.score(take_sample(Source(world.write(tmp_path / "other", other)))) == 0


def test_an_edit_and_a_compaction_make_the_branches_that_they_should(tmp_path: Path) -> None:
    boundary = {
        "type": "system",
        "subtype": "compact_boundary",
        "uuid": "b1",
        "parentUuid": None,
        "logicalParentUuid": "u4",
        "sessionId": SESSION,
    }
    found = opened(
        tmp_path,
        [
            user("u1", None, "one"),
            answer("a2", "u1", text("two")),
            user("u3", "a2", "three"),
            user("u4", "a2", "three, better"),
            boundary,
            user("u5", "b1", "This session is being continued from a previous conversation that …", isCompactSummary=True),
            user("u6", "u5", "go on"),
        ],
    )
    assert found.branches == 2
    assert {one.id: one.parent for one in found.messages} == {"u1": None, "a2": "u1", "u3": "a2", "u4": "a2", "u5": "u4", "u6": "u5"}
    assert [one.id for one in found.messages if one.hidden] == ["u5"]
    assert [one.id for one in as_transcript(found, "sess_x", "").live] == ["u1", "a2", "u4", "u5", "u6"]


@pytest.mark.parametrize("logical", [None, "not-in-this-file"])
def test_a_boundary_without_a_known_parent_follows_what_was_before(tmp_path: Path, logical: str | None) -> None:
    boundary = {"type": "system", "subtype": "compact_boundary", "uuid": "b1", "parentUuid": None, "logicalParentUuid": logical}
    found = opened(tmp_path, [user("u1", None, "one"), answer("a2", "u1", text("two")), boundary, user("u3", "b1", "three")])
    assert found.branches == 1 and found.messages[2].parent == "a2"


def test_a_summary_without_a_boundary_follows_too(tmp_path: Path) -> None:
    records = [user("u1", None, "one"), answer("a2", "u1", text("two")), user("u3", None, "what was", isCompactSummary=True)]
    assert [one.parent for one in opened(tmp_path, records).messages] == [None, "u1", "a2"]


def test_results_of_calls_made_side_by_side_stand_on_the_live_branch(tmp_path: Path) -> None:
    found = opened(
        tmp_path,
        [
            user("u1", None, "both"),
            answer("a2", "u1", [use("c1")]),
            answer("a3", "a2", [use("c2")]),
            answer("a4", "a3", [use("c3")]),
            user("r2", "a3", [gave("c2", "two")]),
            user("r1", "a2", [gave("c1", "one")]),
            user("r3", "a4", [gave("c3", "three")]),
            answer("a5", "r3", text("done")),
        ],
    )
    assert found.branches == 3
    whole = replace(found, messages=tuple(stitched(found.messages)))
    live = as_transcript(found, "sess_x", "").live
    assert [one.id for one in live] == ["u1", "a2", "a3", "a4", "r2", "r1", "r3", "a5"]
    assert len({one.parent for one in whole.messages}) == len(whole.messages)


def test_results_that_end_the_file_stand_on_the_live_branch(tmp_path: Path) -> None:
    records = [
        user("u1", None, "both"),
        answer("a2", "u1", [use("c1"), use("c2"), use("c3")]),
        user("r1", "a2", [gave("c1", "1")]),
        user("r2", "a2", [gave("c2", "2")]),
    ]
    found = opened(tmp_path, [*records, user("r3", "a2", [gave("c3", "3")])])
    assert [one.id for one in as_transcript(found, "sess_x", "").live] == ["u1", "a2", "r1", "r2", "r3"]


def test_real_branches_stay_branches_in_the_view(tmp_path: Path) -> None:
    found = opened(tmp_path, [user("u1", None, "a"), answer("a2", "u1", text("b")), user("u3", "a2", "c"), user("u4", "a2", "d")])
    assert stitched(found.messages) == list(found.messages)


def test_children_before_their_parents_keep_them(tmp_path: Path) -> None:
    records = [user("u1", None, "one"), user("u3", "a2", "three"), answer("a2", "u1", text("two"))]
    found = opened(tmp_path, records)
    assert {one.id: one.parent for one in found.messages} == {"u1": None, "u3": "a2", "a2": "u1"}
    assert [one.id for one in stitched(found.messages)] == ["u1", "a2", "u3"]


def test_parents_in_a_circle_end(tmp_path: Path) -> None:
    found = opened(
        tmp_path, [user("u1", "a3", "one"), answer("a2", "u1", text("two")), answer("a3", "a2", text("three")), user("u4", "u4", "x")]
    )
    assert len(found.messages) == 4 and len(stitched(found.messages)) == 4 and found.branches >= 1
    assert len(as_transcript(found, "sess_x", "").messages) == 4


def test_a_record_counts_once_and_the_fuller_one(tmp_path: Path) -> None:
    records = [user("u1", None, "one"), answer("a2", "u1", text("tw")), answer("a2", "u1", text("two, whole")), user("u1", None, "one")]
    found = opened(tmp_path, records)
    assert [one.text for one in found.messages] == ["one", "two, whole"]


def test_one_answer_in_many_records_counts_its_tokens_once(tmp_path: Path) -> None:
    def part(own: str, parent: str, content: list[dict[str, Any]], out: int) -> dict[str, Any]:
        made = answer(own, parent, content)
        made["message"] |= {"id": "msg_same", "usage": {"input_tokens": 7, "cache_read_input_tokens": 100, "output_tokens": out}}
        return made

    records = [user("u1", None, "x"), part("a2", "u1", text("a"), 1), part("a3", "a2", [use("c1")], 20)]
    found = opened(tmp_path, records)
    assert [one.tokens for one in found.messages] == [0, 0, 127]


def test_titles_in_their_order(tmp_path: Path) -> None:
    records = [user("u1", None, "the prompt")]
    foreign = {"type": "summary", "summary": "Of another session", "leafUuid": "elsewhere"}
    own = {"type": "summary", "summary": "Of this one", "leafUuid": "u1"}
    made = {"type": "ai-title", "aiTitle": "By the model", "sessionId": SESSION}
    named = [{"type": "custom-title", "customTitle": name, "sessionId": SESSION} for name in ("First name", "By the person")]
    assert opened(tmp_path, [foreign, *records]).title == "the prompt"
    assert opened(tmp_path, [foreign, *records, own]).title == "Of this one"
    assert opened(tmp_path, [*records, own, made]).title == "By the model"
    assert opened(tmp_path, [*records, *named, made]).title == "By the person"
    assert opened(tmp_path, [foreign, user("u1", None, "<command-name>/clear</command-name>")]).title == "Of another session"


WRAPPED = [
    "<command-name>/model</command-name>\n<command-message>model</command-message>\n<command-args></command-args>",
    "<local-command-stdout>Set model</local-command-stdout>",
    "<local-command-stdout>cut in the mid",
    "Caveat: The messages below were generated by the user while running local commands. DO NOT respond",
    "<system-reminder>be kind</system-reminder>\n<system-reminder>again</system-reminder>",
    "<bash-input>ls</bash-input>",
    "<bash-stdout>a</bash-stdout><bash-stderr></bash-stderr>",
    "[Request interrupted by user for tool use]",
    "<task-notification>\n<task-id>1</task-id>\n</task-notification>",
]


@pytest.mark.parametrize("words", WRAPPED)
def test_what_the_tool_put_in_is_hidden_and_no_title(tmp_path: Path, words: str) -> None:
    found = opened(tmp_path, [user("u1", None, words), user("u2", "u1", text("<ide_opened_file>x</ide_opened_file>") + text("real words"))])
    assert [one.hidden for one in found.messages] == [True, False]
    assert found.messages[0].text == words.strip() or found.messages[0].text == words
    assert found.title == "real words"


@pytest.mark.parametrize("words", ["<task>do it</task>", "<div>what is that</div>", "a <system-reminder> is what?", "看看 <b>这个</b>"])
def test_what_a_person_wrote_in_tags_is_not_hidden(tmp_path: Path, words: str) -> None:
    assert not opened(tmp_path, [user("u1", None, words)]).messages[0].hidden


def test_marks_and_messages_of_the_tool_itself_are_hidden(tmp_path: Path) -> None:
    synthetic = answer("a3", "u2", text("API Error: overloaded"), isApiErrorMessage=True)
    synthetic["message"]["model"] = "<synthetic>"
    records = [user("u1", None, "note", isMeta=True), user("u2", "u1", "real"), synthetic, user("r4", "a3", [gave("c", "x")], isMeta=True)]
    found = opened(tmp_path, records)
    assert [one.hidden for one in found.messages] == [True, False, True, False]
    assert found.model == ""


def test_side_talk_is_marked_and_is_not_live(tmp_path: Path) -> None:
    side = {"isSidechain": True}
    records = [
        user("u1", None, "find it"),
        answer("a2", "u1", [use("c1", "Task", prompt="look")]),
        user("s3", None, "look", **side),
        answer("s4", "s3", text("there"), **side),
        user("u5", "a2", [gave("c1", [{"type": "text", "text": "there"}])]),
        answer("a6", "u5", text("found")),
        answer("s7", "s4", text("more"), **side),
    ]
    found = opened(tmp_path, records)
    assert [one.id for one in found.messages if one.sidechain] == ["s3", "s4", "s7"]
    assert found.branches == 2 and found.leaf == "a6" and found.kind == "chat"
    assert [one.id for one in as_transcript(found, "sess_x", "").live] == ["u1", "a2", "u5", "a6"]


def agent_records() -> list[dict[str, Any]]:
    more = {"isSidechain": True, "agentId": "abc123"}
    return [user("s1", None, "Look for it", **more), answer("s2", "s1", text("Found."), **more)]


def test_sub_agents_in_files_of_their_own(tmp_path: Path) -> None:
    world.write(tmp_path / SESSION / "subagents" / "agent-abc123.jsonl", agent_records())
    (tmp_path / SESSION / "subagents" / "agent-abc123.meta.json").write_text('{"agentType":"Explore","description":"Find the parser"}')
    world.write(tmp_path / "agent-def456.jsonl", [{**one, "agentId": "def456"} for one in agent_records()])
    world.write(tmp_path / "agent-other.jsonl", [{**one, "sessionId": "another", "agentId": "other"} for one in agent_records()])
    main = opened(tmp_path, world.plain_session())
    assert main.agents == ("abc123", "def456")
    agent = claude_code.read(Source(tmp_path / SESSION / "subagents" / "agent-abc123.jsonl"), None)
    assert (agent.kind, agent.id, agent.parent, agent.title) == ("sub-agent", "abc123", SESSION, "Find the parser")
    assert agent.leaf == "s2" and agent.branches == 1
    listed = {entry.path.name: entry for entry in claude_code.entries(Source(tmp_path))}
    assert len(listed) == 4
    assert (listed["agent-abc123.jsonl"].kind, listed["agent-abc123.jsonl"].parent) == ("sub-agent", SESSION)
    assert listed[f"{SESSION}.jsonl"].title == "看看 a.py, please — naïve 🎉" and listed[f"{SESSION}.jsonl"].kind == "chat"


def test_a_fork_names_where_it_comes_from(tmp_path: Path) -> None:
    more = {"forkedFrom": {"sessionId": "older", "messageUuid": "u1"}}
    assert opened(tmp_path, [user("u1", None, "x", **more)]).parent == "older"


# --- results and content -----------------------------------------------------------------------------------------------------


def persisted(name: str) -> str:
    head = f"<persisted-output>\nOutput too large (80KB). Full output saved to: /home/ada/.claude/projects/-x/{SESSION}/tool-results/{name}"
    return f"{head}\n\nPreview (first 2KB):\nstart\n</persisted-output>"


def result_of(folder: Path, name: str, said: str | None = None, **more: Any) -> str:
    records = [answer("a1", None, [use("c1")]), user("u2", "a1", [gave("c1", persisted(name) if said is None else said)], **more)]
    return opened(folder, records).messages[1].tool_results[0].output


def test_a_big_result_is_read_from_beside_the_transcript(tmp_path: Path) -> None:
    side = tmp_path / SESSION / "tool-results"
    side.mkdir(parents=True)
    (side / "c1.txt").write_text("全文\n" * 1000, encoding="utf-8")
    (side / "c2.json").write_text(json.dumps([{"type": "text", "text": "in parts"}]))
    (side / "odd.txt").write_bytes(b"\xff\xfe\xff words")
    assert result_of(tmp_path, "c1.txt") == "全文\n" * 1000
    assert result_of(tmp_path, "c2.json") == "in parts"
    assert result_of(tmp_path, "odd.txt").endswith("words")
    assert result_of(tmp_path, "lost.txt") == persisted("lost.txt")
    assert result_of(tmp_path, "lost.txt", toolUseResult={"persistedOutputPath": "C:\\x\\tool-results\\c1.txt"}).startswith("全文")
    assert result_of(tmp_path, "c1.txt", "no marker, saved to: c1.txt") == "no marker, saved to: c1.txt"


def test_nothing_outside_the_sessions_own_folder_is_read(tmp_path: Path) -> None:
    side = tmp_path / SESSION / "tool-results"
    side.mkdir(parents=True)
    secret = tmp_path / "secret.txt"
    secret.write_text("not yours")
    (side / "link.txt").symlink_to(secret)
    (side / "folder.txt").mkdir()
    (side / "big.txt").write_bytes(b"x" * ((5 << 20) + 1))
    for name in ("link.txt", "folder.txt", "big.txt", "../../secret.txt", "..", "../secret.txt", "a\0b"):
        assert "not yours" not in result_of(tmp_path, name)
        assert result_of(tmp_path, name).startswith("<persisted-output>")


def test_a_linked_folder_of_results_is_not_read(tmp_path: Path) -> None:
    (tmp_path / "elsewhere").mkdir()
    (tmp_path / "elsewhere" / "c1.txt").write_text("not yours")
    (tmp_path / SESSION).mkdir()
    (tmp_path / SESSION / "tool-results").symlink_to(tmp_path / "elsewhere")
    assert "not yours" not in result_of(tmp_path, "c1.txt")


def test_pictures_documents_and_servers_tools(tmp_path: Path) -> None:
    source = {"type": "base64", "media_type": "image/png", "data": world.PICTURE}
    image = {"type": "image", "source": source}
    records = [
        user(
            "u1", None, [image, *text("what is it?"), {"type": "document", "title": "Plan", "source": {"type": "base64", "data": "eA=="}}]
        ),
        answer("a2", "u1", [{"type": "server_tool_use", "id": "c1", "name": "web_search", "input": {"query": "x"}}]),
        user("u3", "a2", [{"type": "web_search_tool_result", "tool_use_id": "c1", "content": [{"url": "https://example.org"}]}]),
        answer("a4", "u3", [use("c2"), {"type": "redacted_thinking", "data": "xx"}]),
        user("u5", "a4", [gave("c2", [*text("seen"), image], failed=True), gave("c3", [image])]),
    ]
    found = opened(tmp_path, records)
    assert found.messages[0].pictures == (("image/png", world.PICTURE),)
    assert found.messages[0].text == "what is it?\n\n[document: Plan]" and not found.messages[0].hidden
    assert found.messages[1].tool_calls[0].name == "web_search"
    assert "example.org" in found.messages[2].tool_results[0].output
    seen, bare = found.messages[4].tool_results
    assert (seen.output, seen.is_error, seen.pictures) == ("seen", True, (("image/png", world.PICTURE),))
    assert (bare.output, bare.pictures) == ("", (("image/png", world.PICTURE),))


def test_calls_and_results_without_ids_are_paired_in_order(tmp_path: Path) -> None:
    def bare(block: dict[str, Any]) -> dict[str, Any]:
        return {key: value for key, value in block.items() if key not in ("id", "tool_use_id")}

    records = [answer("a1", None, [bare(use("", "A")), bare(use("", "B"))]), user("u2", "a1", [bare(gave("", "1")), bare(gave("", "2"))])]
    calls, results = (opened(tmp_path, records).messages[0].tool_calls, opened(tmp_path, records).messages[1].tool_results)
    assert [one.id for one in calls] == [one.id for one in results] and len({one.id for one in calls}) == 2


def test_records_without_ids_follow_each_other(tmp_path: Path) -> None:
    records = [{"type": one["type"], "message": one["message"]} for one in world.plain_session() if one["type"] in ("user", "assistant")]
    found = opened(tmp_path, records, "stem")
    assert found.id == "stem" and found.branches == 1 and len(found.messages) == 8
    assert [one.parent for one in found.messages[1:]] == [one.id for one in found.messages[:-1]]


def test_records_of_which_none_names_a_parent_are_one_branch(tmp_path: Path) -> None:
    found = opened(tmp_path, [{**one, "parentUuid": None} for one in world.plain_session() if "uuid" in one])
    assert found.branches == 1 and len(as_transcript(found, "sess_x", "").live) == 8


def test_what_stream_json_prints_is_read(tmp_path: Path) -> None:
    head = {"type": "system", "subtype": "init", "cwd": world.FOLDER, "session_id": SESSION, "tools": []}
    said: list[dict[str, Any]] = [
        {"type": "user", "message": {"role": "user", "content": "hi"}, "session_id": SESSION, "parent_tool_use_id": None},
        {"type": "assistant", "message": {"role": "assistant", "content": [use("c1", "Task")]}, "session_id": SESSION},
        {
            "type": "assistant",
            "message": {"role": "assistant", "content": text("inside")},
            "session_id": SESSION,
            "parent_tool_use_id": "c1",
        },
        {"type": "user", "message": {"role": "user", "content": [gave("c1", "done")]}, "session_id": SESSION, "parent_tool_use_id": None},
        {"type": "result", "subtype": "success", "result": "done", "session_id": SESSION, "total_cost_usd": 0.1},
    ]
    found = opened(tmp_path, [head, *said], "out")
    assert (found.id, found.workspace, len(found.messages)) == (SESSION, world.FOLDER, 4)
    assert [one.sidechain for one in found.messages] == [False, False, True, False]
    assert found.messages[3].parent == found.messages[1].id


def test_a_list_of_records_is_read(tmp_path: Path) -> None:
    path = tmp_path / "list.json"
    path.write_text(json.dumps([*world.plain_session(), 7], indent=1))
    assert claude_code.score(take_sample(Source(path))) == 95
    found = claude_code.read(Source(path), None)
    assert len(found.messages) == 8 and len(found.damage) == 1


# --- folders -----------------------------------------------------------------------------------------------------------------


def test_a_configuration_folder_is_a_store(tmp_path: Path) -> None:
    project = tmp_path / ".claude" / "projects" / "-home-ada-demo"
    world.write(project / f"{SESSION}.jsonl", world.plain_session())
    old = [{**one, "timestamp": "2020-01-01T00:00:00Z", "sessionId": "old"} for one in world.plain_session()]
    world.write(project / "old.jsonl", [{"type": "attachment", "x": "y" * 200_000}, *old])
    (project / "sessions-index.json").write_text(json.dumps({"entries": [{"sessionId": "old", "summary": "From the list"}, 3]}))
    for folder in (tmp_path / ".claude", tmp_path / ".claude" / "projects", project):
        assert claude_code.score(take_sample_of(folder)) > 0
        listed = {entry.path.stem: entry for entry in claude_code.entries(Source(folder))}
        assert set(listed) == {SESSION, "old"}
        assert listed["old"].title == "From the list" and listed[SESSION].workspace == world.FOLDER
        assert listed["old"].updated == datetime(2020, 1, 1, tzinfo=UTC)
        assert claude_code.read(Source(folder), None).id == SESSION
        assert claude_code.read(Source(folder), "old").id == "old"
        assert claude_code.read(Source(folder), "none").damage


def take_sample_of(folder: Path) -> Sample:
    return Sample(folder)


def test_a_sessions_own_folder_opens_the_session(tmp_path: Path) -> None:
    world.write(tmp_path / f"{SESSION}.jsonl", world.plain_session())
    world.write(tmp_path / SESSION / "subagents" / "agent-abc123.jsonl", agent_records())
    assert claude_code.score(take_sample_of(tmp_path / SESSION)) > 0
    assert claude_code.read(Source(tmp_path / SESSION), None).id == SESSION
    assert claude_code.read(Source(tmp_path / SESSION), "abc123").kind == "sub-agent"


def test_a_folder_of_other_things_is_not_claimed(tmp_path: Path) -> None:
    world.write(tmp_path / "a" / "one.jsonl", world.plain_session())
    (tmp_path / "a" / "notes.md").write_text("# words")
    assert claude_code.score(take_sample_of(tmp_path / "a")) == 0
    world.write(tmp_path / "b" / "one.jsonl", [{"role": "user", "content": "x"}])
    assert claude_code.score(take_sample_of(tmp_path / "b")) == 0
    assert claude_code.score(take_sample_of(tmp_path / "none")) == 0


# --- damage ------------------------------------------------------------------------------------------------------------------


def said(found: ImportedSession) -> list[tuple[Any, ...]]:
    return [(one.id, one.role, one.text, one.thinking, one.tool_calls, one.tool_results, one.time) for one in found.messages]


LINES = world.lines(world.plain_session())


@pytest.mark.parametrize("harm", list(damaged_lines(LINES)), ids=lambda harm: harm.name)
def test_every_whole_record_survives(tmp_path: Path, harm: Harm) -> None:
    path = tmp_path / f"{SESSION}.jsonl"
    path.write_bytes(harm.data)
    found = claude_code.read(Source(path), None)
    if harm.survivors is not None:
        whole = tmp_path / "whole.jsonl"
        whole.write_bytes(b"".join(LINES[number] + b"\n" for number in harm.survivors))
        assert said(found) == said(claude_code.read(Source(whole), None))
        if len(harm.survivors) > 5:
            assert claude_code.score(take_sample(Source(path))) > 0
    if harm.told is not None and harm.data.strip(b"\xef\xbb\xbf \t\r\n"):
        assert bool(found.damage) == harm.told, found.damage
    assert all(one.reason and one.line >= 1 for one in found.damage)
    assert path.read_bytes() == harm.data
    as_transcript(found, "sess_x", "")


@pytest.mark.parametrize("harm", list(damaged_bytes(b"".join(line + b"\n" for line in LINES))), ids=lambda harm: harm.name)
def test_any_damage_is_borne(tmp_path: Path, harm: Harm) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(harm.data)
    found = claude_code.read(Source(path), None)
    json.dumps([one.text for one in found.messages], ensure_ascii=False).encode()
    as_transcript(found, "sess_x", "")


def test_a_record_glued_behind_deep_nesting_survives(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    deep = b'{"a":[{"b":' * 50_000
    mixed = b'{"k":1,"a":' * 4_000
    path.write_bytes(LINES[1] + b"\n" + deep + LINES[2] + b"\n" + mixed + b"\n" + LINES[4] + b"\n")
    found = claude_code.read(Source(path), None)
    assert [one.id for one in found.messages] == ["u1", "a2", "u3"]
    assert {one.line for one in found.damage} == {2, 3}


def test_a_record_glued_behind_a_text_too_broken_to_search_survives(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(LINES[1] + b"\n" + b'{"' * 400_000 + LINES[2] + b"\n" + LINES[4] + b"\n")
    found = claude_code.read(Source(path), None)
    assert [one.id for one in found.messages] == ["u1", "a2", "u3"]
    assert any("too broken" in one.reason for one in found.damage) and {one.line for one in found.damage} == {2}


def test_every_field_may_be_of_any_type(tmp_path: Path) -> None:
    records: list[dict[str, Any]] = [
        answer("a2", "u1", [*text("x"), {"type": "thinking", "thinking": "t"}, use("c1", file_path="a")], costUSD=0.5),
        user(
            "u3",
            "a2",
            [gave("c1", [*text("y")]), {"type": "image", "source": {"media_type": "image/png", "data": "eA=="}}],
            toolUseResult={},
        ),
        {"type": "system", "subtype": "compact_boundary", "uuid": "b", "parentUuid": "u3", "logicalParentUuid": "a2", "sessionId": "s"},
        {"type": "summary", "summary": "s", "leafUuid": "u3"},
    ]
    tried = 0
    for number, record in enumerate(records):
        changed = [*wrong_types(record)]
        tried += len(changed)
        rest = [user("u1", None, "first"), *records[:number], *records[number + 1 :], user("u9", "u3", "last")]
        for one in changed:
            assert isinstance(one, dict)
            found = opened(tmp_path, [rest[0], one, *rest[1:]])
            claude_code.score(Sample(tmp_path, (one,), one, magic=b"{"))
            assert {"u1", "u9"} <= {message.id for message in found.messages}
            as_transcript(found, "sess_x", "")
    assert tried > 300
    print(f"{tried} records with a field of a wrong type")


def test_lone_surrogates_can_be_written_again(tmp_path: Path) -> None:
    path = tmp_path / "x.jsonl"
    path.write_bytes(
        world.lines([user("u1", None, "SURR"), answer("a2", "u1", [use("c1", SURR="SURR")])])[0].replace(b"SURR", b"\\ud800x") + b"\n"
    )
    assert claude_code.read(Source(path), None).messages[0].text.encode() == "\ufffdx".encode()
