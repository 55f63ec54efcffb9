"""Relative dates in descriptions and index lines: found, made days, nothing else touched, taken back by one undo (FM-04)."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta

import pytest

from desktop.memory.frontmatter import parse
from desktop.memory.health_fix import apply_fix, draft_of, fixes_for, plan_fix, take_back
from tests.unit.memory.conftest import MAIN, PERSON, Desk
from tests.unit.memory.test_health_fix import NOW, mend, problems, put, tree

STAMP = "metadata:\n  type: project\n  modified: 2026-03-05T10:00:00Z\n"
"""A Thursday."""

DESCRIPTIONS = {
    "plain": ("description: The talk is tomorrow, in room four", "description: The talk is 2026-03-06, in room four"),
    "with a comment": ("description: talk tomorrow  # 备注 tomorrow", "description: talk 2026-03-06  # 备注 tomorrow"),
    "in double quotes": ('description: "talk: tomorrow \\"soon\\""', 'description: "talk: 2026-03-06 \\"soon\\""'),
    "in single quotes": ("description: 'Ann''s talk is tomorrow'", "description: 'Ann''s talk is 2026-03-06'"),
    "folded": ("description: >-\n  The talk 🥟\n  is tomorrow", "description: >-\n  The talk 🥟\n  is 2026-03-06"),
    "kept": ("description: |\n  昨天开会\n  其余不变", "description: |\n  2026-03-04开会\n  其余不变"),
    "over two lines": ("description: The talk\n  is tomorrow", "description: The talk\n  is 2026-03-06"),
    "Chinese": ("description: 明天上线新版本", "description: 2026-03-06上线新版本"),
    "two words": ("description: moved yesterday, ships 下周一", "description: moved 2026-03-04, ships 2026-03-09"),
    "the whole value": ("description: tomorrow", "description: 2026-03-06"),
    "escaped": ('description: "\\u660e\\u5929上线"', "description: 2026-03-06上线"),
}


@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
@pytest.mark.parametrize("bom", ["", "\ufeff"], ids=["", "bom"])
@pytest.mark.parametrize("name", DESCRIPTIONS)
def test_a_description_says_the_day_and_nothing_else_changes(desk: Desk, name: str, bom: str, ending: str) -> None:
    before, after = DESCRIPTIONS[name]
    whole = f"{bom}---\nname: a\n{before}\nodd:   [x,  y]  # kept\n{STAMP}---\nThe body  says nothing of days.\n"
    put(desk, "a.md", whole.replace("\n", ending))
    put(desk, "MEMORY.md", "- [a](a.md)\n")
    found = problems(desk, "relative-date")
    assert found
    assert {one.line for one in found} == {3}
    assert fixes_for(found[0], draft_of(desk.store), NOW) == ("write-date",)
    mend(desk, found[0])
    made = (desk.root / "a.md").read_bytes()
    if name == "escaped":  # written anew, in whatever quotes YAML needs
        assert parse(made).description == "2026-03-06上线"
    else:
        assert made.decode() == whole.replace(before, after).replace("\n", ending)
    assert problems(desk, "relative-date") == []


def test_our_own_index_line_follows_the_description(desk: Desk) -> None:
    desk.add("talk.md", "The talk is tomorrow")
    before = tree(desk.root)
    (found,) = [one for one in problems(desk, "relative-date") if one.line == 3]
    assert "tomorrow" in desk.index()
    fixed = apply_fix(desk.store, plan_fix(desk.store, [found], now=NOW), origin=PERSON)
    assert "tomorrow" not in desk.index()
    assert "tomorrow" not in (desk.root / "talk.md").read_text().split("---")[1]
    take_back(desk.store, fixed)
    assert tree(desk.root) == before


INDEX_LINES = {
    "- [talk](talk.md) — the demo is next week, 小心": "- [talk](talk.md) — the demo is the week of 2026-03-09, 小心",
    "* [[talk]]: shipped yesterday 🥟": "* [[talk]]: shipped 2026-03-04 🥟",
    "- [talk tomorrow](talk.md) — 后天截止": "- [talk tomorrow](talk.md) — 2026-03-07截止",
}


@pytest.mark.parametrize("line", INDEX_LINES)
@pytest.mark.parametrize("ending", ["\n", "\r\n"], ids=["lf", "crlf"])
def test_an_index_line_by_hand_is_counted_from_its_memory(desk: Desk, line: str, ending: str) -> None:
    put(desk, "talk.md", f"---\nname: talk\ndescription: about a talk\n{STAMP}---\nRoom four.\n")
    text = f"# Memory\n\nAsk first.\n{line}\n\n```\n- tomorrow\n```\n".replace("\n", ending)
    put(desk, "MEMORY.md", text)
    (found,) = problems(desk, "relative-date")
    assert (found.path, found.line) == ("MEMORY.md", 4)
    before = tree(desk.root)
    plan = plan_fix(desk.store, [found], now=NOW)
    (edit,) = plan.edits
    made = (edit.after or b"").decode()
    assert made.split(ending)[:3] == ["# Memory", "", "Ask first."]
    assert made.endswith(f"{ending}{ending}```{ending}- tomorrow{ending}```{ending}")
    if "next week" not in line:
        assert made == text.replace(line, INDEX_LINES[line])
    mend(desk, found)
    assert {path for path, data in tree(desk.root).items() if before.get(path) != data} == {"MEMORY.md"}
    assert problems(desk, "relative-date") == []


def test_a_line_of_the_index_that_stands_for_no_memory_is_left_to_the_person(desk: Desk) -> None:
    put(desk, "MEMORY.md", "# Memory\n\nWe moved here yesterday.\n")
    assert problems(desk, "relative-date") == []  # an index is written all the time: its own age says nothing


def _aged(desk: Desk, path: str, moment: datetime) -> None:
    os.utime(desk.root / path, (moment.timestamp(), moment.timestamp()))


def test_a_file_that_says_no_date_is_mended_whole_and_never_from_the_day_of_the_repair(desk: Desk) -> None:
    put(desk, "a.md", "The talk is tomorrow.\n\nWe moved 昨天.\n\nSome days ago there was a storm.\n")
    written = datetime(2026, 3, 5, 10, tzinfo=UTC)
    _aged(desk, "a.md", written)
    first, second = [one for one in problems(desk, "relative-date") if one.about in ("tomorrow", "昨天")]
    fixed = apply_fix(desk.store, plan_fix(desk.store, [first], now=NOW), origin=PERSON)
    day = written.astimezone()
    days = [(day + timedelta(days=by)).date().isoformat() for by in (1, -1)]
    assert (desk.root / "a.md").read_text() == f"The talk is {days[0]}.\n\nWe moved {days[1]}.\n\nSome days ago there was a storm.\n"
    take_back(desk.store, fixed)
    again = [one for one in problems(desk, "relative-date") if one.id in (first.id, second.id)]
    assert len(again) == 2
    # the disk now says the day of the undo: no day is made up from it
    assert [fixes_for(one, draft_of(desk.store), NOW) for one in again] == [(), ()]


def test_all_of_a_file_without_a_date_as_one_act(desk: Desk) -> None:
    put(desk, "a.md", "The talk is tomorrow.\n\nWe moved yesterday.\n")
    _aged(desk, "a.md", datetime(2026, 3, 5, 10, tzinfo=UTC))
    found = problems(desk, "relative-date")
    plan = plan_fix(desk.store, found, now=NOW)
    assert (len(plan.problems), plan.passed) == (2, ())
    apply_fix(desk.store, plan, origin=PERSON)
    assert problems(desk, "relative-date") == []


def test_b09_an_agent_is_told_of_a_header_that_cannot_be_read(desk: Desk) -> None:
    broken = '---\nname: repro\ndescription: "abc "def" ghi"\ntags: [a, b]\n---\nBody 🥟.\n'
    put(desk, "bad.md", broken)
    stored = desk.store.read("bad.md")
    change = desk.store.write("bad.md", broken + "新的一行\n", base_digest=stored.digest, origin=MAIN)
    assert any("line 3" in warning for warning in change.warnings)
    assert (desk.root / "bad.md").read_text() == broken + "新的一行\n"
    stored = desk.store.read("bad.md")
    by_hand = desk.store.write("bad.md", broken, base_digest=stored.digest, origin=PERSON)
    assert by_hand.warnings == ()  # the editor shows it to the person itself
