"""One-click repairs: each is previewed, made as one act, mends its problem, and one undo gives every byte back."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.base.errors import ConflictError, UsageError
from desktop.memory.health import HealthContext, Problem, check_health
from desktop.memory.health_fix import FIXES, NotPossibleError, apply_fix, draft_of, fix_label, fixes_for, plan_fix, previews, take_back
from desktop.memory.health_state import HealthState
from desktop.memory.workspace_names import WorkspaceNames
from tests.unit.memory.conftest import MAIN, PERSON, Desk, note_text

SECRET = "ghp_" + "Z9y8X7w6" * 5
NOW = datetime(2026, 6, 1, tzinfo=UTC)


def tree(root: Path) -> dict[str, bytes]:
    return {path.relative_to(root).as_posix(): path.read_bytes() for path in sorted(root.rglob("*")) if path.is_file()}


def put(desk: Desk, path: str, text: str | bytes) -> None:
    """A file as another program leaves it."""
    place = desk.root / path
    place.parent.mkdir(parents=True, exist_ok=True)
    place.write_bytes(text.encode() if isinstance(text, str) else text)


def dated(name: str, body: str, modified: str, *, extra: str = "", kind: str = "project") -> str:
    return f"---\nname: {name}\ndescription: {name}\nmetadata:\n{extra}  type: {kind}\n  modified: {modified}\n---\n\n{body}\n"


def problems(desk: Desk, kind: str, **context: object) -> list[Problem]:
    given = HealthContext(now=NOW, **context)  # type: ignore[arg-type]
    return [one for one in check_health(desk.store, given) if one.kind == kind]


def mend(desk: Desk, problem: Problem, name: str = "") -> None:
    """Plan, look, make; then undo and see that nothing is left of it; then make it again."""
    before = tree(desk.root)
    plan = plan_fix(desk.store, [problem], name, now=NOW)
    shown = {preview.path: preview for preview in previews(plan)}
    fixed = apply_fix(desk.store, plan, origin=PERSON)
    after = tree(desk.root)
    changed = {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}
    assert changed == set(shown)
    for path in changed:
        wanted = shown[path].after if not shown[path].deleted else ""
        assert after.get(path, b"").decode("utf-8", "replace").replace("\r\n", "\n").removeprefix("\ufeff") == wanted
    take_back(desk.store, fixed)
    assert tree(desk.root) == before
    apply_fix(desk.store, plan_fix(desk.store, [problem], name, now=NOW), origin=PERSON)


@dataclass(frozen=True)
class Case:
    """One repair: the files, the kind, the repair's name, and what holds afterwards."""

    files: dict[str, str | bytes]
    kind: str
    fix: str
    holds: Callable[[Desk], bool]
    at: int = 0


def text(desk: Desk, path: str) -> str:
    return (desk.root / path).read_text(encoding="utf-8")


CASES = {
    "duplicate: the newer stays, links follow": Case(
        {
            "old.md": dated("old", "The build runs with bun.", "2026-01-01T00:00:00Z"),
            "new.md": dated("new", "the build runs with bun", "2026-02-01T00:00:00Z"),
            "see.md": dated("see", "Look at [[old]] for it.", "2026-02-01T00:00:00Z"),
            "MEMORY.md": "- [old](old.md)\n- [new](new.md)\n- [see](see.md)\n",
        },
        "duplicate",
        "keep-newer",
        lambda d: not (d.root / "old.md").exists() and "[[new]]" in text(d, "see.md") and "old.md" not in d.index(),
    ),
    "duplicate: the pinned one stays": Case(
        {
            "old.md": dated("old", "The build runs with bun.", "2026-01-01T00:00:00Z", extra="  pinned: true\n"),
            "new.md": dated("new", "the build runs with bun", "2026-02-01T00:00:00Z"),
        },
        "duplicate",
        "keep-newer",
        lambda d: (d.root / "old.md").exists() and not (d.root / "new.md").exists(),
    ),
    "near duplicate: what only the other says is kept": Case(
        {
            "a.md": dated(
                "a", "Deployments go through the staging server first, then Ann checks the metrics board.", "2026-02-01T00:00:00Z"
            ),
            "b.md": dated(
                "b", "Deployments go through the staging server first, then Ann checks the metrics board twice.", "2026-01-01T00:00:00Z"
            ),
        },
        "near-duplicate",
        "merge",
        lambda d: not (d.root / "b.md").exists() and "twice" in text(d, "a.md"),
    ),
    "near duplicate in Chinese": Case(
        {
            "a.md": dated("a", "我们决定使用端口5433，数据库是postgres", "2026-02-01T00:00:00Z"),
            "b.md": dated("b", "决定用端口 5433，数据库是 postgres。", "2026-01-01T00:00:00Z"),
        },
        "near-duplicate",
        "keep-newer",
        lambda d: (d.root / "a.md").exists() and not (d.root / "b.md").exists(),
    ),
    "contradicted: the older goes": Case(
        {
            "a.md": dated("a", "The port of the API is 3000.", "2026-01-01T00:00:00Z"),
            "b.md": dated("b", "The port of the API is 8080.", "2026-02-01T00:00:00Z"),
        },
        "contradicted",
        "delete",
        lambda d: not (d.root / "a.md").exists() and (d.root / "b.md").exists(),
    ),
    "contradicted: marked": Case(
        {
            "a.md": dated("a", "包管理器是 npm。", "2026-01-01T00:00:00Z"),
            "b.md": dated("b", "包管理器改为 bun。", "2026-02-01T00:00:00Z"),
        },
        "contradicted",
        "mark-superseded",
        lambda d: (
            "superseded_by: b" in text(d, "a.md") and "> Superseded by [[b]]" in text(d, "a.md") and "包管理器是 npm。" in text(d, "a.md")
        ),
    ),
    "contradicted: named as superseded": Case(
        {
            "a.md": "An old fact about the release train.\n",
            "b.md": dated("b", "A new fact about another thing.", "2026-02-01T00:00:00Z", extra="  supersedes: [a]\n"),
        },
        "contradicted",
        "mark-superseded",
        lambda d: text(d, "a.md").startswith("> Superseded by [[b]]"),
    ),
    "stale: still true": Case(
        {"a.md": dated("a", "The sprint board is in room four.", "2025-01-01T00:00:00Z").replace("\n", "\r\n")},
        "stale",
        "confirm",
        lambda d: b"  verified: 2026-06-01T00:00:00.000Z\r\n" in (d.root / "a.md").read_bytes() and "2025-01-01" in text(d, "a.md"),
    ),
    "stale: still true without metadata": Case(
        {"a.md": "---\nname: a\nmodified: 2025-01-01T00:00:00Z\n---\nThe sprint board is in room four.\n"},
        "stale",
        "confirm",
        lambda d: "verified: 2026-06-01T00:00:00.000Z\n---" in text(d, "a.md"),
    ),
    "stale: deleted": Case(
        {"a.md": dated("a", "The code freeze holds until 2026-03-01.", "2026-02-01T00:00:00Z"), "MEMORY.md": "- [a](a.md) — by hand\n"},
        "stale",
        "delete",
        lambda d: not (d.root / "a.md").exists() and "a.md" not in d.index(),
    ),
    "missing line": Case(
        {"a.md": note_text("a", "A fact."), "MEMORY.md": "# Memory\n"}, "missing-line", "add-line", lambda d: "](a.md)" in d.index()
    ),
    "dangling line": Case(
        {"a.md": note_text("a", "A fact."), "MEMORY.md": "- [gone](gone.md) — x\n- [a](a.md)\n"},
        "dangling-line",
        "drop-line",
        lambda d: d.index() == "- [a](a.md)\n",
    ),
    "inline content": Case(
        {
            "a.md": note_text("a", "A fact."),
            "MEMORY.md": "- [a](a.md)\n\n## Deploys\n\n"
            + "The nightly job moved to the second region after it ran out of room. " * 4
            + "\n",
        },
        "inline-content",
        "split",
        lambda d: len(list(d.root.glob("*.md"))) == 3 and "nightly job moved" not in d.index().split("\n")[0],
    ),
    "long line": Case(
        {"a.md": note_text("a", "A fact."), "MEMORY.md": f"- [a](a.md) — {'by hand and long ' * 20}\n"},
        "long-line",
        "shorten",
        lambda d: len(d.index().strip()) <= 150 and d.index().startswith("- [a](a.md) — by hand and long"),
    ),
    "dangling link: nearest name": Case(
        {"release-steps.md": note_text("release-steps", "Tag, then push."), "a.md": note_text("a", "See [[relase-steps|how]] here.")},
        "dangling-link",
        "relink",
        lambda d: "[[release-steps|how]]" in text(d, "a.md"),
    ),
    "dangling link: only the words": Case(
        {"a.md": note_text("a", "See [[nowhere|the note]] and [x](gone.md#p) here.")},
        "dangling-link",
        "unlink",
        lambda d: "See the note and [x](gone.md#p) here." in text(d, "a.md") or "and x here" in text(d, "a.md"),
    ),
    "header: a value that needs quotes": Case(
        {"a.md": "---\nname: a\ndescription: deploy: always on Tuesday\ntitle: *Italic*\n---\nBody.\n"},
        "broken-header",
        "repair-header",
        lambda d: 'description: "deploy: always on Tuesday"' in text(d, "a.md") and text(d, "a.md").endswith("---\nBody.\n"),
    ),
    "header: a point that needs quotes": Case(
        {"a.md": "---\nname: a\nlinks:\n  - [[wiki]]suffix\n  - plain\n---\nBody.\n"},
        "broken-header",
        "repair-header",
        lambda d: '  - "[[wiki]]suffix"\n  - plain\n' in text(d, "a.md"),
    ),
    "header: quotes within quotes": Case(
        {"a.md": '---\nname: a\ndescription: "abc "def" ghi"\ntags: [a, b]\n---\nBody.\n'},
        "broken-header",
        "repair-header",
        lambda d: 'description: "abc \\"def\\" ghi"\ntags: [a, b]\n' in text(d, "a.md"),
    ),
    "header: never closed": Case(
        {"a.md": "---\nname: a\ndescription: words\nThe body of it.\n"},
        "broken-header",
        "repair-header",
        lambda d: text(d, "a.md") == "---\nname: a\ndescription: words\n---\nThe body of it.\n",
    ),
    "header: text in it": Case(
        {"a.md": "---\nname: a\nThe text that slipped in here\ndescription: words\n---\nBody.\n"},
        "broken-header",
        "repair-header",
        lambda d: text(d, "a.md").startswith("---\nname: a\ndescription: words\n---\n") and "slipped in here" in text(d, "a.md"),
    ),
    "header: a rule at the top": Case(
        {"a.md": "---\n\nOnly words under a rule.\n"},
        "broken-header",
        "repair-header",
        lambda d: text(d, "a.md") == "\n---\n\nOnly words under a rule.\n",
    ),
    "secret": Case(
        {"a.md": note_text("a", f"The token is {SECRET} here.", "Where the token is")},
        "secret",
        "mask",
        lambda d: "The token is [masked secret] here." in text(d, "a.md"),
    ),
    "relative date": Case(
        {"a.md": dated("a", "The talk is tomorrow.", "2026-03-05T10:00:00Z")},
        "relative-date",
        "write-date",
        lambda d: "The talk is 2026-03-06." in text(d, "a.md"),
    ),
    "relative date in Chinese": Case(
        {"a.md": dated("a", "下周一上线新版本。", "2026-03-05T10:00:00Z")},
        "relative-date",
        "write-date",
        lambda d: "2026-03-09上线新版本。" in text(d, "a.md"),
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_a_repair_mends_its_problem_and_one_undo_gives_every_byte_back(desk: Desk, name: str) -> None:
    case = CASES[name]
    for path, content in case.files.items():
        put(desk, path, content)
    desk.store.observe()
    found = problems(desk, case.kind)
    assert found, check_health(desk.store)
    assert case.fix in fixes_for(found[case.at], draft_of(desk.store), NOW)
    mend(desk, found[case.at], case.fix)
    assert case.holds(desk), tree(desk.root)
    assert found[case.at].id not in {one.id for one in problems(desk, case.kind)}


def test_every_repair_of_the_table_has_a_label_and_a_case() -> None:
    elsewhere = {"shorten", "trim-hooks", "move-out", "split-sections", "own-copy", "save-utf8", "last-good", "drop-nul"}
    assert {fix for names in FIXES.values() for fix in names} - elsewhere <= {case.fix for case in CASES.values()}
    assert all(fix_label(fix) for names in FIXES.values() for fix in names)


def test_all_of_a_kind_are_mended_as_one_act(desk: Desk) -> None:
    body = "昨天决定的，明天上线。\n\nWe moved yesterday; the demo is tomorrow."
    for number in range(6):
        put(desk, f"n{number}.md", dated(f"n{number}", f"{body} ({number})", "2026-03-05T10:00:00Z"))
    desk.store.observe()
    before = tree(desk.root)
    found = problems(desk, "relative-date")
    assert len(found) == 24
    fixed = apply_fix(desk.store, plan_fix(desk.store, found, now=NOW), origin=PERSON)
    assert problems(desk, "relative-date") == []
    assert "2026-03-04决定的，2026-03-06上线。" in text(desk, "n0.md")
    assert "We moved 2026-03-04; the demo is 2026-03-06." in text(desk, "n0.md")
    assert len({change.group for change in fixed.changes}) == 1
    desk.store.undo(fixed.changes[0].id)
    assert tree(desk.root) == before


def test_the_preview_shows_no_secret_on_either_side_whatever_is_mended(desk: Desk) -> None:
    put(desk, "a.md", dated("a", f"The demo is tomorrow, with {SECRET} as the key.", "2026-03-05T10:00:00Z"))
    desk.store.observe()
    for kind in ("secret", "relative-date"):
        [problem] = problems(desk, kind)
        assert SECRET not in f"{problem.message} {problem.fix} {problem.about}"
        shown = previews(plan_fix(desk.store, [problem], now=NOW))
        assert shown
        assert all(SECRET not in one.before + one.after for one in shown)
    one = next(one for one in previews(plan_fix(desk.store, problems(desk, "secret"), now=NOW)) if one.path == "a.md")
    assert one.before != one.after


def test_a_file_that_changed_since_it_was_shown_is_left_alone(desk: Desk) -> None:
    put(desk, "a.md", dated("a", "The demo is tomorrow.", "2026-03-05T10:00:00Z"))
    put(desk, "b.md", dated("b", "The talk is tomorrow.", "2026-03-05T10:00:00Z"))
    desk.store.observe()
    plan = plan_fix(desk.store, problems(desk, "relative-date"), now=NOW)
    put(desk, "b.md", dated("b", "Another text.", "2026-03-05T10:00:00Z"))
    before = tree(desk.root)
    with pytest.raises(ConflictError, match=r"b\.md"):
        apply_fix(desk.store, plan, origin=PERSON)
    assert tree(desk.root) == before


def test_a_problem_that_is_gone_by_then_is_said_and_changes_nothing(desk: Desk) -> None:
    put(desk, "a.md", dated("a", "The demo is tomorrow.", "2026-03-05T10:00:00Z"))
    desk.store.observe()
    [problem] = problems(desk, "relative-date")
    put(desk, "a.md", dated("a", "The demo is on Friday.", "2026-03-05T10:00:00Z"))
    with pytest.raises(NotPossibleError, match=r"a\.md"):
        plan_fix(desk.store, [problem], now=NOW)
    with pytest.raises(UsageError):
        plan_fix(desk.store, [problem], "mask", now=NOW)
    with pytest.raises(UsageError):
        plan_fix(desk.store, [Problem("unreadable", "a.md", 0, "", "")], now=NOW)


def test_a_memory_without_a_header_is_confirmed_beside_it_and_undone(desk: Desk) -> None:
    put(desk, "a.md", "The sprint board is in room four.\n")
    desk.store.observe()
    state = HealthState(desk.paths, desk.store.memory_root.key, desk.clock)
    late = NOW + timedelta(days=4_000)

    def found() -> list[Problem]:
        return [one for one in check_health(desk.store, HealthContext(now=late, confirmed=state.confirmed())) if one.kind == "stale"]

    [problem] = found()
    before = tree(desk.root)
    desk.clock.moment = late
    fixed = apply_fix(desk.store, plan_fix(desk.store, [problem], now=late), origin=PERSON, state=state)
    assert fixed.changes == ()
    assert tree(desk.root) == before
    assert found() == []
    assert take_back(desk.store, fixed, state) is None
    assert [one.id for one in found()] == [problem.id]


def test_a_repair_renews_no_time_of_the_memory(desk: Desk) -> None:
    put(desk, "a.md", dated("a", "The demo is tomorrow, the freeze was decided yesterday.", "2026-03-05T10:00:00Z"))
    desk.store.observe()
    first = problems(desk, "relative-date")[0]
    apply_fix(desk.store, plan_fix(desk.store, [first], now=NOW), origin=PERSON)
    assert "modified: 2026-03-05T10:00:00Z" in text(desk, "a.md")
    assert "The demo is 2026-03-06, the freeze was decided 2026-03-04." in text(desk, "a.md")


def test_names_that_are_gone_are_found_only_in_a_workspace(desk: Desk, tmp_path: Path) -> None:
    desk.store.write("a.md", note_text("a", "helpers live in slash_models_witness.rs"), base_digest=None, origin=MAIN)
    assert problems(desk, "stale") == [] or all("slash" not in one.message for one in problems(desk, "stale"))
    folder = tmp_path / "ws"
    folder.mkdir()
    [problem] = [p for p in problems(desk, "stale", names=WorkspaceNames((folder,))) if p.line]
    assert "slash_models_witness.rs" in problem.message
    (folder / "deep").mkdir()
    (folder / "deep" / "slash_models_witness.rs").write_text("")
    assert [p for p in problems(desk, "stale", names=WorkspaceNames((folder,))) if p.line] == []


def test_three_that_say_the_same_become_the_newest_and_nothing_is_left_over(desk: Desk) -> None:
    for number in (1, 3, 2):
        put(desk, f"n{number}.md", dated(f"n{number}", "The build runs with bun.", f"2026-0{number}-01T00:00:00Z"))
    put(desk, "see.md", dated("see", "Look at [[n1]] and [[n2]].", "2026-02-01T00:00:00Z"))
    desk.store.observe()
    plan = plan_fix(desk.store, problems(desk, "duplicate"), now=NOW)
    assert plan.passed == ()
    apply_fix(desk.store, plan, origin=PERSON)
    assert {path.name for path in desk.root.glob("n*.md")} == {"n3.md"}
    assert "Look at [[n3]] and [[n3]]." in text(desk, "see.md")


def test_two_problems_of_one_memory_are_mended_together(desk: Desk) -> None:
    put(desk, "a.md", dated("a", "The freeze holds until 2026-03-01.\n\nThe trial is valid until 2026-04-01.", "2026-02-01T00:00:00Z"))
    put(desk, "h.md", "---\nname: h\ndescription: a: b\ntitle: c: d\n---\nBody.\n")
    desk.store.observe()
    found = problems(desk, "stale")
    assert len([one for one in found if one.path == "a.md"]) == 2
    for name in ("confirm", "delete"):
        plan = plan_fix(desk.store, found, name, now=NOW)
        assert (plan.passed, plan.confirmed) == ((), ())
    headers = problems(desk, "broken-header")
    plan = plan_fix(desk.store, headers, now=NOW)
    assert plan.passed == ()
    apply_fix(desk.store, plan, origin=PERSON)
    assert problems(desk, "broken-header") == []


def test_a_check_that_nobody_wants_any_more_ends_early(desk: Desk) -> None:
    for number in range(30):
        put(desk, f"n{number}.md", dated(f"n{number}", "The demo is tomorrow.", "2026-02-01T00:00:00Z"))
    asked = iter(range(1_000))
    found = check_health(desk.store, HealthContext(stopped=lambda: next(asked) >= 5))
    assert len({one.path for one in found}) <= 5
