"""What of a conversation an extraction sends: all, or less where it does not fit; nothing is passed over."""

from __future__ import annotations

from datetime import UTC, datetime

from desktop.agent.fit import message_tokens
from desktop.agent.jobs.history import slice_for
from desktop.messages.parts import Message, TextPart, ToolResultPart

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _person(number: int, words: int = 10) -> Message:
    return Message(f"p{number}", "user", (TextPart("word " * words),), NOW, origin="person")


def _answer(number: int, words: int = 10) -> Message:
    return Message(f"a{number}", "assistant", (TextPart("word " * words),), NOW, origin="model")


def _result(number: int, words: int) -> Message:
    return Message(f"r{number}", "tool", (ToolResultPart(f"c{number}", "Read", "word " * words),), NOW, origin="tool")


def test_all_of_it_where_it_fits() -> None:
    messages = [_person(0), _answer(0), _person(1), _answer(1)]
    part = slice_for(messages, 2, 10_000)
    assert part.messages == tuple(messages)
    assert ([m.id for m in part.said], part.boundary, part.count, part.left) == (["p1"], "a1", 2, False)


def test_else_what_was_not_looked_at() -> None:
    messages = [_person(0, 5_000), _answer(0), _person(1), _answer(1)]
    part = slice_for(messages, 2, 1_000)
    assert [m.id for m in part.messages] == ["p1", "a1"] and part.boundary == "a1" and not part.left


def test_it_never_begins_with_an_answer() -> None:
    messages = [_person(0, 5_000), _answer(0), _person(1)]
    assert [m.id for m in slice_for(messages, 1, 1_000).messages] == ["p1"]


def test_else_the_persons_words_alone() -> None:
    messages = [_person(0), _result(0, 9_000), _person(1), _result(1, 9_000)]
    part = slice_for(messages, 0, 1_000)
    assert [m.id for m in part.messages] == ["p0", "p1"]
    assert (part.boundary, part.left, part.count) == ("r1", False, 2)


def test_else_the_oldest_of_them_and_the_rest_next_time() -> None:
    messages = [_person(number, 200) for number in range(5)]
    room = 2 * message_tokens(messages[0]) + 1
    seen: list[str] = []
    position = 0
    while position < len(messages):
        part = slice_for(messages, position, room)
        assert sum(map(message_tokens, part.messages)) <= room
        seen += [m.id for m in part.said]
        position = next(n for n, m in enumerate(messages) if m.id == part.boundary) + 1
        assert part.left is (position < len(messages))
    assert seen == [m.id for m in messages]


def test_one_message_that_is_too_long_alone_is_cut() -> None:
    part = slice_for([_person(0, 9_000)], 0, 500)
    assert message_tokens(part.messages[0]) <= 520 and part.boundary == "p0" and not part.left
