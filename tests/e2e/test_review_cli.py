"""Two real processes at one review inbox: a proposal is accepted once, whoever is first (W-33)."""

from __future__ import annotations

import json
from pathlib import Path

from desktop.base.phrases import say
from desktop.compose import Options, build_services
from desktop.memory.change import ChangeOrigin
from tests.e2e.headless import Headless
from tests.unit.memory.conftest import note_text

RACES = 3


def test_two_processes_accept_the_same_once(tmp_path: Path) -> None:
    desk = Headless(tmp_path)
    workspace = build_services(Options(profile_dir=str(desk.profile), environ={"HOME": str(tmp_path)}, headless=True)).open_workspace(
        desk.workspace
    )
    store = workspace.store
    for number in range(RACES):
        made = store.proposals.add(
            "write", f"note-{number}.md", note_text(f"note-{number}", f"fact number {number}"), base=None, base_text="",
            origin=ChangeOrigin("extractor", "sess_one", "msg_two"), reason=say("It waits."), rule="review",
        )  # fmt: skip
        assert made is not None
        racers = [desk.start("memory", "review", "accept", made.id, "--json") for _ in range(2)]
        ended = [(racer.communicate(timeout=60), racer.returncode) for racer in racers]
        assert sorted(status for _, status in ended) == [0, 1], ended
        (out,) = [out for (out, _), status in ended if status == 0]
        assert json.loads(out)["decided"][0]["path"] == f"note-{number}.md"
        assert sum(change.path == f"note-{number}.md" for change in store.changes()) == 1
    assert store.proposals.waiting() == []
    listed = desk.run("memory", "review", "--json")
    assert (listed.status, listed.json["proposals"]) == (0, [])
