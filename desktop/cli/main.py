"""The terminal's composition root: from a command line to an exit status. Holds no behaviour of its own.

Exit statuses: 0 done; 1 it failed; 2 wrong use; 3 the turn ended, but a call was refused because nobody could answer; 130 interrupted.
"""

from __future__ import annotations

import argparse
import contextlib
import os
import signal
import sys
import threading
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from desktop.base.errors import KeepsakeError
from desktop.cli.arguments import parse
from desktop.cli.output import fail, prepare_streams, say

if TYPE_CHECKING:
    from desktop.compose import Options

INTERRUPTED = 130


def options_of(found: argparse.Namespace, *, headless: bool) -> Options:
    """The options of `compose` behind a parsed command line."""
    from desktop.compose import Options

    return Options(
        profile_dir=found.profile_dir,
        model=found.model,
        dump_requests=Path(found.dump_requests) if found.dump_requests else None,
        log_filter=found.log_filter,
        environ=os.environ,
        headless=headless,
    )


def _command(name: str) -> Callable[[argparse.Namespace], int]:
    if name == "prompt":
        from desktop.cli.prompt import run as prompt

        return prompt
    if name == "memory":
        from desktop.cli.memory import run as memory

        return memory
    if name == "sessions":
        from desktop.cli.sessions import run as sessions

        return sessions
    if name == "models":
        from desktop.cli.models import run as models

        return models
    from desktop.cli.doctor import run as doctor

    return doctor


class Interrupted(SystemExit):
    """Ctrl+C or a polite kill while there is nothing to complete."""


@contextlib.contextmanager
def ending_at_once() -> Iterator[None]:
    """Ctrl+C and a polite kill end the command with 130. What has something to complete takes the signals over for that time."""

    def end(number: int, frame: object) -> None:
        raise Interrupted(INTERRUPTED)

    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = {number: signal.signal(number, end) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def run(found: argparse.Namespace) -> int:
    """Do what a parsed command line asks for, except the window."""

    def work() -> int:
        with ending_at_once():
            return _command(found.command)(found)

    return guarded(work)


def guarded(work: Callable[[], int]) -> int:
    """The status of some work, whatever ends it: errors that a person may see are said, never raised."""
    try:
        return work()
    except KeepsakeError as error:
        return fail(error)
    except (KeyboardInterrupt, Interrupted):
        say("keepsake: interrupted")
        return INTERRUPTED
    except BrokenPipeError:
        # Whoever read our output is gone; keep the interpreter from failing once more when it flushes.
        os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
        return 1
    except OSError as error:
        say(f"keepsake: {error.filename or 'the system'}: {error.strerror or error}.")
        return 1


def main(argv: Sequence[str]) -> int:
    """Run a headless command line; the window is opened by `desktop.__main__` only."""
    prepare_streams()

    def work() -> int:
        found = parse(argv)
        if found.command == "window":
            say("keepsake: this entry has no window; use -p PROMPT or a subcommand.")
            return 2
        return run(found)

    try:
        return guarded(work)
    except SystemExit as end:
        return end.code if isinstance(end.code, int) else 0
