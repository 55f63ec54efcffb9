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


def test_undo_brings_a_decision_back_into_the_inbox(tmp_path: Path) -> None:
    desk = Headless(tmp_path)
    store = (
        build_services(Options(profile_dir=str(desk.profile), environ={"HOME": str(tmp_path)}, headless=True))
        .open_workspace(desk.workspace)
        .store
    )
    for number, verdict in enumerate(("accept", "reject")):
        text = note_text(f"note-{number}", f"第 {number} 个事实 – emoji 🥟")
        made = store.proposals.add(
            "write", f"note-{number}.md", text, base=None, base_text="",
            origin=ChangeOrigin("extractor", "sess_one", "msg_two"), reason=say("It waits."), rule="review",
        )  # fmt: skip
        assert made is not None
        decided = desk.run("memory", "review", verdict, made.id)
        assert "memory undo" in decided.err
        undone = desk.run("memory", "undo", "--json")
        assert undone.json["waiting"] == made.id
        assert (undone.json["change"] is not None) is (verdict == "accept")
        assert [one["id"] for one in desk.run("memory", "review", "--json").json["proposals"]] == [made.id]
        assert not (store.root / f"note-{number}.md").exists()
        if verdict == "accept":  # the undo is taken back by its id
            desk.run("memory", "undo", undone.json["change"]["id"])
            assert desk.run("memory", "review", "--json").json["proposals"] == []
            assert (store.root / f"note-{number}.md").read_text().count("🥟") == 2
        else:
            desk.run("memory", "review", verdict, made.id)
            again = desk.run("memory", "undo", made.id)  # named by its proposal
            assert f"waits for your review again: “keepsake memory review show {made.id}”" in again.err
