"""The log: private, filtered by topic, without secrets and control characters, and never on standard output."""

from __future__ import annotations

import logging
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from desktop.base.logs import setup_logging


@pytest.fixture(autouse=True)
def restored() -> Iterator[None]:
    """The logger of the app as it was before."""
    logger = logging.getLogger("desktop")
    handlers, level, propagate = list(logger.handlers), logger.level, logger.propagate
    yield
    for handler in logger.handlers:
        if handler not in handlers:
            handler.close()
    logger.handlers, logger.level, logger.propagate = handlers, level, propagate


def written(folder: Path) -> str:
    for handler in logging.getLogger("desktop").handlers:
        handler.flush()
    path = folder / "keepsake.log"
    return path.read_text() if path.exists() else ""


def test_messages_go_to_a_private_file_and_nowhere_else(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    setup_logging(tmp_path / "logs")
    logging.getLogger("desktop.memory.store").info("saved %s", "a.md")
    logging.getLogger("desktop.memory.store").debug("too fine")
    text = written(tmp_path / "logs")
    assert "INFO desktop.memory.store: saved a.md" in text
    assert "too fine" not in text
    assert capfd.readouterr() == ("", "")
    if sys.platform != "win32":
        assert stat.S_IMODE((tmp_path / "logs" / "keepsake.log").stat().st_mode) == 0o600
        assert stat.S_IMODE((tmp_path / "logs").stat().st_mode) == 0o700


def test_a_filter_opens_its_topics_and_warnings_always_pass(tmp_path: Path) -> None:
    setup_logging(tmp_path, "memory, agent")
    logging.getLogger("desktop.memory.store").debug("fine memory")
    logging.getLogger("desktop.agent.loop").debug("fine agent")
    logging.getLogger("desktop.ui.window").info("window")
    logging.getLogger("desktop.ui.window").warning("careful")
    text = written(tmp_path)
    assert "fine memory" in text
    assert "fine agent" in text
    assert "careful" in text
    assert " window: window" not in text


def test_secrets_are_masked_and_control_characters_visible(tmp_path: Path) -> None:
    setup_logging(tmp_path)
    secret = "ghp_" + "a1B2c3D4" * 5
    logging.getLogger("desktop.x").error("failed with %s and \x1b[31m\u202e", secret)
    try:
        raise ValueError(f"inside {secret}")
    except ValueError:
        logging.getLogger("desktop.x").exception("caught")
    text = written(tmp_path)
    assert secret not in text
    assert "\x1b" not in text
    assert "\\u{1b}" in text
    assert "ValueError" in text


def test_a_second_set_up_takes_the_place_of_the_first(tmp_path: Path) -> None:
    setup_logging(tmp_path / "first")
    setup_logging(tmp_path / "second")
    logging.getLogger("desktop.memory.store").info("saved %s", "a.md")
    assert written(tmp_path / "first") == ""
    assert written(tmp_path / "second").count("saved a.md") == 1


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
def test_a_full_disk_costs_lines_of_the_log_and_shows_nobody_a_trace(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "keepsake.log").symlink_to("/dev/full")
    setup_logging(tmp_path)
    for _ in range(3):
        logging.getLogger("desktop.memory.store").warning("not saved")
    assert capfd.readouterr() == ("", "")
    (tmp_path / "keepsake.log").unlink()
    setup_logging(tmp_path)  # the one before ends without a fault, although its lines cannot be written
    logging.getLogger("desktop.memory.store").warning("saved again")
    assert "saved again" in written(tmp_path) and capfd.readouterr() == ("", "")


def test_a_wrong_log_call_of_ours_is_still_shown(tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    handler = setup_logging(tmp_path)  # asked directly: the handlers of the test runner raise
    handler.handle(logging.LogRecord("desktop.memory.store", logging.WARNING, __file__, 1, "%d", ("no number",), None))
    assert "Logging error" in capfd.readouterr().err
