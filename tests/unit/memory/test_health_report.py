"""The health of a whole workspace: every root with its repairs, what was passed over, the cut of an index, a cheap second look."""

from __future__ import annotations

import json
import os
from datetime import UTC, datetime
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.base.paths import AppPaths
from desktop.memory.health import HealthCache, HealthContext, check_folder
from desktop.memory.health_cut import index_cut
from desktop.memory.health_report import Health
from desktop.memory.health_state import HealthState
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.index_limits import IndexLimits
from desktop.memory.memories import Memories
from desktop.memory.note import list_notes
from desktop.memory.store import ChangeOrigin
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import ON, PERSON, make_paths, note_text

MAIN = ChangeOrigin("main", "sess_gone", "msg_one")


class Place:
    """A workspace with its roots."""

    def __init__(self, base: Path) -> None:
        self.folder = base / "work" / "alpha"
        self.folder.mkdir(parents=True)
        self.paths: AppPaths = make_paths(base)
        self.clock = FixedClock(datetime(2026, 6, 1, tzinfo=UTC))
        project = resolve_project(self.folder, self.paths)
        ensure_project(project, self.clock)
        self.memories = Memories(project, self.folder, self.paths, self.clock, lambda: ON)
        self.memories.prepare()

    def health(self, sessions: frozenset[str] | None = None) -> Health:
        return Health(self.memories, self.paths, self.clock, None if sessions is None else lambda: sessions)

    def put(self, path: str, text: str, root: str = "project") -> None:
        place = self.memories.store(root).root / path
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def test_every_root_is_looked_at_with_what_can_be_done(place: Place) -> None:
    dated = "---\nname: {0}\nmetadata:\n  type: project\n  modified: 2026-05-20T00:00:00Z\n---\n\n{1}\n"
    place.put("a.md", dated.format("a", "The demo is tomorrow."))
    place.put("b.md", dated.format("b", "The talk is tomorrow, in tools/gone.py."), "user")
    place.put("MEMORY.md", "The review is tomorrow.\n", "workspace")
    found = [(one.root, one.problem.kind, one.fixes) for one in place.health().check().findings if one.problem.kind == "relative-date"]
    assert sorted(found) == [(root, "relative-date", ("write-date",)) for root in ("project", "user", "workspace")]
    assert not any(one.problem.kind == "stale" for one in place.health().check().findings if one.root == "user")


def test_the_badge_counts_neither_what_is_passed_over_nor_what_is_good_to_know(place: Place) -> None:
    store = place.memories.store()
    store.write("a.md", note_text("a", "The demo is tomorrow.", "When the demo is"), base_digest=None, origin=MAIN)
    health = place.health(frozenset())
    report = health.check()
    assert {one.problem.kind for one in report.findings} == {"origin-gone", "relative-date"}
    assert report.count == 1
    [finding] = report.of_kind("relative-date")
    health.state("project").ignore([finding.problem.id])
    assert health.check().count == 0
    assert health.check().of_kind("relative-date") == ()
    assert place.health(frozenset({"sess_gone"})).check().of_kind("relative-date", ignored=True)[0].ignored
    health.state("project").show_again([finding.problem.id])
    assert health.check().count == 1
    stored = health.state("project").file.read_text()
    assert "a.md" not in stored
    assert "tomorrow" not in stored
    assert health.state("project").file.stat().st_mode & 0o077 == 0


def test_a_problem_keeps_its_id_when_its_line_moves_and_twins_have_two(place: Place) -> None:
    body = "---\nname: a\n---\n{0}The demo is tomorrow.\n\nWords between.\n\nThe talk is tomorrow.\n"
    place.put("a.md", body.format(""))
    first = [one.problem.id for one in place.health().check().of_kind("relative-date")]
    assert len(set(first)) == 2
    place.put("a.md", body.format("A line more.\n\n"))
    assert [one.problem.id for one in place.health().check().of_kind("relative-date")] == first


def test_a_damaged_state_is_put_aside_and_a_newer_one_is_left_alone(place: Place) -> None:
    state = HealthState(place.paths, "key", place.clock)
    state.ignore(["aaaa"])
    state.file.write_text("{torn")
    assert state.ignored() == frozenset()
    state.ignore(["bbbb"])
    assert state.ignored() == {"bbbb"}
    assert state.file.with_suffix(".damaged").read_text() == "{torn"
    newer = json.dumps({"schema": 99, "ignored": {"cccc": "x"}})
    state.file.write_text(newer)
    assert state.ignored() == frozenset()
    with pytest.raises(StorageError, match="newer"):
        state.ignore(["dddd"])
    assert state.file.read_text() == newer


def test_the_cut_is_where_the_load_ends(tmp_path: Path) -> None:
    for number in range(8):
        pinned = "  pinned: true\n" if number == 0 else ""
        text = f"---\nname: n{number}\nmetadata:\n  type: project\n{pinned}  modified: 2026-01-0{number + 1}T00:00:00Z\n---\nBody.\n"
        (tmp_path / f"n{number}.md").write_text(text)
    index = "".join(f"- [n{number}](n{number}.md)\n" for number in range(8)).encode()
    notes = list_notes(tmp_path)
    cut = index_cut(index, IndexLimits(lines=4), notes)
    assert [entry.path for entry in cut.entries if entry.loaded] == ["n0.md", "n7.md", "n6.md", "n5.md"]
    assert [entry.path for entry in cut.left_out] == ["n4.md", "n3.md", "n2.md", "n1.md"]
    assert cut.limit == "8 of 4 lines"
    head = index_cut(index, IndexLimits(lines=4, keep="head"), notes)
    assert [entry.path for entry in head.entries if entry.loaded] == ["n0.md", "n1.md", "n2.md", "n3.md"]
    whole = index_cut(index, IndexLimits(), notes)
    assert (whole.limit, whole.left_out) == ("", ())


def test_a_second_look_reads_only_what_changed_and_finds_the_same(tmp_path: Path) -> None:
    for number in range(20):
        place = tmp_path / f"n{number}.md"
        place.write_text(f"---\nname: n{number}\n---\nThe demo {number} is tomorrow.\n")
        os.utime(place, ns=(1, 1_700_000_000_000_000_000))
    context = HealthContext(now=datetime(2026, 6, 1, tzinfo=UTC))
    cache = HealthCache()
    first = check_folder(tmp_path, "index", context, cache)
    assert check_folder(tmp_path, "index", context, cache) == first
    assert check_folder(tmp_path, "index", context) == first
    (tmp_path / "n3.md").write_text("---\nname: n3\n---\nThe demo 3 is on Friday.\n")
    (tmp_path / "n4.md").unlink()
    again = check_folder(tmp_path, "index", context, cache)
    assert again == check_folder(tmp_path, "index", context)
    assert {one.path for one in again if one.kind == "relative-date"} == {f"n{number}.md" for number in range(20)} - {"n3.md", "n4.md"}


def test_a_repair_of_one_root_is_taken_back_as_a_whole(place: Place) -> None:
    for name in ("a", "b"):
        place.put(f"{name}.md", note_text(name, f"The demo of {name} is tomorrow."))
    place.memories.observe()
    health = place.health()
    before = {path: path.read_bytes() for path in place.memories.store().root.rglob("*.md")}
    findings = health.check().of_kind("relative-date")
    fixed = health.apply("project", health.plan(findings), PERSON)
    assert health.check().of_kind("relative-date") == ()
    health.take_back("project", fixed)
    assert {path: path.read_bytes() for path in place.memories.store().root.rglob("*.md")} == before
