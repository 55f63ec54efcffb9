"""ReadSessionContext over a file as a stream gives what it gives over the transcript that is held, in bounded memory."""

from __future__ import annotations

import io
import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import pytest

from desktop.messages.codec import message_to_json
from desktop.messages.parts import Message, Origin, Part, Role, TextPart, ThinkingPart, ToolCallPart, ToolResultPart
from desktop.sessions import long_lines
from desktop.sessions.context import ContextResult, Material, Strategy, read_context
from desktop.sessions.context_stream import StreamedMaterial, open_material
from desktop.sessions.long_lines import KEPT, read_line
from desktop.sessions.record import decode_line, encode, header_to_json
from desktop.sessions.transcript import read_transcript
from tests.bench.bench_sessions import written_texts
from tests.bench.context_read import STATUS, Cost, measured
from tests.helpers.clock import FixedClock
from tests.helpers.seeds import drawn_seed
from tests.unit.sessions.make import message, new_handle, store_in

WORDS = (
    "the port",
    "端口",
    "5433",
    "postgres",
    "数据库",
    "parser",
    "解析器",
    "ｆｕｌｌ",
    "a\\b",
    'say "no"',
    "\u2028",
    "\ud800",
    "🙂",
    "日本語",
    "ไทย",
)
QUERIES = ("port 5433", "数据库 端口", "nothing of this kind", "say no", "")


def nonce() -> str:
    return "0123456789abcdef"


def held(path: Path, query: str, strategy: Strategy, tokens: int) -> ContextResult:
    return read_context(read_transcript(path), query, strategy=strategy, max_tokens=tokens, nonce=nonce)


def streamed(path: Path, query: str, strategy: Strategy, tokens: int, hint: str | None = None) -> ContextResult:
    with open_material(path, query if hint is None else hint) as material:
        return read_context(material, query, strategy=strategy, max_tokens=tokens, nonce=nonce)


def assert_equal(path: Path, query: str, strategy: Strategy = "relevant", tokens: int = 2_000, *, once: bool = False) -> ContextResult:
    expected = held(path, query, strategy, tokens)
    assert streamed(path, query, strategy, tokens) == expected
    if once:
        return expected
    assert streamed(path, query, strategy, tokens, hint="another question") == expected
    material: Material = StreamedMaterial(io.BytesIO(path.read_bytes()), query)
    assert read_context(material, query, strategy=strategy, max_tokens=tokens, nonce=nonce) == expected
    return expected


# --- generated transcripts ------------------------------------------------------------------------------------------------


@dataclass
class Generator:
    """Transcripts with everything that files hold: branches, values, tools, reminders, damage, long lines."""

    random: random.Random

    def text(self, long: bool = False) -> str:
        count = self.random.choice((1, 5, 40, 400)) if not long else self.random.randrange(100_000, 400_000)
        some = self.random.choices(WORDS, k=min(count, 60))
        return " ".join(some * (1 + count // 60))

    def parts(self, role: Role) -> tuple[Part, ...]:
        made: list[Part] = []
        for number in range(self.random.randrange(1, 4)):
            kind = self.random.randrange(6)
            if role == "tool":
                name = self.random.choice(("Read", "Bash", "memory_search", "read_file"))
                made.append(ToolResultPart(f"c{number}", name, self.text(), self.random.choice(("ok", "error"))))
            elif role == "assistant" and kind < 2:
                made.append(ToolCallPart(f"c{number}", "Edit", {"path": self.text(), "edits": [self.text(), 1, None]}))
            elif role == "assistant" and kind == 2:
                made.append(ThinkingPart(self.text()))
            elif role == "user" and kind == 0:
                made.append(TextPart(f"<system-reminder>{self.text()}</system-reminder>" + self.random.choice(("", "\nand my words"))))
            else:
                made.append(TextPart(self.text(), data={"card": self.text()} if kind == 3 else None))
        return tuple(made)

    def message(self, number: int, known: list[Message]) -> Message:
        role: Role = self.random.choice(("user", "assistant", "tool"))
        parent = None
        if known and self.random.random() < 0.95:
            parent = (self.random.choice(known) if self.random.random() < 0.1 else known[-1]).id
        if self.random.random() < 0.03:
            parent = "msg_lost"
        origin: Origin | None = "app" if self.random.random() < 0.1 else None
        return message("", role, number=number, parent=parent, parts=self.parts(role), origin=origin)

    def lines(self, header: dict[str, Any]) -> Iterator[bytes]:
        now = FixedClock().moment
        known: list[Message] = []
        if self.random.random() < 0.9:
            yield encode(0, "session", header, now)
        for number in range(1, self.random.randrange(2, 60)):
            if known and self.random.random() < 0.1:
                value: object = self.random.choice([None, "msg_unknown", self.random.choice(known).id])
                yield encode(number, "meta", {"name": "leaf", "value": value}, now)
            elif self.random.random() < 0.05:
                name = self.random.choice(("title", "generated_title", "model", "mode"))
                yield encode(number, "meta", {"name": name, "value": self.text()[:200]}, now)
            elif known and self.random.random() < 0.04:
                yield encode(number, "message", message_to_json(self.random.choice(known)), now)
            else:
                known.append(self.message(number, known))
                yield encode(number, "message", message_to_json(known[-1]), now)

    def damaged(self, lines: list[bytes]) -> list[bytes]:
        for _ in range(self.random.randrange(4)):
            at = self.random.randrange(len(lines))
            line = lines[at] or b"\n"
            middle = self.random.randrange(max(1, len(line)))
            lines[at] = self.random.choice(
                [
                    line[:middle] + b"\n",
                    line[:middle] + lines[self.random.randrange(len(lines))],
                    b"\0" * 300 + line,
                    line[:middle] + bytes([line[middle] ^ 1]) + line[middle + 1 :],
                    b"",
                    line.replace(b'"schema":1', b'"schema":9'),
                    b'{"half": \n',
                    line[:-20] + b"}\n",
                    b'{"schema":1,"seq":3,"kind":"message","message":' + b"[" * 3_000 + b"\n",
                ]
            )
        if self.random.random() < 0.3:
            lines[-1] = lines[-1][: self.random.randrange(len(lines[-1]) + 1)]
        return lines


def header_of(tmp_path: Path) -> dict[str, Any]:
    return header_to_json(new_handle(store_in(tmp_path)).header)


@pytest.mark.parametrize("part", range(4))
def test_a_stream_gives_what_the_held_transcript_gives(tmp_path: Path, part: int) -> None:
    seed = drawn_seed()
    path, header, statuses = tmp_path / "t.jsonl", header_of(tmp_path), set()
    for number in range(20):
        generator = Generator(random.Random(seed + number))
        lines = list(generator.lines(header)) or [b""]
        path.write_bytes(b"".join(generator.damaged(lines) if number % 2 else lines))
        query = generator.random.choice(QUERIES)
        strategy: Strategy = generator.random.choice(("relevant", "handoff"))
        result = assert_equal(path, query, strategy, generator.random.choice((1, 300, 2_000, 12_000)))
        statuses.add(result.status)
    assert "success" in statuses


@pytest.mark.parametrize("content", [b"", b"\n\n", b"\0" * 5_000, b"no record\n", "header", "gap", "unnamed", "unknown", "future"])
def test_a_file_without_messages(tmp_path: Path, content: bytes | str) -> None:
    now, header = FixedClock().moment, header_of(tmp_path)
    made: dict[str, bytes] = {
        "header": encode(0, "session", header, now),
        "gap": encode(3, "session", header, now),
        "unnamed": encode(0, "session", header, now) + encode(1, "meta", {"value": 1}, now),
        "unknown": encode(0, "session", header, now) + encode(1, "song", {}, now),
        "future": encode(0, "session", header, now).replace(b'"schema":1', b'"schema":7'),
    }
    path = tmp_path / "t.jsonl"
    path.write_bytes(made[content] if isinstance(content, str) else content)
    assert_equal(path, "x")


def test_the_mark_of_an_encoding_is_no_damage(tmp_path: Path) -> None:
    path = tmp_path / "t.jsonl"
    path.write_bytes(b"\xef\xbb\xbf" + encode(0, "session", header_of(tmp_path), FixedClock().moment))
    for _ in range(2):
        expected = held(path, "x", "relevant", 1_000)
        assert expected.status == "success" and streamed(path, "x", "relevant", 1_000) == expected
        path.write_bytes(path.read_bytes() + encode(1, "message", message_to_json(message("words")), FixedClock().moment))


def test_a_file_that_is_not_there_or_no_file_has_failed(tmp_path: Path) -> None:
    for path in (tmp_path / "missing.jsonl", tmp_path):
        result = streamed(path, "x", "relevant", 1_000)
        assert (result.status, result.source, result.text) == ("failed", "none", "")


def test_utf16_is_read_too(tmp_path: Path) -> None:
    handle = new_handle(store_in(tmp_path))
    handle.append(message("端口是 5433"))
    handle.close()
    path = tmp_path / "t.jsonl"
    path.write_bytes(handle.path.read_text("ascii").encode("utf-16"))
    expected = held(path, "5433", "relevant", 1_000)
    assert streamed(path, "5433", "relevant", 1_000) == expected and "端口是 5433" in expected.text


# --- long lines -----------------------------------------------------------------------------------------------------------


def long_message(kind: str, text: str) -> Message:
    parts: dict[str, tuple[Role, tuple[Part, ...]]] = {
        "text": ("assistant", (TextPart("before"), TextPart(text), TextPart("after"))),
        "call": ("assistant", (ToolCallPart("c", "Write", {"file_path": "a.py", "content": text, "mode": 7}),)),
        "list": ("assistant", (ToolCallPart("c", "Edit", {"edits": [text, text], text[:KEPT]: 1}),)),
        "result": ("tool", (ToolResultPart("c", "Bash", text, data={"image": text}), ToolResultPart("d", "Read", text + " "))),
        "thinking": ("assistant", (ThinkingPart(text), TextPart("short"))),
        "reminder": ("user", (TextPart(f"<system-reminder>{text}</system-reminder>\n\n"), TextPart("my words"))),
    }
    role, made = parts[kind]
    return message("", role, parts=made)


def chained(*messages: Message) -> list[bytes]:
    """Records of messages one behind the other, from number 1 on."""
    made, parent = [], None
    for number, one in enumerate(messages, 1):
        made.append(encode(number, "message", message_to_json(replace(one, parent=parent)), FixedClock().moment))
        parent = one.id
    return made


UNITS = ('plain words with "quotes" and \\back\\slashes\n', "\\", '"', "汉字", "🙂", "\ud83d", "\x01", "a\\\\u0041")


@pytest.mark.parametrize("kind", ["text", "call", "list", "result", "thinking", "reminder"])
@pytest.mark.parametrize("unit", UNITS, ids=ascii)
def test_a_long_line_is_read_in_pieces(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, kind: str, unit: str) -> None:
    """Pieces of an odd size, so that they end everywhere: between a backslash and what it stands for, before a quote, in a pair."""
    monkeypatch.setattr(long_lines, "LONG", 5_000)
    monkeypatch.setattr(long_lines, "PIECE", 1_009)
    header, now, path = header_of(tmp_path), FixedClock().moment, tmp_path / "t.jsonl"
    raw = len(json.dumps(unit)) - 2
    odd = "x" * random.Random(repr(unit)).randrange(7)
    lines = [encode(0, "session", header, now)]
    lines += chained(message("the first question"), long_message(kind, odd + unit * (300_000 // raw)), message("the last words"))
    path.write_bytes(b"".join(lines))
    result = assert_equal(path, "quotes 汉字 words", "handoff" if kind in ("text", "list") else "relevant", 4_000, once=True)
    assert "last words" in result.text
    file = io.BytesIO(b"".join(lines))
    for line in lines:
        read = read_line(file)
        assert read is not None
        (record,) = decode_line(read)
        assert not isinstance(record, str) and not record.note
        assert len(read) < 4 * KEPT if line is lines[2] else read == line


@pytest.mark.parametrize("broken", ["torn", "glued", "flipped", "unfinished", "no checksum"])
def test_a_damaged_long_line_is_saved_as_far_as_it_goes(tmp_path: Path, broken: str) -> None:
    header, now, path = header_of(tmp_path), FixedClock().moment, tmp_path / "t.jsonl"
    first, line, after = chained(message("the port is 5433"), message("word " * 400_000), message("after it"))
    head = encode(0, "session", header, now) + first
    cases: dict[str, Callable[[], bytes]] = {
        "torn": lambda: line[:1_500_000] + b"\n" + after,
        "glued": lambda: line[:1_500_000] + after,
        "flipped": lambda: line.replace(b"word word", b"ward word", 1) + after,
        "unfinished": lambda: line[:1_500_000],
        "no checksum": lambda: line[:-19] + b"}\n" + after,
    }
    path.write_bytes(head + cases[broken]())
    result = assert_equal(path, "port", "handoff")
    assert "5433" in result.text and ("after it" in result.text) == (broken != "unfinished")


# --- figures --------------------------------------------------------------------------------------------------------------

LINUX = pytest.mark.skipif(not STATUS.exists(), reason="only Linux tells a process its own peak")


def told(path: Path) -> Cost:
    """What reading the transcript costs; it has to find something."""
    cost = measured(path, "端口 5433")
    size = path.stat().st_size / 1e6
    print(f"{size:.0f} MB: {cost.seconds:.1f} s CPU, {cost.before:.0f} MiB before, {cost.peak:.0f} at the peak")
    assert cost.cited > 0
    return cost


def mixed(megabytes: int) -> Iterator[str]:
    for number in range(megabytes * 305):
        yield ("端口 port 5433 " if number % 50 == 0 else "some words of a conversation, 一些话 ") * 60


@LINUX
def test_the_memory_does_not_grow_with_the_file(tmp_path: Path) -> None:
    path = written_texts(store_in(tmp_path), mixed(20))
    assert path.stat().st_size > 10_000_000
    cost = told(path)
    assert cost.peak - cost.before < 40


@LINUX
def test_a_line_of_many_megabytes_is_never_held(tmp_path: Path) -> None:
    path = written_texts(store_in(tmp_path), ["the port is 5433", "文字 text " * 2_000_000, "端口 5433"])
    assert path.stat().st_size > 30_000_000
    cost = told(path)
    assert cost.peak - cost.before < 40


@pytest.mark.full
@LINUX
@pytest.mark.parametrize("kind", ["messages", "short", "line"])
def test_a_transcript_of_100_mb_keeps_its_budget(tmp_path: Path, kind: str) -> None:
    texts: dict[str, Callable[[], Iterator[str]]] = {
        "messages": lambda: ("端口 port 5433 " * 120 for _ in range(30_500)),
        "short": lambda: (f"short words {number}, port" for number in range(240_000)),
        "line": lambda: iter(["the port is 5433", "文字 text " * 6_000_000]),
    }
    path = written_texts(store_in(tmp_path), texts[kind]())
    assert path.stat().st_size > 95_000_000
    cost = told(path)
    assert cost.peak <= 300 and (cost.seconds <= 5.0 or kind == "short")
