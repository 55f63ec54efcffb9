"""The session list: the same answer from head and tail as from the whole file, titles by rank, damaged files listed too."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.messages.usage import Usage
from desktop.sessions import summary as summaries
from desktop.sessions.store import SessionHandle, SessionStore
from desktop.sessions.summary import first_prompt_title, message_state, one_line, read_summary, summary_of
from desktop.sessions.transcript import read_transcript
from tests.helpers.clock import FixedClock
from tests.unit.sessions.make import KEY, filled, message, new_handle, paths_in, store_in


def same_both_ways(handle: SessionHandle, monkeypatch: pytest.MonkeyPatch) -> summaries.SessionSummary:
    """The summary, which must come out of head and tail alone and agree with the one made from the whole file."""
    whole = summary_of(read_transcript(handle.path), handle.path, 0.0, handle.path.stat().st_size)
    with monkeypatch.context() as patched:
        patched.setattr(summaries, "read_transcript", lambda path: pytest.fail("the whole file was read"))
        fast = read_summary(handle.path)
    differing = {name for name in fast.__slots__ if getattr(fast, name) != getattr(whole, name)}
    assert differing <= {"updated"}  # the record's time, a moment after the message's
    return fast


def test_a_short_session(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 4, "重构解析器")
    found = same_both_ways(handle, monkeypatch)
    assert found.title == "重构解析器 0" and found.preview == "重构解析器 3"
    assert (found.messages, found.tokens, found.state, found.source) == (4, 20, "done", "keepsake")
    assert found.workspace == "/srv/demo" and found.model == "scripted:demo"


def test_a_long_session_with_a_large_last_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 40, "word " * 300)
    handle.append(message("X" * 500_000 + '"quoted" \\ 末尾', "assistant"))
    whole = summary_of(read_transcript(handle.path), handle.path, 0.0)
    monkeypatch.setattr(summaries, "read_transcript", lambda path: pytest.fail("the whole file was read"))
    found = read_summary(handle.path)
    assert (found.messages, found.tokens, found.title, found.state) == (41, whole.tokens, whole.title, "done")


def test_values_behind_the_last_message_count(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 2)
    handle.set_meta("model", "scripted:other")
    handle.set_meta("cursor", {"message": "m"})
    handle.set_meta("generated_title", "Generated")
    assert same_both_ways(handle, monkeypatch).title == "Generated"
    handle.set_meta("title", "Mine")
    handle.set_meta("generated_title", "Generated again")
    found = same_both_ways(handle, monkeypatch)
    assert found.title == "Mine" and found.model == "scripted:other"
    filled(handle, 1)
    assert same_both_ways(handle, monkeypatch).title == "Mine"


def test_many_values_behind_the_last_message_are_read_whole(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 2)
    for i in range(300):
        handle.set_meta("cursor", {"message": f"msg_{i}", "padding": "x" * 100})
    found = read_summary(handle.path)
    assert found.messages == 2 and found.title == "message 0"


@pytest.mark.parametrize(
    ("text", "title"),
    [
        ("\n\n  Fix   the\tparser \nsecond line", "Fix the parser"),
        ("x" * 200, "x" * 79 + "…"),
        ("x" * 80, "x" * 80),
        ("记" * 100, "记" * 79 + "…"),
        ("/compact", ""),
        ("   ", ""),
    ],
)
def test_the_title_is_the_first_line_of_the_first_real_prompt(text: str, title: str) -> None:
    assert first_prompt_title([message(text)]) == title


def test_synthetic_messages_and_commands_give_no_title() -> None:
    messages = [message("reminder", origin="app"), message("/model x"), message("real"), message("later")]
    assert first_prompt_title(messages) == "real"


def test_a_session_without_any_prompt_is_named_by_its_id(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    handle.append(message("/help"))
    assert read_summary(handle.path).title == handle.id == handle.title


def state_of(*parts: object, role: str = "assistant", stop: str | None = None) -> str:
    made = message("", role, parts=tuple(parts), stop=stop)  # type: ignore[arg-type]
    return message_state(made)


def test_states() -> None:
    assert state_of(TextPart("x"), stop="end") == "done"
    assert state_of(TextPart("x"), stop="error") == "failed"
    assert state_of(TextPart("x"), stop="interrupted") == "interrupted"
    assert state_of(ToolCallPart("c", "Read"), stop="tool_calls") == "interrupted"
    assert state_of(ToolResultPart("c", "Read", ""), role="tool") == "interrupted"
    assert message_state(message("asked")) == "interrupted"


def damaged(store: SessionStore, data: bytes) -> Message | None:
    handle = new_handle(store)
    filled(handle, 3)
    handle.close()
    whole = handle.path.read_bytes()
    handle.path.write_bytes(data or whole[:-50])
    return None


@pytest.mark.parametrize("data", [b"", b"\0" * 1000, b"nonsense\n", b"\xff\xfe\x00"])
def test_damaged_files_are_listed_and_the_rest_stays_right(tmp_path: Path, data: bytes) -> None:
    store = store_in(tmp_path)
    good = new_handle(store)
    filled(good, 2)
    good.close()
    damaged(store, data)
    found = {s.id: s for s in store.list()}
    assert len(found) == 2 and found[good.id].messages == 2
    assert all(s.title for s in found.values())


def test_an_empty_transcript_is_listed_as_damaged(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    handle.close()
    handle.path.write_bytes(b"")
    assert [(s.id, s.state) for s in store.list()] == [(handle.id, "damaged")]


def test_the_list_is_newest_first_by_project_and_follows_changes(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    made = [new_handle(store, key=key) for key in ("a-1", "b-1", "a-1")]
    for handle in made:
        filled(handle, 2)
    assert [s.id for s in store.list()] == [h.id for h in reversed(made)]
    assert [s.id for s in store.list("a-1")] == [made[2].id, made[0].id]
    assert store.list("nobody") == []
    filled(made[0], 1)
    assert [s.id for s in store.list()] == [made[0].id, made[2].id, made[1].id]


def test_a_folder_that_cannot_be_listed_is_told_instead_of_looking_empty(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "sessions").write_text("a file in its place")
    with pytest.raises(StorageError, match="cannot be listed"):
        store.list()


def test_one_line() -> None:
    assert one_line("\n a \n b", 10) == "a"
    assert one_line("", 10) == ""


# --- what the end of a file tells ------------------------------------------------------------------------------------


def priced(handle: SessionHandle, text: str, cost: float | None, number: int = 1) -> Message:
    made = replace(message(text, "assistant", number=number), usage=Usage(100, 20, cost_usd=cost))
    return handle.append(made)


def test_cost_adds_up_where_every_price_is_known(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 1)
    assert same_both_ways(handle, monkeypatch).cost_usd is None
    priced(handle, "a", 0.25)
    priced(handle, "b", 0.00001, 2)
    assert same_both_ways(handle, monkeypatch).cost_usd == pytest.approx(0.25001)
    handle.append(replace(message("cut", "assistant", number=3, stop="interrupted"), usage=Usage()))
    assert same_both_ways(handle, monkeypatch).cost_usd == pytest.approx(0.25001)
    priced(handle, "c", None, 4)
    found = same_both_ways(handle, monkeypatch)
    assert found.cost_usd is None and found.tokens == 360


def test_facts_of_the_header_and_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_in(tmp_path)
    handle = store.create(
        project_key=KEY,
        workspace=Path("/srv/demo"),
        memory_enabled=True,
        model="m",
        parent="sess_p",
        branch="feature/列表",
        kind="sub-agent",
    )
    filled(handle, 2)
    found = same_both_ways(handle, monkeypatch)
    assert (found.branch, found.kind, found.parent) == ("feature/列表", "sub-agent", "sess_p")
    assert found.size == handle.path.stat().st_size and found.damaged == 0


def test_marks_hold_over_later_messages_and_move_nothing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    before = same_both_ways(handle, monkeypatch)
    store.set_flag(handle.id, "pinned", True)
    found = same_both_ways(handle, monkeypatch)
    assert found.pinned and not found.archived and found.updated == before.updated
    filled(handle, 1, "later")
    store.set_flag(handle.id, "archived", True)
    found = same_both_ways(handle, monkeypatch)
    assert found.pinned and found.archived
    filled(handle, 1, "later still")
    store.set_flag(handle.id, "pinned", False)
    found = same_both_ways(handle, monkeypatch)
    assert not found.pinned and found.archived
    filled(handle, 1, "at last")
    assert not same_both_ways(handle, monkeypatch).pinned


def test_opening_renaming_and_marking_reorder_nothing(tmp_path: Path) -> None:
    store = store_in(tmp_path)
    made = []
    for _ in range(3):
        handle = new_handle(store)
        filled(handle, 2)
        handle.close()
        made.append(handle.id)
    store.open(made[0]).close()
    store.rename(made[1], "Neu")
    store.set_flag(made[0], "pinned", True)
    assert [one.id for one in store.list()] == made[::-1]
    assert [one.id for one in SessionStore(paths_in(tmp_path), FixedClock()).list()] == made[::-1]


def test_a_moved_live_branch_is_told_without_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    messages = filled(handle, 6)
    before = same_both_ways(handle, monkeypatch)
    handle.set_leaf(messages[3].id)
    found = same_both_ways(handle, monkeypatch)
    assert found.messages == 4 and found.preview == "message 3" and found.updated == before.updated
    handle.set_meta("title", "Mine")
    handle.set_leaf(messages[2].id)
    found = same_both_ways(handle, monkeypatch)
    assert (found.messages, found.state, found.title) == (3, "interrupted", "Mine")
    handle.set_leaf(None)
    assert same_both_ways(handle, monkeypatch).messages == 0
    handle.set_leaf(messages[5].id)
    assert same_both_ways(handle, monkeypatch).messages == 6


def test_a_title_that_was_taken_back_does_not_come_again(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    handle.append(message("/help"))
    handle.set_meta("title", "Mine")
    handle.append(message("ok", "assistant"))
    assert same_both_ways(handle, monkeypatch).title == "Mine"
    handle.set_meta("title", "")
    assert same_both_ways(handle, monkeypatch).title == handle.id


@pytest.mark.parametrize("end", [b'{"schema":1,"seq":9,"kind":"message","message":{"id":"msg_x', b"\0" * 4_000, b"\0" * 30_000])
def test_a_torn_end_costs_no_reading_of_the_whole_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, end: bytes) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 40, "word " * 200)
    handle.close()
    with handle.path.open("ab") as file:
        file.write(end)
    monkeypatch.setattr(summaries, "read_transcript", lambda path: pytest.fail("the whole file was read"))
    found = read_summary(handle.path)
    assert (found.messages, found.damaged, found.state) == (40, 1, "done")


def test_a_last_record_without_its_newline_counts(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 4)
    handle.close()
    handle.path.write_bytes(handle.path.read_bytes()[:-1])
    monkeypatch.setattr(summaries, "read_transcript", lambda path: pytest.fail("the whole file was read"))
    found = read_summary(handle.path)
    assert (found.messages, found.damaged) == (4, 0)


def test_a_record_behind_a_torn_one_is_not_missed(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 5)
    handle.close()
    lines = handle.path.read_bytes().splitlines(keepends=True)
    handle.path.write_bytes(b"".join(lines[:-2]) + lines[-2][:40] + lines[-1].rstrip(b"\n"))
    assert read_summary(handle.path).messages == summary_of(read_transcript(handle.path), handle.path, 0.0).messages


def test_a_large_file_is_never_read_whole_for_the_list(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Not even when its end or its header is damaged: the list shows what its last bytes tell."""
    handle = new_handle(store_in(tmp_path))
    filled(handle, 30, "word " * 200)
    handle.close()
    monkeypatch.setattr(summaries, "WHOLE", 1_000)
    monkeypatch.setattr(summaries, "read_transcript", lambda path: pytest.fail("the whole file was read"))
    whole = handle.path.read_bytes()
    handle.path.write_bytes(whole + b"nonsense\n" * 3)
    found = read_summary(handle.path)
    assert (found.messages, found.damaged, found.workspace) == (30, 3, "/srv/demo")
    handle.path.write_bytes(b"gone\n" + whole[whole.index(b"\n") + 1 :])
    found = read_summary(handle.path)
    assert (found.id, found.messages, found.damaged, found.workspace) == (handle.id, 30, 1, "")
    handle.path.write_bytes(b"x" * 5_000)
    assert read_summary(handle.path).state == "damaged"


def test_a_text_before_a_large_tool_output_is_the_preview(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 1)
    handle.append(message("", "assistant", number=1, parts=(TextPart("我先看一下日志"), ToolCallPart("c", "Read", {"p": "x"}))))
    handle.append(message("", "tool", number=2, parts=(ToolResultPart("c", "Read", "line\n" * 6_000),)))
    assert same_both_ways(handle, monkeypatch).preview == "我先看一下日志"


@pytest.mark.parametrize(
    ("text", "preview"),
    [
        ("改好了：\n\n- 上限提到 64 MB\n- 记在记忆里", "改好了： - 上限提到 64 MB - 记在记忆里"),
        ("😀" * 300, "😀" * 199 + "…"),
        ("\n" * 300 + "late", "late"),
    ],
)
def test_the_preview_joins_the_lines_of_the_newest_text(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, text: str, preview: str) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 1)
    handle.append(message(text, "assistant"))
    assert same_both_ways(handle, monkeypatch).preview == preview
