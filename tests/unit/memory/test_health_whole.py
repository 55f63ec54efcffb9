"""Repairs of whole files and of an index of short lines: each shown before it is made, made as one act, undone and redone byte for byte."""

from __future__ import annotations

import os
import random
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from desktop.base.clock import iso
from desktop.memory.frontmatter import parse
from desktop.memory.health import KINDS, HealthCache, HealthContext, Problem, check_folder, check_health, repair
from desktop.memory.health_bytes import as_utf8, is_text, without_nul
from desktop.memory.health_cut import index_cut
from desktop.memory.health_fix import FIXES, NotPossibleError, apply_fix, draft_of, fix_label, fixes_for, plan_fix, previews, take_back
from desktop.memory.health_long import recalled_lines, split_by_sections
from desktop.memory.index import load_index
from desktop.memory.index_limits import IndexLimits
from desktop.memory.recall_read import Budget, read_memory
from desktop.memory.sections import load_sections
from tests.unit.memory.conftest import PERSON, Desk, note_text
from tests.unit.memory.test_health_fix import NOW, dated, put, text, tree

SMALL = IndexLimits(lines=30, bytes=3_000, tokens=1_000)


def problems(desk: Desk, kind: str, limits: IndexLimits | None = None) -> list[Problem]:
    return [one for one in check_health(desk.store, HealthContext(now=NOW, limits=limits)) if one.kind == kind]


def fixes(desk: Desk, problem: Problem, limits: IndexLimits | None = None) -> tuple[str, ...]:
    return fixes_for(problem, draft_of(desk.store), NOW, limits)


def made_undone_and_made_again(desk: Desk, problem: Problem, name: str, limits: IndexLimits | None = None) -> None:
    """Look, make, undo (every byte is back), and redo by undoing the undo (every byte is there again)."""
    before = tree(desk.root)
    plan = plan_fix(desk.store, [problem], name, now=NOW, limits=limits)
    shown = {preview.path: preview for preview in previews(plan)}
    fixed = apply_fix(desk.store, plan, origin=PERSON)
    after = tree(desk.root)
    for path in {path for path in before.keys() | after.keys() if before.get(path) != after.get(path)}:
        assert shown[path].deleted == (path not in after)
        assert path not in after or after[path].decode().replace("\r\n", "\n") == shown[path].after
    assert len({change.group for change in fixed.changes}) == 1
    undone = take_back(desk.store, fixed)
    assert tree(desk.root) == before
    assert undone is not None
    desk.store.undo(undone.id)
    assert tree(desk.root) == after


# too long


def long_note(sections: int = 6, *, newline: str = "\n") -> str:
    said = "The nightly job copies the orders of region {n} into the archive and tells the desk when a row is refused. "
    parts = [f"## Region {n}: rules *and* limits\n\n{said.format(n=n) * 60}\n\n```\n## no heading {n}\n```\n" for n in range(sections)]
    whole = dated(
        "orders", "# Orders\n\nHow orders travel.\n\n" + "\n".join(parts), "2026-02-01T00:00:00Z", extra="  originSessionId: s1\n"
    )
    return whole.replace("\n", newline)


@pytest.mark.parametrize("newline", ["\n", "\r\n"])
def test_a_long_memory_is_split_by_its_sections_into_linked_ones(desk: Desk, newline: str) -> None:
    put(desk, "deep/orders.md", long_note(newline=newline))
    put(desk, "deep/orders-region-2-rules-and-limits.md", note_text("taken", "Another one has this name."))
    put(desk, "MEMORY.md", "- [orders](deep/orders.md)\n- [taken](deep/orders-region-2-rules-and-limits.md)\n")
    desk.store.observe()
    was = parse((desk.root / "deep/orders.md").read_bytes())
    [problem] = problems(desk, "oversize-note")
    assert fixes(desk, problem) == ("split-sections",)
    made_undone_and_made_again(desk, problem, "split-sections")
    left = parse((desk.root / "deep/orders.md").read_bytes())
    pieces = {path: parse((desk.root / path).read_bytes()) for path in tree(desk.root) if path.startswith("deep/orders-region")}
    pieces.pop("deep/orders-region-2-rules-and-limits.md")
    assert len(pieces) == 6
    assert left.head == was.head
    assert left.body.startswith(f"{newline}# Orders{newline}{newline}How orders travel.{newline}")
    said = [line for one in (left, *pieces.values()) for line in one.body.split(newline) if line.strip() and not line.startswith("- [[")]
    assert sorted(said) == sorted(line for line in was.body.split(newline) if line.strip())
    for path, piece in pieces.items():
        assert f"[[{piece.name}]]" in left.body
        assert path.endswith(f"/{piece.name}.md")
        assert path in desk.index()
        assert (piece.type, piece.field("originSessionId"), piece.field("modified")) == ("project", "s1", "2026-02-01T00:00:00Z")
        assert piece.description is not None
        assert piece.description.startswith("Region ")
    assert not [one for one in check_health(desk.store) if one.kind in ("missing-line", "dangling-link", "duplicate", "broken-header")]
    assert not [one for one in problems(desk, "oversize-note") if one.path == "deep/orders.md"]


def test_sections_of_a_memory_that_was_replaced_stay_replaced_and_take_no_name_of_another(desk: Desk) -> None:
    """A name in a header is one, as that of a file: a link to it would lead to two."""
    more = "  superseded_by: freight\n  verified: 2026-02-02T00:00:00Z\n  explicit: true\n"
    put(desk, "orders.md", long_note(3).replace("  originSessionId: s1\n", more))
    put(desk, "elsewhere.md", note_text("orders-region-1-rules-and-limits", "Another one has this name."))
    put(desk, "MEMORY.md", "- [orders](orders.md)\n- [another](elsewhere.md)\n")
    desk.store.observe()
    [problem] = [one for one in problems(desk, "oversize-note") if one.path == "orders.md"]
    made_undone_and_made_again(desk, problem, "split-sections")
    pieces = [parse((desk.root / path).read_bytes()) for path in sorted(tree(desk.root)) if path.startswith("orders-region")]
    assert sorted(one.name or "" for one in pieces) == [
        "orders-region-0-rules-and-limits",
        "orders-region-1-rules-and-limits-2",
        "orders-region-2-rules-and-limits",
    ]
    for one in pieces:
        told = (one.field("superseded_by"), one.field("verified"), one.field("explicit"))
        assert told == ("freight", "2026-02-02T00:00:00Z", True)


def test_a_long_memory_without_sections_opens_at_its_cut(desk: Desk) -> None:
    put(desk, "a.md", dated("a", "One line of a long list of facts about the harbour.\n" * 900, "2026-02-01T00:00:00Z"))
    [problem] = problems(desk, "oversize-note")
    assert fixes(desk, problem) == ()
    assert problem.line > 1
    assert not problem.informative
    with pytest.raises(NotPossibleError, match=r"a\.md"):
        plan_fix(desk.store, [problem], now=NOW)


def test_the_line_of_the_cut_is_the_one_where_a_recall_ends(desk: Desk) -> None:
    for seed in range(30):
        draw = random.Random(seed)
        body = "\n".join("字词 word "[draw.randrange(3) :] * draw.randrange(1, 40) for _ in range(draw.randrange(2, 400)))
        budget = Budget(draw.choice((20, 200)), draw.choice((400, 4_096)))
        put(desk, "a.md", dated("a", ("\n" * draw.randrange(3)) + body, "2026-02-01T00:00:00Z"))
        data = (desk.root / "a.md").read_bytes()
        line = recalled_lines(parse(data), data.decode(), budget)
        found = read_memory(desk.store.memory_root, "a.md", reason="", stage="lexical", budget=budget)
        assert found is not None
        assert bool(line) == found.truncated, f"seed {seed}"
        if line:
            shown = [part.strip() for part in found.text.split("\n")[:-1] if part.strip()]
            lines = [part.strip() for part in data.decode().split("\n")]
            above = [part for part in lines[8 : line - 1] if part]
            assert not above or shown[-1] == above[-1] or lines[line - 1].startswith(shown[-1]), f"seed {seed}"


def test_over_the_budget_of_a_recall_is_good_to_know_and_far_beyond_it_is_a_problem(desk: Desk) -> None:
    put(desk, "a.md", dated("a", "A line about the tide tables.\n" * 150, "2026-02-01T00:00:00Z"))
    [problem] = problems(desk, "oversize-note")
    assert problem.informative
    assert problem.line > 8
    cache = HealthCache()
    wide = HealthContext(now=NOW, budget=Budget(1_000, 100_000))
    assert [one for one in check_folder(desk.root, context=HealthContext(now=NOW), cache=cache) if one.kind == "oversize-note"]
    assert not [one for one in check_folder(desk.root, context=wide, cache=cache) if one.kind == "oversize-note"]


def test_a_single_file_is_too_long_from_the_line_where_its_load_ends(tmp_path: Path) -> None:
    (tmp_path / "MEMORY.md").write_text("Twenty characters!!\n" * 2_000)
    [problem] = check_folder(tmp_path, "single")
    assert (problem.kind, problem.line) == ("oversize-note", 32 * 1024 // 20 + 1)


def test_splitting_keeps_every_line_whatever_the_headings_are(seed: int = 7) -> None:
    draw = random.Random(seed)
    for _ in range(200):
        kinds = ("# A", "## B", "### C *x*", "## [l](a.md)", "text", "", "```", "- ## no", "第一节", "## 第二节", "####### no")
        lines = [draw.choice(kinds) for _ in range(draw.randrange(1, 60))]
        data = ("---\nname: n\n---\n" if draw.random() < 0.5 else "").encode() + "\n".join(lines).encode()
        split = split_by_sections("x/n.md", parse(data), ["x/n.md"])
        if split is None:
            continue
        said = [line for piece in (split.rest, *(data for _, data in split.pieces)) for line in parse(piece).body.split("\n")]
        links = [line for line in said if line.startswith("- [[")]
        assert len(links) == len(split.pieces) == len({path for path, _ in split.pieces}) <= 30, f"seed {seed}"
        assert sorted(line for line in said if line.strip() and line not in links) == sorted(
            line for line in parse(data).body.split("\n") if line.strip()
        ), f"seed {seed}"


# several names


def test_a_file_with_several_names_gets_a_place_of_its_own(desk: Desk, tmp_path: Path) -> None:
    put(desk, "a.md", note_text("a", "A fact about the quay."))
    other = tmp_path / "elsewhere.txt"
    os.link(desk.root / "a.md", other)
    desk.store.observe()
    before = tree(desk.root)
    [problem] = problems(desk, "hard-link")
    assert fixes(desk, problem) == ("own-copy",)
    plan = plan_fix(desk.store, [problem], now=NOW)
    assert [(one.path, one.before == one.after) for one in previews(plan)] == [("a.md", True)]
    fixed = apply_fix(desk.store, plan, origin=PERSON)
    assert tree(desk.root) == before
    assert problems(desk, "hard-link") == []
    other.write_text("changed elsewhere")
    assert tree(desk.root) == before
    undone = take_back(desk.store, fixed)
    assert tree(desk.root) == before
    assert undone is not None
    desk.store.undo(undone.id)
    assert tree(desk.root) == before
    with pytest.raises(NotPossibleError):
        plan_fix(desk.store, [problem], now=NOW)


def test_an_index_with_several_names_too(desk: Desk, tmp_path: Path) -> None:
    put(desk, "a.md", note_text("a", "A fact about the quay."))
    put(desk, "MEMORY.md", "- [a](a.md) — by hand\n")
    os.link(desk.root / "MEMORY.md", tmp_path / "elsewhere.md")
    desk.store.observe()
    before = tree(desk.root)
    [problem] = problems(desk, "hard-link")
    fixed = apply_fix(desk.store, plan_fix(desk.store, [problem], now=NOW), origin=PERSON)
    assert (tree(desk.root), problems(desk, "hard-link")) == (before, [])
    take_back(desk.store, fixed)
    assert tree(desk.root) == before


# bytes


ENGLISH = "Der Straßenname heißt „Große Allee“ – so ist es."
CHINESE = "部署之前必须先跑测试，数据库的默认端口是 5433。发布由小王负责，每周一次。"
TRADITIONAL = "部署之前必須先跑測試，資料庫的預設連接埠是 5433。發布由小王負責，這個不要改。"
JAPANESE = "デプロイの前にテストを必ず実行してください。データベースは本番です。"
KOREAN = "배포하기 전에 반드시 테스트를 실행하세요. 데이터베이스는 그대로 둡니다."


@pytest.mark.parametrize(
    ("said", "encoding"),
    [
        *((ENGLISH, name) for name in ("cp1252", "utf-16-le", "utf-16-be")),
        *((CHINESE, name) for name in ("gb18030", "gbk")),
        ("A note in English, long enough to be seen. " + CHINESE, "utf-16-le"),
        *((TRADITIONAL, name) for name in ("big5",)),
        *((JAPANESE, name) for name in ("shift_jis", "euc_jp")),
        (KOREAN, "euc_kr"),
    ],
)
def test_a_file_in_another_encoding_is_saved_as_utf8(desk: Desk, said: str, encoding: str) -> None:
    whole = f"---\nname: a\ndescription: words\n---\n\n{said}\n"
    put(desk, "a.md", whole.encode(encoding))
    desk.store.observe()
    problem = problems(desk, "unreadable")[0]
    assert fixes(desk, problem)[0] == "save-utf8"
    made_undone_and_made_again(desk, problem, "save-utf8")
    assert (desk.root / "a.md").read_bytes() == whole.encode()
    assert problems(desk, "unreadable") == []


def test_a_western_byte_in_utf8_is_read_by_itself() -> None:
    data = "名字是 café，端口是 5433。".encode() + b" caf\xe9 \x93x\x94"
    assert as_utf8(data) == "名字是 café，端口是 5433。 café “x”".encode()
    assert as_utf8(b"\xef\xbb\xbfplain") is None
    assert as_utf8("\ufeff words of a torn file".encode("utf-16-le") + b"\x41") == b" words of a torn file"


def test_megabytes_in_another_encoding_are_read_at_once() -> None:
    data = b"caf\xe9 \x80 \x81 " * 500_000
    assert as_utf8(data) == "café € \x81 ".encode() * 500_000
    assert as_utf8("数据库的部署，".encode("gb18030") * 400_000) == "数据库的部署，".encode() * 400_000


def test_whatever_the_bytes_are_they_become_a_text_or_nothing_is_offered() -> None:
    draw = random.Random(11)
    for _ in range(2_000):
        data = bytes(draw.choice((draw.randrange(256), 0x41, 0x20, 0xE4, 0)) for _ in range(draw.randrange(40)))
        for made in (as_utf8(data), without_nul(data)):
            assert made is None or made.strip()
        mended = as_utf8(data)
        assert mended is None or is_text(mended), data


def test_nul_bytes_of_a_crash_go_or_the_last_good_version_comes_back(desk: Desk) -> None:
    good = note_text("a", "The harbour master is Ann.")
    put(desk, "a.md", good)
    desk.store.observe()
    put(desk, "a.md", good.encode()[:-8] + b"\x00" * 700)
    desk.store.observe()
    problem = problems(desk, "unreadable")[0]
    assert fixes(desk, problem) == ("last-good", "drop-nul")
    made_undone_and_made_again(desk, problem, "last-good")
    assert text(desk, "a.md") == good
    desk.store.undo()
    made_undone_and_made_again(desk, problem, "drop-nul")
    assert (desk.root / "a.md").read_bytes() == good.encode()[:-8]


def test_a_file_of_nothing_but_nul_bytes_is_deleted_or_restored(desk: Desk) -> None:
    put(desk, "b.md", b"\x00" * 512)
    desk.store.observe()
    problem = problems(desk, "unreadable")[0]
    assert fixes(desk, problem) == ("delete",)
    made_undone_and_made_again(desk, problem, "")
    assert not (desk.root / "b.md").exists()


def test_what_the_system_does_not_let_read_has_a_way_out_without_commands(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    put(desk, "a.md", note_text("a", "A fact."))
    os.mkfifo(desk.root / "b.md")
    found = problems(desk, "unreadable")
    assert [(one.path, fixes(desk, one)) for one in found] == [("b.md", ())]
    assert "Open its folder" in found[0].fix
    (desk.root / "c.md").symlink_to(desk.root / "a.md")
    [link] = problems(desk, "link")
    assert "Open its folder" in link.fix


def test_one_click_mends_every_file_of_a_kind_each_by_what_can_be_done(desk: Desk) -> None:
    put(desk, "a.md", f"---\nname: a\n---\n{CHINESE}\n".encode("gb18030"))
    put(desk, "b.md", b"---\nname: b\n---\nHalf a fact\n\x00\x00")
    put(desk, "c.md", b"\x00" * 9)
    desk.store.observe()
    before = tree(desk.root)
    fixed = apply_fix(desk.store, plan_fix(desk.store, problems(desk, "unreadable"), now=NOW), origin=PERSON)
    assert problems(desk, "unreadable") == []
    assert sorted(tree(desk.root)) == ["MEMORY.md", "a.md", "b.md"] or sorted(tree(desk.root)) == ["a.md", "b.md"]
    desk.store.undo(fixed.changes[0].id)
    assert tree(desk.root) == before


# an index of short lines


def many(desk: Desk, count: int, *, words: str = "Short words", pinned: Callable[[int], bool] = lambda _n: False) -> None:
    day = datetime(2026, 1, 1, tzinfo=UTC)
    lines = ["# Memory", ""]
    for n in range(count):
        extra = "  pinned: true\n" if pinned(n) else ""
        put(
            desk,
            f"n{n:03}.md",
            dated(f"n{n:03}", f"Fact number {n} of the harbour {n * 7919}.", iso(day + timedelta(hours=n)), extra=extra),
        )
        lines.append(f"- [n{n:03}](n{n:03}.md) — {words} {n}")
    put(desk, "MEMORY.md", "\n".join(lines) + "\n")
    desk.store.observe()


def test_the_oldest_lines_move_into_a_topic_index(desk: Desk) -> None:
    many(desk, 60, pinned=lambda n: n == 3)
    [problem] = problems(desk, "oversize-index", SMALL)
    assert fixes(desk, problem, SMALL) == ("move-out",)
    lines = desk.index().split("\n")
    made_undone_and_made_again(desk, problem, "move-out", SMALL)
    left, topic = desk.index().split("\n"), text(desk, "older-memories.md")
    assert load_index(desk.root, SMALL).truncated is False
    assert len(left) <= 25
    assert "- [n003](n003.md) — Short words 3" in left  # pinned
    assert "- [n059](n059.md) — Short words 59" in left
    moved = [line for line in topic.split("\n") if line.startswith("- ")]
    assert sorted([*moved, *(line for line in left if "older-memories" not in line)]) == sorted(lines)
    assert moved[-1] == "- [n000](n000.md) — Short words 0"
    assert f"Lines of {len(moved)} older memories" in topic
    assert sum("older-memories.md" in line for line in left) == 1
    kinds = {one.kind for one in check_health(desk.store, HealthContext(now=NOW, limits=SMALL))}
    assert not kinds & {"missing-line", "oversize-index", "contradicted", "near-duplicate", "duplicate", "dangling-link", "broken-header"}
    repair(desk.store, KINDS, origin=PERSON)  # gives no memory of the topic index a line of its own
    assert desk.index().split("\n") == left


def test_a_second_time_the_same_topic_index_takes_them(desk: Desk) -> None:
    many(desk, 60)
    [problem] = problems(desk, "oversize-index", SMALL)
    apply_fix(desk.store, plan_fix(desk.store, [problem], now=NOW, limits=SMALL), origin=PERSON)
    first = text(desk, "older-memories.md").count("\n- ")
    for n in range(60, 90):
        desk.add(f"n{n:03}.md", f"Another fact {n} of the tide {n * 104729}.")
    [problem] = problems(desk, "oversize-index", SMALL)
    made_undone_and_made_again(desk, problem, "move-out", SMALL)
    assert [path for path in tree(desk.root) if "older" in path] == ["older-memories.md"]
    assert text(desk, "older-memories.md").count("\n- ") > first + 20
    assert problems(desk, "oversize-index", SMALL) == []
    desk.store.delete("n000.md", origin=PERSON)
    [gone] = problems(desk, "dangling-link", SMALL)
    apply_fix(desk.store, plan_fix(desk.store, [gone], "unlink", now=NOW), origin=PERSON)
    assert "n000" not in text(desk, "older-memories.md")


def test_descriptions_are_shortened_as_far_as_the_index_needs(desk: Desk) -> None:
    many(desk, 24, words="The words of a hand that say a good deal about one small fact, and then some more words, up to here")
    limits = IndexLimits(lines=100, bytes=2_400, tokens=4_000)
    [problem] = problems(desk, "oversize-index", limits)
    assert fixes(desk, problem, limits) == ("trim-hooks", "move-out")
    entries = [line.partition(" — ")[0] for line in desk.index().split("\n")]
    made_undone_and_made_again(desk, problem, "trim-hooks", limits)
    assert [line.partition(" — ")[0] for line in desk.index().split("\n")] == entries
    assert problems(desk, "oversize-index", limits) == []
    assert all(line.endswith("…") for line in desk.index().split("\n") if line.startswith("- "))


def test_nothing_is_offered_where_every_line_is_pinned(desk: Desk) -> None:
    many(desk, 40, pinned=lambda _n: True)
    [problem] = problems(desk, "oversize-index", SMALL)
    assert fixes(desk, problem, SMALL) == ()
    with pytest.raises(NotPossibleError):
        plan_fix(desk.store, [problem], "move-out", now=NOW, limits=SMALL)


@pytest.mark.parametrize("keep", ["newest", "head"])
def test_the_cut_is_drawn_where_the_load_ends(desk: Desk, keep: str) -> None:
    draw = random.Random(5)
    for _ in range(12):
        count = draw.randrange(5, 60)
        many(desk, count, pinned=lambda n: n % 9 == 4)
        head = "---\nname: x\n---\n<!-- a\ncomment -->\n"
        lines = [*desk.index().split("\n"), "- [[n001]]", "- [gone](gone.md)", "Words.", "<!-- one more -->", "", "```", "code", "```"]
        draw.shuffle(lines)
        put(desk, "MEMORY.md", head.encode() + "\n".join(lines).encode() + draw.choice((b"", b"\xe9 \x00 broken", b"\xff\xfe")))
        limits = IndexLimits(draw.randrange(4, 40), draw.randrange(200, 4_000), draw.randrange(80, 2_000), keep)  # type: ignore[arg-type]
        loaded = load_index(desk.root, limits)
        data = (desk.root / "MEMORY.md").read_bytes()
        cut = index_cut(data, limits, desk.store.notes())
        assert cut.loaded == loaded.entries
        named = [title for title in loaded.dropped if "other line" not in title]
        assert sorted(entry.title for entry in cut.left_out) == sorted(named)
        file = data.decode("utf-8", "replace").split("\n")
        assert all(entry.title in file[entry.line - 1] for entry in cut.entries)
        for path in desk.root.glob("n*.md"):
            path.unlink()


def test_every_new_repair_has_words() -> None:
    for kind in ("oversize-note", "hard-link", "unreadable", "oversize-index"):
        assert FIXES[kind]
        assert all(fix_label(name) for name in FIXES[kind])


def test_a_memory_that_is_no_text_does_not_make_the_index_unreadable(desk: Desk) -> None:
    desk.add("a.md", "A fact.")
    desk.store.observe()
    put(desk, "b.md", "---\nname: 名字\ndescription: 端口\n---\n数据库的端口。\n".encode("gb18030"))
    desk.store.observe()
    (desk.root / "MEMORY.md").read_bytes().decode()
    assert "](b.md)" in desk.index()
    assert [one.path for one in problems(desk, "unreadable")] == ["b.md"]


def test_a_document_of_sections_is_too_long_from_the_line_where_its_load_ends(tmp_path: Path) -> None:
    said = "Ann decides what goes out on Tuesday, and nobody else does that without her word.\n" * 90
    (tmp_path / "MEMORY.md").write_text("---\nname: me\n---\n\n" + "".join(f"## Part {n}\n\n{said}\n" for n in range(6)), encoding="utf-8")
    [problem] = check_folder(tmp_path, "sections")
    loaded = load_sections(tmp_path)
    assert (problem.kind, problem.path, problem.informative) == ("oversize-note", "MEMORY.md", False)
    lines = (tmp_path / "MEMORY.md").read_text(encoding="utf-8").split("\n")
    shown = loaded.text.rpartition("\n\n")[0].split("\n")
    assert shown[-1] == next(line for line in reversed(lines[: problem.line - 1]) if line)
    assert len(shown) >= problem.line - 6
    split = split_by_sections("MEMORY.md", parse((tmp_path / "MEMORY.md").read_bytes()), ["MEMORY.md"])
    assert split is not None
    assert len(split.pieces) == 6


def test_a_file_that_may_not_be_read_says_how_it_may_be(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    put(desk, "a.md", note_text("a", "A fact."))
    opened = os.open

    def refusing(path: object, *given: object, **named: object) -> int:
        if str(path).endswith("a.md"):
            raise PermissionError(13, "Permission denied")
        return opened(path, *given, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(os, "open", refusing)
    [problem] = problems(desk, "unreadable")
    assert "ermission" in problem.message
    assert "Properties" in problem.fix
    assert fixes(desk, problem) == ()
