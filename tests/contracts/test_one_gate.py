"""One way to change memory (GT-01): every piece of code that can change a root is found in the source, and each goes through the gate."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import desktop

PACKAGE = Path(desktop.__file__).parent
WRITING = {"write_beneath", "delete_beneath", "rename_beneath"}
HANDLES = WRITING | {"open_parent"}
STEPS = {"apply", "remove", "move", "moved", "reverse", "sync_index", "sync_index_with", "record_outside"}

WRITERS = {"memory/steps.py", "memory/changing.py", "memory/bracket_undo.py"}
"""The only modules that write files below a root: one step, its index line, and the way back after a shell command."""

READERS = {"memory/note.py", "memory/known.py", "memory/archive.py", "memory/search_source.py", "memory/memories.py"}
"""Modules that open a root's folders for reading (in an import, for the time of a file that was just written), or make an empty one."""

MECHANICS = {"memory/steps.py", "memory/changing.py"}
"""What the steps are made of: called by those who asked the gate."""

NOT_ASKED = {
    "memory/undoing.py": "an undo is the person's own act, of changes that were gated",
    "memory/trash.py": "putting back and emptying are the person's own acts",
    "memory/purge.py": "only the person purges; anybody else is refused by name",
    "memory/adopt.py": "the person moves another project's memory into this one",
    "memory/pending.py": "finishes the second half of a move that was gated",
    "memory/outside.py": "journals what other programs did; writes no memory",
    "memory/bracket_undo.py": "puts back what was gated before a shell command",
    "memory/bracket.py": "the same",
}
"""Modules that change memory without asking, each with its reason."""


def _modules() -> Iterator[tuple[str, ast.Module]]:
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def _imported(tree: ast.Module) -> set[str]:
    return {alias.name for node in ast.walk(tree) if isinstance(node, ast.ImportFrom) for alias in node.names}


def _methods(tree: ast.AST) -> set[tuple[str, str]]:
    """(what it is called on, name) of every method call; the last name of a dotted receiver."""
    found = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            value = node.func.value
            on = value.id if isinstance(value, ast.Name) else value.attr if isinstance(value, ast.Attribute) else ""
            found.add((on, node.func.attr))
    return found


def _steps_in(tree: ast.AST) -> set[str]:
    """Names of steps that are called on something that changes a root."""
    receivers = {"changing", "_changing", "here", "there", "leaving", "arriving"}
    return {name for on, name in _methods(tree) if name in STEPS and on in receivers}


def test_only_the_steps_write_below_a_root() -> None:
    for name, tree in _modules():
        if name.startswith("base/"):
            continue
        found = _imported(tree) & HANDLES
        allowed = HANDLES if name in WRITERS else {"open_parent"} if name in READERS else set()
        assert found <= allowed, f"{name} uses {sorted(found - allowed)}"


def test_nothing_outside_of_memory_makes_a_step() -> None:
    for name, tree in _modules():
        if not name.startswith("memory/"):
            assert not _steps_in(tree), f"{name} changes a root by itself: {sorted(_steps_in(tree))}"


def test_everybody_who_makes_a_step_asks_the_gate_or_has_a_reason() -> None:
    seen = set()
    for name, tree in _modules():
        if not name.startswith("memory/") or name in MECHANICS or not _steps_in(tree):
            continue
        seen.add(name)
        asks = any(method in ("gate", "_gate") for _, method in _methods(tree))
        assert asks or name in NOT_ASKED, f"{name} changes memory and never asks the gate"
    assert {"memory/store.py", "memory/moving.py", "memory/history.py", "memory/archive.py"} <= seen
    assert set(NOT_ASKED) - {"memory/bracket.py"} <= seen | {"memory/trash.py"}, "an excuse that nobody needs any more"


def test_the_gate_is_asked_in_one_place_and_knows_the_root() -> None:
    asking = [(name, node) for name, tree in _modules() for node in ast.walk(tree) if isinstance(node, ast.Call) and _is_request(node)]
    assert [name for name, _ in asking] == ["memory/store.py"]
    given = {keyword.arg for keyword in asking[0][1].keywords}
    assert {"root", "approved", "names"} <= given


def _is_request(call: ast.Call) -> bool:
    return isinstance(call.func, ast.Name) and call.func.id == "GateRequest"


@pytest.mark.parametrize("name", ["write", "delete", "rename"])
def test_each_way_of_the_store_asks_before_it_changes(name: str) -> None:
    tree = ast.parse((PACKAGE / "memory" / "store.py").read_text(encoding="utf-8"))
    method = next(node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef) and node.name == name)
    lines = {
        attr: min(n.lineno for n in ast.walk(method) if isinstance(n, ast.Attribute) and n.attr == attr) for attr in ("gate", "exclusive")
    }
    assert lines["gate"] < lines["exclusive"]
