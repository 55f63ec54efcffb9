"""The ring of requests: the same records as a dump, bounded, thread-safe, nothing on disk."""

from __future__ import annotations

import json
import threading
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import StorageError
from desktop.providers.dump import RequestDumper
from desktop.providers.request_log import RequestLog
from tests.helpers.clock import FixedClock

BODY = {"model": "m", "messages": [{"role": "user", "content": "Grüße, 你好\n\ud83d\ude00"}], "n": 1.5, "z": None}


@pytest.mark.parametrize(
    "body",
    [BODY, json.dumps(BODY), json.dumps(BODY).encode(), "no json {", b"\xff\xfe", [1, 2], "", json.dumps("a text")],
    ids=["value", "text", "bytes", "no json", "no text", "list", "empty", "a string"],
)
def test_a_request_reads_as_it_does_in_a_dump(tmp_path: Path, body: Any) -> None:
    clock = FixedClock()
    log = RequestLog(clock, RequestDumper(tmp_path, clock))
    log("main", "a:b", "https://user:pw@host/v1?key=abc&x=1", body)
    file = next(tmp_path.glob("*.json")).read_text(encoding="utf-8")
    assert json.loads(log.requests()[0].text()) == json.loads(file)
    assert "pw" not in log.requests()[0].url and "abc" not in log.requests()[0].url


def test_numbers_go_on_from_the_folder_and_without_one_from_one(tmp_path: Path) -> None:
    first = RequestLog(FixedClock(), RequestDumper(tmp_path, FixedClock()))
    first("main", "m", "u", {})
    second = RequestLog(FixedClock(), RequestDumper(tmp_path, FixedClock()))
    second("extract", "m", "u", {})
    assert [one.n for one in second.requests()] == [2]
    alone = RequestLog(FixedClock())
    alone("main", "m", "u", {})
    alone("title", "m", "u", {})
    assert [(one.n, one.kind) for one in alone.requests()] == [(2, "title"), (1, "main")]


def test_what_cannot_be_dumped_is_not_kept(tmp_path: Path) -> None:
    place = tmp_path / "file"
    place.write_text("in the way", encoding="utf-8")
    log = RequestLog(FixedClock(), RequestDumper(place / "below", FixedClock()))
    with pytest.raises(StorageError):
        log("main", "m", "u", {})
    assert log.requests() == []


def test_the_ring_holds_so_many_requests_and_so_many_bytes() -> None:
    log = RequestLog(FixedClock(), most=3, most_bytes=1_000)
    for number in range(5):
        log("main", f"m{number}", "u", "x" * 100)
    assert [one.model for one in log.requests()] == ["m4", "m3", "m2"]
    log("main", "large", "u", "y" * 900)
    assert [one.model for one in log.requests()] == ["large", "m4"]
    assert sum(len(one.data) for one in log.requests()) <= 1_000


def test_a_request_larger_than_the_ring_is_kept_by_its_beginning_and_says_so() -> None:
    log = RequestLog(FixedClock(), most_bytes=1_000)
    log("main", "m", "u", json.dumps({"text": "é" * 2_000}, ensure_ascii=False))
    kept = log.requests()[0]
    assert kept.cut and len(kept.data) == 1_000 and kept.size > 4_000
    assert json.loads(kept.text())["body"].startswith('{"text": "éé')


def test_changes_are_told_and_everything_can_be_forgotten() -> None:
    told: list[int] = []
    log = RequestLog(FixedClock())
    log.changed.subscribe(told.append)
    log("main", "m", "u", {})
    log("main", "m", "u", {})
    log.clear()
    assert told == [1, 2, 0]
    assert log.requests() == [] and log.find(1) is None
    log("main", "m", "u", {})
    assert [one.n for one in log.requests()] == [3], "a number is never used twice"


def test_many_threads_lose_nothing() -> None:
    log = RequestLog(FixedClock(), most=1_000)

    def send() -> None:
        for _ in range(50):
            log("main", "m", "u", {"x": 1})

    threads = [threading.Thread(target=send) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(one.n for one in log.requests()) == list(range(1, 401))


def test_tokens_are_counted_by_script() -> None:
    log = RequestLog(FixedClock())
    log("main", "m", "u", "记住这件事情吧")
    log("main", "m", "u", "abcdefgh")
    assert [one.tokens() for one in log.requests()] == [2, 7]
