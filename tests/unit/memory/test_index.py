"""Loading the index: limits, what stays, what is named, and the delta."""

from __future__ import annotations

import os
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from desktop.base.words import estimate_tokens
from desktop.memory.index import WARNING_MARK, IndexLimits, LoadedIndex, index_delta, load_index
from desktop.memory.index_text import entries_of, loadable
from tests.helpers.data import shared_data


def note_file(root: Path, name: str, modified: str, *, pinned: bool = False) -> None:
    pin = "  pinned: true\n" if pinned else ""
    (root / name).write_text(f"---\nname: {name[:-3]}\nmetadata:\n{pin}  modified: {modified}\n---\nbody\n")


def load(root: Path, text: str | bytes, limits: IndexLimits | None = None) -> LoadedIndex:
    (root / "MEMORY.md").write_bytes(text.encode() if isinstance(text, str) else text)
    return load_index(root, limits)


def body_of(loaded: LoadedIndex) -> str:
    return loaded.text.split(f"\n\n{WARNING_MARK}")[0]


def lines(count: int, width: int = 20) -> str:
    return "\n".join(f"- [t{n}](t{n}.md) — {'x' * width}" for n in range(count)) + "\n"


def test_missing_empty_ok_and_error_are_told_apart(tmp_path: Path) -> None:
    assert load_index(tmp_path / "nowhere").state == "missing"
    assert load_index(tmp_path).state == "missing"
    for blank in ("", " \n\n", "\ufeff", "---\nname: x\n---\n", "<!-- only a comment -->\n"):
        assert load(tmp_path, blank).state == "empty"
    loaded = load(tmp_path, "- [a](a.md) — x\n")
    assert (loaded.state, loaded.entries, loaded.lines, loaded.truncated) == ("ok", 1, 1, False)
    assert loaded.text == loaded.source == "- [a](a.md) — x"
    assert loaded.raw_digest
    (tmp_path / "MEMORY.md").unlink()
    (tmp_path / "MEMORY.md").mkdir()
    broken = load_index(tmp_path)
    assert (broken.state, broken.text) == ("error", "")
    assert broken.error
    (tmp_path / "MEMORY.md").rmdir()
    (tmp_path / "MEMORY.md").symlink_to("/etc/hostname")
    assert load_index(tmp_path).state == "error"


def test_the_report_holds_the_keys_that_scripts_read(tmp_path: Path) -> None:
    report = load(tmp_path, "# Index\n- [a](a.md) — 中文\n").report()
    assert report == {
        "entries": 1,
        "lines": 2,
        "bytes": len("# Index\n- [a](a.md) — 中文".encode()),
        "tokens": estimate_tokens("# Index\n- [a](a.md) — 中文"),
        "truncated": False,
        "dropped": [],
    }


def test_two_hundred_lines_fit_and_one_more_is_cut_and_said(tmp_path: Path) -> None:
    assert not load(tmp_path, lines(200)).truncated
    loaded = load(tmp_path, lines(201))
    assert loaded.truncated
    assert loaded.limit == "201 of 200 lines"
    assert (loaded.lines, loaded.total_lines, loaded.entries) == (200, 201, 200)
    assert len(loaded.dropped) == 1
    assert loaded.dropped[0] in loaded.text
    assert "200 lines" in loaded.text


def test_bytes_count_and_not_characters(tmp_path: Path) -> None:
    line = "- [t](t.md) — " + "x" * (25_000 - len("- [t](t.md) — ".encode()))
    limits = IndexLimits(tokens=100_000)
    assert not load(tmp_path, line, limits).truncated
    over = load(tmp_path, line + "x", limits)
    assert over.limit == "25,001 of 25,000 bytes"
    assert over.bytes <= 25_000


def test_chinese_counts_by_tokens(tmp_path: Path) -> None:
    loaded = load(tmp_path, "\n".join(f"- [记忆{n}](n{n}.md) — {'中' * 70}" for n in range(110)))
    assert loaded.truncated
    assert "tokens" in (loaded.limit or "")
    assert loaded.tokens <= 8_000


def test_b07_what_was_cut_is_named_on_a_line_and_character_boundary(tmp_path: Path) -> None:
    text = "\n".join(f"- [主题 {n}](topic{n}.md) — {'记' * 50}" for n in range(150))
    assert len(text.encode()) > 26_000
    loaded = load(tmp_path, text)
    assert loaded.bytes <= 25_000
    assert "\ufffd" not in loaded.text
    kept = set(body_of(loaded).split("\n"))
    assert kept <= set(text.split("\n"))
    gone = [line for line in text.split("\n") if line not in kept]
    assert len(gone) == len(loaded.dropped)
    assert all(title in loaded.text for title in loaded.dropped[:20])


def test_b65_an_index_of_130_kb_loads_in_part_with_a_warning(tmp_path: Path) -> None:
    for text in (lines(1_500, 60), "words of prose\n" * 9_000, "x" * 130_000, "# Title\n" + "y" * 130_000, "中" * 45_000):
        loaded = load(tmp_path, text)
        assert loaded.truncated
        assert 2_000 < loaded.bytes <= 25_000
        assert loaded.tokens <= 8_000
        assert WARNING_MARK in loaded.text
        assert loaded.dropped or "shortened" in loaded.text


def test_the_newest_and_the_pinned_stay_in_the_order_of_the_file(tmp_path: Path) -> None:
    for n in range(30):
        note_file(tmp_path, f"t{n}.md", f"2026-01-{n + 1:02}T00:00:00Z", pinned=n == 3)
    text = "\n".join(f"- [t{n}](t{n}.md) — x" for n in reversed(range(30)))
    loaded = load(tmp_path, "# Index\n" + text, IndexLimits(lines=8))
    kept = [entry.title for entry in entries_of(body_of(loaded))]
    assert kept == ["t29", "t28", "t27", "t26", "t25", "t24", "t3"]
    assert body_of(loaded).startswith("# Index\n")
    assert "t0" in loaded.dropped


def test_the_head_stays_where_that_is_asked_for(tmp_path: Path) -> None:
    loaded = load(tmp_path, lines(10), IndexLimits(lines=3, keep="head"))
    assert body_of(loaded) == lines(3).strip()


def test_one_giant_line_does_not_push_out_the_others(tmp_path: Path) -> None:
    giant = "- [big](big.md) — " + "content " * 4_000
    loaded = load(tmp_path, f"{giant}\n{lines(50)}")
    assert loaded.entries == 51
    assert "shortened" in loaded.text


def test_a_hard_cut_never_ends_inside_a_link(tmp_path: Path) -> None:
    text = "- " + " ".join(f"[topic number {n}](folder/topic-{n}.md)" for n in range(2_000))
    for size in range(900, 960):
        loaded = load(tmp_path, text, IndexLimits(bytes=size))
        kept = body_of(loaded).rstrip("…").rstrip()
        assert kept.endswith(")"), kept[-60:]


def test_headers_and_top_level_comments_go_and_others_stay(tmp_path: Path) -> None:
    text = (
        "---\nname: index\n---\n<!-- top\nlevel -->\n# Index\n- [a](a.md) — x <!-- inline -->\n  <!-- in the list -->\n\n"
        "> <!-- in a quote -->\n\n```\n<!-- in code -->\n```\n    <!-- indented code -->\n"
        "<!-- one --> after\n<!-- never closed\n- [b](b.md)\n"
    )
    loaded = load(tmp_path, text)
    for gone in ("name: index", "top", "level", "<!-- one -->"):
        assert gone not in loaded.text
    for kept in ("inline", "in the list", "in a quote", "in code", "indented code", " after", "never closed", "[b](b.md)"):
        assert kept in loaded.text


def test_line_breaks_marks_and_nuls_are_no_trouble(tmp_path: Path) -> None:
    loaded = load(tmp_path, b"\xef\xbb\xbf- [a](a.md) \xff\r\n- [b](b.md)\x00\r\n")
    assert loaded.entries == 2
    assert "\r" not in loaded.text
    assert load(tmp_path, "- [a](a.md)\n".encode("utf-16")).entries == 1


def test_a_sparse_gigabyte_is_read_in_part(tmp_path: Path) -> None:
    path = tmp_path / "MEMORY.md"
    path.write_text("- [a](a.md) — x\n")
    os.truncate(path, 1 << 30)
    assert load_index(tmp_path).truncated


def test_real_index_files_load(tmp_path: Path) -> None:
    files = [path for path in shared_data("real/memories").rglob("MEMORY*.md") if path.is_file()]
    assert files
    for path in files:
        loaded = load(tmp_path, path.read_bytes())
        assert loaded.state in ("ok", "empty"), path
        assert loaded.lines <= 200
        assert loaded.bytes <= 25_000
        assert loaded.tokens <= 8_000


_line = st.one_of(
    st.builds(lambda n, w: f"- [t{n}](t{n}.md) — {'词' * w}", st.integers(0, 50), st.integers(0, 80)),
    st.text(st.sampled_from("ab 中[]()<>-#`!"), max_size=60),
    st.sampled_from(["# Heading", "", "```", "<!--", "-->", "  continued", "x" * 3_000]),
)


@settings(max_examples=200, deadline=None)
@given(found=st.lists(_line, max_size=60), count=st.integers(1, 40), size=st.integers(60, 3_000), tokens=st.integers(30, 900))
def test_no_text_ever_goes_over_its_limits(
    tmp_path_factory: pytest.TempPathFactory, found: list[str], count: int, size: int, tokens: int
) -> None:
    root = tmp_path_factory.getbasetemp()
    loaded = load(root, "\n".join(found), IndexLimits(lines=count, bytes=size, tokens=tokens))
    assert loaded.lines <= count
    assert loaded.bytes <= size
    assert loaded.tokens <= tokens
    if not loaded.truncated and loaded.state == "ok":
        assert loaded.text == loadable("\n".join(found))


# what changed since


def test_the_delta_names_added_changed_and_removed_lines_newest_first() -> None:
    before = "# Index\n- [a](a.md) — one\n- [b](b.md) — two\n- [c](c.md) — three"
    after = "# Index\n- [a](a.md) — one\n- [b](b.md) — two, changed\n- [d](d.md) — four\n- [e](e.md) — five"
    assert index_delta(before, after).split("\n") == [
        "added: - [e](e.md) — five",
        "added: - [d](d.md) — four",
        "changed: - [b](b.md) — two, changed",
        "removed: - [c](c.md) — three",
    ]
    assert index_delta(before, before) == ""
    assert index_delta("", "") == ""
    assert index_delta(before, before.replace("- [a](a.md) — one\n- [b](b.md) — two", "- [b](b.md) — two\n- [a](a.md) — one")) == ""


def test_the_delta_stays_within_its_tokens_and_counts_the_rest() -> None:
    delta = index_delta("", lines(500))
    assert estimate_tokens(delta) <= 1_000
    assert "more changed lines" in delta.split("\n")[-1]
    assert delta.startswith("added: - [t499]")


def test_a_warning_is_no_change() -> None:
    text = lines(3).strip()
    assert index_delta(text, f"{text}\n\n{WARNING_MARK} over") == ""


# check 5 of the design, and what belongs to it


def test_check_5_what_loads_and_what_is_reported(tmp_path: Path) -> None:
    for text, limit in (
        (lines(201), "201 of 200 lines"),
        ("x" * 30_000, "30,000 of 25,000 bytes"),
        ("\n".join(f"- [主题{n}](n{n}.md) — {'中' * 80}" for n in range(99)), "8,"),
    ):
        loaded = load(tmp_path, text)
        assert loaded.truncated
        assert limit in (loaded.limit or "")
        assert WARNING_MARK in loaded.text
        assert str(loaded.limit) in loaded.text
        assert "200 characters" in loaded.text
        assert "topic files" in loaded.text
        assert loaded.report()["truncated"] is True


def test_header_and_comments_do_not_count_towards_a_limit(tmp_path: Path) -> None:
    text = "---\nname: index\n---\n<!--\n" + "words\n" * 500 + "-->\n" + lines(200)
    loaded = load(tmp_path, text)
    assert not loaded.truncated
    assert loaded.lines == 200
    assert not loaded.whole
    inside = "```\n<!-- a comment in code counts -->\n```\n"
    assert load(tmp_path, inside + lines(198)).limit == "201 of 200 lines"


def test_all_that_was_dropped_is_in_the_report_and_some_of_it_in_the_warning(tmp_path: Path) -> None:
    loaded = load(tmp_path, lines(500) + "words\n")
    assert len(loaded.dropped) == 301
    assert loaded.report()["dropped"] == list(loaded.dropped)
    warning = loaded.text.split(WARNING_MARK)[1]
    assert "and 281 more" in warning
    assert len(warning) < 1_000


def test_text_below_an_entry_goes_with_it_and_never_to_another(tmp_path: Path) -> None:
    for n in range(6):
        note_file(tmp_path, f"t{n}.md", f"2026-01-0{n + 1}T00:00:00Z")
    text = "\n".join(f"- [t{n}](t{n}.md) — x\n  more of {n}" for n in range(6))
    loaded = load(tmp_path, text, IndexLimits(lines=8))
    kept = body_of(loaded).split("\n")
    for number, line in enumerate(kept):
        if line.startswith("  more of "):
            assert kept[number - 1].startswith(f"- [t{line.split()[-1]}]")
    assert [line for line in kept if line.startswith("- ")] == [f"- [t{n}](t{n}.md) — x" for n in range(6)]


def test_code_stays_whole_or_goes_so_that_it_swallows_nothing(tmp_path: Path) -> None:
    code = "```\n" + "code\n" * 30 + "```\n"
    loaded = load(tmp_path, "# M\n" + lines(10) + code, IndexLimits(lines=20))
    assert loaded.entries == 10
    assert "```" not in loaded.text
    assert load(tmp_path, "# M\n" + lines(10) + code, IndexLimits(lines=60)).text.count("```") == 2


def test_the_head_is_cut_at_the_last_line_break_that_fits_also_inside_code(tmp_path: Path) -> None:
    text = "# M\n```\n" + "code\n" * 30 + "```\n"
    assert body_of(load(tmp_path, text, IndexLimits(lines=10, keep="head"))) == "# M\n```\n" + "code\n" * 7 + "code"
    loaded = load(tmp_path, "head\n" + "y" * 900 + "\n", IndexLimits(bytes=500, keep="head"))
    assert body_of(loaded).startswith("head\nyyy")
    assert loaded.bytes <= 500


def test_a_file_beyond_what_is_read_says_so(tmp_path: Path) -> None:
    loaded = load(tmp_path, b"- [a](a.md)\n" + b" " * (5 << 20))
    assert loaded.truncated
    assert "5 MiB" in loaded.text
    assert any("5 MiB" in name for name in loaded.dropped)
    assert not loaded.whole


@pytest.mark.parametrize(
    ("raw", "whole"),
    [
        (b"- [a](a.md)\n", True),
        (b"\xef\xbb\xbf- [a](a.md)\r\n\r\n- [b](b.md)\r\n", True),
        ("- [a](a.md)\n".encode("utf-16"), True),
        (b"\n\n  - [a](a.md)   \n\n\n", True),
        (b"<!-- c -->\n- [a](a.md)\n", False),
        (b"---\nname: x\n---\n- [a](a.md)\n", False),
        (b"- [a](a.md)\n" * 201, False),
    ],
)
def test_w45_meaning_and_not_bytes_decides_whether_it_was_a_partial_view(tmp_path: Path, raw: bytes, whole: bool) -> None:
    assert load(tmp_path, raw).whole is whole


@pytest.mark.parametrize(
    "raw",
    [
        b"\xff\xfe\x00\xd8",
        b"\xfe\xff",
        b"\x00" * 10,
        b"---",
        b"---\n---",
        b"<!--",
        b"\r\r\r",
        b"\xef\xbb\xbf\xef\xbb\xbf",
        b"- [a](" * 5_000,
    ],
)
def test_no_bytes_make_loading_fail(tmp_path: Path, raw: bytes) -> None:
    loaded = load(tmp_path, raw)
    assert loaded.state in ("ok", "empty")
    loaded.text.encode()
