"""What of a message is found, the blocks of a transcript, and the numbers and neighbours of messages without reading it whole."""

from __future__ import annotations

import io
import random
from pathlib import Path

import pytest

from desktop.messages.parts import TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions.coverage import literals_of
from desktop.sessions.lines import KEEP, lines
from desktop.sessions.search_source import block_from, digest_of, passages_of, read_blocks, texts_of
from desktop.sessions.skeleton import messages_at, open_transcript_bytes, read_skeleton
from desktop.sessions.transcript import read_transcript
from tests.helpers.seeds import drawn_seed
from tests.unit.sessions.make import filled, message, new_handle, store_in


def never() -> bool:
    return False


def test_texts_of_a_message_with_their_roles() -> None:
    parts = (
        ThinkingPart("let me think"),
        TextPart("I look"),
        ToolCallPart("c1", "Bash", {"command": "ls -la", "timeout": 5, "description": "list"}),
        ToolCallPart("c2", "Write", {"file_path": "a.py", "content": "x = 1"}),
        ToolCallPart("c3", "Grep", {}, raw='{"pattern": broken'),
    )
    one = message("", "assistant", parts=parts)
    assert list(texts_of(one)) == [
        ("assistant", "I look"),
        ("tool", "Bash ls -la list"),
        ("tool", "Write a.py"),
        ("tool", 'Grep {"pattern": broken'),
    ]
    assert ("assistant", "let me think") in list(texts_of(one, frozenset(("thinking",))))
    ran = message("", "tool", parts=(ToolResultPart("c1", "Bash", "a.py", "ok"), ToolResultPart("c2", "Write", "no " * 5_000, "error")))
    ((role, error),) = texts_of(ran)
    assert role == "tool" and 1_000 < len(error) < 1_300
    assert ("tool", "a.py") in list(texts_of(ran, frozenset(("output",))))


def test_a_secret_is_masked_wherever_a_cut_falls() -> None:
    secret = "ghp_" + "a1B2c3D4e5F6" * 3
    for before in range(255, 305, 3):
        call = ToolCallPart("c1", "Bash", {"command": "y" * (before - 1) + " " + secret})
        found = " ".join(text for _, text in texts_of(message("", "assistant", parts=(call,))))
        assert secret[:12] not in found
    long = message("x " * 99_990 + secret + " and more")
    assert all(secret[:12] not in passage.text for passage in passages_of(long, 1))


def test_a_long_message_is_cut_into_passages_of_one_number() -> None:
    passages = passages_of(message("A sentence about something. " * 200), 7, "A title")
    assert len(passages) > 5
    assert {(passage.unit, passage.role) for passage in passages} == {(7, "user")}
    assert [passage.title for passage in passages if passage.title] == ["A title"]
    assert not any(passage.title for passage in passages_of(message("The first line\nand more"), 1, "The first line"))


def test_blocks_cover_the_file_and_any_of_them_can_be_the_start(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 350)
    handle.close()
    data = handle.path.read_bytes()
    file = io.BytesIO(data)
    blocks = list(read_blocks(file, "demo", "state", title="T", stopped=never))
    assert [block.count for block, _ in blocks] == [100, 100, 100, 50]
    assert [block.end for block, _ in blocks][-1] == len(data)
    assert [block.file for block, _ in blocks] == ["", "", "", "state"]
    assert all(digest_of(file, block.start, block.end, never) == block.digest for block, _ in blocks)
    for at, (block, _) in enumerate(blocks[:-1]):
        assert list(read_blocks(file, "demo", "state", before=block, title="T", stopped=never)) == blocks[at + 1 :]
        assert block_from(block.fingerprint(), block.number, "demo") == block
        assert block_from(block.fingerprint(), block.number, "other") is None
    assert list(read_blocks(file, "demo", "", title="T", until=blocks[0][0].end, stopped=never)) == blocks[:1]
    assert digest_of(file, blocks[1][0].start, blocks[1][0].end - 1, never) == ""


@pytest.mark.parametrize(
    "value", ["", "x", "[]", "\n", '[1, [], "demo"]\n[1]\n', '[1, [], "demo"]\n"x"\n', '[0, [], "demo"]\n[0,0,1,0,"",true,"",""]\n']
)
def test_a_foreign_fingerprint_is_none(value: str) -> None:
    assert block_from(value, 0, "demo") is None


def test_a_line_that_is_longer_than_what_is_kept() -> None:
    data = b"a" * (KEEP - 1) + b"\n" + b"b" * KEEP + b"\n" + b"c" * (KEEP + 1) + b"\nd"
    found = list(lines(io.BytesIO(data)))
    assert [(line.end - line.start, bool(line.rest), line.finished) for line in found] == [
        (KEEP, False, True),
        (KEEP + 1, True, True),
        (KEEP + 2, True, True),
        (1, False, False),
    ]
    assert found[-1].end == len(data)


def test_the_bones_agree_with_the_whole_reading_whatever_was_done(tmp_path: Path) -> None:
    seed = drawn_seed()
    rng = random.Random(seed)
    store = store_in(tmp_path)
    for _ in range(12):
        handle = new_handle(store)
        made = filled(handle, 3)
        for number in range(rng.randrange(30)):
            if rng.random() < 0.3:
                handle.set_leaf(rng.choice([None, *(one.id for one in made)]))
            made.append(handle.append(message(f"m{number}", number=10 + number)))
        handle.close()
        records = handle.path.read_bytes().splitlines(keepends=True)
        for _ in range(rng.randrange(4)):
            at = rng.randrange(1, len(records))
            match rng.randrange(4):
                case 0:
                    del records[at]
                case 1:
                    records[at] = records[at][: len(records[at]) // 2] + b"\n"
                case 2:
                    records.insert(at, records[rng.randrange(1, len(records))])
                case _:
                    records[at] = records[at].replace(b"m", b"n", 1)
        handle.path.write_bytes(b"".join(records))
        loaded = read_transcript(handle.path)
        with open_transcript_bytes(handle.path) as file:
            skeleton = read_skeleton(file)
            assert skeleton.ids == [one.id for one in loaded.messages]
            assert [skeleton.ids[place] for place in skeleton.upwards(skeleton.leaf)] == [one.id for one in loaded.live]
            found = messages_at(file, skeleton, range(len(skeleton.ids)))
        assert [found[place].parts for place in sorted(found)] == [one.parts for one in loaded.messages]


@pytest.mark.parametrize(
    ("query", "literals"),
    [
        ("why E0308 here", ("e0308",)),
        ("use --no-verify, please", ("--no-verify",)),
        ("open ./src/app.py.", ("./src/app.py",)),
        ("the word", ()),
        ('"exactly these words" and more', ("exactly these words",)),
        ("「端口号」在哪", ("端口号",)),
        ("端口5433", ()),
        ("a 5 b", ()),
    ],
)
def test_literals_of_a_question(query: str, literals: tuple[str, ...]) -> None:
    assert literals_of(query) == literals
