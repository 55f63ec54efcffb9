"""What is remembered of a tool is recalled in a new chat by what the tool is, though the sentence never says so."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.e2e.headless import Headless


@pytest.mark.parametrize(
    ("said", "questions"),
    [
        ("we use bun, not npm", ("Which package manager do we use?", "我们用什么包管理器？")),
        ("我们用 bun，不用 npm", ("我们用什么包管理器？", "Which package manager do we use?")),
    ],
    ids=("en", "zh"),
)
def test_remembered_by_name_and_recalled_by_kind_in_a_new_chat(tmp_path: Path, said: str, questions: tuple[str, str]) -> None:
    app = Headless(tmp_path)
    saved = app.run("-p", f"/remember {said}", "--output", "json")
    assert saved.status == 0
    (path,) = saved.json["memory"]["saved"]
    text = (Path(saved.json["memory"]["root"]) / path).read_text(encoding="utf-8")
    header = text.split("---")[1]
    assert "包管理器" in header and "package manager" in header and "使用" not in header
    for question in questions:
        shown = app.run("-p", f"/recall {question}")
        assert shown.status == 0 and path in shown.out.partition("Also found")[0] and "not added by itself" not in shown.out
    unrelated = app.run("-p", "/recall Write a function that reverses a linked list")
    assert path not in unrelated.out
