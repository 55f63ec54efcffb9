"""R9: locks that were left, and folders in which none can be made. The lock is the system's own; what stands in its file means nothing."""

from __future__ import annotations

import errno
import os
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from tests.unit.sessions.make import filled, message, new_handle, store_in


@pytest.mark.parametrize("left", [b"", b"1", str(os.getpid()).encode(), b"\0" * 40], ids=["empty", "init", "our own", "binary"])
def test_a_lock_file_that_was_left_is_no_lock_whatever_stands_in_it(tmp_path: Path, left: bytes) -> None:
    """R9: a number in it may be that of another process by now."""
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 1)
    handle.close()
    (tmp_path / "data" / "sessions" / ".locks" / f"{handle.id}.lock").write_bytes(left)
    again = store_in(tmp_path).open(handle.id)
    again.append(message("on"))
    again.close()


@pytest.mark.parametrize("code", [errno.EACCES, errno.EROFS])
def test_a_folder_in_which_no_lock_can_be_made_is_said_and_serves_again_later(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, code: int
) -> None:
    store = store_in(tmp_path)
    handle = new_handle(store)
    filled(handle, 2)
    handle.close()
    real = os.open

    def read_only(path: str, flags: int, *rest: object, **more: object) -> int:
        if str(path).endswith(".lock"):
            raise OSError(code, os.strerror(code), path)
        return real(path, flags, *rest, **more)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", read_only)
    for write in (store.open, store.trash):
        with pytest.raises(StorageError, match="cannot be locked") as refusal:
            write(handle.id)
        assert ".locks" in refusal.value.hint
    assert len(store.load(handle.id).live) == 2
    monkeypatch.undo()
    again = store.open(handle.id)
    again.append(message("on"))
    again.close()
