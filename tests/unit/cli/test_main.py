"""From a command line to an exit status: what every end gives, and when the window is chosen."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.__main__ import has_display
from desktop.__main__ import main as start
from desktop.base.errors import KeepsakeError, NotFoundError, StorageError, UsageError
from desktop.cli.main import guarded, main


def raising(error: BaseException) -> Callable[[], int]:
    def work() -> int:
        raise error

    return work


@pytest.mark.parametrize(
    ("error", "status", "said"),
    [
        (UsageError("Wrong.", hint="Do this."), 2, "Wrong. Do this."),
        (NotFoundError("Gone."), 1, "Gone."),
        (StorageError("Full."), 1, "Full."),
        (KeepsakeError("Other."), 1, "Other."),
        (KeyboardInterrupt(), 130, "interrupted"),
        (PermissionError(13, "Permission denied", "/some/file"), 1, "/some/file: Permission denied"),
    ],
)
def test_every_end_has_its_status_and_words(error: BaseException, status: int, said: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert guarded(raising(error)) == status
    streams = capsys.readouterr()
    assert said in streams.err and streams.out == ""


def test_help_and_version_give_0(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--version"]) == 0 and main(["--help"]) == 0 and start(["memory", "--help"]) == 0
    assert capsys.readouterr().err == ""


def test_the_terminal_entry_has_no_window(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([]) == 2 and "-p" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("environ", "platform", "there"),
    [
        ({}, "linux", False),
        ({"DISPLAY": ""}, "linux", False),
        ({"DISPLAY": ":0"}, "linux", True),
        ({"WAYLAND_DISPLAY": "wayland-0"}, "linux", True),
        ({"QT_QPA_PLATFORM": "offscreen"}, "linux", True),
        ({}, "darwin", True),
        ({}, "win32", True),
    ],
)
def test_a_display(environ: dict[str, str], platform: str, there: bool) -> None:
    assert has_display(environ, platform) is there


def test_a_folder_is_checked_before_the_display(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert start([str(tmp_path / "gone")]) == 2
    assert "does not exist" in capsys.readouterr().err
