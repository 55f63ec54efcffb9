"""Logging: one rotating file below the profile, topics chosen by `--log-filter`, control characters made visible, secrets masked.

Never writes to standard output, and of a log that cannot be written (a full disk) nothing is said to the person: its lines are lost, what
they tell of is said by whoever it happened to. Set up once by a composition root.
"""

from __future__ import annotations

import logging
import logging.handlers
import os
import sys
from contextlib import suppress
from pathlib import Path

from desktop.base.paths import ensure_private_dir
from desktop.base.redact import redact, visible


class SafeFormatter(logging.Formatter):
    """Masks secrets and shows control characters, so that a log can be read in a terminal and passed on."""

    def format(self, record: logging.LogRecord) -> str:
        return visible(redact(super().format(record)), keep="\n\t")


class TopicFilter(logging.Filter):
    """Lets through the topics named in `--log-filter memory,agent`; warnings always pass."""

    def __init__(self, topics: str) -> None:
        super().__init__()
        self._prefixes = tuple(f"desktop.{topic.strip()}" for topic in topics.split(",") if topic.strip())

    def filter(self, record: logging.LogRecord) -> bool:
        return record.levelno >= logging.WARNING or record.name.startswith(self._prefixes)


def _private_opener(path: str, flags: int) -> int:
    return os.open(path, flags, 0o600)


class _PrivateFileHandler(logging.handlers.RotatingFileHandler):
    def _open(self):  # type: ignore[no-untyped-def]
        return open(self.baseFilename, self.mode, encoding=self.encoding, opener=_private_opener)

    def handleError(self, record: logging.LogRecord) -> None:
        """A trace on standard error is for a mistake of ours, not for a disk that is full or gone."""
        if not isinstance(sys.exc_info()[1], OSError):
            super().handleError(record)

    def close(self) -> None:
        with suppress(OSError):  # what is still to be written cannot be
            super().close()


def setup_logging(folder: Path, log_filter: str | None = None) -> logging.Handler:
    """Log to `folder`/keepsake.log (1 MiB, three kept). With a filter: DEBUG of those topics; else INFO of ours.

    What was set up before ends: a process writes one log, and no line twice.
    """
    ensure_private_dir(folder)
    handler = _PrivateFileHandler(folder / "keepsake.log", maxBytes=1 << 20, backupCount=3, encoding="utf-8", delay=True)
    handler.setFormatter(SafeFormatter("%(asctime)s %(levelname)s %(name)s: %(message)s"))
    logger = logging.getLogger("desktop")
    for before in [one for one in logger.handlers if isinstance(one, _PrivateFileHandler)]:
        logger.removeHandler(before)
        before.close()
    logger.setLevel(logging.DEBUG if log_filter else logging.INFO)
    if log_filter:
        handler.addFilter(TopicFilter(log_filter))
    logger.addHandler(handler)
    logger.propagate = False
    return handler
