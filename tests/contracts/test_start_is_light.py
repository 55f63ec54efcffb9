"""What no start waits for is not imported by it: proven in a fresh process, with the modules of the whole window."""

from __future__ import annotations

import json
import os
import subprocess
import sys

SERVICES = "import desktop.compose"
WINDOW = "import desktop.app.main, desktop.app.application, desktop.app.parts, desktop.app.state_keeper"
LATER = (
    "desktop.agent.session",  # with the turn, the tools and the background work: for the first session, in a worker
    "desktop.agent.loop",
    "desktop.agent.calls",
    "desktop.agent.claims",
    "desktop.agent.jobs",
    "desktop.tools",
    "desktop.memory.recall",
    "desktop.memory.recall_kinds",
    "desktop.memory.templates",
    "desktop.memory.contradiction",
    "desktop.search.categories",
    "desktop.search.glossary",
    "desktop.providers.embedded_guards",
)


def imported(statement: str) -> set[str]:
    code = f"{statement}; import json, sys; print(json.dumps(sorted(sys.modules)))"
    environ = {**os.environ, "QT_QPA_PLATFORM": "offscreen"}
    done = subprocess.run([sys.executable, "-I", "-c", code], capture_output=True, check=True, timeout=60, env=environ)
    return set(json.loads(done.stdout))


def test_services_and_window_leave_the_turn_and_the_large_tables_for_later() -> None:
    for statement in (SERVICES, WINDOW):
        assert not imported(statement) & set(LATER)


def test_every_module_that_is_left_for_later_exists() -> None:
    """A renamed one would be left out of what is proven."""
    statement = "; ".join(f"import {name}" for name in LATER)
    assert set(LATER) <= imported(statement)
