"""Searches that a test opened, to be closed when it ends: each holds files open, and a full run of the tests would use up the process's."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Protocol, TypeVar


class Closable(Protocol):
    def close(self) -> None: ...


T = TypeVar("T", bound=Closable)
_open: list[Closable] = []


def opened(search: T) -> T:
    """The search, closed at the end of the test."""
    _open.append(search)
    return search


@contextmanager
def closing_all() -> Iterator[None]:
    try:
        yield
    finally:
        while _open:
            _open.pop().close()
