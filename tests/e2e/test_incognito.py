"""After an incognito turn no byte of it is below the profile: no transcript, index row, log line, draft, memory, grant or trash (UI-14)."""

from __future__ import annotations

import json
import re
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.e2e.headless import TIMEOUT_S, Headless

SECRET_WORDS = ("zirkonkatze", "蓝鲸暗号", "flaschenpost")
"""Said by the person, by the model, and in a tool call; they occur nowhere else."""


@pytest.fixture
def world(tmp_path: Path) -> Headless:
    return Headless(tmp_path)


def files_below(*folders: Path) -> Iterator[Path]:
    for folder in folders:
        yield from (path for path in folder.rglob("*") if path.is_file() and not path.is_symlink())


def forms_of(word: str) -> tuple[bytes, ...]:
    """The word as UTF-8, UTF-16 and as a JSON escape."""
    return word.encode(), word.encode("utf-16-le"), json.dumps(word)[1:-1].encode()


def traces(*folders: Path) -> list[str]:
    """Files in whose name or bytes one of the words stands."""
    found = []
    for path in files_below(*folders):
        data = path.read_bytes()
        for word in SECRET_WORDS:
            if any(form in data for form in forms_of(word)) or word in str(path):
                found.append(f"{word} in {path}")
    return found


def said_everywhere(world: Headless) -> list[dict[str, object]]:
    """Answers that try every way of leaving something behind."""
    note = f"{world.profile}/data/memories/projects/x/memory/flaschenpost.md"
    return [
        {
            "text": "Ich merke mir flaschenpost.",
            "tool_calls": [
                {
                    "name": "Write",
                    "input": {"file_path": note, "content": "蓝鲸暗号 flaschenpost"},
                },
                {"name": "memory_search", "input": {"queries": ["flaschenpost 蓝鲸暗号"]}},
                {"name": "history_search", "input": {"queries": ["zirkonkatze"]}},
                {"name": "Grep", "input": {"pattern": "flaschenpost"}},
            ],
        },
        {"text": "I've saved zirkonkatze to memory."},
    ]


def test_nothing_of_an_incognito_turn_is_on_disk(world: Headless) -> None:
    model = world.script(*said_everywhere(world))
    ended = world.run("-p", "remember: zirkonkatze 蓝鲸暗号", "--model", model, "--incognito", "--output", "json", "--allow-write")
    assert ended.status in (0, 3), ended.err
    assert ended.json["text"] == "I've saved zirkonkatze to memory."
    assert not traces(world.profile, world.workspace)
    assert world.run("sessions", "list", "--json").json["sessions"] == []
    assert "no memory file was written" in ended.err


def test_a_stopped_incognito_turn_promises_nothing_that_is_not_kept(world: Headless) -> None:
    child = world.start("-p", "zirkonkatze", "--incognito", "--output", "stream-json", "--model", world.script(slow_words()))
    assert child.stdout is not None
    for line in child.stdout:
        if json.loads(line)["type"] == "text_delta":
            break
    child.send_signal(signal.SIGINT)
    _, err = child.communicate(timeout=TIMEOUT_S)
    assert child.returncode == 130 and "nothing of it is kept" in err and "resumed" not in err
    assert not traces(world.profile, world.workspace)


def slow_words() -> dict[str, object]:
    return {"text": "word " * 400, "chunk": 5, "delay_ms": 100}


def test_the_search_for_traces_finds_those_of_an_ordinary_turn(world: Headless) -> None:
    model = world.script(*said_everywhere(world))
    assert world.run("-p", "remember: zirkonkatze 蓝鲸暗号", "--model", model, "--allow-write").status in (0, 3)
    assert any("zirkonkatze" in trace for trace in traces(world.profile))


def test_an_incognito_turn_reads_memory_unless_told_otherwise(world: Headless) -> None:
    first = world.script({"tool_calls": [{"name": "Write", "input": {"file_path": "MEMPATH/pm.md", "content": "CONTENT"}}]}, name="a.json")
    root = world.run("memory", "list", "--json").json["root"]
    script = Path(first.removeprefix("scripted:"))
    note = "---\nname: pm\ndescription: the package manager is bun\nmetadata:\n  type: project\n---\n\nWe use bun.\n"
    call = {"name": "Write", "input": {"file_path": f"{root}/pm.md", "content": note}}
    script.write_text(json.dumps({"responses": [{"tool_calls": [call]}, {"text": "ok"}]}), encoding="utf-8")
    assert world.run("-p", "remember bun", "--model", first).status == 0

    reads = world.run("-p", "hello there", "--model", world.script({"text": "a"}, name="b.json"), "--incognito", "--output", "json").json
    assert reads["memory"]["enabled"] is True
    assert reads["memory"]["loaded"]["entries"] == 1
    without = world.script({"text": "a"}, name="c.json")
    blind = world.run("-p", "hello there", "--model", without, "--incognito", "--no-memory", "--output", "json").json
    assert blind["memory"]["enabled"] is False
    assert blind["memory"]["loaded"]["entries"] == 0


@pytest.mark.parametrize("word", ["--memory-bench", "--dump-requests", "--resume"])
def test_what_keeps_something_does_not_go_with_incognito(world: Headless, word: str) -> None:
    value = {"--dump-requests": [str(world.dumps)], "--resume": ["sess_01ARZ3NDEKTSV4RRFFQ69G5FAV"]}.get(word, [])
    ended = world.run("-p", "hi", "--model", world.script({"text": "a"}), "--incognito", word, *value)
    assert ended.status == 2
    assert re.search(rf"--incognito keeps nothing.*{word}", ended.err)


def test_no_memory_belongs_to_incognito(world: Headless) -> None:
    ended = world.run("-p", "hi", "--model", world.script({"text": "a"}), "--no-memory")
    assert ended.status == 2 and "--incognito" in ended.err
