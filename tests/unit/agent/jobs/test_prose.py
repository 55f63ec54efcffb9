"""The prose gate counts by script, honours explicit words in both languages and lets pending text wait."""

from __future__ import annotations

from datetime import UTC, datetime

import pytest

from desktop.agent.jobs.prose import has_prose, pending_after
from desktop.messages.parts import Message, Origin, TextPart


def _said(text: str, number: int = 0, origin: Origin = "person") -> Message:
    return Message(f"m{number}", "user", (TextPart(text),), datetime(2026, 1, 1, tzinfo=UTC), origin=origin)


@pytest.mark.parametrize(
    "text", ["以后提交信息都用中文写", "记住", "don't forget", "we deploy on Fridays", "我们用邮差测试", "テストは毎回走らせる"]
)
def test_enough(text: str) -> None:
    assert has_prose(_said(text))


@pytest.mark.parametrize("text", ["好的", "ok", "yes please", "谢谢", "go on", "👍👍👍"])
def test_not_enough(text: str) -> None:
    assert not has_prose(_said(text))


def test_short_messages_stay_pending_and_five_of_them_run() -> None:
    messages = [_said("好的", n) for n in range(4)]
    assert not pending_after(messages, None).worth
    assert len(pending_after(messages, None).messages) == 4
    assert pending_after([*messages, _said("嗯", 4)], None).worth


def test_only_what_stands_behind_the_cursor_counts() -> None:
    messages = [_said("we deploy on Fridays", 0), _said("ok", 1)]
    assert pending_after(messages, None).worth
    assert not pending_after(messages, "m0").worth
    assert [m.id for m in pending_after(messages, "m0").messages] == ["m1"]


def test_a_vanished_cursor_counts_as_none() -> None:
    assert len(pending_after([_said("we deploy on Fridays", 0)], "gone").messages) == 1


def test_what_the_app_says_is_not_the_person() -> None:
    assert pending_after([_said("remember that we deploy on Fridays", 0, "app")], None).messages == ()
