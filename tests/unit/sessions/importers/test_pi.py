"""Sessions of pi and openclaw: the tree, versions without ids, parts of messages, compactions, marks of the live branch, forks."""

from __future__ import annotations

from pathlib import Path

from desktop.sessions.importers import list_transcripts, open_transcript
from tests.unit.sessions.importers.others_world import PIXEL, at, file_of, pi_head, pi_message


def entry(kind: str, told: str, parent: str | None, **more: object) -> dict[str, object]:
    return {"type": kind, "id": told, "parentId": parent, "timestamp": at(9), **more}


def test_the_tree_with_every_kind_of_record(tmp_path: Path) -> None:
    path = tmp_path / "2026_pi-1.jsonl"
    usage = {"input": 10, "output": 2, "cacheRead": 3, "totalTokens": 15, "cost": {"total": 0.25}}
    thinking = {"type": "thinking", "thinking": "hm"}
    call = {"type": "toolCall", "id": "c1", "name": "read", "arguments": {"path": "x"}}
    image = {"type": "image", "data": PIXEL, "mimeType": "image/png"}
    path.write_bytes(
        file_of(
            [
                pi_head(parentSession="/home/me/.pi/agent/sessions/--srv--/2026_0123abcd-0000-4000-8000-0123456789ab.jsonl"),
                entry("model_change", "x1", None, provider="anthropic", modelId="claude-sonnet-4-5"),
                entry("thinking_level_change", "x2", "x1", thinkingLevel="high"),
                pi_message("m1", "x2", "user", [{"type": "text", "text": "read x"}, image]),
                pi_message("m2", "m1", "assistant", [thinking, {"type": "text", "text": "Reading."}, call], model="sonnet", usage=usage),
                pi_message("m3", "m2", "toolResult", [{"type": "text", "text": "content of x"}, image], toolCallId="c1", toolName="read"),
                entry("compaction", "x3", "m3", summary="They read x.", firstKeptEntryId="m2", tokensBefore=100),
                pi_message("m4", "x3", "assistant", "done"),
                entry("branch_summary", "x4", "m1", fromId="m4", summary="The other branch read x."),
                entry("custom", "x5", "x4", customType="state", data={}),
                entry("custom_message", "x6", "x5", customType="note", content="shown note", display=True),
                entry("custom_message", "x7", "x6", customType="note", content="hidden note", display=False),
                pi_message("m5", "x7", "bashExecution", None, command="ls", output="a.txt", exitCode=0),
                entry("label", "x8", "m5", targetId="m1", label="start"),
                entry("session_info", "x9", "x8", name="My reading"),
            ]
        )
    )
    found = open_transcript(path)
    assert (found.source, found.id, found.title, found.workspace) == ("pi", "pi-1", "My reading", "/srv/app")
    assert (found.parent, found.damage, found.branches, found.leaf) == ("0123abcd-0000-4000-8000-0123456789ab", (), 2, "m5")
    assert [(one.id, one.parent, one.role) for one in found.messages] == [
        ("m1", None, "user"),
        ("m2", "m1", "assistant"),
        ("m3", "m2", "tool"),
        ("m4", "m3", "assistant"),
        ("x6", "m1", "system"),
        ("m5", "x6", "user"),
    ]
    assert found.messages[0].pictures == (("image/png", PIXEL),)
    second = found.messages[1]
    assert (second.thinking, second.text, second.tokens, second.cost_usd, second.model) == ("hm", "Reading.", 15, 0.25, "sonnet")
    result = found.messages[2].tool_results[0]
    assert (result.id, result.name, result.output, result.pictures) == ("c1", "read", "content of x", (("image/png", PIXEL),))
    assert second.tool_calls[0].input == {"path": "x"}


def test_a_mark_moves_the_live_branch(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    messages = [pi_message("m1", None, "user", "a"), pi_message("m2", "m1", "assistant", "b"), pi_message("m3", "m1", "assistant", "c")]
    path.write_bytes(file_of([pi_head(), *messages, entry("leaf", "x", "m3", targetId="m2")]))
    assert open_transcript(path).leaf == "m2"
    path.write_bytes(file_of([pi_head(), *messages]))
    assert (open_transcript(path).leaf, open_transcript(path).branches) == ("m3", 2)


def test_the_first_version_has_no_ids_and_is_one_branch(tmp_path: Path) -> None:
    path = tmp_path / "a.jsonl"
    records: list[dict[str, object]] = [
        {"type": "session", "id": "old", "timestamp": at(0), "cwd": "/srv", "provider": "openai", "modelId": "gpt"}
    ]
    for number in range(6):
        role = ("user", "assistant")[number % 2]
        records.append({"type": "message", "timestamp": at(number), "message": {"role": role, "content": f"text {number % 2}"}})
    path.write_bytes(file_of(records))
    found = open_transcript(path)
    assert (len(found.messages), found.branches, found.model) == (6, 1, "gpt")
    assert [one.parent for one in found.messages][1:] == [one.id for one in found.messages][:-1]


def test_openclaw_hangs_results_onto_calls_and_circles_are_cut(tmp_path: Path) -> None:
    path = tmp_path / "claw.jsonl"
    call = {"type": "toolCall", "id": "tc", "name": "run", "arguments": '{"command": "ls"}'}
    path.write_bytes(
        file_of(
            [
                pi_head(id="claw-1"),
                pi_message("m1", "claw-1", "user", "go"),
                pi_message("m2", "m1", "assistant", [call]),
                pi_message("m3", "tc", "toolResult", "out", toolCallId="tc", isError=True),
                pi_message("m4", "m5", "assistant", "x"),
                pi_message("m5", "m4", "assistant", "y"),
                pi_message("m6", "m6", "assistant", "z"),
                pi_message("m7", "lost", "assistant", "w"),
            ]
        )
    )
    found = open_transcript(path)
    assert found.messages[2].parent == "m2" and found.messages[2].tool_results[0].is_error
    assert found.messages[1].tool_calls[0].input == {"command": "ls"}
    assert len(found.messages) == 7
    parents = {one.id: one.parent for one in found.messages}
    for start in parents:
        at_message, steps = start, 0
        while parents[at_message] is not None:
            at_message, steps = str(parents[at_message]), steps + 1
            assert steps <= len(parents)
    assert parents["m7"] == "m6"


def test_a_folder_of_sessions(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / "--srv-app--"
    folder.mkdir(parents=True)
    for number in (1, 2):
        head = pi_head(id=f"pi-{number}", timestamp=at(number))
        (folder / f"2026_pi-{number}.jsonl").write_bytes(file_of([head, pi_message("m1", None, "user", f"question {number}")]))
    assert [(one.session, one.title, one.workspace) for one in list_transcripts(tmp_path)] == [
        ("pi-2", "question 2", "/srv/app"),
        ("pi-1", "question 1", "/srv/app"),
    ]
    assert open_transcript(tmp_path).id == "pi-2" and open_transcript(tmp_path, "pi-1").title == "question 1"
