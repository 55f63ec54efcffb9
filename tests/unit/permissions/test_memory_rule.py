"""The memory rule: the labelled corpus, our own cases of every kind, and random disguises of protected names."""

from __future__ import annotations

import contextlib
import json
import os
import random
import sys
import unicodedata
from pathlib import Path, PurePath, PurePosixPath, PureWindowsPath
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.confine import FIRST_COMPONENT_NAMES, PROTECTED_NAMES, ProtectedNames, write_beneath
from desktop.base.errors import KeepsakeError
from desktop.permissions.memory_rule import Verdict, allows_memory_write
from tests.helpers.data import shared_data

POSIX = sys.platform if sys.platform != "win32" else "linux"
WIN_ROOT = PureWindowsPath(r"C:\Users\dev\AppData\Local\keepsake\data\memories\projects\p-0123456789abcdef\memory")


class Place:
    """A memory root on disk with its neighbours."""

    def __init__(self, base: Path) -> None:
        self.base = base.resolve()
        self.root = self.base / "data" / "projects" / "p" / "memory"
        self.other = self.base / "data" / "projects" / "q" / "memory"
        self.workspace = self.base / "ws"
        self.outside = self.base / "outside"
        for folder in (self.root, self.other, self.workspace, self.outside):
            folder.mkdir(parents=True)

    def ask(self, path: str) -> Verdict:
        return allows_memory_write(path, root=self.root, cwd=self.workspace, workspace=self.workspace)

    def inside(self, name: str) -> Verdict:
        return self.ask(f"{self.root}/{name}")


@pytest.fixture
def place(tmp_path: Path) -> Place:
    return Place(tmp_path)


def ask_windows(path: str) -> Verdict:
    home = PureWindowsPath(r"C:\work\ws")
    return allows_memory_write(path, root=WIN_ROOT, cwd=home, workspace=home, platform="win32")


def ask_rules(path: str, platform: str = "linux") -> Verdict:
    root = PurePosixPath("/home/dev/.local/share/keepsake/memories/projects/p/memory")
    return allows_memory_write(path, root=root, cwd=PurePosixPath("/w"), workspace=PurePosixPath("/w"), platform=platform)


# the labelled corpus


def _symbols(base: PurePath) -> dict[str, str]:
    data = base / "data" / "projects"
    return {
        "<memory>": str(data / "p" / "memory"),
        "<other-memory>": str(data / "q" / "memory"),
        "<workspace>": str(base / "ws"),
        "<outside>": str(base / "out"),
        "<home>": str(base),
    }


def _filled(text: str, symbols: dict[str, str]) -> str:
    for symbol, value in symbols.items():
        text = text.replace(symbol, value)
    return text


def _make_fixture(case: dict[str, Any], symbols: dict[str, str]) -> None:
    for value in symbols.values():
        Path(value).mkdir(parents=True, exist_ok=True)
    for kind, name, *target in case.get("fixture", []):
        path = Path(_filled(name, symbols))
        path.parent.mkdir(parents=True, exist_ok=True)
        if kind == "dir":
            path.mkdir(exist_ok=True)
        elif kind == "file":
            path.write_text("x")
        elif kind == "fifo":
            os.mkfifo(path)
        else:
            path.symlink_to(_filled(target[0], symbols))


def _verdict_of(case: dict[str, Any], windows: bool, folder: Path) -> bool:
    base: PurePath = PureWindowsPath(r"C:\Users\dev") if windows else folder.resolve()
    symbols = _symbols(base)
    if not windows:
        _make_fixture(case, symbols)
    kind = type(base) if windows else Path
    verdict = allows_memory_write(
        _filled(case["path"], symbols),
        root=kind(symbols["<memory>"]),
        cwd=kind(symbols["<workspace>"]),
        workspace=kind(symbols["<workspace>"]),
        platform="win32" if windows else sys.platform,
    )
    return verdict.allowed


def test_the_corpus_has_no_wrong_allow_and_at_most_one_wrong_refusal(tmp_path: Path) -> None:
    cases = [json.loads(line) for line in shared_data("security/memory_paths.jsonl").read_text().splitlines() if line.strip()]
    wrong_allows, wrong_refusals = [], []
    for number, case in enumerate(cases):
        kinds = {"posix": (False,), "windows": (True,), "any": (False, True)}[case["platform"]]
        for windows in kinds:
            folder = tmp_path / f"{number}-{windows}"
            folder.mkdir()
            allowed = _verdict_of(case, windows, folder)
            if allowed and not case["allowed"]:
                wrong_allows.append(case)
            if case["allowed"] and not allowed:
                wrong_refusals.append(case)
    assert wrong_allows == []
    assert len(wrong_refusals) <= 1, wrong_refusals


# what is let through


@pytest.mark.parametrize(
    "name",
    [
        "note.md",
        "MEMORY.md",
        "topics/note.md",
        "a/b/c/d/e.md",
        "偏好.md",
        "读／写.md",
        "用户：偏好.md",
        "café.md",
        unicodedata.normalize("NFD", "café.md"),
        ".hidden.md",
        "-rf.md",
        "~draft.md",
        "skill.md",
        "githooks.md",
        "my-skills/x.md",
        "topics/config.md",
        "topics/config/x.md",
        "emoji 👩‍💻.md",
        "a & b (v2) [x] #1 100%.md",
        "x" * 250 + ".md",
        "topics/../note.md",
        "./note.md",
        "topics//note.md",
        "v1.2.notes.md",
    ],
)
def test_ordinary_names_are_allowed_with_a_target_below_the_root(place: Place, name: str) -> None:
    for verdict in (place.inside(name), place.ask(name)):
        assert verdict.allowed, verdict.reason
        assert verdict.target is not None
        assert place.root in Path(verdict.target).parents
        assert ".." not in Path(verdict.target).parts


def test_windows_lets_ordinary_names_through_in_any_case_and_with_either_separator() -> None:
    for path in (
        str(WIN_ROOT / "note.md"),
        str(WIN_ROOT).upper() + r"\note.md",
        str(WIN_ROOT).replace("\\", "/") + "/topics/note.md",
        r"topics\偏好.md",
        "note.MD",
        "console.md",
        "com.md",
        "auxiliary.md",
    ):
        assert ask_windows(path).allowed, path


# what is refused: shape


@pytest.mark.parametrize(
    "path",
    [
        "",
        "   ",
        ".",
        "..",
        "/",
        "note",
        "note.txt",
        "note.md.exe",
        "note.mdx",
        "note.md ",
        "note.md.",
        ".md",
        "..md/../../x.md",
        "topics/",
        "topics/.",
        "note.md/",
        "../note.md",
        "a/../../note.md",
        "../memory/note.md",
        ".../x.md",
        "a/. ./x.md",
        "note.md\x00.txt",
        "x\x00.md",
        "a\nb.md",
        "a\rb.md",
        "a\tb.md",
        "a\x1bb.md",
        "a\x85b.md",
        "a\u2028b.md",
        "a\u202eb.md",
        "a\u200bb.md",
        "a\u2066b.md",
        "note\u200d.md",
        "a\ue000b.md",
        "a\ud800b.md",
        "x" * 253 + ".md",
        "偏" * 90 + ".md",
        "d/" * 2_200 + "x.md",
        "~/note.md",
        "~root/note.md",
        "~",
        "$HOME/note.md",
        "${HOME}/note.md",
        "%APPDATA%/note.md",
        "a%2f..%2fx.md",
        "%2e%2e/x.md",
        "..\\..\\x.md",
        "a\\..\\..\\x.md",
        "．．/x.md",
        "․․/x.md",
        "‥/x.md",
        "..／x.md",
        "..∕x.md",
        "a∕..∕..∕x.md",
        "..¥..¥x.md",
        "hooks∕x.md",
        "topics./x.md",
        "topics /x.md",
        "note.md:stream.md",
        "C:note.md",
        "C:\\note.md",
        "file:///tmp/x.md",
        "note．md",
    ],
)
def test_bad_shapes_are_refused_everywhere(place: Place, path: str) -> None:
    assert not place.ask(path).allowed
    assert not ask_rules(path).allowed
    assert not ask_windows(path).allowed
    assert place.ask(path).reason


@pytest.mark.parametrize("suffix", [".MD", ".Md", ".mD"])
def test_an_upper_case_suffix_is_refused_only_where_case_counts(place: Place, suffix: str) -> None:
    assert not ask_rules(f"note{suffix}", "linux").allowed
    assert ask_rules(f"note{suffix}", "darwin").allowed
    assert ask_windows(f"note{suffix}").allowed


def _disguises(name: str) -> list[str]:
    wide = "".join(chr(ord(c) + 0xFEE0) if "!" <= c <= "~" else c for c in name)
    return [
        name,
        name.upper(),
        name.title(),
        name + ".",
        name + " ",
        name + " . ",
        name + "::$INDEX_ALLOCATION",
        name + ":x",
        name[:1] + "\u200b" + name[1:],
        name + "\u200e",
        "\ufeff" + name,
        name[:2] + "\u00ad" + name[2:],
        name + "\ufe0f",
        name[:1] + "\u200d" + name[1:],
        wide,
        name.replace("s", "\u017f").replace("k", "\u212a"),
        name.replace("i", "\u0131"),
    ]


@pytest.mark.parametrize("name", sorted(PROTECTED_NAMES))
def test_protected_names_are_refused_at_any_depth_in_any_disguise(place: Place, name: str) -> None:
    for form in _disguises(name):
        for path in (f"{form}/x.md", f"topics/{form}/x.md", f"topics/{form}/deep/x.md", f"{form}/../x.md"):
            assert not place.ask(path).allowed, ascii(path)
            assert not ask_windows(path).allowed, ascii(path)


@pytest.mark.parametrize("name", sorted(FIRST_COMPONENT_NAMES))
def test_git_words_are_refused_only_directly_below_the_root(place: Place, name: str) -> None:
    assert not place.ask(f"{name}/x.md").allowed
    assert not place.ask(f"{name.upper()}/x.md").allowed
    assert place.ask(f"topics/{name}/x.md").allowed


@pytest.mark.parametrize(
    "name", ["GIT~1", "git~1", "GI7EBA~1", "HOOKS~1", "NODE_M~1", "SKILLS~1", "COMMAN~1", "AGENTS~2", "DEVCON~1", "CLAUDE~1"]
)
def test_short_names_of_protected_folders_are_refused(place: Place, name: str) -> None:
    assert not place.ask(f"{name}/x.md").allowed
    assert not ask_windows(f"{name}/x.md").allowed


# what is refused: windows


@pytest.mark.parametrize(
    "path",
    [
        "\\\\?\\" + str(WIN_ROOT / "note.md"),
        "\\\\.\\" + str(WIN_ROOT / "note.md"),
        "//?/" + str(WIN_ROOT / "note.md"),
        "\\\\?\\UNC\\server\\share\\note.md",
        "\\\\?\\GLOBALROOT\\Device\\HarddiskVolume1\\note.md",
        "\\??\\C:\\note.md",
        "\\\\server\\share\\note.md",
        "//server/share/note.md",
        "\\\\localhost\\C$\\note.md",
        "C:note.md",
        "D:\\note.md",
        "\\note.md",
        "/note.md",
        str(WIN_ROOT) + "2\\note.md",
        str(WIN_ROOT),
        str(WIN_ROOT) + "\\",
        str(WIN_ROOT.parent / "other" / "note.md"),
        "aux.md",
        "AUX",
        "con.md",
        "con.tar.md",
        "prn .md",
        "com1.md",
        "COM¹.md",
        "lpt9.md",
        "conin$.md",
        "nul/x.md",
        "topics./x.md",
        "topics /x.md",
        "a<b.md",
        "a|b.md",
        "a?b.md",
        "a*b.md",
        'a"b.md',
        "LONGNA~1.md",
        "topics~1/x.md",
        ".. \\note.md",
        "..\\note.md",
        "...\\note.md",
    ],
)
def test_windows_traps_are_refused(path: str) -> None:
    verdict = ask_windows(path)
    assert not verdict.allowed
    assert verdict.target is None


# what is refused: places


def test_places_outside_are_refused(place: Place) -> None:
    for path in (
        f"{place.root}2/note.md",
        f"{place.root}-evil/note.md",
        str(place.root),
        f"{place.root}/",
        f"{place.other}/note.md",
        f"{place.workspace}/memory/note.md",
        f"{place.root.parent}/note.md",
        f"{place.root}/../note.md",
        f"{place.other}/../../p/memory/note.md",
        f"/{place.root}/note.md",
        "/etc/motd.md",
        f"/proc/self/root{place.root}/note.md",
        "/proc/self/cwd/x.md",
        "/dev/shm/x.md",
    ):
        assert not place.ask(path).allowed, path


def test_the_reason_says_where_the_path_lies(place: Place) -> None:
    assert "in the workspace" in place.ask(f"{place.workspace}/x.md").reason
    assert "outside" in place.ask("/etc/motd.md").reason
    assert "\x1b" not in place.ask("a\x1b[31m.md").reason


# the file system's part


def test_links_that_lead_outside_nowhere_or_round_are_refused(place: Place) -> None:
    (place.outside / "real.md").write_text("x")
    (place.root / "file.md").symlink_to(place.outside / "real.md")
    (place.root / "folder").symlink_to(place.outside)
    (place.root / "relative").symlink_to("../../..")
    (place.root / "dangling.md").symlink_to(place.outside / "missing.md")
    (place.root / "dangling").symlink_to(place.outside / "missing")
    (place.root / "loop").symlink_to(place.root / "loop")
    (place.root / "prefix").symlink_to(f"{place.root}-evil")
    Path(f"{place.root}-evil").mkdir()
    (place.root / "up").symlink_to(place.root.parent)
    for path in ("file.md", "folder/x.md", "relative/x.md", "dangling.md", "dangling/x.md", "loop/x.md", "prefix/x.md", "up/x.md"):
        assert not place.inside(path).allowed, path
    assert not place.inside("folder/../x.md").allowed


def test_a_link_to_a_protected_folder_inside_is_refused(place: Place) -> None:
    (place.root / "hooks").mkdir()
    (place.root / "innocent").symlink_to(place.root / "hooks")
    assert not place.inside("innocent/x.md").allowed


def test_a_link_that_stays_inside_is_allowed_and_the_target_is_the_real_file(place: Place) -> None:
    (place.root / "topics").mkdir()
    (place.root / "topics" / "real.md").write_text("x")
    (place.root / "alias.md").symlink_to("topics/real.md")
    verdict = place.inside("alias.md")
    assert verdict.allowed
    assert verdict.target == place.root / "topics" / "real.md"


def test_a_link_to_something_that_is_no_note_is_refused(place: Place) -> None:
    (place.root / "run.sh").write_text("x")
    (place.root / "alias.md").symlink_to(place.root / "run.sh")
    assert not place.inside("alias.md").allowed


def test_only_plain_files_and_folders_may_stand_on_the_way(place: Place) -> None:
    (place.root / "plain.md").write_text("x")
    (place.root / "folder.md").mkdir()
    os.mkfifo(place.root / "pipe.md")
    assert not place.inside("plain.md/x.md").allowed
    assert not place.inside("folder.md").allowed
    assert not place.inside("pipe.md").allowed


def test_a_memory_folder_that_is_itself_a_link_is_refused(place: Place) -> None:
    place.root.rmdir()
    place.root.symlink_to(place.outside)
    verdict = place.inside("x.md")
    assert not verdict.allowed
    assert "link" in verdict.reason


def test_a_project_reached_through_a_linked_parent_is_allowed_also_before_the_folder_exists(place: Place) -> None:
    """B33: the folder's real path decides, whichever name leads there."""
    alias = place.base / "alias"
    alias.symlink_to(place.base / "data")
    for _ in range(2):
        by_alias = allows_memory_write(f"{alias}/projects/p/memory/x.md", root=place.root, cwd=place.workspace, workspace=place.workspace)
        assert by_alias.allowed, by_alias.reason
        assert by_alias.target == place.root / "x.md"
        aliased_root = alias / "projects" / "p" / "memory"
        both = allows_memory_write(f"{place.root}/x.md", root=aliased_root, cwd=place.workspace, workspace=place.workspace)
        assert both.allowed, both.reason
        assert both.target == place.root / "x.md"
        if place.root.exists():
            place.root.rmdir()


@pytest.mark.parametrize("seed", range(15))
def test_in_any_tangle_of_links_an_allowed_target_is_the_real_plain_place_inside(tmp_path: Path, seed: int) -> None:
    pick = random.Random(seed)
    place = Place(tmp_path)
    folders = [place.root, place.outside, place.other]
    for number in range(12):
        parent = pick.choice(folders)
        path = parent / f"n{number}{pick.choice(['', '.md'])}"
        kind = pick.choice(["dir", "file", "link", "link"])
        if kind == "dir":
            path.mkdir()
            folders.append(path)
        elif kind == "file":
            path.write_text("x")
        else:
            goal = pick.choice([*folders, place.root / "n1.md", place.outside / "n2.md", tmp_path / "gone"])
            path.symlink_to(goal if pick.random() < 0.5 else os.path.relpath(goal, parent))
    names = [f"n{n}{s}" for n in range(12) for s in ("", ".md")] + ["new.md", "..", ".", "x"]
    for _ in range(300):
        asked = "/".join([str(place.root), *(pick.choice(names) for _ in range(pick.randint(1, 4)))])
        verdict = place.ask(asked)
        if not verdict.allowed:
            continue
        target = Path(str(verdict.target))
        assert target.is_relative_to(place.root)
        assert Path(os.path.realpath(target)) == target
        assert target.is_file() or not os.path.lexists(target)
        if ".." not in asked.split("/"):
            assert Path(os.path.realpath(asked)) == target


def test_another_platform_is_judged_without_the_file_system(tmp_path: Path) -> None:
    root = PurePosixPath(str(tmp_path / "memory"))
    other = "darwin" if sys.platform != "darwin" else "linux"
    verdict = allows_memory_write("x.md", root=root, cwd=root, workspace=root, platform=other)
    assert verdict.allowed
    assert verdict.target == root / "x.md"


# properties


_names = st.text(st.characters(exclude_categories=["Cs"]), min_size=1, max_size=12)
_pieces = st.one_of(_names, st.sampled_from(["..", ".", "", ".git", "hooks", "x.md", "~", "C:", "a\x00", "\\..\\", "memory"]))


@settings(max_examples=400, deadline=None)
@given(parts=st.lists(_pieces, min_size=1, max_size=6), absolute=st.booleans(), suffix=st.sampled_from(["", ".md"]))
def test_an_allowed_target_always_lies_below_the_root_with_no_protected_name(parts: list[str], absolute: bool, suffix: str) -> None:
    path = ("/" if absolute else "") + "/".join(parts) + suffix
    posix_root = "/home/dev/.local/share/keepsake/memories/projects/p/memory"
    for verdict, root in ((ask_rules(path), posix_root), (ask_windows(path), str(WIN_ROOT))):
        if not verdict.allowed:
            assert verdict.target is None
            continue
        assert verdict.target is not None
        assert str(verdict.target).startswith(root)
        below = verdict.target.parts[len(type(verdict.target)(root).parts) :]
        assert below
        assert not any(part.casefold().rstrip(". ") in PROTECTED_NAMES or part in ("..", ".") for part in below)


@settings(max_examples=200, deadline=None)
@given(
    name=st.sampled_from(sorted(PROTECTED_NAMES)),
    tail=st.text(st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad\u202a .:"), max_size=4),
    inner=st.text(st.sampled_from("\u200b\u200c\u200d\u2060\ufeff\u00ad"), max_size=2),
    cut=st.integers(0, 12),
    data=st.data(),
)
def test_no_mixture_of_disguises_opens_a_protected_folder(name: str, tail: str, inner: str, cut: int, data: st.DataObject) -> None:
    cased = "".join(c.upper() if data.draw(st.booleans()) else c for c in name)
    disguised = cased[:cut] + inner + cased[cut:] + tail
    assert not ask_rules(f"{disguised}/x.md").allowed
    assert not ask_windows(f"{disguised}\\x.md").allowed


# more kinds


@pytest.mark.parametrize(
    "path",
    [
        "/proc/self/cwd/x.md",
        "/dev/fd/3.md",
        "/sys/x.md",
        "//etc/x.md",
        "topics/hooks",
        "%252e%252e/x.md",
        "%2E%2E%2Fx.md",
        "a%5c..%5cx.md",
        "x.md%00.txt",
        "%c0%ae%c0%ae/x.md",
        "%u002e%u002e/x.md",
        "a%25252fb/x.md",
        "$PWD/x.md",
        "%USERPROFILE%/x.md",
        "~+/x.md",
        "/../x.md",
        "a/b/../../../x.md",
        "。。/x.md",
        "。git/x.md",
        "．git/x.md",
        "·git/x.md",
        "NODE_~10/x.md",
        "HO7EBA~1/x.md",
        "GITHO~10/x.md",
        "ag0f3c~2/x.md",
        "x/\u202e\u2066hooks/x.md",
        "x/hook\u0000s/x.md",
        "hooks\u3164/x.md",
        "\U000e0068hooks/x.md",
        "note.md\n",
        "note.md/../x.txt",
        "note.md\\",
        "note.md/.",
        "\u3000.md",
        "\u00a0.md",
        "NUL\u200d.md",
        "a\x7f.md",
    ],
)
def test_more_bad_shapes(place: Place, path: str) -> None:
    assert not place.ask(path).allowed, ascii(path)
    assert not ask_windows(path).allowed, ascii(path)


@pytest.mark.parametrize("end", ["/", "/.", "//", "/./", "/./."])
def test_an_absolute_path_that_ends_like_a_folder_is_no_file(place: Place, end: str) -> None:
    assert place.ask(f"{place.root}/note.md").allowed
    assert not place.ask(f"{place.root}/note.md{end}").allowed
    assert not ask_windows(f"{WIN_ROOT}\\note.md{end}").allowed


def test_sockets_devices_and_hard_links(place: Place) -> None:
    import socket

    with socket.socket(socket.AF_UNIX) as server:
        here = Path.cwd()
        os.chdir(place.root)
        try:
            server.bind("socket.md")
        finally:
            os.chdir(here)
    assert not place.inside("socket.md").allowed
    (place.outside / "x.md").write_text("theirs")
    os.link(place.outside / "x.md", place.root / "hard.md")
    assert place.inside("hard.md").allowed, "it is replaced, never written through"


def test_b31_a_root_of_the_workspace_s_own_behind_a_link_out_of_it_is_refused(place: Place) -> None:
    root = place.workspace / ".agents" / "memory"
    (place.workspace / ".agents").symlink_to(place.outside)
    for _ in range(2):
        verdict = allows_memory_write("MEMORY.md", root=root, cwd=place.workspace, workspace=place.workspace)
        assert not verdict.allowed
        assert "workspace" in verdict.reason
        (place.outside / "memory").mkdir(exist_ok=True)
    (place.workspace / ".agents").unlink()
    (place.workspace / "kept" / "memory").mkdir(parents=True)
    (place.workspace / ".agents").symlink_to("kept")
    assert allows_memory_write("MEMORY.md", root=root, cwd=place.workspace, workspace=place.workspace).allowed


def test_b33_a_home_folder_opened_as_workspace_may_reach_its_profile_through_links(place: Place) -> None:
    (place.outside / "local").mkdir()
    (place.workspace / ".local").symlink_to(place.outside / "local")
    root = place.workspace / ".local" / "share" / "keepsake" / "memories" / "p" / "memory"
    assert allows_memory_write("x.md", root=root, cwd=place.workspace, workspace=place.workspace).allowed


def test_the_protected_names_are_a_parameter(place: Place) -> None:
    chosen = ProtectedNames.of(["private"], [])

    def ask(path: str) -> bool:
        return allows_memory_write(path, root=place.root, cwd=place.workspace, workspace=place.workspace, names=chosen).allowed

    assert ask("hooks/x.md")
    assert ask("refs/x.md")
    assert not ask("a/PRIVATE/x.md")
    assert not ask("a/private/../x.md")


@settings(max_examples=60, deadline=None)
@given(data=st.data())
def test_whatever_is_allowed_lands_below_the_root_when_it_is_written(data: st.DataObject, tmp_path_factory: pytest.TempPathFactory) -> None:
    """Generated trees with links, and paths over them: the write through the opened folder is then found below the real root only."""
    place = Place(tmp_path_factory.mktemp("tree"))
    names = ["a", "b", "c.md", "d.md", "hooks", "notes"]
    folders = [place.root, place.outside, place.workspace]
    for _ in range(data.draw(st.integers(0, 8))):
        path = data.draw(st.sampled_from(folders)) / data.draw(st.sampled_from(names))
        if os.path.lexists(path):
            continue
        kind = data.draw(st.sampled_from(["dir", "file", "link", "hard"]))
        if kind == "dir":
            path.mkdir()
            folders.append(path)
        elif kind == "file":
            path.write_text("old")
        elif kind == "link":
            goal = data.draw(st.sampled_from([*folders, place.outside / "c.md", place.root / "d.md"]))
            path.symlink_to(goal if data.draw(st.booleans()) else os.path.relpath(goal, path.parent))
        elif (place.outside / "c.md").is_file():
            os.link(place.outside / "c.md", path)
    parts = data.draw(st.lists(st.sampled_from([*names, "..", ".", "new.md"]), min_size=1, max_size=4))
    asked = "/".join(parts) if data.draw(st.booleans()) else f"{place.root}/{'/'.join(parts)}"
    before = {path: path.read_bytes() for folder in (place.outside, place.workspace) for path in folder.rglob("*") if path.is_file()}
    verdict = place.ask(asked)
    if not verdict.allowed:
        return
    relative = Path(str(verdict.target)).relative_to(os.path.realpath(place.root)).as_posix()
    with contextlib.suppress(KeepsakeError):
        write_beneath(place.root, relative, b"WRITTEN")
        assert (place.root / relative).read_bytes() == b"WRITTEN"
        assert Path(os.path.realpath(place.root / relative)).is_relative_to(os.path.realpath(place.root))
    real_before = {path: data for path, data in before.items() if not Path(os.path.realpath(path)).is_relative_to(place.root)}
    assert {path: path.read_bytes() for path in real_before} == real_before
