"""Translation to the provider library and back, where the wire tests do not reach: odd conversations and odd signatures."""

from __future__ import annotations

import pytest
from pydantic_ai import messages as library

from desktop.messages.parts import Part, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.providers.library_messages import ENVELOPE, clean, from_library, to_library
from tests.helpers.models import assistant, results, user


def test_a_conversation_alternates_and_starts_with_the_person() -> None:
    found = to_library([assistant(TextPart("Hi")), assistant(TextPart("again")), user("a"), user("b"), assistant()], "openai")
    assert [type(m) for m in found] == [library.ModelRequest, library.ModelResponse, library.ModelRequest]
    assert [p.content for p in found[1].parts if isinstance(p, library.TextPart)] == ["Hi", "again"]
    assert [p.content for p in found[2].parts if isinstance(p, library.UserPromptPart)] == ["a\n\nb"]


@pytest.mark.parametrize("messages", [[], [user("")], [user(" \n")]])
def test_an_empty_message_is_still_a_message(messages: list[object]) -> None:
    (found,) = to_library(messages, "openai")  # type: ignore[arg-type]
    assert [p.content for p in found.parts if isinstance(p, library.UserPromptPart)] == ["(empty message)"]


def test_results_follow_their_calls_and_reminders_follow_the_results() -> None:
    calls = assistant(ToolCallPart("a", "Read"), ToolCallPart("b", "Read"))
    given = results(ToolResultPart("b", "Read", "two", "denied"))
    found = to_library([user("x"), calls, given, user("reminder", origin="app")], "openai")
    returned = [(p.tool_call_id, p.outcome) for p in found[2].parts if isinstance(p, library.ToolReturnPart)]
    assert returned == [("b", "denied"), ("a", "interrupted")]
    assert isinstance(found[2].parts[-1], library.UserPromptPart)


@pytest.mark.parametrize(
    "part",
    [
        ThinkingPart("x", ENVELOPE + "{broken", "google"),
        ThinkingPart("x", ENVELOPE + "[1]", "google"),
        ThinkingPart("x", ENVELOPE + '{"next": 7}', "google"),
        ThinkingPart("x", ENVELOPE + "[" * 100_000, "google"),
        ThinkingPart("x", None, "google"),
        ThinkingPart("x", "c2ln", None),
    ],
)
def test_a_signature_that_cannot_be_used_is_left_out(part: ThinkingPart) -> None:
    found = to_library([user("x"), assistant(part, TextPart("y"))], "google")
    assert [type(p) for p in found[1].parts] == [library.TextPart]


def there_and_back(*parts: library.ModelResponsePart, provider: str = "google") -> tuple[tuple[Part, ...], list[library.ModelResponsePart]]:
    ours = from_library(parts, {}, provider)
    returned = to_library([user("x"), assistant(*ours)], provider)[1]
    assert isinstance(returned, library.ModelResponse)
    return ours, list(returned.parts)


def test_details_travel_with_the_part_they_belong_to() -> None:
    signed = {"thought_signature": "c2ln"}
    call = library.ToolCallPart("Read", '{"a":1}', tool_call_id="c1", provider_name="google", provider_details=signed)
    ours, (text, returned, last) = there_and_back(library.TextPart("Hm"), call, library.TextPart("end"))
    assert [type(p) for p in ours] == [TextPart, ThinkingPart, ToolCallPart, TextPart]
    assert isinstance(returned, library.ToolCallPart) and returned.provider_details == signed
    assert isinstance(text, library.TextPart) and text.provider_details is None
    assert isinstance(last, library.TextPart) and last.provider_details is None


def test_details_stay_away_from_another_provider() -> None:
    signed = {"thought_signature": "c2ln"}
    call = library.ToolCallPart("Read", {}, tool_call_id="c1", provider_name="google", provider_details=signed)
    ours = from_library([call], {}, "google")
    found = to_library([user("x"), assistant(*ours)], "anthropic")[1]
    assert [type(p) for p in found.parts] == [library.ToolCallPart]
    assert "c2ln" not in repr(found)


def test_ids_of_reasoning_items_survive() -> None:
    part = library.ThinkingPart("Hm", id="rs_1", signature="ZW5j", provider_name="openai", provider_details={"raw_content": ["x"]})
    _, (returned,) = there_and_back(part, provider="openai")
    assert returned == part


def test_a_plain_signature_stays_plain() -> None:
    ours, _ = there_and_back(library.ThinkingPart("Hm", signature="c2ln", provider_name="anthropic"), provider="anthropic")
    assert ours == (ThinkingPart("Hm", "c2ln", "anthropic"),)


def test_text_that_utf8_cannot_carry() -> None:
    assert clean("a\udfffb") == "a\ufffdb"
    assert clean("你好 🙂") == "你好 🙂"
