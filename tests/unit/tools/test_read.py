from __future__ import annotations

import os
from pathlib import Path

import pytest

from desktop.base.errors import ToolError
from desktop.base.textio import digest
from desktop.tools import read
from desktop.tools.read import ReadTool
from tests.unit.tools.conftest import Bench


def test_lines_are_numbered_from_one_and_the_digest_is_remembered(bench: Bench) -> None:
    path = bench.file("a.txt", "one\ntwo\nthree\n")
    outcome = bench.run(ReadTool(), file_path="a.txt")
    assert outcome.output == "     1\tone\n     2\ttwo\n     3\tthree"
    assert bench.read_state.digest_of(path) == digest(path.read_bytes())


def test_a_window_says_where_to_go_on(bench: Bench) -> None:
    bench.file("a.txt", "".join(f"line {n}\n" for n in range(1, 11)))
    outcome = bench.run(ReadTool(), file_path="a.txt", offset=3, limit=2)
    assert outcome.output.splitlines() == ["     3\tline 3", "     4\tline 4", "[Lines 3 to 4 of 10. Go on with offset 5.]"]


def test_two_thousand_lines_are_the_default(bench: Bench) -> None:
    bench.file("a.txt", "x\n" * 2_500)
    outcome = bench.run(ReadTool(), file_path="a.txt")
    assert outcome.output.splitlines()[-1] == "[Lines 1 to 2,000 of 2,500. Go on with offset 2001.]"
    assert len(outcome.output.splitlines()) == 2_001


def test_a_half_million_character_line_is_folded_and_said(bench: Bench) -> None:
    bench.file("a.txt", "y" * 500_000 + "\nend\n")
    outcome = bench.run(ReadTool(), file_path="a.txt")
    first, second, note = outcome.output.splitlines()
    assert first.endswith("y … [498,000 more characters in this line]")
    assert len(first) < 2_100
    assert second == "     2\tend"
    assert note == "[Lines over 2,000 characters, folded here: 1.]"


def test_an_output_that_is_too_big_ends_with_the_place_to_go_on(bench: Bench) -> None:
    bench.file("a.txt", ("z" * 1_900 + "\n") * 500)
    outcome = bench.run(ReadTool(), file_path="a.txt")
    assert len(outcome.output) < read.LARGEST_OUTPUT + 500
    shown = len(outcome.output.splitlines()) - 1
    assert outcome.output.endswith(f"[Lines 1 to {shown} of 500. Go on with offset {shown + 1}.]")


@pytest.mark.parametrize(
    ("data", "text"),
    [
        (b"\xef\xbb\xbfhello\n", "hello"),
        ("你好\n".encode("utf-16"), "你好"),
        ("你好 abc def\n".encode("utf-16-le"), "你好 abc def"),
        ("编码是旧的国标，读出来应当没有问题\n".encode("gb2312"), "编码是旧的国标，读出来应当没有问题"),
        (b"caf\xe9s\n", "caf\ufffds"),
        (b"a\r\nb", "a\n     2\tb"),
    ],
)
def test_encodings(bench: Bench, data: bytes, text: str) -> None:
    bench.file("a.txt", data)
    assert bench.run(ReadTool(), file_path="a.txt").output.split("\n[")[0] == f"     1\t{text}"


def test_stray_bytes_are_counted(bench: Bench) -> None:
    bench.file("a.txt", b"a\xff\xfeb \xe9\n")
    assert "Bytes that are not valid in this encoding, shown as \ufffd: 3." in bench.run(ReadTool(), file_path="a.txt").output


def test_an_empty_file_says_so_and_counts_as_read(bench: Bench) -> None:
    path = bench.file("a.txt", "")
    assert bench.run(ReadTool(), file_path="a.txt").output == f"{path} is empty."
    assert bench.read_state.digest_of(path) == digest(b"")


@pytest.mark.parametrize(
    ("data", "kind"),
    [(b"\x89PNG\r\n\x1a\n\0\0", "a PNG image"), (b"abc\0def" * 30, "binary data"), (b"%PDF-1.7\n", "a PDF document")],
)
def test_binary_files_are_named_and_not_shown(bench: Bench, data: bytes, kind: str) -> None:
    bench.file("a.bin", data)
    with pytest.raises(ToolError, match=f"is {kind}"):
        bench.run(ReadTool(), file_path="a.bin")


def test_a_folder_points_to_glob(bench: Bench) -> None:
    (bench.workspace / "src").mkdir()
    with pytest.raises(ToolError) as caught:
        bench.run(ReadTool(), file_path="src")
    assert "is a folder" in caught.value.message
    assert "Glob" in caught.value.hint


def test_a_missing_file_suggests_near_names(bench: Bench) -> None:
    bench.file("src/settings.py")
    with pytest.raises(ToolError) as caught:
        bench.run(ReadTool(), file_path="src/setting.py")
    assert caught.value.hint == f"Did you mean {bench.workspace / 'src' / 'settings.py'}?"
    with pytest.raises(ToolError) as caught:
        bench.run(ReadTool(), file_path="scr/settings.py")
    assert caught.value.hint == f"The folder {bench.workspace / 'scr'} does not exist."


def test_an_offset_past_the_end_names_the_length(bench: Bench) -> None:
    bench.file("a.txt", "1\n2\n")
    with pytest.raises(ToolError, match=r"`offset` 9 is past the end: .* has 2 lines"):
        bench.run(ReadTool(), file_path="a.txt", offset=9)


@pytest.mark.parametrize(
    ("arguments", "text"),
    [
        ({}, "`file_path` is required"),
        ({"file_path": 7}, "`file_path` must be a text, but is 7"),
        ({"file_path": " "}, "`file_path` must not be empty"),
        ({"file_path": "a\0b"}, "`file_path` must not hold a NUL"),
        ({"file_path": "~/a"}, "“~”"),
        ({"file_path": "a", "offset": 0}, "`offset` must lie between 1 and"),
        ({"file_path": "a", "limit": "5"}, "`limit` must be a whole number, but is '5'"),
        ({"file_path": "a", "limit": True}, "`limit` must be a whole number"),
        ({"path": "a"}, "`path` is not an argument of this tool; it takes `file_path`, `offset`, `limit`"),
    ],
)
def test_wrong_arguments_are_named(bench: Bench, arguments: dict[str, object], text: str) -> None:
    with pytest.raises(ToolError) as caught:
        bench.prepare(ReadTool(), **arguments)
    assert text in caught.value.message


def test_a_null_for_an_optional_argument_counts_as_absent(bench: Bench) -> None:
    bench.file("a.txt", "x")
    assert bench.run(ReadTool(), file_path="a.txt", offset=None, limit=3.0).output == "     1\tx"


def test_the_workspace_and_memory_are_read_without_asking(bench: Bench) -> None:
    bench.file("a.txt", "x")
    note = bench.note("b.md", "b")
    assert bench.decide(bench.prepare(ReadTool(), file_path="a.txt")).effect == "allow"
    assert bench.decide(bench.prepare(ReadTool(), file_path=str(note)), "plan").effect == "allow"


def test_other_places_are_asked_for_and_this_one_never(bench: Bench) -> None:
    outside = bench.base / "outside.txt"
    outside.write_text("x")
    (bench.base / ".env").write_text("A=1")
    bench.file(".env.example", "A=")
    bench.file(".env", "A=1")
    assert bench.decide(bench.prepare(ReadTool(), file_path=str(outside))).rule == "read.outside"
    assert bench.decide(bench.prepare(ReadTool(), file_path="../outside.txt")).rule == "read.outside"
    assert bench.decide(bench.prepare(ReadTool(), file_path="../.env")).rule == "read.sensitive"
    assert bench.decide(bench.prepare(ReadTool(), file_path=".env")).effect == "allow"
    assert bench.decide(bench.prepare(ReadTool(), file_path=".env.example")).effect == "allow"


def test_a_link_is_judged_by_where_it_leads(bench: Bench) -> None:
    outside = bench.base / "outside.txt"
    outside.write_text("x")
    (bench.workspace / "link.txt").symlink_to(outside)
    prepared = bench.prepare(ReadTool(), file_path="link.txt")
    assert prepared.access.target == outside
    decision = bench.decide(prepared)
    assert decision.effect == "ask"
    assert f"link.txt leads through a link to {outside}." in decision.reason


def test_memory_that_is_off_is_not_read(bench: Bench) -> None:
    note = bench.note("b.md", "b")
    bench.memory_on = False
    decision = bench.decide(bench.prepare(ReadTool(), file_path=str(note)))
    assert (decision.effect, decision.rule) == ("deny", "memory.refused")


def test_a_link_put_in_after_the_check_is_not_followed(bench: Bench) -> None:
    import asyncio

    secret = bench.base / "secret"
    secret.mkdir()
    (secret / "a.txt").write_text("outside")
    bench.file("dir/a.txt", "inside")

    async def swap() -> None:
        prepared = await ReadTool().prepare({"file_path": "dir/a.txt"}, bench.context)
        (bench.workspace / "dir").rename(bench.workspace / "dir2")
        (bench.workspace / "dir").symlink_to(secret)
        await prepared.run()

    with pytest.raises(ToolError):
        asyncio.run(swap())


def test_pipes_and_devices_are_not_opened(bench: Bench) -> None:
    os.mkfifo(bench.workspace / "pipe")
    with pytest.raises(ToolError, match="not an ordinary file"):
        bench.run(ReadTool(), file_path="pipe")
    with pytest.raises(ToolError, match="not an ordinary file"):
        bench.run(ReadTool(), file_path="/dev/zero")


def test_a_huge_file_is_read_by_window(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read, "LARGEST_WHOLE", 100_000)
    path = bench.file("big.log", b"".join(b"row %d\n" % n for n in range(1, 200_001)) + b"w" * 3_000_000 + b"\nlast")
    outcome = bench.run(ReadTool(), file_path="big.log", offset=150_000, limit=2)
    assert outcome.output.splitlines()[:2] == ["150000\trow 150000", "150001\trow 150001"]
    assert "Go on with offset 150002" in outcome.output
    tail = bench.run(ReadTool(), file_path="big.log", offset=200_001)
    assert "[2,998,000 more characters in this line]" in tail.output
    assert "200002\tlast" in tail.output
    assert bench.read_state.digest_of(path) is None
    with pytest.raises(ToolError, match=r"past the end: .* has 200,002 lines"):
        bench.run(ReadTool(), file_path="big.log", offset=300_000)


def test_a_path_through_a_file_is_missing(bench: Bench) -> None:
    bench.file("a.txt", "x")
    with pytest.raises(ToolError):
        bench.run(ReadTool(), file_path="a.txt/b")


def test_a_name_too_long_for_the_system(bench: Bench) -> None:
    with pytest.raises(ToolError):
        bench.run(ReadTool(), file_path="n" * 300)


def test_paths_with_dots_and_spaces_reach_the_file(bench: Bench) -> None:
    bench.file("a b/c.txt", "x")
    assert bench.run(ReadTool(), file_path=str(Path("a b") / ".." / "a b" / "c.txt")).output == "     1\tx"
