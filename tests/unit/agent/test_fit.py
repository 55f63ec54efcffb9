"""Old tool outputs leave the request when the window fills, the newest never, and what was cut stays cut."""

from __future__ import annotations

from datetime import UTC, datetime

from desktop.agent.fit import KEEP_NEWEST, fit
from desktop.messages.parts import Message, TextPart, ToolCallPart, ToolResultPart

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _conversation(outputs: int, size: int) -> list[Message]:
    messages = [Message("m0", "user", (TextPart("look at everything"),), NOW)]
    for n in range(outputs):
        messages.append(Message(f"a{n}", "assistant", (ToolCallPart(f"c{n}", "Read", {"file_path": "x"}),), NOW, origin="model"))
        messages.append(Message(f"t{n}", "tool", (ToolResultPart(f"c{n}", "Read", "x" * size),), NOW, origin="tool"))
    return messages


def _outputs(messages: tuple[Message, ...]) -> list[str]:
    return [r.output for m in messages for r in m.tool_results]


def test_nothing_is_cut_while_there_is_room() -> None:
    messages = _conversation(6, 400)
    fitted = fit(messages, fixed_tokens=100, room=10_000, cut=frozenset())
    assert fitted.messages == tuple(messages)
    assert fitted.fits
    assert not fitted.cut


def test_oldest_outputs_go_first_and_the_newest_stay() -> None:
    fitted = fit(_conversation(10, 4_000), fixed_tokens=0, room=8_000, cut=frozenset())
    cut = [output.startswith("[Output of 4000 characters") for output in _outputs(fitted.messages)]
    assert cut == sorted(cut, reverse=True)
    assert cut[0]
    assert not any(cut[-KEEP_NEWEST:])
    assert fitted.fits
    assert fitted.tokens <= 8_000 * 0.85


def test_what_was_cut_stays_cut_so_that_the_prefix_is_stable() -> None:
    first = fit(_conversation(10, 4_000), fixed_tokens=0, room=8_000, cut=frozenset())
    again = fit(_conversation(10, 4_000), fixed_tokens=0, room=1_000_000, cut=first.cut)
    assert _outputs(again.messages) == _outputs(first.messages)


def test_says_when_even_that_is_not_enough() -> None:
    fitted = fit(_conversation(4, 400_000), fixed_tokens=0, room=8_000, cut=frozenset())
    assert not fitted.fits


def test_the_provider_s_count_corrects_the_estimate() -> None:
    messages = _conversation(10, 4_000)
    assert not fit(messages, fixed_tokens=0, room=14_000, cut=frozenset()).cut
    assert fit(messages, fixed_tokens=0, room=14_000, cut=frozenset(), correction=2.0).cut


def test_the_transcript_is_not_touched() -> None:
    messages = _conversation(10, 4_000)
    fit(messages, fixed_tokens=0, room=8_000, cut=frozenset())
    assert all(len(r.output) == 4_000 for m in messages for r in m.tool_results)
