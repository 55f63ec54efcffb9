"""Kimi, Grok Build, Muse Code, Mistral Vibe and Antigravity: what was said and done, what stands beside it, and how each is named."""

from __future__ import annotations

import hashlib
import json
from pathlib import Path
from typing import Any

from desktop.sessions.importers import ImportedSession, list_transcripts, open_transcript
from tests.unit.sessions.importers.chat_world import put
from tests.unit.sessions.importers.more_world import (
    asked,
    grok_answer,
    grok_user,
    kimi,
    kimi_step,
    kimi_text,
    kimi_user,
    muse,
    muse_run,
    planned,
    step,
)
from tests.unit.sessions.importers.others_world import PIXEL, Record, file_of


def written(path: Path, records: list[Record]) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(file_of(records))
    return path


def told(found: ImportedSession) -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in found.messages]


def answered(found: ImportedSession) -> dict[str, str]:
    """What each call gave, by the name and input of the call."""
    calls = {call.id: f"{call.name} {json.dumps(call.input)}" for one in found.messages for call in one.tool_calls}
    return {calls[result.id]: result.output for one in found.messages for result in one.tool_results}


# --- Kimi -----------------------------------------------------------------------------------------------------------------


def kimi_session(folder: Path) -> Path:
    """A session of Kimi Code with a sub-agent."""
    main = [
        kimi("metadata", 0, protocol_version="1.5"),
        kimi("turn.prompt", 1, input=[{"type": "text", "text": "look at it"}], origin={"kind": "user"}),
        kimi_user("look at it", 1),
        kimi_user("<reminder>be quick</reminder>", 1, "injection"),
        kimi("llm.request", 2, model="kimi-k2", modelAlias="moonshot/kimi-k2"),
        kimi_step("s1", "step.begin", 2),
        kimi_text("s1", "I will read it."),
        kimi_step("s1", "tool.call", 3, toolCallId="c1", name="ReadFile", args={"path": "a.py"}),
        kimi_step("s1", "tool.result", 4, toolCallId="c1", result={"output": "print()"}),
        kimi_step("s1", "step.end", 5, usage={"inputOther": 100, "output": 20, "inputCacheRead": 5, "inputCacheCreation": 0}),
    ]
    written(folder / "agents" / "main" / "wire.jsonl", main)
    written(folder / "agents" / "agent-0" / "wire.jsonl", [kimi_user("find tests"), kimi_text("s1", "there are two")])
    put(folder / "state.json", {"title": "Review", "workDir": "/srv/app", "createdAt": "2026-09-20T10:00:00Z"})
    return folder


def test_a_session_of_kimi_code_with_its_sub_agent(tmp_path: Path) -> None:
    folder = kimi_session(tmp_path / "project_ab" / "session_1")
    found = open_transcript(folder)
    assert (found.source, found.id, found.title, found.workspace) == ("kimi", "session_1", "Review", "/srv/app")
    assert found.agents == ("session_1-agent-0",)
    assert [(one.role, one.hidden) for one in found.messages][:2] == [("user", False), ("user", True)]
    assert answered(found) == {'ReadFile {"path": "a.py"}': "print()"}
    answers = [one for one in found.messages if one.role == "assistant"]
    assert sum(one.tokens for one in answers) == 125
    assert {one.model for one in answers} == {"moonshot/kimi-k2"}
    agent = open_transcript(folder / "agents" / "agent-0" / "wire.jsonl")
    assert (agent.kind, agent.parent, agent.id) == ("sub-agent", "session_1", "session_1-agent-0")
    assert told(agent) == [("user", "find tests"), ("assistant", "there are two")]


def test_sessions_of_kimi_in_a_folder_are_listed_with_what_stands_beside_them(tmp_path: Path) -> None:
    kimi_session(tmp_path / "project_ab" / "session_1")
    listed = {(one.kind, one.title, one.workspace, one.parent) for one in list_transcripts(tmp_path)}
    assert listed == {("chat", "Review", "/srv/app", ""), ("sub-agent", "", "/srv/app", "session_1")}


def test_the_project_of_an_older_session_of_kimi_is_that_of_its_hash(tmp_path: Path) -> None:
    digest = hashlib.md5(b"/srv/old", usedforsecurity=False).hexdigest()
    said: list[Record] = [{"role": "user", "content": "hello"}, {"role": "_checkpoint", "id": 0}, {"role": "assistant", "content": "hi"}]
    path = written(tmp_path / "sessions" / digest / "one" / "context.jsonl", said)
    put(tmp_path / "kimi.json", {"work_dirs": [{"path": "/srv/other"}, {"path": "/srv/old"}]})
    found = open_transcript(path)
    assert (found.source, found.workspace, told(found)) == ("kimi", "/srv/old", [("user", "hello"), ("assistant", "hi")])


# --- Grok -----------------------------------------------------------------------------------------------------------------


def test_a_session_of_grok_build_is_its_own_and_none_of_codex(tmp_path: Path) -> None:
    records = [
        {"type": "system", "content": "be brief"},
        grok_user("<system-reminder>context</system-reminder>", synthetic_reason="system_reminder"),
        grok_user("count the lines", prompt_index=0),
        {"type": "reasoning", "id": "r", "summary": [{"type": "summary_text", "text": "a command will do"}], "status": "completed"},
        {"type": "backend_tool_call", "kind": {"name": "web_search", "call_id": "b1", "input": {"q": "wc"}}},
        grok_answer("I count.", ("c1", "run_terminal_command", {"command": "wc -l a"})),
        {"type": "tool_result", "tool_call_id": "c1", "content": "12 a"},
        grok_answer("Twelve."),
    ]
    path = written(tmp_path / "%2Fsrv%2Fapp" / "one" / "chat_history.jsonl", records)
    put(path.with_name("summary.json"), {"info": {"id": "grok-1", "cwd": "/srv/app"}, "generated_title": "Lines counted"})
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.workspace) == ("grok", "grok-1", "Lines counted", "/srv/app")
    assert [one.role for one in found.messages if not one.hidden] == ["user", "assistant", "tool", "assistant"]
    first = found.messages[3]
    assert (first.text, first.thinking, [call.name for call in first.tool_calls]) == (
        "I count.",
        "a command will do",
        ["web_search", "run_terminal_command"],
    )
    assert answered(found) == {'run_terminal_command {"command": "wc -l a"}': "12 a"}
    assert [(one.path, one.title) for one in list_transcripts(tmp_path)] == [(path, "Lines counted")]


def test_the_protocols_log_of_grok_build_alone_is_read_too(tmp_path: Path) -> None:
    def update(kind: str, said: str, method: str = "session/update") -> Record:
        return {
            "method": method,
            "params": {"sessionId": "s", "update": {"sessionUpdate": kind, "content": {"type": "text", "text": said}}},
        }

    records = [
        update("hook_execution", "", "_x.ai/session/update"),
        update("user_message_chunk", "hello"),
        update("agent_message_chunk", "good "),
        update("agent_message_chunk", "day"),
    ]
    found = open_transcript(written(tmp_path / "updates.jsonl", records))
    assert (found.source, told(found)) == ("grok", [("user", "hello"), ("assistant", "good day")])


# --- Muse -----------------------------------------------------------------------------------------------------------------


def test_a_session_of_muse_code(tmp_path: Path) -> None:
    records = [
        {"retained_frame": "session_permission_transaction", "children": []},
        muse(0, {"kind": "metadata", "record": {"workspace_root": "/srv/app", "model_id": "muse-x"}}, "runtime.session.metadata"),
        muse_run(1, "started", prompt="show it"),
        muse_run(2, "reasoning_summary_committed", text="a picture"),
        muse_run(3, "assistant_tool_calls_committed", tool_calls=[{"call_id": "c1", "name": "shell", "args": '{"command": "false"}'}]),
        muse_run(4, "tool_result_batch_committed", results=[{"tool_call_id": "c1", "text": '{"exit_code": 1, "stdout": ""}'}]),
        muse_run(5, "tool_result_model_visible_content", content=[{"media_type": "image/png", "base64_data": PIXEL}]),
        muse_run(6, "inbox_item_queued", source={"source": "user_steer"}, payload={"prompt": "and then?"}),
        muse_run(7, "assistant_message_committed", text="It failed."),
        muse_run(8, "model_completed", usage={"input_tokens": 30, "output_tokens": 4}),
    ]
    path = written(tmp_path / "muse-1" / "session.jsonl", records)
    written(path.parent / "subagent" / "child" / "session.jsonl", [muse_run(1, "started", prompt="look"), muse_run(2, "x")])
    found = open_transcript(path)
    assert (found.source, found.id, found.workspace, found.model) == ("muse", "muse-1", "/srv/app", "muse-x")
    assert [(one.role, one.text) for one in found.messages if one.text] == [
        ("user", "show it"),
        ("user", "and then?"),
        ("assistant", "It failed."),
    ]
    assert answered(found) == {'shell {"command": "false"}': '{"exit_code": 1, "stdout": ""}'}
    assert [result.is_error for one in found.messages for result in one.tool_results] == [True]
    assert sum(len(one.pictures) for one in found.messages) == 1 and sum(one.tokens for one in found.messages) == 34
    assert found.agents == ("child",)
    agents = [one for one in list_transcripts(tmp_path) if one.kind == "sub-agent"]
    assert [(one.path.parent.name, one.parent) for one in agents] == [("child", "muse-1")]


def test_what_a_person_sent_to_muse_code_is_there_where_no_run_tells_it(tmp_path: Path) -> None:
    sent = {"model_messages": [{"content": [{"kind": "text", "text": "ls"}]}]}
    first = muse(1, sent, "runtime.user_intent.accepted")
    answer = muse_run(2, "assistant_message_committed", text="two files")
    found = open_transcript(written(tmp_path / "a.jsonl", [first, answer]))
    assert told(found) == [("user", "ls"), ("assistant", "two files")]
    run = open_transcript(written(tmp_path / "b.jsonl", [first, muse_run(2, "started", prompt="ls"), answer | {"id": "event-3"}]))
    assert told(run) == [("user", "ls"), ("assistant", "two files")]


def test_a_time_without_end_is_none(tmp_path: Path) -> None:
    records = [muse_run(1, "started", prompt="now?") | {"recorded_at": 10**400}, muse_run(2, "assistant_message_committed", text="yes")]
    found = open_transcript(written(tmp_path / "a.jsonl", records))
    assert told(found) == [("user", "now?"), ("assistant", "yes")] and found.messages[0].time is None


# --- Vibe -----------------------------------------------------------------------------------------------------------------


def test_a_session_of_mistral_vibe(tmp_path: Path) -> None:
    call = {"id": "c1", "function": {"name": "bash", "arguments": '{"command": "ls"}'}}
    records: list[Record] = [
        {"role": "user", "content": "list"},
        {"role": "assistant", "content": "", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "a.txt"},
    ]
    path = written(tmp_path / "session_1" / "messages.jsonl", records)
    meta: dict[str, Any] = {"session_id": "v-1", "start_time": "2026-09-01T10:00:00Z", "environment": {"working_directory": "/srv/app"}}
    put(path.with_name("meta.json"), {**meta, "title": "Files", "git_branch": "main", "config": {"active_model": "devstral"}})
    found = open_transcript(path)
    facts = (found.source, found.id, found.title, found.workspace, found.model, found.git_branch)
    assert facts == ("vibe", "v-1", "Files", "/srv/app", "devstral", "main")
    assert answered(found) == {'bash {"command": "ls"}': "a.txt"}
    assert [(one.source, one.title) for one in list_transcripts(tmp_path)] == [("vibe", "Files")]
    path.with_name("meta.json").unlink()
    assert open_transcript(path).source == "generic"


# --- Antigravity ----------------------------------------------------------------------------------------------------------

STATE = (
    "\n<ADDITIONAL_METADATA>\nThe current local time is: now.\n</ADDITIONAL_METADATA>\n<USER_SETTINGS_CHANGE>\nThe user changed setting "
    "`Model Selection` from None to Gemini 3.6 Flash (Low). No need to comment.\n</USER_SETTINGS_CHANGE>"
)


def place(tmp_path: Path, name: str = "transcript.jsonl", conversation: str = "talk-1") -> Path:
    return tmp_path / "brain" / conversation / ".system_generated" / "logs" / name


def test_a_conversation_of_antigravity(tmp_path: Path) -> None:
    records = [
        asked(0, "make a page", STATE),
        step(1, "CONVERSATION_HISTORY", "other talks", "SYSTEM"),
        planned(2, "I look first.", ("list_dir", {"DirectoryPath": '"/srv/app"'}), ("run_command", {"Cwd": '"/srv/app"', "Wait": "50"})),
        step(3, "LIST_DIRECTORY", "Created At: 2026-09-01T10:00:03Z\nCompleted At: 2026-09-01T10:00:03Z\na.txt"),
        step(4, "RUN_COMMAND", "Created At: 2026-09-01T10:00:04Z\nThe command failed with exit code: 2"),
        step(5, "CHECKPOINT", "a summary", "SYSTEM"),
        planned(6, None, ("write_to_file", {"TargetFile": '"/srv/app/a.html"', "CodeContent": '"<p>\n<truncated 9 bytes>'})),
        planned(8, "Done.", thinking="nothing is left"),
    ]
    found = open_transcript(written(place(tmp_path), records))
    facts = (found.source, found.id, found.title, found.workspace, found.model)
    assert facts == ("antigravity", "talk-1", "make a page", "/srv/app", "Gemini 3.6 Flash (Low)")
    assert [(one.role, one.text) for one in found.messages if one.text] == [
        ("user", "make a page"),
        ("assistant", "I look first."),
        ("assistant", "Done."),
    ]
    assert answered(found) == {
        'list_dir {"DirectoryPath": "/srv/app"}': "a.txt",
        'run_command {"Cwd": "/srv/app", "Wait": 50}': "The command failed with exit code: 2",
    }
    assert [result.is_error for one in found.messages for result in one.tool_results] == [False, True]
    written_file = next(call for one in found.messages for call in one.tool_calls if call.name == "write_to_file")
    assert written_file.input == {"TargetFile": "/srv/app/a.html", "CodeContent": '"<p>\n<truncated 9 bytes>'}
    assert found.messages[-1].thinking == "nothing is left"


def test_a_failure_in_the_place_of_what_a_call_gave_is_its_result_and_any_other_is_none(tmp_path: Path) -> None:
    records = [
        asked(0, "write it"),
        planned(1, None, ("write_to_file", {"TargetFile": "/a"})),
        step(2, "ERROR_MESSAGE", "Created At: 2026-09-01T10:00:02Z\nError invalid tool call", "SYSTEM"),
        planned(3, "Again."),
        step(4, "ERROR_MESSAGE", "Error: The stream was interrupted.", "SYSTEM"),
    ]
    found = open_transcript(written(place(tmp_path), records))
    assert [(one.output, one.is_error) for message in found.messages for one in message.tool_results] == [("Error invalid tool call", True)]
    assert answered(found) == {'write_to_file {"TargetFile": "/a"}': "Error invalid tool call"}


def test_steps_are_in_the_order_of_their_numbers_and_each_once(tmp_path: Path) -> None:
    call = ("view_file", {"AbsolutePath": "/a"})
    records = [
        asked(0, "read both"),
        step(2, "GENERIC", "first"),
        step(3, "GENERIC", "running"),
        step(3, "GENERIC", "second"),
        planned(1, "Both.", call, ("view_file", {"AbsolutePath": "/b"})),
    ]
    found = open_transcript(written(place(tmp_path), records))
    assert answered(found) == {'view_file {"AbsolutePath": "/a"}': "first", 'view_file {"AbsolutePath": "/b"}': "second"}
    assert [one.role for one in found.messages] == ["user", "assistant", "tool", "tool"]


def test_a_person_who_went_back_and_asked_anew_loses_neither_question(tmp_path: Path) -> None:
    call = ("view_file", {"AbsolutePath": "/a"})
    records = [asked(0, "one"), planned(1, "first"), asked(2, "two"), planned(3, "second", call), step(4, "VIEW_FILE", "before")]
    later = asked(2, "two, otherwise") | {"created_at": "2026-09-01T11:00:00Z"}
    again = [later, planned(3, "third", call), step(4, "VIEW_FILE", "after")]
    found = open_transcript(written(place(tmp_path), records + again))
    assert [one.text for one in found.messages if one.text] == ["one", "first", "two", "second", "two, otherwise", "third"]
    calls = [call.id for one in found.messages for call in one.tool_calls]
    assert [(result.id, result.output) for one in found.messages for result in one.tool_results] == [
        (calls[0], "before"),
        (calls[1], "after"),
    ]


def test_a_comment_on_a_document_is_what_the_person_said(tmp_path: Path) -> None:
    said = 'Comments on artifact URI: file:///a.md\n\nComment: "shorter"\n<USER_REQUEST>\n\n</USER_REQUEST>' + STATE
    found = open_transcript(written(place(tmp_path), [step(0, "USER_INPUT", said, "USER_EXPLICIT"), planned(1, "Yes.")]))
    assert found.messages[0].text == 'Comments on artifact URI: file:///a.md\n\nComment: "shorter"'


def test_a_request_with_tags_without_end_is_read_in_linear_time(tmp_path: Path) -> None:
    said = "<ADDITIONAL_METADATA>" * 60_000 + "setting `Model Selection` from" + " to x" * 60_000
    found = open_transcript(written(place(tmp_path), [step(0, "USER_INPUT", said, "USER_EXPLICIT"), planned(1, "Yes.")]))
    assert found.messages[0].text == said


def test_a_step_of_a_tool_that_no_plan_called_is_a_call_of_its_own(tmp_path: Path) -> None:
    records = [asked(0, "check"), step(1, "RUN_COMMAND", command="curl -s x", output="ok"), planned(2, "It works.")]
    found = open_transcript(written(tmp_path / "log.jsonl", records))
    assert (found.source, answered(found)) == ("antigravity", {'run_command {"command": "curl -s x"}': "ok"})


def test_of_the_two_logs_of_a_conversation_the_whole_one_is_listed(tmp_path: Path) -> None:
    written(place(tmp_path), [asked(0, "cut"), planned(1, "…")])
    whole = written(place(tmp_path, "transcript_full.jsonl"), [asked(0, "whole"), planned(1, "…")])
    short = written(place(tmp_path, conversation="talk-2"), [asked(0, "short"), planned(1, "…")])
    put(tmp_path / "brain" / "talk-1" / "task.md", "## User\n\nno chat\n\n## Assistant\n\nnone")
    assert sorted(one.path for one in list_transcripts(tmp_path)) == sorted([whole, short])
    assert open_transcript(tmp_path / "brain" / "talk-1").title == "whole"
    assert [one.path for one in list_transcripts(place(tmp_path))] == [place(tmp_path)]


def test_sub_agents_of_antigravity_are_named(tmp_path: Path) -> None:
    given = 'Created the following subagents:\n{\n  "conversationId": "talk-2"\n}'
    records = [asked(0, "split it"), planned(1, None, ("invoke_subagent", {"Subagents": "[]"})), step(2, "INVOKE_SUBAGENT", given)]
    assert open_transcript(written(place(tmp_path), records)).agents == ("talk-2",)
