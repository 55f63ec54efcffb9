"""The name in a header is replaced and nothing else, or nothing is."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.memory.frontmatter import parse
from desktop.memory.naming import named_bytes


def test_only_the_name_changes() -> None:
    before = "\ufeff---\r\nname: 'a b'  # kept\r\ndescription: x\r\nmetadata:\r\n  type: user\r\n---\r\n\r\nbody\r\n".encode()
    after = named_bytes(before, "包管理器: 新")
    assert after == before.replace(b"'a b'", '"包管理器: 新"'.encode())


@pytest.mark.parametrize(
    "text",
    [
        "no header\n",
        "---\ndescription: x\n---\n",
        "---\nname: |\n  two\n  lines\n---\n",
        "---\nname: [a, b]\n---\n",
        "---\nname: [open\n---\n",
    ],
)
def test_what_cannot_be_changed_without_doubt_is_left(text: str) -> None:
    assert named_bytes(text.encode(), "new") is None


@settings(max_examples=150, deadline=None)
@given(st.text(st.characters(exclude_categories=("Cs", "Cc")), min_size=1, max_size=30))
def test_any_name_is_read_back_or_refused(name: str) -> None:
    data = named_bytes(b"---\nname: old\ndescription: d\n---\n\nbody\n", name)
    assert data is None or (parse(data).name == name and parse(data).body == parse(b"---\nname: old\ndescription: d\n---\n\nbody\n").body)
