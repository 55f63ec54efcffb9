"""Sessions of other tools as ours: every message in its place, calls named, sub-agents off the live branch, ids that never meet ours."""

from __future__ import annotations

from datetime import UTC, datetime

from desktop.base.ids import SESSION_ID, new_session_id
from desktop.messages.parts import ToolCallPart, ToolResultPart
from desktop.sessions.context import read_context
from desktop.sessions.importers.convert import as_transcript, foreign_id, is_foreign
from desktop.sessions.importers.shapes import Damage, ImportedCall, ImportedMessage, ImportedResult, ImportedSession

NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
ID = foreign_id("claude-code", "abc")


def session(*messages: ImportedMessage, **values: object) -> ImportedSession:
    return ImportedSession("claude-code", "abc", messages=messages, started=NOON, **values)  # type: ignore[arg-type]


def test_foreign_ids_are_stable_valid_and_apart_from_ours() -> None:
    assert foreign_id("codex", "1") == foreign_id("codex", "1")
    assert len({foreign_id(source, one) for source in ("codex", "gemini") for one in ("1", "2", "1\0")}) == 6
    assert SESSION_ID.match(ID) and is_foreign(ID)
    assert not is_foreign(new_session_id(datetime(9999, 12, 31, tzinfo=UTC)))


def test_calls_and_results_in_two_messages_are_ours_with_their_names() -> None:
    loaded = as_transcript(
        session(
            ImportedMessage("u", None, "user", "look", time=NOON),
            ImportedMessage("a", "u", "assistant", "", tool_calls=(ImportedCall("c1", "Read", {"file_path": "/x"}),)),
            ImportedMessage("r", "a", "user", "", tool_results=(ImportedResult("c1", "text of x", is_error=True),)),
            ImportedMessage("b", "r", "assistant", "done"),
        ),
        ID,
        "key",
    )
    assert [(m.id, m.role, m.origin) for m in loaded.live] == [
        ("u", "user", "person"),
        ("a", "assistant", "model"),
        ("r", "tool", "tool"),
        ("b", "assistant", "model"),
    ]
    assert loaded.live[1].tool_calls == (ToolCallPart("c1", "Read", {"file_path": "/x"}),)
    assert loaded.live[2].tool_results == (ToolResultPart("c1", "Read", "text of x", "error"),)
    assert all(m.time == NOON for m in loaded.live)
    assert loaded.header is not None and (loaded.header.id, loaded.header.project_key, loaded.header.memory_enabled) == (ID, "key", False)


def test_a_call_and_its_result_in_one_message_become_two_and_children_hang_behind_both() -> None:
    loaded = as_transcript(
        session(
            ImportedMessage("u", None, "user", "look"),
            ImportedMessage(
                "a", "u", "assistant", "looking", tool_calls=(ImportedCall("c", "ls"),), tool_results=(ImportedResult("c", "x"),)
            ),
            ImportedMessage("b", "a", "assistant", "there is x"),
        ),
        ID,
        "",
    )
    assert [(m.id, m.role, m.parent) for m in loaded.live] == [
        ("u", "user", None),
        ("a", "assistant", "u"),
        ("a#tool", "tool", "a"),
        ("b", "assistant", "a#tool"),
    ]
    assert loaded.live[2].tool_results[0].name == "ls"


def test_words_beside_results_of_one_record_are_kept() -> None:
    message = ImportedMessage("r", None, "user", "and now this", tool_results=(ImportedResult("c", "x"),))
    loaded = as_transcript(session(message), ID, "")
    assert [(m.role, m.text) for m in loaded.live] == [("tool", ""), ("user", "and now this")]


def test_sub_agents_are_not_live_and_hidden_words_are_nobodys() -> None:
    loaded = as_transcript(
        session(
            ImportedMessage("m", None, "user", "<command-name>/clear</command-name>", hidden=True),
            ImportedMessage("u", "m", "user", "real"),
            ImportedMessage("a", "u", "assistant", "answer"),
            ImportedMessage("s", "a", "user", "task of the agent", sidechain=True),
        ),
        ID,
        "",
    )
    assert [m.id for m in loaded.live] == ["m", "u", "a"]
    assert len(loaded.messages) == 4
    assert loaded.live[0].origin == "app"


def test_the_live_branch_is_the_one_that_the_file_names() -> None:
    messages = (
        ImportedMessage("u", None, "user", "q"),
        ImportedMessage("one", "u", "assistant", "first"),
        ImportedMessage("two", "u", "assistant", "second"),
    )
    assert [m.id for m in as_transcript(session(*messages), ID, "").live] == ["u", "two"]
    assert [m.id for m in as_transcript(session(*messages, leaf="one"), ID, "").live] == ["u", "one"]


def test_raw_arguments_stay_text_and_pictures_stand_beside_words() -> None:
    message = ImportedMessage(
        "a", None, "assistant", "see", tool_calls=(ImportedCall("c", "sh", "ls -l"),), pictures=(("image/png", "AAAA"),)
    )
    (made,) = as_transcript(session(message), ID, "").live
    assert made.tool_calls[0].raw == "ls -l" and made.tool_calls[0].input == {}
    assert made.parts[1].data == {"image": {"media": "image/png", "base64": "AAAA"}}  # type: ignore[union-attr]


def test_readsessioncontext_reads_it() -> None:
    loaded = as_transcript(
        session(
            ImportedMessage("u", None, "user", "which port does the marmot service use?"),
            ImportedMessage("a", "u", "assistant", "the marmot service listens on 8123"),
        ),
        ID,
        "",
    )
    found = read_context(loaded, "marmot port", strategy="relevant", max_tokens=2_000)
    assert found.status == "success" and "8123" in found.text and [c.message for c in found.citations] == [1, 2]


def test_what_could_not_be_read_is_counted_for_the_banner() -> None:
    found = session(ImportedMessage("u", None, "user", "q"), damage=(Damage(3, "cut"), Damage(0, "the file as a whole"), Damage(9, "NUL")))
    loaded = as_transcript(found, ID, "")
    assert (len(loaded.damage), loaded.skipped) == (3, 2)
