"""Set up before anything imports Qt: tests run without a display, in English, and never touch the person's own profile."""

from __future__ import annotations

import gc
import os
from collections.abc import Callable, Generator, Iterator

os.environ.setdefault("QT_QPA_PLATFORM", "offscreen")
os.environ["LC_ALL"] = "C.UTF-8"
for name in ("KEEPSAKE_HOME", "KEEPSAKE_DISABLE_MEMORY", "KEEPSAKE_SIMPLE", "KEEPSAKE_MEMORY_DIR", "KEEPSAKE_REMOTE_MEMORY_DIR"):
    os.environ.pop(name, None)

import hypothesis  # noqa: E402 - the display is chosen first
import pytest  # noqa: E402

from tests.helpers import counts, flush  # noqa: E402
from tests.helpers.searches import closing_all  # noqa: E402
from tests.helpers.seeds import varied  # noqa: E402

# An ordinary run tries the same examples each time; no example fails on the clock of a machine that stands still now and then.
hypothesis.settings.register_profile("ordinary", derandomize=True, deadline=None, database=None)
hypothesis.settings.register_profile("varied", deadline=None, database=None, print_blob=True)
hypothesis.settings.load_profile("varied" if varied() else "ordinary")
if not varied():
    flush.without_waiting()


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Collecting makes objects that stay, and no garbage."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.enable()


@pytest.fixture(autouse=True, scope="module")
def _older_objects_rest() -> None:
    """What lives before a file's first test is no garbage of the file: the 500,000 objects of 13,000 collected tests and of the imported
    modules are not gone through again by every later collection. Tests of the window collect after each test.
    """
    gc.collect()
    gc.freeze()


@pytest.fixture(autouse=True)
def _closed_searches() -> Iterator[None]:
    """What a test opened through `tests.helpers.searches` is closed after it."""
    with closing_all():
        yield


@pytest.fixture(autouse=True)
def _told_counts(record_property: Callable[[str, object], None]) -> Iterator[None]:
    """Figures that a test told stand in the runner's last lines; see `tests.helpers.counts`."""
    counts.taken()
    yield
    for line in counts.taken():
        record_property("counts", line)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    reports = [report for found in terminalreporter.stats.values() for report in found if isinstance(report, pytest.TestReport)]
    lines = [f"{report.nodeid}: {value}" for report in reports for name, value in report.user_properties if name == "counts"]
    if lines:
        terminalreporter.section("counts")
        for line in sorted(set(lines)):
            terminalreporter.write_line(line)
