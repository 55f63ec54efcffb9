"""`#sess_…` in what a person types."""

from __future__ import annotations

import pytest

from desktop.sessions.references import find_references, reference_reminder, without_references

A = "sess_01kdyak348nvnv6rgfqr8n6vam"


@pytest.mark.parametrize(
    ("text", "ids"),
    [
        (f"see #{A}.", (A,)),
        (f"参考#{A}，继续", (A,)),
        (f"#{A} and #{A} and #sess_b.c-d_e", (A, "sess_b.c-d_e")),
        (f"without the mark: {A}", ()),
        ("#sess_", ()),
        (f"as in #{A}.Then go on", (A,)),
        (f"见＃{A}。", (A,)),
    ],
)
def test_references_are_found_once_each(text: str, ids: tuple[str, ...]) -> None:
    assert find_references(text) == ids


def test_the_reminder_names_them_the_tool_and_that_it_is_data() -> None:
    assert reference_reminder(()) == ""
    text = reference_reminder((A, "sess_b"))
    assert A in text and "sess_b" in text and "ReadSessionContext" in text and "untrusted" in text


def test_a_title_says_nothing_of_ids() -> None:
    one, two = f"#sess_{'0' * 26}", f"＃sess_{'1' * 25}z:12"
    assert without_references(f"比较 {one} 与 {two}") == "比较 … 与 …"
    assert without_references(f"{one} {two}\n") == "", "there is nothing else in it"
    assert without_references("about #sess_short and …") == "about #sess_short and …"
    assert without_references("…") == "…"
