"""Titles of other tools' sessions go by the rules of our own: what the person wrote, without wrappers and commands."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from desktop.sessions.importers import open_transcript
from desktop.sessions.importers.shapes import ImportedMessage
from desktop.sessions.importers.values import first_title, prompt_title


@pytest.mark.parametrize(
    ("said", "title"),
    [
        ("fix it\nplease", "fix it"),
        ("/srv/app/main.py 里的登录坏了", "/srv/app/main.py 里的登录坏了"),
        ("/compact", ""),
        ("/compact\nthen go on", "then go on"),
        ("<system-reminder>today</system-reminder>\nfix it", "fix it"),
        ("<task>fix it</task><environment_details>x</environment_details>", "fix it"),
        ("<environment_context>x</environment_context>", ""),
        (None, ""),
        (7, ""),
    ],
)
def test_the_persons_words_are_the_title(said: object, title: str) -> None:
    assert prompt_title(said) == title


def test_the_first_prompt_that_says_something() -> None:
    def said(text: str, role: str = "user", **more: bool) -> ImportedMessage:
        return ImportedMessage(id=text, parent=None, role=role, text=text, **more)  # type: ignore[arg-type]

    messages = [
        said("/model x"),
        said("hidden", hidden=True),
        said("task", sidechain=True),
        said("hi", "assistant"),
        said("/etc/hosts 改一下"),
    ]
    assert first_title(messages) == "/etc/hosts 改一下"
    assert first_title(messages[:4]) == ""


def test_a_task_of_the_cline_family_is_named_by_what_was_asked(tmp_path: Path) -> None:
    task = tmp_path / "tasks" / "1700000000000"
    task.mkdir(parents=True)
    asked = "<task>为什么登录失败</task><environment_details>tabs</environment_details>"
    history = [{"role": "user", "content": [{"type": "text", "text": asked}]}, {"role": "assistant", "content": "因为令牌过期"}]
    (task / "api_conversation_history.json").write_text(json.dumps(history), encoding="utf-8")
    (task / "history_item.json").write_text(json.dumps({"id": task.name, "task": asked}), encoding="utf-8")
    assert open_transcript(task / "api_conversation_history.json").title == "为什么登录失败"
