"""Request dumps: names, numbers, mode, what is left out."""

from __future__ import annotations

import json
import os
import stat
import threading
from pathlib import Path

import pytest

from desktop.base.errors import StorageError
from desktop.providers.dump import RequestDumper, clean_url, parsed_body
from tests.helpers.clock import FixedClock


def test_one_file_a_request(tmp_path: Path) -> None:
    folder = tmp_path / "new" / "dumps"
    dump = RequestDumper(folder, FixedClock())
    dump("main", "openai:x", "https://host/v1?key=1&alt=sse", b'{"text": "\xe4\xbd\xa0\xe5\xa5\xbd"}')
    dump("session_state", "openai:x", "https://host/v1", "no JSON")
    assert sorted(p.name for p in folder.iterdir()) == ["0001-main.json", "0002-session_state.json"]
    text = (folder / "0001-main.json").read_text("utf-8")
    assert "你好" in text
    assert json.loads(text) == {
        "n": 1,
        "kind": "main",
        "model": "openai:x",
        "time": "2026-01-02T03:04:05.000Z",
        "url": "https://host/v1?alt=sse",
        "body": {"text": "你好"},
    }
    assert json.loads((folder / "0002-session_state.json").read_text("utf-8"))["body"] == "no JSON"


@pytest.mark.skipif(os.name != "posix", reason="permission bits are POSIX")
def test_only_the_owner_may_read(tmp_path: Path) -> None:
    RequestDumper(tmp_path / "d")("main", "m", "u", {})
    assert stat.S_IMODE((tmp_path / "d" / "0001-main.json").stat().st_mode) == 0o600


def test_numbers_go_on(tmp_path: Path) -> None:
    (tmp_path / "0041-main.json").write_text("{}")
    (tmp_path / "notes.txt").write_text("mine")
    first, second = RequestDumper(tmp_path), RequestDumper(tmp_path)
    first("main", "m", "u", {})
    second("main", "m", "u", {})
    first("main", "m", "u", {})
    assert sorted(p.name for p in tmp_path.glob("*.json")) == [f"00{n}-main.json" for n in (41, 42, 43, 44)]
    assert json.loads((tmp_path / "0043-main.json").read_text())["n"] == 43


def test_threads_never_share_a_number(tmp_path: Path) -> None:
    dump = RequestDumper(tmp_path)
    threads = [threading.Thread(target=dump, args=("main", "m", "u", {"i": i})) for i in range(20)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    dumped = [json.loads(p.read_text()) for p in sorted(tmp_path.iterdir())]
    assert [d["n"] for d in dumped] == list(range(1, 21))
    assert {d["body"]["i"] for d in dumped} == set(range(20))


def test_a_lone_surrogate_is_written(tmp_path: Path) -> None:
    RequestDumper(tmp_path)("main", "m", "u", {"t": "a\ud800你"})
    assert json.loads((tmp_path / "0001-main.json").read_text("utf-8"))["body"]["t"] == "a\ud800你"


def test_a_folder_that_is_a_file_is_named(tmp_path: Path) -> None:
    (tmp_path / "f").write_text("")
    with pytest.raises(StorageError) as caught:
        RequestDumper(tmp_path / "f")("main", "m", "u", {})
    assert str(tmp_path / "f") in caught.value.message


@pytest.mark.parametrize(
    ("url", "clean"),
    [
        ("https://h/v1/x?key=abc&alt=sse", "https://h/v1/x?alt=sse"),
        ("https://h/v1?api_key=a&access_token=b&api-version=1#f", "https://h/v1?api-version=1"),
        ("https://user:pass@h:8080/v1", "https://h:8080/v1"),
        ("http://[::1]:80/v1", "http://[::1]:80/v1"),
        ("scripted:/tmp/a b.json", "scripted:/tmp/a b.json"),
        ("http://[broken/v1?key=x", "(an address that cannot be read)"),
    ],
)
def test_addresses_without_credentials(url: str, clean: str) -> None:
    assert clean_url(url) == clean


def test_bodies() -> None:
    assert parsed_body('{"a": 1}') == {"a": 1}
    assert parsed_body(b"\xff") == "\ufffd"
    assert parsed_body({"a": 1}) == {"a": 1}
    assert parsed_body("[" * 100_000) == "[" * 100_000


def test_a_watcher_never_sees_half_a_file(tmp_path: Path) -> None:
    """Whoever waits for the name may read it at once."""
    dump = RequestDumper(tmp_path)
    torn: list[str] = []
    done = threading.Event()

    def watch() -> None:
        while not done.is_set():
            for path in tmp_path.glob("*.json"):
                try:
                    json.loads(path.read_text("utf-8"))
                except ValueError:
                    torn.append(path.name)

    watcher = threading.Thread(target=watch)
    watcher.start()
    for number in range(60):
        dump("main", "m", "u", {"text": "x" * 200_000, "number": number})
    done.set()
    watcher.join()
    assert torn == []
    assert [p.name for p in tmp_path.iterdir() if p.suffix != ".json"] == []
