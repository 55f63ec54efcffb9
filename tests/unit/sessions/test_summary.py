"""The session list: the same answer from head and tail as from the whole file, titles by rank, damaged files listed too."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart
from desktop.sessions import summary as summaries
from desktop.sessions.store import SessionHandle, SessionStore
from desktop.sessions.summary import first_prompt_title, message_state, one_line, read_summary, summary_of
from desktop.sessions.transcript import read_transcript
from tests.unit.sessions.make import filled, message, new_handle, store_in


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
