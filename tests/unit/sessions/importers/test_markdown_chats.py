"""Chats in Markdown and plain text: every usual mark of who speaks, in English and Chinese; code and quotations are no marks."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.sessions.importers import open_transcript
from tests.unit.sessions.importers.chat_world import put

STYLES = {
    "headings": ("## User\n\n{0}\n\n", "## Assistant\n\n{1}\n\n"),
    "deeper headings with colons": ("### Human:\n{0}\n\n", "### AI:\n{1}\n\n"),
    "headings with pictures and times": ("## 👤 User (2026-01-02 03:04:05)\n\n{0}\n\n", "## 🤖 Assistant (some-model)\n\n{1}\n\n"),
    "headings with numbers": ("## 3. User\n\n{0}\n\n", "## 4. Assistant\n\n{1}\n\n"),
    "bold, colon inside": ("**User:** {0}\n\n", "**Assistant:** {1}\n\n"),
    "bold, colon outside": ("**You**: {0}\n\n", "**ChatGPT**: {1}\n\n"),
    "bold alone, with rules": ("**User**\n\n{0}\n\n---\n\n", "**Cursor**\n\n{1}\n\n---\n\n"),
    "names with a colon": ("User: {0}\n", "Assistant: {1}\n"),
    "Chinese names": ("用户：{0}\n\n", "助手：{1}\n\n"),
    "Chinese headings": ("## 用户\n\n{0}\n\n", "## 助手\n\n{1}\n\n"),
    "brackets": ("[USER]\n{0}\n\n", "[ASSISTANT]\n{1}\n\n"),
    "chat markup": ("<|im_start|>user\n{0}<|im_end|>\n", "<|im_start|>assistant\n{1}<|im_end|>\n"),
    "prompts and responses": ("### Prompt\n\n{0}\n\n", "### Response\n\n{1}\n\n"),
}
TALK = [("How many files?", "Two files.\n\n```\nUser: no mark\n## User\n```\n\nand *more*"), ("谢谢", "不客气")]


@pytest.mark.parametrize("style", STYLES)
@pytest.mark.parametrize("ends", ["\n", "\r\n"], ids=["LF", "CRLF"])
def test_marks_of_who_speaks(tmp_path: Path, style: str, ends: str) -> None:
    asked, answered = STYLES[style]
    text = "# A talk\n\nExported today.\n\n" + "".join(asked.format(*one) + answered.format(*one) for one in TALK)
    found = open_transcript(put(tmp_path / "talk.txt", text.replace("\n", ends).encode()))
    assert (found.source, found.branches, found.title) == ("generic", 1, "A talk")
    assert [(one.role, one.text) for one in found.messages] == [
        (role, said) for one in TALK for role, said in zip(("user", "assistant"), one, strict=True)
    ]


def test_times_stand_in_the_marks(tmp_path: Path) -> None:
    text = "## User (2026-01-02 03:04:05)\n\nHi\n\n## Assistant\n\nYo\n"
    first, second = open_transcript(put(tmp_path / "a.md", text)).messages
    assert first.time is not None
    assert first.time.isoformat() == "2026-01-02T03:04:05+00:00"
    assert second.time is None


def test_headings_of_an_answer_stay_in_it(tmp_path: Path) -> None:
    text = "## User\n\nHi\n\n## Assistant\n\n### Step one\n\nText\n\n# Big\n\nMore\n\n## User\n\nThanks\n"
    found = open_transcript(put(tmp_path / "a.md", text))
    assert [one.role for one in found.messages] == ["user", "assistant", "user"]
    assert found.messages[1].text == "### Step one\n\nText\n\n# Big\n\nMore"


def test_a_fence_that_is_never_closed_hides_nothing(tmp_path: Path) -> None:
    text = "**User:** Hi\n\n```\ncode\n\n**Assistant:** Yo\n"
    assert len(open_transcript(put(tmp_path / "a.md", text)).messages) == 2


@pytest.mark.parametrize(
    "text",
    [
        "User: bob\nPassword: x\nHost: y\n",
        "## User\n\nOnly one side speaks.\n\n## User\n\nAgain.\n",
        "word " * 2_000 + "\n\nUser: hi\nAssistant: yo\n",
        "# Guide\n\n## A\n\nx\n\n## B\n\nx\n\n## C\n\nx\n\n## User\n\nx\n\n## Assistant\n\nx\n",
    ],
    ids=["settings", "one side", "an example far below", "a guide"],
)
def test_documents_are_no_chats(tmp_path: Path, text: str) -> None:
    assert open_transcript(put(tmp_path / "a.md", text)).source == "unknown"


@pytest.mark.parametrize("code", ['{"role": "user", "content": "an example"}', '{"port": 80}', '[{"role": "assistant", "content": "x"}]'])
def test_json_inside_of_a_chat_is_part_of_what_is_said(tmp_path: Path, code: str) -> None:
    text = "# Talk\n\n" + "".join(f"## User\n\nask {n} {'words ' * 30}\n\n## Assistant\n\n```json\n{code}\n```\n\n" for n in range(3))
    found = open_transcript(put(tmp_path / "a.md", text))
    assert [one.role for one in found.messages] == ["user", "assistant"] * 3
    assert code in found.messages[1].text
