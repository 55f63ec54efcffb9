"""Merging by lines: both changes go in where they are of different lines, and nothing is guessed where they are not."""

from __future__ import annotations

import random

import pytest

from desktop.memory.merge import merge_lines, merge_texts
from tests.helpers.seeds import drawn_seed

BASE = "one\ntwo\nthree\nfour\nfive\n"


@pytest.mark.parametrize(
    ("ours", "theirs", "merged"),
    [
        (BASE, "other\n", "other\n"),
        ("mine\n", BASE, "mine\n"),
        ("same\n", "same\n", "same\n"),
        ("ONE\ntwo\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nFIVE\n", "ONE\ntwo\nthree\nfour\nFIVE\n"),
        ("one\nTWO\nthree\nfour\nfive\n", "one\ntwo\nTHREE\nfour\nfive\n", "one\nTWO\nTHREE\nfour\nfive\n"),
        ("one\nthree\nfour\nfive\n", "one\ntwo\nthree\nfour\nfive\nsix\n", "one\nthree\nfour\nfive\nsix\n"),
        ("zero\n" + BASE, BASE + "six\n", "zero\n" + BASE + "six\n"),
        ("one\ntwo\nthree\nfour\nFIVE\n", BASE + "six\n", "one\ntwo\nthree\nfour\nFIVE\nsix\n"),
        ("", BASE, ""),
        (BASE + "new\n", BASE + "new\n", BASE + "new\n"),
        ("ONE\ntwo\nthree\nfour\nfive\nsix\n", "ONE\ntwo\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nfive\nsix\n"),
    ],
)
def test_changes_of_different_lines_both_go_in(ours: str, theirs: str, merged: str) -> None:
    assert merge_lines(BASE, ours, theirs).text == merged
    assert merge_lines(BASE, theirs, ours).text == merged


@pytest.mark.parametrize(
    ("ours", "theirs", "places"),
    [
        ("ONE\ntwo\nthree\nfour\nfive\n", "uno\ntwo\nthree\nfour\nfive\n", 1),
        ("two\nthree\nfour\nfive\n", "ONE\ntwo\nthree\nfour\nfive\n", 1),
        (BASE + "mine\n", BASE + "theirs\n", 1),
        ("A\ntwo\nthree\nfour\nB\n", "C\ntwo\nthree\nfour\nD\n", 2),
        ("", "ONE\ntwo\nthree\nfour\nfive\n", 1),
        ("one\ntwo\nfive\n", "one\ntwo\nthree\nnew\nfour\nfive\n", 1),
    ],
)
def test_changes_of_the_same_lines_are_a_conflict(ours: str, theirs: str, places: int) -> None:
    for one, two in ((ours, theirs), (theirs, ours)):
        merged = merge_lines(BASE, one, two)
        assert merged.text is None
        assert merged.conflicts == places


def test_line_breaks_are_those_of_the_other_and_lines_that_stay_keep_theirs() -> None:
    base, theirs = "a\r\nb\r\nc\nd\r\n", "a\r\nb\r\nc\nD\r\n"
    assert merge_lines(base, "A\nb\nc\nd\n", theirs).text == "A\r\nb\r\nc\nD\r\n"
    assert merge_lines("a\nb", "a\nb\nc", "A\nb").text == "A\nb\nc"
    assert merge_lines("a\nb\n", "a\nb", "A\nb\n").text == "A\nb"
    assert merge_lines("a\u2028b\nc\n", "a\u2028B\nc\n", "a\u2028b\nC\n").text == "a\u2028B\nC\n"


def test_a_stamp_that_the_store_renews_is_no_conflict() -> None:
    head = "---\nname: x\nmetadata:\n  created: {0}\n  modified: {0}\n  type: project\n---\n"
    base = head.format("2026-01-01T00:00:00.000Z") + "\none\ntwo\n"
    theirs = head.format("2026-01-01T00:00:00.000Z").replace("modified: 2026-01-01", "modified: 2026-02-02") + "\none\nTWO\n"
    ours = "---\nname: x\nmetadata:\n  type: project\n---\n\nONE\ntwo\n"
    assert merge_texts(base, ours, theirs) == "---\nname: x\nmetadata:\n  type: project\n---\n\nONE\nTWO\n"
    assert merge_texts(base, ours.replace("ONE", "one").replace("two", "zwei"), theirs) is None


def test_random_edits_of_different_regions_are_never_lost() -> None:
    """Both writers change lines of their own half; every line of both is in the result, in order."""
    seed = drawn_seed()
    chance = random.Random(seed)
    for _ in range(300):
        base = [f"line {n}" for n in range(chance.randrange(4, 40))]
        half = len(base) // 2

        def edited(lines: list[str], who: str) -> list[str]:
            done: list[str] = []
            for line in lines:
                act = chance.randrange(6)
                done += [] if act == 0 else [f"{who} {line}"] if act == 1 else [line, f"{who} new"] if act == 2 else [line]
            return done

        upper, lower = edited(base[: half - 1], "A"), edited(base[half + 1 :], "B")
        middle = base[half - 1 : half + 1]
        text = ["".join(f"{line}\n" for line in lines) for lines in (base, upper + middle + base[half + 1 :], base[: half + 1] + lower)]
        assert merge_lines(text[0], text[1], text[2]).text == "".join(f"{line}\n" for line in upper + middle + lower)


def test_texts_made_to_be_slow_are_merged_or_refused_within_the_time_limit_of_a_test() -> None:
    blank = "\n" * 60_000
    assert merge_lines("a\n" + blank + "b\n", "A\n" + blank + "x\n" + blank, "a\n" + blank + "B\n").text is None
    many = "".join(f"{n}\n" for n in range(50_000))
    assert merge_lines(many, "x\n" + many, many + "y\n").text == "x\n" + many + "y\n"
