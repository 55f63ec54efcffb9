"""Which memories replace which in one root (`supersedes`), told the same in whatever order the files were read."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import PurePosixPath

# Folded name of a replaced memory → names of those that replace it.
Successors = Mapping[str, tuple[str, ...]]


def successors_of(memories: Iterable[tuple[str, str, Sequence[str]]]) -> Successors:
    """Who replaces whom among the memories of one root; the same name in another root is another memory.

    Args:
        memories: path, name of the header, and the names that it replaces.

    Returns:
        By folded name, the successors: those that nothing replaces first, then by name.
    """
    found: dict[str, dict[str, str]] = {}
    for path, name, olds in memories:
        for old in olds:
            if old.casefold() != name.casefold():
                found.setdefault(old.casefold(), {}).setdefault(name, path)

    def rank(one: tuple[str, str]) -> tuple[bool, str]:
        name, path = one
        return name.casefold() in found or PurePosixPath(path).stem.casefold() in found, name

    return {old: tuple(name for name, _ in sorted(names.items(), key=rank)) for old, names in found.items()}


def replacing(successors: Successors, path: str, name: str) -> tuple[str, ...]:
    """Those that replace the memory of that name at that path; a memory is named by its header, then by its file."""
    named = successors.get(name.casefold()) or successors.get(PurePosixPath(path).stem.casefold(), ())
    return tuple(one for one in named if one.casefold() != name.casefold())
