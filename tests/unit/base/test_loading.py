"""While a large library is imported nothing is collected, and afterwards nothing of it is looked at."""

from __future__ import annotations

import gc
from collections.abc import Iterator

import pytest

from desktop.base.loading import is_loading, large_import, large_reading


@pytest.fixture(autouse=True)
def collecting_as_before() -> Iterator[None]:
    was = gc.isenabled()
    yield
    gc.unfreeze()
    (gc.enable if was else gc.disable)()


def test_automatic_collection_rests_and_comes_back() -> None:
    gc.enable()
    with large_import():
        assert is_loading() and not gc.isenabled()
        with large_import():
            pass
        assert is_loading() and not gc.isenabled()
    assert not is_loading() and gc.isenabled()


def test_where_it_was_off_it_stays_off() -> None:
    gc.disable()
    with large_import():
        pass
    assert not gc.isenabled()


def test_what_was_made_is_not_looked_at_again_also_after_an_error() -> None:
    gc.unfreeze()
    made: list[list[int]] = []
    with pytest.raises(ImportError), large_import():
        made += [[n] for n in range(5_000)]
        raise ImportError
    assert gc.get_freeze_count() >= 5_000
    assert not is_loading()


def test_a_reading_that_was_small_stays_in_collections() -> None:
    gc.unfreeze()
    gc.enable()
    with large_reading() as reading:
        kept = [[n] for n in range(5_000)]
        assert is_loading() and not gc.isenabled()
    assert gc.get_freeze_count() == 0 and gc.isenabled() and not reading.stays
    with large_reading() as reading:
        reading.stays = True
    assert gc.get_freeze_count() >= len(kept)
