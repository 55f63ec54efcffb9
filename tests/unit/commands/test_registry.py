"""The registry: running, activity, recent commands, keys by context, and the order of the palette."""

from __future__ import annotations

import pytest

from desktop.commands.keymap import Binding
from desktop.commands.registry import Command, CommandRegistry


def make(ran: list[str]) -> CommandRegistry:
    registry = CommandRegistry()
    registry.register(
        Command("a.one", "One", lambda: ran.append("one"), "ctrl+1|f2", category="Alpha"),
        Command("b.two", "Two", lambda: ran.append("two"), "ctrl+1", when="special"),
        Command("c.three", "Three", lambda: ran.append("three"), palette=False),
    )
    return registry


def test_run_only_what_exists_and_is_active() -> None:
    ran: list[str] = []
    registry = make(ran)
    assert registry.run("a.one")
    assert not registry.run("b.two")
    assert not registry.run("nothing")
    registry.set_fact("special", True)
    assert registry.run("b.two")
    assert ran == ["one", "two"]


def test_the_palette_lists_active_commands_recent_first() -> None:
    ran: list[str] = []
    registry = make(ran)
    assert [one.id for one in registry.for_palette()] == ["a.one"]
    registry.set_fact("special", True)
    assert [one.id for one in registry.for_palette()] == ["a.one", "b.two"]
    registry.run("b.two")
    registry.run("c.three")
    assert registry.recent == ("b.two",)
    assert [one.id for one in registry.for_palette()] == ["b.two", "a.one"]


def test_keys_follow_the_context() -> None:
    registry = make([])
    found = registry.command_for("ctrl+1")
    assert found is not None and found.id == "a.one"
    assert registry.key_of("a.one") == "ctrl+1"
    assert registry.command_for("f2") is found
    registry.unregister("a.one")
    assert registry.command_for("ctrl+1") is None
    registry.set_fact("special", True)
    found = registry.command_for("ctrl+1")
    assert found is not None and found.id == "b.two"


def test_own_bindings_win_and_can_take_keys_away() -> None:
    registry = make([])
    registry.set_own_bindings([Binding("ctrl+1", "c.three"), Binding("f2", "-a.one"), Binding("f9", "a.one", "special")])
    found = registry.command_for("ctrl+1")
    assert found is not None and found.id == "c.three"
    assert registry.command_for("f2") is None
    assert registry.command_for("f9") is None
    registry.set_fact("special", True)
    assert registry.command_for("f9") is not None


def test_a_wrong_default_key_is_a_mistake_of_ours() -> None:
    with pytest.raises(ValueError, match="key"):
        CommandRegistry().register(Command("x", "X", list, "ctrl+"))


def test_facts_tell_only_of_changes() -> None:
    registry = CommandRegistry()
    seen: list[str] = []
    registry.facts_changed.subscribe(seen.append)
    registry.set_fact("a", False)
    registry.set_fact("a", False)
    registry.set_fact("a", True)
    assert seen == ["a", "a"]


def test_changes_are_told() -> None:
    registry = CommandRegistry()
    seen: list[str] = []
    registry.changed.subscribe(seen.append)
    registry.register(Command("x", "X", list))
    registry.unregister("x", "y")
    registry.set_own_bindings([])
    assert seen == ["x", "x", ""]


def test_keys_follow_what_is_registered_taken_away_and_bound() -> None:
    """Bindings are made once and kept: every change of commands or keys makes them anew."""
    registry = CommandRegistry()
    registry.register(Command("a", "A", lambda: None, "ctrl+1"))
    assert registry.key_of("a") == "ctrl+1"
    registry.register(Command("b", "B", lambda: None, "ctrl+2"))
    assert registry.key_of("b") == "ctrl+2"
    registry.set_own_bindings([Binding("ctrl+9", "a")])
    assert registry.key_of("a") == "ctrl+9"
    registry.register(Command("b", "B", lambda: None, "ctrl+3"))
    assert registry.key_of("b") == "ctrl+3"
    registry.unregister("b")
    assert (registry.key_of("b"), registry.command_for("ctrl+3")) == ("", None)
