"""What time did to a memory: files, branches and days that it names and that are gone, age, and what says nothing of the kind."""

from __future__ import annotations

import os
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.memory.frontmatter import parse
from desktop.memory.note import Note, note_of
from desktop.memory.staleness import Present, moment_of, names_in, stale
from desktop.memory.workspace_names import WorkspaceNames

NOW = datetime(2026, 6, 1, tzinfo=UTC)
OLD = "2026-01-01T00:00:00Z"
FRESH = "2026-05-20T00:00:00Z"


def note(modified: str = FRESH, kind: str = "project") -> Note:
    data = f"---\nname: a\nmetadata:\n  type: {kind}\n  modified: {modified}\n---\nBody.\n".encode()
    return note_of("a.md", parse(data), size=len(data), mtime_s=NOW.timestamp())


@pytest.fixture
def ws(tmp_path: Path) -> Path:
    folder = tmp_path / "ws"
    for name in ("src/app.py", "deep/er/real_helper.rs", "文档/需求.md", "docs/guide.md"):
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text("x", encoding="utf-8")
    return folder


def gone(text: str, folder: Path | None, confirmed: datetime | None = None) -> list[str]:
    names = WorkspaceNames((folder,)) if folder is not None else None
    return [str(p.message) for p in stale(note(), names_in([(1, text)]), confirmed, Present(NOW, names)) if p.line]


@pytest.mark.parametrize(
    "text",
    [
        "helpers live in slash_models_witness.rs",
        "The routes are in `src/gone.py`.",
        "辅助函数在helper_y.ts里",
        "需求写在 `文档/不在.md`",
        "The code freeze holds until 2026-05-01.",
        "Deadline: May 3, 2026",
        "2026年5月1日前完成迁移",
        "截止日期是2026-05-30",
        "valid until 2026-05",
    ],
)
def test_what_is_gone_or_past_is_found(ws: Path, text: str) -> None:
    assert len(gone(text, ws)) == 1


@pytest.mark.parametrize(
    "text",
    [
        "helpers live in real_helper.rs",
        "helpers live in er/real_helper.rs and src/app.py, see docs/guide.md",
        "需求写在 `文档/需求.md`",
        "We use Node.js, Next.js and Vue.js; package.json lists them.",
        "We deleted old_thing.py last year.",
        "never create notes.md in the root",
        "不要新建 helper.ts",
        "Name tests like foo_test.py, for example bar.py",
        "see https://example.org/a/page.html or mail me@host.py",
        "the bundle is dist/bundle.js",
        "edit ~/conf/settings.toml or /etc/app.yaml",
        "files are named <name>.md or *.py",
        "decided on 2024-01-02 in the meeting",
        "2024年1月2日决定的",
        "the freeze holds until 2026-07-01",
    ],
)
def test_what_is_there_or_says_nothing_of_now_is_no_problem(ws: Path, text: str) -> None:
    assert gone(text, ws) == []


def test_a_memory_of_all_projects_is_held_against_no_folder() -> None:
    assert gone("helpers live in slash_models_witness.rs", None) == []


def test_branches_are_read_from_loose_packed_and_fetched_refs(ws: Path) -> None:
    git = ws / ".git"
    for folder in ("objects", "refs/heads/feature", "refs/remotes/origin"):
        (git / folder).mkdir(parents=True)
    (git / "HEAD").write_text("ref: refs/heads/main\n")
    (git / "config").write_text("[core]\n\tbare = false\n")
    (git / "refs/heads/feature/login").write_text("0" * 40)
    (git / "refs/remotes/origin/dev-2").write_text("0" * 40)
    (git / "packed-refs").write_text(f"# pack-refs with: peeled\n{'1' * 40} refs/heads/fix/old\n")
    for there in ("branch feature/login", "`dev-2` branch", "分支 fix/old", "on branch `main`", "branch names begin with a verb"):
        assert gone(f"Work goes on {there}.", ws) == []
    for missing in ("branch feature/logout", "`dev-3` branch", "分支 fix/new", "feature/支付-x/y branch"):
        assert len(gone(f"Work goes on {missing}.", ws)) == ("支付" not in missing)
    (git / "reftable").mkdir()
    assert gone("Work goes on branch feature/logout.", ws) == []


def test_the_look_is_bounded_follows_no_link_and_writes_nothing(ws: Path, tmp_path: Path) -> None:
    outside = tmp_path / "outside"
    outside.mkdir()
    (outside / "secret_place.py").write_text("x")
    names = WorkspaceNames((ws,))
    assert not names.may_hold("secret_place.py")
    (ws / "linked").symlink_to(outside)
    linked = WorkspaceNames((ws,))
    assert linked.may_hold("linked/secret_place.py")
    assert linked.may_hold("anything_else.py")
    assert "secret_place.py" not in linked._walked()
    (ws / "linked").unlink()
    assert WorkspaceNames((ws,), most=2).may_hold("not_there.py")
    if os.name != "nt":
        (ws / "SRC2").mkdir()
        (ws / "SRC2" / "Upper.PY").write_text("")
        assert WorkspaceNames((ws,)).may_hold("src2/upper.py")


@pytest.mark.parametrize(("kind", "counted"), [("project", True), ("reference", True), ("feedback", False), ("user", False)])
def test_age_alone_counts_for_what_can_rot_and_is_only_told_of_how_somebody_works(kind: str, counted: bool) -> None:
    [problem] = stale(note(OLD, kind), (), None, Present(NOW))
    assert problem.kind == "stale"
    assert problem.line == 0
    assert problem.informative is not counted
    assert list(stale(note(FRESH, kind), (), None, Present(NOW))) == []


def test_what_was_confirmed_is_settled_until_the_limit_and_a_day_that_passed_since_is_not(ws: Path) -> None:
    confirmed = NOW - timedelta(days=5)
    assert list(stale(note(OLD), (), confirmed, Present(NOW))) == []
    assert len(list(stale(note("2025-01-01T00:00:00Z"), (), NOW - timedelta(days=120), Present(NOW)))) == 1
    assert gone("helpers live in slash_models_witness.rs", ws, confirmed) == []
    assert len(gone("the freeze holds until 2026-05-30", ws, confirmed)) == 1
    assert gone("the freeze holds until 2026-05-20", ws, confirmed) == []


def test_a_verified_field_is_read_as_time_or_day() -> None:
    assert moment_of("2026-06-01") == NOW
    assert moment_of("2026-06-01T00:00:00Z") == NOW
    assert moment_of("soon") is None
    assert moment_of(None) is None


def test_long_lines_take_linear_time() -> None:
    for piece in ("a/", "a.", "branch ", "until 2026-", "`", "分支 ", "x.py ", "2026年"):
        assert len(names_in([(1, piece * 40_000)])) <= 40
