"""Ways in which a transcript comes to harm, for tests of every format: each gives the damaged bytes and what must still be read of them.

`damaged_lines` takes a file of JSON lines, record by record; `damaged_bytes` takes any file. Pure, the same each time.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

SEED = 20261130


@dataclass(frozen=True)
class Harm:
    """One damaged file.

    Attributes:
        name: the kind of damage, for the test's id.
        data: the file's bytes.
        survivors: numbers, from 0, of the records that must be read; None: no promise but that nothing is raised.
        told: whether `damage` must say something; None: it may.
    """

    name: str
    data: bytes
    survivors: tuple[int, ...] | None
    told: bool | None


def damaged_lines(records: Sequence[bytes]) -> Iterator[Harm]:
    """Every kind of damage to a file of JSON lines.

    Args:
        records: at least six lines without their breaks, each a record that can be read by itself.
    """
    assert len(records) >= 6
    whole = tuple(range(len(records)))
    middle = len(records) // 2
    yield from _ends(list(records), whole)
    yield from _between(list(records), whole, middle)
    yield from _encodings(list(records), whole)
    yield from _values(list(records), whole, middle)


def _file(records: Sequence[bytes], end: bytes = b"\n") -> bytes:
    return end.join(records) + end


def _without(whole: tuple[int, ...], *gone: int) -> tuple[int, ...]:
    return tuple(number for number in whole if number not in gone)


def _ends(records: list[bytes], whole: tuple[int, ...]) -> Iterator[Harm]:
    last = len(records) - 1
    cut = records[last][: len(records[last]) * 2 // 3]
    first = records[0][len(records[0]) // 2 :]
    yield Harm("no newline at the end", b"\n".join(records), whole, False)
    yield Harm("torn last line", b"\n".join([*records[:-1], cut]), _without(whole, last), True)
    yield Harm("torn first line", _file([first, *records[1:]]), _without(whole, 0), True)
    yield Harm("NUL run at the end", _file(records) + b"\0" * 4096, whole, True)
    yield Harm("NUL run at the start", b"\0" * 4096 + b"\n" + _file(records), whole, True)
    yield Harm("binary at the start", _noise(2000) + b"\n" + _file(records), whole, True)


def _between(records: list[bytes], whole: tuple[int, ...], middle: int) -> Iterator[Harm]:
    before, after = records[:middle], records[middle:]
    torn = before[-1][: len(before[-1]) // 2]
    glued = [*before[:-1], torn + after[0], *after[1:]]
    yield Harm("torn line glued to the next", _file(glued), _without(whole, middle - 1), True)
    yield Harm("two records on one line", _file([*before[:-1], before[-1] + after[0], *after[1:]]), whole, None)
    yield Harm("NUL run in the middle", _file(before) + b"\0" * 400 + b"\n" + _file(after), whole, True)
    yield Harm("NUL run before a record", _file(before) + b"\0" * 400 + _file(after), whole, None)
    yield Harm("1 MB of binary in the middle", _file(before) + _noise(1 << 20) + b"\n" + _file(after), whole, True)
    yield Harm("binary glued to a record", _file(before) + _noise(300).replace(b"\n", b" ") + _file(after), whole, True)
    yield Harm("10,000 bad lines", _file(before) + b"{no json at all\n" * 10_000 + _file(after), whole, True)
    yield Harm("lines that are no objects", _file([*before, b"42", b"[1]", b'"words"', b"null", b"true", *after]), whole, True)
    yield Harm("blank lines", _file([*before, b"", b"   ", b"", *after]), whole, None)
    yield Harm("deleted in the middle", _file([*before[:-1], *after]), _without(whole, middle - 1), None)
    yield Harm("a record twice", _file([*before, before[-1], *after]), None, None)
    yield Harm("out of order", _file([*reversed(records)]), None, None)


def _encodings(records: list[bytes], whole: tuple[int, ...]) -> Iterator[Harm]:
    data = _file(records)
    text = data.decode("utf-8")
    yield Harm("byte order mark", b"\xef\xbb\xbf" + data, whole, False)
    yield Harm("CRLF", _file(records, b"\r\n"), whole, False)
    yield Harm("UTF-16, little end first", b"\xff\xfe" + text.encode("utf-16-le"), whole, False)
    yield Harm("UTF-16, big end first", b"\xfe\xff" + text.encode("utf-16-be"), whole, False)
    yield Harm("empty file", b"", (), True)
    yield Harm("blank file", b"\n  \n\t\n", (), True)
    yield Harm("only a byte order mark", b"\xef\xbb\xbf", (), True)
    yield Harm("only NUL", b"\0" * 8192, (), True)


def _values(records: list[bytes], whole: tuple[int, ...], middle: int) -> Iterator[Harm]:
    deep = b'{"a":' * 100_000 + b"1" + b"}" * 100_000
    lists = b"[" * 100_000 + b"]" * 100_000
    before, after = records[:middle], records[middle:]

    def extra(name: str, field: bytes, told: bool | None = False) -> Harm:
        grown = [b"{" + field + b"," + record.lstrip()[1:] for record in records]
        return Harm(name, _file(grown), whole, told)

    yield Harm("100,000-deep nesting", _file([*before, deep, lists, *after]), whole, True)
    yield Harm(
        "unknown record kind", _file([*before, b'{"type":"of-a-later-version","uuid":"later","x":{"type":"y"}}', *after]), whole, None
    )
    yield extra("NaN and Infinity", b'"odd_number":NaN,"odder":[Infinity,-Infinity]')
    yield extra("5,000-digit integer", b'"odd_number":' + b"7" * 5_000)
    yield extra("duplicate keys", b'"type":"of-no-kind","timestamp":false')
    yield extra("lone surrogate", b'"odd_text":"\\ud800 \\udfff"')
    yield extra("line separators", '"odd_text":"a\u2028b\u2029c\u0085d"'.encode())


def _noise(length: int) -> bytes:
    return random.Random(SEED).randbytes(length)


def damaged_bytes(data: bytes) -> Iterator[Harm]:
    """Damage to any file: cut at many places, bytes lost, bytes overwritten. Nothing may be raised; what survives depends on the format."""
    chance = random.Random(SEED)
    for number in range(1, 9):
        yield Harm(f"cut after {number}/9", data[: len(data) * number // 9], None, None)
    for number in range(8):
        at = chance.randrange(max(1, len(data)))
        length = chance.randint(1, 400)
        yield Harm(f"bytes lost {number}", data[:at] + data[at + length :], None, None)
        yield Harm(f"bytes overwritten {number}", data[:at] + chance.randbytes(length) + data[at + length :], None, None)
        yield Harm(f"NUL written over {number}", data[:at] + b"\0" * length + data[at + length :], None, None)
    yield Harm("glued to itself", data + data, None, None)
    yield Harm("only NUL", b"\0" * max(1, len(data)), None, True)
    yield Harm("empty", b"", (), True)


WRONG: tuple[object, ...] = (
    None,
    True,
    7,
    -1.5,
    10**30,
    "",
    "word",
    [],
    [None, 1, "x", [[]], {}],
    {},
    {"type": 3, "text": None, "content": {"x": []}},
)


def wrong_types(value: object, replace: Sequence[object] = WRONG) -> Iterator[object]:
    """A record with each of its fields, at every depth, of each wrong type in turn.

    Args:
        value: the JSON value of one record.
    """
    for place in _places(value):
        for wrong in replace:
            yield _with(value, place, wrong)


Place = tuple[str | int, ...]


def _places(value: object, here: Place = ()) -> Iterator[Place]:
    if here:
        yield here
    if isinstance(value, dict):
        for key, item in value.items():
            yield from _places(item, (*here, key))
    elif isinstance(value, list):
        for number, item in enumerate(value):
            yield from _places(item, (*here, number))


def _with(value: object, place: Place, wrong: object) -> object:
    if not place:
        return wrong
    head, rest = place[0], place[1:]
    if isinstance(value, dict):
        return {key: _with(item, rest, wrong) if key == head else item for key, item in value.items()}
    assert isinstance(value, list)
    return [_with(item, rest, wrong) if number == head else item for number, item in enumerate(value)]
