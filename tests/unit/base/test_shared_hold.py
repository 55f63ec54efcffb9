"""“Somebody has this open”: held by several, asked whether one is alone, let go with its process."""

from __future__ import annotations

import os
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest

from desktop.base.locks import SharedHold

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="there are no shared locks")


def test_the_first_and_the_next(tmp_path: Path) -> None:
    one, other = SharedHold(tmp_path / "hold"), SharedHold(tmp_path / "hold")
    assert one.take()
    assert not other.take()
    assert not one.alone()
    one.share()
    assert not other.alone()
    other.share()
    other.release()
    assert one.alone()
    one.share()
    assert not SharedHold(tmp_path / "hold").alone(), "who holds nothing is not alone with it"
    one.release()
    one.release()
    assert other.take()
    other.release()


def test_a_part_that_was_let_go_to_ask_is_held_again(tmp_path: Path) -> None:
    """The system drops a shared lock when it cannot become the only one."""
    one, other = SharedHold(tmp_path / "hold"), SharedHold(tmp_path / "hold")
    one.take()
    other.take()
    assert not one.alone()
    one.share()
    assert not other.alone()
    other.share()
    one.release()
    other.release()


def test_who_comes_while_another_closes_waits_and_is_the_first_then(tmp_path: Path) -> None:
    closing = SharedHold(tmp_path / "hold")
    closing.take()
    assert closing.alone()
    came = threading.Event()

    def come() -> bool:
        came.set()
        hold = SharedHold(tmp_path / "hold")
        try:
            return hold.take()
        finally:
            hold.release()

    with ThreadPoolExecutor(1) as pool:
        coming = pool.submit(come)
        assert came.wait(60)
        closing.release()
        assert coming.result(60)


def test_a_killed_holder_holds_nothing(tmp_path: Path) -> None:
    child = os.fork()
    if child == 0:
        SharedHold(tmp_path / "hold").take()
        os._exit(0)
    os.waitpid(child, 0)
    hold = SharedHold(tmp_path / "hold")
    assert hold.take()
    hold.release()
