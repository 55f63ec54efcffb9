"""A recalled memory as it is read: budgets, cuts, masks, ages."""

from __future__ import annotations

import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.memory.recall_read import Budget, RecalledMemory, age, age_notice, cut, read_memory, same_content
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import Desk, note_text

NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


def put(desk: Desk, path: str, text: str | bytes) -> Path:
    file = desk.root / path
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return file


def read(desk: Desk, path: str, budget: Budget | None = None) -> RecalledMemory | None:
    return read_memory(desk.store.memory_root, path, reason="why", stage="lexical", budget=budget or Budget())


def test_a_memory_is_read_with_name_description_and_text(desk: Desk) -> None:
    file = put(desk, "a/depot.md", note_text("Depot", "It closes at six.", description="Opening hours", kind="reference"))
    memory = read(desk, "a/depot.md")
    assert memory is not None
    assert (memory.name, memory.description, memory.type, memory.absolute) == ("Depot", "Opening hours", "reference", file)
    assert memory.text == "# Depot\n\nOpening hours\n\nIt closes at six." and not memory.truncated


def test_a_description_that_the_text_repeats_is_not_said_twice(desk: Desk) -> None:
    put(desk, "depot.md", note_text("Depot", "It closes at six."))
    memory = read(desk, "depot.md")
    assert memory is not None and memory.text.count("closes at six") == 1


def test_modified_of_the_header_goes_before_the_files_time(desk: Desk) -> None:
    file = put(desk, "m.md", "---\nname: m\nmetadata:\n  modified: 2025-05-05T05:05:05Z\n---\n\ntext\n")
    os.utime(file, (2e9, 2e9))
    memory = read(desk, "m.md")
    assert memory is not None and memory.modified == datetime(2025, 5, 5, 5, 5, 5, tzinfo=UTC)


@pytest.mark.parametrize("path", ["gone.md", "MEMORY.md", "../outside.md", "link.md", "empty.md", "folder.md", "pipe.md"])
def test_what_is_no_memory_is_not_read(desk: Desk, path: str) -> None:
    put(desk, "MEMORY.md", "- [x](y.md)\n")
    put(desk, "../outside.md", "secret")
    put(desk, "empty.md", "")
    (desk.root / "folder.md").mkdir()
    (desk.root / "link.md").symlink_to(desk.root.parent / "outside.md")
    os.mkfifo(desk.root / "pipe.md")
    assert read(desk, path) is None


def test_secrets_and_invisible_characters_do_not_pass(desk: Desk) -> None:
    key = "sk-" + "ant-api03-" + "Ab1" * 20
    put(desk, "s.md", note_text("s", f"key {key}\u202e\u200b end", description="d"))
    memory = read(desk, "s.md")
    assert memory is not None and key not in memory.text and "\u202e" not in memory.text and "end" in memory.text


@pytest.mark.parametrize(
    "data", [b"\xff\xfe\x00", b"\x00\x01\x02 text", "\ufeff---\nname: b\n---\nx".encode(), b"---\nname: [\n---\nbody", b"\xed\xa0\x80"]
)
def test_odd_bytes_are_read_or_left_out_and_never_raise(desk: Desk, data: bytes) -> None:
    put(desk, "odd.md", data)
    memory = read(desk, "odd.md")
    assert memory is None or memory.text.encode()


# budgets


def test_lines_are_cut_and_it_is_said(desk: Desk) -> None:
    put(desk, "long.md", note_text("long", "\n".join(f"line {n}" for n in range(500)), description="d"))
    memory = read(desk, "long.md", Budget(200, 1 << 20))
    assert memory is not None and memory.truncated
    assert memory.text.count("\n") == 200 and "200 of 504 lines" in memory.text.splitlines()[-1]


def test_bytes_are_cut_at_a_line(desk: Desk) -> None:
    put(desk, "long.md", note_text("long", "\n".join(f"zeile {n} äöü" for n in range(900)), description="d"))
    memory = read(desk, "long.md")
    assert memory is not None and memory.truncated
    shown, told = memory.text.rsplit("\n", 1)
    assert len(shown.encode()) <= 4_096 and shown.endswith("äöü") and told.startswith("[Cut here: ")


def test_one_long_line_is_cut_at_a_character() -> None:
    text, truncated = cut("漢字" * 5_000, Budget())
    shown, told = text.rsplit("\n", 1)
    assert truncated and len(shown.encode()) <= 4_096 and set(shown) == {"漢", "字"} and "30,000 bytes" in told


def test_any_text_keeps_to_any_budget() -> None:
    seed = drawn_seed()
    chance = random.Random(seed)
    for _ in range(400):
        text = "".join(chance.choice("ab \n\n漢😀é\t") for _ in range(chance.randrange(400)))
        budget = Budget(chance.randrange(1, 40), chance.randrange(1, 300))
        shown, truncated = cut(text, budget)
        kept = shown.rsplit("\n", 1)[0] if truncated else shown
        assert len(kept.encode()) <= budget.size and kept.count("\n") < budget.lines
        assert text.startswith(kept) and (truncated or shown == text)


# ages


@pytest.mark.parametrize(
    ("days", "shown"),
    [
        (-400.0, "today"),
        (-0.1, "today"),
        (0.9, "today"),
        (1.0, "1 day ago"),
        (1.9, "1 day ago"),
        (2.0, "2 days ago"),
        (1_200.0, "1,200 days ago"),
    ],
)
def test_ages_are_whole_days_and_never_negative(days: float, shown: str) -> None:
    assert age(NOW - timedelta(days=days), NOW) == shown


def test_only_an_old_memory_has_a_dated_notice_in_the_persons_language() -> None:
    assert age_notice(NOW - timedelta(days=1.9), NOW, fresh_days=1, language="en") == ""
    assert age_notice(NOW + timedelta(days=30), NOW, fresh_days=1, language="zh") == ""
    english = age_notice(NOW - timedelta(days=40), NOW, fresh_days=1, language="en")
    chinese = age_notice(NOW - timedelta(days=40), NOW, fresh_days=1, language="zh")
    assert "2026-01-20" in english and "40 days" in english and "snapshot" in english
    assert "2026-01-20" in chinese and "40 天" in chinese and "核实" in chinese
    assert age_notice(NOW - timedelta(days=40), NOW, fresh_days=60, language="en") == ""


def test_a_touched_file_holds_the_same_and_an_edited_one_does_not(desk: Desk) -> None:
    file = put(desk, "x.md", note_text("x", "one"))
    memory = read(desk, "x.md")
    assert memory is not None
    os.utime(file)
    assert same_content(memory)
    file.write_text(note_text("x", "two"))
    assert not same_content(memory)
    file.unlink()
    assert not same_content(memory)


def test_a_memory_of_megabytes_is_cut_without_looking_through_all_of_it(desk: Desk) -> None:
    put(desk, "huge.md", note_text("huge", "x" * 80 + "\n" + "word and word\n" * 450_000, description="d"))
    memory = read(desk, "huge.md")
    assert memory is not None and memory.truncated and len(memory.text.encode()) < 4_400
    assert "more than" in memory.text.splitlines()[-1]


def test_a_secret_that_begins_within_the_budget_is_masked_whole(desk: Desk) -> None:
    key = "ghp_" + "Ab1c" * 9
    put(desk, "s.md", note_text("s", "y " * 2_030 + key, description="d"))
    memory = read(desk, "s.md", Budget(200, 4_096))
    assert memory is not None and "ghp_" not in memory.text
