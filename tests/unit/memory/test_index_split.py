"""Content in an index: what counts as such, the plan that moves it into files, and the split through the store."""

from __future__ import annotations

import random
from collections.abc import Sequence
from datetime import UTC, datetime

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.memory.frontmatter import parse
from desktop.memory.index_split import inline_content, slug_of, split_index, split_plan
from desktop.memory.index_text import entries_of
from desktop.memory.note import Note
from tests.helpers.data import shared_data
from tests.unit.memory.conftest import MAIN, PERSON, Desk

LONG = "The nightly job moved to the second region after the outage in March, since the first one ran out of room twice in a single week."
ZH = "用户偏好：提交信息一律用中文写，因为团队里没有人读英文，评审的时候也用中文，标题不超过五十个字，正文要写清楚原因和影响范围。"


def note(path: str) -> Note:
    return Note(path, path.removesuffix(".md"), "", None, None, datetime(2026, 1, 1, tzinfo=UTC), None, None, False, 1, None)


def titles(text: str) -> list[str]:
    return [block.title for block in inline_content(text)]


@pytest.mark.parametrize(
    "text",
    [
        "",
        "# Memory Index\n",
        "# Memory Index\n\nThis directory holds what should be known in every conversation about this project.\n",
        "# Memory\n\n> A short word about how this is ordered.\n\n- [a](a.md) — x\n",
        "# 记忆索引\n\n这里按主题列出本项目的记忆文件，每行一条，新的放在对应标题下面。\n\n## 构建\n- [构建](build.md) — 用 bun\n",
        "## Feedback\n\nHow I like to work:\n\n- [a](a.md) — x\n- [b](b.md) — y\n\n## Empty so far\n\n## Projects\n(none yet)\n",
        "- Build\n  - [a](a.md) — x\n  - [b](b.md) — y\n- Deploy\n  - [c](c.md)\n",
        f"- [a](a.md) — {LONG}\n",
        "- [a](a.md) — hook\n  a second short line of it\n\n  and a third one\n",
        "| Topic | About |\n|---|---|\n| [a](a.md) | what it is about, in a few words so that it can be found |\n| [b](b.md) | y |\n",
        "- [[build]] and how it works\n- a.md: words\n",
        f"---\nname: index\nnote: {LONG}\n---\n- [a](a.md)\n",
        f"<!--\n{LONG}\n{LONG}\n-->\n- [a](a.md)\n",
        "## References\n- [Dashboard](https://grafana.example/d/1)\n- [Tracker](https://jira.example/x)\n- [Wiki](https://wiki.example)\n",
        "## Topics\n- build\n- deploy\n- test\n",
        "**Note:** memories about one person belong into their own folder, not into this index; see the rules for it.\n\n- [a](a.md)\n",
    ],
)
def test_what_puts_an_index_in_order_is_no_content(text: str) -> None:
    assert inline_content(text) == []
    assert split_plan(text, []).files == ()
    assert split_plan(text, []).index_text == text


def test_a_long_paragraph_and_a_long_point_without_a_link_are_content() -> None:
    text = f"# Memory\n- [a](a.md) — x\n\n## More\n- [b](b.md)\n- {LONG}\n- short\n\n{LONG}\n"
    blocks = inline_content(text)
    assert [(block.first_line, block.last_line) for block in blocks] == [(6, 6), (9, 9)]
    assert blocks[0].text == f"- {LONG}"


def test_chinese_counts_by_what_it_says_and_not_by_its_characters() -> None:
    assert titles(f"- [构建](build.md)\n- {ZH}\n- 部署：周二\n") == ["用户偏好"]


def test_a_section_of_facts_is_one_piece_named_by_its_heading() -> None:
    facts = "- **Role**: engineer\n- **Likes**: short answers\n- **Speaks**: Chinese, English"
    text = f"# Memory\n- [a](a.md)\n\n## User Profile\n{facts}\n\n## Topics\n- [b](b.md)\n"
    plan = split_plan(text, [])
    assert [path for path, _ in plan.files] == ["user-profile.md"]
    assert plan.index_text == (
        "# Memory\n- [a](a.md)\n\n## User Profile\n- [user-profile](user-profile.md) — Role: engineer\n\n## Topics\n- [b](b.md)\n"
    )
    document = parse(plan.files[0][1].encode())
    assert document.name == "user-profile"
    assert document.body.strip() == facts


def test_code_goes_with_the_words_before_it_and_sections_below_with_their_own() -> None:
    text = f"# M\n- [a](a.md)\n\n## Deploy\n{LONG}\n\n```sh\nmake deploy\n# not a heading\n```\n\n### When it fails\n{LONG}\n"
    plan = split_plan(text, [])
    assert [path for path, _ in plan.files] == ["deploy.md"]
    assert "# not a heading" in plan.files[0][1]
    assert "### When it fails" in plan.files[0][1]


def test_long_text_under_an_entry_goes_out_under_the_entrys_title() -> None:
    text = f"- [Build](build.md) — hook\n  {LONG}\n  {LONG}\n  {LONG}\n- [b](b.md)\n"
    plan = split_plan(text, [note("build.md"), note("b.md")])
    assert [path for path, _ in plan.files] == ["build-2.md"]
    assert plan.index_text.split("\n")[0] == "- [Build](build.md) — hook"
    assert plan.index_text.split("\n")[2] == "- [b](b.md)"


def test_facts_instead_of_an_index_become_files_of_their_own() -> None:
    text = (
        "- The person prefers bun over npm because its lock file is smaller\n- Releases are cut on Tuesdays, never before a holiday\n- ok\n"
    )
    plan = split_plan(text, [])
    assert [path for path, _ in plan.files] == [
        "the-person-prefers-bun-over-npm.md",
        "releases-are-cut-on-tuesdays-never.md",
    ]
    assert plan.index_text.endswith("\n- ok\n")


@pytest.mark.parametrize(
    ("title", "slug"),
    [
        ("User Profile", "user-profile"),
        ("用户偏好", "用户偏好"),
        ("Ｆｕｌｌ　ｗｉｄｔｈ！", "full-width"),
        ("Über die Straße", "über-die-strasse"),
        ("🚀🚀", "note"),
        ("../../etc/passwd", "etc-passwd"),
        ("CON", "note-con"),
        ("a" * 200, "a" * 48),
        ("Ναί / نعم", "ναί-نعم"),
    ],
)
def test_a_file_name_is_letters_and_digits_of_any_script(title: str, slug: str) -> None:
    assert slug_of(title) == slug


def test_a_name_that_is_taken_in_any_spelling_gets_a_number() -> None:
    text = f"# M\n- [x](x.md)\n\n## Memory\n{LONG}\n{LONG}\n\n## Café\n{LONG}\n{LONG}\n\n## CAFÉ\n{LONG}\n{LONG}\n"
    taken = [note("Cafe\u0301.md")]
    assert [path for path, _ in split_plan(text, taken).files] == ["memory-2.md", "café-2.md", "café-3.md"]


def test_what_stood_there_before_an_agent_wrote_is_not_its_to_move() -> None:
    earlier = f"- [a](a.md)\n- {LONG}\n"
    text = earlier + f"- {ZH}\n"
    assert [path for path, _ in split_plan(text, [], earlier=earlier).files] == ["用户偏好.md"]
    assert LONG in split_plan(text, [], earlier=earlier).index_text
    section = "- [a](a.md)\n\n## Me\n- my role is to review\n- I like short answers\n- I speak Chinese\n"
    assert split_plan(section + "- and more\n", [], earlier=section).files == ()


def test_windows_line_breaks_and_headers_survive() -> None:
    text = f"---\r\nname: index\r\n---\r\n# M\r\n- [a](a.md)\r\n- {LONG}\r\n"
    plan = split_plan(text, [])
    assert plan.index_text.startswith("---\r\nname: index\r\n---\r\n# M\r\n- [a](a.md)\r\n- [")
    assert plan.index_text.endswith("\r\n")
    assert "\n" not in plan.index_text.replace("\r\n", "")


def lost(text: str, index: str, files: Sequence[tuple[str, str]]) -> list[str]:
    """Lines of the text that are neither in the index nor in exactly one file, as often as they were in the text."""
    have = [line.strip() for part in (index, *(content for _, content in files)) for line in part.split("\n")]
    wanted = [line.strip() for line in text.split("\n") if line.strip()]
    return [line for line in set(wanted) if have.count(line) < wanted.count(line)]


_PIECES = (
    "# Memory",
    "## Build",
    "## 部署",
    "### Deeper",
    "- [a](a.md) — x",
    "  - [n](sub/n.md)",
    "- [[wiki]] words",
    "  more of it, indented",
    "",
    "",
    f"- {LONG}",
    f"* {ZH}",
    LONG,
    ZH,
    "short words",
    "- short",
    "1. one",
    "> quoted " + LONG,
    "```",
    "~~~",
    "    indented",
    "| a | b |",
    "|---|---|",
    "---",
    "===",
    "<!-- c -->",
    "<!--",
    "-->",
    "---\nname: x\n---",
    "https://example.org/" + "x" * 130,
    "- see notes.md for it " + LONG,
    "\ttabbed",
    "\u2028odd\u2028",
)


@settings(max_examples=400, deadline=None)
@given(st.lists(st.sampled_from(_PIECES), max_size=24), st.booleans())
def test_nothing_of_a_text_is_lost_and_a_second_split_finds_nothing(pieces: list[str], windows: bool) -> None:
    text = "\n".join(pieces) + "\n"
    text = text.replace("\n", "\r\n") if windows else text
    notes = [note("a.md"), note("build.md")]
    plan = split_plan(text, notes)
    assert plan == split_plan(text, notes)
    assert lost(text, plan.index_text, plan.files) == []
    paths = [path for path, _ in plan.files]
    assert len({path.casefold() for path in [*paths, "a.md", "build.md", "memory.md"]}) == len(paths) + 3
    targets = [entry.target for entry in entries_of(plan.index_text)]
    assert all(targets.count(path) == 1 for path in paths)
    after = [*notes, *(note(path) for path in paths)]
    assert split_plan(plan.index_text, after).files == ()
    assert {entry.target for entry in entries_of(text) if not entry.mention} <= set(targets)


def test_real_indexes_lose_nothing() -> None:
    files = [path for path in shared_data("real/memories").rglob("MEMORY*.md") if path.is_file()]
    assert files
    for path in files:
        text = path.read_bytes().decode("utf-8-sig", "surrogateescape")
        plan = split_plan(text, [])
        assert lost(text, plan.index_text, plan.files) == [], path
        assert split_plan(plan.index_text, []).files == (), path


def test_a_large_text_is_split_in_one_pass() -> None:
    chosen = random.Random(3)
    text = "\n".join(chosen.choice(_PIECES[:22]) for _ in range(20_000)) + "\n"
    plan = split_plan(text, [])
    assert len(plan.files) > 500
    assert lost(text, plan.index_text, plan.files) == []


# through the store


def test_the_split_is_one_act_that_one_undo_takes_back(desk: Desk) -> None:
    desk.add("a.md", "body")
    before = f"# Memory\n- [A](a.md) — mine\n- {LONG}\n- {ZH}\n"
    (desk.root / "MEMORY.md").write_text(before)
    changes = split_index(desk.store, origin=PERSON)
    assert [change.path for change in changes][-1] == "MEMORY.md"
    assert len({change.group for change in changes}) == 1
    assert (desk.root / "用户偏好.md").exists()
    assert LONG not in desk.index().replace("—", "")
    assert parse((desk.root / "用户偏好.md").read_bytes()).body.strip() == f"- {ZH}"
    desk.store.undo(changes[-1].id)
    assert desk.index() == before
    assert sorted(path.name for path in desk.root.glob("*.md")) == ["MEMORY.md", "a.md"]
    assert split_index(desk.store, origin=MAIN)
    assert split_index(desk.store, origin=MAIN) == []
