"""Names: normalising, protected names and what no name may hold."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.confine import (
    FIRST_COMPONENT_NAMES,
    NO_NAMES,
    PROTECTED_NAMES,
    ProtectedNames,
    component_problem,
    is_protected,
    normalise,
    protected_problem,
    relative_problem,
)


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


@pytest.mark.parametrize("name", sorted(PROTECTED_NAMES | FIRST_COMPONENT_NAMES))
def test_every_short_name_of_every_protected_name_is_protected(name: str) -> None:
    """Windows makes the first letters and a number, and from the fifth of a kind on two letters, four hex digits and a number."""
    plain = name.replace(".", "")
    forms = [f"{plain[:6]}~1", f"{plain[:6]}~9", f"{plain[:5]}~10", f"{plain[:4]}~100", f"{plain[:2]}7eba~1", f"{plain[:2]}0F3c~4"]
    for form in (*forms, *(form.upper() for form in forms)):
        assert is_protected(form, first=True), form
        assert is_protected(form), form


def test_ordinary_names_with_a_tilde_are_none() -> None:
    for name in ("notes~1.md", "draft~2", "~tmp", "a~b.md"):
        assert not is_protected(name), name


@pytest.mark.parametrize("dot", ["\u3002", "\uff61", "\u2024", "\uff0e", "\ufe52", "\ua4f8"])
def test_look_alike_dots_make_neither_a_parent_nor_a_protected_name(dot: str) -> None:
    assert component_problem(dot * 2, platform="linux")
    assert component_problem(dot, platform="linux")
    assert is_protected(f"{dot}git")
    assert component_problem(f"今天{dot}完成.md", platform="linux") is None


def test_the_lists_are_parameters() -> None:
    chosen = ProtectedNames.of(["Private/", " drafts ", ""], ["Config"])
    assert chosen == ProtectedNames(frozenset({"private", "drafts"}), frozenset({"config"}))
    assert is_protected("PRIVATE", names=chosen)
    assert not is_protected(".git", names=chosen)
    assert is_protected("config", first=True, names=chosen)
    assert not is_protected("config", names=chosen)
    assert protected_problem(["x", "drafts", "a.md"], names=chosen)
    assert protected_problem(["x", "hooks", "a.md"], names=chosen) is None
    assert relative_problem(["x", "hooks", "a.md"], platform="linux", names=NO_NAMES) is None
    assert protected_problem(["x", "hooks", "a.md"])
