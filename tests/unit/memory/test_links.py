"""Links between memories: what counts as one, where it leads (FM-05), and how it follows a memory that moves."""

from __future__ import annotations

import random

import pytest

from desktop.memory.frontmatter import parse
from desktop.memory.links import Targets, backlinks, links_in, links_of, rebased, relink
from desktop.memory.note import Note, note_of
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import MAIN, Desk, note_text


def note(path: str, name: str = "") -> Note:
    data = f"---\nname: {name}\n---\nx\n".encode() if name else b"x\n"
    return note_of(path, parse(data), size=len(data), mtime_s=0.0)


OLD = note("build-tool.md", "Build tool")
OTHERS = [note("tests.md", "Tests"), note("sub/ci.md", "CI"), note("项目/部署.md", "部署方式")]


@pytest.mark.parametrize(
    ("text", "target"),
    [
        ("see [[Build tool]]", "build-tool.md"),
        ("see [[build-tool]] and more", "build-tool.md"),
        ("see [[build-tool.md]]", "build-tool.md"),
        ("see [[Build tool#why|the tool]]", "build-tool.md"),
        ("see [the tool](build-tool.md)", "build-tool.md"),
        ("see [the tool](<build-tool.md>)", "build-tool.md"),
        ("see [the tool](./build-tool.md#why)", "build-tool.md"),
        ("[tool]: build-tool.md", "build-tool.md"),
        ("[[sub/ci]]", "sub/ci.md"),
        ("[[ci]]", "sub/ci.md"),
        ("![x](sub/ci.md)", "sub/ci.md"),
        ("看 [[部署方式]]", "项目/部署.md"),
        ("看 [[部署]]", "项目/部署.md"),
        ("看 [部署](项目/部署.md)", "项目/部署.md"),
        ("看 [部署](%E9%A1%B9%E7%9B%AE/%E9%83%A8%E7%BD%B2.md)", "项目/部署.md"),
        ("[[written later]]", None),
        ("[later](later.md)", None),
    ],
)
def test_fm05_a_link_leads_to_a_name_then_a_stem_and_may_lead_nowhere(text: str, target: str | None) -> None:
    links = links_in(text, "here.md", Targets([OLD, *OTHERS]))
    assert [link.target for link in links] == [target]


def test_fm05_a_name_goes_before_a_stem() -> None:
    targets = Targets([note("a.md", "other"), note("z.md", "a")])
    assert targets.of_name("a") == "z.md"


@pytest.mark.parametrize(
    "text",
    [
        "`[[build-tool]]`",
        "``a ` [[build-tool]]``",
        "```\n[[build-tool]]\n[x](build-tool.md)\n```",
        "~~~ text\n[[build-tool]]\n~~~~",
        "[x](https://example.org/build-tool.md)",
        "[x](/build-tool.md)",
        "[x](../build-tool.md)",
        "---\ndescription: see [[build-tool]]\n---\nbody",
        "[build-tool]",
        "[[]] [[ ]] [[build\ntool]]",
    ],
)
def test_code_addresses_and_headers_hold_no_link_to_a_memory(text: str) -> None:
    assert [link.target for link in links_in(text, "here.md", Targets([OLD])) if link.target] == []
    assert relink(text, OLD, "new.md", "New") == text


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("see [[build-tool]].", "see [[bun]]."),
        ("see [[build-tool.md]].", "see [[bun.md]]."),
        ("see [[build-tool#why|the tool]]", "see [[bun#why|the tool]]"),
        ("see [[Build tool]]", "see [[Build tool]]"),
        ("see [t](build-tool.md)", "see [t](bun.md)"),
        ('see [t](build-tool.md "title")', 'see [t](bun.md "title")'),
        ("see [t](./build-tool.md#why)", "see [t](./bun.md#why)"),
        ("see [t](<build-tool.md>)", "see [t](<bun.md>)"),
        ("[t]: build-tool.md", "[t]: bun.md"),
        ("two [[build-tool]] [[build-tool]]", "two [[bun]] [[bun]]"),
        ("`[[build-tool]]` [[build-tool]]", "`[[build-tool]]` [[bun]]"),
        ("```\n[[build-tool]]\n```\n[[build-tool]]", "```\n[[build-tool]]\n```\n[[bun]]"),
        ("other [[tests]] [x](tests.md)", "other [[tests]] [x](tests.md)"),
        ("crlf\r\n[[build-tool]]\r\nend", "crlf\r\n[[bun]]\r\nend"),
        ("---\nname: [[build-tool]]\n---\n[[build-tool]]", "---\nname: [[build-tool]]\n---\n[[bun]]"),
    ],
)
def test_links_follow_a_new_path_and_all_else_stays(text: str, expected: str) -> None:
    assert relink(text, OLD, "bun.md", "Build tool", others=OTHERS) == expected


def test_a_new_name_is_followed_too() -> None:
    assert relink("[[Build tool]] [[Build tool|x]]", OLD, "bun.md", "Bun") == "[[Bun]] [[Bun|x]]"


@pytest.mark.parametrize(
    ("text", "at", "new", "expected"),
    [
        ("[t](../build-tool.md)", "sub/ci.md", "tools/bun.md", "[t](../tools/bun.md)"),
        ("[t](build-tool.md)", "sub/ci.md", "tools/bun.md", "[t](tools/bun.md)"),
        ("[t](build-tool.md)", "tests.md", "tools/bun.md", "[t](tools/bun.md)"),
        ("[t](build-tool.md)", "tests.md", "new name (2).md", "[t](<new name (2).md>)"),
        ("[[build-tool]]", "tests.md", "tools/bun.md", "[[bun]]"),
    ],
)
def test_a_target_is_meant_from_its_own_folder_or_from_the_root(text: str, at: str, new: str, expected: str) -> None:
    assert relink(text, OLD, new, "Build tool", at=at, others=OTHERS) == expected


def test_a_stem_that_another_memory_is_named_by_is_not_ours() -> None:
    other = note("z.md", "build-tool")
    assert relink("[[build-tool]]", OLD, "bun.md", "Build tool", others=[other]) == "[[build-tool]]"


def test_a_link_never_comes_to_lead_to_another_memory() -> None:
    """The new stem is what another memory is called, so the link takes a form that leads to ours."""
    taken = note("z.md", "bun")
    text = relink("[[build-tool]]", OLD, "bun.md", "Build tool", others=[taken])
    moved = note("bun.md", "Build tool")
    assert [link.target for link in links_in(text, "here.md", Targets([moved, taken]))] == ["bun.md"]


def test_the_links_of_a_memory_that_moves_lead_where_they_led() -> None:
    text = "[a](tests.md) [b](sub/ci.md) [me](build-tool.md#x) [gone](gone.md) [[tests]]"
    moved = rebased(text, "build-tool.md", "sub/deep/bun.md", [n.path for n in OTHERS])
    targets = Targets([note("sub/deep/bun.md", "Build tool"), *OTHERS])
    found = [link.target for link in links_in(moved, "sub/deep/bun.md", targets)]
    assert found == ["tests.md", "sub/ci.md", "sub/deep/bun.md", None, "tests.md"]


def test_random_texts_come_back_and_links_keep_their_memory() -> None:
    seed = drawn_seed()
    rng = random.Random(seed)
    parts = [
        "[[build-tool]]",
        "[[Build tool|z]]",
        "[x](build-tool.md)",
        "[[tests]]",
        "`",
        "```\n",
        "\n",
        "\r\n",
        "(",
        ")",
        "[",
        "]",
        "<",
        "部署",
        "#",
        "~~~\n",
    ]
    for _ in range(2_000):
        text = "".join(rng.choice(parts) for _ in range(rng.randrange(1, 14)))
        path = rng.choice(["bun.md", "a b.md", "x/y (1).md", "部署/包.md", "per%20cent.md", "ha#sh.md", "br[ack]et.md"])
        assert relink(text, OLD, OLD.path, OLD.name, others=OTHERS) == text
        before = [link.target for link in links_in(text, "here.md", Targets([OLD, *OTHERS]))]
        moved = relink(text, OLD, path, OLD.name, at="here.md", others=OTHERS)
        after = [link.target for link in links_in(moved, "here.md", Targets([note(path, OLD.name), *OTHERS]))]
        assert after == [path if target == OLD.path else target for target in before], (text, path, moved)


def test_a_long_hostile_text_is_read_in_linear_time() -> None:
    for piece in ("](", "[[", "`", "](<", "[[a|", "](a(", "[x](a b"):
        links_in(piece * 200_000, "a.md", Targets([OLD]))


def test_links_and_backlinks_of_a_store(desk: Desk) -> None:
    desk.store.write("a.md", note_text("Alpha", "See [[Beta]] and [c](sub/c.md)."), base_digest=None, origin=MAIN)
    desk.store.write("b.md", note_text("Beta", "Alone here."), base_digest=None, origin=MAIN)
    desk.store.write("sub/c.md", note_text("Gamma", "Back to [a](../a.md) and [[nothing yet]]."), base_digest=None, origin=MAIN)
    assert [(link.text, link.target) for link in links_of(desk.store, "a.md")] == [("Beta", "b.md"), ("sub/c.md", "sub/c.md")]
    assert [(link.source, link.line) for link in backlinks(desk.store, "a.md")] == [("sub/c.md", _line(desk, "sub/c.md", "../a.md"))]
    assert backlinks(desk.store, "nothing.md") == []
    assert {link.source for link in links_of(desk.store)} == {"MEMORY.md", "a.md", "sub/c.md"}


def _line(desk: Desk, path: str, text: str) -> int:
    lines = (desk.root / path).read_text().split("\n")
    return [number for number, line in enumerate(lines, start=1) if text in line][-1]
