"""Which prompts are commands, and Markdown tables in a terminal."""

from __future__ import annotations

import pytest

from desktop.base.errors import UsageError
from desktop.cli.output import aligned_tables
from desktop.cli.slash import is_command


def test_which_prompts_are_commands() -> None:
    assert is_command("/memory")
    assert is_command("/remember we use bun")
    assert not is_command("/etc/hosts is wrong")
    assert not is_command("hello")
    for text in ("/memroy", "/new"):
        with pytest.raises(UsageError):
            is_command(text)


def test_columns_stand_one_below_the_other() -> None:
    table = "above\n\n| A | 槽位 |\n| --- | ---: |\n| b\\|c | 1,234 |\n\nbelow"
    assert aligned_tables(table) == "above\n\n| A    |  槽位 |\n| ---- | ----: |\n| b\\|c | 1,234 |\n\nbelow"
    assert aligned_tables("| a | b |\n| only one |") == "| a | b |\n| only one |"
    assert aligned_tables("no table\n") == "no table\n"
