"""Packed transcripts: found by their first bytes, read as far as they are sound, never beyond the limit."""

from __future__ import annotations

import gzip
import json
import random
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from desktop.sessions.importers import list_transcripts, open_transcript, packed
from desktop.sessions.importers.places import standard_places
from desktop.sessions.importers.shapes import ImportedSession
from tests.unit.sessions.importers.codex_world import SESSION, plain_session, says

Packer = Callable[[bytes], bytes]
PACKERS: dict[str, Packer] = {
    "zstd": zstandard.ZstdCompressor().compress,
    "zstd without a size": lambda data: zstandard.ZstdCompressor(write_content_size=False).compress(data),
    "zstd in two parts": lambda data: zstandard.compress(data[:400]) + zstandard.compress(data[400:]),
    "gzip": gzip.compress,
}


def lines(records: list[dict[str, object]]) -> bytes:
    return b"".join(json.dumps(one, ensure_ascii=False).encode() + b"\n" for one in records)


def said(found: ImportedSession) -> list[tuple[str, str]]:
    return [(one.role, one.text) for one in found.messages]


@pytest.mark.parametrize("pack", PACKERS.values(), ids=PACKERS)
@pytest.mark.parametrize("name", ["rollout-2026-01-02-a.jsonl.zst", "rollout-2026-01-02-a.jsonl"])
def test_a_packed_rollout_reads_as_the_plain_one_whatever_its_name(tmp_path: Path, pack: Packer, name: str) -> None:
    plain, path = tmp_path / "plain.jsonl", tmp_path / name
    plain.write_bytes(lines(plain_session()))
    path.write_bytes(pack(lines(plain_session())))
    expected, found = open_transcript(plain), open_transcript(path)
    assert found == expected and found.messages
    [entry], [like] = list_transcripts(path), list_transcripts(plain)
    assert (entry.source, entry.title, entry.workspace) == ("codex", like.title, like.workspace)


def test_archived_rollouts_are_found_in_the_standard_place_of_codex(tmp_path: Path) -> None:
    folder = tmp_path / ".codex" / "archived_sessions"
    folder.mkdir(parents=True)
    (folder / "rollout-2026-01-02T03-04-05-x.jsonl.zst").write_bytes(zstandard.compress(lines(plain_session())))
    [place] = standard_places(tmp_path, {})
    [entry] = list_transcripts(place.path)
    assert (entry.source, open_transcript(entry.path).id) == ("codex", SESSION)


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16"])
def test_marks_of_the_encoding_are_known_inside(tmp_path: Path, encoding: str) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(zstandard.compress(lines(plain_session()).decode().encode(encoding)))
    plain = tmp_path / "plain.jsonl"
    plain.write_bytes(lines(plain_session()))
    assert said(open_transcript(path)) == said(open_transcript(plain))


@pytest.mark.parametrize("pack", [PACKERS["zstd"], PACKERS["gzip"]], ids=["zstd", "gzip"])
def test_what_stands_before_damage_is_read_and_the_rest_is_told(tmp_path: Path, pack: Packer) -> None:
    rng = random.Random(5)
    print("seed 5")
    noise = [says("user", f"{number} " + "".join(rng.choices("abcdefghij klmnop", k=2_000))) for number in range(400)]
    data = pack(lines([*plain_session(), *noise]))
    whole, path = tmp_path / "whole.jsonl", tmp_path / "a.jsonl"
    whole.write_bytes(data)
    every = said(open_transcript(whole))
    path.write_bytes(data[: len(data) * 2 // 3])
    cut = open_transcript(path)
    assert 11 < len(cut.messages) < len(every)
    assert said(cut) == every[: len(cut.messages)]
    assert "the packed file is cut" in cut.damage[-1].reason
    path.write_bytes(data[: len(data) // 2] + bytes(rng.randbytes(5_000)) + data[len(data) // 2 :])
    hurt = open_transcript(path)
    assert said(hurt)[:11] == every[:11]
    assert any("the packed file is" in one.reason for one in hurt.damage)


def test_a_file_that_becomes_too_large_is_refused_with_the_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(packed, "MOST_UNPACKED", 3 << 20)
    path = tmp_path / "bomb.jsonl.zst"
    path.write_bytes(zstandard.compress(lines([*plain_session(), says("user", "a" * (4 << 20))])))
    assert path.stat().st_size < 10_000
    found = open_transcript(path)
    assert found.source == "unknown" and not found.messages
    assert "3 MiB when it is unpacked" in found.damage[0].reason


def test_a_bomb_is_unpacked_in_small_steps(tmp_path: Path) -> None:
    path = tmp_path / "bomb.zst"
    path.write_bytes(zstandard.compress(bytes(200 << 20)))
    assert path.stat().st_size < 50_000
    with packed.opened(path) as file:
        raw = file.raw  # type: ignore[attr-defined]
        held = 0
        while file.read(1 << 20):
            held = max(held, len(raw._held))
    assert 0 < held <= 32 << 20


def test_only_a_marker_is_told_as_cut(tmp_path: Path) -> None:
    path = tmp_path / "a.zst"
    path.write_bytes(packed.ZSTD)
    found = open_transcript(path)
    assert (found.source, len(found.messages)) == ("unknown", 0)
    assert "cut" in found.damage[0].reason
    assert list_transcripts(path) == []
