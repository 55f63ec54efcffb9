"""What “Remember this” proposes before anything is saved."""

from __future__ import annotations

import pytest

from desktop.ui.controllers.chat_saves import preview_of


@pytest.mark.parametrize(("text", "name"), [("The release is next Friday", "release"), ("下周五发版", "发版"), ("", "")])
def test_a_name_holds_no_day_that_moves(text: str, name: str) -> None:
    assert preview_of(text)[0] == name
