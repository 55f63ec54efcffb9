"""aider's history: prompts, answers and what aider printed are told apart, chat by chat."""

from __future__ import annotations

import re
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.sessions.importers import list_transcripts, open_transcript
from tests.helpers.data import shared_data
from tests.unit.sessions.importers.chat_world import AIDER, put

NAME = ".aider.chat.history.md"


def test_the_whole_history_is_one_line_of_messages(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / NAME, AIDER))
    assert (found.source, found.branches, found.damage) == ("aider", 1, ())
    assert [one.role for one in found.messages] == ["user", "user", "assistant", "assistant", "user", "user", "assistant"]
    assert found.started == datetime(2026, 3, 1, 9, 30, tzinfo=UTC)
    assert found.workspace == str(tmp_path)
    assert found.title == "请把端口改成 8080"
    assert found.model == "other/model-2"


def test_lines_of_a_person_are_one_prompt(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / "history.md", AIDER))
    assert found.messages[1].text == "请把端口改成 8080\nand keep the old one as a fallback"


def test_commands_are_hidden_and_asked_questions_are_not(tmp_path: Path) -> None:
    found = open_transcript(put(tmp_path / NAME, AIDER))
    assert [one.text.splitlines()[0] for one in found.messages if one.hidden] == ["/add server.py", "/exit"]
    assert found.messages[5].text == "/ask why does it fail?"


def test_what_aider_printed_is_quoted_where_it_stood(tmp_path: Path) -> None:
    messages = open_transcript(put(tmp_path / NAME, AIDER)).messages
    assert messages[0].text == "/add server.py\n\n> Added server.py to the chat"
    assert messages[2].text.startswith("> Warning: the file is large.\n\nHere is the change:")
    assert messages[2].text.endswith("> longer words of the commit\n> ```")
    assert messages[3].text == "Then the second try worked."


def test_quotations_and_headings_of_the_model_stay_its_own(tmp_path: Path) -> None:
    answer = open_transcript(put(tmp_path / NAME, AIDER)).messages[2].text
    assert "#### A heading of the model\n\n> a quotation of the model" in answer


def test_tokens_prices_and_models_belong_to_the_answers(tmp_path: Path) -> None:
    messages = open_transcript(put(tmp_path / NAME, AIDER)).messages
    assert [(one.tokens, one.cost_usd, one.model) for one in messages if one.role == "assistant"] == [
        (1_700, 0.0125, "some/model-1"),
        (3_024, None, "some/model-1"),
        (0, None, "other/model-2"),
    ]


def test_each_chat_in_which_something_is_said_is_a_session(tmp_path: Path) -> None:
    path = put(tmp_path / NAME, AIDER)
    found = list_transcripts(path)
    assert [(one.session, one.title, one.messages) for one in found] == [
        ("2026-03-03T11:00:00", "why does it fail?", 2),
        ("2026-03-01T09:30:00", "请把端口改成 8080", 4),
    ]
    one = open_transcript(path, "2026-03-03T11:00:00")
    assert [message.text for message in one.messages] == ["/ask why does it fail?", "Since the port is taken."]
    assert one.id == "2026-03-03T11:00:00"
    assert open_transcript(path, "1999-01-01T00:00:00").damage


def test_a_folder_with_a_history_is_one(tmp_path: Path) -> None:
    put(tmp_path / NAME, AIDER)
    assert open_transcript(tmp_path).messages == open_transcript(tmp_path / NAME).messages
    assert len(list_transcripts(tmp_path)) == 2


def test_an_editor_that_stripped_blanks_does_not_lose_the_prompts(tmp_path: Path) -> None:
    stripped = "\n".join(line.rstrip() for line in AIDER.splitlines())
    found = open_transcript(put(tmp_path / NAME, stripped))
    assert "请把端口改成 8080\nand keep the old one as a fallback" in [one.text for one in found.messages]


def _count(text: str) -> tuple[int, int]:
    """Prompts and all messages, told line by line: a line that begins with `####` is the person's, with `> ` aider's, else the model's."""
    kinds = []
    for line in text.split("\n"):
        if not line.startswith("# aider chat started"):
            kinds.append("u" if line.startswith("####") else "t" if re.match(r"> |>$", line) else " " if not line.strip() else "a")
        else:
            kinds.append("s")
    shape = re.sub(r" +", " ", "".join(kinds))
    prompts = len(re.findall(r"u+", shape))
    return prompts, prompts + len(re.findall(r"a[a ]*", shape))


@pytest.mark.parametrize("folder", ["87maxi-supplychaintracker2", "afi-protocol-afi-core", "aquaticat-monochromatic"])
def test_real_histories_have_as_many_prompts_as_an_independent_count(folder: str) -> None:
    path = shared_data("real/transcripts") / folder / "dot-aider.chat.history.md"
    found = open_transcript(path)
    prompts, everything = _count(path.read_text("utf-8", errors="replace"))
    assert sum(one.role == "user" for one in found.messages) == prompts
    assert abs(len(found.messages) - everything) <= everything * 0.05, "quotations of the model part answers in the simple count"
    print(f"{folder}: {len(found.messages)} messages, {prompts} prompts, simple count of all {everything}")


def test_a_price_that_is_no_number_is_left_out(tmp_path: Path) -> None:
    said = "# aider chat started at 2026-03-01 09:30:00\n\n#### hello  \n\nhi\n\n> Tokens: 2.1k sent, 5 received. Cost: $1.2.3 message.  \n"
    found = open_transcript(put(tmp_path / NAME, said))
    assert [(one.text, one.tokens, one.cost_usd) for one in found.messages] == [("hello", 0, None), ("hi", 2105, 0.0)]


def test_a_count_without_end_is_none(tmp_path: Path) -> None:
    said = f"# aider chat started at 2026-01-02 10:00:00\n\n#### hi  \n\nHello.\n\n> Tokens: {'9' * 400} sent, 2 received.  \n"
    place = tmp_path / ".aider.chat.history.md"
    place.write_text(said, encoding="utf-8")
    assert [one.text for one in open_transcript(place).messages] == ["hi", "Hello."]
