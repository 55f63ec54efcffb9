"""`keepsake memory search`: its shape for scripts, its look for people, its exits."""

from __future__ import annotations

import io
import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest

from desktop.cli.main import main
from desktop.cli.memory_search import phrasings
from desktop.cli.output import marked
from desktop.compose import Options, build_services
from desktop.memory.identity import ensure_project, resolve_project
from desktop.memory.store import ChangeOrigin
from tests.unit.memory.conftest import note_text

PERSON = ChangeOrigin("person")


@pytest.fixture
def place(tmp_path: Path) -> Path:
    """A workspace with some memories; its profile lies beside it."""
    folder = tmp_path / "工作"
    folder.mkdir()
    workspace = build_services(options(tmp_path)).open_workspace(folder)
    store = workspace.memories.store()
    store.write("database.md", note_text("database", "我们决定使用端口5433，数据库是postgres"), base_digest=None, origin=PERSON)
    store.write("deploy.md", note_text("deploy", "Deployments happen on Tuesdays.", kind="feedback"), base_digest=None, origin=PERSON)
    workspace.memories.store("user").write("me.md", note_text("me", "Speaks German at home."), base_digest=None, origin=PERSON)
    return folder


def options(base: Path) -> Options:
    return Options(profile_dir=str(base / "profile"), environ={"HOME": str(base)}, headless=True)


def keepsake(place: Path, *words: str) -> int:
    return main(["memory", "search", "--workspace", str(place), "--profile-dir", str(place.parent / "profile"), *words])


def found(place: Path, capsys: pytest.CaptureFixture[str], *words: str) -> list[dict[str, Any]]:
    assert keepsake(place, "--json", *words) == 0
    out = capsys.readouterr().out
    assert out.count("\n") == 1
    hits = json.loads(out)["hits"]
    assert isinstance(hits, list)
    return hits


@pytest.mark.parametrize("query", ["端口", "postgres", "5433", "库"])
def test_a_hit_has_the_keys_that_scripts_rely_on(place: Path, capsys: pytest.CaptureFixture[str], query: str) -> None:
    (hit,) = found(place, capsys, query)
    assert {"path", "scope", "name", "snippet", "score", "modified", "origin"} <= hit.keys()
    assert (hit["path"], hit["scope"], hit["name"], hit["score"], hit["origin"]) == ("database.md", "projects", "database", 1.0, None)
    assert hit["snippet"] == "我们决定使用端口5433，数据库是postgres"
    assert datetime.fromisoformat(hit["modified"].replace("Z", "+00:00")).tzinfo is not None and hit["modified"].endswith("Z")
    assert Path(hit["absolute"]).is_file() and hit["root"] == "project" and hit["type"] == "project" and hit["line"] > 1 and hit["why"]
    assert query in "".join(hit["snippet"][a:b] for a, b in hit["marks"])


def test_scope_type_and_limit_narrow_it(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert [hit["path"] for hit in found(place, capsys, "german")] == ["me.md"]
    assert found(place, capsys, "german", "--scope", "projects") == []
    assert [hit["scope"] for hit in found(place, capsys, "german", "--scope", "global")] == ["global"]
    assert [hit["path"] for hit in found(place, capsys, "deployments", "--type", "feedback")] == ["deploy.md"]
    assert found(place, capsys, "deployments", "--type", "user") == []
    assert len(found(place, capsys, "postgres", "deployments", "german", "--limit", "1")) == 1


def test_words_are_one_question_and_quoted_phrasings_several(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert phrasings(["a", "b"]) == ["a b"] and phrasings(["a b", "c"]) == ["a b", "c"]
    assert {hit["path"] for hit in found(place, capsys, "which database", "deployments on tuesdays")} == {"database.md", "deploy.md"}


def test_another_project_is_searched_by_its_key(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    other = place.parent / "other"
    other.mkdir()
    services = build_services(options(place.parent))
    project = resolve_project(other, services.paths)
    ensure_project(project, services.clock)
    (project.memory_root / "x.md").write_text("granatufer\n")
    assert found(place, capsys, "granatufer") == []
    assert [hit["scope_id"] for hit in found(place, capsys, "granatufer", "--scope", "projects", "--scope-id", project.key)] == [
        project.key
    ]


def test_nothing_found_is_no_failure(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert found(place, capsys, "zeppelin") == []
    assert found(place, capsys, "???") == []
    assert keepsake(place, "zeppelin") == 0
    shown = capsys.readouterr()
    assert shown.out == "" and "nothing was found" in shown.err


@pytest.mark.parametrize(
    "words",
    [
        ("x", "--scope", "nowhere"),
        ("x", "--type", "nothing"),
        ("x", "--limit", "0"),
        ("x", "--limit", "51"),
        ("x", "--scope-id", "no"),
        ("a b", "c", "d", "e", "f"),
        (),
    ],
)
def test_what_is_not_there_is_wrong_use(place: Path, capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    assert keepsake(place, "--json", *words) == 2
    shown = capsys.readouterr()
    assert shown.out == "" and "keepsake:" in shown.err


def test_people_see_path_line_facts_and_snippet(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert keepsake(place, "tuesdays") == 0
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("deploy.md:") and "projects · feedback · " in first
    assert second == "    Deployments happen on Tuesdays."


def test_the_person_searches_while_memory_is_off(place: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["memory", "off", "--workspace", str(place), "--profile-dir", str(place.parent / "profile")]) == 0
    assert [hit["path"] for hit in found(place, capsys, "postgres")] == ["database.md"]


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_marks_are_bold_on_a_terminal_only_and_control_characters_are_shown_there() -> None:
    text, marks = "a \x1b[2J postgres b", [(6, 14)]
    assert marked(text, marks, io.StringIO()) == text
    assert marked("port 5433", [(5, 9)], Terminal()) == "port \x1b[1m5433\x1b[22m"
    assert marked(text, [], Terminal()) == "a \\u{1b}[2J postgres b"
