"""Key bindings: one spelling, VS Code's file shape, removal, chords, and what is wrong with an entry."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from desktop.commands.keymap import Binding, merge, normal_key, parse_keybindings, qt_key


@pytest.mark.parametrize(
    ("written", "normal", "qt"),
    [
        ("Ctrl+Shift+P", "ctrl+shift+p", "Ctrl+Shift+P"),
        ("shift+ctrl+p", "ctrl+shift+p", "Ctrl+Shift+P"),
        ("ctrl+k  ctrl+s", "ctrl+k ctrl+s", "Ctrl+K, Ctrl+S"),
        ("escape", "escape", "Esc"),
        ("f1", "f1", "F1"),
        ("ctrl+=", "ctrl+=", "Ctrl+="),
        ("ctrl++", "ctrl+plus", "Ctrl++"),
        ("ctrl+-", "ctrl+-", "Ctrl+-"),
        ("ctrl+,", "ctrl+,", "Ctrl+,"),
        ("ctrl+`", "ctrl+`", "Ctrl+`"),
        ("ctrl+pagedown", "ctrl+pagedown", "Ctrl+PgDown"),
        ("alt+enter", "alt+enter", "Alt+Return"),
        ("win+l", "meta+l", "Meta+L"),
    ],
)
def test_spelling(written: str, normal: str, qt: str) -> None:
    assert normal_key(written) == normal
    assert qt_key(normal) == qt


def test_macos_command_is_what_qt_calls_ctrl() -> None:
    assert normal_key("cmd+shift+p", "darwin") == "ctrl+shift+p"
    assert normal_key("ctrl+tab", "darwin") == "meta+tab"


@pytest.mark.parametrize("key", ["", " ", "ctrl", "ctrl+", "hyper+p", "ctrl+nokey", "f77"])
def test_no_key(key: str) -> None:
    with pytest.raises(ValueError, match="key"):
        normal_key(key)


def test_file_with_comments_and_trailing_commas() -> None:
    text = """// mine
    [
        { "key": "ctrl+m", "command": "memory.show" }, /* more */
        { "key": "ctrl+k ctrl+m", "command": "memory.new", "when": "folderOpen && !chatFocus", },
        { "key": "ctrl+b", "command": "-view.toggleSideBar" }, // "quoted // text"
    ]"""
    keymap = parse_keybindings(text)
    assert keymap.problems == ()
    assert keymap.bindings == (
        Binding("ctrl+m", "memory.show"),
        Binding("ctrl+k ctrl+m", "memory.new", "folderOpen && !chatFocus"),
        Binding("ctrl+b", "-view.toggleSideBar"),
    )


def test_every_wrong_entry_is_named_and_the_others_hold() -> None:
    keymap = parse_keybindings(
        '[{"key": "ctrl+m", "command": "a"}, {"key": "nokey+x", "command": "b"}, 7, {"key": "ctrl+x"},'
        ' {"key": "ctrl+y", "command": "c", "when": "a &&"}, {"key": "ctrl+z", "command": "d", "when": 3}]'
    )
    assert keymap.bindings == (Binding("ctrl+m", "a"),)
    assert [problem.split(":")[0] for problem in keymap.problems] == [f"keybindings.json, entry {number}" for number in (2, 3, 4, 5, 6)]


@pytest.mark.parametrize("text", ["{", "null", '{"key": "a"}', "[1,", "\x00"])
def test_a_broken_file_is_one_problem(text: str) -> None:
    keymap = parse_keybindings(text)
    assert keymap.bindings == ()
    assert len(keymap.problems) == 1
    assert "keybindings.json" in keymap.problems[0]


def test_an_empty_file_is_fine() -> None:
    assert parse_keybindings("  \n").problems == ()


@given(st.text(max_size=200))
def test_never_raises(text: str) -> None:
    parse_keybindings(text)


def test_merge_puts_own_before_defaults_and_removes() -> None:
    defaults = [Binding("ctrl+b", "side"), Binding("ctrl+p", "open"), Binding("f1", "palette")]
    own = [Binding("ctrl+p", "palette"), Binding("ctrl+b", "-side"), Binding("ctrl+p", "later")]
    assert merge(defaults, own) == (
        Binding("ctrl+p", "later"), Binding("ctrl+p", "palette"), Binding("ctrl+p", "open"), Binding("f1", "palette"),
    )  # fmt: skip
