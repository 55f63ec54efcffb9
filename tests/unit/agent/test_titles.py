"""Titles by the model: asked once, from question and answer, cleaned; a failure or a novel gives none, the embedded one is never asked."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest

from desktop.agent.titles import generated_title, title_in, wants_title
from desktop.providers.scripted import ScriptedModel
from tests.helpers.clock import FixedClock
from tests.helpers.script import write_script
from tests.unit.sessions.make import message

TALK = (message("How do we deploy the marmot service?"), message("With rsync.", "assistant"))


def titled(tmp_path: Path, **response: Any) -> str:
    model = ScriptedModel(Path(write_script(tmp_path, [{"for": "title", **response}]).removeprefix("scripted:")))

    async def run() -> str:
        try:
            return await generated_title(model, TALK, "sess_x", FixedClock())
        finally:
            await model.close()

    return asyncio.run(run())


def test_the_models_answer_is_the_title(tmp_path: Path) -> None:
    assert titled(tmp_path, text="Deploying the marmot service") == "Deploying the marmot service"


def test_an_error_gives_none(tmp_path: Path) -> None:
    assert titled(tmp_path, error={"kind": "auth", "message": "no"}) == ""


@pytest.mark.parametrize(
    ("answer", "title"),
    [
        ('"Deploying marmots."', "Deploying marmots"),
        ("Title: **Deploying marmots**", "Deploying marmots"),
        ("标题:《部署土拨鼠服务》", "部署土拨鼠服务"),
        ("\n\n# Deploying\nmore", "Deploying"),
        ("", ""),
        ("long " * 60, ""),
    ],
)
def test_what_of_an_answer_is_a_title(answer: str, title: str) -> None:
    assert title_in(answer) == title


@pytest.mark.parametrize(
    ("messages", "given", "small", "allowed", "wanted"),
    [
        (TALK, False, False, True, True),
        (TALK[:1], False, False, True, False),
        (TALK, True, False, True, False),
        (TALK, False, True, True, False),
        (TALK, False, False, False, False),
        ((message("reminder", origin="app"), TALK[1]), False, False, True, False),
    ],
)
def test_when_one_is_asked_for(messages: Any, given: bool, small: bool, allowed: bool, wanted: bool) -> None:
    assert wants_title(messages, given=given, small=small, allowed=allowed) is wanted
