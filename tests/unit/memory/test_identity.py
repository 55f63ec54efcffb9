"""Identity: one resolver for every way into a project, with real git where git's own files matter."""

from __future__ import annotations

import json
import os
import random
import shutil
import stat
import sys
from pathlib import Path, PureWindowsPath

import pytest

from desktop.base.errors import StorageError, UsageError
from desktop.base.paths import resolve_paths
from desktop.memory.git_root import find_git_place, read_config, remote_address, same_remote, without_credentials
from desktop.memory.identity import (
    Project,
    canonical_path,
    checked_override,
    ensure_project,
    folds_case,
    list_projects,
    mismatch,
    placement,
    project_key,
    read_project_file,
    resolve_project,
    set_memory_switch,
    slug,
)
from desktop.memory.place import hash_of, known_key
from desktop.settings.schema import folder_problem
from tests.helpers.clock import FixedClock
from tests.unit.memory.conftest import make_paths
from tests.unit.memory.git import git, needs_git, repository


def key_of(folder: Path, base: Path, strategy: str = "git-root") -> str:
    return resolve_project(folder, make_paths(base), strategy=strategy).key


@pytest.mark.parametrize(
    ("name", "expected"),
    [
        ("My Project", "my-project"),
        ("a_b", "a_b"),
        ("a.b-c", "a.b-c"),
        ("新聞", "project"),
        ("新聞app", "app"),
        ("--x--", "x"),
        ("a  &&  b", "a-b"),
        ("", "project"),
        (".hidden", ".hidden"),
        ("x" * 60, "x" * 48),
        ("x" * 47 + "--y", "x" * 47 + "-"),
        ("ÄÖ", "project"),
        ("a\u200b\u200eb", "a-b"),
        ("-" * 60 + "x", "x"),
        ("x" * 48 + "中y", "x" * 48),
        ("K\u212a", "kk"),
        ("...", "..."),
    ],
)
def test_the_slug_has_the_fixed_form(name: str, expected: str) -> None:
    assert slug(name) == expected


def test_the_key_is_the_slug_and_sixteen_digits_of_the_path_s_hash() -> None:
    import hashlib

    path = Path("/t/My Project")
    code = hashlib.sha256(b"/t/My Project").hexdigest()[:16]
    assert project_key(path, lambda _: False) == f"my-project-{code}"


def test_st05_case_counts_only_where_the_disk_says_so() -> None:
    upper, lower = Path("/T/Proj"), Path("/t/proj")
    assert project_key(upper, lambda _: False) != project_key(lower, lambda _: False)
    assert project_key(upper, lambda _: True) == project_key(lower, lambda _: True)


def test_st05_each_folder_is_folded_by_the_disk_that_holds_it() -> None:
    """A disk that folds case, mounted below one that does not: only the names on it are folded."""

    def folds(folder: Path) -> bool:
        return Path("/Mnt/Stick") in folder.parents

    assert canonical_path(Path("/Mnt/Stick/Proj/A"), folds) == "/Mnt/Stick/proj/a"
    assert project_key(Path("/Mnt/Stick/PROJ"), folds) == project_key(Path("/Mnt/Stick/proj"), folds)
    assert project_key(Path("/mnt/Stick/Proj"), folds) != project_key(Path("/Mnt/Stick/Proj"), folds)


def test_st05_a_link_or_another_folder_with_swapped_case_does_not_make_a_disk_fold(tmp_path: Path) -> None:
    (tmp_path / "Proj").mkdir()
    if (tmp_path / "pROJ").exists():
        pytest.skip("this disk folds case")
    plain = project_key(tmp_path / "Proj")
    (tmp_path / "pROJ").symlink_to(tmp_path / "Proj")
    assert not folds_case(tmp_path / "Proj")
    assert project_key(tmp_path / "Proj") == plain
    (tmp_path / "pROJ").unlink()
    (tmp_path / "pROJ").mkdir()
    assert project_key(tmp_path / "pROJ") != plain


@pytest.mark.parametrize("name", ["ß", "ŉ", "中", "123", "ǰ", "İ"])
def test_st05_letters_without_a_reversible_case_ask_nothing_wrong(tmp_path: Path, name: str) -> None:
    (tmp_path / name).mkdir()
    assert folds_case(tmp_path / name) is folds_case(tmp_path)


@pytest.mark.parametrize(
    ("first", "second"),
    [("C:\\Users\\张三\\Repo", "c:\\users\\张三\\repo"), ("D:\\工作\\A.B", "d:\\工作\\a.b")],
)
def test_w13_windows_spellings_of_one_path_are_one_project_by_rule(first: str, second: str) -> None:
    """Folding name by name gives what lower-casing the whole path gives on Windows; a renamed drive is another path."""
    assert first.lower() == second.lower()
    keys = {hash_of(text.lower()) for text in (first, second)}
    assert len(keys) == 1
    assert hash_of("e" + first.lower()[1:]) not in keys
    assert slug(PureWindowsPath(first).name) == slug(PureWindowsPath(second).name)


def test_b03_names_that_look_alike_in_ascii_are_five_projects(tmp_path: Path) -> None:
    names = ["新聞", "暫存", "a_b", "a-b", "a.b"]
    for name in names:
        (tmp_path / "t" / name).mkdir(parents=True)
    projects = [resolve_project(tmp_path / "t" / name, make_paths(tmp_path)) for name in names]
    assert len({project.memory_root for project in projects}) == 5
    assert [project.label for project in projects] == names


ALPHABET = "新聞暫存中文日本語한국어עבריתالعربية😀🎉👨‍👩‍👧ab._- \u200f\u0301é"


def odd_names(count: int, seed: int) -> list[str]:
    """Different folder names out of CJK, emoji, right-to-left and combining letters."""
    print(f"seed {seed}")
    pick = random.Random(seed)
    names: set[str] = set()
    while len(names) < count:
        name = "".join(pick.choice(ALPHABET) for _ in range(pick.randint(1, 12)))
        if name.strip(". ") and len(name.encode()) < 250:
            names.add(name)
    return sorted(names)


@pytest.mark.parametrize("count", [1_000, pytest.param(10_000, marks=pytest.mark.full)])
def test_b03_random_names_in_any_script_have_a_memory_folder_each(tmp_path: Path, count: int) -> None:
    names = odd_names(count, 7)
    paths = make_paths(tmp_path)
    roots = set()
    for name in names:
        folder = tmp_path / "t" / name
        folder.mkdir(parents=True)
        project = resolve_project(folder, paths)
        assert project.label == name
        roots.add(project.memory_root)
    assert len(roots) == count
    for root in sorted(roots)[:200]:
        root.mkdir(parents=True)
        (root / "x.md").write_text("x")
    assert sum(1 for _ in paths.projects.rglob("*.md")) == 200


def test_b03_ten_thousand_keys_by_rule_alone_differ() -> None:
    names = odd_names(10_000, 8)
    assert len({project_key(Path("/t") / name, lambda _: False) for name in names}) == len(names)


def test_b01_a_folder_below_another_known_project_is_its_own(tmp_path: Path) -> None:
    home, inner = tmp_path / "home", tmp_path / "home" / "proj" / "a"
    inner.mkdir(parents=True)
    assert key_of(home, tmp_path) != key_of(inner, tmp_path)
    project = resolve_project(inner, make_paths(tmp_path))
    assert project.source == str(inner.resolve())
    assert project.git_root is None


@needs_git
def test_b49_git_coming_and_going_never_changes_where_the_memory_of_a_root_is(tmp_path: Path) -> None:
    first, second = tmp_path / "t" / "a", tmp_path / "t" / "b"
    first.mkdir(parents=True)
    second.mkdir()
    plain = key_of(first, tmp_path)
    assert plain != key_of(second, tmp_path)
    git(first, "init")
    assert key_of(first, tmp_path) == plain
    shutil.rmtree(first / ".git")
    assert key_of(first, tmp_path) == plain


@needs_git
def test_subfolders_worktrees_and_links_share_the_main_work_tree(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo 主")
    (root / "packages" / "a").mkdir(parents=True)
    git(root, "worktree", "add", str(tmp_path / "linked tree"), "-b", "side")
    (tmp_path / "linked tree" / "deep").mkdir()
    (tmp_path / "alias").symlink_to(root)
    expected = key_of(root, tmp_path)
    for folder in (root / "packages" / "a", tmp_path / "linked tree", tmp_path / "linked tree" / "deep", tmp_path / "alias", root / ".git"):
        assert key_of(folder, tmp_path) == expected, folder
    project = resolve_project(tmp_path / "linked tree" / "deep", make_paths(tmp_path))
    assert project.git_root == root.resolve()
    assert project.label == "repo 主"
    assert key_of(tmp_path / "linked tree", tmp_path, "worktree") != expected
    assert key_of(root / "packages" / "a", tmp_path, "workspace") != expected


@needs_git
def test_a_submodule_is_its_own_also_from_a_worktree_of_it(tmp_path: Path) -> None:
    part = repository(tmp_path / "part")
    root = repository(tmp_path / "repo")
    git(root, "submodule", "add", str(part), "sub")
    git(root / "sub", "worktree", "add", str(tmp_path / "subtree"), "-b", "side")
    sub = key_of(root / "sub", tmp_path)
    assert sub != key_of(root, tmp_path)
    assert resolve_project(root / "sub", make_paths(tmp_path)).source == str((root / "sub").resolve())
    assert key_of(tmp_path / "subtree", tmp_path) == sub


@needs_git
def test_a_bare_repository_and_its_worktrees_are_the_bare_folder(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    git(tmp_path, "clone", "--bare", str(root), "store.git")
    git(tmp_path / "store.git", "worktree", "add", str(tmp_path / "out"), "main")
    assert key_of(tmp_path / "out", tmp_path) == key_of(tmp_path / "store.git", tmp_path)
    assert resolve_project(tmp_path / "out", make_paths(tmp_path)).source == str((tmp_path / "store.git").resolve())


@needs_git
def test_a_repository_kept_elsewhere_is_known_by_its_work_tree(tmp_path: Path) -> None:
    folder = tmp_path / "work"
    folder.mkdir()
    git(folder, "init", "--separate-git-dir", str(tmp_path / "kept"))
    (folder / "sub").mkdir()
    assert resolve_project(folder / "sub", make_paths(tmp_path)).source == str(folder.resolve())


@needs_git
def test_a_git_file_that_its_repository_does_not_know_claims_nothing(tmp_path: Path) -> None:
    """A folder from elsewhere must not reach another project's memory by naming its repository."""
    root = repository(tmp_path / "repo")
    git(root, "worktree", "add", str(tmp_path / "linked"), "-b", "side")
    hostile = tmp_path / "hostile"
    hostile.mkdir()
    pointer = (tmp_path / "linked" / ".git").read_text()
    (hostile / ".git").write_text(pointer)
    assert key_of(hostile, tmp_path) != key_of(root, tmp_path)
    for text in ("gitdir: ../repo/.git", "gitdir: /nowhere", "rubbish", "", "gitdir: ../repo/.git/worktrees/../../.git"):
        (hostile / ".git").write_text(text)
        assert key_of(hostile, tmp_path) != key_of(root, tmp_path), text


def test_an_empty_or_half_git_folder_is_no_repository(tmp_path: Path) -> None:
    folder = tmp_path / "outer"
    (folder / "inner" / ".git").mkdir(parents=True)
    assert find_git_place(folder.resolve() / "inner") is None
    (folder / "HEAD").write_text("ref: refs/heads/main")
    (folder / "objects").mkdir()
    (folder / "refs").mkdir()
    assert find_git_place(folder.resolve() / "inner") is None


def test_config_is_read_without_starting_git_and_addresses_lose_their_password(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(
        '[core]\n\tbare = false ; c\n[remote "origin"]\n\turl = https://me:secret@example.org/a.git\n[include]\n\tpath = /etc/passwd\n'
    )
    assert read_config(tmp_path)["include.path"] == "/etc/passwd"
    assert remote_address(tmp_path) == "https://example.org/a.git"
    assert remote_address(tmp_path / "nowhere") is None


def test_values_of_git_s_config_are_read_as_git_reads_them(tmp_path: Path) -> None:
    (tmp_path / "config").write_text(
        '[core]\n\tbare\n[Remote "Origin 二"]\n\tURL = "a b#c" # d\n; comment = 1\n\tfetch = x\\"y\\"\n[x] inline = 1\nbroken line\n= 2\n'
    )
    values = read_config(tmp_path)
    assert values["core.bare"] == "true"
    assert values["remote.Origin 二.url"] == "a b#c"
    assert values["remote.Origin 二.fetch"] == 'x"y"'
    assert values["x.inline"] == "1"
    assert "remote.Origin 二.comment" not in values


@pytest.mark.parametrize(
    ("address", "clean"),
    [
        ("https://me:s3cret@example.org/a.git", "https://example.org/a.git"),
        ("https://me:s3@cret@example.org/a.git", "https://example.org/a.git"),
        ("https://me:s3/cret@example.org/a.git", "https://example.org/a.git"),
        ("https://example.org/a.git?private_token=s3cret#x", "https://example.org/a.git"),
        ("https://example.org/@scope/a", "https://example.org/@scope/a"),
        ("ssh://git@example.org:2222/a.git", "ssh://example.org:2222/a.git"),
        ("s3cret@example.org:me/a.git", "example.org:me/a.git"),
        ("/srv/git/a.git", "/srv/git/a.git"),
        ("../a", "../a"),
        ("C:/srv/a", "C:/srv/a"),
        ("ext::sh -c s3cret", None),
    ],
)
def test_no_credential_of_a_remote_is_ever_kept(address: str, clean: str | None) -> None:
    assert without_credentials(address) == clean


def test_two_spellings_of_one_remote_are_the_same() -> None:
    for other in ("example.org:me/a", "ssh://EXAMPLE.org:22/me/a.git", "https://example.org/me/a/"):
        assert same_remote("https://example.org/me/a.git", other), other
    for other in ("https://example.org/me/b", "https://example.com/me/a", "/me/a"):
        assert not same_remote("https://example.org/me/a.git", other), other


@pytest.mark.parametrize("strategy", ["git_id", "", "root"])
def test_an_unknown_strategy_is_named_with_the_known_ones(tmp_path: Path, strategy: str) -> None:
    with pytest.raises(UsageError) as caught:
        resolve_project(tmp_path, make_paths(tmp_path), strategy=strategy)
    assert "git-root" in caught.value.hint


def test_what_is_no_folder_is_a_usage_error(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    (tmp_path / "loop").symlink_to(tmp_path / "loop")
    for path in (tmp_path / "missing", tmp_path / "file", tmp_path / "loop", Path("a\0b")):
        with pytest.raises(UsageError, match="not a folder"):
            resolve_project(path, make_paths(tmp_path))


def test_resolving_writes_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    folder.mkdir()
    resolve_project(folder, make_paths(tmp_path))
    list_projects(make_paths(tmp_path))
    assert sorted(path.name for path in tmp_path.rglob("*")) == ["w"]


def make_project(tmp_path: Path, name: str = "工作") -> Project:
    folder = tmp_path / "work" / name
    folder.mkdir(parents=True)
    project = resolve_project(folder, make_paths(tmp_path))
    ensure_project(project, FixedClock())
    return project


def test_ensuring_makes_the_folder_and_the_project_file_once(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    assert project.memory_root == make_paths(tmp_path).projects / project.key / "memory"
    assert stat.S_IMODE(project.memory_root.stat().st_mode) == 0o700
    data = json.loads(project.project_file.read_text())
    assert data["schema"] == 1
    assert data["label"] == "工作"
    assert data["source"] == project.source
    assert data["aliases"] == []
    assert data["created"] == "2026-01-02T03:04:05.000Z"
    before = project.project_file.read_bytes()
    ensure_project(project, FixedClock())
    assert project.project_file.read_bytes() == before


def test_a_data_folder_that_cannot_be_made_is_a_storage_error(tmp_path: Path) -> None:
    (tmp_path / "data").write_text("a file")
    folder = tmp_path / "w"
    folder.mkdir()
    with pytest.raises(StorageError, match="data"):
        ensure_project(resolve_project(folder, make_paths(tmp_path)), FixedClock())


def test_only_off_is_written_and_on_takes_it_away(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    before = project.project_file.read_bytes()
    set_memory_switch(project, False, FixedClock())
    assert read_project_file(project).switch is False
    assert json.loads(project.project_file.read_text())["switch"] == "off"
    set_memory_switch(project, True, FixedClock())
    assert read_project_file(project).switch is None
    assert project.project_file.read_bytes() == before


def test_unknown_keys_of_a_project_file_are_kept(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    data = json.loads(project.project_file.read_text()) | {"later": {"x": [1]}}
    project.project_file.write_text(json.dumps(data))
    set_memory_switch(project, False, FixedClock())
    assert json.loads(project.project_file.read_text())["later"] == {"x": [1]}


@pytest.mark.parametrize(
    "text", ["", "{", "[]", '{"label": "x"}', '{"schema": 99}', '{"schema": 1, "switch": "maybe"}', "\x00\x01", "[" * 100_000]
)
def test_a_broken_project_file_is_said_never_touched_and_kept_aside_by_the_switch(tmp_path: Path, text: str) -> None:
    project = make_project(tmp_path)
    project.project_file.write_text(text)
    found = read_project_file(project)
    assert not found.readable
    assert str(project.project_file) in found.problem
    ensure_project(project, FixedClock())
    assert project.project_file.read_text() == text
    set_memory_switch(project, True, FixedClock())
    assert read_project_file(project).readable
    kept = list(project.home.glob("project.json.broken-*"))
    assert [path.read_text() for path in kept] == [text]


def test_a_broken_file_that_still_shows_the_switch_off_counts_as_off(tmp_path: Path) -> None:
    project = make_project(tmp_path)
    project.project_file.write_text('{"schema": 1, "switch": "off",')
    found = read_project_file(project)
    assert (found.readable, found.switch) == (False, False)


def test_a_missing_project_file_says_nothing(tmp_path: Path) -> None:
    folder = tmp_path / "w"
    folder.mkdir()
    found = read_project_file(resolve_project(folder, make_paths(tmp_path)))
    assert (found.readable, found.switch, found.data) == (True, None, {})


def test_every_project_is_listed_also_one_with_a_damaged_file(tmp_path: Path) -> None:
    first, second = make_project(tmp_path, "乙"), make_project(tmp_path, "a b")
    second.project_file.write_text("{")
    (make_paths(tmp_path).projects / "stray.txt").write_text("x")
    listed = list_projects(make_paths(tmp_path))
    assert {project.key for project in listed} == {first.key, second.key}
    assert {project.label for project in listed} == {"乙", "a-b"}
    assert next(p for p in listed if p.key == first.key).memory_root == first.memory_root


@pytest.mark.parametrize(
    "value",
    [
        *("notes", "./x", "../x", "", "/", "//", "/.", "/a/..", "~", "~/", "~/.", "~user/x", "~\\x", "~/../../../../../../../.."),
        *("//server/share", "\\\\server\\share", "\\\\?\\C:\\x", "\\\\.\\pipe", "/\\server", "C:", "C:\\", "C:/x", "\\x"),
        *("/a\0b", "/a\nb", "/proc/self", "/dev/shm", "/sys/x", "/x/NUL", "/x/con.txt", "~/COM1", "~/lpt\u00b9.md", "/x/aux /y"),
    ],
)
def test_a_memory_folder_of_one_s_own_must_be_a_whole_local_path(tmp_path: Path, value: str) -> None:
    with pytest.raises(UsageError):
        checked_override(value, tmp_path)


@pytest.mark.parametrize(
    ("value", "fine"),
    [
        *(("C:\\Users\\张三\\mem", True), ("c:/mem", True), ("~\\mem", True), ("~/mem", True), ("D:\\a\\..\\b", True)),
        *(
            ("C:", False),
            ("C:\\", False),
            ("C:mem", False),
            ("\\mem", False),
            ("/mem", False),
            ("mem", False),
            ("~", False),
            ("~\\", False),
        ),
        *(("\\\\host\\share\\x", False), ("//host/share/x", False), ("\\\\?\\C:\\x", False), ("\\\\.\\COM1", False), ("C:\\NUL", False)),
        *(("C:\\x\\aux.txt", False), ("C:\\x\\com\u00b2", False), ("C:\\x\0", False), ("", False)),
    ],
)
def test_st12_on_windows_by_rule(value: str, fine: bool) -> None:
    assert (folder_problem(value, "win32") == "") is fine


def test_st12_the_home_folder_itself_is_refused_also_through_a_link(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    (tmp_path / "alias").symlink_to(home)
    for value in (str(home), str(tmp_path / "alias"), str(home / "x" / "..")):
        with pytest.raises(UsageError):
            checked_override(value, home)


def test_st11_the_environment_beats_the_setting_which_beats_the_base(tmp_path: Path) -> None:
    folder, paths = tmp_path / "w", make_paths(tmp_path)
    folder.mkdir()
    usual = resolve_project(folder, paths)
    env = {"KEEPSAKE_MEMORY_DIR": str(tmp_path / "env"), "KEEPSAKE_REMOTE_MEMORY_DIR": str(tmp_path / "mount")}
    steps = [
        (env, "~/set", tmp_path / "env"),
        ({**env, "KEEPSAKE_MEMORY_DIR": ""}, "~/set", tmp_path / "set"),
        ({"KEEPSAKE_REMOTE_MEMORY_DIR": str(tmp_path / "mount")}, "", tmp_path / "mount" / "projects" / usual.key / "memory"),
        ({}, "", usual.memory_root),
    ]
    for environ, setting, expected in steps:
        placed = placement(environ, setting, tmp_path)
        project = resolve_project(folder, paths, memory_dir=placed.memory_dir, base=placed.base)
        assert project.memory_root == expected
        assert (project.key, project.home) == (usual.key, usual.home)


@pytest.mark.parametrize(
    ("environ", "setting", "named"),
    [
        ({"KEEPSAKE_MEMORY_DIR": "x"}, "", "KEEPSAKE_MEMORY_DIR"),
        ({"KEEPSAKE_REMOTE_MEMORY_DIR": "/"}, "", "KEEPSAKE_REMOTE_MEMORY_DIR"),
        ({}, "./knowledge/mem", "memory.directory"),
    ],
)
def test_st12_a_wrong_place_is_named_with_its_origin(tmp_path: Path, environ: dict[str, str], setting: str, named: str) -> None:
    with pytest.raises(UsageError, match=named) as caught:
        placement(environ, setting, tmp_path)
    assert caught.value.hint


@pytest.mark.parametrize("inner", ["", "journal", "snapshots/x", "memories", "state"])
def test_a_memory_folder_never_holds_the_app_s_own_data(tmp_path: Path, inner: str) -> None:
    folder, paths = tmp_path / "w", make_paths(tmp_path)
    folder.mkdir()
    for place in (paths.data / inner, tmp_path):
        with pytest.raises(UsageError, match="own data"):
            resolve_project(folder, paths, memory_dir=place)
    assert resolve_project(folder, paths, memory_dir=paths.memories / "mine").memory_root == paths.memories / "mine"


def test_b05_a_chosen_memory_folder_is_the_one_root_for_everybody(tmp_path: Path) -> None:
    chosen = checked_override("~/knowledge/mem", tmp_path)
    folder, paths = tmp_path / "w", make_paths(tmp_path)
    folder.mkdir()
    project = resolve_project(folder, paths, memory_dir=chosen)
    ensure_project(project, FixedClock())
    assert project.memory_root == (tmp_path / "knowledge" / "mem").resolve()
    assert project.memory_root.is_dir()
    assert project.project_file == make_paths(tmp_path).projects / project.key / "project.json"
    assert [one.memory_root for one in list_projects(paths)] == [project.memory_root]
    ensure_project(resolve_project(folder, paths), FixedClock())
    assert [one.memory_root for one in list_projects(paths)] == [project.home / "memory"]


@pytest.mark.parametrize("identity", ["remote:ssh:me@host:/srv/项目", " remote:ssh:me@host:/srv/项目\n"])
def test_st06_a_remote_workspace_is_known_by_its_identity_string_alone(tmp_path: Path, identity: str) -> None:
    paths = make_paths(tmp_path)
    (tmp_path / "w").mkdir()
    first = resolve_project(tmp_path / "w", paths, identity=identity)
    second = resolve_project(tmp_path / "nowhere", paths, identity=identity.strip())
    assert first.key == second.key == f"project-{hash_of(identity.strip())}"
    assert first.source == identity.strip()
    ensure_project(first, FixedClock())
    assert mismatch(second) == ""
    assert resolve_project(tmp_path / "w", paths, identity=" \t").key == resolve_project(tmp_path / "w", paths).key
    assert resolve_project(tmp_path / "w", paths, identity="remote:ssh:other").key != first.key


def test_a_home_is_found_by_its_hash_whatever_the_slug_in_front_says(tmp_path: Path) -> None:
    projects = tmp_path / "projects"
    code = "0123456789abcdef"
    assert known_key(projects, f"new-name-{code}") == f"new-name-{code}"
    for name in (f"older-{code}", f"old-name-{code}", "other-ffffffffffffffff"):
        (projects / name).mkdir(parents=True)
    (projects / f"afile-{code}").write_text("x")
    assert known_key(projects, f"new-name-{code}") == f"old-name-{code}"
    (projects / f"new-name-{code}").mkdir()
    assert known_key(projects, f"new-name-{code}") == f"new-name-{code}"


def test_a_folder_name_that_is_no_text_is_a_project_too(tmp_path: Path) -> None:
    folder = Path(os.fsdecode(os.fsencode(tmp_path) + b"/bad\xff"))
    folder.mkdir()
    project = ensure_project(resolve_project(folder, make_paths(tmp_path)), FixedClock())
    assert project.label == "bad\ufffd"
    assert mismatch(project) == ""
    assert [one.source for one in list_projects(make_paths(tmp_path))] == [str(folder)]


def fake_worktree(folder: Path, claimed: Path) -> None:
    """A folder whose own make-believe repository says that its work tree is `claimed`."""
    home = folder / "fake"
    (home / "worktrees" / "w").mkdir(parents=True)
    (folder / ".git").write_text("gitdir: fake/worktrees/w\n")
    (home / "worktrees" / "w" / "gitdir").write_text(f"{folder / '.git'}\n")
    (home / "worktrees" / "w" / "commondir").write_text("../..\n")
    (home / "HEAD").write_text("ref: refs/heads/main\n")
    (home / "objects").mkdir()
    (home / "refs").mkdir()
    (home / "config").write_text(f"[core]\n\tworktree = {claimed}\n")


@needs_git
def test_a_configuration_alone_claims_no_other_project(tmp_path: Path) -> None:
    root = repository(tmp_path / "repo")
    plain = tmp_path / "plain"
    plain.mkdir()
    for number, claimed in enumerate((root, plain)):
        hostile = tmp_path / f"hostile-{number}"
        hostile.mkdir()
        fake_worktree(hostile, claimed)
        assert key_of(hostile, tmp_path) != key_of(claimed, tmp_path)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="this system has no pipes in folders")
@pytest.mark.parametrize(
    "place", [".git", ".git/config", ".git/HEAD", "fake/config", "fake/worktrees/w/commondir", "fake/worktrees/w/gitdir"]
)
def test_a_pipe_in_a_folder_from_elsewhere_does_not_hang(tmp_path: Path, place: str) -> None:
    folder = tmp_path / "hostile"
    folder.mkdir()
    if place.startswith("fake"):
        fake_worktree(folder, tmp_path)
    elif place != ".git":
        for name in ("objects", "refs"):
            (folder / ".git" / name).mkdir(parents=True)
        (folder / ".git" / "HEAD").write_text("ref: refs/heads/main\n")
        (folder / ".git" / "config").write_text("[core]\n")
    (folder / place).unlink(missing_ok=True)
    os.mkfifo(folder / place)
    assert resolve_project(folder, make_paths(tmp_path)).folder == folder.resolve()


@pytest.mark.skipif(sys.platform != "linux", reason="the rule of this desktop's standard")
def test_st17_memory_lies_in_the_platform_s_data_folder_unless_another_place_is_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("HOME", str(tmp_path / "home"))
    monkeypatch.delenv("XDG_DATA_HOME", raising=False)
    assert resolve_paths(None, {}).memories == tmp_path / "home" / ".local" / "share" / "keepsake" / "memories"
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path / "xdg"))
    assert resolve_paths(None, {}).memories == tmp_path / "xdg" / "keepsake" / "memories"
    named = resolve_paths(None, {"KEEPSAKE_HOME": str(tmp_path / "named")})
    assert named.memories == tmp_path / "named" / "data" / "memories"
    with pytest.raises(UsageError, match="KEEPSAKE_HOME"):
        resolve_paths(None, {"KEEPSAKE_HOME": "relative"})
