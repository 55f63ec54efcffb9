"""What a writer hears about the size of the index: nothing, a reminder, or what is left out and how far to go back."""

from __future__ import annotations

from pathlib import Path

import pytest

from desktop.memory.index import IndexLimits
from desktop.memory.index_feedback import write_feedback


def put(root: Path, count: int, hook: str = "x") -> None:
    (root / "MEMORY.md").write_text("\n".join(f"- [topic {n}](t{n}.md) — {hook}" for n in range(count)) + "\n")


def test_silence_while_there_is_room_or_no_index(tmp_path: Path) -> None:
    assert write_feedback(tmp_path, IndexLimits()) == ""
    put(tmp_path, 159)
    assert write_feedback(tmp_path, IndexLimits()) == ""
    (tmp_path / "MEMORY.md").write_text("")
    assert write_feedback(tmp_path, IndexLimits()) == ""
    (tmp_path / "MEMORY.md").unlink()
    (tmp_path / "MEMORY.md").mkdir()
    assert write_feedback(tmp_path, IndexLimits()) == ""


def test_a_reminder_from_eighty_percent_of_any_limit(tmp_path: Path) -> None:
    put(tmp_path, 160)
    assert "160 of 200 lines" in write_feedback(tmp_path)
    assert "over" not in write_feedback(tmp_path)
    put(tmp_path, 100, "中" * 40)
    assert write_feedback(tmp_path, IndexLimits(tokens=5_000)).startswith("MEMORY.md is near its limit: 4,")


def test_over_the_limit_names_counts_what_is_dropped_and_the_target(tmp_path: Path) -> None:
    put(tmp_path, 230)
    said = write_feedback(tmp_path, IndexLimits())
    for part in ("was saved", "230 of 200 lines", "topic 0", "and 10 more", "140 lines", "17,500 bytes", "5,600 tokens"):
        assert part in said
    assert said.count("topic ") <= 22
    assert "bytes." not in said.split("limit:")[1].split(".")[0]


@pytest.mark.parametrize("before", ["---\nname: x\n---\n", "<!--\n" + "words\n" * 300 + "-->\n"])
def test_header_and_comments_do_not_count(tmp_path: Path, before: str) -> None:
    put(tmp_path, 150)
    path = tmp_path / "MEMORY.md"
    path.write_text(before + path.read_text())
    assert write_feedback(tmp_path, IndexLimits()) == ""


def test_one_giant_line_is_over_the_bytes_with_nothing_dropped(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("- [a](a.md) — " + "y" * 30_000)
    said = write_feedback(tmp_path, IndexLimits())
    assert "of 25,000 bytes" in said
    assert "Not loaded" not in said
