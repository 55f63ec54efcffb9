"""The labelled path corpus through the whole way of a Write: tool, memory rule, verdict (safety S5)."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

import pytest

from desktop.base.errors import ToolError
from desktop.tools.write import WriteTool
from tests.helpers.data import shared_data
from tests.unit.tools.conftest import Bench


def _filled(text: str, bench: Bench) -> str:
    places = {
        "<other-memory>": bench.paths.projects / "other-0123456789abcdef" / "memory",
        "<memory>": bench.memory_root,
        "<workspace>": bench.workspace,
        "<home>": bench.base / "home",
        "<outside>": bench.base / "outside",
    }
    for symbol, place in places.items():
        text = text.replace(symbol, str(place))
    return text


def _make(kind: str, path: str, target: str, bench: Bench) -> None:
    place = Path(_filled(path, bench))
    if not place.is_absolute():
        place = bench.memory_root / place
    place.parent.mkdir(parents=True, exist_ok=True)
    if kind == "dir":
        place.mkdir(exist_ok=True)
    elif kind == "file":
        place.write_text("")
    elif kind == "fifo":
        os.mkfifo(place)
    else:
        place.symlink_to(_filled(target, bench))


def _verdict(row: dict[str, Any], bench: Bench) -> str:
    for kind, path, target in (([*entry, ""])[:3] for entry in row.get("fixture") or ()):
        _make(kind, path, target or "", bench)
    path = row["path"]
    spelled = _filled(path, bench)
    if spelled == path and not os.path.isabs(path):  # noqa: PTH117
        spelled = f"{bench.memory_root}/{path}"
    try:
        prepared = bench.prepare(WriteTool(), file_path=spelled, content="x")
    except ToolError:
        return "refused"
    decision = bench.decide(prepared)
    return "allowed" if decision.effect == "allow" else decision.effect


def _rows() -> list[dict[str, Any]]:
    beside = Path(__file__).resolve().parents[4] / "shared" / "data"
    file = Path(os.environ.get("KEEPSAKE_TEST_DATA", str(beside))) / "security" / "memory_paths.jsonl"
    if not file.exists():
        return []
    rows = [json.loads(line) for line in file.read_text().splitlines()]
    return [row for row in rows if row["platform"] in ("posix", "any")]


@pytest.mark.parametrize("row", _rows(), ids=lambda row: ascii(row["path"])[:60])
def test_only_what_is_labelled_so_is_written_without_asking(row: dict[str, Any], bench: Bench) -> None:
    assert (_verdict(row, bench) == "allowed") == row["allowed"], row["why"]


def test_the_corpus_is_there() -> None:
    assert shared_data("security/memory_paths.jsonl").exists()
    assert len(_rows()) > 40
