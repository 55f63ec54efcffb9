"""Known formats in forms that their tools write seldom: records in another order or over many lines, facts that come late, noise before."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from desktop.sessions.importers import ImportedSession, list_transcripts, open_transcript
from tests.unit.sessions.importers import claude_world as claude
from tests.unit.sessions.importers import codex_world as codex
from tests.unit.sessions.importers.others_world import copilot, file_of, gemini_answer, gemini_head, gemini_user, pi_head, pi_message, qwen

Record = dict[str, Any]


def live(found: ImportedSession) -> list[str]:
    """Texts from the first message to the end of the live branch."""
    by_id = {one.id: one for one in found.messages}
    at = found.leaf or next((one.id for one in reversed(found.messages) if not one.sidechain), None)
    texts: list[str] = []
    while at is not None:
        texts.append(by_id[at].text)
        at = by_id[at].parent
    return texts[::-1]


def written(path: Path, records: list[Record], indent: int | None = None) -> Path:
    path.write_text("".join(json.dumps(one, indent=indent) + "\n" for one in records), "utf-8")
    return path


# --- Claude Code ------------------------------------------------------------------------------------------------------------


def test_records_in_reverse_still_make_the_whole_live_branch(tmp_path: Path) -> None:
    records = [claude.user("u1", None, "one"), claude.answer("a1", "u1", claude.text("two")), claude.user("u2", "a1", "three")]
    found = open_transcript(written(tmp_path / "s.jsonl", records[::-1]))
    assert (live(found), found.branches) == (["one", "two", "three"], 1)


def test_of_two_ends_below_the_last_record_the_newer_one_is_live(tmp_path: Path) -> None:
    records = [
        claude.answer("a1", "u1", claude.text("first answer")),
        claude.answer("a2", "u1", claude.text("second answer")),
        claude.user("u1", None, "asked"),
    ]
    found = open_transcript(written(tmp_path / "s.jsonl", records))
    assert (live(found), found.branches) == (["asked", "second answer"], 2)


@pytest.mark.parametrize("indent", [2, 4])
def test_records_over_many_lines(tmp_path: Path, indent: int) -> None:
    found = open_transcript(written(tmp_path / "s.jsonl", claude.plain_session(), indent))
    usual = open_transcript(written(tmp_path / "t.jsonl", claude.plain_session()))
    assert (found.source, found.messages, found.branches) == ("claude-code", usual.messages, usual.branches)
    assert usual.messages and not found.damage


def test_the_same_of_pi(tmp_path: Path) -> None:
    records = [pi_head(), pi_message("1", None, "user", "hi"), pi_message("2", "1", "assistant", [{"type": "text", "text": "yo"}])]
    found = open_transcript(written(tmp_path / "s.jsonl", records, 2))
    assert (found.source, live(found), found.damage) == ("pi", ["hi", "yo"], ())


def test_a_summary_at_the_start_is_the_title_in_the_list_too(tmp_path: Path) -> None:
    records = [
        {"type": "summary", "summary": "Of another session", "leafUuid": "elsewhere"},
        {"type": "summary", "summary": "Mended parser", "leafUuid": "a1"},
        claude.user("u1", None, "Mend the parser"),
        claude.answer("a1", "u1", claude.text("Done.")),
    ]
    path = written(tmp_path / "s.jsonl", records)
    assert open_transcript(path).title == list_transcripts(path)[0].title == "Mended parser"


# --- noise ------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("noise", [{"type": "zzz"}, {}, {"level": "info"}])
def test_a_line_that_stands_there_thousands_of_times_hides_no_format(tmp_path: Path, noise: Record) -> None:
    path = written(tmp_path / "r.jsonl", [*[noise] * 3_000, *codex.plain_session()])
    usual = open_transcript(written(tmp_path / "s.jsonl", codex.plain_session()))
    found = open_transcript(path)
    assert (found.source, len(found.messages)) == ("codex", len(usual.messages))


def test_a_wreck_into_which_the_rest_of_a_message_went_keeps_the_others(tmp_path: Path) -> None:
    messages = [{"uuid": f"m{n}", "sender": "human" if n % 2 else "assistant", "text": f"words {n}"} for n in range(6)]
    whole = json.dumps({"uuid": "c", "name": "N", "chat_messages": messages}, indent=1)
    at = whole.index('"sender"', whole.index("words 2"))
    path = tmp_path / "x.json"
    path.write_text(whole[:at].rstrip().removesuffix("{").rstrip().removesuffix(",") + "],\n" + whole[at:], "utf-8")
    found = open_transcript(path)
    assert {one.text for one in found.messages} >= {"words 0", "words 1", "words 2", "words 4", "words 5"} and found.damage


def test_messages_that_ended_up_inside_of_a_torn_one_are_read(tmp_path: Path) -> None:
    messages = [{"uuid": f"m{n}", "content": [{"type": "text", "text": f"words {n}"}], "sender": "human"} for n in range(5)]
    whole = json.dumps({"uuid": "c", "name": "N", "chat_messages": messages})
    gone = '], "sender": "human"}'
    at = whole.index(gone, whole.index("words 2"))
    path = tmp_path / "x.json"
    path.write_text(whole[:at] + whole[at + len(gone) :], "utf-8")
    found = open_transcript(path)
    assert [one.text for one in found.messages] == ["words 0", "words 1", "words 3", "words 4"] and found.damage


def test_conversations_that_are_glued_stay_whole(tmp_path: Path) -> None:
    chats = [
        {"id": f"c{n}", "messages": [{"role": "user", "content": f"ask {n}"}, {"role": "assistant", "content": f"answer {n}"}]}
        for n in range(4)
    ]
    path = tmp_path / "x.jsonl"
    path.write_text("".join(map(json.dumps, chats[:2])) + "\n" + json.dumps(chats[2])[:-20] + json.dumps(chats[3]) + "\n", "utf-8")
    assert [one.session for one in list_transcripts(path)] == ["c0", "c1", "c3"]
    assert [one.text for one in open_transcript(path, "c3").messages] == ["ask 3", "answer 3"]


def test_a_cut_export_of_opencode_is_read_as_one(tmp_path: Path) -> None:
    pairs = [
        {
            "info": {"id": f"m{n}", "role": "user" if n % 2 == 0 else "assistant", "sessionID": "ses_x"},
            "parts": [{"type": "text", "text": f"{n}"}],
        }
        for n in range(5)
    ]
    head = '{"info": {"id": "ses_x", "title": "E", "directory": "/srv", "time": {"created": 1}}, "messages": ['
    path = tmp_path / "x.json"
    path.write_text(head + ", ".join(json.dumps(one, indent=2) for one in pairs)[:-30], "utf-8")
    found = open_transcript(path)
    assert (found.source, [one.text for one in found.messages], len(found.damage)) == ("opencode", ["0", "1", "2", "3"], 1)


# --- opencode's stream of events ------------------------------------------------------------------------------------------------


def told(kind: str, **properties: Any) -> Record:
    return {"type": kind, "properties": properties}


def message(name: str, role: str, session: str = "ses_e") -> Record:
    return told("message.updated", info={"id": name, "role": role, "sessionID": session, "time": {"created": 1}})


def part(name: str, of: str, words: str, session: str = "ses_e") -> Record:
    return told("message.part.updated", part={"id": name, "messageID": of, "sessionID": session, "type": "text", "text": words})


def test_a_text_that_comes_in_by_stretches(tmp_path: Path) -> None:
    grown = {"sessionID": "ses_e", "messageID": "m2", "partID": "p2", "field": "text"}
    records = [
        message("m1", "user"),
        part("p1", "m1", "Ask"),
        message("m2", "assistant"),
        part("p2", "m2", "An"),
        told("message.part.delta", **grown, delta="sw"),
        told("message.part.delta", **grown, delta="er"),
    ]
    found = open_transcript(written(tmp_path / "e.jsonl", records))
    assert (found.source, [one.text for one in found.messages]) == ("opencode", ["Ask", "Answer"])


def test_a_sub_agent_in_the_same_stream_is_beside_the_conversation(tmp_path: Path) -> None:
    records = [
        told("session.created", info={"id": "ses_e", "title": "Own", "directory": "/srv", "time": {"created": 1}}),
        message("m1", "user"),
        part("p1", "m1", "Ask"),
        told("session.created", info={"id": "ses_c", "parentID": "ses_e", "title": "Child", "time": {"created": 1}}),
        message("c1", "user", "ses_c"),
        part("p2", "c1", "Look", "ses_c"),
        message("m2", "assistant"),
        part("p3", "m2", "Answer"),
    ]
    found = open_transcript(written(tmp_path / "e.jsonl", records))
    assert (found.id, found.title, live(found)) == ("ses_e", "Own", ["Ask", "Answer"])
    assert [one.text for one in found.messages if one.sidechain] == ["Look"]


# --- Gemini, Copilot, goose ---------------------------------------------------------------------------------------------------


def test_the_name_of_a_tool_is_no_title(tmp_path: Path) -> None:
    call = {"id": "c", "name": "read_file", "displayName": "ReadFile", "args": {"summary": "x"}, "status": "success", "result": []}
    document = {**gemini_head(), "messages": [gemini_user("1", "Read it"), gemini_answer("2", "", toolCalls=[call])]}
    path = tmp_path / "session-1.json"
    path.write_text(json.dumps(document), "utf-8")
    assert open_transcript(path).title == list_transcripts(path)[0].title == "Read it"
    path.write_text(json.dumps({**document, "summary": "What was read"}), "utf-8")
    assert open_transcript(path).title == list_transcripts(path)[0].title == "What was read"


def test_changes_of_an_editors_session_that_change_nothing_are_no_damage(tmp_path: Path) -> None:
    first = {"version": 3, "responderUsername": "C", "sessionId": "v1", "creationDate": 1_760_000_000_000, "requests": []}
    asked = {"requestId": "r1", "message": {"text": "Ask"}, "response": [{"value": "Answer"}]}
    records = [
        {"kind": 0, "v": first},
        {"kind": 2, "k": ["requests"], "v": [asked]},
        {"kind": 3, "k": ["inputState"]},
        {"kind": 1, "k": ["customTitle"], "v": "Named later"},
    ]
    path = written(tmp_path / "v1.jsonl", records)
    found = open_transcript(path)
    assert ([one.text for one in found.messages], found.damage) == (["Ask", "Answer"], ())
    assert found.title == list_transcripts(path)[0].title == "Named later"


def test_an_editors_document_that_is_cut_in_its_first_request_is_still_known(tmp_path: Path) -> None:
    head = {"version": 3, "responderUsername": "C", "sessionId": "v1", "creationDate": 1_760_000_000_000}
    asked = {"requestId": "r1", "message": {"text": "Ask", "parts": []}, "response": [{"value": "x"}]}
    path = tmp_path / "v1.json"
    path.write_text(json.dumps({**head, "requests": [asked]}, indent=1)[:-20], "utf-8")
    found = open_transcript(path)
    assert (found.source, found.id, bool(found.damage)) == ("copilot", "v1", True)
    assert found.started is not None and found.started.year == 2025


def test_events_of_a_sub_agent_are_not_read_as_the_conversation(tmp_path: Path) -> None:
    records = [
        copilot("e0", None, "session.start", sessionId="c", context={"cwd": "/srv"}),
        copilot("e1", "e0", "user.message", content="Ask"),
        copilot("e2", "e1", "assistant.message", content="inside", parentToolCallId="t1", toolRequests=[]),
        copilot("e3", "e2", "assistant.message", content="Answer", toolRequests=[]),
    ]
    path = tmp_path / "events.jsonl"
    path.write_bytes(file_of(records))
    found = open_transcript(path)
    assert [(one.text, one.sidechain) for one in found.messages] == [("Ask", False), ("inside", True), ("Answer", False)]


def test_goose_describes_its_session_in_the_head(tmp_path: Path) -> None:
    records = [
        {"working_dir": "/srv/g", "description": "Goose talk", "message_count": 2},
        {"role": "user", "created": 1_760_000_000, "content": [{"type": "text", "text": "Ask"}]},
        {"role": "assistant", "created": 1_760_000_001, "content": [{"type": "text", "text": "Answer"}]},
    ]
    found = open_transcript(written(tmp_path / "g.jsonl", records))
    assert (found.title, found.workspace, len(found.messages)) == ("Goose talk", "/srv/g", 2)


# --- Markdown -------------------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("## USER 🧑‍💻", "## MODEL ✨"),
        ("### User Input", "### Planner Response"),
        ("## 用户", "## 助手"),
        ("## 用户 🙂", "## 助手 🤖"),
        ("**👤 You:**", "**Assistant 🤖:**"),
    ],
)
def test_headings_with_signs_and_other_names(tmp_path: Path, asked: str, said: str) -> None:
    path = tmp_path / "chat.md"
    path.write_text(f"# Chat\n\n{asked}\n\nhello\n\n{said}\n\nhi\n\n{asked}\n\nmore\n\n{said}\n\nsure\n", "utf-8")
    found = open_transcript(path)
    assert [(one.role, one.text) for one in found.messages] == [
        ("user", "hello"),
        ("assistant", "hi"),
        ("user", "more"),
        ("assistant", "sure"),
    ]


# --- Qwen Code, Kimi ------------------------------------------------------------------------------------------------------------


def test_what_a_call_of_qwen_gave_stands_where_it_was_shown_only(tmp_path: Path) -> None:
    call = {"functionCall": {"id": "c1", "name": "read_file", "args": {}}}
    records = [
        qwen("1", None, "user", [{"text": "Read it"}]),
        qwen("2", "1", "assistant", [call]),
        qwen("3", "2", "tool_result", [{"functionResponse": {"id": "c1"}}], toolCallResult={"callId": "c1", "resultDisplay": "alpha"}),
        qwen("4", "3", "tool_result", None, toolCallResult={"callId": "c2", "status": "error", "resultDisplay": "gone"}),
    ]
    found = open_transcript(written(tmp_path / "q.jsonl", records))
    results = [result for one in found.messages for result in one.tool_results]
    assert (found.source, [(one.id, one.output, one.is_error) for one in results]) == (
        "qwen",
        [("c1", "alpha", False), ("c2", "gone", True)],
    )


def test_records_of_qwen_without_ids(tmp_path: Path) -> None:
    records = [qwen("1", None, "user", [{"text": "Ask"}]), qwen("2", "1", "assistant", [{"text": "Answer"}])]
    for one in records:
        del one["uuid"], one["parentUuid"]
    path = written(tmp_path / "q.jsonl", records)
    found = open_transcript(path)
    assert (found.source, live(found), found.branches, list_transcripts(path)[0].title) == ("qwen", ["Ask", "Answer"], 1, "Ask")


def wire(kind: str, **payload: Any) -> Record:
    return {"timestamp": 1_760_000_000.0, "message": {"type": kind, "payload": payload}}


def agent(kind: str, **payload: Any) -> Record:
    return wire("SubagentEvent", parent_tool_call_id="t1", event={"type": kind, "payload": payload})


def test_sub_agents_in_the_wire_of_kimi_stand_beside_the_conversation(tmp_path: Path) -> None:
    records = [
        wire("TurnBegin", user_input="Go"),
        wire("ToolCall", type="function", id="t1", function={"name": "Task", "arguments": "{}"}),
        agent("ContentPart", type="text", text="inside"),
        agent("ToolCall", type="function", id="s1", function={"name": "Shell", "arguments": "{}"}),
        agent("ToolResult", tool_call_id="s1", return_value={"is_error": False, "output": "x"}),
        agent("ContentPart", type="text", text="found it"),
        wire("ToolResult", tool_call_id="t1", return_value={"is_error": False, "output": "it is there"}),
        wire("ContentPart", type="text", text="Done."),
    ]
    found = open_transcript(written(tmp_path / "wire.jsonl", records))
    told = [(one.role, one.text, one.sidechain) for one in found.messages]
    assert told == [
        ("user", "Go", False),
        ("assistant", "", False),
        ("assistant", "inside", True),
        ("tool", "", True),
        ("assistant", "found it", True),
        ("tool", "", False),
        ("assistant", "Done.", False),
    ]
    deep: Record = {"type": "ContentPart", "payload": {"type": "text", "text": "too deep"}}
    for _ in range(200):
        deep = {"type": "SubagentEvent", "payload": {"event": deep}}
    found = open_transcript(written(tmp_path / "deep.jsonl", [wire("TurnBegin", user_input="Go"), {"message": deep}]))
    assert [one.text for one in found.messages] == ["Go"]
