from __future__ import annotations

import asyncio
import stat

import pytest

from desktop.base.errors import ToolError
from desktop.base.textio import digest
from desktop.tools.base import meaning_of
from desktop.tools.edit import EditTool
from desktop.tools.read import ReadTool
from tests.unit.tools.conftest import Bench

CODE = "def f():\n    return 1\n\n\ndef g():\n    return 1\n"


def edited(bench: Bench, data: bytes | str, old: str, new: str, **more: object) -> bytes:
    path = bench.file("a.py", data)
    bench.run(ReadTool(), file_path="a.py")
    bench.run(EditTool(), file_path="a.py", old_string=old, new_string=new, **more)
    return path.read_bytes()


def test_one_place_is_replaced_and_the_diff_is_exact(bench: Bench) -> None:
    path = bench.file("a.py", CODE)
    bench.run(ReadTool(), file_path="a.py")
    prepared = bench.prepare(EditTool(), file_path="a.py", old_string="def g():\n    return 1", new_string="def g():\n    return 2")
    assert prepared.access.content == CODE[:-2] + "2\n"
    assert prepared.diff == "--- a.py\n+++ a.py\n@@ -3,4 +3,4 @@\n \n \n def g():\n-    return 1\n+    return 2\n"
    assert path.read_text() == CODE

    async def run() -> str:
        return (await prepared.run()).output

    assert asyncio.run(run()) == "Changed a.py (+1 −1 lines)."
    assert path.read_text() == prepared.access.content


def test_an_unread_or_changed_file_is_refused(bench: Bench) -> None:
    path = bench.file("a.py", CODE)
    with pytest.raises(ToolError) as caught:
        bench.prepare(EditTool(), file_path="a.py", old_string="def f", new_string="def h")
    assert caught.value.text().endswith("has not been read in this session. Read it, then repeat the change.")
    bench.run(ReadTool(), file_path="a.py", limit=1)
    path.write_text(CODE + "\n")
    with pytest.raises(ToolError, match="has changed since you read it"):
        bench.prepare(EditTool(), file_path="a.py", old_string="def f", new_string="def h")


def test_edits_follow_each_other_without_another_read(bench: Bench) -> None:
    edited(bench, CODE, "def f", "def h")
    bench.run(EditTool(), file_path="a.py", old_string="def h", new_string="def k")
    assert (bench.workspace / "a.py").read_text() == CODE.replace("def f", "def k")


def test_a_piece_that_occurs_twice_is_refused_with_its_lines(bench: Bench) -> None:
    with pytest.raises(ToolError) as caught:
        edited(bench, CODE, "return 1", "return 2")
    assert "occurs 2 times" in caught.value.message
    assert "(lines 2, 6)" in caught.value.message
    assert "replace_all" in caught.value.hint


def test_replace_all(bench: Bench) -> None:
    assert edited(bench, CODE, "return 1", "return 2", replace_all=True) == CODE.replace("return 1", "return 2").encode()


@pytest.mark.parametrize(
    ("data", "old", "new", "result"),
    [
        (b"a\r\nb\r\nc\r\n", "a\nb", "a\nB\nbb", b"a\r\nB\r\nbb\r\nc\r\n"),
        (b"a\r\nb\r\n", "b", "b\nc", b"a\r\nb\r\nc\r\n"),
        (b"a\nb\n", "a\r\nb", "a\r\nc", b"a\nc\n"),
        (b"a\r\nb\nc\n", "b\nc", "d\ne", b"a\r\nd\ne\n"),
        (b"\xef\xbb\xbfa\nb", "a", "c", b"\xef\xbb\xbfc\nb"),
        ("你好\n世界\n".encode("utf-16"), "世界", "朋友", "你好\n朋友\n".encode("utf-16")),
        (b"a\xff\xfe\xe9b x\n", "x", "y", b"a\xff\xfe\xe9b y\n"),
        ("旧的编码文件在这里呀\n".encode("gb2312"), "这里", "那里", "旧的编码文件在那里呀\n".encode("gb2312")),
    ],
)
def test_everything_else_keeps_its_bytes(bench: Bench, data: bytes, old: str, new: str, result: bytes) -> None:
    assert edited(bench, data, old, new) == result


def test_new_text_never_mixes_two_encodings(bench: Bench) -> None:
    with pytest.raises(ToolError, match="not in UTF-8"):
        edited(bench, b"caf\xe9s x\n", "x", "é")


def test_the_mode_is_kept(bench: Bench) -> None:
    path = bench.file("a.py", CODE)
    path.chmod(0o750)
    bench.run(ReadTool(), file_path="a.py")
    bench.run(EditTool(), file_path="a.py", old_string="def f", new_string="def h")
    assert stat.S_IMODE(path.stat().st_mode) == 0o750


@pytest.mark.parametrize(
    ("old", "hint"),
    [
        ("     1\tdef f():\n     2\t    return 1", "line numbers that Read shows"),
        ("def f():\n  return 1\n\n\ndef g", "With other spaces or quotation marks"),
        ("def f() :", "With other spaces"),
        ("deff f():", "The closest line is 1: “def f():”"),
        ("something entirely different from this", "Read the file again"),
    ],
)
def test_near_misses_are_explained(bench: Bench, old: str, hint: str) -> None:
    bench.file("a.py", CODE)
    bench.run(ReadTool(), file_path="a.py")
    if "def g" in old:
        old += "():"
    with pytest.raises(ToolError) as caught:
        bench.prepare(EditTool(), file_path="a.py", old_string=old, new_string="x")
    assert "does not occur" in caught.value.message
    assert hint in caught.value.hint


@pytest.mark.parametrize(
    ("old", "new", "text"),
    [("", "x", "`old_string` must not be empty"), ("x", "x", "`new_string` is the same as `old_string`")],
)
def test_edits_that_mean_nothing(bench: Bench, old: str, new: str, text: str) -> None:
    with pytest.raises(ToolError, match=text):
        bench.prepare(EditTool(), file_path="a.py", old_string=old, new_string=new)


def test_a_missing_file_is_said(bench: Bench) -> None:
    with pytest.raises(ToolError, match="There is no file"):
        bench.prepare(EditTool(), file_path="a.py", old_string="a", new_string="b")


def test_a_memory_is_edited_through_the_store(bench: Bench) -> None:
    path = bench.note("bun.md", "---\nname: bun\ndescription: d\nmetadata:\n  type: project\n---\nWe use bun.\n")
    bench.run(ReadTool(), file_path=str(path))
    outcome = bench.run(EditTool(), file_path=str(path), old_string="use bun", new_string="use pnpm")
    assert outcome.memory_saved == ("bun.md",)
    assert "We use pnpm." in path.read_text()
    assert bench.store.changes()[0].before == digest(b"---\nname: bun\ndescription: d\nmetadata:\n  type: project\n---\nWe use bun.\n")
    outcome = bench.run(EditTool(), file_path=str(path), old_string="use pnpm", new_string="use npm")  # stamped meanwhile, still known
    assert outcome.memory_saved == ("bun.md",)


def test_the_index_counts_as_read_when_it_says_the_same(bench: Bench) -> None:
    index = bench.note("MEMORY.md", "- [Bun](bun.md): package manager\n\n")
    bench.read_state.saw(index, digest(b"other bytes"), meaning_of("- [Bun](bun.md): package manager"))
    outcome = bench.run(EditTool(), file_path=str(index), old_string="package manager", new_string="the package manager")
    assert outcome.memory_saved == ("MEMORY.md",)
    index.write_text("- [Bun](bun.md): something else\n")
    with pytest.raises(ToolError, match="has changed since you read it"):
        bench.prepare(EditTool(), file_path=str(index), old_string="something", new_string="x")


def test_an_edit_in_memory_that_the_rule_refuses_is_denied(bench: Bench) -> None:
    bench.note("config/a.md", "x\n")
    prepared = bench.prepare(EditTool(), file_path=str(bench.memory_root / "config/a.md"), old_string="x", new_string="y")
    assert bench.decide(prepared).effect == "deny"
