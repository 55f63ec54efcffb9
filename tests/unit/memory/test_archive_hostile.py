"""Hostile archives: each kind is refused whole, with one error that names the entry, and nothing is written."""

from __future__ import annotations

import io
import os
import random
import stat
import struct
import time
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest

from desktop.base.errors import KeepsakeError, UsageError
from desktop.memory.archive import import_memory
from desktop.memory.archive_check import MAX_FILE, MAX_FILES, opened, read_entries
from tests.helpers.seeds import drawn_seed
from tests.unit.memory.conftest import PERSON, Desk

GOOD = b"---\nname: good\n---\ntext\n"


def packed(*entries: tuple[str | zipfile.ZipInfo, bytes], compression: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A zip of a good file and these entries."""
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", compression) as archive:
        archive.writestr("good.md", GOOD)
        for name, data in entries:
            archive.writestr(name, data)
    return stream.getvalue()


def named(name: str, data: bytes = b"x\n") -> Callable[[], bytes]:
    return lambda: packed((name, data))


def patched(name: str, wanted: bytes, data: bytes = b"x\n") -> Callable[[], bytes]:
    """An entry whose name's bytes are replaced after packing."""
    return lambda: packed((name, data), compression=zipfile.ZIP_STORED).replace(name.encode(), wanted)


def attributed(mode: int = 0, attributes: int = 0) -> Callable[[], bytes]:
    def build() -> bytes:
        info = zipfile.ZipInfo("bad.md")
        info.create_system = 3
        info.external_attr = (mode << 16) | attributes
        return packed((info, b"/etc/passwd"))

    return build


def central(field: int, form: str, value: int, *, local: int | None = None) -> Callable[[], bytes]:
    """A zip in which one field of the last entry's directory record (and of its local header) says something else."""

    def build() -> bytes:
        data = bytearray(packed(("bad.md", b"some text that is long enough\n" * 40)))
        at = data.rfind(b"PK\x01\x02")
        struct.pack_into(form, data, at + field, value)
        if local is not None:
            offset = struct.unpack_from("<I", data, at + 42)[0]
            struct.pack_into(form, data, offset + local, value)
        return bytes(data)

    return build


def end(field: int, form: str, value: int) -> Callable[[], bytes]:
    """A zip whose end record says something else."""

    def build() -> bytes:
        data = bytearray(packed(("bad.md", b"x\n")))
        struct.pack_into(form, data, data.rfind(b"PK\x05\x06") + field, value)
        return bytes(data)

    return build


def duplicate() -> bytes:
    data = packed(("bad1.md", b"one\n"), ("bad2.md", b"two\n"), compression=zipfile.ZIP_STORED)
    return data.replace(b"bad2.md", b"bad1.md")


def corrupted() -> bytes:
    data = bytearray(packed(("bad.md", b"some text\n"), compression=zipfile.ZIP_STORED))
    data[data.find(b"some text")] ^= 1
    return bytes(data)


def overlapping() -> bytes:
    """Two directory records that lead to the same bytes."""
    data = bytearray(packed(("bad1.md", b"one\n"), ("bad2.md", b"two\n"), compression=zipfile.ZIP_STORED))
    second = data.rfind(b"PK\x01\x02")
    first = data.rfind(b"PK\x01\x02", 0, second)
    struct.pack_into("<I", data, second + 42, struct.unpack_from("<I", data, first + 42)[0])
    return bytes(data)


def second_name() -> bytes:
    info = zipfile.ZipInfo("bad.md")
    other = b"../evil.md"
    info.extra = struct.pack("<HHBI", 0x7075, 5 + len(other), 1, 0) + other
    return packed((info, b"x\n"))


def encrypted() -> bytes:
    return central(8, "<H", 1, local=6)()


def local_flag() -> bytes:
    data = bytearray(packed(("bad.md", b"x\n")))
    struct.pack_into("<H", data, struct.unpack_from("<I", data, data.rfind(b"PK\x01\x02") + 42)[0] + 6, 1)
    return bytes(data)


def newer_manifest() -> bytes:
    return packed(("keepsake.json", b'{"schema": 99, "files": {}}'))


def bomb() -> bytes:
    return packed(("bad.md", b"\x00" * MAX_FILE))


def disguised_bomb() -> bytes:
    """It says to be small and unpacks to much more."""
    data = bytearray(packed(("bad.md", b"\x00" * (40 << 20))))
    at = data.rfind(b"PK\x01\x02")
    struct.pack_into("<I", data, at + 24, 100)
    struct.pack_into("<I", data, struct.unpack_from("<I", data, at + 42)[0] + 22, 100)
    return bytes(data)


def many(count: int, name: str) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for number in range(count):
            archive.writestr(name.format(number=number), b"")
    return stream.getvalue()


def huge_directory() -> bytes:
    """A small file whose directory repeats one record again and again, as many as the end record admits to."""
    data = packed(compression=zipfile.ZIP_STORED)
    at, stop = data.find(b"PK\x01\x02"), data.rfind(b"PK\x05\x06")
    record = data[at:stop]
    count = 65_534
    return data[:at] + record * count + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, count, count, len(record) * count, at, 0)


def lying_directory() -> bytes:
    """More records than the end record says."""
    data = packed(compression=zipfile.ZIP_STORED)
    at, stop = data.find(b"PK\x01\x02"), data.rfind(b"PK\x05\x06")
    record = data[at:stop]
    return data[:at] + record * 9 + struct.pack("<4sHHHHIIH", b"PK\x05\x06", 0, 0, 1, 1, len(record) * 9, at, 0)


def too_much() -> bytes:
    """Many files whose sum is over the limit; each says its size without holding it."""
    stream = io.BytesIO()
    block = os.urandom(MAX_FILE)
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_STORED) as archive:
        for number in range(41):
            archive.writestr(f"n{number}.md", block)
    return stream.getvalue()


def nested() -> bytes:
    return packed(("bad.md", packed()), compression=zipfile.ZIP_STORED)


HOSTILE: dict[str, tuple[Callable[[], bytes], str]] = {
    "absolute": (named("/etc/evil.md"), "evil.md"),
    "double slash": (named("//host/share/evil.md"), "evil.md"),
    "parent": (named("../evil.md"), "evil.md"),
    "parent in the middle": (named("a/../../evil.md"), "evil.md"),
    "parent that stays inside": (named("a/../evil.md"), "evil.md"),
    "dot": (named("./evil.md"), "evil.md"),
    "empty part": (named("a//evil.md"), "evil.md"),
    "backslash": (named("..\\evil.md"), "evil.md"),
    "backslash in a name": (named("a\\b.md"), "b.md"),
    "drive": (named("C:evil.md"), "evil.md"),
    "drive with slash": (named("C:/evil.md"), "evil.md"),
    "stream": (named("evil.md:hidden.md"), "hidden.md"),
    "nul in the name": (patched("evil#.md", b"evil\x00.md"), "evil"),
    "control character": (named("ev\til.md"), "il.md"),
    "line break": (named("evil\n.md"), "evil"),
    "right-to-left mark": (named("evil\u202edm.md"), "evil"),
    "zero width": (named("evil\u200b.md"), "evil"),
    "trailing dot": (named("evil./x.md"), "evil"),
    "trailing blank": (named("evil /x.md"), "evil"),
    "disguised parent": (named("\uff0e\uff0e/evil.md"), "evil.md"),
    "disguised slash": (named("..\u2215evil.md"), "evil.md"),
    "encoded parent": (named("%2e%2e/evil.md"), "evil.md"),
    "protected folder": (named(".git/hooks/evil.md"), ".git"),
    "protected folder, other case": (named("sub/.GIT/evil.md"), ".GIT"),
    "protected name of a program": (named(".claude/commands/evil.md"), ".claude"),
    "hooks": (named("hooks/evil.md"), "hooks"),
    "too long a name": (named("e" * 300 + ".md"), "eee"),
    "not markdown": (named("evil.sh"), "evil.sh"),
    "no suffix": (named("evil"), "evil"),
    "suffix in another case": (named("evil.MD"), "evil.MD"),
    "desktop file": (named("evil.md.desktop"), "desktop"),
    "archive by name": (named("evil.zip"), "evil.zip"),
    "archive by content": (nested, "bad.md"),
    "link": (attributed(stat.S_IFLNK | 0o777), "bad.md"),
    "device": (attributed(stat.S_IFCHR | 0o600), "bad.md"),
    "pipe": (attributed(stat.S_IFIFO | 0o600), "bad.md"),
    "reparse point": (attributed(attributes=0x400), "bad.md"),
    "folder that is a file": (attributed(stat.S_IFDIR | 0o700), "bad.md"),
    "folder with data": (named("evil/", b"data"), "evil"),
    "twice": (duplicate, "bad1.md"),
    "case twin": (named("GOOD.md"), "GOOD.md"),
    "unicode twin": (lambda: packed(("caf\u00e9.md", b"a"), ("cafe\u0301.md", b"b")), "caf"),
    "folder twin": (lambda: packed(("Sub/a.md", b"a"), ("sub/A.md", b"b")), "sub/A.md"),
    "twin of a folder": (lambda: packed(("Sub/a.md", b"a"), ("sub/b.md", b"b")), "sub/b.md"),
    "file and folder": (lambda: packed(("good.md/evil.md", b"a")), "good.md/evil.md"),
    "folder and file": (lambda: packed(("x.md/evil.md", b"a"), ("x.md", b"b")), "x.md"),
    "encrypted": (encrypted, "bad.md"),
    "encrypted in the local header only": (local_flag, "bad.md"),
    "strongly encrypted": (central(8, "<H", 1 << 6, local=6), "bad.md"),
    "masked": (central(8, "<H", 1 << 13, local=6), "bad.md"),
    "patched data": (central(8, "<H", 1 << 5, local=6), "bad.md"),
    "bzip2": (lambda: packed(("bad.md", b"x" * 99), compression=zipfile.ZIP_BZIP2), "good.md"),
    "lzma": (lambda: packed(("bad.md", b"x" * 99), compression=zipfile.ZIP_LZMA), "good.md"),
    "unknown packing": (central(10, "<H", 99, local=8), "bad.md"),
    "wrong checksum": (corrupted, "bad.md"),
    "wrong checksum in both headers": (central(16, "<I", 1, local=14), "bad.md"),
    "wrong size": (central(24, "<I", 7, local=22), "bad.md"),
    "larger than it says": (disguised_bomb, "bad.md"),
    "negative offset": (central(42, "<I", 0x7FFFFFFF), "bad.md"),
    "offset into the directory": (central(42, "<I", 400), "bad.md"),
    "overlap": (overlapping, "bad"),
    "two names": (second_name, "bad.md"),
    "too large a file": (lambda: packed(("bad.md", os.urandom(MAX_FILE + 1))), "bad.md"),
    "bomb": (bomb, "bad.md"),
    "too much in all": (too_much, "n40.md"),
    "too many files": (lambda: many(MAX_FILES + 1, "n{number}.md"), f"n{MAX_FILES}.md"),
    "too many folders": (lambda: many(MAX_FILES * 2 + 1, "d{number}/"), ""),
    "huge directory": (huge_directory, ""),
    "directory with more than it says": (lying_directory, ""),
    "directory with fewer": (end(10, "<H", 1), ""),
    "several disks": (end(4, "<H", 3), ""),
    "directory elsewhere": (end(16, "<I", 3), ""),
    "directory of another size": (end(12, "<I", 60), ""),
    "data in front": (lambda: b"#!/bin/sh\n" + packed(("bad.md", b"x")), ""),
    "data behind": (lambda: packed(("bad.md", b"x")) + b"rest", ""),
    "cut off": (lambda: packed(("bad.md", b"x" * 500))[:-30], ""),
    "cut in the middle": (lambda: packed(("bad.md", b"x" * 500))[:90], ""),
    "empty": (lambda: b"", ""),
    "no zip": (lambda: b"hello world" * 99, ""),
    "only an end record": (lambda: b"PK\x05\x06" + b"\x00" * 3, ""),
    "tar": (lambda: b"ustar" * 400, ""),
    "newer manifest": (newer_manifest, "99"),
    "broken manifest": (named("keepsake.json", b"{"), "keepsake.json"),
    "deep manifest": (named("keepsake.json", b"[" * 60_000), "keepsake.json"),
    "manifest without a schema": (named("keepsake.json", b"[]"), "keepsake.json"),
    "manifest of text": (named("keepsake.json", b'{"schema": "1"}'), "keepsake.json"),
    "manifest bomb": (named("keepsake.json", b" " * (9 << 20)), "keepsake.json"),
    "manifest in another case": (named("Keepsake.json", b"{}"), "Keepsake.json"),
    "nested manifest": (named("sub/keepsake.json", b"{}"), "keepsake.json"),
    "unknown character set": (lambda: packed(("zzz.md", b"x"), compression=zipfile.ZIP_STORED).replace(b"zzz.md", b"\xce\xc4\xbc.md"), ""),
}


def everything(folder: Path) -> dict[str, bytes]:
    return {str(path): path.read_bytes() for path in folder.rglob("*") if path.is_file() and "locks" not in path.parts}


@pytest.mark.parametrize("kind", list(HOSTILE))
def test_a_hostile_archive_is_refused_whole_and_names_its_entry(desk: Desk, kind: str) -> None:
    build, name = HOSTILE[kind]
    desk.add("mine.md", "mine")
    before = everything(desk.paths.data)
    with pytest.raises(KeepsakeError) as caught:
        import_memory(desk.store, io.BytesIO(build()), origin=PERSON)
    assert type(caught.value).__name__ in ("UsageError", "RefusedError")
    text = caught.value.text()
    assert name in text
    assert "\n" not in text
    assert "\x00" not in text
    assert caught.value.hint
    assert everything(desk.paths.data) == before
    assert not (desk.root.parent / "evil.md").exists()


def test_there_are_more_than_forty_kinds() -> None:
    assert len(HOSTILE) >= 40


def test_every_cut_of_an_archive_is_refused_or_read_whole(desk: Desk) -> None:
    data = packed(("a.md", b"some text\n" * 30), ("sub/b.md", b"more\n"))
    for size in range(0, len(data), 3):
        with pytest.raises(UsageError):
            import_memory(desk.store, io.BytesIO(data[:size]), origin=PERSON)
    assert not any(desk.root.iterdir())


def test_changed_bytes_never_lead_out_and_never_crash() -> None:
    """Whatever is changed in an archive: it is refused, or what it holds has a safe name and the length that it says."""
    seed = drawn_seed()
    rng = random.Random(seed)
    base = packed(("a.md", b"some text\n" * 30), ("sub/b.md", os.urandom(400)), ("keepsake.json", b'{"schema": 1, "files": {}}'))
    taken = 0
    for _ in range(3_000):
        data = bytearray(base)
        for _ in range(rng.randrange(1, 4)):
            data[rng.randrange(len(data))] = rng.randrange(256)
        try:
            with opened(io.BytesIO(bytes(data))) as archive:
                entries = read_entries(archive)
        except UsageError:
            continue
        taken += 1
        for entry in entries:
            assert entry.path.endswith(".md")
            assert ".." not in entry.path.split("/")
            assert not entry.path.startswith("/")
            assert entry.size <= MAX_FILE
    print("taken", taken)


def test_a_huge_directory_is_refused_before_it_is_read() -> None:
    import tracemalloc

    data = huge_directory()
    tracemalloc.start()
    try:
        started = time.process_time()
        with pytest.raises(UsageError), opened(io.BytesIO(data)):
            pass
        used = time.process_time() - started
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    print("seconds", used)
    assert peak < 8 << 20
