"""Names: normalising, protected names and what no name may hold."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.confine import FIRST_COMPONENT_NAMES, PROTECTED_NAMES, component_problem, is_protected, normalise, relative_problem


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("Hooks", "hooks"),
        ("HOOKS. . ", "hooks"),
        ("hooks::$INDEX_ALLOCATION", "hooks"),
        ("ｈｏｏｋｓ", "hooks"),
        ("ho\u200boks\u200e", "hooks"),
        ("s\u212aills", "skills"),
        ("\u017fkills", "skills"),
        ("ski\u0307lls", "skills"),
        ("straße", "strasse"),
        ("偏好", "偏好"),
        ("cafe\u0301", "café"),
        ("...", ""),
    ],
)
def test_normalise(name: str, expected: str) -> None:
    assert normalise(name) == expected


def test_the_lists_are_those_of_the_design() -> None:
    assert len(PROTECTED_NAMES) == 17
    assert {"head", "config", "objects", "refs"} == FIRST_COMPONENT_NAMES


def test_protected_by_place() -> None:
    assert is_protected(".GIT")
    assert is_protected("CONFIG", first=True)
    assert not is_protected("CONFIG")
    assert not is_protected("git")
    assert not is_protected("hooks.md")
    assert not is_protected("notes~1.md")


@pytest.mark.parametrize("platform", ["linux", "darwin", "win32"])
@pytest.mark.parametrize(
    "name", ["note.md", "偏好.md", "a b.md", "用户：偏好.md", "读／写.md", "50¥.md", "a∕b.md", "👩‍💻.md", ".x.md", "-x.md", "می‌خواهم.md"]
)
def test_ordinary_names_hold_no_problem(platform: str, name: str) -> None:
    assert component_problem(name, platform=platform) is None


@pytest.mark.parametrize(
    "name", ["", ".", "..", "...", " ", "a:b", "a\x00", "a\n", "a\u202eb", "a\u200bb", "\ud800", "x" * 256, "‥", "．．", "a%2F"]
)
def test_bad_names_have_a_problem_everywhere(name: str) -> None:
    for platform in ("linux", "win32"):
        assert component_problem(name, platform=platform)


def test_the_sentence_names_the_part_and_shows_no_control_character() -> None:
    problem = relative_problem(["topics", "a\x1b[2Jb.md"], platform="linux")
    assert problem is not None
    assert "\x1b" not in problem
    assert "control character" in problem
    assert relative_problem([], platform="linux")
    assert relative_problem(["topics", "a.md"], platform="linux") is None
    assert "longer" in (relative_problem(["d" * 200] * 30 + ["a.md"], platform="linux") or "")


@settings(max_examples=300, deadline=None)
@given(st.text(max_size=20))
def test_normalising_is_stable_and_finds_every_case(name: str) -> None:
    once = normalise(name)
    assert normalise(once) == once
    assert normalise(unicodedata.normalize("NFD", name)) == normalise(unicodedata.normalize("NFC", name))
