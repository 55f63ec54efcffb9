"""`keepsake` and `python -I -m desktop`: the one place that chooses window or terminal. Imports each only when it is chosen."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path

NO_DISPLAY = (
    "keepsake: there is no display here (neither DISPLAY nor WAYLAND_DISPLAY is set), so the window cannot open.\n"
    'Without a display: keepsake -p "your question" [--workspace FOLDER], or pipe it in: echo "your question" | keepsake -p -'
)


def has_display(environ: Mapping[str, str], platform: str = sys.platform) -> bool:
    """Whether a window can be shown; a set `QT_QPA_PLATFORM` counts as a display."""
    names = ("DISPLAY", "WAYLAND_DISPLAY", "QT_QPA_PLATFORM")
    return platform in ("win32", "darwin") or any(environ.get(name) for name in names)


def _window(found: argparse.Namespace) -> int:
    from desktop.cli.arguments import checked_folder
    from desktop.cli.main import options_of
    from desktop.cli.output import say

    folder = None if found.workspace is None else checked_folder(Path(found.workspace))
    if not has_display(os.environ):
        say(NO_DISPLAY)
        return 2
    options = options_of(found, headless=False)
    from desktop.app.main import main as window_main

    return window_main(options, folder=folder, exit_after_paint=found.exit_after_paint)


def main(argv: Sequence[str] | None = None) -> int:
    """Run a command line; gives the exit status."""
    from desktop.cli.arguments import parse
    from desktop.cli.main import guarded, run
    from desktop.cli.output import prepare_streams

    prepare_streams()
    words = sys.argv[1:] if argv is None else argv

    def work() -> int:
        found = parse(words)
        return _window(found) if found.command == "window" else run(found)

    try:
        return guarded(work)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0


if __name__ == "__main__":
    sys.exit(main())
