"""A transcript read a page at a time says the same as one read whole: messages, branches, damage; and holds little of it."""

from __future__ import annotations

import random
import tracemalloc
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions import paged_lines, paging
from desktop.sessions.paged_file import FilePager, open_pager
from desktop.sessions.paging import CUT, Facts, LoadedPager, Page, Pager
from desktop.sessions.record import encode
from desktop.sessions.transcript import LEAF, read_transcript
from tests.helpers.clock import FixedClock
from tests.helpers.seeds import drawn_seed
from tests.unit.sessions.make import filled, message, new_handle, store_in

NOW = FixedClock().moment
FIXTURE = Path(__file__).parent / "fixtures" / "schema-1.jsonl"


def whole(pager: Pager) -> Facts:
    facts = pager.index(60.0)
    while not facts.done:
        facts = pager.index(60.0)
    return facts


def walk(pager: Pager) -> list[Message]:
    """Every message of the branch that is shown, page by page from the end."""
    facts = whole(pager)
    found: list[Message] = []
    last = facts.total
    while last > 0:
        page = pager.page(0, last)
        assert page.messages and page.last == last and page.total == facts.total
        found[:0] = page.messages
        last = page.first - 1
    return found


def written(path: Path, count: int, text: str = "message") -> list[Message]:
    """A transcript without a header, quickly."""
    said: list[Message] = []
    with path.open("wb") as file:
        for number in range(count):
            parent = said[-1].id if said else None
            one = message(f"{text} {number}", "assistant" if number % 2 else "user", number=number, parent=parent)
            said.append(one)
            file.write(line_of(number, one))
    return said


def line_of(seq: int, one: Message) -> bytes:
    return encode(seq, "message", message_to_json(one), one.time)


def same(path: Path) -> tuple[Facts, list[Message]]:
    """What the pager says of a file, after it was found to be what reading it whole says."""
    loaded = read_transcript(path)
    pager = FilePager(path)
    facts, live = whole(pager), walk(pager)
    assert live == list(loaded.live)
    assert (facts.messages, facts.total, facts.newer) == (len(loaded.messages), len(loaded.live), loaded.newer)
    assert list(facts.damage) == loaded.damage[: paging.KEPT_DAMAGE] and facts.damaged == len(loaded.damage)
    assert facts.skipped == loaded.skipped
    return facts, live


def test_a_page_at_a_time_is_the_same_as_the_whole(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    said = filled(handle, 200)
    handle.close()
    facts, live = same(handle.path)
    assert [one.id for one in live] == [one.id for one in said] and facts.damaged == 0
    same(FIXTURE)


def test_the_end_is_there_before_anything_is_indexed(tmp_path: Path) -> None:
    said = written(tmp_path / "t.jsonl", 3_000)
    pager = FilePager(tmp_path / "t.jsonl")
    page = pager.newest()
    assert [one.id for one in page.messages] == [one.id for one in said[-len(page.messages) :]]
    assert len(page.messages) >= 24 and (page.first, page.total) == (0, 0)
    facts = whole(pager)
    again = pager.newest()
    assert again.last == facts.total == 3_000 and again.messages == page.messages


def damages(lines: list[bytes]) -> dict[str, bytes]:
    """Kinds of damage in the middle, at the end and instead of a transcript."""
    middle = len(lines) // 2
    before, after = b"".join(lines[:middle]), b"".join(lines[middle:])
    torn = lines[middle][: len(lines[middle]) // 2]
    return {
        "sound": before + after,
        "torn last line": before + torn,
        "torn in the middle": before + torn + b"\n" + after,
        "torn and glued": before + torn + after,
        "no last newline": (before + after)[:-1],
        "NUL run at the end": before + after + b"\0" * 5_000,
        "NUL run in the middle": before + b"\0" * 5_000 + after,
        "binary": before + bytes(range(256)) * 400 + b"\n" + after,
        "empty": b"",
        "byte order mark only": b"\xef\xbb\xbf",
        "byte order mark": b"\xef\xbb\xbf" + before + after,
        "CRLF": (before + after).replace(b"\n", b"\r\n"),
        "wrong checksum": before + lines[middle].replace(b"message", b"massage", 1) + b"".join(lines[middle + 1 :]),
        "changed text": before + lines[middle].replace(b"word", b"ward") + b"".join(lines[middle + 1 :]),
        "a record is missing": before + b"".join(lines[middle + 2 :]),
        "twice the same": before + lines[middle - 1] + after,
        "unknown kind": before + encode(middle, "picture", {"a": 1}, NOW) + after,
        "newer": before + b'{"schema":9,"seq":%d,"kind":"message","message":{}}\n' % middle + after,
        "bad message": before + encode(middle, "message", {"id": 5}, NOW) + after,
        "bad lines": before + b"{nothing\n" * 1_200 + after,
        "blank lines": before + b"\n \n" + after,
        "deep": before + b"[" * 100_000 + b"\n" + after,
        "leaf moved": before + after + encode(len(lines), "meta", {"name": LEAF, "value": None}, NOW),
        "leaf of nowhere": before + after + encode(len(lines), "meta", {"name": LEAF, "value": "msg_none"}, NOW),
    }


KINDS = tuple(damages([b"{}\n"] * 4))


@pytest.mark.parametrize("kind", KINDS)
def test_damage_is_counted_and_told_as_when_read_whole(tmp_path: Path, kind: str) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 12, "a word 词 \u2028")
    handle.close()
    lines = handle.path.read_bytes().splitlines(keepends=True)
    handle.path.write_bytes(damages(lines)[kind])
    facts, live = same(handle.path)
    harmless = ("sound", "no last newline", "byte order mark", "CRLF", "twice the same", "blank lines", "leaf moved", "leaf of nowhere")
    assert bool(facts.damaged) == (kind not in harmless)
    if kind not in ("leaf moved", "leaf of nowhere"):
        newest = FilePager(handle.path).newest().messages
        assert [one.id for one in newest] == [one.id for one in live[len(live) - len(newest) :]]


def test_random_damage_is_told_the_same(tmp_path: Path) -> None:
    seed = drawn_seed()
    dice = random.Random(seed)
    handle = new_handle(store_in(tmp_path))
    filled(handle, 30, "some words")
    handle.close()
    sound = handle.path.read_bytes()
    for _ in range(150):
        data = bytearray(sound)
        for _ in range(dice.randrange(1, 4)):
            at = dice.randrange(len(data))
            match dice.randrange(4):
                case 0:
                    data[at] = dice.randrange(256)
                case 1:
                    del data[at : at + dice.randrange(1, 900)]
                case 2:
                    data[at:at] = data[dice.randrange(len(data)) :][: dice.randrange(1, 900)]
                case _:
                    data[at : at + 9] = b"\0" * dice.randrange(1, 40)
        handle.path.write_bytes(bytes(data))
        same(handle.path)


def test_random_trees_have_the_same_branches(tmp_path: Path) -> None:
    seed = drawn_seed()
    dice = random.Random(seed)
    path = tmp_path / "t.jsonl"
    for _ in range(12):
        said: list[Message] = []
        with path.open("wb") as file:
            for number in range(60):
                parent = dice.choice([None, "msg_lost", *(one.id for one in said[-4:])]) if said else None
                said.append(message(f"m {number}", number=number, parent=parent))
                file.write(line_of(number, said[-1]))
        same(path)
        loaded, pager, memory = read_transcript(path), FilePager(path), LoadedPager(read_transcript(path))
        whole(pager)
        for one in dice.sample(said, 12):
            assert pager.show(one.id) and memory.show(one.id)
            there, here = walk(pager), walk(memory)
            assert there == here and one.id in [m.id for m in there]
            assert pager.number_of(one.id) == memory.number_of(one.id) == [m.id for m in there].index(one.id) + 1
            number = pager.number_of(one.id)
            assert pager.page(number, number).versions == memory.page(number, number).versions
            assert pager.index(1.0).is_live == memory.index(1.0).is_live == (one in loaded.live or there == list(loaded.live))
        assert not pager.show("msg_none") and not memory.show("msg_none")


def test_versions_lead_to_every_branch(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    first, old = filled(handle, 2)
    new = handle.append(message("the new answer", "assistant", number=5, parent=first.id))
    handle.append(message("thanks", number=6, parent=new.id))
    handle.close()
    for pager in (FilePager(handle.path), LoadedPager(read_transcript(handle.path))):
        whole(pager)
        versions = pager.newest().versions
        assert list(versions) == [new.id]
        assert (versions[new.id].position, versions[new.id].ids) == (2, (old.id, new.id))
        assert pager.show(old.id) and not pager.index(1.0).is_live
        assert [one.id for one in pager.page(1, 9).messages] == [first.id, old.id]
        assert pager.show("") and pager.index(1.0).is_live


def test_what_is_written_since_is_read_on_with(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    filled(handle, 5)
    pager = FilePager(handle.path)
    assert whole(pager).total == 5
    more = handle.append(message("later", number=9))
    facts = pager.index(60.0)
    assert facts.done and facts.total == 6 and pager.number_of(more.id) == 6 and pager.newest().messages[-1] == more
    data = handle.path.read_bytes()
    handle.close()
    handle.path.write_bytes(data + data.splitlines(keepends=True)[-1][:60])
    torn = pager.index(60.0)
    assert torn.total == 6 and torn.damaged == 1, "a line that is still being written"
    handle.path.write_bytes(data)
    assert pager.index(60.0).damaged == 0


def test_another_file_in_its_place_is_indexed_anew(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    written(path, 40)
    pager = FilePager(path)
    assert whole(pager).total == 40
    other = tmp_path / "other"
    said = written(other, 12, "other")
    other.replace(path)
    assert whole(pager).total == 12 and walk(pager) == said


def test_results_stand_on_the_page_of_their_calls(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paging, "PAGE_MESSAGES", 4)
    handle = new_handle(store_in(tmp_path))
    for number in range(12):
        handle.append(message("ask", number=number))
        handle.append(message("", "assistant", parts=(ToolCallPart(f"c{number}", "Bash", {"command": "ls"}),)))
        handle.append(message("", "tool", parts=(ToolResultPart(f"c{number}", "Bash", "a"),)))
        handle.append(message("", "tool", parts=(ToolResultPart(f"d{number}", "Bash", "b"),)))
    handle.close()
    pager = FilePager(handle.path)
    last = whole(pager).total
    while last:
        page = pager.page(0, last)
        assert page.messages[0].role != "tool"
        last = page.first - 1


@pytest.mark.parametrize("make", [FilePager, lambda path: LoadedPager(read_transcript(path))])
def test_words_are_found_in_every_part_and_script(tmp_path: Path, make: Callable[[Path], Pager]) -> None:
    handle = new_handle(store_in(tmp_path))
    handle.append(message("Die STRASSE ist lang"))
    handle.append(message("", "assistant", parts=(ThinkingPart("a Pangolin, perhaps"), TextPart("穿山甲 is its name"))))
    handle.append(message("", "assistant", parts=(ToolCallPart("c", "Bash", {"command": 'grep "pangolin" x'}),)))
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Bash", "no PANGOLIN\nhere"),)))
    handle.append(message("<reminder> pangolin", origin="app"))
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Bash", "x" * 80_000 + " needle"),)))
    handle.append(message("ÉCOLE élève"))
    handle.close()
    pager = make(handle.path)
    whole(pager)

    def numbers(words: str, start: int = 1) -> tuple[int, ...]:
        finding = pager.find(words, start, 60.0)
        assert finding.next == 0
        return finding.numbers

    assert numbers("pangolin") == (2, 3, 4) and numbers("pangolin", 3) == (3, 4)
    assert numbers("山甲") == (2,) and numbers('"pangolin" x') == (3,)
    assert numbers("école") == (7,) and numbers("needle") == (6,) and numbers("strasse") == (1,)
    assert numbers("nowhere") == ()
    stopped = pager.find("pangolin", 1, -1.0)
    assert stopped.next > 1 or stopped.numbers == (2, 3, 4)


def test_a_line_too_long_to_hold_gives_its_beginning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(paged_lines, "WHOLE", 200_000)
    monkeypatch.setattr(paged_lines, "KEPT", 20_000)
    path = tmp_path / "t.jsonl"
    long, call = "长" * 60_000, ToolCallPart("c1", "Write", {"file_path": "a", "content": "y" * 300_000})
    said = [
        message("short"),
        message("", "assistant", parts=(ThinkingPart("hm"), TextPart(long))),
        message("", "assistant", parts=(TextPart("I write"), call)),
        message("", "tool", parts=(ToolResultPart("c1", "Write", "z" * 400_000),)),
        message("end"),
    ]
    said = [replace(one, parent=before) for one, before in zip(said, [None, *(one.id for one in said)], strict=False)]
    path.write_bytes(b"".join(line_of(number, one) for number, one in enumerate(said)))
    pager = FilePager(path)
    facts = whole(pager)
    assert [place for place in facts.damage if place[0] > 1] == [] and facts.messages == 5
    live = walk(pager)
    assert [one.id for one in live] == [one.id for one in said] and [one.role for one in live] == [one.role for one in said]
    sizes = [(one.notes or {}).get(CUT) for one in live]
    assert sizes[0] is None and sizes[4] is None and all(isinstance(size, int) and size > 200_000 for size in sizes[1:4])
    thinking, text = live[1].parts
    assert thinking == ThinkingPart("hm") and isinstance(text, TextPart) and len(text.text) > 3_000 and long.startswith(text.text)
    assert live[2].parts[0] == TextPart("I write") and live[2].tool_calls[0].name == "Write"
    result = live[3].tool_results[0]
    assert result.call_id == "c1" and len(result.output) > 15_000 and set(result.output) == {"z"}
    data = path.read_bytes()
    path.write_bytes(data.replace(b"zzz", b"zzy", 1))
    assert whole(FilePager(path)).skipped == 1, "its checksum is looked at although it is never held"


def test_a_side_file_that_is_lost_is_said(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    handle.append(message("go"))
    handle.append(message("", "tool", parts=(ToolResultPart("c", "Bash", "x" * 100_000),)))
    handle.close()
    pager = FilePager(handle.path)
    assert whole(pager).damaged == 0
    part = walk(pager)[1].tool_results[0]
    assert len(part.output) < 20_000 and part.data is not None, "a page holds the first part, and the way to the rest"
    for file in handle.path.with_suffix(".files").iterdir():
        file.unlink()
    facts = whole(FilePager(handle.path))
    assert list(facts.damage) == read_transcript(handle.path).damage and facts.damaged == 1 and facts.skipped == 0


def test_utf_16_is_read_whole(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    said = written(path, 6)
    path.write_bytes(path.read_bytes().decode().encode("utf-16"))
    assert walk(open_pager(path)) == said


def test_a_file_that_is_none_is_said(tmp_path: Path) -> None:
    with pytest.raises(OSError):
        open_pager(tmp_path / "nowhere.jsonl")
    with pytest.raises(OSError):
        open_pager(tmp_path)


def test_the_index_takes_little_memory(tmp_path: Path) -> None:
    path, count = tmp_path / "t.jsonl", 20_000
    head = message("a " * 20)
    with path.open("wb") as file:
        for number in range(count):
            one = Message(f"msg_{number:026}", "user", head.parts, head.time, f"msg_{number - 1:026}" if number else None)
            file.write(line_of(number, one))
    pager = FilePager(path)
    tracemalloc.start()
    try:
        assert whole(pager).total == count
        held = tracemalloc.get_traced_memory()[0]
    finally:
        tracemalloc.stop()
    print(f"{held / count:.0f} bytes a message")
    assert held / count < 60


def test_pages_are_small(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    written(path, 30, "w" * 100_000)
    pager = FilePager(path)
    whole(pager)
    page: Page = pager.page(0, 30)
    assert 1 <= len(page.messages) <= 6
    assert page.first == 31 - len(page.messages)
