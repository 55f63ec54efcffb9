"""Cycles are collected in the GUI thread, and automatic collection is off while the collector runs."""

from __future__ import annotations

import gc
import threading
import weakref
from collections.abc import Iterator

import pytest
from PySide6.QtCore import QCoreApplication
from pytestqt.qtbot import QtBot

from desktop.base.loading import large_import
from desktop.bridge.collector import GuiCollector


@pytest.fixture(autouse=True)
def nothing_asked(monkeypatch: pytest.MonkeyPatch) -> None:
    """A window that an earlier test made anew may have asked."""
    monkeypatch.setattr(GuiCollector, "_asked", False)
    monkeypatch.setattr(GuiCollector, "_typing", 0)


@pytest.fixture
def collector(qapp: QCoreApplication) -> Iterator[GuiCollector]:
    """Started; automatic collection is as before afterwards."""
    was_enabled = gc.isenabled()
    made = GuiCollector()
    made.start()
    yield made
    made.stop()
    if not was_enabled:
        gc.disable()


class Knot:
    """An object in a cycle with itself; remembers which thread freed it."""

    freed_in: list[int]

    def __init__(self, freed_in: list[int]) -> None:
        self.me = self
        self.freed_in = freed_in

    def __del__(self) -> None:
        self.freed_in.append(threading.get_ident())


def test_a_worker_that_allocates_frees_no_cycle(qtbot: QtBot) -> None:
    was_enabled = gc.isenabled()
    freed_in: list[int] = []
    collector = GuiCollector()
    collector.start()
    try:
        assert not gc.isenabled()
        knot = weakref.ref(Knot(freed_in))
        worker = threading.Thread(target=lambda: [[n] for n in range(200_000)])
        worker.start()
        worker.join()
        assert knot() is not None
        kept = [[n] for n in range(2_000)]
        collector.collect()
        assert len(kept) == 2_000
        assert knot() is None
        assert freed_in == [threading.get_ident()]
    finally:
        collector.stop()
        assert gc.isenabled()
        if not was_enabled:
            gc.disable()


def test_the_oldest_generation_gets_its_turn(collector: GuiCollector) -> None:
    freed_in: list[int] = []
    gc.collect()
    knot = Knot(freed_in)
    gc.collect()
    gc.collect()
    del knot
    for _ in range(60):
        collector.collect()
    assert freed_in == [threading.get_ident()]


def test_a_round_waits_while_a_large_library_is_imported(qtbot: QtBot) -> None:
    was_enabled = gc.isenabled()
    freed_in: list[int] = []
    collector = GuiCollector()
    collector.start()
    try:
        gc.collect()
        with large_import():
            Knot(freed_in)
            kept = [[n] for n in range(2_000)]
            collector.collect()
            assert freed_in == []
        Knot(freed_in)
        more = [[n] for n in range(2_000)]
        collector.collect()
        assert len(freed_in) == 1, "the rounds go on afterwards; what was frozen with the import stays"
        assert len(kept) == len(more) == 2_000
    finally:
        collector.stop()
        gc.unfreeze()
        gc.collect()
        if not was_enabled:
            gc.disable()


def test_much_that_was_left_does_not_wait_a_minute(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """A conversation of 5,000 messages is one knot: left for a minute, several of them would lie between what lives."""
    monkeypatch.setattr(GuiCollector, "_frozen", True)
    was_enabled = gc.isenabled()
    freed_in: list[int] = []
    collector = GuiCollector()
    collector.start()
    try:
        knot = Knot(freed_in)
        knot.left = [[n] for n in range(100_000)]  # type: ignore[attr-defined]
        gc.collect()
        gc.collect()
        del knot
        for _ in range(5):
            collector.collect()
        assert freed_in == [threading.get_ident()]
    finally:
        collector.stop()
        if not was_enabled:
            gc.disable()


def test_a_little_waits_for_its_turn(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(GuiCollector, "_frozen", True)
    was_enabled = gc.isenabled()
    freed_in: list[int] = []
    gc.collect()
    collector = GuiCollector()
    collector.start()
    try:
        knot = Knot(freed_in)
        gc.collect()
        gc.collect()
        del knot
        for _ in range(20):
            collector.collect()
        assert freed_in == [], "the long round is for much"
        gc.collect()
        assert len(freed_in) == 1
    finally:
        collector.stop()
        if not was_enabled:
            gc.disable()


def test_only_the_first_window_is_frozen(qtbot: QtBot, monkeypatch: pytest.MonkeyPatch) -> None:
    """What is frozen of a window stays for good: each change of the language would leave one."""
    monkeypatch.setattr(GuiCollector, "_frozen", False)
    was_enabled = gc.isenabled()
    gc.disable()
    freed_in: list[int] = []
    try:
        GuiCollector.freeze()
        first = gc.get_freeze_count()
        knot = Knot(freed_in)
        GuiCollector.freeze()
        assert gc.get_freeze_count() <= first
        del knot
        gc.collect()
        assert freed_in == [threading.get_ident()]
    finally:
        gc.unfreeze()
        if was_enabled:
            gc.enable()


def test_a_window_that_was_left_is_looked_at_in_the_next_round(collector: GuiCollector) -> None:
    freed_in: list[int] = []
    gc.collect()
    knot = Knot(freed_in)
    gc.collect()
    gc.collect()
    del knot
    collector.collect()
    assert freed_in == []
    GuiCollector.look_soon()
    collector.collect()
    assert freed_in == [threading.get_ident()]


def test_a_long_round_waits_for_who_types_but_not_for_ever(collector: GuiCollector) -> None:
    freed_in: list[int] = []
    knot = Knot(freed_in)
    gc.collect()
    gc.collect()
    del knot
    GuiCollector.look_soon()
    for _ in range(20):
        GuiCollector.typed()
        collector.collect()
    assert freed_in == [], "a key is waited for"
    for _ in range(3):
        collector.collect()
    assert len(freed_in) == 1, "nobody types any more"
    knot = Knot(freed_in)
    gc.collect()
    gc.collect()
    del knot
    GuiCollector.look_soon()
    for _ in range(70):
        GuiCollector.typed()
        collector.collect()
    assert len(freed_in) == 2, "who never stops typing waits for one now and then"
