"""`project.json`: every version that was ever written is read, nothing in it is lost, and two writers never undo each other."""

from __future__ import annotations

import json
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import StorageError
from desktop.memory.project_file import (
    Alias,
    Project,
    followed,
    read_project_file,
    read_redirect,
    remove_redirect,
    set_memory_switch,
    update_project_file,
    write_redirect,
)
from tests.helpers.clock import FixedClock

FIXTURES = Path(__file__).parent / "fixtures"
KEY = "alpha-0123456789abcdef"
OTHER = "beta-fedcba9876543210"


def project(base: Path, key: str = KEY) -> Project:
    home = base / "projects" / key
    return Project(key, "alpha", "/srv/alpha", Path("/srv/alpha"), home / "memory", "git-root", None, home)


def put(base: Path, text: str | bytes, key: str = KEY) -> Project:
    made = project(base, key)
    made.home.mkdir(parents=True, exist_ok=True)
    made.project_file.write_bytes(text if isinstance(text, bytes) else text.encode())
    return made


def test_the_first_form_is_read_and_what_it_lacks_is_empty(tmp_path: Path) -> None:
    found = read_project_file(put(tmp_path, (FIXTURES / "project-1-first.json").read_bytes()))
    assert (found.readable, found.switch, found.label, found.source) == (True, False, "项目 alpha", "/srv/项目 alpha")
    assert found.text("remote", of="git") == "https://example.org/alpha.git"
    assert (found.text("root_commit", of="git"), found.folder_id, found.aliases) == ("", None, ())


def test_the_present_form_is_read_whole(tmp_path: Path) -> None:
    found = read_project_file(put(tmp_path, (FIXTURES / "project-1-facts.json").read_bytes()))
    assert (found.readable, found.switch, found.folder_id) == (True, None, (2049, 131073))
    assert found.text("id", of="git") == "5f0c9b8e-6a1d-4c1b-9d0e-2f7a3b4c5d6e"
    assert found.aliases == (Alias(OTHER, "/srv/alpha", "/old/alpha"), Alias("gamma-0011223344556677", ""))


@pytest.mark.parametrize("name", ["project-1-first.json", "project-1-facts.json"])
def test_an_older_file_keeps_all_of_it_through_a_change(tmp_path: Path, name: str) -> None:
    one = put(tmp_path, (FIXTURES / name).read_bytes())
    before = json.loads(one.project_file.read_bytes())
    update_project_file(one, FixedClock(), lambda data: data | {"later": {"x": [1]}})
    assert json.loads(one.project_file.read_bytes()) == before | {"later": {"x": [1]}}


@pytest.mark.parametrize(
    "odd",
    [
        {"git": 3},
        {"git": {"root": 1, "id": []}},
        {"folder": "x"},
        {"folder": {"device": True, "inode": "1"}},
        {"aliases": {"a": 1}},
        {"aliases": [1, None, {"key": 2}, {"source": "x"}]},
        {"source": 7, "strategy": [], "label": None, "memory": 0},
    ],
)
def test_values_of_the_wrong_kind_say_nothing_and_hide_nothing(tmp_path: Path, odd: dict[str, Any]) -> None:
    found = read_project_file(put(tmp_path, json.dumps({"schema": 1, "switch": "off"} | odd)))
    assert (found.readable, found.switch) == (True, False)
    assert (found.aliases, found.folder_id, found.text("id", of="git")) == ((), None, "")


def test_a_change_that_changes_nothing_writes_nothing(tmp_path: Path) -> None:
    one = put(tmp_path, '{"schema":1}')
    update_project_file(one, FixedClock(), lambda data: data)
    assert one.project_file.read_bytes() == b'{"schema":1}'


def test_a_broken_file_is_left_as_it_is_and_the_way_out_is_said(tmp_path: Path) -> None:
    one = put(tmp_path, "{")
    with pytest.raises(StorageError, match=r"project\.json") as caught:
        update_project_file(one, FixedClock(), lambda data: data | {"x": 1})
    assert "switch" in caught.value.hint
    assert one.project_file.read_bytes() == b"{"


def test_writers_at_once_lose_nothing(tmp_path: Path) -> None:
    one = put(tmp_path, '{"schema": 1, "n": 0}')

    def work(number: int) -> None:
        for _ in range(10):
            update_project_file(one, FixedClock(), lambda data: data | {"n": data["n"] + 1, f"w{number}": True})
            set_memory_switch(one, number % 2 == 0, FixedClock())

    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(work, range(4))) == [None] * 4
    data = json.loads(one.project_file.read_bytes())
    assert data["n"] == 40
    assert {f"w{number}" for number in range(4)} <= data.keys()
    assert not list(one.home.glob("*.tmp"))


def aliases(base: Path, key: str, *names: str) -> None:
    put(base, json.dumps({"schema": 1, "aliases": [{"key": name, "source": "/x"} for name in names]}), key)


def test_a_redirect_counts_only_when_the_other_end_names_it_back(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    put(tmp_path, "{}", OTHER)
    write_redirect(projects / OTHER, KEY, FixedClock())
    assert read_redirect(projects / OTHER) == KEY
    assert followed(projects, OTHER) == OTHER
    aliases(tmp_path, KEY, "someone-0000000000000000")
    assert followed(projects, OTHER) == OTHER
    aliases(tmp_path, KEY, OTHER)
    assert followed(projects, OTHER) == KEY
    remove_redirect(projects / OTHER)
    assert followed(projects, OTHER) == OTHER


def test_redirects_that_go_round_or_on_and_on_end(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    keys = [f"k-{number:016x}" for number in range(20)]
    for number, key in enumerate(keys):
        before = keys[number - 1]
        aliases(tmp_path, key, before)
        write_redirect(projects / key, keys[(number + 1) % len(keys)], FixedClock())
    assert followed(projects, keys[0]) == keys[0]
    aliases(tmp_path, KEY, OTHER)
    aliases(tmp_path, OTHER, KEY)
    write_redirect(projects / KEY, OTHER, FixedClock())
    write_redirect(projects / OTHER, KEY, FixedClock())
    assert followed(projects, KEY) == KEY
    assert followed(projects, OTHER) == OTHER


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"to": 1}', '{"to": "../../etc"}', '{"to": "a/b-0123456789abcdef"}', "[" * 50_000, "\x00"]
)
def test_a_damaged_or_forged_redirect_leads_nowhere(tmp_path: Path, text: str) -> None:
    home = put(tmp_path, "{}").home
    (home / "redirect.json").write_text(text)
    assert read_redirect(home) == ""
