"""`keepsake sessions search`: a contradiction in what is asked is refused, and the refusal names both ways out."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.headless import Headless


def test_everywhere_and_one_workspace_at_once_is_refused_with_both_ways_out(tmp_path: Path) -> None:
    app = Headless(tmp_path)
    ended = app.run("sessions", "search", "--all", "--workspace", str(app.workspace), "words")
    assert ended.status == 2
    assert str(app.workspace) in ended.err
    assert "Leave out --workspace" in ended.err
    assert "--all" in ended.err
