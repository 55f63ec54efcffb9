"""The health of a memory root: every kind of problem with its line and its way out, and no false alarms."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop.memory.health import KINDS, REPAIRABLE, Problem, check_folder, check_health, repair
from desktop.memory.relative_dates import relative_dates
from tests.helpers.data import shared_data
from tests.unit.memory.conftest import PERSON, Desk, note_text

LONG = "The nightly job moved to the second region after the outage in March, since the first one ran out of room twice in a single week."


def put(root: Path, name: str, text: str | bytes) -> Path:
    path = root / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return path


def found(root: Path, profile: str = "index") -> list[tuple[str, str, int]]:
    return [(p.kind, p.path, p.line) for p in check_folder(root, profile)]


def test_a_healthy_root_has_no_problems(tmp_path: Path) -> None:
    put(tmp_path, "a.md", note_text("a", "The build uses bun since 2026-05-01, see [[b]] and [B](sub/b.md)."))
    put(tmp_path, "sub/b.md", note_text("b", "Deploys go out on Tuesdays; see [a](../a.md)."))
    put(tmp_path, "MEMORY.md", "# Memory\n- [a](a.md) — bun\n- [[b]] deploys\n")
    assert found(tmp_path) == []
    assert check_folder(tmp_path / "nowhere") == []


def test_every_kind_with_its_line_and_a_way_out(tmp_path: Path) -> None:
    token = "ghp_" + "A1b2C3d4" * 5
    put(tmp_path, "good.md", note_text("good", "A good fact."))
    put(tmp_path, "twin.md", note_text("other-name", "a   GOOD fact!"))
    put(tmp_path, "header.md", "---\nname: header\ndescription: [unclosed\n---\nA body.\n")
    put(tmp_path, "open.md", "---\nname: open\nA body without end.\n")
    put(tmp_path, "latin.md", b"---\nname: latin\n---\n\ncaf\xe9\n")
    put(tmp_path, "nul.md", b"One\ntwo\x00\x00three\n")
    put(tmp_path, "secret.md", f"---\nname: secret\n---\n\nThe token is {token} here.\n")
    put(tmp_path, "date.md", "---\nname: date\ndescription: moved last month\n---\n\nWe decided it yesterday.\n\n下周一上线。\n")
    put(tmp_path, "big.md", "---\nname: big\n---\n" + "word " * 8_000)
    put(tmp_path, "links.md", "---\nname: links\n---\n\nSee [[nothing-here]], [x](gone.md) and [y](sub/gone.md#part).\n")
    put(tmp_path, "lost.md", note_text("lost", "Nobody lists this."))
    os.link(put(tmp_path, "hard.md", note_text("hard", "A fact with two names.")), tmp_path.parent / "other-name")
    (tmp_path / "link.md").symlink_to("good.md")
    (tmp_path / "folder").symlink_to("/etc")
    os.mkfifo(tmp_path / "pipe.md")
    listed = "".join(f"- [{n}]({n}.md)\n" for n in ("twin", "header", "open", "latin", "nul", "secret", "date", "big", "links", "hard"))
    long_line = f"- [good](good.md) — {'words ' * 40}\n"
    put(tmp_path, "MEMORY.md", f"# Memory\n{long_line}{listed}- [dead](dead.md) — gone\n- {LONG}\n- [wish](good.md) {'w' * 140}\n")
    problems = check_folder(tmp_path)
    kinds = {(p.kind, p.path, p.line) for p in problems if p.path != "header.md"}
    assert {p.kind for p in problems if p.path == "header.md"} == {"broken-header"}
    assert kinds == {
        ("duplicate", "twin.md", 0),
        ("broken-header", "open.md", 1),
        ("unreadable", "latin.md", 5),
        ("unreadable", "nul.md", 2),
        ("secret", "secret.md", 5),
        ("relative-date", "date.md", 3),
        ("relative-date", "date.md", 6),
        ("relative-date", "date.md", 8),
        ("oversize-note", "big.md", 4),
        ("dangling-link", "links.md", 5),
        ("missing-line", "lost.md", 0),
        ("hard-link", "hard.md", 0),
        ("link", "link.md", 0),
        ("link", "folder", 0),
        ("unreadable", "pipe.md", 0),
        ("long-line", "MEMORY.md", 2),
        ("dangling-line", "MEMORY.md", 13),
        ("inline-content", "MEMORY.md", 14),
        ("long-line", "MEMORY.md", 15),
    }
    assert sum(1 for p in problems if p.kind == "dangling-link") == 3
    assert {p.kind for p in problems} | {"oversize-index", "near-duplicate", "contradicted", "stale", "origin-gone"} == set(KINDS)
    for problem in problems:
        assert problem.message.endswith(".")
        assert problem.fix.endswith(".")
        assert token not in problem.message + problem.fix


def test_an_index_over_its_limit_says_which(tmp_path: Path) -> None:
    put(tmp_path, "MEMORY.md", "".join(f"- [[t{n}]]\n" for n in range(201)))
    [problem] = check_folder(tmp_path)
    assert problem.kind == "oversize-index"
    assert "201 of 200 lines" in problem.message


def test_c03_the_linter_follows_the_profile_and_never_the_name(tmp_path: Path) -> None:
    text = f"# About me\n\nWords.\n\n{LONG}\n\n- I speak Chinese\n- I review in the morning\n- see [[a]]\n\nIt was decided yesterday.\n"
    put(tmp_path, "MEMORY.md", text)
    put(tmp_path, "a.md", note_text("a", "A fact."))
    assert {kind for kind, _, _ in found(tmp_path, "index")} == {"inline-content"}
    assert found(tmp_path, "sections") == [("relative-date", "MEMORY.md", 11)]
    put(tmp_path, "MEMORY.md", "word " * 7_000)
    assert found(tmp_path, "single") == [("oversize-note", "MEMORY.md", 1)]
    assert found(tmp_path, "sections") == [("oversize-note", "MEMORY.md", 1)]


def test_a_root_that_is_a_link_is_only_named(tmp_path: Path) -> None:
    put(tmp_path / "real", "a.md", "fact")
    (tmp_path / "root").symlink_to(tmp_path / "real")
    assert [(p.kind, p.path) for p in check_folder(tmp_path / "root")] == [("link", "")]


def test_links_in_code_and_bash_tests_are_no_links(tmp_path: Path) -> None:
    code = "```\n[[in-code]] [x](gone.md)\n```\n\n    [[indented]]\n"
    body = f"Run `[[ -f x ]]` or [[ -d y ]].\n\n{code}\n`[y](gone.md)` ``a ` [[b]]`` <https://x.y/[[z]]> https://x.y/[[q]]\n"
    put(tmp_path, "a.md", f"---\nname: a\n---\n\n{body}")
    put(tmp_path, "MEMORY.md", "- [a](a.md)\n")
    assert found(tmp_path) == []
    put(tmp_path, "a.md", f"---\nname: a\n---\n\n{body}    - [[real]]\n")
    assert [kind for kind, _, _ in found(tmp_path)] == ["dangling-link"]


def test_a_wiki_line_stands_for_one_note_only(tmp_path: Path) -> None:
    put(tmp_path, "a.md", note_text("a", "One fact."))
    put(tmp_path, "deep/a.md", note_text("a-deep", "Another fact."))
    put(tmp_path, "MEMORY.md", "- [[a]]\n")
    assert found(tmp_path) == [("missing-line", "deep/a.md", 0)]


# relative dates

_RELATIVE = (
    *("We moved to bun yesterday.", "The freeze starts next Monday", "merge freeze begins in two weeks", "decided three weeks ago"),
    *("Demo is tomorrow at noon", "He leaves this week.", "last month we changed it", "next sprint we do X", "Today the API broke"),
    *("released a couple of weeks ago", "Since last Friday the build fails", "the day after tomorrow", "as of last quarter"),
    *(
        "昨天决定用 bun",
        "下周一上线",
        "上个月换了数据库",
        "今天开始",
        "去年定的",
        "三天前改的",
        "两周后上线",
        "下個月發布",
        "这周末",
        "本周五发布",
    ),
    *("明天开会", "以后天天用：昨晚", "上星期三", "前几天", "下個季度", "后天截止"),
)
_PLAIN = (
    *("call `today()` first", "use today_total", "see yesterday-report.md", "The user said “next week” once.", '"yesterday" is a word'),
    *("tokens expire in 30 days", "retry the next day", "last week of the month is quiet", "on 2026-05-01 (yesterday)", "the last 30 days"),
    *("Convert relative dates such as tomorrow", "Date.today is used", "> we did it yesterday", "next-week.md", "Use next/today router"),
    *("http://x.y/today", "tomorrow.io", "last mile", "next step", "Next.js this month-view", "the first week of May", "today's standards"),
    *("以下周期", "说明日期", "基本月", "以上月份", "日本周刊", "样本周期", "以前天气", "以后天数", "后天因素", "昨天（2026年5月3日）"),
    *(
        "7 天后过期",
        "每周一例会",
        "说明天数",
        "《明日方舟》",
        "上月球",
        "小于3天前",
        "“昨天”这个词",
        "把相对日期改掉，例如昨天",
        "每天早上",
    ),
)


@pytest.mark.parametrize("line", _RELATIVE)
def test_a_word_for_a_day_that_moves_is_found(line: str) -> None:
    assert list(relative_dates(line))


@pytest.mark.parametrize("line", _PLAIN)
def test_fixed_days_names_code_and_quotations_are_no_relative_dates(line: str) -> None:
    assert list(relative_dates(line)) == []


def test_real_notes_raise_few_alarms() -> None:
    files = [path for path in shared_data("real/memories").rglob("*.md") if path.is_file()]
    assert len(files) > 100
    alarms = [word for path in files for line in path.read_text(errors="replace").splitlines() for word in relative_dates(line)]
    assert len(alarms) < len(files) / 4


def test_a_very_long_line_takes_linear_time() -> None:
    """It would run into the test's own limit of time otherwise."""
    for piece in ("yesterday ", "in two ", "[[", "`", "` ``", "“", "上", "9", "the last ", "<a", "a.", "is in a few ", "'a ", '"'):
        list(relative_dates(piece * 20_000))


# repair


def test_check_11_drift_both_ways_is_repaired_and_each_repair_undoable(desk: Desk) -> None:
    desk.add("kept.md", "kept fact")
    index = desk.root / "MEMORY.md"
    put(desk.root, "came.md", note_text("came", "A file that came in by another program."))
    both = "- see [gone](gone.md) and [Kept](kept.md)"
    before = f"# Mine\n\n- [Kept](kept.md) — my own words\n- [gone](gone.md) — nobody knows\n{both}\n- {LONG}\n"
    index.write_text(before)
    assert {p.kind for p in check_health(desk.store)} == {"dangling-line", "missing-line", "inline-content"}
    changes = repair(desk.store, KINDS, origin=PERSON)
    assert check_health(desk.store) == []
    text = index.read_text()
    assert "# Mine\n\n- [Kept](kept.md) — my own words\n- see gone and [Kept](kept.md)\n" in text
    assert "[came](came.md)" in text
    assert "gone.md" not in text
    assert repair(desk.store, KINDS, origin=PERSON) == []
    for change in reversed(changes):
        if not any(c.undoes == change.id for c in desk.store.changes(with_index=True)):
            desk.store.undo(change.id)
    assert index.read_text() == before


def test_only_the_asked_kinds_are_repaired(desk: Desk) -> None:
    desk.add("a.md", "one")
    index = desk.root / "MEMORY.md"
    index.write_text("- [gone](gone.md)\n")
    repair(desk.store, ["missing-line", "secret", "no-such-kind"], origin=PERSON)
    assert index.read_text() == "- [gone](gone.md)\n- [a](a.md) — one\n"
    repair(desk.store, ["dangling-line"], origin=PERSON)
    assert index.read_text() == "- [a](a.md) — one\n"
    assert {"missing-line", "dangling-line", "inline-content", "long-line"} == REPAIRABLE


def test_a_line_whose_file_lies_elsewhere_now_is_led_there_with_its_words(desk: Desk) -> None:
    put(desk.root, "topics/build.md", note_text("build", "one"))
    put(desk.root, "x/deploy.md", note_text("deploy", "two"))
    (desk.root / "MEMORY.md").write_text("- [Build](build.md) — my own words\n- [[deploy]] mine too\n- [d](deploy.md) — a second line\n")
    repair(desk.store, KINDS, origin=PERSON)
    assert desk.index() == "- [Build](topics/build.md) — my own words\n- [[deploy]] mine too\n"
    assert check_health(desk.store) == []


def test_a_shared_name_in_brackets_leaves_no_memory_without_a_line(desk: Desk) -> None:
    put(desk.root, "a.md", note_text("a", "one"))
    put(desk.root, "deep/a.md", note_text("deep-a", "two"))
    (desk.root / "MEMORY.md").write_text("- [[a]]\n")
    repair(desk.store, KINDS, origin=PERSON)
    assert desk.index() == "- [[a]]\n- [deep-a](deep/a.md) — two\n"


def test_an_index_that_is_gone_is_made_again_from_the_files(desk: Desk) -> None:
    for number in range(40):
        put(desk.root, f"t/n{number}.md", note_text(f"n{number}", f"fact {number}"))
    repair(desk.store, ["missing-line"], origin=PERSON)
    assert desk.index().count("\n") == 40
    assert check_health(desk.store) == []


def test_own_lines_are_shortened_and_a_persons_stay(desk: Desk) -> None:
    description = "why it holds and how it is to be applied " * 8
    desk.store.write("a.md", note_text("a", "body", description.strip()), base_digest=None, origin=PERSON)
    desk.add("b.md", "other")
    mine = f"- [B](b.md) — {'my words ' * 30}"
    (desk.root / "MEMORY.md").write_text(f"- [a](a.md) — {description.strip()}\n{mine}\n")
    repair(desk.store, ["long-line"], origin=PERSON)
    lines = desk.index().split("\n")
    assert len(lines[0]) <= 150
    assert lines[1] == mine
    assert [(p.kind, p.line) for p in check_health(desk.store)] == [("long-line", 2)]


def test_ten_thousand_notes_are_read_once_each(tmp_path: Path) -> None:
    """One reading of each file: the check costs a small multiple of parsing the files once."""
    for number in range(300):
        put(
            tmp_path, f"f{number % 7}/n{number}.md", note_text(f"n{number}", f"Fact number {number} 中文 [[n{number + 1}]]", kind="project")
        )
    (tmp_path / "MEMORY.md").write_text("".join(f"- [n{n}](f{n % 7}/n{n}.md)\n" for n in range(300)))
    problems = check_folder(tmp_path)
    assert [p.kind for p in problems] == ["oversize-index", "dangling-link"]
    assert isinstance(problems[0], Problem)


@pytest.mark.full
def test_ten_thousand_notes_take_a_few_seconds(tmp_path: Path) -> None:
    for number in range(10_000):
        put(tmp_path, f"f{number % 50}/n{number}.md", note_text(f"n{number}", f"Fact {number} 中文, see [[n1]]. " + "More words. " * 40))
    problems = check_folder(tmp_path)
    assert sum(1 for problem in problems if problem.kind == "missing-line") == 10_000
